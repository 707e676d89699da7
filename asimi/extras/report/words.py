"""`asimi log report` in words and numbers, whichever way it is drawn."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.doors.cli.base import said_by
from asimi.doors.cli.logged import local
from asimi.extras.report.counting import ENDS, OUTCOMES, STEPS, Share
from asimi.world.host.terminal import short_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from asimi.extras.report.counting import Reach, Report

LABELS = {
    "free": "ran without a question",
    "yes": "ran after a yes",
    "no": "asked, did not run",
    "passed": "left to the agent",
    "observed": "only observed",
    "refused": "refused without a question",
}
"""What the outcomes of a call are called."""

WOULD_ASK = "Your rules would have asked about or denied"
"""What the commands are called that were only observed."""

OTHERS = "all others"
"""The rest of more names than are told apart."""

_ANSWERERS = {"terminal": "the dialog", "clock": "nobody in time", "nobody": "nobody there", "": OTHERS}

ROWS = 12
"""Rows of a table; the rest are counted."""

SCALE = ((86400, "d"), (3600, "h"), (60, "min"))


class Period(NamedTuple):
    """Days that are drawn as one.

    Attributes:
        label: the first of them, and the last where they are several, without the year.
        share: their calls.
    """

    label: str
    share: Share


def span_of(report: Report) -> str:
    """From when to when the calls are, in local time."""
    first, last = (local(moment)[:10] for moment in (report.first, report.last))
    return first if first == last else f"{first} to {last}"


def percent(part: int, whole: int) -> str:
    """Return a share in percent; what is there is never 0."""
    share = 100 * part / whole if whole else 0
    return "< 1 %" if 0 < share < 1 else f"{share:.0f} %"


def duration(seconds: float) -> str:
    """Return how long something took, in one unit."""
    for size, unit in SCALE:
        if seconds >= size:
            return f"{seconds / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 or not seconds else "< 1 s"


def ended(report: Report) -> list[str]:
    """Return what became of what ran, each with its number; what did not happen is left out."""
    numbers = [*zip(ENDS, report.ended, strict=True), ("in a sandbox", report.sandboxed)]
    numbers.append(("executions refused beneath a call", report.beneath))
    return [f"{number:,} {what}" for what, number in numbers if number]


def labels(report: Report) -> dict[str, str]:
    """Return what the outcomes are called that a report can have: most people never let asimi only observe."""
    return {name: label for name, label in LABELS.items() if name != "observed" or report.whole.observed}


def asked(share: Share) -> tuple[str, ...]:
    """Return how often a command was asked about, got a yes, a no, was left to the agent, and how long it waited."""
    return *map("{:,}".format, (share.calls, share.yes, share.no, share.passed)), duration(share.waited)


def answers(report: Report) -> list[tuple[str, str, str, str]]:
    """Return who answered most, how often yes and no, and how soon half of the answers came."""
    return [
        (
            _ANSWERERS.get(each.by) or said_by(each.by),
            f"{each.yes:,}",
            f"{each.no:,}",
            "" if each.by in ("flag", "nobody") else duration(each.median),
        )
        for each in report.answers[:10]
    ]


def reached(name: Reach) -> tuple[str, ...]:
    """Return how often a name was reached and refused, and how much went each way."""
    return f"{name.reached:,}", f"{name.refused:,}", size(name.sent), size(name.received)


def size(number: int) -> str:
    """Return how many bytes there were, in one unit."""
    for unit, worth in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if number >= worth:
            return f"{number / worth:.1f} {unit}"
    return f"{number} B"


def waits(report: Report) -> list[tuple[str, int]]:
    """Return how many questions waited for a person how long, in steps."""
    steps = [label if label == "longer" else f"up to {label}" for _, label in STEPS]
    return list(zip(steps, report.waits.steps, strict=True))


def waited(report: Report) -> str:
    """Return how long questions waited, in words."""
    times = report.waits
    half, nine, longest, total = map(duration, (times.median, times.most, times.longest, times.total))
    return f"Half {half}, nine tenths {nine}, the longest {longest}, all together {total}"


def shared(share: Share) -> tuple[str, ...]:
    """Return how many calls an agent or a project had, were asked about and refused, and how long they waited."""
    return *map("{:,}".format, (share.calls, share.asked + share.passed, share.refused)), duration(share.waited)


def project(root: str) -> str:
    """Return a project's root, for people."""
    return short_path(root) if root else "in no project"


def rows(shares: Sequence[Share]) -> tuple[Share, ...]:
    """As many as a table shows, and the rest as one."""
    if len(shares) <= ROWS:
        return tuple(shares)
    return (*shares[: ROWS - 1], _sum(OTHERS, shares[ROWS - 1 :]))


def periods(days: Sequence[Share], most: int) -> list[Period]:
    """Return all days from the first to the last, in at most so many periods of equal length."""
    try:
        dates = {date.fromisoformat(share.name): share for share in days}
    except ValueError:  # a time that asimi did not write
        return [Period(share.name, share) for share in days[-most:]]
    if not dates:
        return []
    first, last = min(dates), max(dates)
    size = -(-((last - first).days + 1) // most)
    found = []
    while first <= last:
        end = min(first + timedelta(size - 1), last)
        label = f"{first:%m-%d}" if end == first else f"{first:%m-%d} to {end:%m-%d}"
        found.append(Period(label, _sum("", [share for day, share in dates.items() if first <= day <= end])))
        first += timedelta(size)
    return found


def counts(share: Share) -> dict[str, int]:
    """Return how many calls had each outcome."""
    return {name: getattr(share, name) for name in OUTCOMES}


def as_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON has it."""
    many = {name: [each._asdict() for each in getattr(report, name)] for name in _TUPLES}
    whole = report.whole._asdict() | {"name": None}
    ended = dict(zip(ENDS, report.ended, strict=True))
    return report._asdict() | many | {"whole": whole, "waits": report.waits._asdict(), "ended": ended}


_TUPLES = ("days", "agents", "projects", "asked", "would_ask", "answers", "names", "tasks")


def _sum(name: str, shares: Sequence[Share]) -> Share:
    numbers = [sum(column) for column in zip(*(share[1:] for share in shares), strict=True)] or [0] * 8
    return Share(name, *numbers)
