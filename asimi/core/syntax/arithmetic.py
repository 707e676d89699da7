"""The variables of an arithmetic expression, and which of them it sets."""

from __future__ import annotations

import re

from asimi.core.lean import NamedTuple, pattern

_TOKEN = pattern(
    r"""(?P<number>\d[\w@]*(?:\#[\w@]*)?)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<step>\+\+|--)
    | (?P<set>(?:<<|>>|[-+*/%&|^])?=(?!=))
    | (?P<compare>[=!<>]=|<<|>>)
    | (?P<open>\[)
    | (?P<close>\])
    | (?P<blank>\s+)
    | (?P<other>.)""",
    re.VERBOSE | re.ASCII,
)


class Change(NamedTuple):
    """A variable that an expression sets: its name and subscript, and where both are."""

    start: int
    end: int
    name: str
    subscript: str | None


def read(expression: str) -> tuple[tuple[str, ...], list[Change]]:
    """The names in an expression, each once, in order, and what it sets (bash manual, Shell Arithmetic)."""
    names: dict[str, None] = {}
    changes: list[Change] = []
    opened: list[Change | None] = []
    target: Change | None = None  # what an operator would set if it came next
    before = False  # whether ++ or -- comes before
    for match in _TOKEN.finditer(expression):
        kind = match.lastgroup
        if kind == "blank":
            continue
        if kind == "name":
            names[match[0]] = None
            target = Change(match.start(), match.end(), match[0], None)
            if before:
                changes.append(target)
        elif kind == "open":
            opened.append(target)
            target = None
        elif kind == "close":
            target = opened.pop() if opened else None
            if target is not None:
                shallow = len(opened) < 4  # deeper ones are not kept: their copies would cost more than they tell
                inside = expression[target.end + 1 : match.start()].strip() if shallow else ""
                target = Change(target.start, match.end(), target.name, inside)
        elif kind in ("step", "set") and target is not None:
            changes.append(target)
            target = None
        else:
            target = None
        before = kind == "step"
    return tuple(names), changes
