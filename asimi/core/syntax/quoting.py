"""Any text as a word of shell text."""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from re import Match

RESERVED_NAMES = frozenset(
    "if then elif else fi for while until do done case esac in select function time coproc".split()
)

_PLAIN = pattern(r"(?![A-Za-z_]\w*\+?=)[\w./:@%+,-][\w./:@%+,=-]*", ASCII)  # no assignment
_UNPRINTABLE = pattern(r"[\x01-\x1f\x7f\ud800-\udfff]")


def quote(text: str) -> str:
    """One word of shell text that bash reads as exactly `text`.

    Raises:
        ValueError: `text` holds NUL, which no word can, or a surrogate that stands for no byte.
    """
    if _PLAIN.fullmatch(text) and text not in RESERVED_NAMES:
        return text
    place = text.find("\0")
    if place >= 0:
        raise ValueError(f"no shell word can hold the NUL at place {place}")
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise ValueError(f"the character at place {error.start} is half of one and cannot be written") from None
    if _UNPRINTABLE.search(text):
        return "$'" + _UNPRINTABLE.sub(_escaped, text.replace("\\", "\\\\").replace("'", "\\'")) + "'"
    return "'" + text.replace("'", "'\\''") + "'"


def _escaped(match: Match[str]) -> str:
    number = ord(match[0])
    return f"\\{number & 0xFF:03o}"  # a surrogate U+DCxx stands for the byte xx
