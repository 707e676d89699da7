"""asimi between an editor and an agent, all of them real processes."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import pytest
from helpers import PATIENCE, PYTHON, ROOT, which
from helpers.acp import AGENT, OPTIONS, Editor, chosen, news, permission, terminal
from helpers.home import Home

YES, NO = {"result": chosen("yes")}, {"result": chosen("no")}
CANCELLED = {"result": {"outcome": {"outcome": "cancelled"}}}


@pytest.fixture
def editor(desk):
    return desk.editor()


# ---- what is no business of asimi's ----------------------------------------------------------------------------------

UNTOUCHED = [
    b'{"jsonrpc":"2.0","method":"echo","params":{"a":1.50,"b":"\\u00e9\xc3\xa9"},"later":[1,  2]}\n',
    b'{"method":"echo",   "params":null,"jsonrpc":"2.0"}\r\n',
    b'{"jsonrpc":"2.0","method":"echo","params":{"method":"terminal/create","deep":{"sessionId":7}}}\n',
]


@pytest.mark.parametrize("line", UNTOUCHED)
def test_lines_go_through_as_they_are_both_ways(desk, editor, line):
    editor.opened(desk.home.root)
    editor.write(line)
    editor.waits_for("echo")
    assert line in editor.raw


HEARS = 'import sys\nfor _ in sys.stdin.buffer: print(\'{"method": "heard", "params": {}}\', flush=True)'
ODD = [
    '{"method":["initialize"],"params":{}}', '{"method":7,"params":{}}', "[" * 100_000, "no message", "[]", "null",
    '{"id":{},"result":[]}', '{"id":null}', '{"method":"session/new","params":{"cwd":5}}', '{"method":"initialize"}',
    '{"method":"session/cancel","params":{"sessionId":[]}}', '{"id":"asimi-0-1","result":{"outcome":{}}}',
]  # fmt: skip


@pytest.mark.parametrize("line", ODD)
def test_a_line_of_the_editors_that_is_odd_is_the_agents_business(desk, line):
    editor = desk.editor(agent=[PYTHON, "-c", HEARS])
    editor.write(f"{line}\n".encode())
    editor.waits_for("heard")
    assert editor.close() == 0


def test_an_agent_is_started_where_asimi_was_with_its_words_and_variables(desk):
    code = "import sys; print(sys.argv[1:], flush=True)"
    editor = desk.editor(agent=[PYTHON, "-c", code, "--yes", "a b", "--"])
    assert editor.process.wait(PATIENCE) == 0
    editor.process.stdin.close()


def test_an_error_of_the_editors_reaches_the_agent(desk, editor):
    session = editor.opened(desk.home.root)
    editor.replies["custom/ask"] = {"any": [1]}
    assert editor.play(session, {"method": "custom/ask", "params": {"x": 1}}) == [{"result": {"any": [1]}}]


# ---- requests for permission -----------------------------------------------------------------------------------------

DIFF = {"type": "diff", "path": "sealed/x", "newText": "y"}
JUDGED = [
    (permission({"command": "echo hi"}), YES, "start"),
    (permission({"command": "echo hi", "description": "say", "timeout": 5, "cwd": None}), YES, "start"),
    (permission({"command": ["echo", "hi"], "workdir": "sub"}), YES, "start"),
    (permission({"cmd": "echo hi"}), YES, "start"),
    (permission({"command": "rm x"}), NO, "refusal"),
    (permission({"command": ["bash", "-lc", "rm x"], "cwd": "/"}), NO, "refusal"),
    (permission({"command": "echo hi; rm x"}, title="echo hi"), NO, "refusal"),
    (permission({"command": "rm x", "sudo": True}), NO, "refusal"),
    (permission({"command": "rm x"}, kind="other"), NO, "refusal"),
    (permission({"command": "echo hi", "cwd": "/no/such/place"}), NO, "refusal"),
    (permission({"command": "echo \0"}), NO, "refusal"),
    (permission({"path": "sealed/x"}, kind="edit"), NO, "refusal"),
    (permission({"file_path": "sealed/x", "content": "y"}, kind="edit"), NO, "refusal"),
    (permission({"changes": {"ok": {}, "sealed/x": {}}}, kind="edit"), NO, "refusal"),
    (permission({"filePath": "sealed/x"}, kind="read"), NO, "refusal"),
    (permission({"path": "sealed/x"}, kind="delete"), NO, "refusal"),
    (permission({"from": "ok", "to": "sealed/x"}, kind="move"), NO, "refusal"),
    (permission({"paths": ["ok", "sealed/x"]}, kind="read"), NO, "refusal"),
    (permission({"path": "sealed/x"}, kind="other"), NO, "refusal"),
    (permission({"path": "sealed/x"}, kind=None), NO, "refusal"),
    (permission({"path": "sealed/x"}, kind=["edit"]), NO, "refusal"),
    (permission({"path": "ok"}, kind="edit", content=[DIFF]), NO, "refusal"),
    (permission(None, kind="edit", content=[5, DIFF]), NO, "refusal"),
    (permission("{}", kind="edit", content=[DIFF]), NO, "refusal"),
    (permission({"command": ["apply_patch", "x"], "changes": {"sealed/x": {}}}, kind="edit"), NO, "refusal"),
    (permission({"command": "rm x", "path": "ok"}, kind="edit"), NO, "refusal"),
]
"""Requests that asimi answers itself: what the agent hears, and what the log says."""


@pytest.mark.parametrize(("step", "answer", "event"), JUDGED)
def test_asimi_answers_what_the_policy_decides(desk, editor, step, answer, event):
    session = editor.opened(desk.home.root)
    assert editor.play(session, step) == [answer]
    assert not editor.asked()
    (record,) = desk.home.log()
    assert record["event"] == event
    assert record["agent"] == "acp:scripted"
    assert record["session"] == "acp:scripted s1"
    assert record["call"] == "call-1"


PASSED = [
    (permission({"command": "make"}), "`make` is not on coreTools", "passed"),
    (permission({"command": "echo hi", "elevated": True}), "does not know what elevated means", "passed"),
    (permission({"command": "echo hi"}, kind="other"), "does not know what kind means", "passed"),
    (permission({"command": "echo hi", "cwd": "sub", "workdir": "."}), "does not know what directory means", "passed"),
    (permission({"path": ".env"}, kind="edit"), "may hold a secret", "passed"),
    (permission({"glob": "*.env"}, kind="search"), "may be a secret", "passed"),
    (permission({"path": ".", "include": ".env"}, kind="search"), "may hold a secret", "passed"),
    (permission({"command": "echo hi", "path": "a.txt"}, kind="edit"), "does not know what", "passed"),
    (permission({"path": "a.txt"}), "did not judge this", None),
    (permission(None), "did not judge this", None),
    (permission(None, title="rm x"), "did not judge this", None),
    (permission({"text": "rm x"}), "did not judge this", None),
    (permission({"command": 5}), "did not judge this", None),
    (permission({"command": [5]}), "did not judge this", None),
    (permission({"command": "echo hi", "cwd": [1]}), "did not judge this", None),
]
"""Requests that the editor's person answers, what the card says, and what the log does."""


