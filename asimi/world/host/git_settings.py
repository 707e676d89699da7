"""What the configuration of a repository says, and which programs git starts by it (git-config(1), githooks(5))."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.pattern import pattern
from asimi.world.host.git_index import LARGEST, submodules
from asimi.world.host.places import names_in
from asimi.world.host.repositories import points_to, shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_FACTS = facts_of(__package__, "git_settings")

GLOBAL = ("/etc/gitconfig", "~/.gitconfig", "~/.config/git/config")
"""What git reads beside a repository's own configuration."""

OBEYED = frozenset({"hookspath", "excludesfile", "attributesfile", "template", "path"})
"""Settings that name what git reads or starts: hooks, patterns, the beginning of a message, what is included."""

STARTED = frozenset({"clean", "smudge", "process", "driver", "fsmonitor"})
"""Settings that name a program which git starts by itself when it adds, commits or checks out."""

PLAIN = names_of(_FACTS["plain"])
"""Settings whose values name nothing that git would start, or take settings from (git-config(1))."""

SECTIONS = (["branch"], ["user"], ["author"], ["committer"], ["color"], ["column"])
"""Sections of which all settings are of that kind."""

HOOKS = names_of(_FACTS["hooks"])
"""What git starts in a work tree (githooks(5))."""

_HEAD_LINE = pattern(r'\[([A-Za-z0-9.-]+)(?:[ \t]+"([^"\\]*)")?\]')
_SETTING_LINE = pattern(r"([A-Za-z][A-Za-z0-9-]*)(?:\s*=\s*([^\\\"#;]*))?")
"""Lines of a configuration file that mean what they say: no comment behind, no quotes, nothing that goes on below."""

_PARTS = pattern(r"[\w./~@%+,=-]+")
"""What may be a path in the command of a setting."""

_SECTION = pattern(r"\s*\[([^\]]*)\](.*)")
_CONDITION = pattern(r"gitdir(?:/i)?:([^\"]*)")
_COMMENT = pattern(r"\s[#;]")

DEEPEST = 10
"""How far files include each other, as git follows them (git-config(1))."""

MOST_FILES = 200_000
"""Files below a `.git` that are looked through."""


def guides(path: str) -> tuple[Collection[str], bool]:
    """Return what says which programs git starts in a repository, and whether it starts some by itself.

    These are its directories, what its configuration includes, whatever the condition, and the files that the
    configuration names: where hooks are, filters, commands for differences and merges, aliases (git-config(1)). Hooks
    and filters are what it starts (githooks(5), gitattributes(5)); but for Git LFS, which runs nothing of a project.
    Submodules and worktrees of it count with it. Of a submodule that git knows and that is not there, whoever puts one
    there says what git starts.

    Args:
        path: of its `.git`, a directory or a file.
    """
    own = (points_to(path) or path) if os.path.isfile(path) else os.path.realpath(path)
    shared = shared_of(own)
    elsewhere = [os.environ.get("GIT_CONFIG_GLOBAL", ""), f"{os.environ.get('XDG_CONFIG_HOME', '')}/git/config"]
    trees = [os.path.dirname(path), *([os.path.dirname(shared)] if shared.endswith("/.git") else [])]
    for each in names_in(f"{shared}/worktrees") or ():
        trees += filter(None, [os.path.dirname(text_of(f"{shared}/worktrees/{each}/gitdir").strip())])
    files = [f"{shared}/config", f"{own}/config.worktree", *map(os.path.expanduser, GLOBAL), *elsewhere]
    found, starts = _follow_settings(files, trees)
    for each in names_in(f"{shared}/modules") or ():
        module = f"{shared}/modules/{each}"
        led = [value for _, key, value in settings_in(text_of(f"{module}/config")) if key == "worktree"]
        inside, starting = _follow_settings(
            [f"{module}/config"], [os.path.normpath(os.path.join(module, each)) for each in led]
        )
        found, starts = found | inside, starts or starting
    starts = starts or any(not name.endswith(".sample") for name in names_in(f"{shared}/hooks") or ())
    modules = submodules(own)
    starts = starts or modules is None
    for each in modules or ():
        pointer = os.path.join(os.path.dirname(path), each, ".git")
        found.add(pointer)
        starts = starts or not os.path.lexists(pointer)
    return found | {own, shared}, starts


