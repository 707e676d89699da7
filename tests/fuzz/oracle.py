"""The real bash, asked whether it would parse a text and what it runs. A text that is run must be harmless."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile

BASH = shutil.which("bash") or "/bin/bash"
QUIET = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}
LOGGED = "BASH_FUNC_command_not_found_handle%%"


def accepts(text: str) -> bool | None:
    """Whether bash parses a text; None if it crashes, as 5.2 does on some.

    What it complains about in `[[ ]]` is an error too, although its status is 0.
    """
    process = subprocess.run(
        [BASH, "-n", "-c", "--", text.encode("utf-8", "surrogateescape")],
        env=QUIET,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if process.returncode < 0:
        return None
    complaint = process.stderr.replace(b"warning: here-document", b"").replace(b"unterminated here-document", b"")
    return process.returncode == 0 and b"conditional" not in complaint and b"syntax error" not in complaint


def ran(text: str, patience: float = 2.0) -> list[str] | None:
    """The names that bash looked for in vain when it ran a text with no program to be found; None if it took too long.

    The text runs in an empty directory, which is its home too.
    """
    with tempfile.TemporaryDirectory() as directory:
        log = os.path.join(directory, "log")
        place = os.path.join(directory, "work")
        os.mkdir(place)
        environment = QUIET | {"HOME": place, LOGGED: "() { builtin printf '%s\\0' \"$1\" >>" + log + "; }"}
        process = subprocess.Popen(
            [BASH, "-c", "--", text.encode("utf-8", "surrogateescape")],
            env=environment,
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        try:
            with open(log, encoding="utf-8", errors="surrogateescape", newline="") as lines:
                return lines.read().split("\0")[:-1]
        except FileNotFoundError:
            return []
