"""On a machine of a team that shares a policy, nothing runs by any door without a copy that counts."""

from __future__ import annotations

import json
import os

import pytest
from helpers import PATIENCE
from helpers.team import MACHINE, Managed, machine_file, policy_by

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can own a managed file"
)

URL = "nats://127.0.0.1:4222"
OWN = "coreTools = ['run_shell_command(echo)', 'run_shell_command(touch)', 'execute_command(touch)']\n"


class Member(Managed):
    """A machine with a copy, or none, and a user who allows `echo` and `touch`."""

    def __init__(self, directory, keys):
        self.keys, self.signer = keys, f"root {keys.signer('root').key}"
        super().__init__(directory, machine_file(URL, MACHINE, "/nowhere", administrators=[self.signer]), OWN)
        self.copy = self.state / "team-policy.toml"
        self.copy.parent.mkdir(parents=True, mode=0o700)

    def has(self, text, number=1, **more):
        """Put a copy there."""
        content = policy_by(self.keys, "root", text, number, server=URL, **more).content
        self.put(content)
        return content

    def put(self, content):
        self.copy.write_bytes(content)
        self.copy.chmod(0o600)

    def says(self, line):
        """The lines of the administrator's file in place of those before."""
        self.managed.write_text(machine_file(URL, MACHINE, "/nowhere", administrators=[self.signer]) + f"{line}\n")


@pytest.fixture
def member(tmp_path, keys):
    return Member(tmp_path, keys)


def by_run(member):
    done = member.asimi("run", "touch x; echo done")
    return done.returncode, done.stdout + done.stderr


def by_exec(member):
    done = member.asimi("exec", "touch", "x")
    return done.returncode, done.stdout + done.stderr


def by_serve(member):
    answered = member.answers({"command": "touch x"})[0]
    return 125 if answered["exitCode"] is None else answered["exitCode"], answered["error"] or ""


def by_check(member):
    done = member.asimi("check", "touch x", "--json")
    return done.returncode, done.stdout + done.stderr


def by_hook(member):
    call = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "transcript_path": str(member.root / "s.jsonl"),
        "permission_mode": "default",
        "cwd": str(member.root),
        "tool_name": "Bash",
        "tool_input": {"command": "touch x"},
    }
    done = member.asimi("hook", "claude-code", stdin=json.dumps(call))
    said = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
    allowed = said.get("permissionDecision") == "allow"
    return 0 if allowed else 125, said.get("permissionDecisionReason", "") + done.stderr


def by_mcp(member):
    calls = [
        (
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
        ),
        ("tools/call", {"name": "run_shell_command", "arguments": {"command": "touch x"}}),
    ]
    process = member.start("mcp")
    replies = []
    for number, (method, params) in enumerate(calls):
        line = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        process.stdin.write(json.dumps(line).encode() + b"\n")
        process.stdin.flush()
        replies.append(process.stdout.readline())
    process.communicate(timeout=PATIENCE)
    result = json.loads(replies[1])["result"]
    return 125 if result["isError"] else 0, json.dumps(result)


DOORS = {
    "run": by_run,
    "exec": by_exec,
    "serve": by_serve,
    "hook": by_hook,
    "check": by_check,
    "mcp": pytest.param(by_mcp, marks=pytest.mark.long),
}
doors = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@doors
def test_with_a_copy_that_counts_what_it_does_not_forbid_runs(member, door):
    member.has("excludeTools = ['run_shell_command(rm)']")
    assert door(member)[0] == 0


@doors
def test_what_it_forbids_does_not_run(member, door):
    member.has("[[rules]]\ndecision = 'deny'\ncommand = 'touch'\nreason = 'we do not touch'\n")
    code, said = door(member)
    assert (code != 0 or '"deny"' in said, "we do not touch" in said) == (True, True)
    assert not (member.root / "x").exists()


@doors
def test_without_a_copy_nothing_runs_and_it_says_what_to_do(member, door):
    code, said = door(member)
    assert code == 125
    assert "team-policy.toml: the team's policy is not here" in said
    assert "start `asimi relay`" in said
    assert not (member.root / "x").exists()


def unsigned(member):
    member.put(member.has("")[:1] + OWN.encode())


def torn(member):
    content = member.has(f"# {'x' * 1000}")
    member.put(content[:700])


