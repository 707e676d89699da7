"""What `@npm`, `@pip`, `@cargo`, `@go`, `@remotes` and `@model` stand for: hosts of the person's own settings.

asimi reads the person's files and variables once, at the start. It starts no program, and of the project only the
remotes of its held repository count. A file that cannot be read adds nothing, so its names are asked about. If a
settings file names a registry in place of the usual one, that one takes its place here, too.
"""

from __future__ import annotations

import os
import re
import tomllib
from json import loads
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.core.judging.names import Name, host_of
from asimi.core.values import NamedTuple
from asimi.world.box.repositories import elsewhere
from asimi.world.host.git_settings import settings_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

LONGEST = 1 << 20
"""Bytes of a settings file that are read."""

PROJECT = (
    ".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "pip.conf", "requirements.txt", "pyproject.toml", "uv.toml",
    "Pipfile", ".cargo/config.toml", ".cargo/config", "Cargo.toml", "go.mod", "package.json", "package-lock.json",
    "pnpm-lock.yaml", "yarn.lock", "poetry.lock", "uv.lock", ".gitmodules",
)  # fmt: skip
"""Files of a project that may name further hosts, which are a question that names the file."""

_URL = re.compile(
    r"(?:sparse\+|registry\+)?(https?)://(?:[^\s/@\"']*@)?(\[[0-9A-Fa-f:.]+\]|[^\s/:@,\"'?#|]+)(?::([0-9]{1,5}))?"
)


class Member(NamedTuple):
    """A name that a group comes to.

    Attributes:
        name: the name.
        source: where that is said: a file, a variable, or `usual`.
    """

    name: Name
    source: str


class Person(NamedTuple):
    """Whose settings are read.

    Attributes:
        home: the home directory.
        config: where programs keep settings, `$XDG_CONFIG_HOME`.
        environ: the environment.
        root: the project root, for its remotes.
        models: where the agent's own configuration names hosts; see `Profile.models`.
    """

    home: str
    config: str
    environ: Mapping[str, str]
    root: str
    models: Sequence[str] = ()


def members(group: str, person: Person) -> tuple[Member, ...]:
    """What a group comes to, each name once.

    Args:
        group: one of `asimi.core.judging.names.GROUPS`.
        person: whose.
    """
    found = {each.name: each for each in reversed(list(_OF[group](person)))}
    return tuple(sorted(found.values(), key=lambda each: (each.name.host, each.name.port)))


def named_in(root: str, host: str) -> str:
    """The first file of a project that names a host; empty where none does."""
    return next((name for name in PROJECT if host in _text(os.path.join(root, name))), "")


def registries(person: Person) -> Iterator[tuple[str, str, str]]:
    """The addresses of package registries in the person's files: the file, the variable that says the same, its value.

    Names and passwords in an address are left out, and what a variable decides.
    """
    own = person.environ.get("NPM_CONFIG_USERCONFIG") or f"{person.home}/.npmrc"
    yarn, pip = f"{person.home}/.yarnrc.yml", person.environ.get("PIP_CONFIG_FILE") or f"{person.config}/pip/pip.conf"
    forms = (
        (own, r"(registry|@[\w.-]+:registry)\s*=\s*(\S+)", "npm_config_"),
        (yarn, r"(npmRegistryServer):\s*[\"']?([^\s\"']+)", "YARN_NPM_REGISTRY_SERVER"),
        (pip, r"(index-url|extra-index-url)\s*=\s*(\S+)", "PIP_"),
        (f"{person.home}/.pip/pip.conf", r"(index-url|extra-index-url)\s*=\s*(\S+)", "PIP_"),
    )
    for file, form, name in forms:
        for key, value in re.findall(f"(?m)^[ \t]*{form}", _own(person, file)):
            if _URL.match(value) and "$" not in value:
                address = re.sub(r"//[^/@]*@", "//", value)
                variable = (
                    f"{name}{key.upper().replace('-', '_') if name == 'PIP_' else key}" if name[-1] == "_" else name
                )
                yield file, variable, address


def _npm(person: Person) -> Iterator[Member]:
    own = person.environ.get("NPM_CONFIG_USERCONFIG") or person.environ.get("npm_config_userconfig")
    files = [
        own or f"{person.home}/.npmrc",
        "/etc/npmrc",
        "/usr/etc/npmrc",
        "/usr/local/etc/npmrc",
        f"{person.home}/.yarnrc",
    ]
    said = list(_variables(person, ("npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER")))
    moved = bool(said)
    for file in files:
        for line in _own(person, file).splitlines():
            key, sign, value = line.partition("=" if "=" in line else " ")
            if sign and key.strip().strip('"').rpartition(":")[2] == "registry":
                said += _members([value], file)
                moved = moved or key.strip().strip('"') == "registry"
    file = f"{person.home}/.yarnrc.yml"
    said += _members((line for line in _own(person, file).splitlines() if "npmRegistryServer" in line), file)
    yield from said
    yield from () if moved else _usual("registry.npmjs.org", "registry.yarnpkg.com")