def _follow_settings(files: Iterable[str], trees: Collection[str]) -> tuple[set[str], bool]:
    """Return what configuration files of git's name, and whether they name what it starts by itself.

    Args:
        files: these files.
        trees: the directories from which git goes: those of the work trees.
    """
    found, starts, waiting = set[str](), False, list(dict.fromkeys(files))
    while waiting:
        file = waiting.pop()
        for section, key, value in settings_in(text_of(file)):
            if key == "path" and section.startswith("include"):
                included = os.path.normpath(os.path.join(os.path.dirname(file), os.path.expanduser(value)))
                waiting += [included] if included not in found else []
                found.add(included)
            elif key not in PLAIN and section.split()[:1] not in SECTIONS:
                found |= _files_named_by(section, key, value, trees)
            named = value != os.devnull if key == "hookspath" else key in STARTED and _is_program(value)
            starts = starts or named
    return found, starts


def _files_named_by(section: str, key: str, value: str, trees: Collection[str]) -> set[str]:
    """Return the files that a setting names if git starts or obeys them; an alias is a command only behind a `!`."""
    if section == "alias" and value[:1] != "!":
        return set()
    if key == "hookspath":
        led = {os.path.normpath(os.path.join(each, os.path.expanduser(value))) for each in trees}
        return {f"{each}/{name}" for each in led.intersection(trees) for name in HOOKS} | led.difference(trees)
    words = [(os.path.expanduser(word), "/" in word) for word in _PARTS.findall(value)]
    paths = ((os.path.normpath(os.path.join(each, word)), sure) for word, sure in words for each in trees)
    return {path for path, sure in paths if path not in trees and (sure or os.path.isfile(path))}


