"""A program on a terminal of asimi's, shown on the person's, and questions over it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import termios
import time

import pytest
from helpers import MODULES, PATIENCE, PYTHON
from helpers.ended import PLAYS, played
from helpers.terminal import Person
from helpers.tmux import Tmux

from asimi.world.box.terminal import Terminal

HOST = (PYTHON, "-m", "helpers.boxed")
CLEAN = {"LANG": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"], "PS1": "> "} | MODULES
BASH = ("bash", "--norc", "--noprofile", "--noediting")
LINES = ("bash", "--norc", "--noprofile")

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")

TOLD = """
import os, select, sys, termios, tty
tty.setraw(0)
os.write(1, os.fsencode(sys.argv[1]).decode("unicode_escape").encode() + b"ready")
with open("heard", "wb", 0) as file:
    while (data := os.read(0, 4096)) != b"q":
        file.write(data)
"""
"""A program that prints something, and keeps what it hears until `q` comes alone."""


class Seat:
    """A person at a program in tmux."""

    def __init__(self, place, program, *, shown=None, **size):
        self.place = place
        os.mkfifo(place / "ask")
        environ = CLEAN | {"TERM": "tmux-256color", "ASIMI_QUIET": "0.5"}
        environ |= {} if shown is None else {"NOTICE_SHOWN": str(shown)}
        self.window = Tmux(place, [*HOST, place, *program], environ, **size)

    def asks(self, command="rm -rf build", **other):
        """Put a question over the program."""
        question = {
            "command": command, "arguments": None, "description": "", "directory": "/a", "root": "/a", "agent": "test",
            "id": 1, "session": False, "storable": False, "patience": 60, "offers": [], "person": True, "deeds": [],
            "reasons": [["unlisted", "not listed", "config.toml:1"]], "parts": [[command, [0, len(command)], "ASK"]],
            "background": False, "delay": 0, "others": [], "quiet": 0.5, "alone": 0.05,
        }  # fmt: skip
        with open(self.place / "ask", "w") as pipe:
            pipe.write(json.dumps(question | other) + "\n")

    def tells(self, *texts):
        """Have notices shown over the program."""
        with open(self.place / "ask", "w") as pipe:
            pipe.writelines(json.dumps(text) + "\n" for text in texts)

    def asked(self, *texts):
        """The screen, once a question is on it and its keys are heard."""
        return self.window.sees("[n] deny", "Enter does nothing", *texts)

    def answers(self, count=1):
        """The answers, once there are so many."""
        return [json.loads(line) for line in self.lines("answers", count)]

    def lines(self, name, count=1):
        """The lines of a file, once there are so many."""
        end = time.monotonic() + PATIENCE
        while not (file := self.place / name).exists() or len(lines := file.read_text().splitlines()) < count:
            assert time.monotonic() < end, f"{name} does not come\n{self.window.display}"
            time.sleep(0.02)
        return lines

    def heard(self, wanted):
        """What the program was told, once that is in it."""
        end = time.monotonic() + PATIENCE
        while wanted not in (heard := (self.place / "heard").read_bytes()):
            assert time.monotonic() < end, heard
            time.sleep(0.02)
        return heard


@pytest.fixture
def sit(tmp_path):
    """Sits somebody down at a program."""
    seats = []

    def sit(*program, **size):
        place = tmp_path / str(len(seats))
        place.mkdir()
        seats.append(Seat(place, program, **size))
        return seats[-1]

    yield sit
    for seat in seats:
        seat.window.leaves()


def tells(text):
    """The program that prints something and keeps what it hears."""
    return PYTHON, "-c", TOLD, text


# ---- a question over a program ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_no_key_that_was_meant_for_a_question_that_has_ended_reaches_the_program(sit, play):
    seat = sit(*tells(""))
    seat.window.sees("ready")
    ends = seat.place / "ends"
    seat.asks(ends=str(ends), patience=play.patience, session=True, storable=True)
    played(play, seat.window.types, lambda: ends.write_text("curl gave up"), seat.window.sees)
    if not play.chosen:
        seat.window.sees("The question has ended", "[Esc] close")
        seat.window.presses("Escape")
    assert seat.answers()[0][0] is False
    seat.window.sees("ready")
    seat.window.types("z")
    assert seat.heard(b"z") == b"z"


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("program", [LINES, BASH], ids=["with an editor", "without"])
def test_the_screen_of_a_shell_comes_back_as_it_was(sit, columns, program):
    seat = sit(*program, columns=columns)
    seat.window.sees(">")
    for _ in range(5):
        seat.window.types("printf '\\033[31m%s\\033[0m\\n' jobs and more jobs\r")
    seat.window.types("echo half a line")
    before = seat.window.rests()
    seat.asks()
    assert "half a line" not in seat.asked()
    seat.window.presses("y")
    assert seat.answers() == [[True, "terminal"]]
    assert seat.window.rests() == before
    seat.window.presses("Enter")
    seat.window.sees("\nhalf a line")


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("program", ["less", "vim"])
def test_the_screen_of_a_full_screen_program_comes_back_as_it_was(sit, tmp_path, columns, program):
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")
    text = tmp_path / "text"
    text.write_text("".join(f"line {number} of a long text\n" for number in range(200)))
    line = {"less": ["less", text], "vim": ["vim", "-u", "NONE", "--cmd", "set shm=atTF", "-c", "set mouse=a", text]}[
        program
    ]
    seat = sit(*line, columns=columns)
    seat.window.sees("line 20 ")
    seat.window.presses("j")
    before, state = seat.window.rests()
    seat.asks()
    assert "line 20 " not in seat.asked()
    seat.window.presses("n")
    assert seat.answers() == [[False, "terminal"]]
    seat.window.sees("line 20 ")
    after, state_after = seat.window.rests()
    assert after.split("\n")[:23] == before.split("\n")[:23]  # its last line may say something else
    assert [each for each in state_after.split() if "cursor_x" not in each] == [
        each for each in state.split() if "cursor_x" not in each
    ]
    seat.window.presses("j", "j")
    seat.window.until(lambda shown: ("line 2 " in shown) is (program == "vim"))


LATE = """
import os, signal, sys, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
size = None
while True:
    if size != (size := os.get_terminal_size(1)):
        print("\\x1b[?1049h\\x1b[2J\\x1b[Hall of the screen", flush=True)
    signal.sigwait([signal.SIGWINCH])
    time.sleep(0.5)
