"""Precedence: makes one verdict of many rules about many commands.

For one command, a deny wins, then an ask rule, then an allow; without any of these, `unlisted` decides. The strictest
verdict on any command counts. *Allow* is a proof: each command is listed or answered for, and nothing was found that
could start, rebind or write something else. *Deny* is a search over everything that could start. Order never matters.

There are two steps: `Case.facts` collects what the rules say, and `conclude` makes a decision of it. A sandbox of the
text's own and a box around the agent then answer what is left of the question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Decision, Offer, Part, Reason, Verdict
from asimi.core.errors import ShellSyntaxError
from asimi.core.judging.collect import MISSING, Case, Facts, abbreviate
from asimi.core.judging.rulebook import CHANGED, UNTRUSTED, RuleBook, Terms
from asimi.core.judging.rules import rule_of
from asimi.core.judging.widths import bounds_of, is_task, sentences
from asimi.core.judging.zones import ASKED
from asimi.core.reading import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from asimi.core.call import Request
    from asimi.core.judging.checks import Answer
    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command, Reading

__all__ = ["CHANGED", "MISSING", "UNTRUSTED", "Policy", "Terms"]

NEVER_STORED = frozenset({"ask_by_rule", "protected", "substitution", *ASKED})
"""Reasons that are asked about each time."""

MOST_SHOWN = 3
"""Reasons that every dialog shows; it counts the rest."""

GRAVE = frozenset({"denied_by_rule", "ask_by_rule", "protected", "floor", "directory"})
"""Reasons that count even where asimi only observes; so does a text that it cannot read."""

WORST = ("denied_by_rule", "floor", "protected", "secret", "ask_by_rule")
"""Reasons that come first, the worst before the others, because people read only the first few."""

ALLOWED = Reason("allowed_by_rule", "nothing in it needs to be asked about")

LET_BE = Reason("allowed_by_rule", "nothing is said of these files")
"""Why nothing stands against an agent's own tool for files."""


