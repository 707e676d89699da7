"""Mounts in a box from outside: enters its namespace of mounts, where nothing inside can hinder it.

bwrap(1) takes 9,000 words at most, needs seconds for some thousand of them, and knows no mount on a symbolic link.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from asimi.world.executors.confining.system import Unconfined

if TYPE_CHECKING:
    from collections.abc import Sequence

WRITABLE, READ_ONLY, NO_DIRECTORY, NO_FILE = "rw", "ro", "directory", "file"
"""What is mounted on a path: itself, itself to be read only, an empty directory, an empty device."""

MOUNTING = 20.0
"""Seconds that it may take on a busy machine."""

ENTERING = """\
import ctypes, fcntl, json, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(path, number, *arguments):
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    done = libc.syscall(ctypes.c_long(number), *words)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)
    return done
def opened(path):
    how = struct.pack("=QQQ", os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, 0, 4)
    return call(path, 437, -100, os.fsencode(path), how, len(how))
mounts = os.open(f"/proc/{int(sys.argv[1])}/ns/mnt", os.O_RDONLY)
user = fcntl.ioctl(mounts, 0xB701)
if os.stat(user).st_ino != os.stat("/proc/self/ns/user").st_ino and libc.setns(user, 0x10000000):
    sys.exit("setns of the user namespace")
if libc.setns(mounts, 0x00020000):
    sys.exit("setns of the mount namespace")
HIDING = {"directory": "/run/asimi/empty", "file": "/dev/null"}
for path, kind in json.load(sys.stdin):
    try:
        there = opened(path)
        source = opened(HIDING.get(kind, kind)) if kind in HIDING or kind[:1] == "/" else there
        tree = call(path, 428, source, b"", 0x1000 | 0x8000 | 1 | os.O_CLOEXEC)
        if kind != "rw":
            wanted = struct.pack("=QQQQ", 1, 0, 0, 0)
            call(path, 442, tree, b"", 0x1000, wanted, len(wanted))
        call(path, 429, tree, b"", there, b"", 0x04 | 0x40)
    except FileNotFoundError:
        if kind not in HIDING:
            sys.exit(f"{path}: it is gone")
        continue
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    for each in {there, source, tree}:
        os.close(each)
"""
"""What the process runs: `openat2` with `RESOLVE_NO_SYMLINKS`, `open_tree` with `OPEN_TREE_CLONE`, `mount_setattr` with
`MOUNT_ATTR_RDONLY`, `move_mount`; the owner of the mount namespace is joined first (ioctl_ns(2), `NS_GET_USERNS`). A
symbolic link is mounted on itself like a file (open(2): `O_PATH` with `O_NOFOLLOW`)."""


def mount(first: int, jobs: Sequence[tuple[str, str]]) -> None:
    """Mount something on paths in a box.

    Who has a directory open, or is in it, sees what is mounted below it only if that lies on the mount by which he got
    there. So what is mounted while something runs inside goes on a path before it goes on those above it.

    Args:
        first: its first process.
        jobs: the paths, each with what is mounted there, in this order; a path of the box stands for what is there.

    Raises:
        Unconfined: one of them cannot be.
    """
    words = (sys.executable, "-I", "-S", "-c", ENTERING, str(first))
    try:
        done = subprocess.run(
            words, input=json.dumps(jobs).encode(), env={}, cwd="/", capture_output=True, timeout=MOUNTING, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unconfined(f"mounting in it took more than {MOUNTING:g} seconds", "The box") from None
    if done.returncode:
        raise Unconfined(done.stderr.decode(errors="replace").strip().rpartition("\n")[2], "The box")
