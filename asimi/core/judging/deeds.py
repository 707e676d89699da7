"""What the commands of a request would do, and where: for the person who is asked; no verdict rests on it.

It is derived from the catalogue's effects, in the words that rules and reasons have for them, and from the real paths
of the words that name files. What is not known is said to be unknown, not guessed.
"""

from __future__ import annotations

import os.path
from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Act, Deed, Loss, is_below
from asimi.core.errors import ShellSyntaxError
from asimi.core.judging.known import FREE
from asimi.core.judging.paths import TooManyError
from asimi.core.judging.search_candidates import Below
from asimi.core.judging.zones import shown_of
from asimi.core.programs import find
from asimi.core.programs.effects import ELSEWHERE, WORDS, broad, covers, phrases, possibly
from asimi.core.reading.account import source_of
from asimi.core.reading.shapes import MARKS
from asimi.core.syntax import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.call import Request, Span
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.places import Place
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.zones import FileRules
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command, Reading

MOST = 200
"""Commands of one text that are told; nobody reads more."""

WORK = 100_000
"""Units of work for the words; of what is more, none are told."""

MOST_PATHS = 50
"""Paths of one command that are told."""

MOST_CLEANED = 10
"""Paths of one `git clean` that are told; the others are counted."""

MOST_LOOKED = 2000
"""The most paths that are looked at for that."""

OF_ROLES = {"look": "read", "enter": "", "repository": "", "kept": ""}
"""What is told of a path in a role, where that is not the role's own name; nothing where it is empty."""


def deeds_of(policy: Policy, request: Request) -> tuple[Deed, ...]:
    """What each command of a request would do, and each redirection without one; in the order of the text."""
    try:
        reading = policy.readings.of(request)
        budget = Budget(min(reading.left, WORK))
        budget.spend(20 * sum(len(each.words) for each in reading.commands))
        guard = policy.guard
        with nullcontext() if guard is None else guard.one_look(budget):
            reading, places = (reading, ()) if guard is None else _resolve_places(guard, request, reading, budget)
            line, commands = line_of(request), [each for each in reading.commands if not each.possible][:MOST]
            paths, alone = _paths(guard, places, request, commands, budget)
        deeds = [Deed(line[slice(*span)], span, (), tuple(found)) for span, found in alone.items() if found]
        fetched = False
        for origin, found in paths.items():
            variants = [each for each in commands if (each.origin or each) is origin]
            deeds.append(_deed(line, variants, tuple(found), fetched=fetched))
            fetched = fetched or "fetches" in origin.traits
    except (ShellSyntaxError, OverBudgetError):
        return ()
    return tuple(sorted(deeds, key=lambda deed: deed.span))


def _resolve_places(
    guard: Guard, request: Request, reading: Reading, budget: Budget
) -> tuple[Reading, Sequence[Place]]:
    """The same reading, settled, and where it reaches; nowhere where that is not looked at, or is too much."""
    if guard.files is None:
        return reading, ()
    try:
        look = guard.look(request, reading, budget)
        return look.settled, look.places.all()
    except TooManyError:
        return reading, ()


def _paths(
    guard: Guard | None, places: Iterable[Place], request: Request, commands: Sequence[Command], budget: Budget
) -> tuple[dict[Command, dict[Act, None]], dict[Span, dict[Act, None]]]:
    """What is done to paths: by commands, as they are written, and by redirections without one."""
    by: dict[Command, dict[Act, None]] = {each.origin or each: {} for each in commands}
    alone: dict[Span, dict[Act, None]] = {}
    below = None if guard is None else Below(guard.machine, budget)
    for place in places:
        budget.spend(50)
        writer = _writer(place, by)
        found = alone.setdefault(place.span or (0, 0), {}) if writer is None else by.get(writer, {})
        if guard is not None and guard.files is not None and below is not None and len(found) < MOST_PATHS:
            whole = place.tree.somewhere or (writer is not None and "repository" in writer.traits)
            tree = whole and place.path == request.place.path
            if place.how == "delete" and place.by is not None and _cleans(place.by):
                found |= dict.fromkeys(_clean_acts(place, guard.files, below))
                continue
            act = None if tree else _of_place(place, guard.files, below)  # its words say what git does to its work tree
            found |= {} if act is None else {act: None}
    return by, alone


def _writer(place: Place, commands: Iterable[Command]) -> Command | None:
    """The command that a place belongs to; that of a redirection is the last one before it."""
    if place.by is not None:
        return place.by.origin or place.by
    start = (place.span or (0, 0))[0]
    before = [each for each in commands if each.via is None and each.span[0] < start]
    return max(before, key=lambda each: each.span[0], default=None)


def _of_place(place: Place, files: FileRules, below: Below) -> Act | None:
    """What becomes of a path; None where nothing has to be said of it, or it is not one of this machine."""
    does = OF_ROLES.get(place.how, place.how)
    path, secret = place.shape, does != "delete" and bool(files.secrets.message(place, below))
    stream = does == "read" and path.endswith("/-")  # most programs mean their input by it
    if path in FREE or stream or not (does or secret) or _is_elsewhere(place.by):
        return None
    shown = _display_path(path if place.found is None else place.path, files)
    shown = shown if place.found is None else f"what it finds below {shown}"
    words = "writes to the device" if does == "write" and is_below(path, "/dev") else ""
    undo = files.files.undo if does == "delete" and MARKS.isdisjoint(path) else None
    comes_back = "" if undo is None else files.machine.undone(Loss(path), undo)
    return Act(does or "name", words, path, shown, _where(path, files), secret, undo=comes_back)


