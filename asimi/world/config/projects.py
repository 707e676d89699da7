"""What asimi keeps about projects in the user's own state: entries for one project, and which files are trusted.

None of this is ever read from a project's directory, because the project's author could have put it there. A project
is identified by the real path of its root, a trusted file by its real path and the SHA-256 of its content, so any
change ends the trust; the content is kept too, so that the change can be shown.

A linked worktree shares the entries and the trust of its repository (gitrepository-layout(5), git-worktree(1)). It
has a file `.git` that names a directory of the repository's own, `.git/worktrees/ID`, and a file `gitdir` in there
names that `.git` file. Anybody can write the first, so only where the second points back does the repository say so
too. Git itself is not asked: what it does can be configured in the very directory.
"""

from __future__ import annotations

import os
import stat
import time
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.config.sources import PROJECT_FILE
from asimi.world.host.documents import Document
from asimi.world.host.places import SHARED, private_directory, read_private

if TYPE_CHECKING:
    from asimi.world.config import Configuration
    from asimi.world.config.described import ProgramFile

VERSION = 2
"""The format of the trust file; version 1 had no contents."""

KEPT = 1 << 18
"""Characters of all contents that are kept, the last trusted first; of older ones only the hash is."""

LONGEST = 4096
"""Bytes of the longest path in such a file."""

_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class TrustedFile(NamedTuple):
    """A file that is trusted.

    Attributes:
        sha256: the hash of its content.
        since: when it was trusted, in seconds since the epoch.
        text: its content, to show what changed; empty where it is not kept.
    """

    sha256: str
    since: float
    text: str = ""


class _Trust(NamedTuple):
    """The content of the trust file: trusted files by their real path."""

    files: dict[str, TrustedFile]


class ProjectStore:
    """The part of the state directory that belongs to the configuration.

    Args:
        state: the state directory.

    Attributes:
        directory: where the entries of projects are, one file each.
        trust_file: which files are trusted.
        shared: this machine's copy of a team's policy.
    """

    def __init__(self, state: str) -> None:
        self._state = state
        self.directory = os.path.join(state, "projects")
        self.trust_file = os.path.join(state, "trust.json")
        self.shared = os.path.join(state, SHARED)
        self._trust = Document(self.trust_file, _Trust, VERSION)
        self._names: dict[str, str] = {}

    def entries_of(self, root: str, *, make: bool = False) -> str:
        """Return the file with the entries of one project, whether it exists or not.

        Args:
            root: the project root's real path.
            make: whether to create its directory, for writing.

        Raises:
            AsimiError: the directory cannot be created, or others can write it.
        """
        if make:
            private_directory(self._state)
            private_directory(self.directory)
        if root not in self._names:
            if not make and not os.path.isdir(self.directory):
                return self.directory  # nobody ever wrote such an entry, and hashing costs start-up
            self._names[root] = os.path.join(self.directory, f"{_digest(os.fsencode(root))[:32]}.toml")
        return self._names[root]

    def imported_of(self, root: str, *, make: bool = False) -> str:
        """Return the file with what was imported for one project: as `entries_of`."""
        path = self.entries_of(root, make=make)
        return path if path == self.directory else f"{path.removesuffix('.toml')}.imported.toml"

    def content(self, path: str) -> bytes | None:
        """Return the content of one of these files, or None.

        Raises:
            AsimiError: others can write it.
        """
        if path == self.directory:
            return None
        private_directory(self._state)
        return read_private(path)

    def trusts(self, path: str, content: bytes) -> bool:
        """Return whether exactly this content at this path is trusted; a file behind a symbolic link never is.

        Raises:
            AsimiError: the trust file cannot be trusted itself.
        """
        trusted = self.trust_of(path)
        same = trusted is not None and trusted.sha256 == _digest(content)
        return same and os.path.realpath(path) == path

    def trust_of(self, path: str) -> TrustedFile | None:
        """Return what was trusted at this path, whatever is there now; None where nothing was.

        Raises:
            AsimiError: the trust file cannot be trusted itself.
        """
        there = self._trust.read() if os.path.exists(self.trust_file) else None
        return None if there is None else there.files.get(path)

    def trust(self, path: str, text: str) -> None:
        """Trust exactly this content at this path.

        Raises:
            AsimiError: it is reached through a symbolic link, or it cannot be written.
        """
        if os.path.realpath(path) != path:
            raise AsimiError(f"{path} is behind a symbolic link; asimi never trusts such a file")
        self._change(path, TrustedFile(_digest(text.encode()), time.time(), text))

    def untrust(self, path: str) -> bool:
        """Stop trusting a file, or all files below a directory; whether one was trusted.

        Raises:
            AsimiError: it cannot be written.
        """
        return os.path.exists(self.trust_file) and self._change(path, None)

    def _change(self, path: str, trusted: TrustedFile | None) -> bool:
        with self._trust.lock() as there:
            files = {} if there is None else there.files
            left = {each: known for each, known in files.items() if not is_below(each, path)}
            self._trust.write(_Trust(_limit_contents(left | ({} if trusted is None else {path: trusted}))))
        return len(left) < len(files)


