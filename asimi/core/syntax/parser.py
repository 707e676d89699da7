"""Commands: lists, pipelines, simple and compound commands, conditions, functions, as `bash -c` reads them.

POSIX 2.9 and, of the bash manual, Compound Commands, Conditional Constructs, Coprocesses. Each method is a production:
it returns the position after what it read, and what it finds goes into the lists of the script.

Reserved words are recognised where bash recognises them: where a command may begin, and right after a compound command
without redirections. Most of a text is simple commands, so one regular expression swallows what is plain in them; only
the rest goes through the reader of words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from re import DOTALL, VERBOSE, escape
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.syntax.conditions import DIGITS, ConditionReader
from asimi.core.syntax.cuts import ARITHMETIC, BLANK, BREAK, LINES, NAME, NOTHING, PARENTHESIS, SPLICE
from asimi.core.syntax.nodes import Binding, Function, Pipe, Redirection, SimpleCommand, Word, input_of, may_fail
from asimi.core.syntax.texts import RESERVED_NAMES
from asimi.core.syntax.words import ASSIGNMENT

if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match
    from typing import NoReturn

    from asimi.core.syntax.cuts import Closers

DECLARES = frozenset(["declare", "export", "local", "readonly", "typeset"])
"""Builtins that give variables attributes, and values behind `=`."""

UNSURE = frozenset([".", "eval", "readonly", "source", "trap"])
"""Commands that fix variables, or run text that is not read here."""

ASSIGNING = DECLARES | {"alias", "eval", "let"}
"""Commands of which a word may be an assignment (bash manual, Bash Builtins)."""

WATCHED = UNSURE | DECLARES | {"builtin", "command", "shopt"}
"""First words of commands that may change whether a later assignment holds."""

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

_FIXING = DECLARES - {"export"}
_FIXES = pattern(r"[-+]\w*[inr]")
"""Options of these for variables that cannot be set, that stand for others, or whose value is evaluated."""

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
    | ()                                                                               # 9: anything else
    )""",
    VERBOSE,
)
_PLAIN_ASSIGNMENT = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
_OPERAND = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*?)\])?(\+?)=", DOTALL)
_ARRAY = pattern(rf"{NAME}(?:\+{SPLICE})?={SPLICE}\(")
_ELEMENT = pattern(rf"\{{({NAME})\[")
_VARIABLE = pattern(r"\{[A-Za-z_].*\}", DOTALL)
_LARGEST = 0x7FFFFFFF

_RESERVED = RESERVED_NAMES | {"!", "[[", "]]", "{", "}"}
_LETTERS = r"[a-z!{}\[\]]*+"
_WORD = rf"(?:{'|'.join(map(escape, sorted(_RESERVED)))}|(?:{_LETTERS}\\\n)+{_LETTERS}){BREAK}|\("
_START = pattern(_WORD)
_FIRST = pattern(rf"({LINES})({_WORD})?")
_EMPTY_PARENTHESES = pattern(rf"\({BLANK}\)")
_SEMICOLON = pattern(rf"{BLANK};(?!{SPLICE}[;&])")

_THEN = frozenset(["then"])
_AFTER_THEN = frozenset(["fi", "else", "elif"])
_FI = frozenset(["fi"])
_DO = frozenset(["do"])
_DONE = frozenset(["done"])
_BRACE = frozenset(["}"])
_AFTER_PATTERN = frozenset(["esac", ";;", ";&", ";;&"])
_BODIES = frozenset(["{", "(", "[[", "if", "for", "while", "until", "case", "select"])
"""The words that a compound command begins with."""
_NOT_SIMPLE = _BODIES | {"coproc", "function"}


