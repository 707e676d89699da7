"""What a command starts: behind a wrapper, in a shell's text, in `find -exec`."""

from __future__ import annotations

from itertools import islice, product
from re import MULTILINE
from typing import TYPE_CHECKING

from asimi.core.budget import COMMAND
from asimi.core.pattern import pattern
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut
from asimi.core.reading.commands import CODE, AddedWord, Command, Escape
from asimi.core.reading.escapes import texts_in
from asimi.core.reading.shapes import ANY, MANY, ONE, SOME
from asimi.core.reading.stdin import STDIN, begins_of, fed_roughly, fed_text, started_by_make, strays
from asimi.core.reading.wrapped import ASSIGNMENT, MOST, inner
from asimi.core.syntax.nodes import Word
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.call import Span
    from asimi.core.programs.program import Program
    from asimi.core.reading.commands import Where, Words
    from asimi.core.reading.reader import Reader
    from asimi.core.reading.shapes import Shapes

_REPLACES = frozenset({"-I", "-J", "-i"})
"""Options of `xargs` that name a placeholder; the last one counts."""

_ADDS = frozenset({"-L", "-l", "-n"})
"""Options of `xargs` with which it may add words all the same, because they end the placeholder (xargs(1))."""

_PARTS = ("{/}", "{//}", "{.}", "{/.}")
"""What `fd` replaces by a part of the path that it finds (fd(1), `--exec`)."""

_PLACEHOLDER = pattern(r"\{[-+]?\d*[./#%]{0,3}\}")
"""What `parallel` replaces by an input or a part of it (GNU parallel manual, Replacement strings)."""

_NAMED = pattern(r"\{[^{}]*\}")
_NAMES = frozenset({"--header", "--plus"})
"""The same with the options that add names of columns and more."""

_SEPARATORS = frozenset({"--arg-sep", "--arg-file-sep"})
"""Options by which something else than `:::` begins the inputs."""

_PERL = pattern(r"\{=|\\\d{3}")
"""What begins Perl code in an option, be it in octal (parallel's source, unquote_printf)."""

_PIPE = frozenset({"--pipe", "--spreadstdin", "--pipe-part", "--pipepart"})
"""Options with which `parallel` gives its input to what it starts, and adds no words."""

MOST_TEXTS = 8
"""Program texts in program texts that are looked at."""


def read_recipes(reader: Reader, command: Command, program: Program, where: Where) -> None:
    """Search what `make` starts, by a makefile that is in the text, for what is forbidden."""
    for recipe in started_by_make(command, program, where.script, reader.budget):
        reader.search(recipe, where._replace(shown_at=command.span, via=command.name, possible=True))


def read_program_text(reader: Reader, command: Command, program: Program, where: Where) -> None:
    """Search what an interpreter's program text may start for what is forbidden, and read what it surely starts."""
    from asimi.core.reading.inline import inline  # most commands start none

    found = inline(command, program, where.script, reader.budget)
    if found is not None:
        reader.inline[command] = found
    if found is None or where.depth > MOST_TEXTS:
        return
    inside = where._replace(
        script=None, shown_at=command.span, depth=where.depth + 1, via=command.name, possible=True, called=True
    )
    for start in found.starts[:MOST]:
        if isinstance(start, str):
            reader.search(start, inside)
        elif start and start[0] is not None:
            reader.read_possible(_words_of(start, command.span), inside)
    for run in found.runs:
        words = _words_of(run, command.span)
        reader.command(Command(words, command.span, None, inside._replace(possible=where.possible, called=False)))


def _words_of(start: Words, span: Span) -> list[Word]:
    """The words of a command that a program text starts, which have no places of their own."""
    known = [word if word is None else word.partition(ANY) for word in start]
    return [
        AddedWord(*span, word[0] if word else "")
        if word is None or word[1]
        else Word(*span, word[0], word[0], single=True)
        for word in known
    ]


