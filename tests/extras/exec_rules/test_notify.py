"""The filter asks about executions and a program's first call, and lets all else through, on every machine."""

import errno

import pytest
from helpers.filters import answer

from asimi.extras.exec_rules.notify import AARCH64, I386, X86_64, filter_for
from asimi.world.executors.confining.seccomp import ALLOW, ASK, ERRNO, KILL

X32 = 0x40000000


@pytest.mark.parametrize(
    ("machine", "audit", "number", "first", "expected"),
    [
        ("x86_64", X86_64.audit, 59, 0, ASK),
        ("x86_64", X86_64.audit, 322, 0, ASK),
        ("x86_64", X86_64.audit, 158, 0x1002, ASK),  # arch_prctl(ARCH_SET_FS)
        ("x86_64", X86_64.audit, 158, 0x1_0000_1002, ASK),  # the kernel looks at the lower half
        ("x86_64", X86_64.audit, 158, 0x1001, ALLOW),
        ("x86_64", X86_64.audit, 12, 0, ALLOW),
        ("x86_64", X86_64.audit, 11, 0, ALLOW),  # munmap here, execve of i386
        ("x86_64", X86_64.audit, X32 + 520, 0, ERRNO | errno.ENOSYS),  # execve of x32
        ("x86_64", I386.audit, 11, 0, ASK),
        ("x86_64", I386.audit, 358, 0, ASK),
        ("x86_64", I386.audit, 243, 0x1234, ASK),
        ("x86_64", I386.audit, 59, 0, ALLOW),
        ("x86_64", AARCH64.audit, 221, 0, KILL),
        ("aarch64", AARCH64.audit, 221, 0, ASK),
        ("aarch64", AARCH64.audit, 281, 0, ASK),
        ("aarch64", AARCH64.audit, 214, 0, ASK),  # brk(NULL)
        ("aarch64", AARCH64.audit, 214, 0x1000, ALLOW),
        ("aarch64", AARCH64.audit, 96, 0x1000, ASK),
        ("aarch64", AARCH64.audit, 63, 0, ALLOW),
        ("aarch64", X86_64.audit, 59, 0, KILL),
    ],
)
def test_the_filter(machine, audit, number, first, expected):
    assert answer(filter_for(machine), audit, number, first) == expected


def test_one_look_asks_before_only():
    program = filter_for("x86_64", after=False)
    assert answer(program, X86_64.audit, 59) == ASK
    assert answer(program, X86_64.audit, 158, 0x1002) == ALLOW


def test_a_machine_that_is_not_known():
    with pytest.raises(OSError, match="not known for riscv64"):
        filter_for("riscv64")
