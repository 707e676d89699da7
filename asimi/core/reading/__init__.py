"""What a request would do: what it would start, behind whatever wrapper, and what else is to be said of it."""

from __future__ import annotations

from asimi.core.reading.commands import Command, Escape, Finding, Reading
from asimi.core.reading.requests import Readings

__all__ = ["Command", "Escape", "Finding", "Reading", "Readings"]
