"""What pieces of shell text stand for: functions from strings, which know nothing of the text around them.

Quote removal, what the delimiter of a here-document is, whether an unquoted word is a pattern or a
brace expansion, and which variables an arithmetic expression reads and sets.
"""

from __future__ import annotations

from re import ASCII, DOTALL, VERBOSE
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from re import Match

_ANSI_NAMES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI_ESCAPE = pattern(
    r"\\(?:([0-7]{1,3})|x(?:\{([0-9A-Fa-f]*)\}?|([0-9A-Fa-f]{1,2}))|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})"
    r"|c(\\\\|.)|(.))",
    DOTALL,
)
_DOUBLE_ESCAPE = pattern(r"\\([$`\"\\\n])")
_HEREDOC_ESCAPE = pattern(r"\\([$`\\\n])")
_DELIMITER = pattern(
    r"""'([^']*)'|\$'((?:[^'\\]|\\.)*)'|\$?"((?:[^"\\]|\\.)*)"|(\\\n)|\\(.)|([^'"$\\]++|.)""", DOTALL | VERBOSE
)
_BRACE = pattern(r"[{},]|\.\.(?!\})")
_PART = pattern(
    r"""(?P<number>\d[\w@]*(?:\#[\w@]*)?)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<step>\+\+|--)
    | (?P<set>(?:<<|>>|[-+*/%&|^])?=(?!=))
    | (?P<compare>[=!<>]=|<<|>>)
    | (?P<open>\[)
    | (?P<close>\])
    | (?P<blank>\s+)
    | (?P<other>.)""",
    VERBOSE | ASCII,
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
    VERBOSE | ASCII | DOTALL,
)


def ansi(inside: str) -> str | None:
    """What `$'inside'` stands for; None where that depends on the locale."""
    if "\\" not in inside:
        return inside
    pieces: list[str] = []
    place = 0
    for match in _ANSI_ESCAPE.finditer(inside):
        pieces.append(inside[place : match.start()])
        place = match.end()
        octal, braced, hexadecimal, short, long, control, other = match.groups()
        if octal:
            code = int(octal, 8) & 0xFF
        elif hexadecimal:
            code = int(hexadecimal, 16)
        elif short or long:
            code = int(short or long, 16)
            if code > 0x7F:
                return None
        elif control:
            code = 0x7F if control == "?" else ord(control[0].upper()) & 0x1F
            if ord(control[0]) > 0x7F:
                return None
        elif braced is not None:
            return None  # \x{…} is in no manual
        else:
            pieces.append(_ANSI_NAMES.get(other, "\\" + other))
            continue
        if code == 0:
            return bytes_joined("".join(pieces))  # C strings end here
        pieces.append(chr(code) if code < 0x80 else chr(0xDC00 + code))
    pieces.append(inside[place:])
    return bytes_joined("".join(pieces))


def bytes_joined(text: str) -> str:
    """The text with bytes that make a character put together."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def double(inside: str) -> str:
    """What double quotes leave of text without expansions."""
    return _DOUBLE_ESCAPE.sub(_unescape, inside)


def document(body: str) -> str:
    """What an unquoted here-document leaves of text without expansions."""
    return _HEREDOC_ESCAPE.sub(_unescape, body)


def _unescape(match: Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def delimiter(raw: str) -> tuple[str, bool]:
    """The delimiter that a word after `<<` stands for, and whether it is quoted.

    Only quotes are removed (POSIX 2.7.4); a `$` and a backquote stand for themselves.
    """
    pieces: list[str] = []
    quoted = False
    for single, dollar, inner, splice, escaped, plain in _DELIMITER.findall(raw):
        if plain:
            pieces.append(plain if plain not in "'\"" else "")
        if single or inner or dollar or escaped or (not plain and not splice):
            quoted = True
        pieces.append(single + (ansi(dollar) or "") + double(inner) + escaped)
    return "".join(pieces), quoted


def is_pattern(bare: str) -> bool:
    """Whether the unquoted text of a word holds `*`, `?` or a bracket expression."""
    if "*" in bare or "?" in bare:
        return True
    opening = bare.find("[")
    return opening >= 0 and bare.find("]", opening) >= 0


def is_brace_expansion(bare: str) -> bool:
    """Whether the unquoted text of a word has braces that bash expands (bash manual, Brace Expansion).

    None closes before a comma, or `..`, that is in no other braces: `{a},b}` is `a} b` (bash's source, braces.c).
    """
    several: list[bool] = []  # of the braces that are open at each depth, whether one has a comma
    for match in _BRACE.finditer(bare):
        character = match[0]
        if character == "{":
            several.append(False)
        elif character == "}":
            if several and several[-1]:
                return True
            if len(several) > 1:
                several.pop()
        elif several:
            several[-1] = True
    return False


class Change(NamedTuple):
    """A variable that an expression sets: its name and subscript, and where both are."""

    start: int
    end: int
    name: str
    subscript: str | None


def variables_in(expression: str) -> tuple[tuple[str, ...], list[Change]]:
    """The names in an expression, each once, in order, and what it sets (bash manual, Shell Arithmetic)."""
    names: dict[str, None] = {}
    changes: list[Change] = []
    opened: list[Change | None] = []
    target: Change | None = None  # what an operator would set if it came next
    before = False  # whether ++ or -- comes before
    for match in _PART.finditer(expression):
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

    Any other text makes bash fail; a shell without `((` takes it for a command in two subshells.
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
        return "$'" + _UNPRINTABLE.sub(_octal_escape, text.replace("\\", "\\\\").replace("'", "\\'")) + "'"
    return "'" + text.replace("'", "'\\''") + "'"


def _octal_escape(match: Match[str]) -> str:
    number = ord(match[0])
    return f"\\{number & 0xFF:03o}"  # a surrogate U+DCxx stands for the byte xx
