"""What a request would do: what it would start, behind whatever wrapper, and what else is to be said of it."""

from __future__ import annotations

from asimi.core.reading import cmd
from asimi.core.reading.commands import Command, Escape, Finding, Reading
from asimi.core.reading.reader import Reader, is_plain

__all__ = ["Command", "Escape", "Finding", "Reader", "Reading", "cmd", "is_plain"]
