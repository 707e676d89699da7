# ruff: noqa: INP001 - no package
"""What pictures and the demonstration are made of: a project of its own, and a program at a terminal."""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

COLUMNS, ROWS = 80, 18
PATIENCE = 60.0  # seconds after which nobody waits any more


class Recording:
    """A program at a terminal, and what it writes.

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
        self.written = b""  # all of it
        self._pressed = 0  # how much of it came before the last key

    def until(self, text: str) -> str:
        """Return what was written since the last key, once a text is in it and nothing more comes.

        Raises:
            TimeoutError: it does not come.
        """
        end = time.monotonic() + PATIENCE
        while text not in (said := self._said()) or self._reads(0.6):
            if time.monotonic() > end:
                raise TimeoutError(f"there is no {text!r} in {said!r}")
            self._reads(0.2)
        return said

    def presses(self, keys: str) -> None:
        """Type at the terminal."""
        self._pressed = len(self.written)
        os.write(self._master, keys.encode())

    def ends(self) -> None:
        """End the program."""
        self._program.kill()
        self._program.wait()
        os.close(self._master)

    def _said(self) -> str:
        """What was written since the last key, without colours."""
        text = self.written[self._pressed :].decode("utf-8", "replace")
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")

    def _reads(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        self.written += os.read(self._master, 65536)
        return True


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
    environ |= {"GIT_CONFIG_COUNT": "0", "PYTHONPATH": str(Path(__file__).parents[2]), "PAGER": ""}
    for words in (
        ["git", "init", "-q", "-b", "main"],
        ["git", "add", "."],
        ["git", "-c", "user.name=You", "-c", "user.email=you@localhost", "commit", "-qm", "Begin"],
        ["asimi", "config", "init", "--preset", "developer"],
    ):
        subprocess.run(words, cwd=root, env=environ, check=True, stdout=subprocess.DEVNULL)
    return environ
