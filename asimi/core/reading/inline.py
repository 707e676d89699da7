"""What a program text in another language does, as far as it is literal: what it starts, and which files it names.

None of this allows anything by itself: rules that forbid look at what is started, `[files]` at what is named. Of
Python, JavaScript, Perl and texts for databases, it may be proven that one does no more than compute, print, and read
and write files that it names.
"""

from __future__ import annotations

from re import ASCII, IGNORECASE
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.reading.arguments import SEPARATOR, cut
from asimi.core.reading.commands import NOTHING, File, Inline
from asimi.core.reading.stdin import STDIN, fed_text, written_before
from asimi.core.reading.values import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.programs.program import Program
    from asimi.core.reading.arguments import Argument
    from asimi.core.reading.commands import Command
    from asimi.core.syntax.nodes import Script

HARMLESS = frozenset({"-B", "-E", "-I", "-O", "-P", "-S", "-b", "-d", "-q", "-s", "-u", "-v"})
"""Options of Python that load and start nothing (CPython manual, Command line and environment)."""

ALONE = frozenset({"-I"})
"""Options of Python with which it looks for modules only where they are installed."""

JSON_TOOL = frozenset("--compact --json-lines --no-ensure-ascii --no-indent --sort-keys --tab".split())
"""Options of `json.tool` that take no value (Python documentation, json)."""

COMPILEALL = frozenset({"-f", "-l", "-q", "-qq"})
"""Options of `compileall` that choose how much it does and says (Python documentation, compileall)."""

PIP = frozenset(
    "-l --local --user --not-required --exclude-editable --format=columns --format=freeze --format=json "
    "-f --files -v --verbose -q --quiet --disable-pip-version-check --no-color --no-input".split()
)
"""Options of pip with which it only says what is installed (pip documentation, pip list, pip show, pip freeze)."""

PERL = frozenset({"-e", "-i", "-l", "-n", "-p", "-w", *(f"-{digit}" for digit in range(8))})
"""Options of Perl by which it runs a text for each line, or each piece, of files (perlrun(1))."""

_SUFFIX = pattern(r"\.\w+|~", ASCII)
_PACKAGE = pattern(r"[A-Za-z0-9][\w.-]*", ASCII)
_SETTING = pattern(
    r"-W(?:default|error|always|module|once|ignore)(?:::[A-Za-z]+Warning)?"
    r"|-X(?:dev|faulthandler|importtime|no_debug_ranges|utf8(?:=[01])?)"
)
_PYTHON = pattern(r"python(?:3(?:\.\d+)?)?|pypy3(?:\.\d+)?", ASCII)
_CODING = pattern(r"(?:.*\n)?[ \t\f]*#.*coding[:=](?![ \t]*utf-?8\b)", IGNORECASE)
_TEXT_FOLLOWS = pattern(r"-\w*[eEr]", ASCII)


def inline(command: Command, program: Program, script: Script | None, budget: Budget) -> Inline | None:
    """What the program text does that an interpreter is given in its arguments or its standard input.

    Args:
        command: the command.
        program: its row.
        script: the text that the command is in, or None in argv.
        budget: what the look at it is paid from.

    Returns:
        None where it is given none, or one that only bash can know.
    """
    if any(each.reader == "SED" for each in program.syntax.options.values()):
        return _sed(command)
    if program.name == "duckdb":
        return _duckdb(command)
    if program.name == "sqlite3":
        return _sqlite(command, script, budget)
    language = next((each.reader for each in program.syntax.options.values() if each.reader in LANGUAGES), "")
    if language == "PYTHON":
        return _python(command, program, script, budget)
    if not language:
        return None
    from asimi.core.reading import calls, javascript

    texts = list(_texts(command, program, script, budget))
    if language == "JAVASCRIPT" and len(texts) == 1 and _is_node(command, program):
        proven = javascript.read(texts[0], budget)
        if proven.reads:
            return proven
    if language == "PERL" and len(texts) == 1 and (proven := _perl(command, program, texts[0], budget)).reads:
        return proven
    found = [calls.read(text, language, budget) for text in texts]
    return Inline(
        tuple(start for each in found for start in each.starts), tuple(file for each in found for file in each.files)
    )


