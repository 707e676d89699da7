"""What was found, as one table in Markdown and as one picture."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import NamedTuple

from gates import PRESET, SAME, Gate
from sets import BAD, HARMLESS, SETS, USED, Row

NAMES = {each["folder"]: each["name"] for each in SETS}
COLUMNS = ((BAD, "let through"), (HARMLESS, "asked"), (USED, "asked"))
"""What a set says of rows, and what is counted of them."""

HEADS = {PRESET: "Each in its own best configuration", SAME: "Each with the same list of programs"}


class Judged(NamedTuple):
    """What a gate said.

    Attributes:
        gate: the gate in one configuration.
        version: of its program.
        verdicts: a word for each row, or none if it could not be asked.
        why_not: then, the reason.
    """

    gate: Gate
    version: str | None
    verdicts: list[str]
    why_not: str = ""


class Found(NamedTuple):
    """All that was found.

    Attributes:
        rows: the rows of the sets.
        about: of each set that was read, what is to be said of it.
        judged: what each gate said.
        date: of the day, as ISO 8601 has it.
    """

    rows: list[Row]
    about: dict[str, dict]
    judged: list[Judged]
    date: str

    def places(self, says):
        """The sets that have such rows, in the order of `sets.toml`."""
        have = {row.source for row in self.rows if row.says == says}
        return [each for each in self.about if each in have]

    def counts(self, judged, says, source):
        """How often each verdict was given to such rows of a set."""
        pairs = zip(self.rows, judged.verdicts, strict=True)
        return Counter(word for row, word in pairs if (row.says, row.source) == (says, source))

    def wrong(self, judged, says, source):
        """How many rows of a set had the wrong answer, and of how many: bad let through, others not let through."""
        counts = self.counts(judged, says, source)
        return counts["allow"] if says == BAD else counts.total() - counts["allow"], counts.total()

    def share(self, judged, says):
        """The mean of the sets' shares, each set counting the same; None if there is no such set."""
        parts = [self.wrong(judged, says, source) for source in self.places(says)]
        return sum(wrong / total for wrong, total in parts) / len(parts) if parts else None

    def settled(self, setting):
        """The gates in such configurations that answered."""
        return [each for each in self.judged if each.gate.setting == setting and each.verdicts]


def markdown(found):
    """The table, the choices behind it, what each set counts, and each verdict's count."""
    parts = [f"# Gates of the text, {found.date}", "", "Written by `make gates`. Nothing was executed.", ""]
    for setting in (PRESET, SAME):
        parts += [f"## {HEADS[setting]}", "", *table(found, setting), ""]
    parts += ["The share of a column is the mean of its sets, each counting the same.", "", "## The choices", ""]
    parts += [f"- **{each.gate.name}, {each.gate.label}**: {each.gate.why}" for each in found.judged if each.verdicts]
    left_out = [each for each in found.judged if each.why_not]
    parts += [f"- Left out: {each.gate.name}, {each.gate.label}: {each.why_not}." for each in left_out]
    parts += ["", "## The sets", ""]
    for each in found.about.values():
        known = each["at"] in {None, each["commit"]}
        at = each["commit"][:12] if known else f"{each['at'][:12]}, not the commit of sets.toml"
        about = f"{each['rows']} rows, {at}, {each['licence']}. {each['says']}"
        parts += [f"- [{each['name']}]({each['repository']}), {about}"]
    absent = [each["name"] for each in SETS if each["folder"] not in found.about]
    parts += [f"- Not here: {', '.join(absent)}."] if absent else []
    return "\n".join([*parts, "", "## Every count", "", *details(found), ""])