def read_wrapper(
    reader: Reader, command: Command, row: Program, start: int, where: Where, *, judged: bool = False
) -> None:
    """Read what a wrapper starts; its own arguments begin at `start`."""
    name, starts = command.name or "", row.starts
    assert starts is not None
    ends = [at for at, literal in enumerate(command.literals) if literal == starts.again and at >= start]
    if ends and starts.again:  # `mpirun -n 1 a : -n 2 b`
        for begin, end in zip([start, *(at + 1 for at in ends)], [*ends, len(command.words)], strict=True):
            reader.budget.spend(COMMAND)
            part = Command((*command.words[:start], *command.words[begin:end]), command.span, command.simple, where)
            read_wrapper(reader, part, row, start, where, judged=judged)
        return
    found = inner(name, row, command.words[start:], reader.budget, search=not where.possible)
    loose = (starts.loose and not judged) or where.loose
    inside = where._replace(via=name, loose=loose, depth=where.depth + 1)
    if not where.possible:
        _read_assignments(reader, found.assignments, where)
    if found.unsure:
        reader.report_hidden(found.unsure, inside, command.span)
        _candidates(reader, command, found.candidates, inside)
    if row.name == "parallel":
        _parallel(reader, command, row, found.words, inside)
    elif found.texts:
        for word in found.texts:
            read_text(reader, word, inside)
    elif found.joined and found.words:
        _read_joined(reader, command, found.words, inside)
    elif found.words and not found.unsure:
        own = command.words[: len(command.words) - len(found.words)]
        words: Sequence[Word] = found.words
        if starts.placeholder:
            words = _with_placeholders(reader, command, words, own, row)
        if starts.own:
            words = (command.words[0], *words)
        _start(reader, command, words, inside)
    elif found.shell and (not starts.input or _is_given_input(command, where)):
        read_stdin(reader, command, f"the shell that {name} starts", inside, table=starts.input == "table")
        if starts.shell:  # `su root -- -c ls`
            rests = [command.words[at:] for at in range(start, min(len(command.words), start + MOST))]
            _candidates(reader, command, rests, inside)


_CHECKS = frozenset("-n -e -f -u -v -x -norc --norc -noprofile --noprofile".split())
"""Options beside which `-n` keeps a shell from running what it reads (set(1p)); `+n` and `+o noexec` take it back."""

_UNREAD = frozenset("BoO")
"""Letters of options behind `+` that may turn off the expansion of braces, or more."""


def read_shell(reader: Reader, command: Command, program: Program, where: Where) -> None:
    """Read what a shell is given: `-c TEXT`, a script, or its standard input (bash manual, Invoking Bash)."""
    words, name, index, letters = command.words, command.name or "", len(command.words), set()
    inside = where._replace(via=name, depth=where.depth + 1)
    for argument in cut(words, program.syntax):
        word = words[argument.at]
        if argument.option is None or argument.option is COMPUTED:
            index = argument.at
            break
        if word.literal is None:
            reader.report_hidden(f"only bash can know what {name} is given here", inside, command.span)
            return
        if argument.option is not SEPARATOR:
            letters.add(argument.text)
        if word.literal[:1] == "+" and not _UNREAD.isdisjoint(word.literal):
            reader.report_hidden(f"`{word.literal}` changes how {name} reads its text", inside, command.span)
    operand = words[index] if index < len(words) else None
    has_text = "-c" in letters
    if operand is not None and operand.literal is None and not has_text and reader.is_deferred(command):
        return
    if operand is not None and operand.literal is None and not (operand.single and (operand.head or has_text)):
        reader.report_hidden(f"only bash can know what {name} is given here", inside, command.span)
    elif has_text:
        if operand is not None:
            read_text(reader, operand, inside)
            passed = [] if where.possible else words[index + 1 :]
            reader.positional += [(word.literal, inside.span(word)) for word in passed if word.literal is not None]
            reader.numbered += [word.literal for word in passed[1:] if word.literal is not None]  # but for `$0`
    elif operand is not None and "-s" not in letters and operand.literal not in STDIN | {"-"}:
        if operand.literal is None:
            reader.report_hidden(f"only bash can know which script {name} runs", inside, command.span)
            read_printed(reader, operand, inside._replace(shown_at=command.span))
        elif "-n" not in letters or not letters <= _CHECKS:
            reader.escape(
                command, Escape(index, f"{name} runs the script {operand.literal}, which is not read", kinds=CODE)
            )
    elif letters.isdisjoint({"--version", "--help"}) and not ("-n" in letters and letters <= _CHECKS):
        read_stdin(reader, command, name, inside)


