"""What a command reads from its standard input, where the text says so."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.syntax.nodes import Pipe, Redirection, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.budget import Budget
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
_DOCUMENT = pattern(r"""\$\([ \t\n]*cat[ \t]*<<-?[ \t]*(?:'[^'\n]+'|"[^"\n$`\\]+"|\\?\w+)[ \t]*\n""", re.ASCII)
_DOCUMENT_END = pattern(r"[^\n)]++[ \t\n]*+\)")
"""How `$(cat <<'E'` begins up to its text, and what is behind that."""

_LINE = pattern(r"[^\n]+")
MOST_LINES = 64
"""Lines of a here-document that are looked at where its text is not sure."""

_EXPANDED = pattern(r"[$`\\]")
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
        return _printed(script.commands[command.input.first], script, budget)
    return _redirected(command.input)


def printed_by(substitution: Substitution, budget: Budget) -> str | None:
    """What a substitution gives that holds one `echo`, `printf` or `cat <<E` with literal words; None for others."""
    script = substitution.script
    if len(script.commands) != 1 or script.commands[0].input not in (None, *script.commands[0].redirections):
        return None
    return _printed(script.commands[0], script, budget)


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


def _redirected(redirection: Redirection) -> str | None:
    if redirection.descriptor not in {None, 0}:
        return None
    if redirection.heredoc is not None:
        return redirection.heredoc.literal
    if redirection.operator == "<<<" and redirection.target.literal is not None:
        return redirection.target.literal + "\n"
    return None


def _printed(command: SimpleCommand, script: Script, budget: Budget) -> str | None:
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
        if (arguments and re.fullmatch(r"-[neE]+", arguments[0])) or any("\\" in each for each in arguments):
            return None  # what a backslash means differs between shells, and by an option of bash
        return " ".join(arguments) + end
    if name == "printf" and arguments and not arguments[0].startswith("-"):
        return formatted(arguments[0], arguments[1:], budget)
    return None


def formatted(form: str, values: Sequence[str], budget: Budget) -> str | None:
    """What `printf` makes of a format; None where it holds more than `%s`, `%%` and simple escapes.

    The format is used again as long as there are values, so the outcome may be far longer than the text.
    """
    if not _PRINTF_PLAIN.fullmatch(form):
        return None
    rest, out = deque(values), []
    while True:
        took = False
        budget.spend(10 + 2 * len(form))
        for match in re.finditer(r"%%|%s|\\(.)|[^%\\]+", form, re.DOTALL):
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
