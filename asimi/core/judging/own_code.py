"""Whether all code that a command starts is the agent's: in the text, in a file of the repository or a temporary one.

Such code may do anything that its user may; who says yes to it says yes to whatever the agent writes here. What only
looks like it is code of somebody else: a link out, a submodule, what git ignores, what came by the network.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.judging.known import Temporary
from asimi.core.judging.paths import join_shape
from asimi.core.judging.widths import goes_out
from asimi.core.pattern import pattern
from asimi.core.reading.account import NO_FILE, READ
from asimi.core.reading.checks import ENVIRONMENTS, check_of
from asimi.core.reading.commands import SYSTEM
from asimi.core.reading.shapes import MARKS
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading

PLAIN = pattern(r"--|-(?:u|B|E|I|O|OO|s|w|e|x|eu|ex|ux|eux)|--(?:enable-source-maps|trace-warnings|no-warnings)")
"""Options of interpreters and shells before a script, which load no other code."""

_PYTHON = pattern(r"python[\d.]*")
"""Names of Python's interpreter, of whatever version."""

_GO = pattern(r"[\w./-]+\.go")
_BUILD = pattern(
    r"go build(?: -(?:a|race|trimpath|v|x))* -o [\w./-]+(?: -(?:a|race|trimpath|v|x))*(?: \.(?:/[\w-][\w.-]*)*/?)?"
)
"""What builds one package of the project, and does no more."""

TARGET = pattern(r"[A-Za-z0-9_][\w.-]*|-j\d*|-[ksB]")
"""Words of make that name a target, or change only how it goes on."""

