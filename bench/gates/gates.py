"""The gates that are compared, each in its own best configuration and with the same list of programs, and why so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST = HERE / "programs.txt"
PROGRAMS = LIST.read_text(encoding="utf-8").split()
PATIENCE = 900  # seconds for all commands of one gate
WORDS = {"allow", "ask", "deny", "broke"}

PRESET, SAME = "its own", "the same list"
"""Configurations: the best of its own for everyday work, or what it makes of the programs in programs.txt."""


class Missing(Exception):
    """A gate is not here; the text says how it comes."""


class Gate(NamedTuple):
    """A gate in one configuration.

    Attributes:
        name: what people call it.
        setting: `PRESET` or `SAME`.
        label: the configuration in a few words.
        why: why this one.
        words: what starts its judge: the language, then what the judge takes.
        environ: variables of its environment besides.
    """

    name: str
    setting: str
    label: str
    why: str
    words: tuple[str, ...]
    environ: tuple[tuple[str, str], ...] = ()


WITHOUT = "It takes no list of programs to allow, so it is not in the other part."
STANDARD, PARANOID = ((("CC_SAFETY_NET_LEVEL", level),) for level in ("standard", "paranoid"))


def both(name, judge, own, listed):
    """A gate with its own configuration and with the list; each is its label, and why."""
    return Gate(name, PRESET, *own, judge), Gate(name, SAME, *listed, judge)


GATES = (
    Gate(
        "asimi", PRESET, "developer", "The preset that `asimi config init` proposes for work.", ("asimi", "developer")
    ),
    Gate(
        "asimi", PRESET, "reader", "The preset for comparison with gates that allow only reading.", ("asimi", "reader")
    ),
    Gate("asimi", SAME, "coreTools", "One entry for each program, nothing else.", ("asimi", "")),
    *both(
        "vetter",
        ("python", "vetter"),
        ("stock policy", "It has one policy of its own."),
        ("imported list", "What `vetter import claude` makes of `Bash(NAME:*)`; its stock policy stays below."),
    ),
    *both(
        "nah",
        ("python", "nah"),
        ("as it comes", "Its defaults, without a model. 1.x is another program, on neither index."),
        (
            "classify",
            "Its only way to say that a program may run: as `filesystem_read`. Its own rules stay for others.",
        ),
    ),
    *both(
        "Dippy",
        ("python", "dippy"),
        ("as it comes", "It needs no configuration; it allows what only reads."),
        ("allow rules", "One `allow NAME` for each; its own rules stay for others."),
    ),
    *both(
        "bashgate",
        ("python", "bashgate"),
        ("as it comes", "The file that `bashgate install` copies."),
        ("commands", "The names as its `commands`, nothing else."),
    ),
    Gate(
        "cc-safety-net",
        PRESET,
        "standard",
        "Its recommended level: it blocks what is destructive and leaves the rest alone. " + WITHOUT,
        ("node", "safetyNet"),
        STANDARD,
    ),
    Gate(
        "cc-safety-net",
        PRESET,
        "paranoid",
        "Its strictest level, for agents that are not trusted.",
        ("node", "safetyNet"),
        PARANOID,
    ),
    Gate(
        "claude-safety-guard",
        PRESET,
        "as it comes",
        "Patterns of what is destructive; a warning lets a command run. " + WITHOUT,
        ("python", "claude_safety_guard"),
    ),
    Gate(
        "Gemini CLI",
        SAME,
        "tools.allowed",
        "The policy engine of its core in its usual mode. By itself it asks about every command.",
        ("node", "gemini"),
    ),
)

VERSIONS = {
    "asimi": ("asimi", "python"),
    "vetter": ("vetter", "python"),
    "nah": ("nah", "python"),
    "bashgate": ("bashgate", "python"),
    "claude-safety-guard": ("claude_safety_guard", "python"),
    "cc-safety-net": ("cc-safety-net", "node"),
    "Gemini CLI": ("@google/gemini-cli-core", "node"),
    "Dippy": ("", "checkout"),
}


class Scene:
    """Where the gates judge: a project in git below a home of its own, and the programs of others.

    Args:
        place: an empty directory, not in the temporary directory, which gates treat as a place of its own.
        programs: what `make gates` installed.
        dippy: a checkout of Dippy; None if there is none.
    """

    def __init__(self, place, programs, dippy):
        self.place, self.programs, self.dippy = Path(place), Path(programs), dippy
        self.project = self.place / "home" / "project"
        self.project.mkdir(parents=True)
        for name, text in FILES.items():
            (self.project / name).parent.mkdir(exist_ok=True)
            (self.project / name).write_text(text, encoding="utf-8")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", self.project]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Begin"]):
            subprocess.run([*git, *words], check=True, env=self.environ(self.place / "home"))

    def environ(self, home):
        """A small environment with a home of its own."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return kept | {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "TERM": "dumb", "PYTHONDONTWRITEBYTECODE": "1"}

    def tree(self):
        """What is in the project: nothing that judges may change it."""
        files = (each for each in sorted(self.project.rglob("*")) if each.is_file())
        return {str(each): each.read_bytes() for each in files}

    def verdicts(self, gate, commands):
        """What a gate says of each command; raises `Missing`, or `subprocess.SubprocessError` if its judge fails."""
        language, *words = gate.words
        environ = self.environ(self.place / "home") | dict(gate.environ)
        if language == "asimi":
            return self.ours(words[0], commands, environ)
        listed = [LIST] if gate.setting == SAME else []
        if language == "python":
            python = self.programs / "python/bin/python"
            call = [python, HERE / "judges.py", *words, *listed]
            if words == ["dippy"]:
                if not self.dippy:
                    raise Missing("a directory `dippy` beside the sets is needed")
                environ["DIPPY"] = str(self.dippy)
        else:
            modules = self.programs / "node_modules"
            call = ["node", HERE / "judges.mjs", *words, modules, *listed]
        if not version(gate.name, self.programs, self.dippy):
            raise Missing("`make gates` did not install it")
        done = subprocess.run(
            call, input=json.dumps(commands), env=environ, cwd=self.project, capture_output=True, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        said = done.stdout.split()
        if done.returncode or len(said) != len(commands) or set(said) - WORDS:
            raise subprocess.SubprocessError(f"{len(said)} answers to {len(commands)} commands: {done.stderr[-300:]}")
        return said

    def ours(self, preset, commands, environ):
        """The verdicts of asimi as behind an agent's hook, where substitution is judged."""
        asimi = [sys.executable, "-m", "asimi"]
        config = self.place / f"{preset or 'list'}.toml"

        def run(*words, code=(0,)):
            done = subprocess.run(
                [*asimi, *words], cwd=self.project, env=environ | {"PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=PATIENCE, check=False,
            )  # fmt: skip
            if done.returncode not in code:
                raise subprocess.SubprocessError(done.stderr[-300:])
            return done.stdout

        if preset:
            environ = environ | {"XDG_CONFIG_HOME": str(self.place / preset)}
            run("config", "init", "--preset", preset)
            text = (self.place / preset / "asimi/config.toml").read_text(encoding="utf-8")
        else:
            text = "coreTools = " + json.dumps([f"run_shell_command({each})" for each in PROGRAMS])
        config.write_text(f'{text}\n[shell]\nsubstitution = "judge"\n', encoding="utf-8")
        cases = self.place / f"cases-{preset or 'listed'}.jsonl"  # others judge at the same time
        cases.write_text("".join(json.dumps({"command": each}) + "\n" for each in commands), encoding="utf-8")
        said = run("--config", str(config), "policy", "test", str(cases), "--json", code=(0, 1)).splitlines()
        found = [json.loads(line).get("verdict", "broke") for line in said]
        if len(found) != len(commands):
            raise subprocess.SubprocessError(f"{len(found)} answers to {len(commands)} commands")
        return found


FILES = {
    "README.md": "# A project\n",
    "Makefile": "test:\n\tpython3 -m unittest\n",
    "package.json": '{"name": "project", "scripts": {"test": "node test.js"}}\n',
    "src/app.py": "print('hello')\n",
    "tests/test_app.py": "import unittest\n",
    "notes.txt": "one\ntwo\n",
}


def version(name, programs, dippy):
    """Which version of a gate is here; None if it is not."""
    package, kind = VERSIONS[name]
    if kind == "checkout":
        return dippy and "from a checkout"
    if kind == "node":
        file = Path(programs, "node_modules", package, "package.json")
        return json.loads(file.read_text(encoding="utf-8"))["version"] if file.exists() else None
    if name == "asimi":
        sys.path.insert(0, str(ROOT))
        from asimi import __version__

        return __version__
    about = [*Path(programs).glob(f"python/lib/python*/site-packages/{package}-*.dist-info")]
    return about[0].name.removesuffix(".dist-info").rpartition("-")[2] if about else None
