"""Reads which commands are checks of a project, such as its tests, with arguments that are known to be harmless."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.program import UNKNOWN
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut, levels_of, role_of, roles_beside
from asimi.core.reading.commands import base, is_installed
from asimi.core.reading.values import fault_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.programs.program import Program
    from asimi.core.reading import Command
    from asimi.core.reading.arguments import Argument, Level
    from asimi.core.syntax.nodes import Word

NAMES = frozenset({"test", "lint", "typecheck", "check", "build"})
"""Targets and scripts that are checks."""

BEGINNINGS = ("test:", "lint:", "typecheck:")
"""Beginnings of others that are."""

PARTS = NAMES | frozenset("api app backend ci client core docs e2e frontend js lib server types ui unit web".split())
"""Words that names of checks are made of, between colons: what is done, and which part of the project it is for."""

QUIET = frozenset(
    "-s --silent -q --quiet -v --verbose -n --dry-run --color --no-color --loglevel --if-present"
    " --ignore-scripts".split()
)
"""Options that are harmless where the catalogue does not say of all options what they do."""

_TOLD = frozenset({"always", "auto", "false", "never", "true"})
"""Values that such options may have; npm and its like take another one for a word of its own (nopt)."""

CHECKED = frozenset(
    "CHECKNAMES CMAKE COVREPORT DOTNETLOGGER FORMATTER GOFLAGS GUT HUGOMODE JSCOVERAGE JSENVIRONMENT JSREPORTER WORD"
    " TEXTEXT LOCALHOST LOCALPORT NODASH PLAINNAME PYTESTPLUGIN PYTHONAPP RCHECK REPORT REVISION RUBYFORMATTER".split()
)
"""Readers that know all values that are harmless, also to a check."""

ENVIRONMENTS = frozenset({".venv", "venv"})
"""Where a project keeps its virtual environment, and the kind of the definition that says which programs are there."""

SHOWN = frozenset({"check", "freeze", "list", "show"})
"""Subcommands of pip that say what is installed."""

_ENVIRONMENT = pattern(r"(?:\./)?\.?venv/bin")
"""Where a project keeps its own Python and its tools."""

_VENDOR = pattern(r"(?:\./)?vendor/bin")
"""Where a project keeps the tools that Composer installs."""

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

DAEMON = "daemon"
"""The kind of the definition that says that docker's daemon is one of this machine."""

