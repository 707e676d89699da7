"""asimi inside a box of `asimi wrap`: it judges nothing there and hands its words to the gate outside.

The variable alone says nothing, since anybody can set it: it counts only where a read-only mount holds the box's own
directory, which takes root outside of a box. The variable names no other one.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # `typing` is a quarter of a start; a type checker takes this for true
if TYPE_CHECKING:
    from collections.abc import Sequence

RUNTIME = "/run/asimi"
"""Where the inside sees the box's own directory."""

LOCAL = frozenset("explain help completion tools --help -h --version".split())
"""First words of what needs no gate."""


def in_box() -> bool:
    """Whether this process is in a box."""
    if os.environ.get("ASIMI_BOX") != RUNTIME:
        return False
    try:
        with open("/proc/self/mountinfo", "rb") as file:
            mounts = [line.split(b" ") for line in file]
    except OSError:
        return False
    at = RUNTIME.encode()
    return any(fields[4] == at and b"ro" in fields[5].split(b",") for fields in mounts)


def forward(words: Sequence[str]) -> int | None:
    """Hand a command line to the gate; its exit code, or None where it is for this process.

    Args:
        words: those behind `asimi`.
    """
    if not in_box() or (words and words[0] in LOCAL):
        return None
    sys.stdout.flush()
    from asimi.doors.wrap.client import talk

    return talk("asimi", [*words])
