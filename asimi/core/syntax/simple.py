"""Simple commands: assignments, words and redirections (POSIX 2.9.1).

Most of a text is read here, so one regular expression swallows what is plain; only the rest goes through the reader of
words.
"""

from __future__ import annotations

import re

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.syntax.conditions import DIGITS, ConditionReader
from asimi.core.syntax.nodes import Binding, Redirection, SimpleCommand, Word
from asimi.core.syntax.source import BLANK, NAME, SPLICE
from asimi.core.syntax.words import ASSIGNMENT

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Pipe

_RUN = r"[^ \t\n;&|()<>'\"`\\$*?\[{~#\x01\x7f][^ \t\n;&|()<>'\"`\\$*?\[{~\x01\x7f]*+"
_EDGE = r"(?=[ \t\n;&|)]|\Z)"
_TOKEN = pattern(
    rf"""{BLANK}(?:
      ({_RUN}|\{{\}}){_EDGE}                                                           # 1: a plain word
    | '([^']*+)'{_EDGE}                                                                # 2
    | "([^"\\$`]*+)"{_EDGE}                                                            # 3
    | (?:(?:([0-9]++)|\{{({NAME})\}}){SPLICE})?                                       # 4: descriptor 5: variable
      (?:(<{SPLICE}<{SPLICE}[<-]|<{SPLICE}[<&>]|>{SPLICE}[>&|]|[<>](?!{SPLICE}\())          # 6: operator
       | (?<![0-9}}])(&{SPLICE}>(?:{SPLICE}>)?))                                       # 7: the same
    | ([\n;&|)\#]|\Z)                                                                  # 8: the end
    )""",
    re.VERBOSE,
)
_PLAIN_ASSIGNMENT = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
_OPERAND = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*?)\])?(\+?)=", re.DOTALL)
ARRAY = pattern(rf"{NAME}(?:\+{SPLICE})?={SPLICE}\(")
_ASSIGNING = frozenset(["alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"])
_DECLARING = frozenset(["declare", "export", "local", "readonly", "typeset"])
_INPUTS = frozenset(["<", "<<", "<<-", "<<<", "<>", "<&"])
_ELEMENT = pattern(rf"\{{({NAME})\[")
_VARIABLE = pattern(r"\{[A-Za-z_].*\}", re.DOTALL)
_LARGEST = 0x7FFFFFFF


