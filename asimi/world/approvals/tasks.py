"""The tasks that a person granted: one yes for what one agent does in one project, for a while.

One file below the runtime directory holds them, and what agents have proposed. A grant belongs to a process with its
start: an agent, whose calls descend from it, or the asimi of a box. It ends with that process, with the boot, and by
the clock that counts sleep, whatever somebody sets the other clock to.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.judging.widths import TASK
from asimi.core.values import NamedTuple
from asimi.world.host.clock import awake, boot_id
from asimi.world.host.documents import Document
from asimi.world.host.nested import started_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from asimi.core.judging.rules import Rule

VERSION = 1
"""The format of the file."""

MOST = 3
"""Proposals of one agent that a person may refuse; then it makes no more until the person grants it a task."""

LONGEST = 300
"""Characters of the words of a task."""


class Task(NamedTuple):
    """A task that was granted.

    Attributes:
        id: its own.
        words: what it is, in the person's words.
        root: the real path of the project root, and of no other worktree.
        rules: what it allows.
        boot: the id of the boot in which it was granted.
        until: when it ends, in seconds of the clock that counts sleep.
        since: when it was granted, in seconds since the epoch.
        holder: the process it is for, `PID START`; empty until one calls.
    """

    id: str
    words: str
    root: str
    rules: tuple[Rule, ...]
    boot: str
    until: float
    since: float
    holder: str = ""

    @property
    def source(self) -> str:
        """What reasons and the log call it."""
        return f"{TASK}{self.id}: {self.words}"

    @property
    def seconds_left(self) -> float:
        """Seconds that are left of it; none where it has ended."""
        ended = self.boot != boot_id() or (bool(self.holder) and not is_alive(self.holder))
        return 0.0 if ended else max(0.0, self.until - awake())


class Proposal(NamedTuple):
    """What an agent asks a person to grant: text without power.

    Attributes:
        root: the project root that it is for.
        words: the arguments of `asimi task`, as the agent gives them.
        holder: the agent's process.
    """

    root: str
    words: tuple[str, ...]
    holder: str


class _Book(NamedTuple):
    """What the file holds.

    Attributes:
        tasks: what was granted.
        proposals: what waits for a person, one for each project.
        refused: how many proposals of each process were refused.
    """

    tasks: tuple[Task, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    refused: dict[str, int] = {}  # noqa: RUF012 - a value is never changed


class Tasks:
    """The tasks of a user.

    Args:
        runtime: the directory of runtime files.
    """

    def __init__(self, runtime: str) -> None:
        self._document = Document(os.path.join(runtime, "tasks.json"), _Book, VERSION)

    @contextmanager
    def _book(self) -> Iterator[_Book]:
        """Yield what the file holds, while nobody else changes it."""
        with self._document.lock() as book:
            yield book or _Book()

    def all(self) -> Sequence[Task]:
        """Return the tasks that have not ended, the oldest first.

        Raises:
            AsimiError: the file cannot be believed.
        """
        return [each for each in (self._document.read() or _Book()).tasks if each.seconds_left]

    def grant(self, task: Task) -> None:
        """Keep a task. This settles the proposal of its project, and an agent that it names may propose again."""
        with self._book() as book:
            kept = [each for each in book.tasks if each.seconds_left and each.id != task.id]
            proposals = tuple(each for each in book.proposals if each.root != task.root)
            self._document.write(_Book((*kept, task), proposals, _without(book.refused, task.holder)))

    def widen(self, rules: Sequence[Rule]) -> None:
        """Add rules to the task that their source names.

        Raises:
            AsimiError: it has ended.
        """
        with self._book() as book:
            task = next((each for each in book.tasks if each.source == rules[0].source and each.seconds_left), None)
            if task is None:
                raise AsimiError(f"The {rules[0].source} has ended, so nothing can be added to it")
            wider = task._replace(rules=tuple(dict.fromkeys((*task.rules, *rules))))
            self._document.write(book._replace(tasks=tuple(wider if each == task else each for each in book.tasks)))

    def end(self, ids: Collection[str]) -> None:
        """End some tasks."""
        with self._book() as book:
            self._document.write(book._replace(tasks=tuple(each for each in book.tasks if each.id not in ids)))

    def claim(self, root: str, holders: Sequence[str]) -> Sequence[Task]:
        """Return the tasks of whoever calls; one that waits for the next one to call in its project is theirs from now.

        Args:
            root: the project root of the call.
            holders: the process that calls as one agent, then those that it descends from.
        """
        here = [each for each in self.all() if each.root == root]
        if any(not each.holder for each in here):
            with self._book() as book:
                taken = tuple(
                    each._replace(holder=holders[0]) if each.root == root and not each.holder else each
                    for each in book.tasks
                )
                self._document.write(book._replace(tasks=taken, refused=_without(book.refused, holders[0])))
            here = [each for each in taken if each.root == root and each.seconds_left]
        return [each for each in here if each.holder in holders]

    def propose(self, proposal: Proposal, above: Iterable[str] = ()) -> str:
        """Keep a proposal; why it is not kept, in words for the agent, else empty.

        Args:
            proposal: what is proposed.
            above: the processes that its agent descends from, whose refusals count for it.
        """
        with self._book() as book:
            if any(book.refused.get(each, 0) >= MOST for each in (proposal.holder, *above)):
                return "your proposals were refused; propose no more, and go on with what needs no yes"
            waiting = [each for each in book.proposals if is_alive(each.holder)]
            if any(each.root == proposal.root for each in waiting):
                return "a proposal waits already; go on with what needs no yes"
            self._document.write(book._replace(proposals=(*waiting, proposal)))
        return ""

    def proposal(self, root: str) -> Proposal | None:
        """Return what waits for a person in a project."""
        found = (self._document.read() or _Book()).proposals
        return next((each for each in found if each.root == root and is_alive(each.holder)), None)

    def refuse(self, proposal: Proposal) -> None:
        """Count a proposal as refused."""
        with self._book() as book:
            refused = {**book.refused, proposal.holder: book.refused.get(proposal.holder, 0) + 1}
            left = tuple(each for each in book.proposals if each != proposal)
            self._document.write(book._replace(proposals=left, refused=refused))


def _without(refused: Mapping[str, int], holder: str) -> dict[str, int]:
    """How many proposals were refused, without those of one process and of what has ended."""
    return {each: times for each, times in refused.items() if each != holder and is_alive(each)}


def holder_of(pid: int, started: int) -> str:
    """Return how the process that a task is for is written."""
    return f"{pid} {started}"


def is_alive(holder: str) -> bool:
    """Whether a process still runs."""
    pid, _, started = holder.partition(" ")
    return pid.isdigit() and str(started_at(int(pid))) == started
