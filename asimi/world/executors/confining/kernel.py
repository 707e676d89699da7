"""Whether this kernel can hold a command at all.

Each start asks whose rules have a sandbox. So this does without `ctypes`, which makes thirty classes for one call of
the kernel; by what `ctypes` stands on, two do.
"""

from __future__ import annotations

import os

from asimi.world.executors.confining.system import Unconfined

CREATE_RULESET, ASK_VERSION = 444, 1  # <linux/landlock.h>; the number is the same on every architecture

NEEDED = 3
"""The version of Landlock from which truncate(2) is handled (Linux 6.2): below, any file could be cut off."""

SECCOMP = {"x86_64": 317, "aarch64": 277}
"""The number of seccomp(2), by the machine as `uname -m` says it; of others no call is known here."""


def machine() -> str:
    """This machine, as `uname -m` says it.

    Raises:
        Unconfined: the numbers of its system calls are not known.
    """
    name = os.uname().machine
    if name not in SECCOMP:
        raise Unconfined(f"it needs {' or '.join(SECCOMP)}; this machine is {name}")
    return name


def landlock_version() -> int:
    """The kernel's version of Landlock; 0 where it has none, or it is switched off."""
    import _ctypes

    class Long(_ctypes._SimpleCData):  # type: ignore[type-arg]  # noqa: SLF001 - `ctypes.c_long` is no more
        _type_ = "l"

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL
        _restype_ = Long

    call = Function(_ctypes.dlsym(_ctypes.dlopen(None, 0), "syscall"))  # type: ignore[arg-type]  # None is this process
    found: int = call(Long(CREATE_RULESET), None, Long(0), Long(ASK_VERSION))
    return max(found, 0)


def lacking_version() -> str:
    """Why this kernel's Landlock cannot keep a sandbox; empty where it can."""
    known = landlock_version()
    if known >= NEEDED:
        return ""
    has = f"has Landlock {known}" if known else "has no Landlock, or it is switched off"
    return f"it needs Linux 6.2 with Landlock {NEEDED}; this kernel {has}"
