"""What a command reads on its standard input: a text that the request holds, or the rest of the request itself."""

from __future__ import annotations

from collections import deque
from itertools import chain, islice
from os.path import normpath
from re import ASCII, DOTALL, MULTILINE
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.reading.arguments import cut, levels_of, role_of, roles_beside
from asimi.core.reading.find_expression import start_of
from asimi.core.syntax import quote
from asimi.core.syntax.nodes import Pipe, Redirection, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.programs.program import Program
    from asimi.core.reading.commands import Command
    from asimi.core.syntax.nodes import Script, SimpleCommand, Substitution

STDIN = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
"""Files that are a command's standard input; to most programs, `-` is too."""

_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "\\": "\\",
    '"': '"',
    "'": "'",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}
_DOCUMENT = pattern(r"""\$\([ \t\n]*cat[ \t]*<<-?[ \t]*(?:'[^'\n]+'|"[^"\n$`\\]+"|\\?\w+)[ \t]*\n""", ASCII)
_DOCUMENT_END = pattern(r"[^\n)]++[ \t\n]*+\)")
"""How `$(cat <<'E'` begins up to its text, and what is behind that."""

_LINE = pattern(r"[^\n]+")
MOST_LINES = 64
"""Lines of a here-document that are looked at where its text is not sure."""

_EXPANDED = pattern(r"[$`\\]")
_ECHO_OPTIONS = pattern(r"-[neE]+")
_PRINTF_PIECES = pattern(r"%%|%s|\\(.)|[^%\\]+", DOTALL)
_PRINTF_PLAIN = pattern(r"(?:[^%\\]|%%|%s|\\[ntrabfv\\\"'])*")


def fed_text(command: SimpleCommand | None, script: Script | None, budget: Budget) -> str | None:
    """The literal text on a command's standard input, or None where only bash can know it."""
    if command is None or script is None or command.input is None:
        return None
    if command.input not in command.redirections and script.readers(command.input) > 1:
        return None  # another may have read from it before, as all in a group with a redirection can
    if isinstance(command.input, Pipe):
        if command.input.last - command.input.first != 1:
            return None
        return _literal_output(script.commands[command.input.first], script, budget)
    return _redirection_text(command.input)


def written_before(command: SimpleCommand | None, path: str, script: Script | None) -> tuple[str, bool] | None:
    """The literal text that `cat > PATH <<E` wrote to a file before a command, if the text has that once.

    Returns:
        The text, and whether the command only runs if it was written; None where there is none.
    """
    found, path = [], normpath(path)
    for each in script.commands if script is not None and command is not None else ():
        ends = [
            one
            for one in each.redirections
            if one.operator in {">", ">|"} and normpath(one.target.literal or "") == path
        ]
        plain = (
            [word.literal for word in each.words] == ["cat"] and not each.assignments and len(each.redirections) == 2
        )
        text = _redirection_text(each.input) if plain and isinstance(each.input, Redirection) else None
        if ends and ends[0].descriptor in {None, 1} and text is not None and not (each.loop or each.function):
            found.append((each, text))
    if command is None or len(found) != 1 or not found[0][0].end < command.start < found[0][0].holds:
        return None
    return found[0][1], command.start < found[0][0].then


def printed_by(substitution: Substitution, budget: Budget) -> str | None:
    """What a substitution gives that holds one `echo`, `printf` or `cat <<E` with literal words; None for others."""
    script = substitution.script
    if len(script.commands) != 1 or script.commands[0].input not in (None, *script.commands[0].redirections):
        return None
    return _literal_output(script.commands[0], script, budget)


def document_of(substitution: Substitution, text: str) -> str | None:
    """What `$(cat <<'E' …)` gives, where it holds nothing else and nothing in its text is expanded."""
    begin = _DOCUMENT.match(text, substitution.start, substitution.end)
    bodies = [each.heredoc for each in substitution.script.redirections]
    if begin is None or len(substitution.script.commands) != 1 or len(bodies) != 1 or bodies[0] is None:
        return None
    body = bodies[0]
    plain = body.quoted or _EXPANDED.search(text, body.start, body.end) is None
    ended = _DOCUMENT_END.fullmatch(text, body.end, substitution.end)
    if body.literal is None or not plain or ended is None or body.start != begin.end():
        return None
    return body.literal.rstrip("\n")


