"""The gate of a box: one process that judges the calls of all agents inside, by what is configured at that moment."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time

import pytest
from helpers import PATIENCE, TESTS
from helpers.gates import GatedHome
from helpers.hooks import POLICY, envelope

from asimi.doors.hooks import AGENTS


@pytest.fixture
def home(tmp_path):
    home = GatedHome(tmp_path).open()
    yield home
    home.close()


def test_what_nothing_lists_is_held(home):
    assert home.judged("make") == ("allow", "")
    assert home.log()[-1]["reasons"][0]["code"] == "held"


def test_what_is_denied_stays_denied(home):
    decision, reason = home.judged("rm -r build")
    assert (decision, "run_shell_command(rm) forbids `rm -r build`" in reason) == ("deny", True)


def test_what_needs_to_leave_the_box_is_refused_where_nobody_can_be_asked(home):
    decision, reason = home.judged("git push origin main")
    assert decision == "deny"
    assert "`git push origin main` needs a remote with a login of yours, which a box does not have" in reason
    assert "A person can allow it with `asimi approve" in reason
    assert home.log()[-1]["runs"] == "outside"


def test_a_question_waits_for_a_person_and_the_same_call_then_runs(home):
    decision, reason = home.judged("cat .env")
    assert decision == "deny"
    name = reason.partition("asimi approve ")[2].partition("`")[0]
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.presses("y")
        person.sees("allowed once")
    assert home.judged("cat .env")[0] == "allow"
    assert home.judged("cat .env")[0] == "deny"  # it was one yes


@pytest.mark.parametrize("agent", AGENTS)
def test_each_agents_hook_is_answered_in_its_dialect(home, agent):
    for command in ("make", "rm x"):
        raw = json.dumps(envelope(agent, command, home.root)).encode()
        inside = home.says("hook", agent, given=raw)
        outside = home.hook(agent, raw)
        assert inside.code == 0, inside
        if command == "rm x":
            assert (inside.out, inside.err) == (outside.out, outside.err)
        else:
            assert "needs a person" not in inside.out


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini-cli", "opencode"])
def test_an_agents_own_tools_for_files_are_judged_by_the_gate(home, agent):
    rows = json.loads((TESTS / "hooks" / "files" / f"{agent}.json").read_text())
    row = next(row for row in rows if row["does"] == "write")

    def said(path):
        given = json.loads(json.dumps(row["given"]).replace("FILE", str(path)))
        base = envelope(agent, "x", home.root)
        sent = base | ({"tool": row["tool"], "args": given} if agent == "opencode" else {})
        if agent != "opencode":
            sent |= {"tool_name": row["tool"], "tool_input": given}
        return home.says("hook", agent, given=json.dumps(sent).encode())

    free = said("src/new.py")
    assert (free.code, free.err) == (0, "")
    assert "deny" not in free.out
    assert home.log()[-1]["event"] == "file"
    asked = said(".env")  # which the gate asks about itself, and nobody is there
    assert (asked.code, "asimi approve" in asked.out) == (0, True)
    assert home.log()[-1]["reasons"][0]["code"] == "secret"
    assert "asimi approve" in said(".claude/settings.json").out


@pytest.mark.parametrize("command", ["make", "rm x", "cat .env"])
def test_a_call_that_two_hooks_ask_about_is_judged_once(home, command):
    """The box's hook and the one in the person's own settings, at once and one behind the other."""
    raw = json.dumps(envelope("codex", command, home.root)).encode()
    clients = [home.client("hook", "codex"), home.client("asimi", "hook", "codex")]
    said = [client.communicate(raw, timeout=PATIENCE) for client in clients]
    assert said[0] == said[1]
    assert len(home.log()) == 1
    again = [home.says("asimi", "hook", "codex", given=raw), home.says("hook", "codex", given=raw)]
    assert again[0] == again[1]
    assert len(home.log()) == 2


def test_equal_calls_are_each_judged(home):
    for _ in range(3):
        home.judged("make")
    assert len(home.log()) == 3


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"hook_event_name": "PreToolUse"}', b"\xff", b"x" * (1 << 20)])
def test_what_is_no_envelope_blocks(home, raw):
    said = home.says("hook", "codex", given=raw)
    assert (said.code, said.out, "cannot be read" in said.err) == (2, "", True)


def test_an_agent_that_nobody_knows_blocks(home):
    said = home.says("hook", "nobody", given=b"{}")
    assert (said.code, said.out, "asimi knows no agent" in said.err) == (2, "", True)


def test_nothing_is_held_by_asimi_checks_word_before_a_hook_was_heard(home):
    first = home.says("asimi", "check", "make", "--json")
    assert (json.loads(first.out)["verdict"], first.code) == ("ask", 1)
    assert "the gate has not heard the agent's hook yet" in first.err
    home.judged("true")
    then = home.says("asimi", "check", "make", "--json")
    assert (json.loads(then.out)["reasons"][0]["code"], then.code, then.err) == ("held", 0, "")


def test_check_inside_says_of_a_file_what_the_hook_says_of_a_tool(home):
    home.judged("true")
    for path, expected in (("a.txt", "allow"), (".env", "ask"), (".git/hooks/x", "allow"), ("~/.bashrc", "allow")):
        said = home.says("asimi", "check", "--write", path, "--json")
        assert (json.loads(said.out)["verdict"], said.err) == (expected, ""), path
        sent = envelope("codex", f"*** Add File: {path}\n+x\n", home.root) | {"tool_name": "apply_patch"}
        told = home.says("hook", "codex", given=json.dumps(sent).encode())
        assert (told.code, told.out == "") == (0, expected == "allow"), path


def test_check_inside_takes_no_other_configuration(home):
    said = home.says("asimi", "check", "--config", "/dev/null", "make")
    assert (said.code, said.out) == (125, "")


# ---- what leaves the box ---------------------------------------------------------------------------------------------


@pytest.fixture
def clients(home):
    """A home with a `docker` that says where it is, and what it was given."""
    home.close()
    program = home.home / "bin" / "docker"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$PWD: $*"; echo "$*" >> "$HOME/ran"; echo oh >&2; exit 3\n')
    program.chmod(0o755)
    home.environ["PATH"] = f"{program.parent}:{home.environ['PATH']}"
    return home.open()


def ran(home):
    """What `docker` was given, each time."""
    file = home.home / "ran"
    return file.read_text().splitlines() if file.exists() else []


def agreed(home, command, key="y", *keys, sees=(), **changes):
    """What the hook answers once a person has pressed keys."""
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        waiting = home.client("hook", "codex")
        waiting.stdin.write(json.dumps(envelope("codex", command, home.root, **changes)).encode())
        waiting.stdin.close()
        person.asked()
        person.sees(*(sees or ("docker",)))
        for each in (key, *keys):
            person.presses(each)
        out = waiting.stdout.read()
        assert waiting.wait(PATIENCE) == 0
    waiting.stdout.close()
    waiting.stderr.close()
    return json.loads(out)["hookSpecificOutput"]


def test_what_a_person_lets_out_runs_outside_once(clients):
    answer = agreed(clients, "docker rm x", sees=("needs a daemon of this machine",))
    assert answer["permissionDecision"] == "allow"
    client = answer["updatedInput"]["command"]
    assert clients.redeems(client) == (3, f"{clients.root}: rm x\n", "oh\n")
    assert clients.redeems(client)[0] == 126
    assert ran(clients) == ["rm x"]
    start, end = [line for line in clients.log() if line["event"] in {"start", "end"}]
    assert (start["command"], start["runs"], start["approval"]["by"]) == ("docker rm x", "outside", "watch")
    assert (start["id"], end["exit"]) == (end["id"], 3)


def test_a_person_who_says_no_has_the_last_word(clients):
    assert agreed(clients, "docker rm x", "n")["permissionDecision"] == "deny"
    assert not ran(clients)


def test_a_later_yes_is_for_the_same_call_made_again(clients):
    decision, reason = clients.judged("docker rm x")
    name = reason.partition("asimi approve ")[2].partition("`")[0]
    with clients.at_terminal("approve", name) as person:
        person.asked()
        person.presses("y")
        person.sees("allowed once")
    decision, client = clients.judged("docker rm x")
    assert decision == "outside"
    assert clients.redeems(client)[0] == 3
    assert clients.judged("docker rm x")[0] == "deny"
    assert ran(clients) == ["rm x"]


def test_always_is_kept_as_a_rule_that_lets_it_out(clients):
    answer = agreed(clients, "docker ps", "a", "1")
    assert answer["permissionDecision"] == "allow"
    assert clients.redeems(answer["updatedInput"]["command"])[0] == 3
    kept = "".join(path.read_text() for path in clients.state.rglob("*.toml"))
    assert "outside = true" in kept
    decision, client = clients.judged("docker ps")
    assert (decision, clients.redeems(client)[0]) == ("outside", 3)


def test_nothing_is_kept_of_what_no_rule_may_let_out(clients):
    with clients.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        waiting = clients.client("hook", "codex")
        waiting.stdin.write(json.dumps(envelope("codex", "docker build .", clients.root)).encode())
        waiting.stdin.close()
        person.asked()
        person.sees("runs code, which")
        person.presses("a")
        person.sees("This is asked each time")
        person.presses("n")
        waiting.wait(PATIENCE)
    waiting.stdout.close()
    waiting.stderr.close()


@pytest.mark.parametrize("agent", ["codex", "gemini-cli", "copilot-cli", "opencode"])
def test_each_agent_is_answered_with_another_command_in_its_dialect(clients, agent):
    clients.config.write_text(POLICY + '[[rules]]\ndecision = "allow"\ncommand = "docker ps"\noutside = true\n')
    sent = envelope(agent, "docker ps", clients.root)
    answer = clients.says("hook", agent, given=json.dumps(sent).encode()).json
    own = answer.get("hookSpecificOutput", answer)
    given = next(own[key] for key in ("updatedInput", "tool_input", "modifiedArgs", "args") if key in own)
    client = given.pop("command")
    before = sent.get("tool_input") or sent.get("toolArgs") or sent.get("args")
    before = json.loads(before) if isinstance(before, str) else dict(before)
    assert given == {key: value for key, value in before.items() if key != "command"}
    assert clients.redeems(client)[0] == 3


@pytest.mark.parametrize("agent", ["codex", "gemini-cli", "copilot-cli", "opencode"])
def test_a_second_hook_that_sees_the_replaced_command_judges_and_logs_nothing_again(clients, agent):
    clients.config.write_text(POLICY + '[[rules]]\ndecision = "allow"\ncommand = "docker ps"\noutside = true\n')
    sent = json.dumps(envelope(agent, "docker ps | cat", clients.root))
    answer = clients.says("hook", agent, given=sent.encode()).json
    own = answer.get("hookSpecificOutput", answer)
    line = next(own[key] for key in ("updatedInput", "tool_input", "modifiedArgs", "args") if key in own)["command"]
    logged = clients.log()
    again = clients.says("asimi", "hook", agent, given=json.dumps(envelope(agent, line, clients.root)).encode())
    assert (again.code, "deny" in again.out, clients.log()) == (0, False, logged)


@pytest.mark.parametrize("agent", ["qwen-code", "claude-code"])
def test_an_agent_that_takes_no_other_command_gets_the_result_with_the_refusal(clients, agent):
    clients.config.write_text(POLICY + '[[rules]]\ndecision = "allow"\ncommand = "docker ps"\noutside = true\n')
    said = clients.says("hook", agent, given=json.dumps(envelope(agent, "docker ps", clients.root)).encode())
    answer = said.json["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    told = f"asimi: it ran outside of the box, and ended with exit code 3\n{clients.root}: ps\noh"
    assert answer["permissionDecisionReason"] == told
    assert ran(clients) == ["ps"]


def test_asimi_outside_asks_and_gives_what_came_of_it(clients):
    with clients.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        waiting = clients.client("asimi", "outside", "docker", "rm", "a b")
        waiting.stdin.close()
        person.asked()
        person.sees("docker rm 'a b'")
        person.presses("y")
        assert (waiting.stdout.read(), waiting.wait(PATIENCE)) == (f"{clients.root}: rm a b\n".encode(), 3)
    waiting.stdout.close()
    waiting.stderr.close()


def test_asimi_outside_of_what_needs_no_leave_asks_too(clients):
    said = clients.says("asimi", "outside", "touch made")
    assert (said.code, "it would run outside of the box" in said.err) == (126, True)
    assert not (clients.root / "made").exists()


def test_a_client_that_has_gone_has_nothing_run(clients):
    with clients.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        waiting = clients.client("asimi", "outside", "docker", "rm", "x")
        person.asked()
        waiting.kill()
        waiting.communicate()
        person.presses("y")
    assert clients.judged("make")[0] == "allow"
    assert not ran(clients)


def test_a_link_that_is_swapped_after_the_yes_leads_nowhere(clients):
    (clients.root / "one").mkdir()
    (clients.root / "two").mkdir()
    answer = agreed(clients, "docker rm x", cwd=str(clients.root / "one"))
    (clients.root / "one").rename(clients.root / "old")
    (clients.root / "one").symlink_to("two")
    client = answer["updatedInput"]["command"].split()
    process = clients.client(*client, cwd=clients.root / "old")
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, ran(clients)) == (126, [])
    assert b"another directory" in err


def test_what_is_forbidden_after_the_yes_does_not_run(clients):
    client = agreed(clients, "docker rm x")["updatedInput"]["command"]
    clients.config.write_text(POLICY.replace("(rm)", "(docker)"))
    assert clients.redeems(client)[0] == 126
    assert not ran(clients)


def test_what_is_asked_anew_after_the_yes_does_not_run(clients):
    client = agreed(clients, "docker build -t x sub", sees=("runs code",))["updatedInput"]["command"]
    (clients.root / "sub" / ".env").write_text("KEY=1")
    clients.config.write_text(POLICY + 'ask = ["run_shell_command(docker build)"]\n')
    code, _, err = clients.redeems(client)
    assert (code, "has changed since it was proposed" in err) == (126, True)
    assert not ran(clients)


def test_a_ticket_that_is_used_late_runs_nothing(clients):
    clients.close()
    clients.open(TICKETS_LAST="0")
    client = agreed(clients, "docker rm x")["updatedInput"]["command"]
    code, _, err = clients.redeems(client)
    assert (code, "later than" in err) == (126, True)
    assert not ran(clients)


def test_a_ticket_of_another_box_is_none(clients, tmp_path):
    other = GatedHome(tmp_path / "other")
    other.open()
    client = agreed(clients, "docker rm x")["updatedInput"]["command"]
    code, _, err = other.redeems(client)
    other.close()
    assert (code, "there is no such ticket" in err) == (126, True)
    assert not ran(clients)


def test_a_ticket_that_nobody_uses_is_written_down_at_the_end(clients):
    agreed(clients, "docker rm x")
    clients.close()
    assert [(line["event"], line["command"], line["code"]) for line in clients.log()] == [
        ("refusal", "docker rm x", "ticket")
    ]


def test_nothing_runs_outside_of_a_box_that_cannot_be_kept(clients):
    client = agreed(clients, "docker rm x")["updatedInput"]["command"]
    (clients.runtime / "lost").write_text("/project/.git/hooks is open")
    code, _, err = clients.redeems(client)
    assert (code, "this box cannot be kept any more" in err) == (126, True)
    assert not ran(clients)


@pytest.mark.parametrize("words", [("run", "ls"), ("policy", "add", "make"), ("trust",), ()])
def test_nothing_else_is_asimis_inside(home, words):
    said = home.says("asimi", *words)
    assert (said.code, said.out, "does not work inside a box" in said.err) == (125, "", True)


def test_the_configuration_is_looked_at_anew_before_each_call(home):
    assert home.judged("make")[0] == "allow"
    home.config.write_text(POLICY.replace("(rm)", "(make)"))
    assert home.judged("make")[0] == "deny"
    home.config.write_text("nonsense = [")
    decision, reason = home.judged("ls")
    assert (decision, "config.toml" in reason) == ("deny", True)
    home.config.write_text(POLICY)
    assert home.judged("make")[0] == "allow"


def test_many_calls_are_answered_at_once(home):
    heard = {}

    def ask(number):
        heard[number] = home.judged("rm x" if number % 2 else f"make target{number}", tool_use_id=f"call_{number}")[0]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert heard == {number: "deny" if number % 2 else "allow" for number in range(8)}
    assert len(home.log()) == 8


def test_a_call_that_waits_for_a_person_keeps_no_other_waiting(home):
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        waiting = home.client("hook", "codex")
        waiting.stdin.write(json.dumps(envelope("codex", "cat .env", home.root)).encode())
        waiting.stdin.close()
        person.asked()
        assert home.judged("make")[0] == "allow"
        assert waiting.poll() is None
        person.presses("y")
        assert (waiting.wait(PATIENCE), waiting.stdout.read()) == (0, b"")  # silence is this agent's yes
    waiting.stdout.close()
    waiting.stderr.close()


def test_a_box_that_cannot_be_kept_allows_nothing(home):
    (home.runtime / "lost").write_text("/project/.git/hooks is open")
    decision, reason = home.judged("ls")
    assert (decision, "/project/.git/hooks is open" in reason) == ("deny", True)


def test_the_end_says_what_came_of_it(tmp_path):
    home = GatedHome(tmp_path).open()
    for command in ("make", "git status", "rm x", "git push"):
        home.judged(command)
    home.process.stdin.close()
    said = home.process.stdout.read().decode()
    home.process.wait(PATIENCE)
    home.process.stdout.close()
    assert said.splitlines() == [
        "Codex CLI has ended with exit code 0.",
        "2 commands ran (1 because the box holds it).",
        "1 not allowed: rm x",
        "1 needed to leave the box and did not run: git push",
        "More: asimi log report --session test",
    ]


# ---- clients that are none -------------------------------------------------------------------------------------------


def raw(home, data, *, end=True):
    """What the gate sends to whoever sends some bytes."""
    with socket.socket(socket.AF_UNIX) as gate:
        gate.settimeout(PATIENCE)
        gate.connect(str(home.gate))
        heard = b""
        try:
            gate.sendall(data)
            if end:
                gate.shutdown(socket.SHUT_WR)
            while piece := gate.recv(4096):
                heard += piece
        except ConnectionError:
            return heard
        return heard


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hook",
        b"hook\0/\0",
        b"hook\0/\0x\0codex\0{}",
        b"hook\0/\0-1\0codex\0{}",
        b"hook\0/\0" + b"9" * 30 + b"\0codex\0{}",
        b"hook\0/\0" + b"9" * 5000 + b"\0codex\0{}",
        b"hook\0/\x002\0codex",
        b"hook\0relative\x001\0codex\0{}",
        b"asimi\0/\x002\0check\0" + b"x" * (1 << 17) + b"\0",
        b"hook\0/\x001\0codex\0" + b"x" * (17 << 20),
    ],
    ids=["nothing", "cut", "no-count", "letters", "negative", "large", "digits", "few", "relative", "long", "huge"],
)
def test_a_forged_request_gets_no_answer(home, data):
    assert raw(home, data) == b""
    assert home.judged("make")[0] == "allow"


def test_whoever_never_ends_keeps_no_other_waiting(home):
    silent = [socket.socket(socket.AF_UNIX) for _ in range(10)]
    for each in silent:
        each.connect(str(home.gate))
        each.sendall(b"hook\0")
    began = time.monotonic()
    assert home.judged("make")[0] == "allow"
    assert time.monotonic() - began < 15  # before the first of them is given up
    for each in silent:
        each.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="another user takes root")
def test_another_user_gets_no_answer(home):
    for path in (home.runtime, home.gate):
        path.chmod(0o777)
    script = """