class Policy(RuleBook):
    """The rules, with the terms on which they count, and the decisions that follow.

    Args:
        rules: the rules of all layers, in any order.
        terms: the settings that count besides them.

    Attributes:
        readings: what requests would do, read once.
    """

    def __init__(self, rules: Iterable[Rule], terms: Terms = Terms()) -> None:  # noqa: B008 - it never changes
        super().__init__(rules, terms)
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

    def with_rules(self, rules: Iterable[Rule]) -> Policy:
        """The same policy with other rules, and without those that only trust would add."""
        return Policy(rules, self.terms._replace(untrusted=(), untrusted_note=UNTRUSTED))

    def with_programs(self, described: Mapping[str, Program]) -> Policy:
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
            case = self._case(request, approvals, budget)
            decision = self._decide_case(case)
            commands = case.reading.commands
            paths = any("/" in (command.literals[0] or "") for command in commands)
            if not (paths or case.reading.functions or any(command.escapes for command in commands)):
                return decision  # an entry for each unlisted command is enough

            def answers(rules: Sequence[Rule]) -> bool:
                return self._decide_case(case.with_approvals(rules)).verdict is Verdict.ALLOW

            offers = tuple(offer for offer in decision.offers if answers(offer.rules))
            entries = [rule_of(entry, Verdict.ALLOW) for entry in decision.needed]
            needed = decision.needed if entries and answers(entries) else ()
            return decision._replace(offers=offers, needed=needed)
        except ShellSyntaxError as error:
            return Decision(Verdict.DENY, (Reason(error.code, str(error), error.span),))
        except OverBudgetError as error:
            return Decision(Verdict.DENY, (Reason("too_large", str(error), None),))

    def unlisted_with_answers(self, request: Request) -> tuple[tuple[Command, Answer | None], ...]:
        """The commands of a request that need a rule, each with what is known of it as a check of the project.

        Returns:
            These; empty if a question would stay open even with rules that allow them.
        """
        try:
            case = self._case(request)
            facts = case.facts()
            decision = conclude(case, facts)
            if decision.verdict is Verdict.ALLOW and decision.outside is None:  # by a rule for exactly this call
                return ()
            if any(said.reason.code not in MISSING for said in facts.objections):
                return ()
            return tuple((command, case.check_answer(command)) for command in facts.unlisted_commands)
        except (ShellSyntaxError, OverBudgetError):
            return ()

    def bar_reason(self, rule: Rule, request: Request) -> str:
        """Why a rule never allows a file that its words name, where a request has these; empty where it may."""
        try:
            case = self._case(request)
        except (ShellSyntaxError, OverBudgetError):
            return ""
        return next(filter(None, (case.named.bar_reason(rule, each) for each in case.reading.commands)), "")

    def aim_rules(self, request: Request) -> tuple[Rule, ...]:
        """The rules for what each command of a request is aimed at now; none where that is not known of one."""
        from asimi.core.judging.in_box import without_container_commands
        from asimi.core.judging.offers import aim_rules

        try:
            commands = without_container_commands(self._case(request).reading).commands
        except (ShellSyntaxError, OverBudgetError):
            return ()
        return aim_rules(request, commands)

    def widening(self, request: Request, approvals: Sequence[Rule]) -> Offer | None:
        """The least that the caller's task must gain to cover a request, in the words of a grant.

        Args:
            request: what is asked about.
            approvals: the rules that a person approved for a while, with those of tasks.

        Returns:
            That; None where there is no task, or no width would do.
        """
        if not (granted := [each for each in approvals if is_task(each.source)]):
            return None
        from asimi.core.judging.offers import aim_rules, of_task

        def allows(rules: Sequence[Rule]) -> bool:
            return self.decide(request, (*approvals, *rules)).verdict is Verdict.ALLOW

        try:
            commands = self._case(request, approvals).facts().unlisted_commands
        except (ShellSyntaxError, OverBudgetError):
            return None
        source, root = granted[0].source, granted[0].directory
        found = dict.fromkeys(rule for each in commands for rule in aim_rules(request, (each,)))
        rules = [of_task(each, source, root, boxed=self.terms.boxed) for each in found]
        for rule in tuple(rules):
            fewer = [each for each in rules if each != rule]
            rules = fewer if allows(fewer) else rules
        new, before, after = (sentences(bounds_of(each)) for each in (rules, granted, (*granted, *rules)))
        made = [each for each in after if each.startswith("Together") and each not in (*before, *new)]
        return Offer(" ".join((*new, *made, f"In {source}")), tuple(rules)) if rules and allows(rules) else None

    def _case(self, request: Request, approvals: Sequence[Rule] = (), budget: Budget | None = None) -> Case:
        """A request with the reading of it, what a look at the file system found, and the rules that hold for it.

        Raises:
            ShellSyntaxError: bash would not parse it.
            OverBudgetError: it is too much work.
        """
        reading = self.readings.of(request, budget)
        budget = Budget((reading.plain or reading).left) if budget is None else budget
        plain = None if reading.plain is None else self._with_file_findings(request, reading.plain, budget)
        reading = self._with_file_findings(request, reading, budget)._replace(plain=plain)
        return Case(self, request, reading, approvals, budget)

    def _with_file_findings(self, request: Request, reading: Reading, budget: Budget) -> Reading:
        """A reading with what a look at the file system finds."""
        if self.terms.protected is not None:  # once: it looks at the file system
            reading = self.terms.protected(request, reading, budget)
        if not request.place.inside and self.terms.beside(request.place.path):
            reading = reading._replace(findings=tuple(each for each in reading.findings if each.code != "directory"))
        return reading

    def _decide_case(self, case: Case) -> Decision:
        """The decision on a case, here or in a box."""
        facts = case.facts()
        decision = conclude(case, facts)
        if self.terms.observing:
            return decision._replace(observed=all(said.reason.code not in GRAVE for said in facts.objections))
        if not self.terms.boxed:
            return decision
        from asimi.core.judging.leaving_box import decide_in_box

        return decide_in_box(
            decision, case, facts, lambda alone: self.decide(alone, case.approvals, budget=case.budget)
        )