LOCAL = (*SYSTEM, "/usr/local/bin", "/opt/homebrew/bin")
"""Directories in which a known name means its program."""

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""The names under which make looks for its file, in its order (GNU make, Makefile Names)."""

_BROUGHT = frozenset({".git", "node_modules", "site-packages", *ENVIRONMENTS})
"""Directories of what somebody else made, whether git ignores them or not."""

EFFECTS = frozenset({"code", "read", "write", "network"})
"""Effects of what runs own code; the network is for `go run`, which takes the modules that its tests take, and for what
is itself a file of the project (`./gradlew`)."""


class Project(NamedTuple):
    """The project, as one text finds it.

    Attributes:
        reading: what the request would do.
        paths: where its words lead.
        root: the project root, a real path.
        keeps: whether asimi keeps calls for undo, by which it can tell who made a file.
    """

    reading: Reading
    paths: Paths
    root: str
    keeps: bool

    def owns(self, command: Command) -> bool:
        """Whether all code that a command starts is the agent's: the project's, a temporary file's, or the text's."""
        program, effects, words = command.program, command.effects, [each or "" for each in command.literals]
        at, *others = self.paths.at(command)
        if others or at is None or not MARKS.isdisjoint(at) or command.defined or self.root == self.paths.machine.home:
            return False
        inside = [each for each in self.reading.commands if command.is_around(each)]
        plain = words[:2] == ["uv", "run"] and "".join(words[2:3])[:1] not in {"", "-"}
        if inside and (plain or ((check := check_of(command.words)) is not None and check.by_effects)):
            return all(map(self.owns, inside))  # of `uv run FILE`, `poetry run python`
        script = "/" in words[0] or (command.via == "uv" and words[0].endswith(".py"))
        path = join_shape(at, words[0]) if script and "://" not in words[0] else ""  # uv fetches a URL
        named = self.paths.real(path) if path else ""
        if program is None or effects is None:
            return bool(named) and program is None and self._has_program(named, command)
        if not effects <= EFFECTS or "builtin" in program.traits or None in command.literals[:2]:
            return False
        local = all(each.rpartition("/")[0] in LOCAL for each in (path, named))  # the name of another link says nothing
        if named and not local and not self._is_python(path, named):
            return None not in command.literals and not any(map(goes_out, words)) and self._has_program(named, command)
        if words[:2] == ["go", "run"]:
            files = [self.paths.real(join_shape(at, each)) for each in takewhile(_GO.fullmatch, words[2:])]
            if files:
                return all(self._has([each]) for each in files)
            package = "".join(words[2:3])
            plain = package[:1] == "." and "..." not in package
            return plain and self._has_package(self.paths.real(join_shape(at, package)))
        if "network" in effects:
            return False
        if command.inline is not None and not {"code.given", "code.input"}.isdisjoint(command.kinds or ()):
            return True
        if program.name == "make":
            plain = all(TARGET.fullmatch(each) and not goes_out(each) for each in words[1:])
            return plain and self._has_first(at, *MAKEFILES)
        index = next((index for index, each in enumerate(words) if index and not PLAIN.fullmatch(each)), 0)
        if words[index] == "-m" and program.name.startswith("python"):
            name = "".join(words[index + 1 : index + 2]).replace(".", "/")
            return self._has_first(at, f"{name}/__main__.py", f"{name}.py")
        reads = {touch.word for touch in command.account.touches if touch.how == "read"}
        runs = bool(program.shell) or ("wide" in program.traits and index in reads)
        return runs and words[index][:1] not in {"", "-"} and index > 0 and self._has(self.paths.leads(command, index))

    def _is_python(self, path: str, real: str) -> bool:
        """Whether a program is the Python of an environment that the project holds: a link to one outside (venv)."""
        environment, _, name = path.rpartition("/bin/")
        around, _, kind = environment.rpartition("/")
        if kind not in ENVIRONMENTS or not all(map(_PYTHON.fullmatch, (name, real.rpartition("/")[2]))):
            return False  # a floor keeps only these as they are
        holder = self.paths.real(around)
        here = self._has_package(holder) and self.paths.real(f"{environment}/bin") == f"{holder}/{kind}/bin"
        away = not is_below(real, self.root) and not Temporary(self.root, self.paths.machine).holds(real)
        return here and away and self.paths.machine.kind(real) == "file" and not self.paths.machine.fetched(real)

    def _has_first(self, at: str, *names: str) -> bool:
        """Whether the first of some files that is there is one of this project's."""
        found = [path for each in names if self.paths.machine.kind(path := self.paths.real(f"{at}/{each}")) == "file"]
        return self._has(found[:1])

    def _has(self, led: list[str]) -> bool:
        """Whether a path is one file of the project's, or a temporary one, that nobody else brought, or of the text."""
        path, *others = led or [""]
        machine = self.paths.machine
        if others or not self.keeps or goes_out(path.rpartition("/")[2]):
            return False
        there = machine.kind(path) == "file" or path in written_by(self.reading, self.paths)
        temporary = Temporary(self.root, machine).holds(path) and not machine.fetched(path)
        return there and (temporary or not self.is_third_party(path))

    def _has_program(self, path: str, command: Command) -> bool:
        """Whether a program is such a file, or what the text has just built in the project or among temporary files."""
        held = self._holds(path) or Temporary(self.root, self.paths.machine).holds(path)
        built = self.keeps and held and not goes_out(path.rpartition("/")[2]) and self._is_built(path, command)
        return built or self._has([path])

    def _is_built(self, path: str, command: Command) -> bool:
        """Whether `go build -o PATH` of a package of the project makes a file before a command that runs only then.

        So it is where nothing else in the text does more than look, but for other runs of that file.
        """
        at, text = command.span[0], self.reading
        for each in text.commands:
            words = [word or "" for word in each.literals]
            if not (_BUILD.fullmatch(" ".join(words)) and each.simple and each.outer and each.own):
                continue
            others = [
                one
                for one in text.commands
                if not (one.possible or one is each or one.literals[0] == command.literals[0])
            ]
            still = all(one.effects is not None and one.effects <= READ for one in others)
            written = any(writes and name not in NO_FILE for name, _, writes in text.targets)
            packages = [words[-1] if words[-1][:1] == "." else ".", "."]
            places = [
                self.paths.real(join_shape(here or "/", name)) for here in self.paths.at(each) for name in packages
            ]
            own = still and not written and all(map(self._has_package, places))
            if own and each.span[1] <= at < each.simple.then and path in made_by_check(each, self.paths):
                return True
        return False

    def _has_package(self, path: str) -> bool:
        """Whether a directory is in the project's repository, and git does not ignore what is in it."""
        machine = self.paths.machine
        here = path == self.root or machine.kept(f"{path}/a") != "ignored"
        return machine.kind(path) == "directory" and self._holds(path) and here

    def is_third_party(self, path: str) -> bool:
        """Whether somebody else brought a file: it is another repository's, git ignores it, or it was fetched."""
        machine = self.paths.machine
        return not self._holds(path) or machine.kept(path) == "ignored" or machine.fetched(path)

    def _holds(self, path: str) -> bool:
        """Whether a path is in the repository of the project, and in none below it."""
        parts = path[len(self.root) :].split("/")
        if not MARKS.isdisjoint(path) or not is_below(path, self.root) or not _BROUGHT.isdisjoint(parts):
            return False
        around = path.rpartition("/")[0] if self.paths.machine.kind(path) != "directory" else path
        return self.paths.machine.repository(around) == self.paths.machine.repository(self.root)


def made_by_check(command: Command, paths: Paths) -> frozenset[str]:
    """The files that a check makes where its options say (`go build -o`)."""
    check = check_of(command.words)
    made = () if check is None or check.goes else check.made
    return frozenset(paths.real(join_shape(at, each)) for at in paths.at(command) if at is not None for each in made)


def written_by(reading: Reading, paths: Paths) -> frozenset[str]:
    """The paths that redirections of a text write."""
    targets = (paths.targets(name, span) for name, span, writes in reading.targets if writes)
    return frozenset(path for each in targets for path in each)
