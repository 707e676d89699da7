"""A project's own checks: which commands are some, and whether what they run is what a person has seen.

A check runs code that an agent may have written, such as tests. Certain is only which check it is: its name, its
arguments, and that the files that say what it does (`Makefile`, the scripts of `package.json`, a tool's section) are
as a person confirmed them.
"""

from __future__ import annotations

import os.path
from types import MappingProxyType

from asimi.core.call import is_below
from asimi.core.judging.matching import SYSTEM
from asimi.core.judging.paths import Paths, TooManyError
from asimi.core.programs import find
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut, levels_of, role_of, roles_beside
from asimi.core.reading.commands import base
from asimi.core.reading.values import fault_of
from asimi.core.startup import TYPE_CHECKING, NamedTuple, cache, pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Request
    from asimi.core.judging.machine import Machine
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.arguments import Argument
    from asimi.core.syntax.nodes import Word

NAMES = frozenset({"test", "lint", "typecheck", "check", "build"})
"""Targets and scripts that are checks."""

BEGINNINGS = ("test:", "lint:")
"""Beginnings of others that are."""

QUIET = frozenset(
    "-s --silent -q --quiet -v --verbose -n --dry-run --color --no-color --loglevel --if-present"
    " --ignore-scripts".split()
)
"""Options that are harmless where the catalogue does not say of all options what they do."""

CHECKED = frozenset(
    "CHECKNAMES COVREPORT DOTNETLOGGER FORMATTER GOFLAGS JSENVIRONMENT JSREPORTER PYTESTPLUGIN REPORT"
    " RUBYFORMATTER".split()
)
"""Readers that know all values that are harmless, also to a check."""

_GLUED = pattern(r"-[A-Za-z]+")
"""The beginning of a word whose value may follow right behind each letter of its options."""

ENVIRONMENTS = frozenset({".venv", "venv"})
"""Where a project keeps its virtual environment, and the kind of the definition that says which programs are there."""

SHOWN = frozenset({"check", "freeze", "list", "show"})
"""Subcommands of pip that say what is installed."""

_ENVIRONMENT = pattern(r"(?:\./)?\.?venv/bin")
"""Where a project keeps its own Python and its tools."""

_HELD = ("vendor-", "gem-")
"""The beginnings of the kinds of programs that a project holds where it starts them."""

_VENDOR = pattern(r"(?:\./)?vendor/bin")
"""Where a project keeps the tools that Composer installs."""

_MODE, _HERE = pattern(r"(?:test|testing|dev|development|local|ci)?"), pattern(r"(?:localhost|127\.0\.0\.1|::1|/.*)?")
_CHOOSE = dict.fromkeys(("APP_ENV", "FLASK_ENV", "MIX_ENV", "RACK_ENV", "RAILS_ENV"), _MODE) | {"PGHOST": _HERE}
"""Variables that say which services the code of a project uses, with the values by which these are its own."""

USUAL = "(usual)"
"""Stands for the target that a tool takes where a command names none."""

NEXT = "(version)"
"""Stands for what npm does to give a package its next version."""

DRY = "-n"
"""Stands for what make only shows."""

_STUBS = pattern(r"(?:\./)?bin")
"""Where a project keeps the programs of its gems (Bundler, bundle binstubs)."""

_PACKAGES = pattern(r"(?:\./)?node_modules/\.bin")
"""Where a project keeps the tools of the packages that its `package.json` names."""

WORKSPACE = "workspace"
"""The kind of the definition that only says which packages a project has, and where."""

_RECIPE = pattern(r"""[ ]*[A-Za-z][\w./-]*(?:[ ]+(?:[\w@%+=:,./*-]+|'[\w@%+=:,./* -]*'|"[\w@%+=:,./* -]*"))*[ ]*""")
"""A command of plain words, which every shell reads the same."""

MOST_RECIPES = 3
"""Scripts that may each run the next one."""

_PATTERN = pattern(r"[*!^{}]|\.\.\.")
"""What may mean other packages than the one that is named (pnpm, Filtering)."""

EVERY, TOP = "*", "/"
"""Which packages: all of them, and the one that names the others."""


class Definition(NamedTuple):
    """What says what the checks of one kind do in one directory.

    Attributes:
        names: the targets or scripts that it has, or the programs of an environment; empty of a tool.
        seen: whether a person has confirmed it once.
        change: how it differs from that, as lines; empty where it does not.
        watched: the beginnings of the real paths of all files that it could be in.
        content: where it is, with a digest of all that counts: `KIND:DIRECTORY DIGEST`.
        whole: whether the lines are all of the change.
        members: of `WORKSPACE`, the name and the real path of each package, the one that names the others first.
        recipes: what other targets or scripts run, of those that run nothing else, as shell text.
    """

    names: frozenset[str] = frozenset()
    seen: bool = False
    change: str = ""
    watched: tuple[str, ...] = ()
    content: str = ""
    whole: bool = True
    members: tuple[tuple[str, str], ...] = ()
    recipes: Mapping[str, str] = MappingProxyType({})


