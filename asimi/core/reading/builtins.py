"""What runs text, binds names, evaluates operands or changes how the rest is read: builtins of bash, assignments.

Each function says to the reader what its builtin does with literal and computed words (bash manual, Bourne Shell
Builtins and Bash Builtins; which operands are evaluated was tried with bash 5.2).
"""

from __future__ import annotations

from re import ASCII, DOTALL
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.variables import (
    BELOW,
    HARMLESS_SET,
    HARMLESS_SET_LETTERS,
    HARMLESS_SHOPT,
    INTEGER,
    NUMERIC,
    OWN_CODE,
    OWN_PATHS,
    REBINDING,
    is_customary,
)
from asimi.core.reading import evaluation
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut, part
from asimi.core.reading.commands import CODE, ENTERS, Command, Escape, base
from asimi.core.reading.results import is_number
from asimi.core.reading.starts import read_partly, read_printed
from asimi.core.reading.stdin import STDIN, fed_text, format_printf, lines_of
from asimi.core.syntax import parse, quote
from asimi.core.syntax.nodes import Redirection, Word
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from re import Match

    from asimi.core.budget import Budget
    from asimi.core.reading.commands import Where
    from asimi.core.reading.reader import Reader
    from asimi.core.syntax.nodes import Binding, Script

    Builtin = Callable[[Reader, Command, Where], None]

NAMED = pattern(r"([A-Za-z_]\w*)(?:\[(.*?)\])?(\+?=)?(.*)", DOTALL | ASCII)
_KEEPING = frozenset("giIrtx")
"""Options with which a variable holds what it is given, or the number it is (bash manual, Bash Builtins, declare)."""

_READING = frozenset({"braceexpand", "extquote", None})
"""Options that decide how words are read where they are turned off; None is one that only bash can know."""

_COUNTING = pattern(r"%[-+ #0-9.*hlLqjzt']*+n")

LET = pattern(r"\s*([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", ASCII)


JOINED = pattern(r"""[\w}"'](\()""")
"""A parenthesis behind an expansion or a quoted text, which may end in the `$` that makes it a substitution."""

_RANGE = pattern(r"\{-?\d{1,9}\.\.-?\d{1,9}(?:\.\.-?\d{1,9})?\}", ASCII)
_INDICES = pattern(r'"?\$\{!\w+\[[@*]\]\}"?')


class Arguments(NamedTuple):
    """The arguments of a builtin.

    Attributes:
        options: each option with its value, if it takes one.
        operands: the rest.
        sure: whether every word that could be an option is literal.
    """

    options: list[tuple[str, Word | None]]
    operands: list[Word]
    sure: bool


def _arguments(command: Command) -> Arguments:
    """Cut the arguments of a builtin."""
    words, sure = command.words, True
    options: list[tuple[str, Word | None]] = []
    assert command.program is not None
    for argument in cut(words, command.program.syntax):
        word = words[argument.at]
        if argument.option is None or argument.option is COMPUTED:
            sure = sure and argument.option is None
            return Arguments(options, list(words[argument.at :]), sure)
        if argument.option is not SEPARATOR:
            value = argument.value
            sure = sure and word.literal is not None and (value is None or value.single)
            options.append((argument.text, value))
    return Arguments(options, [], sure)


def _bind(
    reader: Reader,
    word: Word,
    where: Where,
    values: Sequence[Word] | None,
    written: Sequence[str] | None = None,
    holds: int = 0,
) -> None:
    """Read an operand that names the variable to bind; up to `holds`, it is sure to be bound to what is `written`."""
    span = where.span(word)
    reader.notes.refer(word, span, reader.names_in(word, where))
    match = NAMED.match(word.literal or "")
    if match:
        if match[1] in INTEGER and values is None:  # then what it gets may come from any of them
            reader.notes.evaluate_values((*reader.notes.variables.names(), match[1], "@"), span)
        reader.notes.bind(match[1], values, span, written=written, holds=holds)
    elif values is None or values:
        reader.notes.bind_any(span)
        for value in values or ():
            reader.notes.give(value.literal or "", span)
    else:  # it is unset, or gets a number
        reader.notes.variables.lose(span[0])


def _run(reader: Reader, text: str, command: Command, where: Where, *, possible: bool = False) -> None:
    """Read a text that a builtin runs."""
    inside = where._replace(via=command.name, depth=where.depth + 1, possible=where.possible or possible)
    reader.text(text, inside._replace(shown_at=where.shown_at or command.span))


