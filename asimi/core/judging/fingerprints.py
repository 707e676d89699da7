"""What a call is for, whatever its spelling: its fingerprints, by which the breaker knows what was refused before.

A fingerprint is a line of text, and two calls are for the same if they share one. It says what a command would do, not
how it is written: wrappers are looked through, paths are real ones, order and flags do not count.

=========================================  ==================================================================
a command that                             is for
=========================================  ==================================================================
removes, moves or writes files             each of these files: `delete /home/me/app/build`
only reads files                           each of these: `read /etc/shadow`
uses the network or publishes, by a URL    the address: `network example.com/x`
pushes, fetches or pulls by git            the repository, the remote and what becomes of it there
runs a file                                the file, and what it is given: `run /home/me/app/deploy.sh prod`
anything else                              its effects, its program and subcommand, operands and values of options;
                                           where its code decides, also the directory
=========================================  ==================================================================

Only what was asked about or denied counts, of the whole text; what only reads, only where nothing else was; what only
passes on what another one prints, not at all. So a part of a directory is another fingerprint than the directory,
`mv x /tmp` than `rm x`, `git push --force` than `git push`. Where the rest of the text decides what a command does (its
input, a variable), the whole text counts as it is written. A program text that builds its names, or a second address
for the same thing, is not seen through.
"""

from __future__ import annotations

from contextlib import nullcontext
from itertools import takewhile
from posixpath import normpath
from typing import TYPE_CHECKING

from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Verdict
from asimi.core.errors import ShellSyntaxError
from asimi.core.judging.known import FREE
from asimi.core.judging.machine import LEXICAL
from asimi.core.judging.paths import Paths, TooManyError
from asimi.core.judging.places import Places
from asimi.core.judging.zones import shown_of
from asimi.core.pattern import pattern
from asimi.core.programs import plain
from asimi.core.reading.account import NONE, OF_CHANGES, READ, SILENT
from asimi.core.reading.arguments import COMPUTED, SEPARATOR
from asimi.core.reading.commands import SYSTEM, AddedWord, base
from asimi.core.reading.shapes import ANY, MANY, SOME
from asimi.core.syntax import line_of
from asimi.core.syntax.nodes import Pipe

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from asimi.core.call import Decision, Request, Span
    from asimi.core.judging.places import Place
    from asimi.core.judging.policy import Policy
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command
    from asimi.core.reading.arguments import Argument

MOST = 64
"""Intents of one call; one that is for more is for that."""

LONGEST = 240
"""Characters of a fingerprint; a longer one ends with a digest of the rest."""

FILES = frozenset({"read", "write", "delete"})
"""Effects that the files of a command say."""

PLAINLY = frozenset({"unlisted", "rejected"})
"""Reasons that say nothing of what a command would do."""

REMOTES = frozenset({"fetch", "pull", "push"})
"""Subcommands of git that name a remote, then what they take or send (git-push(1), git-fetch(1), git-pull(1))."""

CODES = frozenset({"-c", "-e", "-m", "-s"})
"""Options of shells and interpreters with which they run no file that an operand names."""

NO_FILES = NONE | {"", "enter", "repository"}
"""Roles of words that are compared as they are written."""

ASIDE = frozenset({"--body", "--description", "--jobs", "--message", "--notes", "--title"})
"""Options with texts for people, or with how many work at once: what is done is the same."""

MODES = frozenset("--all --amend --global --hard --keep --merge --mixed --soft --staged --system --tags --user".split())
"""Flags that say which thing is meant, though the effects are the same."""

READERS = frozenset({"code", "input", "interprets", "opaque", "takes"})
"""Traits of programs that do what another command prints to them."""

STREAM = "-"
"""The word by which most programs mean their input."""