def _pip(person: Person) -> Iterator[Member]:
    names = ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX")
    said = list(_variables(person, names))
    moved = bool(said)
    said += _variables(person, ("PIP_EXTRA_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_INDEX", "PIP_FIND_LINKS"))
    own = person.environ.get("PIP_CONFIG_FILE")
    for file in (own or f"{person.config}/pip/pip.conf", f"{person.home}/.pip/pip.conf", "/etc/pip.conf"):
        within = ""
        for line in _own(person, file).splitlines():
            within = line.partition("=")[0].strip() if line[:1].strip() else within  # a value may go on below its key
            if within in {"index-url", "extra-index-url", "find-links"}:
                said += _members([line], file)
                moved = moved or within == "index-url"
    file = f"{person.config}/uv/uv.toml"
    said += _members((line for line in _own(person, file).splitlines() if line.lstrip()[:1] != "#"), file)
    yield from said
    yield from () if moved else _usual("pypi.org", "files.pythonhosted.org")


def _cargo(person: Person) -> Iterator[Member]:
    home = person.environ.get("CARGO_HOME") or f"{person.home}/.cargo"
    said = list(
        _variables(person, [name for name in person.environ if re.fullmatch("CARGO_REGISTRIES_.*_INDEX", name)])
    )
    for file in (f"{home}/config.toml", f"{home}/config"):
        said += _members((line for line in _own(person, file).splitlines() if line.lstrip()[:1] != "#"), file)
    yield from said
    moved = any("replace-with" in _own(person, file) for file in (f"{home}/config.toml", f"{home}/config"))
    yield from () if moved else _usual("index.crates.io", "static.crates.io", "crates.io")


def _go(person: Person) -> Iterator[Member]:
    file = person.environ.get("GOENV") or f"{person.config}/go/env"
    written = dict(line.split("=", 1) for line in _own(person, file).splitlines() if "=" in line)
    for key, usual in (("GOPROXY", "proxy.golang.org"), ("GOSUMDB", "sum.golang.org")):
        if value := person.environ.get(key):
            yield from _members(re.split("[,| ]", value), f"${key}")
        elif value := written.get(key):
            yield from _members(re.split("[,| ]", value), file)
        else:
            yield from _usual(usual)


def _remotes(person: Person) -> Iterator[Member]:
    git = elsewhere(person.root, person.home)
    file = os.path.join(git.shared if git is not None else os.path.join(person.root, ".git"), "config")
    for section, key, value in settings_in(_text(file)):
        if section.startswith("remote ") and key == "url":
            for each in _members([value], file):
                yield each._replace(name=each.name._replace(private=False))  # it came with what was cloned


def _model(person: Person) -> Iterator[Member]:
    for each in person.models:
        if each[:1] == "$":
            yield from _variables(person, (each[1:],))
            continue
        path, _, keys = each.partition(" ")
        yield from _members((text for text in values(person, path, keys.split(".")) if isinstance(text, str)), path)


def values(person: Person, path: str, keys: Sequence[str]) -> Iterator[object]:
    """The values below some keys of a file of TOML or JSON.

    Args:
        person: whose settings are read.
        path: the file; `~` stands for the home.
        keys: one behind the other; `*` is for every key.
    """
    text = _own(person, person.home + path[1:] if path[:1] == "~" else path)
    try:
        if path.endswith(".toml"):
            there: list[object] = [tomllib.loads(text)]
        else:
            there = [loads(text)]
    except ValueError:
        return
    for key in keys:
        tables = [each for each in there if isinstance(each, dict)]
        there = [value for each in tables for name, value in each.items() if key in {"*", name}]
    yield from there


def _variables(person: Person, names: Iterable[str]) -> Iterator[Member]:
    for name in names:
        if value := person.environ.get(name):
            yield from _members(value.split(), f"${name}")


def _members(texts: Iterable[str], source: str) -> Iterator[Member]:
    """The hosts of the URLs in some texts, each with the port that its scheme means; not what a variable decides."""
    for text in texts:
        for scheme, host, port in _URL.findall(text.partition(" #")[0]):
            try:
                spelled = host_of(host)
                number = int(port or {"https": 443, "http": 80}[scheme])
                yield Member(Name(spelled, number, private=True), source)
            except (ValueError, AsimiError):
                continue


def _usual(*hosts: str) -> Iterator[Member]:
    for host in hosts:
        yield Member(Name(host, 443), "usual")


def _own(person: Person, path: str) -> str:
    """A settings file of the person's as text; nothing of one that is in the project."""
    return "" if is_below(os.path.realpath(path), person.root) else _text(path)


def _text(path: str) -> str:
    """A file as text; nothing where it cannot be read, or is none."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb") as file:
            return file.read(LONGEST).decode(errors="replace")
    except (OSError, ValueError):
        return ""


_OF: dict[str, Callable[[Person], Iterator[Member]]] = {
    "@npm": _npm,
    "@pip": _pip,
    "@cargo": _cargo,
    "@go": _go,
    "@remotes": _remotes,
    "@model": _model,
}
