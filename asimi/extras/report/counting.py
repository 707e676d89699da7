"""What a log comes to, counted: what ran, what was asked, how long it waited, who answered."""

from __future__ import annotations

import os.path
import re
from array import array
from collections import Counter
from datetime import datetime
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from asimi.core.call import is_probe
from asimi.core.judging.widths import is_task
from asimi.core.programs import find
from asimi.core.values import NamedTuple
from asimi.world.audit.calls import command_of, is_refused_name, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Fields = dict[str, Any]

OUTCOMES = ("free", "yes", "no", "passed", "observed", "refused")
"""What becomes of a call: it ran without a question, or after a yes; it was asked about and got none; it was left to
the agent's own prompt; it was only observed; it was refused without a question."""

ENDS = ("succeeded", "failed", "timed out", "killed", "not started", "not known")
"""How what ran ended; `not known` of what still runs, and of what an agent ran that does not tell."""

STEPS = ((2, "2 s"), (5, "5 s"), (15, "15 s"), (60, "1 min"), (300, "5 min"), (float("inf"), "longer"))
"""The bounds of waiting times in seconds, and their names."""

MOST = 1000
"""Names that are told apart, the newest; calls of any others are counted together under the empty name."""

LONGEST = 120
"""Characters of a name that are kept."""

LATEST = 20
"""Changes of what holds that are kept, the newest."""

FAILED = " failed"
"""The end of what a line says was done, where it says of a change that it was not made."""

_ASKED_ABOUT = re.compile(r"`([^`]+)`")
_ASSIGNS = re.compile(r"[A-Za-z_]\w*=")


class Share(NamedTuple):
    """The calls of a day, an agent, a project, or all.

    Attributes:
        name: whose they are; empty for all, and for the rest of more names than are told apart.
        calls: how many.
        free: how many of them ran without a question.
        yes: how many ran after a yes.
        no: how many were asked about and did not run.
        passed: how many were left to the agent's own prompt.
        observed: how many were only observed.
        refused: how many were refused without a question.
        waited: seconds that their questions waited for an answer.
    """

    name: str
    calls: int
    free: int
    yes: int
    no: int
    passed: int
    observed: int
    refused: int
    waited: float

    @property
    def asked(self) -> int:
        """How many asimi asked about."""
        return self.yes + self.no


class Answers(NamedTuple):
    """What one way to answer has said.

    Attributes:
        by: who said it, as the log has it; `nobody` and `clock` where nobody did.
        yes: how often it was yes.
        no: how often it was no.
        median: seconds within which half of the answers came.
    """

    by: str
    yes: int
    no: int
    median: float


class Reach(NamedTuple):
    """What one name on the network came to.

    Attributes:
        name: the name with its port; empty for the rest of more names than are told apart.
        reached: how many connections there were.
        refused: how many were refused.
        sent: how many bytes went there.
        received: how many came from there.
    """

    name: str
    reached: int
    refused: int
    sent: int
    received: int


class Waits(NamedTuple):
    """How long questions waited for a person.

    Attributes:
        asked: how many.
        median: seconds within which half of them had their answer.
        most: seconds within which nine tenths had.
        longest: seconds of the longest.
        total: seconds of all.
        steps: how many waited as long as each of `STEPS` says, and longer than the one before.
    """

    asked: int
    median: float
    most: float
    longest: float
    total: float
    steps: tuple[int, ...]


