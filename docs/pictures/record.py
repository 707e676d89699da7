# ruff: noqa: INP001 - a program of its own, not a package
"""Records an agent's session at a real terminal, as an asciinema cast, and draws it: `make pictures`.

The agent is a script, so that nothing but asimi decides what happens; asimi, bash, git and make are real. A picture is
the cast's screens one after the other, which a browser shows in turns.
"""

from __future__ import annotations

import json
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
COLUMNS, ROWS = 80, 24
PATIENCE = 60.0  # seconds after which the recording gives up

AGENT = r"""
at() { printf '\033]2;%s\007' "$1"; read -rs _; } # what the recording waits for is in the title
say() { printf '\n\033[1m* agent:\033[0m %s\n' "$1"; }
say 'What has changed, and do the tests pass?'
asimi run 'git status --short && make test'
at END1
clear; say 'The old build is in the way.'
asimi run 'rm -rf build' --description 'Remove the old build'
at END2
clear; say 'Now everybody can have it.'
asimi run 'git push --force origin main' --description 'Publish the change'
at END3
clear; asimi log -n 4
at END4
"""


CODEX = r"""#!/usr/bin/python3
# Draws the screen of an agent, and calls the hook that a box puts around it for what the agent wants to run.
import json, re, subprocess
hook = json.loads(re.search(r'^command = (".*")$', open("/etc/codex/requirements.toml").read(), re.M)[1])
said = {"session_id": "1", "turn_id": "1", "hook_event_name": "PreToolUse", "tool_name": "Bash", "model": "a"}
said |= {"transcript_path": None, "permission_mode": "default", "tool_use_id": "1", "cwd": WHERE}
said["tool_input"] = {"command": "git push --force origin main"}
print("\x1b[?1049h\x1b[2J\x1b[H\x1b[1m> release what we have\x1b[0m\n\n* 12 tests pass. I rewrote the last commit,")
print("  so I have to push it by force.\n\n\x1b[2m  $ git push --force origin main\x1b[0m")
print("\x1b]2;DRAWN\x07", flush=True)
input()
subprocess.run(["sh", "-c", hook], input=json.dumps(said), text=True, capture_output=True)
input("\x1b]2;ANSWERED\x07")
"""


class Step(NamedTuple):
    """What is waited for, how long it is looked at, and what is pressed then."""

    sees: str
    seconds: float
    presses: str


STEPS = (
    Step("END1", 3.0, "\n"),
    Step("[n] deny", 4.5, "y"),
    Step("END2", 2.0, "\n"),
    Step("[n] deny", 3.5, "d"),
    Step("[1]", 4.0, "1"),
    Step("END3", 3.5, "\n"),
    Step("END4", 5.0, "\n"),
)

OVER = (Step("DRAWN", 2.5, "\n"), Step("[n] deny", 6.0, "n"))
"""What is looked at of an agent in a box."""


