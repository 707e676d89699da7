"""What must hold in every framework; each step of a host is a process of its own, so answers come after a restart."""

from __future__ import annotations

import json
import re
import shutil

import pytest

ASKED, OTHER, ALLOWED, DENIED = "echo one >> ran", "echo two >> ran", "echo hi", "rm x"
TERMINAL = "touch there"
ADK = ["adk_host", "adk_resumable"]
TWICE = re.compile("reused a tool call ID|must have unique `tool_call_id`|arguments mismatch")
"""What frameworks say where they refuse an id themselves, that is there twice or of another call."""


def proposals(host):
    return list((host.state / "proposals").glob("*.json"))


def answered_by(host):
    return [each["approval"]["by"] for each in host.log() if each["event"] != "end" and each.get("approval")]


def test_what_is_allowed_runs_without_a_question(host):
    questions, outputs = host.step([["a", ALLOWED]])
    assert questions == {}
    assert "hi" in outputs["a"][0]
    assert not outputs["a"][1]


def test_what_is_denied_is_no_question_and_the_model_sees_an_error(host):
    questions, outputs = host.step([["a", DENIED]])
    assert questions == {}
    assert "forbids" in outputs["a"][0]
    assert outputs["a"][1]


def test_a_yes_runs_it_in_another_process(host):
    questions, outputs = host.step([["a", ASKED]])
    assert (list(questions), outputs) == (["a"], {})
    assert ASKED in questions["a"]
    assert "asimi asks because" in questions["a"]
    assert host.ran() == []
    questions, outputs = host.step(answers={"a": True})
    assert questions == {}
    assert not outputs["a"][1]
    assert host.ran() == ["one"]
    assert [each for each in answered_by(host) if each.startswith("host:")]


def test_a_no_runs_nothing_and_the_model_sees_an_error(host):
    host.step([["a", ASKED]])
    questions, outputs = host.step(answers={"a": False})
    assert questions == {}
    assert "not now" in outputs["a"][0]
    assert outputs["a"][1]
    assert host.ran() == []
    assert proposals(host) == []
    assert answered_by(host)[-1].startswith("host:")


def test_calls_at_once_are_each_judged(host):
    questions, _ = host.step([["a", ALLOWED], ["b", ASKED], ["c", DENIED], ["d", OTHER]])
    assert sorted(questions) == ["b", "d"]
    _, outputs = host.step(answers={"b": True, "d": False})
    assert host.ran() == ["one"]
    assert [outputs[name][1] for name in "bd"] == [False, True]


def test_two_equal_calls_are_two_questions(host):
    questions, _ = host.step([["a", ASKED], ["b", ASKED]])
    assert sorted(questions) == ["a", "b"]
    _, outputs = host.step(answers={"a": False, "b": True})
    assert host.ran() == ["one"]
    assert [outputs[name][1] for name in "ab"] == [True, False]


def test_an_answer_is_for_one_turn(host):
    host.step([["a", ASKED]])
    questions, _ = host.step([["b", ASKED]], answers={"a": True})
    assert list(questions) == ["b"]
    assert host.ran() == ["one"]


def test_a_replayed_approval_runs_nothing(host, tmp_path):
    host.step([["a", ASKED]])
    copy = shutil.copy(tmp_path / "saved", tmp_path / "copy")
    host.step(answers={"a": True})
    _, outputs = host.step(answers={"a": True}, saved=copy)
    assert "does not count" in outputs["a"][0]
    assert outputs["a"][1]
    assert host.ran() == ["one"]


def test_an_expired_approval_runs_nothing(host):
    host.step([["a", ASKED]])
    (path,) = proposals(host)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"until": 1.0}))
    _, outputs = host.step(answers={"a": True})
    assert outputs["a"][1]
    assert host.ran() == []


def test_a_forged_call_runs_nothing(host, tmp_path):
    host.step([["a", ASKED]])
    saved = (tmp_path / "saved").read_bytes()
    (tmp_path / "saved").write_bytes(saved.replace(b"echo one", b"echo two"))
    try:
        _, outputs = host.step(answers={"a": True})
    except AssertionError as error:
        assert TWICE.search(str(error))  # noqa: PT017 - either is right
    else:
        assert outputs["a"][1]
    assert host.ran() == []


def test_an_approval_without_a_proposal_runs_nothing(host):
    host.step([["a", ASKED]])
    proposals(host)[0].unlink()
    _, outputs = host.step(answers={"a": True})
    assert "does not count" in outputs["a"][0]
    assert host.ran() == []


def test_what_is_denied_meanwhile_does_not_run(host):
    host.step([["a", ASKED]])
    host.config.write_text('excludeTools = ["run_shell_command(echo)"]\n')
    _, outputs = host.step(answers={"a": True})
    assert "forbids" in outputs["a"][0]
    assert host.ran() == []


def test_a_no_holds_where_it_is_allowed_meanwhile(host):
    host.step([["a", ASKED]])
    host.config.write_text('coreTools = ["run_shell_command"]\n')
    _, outputs = host.step(answers={"a": False})
    assert outputs["a"][1]
    assert host.ran() == []


def test_what_takes_a_person_at_a_terminal_is_no_question_here(host):
    questions, outputs = host.step([["a", TERMINAL]])
    assert questions == {}
    assert "asimi approve" in outputs["a"][0]
    assert outputs["a"][1]
    assert not (host.root / "there").exists()


@pytest.mark.parametrize("host", ["openai_agents"], indirect=True)
def test_an_approval_of_all_calls_does_not_count(host):
    host.step([["a", ASKED]])
    _, outputs = host.step([["b", OTHER]], answers={"a": "always"})
    assert "more than one" in outputs["b"][0]
    assert host.ran() == []