class Report(NamedTuple):
    """What a log comes to.

    Attributes:
        first: the time of the first call, as the log has it; empty where there is none.
        last: of the last one.
        whole: all calls.
        days: those of each local day that has any, by its date, the oldest first.
        agents: those of each agent, most calls first.
        projects: those of each project, by its root, most calls first.
        asked: those of each command that was asked about, most questions first; a call with two counts for both.
        answers: who answered, most answers first.
        waits: how long questions waited.
        would_ask: those of each command that was only observed, and that asimi would have stopped, most calls first.
        ended: how many of the calls that ran ended as each of `ENDS` says.
        sandboxed: how many ran in a sandbox.
        beneath: how many executions beneath a call were refused.
        probes: how many calls a doctor tried, which are in no other number.
        changes: how many changes of what holds there were.
        latest: the newest of these as the log has them, the newest first.
        names: the names on the network that boxes reached or were refused, most connections first.
        tasks: the calls that a task allowed, by the task, most calls first.
    """

    first: str
    last: str
    whole: Share
    days: tuple[Share, ...]
    agents: tuple[Share, ...]
    projects: tuple[Share, ...]
    asked: tuple[Share, ...]
    answers: tuple[Answers, ...]
    waits: Waits
    would_ask: tuple[Share, ...]
    ended: tuple[int, ...]
    sandboxed: int
    beneath: int
    probes: int
    changes: int
    latest: tuple[Fields, ...]
    names: tuple[Reach, ...] = ()
    tasks: tuple[Share, ...] = ()


def report_of(calls: Iterable[Fields]) -> Report:
    """Count calls and changes, in any order, as `asimi.world.audit.calls` has them; keeps none of the calls."""
    count = _Count()
    for fields in calls:
        count.add(fields)
    return count.report()


def asked_about(fields: Fields) -> set[str]:
    """Return the commands that a call was asked about, by the words that name them: `npm install`, `python3`.

    Of an agent's own tool for files, its name.
    """
    if "files" in fields:
        return {str(fields.get("tool"))}
    said = (str(reason.get("message")) for reason in fields.get("reasons", ()) if reason.get("code") in _NAMING)
    parts = [match[1] for message in said if (match := _ASKED_ABOUT.search(message))]
    return set(map(_name_of, parts or [command_of(fields)]))


def outcome_of(fields: Fields) -> str:
    """Return what became of a call, one of `OUTCOMES`."""
    if fields["event"] in {"passed", "observed"}:
        return str(fields["event"])
    asked = _by(fields) != "" and (fields.get("verdict") == "ask" or _is_late(fields))
    if fields["event"] in {"start", "file"}:
        return "yes" if asked else "free"
    return "no" if asked else "refused"


def end_of(fields: Fields) -> str:
    """Return how a call that ran ended, one of `ENDS`."""
    end = fields.get("end")
    if end is None:
        return "not known"
    if end.get("outcome"):
        return {"ran": "succeeded", "failed": "failed", "not run": "not started"}.get(end["outcome"], "not known")
    if end.get("failure"):
        return "not started"
    if end.get("timed_out"):
        return "timed out"
    if end.get("signal") is not None:
        return "killed"
    return "not known" if end.get("exit") is None else "failed" if end["exit"] else "succeeded"


def _by(fields: Fields) -> str:
    """Return who answered the question of a call; empty where nobody was asked."""
    by = _cut(fields.get("approval") or {}, "by")
    return "" if by == "policy" else by


def _is_late(fields: Fields) -> bool:
    """Whether a call rests on a yes to itself that was said when it had been refused."""
    return fields.get("verdict") == "allow" and (fields.get("approval") or {}).get("scope") == "once"


_NAMING = frozenset({"unlisted", "rejected", "ask_by_rule"})
"""The codes of reasons whose message names the command between backticks first."""

_NO_ONE = frozenset({"policy", "flag", "nobody"})
"""Who answers without anybody having waited."""


class _Tally:
    """The numbers of a share, while they are counted."""

    __slots__ = ("outcomes", "waited")

    def __init__(self) -> None:
        self.outcomes, self.waited = dict.fromkeys(OUTCOMES, 0), 0.0

    def add(self, outcome: str, waited: float) -> None:
        self.outcomes[outcome] += 1
        self.waited += waited

    def share(self, name: str = "") -> Share:
        free, yes, no, passed, observed, refused = self.outcomes.values()
        waited = round(self.waited, 3)
        return Share(name, sum(self.outcomes.values()), free, yes, no, passed, observed, refused, waited)


