"""Reads what targets of makefiles and justfiles, and scripts of packages, run, and which of dbt's are on this machine.

Only what is plain to see counts. Sources: GNU make manual (Rule Syntax, Recipe Syntax), just's manual (recipes,
attributes), npm-run-script(1), dbt's page about profiles.yml.
"""

from __future__ import annotations

import itertools
import json
import os
import re

from asimi.core.reading.checks import USUAL

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
    given = (match[1] for match in _MAKE_ASSIGNED.finditer(text))  # programs get these (Communicating Variables)
    if kind == "make" and not _MAKE_UNCLEAR.search(text) and {"PATH", *os.environ}.isdisjoint(given):
        targets = [name for match in _MAKE_TARGETS.finditer(text) for name in match[1].split()]
        return {name: lines for name, lines in _lines(_MAKE, text) if targets.count(name) == 1}
    if kind == "just" and own and not _JUST_UNCLEAR.search(text):
        return dict(_lines(_JUST, text))
    return {}


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


_SERVER = re.compile(
    r"(?:(?:cross-env )?(?:(?:NODE_ENV|PORT|BROWSER|NEXT_TELEMETRY_DISABLED)=\w+ )*)?"
    r"(?:next (?:dev|start)|vite(?: (?:dev|serve|preview))?|react-scripts start|expo start"
    r"|(?:astro|nuxt) (?:dev|preview)|remix dev|ng serve|docusaurus start|gatsby develop|vue-cli-service serve"
    r"|webpack(?:-dev-server| serve)|storybook dev"
    r"|nest start|parcel|tsc|tsup|rollup|vitest|jest|uvicorn [\w.]+:\w+|flask run|python3? manage\.py runserver"
    r"|(?:nodemon|node --watch|tsx watch)(?= (?:.* )?[\w-]+(?:/[\w.-]+)*\.[cm]?[jt]s$))"
    r"(?P<rest>(?: [\w.:/=,@-]+)*)"
)
"""A server of the project for this machine, or what watches its files, in plain words."""

_SERVES = frozenset({"dev", "start", "serve", "preview", "watch"})
"""How the names of such scripts begin, before a colon."""

_PLAIN_OPTION = re.compile(
    r"(?!/|-H.|(?!127\.)\d+\.\d+\.\d+\.)(?!.*\.\.)(?!.*(?:0\.0\.0\.0|tunnel|deploy|config|require|loader|import|exec|env-file|inspect))(?!-[reCc]$)"
    r"(?!-?-?h(?:ost|ostname)?=(?!localhost$|127\.0\.0\.1$)).*"
)


def servers(scripts: dict[str, str]) -> list[str]:
    """The names of the scripts that start a server of the project for this machine, around which runs no other one."""
    names = [each for each in scripts if each.partition(":")[0] in _SERVES and isinstance(scripts[each], str)]
    return [each for each in names if not {f"pre{each}", f"post{each}"} & scripts.keys() and _serves(scripts[each])]


def _serves(text: str) -> bool:
    match = _SERVER.fullmatch(text.strip())
    words = match["rest"].split() if match is not None else ["/"]
    hosts = [then for each, then in itertools.pairwise(words) if each in {"--host", "--hostname", "-H", "-h", "--bind"}]
    open_to = words[-1:] and words[-1] in {"--host", "--hostname", "-H"}
    return not open_to and all(map(_PLAIN_OPTION.fullmatch, words)) and {*hosts} <= {"localhost", "127.0.0.1", "::1"}


def _lines(rule: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """The names of rules, each with the commands of its recipe."""
    found = []
    for match in rule.finditer(text):
        lines = (line.strip().lstrip("@-") for line in match[2].splitlines())
        found.append((match[1], " && ".join(line for line in lines if line)))
    return found


_TARGET = re.compile(r"(?m)^[ \t]+target:[ \t]*(['\"]?)([\w-]+)\1[ \t]*$")
_OUTPUT = re.compile(r"(?m)^(?P<in>[ ]+)outputs:[ \t]*\n(?P<all>(?:(?P=in)[ ]+.*\n?|[ \t]*\n)*)")
_LINE = re.compile(r"(\w+):[ \t]*(['\"]?)([^'\"#\n]*)\2[ \t]*")
_LOCAL = {
    "type": re.compile("postgres|duckdb|sqlite"),
    "host": re.compile(r"localhost|127\.0\.0\.1|\[?::1\]?"),
    "path": re.compile(r":memory:|(?!md:|motherduck:)[\w.-]+(?:/[\w.-]+)*"),
}
_PLAIN = frozenset(
    "connect_timeout database dbname keepalives_idle pass password port retries role schema threads user".split()
)


def local_targets(profiles: str) -> frozenset[str]:
    """The names of the outputs in the profiles of a dbt project that leave no doubt.

    `USUAL` is among them if all that are taken without a name are such.
    """
    outputs: dict[str, bool] = {}
    for block in _OUTPUT.finditer(profiles):
        lines = [line for line in block["all"].split("\n") if line.strip() and line.strip()[0] != "#"]
        depths = [len(line) - len(line.lstrip(" ")) for line in lines]
        name = ""
        for line, depth in zip(lines, depths, strict=True):
            match = _LINE.fullmatch(line.strip())
            if depth == depths[0]:
                name = line.strip().removesuffix(":").strip("'\"")
                outputs[name] = outputs.get(name, True) and match is not None and not match[3]
            else:
                outputs[name] = outputs[name] and match is not None and _is_local(match[1], match[3].strip())
    local = {name for name, is_local in outputs.items() if is_local}
    usual = {match[2] for match in _TARGET.finditer(profiles)}
    return frozenset((*local, *((USUAL,) if usual and usual <= local else ())))


def _is_local(key: str, value: str) -> bool:
    """Whether a line of an output of dbt leaves it on this machine."""
    return bool(_LOCAL[key].fullmatch(value)) if key in _LOCAL else key in _PLAIN and "{" not in value
