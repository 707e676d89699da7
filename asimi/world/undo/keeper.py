"""Keeps what is in a project before each call that may change it.

::

    undo/ROOT/project           the root that it is for
    undo/ROOT/lock              held while any of this is read or written
    undo/ROOT/data.N            contents, one behind the other
    undo/ROOT/contents.N        where each of them is
    undo/ROOT/rows              what the last look found
    undo/ROOT/calls/ID.json     a call, with the trees before and after it
    undo/ROOT/sessions/KEY      what said what git ignores when a session began
    undo/ROOT/running           processes that calls left running, with the call of each
"""

from __future__ import annotations

import marshal
import math
import os
import sys
import time
from contextlib import suppress
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

from asimi.core.errors import SCARCE, AsimiError
from asimi.world.host.agents import left_running
from asimi.world.host.nested import started_at
from asimi.world.host.places import Lock, forget_killed, names_in, private_directory, read_private, replace
from asimi.world.undo.calls import Calls, KeptCall
from asimi.world.undo.covering import KEPT, REBUILT, Cover, KeptContents, general_of
from asimi.world.undo.ignoring import Globs
from asimi.world.undo.looks import KeepGlobs, Limits, Look, Looker, Row, ground_of, rules_ident
from asimi.world.undo.repositories import GitState, around, digest_of, git_state_of
from asimi.world.undo.store import Store
from asimi.world.undo.trees import reachable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import Any

    from asimi.core.call import Loss, Request, Undo
    from asimi.core.settings import State

LIMITS = Limits()

FORMAT = 1
"""The format of the rows; those of another one are made again."""

UNDO = "undo"
"""The directory, below the state's, of all projects."""

ENDING = 2.0
"""Seconds that a look may take while an agent waits for it at the end of a call."""

LATEST = 5.0
"""Seconds after the end of a call at which its agent tells of it at the latest, however busy the machine is."""

SLOW = 0.5
"""Seconds of a look at what has not changed; beyond them, asimi looks less often, and nothing counts as kept."""

FEW = 10
"""A look that read at most one of so many files shows how long a look at what has not changed takes."""

SELDOM = 20
"""After a slow look, the next one waits so many times as long as that one took."""

SESSION = 8 * 3600.0
"""Seconds after which a session whose end asimi cannot see counts as a new one."""

SWEEP = 3600.0
"""Seconds between two sweeps of a project."""

FULL = 60.0
"""The same, if there is no room."""

SHARE = 2
"""The part of `limits.state_bytes` that the contents of one project may take: one of so many."""

WASTE = 3
"""The part of the contents, one of so many bytes, beyond which unneeded ones make asimi write the rest anew."""


def directory_of(state: str, root: str) -> str:
    """The directory of what is kept of a project."""
    return os.path.join(state, UNDO, sha256(os.fsencode(root)).hexdigest()[:32])