def _eval(reader: Reader, command: Command, where: Where) -> None:
    words = command.words[1 + (len(command.words) > 1 and command.words[1].literal == "--") :]
    literals = [word.literal for word in words]
    if None not in literals:
        _run(reader, " ".join(word.literal or "" for word in words), command, where)
        return
    reader.notes.variables.lose(command.span[0])
    reader.report_hidden("eval runs text that only bash can know", where, command.span)
    read_partly(reader, words, where._replace(via=command.name, depth=where.depth + 1, shown_at=command.span))


def _source(reader: Reader, command: Command, where: Where) -> None:
    operands = _arguments(command).operands
    if not operands:
        return
    literal = operands[0].literal
    reader.notes.variables.lose(command.span[0])
    if literal is None:
        reader.report_hidden("this reads and runs a file that only bash can know", where, command.span)
        read_printed(
            reader, operands[0], where._replace(via=command.name, depth=where.depth + 1, shown_at=command.span)
        )
    elif literal not in STDIN:
        index = command.words.index(operands[0])
        reader.escape(command, Escape(index, f"this reads the file {literal} and runs it", kinds=CODE))
    elif (text := fed_text(command.simple, where.script, reader.budget)) is not None:
        _run(reader, text, command, where)
    else:
        reader.report_hidden("this reads and runs text that is not known", where, command.span)


def _trap(reader: Reader, command: Command, where: Where) -> None:
    options, operands, sure = _arguments(command)
    if options or (len(operands) < 2 and sure):
        return
    action = operands[0].literal
    if action is None:
        reader.report_hidden("trap runs text that only bash can know", where, command.span)
        read_partly(
            reader, operands[:1], where._replace(via=command.name, depth=where.depth + 1, shown_at=command.span)
        )
    elif action not in {"", "-"} and not action.isdigit():
        _run(reader, action, command, where)


def _mapfile(reader: Reader, command: Command, where: Where) -> None:
    options, operands, sure = _arguments(command)
    if not sure:
        reader.notes.find("dynamic", f"the options of {command.name} are computed", command.span)
    _callbacks(reader, command, where, options, ("-C",))
    values = _stdin_words(reader, command, where)
    for word in operands[:1]:
        _bind(reader, word, where, values)
    if not operands:
        reader.notes.bind("MAPFILE", values, command.span)


def _compgen(reader: Reader, command: Command, where: Where) -> None:
    options, _, _ = _arguments(command)
    _callbacks(reader, command, where, options, ("-C", "-F"))
    for option, value in options:
        if option == "-W" and value is not None:
            reader.notes.evaluate_word(value, where.span(value), reader.names_in(value, where))


def _callbacks(
    reader: Reader, command: Command, where: Where, options: Sequence[tuple[str, Word | None]], names: Sequence[str]
) -> None:
    """Read the texts that options make a builtin run."""
    for option, value in options:
        if option in names and value is not None:
            if value.literal is None:
                reader.report_hidden(f"`{option}` runs text that only bash can know", where, command.span)
            else:
                _run(reader, f"{value.literal} $callback", command, where)  # bash adds words of its own


def _read(reader: Reader, command: Command, where: Where) -> None:
    options, operands, sure = _arguments(command)
    if not sure:
        reader.notes.find("dynamic", "the options of read are computed", command.span)
    values = _stdin_words(reader, command, where)
    names = [value for option, value in options if option == "-a" and value is not None] + operands
    lines, holds = None, 0
    whole = all(option == "-r" or (option == "-d" and value and value.literal == "") for option, value in options)
    if len(operands) == 1 and sure and whole:
        lines = lines_of(command.simple, where.script, reader.budget)
        holds = command.simple.then if command.simple is not None and where.shown_at is None else 0
    for word in names:
        _bind(reader, word, where, values, lines, holds)
    if not names:
        reader.notes.bind("REPLY", values, command.span)


def _stdin_words(reader: Reader, command: Command, where: Where) -> list[Word] | None:
    """What a variable gets from standard input, with and without its backslashes; None where only bash can know."""
    text = fed_text(command.simple, where.script, reader.budget)
    if text is None:
        source = command.simple.input if command.simple is not None else None
        if isinstance(source, Redirection) and source.operator == "<<<":
            reader.give_quoted(source.target, where)
        return None
    return [Word(*command.span, each, each, single=True) for each in dict.fromkeys((text, text.replace("\\", "")))]