EVERY, TOP = "*", "/"
"""Which packages: all of them, and the one that names the others."""


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
        made: the files that options name which it makes.
        by_effects: whether it is a check only by what it runs: the project's own Python, which may do no more than use
            files, or a command in a container, which may only read.
    """

    kinds: tuple[str, ...]
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    program: str = ""
    passed: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    goes: tuple[str, ...] = ()
    packages: str = ""
    made: tuple[str, ...] = ()
    by_effects: bool = False

    @property
    def recipes(self) -> tuple[str, ...]:
        """Those of its targets or scripts that are checks only by what they run."""
        own = self.kinds[:1] in (("make",), ("just",), ("scripts",))
        return tuple(each for each in self.names if own and not is_name(each) and each not in {DRY, NEXT, USUAL})


def is_name(text: str) -> bool:
    """Whether a target or a script of this name is a check."""
    return text.startswith(BEGINNINGS) or is_part(text)


def is_part(text: str) -> bool:
    """Whether a name is that of a check, or of one of a part of the project, such as `web:build`."""
    return not NAMES.isdisjoint(text.split(":")) and PARTS.issuperset(text.split(":"))


class CheckWords(NamedTuple):
    """What a row says of checks.

    Attributes:
        reader: what reads the arguments, one of `_READERS` or `INSTALLED`; empty where it is no check.
        of: what else is said, by name: `run` and `test` are words behind which a script is and that start the script
            `test`, `short` and `not` whether a script may be named alone and which is none, `own` behind which word
            options are the program's own; `verbs` the subcommands that are checks, `needs` their options, `behind` the
            words that pass on the rest; `tasks` the tasks that are, with `*` behind those that may go on with a capital
            letter, `named` whether those are, too, that are named for a part of the project, `bare` whether there may
            be none of them and no verb, `projects` whether the path of a project may be before one; `kind` which
            definition it has, `within` whether only below a subcommand of that name; `module` whether Python starts it
            by `-m`, `gem` whether `bundle exec` does, `wrapper` the name by which it is a file of the project, `vendor`
            whether Composer installs it, `passes` whether all words may be paths, `local` the verbs that need a target
            on this machine; `lists` what only says what is installed, and `alone` options besides `--version` that say
            something of the tool; `at`, `of`, `all`, `top` and `plain` the options of `_without_placement`, `member`
            the word that does as `of` does, `past` words behind which they may be, `anywhere` whether they may be
            behind all, and `stays` whether a tool that it starts runs where the command does all the same; `dry` the
            option with which it only shows what its targets would run; `next` the subcommand that gives a package its
            next version; `settings` the options that name a file of settings, `files` those before a subcommand that
            do, `targets` those that name a path as operands do, `here` the subcommands that run the project of the
            directory, too, whatever these name, `makes` the options that name a file which is made, `without` those
            with which it is none; `npm` whether a package brings it, `exec` and `quiet` whether it is `bundle` and
            whether few of its options are known, `fixes` whether it may put right what it is given; `changes` the verbs
            that change what a daemon holds, `elsewhere` the options by which these change another project's, `reads`
            the verbs that start a command, which may only read; of operands, `nodes` and `imports` that they are
            pytest's or go's, `filters` and `packages` that they are no paths, `strict` that none begins with a dash.
    """

    reader: str
    of: dict[str, frozenset[str]]


@cache
def _check_words(text: str) -> CheckWords:
    """What a row says of checks, in its own words: `TOOL verbs=check|format module`."""
    reader, *others = text.split() or [""]
    pairs = (each.partition("=") for each in others)
    return CheckWords(reader, {name: frozenset(filter(None, values.split("|"))) for name, _, values in pairs})


def _is_module(name: str) -> bool:
    """Whether a tool is a check that Python starts with `-m`, and `uv run` and its like do."""
    program = find(name)
    return program is not None and program.name == name and "module" in _check_words(program.check).of


def _is_wrapper(program: Program, name: str) -> bool:
    """Whether a program is a module of the project by this name."""
    said = _check_words(program.check).of
    return "module" in said and name in said.get("wrapper", ())


def check_of(words: Sequence[Word]) -> Check | None:
    """The check that a command is; None if it is none, or one with arguments that are not known to be harmless."""
    first = words[0].literal if words else None
    program = None if first is None else find(base(first))
    if first is None or program is None or (not program.check and is_installed(first.rpartition("/")[0])):
        return None
    placed = None if any(word.literal is None for word in words) else _without_placement(words, program)
    if placed is None:
        return None
    words, goes, packages = placed
    found = _check_here(words, program)
    stays = "stays" in _check_words(program.check).of or (found is not None and found.by_effects)
    if found is None or (goes and found.kinds != ("scripts",) and stays):
        return None
    if packages and found.names == (NEXT,):
        return None  # it installs anew
    return found._replace(goes=goes, packages=packages) if goes or packages else found


def _without_placement(words: Sequence[Word], program: Program) -> tuple[Sequence[Word], tuple[str, ...], str] | None:
    """A command without the options that only say where it runs; None if they do not say that.

    Returns:
        Its other words, the directories that it goes to, and in which packages it runs: `EVERY` where it may be any.
    """
    said = _check_words(program.check).of
    at, of, every, top, plain = (said.get(each, frozenset()) for each in ("at", "of", "all", "top", "plain"))
    past = said.get("past", frozenset())
    gone, goes, chosen = set[int](), list[str](), list[str]()
    for each in cut(words, program.syntax, ends=False) if at or of else ():
        names = frozenset(each.names if each.option is not None else {each.text})
        behind = each.value_at
        if each.option is None and each.text in said.get("member", ()):
            behind = each.at + 1
            chosen.append((words[behind].literal or "") if behind < len(words) else "")
        elif each.option is SEPARATOR or (each.option is None and "anywhere" not in said and each.text not in past):
            break
        elif names & (at | of):
            (goes if names & at else chosen).append(each.literal)
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
    """The check that a command is, once the words are left out that only say where it runs."""
    texts = [word.literal or "" for word in words]
    directory, reader = texts[0].rpartition("/")[0], _check_words(program.check).reader
    if is_installed(directory):
        return _READERS[reader](words, program) if reader in _READERS else None
    if _PACKAGES.fullmatch(directory):
        found = _of_package(words, program)
        return None if found is None else found._replace(program=texts[0])
    if found := _of_project(words, program, directory):
        return found._replace(program=texts[0])
    read = _package_list if reader == "INSTALLED" else _READERS.get(reader)
    if read is None or not _ENVIRONMENT.fullmatch(directory):
        return None
    found = read(words, program)
    if found is None and program.name == "python":
        found = Check((), by_effects=True)
    if found is None or not all(map(_is_module, found.kinds)):
        return None
    return found._replace(kinds=(*found.kinds, _environment(directory)), program=texts[0])


def _of_project(words: Sequence[Word], program: Program, directory: str) -> Check | None:
    """`./gradlew test`, `bin/rails routes`, `vendor/bin/phpunit`: a program that the project holds."""
    said, name = _check_words(program.check).of, base(words[0].literal or "")
    kind = name if directory == "." and name in said.get("wrapper", ()) else ""
    for holder, place in (("vendor", _VENDOR), ("gem", _STUBS)):
        if holder in said and place.fullmatch(directory):
            kind = f"{holder}-{name}"
    found = _tool(words, program) if kind else None
    return None if found is None else found._replace(kinds=(*found.kinds, kind))


def _targets(words: Sequence[Word], program: Program) -> Check | None:
    """`make TARGET…`, `just RECIPE…`."""
    arguments = list(cut(words, program.syntax))
    said = _check_words(program.check).of
    harmless = _is_quiet if "quiet" in said else _is_harmless
    names = tuple(each.text for each in arguments if each.option is None)
    options = [*_options(arguments)]
    if _has(options, said.get("dry", frozenset())):
        shows = all(map(harmless, options)) and all(map(_TARGET.fullmatch, names))
        return Check((program.name,), (DRY,)) if shows else None
    if not all(map(_TARGET.fullmatch, names)) or not all(map(harmless, options)):
        return None
    if not names and program.name != "make":
        return None
    return Check((program.name,), names or (USUAL,))


_TARGET = pattern(r"[\w./-]+")

_BUILDS = frozenset({"-B", "-B*", "-S", "-S*", "--build", "--test-dir"})
_BUILT = frozenset({"-t", "--target"})
_NATIVE = pattern(r"\d+|-[jkv]\d*")


def _cmake(words: Sequence[Word], program: Program) -> Check | None:
    """`cmake -S . -B build`, `cmake --build build --target app`, `cmake --preset host`, `ctest --test-dir build`."""
    texts = [each.literal or "" for each in words]
    builds = texts[1:2] == ["--build"]
    if builds and texts[2:3] and texts[2].startswith("--preset"):
        words = [words[0], *words[2:]]
    arguments = list(cut(words, program.syntax))
    options = [each for each in _options(arguments) if not _has([each], _BUILDS | _BUILT)]
    operands = [each.text for each in arguments if each.option is None]
    if builds or program.name == "ctest":  # what is behind `--` is for make or ninja
        if not all(map(_NATIVE.fullmatch, operands)):
            return None
        operands = []
    paths = (*_values_of(arguments, _BUILDS), *operands)
    known = len(operands) < 2 and all(map(_is_harmless, options)) and all(paths)
    return Check(("cmake",), tuple(_values_of(arguments, _BUILT)), paths) if known else None


_PORT = pattern(
    r"(?:--(?: |\Z))?(?:(?:-p \d{2,5}|--port[ =]\d{2,5}|--host(?:name)?[ =](?:localhost|127\.0\.0\.1))(?: |\Z))*"
)
"""What leads a server of the project to another port of this machine alone; a number alone is a directory to it."""

_NO_VERBS = frozenset({"dev", "fmt", "format", "preview", "serve", "watch"})
"""Other common names of scripts that no package manager has a subcommand of."""


def _script(words: Sequence[Word], program: Program) -> Check | None:
    """`npm test`, `npm run NAME`, and the like of other package managers; what is behind is the script's."""
    arguments = (*cut(words, program.syntax, ends=False),)
    if words[1:] and words[1].literal in _check_words(program.check).of.get("next", ()):
        return _version(arguments)
    named = script_of(words, program, arguments)
    if named is None:
        return _installed_tool(words, program)
    script, at = named
    passed = _literals(words[at + 1 :])
    if not is_name(script):
        tool = _installed_tool(words, program)
        if tool is not None or not _PORT.fullmatch(" ".join(each for each in passed if each not in QUIET)):
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
    said = _check_words(program.check).of
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
    said = _check_words(program.check).of
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


