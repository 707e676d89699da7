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
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.world.box.appearing import AppearanceWatcher, Before
from asimi.world.box.enforcer import PROCESSES
from asimi.world.box.quarantine import Quarantine
from asimi.world.executors.confining.binding import remove
from asimi.world.executors.confining.mounts import FILE
from asimi.world.host.places import names_in, private_directory, private_file, read_private, try_lock

if TYPE_CHECKING:
    from collections.abc import Sequence

RECORD = "ASIMI_BOX_RECORD"
"""A variable of bwrap's own, and its only one: the path of the record of the box."""

KEEPER = f"""\
import os, resource, signal, sys
life, record, names, path, *words = sys.argv[1:]
life, record, names = map(int, (life, record, names))
for each in (life, record, names):
    os.set_inheritable(each, False)
running = int(open("/proc/loadavg").read().split()[3].partition("/")[2])
for which, most in ((resource.RLIMIT_FSIZE, {FILE}), (resource.RLIMIT_NPROC, running + {PROCESSES})):
    most = min([each for each in resource.getrlimit(which) if each != resource.RLIM_INFINITY] + [most])
    resource.setrlimit(which, (most, most))
if not (pid := os.fork()):  # posix_spawn of glibc would have it ignore two signals
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for each in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(each, signal.SIG_DFL)
    os.execve(words[0], words, {{{RECORD!r}: path}})
os.closerange(0, life)
os.read(life, 1)
os.kill(pid, 9)
os.waitpid(pid, 0)
import contextlib
for each in filter(str.isdecimal, os.listdir("/proc")):  # a child that waits for bwrap would wait for ever
    with contextlib.suppress(OSError), open(f"/proc/{{each}}/environ", "rb") as file:
        file.read() == os.fsencode(f"{RECORD}={{path}}\\0") and os.kill(int(each), 9)
os.close(names)
if os.path.exists(path):
    sys.path.append({str(Path(__file__).absolute().parents[3])!r})
    from asimi.world.box.reaper import clean
    clean(path, 60, later=True)
"""
"""What it runs. Its own descriptors come after all that are bwrap's, and bwrap inherits none of them."""

APPEARED = "appeared"
"""Where, in asimi's state, it is kept what appeared and was moved away."""

SOCKET = ".sock"
"""What the name of the socket ends with that a box has beside its record, `keeps`."""

PATIENCE = 2.0
"""Seconds in which the mounts of a box that has ended are gone, unless the machine is very busy."""