@pytest.mark.parametrize("option", ["allow_once", "reject_once", "allow_always", "cancelled"])
@pytest.mark.parametrize(("step", "note", "event"), PASSED)
def test_the_editor_answers_what_asimi_asks_about(desk, editor, step, note, event, option):
    desk.option, desk.seconds = option, 0
    session = editor.opened(desk.home.root)
    known = {each["kind"]: {"result": chosen(each["optionId"])} for each in OPTIONS} | {"cancelled": CANCELLED}
    assert editor.play(session, step) == [known[option]]
    (card,) = editor.asked()
    assert card["options"] == OPTIONS
    assert note in card["toolCall"]["content"][-1]["content"]["text"]
    sent = step["params"]["toolCall"]
    assert {key: card["toolCall"][key] for key in sent} == sent
    begun, *ended = desk.home.log() if event else ({"event": None},)
    assert begun["event"] == event
    refused = event and "command" in step["params"]["toolCall"]["rawInput"] and option in {"reject_once", "cancelled"}
    assert [(each["event"], each["id"], each["outcome"]) for each in ended] == (
        [("end", begun["id"], "not run")] if refused else []
    )


SILENT = [
    permission({"path": "a.txt", "content": "x"}, kind="edit"),
    permission({"path": "a.txt"}, kind="read"),
    permission({"url": "https://example.org"}, kind="fetch"),
    permission(None, kind="edit", title="echo hi"),
]
"""Requests of which asimi says nothing: it never allows what an agent does to a file."""


@pytest.mark.parametrize("step", SILENT)
def test_what_asimi_has_no_word_for_goes_through_as_it_is(desk, editor, step):
    desk.seconds = 0
    session = editor.opened(desk.home.root)
    assert editor.play(session, step) == [YES]
    (card,) = editor.asked()
    assert card == {"sessionId": session, **step["params"]}
    assert not desk.home.log()


@pytest.mark.parametrize("kinds", [["allow_always", "reject_once"], ["allow_always", "reject_always"], []])
def test_asimi_never_chooses_always(desk, editor, kinds):
    session = editor.opened(desk.home.root)
    desk.option = "cancelled"
    options = [each for each in OPTIONS if each["kind"] in kinds]
    for command in ("echo hi", "rm x"):
        step = permission({"command": command})
        step["params"]["options"] = options
        expected = NO if command == "rm x" and "reject_once" in kinds else CANCELLED
        assert editor.play(session, step) == [expected]
    assert len(editor.asked()) == 1  # what would be allowed, if only once


