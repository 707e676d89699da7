"""The report as one page for a browser, which needs nothing else and runs nothing.

The page has no script and asks for nothing over a network, and says so in a content policy; its one style sheet is
allowed by its hash. Charts are SVG in the page. Whatever comes from the log goes through `_shown`, which names what
cannot be seen and escapes the rest.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from asimi.core.wording.visible import pieces
from asimi.doors.cli.logged import lines_of, local
from asimi.doors.cli.printing import plural
from asimi.extras.report import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from asimi.extras.report.counting import Report, Share

PERIODS = 45
"""Columns of the chart of days."""

LONGEST = 300
"""Characters of a text of the log that are shown."""

WIDTH, HEIGHT, BASE = 900, 220, 190
"""The size of the chart of days, and where its columns stand."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fbfbfa; --card: #fff; --ink: #1c1e21; --soft: #5c636b; --line: #e2e4e6;
  --free: #9fb4c7; --yes: #2f8f6b; --no: #d9902f; --passed: #8a6fc0; --observed: #4f9fb5;
  --refused: #c8443c; --mark: #fde7c2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #141619; --card: #1c1f23; --ink: #e8eaec; --soft: #9aa2ab; --line: #31363c;
    --free: #56687a; --yes: #3fae85; --no: #e0a24a; --passed: #a58ddb; --observed: #5fb3c9;
    --refused: #e2665e; --mark: #5a4315;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3rem); max-width: 70rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
h1 { margin: 0; font-size: clamp(1.7rem, 5vw, 2.5rem); line-height: 1.15; letter-spacing: -.02em; }
h2 { margin: 0 0 .9rem; font-size: 1.05rem; }
p { margin: .4rem 0; }
.over, .soft, figcaption, footer { color: var(--soft); }
.over { margin: 0 0 .3rem; font-size: .85rem; font-weight: 600; }
section { margin-top: 1.25rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; }
.plain { padding: 0; background: none; border: 0; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1.25rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 1.1rem 0; }
dl div { padding-left: .8rem; border-left: 4px solid var(--line); }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.3; }
dd small { color: var(--soft); font-size: .85rem; font-weight: 400; white-space: nowrap; }
div.free { border-color: var(--free); } div.yes { border-color: var(--yes); } div.no { border-color: var(--no); }
div.passed { border-color: var(--passed); } div.observed { border-color: var(--observed); }
div.refused { border-color: var(--refused); }
svg { display: block; }
svg .free { fill: var(--free); } svg .yes { fill: var(--yes); } svg .no { fill: var(--no); }
svg .passed { fill: var(--passed); } svg .observed { fill: var(--observed); } svg .refused { fill: var(--refused); }
svg text { fill: var(--soft); font-size: 13px; } svg line { stroke: var(--line); }
figure { margin: 0; } figcaption { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .85rem; }
figcaption span { display: inline-flex; align-items: center; gap: .4rem; }
.chart { width: 100%; min-width: 38rem; height: auto; }
.bar { width: 100%; min-width: 5rem; height: .75rem; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--passed); outline-offset: 3px; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th { color: var(--soft); font-weight: 500; text-align: left; white-space: nowrap; }
th, td { padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
tr:last-child td, tr:last-child th { border-bottom: 0; }
tbody th { color: inherit; font-weight: 400; }
.number { text-align: right; white-space: nowrap; }
.when { width: 1%; white-space: nowrap; }
.wide { width: 40%; }
code { font: .88em/1.45 ui-monospace, monospace; unicode-bidi: isolate; overflow-wrap: anywhere; white-space: normal; }
tbody th code { display: block; min-width: 7rem; max-width: 26rem; }
mark { padding: 0 .15em; background: var(--mark); color: inherit; border-radius: .2em; }
@media (max-width: 34rem) { .many .wide { display: none; } section { padding: 1rem; } }
footer { margin-top: 2rem; font-size: .85rem; }
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --mark: #fde7c2;
    --free: #9fb4c7; --yes: #2f8f6b; --no: #d9902f; --passed: #8a6fc0; --observed: #4f9fb5;
    --refused: #c8443c; }
  body { padding: 0; max-width: none; font-size: 11pt; }
  section { break-inside: avoid; padding: .5rem 0; border-width: 1px 0 0; border-radius: 0; }
  .scroll { overflow: visible; } .chart { min-width: 0; }
  svg, div { print-color-adjust: exact; }
}
"""

POLICY = "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'"


def page(report: Report, made: str, observed: Sequence[str] = ()) -> str:
    """Return the whole page.

    Args:
        report: the report.
        made: by what and when the page was made, for its end.
        observed: what is said of calls that were only observed.
    """
    policy = POLICY.format(b64encode(sha256(STYLE.encode()).digest()).decode())
    calls = plural(report.whole.calls, "call") if report.whole.calls else "No calls"
    span = words.span_of(report) if report.whole.calls else ""
    body = "\n".join(_body(report)) if report.whole.calls else _changes(report)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>asimi: {_plain(f"{calls} {span}")}</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<p class="over">asimi log report</p>
<h1>{_plain(calls)}</h1>
<p class="soft">{_plain(span)}</p>
{"".join(f"<p>{_plain(sentence)}</p>" for sentence in observed)}
</header>
<main>
{body}
</main>
<footer>
<p>{_plain(made)} Times are those of this machine. What is not there to be seen in a text is named and
<mark>marked</mark>. The page shows commands and paths of the log, without the secrets that asimi recognised: keep it
as private as the log.</p>
</footer>
</body>
</html>
"""


