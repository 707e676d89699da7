"""What is measured: a table of measurements, each with its ways, which take turns."""

import json
import pathlib
from typing import NamedTuple

from ways import PARTS

COMMAND = "true"
OTHER = "true # {}"  # a number that was never there before
NAP = "sleep 0.05; echo x"
FLOOD = f"head -c {512 << 20} /dev/zero | tr '\\0' a"
ONE = ("latency", 10, COMMAND)


class Row(NamedTuple):
    """One way in a measurement.

    Attributes:
        name: what a reader calls it.
        way: which way it is, of `ways.WAYS`.
        asks: what the way is asked.
        aims: what asimi wants to stay below, by the columns' names (`report.RATIOS`, `report.PARTS`).
    """

    name: str
    way: str
    asks: tuple
    aims: tuple[tuple[str, float], ...] = ()


class Measure(NamedTuple):
    """A measurement.

    Attributes:
        title: what is measured.
        short: the same in the summary; empty where there is no place for it.
        unit: of the table, "µs", "ms" or "s"; "million" of instructions.
        rounds: how often the ways take turns, and how often for a quick look.
        rows: the ways; the first is what the others are compared with.
        fresh: whether each time is in a new process, so that its memory is that of this measurement.
        parts: how many commands one time consists of; what each costs more than in the first row is shown.
        tail: whether the 99th percentile is of interest.
        says: what a reader should know.
    """

    title: str
    short: str
    unit: str
    rounds: tuple[int, int]
    rows: tuple[Row, ...]
    fresh: bool = False
    parts: int = 0
    tail: bool = False
    says: str = ""


def measures(texts, *, quick):
    """The table.

    Args:
        texts: a file with the commands that are judged.
        quick: whether it is only a look.
    """
    rows = 2_000 if quick else 100_000
    return (
        Measure(
            f"One `bash -c {COMMAND}` in a live process",
            "one command",
            "µs",
            (40, 6),
            (
                Row("floor (C)", "floor", ONE),
                Row("asimi", "asimi", ONE, (("ratio of p10", 1.45),)),
                Row("asimi, another text each time", "asimi", ("latency", 10, OTHER)),
                Row("asimi serve", "serve", ONE, (("ratio of p10", 1.5),)),
                Row("asimi serve, another text each time", "serve", ("latency", 10, OTHER)),
                Row("asimi's executor alone", "executor", ONE),
                Row("subprocess.run", "subprocess.run", ONE),
                Row("asyncio", "asyncio", ONE),
                Row("Gemini CLI core", "gemini", ONE),
                Row("Codex", "codex", ONE),
                Row("mcp-shell-server", "mcp-shell-server", ONE),
            ),
            says="mcp-shell-server refuses bash, so it starts `true` itself, which costs a third of a shell.",
        ),
        together(200, (11, 1), "200 at once", aims=(("ratio", 1.25),)),
        together(1000, (3, 1), "1,000 at once", others=False),
        Measure(
            "512 MiB of output",
            "512 MiB of output",
            "ms",
            (3, 1),
            (
                Row("floor (C)", "floor", ("latency", 1, FLOOD)),
                *(
                    Row(name, way, ("latency", 1, FLOOD))
                    for name, way in (
                        ("asimi", "asimi"),
                        ("asimi serve", "serve"),
                        ("asimi's executor alone", "executor"),
                        ("subprocess.run", "subprocess.run"),
                        ("asyncio", "asyncio"),
                        ("Codex", "codex"),
                    )
                ),
            ),
            fresh=True,
            says="Codex keeps a part of it, asimi a part, and all in a file. Gemini CLI needs minutes and is left out.",
        ),
        Measure(
            "From nothing to the end of a program",
            "",
            "ms",
            (25, 3),
            (
                Row("python -c pass", "starts", ("python",)),
                Row("bash -c true", "starts", ("words", "bash", "-c", "true")),
                Row("asimi check true", "starts", ("own", "check", "true")),
                Row("asimi run true", "starts", ("own", "run", "true")),
                Row("asimi's hook in Claude Code", "starts", ("hook",)),
                Row("the same without a resident gate", "starts", ("hook", "alone")),
                Row("codex execpolicy check", "starts", ("execpolicy",)),
            ),
            says="The hook is started by the line that `asimi hook install` writes, with the shells in it. "
            "A resident gate answers it, but where none is wanted.",
        ),
        Measure(
            "Instructions of a start",
            "",
            "million",
            (2, 1),
            (
                Row("python -c pass", "counted", ("python",)),
                Row("asimi check true", "counted", ("own", "check", "true"), (("ratio", 6.0),)),
                Row("asimi run true", "counted", ("own", "run", "true"), (("ratio", 8.0),)),
                Row("asimi's hook in Claude Code", "counted", ("hook",), (("ratio", 0.9),)),
                Row("the same without a resident gate", "counted", ("hook", "alone"), (("ratio", 6.0),)),
                Row("asimi's hook in a box of `asimi wrap`", "counted box", ("instructions",), (("ratio", 1.5),)),
            ),
            says="Of the program and all that it starts, counted by valgrind; no load of the machine changes them. "
            'A hook in a box asks a gate that lives; what that takes is in "One call at the gate of a box".',
        ),
        Measure(
            "A verdict alone",
            "",
            "µs",
            (3, 1),
            (
                Row("asimi, the preset `developer`", "developer", ("judge", texts)),
                Row(
                    "asimi, the preset `developer`, CPU",
                    "developer",
                    ("judge", texts, "thread_time"),
                    (("median", 350), ("p99", 3000)),
                ),
                Row("Gemini CLI core, one rule", "gemini", ("judge", texts)),
            ),
            tail=True,
            says="Each text was never seen before; what judging it loads was.",
        ),
        Measure(
            f"`asimi policy test` of {rows:,} rows",
            "",
            "s",
            (1, 1),
            (Row("asimi, the preset `developer`", "starts", ("table", rows), (("median", rows * 30 / 100_000),)),),
            fresh=True,
        ),
        Measure(
            "A call written down, its start and its end",
            "",
            "µs",
            (1, 1),
            (Row("asimi", "asimi", ("audit", 200 if quick else 5000)),),
        ),
        *beneath("Beneath the text", (("asimi", "asimi"), ("asimi with exec rules", "exec rules"))),
        *beneath(
            "In a sandbox",
            (("asimi's executor alone", "executor"), ("landlock", "landlock"), ("bubblewrap", "bubblewrap")),
        ),
        *boxed(200 if quick else 2_000),
        Measure(
            "Until an MCP server answers the first message",
            "",
            "ms",
            (8, 1),
            (
                Row("importing the SDK", "hello", ("sdk",)),
                Row("asimi mcp", "hello", ("asimi",)),
                Row("mcp-shell-server", "hello", ("shell",)),
            ),
        ),
        Measure(
            "A limit of 0.5 s for a tree of processes, one of them in a session of its own",
            "",
            "ms",
            (1, 1),
            tuple(Row(way, way, ("timeout", 0.5)) for way in ("asimi", "executor", "subprocess.run", "asyncio")),
        ),
    )


