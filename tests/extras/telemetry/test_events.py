"""What is sent of a line of the log, and of which lines nothing is."""

from __future__ import annotations

import json

import pytest

from asimi.extras.telemetry.events import DECISION, RESULT, event_of
from asimi.world.audit.tail import Line

TIME = {"time": "2026-11-22T20:22:30.070Z"}
POLICY = {"yes": True, "by": "policy", "scope": "once"}


def event(**fields):
    return event_of(Line(7, json.dumps(TIME | {"id": "a-1"} | fields | {"n": 7, "prev": "0" * 64}).encode()))


# the fields of a line; the event's name and what it says of the call
SAID = [
    ({"event": "start", "approval": POLICY}, DECISION, {"decision": "accept", "source": "config"}),
    (
        {"event": "start", "approval": {"yes": True, "by": "terminal", "scope": "once"}},
        DECISION,
        {"decision": "accept", "source": "user_temporary"},
    ),
    (
        {"event": "start", "approval": {"yes": True, "by": "terminal", "scope": "session"}},
        DECISION,
        {"decision": "accept", "source": "user_temporary"},
    ),
    (
        {"event": "start", "approval": {"yes": True, "by": "queue", "scope": "always"}},
        DECISION,
        {"decision": "accept", "source": "user_permanent"},
    ),
    ({"event": "refusal", "code": "denied"}, DECISION, {"decision": "reject", "source": "config"}),
    (
        {"event": "refusal", "approval": {"yes": False, "by": "team:alice"}},
        DECISION,
        {"decision": "reject", "source": "user_reject"},
    ),
    (
        {"event": "refusal", "approval": {"yes": False, "by": "nobody"}},
        DECISION,
        {"decision": "reject", "source": "user_abort"},
    ),
    ({"event": "passed"}, DECISION, {"decision": "ask", "source": "config"}),
    ({"event": "end", "exit": 0, "seconds": 1.5}, RESULT, {"success": True, "duration_ms": 1500}),
    ({"event": "end", "exit": 1, "seconds": 0.001}, RESULT, {"success": False, "duration_ms": 1}),
    ({"event": "end", "exit": None, "signal": 9, "seconds": 2}, RESULT, {"success": False, "duration_ms": 2000}),
    ({"event": "end", "failure": "no such directory", "exit": 0}, RESULT, {"success": False}),
    ({"event": "end", "interrupted": True}, RESULT, {"success": False}),
    ({"event": "end", "outcome": "ran", "seconds": None}, RESULT, {"success": True}),
    ({"event": "end", "outcome": "failed", "seconds": 1}, RESULT, {"success": False, "duration_ms": 1000}),
]


@pytest.mark.parametrize(("fields", "name", "said"), SAID)
def test_a_decision_and_an_end_are_said_in_the_words_of_agents(fields, name, said):
    found = event(**fields)
    words = {"decision", "source", "success", "duration_ms"}
    assert (found.name, {key: value for key, value in found.attributes.items() if key in words}) == (name, said)


def test_everything_else_is_there_as_the_log_has_it():
    line = Line(
        7,
        json.dumps(
            TIME
            | {"event": "start", "id": "a-1", "user": "dev", "session": "s", "agent": "codex", "call": 3}
            | {"tool": "execute_command", "command": "ls", "arguments": ["-l", "a b"], "description": ""}
            | {"reasons": [{"code": "x", "rule": None}], "approval": POLICY, "host": None, "n": 7, "prev": "00"}
        ).encode(),
    )
    assert event_of(line).attributes == {
        "decision": "accept",
        "source": "config",
        "log.record.uid": line.hash,
        "user.name": "dev",
        "session.id": "s",
        "tool_name": "execute_command",
        "gen_ai.tool.call.id": 3,
        "asimi.id": "a-1",
        "asimi.agent": "codex",
        "asimi.command": "ls",
        "asimi.arguments": ("-l", "a b"),
        "asimi.reasons": '[{"code":"x","rule":null}]',
        "asimi.approval": '{"yes":true,"by":"policy","scope":"once"}',
        "asimi.n": 7,
    }


def test_its_time_is_the_lines():
    assert event(event="passed").time == 1_795_378_950_070_000_000


@pytest.mark.parametrize(
    "content",
    [
        b'{"time":"2026-11-22T20:22:30.070Z","event":"change","what":"policy add"}',
        b'{"time":"2026-11-22T20:22:30.070Z","event":"exec","id":"a","argv":["rm"]}',
        b'{"time":"2026-11-22T20:22:30.070Z","event":"rotated"}',
        b'{"time":"2026-11-22T20:22:30.070Z","event":["start"]}',
        b'{"time":"2026-11-',
        b'{"time":"yesterday","event":"start"}',
        b'{"time":7,"event":"start"}',
        b'{"event":"start"}',
        b'["start"]',
        b"null",
        b"\xff\xfe",
        b"",
    ],
)
def test_of_anything_else_nothing_is_sent(content):
    assert event_of(Line(1, content)) is None
