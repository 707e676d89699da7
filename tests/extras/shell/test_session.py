"""The interactive session: what is typed, what is said about it meanwhile, what becomes of it."""

from __future__ import annotations

import json
import os
import re
import signal
import stat

import pytest
from helpers.home import Home
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from asimi.core.errors import AsimiError
from asimi.core.wire import MalformedJsonError
from asimi.extras.shell.prompt import HISTORY, KeptHistory, Words, colours, is_unfinished
from asimi.extras.shell.session import calls_of, only_changes_its_shell

CONFIG = """\
coreTools = ["run_shell_command(echo)", "run_shell_command(sleep)", "execute_command(printf)"]
excludeTools = ["run_shell_command(rm)"]
"""


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, CONFIG)


@pytest.fixture
def session(home):
    """Begins a session at a terminal; all of them are ended."""
    people = []

    def begin(*words, **options):
        people.append(home.at_terminal(*(words or ("shell",)), **options))
        people[-1].sees("asimi> ")
        return people[-1]

    yield begin
    for person in people:
        person.leaves()


# ---- texts -----------------------------------------------------------------------------------------------------------

UNFINISHED = [
    "echo 'a", 'echo "a', "if true; then", "if true", "cat <<E", "cat <<E\nfoo\n", "a |", "a &&", "a ||\n", "(a",
    "{ a;", "echo $(", "echo ${x", "for i in", "for i in a; do", "a \\", "case x in", "case x in a)", "((1+", "f() {",
    "echo `a", "while x; do\n y\n", '{"command":', '{"command": "l', '{"a": [',
]  # fmt: skip

FINISHED = [
    "", "ls", "a )", "then", "a | | b", "a ;; b", "cat <<E\nfoo\nE\n", "a \\\\", "echo '\\'", "{ a; }", "[ -f x ]",
    '{"command": "ls"}', '{"command" "ls"}', '{"a": 1}}', "echo \\\nb", "a &", "# if",
]  # fmt: skip


@pytest.mark.parametrize("text", UNFINISHED)
def test_an_unfinished_text_goes_on_in_another_line(text):
    assert is_unfinished(text)


@pytest.mark.parametrize("text", FINISHED)
def test_a_finished_text_ends_with_enter(text):
    assert not is_unfinished(text)


CALLS = {
    '{"command": "ls"}': 1,
    ' {"name": "run_shell_command", "arguments": {}} ': 1,
    '[{"command": "ls"}, {"command": "id"}]': 2,
    "{ ls; }": 0,
    "{a,b}": 0,
    "[ -f x ]": 0,
    "[[ a ]]": 0,
    "[1]": 0,
    "[]": 0,
    "ls": 0,
    '"ls"': 0,
    "1": 0,
}


@pytest.mark.parametrize("text", CALLS)
def test_json_that_calls_a_tool_is_no_shell_text(text):
    assert len(calls_of(text)) == CALLS[text]


def test_a_broken_call_is_not_run_as_shell_text():
    assert isinstance(calls_of('{"command": "ls", }')[0], MalformedJsonError)


FORGOTTEN = ["cd", "cd sub", "cd /; cd x", "pushd sub", "popd", "export A=1", "alias a=b", "unset A", "A=1", "A=1 B=2"]

KEPT = [
    "cd sub && ls", "ls", "cd sub; ls", "export", "export -p", "A=1 ls", "cd $(id) && ls", "echo cd", "> x", "cd 'x",
    "",
]  # fmt: skip


@pytest.mark.parametrize("text", FORGOTTEN)
def test_what_only_changes_its_own_shell_is_told_so(text):
    assert only_changes_its_shell(text)


@pytest.mark.parametrize("text", KEPT)
def test_what_does_more_is_run(text):
    assert not only_changes_its_shell(text)


def test_colours_repeat_what_the_reader_found():
    styles = colours('ls "a b" > $x')
    assert [styles.get(place, "") for place in (0, 3, 9, 11)] == [
        "class:program", "class:quoted", "class:operator", "class:expansion",
    ]  # fmt: skip
    assert set(colours("a | | b").values()) == {"class:wrong"}
    assert colours("echo 'a") == {}


COMPLETIONS = [
    ("pyth", ["python"]),
    ("ls; pyth", ["python"]),
    ("ls | pyth", ["python"]),
    ("(pyth", ["python"]),
    ("if true; then pyth", ["python"]),
    ("echo pyth", []),
    ("echo su", ["sub/"]),
    ("echo sub/f", ["file"]),
    ("sub/f", ["file"]),
    ("./su", ["sub/"]),
    ("echo with", []),
    ("echo hid", []),
    ("echo .h", [".hidden"]),
    ("echo ", ["sub/"]),
    (":he", [":help"]),
    ("echo :he", []),
]