def _tool(words: Sequence[Word], program: Program, *, passes: bool = False) -> Check | None:
    """`pytest`, `mypy`, and verbs of others that are checks; `passes` if it gets all of its words from another."""
    *before, (row, start, _, sure, *_) = levels_of(words, program)
    said = _check_words(program.check).of
    kind = next(iter(said.get("kind", ())), program.name)
    if len(words) == 2 and words[1].literal in {"--version", *said.get("alone", ())}:
        return Check((kind,))
    verb, above = words[start - 1].literal or "" if "verbs" in said else "", row.parent
    bare = "verbs" not in said or "bare" in said
    known = bare if above is None else "verbs" in said and sure and verb in said["verbs"]
    files = _handed_before(before, said)
    if not known or files is None or ("within" in said and above is not None and kind not in above.name):
        return None
    arguments = list(cut(words, row.syntax, start))
    needed = {each.partition(":")[2] for each in said.get("needs", ()) if each.startswith(f"{verb}:")}
    changes = verb in said.get("changes", ())
    elsewhere = changes and any(_has(level.arguments, said.get("elsewhere", frozenset())) for level in before)
    if elsewhere or not _has_needed(arguments, needed) or not _are_harmless(arguments, said, needed):
        return None
    behind = next((at for at, word in enumerate(words) if word.literal in said.get("behind", ())), len(words))
    paths = _paths_of(words, row, arguments, said, verb=verb, needed=needed, end=behind)
    if paths is None:
        return None
    paths += _values_of(arguments, said.get("targets", frozenset()))
    paths += ["."] * (not said.get("here", frozenset()).isdisjoint(_literals(words[1:2])))
    handed = {each.at: each.value for each in _options(arguments) if _hands_settings(each, said)}
    settings = ["" if each is None else each.literal or "" for each in handed.values()]
    made = _values_of(arguments, said.get("makes", frozenset()))
    at, _, file = files[0].rpartition("/") if len(files) == 1 else ("", "", "")  # there all paths of Compose begin
    names = [file] if at else files or [USUAL] if "files" in said else []
    if verb in said.get("local", ()):
        names = _values_of(arguments, frozenset({"--target"})) or [USUAL]
    if not all((*paths, *settings, *names, *made)):
        return None
    first = 1 if passes or "passes" in said else behind
    reports = {each.value_at for each in _options(arguments) if each.option and each.option.reader == "REPORT"}
    passed = [word for at, word in enumerate(words) if at not in reports and at >= first]
    return Check(
        (kind, DAEMON) if changes else (kind,),
        tuple(names),
        tuple(paths),
        passed=_literals(passed),
        settings=tuple(settings),
        goes=(at,) if at else (),
        made=tuple(made),
        by_effects=verb in said.get("reads", ()),
    )