class Check(NamedTuple):
    """A command that is a check, if its definition is found.

    Attributes:
        kinds: which definitions it has: `make`, `just`, `scripts`, `runner`, one of `ENVIRONMENTS`, or the name of a
            tool.
        names: its targets or its script.
        paths: its operands that are paths.
        program: the path of its program, if it is not looked up by its name.
        passed: the words that it passes on to a program that nobody knows.
        settings: the files of settings that it is handed, or the directories that hold them.
        goes: the directories that it goes to before that, one from the other.
        packages: in which packages of a workspace it runs, by a name, a path or a pattern; empty where it goes to none.
    """

    kinds: tuple[str, ...]
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    program: str = ""
    passed: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    goes: tuple[str, ...] = ()
    packages: str = ""

    @property
    def recipes(self) -> tuple[str, ...]:
        """Those of its targets or scripts that are checks only by what they run."""
        own = self.kinds[:1] in (("make",), ("just",), ("scripts",))
        return tuple(each for each in self.names if own and not is_name(each) and each not in {DRY, NEXT})


class Answer(NamedTuple):
    """What is said of a check.

    Attributes:
        sure: whether it is as a person has seen it.
        why: if not, why.
        seen: whether a person has seen it at all.
        changed: the contents that have changed since then.
        whole: whether the words tell all of the change.
    """

    sure: bool
    why: str = ""
    seen: bool = True
    changed: tuple[str, ...] = ()
    whole: bool = True


def is_name(text: str) -> bool:
    """Whether a target or a script of this name is a check."""
    return text in NAMES or text.startswith(BEGINNINGS)


class Said(NamedTuple):
    """What a row says of checks.

    Attributes:
        reader: what reads the arguments, one of `_READERS` or `INSTALLED`; empty where it is no check.
        of: what else is said, by name: `run` and `test` are words behind which a script is and that start the script
            `test`, `short` and `not` whether a script may be named alone and which is none, `own` behind which word
            options are the program's own; `verbs` the subcommands that are checks, `needs` their options, `behind` the
            words that pass on the rest; `tasks` the tasks that are, with `*` behind those that may go on with a
            capital letter, `bare` whether there may be none, `projects` whether the path of a project may be before
            one; `kind` which definition it has, `within` whether only below a subcommand of that name; `module` whether
            Python starts it by `-m`, `gem` whether `bundle exec` does, `wrapper` the name by which it is a file of the
            project, `vendor` whether Composer installs it, `passes` whether all words may be paths, `local` the verbs
            that need a target on this machine; `lists` what only says what is installed, and `alone` options besides
            `--version` that say something of the tool; `at`, `of`, `all`, `top` and `plain` the options of `_placed`,
            `member` the word that does as `of` does, `past` words behind which they may be, and `anywhere` whether they
            may be behind all; `settings` the options that name a file of settings.
    """

    reader: str
    of: dict[str, frozenset[str]]


@cache
def _said(text: str) -> Said:
    """What a row says of checks, in its own words: `TOOL verbs=check|format module`."""
    reader, *others = text.split() or [""]
    pairs = (each.partition("=") for each in others)
    return Said(reader, {name: frozenset(filter(None, values.split("|"))) for name, _, values in pairs})


def _is_module(name: str) -> bool:
    """Whether a tool is a check that Python starts with `-m`, and `uv run` and its like do."""
    program = find(name)
    return program is not None and program.name == name and "module" in _said(program.check).of


def _is_wrapper(program: Program, name: str) -> bool:
    """Whether a program is a module of the project by this name."""
    said = _said(program.check).of
    return "module" in said and name in said.get("wrapper", ())


def check_of(words: Sequence[Word]) -> Check | None:
    """The check that a command is; None if it is none, or one with arguments that are not known to be harmless."""
    texts = [word.literal for word in words if word.literal is not None]
    program = find(base(texts[0])) if texts and len(texts) == len(words) else None
    placed = None if program is None else _placed(words, program)
    if program is None or placed is None:
        return None
    words, goes, packages = placed
    found = _check_here(words, program)
    if found is None or (program.name == "npm" and goes and found.kinds != ("scripts",)):
        return None  # `npm exec --prefix` starts a tool of that directory in this one
    if packages and found.names == (NEXT,):
        return None  # it installs anew
    return found._replace(goes=goes, packages=packages) if goes or packages else found


def _placed(words: Sequence[Word], program: Program) -> tuple[Sequence[Word], tuple[str, ...], str] | None:
    """A command without the options that only say where it runs; None if they do not say that.

    Returns:
        Its other words, the directories that it goes to, and in which packages it runs: `EVERY` where it may be any.
    """
    said = _said(program.check).of
    at, of, every, top, plain = (said.get(each, frozenset()) for each in ("at", "of", "all", "top", "plain"))
    past = said.get("past", frozenset())
    gone, goes, chosen = set[int](), list[str](), list[str]()
    for each in cut(words, program.syntax, ends=False) if at or of else ():
        names = frozenset(each.option.names) if each.option is not None else frozenset({each.text})
        behind = each.value_at
        if each.option is None and each.text in said.get("member", ()):
            behind = each.at + 1
            chosen.append((words[behind].literal or "") if behind < len(words) else "")
        elif each.option is SEPARATOR or (each.option is None and "anywhere" not in said and each.text not in past):
            break
        elif names & (at | of):
            (goes if names & at else chosen).append("" if each.value is None else each.value.literal or "")
        elif names & (every | top):
            chosen.append(EVERY if names & every else TOP)
        elif not names & plain:
            continue
        gone.update((each.at, behind or each.at))
        if each.option is None:
            break
    if len(goes) > 1 or not all(each and each[0] != "-" for each in (*goes, *chosen)):
        return None
    packages = chosen[0] if len(chosen) == 1 else EVERY if chosen else ""
    return [word for at_word, word in enumerate(words) if at_word not in gone], tuple(goes), packages