@pytest.mark.parametrize(("text", "expected"), COMPLETIONS)
def test_programs_and_paths_are_completed(tmp_path, text, expected):
    """What would have to be quoted, or hides something, is not offered."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    (tmp_path / "bin" / "py$(id)").touch()
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "file").touch()
    for name in ("with space", "hid\u202eden", ".hidden"):
        (root / name).touch()
    completer = Words([":help"], str(root), str(tmp_path / "bin"))
    found = completer.get_completions(Document(text), CompleteEvent())
    assert [completion.text for completion in found] == expected


# ---- the history -----------------------------------------------------------------------------------------------------


def test_the_history_is_private_and_outlives_the_session(tmp_path):
    state = str(tmp_path / "state")
    history = KeptHistory(state)
    for text in ("one", "two\nlines", "two\nlines", " secret", "\udc80"):
        history.store_string(text)
    path = os.path.join(state, HISTORY)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert list(KeptHistory(state).load_history_strings()) == ["\udc80", "two\nlines", "one"]


def test_a_torn_line_of_the_history_is_left_out(tmp_path):
    KeptHistory(str(tmp_path / "state")).store_string("one")
    with open(tmp_path / "state" / HISTORY, "a") as file:
        file.write('"tor')
    assert list(KeptHistory(str(tmp_path / "state")).load_history_strings()) == ["one"]


def test_the_history_keeps_what_is_youngest(tmp_path):
    state = tmp_path / "state"
    KeptHistory(str(state)).store_string("oldest")
    with open(state / HISTORY, "a") as file:
        file.writelines(f'"{number} {"x" * 1000}"\n' for number in range(5000))
    kept = list(KeptHistory(str(state)).load_history_strings())
    assert kept[0].startswith("4999 ")
    assert 900 < len(kept) < 1100
    assert (state / HISTORY).stat().st_size < 1_100_000
    assert list(KeptHistory(str(state)).load_history_strings()) == kept


@pytest.mark.parametrize("content", ['{"version": 2}\n', "ls\n", "\0"])
def test_a_history_of_another_version_is_an_error(tmp_path, content):
    KeptHistory(str(tmp_path / "state")).store_string("one")
    (tmp_path / "state" / HISTORY).write_text(content)
    with pytest.raises(AsimiError, match="history"):
        KeptHistory(str(tmp_path / "state"))


def test_a_history_that_others_can_write_is_an_error(tmp_path):
    KeptHistory(str(tmp_path / "state")).store_string("one")
    os.chmod(tmp_path / "state" / HISTORY, 0o666)
    with pytest.raises(AsimiError, match="open to other"):
        KeptHistory(str(tmp_path / "state"))


# ---- at a terminal ---------------------------------------------------------------------------------------------------

HINTS = {
    "echo hi": "allow",
    "rm x": "deny",
    "mkdir x": "ask",
    "echo $(id)": "deny",
    "echo )": "deny",
    "echo 'a": "not finished",
    "cd sub": "forgotten",
    '{"command": "echo hi"}': "allow",
    '{"command": "rm x"}': "deny",
    '{"command": "printf", "args": ["x"]}': "allow",
    '{"command": "mkdir", "args": ["x"]}': "ask",
    '{"name": "nothing", "arguments": {}}': "not a call of a tool",
    ":policy": "the rules in force",
    ":nothing": "no such command",
}


@pytest.mark.parametrize("text", HINTS)
def test_the_verdict_is_shown_while_typing(session, text):
    person = session()
    person.sees("type a command")
    person.types(text)
    person.sees(f" {HINTS[text]}")


def test_the_verdict_of_what_is_typed_names_the_rule_and_its_place(session):
    person = session(columns=160)
    person.types("rm x")
    person.sees("run_shell_command(rm)", "config.toml:2")


def test_bare_asimi_on_a_terminal_is_the_session(session, home):
    person = session("--root", str(home.root))
    person.enters("echo $((1+1))")
    person.sees("2", "[exit 0")


def test_a_command_runs_in_the_project_root_and_its_end_is_shown(session, home):
    person = session(columns=200)
    person.enters("echo out; echo err >&2; echo $PWD")
    person.sees("out", "err", str(home.root), "[exit 0")


def test_an_exit_code_a_signal_and_a_missing_line_end_are_shown(session, home):
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    person = session()
    person.enters("printf abc; exit 3")
    person.sees("abc\n[exit 3")
    person.enters("kill -9 $$")
    person.sees("[signal 9")


def test_a_refused_command_says_why(session):
    person = session()
    person.enters("rm x")
    person.sees("Not allowed by the policy")


def test_what_must_be_asked_is_asked_and_the_session_keeps_the_answer(session):
    person = session()
    person.enters("mkdir one && echo made")
    person.asked()
    person.presses("s")
    person.sees("[1]")
    person.presses("1")
    person.sees("made", "[exit 0")
    person.enters(":session")
    person.sees("mkdir one && echo made", "since")
    person.enters(":session forget")
    person.sees("Taken back: 1")


def test_ctrl_c_at_the_question_is_a_no_and_the_session_goes_on(session):
    person = session()
    person.enters("mkdir one")
    person.asked()
    person.presses("\x03")
    person.sees("denied")
    person.enters("echo still here")
    person.sees("\nstill here")


def test_ctrl_c_ends_what_runs_and_the_session_goes_on(session):
    person = session()
    person.enters("echo begun; sleep 600")
    person.sees("\nbegun")
    person.presses("\x03")
    person.sees("[signal 15")
    person.enters("echo still here")
    person.sees("\nstill here")


def test_ctrl_c_throws_away_what_was_typed(session):
    person = session()
    person.types("mkdir one")
    person.presses("\x03")
    person.enters("echo next")
    person.sees("\nnext")
    assert "denied" not in person.display


def test_ctrl_d_ends_the_session(session):
    person = session()
    person.presses("\x04")
    assert person.ended() == 0


@pytest.mark.parametrize("word", ["exit", "quit", ":quit"])
def test_words_end_the_session(session, word):
    person = session()
    person.enters(word)
    assert person.ended() == 0


@pytest.mark.parametrize("busy", [False, True], ids=["typing", "running"])
def test_sigterm_ends_the_session_and_what_runs(session, busy):
    person = session()
    if busy:
        person.enters("echo begun; sleep 600")
        person.sees("\nbegun")
    person.process.send_signal(signal.SIGTERM)
    assert person.ended() == 143


def test_a_tool_call_is_answered_with_a_line_of_json(session):
    person = session(columns=200)
    person.enters('{"id": "a", "name": "execute_command", "arguments": {"command": "printf", "args": ["x%sx", "y"]}}')
    person.sees('"stdout": "xyx"')
    person.enters('{"command": "echo hi", }')
    person.sees('"error": "not valid JSON')


def test_a_line_that_is_not_finished_goes_on(session):
    person = session()
    person.enters("echo 'a")
    person.enters("b'")
    person.sees("\na\nb\n[exit 0")


def test_what_is_pasted_is_not_run_before_enter(session):
    person = session()
    person.types("\x1b[200~echo one\necho two\x1b[201~")
    person.never_sees("[exit")
    person.presses("\r")
    person.sees("\none\ntwo\n[exit 0")


def test_cd_is_told_that_it_would_be_forgotten(session):
    person = session()
    person.enters("cd sub")
    person.sees("Nothing was run", "cd sub && ls")


def test_what_is_left_running_is_shown_and_lives_on(session):
    person = session(columns=200)
    person.enters("sleep 600 & echo begun")
    person.sees("[left running: ")
    pid = int(person.found(r"\[left running: (\d+)"))
    person.enters(":jobs")
    person.sees(f"process {pid}")
    person.presses("\x04")
    assert person.ended() == 0
    os.kill(pid, signal.SIGKILL)


def test_the_rules_are_shown_with_their_places(session):
    person = session(columns=160)
    person.enters(":policy")
    person.sees("deny   run_shell_command(rm)", "config.toml:2", "what no rule allows: ask")


@pytest.mark.parametrize("text", [":help", ":policy x", ":session x", ":nothing"])
def test_asimis_own_commands_say_what_they_know(session, text):
    person = session()
    person.enters(text)
    person.sees("\nasimi> ")
    assert "Traceback" not in person.display


def test_tab_completes(session, home):
    (home.root / "longname").touch()
    person = session()
    person.types("echo longn\t")
    person.sees("longname")


def test_earlier_lines_come_back(session):
    first = session()
    first.enters("echo earlier")
    first.sees("[exit 0")
    first.presses("\x04")
    assert first.ended() == 0
    second = session()
    second.presses("\x1b[A")
    second.sees("asimi> echo earlier")


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_terminal(session, columns):
    person = session(columns=columns)
    for text in (":help", "cd sub"):
        person.enters(text)
    person.types("rm " + "x" * 20)
    person.sees(" deny")
    assert person.widest <= columns


def test_without_colour_there_is_no_colour_code(session):
    person = session(environ={"NO_COLOR": "1"})
    person.enters("echo 'a' $HOME")
    person.sees("[exit 0")
    person.types("rm x")
    person.sees(" deny")
    assert not re.findall(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|38|48)[;m]", person.written)


def test_a_dumb_terminal_reads_lines(session):
    person = session(environ={"TERM": "dumb"})
    person.enters("echo hi")
    person.sees("\nhi\n[exit 0")


def test_a_control_character_in_what_is_typed_is_shown_as_a_name(session):
    person = session()
    person.types("\x1b[200~rm a\x1b]0;x\x1b[201~")
    person.sees(" deny")
    assert b"\x1b]0;x" not in person.written


def test_without_a_terminal_there_is_no_session(home):
    done = home.asimi("shell")
    assert done.returncode == 2
    assert "terminal" in done.stderr


def test_a_broken_configuration_is_said_and_runs_nothing(session, home):
    person = session(columns=200)
    home.config.write_text("coreTools = 1\n")
    person.enters("echo hi")
    person.sees("config.toml:1")
    home.config.write_text(CONFIG)
    person.enters("echo mended")
    person.sees("\nmended")


def test_every_call_is_in_the_log(session, home):
    person = session()
    person.enters("echo logged")
    person.sees("[exit 0")
    lines = (home.home / "state" / "asimi" / "log.jsonl").read_text().splitlines()
    assert any(json.loads(line).get("agent") == "shell" for line in lines)
