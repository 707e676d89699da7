"""What git ignores, held against the real git: generated patterns over generated names."""

from __future__ import annotations

import os
import random
import subprocess

import pytest
from helpers.undo import QUIET

from asimi.world.undo.ignoring import Patterns

NAMES = ["a", "b", "ab", "a.c", ".x", "a b", "foo", "f*o", "a[b", "[ab]", "b-c", "#a", "!b", "a\\b", "aXb", "é"]

PIECES = (
    "a b c * ** ? / / . [ab] [!a] [a-c] [^b] \\ \\* [[:alpha:]] ! # foo [ []a] [a- - ] **/ /** *.c é [\\]a] "
    "[z-a] [[:no:]] \\/ *a a*"
).split()


def line(chance):
    """A line of a file of patterns."""
    text = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 5)))
    return chance.choice(["", "", "", "!", "/"]) + text + chance.choice(["", "", "", "/", " ", "\\ ", "\r"])


@pytest.mark.parametrize("seed", range(60))
def test_the_real_git_ignores_the_same(tmp_path, seed):
    """Each name is ignored here exactly if it is there."""
    chance, top = random.Random(seed), str(tmp_path / "tree")
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)} | QUIET
    subprocess.run(["git", "init", "-q", top], env=environ, check=True)
    folders = [top]
    for _ in range(5):
        path = os.path.join(chance.choice(folders), chance.choice(NAMES))
        if not os.path.lexists(path):
            os.mkdir(path)
            folders.append(path)
    for folder in folders:
        for name in [*chance.sample(NAMES, 6), ".gitignore"]:
            path = os.path.join(folder, name)
            if not os.path.lexists(path):
                with open(path, "wb") as file:
                    lines = [line(chance) for _ in range(chance.randint(1, 4))] if name == ".gitignore" else []
                    file.write("\n".join(lines).encode())
    words = ["git", "-C", top, "ls-files", "-z", "--others", "--exclude-standard"]
    listed = subprocess.run(words, env=environ, capture_output=True, check=True).stdout
    assert set(kept(top, "", None)) == {os.fsdecode(each) for each in listed.split(b"\0") if each}


def kept(top, base, above):
    """What is not ignored below a directory."""
    with open(os.path.join(top, base, ".gitignore"), "rb") as file:
        patterns = Patterns(above, base, file.read())
    for entry in os.scandir(os.path.join(top, base)):
        path, folder = base + entry.name, entry.is_dir(follow_symlinks=False)
        if entry.name != ".git" and not patterns.ignores(path, entry.name, directory=folder):
            yield from kept(top, f"{path}/", patterns) if folder else [path]
