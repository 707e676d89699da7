"""The arguments by which an ordinary program starts another, runs a program text, or writes.

The tables are in `asimi.programs.options`; here is how an argument is found in them: GNU long options with any
abbreviation, short ones in bundles, single-dash words, behind a subcommand's own options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.programs.options import OPTIONS, PRELUDES, SUBCOMMANDS, Options
from asimi.reading.commands import Escape
from asimi.reading.scripts import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.syntax.nodes import Word

NONE = Options()


def escapes(name: str, words: Sequence[Word]) -> Iterator[Escape]:
    """What the arguments of a program do beyond its ordinary purpose.

    Args:
        name: the last component of the program's path.
        words: its name and its arguments.
    """
    own = OPTIONS.get(name)
    if own is not None:
        yield from _found(name, own, words, 1)
    prelude = PRELUDES.get(name)
    if prelude is None:
        return
    index, sure = subcommand(name, words)
    yield from _found(name, prelude, words[:index], 1)
    if index >= len(words):
        return
    chosen = words[index].literal
    if not sure or chosen is None:
        if own is None and any(program == name for program, _ in SUBCOMMANDS):
            yield Escape(index, f"which subcommand of {name} this is, only bash can know")
        return
    behind = SUBCOMMANDS.get((name, chosen)) or SUBCOMMANDS.get((name, ""))
    if behind is not None:
        yield from _found(f"{name} {chosen}", behind, words, index + 1)


def subcommand(name: str, words: Sequence[Word]) -> tuple[int, bool]:
    """The index of the word that chooses a subcommand, and whether that is sure; `len(words)` where there is none."""
    prelude = PRELUDES.get(name, NONE)
    index, sure = 1, True
    while index < len(words):
        literal = words[index].literal
        if literal is None:
            sure = sure and words[index].single and words[index].head.startswith("-")
            if not words[index].head.startswith("-"):
                return index, False
        elif literal == "--":
            return index + 1, sure
        elif not literal.startswith("-") or literal == "-":
            return index, sure
        elif literal.startswith("--"):
            index += literal[2:] in prelude.long_valued
        elif literal[-1] in prelude.valued and len(literal) == 2:
            index += 1
        index += 1
    return len(words), sure


def _found(name: str, options: Options, words: Sequence[Word], start: int) -> Iterator[Escape]:
    """The escapes among `words[start:]`."""
    if "*" in options.words:
        yield Escape(start, f"{name} runs what its arguments or its input say")
        return
    if "*set" in options.words and (place := _writes_setting(words, start)):
        yield Escape(place, f"{name} writes a setting, and settings can name programs to run")
    told = bool(options.short or options.long or options.words)
    scripts_by_option = False
    index, ended, operands = start, False, 0
    while index < len(words):
        word = words[index]
        text = word.head if word.literal is None else word.literal
        step = 1
        if word.literal is None and not text:
            if told and not ended:
                yield Escape(
                    index, f"this computed word could be an option of {name} that runs or writes something"
                )
            elif options.scripts and not operands:
                yield Escape(index, f"{name} runs this computed text as its program")
            operands += 1
        elif (
            text in options.words
            or text.partition("=")[0] in options.words
            or text.startswith(options.starts)
        ):
            yield Escape(index, f"`{text}` makes {name} run or write something else")
        elif ended or not text.startswith("-") or text == "-":
            if options.scripts and not operands and not scripts_by_option:
                yield from _script(name, options, index, word, text)
            operands += 1
        elif text == "--":
            ended = True
        elif text.startswith("--"):
            long, _, value = text[2:].partition("=")
            if text.partition("=")[0] in options.script_options:
                scripts_by_option = True
                place = index if "=" in text else index + 1
                if place < len(words):
                    script = value if "=" in text else words[place].literal
                    yield from _script(name, options, place, words[place], script)
                step = place - index + 1
            elif _names(long, options):
                yield Escape(index, f"`--{long}` makes {name} run or write something else")
            elif long in options.long_valued and "=" not in text:
                step = 2
        else:
            for place, letter in enumerate(text[1:], 1):
                if letter in options.short:
                    yield Escape(index, f"`-{letter}` makes {name} run or write something else")
                    break
                value_follows = place == len(text) - 1 and word.literal is not None
                if f"-{letter}" in options.script_options:
                    scripts_by_option = True
                    if value_follows and index + 1 < len(words):
                        script_word = words[index + 1]
                        yield from _script(name, options, index + 1, script_word, script_word.literal)
                        step = 2
                    else:
                        yield from _script(
                            name, options, index, word, None if word.literal is None else text[place + 1 :]
                        )
                    break
                if letter in options.valued:
                    step = 2 if value_follows else 1
                    break
        index += step


def _names(long: str, options: Options) -> bool:
    """Whether a long option is an escape, or may be an abbreviation of one."""
    if options.exact or long in options.long or long in options.long_valued:
        return long in options.long
    return bool(long) and any(name.startswith(long) for name in options.long)


def _script(name: str, options: Options, index: int, word: Word, text: str | None) -> Iterator[Escape]:
    """What a program text in a mini language would do."""
    if word.literal is None or text is None:
        yield Escape(index, f"{name} runs this computed text as its program")
    elif trouble := LANGUAGES[options.scripts](text):
        yield Escape(index, f"the program of {name} {trouble}")


_SETTING_READS = ("--get", "--list", "-l")
_SETTING_WRITES = ("--add", "--unset", "--replace", "--edit", "--rename", "--remove", "--file", "-e", "-f")


def _writes_setting(words: Sequence[Word], start: int) -> int:
    """The index of the word by which `git config` writes, or 0 where it only reads."""
    operands = 0
    for index in range(start, len(words)):
        text = words[index].literal or words[index].head
        reads = text in {"get", "list"} and not operands
        if reads or text.startswith(_SETTING_READS):
            return 0
        if text.startswith(_SETTING_WRITES):
            return index
        operands += not text.startswith("-")
        if operands > 1:
            return index
    return 0
