"""`asimi approve` and `asimi watch`: a person at one terminal answers for gates that have none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from helpers import PATIENCE
from helpers.executors import eventually
from helpers.guarded import EACH_TIME, GUARDED, says_yes
from helpers.home import Home

pytestmark = pytest.mark.long


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, 'excludeTools = ["run_shell_command(rm)"]\n')


@pytest.fixture
def serving(home):
    """Starts `asimi serve` without a terminal; all of them are ended."""
    started = []

    def start(*words):
        started.append(home.start("serve", *words))
        return Served(started[-1])

    yield start
    for process in started:
        process.kill()
        process.communicate()


class Served:
    """A gate without a terminal."""

    def __init__(self, process):
        self.process = process

    def calls(self, *commands):
        for command in commands:
            self.process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.process.stdout.readline())


def watching(home, **options):
    """A terminal where `asimi watch` runs."""
    person = home.at_terminal("watch", **options)
    person.sees("Waiting for questions")
    return person


def listed(home):
    """What `asimi approve --list` shows: the id and the state of each question."""
    lines = home.asimi("approve", "--list").stdout.splitlines()
    return [tuple(line.split()[:2]) for line in lines if not line.startswith(" ")]


def until_listed(home, state="waits"):
    """The id of the one question, once it is there."""
    end = time.monotonic() + PATIENCE
    while [each[1] for each in listed(home)] != [state]:
        assert time.monotonic() < end, listed(home)
    return listed(home)[0][0]


# ---- watch -----------------------------------------------------------------------------------------------------------


def test_a_watch_shows_each_question_as_it_comes_and_the_call_waits_for_it(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one", "echo two")
        person.asked()
        person.sees("echo one")
        person.presses("y")
        assert gate.answer()["stdout"] == "one\n"
        person.sees("echo two")
        person.asked()
        person.presses("n")
        assert "Refused by the person" in gate.answer()["error"]


def test_a_question_whose_process_has_gone_says_so_and_keeps_what_is_chosen_then(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        gate.process.kill()
        person.sees("The question has ended: the process that asked has ended", "[a] always allow", "[Esc] close")
        person.presses("a")
        person.sees("[1]")
        person.presses("1")
        person.sees("allowed from now on")
        gate = serving()
        gate.calls("echo one")
        assert gate.answer()["stdout"] == "one\n"


def test_a_question_whose_time_is_up_stays_as_that_of_a_refused_call(home, serving):
    home.config.write_text("[session]\nask_timeout = 3\n")
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        person.sees("The question has ended: nobody answered in time")
        assert "asimi approve" in gate.answer()["error"]
        person.sees("[Esc] close")
        person.presses("\x1b")
        until_listed(home, "refused")


def test_a_question_that_is_answered_elsewhere_says_so(home, serving):
    gate = serving()
    with watching(home) as person, watching(home) as other:
        gate.calls("echo one")
        person.asked()
        other.asked()
        other.presses("y")
        assert gate.answer()["stdout"] == "one\n"
        person.sees("The question has ended: it was answered elsewhere")


def until_written(person, text, times):
    end = time.monotonic() + PATIENCE
    while person.written.count(text) < times:
        assert time.monotonic() < end, person.display
        time.sleep(0.01)


@pytest.mark.parametrize("columns", [80, 40])
def test_a_watch_says_how_many_wait_and_rings_for_each_that_comes(home, serving, columns):
    first, second, third = serving(), serving(), serving()
    with watching(home, columns=columns) as person:
        assert "Ctrl-C to stop." in person.display  # no word is torn
        assert b"\a" not in person.written
        first.calls("echo one")
        person.asked()
        until_written(person, b"\a", 1)
        assert "more wait" not in person.display
        second.calls("echo two")
        person.sees("1 more waits.")
        third.calls("echo three")
        person.sees("2 more wait.")
        until_written(person, b"\a", 3)
        person.presses("y")
        person.sees("1 more waits.", "[y]")
        assert person.written.count(b"\a") == 3


def test_the_bell_can_be_turned_off(home, serving):
    home.config.write_text("[session]\nbell = false\n")
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        person.presses("n")
        assert "Refused by the person" in gate.answer()["error"]
        assert b"\a" not in person.written


def test_a_call_that_was_refused_already_cannot_be_changed(home, serving):
    gate = serving()
    gate.calls("echo one")
    assert "asimi approve" in gate.answer()["error"]
    with home.at_terminal("approve") as person:
        assert "[e]" not in person.asked()
        person.sees("asimi: allow it the next time?", "[y] allow it once")
        assert "run once" not in person.display
        person.presses("e")
        person.sees("refused already, so there is nothing to change")
        person.presses("n")


def test_what_the_person_tells_the_agent_arrives(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        person.presses("f")
        person.sees("Tell the agent")
        person.types("use make")
        person.sees("use make")
        person.presses("\r")
        assert "use make" in gate.answer()["error"]


def test_an_edited_command_is_judged_anew(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        person.presses("e")
        person.sees("judged again")
        person.types("; rm x")
        person.sees("; rm x")
        person.presses("\r")
        person.sees("Your edit does not run", "[n] deny")
        person.presses("e")
        person.sees("echo one; rm x")
        person.presses("\x15", "echo two", "\r")
        person.sees("> echo two", "[y]")
        person.presses("y")
        answer = gate.answer()
        assert (answer["stdout"], answer["edited"]) == ("two\n", "echo two")


def test_a_yes_for_the_session_answers_the_next_such_call(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one", "echo one")
        person.asked()
        person.presses("s")
        person.sees("[1]")
        person.presses("1")
        assert [gate.answer()["stdout"], gate.answer()["stdout"]] == ["one\n", "one\n"]


def test_questions_of_several_gates_are_shown_one_after_the_other(home, serving):
    gates = [serving() for _ in range(4)]
    with watching(home) as person:
        for number, gate in enumerate(gates):
            gate.calls(f"echo gate {number}")
        for _ in gates:
            person.asked()
            person.presses("y")
        assert [gate.answer()["stdout"] for gate in gates] == [f"gate {number}\n" for number in range(4)]


def test_of_calls_side_by_side_one_is_asked_about_and_a_yes_answers_those_it_covers(home, serving):
    gate = serving("--jobs", "4")
    with watching(home) as person:
        gate.calls("echo one", "echo one", "echo one", "echo two")
        person.asked()
        assert len(listed(home)) == 1
        person.sees("echo one")
        person.presses("s")
        person.sees("[1]")
        person.presses("1")
        assert [gate.answer()["stdout"] for _ in range(3)] == ["one\n"] * 3
        person.sees("echo two")


def test_a_dialog_that_is_killed_answers_nothing(home, serving):
    home.config.write_text("[session]\nwait = true\n")
    gate = serving()
    gate.calls("echo one")
    name = until_listed(home)
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.process.send_signal(signal.SIGKILL)
        person.process.wait()
    assert listed(home) == [(name, "waits")]
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.presses("y")
        assert person.ended() == 0
    assert gate.answer()["stdout"] == "one\n"


def test_ctrl_c_ends_the_watch_and_refuses_the_question(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        person.presses("\x03")
        assert person.ended() == 130
    assert gate.answer()["exitCode"] is None


def test_a_call_whose_watch_is_killed_is_refused(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        person.process.send_signal(signal.SIGKILL)
        assert "asimi approve" in gate.answer()["error"]


def test_a_question_whose_gate_is_killed_disappears(home, serving):
    gate = serving()
    with watching(home) as person:
        gate.calls("echo one")
        person.asked()
        gate.process.kill()
        gate.process.wait()
        person.presses("y")
        person.sees("not accepted")


def test_a_question_that_is_answered_elsewhere_disappears(home, serving):
    gate = serving()
    with watching(home) as first, watching(home) as second:
        gate.calls("echo one")
        first.asked()
        second.asked()
        first.presses("y")
        assert gate.answer()["stdout"] == "one\n"
        second.sees("answered elsewhere")


# ---- approve ---------------------------------------------------------------------------------------------------------


def test_a_refused_call_can_be_allowed_for_the_next_time(home, serving):
    gate = serving()
    gate.calls("echo one")
    error = gate.answer()["error"]
    name = until_listed(home, "refused")
    assert f"asimi approve {name}" in error
    with home.at_terminal("approve", name) as person:
        person.sees("A yes holds for exactly the same call")
        person.asked()
        person.presses("y")
        assert person.ended() == 0
    gate.calls("echo one", "echo two")
    assert gate.answer()["stdout"] == "one\n"
    assert gate.answer()["exitCode"] is None


@pytest.mark.parametrize("session", [None, "mine"], ids=["of a process that listens", "with a ticket"])
def test_never_to_a_refused_call_denies_it_from_now_on(home, serving, session):
    gate = serving(*(["--session", session] if session else []))
    gate.calls("echo one")
    gate.answer()
    with home.at_terminal("approve", until_listed(home, "refused")) as person:
        person.asked()
        person.presses("d")
        person.sees("[2] every echo")
        person.presses("2")
        assert person.ended() == 0
    assert listed(home) == []
    gate.calls("/bin/echo two")
    assert "Not allowed by the policy" in gate.answer()["error"]
    assert "deny   run_shell_command(echo), in this project" in home.asimi("policy", "list").stdout
    (late,) = [record for record in home.log() if record.get("what") == "never"]
    assert (late["decision"], late["by"]) == ("deny", "queue")
    assert "/projects/" in late["file"]


def test_in_a_session_with_a_name_the_next_process_may(home, serving):
    name_of = {"environ": {"ASIMI_SESSION": "mine"}}
    assert home.asimi("run", "echo one", **name_of).returncode == 126
    name = until_listed(home, "refused")
    with home.at_terminal("approve", name) as person:
        person.sees("in the session mine")
        person.asked()
        person.presses("y")
        assert person.ended() == 0
    assert home.asimi("run", "echo one", **name_of).stdout == "one\n"
    for other in ({"environ": {"ASIMI_SESSION": "other"}}, {}):
        assert home.asimi("run", "echo one", **other).returncode == 126
    assert home.asimi("run", "echo two", **name_of).returncode == 126
    assert home.asimi("run", "--dir", "sub", "echo one", **name_of).returncode == 126


def test_in_the_background_of_a_terminal_its_session_keeps_the_answer(home):
    asimi = f"{sys.executable} -m asimi"
    with home.at_terminal(program=("bash", "--norc", "--noprofile"), columns=400) as person:
        person.types(f"{asimi} run 'echo abc' &\r")
        person.sees("not in the foreground", "asimi approve ")
        name = until_listed(home, "refused")
        person.types(f"{asimi} approve {name}\r")
        person.sees("in the session terminal of process")
        person.asked()
        person.presses("y")
        person.sees("allowed once: echo abc")
        person.types(f"clear; {asimi} run 'echo abc'; echo end''ed $?\r")
        person.sees("abc\nended 0")
    with home.at_terminal("run", "echo abc") as other:
        other.asked()


def test_no_question_is_left_where_an_answer_could_not_come_to_anything(home):
    done = home.asimi("run", "echo one")
    assert (done.returncode, listed(home)) == (126, [])
    assert "asimi watch" in done.stderr


def test_session_wait_lets_the_call_wait_without_a_watch(home, serving):
    home.config.write_text("[session]\nwait = true\n")
    gate = serving()
    gate.calls("echo one")
    with home.at_terminal("approve", until_listed(home)) as person:
        person.asked()
        person.presses("y")
        assert person.ended() == 0
    assert gate.answer()["stdout"] == "one\n"


def test_no_answer_in_time_is_a_no(home):
    home.config.write_text('[session]\nwait = true\nask_timeout = "1s"\n')
    done = home.asimi("run", "echo one")
    assert done.returncode == 126
    assert "nobody answered" in done.stderr
    assert os.listdir(home.home / "run" / "asimi" / "questions") == []


def test_that_nobody_answered_is_said_once(home, serving):
    home.config.write_text('[session]\nask_timeout = "1s"\n')
    gate = serving()
    gate.calls("echo one")
    with home.at_terminal("approve", until_listed(home, "refused")) as person:
        assert person.ended() == 1
        said = person.written.decode()
        assert ("no answer, denied: echo one" in said, "no answer within" in said) == (True, False)


def test_a_gate_that_ends_takes_its_questions_with_it(home):
    assert home.asimi(stdin='{"command": "echo one"}\n').returncode == 0
    assert os.listdir(home.home / "run" / "asimi" / "questions") == []


def test_without_an_id_each_is_asked_in_turn(home, serving):
    gate = serving()
    gate.calls("echo one", "echo two")
    gate.answer(), gate.answer()
    with home.at_terminal("approve") as person:
        for key in "yn":
            person.asked()
            person.presses(key)
        assert person.ended() == 0
    gate.calls("echo one", "echo two")
    assert {gate.answer()["exitCode"], gate.answer()["exitCode"]} == {0, None}, "in the order in which they end"


def test_the_list_shows_what_cannot_be_seen(home, serving):
    gate = serving()
    gate.calls("echo \x1b[2K\u202e")
    gate.answer()
    shown = home.asimi("approve", "--list").stdout
    assert "echo <ESC>[2K<U+202E" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("words", [["approve", "aaaaaaaa"], ["approve", "../x"], ["approve", "--", "-x"]])
def test_a_question_that_is_not_there_is_an_error(home, words):
    with home.at_terminal(*words) as person:
        assert person.ended() == 125


def test_there_is_nothing_to_do_without_questions(home):
    with home.at_terminal("approve") as person:
        person.sees("No questions")
        assert person.ended() == 0
    assert home.asimi("approve", "--list").stdout == ""


# ---- who is no person ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["approve", "watch"])
def test_without_a_terminal_nobody_answers(home, word):
    done = home.asimi(word)
    assert done.returncode == 125
    assert "a person at a terminal" in done.stderr


@pytest.mark.parametrize("word", ["approve", "watch"])
@pytest.mark.parametrize("name", ["ASIMI_CLI", "ASIMI_RUN"])
def test_below_a_running_call_nobody_answers(home, word, name):
    with home.at_terminal(word, environ={name: "1"}) as person:
        assert person.ended() == 125
        person.sees("A command run by asimi cannot")


def test_a_terminal_that_a_call_made_is_no_person(home, serving):
    """A command that asimi runs makes a terminal of its own, forgets the environment, and presses y."""
    home.config.write_text('coreTools = ["execute_command(python3)", "run_shell_command"]\n')
    code = (
        "import os, pty, sys, time\n"
        "if os.fork(): os.wait(); sys.exit()\n"
        "os.setsid()\n"
        "environ = {k: v for k, v in os.environ.items() if not k.startswith('ASIMI')}\n"
        "pid, end = pty.fork()\n"
        "if not pid: os.execvpe(sys.argv[1], [sys.argv[1], '-m', 'asimi', 'approve'], environ)\n"
        "while True:\n"
        "    try: data = os.read(end, 4096)\n"
        "    except OSError: break\n"
        "    sys.stdout.write(data.decode()); sys.stdout.flush(); os.write(end, b'y')\n"
    )
    script = home.root / "play.py"
    script.write_text(code)
    (home.root / "env").symlink_to(sys.prefix)  # a path that does not name asimi, wherever this checkout is
    python = "env/bin/" + os.path.basename(sys.executable)
    done = home.asimi("run", f"{python} play.py {python}", environ={"PATH": os.environ["PATH"]})
    assert "A command run by asimi cannot" in done.stdout, done


def test_yes_and_non_interactive_do_not_answer(home, serving):
    gate = serving()
    gate.calls("echo one")
    gate.answer()
    with home.at_terminal("--yes", "approve") as person:
        person.asked()
        person.never_sees("allowed once")
        person.presses("n")
        assert person.ended() == 0


# ---- what takes more than any yes ------------------------------------------------------------------------------------


@pytest.fixture
def guarded(home):
    """A home with a secret, a repository, and a rule that wants a person at a terminal."""
    home.config.write_text(GUARDED)
    (home.root / ".env").write_text("TOKEN=1\n")
    (home.root / ".git").mkdir()
    return home


@pytest.mark.parametrize("command", EACH_TIME.values(), ids=EACH_TIME)
def test_a_yes_given_beforehand_answers_none_of_it(guarded, command):
    done = guarded.asimi("run", "--yes", command)
    assert (done.returncode, done.stdout) == (126, "")
    assert "without it, a person at the terminal is asked. Approval was needed because" in done.stderr
    assert guarded.asimi("run", "--yes", "echo free").returncode == 0


@pytest.mark.parametrize("command", EACH_TIME.values(), ids=EACH_TIME)
def test_the_person_at_the_terminal_may_say_yes_once_and_is_told_why_not_for_longer(guarded, command):
    for _ in range(2):
        with guarded.at_terminal("run", command) as person:
            shown = person.asked()
            assert "[s]" not in shown
            assert "[a]" not in shown
            assert ("A yes holds this once" in shown) is (command != EACH_TIME["a rule"])
            says_yes(person, command)
            assert person.ended() == 0
        if command == EACH_TIME["floor"]:
            (guarded.root / "gone").rename(guarded.root / ".git")


@pytest.mark.parametrize("command", EACH_TIME.values(), ids=EACH_TIME)
def test_a_refused_call_can_be_allowed_for_the_next_time_only(guarded, serving, command):
    gate = serving()
    gate.calls(command)
    name = until_listed(guarded, "refused")
    assert f"asimi approve {name}" in gate.answer()["error"]
    with guarded.at_terminal("approve", name) as person:
        person.asked()
        says_yes(person, command)
        assert person.ended() == 0
    gate.calls(command, command)
    assert gate.answer()["exitCode"] == 0
    if command != EACH_TIME["floor"]:  # that is gone by now
        assert "asimi approve" in gate.answer()["error"]


@pytest.mark.parametrize("command", EACH_TIME.values(), ids=EACH_TIME)
def test_check_says_who_may_answer(guarded, command):
    whom = (
        "a person who is asked" if command in {EACH_TIME["secret"], EACH_TIME["outside"]} else "a person at a terminal"
    )
    assert f"Only {whom}" in guarded.asimi("check", command).stdout
    assert "Only a person" not in guarded.asimi("check", "asimi policy list").stdout


def test_a_librarys_host_reads_how_a_person_can_allow_it(guarded):
    code = "import asimi; print(asimi.run('mv .git gone')['error'])"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=guarded.root, env=guarded.environ, capture_output=True, text=True, check=False
    )
    assert "asimi approve " in said.stdout
    assert (guarded.root / ".git").exists()


def test_always_in_a_watch_confirms_a_changed_check_as_it_is_now(home, serving):
    (home.root / "Makefile").write_text("test:\n\techo one\n")
    home.config.unlink()
    assert "confirmed" in home.asimi("config", "init", "--preset", "developer").stdout
    (home.root / "Makefile").write_text("test:\n\techo two\n")
    gate = serving()
    with watching(home) as person:
        gate.calls("make test")
        person.asked()
        person.sees("+   echo two")
        person.presses("a")
        person.sees("[1] confirm the checks as they are now")
        person.presses("1")
        assert "two" in gate.answer()["stdout"]
    for text, code in (("one", 0), ("two", 0), ("three", 1)):
        (home.root / "Makefile").write_text(f"test:\n\techo {text}\n")
        assert home.asimi("check", "make test").returncode == code


@pytest.fixture
def left(home):
    """Two calls that were refused, one after the other, in a session that outlives them."""
    home.environ["ASIMI_SESSION"] = "mine"
    for command in ("mkdir first", "mkdir second"):
        home.asimi("run", command)
    return home


def test_what_a_call_waits_for_is_shown_first_and_then_the_newest(left):
    left.config.write_text(left.config.read_text() + "[session]\nwait = true\n")
    asimi = left.start("run", "mkdir third")
    assert eventually(lambda: "waits" in left.asimi("approve", "--list").stdout)
    with left.at_terminal("approve") as person:
        for name, key in (("third", "y"), ("second", "n"), ("first", "n")):
            person.sees(f"mkdir {name}")
            person.asked()
            person.presses(key)
        assert person.ended() == 0
    asimi.communicate()
    assert asimi.returncode == 0


@pytest.mark.parametrize("key", [">", "\x1b", "\x1b[C"], ids=["skip", "Esc", "right"])
def test_a_call_that_was_refused_can_be_skipped(left, key):
    before = [record["event"] for record in left.log()]
    with left.at_terminal("approve") as person:
        for name, place in (("second", "1 of 2"), ("first", "2 of 2")):
            person.sees(place, f"mkdir {name}", "refused just now")
            person.asked()
            person.presses(key)
        assert person.ended() == 0, "every answer arrived: there was none"
    assert len(listed(left)) == 2
    assert [record["event"] for record in left.log()] == before


@pytest.mark.parametrize("columns", [80, 40])
def test_a_person_goes_back_and_forth_in_one_screen(left, columns):
    with left.at_terminal("approve", columns=columns) as person:
        person.sees("1 of 2", "mkdir second")
        person.asked()
        assert "[<]" not in person.display, "there is none before it"
        person.presses(">")
        person.sees("2 of 2", "mkdir first", "[<] ")
        person.asked()
        person.presses("<")
        person.sees("1 of 2", "mkdir second")
        assert "mkdir first" not in person.display
        person.asked()
        person.presses("n")
        person.sees("1 of 1", "mkdir first")
        person.asked()
        person.presses("n")
        assert person.ended() == 0
    assert listed(left) == []


def test_the_one_that_a_call_waits_for_is_marked(left):
    left.config.write_text(left.config.read_text() + "[session]\nwait = true\n")
    asimi = left.start("run", "mkdir third")
    assert eventually(lambda: "waits" in left.asimi("approve", "--list").stdout)
    with left.at_terminal("approve") as person:
        person.sees("1 of 3  WAITS: a call waits for this answer", "mkdir third")
        person.asked()
        person.presses(">")
        person.sees("2 of 3", "mkdir second")
        assert "WAITS" not in person.display
        person.asked()
        person.presses("<")
        person.sees("WAITS", "mkdir third")
        person.asked()
        person.presses("y")
        person.sees("1 of 2")
        person.asked()
        person.presses("\x03")
        assert person.ended() == 130
    asimi.communicate()
    assert asimi.returncode == 0


def test_what_comes_while_others_are_looked_at_is_shown_next(left):
    with left.at_terminal("approve") as person:
        person.sees("1 of 2")
        person.asked()
        left.asimi("run", "mkdir third")
        person.presses(">")
        person.sees("2 of 3", "mkdir third")


@pytest.mark.parametrize("waits", [True, False], ids=["waits", "refused"])
def test_ctrl_c_in_the_queue_answers_nothing(left, waits):
    """What a person merely looked at is no answer: a call that waits goes on to wait."""
    left.config.write_text(left.config.read_text() + f"[session]\nwait = {str(waits).lower()}\n")
    asimi = left.start("run", "mkdir third")
    assert eventually(lambda: len(listed(left)) == 3)
    before = [record["event"] for record in left.log() if record["command"] != "mkdir third"]
    with left.at_terminal("approve") as person:
        person.sees("mkdir third")
        person.asked()
        person.presses("\x03")
        assert person.ended() == 130
        assert "left open: mkdir third" in person.written.decode()
    assert len(listed(left)) == 3
    assert [record["event"] for record in left.log() if record["command"] != "mkdir third"] == before
    if waits:
        with left.at_terminal("approve") as person:
            person.sees("WAITS", "mkdir third")
            person.asked()
            person.presses("y")
            person.sees("1 of 2")
        asimi.communicate()
        assert asimi.returncode == 0
    asimi.kill()
    asimi.communicate()