class _Answered:
    """The answers that came in one way, while they are counted."""

    __slots__ = ("no", "seconds", "yes")

    def __init__(self) -> None:
        self.yes, self.no, self.seconds = 0, 0, array("d")

    def answers(self, by: str) -> Answers:
        return Answers(by, self.yes, self.no, _within(sorted(self.seconds), 0.5))


class _Tallies(dict[str, _Tally]):
    """Tallies by name, of which there are only so many."""

    def __missing__(self, name: str) -> _Tally:
        if name and len(self) >= MOST:
            return self[""]
        return self.setdefault(name, _Tally())

    def shares(self) -> tuple[Share, ...]:
        """Most calls first."""
        shares = (tally.share(name) for name, tally in self.items())
        return tuple(sorted(shares, key=lambda share: (-share.calls, share.name)))


class _Count:
    """A report, while it is counted."""

    def __init__(self) -> None:
        self.first = self.last = ""
        self.whole, self.days, self.agents, self.projects = _Tally(), _Tallies(), _Tallies(), _Tallies()
        self.asked, self.would_ask, self.tasks = _Tallies(), _Tallies(), _Tallies()
        self.answers: dict[str, _Answered] = {}
        self.waits = array("d")
        self.numbers, self.ended = Counter[str](), Counter[str]()
        self.latest: list[Fields] = []
        self.names: dict[str, list[int]] = {}

    def add(self, fields: Fields) -> None:
        """Count a call or a change."""
        if fields["event"] == "change":
            self._change(fields)
        elif fields["event"] == "network":
            self._name(fields)
        elif is_probe(str(fields.get("session", ""))):
            self.numbers["probes"] += 1
        else:
            self._call(fields)

    def _change(self, fields: Fields) -> None:
        if fields.get("what") == "task proposed":  # which allows nothing
            return
        self.numbers["changes"] += -1 if _failed(fields) else 1  # that one was written down, and not made
        self.latest.append(fields)
        if len(self.latest) > 4 * LATEST:
            self.latest = _newest(self.latest, 2 * LATEST)

    def _name(self, fields: Fields) -> None:
        name = name_of(fields)[:LONGEST]
        counts = self.names.setdefault(name if name in self.names or len(self.names) < MOST else "", [0] * 4)
        for at, key in enumerate(("connections", "connections", "sent", "received")):
            number = fields.get(key, 0)
            if isinstance(number, int) and (at > 1 or (at == 1) is is_refused_name(fields)):
                counts[at] += number

    def _call(self, fields: Fields) -> None:
        when, outcome, waited = str(fields.get("time", "")), outcome_of(fields), self._answer(fields)
        self.first, self.last = min(self.first or when, when), max(self.last, when)
        tallies = self.whole, self.days[_day(when[:16])], self.agents[_cut(fields, "agent")]
        tasks = {_cut(each, "source") for each in fields.get("reasons", ()) if is_task(_cut(each, "source"))}
        for tally in (*tallies, self.projects[_cut(fields, "root")], *(self.tasks[each] for each in tasks)):
            tally.add(outcome, waited)
        if outcome in ("yes", "no", "passed") or (outcome == "observed" and fields.get("verdict") != "allow"):
            names = self.would_ask if outcome == "observed" else self.asked
            for name in asked_about(fields):
                names[name].add(outcome, waited)
        if fields["event"] in {"start", "observed"}:
            self.ended[end_of(fields)] += 1
            self.numbers["sandboxed"] += "sandbox" in fields
        self.numbers["beneath"] += len(fields.get("refused", ()))

    def _answer(self, fields: Fields) -> float:
        """Count who answered a question; the seconds that it waited."""
        by, approval = _by(fields), fields.get("approval") or {}
        given, late = approval.get("seconds", 0), _is_late(fields)
        seconds = float(given) if isinstance(given, (int, float)) else 0.0
        if not by or (fields.get("verdict") == "allow" and not late):  # allowed by an answer to an earlier call
            return 0.0
        if by not in self.answers and len(self.answers) >= MOST:
            by = ""
        answers = self.answers.setdefault(by, _Answered())
        answers.yes += bool(approval.get("yes"))
        answers.no += not approval.get("yes")
        if late:  # the call did not wait for it
            return 0.0
        answers.seconds.append(seconds)
        if by in _NO_ONE:
            return 0.0
        self.waits.append(seconds)
        return seconds

    def report(self) -> Report:
        """Return what has been counted."""
        answers = (
            Answers(by, each.yes, each.no, _within(sorted(each.seconds), 0.5)) for by, each in self.answers.items()
        )
        return Report(
            self.first,
            self.last,
            self.whole.share(),
            tuple(sorted(self.days.shares())),
            self.agents.shares(),
            self.projects.shares(),
            self.asked.shares(),
            tuple(sorted(answers, key=lambda each: (-each.yes - each.no, each.by))),
            _waits_of(self.waits),
            self.would_ask.shares(),
            tuple(self.ended[name] for name in ENDS),
            self.numbers["sandboxed"],
            self.numbers["beneath"],
            self.numbers["probes"],
            self.numbers["changes"],
            tuple(_made(_newest(self.latest, 2 * LATEST))[:LATEST]),
            tuple(
                sorted(
                    (Reach(name, *counts) for name, counts in self.names.items()),
                    key=lambda each: (-each.reached - each.refused, each.name),
                )
            ),
            self.tasks.shares(),
        )


