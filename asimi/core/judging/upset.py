"""Whether a text may change some files before a command of it reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.pattern import pattern
from asimi.core.reading.account import RECORDS
from asimi.core.reading.shapes import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading

HARMLESS = frozenset({"read", "network", "publish"})
"""Effects that change no file here."""

CHANGES = frozenset({"write", "delete"})
"""Effects that change the files that a command names, if it names any."""

PLAIN = frozenset("-f -i -n -p -r -s -v -E --in-place".split())
"""Options with which `cp` copies no links, and `sed` keeps no copy by a name that a pattern makes."""

_READS = frozenset({"read", "look", "enter", "data"})

_WORD = r"[\w./:=@%,+-]+"
_PIPELINE = pattern(
    r"(?:[ \t]+2>&1|[ \t]*\|[ \t]*(?!(?:case|coproc|for|function|if|select|time|until|while)\b)"
    rf"{_WORD}(?:[ \t]+{_WORD})*)*"
    r"[ \t]*(?:;|&&|\n|\Z)"
)
"""The rest of a pipeline of plain words, and what ends it."""

_GROUPS = pattern(r"[({]|\b(?:case|coproc|do|elif|else|for|if|then|until|while)\b")
"""What may begin a compound command, wherever it is."""


def upset(
    command: Command,
    reading: Reading,
    paths: Paths,
    files: Collection[str],
    is_known: Callable[[Command], bool],
    apart: Collection[str] = (),
) -> str:
    """The command or the redirection of a text that may change some files before a command has read them, or empty.

    Args:
        command: the command.
        reading: the text.
        paths: where its words lead.
        files: the beginnings of the real paths of the files.
        is_known: whether a command is known to leave them alone.
        apart: directories below which a file is none of those that only begin with a directory.
    """
    watched = [(each.lower(), each[-1:] == "/") for each in files]  # some file systems take both for the same
    below = [each.lower() for each in apart]
    after = _after(command, reading)
    for other in reading.commands:
        if other is command or other.possible or other.span[0] in after:
            continue
        if _is_around(other, command) or _is_around(command, other):
            continue  # what a check starts was judged with it
        if not is_known(other) and _changes(other, paths, watched, below):
            return " ".join(each or "…" for each in other.literals[:4])
    for target, span, writes in reading.targets:
        if writes and span[0] not in after and _hits(paths.targets(target, span), watched, below):
            return f"> {target}"
    return ""


def _after(command: Command, reading: Reading) -> range:
    """The positions of what runs only once a command has ended; a redirection around it is at none of them."""
    own = next(
        (
            each
            for each in reading.commands
            if each.outer and each.simple is not None and each.span[0] <= command.span[0] < each.span[1]
        ),
        None,
    )
    if own is None or own.simple is None or reading.variables.loops or reading.functions:
        return range(0)
    if own.simple.holds > own.simple.end:  # it is in this shell, and what follows in its list waits
        return range(own.simple.end, own.simple.holds)
    rest = _PIPELINE.match(own.source, own.simple.end)
    alone = rest is not None and not _GROUPS.search(own.source, 0, own.simple.start)
    return range(rest.end(), len(own.source)) if rest is not None and alone else range(0)


def _is_around(other: Command, command: Command) -> bool:
    """Whether a command is the wrapper of another; what wrappers do by themselves was judged."""
    return other.name == command.via and other.span[0] <= command.span[0] and command.span[1] <= other.span[1]


def _changes(command: Command, paths: Paths, files: list[tuple[str, bool]], apart: list[str]) -> bool:
    """Whether a command may change some files."""
    does, program = command.effects, command.program
    if program is None or does is None or not does <= HARMLESS | CHANGES:
        return True
    if does <= HARMLESS or (program.name, *command.literals[1:2]) in RECORDS:
        return False
    if "sources" in program.traits and not command.escapes:
        return False
    if "plain" not in program.traits or not _is_plain(command):
        return True
    return any(
        _hits(paths.leads(command, touch.word, touch.start, unlinks=unlinks), files, apart)
        for touch in command.account.touches
        if touch.how not in _READS
        for unlinks in (True, False)
    )


def _is_plain(command: Command) -> bool:
    """Whether the options of a command are such that it changes only what it names."""
    if command.name not in {"cp", "sed"}:
        return not command.escapes
    options = [each for each in command.literals[1:] if each is None or each.startswith("-")]
    recursive = command.name == "cp" and "-r" in options  # it copies links as links
    own = all(command.literals[each.word] in PLAIN for each in command.escapes if each.word < len(command.words))
    return own and not recursive and all(each in PLAIN for each in options)


def _hits(places: Iterable[str], files: list[tuple[str, bool]], apart: list[str]) -> bool:
    """Whether one of some places is one of the files, begins as one does, is above one, or is not known."""
    return any(any(_is_near(place, files, apart)) for place in places)


def _is_near(place: str, files: list[tuple[str, bool]], apart: list[str]) -> Iterator[bool]:
    yield not MARKS.isdisjoint(place)
    place = place.lower()
    inside = any(is_below(place, each) for each in apart)
    yield from (is_below(each, place) or (place.startswith(each) and not (inside and wide)) for each, wide in files)
