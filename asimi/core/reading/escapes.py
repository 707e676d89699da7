"""The arguments by which an ordinary program starts another, runs a program text, or writes.

The tables are in `asimi.core.programs.options`; here is how an argument is found in them: GNU long options with any
abbreviation, short ones in bundles, single-dash words, behind a subcommand's own options.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.lean import pattern
from asimi.core.programs.options import MANAGEMENT, OPTIONS, PRELUDES, SUBCOMMANDS, Options
from asimi.core.reading.commands import Escape
from asimi.core.syntax import parse
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from asimi.core.reading.commands import Command

NONE = Options()
PATHS = ("~", "$HOME/", "${HOME}/", '"$HOME/', '"${HOME}/', "$PWD/", "${PWD}/", '"$PWD/', '"${PWD}/')
"""What a word begins with that is a path whatever bash makes of it, and so no option."""

_VARIABLE = pattern(r"""("?)\$(?:(\w+)|\{(\w+)\})""")
_ARITHMETIC = pattern(r"\$\(\(\s*\d{1,4}(?:\s*[+*/%]\s*\d{1,4}){0,3}\s*\)\)", re.ASCII)
"""Arithmetic of few short numbers, whose result is digits: no name, no minus, no overflow."""

_PLAIN = pattern(r"[^\s*?\[\\~$-][^\s*?\[\\$]*")


def escapes(command: Command, plain: frozenset[str]) -> Iterator[Escape]:
    """What the arguments of a command do beyond its ordinary purpose.

    Args:
        command: the command; its name is literal.
        plain: the variables whose every value is one literal word that begins like no option.
    """
    name, words = command.name or "", tuple(_counted(command, word) for word in command.words)
    own = OPTIONS.get(name)
    if own is not None:
        yield from _Scan(name, own, command, plain).found(words, 1)
    prelude = PRELUDES.get(name)
    if prelude is None:
        return
    index, sure = subcommand(name, words)
    yield from _Scan(name, prelude, command, plain).found(words[:index], 1)
    if index >= len(words):
        return
    chosen = words[index].literal
    if sure and (name, chosen) in MANAGEMENT and index + 1 < len(words):
        index += 1
        chosen = words[index].literal
    if not sure or chosen is None:
        if own is None and any(program == name for program, _ in SUBCOMMANDS):
            yield Escape(index, f"which subcommand of {name} this is, only bash can know")
        return
    behind = SUBCOMMANDS.get((name, chosen)) or SUBCOMMANDS.get((name, ""))
    if behind is not None:
        yield from _Scan(f"{name} {chosen}", behind, command, plain).found(words, index + 1)


def _counted(command: Command, word: Word) -> Word:
    """A word with digits in place of its arithmetic, if that is all that is computed in it: `"$((1+1))p"` as `1p`."""
    written = command.written(word)
    if word.literal is not None or not word.single or "$((" not in written or "'" in written or word.head[:1] == "-":
        return word
    try:
        words = parse(f": {_ARITHMETIC.sub('1', written)}").commands[0].words
    except ShellSyntaxError:
        return word
    if len(words) != 2 or words[1].literal is None:
        return word
    return Word(word.start, word.end, words[1].literal, words[1].literal, single=True)


def subcommand(name: str, words: Sequence[Word], start: int = 1) -> tuple[int, bool]:
    """The index of the word that chooses a subcommand, and whether that is sure; `len(words)` where there is none."""
    prelude = PRELUDES.get(name, NONE)
    index, sure = start, True
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


