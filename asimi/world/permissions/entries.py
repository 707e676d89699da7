"""What an agent's file says, entry by entry, and what becomes of it here; an entry of several patterns is still one."""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from asimi.core.startup import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from asimi.core.call import Verdict
    from asimi.core.judging.rules import Rule

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
