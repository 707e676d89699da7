# ruff: noqa: INP001 - a program of its own, not a package
"""Records an agent in a box at a real terminal, and draws it: `make pictures`.

The agent is a script, so that nothing but asimi decides what happens; asimi, the box, bash and git are real. A picture
is the screens one after the other, which a browser shows in turns.
"""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from fcntl import ioctl
from pathlib import Path
from typing import NamedTuple

import pyte
from draw import clean
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text

HERE = Path(__file__).parent
COLUMNS, ROWS = 80, 18
PATIENCE = 60.0  # seconds after which the recording gives up

CODEX = r"""#!/usr/bin/python3
# Draws the screen of an agent, calls the hook that a box puts around it for what the agent wants to run, and runs that.
import json, re, subprocess
hook = json.loads(re.search(r'^command = (".*")$', open("/etc/codex/requirements.toml").read(), re.M)[1])
said = {"session_id": "1", "turn_id": "1", "hook_event_name": "PreToolUse", "tool_name": "Bash", "model": "a"}
said |= {"transcript_path": None, "permission_mode": "default", "cwd": WHERE}

shown = ["\x1b[1m> clean up, then publish\x1b[0m", "", "* 12 tests pass. The old fixtures are not needed any more.", ""]

def draws(*more, waits=""):
    shown.extend(more)
    print("\x1b[2J\x1b[H" + "\n".join(shown), end=f"\n\x1b]2;{waits}\x07", flush=True)
    if waits:
        input()

def runs(number, command):
    draws(f"  \x1b[36m$ {command}\x1b[0m")
    call = json.dumps(said | {"tool_use_id": str(number), "tool_input": {"command": command}})
    answer = subprocess.run(["sh", "-c", hook], input=call, text=True, capture_output=True).stdout
    return '"deny"' not in answer and subprocess.run(["bash", "-c", command]).returncode == 0

print("\x1b[?1049h", end="")
draws("  deleted" if runs(1, "rm -rf fixtures") else "  not deleted", "")
draws("* I rewrote the last commit, so I have to push by force.", "", waits="DELETED")
draws("  pushed" if runs(2, "git push --force origin main") else "  refused", "")
draws("* Then I leave the push to you.", waits="ANSWERED")
print("\x1b[2J\x1b[H\x1b[?1049l", end="")
"""


class Step(NamedTuple):
    """What is waited for, how long it is looked at, what is pressed then, and what the window is called meanwhile."""

    sees: str
    seconds: float
    presses: str
    title: str = "an agent and asimi"


QUESTION = "[n] deny"

STEPS = (
    Step("$", 0.2, "asimi wrap codex"),
    Step("asimi wrap codex", 1.2, "\n", "You start your agent in a box"),
    Step("DELETED", 2.3, "\n", "What undo can bring back runs without a question"),
    Step(QUESTION, 4.0, "n", "Before what cannot be taken back, asimi asks you"),
    Step("ANSWERED", 2.0, "\n", "The agent reads your no, and goes on"),
    Step("asimi undo", 1.5, "clear\n", "At the end, asimi says what came of it"),
    Step("$", 0, "asimi undo last\n"),
    Step("[y/n]", 2.3, "y\n", "asimi undo brings back what the agent deleted"),
    Step("$ ", 2.5, "", "asimi undo has brought it back"),
)
"""What is looked at of an agent in a box, from its start to what is taken back."""


class Frame(NamedTuple):
    """A screen, how long it is shown, what the window is called, and what was waited for."""

    text: Text
    seconds: float
    title: str
    sees: str


