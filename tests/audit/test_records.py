"""What stands in the log about a call, and that nothing runs which cannot be written down."""

import json
import os
from pathlib import Path

import pytest

from asimi.core.call import (
    Approval,
    Decision,
    Failure,
    Place,
    Reason,
    Record,
    Request,
    Result,
    Stream,
    ToolCall,
    Verdict,
)  # fmt: skip
from asimi.core.errors import Refusal
from asimi.core.judging.rules import Rule
from asimi.doors.cli.logged import lines_of
from asimi.world.audit import LONGEST, AuditLog
from asimi.world.audit.calls import calls
from asimi.world.audit.reading import records, verify

PLACE = Place("/srv/project/sub", "/srv/project", inside=True)
CALL = ToolCall("run_shell_command", {"command": "git push"}, "call_1", "serve")
REQUEST = Request("run_shell_command", "git push", None, PLACE, description="send it")
DECISION = Decision(
    Verdict.ASK,
    (
        Reason("unlisted", "git push is not listed", (0, 8)),
        Reason("ask_by_rule", "m", None, "run_shell_command(git)", "/c.toml:3"),
    ),
)
APPROVAL = Approval(
    yes=True,
    by="terminal",
    scope="session",
    seconds=2.5,
    rules=(Rule(Verdict.ALLOW, None, (("git",),), "run_shell_command(git)"),),
)
START = Record("id-1", "start", CALL, REQUEST, DECISION, APPROVAL)
RESULT = Result(Stream("x", 3), Stream("", 0), exit_code=1, pid=42, seconds=0.25, background=(43,))


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "asimi")


@pytest.fixture
def told():
    return []


@pytest.fixture
def audit(directory, told):
    return AuditLog(directory, {"API_TOKEN": "0123456789"}, session="work", tell=told.append)


def written(directory):
    return [
        {name: value for name, value in each.items() if name not in {"time", "n", "prev"}}
        for each in records(directory)
    ]


def test_a_call_that_starts_is_two_lines(audit, directory):
    audit.write(START)
    audit.write(START._replace(event="end", result=RESULT))
    user = next(records(directory))["user"]
    assert written(directory) == [
        {
            "event": "start", "id": "id-1", "user": user, "session": "work", "agent": "serve", "call": "call_1",
            "tool": "run_shell_command", "command": "git push", "description": "send it",
            "directory": "/srv/project/sub", "root": "/srv/project", "verdict": "ask",
            "reasons": [
                {"code": "unlisted", "message": "git push is not listed", "rule": None, "source": None},
                {"code": "ask_by_rule", "message": "m", "rule": "run_shell_command(git)", "source": "/c.toml:3"},
            ],
            "approval": {
                "yes": True, "by": "terminal", "scope": "session", "seconds": 2.5, "rules": ["run_shell_command(git)"],
            },
        },
        {
            "event": "end", "id": "id-1", "user": user, "session": "work", "pid": 42, "exit": 1, "signal": None,
            "seconds": 0.25, "bytes": [3, 0], "background": [43],
        },
    ]  # fmt: skip
    assert verify(directory).faults == ()
    assert next(calls(directory))["end"]["exit"] == 1


@pytest.mark.parametrize(
    ("kept", "expected"),
    [({"expires": 43200.0}, {"until": "1970-01-01T12:00:00+00:00"}), ({"uses": 4}, {"calls": 5})],
    ids=["until", "calls"],
)
def test_a_yes_that_ends_says_when(audit, directory, kept, expected):
    rules = tuple(rule._replace(**kept) for rule in APPROVAL.rules)
    audit.write(START._replace(approval=APPROVAL._replace(rules=rules)))
    (fields,) = written(directory)
    assert {name: fields["approval"].get(name) for name in ("until", "calls")} == {
        "until": None,
        "calls": None,
    } | expected
    (end,) = [words for name, words in (("until", "until 1970-01-01 "), ("calls", "for 5 calls")) if name in expected]
    assert f"yes by terminal, {end}" in lines_of(fields | {"time": ""}, why=True, width=None)


def test_a_refusal_is_one_line(audit, directory):
    audit.write(
        Record(
            "id-2",
            "refusal",
            CALL,
            REQUEST,
            DECISION,
            Approval(yes=False, by="nobody", note="no terminal"),
            refusal=Refusal("no_terminal", "Not allowed."),
        )
    )
    (fields,) = written(directory)
    assert (fields["event"], fields["code"], fields["error"]) == ("refusal", "no_terminal", "Not allowed.")
    assert fields["approval"] == {"yes": False, "by": "nobody", "scope": "once", "seconds": 0.0, "note": "no terminal"}


def test_a_call_that_could_not_be_read_is_written_down_as_it_was_sent(audit, directory):
    audit.write(
        Record(
            "id-3", "refusal", ToolCall("nonsense", {"command": "x --token abc"}), refusal=Refusal("unknown_tool", "no")
        )
    )
    (fields,) = written(directory)
    assert (fields["tool"], fields["command"], fields["code"]) == ("nonsense", "x --token <redacted>", "unknown_tool")


@pytest.mark.parametrize("arguments", [{}, {"command": 3}, {"command": None}, [], None])
def test_whatever_was_sent_can_be_written_down(audit, directory, arguments):
    audit.write(Record("id", "refusal", ToolCall("t", arguments), refusal=Refusal("parameters", "no")))
    assert written(directory)[0]["code"] == "parameters"