def _perl(command: Command, program: Program, text: str, budget: Budget) -> Inline:
    """What Perl does that is given one text, to run for each line of files; with `-i` it writes these (perlrun(1))."""
    arguments = list(cut(command.words, program.syntax))
    given = [each for each in arguments if each.option is not None and each.option is not SEPARATOR]
    named = [each.text for each in given]
    if not {*named} <= PERL or named.count("-e") != 1 or {"-n", "-p"}.isdisjoint(named):
        return NOTHING
    values = {each.text: each.value.literal for each in given if each.value is not None}
    if values.pop("-e") != text or not all(_SUFFIX.fullmatch(each or "") for each in values.values()):
        return NOTHING
    operands = [command.literals[each.at] for each in arguments if each.option is None]
    found = read_perl(text, operands, budget)
    if "-i" not in named or not found.reads:
        return found
    made = (File(each.path + end, "write") for each in found.files for end in {"", values.get("-i") or ""})
    return found._replace(files=(*found.files, *made), writes=True)


def _is_node(command: Command, program: Program) -> bool:
    """Whether a command is node with a literal text and no other option, as it runs one that loads nothing else."""
    given = [each for each in cut(command.words, program.syntax) if each.option is not None]
    named = [each for each in given if each.option is not SEPARATOR and each.text != "--input-type"]
    literal = all(each.value is not None and each.value.literal is not None for each in named)
    return literal and len(named) <= 1 and all(each.option.reader == "JAVASCRIPT" for each in named if each.option)


def _sed(command: Command) -> Inline | None:
    """The files that a sed script reads (`r FILE`)."""
    from asimi.core.reading.scripts import sed

    reads: list[str] = []
    for word in command.literals[1:]:
        sed(word or "", reads)
    return Inline(files=tuple(File(each, "read") for each in reads)) if reads else None


def _duckdb(command: Command) -> Inline:
    """What the texts do that duckdb is given, where it begins with an empty database.

    A database that is there may have views, which read what they say, but not with `-safe`.
    """
    from asimi.core.reading.sql import duckdb_files

    arguments = command.levels[-1].arguments
    operands = [command.literals[each.at] for each in arguments if each.option is None]
    given = [each for each in arguments if each.option is not None and each.option.reader == "DUCKDB"]
    named = {name for each in arguments for name in each.names}
    empty = operands[:1] in ([], [":memory:"])
    if not (empty or "-safe" in named) or not (operands[1:] or "-c" in named):
        return NOTHING
    texts = [each.value.literal if each.value is not None else None for each in given] + operands[1:]
    found = [None if text is None else duckdb_files(text) for text in texts]
    if None in found:
        return NOTHING
    files = [
        File(path.removeprefix("~/"), how, home=path[:2] == "~/", glob=how == "read")
        for each in found
        for path, how in each or ()
    ]
    writes = any(each.how == "write" for each in files) or not (empty or "-readonly" in named)
    return Inline((), tuple(files), reads=True, alone=True, writes=writes)


def _sqlite(command: Command, script: Script | None, budget: Budget) -> Inline:
    """Whether `sqlite3` is only asked something, by its arguments or else by its input (sqlite3(1))."""
    from asimi.core.reading.sql import only_shows, shows_all

    arguments = command.levels[-1].arguments
    operands = [command.literals[each.at] for each in arguments if each.option is None]
    given = [each.value for each in arguments if each.option is not None and each.option.reader == "SQLITE"]
    texts = [*operands[1:], *(None if each is None else each.literal for each in given)]
    if not all(text is not None and only_shows(text) for text in texts):
        return NOTHING
    if not operands[1:]:
        fed = fed_text(command.simple, script, budget)
        if fed is None or not shows_all(fed):
            return NOTHING
    return Inline(reads=True, alone=True)


def _texts(command: Command, program: Program, script: Script | None, budget: Budget) -> Iterator[str]:
    """All that may be a program text of a command: its options' values, what is behind a bundle, its input."""
    arguments = list(cut(command.words, program.syntax))
    taken = {each.value_at for each in arguments if each.option is not None and each.option.reader in LANGUAGES}
    taken |= {at for at, word in enumerate(command.literals[:-1], 1) if word and _TEXT_FOLLOWS.fullmatch(word)}
    for at in sorted(taken - {0}):
        if at < len(command.words) and command.literals[at] is not None:
            yield command.literals[at] or ""
    operand = next((each.text for each in arguments if each.option is None), "-")
    fed = fed_text(command.simple, script, budget) if not taken and operand in STDIN | {"-"} else None
    if fed is not None:
        yield fed


