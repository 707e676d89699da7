"""What is on the file system at a path, and below it, as far as it is not too much to look through."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

MOST = 20_000
"""Files and directories that are looked at."""

HOLDING = 0o1755
"""The mode of a directory that holds the name of a missing file: nobody else makes one like that."""

HOLDING_FILE = 0o1644
"""The mode of a file that holds its name; the sticky bit means nothing on a file (chmod(2)), so nobody else sets it."""

STEPS = 4000
"""Names on a way to a path: more than the kernel follows (PATH_MAX)."""

MOST_WALKED = 100_000
"""Files and directories that a walk passes."""


def kind(path: str) -> str | None:
    """What is at a real path: `directory`, `mount`, `file`, `block`, empty for nothing; None where that is hidden."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(mode):
        return "mount" if os.path.ismount(path) else "directory"
    return "block" if stat.S_ISBLK(mode) else "file"


def is_held(there: os.stat_result) -> bool:
    """Whether it is a directory that holds the name of a missing file; the umask may have taken bits from its mode."""
    return stat.S_ISDIR(there.st_mode) and there.st_mode & 0o1022 == 0o1000 and there.st_uid == os.geteuid()


def holds_name(path: str) -> bool:
    """Whether all that is at a path is an empty directory that holds its name for a sandbox of asimi's."""
    try:
        return is_held(os.lstat(path)) and not os.listdir(path)
    except (OSError, ValueError):
        return False


def below(path: str, depth: int) -> list[str] | None:
    """Return the paths below a directory, at most so many levels down; None where these are too many, or are hidden.

    A link is given as itself and as what it leads to.
    """
    found: list[str] = []
    known: dict[str, str] = {}
    waiting = [(path, depth)]
    while waiting:
        directory, left = waiting.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    found.append(entry.path)
                    if entry.is_symlink():
                        with suppress(OSError):
                            found.append(_real(directory, os.readlink(entry.path), known))
                    elif left > 1 and entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, left - 1))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            return None
        if len(found) > MOST:  # no clock says when, so the same text never asks only because a machine is busy
            return None
    return found


def _real(directory: str, target: str, known: dict[str, str]) -> str:
    """Return the real path of what a link in a directory leads to; that of each directory is looked up once."""
    led = os.path.join(directory, target)
    above, name = os.path.split(led)
    if name in {"", ".", ".."}:
        return os.path.realpath(led)
    if above not in known:
        known[above] = os.path.realpath(above)
    real = os.path.join(known[above], name)
    return os.path.realpath(real) if os.path.islink(real) else real


def way(path: str, targets: dict[str, str | None] | None = None) -> list[str]:
    """The links on the way to an absolute path, each by its real directory, and at the end where all of them lead.

    Args:
        path: the path.
        targets: what each link holds that one look came by, by its real directory and its name, None for what is no
            link, empty for what is not there; filled here.
    """
    targets = {} if targets is None else targets
    directory, _, name = path.rpartition("/")
    at, rest = (directory, [name]) if not targets.get(directory, "?") else ("", path.split("/"))
    found = []
    for _ in range(STEPS):
        if not rest:
            break
        name = rest.pop(0)
        if name in {"", "."}:
            continue
        if name == "..":
            at = at.rpartition("/")[0]
            continue
        there = f"{at}/{name}"
        if there not in targets:
            try:
                targets[there] = os.readlink(there) if targets.get(at) != "" else ""
            except FileNotFoundError:
                targets[there] = ""
            except (OSError, ValueError):
                targets[there] = None
        target = targets[there]
        if not target:
            at = there
            continue
        found.append(there)
        at, rest = ("" if target.startswith("/") else at), target.split("/") + rest
    return [*found, at or "/"]


def leads(starts: Iterable[tuple[str, int]]) -> list[tuple[str, list[str]]] | None:
    """Return where links lead that are on the way to a path or below it.

    What is closed to us is left out: nobody gets there as we do.

    Args:
        starts: paths, each with how many levels down.

    Returns:
        For each, its real path, and all that is on the way of such links; None where there is too much to look through.
    """
    found, passed, known = [], 0, dict[str, list[str]]()
    targets = dict[str, str | None]()
    for start, depth in starts:
        *links, real = way(start, targets)
        led = dict.fromkeys((*links, real))
        waiting = [(real, depth)] if targets.get(real) != "" else []
        while waiting:
            directory, left = waiting.pop()
            with suppress(OSError, ValueError), os.scandir(directory) as entries:
                for entry in entries:
                    passed += 1
                    if entry.is_symlink():
                        led.update(dict.fromkeys(_way_of(directory, os.readlink(entry.path), known)))
                    elif left > 1 and entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, left - 1))
            if passed > MOST_WALKED:
                return None
        found.append((real, list(led)))
    return found