def table(found, setting):
    """A row a gate: how many rows of each set it got wrong, then the shares."""
    columns = [(says, source) for says, _ in COLUMNS for source in found.places(says)]
    what = dict(COLUMNS)
    totals = [sum((row.says, row.source) == each for row in found.rows) for each in columns]
    heads = [
        f"{NAMES[source]}, {says} {what[says]}, of {of}" for (says, source), of in zip(columns, totals, strict=True)
    ]
    lines = [f"| gate | bad let through | harmless asked | {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) + 2)]
    for each in found.settled(setting):
        cells = [f"**{percent(found.share(each, says))}**" for says in (BAD, HARMLESS)]
        cells += [str(found.wrong(each, says, source)[0]) for says, source in columns]
        lines += [f"| {each.gate.name} {each.version}, {each.gate.label} | {' | '.join(cells)} |"]
    return lines


def percent(share):
    """A share with one digit behind the point."""
    return "—" if share is None else f"{share * 100:.1f} %"


def details(found):
    """How often each verdict was given, for each gate, set and label."""
    lines = ["| gate | set | rows | allowed | asked | denied | broke |", "|---|---|---|---:|---:|---:|---:|"]
    kinds = sorted({(row.source, row.says) for row in found.rows})
    for each in found.judged:
        for source, says in kinds if each.verdicts else ():
            counts = found.counts(each, says, source)
            cells = " | ".join(str(counts[word]) for word in ("allow", "ask", "deny", "broke"))
            gate = f"{each.gate.name}, {each.gate.label}, {each.gate.setting}"
            lines += [f"| {gate} | {NAMES[source]} | {says} | {cells} |"]
    return lines


WIDTH, LEFT, ROW, TOP = 940, 340, 30, 96
MIDDLE, SPAN = LEFT + 280, 240
STYLE = """\
text { font: 14px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; fill: #1f2328 }
.paper { fill: #ffffff } .title { font-size: 20px; font-weight: 600 } .small { font-size: 13px; fill: #59636e }
.part { font-weight: 600 } .bad { fill: #cf222e } .asked { fill: #bf8700 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .paper { fill: #0d1117 } .small { fill: #9198a1 }
  .bad { fill: #f85149 } .asked { fill: #d29922 }
}"""


def picture(found):
    """Bars to the left for what was let through, to the right for what was asked; shorter is better on both sides."""
    parts, top = [], TOP
    for setting in (PRESET, SAME):
        judged = found.settled(setting)
        parts += [f'<text class="part" x="20" y="{top}">{escape(setting.capitalize())}</text>'] if judged else []
        top += 16 if judged else 0
        for each in judged:
            parts += bars(found, each, top)
            top += ROW
        top += 26 if judged else 0
    height = top + 4
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    sides = f'<text class="small" x="{MIDDLE - 8}" y="64" text-anchor="end">bad rows let through</text>'
    sides += f'<text class="small" x="{MIDDLE + 8}" y="64">harmless rows asked</text>'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        "<title>What gates let through, and what they ask</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        '<text class="title" x="20" y="36">What gates let through, and what they ask</text>',
        f'<text class="small" x="20" y="64">Shorter is better, {escape(found.date)}</text>',
        sides,
    ]
    return "\n".join([*head, *parts, "</svg>", ""])


def bars(found, judged, top):
    """One gate: its name, and a bar with its number to each side."""
    name = f"{judged.gate.name} {judged.version}, {judged.gate.label}"
    parts = [f'<text x="{LEFT - 10}" y="{top + 15}" text-anchor="end">{escape(name)}</text>']
    for says, kind in ((BAD, "bad"), (HARMLESS, "asked")):
        share = found.share(judged, says)
        if share is None:
            continue
        width, left = share * SPAN, says == BAD
        start, end = (MIDDLE - width, MIDDLE - width - 6) if left else (MIDDLE, MIDDLE + width + 6)
        parts += [
            f'<rect class="{kind}" x="{start:.1f}" y="{top}" width="{width:.1f}" height="{ROW - 9}"/>',
            f'<text x="{end:.1f}" y="{top + 15}" text-anchor="{"end" if left else "start"}">{percent(share)}</text>',
        ]
    return parts