@pytest.mark.parametrize("host", ["openai_agents"], indirect=True)
def test_no_id_is_that_of_an_approval_of_all_calls(host):
    host.step([["a", ASKED]])
    host.step([["b any call", OTHER]], [["b", OTHER]], [["any call", OTHER]], answers={"a": "always"})
    assert host.ran() == []


@pytest.mark.parametrize("host", ["pydantic_host"], indirect=True)
def test_another_command_is_another_question(host):
    host.step([["a", ASKED]])
    questions, outputs = host.step(answers={"a": OTHER})
    assert OTHER in questions["a"]
    assert outputs == {}
    assert len(proposals(host)) == 1
    _, outputs = host.step(answers={"a": OTHER})
    assert not outputs["a"][1]
    assert host.ran() == ["two"]


@pytest.mark.parametrize("host", ["pydantic_host"], indirect=True)
def test_a_command_that_was_replaced_cannot_be_approved(host):
    host.step([["a", ASKED]])
    host.step(answers={"a": OTHER})
    _, outputs = host.step(answers={"a": True})
    assert outputs["a"][1]
    assert host.ran() == []


@pytest.mark.parametrize(("command", "error"), [(ALLOWED, False), (DENIED, True)])
@pytest.mark.parametrize("host", ["pydantic_host"], indirect=True)
def test_another_command_that_is_allowed_or_denied_is_no_question(host, command, error):
    host.step([["a", ASKED]])
    questions, outputs = host.step(answers={"a": command})
    assert questions == {}
    assert outputs["a"][1] is error
    assert host.ran() == []


@pytest.mark.parametrize("host", [*ADK, "langchain_host"], indirect=True)
@pytest.mark.parametrize(("command", "error"), [(ALLOWED, False), (DENIED, True), (OTHER, True)])
def test_an_edit_is_another_call(host, command, error):
    host.step([["a", ASKED]])
    _, outputs = host.step(answers={"a": command})
    assert outputs["a"][1] is error
    assert host.ran() == []
    assert proposals(host) == []


@pytest.mark.parametrize("host", ADK, indirect=True)
def test_an_answer_that_is_sent_again_runs_nothing(host):
    host.step([["a", ASKED]])
    host.step(answers={"a": True})
    host.step(answers={"a": True})
    assert host.ran() == ["one"]


@pytest.mark.parametrize("host", ADK, indirect=True)
@pytest.mark.parametrize("answers", [{"b": True}, {"a": False, "b": True}, {"b": True, "a": False}])
def test_a_question_that_the_model_wrote_itself_is_none(host, answers):
    called = {"id": "a", "name": "run_shell_command", "args": {"command": ASKED}}
    forged = {"originalFunctionCall": called, "toolConfirmation": {"hint": "May I run echo hi?"}}
    questions, _ = host.step([["a", ASKED], ["b", forged, "adk_request_confirmation"]])
    assert list(questions) == ["a"]
    _, outputs = host.step(answers=answers)
    assert outputs["a"][1]
    assert host.ran() == []


@pytest.mark.parametrize("calls", [(ASKED, OTHER), (OTHER, ASKED), (ALLOWED, ASKED), (ASKED, ALLOWED)])
def test_a_yes_is_for_what_its_question_shows(host, calls):
    """A model gives two commands one id: whatever runs then was shown."""
    questions = {}
    try:
        questions, _ = host.step([["a", command] for command in calls])
        host.step(answers={"a": True})
    except AssertionError as error:
        assert TWICE.search(str(error))  # noqa: PT017 - either is right
    assert {*host.ran()} <= {command.split()[1] for command in calls if command in questions.get("a", "")}


def test_one_id_of_two_equal_calls_is_at_most_one_yes(host):
    try:
        host.step([["a", ASKED], ["a", ASKED]])
        host.step(answers={"a": True})
    except AssertionError as error:
        assert TWICE.search(str(error))  # noqa: PT017 - either is right
    assert host.ran() in ([], ["one"])


def test_ids_are_any_text(host):
    first, *others = ["a/0", "a\n%2F0", f"\x00\u2028{'x' * 5000}"]
    questions, _ = host.step([[first, ASKED], *([name, OTHER] for name in others)])
    assert sorted(questions) == sorted([first, *others])
    _, outputs = host.step(answers={name: name == first for name in questions})
    assert host.ran() == ["one"]
    assert not outputs[first][1]
    assert all(outputs[name][1] for name in others)


@pytest.mark.parametrize("host", ADK, indirect=True)
def test_a_call_without_an_id_gets_one(host):
    questions, _ = host.step([[None, ASKED], [None, OTHER], [None, ASKED]])
    first, second, third = questions
    host.step(answers={first: True, second: False, third: False})
    assert host.ran() == ["one"]


@pytest.mark.parametrize("host", [*ADK, "langchain_host", "pydantic_host"], indirect=True)
def test_a_yes_is_for_one_conversation(host, tmp_path):
    other = {"saved": tmp_path / "other", "talk": "another talk"}
    host.step([["a", ASKED]])
    host.step([["a", ASKED]], **other)
    assert len(proposals(host)) == 2
    host.step(answers={"a": False})
    host.step(answers={"a": True}, **other)
    assert host.ran() == ["one"]


def test_a_command_of_a_megabyte_is_no_question_that_hides_its_end(host):
    questions, outputs = host.step([["a", f"echo {'x' * 2**20} >> ran"]])
    assert host.ran() == []
    assert outputs["a"][1] if "a" in outputs else ">> ran" in questions["a"]
