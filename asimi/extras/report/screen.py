"""The report as a terminal shows it: tables, and bars whose signs say without colour what they count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asimi.core.wording.visible import visible
from asimi.doors.cli.logged import lines_of
from asimi.doors.cli.pages import text_of
from asimi.doors.cli.printing import plural
from asimi.extras.report import words
from asimi.world.host.terminal import ROOMY, columns, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.console import RenderableType

    from asimi.core.wording.visible import Display
    from asimi.extras.report.counting import Report, Share

SIGNS = {"free": "░.", "yes": "█#", "no": "▓-", "passed": "▒~", "observed": "┃|", "refused": "Xx"}
"""What a bar is drawn with, in Unicode and in ASCII."""

COLOURS = {"free": "blue", "yes": "green", "no": "yellow", "passed": "magenta", "observed": "cyan", "refused": "red"}

PERIODS = 15
"""Rows of the chart of days."""


def drawn(report: Report, look: Display) -> str:
    """Return the report, fitted to a terminal.

    Args:
        report: the report.
        look: what the terminal can show.
    """
    return text_of(Group(*_Screen(report, look).parts()), look, highlight=False)


class _Screen:
    """The parts of a report on one terminal."""

    def __init__(self, report: Report, look: Display) -> None:
        self.report, self.look = report, look
        self.roomy = look.width >= ROOMY

    def parts(self) -> Iterable[RenderableType]:
        """Yield all of them, from what matters most."""
        whole = self.report.whole
        yield Text(
            f"{plural(whole.calls, 'call')}, {words.span_of(self.report)}" if whole.calls else "No calls.", "bold"
        )
        if whole.calls:
            yield from self._ran()
            yield from self._days()
            yield from self._asked()
            yield from self._would_ask()
            yield from self._answered()
            yield from self._shares("Agents", self.report.agents, str)
            yield from self._shares("Projects", self.report.projects, words.project)
            if self.report.tasks:
                yield from self._shares("Tasks", self.report.tasks, str)
        yield from self._names()
        yield from self._changes()

    def _ran(self) -> Iterable[RenderableType]:
        whole = self.report.whole
        table = self._table("", ">", ">", "")
        counts = words.counts(whole)
        for name, label in words.labels(self.report).items():
            number = counts[name]
            bar = self._bar({name: number}, max(counts.values()))
            table.add_row(label, f"{number:,}", words.percent(number, whole.calls), bar)
        yield from self._titled("What ran", table)
        became = words.ended(self.report)
        yield Text(f"  Of what ran: {', '.join(became)}") if became else Text("  Nothing ran.")

    def _days(self) -> Iterable[RenderableType]:
        shown = words.periods(self.report.days, PERIODS)
        most = max(period.share.calls for period in shown)
        table = self._table("", ">", "")
        for label, share in shown:
            table.add_row(label, f"{share.calls:,}", self._bar(words.counts(share), most))
        yield from self._titled("Calls by day", table)

    def _asked(self) -> Iterable[RenderableType]:
        if not self.report.asked:
            return
        heads = ("asked", "yes", "no", "passed", "waited") if self.roomy else ("asked", "yes", "no")
        table = self._table("", *(f">{head}" for head in heads))
        for share in words.rows(self.report.asked):
            table.add_row(self._name(share.name), *words.asked(share)[: len(heads)])
        yield from self._titled("Asked most", table)

    def _would_ask(self) -> Iterable[RenderableType]:
        if not self.report.would_ask:
            return
        table = self._table("", ">calls")
        for share in words.rows(self.report.would_ask):
            table.add_row(self._name(share.name), f"{share.calls:,}")
        yield from self._titled(words.WOULD_ASK, table)

    def _answered(self) -> Iterable[RenderableType]:
        report = self.report
        if report.answers:
            table = self._table("", ">yes", ">no", ">half within")
            for who, *numbers in words.answers(report):
                table.add_row(self._name(who), *numbers)
            yield from self._titled("Who answered", table)
        if report.waits.asked:
            table = self._table(">", ">", "")
            for label, number in words.waits(report):
                table.add_row(label, f"{number:,}", self._bar({"yes": number}, max(report.waits.steps)))
            yield from self._titled("How long questions waited", table)
            yield Text(f"  {words.waited(report)}")

    def _shares(self, title: str, shares: Sequence[Share], named: Callable[[str], str]) -> Iterable[RenderableType]:
        heads = ("calls", "asked", "refused", "waited") if self.roomy else ("calls", "asked")
        table = self._table("", *(f">{head}" for head in heads))
        for share in words.rows(shares):
            table.add_row(
                self._name(named(share.name), tail=named is words.project), *words.shared(share)[: len(heads)]
            )
        yield from self._titled(title, table)

    def _names(self) -> Iterable[RenderableType]:
        if not self.report.names:
            return
        heads = ("reached", "refused", "sent", "received") if self.roomy else ("reached", "refused")
        table = self._table("", *(f">{head}" for head in heads))
        for each in self.report.names[: words.ROWS]:
            table.add_row(self._name(each.name or words.OTHERS), *words.reached(each)[: len(heads)])
        more = len(self.report.names) - words.ROWS
        yield from self._titled(f"Names on the network{f', and {more} more' if more > 0 else ''}", table)

    def _changes(self) -> Iterable[RenderableType]:
        if self.report.changes:
            shown = self.report.latest[:5]
            lines = [lines_of(each, why=False, width=self.look.width - 2) for each in reversed(shown)]
            text = Text("\n".join(f"  {line}" for each in lines for line in each.split("\n")))
            few = f", the last {len(shown)}" if self.report.changes > len(shown) else ""
            yield from self._titled(f"Changes of what is allowed: {self.report.changes:,}{few}", text)

    def _titled(self, title: str, part: RenderableType) -> Iterable[RenderableType]:
        yield Text(f"\n{title}", "bold")
        yield part

    def _table(self, *heads: str) -> Table:
        """Return a table whose heads begin with `>` where their columns hold numbers."""
        titles = [head.lstrip(">") for head in heads]
        table = Table(box=None, padding=(0, 0, 0, 2), show_header=any(titles), header_style="")
        for number, (head, title) in enumerate(zip(heads, titles, strict=True)):
            table.add_column(
                title, justify="right" if head[:1] == ">" else "left", no_wrap=bool(number), overflow="fold"
            )
        return table

    def _name(self, text: str, *, tail: bool = False) -> str:
        """Return a name of the log, as far as it fits beside numbers; of a path the end."""
        room = max(self.look.width - (46 if self.roomy else 24), 12)
        shown = visible(text, ascii_only=not self.look.unicode)
        dots = "…" if self.look.unicode else "..."
        if not tail or columns(shown) <= room:
            return shorten(shown, room, dots)
        while columns(dots + shown) > room:
            shown = shown[1:]
        return dots + shown

    def _bar(self, numbers: dict[str, int], most: int) -> Text:
        """Numbers side by side, as long as they are of the most; what is there is seen."""
        bar, room = Text(no_wrap=True), 30 if self.roomy else 10
        if self.look.plain:
            return bar
        for name, number in numbers.items():
            length = max(round(room * number / most), 1) if number and most else 0
            bar.append(SIGNS[name][not self.look.unicode] * length, COLOURS[name])
        bar.truncate(room + 4)
        return bar
