"""Measures what asimi costs, beside doing as little as possible and beside others, and writes `RESULTS.md` and a plot.

    python bench/run.py [--quick] [--python PATH …] [--only WORDS] [--commands FILE]

What is measured is the table in `measures.py`, by what is in `ways.py`. Ways take turns, so a busy machine slows all of
them; compare the ratios of one run. The others come from `make peers`; what is not there is named in the results.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from measures import measures, texts_of
from picture import picture
from report import Found, Run, report
from ways import HERE, ROOT, WAYS, Broken, Missing, Scene

PEERS = ROOT / "build" / "peers"
DESCRIPTORS = 20_000
OTHERS = {"gemini", "codex", "mcp-shell-server"}
"""Ways whose failures are no failures of the bench."""


def main():
    """Measure and write; the exit code is 1 if a way of ours failed."""
    options = arguments()
    if not shutil.which("cc"):
        sys.exit("a C compiler (`cc`) is needed for the floor")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS if most < 0 else min(DESCRIPTORS, most), most))
    with tempfile.TemporaryDirectory(prefix="asimi-bench-", ignore_cleanup_errors=True) as scratch:
        floor = f"{scratch}/floor"
        subprocess.run(["cc", "-O2", "-o", floor, str(HERE / "floor.c")], check=True)
        texts = texts_of(options.commands)
        runs = [measured(Scene(python, floor, scratch, PEERS, texts), options) for python in options.python]
    if options.only is None:
        options.into.mkdir(parents=True, exist_ok=True)
        (options.into / "RESULTS.md").write_text(report(runs, peers()), encoding="utf-8")
        (options.into / "latency.svg").write_text(picture(runs[-1]), encoding="utf-8")
        print(f"wrote RESULTS.md and latency.svg in {options.into}")
    else:
        print(report(runs, peers()))
    return int(any(found.failed - OTHERS for run in runs for found in run.found))


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a look, which is too short to be cited")
    parser.add_argument("--python", action="append", metavar="PATH", help="an interpreter (default: this one)")
    parser.add_argument("--only", metavar="WORDS", help="only measurements whose titles have these words; prints them")
    parser.add_argument(
        "--commands", metavar="FILE", help="judge the commands of this table (JSONL) instead of our own"
    )
    parser.add_argument(
        "--into",
        metavar="DIR",
        type=pathlib.Path,
        help="where results go (default: here; of a quick look, build/bench)",
    )
    options = parser.parse_args()
    options.python = [os.path.abspath(shutil.which(each) or each) for each in options.python or [sys.executable]]
    options.into = options.into or (ROOT / "build" / "bench" if options.quick else HERE)
    return options


def measured(scene, options):
    """All measurements with one interpreter."""
    subprocess.run([scene.python, "-m", "compileall", "-q", str(ROOT / "asimi")], check=True)
    code = "import platform; print(platform.python_version())"
    version = subprocess.run([scene.python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    texts = pathlib.Path(scene.scratch, "texts.json")
    texts.write_text(json.dumps(scene.texts))
    began, before, found = time.monotonic(), os.getloadavg()[0], []
    wanted = [each for each in measures(str(texts), quick=options.quick) if (options.only or "") in each.title]
    for number, measure in enumerate(wanted, 1):
        print(f"Python {version} {number}/{len(wanted)}: {measure.title}", end=" … ", flush=True)
        since = time.monotonic()
        found.append(taken(measure, scene, measure.rounds[options.quick]))
        print(f"{time.monotonic() - since:.0f} s", flush=True)
        for name, why in found[-1].left_out.items():
            print(f"    left out: {name}: {why}", flush=True)
    return Run(version, found, time.monotonic() - began, (before, os.getloadavg()[0]), options.quick)


def taken(measure, scene, rounds):
    """The samples of one measurement; its ways take turns, each time in another order."""
    found = Found(measure, {row.name: [] for row in measure.rows}, {}, set())
    ways = {}
    try:
        for number in range(rounds):
            shift = number % len(measure.rows)
            for row in measure.rows[shift:] + measure.rows[:shift]:
                if row.name not in found.left_out:
                    sample(row, scene, ways, found)
    finally:
        for way in ways.values():
            way.close()
    return found


def sample(row, scene, ways, found):
    """Ask a way once; what it cannot do is left out, with the reason."""
    try:
        if row.way not in ways:
            ways[row.way] = WAYS[row.way](scene)
        samples = ways[row.way](*row.asks)
        if found.measure.fresh:
            samples = [{**each, "memory": ways[row.way].memory()} for each in samples]
            ways.pop(row.way).close()
        found.samples[row.name] += samples
    except Missing as missing:
        found.left_out[row.name] = str(missing)
    except (Broken, OSError, subprocess.SubprocessError, ValueError) as broken:
        found.left_out[row.name] = f"failed: {broken}"
        found.failed.add(row.way)
        if row.way in ways:
            ways.pop(row.way).close()


def peers():
    """What `make peers` installed: names and versions."""
    found = {}
    for name, package in (("Gemini CLI core", "@google/gemini-cli-core"), ("Codex", "@openai/codex")):
        file = PEERS / "node_modules" / package / "package.json"
        found[name] = json.loads(file.read_text(encoding="utf-8"))["version"] if file.exists() else None
    about = [*PEERS.glob("python/lib/python*/site-packages/mcp_shell_server-*.dist-info")]
    found["mcp-shell-server"] = about[0].name.removesuffix(".dist-info").rpartition("-")[2] if about else None
    return found


if __name__ == "__main__":
    sys.exit(main())