def _way_of(directory: str, target: str, known: dict[str, list[str]]) -> list[str]:
    """Return the way of a link in a real directory; of the next step where that is another name in it."""
    led = os.path.join(directory, target)
    above, name = os.path.split(led)
    if above == directory and name not in {"", ".", ".."}:
        return [led]
    if above not in known:
        known[above] = way(above)
    *links, real = known[above]
    return [*links, *way(os.path.join(real, name))]


def pipes(directory: str, depth: int) -> list[str]:
    """The named pipes that we may write, below a directory, at most so many levels down; of many names, the first."""
    return [path for path in specials(directory, depth)[0] if stat.S_ISFIFO(os.lstat(path).st_mode)]


def specials(directory: str, depth: int, without: Collection[str] = ()) -> tuple[list[str], bool]:
    """The named pipes and sockets that we may write, below a directory, at most so many levels down.

    Args:
        directory: where it begins.
        depth: how many levels.
        without: directories that are not looked through.

    Returns:
        Their paths, the uppermost first, and whether that was all.
    """
    found: list[str] = []
    waiting, passed = [directory], 0
    for _ in range(depth):
        next_ones: list[str] = []
        for at in waiting:
            if passed >= MOST_WALKED:
                return found, False
            with suppress(OSError, ValueError), os.scandir(at) as entries:
                for entry in entries:
                    passed += 1
                    if entry.is_dir(follow_symlinks=False):
                        if entry.path not in without:
                            next_ones.append(entry.path)
                    elif not entry.is_symlink() and not entry.is_file(follow_symlinks=False) and _is_open(entry):
                        found.append(entry.path)
        waiting = next_ones
    return found, True


def _is_open(entry: os.DirEntry[str]) -> bool:
    mode = entry.stat(follow_symlinks=False).st_mode
    return (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)) and os.access(entry.path, os.W_OK)


def bound_sockets() -> list[str]:
    """The absolute paths that local sockets of this machine are bound to now (proc_net(5), `/proc/net/unix`)."""
    with suppress(OSError), open("/proc/net/unix", "rb") as table:
        found = (line.rstrip(b"\n").split(b" ", 7)[-1].lstrip() for line in table)
        return [os.fsdecode(path) for path in found if path.startswith(b"/")]
    return []


def walk(directory: str, depth: int, take: Callable[[str, str], bool], whole: bool = False) -> bool:  # noqa: FBT001, FBT002
    """Pass what is below a directory, at most so many levels down; links as themselves, and what is hidden not at all.

    Args:
        directory: where it begins.
        depth: how many levels.
        take: is told each path and its name; where it says yes, what is below that is not passed.
        whole: whether nothing may be left out that we could get at: what is deeper, or in a directory that is closed.

    Returns:
        Whether that was all; not so where there are too many.
    """
    passed, waiting = 0, [(directory, depth)]
    while waiting:
        at, left = waiting.pop()
        if whole and (left <= 0 or _is_closed(at)):
            return False
        with suppress(OSError, ValueError), os.scandir(at) as entries:
            for entry in entries:
                passed += 1
                if not take(entry.path, entry.name) and left > 1 - whole and entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, left - 1))
        if passed > MOST_WALKED:
            return False
    return True


def entries(directory: str, whole: bool = False) -> tuple[tuple[tuple[str, bool], ...], bool]:  # noqa: FBT001, FBT002
    """One directory of a walk.

    Args:
        directory: the directory.
        whole: as for `walk`.

    Returns:
        The names in it, each with whether it is a directory itself; and whether it may be passed at all.
    """
    found: list[tuple[str, bool]] = []
    if whole and _is_closed(directory):
        return (), False
    with suppress(OSError, ValueError), os.scandir(directory) as inside:
        for entry in inside:
            found.append((entry.name, entry.is_dir(follow_symlinks=False)))
            if len(found) > MOST_WALKED:
                break
    return tuple(found), True


def _is_closed(directory: str) -> bool:
    """Whether a directory cannot be looked through, but what is in it be reached by its name, or after a chmod."""
    if os.access(directory, os.R_OK | os.X_OK):
        return False
    try:
        return os.lstat(directory).st_uid == os.geteuid() or os.access(directory, os.X_OK)
    except FileNotFoundError:
        return False
    except OSError:
        return True