def _is_given_input(command: Command, where: Where) -> bool:
    """Whether a command may read something of the request; in a text inside the text, the text's own input."""
    return (
        where.given or where.shown_at is not None or (command.simple is not None and command.simple.input is not None)
    )


def read_stdin(reader: Reader, command: Command, what: str, inside: Where, *, table: bool = False) -> None:
    """Read what a shell reads from its standard input; of a table of cron, the commands in it."""
    found = fed_text(command.simple, inside.script, reader.budget)
    if found is not None and table:
        found = commands_of(found)
    if found is None:
        message = f"{what} runs what it reads from its standard input, which is not known"
        reader.report_hidden(message, inside, command.span)
        for words in fed_roughly(command.simple, inside.script, reader.budget):
            read_partly(reader, words, inside._replace(shown_at=command.span), table=table)
    else:
        first = len(reader.commands)
        script = reader.text(found, inside._replace(shown_at=command.span))
        why = None if script is None or table else strays(script, reader.commands[first:])
        if why is not None:
            reader.report_hidden(f"{what} {why}", inside, command.span)


def read_text(reader: Reader, word: Word, inside: Where) -> None:
    """Read a word that is shell text."""
    if word.literal is None:
        reader.report_hidden(f"{inside.via} runs text that only bash can know", inside, inside.span(word))
        read_partly(reader, [word], inside._replace(shown_at=inside.span(word)))
    else:
        reader.text(word.literal, inside._replace(shown_at=inside.span(word)))


def read_partly(reader: Reader, words: Sequence[Word], inside: Where, *, table: bool = False) -> None:
    """Note a text that is known only in part: it is searched for what is forbidden once all variables are read.

    Args:
        reader: the reader.
        words: the words of the text.
        inside: where it is.
        table: whether it is a table of cron.
    """
    if inside.script is not None and words:
        texts = [None if word.literal is not None else inside.script.text[word.start : word.end] for word in words]
        known = [word.literal or "" for word in words]
        reader.unread.append(UnreadText(tuple(zip(texts, known, strict=True)), inside, table=table))


def read_printed(reader: Reader, word: Word, inside: Where) -> None:
    """Note a text that a command prints, to be searched for what is forbidden: `bash <(…)`, `source <(…)`."""
    if inside.script is not None and inside.script.text.startswith("<(", word.start):
        read_partly(reader, [word], inside)


def read_find(reader: Reader, command: Command, program: Program, where: Where) -> None:
    """Read what `find -exec … ;` starts (findutils manual, Run Commands), or `fd -x` (fd(1))."""
    inside = where._replace(via=command.name, depth=where.depth + 1)
    arguments = list(cut(command.words, program.syntax))
    # find(1): where it starts cannot begin with a dash, so nor does what it finds; but a file or `-f` may name that.
    named = {name for each in arguments for name in each.names}
    found = "." if program.name == "find" and named.isdisjoint({"", "-f", "-files0-from"}) else ""
    for argument in arguments:
        if argument.option is not None and argument.option.reader == "COMMAND":
            words = list(command.words[argument.at + 1 : argument.value_at])
            if argument.value is not None:
                words.insert(0, argument.value)
            partly = [any(part in command.text_of(word) for part in _PARTS) for word in words]
            hollow = [
                AddedWord(word.start, word.end, behind=ANY) if part else _hollow(command, word, "{}", found)
                for word, part in zip(words, partly, strict=True)
            ]
            if "appends" in program.traits and not any(isinstance(word, AddedWord) for word in hollow):
                hollow.append(AddedWord(words[-1].end, words[-1].end, single="-X" not in argument.option.names))
            _start(reader, command, hollow, inside)


def report_unsure(reader: Reader, command: Command, message: str, where: Where) -> None:
    """Say that a command is started and that any of the words may begin it."""
    reader.report_hidden(message, where, command.span)
    rests = (command.words[index:] for index in range(1, len(command.words)))
    _candidates(reader, command, rests, where._replace(via=command.name, depth=where.depth + 1))