def signed_by_another(member):
    member.has("", key="mallory")


def changed(member):
    member.put(member.has("unlisted = 'reject'").replace(b"reject", b"ask"))


def ended(member):
    member.has("", since=1e9)


def revoked(member):
    member.has("")
    member.says(f"revoked = [{json.dumps(member.signer.partition(' ')[2])}]")


def unusable(member):
    member.has("unlistet = 1")


def empty(member):
    member.put(b"")


def open_to_others(member):
    member.has("")
    member.copy.chmod(0o644)


def a_link(member):
    member.has("")
    member.copy.rename(member.root / "elsewhere")
    member.copy.symlink_to(member.root / "elsewhere")


# how a copy is spoilt, and what is said
SPOILT = {
    unsigned: "it is not written and signed",
    torn: "it is not written and signed",
    signed_by_another: "its signature is not one of root's key",
    changed: "its signature is not one of root's key",
    ended: "it ended on 2001-09-09",
    revoked: "the key of root was revoked",
    unusable: "team-policy.toml:1: there is no key 'unlistet'",
    empty: "it is not written and signed",
    open_to_others: "is open to other users",
    a_link: "is a symbolic link",
}


@pytest.mark.parametrize(("spoil", "why"), SPOILT.items(), ids=[each.__name__ for each in SPOILT])
def test_a_copy_that_does_not_count_refuses_everything(member, spoil, why):
    spoil(member)
    code, said = by_run(member)
    assert (code, why in said) == (125, True), said
    assert not (member.root / "x").exists()
    code, said = by_hook(member)
    assert (code, why in said) == (125, True), said


def test_a_shared_policy_only_tightens(member):
    member.has("unlisted = 'reject'\ncoreTools = ['run_shell_command(mkdir)']\n")
    done = member.asimi("run", "mkdir d")
    assert (done.returncode, (member.root / "d").exists()) == (126, False)
    assert member.asimi("run", "echo one").stdout == "one\n"


def test_where_commands_may_write_is_narrowed_and_frees_no_redirection(member):
    text = "[files]\nwrite = ['**']\n"
    member.has(text)
    assert member.asimi("check", "echo x > y").stdout.startswith("ask")
    member.says("loosens = ['files.write']")
    assert member.asimi("check", "echo x > y").stdout.startswith("allow")


def test_a_shared_policy_loosens_what_the_administrators_file_names(member):
    member.has("coreTools = ['run_shell_command(mkdir)']\n")
    member.says("loosens = ['coreTools']")
    assert member.asimi("run", "mkdir d").returncode == 0


def test_a_server_of_calls_obeys_a_new_revision_at_once_and_never_an_old_one(member):
    first = member.has("")
    process = member.start("serve", stderr=None)

    def call(command):
        process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    try:
        assert call("echo one")["stdout"] == "one\n"
        member.has("excludeTools = ['run_shell_command(echo)']", 2)
        assert "Not allowed by the policy" in call("echo two")["error"]
        member.put(first)
        assert "is revision 1, and 2 was in force; it never goes back" in call("echo three")["error"]
        member.copy.unlink()
        assert "the team's policy is not here" in call("echo four")["error"]
        member.has("", 3)
        assert call("echo five")["stdout"] == "five\n"
    finally:
        process.communicate(timeout=PATIENCE)


def test_a_command_cannot_change_it(member):
    member.has("")
    done = member.asimi("run", f"touch {member.copy}")
    assert (done.returncode, "asimi's own" in done.stderr) == (126, True)


def test_asimi_names_it_with_its_revision(member):
    member.has("excludeTools = ['run_shell_command(rm)']", 7)
    assert f"ok  team  {member.copy}  (revision 7 by root, until 2" in member.asimi("config", "check").stdout
    listed = member.asimi("policy", "list").stdout
    assert f"({member.copy}:1)" in listed
    assert f"{member.copy} is revision 7 by root, until 2" in listed
    assert "revision 7 by root, until 2" in member.asimi("doctor", "--verbose").stdout


def test_what_is_in_it_is_not_removed_here(member):
    member.has("coreTools = ['run_shell_command(mkdir)']")
    member.says("loosens = ['coreTools']")
    done = member.asimi("policy", "remove", "mkdir")
    assert (done.returncode, "an administrator of the team published it" in done.stderr) == (125, True)
