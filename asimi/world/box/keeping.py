"""The keeper: the parent of a box's bubblewrap, which outlives asimi until it has ended and removed everything.

It lives as long as bwrap, and bwrap ends with it (`PR_SET_PDEATHSIG`, prctl(2), is about the thread that started a
process, and the keeper has only one). It holds one end of a pipe. When asimi closes the other end, or ends in whatever
way, the keeper ends the box and removes what was made for it. If the keeper is killed as well, the next start does so.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from pathlib import Path

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING
from asimi.world.box.holding import PROCESSES
from asimi.world.executors.confining.binding import remove
from asimi.world.executors.confining.bounds import FILE
from asimi.world.host.places import private_directory, private_file, read_private, try_lock

if TYPE_CHECKING:
    from collections.abc import Sequence

KEEPER = f"""\
import os, resource, select, sys
life, record, path, *words = sys.argv[1:]
life, record = int(life), int(record)
for each in (life, record):
    os.set_inheritable(each, False)
running = int(open("/proc/loadavg").read().split()[3].partition("/")[2])
for which, most in ((resource.RLIMIT_FSIZE, {FILE}), (resource.RLIMIT_NPROC, running + {PROCESSES})):
    most = min([each for each in resource.getrlimit(which) if each != resource.RLIM_INFINITY] + [most])
    resource.setrlimit(which, (most, most))
pid = os.posix_spawn(words[0], words, {{}})
os.closerange(0, life)
handle, events = os.pidfd_open(pid), select.poll()
events.register(life, select.POLLIN)
events.poll()
try:
    os.kill(pid, 9)
except ProcessLookupError:
    pass
os.waitpid(pid, 0)
if os.path.exists(path):
    sys.path.append({str(Path(__file__).absolute().parents[3])!r})
    from asimi.world.box.keeping import clean
    clean(path, 60)
"""
"""What it runs. Its own descriptors come after all that are bwrap's, and bwrap inherits none of them."""

PATIENCE = 2.0
"""Seconds in which the mounts of a box that has ended are gone, unless the machine is very busy."""


class Record:
    """What a box has made, in a file that whoever removes it reads.

    Args:
        lock: the file whose locks say which names are held.
        runtime: the box's own directory.

    Attributes:
        path: the file.
        descriptor: of the file, which is locked as long as this or what is inherited from it is open.
    """

    def __init__(self, lock: str, runtime: str) -> None:
        directory = private_directory(os.path.join(os.path.dirname(lock), "boxes"))
        self.path = os.path.join(directory, f"{os.path.basename(runtime)}.json")
        self._held: list[tuple[str, str | None]] = []
        self._there = {"version": 1, "lock": lock, "runtime": runtime, "held": self._held}
        self.descriptor = private_file(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try_lock(self.descriptor)
        self._write()

    def note(self, held: Sequence[tuple[str, bytes | None]]) -> None:
        """Note names before something holds them: what that is, a file with some bytes or None for a directory."""
        self._held += [(path, None if form is None else form.decode()) for path, form in held]
        self._write()

    def clean(self) -> None:
        """Remove what the box made, and the record."""
        if self.descriptor >= 0:
            clean(self.path)
            os.close(self.descriptor)
            self.descriptor = -1

    def _write(self) -> None:
        content = json.dumps(self._there).encode()
        os.pwrite(self.descriptor, content, 0)


def clean(path: str, patience: float = PATIENCE) -> None:
    """Remove what a box made that has ended, and its record at a path, which stays while something is mounted on that.

    Args:
        path: of the record.
        patience: seconds until it is left to the next start.
    """
    with contextlib.suppress(FileNotFoundError):
        try:
            there = json.loads(read_private(path) or b"{}")
            held = [(each, None if form is None else form.encode()) for each, form in there["held"]]
        except (ValueError, KeyError, TypeError):
            held, there = [], {}
        end = time.monotonic() + patience
        while held and time.monotonic() < end:
            left = held
            with contextlib.suppress(OSError, AsimiError):
                left = remove(there["lock"], held)
            held = left
            time.sleep(0.02 if left else 0)
        if runtime := there.get("runtime"):
            shutil.rmtree(runtime, ignore_errors=True)
        if not held:
            os.unlink(path)


def clean_up(lock: str) -> None:
    """Remove what boxes have left whose keeper was killed.

    Args:
        lock: the file whose locks say which names are held.
    """
    directory = os.path.join(os.path.dirname(lock), "boxes")
    with contextlib.suppress(OSError, AsimiError):
        for name in os.listdir(directory):
            path = os.path.join(directory, name)
            descriptor = private_file(path, os.O_RDWR)
            try:
                if try_lock(descriptor):
                    clean(path)
            finally:
                os.close(descriptor)


def told(said: bytes, name: str, otherwise: int) -> int:
    """A number that bwrap has said of itself, one JSON object a line (bwrap(1), `--json-status-fd`)."""
    for line in said.splitlines():
        with contextlib.suppress(ValueError, KeyError):
            return int(json.loads(line)[name])
    return otherwise
