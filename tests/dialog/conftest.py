"""A person at a real terminal: a pseudo-terminal whose screen is kept by pyte, and a question put to them."""

from __future__ import annotations

import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import pyte
import pytest
from wcwidth import wcswidth

PATIENT = 30
"""Seconds after which a test gives up; much longer than anything takes."""

CLEAN = {"LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": "/home/somebody", "PATH": os.environ["PATH"]}

LEADER = """
import os, sys
os.close(os.open(sys.argv[1], os.O_RDWR))
os.execvp("bash", ["bash", "-c", sys.argv[2]])
"""
"""Takes the terminal named by its first argument as its own, then runs the second in bash."""


def question(command: str = "rm -rf build", **other: object) -> dict:
    """A question; one part, which asks, unless `parts` says otherwise: rows of words, span and verdict.

    With `others`, each of them is asked after the other, with these changes to the question.
    """
    asked = {
        "command": command, "arguments": None, "description": "Clean up", "directory": "/home/somebody/app/server",
        "root": "/home/somebody/app", "agent": "claude-code", "id": 12, "session": True, "storable": True,
        "patience": 60, "offers": [["any rm -rf build", ["run_shell_command(rm -rf build)"]]],
        "reasons": [["unlisted", "rm is not on coreTools", "/home/somebody/.config/asimi/config.toml:12"]],
        "parts": [[command, [0, len(command)], "ASK"]], "background": False, "delay": 0, "person": True,
        "others": [],
    }  # fmt: skip
    return asked | other


class Person:
    """Someone who looks at a terminal and presses keys.

    Args:
        asked: the question.
        columns, rows: the size of the terminal.
        streams: which of the three standard streams are the terminal, of `0`, `1`, `2`; the others are pipes.
        early: what is typed before the program starts.
        environ: changes to a clean environment; None takes a variable out.
        terminal: whether there is a controlling terminal at all.
        script: what bash runs at the terminal, in place of the question.
    """

    def __init__(
        self, asked: dict, columns: int = 80, rows: int = 24, streams: str = "02", early: bytes = b"",
        environ: dict | None = None, terminal: bool = True, script: str = "",
    ) -> None:  # fmt: skip
        self.master, self.slave = os.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.lock = threading.Lock()
        self.resize(columns, rows)
        self.modes = termios.tcgetattr(self.slave)
        if early:
            os.write(self.master, early)
        asked = asked | {"terminal": os.ttyname(self.slave) if terminal else None}
        environment = CLEAN | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | (environ or {})
        program = [sys.executable, Path(__file__).with_name("asks.py"), json.dumps(asked)]
        if script:
            program = [sys.executable, "-c", LEADER, asked["terminal"], script]
        self.process = subprocess.Popen(
            program,
            stdin=self.slave if "0" in streams else subprocess.PIPE,
            stdout=self.slave if "1" in streams else subprocess.PIPE,
            stderr=self.slave if "2" in streams else subprocess.PIPE,
            start_new_session=True,
            env={name: value for name, value in environment.items() if value is not None},
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            with self.lock:
                self.written += data
                self.stream.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        with self.lock:
            self.screen.resize(rows, columns)

    @property
    def display(self) -> str:
        """What is on the screen, lines without their trailing spaces."""
        with self.lock:
            return "\n".join(line.rstrip() for line in self.screen.display)

    def sees(self, *texts: str) -> str:
        """Wait until all of it is on the screen."""
        end = time.monotonic() + PATIENT
        while time.monotonic() < end:
            shown = self.display
            if all(text in shown for text in texts):
                return shown
            time.sleep(0.02)
        raise AssertionError(f"not on the screen: {texts}\n{self.display}")

    def ready(self) -> str:
        """Wait until keys are heard."""
        return self.sees("[n] deny")

    def presses(self, *keys: str | bytes) -> None:
        """Press keys one by one, each after the last had its time."""
        for key in keys:
            os.write(self.master, key if isinstance(key, bytes) else key.encode())
            time.sleep(0.25)

    def types(self, word: str) -> None:
        """Type a word and then Enter."""
        self.presses(word, "\r")

    def answer(self) -> dict:
        """The answer that came of it; the terminal must be as it was before."""
        out, _ = self.process.communicate(timeout=PATIENT)
        assert termios.tcgetattr(self.slave) == self.modes, "the terminal's modes were not put back"
        return json.loads(out)

    def still_asks(self) -> None:
        """Nothing was answered, for as long as an answer could take."""
        time.sleep(0.6)
        assert self.process.poll() is None, self.process.communicate()
        assert "[n] deny" in self.display or "Answer:" in self.display, self.display

    def too_wide(self) -> list[str]:
        """The lines that were written and are wider than the terminal."""
        with self.lock:
            text = self.written.decode(errors="replace")
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
        lines = [line for part in plain.split("\r\n") for line in part.split("\r")]
        return [line for line in lines if wcswidth(line) > self.screen.columns]

    def leaves(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        os.close(self.slave)
        os.close(self.master)
        self.reader.join(1)


def seats():
    """Sits people down in front of questions; at the end they leave."""
    people: list[Person] = []

    def sit(command: str = "rm -rf build", *, seat: dict | None = None, **asked: object) -> Person:
        people.append(Person(question(command, **asked), **(seat or {})))
        return people[-1]

    yield sit
    for person in people:
        person.leaves()


sit = pytest.fixture(seats, name="sit")
sit_long = pytest.fixture(seats, name="sit_long", scope="module")
