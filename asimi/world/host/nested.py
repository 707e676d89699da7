"""Whether asimi was started by a command that asimi itself runs: then anyone who answers could be the agent itself.

A command may forget its environment, so that is not the only evidence: the limit that marks a call's processes and the
environments of the ancestors tell it too, and an asimi that adopts what its calls leave behind has such a number too.
Whoever left all of them behind is a process like any other; the README says what only another user or a sandbox could
prevent.
"""

from __future__ import annotations

import os

from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TOKEN = "ASIMI_RUN"  # noqa: S105 - the name of a variable, no secret
"""The variable with the ids of the calls around a command; set where nothing else marks processes, so not on Linux."""

VARIABLES = (TOKEN, "ASIMI_CLI")
"""At least one of them is in the environment of every command that asimi runs."""

RLIMIT_LOCKS = 10  # <asm-generic/resource.h>; Python has no name for it
"""The limit whose number marks the processes of a call; the kernel no longer looks at it."""

MAGIC = 0x5A51
"""The upper 15 bits of such a number, behind 48 others."""

COUNTED = (1 << 26) - 1
"""The lower bits of such a number, which count an asimi's calls."""

_ENTRIES = tuple(f"{name}=".encode() for name in VARIABLES)


def inside_call(environ: Mapping[str, str]) -> bool:
    """Whether this process descends from a command that asimi runs.

    Args:
        environ: its own environment.
    """
    if any(name in environ for name in VARIABLES) or _marked(0):
        return True
    return not is_person(os.getppid())


def is_below_call(environ: Mapping[str, str]) -> bool:
    """Whether this process descends from a command that asimi runs, not only from an asimi that adopts what runs.

    What asimi starts for itself, as the way to a host, descends from such an asimi, and is no command.

    Args:
        environ: its own environment.
    """
    if any(name in environ for name in VARIABLES):
        return True
    return any(_calls(pid) or (pid and _told(pid)) for pid in (0, *_ancestors(os.getppid())))


def is_person(process: int) -> bool:
    """Whether a process can be a person's: neither it nor any that it descends from was started by a call.

    Args:
        process: its number; the leader of a terminal's session, or whoever answers a question.
    """
    return not any(_marked(pid) or _told(pid) for pid in _ancestors(process))


def _ancestors(pid: int) -> Iterator[int]:
    """A process and those it descends from, as far as the kernel tells."""
    while pid > 1:
        yield pid
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return


def _told(pid: int) -> bool:
    """Whether a process was started with the environment of a call."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return any(entry.startswith(_ENTRIES) for entry in file.read().split(b"\0"))
    except OSError:
        return False


def _marked(pid: int) -> bool:
    """Whether a process carries the number of a call, or of an asimi that adopts; 0 for ourselves."""
    return _number(pid) >> 48 == MAGIC


def _calls(pid: int) -> bool:
    """Whether a process carries the number of a call: that of an asimi itself ends with zeros (`linux.py`)."""
    return _marked(pid) and _number(pid) & COUNTED != 0


def _number(pid: int) -> int:
    """The limit that marks a process; 0 where it cannot be known."""
    try:
        import resource

        return resource.prlimit(pid, RLIMIT_LOCKS)[0]
    except (ImportError, AttributeError, OSError, ValueError, OverflowError):
        return 0
