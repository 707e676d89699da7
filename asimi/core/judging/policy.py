"""Precedence: makes one verdict of many rules about many commands.

For one command, a deny wins, then an ask rule, then an allow; without any of these, `unlisted` decides. The strictest
verdict on any command counts. *Allow* is a proof: each command is listed or answered for, and nothing was found that
could start, rebind or write something else. *Deny* is a search over everything that could start. Order never matters.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.budget import COMMAND, WORD, Budget, OverBudgetError
from asimi.core.call import Apart, Assurance, Decision, Loss, Part, Place, Reason, Sandbox, Verdict
from asimi.core.errors import ShellSyntaxError
from asimi.core.judging.matching import Match, applies, begins, is_about, is_meant, name_of, rests_on_undo
from asimi.core.judging.rules import HOST_NOT_TRUSTED, rule_of
from asimi.core.judging.zones import ASKED, shown_of
from asimi.core.pattern import pattern
from asimi.core.programs import find, is_builtin, known_as
from asimi.core.programs.effects import covers
from asimi.core.programs.program import NONE
from asimi.core.reading import Finding, Readings
from asimi.core.reading.commands import Added, base
from asimi.core.syntax import line_of, quote
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from asimi.core.call import Offer, Request, Span
    from asimi.core.judging.auto_sandbox import AutoSandbox
    from asimi.core.judging.checks import Answer, Checks
    from asimi.core.judging.confirmed import Answers
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.named import Named
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import SandboxMode
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command, Reading
    from asimi.core.syntax.nodes import Word

BEYOND_LISTS = frozenset({"substitution", "protected", "directory", *ASKED})
"""Findings that a bare tool entry does not answer; nor does it answer a hidden command while a rule forbids any."""

MOST_TRIED = 64
"""The most arguments of one command that are tried as the beginning of another."""

UNKNOWN = "1"
"""Stands for a word of a command that asks once it is known."""

MOST_APART = 16
"""Commands of one text that leave a box each by itself."""

NEVER_STORED = frozenset({"ask_by_rule", "protected", "substitution", *ASKED})
"""Reasons that are asked about each time."""

MOST_SHOWN = 3
"""Reasons that every dialog shows; it counts the rest."""

HELD = frozenset({"denied_by_rule", "ask_by_rule", "protected", "floor", "directory"})
"""Reasons that count even where asimi only observes; so does a text that it cannot read."""

MISSING = frozenset({"unlisted", "rejected"})
"""Reasons that a rule which allows commands would answer."""

WORST = ("denied_by_rule", "floor", "protected", "secret", "ask_by_rule")
"""Reasons that come first, the worst before the others, because people read only the first few."""

_GLOB = frozenset("*?[")
"""The first characters of a pattern that may stand for a name that looks like an option."""

_NAME = pattern(r"\w[\w+-]*(?:\.[\w+-]+)*")
"""The name of a program in a text of another language."""

UNTRUSTED = "does not count until you trust this file; see `asimi trust`"
"""Why an entry of a project's file allows nothing."""

CHANGED = "does not count since this file has changed; see `asimi trust`"
"""The same, if the file was trusted before."""

ALLOWED = Reason("allowed_by_rule", "nothing in it needs to be asked about")

LET_BE = Reason("allowed_by_rule", "nothing is said of these files")
"""Why nothing stands against an agent's own tool for files."""


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
        observing: whether the agent decides what no rule decides, unless a grave reason stands against it (`HELD`).
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


DEFAULT = Terms()