def read_tmux_chain(reader: Reader, command: Command, where: Where) -> None:
    """Search the commands of tmux behind a `;` for what is forbidden (tmux(1), Parsing Syntax)."""
    ends = [at for at, literal in enumerate(command.literals, 1) if literal is not None and literal.endswith(";")]
    _candidates(reader, command, [(command.words[0], *command.words[at:]) for at in ends[:MOST]], where)


def read_unknown(reader: Reader, command: Command, where: Where) -> None:
    """Search what is behind the `--` of an unknown program for what is forbidden: many programs start it."""
    if "--" in command.literals:
        rest = command.words[command.literals.index("--") + 1 :]
        _candidates(reader, command, [rest], where._replace(via=command.name, depth=where.depth + 1))


def _start(reader: Reader, command: Command, words: Sequence[Word], inside: Where) -> None:
    """Read a command that is started, if it has any words."""
    if words:
        span = inside.shown_at or (words[0].start, max(word.end for word in words))
        reader.command(Command(words, span, command.simple, inside))


def _candidates(reader: Reader, command: Command, rests: Iterable[Sequence[Word]], inside: Where) -> None:
    """Search each rest of the words that could be the command for what is forbidden."""
    if inside.possible:
        return
    inside = inside._replace(possible=True)
    for words in rests:
        if words and words[0].literal is not None:
            reader.command(Command(words, command.span, None, inside))
            if " " in words[0].literal:
                reader.notes.suspected += [(each, command.span) for each in texts_in(words[0].literal)]


def _read_joined(reader: Reader, command: Command, words: Sequence[Word], inside: Where) -> None:
    """Read words that are joined with blanks and given to a shell; `parallel` takes data behind `:::`."""
    literals = []
    for word in words:
        if (word.literal or word.head).startswith(":::"):
            break
        literals.append(word.literal)
    known = [literal for literal in literals if literal is not None]
    if len(known) == len(literals):
        reader.text(" ".join(known), inside._replace(shown_at=inside.shown_at or (words[0].start, words[-1].end)))
        return
    reader.report_hidden(f"{inside.via} gives a shell text that only bash can know", inside, command.span)
    read_partly(reader, words[: len(literals)], inside._replace(shown_at=command.span))


def _parallel(reader: Reader, command: Command, row: Program, words: Sequence[Word], inside: Where) -> None:
    """Read what `parallel` starts: the words before `:::`, joined; without any, each of its inputs (GNU parallel)."""
    literals = [word.literal if word.literal is not None else word.head for word in words]
    own = command.words[1 : len(command.words) - len(words)]
    named = {name for each in cut(own, row.syntax, 0) for name in each.names}
    end = next((index for index, literal in enumerate(literals) if literal.startswith(":::")), len(literals))
    end = end if named.isdisjoint(_SEPARATORS) else len(literals)
    span = inside.shown_at or (words[0].start, words[-1].end) if words else command.span
    if end == len(literals) and "--" in (word.literal for word in own):
        reader.report_hidden("the parallel of moreutils starts each word behind `--`", inside, span)
    if any("{=" in literal for literal in literals[:end]) or any(map(_PERL.search, map(command.text_of, own))):
        reader.report_hidden("parallel runs the Perl code in `{= =}`", inside, span)
        return
    if end and literals[:end] != ["{}"] and words[0].literal is not None:
        if any(word.literal is None for word in words[:end]):
            _read_joined(reader, command, words[:end], inside)
            return
        template = " ".join(literals[:end])
        filled = (_PLACEHOLDER if named.isdisjoint(_NAMES) else _NAMED).sub("$parallel", template)
        if filled == template and named.isdisjoint(_PIPE):
            filled += " $parallel"
        reader.text(filled, inside._replace(shown_at=span))
        for word in words[end + 1 : end + MOST]:
            if word.literal is not None:
                value = "'" + word.literal.replace("'", r"'\''") + "'"
                given = inside._replace(shown_at=inside.span(word), possible=True)
                reader.text(filled.replace("$parallel", value), given)
        return
    reader.report_hidden("what parallel starts is read from its input", inside, command.span)
    for line in (fed_text(command.simple, inside.script, reader.budget) or "").splitlines()[:MOST]:
        found = " ".join((*literals[:end], line)).replace("{}", "") if end else line
        reader.search(found, inside._replace(script=None, shown_at=command.span, possible=True))
    for word in words[end:]:
        if word.literal is not None:
            reader.text(word.literal, inside._replace(shown_at=inside.span(word), possible=True))


