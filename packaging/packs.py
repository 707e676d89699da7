"""Write asimi's modules that every start of a kind loads into one file, for the Python that runs this: `asimi/packs/`.

Building a wheel does it, for each Python on the PATH, and leaves no file in the sources, because there it would have to
be made again after each change. To know these modules, this starts asimi: it checks, runs and answers a hook.

A file is named by its Python and by the version of its compiled code, and holds:

    8 bytes   the sum of the index
    4 bytes   the length of the index, the highest byte first
    index     the streams: where each begins behind the index, its length, its sum, and of each of its modules the
              name, whether it is a package, the length and the sum of its source; and the streams of each way to start
    streams   the code of their modules, every module behind those that it imports

`marshal` writes the index and the streams. What it writes depends on what else a process holds, so this starts itself
anew with an empty environment: then the same Python writes the same bytes each time.
"""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
import tempfile
from _imp import source_hash
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from asimi.packed import HEAD, MAGIC, PACK  # noqa: E402
from asimi.world.config.presets import Start, text_of  # noqa: E402

SETTINGS = {"plain": 'coreTools = ["run_shell_command"]\n', "preset": text_of(Start("developer"), "", "", "")}
"""The configurations under which asimi is started."""

TEXTS = ("true", "git status", "ls -la | head")
"""The commands that it is asked about."""

BEGUN = """
import sys

__file__, sys.argv = {door!r}, {words!r}
sys.path.insert(0, {root!r})
"""

MAIN = "from asimi.__main__ import main; main()"
DOOR = "exec(open(__file__).read())"

LOADED_BEFORE = {"asimi.__main__", "asimi.packed"}
"""Modules that are there before the pack is used."""


Started = tuple[str, tuple[str, ...], str]
"""How asimi is started: the code, the words of its command line, and its standard input."""


def starts(home: str) -> list[tuple[str, Started]]:
    """All starts, each with its way."""
    found = []
    door = (home, f"{home}/.config", f"{home}/.local/state", "-", f"{home}/.cache", "claude-code", "0")
    for text in TEXTS:
        told = {"session_id": "x", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash"}
        told |= {"tool_input": {"command": text}, "transcript_path": "/dev/null", "tool_use_id": "x"}
        found += [("check", (MAIN, ("check", text), "")), ("hook", (DOOR, door, json.dumps(told)))]
    return [*found, ("run", (MAIN, ("--yes", "run", "true"), ""))]


def loaded(home: str, start: Started) -> list[str]:
    """The modules that a start loads, in the order in which each was complete; it uses no pack itself."""
    code, words, told = start
    door = str(ROOT / "asimi" / "hooks" / "door.py")
    begun = BEGUN.format(door=door, words=["asimi", *words], root=str(ROOT))
    python = [sys.executable, "-I", "-S", "-X", f"pycache_prefix={home}/compiled", "-X", "importtime", "-c"]
    for _ in range(2):  # once asimi keeps what it read of its configuration
        done = subprocess.run(
            [*python, begun + code],
            input=told,
            env={"HOME": home, "PATH": os.defpath},
            cwd=home,
            text=True,
            capture_output=True,
            check=True,
        )
    names = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return [*dict.fromkeys(name for name in names if name.startswith("asimi.") and name not in LOADED_BEFORE)]


def together() -> tuple[list[list[str]], dict[str, list[int]]]:
    """The modules of each stream, and the streams of each way.

    The first stream is what all ways load; the others are what `check` and `hook` load besides. `run` loads the rest
    itself, because asyncio has to be loaded in its own way before some of it.
    """
    found: dict[str, list[list[str]]] = {}
    for name, setting in SETTINGS.items():
        with tempfile.TemporaryDirectory() as home:
            Path(home, ".config", "asimi").mkdir(parents=True)
            Path(home, ".config", "asimi", "config.toml").write_text(setting, encoding="utf-8")
            for way, start in starts(home):
                if name == "plain" or way != "run":
                    found.setdefault(way, []).append(loaded(home, start))
    common = {way: set(each[0]).intersection(*each[1:]) for way, each in found.items()}
    whole = set.intersection(*common.values())
    streams = [[name for name in found["check"][0] if name in whole]]
    streams += [[name for name in found[way][0] if name in common[way] - whole] for way in ("check", "hook")]
    return streams, {"check": [0, 1], "hook": [0, 2], "run": [0]}


def content() -> bytes:
    """The whole file."""
    found, ways = together()
    streams, kept = [], b""
    for names in found:
        codes, modules = [], []
        for name in names:
            path = ROOT.joinpath(*name.split("."))
            package = path.is_dir()
            source = (path / "__init__.py" if package else path.with_suffix(".py")).read_bytes()
            codes.append(compile(source, f"{name}.py", "exec", dont_inherit=True, optimize=0))
            modules.append((name, package, len(source), source_hash(MAGIC, source)))
        stream = marshal.dumps(tuple(codes))
        streams.append((len(kept), len(stream), source_hash(MAGIC, stream), tuple(modules)))
        kept += stream
    index = marshal.dumps((streams, ways), 2)  # of this version no object refers to another
    head = source_hash(MAGIC, index) + len(index).to_bytes(4, "big") + index
    assert len(head) <= HEAD, f"a start reads {HEAD} bytes for the index, which takes {len(head)}"
    return head + kept


def write(folder: Path) -> Path:
    """Write the file, and return where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / os.path.basename(PACK)
    path.write_bytes(content())
    return path


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        sys.exit(subprocess.run([sys.executable, *sys.argv], env={"PYTHONHASHSEED": "0"}, check=False).returncode)
    sys.stdout.write(f"{write(Path(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(PACK)))}\n")
