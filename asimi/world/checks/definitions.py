"""The files that say what a project's checks do, by kind: where they are looked for, and what of them counts.

Sources: GNU make manual (Makefile Names, Include, Remaking Makefiles); just's manual (imports, modules, settings);
npm-run-script(1), npmrc(5), and what pnpm, Yarn and Bun say of their settings; the configuration pages of pytest, Ruff
and mypy; the Cargo Book (Hierarchical structure); go.dev/ref/mod; Python's manual of `venv`; the manuals of Gradle
(Multi-Project Builds, Gradle Wrapper), Maven (POM Reference), MSBuild (Customize your build), SwiftPM, Mix, Composer.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.facts import facts_of, table_of, words_of
from asimi.core.reading.checks import DAEMON, DRY, ENVIRONMENTS, NEXT, USUAL, is_name
from asimi.core.values import NamedTuple
from asimi.world.checks.gathering import LONGEST, DefinitionFiles, UnclearError, chain, json_of
from asimi.world.checks.recipes import local_targets, recipes, servers
from asimi.world.host.git_index import may_track
from asimi.world.host.widths import find_daemon

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import Any


_FACTS = facts_of(__package__, "definitions")


def _fill_in(text: str) -> str:
    """A text with the lists that it names."""
    return re.sub(r"<(\w+)>", lambda name: _FACTS[name[1]][0], text)


def _files_of(kinds: str) -> dict[str, tuple[str, ...]]:
    """The files of each name in a list of `definitions.txt`, each with what of it counts."""
    found: dict[str, tuple[str, ...]] = {}
    for names, files in table_of(_FACTS[kinds]).items():
        found.update(dict.fromkeys(names.split(), _paths_in([_fill_in(files)])))
    return found


def _paths_in(lines: list[str]) -> tuple[str, ...]:
    """The paths that lines name."""
    return tuple(path for each in " ".join(lines).split() for path in _expand_choices(each))


def _expand_choices(path: str) -> Iterator[str]:
    """The paths that one with choices stands for."""
    before, brace, rest = path.partition("{")
    choices, _, behind = rest.partition("}")
    for each in choices.split(","):
        yield from (f"{before}{each}{more}" for more in (_expand_choices(behind) if brace else ("",)))


class Definition(NamedTuple):
    """What says now what the checks of one kind do in one directory.

    Attributes:
        files: what counts of each file, by its path from the project root.
        names: the names of the checks; empty of a tool, which needs none.
        watched: the beginnings of the real paths of all files that it could be in.
        recipes: what each target or script of that directory runs, if that is all that it does.
    """

    files: dict[str, str]
    names: frozenset[str]
    watched: tuple[str, ...]
    recipes: dict[str, str]


def find_definition(kind: str, directory: str, root: str) -> Definition | None:
    """What says now what the checks of a kind do; None where nothing does, or not all of it can be read.

    Args:
        kind: one of `KINDS`.
        directory: the real path of the directory that they run in.
        root: the real path of the project root, which the directory is below.
    """
    gathered = DefinitionFiles(root)
    try:
        if kind == "make":
            names = _make(directory, gathered)
        elif kind == "just":
            names = _just(directory, gathered)
        elif kind in ENVIRONMENTS:
            names = _environment(os.path.join(directory, kind), gathered)
        elif kind == "compose":
            names = _compose(directory, gathered)
        elif kind == DAEMON:
            names = _daemon(directory, gathered)
        elif kind in PACKAGED:
            names = _package_tool(kind, directory, gathered)
        elif kind in BUILDS:
            names = _build(BUILDS[kind], directory, gathered)
        elif kind in WRAPPERS:
            names = _wrapper(kind, gathered, directory)
        elif kind == "mise":
            names = _mise(directory, gathered)
        elif kind == "dbt":
            names = _local_targets(directory, gathered)
        elif kind == "covering":
            names = _settings(kind, directory, gathered) or frozenset()
        elif kind in VENDORED:
            names = _vendor_tool(kind.removeprefix("vendor-"), directory, gathered)
        else:
            names = _settings(kind, directory, gathered)
    except (UnclearError, OSError):
        return None
    if names is None:
        return None
    return Definition(gathered.files, names, tuple(gathered.watched), recipes(kind, gathered.files, directory, root))


# --- makefiles ---

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make takes the first."""

