"""Looks for repositories that git finds and asimi does not: `python -m fuzz.layouts SECONDS [SEED]` in tests/.

A layout is a tree of directories with parts of repositories in them: HEAD, objects, refs, `commondir`, pointer files,
links. For each directory and file in it, git says which repository it would work in, found from there or named by
`--git-dir`. asimi must find the same one. The exit status is 1 if it does not.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.machine import Machine
from asimi.core.judging.paths import Paths
from asimi.core.judging.repositories import is_foreign
from asimi.core.reading import Readings
from asimi.world.host.repositories import repository_of
from asimi.world.host.trees import kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DIRECTORIES = ("a", "a/b", "a/b/c", "d", "d/.git", "a/.git", "a/b/.git", ".git/x", "a/b/refs/x")
HEADS = ("ref: refs/heads/main\n", "ref:refs/x", "ref:  \t refs/x\n", "ref: heads/x\n", "0" * 40, "f" * 64, "main", "")
POINTERS = ("gitdir: {}\n", "gitdir: {}", "gitdir: {}\r\n", "gitdir:{}\n", "gitdir: {} \n", "x gitdir: {}", "gitdir: ")
FILES = (".git", "pointer.txt", "HEAD")


class Wrong(NamedTuple):
    """What git and asimi say differently of one layout.

    Attributes:
        asked: how git was asked, and of what.
        git: the repository that it works in.
        asimi: what asimi finds.
    """

    asked: str
    git: str
    asimi: str | None


def build(root: Path, rng: random.Random) -> None:
    """Put a layout in a directory that is a repository of git."""
    made = [root / each for each in DIRECTORIES if rng.random() < 0.6]
    for each in made:
        if not os.path.lexists(each) and all(not above.is_file() for above in each.parents):
            each.mkdir(parents=True)
    made = [root, *(each for each in made if each.is_dir())]
    for each in made[1:]:
        for part, chance in (("HEAD", 0.7), ("objects", 0.6), ("refs", 0.6), ("commondir", 0.3), ("config", 0.3)):
            if rng.random() < chance and not os.path.lexists(each / part):
                _part(each, part, made, rng)
    for _ in range(4):
        path, target = rng.choice(made[1:] or made) / rng.choice(FILES), rng.choice(made)
        if not os.path.lexists(path):
            led = rng.choice([str(target), os.path.relpath(target, path.parent), f"{target}/.git"])
            if rng.random() < 0.2:
                path.symlink_to(led)
            else:
                path.write_text(rng.choice(POINTERS[:2] * 3 + POINTERS).format(led), newline="")


def _part(directory: Path, part: str, made: list[Path], rng: random.Random) -> None:
    """Put one part of a repository in a directory."""
    path = directory / part
    if part == "HEAD" and rng.random() < 0.2:
        path.symlink_to(rng.choice(["refs/heads/main", "../HEAD", "config"]))
    elif part == "HEAD":
        path.write_text(rng.choice(HEADS[:1] * 5 + HEADS), newline="")
    elif part == "commondir":
        led = rng.choice(made)
        path.write_text(rng.choice([str(led), os.path.relpath(led, directory)]) + rng.choice(["\n", "", "\r\n"]))
    elif part == "config":
        path.write_text("[core]\n\tbare = false\n")
    elif rng.random() < 0.1:
        path.write_text("")
    else:
        path.mkdir()


def compare(root: Path) -> Iterator[Wrong]:
    """What git and asimi say differently of what is below a repository of git."""
    asked = [os.path.join(at, name) for at, names, files in os.walk(root) for name in (*names, *files)]
    own = os.path.realpath(root / ".git")
    for path in [path for path in asked if not path.startswith(f"{own}/") or path.startswith(f"{own}/x")]:
        if os.path.isdir(path) and (told := _told(root, "-C", path)) is not None:
            found = repository_of(path)
            if found != told:
                yield Wrong(f"-C {path}", told, found)
        told = _told(root, f"--git-dir={path}")
        if told is not None and not f"{told}/".startswith(f"{own}/") and not _is_foreign(str(root), path):
            yield Wrong(f"--git-dir={path}", told, None)


def _told(root: Path, *words: str) -> str | None:
    """What git says of where it works; None where it does not."""
    keep = {"HOME": str(root), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", *words, "rev-parse", "--absolute-git-dir"]
    told = subprocess.run(command, cwd=root, env=keep, capture_output=True, check=False)
    return os.path.realpath(os.fsdecode(told.stdout).removesuffix("\n")) if told.returncode == 0 else None


def _is_foreign(root: str, path: str) -> bool:
    machine = Machine(root, os.path.realpath, {}, repository=repository_of, kind=kind)
    request = Request("run_shell_command", f"git --git-dir={path} status", None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    return is_foreign(reading.commands[0], Paths(machine, request, reading, Budget()), machine, root)


def differences(directory: Path, seed: int) -> list[Wrong]:
    """What git and asimi say differently of a layout made from a seed, in a directory that is removed again."""
    root = directory / f"layout-{seed}"
    root.mkdir()
    try:
        keep = {"HOME": str(root), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "init", "-q"], cwd=root, env=keep, check=True, capture_output=True)
        build(root, random.Random(seed))
        return list(compare(root))
    finally:
        shutil.rmtree(root)


def main(seconds: float, seed: int) -> int:
    """Look for so long, and say what was found; the exit status."""
    from pathlib import Path

    end, first, wrong = time.monotonic() + seconds, seed, 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(os.path.realpath(name))
        while time.monotonic() < end:
            for each in differences(directory, seed):
                wrong += 1
                sys.stdout.write(f"seed {seed}: {each.asked}: git works in {each.git}, asimi finds {each.asimi}\n")
            seed += 1
    sys.stdout.write(f"{seed - first} layouts, {wrong} differences\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()))
