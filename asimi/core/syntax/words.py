"""One word: where bash's tokenizer ends it, what it would hand on, and what bash expands and executes in it.

Most words are plain, and `parser` reads those with one regular expression of its own. The rest are read here: quotes,
expansions, patterns, assignments, and what is expanded like a word: arithmetic, and the bodies of here-documents.

This is the second of bash's two steps (see `cuts`): once it is known where a piece ends, it is read for expansions.
Every parameter expansion, arithmetic expression and substitution becomes a fact of the script.

Some text is *live*: bash obeys single quotes when it cuts it, and ignores them when it expands it. Live are the operand
of `"${x:-…}"`, arithmetic, subscripts and here-documents. What is between single quotes there was never cut, so it is
read *loosely*: what cannot be read counts as a substitution, never as nothing. `$'…'` is worse: bash decodes it first,
and then expands the result.
"""

from __future__ import annotations

from re import DOTALL, MULTILINE, VERBOSE
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.syntax import texts
from asimi.core.syntax.cuts import ARITHMETIC, BLANK, BRACES, BRACKETS, LINES, NAME, PATTERN, SPLICE, SUBSCRIPT, Cutter
from asimi.core.syntax.nodes import Binding, Evaluation, Expansion, Heredoc, Script, Substitution, Word

if TYPE_CHECKING:
    from collections.abc import Collection
    from re import Match

    from asimi.core.syntax.nodes import Node, Redirection

COMMAND, VALUE, CONDITION, EXTENDED, REGEX, ELEMENT = range(6)
"""Where a word is: in a command, behind the `=` of an assignment, in `[[ ]]`, on the right of its `==`, on the
right of its `=~`, in the parentheses of an array."""