def _body(report: Report) -> Iterable[str]:
    """Yield the parts of a report that has calls, from what matters most."""
    yield _ran(report)
    yield _section("Calls by day", _days(report))
    if report.asked:
        yield _section("Asked most", _asked(report))
    if report.would_ask:
        found = [(_shown(each.name), f"{each.calls:,}") for each in words.rows(report.would_ask)]
        yield _section(words.WOULD_ASK, _table(words.WOULD_ASK, ("command", "calls"), found, barred=False))
    if report.answers:
        yield f'<div class="two">{_section("Who answered", _answers(report))}{_waits(report)}</div>'
    yield _section("Agents", _shares("agent", report.agents, str))
    yield _section("Projects", _shares("project", report.projects, words.project))
    if report.tasks:
        yield _section("Tasks", _shares("task", report.tasks, str))
    if report.names:
        yield _section("Names on the network", _names(report))
    yield _changes(report)


def _ran(report: Report) -> str:
    """Return what became of the calls: in numbers, and as one bar."""
    whole, numbers = report.whole, words.counts(report.whole)
    cells = "".join(
        f'<div class="{name}"><dt>{label}</dt>'
        f"<dd>{numbers[name]:,} <small>{escape(words.percent(numbers[name], whole.calls))}</small></dd></div>"
        for name, label in words.labels(report).items()
    )
    became = words.ended(report)
    said = f'<p class="soft">Of what ran: {", ".join(became)}.</p>' if became else ""
    return f'<section class="plain" aria-label="What ran">{_bar(numbers, whole.calls)}<dl>{cells}</dl>{said}</section>'


