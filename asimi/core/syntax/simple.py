"""Simple commands: assignments, words and redirections (POSIX 2.9.1).

This is where most of a text is read, so that what is plain is swallowed by one regular expression; only the rest goes
through the reader of words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.lean import pattern
from asimi.core.syntax.conditions import ConditionReader
from asimi.core.syntax.cuts import BLANK, SPLICE
from asimi.core.syntax.nodes import Binding, Redirection, SimpleCommand, Word
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
    | (?:(?:([0-9]++)|\{{([A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*)\}}){SPLICE})?   # 4: descriptor 5: variable
      (?:(<{SPLICE}<{SPLICE}[<-]|<{SPLICE}[<&>]|>{SPLICE}[>&|]|[<>](?!{SPLICE}\())          # 6: operator
       | (?<![0-9}}])(&{SPLICE}>(?:{SPLICE}>)?))                                       # 7: the same
    | ([\n;&|)\#]|\Z)                                                                  # 8: the end
    )""",
    re.VERBOSE,
)
_PLAIN_ASSIGNMENT = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
_OPERAND = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*?)\])?(\+?)=", re.DOTALL)
ARRAY = pattern(rf"[A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*(?:\+{SPLICE})?={SPLICE}\(")
_ASSIGNING = frozenset(["alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"])
_DECLARING = frozenset(["declare", "export", "local", "readonly", "typeset"])
_INPUTS = frozenset(["<", "<<", "<<-", "<<<", "<>", "<&"])
_ELEMENT = pattern(r"\{([A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*)\[")
_VARIABLE = pattern(r"\{[A-Za-z_].*\}", re.DOTALL)
_DIGITS = pattern(r"[0-9]+")
_LARGEST = 0x7FFFFFFF


