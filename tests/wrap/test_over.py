"""Questions of a box appear over the agent, on its terminal: real boxes in tmux, an agent that calls its hook."""

from __future__ import annotations

import json
import shutil
import sys

import pytest
from helpers import PYTHON, which
from helpers.home import Home
from helpers.hooks import POLICY, envelope
from helpers.tmux import Tmux

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not which("bwrap") or not shutil.which("tmux"), reason="it takes bubblewrap and tmux"
)

AGENT = """\
#!/usr/bin/python3
# A full screen, and one call of its hook for each line that is typed; several at once where the line has `;;`.
import json, re, signal, subprocess, sys, threading, time
settings = open("/etc/codex/requirements.toml").read()
hook = json.loads(re.search(r'^command = (".*")$', settings, re.M)[1])
envelope = json.loads(ENVELOPE)
lock = threading.Lock()
def call(number, command):
    sent = json.dumps(envelope | {"tool_use_id": f"call_{number}", "tool_input": {"command": command}})
    child = subprocess.Popen(["sh", "-c", hook], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if "leaves" in sys.argv:
        threading.Timer(3, lambda: subprocess.run(["pkill", "-KILL", "-f", "/run/asimi/hook"])).start()
    if command == "flood":
        time.sleep(2)
        print(*(f"line {number}" for number in range(50000)), sep="\\n", flush=True)
    out = child.communicate(sent)[0]
    code = child.wait()
    with lock:
        said.append(("no " if code or '"deny"' in out else "yes ") + command)
        print(said[-1], flush=True)
        with open("answers", "a") as file:
            file.write(out + "\\n")
said = ["the agent's screen"]
def draw(*_):
    print("\\x1b[?1049h\\x1b[2J\\x1b[H" + "\\n".join(said), flush=True)
if "full" in sys.argv:
    signal.signal(signal.SIGWINCH, draw)
    draw()
else:
    print("the agent's lines", flush=True)
for number, line in enumerate(iter(input, "end")):
    threads = [threading.Thread(target=call, args=(f"{number}{at}", each)) for at, each in enumerate(line.split(";;"))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
"""


class Seat(Home):
    """A person at an agent in a box."""

    def __init__(self, directory):
        super().__init__(directory, POLICY)
        (self.root / ".env").write_text("KEY=1")
        own = directory / "bin"
        own.mkdir()
        program = own / "codex"
        program.write_text(AGENT.replace("ENVELOPE", repr(json.dumps(envelope("codex", "", self.root)))))
        program.chmod(0o755)
        self.environ |= {"PATH": f"{own}:{self.environ['PATH']}", "TERM": "tmux-256color"}
        self.window = None

    def sits(self, *words, **size):
        """Start the agent in a window."""
        line = [PYTHON, "-m", "asimi", "wrap", "codex", *words]
        self.window = Tmux(self.home, ["env", "-C", self.root, *line], self.environ, **size)
        self.window.sees("the agent's")
        return self.window

    def says(self, line, *texts):
        """Type a line for the agent, and see texts."""
        self.window.types(line)
        self.window.presses("Enter")
        return self.window.sees(*texts) if texts else ""


@pytest.fixture
def seat(tmp_path):
    seat = Seat(tmp_path)
    yield seat
    if seat.window is not None:
        seat.window.leaves()


ASKED = ("[n] deny", "[e] edit")


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("words", [("full",), ()], ids=["full screen", "lines"])
def test_a_question_is_answered_over_the_agent_and_its_screen_comes_back(seat, words, columns):
    window = seat.sits(*words, columns=columns)
    seat.says("cat .env", *ASKED, "cat .env")
    assert "the agent's" not in window.display
    window.presses("y")
    assert "deny" not in window.sees("the agent's")
    seat.says("rm x", "no rm x")  # it is denied without a question
    seat.says("cat .env", *ASKED)
    window.presses("n")
    assert "deny" not in window.sees("the agent's")
    seat.says("end", "2 not allowed: rm x; cat .env", "asimi log report --session")
    assert [line["approval"]["by"] for line in seat.log() if line.get("approval")] == ["terminal", "terminal"]