class _Scan:
    """One pass over arguments, for one row of the tables."""

    def __init__(self, name: str, options: Options, command: Command, plain: frozenset[str]) -> None:
        self.name, self.options, self.command, self.plain = name, options, command, plain
        self.script_given = False  # whether an option already gave the program text
        self.operands = 0

    def found(self, words: Sequence[Word], start: int) -> Iterator[Escape]:
        """The escapes among `words[start:]`."""
        options, simple = self.options, self.command.simple
        if "*" in options.words:
            yield Escape(start, f"{self.name} runs what its arguments or its input say")
            return
        if options.stdin and simple is not None and simple.input is not None:
            yield Escape(len(words), f"{self.name} runs what its standard input says")
        for index, word in enumerate(words[start:], start):
            if any(part in (word.literal or word.head) for part in options.contains):
                yield Escape(index, f"{self.name} runs or writes what this word says")
        if "*set" in options.words and (place := _writes_setting(words, start)):
            yield Escape(place, f"{self.name} writes a setting, and settings can name programs to run")
        index, ended = start, False
        while index < len(words) and not (options.stops and self.operands):
            word = words[index]
            text = word.head if word.literal is None else word.literal
            if word.literal is None and not text and not self._is_operand(word):
                yield from self._computed(index, ended=ended)
                step = 1
            elif self._is_escape(text):
                yield from self._named(words, index, text)
                step = 1
            elif text == "--" and not ended:
                ended, step = True, 1
            elif text in options.word_valued:
                step = 2
            elif text.startswith("--") and not ended:
                step = yield from self._long(words, index, text)
            elif text.startswith("-") and len(text) > 1 and not ended:
                step = yield from self._short(words, index, text)
            elif options.bundle and index == start:
                step = 1
                if set(text) & set(options.short):
                    yield Escape(index, f"`{text}` makes {self.name} run or write something else")
            else:
                yield from self._operand(index, word, text)
                step = 1
            index += step

    def _is_operand(self, word: Word) -> bool:
        """Whether a computed word begins with something that no option begins with."""
        written = self.command.written(word)
        if written.startswith(PATHS):
            return True
        match = _VARIABLE.match(written)
        return match is not None and (match[2] or match[3]) in self.plain

    def _is_escape(self, text: str) -> bool:
        options = self.options
        key = text.partition("=")[0]
        if text in options.words or key in options.words or text.startswith(options.starts):
            return True
        return text.startswith("--") and key[1:] in options.words

    def _computed(self, index: int, *, ended: bool) -> Iterator[Escape]:
        """A word of which nothing is known."""
        options = self.options
        if (options.short or options.long or options.words) and not ended:
            yield Escape(index, f"this computed word could be an option of {self.name} that runs or writes something")
        elif options.scripts and not self.operands:
            yield Escape(index, f"{self.name} runs this computed text as its program")
        self.operands += 1

    def _operand(self, index: int, word: Word, text: str) -> Iterator[Escape]:
        options = self.options
        if options.scripts and not self.operands and not self.script_given:
            yield from self._script(index, None if word.literal is None else text)
        if options.second and self.operands == 1:
            yield Escape(index, f"{self.name} writes its second operand")
        self.operands += 1

    def _named(self, words: Sequence[Word], index: int, text: str, value: str | None = None) -> Iterator[Escape]:
        """An option that is an escape, unless its value is known to be harmless."""
        if value is None:
            _, equals, value = text.partition("=")
            following = words[index + 1].literal if index + 1 < len(words) else None
            value = value if equals else following
        if self.options.harmless and value is not None and re.fullmatch(self.options.harmless, value):
            return
        yield Escape(index, f"`{text}` makes {self.name} run or write something else")

    def _long(self, words: Sequence[Word], index: int, text: str) -> Generator[Escape, None, int]:
        """A long option; returns how many words it takes."""
        options = self.options
        long, equals, value = text[2:].partition("=")
        scripts = [each[2:] for each in options.script_options if each.startswith("--")]
        if long and any(each.startswith(long) for each in scripts):
            self.script_given = True
            place = index if equals else index + 1
            if place < len(words):
                yield from self._script(place, value if equals and words[index].literal else words[place].literal)
            return place - index + 1
        if _names(long, options):
            yield from self._named(words, index, text, value if equals else None)
            return 1
        known = (*options.long_valued, *options.long_flags)
        if options.scripts and long not in known:
            yield Escape(index, f"the option `--{long}` of {self.name} is not known, so that neither its program is")
        return 2 if long in options.long_valued and not equals else 1

    def _short(self, words: Sequence[Word], index: int, text: str) -> Generator[Escape, None, int]:
        """A bundle of short options; returns how many words it takes."""
        options, word = self.options, words[index]
        for place, letter in enumerate(text[1:], 2):
            rest = text[place:]
            following = words[index + 1] if index + 1 < len(words) else None
            alone = not rest and word.literal is not None
            if letter in options.short:
                value = rest or (following.literal if following is not None and letter in options.valued else None)
                yield from self._named(words, index, f"-{letter}", rest or value or "")
                return 2 if alone and letter in options.valued else 1
            if f"-{letter}" in options.script_options:
                self.script_given = True
                if alone and following is not None:
                    yield from self._script(index + 1, following.literal)
                    return 2
                yield from self._script(index, None if word.literal is None else rest)
                return 1
            if letter in options.valued:
                return 2 if alone else 1
        return 1

    def _script(self, index: int, text: str | None) -> Iterator[Escape]:
        """What a program text in a mini language would do."""
        from asimi.core.reading.scripts import LANGUAGES

        if text is None:
            yield Escape(index, f"{self.name} runs this computed text as its program")
        elif trouble := LANGUAGES[self.options.scripts](text):
            yield Escape(index, f"the program of {self.name} {trouble}")


def is_plain_value(word: Word) -> bool:
    """Whether a value is one literal word that begins like no option, however it is expanded."""
    return word.literal is not None and _PLAIN.fullmatch(word.literal) is not None


def _names(long: str, options: Options) -> bool:
    """Whether a long option is an escape, or may be an abbreviation of one."""
    if options.exact or long in options.long or long in options.long_valued:
        return long in options.long
    return bool(long) and any(name.startswith(long) for name in options.long)


_SETTING_READS = ("--get", "--list", "-l")
_SETTING_WRITES = ("--add", "--unset", "--replace", "--edit", "--rename", "--remove", "--file", "-e", "-f")
_SETTING_VERBS = frozenset({"edit", "set", "unset", "rename-section", "remove-section"})
_SETTING_VALUED = frozenset({"--type", "--default", "--blob"})


def _writes_setting(words: Sequence[Word], start: int) -> int:
    """The index of the word by which `git config` writes, or 0 where it only reads."""
    operands, index = 0, start
    while index < len(words):
        text = words[index].literal or words[index].head
        if (text in {"get", "list"} and not operands) or text.startswith(_SETTING_READS):
            return 0
        if text.startswith(_SETTING_WRITES) or (text in _SETTING_VERBS and not operands):
            return index
        operands += not text.startswith("-")
        if operands > 1:
            return index
        index += 1 + (text in _SETTING_VALUED)
    return 0
