"""Measures what running a command costs, against doing as little as possible, and writes `RESULTS.md` and a plot.

    python bench/run.py [--quick] [--python PATH …]

Ways: `asimi` through the whole gate (judged by a policy, recorded) in one process, and its executor alone;
`subprocess.run`; asyncio's `communicate`; and `floor`, a C program that does nothing but posix_spawn, read, wait. They
take turns, so a busy machine slows all of them; compare the ratios to the floor of the same run.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
COMMAND = "true"
SIZE = 512 << 20
FLOOD = f"head -c {SIZE} /dev/zero | tr '\\0' a"
MANY = 200
NAP = "sleep 0.05; echo x"
LEAVES = "setsid -f sleep @; sleep @; true"
OTHER = "asimi, another text each time"
SDK = "import mcp.server.lowlevel, mcp.server.stdio"
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}) + "\n"
LATENCY_WAYS = ("floor", "asimi", "executor", "subprocess.run", "asyncio")

CONFIG = 'coreTools = ["run_shell_command"]\n'
DENY = '[[rules]]\ndecision = "deny"\ncommand = "{}"\nenforce = "exec"\n'
PLAIN = "plain"
BENEATH = {PLAIN: CONFIG, "exec rules": CONFIG + DENY.format("git push") + DENY.format("terraform apply")}
SANDBOXES = ("executor", "landlock", "bubblewrap")
COMMANDS = 500
MAKEFILE = "all:\n" + "\t@/bin/true\n" * COMMANDS
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"
 font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="{title}">
<rect width="{width}" height="{height}" fill="#ffffff"/>
<text x="12" y="22" font-weight="600">{title}</text>"""


def main():
    """Measure and write."""
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="asimi-bench-") as scratch:
        floor = build(scratch)
        measured = {}
        for python in options.python:
            measured[version(python)] = measure(python, floor, scratch, quick=options.quick)
    write(measured)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a look")
    parser.add_argument("--python", action="append", metavar="PATH", help="an interpreter (default: this one)")
    options = parser.parse_args()
    options.python = options.python or [sys.executable]
    return options


def build(scratch):
    """The C program."""
    floor = f"{scratch}/floor"
    subprocess.run(["cc", "-O2", "-o", floor, str(HERE / "floor.c")], check=True)
    return floor


def version(python):
    """Which Python it is."""
    code = "import platform; print(platform.python_version())"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