def _cleans(command: Command) -> bool:
    """Whether a command is `git clean`, whose words name none of the files that it removes."""
    return "repository" in command.traits and command.levels[-1].row.name == "clean"


def _clean_acts(place: Place, files: FileRules, below: Below) -> Iterator[Act]:
    """What `git clean` removes at a place: what git does not track, of what it ignores or not as options say."""
    assert place.by is not None
    given, machine = place.by.options.all, files.machine
    wanted = {"ignored"} if "X" in given else {"new", "ignored"} if "x" in given else {"new"}
    there = below.all(place.path) if MARKS.isdisjoint(place.path) else None
    if there is None or len(there) > MOST_LOOKED:
        return
    kept = {each: machine.kept(each) for each in there if "/.git/" not in each and machine.kind(each) == "file"}
    entered = {os.path.dirname(each) for each, how in kept.items() if how == "tracked"} | {place.path}
    gone = [each for each, how in kept.items() if how in wanted and ("d" in given or os.path.dirname(each) in entered)]
    if len(gone) > MOST_CLEANED:
        yield Act("delete", "", gone[-1], f"{len(gone)} files that git does not track", _where(gone[-1], files))
    for each in gone[:MOST_CLEANED]:
        act = _of_place(place._replace(path=each), files, below)
        yield from () if act is None else [act]


def _where(path: str, files: FileRules) -> str:
    """Where a path is."""
    if is_below(path, files.root):
        return "project"
    return "temporary" if files.temporary.holds(path) else "outside"


def _is_elsewhere(command: Command | None) -> bool:
    """Whether a command runs on another machine or in a container."""
    program = None if command is None or command.via is None else find(command.via)
    rows = () if program is None else (program, *program.subcommands.values())
    return any(not ELSEWHERE.isdisjoint((row.kinds or set()) | row.may) for row in rows)


def _display_path(path: str, files: FileRules) -> str:
    """A real path for people: relative in the project, with `~` for the home."""
    for directory, name, rest in ((files.root, "", "the project directory"), (files.machine.home, "~/", "~")):
        if directory != "/" and is_below(path, directory):
            return shown_of(name + path[len(directory) + 1 :]) if path != directory else rest
    return shown_of(path)


def _deed(line: str, variants: Sequence[Command], paths: tuple[Act, ...], *, fetched: bool) -> Deed:
    """What one command would do, whatever its variables are."""
    command = variants[0].origin or variants[0]
    literals = " ".join("…" if word is None else word for word in command.literals)
    words = line[slice(*command.span)] if command.outer or not command.source else literals
    if command.defined:  # its name is that of a function, whose body is a deed of its own
        return Deed(words, command.span, (), ())
    each = [variant.kinds for variant in variants]
    known = None if None in each else frozenset[str]().union(*(kinds for kinds in each if kinds))
    kinds = _possible(command) if known is None else known
    if command.program is not None and command.program.shell and source_of(command) == "code.input":
        kinds |= {"code.input"}
    if "write.permission" in kinds:
        changed = WORDS["write.permission"] + " of"
        paths = tuple(act._replace(words=changed) if act.does == "write" else act for act in paths)
    named = tuple(_of_words(command, known))
    if fetched and command.program is not None and (command.program.shell or "code" in command.traits):
        kinds = frozenset("code.fetched" if covers({"code"}, kind) else kind for kind in kinds)
    told = {act.does for act in (*paths, *named)} | ({"write.permission"} if paths else set())
    told |= {"write" for act in paths if act.does == "move"}
    said = {
        kind: words
        for kind, words in phrases(kinds).items()
        if kind not in told and (known is not None or kind != "read")
    }
    more = [Act(kind.partition(".")[0], possibly(words) if known is None else words) for kind, words in said.items()]
    return Deed(words, command.span, None if known is None else tuple(sorted(known)), (*paths, *named, *more))


def _possible(command: Command) -> frozenset[str]:
    """What a command may do of which not all is known: what its row says of others, or the nearest row above it."""
    if command.program is None:
        return frozenset()
    row: Program | None = command.levels[-1].row
    if row is not None and row.kinds is not None:
        return row.kinds
    while row is not None and not row.may:
        row = row.parent
    return frozenset() if row is None else row.may


def _of_words(command: Command, known: frozenset[str] | None) -> Iterator[Act]:
    """What its words say: the addresses that they name, the script of the project that they run."""
    script = _script(command)
    if script:
        yield Act("code", script=script)
    if "repository" not in command.traits and not any("://" in (word or "") for word in command.literals):
        return
    from asimi.core.reading.addresses import addresses

    for does, where in dict.fromkeys(addresses(command)):
        if known is None or does in broad(known):
            yield Act(does, f"{WORDS[does]} to {where}" if does == "publish" else f"{WORDS[does]}: {where}")


def _script(command: Command) -> str:
    """The script of `package.json` that a command runs: `npm test`, `yarn run build`; empty where it runs none."""
    program = command.program
    if program is None or not program.check or (command.name == "bun" and command.literals[1:2] == ("test",)):
        return ""
    from asimi.core.reading.checks import script_of

    named = script_of(command.words, program, command.spread)
    return "" if named is None else named[0]
