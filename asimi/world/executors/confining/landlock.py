"""Where files can be written: Landlock (landlock(7), <linux/landlock.h>). Reading stays open.

Only rights to change are handled, so whatever is not granted here is refused, by any program and any name of the file.
Not covered by the kernel: modes, owners, times and extended attributes of files.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct

from asimi.world.executors.confining.system import (
    CREATE_RULESET,
    ConfinementError,
    lacking_version,
    landlock_version,
    system_call,
)

ADD_RULE, RESTRICT_SELF = 445, 446  # the same on every architecture
PATH_BENEATH = 1

(
    WRITE_FILE,
    REMOVE_DIR,
    REMOVE_FILE,
    MAKE_CHAR,
    MAKE_DIR,
    MAKE_REG,
    MAKE_SOCK,
    MAKE_FIFO,
    MAKE_BLOCK,
    MAKE_SYM,
    REFER,
    TRUNCATE,
    IOCTL_DEV,
) = (1 << bit for bit in (1, *range(4, 16)))
CHANGES = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_SYM | REFER
CHANGES |= TRUNCATE
"""What is granted in a writable directory: all but device files, by which root would reach every disk."""
OF_FILES = WRITE_FILE | TRUNCATE | IOCTL_DEV
"""What can be granted for a file itself."""
ABSTRACT_SOCKETS, SIGNALS = 1, 2

OF_SIGNALS = 6
"""The version from which signals and abstract sockets are handled (Linux 6.12)."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
"""Devices that everybody writes to, and that keep nothing."""


def ruleset(writable: tuple[int, ...], *, sockets: bool) -> int:
    """A descriptor of rules by which only some directories can be written in; `restrict` puts them on a thread.

    Args:
        writable: descriptors of these.
        sockets: whether abstract sockets of processes outside may be reached.

    Raises:
        ConfinementError: this kernel cannot keep that.
    """
    known = landlock_version()
    if why := lacking_version():
        raise ConfinementError(why)
    handled = CHANGES | MAKE_CHAR | MAKE_BLOCK | (IOCTL_DEV if known >= 5 else 0)
    scoped = (SIGNALS | (0 if sockets else ABSTRACT_SOCKETS)) if known >= OF_SIGNALS else 0
    attributes = struct.pack("=QQQ", handled, 0, scoped)[: 8 if known < 4 else 16 if known < 6 else 24]
    rules = system_call("landlock_create_ruleset", CREATE_RULESET, ctypes.c_char_p(attributes), len(attributes), 0)
    try:
        for descriptor in writable:
            _grant(rules, descriptor, CHANGES)
        for path in DEVICES:
            _grant_device(rules, path, OF_FILES & handled)
    except BaseException:
        os.close(rules)
        raise
    return rules


def restrict(rules: int) -> None:
    """Hold this thread, and whatever it starts, to rules for ever.

    Raises:
        ConfinementError: the kernel refuses.
    """
    system_call("landlock_restrict_self", RESTRICT_SELF, rules, 0)


def _grant_device(rules: int, path: str, rights: int) -> None:
    """Grant a device, where it is there and is one: anybody could have put a file in its place in a container."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if stat.S_ISCHR(os.fstat(descriptor).st_mode):
            _grant(rules, descriptor, rights)
    finally:
        os.close(descriptor)


def _grant(rules: int, descriptor: int, rights: int) -> None:
    rule = ctypes.c_char_p(struct.pack("=Qi", rights, descriptor))
    system_call("landlock_add_rule", ADD_RULE, rules, PATH_BENEATH, rule, 0)