class Record:
    """What a box has made, in a file that whoever removes it reads.

    Args:
        lock: the file whose locks say which names are held.
        runtime: the box's own directory.

    Raises:
        AsimiError: it cannot be written.

    Attributes:
        path: the file.
        descriptor: of the file, which is locked as long as this or what is inherited from it is open.
    """

    def __init__(self, lock: str, runtime: str) -> None:
        directory = private_directory(os.path.join(os.path.dirname(lock), "boxes"))
        self.path = os.path.join(directory, f"{os.path.basename(runtime)}.json")
        self._held: list[tuple[str, str | None]] = []
        self._there: dict[str, object] = {"version": 1, "lock": lock, "runtime": runtime, "held": self._held}
        self.descriptor = private_file(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try_lock(self.descriptor)
        try:
            self._write()
        except AsimiError:
            os.unlink(self.path)  # nothing can be read in it
            raise

    def note(self, held: Sequence[tuple[str, bytes | None]]) -> None:
        """Note names before something holds them: the bytes of a file, or None for a directory."""
        self._held += [(path, None if form is None else form.decode()) for path, form in held]
        self._write()

    def expect(self, tops: Sequence[str], elsewhere: str, before: Before) -> None:
        """Note what was there at the start, so that whoever cleans up after a kill finds what has appeared since."""
        self._there["there"] = (tops, elsewhere, before)
        self._write()

    def clean(self) -> None:
        """Remove what the box made, and the record; it was looked through to its end."""
        self._there.pop("there", None)
        self._write()
        if self.descriptor >= 0:
            clean(self.path)
            os.close(self.descriptor)
            self.descriptor = -1

    def _write(self) -> None:
        if self.descriptor < 0:
            return
        try:
            os.ftruncate(self.descriptor, os.pwrite(self.descriptor, json.dumps(self._there).encode(), 0))
        except OSError as error:
            raise AsimiError(f"{self.path}: cannot be written: {error.strerror}") from None


def clean(path: str, patience: float = PATIENCE, *, later: bool = False) -> list[tuple[str, str]]:
    """Remove what a box made that has ended, and its record at a path, which stays while something is mounted on that.

    Args:
        path: of the record.
        patience: seconds until it is left to the next start.
        later: whether the next start is to tell what was moved away; then the record stays for that.

    Returns:
        What had appeared and was moved away, each with where it is now.
    """
    moved: list[tuple[str, str]] = []
    with contextlib.suppress(FileNotFoundError):
        try:
            there = json.loads(read_private(path) or b"{}")
            held = [(each, None if form is None else form.encode()) for each, form in there["held"]]
            moved = [(path, to) for path, to in there.get("moved", ())]
        except (ValueError, KeyError, TypeError):
            held, there = [], {}
        end = time.monotonic() + patience
        while held and time.monotonic() < end:
            left = held
            with contextlib.suppress(OSError, AsimiError):
                left = remove(there["lock"], held)
            held = left
            time.sleep(0.02 if left else 0)
        if before := there.pop("there", None):
            with contextlib.suppress(OSError, AsimiError, ValueError, TypeError):
                moved += _last_look(there["lock"], *before)
        if runtime := there.get("runtime"):
            shutil.rmtree(runtime, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path.removesuffix(".json") + SOCKET)
        if not held and not (moved and later):
            os.unlink(path)
        elif moved:
            with open(path, "w", encoding="utf-8") as file:
                json.dump({**there, "held": [], "moved": moved}, file)
    return moved


def _last_look(
    lock: str, tops: Sequence[str], elsewhere: str, before: Sequence[Sequence[str]]
) -> list[tuple[str, str]]:
    """Move away what has appeared while nobody looked.

    Args:
        lock: the file of the locks, which says where asimi keeps its state.
        tops: the directories that the box wrote in.
        elsewhere: the repository that is not among them, or empty.
        before: what was there at its start.
    """
    moved: list[tuple[str, str]] = []
    appearing = AppearanceWatcher(tops, [elsewhere] * bool(elsewhere), (), Before(*before))
    with contextlib.closing(appearing):
        moving = Quarantine(os.path.join(os.path.dirname(lock), APPEARED), lambda path, to: moved.append((path, to)))
        for each in appearing.look(whole=True).appeared:
            moving.away(each)
    return moved


def clean_up(lock: str) -> list[tuple[str, str]]:
    """Remove what boxes have left whose keeper was killed, and move away what has appeared in them.

    Args:
        lock: the file whose locks say which names are held.

    Returns:
        What was moved away, each with where it is now.
    """
    directory, moved = os.path.join(os.path.dirname(lock), "boxes"), list[tuple[str, str]]()
    for path in [os.path.join(directory, name) for name in names_in(directory) or () if name.endswith(".json")]:
        with contextlib.suppress(OSError, AsimiError):
            descriptor = private_file(path, os.O_RDWR)
            try:
                if try_lock(descriptor):
                    _kill(path)
                    moved += clean(path)
            finally:
                os.close(descriptor)
    return moved


def _kill(path: str) -> None:
    """Kill what waits for a bwrap that was killed with its keeper, as the keeper does; the path is the record's."""
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            if file.read() == os.fsencode(f"{RECORD}={path}\0"):
                os.kill(int(name), signal.SIGKILL)


def status_number(said: bytes, name: str, otherwise: int) -> int:
    """A number that bwrap has said of itself, one JSON object a line (bwrap(1), `--json-status-fd`)."""
    for line in said.splitlines():
        with contextlib.suppress(ValueError, KeyError):
            return int(json.loads(line)[name])
    return otherwise
