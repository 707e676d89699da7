"""The grammar of commands (POSIX 2.10, and what the bash manual adds), as `bash -c` reads a text.

Each function is one production, named and described as there. It reads from a place and returns the place after it;
what it finds goes into the script's lists. Reserved words are recognised where bash recognises them: where a command
may begin, and right behind a compound command that has no redirections.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from asimi.syntax.cuts import ARITHMETIC, BLANK, SPLICE
from asimi.syntax.nodes import Binding, Function, Pipe, Script, Substitution, Word
from asimi.syntax.simple import ARRAY, SimpleReader, feed
from asimi.syntax.words import ASSIGNMENT

if TYPE_CHECKING:
    from collections.abc import Callable

_BREAK = r"(?=[ \t\n;&|()<>]|\Z)"
_RESERVED = (
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
)  # fmt: skip
_CLOSERS = frozenset(["then", "do", "done", "elif", "else", "esac", "fi", "}", "in", "]]"])
_START = re.compile(rf"(?:({'|'.join(re.escape(word) for word in _RESERVED)}){_BREAK}|(\())")
_SPLICED_WORD = re.compile(rf"((?:[^ \t\n;&|()<>'\"`\\$]|\\\n)++){_BREAK}")
_OPERATOR = re.compile(
    rf"{BLANK}(?:(?:\#[^\n]*+)?(\n|\Z)|(&{SPLICE}&|\|{SPLICE}[|&]|;{SPLICE};{SPLICE}&|;{SPLICE}[;&]|[;&|)]))"
)
_LINES = re.compile(r"(?:[ \t\n]++|\\\n|#[^\n]*+)*+")
_LINE = re.compile(rf"{BLANK}(?:(?:\#[^\n]*+)?(\n))?")
_END = re.compile(rf"\)|;{SPLICE};{SPLICE}&|;{SPLICE}[;&]|\Z")
_NOTHING = re.compile(rf"(?:\#|\n|\Z|;(?!{SPLICE}[;&]))")
_OPTION = re.compile(rf"-({SPLICE}[p-]){_BREAK}")
_EMPTY_PARENTHESES = re.compile(rf"\({BLANK}\)")
_SEMICOLON = re.compile(rf"{BLANK};(?!{SPLICE}[;&])")

Closers = frozenset[str]
_THEN = frozenset(["then"])
_AFTER_THEN = frozenset(["fi", "else", "elif"])
_FI = frozenset(["fi"])
_DO = frozenset(["do"])
_DONE = frozenset(["done"])
_BRACE = frozenset(["}"])
_PARENTHESIS = frozenset([")"])
_AFTER_PATTERN = frozenset(["esac", ";;", ";&", ";;&"])
_AT_END = frozenset([""])
_BODIES = frozenset(["{", "(", "[[", "if", "for", "while", "until", "case", "select"])
_NOT_WORDS = (_BODIES | {"coproc", "function"}) - {"[["}


class Parser(SimpleReader):
    """Reads a whole text; `script` holds what was found.

    Attributes:
        casing: whether the place stands in a `case` and no other has ended since it began.
        sure: whether what stands here is sure to happen before what follows (see `Function`).
    """

    __slots__ = ("casing", "sure")

    casing: bool
    sure: bool

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text, self.script, self.depth = text, Script(text), depth
        self.pending, self.ends, self.nodes, self.holes = [], {}, {}, []
        self.many = self.inside = self.function = self.casing = False
        self.sure = True
        self.joined, self.raw = "", None

    def read(self) -> Script:
        """Read all of it.

        Raises:
            ShellSyntaxError: bash would not parse it, or we do not understand it.
        """
        self.commands(0, "", 0, _AT_END, empty=True)
        if self.pending:
            self.bodies(len(self.text))
        return self.script

    def within(self, text: str) -> Parser:
        """Someone who reads another text, as deep as this place."""
        inner = Parser(text, self.depth)
        inner.function = self.function
        return inner

    # -- substitutions

    def substitution_end(self, pos: int) -> int:
        """The place after the `)` of a substitution."""
        start = pos - 2
        while self.text[start] in "\\\n":
            start -= 1
        return self.nested(start, pos, "command")[1]

    def nested(self, start: int, pos: int, kind: str) -> tuple[Substitution, int]:
        """`$(` compound_list? `)`."""
        known = self.nodes.get(pos)
        if known is not None:
            known[0].kind = kind
            return known
        outer = self.script, self.pending, self.inside, self.sure, self.casing
        self.script, self.pending, self.inside, self.sure, self.casing = Script(self.text), [], True, True, False
        try:
            self.enter(start)
            end = self.commands(pos, "$(", start, _PARENTHESIS, empty=True)[0]
            self.depth -= 1
            if self.pending:
                self.fail("The here-document of this command begins after the substitution's end", start, end)
            node = Substitution(start, end, kind, self.script)
        finally:
            self.script, self.pending, self.inside, self.sure, self.casing = outer
        self.nodes[pos] = node, end
        return node, end

    # -- lists

    def newlines(self, pos: int) -> int:
        """newline_list: (NEWLINE | comment | blank)*."""
        while self.pending:
            match = _LINE.match(self.text, pos)
            pos = match.end()  # type: ignore[union-attr] # it matches the empty string
            if not match[1]:  # type: ignore[index]
                return pos
            pos = self.bodies(pos)
        return _LINES.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def commands(
        self, pos: int, opener: str, opening: int, closers: Closers, *, empty: bool = False
    ) -> tuple[int, str]:
        """compound_list: newline_list pipeline ((`&&` | `||` | `;` | `&` | NEWLINE) newline_list pipeline)*.

        Args:
            pos: where it begins.
            opener: the word that opened the construct around it, for messages.
            opening: where that stands.
            closers: the words and operators that may end it; "" is the end of the text.
            empty: whether there may be no command at all.

        Returns:
            The place after what ended it, and that.
        """
        self.enter(pos)
        text, commands = self.text, self.script.commands
        required, operator, begin = not empty, "", pos
        sure, defined = self.sure, len(self.script.functions)
        writer = before = written = 0  # of the command before a pipe: its place, and the index of its first command
        while True:
            behind, pos = pos, self.newlines(pos)
            if not required:
                match = _END.match(text, pos)
                if match is not None:
                    end = match[0].replace("\\\n", "")
                    if end in closers:
                        self.depth -= 1
                        return match.end(), end
                    self._unexpected(pos, opener, opening, closers)
            piped = operator in ("|", "|&")
            word, after = self._reserved(pos)
            start = pos
            missing = False
            # bash reads a substitution twice, and a `time` that begins it is a plain word the first time
            timed = word == "time" and opener == "$(" and behind == begin and pos == self.blanks(begin)
            while word in ("!", "time"):  # pipeline: (`!` | `time` [`-p`] [`--`])* command (`|` command)*
                if piped:
                    if word == "!" or self._timed(operator, text[behind:pos]):
                        self.fail(f"`{word}` may not stand behind {operator}", pos, after)
                    word = ""
                    break
                pos = self.blanks(after)
                if word == "time":
                    pos = self._options(pos)
                if _NOTHING.match(text, pos):
                    missing = True
                    break
                word, after = self._reserved(pos)
            if timed and (word in _NOT_WORDS or ARRAY.match(text, pos)):
                self.fail("Only a simple command may stand behind a `time` that begins a substitution", pos)
            first = len(commands)
            bare = False
            self.sure = sure and not piped and operator not in ("&&", "||")
            if missing:
                pass
            elif word in _CLOSERS:
                if required or word not in closers:
                    self._unexpected(pos, opener, opening, closers)
                self.depth -= 1
                return after, word
            elif word:
                pos, bare = self.compound(word, pos, after)
            else:
                place = pos
                pos, name = self.simple(pos)
                if name is not None:
                    if timed:
                        self.fail("No function may be defined behind a `time` that begins a substitution", pos)
                    pos, bare = self.function_definition(name, pos)
                elif pos == place:
                    self._unexpected(pos, opener, opening, closers)
                elif timed and any(ARRAY.match(text, one.start) for one in commands[-1].assignments):
                    self.fail("No array may stand behind a `time` that begins a substitution", place, pos)
            if piped:
                feed(commands, first, Pipe(writer, before, written, first))
            writer, before, written = start, pos, first
            required = False
            match = _OPERATOR.match(text, pos)
            if match is None:
                pos = self.blanks(pos)
                word, after = self._reserved(pos)
                if not bare or not word or word not in closers:
                    self._unexpected(pos, opener, opening, closers)
                self.depth -= 1
                return after, word
            operator = match[2]
            self.sure = sure
            if operator is None:
                operator = ""
                pos = match.end()
                defined = len(self.script.functions)
                if self.pending and match[1]:
                    pos = self.bodies(pos)
                continue
            pos = match.end()
            operator = operator.replace("\\\n", "")
            if operator in ("&", "|", "|&"):  # what is in the background or a pipe happens in another process
                for function in self.script.functions[defined:]:
                    function.sure = False
            if operator in ("&&", "||", "|", "|&"):
                required = True
            elif operator in (";", "&"):
                defined = len(self.script.functions)
            else:
                if operator not in closers:
                    self._unexpected(match.start(2), opener, opening, closers)
                self.depth -= 1
                return pos, operator

    def _reserved(self, pos: int) -> tuple[str, int]:
        """The reserved word or parenthesis at `pos`, and the place after it; an empty word where there is none."""
        match = _START.match(self.text, pos)
        if match is not None:
            return match[0], match.end()
        match = _SPLICED_WORD.match(self.text, pos)
        if match is not None and "\\\n" in match[1]:
            word = match[1].replace("\\\n", "")
            if word in _RESERVED:
                return word, match.end()
        return "", pos

    def _timed(self, operator: str, between: str) -> bool:
        """Whether bash sees the reserved word `time` behind a pipe: only where a newline hides the pipe from it."""
        if "\n" in between and self.text.count("<<"):
            return True
        newlines = re.sub(r"\\\n", "", between).count("\n")
        return newlines > 1 or (newlines == 1 and operator == "|&")

    def _options(self, pos: int) -> int:
        """[`-p`] [`--`] behind `time`."""
        for option in "p-":
            match = _OPTION.match(self.text, pos)
            if match is not None and match[1].endswith(option):
                pos = self.blanks(match.end())
        return pos

    def _unexpected(self, pos: int, opener: str, opening: int, closers: Closers) -> NoReturn:
        """Say what stands where it may not, and what is open."""
        text = self.text
        word, after = self._reserved(pos)
        wanted = ""
        if opener:
            line = text.count("\n", 0, opening) + 1
            names = " or ".join(f"`{closer}`" for closer in sorted(closers, key=len))
            wanted = f"{names} expected to close the `{opener}` at line {line}"
        if pos >= len(text):
            self.fail(wanted or "A command expected before the end", max(0, len(text) - 1), len(text))
        if not word:
            match = re.compile(r"[;&|<>()]+|[^ \t\n;&|<>()]+|\n").match(text, pos)
            word = match[0][:20] if match else text[pos]
            after = pos + len(word)
        shown = "the end of the line" if word == "\n" else f"`{word}`"
        self.fail(f"{shown[0].upper()}{shown[1:]} is not expected here" + (f"; {wanted}" if wanted else ""), pos, after)

    # -- compound commands

    def compound(self, word: str, pos: int, after: int) -> tuple[int, bool]:
        """compound_command redirection_list?, whose first word stands at `pos`.

        Returns:
            The place after it, and whether a reserved word may follow at once: there are no redirections.
        """
        first = len(self.script.commands)
        if word not in ("{", "function"):
            self.sure = False
        pos = _COMPOUND[word](self, pos, after)
        end = self.redirections(pos, first)
        return end, end == pos and word != "coproc"

    def parenthesis(self, start: int, pos: int) -> int:
        """subshell: `(` compound_list `)`; arithmetic_command: `((` expression `))`."""
        second = self.spliced(pos)
        if self.text.startswith("(", second):
            close = self.group_end(second + 1, ARITHMETIC)
            if self.text.startswith(")", close):
                self.arithmetic(second + 1, close - 1, (start, close + 1))
                return close + 1
        return self.commands(pos, "(", start, _PARENTHESIS)[0]

    def brace_group(self, start: int, pos: int) -> int:
        """brace_group: `{` compound_list `}`."""
        return self.commands(pos, "{", start, _BRACE)[0]

    def conditional(self, start: int, pos: int) -> int:
        """conditional_command: `[[` expression `]]`."""
        return self.condition(start, pos)

    def if_clause(self, start: int, pos: int) -> int:
        """`if` list `then` list (`elif` list `then` list)* [`else` list] `fi`."""
        closer = "elif"
        while closer == "elif":
            pos = self.commands(pos, "if", start, _THEN)[0]
            pos, closer = self.commands(pos, "if", start, _AFTER_THEN)
        if closer == "else":
            pos = self.commands(pos, "if", start, _FI)[0]
        return pos

    def while_clause(self, start: int, pos: int) -> int:
        """(`while` | `until`) list `do` list `done`."""
        word = self.text[start:pos].replace("\\\n", "")
        pos = self.commands(pos, word, start, _DO)[0]
        return self.commands(pos, word, start, _DONE)[0]

    def for_clause(self, start: int, pos: int) -> int:
        """(`for` | `select`) NAME newline_list [`in` WORD* (`;` | NEWLINE)] [`;`] newline_list body."""
        text = self.text
        how = text[start:pos].replace("\\\n", "")
        pos = self.blanks(pos)
        if how == "for" and text.startswith("(", pos):
            return self._arithmetic_for(start, pos)
        name = self._name(pos, how)
        pos = self.newlines(name.end)
        binding = Binding(name.start, name.end, name.literal or text[name.start : name.end], how)
        self.script.bindings.append(binding)
        word, after = self._reserved(pos)
        if word == "in":
            if self.casing and pos != self.blanks(name.end):  # bash takes this `in` for that of the `case`
                self.fail(f"A new line may not stand before the `in` of a `{how}` inside a `case`", pos, after)
            binding.values, pos = self._words(after)
            return self._body(start, self.newlines(pos), how)
        match = _SEMICOLON.match(text, pos) if pos == self.blanks(name.end) else None
        if match is not None:
            return self._body(start, self.newlines(match.end()), how)
        if word == "{" and "\n" not in text[name.end : pos].replace("\\\n", ""):
            self.fail(f"`in`, `do` or ; expected to go on with the `{how}`", pos)
        return self._body(start, pos, how)

    def _words(self, pos: int) -> tuple[tuple[Word, ...], int]:
        """WORD* (`;` | NEWLINE)."""
        text = self.text
        words: list[Word] = []
        while True:
            pos = self.blanks(pos)
            match = _NOTHING.match(text, pos)
            if match is not None:
                return tuple(words), match.end() if match[0] == ";" else pos
            word = self.word(pos)
            if word.end == pos or text.startswith(("<", ">"), word.end):
                self.fail("A word, ; or a new line expected", word.end)
            words.append(word)
            pos = word.end

    def _body(self, start: int, pos: int, opener: str) -> int:
        """`do` list `done`, or `{` list `}`."""
        word, after = self._reserved(pos)
        if word == "do":
            return self.commands(after, opener, start, _DONE)[0]
        if word != "{":
            self.fail(f"`do` expected to go on with the `{opener}`", min(pos, len(self.text) - 1))
        return self.commands(after, "{", pos, _BRACE)[0]

    def _arithmetic_for(self, start: int, pos: int) -> int:
        """`for` `((` expression `;` expression `;` expression `))` [`;`] newline_list body."""
        text = self.text
        second = self.spliced(pos + 1)
        if not text.startswith("(", second):
            self.fail("A name or (( expected behind `for`", pos)
        close = self.group_end(second + 1, ARITHMETIC)
        if not text.startswith(")", close):
            self.fail(")) expected to close the ((", close)
        if self.arithmetic(second + 1, close - 1, (pos, close + 1)).count(";") != 2:
            self.fail("Three expressions expected, with ; between them", second + 1, close - 1)
        pos = close + 1
        match = _SEMICOLON.match(text, pos)
        return self._body(start, self.newlines(pos if match is None else match.end()), "for")

    def case_clause(self, start: int, pos: int) -> int:
        """`case` WORD newline_list `in` (newline_list item)* `esac`.

        item: [`(`] pattern (`|` pattern)* `)` list (`;;` | `;&` | `;;&`); the last needs no end of its own.
        """
        text = self.text
        pos = self.newlines(self._name(self.blanks(pos), "case").end)
        word, pos = self._reserved(pos)
        if word != "in":
            self.fail("`in` expected to go on with the `case`", min(pos, len(text) - 1))
        while True:
            pos = self.newlines(pos)
            word, after = self._reserved(pos)
            if word == "esac":
                self.casing = False
                return after
            self.casing = True
            if word == "(":
                pos = after
            while True:
                pos = self.blanks(pos)
                pattern = self.word(pos)
                if pattern.end == pos or text.startswith("#", pos):
                    self.fail("A pattern or `esac` expected to go on with the `case`", min(pos, len(text) - 1))
                pos = self.blanks(pattern.end)
                if not text.startswith("|", pos):
                    break
                pos += 1
            if not text.startswith(")", pos):
                self.fail(") expected to close the pattern", min(pos, len(text) - 1))
            pos, closer = self.commands(pos + 1, "case", start, _AFTER_PATTERN, empty=True)
            if closer == "esac":
                self.casing = False
                return pos

    def function_definition(self, name: Word, pos: int) -> tuple[int, bool]:
        """WORD `(` `)` newline_list compound_command redirection_list?."""
        match = _EMPTY_PARENTHESES.match(self.text, pos)
        if match is None:
            self.fail("A parenthesis cannot stand behind a word; ) expected if this defines a function", pos)
        return self._defined(name, name.start, match.end())

    def function_keyword(self, start: int, pos: int) -> int:
        """`function` WORD [`(` `)`] newline_list compound_command."""
        text = self.text
        name = self._name(self.blanks(pos), "function")
        pos = self.blanks(name.end)
        match = _EMPTY_PARENTHESES.match(text, pos)
        return self._defined(name, start, pos if match is None else match.end())[0]

    def _defined(self, name: Word, start: int, pos: int) -> tuple[int, bool]:
        """The body of a function, with its redirections."""
        text = self.text
        function = Function(start, pos, text[name.start : name.end] if name.literal is None else name.literal)
        function.sure, self.sure = self.sure, False
        self.script.functions.append(function)
        pos = self.newlines(pos)
        word, after = self._reserved(pos)
        if word not in _BODIES:
            self.fail("A compound command such as { …; } expected as the function's body", min(pos, len(text) - 1))
        outer, self.function = self.function, True
        end, bare = self.compound(word, pos, after)
        self.function, function.end = outer, end
        return end, bare

    def coprocess(self, start: int, pos: int) -> int:
        """`coproc` [NAME] compound_command redirection_list?, or `coproc` simple_command."""
        text = self.text
        pos = self.blanks(pos)
        word, after = self._reserved(pos)
        name = "COPROC"
        if not word and not ASSIGNMENT.match(text, pos):
            first = self._peeked(pos)
            behind = self.blanks(first.end)
            second, further = self._reserved(behind) if first.end > pos else ("", pos)
            if second in _BODIES:
                name, word, pos, after = text[pos : first.end].replace("\\\n", ""), second, behind, further
            elif second and second != "time":
                self.fail(f"`{second}` may not stand behind the first word of a coprocess", behind, further)
            elif (element := ASSIGNMENT.match(text, behind)) is not None and element[3]:
                self.fail("bash reads this bracket as a subscript here, which nobody means", behind, element.end())
        self.script.bindings.append(Binding(start, pos, name, "coproc"))
        if word in _BODIES:
            return self.compound(word, pos, after)[0]
        if word and word != "time":
            self.fail(f"`{word}` may not stand behind `coproc`", pos, after)
        end, function = self.simple(pos)
        if end == pos or function is not None:
            self.fail("A command expected behind `coproc`", pos if pos < len(text) else start)
        if any(ARRAY.match(text, one.start) for one in self.script.commands[-1].assignments[1:]):
            self.fail("Behind `coproc` bash reads the words of an array in another way: no array expected", pos, end)
        return end

    def _peeked(self, pos: int) -> Word:
        """The word at `pos`, which will be read again."""
        counts = [len(facts) for facts in self._facts()]
        word = self.word(pos)
        for facts, count in zip(self._facts(), counts, strict=True):
            del facts[count:]
        return word

    def _name(self, pos: int, word: str) -> Word:
        """The WORD behind a reserved word."""
        name = self.word(pos)
        if name.end == pos or self.text.startswith("#", pos):
            self.fail(f"A word expected behind `{word}`", min(pos, len(self.text) - 1))
        return name


_COMPOUND: dict[str, Callable[[Parser, int, int], int]] = {
    "(": Parser.parenthesis,
    "{": Parser.brace_group,
    "[[": Parser.conditional,
    "if": Parser.if_clause,
    "while": Parser.while_clause,
    "until": Parser.while_clause,
    "for": Parser.for_clause,
    "select": Parser.for_clause,
    "case": Parser.case_clause,
    "function": Parser.function_keyword,
    "coproc": Parser.coprocess,
}
