"""Filters of system calls, in the kernel's little language (seccomp(2), bpf(4)).

A filter sees the number of a call and its arguments, never what a pointer points to. Each architecture has numbers of
its own, so a filter that is passed by a foreign one says nothing.
"""

from __future__ import annotations

import ctypes
import struct

from asimi.core.lean import TYPE_CHECKING

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
SECCOMP = {"x86_64": 317, "aarch64": 277}
"""The number of seccomp(2), by the machine as `uname -m` says it."""

Instruction = tuple[int, int, int, int]
"""Code, how many to skip if it is true and if not, and a number."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))  # `struct sock_fprog`


def packed(instructions: Iterable[Instruction]) -> bytes:
    """Instructions as the kernel reads them."""
    return b"".join(struct.pack("=HBBI", *each) for each in instructions)


def loaded(program: bytes) -> ctypes.Structure:
    """A filter, to be handed to the kernel by reference."""
    return _Program(len(program) // struct.calcsize("=HBBI"), program)


def when(values: Sequence[int], then: Sequence[Instruction]) -> list[Instruction]:
    """What is done if the loaded word is one of these."""
    last = len(values) - 1
    tests = [(EQUAL, last - at, 0 if at < last else len(then), value) for at, value in enumerate(values)]
    return [*tests, *then]
