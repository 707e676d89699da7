"""No regular expression takes more than a moment, whatever text it is matched against.

All that judging, asking and the log match are found by importing the modules. Each is attacked with texts made from
its own letters, repeated, with an end that fails: short ones, which tell what is exponential, and long ones, which tell
what is quadratic. A process of its own does it, because nothing can stop an expression but the limit of its CPU time.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import asimi

pytestmark = pytest.mark.long  # it measures CPU time, and takes much of it

ROOT = Path(asimi.__file__).parent
WITHIN = ("asimi.core", "asimi.world.audit", "asimi.doors")
QUADRATIC = "(?:[a-z]|-)*://"
"""What takes too long, on any machine: it begins again at each letter and reads to the end."""

WHOLE = 150
"""Seconds of CPU for all of them together."""

SHORT, LONG = 28, 12_000
METHODS = frozenset({"match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn"})
BOUNDED = {
    "asimi.core.programs.program._TOKEN": 64,  # the options of the catalogue
    "asimi.core.reading.finding._PIECE": 512,  # `LONGEST` there
    "asimi.core.reading.finding._ENDING": 512,
    "asimi.core.reading.finding._CHOICE": 512,
}
"""Expressions that are never matched against longer texts."""

BEFORE = ("", "a", "[", "-a=", "$", '"')
BEHIND = frozenset({"a", " "})
"""What is tried behind each of them in a long text, too."""
SIGNS = (
    r"""a|1| |\t|\n|/|-|=|\|'|"|$|{|(|[|é|.|*|:|,|_|\⏎|a |a/|'a'|\a|a=|a.|a,|-a |a¦|¦ a|[a|(a|${a|$a|a:|://|a://|#|;"""
)
ENDS = ("\x00", "!", "\n\x01", "")


class Used(NamedTuple):
    """One regular expression, as the code uses it."""

    where: str
    pattern: re.Pattern
    methods: tuple[str, ...]


def _most() -> float:
    """Seconds of CPU for one text: half of what a quadratic expression takes here; a linear one takes a hundredth."""
    return min(_took(re.compile(QUADRATIC), "search", "a" * LONG) for _ in range(3)) / 2


def used() -> list[Used]:
    """All expressions that the modules keep, each with the methods that are called of its name beside it."""
    found: dict[tuple[str | bytes, int], Used] = {}
    for package in WITHIN:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if module.name.endswith("__main__"):
                continue
            loaded, calls = importlib.import_module(module.name), _calls(module.name)
            for name, value in vars(loaded).items():
                for each in _inside(value):
                    key = (each.pattern, each.flags)
                    where, known = (found[key].where, found[key].methods) if key in found else ("", ())
                    own = f"{module.name}.{name}"
                    found[key] = Used(where or own, each, tuple(sorted({*known, *calls.get(name, ())})))
    return list(found.values())


def _inside(value: object) -> list[re.Pattern]:
    if isinstance(value, re.Pattern):
        return [value]
    if type(value).__name__ == "pattern":
        return [re.compile(value._text, value._flags)]
    if isinstance(value, dict):
        value = tuple(value.values())
    return [each for one in value for each in _inside(one)] if isinstance(value, (list, tuple)) else []


def _calls(module: str) -> dict[str, set[str]]:
    """The methods of expressions that the modules of a directory call, by the name that they are called of."""
    path = ROOT.joinpath(*module.split(".")[1:])
    names: dict[str, set[str]] = {}
    for file in (path if path.is_dir() else path.parent).glob("*.py"):
        if file not in _TREES:
            _TREES[file] = ast.parse(file.read_bytes())
        for node in ast.walk(_TREES[file]):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                owner = node.value
                while isinstance(owner, ast.Subscript):
                    owner = owner.value
                name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
                names.setdefault(name, set()).add(node.attr)
    return names


_TREES: dict[Path, ast.Module] = {}


def slow(expression: Used, most: float) -> str:
    """The text that takes longer than that, or empty."""
    of_bytes = isinstance(expression.pattern.pattern, bytes)
    source = expression.pattern.pattern.decode() if of_bytes else expression.pattern.pattern
    signs = SIGNS.replace("⏎", "\n").replace(r"\t", "\t").replace(r"\n", "\n").split("|")
    own = [*re.sub(r"\\[AZbBwWdDsS]", "", source), *re.findall(r"[\w-]{2,12}", source)[:12]]
    longest = BOUNDED.get(expression.where, LONG)
    for size in (SHORT, longest):
        for piece in dict.fromkeys([*(each.replace("¦", "|") for each in signs), *own]):
            for before in BEFORE if size == SHORT or piece in BEHIND else BEFORE[:1]:
                for end in ENDS if size == SHORT else ENDS[:1]:
                    text = before + piece * (size // len(piece)) + end
                    for method in expression.methods or ("match", "search"):
                        took = _took(expression.pattern, method, text.encode() if of_bytes else text)
                        if took > most:
                            return f"{method}: {before!r}, {size} letters of {piece!r}, {end!r}: {took:.2f} s"
    return ""


def _took(pattern: re.Pattern, method: str, text: str | bytes) -> float:
    began = time.thread_time()
    if method in {"sub", "subn"}:
        getattr(pattern, method)(text[:0], text)
    elif method == "finditer":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, method)(text)
    return time.thread_time() - began


def main() -> None:
    """Attack all of them; the name of each is said before it is tried."""
    resource.setrlimit(resource.RLIMIT_CPU, (WHOLE, WHOLE))
    most = _most()
    for expression in used():
        sys.stdout.write(f"{expression.where} ")
        sys.stdout.flush()
        sys.stdout.write(f"{slow(expression, most)}\n")


def test_no_expression_takes_long():
    run = subprocess.run([sys.executable, __file__], stdout=subprocess.PIPE, text=True, check=False)
    lines = run.stdout.splitlines()
    assert run.returncode == 0, f"this one does not end: {lines[-1:]}"
    assert len(lines) > 200
    assert [line for line in lines if not line.endswith(" ")] == []


def test_the_attack_finds_what_is_slow():
    most = _most()
    assert slow(Used("", re.compile(r"(?:a|aa|aaa){1,40}z"), ("match",)), most)
    assert slow(Used("", re.compile(QUADRATIC), ("search",)), most)
    assert slow(Used("", re.compile(r"""["]\s*,?\s*["]"""), ("search",)), most)
    assert slow(Used("", re.compile(r"(?:[$]\w+|[$\w])+"), ("fullmatch",)), most)
    assert not slow(Used("", re.compile("(?:a++|b)*+"), ("fullmatch",)), most)


if __name__ == "__main__":
    main()
