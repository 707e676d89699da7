"""The calls of the log, joined from its lines in both directions, and which of them are wanted."""

import json
import time
from pathlib import Path

import pytest

from asimi.world.audit.calls import Choice, calls, newest, records_of
from asimi.world.audit.chain import Chain, Keep, moment


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "asimi")


def line(number, event="start", seconds=None, **more):
    when = moment(time.time() if seconds is None else seconds)
    named = {} if event == "change" else {"id": f"c{number}"}
    return json.dumps({"time": when, "event": event, **named, **more}, separators=(",", ":"))[:-1]


def written(directory, lines, file_bytes=1 << 20):
    chain = Chain(directory, lambda: Keep(file_bytes=file_bytes))
    for each in lines:
        chain.append(each)
    chain.close()


LINES = [
    line(1), line(2), line(2, "exec", argv=["rm", "x"]), line(2, "end", exit=2), line(3, "refusal"),
    line(0, "change", what="trust"), line(4, "passed"), line(1, "end", exit=1), line(4, "end", outcome="ran"), line(5),
]  # fmt: skip


@pytest.mark.parametrize("file_bytes", [1 << 20, 400, 1])
def test_what_came_of_a_call_is_found_in_whichever_file_it_is(directory, file_bytes):
    written(directory, LINES, file_bytes)
    files = len(list(Path(directory).glob("log*.jsonl")))
    assert files == 1 if file_bytes == 1 << 20 else files > 2
    found = list(calls(directory))
    assert [each.get("id", each.get("what")) for each in found] == ["c1", "c2", "c3", "trust", "c4", "c5"]
    assert [each.get("end", {}).get("exit") for each in found] == [1, 2, None, None, None, None]
    assert found[1]["refused"][0]["argv"] == ["rm", "x"]
    assert found[4]["end"]["outcome"] == "ran"
    assert list(newest(directory)) == found[::-1]


def test_the_records_of_a_call_are_in_the_order_of_the_log(directory):
    written(directory, LINES)
    assert [each["event"] for each in records_of(list(calls(directory))[1])] == ["start", "exec", "end"]


@pytest.mark.parametrize("file_bytes", [1 << 20, 1])
def test_what_began_before_is_left_out_and_so_is_its_end(directory, file_bytes):
    now = time.time()
    written(directory, [line(1, seconds=now - 99), line(2, seconds=now), line(1, "end", seconds=now)], file_bytes)
    for read in (calls, newest):
        assert [(each["id"], "end" in each) for each in read(directory, since=now - 9)] == [("c2", False)]


def test_a_torn_line_and_a_text_that_looks_like_an_end_are_no_call(directory):
    written(directory, [line(1, command='{"time":"2026-01-01T00:00:00.000Z","event":"end","id":"c2"'), line(2)])
    with Path(directory, "log.jsonl").open("a") as file:
        file.write(line(3))
    written(directory, [line(4)])
    assert [(each["id"], "end" in each) for each in calls(directory)] == [("c1", False), ("c2", False), ("c4", False)]


def test_progress_goes_from_nothing_to_all(directory):
    written(directory, LINES, 400)
    for read in (calls, newest):
        told = []
        list(read(directory, heard=lambda done, total, told=told: told.append(done / total)))
        assert told == sorted(told)
        assert 0 <= told[0] < told[-1] <= 1


CALL = {
    "event": "start", "agent": "claude-code", "command": "git push", "root": "/srv/app", "directory": "/srv/app/sub",
    "verdict": "ask", "session": "",
}  # fmt: skip
ADDED = {"event": "change", "what": "policy add", "decision": "allow", "entry": "run_shell_command(npm test)"}
TRUSTED = {"event": "change", "what": "trust", "file": "/srv/app/.asimi/config.toml"}


@pytest.mark.parametrize(
    ("choice", "fields", "wanted"),
    [
        (Choice(), CALL, True),
        (Choice(), ADDED, True),
        (Choice(agent="Claude-Code"), CALL, True),
        (Choice(agent="claude"), CALL, False),
        (Choice(agent="cli"), ADDED, False),
        (Choice(command="git p"), CALL, True),
        (Choice(command="npm"), CALL, False),
        (Choice(command="npm test"), ADDED, True),
        (Choice(command="npm"), CALL | {"sent": "npm test"}, True),
        (Choice(command="git 'a b'"), CALL | {"command": "git", "arguments": ["a b"]}, True),
        (Choice(project="/srv/app"), CALL, True),
        (Choice(project="/srv/app/sub"), CALL, True),
        (Choice(project="/srv"), CALL, True),
        (Choice(project="/srv/ap"), CALL, False),
        (Choice(project="/srv/app"), TRUSTED, True),
        (Choice(project="/srv/app"), ADDED, False),
        (Choice(decision="ask"), CALL, True),
        (Choice(decision="allow"), CALL, False),
        (Choice(decision="allow"), ADDED, True),
        (Choice(denied=True), CALL, False),
        (Choice(denied=True), CALL | {"event": "refusal"}, True),
        (Choice(denied=True), CALL | {"event": "refusal", "session": "work asimi-doctor"}, False),
        (Choice(denied=True), ADDED, False),
        (Choice(agent="claude-code", decision="ask", project="/srv/app", command="push"), CALL, True),
        (Choice(agent="claude-code", decision="ask", project="/srv/app", command="pull"), CALL, False),
    ],
)
def test_what_is_wanted(choice, fields, wanted):
    assert choice.takes(fields) is wanted