class Parser(ConditionReader):
    """Reads a whole text, or one substitution of it."""

    __slots__ = ()

    # -- lists and pipelines

    def commands(
        self, pos: int, opener: str, opening: int, closers: Closers, *, empty: bool = False
    ) -> tuple[int, str]:
        """compound_list closer; see `Cutter.commands`."""
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
        fails: list[int] = []
        if script.evaluations or script.expansions:
            fails += [each.start for each in script.evaluations]
            fails += [each.start for each in script.expansions if each.operator == "bad" or each.operator[:1] == "!"]
        anywhere = False
        for binding in script.bindings:
            anywhere = anywhere or binding.name in _FAILING
        for command in script.commands:
            if command.words and command.words[0].head in WATCHED:
                anywhere = anywhere or _fails(command)
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
            pos, word, after = self.first(pos)
            ended = word in _CLOSERS
            if text[pos : pos + 1] in _ENDS and (match := _END.match(text, pos)) is not None:
                word, after, ended = match[0].replace("\\\n", ""), match.end(), True
            if ended:
                if required or word not in closers:
                    self._fail_unexpected(pos)
                return after, word
            # bash reads a substitution twice, and a `time` that begins it is a plain word the first time
            timed = timed and word == "time" and pos == self.blanks(begin)
            pos, bare, match = self._and_or(pos, word, after, timed=timed)
            if match is None:
                pos = self.blanks(pos)
                word, after = self.reserved_word(pos)
                if not bare or not word or word not in closers:
                    self._fail_unexpected(pos)
                return after, word
            required, timed, pos = False, False, match.end()
            operator = match[2] and match[2].replace("\\\n", "")
            if operator is None:
                if self.pending:
                    pos = self.bodies(pos)
                self.lines.append(pos)
            elif operator not in (";", "&"):
                if operator not in closers:
                    self._fail_unexpected(match.start(2))
                return pos, operator

    def _and_or(self, pos: int, word: str, after: int, *, timed: bool) -> tuple[int, bool, Match[str] | None]:
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
                elif word == "!" or self._is_time_word(operator, between):
                    self.fail(f"`{word}` cannot follow {operator}", pos, after)
                else:
                    word = ""
            begin, plain = pos, not word and "!" not in self.text[start:pos]
            pos, bare = self._command(pos, word, after, timed=timed)
            if pipe is not None:
                self.budget.spend((len(commands) - first) // 4)
                _feed(commands, first, pipe)
            match = _OPERATOR.match(self.text, pos)
            operator = "" if match is None or match[2] is None else match[2].replace("\\\n", "")
            piped = operator in ("|", "|&")
            if operator == "&":
                self.script.background = True
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
            pos, word, after = self.first(match.end())
            between = self.text[match.end() : pos]
        return pos, bare, match

    def _command(self, pos: int, word: str, after: int, *, timed: bool) -> tuple[int, bool]:
        """command: simple_command | compound_command redirection_list? | function_definition; nothing for the word `;`.

        Returns:
            The position after it, and whether a reserved word may follow at once.
        """
        if timed and (word in _NOT_SIMPLE or _ARRAY.match(self.text, pos)):
            self.fail("Only a simple command may follow a `time` that begins a substitution", pos)
        if word == ";":
            return pos, False
        if word:
            if word in _CLOSERS:
                self._fail_unexpected(pos)
            return self.compound(word, pos, after)
        end, name = self.simple(pos)
        if name is not None:
            if timed:
                self.fail("No function may be defined after a `time` that begins a substitution", end)
            return self.function_definition(name, name.start, end)
        if end == pos:
            self._fail_unexpected(pos)
        if timed and any(_ARRAY.match(self.text, one.start) for one in self.script.commands[-1].assignments):
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
            word, after = self.reserved_word(pos)
        return pos, word, after

    def _is_time_word(self, operator: str, between: str) -> bool:
        """Whether bash sees the reserved word `time` behind a pipe: only if a newline hides the pipe from it."""
        self.budget.spend(2 + len(self.text) // 512)
        if "\n" in between and "<<" in self.text:
            return True
        newlines = _UNCOUNTED.sub("", between).count("\n")
        return newlines > 1 or (newlines == 1 and operator == "|&")

    def _options(self, pos: int) -> int:
        """[`-p`] [`--`] after `time`."""
        for option in "p-":
            if (match := _OPTION.match(self.text, pos)) is not None and match[1].endswith(option):
                pos = self.blanks(match.end())
        return pos

    def _fail_unexpected(self, pos: int) -> NoReturn:
        """Say what may not be here, and what is open."""
        text, (opener, opening, closers) = self.text, self.around
        word, after = self.reserved_word(pos)
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

    # -- simple commands

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
            assert match is not None  # it matches the empty string
            kind = match.lastindex or 0
            if kind == 1:
                run = match[1]
                begin, pos = match.span(1)
                if not words and "=" in run and (plain := _PLAIN_ASSIGNMENT.match(run)):
                    value = run[plain.end() :]
                    word = Word(begin + plain.end(), pos, value, value, single=True)
                    assignments.append(Binding(begin, pos, plain[1], "assign", (word,), append=plain[2] == "+"))
                else:
                    words.append(Word(begin, pos, run, run, single=True))
            elif kind == 8:
                break
            elif kind in (2, 3):
                run = match[kind]
                pos = match.end()
                words.append(Word(pos - len(run) - 2, pos, run, run, single=True))
            elif kind < 8 and (redirection := self._redirection(match)) is not None:
                redirections.append(redirection)
                pos = redirection.end
            else:
                pos = match.start(9 if kind == 9 else 4)  # 4: a number too large for a descriptor
                if text.startswith("(", pos):
                    if len(words) == 1 and not assignments and not redirections:
                        return pos, words[0]
                    self.fail("A parenthesis cannot follow a word", pos)
                pos = self._part(pos, words, assignments, redirections)
        if not words and not assignments and not redirections:
            return pos, None
        self.budget.spend(11 + len(words) + 5 * len(assignments) + 5 * len(redirections))
        bindings = self.script.bindings
        first = len(bindings)
        if assignments:
            if words:
                for binding in assignments:
                    binding.how = "prefix"
            bindings.extend(assignments)
        sure = len(bindings)
        if words and words[0].literal in DECLARES:
            self._bind_operands(words)
            if not any(map(may_fail, redirections)):  # a builtin with a redirection that fails is not run
                sure = len(bindings)
        begin = words[0].start if words and not assignments and not redirections else self.blanks(start)
        command = SimpleCommand(
            begin, pos, words, assignments, redirections, function=self.in_function, loop=self.in_loop
        )
        if redirections:
            command.input = input_of(redirections)
        self.script.commands.append(command)
        self.certain += (command, *bindings[first:sure])
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
                binding = self.assignment(pos, compound=arrays)
                if binding is not None:
                    assignments.append(binding)
                    return binding.end
        elif arrays and words[0].literal in ASSIGNING and _ARRAY.match(text, pos):
            plain = text[words[0].start : words[0].end].replace("\\\n", "") == words[0].literal
            binding = self.assignment(pos, compound=True) if plain else None
            if binding is not None:
                words.append(Word(pos, binding.end, None, f"{binding.name}=", single=True))
                if words[0].literal in DECLARES:
                    self.script.bindings.append(binding)
                return binding.end
        if text.startswith("{", pos) and (redirection := self._subscript_redirection(pos)) is not None:
            redirections.append(redirection)
            return redirection.end
        word = self.word(pos)
        if word.end == pos:
            self.fail("A word expected", pos)
        words.append(word)
        return word.end

    def _bind_operands(self, words: list[Word]) -> None:
        """`export a=b` and its like bind the names of their operands."""
        bindings = self.script.bindings
        self.budget.spend(5 * len(words))
        for word in words[1:]:
            head = word.head if word.literal is None else word.literal
            match = _OPERAND.match(head)
            known = word.literal is None and any(each.start == word.start for each in bindings[-50:])  # as an array
            if match is None or (known and head == match[0]):
                continue
            length = match.end()
            literal = None if word.literal is None else word.literal[length:]
            value = Word(min(word.start + length, word.end), word.end, literal, head[length:], single=word.single)
            bindings.append(
                Binding(word.start, word.end, match[1], "assign", (value,), match[2], append=match[3] == "+")
            )

    # -- redirections

    def redirections(self, pos: int, first: int) -> int:
        """redirection_list: redirection*, of a compound command whose commands begin at index `first`."""
        found: list[Redirection] = []
        while True:
            match = _TOKEN.match(self.text, pos)
            assert match is not None  # it matches the empty string
            if match.lastindex == 9:
                redirection = self._subscript_redirection(match.end())
            else:
                redirection = self._redirection(match) if match.lastindex in (6, 7) else None
            if redirection is None:
                break
            found.append(redirection)
            pos = redirection.end
        if found and (source := input_of(found)) is not None:
            self.budget.spend((len(self.script.commands) - first) // 4)
            _feed(self.script.commands, first, source)
        return pos

    def _redirection(self, match: Match[str]) -> Redirection | None:
        """redirection: [NUMBER | `{` NAME `}`] operator WORD; None if the number is too large for one."""
        digits, variable = match[4], match[5]
        if digits and int(digits[:20]) > _LARGEST:
            return None
        if digits:
            return self._finish_redirection(match.start(4), match, int(digits))
        if variable is None:
            return self._finish_redirection(match.start(match.lastindex or 0), match)
        start, name = match.start(5) - 1, variable.replace("\\\n", "")
        redirection = self._finish_redirection(start, match, variable=name)
        self.script.bindings.append(Binding(start, redirection.end, name, "descriptor"))
        return redirection

    def _subscript_redirection(self, start: int) -> Redirection | None:
        """`{` NAME `[` subscript `]` `}` operator WORD; None if it is something else."""
        text = self.text
        match = _ELEMENT.match(text, start)
        if match is None:
            return None
        end = self.peek(start).end
        operator = _TOKEN.match(text, end)
        if operator is None or operator.lastindex != 6 or operator.start(6) != self.skip_splices(end):
            return None
        inside, close = match.end(), end - 2
        if text[close:end] != "]}":
            return None
        self.subscript(inside, close)
        name = match[1].replace("\\\n", "")
        redirection = self._finish_redirection(start, operator, variable=name)
        self.script.bindings.append(Binding(start, redirection.end, name, "descriptor", (), text[inside:close]))
        return redirection

    def _finish_redirection(
        self, start: int, match: Match[str], descriptor: int | None = None, variable: str | None = None
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

    # -- compound commands

    def first(self, pos: int) -> tuple[int, str, int]:
        """newline_list, and the reserved word or parenthesis behind it; an empty word if there is none.

        Returns:
            The position behind the newlines, the word, and the position after it.
        """
        if self.pending:
            pos = self.newlines(pos)
        match = _FIRST.match(self.text, pos)
        assert match is not None  # it matches the empty string
        pos, word = match.end(1), match[2] or ""
        if "\\\n" in word and (word := word.replace("\\\n", "")) not in _RESERVED:
            return pos, "", pos
        return pos, word, match.end()

    def reserved_word(self, pos: int) -> tuple[str, int]:
        """The reserved word or parenthesis at `pos`, and the position after it; an empty word if there is none."""
        match = _START.match(self.text, pos)
        if match is not None and ((word := match[0].replace("\\\n", "")) in _RESERVED or word == "("):
            return word, match.end()
        return "", pos

    def compound(self, word: str, pos: int, after: int) -> tuple[int, bool]:
        """compound_command redirection_list?, whose first word is at `pos`.

        Returns:
            The position after it, and whether a reserved word may follow at once: not behind redirections.
        """
        first, certain = len(self.script.commands), len(self.certain)
        pos = _COMPOUND[word](self, pos, after)
        end = self.redirections(pos, first)
        if word not in ("{", "function") or end != pos:
            del self.certain[certain:]
        return end, end == pos and word != "coproc"

    def parenthesis(self, start: int, pos: int) -> int:
        """subshell: `(` compound_list `)`; arithmetic_command: `((` expression `))`."""
        second = self.skip_splices(pos)
        if self.text.startswith("(", second):
            close = self.group_end(second + 1, ARITHMETIC)
            self.budget.spend(8)
            if self.text.startswith(")", close):
                self.evaluate(second + 1, close - 1, "arithmetic", (start, close + 1))
                return close + 1
        first = len(self.script.commands)
        end = self.commands(pos, "(", start, PARENTHESIS)[0]
        inside = self.script.commands[first:]
        self.budget.spend(len(inside) // 4)
        for each in inside:
            each.left = each.left or end
        return end

    def brace_group(self, start: int, pos: int) -> int:
        """brace_group: `{` compound_list `}`."""
        return self.commands(pos, "{", start, _BRACE)[0]

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
        outer, self.in_loop = self.in_loop, True
        first = len(self.script.commands)
        begin = self.commands(pos, word, start, _DO)[0]
        condition = self.script.commands[first:]
        pos = self.commands(begin, word, start, _DONE)[0]
        if word == "while" and len(condition) == 1 and [each.literal for each in condition[0].words[:1]] == ["read"]:
            condition[0].then = pos
        self.in_loop = outer
        return pos

    def for_clause(self, start: int, pos: int) -> int:
        """(`for` | `select`) NAME newline_list [`in` WORD* (`;` | NEWLINE)] [`;`] newline_list body."""
        text = self.text
        how = text[start:pos].replace("\\\n", "")
        pos = self.blanks(pos)
        if how == "for" and text.startswith("(", pos):
            return self._arithmetic_for(start, pos)
        name = self._name(pos, how)
        pos, word, after = self.first(name.end)
        binding = Binding(name.start, name.end, name.literal or text[name.start : name.end], how)
        self.script.bindings.append(binding)
        if word == "in":
            if self.in_case and pos != self.blanks(name.end):  # bash takes this `in` for that of the `case`
                self.fail(f"No newline may come before the `in` of a `{how}` inside a `case`", pos, after)
            binding.values, pos = self._words(after)
            binding.holds = self._body(start, self.newlines(pos), how)
            return binding.holds
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
            match = NOTHING.match(text, pos)
            if match is not None:
                return tuple(words), match.end() if match[0] == ";" else pos
            word = self.word(pos)
            if word.end == pos or text.startswith(("<", ">"), word.end):
                self.fail("A word, ; or a newline expected", word.end)
            words.append(word)
            pos = word.end

    def _body(self, start: int, pos: int, opener: str) -> int:
        """`do` list `done`, or `{` list `}`."""
        word, after = self.reserved_word(pos)
        if word not in ("do", "{"):
            self.fail(f"`do` expected to go on with the `{opener}`", pos)
        outer, self.in_loop = self.in_loop, True
        around = (opener, start, _DONE) if word == "do" else ("{", pos, _BRACE)
        pos = self.commands(after, *around)[0]
        self.in_loop = outer
        return pos

    def _arithmetic_for(self, start: int, pos: int) -> int:
        """`for` `((` expression `;` expression `;` expression `))` [`;`] newline_list body."""
        text = self.text
        second = self.skip_splices(pos + 1)
        if not text.startswith("(", second):
            self.fail("A name or (( expected after `for`", pos)
        close = self.group_end(second + 1, ARITHMETIC)
        if not text.startswith(")", close):
            self.fail(")) expected to close the ((", close)
        if self.evaluate(second + 1, close - 1, "arithmetic", (pos, close + 1)).count(";") != 2:
            self.fail("Three expressions expected, separated by ;", second + 1, close - 1)
        pos = close + 1
        match = _SEMICOLON.match(text, pos)
        return self._body(start, self.newlines(pos if match is None else match.end()), "for")

    def case_clause(self, start: int, pos: int) -> int:
        """`case` WORD newline_list `in` (newline_list item)* `esac`.

        item: [`(`] patterns list (`;;` | `;&` | `;;&`); the last needs no end of its own.
        """
        self.in_case = True
        subject = self._name(self.blanks(pos), "case")
        self.script.subjects.append(subject)
        _, word, pos = self.first(subject.end)
        if word != "in":
            self.fail("`in` expected to go on with the `case`", pos)
        start_of_items = self.blanks(pos)
        while True:
            pos, word, after = self.first(pos)
            if word == "esac":
                self.in_case = pos == start_of_items  # bash forgets to forget an empty one
                return after
            self.in_case = True
            if word == "(":
                pos = after
            pos, closer = self.commands(self._patterns(pos), "case", start, _AFTER_PATTERN, empty=True)
            if closer == "esac":
                self.in_case = False
                return pos

    def _patterns(self, pos: int) -> int:
        """patterns: WORD (`|` WORD)* `)`."""
        while True:
            pos = self.blanks(pos)
            word = self.word(pos)
            if word.end == pos or self.text.startswith("#", pos):
                self.fail("A pattern or `esac` expected to go on with the `case`", pos)
            pos = self.blanks(word.end)
            character = self.text[pos : pos + 1]
            if character == ")":
                return pos + 1
            if character != "|":
                self.fail(") expected to close the pattern", pos)
            pos += 1

    def function_keyword(self, start: int, pos: int) -> int:
        """`function` WORD [`(` `)`] newline_list compound_command."""
        name = self._name(self.blanks(pos), "function")
        return self.function_definition(name, start, self.blanks(name.end))[0]

    def function_definition(self, name: Word, start: int, pos: int) -> tuple[int, bool]:
        """WORD `(` `)` newline_list compound_command redirection_list?, from behind the name on; as `compound`."""
        match = _EMPTY_PARENTHESES.match(self.text, pos)
        if match is not None:
            pos = match.end()
        elif start == name.start:
            self.fail("A parenthesis cannot follow a word; ) expected if this defines a function", pos)
        text = self.text
        literal = text[name.start : name.end] if name.literal is None else name.literal
        function = Function(start, pos, literal)
        self.script.functions.append(function)
        pos, word, after = self.first(pos)
        if word not in _BODIES:
            self.fail("A compound command such as { …; } expected as the function's body", pos)
        outer, self.in_function, certain = self.in_function, True, len(self.certain)
        end, bare = self.compound(word, pos, after)
        self.in_function, function.end, function.holds = outer, end, end
        del self.certain[certain:]
        if text[name.start : name.end].replace("\\\n", "") == literal:  # bash defines no function with a quoted name
            self.certain.append(function)
        return end, bare

    def coprocess(self, start: int, pos: int) -> int:
        """`coproc` [NAME] compound_command redirection_list?, or `coproc` simple_command."""
        self.budget.spend(12)
        text = self.text
        pos = self.blanks(pos)
        word, after = self.reserved_word(pos)
        name = "COPROC"
        if not word and not ASSIGNMENT.match(text, pos):
            first = self.peek(pos)
            behind = self.blanks(first.end)
            second, further = self.reserved_word(behind) if first.end > pos else ("", pos)
            if second in _BODIES:
                name, word, pos, after = text[pos : first.end].replace("\\\n", ""), second, behind, further
            elif second and second != "time":
                self.fail(f"`{second}` cannot follow the first word of a coprocess", behind, further)
            elif (element := ASSIGNMENT.match(text, behind)) is not None and element[3]:
                self.fail(
                    "bash reads this bracket as a subscript here, which is hardly what you meant", behind, element.end()
                )
        self.script.bindings.append(Binding(start, pos, name, "coproc"))
        if word in _BODIES:
            return self.compound(word, pos, after)[0]
        if word and word != "time":
            self.fail(f"`{word}` cannot follow `coproc`", pos, after)
        end, function = self.simple(pos)
        if end == pos or function is not None:
            self.fail("A command expected after `coproc`", pos if pos < len(text) else start)
        if any(_ARRAY.match(text, one.start) for one in self.script.commands[-1].assignments[1:]):
            self.fail("After `coproc` bash reads the words of an array differently: no array expected", pos, end)
        return end

    def _name(self, pos: int, word: str) -> Word:
        """The WORD after a reserved word."""
        name = self.word(pos)
        if name.end == pos or self.text.startswith("#", pos):
            self.fail(f"A word expected after `{word}`", pos)
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


def _fails(command: SimpleCommand) -> bool:
    """Whether a command may let an assignment or an expansion on another line fail."""
    words = [word.head for word in command.words]
    names = frozenset(words if words[:1] in (["builtin"], ["command"]) else words[:1])
    if not UNSURE.isdisjoint(names):
        return True
    unknown = any(word.literal is None and word.head[:1] in {"", "-", "+"} for word in command.words[1:])
    if "shopt" in names:
        return unknown or "failglob" in words
    return not _FIXING.isdisjoint(names) and (unknown or any(_FIXES.match(word) for word in words))


def _feed(commands: list[SimpleCommand], first: int, source: Redirection | Pipe) -> None:
    """Tell the commands from an index on where their standard input comes from, unless they know it better."""
    for command in commands[first:]:
        command.input = command.input or source