def _read_assignments(reader: Reader, words: Iterable[Word], where: Where) -> None:
    """Read the assignments before a wrapper's command."""
    for word in words:
        known = word.head if word.literal is None else word.literal
        match = ASSIGNMENT.match(known)
        name = match[1] if match else known
        value = known[len(name) + 1 :]
        literal = None if word.literal is None else value
        span = where.span(word)
        if match is None and word.literal is None:
            reader.notes.hand_any(span)
        values = [Word(word.start, word.end, literal, value, single=True)]
        reader.notes.bind(name, values, span, exported=True, prefix=True)
        if name.startswith("BASH_FUNC_"):
            reader.notes.find("rebinding", f"{name} defines a function for every bash", span)


def _hollow(command: Command, word: Word, placeholder: str, begins: str = "") -> Word:
    """A word of which a part is replaced at run time, by something that begins in a known way."""
    before, found, behind = command.text_of(word).partition(placeholder)
    if word.literal is None and found:
        return AddedWord(word.start, word.end, behind=ANY)
    return AddedWord(word.start, word.end, before, behind.replace(placeholder, ANY), begins=begins) if found else word


def _with_placeholders(
    reader: Reader, command: Command, words: Sequence[Word], own: Sequence[Word], row: Program
) -> Sequence[Word]:
    """The words of a command in which `xargs` replaces a placeholder, or to which it adds what it reads.

    Args:
        reader: the reader.
        command: `xargs` with all of its words.
        words: the command that it starts.
        own: `xargs` itself with its options.
        row: what the catalogue knows of it.
    """
    placeholder, adds, begins = "", True, ""
    for argument in cut(own, row.syntax):
        if not _REPLACES.isdisjoint(argument.names):
            if argument.value is not None and argument.value.literal is None:
                return [AddedWord(word.start, word.end, behind=ANY) for word in words]
            placeholder, adds = argument.literal or "{}", False
        if "-0" in argument.names and command.simple is not None:
            begins = begins_of(command.simple, command.where.script, reader.budget)
    if placeholder:
        words = [_hollow(command, word, placeholder) for word in words]
        adds = any(not _ADDS.isdisjoint(each.names) for each in cut(own, row.syntax))
    end = words[-1].end
    return [*words, AddedWord(end, end, begins=begins, single=False)] if adds else words


MOST_READINGS = 16
"""Texts that one may be."""

_CRON = pattern(r"^[ \t]*(?:#.*|@\w+[ \t]|(?:\S+[ \t]+){5})|%", MULTILINE)
"""When a line of cron's table runs, and what makes a new line of its text (crontab(5))."""

_UNKNOWN = str.maketrans({ANY: "_", SOME: "_", ONE: "_", MANY: "_"})
"""What nobody knows is taken for a word of no meaning."""


class UnreadText(NamedTuple):
    """Words that are joined with blanks and given to a shell.

    Attributes:
        words: each as it is written and as far as it is literal; the first is None where it is wholly literal.
        where: where they are.
        table: whether they are a table of cron.
    """

    words: tuple[tuple[str | None, str], ...]
    where: Where
    table: bool = False

    def texts(self, shapes: Shapes) -> Iterator[str]:
        """What the text may be, by all that variables may hold and substitutions may print."""
        ways = []
        for written, literal in self.words:
            file = written is not None and written.startswith("<(")  # one that holds what is printed
            found = () if written is None else shapes.fields(f'"${written[1:]}"' if file else written)
            ways.append([" ".join(fields) for fields in found] or [literal])
        for parts in islice(product(*ways), MOST_READINGS):
            text = " ".join(parts).translate(_UNKNOWN)
            yield commands_of(text) if self.table else text


def commands_of(table: str) -> str:
    """The commands in a table of cron, as a text for a shell."""
    return _CRON.sub("\n", table)