_RUN = r"[^ \t\n;&|()<>'\"`\\$\x01\x7f]"
_RUNS = {
    COMMAND: pattern(rf"{_RUN}+"),
    VALUE: pattern(rf"{_RUN}+"),
    CONDITION: pattern(rf"{_RUN}+"),
    ELEMENT: pattern(rf"{_RUN}+"),
    EXTENDED: pattern(rf"(?:(?![?*+@!]{SPLICE}\(){_RUN})+"),
    REGEX: pattern(r"[^ \t\n;&()<>'\"`\\$\x01\x7f]+"),
}
ASSIGNMENT = pattern(rf"({NAME})(?:(\+?{SPLICE}=)|(\[))")
"""The beginning of an assignment word (POSIX 2.9.1, bash manual, Arrays)."""
_SET = pattern(rf"{SPLICE}(\+?){SPLICE}=")
_BREAK = pattern(r"[ \t\n;&|()<>]")
_SHAPE = pattern(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_TILDES = pattern(r"[=:]~")
_SPECIAL = pattern(r"[*?\[{~]")
_GLOB = pattern(r"[*?\[]")
_INTERNAL = pattern(r"[\x01\x7f]")  # bash marks characters with these two
_QUOTED = pattern(rf"\${SPLICE}(['\"])")
_DOLLAR = pattern(rf"\${SPLICE}(?:({NAME})|([0-9@*#?$!-])|([({{\[]))?")
_LIVE = pattern(r"[^\\$`'\"]*+")
_OPERAND = pattern(r"[^\\$`'\"<>]*+")
_STARTS = rf"{SPLICE}(?:\(|\{{{SPLICE}[ \t\n|(])"
_LOOKALIKE = pattern(rf"(?:[^\\$`]++|\\.|\$(?!{_STARTS}))*(?:`|\$(?={_STARTS}))", DOTALL)
_CURRENT = pattern(rf"{SPLICE}[ \t\n|(]")
_PARAMETER = pattern(
    rf"""{SPLICE}(?:
      (?P<length>\#){SPLICE}(?=(?:[A-Za-z_0-9]|[@*#?$!-]{SPLICE}\}}))
    | (?P<indirect>!){SPLICE}(?=[A-Za-z_0-9]|\#{SPLICE}\}})
    )?
    (?P<name>{NAME}|[0-9](?:[0-9]|\\\n)*|[@*\#?$!-]){SPLICE}(?P<subscript>\[)?""",
    VERBOSE,
)
_OPERATOR = pattern(
    rf"""{SPLICE}(?:
      (?P<end>\}})
    | (?P<default>(?::{SPLICE})?[-=?+])
    | (?P<pattern>%(?:{SPLICE}%)?|\#(?:{SPLICE}\#)?|\^(?:{SPLICE}\^)?|,(?:{SPLICE},)?|~(?:{SPLICE}~)?)
    | (?P<replace>/(?:{SPLICE}[/%\#])?)
    | (?P<offset>:)
    | (?P<transform>@{SPLICE}[A-Za-z])
    | (?P<prefix>[@*])
    )""",
    VERBOSE,
)
_COMMENT = pattern(r"(?<=[ \t\n;&|()])#[^\n]*")
_EXPANDED = pattern(r"[$`]|[<>]\(")
_NOT_PLAIN = pattern(r"[\\$`'\"<>~]")
_NUMBER = pattern(r"[ \t]*[0-9]+[ \t]*\Z")
_ESCAPED = pattern(r"\\(?:\n|([$`\\])|(\"))")
_LINES = pattern(LINES)
_LINE = pattern(rf"{BLANK}(?:(?:\#[^\n]*+)?(\n|\Z))?")
_TABS = pattern(r"^\t+", MULTILINE)
_IN_DOCUMENT = pattern(r"[\\$`]")


class WordReader(Cutter):
    """Reads one word at a time."""

    __slots__ = ()

    def word(self, start: int, mode: int = COMMAND) -> Word:
        """WORD at `start`: (run | quoted | expansion | pattern)*, which may be empty; it leaves `joined` and `raw`."""
        text, pos, run = self.text, start, _RUNS[mode].match
        pieces: list[str] = []  # what each piece stands for
        marks: list[str] = []  # the same, with NUL for what was quoted or expanded: bash looks at this for patterns
        known = -1  # how many pieces there are up to the first that only bash can know
        single = True
        while True:
            match = run(text, pos)
            if match is not None:
                pieces.append(match[0])
                marks.append(match[0])
                pos = match.end()
            character = text[pos : pos + 1]
            piece, unknown, fields = "", True, False  # fields: whether it may become none or several of them
            if character == "'":
                end = self.single_end(pos + 1)
                piece, unknown, pos = text[pos + 1 : end - 1], False, end
            elif character == '"':
                end = self.double_end(pos + 1)
                self.many = False
                first = self.live(pos + 1, end - 1, cut=False)
                piece = text[pos + 1 : end - 1]
                escapes = "\\" in piece
                if first >= 0:
                    before = text[pos + 1 : first]
                    pieces.append(texts.double(before) if escapes else before)
                    marks.append("\0")
                    known = len(pieces) if known < 0 else known
                    single = single and not self.many
                piece, unknown, pos = texts.double(piece) if escapes else piece, False, end
            elif character == "\\":
                follower = text[pos + 1 : pos + 2]
                pos += 1 + len(follower)
                if follower == "\n":
                    continue
                piece, unknown = follower or "\\", False  # a backslash at the very end stands for itself
            elif character == "$":
                pos, piece, unknown, fields = self._dollar(pos)
            elif character == "`":
                pos, fields = self.backquote(pos, quoted=False), True
            elif character in ("<", ">") and text.startswith("(", self.skip_splices(pos + 1)):
                pos = self.process(pos)
                piece = "/dev/fd/"  # bash manual, Process Substitution, where there is such a directory
            elif character in ("\x01", "\x7f"):
                pos += 1  # bash uses these two inside; what it makes of them varies
            elif mode == EXTENDED and character and character in "?*+@!":
                pos = self._group(self.skip_splices(pos + 1) + 1)
            elif mode == REGEX and character == "(":
                pos = self._group(pos + 1)
            else:
                break
            pieces.append(piece)
            marks.append("\0")
            if unknown:
                known = len(pieces) if known < 0 else known
                single = single and not fields
        bare, self.joined = "".join(marks), "".join(pieces)
        self.budget.spend(4 + 2 * len(pieces) + len(bare) // 32)
        self.raw = None if "\0" in bare else self.joined
        single = single or mode == VALUE  # what is assigned is not split
        if _SPECIAL.search(bare):
            special = _tilde(bare, mode)
            if mode != VALUE and (expanded := _pattern(bare)) < len(bare):
                special, single = min(special, expanded), False
            for index, mark in enumerate(marks if known < 0 else marks[:known]):
                if special < len(mark):
                    pieces[index], known = mark[:special], index + 1
                    break
                special -= len(mark)
        head = self.joined if known < 0 else "".join(pieces[:known])
        if not head.isascii():
            head = texts.bytes_joined(head)
        return Word(start, pos, head if known < 0 else None, head, single=single)

    def _dollar(self, pos: int) -> tuple[int, str, bool, bool]:
        """`$'…'`, the `$` of `$"…"`, an expansion, or a `$` that stands for itself.

        Returns:
            The position after it, what it stands for, whether only bash can know that, and whether it may become
            several fields.
        """
        quote = _QUOTED.match(self.text, pos)
        if quote is None:
            end, expanded = self.dollar(pos, quoted=False)
            return end, "" if expanded else "$", expanded, expanded
        if quote[1] == '"':
            return quote.start(1), "", False, False  # a string to translate is read as the string
        end = self.ansi_end(quote.end())
        self.budget.spend(4 + (end - pos) // 2)
        value = texts.ansi(self.text[quote.end() : end - 1])
        return end, value or "", value is None, False

    def peek(self, pos: int) -> Word:
        """The word at `pos`, which will be read again."""
        mark = self.mark()
        word = self.word(pos)
        self.rewind(mark)
        return word

    def delimiter(self, start: int) -> Word:
        """The word after `<<`, which is not expanded; what looks like a substitution in it counts as one."""
        substitutions, before = self.script.substitutions, len(self.script.substitutions)
        mark = self.mark()
        word = self.word(start)
        found = substitutions[before:]
        self.rewind(mark)
        for substitution in found:
            substitution.kind = "delimiter"
        substitutions += found
        self.budget.spend(10 + word.end - start)
        if _INTERNAL.search(self.text, start, word.end):
            self.fail("bash cannot find the end of a here-document with this delimiter", start, word.end)
        text = texts.delimiter(self.text[start : word.end])[0]
        return Word(start, word.end, text, text, single=True)

    def _group(self, pos: int) -> int:
        """A group of a pattern, whose inside begins at `pos`."""
        end = self.group_end(pos, PATTERN)
        self._operand(pos, end - 1, quoted=False)
        return end

    # -- assignments

    def assignment(self, start: int, *, compound: bool) -> Binding | None:
        """ASSIGNMENT_WORD: NAME [`[` subscript `]`] (`=` | `+=`) (WORD | `(` element* `)`), or None.

        Args:
            start: where the word begins.
            compound: whether an array in parentheses is read, else only a plain value.
        """
        text = self.text
        match = ASSIGNMENT.match(text, start)
        if match is None:
            return None
        subscript, sign, pos = None, match[2] or "", match.end()
        if match[3]:
            self.budget.spend(10)
            close = self.group_end(pos, SUBSCRIPT)
            after = _SET.match(text, close)
            if after is None:
                if _BREAK.search(text, pos, close):
                    self.fail("An assignment expected: = after the bracket", close)
                return None
            subscript, sign = text[pos : close - 1], after[1]
            self.subscript(pos, close - 1)
            pos = after.end()
        name = match[1].replace("\\\n", "")
        values: list[Word] = []
        opening = self.skip_splices(pos)
        if compound and text.startswith("(", opening):
            values, pos = self._elements(opening + 1)
            rest = self.word(pos, VALUE)
            if rest.end > pos:
                values, pos = [], rest.end  # then the parentheses are part of a string
        else:
            values = [self.word(pos, VALUE)]
            pos = values[0].end
        return Binding(start, pos, name, "assign", values, subscript, append=sign[:1] == "+")

    def _elements(self, pos: int) -> tuple[list[Word], int]:
        """element* `)`, with element: [`[` subscript `]` `=`] WORD."""
        self.budget.spend(10)
        text, start = self.text, pos - 1
        words: list[Word] = []
        while True:
            pos = self.newlines(pos)
            character = text[pos : pos + 1]
            if character == ")":
                return words, pos + 1
            if not character:
                self.fail("This array is never closed: ) expected", start)
            begin = pos
            if character == "[":
                close = self.group_end(pos + 1, SUBSCRIPT)
                sign = _SET.match(text, close)
                self.subscript(pos + 1, close - 1)
                pos = close if sign is None else sign.end()
                word = self.word(pos, ELEMENT if sign is None else VALUE)
                word = Word(begin, word.end, None, "", single=sign is not None)
            else:
                word = self.word(pos, ELEMENT)
            if word.end == begin:
                self.fail("An array holds words only: a word or ) expected", begin)
            words.append(word)
            pos = word.end
            if text.startswith(("<", ">"), pos):
                self.fail("An array holds words only: a word or ) expected", pos)

    # -- expansions

    def dollar(self, pos: int, *, quoted: bool) -> tuple[int, bool]:
        """Read what begins with the `$` at `pos`.

        Returns:
            The position after it, and whether it is an expansion at all: a lone `$` is not.
        """
        self.budget.spend(4)
        match = _DOLLAR.match(self.text, pos)
        kind = match.lastindex  # type: ignore[union-attr] # there is a $ at pos
        end = match.end()  # type: ignore[union-attr]
        if kind is None:
            return pos + 1, False
        inside = match[kind]  # type: ignore[index]
        if kind < 3:
            name = inside.replace("\\\n", "")
            if name == "@":
                self.many = True
            self.script.expansions.append(Expansion(pos, end, name))
            return end, True
        if inside == "{":
            return self._dollar_brace(pos, end, quoted=quoted), True
        if inside == "[":
            close = self.group_end(end, BRACKETS)
            self.evaluate(end, close - 1, "arithmetic", (pos, close))
            return close, True
        return self._parenthesis(pos, end, "command"), True

    def process(self, pos: int) -> int:
        """`<(…)` or `>(…)` at `pos`."""
        return self._parenthesis(pos, self.skip_splices(pos + 1) + 1, "process")

    def _parenthesis(self, start: int, pos: int, kind: str) -> int:
        """`$(…)`, `$((…))` or `<(…)` at `start`, whose inside begins at `pos`."""
        second = self.skip_splices(pos)
        if self.text.startswith("(", second):
            end = self.group_end(pos, ARITHMETIC)
            if kind == "command" and self._is_arithmetic(second + 1, end):
                self.evaluate(second + 1, self.ends[second + 1] - 1, "arithmetic", (start, end))
                return end
            node, close = self.substitution(start, pos, kind)
            if close != end:
                self.fail("This could be read as arithmetic or as commands: a space is expected after $(", start, pos)
        else:
            node, end = self.substitution(start, pos, kind)
        self._add_substitution(node)
        return end

    def _is_arithmetic(self, inside: int, end: int) -> bool:
        """Whether `$((` is closed by `))`, so not a command substitution that begins with a subshell."""
        inner = self.ends.get(inside)
        if inner is None or self.skip_splices(inner) != end - 1:
            return False
        text = self.text
        if text.count("(", inside, inner - 1) == text.count(")", inside, inner - 1):
            return True
        expression = text[inside : inner - 1]
        commented = _COMMENT.sub("", expression)  # bash takes the comments out of inner substitutions
        if "$(" in expression and commented.count("(") != commented.count(")"):
            self.fail("This could be read as arithmetic or as commands: balance its parentheses", inside - 3, inside)
        return True

    def _add_substitution(self, node: Substitution) -> None:
        self.script.substitutions.append(node)
        self.holes.append((node.start, node.end))

    def backquote(self, pos: int, *, quoted: bool) -> int:
        """Backquotes at `pos`."""
        end = self.backquote_end(pos + 1)
        text = _ESCAPED.sub(
            lambda match: match[1] or ((match[2] if quoted else match[0]) if match[2] else ""),
            self.text[pos + 1 : end - 1],
        )
        self._add_substitution(self._late_substitution(pos, end, "backquote", text))
        return end

    def _late_substitution(self, start: int, end: int, kind: str, text: str) -> Substitution:
        """A substitution whose text bash sees only when it runs; it may turn out not to be shell text."""
        self.enter(start)
        try:
            script = self.within(text).read()
        except ShellSyntaxError as error:
            if error.code == "too_large":
                raise
            script, kind = Script(text), "unread"
        self.depth -= 1
        self.budget.spend(_move(script, start, end))
        return Substitution(start, end, kind, script)

    # -- braces

    def _dollar_brace(self, start: int, pos: int, *, quoted: bool) -> int:
        """`${` parameter_expansion `}`, or `${` blank list `}`, or `${|` list `}`."""
        end = self.group_end(pos, BRACES)
        self.budget.spend(5)
        self.enter(start)
        if _CURRENT.match(self.text, pos):
            body = self.text[pos : end - 1].removeprefix("|")
            self._add_substitution(self._late_substitution(start, end, "current", body))
        else:
            self._parameter(start, pos, end, quoted=quoted)
        self.depth -= 1
        return end

    def _parameter(self, start: int, pos: int, end: int, *, quoted: bool) -> None:
        """parameter_expansion: [`#` | `!`] parameter [`[` subscript `]`] [operator [operand]]."""
        text, index, subscript = self.text, len(self.script.expansions), None
        parameter = _PARAMETER.match(text, pos, end)
        if parameter is None:
            self._bad(start, pos, end, quoted=quoted)
            return
        pos = parameter.end()
        if parameter["subscript"]:
            close = self.group_end(pos, SUBSCRIPT)
            if close >= end:
                self.fail("This subscript is never closed: ] expected", pos - 1)
            subscript = text[pos : close - 1]
            self.subscript(pos, close - 1)
            pos = close
        operator = _OPERATOR.match(text, pos, end)
        if operator is None or not _fits(parameter, operator, end):
            self._bad(start, pos, end, quoted=quoted)
            return
        name, kind = parameter["name"].replace("\\\n", ""), operator.lastgroup or ""
        sign = operator[kind].replace("\\\n", "").removesuffix("}")
        if name == "@" or subscript == "@" or parameter["indirect"]:
            self.many = True
        before = parameter["indirect"] or parameter["length"] or ""
        self.script.expansions.insert(index, Expansion(start, end, name, before + sign, subscript))
        pos = operator.end()
        if kind == "offset":
            self.evaluate(pos, end - 1, "offset", (start, end))
        elif kind in ("default", "pattern", "replace"):
            if kind == "default" and sign[-1] == "=":
                self._bind_expansion(start, end, name, subscript, pos)
            self._operand(pos, end - 1, quoted=quoted and kind == "default")

    def _bad(self, start: int, pos: int, end: int, *, quoted: bool) -> None:
        """What bash calls a bad substitution when it comes to it; what looks executed in it still counts."""
        self.script.expansions.append(Expansion(start, end, "", "bad"))
        self._operand(pos, end - 1, quoted=quoted)

    def _bind_expansion(self, start: int, end: int, name: str, subscript: str | None, pos: int) -> None:
        """`${x=…}` binds a name."""
        value = self.text[pos : end - 1]
        plain = not _NOT_PLAIN.search(value)
        word = Word(pos, end - 1, value if plain else None, value if plain else "", single=True)
        self.script.bindings.append(Binding(start, end, name, "expansion", (word,), subscript))

    def subscript(self, start: int, end: int) -> None:
        """Read what is in the brackets behind a name."""
        if self.text[start:end] not in ("@", "*"):
            self.evaluate(start, end, "subscript", (start, end))

    def _operand(self, pos: int, end: int, *, quoted: bool) -> None:
        """The word of `${x:-word}`; unless quoted, quotes and `<(` mean in it what they mean outside."""
        if quoted:
            self.live(pos, end, cut=True)
            return
        self.budget.spend(2 + (end - pos) // 8)
        text = self.text
        while True:
            if pos > end:
                self.fail("This does not end where the construct around it ends", end - 1)
            pos = _OPERAND.match(text, pos, end).end()  # type: ignore[union-attr] # it matches the empty string
            if pos == end:
                return
            character = text[pos]
            if character == "\\":
                pos += 2
            elif character == "$":
                quote = _QUOTED.match(text, pos)
                if quote is not None and quote[1] == "'":
                    pos = self.ansi_end(quote.end())
                else:
                    pos = self.dollar(pos, quoted=False)[0]
            elif character == "`":
                pos = self.backquote(pos, quoted=False)
            elif character == "'":
                pos = self.single_end(pos + 1)
            elif character == '"':
                close = self.double_end(pos + 1)
                self.live(pos + 1, close - 1, cut=False)
                pos = close
            elif text.startswith("(", self.skip_splices(pos + 1)):
                pos = self.process(pos)
            else:
                pos += 1

    # -- live text

    def live(self, pos: int, end: int, *, cut: bool) -> int:
        """Read text in which `$`, backquotes and backslashes act as in double quotes.

        Args:
            pos: where it begins.
            end: where it ends.
            cut: whether single and double quotes were obeyed when it was cut.

        Returns:
            The position of the first expansion, or -1.
        """
        self.budget.spend(2 + (end - pos) // 8)
        text, first = self.text, -1
        while True:
            if pos > end:
                self.fail("This does not end where the construct around it ends", end - 1)
            pos = _LIVE.match(text, pos, end).end()  # type: ignore[union-attr] # it matches the empty string
            if pos == end:
                return first
            character = text[pos]
            if character == "\\":
                pos += 2
            elif character == "$":
                quote = _QUOTED.match(text, pos) if cut else None
                if quote is not None and quote[1] == "'":
                    close = self.ansi_end(quote.end())
                    self._live_ansi(pos, close, text[quote.end() : close - 1])
                    first, pos = pos if first < 0 else first, close
                    continue
                close, expanded = self.dollar(pos, quoted=True)
                if expanded and first < 0:
                    first = pos
                pos = close
            elif character == "`":
                first = pos if first < 0 else first
                pos = self.backquote(pos, quoted=True)
            elif not cut:
                pos += 1
            elif character == "'":
                close = self.single_end(pos + 1)
                self.loose(pos + 1, close - 1)
                pos = close
            else:
                close = self.double_end(pos + 1)
                self.live(pos + 1, close - 1, cut=False)
                pos = close

    def _live_ansi(self, start: int, end: int, inside: str) -> None:
        """`$'…'` in live text: bash expands what it stands for."""
        value = texts.ansi(inside)
        if value is None or "$" in value or "`" in value:
            self._add_substitution(self._late_substitution(start, end, "command", "$(" if value is None else value))

    def loose(self, start: int, end: int) -> int:
        """Read live text that was never cut: whatever cannot be read in it counts as a substitution.

        Returns:
            The position of the first expansion, or -1.
        """
        inner = self.within(self.text[start:end])
        text, script = inner.text, inner.script
        try:
            first = inner.live(0, len(text), cut=False)
        except ShellSyntaxError as error:
            if error.code == "too_large":
                raise
            first = 0
            pos = script.substitutions[-1].end if script.substitutions else 0
            while match := _LOOKALIKE.match(text, pos):
                pos = match.end()
                script.substitutions.append(Substitution(pos - 1, len(text), "unread", Script("")))
        self.budget.spend(_shift(script, self.text, start))
        self.absorb(script)
        return start + first if first >= 0 else -1

    def again(self, start: int, end: int, literal: str) -> None:
        """Read the word of `>&word`, which bash expands once more when it turns out to be the name of a file.

        Args:
            start: where the word begins.
            end: where it ends.
            literal: what is literal in it after quote removal, because `>&'$(c)'` executes `c`.
        """
        expansions = self.script.expansions
        count = len(expansions)
        while count and expansions[count - 1].start >= start:
            count -= 1
        if count < len(expansions):
            names = [expansion.name for expansion in expansions[count:]]
            self.script.evaluations.append(Evaluation(start, end, "again", names))
        if not _EXPANDED.search(literal):
            return
        inner = self.within(literal)
        try:
            inner._operand(0, len(literal), quoted=False)  # noqa: SLF001 (it is one of us)
        except ShellSyntaxError as error:
            if error.code == "too_large":
                raise
            inner.script.substitutions.append(Substitution(0, 0, "unread", Script(literal)))
        _move(inner.script, start, end)
        self.absorb(inner.script)

    # -- arithmetic

    def evaluate(self, start: int, end: int, kind: str, span: tuple[int, int]) -> str:
        """Read what bash evaluates as arithmetic; returns it with blanks for the substitutions in it.

        Args:
            start: where it begins.
            end: where it ends.
            kind: what it is, as of `Evaluation`.
            span: the construct around it.
        """
        text = self.text
        simple = _NUMBER.match(text, start, end)
        if simple is not None:
            self.script.evaluations.append(Evaluation(*span, kind, ()))
            return simple[0]
        self.enter(start)
        self.budget.spend(10 + (end - start) // 2)
        outer, self.holes = self.holes, []
        index = len(self.script.evaluations)
        self.live(start, end, cut=True)
        pieces, pos = [], start
        for first, last in self.holes:
            if first >= pos:
                pieces.append(text[pos:first])
                pieces.append(" " * (last - first))
                pos = last
        pieces.append(text[pos:end])
        self.holes = outer
        self.holes.append(span)
        self.depth -= 1
        expression = "".join(pieces).replace("\\\n", "  ")
        names, changes = texts.variables_in(expression)
        self.script.evaluations.insert(index, Evaluation(*span, kind, names))
        for change in changes:
            self.script.bindings.append(
                Binding(start + change.start, start + change.end, change.name, "arithmetic", (), change.subscript)
            )
        return expression

    # -- here-documents

    def newlines(self, pos: int) -> int:
        """newline_list: (NEWLINE | comment | blank)*."""
        while self.pending:
            match = _LINE.match(self.text, pos)
            pos = match.end()  # type: ignore[union-attr] # it matches the empty string
            if match[1] is None:  # type: ignore[index]
                return pos
            pos = self.bodies(pos)
        return _LINES.match(self.text, pos).end()  # type: ignore[union-attr] # it matches the empty string

    def bodies(self, pos: int) -> int:
        """Read the bodies of all pending here-documents, the first of which begins at `pos`."""
        for redirection in self.pending:
            pos = self._document(pos, redirection)
        self.pending = []
        return pos

    def _document(self, start: int, redirection: Redirection) -> int:
        """The lines up to the delimiter."""
        text, target = self.text, redirection.target
        delimiter, strip = target.literal or "", redirection.operator == "<<-"
        quoted = texts.delimiter(text[target.start : target.end])[1]
        end = start
        while end < len(text):
            self.budget.spend(1)
            line, spliced, after = self._line(end, quoted=quoted)
            if strip and line != delimiter:
                line = line.lstrip("\t")
            if line == delimiter:
                break
            if self.in_substitution and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                if spliced:
                    self.fail("This here-document does not end on a line of its own", end)
                after = text.index(delimiter, end) + len(delimiter)
                break
            end = after
        else:
            end = after = len(text)
        redirection.heredoc = Heredoc(start, end, self._literal(start, end, strip=strip, quoted=quoted), quoted=quoted)
        return after

    def _line(self, pos: int, *, quoted: bool) -> tuple[str, bool, int]:
        """The line at `pos`, whether it was joined from several, and the position after it."""
        text, pieces = self.text, []
        while True:
            end = text.find("\n", pos)
            if end < 0:
                end = len(text)
            line = text[pos:end]
            if quoted or not line.endswith("\\") or (len(line) - len(line.rstrip("\\"))) % 2 == 0 or end == len(text):
                pieces.append(line)
                return "".join(pieces), len(pieces) > 1, end + 1
            pieces.append(line[:-1])
            pos = end + 1

    def _literal(self, start: int, end: int, *, strip: bool, quoted: bool) -> str | None:
        """What a command would read, unless that depends on an expansion."""
        body = self.text[start:end]
        if not quoted and _IN_DOCUMENT.search(body):
            if self.loose(start, end) >= 0 or (strip and "\\\n" in body):
                return None
            body = texts.document(body)
        return _TABS.sub("", body) if strip else body


def _tilde(bare: str, mode: int) -> int:
    """Where the bare text of a word has its first tilde that may be expanded; its length if it has none."""
    if bare[0] == "~":
        return 0
    if mode == VALUE:
        pos = bare.find(":~")
    else:
        match = _TILDES.search(bare) if "~" in bare and _SHAPE.match(bare) else None
        pos = -1 if match is None else match.start()
    return len(bare) if pos < 0 else pos + 1


def _pattern(bare: str) -> int:
    """Where the bare text of a word has its first pattern or brace expansion; its length if it has none."""
    pos = len(bare)
    if texts.is_pattern(bare) and (match := _GLOB.search(bare)):
        pos = match.start()
    if "{" in bare and texts.is_brace_expansion(bare):
        pos = min(pos, bare.index("{"))
    return pos


def _fits(parameter: Match[str], operator: Match[str], end: int) -> bool:
    """Whether bash allows an operator for a parameter; `end` is the position after the brace."""
    kind, before = operator.lastgroup, parameter["indirect"] or parameter["length"]
    if kind == "end":
        return operator.end() == end
    if kind in ("prefix", "transform") and operator.end() != end - 1:
        return False
    return before != "#" and (kind != "prefix" or before == "!")


def _nodes(script: Script) -> Collection[Node]:
    """Everything in a script that has a span, each once, without what is in its substitutions."""
    nodes: list[Node | None] = [node for facts in script.facts() for node in facts]
    for command in script.commands:
        nodes += (*command.words, command.input)
    for redirection in script.redirections:
        nodes += (redirection.target, redirection.heredoc)
    for binding in script.bindings:
        nodes += binding.values
    for condition in script.conditions:
        nodes += condition.operands
    return {id(node): node for node in nodes if node is not None}.values()


def _move(script: Script, start: int, end: int) -> int:
    """Give everything in a script the span of the backquotes it came from; returns how much that is."""
    nodes = _nodes(script)
    for node in nodes:
        node.start, node.end = start, end
    return len(nodes) + sum(_move(substitution.script, start, end) for substitution in script.substitutions)


def _shift(script: Script, text: str, by: int) -> int:
    """Give everything in a script that was read from a piece of a text its span in that text; returns as `_move`."""
    nodes = _nodes(script)
    for node in nodes:
        node.start += by
        node.end += by
    count = len(nodes)
    for substitution in script.substitutions:
        if substitution.script.text is script.text:
            count += _shift(substitution.script, text, by)
        else:
            count += _move(substitution.script, substitution.start, substitution.end)
    script.text = text
    return count