def _printf(reader: Reader, command: Command, where: Where) -> None:
    options, operands, sure = _arguments(command)
    if not sure and (len(command.words) > 2 or not command.words[1].single):
        reader.notes.variables.lose(command.span[0])
        reader.notes.find(
            "dynamic", "the first argument of printf is computed, and `-v NAME` looks NAME up", command.span
        )
    _counts(reader, operands, where)
    for _, name in options:
        if name is not None:
            literals = [word.literal for word in operands if word.literal is not None]
            known = len(literals) == len(operands) > 0
            for operand in operands:
                reader.notes.give(operand.literal or "", where.span(operand))
                if operand.literal is None:
                    reader.give_quoted(operand, where)
            text = format_printf(literals[0], literals[1:], reader.budget) if known else None
            _bind(reader, name, where, None if text is None else [Word(*command.span, text, text, single=True)])


def _counts(reader: Reader, operands: Sequence[Word], where: Where) -> None:
    """Read the operands of `printf` as variables that get a number, if its format has `%n` (bash manual, printf)."""
    if operands and _COUNTING.search((operands[0].literal or operands[0].head).replace("%%", "")):
        for word in operands[1:]:
            _bind(reader, word, where, ())


def _getopts(reader: Reader, command: Command, where: Where) -> None:
    if not all(word.single for word in command.words[:3]):
        reader.notes.variables.lose(command.span[0])
    operands = _arguments(command).operands
    for word in operands[1:2]:
        _bind(reader, word, where, None)
    if operands and operands[0].literal is None:  # it could be `--`
        reader.notes.variables.lose(command.span[0])
    reader.notes.bind("OPTARG", None, command.span)
    for text, span in command.texts:
        reader.notes.give(text, span)


def _let(reader: Reader, command: Command, where: Where) -> None:
    for word in command.words[1:]:
        reader.notes.evaluate_word(word, where.span(word), reader.names_in(word, where))
        match = LET.match(word.literal or word.head)
        if word.literal is None:
            reader.notes.variables.lose(command.span[0])
        if match:
            reader.notes.bind(match[1], (), where.span(word))


def _wait(reader: Reader, command: Command, where: Where) -> None:
    options, _, sure = _arguments(command)
    if not sure:
        reader.notes.variables.lose(command.span[0])
    for option, name in options:
        if option == "-p" and name is not None:
            _bind(reader, name, where, ())


def _unset(reader: Reader, command: Command, where: Where) -> None:
    options, operands, _ = _arguments(command)
    if ("-f", None) in options:
        reader.notes.find("rebinding", "unsetting a function changes what its name means", command.span)
        return
    for word in operands:
        _bind(reader, word, where, ())
        if ("-v", None) not in options:
            reader.unset.add(word.literal or "")


def _test(reader: Reader, command: Command, where: Where) -> None:
    words, computed = command.words[1:], False
    operator = len(words) - (command.name == "[") == 2
    for index, word in enumerate(words):
        if word.literal in {"-v", "-R"} and index + 1 < len(words):
            operand = words[index + 1]
            reader.notes.refer(operand, where.span(operand), reader.names_in(operand, where))
        if word.literal is None and index + 1 < len(words) and words[index + 1].literal is not None:
            # It could be `-v`, which looks its operand up.
            reader.notes.refer(words[index + 1], where.span(words[index + 1]))
        if word.literal is None and (not word.single or (operator and not index)):
            # An operator may come out of it, and `-v` looks its operand up.
            reader.notes.evaluate_values(reader.names_in(word, where), where.span(word))
            computed = True
    for text, span in command.texts if computed else ():
        reader.notes.give(text, span)


