"""The real bash, asked whether it would parse a text and what it runs. A text that is run must be harmless."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile

BASH = shutil.which("bash") or "/bin/bash"
QUIET = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}
LOGGED = "BASH_FUNC_command_not_found_handle%%"


def accepts(text: str) -> bool:
    """Whether bash parses a text; what it complains about in `[[ ]]` is an error too, although it says it is not."""
    process = subprocess.run([BASH, "-n", "-c", "--", text.encode("utf-8", "surrogateescape")], env=QUIET, stdin=subprocess.DEVNULL,
                             capture_output=True, check=False)  # fmt: skip
    complaint = process.stderr.replace(b"warning: here-document", b"").replace(b"unterminated here-document", b"")
    return process.returncode == 0 and b"conditional" not in complaint and b"syntax error" not in complaint


def ran(text: str, patience: float = 2.0) -> list[str] | None:
    """The names that bash looked for in vain when it ran a text with no program to be found; None if it took too long."""
    with tempfile.TemporaryDirectory() as directory:
        log = os.path.join(directory, "log")
        place = os.path.join(directory, "work")
        os.mkdir(place)
        environment = QUIET | {LOGGED: "() { builtin printf '%s\\0' \"$1\" >>" + log + "; }"}
        process = subprocess.Popen([BASH, "-c", "--", text.encode("utf-8", "surrogateescape")], env=environment, cwd=place, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        try:
            with open(log, encoding="utf-8", errors="surrogateescape", newline="") as lines:
                return lines.read().split("\0")[:-1]
        except FileNotFoundError:
            return []
