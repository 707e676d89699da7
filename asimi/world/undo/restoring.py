"""Puts back what was there before a call, exactly at the paths that are asked for.

It opens one directory after the other from the project root, so it follows no link, and it makes only files,
directories and links, with permissions and no set-id. It writes a file under another name beside its place and then
renames it, so a kill leaves the old one or the new one. It removes or replaces only what a look has kept just before,
and only if that is still the same.
"""

from __future__ import annotations

import math
import os
import stat
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.undo.looks import open_directory, read_file
from asimi.world.undo.trees import BESIDE, DIRECTORY, FILE, LINK, UNKEPT, Entries, Entry, changes, found_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.world.undo.store import Store

PERMISSIONS = 0o777
"""The bits of a mode that are given back: no set-id, no sticky bit."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Step(NamedTuple):
    """What is to be done at one path.

    Attributes:
        path: from the root.
        was: what comes back; None where nothing was.
        now: what is there now; None for nothing.
        since: whether the path has changed again since the call.
        doubt: why what would be lost there may be somebody else's, in words; empty where the call left just that.
    """

    path: str
    was: Entry | None
    now: Entry | None
    since: bool
    doubt: str = ""


class Plan(NamedTuple):
    """What is to be done, and what cannot be.

    Attributes:
        steps: in order: what goes, from the bottom up, then what is made, from the top down.
        lost: paths that cannot come back, each with why.
    """

    steps: tuple[Step, ...]
    lost: tuple[tuple[str, str], ...]


SINCE = "It has changed since the call."
BETWEEN = "It has changed between the calls, too."
LATE = "No look when the call ended shows whose it is: it changed more than two seconds after the start."
BEHIND = "It changed after the call: something that it left running may have done it, or somebody else."


class Moment(NamedTuple):
    """What a call found and left.

    Attributes:
        before: the digest of the tree before it.
        after: the digest of the tree that it left.
        until: seconds since the epoch; what is there and changed later may be somebody else's.
        doubt: why that is so, in words.
        since: seconds since the epoch; what is there and changed before was not changed by the call.
    """

    before: bytes
    after: bytes
    until: float = math.inf
    doubt: str = LATE
    since: float = 0.0


class _Path(NamedTuple):
    """What some calls did at a path: what the first of them found, what the last one left, when, what is in doubt."""

    was: Entry | None
    left: Entry | None
    since: float
    until: float
    doubt: str


def make_plan(
    store: Store,
    moments: Sequence[Moment],
    now: bytes,
    only: Sequence[str] = (),
    changed: Callable[[str], float] = lambda _: 0.0,
) -> Plan:
    """The plan that takes back what calls changed, at each path to what the first of them found there.

    What changed between two calls is nobody's, and stays.

    Args:
        store: holds the trees.
        moments: of the calls, the oldest first.
        now: the digest of the tree as it is now, all of it just kept.
        only: the paths to take back, with all below them; empty for all.
        changed: tells when what is at a path now has changed, in seconds since the epoch.

    Raises:
        LostError: something that was kept is not there any more.
    """
    made, gone = list[Step](), list[Step]()
    lost: list[tuple[str, str]] = []
    found: dict[str, _Path] = {}
    for moment in moments:
        for path, was, left in changes(store, moment.before, moment.after):
            known = found.get(path, _Path(was, was, 0.0, math.inf, ""))
            late = (moment.until, moment.doubt) if moment.until < known.until else (known.until, known.doubt)
            late = late if _same(known.left, was) else (0.0, BETWEEN)
            found[path] = _Path(known.was, left, moment.since, *late)
    asked = {path for path in found if not only or any(not each or is_below(path, each) for each in only)}
    trees: dict[bytes, Entries] = {}
    for path in sorted(found, key=lambda each: each.split("/")):
        (was, left, since, until, doubt), there = found[path], found_at(store, now, path, trees)
        holder = was is not None and was.kind == DIRECTORY and there is None
        if path not in asked and not (holder and any(is_below(each, path) for each in asked)):
            continue
        if _same(was, there) or changed(path) < since:
            continue
        if was is not None and was.kind == UNKEPT:
            lost.append((path, "it was not kept"))
        elif was is not None and was.kind in {FILE, LINK} and was.digest not in store:
            lost.append((path, "it is not there any more"))
        elif there is not None and there.kind == UNKEPT:
            lost.append((path, "what is there now could not be kept, so it stays"))
        else:
            again, loses = not _same(left, there), there is not None and there.kind != DIRECTORY
            doubt = "" if not loses else SINCE if again else doubt if changed(path) > until else ""
            (gone if was is None else made).append(Step(path, was, there, again, doubt))
    return Plan((*reversed(gone), *made), tuple(lost))


def _same(one: Entry | None, other: Entry | None) -> bool:
    """Whether two entries are the same for whoever restores one: of directories, their permissions."""
    if one is None or other is None or one.kind != other.kind:
        return one is other
    return one.mode == other.mode and (one.kind == DIRECTORY or one.digest == other.digest)


def restore(root: str, store: Store, steps: Sequence[Step]) -> list[tuple[str, str]]:
    """Do what was planned; a step that cannot be done leaves the others alone.

    Returns:
        The paths at which it could not be done, each with why.
    """
    failed: list[tuple[str, str]] = []
    modes: list[tuple[str, int]] = []
    for step in steps:
        try:
            _do(root, store, step)
            if step.was is not None and step.was.kind == DIRECTORY:
                modes.append((step.path, step.was.mode & PERMISSIONS))
        except OSError as error:
            failed.append((step.path, str(error.strerror)))
        except AsimiError as error:
            failed.append((step.path, str(error)))
    for path, mode in reversed(modes):  # at the end, because one that is closed takes no files
        with suppress(OSError):
            descriptor = _open_below(root, path)
            try:
                os.fchmod(descriptor, mode)
            finally:
                os.close(descriptor)
    return failed


def _do(root: str, store: Store, step: Step) -> None:
    """Do one step.

    Raises:
        OSError: it cannot be done.
        AsimiError: something else is there than what was kept.
    """
    above, _, name = step.path.rpartition("/")
    descriptor = _open_below(root, above)
    try:
        if step.was is None:
            _remove(store, descriptor, name, step.now)
        elif step.was.kind == DIRECTORY:
            if step.now is None or step.now.kind != DIRECTORY:
                _remove(store, descriptor, name, step.now)
                os.mkdir(name, 0o700, dir_fd=descriptor)
        else:
            _write_entry(store, descriptor, name, step.was, step.now)
    finally:
        os.close(descriptor)


def _write_entry(store: Store, descriptor: int, name: str, was: Entry, now: Entry | None) -> None:
    """Put a file or a link in its place."""
    content = store.get(was.digest)
    if now is not None and now.kind == DIRECTORY:
        _remove(store, descriptor, name, now)
        now = None
    beside = f"{BESIDE}{os.urandom(8).hex()}"
    try:
        if was.kind == LINK:
            os.symlink(content, os.fsencode(beside), dir_fd=descriptor)
        else:
            file = os.open(beside, _MAKE, 0o600, dir_fd=descriptor)
            with open(file, "wb") as out:
                out.write(content)
                os.fchmod(file, was.mode & PERMISSIONS)
                out.flush()
                os.fsync(file)
        _check(store, descriptor, name, now)
        os.rename(beside, name, src_dir_fd=descriptor, dst_dir_fd=descriptor)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=descriptor)
        raise


def _remove(store: Store, descriptor: int, name: str, now: Entry | None) -> None:
    """Remove what is at a name, if it is still what was kept; a directory, only if it is empty by then."""
    if now is None:
        return
    _check(store, descriptor, name, now)
    if now.kind != DIRECTORY:
        os.unlink(name, dir_fd=descriptor)
        return
    with suppress(OSError):
        os.rmdir(name, dir_fd=descriptor)
        return
    raise AsimiError("the directory is not empty: it holds what was not kept")


def _check(store: Store, descriptor: int, name: str, now: Entry | None) -> None:
    """Make sure that what is at a name is what was kept.

    Raises:
        AsimiError: it is not.
    """
    try:
        there = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
    except FileNotFoundError:
        if now is None:
            return
        raise AsimiError("it has changed meanwhile") from None
    same = False
    if now is not None and now.kind == DIRECTORY:
        same = stat.S_ISDIR(there.st_mode)
    elif now is not None and now.kind == LINK and stat.S_ISLNK(there.st_mode):
        same = sha256(os.fsencode(os.readlink(name, dir_fd=descriptor))).digest() == now.digest
    elif now is not None and now.kind == FILE and stat.S_ISREG(there.st_mode):
        content, _ = read_file(descriptor, name, max(now.size, 1) << 1)
        same = content is not None and sha256(content).digest() == now.digest
    if not same or (now is not None and now.kind != DIRECTORY and now.digest not in store):
        raise AsimiError("it has changed meanwhile")


def _open_below(root: str, path: str) -> int:
    """A descriptor of a directory below the root, opened name by name; missing ones are made."""
    descriptor = open_directory(root)
    for name in path.split("/") if path else ():
        try:
            try:
                inner = os.open(name, _FLAGS, dir_fd=descriptor)
            except FileNotFoundError:
                os.mkdir(name, 0o700, dir_fd=descriptor)
                inner = os.open(name, _FLAGS, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor
