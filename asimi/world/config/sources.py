"""The files that a configuration is read from, and their bytes, before anything is made of them."""

from __future__ import annotations

import os
import stat

from asimi.core.errors import ConfigError
from asimi.core.values import NamedTuple
from asimi.world.host.places import words_of

PROJECT_FILE = os.path.join(".asimi", "config.toml")
"""A project's own file, in its root."""

VERSIONED = (".git", ".hg", ".jj", ".svn")
"""The directories that version control keeps at the root of its files."""

WRITTEN = frozenset({"approved", "imported"})
"""The levels of the files that asimi writes."""

LONGEST = 1 << 20
"""The most bytes of a person's or an administrator's file."""

LONGEST_OF_PROJECT = 1 << 16
"""The most bytes of a project's file."""

_FLAGS = os.O_RDONLY  # and nothing that a FIFO or a terminal in the place of a file could do to us
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):
    _FLAGS |= getattr(os, _name, 0)


class Source(NamedTuple):
    """The content of one file.

    Attributes:
        path: the file.
        level: `managed`, `team` (what its machines share), `user`, `approved` and `imported` (written by asimi),
            `project`.
        content: its bytes, no more than one behind its bounds.
        base: what a relative directory in it is relative to; None if each must be absolute.
        root: the project root that it must be for, where asimi wrote it for one project; None where it is for all.
        loosens: the keys that count as if the administrator's file had them, of a team's.
    """

    path: str
    level: str
    content: bytes
    base: str | None = None
    root: str | None = None
    loosens: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return what it says; empty where it is not UTF-8."""
        return self.content.decode(errors="ignore")


def content_of(path: str, *, private: bool = False, project: bool = False) -> bytes | None:
    """Return the bytes of a configuration file, no more than one behind its bounds, or None where there is none.

    Args:
        path: the file; links are followed, so it can be in a repository of dotfiles.
        private: whether asimi wrote it; then it must belong to us or to root.
        project: whether it is a project's; it may be where everybody could replace it, because it can only tighten.

    Raises:
        ConfigError: it cannot be read, is not a file, or others can write it.
    """
    most = LONGEST_OF_PROJECT if project else LONGEST
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        if not project and (broken := _broken_way(path)):
            raise ConfigError(broken, path) from None
        return None
    except OSError as error:
        raise ConfigError(f"cannot be read: {words_of(error, path)}", path) from None
    try:
        there = os.fstat(descriptor)
        if not stat.S_ISREG(there.st_mode):
            raise ConfigError("is not a regular file; put one in its place, or remove it", path)
        if os.name == "posix" and there.st_mode & stat.S_IWOTH:
            raise ConfigError(f"everybody can write it, so asimi does not trust it; chmod o-w {path}", path)
        if private and os.name == "posix" and there.st_uid not in (0, os.geteuid()):
            raise ConfigError(f"belongs to user {there.st_uid}, not to you, so asimi does not use it; remove it", path)
        if not project:
            _check_directory(path)
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise ConfigError(f"cannot be read: {words_of(error, path)}", path) from None
    finally:
        os.close(descriptor)
    return content


def managed_content(path: str) -> bytes | None:
    """Return what it holds; None where there is none.

    Raises:
        ConfigError: somebody else can write it, or it cannot be read.
    """
    content = content_of(path)
    if content is not None and os.name == "posix":
        for each in (path, os.path.dirname(path)):
            there = os.stat(each)
            if there.st_uid != 0 or there.st_mode & 0o022:
                raise ConfigError(f"{each} must belong to root, and nobody else may be able to write it", path)
    return content


def _broken_way(path: str) -> str:
    """Return what is wrong with the way to a person's file that is not there; empty where there simply is none.

    A link into a repository of dotfiles that is not there now would otherwise take every deny away.
    """
    if os.path.islink(path):
        return f"is a link to {os.path.realpath(path)}, which is not there; fix the link, or remove it"
    directory = os.path.dirname(path)
    while not os.path.lexists(directory):
        directory = os.path.dirname(directory)
    if os.path.isdir(directory):
        return ""
    return f"cannot be there, because {directory} is not a directory; put one in its place, or remove it"


def _check_directory(path: str) -> None:
    """Make sure that not everybody can replace a file.

    Raises:
        ConfigError: everybody can.
    """
    directory = os.path.dirname(os.path.realpath(path))
    mode = os.stat(directory).st_mode
    if os.name == "posix" and mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise ConfigError(f"everybody can replace it, so asimi does not trust it; chmod o-w {directory}", path)


def beside(path: str, kind: str = "approved") -> str:
    """Return a file that asimi writes beside a configuration file: `config.toml`, `config.approved.toml`."""
    return f"{path.removesuffix('.toml')}.{kind}.toml"


def project_files(root: str, home: str) -> tuple[str, ...]:
    """Return where a project's files may be: in its root, then upward to version control's root or the home.

    Directories that everybody can write, such as `/tmp`, are skipped, because anybody could have put a file there.
    """
    files = []
    directory = root
    while True:
        if directory == root or not _is_anybodys(directory):
            files.append(os.path.join(directory, PROJECT_FILE))
        parent = os.path.dirname(directory)
        if directory in (parent, home):
            break
        if any(_is_control(os.path.join(directory, name)) for name in VERSIONED):
            break
        directory = parent
    return tuple(files)


def base_of(path: str) -> str:
    """Return the directory that a project's file is about."""
    return os.path.dirname(os.path.dirname(path))


def _is_control(path: str) -> bool:
    """Return whether this is version control's own directory; then the directory above is its root.

    A `.git` that is a file or a link points elsewhere (a submodule, a worktree), and a `.git` that somebody put below
    a project must not hide the project's denies. Looking further up only tightens.
    """
    return os.path.isdir(path) and not os.path.islink(path)


def _is_anybodys(directory: str) -> bool:
    """Return whether everybody can put files here, as in `/tmp`: writable by all, and sticky."""
    try:
        return os.stat(directory).st_mode & 0o1002 == 0o1002
    except OSError:
        return True
