"""What a shell text would do, as a flat list of facts, each with its span.

A gate does not need the tree. It needs every command that could start, every redirection, every name that is bound and
every substitution that bash would execute. So `Script` holds these side by side, each in the order of the text, whether
they are in groups, loops, conditions, function bodies or behind `&`. What is inside a substitution belongs to the
substitution's own `Script`.

Terms are those of POSIX.1-2024, Shell Command Language, and of the bash reference manual. A span is `start`, `end` in
characters of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Node:
    """A piece of the text."""

    __slots__ = ("end", "start")

    start: int
    end: int

    def __repr__(self) -> str:
        names = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


class Word(Node):
    """One word, as bash's tokenizer cuts it.

    Attributes:
        literal: the text after quote removal if bash would hand on exactly this one string, whatever the variables,
            the files and the user are; else None. A word with `$`, an executed substitution, an unquoted glob,
            brace expansion or leading tilde has none.
        head: the literal text before the first part that is not literal; all of it if `literal` is not None.
        single: whether it is sure to become exactly one field (`"$x"` is, `$x`, `*.c` and `{a,b}` are not).
        bare: whether it is sure to begin as no option does, although nothing of its beginning is literal.
    """

    __slots__ = ("bare", "head", "literal", "single")

    def __init__(
        self, start: int, end: int, literal: str | None, head: str, *, single: bool, bare: bool = False
    ) -> None:
        self.start, self.end, self.literal, self.head = start, end, literal, head
        self.single, self.bare = single, bare


class Heredoc(Node):
    """The body of a here-document.

    Attributes:
        literal: the text a command would read, tabs stripped for `<<-`; None if an expansion decides it.
        quoted: whether the delimiter was quoted, so nothing in the body is expanded.
    """

    __slots__ = ("literal", "quoted")

    def __init__(self, start: int, end: int, literal: str | None, *, quoted: bool) -> None:
        self.start, self.end, self.literal, self.quoted = start, end, literal, quoted


class Redirection(Node):
    """One redirection, of a simple or a compound command.

    Attributes:
        operator: `<` `>` `>>` `>|` `<>` `<&` `>&` `&>` `&>>` `<<` `<<-` `<<<`.
        descriptor: the number before it, or None for the operator's own default.
        variable: the name in `{name}>`, or None.
        target: the word after it; of a here-document the delimiter.
        heredoc: the body, for `<<` and `<<-`.
    """

    __slots__ = ("descriptor", "heredoc", "operator", "target", "variable")

    def __init__(
        self, start: int, end: int, operator: str, target: Word, descriptor: int | None, variable: str | None
    ) -> None:
        self.start, self.end, self.operator, self.target = start, end, operator, target
        self.descriptor, self.variable = descriptor, variable
        self.heredoc: Heredoc | None = None


class Binding(Node):
    """A name that the text itself binds, without the help of a builtin.

    Attributes:
        name: the variable.
        how: `assign` (a command of assignments only, or the operand of `export`, `declare` and their like),
            `prefix` (before a command name), `for`, `select`, `coproc`, `expansion` (`${x:=…}` and `${x=…}`),
            `arithmetic` (`((x = 1))`, `x++`), `descriptor` (`{x}>f`).
        subscript: the text between the brackets of `x[…]=`, or None.
        append: whether it is `+=`.
        values: the words it gets: one for `x=v`, the elements of `x=(…)`, the words of `for x in …`; empty if
            they are unknown.
        holds: up to where it is sure to have happened, for what follows it (see `SimpleCommand`).
    """

    __slots__ = ("append", "holds", "how", "name", "subscript", "values")

    def __init__(
        self,
        start: int,
        end: int,
        name: str,
        how: str,
        values: Sequence[Word] = (),
        subscript: str | None = None,
        *,
        append: bool = False,
    ) -> None:
        self.start, self.end, self.name, self.how = start, end, name, how
        self.values, self.subscript, self.append, self.holds = tuple(values), subscript, append, end


class Pipe(Node):
    """The standard input of a command that follows `|`; its span is that of the commands that write into it.

    Attributes:
        first: the index in `Script.commands` of the first command that writes into it.
        last: one past the index of the last.
    """

    __slots__ = ("first", "last")

    def __init__(self, start: int, end: int, first: int, last: int) -> None:
        self.start, self.end, self.first, self.last = start, end, first, last


class SimpleCommand(Node):
    """A simple command: assignments, words, redirections.

    Attributes:
        words: the command name and its arguments; empty for assignments or redirections alone.
        assignments: those before the name (`how` is `prefix`, or `assign` if there is no name).
        redirections: its own.
        input: where its standard input comes from, if the text says so: its own last redirection of descriptor 0, else
            that of the innermost compound command around it, else the pipe it reads; else None.
        function: whether it is in the body of a function.
        loop: whether it is in a loop, also in a substitution there.
        holds: up to where what it binds is sure to be bound, in this shell, before whatever follows it runs: to the end
            of its list if it is not behind `||`, in a pipeline or in the background; behind `&&` to the end of the
            and-or list; through the braces of a group without redirections; to the end of the line if an expansion on
            it may fail and discard the rest of it. Else its own end.
        then: up to where all that follows runs only if it succeeded: the end of its chain of `&&`; of the `read` of a
            `while read`, the end of the loop. Else its own end.
        left: where the innermost subshell ends that is around it, `( … )`, with all that it changes of its shell; 0
            where there is none.
    """

    __slots__ = ("assignments", "function", "holds", "input", "left", "loop", "redirections", "then", "words")

    def __init__(
        self,
        start: int,
        end: int,
        words: Sequence[Word],
        assignments: Sequence[Binding],
        redirections: Sequence[Redirection],
        *,
        function: bool,
        loop: bool,
    ) -> None:
        self.start, self.end, self.function, self.loop, self.holds, self.then = start, end, function, loop, end, end
        self.words, self.assignments, self.redirections = tuple(words), tuple(assignments), tuple(redirections)
        self.input: Redirection | Pipe | None = None
        self.left = 0


class Function(Node):
    """A function definition.

    Attributes:
        name: its name after unquoting (bash allows `/bin/ls` and others).
        holds: up to where it is sure to be defined, for what follows it (see `SimpleCommand`).
    """

    __slots__ = ("holds", "name")

    def __init__(self, start: int, end: int, name: str) -> None:
        self.start, self.end, self.name, self.holds = start, end, name, end


class Substitution(Node):
    """A substitution that bash would execute, not one that only looks like it.

    Attributes:
        kind: `command` for `$(…)`, `backquote`, `process` for `<(…)` and `>(…)`, `current` for `${ …; }` and
            `${| …; }`, `delimiter` for one of any form in the delimiter of a here-document, `unread` for what
            looks like one but could not be read, so nobody knows what it executes.
        script: what it would execute. Its spans are spans of the same text; those in a backquote are all the span of
            the backquote.
    """

    __slots__ = ("kind", "script")

    def __init__(self, start: int, end: int, kind: str, script: Script) -> None:
        self.start, self.end, self.kind, self.script = start, end, kind, script


class Expansion(Node):
    """A parameter expansion, braced or not.

    Attributes:
        name: the parameter: a name, a digit or a special one (`@`, `*`, `#`, `?`, …).
        operator: what follows it in braces, without its operand: `:-` `:=` `=` `@P` `//` `:` …; `!` for
            `${!x}`; `#` for `${#x}`; empty for `$x` and `${x}`; `bad` for what bash calls a bad substitution, whose
            name is empty.
        subscript: the text in its brackets, or None.
    """

    __slots__ = ("name", "operator", "subscript")

    def __init__(self, start: int, end: int, name: str, operator: str = "", subscript: str | None = None) -> None:
        self.start, self.end, self.name, self.operator, self.subscript = start, end, name, operator, subscript


class Evaluation(Node):
    """What bash evaluates as arithmetic, and with it the *values* of its variables.

    Attributes:
        kind: `arithmetic` for `$((…))`, `$[…]`, `((…))` and `for ((…))`; `subscript` for the brackets of an array
            reference or assignment; `offset` for `${x:offset:length}`; `again` for the word of `>&word`, which bash
            expands twice, as if it were evaluated.
        names: the variables it reads or writes, in order; empty for numbers alone.
    """

    __slots__ = ("kind", "names")

    def __init__(self, start: int, end: int, kind: str, names: Sequence[str]) -> None:
        self.start, self.end, self.kind, self.names = start, end, kind, tuple(names)


class Condition(Node):
    """One primary inside `[[ … ]]`.

    Attributes:
        operator: `-v`, `-eq`, `-f`, `==`, `=~`, …; empty for a lone word.
        operands: its one or two words.
    """

    __slots__ = ("operands", "operator")

    def __init__(self, start: int, end: int, operator: str, operands: Sequence[Word]) -> None:
        self.start, self.end, self.operator, self.operands = start, end, operator, tuple(operands)


class Script:
    """Everything a text would do. Each list is in the order of the text.

    Attributes:
        text: the text.
        commands: the simple commands, also those of assignments or redirections alone.
        redirections: all, those of compound commands included.
        bindings: all names bound.
        functions: the functions defined.
        substitutions: the executed substitutions, outermost only.
        expansions: the parameter expansions.
        evaluations: the arithmetic.
        conditions: the primaries of `[[ … ]]`.
        subjects: the words behind `case`.
        background: whether a list runs in the background.
    """

    __slots__ = (
        "_readers", "background", "bindings", "commands", "conditions", "evaluations", "expansions", "functions",
        "redirections", "subjects", "substitutions", "text",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text, self.background = text, False
        self.commands: list[SimpleCommand] = []
        self.redirections: list[Redirection] = []
        self.bindings: list[Binding] = []
        self.functions: list[Function] = []
        self.substitutions: list[Substitution] = []
        self.expansions: list[Expansion] = []
        self.evaluations: list[Evaluation] = []
        self.conditions: list[Condition] = []
        self.subjects: list[Word] = []
        self._readers: dict[int, int] | None = None

    def readers(self, source: Redirection | Pipe) -> int:
        """How many commands have one standard input; to be asked when the script is complete."""
        if self._readers is None:  # counted once, because a group may hold thousands of commands
            self._readers = {}
            for command in self.commands:
                key = id(command.input)
                self._readers[key] = self._readers.get(key, 0) + 1
        return self._readers.get(id(source), 0)

    def facts(self) -> tuple[list[Any], ...]:
        """All of the lists."""
        return (
            self.commands, self.redirections, self.bindings, self.functions,
            self.substitutions, self.expansions, self.evaluations, self.conditions, self.subjects,
        )  # fmt: skip


INPUTS = frozenset(["<", "<<", "<<-", "<<<", "<>", "<&"])
"""Operators of redirections of standard input, where no descriptor is written."""


def input_of(redirections: list[Redirection]) -> Redirection | None:
    """The redirection that standard input comes from in the end, if any."""
    for redirection in reversed(redirections):
        descriptor = redirection.descriptor
        if redirection.variable is None and (
            descriptor == 0 or (descriptor is None and redirection.operator in INPUTS)
        ):
            return redirection
    return None


def may_fail(redirection: Redirection) -> bool:
    """Whether a redirection may fail (bash manual, Redirections): a file may be missing, a descriptor closed."""
    if (redirection.descriptor or 0) > 9:  # it may be more than the limit of open files
        return True
    if redirection.heredoc is not None or redirection.operator in {"<<", "<<-", "<<<"}:
        return False
    closes = redirection.operator in {"<&", ">&"} and redirection.target.literal == "-"
    return redirection.variable is not None or not (closes or redirection.target.literal == "/dev/null")