def test_what_was_said_of_a_call_before_counts(desk, editor):
    session = editor.opened(desk.home.root)
    diff = {"type": "diff", "path": "/a", "newText": "b"}
    asks = permission(None)
    del asks["params"]["toolCall"]["kind"]
    heard = editor.play(
        session,
        news("tool_call", title="t", kind="execute", rawInput={}, content=[diff]),
        news("tool_call_update", rawInput={"command": "rm x"}),
        asks,
        news("tool_call_update", rawInput={"command": "make"}),
        asks,
        news("tool_call_update", status="failed"),
        asks,
    )
    assert heard == [NO, YES, YES]
    first, second = editor.asked()
    assert first["toolCall"]["content"][0] == diff
    assert "`make` is not on coreTools" in first["toolCall"]["content"][1]["content"]["text"]
    assert "content" not in second["toolCall"]  # nothing is known of it any more
    said = [each["update"] for each in editor.asked("session/update")]
    assert said[2]["sessionUpdate"] == "tool_call_update"
    assert "run_shell_command(rm) forbids" in said[2]["content"][0]["content"]["text"]


# ---- terminals and files of the editor's -----------------------------------------------------------------------------

ALLOWED = [
    terminal("echo", "a b", "$HOME"[1:]),
    terminal("echo", cwd="{root}/sub", outputByteLimit=5, env=None, _meta={}),
    terminal("echo hi", args=None),
    {"method": "fs/read_text_file", "params": {"path": "{root}/a"}},
    {"method": "fs/write_text_file", "params": {"path": "{root}/a", "content": "b"}},
]
REFUSED = [
    (terminal("rm", "x"), "run_shell_command(rm) forbids"),
    (terminal("bash", "-c", "rm x"), "run_shell_command(rm) forbids"),
    (terminal("echo hi; rm x"), "run_shell_command(rm) forbids"),
    (terminal("echo", "; rm x"), "run_shell_command(rm) forbids"),  # an editor may give it to a shell
    (terminal("echo", "`rm x`"), "run_shell_command(rm) forbids"),
    (terminal("rm", "x", env=[{"name": "A", "value": "b"}]), "run_shell_command(rm) forbids"),
    (terminal("echo a; rm x", env=[{"name": "A", "value": "b"}]), "run_shell_command(rm) forbids"),
    (terminal("B=1", "rm", env=[{"name": "A", "value": "b"}]), "cannot be judged together with variables"),
    (terminal("echo", env=[{"name": "-S rm", "value": "x"}]), "env: must be"),
    (terminal("echo", env={"A": "b"}), "env: must be"),
    (terminal("echo", cwd="sub"), "cwd: must be an absolute path"),
    (terminal("echo", cwd="/no/such/place"), "no/such/place"),
    (terminal(" "), "command: must be"),
    (terminal(None), "command: must be"),
    (terminal("echo", 5), "args: must be"),
    ({"method": "terminal/create", "params": {"sessionId": 5, "command": "rm"}}, "run_shell_command(rm) forbids"),
    ({"method": "fs/read_text_file", "params": {"path": "{root}/sealed/x"}}, "may not be touched"),
    ({"method": "fs/write_text_file", "params": {"path": "{root}/sealed/x", "content": ""}}, "may not be touched"),
    ({"method": "fs/write_text_file", "params": {"path": "a", "content": ""}}, "path: must be an absolute path"),
    ({"method": "fs/read_text_file", "params": {}}, "path: must be"),
]
ASKED = [
    (terminal("make"), "`make`"),
    (terminal("echo", env=[{"name": "CC", "value": "evil cc"}]), "`CC='evil cc' echo`"),
    (terminal("echo", shell="zsh"), "`echo`"),
    ({"method": "fs/read_text_file", "params": {"path": "{root}/.env"}}, "Read {root}/.env"),
    (
        {"method": "fs/write_text_file", "params": {"path": "{home}/.claude/settings.json", "content": ""}},
        "Write {home}",
    ),
]


def at(desk, step):
    text = json.dumps(step).replace("{root}", str(desk.home.root)).replace("{home}", str(desk.home.home))
    return json.loads(text)


@pytest.mark.parametrize("step", ALLOWED)
def test_what_is_allowed_reaches_the_editor_as_it_is(desk, editor, step):
    session, step = editor.opened(desk.home.root), at(desk, step)
    (heard,) = editor.play(session, step)
    assert "result" in heard
    assert editor.asked(step["method"]) == [{"sessionId": session, **step["params"]}]
    assert not editor.asked()
    assert [each[0] for each in desk.records()] == [begun(step)]


def begun(step):
    """The event of what was let pass."""
    return "start" if step["method"] == "terminal/create" else "file"


def test_a_file_is_in_the_log_by_the_agents_tool_and_never_with_what_is_in_it(desk, editor):
    path = str(desk.home.root / "a")
    write = {"method": "fs/write_text_file", "params": {"path": path, "content": "one\ntwo\n"}}
    session = editor.opened(desk.home.root)
    editor.play(session, write, {"method": "fs/read_text_file", "params": {"path": path}})
    wrote, read = desk.home.log()
    (written,), (seen,) = wrote["files"], read["files"]
    assert (wrote["tool"], written["does"], written["path"]) == ("fs/write_text_file", "write", path)
    assert (written["size"], written["added"]) == (8, 2)
    assert (read["tool"], seen["does"], seen["path"]) == ("fs/read_text_file", "read", path)
    assert "two" not in json.dumps([wrote, read])