def _python(command: Command, program: Program, script: Script | None, budget: Budget) -> Inline | None:
    """What Python is given; what is behind `-c TEXT` belongs to the text."""
    sure = _PYTHON.fullmatch(command.name or "") is not None
    alone, text = False, None
    for argument in cut(command.words, program.syntax):
        option, value = argument.option, argument.value
        if option is None:
            path = command.literals[argument.at]
            if path is None:
                return None
            if argument.text not in STDIN | {"-"}:
                return _script(command, path, script, budget, sure=sure) if path.endswith(".py") else None
            break
        if "-m" in option.names:
            words = command.literals[argument.value_at + 1 :]
            tool = TOOLS.get(value.literal or "") if value is not None and sure else None
            return None if tool is None else tool(words)._replace(alone=alone)
        if option.reader in LANGUAGES:
            text = None if value is None else value.literal
            if text is None:
                return None
            break
        sure = sure and _is_harmless(argument)
        alone = alone or argument.text in ALONE
    if text is None:
        text = fed_text(command.simple, script, budget)
        sure = sure and text is not None and _is_plain(text)
    if text is None:
        return None
    from asimi.core.reading import calls, python

    found = python.read(text, budget)
    if found is None:
        return calls.read(text, "PYTHON", budget)
    return found._replace(reads=found.reads and sure, alone=alone)


def _is_plain(text: str) -> bool:
    """Whether Python reads a file or its input as the text that it is."""
    return not _CODING.match(text) and "\r" not in text


def _script(command: Command, path: str, script: Script | None, budget: Budget, *, sure: bool) -> Inline | None:
    """What a script does that the same text has written: what is proven of it, and nothing else."""
    from asimi.core.reading import python

    written = written_before(command.simple, path, script)
    found = None if written is None or not sure or not _is_plain(written[0]) else python.read(written[0], budget)
    return found._replace(made=path, fresh=written is None or not written[1]) if found and found.reads else None


def _json_tool(words: Sequence[str | None]) -> Inline:
    """What `python3 -m json.tool` does: it reads one file or its standard input, and writes the second one."""
    files = [word for word in words if word is None or word[:1] != "-" or word == "-"]
    if len(words) - len(files) != sum(word in JSON_TOOL for word in words) or None in files:
        return NOTHING
    return Inline((), tuple(map(File, files, ("read", "write"))), len(files) <= 1)  # type: ignore[arg-type]


def _py_compile(words: Sequence[str | None]) -> Inline:
    """What `python3 -m py_compile FILE…` does: it reads each one and writes into the `__pycache__` beside it."""
    if not words or any(word is None or word[:1] == "-" or any(mark in word for mark in "*?[") for word in words):
        return NOTHING
    return _compiles(words, [f"{word.rpartition('/')[0] or '.'}/__pycache__/a.pyc" for word in words if word])


def _compileall(words: Sequence[str | None]) -> Inline:
    """What `python3 -m compileall PATH…` does, without a path it compiles all that is installed."""
    named = [word for word in words if word is None or word[:1] != "-"]
    if not named or None in named or any(word not in COMPILEALL for word in words if word not in named):
        return NOTHING
    return _compiles(named, [f"{word}/__pycache__/a.pyc" for word in named if word])


def _compiles(named: Sequence[str | None], made: Sequence[str]) -> Inline:
    """Files that are compiled, and those that come out of it (Python documentation, py_compile)."""
    read = (File(word, "read") for word in named if word)
    return Inline((), (*read, *(File(each, "write") for each in made)), reads=True, writes=True)


def _pip(words: Sequence[str | None]) -> Inline:
    """What `python3 -m pip list` does, and other subcommands of pip that say what is installed."""
    known = words and words[0] in {"--version", "check", "freeze", "inspect", "list", "show"}
    plain = known and all(word and (word in PIP or _PACKAGE.fullmatch(word)) for word in words[1:])
    return Inline(reads=True) if plain else NOTHING


def _shows(*first: str) -> Callable[[Sequence[str | None]], Inline]:
    """What reads the words of a module that shows what is in one file; behind these words, if there are any."""

    def read(words: Sequence[str | None]) -> Inline:
        file = words[-1] if words and (*words[:-1],) == first else None
        return Inline((), (File(file, "read"),), reads=True) if file and file[0] != "-" else NOTHING

    return read


