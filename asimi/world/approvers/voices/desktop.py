"""A window of a terminal on the desktop, and a notification.

The desktop is that of the person's own environment at `asimi hook install`; nothing here looks at the environment
of this process, which is the agent's. Programs are looked for in the system's directories, not on a PATH.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from shlex import join
from shutil import which
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PATH = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin"

TERM = "xterm-256color"
"""What such a window can show."""

TERMINALS = (
    ("x-terminal-emulator", "-e"),  # Debian's choice among the others (Debian Policy, 11.8.3)
    ("gnome-terminal", "--"),
    ("konsole", "-e"),
    ("xfce4-terminal", "-x"),
    ("kitty", ""),
    ("alacritty", "-e"),
    ("foot", ""),
    ("xterm", "-e"),
)
"""Terminals, each with the option before the program that runs in it."""

ANSWER = "answer"
"""What a notification says of itself when it was clicked."""

MAC = sys.platform == "darwin"


def window(environ: Mapping[str, str], program: Sequence[str]) -> list[str]:
    """Return what opens a window with a program in it; nothing where there is no desktop or no terminal.

    Args:
        environ: the person's environment, as far as it was kept.
        program: the program and its arguments.
    """
    if MAC:  # written from osascript(1), and never tried
        script = join(["exec", *program]).replace("\\", "\\\\").replace('"', '\\"')
        return ["/usr/bin/osascript", "-e", f'tell application "Terminal" to do script "{script}"']
    if not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return []
    found = ((which(name, path=PATH), option) for name, option in TERMINALS)
    return next(([path, *filter(None, [option]), *program] for path, option in found if path), [])


def notification(environ: Mapping[str, str], text: str, *options: str) -> list[str]:
    """Return what shows a notification; nothing where there is no bus of a desktop or no program for it."""
    if MAC:  # the same; it has no buttons
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        return [] if options else ["/usr/bin/osascript", "-e", f'display notification "{quoted}" with title "asimi"']
    path = which("notify-send", path=PATH) if environ.get("DBUS_SESSION_BUS_ADDRESS") else None
    return [path, "--app-name=asimi", *options, "--", "asimi", text] if path else []


def start_apart(words: list[str], environ: Mapping[str, str]) -> None:
    """Start a program that is nobody's child: what a window of ours shows is a person's, and it outlives this process.

    Raises:
        OSError: there is no room for another process.
    """
    child = os.fork()
    if child == 0:
        try:
            null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
            os.chdir("/")
            usual = (signal.SIGPIPE, signal.SIGINT, signal.SIGQUIT)
            os.posix_spawn(words[0], words, environ, file_actions=null, setsid=True, setsigdef=usual)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def ask_to_open(words: Sequence[str], environ: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start what shows a notification until it is clicked or closed; return it, and where its output is read.

    Raises:
        OSError: it cannot be started.
    """
    near, far = os.openpty()  # to a pipe it says its number only at its end
    os.set_blocking(near, False)
    null = subprocess.DEVNULL
    process = subprocess.Popen(words, env=environ, cwd="/", stdin=null, stdout=far, stderr=null, start_new_session=True)
    os.close(far)
    return process, near


def heard(descriptor: int) -> bytes:
    """Return what a notification has printed since the last call."""
    with suppress(OSError):  # nothing yet, or nothing any more
        return os.read(descriptor, 4096)
    return b""
