"""What a request does to files: to secret ones, to those outside, and to those that nobody wants to lose.

Each word that names a file is followed to the real paths it may lead to, from every directory that its command may run
in, links included. What is forbidden or asked about is then a matter of paths: `secret` for what is read or written of
keys and tokens, `outside` for what is written elsewhere than `[files] write` says, `floor` for what would remove or
overwrite the system, the home or the project as a whole.
"""

from __future__ import annotations

from asimi.core.call import Verdict, is_below
from asimi.core.judging.brought import Arrivals
from asimi.core.judging.floor import Floor
from asimi.core.judging.known_files import FREE, SELF_RUNNING
from asimi.core.judging.known_secrets import SECRET
from asimi.core.judging.moved import Moved
from asimi.core.judging.paths import above
from asimi.core.judging.patterns import Patterns, absolute
from asimi.core.judging.rules import UNBELIEVED
from asimi.core.judging.secrets import Secrets
from asimi.core.judging.sought import Below
from asimi.core.judging.temporary import Temporary
from asimi.core.judging.writable import Running, Writable
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.core.reading.account import OF_CHANGES
from asimi.core.reading.carried import Carried
from asimi.core.reading.commands import Finding
from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME, head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.judging.paths import Machine
    from asimi.core.judging.reached import Place
    from asimi.core.reading import Command, Reading


GUIDES = 100
"""Units of work for a look at what the configuration of the project's repository names."""


class Files(NamedTuple):
    """What is said of files (`[files]`), by each layer of the configuration that says something.

    Attributes:
        write: where known writers may write: where all of these agree; empty where nobody says it.
        secret: what is asked about when it is read or written: what one of these names.
        deny: what may not be touched: what one of these names.
        beside: directories where commands may run besides the project.
    """

    write: tuple[tuple[str, ...], ...] = ()
    secret: tuple[tuple[str, ...], ...] = (SECRET,)
    deny: tuple[tuple[str, ...], ...] = ()
    beside: tuple[str, ...] = ()


