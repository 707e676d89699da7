"""`asimi policy suggest`: proposes rules for what a person said yes to, and adds those that they take."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from asimi.compose import places
from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.policy import MISSING
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.core.wire import dumps
from asimi.core.wording.adding import add_command
from asimi.core.wording.breadth import breadth
from asimi.doors.cli.observed import observation_summary
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import fit, is_terminal, out, plural, quote_words
from asimi.doors.cli.progress import with_progress
from asimi.doors.cli.require_person import choose_word
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of, says_it_asks
from asimi.extras.advice.proposals import Left, Open, Suggesting, is_no, is_yes
from asimi.world.audit.reading import broken_since, records
from asimi.world.config.rule_tables import table_of
from asimi.world.config.store import RuleStore
from asimi.world.host.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Request
    from asimi.extras.advice.proposals import Proposal

MOST = 10
"""Calls for which nothing is proposed that are shown."""

LONGEST = 100
"""Characters of a call that is shown."""

Calls = Counter[tuple["Request", bool]]


YOURS = "that had your yes"
PASSED = "that an agent asked about and ran, not known to be your yes"
"""Which calls proposals are made from, in words."""


def suggested(options: Options, since: float, *, as_json: bool, passed: bool) -> None:
    """Print proposals, and put each to the person at the terminal if there is one.

    Args:
        options: what the caller chooses.
        since: only what began at this time or later, in seconds since the epoch.
        as_json: whether to print a line of JSON for each, and ask nobody.
        passed: whether to propose from what agents asked about by their own prompts and then ran, in place of what had
            the person's yes.

    Raises:
        AsimiError: the configuration is broken, or the log cannot be read or is not what was written.
    """
    judges = Judges(options)
    if (fault := broken_since(places().state, since)) is not None:
        raise AsimiError(
            f"{printable(str(fault))}. What changed the log could also have written a yes of yours, so nothing is "
            "proposed from it. `asimi log verify` shows all such places; --since leaves out what is before them"
        )
    said = _said(judges, since)
    if passed:
        ran, not_run = _passed(judges, since)
        said = said._replace(yes=ran, no=said.no + not_run)
    asked, refused, missed = (_opened(judges, each) for each in (said.yes, said.no, said.unanswered))
    look = Suggesting(asked, refused, missed, lambda root, behind: judges.policy(root, behind=behind))
    proposals, left = look.proposals()
    totals = {"yes": said.yes.total(), "answered": sum(each.calls for each in asked) - sum(each.calls for each in left)}
    left += _beyond_rules(judges, said.yes.keys() - {(each.request, each.behind) for each in asked}, said.yes)
    totals["allowed"] = totals["yes"] - totals["answered"] - sum(each.calls for each in left)
    totals |= {"lost": said.lost, "to_agents": said.to_agents}
    if as_json:
        _print_json(judges, proposals, left, totals)
        return
    for number, proposal in enumerate(proposals, 1):
        _show(judges, number, proposal, PASSED if passed else YOURS)
    _show_left(left)
    _show_totals(totals, passed=passed)
    for sentence in observation_summary(options, since):
        out(fit(sentence, indent=0))
    if proposals and is_terminal(0) and is_terminal(1):
        _ask(options, judges, proposals)


class _Said(NamedTuple):
    """The answers that calls got.

    Attributes:
        yes: those that a person said yes to.
        no: those that were denied or refused, or that a person wanted another one in place of.
        unanswered: those that nobody answered.
        lost: how many cannot be judged again.
        to_agents: how many questions were left to an agent's own prompt.
    """

    yes: Calls
    no: Calls
    unanswered: Calls
    lost: int
    to_agents: int


def _said(judges: Judges, since: float) -> _Said:
    """Return what was said to the calls of the log since a time."""
    yes, no, unanswered = Calls(), Calls(), Calls()
    lost = to_agents = 0
    for fields, logged in with_progress(judges.fields_logged(since), "Reading the log"):
        if isinstance(logged, str):
            lost += 1
            continue
        call = logged.request, logged.behind
        if is_yes(logged):
            yes[call] += 1
        elif is_no(logged):
            no[call] += 1
        elif logged.by and not logged.yes:
            unanswered[call] += 1
        elif fields.get("event") == "passed":
            to_agents += 1
        if logged.sent is not None:
            no[logged.sent, logged.behind] += 1
    for call in yes.keys() & unanswered.keys():  # nobody answered at first, and the person did afterwards
        del unanswered[call]
    return _Said(yes, no, unanswered, lost, to_agents)


def _passed(judges: Judges, since: float) -> tuple[Calls, Calls]:
    """Return what agents that say that they ask were left to ask about: what ran as it was judged, and what did not."""
    became: defaultdict[str, set[Any]] = defaultdict(set)
    for each in records(places().state, since=since):
        if each.get("event") == "end" and "command" not in each:
            became[str(each.get("outcome"))].add(each.get("id"))
    ran, not_run, asks = Calls(), Calls(), {name for name in AGENTS if says_it_asks(agent_of(name))}
    for fields, logged in judges.fields_logged(since):
        if isinstance(logged, str) or fields.get("event") != "passed" or fields.get("agent") not in asks:
            continue
        for calls, outcome in ((ran, "ran"), (not_run, "not run")):
            if fields.get("id") in became[outcome]:
                calls[logged.request, logged.behind] += 1
    return ran, not_run


def _show_totals(totals: dict[str, int], *, passed: bool) -> None:
    """Print how many calls the proposals would have answered, and what is not known."""
    more = f": {totals['allowed']:,} allowed by now, {totals['answered']:,} more by these rules"
    calls = plural(totals["yes"], "call")
    if passed:
        calls = f"{calls} {PASSED}{more}" if totals["yes"] else f"No call {PASSED}."
        out(fit(calls))
    else:
        out(fit(f"{calls} had your yes{more}" if totals["yes"] else "No call had your yes."))
    if totals["lost"]:
        unknown = "cannot be judged again; if you refused one of them, these rules may allow it"
        out(fit(f"{plural(totals['lost'], 'call')} {unknown}"))
    if totals["to_agents"]:
        unknown = "left to an agent's own prompt, whose answer asimi does not know"
        rest = "" if passed else "; --passed proposes rules from those that ran"
        out(fit(f"{plural(totals['to_agents'], 'question')} {unknown}{rest}"))


def _opened(judges: Judges, calls: Calls) -> list[Open]:
    """Return the calls that rules would answer now."""
    found = []
    for (request, behind), count in with_progress(calls.items(), "Judging again", len(calls)):
        commands = judges.policy(request.place.root, behind=behind).unlisted_with_answers(request)
        if commands:
            found.append(Open(request, behind, count, commands))
    return found


def _beyond_rules(judges: Judges, keys: Iterable[tuple[Request, bool]], calls: Calls) -> list[Left]:
    """Return the calls that are asked about for more than that no rule allows their commands."""
    found = []
    for request, behind in keys:
        decision = judges.decide(request, behind)
        if decision.verdict is not Verdict.ALLOW:
            reason = next((each for each in decision.reasons if each.code not in MISSING), decision.reasons[0])
            found.append(Left(f"no such rule answers it: {reason.message}", calls[request, behind], line_of(request)))
    return sorted(found, key=lambda each: -each.calls)


def _print_json(judges: Judges, proposals: list[Proposal], left: list[Left], totals: dict[str, int]) -> None:
    """Print everything for programs."""
    for each in proposals:
        fields = each._asdict() | {"rules": [table_of(rule) for rule in each.rules], "add": _adding(judges, each)}
        out(dumps({"kind": "proposal", **fields}))
    for rest in left:
        out(dumps({"kind": "left", **rest._asdict()}))
    out(dumps({"kind": "totals", **totals}))


def _show(judges: Judges, number: int, proposal: Proposal, which: str) -> None:
    """Print a proposal, what it would have answered, and how to add it."""
    where = "everywhere" if proposal.root is None else f"in {proposal.root}"
    out(fit(f"{number}  {where}, for {plural(proposal.calls, 'call')} {which}", indent=3))
    for rule in proposal.rules:
        out(fit(f"   {printable(rule.entry)}", indent=7))
        out(fit(f"       {printable(breadth(rule))}", indent=7))
    for line in proposal.examples:
        out(fit(f"   such as  {_short(line)}", indent=12))
    if proposal.unanswered:
        more = f", {len(proposal.unanswered) - 1} more" if len(proposal.unanswered) > 1 else ""
        out(fit(f"   CAREFUL  it also allows what nobody answered: {_short(proposal.unanswered[0])}{more}", indent=12))
    if proposal.unseen:
        out(fit(f"   then     {_trusting(judges, proposal)}", indent=12))
    out(fit(f"   add it   {_adding(judges, proposal)}", indent=12))
    out("")


def _show_left(left: list[Left]) -> None:
    """Print the calls for which nothing is proposed."""
    if left:
        out("Nothing is proposed for")
    for each in left[:MOST]:
        out(fit(f"{each.calls:5}  {_short(each.example)}", indent=9))
        out(fit(f"       {printable(each.why)}", indent=9))
    if len(left) > MOST:
        out(f"       and {len(left) - MOST} more; --json shows all")
    if left:
        out("")


def _ask(options: Options, judges: Judges, proposals: list[Proposal]) -> None:
    """Put each proposal to the person, and add those that they take."""
    out(fit("For each of them: y adds it, n does not, a adds it and all behind it, q ends."))
    answer = ""
    for number, proposal in enumerate(proposals, 1):
        if answer != "all":
            answer = choose_word(f"Add number {number}?", ("yes", "no", "all", "quit"))
        if answer == "quit":
            break
        if answer in {"yes", "all"}:
            _add(options, judges, proposal)


def _add(options: Options, judges: Judges, proposal: Proposal) -> None:
    """Keep the rules of a proposal where `policy add` would, and write that down."""
    root = proposal.root
    configuration = judges.configuration if root in {None, judges.root} else configuration_of(options, root=root)
    store = RuleStore(configuration)
    file = store.place_of_entries(project=root is not None)
    common = {"file": file, "by": "terminal"}
    said = [{"decision": rule.verdict.word, "entry": rule.entry, **common} for rule in proposal.rules]
    with log_of(configuration).write_changes("policy suggest", *said):
        store.remember(proposal.rules, project=root is not None)
    for rule in proposal.rules:
        out(fit(f"{rule.verdict.word}  {printable(rule.entry)}  ({file})"))
    if proposal.unseen:
        out(fit(f"next  {_trusting(judges, proposal)}"))


def _adding(judges: Judges, proposal: Proposal) -> str:
    """Return the command that adds a proposal."""
    return quote_words([*add_command(proposal.rules), *_placed(judges, proposal)])


def _placed(judges: Judges, proposal: Proposal) -> list[str]:
    """Return the options that say where a proposal holds."""
    if proposal.root is None:
        return []
    return ["--project", *(["--root", proposal.root] if proposal.root != judges.root else [])]


def _trusting(judges: Judges, proposal: Proposal) -> str:
    """Return what confirms the checks of a proposal, in words."""
    words = ["asimi", "trust", *_placed(judges, proposal)[1:]]
    return f"{quote_words(words)}  confirms these checks, which are asked about until then"


def _short(line: str) -> str:
    """Return a call in one short line."""
    return shorten(printable(line), LONGEST, "…")
