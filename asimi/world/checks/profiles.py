"""Reads which targets of a dbt project its own profiles put on this machine (dbt, About profiles.yml)."""

from __future__ import annotations

import re

from asimi.core.reading.checks import USUAL

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
    """The names of the outputs that leave no doubt, with `USUAL` where all that are taken without a name are such."""
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
