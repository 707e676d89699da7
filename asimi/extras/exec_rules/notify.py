"""The kernel asks us about each execution: seccomp user notification (seccomp(2), seccomp_unotify(2)).

A thread that calls `listen` gets a filter, which all that it starts inherits and nobody can take off. From then on two
moments of an execution wait for an answer:

- **before**, at `execve` and `execveat`: a no is "Permission denied" to the caller. A yes is no proof, since another
  thread of the caller may change what it points to before the kernel looks.
- **after**, when the new program sets up its thread pointer, which every C library, Go and Rust do once, before the
  program's own first instruction: the kernel has made its copy, and nobody else is in the address space. A no kills.

If nobody holds the listener any more, every execution is refused (ENOSYS), so the end of asimi lets nothing through.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import threading
from functools import cache
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.executors.confining import seccomp
from asimi.world.executors.confining.seccomp import (
    ALLOW,
    ARCHITECTURE,
    ASK,
    AT_LEAST,
    EQUAL,
    ERRNO,
    FIRST,
    KILL,
    LOAD,
    NUMBER,
    RETURN,
    SET_MODE_FILTER,
    X32,
    filter_structure,
    pack_filter,
)
from asimi.world.executors.confining.system import PR_SET_NO_NEW_PRIVS, SECCOMP, libc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from asimi.world.executors.confining.seccomp import Instruction


class Machine(NamedTuple):
    """The system calls of a machine, by their numbers.

    Attributes:
        audit: how the kernel calls it (AUDIT_ARCH, <linux/audit.h>).
        width: bytes of a pointer.
        execve: its number.
        execveat: its number.
        first: what a new program calls before its own code: number, and its first argument or None for any.
    """

    audit: int
    width: int
    execve: int
    execveat: int
    first: Mapping[int, int | None]


X86_64 = Machine(seccomp.X86_64, 8, 59, 322, {158: 0x1002})  # arch_prctl(ARCH_SET_FS)
I386 = Machine(seccomp.I386, 4, 11, 358, {243: None})  # set_thread_area
AARCH64 = Machine(seccomp.AARCH64, 8, 221, 281, {214: 0, 96: None})  # a register there: brk(NULL), set_tid_address
MACHINES = {"x86_64": (X86_64, I386), "aarch64": (AARCH64,)}
"""What runs where; the first is the kernel's own."""
BY_AUDIT = {each.audit: each for each in (X86_64, I386, AARCH64)}

NEW_LISTENER, WAIT_KILLABLE = 8, 32
RECEIVE, SEND, VALID = 0xC0502100, 0xC0182101, 0x40082102
CONTINUE = 1
QUESTION, ANSWER = struct.Struct("=QIIiIQ6Q"), struct.Struct("=QqiI")


class Question(NamedTuple):
    """One system call that waits for an answer.

    Attributes:
        id: the kernel's number of it.
        pid: the thread that calls, as we see it.
        machine: whose call it is.
        number: which call.
        arguments: all six, as numbers.
    """

    id: int
    pid: int
    machine: Machine
    number: int
    arguments: tuple[int, ...]

    @property
    def after(self) -> bool:
        """Whether it is a new program's first call, not an execution that is still to come."""
        return self.number in self.machine.first


@cache
def filter_for(name: str, *, after: bool = True) -> bytes:
    """The filter of a machine, in classic BPF.

    Args:
        name: the machine, as `platform.machine()` says it.
        after: whether the second look is taken; without it a caller with threads may win a race.

    Raises:
        OSError: there is none for this machine (ENOSYS).
    """
    machines = MACHINES.get(name)
    if machines is None:
        raise OSError(errno.ENOSYS, f"exec rules are not known for {name}")
    code: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE)]
    for machine in machines:
        block = _block(machine, after=after)
        code += [(EQUAL, 0, len(block), machine.audit), *block]
    code.append((RETURN, 0, 0, KILL))
    return pack_filter(code)


def _block(machine: Machine, *, after: bool) -> list[Instruction]:
    """What the filter says of the calls of one machine."""
    code = [(LOAD, 0, 0, NUMBER)]
    if machine is X86_64:  # x32 shares its audit number
        code += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]
    for number in (machine.execve, machine.execveat):
        code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ASK)]
    for number, argument in machine.first.items() if after else ():
        if argument is None:
            code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ASK)]
        else:
            ask = [(LOAD, 0, 0, FIRST), (EQUAL, 0, 1, argument), (RETURN, 0, 0, ASK), (RETURN, 0, 0, ALLOW)]
            code += [(EQUAL, 0, len(ask), number), *ask]
    return [*code, (RETURN, 0, 0, ALLOW)]


def listen(*, after: bool = True) -> int:
    """Put the filter on this thread and all it will start, for good; the listener, which is closed on exec.

    Raises:
        OSError: the kernel cannot, or may not here; EBUSY where a listener is around us already.
    """
    machine = platform.machine()
    program = filter_for(machine, after=after)
    given = filter_structure(program)
    if libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise _error(ctypes.get_errno(), "no_new_privs")
    for flags in (NEW_LISTENER | WAIT_KILLABLE, NEW_LISTENER):  # the first from Linux 5.19 on
        listener = libc().syscall(SECCOMP[machine], SET_MODE_FILTER, flags, ctypes.byref(given))
        if listener >= 0:
            return int(listener)
        if ctypes.get_errno() != errno.EINVAL:
            break
    raise _error(ctypes.get_errno(), "seccomp user notification")


def _error(number: int, what: str) -> OSError:
    around = "asimi, or a container, around this one holds exec rules already"
    return OSError(number, f"{what}: {around if number == errno.EBUSY else os.strerror(number)}")


def receive(listener: int) -> Question | None:
    """The next question; None where whoever asked is gone.

    Raises:
        OSError: the listener is of no use.
    """
    import fcntl

    buffer = bytearray(QUESTION.size)  # the kernel wants zeros
    try:
        fcntl.ioctl(listener, RECEIVE, buffer)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINTR):
            return None
        raise
    id, pid, _, number, audit, _, *arguments = QUESTION.unpack(buffer)  # noqa: A001 - the kernel's name for it
    return Question(id, pid, BY_AUDIT[audit], number, tuple(arguments))


def waits(listener: int, question: Question) -> bool:
    """Whether the one who asked is still there, so what was read by its process id was its own."""
    import fcntl

    try:
        fcntl.ioctl(listener, VALID, question.id.to_bytes(8, "little"))
    except OSError:
        return False
    return True


def answer(listener: int, question: Question, error: int) -> None:
    """Let it go on (0), or fail with an error number; whoever is gone needs no answer."""
    import fcntl

    given = bytearray(ANSWER.pack(question.id, 0, -error, 0 if error else CONTINUE))
    try:
        fcntl.ioctl(listener, SEND, given)
    except OSError as problem:
        if problem.errno != errno.ENOENT:
            raise


@cache
def lacking() -> str:
    """Why the kernel does not ask: a thread that ends at once tries to be asked."""
    if (here := platform.machine()) not in MACHINES:
        return f"they need {' or '.join(MACHINES)}; this machine is {here}"
    faults = [""]

    def trial() -> None:
        try:
            os.close(listen())
        except OSError as error:
            faults.append(str(error.strerror))

    thread = threading.Thread(target=trial)
    thread.start()
    thread.join()
    return faults[-1]