@pytest.mark.parametrize(("step", "why"), REFUSED)
def test_what_is_denied_never_reaches_the_editor(desk, editor, step, why):
    session, step = editor.opened(desk.home.root), at(desk, step)
    (heard,) = editor.play(session, step)
    assert why in heard["error"]["message"]
    assert not editor.asked(step["method"])
    assert not editor.asked()


@pytest.mark.parametrize("option", ["allow_once", "reject_once", "cancelled"])
@pytest.mark.parametrize(("step", "title"), ASKED)
def test_asimi_asks_on_a_card_of_its_own(desk, editor, step, title, option):
    desk.option = option
    session, step = editor.opened(desk.home.root, "zed"), at(desk, step)
    (heard,) = editor.play(session, step)
    (card,) = editor.asked()
    assert card["sessionId"] == session
    assert at(desk, title) in card["toolCall"]["title"]
    assert "asimi asks because" in card["toolCall"]["content"][0]["content"]["text"]
    assert [each["kind"] for each in card["options"]] == ["allow_once", "reject_once"]
    sent = editor.asked(step["method"])
    (record,) = desk.home.log()
    assert record["approval"]["by"] == "editor:zed"
    if option == "allow_once":
        assert "result" in heard
        assert sent == [{"sessionId": session, **step["params"]}]
        assert record["event"] == begun(step)
    else:
        assert "Refused by the person" in heard["error"]["message"]
        assert not sent
        assert record["event"] == "refusal"
    (last,) = editor.asked("session/update")
    assert last["update"]["status"] == ("completed" if option == "allow_once" else "failed")


def test_a_card_has_what_would_be_written(desk, editor):
    session = editor.opened(desk.home.root)
    content = "A=1\n\x1b[2J" + "x\n" * 100
    editor.play(
        session, at(desk, {"method": "fs/write_text_file", "params": {"path": "{root}/.env", "content": content}})
    )
    text = editor.asked()[0]["toolCall"]["content"][0]["content"]["text"]
    assert "    +A=1\n" in text
    assert "… and 42 more lines" in text
    assert "\x1b" not in text


def test_a_yes_that_no_person_can_have_given_does_not_count(desk, editor):
    desk.seconds = 0
    session = editor.opened(desk.home.root)
    (heard,) = editor.play(session, terminal("make"))
    assert "before a person can have read it" in desk.home.log()[-1]["approval"]["note"]
    assert "asimi approve" in heard["error"]["message"]
    assert not editor.asked("terminal/create")


def test_an_editor_that_cannot_ask_is_no_yes(desk, editor):
    session = editor.opened(desk.home.root)
    desk.seconds = 0
    editor.replies["session/request_permission"] = {"outcome": {"outcome": "selected", "optionId": "always"}}
    (heard,) = editor.play(session, terminal("make"))
    assert "error" in heard
    assert not editor.asked("terminal/create")


@pytest.mark.parametrize("options", [("--non-interactive",), ("--yes",)])
def test_options_say_who_answers(desk, options):
    editor = desk.editor(*options)
    session = editor.opened(desk.home.root)
    step = terminal("make")
    (heard,) = editor.play(session, step)
    assert ("result" in heard) is (options == ("--yes",))
    assert not editor.asked()


def test_what_takes_a_person_at_a_terminal_is_no_question_for_a_card(desk, editor):
    session = editor.opened(desk.home.root)
    step = permission({"command": "find . -delete"})
    assert editor.play(session, step) == [NO]
    assert not editor.asked()
    assert desk.home.log()[0]["reasons"][0]["code"] == "floor"


# ---- one yes for one command ----------------------------------------------------------------------------------------

MAKE = permission({"command": "make x"}, title="`make x`")
VARIABLE = [{"name": "CC", "value": "evil"}]
SAME = [
    (MAKE, terminal("make", "x")),
    (MAKE, terminal("make x")),
    (permission({"command": ["make", "x"], "cwd": "sub"}, title="make x"), terminal("make", "x", cwd="{root}/sub")),
    (permission({"command": "make x | cat"}, title="make x | cat"), terminal("make x | cat")),
]
OTHER = [
    terminal("make x | cat"),
    terminal("sh", "-c", "make x"),
    terminal("make", "y"),
    terminal("make", "x", "y"),
    terminal("make", "x", cwd="{root}/sub"),
    terminal("make", "x", env=VARIABLE),
    terminal("make", "x", shell="zsh"),
    terminal("bash", "-c", "make x", "y"),
]


