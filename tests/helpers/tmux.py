"""A person at a terminal that is tmux: one that has two screens and answers what it is asked."""

from __future__ import annotations

import shlex
import subprocess
import time

from helpers import PATIENCE

LOOKS = 0.05
"""Seconds between two looks, each of which starts a process."""


class Tmux:
    """A window of a server of its own.

    Args:
        place: a directory, for its socket.
        program: what runs in it.
        environ: the program's environment.
    """

    def __init__(self, place, program, environ, *, columns=80, rows=24):
        self.socket = place / "tmux"
        line = ["env", "-i", *(f"{name}={value}" for name, value in environ.items()), *map(str, program)]
        size = ["-x", str(columns), "-y", str(rows)]
        settings = place / "tmux.conf"
        settings.write_text("set -g remain-on-exit on\nset -g history-limit 100000\n")
        self.run("-f", settings, "new-session", "-d", *size, "-c", str(place), shlex.join(line))

    def run(self, *words):
        """What a command of tmux's says."""
        line = ["tmux", "-S", self.socket, *words]
        return subprocess.run(line, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout

    @property
    def screen(self):
        """What is seen, with attributes."""
        return self.run("capture-pane", "-p", "-e")

    @property
    def display(self):
        """What is seen, without."""
        return self.run("capture-pane", "-p")

    def state(self):
        """Where the cursor is, and the modes."""
        names = "cursor_x cursor_y cursor_flag insert_flag keypad_cursor_flag keypad_flag mouse_any_flag mouse_sgr_flag"
        names += " alternate_on origin_flag wrap_flag scroll_region_upper scroll_region_lower"
        return self.run("display-message", "-p", " ".join(f"{name}=#{{{name}}}" for name in names.split()))

    def sees(self, *texts):
        """The screen, once all of the texts are on it."""
        return self.until(lambda shown: all(text in shown for text in texts), texts)

    def until(self, holds, what="something"):
        """The screen, once something holds of it."""
        end = time.monotonic() + PATIENCE
        while not holds(shown := self.display):
            assert time.monotonic() < end, f"not on the screen: {what}\n{shown}"
            time.sleep(LOOKS)
        return shown

    def rests(self, seconds=0.3):
        """The screen and the state, once neither has changed for some time."""
        now, since = None, (begin := time.monotonic())
        while time.monotonic() - since < seconds:
            assert since - begin < PATIENCE, f"it does not rest\n{now and now[0]}"
            if now != (now := (self.screen, self.state())):
                since = time.monotonic()
            time.sleep(LOOKS)
        return now

    def presses(self, *keys):
        """Press keys, by tmux's names of them, with time in between."""
        for key in keys:
            self.run("send-keys", key)
            time.sleep(0.1)

    def types(self, text):
        """Type a text at once."""
        self.run("send-keys", "-l", text)

    def leaves(self):
        """End the server and all in it."""
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False, timeout=PATIENCE)