class SimpleReader(ConditionReader):
    """Reads simple commands and redirections.

    Attributes:
        function: whether the place stands in the body of a function.
    """

    __slots__ = ("function",)

    function: bool

    def simple(self, start: int) -> tuple[int, Word | None]:
        """simple_command: (ASSIGNMENT_WORD | redirection)* (WORD | redirection)*.

        Returns:
            The place after it; and its only word, if it is a word alone and `(` follows: a function's name.
        """
        text, token = self.text, _TOKEN.match
        words: list[Word] = []
        assignments: list[Binding] = []
        redirections: list[Redirection] = []
        arrays = False  # whether `name=(` is an array here
        leading = True  # whether an assignment may be more than `name=value`
        pos = end = start
        while True:
            match = token(text, pos)
            kind = 0 if match is None else match.lastindex
            if kind == 1:
                run = match[1]  # type: ignore[index]
                begin, end = match.span(1)  # type: ignore[union-attr]
                pos = end
                if not words:
                    if "=" in run and (plain := _PLAIN_ASSIGNMENT.match(run)):
                        at = begin + plain.end()
                        value = run[plain.end() :]
                        word = Word(at, end, value, value, single=True)
                        assignments.append(Binding(begin, end, plain[1], "assign", (word,), append=plain[2] == "+"))
                        continue
                    arrays = leading and run in _ASSIGNING
                words.append(Word(begin, end, run, run, single=True))
                continue
            if kind == 8:
                break
            if kind in (2, 3):
                run = match[kind]  # type: ignore[index]
                pos = end = match.end()  # type: ignore[union-attr]
                words.append(Word(end - len(run) - 2, end, run, run, single=True))
                continue
            if kind:
                redirection = self._redirection(match)  # type: ignore[arg-type]
                if redirection is not None:
                    redirections.append(redirection)
                    pos = end = redirection.end
                    arrays = False
                    leading = leading and not assignments
                    continue
            begin = self.blanks(pos)
            if text.startswith("(", begin):
                if len(words) == 1 and not assignments and not redirections:
                    return begin, words[0]
                self.fail("A parenthesis cannot stand behind a word", begin)
            if not words and (match := ASSIGNMENT.match(text, begin)) is not None:
                if match[3] and not leading:
                    self.fail("An assignment cannot stand behind a redirection like this", begin)
                binding = self.assignment(begin, "assign", compound=leading)
                if binding is not None:
                    assignments.append(binding)
                    pos = end = binding.end
                    continue
            if arrays and ARRAY.match(text, begin):
                binding = self.assignment(begin, "assign", compound=True)
                if binding is not None:
                    pos = end = binding.end
                    words.append(Word(begin, end, None, f"{binding.name}=", single=True))
                    if words[0].literal in _DECLARING:
                        self.script.bindings.append(binding)
                    continue
            if text.startswith("{", begin) and (redirection := self._subscripted(begin)) is not None:
                redirections.append(redirection)
                pos = end = redirection.end
                arrays = False
                leading = leading and not assignments
                continue
            word = self.word(begin)
            if word.end == begin:
                self.fail("A word expected", begin)
            pos = end = word.end
            if not words:
                arrays = leading and self.raw in _ASSIGNING
            words.append(word)
        script = self.script
        if assignments:
            if words:
                for binding in assignments:
                    binding.how = "prefix"
            script.bindings.extend(assignments)
        elif not words and not redirections:
            return start, None
        if words and words[0].literal in _DECLARING:
            self._declared(words)
        command = SimpleCommand(
            words[0].start if words and not assignments and not redirections else self.blanks(start),
            end,
            words,
            assignments,
            redirections,
            function=self.function,
        )
        if redirections:
            command.input = _input(redirections)
        script.commands.append(command)
        return end, None

    def _declared(self, words: list[Word]) -> None:
        """`export a=b` and its like bind the names of their operands."""
        bindings = self.script.bindings
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
        """redirection_list behind a compound command, whose commands begin at index `first`."""
        text, found = self.text, []
        end = pos
        while True:
            match = _TOKEN.match(text, end)
            if match is None:
                redirection = self._subscripted(self.blanks(end))
            else:
                redirection = self._redirection(match) if match.lastindex in (6, 7) else None
            if redirection is None:
                break
            found.append(redirection)
            end = redirection.end
        if found:
            source = _input(found)
            if source is not None:
                feed(self.script.commands, first, source)
        return end

    def _redirection(self, match: re.Match[str]) -> Redirection | None:
        """[descriptor] operator WORD; None where the number is too large to be one, so that it is a word."""
        digits, variable = match[4], match[5]
        if digits and int(digits[:20]) > _LARGEST:
            return None
        place = match.start(match.lastindex or 0)
        if variable is None:
            return self._redirected(match.start(4) if digits else place, place, match, int(digits) if digits else None)
        start = match.start(5) - 1
        variable = variable.replace("\\\n", "")
        redirection = self._redirected(start, place, match, None, variable)
        self.script.bindings.append(Binding(start, redirection.end, variable, "descriptor"))
        return redirection

    def _subscripted(self, start: int) -> Redirection | None:
        """`{name[subscript]}` operator WORD; None where it is something else."""
        match = _ELEMENT.match(self.text, start)
        if match is None:
            return None
        counts = [len(facts) for facts in self._facts()]
        close = self.word(start).end
        operator = _TOKEN.match(self.text, close)
        if (
            self.text[close - 2 : close] != "]}"
            or operator is None
            or operator.lastindex != 6
            or operator.start(6) != self.spliced(close)
        ):
            for facts, count in zip(self._facts(), counts, strict=True):
                del facts[count:]
            return None
        for facts, count in zip(self._facts(), counts, strict=True):
            del facts[count:]
        self._subscript(match.end(), close - 2)
        name = match[1].replace("\\\n", "")
        redirection = self._redirected(start, operator.start(6), operator, None, name)
        subscript = self.text[match.end() : close - 2]
        self.script.bindings.append(Binding(start, redirection.end, name, "descriptor", (), subscript))
        return redirection

    def _redirected(
        self, start: int, place: int, match: re.Match[str], descriptor: int | None, variable: str | None = None
    ) -> Redirection:
        """Read operator WORD, the operator at `place`."""
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
            self.fail(f"A word expected behind {operator}", place, match.end())
        if text.startswith(("<", ">"), end) and operator not in ("<&", ">&") and _DIGITS.fullmatch(text, pos, end):
            self.fail("This number belongs to the operator behind it: a word expected between the two", pos, end)
        if text.startswith(("<", ">"), end) and _VARIABLE.fullmatch(text, pos, end):
            self.fail("This name belongs to the operator behind it: a word expected between the two", pos, end)
        redirection = Redirection(start, end, operator, target, descriptor, variable)
        self.script.redirections.append(redirection)
        if operator in ("<<", "<<-"):
            self.pending.append(redirection)
        return redirection


def _input(redirections: list[Redirection]) -> Redirection | None:
    """The redirection that standard input comes from in the end, if any."""
    found = None
    for redirection in redirections:
        if redirection.variable is None and (
            redirection.descriptor == 0 or (redirection.descriptor is None and redirection.operator in _INPUTS)
        ):
            found = redirection
    return found


def feed(commands: list[SimpleCommand], first: int, source: Redirection | Pipe) -> None:
    """Tell the commands from an index on where their standard input comes from, unless they know it better."""
    for command in commands[first:]:
        if command.input is None:
            command.input = source