@pytest.mark.parametrize(("asks", "runs"), SAME)
def test_a_yes_on_the_agents_card_counts_in_its_terminal_once(desk, editor, asks, runs):
    session, runs = editor.opened(desk.home.root, "zed"), at(desk, runs)
    asked, ran, again = editor.play(session, asks, runs, runs)
    assert (asked, "result" in ran, "result" in again) == (YES, True, True)
    assert len(editor.asked()) == 2  # for the second terminal
    assert "make x" in editor.asked()[0]["toolCall"]["content"][-1]["content"]["text"]
    first, second, third = desk.home.log()
    assert [each["event"] for each in (first, second, third)] == ["passed", "start", "start"]
    assert second["approval"]["by"] == third["approval"]["by"] == "editor:zed"
    assert (second["approval"]["note"], "note" in third["approval"]) == (
        "on the card of the agent's own request",
        False,
    )


@pytest.mark.parametrize("step", OTHER)
def test_a_yes_counts_for_no_other_command(desk, editor, step):
    session, step = editor.opened(desk.home.root), at(desk, step)
    editor.play(session, MAKE, step)
    assert len(editor.asked()) == 2


@pytest.mark.parametrize("ended", [news("tool_call_update", status="completed"), None])
def test_a_yes_is_for_its_tool_call_and_turn(desk, editor, ended):
    session = editor.opened(desk.home.root)
    steps = [MAKE, ended, terminal("make", "x")]
    if ended is None:
        editor.play(session, steps.pop(0))
    editor.play(session, *filter(None, steps))
    assert len(editor.asked()) == 2


@pytest.mark.parametrize(("option", "seconds"), [("reject_once", 0.6), ("cancelled", 0.6), ("allow_once", 0)])
def test_a_no_and_a_yes_of_nobodys_count_nowhere_else(desk, editor, option, seconds):
    desk.option, desk.seconds = option, seconds
    session = editor.opened(desk.home.root)
    editor.play(session, MAKE, terminal("make", "x"))
    assert len(editor.asked()) == 2


@pytest.mark.parametrize("name", ["Reject", "Yes, reject", "Stop it", None])
def test_a_click_on_what_is_not_called_yes_is_none(desk, editor, name):
    """What options are called is the agent's word."""
    options = [
        {"optionId": "a", "name": name, "kind": "allow_once"},
        {"optionId": "b", "name": "x", "kind": "reject_once"},
    ]
    session = editor.opened(desk.home.root)
    asks = {"method": MAKE["method"], "params": MAKE["params"] | {"options": options}}
    assert editor.play(session, asks, terminal("make", "x"))[0] == {"result": chosen("a")}
    assert len(editor.asked()) == 2


@pytest.mark.parametrize("title", ["Stop make x?", "make x; y", "", None])
def test_a_yes_below_another_title_is_none(desk, editor, title):
    session = editor.opened(desk.home.root)
    editor.play(session, permission({"command": "make x"}, title=title), terminal("make", "x"))
    assert len(editor.asked()) == 2


def test_a_yes_that_comes_behind_a_cancel_counts_nowhere_else(desk, editor):
    """The turn that it was for is over."""
    session, answer = editor.opened(desk.home.root), desk.answer

    def cancelled_then(params):
        editor.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}})
        return answer(params)

    editor.replies["session/request_permission"] = cancelled_then
    editor.play(session, MAKE, terminal("make", "x"))
    assert len(editor.asked()) == 2


def test_a_yes_in_one_session_is_none_in_another(desk, editor):
    first = editor.opened(desk.home.root)
    second = editor.call("session/new", cwd=str(desk.home.root), mcpServers=[])["sessionId"]
    editor.play(first, MAKE)
    editor.play(second, terminal("make", "x"))
    assert len(editor.asked()) == 2


def test_what_is_denied_meanwhile_is_no_matter_of_a_yes(desk, editor):
    session = editor.opened(desk.home.root)
    answer = desk.answer

    def denied_then(params):
        desk.home.config.write_text('excludeTools = ["run_shell_command(make)"]\n')
        return answer(params)

    editor.replies["session/request_permission"] = denied_then
    assert "run_shell_command(make) forbids" in editor.play(session, MAKE, terminal("make x"))[1]["error"]["message"]


def test_an_answer_to_a_request_of_the_same_name_is_no_yes(desk, editor):
    """An agent chooses the names of its requests, and may give one twice."""
    session = editor.opened(desk.home.root)
    other = permission(None, kind="other", title="a greeting") | {"id": "agent-s1-0", "on": True}
    shown = []

    def answer(params):
        shown.append(params["toolCall"]["title"])
        return desk.answer(params) if shown[-1] == "a greeting" else None

    editor.replies["session/request_permission"] = answer
    steps = [MAKE | {"id": "agent-s1-0", "on": True}, other, {"wait": 1}, terminal("make", "x") | {"on": True}]
    editor.play(session, *steps)
    end = time.monotonic() + PATIENCE
    while len(shown) < 3:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert not editor.asked("terminal/create")


