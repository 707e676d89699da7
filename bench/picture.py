"""Draws what a command costs: bars for one command, whose title says what was found."""

import statistics
from html import escape

from report import loads

BARS = {
    # the way: its label, its class
    "floor (C)": ("bash alone (a C program)", "floor"),
    "subprocess.run": ("Python's subprocess.run", "plain"),
    "asimi": ("asimi: judged, run, recorded", "ours"),
    "asimi serve": ("asimi serve, calls as JSON", "ours"),
    "asyncio": ("Python's asyncio", "plain"),
    "Gemini CLI core": ("Gemini CLI's shell service", "other"),
    "Codex": ("Codex app-server", "other"),
    "mcp-shell-server": ("mcp-shell-server, no bash", "other"),
}
"""What is drawn of the first measurement, and in which colour."""

HOOK, PYTHON = "asimi's hook in Claude Code", "python -c pass"

UNIT = "Milliseconds for one `bash -c true` in a live process; shorter is better"
WIDTH, ROW, TOP = 760, 34, 84
LETTER = 9.2  # more than a letter of the usual fonts takes at 15 pixels, on average
STYLE = """\
text { font: 15px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; fill: #1f2328 }
.paper { fill: #ffffff } .title { font-size: 20px; font-weight: 600 } .small { font-size: 13px; fill: #59636e }
.number { font-weight: 600 } .floor { fill: #818b98 } .ours { fill: #1a7f37 } .plain { fill: #54aeff }
.other { fill: #c297ff } .spread { stroke: #1f2328; stroke-width: 1.5; opacity: .55 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .paper { fill: #0d1117 } .small { fill: #9198a1 } .spread { stroke: #f0f6fc }
  .ours { fill: #3fb950 } .plain { fill: #388bfd } .other { fill: #a371f7 } .floor { fill: #656c76 }
}"""


def picture(run):
    """The picture of one interpreter's run, for a light and a dark page."""
    found = next(each for each in run.found if each.measure.short)
    bars = {name: found.seconds(name) for name in BARS if found.samples.get(name)}
    bars = dict(sorted(bars.items(), key=lambda bar: statistics.median(bar[1])))
    left = round(max(len(BARS[name][0]) for name in bars) * LETTER) + 24
    height = TOP + len(bars) * ROW + 12 + 20 * 2
    scale = (WIDTH - left - 70) / max(ends(values)[1] for values in bars.values())
    head = escape(title(bars))
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{head}</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text class="title" x="20" y="36">{head}</text>',
        f'<text class="small" x="20" y="60">{UNIT}</text>',
    ]
    for number, (name, values) in enumerate(bars.items()):
        parts += bar(name, values, TOP + number * ROW, left, scale)
    for number, note in enumerate(notes(run)):
        parts += [f'<text class="small" x="20" y="{height - 34 + 20 * number}">{escape(note)}</text>']
    return "\n".join([*parts, "</svg>", ""])


def title(bars):
    """What was found."""
    floor, ours = (statistics.median(bars[name]) if name in bars else None for name in ("floor (C)", "asimi"))
    if not floor or not ours:
        return "What a command costs"
    return f"asimi adds {(ours - floor) * 1e3:.1f} ms to a command"


def notes(run):
    """What else a reader should know: an agent's hook is no live process."""
    timed = [found for found in run.found if found.measure.unit == "ms"]
    times = {name: found.seconds(name) for found in timed for name in (HOOK, PYTHON) if found.samples.get(name)}
    if len(times) == 2:
        hook, python = (statistics.median(times[name]) * 1e3 for name in (HOOK, PYTHON))
        yield f"An agent's hook starts a Python for each command: {hook:.0f} ms, {python:.0f} of them Python's own."
    busy = ": a busy machine" if run.busy else ""
    yield f"Medians, with p10 to p90; Python {run.version}; load {loads(run)}{busy}."


def ends(values):
    """The 10th and the 90th percentile of sorted values."""
    return values[len(values) // 10], values[len(values) * 9 // 10]


def bar(name, values, top, left, scale):
    """One way: its label, its bar, its spread and its number."""
    label, kind = BARS[name]
    number = f"{statistics.median(values) * 1e3:.1f}"
    median, low, high = (left + value * scale for value in (statistics.median(values), *ends(values)))
    return [
        f'<text x="{left - 10}" y="{top + 17}" text-anchor="end">{escape(label)}</text>',
        f'<rect class="{kind}" x="{left}" y="{top}" width="{median - left:.1f}" height="{ROW - 10}" rx="3"/>',
        f'<path class="spread" d="M{low:.1f} {top + ROW / 2 - 5}H{high:.1f}"/>',
        f'<text class="number" x="{max(median, high) + 8:.1f}" y="{top + 17}">{number}</text>',
    ]
