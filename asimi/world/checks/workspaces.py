"""Reads in which packages of a project its package manager runs scripts and tools (pnpm, npm, Yarn: Workspaces)."""

from __future__ import annotations

import os
import re

from asimi.core.values import NamedTuple
from asimi.world.checks.gathering import DefinitionFiles, UnclearError, chain, json_of

_LISTED = re.compile(r"[ \t]*-[ \t]+(['\"]?)([^'\"\n]+?)\1[ \t]*(?:#.*)?")
_INLINE = re.compile(r"packages:[ \t]*\[([^\]\n]*)\][ \t]*")

MOST_NAMED = 2000
"""Directories of one workspace that are looked at."""


class Workspace(NamedTuple):
    """The packages of a project.

    Attributes:
        members: the name and the real path of each, the one that names the others first.
        scripted: those real paths where there are scripts.
        watched: the beginnings of the real paths of all files that say so.
    """

    members: tuple[tuple[str, str], ...]
    scripted: frozenset[str]
    watched: tuple[str, ...]


def workspace(directory: str, root: str) -> Workspace | None:
    """The packages of the nearest workspace above a directory; None without one.

    A package manager takes some of them at most, such as those that no `!` excludes.
    """
    gathered = DefinitionFiles(root)
    try:
        for top in chain(directory, root):
            patterns = _patterns(top, gathered)
            if patterns is not None:
                return _members(top, patterns, gathered)
    except (UnclearError, OSError):
        pass
    return None


def _patterns(top: str, gathered: DefinitionFiles) -> list[str] | None:
    """The directories that a workspace names; None where it is none."""
    settings = gathered.take(os.path.join(top, "pnpm-workspace.yaml"))
    package = gathered.take(os.path.join(top, "package.json"))
    named = json_of(package).get("workspaces") if package is not None else None
    named = named.get("packages") if isinstance(named, dict) else named
    if settings is None and named is None:
        return None
    found = [*(named or ()), *(_packages_of(settings) if settings is not None else ())]
    if not all(isinstance(each, str) for each in found):
        raise UnclearError
    return found


def _packages_of(settings: str) -> list[str]:
    """What a `pnpm-workspace.yaml` names; all directories where it names none."""
    lines = settings.split("\n")
    heads = [line for line in lines if re.match(r"['\"]?packages\b", line)]
    if not heads:
        return ["**"]
    if match := _INLINE.fullmatch(heads[0]):
        return [each.strip().strip("'\"") for each in match[1].split(",")]
    found = []
    for line in lines[lines.index(heads[0]) + 1 :]:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LISTED.fullmatch(line)
        if match is None:
            if line[0] in " \t-":
                raise UnclearError
            break
        found.append(match[2])
    if heads[0].strip() != "packages:" or len(heads) > 1:
        raise UnclearError
    return found


def _members(top: str, patterns: list[str], gathered: DefinitionFiles) -> Workspace:
    """The packages whose directories patterns name."""
    places = {top: None}
    for pattern in patterns:
        if pattern[:1] != "!":
            places.update(dict.fromkeys(_expand_pattern(pattern.strip("/").split("/"), top, gathered)))
    members, scripted = list[tuple[str, str]](), set[str]()
    for place in places:
        text = gathered.take(os.path.join(place, "package.json"))
        if text is not None:
            value = json_of(text)
            members.append((str(value.get("name", "")), os.path.realpath(place)))
            scripted.update([members[-1][1]] if "scripts" in value else [])
    return Workspace(tuple(members), frozenset(scripted), tuple(gathered.watched))


def _expand_pattern(parts: list[str], top: str, gathered: DefinitionFiles) -> list[str]:
    """The directories that a pattern names below one.

    Raises:
        UnclearError: it has more than `*` and `**`, leads out, or names too many.
    """
    found = [top]
    for part in parts:
        if part == ".." or any(each in part for each in "{}[]?()!\\+@"):
            raise UnclearError
        if "*" in part:
            gathered.watched.update(dict.fromkeys(f"{os.path.realpath(place)}/" for place in found))
        if part == "**":
            waiting = list(found)
            for place in waiting:
                waiting += _below(place)
                if len(waiting) > MOST_NAMED:
                    raise UnclearError
            found = waiting
        elif "*" in part:
            shape = re.compile(".*".join(map(re.escape, part.split("*"))))
            found = [each for place in found for each in _below(place) if shape.fullmatch(os.path.basename(each))]
        elif part != ".":
            found = [os.path.join(place, part) for place in found]
    if len(found) > MOST_NAMED:
        raise UnclearError
    return [each for each in found if os.path.isfile(os.path.join(each, "package.json"))]


def _below(place: str) -> list[str]:
    """The directories in one, but for what is installed and git's own."""
    if not os.path.isdir(place):
        return []
    with os.scandir(place) as entries:
        return sorted(each.path for each in entries if each.name not in {"node_modules", ".git"} and each.is_dir())
