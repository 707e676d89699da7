# ruff: noqa: INP001 - a program of its own, not a package
"""Records an agent in a box at a real terminal, and draws it: `make pictures`.

The agent is a script, so that nothing but asimi decides what happens; asimi, the box, bash and git are real. A picture
is the screens one after the other, which a browser shows in turns.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import pyte
from draw import clean
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text
from stage import COLUMNS, ROWS, Recording, project

HERE = Path(__file__).parent

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
    recording, screen, frames = Recording(words, environ, root), pyte.Screen(COLUMNS, ROWS), []
    stream, drawn_so_far = pyte.ByteStream(screen), 0
    try:
        for step in STEPS:
            recording.until(step.sees)
            stream.feed(recording.written[drawn_so_far:])
            drawn_so_far = len(recording.written)
            if step.seconds:
                text = screen_text(screen, environ["HOME"])
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
