"""The files in which people describe programs that the catalogue does not know, and which of them count.

A rule by effects allows what a row says, so a person's file counts only with the content that they agreed to at a
terminal, a project's as what `asimi trust` shows, and the administrator's because only root may write it. None takes
anything from what the catalogue says.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import ConfigError
from asimi.core.values import NamedTuple
from asimi.world.config.sources import content_of, managed_content

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.programs.program import Program
    from asimi.core.reading.rows import ParsedPrograms
    from asimi.world.config.projects import ProjectStore, TrustedFile

MOST = 64
"""Files of one directory."""


class ProgramFile(NamedTuple):
    """One file that describes programs.

    Attributes:
        path: the file.
        level: `managed`, `user` or `project`.
        text: its content.
        counts: whether it does.
        before: what a person agreed to before it changed; None where it has not, or they never did.
    """

    path: str
    level: str
    text: str
    counts: bool
    before: TrustedFile | None = None

    @property
    def state(self) -> str:
        """Return whether it counts, in a word: `counts`, `new` or `changed`."""
        return "counts" if self.counts else "new" if self.before is None else "changed"

    @property
    def untrusted_note(self) -> str:
        """Return what is said of a command of a program that it describes while it does not count."""
        how = "asimi trust" if self.level == "project" else "asimi programs confirm"
        return f"{self.path} describes it and is {self.state}, so it does not count until you confirm it; see `{how}`"


class OwnPrograms(NamedTuple):
    """The programs that all of these files describe.

    Attributes:
        files: the files, the strongest first.
        programs: the programs that count, by each of their names.
        waiting: of each program that a file describes which does not count, what to say; nothing weaker describes it.
        notices: what of them has no effect, each with FILE:LINE.
    """

    files: tuple[ProgramFile, ...] = ()
    programs: dict[str, Program] = {}  # noqa: RUF012 - a value that never changes
    waiting: dict[str, str] = {}  # noqa: RUF012 - the same
    notices: tuple[str, ...] = ()


def own_programs(places: Sequence[tuple[str, str]], projects: Sequence[str], store: ProjectStore) -> OwnPrograms:
    """Return what the files in some directories describe.

    Args:
        places: the directories with their levels, the strongest first.
        projects: the roots in which a person may have trusted what is in a project's directory now.
        store: says what they agreed to.

    Raises:
        ConfigError: one of them cannot be used.
    """
    files = tuple(file for level, directory in places for file in _files_in(directory, level, projects, store))
    programs: dict[str, Program] = {}
    waiting: dict[str, ProgramFile] = {}
    notices: list[str] = []
    for file in files:
        if not file.counts:
            waiting = dict.fromkeys(_named_in(file), file) | waiting
            if file.level == "project":
                continue
        found = read_file(file)
        notices += (f"{file.path}:{fault.line}: {fault.message}" for fault in found.known)
        for name, program in found.programs.items() if file.counts else ():
            if name in waiting:
                notices.append(f"{file.path}: `{name}` is described in {waiting[name].path}, which does not count now")
            elif programs.setdefault(name, program) is not program:
                notices.append(f"{file.path}: `{name}` is described in a file that counts before this one")
    said = {name: file.untrusted_note for name, file in waiting.items()}
    return OwnPrograms(files, programs, said, tuple(notices))


def _named_in(file: ProgramFile) -> Iterator[str]:
    """The programs that a file describes, and those that it did when a person agreed to it, by each of their names."""
    from asimi.core.programs.program import blocks

    for text in (file.text, "" if file.before is None else file.before.text):
        yield from (name for names, _, _ in blocks(text) for name in names)


def read_file(file: ProgramFile) -> ParsedPrograms:
    """Return what a file describes.

    Raises:
        ConfigError: something in it is wrong; a name that the catalogue has learnt since a person agreed is not.
    """
    from asimi.core.reading.rows import parse_programs

    found = parse_programs(file.text)
    faults = found.faults if file.counts else (*found.faults, *found.known)
    if faults:
        raise ConfigError(faults[0].message, file.path, faults[0].line)
    return found


def watched_in(places: Sequence[tuple[str, str]]) -> list[str]:
    """Return the files in some directories that are there now, a change of which is a change of what they describe."""
    watched: list[str] = []
    for _, directory in places:
        with suppress(OSError):
            watched += _paths_in(directory)
    return watched


def _paths_in(directory: str) -> list[str]:
    """Return the files of a directory, in the order of their names."""
    try:
        names = os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [os.path.join(directory, name) for name in sorted(names) if name.endswith(".txt") and name[0] != "."]


def _files_in(directory: str, level: str, projects: Sequence[str], store: ProjectStore) -> Iterator[ProgramFile]:
    """Yield the files of a directory."""
    try:
        paths = _paths_in(directory)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", directory) from None
    if len(paths) > MOST:
        raise ConfigError(f"holds {len(paths)} files; asimi reads {MOST}", directory)
    for path in paths:
        content = managed_content(path) if level == "managed" else content_of(path, project=level == "project")
        if content is None:
            continue
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise ConfigError("this is not UTF-8", path, line) from None
        if level == "managed":
            yield ProgramFile(path, level, text, counts=True)
            continue
        known = _known_as(path, level, projects)
        counts = any(store.trusts(each, content) for each in known) and (
            level == "user" or os.path.realpath(path) == path
        )
        before = None if counts else next(filter(None, (store.trust_of(each) for each in known)), None)
        yield ProgramFile(path, level, text, counts, before)


def _known_as(path: str, level: str, projects: Sequence[str]) -> list[str]:
    """The paths under which a person may have agreed to a file: a project's also in the repository of its worktree."""
    if level == "user":
        return [os.path.realpath(path)]
    return [
        os.path.join(root, ".asimi", os.path.basename(os.path.dirname(path)), os.path.basename(path))
        for root in projects
    ]