def test_several_questions_come_one_after_the_other(seat):
    window = seat.sits()
    seat.says("cat .env;;head .env;;tail .env", *ASKED)
    shown = []
    for key in "yny":
        shown.append(next(each for each in ("cat", "head", "tail") if f"{each} .env" in window.display))
        window.presses(key)
        if len(shown) < 3:
            window.until(lambda screen: "[n] deny" in screen and f"{shown[-1]} .env" not in screen)
    window.sees(f"yes {shown[0]} .env", f"no {shown[1]} .env", f"yes {shown[2]} .env")


def test_enter_and_keys_that_were_typed_for_the_agent_answer_nothing(seat):
    window = seat.sits()
    window.types("cat .env")
    window.presses("Enter")
    window.types("yyy")  # meant for the agent, while the question comes
    window.sees(*ASKED)
    window.presses("Enter")
    assert "[n] deny" in window.display
    window.presses("n")
    window.sees("no cat .env")


def test_ctrl_c_is_a_no_and_ends_nothing(seat):
    window = seat.sits()
    seat.says("cat .env", *ASKED)
    window.presses("C-c")
    window.sees("no cat .env")
    seat.says("touch made", "yes touch made")


def test_what_is_allowed_for_the_session_is_not_asked_again(seat):
    window = seat.sits()
    seat.says("truncate -s 0 made", *ASKED)
    window.presses("s")
    window.sees("[1] exactly this call")
    window.presses("1")
    window.sees("yes truncate -s 0 made")
    seat.says("truncate -s 0 made", "yes truncate -s 0 made\ntruncate -s 0 made\nyes truncate -s 0 made")


def test_the_question_of_an_agent_that_has_gone_goes_too(seat):
    window = seat.sits("leaves")
    seat.says("cat .env", *ASKED)
    window.sees("The question has ended: its call was given up", "[d] never", "[Esc] close")
    window.presses("x")
    window.sees("no cat .env", "the agent's")
    assert "cat .env" in seat.asimi("approve", "--list").stdout


def test_what_is_chosen_once_a_question_has_ended_holds_for_the_next_such_call(seat):
    window = seat.sits("leaves")
    seat.says("truncate -s 0 made", *ASKED)
    window.sees("The question has ended: its call was given up", "[s] allow for session")
    window.presses("s")
    window.sees("[1] exactly this call")
    window.presses("1")
    window.sees("no truncate -s 0 made")
    assert "truncate" not in seat.asimi("approve", "--list").stdout
    seat.says("truncate -s 0 made", "yes truncate -s 0 made")


def test_what_the_agent_prints_meanwhile_is_there_afterwards(seat):
    window = seat.sits()
    seat.says("cat .env;;flood", *ASKED)
    window.presses("n")
    window.sees("line 49999\nyes flood")


def test_without_the_terminals_keys_the_question_goes_to_the_queue(seat):
    done = seat.asimi("wrap", "codex", stdin="cat .env\nend\n")
    assert "no cat .env" in done.stdout
    assert "asimi approve" in (seat.root / "answers").read_text()


def test_what_is_moved_away_is_said_over_the_agent_and_in_a_watch(seat):
    (seat.root / "sub").mkdir(exist_ok=True)
    with seat.at_terminal("watch", columns=200) as watch:
        watch.sees("Waiting for questions")
        window = seat.sits("full", columns=600)
        (seat.root / "sub" / ".envrc").write_text("echo mine\n")
        window.sees("asimi: moved: sub/.envrc appeared in", "(box of Codex CLI)", "asimi box keep sub/.envrc")
        watch.sees("asimi: moved: sub/.envrc appeared in", "asimi box keep sub/.envrc")
    window.until(lambda shown: "asimi:" not in shown and "the agent's screen" in shown)
    seat.says("end", "sub/.envrc appeared and would run by itself")


def test_without_a_terminal_it_goes_to_standard_error(seat):
    done = seat.asimi("wrap", "sh", "-c", "touch sub/.envrc; while [ -e sub/.envrc ]; do sleep 0.1; done")
    assert "asimi: moved: sub/.envrc appeared in" in done.stderr
