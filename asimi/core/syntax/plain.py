"""Words that stand for themselves: a command of nothing else, and any text as such a word.

`git status`, `pytest -x tests` and `ls -la` are such commands, and the parser takes longer to load than to read them.
"""

from __future__ import annotations

from asimi.core.startup import ASCII, TYPE_CHECKING, pattern
from asimi.core.syntax.nodes import Script, SimpleCommand, Word

if TYPE_CHECKING:
    from re import Match

    from asimi.core.budget import Budget

RESERVED_NAMES = frozenset(
    "if then elif else fi for while until do done case esac in select function time coproc".split()
)

DECLARES = frozenset(["declare", "export", "local", "readonly", "typeset"])
"""Builtins that give variables attributes, and values behind `=`."""

UNSURE = frozenset([".", "eval", "readonly", "source", "trap"])
"""Commands that fix variables, or run text that is not read here."""

ASSIGNING = DECLARES | {"alias", "eval", "let"}
"""Commands of which a word may be an assignment (bash manual, Bash Builtins)."""

WATCHED = UNSURE | DECLARES | {"builtin", "command", "shopt"}
"""First words of commands that may change whether a later assignment holds."""

_LEFT = RESERVED_NAMES | ASSIGNING | WATCHED
"""First words of which only the parser knows what they do."""

_FIRST = r"(?![A-Za-z_]\w*\+?=)[\w./:@%+,-][\w./:@%+,=-]*"  # no assignment
_PLAIN = pattern(_FIRST, ASCII)
_WORD = r"""[\w./:@%+,=-]+|'[^'\n]*'|"[^"\\$`\n]*\""""
_COMMAND = pattern(rf"([ ]*{_FIRST}(?:[ ]+(?:{_WORD})(?![^ ]))*)[ ]*(?:[ ]#[^\n]*)?", ASCII)
_WORDS = pattern(_WORD, ASCII)
_UNPRINTABLE = pattern(r"[\x01-\x1f\x7f\ud800-\udfff]")


def plain(text: str, budget: Budget) -> Script | None:
    """What a text would do that is one command of such words; None for any other. The parser would say the same.

    A comment may stand behind it, as in what asimi makes of a call of an agent's own tool.
    """
    if not (found := _COMMAND.fullmatch(text)):
        return None
    words = []
    for match in _WORDS.finditer(text, 0, found.end(1)):
        word = match[0][1:-1] if match[0][0] in {"'", '"'} else match[0]
        words.append(Word(match.start(), match.end(), word, word, single=True))
    if words[0].head in _LEFT:
        return None
    budget.spend(41 + len(text) // 16 + len(words))  # as the parser does
    script = Script(text)
    command = SimpleCommand(words[0].start, words[-1].end, words, (), (), function=False, loop=False)
    command.holds = len(text)
    script.commands.append(command)
    return script


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
