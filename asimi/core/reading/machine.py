"""Readers of the values that wrappers, terminals and programs of the machine take; `readers` has the rest."""

from __future__ import annotations

import re

from asimi.core.programs.variables import is_free
from asimi.core.startup import TYPE_CHECKING, pattern

if TYPE_CHECKING:
    from asimi.core.reading.values import Reader

_TMUX = pattern(r"(?:[^#]|#(?![#({])|#\{(?:(?:[bd]|=-?\d+):)?[\w@]+\}|#\{\?[\w@]+,[^#{}]*,[^#{}]*\})*", re.DOTALL)
"""Formats that are replaced once: not `E:` and `T:`, which expand what they find again (tmux(1), FORMATS)."""


def assignment(text: str) -> str:
    """`NAME` or `NAME=VALUE` for the environment of what is started."""
    name, equals, value = text.partition("=")
    return "" if is_free(name, value if equals else None) else "sets a variable that may name code to run"


def tmux(text: str) -> str:
    """An argument of tmux: a `;` at its end begins another command, `#(` in it starts one (tmux(1))."""
    return "" if _TMUX.fullmatch(text) and not text.endswith(";") else "starts what is behind `;` or in `#()`"


def file_system(text: str) -> str:
    """Types of file systems; for others mount starts a helper, and that of fuse starts a program (mount(8))."""
    kinds = text.removeprefix("no").split(",")
    return "" if _FILE_SYSTEMS.issuperset(kinds) else "starts the program of that type"


_FILE_SYSTEMS = frozenset(
    "auto bind bpf btrfs cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs erofs exfat ext2 ext3 ext4 f2fs hfs"
    " hfsplus hugetlbfs iso9660 jfs minix mqueue msdos none ntfs3 overlay proc ramfs reiserfs securityfs squashfs swap"
    " sysfs tmpfs tracefs udf vfat virtiofs xfs".split()
)
"""Types that the kernel mounts itself (filesystems(5), /proc/filesystems)."""


_MODE = pattern(r"[DF]?(?:[=+-]?0*[01]?[0-7]{1,3}|[ugoa]*(?:[+=][rwxXtugo]*|-[rwxXstugo]*)+)")
"""One part of a mode without the bits `s`: not in octal, 4000 and 2000, nor added."""


def mode(text: str) -> str:
    """The mode of a file, in octal or in symbols (coreutils manual, File permissions; `D` and `F`: rsync(1))."""
    return "" if all(map(_MODE.fullmatch, text.split(","))) else "lets whoever runs the file be its owner or group"


READERS: dict[str, Reader] = {
    "ASSIGNMENT": assignment,
    # What GNU parallel replaces, which is `{}` unless it is told otherwise.
    "BRACES": (r"\{\}", "replaces other words than `{}`"),
    # A number with units; GNU parallel computes it as Perl (its source, multiply_time_units).
    "COUNT": (r"(?a)(?>(?:[\d.]++(?>(?:[KMGTPEkmgtpe]i?+|[dhsDHS%])?))+)", "computes this text as Perl"),
    "FILESYSTEM": file_system,
    "MODE": mode,
    # mknod(1): `p` is a FIFO; `b`, `c` and `u` are devices.
    "NODE": (r"p", "makes a device"),
    # The shell of hyperfine: none, or one that reads text as `sh` does (hyperfine(1)).
    "NOSHELL": (r"none|default|(?:ba|da)?sh", "starts that shell"),
    # The name of a setting of the kernel; with `=` it is set (sysctl(8)).
    "NOVALUE": (r"[^=]*", "sets this"),
    # A path of rclone; settings in it can name a program (rclone.org/docs, Connection strings).
    "REMOTEFILES": (r"(?s)[^:]*|[^:,]+:.*", "takes settings in this path that can name a program"),
    # `NAME=VALUE` of a systemd unit: limits and accounting start nothing (systemd.resource-control(5)).
    "RESOURCE": (
        r"(?a)(?:CPU|Memory|IO|Tasks|Limit|IPAccounting|OOM|Startup|Runtime|Timeout)\w*=[\w.%:/ -]*",
        "sets a property that could start a program",
    ),
    # The path of a shell that reads text as `sh` does.
    "SHELL": (r"(?:/usr)?/bin/(?:ba|da)?sh", "starts that program as a shell"),
    "TMUX": tmux,
    # The file of `strace -o`; behind `|` or `!` it is a command (strace(1)).
    "TRACE": (r"/dev/(?:null|stdout|stderr)", "writes a file, or starts a program"),
    # A unit of systemd; the path of a file makes the programs in it a service (systemctl(1), enable).
    "UNIT": (r"[^/]*", "makes a service of this file, which names programs"),
    # A tool of valgrind's own; its name is part of the path of a program (valgrind(1)).
    "VALGRIND": (
        r"memcheck|cachegrind|callgrind|helgrind|drd|massif|dhat|lackey|none|exp-bbv",
        "starts the program of that tool",
    ),
}
