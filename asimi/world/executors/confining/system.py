"""What a sandbox is made with: calls of the kernel and bubblewrap; each failure names the call, or what is missing."""

from __future__ import annotations

import _thread
import errno
import os
import stat
import threading
import time
from functools import cache
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    import ctypes  # costs a start a fifth of Python's own; so only what calls the kernel loads it
    from collections.abc import Callable, Sequence

    from asimi.world.executors.starting import Start


PR_SET_NO_NEW_PRIVS = 38  # <linux/prctl.h>

CAPABILITY_VERSION = 0x20080522  # <linux/capability.h>, version 3: two words of 32 bits
CAPABILITIES = {
    "CHOWN": 0,
    "DAC_OVERRIDE": 1,
    "FOWNER": 3,
    "FSETID": 4,
    "KILL": 5,
    "SETGID": 6,
    "SETUID": 7,
    "NET_BIND_SERVICE": 10,
    "SYS_CHROOT": 18,
}
"""What root may still do in a sandbox, with its number (capabilities(7)). The rest acts on the machine: devices,
mounts, modules, the clock, others' memory."""
KEPT = sum(1 << number for number in CAPABILITIES.values())

PLACES = ("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin")
"""Where bubblewrap is looked for: not on PATH, which may name a directory that a command can write in."""


class ConfinementError(AsimiError):
    """What is to hold a command cannot be set up, so nothing is started.

    Args:
        why: which step failed, or what this machine lacks.
        what: what cannot be set up.

    Attributes:
        why: as given; `str()` says both.
    """

    def __init__(self, why: str, what: str = "The sandbox") -> None:
        super().__init__(f"{what} cannot be set up: {why}")
        self.why = why


def path_of(written: str, root: str) -> str:
    """The path that a key of `[sandbox]` means, links in it not followed.

    Args:
        written: relative to the project root, absolute, or beginning with `~`.
        root: the real path of the project root.
    """
    return os.path.normpath(os.path.join(root, os.path.expanduser(written)))


def bubblewrap_path() -> str:
    """Where bubblewrap is.

    Raises:
        ConfinementError: it is not there, or gains rights for whoever starts it.
    """
    for directory in PLACES:
        path = os.path.join(directory, "bwrap")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            if os.stat(path).st_mode & stat.S_ISUID:
                raise ConfinementError(
                    f"{path} is setuid root, and asimi uses none that gains rights; chmod u-s {path}"
                )
            return path
    raise ConfinementError("bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)")


@cache
def libc() -> ctypes.CDLL:
    """The C library; calls of it let other threads of ours run."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def system_call(step: str, number: int, *arguments: object) -> int:
    """Call the kernel.

    Args:
        step: what is being done, for the message.
        number: of the system call.
        arguments: integers, or what ctypes hands on.

    Raises:
        ConfinementError: it failed.
    """
    import ctypes

    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return check_result(step, libc().syscall(ctypes.c_long(number), *words))


def check_result(step: str, result: int) -> int:
    """What a call returned, which is below 0 where it failed.

    Raises:
        ConfinementError: it failed.
    """
    if result < 0:
        import ctypes

        raise ConfinementError(f"{step}: {os.strerror(ctypes.get_errno())}")
    return result


def give_up_privileges() -> None:
    """Let this thread, and what it starts, gain no rights by an exec, and as root keep only those over files.

    Raises:
        ConfinementError: the kernel refuses.
    """
    import ctypes

    check_result("no_new_privs", libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same for what is above 31
    check_result("capget", libc().capget(header, held))
    if any(held):
        kept = (ctypes.c_uint32 * 6)(held[0] & KEPT, held[1] & KEPT, 0, 0, 0, 0)
        check_result("capset", libc().capset(header, kept))


CREATE_RULESET, ASK_VERSION = 444, 1  # <linux/landlock.h>; the number is the same on every architecture

NEEDED = 3
"""The version of Landlock from which truncate(2) is handled (Linux 6.2): below, any file could be cut off."""

SECCOMP = {"x86_64": 317, "aarch64": 277}
"""The number of seccomp(2), by the machine as `uname -m` says it; of others no call is known here."""


# Each start asks whose rules have a sandbox. So what follows does without `ctypes`, which makes thirty classes for one
# call of the kernel; by what `ctypes` stands on, two do.


def machine() -> str:
    """This machine, as `uname -m` says it.

    Raises:
        ConfinementError: the numbers of its system calls are not known.
    """
    name = os.uname().machine
    if name not in SECCOMP:
        raise ConfinementError(f"it needs {' or '.join(SECCOMP)}; this machine is {name}")
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


ENDING = 5.0
"""Seconds that a thread which has done its work may take to go."""


def start_confined(steps: Sequence[Callable[[], object]], start: Start) -> int:
    """Start a process from a thread that takes some steps first, which hold what it starts; its id.

    So asimi itself is never confined. Not by `subprocess` nor `os.posix_spawn`: they keep all other threads of ours
    waiting until the exec, which hangs for ever once one of these has to judge that exec. The C library's `posix_spawn`
    lets them run, and tells each failure.

    The caller holds `SPAWN`. Without a step there is no thread. Else it is gone when this returns, so that the process
    is a child of our main thread, as those are that others start.

    Raises:
        ConfinementError: a step failed, and nothing was started.
        OSError: it cannot be started.
    """
    if not steps:
        return start()
    done: list[int | BaseException] = []
    number = 0

    def work() -> None:
        nonlocal number
        number = threading.get_native_id()
        try:
            for step in steps:
                step()
            done.append(start(libc()))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is heard
            done.append(error)
        finally:
            working.release()

    working = threading.Lock()
    working.acquire()
    begin_thread(work)
    working.acquire()
    _until_gone(number)
    if isinstance(done[0], BaseException):
        raise done[0]
    return done[0]


def begin_thread(work: Callable[[], object]) -> None:
    """Begin a thread, without the two waits that `threading` adds to it.

    Raises:
        OSError: there is no room for one.
    """
    try:
        _thread.start_new_thread(work, ())
    except RuntimeError:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), "a thread") from None


def _until_gone(number: int) -> None:
    """Wait until a thread of ours that has ended is gone for the kernel, too: its children are listed under it."""
    end = time.monotonic() + ENDING
    while os.path.exists(f"/proc/self/task/{number}") and time.monotonic() < end:
        time.sleep(0)