def _limit_contents(files: dict[str, TrustedFile]) -> dict[str, TrustedFile]:
    """Return the same, with as many of the contents as may be kept."""
    room = KEPT
    for path in sorted(files, key=lambda path: files[path].since, reverse=True):
        room -= len(files[path].text)
        files[path] = files[path] if room >= 0 else files[path]._replace(text="")
    return files


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def main_worktree_of(root: str) -> str:
    """The main worktree of the repository that a directory is a linked worktree of; the directory itself if it is none.

    Args:
        root: the directory's real path.
    """
    link = os.path.join(root, ".git")
    head, _, place = _line(link).partition("gitdir: ")
    if head or not place:
        return root
    own = os.path.realpath(os.path.join(root, place))
    common, name = os.path.split(os.path.dirname(own))
    repository, last = os.path.split(common)
    back, shared = (_line(os.path.join(own, file)) for file in ("gitdir", "commondir"))
    if (name, last) != ("worktrees", ".git") or not back or not shared:
        return root
    points_back = os.path.realpath(os.path.join(own, back)) == link
    return repository if points_back and os.path.realpath(os.path.join(own, shared)) == common else root


def worktree_files(root: str) -> tuple[str, ...]:
    """Return the files by which a worktree is one: if they change, it may be none any more."""
    link = os.path.join(root, ".git")
    own = os.path.join(root, _line(link).removeprefix("gitdir: "))
    return link, os.path.join(own, "gitdir"), os.path.join(own, "commondir")


def _line(path: str) -> str:
    """Return the one line of a regular file; empty where it is none, or there is more."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except OSError:
        return ""
    try:
        text = os.read(descriptor, LONGEST + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    finally:
        os.close(descriptor)
    line = os.fsdecode(text).removesuffix("\n")
    return "" if len(text) > LONGEST or "\n" in line or "\0" in line else line


class Project(NamedTuple):
    """The project's own file, as `asimi trust` shows it.

    Attributes:
        path: the file, in the project root.
        text: its content.
        loosens: whether something in it would count only if it were trusted.
        trusted: whether exactly this content is.
        before: what was trusted before it changed; None where it has not, or never was trusted.
    """

    path: str
    text: str
    loosens: bool
    trusted: bool
    before: TrustedFile | None = None


def project_of(configuration: Configuration) -> Project | None:
    """Return the project's own file, or None.

    Raises:
        ConfigError: as `Configuration.settings`.
    """
    configuration.settings()
    source = configuration.project_source()
    if source is None:
        return None
    from asimi.world.config.merge import merge_layers

    return Project(
        source.path,
        source.text,
        merge_layers(configuration.layers()).trust,
        configuration.trusts(source),
        configuration.before,
    )


def trust(configuration: Configuration, project: Project) -> None:
    """Trust exactly this content at this path, after a person saw it and agreed.

    Raises:
        AsimiError: the file is reached through a symbolic link, or the trust cannot be written.
    """
    configuration.own.trust(project.path, project.text)
    configuration.reread()


def untrust(configuration: Configuration) -> bool:
    """Stop trusting the project's files, whatever their content; return True if one was trusted.

    Raises:
        AsimiError: it cannot be written.
    """
    configuration.reread()
    directory, own = os.path.dirname(PROJECT_FILE), configuration.own
    taken = [own.untrust(os.path.join(root, directory)) for root in configuration.projects()]  # each of them
    return any(taken)


def confirm_programs(configuration: Configuration, file: ProgramFile) -> None:
    """Let a file that describes programs count with exactly this content, after a person saw it and agreed.

    Raises:
        AsimiError: a project's file is reached through a symbolic link, or this cannot be written.
    """
    configuration.own.trust(file.path if file.level == "project" else os.path.realpath(file.path), file.text)
    configuration.reread()