def conclude(case: Case, facts: Facts) -> Decision:
    """The decision that follows from the facts about a case.

    Without an objection, it is allowed. A rule for exactly this call that answers all objections allows it, too, and so
    may a sandbox of its own. Else the strictest objections decide, and a question says what would answer it.
    """
    request, terms = case.request, case.book.terms
    allowed = Decision(
        Verdict.ALLOW,
        tuple(dict.fromkeys(facts.allow_reasons)) or (ALLOWED if request.file is None else LET_BE,),
        _parts(facts),
        case.reading.substitution,
        spends=tuple(dict.fromkeys(each.spends for each in facts.started if each.spends is not None)),
        sandbox=terms.sandbox.at_least(*facts.sandboxes),
        kept=facts.recoverable_losses,
    )
    if not facts.objections:
        return allowed
    verdict = max(said.verdict for said in facts.objections)
    worst = dict.fromkeys(said.reason for said in facts.objections if said.verdict is verdict)
    reasons = tuple(sorted(worst, key=lambda reason: (*WORST, reason.code).index(reason.code)))
    codes = {said.reason.code for said in facts.objections}
    changed = tuple(dict.fromkeys(content for each in facts.started for content in each.changed))
    each_time = {said.reason.message for said in facts.objections if said.reason.code in NEVER_STORED}
    barred = any(said.verdict is Verdict.DENY and said.reason.code != "rejected" for said in facts.objections)
    exact = None if barred else _exact(case, each_time.union(changed))
    if exact is not None:  # an exact line is listed as well as an entry is
        reason = Reason(exact.code, "exactly this command is allowed", None, exact.entry, exact.source)
        spends = (exact,) if exact.uses is not None else ()
        return allowed._replace(reasons=(reason,), parts=_as_allowed(allowed.parts), spends=spends, kept=())
    from asimi.core.judging.offers import as_now, missing_entries, offers, while_unchanged

    by_entries = facts.unlisted_commands if codes <= MISSING else ()
    offered: Iterable[Offer] = ()
    if verdict is Verdict.ASK and not each_time:
        offered = while_unchanged(request, changed) or offers(request, by_entries, case.budget, case.named)
    asked = allowed._replace(
        verdict=verdict,
        reasons=reasons,
        offers=tuple(each for each in offered if len(case.book.effective_rules(each.rules)) == len(each.rules)),
        needed=missing_entries(request, by_entries, case.named),
        spends=(),
        kept=(),
        voice=max(said.voice for said in facts.objections),
    )
    if verdict is Verdict.ASK and facts.unlisted_commands and terms.enclosure is not None and not facts.beyond:
        asked = _in_sandbox(asked, allowed, case, facts)
    if not changed or asked.verdict is not Verdict.ASK:
        return asked
    told = codes == {"code"} and not any(each.unseen for each in facts.started) and len(reasons) <= MOST_SHOWN
    return asked._replace(changed=changed, confirming=as_now(request, changed) if told else None)


def _parts(facts: Facts) -> tuple[Part, ...]:
    """Each command as it is written, with the strictest verdict on what it becomes."""
    parts: dict[Command, Part] = {}
    for command, verdict, *_ in facts.started:
        origin = command.origin or command
        strictest = max(verdict, parts[origin].verdict) if origin in parts else verdict
        parts[origin] = Part(origin.literals, command.span, command.via, strictest)
    return tuple(parts.values())


def _as_allowed(parts: Iterable[Part]) -> tuple[Part, ...]:
    return tuple(part._replace(verdict=Verdict.ALLOW) for part in parts)


def _exact(case: Case, asked: set[str]) -> Rule | None:
    """The rule for exactly this call that answers all that is asked about it."""
    for rule in case.granted:
        unheld = case.book.terms.behind and rule.sandbox != "off"
        if rule.line == case.line and not unheld and asked.issubset(rule.answers):
            return rule
    return None


def _in_sandbox(asked: Decision, allowed: Decision, case: Case, facts: Facts) -> Decision:
    """The decision that allows the text in a sandbox of its own; the question where that does not answer it."""
    from asimi.core.judging.auto_sandbox import is_answered

    enclosure, commands = case.book.terms.enclosure, [each.command for each in facts.started]
    if not all(
        is_answered(each, case.budget) for each in (*facts.unlisted_commands, *(each.command for each in facts.called))
    ):
        return asked
    assert enclosure is not None
    sandbox = enclosure.sandbox(asked.sandbox, commands, case.budget, writes=facts.writes)
    if isinstance(sandbox, str):
        reasons = tuple(each._replace(message=f"{each.message}; no sandbox: {sandbox}") for each in asked.reasons)
        return asked._replace(reasons=reasons)
    listed = [
        Reason("allowed_in_sandbox", f"nothing lists `{abbreviate(each)}`; it runs in a sandbox", each.span)
        for each in facts.unlisted_commands
    ]
    return allowed._replace(
        reasons=tuple(dict.fromkeys((*listed, *facts.allow_reasons))),
        parts=_as_allowed(asked.parts),
        sandbox=sandbox,
        outside=asked if asked.sandbox.mode == "off" else None,
    )
