"""`asimi box`: boxes that run say what they are, and put back what a person wants kept."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from helpers import PATIENCE, PYTHON, which
from helpers.home import Home

from asimi.world.box.reaper import clean

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are for Linux")

BOX = """
import json, os, sys
from contextlib import closing
from asimi.world.box.keep_socket import Keeps, RunningBox
path, title, root, moved, to = sys.argv[1:]
def keep(wanted):
    if wanted != moved or not os.path.lexists(to):
        return "nothing was moved from there"
    os.rename(to, wanted)
    return ""
with closing(Keeps(path, keep, lambda: RunningBox(title, root, (root,), 1e9, ((moved, to),) * os.path.lexists(to)))):
    print(flush=True)
    input()
"""
"""What a box has for the person, without the box."""


@pytest.fixture
def home():
    """A home with a short path, because that of a socket may not be long (unix(7))."""
    with tempfile.TemporaryDirectory(prefix="box-") as directory:
        yield Home(Path(directory))


@pytest.fixture
def running(home):
    """Starts what hears for a box, which has moved a file away; its socket."""
    started = []

    def running(name, root, moved="sub/.envrc", *, title="Codex"):
        (home.state / "boxes").mkdir(mode=0o700, parents=True, exist_ok=True)
        home.state.chmod(0o700)
        to = home.home / f"appeared-{name}"
        to.write_text("echo moved\n")
        path = home.state / "boxes" / f"box-{name}.sock"
        line = [PYTHON, "-c", BOX, path, title, root, root / moved, to]
        started.append(subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=home.environ))
        started[-1].stdout.readline()
        return path

    yield running
    for each in started:
        each.kill()
        each.communicate(timeout=PATIENCE)


def test_without_a_box_there_is_nothing_to_list_and_nothing_to_keep(home):
    assert home.asimi("box", "list").stdout == "No box runs.\n"
    done = home.asimi("box", "keep", "x")
    assert (done.returncode, "no box that runs writes there (asimi box list)" in done.stderr) == (125, True)


def test_a_box_that_runs_is_listed_with_what_was_moved(home, running):
    running("one", home.root)
    running("two", home.home, "a\x1b[31m", title="b\udc80\n")
    told = home.asimi("box", "list").stdout.splitlines()
    assert told[0].startswith("Codex  since 2001-09-")
    assert told[0].endswith(f"in {home.root}")
    assert told[1] == f"    sub/.envrc  moved to {home.home}/appeared-one"
    assert "\x1b" not in "".join(told)


@pytest.mark.parametrize(
    ("where", "path"), [("root", "sub/.envrc"), ("root/sub", ".envrc"), ("home", "sub/.envrc"), ("home", "whole")]
)
def test_what_was_moved_is_put_back_by_its_path_from_here_or_in_the_project(home, running, where, path):
    running("one", home.root)
    running("other", home.home / "run", "x")
    path = home.root / "sub/.envrc" if path == "whole" else path
    done = home.asimi("box", "keep", path, cwd=home.root.parent / where)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{home.root}/sub/.envrc is back, and the box of Codex can only read it.\n"
    assert (home.root / "sub/.envrc").read_text() == "echo moved\n"
    assert [(each["what"], each["path"]) for each in home.log()] == [("box keep", f"{home.root}/sub/.envrc")]
    assert "moved to" not in home.asimi("box", "list").stdout.partition("in ")[0]


def test_what_the_box_says_is_told(home, running):
    running("one", home.root)
    done = home.asimi("box", "keep", "sub/other")
    assert done.returncode == 1
    assert f"{home.root}/sub/other is not back: nothing was moved from there" in done.stderr


def test_where_several_boxes_may_be_meant_nothing_is_kept(home, running):
    (home.home / "p").mkdir()
    running("one", home.root)
    running("two", home.home / "p")
    done = home.asimi("box", "keep", "sub/.envrc", cwd=home.home)
    assert done.returncode == 125
    assert "several boxes may be meant" in done.stderr
    assert home.asimi("box", "keep", home.root / "sub/.envrc", cwd=home.home).returncode == 0


def test_a_command_that_asimi_runs_has_nothing_kept(home, running):
    """Neither by asimi, nor at the socket itself."""
    path = running("one", home.root)
    script = home.root / "script.py"
    script.write_text(
        f"import socket\nsocket = socket.socket(socket.AF_UNIX); socket.connect({str(path)!r})\n"
        f"socket.sendall({json.dumps({'version': 1, 'keep': f'{home.root}/sub/.envrc'}).encode()!r} + b'\\n')\n"
        "print(socket.recv(4096))\n"
    )
    for line in (f"{PYTHON} -m asimi box keep sub/.vscode", f"{PYTHON} script.py"):
        done = home.asimi("--yes", "run", f"env -u ASIMI_RUN -u ASIMI_CLI {line}")
        assert "A command run by asimi cannot" in done.stderr or "a command that asimi runs" in done.stdout
    assert not (home.root / "sub/.envrc").exists()


@pytest.mark.skipif(not which("bwrap"), reason="it takes bubblewrap")
def test_a_process_in_a_box_of_another_kind_has_nothing_kept(home, running):
    """The socket is where no box can see it; it would be no use there."""
    path = running("one", home.root)
    code = (
        "import sys; from asimi.world.box.keep_socket import boxes, keep; "
        "print(boxes(sys.argv[2]), keep(*sys.argv[1:]))"
    )
    line = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc", PYTHON, "-c", code]
    done = subprocess.run([*line, path, path.parent], capture_output=True, text=True, env=home.environ, check=True)
    assert done.stdout.startswith("[] ")
    assert "it comes from" in done.stdout


@pytest.mark.parametrize("sent", [b"", b"\n", b"{}\n", b'{"version":1,"keep":1}\n', b'{"version":9,"keep":""}\n', b"x"])
def test_what_is_no_line_of_asimi_s_does_nothing_and_the_next_is_heard(home, running, sent):
    path = running("one", home.root)
    with socket.socket(socket.AF_UNIX) as near:
        near.connect(os.fspath(path))
        near.sendall(sent)
        near.shutdown(socket.SHUT_WR)
        answer = near.recv(4096)
    assert not answer or json.loads(answer)["why"].startswith("it is no valid line")
    assert home.asimi("box", "keep", "sub/.envrc").returncode == 0


def test_a_file_in_the_place_of_a_socket_and_one_that_nobody_hears_are_no_boxes(home, running):
    path = running("one", home.root)
    (path.parent / "box-file.sock").write_text("x")
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(os.fspath(path.parent / "box-dead.sock"))
    assert len(home.asimi("box", "list").stdout.splitlines()) == 2


def test_a_socket_goes_with_the_record_of_a_box_that_was_killed(home, tmp_path):
    record, path = tmp_path / "box-one.json", tmp_path / "box-one.sock"
    record.write_text("{}")
    record.chmod(0o600)
    path.touch()
    clean(str(record))
    assert not record.exists()
    assert not path.exists()


def test_an_open_watch_tells_what_a_box_has_to_say(home):
    code = "import sys; from asimi.compose.asking import tell_watches; from asimi.compose.configuration import *\n"
    code += "from asimi.compose import Options\ntell_watches(configuration_of(Options()), sys.argv[1])"

    def told(text):
        subprocess.run([PYTHON, "-c", code, text], cwd=home.root, env=home.environ, check=True)

    told("before")  # nobody would hear it, so nothing is left
    questions = home.home / "run" / "asimi" / "questions"
    assert not questions.exists()
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        told("moved: sub/.envrc \x1b[31m")
        person.sees("asimi: moved: sub/.envrc \\x1b[31m")
        with home.at_terminal("watch") as other:
            other.sees("Waiting for questions")
            told("again")
            other.sees("again")
            person.sees("again")
            assert "moved" not in other.display
        (note, _) = sorted(questions.glob("*.note"))
        os.utime(note, (time.time() - 90,) * 2)
        end = time.monotonic() + PATIENCE
        while note.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        assert person.display.count("moved") == 1
