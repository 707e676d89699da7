"""What was measured, as `RESULTS.md`."""

import os
import platform
import statistics
from typing import NamedTuple

from measures import Measure

PARTS = {"median": 0.5, "p10": 0.1, "p90": 0.9, "p99": 0.99}
RATIOS = {"ratio": 0.5, "ratio of p10": 0.1}
SCALES = {"µs": 1e6, "ms": 1e3, "s": 1.0, "million": 1e-6}
PEERS = ("Gemini CLI core", "Codex", "mcp-shell-server")
COLUMNS = ("asimi", "asimi serve", "subprocess.run", "asyncio", *PEERS)
EXTRAS = {
    "memory": ("peak MiB", 1.0),
    "cpu": ("CPU ms to the end", 1e3),
    "gate": ("CPU µs", 1e6),
    "left": ("processes left", 1.0),
}
"""What a sample may say besides its seconds: the head of its column, and what makes the number there of it."""

HEAD = """\
# What asimi costs

{machine}. Written by `make bench`; the others are from `make peers`: {peers}.

**floor** is a C program that does posix_spawn, reads both pipes to their end and waits. **asimi** is the whole gate in
a live process: a call is judged by a policy, run, and recorded in the log; **asimi serve** is the same for calls that
come as lines of JSON. The ways take turns, so a busy machine slows all of them: compare the ratios, which are those of
medians where nothing else is said. An **aim** is what asimi wants to stay below.
"""


class Found(NamedTuple):
    """What came of a measurement.

    Attributes:
        measure: what was measured.
        samples: of each way by its name.
        left_out: the ways without samples, or whose samples end early, and why.
        failed: what is there and failed, as `ways.WAYS` calls it.
    """

    measure: Measure
    samples: dict
    left_out: dict
    failed: set

    def seconds(self, name):
        """The times of a way, the shortest first."""
        return sorted(each["seconds"] for each in self.samples.get(name, ()))

    def quantile(self, name, part=0.5):
        """The time below which this part of a way's times is."""
        values = self.seconds(name)
        return statistics.median(values) if part == 0.5 else values[min(len(values) - 1, int(len(values) * part))]

    def ratio(self, name, part=0.5):
        """A quantile of a way as a multiple of the first way's; None if one of them has no times."""
        base = self.measure.rows[0].name
        both = self.samples.get(name) and self.samples[base]
        return self.quantile(name, part) / self.quantile(base, part) if both else None

    def value(self, name, column):
        """What stands in a column of `RATIOS` or `PARTS` for a way; None if there are no times for it."""
        if column in RATIOS:
            return self.ratio(name, RATIOS[column])
        times = self.samples.get(name)
        return self.quantile(name, PARTS[column]) * SCALES[self.measure.unit] if times else None


class Run(NamedTuple):
    """All measurements with one interpreter.

    Attributes:
        version: which Python it was.
        found: what came of each.
        seconds: how long they took.
        load: the machine's load in the minute before the first, and in the last minute.
        quick: whether they were only a look.
    """

    version: str
    found: list
    seconds: float
    load: tuple[float, float]
    quick: bool

    @property
    def busy(self):
        """Whether others used the machine, so that the times are too long."""
        return self.load[0] > 1


def report(runs, peers):
    """The text of `RESULTS.md`.

    Args:
        runs: one for each interpreter.
        peers: the versions of the others; None for one that is not installed.
    """
    models = (line.split(":")[1].strip() for line in cpu_lines() if line.startswith("model name"))
    machine = f"{platform.system()} {platform.release()}, {os.cpu_count()} CPUs ({next(models, platform.machine())})"
    named = ", ".join(f"{name} {version or '(not installed)'}" for name, version in peers.items())
    lines = [HEAD.format(machine=machine, peers=named)]
    for run in runs:
        lines += [f"## Python {run.version}", "", about(run), "", *aims(run), *summary(run)]
        for found in run.found:
            lines += table(found)
    return "\n".join(lines)