def _days(report: Report) -> str:
    """Return a column for each period, its outcomes on top of each other."""
    shown = words.periods(report.days, PERIODS)
    most = max(period.share.calls for period in shown)
    step = (WIDTH - 60) / len(shown)
    parts = []
    for mark in (most, most / 2):
        y = BASE - 170 * mark / most
        parts.append(f'<line x1="50" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="42" y="{y + 4:.1f}" text-anchor="end">{mark:,.0f}</text>')
    for number, (label, share) in enumerate(shown):
        x, y = 55 + number * step, float(BASE)
        parts.append(f"<g><title>{_plain(label)}: {_said(share)}</title>")
        for name, count in words.counts(share).items():
            height = 170 * count / most
            y -= height
            if count:
                size = f'x="{x:.1f}" y="{y:.1f}" width="{max(step * 0.8, 1):.1f}" height="{height:.1f}"'
                parts.append(f'<rect class="{name}" {size}/>')
        parts.append("</g>")
        if not number % (-(-len(shown) // 8)):
            parts.append(f'<text x="{x:.1f}" y="{BASE + 20}">{_plain(label.split(" ")[0])}</text>')
    parts.append(f'<line x1="50" x2="{WIDTH}" y1="{BASE}" y2="{BASE}"/>')
    chart = f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Calls by day">'
    legend = "".join(f"<span>{_swatch(name)}{label}</span>" for name, label in words.labels(report).items())
    drawn = _scroll("Calls by day", f"{chart}{''.join(parts)}</svg>")
    return f"<figure>{drawn}<figcaption>{legend}</figcaption></figure>"


def _asked(report: Report) -> str:
    most = max(share.calls for share in report.asked)
    found = [
        (
            _shown(share.name),
            _bar({"yes": share.yes, "no": share.no, "passed": share.passed}, most),
            *words.asked(share),
        )
        for share in words.rows(report.asked)
    ]
    return _table("Asked most", ("command", "", "asked", "yes", "no", "left to the agent", "waited"), found)


def _names(report: Report) -> str:
    found = [(_shown(each.name or words.OTHERS), *words.reached(each)) for each in report.names[: 4 * words.ROWS]]
    return _table("Names on the network", ("name", "reached", "refused", "sent", "received"), found, barred=False)


def _answers(report: Report) -> str:
    found = [(_shown(who), *numbers) for who, *numbers in words.answers(report)]
    return _table("Who answered", ("who", "yes", "no", "half within"), found, barred=False)


def _waits(report: Report) -> str:
    """Return how long questions waited for a person; nothing where none did."""
    if not report.waits.asked:
        return ""
    most = max(report.waits.steps)
    found = [(label, _bar({"yes": number}, most), f"{number:,}") for label, number in words.waits(report)]
    table = _table("How long questions waited", ("", "", "questions"), found)
    return _section("How long questions waited", f'{table}<p class="soft">{escape(words.waited(report))}.</p>')


def _shares(head: str, shares: Sequence[Share], named: Callable[[str], str]) -> str:
    most = max(share.calls for share in shares)
    found = [
        (_shown(named(share.name)), _bar(words.counts(share), most), *words.shared(share))
        for share in words.rows(shares)
    ]
    return _table(f"By {head}", (head, "", "calls", "asked", "refused", "waited"), found)


def _changes(report: Report) -> str:
    """Return the latest changes of what is allowed; nothing where there were none."""
    if not report.changes:
        return ""
    found = []
    for fields in report.latest:
        when = local(str(fields.get("time")))
        said = lines_of(fields, why=False, width=None).removeprefix(when).strip()
        found.append(f'<tr><td class="when">{_plain(when[:19])}</td><td>{_shown(said)}</td></tr>')
    few = f", the last {len(found)}" if report.changes > len(found) else ""
    table = _scroll("Changes", f"<table><tbody>{''.join(found)}</tbody></table>")
    return _section(f"Changes of what is allowed: {report.changes:,}{few}", table)


def _section(title: str, content: str) -> str:
    return f"<section><h2>{_plain(title)}</h2>{content}</section>"


def _table(name: str, heads: Sequence[str], found: Iterable[Sequence[str]], *, barred: bool = True) -> str:
    """Return a table that scrolls in itself; its cells are HTML: a name, a bar where `barred`, then numbers."""
    bars = 2 if barred else 1
    kinds = (
        ["", ' class="wide"', *[' class="number"'] * len(heads)] if barred else ["", *[' class="number"'] * len(heads)]
    )
    titles = "".join(f'<th scope="col"{kind}>{_plain(head)}</th>' for head, kind in zip(heads, kinds, strict=False))
    lines = []
    for row in found:
        rest = "".join(f'<td class="number">{escape(cell)}</td>' for cell in row[bars:])
        bar = f"<td{kinds[1]}>{row[1]}</td>" if barred else ""
        lines.append(f'<tr><th scope="row">{row[0]}</th>{bar}{rest}</tr>')
    many = ' class="many"' if len(heads) > 4 else ""  # too many for a bar beside them on a telephone
    return _scroll(name, f"<table{many}><thead><tr>{titles}</tr></thead><tbody>{''.join(lines)}</tbody></table>")


def _scroll(name: str, content: str) -> str:
    """Return a part that scrolls in itself, by keys too."""
    return f'<div class="scroll" role="region" aria-label="{_plain(name)}" tabindex="0">{content}</div>'


def _bar(numbers: dict[str, int], most: int) -> str:
    """Numbers side by side, as long as they are of the most; the text beside it says them in words."""
    parts, at = [], 0.0
    for name, number in numbers.items():
        width = 100 * number / most if most else 0
        if number:
            parts.append(f'<rect class="{name}" x="{at:.2f}%" width="{width:.2f}%" height="100%"/>')
        at += width
    return f'<svg class="bar" aria-hidden="true">{"".join(parts)}</svg>'


def _swatch(name: str) -> str:
    return f'<svg width="12" height="12" aria-hidden="true"><rect class="{name}" width="12" height="12" rx="2"/></svg>'


def _said(share: Share) -> str:
    """Return the numbers of a share in words."""
    return (
        ", ".join(f"{number:,} {words.LABELS[name]}" for name, number in words.counts(share).items() if number)
        or "no calls"
    )


def _shown(text: str) -> str:
    """Return a text of the log as code, with marked names for what cannot be seen."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    parts = (
        f"<mark>{escape(each.text)}</mark>" if each.name else escape(each.text) for each in pieces(cut, prose=True)
    )
    return f"<code>{''.join(parts)}</code>"


def _plain(text: str) -> str:
    """Any other text, escaped, with names for what cannot be seen."""
    return escape("".join(each.text for each in pieces(text, prose=True)))
