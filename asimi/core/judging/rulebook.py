"""The rules of all layers, found by what they are about, and the settings that count besides them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Sandbox, Verdict
from asimi.core.judging.guard import Guard
from asimi.core.judging.matching import name_of
from asimi.core.programs import known_as
from asimi.core.programs.program import NONE
from asimi.core.reading.commands import base
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Request
    from asimi.core.judging.auto_sandbox import AutoSandbox
    from asimi.core.judging.checks import Checks
    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command, Reading

UNTRUSTED = "does not count until you trust this file; see `asimi trust`"
"""Why an entry of a project's file allows nothing."""

CHANGED = "does not count since this file has changed; see `asimi trust`"
"""The same, if the file was trusted before."""


class Terms(NamedTuple):
    """The settings that count besides the rules.

    Attributes:
        unlisted: ASK or DENY, the verdict on what no rule allows.
        substitution: `refuse`, or `judge` to judge the commands in substitutions and ask about the call.
        wrappers: the first words of commands that start the command behind them.
        exported: names of the variables that commands inherit.
        free: names of the variables that commands may set; a name may end in `*`.
        protected: adds to a reading the files that the request would touch, found by a look at them.
        checks: tells whether a command is a check of the project that a person has confirmed; None if no checks count.
        placed: whether `protected` says where a request may write, so a redirection that writes needs no question.
        listed: FILE:LINE of `coreTools`, which reasons cite for what is not on it.
        untrusted: rules of a project's file that would allow if the file were trusted; reasons name them.
        untrusted_note: why these do not allow, in words.
        sandbox: what holds every command, to which a rule may add.
        behind: whether an agent runs what is allowed, so that no sandbox holds it: asimi asks about what a rule allows
            only in a sandbox.
        enclosure: makes the sandbox for what no rule allows; None if asimi asks about that, or refuses it.
        untrusted_host: the name of the host where commands would run, if nothing that it says of itself may allow.
        beside: tells whether commands may run at a real path outside the project.
        described: the programs that somebody described besides those of the catalogue, by name. A description only
            answers that a program is unknown, and can add questions; all else is judged as without it.
        waiting: what reasons say of each program whose description does not count, by name.
        boxed: whether a box holds the agent and all that it starts.
        observing: whether the agent decides what no rule decides, unless a grave reason stands against it (`GRAVE`).
        opened: the real paths that the box can write.
        leaving: whether a text is to leave the box whatever it needs.
        doubt: why no rule may let anything out of the box now, in words; empty if one may.
    """

    unlisted: Verdict = Verdict.ASK
    substitution: str = "refuse"
    wrappers: Collection[tuple[str, ...]] = ()
    exported: Collection[str] = ()
    free: Collection[str] = ()
    protected: Callable[[Request, Reading, Budget], Reading] | None = None
    checks: Checks | None = None
    placed: bool = False
    listed: str | None = None
    untrusted: tuple[Rule, ...] = ()
    untrusted_note: str = UNTRUSTED
    sandbox: Sandbox = Sandbox()
    behind: bool = False
    enclosure: AutoSandbox | None = None
    untrusted_host: str = ""
    beside: Callable[[str], bool] = lambda _: False
    described: Mapping[str, Program] = NONE
    waiting: Mapping[str, str] | None = None
    boxed: bool = False
    observing: bool = False
    opened: Collection[str] = ()
    leaving: bool = False
    doubt: str = ""


class RuleBook:
    """The rules, with the terms on which they count.

    Args:
        rules: the rules of all layers, in any order.
        terms: the settings that count besides them.

    Attributes:
        strict: the rules that deny or ask.
        guarded: whether any of these is about less than a whole tool.
        whole: those of them that are about a whole tool or an exact line.
        against: those of them that are about commands.
        names: the same by the name of the program that they are about.
        lines: the rules that allow an exact line.
        effects: the rules that allow by effects.
        checked: the rules that allow the project's checks.
        confined: the rules that allow in a sandbox.
        untrusted: the rules that would allow if the project's file were trusted, by the first word.
        ignored: the rules that would allow if what the host says of itself were believed.
    """

    def __init__(self, rules: Iterable[Rule], terms: Terms = Terms()) -> None:  # noqa: B008 - it never changes
        self.rules, self.terms = tuple(rules), terms
        self.strict = tuple(rule for rule in self.rules if rule.verdict is not Verdict.ALLOW)
        self.guarded = any(not rule.bare for rule in self.strict)
        self.whole = tuple(rule for rule in self.strict if rule.bare or rule.line is not None)
        allow = tuple(rule for rule in self.rules if rule.verdict is Verdict.ALLOW)
        effective = self.effective_rules(allow)
        self.lines = tuple(rule for rule in effective if rule.line is not None)
        self._allow, self.untrusted = by_first_word(effective), by_first_word(terms.untrusted)
        self.ignored = tuple(rule for rule in allow if rule not in effective) if terms.untrusted_host else ()
        self.effects = tuple(rule for rule in effective if rule.effects)
        self.checked = tuple(rule for rule in effective if rule.checks)
        self.confined = tuple(rule for rule in allow if rule.sandbox != "off")
        self.against = tuple(rule for rule in self.strict if rule.words is not None and not rule.bare)
        self.names, self._unnamed = _by_name(self.against)
        self._paths = any("/" in each for rule in self.against for each in (rule.words or ((),))[0])

    @property
    def guard(self) -> Guard | None:
        """What knows this machine; None where nothing does."""
        return self.terms.protected if isinstance(self.terms.protected, Guard) else None

    def effective_rules(self, rules: Iterable[Rule]) -> Sequence[Rule]:
        """The rules that count here: if the host may lie, not those that rest on what it says of itself."""
        return tuple(rule for rule in rules if not (self.terms.untrusted_host and rule.trusts_machine))

    def allow_rules(self, word: str | None) -> Sequence[Rule]:
        """The rules that allow commands beginning with a word; for the empty word, those that allow a whole tool."""
        return () if word is None else self._allow.get(key_of(word), ())

    def about(self, command: Command) -> Sequence[Rule]:
        """The rules that may be about a command, by its name.

        If only bash can know the name, all rules; if not even its beginning is known, only those about any name.
        """
        if not self.against:
            return self.against
        name = name_of(command)
        if name is not None:
            if self._paths and "/" in (command.literals[0] or "/"):  # a link may give it any name
                return self.against
            named = [self.names[each] for each in known_as(name) if each in self.names]
            return self._unnamed if not named else named[0] if len(named) == 1 else self.against
        return self.against if command.words[0].head else self._unnamed


def by_first_word(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """The allow rules by the first word of their command; the bare ones by the empty word."""
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        if rule.verdict is Verdict.ALLOW and rule.words is not None and not rule.checks:
            for word in dict.fromkeys(map(key_of, rule.words[0])) if rule.words else ("",):
                index.setdefault(word, []).append(rule)
    return index


def key_of(word: str) -> str:
    """By what rules that allow a first word are found: itself; of a path, which has many names, that it is one."""
    return "/" if "/" in word else word


def _by_name(rules: Iterable[Rule]) -> tuple[dict[str, list[Rule]], list[Rule]]:
    """Rules by the name of the program they are about, those about any name among them; and these alone."""
    index: dict[str, list[Rule]] = {}
    anyhow: list[Rule] = []
    for rule in rules:
        for word in dict.fromkeys(map(base, rule.words[0])) if rule.words else ():
            index.setdefault(word, [*anyhow]).append(rule)
        if rule.words == () and not rule.bare:
            for each in (anyhow, *index.values()):
                each.append(rule)
    return index, anyhow
