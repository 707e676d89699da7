"""What a request would touch: all that is to be said of it, from one look at where its words lead."""

from __future__ import annotations

from asimi.core.budget import Budget
from asimi.core.judging.brought import Arrivals
from asimi.core.judging.paths import Paths, TooManyError
from asimi.core.judging.places import Places
from asimi.core.judging.repositories import find_branches, is_foreign, made_by, work_of
from asimi.core.judging.shadows import settle
from asimi.core.judging.sought import Below
from asimi.core.judging.temporary import Temporary
from asimi.core.lean import TYPE_CHECKING, NamedTuple, nullcontext
from asimi.core.reading.commands import UNSEEN, Finding, Seen
from asimi.core.reading.requests import REMEMBERED, is_remembered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from asimi.core.call import Request
    from asimi.core.judging.files import FileRules
    from asimi.core.judging.looking import Looks
    from asimi.core.judging.paths import Machine
    from asimi.core.judging.protection import Protection
    from asimi.core.judging.reached import Place
    from asimi.core.reading import Reading


class _Known(NamedTuple):
    """What was said of a reading, of each of its commands, and what the look at it cost."""

    reading: Reading
    findings: tuple[Finding, ...]
    seen: tuple[Seen, ...]
    spent: int


class Guard:
    """What has to be said of the files that a request touches.

    Args:
        machine: this machine.
        protection: tells what is asimi's own.
        files: tells what the person says of files; None where only asimi's own count.
        looks: what this machine is asked. What is said without a question follows from the text alone, so it is
            remembered for a while; None where nothing is.
    """

    def __init__(
        self, machine: Machine, protection: Protection, files: FileRules | None = None, looks: Looks | None = None
    ) -> None:
        self.machine, self.protection, self.files, self._looks = machine, protection, files, looks
        self._known: dict[int, _Known] = {}  # by the identity of a reading, which is kept, so no other one has it

    def __call__(self, request: Request, reading: Reading, budget: Budget) -> Sequence[Finding]:
        """What is to be said of a request; `budget` is what the look at it is paid from."""
        known = self._known.get(id(reading))
        if known is not None:
            budget.spend(known.spent)
            for command, seen in zip(reading.commands, known.seen, strict=True):
                command.see(seen)
            return known.findings
        for command in reading.commands:
            command.see(UNSEEN)
        looks, left = self._looks, budget.left
        before = 0 if looks is None else looks.times
        with self.looking(budget):
            findings = tuple(self._findings(request, reading, budget))
        if looks is not None and looks.times == before and is_remembered(request):
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            each = tuple(command.seen for command in reading.commands)
            self._known[id(reading)] = _Known(reading, findings, each, left - budget.left)
        return findings

    def looking(self, budget: Budget) -> AbstractContextManager[None]:
        """One look at the machine, for which a budget pays."""
        return nullcontext() if self._looks is None else self._looks.during(budget)

    def _findings(self, request: Request, reading: Reading, budget: Budget) -> Iterator[Finding]:
        try:
            paths = self.paths(request, reading, budget)
            yield from self.protection.findings(request, reading, paths)
            places, below = list(Places(reading, paths).all()), Below(self.machine, budget)
            root = self.machine.resolve(request.place.root) if self.files is None else self.files.root
            if reading.plain is not None:
                from asimi.core.judging.described import settle_described

                settle_described(reading, self.machine, root)
            temporary = Temporary(root, self.machine) if self.files is None else self.files.temporary
            arrivals = Arrivals(places, root, self.machine, below, temporary, budget)
            yield from self.protection.sought(places, below, root, budget, arrivals)
            if self.files is not None:
                yield from self.files.findings(places, reading, budget, below)
                self._settle_repositories(self.files.root, reading, paths, places)
        except TooManyError as error:
            yield Finding("protected", str(error), None)

    def places(self, request: Request, reading: Reading, budget: Budget) -> Iterator[Place]:
        """Where the words of a request lead; nothing where that is not looked at, or is too much."""
        try:
            if self.files is not None:
                yield from self.files.places(reading, self.paths(request, reading, budget))
        except TooManyError:
            return

    def keeps(self, path: str) -> bool:
        """Whether a real path is a secret, runs by itself, or is asimi's or an agent's own."""
        if self.files is not None and (self.files.secrets.has(path) or self.files.runs(path)):
            return True
        return bool(self.protection.reached(path, path)) or self.protection.agents.has(path, Budget(), above=False)

    def paths(self, request: Request, reading: Reading, budget: Budget) -> Paths:
        """Where its words lead, once it is settled what its commands mean there.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        paths = Paths(self.machine, request, reading, budget)
        settle(reading, paths)
        find_branches(reading, paths, self.machine)
        return paths

    def _settle_repositories(self, root: str, reading: Reading, paths: Paths, places: Sequence[Place]) -> None:
        """Mark the commands that may work in another repository than the project's."""
        obeying = [each for each in reading.commands if each.has("bound") and not each.possible]
        made = made_by(places) if obeying else ()
        for command in obeying:
            if is_foreign(command, paths, self.machine, root, made):
                command.see(command.seen._replace(astray=True))
            elif command.has("repository"):
                command.see(command.seen._replace(works=work_of(command, paths, self.machine)))

    @property
    def placed(self) -> bool:
        """Whether it says where a request may write, so a redirection that writes is no question of its own."""
        return self.files is not None and bool(self.files.write) and not self.machine.doubted
