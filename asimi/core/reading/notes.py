"""What a reading takes down while it goes through a text, and what follows from it at the end.

Besides findings these are the names that are bound and what they get, because bash evaluates some texts a second time:
`$((x))` evaluates the *value* of `x`, a subscript in it is expanded again, and a substitution in that is executed.
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.pattern import pattern
from asimi.core.programs.variables import (
    BASH,
    EXPANDED,
    HARMLESS_BASH,
    INTEGER,
    LOADING,
    NUMERIC,
    REBINDING,
    TOOL_HOMES,
    is_free,
    is_listed,
    names_code,
)
from asimi.core.reading import evaluation
from asimi.core.reading.bindings import Variables
from asimi.core.reading.commands import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Span
    from asimi.core.syntax.nodes import Word

MOST = 100
"""Findings of one kind."""

LOCALES = frozenset({"LC_ALL", "LC_CTYPE", "LANG"})
_UTF8 = pattern(r"(?:C|POSIX|[\w@]+\.(?i:utf-?8))?", ASCII)
_HARMLESS_VALUE = pattern(r"[^;&|<>`$()\\\n\"']*")
WHOLE_TEXT = frozenset({"_", "BASH_COMMAND", "BASH_EXECUTION_STRING", "BASH_ARGV", "BASH_ARGV0", "DIRSTACK"})
"""Variables that bash itself fills with words of the text."""

HARMLESS_PARAMETERS = frozenset("#?$!-")
"""Special parameters that are numbers or letters of bash's own."""


