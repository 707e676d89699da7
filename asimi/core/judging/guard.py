"""One look at where a request's words lead, and every finding about what it would touch."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.budget import Budget
from asimi.core.call import is_below
from asimi.core.judging.known import Temporary
from asimi.core.judging.links import Arrivals
from asimi.core.judging.paths import Paths, TooManyError
from asimi.core.judging.places import Places, with_names
from asimi.core.judging.repositories import is_foreign, made_by, with_branches, with_unmodified, work_of
from asimi.core.judging.search_candidates import Below
from asimi.core.reading.account import EMPTIES, NO_FILE, empties, is_query, may_aim
from asimi.core.reading.commands import Finding
from asimi.core.reading.requests import REMEMBERED, is_remembered
from asimi.core.reading.shapes import MARKS
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from contextlib import AbstractContextManager
    from typing import Any

    from asimi.core.call import Request, Span
    from asimi.core.judging.machine import Looks, Machine
    from asimi.core.judging.protection import Protection
    from asimi.core.judging.zones import FileRules
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.commands import LookResult


class Look(NamedTuple):
    """One look at what a request would touch.

    Attributes:
        request: what would run.
        reading: what was read of it.
        settled: the same, with what its commands mean where they run.
        paths: where its words lead.
        places: where it reaches.
        seen: the reading with all that the look says; None before that is found, and where the look is remembered,
            because paths remember what they were asked.
    """

    request: Request
    reading: Reading
    settled: Reading
    paths: Paths
    places: Places
    seen: Reading | None = None


class _RememberedLook(NamedTuple):
    """A look that needed no question, the reading with all that it says, and what it cost."""

    look: Look
    seen: Reading
    spent: int


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
        self._known: dict[tuple[object, ...], _RememberedLook] = {}  # by the text and its place
        self._last: Look | None = None  # so that what is asked, counted and written down shares it

    def __call__(self, request: Request, reading: Reading, budget: Budget) -> Reading:
        """A reading with all that a look at what it would touch says; `budget` is what the look is paid from."""
        what = request.command, request.shell, request.place, request.file is None
        known = self._known.get(what)
        if known is not None and known.look.reading is reading:
            budget.spend(known.spent)
            self._last = known.look._replace(request=request)
            return known.seen
        looks, left = self._looks, budget.left
        before = 0 if looks is None else looks.times
        self._last = None
        with self.one_look(budget):
            try:
                look = self.look(request, reading, budget)
            except TooManyError as error:
                return reading._replace(findings=(*reading.findings, Finding("protected", str(error), None)))
            seen = self._with_findings(look, budget)
        if looks is None or looks.times > before or not is_remembered(request):
            self._last = look._replace(seen=seen)
        else:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[what] = _RememberedLook(look, seen, left - budget.left)
        return seen

    def one_look(self, budget: Budget) -> AbstractContextManager[None]:
        """One look at the machine, for which a budget pays."""
        return nullcontext() if self._looks is None else self._looks.one_look(budget)

    def look(self, request: Request, reading: Reading, budget: Budget) -> Look:
        """The look that the verdict on a request rests on; a new one if there is none.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        last = self._last
        if last is None or last.reading is not reading or last.request != request:
            settled, paths = self._resolve_reading(request, reading, budget)
            last = self._last = Look(request, reading, settled, paths, Places(settled, paths))
        return last

    def paths(self, request: Request, reading: Reading, budget: Budget) -> Paths:
        """Where the words of a reading lead that a look was taken at.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        last = self._last
        if last is not None and last.seen is not None and last.seen.commands is reading.commands:
            return last.paths.with_reading(reading)
        return Paths(self.machine, request, reading, budget)

    def _with_findings(self, look: Look, budget: Budget) -> Reading:
        """What a look says: what is known of commands, and what else there is to say.

        Where the request goes to more than can be looked at, what was found until then counts.
        """
        request, reading, paths = look.request, look.settled, look.paths
        files = self.files if self.files is None or request.file is None else self.files.for_tools
        findings: list[Finding] = []
        seen: dict[Command, LookResult] = {}
        spared: frozenset[Span] = frozenset()  # redirections that empty nothing but what is new or comes back

        def note(commands: Iterable[Command], **facts: Any) -> None:
            for each in commands:
                seen[each] = seen.get(each, each.seen)._replace(**facts)

        try:
            findings += self.protection.findings(request, reading, paths)
            places, below = look.places.all(), Below(self.machine, budget)
            root = self.machine.resolve(request.place.root) if files is None else files.root
            if reading.plain is not None or any(each.introduces for each in reading.commands):
                from asimi.core.judging.shadows import own_of_project

                note(own_of_project(reading, self.machine, root), astray=True)
            temporary = Temporary(root, self.machine) if files is None else files.temporary
            arrivals = Arrivals(places, root, self.machine, below, temporary, budget)
            findings += self.protection.findings_of_searches(places, below, root, budget, arrivals)
            if any(each.program is not None and each.program.settings for each in reading.commands):
                from asimi.core.judging.services import led_elsewhere

                note(led_elsewhere(reading, paths, places, root), astray=True)
            if files is not None:
                note(files.commands_of_unknown_paths(places), astray=True)
                found = [*files.findings(places, reading, budget, below)]
                findings += _with_ends(found, reading) if any(each.code == "secret" for each in found) else found
                obeying = [each for each in reading.commands if "bound" in each.traits and not each.possible]
                made = made_by(places) if obeying else ()
                foreign = [each for each in obeying if is_foreign(each, paths, self.machine, root, made)]
                note(foreign, astray=True)
                own = [each for each in obeying if each not in foreign and "repository" in each.traits]
                for each, works in [(each, work_of(each, paths, self.machine)) for each in own]:
                    note([each], works=works)
                if any(each.how == "write" for each in places):
                    from asimi.core.judging.recovery import Overwrites

                    over = Overwrites(places, reading, self.machine, files.files.undo, below, arrivals, root)
                    for command, path in over.lost_paths().items():
                        note([command], overwrites=path)
                    spared = over.harmless_redirections()
                if not (any(each.astray for each in seen.values()) or request.place.host):
                    for command, facts in self._recoverable(look, seen, below, root).items():
                        note([command], **facts)
            if losing := [each for each in reading.commands if each.removes]:
                from asimi.core.judging.recovery import is_boxed

                calm = not reading.functions and all("binds" not in each.traits for each in reading.commands)
                boxed = (each for each in losing if is_boxed(each, paths.at(each) if calm else (), self.machine))
                note(boxed, boxed=True)
        except TooManyError as error:
            findings.append(Finding("protected", str(error), None))
        note((each for each in reading.commands if empties(each) and _within(each, spared)), spares=True)
        before = reading.findings
        if not reading.commands and spared and all(span in spared for _, span, _ in reading.targets):
            before = tuple(each for each in before if each.code != "unlisted")  # `> FILE` needs no command
        return reading.with_look(seen)._replace(findings=(*before, *findings))

    def _recoverable(
        self, look: Look, seen: Mapping[Command, LookResult], below: Below, root: str
    ) -> dict[Command, dict[str, Any]]:
        """What comes back of what commands remove, for each of which all does; fields of `LookResult`."""
        line, reading = line_of(look.request), look.settled
        commands = [each for each in reading.commands if each.removes and not each.possible]
        if any(name.startswith("GIT_") for name in reading.variables.names()):  # it may work elsewhere then
            commands = [each for each in commands if "repository" not in each.traits]
        if not commands or self.files is None or self.files.files.undo is None:
            return {}
        from asimi.core.judging.recovery import Recovery, is_first, is_made, is_new, is_noted

        temporary = self.files.temporary

        def holds(path: str) -> bool:
            return temporary.holds(path) or is_below(path, root)

        places = look.places.all()
        coming = Recovery(places, look.paths, self.machine, self.files.files.undo, below, root)
        found: dict[Command, dict[str, Any]] = {}
        for each in commands:
            tree = (seen.get(each, each.seen).works or (None, None))[1]
            first = is_first(each, reading, line)
            own = [place for place in places if place.by is each]
            empty = each.name == "rmdir" and all(MARKS.isdisjoint(one.path) and holds(one.path) for one in own)
            found[each] = {
                "kept": coming.of(each, tree) if first else (),
                "noted": coming.git_losses(each, tree) if is_noted(each, reading, line, first=first) else (),
                "made": empty or is_made(each, places, temporary) or is_new(each, reading, places, self.machine, holds),
            }
        return found

    @property
    def resolved_paths(self) -> Iterable[str]:
        """The paths resolved while this guard was made; once one leads elsewhere, a new guard is needed."""
        return () if self._looks is None else self._looks.standing

    def keeps(self, path: str) -> bool:
        """Whether a real path is a secret, runs by itself, or is asimi's or an agent's own."""
        if self.files is not None and (self.files.secrets.has(path) or self.files.runs(path)):
            return True
        return bool(self.protection.own_path(path, path)) or self.protection.agents.has(path, Budget(), above=False)

    def holds(self, path: str) -> bool:
        """Whether a box holds a real path as it is: it runs by itself, or says what agents do."""
        runs = self.files is not None and self.files.runs(path)
        return runs or self.protection.agents.has(path, Budget(), above=False)

    def _resolve_reading(self, request: Request, reading: Reading, budget: Budget) -> tuple[Reading, Paths]:
        """A reading in which it is settled what its commands mean where they run, and where its words lead.

        Raises:
            TooManyError: it goes to more directories than can be looked at.
        """
        paths = Paths(self.machine, request, reading, budget)
        ways, root = [with_branches, with_names, with_unmodified], request.place.root
        if any(each.inline is not None for each in reading.commands):
            from asimi.core.judging.shadows import with_unshadowed

            ways.insert(0, with_unshadowed)
        if any(may_aim(each) or each.may_run_code for each in reading.commands):
            from asimi.core.judging.aims import with_aims

            keeps = self.files is not None and self.files.files.undo is not None
            ways.append(lambda reading, paths: with_aims(reading, paths, self.machine.resolve(root), keeps=keeps))
        if any(is_query(each) or "fetches" in each.traits for each in reading.commands):
            from asimi.core.judging.services import settled_services

            ways.append(lambda reading, paths: settled_services(reading, paths, self.machine.resolve(root)))
        for settle in ways:
            now = settle(reading, paths)
            if now is not reading:
                reading, paths = now, paths.with_reading(now)
        return reading, paths

    @property
    def has_write_limits(self) -> bool:
        """Whether it says where a request may write, so a redirection that writes is no question of its own."""
        return self.files is not None and bool(self.files.write) and not self.machine.untrusted_host