_URL = pattern(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://(?:[^/@]*@)?([^#]+)")


def fingerprints_of(policy: Policy, request: Request, decision: Decision) -> frozenset[str]:
    """What is refused of a request, or asked about; of an allowed one, what it is for.

    Args:
        policy: what judged it.
        request: the request.
        decision: what was decided about it.
    """
    try:
        reading = policy.readings.of(request)
        budget = Budget(reading.left)
        guard = policy.guard
        with nullcontext() if guard is None else guard.one_look(budget):
            if guard is None:
                places = Places(reading, Paths(LEXICAL, request, reading, budget))
            else:
                places = guard.look(request, reading, budget).places
            found = _Intents(line_of(request), places, decision).all()
    except (ShellSyntaxError, OverBudgetError, TooManyError):
        return frozenset({"a text that is too much to compare"})
    found = found or {f"the text {_plainly(line_of(request))} in {request.place.path}"}
    return frozenset(map(_short, found)) if len(found) <= MOST else frozenset({f"more than {MOST} things at once"})


class _Intents:
    """Those of one request."""

    def __init__(self, line: str, places: Places, decision: Decision) -> None:
        self.line, self.paths, self.places, reading = line, places.paths, places, places.reading
        self.commands = [each for each in reading.commands if (not each.possible or each.called) and not each.defined]
        self.binds = bool(reading.variables.names())
        self.starters = dict(self._starters())
        self.seen_through = {by for each, by in self.starters.items() if not each.loose and not each.called}
        self.by: dict[Command | None, list[Place]] = {}
        for place in self.places.all():
            if place.path not in FREE:
                self.by.setdefault(place.by, []).append(place)
        self.parts = {
            (part.words, part.span, part.via)
            for part in decision.parts
            if decision.verdict in {Verdict.ALLOW, part.verdict}
        }
        self.spans = [each.span for each in decision.reasons if each.code not in PLAINLY]  # what is said besides

    def all(self) -> Collection[str]:
        """All of them; what only reads, only where that is all."""
        grave: dict[str, None] = {}
        mild: dict[str, None] = {}
        for command in self._subject_commands():
            effects = command.effects
            if command not in self.seen_through and self._is_idle(command, effects):
                continue
            only_looks = effects is not None and effects <= READ and not self._is_said_of(command.span)
            (mild if only_looks else grave).update(dict.fromkeys(self._of(command)))
        for place in self.by.get(None, ()):
            if place.span is not None and self._is_said_of(place.span):
                grave.update(dict.fromkeys((*_change_lines([place]), *_read_lines([place]))))
        return grave or mild

    def _is_idle(self, command: Command, effects: frozenset[str] | None) -> bool:
        """Whether a command does nothing by itself: it has no effects, or only looks at what another one prints."""
        if effects is None or not effects or command.literals in SILENT:
            return effects is not None
        piped = command.simple is not None and isinstance(command.simple.input, Pipe)
        return effects == READ and piped and not any(_read_lines(self.by.get(command, ())))

    def _starters(self) -> Iterator[tuple[Command, Command]]:
        """Each command that another one starts, with that one, the nearest."""
        before: dict[str | None, list[Command]] = {}
        for command in self.commands:
            for each in reversed(before.get(command.via, ()) if command.via is not None else ()):
                self.paths.budget.spend(1)
                if _is_inside(command.span, each.span):
                    yield command, each
                    break
            before.setdefault(command.name, []).append(command)

    def _subject_commands(self) -> Iterable[Command]:
        """The commands that the decision is about, and all that these start."""
        innermost = {each for span in self.spans if span is not None for each in self._innermost(span)}
        everything = not self.parts and not innermost
        found: dict[Command, None] = {}
        for command in self.commands:
            by, origin = self.starters.get(command), command.origin or command
            if (
                everything
                or command in innermost
                or by in found
                or (origin.literals, command.span, command.via) in self.parts
            ):
                found[by if command.loose and by is not None else command] = None
        return found

    def _innermost(self, span: Span) -> list[Command]:
        """The commands that a reason is about which names a part of the text."""
        self.paths.budget.spend(len(self.commands))
        around = [each for each in self.commands if _is_inside(span, each.span)]
        least = min((each.span[1] - each.span[0] for each in around), default=0)
        return [each for each in around if each.span[1] - each.span[0] == least]

    def _is_said_of(self, span: Span) -> bool:
        """Whether something else is said of a part of the text than that nothing lists it."""
        return any(each is not None and _is_inside(each, span) for each in self.spans)

    def _of(self, command: Command) -> Iterator[str]:
        """What one command is for."""
        effects, places = command.effects, self.by.get(command, [])
        changed = list(_change_lines((each for each in places if each.how != each.tree.here), self._tests(command)))
        removes = any(not each.startswith("write ") for each in changed)
        if changed and (removes or command.inline is not None or (effects is not None and effects <= FILES)):
            yield from changed
            if effects is not None and effects <= FILES:
                return
        if command in self.seen_through:
            return
        if effects == READ and (read := list(_read_lines(places))):
            yield from read
        else:
            yield from self._in_words(command, effects)

    def _tests(self, command: Command) -> str:
        """The conditions of the search that hands a command its files, if it is one of `find`."""
        search = command if command.name == "find" else self.starters.get(command)
        if search is None or search.name != "find":
            return ""
        words = [_plainly(search.text_of(word)) for word in search.words[1:]]
        begin = next((at for at, word in enumerate(words) if word[:1] in {"-", "(", "!"}), len(words))
        tests = takewhile(lambda word: word != "-delete" and not word.startswith(("-exec", "-ok")), words[begin:])
        return " ".join(tests).replace("-type f", "").replace("-print0", "").replace("-depth", "").strip()

    def _in_words(self, command: Command, effects: frozenset[str] | None) -> Iterator[str]:
        """What a command is for whose files do not say it."""
        looked = command.account.touches
        bases = self.places.bases(command, looked)[-1][1]
        arguments = command.arguments
        operands = [each for each in arguments if each.option is None or each.option is COMPUTED]
        file = _file(command, arguments, operands)
        if file is not None:
            behind = [_plainly(command.text_of(word)) for word in command.words[file + 1 :]]
            again = command.with_words((command.words[0], *command.words))  # no word of its own is the first
            yield from (" ".join(("run", each, *behind)) for each in self._word_targets(again, file + 1, 0, bases))
            return
        urls = [match[1].rstrip("/") for each in operands if (match := _URL.match(each.text))]
        if urls and effects is not None and effects <= FILES | {"network", "publish"}:
            yield from (f"{'publish' if 'publish' in effects else 'network'} {each}" for each in urls)
            return
        if command.program is None:
            words = [_plainly(command.text_of(word)) for word in command.words[1:]]
            named = [command.name or _plainly(command.text_of(command.words[0]))]
            given = sorted(normpath(each) if "/" in each and "://" not in each else each for each in words)
        else:
            named = [_full(level.row, command.text_of(command.words[level.start - 1])) for level in command.levels]
            names = {name for each in arguments for name in each.names}
            given = _at_remote(named, operands) or self._operands_and_values(command, arguments, bases)
            given += sorted(MODES & names)
        does = f" ({', '.join(sorted(effects))})" if effects else ""
        fed = f" in `{_plainly(self.line)}`" if self._is_fed(command) else ""
        yield shown_of(" ".join((*named, *given))) + self._where(command, effects, bases) + fed + does

    def _is_fed(self, command: Command) -> bool:
        """Whether the rest of the text decides what a command does: by its words, or by its input."""
        computed = (self.binds or not command.outer) and any(word.literal is None for word in command.words)
        if computed or any(isinstance(word, AddedWord) for word in command.words):
            return True
        given = None if command.simple is None else command.simple.input
        if not isinstance(given, Pipe):
            return given is not None and given.target.literal not in FREE
        reads = command.program is None or not command.program.traits.isdisjoint(READERS)
        return reads or STREAM in command.literals or command.account.tree.unpacks

    def _operands_and_values(
        self, command: Command, arguments: Sequence[Argument], bases: Iterable[str | None]
    ) -> list[str]:
        """The operands in order, then the values of options."""
        files = {(each.word, each.option): each for each in command.account.touches if each.how not in NO_FILES}
        entered = {each.word for each in command.account.touches if each.how == "enter"}
        operands, values = [], set()
        for each in arguments:
            option = each.option
            if option is SEPARATOR or (option is not None and option.names and each.value is None):
                continue
            at = each.at if option is None or not option.names else each.value_at
            touch = files.get((at, bool(option is not None and option.names)))
            led = (
                []
                if touch is None or command.literals[at] == STREAM
                else self._word_targets(command, at, touch.start, bases)
            )
            if option is None or not option.names:
                operands.append(" ".join(led) or _plainly(command.text_of(command.words[at])))
            elif at not in entered and ASIDE.isdisjoint(option.names) and each.value is not None:
                name = option.names[-1] or each.text
                values.add(f"{name}={' '.join(led) or _plainly(each.value.literal or command.text_of(each.value))}")
        return [*operands, *sorted(values)]

    def _word_targets(self, command: Command, word: int, start: int, bases: Iterable[str | None]) -> list[str]:
        """Where a word leads, as far as that is known."""
        found = self.paths.leads(command, word, start, bases=bases)
        return [shown_of(each) for each in found if ANY not in each and MANY not in each]

    def _where(self, command: Command, effects: frozenset[str] | None, bases: Iterable[str | None]) -> str:
        """The directory, or its repository, where that decides what a command does."""
        if effects is not None and "code" not in effects and "repository" not in command.traits:
            return ""
        found = {ANY if each is None else self.paths.real(each) for each in bases if each is None or ANY not in each}
        if "repository" in command.traits:
            found = {self.paths.machine.repository(each) or each for each in found}
        return " in " + " or ".join(map(shown_of, sorted(found)))


def _change_lines(places: Iterable[Place], tests: str = "") -> Iterator[str]:
    """The files that are removed, moved and written, as far as they are known; of those found, by which tests."""
    for place in places:
        path = place.path.removesuffix(f"/{SOME}") if place.how in OF_CHANGES and place.tree.deep else place.path
        if place.how in OF_CHANGES and ANY not in path and MANY not in path:
            found = f"/**/{shown_of(place.found)}" if place.found else ""
            found = f"/** {tests}" if place.found is not None and tests else found
            yield f"{place.how} {shown_of(path) or '/'}{found}"


def _read_lines(places: Iterable[Place]) -> Iterator[str]:
    """The files that are read, as far as they are known."""
    for place in places:
        stream = place.path.endswith(f"/{STREAM}")
        if not stream and place.how in {"look", "read", "kept"} and ANY not in place.path and MANY not in place.path:
            yield f"read {shown_of(place.path)}"


def _file(command: Command, arguments: Sequence[Argument], operands: Sequence[Argument]) -> int | None:
    """The index of the word that names the file which a command runs; None where it runs none that is named."""
    first, program = command.literals[0] or "", command.program
    if program is None:
        return 0 if "/" in first and first.rpartition("/")[0] not in SYSTEM else None
    given = {name for each in arguments for name in each.names}
    if (
        not operands
        or operands[0].text == STREAM
        or not CODES.isdisjoint(given)
        or not (program.shell or "code" in command.traits)
    ):
        return None
    return operands[0].at


def _full(row: Program, written: str) -> str:
    """The name of a program or a subcommand: its row's where it is that in short or with a version, else its own."""
    name = plain(base(written))
    return row.name if row.name.startswith(name) or name.rstrip("0123456789.-") == row.name else name


def _at_remote(named: Sequence[str], operands: Sequence[Argument]) -> list[str]:
    """What becomes of which remote of git; nothing where that is not what a command does."""
    if len(named) != 2 or named[0] != "git" or named[1] not in REMOTES:
        return []
    texts = [each.text for each in operands] or ["origin"]
    specs = [each.lstrip("+") for each in texts[1:]]
    ends = {each if each[:1] == ":" else each.rpartition(":")[2].removeprefix("refs/heads/") for each in specs}
    return [_URL.sub(r"\1", texts[0]), *(sorted(ends) or ["HEAD"])]


def _plainly(text: str) -> str:
    """A text without what only sets its words apart."""
    return " ".join(text.split()).rstrip(" ;")


def _short(fingerprint: str) -> str:
    """A fingerprint that is not too long to keep."""
    if len(fingerprint) <= LONGEST:
        return fingerprint
    from hashlib import sha256

    return f"{fingerprint[:LONGEST]}… {sha256(fingerprint.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _is_inside(span: Span, other: Span) -> bool:
    return other[0] <= span[0] and span[1] <= other[1]