def _declare(reader: Reader, command: Command, where: Where) -> None:
    """Read `declare`, `local`, `export`, `readonly`: their operands are `NAME[=VALUE]`."""
    letters = {"x"} if command.name == "export" else set()
    for word in command.words[1:]:
        known = word.head if word.literal is None else word.literal
        span = where.span(word)
        if known[:1] in {"-", "+"} and len(known) > 1 and "=" not in known:
            letters.update(known[1:] if known[0] == "-" else "")
            if word.literal is None:
                reader.notes.find("dynamic", f"the options of {command.name} are computed", span)
                letters.add("i")  # the most dangerous one
            continue
        match = NAMED.fullmatch(known)
        outside = command.name == "local" and not (command.simple is not None and command.simple.function)
        if match is not None and (outside or not _KEEPING.issuperset(letters)):
            reader.notes.variables.forget(match[1])
        if match is not None and "i" in letters:
            reader.notes.variables.integers.add(match[1])
        if "f" in letters or "F" in letters:
            if "x" in letters:
                reader.notes.find("rebinding", "an exported function takes a name in every bash that is started", span)
        elif match is None or (word.literal is None and not match[3]):
            reader.notes.refer(word, span, reader.names_in(word, where))
            reader.notes.variables.lost = True  # it could be a nameref
            reader.notes.bind_any(span)
            reader.give_quoted(word, where)
            _element(reader, command.text_of(word), letters, where._replace(shown_at=span))
        else:
            _declare_operand(reader, command, word, match, letters, where)


def _element(reader: Reader, written: str, letters: Collection[str], where: Where) -> None:
    """Read `NAME[SUBSCRIPT]=VALUE`, which is a pattern to the reader of words and an assignment to `declare`."""
    try:
        script = parse(written, reader.budget)
    except ShellSyntaxError:
        return
    span, inside = where.shown_at or (0, 0), where._replace(script=script)
    for binding in script.bindings:
        if "i" in letters:
            reader.notes.evaluate_values((binding.name,), span)
            for value in binding.values:
                reader.notes.evaluate_word(value, span, reader.names_in(value, inside))
        for value in binding.values:
            if value.literal is None:
                reader.give_quoted(value, inside)
        reader.notes.bind(
            binding.name,
            binding.values,
            span,
            exported="x" in letters,
            append=binding.append,
            subscript=binding.subscript,
        )


def _declare_operand(
    reader: Reader, command: Command, word: Word, match: Match[str], letters: Collection[str], where: Where
) -> None:
    """Read one `NAME[=VALUE]`."""
    name, subscript, assigns, text = match.groups()
    span, value = where.span(word), part(word, text)
    reference = command.name != "export" and "n" in letters
    if reference:
        reader.notes.find("rebinding", "a nameref makes one name mean another", span)
        reader.notes.variables.lost = True
        reader.notes.bind_any(span)
        if assigns:
            reader.notes.refer(value, span, reader.names_in(value, where))
    if subscript is not None:
        reader.notes.refer(Word(word.start, word.end, f"{name}[{subscript}]", "", single=True), span)
    compound = "=(" in command.text_of(word) or (word.literal is not None and text.startswith("("))
    if assigns and "i" in letters and not compound:
        reader.notes.evaluate_word(value, span, reader.names_in(value, where))
    if "i" in letters:
        reader.notes.evaluate_values((name,), span)
    if word.literal is not None and compound:  # quoted parentheses are a compound assignment here, and expanded
        reader.script(_compound(text, reader.budget), where._replace(shown_at=span, depth=where.depth + 1))
    elif word.literal is None and not {"a", "A"}.isdisjoint(letters) and not compound:
        reader.notes.find("dynamic", f"only bash can know what {command.name} makes of this value", span)
    elif assigns and word.literal is None and command.name != "export":
        reader.redeclared.append((name, span))
    given, _, raw = command.source[word.start : word.end].partition("=")  # as a tilde in quotes is none
    if (
        given != name
        or command.via in {"builtin", "command"}
        or not command.source.startswith(command.name or "?", command.words[0].start)
    ):
        raw = ""  # bash splits words in what it does not know to be an assignment
    if "r" in letters or command.name == "readonly":
        reader.notes.variables.fix(name)
    if assigns or "x" in letters or name in REBINDING:  # without a value it is unset, and `ls` may be `./ls`
        known = assigns == "=" and subscript is None and word.literal is not None and not compound
        reader.notes.bind(
            name,
            [value] if assigns else (),
            span,
            exported="x" in letters,
            append=assigns == "+=",
            written=[quote(text)] if known else None,
            free=assigns == "=" and subscript is None and is_customary(name, raw),
        )
    elif command.name != "export":
        reader.notes.variables.give(name, span[0], 0, None)  # in a function it hides the value outside


def _compound(text: str, budget: Budget) -> Script:
    """What bash expands in the value `(…)` of a compound assignment; a broken one does nothing that is known."""
    try:
        return parse(f"_={text}", budget)
    except ShellSyntaxError:
        return parse("$(:)" if evaluation.suspicious(text) else ":")


