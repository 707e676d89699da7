"""`asimi self-test` says what holds on this machine, notices what does not, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import shutil
import sys

import pytest
from helpers.home import Home

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is proven here is Linux'")


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, "")


def found(home, **environ):
    done = home.asimi("self-test", "--json", environ=environ)
    said = json.loads(done.stdout)
    assert done.returncode == (0 if said["holds"] else 1), done.stderr
    return {each["what"]: (each["state"], each["text"]) for each in said["found"]}


def path_with(home, name, text):
    """A PATH on which a program stands before all others."""
    directory = home.home / "bin"
    directory.mkdir()
    (directory / name).write_text(text)
    (directory / name).chmod(0o755)
    return f"{directory}:{home.environ['PATH']}"


def files(directory):
    return sorted(os.path.join(place, name) for place, _, names in os.walk(directory) for name in names)


def test_all_that_this_machine_can_do_holds_and_nothing_is_left(home):
    before = files(home.home)
    done = home.asimi("self-test")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert 8 <= len(lines) <= 12
    assert {line.split()[0] for line in lines} <= {"holds", "note"}
    assert files(home.home) == before
    assert home.log() == []


def test_a_bash_that_runs_more_than_the_text_says_is_noticed(home):
    real = shutil.which("bash", path=home.environ["PATH"])
    text = f'#!{real}\n[ "$1" = -c ] && exec {real} -c "$2\nmore" "${{@:3}}"\nexec {real} "$@"\n'
    assert found(home, PATH=path_with(home, "bash", text))["reading"][0] == "fails"


def test_a_configuration_that_cannot_be_used_is_a_failure(home):
    home.config.write_text("coreTools = [")
    state, text = found(home)["your configuration"]
    assert state == "fails"
    assert str(home.config) in text


def test_it_tries_what_doctor_says_this_machine_can_do(home):
    said = home.asimi("doctor").stdout
    state = {what: f"{what}: not here" not in said for what in ("box", "exec rules", "sandbox")}
    state["sandbox"] = state["sandbox"] or state["box"]
    assert {what: found(home)[what][0] for what in state} == {
        what: "holds" if there else "note" for what, there in state.items()
    }


def test_a_home_that_cannot_be_written_is_said(home):
    done = home.asimi("self-test", environ={"HOME": "/proc/1"})
    assert done.returncode == 125
    assert "/proc/1" in done.stderr
