"""Which system calls are refused in a sandbox, and the kernel's little language for filters (seccomp(2), bpf(4)).

A filter sees the number of a call and its arguments. Each architecture has numbers of its own, so a filter that is
passed by a foreign one says nothing.

It never sees what a pointer points to. So sockets are refused where they are made, by their family:
`connect` would be too late, and io_uring makes sockets without any system call that a filter sees.

The kernel's keys (keyrings(7)) are out of reach: they are the person's, and asking for one may start a program outside.

Where the room on the disk is bounded, none can be taken by a single call, before anybody has looked.

Landlock holds signals and leaves the limits of other processes to whoever has the same user: one on the processor's
time would end a process outside, and the one that carries asimi's mark would take a person's voice away.

Nothing can be mounted either: who moves to a root of its own and lets go of the old one can rename what another mount
lies on, and so get round what bubblewrap protects.
"""

from __future__ import annotations

import ctypes
import struct
from errno import ENOSYS, EOPNOTSUPP, EPERM
from functools import cache
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.executors.confining.system import SECCOMP, machine, system_call

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ALLOW, ASK, ERRNO, KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000
"""What a filter may answer (<linux/seccomp.h>); to `ERRNO` the number of the error is added."""
SET_MODE_FILTER = 1
LOAD, MASK, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # <linux/bpf_common.h>: ld abs, and, jeq, jge, ret
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32
"""Where `struct seccomp_data` has them; of arguments, the low half."""

X86_64, AARCH64, I386 = 0xC000003E, 0xC00000B7, 0x40000003  # AUDIT_ARCH, <linux/audit.h>
X32 = 0x40000000
"""The first number of x32, which has the architecture of x86_64 and numbers of its own."""
Instruction = tuple[int, int, int, int]
"""Code, how many to skip if it is true and if not, and a number."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))  # `struct sock_fprog`


def pack_filter(instructions: Iterable[Instruction]) -> bytes:
    """Instructions as the kernel reads them."""
    return b"".join(struct.pack("=HBBI", *each) for each in instructions)


def filter_structure(program: bytes) -> ctypes.Structure:
    """A filter, to be handed to the kernel by reference."""
    return _Program(len(program) // struct.calcsize("=HBBI"), program)


def when(values: Sequence[int], then: Sequence[Instruction]) -> list[Instruction]:
    """What is done if the loaded word is one of these."""
    last = len(values) - 1
    tests = [(EQUAL, last - at, 0 if at < last else len(then), value) for at, value in enumerate(values)]
    return [*tests, *then]


LOCAL = 1  # AF_UNIX
OWN = (2, 10, 16)  # AF_INET, AF_INET6, AF_NETLINK, which stay in a network namespace; AF_VSOCK does not
STREAM, SEQUENCE = 1, 5  # SOCK_STREAM, SOCK_SEQPACKET
KIND = 0xF  # SOCK_TYPE_MASK, without SOCK_CLOEXEC and SOCK_NONBLOCK
BOUNDED = (1, 6)  # RLIMIT_FSIZE, RLIMIT_NPROC
TYPING = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX, which put words on a terminal's input
RESERVING = (0x40305828, 0x4030582A, 0x40305839)  # FS_IOC_RESVSP, FS_IOC_RESVSP64, FS_IOC_ZERO_RANGE, as fallocate(2)

MOUNTS = (*range(428, 434), 442, 467)
"""From `open_tree` to `fspick`, `mount_setattr`, `open_tree_attr`: the same on every architecture."""


class Calls(NamedTuple):
    """The numbers of an architecture (<asm/unistd.h>)."""

    architecture: int
    socket: int
    socketpair: int
    ioctl: int
    open_by_handle_at: int
    mounts: tuple[int, ...]
    keys: tuple[int, ...]
    setrlimit: int
    prlimit64: int
    fallocate: int
    io_uring_setup: int = 425


MACHINES = {
    "x86_64": Calls(X86_64, 41, 53, 16, 304, (155, 165, 166), (248, 249, 250), 160, 302, 285),
    "aarch64": Calls(AARCH64, 198, 199, 29, 265, (39, 40, 41), (217, 218, 219), 164, 261, 47),
}


def calls() -> Calls:
    """The numbers of this machine.

    Raises:
        ConfinementError: they are not known.
    """
    return MACHINES[machine()]


@cache
def filter_of(
    numbers: Calls, *, network: bool, sockets: bool, bounded: bool = False, alone: bool = False, own: bool = False
) -> bytes:
    """The filter of a sandbox.

    Args:
        numbers: of the architecture.
        network: whether sockets of the network may be made.
        sockets: whether local sockets may be made that can be connected to those of daemons.
        bounded: whether the bounds on files and processes stay as they are, and room is only taken by writing; the C
            library then does the latter by itself (posix_fallocate(3)).
        alone: whether no process outside can be named, as in a pid namespace; else each sets only its own limits.
        own: whether the network is a namespace of its own: then its sockets may be made that stay in there.
    """
    refuse = (RETURN, 0, 0, ERRNO | EPERM)
    refused: list[Instruction] = [refuse]
    always = when([numbers.io_uring_setup, numbers.open_by_handle_at, *numbers.mounts, *MOUNTS, *numbers.keys], refused)
    unable = (RETURN, 0, 0, ERRNO | EOPNOTSUPP)
    reserving = when(RESERVING, [unable]) if bounded else []
    controls = _inside(numbers.ioctl, [(LOAD, 0, 0, SECOND), *when(TYPING, refused), *reserving])
    families = _own_families(refuse, sockets=sockets) if own else _families(network=network, sockets=sockets)
    return pack_filter(
        [
            *_of_this(numbers),
            *always,
            *controls,
            *_inside(numbers.fallocate, [unable] if bounded else []),
            *_inside(numbers.setrlimit, [(LOAD, 0, 0, FIRST), *when(BOUNDED, refused)] if bounded else []),
            *_inside(numbers.prlimit64, _limits(refuse, bounded=bounded, alone=alone)),
            *_inside(numbers.socket, families),
            *_inside(numbers.socketpair, _pairs(network=network, sockets=sockets)),
            (RETURN, 0, 0, ALLOW),
        ]
    )


def restrict(program: bytes) -> None:
    """Hold this thread, and whatever it starts, to a filter for ever.

    Raises:
        ConfinementError: the kernel refuses.
    """
    system_call("seccomp", SECCOMP[machine()], SET_MODE_FILTER, 0, ctypes.byref(filter_structure(program)))


def _of_this(numbers: Calls) -> list[Instruction]:
    """Kill what calls by another architecture's numbers, which would pass any comparison; load the number."""
    own: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, numbers.architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    if numbers.architecture == X86_64:
        own += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, ERRNO | ENOSYS)]
    return own