# ---- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "outcome"), [("completed", "ran"), ("failed", "failed"), ("in_progress", None)])
def test_the_end_of_a_tool_call_is_written_down(desk, editor, status, outcome):
    session = editor.opened(desk.home.root)
    editor.play(session, permission({"command": "echo hi"}), news("tool_call_update", status=status))
    start, *ended = desk.home.log()
    assert [(each["event"], each["id"], each["agent"], each["outcome"]) for each in ended] == (
        [("end", start["id"], "acp:scripted", outcome)] if outcome else []
    )
    assert (f"  {outcome} " if outcome else "  allowed ") in desk.home.asimi("log").stdout


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ({"terminal/wait_for_exit": {"exitCode": 3, "signal": None}}, "exit 3"),
        ({"terminal/wait_for_exit": {"signal": "SIGKILL"}}, "signal 9"),
        ({"terminal/output": {"output": "", "truncated": False, "exitStatus": {"exitCode": 0}}}, "exit 0"),
        ({"terminal/output": {"output": "", "truncated": False, "exitStatus": None}}, "allowed"),
        ({"terminal/wait_for_exit": {"exitCode": True, "signal": "rm"}}, "interrupted"),
        ({"terminal/output": {"output": ""}}, "allowed"),
    ],
)
def test_the_end_of_a_terminal_is_written_down(desk, editor, replies, said):
    editor.replies |= replies
    session = editor.opened(desk.home.root)
    looks = [{"method": each, "params": {"terminalId": "terminal"}} for each in replies]
    strange = {"method": "terminal/wait_for_exit", "params": {"terminalId": "another"}}
    heard = editor.play(session, terminal("echo"), strange, *looks, *looks)
    assert heard[2:] == [{"result": each} for each in replies.values()] * 2
    assert len(desk.home.log()) == (1 if said == "allowed" else 2)
    assert f"  {said} " in desk.home.asimi("log").stdout


def test_a_terminal_that_the_editor_does_not_make_did_not_run(desk, editor):
    editor.replies["terminal/create"] = {}
    editor.play(editor.opened(desk.home.root), terminal("echo"))
    assert [each.get("outcome") for each in desk.home.log()] == [None, "not run"]


# ---- sessions --------------------------------------------------------------------------------------------------------


def test_each_session_is_judged_in_its_own_project(desk, editor):
    desk.seconds = 0
    other = desk.home.root.parent / "other"
    other.mkdir()
    first = editor.opened(desk.home.root)
    second = editor.call("session/new", cwd=str(other), mcpServers=[])["sessionId"]
    step = permission({"command": "echo hi"})
    for session in (first, second):
        assert editor.play(session, step) == [YES]
    assert [each["root"] for each in desk.home.log()] == [str(desk.home.root), str(other)]


def test_a_loaded_session_is_where_the_editor_says(desk, editor):
    editor.opened(desk.home.root)
    other = desk.home.root.parent / "other"
    other.mkdir()
    editor.call("session/load", sessionId="s1", cwd=str(other), mcpServers=[])
    assert editor.play("s1", permission({"command": "echo hi"})) == [YES]
    assert desk.home.log()[0]["root"] == str(other)


def test_a_restarted_editor_goes_on_where_it_was(desk):
    """The ids of sessions outlive the processes, those of requests begin anew."""
    desk.option = "allow_once"
    other = desk.home.root / "sub"
    first = desk.editor()
    first.opened(desk.home.root)
    session = first.call("session/new", cwd=str(other), mcpServers=[])["sessionId"]
    step = permission({"command": "echo hi"})
    assert first.play(session, step, MAKE) == [YES, YES]
    first.process.kill()
    second = desk.editor()
    second.call("initialize", protocolVersion=1, clientCapabilities={}, clientInfo={"name": "zed", "version": "2"})
    second.call("session/load", sessionId=session, cwd=str(other), mcpServers=[])
    ended = news("tool_call_update", status="completed")
    heard = second.play(session, terminal("make", "x"), step, ended, permission({"command": "rm x"}))
    assert [*map(bool, heard)] == [True] * 3
    assert (len(second.asked()), heard[1:]) == (1, [YES, NO])  # a yes to what another process asked is over
    records = desk.home.log()
    assert [each["event"] for each in records] == ["start", "passed", "start", "start", "end", "refusal"]
    assert {each["session"] for each in records} == {f"acp:scripted {session}"}
    assert {each["directory"] for each in records if "directory" in each} == {str(other)}
    assert records[4]["id"] == records[3]["id"]


def test_a_root_that_the_person_chose_counts_for_all_sessions(desk):
    editor = desk.editor("--root", str(desk.home.root))
    session = editor.opened(desk.home.root / "sub")
    assert editor.play(session, permission({"command": "echo hi"})) == [YES]
    (record,) = desk.home.log()
    assert record["root"] == str(desk.home.root)
    assert record["directory"] == str(desk.home.root / "sub")


def test_a_question_in_one_session_keeps_no_other_waiting(desk, editor):
    desk.option = None
    first = editor.opened(desk.home.root)
    second = editor.call("session/new", cwd=str(desk.home.root), mcpServers=[])["sessionId"]
    prompt = [{"type": "text", "text": json.dumps([terminal("make")])}]
    waiting = editor.begin("session/prompt", {"sessionId": first, "prompt": prompt})
    editor.waits_for("session/request_permission")
    assert editor.play(second, permission({"command": "echo hi"}), terminal("echo"))[0] == YES
    assert waiting.empty()


