"""What an agent's file says, entry by entry, and what becomes of it here; an entry of several patterns is still one."""

from __future__ import annotations

import os
import stat
from bisect import bisect
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.host import jsonc
from asimi.world.host.places import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from asimi.core.call import Verdict
    from asimi.core.judging.rules import Rule

T = TypeVar("T")

LONGEST = 1 << 20
"""Bytes of a file; a person's longest list of permissions is a tenth of it."""

MOST = 1_000
"""Entries that are read of one file."""

MOST_FILES = 200
"""Files that are read of one directory."""

_FLAGS = os.O_RDONLY  # and nothing that a FIFO or a terminal in the place of a file could do to us
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):
    _FLAGS |= getattr(os, _name, 0)


def source_at(path: str, *, own: bool) -> Source | None:
    """A file, or None where there is none.

    Raises:
        AsimiError: it cannot be read, is not a regular file, is too long or is not UTF-8.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise AsimiError(f"{path}: cannot be read: {words_of(error, path)}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise AsimiError(f"{path}: is not a regular file; put one in its place, or remove it")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(LONGEST + 1)
    except OSError as error:
        raise AsimiError(f"{path}: cannot be read: {words_of(error, path)}") from None
    finally:
        os.close(descriptor)
    if len(content) > LONGEST:
        raise AsimiError(f"{path}: is longer than {LONGEST >> 20} MiB, so it is not read; shorten it")
    try:
        return Source(path, own, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise AsimiError(f"{path}:{line}: is not UTF-8, so it is not read") from None


def sources_at(own: Iterable[str], project: Iterable[str]) -> list[Source]:
    """The files that are there, each once: where one is both, it is the person's own.

    Raises:
        AsimiError: as `source_at`.
    """
    found: dict[str, Source] = {}
    for paths, is_own in ((own, True), (project, False)):
        for path in paths:
            real = os.path.realpath(path)
            if real not in found and (source := source_at(path, own=is_own)) is not None:
                found[real] = source
    return list(found.values())


def files_in(directory: str, suffix: str) -> list[str]:
    """The files of a directory whose names end so, in the order of their names; none where it cannot be listed.

    Raises:
        AsimiError: there are too many.
    """
    try:
        names = sorted(name for name in os.listdir(directory) if name.endswith(suffix))
    except OSError:
        return []
    if len(names) > MOST_FILES:
        raise AsimiError(f"{directory}: has {len(names)} files, and {MOST_FILES} are the most that are read")
    return [os.path.join(directory, name) for name in names]


def values_of(source: Source) -> jsonc.Element | None:
    """What a JSON file holds (comments are allowed), or None where there is nothing in it.

    Raises:
        AsimiError: it is not JSON; the message names the line.
    """
    try:
        return jsonc.scan(source.text)
    except jsonc.Unreadable as error:
        raise AsimiError(f"{source.path}: {error}; mend it and import again") from None


def object_in(source: Source, title: str) -> jsonc.Element | None:
    """The object that a JSON file holds, or None where there is nothing in it.

    Args:
        source: the file.
        title: the agent's name, as people write it.

    Raises:
        AsimiError: it is not JSON, or another value than an object.
    """
    whole = values_of(source)
    if whole is not None and whole.keys is None:
        raise AsimiError(f"{source.path}: is not an object, as {title} has it; mend it")
    return whole


def items_of(element: jsonc.Element | None, source: Source, name: str) -> Sequence[jsonc.Element]:
    """The items of a list that may be missing.

    Raises:
        AsimiError: it is not a list.
    """
    if element is None:
        return ()
    if not isinstance(element.value, list):
        raise AsimiError(f"{source.path}:{source.line_at(element.start)}: {name} is not a list; mend it")
    return element.children


def member(element: jsonc.Element | None, *keys: str) -> jsonc.Element | None:
    """The value that some keys lead to in objects, or None."""
    for key in keys:
        if element is None or element.keys is None or key not in element.keys:
            return None
        element = element.children[element.keys.index(key)]
    return element


def check_number(source: Source, number: int) -> None:
    """Make sure that a file has not too many entries.

    Raises:
        AsimiError: it has.
    """
    if number > MOST:
        raise AsimiError(f"{source.path}: has {number} entries, and {MOST} are the most that are read; leave some out")


def all_of(sources: Iterable[Source], said: Callable[[Source], Iterable[T]]) -> list[T]:
    """What some files say, one after the other.

    Raises:
        AsimiError: one cannot be used, or has too many entries.
    """
    found: list[T] = []
    for source in sources:
        entries = list(said(source))
        check_number(source, len(entries))
        found += entries
    return found


def members(element: jsonc.Element | None) -> Iterable[tuple[str, jsonc.Element]]:
    """The names and values of an object; none of anything else."""
    if element is None or element.keys is None:
        return ()
    return zip(element.keys, element.children, strict=True)


Outcome = Literal["exact", "stricter", "skipped"]
"""What becomes of an entry: a rule that decides the same, one that allows less or forbids more, or none."""


class Where(NamedTuple):
    """Where an agent's files are looked for.

    Attributes:
        home: the home directory.
        root: the real path of the project root.
        environ: the environment, in which a variable may name another directory.
        system: the directory that stands for `/` in the paths of administrators' files.
    """

    home: str
    root: str
    environ: Mapping[str, str]
    system: str = "/"


class Source(NamedTuple):
    """One file of an agent's permissions.

    Attributes:
        path: the file.
        own: whether it is the person's own (or the administrator's); else it stood in the project.
        text: its content.
    """

    path: str
    own: bool
    text: str

    def line_at(self, offset: int) -> int:
        """The line of an offset in the text, counted from 1."""
        return bisect(_ends(self.text), offset - 1) + 1


@lru_cache(maxsize=4)
def _ends(text: str) -> list[int]:
    """Where the lines of a text end; many entries of one file are looked up."""
    return [at for at, character in enumerate(text) if character == "\n"]


class Example(NamedTuple):
    """A command, and what the agent itself would do with it if an entry were the only one.

    Attributes:
        command: the command line.
        verdict: the agent's verdict; None where the entry says nothing of the command, and the agent would ask.
    """

    command: str
    verdict: Verdict | None


class Permission(NamedTuple):
    """One entry, and what it becomes.

    Attributes:
        text: the entry as the file has it.
        source: the file that has it.
        line: where in the file, counted from 1.
        says: what it says there; None for a setting that is no entry of a list.
        outcome: what becomes of it.
        why: what is stricter, or why it is skipped, in words; empty where it is exact.
        rules: the rules that it becomes.
        deny: patterns for `[files] deny`.
        secret: patterns for `[files] secret`.
        rejects: whether it refuses what nothing allows (`unlisted = "reject"`).
        examples: commands with the agent's own verdict.
    """

    text: str
    source: Source
    line: int
    says: Verdict | None
    outcome: Outcome
    why: str = ""
    rules: tuple[Rule, ...] = ()
    deny: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    rejects: bool = False
    examples: tuple[Example, ...] = ()

    @property
    def place(self) -> str:
        """Where it is, `FILE:LINE`."""
        return f"{self.source.path}:{self.line}"

    def skipped(self, why: str) -> Permission:
        """The same, but nothing comes of it."""
        return self._replace(outcome="skipped", why=why, rules=(), deny=(), secret=(), rejects=False)


class Plain(NamedTuple):
    """A rule in force, as far as an agent can be told it.

    Attributes:
        verdict: what it says.
        words: the first words of a command, each with its alternatives; empty for every command.
        exact: whether these are all words that a command has.
        options: of a deny or an ask: options, one of which the command must have.
        arguments: of a deny or an ask: patterns with `*`, one of which an argument must fit.
        reason: what the model is told, or empty.
    """

    verdict: Verdict
    words: tuple[tuple[str, ...], ...]
    exact: bool = False
    options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    reason: str = ""


class InForce(NamedTuple):
    """What is in force, as far as an agent can be told it.

    Attributes:
        rules: the rules.
        deny: patterns of files that no command may touch.
        secret: patterns of files that are asked about; one with `!` takes back what those before it say.
        rejects: whether what nothing allows is refused.
    """

    rules: tuple[Plain, ...]
    deny: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    rejects: bool = False


class Written(NamedTuple):
    """What is in force, in an agent's own format.

    Attributes:
        text: the content of its file.
        notes: what is weaker there, or left out.
    """

    text: str
    notes: tuple[str, ...]


class Agent(NamedTuple):
    """How the permissions of one agent are found, read and written.

    Attributes:
        name: its name, as `asimi hook` has it.
        title: its name, as people write it.
        find: its files that are there, the strongest layer first.
        read: every entry of some files, in their order.
        knows: whether a file's content is of this agent, for a file that is named: path and text.
        write: the content of its file, from what is in force. It allows no command that asimi would ask about.
    """

    name: str
    title: str
    find: Callable[[Where], list[Source]]
    read: Callable[[Sequence[Source], Where], list[Permission]]
    knows: Callable[[str, str], bool]
    write: Callable[[InForce], Written]


def as_they_stand(found: Iterable[Permission], sources: Sequence[Source]) -> list[Permission]:
    """Some entries in the order of the files and of the lines in each."""
    order = {source.path: place for place, source in enumerate(sources)}
    return sorted(found, key=lambda each: (order[each.source.path], each.line))


def as_one(permission: Permission, parts: Sequence[Permission]) -> Permission:
    """An entry with what became of all its patterns; it is skipped where all are.

    Args:
        permission: the entry.
        parts: the same, once for each pattern.
    """
    kept = [each for each in parts if each.outcome != "skipped"]
    if not kept:
        return parts[0]
    worst = next((each for each in parts if each.outcome != "exact"), kept[0])
    rules = tuple(dict.fromkeys(rule for each in kept for rule in each.rules))
    examples: dict[str, Verdict | None] = {}
    for command, verdict in (example for each in kept for example in each.examples):
        examples[command] = verdict if examples.get(command) is None else examples[command]  # one alternative is enough
    outcome: Outcome = "exact" if worst.outcome == "exact" else "stricter"
    rejects = any(each.rejects for each in kept)
    said = tuple(Example(command, verdict) for command, verdict in examples.items())
    return permission._replace(outcome=outcome, why=worst.why, rules=rules, rejects=rejects, examples=said)
