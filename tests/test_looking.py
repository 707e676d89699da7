"""What is looked up on the file system before a person is told what a command does."""

from __future__ import annotations

import os
import time

import pytest

from asimi.core.call import Act, Deed
from asimi.core.reading.shapes import ANY, SOME
from asimi.world.host.deed_facts import add_file_facts


@pytest.fixture
def tree(tmp_path):
    """A directory of three files, one below the other, a link to what is outside, and a hidden one."""
    (tmp_path / "x" / "y").mkdir(parents=True)
    for name in ("x/a.o", "x/y/b.o", "x/.c"):
        (tmp_path / name).touch()
    (tmp_path / "x" / "link").symlink_to(os.path.dirname(tmp_path))
    return tmp_path


def seen(act, directory):
    ((deed),) = add_file_facts((Deed("x", (0, 1), (), (act,)),), str(directory), str(directory))
    return deed.acts[0]


@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("x", 4),
        ("x/a.o", 1),
        ("x/link", 1),
        ("none", 0),
        (f"x/{SOME}", 3),
        (f"x/{SOME}.o", 1),
        (f"none/{SOME}", 0),
        (f"x/{ANY}", None),
        (f"{SOME}/x", None),
        ("x\0", 0),
    ],
)
def test_files_that_a_delete_would_take_are_counted(tree, path, files):
    assert seen(Act("delete", path=f"{tree}/{path}"), tree).files == files


def test_only_a_delete_is_counted(tree):
    assert seen(Act("write", path=f"{tree}/x"), tree).files is None


def test_a_look_takes_a_short_time(tree, monkeypatch):
    monkeypatch.setattr("asimi.world.host.deed_facts.SECONDS", -1)
    assert seen(Act("delete", path=f"{tree}/x"), tree).files == -1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"scripts": {"test": "vitest run"}}', "vitest run"),
        ('{"scripts": {"other": "x"}}', ""),
        ('{"scripts": {"test": 5}}', ""),
        ('{"scripts": []}', ""),
        ("[", ""),
        ("[" * 100_000, ""),
        ("\udcff", ""),
        (None, ""),
    ],
)
def test_a_script_is_what_package_json_says(tree, content, words):
    if content is not None:
        (tree / "package.json").write_text(content, errors="surrogateescape")
    assert seen(Act("code", script="test"), tree).words == words


def test_the_nearest_package_json_counts_and_a_pipe_is_none(tree):
    (tree / "package.json").write_text('{"scripts": {"test": "x"}}')
    os.mkfifo(tree / "x" / "package.json")
    began = time.monotonic()
    ((deed),) = add_file_facts((Deed("npm test", (0, 8), (), (Act("code", script="test"),)),), f"{tree}/x/y", str(tree))
    assert deed.acts[0].words == "x"
    assert time.monotonic() - began < 5