def test_an_edited_command_stands_beside_the_one_that_was_sent(audit, directory):
    audit.write(START._replace(request=REQUEST._replace(command="git push --dry-run")))
    assert (written(directory)[0]["command"], written(directory)[0]["sent"]) == ("git push --dry-run", "git push")


def test_a_run_that_was_cancelled_or_never_started_says_so(audit, directory):
    audit.write(START._replace(event="end"))
    audit.write(
        START._replace(event="end", result=Result(failure=Failure("not_found", "no such program"), timed_out=True))
    )
    first, second = written(directory)
    assert first["interrupted"] is True
    assert (second["failure"], second["timed_out"], second["pid"]) == ("no such program", True, None)


def test_secrets_are_nowhere_in_the_log(audit, directory):
    secret = "hunter2secret"
    shown = f"x --password {secret} 0123456789"
    reason = Reason("unlisted", shown, None, f"run_shell_command({shown})", None)
    approval = Approval(
        yes=False, by="terminal", note=shown, rules=(Rule(Verdict.ALLOW, None, None, shown, line=shown),)
    )
    request = Request("execute_command", "x", ("--password", secret, f"--token={secret}"), PLACE, description=shown)
    call = ToolCall("execute_command", {"command": shown, "args": [secret]})
    record = Record(
        "i", "refusal", call, request, Decision(Verdict.ASK, (reason,)), approval, refusal=Refusal("person", shown)
    )
    audit.write(record)
    audit.write(record._replace(event="end", refusal=None, result=Result(failure=Failure("other", shown))))
    content = Path(directory, "log.jsonl").read_text()
    assert secret not in content
    assert "0123456789" not in content
    assert written(directory)[0]["arguments"] == ["--password", "<redacted>", "--token=<redacted>"]


def test_any_text_is_one_line_of_ascii(audit, directory):
    audit.write(START._replace(request=REQUEST._replace(command="a\nb\r\u2028\u0085\0\udc80😀", description="\x1b[2J")))
    content = Path(directory, "log.jsonl").read_bytes()
    assert content.count(b"\n") == 1
    assert content.isascii()
    assert written(directory)[0]["command"] == "a\nb\r\u2028\u0085\0\udc80😀"


def test_a_text_without_end_is_cut_and_says_so(audit, directory):
    audit.write(START._replace(request=REQUEST._replace(description="x" * 1_000_000)))
    description = written(directory)[0]["description"]
    assert len(description) < 300_000
    assert "more characters" in description


def test_a_secret_at_the_place_where_a_text_is_cut_is_not_seen(audit, directory):
    secret = "correct-horse-battery-staple"
    command = f"{'x' * (LONGEST - 30)} --password {secret} {'y' * LONGEST}"
    audit.write(START._replace(request=REQUEST._replace(command=command)))
    assert "correct" not in Path(directory, "log.jsonl").read_text()


def broken(directory):
    Path(directory).write_text("in the way")


def test_what_cannot_be_written_down_does_not_start(audit, directory, told):
    broken(directory)
    with pytest.raises(Refusal) as refused:
        audit.write(START)
    assert refused.value.code == "record"
    for word in (directory, "audit.required", "XDG_STATE_HOME"):
        assert word in refused.value.message
    assert told == []


def test_what_happened_already_is_told_instead(audit, directory, told):
    broken(directory)
    audit.write(START._replace(event="end", result=RESULT))
    audit.write(START._replace(event="refusal", refusal=Refusal("person", "x")))
    assert ["end of id-1" in told[0], "refusal of id-1" in told[1]] == [True, True]


def test_a_refusal_that_says_itself_that_the_log_cannot_be_written_is_told_once(audit, directory, told):
    broken(directory)
    audit.write(START._replace(event="refusal", refusal=Refusal("record", "x")))
    assert told == []


def test_where_the_log_is_not_required_the_call_starts_and_the_person_is_told(directory, told):
    broken(directory)
    AuditLog(directory, {}, required=lambda: False, tell=told.append).write(START)
    assert "audit.required = false" in told[0]


def test_a_log_that_can_be_written_again_is_written_again(audit, directory):
    broken(directory)
    with pytest.raises(Refusal):
        audit.write(START)
    os.unlink(directory)
    audit.write(START)
    assert len(written(directory)) == 1


def test_a_log_that_is_deleted_while_asimi_runs_is_begun_anew(audit, directory):
    audit.write(START)
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    os.rmdir(directory)
    audit.write(START)
    assert len(written(directory)) == 1
    assert json.loads(Path(directory, "log.head").read_bytes())["count"] == 1


def test_a_change_of_what_holds_is_written_down(audit, directory):
    audit.change("policy add", entry="run_shell_command(ls)", file="/c.toml", by="unattended")
    (fields,) = written(directory)
    assert (fields["event"], fields["what"], fields["entry"]) == ("change", "policy add", "run_shell_command(ls)")
    assert [each["event"] for each in calls(directory)] == ["change"]
    assert verify(directory).faults == ()


def test_a_change_is_written_down_before_it_is_made_and_once_more_if_it_fails(directory):
    audit = AuditLog(directory, {})

    def written():
        return [each["what"] for each in records(directory)]

    with audit.write_changes("policy add", {"entry": "a"}, {"entry": "b"}):
        assert written() == ["policy add"] * 2
    with pytest.raises(OSError, match="no room"), audit.write_changes("trust", {"file": "/c.toml"}):
        raise OSError("no room")
    assert written()[2:] == ["trust", "trust failed"]