def _has_needed(arguments: Iterable[Argument], needed: set[str]) -> bool:
    """Whether a word is there that a verb needs to be a check; `--check=false` and `-- --check` are none."""
    given = [each for each in arguments if each.text in needed]
    plain = all(each.value is None and (each.option or each.text[:1] != "-") for each in given)
    return not needed or (bool(given) and plain)


def _are_harmless(arguments: Sequence[Argument], said: dict[str, frozenset[str]], needed: set[str]) -> bool:
    """Whether the options of a tool leave it a check; the files that they name are looked at where they are."""
    naming = said.get("targets", frozenset()) | said.get("makes", frozenset())
    others = (each for each in _options(arguments) if not (_hands_settings(each, said) or _has([each], naming)))
    options = (each for each in others if each.text not in needed)
    harmless = all(_is_harmless(each, fixes="fixes" in said) for each in options)
    without = said.get("without", frozenset())
    return harmless and not _has(arguments, without) and without.isdisjoint(each.text for each in arguments)


def _handed_before(levels: Iterable[Level], said: dict[str, frozenset[str]]) -> list[str] | None:
    """The files that options before a subcommand name; None where one of the options may do something else."""
    own = said.get("files", frozenset())
    general = [each for level in levels for each in level.arguments]
    harmless = all(_is_harmless(each) for each in general if not _has([each], own))
    return _values_of(general, own) if harmless else None