def _check_here(words: Sequence[Word], program: Program) -> Check | None:
    """The check that a command is which says no more where it runs."""
    texts = [word.literal or "" for word in words]
    directory, reader = texts[0].rpartition("/")[0], _said(program.check).reader
    if directory in SYSTEM:
        return _READERS[reader](words, program) if reader in _READERS else None
    if _PACKAGES.fullmatch(directory):
        found = _of_package(words, program)
        return None if found is None else found._replace(program=texts[0])
    if found := _of_project(words, program, directory):
        return found._replace(program=texts[0])
    read = _installed if reader == "INSTALLED" else _READERS.get(reader)
    found = read(words, program) if read is not None and _ENVIRONMENT.fullmatch(directory) else None
    if found is None or not all(map(_is_module, found.kinds)):
        return None
    return found._replace(kinds=(*found.kinds, _environment(directory)), program=texts[0])


def _of_project(words: Sequence[Word], program: Program, directory: str) -> Check | None:
    """`./gradlew test`, `bin/rails routes`, `vendor/bin/phpunit`: a program that the project holds."""
    said, name = _said(program.check).of, base(words[0].literal or "")
    kind = name if directory == "." and name in said.get("wrapper", ()) else ""
    for holder, place in (("vendor", _VENDOR), ("gem", _STUBS)):
        if holder in said and place.fullmatch(directory):
            kind = f"{holder}-{name}"
    found = _tool(words, program) if kind else None
    return None if found is None else found._replace(kinds=(*found.kinds, kind))


def _targets(words: Sequence[Word], program: Program) -> Check | None:
    """`make TARGET…`, `just RECIPE…`."""
    arguments = list(cut(words, program.syntax))
    harmless = _is_quiet if "quiet" in _said(program.check).of else _is_harmless
    names = tuple(each.text for each in arguments if each.option is None)
    options = [*_options(arguments)]
    if program.name == "make" and any(each.option and DRY in each.option.names for each in options):
        shows = all(map(harmless, options)) and all(map(_TARGET.fullmatch, names))
        return Check((program.name,), (DRY,)) if shows else None
    if not names or not all(map(_TARGET.fullmatch, names)) or not all(map(harmless, options)):
        return None
    return Check((program.name,), names)


_TARGET = pattern(r"[\w./-]+")

_NO_VERBS = frozenset({"fmt", "format"})
"""Other common names of scripts that no package manager has a subcommand of."""


def _script(words: Sequence[Word], program: Program) -> Check | None:
    """`npm test`, `npm run NAME`, and the like of other package managers; what is behind is the script's."""
    arguments = (*cut(words, program.syntax, ends=False),)
    if program.name == "npm" and words[1:] and words[1].literal == "version":
        return _version(arguments)
    named = script_of(words, program, arguments)
    if named is None:
        return _installed_tool(words, program)
    script, at = named
    passed = _literals(words[at + 1 :])
    if not is_name(script):
        tool = _installed_tool(words, program)
        if tool is not None or any(each not in QUIET for each in passed):
            return tool  # what is behind would be for the last command of the script
    plain = is_plain_script(arguments, program, at, words[at].literal or "")
    return Check(("scripts",), (script,), passed=passed) if plain else None


def _version(arguments: Sequence[Argument]) -> Check | None:
    """`npm version patch --no-git-tag-version`, which writes down the next version of a package (npm-version(1))."""
    options = {each.text for each in _options(arguments)}
    names = [each.text for each in arguments if each.option is None][1:]
    plain = "--no-git-tag-version" in options and options <= QUIET | {"--no-git-tag-version"}
    return Check(("scripts",), (NEXT,)) if plain and len(names) == 1 and _VERSION.fullmatch(names[0]) else None


_VERSION = pattern(r"(?:pre)?(?:major|minor|patch)|prerelease|\d+\.\d+\.\d+(?:-[\w.]+)?")


def is_plain_script(arguments: Sequence[Argument], program: Program, at: int, script: str) -> bool:
    """Whether no option of a package manager leads to another package, or changes how its script is run.

    Args:
        arguments: those of the command, as if no operand ended its options.
        program: its row.
        at: the index of the word that says which script.
        script: that word.
    """
    said = _said(program.check).of
    own = said.get("own") in (frozenset(), {script})  # options behind it are its own, too
    for each in _options(arguments):
        if each.option is SEPARATOR and each.at > at:
            break  # what is behind it is the script's
        if each.text == "--fix" and each.at > at:
            continue  # pnpm has one of its own, for its own subcommand
        if not _is_quiet(each) and (own or each.at < at or each.option is not UNKNOWN):
            return False
    return True


def script_of(words: Sequence[Word], program: Program, arguments: Sequence[Argument]) -> tuple[str, int] | None:
    """The script of `package.json` that a command runs, and the index of the word that says so; None without one.

    Args:
        words: the command.
        program: its row.
        arguments: those of the command, as if no operand ended its options.
    """
    said = _said(program.check).of
    if "run" not in said:
        return None
    operands = [each for each in arguments if each.option is None]
    first, second = [*((words[each.at].literal, each.at) for each in operands), (None, 0), (None, 0)][:2]
    name, at = second if first[0] in said["run"] else first
    if name is None:
        return None
    if first[0] in said["run"] or name == "start":
        return name, at
    if name in said["test"]:
        return "test", at
    is_script = is_name(name) or name in _NO_VERBS or ":" in name
    return (name, at) if "short" in said and is_script and name not in said.get("not", ()) else None


