"""`asimi config init` names what can tell a person of a question, where it finds it."""

from __future__ import annotations

import tomllib

import pytest
from helpers.home import Home


@pytest.mark.parametrize(
    ("programs", "environ", "named"),
    [
        ([], {"TMUX": "x"}, []),
        (["notify-send"], {}, ["notify-send"]),
        (["tmux"], {}, []),  # nobody is in tmux
        (["tmux", "notify-send"], {"TMUX": "x"}, ["tmux display-popup", "notify-send"]),
    ],
)
def test_what_is_found_is_named_as_it_is_written(tmp_path, programs, environ, named):
    home, there = Home(tmp_path, None), tmp_path / "bin"
    there.mkdir()
    for name in (*programs, "bash"):
        (there / name).write_text("#!/bin/sh\n")
        (there / name).chmod(0o755)
    done = home.asimi("config", "init", "--preset", "reader", environ={"PATH": str(there), **environ})
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("notice")]
    values = [tomllib.loads(line.split("  ", 1)[1].strip().partition(" in [session]")[0])["notify"] for line in lines]
    assert [value[:2] for value in values] == [["sh", "-c"]] * len(named)
    assert all(words in value[2] for words, value in zip(named, values, strict=True))