import os, socket
os.setgroups([]); os.setgid(65534); os.setuid(65534)
gate = socket.socket(socket.AF_UNIX)
gate.connect("gate")
try:
    gate.sendall(b"asimi\\0/\\x002\\0check\\0ls\\0"); gate.shutdown(1)
    print(gate.recv(100))
except ConnectionError:
    print(b"")
"""
    # From in there, because what lies above may be closed to that user, and pytest closes it again.
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=home.runtime, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == "b''\n"


def test_a_client_without_a_gate_says_no(home):
    home.kills()
    said = home.says("hook", "codex", given=json.dumps(envelope("codex", "ls", home.root)).encode())
    assert (said.code, said.out, "does not answer" in said.err) == (2, "", True)
    checked = home.says("asimi", "check", "ls")
    assert (checked.code, checked.out) == (125, "")


def test_a_client_whose_gate_is_killed_meanwhile_says_no(home):
    with home.at_terminal("watch") as person:
        person.sees("Waiting for questions")
        waiting = home.client("hook", "codex")
        waiting.stdin.write(json.dumps(envelope("codex", "cat .env", home.root)).encode())
        waiting.stdin.close()
        person.asked()
        home.kills()
        assert waiting.wait(PATIENCE) == 2
    assert waiting.stdout.read() == b""
    waiting.stdout.close()
    waiting.stderr.close()


@pytest.mark.parametrize(
    "answer", [b"", b"0", b"0 5\nhi", b"0 -1\nhi", b"x y\n", b"0\n", b"0 -\n", b"256 0\n", b"0 0", b"+0 0\n"]
)
def test_an_answer_that_is_not_whole_is_a_no(tmp_path, answer):
    home = GatedHome(tmp_path)
    with socket.socket(socket.AF_UNIX) as gate:
        gate.bind(str(home.gate))
        gate.listen()
        client = home.client("hook", "codex", stdin=subprocess.DEVNULL)
        connection, _ = gate.accept()
        with connection:
            while connection.recv(4096):
                pass
            connection.sendall(answer)
        out, err = client.communicate(timeout=PATIENCE)
    assert (client.returncode, out) == (2, b"")
    assert b"does not answer" in err


def test_a_plug_ins_hook_ends_with_the_code_that_it_wants_for_an_answer(home):
    sent = json.dumps(envelope("codex", "ls", home.root)).encode()
    said = home.says("asimi", "hook", "codex", "--answered", "42", given=sent)
    assert (said.code, said.err) == (42, "")
    assert said.out == home.says("hook", "codex", given=sent).out
    home.kills()
    assert home.says("asimi", "hook", "codex", "--answered", "42", given=sent).code == 2


def test_a_client_that_is_killed_leaves_the_gate(home):
    client = home.client("hook", "codex")
    client.stdin.write(b"{")
    client.stdin.flush()
    client.kill()
    client.communicate()
    assert home.judged("make")[0] == "allow"