class Recording:
    """A program at a terminal: what it writes.

    Args:
        words: the program.
        environ: its environment.
        directory: where it runs.
    """

    def __init__(self, words: list[str], environ: dict[str, str], directory: str) -> None:
        self._master, slave = os.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        leader = ["/bin/sh", "-c", ': <"$0"; exec "$@"', os.ttyname(slave)]
        self._program = subprocess.Popen(
            [*leader, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environ,
            cwd=directory,
            start_new_session=True,
        )
        os.close(slave)
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)

    def until(self, text: str) -> None:
        """Return once a text is on the screen and nothing more comes."""
        end = time.monotonic() + PATIENCE
        while text not in "\n".join([self.screen.title, *self.screen.display]) or self._reads(0.6):
            if time.monotonic() > end:
                raise TimeoutError("\n".join([f"there is no {text!r} on the screen", *self.screen.display]))
            self._reads(0.2)

    def presses(self, keys: str) -> None:
        """Type at the terminal."""
        os.write(self._master, keys.encode())

    def ends(self) -> None:
        """End the program."""
        self._program.kill()
        self._program.wait()
        os.close(self._master)

    def _reads(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        self._stream.feed(os.read(self._master, 65536))
        return True


def screen_text(screen: pyte.Screen, home: str) -> Text:
    """A screen as text with its styles, with `~` for a home."""
    whole = Text()
    for row in range(ROWS):
        line = Text()
        for column in range(COLUMNS):
            cell = screen.buffer[row][column]
            line.append(cell.data or "", style_of(cell))
        if (at := line.plain.find(home)) >= 0:
            line = line[:at].append("~").append_text(line[at + len(home) :])
        whole.append_text(line)
        whole.append("\n")
    return whole


def style_of(cell: pyte.screens.Char) -> Style:
    """The style of a place on the screen."""
    colour = cell.fg.replace("brown", "yellow").replace("bright", "bright_")
    known = None if colour == "default" else f"#{colour}" if re.fullmatch("[0-9a-f]{6}", colour) else colour
    return Style(color=known, bold=cell.bold or None, reverse=cell.reverse or None, underline=cell.underscore or None)


def drawn(frames: list[Frame], theme: TerminalTheme) -> str:
    """Frames, each shown for some seconds, as one picture.

    Where nothing moves, because somebody wants that or a viewer cannot, it is the first question; where a viewer knows
    no styles either, that is drawn over the others.
    """
    whole, begin, pictures, rules = sum(frame.seconds for frame in frames), 0.0, [], []
    still = next(number for number, frame in enumerate(frames) if frame.sees == QUESTION)
    for number, (text, seconds, title, _) in enumerate(frames):
        paper = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
        paper.print(text, end="", no_wrap=True, crop=True)
        picture = clean(paper.export_svg(title=title, theme=theme, unique_id=f"f{number}"))
        first, last = 100 * begin / whole, 100 * (begin + seconds) / whole
        before = f"0%, {first - 0.01:.2f}% {{ visibility: hidden }} " if number else ""
        behind = f" {last + 0.01:.2f}%, 100% {{ visibility: hidden }}" if number + 1 < len(frames) else ""
        rules.append(f"@keyframes k{number} {{ {before}{first:.2f}%, {last:.2f}% {{ visibility: visible }}{behind} }}")
        rules.append(f".frame{number} {{ animation: k{number} {whole:g}s step-end infinite; visibility: hidden }}")
        pictures.append(f'<g class="frame{number}">{picture}</g>')
        begin += seconds
    box = re.search(r'viewBox="([^"]+)"', pictures[0])
    assert box
    rules.append(f"g.frame{still} {{ visibility: visible }}")
    rules.append("@media (prefers-reduced-motion) { g[class^=frame] { animation: none } }")
    pictures.append(pictures.pop(still))
    style = "<style>" + "\n".join(rules) + "</style>"
    return f'<svg viewBox="{box[1]}" xmlns="http://www.w3.org/2000/svg">{style}{"".join(pictures)}</svg>\n'


def project(directory: str) -> dict[str, str]:
    """Make a home and a project with something to do; returns the environment for both."""
    home = Path(directory, "you")
    root = home / "app"
    (root / "fixtures").mkdir(parents=True)
    for name in ("board7.json", "board8.json", "sensor.bin"):
        (root / "fixtures" / name).write_text("measured\n" * 40)
    (root / "app.py").write_text("print('hello')\n")
    programs = home / "bin"
    programs.mkdir()
    (programs / "asimi").write_text(f'#!/bin/sh\nexec {sys.executable} -m asimi "$@"\n')
    (programs / "asimi").chmod(0o755)
    environ = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    environ |= {"GIT_CONFIG_COUNT": "0", "PYTHONPATH": str(HERE.parents[1]), "PAGER": ""}
    for words in (
        ["git", "init", "-q", "-b", "main"],
        ["git", "add", "."],
        ["git", "-c", "user.name=You", "-c", "user.email=you@localhost", "commit", "-qm", "Begin"],
        ["asimi", "config", "init", "--preset", "developer"],
    ):
        subprocess.run(words, cwd=root, env=environ, check=True, stdout=subprocess.DEVNULL)
    return environ


def record() -> None:
    """Write the pictures of a session beside this file."""
    with tempfile.TemporaryDirectory(prefix="asimi-") as directory:
        environ = project(directory)
        root = os.path.join(directory, "you", "app")
        codex = Path(directory, "you", "bin", "codex")
        codex.write_text(CODEX.replace("WHERE", repr(root)), encoding="utf-8")
        codex.chmod(0o755)
        remote = ["git", "remote", "add", "origin", "https://git.example.org/you/app.git"]
        subprocess.run(remote, cwd=root, env=environ, check=True)
        write("minute", watched(["bash", "--norc", "-i"], environ | {"PS1": "$ "}, root))


def watched(words: list[str], environ: dict[str, str], root: str) -> list[Frame]:
    """Return the frames of a program."""
    recording = Recording(words, environ, root)
    frames = []
    try:
        for step in STEPS:
            recording.until(step.sees)
            if step.seconds:
                text = screen_text(recording.screen, environ["HOME"])
                frames.append(Frame(text, step.seconds, step.title, step.sees))
            recording.presses(step.presses)
    finally:
        recording.ends()
    return frames


def write(name: str, frames: list[Frame]) -> None:
    """Write a picture for a dark and one for a light page."""
    for ending, theme in {"": SVG_EXPORT_THEME, "-light": DEFAULT_TERMINAL_THEME}.items():
        (HERE / f"{name}{ending}.svg").write_text(drawn(frames, theme), encoding="utf-8")


if __name__ == "__main__":
    record()
