"""What a command starts: behind a wrapper, in a shell's text, in `find -exec`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.lean import pattern
from asimi.core.programs.options import MANAGEMENT
from asimi.core.programs.wrappers import (
    FINDERS,
    HARMLESS_SET,
    HARMLESS_SHOPT,
    SHELL_CODE,
    SHELL_LETTERS,
    SHELL_VALUED,
    SUBWRAPPERS,
)
from asimi.core.reading.commands import Command, Escape
from asimi.core.reading.escapes import subcommand
from asimi.core.reading.fed import fed_text
from asimi.core.reading.wrapped import ASSIGNMENT, inner
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asimi.core.programs.wrappers import Wrapper
    from asimi.core.reading.reader import Reader, Where

SUBWRAPPER_PROGRAMS = {words[0] for words in SUBWRAPPERS}
LONGEST_SUBWRAPPER = max(map(len, SUBWRAPPERS))
_REPLACES = pattern(r"-[0oprtx]*(?:[IJ](.*)|i(.*))|--replace(?:=(.*))?", re.DOTALL)
STDIN = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def subwrapper(name: str, words: Sequence[Word]) -> tuple[int, Wrapper | None]:
    """How many words stand before the options of a subcommand that is a wrapper, and what it is."""
    if name not in SUBWRAPPER_PROGRAMS:
        return 1, None
    index, chosen = 1, [name]
    best: tuple[int, Wrapper | None] = (1, None)
    while index < len(words) and len(chosen) < LONGEST_SUBWRAPPER:
        index, _ = subcommand(" ".join(chosen), words, index)
        if index >= len(words):
            break
        literal, index = words[index].literal or "", index + 1
        if (name, literal) not in MANAGEMENT:
            chosen.append(literal)
        if tuple(chosen) in SUBWRAPPERS:
            best = (index, SUBWRAPPERS[tuple(chosen)])
    return best


def wrapped(reader: Reader, command: Command, wrapper: Wrapper, start: int, where: Where) -> None:
    """Read what a wrapper starts; its own arguments begin at `start`."""
    name = command.name or ""
    found = inner(name, wrapper, command.words[start:], search=not where.possible)
    inside = where._replace(via=name, loose=wrapper.loose or where.loose, depth=where.depth + 1)
    if not where.possible:
        _assigned(reader, found.assignments, where)
    if found.unsure:
        reader.hide(found.unsure, inside, command.span)
        _candidates(reader, command, found.candidates, inside)
    if name == "parallel":
        _parallel(reader, command, found.words, inside)
    elif found.text is not None:
        text(reader, found.text, inside)
    elif found.joined and found.words:
        _joined(reader, command, found.words, inside)
    elif found.words and not found.unsure:
        own = command.words[: len(command.words) - len(found.words)]
        words = _with_placeholders(found.words, own) if wrapper.placeholder else found.words
        if wrapper.own:
            words = (command.words[0], *words)
        _start(reader, command, words, inside)
    elif found.shell or (name == "su" and not found.words and not found.unsure):
        fed(reader, command, f"the shell that {name} starts", inside)


def shell(reader: Reader, command: Command, name: str, where: Where) -> None:
    """Read what a shell is given: `-c TEXT`, a script, or its standard input (bash manual, Invoking Bash)."""
    words, index, has_text, stdin = command.words, 1, False, False
    inside = where._replace(via=name, depth=where.depth + 1)
    while index < len(words):
        literal, head = words[index].literal, words[index].head
        if literal is None:
            if words[index].single and head[:1] not in {"-", "+", ""}:
                break
            if has_text and words[index].single and not head:
                break
            reader.hide(f"what {name} is given here, only bash can know", inside, command.span)
            return
        if literal in {"--", "-"}:
            index += 1
            break
        if literal[:1] not in {"-", "+"} or len(literal) == 1:
            break
        bundle = "" if literal.startswith("--") else literal[1:]
        has_text = has_text or ("c" in bundle and literal[0] == "-")
        stdin = stdin or "s" in bundle
        if literal in SHELL_CODE or "i" in bundle:
            command.escapes.append(Escape(index, f"`{literal}` makes {name} run a file of commands first"))
        if literal == "--posix":
            command.escapes.append(Escape(index, "in posix mode bash reads text differently"))
        valued = bundle.count("o") + bundle.count("O")
        named = {word.literal for word in words[index + 1 : index + 1 + valued]}
        if literal[0] == "-" and (set(bundle) - SHELL_LETTERS or named - HARMLESS_SET - HARMLESS_SHOPT):
            command.escapes.append(Escape(index, f"`{literal}` changes how {name} reads or runs the text"))
        index += 1 + (valued or literal in SHELL_VALUED)
    operand = words[index] if index < len(words) else None
    if has_text:
        if operand is not None:
            text(reader, operand, inside)
    elif operand is not None and not stdin and operand.literal not in STDIN:
        if operand.literal is None:
            reader.hide(f"which script {name} runs, only bash can know", inside, command.span)
        else:
            command.escapes.append(Escape(index, f"{name} runs the script {operand.literal}, which is not read"))
    elif words[-1].literal not in {"--version", "--help"}:
        fed(reader, command, name, inside)


def fed(reader: Reader, command: Command, what: str, inside: Where) -> None:
    """Read what a shell reads from its standard input."""
    found = fed_text(command.simple, inside.script)
    if found is None:
        message = f"{what} runs what it reads from its standard input, which is not known"
        reader.hide(message, inside, command.span)
    else:
        reader.text(found, inside._replace(place=command.span))


def text(reader: Reader, word: Word, inside: Where) -> None:
    """Read a word that is shell text."""
    if word.literal is None:
        reader.hide(f"the text that {inside.via} runs, only bash can know", inside, inside.span(word))
    else:
        reader.text(word.literal, inside._replace(place=inside.span(word)))


def finder(reader: Reader, command: Command, name: str, where: Where) -> None:
    """Read what `find -exec … ;` starts (findutils manual, Run Commands)."""
    words, index, actions = command.words, 1, FINDERS[name]
    inside = where._replace(via=name, depth=where.depth + 1)
    while index < len(words):
        if _is_action(words[index].literal or "", actions):
            end = index + 1
            while end < len(words) and not _ends_action(words, end):
                end += 1
            _start(reader, command, [_hollow(word, "{}") for word in words[index + 1 : end]], inside)
            index = end
        index += 1


def applet(reader: Reader, command: Command, name: str, where: Where) -> None:
    """Read what `busybox rm x` becomes."""
    _start(reader, command, command.words[1:], where._replace(via=name, depth=where.depth + 1))


def unsure(reader: Reader, command: Command, message: str, where: Where) -> None:
    """Say that a command is started and that any of the words may begin it."""
    reader.hide(message, where, command.span)
    rests = [command.words[index:] for index in range(1, len(command.words))]
    _candidates(reader, command, rests, where._replace(via=command.name, depth=where.depth + 1))


def unknown(reader: Reader, command: Command, where: Where) -> None:
    """Let what forbids look at the rest behind `--` of a program that no table knows: many start it."""
    if "--" in command.literals:
        rest = command.words[command.literals.index("--") + 1 :]
        _candidates(reader, command, [rest], where._replace(via=command.name, depth=where.depth + 1))


def _start(reader: Reader, command: Command, words: Sequence[Word], inside: Where) -> None:
    if words:
        span = inside.place or (words[0].start, max(word.end for word in words))
        reader.command(Command(words, span, command.simple, inside), inside)


def _candidates(reader: Reader, command: Command, rests: Iterable[Sequence[Word]], inside: Where) -> None:
    """Let what forbids look at every rest of the words that could be the command."""
    if inside.possible:
        return
    inside = inside._replace(possible=True)
    for words in rests:
        if words and words[0].literal is not None:
            reader.command(Command(words, command.span, None, inside), inside)


def _joined(reader: Reader, command: Command, words: Sequence[Word], inside: Where) -> None:
    """Read words that are joined with blanks and given to a shell; `parallel` takes data behind `:::`."""
    literals = []
    for word in words:
        if (word.literal or word.head).startswith(":::"):
            break
        literals.append(word.literal)
    known = [literal for literal in literals if literal is not None]
    if len(known) == len(literals):
        reader.text(" ".join(known), inside._replace(place=inside.place or (words[0].start, words[-1].end)))
        return
    reader.hide(f"the text that {inside.via} gives to a shell, only bash can know", inside, command.span)
    _candidates(reader, command, [words], inside)


def _parallel(reader: Reader, command: Command, words: Sequence[Word], inside: Where) -> None:
    """Read what `parallel` starts: the words before `:::`, joined; without any, each of its inputs (GNU parallel)."""
    literals = [word.literal if word.literal is not None else word.head for word in words]
    cut = next((index for index, literal in enumerate(literals) if literal.startswith(":::")), len(literals))
    known = cut > 0 and "{" not in literals[0] and words[0].literal is not None
    if known:
        _joined(reader, command, words[:cut], inside)
        return
    reader.hide("what parallel starts is read from its input", inside, command.span)
    for word in words[cut:]:
        if word.literal is not None:
            reader.text(word.literal, inside._replace(place=inside.span(word), possible=True))


def _assigned(reader: Reader, words: Iterable[Word], where: Where) -> None:
    """Read the assignments that stand before a wrapper's command."""
    for word in words:
        known = word.head if word.literal is None else word.literal
        match = ASSIGNMENT.match(known)
        name = match[1] if match else known
        value = known[len(name) + 1 :]
        literal = None if word.literal is None else value
        span = where.span(word)
        reader.bind(name, [Word(word.start, word.end, literal, value, single=True)], span, exported=True)
        if name.startswith("BASH_FUNC_"):
            reader.find("rebinding", f"{name} defines a function for every bash", span)


