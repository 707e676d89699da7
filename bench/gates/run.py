"""Judges public sets of commands with asimi and with the gates of others, and writes a table, a picture and a page.

    python bench/gates/run.py --sets DIR [--programs DIR] [--into DIR] [--only WORDS] [--without FOLDER …]

It downloads nothing and executes no command of a set: `sets.toml` says what the sets are, `gates.py` who judges them.
"""

import argparse
import concurrent.futures
import datetime as dt
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gates import GATES, ROOT, Missing, Scene, version
from page import page
from sets import rows
from tables import Found, Judged, markdown, picture

BUILD = ROOT / "build" / "gates"


def main():
    """Judge and write; the exit code is 1 if asimi failed or a judge changed the project that it judged in."""
    options = arguments()
    found, about = rows(options.sets)
    found = [row for row in found if row.source not in options.without]
    about = {name: each for name, each in about.items() if name not in options.without}
    if not found:
        sys.exit(f"none of the sets of bench/gates/sets.toml is in {options.sets}")
    began = time.monotonic()
    gates = [each for each in GATES if options.only in f"{each.name}, {each.label}"]
    dippy = Path(options.sets, "dippy").resolve()
    with tempfile.TemporaryDirectory(prefix=".asimi-gates-", dir=Path.home()) as place:
        scene = Scene(place, options.programs, dippy if dippy.is_dir() else None)
        before = scene.tree()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            judged = [*pool.map(lambda gate: asked(scene, gate, found), gates)]
        changed = scene.tree() != before
    result = Found(found, about, judged, dt.datetime.now(dt.UTC).date().isoformat())
    options.into.mkdir(parents=True, exist_ok=True)
    svg = picture(result)
    for name, text in (("table.md", markdown(result)), ("gates.svg", svg), ("rows.html", page(result, svg))):
        (options.into / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    digest = hashlib.sha256(json.dumps([[*each.gate[:3], each.verdicts] for each in judged]).encode()).hexdigest()
    print(markdown(result).split("## The choices")[0])
    print(f"{len(found)} rows, {time.monotonic() - began:.0f} s; the same verdicts have the same digest: {digest[:16]}")
    print(f"wrote table.md, gates.svg and rows.html in {options.into}")
    for each in judged:
        if each.why_not:
            print(f"left out: {each.gate.name}, {each.gate.label}: {each.why_not}")
    if changed:
        print("A judge changed the project that it judged in.", file=sys.stderr)
    return int(changed or any(each.gate.name == "asimi" and each.why_not for each in judged))


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sets", required=True, type=Path, metavar="DIR", help="has the sets' directories")
    parser.add_argument("--programs", default=BUILD / "programs", type=Path, metavar="DIR", help="has others' programs")
    parser.add_argument("--into", default=BUILD, type=Path, metavar="DIR", help="where the results go")
    parser.add_argument("--only", default="", metavar="WORDS", help="only gates with these words")
    parser.add_argument("--without", default=[], action="append", metavar="FOLDER", help="leave this set out")
    parser.add_argument("--jobs", default=2, type=int, help="how many gates judge at once")
    return parser.parse_args()


def asked(scene, gate, found):
    """What a gate says of each row; equal commands are asked once."""
    commands = sorted({row.command for row in found})
    began, here = time.monotonic(), version(gate.name, scene.programs, scene.dippy)
    try:
        words = dict(zip(commands, scene.verdicts(gate, commands), strict=True))
    except Missing as missing:
        return Judged(gate, here, [], str(missing))
    except (OSError, subprocess.SubprocessError) as broken:
        return Judged(gate, here, [], f"failed: {broken}")
    print(f"{gate.name}, {gate.label}, {gate.setting}: {time.monotonic() - began:.0f} s", flush=True)
    return Judged(gate, here, [words[row.command] for row in found])


if __name__ == "__main__":
    sys.exit(main())