def cpu_lines():
    """What Linux says of its processors."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return file.read().splitlines()
    except OSError:
        return []


def about(run):
    """How long it took, and how far it can be trusted."""
    text = f"Took {run.seconds / 60:.1f} minutes; the machine's load was {loads(run)}."
    if run.busy:
        text += " **The machine was busy.**"
    return text + (" **A quick look, too short to be cited.**" if run.quick else "")


def loads(run):
    """The load before and after in words."""
    return "{:.1f} before and {:.1f} after".format(*run.load)


def aims(run):
    """All aims, with what was found of each."""
    lines = []
    for found in run.found:
        for row in found.measure.rows:
            for column, most in row.aims:
                value, unit = found.value(row.name, column), "" if column in RATIOS else f" {found.measure.unit}"
                was = found.left_out.get(row.name, "not measured") if value is None else number(value)
                aim = f"{found.measure.title}: {row.name}, {column}{unit}"
                lines.append(f"| {aim} | {number(most)} | {was} | {said(value, most)} |")
    return ["| aim | at most | found | |", "|---|---:|---:|---|", *lines, ""] if lines else []


def summary(run):
    """The ratios to the floor, a column for each way."""
    found = [each for each in run.found if each.measure.short]
    if not found:
        return []
    lines = [f"| | {' | '.join(name.removesuffix(' core') for name in COLUMNS)} |", "|---|" + "---:|" * len(COLUMNS)]
    for each in found:
        lines += [f"| {each.measure.short} | {' | '.join(summed(each, name) for name in COLUMNS)} |"]
    return [*lines, "", "Ratios to the floor; — was not tried.", ""]


def summed(found, name):
    """What stands in the summary for a way."""
    ratio = found.ratio(name)
    return f"{ratio:.2f}" if ratio is not None else found.left_out.get(name, "—").partition(":")[0]


def table(found):
    """The medians of a measurement, their spread, and their ratios to the first."""
    heads, cells = zip(*columns(found), strict=True)
    lines = [f"### {found.measure.title}", "", *([found.measure.says, ""] if found.measure.says else [])]
    lines += [f"| way | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    for row in found.measure.rows:
        if found.samples[row.name]:
            lines += [f"| {row.name} | {' | '.join(cell(row) for cell in cells)} |"]
    left_out = [f"Left out: {name}: {why.rstrip('.')}." for name, why in found.left_out.items()]
    return [*lines, "", *left_out, ""] if left_out else [*lines, ""]


def columns(found):
    """The columns of a measurement's table: a head, and what makes a row's cell."""
    measure = found.measure
    for head, part in PARTS.items():
        if part <= 0.9 or measure.tail:
            unit = f" {measure.unit}" if part == 0.5 else ""
            yield head + unit, lambda row, head=head: number(found.value(row.name, head))
    base = measure.rows[0].name
    if len(measure.rows) > 1 and found.samples[base]:
        yield "ratio", lambda row: f"**{found.ratio(row.name):.2f}**"
        yield "ratio of p10", lambda row: f"{found.ratio(row.name, 0.1):.2f}"
        if measure.parts:
            parts = measure.parts / 1e6
            yield "µs a command", lambda row: f"{(found.quantile(row.name) - found.quantile(base)) / parts:.0f}"
    if any(row.aims for row in measure.rows):
        yield "aim", lambda row: "; ".join(beside(row, found))
    for key, (head, scale) in EXTRAS.items():
        if any(each.get(key) is not None for samples in found.samples.values() for each in samples):
            yield head, lambda row, key=key, scale=scale: extra(found.samples[row.name], key, scale)


def number(value):
    """A number with three digits that mean something."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def beside(row, found):
    """A way's aims, and whether each is reached."""
    return [f"{column} {number(most)}, {said(found.value(row.name, column), most)}" for column, most in row.aims]


def said(value, most):
    """Whether an aim is reached."""
    return "" if value is None else "reached" if round(value, 2) <= most else "**missed**"


def extra(samples, key, scale):
    """The median of what samples say besides their seconds."""
    values = [each[key] for each in samples if each.get(key) is not None]
    return f"{statistics.median(values) * scale:.0f}" if values else ""