def _ends_action(words: Sequence[Word], index: int) -> bool:
    if words[index].literal == ";":
        return True
    return words[index].literal == "+" and (words[index - 1].literal or "").endswith("{}")


def _hollow(word: Word, placeholder: str) -> Word:
    """A word of which a part is replaced at run time."""
    if word.literal is None or placeholder not in word.literal:
        return word
    return Word(word.start, word.end, None, word.literal.partition(placeholder)[0], single=True)


def _is_action(text: str, actions: frozenset[str]) -> bool:
    """Whether a word begins what is started; `fd` takes it in a bundle, too."""
    if text in actions:
        return True
    return "-x" in actions and re.fullmatch(r"-[a-zA-Z0-9]*[xX]", text) is not None


def _with_placeholders(words: Sequence[Word], own: Sequence[Word]) -> Sequence[Word]:
    """The words of a command in which `xargs` replaces a placeholder, or to which it adds what it reads.

    Args:
        words: the command.
        own: `xargs` itself with its options.
    """
    for index, word in enumerate(own):
        match = _REPLACES.fullmatch(word.literal or "")
        if match:
            placeholder = match[1] or match[2] or "{}"
            if match[1] == "" and index + 1 < len(own):
                placeholder = own[index + 1].literal or "{}"
            return [_hollow(each, placeholder) for each in words]
    end = words[-1].end
    return [*words, Word(end, end, None, "", single=False)]
