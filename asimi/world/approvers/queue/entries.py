"""The directory of questions that wait for `asimi approve` or `asimi watch`.

A question is a file that only its owner may read, put there under its final name in one step. It says what is asked and
who asked; it never says what was answered. An answer goes over a socket to the process that asked, or, where that
process has ended as it should, into the ticket of its session. So nothing in this directory, no matter who put it
there or which process died meanwhile, can count as a yes.

::

    ID.json             a question: version, process, socket, since when, until when, session, question
    gate-PID-*.sock     where the process that asked hears answers
    watch-PID-*.lock    locked as long as that `asimi watch` lives
    voice-PID-*.lock    the same of what shows questions until none waits
    voice.lock          held while that is opened, and while it ends
    ID.note             words for every `asimi watch` that lives
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.json_values import digest_of, dumps
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.world.host.clock import steady
from asimi.world.host.documents import Document
from asimi.world.host.places import (
    Lock,
    forget_killed,
    names_in,
    private_directory,
    private_file,
    read_private,
    replace,
)

if TYPE_CHECKING:
    from typing import Self

    from asimi.core.call import Question, Session

VERSION = 1
"""The format of question files."""

LONGEST = 8 << 20
"""Bytes of the longest question that is written or read."""

NOTE = ".note"
"""How the names end of files whose words are only told."""

LONGEST_NOTE = 1 << 16
"""Bytes of the longest of these that is read."""

MOST = 10_000
"""Questions that may lie in the directory; the next one is a no."""

_AHEAD = 60.0  # seconds that a question may come from the future before it is not believed
_ID = pattern(r"[a-z2-7]{8}")
_SOCKET = pattern(r"gate-[0-9]+-[0-9a-f]{8}\.sock")


class Entry(NamedTuple):
    """A question in the directory.

    Attributes:
        id: what `asimi approve` calls it.
        pid: the process that asked.
        socket: the name of the socket where it hears the answer; None where the answer goes into a ticket.
        waiting: whether the call waits; else it was refused, and a yes is for the same call made again.
        asked: when, in seconds since the epoch.
        until: when no answer is a no.
        session: the one whose ticket keeps a late answer, or None.
        question: what is asked.
        seen: which processes whoever asked can see (`processes_seen`).
    """

    id: str
    pid: int
    socket: str | None
    waiting: bool
    asked: float
    until: float
    session: Session | None
    question: Question
    seen: str = ""

    @property
    def digest(self) -> str:
        """What an answer must repeat, so it is for what was shown."""
        return digest_of(self.question)


def new_id() -> str:
    """Return a name for a question: eight letters and digits that are hard to confuse."""
    from base64 import b32encode

    return b32encode(os.urandom(5)).decode("ascii").lower()


def ensure_directory(directory: str) -> str:
    """Return the directory, made if it is missing.

    Raises:
        AsimiError: it, or the one above, belongs to someone else or is open to others.
    """
    private_directory(os.path.dirname(directory))
    return private_directory(directory)


def write_entry(directory: str, entry: Entry) -> None:
    """Write a question, or write it anew.

    Raises:
        AsimiError: it cannot be written, is too long, or too many wait already.
    """
    content = dumps(entry, VERSION)
    if len(content) > LONGEST:
        raise AsimiError("The question is too long to wait for `asimi approve`")
    path = _path(directory, entry.id)
    if not os.path.lexists(path) and len(_names(directory)) >= MOST and len(sweep(directory)) >= MOST:
        raise AsimiError(f"{directory}: {MOST} questions are waiting already; answer some with `asimi approve`")
    replace(path, content)


def take_away(directory: str, name: str) -> bool:
    """Remove a question; whether this call removed it, not somebody before."""
    return _unlink(_path(directory, name))


def read(directory: str, name: str, now: float | None = None) -> Entry:
    """Return a question by its name.

    Raises:
        AsimiError: there is none, or it cannot be trusted: someone else's, open to others, a link, ended, or
            not what asimi writes.
    """
    if not _ID.fullmatch(name):
        raise AsimiError(f"{name!r} is not the name of a question; `asimi approve --list` shows them")
    document = _document(directory, name)
    entry, path = document.read(), document.path
    if entry is None:
        raise AsimiError(f"There is no question {name}: it was answered, or it ended (asimi approve --list)")
    now = time.time() if now is None else now
    if entry.id != name or (entry.socket is not None and not _SOCKET.fullmatch(entry.socket)):
        raise AsimiError(f"{path}: is not a question asimi wrote: its names do not match; remove it")
    if entry.asked > now + _AHEAD:
        raise AsimiError(f"{path}: its time is in the future; remove it")
    if entry.until <= now and not entry.waiting:  # whoever waits ends it, by a clock that nobody sets
        raise AsimiError(f"Question {name} has ended without an answer, which means no")
    return entry


def entries(directory: str) -> tuple[list[Entry], list[str]]:
    """Return the questions that can be believed, the oldest first, and what is wrong with the others.

    Raises:
        AsimiError: the directory itself cannot be believed.
    """
    if not os.path.lexists(directory):
        return [], []
    ensure_directory(directory)
    found, faults, now = list[Entry](), list[str](), time.time()
    for name in _names(directory):
        try:
            found.append(read(directory, name, now))
        except AsimiError as fault:
            if os.path.lexists(_path(directory, name)):
                faults.append(str(fault))
    return sorted(found, key=lambda entry: (entry.asked, entry.id)), faults


def stamps(directory: str) -> list[tuple[int, str]]:
    """Return when each question was written and its name, the oldest first, whether it can be believed or not."""
    found = []
    for name in _names(directory) if os.path.lexists(directory) else ():
        with suppress(OSError):
            found.append((os.lstat(_path(directory, name)).st_mtime_ns, name))
    return sorted(found)


def sweep(directory: str) -> list[str]:
    """Remove the questions that have ended, those nobody listens for any more, and locks nobody holds.

    Returns:
        The names of the questions that are left, those that cannot be believed among them.
    """
    from asimi.world.approvers.queue.answers import listens

    now, left, alive = steady(os.path.dirname(directory)), list[str](), dict[str, bool]()
    for name in _names(directory):
        path = _path(directory, name)
        try:
            entry = _document(directory, name).read()
        except AsimiError:
            left.append(name)
            continue
        if entry is None:
            continue
        if entry.socket is not None and entry.socket not in alive:
            alive[entry.socket] = listens(directory, entry)
        ended = entry.until <= now and not entry.waiting  # whoever waits takes it away
        if ended or (entry.socket is not None and not alive[entry.socket]):
            _unlink(path)
        else:
            left.append(name)
    for name in os.listdir(directory):
        path = os.path.join(directory, name)
        # A socket that no question names may be one that is just being made.
        dead = alive.get(name) is False or (_old(path, now) and not alive.get(name) and not listens(directory, name))
        if dead and _SOCKET.fullmatch(name):
            _unlink(path)
    for kind in (WATCH, VOICE):
        watchers(directory, kind)
    forget_killed(directory)
    return left


def note(directory: str, text: str) -> None:
    """Leave words that each `asimi watch` tells which lives now; nothing without one.

    Raises:
        AsimiError: they cannot be written.
    """
    if has_watch(directory):
        replace(os.path.join(ensure_directory(directory), new_id() + NOTE), text.encode("utf-8", "backslashreplace"))


def notes(directory: str, known: set[str]) -> list[str]:
    """Return the words of notes whose names are not known yet, and know them; those that are old go."""
    found, now = list[tuple[float, str]](), time.time()
    for name in os.listdir(directory) if os.path.lexists(directory) else ():
        if not name.endswith(NOTE):
            continue
        path = os.path.join(directory, name)
        if name not in known:
            known.add(name)
            with suppress(AsimiError, OSError):
                content = read_private(path, LONGEST_NOTE) or b""
                found.append((os.lstat(path).st_mtime, content.decode(errors="replace")))
        elif _old(path, now):
            _unlink(path)
    return [text for _, text in sorted(found)]


WATCH, VOICE = "watch", "voice"
"""What the locks are called of an `asimi watch`, and of a voice: what shows questions only until none waits."""


class WatchLock:
    """Held while questions are shown; it ends with the process, however that ends.

    Args:
        directory: where the questions are.
        kind: `WATCH` or `VOICE`.

    Raises:
        AsimiError: the directory or the lock cannot be used.
    """

    def __init__(self, directory: str, kind: str = WATCH) -> None:
        self._path = os.path.join(ensure_directory(directory), f"{kind}-{os.getpid()}-{os.urandom(4).hex()}.lock")

    def __enter__(self) -> Self:
        import fcntl

        self._descriptor = private_file(self._path, os.O_RDWR | os.O_CREAT)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_: object) -> None:
        _unlink(self._path)
        os.close(self._descriptor)

    def drop(self) -> None:
        """Hold it no longer."""
        _unlink(self._path)


def has_watch(directory: str) -> bool:
    """Whether an `asimi watch` lives."""
    return bool(watchers(directory, WATCH))


def watchers(directory: str, kind: str) -> list[int]:
    """Return the processes that show questions: each holds its lock exclusively, so we cannot share it.

    Args:
        directory: where the questions are.
        kind: `WATCH` or `VOICE`.
    """
    import fcntl

    alive = list[int]()
    for name in names_in(directory) or ():
        if not (name.startswith(f"{kind}-") and name.endswith(".lock")):
            continue
        path = os.path.join(directory, name)
        try:
            descriptor = private_file(path, os.O_RDONLY)
        except (AsimiError, FileNotFoundError):
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if _old(path, time.time()):  # not one that is just being made
                _unlink(path)
        except BlockingIOError:
            number = name.split("-")[1]
            alive.append(int(number) if number.isdigit() else 0)
        finally:
            os.close(descriptor)
    return alive


def voice_lock(directory: str) -> Lock:
    """Return the lock that is held while a voice is opened, and while one ends; it is not waited for.

    Whoever opens one has put a question before, and whoever ends has seen none: so no question is between two voices.
    """
    return Lock(os.path.join(ensure_directory(directory), f"{VOICE}.lock"), wait=False)


def _names(directory: str) -> list[str]:
    return [name[:-5] for name in os.listdir(directory) if name.endswith(".json") and _ID.fullmatch(name[:-5])]


def _document(directory: str, name: str) -> Document[Entry]:
    return Document(_path(directory, name), Entry, VERSION, limit=LONGEST)


def _path(directory: str, name: str) -> str:
    return os.path.join(directory, name + ".json")


def _old(path: str, now: float) -> bool:
    try:
        return os.lstat(path).st_mtime < now - _AHEAD
    except OSError:
        return False


def _unlink(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