def _paths_of(
    words: Sequence[Word],
    row: Program,
    arguments: Sequence[Argument],
    said: dict[str, frozenset[str]],
    *,
    verb: str,
    needed: set[str],
    end: int,
) -> list[str] | None:
    """The paths among the operands of a tool, each empty that leads nowhere known; None where one is not harmless.

    Args:
        words: the command.
        row: the row of its subcommand, or its own.
        arguments: those behind that.
        said: what its row says of checks.
        verb: its subcommand; empty without one.
        needed: the operands or the options of which one makes it a check; empty without any.
        end: the index of the word behind which there are no tasks.
    """
    operands = [each for each in arguments if each.option is None and ("tasks" not in said or each.at < end)]
    if "tasks" in said and not operands and "bare" not in said:
        return None
    roles, paths = roles_beside(arguments, row.syntax), list[str]()
    for number, each in enumerate(operands):
        role = role_of(roles, number, len(operands))
        dashed = "strict" in said and each.text[:1] == "-"
        if role is None or dashed or (role.role.isupper() and fault_of(role.role, words[each.at])):
            return None
        if "filters" in said or role.role in CHECKED:
            continue
        if "tasks" in said:
            if not _is_task(each.text, said):
                return None
        elif "packages" not in said:
            paths.append(_path(each.text, said, verb) if role.role != "data" or "imports" in said else "")
        elif needed and each.text not in needed:
            return None
    return paths


def _has(arguments: Iterable[Argument], names: frozenset[str]) -> bool:
    """Whether one of some arguments is an option of these names."""
    return any(not names.isdisjoint(each.names) for each in arguments)


def _values_of(arguments: Iterable[Argument], names: frozenset[str]) -> list[str]:
    """The values of the options of these names, each empty that is not known."""
    return [each.literal for each in arguments if _has([each], names)]


_SETTINGS = frozenset({"OWNCONFIG", "PROJECTFILE"})
"""Readers of options that name a file of settings; whether a person has confirmed it is seen where it is."""


def _hands_settings(argument: Argument, said: dict[str, frozenset[str]]) -> bool:
    """Whether an option hands a file of settings to a program."""
    by_kind = argument.option is not None and argument.option.reader in _SETTINGS
    return by_kind or _has([argument], said.get("settings", frozenset()))


def _is_task(text: str, said: dict[str, frozenset[str]]) -> bool:
    """Whether a task is a check: by its row, by its name, or as one that goes on behind such with a capital letter."""
    name = text.rpartition(":")[2] if "projects" in said else text
    stem = _STEM.match(name)
    known = name in said["tasks"] or ("named" in said and is_part(text))
    return known or (stem is not None and f"{stem[0]}*" in said["tasks"])


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
    if behind and behind[0].literal in (verbs or {"--no-install", "--no", "--yes", "-y"}):
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
    return _tool(words, program, passes=True) if "npm" in _check_words(program.check).of else None


