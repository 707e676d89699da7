"""Tells the shapes of results of substitutions that are known although nothing was run.

`date` with a literal format, `seq` with literal numbers and `wc` for one count give digits, as their manuals say (GNU
coreutils and BSD); a `<(…)` names a pipe.
"""

from __future__ import annotations

from asimi.core.reading.shapes import DIGIT
from asimi.core.startup import ASCII, TYPE_CHECKING, NamedTuple, pattern
from asimi.core.syntax.nodes import Pipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.syntax.nodes import Script, Substitution

_LONGER = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%R": "%H:%M"}
_FORMAT = pattern(r"\+((?!-)(?:[\w.:,@-]|%[CFGHIMRSTUVWYdgjmsuwy])+)", ASCII)
_CONVERSION = pattern(r"%[A-Za-z]")
_COUNT = pattern(r"0|[1-9][0-9]{0,5}", ASCII)
_ONE_COUNT = pattern(r"-[clmw]|--(?:bytes|chars|lines|words)")


class Result(NamedTuple):
    """What is known of a result.

    Attributes:
        program: what gives it; empty for bash itself. A function of that name may give anything.
        shape: the shape of it, or of each of its words.
        many: whether it is as many words as there are lines.
    """

    program: str
    shape: str
    many: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is a number, as arithmetic reads it."""
        return self.shape == DIGIT and not self.many


PIPE = Result("", "")
"""The result of a `<(…)`."""


def result_of(substitution: Substitution) -> Result | None:
    """What is known of the result of a substitution; None for nothing."""
    script = substitution.script
    if substitution.kind == "process":
        return PIPE if script.text.startswith("<", substitution.start) else None
    if substitution.kind != "command" or not script.commands or not _is_alone(script, substitution.start + 2):
        return None
    *_, last = script.commands
    name, *arguments = [word.literal or "" for word in last.words] or [""]
    if name == "wc":  # as many spaces as BSD puts before it are no part of a number, and split nothing off
        return Result(name, DIGIT) if last.input is not None and _is_count(arguments) else None
    if len(script.commands) > 1 or any(each.operator == "<" for each in script.redirections):
        return None
    if name == "date":
        return _dated([each for each in arguments if each != "-u"])
    return _counted(arguments) if name == "seq" else None


def _is_alone(script: Script, start: int) -> bool:
    """Whether a script from a position on is one simple command, or a pipeline of such, and no more.

    Its errors may be dropped, and its input may be a file.
    """
    at = len(script.commands) - 1
    begins, plain = script.commands[at].start, not (script.bindings or script.functions or script.background)
    while isinstance(source := script.commands[at].input, Pipe) and source.last == at:
        plain = plain and script.text[source.end : begins].strip() in {"|", "|&"}  # no loop begins between
        at, begins = source.first, source.start
    if len(script.commands) > 1:
        return plain and at == 0 and not script.text[start:begins].strip()
    dropped = (
        (each.descriptor == 2 and each.target.literal == "/dev/null") or (each.operator == "<" and not each.descriptor)
        for each in script.redirections
    )
    # no loop, group or condition begins before it
    return plain and all(dropped) and not script.text[start:begins].strip()


def _is_count(arguments: Sequence[str]) -> bool:
    """Whether `wc` prints one number."""
    return len(arguments) == 1 and _ONE_COUNT.fullmatch(arguments[0]) is not None


def _dated(arguments: Sequence[str]) -> Result | None:
    """What `date +FORMAT` gives."""
    match = _FORMAT.fullmatch(arguments[0]) if len(arguments) == 1 else None
    if match is None:
        return None
    text = match[1]
    for short, long in _LONGER.items():
        text = text.replace(short, long)
    return Result("date", _CONVERSION.sub(DIGIT, text))


def _counted(arguments: Sequence[str]) -> Result | None:
    """What `seq LAST` and `seq FIRST LAST` give."""
    if not 0 < len(arguments) < 3 or not all(map(_COUNT.fullmatch, arguments)):
        return None
    return Result("seq", DIGIT, many=True)