class Policy:
    """The rules, with the terms on which they count.

    Args:
        rules: the rules of all layers, in any order.
        terms: the settings that count besides them.
    """

    def __init__(self, rules: Iterable[Rule], terms: Terms = DEFAULT) -> None:
        self.rules, self.terms = tuple(rules), terms
        self.strict = tuple(rule for rule in self.rules if rule.verdict is not Verdict.ALLOW)
        self.guarded = any(not rule.bare for rule in self.strict)
        self.whole = tuple(rule for rule in self.strict if rule.bare or rule.line is not None)
        allow = tuple(rule for rule in self.rules if rule.verdict is Verdict.ALLOW)
        effective_rules = self.effective_rules(allow)
        self.lines = tuple(rule for rule in effective_rules if rule.line is not None)
        self._allow, self.untrusted = _index(effective_rules), _index(terms.untrusted)
        self.ignored_rules = (
            tuple(rule for rule in allow if rule not in effective_rules) if terms.untrusted_host else ()
        )
        self.effects = tuple(rule for rule in effective_rules if rule.effects)
        self.checked = tuple(rule for rule in effective_rules if rule.checks)
        self.confined = tuple(rule for rule in self.rules if rule.verdict is Verdict.ALLOW and rule.sandbox != "off")
        self.against = tuple(rule for rule in self.strict if rule.words is not None and not rule.bare)
        self.names, self._unnamed = _about(self.against)
        self._paths = any("/" in each for rule in self.against for each in (rule.words or ((),))[0])
        self.readings = Readings(
            terms.wrappers,
            terms.exported,
            judge_substitutions=terms.substitution == "judge",
            free=terms.free,
            described=terms.described,
            home=self.guard.machine.home if self.guard is not None else "",
        )

    @property
    def rest(self) -> str:
        """The fate of a command that no rule allows, in a word: `ask`, `deny` or `sandbox`."""
        return self.terms.unlisted.word if self.terms.enclosure is None else "sandbox"

    @property
    def guard(self) -> Guard | None:
        """What knows this machine; None where nothing does."""
        from asimi.core.judging.guard import Guard

        return self.terms.protected if isinstance(self.terms.protected, Guard) else None

    def effective_rules(self, rules: Iterable[Rule]) -> Sequence[Rule]:
        """The rules that count here: if the host may lie, not those that rest on what it says of itself."""
        return tuple(rule for rule in rules if not (self.terms.untrusted_host and rule.trusting))

    def allowing(self, word: str | None) -> Sequence[Rule]:
        """The rules that allow commands beginning with a word; for the empty word, those that allow a whole tool."""
        return self._allow.get(key_of(word), ()) if word is not None else ()

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

    def with_rules(self, rules: Iterable[Rule]) -> Policy:
        """The same policy with other rules, and without those that only trust would add."""
        return Policy(rules, self.terms._replace(untrusted=(), untrusted_note=UNTRUSTED))

    def describing(self, described: Mapping[str, Program]) -> Policy:
        """The same policy with other described programs, and no rules that only trust would add."""
        return Policy(self.rules, self.terms._replace(untrusted=(), untrusted_note=UNTRUSTED, described=described))

    def decide(self, request: Request, approvals: Sequence[Rule] = (), *, budget: Budget | None = None) -> Decision:
        """The decision on a request.

        Args:
            request: what would run.
            approvals: the rules that a person approved for a while.
            budget: the work that it may take; None for the usual limit.
        """
        try:
            return self._weigh(request, *self._looked(request, budget), approvals)
        except ShellSyntaxError as error:
            return Decision(Verdict.DENY, (Reason(error.code, str(error), error.span),))
        except OverBudgetError as error:
            return Decision(Verdict.DENY, (Reason("too_large", str(error), None),))

    def wanting(self, request: Request) -> tuple[tuple[Command, Answer | None], ...]:
        """The commands of a request that need a rule, each with what is known of it as a check of the project.

        Returns:
            These; empty if a question would stay open even with rules that allow them.
        """
        try:
            reading, budget = self._looked(request, None)
            weighing = self._weighing(request, reading, (), budget)
            decision = weighing.decision(substitution=reading.substitution)
            if decision.verdict is Verdict.ALLOW and decision.outside is None:  # by a rule for exactly this call
                return ()
            if not weighing.unlisted or any(reason.code not in MISSING for _, reason in weighing.against):
                return ()
            return tuple((command, weighing.check_answer(command)) for command in weighing.unlisted)
        except (ShellSyntaxError, OverBudgetError):
            return ()

    def barred(self, rule: Rule, request: Request) -> str:
        """Why a rule never allows a file that its words name, where a request has these; empty where it may."""
        try:
            reading, budget = self._looked(request, None)
        except (ShellSyntaxError, OverBudgetError):
            return ""
        named = self._weighing(request, reading, (), budget).named()
        return next(filter(None, (named.barred(rule, each) for each in reading.commands)), "")

    def aimed(self, request: Request) -> tuple[Rule, ...]:
        """The rules for what each command of a request is aimed at now; none where that is not known of one."""
        from asimi.core.judging.offers import aimed

        try:
            reading, _ = self._looked(request, None)
        except (ShellSyntaxError, OverBudgetError):
            return ()
        return tuple(rule for offer in aimed(request, reading.commands) for rule in offer.rules)

    def _looked(self, request: Request, budget: Budget | None) -> tuple[Reading, Budget]:
        """The reading of a request, with what a look at the file system found, and the budget for judging it.

        Raises:
            ShellSyntaxError: bash would not parse it.
            OverBudgetError: it is too much work.
        """
        reading = self.readings.of(request, budget)
        budget = Budget((reading.plain or reading).left) if budget is None else budget
        plain = None if reading.plain is None else self._seen(request, reading.plain, budget)
        return self._seen(request, reading, budget)._replace(plain=plain), budget

    def _seen(self, request: Request, reading: Reading, budget: Budget) -> Reading:
        """A reading with what a look at the file system finds."""
        if self.terms.protected is not None:  # once: it looks at the file system
            reading = self.terms.protected(request, reading, budget)
        if not request.place.inside and self.terms.beside(request.place.path):
            reading = reading._replace(findings=tuple(each for each in reading.findings if each.code != "directory"))
        return reading

    def _weigh(self, request: Request, reading: Reading, budget: Budget, approvals: Sequence[Rule]) -> Decision:
        """The decision, with only those offers that would really answer the question."""
        decision = self._weighed(request, reading, approvals, budget)
        paths = any("/" in (command.literals[0] or "") for command in reading.commands)
        if not (paths or reading.functions or any(command.escapes for command in reading.commands)):
            return decision  # an entry for each unlisted command is enough

        def answers(rules: Sequence[Rule]) -> bool:
            return self._weighed(request, reading, [*approvals, *rules], budget).verdict is Verdict.ALLOW

        kept = tuple(offer for offer in decision.offers if answers(offer.rules))
        entries = [rule_of(entry, Verdict.ALLOW) for entry in decision.needed]
        return decision._replace(offers=kept, needed=decision.needed if entries and answers(entries) else ())

    def _weighed(self, request: Request, reading: Reading, approvals: Sequence[Rule], budget: Budget) -> Decision:
        """The decision that follows from all rules over all commands and findings."""
        weighing = self._weighing(request, reading, approvals, budget)
        decision = weighing.decision(substitution=reading.substitution)
        if self.terms.observing:
            return decision._replace(observed=weighing.is_mild)
        return weighing.boxed(decision, reading) if self.terms.boxed else decision

    def _weighing(self, request: Request, reading: Reading, approvals: Sequence[Rule], budget: Budget) -> _Weighing:
        """What all rules say of all commands and findings."""
        weighing = _Weighing(self, request, reading, approvals, budget)
        for command in reading.commands:
            weighing.command(command)
        for finding in reading.findings:
            weighing.finding(finding)
        for name, span in reading.functions:
            weighing.function(name, span)
        if reading.plain is not None:
            weighing.keep(self._weighing(request, reading.plain, approvals, budget))
        return weighing


