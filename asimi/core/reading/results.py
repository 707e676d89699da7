"""Tells the shapes of results of substitutions that are known although nothing was run.

`date` with a literal format and `seq` with literal numbers give as many digits as their manuals say (GNU coreutils and
BSD); a `<(…)` names a pipe.
"""

from __future__ import annotations

from asimi.core.startup import ASCII, TYPE_CHECKING, NamedTuple, pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.syntax.nodes import Script, Substitution

DIGIT = "\x12"
"""A digit, which bash neither splits nor takes for a pattern."""

DIGITS = {**dict.fromkeys("CHIMSUVWdgmy", 2), **dict.fromkeys("YG", 4), "u": 1, "w": 1, "j": 3, "s": 10}
"""How many digits a conversion of date(1) gives; the year has four until 9999, and the seconds ten until 2286."""

_LONGER = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%R": "%H:%M"}
_FORMAT = pattern(r"\+((?!-)(?:[\w.:,@-]|%[CFGHIMRSTUVWYdgjmsuwy])+)", ASCII)
_CONVERSION = pattern(r"%[A-Za-z]")
_COUNT = pattern(r"0|[1-9][0-9]{0,5}", ASCII)


class Result(NamedTuple):
    """What is known of a result.

    Attributes:
        program: what gives it; empty for bash itself. A function of that name may give anything.
        shapes: the shapes of its words, in which a digit is a `DIGIT`.
        many: whether it is as many words as there are lines.
    """

    program: str
    shapes: tuple[str, ...]
    many: bool = False


PIPE = Result("", ())
"""The result of a `<(…)`."""


def result_of(substitution: Substitution) -> Result | None:
    """What is known of the result of a substitution; None for nothing."""
    script = substitution.script
    if substitution.kind == "process":
        return PIPE if script.text.startswith("<", substitution.start) else None
    if substitution.kind != "command" or len(script.commands) != 1 or not _is_alone(script, substitution.start + 2):
        return None
    name, *arguments = [word.literal or "" for word in script.commands[0].words] or [""]
    if name == "date":
        return _dated([each for each in arguments if each != "-u"])
    return _counted(arguments) if name == "seq" else None


def _is_alone(script: Script, start: int) -> bool:
    """Whether a script from a position on is one simple command, whose errors may be dropped, and no more."""
    dropped = (each.descriptor == 2 and each.target.literal == "/dev/null" for each in script.redirections)
    whole = not script.text[start : script.commands[0].start].strip()  # no loop, group or condition begins before it
    return whole and all(dropped) and not (script.bindings or script.functions or script.background)


def _dated(arguments: Sequence[str]) -> Result | None:
    """What `date +FORMAT` gives."""
    match = _FORMAT.fullmatch(arguments[0]) if len(arguments) == 1 else None
    if match is None:
        return None
    text = match[1]
    for short, long in _LONGER.items():
        text = text.replace(short, long)
    return Result("date", (_CONVERSION.sub(lambda each: DIGIT * DIGITS[each[0][1]], text),))


def _counted(arguments: Sequence[str]) -> Result | None:
    """What `seq LAST` and `seq FIRST LAST` give: numbers, by how many digits they have."""
    if not 0 < len(arguments) < 3 or not all(map(_COUNT.fullmatch, arguments)):
        return None
    lengths = len(arguments[0]) if len(arguments) > 1 else 1, len(arguments[-1])
    return Result("seq", tuple(DIGIT * each for each in range(lengths[0], lengths[1] + 1)), many=True)