class SimpleReader(ConditionReader):
    """Reads simple commands and redirections."""

    __slots__ = ()

    def simple(self, start: int) -> tuple[int, Word | None]:
        """simple_command: (ASSIGNMENT_WORD | redirection)* (WORD | redirection)*.

        Returns:
            The position after it; and its only word, if it is a word alone and `(` follows: a function's name.
        """
        text, token, pos = self.text, _TOKEN.match, start
        words: list[Word] = []
        assignments: list[Binding] = []
        redirections: list[Redirection] = []
        while True:
            match = token(text, pos)
            kind = 0 if match is None else match.lastindex
            if kind == 1:
                run = match[1]  # type: ignore[index]
                begin, pos = match.span(1)  # type: ignore[union-attr]
                if not words and "=" in run and (plain := _PLAIN_ASSIGNMENT.match(run)):
                    value = run[plain.end() :]
                    word = Word(begin + plain.end(), pos, value, value, single=True)
                    assignments.append(Binding(begin, pos, plain[1], "assign", (word,), append=plain[2] == "+"))
                else:
                    words.append(Word(begin, pos, run, run, single=True))
            elif kind == 8:
                break
            elif kind in (2, 3):
                run = match[kind]  # type: ignore[index]
                pos = match.end()  # type: ignore[union-attr]
                words.append(Word(pos - len(run) - 2, pos, run, run, single=True))
            elif kind and (redirection := self._redirection(match)) is not None:  # type: ignore[arg-type]
                redirections.append(redirection)
                pos = redirection.end
            else:
                pos = self.blanks(pos)
                if text.startswith("(", pos):
                    if len(words) == 1 and not assignments and not redirections:
                        return pos, words[0]
                    self.fail("A parenthesis cannot follow a word", pos)
                pos = self._part(pos, words, assignments, redirections)
        if words or assignments or redirections:
            self._add(start, pos, words, assignments, redirections)
        return pos, None

    def _part(self, pos: int, words: list[Word], assignments: list[Binding], redirections: list[Redirection]) -> int:
        """ASSIGNMENT_WORD | `{` NAME `[` subscript `]` `}` operator WORD | WORD, where it is not plain."""
        text, first = self.text, assignments or words
        arrays = not redirections or not first or redirections[-1].start < first[0].start
        if not words:
            match = ASSIGNMENT.match(text, pos)
            if match is not None:
                if match[3] and not arrays:
                    self.fail("An assignment to an element cannot follow a redirection here", pos)
                binding = self.assignment(pos, "assign", compound=arrays)
                if binding is not None:
                    assignments.append(binding)
                    return binding.end
        elif arrays and words[0].literal in _ASSIGNING and ARRAY.match(text, pos) and self._unquoted(words[0]):
            binding = self.assignment(pos, "assign", compound=True)
            if binding is not None:
                words.append(Word(pos, binding.end, None, f"{binding.name}=", single=True))
                if words[0].literal in _DECLARING:
                    self.script.bindings.append(binding)
                return binding.end
        if text.startswith("{", pos) and (redirection := self._subscripted(pos)) is not None:
            redirections.append(redirection)
            return redirection.end
        word = self.word(pos)
        if word.end == pos:
            self.fail("A word expected", pos)
        words.append(word)
        return word.end

    def _unquoted(self, word: Word) -> bool:
        """Whether a word is written as it is read."""
        return self.text[word.start : word.end].replace("\\\n", "") == word.literal

    def _add(
        self, start: int, end: int, words: list[Word], assignments: list[Binding], redirections: list[Redirection]
    ) -> None:
        """Add a simple command and what it binds."""
        self.budget.spend(11 + len(words) + 5 * len(assignments) + 5 * len(redirections))
        bindings = self.script.bindings
        first = len(bindings)
        if assignments:
            if words:
                for binding in assignments:
                    binding.how = "prefix"
            bindings.extend(assignments)
        sure = len(bindings)
        if words and words[0].literal in _DECLARING:
            self._declared(words)
            if not any(map(_may_fail, redirections)):  # a builtin with a redirection that fails is not run
                sure = len(bindings)
        begin = words[0].start if words and not assignments and not redirections else self.blanks(start)
        command = SimpleCommand(begin, end, words, assignments, redirections, function=self.in_function)
        if redirections:
            command.input = _input(redirections)
        self.script.commands.append(command)
        self.certain += (command, *bindings[first:sure])

    def _declared(self, words: list[Word]) -> None:
        """`export a=b` and its like bind the names of their operands."""
        bindings = self.script.bindings
        self.budget.spend(5 * len(words))
        for word in words[1:]:
            head = word.head if word.literal is None else word.literal
            match = _OPERAND.match(head)
            if match is None or (word.literal is None and head == match[0] and self._bound(word)):
                continue
            length = match.end()
            literal = None if word.literal is None else word.literal[length:]
            value = Word(min(word.start + length, word.end), word.end, literal, head[length:], single=word.single)
            bindings.append(
                Binding(word.start, word.end, match[1], "assign", (value,), match[2], append=match[3] == "+")
            )

    def _bound(self, word: Word) -> bool:
        """Whether a word was read as an array and is bound already."""
        return any(binding.start == word.start for binding in self.script.bindings[-50:])

    # -- redirections

    def redirections(self, pos: int, first: int) -> int:
        """redirection_list: redirection*, of a compound command whose commands begin at index `first`."""
        found: list[Redirection] = []
        while True:
            match = _TOKEN.match(self.text, pos)
            if match is None:
                redirection = self._subscripted(self.blanks(pos))
            else:
                redirection = self._redirection(match) if match.lastindex in (6, 7) else None
            if redirection is None:
                break
            found.append(redirection)
            pos = redirection.end
        if found and (source := _input(found)) is not None:
            self.budget.spend((len(self.script.commands) - first) // 4)
            feed(self.script.commands, first, source)
        return pos

    def _redirection(self, match: re.Match[str]) -> Redirection | None:
        """redirection: [NUMBER | `{` NAME `}`] operator WORD; None if the number is too large for one."""
        digits, variable = match[4], match[5]
        if digits and int(digits[:20]) > _LARGEST:
            return None
        if digits:
            return self._redirected(match.start(4), match, int(digits))
        if variable is None:
            return self._redirected(match.start(match.lastindex or 0), match)
        start, name = match.start(5) - 1, variable.replace("\\\n", "")
        redirection = self._redirected(start, match, variable=name)
        self.script.bindings.append(Binding(start, redirection.end, name, "descriptor"))
        return redirection

    def _subscripted(self, start: int) -> Redirection | None:
        """`{` NAME `[` subscript `]` `}` operator WORD; None if it is something else."""
        text = self.text
        match = _ELEMENT.match(text, start)
        if match is None:
            return None
        end = self.peeked(start).end
        operator = _TOKEN.match(text, end)
        if operator is None or operator.lastindex != 6 or operator.start(6) != self.spliced(end):
            return None
        inside, close = match.end(), end - 2
        if text[close:end] != "]}":
            return None
        self.subscript(inside, close)
        name = match[1].replace("\\\n", "")
        redirection = self._redirected(start, operator, variable=name)
        self.script.bindings.append(Binding(start, redirection.end, name, "descriptor", (), text[inside:close]))
        return redirection

    def _redirected(
        self, start: int, match: re.Match[str], descriptor: int | None = None, variable: str | None = None
    ) -> Redirection:
        """Operator WORD; the operator is the last group of the match."""
        text = self.text
        operator = match[match.lastindex or 0].replace("\\\n", "")
        pos = self.blanks(match.end())
        if operator in ("<&", ">&") and text.startswith("-", pos):
            target = Word(pos, pos + 1, "-", "-", single=True)
        elif operator in ("<<", "<<-"):
            target = self.delimiter(pos)
        else:
            target = self.word(pos) if text[pos : pos + 1] != "#" else Word(pos, pos, "", "", single=True)
            if operator == ">&" and descriptor in (None, 1) and variable is None:
                self.again(target.start, target.end, self.joined)
        end = target.end
        if end == pos:
            self.fail(f"A word expected after {operator}", match.start(match.lastindex or 0), match.end())
        if text.startswith(("<", ">"), end):
            if operator not in ("<&", ">&") and DIGITS.fullmatch(text, pos, end):
                self.fail("This number belongs to the operator after it: a word expected between them", pos, end)
            if _VARIABLE.fullmatch(text, pos, end):
                self.fail("This name belongs to the operator after it: a word expected between them", pos, end)
        redirection = Redirection(start, end, operator, target, descriptor, variable)
        self.script.redirections.append(redirection)
        if operator in ("<<", "<<-"):
            self.pending.append(redirection)
        return redirection


def _input(redirections: list[Redirection]) -> Redirection | None:
    """The redirection that standard input comes from in the end, if any."""
    for redirection in reversed(redirections):
        descriptor = redirection.descriptor
        if redirection.variable is None and (
            descriptor == 0 or (descriptor is None and redirection.operator in _INPUTS)
        ):
            return redirection
    return None


def feed(commands: list[SimpleCommand], first: int, source: Redirection | Pipe) -> None:
    """Tell the commands from an index on where their standard input comes from, unless they know it better."""
    for command in commands[first:]:
        if command.input is None:
            command.input = source


def _may_fail(redirection: Redirection) -> bool:
    """Whether a redirection may fail (bash manual, Redirections): a file may be missing, a descriptor closed."""
    if (redirection.descriptor or 0) > 9:  # it may be more than the limit of open files
        return True
    if redirection.heredoc is not None or redirection.operator in {"<<", "<<-", "<<<"}:
        return False
    closes = redirection.operator in {"<&", ">&"} and redirection.target.literal == "-"
    return redirection.variable is not None or not (closes or redirection.target.literal == "/dev/null")
