"""What asimi does for `git worktree` in a box (git-worktree(1)).

A mount keeps its file from being removed by whoever sees the mount. So `remove` and `prune` run in a copy of the box's
namespace of mounts in which those that hold a worktree are taken away, while all else inside stands still. `add` would
make a branch before it finds that its directory cannot be written, so asimi says so first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.facts import content_in
from asimi.world.box.repositories import tree_of
from asimi.world.host.repositories import repository_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

PATIENCE = 60.0
"""Seconds that git may take; all else inside stands still meanwhile."""

REMOVING = frozenset({"remove", "prune"})
"""What git cannot do with a worktree that is held."""

SCRIPT = content_in(__package__, "git.sh").decode()
"""What stands for git in a box with repositories: it hands these calls to asimi.

asimi in there stands for `{client}`, git itself for `{git}`.
"""

WITH_VALUE = frozenset({"-b", "-B", "--reason"})
"""Options of `git worktree add` that take the next word."""

NOT_OURS = 75
"""What the script takes for a call that is git's alone."""

SAFE = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
"""What git starts nothing with."""

COPYING = """\
import ctypes, fcntl, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
first, given = int(sys.argv[1]), json.load(sys.stdin)
def call(name, *words):
    if getattr(libc, name)(*words):
        sys.exit(f"{name}: {os.strerror(ctypes.get_errno())}")
spaces = [os.open(f"/proc/{first}/ns/{each}", os.O_RDONLY) for each in ("mnt", "pid", "net", "ipc", "uts")]
owner = fcntl.ioctl(spaces[0], 0xB701)
if os.stat(owner).st_ino != os.stat("/proc/self/ns/user").st_ino:
    spaces.insert(0, owner)
for each in spaces:
    call("setns", each, 0)
call("unshare", 0x00020000)
call("mount", None, b"/", None, 0x4000 | 0x40000, None)
for path in given["held"]:
    while libc.umount2(os.fsencode(path), 0x2 | 0x8) == 0:
        pass
call("prctl", 38, 1, 0, 0, 0)
os.chdir(given["directory"])
child = os.fork()
if not child:
    libc.prctl(1, 9, 0, 0, 0)
    for capability in range(64):
        libc.prctl(24, capability, 0, 0, 0)
    os.execve(given["words"][0], given["words"], given["environment"])
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) % 256)
"""
"""What runs it: joins the namespaces of the box, copies that of mounts (`MS_PRIVATE | MS_REC`), and takes mounts away
there (`MNT_DETACH | UMOUNT_NOFOLLOW`); git has no capabilities (capabilities(7), `PR_CAPBSET_DROP`)."""


def unwritable(words: Sequence[str], directory: str, writable: Collection[str]) -> str:
    """Where a call of `git worktree add` would write and cannot; empty if it can, or is another call.

    Args:
        words: the arguments of git.
        directory: where it runs.
        writable: the directories that can be written.
    """
    directory, rest = _split_directory(words, directory)
    if rest[:2] != ["worktree", "add"]:
        return ""
    rest = rest[2:]
    while rest and rest[0][:1] == "-":
        del rest[: 2 if rest[0] in WITH_VALUE else 1]
    path = os.path.realpath(os.path.join(directory, rest[0])) if rest else directory
    return "" if any(is_below(path, each) for each in writable) else path


def repository_at(words: Sequence[str], directory: str) -> str:
    """The directory of git's that a call of git works in; empty where there is none."""
    return repository_of(_split_directory(words, directory)[0]) or ""


def _split_directory(words: Sequence[str], directory: str) -> tuple[str, list[str]]:
    """Where git goes first (git(1), `-C`), and the words behind that."""
    rest = [*words]
    while len(rest) > 1 and rest[0] == "-C":
        directory = os.path.join(directory, rest[1])
        del rest[:2]
    return directory, rest


def removal_command(words: Sequence[str]) -> str:
    """What the arguments of a call of git do that removes worktrees: one of `REMOVING`, or nothing."""
    _, rest = _split_directory(words, "")
    return rest[1] if rest[:1] == ["worktree"] and rest[1:2] and rest[1] in REMOVING else ""


def held_of(covers: Collection[str], directories: Collection[str], how: str) -> list[str]:
    """What holds the worktrees that git may remove, the longer paths first.

    Only what is gone may be pruned: git in the box takes a worktree that it does not see for one that is gone.

    Args:
        covers: where something is mounted.
        directories: those of git's that belong to worktrees.
        how: one of `REMOVING`.
    """
    there = {each: f"{tree}/.git" for each in directories if (tree := tree_of(each))}
    own = [each for each, tree in there.items() if os.path.lexists(tree) == (how == "remove")]
    trees = [there[each] for each in own]
    below = (*own, *map(os.path.dirname, trees))
    inside = {each for each in covers if any(is_below(each, one) for one in below)}
    above = {os.path.dirname(each) for each in (*trees, *own)}
    return sorted(inside | above.intersection(covers), key=len, reverse=True)


def run(
    first: int, git: str, words: Sequence[str], directory: str, environment: Mapping[str, str], held: Sequence[str]
) -> tuple[int, bytes, bytes]:
    """Run git where some mounts of a box are not; everything in it must stand still.

    Args:
        first: the first process of the box.
        git: the program.
        words: its arguments.
        directory: where it runs.
        environment: its variables.
        held: the mounts that are not there for it.

    Returns:
        Its exit code, its standard output and its standard error.
    """
    given = {"held": held, "directory": directory, "words": [git, *SAFE, *words], "environment": dict(environment)}
    argv = (sys.executable, "-I", "-S", "-c", COPYING, str(first))
    try:
        done = subprocess.run(
            argv, input=json.dumps(given).encode(), env={}, cwd="/", capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return 125, b"", b"asimi: git took too long\n"
    return done.returncode, done.stdout, done.stderr