class FileRules:
    """What is said of files, on this machine and in this project.

    Args:
        files: what a person says of them.
        root: the project root.
        machine: this machine.
    """

    def __init__(self, files: Files, root: str, machine: Machine) -> None:
        self.files, self.root, self.machine = files, machine.resolve(root), machine
        home = machine.home
        self.denied = [Patterns(each, self.root, home) for each in files.deny if each]
        self.secrets = Secrets(files.secret, self.root, machine)
        self._running = running = Patterns((*SELF_RUNNING, *self._looked_up()), self.root, home)
        self.temporary = Temporary(self.root, machine)
        self.write = [Writable(each, running, self.root, machine, self.temporary) for each in files.write]
        self.floor = Floor(self.root, machine)
        runs = [each.removesuffix("/**").replace("~", home, 1) for each in SELF_RUNNING if each[:2] == "~/"]
        named = (each.rstrip("/") for each in machine.variables.get("PATH", "").split(":"))
        runs += [each for each in named if is_below(each, home) and not is_below(each, self.root)]
        self._homely = [(each, 1) for each in runs]
        self._beside = [machine.resolve(absolute(each, self.root, home)) for each in files.beside]

    def _looked_up(self) -> list[str]:
        """What is in the directories below the project in which programs are looked up (`PATH`)."""
        named = filter(None, self.machine.variables.get("PATH", "").split(":") if self.files.write else ())
        found = {self.machine.resolve(each) for each in named if each[0] == "/"}
        return [f"{each}/*" for each in found if each != self.root and is_below(each, self.root)]

    def _runs(self, places: Iterable[Place], budget: Budget) -> Running:
        """What runs by itself, for a request that reaches these places.

        What git is told to start or to obey in its configuration counts as its hooks do, wherever in the project it is;
        so does that to which what runs by itself in the home, and what is on `PATH` there, leads by a link.
        """
        guided: Iterable[str] = ()
        changes = (each for each in places if each.how in OF_CHANGES)
        if self.write and any(is_below(head_of(each.path) or self.root, self.root) for each in changes):
            budget.spend(GUIDES)
            around = (f"{each.rstrip('/')}/.git" for each in (self.root, *above(self.root)))
            repository = next((each for each in around if self.machine.kind(each) != ""), None)
            found, _ = self.machine.guides(repository) if repository is not None else ((), False)
            led = {path for each in found for path in (each, self.machine.resolve(each))}
            led.update(path for _, way in self.machine.leads(self._homely) or () for path in way)
            guided = [
                name for each in led if is_below(each, self.root) and each != self.root for name in (each, f"{each}/**")
            ]
        return Running(self._running, Patterns(guided, self.root, self.machine.home))

    def is_beside(self, path: str) -> bool:
        """Whether a real path is where commands may run besides the project."""
        return any(is_below(path, each) for each in self._beside)

    def runs(self, path: str) -> bool:
        """Whether a real path runs by itself, or says what does."""
        return self._running.matched(path)

    def findings(
        self, places: Sequence[Place], reading: Reading, budget: Budget, below: Below | None = None
    ) -> Iterator[Finding]:
        """What is to be said of a request that reaches these places; `below` tells what searches find there."""
        below = below or Below(self.machine, budget)
        moved = Moved(places, reading, self.machine, budget)
        running, arrivals = self._runs(places, budget), self.arrivals(places, below, budget)
        for place in places:
            budget.spend(16 + len(place.path) // 8)
            yield from self._said(place, moved, below, running)
            yield from self._followed(place, moved, below, running)
            for path in moved.led(place):
                yield from self._said(place._replace(path=path, sought=None, brought=()), moved, below, running)
            if place.brought and self.write:
                yield from self._brought(place, arrivals, running)
        for span in Carried(reading, self.machine.hides, budget).shown():
            yield Finding("secret", "this shows the environment, or what else may hold secrets", span)

    def astray(self, places: Iterable[Place]) -> Iterator[Command]:
        """The commands that may read or write files of which only bash can know where they are."""
        for place in places:
            if place.by is not None and (self._is_astray(place) or self._is_unpacked(place)):
                yield place.by

    def _followed(self, place: Place, moved: Moved, below: Below, running: Running) -> Iterator[Finding]:
        """What is to be said of where links lead below a place, if what happens there follows them."""
        if place.tree.follows and place.how not in {"look", "enter"} and MARKS.isdisjoint(place.path):
            led = below.led(place.path)
            if led is None:
                message = f"{shown_of(place.path)} holds more than can be looked through for links that are followed"
                yield Finding("secret", message, place.span)
            for each in led or ():
                yield from self._said(place._replace(path=each, sought=None, brought=()), moved, below, running)

    def arrivals(self, places: Sequence[Place], below: Below, budget: Budget) -> Arrivals:
        """Where what a request copies arrives."""
        return Arrivals(places, self.root, self.machine, below, self.temporary, budget)

    def _brought(self, place: Place, arrivals: Arrivals, running: Running) -> Iterator[Finding]:
        """What is to be said of the names that come to a place with what is copied there."""
        path = arrivals.first(place, lambda each: any(not layer.holds(each, running) for layer in self.write))
        if path is None:
            message = (
                f"this changes {shown_of(place.shape)} by files that cannot be looked through; some of them may run by "
                "themselves there"
            )
            yield Finding("outside", message, place.span)
        elif path:
            message = f"this writes {shown_of(path)}, which is outside of what files.write names"
            yield Finding("outside", message, place.span)

    def _said(self, place: Place, moved: Moved, below: Below, running: Running) -> Iterator[Finding]:
        """What is to be said of one place."""
        shape, how = place.shape, place.how
        if shape in FREE:
            return
        if self._is_denied(shape) and self._is_surely_denied(place, below):
            yield Finding("denied_by_rule", f"{shown_of(shape)} may not be touched", place.span, Verdict.DENY)
        elif self._is_denied(shape):
            message = f"asimi cannot know which files {shown_of(shape)} names, and some may not be touched"
            yield Finding("secret", message, place.span)
        if how in {"look", "enter"}:
            return
        if message := self.secrets.message(place, below):
            yield Finding("secret", message.format(shown_of(shape)), place.span)
        if self.write and self._is_outside(place, moved, below, running):
            message = f"this changes {shown_of(shape)}, which is outside of what files.write names"
            yield Finding("outside", message, place.span)
        elif self.write and self.machine.doubted and (how in OF_CHANGES or how == "repository"):
            message = f"this writes {shown_of(shape)}, and where that is, {UNBELIEVED.format(self.machine.doubted)}"
            yield Finding("outside", message, place.span)
        if self.floor.loses(place, below):
            verb = "overwrites" if how == "write" else "removes"
            yield Finding("floor", f"this {verb} {shown_of(shape)}", place.span)

    def _is_denied(self, path: str) -> bool:
        """Whether a path may not be touched, or may be one that may not."""
        return any(each.matched(path) for each in self.denied)

    def _is_surely_denied(self, place: Place, below: Below) -> bool:
        """Whether a place that may be one of these is one: by its name, by where it is, or by what is there now."""
        shape, path = place.shape, place.path
        if MARKS.isdisjoint(shape):
            return True
        start = path if place.found is not None and MARKS.isdisjoint(path) else head_of(shape).rpartition("/")[0]
        if start and any(each.all_below(start) for each in self.denied):
            return True
        if place.found is None:
            return any(map(self._is_denied, self.machine.now(shape, named=True) or ()))
        if not place.found or not MARKS.isdisjoint(path):
            return False
        if MARKS.isdisjoint(place.found):
            return self._is_denied(f"{path}/{place.found}")
        return below.finds(place, self._is_denied) is True

    def _is_astray(self, place: Place) -> bool:
        """Whether a path is read that only bash can know, and that does not begin with a directory of the project."""
        path = place.path
        if place.how not in {"read", ""} or (ANY not in path and MANY not in path):
            return False
        return not is_below(head_of(path).rpartition("/")[0] or "/", self.root)

    def _is_unpacked(self, place: Place) -> bool:
        """Whether files are written in the project whose names are not in the text: a hook may be among them."""
        if not place.tree.unpacks or place.how != "write" or self.machine.kind(place.path) == "file":
            return False
        return not MARKS.isdisjoint(place.path) or is_below(place.path, self.root) or is_below(self.root, place.path)

    def _is_outside(self, place: Place, moved: Moved, below: Below, running: Running) -> bool:
        """Whether a place is written that is not among those that may be."""
        path = place.path
        if place.how == "repository":
            return not (is_below(path, self.root) or all(each.holds(path, running) for each in self.write))
        if place.how not in OF_CHANGES:
            return False
        if moved.may_lead_elsewhere(place):
            return True
        if place.found is None:
            return not all(each.holds(path, running) for each in self.write)
        return not all(each.holds_found(place, below, running) for each in self.write)


def shown_of(shape: str) -> str:
    """A shape as people read it."""
    return shape.replace(ANY, "…").replace(MANY, "…").replace(SOME, "*").replace(ONE, "?")
