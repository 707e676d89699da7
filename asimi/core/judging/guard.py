"""One look at where a request's words lead, and every finding about what it would touch."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.budget import Budget
from asimi.core.call import is_below
from asimi.core.judging.known import BOXED, Temporary
from asimi.core.judging.links import Arrivals
from asimi.core.judging.paths import Paths, TooManyError
from asimi.core.judging.places import Places
from asimi.core.judging.repositories import is_foreign, made_by, with_branches, with_unmodified, work_of
from asimi.core.judging.sought import Below
from asimi.core.reading.account import EMPTIES, NO_FILE, empties, is_query, may_aim
from asimi.core.reading.commands import Finding
from asimi.core.reading.requests import REMEMBERED, is_remembered
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from asimi.core.call import Loss, Request, Span
    from asimi.core.judging.machine import Looks, Machine
    from asimi.core.judging.protection import Protection
    from asimi.core.judging.zones import FileRules
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.commands import Works


class Look(NamedTuple):
    """One look at what a request would touch.

    Attributes:
        reading: what was read of it.
        settled: the same, with what its commands mean where they run.
        paths: where its words lead.
        places: where it reaches.
    """

    reading: Reading
    settled: Reading
    paths: Paths
    places: Places


class _Known(NamedTuple):
    """A look, the reading with all that it says, and what it cost."""

    look: Look
    looked: Reading
    spent: int


class _Back(NamedTuple):
    """What comes back of what a command removes, as `Seen` says it."""

    kept: tuple[Loss, ...] = ()
    noted: tuple[Loss, ...] = ()
    made: bool = False


NOTHING = _Back()


def _with_ends(findings: Iterable[Finding], reading: Reading) -> list[Finding]:
    """Findings of which those about a secret say where the same text sends to."""
    from asimi.core.reading.addresses import ends

    where = ", ".join(ends(each for each in reading.commands if not each.possible))
    more = f", and the same text sends to {where}" if where else ""
    return [each._replace(message=f"{each.message}{more}") if each.code == "secret" else each for each in findings]


def _within(command: Command, spans: Collection[Span]) -> bool:
    """Whether all redirections of a command that may empty a file are at some places."""
    simple = command.simple
    emptying = [each for each in simple.redirections if each.operator in EMPTIES] if simple is not None else []
    return all((each.start, each.end) in spans or each.target.literal in NO_FILE for each in emptying)


class Guard:
    """What has to be said of the files that a request touches.

    Args:
        machine: this machine.
        protection: tells what is asimi's own.
        files: tells what the person says of files; None where only asimi's own count.
        looks: counts what this machine is asked. Findings that needed no question follow from the text alone, so they
            are remembered for a while; None to remember nothing.
    """

    def __init__(
        self, machine: Machine, protection: Protection, files: FileRules | None = None, looks: Looks | None = None
    ) -> None:
        self.machine, self.protection, self.files, self._looks = machine, protection, files, looks
        self._known: dict[int, _Known] = {}  # by the identity of a reading, which is kept, so no other one has it
        self._last: tuple[Request, Look] | None = None  # so that what is asked, counted and written down shares it

    def __call__(self, request: Request, reading: Reading, budget: Budget) -> Reading:
        """A reading with all that a look at what it would touch says; `budget` is what the look is paid from."""
        known = self._known.get(id(reading))
        if known is not None:
            budget.spend(known.spent)
            self._last = request, known.look
            return known.looked
        looks, left = self._looks, budget.left
        before = 0 if looks is None else looks.times
        with self.looking(budget):
            try:
                look = self.look(request, reading, budget, anew=True)
            except TooManyError as error:
                return reading._replace(findings=(*reading.findings, Finding("protected", str(error), None)))
            looked = self._looked(request, look, budget)
        if looks is not None and looks.times == before and is_remembered(request):
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[id(reading)] = _Known(look, looked, left - budget.left)
        return looked

    def looking(self, budget: Budget) -> AbstractContextManager[None]:
        """One look at the machine, for which a budget pays."""
        return nullcontext() if self._looks is None else self._looks.during(budget)

    def look(self, request: Request, reading: Reading, budget: Budget, *, anew: bool = False) -> Look:
        """The look that the verdict on a request rests on; a new one if there is none, or if `anew`.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        last = self._last
        if not anew and last is not None and last[0] is request and last[1].reading is reading:
            return last[1]
        settled, paths = self._settled(request, reading, budget)
        look = Look(reading, settled, paths, Places(settled, paths))
        self._last = request, look
        return look

    def _looked(self, request: Request, look: Look, budget: Budget) -> Reading:
        astray: set[Command] = set()
        works: dict[Command, Works | None] = {}
        kept: dict[Command, _Back] = {}
        lost: dict[Command, str] = {}
        spared: set[Span] = set()
        findings = tuple(self._findings(request, look, budget, astray, works, kept, lost, spared))
        sparing = {each for each in look.settled.commands if empties(each) and _within(each, spared)}
        named = {
            each for each in look.settled.commands if any(text.startswith(BOXED) for text in each.literals if text)
        }
        boxed = self._boxed(named) if named else ()
        seen = {
            each: each.seen._replace(
                astray=each in astray,
                works=works.get(each),
                kept=kept.get(each, NOTHING).kept,
                noted=kept.get(each, NOTHING).noted,
                made=kept.get(each, NOTHING).made,
                boxed=each in boxed,
                overwrites=lost.get(each, ""),
                spares=each in sparing,
            )
            for each in (*astray, *works, *kept, *boxed, *lost, *sparing)
        }
        before = look.settled.findings
        if not look.settled.commands and spared and all(span in spared for _, span, _ in look.settled.targets):
            before = tuple(each for each in before if each.code != "unlisted")  # `> FILE` needs no command
        return look.settled.as_seen(seen)._replace(findings=(*before, *findings))

    def _boxed(self, commands: Iterable[Command]) -> set[Command]:
        """The commands that in a box only remove what is the box's own."""
        from asimi.core.judging.undoing import is_boxed

        return {each for each in commands if is_boxed(each, self.machine)}

    def _findings(
        self,
        request: Request,
        look: Look,
        budget: Budget,
        astray: set[Command],
        works: dict[Command, Works | None],
        kept: dict[Command, _Back],
        lost: dict[Command, str],
        spared: set[Span],
    ) -> Iterator[Finding]:
        """The findings about a request.

        It adds the commands that go astray to `astray`, the repositories that commands work in to `works`, what
        comes back of what commands remove to `kept`, what commands overwrite that does not to `lost`, and the places of
        redirections that empty nothing that does not to `spared`.
        """
        reading, paths = look.settled, look.paths
        files = self.files if self.files is None or request.file is None else self.files.for_tools
        try:
            yield from self.protection.findings(request, reading, paths)
            places, below = look.places.all(), Below(self.machine, budget)
            root = self.machine.resolve(request.place.root) if files is None else files.root
            if reading.plain is not None:
                from asimi.core.judging.shadows import own_of_project

                astray.update(own_of_project(reading, self.machine, root))
            temporary = Temporary(root, self.machine) if files is None else files.temporary
            arrivals = Arrivals(places, root, self.machine, below, temporary, budget)
            yield from self.protection.sought(places, below, root, budget, arrivals)
            if any(each.program is not None and each.program.settings for each in reading.commands):
                from asimi.core.judging.services import led_elsewhere

                astray.update(led_elsewhere(reading, paths, places, root))
            if files is not None:
                astray.update(files.astray(places))
                found = list(files.findings(places, reading, budget, below))
                if any(each.code == "secret" for each in found):
                    found = _with_ends(found, reading)
                yield from found
                obeying = [each for each in reading.commands if "bound" in each.traits and not each.possible]
                made = made_by(places) if obeying else ()
                foreign = {each for each in obeying if is_foreign(each, paths, self.machine, root, made)}
                astray |= foreign
                own = (each for each in obeying if each not in foreign and "repository" in each.traits)
                works |= {each: work_of(each, paths, self.machine) for each in own}
                if any(each.how == "write" for each in places):
                    from asimi.core.judging.overwriting import Overwriting

                    over = Overwriting(places, reading, self.machine, files.files.undo, below, arrivals, root)
                    lost.update(over.lost())
                    spared.update(over.spared())
                if files.files.undo is not None and not (astray or request.place.host):
                    kept |= self._kept(request, look, works, below, root)
        except TooManyError as error:
            yield Finding("protected", str(error), None)

    def _kept(
        self, request: Request, look: Look, works: Mapping[Command, Works | None], below: Below, root: str
    ) -> dict[Command, _Back]:
        """What comes back of what commands remove, for each of which all does."""
        line, reading = line_of(request), look.settled
        commands = [each for each in reading.commands if each.removes and not each.possible]
        if any(name.startswith("GIT_") for name in reading.variables.names()):  # it may work elsewhere then
            commands = [each for each in commands if "repository" not in each.traits]
        if not commands or self.files is None or self.files.files.undo is None:
            return {}
        from asimi.core.judging.undoing import Coming, is_first, is_made, is_new, is_noted

        temporary = self.files.temporary

        def holds(path: str) -> bool:
            return temporary.holds(path) or is_below(path, root)

        places = look.places.all()
        coming = Coming(places, look.paths, self.machine, self.files.files.undo, below, root)
        found = {}
        for each in commands:
            tree = (works.get(each) or (None, None))[1]
            first = is_first(each, reading, line)
            found[each] = _Back(
                coming.of(each, tree) if first else (),
                coming.noted(each, tree) if is_noted(each, reading, line, first=first) else (),
                is_made(each, places, temporary) or is_new(each, reading, places, self.machine, holds),
            )
        return found

    @property
    def standing(self) -> Iterable[str]:
        """The paths resolved while this guard was made; once one leads elsewhere, a new guard is needed."""
        return () if self._looks is None else self._looks.standing

    def keeps(self, path: str) -> bool:
        """Whether a real path is a secret, runs by itself, or is asimi's or an agent's own."""
        if self.files is not None and (self.files.secrets.has(path) or self.files.runs(path)):
            return True
        return bool(self.protection.reached(path, path)) or self.protection.agents.has(path, Budget(), above=False)

    def holds(self, path: str) -> bool:
        """Whether a box holds a real path as it is: it runs by itself, or says what agents do."""
        runs = self.files is not None and self.files.runs(path)
        return runs or self.protection.agents.has(path, Budget(), above=False)

    def _settled(self, request: Request, reading: Reading, budget: Budget) -> tuple[Reading, Paths]:
        """A reading in which it is settled what its commands mean where they run, and where its words lead.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        paths = Paths(self.machine, request, reading, budget)
        ways = [with_branches, with_unmodified]
        if any(each.inline is not None for each in reading.commands):
            from asimi.core.judging.shadows import settled

            ways.insert(0, settled)
        if any(map(may_aim, reading.commands)):
            from asimi.core.judging.aims import with_aims

            ways.append(with_aims)
        if any(is_query(each) or "fetches" in each.traits for each in reading.commands):
            from asimi.core.judging.services import settled_services

            root = self.machine.resolve(request.place.root)
            ways.append(lambda reading, paths: settled_services(reading, paths, root))
        for settle in ways:
            now = settle(reading, paths)
            if now is not reading:
                reading, paths = now, Paths(self.machine, request, now, budget)
        return reading, paths

    @property
    def placed(self) -> bool:
        """Whether it says where a request may write, so a redirection that writes is no question of its own."""
        return self.files is not None and bool(self.files.write) and not self.machine.untrusted_host