class Notes:
    """Findings, bindings, evaluations.

    Args:
        exported: names of the variables that commands inherit.
        free: names of those that a person lets be set, and beginnings of such names with a `*`.
        budget: what the reading is paid from.
    """

    def __init__(self, exported: Collection[str], budget: Budget, *, free: Collection[str] = ()) -> None:
        self.exported, self.budget, self.free = exported, budget, free
        self.findings: list[Finding] = []
        self.substitution = self.refused = False  # whether there is one that would be executed, and is not judged
        self.variables = Variables()
        self.suspected: list[tuple[str, Span]] = []  # texts that bash or a program may run
        self._given: list[tuple[str, Span]] = []  # literal texts that variables get
        self._held: dict[str, list[str]] = {}  # the same, by the variable
        self._handed: list[
            tuple[str, Span, bool]
        ] = []  # variables that programs see, if any starts; whether by the text
        self._outside: dict[str, Span] = {}  # variables whose value only bash can know
        self._evaluated: list[tuple[str, Span]] = []  # variables whose value is evaluated
        self._referred: list[tuple[str, Span]] = []  # those whose value names another one
        self.evaluated: dict[str, Span] = {}  # all that is evaluated, through the values of others
        self._expanded: dict[str, Span] = {}  # where PS4 and its like are bound
        self._kinds: dict[tuple[str, Verdict, bool, bool, bool], int] = {}  # how many findings there were of a kind

    def find(
        self,
        code: str,
        message: str,
        span: Span | None,
        verdict: Verdict = Verdict.ASK,
        *,
        hidden: bool = False,
        loose: bool = False,
        writes: bool = False,
        hands: str = "",
    ) -> None:
        """Add a finding; of one kind the first `MOST` are enough."""
        self.budget.spend(2)
        kind = (code, verdict, hidden, loose, writes)
        self._kinds[kind] = self._kinds.get(kind, 0) + 1
        if self._kinds[kind] <= MOST:
            self.findings.append(Finding(code, message, span, verdict, hidden, loose, writes, hands))

    def refuse_substitution(self, span: Span, message: str = "this substitution would be executed") -> None:
        """Say that a substitution would be executed whose commands are not judged."""
        self.substitution = self.refused = True
        self.find("substitution", f"{message}; command substitution is refused", span, Verdict.DENY)

    def evaluate_values(self, names: Iterable[str], span: Span) -> None:
        """Say that bash evaluates the values of some variables."""
        self.budget.spend(1)
        self._evaluated += [(name, span) for name in names if name not in HARMLESS_PARAMETERS]

    def refer_values(self, names: Iterable[str], span: Span) -> None:
        """Say that bash looks up what the values of some variables name, perhaps with a subscript."""
        self._referred += [(name, span) for name in names]

    def evaluate_word(self, word: Word, span: Span, names: Iterable[str] = ()) -> None:
        """Say that bash evaluates a word's text as arithmetic; `names` are the variables in a computed one."""
        if word.literal is None:
            self.evaluate_values(names, span)
            self.find("dynamic", "bash evaluates text that only bash can know", span)
        else:
            self._second(evaluation.arithmetic, word.literal, span)

    def refer(self, word: Word, span: Span, names: Iterable[str] = ()) -> None:
        """Say that bash looks up the variable that a word names, perhaps with a subscript.

        Args:
            word: the word.
            span: its place.
            names: the variables in a computed word: bash looks up what they hold.
        """
        if word.literal is not None:
            self._second(evaluation.reference, word.literal, span)
        else:
            self.refer_values(names, span)
            self.find("dynamic", "bash looks up a name that only bash can know", span)

    def give(self, text: str, span: Span) -> None:
        """Say that a variable gets a literal text."""
        self.budget.spend(2 + len(text) // 16)
        self._given.append((text, span))

    def bind(
        self,
        name: str,
        values: Sequence[Word] | None,
        span: Span,
        *,
        exported: bool = False,
        prefix: bool = False,
        written: Sequence[str] | None = None,
        how: str = "assign",
        append: bool = False,
        subscript: str | None = None,
        numeric: bool = False,
        holds: int = 0,
        free: bool = False,
    ) -> None:
        """Say that a variable is bound.

        Args:
            name: its name.
            values: what it gets; None where that comes from outside the text.
            span: the place.
            exported: whether programs would see it.
            prefix: whether only the command behind it does.
            written: its values, as they are written in the text itself; None where they are not there.
            how: how it gets them (see `Assignment`).
            append: whether the value is added to the old one.
            subscript: the subscript it is bound at.
            numeric: whether a computed value is sure to be a number.
            holds: up to where that is sure to have happened.
            free: whether what programs see of it is known to be harmless.
        """
        self.budget.spend(10)
        if subscript is not None and subscript not in {"@", "*"}:
            self._second(evaluation.arithmetic, subscript, span)
        if not free:
            self._set(name, values or (), span, exported=exported, whole=(exported or prefix) and not append)
        self.variables.give(name, span[0], holds, written, how)
        if values is None:
            self._outside[name] = span
        for value in values or ():
            if value.literal is None:
                if not numeric:
                    self._outside[name] = span
                continue
            if append:
                self._outside[name] = span
            self.give(value.literal, span)
            self._held.setdefault(name, []).append(value.literal)
            if name in INTEGER:
                self.evaluate_word(value, span)

    def _set(self, name: str, values: Sequence[Word], span: Span, *, exported: bool, whole: bool) -> None:
        """Say what a variable means to bash, or to the programs that see it."""
        if exported or name in BASH:
            self.suspected += [(value.literal, span) for value in values if value.literal is not None]
        if name in REBINDING:
            self.find("rebinding", f"setting {name} changes which program a name means", span, hidden=True)
        elif name in LOCALES and any(not _UTF8.fullmatch(value.literal or "?") for value in values):
            self.find("assignment", f"this value of {name} changes how bash reads what follows", span)
        elif is_free(name):
            if exported and any(not _HARMLESS_VALUE.fullmatch(value.literal or value.head) for value in values):
                self.find("assignment", f"this value of {name} holds more than a setting", span)
        elif is_listed(name, self.free) or (whole and values and all(is_free(name, value.literal) for value in values)):
            pass
        elif exported or name in self.exported or name in TOOL_HOMES:
            self._handed.append((name, span, exported or name in TOOL_HOMES))
        elif name in BASH and name not in HARMLESS_BASH:
            self.find("assignment", f"{name} means something to bash", span)
        if name in EXPANDED:
            self._expanded[name] = span
            if not all(value.literal is None or evaluation.prompt(value.literal)[1] for value in values):
                self._outside[name] = span

    def bind_any(self, span: Span) -> None:
        """Say that the shell itself binds a variable whose name only bash can know."""
        self.variables.lose(span[0])
        self.hand_any(span)

    def hand_any(self, span: Span) -> None:
        """Say that a command is handed a variable whose name only bash can know; the shell's own stay what they are."""
        for name in EXPANDED:
            self._expanded[name] = self._outside[name] = span

    def conclude(
        self,
        *,
        positional: Iterable[tuple[str, Span]],
        numbered: list[str],
        passed: Iterable[tuple[Sequence[str], Span]],
        spoken: Iterable[tuple[str, Span]],
        fed: Iterable[tuple[str, Span]],
        expanding: Callable[[str], bool],
        starts: bool,
        acts: bool,
    ) -> None:
        """Say what follows from bindings and evaluations together.

        Args:
            positional: the literal texts that positional parameters may get.
            numbered: those that a function, a shell or `set` gives by name to those from `$1` on.
            passed: the names of the variables in each other word that they may get; none where it is more than these.
            spoken: all literal arguments.
            fed: the here-documents and here-strings that a function or an evaluated text may read.
            expanding: whether a shell may expand a variable of `EXPANDED`, because of its option.
            starts: whether a program may start.
            acts: whether one may that does more than look; what only does that is the same whatever the caller's
                environment has.
        """
        for name, span, exported in self._handed:
            if LOADING.fullmatch(name) or (starts if exported else acts or (starts and names_code(name))):
                message = f"{name} is handed to programs and may change what they do"
                self.find("assignment", message, span, hands=name)
        self._held["@"] = numbered
        evaluated = self._follow()
        names = {*evaluated, *(name for name, _ in self._referred)}
        unfinished = any(text.endswith("$") for text, _ in self._given)
        said = list(spoken) if unfinished or names else []  # else no text in them counts
        expanded = [name for name in self._expanded if expanding(name)]
        suspicious = (lambda text: evaluation.prompt(text)[0]) if expanded else evaluation.suspicious
        suspects = [span for text, span in self._given if suspicious(text)]
        if unfinished:  # the rest of a substitution may be elsewhere
            rests = [*self._given, *said]
            suspects += [span for text, span in rests if text.startswith("(") or "%s(" in text or "%b(" in text]
        unknown = [name for name in expanded if name in self._outside]
        by_number = bool(names & {"@", "*"}) or any(name.isdigit() for name in names)
        if unknown or by_number:
            suspects += [span for text, span in positional if suspicious(text)]
        for inside, span in passed if by_number else ():
            names.update(inside or "@")
            if not inside:
                self._outside["@"] = span
        if unknown or names & self._outside.keys():
            suspects += [span for text, span in fed if suspicious(text)]
        if names & WHOLE_TEXT:
            suspects += [span for text, span in said if evaluation.suspicious(text)]
        if names and suspects:
            self.refuse_substitution(
                suspects[0], "this text holds a substitution, and bash evaluates the value of a variable here"
            )
        elif expanded and suspects:
            message = f"a shell would execute the substitution in {expanded[0]}"
            self.refuse_substitution(self._expanded[expanded[0]], message)
        elif unknown:
            message = f"a shell expands {unknown[0]}, and only bash can know whether it holds a substitution"
            self.find("substitution", message, self._outside[unknown[0]])
        elif outside := sorted((names & self._outside.keys()) | ((BASH - NUMERIC | {"0"}) & evaluated.keys())):
            name = outside[0]
            message = f"bash evaluates the value of {name}, which comes from outside"
            self.find("dynamic", message, self._outside.get(name) or evaluated[name])

    def _follow(self) -> dict[str, Span]:
        """All variables whose values bash evaluates: where a value names others, it evaluates theirs."""
        waiting = list(self._evaluated)
        for name, span in self._referred:
            for text in self._held.get(name, ()):
                waiting += [(each, span) for each in evaluation.reference(text, self.budget)[1]]
        for name, span in waiting:  # grows
            if name not in self.evaluated:
                self.evaluated[name] = span
                for text in self._held.get("@" if name.isdigit() or name == "*" else name, ()):
                    self.budget.spend(2 + len(text) // 16)
                    if not evaluation.SAFE_NUMBER.fullmatch(text):
                        waiting += [(each, span) for each in evaluation.NAME.findall(text)]
        return self.evaluated

    def forget_evaluated(self, spoken: Iterable[tuple[str, Span]]) -> None:
        """Let no variable count as known that bash may assign when it evaluates the value of another.

        Args:
            spoken: all literal arguments, which positional parameters may get.
        """
        names = {name for name, _ in self._evaluated}
        numbered = "@" in names or any(name[:1].isdigit() for name in names)
        for text, _ in [*self._given, *(spoken if numbered else ())] if names else ():
            self._forget_assigned(text)

    def _forget_assigned(self, text: str) -> None:
        self.budget.spend(1 + len(text) // 32)
        for name in evaluation.assigned_names(text):
            self.variables.forget(name)

    def _second(self, look: Callable[[str, Budget], tuple[bool, tuple[str, ...]]], text: str, span: Span) -> None:
        executes, names = look(text, self.budget)
        self._forget_assigned(text)
        if executes:
            self.refuse_substitution(span, "bash would execute the substitution in this text when it evaluates it")
        self.evaluate_values(names, span)