def _tool(words: Sequence[Word], program: Program) -> Check | None:
    """`pytest`, `mypy`, and those subcommands of others that are checks."""
    *before, (row, start, _, sure, *_) = levels_of(words, program)
    said = _said(program.check).of
    kind = next(iter(said.get("kind", ())), program.name)
    if len(words) == 2 and words[1].literal in {"--version", *said.get("alone", ())}:
        return Check((kind,))
    if "verbs" not in said and row.parent is not None:
        return None
    files: list[str] = []
    verb = words[start - 1].literal or "" if "verbs" in said else ""
    if "verbs" in said:
        if (
            row.parent is None
            or not sure
            or verb not in said["verbs"]
            or ("within" in said and kind not in row.parent.name)
        ):
            return None
        general = [each for level in before for each in level.arguments]
        own = said.get("files", frozenset())
        handed_on = [each for each in general if each.option is not None and not own.isdisjoint(each.option.names)]
        if not all(_is_harmless(each) for each in general if each not in handed_on):
            return None
        files = ["" if each.value is None else each.value.literal or "" for each in handed_on]
    needed = next((each.partition(":")[2] for each in said.get("needs", ()) if each.startswith(f"{verb}:")), "")
    arguments = list(cut(words, row.syntax, start))
    behind = next((at for at, word in enumerate(words) if word.literal in said.get("behind", ())), len(words))
    operands = [each for each in arguments if each.option is None and ("tasks" not in said or each.at < behind)]
    fixes = "fixes" in said
    handed = {each.at: each.value for each in _options(arguments) if _hands_settings(each, said)}
    options = (each for each in _options(arguments) if each.at not in handed and (verb or each.text != needed))
    if not all(_is_harmless(each, fixes=fixes) for each in options) or not _is_needed(needed, arguments):
        return None
    without = said.get("without", frozenset())
    if any(each.option is not None and not without.isdisjoint(each.option.names) for each in arguments):
        return None
    if "tasks" in said and not operands and "bare" not in said:
        return None
    roles = roles_beside(arguments, row.syntax)
    paths = []
    for number, each in enumerate(operands):
        role = role_of(roles, number, len(operands))
        if role is None or (role.role.isupper() and fault_of(role.role, words[each.at])):
            return None
        if "filters" in said:
            continue
        if "tasks" in said:
            if not _is_task(each.text, said):
                return None
        elif "packages" not in said:
            paths.append(
                _path(each.text, said, words[start - 1].literal or "")
                if role.role != "data" or "imports" in said
                else ""
            )
        elif needed and each.text != needed:
            return None
    passed = _literals(
        words[1 if "passes" in said else behind :]
    )  # what passes on the rest; package managers pass on all words
    settings = tuple("" if each is None else each.literal or "" for each in handed.values())
    named = files or [USUAL] if "files" in said else []
    if verb in said.get("local", ()):
        given = (each.value for each in arguments if each.option is not None and "--target" in each.option.names)
        named = ["" if each is None else each.literal or "" for each in given] or [USUAL]
    every = (*paths, *settings, *named)
    return Check((kind,), tuple(named), tuple(paths), "", passed, settings) if all(every) else None


_SETTINGS = frozenset({"OWNCONFIG", "PROJECTFILE"})
"""Readers of options that name a file of settings; whether a person has confirmed it is seen where it is."""


def _hands_settings(argument: Argument, said: dict[str, frozenset[str]]) -> bool:
    """Whether an option hands a file of settings to a program."""
    option = argument.option
    own = said.get("settings", frozenset())
    return option is not None and (option.reader in _SETTINGS or not own.isdisjoint(option.names))


def _is_task(text: str, said: dict[str, frozenset[str]]) -> bool:
    """Whether a task is a check: one that is named, or begins with one that is and goes on with a capital letter."""
    name = text.rpartition(":")[2] if "projects" in said else text
    stem = _STEM.match(name)
    return name in said["tasks"] or (stem is not None and f"{stem[0]}*" in said["tasks"])


_STEM = pattern(r"[a-z]+(?=[A-Z]|\Z)")
"""The first word of `testDebugUnitTest`."""

_INSTALLED_TOOLS = {"npx": (), "bunx": (), "npm": ("exec", "x"), "pnpm": ("exec",), "pn": ("exec",), "yarn": ("run",)}
"""Package managers that start an installed tool, with the words that may be, and of npm have to be, before its name."""


def _installed_tool(words: Sequence[Word], program: Program) -> Check | None:
    """`npx tsc`, `npm exec tsc -- --noEmit`, `pnpm exec eslint`, `yarn vitest`: a tool that is installed here."""
    if _lists(words, program):
        return Check(("scripts",))
    name, behind = base(words[0].literal or ""), list(words[1:])
    if name not in _INSTALLED_TOOLS:
        return None
    verbs = _INSTALLED_TOOLS[name]
    if behind and behind[0].literal in (verbs or {"--no-install", "--no"}):
        behind = behind[1:]
    elif name == "npm":
        return None
    if behind and behind[0].literal == "--":
        behind = behind[1:]
    elif name == "npm" and behind[1:]:  # what is before `--` is npm's own
        if behind[1].literal != "--":
            return None
        behind = [behind[0], *behind[2:]]
    tool = find(behind[0].literal or "") if behind else None
    return None if tool is None or behind[0].literal != tool.name else _of_package(behind, tool)


