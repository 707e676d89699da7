"""What a run of the tests has left behind: processes, sockets, mounts, temporary directories."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

from helpers import warm

PATIENCE = 30.0
"""Seconds in which what has been told to end is gone, on a busy machine."""

_made: list[str] = []


def note() -> set[str]:
    """Note from now on which temporary directories this process makes; return what is mounted now."""
    sys.addaudithook(lambda event, given: _made.append(str(given[0])) if event == "tempfile.mkdtemp" else None)
    return _mounts()


def left(mounts: set[str], top: str, patience: float = PATIENCE) -> list[str]:
    """Return what is left, in words, once it has had time to go.

    Args:
        mounts: what was mounted at the start.
        top: the directory in which the tests have worked.
        patience: seconds of that time.
    """
    end = time.monotonic() + patience
    while (found := _left(mounts, top)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _left(mounts: set[str], top: str) -> list[str]:
    tops = [top, *_made]
    found = [f"a process: {words}" for words in _processes(tops)]
    found += [f"a socket: {path}" for path in _sockets() if any(each in path for each in tops)]
    found += [f"a mount: {path}" for path in _mounts() - mounts if any(path.startswith(each) for each in tops)]
    return found + [f"a directory: {each}" for each in _made if os.path.exists(each) and not each.startswith(top)]


def _processes(tops: list[str]) -> list[str]:
    """The command lines of our descendants, and of whatever else works in one of the directories or has it as HOME."""
    found, ours = [], {os.getpid()}
    for name in sorted(filter(str.isdecimal, os.listdir("/proc")), key=int):
        with suppress(OSError):
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, above = file.read().rpartition(") ")[2].split()[:2]
            if state == "Z" or int(name) in {os.getpid(), *warm.PARENTS}:
                continue
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace")
            with open(f"/proc/{name}/environ", "rb") as file:
                home = [os.fsdecode(each[5:]) for each in file.read().split(b"\0") if each.startswith(b"HOME=")]
            places = [os.readlink(f"/proc/{name}/cwd"), *home]
            if int(above) in ours or any(place.startswith(each) for place in places for each in tops):
                ours.add(int(name))
                found.append(words)
    return found


def _sockets() -> list[str]:
    with open("/proc/net/unix", encoding="utf-8", errors="replace") as file:
        return [words[7] for line in file if len(words := line.split(maxsplit=7)) > 7]


def _mounts() -> set[str]:
    with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
        return {line.split()[4] for line in file}