def _set(reader: Reader, command: Command, where: Where) -> None:
    words = iter(command.words[1:])
    for word in words:
        literal, span = word.literal, where.span(word)
        if literal is None and word.head[:1] in {"", "-", "+"}:
            reader.notes.find("dynamic", "the options of set are computed", span)
        if literal is None or literal in {"--", "-"} or literal[:1] not in {"-", "+"}:
            return
        if "k" in literal:  # an argument is an assignment then
            reader.notes.hand_any(span)
        if (literal[0] == "-" and set(literal[1:]) - HARMLESS_SET_LETTERS - {"o"}) or (
            literal[0] == "+" and "B" in literal
        ):
            reader.notes.find("rebinding", f"`set {literal}` changes how the rest is read or run", span)
        for _ in range(literal.count("o", 1)):
            name = next((each.literal for each in words), "errexit")
            if name not in HARMLESS_SET if literal[0] == "-" else name in _READING:
                message = f"`set {literal[0]}o {name or '…'}` changes how the rest is read or run"
                reader.notes.find("rebinding", message, span)


def _shopt(reader: Reader, command: Command, where: Where) -> None:
    options, operands, _ = _arguments(command)
    letters = {option for option, _ in options}
    harmless = HARMLESS_SET if "-o" in letters else HARMLESS_SHOPT
    for word in operands:
        option = "-s" if "-s" in letters and word.literal not in harmless else "-u" if "-u" in letters else ""
        if option == "-s" or (option and word.literal in _READING):
            message = f"`shopt {option} {word.literal or '…'}` changes how the rest is read"
            reader.notes.find("rebinding", message, where.span(word))


def _alias(reader: Reader, command: Command, where: Where) -> None:
    for word in command.words[1:]:
        name, equals, value = (word.literal or word.head).partition("=")
        if equals or word.literal is None:
            message = f"the alias {name or '…'} makes a name mean something else"
            reader.notes.find("rebinding", message, where.span(word))
        if equals and word.literal is not None:
            _run(reader, value, command, where, possible=True)


def _hash(reader: Reader, command: Command, where: Where) -> None:
    options, _, sure = _arguments(command)
    if not sure or any(option == "-p" for option, _ in options):
        reader.notes.find("rebinding", "`hash -p` makes a name mean another program", command.span, hidden=True)
        reader.notes.suspected += command.texts


def _enable(reader: Reader, command: Command, where: Where) -> None:
    if len(command.words) > 1:
        reader.notes.find("rebinding", "`enable` makes a name mean another command", command.span)


def _keys(reader: Reader, command: Command, where: Where) -> None:
    if len(command.words) > 1:
        reader.notes.find("code", "`bind` can run commands", command.span)


def _jobs(reader: Reader, command: Command, where: Where) -> None:
    words = command.words[2:]
    if words and command.words[1].literal == "-x":
        inside = where._replace(via="jobs", depth=where.depth + 1)
        span = where.shown_at or (words[0].start, words[-1].end)
        reader.command(Command(words, span, command.simple, inside))


def _fc(reader: Reader, command: Command, where: Where) -> None:
    if not any((word.literal or "").startswith("-l") for word in command.words):
        reader.report_hidden("`fc` runs commands from the history", where, command.span)


BUILTINS: dict[str, Builtin] = {
    **dict.fromkeys((".", "source"), _source),
    **dict.fromkeys(("[", "test"), _test),
    **dict.fromkeys(("compgen", "complete"), _compgen),
    **dict.fromkeys(("declare", "export", "local", "readonly", "typeset"), _declare),
    **dict.fromkeys(("mapfile", "readarray"), _mapfile),
    "alias": _alias,
    "bind": _keys,
    "enable": _enable,
    "eval": _eval,
    "fc": _fc,
    "getopts": _getopts,
    "hash": _hash,
    "jobs": _jobs,
    "let": _let,
    "printf": _printf,
    "read": _read,
    "set": _set,
    "shopt": _shopt,
    "trap": _trap,
    "unset": _unset,
    "wait": _wait,
}