class Keeper:
    """Keeps one project.

    Args:
        state: asimi's own directory.
        root: the project root, a real path.
        undo: gives what a person says of it now.
        limit: gives how much asimi may keep in all.
        own: directories of asimi's, which are never kept.
        session: the session's name and key; empty where there is none.
        shown: a request's command as it may be written down.
        tell: gets what could not be kept, in words.
        limits: of one look.
    """

    def __init__(
        self,
        state: str,
        root: str,
        *,
        undo: Callable[[], Undo],
        limit: Callable[[], State],
        own: Sequence[str] = (),
        session: str = "",
        shown: Callable[[Request], str] = lambda request: request.command,
        tell: Callable[[str], object] = lambda _: None,
        limits: Limits = LIMITS,
    ) -> None:
        self.root, self.directory = root, directory_of(state, root)
        self._state, self._undo, self._limit, self._own, self._session = state, undo, limit, own, session
        self.shown, self._tell, self._limits = shown, tell, limits
        self.calls = Calls(os.path.join(self.directory, "calls"))
        self._failed: set[Loss] = set()
        self._begun: dict[str, KeptCall] = {}
        self._told = ""

    # What the gate asks

    def says(self, loss: Loss) -> str:
        """Whether something would come back: `kept`, `rebuilt`, or why not, in words; empty where undo is off."""
        undo = self._undo()
        if not undo.keep:
            return ""
        if loss in self._failed:
            return "could not be kept"
        if (known := self._rows()) is not None and known["quick"] > SLOW:
            return "the project is too large to look at before each call"
        return self._cover(undo).says(loss)

    def before(self, name: str, request: Request, rests: Collection[Loss] = ()) -> bool:
        """Keep what is there before a call.

        Args:
            name: the id of the call.
            request: what is about to run.
            rests: what it may remove because it is kept.

        Returns:
            Whether all of that is surely kept, as a look and reading the store back show; always true for a call that
            rests on nothing.
        """
        undo = self._undo()
        if not undo.keep:
            return not rests
        try:
            with self.lock(), self.store() as store:
                look, stands = self._take_look(store, undo, wanted=bool(rests)), self._git_state(store.put)
                if look is None and any(call.rests and not call.after for call in self.calls.all()[-1:]):
                    look = self._take_look(store, undo, wanted=True)  # what was let through is listed by itself
                kept = None if look is None else KeptContents(store, look.root, stands)
                sure = not rests or (kept is not None and self._is_sure(undo, kept, rests))
                root = self._last(store) if look is None else look.root.hex()
                if root and name not in self._begun:
                    call = self._call(name, request, root, look, stands)
                    self._begun[name] = call._replace(looked=look is not None, rests=bool(rests))
                    store.flush()
                    self.calls.keep(self._begun[name])
            self._sweep(undo, full=look is not None and "room" in look.counts)
        except (AsimiError, OSError) as error:
            self._say(error)
            self._failed.update(rests)
            return not rests
        if not sure:
            self._failed.update(rests)
        return sure

    def after(self, name: str) -> None:
        """Look at what a call has changed."""
        if (call := self._begun.pop(name, None)) is not None:
            self._close_call(call, os.getpid())

    def end_reported_call(
        self,
        agent: str,
        name: str,
        command: str,
        *,
        ran: bool = True,
        seconds: float = math.inf,
        inside: bool = False,
        below: int = 0,
    ) -> None:
        """Look at what a call of an agent has changed, when the agent says that it has ended.

        Args:
            agent: the agent.
            name: its own id of the call; empty where it has none.
            command: what it says that it ran, as `shown` has it.
            ran: whether it ran at all, and its agent's person did not say no.
            seconds: how long it ran at most.
            inside: whether that comes from a box.
            below: the process whose descendants the call has left running; 0 where it has ended with all of them.
        """
        if not self._undo().keep:
            return
        with suppress(AsimiError, OSError):
            calls = self.calls.all()
            for each, following in pairwise(calls):
                if each.inside and each.is_empty and each.before == following.before:
                    self.calls.forget(each.id)
            open_ones = [each for each in calls if not each.after and each.agent == agent]
            mine = [each for each in open_ones if each.session == self._session]
            same = [each for each in mine if (each.call == name if name else each.command == command)]
            if same:
                call = same[-1]._replace(inside=inside, began=max(0.0, time.time() - seconds - LATEST))
                if ran:
                    self._close_call(call, below)
                else:
                    self.calls.forget(call.id)

    # What `asimi undo` asks

    def look_now(self, store: Store) -> Look:
        """Look at all of it now; the lock is held.

        Raises:
            AsimiError: the project cannot be looked at, or there is no room.
        """
        try:
            look = self._take_look(store, self._undo(), wanted=True)
        except OSError as error:
            raise AsimiError(f"{self.root}: cannot be kept: {_words(error)}") from None
        assert look is not None  # as it was wanted
        return look

    def store(self) -> Store:
        """What holds the contents; the lock is held.

        Raises:
            AsimiError: it cannot be used.
        """
        return Store(self.directory, room=self._room())

    def current_git_state(self, store: Store) -> GitState:
        """Where the repository stands now, its index kept; the lock is held."""
        return self._git_state(store.put)

    # How

    def lock(self) -> Lock:
        """Held while what is kept is read or written.

        Raises:
            AsimiError: the directory cannot be used.
        """
        private_directory(self.directory)
        for name in ("calls", "sessions"):
            private_directory(os.path.join(self.directory, name))
        path = os.path.join(self.directory, "project")
        if not os.path.lexists(path):
            replace(path, os.fsencode(self.root), lasting=False)
        return Lock(os.path.join(self.directory, "lock"))

    def _cover(self, undo: Undo) -> Cover:
        return Cover(self.root, undo, self._limits, self._initial_patterns, self._without())

    def _without(self) -> frozenset[tuple[int, int]]:
        found = set()
        for path in (self._state, *self._own):
            with suppress(OSError):
                there = os.stat(path)
                found.add((there.st_dev, there.st_ino))
        return frozenset(found)

    def _is_sure(self, undo: Undo, kept: KeptContents, rests: Collection[Loss]) -> bool:
        """Whether all of something is kept, by what is there now and what the store gives back."""
        cover = self._cover(undo)
        return all(cover.says(loss, kept) in {KEPT, REBUILT} for loss in rests)

    def _take_look(self, store: Store, undo: Undo, *, wanted: bool, seconds: float = math.inf) -> Look | None:
        """Look at all; None if looks take long, the last one was a moment ago, and this one is not wanted.

        Raises:
            OSError: the root cannot be opened, or there is no room.
        """
        wanted_ident = rules_ident((undo.include, undo.without), self._limits)
        head = (FORMAT, sys.version, store.number, wanted_ident)
        before = self._rows()
        if before is not None and before["head"] != head:
            before = None
        slow = before is not None and before["quick"] > SLOW and not wanted
        if slow and before is not None and time.time() - before["time"] < SELDOM * before["quick"]:
            return None
        rows = {} if before is None else {path: Row(*row) for path, row in before["rows"].items()}
        wants = KeepGlobs(Globs(undo.include), Globs(undo.without))
        limits = self._limits._replace(seconds=min(seconds, self._limits.seconds))
        looker = Looker(
            self.root, store, wants, rows, self._without(), limits, {} if before is None else before["stamps"]
        )
        look = looker.look()
        few = look.read * FEW <= look.files
        quick = 0.0 if before is None else look.seconds if few else before["quick"]
        whole = "time" not in look.counts or seconds > self._limits.seconds
        if (before is None or looker.rows != rows or looker.stamps != before["stamps"] or quick > SLOW) and whole:
            self._keep_rows(head, look, looker, quick)
        self._settle(looker.rows)
        return look

    def _keep_rows(self, head: tuple[object, ...], look: Look, looker: Looker, quick: float) -> None:
        rows = {path: tuple(row) for path, row in looker.rows.items()}
        value = {"head": head, "root": look.root, "quick": quick, "time": time.time(), "stamps": looker.stamps}
        replace(os.path.join(self.directory, "rows"), marshal.dumps(value | {"rows": rows}, 2), lasting=False)

    def _rows(self) -> dict[str, Any] | None:
        """What the last look found; None where there is none that can be used."""
        with suppress(AsimiError, ValueError, EOFError, TypeError):
            content = read_private(os.path.join(self.directory, "rows"), 1 << 30)
            value = None if content is None else marshal.loads(content)  # noqa: S302 - only we can write it
            if isinstance(value, dict) and value.get("head", ())[:1] == (FORMAT,):
                return value
        return None

    def _last(self, store: Store) -> str:
        """The digest of the last tree; empty where there is none."""
        known = self._rows()
        root = b"" if known is None else known["root"]
        return root.hex() if isinstance(root, bytes) and root in store else ""

    def _room(self) -> int:
        return self._limit().bytes // SHARE

    def _call(self, name: str, request: Request, root: str, look: Look | None, stands: GitState) -> KeptCall:
        unkept = () if look is None else tuple((each.path, each.size, each.why) for each in look.unkept)
        counts = {} if look is None else dict(look.counts)
        call = "" if request.id is None else str(request.id)
        return KeptCall(
            name,
            time.time(),
            request.agent,
            self._session,
            call,
            self.shown(request),
            root,
            unkept=unkept,
            counts=counts,
            noted=stands,
        )

    def _git_state(self, keep: Callable[[bytes], bytes]) -> GitState:
        repository = around(self.root)
        if repository is None:
            return GitState()
        with suppress(OSError):
            return git_state_of(repository, keep)
        return GitState()

    def _close_call(self, call: KeptCall, below: int) -> None:
        """Note what is there after a call, if a look tells soon enough; forget the call if it has changed nothing."""
        try:
            with self.lock(), self.store() as store:
                look = self._take_look(store, self._undo(), wanted=call.rests, seconds=ENDING)
                call = call._replace(ended=time.time(), left=self._still_running(call, below))
                if look is not None and "time" not in look.counts:
                    call = call._replace(after=look.root.hex(), stood=self._git_state(digest_of))
                if call.is_empty and not call.inside and call.id not in call.left:
                    self.calls.forget(call.id)
                else:
                    self.calls.keep(call)
        except (AsimiError, OSError) as error:
            self._say(error)

    def _still_running(self, call: KeptCall, below: int) -> tuple[str, ...]:
        """The calls of which something still runs, at the end of one; the lock is held."""
        path = os.path.join(self.directory, "running")
        before: dict[tuple[int, int], str] = {}
        if (content := read_private(path)) is not None:
            before = marshal.loads(content)  # noqa: S302 - only we can write it
        now = dict.fromkeys(left_running(call.time, self.root, below), call.id)
        now |= {(pid, started): name for (pid, started), name in before.items() if started_at(pid) == started}
        if now != before:
            replace(path, marshal.dumps(now, 2), lasting=False)
        return tuple(sorted(set(now.values())))

    def _say(self, error: Exception) -> None:
        text = _words(error)
        if text != self._told:
            self._told = text
            self._tell(f"asimi: nothing was kept for asimi undo: {text}")

    # What said what git ignores when the session began

    def _session_file(self) -> str:
        return os.path.join(self.directory, "sessions", sha256(self._session.encode()).hexdigest()[:32])

    def _initial_patterns(self) -> Mapping[str, str] | None:
        with suppress(AsimiError, ValueError, EOFError, TypeError, OSError):
            path = self._session_file()
            if self._session or time.time() - os.stat(path).st_mtime < SESSION:
                content = read_private(path)
                value = None if content is None else marshal.loads(content)  # noqa: S302 - the same
                if isinstance(value, dict):
                    return value
        return None

    def _settle(self, rows: Mapping[str, Row]) -> None:
        """Keep the digests of the patterns by which git ignores files now, if the session has none yet."""
        if self._initial_patterns() is not None:
            return
        ground = ground_of(self.root)
        found: dict[str, str] = {}
        if ground.repository is not None and ground.patterns is not None:
            found[f"{ground.repository.top}:"] = general_of(ground)
            top = ground.repository.top
            found |= {f"{top}:{name}": own.hex() for name, own in ground.patterns.files() if name}
        found |= patterns_in(self.root, rows)
        replace(self._session_file(), marshal.dumps(found, 2), lasting=False)

    # What goes

    def _sweep(self, undo: Undo, *, full: bool) -> None:
        """Forget calls that are old, or too many for the room, and the contents that nobody needs any more."""
        mark = os.path.join(self.directory, "swept")
        with suppress(OSError):
            if time.time() - os.stat(mark).st_mtime < (FULL if full else SWEEP):
                return
        self.sweep(undo.keep)
        replace(mark, b"", lasting=False)

    def sweep(self, age: float) -> None:
        """Forget calls that began longer ago than some seconds, and the contents that nobody needs any more.

        Raises:
            AsimiError: what is kept cannot be used.
            OSError: there is no room to write anew what stays.
        """
        with self.lock(), self.store() as store:
            calls = self.calls.all()
            old = [call for call in calls if call.time < time.time() - age and call.id not in self._begun]
            for call in old:
                self.calls.forget(call.id)
            left = [call for call in calls if call not in old]
            wanted = self._reachable(store, left)
            while left and sum(map(store.length, wanted)) > self._room() * 3 // 4:
                self.calls.forget(left.pop(0).id)
                wanted = self._reachable(store, left)
            if store.size - sum(map(store.length, wanted)) > store.size // WASTE:
                known = self._rows()
                store.rewrite(wanted)
                if known is not None:
                    head = (*known["head"][:2], store.number + 1, *known["head"][3:])
                    content = marshal.dumps({**known, "head": head}, 2)
                    replace(os.path.join(self.directory, "rows"), content, lasting=False)
        for name in (self.directory, os.path.join(self.directory, "calls")):
            forget_killed(name)
        for each in os.scandir(os.path.join(self.directory, "sessions")):
            with suppress(OSError):
                if time.time() - each.stat().st_mtime > max(age, SESSION):
                    os.unlink(each)

    def _reachable(self, store: Store, calls: Sequence[KeptCall]) -> set[bytes]:
        roots = {bytes.fromhex(each) for call in calls for each in (call.before, call.after) if each}
        if last := self._last(store):
            roots.add(bytes.fromhex(last))
        more = {bytes.fromhex(call.noted.staged) for call in calls if call.noted.staged}
        return reachable(store, roots) | more