def settings_of(files: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return what configuration files of git's say, by section and key, the later over the earlier.

    What they include is not read.
    """
    return {(section, key): value for file in files for section, key, value in settings_in(text_of(file))}


def has_sha256(shared: str) -> bool:
    """Whether the names of a repository's objects are of SHA-256 (git-config(1), extensions.objectFormat)."""
    return settings_of([f"{shared}/config"]).get(("extensions", "objectformat"), "").lower() == "sha256"


def signs(own: str, tree: str) -> frozenset[str]:
    """Return what git signs without being told to, in a repository: `commit`, `tag` (git-config(1)).

    Args:
        own: what holds the repository: its `.git`, or what that points to.
        tree: its work tree.
    """
    said = {
        section: value.lower() not in {"false", "no", "off", "0"}
        for section, key, value in _in_force(own, tree)
        if key in {"gpgsign", "forcesignannotated"}
    }
    return frozenset(each for each in ("commit", "tag") if said.get(each))


def filter_of(own: str, tree: str) -> str:
    """Return a program that git starts as a filter in a repository, but for Git LFS; empty without one.

    Args:
        own: what holds the repository: its `.git`, or what that points to.
        tree: its work tree.
    """
    found = (value for section, key, value in _in_force(own, tree) if section[:6] == "filter" and key in STARTED)
    return next(filter(_is_program, found), "")


def obeyed_paths(own: str, tree: str) -> set[str]:
    """Return the real paths of what git's settings name in a repository and git then reads or starts.

    These are the directory of hooks, files that are included, and those of patterns and messages (git-config(1)).

    Args:
        own: what holds the repository: its `.git`, or what that points to.
        tree: its work tree.
    """
    named = {(section, key): value for section, key, value in _in_force(own, tree) if key in OBEYED}
    included = {value for section, key, value in _in_force(own, tree) if section.startswith("include")}
    paths = {value for (section, _), value in named.items() if not section.startswith("include")} | included
    return {os.path.realpath(os.path.join(tree, os.path.expanduser(each))) for each in paths if each}


def _in_force(own: str, tree: str) -> Iterator[tuple[str, str, str]]:
    """Yield what git obeys in a repository; the last word counts (git-config(1), FILES)."""
    config, chosen = os.environ.get("XDG_CONFIG_HOME") or "~/.config", os.environ.get("GIT_CONFIG_GLOBAL")
    usual = [chosen] if chosen is not None else [f"{config}/git/config", "~/.gitconfig"]
    for file in (GLOBAL[0], *usual, f"{shared_of(own)}/config", f"{own}/config.worktree"):
        yield from _with_included(os.path.expanduser(file), (own, f"{tree}/.git"))


def _with_included(file: str, repositories: Collection[str], depth: int = DEEPEST) -> Iterator[tuple[str, str, str]]:
    """Yield the settings of a file, with those of the files that it includes behind the path of each.

    A condition that is not about where the repository is counts as met.
    """
    for section, key, value in settings_in(text_of(file)):
        if key == "path" and section.startswith("include") and depth:
            at = os.path.join(os.path.dirname(file), os.path.expanduser(value))
            if _is_met(section, os.path.dirname(file), repositories):
                yield section, key, at
                yield from _with_included(at, repositories, depth - 1)
        else:
            yield section, key, value


def _is_met(section: str, directory: str, repositories: Collection[str]) -> bool:
    """Whether the condition of an `includeIf` is, as far as it is about where a repository is."""
    where = _CONDITION.search(section)
    if where is None:
        return True
    pattern = os.path.expanduser(where[1])
    pattern = f"{directory}{pattern[1:]}" if pattern[:2] == "./" else pattern
    pattern = pattern if pattern[:1] == "/" else f"*/{pattern}"
    pattern = f"{pattern}*" if pattern[-1:] == "/" else pattern
    return any(
        fnmatchcase(each.lower(), pattern.lower()) for each in (*repositories, *map(os.path.realpath, repositories))
    )


def settings_in(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the settings of a configuration file of git's: section and key in small letters, and value."""
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        if (head := _SECTION.match(line)) is not None:
            section, line = head[1].lower(), head[2]  # noqa: PLW2901 - a setting may follow its section
        key, _, value = _COMMENT.split(line)[0].partition("=")
        yield section, key.strip().lower(), value.strip().strip('"')


def plain_settings(path: str, name: str = "config") -> list[tuple[str, str, str]] | None:
    """Return the settings of a repository's own configuration; None where not all of it is understood.

    Each is the name without a subsection, in small letters, the subsection, and the value; a setting without one has
    the value `true` (git-config(1), Syntax).

    Args:
        path: of its `.git`, a directory.
        name: of the configuration in there.
    """
    found, section, which = [], "", ""
    text = text_of(f"{path}/{name}", LARGEST)
    if not text or len(text) >= LARGEST:
        return None
    for line in map(str.strip, text.split("\n")):
        if not line or line[0] in "#;":
            continue
        if (head := _HEAD_LINE.fullmatch(line)) is not None:
            section, which = head[1].lower(), head[2] or ""
        elif section and (setting := _SETTING_LINE.fullmatch(line)) is not None:
            value = "true" if setting[2] is None else setting[2].rstrip()
            found.append((f"{section}.{setting[1].lower()}", which, value))
        else:
            return None
    return found


def stray_in(path: str) -> str | None:
    """Return the first of what is no file and no directory below a `.git`, its hooks left out; empty without one.

    Git writes through links there: whoever makes one of `FETCH_HEAD` or of a log chooses what it writes over.

    Returns:
        None where there is too much to look through, or a directory cannot be read.
    """
    waiting, left = [path], MOST_FILES
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting += [entry.path] if entry.path != f"{path}/hooks" else []
                    elif not entry.is_file(follow_symlinks=False):
                        return entry.path
        except OSError:
            return None
        if left < 0:
            return None
    return ""


def _is_program(value: str) -> bool:
    return value.lower() not in {"", "true", "false"} and value.split(maxsplit=1)[0] != "git-lfs"