class Recording:
    """A program at a terminal: what it writes, and when.

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
        self.cast: list[tuple[float, str, str]] = []
        self.clock = 0.0  # seconds in the cast

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
        data = os.read(self._master, 65536)
        self._stream.feed(data)
        self.cast.append((round(self.clock, 2), "o", data.decode("utf-8", "replace")))
        self.clock += 0.05
        return True


def screen_text(screen: pyte.Screen) -> Text:
    """A screen as text with its styles."""
    whole = Text()
    for row in range(ROWS):
        line = Text()
        for column in range(COLUMNS):
            cell = screen.buffer[row][column]
            line.append(cell.data or "", style_of(cell))
        whole.append_text(line)
        whole.append("\n")
    return whole


def style_of(cell: pyte.screens.Char) -> Style:
    """The style of a place on the screen."""
    colour = cell.fg.replace("brown", "yellow").replace("bright", "bright_")
    known = None if colour == "default" else f"#{colour}" if re.fullmatch("[0-9a-f]{6}", colour) else colour
    return Style(color=known, bold=cell.bold or None, reverse=cell.reverse or None, underline=cell.underscore or None)


def drawn(frames: list[tuple[Text, float]], theme: TerminalTheme) -> str:
    """Frames, each shown for some seconds, as one picture."""
    whole, begin, pictures, rules = sum(seconds for _, seconds in frames), 0.0, [], []
    for number, (text, seconds) in enumerate(frames):
        paper = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
        paper.print(text, end="", no_wrap=True, crop=True)
        picture = clean(paper.export_svg(title="an agent and asimi", theme=theme, unique_id=f"f{number}"))
        first, last = 100 * begin / whole, 100 * (begin + seconds) / whole
        before = f"0%, {first - 0.01:.2f}% {{ visibility: hidden }} " if number else ""
        behind = f" {last + 0.01:.2f}%, 100% {{ visibility: hidden }}" if number + 1 < len(frames) else ""
        rules.append(f"@keyframes k{number} {{ {before}{first:.2f}%, {last:.2f}% {{ visibility: visible }}{behind} }}")
        rules.append(f".frame{number} {{ animation: k{number} {whole:g}s step-end infinite }}")
        pictures.append(f'<g class="frame{number}">{picture}</g>')
        begin += seconds
    box = re.search(r'viewBox="([^"]+)"', pictures[0])
    assert box
    # Whoever wants no motion sees the first question, and no other frame.
    still = "g[class^=frame] { animation: none; visibility: hidden } g.frame1 { visibility: visible }"
    still = f"@media (prefers-reduced-motion) {{ {still} }}"
    style = "<style>" + "\n".join([*rules, still]) + "</style>"
    return f'<svg viewBox="{box[1]}" xmlns="http://www.w3.org/2000/svg">{style}{"".join(pictures)}</svg>\n'


def project(directory: str) -> dict[str, str]:
    """Make a home and a project with something to do; returns the environment for both."""
    home = Path(directory, "you")
    root = home / "app"
    (root / "build").mkdir(parents=True)
    for number in range(37):
        (root / "build" / f"{number}.o").write_text("old\n")
    (root / ".gitignore").write_text("build/\n")
    (root / "Makefile").write_text("test:\n\t@echo '12 passed'\n")
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
    (root / "app.py").write_text("print('hello, world')\n")
    return environ


def record() -> None:
    """Write the cast of a session, and the pictures of it and of a question over an agent, beside this file."""
    with tempfile.TemporaryDirectory(prefix="asimi-") as directory:
        environ = project(directory)
        root = os.path.join(directory, "you", "app")
        cast, frames = watched(["bash", "-c", AGENT], environ, root, STEPS)
        head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "an agent and asimi"}
        lines = [json.dumps(each).replace(directory, "~") for each in (head, *cast)]
        (HERE / "session.cast").write_text("\n".join(lines) + "\n", encoding="utf-8")
        write("session", frames)
        codex = Path(directory, "you", "bin", "codex")
        codex.write_text(CODEX.replace("WHERE", repr(root)), encoding="utf-8")
        codex.chmod(0o755)
        remote = ["git", "remote", "add", "origin", "https://git.example.org/you/app.git"]
        subprocess.run(remote, cwd=root, env=environ, check=True)
        write("over", watched(["asimi", "wrap", "codex"], environ, root, OVER)[1])


def watched(
    words: list[str], environ: dict[str, str], root: str, steps: tuple[Step, ...]
) -> tuple[list[tuple[float, str, str]], list[tuple[Text, float]]]:
    """Return the cast and the frames of a program."""
    recording = Recording(words, environ, root)
    frames = []
    try:
        for step in steps:
            recording.until(step.sees)
            frames.append((screen_text(recording.screen), step.seconds))
            recording.clock += step.seconds
            recording.presses(step.presses)
    finally:
        recording.ends()
    return recording.cast, frames


def write(name: str, frames: list[tuple[Text, float]]) -> None:
    """Write a picture for a dark and one for a light page."""
    for ending, theme in {"": SVG_EXPORT_THEME, "-light": DEFAULT_TERMINAL_THEME}.items():
        (HERE / f"{name}{ending}.svg").write_text(drawn(frames, theme), encoding="utf-8")


if __name__ == "__main__":
    record()
