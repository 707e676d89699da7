"""The variables of an arithmetic expression, which of them it sets, and whether a text is one at all."""

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


_EXPANSION = r"\$(?:\w+|[?\#!$@*-]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))"
_PIECE = pattern(
    rf"""(?P<operand>(?:\d[\w@\#]*|[A-Za-z_]\w*|{_EXPANSION}|"(?:[^"\\]|\\.)*")+(?P<element>\[)?)
    | (?P<either>\+\+|--|[-+](?!=))
    | (?P<binary>\*\*|(?:<<|>>|[*/%&|^!=<>])=|[-+]=|<<|>>|&&|\|\||[*/%&|^=<>?:,])
    | (?P<unary>[!~])
    | (?P<open>\()
    | (?P<close>[)\]])
    | (?P<key>[.@]|'[^']*')
    | (?P<blank>\s+|\\\n)""",
    re.VERBOSE | re.ASCII | re.DOTALL,
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


def is_expression(text: str) -> bool:
    """Whether a text is an arithmetic expression, or empty, whatever its variables hold.

    What is none makes bash fail; a shell without `((` takes it for a command in two subshells.
    """
    opened: list[str] = []
    wanted, pos = True, 0  # whether an operand has to come next
    while pos < len(text):
        match = _PIECE.match(text, pos)
        if match is None:
            return False
        kind, pos = "operand" if match["element"] else match.lastgroup, match.end()
        key = opened[-1:] == ["]"]  # the subscript of an associative array may be several words, and other characters
        if kind == "close":
            if wanted or not opened or opened.pop() != match[0]:
                return False
        elif kind not in {"blank", "either"} and not key and (kind == "key" or wanted is (kind == "binary")):
            return False
        if kind in {"operand", "close", "key"}:
            wanted = False
        elif kind in {"binary", "open"} or match[0] in {"+", "-"}:
            wanted = True
        if kind == "open" or match["element"]:
            opened.append(")" if kind == "open" else "]")
            wanted = True
    return not opened and (not wanted or text.isspace() or not text)
