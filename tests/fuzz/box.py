"""A box to throw away, in which bash runs what asimi allows: for `lists` and `values`.

The box is bwrap's: no network, nothing of this machine but its programs, little of everything.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

BWRAP = shutil.which("bwrap")
ASIMI = [sys.executable, "-m", "asimi"]
MANY = 1000
"""Texts that are judged by one process, and run in one box."""

RUNNING = r"""
import json, os, resource, shutil, signal, subprocess, sys

home, marks = sys.argv[1], json.loads(sys.stdin.readline())  # not in its arguments, which `ps` shows
root = home + "/project"
limits = {resource.RLIMIT_CPU: 2, resource.RLIMIT_AS: 1 << 30, resource.RLIMIT_FSIZE: 1 << 18, resource.RLIMIT_CORE: 0,
          resource.RLIMIT_NPROC: 2000}

def limited():
    os.setsid()
    for limit, most in limits.items():
        resource.setrlimit(limit, (most, most))

def shown(text, environment):
    process = subprocess.Popen(
        ["timeout", "-k", "1", "2", "bash", "-c", text], cwd=root, env=environment, preexec_fn=limited,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    said = process.stdout.read(1 << 20)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return [name for name, mark in marks.items() if mark.encode() in said]
"""
"""Begins what runs in the box: `shown` runs a text, and tells which marks it has shown."""


def judged(home: Path, config: Path, texts: list[str], variables: Mapping[str, str] | None = None) -> list[str]:
    """The verdicts of asimi, under the preset `developer` with substitution judged."""
    root, table = home / "project", config.parent / "texts.jsonl"
    rows = ({"id": str(at), "command": text} for at, text in enumerate(texts))
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "XDG_STATE_HOME": str(config.parent),
        "XDG_CONFIG_HOME": str(config.parent), "PYTHONPATH": os.pathsep.join(sys.path), **(variables or {}),
    }  # fmt: skip

    def asimi(*words: str) -> str:
        done = subprocess.run([*ASIMI, *words], cwd=root, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout, done.stderr
        return done.stdout

    if not config.exists():
        asimi("config", "init", "--preset", "developer")
        own = (config.parent / "asimi" / "config.toml").read_text(encoding="utf-8")
        config.write_text('shell.substitution = "judge"\n' + own.replace("[shell]\n", ""), encoding="utf-8")
    answers = asimi("--config", str(config), "policy", "test", str(table), "--json").splitlines()
    return [json.loads(answer)["verdict"] for answer in answers]


def leaked(
    home: Path, inside: str, marks: Mapping[str, str], texts: Collection[Sequence[object]], binds: Sequence[str] = ()
) -> dict[int, list[str]]:
    """What leaked of texts when bash ran them in one box.

    Args:
        home: where the home is in the box.
        inside: what runs there, behind `RUNNING`; it tells what leaked of each text.
        marks: what must not be shown, by its name.
        texts: each with its number first, as `inside` reads them.
        binds: more words for bwrap.
    """
    assert BWRAP is not None
    box = [
        *(BWRAP, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"),
        *("--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", *binds),
        *("--size", str(64 << 20), "--tmpfs", "/tmp", "--size", str(64 << 20), "--tmpfs", str(home)),
        *("--", "/usr/bin/python3", "-c", RUNNING + inside, str(home)),
    ]
    given = "".join(json.dumps(each) + "\n" for each in (marks, *texts))
    done = subprocess.run(box, input=given, stdout=subprocess.PIPE, text=True, check=False, timeout=10 + 4 * len(texts))
    found: dict[int, list[str]] = dict(map(json.loads, done.stdout.splitlines()))
    assert len(found) == len(texts), f"the box ended with {done.returncode} after {len(found)} of {len(texts)} texts"
    return found


def report(name: str, search: Callable[[int, int, float], tuple[int, int, list[str]]]) -> int:
    """Run for some seconds, or to a number of texts that are run; print the figures and every leak."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time()) * 1000
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 30
    if BWRAP is None:
        print(f"{name}: there is no bwrap, so nothing was run")  # noqa: T201 (its output)
        return 0
    print(f"{name}: seed {seed}, {seconds:g} s", flush=True)  # noqa: T201 (its output)
    written, run, leaks = search(most, seed, seconds)
    print(*leaks, f"{written} texts, {run} allowed and run, {len(leaks)} leaks", sep="\n")  # noqa: T201 (its output)
    return bool(leaks)