def fed_roughly(command: SimpleCommand | None, script: Script | None, budget: Budget) -> Iterator[list[Word]]:
    """Words that may be lines of a command's standard input: of `echo`, `printf`, `<<<`, `< <(…)`, a here-document."""
    source = None if command is None else command.input
    if script is None or source is None:
        return
    if isinstance(source, Pipe):
        budget.spend(source.last - source.first)
        for each in script.commands[source.first : source.last]:
            if each.words and each.words[0].literal in {"echo", "printf"}:
                yield [word for word in each.words[1:] if word.head[:1] != "-"]
    elif source.heredoc is not None:
        budget.spend((source.heredoc.end - source.heredoc.start) // 16)
        for line in islice(_LINE.finditer(script.text, source.heredoc.start, source.heredoc.end), MOST_LINES):
            yield [Word(*line.span(), None, "", single=False)]
    elif source.operator == "<<<" or (source.operator == "<" and script.text.startswith("<(", source.target.start)):
        yield [source.target]


def _redirection_text(redirection: Redirection) -> str | None:
    if redirection.descriptor not in {None, 0}:
        return None
    if redirection.heredoc is not None:
        return redirection.heredoc.literal
    if redirection.operator == "<<<" and redirection.target.literal is not None:
        return redirection.target.literal + "\n"
    return None


def _literal_output(command: SimpleCommand, script: Script, budget: Budget) -> str | None:
    """What `echo`, `printf` or `cat <<E` with literal words prints."""
    if not command.words or any(redirection is not command.input for redirection in command.redirections):
        return None
    words = [word.literal for word in command.words]
    literal = [word for word in words if word is not None]
    if len(literal) != len(words):
        return None
    name, *arguments = literal
    if name == "cat" and not arguments:
        return fed_text(command, script, budget)
    if name == "echo":
        end = "\n"
        if arguments[:1] == ["-n"]:
            end, arguments = "", arguments[1:]
        if (arguments and _ECHO_OPTIONS.fullmatch(arguments[0])) or any("\\" in each for each in arguments):
            return None  # what a backslash means differs between shells, and by an option of bash
        return " ".join(arguments) + end
    if name == "printf" and arguments and not arguments[0].startswith("-"):
        return format_printf(arguments[0], arguments[1:], budget)
    return None


ERRORS = 2
"""The descriptor of the standard error output."""

UNKNOWN_LINE = '"$(list)"'
"""A word of which nothing is known but that it is one."""

_PRINTING = frozenset({"-files0-from", "-printf", "-ls"})
_STARTING = ("-exec", "-ok", "-f")
"""Actions of `find` that print something else, or start what may, and those that write files (find(1), ACTIONS)."""


def lines_of(command: SimpleCommand | None, script: Script | None, budget: Budget) -> list[str] | None:
    """The lines that another command prints on a command's standard input, as words of bash are written.

    Of those that a `find` prints, where they begin is known. The start itself, and a name with a newline or a backslash
    in it, count as what is below, as `xargs` is read. None where no command prints them.
    """
    if writer(command, script) is None:
        return None
    starts = starts_of(command, script, budget)
    return [f"{quote(start.rstrip('/'))}/{UNKNOWN_LINE}" for start in starts] or [UNKNOWN_LINE]


def begins_of(command: SimpleCommand | None, script: Script | None, budget: Budget) -> str:
    """How all names begin that a `find` prints on a command's standard input; empty where that is not known."""
    starts = starts_of(command, script, budget)
    return starts[0] if len(starts) == 1 else ""


def starts_of(command: SimpleCommand | None, script: Script | None, budget: Budget) -> list[str]:
    """Where the `find` begins that prints what a command reads; none where nothing else is known to do so."""
    source = writer(command, script)
    while source is not None:
        command, script = source
        budget.spend(20 + 4 * len(command.words))
        words = [word.literal or "" for word in command.words]
        if not all(words) or any(each.descriptor != ERRORS for each in command.redirections):
            break
        if words[:1] == ["find"]:
            return _of_find(words)
        program = find(words[0]) if words[:1] else None
        if program is None or not passes(command.words, program):
            break
        source = writer(command, script)
    return []


def writer(command: SimpleCommand | None, script: Script | None) -> tuple[SimpleCommand, Script] | None:
    """The one command that writes into the standard input of another, by a pipe or as `< <(…)`, and where it is."""
    if command is None or script is None or command.input is None:
        return None
    if isinstance(command.input, Pipe):
        one = command.input.last - command.input.first == 1
        return (script.commands[command.input.first], script) if one else None
    target = command.input.target
    for each in script.substitutions if command.input.operator == "<" else ():
        if (each.kind, each.start, each.end) == ("process", target.start, target.end) and each.script.commands:
            return (each.script.commands[-1], each.script) if is_pipeline(each.script) else None
    return None


def lists(script: Script) -> bool:
    """Whether a script is a pipeline that prints names of files, which places then look for."""
    source = (script.commands[-1], script) if script.commands and is_pipeline(script) else None
    while source is not None:
        words = source[0].words
        program = find(words[0].literal or "") if words else None
        if program is None or not passes(words, program):
            return program is not None and bool(levels_of(words, program)[-1].row.names)
        source = writer(*source)
    return False


def is_pipeline(script: Script) -> bool:
    """Whether a script is one pipeline of simple commands."""
    pipes = [each.input for each in script.commands[1:]]
    return all(
        isinstance(pipe, Pipe) and (pipe.first, pipe.last) == (at, at + 1) for at, pipe in enumerate(pipes)
    ) and not isinstance(script.commands[0].input, Pipe)


def passes(words: Sequence[Word], program: Program) -> bool:
    """Whether a command prints lines of its input and nothing else."""
    harmless = frozenset(program.lines.split())
    if words[0].literal not in harmless:
        return False
    arguments = list(cut(words, program.syntax))
    roles = roles_beside(arguments, program.syntax)
    count = sum(each.option is None for each in arguments)
    found = [role_of(roles, number, count) for number in range(count)]
    known = all(each.option is None or not harmless.isdisjoint(each.names) for each in arguments)
    return known and all(role is not None and role.role == "data" for role in found)


def _of_find(words: Sequence[str]) -> list[str]:
    """Where a `find` begins that prints only names."""
    if any(word in _PRINTING or word.startswith(_STARTING) for word in words[1:]):
        return []
    return [word for word in words[1 : start_of(words)] if word not in {"-H", "-L", "-P"}] or ["."]


def format_printf(form: str, values: Sequence[str], budget: Budget) -> str | None:
    """What `printf` makes of a format; None where it holds more than `%s`, `%%` and simple escapes.

    The format is used again as long as there are values, so the outcome may be far longer than the text.
    """
    if not _PRINTF_PLAIN.fullmatch(form):
        return None
    rest, out = deque(values), []
    while True:
        took = False
        budget.spend(10 + 2 * len(form))
        for match in _PRINTF_PIECES.finditer(form):
            piece = match.group()
            if piece == "%s":
                took = True
                out.append(rest.popleft() if rest else "")
            elif piece == "%%":
                out.append("%")
            else:
                out.append(_ESCAPES[match[1]] if match[1] else piece)
        if not rest or not took:
            return "".join(out)


_RUNS = frozenset({"builtin", "command", "eval", "exec"})
"""Builtins that run their arguments, which are commands of their own."""

_GIT = frozenset({"add", "branch", "describe", "diff", "log", "ls-files", "remote", "rev-parse", "show", "status"})
"""Subcommands of git that read no standard input, without the options below (their manuals)."""

_FINDS = frozenset({None, "-ok", "-okdir", "-files0-from"})
"""Primaries with which find reads it (find(1)), or which only bash can know."""

_ASKS = ("--patch", "--interactive", "--edit", "--stdin", "--pathspec-from-file")
"""Options by which these ask or read names."""

_SAYS = pattern(r"^[ \t]*+[^#\s]", MULTILINE)


def strays(script: Script, commands: Sequence[Command]) -> str | None:
    """Why the shell may run something else than the text says, in words behind its own name; None if it cannot.

    Args:
        script: the text that a shell reads from its standard input.
        commands: what it starts, in texts and substitutions within it too.
    """
    functions = {function.name for function in script.functions}
    ends = [(binding.end, "select") for binding in script.bindings if binding.how == "select"]
    for command in commands:
        if command.possible or command.name in functions:
            continue
        if command.name == "exec" and command.simple is not None and command.simple.input is not None:
            return "goes on with another input, because of `exec`"
        if not leaves(command):
            simple, here = command.simple, command.where.script
            own = simple is not None and here is not None and here.text is script.text
            ends.append((simple.end if own and simple is not None else 0, command.name or "a command"))
    end, name = min(ends, default=(len(script.text), None))
    _, _, rest = script.text[end:].partition("\n")
    if name is None or not _SAYS.search(rest):
        return None
    return (
        f"may run something else than this text, because {name} may take lines of it; `</dev/null` keeps it from that"
    )


def leaves(command: Command, *, piped: bool = False) -> bool:
    """Whether a command is sure to take nothing of its shell's standard input, or of what it is handed if `piped`."""
    if not piped and command.simple is not None and command.simple.input and _is_other(command.simple.input):
        return True
    row, literals = command.program, command.literals
    if row is None or not all(is_quiet(literal) for literal in literals[1:]):
        return False
    if "builtin" in row.traits:
        return command.name in _RUNS or row.traits.isdisjoint({"takes", "code"})
    if row.name == "find":
        return _FINDS.isdisjoint(literals)
    if "asks" in row.traits:
        return not any(_is_asking(literal or "", "iI") for literal in literals[1:])
    row, _, _, sure, arguments, *_ = command.levels[-1]
    if row.parent is not None and ("repository" not in row.parent.traits or row.name not in _GIT):
        return False
    if row.parent is not None:
        return not any(_is_asking(literal or ("" if piped else "-i"), "eip") for literal in literals[1:])
    if "looks" not in row.traits or not sure:
        return False
    operands = [each for each in arguments if each.option is None]
    roles = roles_beside(arguments, row.syntax)
    found = [role_of(roles, number, len(operands)) for number in range(len(operands))]
    plain = [each for each, role in zip(operands, found, strict=True) if role is not None and role.role == "read"]
    none = row.syntax.operands == () or any(role.role == "look" for role in row.syntax.operands)
    return none or any(command.literals[each.at] for each in plain)


def _is_other(source: Redirection | Pipe) -> bool:
    """Whether an input is sure to be another than the shell's own."""
    if isinstance(source, Pipe) or source.heredoc is not None or source.operator == "<<<":
        return True
    name = source.target.literal
    if source.operator not in {"<", "<>"} or not name:
        return False
    return name == "/dev/null" or not name.startswith(("/dev/", "/proc/"))


def is_quiet(literal: str | None) -> bool:
    """Whether a word names no standard input (`-`, `-f-`, `--file=-`, `/dev/stdin`)."""
    if not literal or literal == "--":
        return True
    named = literal == "-" or (literal[0] == "-" and literal[-1] == "-")
    return not named and literal.rpartition("=")[2] not in STDIN


def _is_asking(literal: str, letters: str) -> bool:
    """Whether a word may be an option that lets a program ask, or read names."""
    if literal.startswith("--"):
        return literal != "--" and any(each.startswith(literal.partition("=")[0]) for each in _ASKS)
    return literal.startswith("-") and not set(letters).isdisjoint(literal)


MOST = 64
"""Recipes that are looked at."""

_SPLICE = pattern(r"\\\n\t?")
_RECIPE = pattern(r"\t[-@+ \t]*+(.+)|[^\t#:;\n]*+:[^#;\n]*+;[-@+ \t]*+(.+)|[^#=!\n]*+!=[ \t]*+(.+)")
"""A line of a recipe, one behind its rule, and an assignment of what a shell prints (GNU make manual, Rule Syntax)."""

_SHELL = pattern(r"\$\(shell[ \t]+([^()]*)\)")


def started_by_make(command: Command, program: Program, script: Script | None, budget: Budget) -> Iterator[str]:
    """The texts for a shell in a makefile that is literal on the command's standard input."""
    values = [each.literal for each in cut(command.words, program.syntax) if "-f" in each.names]
    if STDIN.union("-").isdisjoint(values):
        return
    text = _SPLICE.sub(" ", fed_text(command.simple, script, budget) or "")
    budget.spend(len(text) // 8)
    recipes = (match[match.lastindex or 1] for match in map(_RECIPE.match, text.split("\n")) if match is not None)
    for each in islice(chain(recipes, _SHELL.findall(text)), MOST):
        yield each.replace("$$", "$")