_INCLUDE = re.compile(r"[ \t]*(-|s)?include[ \t]+(.*)")
_LOADS = re.compile(r"[ \t]*-?load[ \t]")
_EVAL, _LOADED = re.compile(r"\beval\b"), re.compile(r"\b(?:include|load)\b")
_LITERAL = re.compile(r"[\w./+@,-]+")
_RUNS_DRY = re.compile(r"\+(?!=)|\bMAKE\b|\bMAKEFLAGS\b|^(?![\w.-]+[ \t]*:{1,3}=).*\$[({](?:shell|file|guile|eval)\b")
"""What make may run though it is to show all only (GNU make manual, Instead of Execution)."""


def _make(directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """The targets of the makefile of a directory."""
    listed = os.listdir(directory)
    there = [name for name in MAKEFILES if gathered.take(os.path.join(directory, name)) is not None and name in listed]
    if not there:
        return None
    names: set[str] = {DRY}
    waiting, done = [there[0]], dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        _take_sources(directory, name, gathered)
        done[name] = (gathered.take(os.path.join(directory, name)) or "").replace("\\\n", " ")
        for line in done[name].split("\n"):
            if _LOADS.match(line) or (_EVAL.search(line) and _LOADED.search(line)):
                raise UnclearError
            if _RUNS_DRY.search(line):
                names.discard(DRY)
            if match := _INCLUDE.match(line):
                waiting += _include_names(match[2])
            else:
                names.update(_targets(line))
    usual = _usual(done[there[0]], "\n".join(done.values()))
    return frozenset((*filter(is_name, names), *(names & {DRY}), *([USUAL, usual] if usual else ())))


def _usual(first: str, text: str) -> str:
    """What make makes without a target, if that is a check, or `all` of which no part is named as more than a build.

    Args:
        first: the makefile.
        text: that, and all that it includes (GNU make manual, Goals).
    """
    heads = ("include" if _INCLUDE.match(line) else line for line in first.split("\n"))
    goals = (each for line in heads for each in ([line] if line == "include" else _targets(line)) if each[0] != ".")
    goal = next(goals, "")
    if not (is_name(goal) or goal == "all") or ".DEFAULT_GOAL" in text:
        return ""
    needs: dict[str, list[str]] = {}
    for line in text.split("\n"):
        given = _GIVEN.match(line)
        for each in [f"$({given[1]})"] if given else _targets(line):
            words = given[2] if given else line.partition(":")[2]
            needs.setdefault(each, []).extend([*words.split(), *_VALUE.findall(words)])
    waiting, done = [goal], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in done:
            done.add(name)
            waiting += needs.get(name.replace("{", "(").replace("}", ")"), [])
    return "" if any(map(_OUTWARD.search, done)) else goal


_GIVEN = re.compile(r"[ ]*(?:(?:export|override)[ ]+)?([\w.-]+)[ \t]*[:?+]{0,3}=(.*)")
_VALUE = re.compile(r"\$[({][\w.-]+[)}]")
_OUTWARD = re.compile(
    r"(?i)deploy|publish|release|install|flash|upload|push|program|erase|clean|ship|\bstart|\brun|serve"
)
"""How targets are named that do more than to make files here."""


def _targets(line: str) -> list[str]:
    """The targets of a rule, if a line begins one: it has no `=` before the colon, and none right behind it."""
    head, colon, rest = line.partition(":")
    begins = colon and "=" not in head and head[:1] not in {"\t", "#", ""}
    return head.split() if begins and not rest.startswith(("=", ":=", "::=")) else []


def _include_names(words: str) -> list[str]:
    """The files that an `include` names.

    Raises:
        UnclearError: only make can know which.
    """
    names = words.partition("#")[0].split()
    if not all(_LITERAL.fullmatch(name) for name in names):
        raise UnclearError
    return names


def _take_sources(directory: str, name: str, gathered: DefinitionFiles) -> None:
    """Take the files of which make would make a makefile anew before it reads it (`Makefile.sh`, `RCS/Makefile,v`)."""
    where, base = os.path.split(os.path.join(directory, name))
    for other, start in ((where, f"{base}."), (where, f"{base},v"), (where, f"s.{base}")):
        gathered.watched[os.path.join(other, start)] = None
        for each in sorted(os.listdir(other)) if os.path.isdir(other) else ():
            if each.startswith(start):
                gathered.take(os.path.join(other, each))
    gathered.take(os.path.join(where, "RCS", f"{base},v"))
    gathered.take(os.path.join(where, "SCCS", f"s.{base}"))


# --- justfiles ---

JUSTFILES = ("justfile", ".justfile", "Justfile", "JUSTFILE")
_IMPORT = re.compile(r"import(\?)?\s+(?:'([^']*)'|\"([^\"\\]*)\")\s*(?:#.*)?")
_UNCLEAR = re.compile(r"(?:import|mod)\b|set\s+(?:dotenv-(?:path|filename)|fallback)\b")
_RECIPE = re.compile(r"@?([A-Za-z_][\w-]*)(?:\s[^:=]*)?:(?!=)")


def _just(directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """The recipes of the justfile of a directory, or of the nearest one above."""
    for each in chain(directory, gathered.root):
        there = [name for name in os.listdir(each) if name.lower() in JUSTFILES]
        for name in JUSTFILES:
            gathered.watched[os.path.join(each, name)] = None
        if len(there) > 1:
            raise UnclearError  # just takes none of two
        if there:
            return _recipes(os.path.join(each, there[0]), gathered)
    return None


def _recipes(path: str, gathered: DefinitionFiles) -> frozenset[str]:
    names: set[str] = set()
    waiting, done = [path], set()
    while waiting:
        path = waiting.pop()
        text = gathered.take(path)
        if path in done or text is None:
            continue
        done.add(path)
        if "dotenv" in text:
            gathered.take(os.path.join(os.path.dirname(path), ".env"))
        for line in text.split("\n"):
            if match := _IMPORT.fullmatch(line):
                waiting.append(os.path.join(os.path.dirname(path), match[2] or match[3]))
            elif _UNCLEAR.match(line):
                raise UnclearError
            elif match := _RECIPE.match(line):
                names.add(match[1])
    return frozenset(filter(is_name, names))


# --- virtual environments ---

SMALL = 16 << 10
"""Bytes of the largest program of an environment of which the content counts; it is a script as a rule."""

MOST_PROGRAMS = 1024
"""Programs of one environment that are looked at."""


def _environment(place: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """The names of the programs in a virtual environment, which a clone must not have brought."""
    programs, real = os.path.join(place, "bin"), os.path.realpath(place)
    gathered.watched.update(dict.fromkeys((place, real)))
    if not os.path.isdir(programs):
        return None
    inside = os.path.realpath(programs)
    listed = sorted(os.listdir(programs))
    if len(listed) > MOST_PROGRAMS or not is_below(inside, gathered.root) or any(map(may_track, (place, real, inside))):
        raise UnclearError
    gathered.take(os.path.join(place, "pyvenv.cfg"))
    gathered.take(os.path.join(programs, "activate"))
    lines = [f"in {os.path.relpath(inside, gathered.root)!a}"]
    lines += [f"{name!a} {_program(os.path.join(programs, name), gathered.root)}" for name in listed]
    gathered.files[os.path.relpath(programs, gathered.root)] = "\n".join((*lines, ""))
    return frozenset(listed)


def _program(path: str, root: str) -> str:
    """What tells one program of an environment from another one at its place.

    Nobody can set the time at which the status of a file was last changed (stat(2), `st_ctim`), so that stands for the
    content of a large one; where a link leads out of the project, the path stands for what is there.
    """
    real = os.path.realpath(path)
    link = f"-> {os.readlink(path)!a} " if os.path.islink(path) else ""
    if not is_below(real, root):
        return f"{link}{real!a}"
    there = os.stat(real)
    if not stat.S_ISREG(there.st_mode):
        return f"{link}(no file)"
    if there.st_size > SMALL:
        return f"{link}({there.st_size} bytes, changed at {there.st_ctime_ns} ns)"
    with open(real, "rb") as file:
        return f"{link}({there.st_size} bytes, SHA-256 {sha256(file.read()).hexdigest()[:32]})"


# --- files of Compose ---

_COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
_OVERRIDES = tuple(f"{stem}.override.{end}" for stem in ("compose", "docker-compose") for end in ("yaml", "yml"))
_MORE = re.compile(
    r"""\b(?:include|extends)["']?\s*[:#]|"[^"\\]*+\\.(?>(?:[^"\\]|\\.)*)"\s*[:#]|(?:^|[\s,{\[])\?\s|\*[^\s,\[\]{}]+\s*[:#]"""
    r"|%TAG|!\S*(?:binary|%)|\0",
    re.DOTALL | re.MULTILINE,
)
"""Keys that take in another file, or may become one by an escape, an alias, a tag, or as UTF-16 (YAML 1.2)."""


_COMPOSED = re.compile(r"(?:docker-)?compose(?:[.-][\w-]+)*\.ya?ml", re.ASCII)
"""What people call a file of Compose that they name by `-f`."""


def _compose(directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """The files of Compose in a directory that take in no other; `USUAL` for those that it finds itself."""
    chosen = [gathered.take(os.path.join(each, ".env"), _choices) for each in chain(directory, gathered.root)]
    own = sorted(filter(_COMPOSED.fullmatch, os.listdir(directory)))
    names = {each for each in own if not _MORE.search(gathered.take(os.path.join(directory, each)) or "include")}
    for each in chain(directory, gathered.root):
        texts = [gathered.take(os.path.join(each, name)) for name in _COMPOSE]
        if any(text is not None for text in texts):
            texts += [gathered.take(os.path.join(each, name)) for name in _OVERRIDES]
            if not any(_MORE.search(text or "") for text in texts):
                names.add(USUAL)
            break
    if any(chosen):
        raise UnclearError
    return frozenset(names) or None


def _choices(text: str) -> str | None:
    """The text of a `.env` that may choose files or a daemon; None of one that only gives files of Compose values."""
    return text if "COMPOSE_" in text or "DOCKER_" in text else None


def _daemon(directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """No names, where docker's daemon is one of this machine; what the nearest file of Compose is given is gathered."""
    for each in chain(directory, gathered.root):
        gathered.take(os.path.join(each, ".env"))
        if any(map(_COMPOSED.fullmatch, os.listdir(each))):
            return frozenset() if find_daemon() else None
    return None


# --- builds of several files ---


class Build(NamedTuple):
    """How a build says what it does, in files that name others.

    Attributes:
        heads: the names of the file that it begins with, those first that are taken before the others.
        beside: files that count where it begins, and beside each file that is named.
        named: what names another file or directory: its last group.
        made: which files that may be, with `{}` for the name.
        unclear: what may take in a file that nobody can name.
    """

    heads: tuple[tuple[str, ...], ...]
    beside: tuple[str, ...]
    named: str
    made: tuple[str, ...]
    unclear: str


def _build_of(lines: list[str]) -> Build:
    """The build that lines of `definitions.txt` describe."""
    said: dict[str, list[str]] = {each: [] for each in Build._fields}
    for line in lines:
        name, _, text = line.partition(": ")
        said[name].append(_fill_in(text))
    return Build(
        tuple(tuple(each.split()) for each in said["heads"]),
        _paths_in(said["beside"]),
        "|".join(said["named"]),
        tuple(" ".join(said["made"]).split()),
        "|".join(said["unclear"]) or "(?!)",
    )


_CMAKE_TARGETS = re.compile(r"(?i)\b(?:add_(?:executable|library)|(add_custom_target))\s*\(\s*([\w.+-]+)")
"""What a build of CMake makes, and its other targets, which do what they like (cmake-commands(7))."""

BUILDS = {kind: _build_of(lines) for name, lines in _FACTS.items() if (kind := name.removeprefix("build ")) != name}
"""Builds by kind."""


def _build(build: Build, directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """No names, where a directory or the nearest one above has a build whose files can all be found."""
    top, heads = "", list[str]()
    for names in build.heads:
        for each in chain(directory, gathered.root) if not heads else ():
            there = [name for name in names if "*" not in name]
            gathered.watched.update(dict.fromkeys(os.path.join(each, name) for name in (*there, *build.beside)))
            heads = [os.path.join(each, name) for name in _match_names(each, names)]
            if heads:
                top = each
                break
    if not heads:
        return None
    above = [os.path.join(each, name) for each in chain(top, gathered.root) for name in build.beside]
    waiting, done = [*heads, *above], set[str]()
    while waiting:
        path = os.path.normpath(waiting.pop())
        if path in done or os.path.isdir(path):
            continue
        done.add(path)
        text = gathered.take(path)
        if text is None:
            continue
        if re.search(build.unclear, text, re.MULTILINE):
            raise UnclearError
        for name in (match[match.lastindex or 0] for match in re.finditer(build.named, text)):
            named = [made.format(name.lstrip(":").replace("\\", "/").replace(":", "/")) for made in build.made]
            waiting += [os.path.join(base, each) for each in named for base in {os.path.dirname(path), top}]
        waiting += [os.path.join(os.path.dirname(path), name) for name in build.beside]
    own = [
        each for text in gathered.files.values() for each in _CMAKE_TARGETS.findall(text) if build is BUILDS["cmake"]
    ]
    return frozenset(["all", "clean", "help", *(name for custom, name in own if not custom or is_name(name))])


def _match_names(directory: str, names: tuple[str, ...]) -> list[str]:
    """The names in a directory that are some of these; `*` is any beginning."""
    if not any(name[0] == "*" for name in names):
        return [name for name in names if os.path.lexists(os.path.join(directory, name))]
    return sorted(each for each in os.listdir(directory) if each.endswith(tuple(name[1:] for name in names)))


WRAPPERS = _files_of("wrappers")
"""Programs that a project holds, each with the files that it starts others by."""


def _wrapper(kind: str, gathered: DefinitionFiles, directory: str) -> frozenset[str] | None:
    """No names, where such a program is in a directory or in one above it."""
    for each in chain(directory, gathered.root):
        texts = [gathered.take(os.path.join(each, name)) for name in WRAPPERS[kind]]
        if texts[0] is not None:
            return frozenset()
    return None


def _vendor_tool(name: str, directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """No names, where Composer has put a tool into `vendor/bin`, and no clone brought it."""
    vendor = os.path.join(directory, "vendor")
    program = os.path.join(vendor, "bin", name)
    gathered.watched.update(dict.fromkeys((vendor, program, os.path.realpath(program))))
    required = gathered.take(os.path.join(directory, "composer.json"))
    if required is None or not os.path.lexists(program):
        return None
    gathered.take(os.path.join(directory, "composer.lock"))
    inside = [os.path.realpath(each) for each in (vendor, os.path.dirname(program))]
    if not all(is_below(each, gathered.root) for each in inside) or any(map(may_track, (vendor, *inside))):
        raise UnclearError
    gathered.files[os.path.relpath(program, gathered.root)] = f"{name!a} {_program(program, gathered.root)}\n"
    return frozenset()


# --- settings of tools ---


def _package(text: str) -> str | None:
    """What of a `package.json` says what its scripts do."""
    value = json_of(text)
    counts = ("scripts", "config", "packageManager", "devEngines")
    return _dump({name: value[name] for name in counts if name in value}) if "scripts" in value else None


def _module_type(text: str) -> str:
    """What of a `package.json` says how Node.js takes its files (Node.js, Packages)."""
    value = json_of(text)
    return _dump({name: value[name] for name in ("type", "imports", "exports") if name in value})


def _section(name: str) -> Callable[[str], str | None]:
    """What takes the section of a tool, and what requires it, out of a `pyproject.toml`."""

    def extract(text: str) -> str | None:
        try:
            value = tomllib.loads(text)
            tool = value.get("tool", {})
            required = [each for each in _requirements(value) if _REQUIRED.split(each, maxsplit=1)[0].lower() == name]
        except (ValueError, RecursionError, AttributeError, TypeError):
            raise UnclearError from None
        counts = ({name: tool[name]} if name in tool else {}) | ({"required": required} if required else {})
        return _dump(counts) if counts else None

    return extract


_REQUIRED = re.compile(r"[^\w.-]")
"""What ends the name of a package in a requirement (Dependency specifiers)."""


def _requirements(project: dict[str, Any]) -> list[str]:
    """The requirements that a `pyproject.toml` has of others (its specification; Dependency Groups; uv, Poetry)."""
    own, tool = project.get("project", {}), project.get("tool", {})
    poetry = tool.get("poetry", {})
    lists = [own.get("dependencies", []), *own.get("optional-dependencies", {}).values()]
    lists += [*project.get("dependency-groups", {}).values(), tool.get("uv", {}).get("dev-dependencies", [])]
    lists += [poetry.get(each, {}) for each in ("dependencies", "dev-dependencies")]
    lists += [each.get("dependencies", {}) for each in poetry.get("group", {}).values()]
    return [each for group in lists for each in group if isinstance(each, str)]


def _dump(value: object) -> str:
    return json.dumps(value, indent=1, sort_keys=True, default=str, ensure_ascii=False) + "\n"


def _if_section(head: str) -> Callable[[str], str | None]:
    """What takes a whole file, if it has a section that begins so."""
    return lambda text: text if head in text else None


def _alone(text: str) -> str:
    """All of the settings of RuboCop, where they take in no file but those that it writes itself.

    Raises:
        UnclearError: they do.
    """
    if re.search(r"inherit_from:(?!\s*\.rubocop_todo\.yml\s*$)", text, re.MULTILINE):
        raise UnclearError
    return text


def _tasks(text: str) -> str | None:
    """All of mise's settings that have tasks, where these say themselves what they run.

    Raises:
        UnclearError: they look for tasks elsewhere.
    """
    if "task_config" in text or "includes" in text:
        raise UnclearError
    return text if "tasks" in text else None


def _included_none(text: str) -> str:
    """All of a Taskfile, where it takes in no other file.

    Raises:
        UnclearError: it does.
    """
    if "includes" in text or "dotenv" in text:
        raise UnclearError
    return text


_MANAGERS = _FACTS["managers"][0].split()
"""Settings of package managers."""

PACKAGED = _files_of("packaged")
"""Tools that a project installs by `package.json`, with their settings."""

_OWN = {each: each for each in PACKAGED} | {"eslint": "eslintConfig"}
"""Where such a tool has settings in `package.json`."""

_EXTENDS = re.compile(
    r'"extends"\s*+:\s*+(?!"(?:[^."/]|\./tsconfig\.base\.json"|(?:\.\./)+tsconfig(?:\.base)?\.json"))'
)
"""A `tsconfig.json` that takes in another file than those that are looked at, or a package (TSConfig Reference)."""


def _package_tool(kind: str, directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """No names, where a package that `package.json` names has put a tool into `node_modules/.bin`."""
    above = [*chain(directory, gathered.root)]
    modules = next((each for each in above if os.path.lexists(os.path.join(each, "node_modules/.bin", kind))), None)
    if modules is None:
        return None
    provided = None
    for each in above:
        for name in (*PACKAGED[kind], *_MANAGERS):
            text = gathered.take(os.path.join(each, name))
            if kind.endswith("tsc") and text is not None and name not in _MANAGERS and _EXTENDS.search(text):
                raise UnclearError
        package = gathered.take(os.path.join(each, "package.json"), lambda text: _settings_of(kind, text))
        if package is not None and provided is None:
            provided = _provider(kind, os.path.join(modules, "node_modules"), json_of(package)["required"])
    if provided is None:
        return None
    place = os.path.join(modules, "node_modules")
    program = os.path.join(place, ".bin", kind)
    inside = [os.path.realpath(each) for each in (place, os.path.dirname(program), provided)]
    if not all(is_below(each, gathered.root) for each in inside) or any(map(may_track, (place, *inside))):
        raise UnclearError
    gathered.watched.update(dict.fromkeys((place, program, os.path.realpath(program), *inside)))
    manifest = _manifest(provided)
    said = f"{kind!a} {_program(program, gathered.root)} of {manifest.get('name')!a} {manifest.get('version')!a}\n"
    gathered.files[os.path.relpath(program, gathered.root)] = said
    return frozenset()


def _settings_of(kind: str, text: str) -> str:
    """What of a `package.json` says what a tool does, and which packages it names.

    Raises:
        UnclearError: a script has the name of the tool, so a package manager may start that.
    """
    value = json_of(text)
    groups = [value.get(each) for each in ("dependencies", "devDependencies", "optionalDependencies")]
    scripts = value.get("scripts")
    if any(each is not None and not isinstance(each, dict) for each in (*groups, scripts)) or kind in (scripts or {}):
        raise UnclearError
    required = {name: spec for each in groups if each is not None for name, spec in each.items()}
    counts = {name: value[name] for name in (_OWN.get(kind), "packageManager", "devEngines", "type") if name in value}
    return _dump({"required": required, **counts})


def _provider(kind: str, modules: str, required: Mapping[str, object]) -> str | None:
    """The directory of the package that brings a tool, of those that a `package.json` names."""
    for name in sorted(required, key=lambda each: (each != kind, each)):
        place = os.path.join(modules, name)
        brought = _manifest(place).get("bin")
        if kind in brought if isinstance(brought, dict) else isinstance(brought, str) and name == kind:
            return place
    return None


def _manifest(place: str) -> dict[str, Any]:
    """The `package.json` of an installed package; empty where there is none, or it is too large."""
    path = os.path.join(place, "package.json")
    if not os.path.isfile(path) or os.path.getsize(path) > LONGEST * 4:
        return {}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return json_of(file.read())


_PARTS = {
    "scripts": _package,
    "type": _module_type,
    "alone": _alone,
    "whole": _included_none,
    "there": lambda _: "no settings\n",  # it only shows what kind of project this is
    "tasks": _tasks,
}
"""What takes out of a file what of it counts, by the name behind its `@`."""

MAIN: dict[str, str] = {}
"""The file without which there is no definition; of other kinds any will do that is no module of Python."""

KINDS: dict[str, dict[str, Callable[[str], str | None] | None]] = {}
"""The kinds of definitions, and of those that are found upward from a directory the files with what counts of them."""

for _kind, _paths in _files_of("kinds").items():
    KINDS[_kind] = {}
    for _path in _paths:
        _path, _head, _begins = _path.partition("#")
        _path, _, _part = _path.partition("@")
        if _path.endswith("!"):
            MAIN[_kind] = _path = _path[:-1]
        KINDS[_kind][_path] = _if_section(_begins) if _head else _PARTS.get(_part, _section(_part)) if _part else None

VENDORED = tuple(kind for kind in KINDS if kind.startswith("vendor-"))
"""Tools that Composer installs for a project."""

TYPED = {kind: words_of([words]) for kind, words in table_of(_FACTS["typed"]).items()}
"""How a person types the checks that have no names."""


def may_define(kind: str, names: Collection[str]) -> bool:
    """Whether a directory that holds these names may hold a file of a definition, so that it is worth a look."""
    known = _names_of(kind)
    return not (known and known.isdisjoint(names)) or any(f"*.{each.rpartition('.')[2]}" in known for each in names)


@cache
def _names_of(kind: str) -> frozenset[str]:
    """The first parts of the paths of all files of a kind, `*.x` for all that end so; empty where any may be."""
    build = BUILDS.get(kind)
    if build is not None:
        paths: Iterable[str] = (*(name for names in build.heads for name in names), *build.beside)
    else:
        paths = WRAPPERS.get(kind, KINDS[kind])
    return frozenset(path.partition("/")[0] for path in paths)


def _settings(kind: str, directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """The scripts of the nearest `package.json`, or no names; None where nothing is configured."""
    names: frozenset[str] | None = None
    for each in chain(directory, gathered.root):
        for name, extract in KINDS[kind].items():
            counts = gathered.take(os.path.join(each, name), extract)
            is_main = name == MAIN[kind] if kind in MAIN else not name.endswith(".py")
            if counts is not None and is_main and names is None:
                names = _scripts(json_of(counts)["scripts"]) if kind == "scripts" else frozenset()
    return names


_TASK_DIRECTORIES = ("mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks")
"""Where mise finds tasks that are files (mise's manual, File Tasks)."""

_MOST_TASKS = 50
"""The most of these that a person is shown."""


def _mise(directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """No names, with all tasks that are files; None where nothing is configured, or a task may lie elsewhere.

    Raises:
        UnclearError: there are too many to show.
    """
    for place in (os.path.join(each, name) for each in chain(directory, gathered.root) for name in _TASK_DIRECTORIES):
        gathered.watched[place] = None
        found = [os.path.join(above, each) for above, _, names in os.walk(place) for each in names]
        if len(found) > _MOST_TASKS or os.path.islink(place):
            raise UnclearError
        for path in sorted(found):
            gathered.take(path)
    return _settings("mise", directory, gathered)


def _local_targets(directory: str, gathered: DefinitionFiles) -> frozenset[str] | None:
    """The targets of a dbt project that are on this machine; none where its profiles are not beside it."""
    names = _settings("dbt", directory, gathered)
    profiles = gathered.take(os.path.join(directory, "profiles.yml")) if names is not None else None
    return names if profiles is None else local_targets(profiles)


def _scripts(scripts: dict[str, str]) -> frozenset[str]:
    """The names of the checks among scripts, and `NEXT` where npm runs none with that (npm-version(1))."""
    around = {"preversion", "version", "postversion"} & scripts.keys()
    return frozenset((*filter(is_name, scripts), *servers(scripts), *(() if around else (NEXT,))))


def what_runs(kind: str, name: str, files: dict[str, str]) -> str:
    """What a check runs, in one line for a person: its script, its recipe, or the files that configure it."""
    if kind == "scripts":
        texts = (text for path, text in files.items() if os.path.basename(path) == "package.json")
        return next((str(json_of(text)["scripts"][name]) for text in texts if text.startswith("{")), "")
    if kind not in {"make", "just"}:
        return f"as {', '.join(path for path in files if not path.endswith('.py'))} says"
    rule = re.compile(rf"(?m)^@?(?:.*\s)?{re.escape(name)}\b[^\n:]*:(?!=)(.*)\n((?:[ \t]+\S.*(?:\n|\Z))*)")
    for text in files.values():
        if match := rule.search(text):
            needs, *lines = (line.strip().lstrip("@-") for line in (match[1], *match[2].splitlines()))
            return "; ".join(filter(None, (needs and f"needs {needs}", *lines)))
    return ""
