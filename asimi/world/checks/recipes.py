"""Reads what targets of makefiles and justfiles, and scripts of packages, run, where that is plain to see.

Sources: GNU make manual (Rule Syntax, Recipe Syntax), just's manual (recipes, attributes), npm-run-script(1).
"""

from __future__ import annotations

import json
import os
import re

_MAKE = re.compile(r"(?m)^([A-Za-z][\w.-]*)[ \t]*:[ \t]*(?:#.*)?\n((?:\t.*\n?)+)")
_MAKE_TARGETS = re.compile(r"(?m)^([^\s#=:][^#=:\n]*):(?!=)")
_MAKE_UNCLEAR = re.compile(
    r"SHELL|\.ONESHELL|\.RECIPEPREFIX|\\\n|^[ ]*(?:override[ ]+|private[ ]+)*(?:define|(?:un)?export)\b", re.MULTILINE
)
_MAKE_ASSIGNED = re.compile(r"(?m)^(?!\t).*?([\w.-]+)[ \t]*(?::{1,3}|[?+!])?=")
_JUST = re.compile(r"(?m)^(?<!\]\n)@?([A-Za-z][\w-]*):[ \t]*(?:#.*)?\n((?:[ \t]+.*\n?)+)")
_JUST_UNCLEAR = re.compile(r"(?m)^set\b|^export\b|^import\b|^mod\b|\\\n|#!")


def recipes(kind: str, files: dict[str, str], directory: str, root: str) -> dict[str, str]:
    """What targets or scripts run, as shell text, by their names; of those that say so in one place of a directory.

    Args:
        kind: of definition.
        files: what counts of each file, by its path from the root, the nearest first.
        directory: where it is looked for.
        root: of the project.
    """
    own = {os.path.basename(path): text for path, text in files.items() if _is_in(path, directory, root)}
    if kind == "scripts" and "package.json" in own:
        return _scripts(own["package.json"])
    text = "\n".join(files.values())
    if kind == "make" and not _MAKE_UNCLEAR.search(text) and not _steers(text):
        targets = [name for match in _MAKE_TARGETS.finditer(text) for name in match[1].split()]
        return {name: lines for name, lines in _lines(_MAKE, text) if targets.count(name) == 1}
    if kind == "just" and own and not _JUST_UNCLEAR.search(text):
        return dict(_lines(_JUST, text))
    return {}


def _steers(text: str) -> bool:
    """Whether a makefile gives a variable that a recipe's programs get (GNU make, Communicating Variables)."""
    return not {"PATH", *os.environ}.isdisjoint(match[1] for match in _MAKE_ASSIGNED.finditer(text))


def _is_in(path: str, directory: str, root: str) -> bool:
    return os.path.normpath(os.path.join(root, os.path.dirname(path))) == directory


def _scripts(text: str) -> dict[str, str]:
    """The scripts around which a package manager runs no other one."""
    try:
        scripts = json.loads(text).get("scripts", {})
    except ValueError:  # it is kept as its hash
        return {}
    alone = (name for name in scripts if not {f"pre{name}", f"post{name}"} & scripts.keys())
    return {name: scripts[name] for name in alone if isinstance(scripts[name], str)}


def _lines(rule: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """The names of rules, each with the commands of its recipe."""
    found = []
    for match in rule.finditer(text):
        lines = (line.strip().lstrip("@-") for line in match[2].splitlines())
        found.append((match[1], " && ".join(line for line in lines if line)))
    return found
