"""The real bash, asked whether it would parse a text and what it runs. A text that is run must be harmless."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from typing import TYPE_CHECKING, Self

from helpers.sandboxes import AS_NOBODY

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class Playground:
    """A directory to throw away, with canaries among a few real programs, where scripts run one after another.

    Where PATH is lost bash looks for programs in the directory it is in, so a canary of each name is there too.
    """

    def __init__(self, real: Sequence[str], canaries: Sequence[str]) -> None:
        self.place = tempfile.mkdtemp(prefix="asimi-fuzz-")
        self.log, self.bin, self.work = (os.path.join(self.place, name) for name in ("log", "bin", "work"))
        self.names = (*real, *canaries)
        os.chmod(self.place, 0o755)
        os.mkdir(self.bin)
        self.canary = os.path.join(self.place, "canary")
        with open(self.canary, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nIFS="\t"\necho "$0\t$*" >> {self.log}\n')  # a word may hold blanks
        os.chmod(self.canary, 0o755)
        for name in real:
            os.symlink(shutil.which(name) or f"/bin/{name}", os.path.join(self.bin, name))
        for name in canaries:
            os.symlink(self.canary, os.path.join(self.bin, name))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.place, ignore_errors=True)

    def effects(self, text: str, patience: float = 3.0) -> list[str]:
        """What happened when bash ran a text: each start of a canary with its words behind tabs, each file written.

        A file is one that was not there; it is told as if a canary called `written` had been started with its name.
        """
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(os.path.join(self.work, "sub"))
        for name in ("in", "in2", "ok", "danger", "-oout"):
            with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
                file.write("b\na\n")
        for name in self.names:
            os.symlink(self.canary, os.path.join(self.work, name))
            os.symlink(self.canary, os.path.join(self.work, "sub", name))
        with open(self.log, "w", encoding="utf-8"):
            os.chmod(self.log, 0o666)
        before = set(os.listdir(self.work))
        for path in (self.work, os.path.join(self.work, "sub")):
            os.chmod(path, 0o777)
        nobody = AS_NOBODY if os.geteuid() == 0 else ()
        process = subprocess.Popen(
            [*nobody, *limited(), BASH, "-c", "--", text],
            env={"PATH": self.bin, "HOME": self.work, "LC_ALL": "C.UTF-8", "FUNCNEST": "20"},
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.communicate(timeout=patience)  # until whatever it left running has ended too
        except subprocess.TimeoutExpired:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        written = [f"written {name}" for name in sorted(set(os.listdir(self.work)) - before)]
        with open(self.log, encoding="utf-8", errors="surrogateescape") as lines:
            return lines.read().splitlines() + written


def limited() -> list[str]:
    """Words before a program's that bound its processes, its seconds of CPU, its memory and its files."""
    if not (prlimit := shutil.which("prlimit")):  # not Linux
        return []
    processes = sum(name.isdigit() for name in os.listdir("/proc")) + 100
    return [prlimit, f"--nproc={processes}", "--cpu=2", f"--as={1 << 30}", f"--fsize={1 << 20}", "--core=0"]