def test_a_broken_configuration_refuses(desk, editor):
    session = editor.opened(desk.home.root)
    desk.home.config.write_text("nonsense")
    first, second = editor.play(session, permission({"command": "echo hi"}), terminal("echo"))
    assert first == NO
    assert "config.toml" in second["error"]["message"]


# ---- cancelling ------------------------------------------------------------------------------------------------------


def test_a_cancelled_turn_ends_a_question_of_asimis(desk, editor):
    desk.option = None
    session = editor.opened(desk.home.root)
    prompt = [{"type": "text", "text": json.dumps([terminal("make")])}]
    turn = editor.begin("session/prompt", {"sessionId": session, "prompt": prompt})
    editor.waits_for("session/request_permission")
    editor.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}})
    told = turn.get(timeout=PATIENCE)["result"]["_meta"]
    assert told["cancelled"] == [session]
    assert told["answers"][0]["error"]["code"] == -32800
    assert not editor.asked("terminal/create")
    assert desk.records() == [("refusal", "make", "nobody")]


def test_a_request_that_the_agent_takes_back_is_asked_about_no_more(desk, editor):
    desk.option = None
    session = editor.opened(desk.home.root)
    back = {"method": "$/cancel_request", "params": {"requestId": "agent-s1-0"}, "notify": True}
    later = {"method": "$/cancel_request", "params": {"requestId": "another"}, "notify": True}
    steps = [terminal("make") | {"id": "agent-s1-0", "on": True}, back, {"wait": 1}, later]
    (heard,) = editor.play(session, *steps)
    assert heard["error"]["code"] == -32800
    assert [each["requestId"] for each in editor.asked("$/cancel_request")] == ["another"]


def test_a_question_that_waits_elsewhere_is_cancelled_with_its_turn(desk, editor):
    desk.home.config.write_text(desk.home.config.read_text().replace("[session]", "[session]\nwait = true"))
    session = editor.opened(desk.home.root)
    prompt = [{"type": "text", "text": json.dumps([permission({"command": "find . -delete"})])}]
    turn = editor.begin("session/prompt", {"sessionId": session, "prompt": prompt})
    end = time.monotonic() + PATIENCE
    while not list(desk.home.home.glob("run/asimi/questions/*")):
        assert time.monotonic() < end, "no question waits"
        time.sleep(0.01)
    editor.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}})
    assert turn.get(timeout=PATIENCE)["result"]["_meta"]["answers"] == [CANCELLED]


# ---- what two readers could read differently -------------------------------------------------------------------------

TWOFOLD = [
    '{"jsonrpc":"2.0","id":"agent-s1-0","method":"a","method":"terminal/create","params":{"command":"echo"}}',
    '[{"jsonrpc":"2.0","id":"agent-s1-0","method":"terminal/create","params":{"command":"echo"}}]',
    '\u00c2\u00a0{"jsonrpc":"2.0","id":"agent-s1-0","method":"terminal/create","params":{"command":"echo"}}',
    '{"jsonrpc":"2.0","id":"agent-s1-0","method":"terminal/create","params":{"command":"echo","x":"\u00ff"}}',
    '{"jsonrpc":"2.0","method":"terminal/create","params":{"command":"echo"}}',
    '{"jsonrpc":"2.0","id":1.5,"method":"terminal/create","params":{"command":"echo"}}',
    "a line of a log",
    '{"jsonrpc":"2.0","id":"agent-s1-0","method":["terminal/create"],"params":{"command":"echo"}}',
    '{"jsonrpc":"2.0","method":{},"params":{}}',
    "[" * 100_000,
]


@pytest.mark.parametrize("line", TWOFOLD)
def test_a_line_that_could_mean_two_things_is_passed_on_to_nobody(desk, editor, line):
    session = editor.opened(desk.home.root)
    answered = '"id":"agent-s1-0"' in line and line[0] != "["
    steps = [{"line": line}, *([{"wait": 1}] if answered else ())]
    heard = editor.play(session, *steps)
    assert [each["error"]["code"] for each in heard] == [-32600] * answered
    assert not editor.asked("terminal/create")
    assert editor.close() == 0
    editor._threads[1].join(PATIENCE)
    assert "1 lines of the agent were not passed on" in editor.said.decode()


# ---- how it ends -----------------------------------------------------------------------------------------------------


def test_the_exit_code_is_the_agents(desk):
    editor = desk.editor(environ={"AGENT_EXIT": "3"})
    editor.opened(desk.home.root)
    assert editor.close() == 3