def boxed(calls):
    """A box of `asimi wrap`: the hook in there, its start and end, and the gate as it grows."""
    return (
        Measure(
            "A hook in a box of `asimi wrap`, and outside",
            "",
            "ms",
            (12, 2),
            (
                Row("python -c pass", "beside", ("python", 3)),
                Row("python -c pass in the box", "box", ("python", 3)),
                Row("the hook outside", "beside", ("hook", 3)),
                Row("the hook in the box", "box", ("hook", 3)),
            ),
            says="All are started by the same program; the hook by the line that its agent has, with the shells in it.",
        ),
        Measure(
            "From nothing to the end of a box",
            "",
            "ms",
            (12, 2),
            (
                Row("asimi run true", "starts", ("own", "run", "true")),
                Row("asimi wrap true", "starts", ("own", "wrap", "true")),
            ),
        ),
        Measure(
            "One call at the gate of a box",
            "",
            "µs",
            (1, 1),
            (Row("the first ones", "box", ("call", 100)), Row("later ones", "box", ("call", calls))),
            fresh=True,
            tail=True,
            says="Judged and written down, over the socket. The memory and the CPU are the gate's.",
        ),
    )


def together(count, rounds, short, *, aims=(), others=True):
    """Many commands at once."""
    ask = ("concurrent", count, NAP)
    peers = (Row("Gemini CLI core", "gemini", ask), Row("Codex", "codex", ask))
    rows = (
        Row("floor (C)", "floor", ask),
        Row("asimi", "asimi", ask, aims),
        Row("asimi serve", "serve", ask),
        Row("asimi's executor alone", "executor", ask),
        Row("subprocess.run", "subprocess.run", ask),
        Row("asyncio", "asyncio", ask),
        *(peers if others else ()),
    )
    return Measure(f"{count:,} times `{NAP}` at once", short, "ms", rounds, rows, fresh=not others)


def beneath(what, named):
    """What holds a command whatever its text says: one command, and many that one command starts."""
    one = tuple(Row(name, way, ONE) for name, way in named)
    many = tuple(Row(name, way, ("latency", 1, "make")) for name, way in named)
    return (
        Measure(f"{what}: one `bash -c {COMMAND}`", "", "µs", (12, 2), one),
        Measure(f"{what}: `make` with {PARTS} commands", "", "ms", (12, 2), many, parts=PARTS),
    )


def texts_of(file):
    """The commands that are judged: a table's, as `asimi policy test` takes it, or what our own tests call everyday.

    Args:
        file: the table, lines of JSON; None for asimi's own.
    """
    if file is not None:
        lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
        return [
            row["command"] for row in map(json.loads, filter(str.strip, lines)) if isinstance(row.get("command"), str)
        ]
    own = pathlib.Path(__file__).parents[1] / "tests" / "data" / "everyday.txt"
    rows = [line.split("\t") for line in own.read_text(encoding="utf-8").splitlines() if line[:1] not in {"", "#", "@"}]
    return list(dict.fromkeys(row[3].replace("⏎", "\n") for row in rows))
