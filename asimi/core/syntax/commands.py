"""Lists and pipelines (POSIX 2.9.2 and 2.9.3), and with them whole texts and substitutions, as `bash -c` reads them.

Reserved words are recognised where bash recognises them: where a command may begin, and right behind a compound command
that has no redirections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from asimi.core.lean import pattern
from asimi.core.syntax.compound import BODIES, PARENTHESIS, CompoundReader
from asimi.core.syntax.cuts import BLANK, SPLICE
from asimi.core.syntax.nodes import Pipe, Script, Substitution
from asimi.core.syntax.simple import ARRAY, feed

if TYPE_CHECKING:
    from asimi.core.syntax.compound import Closers

_CLOSERS = frozenset(["then", "do", "done", "elif", "else", "esac", "fi", "}", "in", "]]"])
_OPERATOR = pattern(
    rf"{BLANK}(?:(?:\#[^\n]*+)?(\n|\Z)|(&{SPLICE}&|\|{SPLICE}[|&]|;{SPLICE};{SPLICE}&|;{SPLICE}[;&]|[;&|)]))"
)
_LINES = pattern(r"(?:[ \t\n]++|\\\n|#[^\n]*+)*")
_LINE = pattern(rf"{BLANK}(?:(?:\#[^\n]*+)?(\n))?")
_END = pattern(rf"\)|;{SPLICE};{SPLICE}&|;{SPLICE}[;&]|\Z")
_NOTHING = pattern(rf"(?:\#|\n|\Z|;(?!{SPLICE}[;&]))")
_OPTION = pattern(rf"-({SPLICE}[p-])(?=[ \t\n;&|()<>]|\Z)")
_FOUND = pattern(r"[;&|<>()]+|[^ \t\n;&|<>()]+|\n")
_CLOSING = (";;", ";&", ";;&", ")", "}", "then", "do", "done", "elif", "else", "fi", "esac", "in", "]]", "")
_UNCOUNTED = pattern(r"#[^\n]*+|\\\n")
_AT_END = frozenset([""])
_NOT_WORDS = BODIES | {"coproc", "function"}


class Parser(CompoundReader):
    """Reads a whole text; `script` holds what was found."""

    __slots__ = ()

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
        self.script, self.pending, self.inside, self.sure = Script(self.text), [], True, True
        try:
            self.enter(start)
            end = self.commands(pos, "$(", start, PARENTHESIS, empty=True)[0]
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
            word, after = self.reserved(pos)
            start = pos
            # bash reads a substitution twice, and a `time` that begins it is a plain word the first time
            timed = word == "time" and opener == "$(" and behind == begin and pos == self.blanks(begin)
            missing = False
            if word in ("!", "time"):
                if not piped:
                    pos, word, after = self._prefixes(pos, word, after)
                    missing = word == ";"
                    required = not missing
                elif word == "!" or self._timed(operator, text[behind:pos]):
                    self.fail(f"`{word}` may not stand behind {operator}", pos, after)
                else:
                    word = ""
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
            required, self.sure = False, sure
            match = _OPERATOR.match(text, pos)
            if match is None:
                pos = self.blanks(pos)
                word, after = self.reserved(pos)
                if not bare or not word or word not in closers:
                    self._unexpected(pos, opener, opening, closers)
                self.depth -= 1
                return after, word
            operator = match[2]
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

    def _prefixes(self, pos: int, word: str, after: int) -> tuple[int, str, int]:
        """pipeline: (`!` | `time` [`-p`] [`--`])* command (`|` command)*.

        Returns:
            The place of the command, its reserved word and the place after that; `;` for the word where there is no
            command, which bash allows.
        """
        while word in ("!", "time"):
            pos = self.blanks(after)
            if word == "time":
                pos = self._options(pos)
            if _NOTHING.match(self.text, pos):
                return pos, ";", pos
            word, after = self.reserved(pos)
        return pos, word, after

    def _timed(self, operator: str, between: str) -> bool:
        """Whether bash sees the reserved word `time` behind a pipe: only where a newline hides the pipe from it."""
        if "\n" in between and self.text.count("<<"):
            return True
        newlines = _UNCOUNTED.sub("", between).count("\n")
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
        word, after = self.reserved(pos)
        wanted = ""
        if opener:
            line = text.count("\n", 0, opening) + 1
            names = " or ".join(f"`{closer}`" for closer in sorted(closers, key=_CLOSING.index))
            wanted = f"{names} expected to close the `{opener}` at line {line}"
        if pos >= len(text):
            self.fail(wanted or "A command expected before the end", max(0, len(text) - 1), len(text))
        if not word:
            match = _FOUND.match(text, pos)
            word = match[0][:20] if match else text[pos]
            after = pos + len(word)
        shown = "the end of the line" if word == "\n" else f"`{word}`"
        self.fail(f"{shown[0].upper()}{shown[1:]} is not expected here" + (f"; {wanted}" if wanted else ""), pos, after)
