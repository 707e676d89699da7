"""`asimi mcp` as bytes on pipes: messages that are no messages, and clients that leave."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess

import pytest

pytest.importorskip("mcp_types", reason="the MCP SDK is not installed: pip install 'asimi[mcp]'")

from helpers import PATIENCE, warm
from helpers.executors import eventually, sleeping

PING = {"jsonrpc": "2.0", "id": 9, "method": "ping"}
INITIALIZE = {"protocolVersion": "2025-06-18", "clientInfo": {"name": "raw", "version": "1"}}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
SHELL = (
    b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "run_shell_command", "arguments": {%s}}}'
)
INVALID, NOT_JSON = -32600, -32700


class Raw:
    """A client that writes what it likes."""

    def __init__(self, home, forms, *, greets=True):
        self.process = warm.start(
            [*warm.ASIMI, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=home.environ,
            cwd=home.root,
        )
        if not greets:
            return
        client = INITIALIZE | {"capabilities": {"elicitation": {}} if forms else {}}
        assert "result" in self.asked({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def line(self):
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], "no answer"
        return self.process.stdout.readline()

    def next(self):
        return json.loads(self.line())

    def asked(self, message):
        self.send(message)
        return self.next()

    def shell(self, command):
        self.send({**CALL, "params": {"name": "run_shell_command", "arguments": {"command": command}}})


@pytest.fixture
def raw(home, request):
    client = Raw(home, **{"forms": False} | getattr(request, "param", {}))
    yield client
    client.process.kill()
    client.process.wait()
    for stream in (client.process.stdin, client.process.stdout, client.process.stderr):
        stream.close()


with_forms = pytest.mark.parametrize("raw", [{"forms": True}], indirect=True)
unannounced = pytest.mark.parametrize("raw", [{"greets": False}], indirect=True)
CLIENT = 10 << 20
"""Bytes of a message at which the official SDK for TypeScript ends the connection."""
MALFORMED = [
    (b"garbage{{{", None, NOT_JSON),
    (b'{"jsonrpc": "2.0", "id": 2, "method": "\xff"}', None, NOT_JSON),
    (b"[" * 200_000, None, NOT_JSON),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": NaN}}', 7, INVALID),
    (b"[]", None, INVALID),
    (b'"ping"', None, INVALID),
    (b'{"jsonrpc": "2.0", "id": 7}', 7, INVALID),
    (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', 7, INVALID),
    (b'{"id": "seven", "method": "ping"}', "seven", INVALID),
    (b'{"jsonrpc": "2.0", "id": 7, "method": 5}', 7, INVALID),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": []}', 7, INVALID),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "result": {}}', 7, INVALID),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, INVALID),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, INVALID),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, INVALID),
    (b'{"jsonrpc": "2.0", "id": 7, "id": 8, "method": "ping"}', None, INVALID),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "method": "tools/list"}', 7, INVALID),
    (SHELL % b'"command": "touch RAN", "command": "echo hi"', 7, INVALID),
]


def test_a_malformed_request_is_answered_and_the_next_one_too(home, raw):
    found = []
    for line, _, _ in MALFORMED:
        raw.send(line)
        raw.send(PING)
        answer = raw.next()
        found.append((line, answer["id"], answer["error"]["code"] if "error" in answer else "not answered"))
        if answer["id"] != PING["id"]:
            assert raw.next() == {"jsonrpc": "2.0", "id": 9, "result": {}}
    assert found == MALFORMED
    assert not (home.root / "RAN").exists()


@unannounced
@pytest.mark.parametrize("before", [[], [PING]])
def test_a_call_before_the_handshake_is_answered_and_runs_nothing(home, raw, before):
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    for message in before:
        assert raw.asked(message)["result"] == {}
    raw.shell("touch RAN")
    answer = raw.next()
    assert (answer["id"], answer["error"]["code"]) == (2, INVALID)
    assert "initialize comes before tools/call" in answer["error"]["message"]
    assert not (home.root / "RAN").exists()
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE | {"capabilities": {}}}
    assert "result" in raw.asked(greeting)


@pytest.mark.parametrize(
    "command",
    [
        "head -c 300000 /dev/zero",
        pytest.param("head -c 6000000 /dev/zero; head -c 6000000 /dev/zero >&2", marks=pytest.mark.long),
        pytest.param("yes '\"é\\\\' | head -c 4200000", marks=pytest.mark.long),
    ],
)
def test_a_long_output_is_no_longer_than_a_client_takes(home, raw, command):
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    raw.shell(command)
    line = raw.line()
    assert len(line) < CLIENT
    result = json.loads(line)["result"]
    value = result["structuredContent"]
    assert value == json.loads(result["content"][0]["text"])
    assert len(value["stdout"]) > 100_000
    for name, told in value["truncated"].items():
        assert os.path.getsize(told["file"]) == told["bytes"]
        assert f"are left out here; all {told['bytes']:,} are in {told['file']}" in value[name]


def test_an_output_that_a_client_takes_is_whole(home, raw):
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    raw.shell("head -c 200000 /dev/zero; head -c 200000 /dev/zero >&2")
    value = raw.next()["result"]["structuredContent"]
    assert (len(value["stdout"]), len(value["stderr"]), "truncated" in value) == (200_000, 200_000, False)


@pytest.mark.parametrize(
    "arguments", [{"cwd": "\x01" * 2_000_000}, pytest.param({"\x01" * 2_000_000: 1}, marks=pytest.mark.long)]
)
def test_a_refusal_is_no_longer_than_a_client_takes(raw, arguments):
    raw.send({**CALL, "params": {"name": "execute_command", "arguments": {"command": "echo", **arguments}}})
    line = raw.line()
    assert len(line) < CLIENT
    assert "cut here" in json.loads(line)["result"]["structuredContent"]["stderr"]


def test_a_key_that_is_there_twice_is_named(raw):
    answer = raw.asked(b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "method": "ping"}')
    assert '"method" is twice' in answer["error"]["message"]


def test_what_is_no_request_is_not_answered(raw):
    raw.send(b"")
    raw.send(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []}')
    raw.send(b'{"jsonrpc": "2.0", "id": 77, "result": {"action": "accept"}, "result": {}}')
    raw.send(b'{"jsonrpc": "2.0", "id": null, "error": 5}')
    assert raw.asked(PING)["id"] == 9


def test_a_message_without_an_end_is_given_up(raw):
    line = b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": "' + b"x" * (17 << 20) + b'"}}'
    answer = raw.asked(line)
    assert (answer["id"], answer["error"]["code"]) == (None, NOT_JSON)
    assert raw.asked(PING)["id"] == 9


def test_text_that_is_no_unicode_is_answered(raw):
    answer = raw.asked(SHELL % b'"command": "echo \\ud800"')
    assert (answer["id"], answer["result"]["isError"]) == (7, True)
    assert raw.asked(PING)["id"] == 9


@with_forms
@pytest.mark.parametrize(
    "answer",
    [
        b'"error": {"code": -1, "message": "no"}',
        b'"result": {"action": "maybe"}',
        b'"result": {}',
        b'"result": 5',
        b'"result": {"action": "decline", "action": "accept", "content": {"decision": "run_once"}}',
        b'"result": {"action": "accept", "content": {"decision": "run_once"}}',
    ],
)
def test_a_form_that_no_person_can_have_answered_goes_to_the_queue(home, raw, answer):
    raw.shell("touch RAN")
    asked = raw.next()
    assert asked["method"] == "elicitation/create"
    raw.send(b'{"jsonrpc": "2.0", "id": %d, %s}' % (asked["id"], answer))
    result = raw.next()["result"]
    assert result["isError"]
    assert "asimi approve " in result["structuredContent"]["error"]
    assert not (home.root / "RAN").exists()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are looked for in /proc")
@pytest.mark.parametrize("leaves", ["both", "input", "output"])
def test_a_client_that_leaves_is_no_fault_and_nothing_is_left_running(raw, leaves):
    marker = f"46{os.getpid()}.{raw.process.pid}"
    raw.shell(f"echo one; sleep 1; echo two; sleep {marker}")
    assert eventually(lambda: sleeping(marker))
    if leaves in ("output", "both"):
        raw.process.stdout.close()
    if leaves == "output":  # it is told of what is wrong, but does not read it
        with contextlib.suppress(BrokenPipeError):  # it may have ended by then
            for number in range(3):
                raw.send({"jsonrpc": "2.0", "id": 10 + number, "method": "ping"})
    else:
        raw.process.stdin.close()
    assert raw.process.wait(60) == 0
    assert raw.process.stderr.read() == b""
    assert not sleeping(marker)


@with_forms
def test_a_server_that_is_told_to_end_waits_for_no_form(home, raw):
    raw.shell("touch RAN")
    assert raw.next()["method"] == "elicitation/create"
    raw.process.send_signal(signal.SIGTERM)
    assert raw.process.wait(30) == 143


def test_without_the_sdk_it_says_what_to_install(home, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'mcp' else find(name, *rest)\n"
    )
    done = home.asimi("mcp", environ={"PYTHONPATH": f"{hidden}{os.pathsep}{home.environ['PYTHONPATH']}"})
    assert done.returncode == 125
    assert "'asimi[mcp]'" in done.stderr


@pytest.fixture
def below(home):
    home.environ["ASIMI_CLI"] = "1"


@with_forms
def test_a_client_below_a_call_is_shown_no_form(below, home, raw):
    raw.shell("touch RAN")
    assert raw.next()["result"]["isError"]
    assert not (home.root / "RAN").exists()