class _Weighing:
    """One request, and the reasons for and against it."""

    def __init__(
        self,
        policy: Policy,
        request: Request,
        reading: Reading,
        approvals: Sequence[Rule],
        budget: Budget,
    ) -> None:
        self.policy, self.request, self.line, self.budget = policy, request, line_of(request), budget
        self.reading, self.approvals = reading, approvals
        self._named: Named | None = None
        self.granted = [
            rule
            for rule in (*policy.lines, *policy.effective_rules(approvals))
            if rule.tool in {None, request.tool} and applies(rule, request.place)
        ]
        self.allowing = _index(self.granted)
        self.effects = (*policy.effects, *(rule for rule in self.granted if rule.effects))
        self.by_effects = [rule for rule in self.effects if self._holds(rule)]  # as below, those that hold here
        self.checked = [rule for rule in policy.checked if self._holds(rule)]
        self.confined = [rule for rule in policy.confined if self._holds(rule)]
        self.against: list[tuple[Verdict, Reason]] = []
        self.for_it: list[Reason] = []
        self.parts: dict[Command, Part] = {}  # by the command as it is written
        self.spends: dict[Rule, None] = {}
        self.voice = Assurance.BEFOREHAND
        self.sandboxes: list[SandboxMode] = []
        self.unlisted: list[Command] = []
        self.started: list[Command] = []
        self.called: list[Command] = []
        self.open: set[Command] = set()  # what nothing allows
        self.changed: dict[str, None] = {}
        self.kept: dict[Loss, None] = {}  # what may be removed because undo brings it back
        self.unseen = False  # whether the question does not show all of a change
        self.writes = self.beyond = False  # whether a redirection writes; whether a sandbox cannot answer
        self.bare = next(
            (rule for rule in (*policy.allowing(""), *self.granted) if rule.bare and self._holds(rule)), None
        )
        for rule in policy.whole:
            if rule.bare and self._holds(rule):
                self._written(rule, request.tool, None)
            elif rule.line is not None and rule.line == self.line and applies(rule, request.place):
                self._written(rule, self.line, None)
        for rule in self.confined:
            if rule.bare or (rule.line is not None and rule.line == self.line):
                self._confined(rule, self.line, None)

    def named(self) -> Named:
        """What tells which files words name; few rules name one."""
        if self._named is None:
            from asimi.core.judging.named import Named

            self._named = Named(self.request, self.reading, self.policy.guard, self.budget)
        return self._named

    def command(self, command: Command) -> None:
        """Weigh a command."""
        verdict = Verdict.ALLOW
        for rule, match in self._matches(command):
            if match is Match.YES:
                verdict = max(verdict, rule.verdict)
                self._written(rule, _shown(command), command.span)
            elif match is Match.MAYBE and not command.possible and not (rule.effects and self._is_plain(command)):
                message = f"only bash can know whether this is `{rule.entry}`"
                if rule.effects and command.effects is None:
                    message = f"asimi does not know what `{_shown(command)}` does, and {rule.entry} decides by that"
                self.finding(Finding("dynamic", message, command.span, hidden=True))
        if command.possible:
            if command.called:
                self.called.append(command)
                self.open.add(command)
            return
        self.started.append(command)
        if verdict is Verdict.ALLOW and not command.defined and self.request.file is None:
            verdict = self._handed(command, 1) if command.loose else self._listed(command)
            verdict = max((verdict, *self._sandboxed(command)))
        if verdict is not Verdict.ALLOW:
            self.open.add(command)
        origin = command.origin or command
        known = self.parts.get(origin)
        verdict = verdict if known is None else max(verdict, known.verdict)
        self.parts[origin] = Part(origin.literals, command.span, command.via, verdict)

    def _is_plain(self, command: Command) -> bool:
        """Whether somebody described the program, but this reading uses the catalogue alone."""
        return command.program is None and command.name in self.policy.terms.described

    def keep(self, plain: _Weighing) -> None:
        """Add the reasons against the same request by the catalogue alone, except those that a description answers."""
        self.against += (each for each in plain.against if each[1].code not in MISSING and each not in self.against)
        self.beyond, self.writes = self.beyond or plain.beyond, self.writes or plain.writes
        self.voice = max(self.voice, plain.voice)

    def _matches(self, command: Command) -> Iterator[tuple[Rule, Match]]:
        """The rules against commands that hold here, and how surely each is about this one.

        Those by a program's name are not about an agent's own tool for files, though it is judged as a command.
        """
        rules = self.policy.about(command)
        self.budget.spend(len(rules) * (1 if command.name is not None else 3))
        for rule in rules:
            if applies(rule, self.request.place) and not (rule.words and self.request.file is not None):
                yield rule, is_about(rule, command, self.budget, self.named)

    def _listed(self, command: Command) -> Verdict:
        """The verdict on a command that nothing forbids; notes why."""
        best = self.bare
        first = command.words[0].literal
        rules = () if first is None else self._for(first)
        self.budget.spend(len(rules))
        for rule in rules:
            longer = best is None or len(rule.words or ()) > len(best.words or ())
            if longer and rule.words and self._holds(rule) and begins(rule, command, self.budget, self.named):
                best = rule
        able = [rule for rule in self.by_effects if begins(rule, command, self.budget, self.named)]
        by_effect = next((rule for rule in able if not rests_on_undo(rule, command)), able[0] if able else None)
        if best is None and (by_effect is None or self._has_changed(command, by_effect)):
            return self._as_check(command, first)
        best = by_effect or best
        assert best is not None
        verdict = self._handed(command, len(best.words or ()) or 1)
        asked = self.bare is not None and self.policy.guarded and command.escapes
        last = self._last_named(command) if asked else -1
        for escape in command.escapes:
            named = best.words and escape.word < len(best.words)
            starts = self.policy.guarded and (escape.hidden or escape.word <= last)  # it may start what is forbidden
            if not named and (starts or (self.bare is None and by_effect is None)):
                verdict = Verdict.ASK
                self._say(verdict, Reason("escape", escape.message, _place(command, escape.word)))
        if best.uses is not None:
            self.spends[best] = None
        message = f"{best.entry} allows `{_shown(command)}`"
        if by_effect is not None and rests_on_undo(by_effect, command):
            self.kept.update(dict.fromkeys(command.seen.kept))
            message += ", which this text has made" if command.seen.made else ", which asimi undo takes back"
        self.for_it.append(Reason(best.code, message, command.span, best.entry, best.source))
        return verdict

    def _for(self, first: str) -> tuple[Rule, ...]:
        """The rules, and approvals, that allow commands beginning with a word."""
        return (*self.policy.allowing(first), *self.allowing.get(key_of(first), ()))

    @cached_property
    def _confirmed(self) -> Answers | None:
        from asimi.core.judging.confirmed import Answers  # few commands are checks

        checks = self.policy.terms.checks
        return None if checks is None else Answers(checks, self.request, self.reading, self.budget)

    def check_answer(self, command: Command) -> Answer | None:
        """What is said of a command as a check of the project; None if it is none, or if no checks count."""
        return None if self._confirmed is None else self._confirmed.answer(command)

    def _has_changed(self, command: Command, rule: Rule) -> bool:
        """Whether a command is a check that has changed since a person confirmed it.

        asimi asks about it even if a rule allows everything that runs code: nobody has seen this code.
        """
        if rule.words or "code" not in rule.effects:
            return False
        if not any(begins(each, command, self.budget, self.named) for each in self.checked):
            return False
        answer = self.check_answer(command)
        return answer is not None and answer.seen and not answer.sure

    def _as_check(self, command: Command, first: str | None) -> Verdict:
        """The verdict on a command that only a rule for the project's checks could allow."""
        rules = (rule for rule in self.checked if begins(rule, command, self.budget, self.named))
        rule = next(rules, None)
        answer = None if rule is None else self.check_answer(command)
        if rule is None or answer is None:
            return self._unlisted(command, first)
        if not answer.seen:
            return self._unlisted(command, first, f"; {answer.why} (asimi trust)")
        if answer.sure:
            message = f"{rule.entry} allows `{_shown(command)}`, a check of this project"
            self.for_it.append(Reason(rule.code, message, command.span, rule.entry, rule.source))
            return Verdict.ALLOW
        self.changed.update(dict.fromkeys(answer.changed))
        self.unseen = self.unseen or not answer.changed or not answer.whole
        message = f"`{_shown(command)}` is a check of this project, but {answer.why}"
        self._say(Verdict.ASK, Reason("code", message, command.span))
        return Verdict.ASK

    def _sandboxed(self, command: Command) -> Iterator[Verdict]:
        """The verdicts of rules that allow a command only in a sandbox; each counts, whatever else allows it."""
        for rule in self.confined:
            if rule.words is None or rule.bare or not begins(rule, command, self.budget, self.named):
                continue
            answer = self.check_answer(command) if rule.checks and self.policy.checked else None
            if not rule.checks or answer is not None:  # a check that has changed, too: a person may say yes to it
                yield self._confined(rule, _shown(command), command.span)

    def _confined(self, rule: Rule, text: str, span: Span | None) -> Verdict:
        """The verdict on what a rule allows only in a sandbox: ask if no sandbox could hold it."""
        self.sandboxes.append(rule.sandbox)
        message = f"{rule.entry} allows `{text}` only in a sandbox, and "
        if self.policy.terms.untrusted_host:
            message += f"whether there is one, {HOST_NOT_TRUSTED.format(self.policy.terms.untrusted_host)}"
        elif not self.policy.terms.behind or rule.checks:  # a check, whose code a person has seen, keeps its allow
            return Verdict.ALLOW
        else:
            message += "here the agent runs it itself, without one"
        self._say(Verdict.ASK, Reason("sandbox", message, span, rule.entry, rule.source))
        return Verdict.ASK

    def _unlisted(self, command: Command, first: str | None, more: str = "") -> Verdict:
        """The verdict on a command that nothing lists; notes that, and which untrusted rule would allow it."""
        verdict = self.policy.terms.unlisted
        self.unlisted.append(command)
        if first is None and verdict is Verdict.ASK:  # a finding says it already
            self.beyond = True
            return verdict
        rules = [rule for word in ("", first) if word is not None for rule in self.policy.untrusted.get(word, ())]
        self.budget.spend(len(rules))
        untrusted_note = next(
            (rule for rule in rules if self._holds(rule) and begins(rule, command, self.budget, self.named)), None
        )
        message = f"{self._unmet(command)}{more}"
        if untrusted_note is not None:
            message += f"; {untrusted_note.source}: {untrusted_note.entry} {self.policy.terms.untrusted_note}"
        elif (rule := self._unbelieved(command)) is not None:
            message += f"; {rule.entry} would, by what {HOST_NOT_TRUSTED.format(self.policy.terms.untrusted_host)}"
        elif (
            command.program is None and (waits := (self.policy.terms.waiting or {}).get(command.name or "")) is not None
        ):
            message += f"; {waits}"
        elif self._named is not None and (why := self._named.why(command)):
            message += f"; {why}"
        code = "unlisted" if verdict is Verdict.ASK else "rejected"
        self.against.append((verdict, Reason(code, message, command.span, None, self.policy.terms.listed)))
        if self.policy.terms.enclosure is not None and self.policy.guarded:
            self._may_start(command)
        return verdict

    def _unbelieved(self, command: Command) -> Rule | None:
        """The rule that would allow a command if what its host says of itself were believed."""
        self.budget.spend(len(self.policy.ignored_rules))
        rules = (rule for rule in self.policy.ignored_rules if not rule.checks and self._holds(rule))
        return next((rule for rule in rules if begins(rule, command, self.budget, self.named)), None)

    def _may_start(self, command: Command) -> None:
        """Ask about a command that may start something forbidden, which a sandbox would not stop."""
        self._handed(command, 1)
        last = self._last_named(command) if command.escapes else -1
        for escape in command.escapes:
            if escape.hidden or escape.word <= last:
                self._say(Verdict.ASK, Reason("escape", escape.message, _place(command, escape.word)))

    def _unmet(self, command: Command) -> str:
        """Why nothing allows a command: for its effects if any rule goes by effects, else for its name."""
        rules = self.by_effects
        if not rules:
            return f"`{_shown(command)}` is not on coreTools"
        from asimi.core.judging.offers import may_start

        does = command.kinds
        if command.seen.overwrites and does is not None:
            lost = command.seen.overwrites
            return f"`{_shown(command)}` overwrites {shown_of(lost)}, which git ignores and undo does not keep"
        general = (rule for rule in rules if not (rule.words or rule.hosts) and is_meant(rule, command))
        allowed = {effect for rule in general for effect in rule.effects}
        beyond = {each for each in does or () if not covers(allowed, each)}
        if not beyond:  # not known, or an argument that only bash can know decides
            if does is not None and command.seen.astray:
                return f"{_astray(command)}, and no rule allows it"
            said = f"asimi does not know what `{_shown(command)}` does"
            last = command.literals[-1] or ""
            if last[-1:] == "\r":
                said += ": its line ends in a carriage return, which bash takes as a part of the word"
            elif command.program is None and may_start(command):
                way = f'if it only starts that, commands = ["{command.name}"] in [wrappers] says so'
                return f"{said}, which may start the command behind it, and no rule allows it; {way}"
            bare = next((each for each in map(command.written, command.words[1:]) if each[:1] in _GLOB), "")
            if bare and command.program is not None:
                said += f": a name that `{bare}` stands for could be an option, and none that `./{bare}` does"
            return f"{said}, and no rule allows it"
        from asimi.core.wording.effects import does_all

        return f"`{_shown(command)}` {does_all(beyond)}, and no rule allows that"

    def _last_named(self, command: Command) -> int:
        """The index of the last word of a command that holds the name of a forbidden program; -1 without one."""
        written = [command.written(word) for word in command.words]
        self.budget.spend(sum(map(len, written)) // 4 + 2 * len(written))
        for index in range(len(written) - 1, -1, -1):
            if any(map(self._is_forbidden, _NAME.findall(written[index]))):
                return index
        return -1

    def _is_forbidden(self, name: str) -> bool:
        """Whether a rule that holds here is against commands of a name."""
        rules = self.policy.names.get(name, ())
        return any(rule.words and applies(rule, self.request.place) for rule in rules)

    def _handed(self, command: Command, start: int) -> Verdict:
        """Ask if a program that asimi does not know gets the name of a forbidden one as an argument: it may start that.

        Args:
            command: the command.
            start: the index of the first argument that the entry does not name.
        """
        names = self.policy.names
        if not names or command.name is None or command.program is not None or self._is_wrapper(command):
            return Verdict.ALLOW
        tried = 0
        self.budget.spend(len(command.words))
        for index, literal in enumerate(command.literals[start:], start):
            name = base((literal or "").lstrip().split(None, 1)[0]) if literal and not literal.isspace() else ""
            if name not in names:
                continue
            inner = command.behind(index)
            self.budget.spend(COMMAND + WORD * len(inner.words))
            matches = [match for rule, match in self._matches(inner) if rule.words]
            tried += bool(matches)
            if tried > MOST_TRIED or any(matches):
                message = f"{command.name} is a program that asimi does not know, and it may start `{_shown(inner)}`"
                self.finding(Finding("dynamic", message, _place(command, index), hidden=True))
                return Verdict.ASK
        return Verdict.ALLOW

    def _is_wrapper(self, command: Command) -> bool:
        """Whether the configuration calls it a wrapper, so the command behind it was judged."""
        return any(command.literals[: len(words)] == words for words in self.policy.terms.wrappers)

    def finding(self, finding: Finding) -> None:
        """Weigh a finding, which may be about the whole request."""
        self.writes = self.writes or finding.writes
        placed = self.policy.terms.placed or self.request.file is not None
        if (finding.loose and not self.policy.guarded) or (finding.writes and placed):
            return
        unanswerable = finding.code in BEYOND_LISTS or (finding.hidden and self.policy.guarded)
        if finding.verdict is Verdict.ALLOW or (
            finding.verdict is Verdict.ASK and self.bare is not None and not unanswerable
        ):
            return
        verdict, code = finding.verdict, finding.code
        if code == "unlisted" and self.policy.terms.unlisted is Verdict.DENY:
            verdict, code = Verdict.DENY, "rejected"
        reason = Reason(code, finding.message, finding.span)
        if finding.writes and verdict is Verdict.ASK:  # a sandbox says where, as files.write does
            self.against.append((verdict, reason))
        else:
            self._say(verdict, reason, ASKED[code].voice if code in ASKED else Assurance.BEFOREHAND)

    def function(self, name: str, span: Span) -> None:
        """Weigh a function: its name may already mean something that is allowed, or a builtin."""
        known = bool(self.effects or self.policy.checked) and (
            name in self.policy.terms.described or find(name) is not None
        )
        taken = known or is_builtin(name) or self.policy.allowing(name) or key_of(name) in self.allowing
        if taken:
            self.finding(
                Finding("rebinding", f"the function {name} redefines a name that already means something", span)
            )

    def decision(self, *, substitution: bool) -> Decision:
        """The decision that follows from all that was weighed."""
        parts = tuple(self.parts.values())
        sandbox = self.policy.terms.sandbox.at_least(*self.sandboxes)
        if not self.against:
            reasons = tuple(dict.fromkeys(self.for_it)) or (ALLOWED if self.request.file is None else LET_BE,)
            spends = tuple(self.spends)
            kept = tuple(self.kept)
            return Decision(Verdict.ALLOW, reasons, parts, substitution, spends=spends, sandbox=sandbox, kept=kept)
        verdict = max(verdict for verdict, _ in self.against)
        against = dict.fromkeys(reason for said, reason in self.against if said is verdict)
        reasons = tuple(sorted(against, key=lambda each: (*WORST, each.code).index(each.code)))
        codes = {reason.code for _, reason in self.against}
        barred = any(said is Verdict.DENY and reason.code != "rejected" for said, reason in self.against)
        each_time = {reason.message for _, reason in self.against if reason.code in NEVER_STORED}
        changed = tuple(self.changed)
        exact = next((rule for rule in self.granted if self._answers(rule, each_time.union(changed))), None)
        if exact is not None and not barred:  # an exact line is listed as well as an entry is
            reason = Reason(exact.code, "exactly this command is allowed", None, exact.entry, exact.source)
            allowed = tuple(part._replace(verdict=Verdict.ALLOW) for part in parts)
            spends = (exact,) if exact.uses is not None else ()
            return Decision(Verdict.ALLOW, (reason,), allowed, substitution, spends=spends, sandbox=sandbox)
        from asimi.core.judging.offers import as_now, needed, offers, while_unchanged

        by_entries = self.unlisted if codes <= MISSING else ()
        offered: tuple[Offer, ...] = ()
        if verdict is Verdict.ASK and not each_time:
            offered = while_unchanged(self.request, changed) or offers(
                self.request, by_entries, self.budget, self.named
            )
        offered = tuple(each for each in offered if len(self.policy.effective_rules(each.rules)) == len(each.rules))
        entries = needed(self.request, by_entries, self.named)
        asked = Decision(verdict, reasons, parts, substitution, offered, entries, voice=self.voice, sandbox=sandbox)
        enclosed = self._enclosed(asked)
        asked = asked if enclosed is None else enclosed
        if not changed or asked.verdict is not Verdict.ASK:
            return asked
        told = codes == {"code"} and not self.unseen and len(reasons) <= MOST_SHOWN
        return asked._replace(changed=changed, confirming=as_now(self.request, changed) if told else None)

    @property
    def is_mild(self) -> bool:
        """Whether no reason counts where asimi only observes."""
        return all(reason.code not in HELD for _, reason in self.against)

    def boxed(self, decision: Decision, reading: Reading) -> Decision:
        """The decision in a box, from the one without: on a text that stays in it, or on one that would leave."""
        from asimi.core.judging.in_box import Weighed, in_box, lacking

        commands = [Weighed(each, each in self.open) for each in (*self.started, *self.called)]
        needs, leaves = lacking(commands, _shown, self._halfway(reading)), self.policy.terms.leaving
        if decision.verdict is Verdict.DENY or not (needs or leaves):
            return in_box(decision, commands, self.for_it, tuple(self.kept))
        from asimi.core.judging.leaving import apart, is_simple, refused

        alone = commands[0].command if len(commands) == 1 else None
        if alone is not None and is_simple(alone, reading, self.line):
            return self._leaving(decision, needs, alone)
        parts, told = self._apart(reading, needs)
        if not (leaves or told):
            others = [each for each in commands if each.command not in needs]
            rest = in_box(decision, others, self.for_it, tuple(self.kept))
            if rest.verdict is Verdict.ALLOW:
                return apart(rest, parts, [command.span for command in needs])
        if leaves and not told:
            told = refused(["it is more than one simple command"])
        return self._leaving(decision, needs, None, told)

    def _halfway(self, reading: Reading) -> Callable[[Command], str]:
        """What says of a command of git what it needs to end that a box does not have."""
        guard = self.policy.guard
        if guard is None or not any("repository" in each.traits for each in reading.commands):
            return lambda _: ""
        from asimi.core.judging.halfway import halfway
        from asimi.core.judging.paths import Paths, TooManyError

        with guard.looking(self.budget):
            try:
                paths = Paths(guard.machine, self.request, reading, self.budget)
            except TooManyError:
                return lambda _: ""
        opened = (guard.machine.resolve(self.request.place.root), *self.policy.terms.opened)

        def needs(command: Command) -> str:
            with guard.looking(self.budget):
                return halfway(command, paths, guard.holds, opened)

        return needs

    def _leaving(
        self,
        asked: Decision,
        needs: Mapping[Command, Reason],
        command: Command | None,
        told: tuple[Reason, ...] = (),
    ) -> Decision:
        """The decision on a text that would leave the box, from the one without a box.

        Args:
            asked: that one.
            needs: the commands that need something outside, each with the reason.
            command: the simple command that the text is; None where it is more than that.
            told: what stands against letting it out.
        """
        from asimi.core.judging.leaving import doubts, leaving, refused
        from asimi.core.judging.offers import outside

        terms, guard = self.policy.terms, self.policy.guard
        rule: Rule | None = None
        offered: tuple[Offer, ...] = ()
        if command is not None:
            with nullcontext() if guard is None else guard.looking(self.budget):
                against = doubts(command, self.request, guard, terms.opened)
            against += (terms.doubt,) if terms.doubt else ()
            told = refused(against)
            if not against:
                rule, offered = self._lets_out(command), outside(self.request, command, self.budget)
        exact = [each for each in self.granted if each.line == self.line]
        return leaving(asked, tuple(needs.values()), told, rule, exact, offered)

    def _apart(
        self, reading: Reading, needs: Mapping[Command, Reason]
    ) -> tuple[Sequence[tuple[Apart, Reason]], tuple[Reason, ...]]:
        """How the commands of a text that need something outside of the box may leave it, each by itself.

        Returns:
            Each of them with the reason why it may; and what stands against the others.
        """
        from asimi.core.judging.in_box import UNBOXED
        from asimi.core.judging.leaving import refused
        from asimi.core.judging.paths import Paths, TooManyError
        from asimi.core.reading.movable import Movable

        guard, request = self.policy.guard, self.request
        if guard is None or len(needs) > MOST_APART:
            return (), refused(["it is more than one simple command"])
        movable = Movable(reading, self.policy.terms.exported)
        parts: list[tuple[Apart, Reason]] = []
        told: list[Reason] = []
        with guard.looking(self.budget):
            try:
                paths = Paths(guard.machine, request, reading, self.budget)
            except TooManyError as error:
                return (), refused([str(error)])
        for command in needs:
            start, end = span = movable.span(command)
            why = movable.against(command, _shown(command))
            asks = bool(why) and movable.may_ask(command)
            if not asks and (reading.script is None or not (self.line[:start].strip() or self.line[end:].strip())):
                told += refused(["it starts other commands"]) if len(needs) > 1 else (needs[command],)
                continue
            if why and not asks:
                told += refused([why], command.span)
                continue
            with guard.looking(self.budget):
                where = paths.at(command)
                place, *others = [None if each is None else guard.machine.resolve(each) for each in where]
            if place is None or others:
                told += refused([f"only bash can know where `{_shown(command)}` runs"], command.span)
                continue
            words = tuple(UNKNOWN if each is None else each for each in command.literals)
            text = " ".join(map(quote, words)) if asks else self.line[start:end]
            alone = request._replace(command=text, place=Place.at(place, request.place.root))
            found = self.policy.decide(alone, self.approvals, budget=self.budget)
            same = [part.words for part in found.parts] == [words]
            if found.verdict is Verdict.ALLOW and found.leaves and same:
                message = f"{found.reasons[0].rule} lets `{_shown(command)}` out of the box"
                parts.append((Apart(span, place, asks), found.reasons[0]._replace(message=message, span=span)))
                continue
            reasons = [each for each in found.reasons if each.code == UNBOXED][1:]
            told += (each._replace(span=command.span) for each in reasons)
            told += () if reasons else (needs[command],)
        parts.sort(key=lambda each: each[0].span)
        return parts, tuple(told)

    def _lets_out(self, command: Command) -> Rule | None:
        """The rule that lets a command out of the box."""
        first = command.words[0].literal
        rules = (
            ()
            if first is None
            else (*self.policy.allowing(first), *self.allowing.get(key_of(first), ()), *self.effects)
        )
        rules += tuple(rule for rule in self.granted if rule.line == self.line)
        self.budget.spend(len(rules))
        return next(
            (
                rule
                for rule in rules
                if rule.outside
                and self._holds(rule)
                and (rule.line == self.line or begins(rule, command, self.budget, self.named))
            ),
            None,
        )

    def _enclosed(self, asked: Decision) -> Decision | None:
        """The decision that allows the text in a sandbox of its own; None if a sandbox does not answer the question."""
        enclosure, budget = self.policy.terms.enclosure, self.budget
        if enclosure is None or self.beyond or not self.unlisted or asked.verdict is not Verdict.ASK:
            return None
        from asimi.core.judging.auto_sandbox import is_answered

        if not all(is_answered(each, budget) for each in (*self.unlisted, *self.called)):
            return None
        sandbox = enclosure.sandbox(asked.sandbox, self.started, budget, writes=self.writes)
        if isinstance(sandbox, str):
            reasons = tuple(each._replace(message=f"{each.message}; no sandbox: {sandbox}") for each in asked.reasons)
            return asked._replace(reasons=reasons)
        reasons = tuple(
            Reason("allowed_in_sandbox", f"nothing lists `{_shown(each)}`; it runs in a sandbox", each.span)
            for each in self.unlisted
        )
        return Decision(
            Verdict.ALLOW,
            tuple(dict.fromkeys((*reasons, *self.for_it))),
            tuple(part._replace(verdict=Verdict.ALLOW) for part in asked.parts),
            asked.substitution,
            spends=tuple(self.spends),
            sandbox=sandbox,
            kept=tuple(self.kept),
            outside=asked if asked.sandbox.mode == "off" else None,
        )

    def _answers(self, rule: Rule, each_time: set[str]) -> bool:
        """Whether a rule is for exactly this call and answers all that is asked about it."""
        unheld = self.policy.terms.behind and rule.sandbox != "off"
        return rule.line == self.line and not unheld and each_time.issubset(rule.answers)

    def _holds(self, rule: Rule) -> bool:
        return rule.tool in {None, self.request.tool} and applies(rule, self.request.place)

    def _written(self, rule: Rule, text: str, span: Span | None) -> None:
        """Note that a rule forbids something, or asks about it."""
        self.budget.spend(6)
        code, verb = ("denied_by_rule", "forbids") if rule.verdict is Verdict.DENY else ("ask_by_rule", "asks about")
        message = f"{rule.entry} {verb} `{text}`" + (f": {rule.reason}" if rule.reason else "")
        voice = Assurance.TERMINAL if rule.terminal else Assurance.BEFOREHAND
        self._say(rule.verdict, Reason(code, message, span, rule.entry, rule.source), voice)

    def _say(self, verdict: Verdict, reason: Reason, voice: Assurance = Assurance.BEFOREHAND) -> None:
        self.beyond = True
        self.against.append((verdict, reason))
        self.voice = max(self.voice, voice)


def _index(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
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


def _about(rules: Iterable[Rule]) -> tuple[dict[str, list[Rule]], list[Rule]]:
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


def _astray(command: Command) -> str:
    """What is not known of a command that may go to files of which only bash can know where they are."""
    if command.account.tree.unpacks:
        return f"asimi does not know which files `{_shown(command)}` writes"
    named = [command.words[each.word] for each in sorted(command.account.touches) if each.word]
    unknown = next((_written(command, word) for word in named if word.literal is None), "")
    if unknown:
        return f"asimi does not know which file `{unknown}` is, of `{_shown(command)}`"
    if "bound" in command.traits:
        return f"`{_shown(command)}` may work in another repository than the project's, whose settings start programs"
    return f"asimi does not know the directory in which `{_shown(command)}` runs"


def _shown(command: Command, width: int = 60) -> str:
    """A command in few words: after unquoting, or as it is written where bash would expand it."""
    words = zip(command.words[: width + 1], command.literals, strict=False)
    text = " ".join((_written(command, each) if known is None else known)[: width + 1] for each, known in words)
    return text if len(text) <= width else text[: width - 1] + "…"


def _written(command: Command, word: Word) -> str:
    """A word that is not literal, as it is written, in one line; `…` where a program adds it."""
    return "…" if isinstance(word, Added) else " ".join(command.written(word).split())


def _place(command: Command, index: int) -> Span:
    """The place of one word of a command, or of all of it where its words are in another text."""
    word = command.words[min(index, len(command.words) - 1)]
    inside = command.span[0] <= word.start and word.end <= command.span[1]
    return (word.start, word.end) if inside else command.span