def _of_package(words: Sequence[Word], program: Program) -> Check | None:
    """A tool of a package, which gets all of its words from a program whose row does not say what they are."""
    found = _tool(words, program) if "npm" in _said(program.check).of else None
    return None if found is None else found._replace(passed=_literals(words[1:]))


def _literals(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(word.literal for word in words if word.literal is not None)


def _is_needed(option: str, arguments: Sequence[Argument]) -> bool:
    """Whether an option is given that makes a formatter a check."""
    return not option or any(each.text == option for each in arguments)


def _path(text: str, said: Collection[str], verb: str = "") -> str:
    """The path in an operand: of pytest's what is before `::`, of go's where the packages begin; empty without one."""
    if "imports" in said:
        if text == "." or text.startswith(("./", "../")):
            return text.removesuffix("...") or "."
        return "." if verb in _NAMING and text[0] not in "./~" and _IMPORTED.fullmatch(text) else ""
    return text.partition("::")[0] if "nodes" in said else text


_NAMING = frozenset({"doc", "list", "why"})
"""Subcommands of go that only say something of the packages that they are given, wherever these are."""

_IMPORTED = pattern(r"[\w.~/-]+")


def _covered(words: Sequence[Word], program: Program) -> Check | None:
    """`coverage run -m pytest`, and what coverage itself does with the result."""
    row, start, *_ = levels_of(words, program)[-1]
    if row.name != "run":
        return _tool(words, program)
    for each in cut(words, row.syntax, start):
        if each.option is None:
            module = each.at > start and words[each.at - 1].literal == "-m" and _is_module(each.text)
            found = check_of(words[each.at :]) if module else None
            return None if found is None else found._replace(kinds=(*found.kinds, "covering"))
        if not _is_harmless(each):
            return None
    return None


def _module(words: Sequence[Word], program: Program) -> Check | None:
    """`python -m pytest`, `python manage.py test`."""
    for each in cut(words, program.syntax):
        if each.option is None and (script := find(each.text)) is not None and _is_wrapper(script, each.text):
            return _tool(words[each.at :], script)
        if each.option is not None and "-m" in each.option.names and each.value is not None:
            named = _is_module(each.value.literal or "")
            return check_of([each.value, *words[each.value_at + 1 :]]) if named else None
        if each.text not in {"-B", "-u"}:
            return None
    return None


def _run(words: Sequence[Word], program: Program) -> Check | None:
    """`uv run pytest`, `uv pip list`, `bundle exec rspec`; what it installs first is in the project's own file."""
    if program.name == "uv" and (listed := _listed(words)) is not None:
        return listed
    said = _said(program.check).of
    if _lists(words, program):
        return Check(("bundle" if "exec" in said else "runner",))
    *before, (row, start, *_) = levels_of(words, program)
    if len(before) != 1 or row.name != ("exec" if "exec" in said else "run"):
        return None
    if not _are_quick(cut(words[:start], program.syntax)):
        return None
    arguments = [*cut(words, row.syntax, start)]
    first = next((each.at for each in arguments if each.option is None), len(words))
    behind = words[first:]
    found = check_of(behind) if _are_quick(each for each in arguments if each.at < first) else None
    tool = find(behind[0].literal or "") if behind else None
    if found is None or found.program or found.goes or tool is None:
        return None
    if "gem" in _said(tool.check).of if "exec" in said else _is_module(found.kinds[0]):
        return found._replace(kinds=(*found.kinds, "bundle" if "exec" in said else "runner"))
    return None


def _are_quick(arguments: Iterable[Argument]) -> bool:
    """Whether options only say what less is installed first, or what of that which the project's own file names."""
    options = (each.option for each in arguments if each.option is not None)
    return all(not _QUICK.isdisjoint(each.names) for each in options)


def _lists(words: Sequence[Word], program: Program) -> bool:
    """Whether a package manager only says what is installed or what there is: `pnpm why react`, `bundle list`."""
    texts = [each.literal or "" for each in words[1:]]
    lists = _said(program.check).of.get("lists", frozenset())
    at = next((at for at in (1, 2) if " ".join(texts[:at]).replace(" ", ":") in lists), 0)
    return bool(at) and all(each.partition("=")[0] in _LISTS or _PACKAGE.fullmatch(each) for each in texts[at:])


_PACKAGE = pattern(r"(?:@[a-z0-9][\w.-]*/)?[A-Za-z0-9][\w-]*")

_QUICK = frozenset(
    "--all-extras --all-groups --dev --exact --extra --frozen --group --inexact --locked --no-default-groups --no-dev"
    " --no-group --no-progress --no-sync --offline --only-dev --only-group --quiet -q -v --verbose".split()
)
"""Options of `uv run` by which it installs nothing but what the project's own file names, or less (uv, uv run)."""

_LISTS = frozenset(
    "--all -a --depth --dev --format --frozen --json --latest --locked --long --no-color --parseable --prod --quiet -q"
    " --top --tree -t".split()
)
"""Options of package managers that only say how they list."""


def _listed(words: Sequence[Word]) -> Check | None:
    """`uv tree`, `uv pip list`: what is installed in the environment that the project's own file describes."""
    texts = [each.literal or "" for each in words[1:]]
    at = 1 if texts[:1] == ["tree"] else 2 if texts[:1] == ["pip"] and texts[1:2] and texts[1] in SHOWN else 0
    plain = at and all(each.partition("=")[0] in _LISTS or _PACKAGE.fullmatch(each) for each in texts[at:])
    return Check(("runner",) if at == 1 else ("runner", ".venv")) if plain else None


def _environment(directory: str) -> str:
    """The kind of the environment that a directory of programs is of."""
    return directory.removeprefix("./").partition("/")[0]


def _activate(words: Sequence[Word], program: Program) -> Check | None:
    """`source .venv/bin/activate`, behind which the programs of that environment are found first."""
    del program
    directory, _, name = (words[1].literal or "").rpartition("/") if len(words) == 2 else ("", "", "")
    if name != "activate" or not _ENVIRONMENT.fullmatch(directory):
        return None
    return Check((_environment(directory),), program=f"{directory}/{name}")


def _installed(words: Sequence[Word], program: Program) -> Check | None:
    """`pip list`, which needs no definition but that of its environment."""
    row, start, _, sure, *_ = levels_of(words, program)[-1]
    options = (each for first, of in ((1, program), (start, row)) for each in _options(cut(words, of.syntax, first)))
    known = row is not program and sure and words[1].literal == row.name
    return Check(()) if known and row.name in SHOWN and all(map(_is_harmless, options)) else None


_ACTIVATES = frozenset({".", "source"})

_READERS: dict[str, Callable[[Sequence[Word], Program], Check | None]] = {
    "ACTIVATE": _activate,
    "COVERED": _covered,
    "INSTALLED_TOOL": _installed_tool,
    "MODULE": _module,
    "RUN": _run,
    "SCRIPT": _script,
    "TARGETS": _targets,
    "TOOL": _tool,
}
"""What reads the arguments of a program that may be a check, by what its row says (`check:`)."""


def _is_installed(command: Command) -> bool:
    """Whether a command is pip, and only says what is installed."""
    program = command.program
    if command.escapes or program is None or _said(program.check).reader != "INSTALLED":
        return False
    return _installed(command.words, program) is not None


def _options(arguments: Iterable[Argument]) -> Iterator[Argument]:
    return (each for each in arguments if each.option is not None)


def _is_quiet(argument: Argument) -> bool:
    """Whether an option is one of the few that are harmless everywhere."""
    option = argument.option
    return argument.text in QUIET or (option is not None and not QUIET.isdisjoint(option.names))


def _is_harmless(argument: Argument, *, fixes: bool = False) -> bool:
    """Whether an option only says how a check does what it does: it names no file, directory or program.

    Args:
        argument: the option.
        fixes: whether what it is given may be put right, as linters do.
    """
    option = argument.option
    if option is SEPARATOR:
        return True
    if option is None or option is UNKNOWN or option is COMPUTED or argument.text[:1] != "-":
        return False
    if option.does not in {"options", "writes"} or (option.does == "writes" and option.reader != "REPORT"):
        return False
    changes = {"read", "write", "code"} if fixes else {"read"}
    if option.turns not in {"", *changes} or (option.does == "options" and option.effects - changes):
        return False
    return option.reader in {"", "data"} or (option.reader in CHECKED and not fault_of(option.reader, argument.value))


class Checks:
    """The checks of a project.

    Args:
        machine: this machine.
        look: the definition of a kind of checks in a directory of a project root, or None where there is none: given
            the root, the kind, and the real path of the directory or of a file in it.
        is_kept: whether a real path is one that no check is handed: a secret, what runs by itself, an agent's own.
    """

    def __init__(
        self,
        machine: Machine,
        look: Callable[[str, str, str], Definition | None],
        is_kept: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.machine, self.look, self.is_kept = machine, look, is_kept

    def keeping(self, is_kept: Callable[[str], bool]) -> Checks:
        """The same checks, which are not handed some files."""
        return Checks(self.machine, self.look, is_kept)

    def of(self, request: Request, reading: Reading, budget: Budget) -> Callable[[Command], Answer | None]:
        """What tells of a command of a request whether it is a check as a person has seen it; None if it is none."""
        return _Answers(self, request, reading, budget).answer


class _Answers:
    """The answers on the commands of one request."""

    def __init__(self, checks: Checks, request: Request, reading: Reading, budget: Budget) -> None:
        self.checks, self.request, self.reading, self.budget = checks, request, reading, budget
        self.root = request.place.root
        self._paths: Paths | None = None
        self._there: dict[tuple[str, str], Definition | None] = {}
        self._feeds: dict[str | None, bool] = {}  # by the program that starts make

    @property
    def paths(self) -> Paths:
        """Where the words of the request lead; made when it is first asked for, because few commands are checks."""
        if self._paths is None:
            self._paths = Paths(self.checks.machine, self.request, self.reading, self.budget)
        return self._paths

    def answer(self, command: Command) -> Answer | None:
        """What is said of a command."""
        self.budget.spend(4 + len(command.words))
        escapes = command.escapes and command.name not in _ACTIVATES
        check = None if command.defined or escapes else check_of(command.words)
        if check is None or not self._runs_here(command, set()) or self._feeds_make(command, check):
            return None
        try:
            definitions = self._definitions(self.paths.at(command), check)
            if not definitions:
                return None
            if not all(each.seen for each in definitions):
                return Answer(sure=False, why="nobody has confirmed the checks of this project", seen=False)
            changed = [each for each in definitions if each.change]
            if changed:
                lines = "\n".join(dict.fromkeys(each.change for each in changed))
                why = f"what it runs was changed since it was confirmed:\n{lines}"
                contents = tuple(dict.fromkeys(each.content for each in changed))
                more = self._leaves(self.paths.at(command), check) or self._upset(command, check, definitions)
                whole = not more and all(each.whole for each in changed)
                return Answer(sure=False, why=why, changed=contents, whole=whole)
            if name := self._elsewhere(command):
                return Answer(sure=False, why=f"`{name}` may have it use what others use, such as a database")
            if name := self._shadowed(command, definitions):
                return Answer(sure=False, why=f"behind it, `{name}` would be the one of that environment")
            if word := self._leaves(self.paths.at(command), check):
                why = f"it is handed `{word}`, which may lead out of the project, to a secret or to what runs by itself"
                return Answer(sure=False, why=why)
            first = self._upset(command, check, definitions)
        except TooManyError as error:
            return Answer(sure=False, why=str(error))
        return Answer(sure=False, why=f"`{first}` may change what it runs before that") if first else Answer(sure=True)

    def _is_check(self, command: Command) -> bool:
        """Whether a command is some check by its name; whether that is allowed is judged where it is."""
        check = check_of(command.words) if not command.escapes or command.name in _ACTIVATES else None
        return check is not None and not check.recipes

    def _shadowed(self, command: Command, definitions: Iterable[Definition]) -> str:
        """What of a text may be another program once an environment is active, and is no check; empty if nothing is."""
        names = {name for each in definitions for name in each.names} if command.name in _ACTIVATES else frozenset()
        for other in self.reading.commands if names else ():
            self.budget.spend(1)
            first = other.words[0].literal
            hidden = first is None or first in names
            if hidden and not self._is_check(other) and not _is_installed(other):
                return first or "…"
        return ""

    def _runs_here(self, command: Command, done: set[str]) -> bool:
        """Whether all that starts a command does nothing by itself, and starts it in the same directory."""
        via = command.via
        if via is None or via in done:
            return True
        done.add(via)
        for each in self.reading.commands:
            if each.name != via or each.possible:
                continue
            does = each.effects
            runner = self._is_check(each)
            if not runner and (does is None or does or any(touch.how == "enter" for touch in each.account.touches)):
                return False
            if not self._runs_here(each, done):
                return False
        return True

    def _elsewhere(self, command: Command) -> str:
        """The variable by which a text has code of the project use other services than those for tests, or empty."""
        via = [each or "" for other in self.reading.commands if other.name == command.via for each in other.literals]
        for name, here in _CHOOSE.items():
            given, known = self.reading.variables.all_of(name)
            values = [text for each in given for text in each.values or ()]
            values += [each.partition("=")[2] for each in via if each.startswith(f"{name}=")]
            if (given and not known) or not all(map(here.fullmatch, values)):
                return name
        return ""

    def _feeds_make(self, command: Command, check: Check) -> bool:
        """Whether the text gives a variable what make would expand (GNU make, Variables from the Environment)."""
        if check.kinds[0] != "make":
            return False
        if command.via not in self._feeds:
            self._feeds[command.via] = self._gives_dollar(command.via)
        return self._feeds[command.via]

    def _gives_dollar(self, via: str | None) -> bool:
        """Whether a variable may get a `$`, of the text itself or by the program that make is started by."""
        given = self.reading.variables
        values = [each for name in given.names() for each in given.all_of(name)[0]]
        known = all(given.all_of(name)[1] for name in given.names())
        texts = [text for each in values for text in each.values or ()]
        texts += [each or "$" for other in self.reading.commands if other.name == via for each in other.literals]
        return given.lost or not known or any("$" in text for text in texts)

    def _starts(self, places: Iterable[str | None], check: Check) -> list[str]:
        """The real paths of the directories that a check may go to; empty where one is not known or outside."""
        found = [each and self.paths.real(os.path.join(each, *check.goes)) for each in places]
        known = [each for each in found if each is not None and is_below(each, self.root)]
        return sorted(known) if len(known) == len(found) else []

    def _directories(self, places: Iterable[str | None], check: Check) -> list[str]:
        """The real paths of the directories in which a check may run; empty where one is not known or outside."""
        starts = self._starts(places, check)
        if check.goes and check.kinds == ("scripts",) and not check.packages:  # it looks for no package above
            starts = starts if all(self.checks.machine.kind(f"{each}/package.json") for each in starts) else []
        return sorted({*self._packages(starts, check)}) if check.packages else starts

    def _packages(self, directories: Iterable[str], check: Check) -> Iterator[str]:
        """The real paths of the packages in which a check runs, as far as that can be told, and else of all."""
        for directory in directories:
            known = self._look(WORKSPACE, directory)
            members = () if known is None else known.members
            chosen = [place for name, place in members if name == check.packages]
            if check.packages == TOP:
                chosen = [place for _, place in members[:1]]
            elif not chosen and _PATTERN.search(check.packages):
                chosen = [place for _, place in members]
            elif not chosen:
                above = self.paths.real(f"{directory}/{check.packages}")
                ends = f"/{check.packages}"
                inside = [place for _, place in members if is_below(place, above) and is_below(above, self.root)]
                chosen = inside or [place for name, place in members if name.endswith(ends)]
            if len(chosen) > 1 and check.names:  # a script is run where there is one
                chosen = [place for place in chosen if known is not None and place in known.names]
            yield from chosen

    def _upset(self, command: Command, check: Check, definitions: Iterable[Definition]) -> str:
        """What of the text may change what a check runs before that; empty if nothing does."""
        places = self.paths.at(command)
        watched = {path for each in definitions for path in each.watched}
        watched |= {self._program(each, check) for each in self._directories(places, check) if check.program}
        starts = self._starts(self.paths.at(command), check) if check.packages else []
        there = [each for each in (self._look(WORKSPACE, start) for start in starts) if each is not None]
        watched |= {path for each in there for path in each.watched}
        from asimi.core.judging.upset import upset

        apart = [place for each in there for _, place in each.members[1:]]
        return upset(command, self.reading, self.paths, watched, self._is_check, apart)

    def _leaves(self, places: Iterable[str | None], check: Check) -> str:
        """The first word passed on that may lead out of the project or to what checks are not handed; or empty."""
        directories = self._directories(places, check) if check.passed else []
        for word in check.passed:
            self.budget.spend(len(word) // 4)
            for path in _paths_in(word):
                if path[0] in "/~":
                    return word
                found = [self.paths.real(f"{each}/{path}") for each in directories]
                if not all(is_below(each, self.root) and not self.checks.is_kept(each) for each in found):
                    return word
        return ""

    def _program(self, directory: str, check: Check) -> str:
        """The path of a check's program, in the real directory that it is in."""
        above, _, name = f"{directory}/{check.program}".rpartition("/")
        return f"{self.paths.real(above)}/{name}"

    def _look(self, kind: str, place: str) -> Definition | None:
        """The definition of a kind in a place, as it is at one moment of the request."""
        if (kind, place) not in self._there:
            self.budget.spend(20)
            self._there[kind, place] = self.checks.look(self.root, kind, place)
        return self._there[kind, place]

    def _recipe(self, text: str) -> list[Check]:
        """The checks that a recipe or a script consists of; empty where it has anything else."""
        from asimi.core.reading.reader import Reader
        from asimi.core.syntax import parse

        self.budget.spend(40 + len(text))
        if not all(map(_RECIPE.fullmatch, text.split("&&"))):
            return []
        reader = Reader(judge_substitutions=True)
        reader.script(parse(text))
        own = [each for each in reader.reading().commands if each.via is None]
        found = [None if each.escapes or each.defined else check_of(each.words) for each in own]
        known = [each for each in found if each is not None and not each.program]
        return known if len(known) == len(found) else []

    def _inside(self, directory: str, text: str, depth: int) -> list[Definition]:
        """All that says what a recipe does in a directory; empty where it is more than checks."""
        found: list[Definition] = []
        for check in self._recipe(text) if depth < MOST_RECIPES else ():
            definitions = self._definitions([directory], check, depth + 1)
            if not definitions or self._leaves([directory], check):
                return []
            found += definitions
        return found

    def _definitions(self, places: Iterable[str | None], check: Check, depth: int = 0) -> list[Definition]:
        """All that says what a check does; empty where something is missing, or a path leads outside."""
        found: list[Definition] = []
        directories = self._directories(places, check)
        if any(self.checks.machine.kind(each) == "" for each in directories):
            return []  # what a text makes there first is not known
        named = frozenset(check.names) - {*check.recipes}
        wanted = [(each, named, check.kinds) for each in directories]
        beside = tuple(each for each in check.kinds if each not in ENVIRONMENTS and not each.startswith(_HELD))
        for path in check.paths:
            reals = (self.paths.real(f"{each}/{path}" if path[0] != "/" else path) for each in directories)
            wanted += [(each, frozenset(), beside) for each in reals]
        if check.program and not all(is_below(self._program(each, check), self.root) for each in directories):
            return []
        for path, each in [(path, each) for path in check.settings for each in directories]:
            place = self.paths.real(os.path.join(each, path))
            definition = self._look(check.kinds[0], place) if is_below(place, self.root) else None
            if definition is None or not {place, f"{place}/tsconfig.json"} & {*definition.watched}:
                return []
            found.append(definition)
        several = check.packages and len(directories) > 1  # a script is run in those that have it
        for place, names, kinds in wanted:
            for kind in kinds:
                definition = self._look(kind, place) if is_below(place, self.root) else None
                if definition is None or not (several or definition.names.issuperset(names)):
                    return []
                found.append(definition)
                for name in check.recipes:
                    inside = self._inside(place, definition.recipes.get(name, ""), depth)
                    if not inside:
                        return []
                    found += inside
        offered = {name for each in found for name in each.names} if several else named
        return found if offered.issuperset(named) else []


def _paths_in(word: str) -> Iterator[str]:
    """The paths that a program may find in a word: all of it, what is behind each `=` or right behind an option."""
    glued = _GLUED.match(word)
    starts = {0, *(at + 1 for at, letter in enumerate(word) if letter == "=")}
    starts.update(range(2, glued.end() + 1) if glued is not None else ())
    for start in sorted(starts):
        if path := word[start:].removeprefix("file:"):
            yield path