def patterns_in(root: str, rows: Mapping[str, Row]) -> dict[str, str]:
    """A digest of each `.gitignore` that a look passed, by the top of its repository and its path from there."""
    found: dict[str, str] = {}
    tops: list[tuple[str, str]] = []
    outer = around(root)
    for path in sorted(rows):
        row, at = rows[path], f"{root}/{path}".rstrip("/")
        if row.holds and path and (nested := around(at)) is not None and nested.top == at:
            tops.append((path, at))
            general = general_of(ground_of(at))
            found[f"{at}:"] = general
        if b".gitignore" not in row.stamps:
            continue
        inner = next((top for own, top in reversed(tops) if path == own or path.startswith(f"{own}/")), None)
        top = inner or ("" if outer is None else outer.top)
        if top:
            with suppress(OSError), open(f"{at}/.gitignore", "rb") as file:
                name = os.path.normpath(os.path.relpath(f"{at}/.gitignore", top))
                found[f"{top}:{name}"] = sha256(file.read()).hexdigest()
    return found


def projects(state: str) -> list[tuple[str, str]]:
    """The projects of which something is kept: the root of each, and the directory of what is kept."""
    found = []
    top = os.path.join(state, UNDO)
    with suppress(OSError):
        for name in sorted(os.listdir(top)):
            with suppress(AsimiError):
                if (content := read_private(os.path.join(top, name, "project"))) is not None:
                    found.append((os.fsdecode(content), os.path.join(top, name)))
    return found


def kept_calls(state: str) -> Iterator[str]:
    """The ids of the calls that can be taken back, in all projects."""
    for _, directory in projects(state):
        names = names_in(os.path.join(directory, "calls")) or ()
        yield from (name.removesuffix(".json") for name in names)


def _words(error: Exception) -> str:
    if isinstance(error, OSError):
        return SCARCE.get(error.errno or 0) or str(error.strerror)
    return str(error)