def _waits_of(seconds: array[float]) -> Waits:
    ordered = sorted(seconds)
    steps = Counter(next(number for number, (bound, _) in enumerate(STEPS) if each <= bound) for each in ordered)
    longest = ordered[-1] if ordered else 0.0
    median, most, total = _within(ordered, 0.5), _within(ordered, 0.9), round(sum(ordered), 3)
    return Waits(len(ordered), median, most, longest, total, tuple(steps[number] for number in range(len(STEPS))))


def _within(ordered: list[float], share: float) -> float:
    """Return the least of some numbers that so much of them does not exceed; 0 where there are none."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0.0


def _newest(changes: list[Fields], most: int) -> list[Fields]:
    return sorted(changes, key=lambda each: (str(each.get("time")), each.get("n", 0)), reverse=True)[:most]


def _made(changes: Iterable[Fields]) -> list[Fields]:
    """Return the changes that were made: a line says of one before it that it failed."""
    failed, made = Counter[tuple[object, ...]](), []
    for fields in changes:  # the newest first
        what, *which = (fields.get(name) for name in ("what", "decision", "entry", "file"))
        key = (str(what).removesuffix(FAILED), *which)
        if _failed(fields):
            failed[key] += 1
        elif failed[key]:
            failed[key] -= 1
        else:
            made.append(fields)
    return made


def _failed(fields: Fields) -> bool:
    return str(fields.get("what")).endswith(FAILED)


def _cut(fields: Fields, name: str) -> str:
    return str(fields.get(name) or "")[:LONGEST]


def _name_of(text: str) -> str:
    """Return the words that say what a command does, without the values of variables before it."""
    words = [word for word in text[: 8 * LONGEST].split() if not _ASSIGNS.match(word)] or [text]
    named = [os.path.basename(words[0]) or words[0]]
    row = find(named[0])
    for word in words[1 : 1 + row.names_by] if row is not None else ():
        if word[0] == "-":
            break
        named.append(word)
        row = row.subcommands.get(word) if row is not None else None
        if row is not None and not row.subcommands and word != "run":
            break
    return " ".join(named)[:LONGEST]


@lru_cache(maxsize=4096)
def _day(minute: str) -> str:
    """Return the local date of a minute of the log."""
    try:
        return datetime.fromisoformat(f"{minute}+00:00").astimezone().date().isoformat()
    except ValueError:
        return minute[:10]
