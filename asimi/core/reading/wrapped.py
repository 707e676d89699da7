"""Where the arguments of a wrapper hold the command that it starts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.lean import NamedTuple, pattern
from asimi.core.programs.wrappers import OPTIONAL_VALUE
from asimi.core.syntax import parse
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.programs.wrappers import Wrapper

MOST = 64
"""Candidates, where it is not sure which word begins the command."""

ASSIGNMENT = pattern(r"([A-Za-z_][^=]*)=")


class Inner(NamedTuple):
    """What a wrapper starts.

    Attributes:
        words: the command's words; empty where it stands in none.
        text: the word that holds shell text, or None.
        joined: whether `words` are joined with blanks and read by a shell.
        assignments: the words `NAME=VALUE` before the command.
        shell: whether it starts a shell that reads its standard input.
        unsure: why it is not sure which command it is, or empty.
        candidates: where it is not sure, every rest of the words that could be the command.
    """

    words: tuple[Word, ...] = ()
    text: Word | None = None
    joined: bool = False
    assignments: tuple[Word, ...] = ()
    shell: bool = False
    unsure: str = ""
    candidates: tuple[tuple[Word, ...], ...] = ()


def inner(name: str, wrapper: Wrapper, words: Sequence[Word], *, search: bool = True) -> Inner:
    """What a wrapper starts.

    Args:
        name: its name.
        wrapper: its row.
        words: its arguments.
        search: whether candidates are wanted where it is not sure.
    """
    assignments: list[Word] = []
    operands, index, ended = wrapper.operands, 0, False
    text: Word | None = None
    shell = False

    def unsure(why: str) -> Inner:
        places = (place for place in range(len(words)) if words[place].literal is not None)
        rests = tuple(tuple(words[place:]) for place in islice(places, MOST)) if search else ()
        return Inner(
            assignments=tuple(assignments),
            unsure=f"{why}, so that which command {name} starts is not sure",
            candidates=rests,
        )

    while index < len(words):
        word = words[index]
        literal = word.literal
        known = word.head if literal is None else literal
        dashes = literal == "--" and (not ended or wrapper.loose)
        if dashes or (literal == "-" and not ended and wrapper.dash):
            ended, index = ended or dashes, index + 1
            continue
        if known.startswith("-") and len(known) > 1 and (not ended or known in wrapper.text):
            step, kind = _option(wrapper, name, known, whole=literal is not None)
            if known in wrapper.inert or (known.startswith("--") and known.partition("=")[0] in wrapper.inert):
                return Inner(assignments=tuple(assignments))
            if kind == "split":
                return _split(name, wrapper, words, index, step, known, assignments) or unsure(
                    f"`{known}` cannot be split"
                )
            if kind == "text":
                value = _value(words, index, step, known)
                if value is None:
                    return unsure(f"`{known}` has no value")
                text, index = value, index + step
                continue
            if kind == "unknown":
                return unsure(f"the option `{known}` of {name} is not known")
            shell = shell or kind == "shell"
            index += step
            continue
        if wrapper.assignments and ASSIGNMENT.match(known):
            assignments.append(word)
            index += 1
            continue
        if operands:
            if literal is None and not word.single:
                return unsure(f"{name} has an argument that may be several or none")
            operands, index = operands - 1, index + 1
            ended = ended or not wrapper.text
            continue
        break
    rest = tuple(words[index:])
    if text is not None:
        return Inner(text=text, assignments=tuple(assignments))
    if rest and rest[0].literal is None and not rest[0].single:
        found = unsure(f"{name} starts a command that only bash can know")
        return found._replace(words=rest)
    if not rest and not wrapper.optional and len(words):
        return unsure(f"{name} names no command")
    return Inner(words=rest, joined=wrapper.joined, assignments=tuple(assignments), shell=shell)


def _option(wrapper: Wrapper, name: str, known: str, *, whole: bool) -> tuple[int, str]:
    """How many words an option takes, and what it is: `flag`, `shell`, `text`, `split` or `unknown`."""
    if known.startswith("--"):
        long, equals, _ = known.partition("=")
        if long in wrapper.split:
            return 1 if equals else 2, "split"
        if long in wrapper.text:
            return 1 if equals else 2, "text"
        if long in wrapper.shell:
            return 1, "shell"
        bare = long[2:]
        for kind, names in (("valued", wrapper.long_valued), ("flag", wrapper.long_flags)):
            if bare in names or (
                sum(candidate.startswith(bare) for candidate in (*wrapper.long_valued, *wrapper.long_flags)) == 1
                and any(candidate.startswith(bare) for candidate in names)
            ):
                return (2 if kind == "valued" and not equals else 1), ("flag" if whole or equals else "unknown")
        return 1, "unknown"
    if wrapper.numeric and known[1:].lstrip("-+").isdigit():
        return 1, "flag"
    for place, letter in enumerate(known[1:], 1):
        rest = known[place + 1 :]
        if f"-{letter}" in wrapper.split:
            return (1 if rest else 2), "split"
        if f"-{letter}" in wrapper.text:
            return (1 if rest else 2), "text"
        if f"-{letter}" in wrapper.shell:
            return 1, "shell"
        if letter in OPTIONAL_VALUE.get(name, ""):
            return 1, "flag"
        if letter in wrapper.valued:
            return (1 if rest or not whole else 2), "flag"
        if letter not in wrapper.flags:
            return 1, "unknown"
    return 1, "flag" if whole else "unknown"


def _value(words: Sequence[Word], index: int, step: int, known: str) -> Word | None:
    """The word that holds an option's value; a part of a word where the value is behind the option itself."""
    if step == 2:
        return words[index + 1] if index + 1 < len(words) else None
    word = words[index]
    if word.literal is None:
        return Word(word.start, word.end, None, "", single=True)
    value = known.partition("=")[2] if known.startswith("--") else known[2:]
    return Word(word.start, word.end, value, value, single=True)


def _split(
    name: str,
    wrapper: Wrapper,
    words: Sequence[Word],
    index: int,
    step: int,
    known: str,
    assignments: list[Word],
) -> Inner | None:
    """What `env -S 'prog args' more` starts: the text is split as env does, the rest follows."""
    if not known.startswith("--") and known[1] != "S":
        position = known.index("S")
        known = known[0] + known[position:]
    value = _value(words, index, step, known)
    if value is None or value.literal is None:
        return None
    try:
        script = parse(f": {value.literal}")
    except ShellSyntaxError:
        return None
    if (
        len(script.commands) != 1
        or script.redirections
        or any(part.literal is None for part in script.commands[0].words)
    ):
        return None
    parts = [
        Word(value.start, value.end, part.literal, part.head, single=True) for part in script.commands[0].words[1:]
    ]
    found = inner(name, wrapper, [*parts, *words[index + step :]])
    return found._replace(assignments=(*assignments, *found.assignments))
