"""What bash evaluates a second time: arithmetic, subscripts, and the values of variables in them.

`$(( x ))` evaluates the *value* of `x` as arithmetic, an array subscript in it is expanded again, and a substitution in
that is executed: `x='a[$(id)]'; echo $((x))` runs `id` (bash manual, Shell Arithmetic; tried with bash 5.2). The same
holds for the operands of `[[ -v`, `[[ -eq`, `test -v`, `printf -v`, `read`, `unset`, `declare`, `let`, `wait -p`.
"""

from __future__ import annotations

from re import ASCII, DOTALL, VERBOSE
from typing import TYPE_CHECKING

from asimi.core.errors import ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.syntax import parse

if TYPE_CHECKING:
    from asimi.core.budget import Budget

LOOKS_LIKE = pattern(r"\$\(|`|\$\{[\s|]|[<>]\(")
"""What every text with a substitution contains; `$\\⏎(` is joined first."""

SAFE_NUMBER = pattern(r"\s*+[-+]?+(?:0[xX][0-9a-fA-F]++|\d++#[\w@]++|\d++)?\s*+", ASCII)
SUBSCRIPTED = pattern(r"([A-Za-z_]\w*)\[(.*)\](.*)", DOTALL | ASCII)
NAME = pattern(r"[A-Za-z_]\w*", ASCII)
ASSIGNS = pattern(r"=|\+\+|--")
"""What all arithmetic that assigns contains."""

_ESCAPED = pattern(r"\\(?:([0-7]{3})|([][])|.)", DOTALL)
_PLAIN_PROMPT = pattern(
    r"""(?:[^\\$`]|\\[^\d`]|\$[\w?$#!-]|\$\{\#?\w+(?:\[\d+])?
    (?:(?:\#\#?|%%?|:?[-+])(?:[^{}$`\\]|\$\w|\$\{\w+(?:\[\d+])?\})*)?\})*""",
    ASCII | VERBOSE | DOTALL,
)
"""A value that names variables and nothing else that is expanded."""


def arithmetic(text: str, budget: Budget) -> tuple[bool, tuple[str, ...]]:
    """Whether evaluating a text as arithmetic would execute a substitution, and the variables it reads.

    A text that cannot be read counts as executing one if it looks at all like that.
    """
    if SAFE_NUMBER.fullmatch(text):
        return False, ()
    try:
        script = parse(f": $(({text}))", budget)
    except ShellSyntaxError:
        return suspicious(text), ()
    names = tuple(name for evaluation in script.evaluations for name in evaluation.names)
    return bool(script.substitutions) or (len(script.commands) > 1 and suspicious(text)), names


def reference(text: str, budget: Budget) -> tuple[bool, tuple[str, ...]]:
    """The same for a text that names a variable, perhaps with a subscript: `a[i]`."""
    match = SUBSCRIPTED.fullmatch(text)
    if match is None:
        return ("[" in text and suspicious(text)), ()
    if match[2] in {"@", "*"}:
        return False, ()
    return arithmetic(match[2], budget)


def assigned_names(text: str) -> list[str]:
    """The variables to which evaluating a text as arithmetic may assign, and others that it names."""
    return NAME.findall(text) if ASSIGNS.search(text) else []


def prompt(text: str) -> tuple[bool, bool]:
    r"""Whether a value, expanded as PS4 is, would execute a substitution, and whether it is sure to evaluate nothing.

    In it `\044` is a dollar sign, `\[` and `\]` are nothing (bash manual, Controlling the Prompt; tried with 5.2).
    """
    shown = _ESCAPED.sub(lambda each: chr(int(each[1], 8) & 255) if each[1] else "" if each[2] else each[0], text)
    return suspicious(text) or suspicious(shown), _PLAIN_PROMPT.fullmatch(shown) is not None


def suspicious(text: str) -> bool:
    """Whether a text looks as if it held a substitution."""
    return LOOKS_LIKE.search(text.replace("\\\n", "")) is not None
