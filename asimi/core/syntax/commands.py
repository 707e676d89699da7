"""Lists and pipelines (POSIX 2.9.2 and 2.9.3), as `bash -c` reads them.

Reserved words are recognised where bash recognises them: where a command may begin, and right after a compound command
without redirections.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.syntax.compound import BODIES, CompoundReader
from asimi.core.syntax.nodes import Pipe
from asimi.core.syntax.simple import ARRAY, feed
from asimi.core.syntax.source import BLANK, BREAK, NOTHING, SPLICE

if TYPE_CHECKING:
    import re
    from typing import NoReturn

    from asimi.core.syntax.nodes import SimpleCommand
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
_FAILING = frozenset("UID EUID PPID BASHOPTS SHELLOPTS BASH_VERSINFO FUNCNEST HISTCMD OPTIND".split())
"""Variables of which an assignment fails, or lets something fail later."""

_UNSURE = frozenset([".", "eval", "readonly", "source", "trap"])
"""Commands that fix variables, or run text that is not read here."""

_DECLARES = frozenset(["declare", "local", "typeset"])
_FIXES = pattern(r"[-+]\w*[inr]")
"""Options of these for variables that cannot be set, that stand for others, or whose value is evaluated."""

_NOT_SIMPLE = BODIES | {"coproc", "function"}


def _fails(command: SimpleCommand) -> bool:
    """Whether a command may let an assignment or an expansion on another line fail."""
    words = [word.head if word.literal is None else word.literal for word in command.words]
    names = frozenset(words if words[:1] in (["builtin"], ["command"]) else words[:1])
    if not _UNSURE.isdisjoint(names):
        return True
    unknown = any(word.literal is None and word.head[:1] in {"", "-", "+"} for word in command.words[1:])
    if "shopt" in names:
        return unknown or "failglob" in words
    return not _DECLARES.isdisjoint(names) and (unknown or any(_FIXES.match(word) for word in words))


class Parser(CompoundReader):
    """Reads a whole text, or one substitution of it."""

    __slots__ = ()

    def commands(
        self, pos: int, opener: str, opening: int, closers: Closers, *, empty: bool = False
    ) -> tuple[int, str]:
        """compound_list closer; see `Source.commands`."""
        self.budget.spend(20)
        self.enter(pos)
        outer, self.around, certain, self.certain = self.around, (opener, opening, closers), self.certain, []
        first, self.lines = self.lines, []
        ended = self._list(pos, closers, required=not empty)
        for each in self.certain:
            each.holds = ended[0]
        if opener in ("", "$("):
            self._discard()
        elif opener == "{":
            certain += self.certain
        self.around, self.certain, self.lines = outer, certain, first
        self.depth -= 1
        return ended

    def _discard(self) -> None:
        """Let what follows an expansion that may fail hold only for its line, because bash then discards the line."""
        script = self.script
        self.budget.spend(len(script.commands) // 2)
        fails = [each.start for each in script.evaluations]
        fails += [each.start for each in script.expansions if each.operator == "bad" or each.operator[:1] == "!"]
        anywhere = any(each.name in _FAILING for each in script.bindings) or any(map(_fails, script.commands))
        if not fails and not anywhere:
            return
        if script.functions:  # what is in a body fails where the function is called
            names, behind, bodies = {each.name for each in script.functions}, 0, [0]
            for each in sorted(script.functions, key=lambda each: each.start):
                if each.start >= behind:
                    bodies += [each.start, behind := each.end]
            outside = [fail for fail in fails if bisect_right(bodies, fail) % 2]
            calls = [each.start for each in script.commands if each.words and each.words[0].literal in names]
            fails = outside if len(outside) == len(fails) else [*outside, *calls]
        fails.sort()
        for fact in self.certain:
            line = bisect_right(self.lines, fact.start)
            begin = self.lines[line - 1] if line else 0
            if anywhere or bisect_left(fails, fact.end) > bisect_left(fails, begin):
                fact.holds = self.lines[line] if line < len(self.lines) else fact.holds

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
                self.lines.append(pos)
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
        commands, certain, operator, between = self.script.commands, self.certain, "", ""
        base = begun = len(certain)
        chained = -1  # from here on, `certain` is what only the rest of a chain of `&&` is sure of
        alternative = False
        chain: list[SimpleCommand] = []
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
            begin, plain = pos, not word and "!" not in self.text[start:pos]
            pos, bare = self._command(pos, word, after, timed=timed)
            if pipe is not None:
                self.budget.spend((len(commands) - first) // 4)
                feed(commands, first, pipe)
            match = _OPERATOR.match(self.text, pos)
            operator = "" if match is None or match[2] is None else match[2].replace("\\\n", "")
            piped = operator in ("|", "|&")
            if operator == "&":
                del certain[base:]
            elif piped or pipe is not None or alternative:  # another process, or one that may not have run
                del certain[begun:]
            if not piped:
                chained = len(certain) if chained < 0 else min(chained, len(certain))
                if pipe is None and plain and not alternative:
                    chain += [each for each in commands[first:] if each.start == begin]
                if operator != "&&":
                    for each in certain[chained:]:
                        each.holds = pos
                    for one in chain:
                        one.then = pos
                    del certain[chained:], chain[:]
                if match is None or operator not in ("&&", "||"):
                    break
                begun, alternative = len(certain), operator == "||"
            assert match is not None
            pipe = Pipe(start, pos, first, len(commands)) if piped else None
            timed = False
            pos = self.newlines(match.end())
            between = self.text[match.end() : pos]
            word, after = self.reserved(pos)
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
            self.budget.spend(4)
            pos = self.blanks(after)
            if word == "time":
                pos = self._options(pos)
            if NOTHING.match(self.text, pos):
                return pos, ";", pos
            word, after = self.reserved(pos)
        return pos, word, after

    def _timed(self, operator: str, between: str) -> bool:
        """Whether bash sees the reserved word `time` behind a pipe: only if a newline hides the pipe from it."""
        self.budget.spend(2 + len(self.text) // 512)
        if "\n" in between and "<<" in self.text:
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
