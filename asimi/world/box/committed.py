"""Whether a file is one that a commit has at its path, of those that its repository had when a box began.

`git switch` to another branch brings such files. The inside can write everything in a repository, so each object on the
way from a commit to a file is hashed here, and a commit counts only if a reference named it at the start, or such a
commit is its descendant.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.world.host.git import SAFE
from asimi.world.host.git_index import submodules
from asimi.world.host.git_settings import has_sha256
from asimi.world.host.repositories import points_to, shared_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

REPOSITORIES = 20
"""Repositories of which the commits at the start are known."""

MOST = 2000
"""Commits that are looked at, the newest first."""

PATIENCE = 5.0
"""Seconds for one answer of git's."""

ASKING = 0.5
"""Seconds within which git says what references have at a path."""

LARGEST = 1 << 20
"""Bytes of a file that is compared."""


class CommittedFiles:
    """The commits that some repositories had at one time.

    Args:
        repositories: each directory of git's, by its work tree.
    """

    def __init__(self, repositories: dict[str, str]) -> None:
        some = sorted(repositories.items())[:REPOSITORIES]
        self._tips = {tree: (directory, _tips(directory)) for tree, directory in some}

    def knows(self, path: str) -> bool:
        """Whether one of the references has something at a path, as git says it; the inside could have changed that."""
        tree, directory, tips = self._around(path)
        return bool(tips) and any(_object_names(directory, tips, path[len(tree) + 1 :]))

    def has(self, path: str) -> bool:
        """Whether a file is as one of the commits has it."""
        tree, directory, tips = self._around(path)
        if not tips or not (blob := _blob(path)):
            return False
        inside = path[len(tree) + 1 :]
        first = [tip for tip, name in zip(tips, _object_names(directory, tips, inside), strict=False) if name == blob]
        git = _Git(directory)
        try:
            return any(git.blob(commit, inside) == blob for commit in (*first, *git.history(tips)))
        except (OSError, ValueError):
            return False
        finally:
            git.close()

    def _around(self, path: str) -> tuple[str, str, Sequence[str]]:
        """The work tree of a path, its directory of git's, and what its references named."""
        tree = max((each for each in self._tips if path.startswith(f"{each}/")), key=len, default="")
        at = path
        while len(at := os.path.dirname(at)) > len(tree) and tree:
            if os.path.isfile(pointer := f"{at}/.git"):  # a worktree that is new has the commits of its repository
                shared = shared_of(points_to(pointer) or at)
                known = next((each for each in self._tips.values() if shared_of(each[0]) == shared), None)
                return (at, *known) if known else ("", "", ())
        return (tree, *self._tips.get(tree, ("", ())))


def named_submodules(directory: str) -> Sequence[str]:
    """The paths that the index of a directory of git's names as submodules; git reads what asimi cannot.

    Raises:
        OSError: git cannot read it either.
    """
    if not os.path.isdir(directory):
        return []
    found = submodules(directory)
    split = any(each.startswith("sharedindex.") for each in os.listdir(directory))
    if found is not None and not split and not has_sha256(shared_of(directory)):
        return found
    if not stat.S_ISREG(os.stat(f"{directory}/index").st_mode):
        raise OSError(f"{directory}/index is no file")
    words = ("git", "--git-dir", directory, "ls-files", "--stage", "-z")
    done = subprocess.run(words, env=SAFE, cwd="/", capture_output=True, timeout=PATIENCE, check=False)
    if done.returncode:
        raise OSError(f"git cannot read {directory}/index")
    entries = (each.partition(b"\t") for each in done.stdout.split(b"\0"))
    return [os.fsdecode(path) for head, _, path in entries if head.startswith(b"160000 ")]


class _Git:
    """Objects of a repository, each hashed.

    Args:
        directory: of git's.
    """

    def __init__(self, directory: str) -> None:
        words = ("git", "--git-dir", directory, "cat-file", "--batch")
        self._process = subprocess.Popen(
            words, env=SAFE, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._end = threading.Timer(PATIENCE, self._process.kill)
        self._end.start()

    def close(self) -> None:
        """End git."""
        self._end.cancel()
        self._process.kill()
        self._process.communicate()

    def object(self, name: str, kind: bytes) -> bytes:
        """The bytes of an object.

        Raises:
            ValueError: there is no such object, or it is not what its name says.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name}\n".encode())
        self._process.stdin.flush()
        head = self._process.stdout.readline().split()
        if len(head) != 3 or head[1] != kind:
            raise ValueError(name)
        content = self._process.stdout.read(int(head[2]) + 1)[:-1]
        made = _hash(len(name), b"%b %d\0%b" % (kind, len(content), content))
        if made != name:
            raise ValueError(name)
        return content

    def history(self, tips: Iterable[str]) -> Iterator[str]:
        """The commits that are reached from some, breadth first."""
        waiting, seen = [*dict.fromkeys(tips)], set[str]()
        for number, commit in enumerate(waiting):
            if number >= MOST:
                return
            yield commit
            with suppress(ValueError):
                for line in self.object(commit, b"commit").split(b"\n\n", 1)[0].splitlines():
                    parent = line[7:].decode() if line.startswith(b"parent ") else ""
                    if parent and parent not in seen:
                        seen.add(parent)
                        waiting.append(parent)

    def blob(self, commit: str, path: str) -> str:
        """The name of the file that a commit has at a path; empty where it has none."""
        try:
            name = self.object(commit, b"commit")[5:].partition(b"\n")[0].decode()
            for part in path.split("/"):
                name = _entry(self.object(name, b"tree"), os.fsencode(part), len(name) // 2)
        except ValueError:
            return ""
        return name


def _entry(tree: bytes, wanted: bytes, size: int) -> str:
    """The name of the object that a tree has under a name (git's object format: mode, blank, name, NUL, hash).

    Raises:
        ValueError: it has none.
    """
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        if tree[at:end].partition(b" ")[2] == wanted:
            return tree[end + 1 : end + 1 + size].hex()
        at = end + 1 + size
    raise ValueError(wanted)


def _tips(directory: str) -> Sequence[str]:
    """The commits that references of a repository name now, the one that is checked out first."""
    words = ("git", "--git-dir", directory, "rev-parse", "HEAD", "--all")
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(words, env=SAFE, cwd="/", capture_output=True, timeout=PATIENCE, check=False)
        return tuple(dict.fromkeys(line for line in done.stdout.decode().split() if line != "HEAD"))
    return ()


def _object_names(directory: str, tips: Sequence[str], path: str) -> list[str]:
    """The name of what each of some commits has at a path, empty for nothing; as git says it."""
    words = ("git", "--git-dir", directory, "cat-file", "--batch-check=%(objectname)")
    lines = "".join(f"{tip}:{path}\n" for tip in tips) if "\n" not in path else ""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            words, env=SAFE, cwd="/", input=os.fsencode(lines), capture_output=True, timeout=ASKING, check=False
        )
        return ["" if b" " in line else line.decode() for line in done.stdout.splitlines()]
    return []


def _blob(path: str) -> str:
    """The name that git gives the content of a file; empty where it is none, or too large."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode) and len(content := file.read(LARGEST + 1)) <= LARGEST:
                return _hash(40, b"blob %d\0%b" % (len(content), content))
    return ""


def _hash(length: int, content: bytes) -> str:
    return (hashlib.sha1(content, usedforsecurity=False) if length == 40 else hashlib.sha256(content)).hexdigest()