def _tells(words: Sequence[str | None]) -> Inline:
    """What a module does that is given nothing, and says something of Python or of this machine."""
    return NOTHING if words else Inline(reads=True)


TOOLS: dict[str, Callable[[Sequence[str | None]], Inline]] = {
    **dict.fromkeys(("ast", "dis", "tokenize"), _shows()),
    **dict.fromkeys(("tarfile", "zipfile"), _shows("-l")),
    **dict.fromkeys(("calendar", "platform", "site", "sysconfig"), _tells),
    "compileall": _compileall,
    "json.tool": _json_tool,
    "pip": _pip,
    "py_compile": _py_compile,
}
"""Modules of Python that are programs and only read and write what their arguments name (Python documentation)."""


def _is_harmless(argument: Argument) -> bool:
    """Whether an option of Python loads and starts nothing."""
    if argument.value is not None:
        return _SETTING.fullmatch(argument.text + (argument.value.literal or "?")) is not None
    return argument.option is SEPARATOR or argument.text in HARMLESS


LONGEST = 4096
"""Characters of a text that is proven."""


def _between(mark: str) -> str:
    """A pattern between marks, which holds no code and no variable; a `$` is the end of a line."""
    return rf"(?:[^\\$@(\n{mark}]|\\[^\n]|\((?!\*|\?\??\{{)|\$(?=[|){mark}]))*{mark}"


def _text(mark: str) -> str:
    """A text in which `$1`, `$&`, `$_` and `$.` are replaced, and nothing else."""
    return rf"(?:[^\\$@\n{mark}]|\\[^\n]|\$[\d&_.](?![\w\[{{-]))*{mark}"


_MARKS = ("/", r"\|", ",", "!", "#", ":")
_REPLACES = "|".join(rf"s{mark}{_between(mark)}{_text(mark)}[gimosxcnra]*" for mark in _MARKS)
_CHANGES = "|".join(
    rf"(?:tr|y){mark}(?:[^\\{mark}\n]|\\[^\n])*{mark}(?:[^\\{mark}\n]|\\[^\n])*{mark}[cdsr]*" for mark in "/,"
)
_MATCHES = rf"!?[ ]*+(?:/{_between('/')}|m\|{_between(_MARKS[1])})[imosxcna]*"
_NUMBER = r"\$\.[ ]*+(?:[<>]=?|==|!=)[ ]*+\d++"
_CONDITION = rf"(?:{_MATCHES}|{_NUMBER}|\d++[ ]*+\.\.[ ]*+\d++|eof)"
_CONDITIONS = rf"\(?[ ]*+{_CONDITION}(?:[ ]*+(?:&&|\|\||and|or|\.\.)[ ]*+{_CONDITION})*[ ]*+\)?"
_DOES = rf"(?:{_REPLACES}|{_CHANGES}|chomp|next|last|print(?:[ ]++(?:\$[_.1-9&]|\"{_text(chr(34))}|'[^'\\\n]*'))?)"
_CHOOSES = rf"{_CONDITIONS}[ ]*+(?:&&|and)[ ]*+print"
_STATEMENT = pattern(rf"[ \t\n]*+(?:{_DOES}(?:[ ]++(?:if|unless)[ ]*+{_CONDITIONS})?|{_CHOOSES})?[ \t\n]*+(?:;|\Z)")

_OPENED = pattern(r"[^\s<>|+&-][^\0\n]*(?<![|\s])|-")
"""A name that perl opens as a file: others start a command, or are written (perlop(1), I/O Operators)."""


def read_perl(text: str, operands: Sequence[str | None], budget: Budget) -> Inline:
    """What a text does that is run for each line of some files, if it is proven; `NOTHING` otherwise.

    Args:
        text: the text.
        operands: the files, None for one that only bash can know.
        budget: what the proof is paid from.
    """
    named = [each for each in operands if each is not None and _OPENED.fullmatch(each)]
    if len(text) > LONGEST or len(named) != len(operands):
        return NOTHING
    budget.spend(16 + 4 * len(text))
    at = 0
    while at < len(text):
        match = _STATEMENT.match(text, at)
        if match is None or match.end() == at:
            return NOTHING
        at = match.end()
    return Inline(files=tuple(File(each, "read") for each in named if each != "-"), reads=True, alone=True)