"""
"""A program that draws all where the size is another one, and looks only some time after it is told to."""


def test_a_program_that_is_slow_to_look_at_the_size_draws_its_screen_again(sit):
    seat = sit(PYTHON, "-c", LATE)
    seat.window.sees("all of the screen")
    seat.asks()
    seat.asked()
    seat.window.presses("y")
    seat.answers()
    seat.window.sees("all of the screen")


def test_modes_are_off_while_a_question_is_open_and_on_again_after_it(sit):
    modes = r"\x1b[?1000;1006;2004;1h\x1b=\x1b[4h\x1b[3;20r\x1b[?25l\x1b[5;5H\x1b(0\x1b[1;35m"
    seat = sit(*tells(modes))
    seat.window.until(lambda _: "mouse_any_flag=1" in seat.window.state())
    before = seat.window.rests()
    seat.asks()
    shown = seat.asked()
    assert "run this command?" in shown  # in letters, not as lines of a drawing
    for off in ("mouse_any_flag=0", "keypad_flag=0", "keypad_cursor_flag=0", "insert_flag=0", "cursor_flag=1"):
        assert off in seat.window.state()
    seat.window.presses("y")
    seat.answers()
    assert seat.window.rests() == before


def test_what_is_typed_for_a_question_does_not_reach_the_program(sit):
    seat = sit(*tells(""))
    seat.window.sees("ready")
    seat.window.types("before")
    seat.heard(b"before")
    seat.asks()
    seat.asked()
    seat.window.presses("j", "k", "Up", "Enter", "y")
    seat.answers()
    seat.window.types("after")
    assert seat.heard(b"after") == b"beforeafter"


def test_a_key_counts_from_half_a_second_after_the_question_is_shown(sit):
    seat = sit(*tells(""))
    seat.window.sees("ready")
    seat.asks()
    seat.window.sees("One moment")
    for _ in range(8):
        seat.window.types("y")
        time.sleep(0.1)
    assert not (seat.place / "answers").exists()
    seat.asked()
    seat.window.presses("y")
    assert seat.answers() == [[True, "terminal"]]
    assert (seat.place / "heard").read_bytes() == b""


def test_what_the_program_prints_meanwhile_comes_after_the_answer_and_is_whole(sit):
    seat = sit("bash", "-c", "read go; seq 300000; echo done; read go")
    seat.window.presses("Enter")
    seat.asks()
    shown = seat.asked()
    assert "300000" not in shown
    time.sleep(0.3)
    assert "run this command?" in seat.window.display
    seat.window.presses("y")
    assert "299999\n300000\ndone" in seat.window.sees("done")


def test_no_byte_is_lost(sit, tmp_path):
    seat = sit("bash", "-c", 'read go; for i in {1..40000}; do echo "n$i"; done; echo done; read go')
    seat.window.presses("Enter")
    seat.asks()
    seat.asked()
    seat.window.presses("y")
    seat.window.sees("done")
    lines = seat.window.run("capture-pane", "-p", "-S", "-").split()
    assert [line for line in lines if line[:1] == "n"] == [f"n{number}" for number in range(1, 40001)]


def test_the_window_may_change_its_size_while_a_question_is_open(sit):
    seat = sit(*LINES)
    seat.window.sees(">")
    seat.asks()
    seat.asked()
    seat.window.run("resize-window", "-x", "60", "-y", "20")
    time.sleep(0.5)
    assert "run this command?" in seat.window.display
    seat.window.presses("y")
    seat.answers()
    seat.window.types("stty size\r")
    seat.window.sees("20 60")


def test_a_paste_under_way_goes_to_the_program_whole(sit):
    seat = sit(*tells(r"\x1b[?2004h"), shown=LONG)
    seat.window.sees("ready")
    seat.window.types("\x1b[200~first")
    seat.heard(b"first")
    seat.asks()
    for part in range(8):
        seat.window.types(f" part{part} y ")
        time.sleep(0.1)
    assert "run this command?" not in seat.window.display
    seat.window.types("last\x1b[201~")
    seat.asked()
    heard = seat.heard(b"last")
    assert heard == b"\x1b[200~first" + b"".join(b" part%d y " % part for part in range(8)) + b"last\x1b[201~"
    seat.window.presses("n")
    assert seat.answers() == [[False, "terminal"]]


def test_what_the_terminal_still_has_to_say_goes_to_the_program(sit):
    seat = sit(
        "bash", "-c", "stty raw -echo; cat > heard & while :; do printf '\\033[c\\033[6n\\033[?1$p'; done", rows=24
    )
    seat.lines("heard", 0)
    time.sleep(0.5)
    seat.asks()
    seat.asked()
    time.sleep(1)
    assert "run this command?" in seat.window.display
    assert not (seat.place / "answers").exists()
    seat.window.presses("y")
    assert seat.answers() == [[True, "terminal"]]


def test_questions_wait_for_each_other(sit):
    seat = sit(*LINES)
    seat.window.sees(">")
    seat.window.types("echo half")
    before = seat.window.rests()
    for number in range(3):
        seat.asks(f"touch file{number}")
    seen = set()
    for key in "yny":
        shown = seat.asked("touch file")
        seen.add(shown.partition("touch file")[2][0])
        seat.window.presses(key)
        seat.answers(len(seen))
    assert seen == {"0", "1", "2"}
    assert [yes for yes, _ in seat.answers(3)] == [True, False, True]
    assert seat.window.rests() == before


def test_a_program_that_ends_meanwhile_ends_after_the_answer(sit):
    seat = sit("bash", "-c", "read go; sleep 1.5; echo over; exit 7")
    seat.window.presses("Enter")
    seat.asks()
    seat.asked()
    time.sleep(1.5)
    assert "run this command?" in seat.window.display
    seat.window.presses("y")
    assert seat.lines("code") == ["7"]
    seat.window.sees("over")


# ---- a notice over a program -----------------------------------------------------------------------------------------

NOTICE = "moved: sub/.envrc appeared in /home/somebody/project; `asimi box keep sub/.envrc` puts it back"
SHORT = 6.0  # seconds of a notice that goes by itself: a busy machine must have shown it by then
LONG = 120.0  # seconds of one that is looked for before a key or an end takes it away


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("program", [LINES, BASH], ids=["with an editor", "without"])
def test_a_notice_goes_by_itself_and_the_screen_of_a_shell_comes_back(sit, columns, program):
    seat = sit(*program, columns=columns, shown=SHORT)
    seat.window.sees(">")
    seat.window.types("printf '\\033[31m%s\\033[0m\\n' jobs and more jobs\recho half a line")
    seat.window.sees("half a line")
    before = seat.window.rests()
    seat.tells(NOTICE)
    shown = seat.window.sees("asimi: moved: sub/.envrc", "puts it back")
    assert "half a line" not in shown
    seat.window.until(lambda shown: "asimi:" not in shown)
    assert seat.window.rests() == before
    seat.window.presses("Enter")
    seat.window.sees("\nhalf a line")


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("program", ["less", "vim", "top"])
def test_a_notice_stands_above_the_screen_of_a_full_screen_program(sit, tmp_path, columns, program):
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")
    text = tmp_path / "text"
    text.write_text("".join(f"line {number} of a long text\n" for number in range(200)))
    line = {
        "less": ["less", text],
        "vim": ["vim", "-u", "NONE", "--cmd", "set shm=atTF", text],
        "top": ["top", "-d", "60", "-p", "1"],
    }[program]
    seat = sit(*line, columns=columns, shown=SHORT)
    seat.window.sees("PID" if program == "top" else "line 20 ")
    before, _ = seat.window.rests()
    seat.tells(NOTICE)
    shown = seat.window.sees("asimi: moved: sub/.envrc", "puts it back")
    assert program == "top" or "line 20 " in shown
    seat.window.until(lambda shown: "asimi:" not in shown)
    after, _ = seat.window.rests()
    if program != "top":
        assert after.split("\n")[:23] == before.split("\n")[:23]
    else:
        assert "PID" in after


def test_keys_reach_the_program_while_a_notice_is_shown_as_its_modes_say_and_end_it(sit):
    seat = sit(*tells(r"\x1b[?1000;1006;2004;1h\x1b=\x1b[?25l\x1b[5;5H\x1b[1;35m"), shown=LONG)
    seat.window.until(lambda _: "mouse_any_flag=1" in seat.window.state())
    before = seat.window.rests()
    seat.tells(NOTICE)
    seat.window.sees("asimi: moved")
    assert "mouse_any_flag=1" in seat.window.state()
    time.sleep(2)
    assert "asimi: moved" in seat.window.display
    seat.window.presses("Up")
    seat.window.run("set-buffer", "two\nlines")
    seat.window.run("paste-buffer", "-p", "-r")
    assert seat.heard(b"lines\x1b[201~") == b"\x1bOA\x1b[200~two\nlines\x1b[201~"
    seat.window.until(lambda shown: "asimi:" not in shown)
    assert seat.window.rests() == before


def test_what_the_program_prints_while_a_notice_is_shown_is_there_afterwards(sit):
    seat = sit("bash", "-c", 'read go; for i in {1..40000}; do echo "n$i"; done; echo done; read go', shown=LONG)
    seat.tells(NOTICE)
    seat.window.sees("asimi: moved")
    seat.window.presses("Enter")
    seat.window.sees("done")
    lines = seat.window.run("capture-pane", "-p", "-S", "-").split()
    assert [line for line in lines if line[:1] == "n"] == [f"n{number}" for number in range(1, 40001)]
    assert not any("asimi" in line for line in lines)


def test_a_question_comes_at_once_and_the_notice_again_after_it(sit):
    seat = sit(*tells(""), shown=SHORT)
    seat.window.sees("ready")
    seat.tells("one", "two")
    seat.window.sees("asimi: one", "asimi: two")
    seat.asks()
    assert "asimi: one" not in seat.asked()
    seat.tells("three")
    seat.window.presses("j", "y")
    assert seat.answers() == [[True, "terminal"]]
    seat.window.sees("asimi: one", "asimi: two", "asimi: three")
    seat.window.until(lambda shown: "asimi:" not in shown and "ready" in shown)
    assert not (seat.place / "heard").read_bytes()


def test_a_notice_waits_for_the_end_of_a_paste(sit):
    seat = sit(*tells(r"\x1b[?2004h"), shown=LONG)
    seat.window.sees("ready")
    seat.window.types("\x1b[200~first")
    seat.heard(b"first")
    seat.tells(NOTICE)
    time.sleep(1)
    assert "asimi:" not in seat.window.display
    seat.window.types("last\x1b[201~")
    seat.window.sees("asimi: moved")
    assert seat.heard(b"last\x1b[201~") == b"\x1b[200~firstlast\x1b[201~"


def test_a_program_that_ends_under_a_notice_leaves_its_screen_and_its_code(sit):
    seat = sit("bash", "-c", "echo; echo first; read go; echo last; exit 7", shown=LONG)
    seat.window.sees("first")
    seat.tells(NOTICE, *map(str, range(50)))  # as many as have come are shown together, and the rest later
    seat.window.sees("asimi: moved")
    seat.window.presses("Enter")
    assert seat.lines("code") == ["7"]
    assert "asimi" not in seat.window.sees("first", "last")


# ---- whether the box shall end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize(("key", "ends"), [("y", True), ("n", False), ("Escape", False), ("C-c", False)])
def test_whether_the_box_shall_end_is_asked_over_the_program(sit, columns, key, ends):
    seat = sit(*tells(""), columns=columns)
    seat.window.sees("ready")
    seat.tells(["sub/.envrc", 60])
    seat.window.sees("End the box of test?", "sub/.envrc has appeared", "[y]", "[n]", "\n >")
    seat.window.presses("Enter")
    assert not (seat.place / "answers").exists()
    seat.window.presses(key)
    assert seat.answers() == [ends]
    seat.window.sees("ready")
    assert not (seat.place / "heard").read_bytes()


def test_the_box_ends_where_nobody_says_that_it_shall_go_on(sit):
    seat = sit(*tells(""))
    seat.window.sees("ready")
    seat.tells(["sub/.envrc", 2])
    seat.window.sees("End the box of test?", "No answer in 2 s: the box ends")
    assert seat.answers() == [True]
    seat.window.sees("ready")


# ---- a program without questions -------------------------------------------------------------------------------------


@pytest.fixture
def watch(tmp_path):
    """Somebody at a program, at a terminal whose bytes are looked at."""
    people = []

    def watch(*program, term="xterm-256color", **seat):
        os.mkfifo(tmp_path / "ask")
        environ = CLEAN | {"TERM": term}
        people.append(Person([*HOST, str(tmp_path), *program], environ, cwd=tmp_path, **seat))
        return people[-1]

    yield watch
    for person in people:
        person.leaves()


def test_the_exit_code_and_the_size_are_the_program_s_and_the_modes_are_put_back(watch, tmp_path):
    person = watch("bash", "-c", "stty size; stty raw; exit 3", columns=70, rows=15)
    person.sees("15 70")
    assert person.ended() == 0
    assert (tmp_path / "code").read_text() == "3"
    assert termios.tcgetattr(person.slave) == person.modes


def test_only_drawing_comes_out(watch):
    person = watch("printf", r"a\033]52;c;aGk=\007b\033[21tc\033P+q544e\033\\d\033[31me\033[0m")
    person.sees("abcde")
    assert person.ended() == 0
    assert person.written.startswith(b"abcd\x1b[31me\x1b[0m")


def test_what_a_program_left_switched_on_is_switched_off(watch):
    person = watch("bash", "-c", r"printf '\033[?1049h\033[?1003;1006;2004h\033[?25l\033[>1uready'; kill -9 $$")
    assert person.ended() == 0
    rest = person.written.partition(b"ready")[2]
    for off in (b"\x1b[?1049l", b"1003", b"2004", b"25h", b"\x1b[<1u"):
        assert off in rest


def test_a_notice_is_lines_where_a_terminal_has_one_screen_only_or_its_keys_are_another_s(watch, tmp_path):
    person = watch("bash", "-c", "echo first; read go; echo last", term="dumb")
    person.sees("first")
    (tmp_path / "ask").write_text(json.dumps("moved \x1b[31m") + "\n")
    person.sees("asimi: moved \\x1b[31m")
    person.presses("\r")
    person.sees("last")
    assert person.ended() == 0


def test_streams_that_are_no_terminal_pass_as_they_are(watch, tmp_path):
    person = watch("bash", "-c", r"cat; printf '\033]52;c;aGk=\007' >&1; echo seen >&2", streams="2")
    out, _ = person.process.communicate(b"\x1b[21t\0in", timeout=PATIENCE)
    assert out == b"\x1b[21t\0in\x1b]52;c;aGk=\x07"
    person.sees("seen")
    assert (tmp_path / "code").read_text() == "0"


def test_the_interrupt_key_reaches_a_program_in_a_pipeline(watch, tmp_path):
    person = watch(
        "bash", "-c", "trap 'echo got >&2; exit 9' INT; echo ready >&2; while :; do sleep 0.05; done", streams="02"
    )
    person.sees("ready")
    person.presses("\x03")
    person.sees("got")
    person.ended()
    assert (tmp_path / "code").read_text() == "9"


@pytest.fixture
def idle():
    """A terminal that no program has."""
    person, tty = os.openpty()
    terminal = Terminal(tty)
    yield terminal
    terminal.close()
    os.close(person)
    os.close(tty)


def test_no_signal_goes_to_asimi_itself_where_nothing_is_in_the_foreground(idle, monkeypatch):
    """Group 0, as the kernel calls nothing there, would be our own."""
    sent = []
    monkeypatch.setattr(os, "killpg", lambda *given: sent.append(given))
    idle._to_program(signal.SIGINT)
    assert sent == []


def test_a_question_waits_no_more_once_its_turn_has_come_or_passed(idle):
    with idle._in_turn(PATIENCE) as first, idle._in_turn(0.01) as second:
        assert (first, second, idle.waiting) == (True, False, 0)


def test_a_terminal_that_hangs_up_hangs_up_on_the_program(watch, tmp_path):
    person = watch("bash", "-c", "trap 'echo gone > gone; exit' HUP; echo ready; while :; do sleep 0.05; done")
    person.sees("ready")
    person.hangs_up()
    end = time.monotonic() + PATIENCE
    while not (tmp_path / "gone").exists() or not (tmp_path / "code").exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    assert (tmp_path / "code").read_text() == "hung up"


def test_the_window_s_size_is_handed_on(watch):
    person = watch("bash", "-c", "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done")
    person.sees("ready")
    person.resize(50, 11)
    person.sees("11 50")


STOPS = {
    "the key stops it": "echo ready; trap 'echo again' CONT; read go; read go; read go",
    "it stops itself": "stty raw; printf '\\033[?1049hready'; head -c 1 >/dev/null; printf '\\033[?1049l'; stty sane; "
    "kill -TSTP 0; echo again; read go",
}


@pytest.mark.parametrize("how", STOPS)
def test_a_program_that_stops_is_stopped_as_a_job_of_the_shell(tmp_path, how):
    (tmp_path / "script").write_text(shlex.join([*HOST, str(tmp_path), "bash", "-c", STOPS[how]]))
    window = Tmux(tmp_path, LINES, CLEAN | {"TERM": "tmux-256color"})
    try:
        window.sees(">")
        window.types(". ./script\r")
        window.sees("ready")
        window.presses("C-z")
        window.sees("Stopped")
        window.types("echo in the shell; jobs\r")
        window.sees("\nin the shell")
        assert "alternate_on=0" in window.state()
        window.types("fg\r")
        window.sees("again")
        window.presses("Enter", "Enter", "Enter", "Enter")
        window.types("echo at the end\r")
        window.sees("\nat the end")
    finally:
        window.leaves()
