"""`asimi serve`, `mcp` and `relay` have a process beside them that sends; commands that end have none."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from site import getsitepackages as site_packages

import pytest
from helpers import PYTHON, ROOT
from helpers.home import Home
from helpers.questions import until

from asimi.extras.telemetry.events import DECISION, RESULT

ALLOW = 'coreTools = ["run_shell_command(echo)", "run_shell_command(sleep)"]\n'


@pytest.fixture
def home(tmp_path, receiver):
    return Home(tmp_path, ALLOW + receiver.table)


def names(receiver):
    return [each.name for each in receiver.received]


@contextmanager
def serving(home, *commands, words=("serve",)):
    """An `asimi serve` that was sent some commands and stays."""
    process = home.start(*words)
    try:
        send(process, *commands)
        yield process
    finally:
        process.communicate()


def send(process, *commands):
    process.stdin.write(b"".join(json.dumps({"command": each}).encode() + b"\n" for each in commands))
    process.stdin.flush()


def senders(process):
    """The processes that a process has started."""
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
        return [int(pid) for pid in children.read().split()]


def gone(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_serve_sends_one_record_for_each_decision_and_each_end(home, receiver):
    home.answers({"command": "echo hi"}, {"command": "rm x"}, {"command": 7})
    assert names(receiver) == [DECISION, RESULT, DECISION, DECISION]
    assert [each.line for each in receiver.received] == [1, 2, 3, 4]
    assert [each.attributes.get("decision") for each in receiver.received] == ["accept", None, "reject", "reject"]
    assert receiver.received[1].attributes["success"] is True
    assert {key: receiver.received[0].resource[key] for key in ("service.name", "telemetry.sdk.language")} == {
        "service.name": "asimi",
        "telemetry.sdk.language": "python",
    }


def test_what_commands_that_end_have_logged_comes_with_the_next_serve(home, receiver):
    home.answers({"command": "echo hi"})
    home.asimi("run", "echo there")
    assert len(receiver.received) == 2
    home.answers({"command": "echo again"})
    said = [each.attributes["asimi.command"] for each in receiver.received if each.name == DECISION]
    assert said == ["echo hi", "echo there", "echo again"]


def test_mcp_sends(home, receiver):
    initialize = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }
    call = {"name": "run_shell_command", "arguments": {"command": "echo hi"}}
    with serving(home, words=("mcp",)) as process:
        for message in (
            {"id": 1, "method": "initialize", "params": initialize},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": call},
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        process.stdin.flush()
        receiver.has(2)
    assert names(receiver) == [DECISION, RESULT]
    assert receiver.received[0].attributes["asimi.agent"] == "mcp:test"


def test_no_secret_is_in_any_request(home, receiver):
    home.environ["API_TOKEN"] = "tiger-4711-lily"
    home.answers(
        {"command": "echo tiger-4711-lily"},
        {"command": "curl -H 'Authorization: Bearer sesame-open-9999' https://example.org"},
        {"command": "mysql --password=hunter2hunter2"},
    )
    bodies = b"".join(body for _, body in receiver.requests)
    assert len(receiver.received) == 4
    assert b"echo" in bodies
    assert not any(secret in bodies for secret in (b"tiger-4711-lily", b"sesame-open-9999", b"hunter2hunter2"))


@pytest.mark.parametrize("words", [("run", "echo hi"), ("check", "echo hi"), ("log",), ("config", "show")])
def test_a_command_that_ends_sends_nothing_and_loads_nothing_of_it(home, receiver, words):
    code = "from asimi.__main__ import main; main()"
    python = [PYTHON, "-X", "importtime", "-c", code, *words]
    done = subprocess.run(python, cwd=home.root, env=home.environ, capture_output=True, text=True, check=False)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "import time:" in line}
    assert "asimi.doors.cli.forms" in loaded
    assert not [name for name in loaded if name.startswith(("opentelemetry", "requests", "asimi.extras.telemetry."))]
    assert receiver.requests == []


def test_serve_itself_loads_nothing_of_it(home, receiver):
    with serving(home, "echo hi") as process:
        receiver.has(2)
        with open(f"/proc/{process.pid}/maps") as maps:
            assert "google/_upb" not in maps.read()


def test_without_an_endpoint_there_is_no_process_beside_it(tmp_path):
    home = Home(tmp_path, ALLOW)
    with serving(home, "echo hi") as process:
        process.stdout.readline()
        assert senders(process) == []


def test_a_receiver_that_is_down_costs_a_line_and_no_call_its_answer(home, receiver):
    receiver.stop()
    home.answers({"command": "echo hi"})
    done = home.asimi("serve", stdin='{"command": "echo there"}\n' * 20)
    assert done.stdout.count('"stdout": "there\\n"') == 20
    receiver.start()
    home.answers({"command": "echo now"})
    assert len(receiver.received) == 44


def test_a_receiver_that_is_down_is_said_once(home, receiver):
    receiver.stop()
    with serving(home, "echo hi") as process:
        said = process.stderr.readline().decode()
        assert said == f"asimi: telemetry: {receiver.url} takes no events: Connection refused; they wait in the log\n"
        rest = process.communicate()[1].decode()
    left = "has not taken the end of the log (lines: 2); the next relay, serve or mcp sends it"
    assert rest == f"asimi: telemetry: {receiver.url} {left}\n"
    assert process.returncode == 0


def test_a_receiver_that_never_answers_holds_nobody_up(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        home = Home(tmp_path, f'{ALLOW}[telemetry]\nendpoint = "http://127.0.0.1:{silent.getsockname()[1]}/v1/logs"\n')
        with serving(home, "echo hi") as process:
            connection, _ = silent.accept()  # the sender waits for an answer from now on
            (sender,) = senders(process)
            for _ in range(3):
                send(process, "echo hi")
                assert b'"hi\\n"' in process.stdout.readline()
        connection.close()
        assert gone(sender)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_however_the_process_ends_its_sender_ends_and_the_rest_is_sent(home, receiver, number):
    with serving(home, "echo hi", "sleep 600") as process:
        process.stdout.readline()
        sender = senders(process)[0]
        until(lambda: len(home.log()) == 3)
        os.kill(process.pid, number)
        process.wait()
        until(lambda: gone(sender))
    for each in filter(str.isdecimal, os.listdir("/proc")):  # `kill -9` leaves what a call started
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{each}/cwd") == str(home.root):
                os.kill(int(each), signal.SIGKILL)
    commands = [each.attributes.get("asimi.command") for each in receiver.received if each.name == DECISION]
    assert commands == ["echo hi", "sleep 600"]


def test_a_sender_is_no_background_process_of_a_call(home, receiver):
    answers = home.answers({"command": "echo hi"}, {"command": "echo there"})
    assert [each["backgroundPids"] for each in answers] == [[], []]
    assert home.asimi("jobs", "list").stdout.count("sending") == 0


def test_what_the_environment_says_changes_nothing(home, receiver, tmp_path):
    (home.home / ".netrc").write_text("machine 127.0.0.1 login a password b\n")
    home.environ |= {
        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://127.0.0.1:9/v1/logs",
        "OTEL_EXPORTER_OTLP_HEADERS": "x-from=environment",
        "OTEL_SDK_DISABLED": "true",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }
    home.answers({"command": "echo hi"})
    assert len(receiver.received) == 2
    headers = {name.lower() for name in receiver.requests[0][0]}
    assert not headers & {"x-from", "authorization"}


def test_the_headers_are_those_of_a_file_that_nobody_else_may_read(home, receiver):
    file = home.home / "headers"
    file.write_text("Authorization: Bearer abc\n\nX-Scope-OrgID: team\n")
    home.config.write_text(f'{ALLOW}{receiver.table}headers = "{file}"\n')
    file.chmod(0o644)
    done = home.asimi("serve")
    assert (done.returncode, f"chmod 600 {file}" in done.stderr) == (125, True)
    file.chmod(0o600)
    home.answers({"command": "echo hi"})
    headers = {name.lower(): value for name, value in receiver.requests[0][0].items()}
    assert (headers["authorization"], headers["x-scope-orgid"]) == ("Bearer abc", "team")


@pytest.mark.parametrize("text", ["Authorization", "A B: c", ": x", "a: b\x07"])
def test_what_is_no_header_is_an_error_with_its_line(home, receiver, text):
    file = home.home / "headers"
    file.write_text(f"A: b\n{text}\n")
    file.chmod(0o600)
    home.config.write_text(f'{ALLOW}{receiver.table}headers = "{file}"\n')
    done = home.asimi("serve")
    assert (done.returncode, f"{file}:2: is no header" in done.stderr) == (125, True)


@pytest.fixture
def without_the_extra(home, tmp_path):
    """The words that start asimi in a Python where all is installed but the extra."""
    site = tmp_path / "site"
    site.mkdir()
    for path in filter(Path.is_dir, map(Path, site_packages())):  # Debian's Python names some that are not there
        for each in path.iterdir():
            if not each.name.startswith("opentelemetry_") and not (site / each.name).exists():
                (site / each.name).symlink_to(each)
    home.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(site)])
    return [PYTHON, "-S", "-m", "asimi"]


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_without_the_extra_it_does_not_start(home, without_the_extra, command):
    words = [*without_the_extra, command]
    done = subprocess.run(words, cwd=home.root, env=home.environ, capture_output=True, input="", text=True, check=False)
    assert done.returncode == 125
    assert "[telemetry] needs opentelemetry-sdk" in done.stderr
    assert "pip install 'asimi[otel]'" in done.stderr


def test_a_broken_configuration_is_said_and_sends_nothing(home, receiver):
    home.config.write_text("nonsense = 1\n" + receiver.table)
    done = home.asimi("serve", stdin='{"command": "echo hi"}\n')
    assert done.stderr.startswith(f"asimi: {home.config}:1: there is no key 'nonsense'")
    assert "Until that is fixed every call is refused; telemetry, if any, is sent after a new start" in done.stderr
    assert "nonsense" in json.loads(done.stdout)["error"]
    assert receiver.requests == []


def test_a_project_says_it_in_vain(tmp_path, receiver):
    home = Home(tmp_path, ALLOW)
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text(receiver.table)
    home.answers({"command": "echo hi"})
    assert receiver.requests == []