def _families(*, network: bool, sockets: bool) -> list[Instruction]:
    """What socket(2) answers for each family."""
    if network and sockets:
        return []
    local, others = (ALLOW if sockets else ERRNO | EPERM), (ALLOW if network else ERRNO | EPERM)
    return [(LOAD, 0, 0, FIRST), (EQUAL, 0, 1, LOCAL), (RETURN, 0, 0, local), (RETURN, 0, 0, others)]


def _own_families(refuse: Instruction, *, sockets: bool) -> list[Instruction]:
    """What socket(2) answers where the network is a namespace of its own."""
    return [(LOAD, 0, 0, FIRST), *when((*OWN, LOCAL) if sockets else OWN, [(RETURN, 0, 0, ALLOW)]), refuse]


def _pairs(*, network: bool, sockets: bool) -> list[Instruction]:
    """What socketpair(2) answers: a pair of datagram sockets can still be connected to a daemon's (unix(7))."""
    if network and sockets:
        return []
    refuse, allow = (RETURN, 0, 0, ERRNO | EPERM), (RETURN, 0, 0, ALLOW)
    if sockets:
        return [(LOAD, 0, 0, FIRST), (EQUAL, 0, 1, LOCAL), allow, refuse]
    return [
        (LOAD, 0, 0, FIRST),
        (EQUAL, 1, 0, LOCAL),
        allow if network else refuse,
        (LOAD, 0, 0, SECOND),
        (MASK, 0, 0, KIND),
        *when((STREAM, SEQUENCE), [allow]),
        refuse,
    ]


def _limits(refuse: Instruction, *, bounded: bool, alone: bool) -> list[Instruction]:
    """What prlimit(2) answers for a limit that is to stay: it may be read, with no address of a new one."""
    changed = [(LOAD, 0, 0, THIRD), (EQUAL, 0, 2, 0), (LOAD, 0, 0, THIRD + 4), (EQUAL, 1, 0, 0), refuse]
    others = [] if alone else [(LOAD, 0, 0, FIRST), (EQUAL, len(changed), 0, 0), *changed]
    return [*others, (LOAD, 0, 0, SECOND), *when(BOUNDED, changed)] if bounded else others


def _inside(number: int, body: list[Instruction]) -> list[Instruction]:
    """What is done for one system call; the loaded word is its number before and, where the body ends, after."""
    if not body:
        return []
    body = [*body, (LOAD, 0, 0, NUMBER)]
    return [(EQUAL, 0, len(body), number), *body]