class Worker:
    """One way in one interpreter: a process of its own, so its memory is its own."""

    def __init__(self, python, way, scratch, config=CONFIG):
        place = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        (place / "config.toml").write_text(config)
        (place / "Makefile").write_text(MAKEFILE)
        keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment = {**keep, "HOME": str(place), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(place / "state")}
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py"), way],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=place,
            env=environment,
        )

    def __call__(self, what, *told):
        self.process.stdin.write(json.dumps([what, *told]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Floor:
    """The C program, asked like a worker."""

    def __init__(self, path):
        self.path = path

    def __call__(self, what, *told):
        words = [self.path, what, *map(str, told)]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        if what == "latency":
            return [float(word) / 1e6 for word in said]
        if what == "drain":
            return {"seconds": float(said[0]), "memory": int(said[2]) / 1024}
        return float(said[0])

    def close(self):
        pass


def measure(python, floor, scratch, *, quick):
    """All measurements with one interpreter."""
    ways = {"floor": Floor(floor)} | {way: Worker(python, way, scratch) for way in LATENCY_WAYS[1:]}
    rounds = 8 if quick else 40
    print(f"{version(python)}: latency", flush=True)
    latency = {way: [] for way in ways}
    for way in ways:
        ways[way]("latency", 10, COMMAND)
    for _ in range(rounds):
        for way, ask in ways.items():
            latency[way] += ask("latency", 10, COMMAND)
        latency.setdefault(OTHER, []).extend(ways["asimi"]("latency", 10, f"{COMMAND} # {{}}"))
    print("concurrent", flush=True)
    concurrent = {way: [] for way in ways}
    for _ in range(2 if quick else 21):
        for way, ask in ways.items():
            concurrent[way].append(ask("concurrent", MANY, NAP))
    audit = ways["asimi"]("audit", 200 if quick else 5000)
    for ask in ways.values():
        ask.close()
    return {
        "latency": latency,
        "audit": audit,
        "beneath": beneath(python, scratch, rounds=3 if quick else 20),
        "concurrent": concurrent,
        "drain": drains(python, floor, scratch, rounds=1 if quick else 5),
        "start": starts(python, scratch, rounds=3 if quick else 20),
        "mcp": servers(python, scratch, rounds=3 if quick else 20),
        "timeouts": timeouts(python, scratch),
    }


def beneath(python, scratch, rounds):
    """What holds a command whatever its text says, beside a plain call; one command, and a make of many.

    Sandboxes beside the executor alone.
    """
    print("beneath", flush=True)
    workers = {name: Worker(python, "asimi", scratch, config) for name, config in BENEATH.items()}
    workers |= {way: Worker(python, way, scratch) for way in SANDBOXES if way != "bubblewrap" or shutil.which("bwrap")}
    found = {"one": {name: [] for name in workers}, "many": {name: [] for name in workers}}
    for _ in range(rounds):
        for name, worker in workers.items():
            found["one"][name] += worker("latency", 10, COMMAND)
            found["many"][name] += worker("latency", 1, "make")
    for worker in workers.values():
        worker.close()
    return found


def drains(python, floor, scratch, rounds):
    """Half a gigabyte of output; a fresh process each time, so its peak memory is this output's."""
    print("output", flush=True)
    found = {}
    for _ in range(rounds):
        for way in LATENCY_WAYS:
            worker = Floor(floor) if way == "floor" else Worker(python, way, scratch)
            if way != "floor":
                worker("latency", 1, COMMAND)
            one = worker("drain", FLOOD)
            worker.close()
            found.setdefault(way, []).append(one)
    return found


def starts(python, scratch, rounds):
    """Whole programs, from nothing to their end."""
    print("start", flush=True)
    place = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    (place / "config.toml").write_text(CONFIG)
    asimi = [python, "-m", "asimi", "--config", str(place / "config.toml")]
    programs = {
        "python -c pass": [python, "-c", "pass"],
        "bash -c true": ["bash", "-c", "true"],
        "asimi check true": [*asimi, "check", "true"],
        "asimi run true": [*asimi, "run", "true"],
    }
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environment = {**keep, "HOME": str(place), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(place / "state")}
    found = {name: [] for name in programs}
    for _ in range(rounds):
        for name, words in programs.items():
            began = time.perf_counter()
            subprocess.run(words, check=True, capture_output=True, cwd=place, env=environment)
            found[name].append(time.perf_counter() - began)
    return found


def servers(python, scratch, rounds):
    """Until `asimi mcp` answers `initialize`, beside importing the SDK alone; nothing where there is no SDK."""
    if subprocess.run([python, "-c", "import mcp"], check=False, capture_output=True).returncode:
        return {}
    print("mcp", flush=True)
    place = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environment = {**keep, "HOME": str(place), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(place / "state")}
    found = {SDK: [], "asimi mcp": []}
    for _ in range(rounds):
        for way, words in ((SDK, ["-c", f"{SDK}; print()"]), ("asimi mcp", ["-m", "asimi", "mcp"])):
            before, began = os.times(), time.perf_counter()
            with subprocess.Popen(
                [python, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=place, env=environment
            ) as process:
                process.stdin.write(INITIALIZE.encode())
                process.stdin.flush()
                assert process.stdout.readline(), way
                seconds = time.perf_counter() - began
                process.stdin.close()
            after = os.times()
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            found[way].append({"seconds": seconds, "cpu": cpu})
    return found


def timeouts(python, scratch):
    """A limit of half a second for a tree with one part in a session of its own: how long it takes, what is left."""
    print("timeouts", flush=True)
    found = {}
    for number, way in enumerate(LATENCY_WAYS[1:]):
        probe = f"11.{os.getpid()}{number}"
        worker = Worker(python, way, scratch)
        took = worker("timeout", LEAVES.replace("@", probe), 0.5)
        time.sleep(0.05)
        found[way] = {"seconds": took, "left": end(probe)}
        worker.close()
    return found


def end(probe):
    """How many sleeps are left; kills them."""
    left = 0
    for entry in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
        try:
            words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:2] == [probe.encode()]:
            os.kill(int(entry), 9)
            left += 1
    return left


PARTS = (("median", 0.5), ("p10", 0.1), ("p90", 0.9))


def quantile(values, part):
    """A quantile, as one of the values."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def write(measured):
    """`RESULTS.md` and the plot."""
    lines = ["# What running a command costs", ""]
    named = (line.split(":")[1].strip() for line in cpu_lines() if line.startswith("model name"))
    machine = f"{platform.system()} {platform.release()}, {os.cpu_count()} CPUs ({next(named, platform.machine())})"
    lines += [
        f"{machine}, load {os.getloadavg()[0]:.1f} at the end. Written by `make bench`.",
        "",
        "The ways take turns, so compare the ratios. **floor** is a C program that does posix_spawn, reads both pipes",
        "to their end and waits. **asimi** is the whole gate: judged by a policy, run, recorded in the audit log.",
        "**executor** is its last part alone. Texts that a policy has seen lately are not read again; what that saves",
        "shows in **another text each time**.",
        "",
    ]
    for name, found in measured.items():
        lines += [f"## Python {name}", ""]
        lines += table(f"One `bash -c {COMMAND}` in a long-lived process", "µs", found["latency"], 1e6)
        told = " · ".join(f"{name} {quantile(found['audit'], part) * 1e6:.0f}" for name, part in PARTS)
        lines += [f"Writing a call down, its start and its end, takes of that, in µs: {told}.", ""]
        lines += table(f"{MANY} times `{NAP}` at once", "ms", found["concurrent"], 1e3)
        drain = {way: [one["seconds"] for one in each] for way, each in found["drain"].items()}
        lines += table(f"{SIZE >> 20} MiB of output", "ms", drain, 1e3, memory(found["drain"]))
        lines += held(found["beneath"])
        lines += table("From nothing to the end of the program", "ms", found["start"], 1e3, base="python -c pass")
        lines += served(found["mcp"]) if found["mcp"] else []
        lines += ["### A limit of 0.5 s, one process of the tree in a session of its own", ""]
        lines += ["| way | back after | processes left |", "|---|---:|---:|"]
        lines += [f"| {way} | {one['seconds']:.2f} s | {one['left']} |" for way, one in found["timeouts"].items()]
        lines += [""]
    (HERE / "RESULTS.md").write_text("\n".join(lines), encoding="utf-8")
    (HERE / "latency.svg").write_text(plot(measured), encoding="utf-8")
    print(f"wrote {HERE / 'RESULTS.md'} and {HERE / 'latency.svg'}")


def held(found):
    """The tables of what holds a command."""
    lines = []
    for base, what in ((PLAIN, "Beneath the text"), (SANDBOXES[0], "In a sandbox")):
        one, many = (
            {name: found[size][name] for name in found[size] if (name in BENEATH) == (base == PLAIN)}
            for size in ("one", "many")
        )
        plain = statistics.median(many[base])
        each = {name: (statistics.median(many[name]) - plain) / COMMANDS for name in many}
        extra = "µs a command", {name: f"{seconds * 1e6:.0f}" for name, seconds in each.items()}
        lines += table(f"{what}: one `bash -c {COMMAND}`", "µs", one, 1e6, base=base)
        lines += table(f"{what}: `make` with {COMMANDS} commands", "ms", many, 1e3, extra, base)
    return lines


def served(found):
    """The table of MCP servers."""
    cpu = {way: statistics.median(one["cpu"] for one in each) for way, each in found.items()}
    extra = "CPU ms to the end", {way: f"{seconds * 1e3:.0f}" for way, seconds in cpu.items()}
    seconds = {way: [one["seconds"] for one in each] for way, each in found.items()}
    return table("Until `asimi mcp` answers `initialize`", "ms", seconds, 1e3, extra, base=SDK)


def cpu_lines():
    """What the kernel says of the processor."""
    path = pathlib.Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def memory(drains_of):
    """A column: the peak memory of each way."""
    peaks = {way: statistics.median(one["memory"] for one in each) for way, each in drains_of.items()}
    return "peak MiB", {way: f"{peak:.0f}" for way, peak in peaks.items()}


def table(title, unit, found, scale, extra=("", {}), base="floor"):
    """A table of medians, their spread, and their ratios to a base."""
    name, column = extra
    lines = [f"### {title}", ""]
    lines += [f"| way | median {unit} | p10 | p90 | ratio | ratio of p10 |{f' {name} |' if name else ''}"]
    lines += ["|---|---:|---:|---:|---:|---:|" + ("---:|" if name else "")]
    middle, low = statistics.median(found[base]), quantile(found[base], 0.1)
    for way, values in found.items():
        median, p10, p90 = statistics.median(values), quantile(values, 0.1), quantile(values, 0.9)
        cells = [way, *(f"{value * scale:.0f}" for value in (median, p10, p90))]
        cells += [f"**{median / middle:.2f}**", f"{p10 / low:.2f}", *([column[way]] if name else [])]
        lines += [f"| {' | '.join(cells)} |"]
    return [*lines, ""]


def plot(measured):
    """Bars of the latency, as ratios to the floor; a thin line from the 10th to the 90th percentile."""
    bars = []
    for name, found in measured.items():
        middle = statistics.median(found["latency"]["floor"])
        for way, values in found["latency"].items():
            shown = statistics.median(values), quantile(values, 0.1), quantile(values, 0.9)
            ratios = [value / middle for value in shown]
            bars.append((f"{way}, Python {name}" if way != "floor" else f"floor (C), beside {name}", way, ratios))
    width, height, left, row = 720, len(bars) * 26 + 56, 230, 26
    scale = (width - left - 60) / max(max(ratios) for _, _, ratios in bars)
    colours = {"floor": "#8b949e", "asimi": "#2da44e", "executor": "#6fdd8b"}
    title = f"One `bash -c {COMMAND}`, as a ratio to a C program (lower is better)"
    parts = [SVG.format(width=width, height=height, title=title)]
    for number, (label, way, (median, low, high)) in enumerate(bars):
        top = 38 + number * row
        fill, middle = colours.get(way, "#54aeff"), top + row / 2 - 4
        parts += [
            f'<text x="{left - 8}" y="{top + 14}" text-anchor="end">{label}</text>',
            f'<rect x="{left}" y="{top}" width="{median * scale:.1f}" height="{row - 8}" rx="3" fill="{fill}"/>',
            f'<path d="M{left + low * scale:.1f} {middle}H{left + high * scale:.1f}" stroke="#1f2328"/>',
            f'<text x="{left + high * scale + 6:.1f}" y="{top + 14}">{median:.2f}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    if not shutil.which("cc"):
        sys.exit("a C compiler (`cc`) is needed for the floor")
    main()
