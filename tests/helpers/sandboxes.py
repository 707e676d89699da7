"""Commands in a sandbox, as ourselves and as an ordinary user, in a project of their own."""

import contextlib
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from helpers import MODULES, PYTHON
from helpers.executors import Program

NOBODY = 65534
USERS = ("ourselves", "nobody")
BACKENDS = ("landlock", "bubblewrap")

SETPRIV, ENV = (shutil.which(name) or name for name in ("setpriv", "env"))
AS_NOBODY = (SETPRIV, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", ENV)
"""Words before those of a program that a user runs who may do nothing special.

subprocess can do that by itself, but has to copy all the memory of the tests for it, and not only share it. setpriv
looks for the program while it still has root's abilities, so it starts `env`, which has none.
"""


# A process may refuse a system call to itself and to what it starts: number, the first argument or -1, the errno.
WITHOUT = """
import ctypes, os, struct, sys
number, first, code, *words = sys.argv[1:]
number, first, code = int(number), int(first), int(code)
narrow = [(0x20, 0, 0, 16), (0x15, 0, 1, first)] if first >= 0 else []
steps = [(0x20, 0, 0, 0), (0x15, 0, 1 + len(narrow), number), *narrow, (6, 0, 0, 0x50000 | code), (6, 0, 0, 0x7FFF0000)]
data = b"".join(struct.pack("=HBBI", *step) for step in steps)
class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Program(len(steps), data))) == 0, ctypes.get_errno()
os.execv(words[0], words)
"""


@functools.cache
def nobodys_python():
    """A Python that an ordinary user may start with our modules, which is not so for one in root's home, or None."""
    code = "import sys, asimi.core.judging.policy; sys.exit(sys.version_info < (3, 11))"
    for python in (PYTHON, "/usr/bin/python3") if os.geteuid() == 0 else ():
        words, environment = [*AS_NOBODY, python, "-c", code], os.environ | MODULES
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(words, cwd="/", env=environment, check=True, stderr=subprocess.DEVNULL)
            return python
    return None


def skip(reason):
    """Skip a test that this machine cannot run; a failure where ASIMI_TESTS_SKIP_NONE is set."""
    if os.environ.get("ASIMI_TESTS_SKIP_NONE"):
        pytest.fail(f"skips none: {reason}", pytrace=False)
    pytest.skip(reason)


def yard_of(user, backend):
    """A yard of ours or of `nobody`, by a backend; the test is skipped where there can be none."""
    from asimi.world.executors.confining.ability import lacking_bubblewrap, lacking_landlock

    nobody, fault = user == "nobody", {"landlock": lacking_landlock, "bubblewrap": lacking_bubblewrap}[backend]()
    if nobody and not nobodys_python():
        fault = "only root can become somebody else, who must have a Python to start"
    if fault:
        skip(fault)
    return Yard(nobody=nobody, backend=backend)


class Yard:
    """A project, what lies beside it, and a program that runs commands in there.

    Attributes:
        root: the project.
        outside: a directory beside it, with a file `kept` that says `kept`.
        backend: what holds the commands.
    """

    def __init__(self, before=(), *, nobody=False, backend="auto", below="/var/tmp", **options):
        self.backend = backend
        self.top = Path(os.path.realpath(tempfile.mkdtemp(prefix="asimi-yard-", dir=below)))
        self.root, self.outside = self.top / "project", self.top / "outside"
        for directory in (self.root, self.root / ".git" / "hooks", self.root / "src", self.outside, self.top / "state"):
            directory.mkdir(parents=True, mode=0o700)
        (self.outside / "kept").write_text("kept")
        if nobody:
            for path in (self.top, *self.top.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
            before, options["python"] = (*AS_NOBODY, *before), nobodys_python()
        self.program = Program(self.top / "state", self.root, before=before, **options)

    def __call__(self, command, *, sandbox=None, **limits):
        """Run one, in a sandbox that only lets it write in the project, but for what `sandbox` says."""
        return self.program(command, sandbox={"mode": "project", "backend": self.backend} | (sandbox or {}), **limits)

    def untouched(self):
        """Whether nothing beside the project has changed."""
        files = {path.name for path in self.top.iterdir()}
        return (
            files == {"project", "outside", "state"}
            and [path.name for path in self.outside.iterdir()] == ["kept"]
            and (self.outside / "kept").read_text() == "kept"
        )

    def end(self):
        """End the program and remove everything."""
        self.program.end()
        shutil.rmtree(self.top)
