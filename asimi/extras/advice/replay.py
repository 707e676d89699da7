"""`asimi policy replay`: judges the calls of the log again and shows what changes; runs nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from asimi.core.call import Decision
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.core.wire import dumps
from asimi.doors.cli.observed import observation_summary
from asimi.doors.cli.parallel import map_in_processes, processes_for
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import fit, is_terminal, out, plural
from asimi.doors.cli.progress import with_progress
from asimi.world.host.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Reason, Request, Verdict

KINDS = ("laxer", "stricter")
"""What is shown one by one, what allows more first."""

MOST = 20
"""Commands of one kind of change that are shown; nobody reads more, and `--json` has all of them."""

LONGEST = 200
"""Characters of a command that are shown."""


class Change(NamedTuple):
    """Equal calls, as they were judged and as they are judged now.

    Attributes:
        request: what they are.
        then: the verdict in the log.
        now: the decision now.
        calls: how many.
    """

    request: Request
    then: Verdict
    now: Decision
    calls: int

    @property
    def kind(self) -> str:
        """`same`, `stricter` or `laxer`."""
        now = self.now.verdict
        return "same" if now is self.then else "stricter" if now > self.then else "laxer"


def changes(
    calls: Mapping[tuple[Request, bool], Mapping[Verdict, int]], decide: Callable[[Request, bool], Decision]
) -> Iterator[Change]:
    """Every call judged again, equal ones once.

    Args:
        calls: requests, with whether an agent runs what is allowed, and how often each got which verdict.
        decide: the decision on such a request.
    """
    for (request, behind), verdicts in calls.items():
        now = decide(request, behind)
        for then, count in verdicts.items():
            yield Change(request, then, now, count)


def replayed(options: Options, since: float | None, *, as_json: bool) -> None:
    """Judge the calls of the log again and print what changes.

    Args:
        options: what the caller chooses.
        since: only what began at this time or later, in seconds since the epoch.
        as_json: whether a line of JSON is printed for each change, and one for the totals.

    Raises:
        AsimiError: the configuration is broken, or the log cannot be read.
    """
    judges = Judges(options)
    calls: defaultdict[tuple[Request, bool], Counter[Verdict]] = defaultdict(Counter)
    totals, lost = Counter[str](), Counter[str]()
    for logged in with_progress(judges.logged_calls(since), "Reading the log"):
        if isinstance(logged, str):
            lost[logged] += 1
        else:
            calls[logged.request, logged.behind][logged.verdict] += 1
    changed: list[Change] = []
    decided = map_in_processes(lambda: calls, lambda call: _decided(judges, *call), processes_for(len(calls)))
    judged = changes(calls, lambda *_: next(decided))
    for change in with_progress(judged, "Judging again", sum(map(len, calls.values()))):
        totals[change.kind] += change.calls
        if change.kind in KINDS:
            changed.append(change)
    groups = _grouped(changed)
    if as_json:
        for row in groups:
            out(dumps(row))
        counts = {kind: totals[kind] for kind in ("same", "stricter", "laxer")}
        out(dumps({"kind": "totals", **counts, "lost": lost.total(), "why": dict(lost)}))
        return
    for kind in KINDS:
        _show(kind, [row for row in groups if row["kind"] == kind])
    said = f"{totals['same']} the same, {totals['stricter']} stricter, {totals['laxer']} laxer"
    out(fit(f"{plural(totals.total() + lost.total(), 'call')}: {said}, {lost.total()} cannot be judged again"))
    for why, count in lost.most_common():
        out(fit(f"  {count} cannot: {why}", indent=4))
    for sentence in observation_summary(options, since):
        out(fit(sentence, indent=0))
    out(fit("Nothing was run. Files and variables count as they are now, and no yes for a session counts."))


def _decided(judges: Judges, request: Request, behind: bool) -> Decision:  # noqa: FBT001 - as a key has it
    """Return as much of the decision on a request as is told of a change; little goes from one process to another."""
    now = judges.decide(request, behind)
    return Decision(now.verdict, now.reasons[:1], sandbox=now.sandbox)


def _grouped(changed: Iterable[Change]) -> list[dict[str, Any]]:
    """Return the changes of each command, as programs read them; the most frequent first."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for change in changed:
        request, now = change.request, change.now
        reason, line = now.reasons[0], line_of(request)
        key = line, request.tool, change.then, now.verdict, reason.rule, reason.source, reason.code
        row = groups.setdefault(key, _row(change, reason, line))
        row["calls"] += change.calls
        if request.place.path not in row["directories"]:
            row["directories"].append(request.place.path)
    return sorted(groups.values(), key=lambda row: -row["calls"])


def _row(change: Change, reason: Reason, line: str) -> dict[str, Any]:
    """Return a change of a command, without its calls."""
    return {
        "kind": change.kind,
        "then": change.then.word,
        "now": change.now.verdict.word,
        "calls": 0,
        "tool": change.request.tool,
        "command": line,
        "directories": [],
        "code": reason.code,
        "message": reason.message,
        "rule": reason.rule,
        "source": reason.source,
        **({} if change.now.sandbox.mode == "off" else {"sandbox": change.now.sandbox.mode}),
    }


def _show(kind: str, rows: list[dict[str, Any]]) -> None:
    """Print the changes of one kind, under what became of them."""
    by_verdicts: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_verdicts[row["then"], row["now"]].append(row)
    for (then, now), some in sorted(by_verdicts.items()):
        out(f"{then} → {now}, {kind}: {plural(sum(row['calls'] for row in some), 'call')}")
        for row in some[:MOST]:
            command = printable(row["command"])
            command = shorten(command, LONGEST, "…") if is_terminal(1) else command
            out(fit(f"{row['calls']:5}  {command}", indent=9))
            out(fit(f"       {printable(_why(row))}", indent=9))
        if len(some) > MOST:
            out(f"       and {plural(len(some) - MOST, 'other command')}; --json shows all")
        out("")


def _why(row: dict[str, Any]) -> str:
    """Return what decides now: the rule and where it is, else the reason in words."""
    if row["source"] is None:
        return str(row["message"])
    held = f" in a sandbox ({row['sandbox']})" if "sandbox" in row else ""
    return f"{row['rule'] or row['message']}{held}  {row['source']}"
