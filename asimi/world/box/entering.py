"""Mounts in a box from outside: enters its namespace of mounts, where nothing inside can hinder it.

bwrap(1) takes 9,000 words at most, needs seconds for some thousand of them, and knows no mount on a symbolic link.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.world.executors.confining.system import ConfinementError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

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
        ConfinementError: one of them cannot be.
    """
    words = (sys.executable, "-I", "-S", "-c", ENTERING, str(first))
    try:
        done = subprocess.run(
            words, input=json.dumps(jobs).encode(), env={}, cwd="/", capture_output=True, timeout=MOUNTING, check=False
        )
    except subprocess.TimeoutExpired:
        raise ConfinementError(f"mounting in it took more than {MOUNTING:g} seconds", "The box") from None
    if done.returncode:
        raise ConfinementError(done.stderr.decode(errors="replace").strip().rpartition("\n")[2], "The box")


LINKS = 40
"""Links on the way to one path: more than the kernel follows (path_resolution(7))."""


def plan(read_only: Iterable[str], hidden: Iterable[str], tops: Collection[str]) -> dict[str, str]:
    """Plan the mounts that hold paths below some directories.

    A mount holds its own name, not those of the directories above it. So each of these up to the directory that may be
    written is mounted on itself. So is a symbolic link at a path or on the way to it, and then what it leads to.

    Args:
        read_only: what may be read only; with all below it, if it is a directory.
        hidden: what shows nothing.
        tops: the directories that may be written, real paths.

    Returns:
        What is mounted where, the shorter paths first.
    """
    mounts = dict[str, str]()
    waiting = [*((path, READ_ONLY, 0) for path in read_only), *((path, NO_FILE, 0) for path in hidden)]
    waiting.sort(key=lambda each: _depth(each[0]), reverse=True)  # the shorter ones are taken first
    while waiting:
        path, kind, links = waiting.pop()
        at = min((each for each in tops if is_below(path, each)), key=len, default="")
        if not at or (path == at and links):  # nobody can write there, or a link leads to all of it
            continue
        parts = [part for part in path[len(at) :].split("/") if part]
        while True:
            try:
                mode = os.lstat(at).st_mode
            except OSError:  # it is not there, or nobody gets there
                break
            if stat.S_ISLNK(mode):
                mounts[at] = READ_ONLY
                if links < LINKS:
                    target = os.path.join(os.path.dirname(at), os.readlink(at), *parts)
                    waiting.append((os.path.normpath(target), kind, links + 1))
                break
            if not parts:
                if kind == NO_FILE and stat.S_ISDIR(mode):
                    kind = NO_DIRECTORY
                if links and (at in tops or os.path.basename(at) == ".git"):
                    kind = WRITABLE  # git's own parts are held, whatever leads there
                if mounts.get(at, WRITABLE) in {WRITABLE, kind}:
                    mounts[at] = kind
                break
            if mounts.get(at, WRITABLE) != WRITABLE:  # nothing below it can be written
                if kind == READ_ONLY:
                    break
            else:
                mounts[at] = WRITABLE
            at = f"{at}/{parts.pop(0)}"
    ordered = sorted((path for path in mounts if path not in tops or mounts[path] != WRITABLE), key=_depth)
    return {path: mounts[path] for path in ordered}


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path
