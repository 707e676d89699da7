"""A person at a terminal in tmux, or at a desktop, and an agent whose hook asks."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import time

import pytest

from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line
from asimi.world.approvers.queue.entries import VOICE, watchers
from asimi.world.host.places import bases_of
from helpers import PATIENCE, PYTHON
from helpers.hooks import HookedHome, envelope


def line_of(home, agent="codex"):
    """What `hook install` would make an agent start in a home."""
    return command_line(agent_of(agent), PYTHON, bases=bases_of(home.environ))


class Pane:
    """A home whose person works in tmux.

    Args:
        directory: where all of it is.
        name: the server's socket.
    """

    def __init__(self, directory, name="tmux"):
        if shutil.which("tmux") is None:
            pytest.skip("tmux is not here")
        self.home, self.socket = HookedHome(directory), directory / name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server", check=False)

    def tmux(self, *words, check=True):
        """What a command of tmux's says."""
        line, environ = ["tmux", "-S", str(self.socket), *words], self.home.environ
        done = subprocess.run(line, capture_output=True, text=True, check=check, timeout=PATIENCE, env=environ)
        return done.stdout

    def sits(self, *words, shows="> ", **options):
        """A person at a client."""
        words = words or ("new-session", "exec env PS1='> ' /bin/bash --norc -i")
        line = ["tmux", "-S", str(self.socket), "-f", "/dev/null", *words]
        environ = {"TERM": "xterm-256color"}
        person = self.home.at_terminal(program=line, environ=environ, **options)
        person.sees(shows)
        return person

    def asks(self, *commands, agent="codex", before="", name="agent"):
        """What a person types to start an agent that makes some calls at once and shows what became of each."""
        lines = []
        for number, command in enumerate(commands):
            sent = self.home.root / f"{name}{number}.json"
            sent.write_text(json.dumps(envelope(agent, command, self.home.root)))
            hook = f"setsid --wait /bin/sh -c {shlex.quote(line_of(self.home, agent))}"
            lines.append(f"({hook} < {sent} > {self.home.root}/{name}{number}.out 2>&1; echo ended {name}{number}) &")
        script = self.home.root / f"{name}.sh"
        script.write_text("\n".join([before, *lines, "wait", ""]))
        return f"clear; env timeout 170 sh {script.name}"

    def said(self, number=0, name="agent"):
        """What a hook said."""
        return (self.home.root / f"{name}{number}.out").read_text()


def refused(said):
    """Whether a hook said no with the name of a question."""
    return re.search(r"asimi approve ([a-z2-7]{8})", said) is not None


def shown_in(home):
    """The processes that show questions in a home until none waits."""
    return watchers(str(home.home / "run" / "asimi" / "questions"), VOICE)


def eventually(true, what):
    """What a function says once that is something."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)
    return found


class Desk:
    """A home whose person works at a desktop: a screen, a bus, a notification service, and a hand.

    Args:
        directory: where all of it is.
        bus: whether there is a notification service.
        home: whose desktop it is; None for a home of its own.
    """

    PROGRAMS = ("Xvfb", "xterm", "dunst", "notify-send", "xdotool", "dbus-daemon")

    def __init__(self, directory, *, bus=False, home=None):
        if missing := [name for name in self.PROGRAMS if shutil.which(name) is None]:
            pytest.skip(f"{missing[0]} is not here")
        self.home, self._running = home or HookedHome(directory), []
        read, write = os.pipe()
        self._start(
            "Xvfb", "-displayfd", str(write), "-screen", "0", "1000x700x24", "-nolisten", "tcp", pass_fds=[write]
        )
        os.close(write)
        with open(read) as number:
            self.desktop = {"DISPLAY": f":{number.readline().strip()}"}
        if bus:
            daemon = self._start("dbus-daemon", "--session", "--nofork", "--print-address", stdout=subprocess.PIPE)
            self.desktop["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().decode().strip()
            settings = directory / "dunstrc"
            settings.write_text(
                "[global]\norigin=top-left\noffset=0x0\nwidth=400\nheight=200\nmouse_left_click=do_action\n"
            )
            self._start("dunst", "-config", str(settings))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in shown_in(self.home):
            os.kill(pid, 15)
        for process in reversed(self._running):
            process.terminate()
            process.wait(PATIENCE)
            if process.stdout is not None:
                process.stdout.close()

    def _start(self, *words, **more):
        environ = self.home.environ | getattr(self, "desktop", {})
        more = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | more
        self._running.append(process := subprocess.Popen(words, env=environ, **more))
        return process

    def installs(self, *words):
        """The person installs the hook in a terminal of this desktop; what that says."""
        return self.home.asimi("hook", "install", "codex", *words, environ=self.desktop).stdout

    def hand(self, *words):
        """What xdotool says that does something, empty where it fails."""
        line, environ = ["xdotool", *words], self.home.environ | self.desktop
        done = subprocess.run(line, env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE)
        return done.stdout.strip()

    def windows(self, name):
        """The windows of a program that can be seen."""
        return self.hand("search", "--onlyvisible", "--class", name).split()

    def presses(self, key, until):
        """Press a key in the window of a terminal, as often as it takes: keys count a second after it is shown."""
        window = eventually(lambda: self.windows("xterm"), "a window")[0]
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, "no key was an answer"
            self.hand("windowfocus", window, "key", key)
            time.sleep(1.5)
