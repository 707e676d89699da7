"""Builtins of bash that run text, bind names, evaluate operands, or change how the rest is read.

Each function says to the reader what its builtin does with literal and computed words (bash manual, Bourne Shell
Builtins and Bash Builtins; which operands are evaluated was tried with bash 5.2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from asimi.call import Verdict
from asimi.reading.commands import Command, Escape
from asimi.reading.fed import fed_text
from asimi.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from asimi.call import Span
    from asimi.syntax.nodes import Script

    class Listener(Protocol):
        """What a builtin is told to: see `Reader`."""

        def find(self, code: str, message: str, span: Span | None, verdict: Verdict = ..., *, hidden: bool = ...) -> None: ...
        def refuse_substitution(self, span: Span, message: str = ...) -> None: ...
        def evaluate(self, word: Word, span: Span, how: str = ...) -> None: ...
        def bind(
            self, name: str, values: Sequence[Word] | None, span: Span, *, exported: bool = ..., append: bool = ..., subscript: str | None = ...
        ) -> None: ...
        def nested(
            self, text: str, command: Command, via: str | None, place: Span | None, depth: int, *, loose: bool = ..., plain: bool = ...
        ) -> None: ...
        def command(self, command: Command, script: Script | None = ..., place: Span | None = ..., depth: int = ...) -> None: ...

    Builtin = Callable[[Listener, Command, Script | None, Span | None, int], None]

STDIN = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}
NAMED = re.compile(r"([A-Za-z_]\w*)(?:\[(.*?)\])?(\+?=)?(.*)", re.DOTALL | re.ASCII)
HARMLESS_SHOPT = {
    "nullglob", "failglob", "dotglob", "globstar", "nocaseglob", "nocasematch", "inherit_errexit", "lastpipe", "checkwinsize", "globskipdots",
    "globasciiranges", "huponexit", "cmdhist", "histappend", "xpg_echo", "patsub_replacement", "assoc_expand_once", "varredir_close",
}  # fmt: skip
HARMLESS_SET = {"errexit", "nounset", "pipefail", "errtrace", "functrace", "verbose", "xtrace", "noglob", "noclobber", "monitor", "notify", "onecmd", "noexec", "physical", "hashall", "braceexpand"}
HARMLESS_SET_LETTERS = set("euETvxfCmbtnPhB")


def _operands(words: Sequence[Word], valued: str, start: int = 1) -> tuple[list[tuple[str, Word | None]], list[Word], bool]:
    """The options (letter, value), the operands, and whether all options were literal."""
    options: list[tuple[str, Word | None]] = []
    index, sure = start, True
    while index < len(words):
        word = words[index]
        known = word.head if word.literal is None else word.literal
        if word.literal == "--":
            return options, list(words[index + 1 :]), sure
        if not (known.startswith("-") and len(known) > 1):
            sure = sure and not (word.literal is None and not known)
            break
        sure = sure and word.literal is not None
        for place, letter in enumerate(known[1:], 1):
            if letter not in valued:
                options.append((letter, None))
                continue
            rest = known[place + 1 :]
            if rest:
                options.append((letter, Word(word.start, word.end, rest if word.literal is not None else None, rest, single=True)))
            else:
                index += 1
                options.append((letter, words[index] if index < len(words) else None))
            break
        index += 1
    return options, list(words[index:]), sure


def _span(word: Word, place: Span | None) -> Span:
    return place or (word.start, word.end)


def _bind_operand(reader: Listener, word: Word, place: Span | None, values: Sequence[Word] | None, *, exported: bool = False) -> None:
    """A word that names the variable to bind."""
    span = _span(word, place)
    known = word.head if word.literal is None else word.literal
    match = NAMED.match(known)
    if "[" in known:
        reader.evaluate(word, span, "reference")
    if word.literal is None and not (match and match[3]):
        reader.find("dynamic", "which variable this names, only bash can know", span)
        return
    if match:
        reader.bind(match[1], values, span, exported=exported)


def _eval(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    words = [word for word in command.words[1:] if word.literal != "--"]
    if any(word.literal is None for word in words):
        _hidden(reader, command, "the text that eval runs, only bash can know")
        for start in range(len(words)):  # what forbids still looks at what is known
            if words[start].literal is not None:
                tail = " ".join(word.literal or "_" for word in words[start:])
                reader.nested(tail, Command(command.words, command.span, possible=True), "eval", place or command.span, depth)
        return
    if words:
        reader.nested(" ".join(word.literal or "" for word in words), command, "eval", place or (words[0].start, words[-1].end), depth)


def _hidden(reader: Listener, command: Command, message: str) -> None:
    if not command.possible:
        reader.find("dynamic", message, command.span, hidden=True)


def _source(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    operands = [word for word in command.words[1:] if word.literal != "--"]
    if not operands:
        return
    literal = operands[0].literal
    if literal in STDIN:
        text = fed_text(command.simple, script)
        if text is not None:
            reader.nested(text, command, command.name, place, depth)
            return
        _hidden(reader, command, "what is read and run here is not known")
    elif literal is None:
        _hidden(reader, command, "which file is read and run here, only bash can know")
    else:
        command.escapes.append(Escape(command.words.index(operands[0]), f"this reads the file {literal} and runs it"))


def _trap(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, operands, _ = _operands(command.words, "")
    if options or len(operands) < 2:
        if operands and operands[0].literal is None:
            _hidden(reader, command, "the text that trap runs, only bash can know")
        return
    action = operands[0]
    if action.literal is None:
        _hidden(reader, command, "the text that trap runs, only bash can know")
    elif action.literal not in {"", "-"} and not action.literal.isdigit():
        reader.nested(action.literal, command, "trap", _span(action, place), depth)


def _callback(letter: str, valued: str) -> Builtin:
    """A builtin that runs the value of one option as text (`mapfile -C`, `compgen -C`)."""

    def read(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
        options, operands, sure = _operands(command.words, valued)
        for option, value in options:
            if option in letter:
                if value is None or value.literal is None:
                    _hidden(reader, command, f"what `-{option}` runs, only bash can know")
                else:
                    reader.nested(value.literal, command, command.name, _span(value, place), depth)
            elif option == "W" and value is not None:
                reader.evaluate(value, _span(value, place))
        if command.name in {"mapfile", "readarray"}:
            if not sure:
                reader.find("dynamic", f"the options of {command.name} are computed", command.span)
            for word in operands[:1]:
                _bind_operand(reader, word, place, None)

    return read


def _read(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, operands, sure = _operands(command.words, "adinNptu")
    if not sure:
        reader.find("dynamic", "the options of read are computed", command.span)
    text = fed_text(command.simple, script)
    values = None
    if text is not None:
        values = [Word(command.span[0], command.span[1], text, text, single=True)]
    names = [value for option, value in options if option == "a" and value is not None] + operands
    for word in names:
        _bind_operand(reader, word, place, values)


def _printf(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, operands, sure = _operands(command.words, "v")
    if not sure and len(command.words) > 2:
        reader.find("dynamic", "the first argument of printf is computed; `-v NAME` would evaluate NAME", command.span)
    for option, value in options:
        if option == "v" and value is not None:
            values = operands if all(word.literal is not None for word in operands) else None
            _bind_operand(reader, value, place, values)


def _getopts(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    for word in command.words[2:3]:
        _bind_operand(reader, word, place, None)


def _let(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    for word in command.words[1:]:
        reader.evaluate(word, _span(word, place))
        match = re.match(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", word.literal or word.head)
        if match:
            reader.bind(match[1], (), _span(word, place))


def _wait(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, _, _ = _operands(command.words, "p")
    for option, value in options:
        if option == "p" and value is not None:
            _bind_operand(reader, value, place, ())


def _unset(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, operands, _ = _operands(command.words, "")
    if ("f", None) in options:
        reader.find("rebinding", "unsetting a function makes its name stand for something else", command.span)
        return
    for word in operands:
        _bind_operand(reader, word, place, ())


def _test(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    words = command.words
    for index, word in enumerate(words[1:-1], 1):
        if word.literal in {"-v", "-R"}:
            reader.evaluate(words[index + 1], _span(words[index + 1], place), "reference")


def _declare(*, exported: bool) -> Builtin:
    """`declare`, `local`, `export`, `readonly`: operands are `NAME[=VALUE]`."""

    def read(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
        letters = ""
        for word in command.words[1:]:
            known = word.head if word.literal is None else word.literal
            span = _span(word, place)
            if known[:1] in {"-", "+"} and len(known) > 1 and "=" not in known:
                letters += known[1:] if known[0] == "-" else ""
                if word.literal is None:
                    reader.find("dynamic", f"the options of {command.name} are computed", span)
                continue
            match = NAMED.fullmatch(known)
            if "f" in letters or "F" in letters:
                if "x" in letters or exported:
                    reader.find("rebinding", "an exported function takes a name in every bash that is started", span)
                continue
            if "n" in letters and not exported:
                reader.find("rebinding", "a nameref lets one name stand for another", span)
                if match and match[3] and word.literal is not None:
                    reader.evaluate(Word(word.start, word.end, match[4], match[4], single=True), span, "reference")
                continue
            if match is None or (word.literal is None and not match[3]):
                if word.literal is None:
                    reader.find("dynamic", "which variable this names, only bash can know", span)
                elif "[" in known:
                    reader.evaluate(word, span, "reference")
                continue
            value = Word(word.start, word.end, match[4] if word.literal is not None else None, match[4], single=True)
            if match[2] is not None:
                name_only = f"{match[1]}[{match[2]}]"
                reader.evaluate(Word(word.start, word.end, name_only, name_only, single=True), span, "reference")
            if "i" in letters and match[3] and not known.partition("=")[2].startswith("("):
                reader.evaluate(value, span)
            values = [value] if match[3] else ()
            if not match[3] and not (exported or "x" in letters):
                continue
            reader.bind(match[1], values, span, exported=exported or "x" in letters, append=match[3] == "+=")

    return read


def _set(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    words = command.words[1:]
    for index, word in enumerate(words):
        literal = word.literal
        if literal is None:
            if index == 0 and not word.head:
                reader.find("dynamic", "the options of set are computed", command.span)
            return
        if literal == "--" or literal[:1] not in {"-", "+"}:
            return
        bad = [letter for letter in literal[1:] if letter not in HARMLESS_SET_LETTERS and letter != "o"]
        if literal[0] == "-" and bad:
            reader.find("rebinding", f"`set {literal}` changes how the rest is read or what programs see", _span(word, place))
        if "o" in literal[1:]:
            value = words[index + 1].literal if index + 1 < len(words) else ""
            if literal[0] == "-" and value and value not in HARMLESS_SET:
                reader.find("rebinding", f"`set -o {value}` changes how the rest is read or what programs see", _span(word, place))
            if value is None:
                reader.find("dynamic", "the options of set are computed", command.span)
            return


def _shopt(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, operands, _ = _operands(command.words, "")
    letters = {letter for letter, _ in options}
    harmless = HARMLESS_SET if "o" in letters else HARMLESS_SHOPT
    for word in operands:
        if "s" in letters and word.literal not in harmless:
            reader.find("rebinding", f"`shopt -s {word.literal or '…'}` changes how the rest is read", _span(word, place))


def _alias(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    for word in command.words[1:]:
        if "=" in (word.literal if word.literal is not None else word.head + "="):
            reader.find("rebinding", "an alias makes a name stand for something else", _span(word, place))
            if word.literal is not None:
                reader.nested(word.literal.partition("=")[2], Command(command.words, command.span, possible=True), "alias", place or command.span, depth)


def _hash(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    options, _, sure = _operands(command.words, "p")
    if not sure or any(letter == "p" for letter, _ in options):
        reader.find("rebinding", "`hash -p` makes a name stand for another program", command.span)


def _enable(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    if len(command.words) > 1:
        reader.find("rebinding", "`enable` makes a name stand for another command", command.span)


def _bind_keys(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    if len(command.words) > 1:
        reader.find("code", "`bind` can run commands", command.span)


def _jobs(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    if len(command.words) > 2 and command.words[1].literal == "-x":
        words = command.words[2:]
        reader.command(Command(words, place or (words[0].start, words[-1].end), "jobs", command.simple), script, place, depth + 1)


def _fc(reader: Listener, command: Command, script: Script | None, place: Span | None, depth: int) -> None:
    if not any((word.literal or "").startswith("-l") for word in command.words):
        _hidden(reader, command, "`fc` runs commands from the history")


BUILTINS: dict[str, Builtin] = {
    "eval": _eval, "source": _source, ".": _source, "trap": _trap,
    "mapfile": _callback("C", "CcdnOsu"), "readarray": _callback("C", "CcdnOsu"),
    "compgen": _callback("CF", "oAGWFCXPSV"), "complete": _callback("", "oAGWFCXPS"),
    "read": _read, "printf": _printf, "getopts": _getopts, "let": _let, "wait": _wait, "unset": _unset,
    "test": _test, "[": _test,
    "declare": _declare(exported=False), "typeset": _declare(exported=False), "local": _declare(exported=False),
    "readonly": _declare(exported=False), "export": _declare(exported=True),
    "set": _set, "shopt": _shopt, "alias": _alias, "hash": _hash, "enable": _enable, "bind": _bind_keys, "jobs": _jobs, "fc": _fc,
}  # fmt: skip