def assignment(reader: Reader, binding: Binding, where: Where) -> None:
    """Read a name that the text binds itself."""
    span = where.span(binding)
    reader.budget.spend(12 + (binding.end - binding.start) // 32)
    text = where.script.text[binding.start : binding.end] if where.script else ""
    values: Sequence[Word] | None = binding.values
    if binding.how == "arithmetic":
        values = ()
    elif binding.how in {"select", "coproc", "descriptor"} or (binding.how == "for" and not values):
        values = None  # `select` gives an empty word where the answer is none of its own
    elif not values and binding.how in {"assign", "prefix"} and not text.endswith("()"):
        values = None  # a list with text behind it
        reader.notes.give(text, span)
    elif binding.how == "expansion":
        values = values or None
        reader.notes.give(text.replace("\\$", "$").replace("\\`", "`"), span)
    for word in binding.values if values is None else values:
        if word.literal is not None and values is None:
            reader.notes.give(word.literal, span)
        if word.literal is None and where.script:
            if binding.name in INTEGER:
                reader.notes.evaluate_values(reader.names_in(word, where), span)
            reader.give_quoted(word, where)
            if joined := JOINED.search(where.script.text, word.start, word.end):
                reader.notes.give(joined[1], span)
    if binding.how == "coproc":
        reader.notes.variables.give(f"{binding.name}_PID", span[0], 0, None)
    reader.notes.bind(
        binding.name,
        values,
        span,
        exported=binding.how == "prefix",
        prefix=binding.how == "prefix" and binding.subscript is None and not text.endswith(")"),
        written=_binding_values(reader, binding, where),
        how="array" if text.endswith(")") and "=(" in text else binding.how,
        append=binding.append,
        subscript=binding.subscript,
        numeric=_is_number(reader, text.partition("=")[2]) or _are_numbers(reader, binding, where),
        # before a command it is for that alone, and an expansion assigns to what is empty
        holds=binding.holds if where.shown_at is None and binding.how not in {"prefix", "expansion"} else 0,
        free=(not binding.append and is_customary(binding.name, text.partition("=")[2]))
        or (binding.name == "PYTHONPATH" and _is_own_code(reader, binding, where)),
    )


def _binding_values(reader: Reader, binding: Binding, where: Where) -> Sequence[str] | None:
    """What a variable gets, as it is written; None where only bash can know."""
    whole = not binding.append and not binding.subscript and binding.how in {"assign", "expansion", "for", "prefix"}
    if not whole or where.script is None or not binding.values:
        return None
    reader.budget.spend(sum(word.end - word.start for word in binding.values) // 16)
    return [where.script.text[word.start : word.end] for word in binding.values]


def _is_own_code(reader: Reader, binding: Binding, where: Where) -> bool:
    """Whether a variable gives directories of the project to a program that runs the project's code anyway."""
    commands = where.script.commands if where.script is not None and where.shown_at is None else ()
    reader.budget.spend(len(commands))
    own = next((each for each in commands if each.words and binding in each.assignments), None)
    name = base((own.words[0].literal or "") if own else "")
    program = find(name)
    entered = [word for each in commands if each.words and each.words[0].literal in ENTERS for word in each.words]
    runs = name in OWN_CODE or (program is not None and program.name in OWN_CODE)
    named = all(OWN_PATHS.fullmatch(word.literal or "") for word in binding.values)
    return runs and not binding.append and named and all(BELOW.fullmatch(word.literal or "") for word in entered)


def _is_number(reader: Reader, text: str) -> bool:
    """Whether a computed value is wholly an arithmetic expansion, a length, or the number that a program gives."""
    text = text.strip('"')
    arithmetic = text.startswith("$((") and text.endswith("))") and text.count("$(") == 1
    length = text.startswith("${#") and text.endswith("}") and text.count("}") == 1
    return arithmetic or length or text[1:] in NUMERIC or is_number(reader.notes.variables.results.get(text))


def _are_numbers(reader: Reader, binding: Binding, where: Where) -> bool:
    """Whether the values are numbers, such as `{1..5}`, or the indices of an array that is not associative."""
    source = where.script.text if where.script else ""
    texts = [source[word.start : word.end] for word in binding.values if word.literal is None]
    results = [reader.notes.variables.results.get(each) for each in texts]
    ranges = (each is not None and is_number(each._replace(many=False)) for each in results)  # each by itself in a loop
    numbers = all(_RANGE.fullmatch(each) or known for each, known in zip(texts, ranges, strict=True))
    indices = all(map(_INDICES.fullmatch, texts)) and "-A" not in source
    return bool(texts) and (indices or (binding.how == "for" and numbers))
