"""Codex's hook is told neither the shell nor, in so many words, the directory; the transcript tells both."""

from __future__ import annotations

import json
import os
import sys

import pytest
from helpers.hooks import GOLDEN, envelope
from helpers.samples import sample

from asimi.doors.hooks.transcripts import LAST

FORM = (GOLDEN / "codex-transcript.jsonl").read_text().splitlines()
COMPOUND = "(touch a)"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, a text is for cmd.exe whatever is told")


@pytest.fixture
def asks(home):
    """Asks the hook about a command that a transcript tells of; whether it is allowed."""

    def asks(command=COMPOUND, lines=None, told=None, **changes):
        path = home.home / "rollout.jsonl"
        given = {"cmd": command} if told is None else told
        if lines is None:
            lines = written(given)
        if isinstance(lines, str):
            path.write_text(lines)
        sent = envelope("codex", command, home.root, transcript_path=str(path)) | changes
        said = home.hook("codex", sent)
        assert said.code == 0, said.err
        return said.out == ""

    return asks


def written(given, form=FORM):
    """A transcript as Codex writes it, of a call with some arguments."""
    return "\n".join(form).replace('"ARGUMENTS"', json.dumps(json.dumps(given))) + "\n"


def call(given, **changes):
    """Another line that is a call."""
    entry = json.loads(written(given).splitlines()[-1])
    return json.dumps(entry | {"payload": entry["payload"] | changes}) + "\n"


def test_text_for_bash_is_read_as_bash_reads_it(asks):
    assert asks()


@pytest.mark.parametrize("shell", ["bash", "/bin/bash", "/usr/bin/bash"])
def test_the_model_may_choose_bash(asks, shell):
    if "/" in shell and os.path.realpath(shell) != os.path.realpath("/bin/bash"):
        pytest.skip("that is another bash here")
    assert asks(told={"cmd": COMPOUND, "shell": shell})


@pytest.mark.parametrize(
    "shell",
    ["/bin/sh", "sh", "zsh", "fish", "pwsh", "./bash", "/nowhere/bash", "cmd", "/bin/bash -c", "login", "unknown"],
)
def test_for_another_shell_only_plain_commands_are_allowed(asks, shell):
    assert not asks(told={"cmd": COMPOUND, "shell": shell})
    assert asks("touch a", told={"cmd": "touch a", "shell": shell})


def test_what_dash_runs_and_bash_does_not_is_not_allowed(asks):
    command = "touch a; ((rm a))"
    assert not asks(command, told={"cmd": command, "shell": "/bin/sh"})


UNSURE = {
    "another text": written({"cmd": "touch a"}),
    "no call": "\n".join(FORM[:-1]) + "\n",
    "two calls": written({"cmd": COMPOUND}) + call({"cmd": COMPOUND}),
    "two calls, one for another shell": written({"cmd": COMPOUND}) + call({"cmd": COMPOUND, "shell": "/bin/sh"}),
    "two calls, one of another kind": written({"cmd": COMPOUND}) + call({}, type="custom_tool_call", name="exec"),
    "another tool": call({"cmd": COMPOUND}, name="write_stdin"),
    "another parameter": call({"command": COMPOUND}),
    "no arguments": call({"cmd": COMPOUND}, arguments=None),
    "arguments that are no JSON": call({}, arguments="{"),
    "arguments that are a list": call([COMPOUND]),
    "an argument twice": call({}, arguments=json.dumps({"cmd": COMPOUND})[:-1] + ', "shell": "sh", "shell": "bash"}'),
    "a shell that is no text": call({"cmd": COMPOUND, "shell": ["sh"]}),
    "not of the conversation": json.dumps(json.loads(call({"cmd": COMPOUND})) | {"type": "event_msg"}) + "\n",
    "a torn line": written({"cmd": COMPOUND}) + call({"cmd": COMPOUND})[:-3],
    "a torn line alone": written({"cmd": COMPOUND})[:-20],
    "garbage": "call_1\n",
    "nothing": "",
    "a line too long": call({"cmd": COMPOUND}, padding="x" * (LAST + 1)),
    "a line before the last bytes": call({"cmd": COMPOUND}) + "x" * LAST + "\n",
}


@pytest.mark.parametrize("lines", sample(UNSURE.values(), 3), ids=UNSURE)
def test_where_it_is_not_sure_only_plain_commands_are_allowed(asks, lines):
    assert not asks(lines=lines)
    assert asks("touch a", lines=lines)


def test_a_long_transcript_is_read_from_its_end(asks):
    assert asks(lines="x" * LAST + "\n" + written({"cmd": COMPOUND}))


def _no_file(path):
    os.mkfifo(path)


def _bytes(path):
    path.write_bytes(written({"cmd": COMPOUND}).encode() + b'"\xff call_1"\n')


def _link(path):
    path.with_name("real").write_text(written({"cmd": COMPOUND}))
    path.symlink_to("real")


@pytest.mark.parametrize("make", [_no_file, _bytes, _link, os.mkdir, lambda path: None])
def test_a_file_that_is_none_tells_nothing(asks, home, make):
    make(home.home / "rollout.jsonl")
    assert not asks(lines=())
    assert asks("touch a", lines=())


@pytest.mark.parametrize("changes", [{"transcript_path": None}, {"transcript_path": 5}, {"transcript_path": "a\0b"}])
def test_without_a_transcript_only_plain_commands_are_allowed(asks, changes):
    assert not asks(**changes)


@pytest.mark.parametrize("changes", [{"tool_use_id": None}, {"tool_use_id": ""}, {"tool_use_id": "call_0"}])
def test_an_id_that_is_not_of_this_call_tells_nothing(asks, changes):
    assert not asks(**changes)


def test_the_directory_of_the_call_counts(asks, home):
    home.config.write_text(
        f'[[rules]]\ndecision = "allow"\ntool = "run_shell_command"\ncommand = "touch"\ndirectory = "{home.root}/sub"\n'
    )
    assert not asks("touch a")
    assert asks("touch a", told={"cmd": "touch a", "workdir": "sub"})
    assert asks("touch a", told={"cmd": "touch a", "workdir": str(home.root / "sub")})
    assert asks("touch a", told={"cmd": "touch a", "workdir": "sub"}, cwd=str(home.root / "sub"))
    assert not asks("touch a", told={"cmd": "touch a", "workdir": "/"}, cwd="/")


def test_a_directory_outside_the_sessions_is_asked_about(asks, tmp_path):
    assert not asks("touch a", told={"cmd": "touch a", "workdir": str(tmp_path)}, cwd=str(tmp_path))