def _literals(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(word.literal for word in words if word.literal is not None)


def _path(text: str, said: dict[str, frozenset[str]], verb: str) -> str:
    """The path in an operand: of pytest's what is before `::`, of go's where the packages begin; empty without one."""
    if "imports" in said:
        if verb != "clean" and (text == "." or text.startswith(("./", "../"))):  # it would remove files beside packages
            return text.removesuffix("...") or "."
        return "." if verb in _NAMING and text[0] not in "./~" and _IMPORTED.fullmatch(text) else ""
    return text.partition("::")[0] if "nodes" in said else text


_NAMING = frozenset({"doc", "list", "why"})
"""Subcommands of go that only say something of the packages that they are given, wherever these are."""

_IMPORTED = pattern(r"[\w.~/-]+")


def _coverage(words: Sequence[Word], program: Program) -> Check | None:
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
        if "-m" in each.names and each.value is not None:
            named = _is_module(each.value.literal or "")
            return check_of([each.value, *words[each.value_at + 1 :]]) if named else None
        if each.text not in {"-B", "-u"}:
            return None
    return None


def _run(words: Sequence[Word], program: Program) -> Check | None:
    """`uv run pytest`, `uv pip list`, `bundle exec rspec`; what it installs first is in the project's own file."""
    said = _check_words(program.check).of
    kind = "bundle" if "exec" in said else "runner"
    if _lists(words, program):
        return Check((kind, ".venv") if words[1].literal == "pip" else (kind,))
    *before, (row, start, *_) = levels_of(words, program)
    if len(before) != 1 or row.name != ("exec" if "exec" in said else "run"):
        return None
    if not _are_quick(cut(words[:start], program.syntax)):
        return None
    arguments = [*cut(words, row.syntax, start)]
    first = next((each.at for each in arguments if each.option is None), len(words))
    behind = words[first:]
    tool = find(behind[0].literal or "") if behind else None
    if tool is None or not _are_quick(each for each in arguments if each.at < first):
        return None
    found = check_of(behind)
    if found is None and tool.name == "python":
        return Check((kind,), by_effects=True)
    if found is None or found.program or found.goes:
        return None
    if "gem" in _check_words(tool.check).of if "exec" in said else _is_module(found.kinds[0]):
        return found._replace(kinds=(*found.kinds, kind))
    return None


def _are_quick(arguments: Iterable[Argument]) -> bool:
    """Whether options only say what less is installed first, or what of that which the project's own file names."""
    options = (each.option for each in arguments if each.option is not None)
    return all(not _QUICK.isdisjoint(each.names) for each in options)


def _lists(words: Sequence[Word], program: Program) -> bool:
    """Whether a package manager only says what is installed or what there is: `pnpm why react`, `bundle list`."""
    texts = [each.literal or "" for each in words[1:]]
    lists, runs = (_check_words(program.check).of.get(each, frozenset()) for each in ("lists", "run"))
    if texts in (["--version"], ["-v"]) or (len(texts) == 1 and texts[0] in runs):
        return True
    at = next((at for at in (1, 2) if " ".join(texts[:at]).replace(" ", ":") in lists), 0)
    return bool(at) and all(each.partition("=")[0] in _LISTS or _PACKAGE.fullmatch(each) for each in texts[at:])


_PACKAGE = pattern(r"-1|(?:@[a-z0-9][\w.-]*/)?[A-Za-z0-9][\w-]*")

_QUICK = frozenset(
    "--all-extras --all-groups --dev --exact --extra --frozen --group --inexact --locked --no-default-groups --no-dev"
    " --no-group --no-progress --no-sync --offline --only-dev --only-group --quiet -q -v --verbose".split()
)
"""Options of `uv run` by which it installs nothing but what the project's own file names, or less (uv, uv run)."""

_LISTS = frozenset(
    "--all -a --depth --dev --format --frozen --global -g --json --latest --locked --long --no-color --outdated"
    " --parseable --prod --quiet -q --recursive -r --top --tree -t".split()
)
"""Options of package managers that only say how they list."""


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


def _package_list(words: Sequence[Word], program: Program) -> Check | None:
    """`pip list`, which needs no definition but that of its environment."""
    row, start, _, sure, *_ = levels_of(words, program)[-1]
    options = (each for first, of in ((1, program), (start, row)) for each in _options(cut(words, of.syntax, first)))
    known = row is not program and sure and words[1].literal == row.name
    return Check(()) if known and row.name in SHOWN and all(map(_is_harmless, options)) else None


ACTIVATES = frozenset({".", "source"})

_READERS: dict[str, Callable[[Sequence[Word], Program], Check | None]] = {
    "ACTIVATE": _activate,
    "CMAKE": _cmake,
    "COVERED": _coverage,
    "INSTALLED_TOOL": _installed_tool,
    "MODULE": _module,
    "RUN": _run,
    "SCRIPT": _script,
    "TARGETS": _targets,
    "TOOL": _tool,
}
"""What reads the arguments of a program that may be a check, by what its row says (`check:`)."""


def shows_installed(command: Command) -> bool:
    """Whether a command is pip, and only says what is installed."""
    program = command.program
    if command.escapes or program is None or _check_words(program.check).reader != "INSTALLED":
        return False
    return _package_list(command.words, program) is not None


def _options(arguments: Iterable[Argument]) -> Iterator[Argument]:
    return (each for each in arguments if each.option is not None)


def _is_quiet(argument: Argument) -> bool:
    """Whether an option is one of the few that are harmless everywhere."""
    names = {argument.text, *argument.names}
    alone = argument.value is None or "--loglevel" in names or argument.value.literal in _TOLD  # else it is an operand
    return alone and not QUIET.isdisjoint(names)


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
