"""The records of calls that may have changed the project."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.json_values import Invalid, dumps, loads, parse_as
from asimi.core.values import NamedTuple
from asimi.world.host.places import names_in, private_directory, read_private, replace
from asimi.world.undo.repositories import GitState

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 1
"""The format of these files."""


class KeptCall(NamedTuple):
    """A call, and what was there before and after it.

    Attributes:
        id: its own, the same as in the log.
        time: when it began, in seconds since the epoch.
        agent: who called.
        session: the session's name.
        call: the caller's own id of it; empty where it has none.
        command: what ran, as it may be written down.
        before: the digest of the tree before it.
        after: the digest of the tree after it; empty if there was no look then.
        ended: when that look was.
        unkept: path, bytes and reason of each file that was there and not kept, the largest first.
        counts: the number of these, by reason.
        noted: where the repository stood before.
        stood: where it stood after.
        undone: the id of the call that this one takes back; empty for a call of an agent.
        began: before when it surely changed nothing, as its agent asked its person first; 0 where that is not known.
        inside: whether only the inside of a box told its end, which may lie.
        left: the ids of the calls of which something still ran at its end.
        beside: the id, agent and command of each call that ran at the same time, whose changes are its, too; never
            written down.
        amid: the ids of the earlier calls of which something still ran when it began; never written down.
        looked: whether `before` was found just before it; else it is what an earlier look found.
        rests: whether it was let through because what it removes is kept.
        steps: of what this one takes back, at how many paths; 0 for a call of an agent.
    """

    id: str
    time: float
    agent: str
    session: str
    call: str
    command: str
    before: str
    after: str = ""
    ended: float = 0.0
    unkept: tuple[tuple[str, int, str], ...] = ()
    counts: dict[str, int] = {}  # noqa: RUF012 - a value is never changed
    noted: GitState = GitState()
    stood: GitState = GitState()
    undone: str = ""
    began: float = 0.0
    inside: bool = False
    left: tuple[str, ...] = ()
    beside: tuple[tuple[str, str, str], ...] = ()
    amid: tuple[str, ...] = ()
    looked: bool = True
    rests: bool = False
    steps: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        """Its id, and those of the calls that ran at the same time."""
        return (self.id, *(name for name, _, _ in self.beside))

    @property
    def is_empty(self) -> bool:
        """Whether the look at its end found all as it was."""
        stands = self.noted._replace(staged="") == self.stood._replace(staged="")
        return self.before == self.after and stands


class Calls:
    """The files of these records, one for each.

    Args:
        directory: where they are; made with the first one.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory

    def keep(self, call: KeptCall) -> None:
        """Write one down.

        Raises:
            AsimiError: it cannot be written.
        """
        private_directory(self._directory)
        replace(self._path(call.id), dumps(call, VERSION), lasting=False)

    def forget(self, name: str) -> None:
        """Remove one."""
        with suppress(FileNotFoundError):
            os.unlink(self._path(name))

    def all(self) -> list[KeptCall]:
        """All of them, the oldest first; what cannot be read, or is a newer asimi's, is left out."""
        return sorted(self._read_all(), key=lambda call: (call.time, call.id))

    def entries(self) -> list[KeptCall]:
        """The same, but calls that ran at the same time are one, and those between which nobody looked.

        Nobody knows which of them changed what.
        """
        found: list[KeptCall] = []
        for call in self.all():
            together = found and (call.time < found[-1].ended or not (call.looked or found[-1].after))
            if together and not (call.undone or found[-1].undone):
                found[-1] = _as_one(found[-1], call)
            else:
                found.append(call._replace(amid=found[-1].left) if found else call)
        return found

    def _read_all(self) -> Iterator[KeptCall]:
        for name in names_in(self._directory) or ():
            if name.endswith(".json") and name[0] != ".":
                with suppress(Invalid):
                    if (content := read_private(os.path.join(self._directory, name))) is not None:
                        yield parse_as(KeptCall, loads(content, VERSION))

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, f"{name}.json")


def _as_one(first: KeptCall, second: KeptCall) -> KeptCall:
    """Two calls that ran at the same time: from what the first one found to what the last one left."""
    last = second if not second.ended or second.ended > first.ended else first
    return first._replace(
        after=last.after,
        ended=last.ended,
        stood=last.stood,
        left=last.left,
        began=0.0,
        inside=first.inside or second.inside,
        beside=(*first.beside, (second.id, second.agent, second.command)),
    )
