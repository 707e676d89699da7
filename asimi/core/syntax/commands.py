"""Lists and pipelines (POSIX 2.9.2 and 2.9.3), as `bash -c` reads them.

Reserved words are recognised where bash recognises them: where a command may begin, and right after a compound command
without redirections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from asimi.core.lean import pattern
from asimi.core.syntax.compound import BODIES, CompoundReader
from asimi.core.syntax.nodes import Pipe
from asimi.core.syntax.simple import ARRAY, feed
from asimi.core.syntax.source import BLANK, BREAK, NOTHING, SPLICE

if TYPE_CHECKING:
    import re

    from asimi.core.syntax.source import Closers

_CLOSERS = frozenset(["then", "do", "done", "elif", "else", "esac", "fi", "}", "in", "]]"])
_OPERATOR = pattern(
    rf"{BLANK}(?:(?:\#[^\n]*+)?(\n|\Z)|(&{SPLICE}&|\|{SPLICE}[|&]|;{SPLICE};{SPLICE}&|;{SPLICE}[;&]|[;&|)]))"
)
_END = pattern(rf"\)|;{SPLICE};{SPLICE}&|;{SPLICE}[;&]|\Z")
_OPTION = pattern(rf"-({SPLICE}[p-]){BREAK}")
_ENDS = ("", ")", ";")
_FOUND = pattern(r"[;&|<>()]+|[^ \t\n;&|<>()]+|\n")
_CLOSING = (";;", ";&", ";;&", ")", "}", "then", "do", "done", "elif", "else", "fi", "esac", "in", "]]", "")
_UNCOUNTED = pattern(r"#[^\n]*+|\\\n")
_NOT_SIMPLE = BODIES | {"coproc", "function"}


class Parser(CompoundReader):
    """Reads a whole text, or one substitution of it."""

    __slots__ = ()

    def commands(
        self, pos: int, opener: str, opening: int, closers: Closers, *, empty: bool = False
    ) -> tuple[int, str]:
        """compound_list closer; see `Source.commands`."""
        self.enter(pos)
        outer, self.around = self.around, (opener, opening, closers)
        ended = self._list(pos, closers, required=not empty)
        self.around = outer
        self.depth -= 1
        return ended

    def _list(self, pos: int, closers: Closers, *, required: bool) -> tuple[int, str]:
        """compound_list: newline_list [and_or ((`;` | `&` | NEWLINE) newline_list and_or)* [`;` | `&` | NEWLINE]]."""
        text, begin, timed = self.text, pos, self.around[0] == "$("
        while True:
            pos = self.newlines(pos)
            if text[pos : pos + 1] in _ENDS and (match := _END.match(text, pos)) is not None:
                word, after, ended = match[0].replace("\\\n", ""), match.end(), True
            else:
                word, after = self.reserved(pos)
                ended = word in _CLOSERS
            if ended:
                if required or word not in closers:
                    self._unexpected(pos)
                return after, word
            # bash reads a substitution twice, and a `time` that begins it is a plain word the first time
            timed = timed and word == "time" and pos == self.blanks(begin)
            pos, bare, match = self._and_or(pos, word, after, timed=timed)
            if match is None:
                pos = self.blanks(pos)
                word, after = self.reserved(pos)
                if not bare or not word or word not in closers:
                    self._unexpected(pos)
                return after, word
            required, timed, pos = False, False, match.end()
            operator = match[2] and match[2].replace("\\\n", "")
            if operator is None:
                if self.pending:
                    pos = self.bodies(pos)
            elif operator not in (";", "&"):
                if operator not in closers:
                    self._unexpected(match.start(2))
                return pos, operator

    def _and_or(self, pos: int, word: str, after: int, *, timed: bool) -> tuple[int, bool, re.Match[str] | None]:
        """and_or: pipeline ((`&&` | `||`) newline_list pipeline)*.

        pipeline: prefix* command ((`|` | `|&`) newline_list command)*.

        Returns:
            The position after it, whether a reserved word may follow at once, and the operator that follows.
        """
        commands, functions, sure = self.script.commands, self.script.functions, self.sure
        defined, operator, between = len(functions), "", ""
        pipe: Pipe | None = None
        while True:
            start, first = pos, len(commands)
            if word in ("!", "time"):
                if pipe is None:
                    pos, word, after = self._prefixes(pos, word, after)
                elif word == "!" or self._timed(operator, between):
                    self.fail(f"`{word}` cannot follow {operator}", pos, after)
                else:
                    word = ""
            pos, bare = self._command(pos, word, after, timed=timed)
            if pipe is not None:
                feed(commands, first, pipe)
            match = _OPERATOR.match(self.text, pos)
            if match is None or match[2] is None:
                break
            operator = match[2].replace("\\\n", "")
            piped = operator in ("|", "|&")
            if piped or operator == "&":  # what is in a pipe or the background is another process
                for function in functions[defined:]:
                    function.sure = False
            if not piped and operator not in ("&&", "||"):
                break
            pipe = Pipe(start, pos, first, len(commands)) if piped else None
            self.sure = timed = False
            pos = self.newlines(match.end())
            between = self.text[match.end() : pos]
            word, after = self.reserved(pos)
        self.sure = sure
        return pos, bare, match

    def _command(self, pos: int, word: str, after: int, *, timed: bool) -> tuple[int, bool]:
        """command: simple_command | compound_command redirection_list? | function_definition; nothing for the word `;`.

        Returns:
            The position after it, and whether a reserved word may follow at once.
        """
        if timed and (word in _NOT_SIMPLE or ARRAY.match(self.text, pos)):
            self.fail("Only a simple command may follow a `time` that begins a substitution", pos)
        if word == ";":
            return pos, False
        if word:
            if word in _CLOSERS:
                self._unexpected(pos)
            return self.compound(word, pos, after)
        end, name = self.simple(pos)
        if name is not None:
            if timed:
                self.fail("No function may be defined after a `time` that begins a substitution", end)
            return self.function_definition(name, name.start, end)
        if end == pos:
            self._unexpected(pos)
        if timed and any(ARRAY.match(self.text, one.start) for one in self.script.commands[-1].assignments):
            self.fail("No array may follow a `time` that begins a substitution", pos, end)
        return end, False

    def _prefixes(self, pos: int, word: str, after: int) -> tuple[int, str, int]:
        """prefix: `!` | `time` [`-p`] [`--`].

        Returns:
            The position of the command, its reserved word and the position after that; `;` for the word if there is
            no command, which bash allows.
        """
        while word in ("!", "time"):
            pos = self.blanks(after)
            if word == "time":
                pos = self._options(pos)
            if NOTHING.match(self.text, pos):
                return pos, ";", pos
            word, after = self.reserved(pos)
        return pos, word, after

    def _timed(self, operator: str, between: str) -> bool:
        """Whether bash sees the reserved word `time` behind a pipe: only if a newline hides the pipe from it."""
        if "\n" in between and self.text.count("<<"):
            return True
        newlines = _UNCOUNTED.sub("", between).count("\n")
        return newlines > 1 or (newlines == 1 and operator == "|&")

    def _options(self, pos: int) -> int:
        """[`-p`] [`--`] after `time`."""
        for option in "p-":
            match = _OPTION.match(self.text, pos)
            if match is not None and match[1].endswith(option):
                pos = self.blanks(match.end())
        return pos

    def _unexpected(self, pos: int) -> NoReturn:
        """Say what may not be here, and what is open."""
        text, (opener, opening, closers) = self.text, self.around
        word, after = self.reserved(pos)
        wanted = ""
        if opener:
            line = text.count("\n", 0, opening) + 1
            names = " or ".join(f"`{closer}`" for closer in sorted(closers, key=_CLOSING.index))
            wanted = f"{names} expected to close the `{opener}` at line {line}"
        if pos >= len(text):
            self.fail(wanted or "A command expected before the end", pos)
        if not word:
            match = _FOUND.match(text, pos)
            word = match[0][:20] if match else text[pos]
            after = pos + len(word)
        shown = "The end of the line" if word == "\n" else f"`{word}`"
        self.fail(f"{shown} is not expected here" + (f"; {wanted}" if wanted else ""), pos, after)
