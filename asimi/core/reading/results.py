"""Tells the shapes of results of substitutions that are known although nothing was run.

`date` with a literal format and `seq` with literal numbers give digits, as their manuals say (GNU coreutils and BSD);
a `<(…)` names a pipe. What other programs give, their rows say (`gives:`).
"""

from __future__ import annotations

import os.path
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, levels_of
from asimi.core.reading.bindings import PIPE, Result
from asimi.core.reading.shapes import ANY, DIGIT, HEX, LETTERS, MADE, TEMPORARY, TOP
from asimi.core.syntax.nodes import Pipe, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.core.syntax.nodes import Script, SimpleCommand, Substitution

_LONGER = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%R": "%H:%M"}
_FORMAT = pattern(r"\+((?!-)(?:[\w.:,@-]|%[CFGHIMRSTUVWYdgjmsuwy])+)", ASCII)
_JOB_OPTIONS = frozenset({"-j", "-n", "--jobs", "--numprocesses", "--parallel", "--test-threads", "--workers"})
_JOBS = pattern(
    r"""(-j|-n|--(?:jobs|numprocesses|parallel|test-threads|workers)=)?"?(?:\$\(|`)(?:nproc(?:[ ]--all)?"""
    r"""|getconf[ ]_NPROCESSORS_ONLN|sysctl[ ]-n[ ]hw\.(?:(?:logical|physical)cpu|ncpu))(?:\)|`)"?"""
)
"""What counts the processors, alone or right behind an option (nproc(1), getconf(1), sysctl(8) of macOS)."""
_CONVERSION = pattern(r"%[A-Za-z]")
_COUNT = pattern(r"0|[1-9][0-9]{0,5}", ASCII)
_TEMPLATE = pattern(r"(/tmp/[A-Za-z0-9][\w.-]*?)X{3,}", ASCII)
_BRANCHES = frozenset({"HEAD", "main", "master"})
_PATH = pattern(r"(?:[\w.+,@-]+/)*\w[\w.+,@-]*", ASCII)


def is_number(result: Result | None) -> bool:
    """Whether a result is a number, as arithmetic reads it."""
    return result is not None and result.shape == DIGIT and not result.many and not result.below


def is_tail(result: Result | None) -> bool:
    """Whether a result can only be a piece of a name: digits, hexadecimal ones and literal text without a directory."""
    if result is None or result.many or result.below:
        return False
    return {"/", ANY, MADE, LETTERS}.isdisjoint(result.shape)


def with_jobs(words: tuple[Word, ...], text: str) -> tuple[Word, ...]:
    """Words with a number where options say how many jobs there are processors for: `make -j$(nproc)`."""
    # where there is no such counter, `jq -n $(nproc) env` is another command: checks take a value there
    counted, checks = list(words), getattr(find(words[0].literal or ""), "check", "")
    for at, word in enumerate(words):
        found = _JOBS.fullmatch(text, word.start, word.end) if word.literal is None else None
        if found is not None and (found[1] or (checks and words[at - 1].literal in _JOB_OPTIONS)):
            counted[at] = Word(word.start, word.end, literal := f"{found[1] or ''}1", literal, single=True)
    return tuple(counted)


def result_of(substitution: Substitution) -> Result | None:
    """What is known of the result of a substitution; None for nothing."""
    script = substitution.script
    if substitution.kind == "process":
        return PIPE if script.text.startswith("<", substitution.start) else None
    if substitution.kind != "command" or not script.commands or not _is_alone(script, substitution.start + 2):
        return None
    *_, last = script.commands
    name, *arguments = [word.literal or "" for word in last.words] or [""]
    if name == "date":
        return _date([each for each in arguments if each != "-u"])
    return _sequence(arguments) if name == "seq" else _result_of_row(last)


def _result_of_row(command: SimpleCommand) -> Result | None:
    """What a command gives, as the row of its program says."""
    literals = [word.literal for word in command.words]
    program = find(literals[0]) if literals and literals[0] and None not in literals else None
    if program is None:
        return None
    *_, level = levels = levels_of(command.words, program)
    options = {each.option for each in level.arguments if each.option not in {None, SEPARATOR}}
    apart = any(each.arguments for each in levels[:-1]) or not options.isdisjoint({COMPUTED, UNKNOWN})
    if apart or not level.row.gives:
        return None
    operands = [literals[each.at] or "" for each in level.arguments if each.option is None]
    for each in level.row.gives.split():
        names, _, kind = each.rpartition("=")
        own = {*names.split("|")}
        if bool(options) == bool(names) and all(not own.isdisjoint(one.names) for one in options if one is not None):
            return GIVES[kind](program.name, operands, command.input is not None)
    return None


def _temporary(name: str, operands: Sequence[str], _: object) -> Result | None:
    """The name of a new file or directory in a temporary place (mktemp(1))."""
    if not operands:
        return Result(name, f"/tmp.{MADE}", below=TEMPORARY)  # noqa: S108 - nothing is opened
    match = _TEMPLATE.fullmatch(operands[0])
    return None if match is None or len(operands) > 1 else Result(name, f"{match[1]}{MADE}")


def _part(cut: Callable[[str], str]) -> Callable[..., Result | None]:
    """A part of a path that is a literal word."""

    def part(name: str, operands: Sequence[str], _: object) -> Result | None:
        plain = len(operands) == 1 and _PATH.fullmatch(operands[0]) is not None
        return Result(name, cut(operands[0])) if plain else None

    return part


GIVES: dict[str, Callable[[str, Sequence[str], bool], Result | None]] = {
    "directory": _part(lambda path: os.path.dirname(path) or "."),
    "here": lambda name, operands, _: None if operands else Result(name, "", below="PWD"),
    "last": _part(os.path.basename),
    "hex": lambda name, *_: Result(name, HEX),
    "made": _temporary,
    # of `wc`, as many blanks as BSD puts before the digits split nothing off
    "number": lambda name, operands, fed: Result(name, DIGIT) if name != "wc" or (fed and not operands) else None,
    "path": lambda name, operands, _: Result(name, "/" + ANY) if len(operands) == 1 else None,
    "place": lambda name, operands, _: None if operands else Result(name, "/" + ANY),
    "repository": lambda name, operands, _: None if operands else Result(name, "/.git", below=TOP),
    # where git finds no revision by that name it is the operand again, which is no file of note then
    "revision": lambda name, of, _: Result(name, HEX) if len(of) == 1 and of[0] in _BRANCHES else None,
    "top": lambda name, operands, _: None if operands else Result(name, "", below=TOP),
    "word": lambda name, operands, _: None if operands else Result(name, LETTERS + ANY),
}
"""What a program gives, by the words of rows: of its name, its operands, and whether something is on its input."""


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


def _date(arguments: Sequence[str]) -> Result | None:
    """What `date +FORMAT` gives."""
    match = _FORMAT.fullmatch(arguments[0]) if len(arguments) == 1 else None
    if match is None:
        return None
    text = match[1]
    for short, long in _LONGER.items():
        text = text.replace(short, long)
    return Result("date", _CONVERSION.sub(DIGIT, text))


def _sequence(arguments: Sequence[str]) -> Result | None:
    """What `seq LAST` and `seq FIRST LAST` give."""
    if not 0 < len(arguments) < 3 or not all(map(_COUNT.fullmatch, arguments)):
        return None
    return Result("seq", DIGIT, many=True)