@pytest.mark.parametrize("waiting", [False, True])
def test_an_agent_that_crashes_ends_the_editors_side(desk, editor, waiting):
    desk.option = None
    session = editor.opened(desk.home.root)
    first = [terminal("make") | {"on": True}] if waiting else []
    prompt = [{"type": "text", "text": json.dumps([*first, {"exit": 7}])}]
    answer = editor.begin("session/prompt", {"sessionId": session, "prompt": prompt})
    assert editor.process.wait(PATIENCE) == 7
    assert answer.get(timeout=PATIENCE) is None


def test_a_signal_that_ends_the_agent_is_told(desk, editor):
    editor.opened(desk.home.root)
    os.kill(editor.call("environment")["pid"], signal.SIGKILL)
    assert editor.process.wait(PATIENCE) == 128 + signal.SIGKILL


def test_what_an_agent_left_behind_keeps_nobody_waiting(desk):
    left = "open('left', 'w').write(str(subprocess.Popen(['sleep', '600']).pid))"
    editor = desk.editor(agent=[PYTHON, "-c", f"import subprocess, sys; {left}; sys.exit(4)"])
    assert editor.process.wait(PATIENCE) == 4
    os.kill(int((desk.home.root / "left").read_text()), signal.SIGKILL)


def _is_gone(pid):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_if_asimi_dies_both_ends_are_closed(desk, editor, how):
    editor.opened(desk.home.root)
    agent = editor.call("environment")["pid"]
    editor.process.send_signal(how)
    code = editor.process.wait(PATIENCE)
    assert code == (-how if how == signal.SIGKILL else 128 + how)
    editor._threads[0].join(PATIENCE)
    assert not editor._threads[0].is_alive()
    assert _is_gone(agent)


def test_an_agent_that_does_not_end_is_ended(desk):
    code = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_DFL); print('{}', flush=True); time.sleep(600)"
    )
    editor = desk.editor(agent=[PYTHON, "-c", code])
    end = time.monotonic() + PATIENCE
    while not editor.raw:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert editor.close() == 128 + signal.SIGTERM


@pytest.mark.parametrize(("program", "code"), [("no-such-program", 127), ("/", 126)])
def test_an_agent_that_cannot_be_started(desk, program, code):
    done = desk.home.asimi("acp", "--", program)
    assert done.returncode == code
    assert "cannot be started" in done.stderr
    assert not done.stdout


def test_below_a_call_the_editor_may_be_the_agent_itself(desk, tmp_path):
    script = tmp_path / "inner.py"
    script.write_text(
        "import sys\n"
        "from helpers.acp import *\n"
        "import os\n"
        "with Editor([PYTHON, '-m', 'asimi', 'acp', '--', *AGENT], dict(os.environ), os.getcwd()) as editor:\n"
        "    editor.replies['session/request_permission'] = lambda p: (time.sleep(0.6), chosen('allow_once'))[1]\n"
        "    session = editor.opened(os.getcwd())\n"
        "    print(editor.play(session, terminal('make')), len(editor.asked()))\n"
    )
    desk.home.config.write_text('coreTools = ["execute_command"]\n')
    done = desk.home.asimi("exec", "--", PYTHON, str(script))
    assert "make" in desk.home.asimi("check", "--exec", "--", "make").stdout
    desk.home.config.write_text(f'coreTools = ["execute_command({PYTHON})"]\n')
    done = desk.home.asimi("exec", "--", PYTHON, str(script))
    assert done.returncode == 0, done.stderr
    assert "error" in done.stdout
    assert done.stdout.rstrip().endswith("] 0")


@pytest.fixture
def held(tmp_path):
    """A home for boxes, which the directory of temporary files is none for."""
    if sys.platform != "linux" or not which("bwrap"):
        pytest.skip("it takes bubblewrap")
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)"]\n')
    return home, ["wrap", "--read", str(ROOT), "--"]


def test_a_box_around_the_agent_holds_and_asimi_stands_outside_of_it(held):
    home, wrap = held
    words = [PYTHON, "-m", "asimi", "acp", "--", PYTHON, "-m", "asimi", *wrap, *AGENT]
    with Editor(words, home.environ, home.root) as editor:
        session = editor.opened(home.root)
        assert editor.play(session, permission({"command": "echo hi"})) == [YES]
        assert editor.close() == 0
    assert [each["event"] for each in home.log() if "command" in each] == ["start"]


def test_asimi_does_not_stand_in_the_box_itself(held):
    home, wrap = held
    done = home.asimi(*wrap, PYTHON, "-m", "asimi", "acp", "--", *AGENT)
    assert done.returncode == 125
    assert "acp does not work inside a box" in done.stderr


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_hundred_thousand_messages_take_no_more_memory(desk, editor):
    session = editor.opened(desk.home.root)

    def resident():
        with open(f"/proc/{editor.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def heard(number):
        return news("tool_call", f"c{number}", title="t", rawInput={"command": "x"}) | {"times": 100}

    editor.play(session, *map(heard, range(50)))
    before = resident()
    for begin in range(0, 950, 50):
        editor.play(session, *map(heard, range(begin, begin + 50)))
    assert len(editor.asked("session/update")) == 100_000
    assert resident() - before < 8 << 10
