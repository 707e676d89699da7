"""What a text really holds: each character that hides, reorders, imitates or pads becomes a name such as `<ESC>`.

A person can only judge what the eye can tell apart. So whatever comes from outside and is shown on a terminal goes
through `pieces`: what stands for itself is left alone, all else is replaced by a name in angle brackets. No terminal
obeys anything in the result. What to name is decided by Unicode's own properties (general category,
`Default_Ignorable_Code_Point`, decompositions) and one small table of look-alikes, a chosen part of the confusables of
UTS #39: those that imitate what shells and paths are written with.
"""

from __future__ import annotations

from re import VERBOSE
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, decomposition, name, normalize

from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Display(NamedTuple):
    """What a terminal can show.

    Attributes:
        width: its columns.
        height: its rows.
        colour: whether colours and other attributes may be used.
        unicode: whether it shows more than ASCII.
        plain: whether only words in reading order are wanted: no box, no redrawing.
    """

    width: int
    height: int
    colour: bool = False
    unicode: bool = False
    plain: bool = False


LONGEST_BLANK = 20
"""Spaces in a row that a person can still see as a gap; more may push something out of sight."""

LONGEST_RUN = 3
"""Equal named characters in a row, or line ends, that are shown one by one."""


class Piece(NamedTuple):
    """A part of a text as it may be shown.

    Attributes:
        text: what to show; a line end of a command stays one.
        start: where the part begins in the text.
        end: where it ends.
        kind: empty if it is shown as it is; `hidden` for characters that show nothing or steer the terminal, `space`
            for what looks like a space and is not one, `lookalike`, `padding`; `plain` for what is named but harmless
            (a tab, a line end in prose, what the terminal's encoding lacks).
        name: what is between the brackets; empty if it is shown as it is.
    """

    text: str
    start: int
    end: int
    kind: str = ""
    name: str = ""


class HiddenCharacter(NamedTuple):
    """A kind of character that a person would not have seen.

    Attributes:
        name: its name, as shown between the brackets.
        kind: as of the pieces.
        count: how many there are.
    """

    name: str
    kind: str
    count: int  # type: ignore[assignment]  # tuple.count is not wanted of it


def visible(text: str, *, prose: bool = True, ascii_only: bool = False) -> str:
    """The text with names for what cannot be seen; see `pieces`."""
    return "".join(piece.text for piece in pieces(text, prose=prose, ascii_only=ascii_only))


def hidden_characters(shown: Iterable[Piece]) -> tuple[HiddenCharacter, ...]:
    """What the pieces hold that a person would not have seen, in the order of appearance."""
    counts: dict[tuple[str, str], int] = {}
    for piece in shown:
        if piece.kind not in {"", "plain"}:
            label = piece.name.partition(" times ")[2] or piece.name
            one = 1 if piece.kind == "padding" else piece.end - piece.start
            counts[label, piece.kind] = counts.get((label, piece.kind), 0) + one
    return tuple(HiddenCharacter(label, kind, count) for (label, kind), count in counts.items())


def right_to_left(text: str) -> bool:
    """Whether it has letters that some terminals show from right to left, so not in the order of the text."""
    if text.isascii():
        return False
    return any(bidirectional(character) in {"R", "AL", "AN"} for character in text)


def pieces(text: str, *, prose: bool = False, ascii_only: bool = False) -> list[Piece]:
    """The text cut into what is shown as it is and what is shown as a name; together they cover all of it.

    Args:
        text: anything, also lone surrogates.
        prose: whether it is a sentence and not a command: a line end is named, typographic quotes and dashes are not,
            and a word is only suspected if it mixes scripts.
        ascii_only: whether the terminal can show ASCII only; then every other character is named.
    """
    shown: list[Piece] = []
    begin = 0
    for piece in _merge_runs(_named_pieces(text, prose=prose, ascii_only=ascii_only)):
        if begin < piece.start:
            shown.append(Piece(text[begin : piece.start], begin, piece.start))
        shown.append(piece)
        begin = piece.end
    if begin < len(text):
        shown.append(Piece(text[begin:], begin, len(text)))
    return shown


_NOTEWORTHY = pattern(
    rf"[ ]{{{LONGEST_BLANK + 1},}} | (?<=\\)[ ]+(?=\n|\Z) | \n{{{LONGEST_RUN + 2},}} | [^\x20-\x7e]", VERBOSE
)
"""Long blanks, blanks between a backslash and the line's end (which then joins no lines), many empty lines, and every
character outside printable ASCII."""


def _named_pieces(text: str, *, prose: bool, ascii_only: bool) -> Iterator[Piece]:
    """The parts that are to be named, one by one."""
    suspects = _suspects(text, prose=prose)
    for match in _NOTEWORTHY.finditer(text):
        found, start, end = match.group(), match.start(), match.end()
        if found[0] == "\n":
            if prose:
                yield from (_piece("LF", pos, pos + 1, "plain") for pos in range(start, end))
            elif end - start > 1:
                yield Piece("\n", start, start + 1)
                yield _piece(f"{end - start - 1} EMPTY LINES", start + 1, end - 1, "padding")
                yield Piece("\n", end - 1, end)
        elif found[0] == " ":
            many = end - start
            yield _piece(f"{many} SPACE{'S' * (many > 1)}", start, end, "padding")
        elif start in suspects:
            yield _piece(f"U+{ord(found):04X} like {suspects[start]}", start, end, "lookalike")
        elif kind := _kind(text, start):
            yield _piece(_name(found), start, end, kind)
        elif ascii_only:
            yield _piece(f"U+{ord(found):04X}", start, end, "plain")


def _piece(label: str, start: int, end: int, kind: str) -> Piece:
    return Piece(f"<{label}>", start, end, kind, label)


def _merge_runs(named: Iterator[Piece]) -> Iterator[Piece]:
    """The same, with long runs of one character as one piece."""
    run: list[Piece] = []
    for piece in named:
        if run and not (piece.start == run[-1].end and piece.name and piece.name == run[-1].name):
            yield from _run(run)
            run = []
        run.append(piece)
    yield from _run(run)


def _run(run: list[Piece]) -> Iterator[Piece]:
    if len(run) <= LONGEST_RUN:
        yield from run
    else:
        yield _piece(f"{len(run)} times {run[0].name}", run[0].start, run[-1].end, run[0].kind)


# ---- single characters ------------------------------------------------------------------------------------

_C0 = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE",
    "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
)  # fmt: skip

_SHORT = {
    0x7F: "DEL", 0x85: "U+0085 NEL", 0x90: "U+0090 DCS", 0x9B: "U+009B CSI", 0x9C: "U+009C ST", 0x9D: "U+009D OSC",
    0xA0: "U+00A0 NBSP", 0xAD: "U+00AD SHY", 0x34F: "U+034F CGJ", 0x61C: "U+061C ALM", 0x200B: "U+200B ZWSP",
    0x200C: "U+200C ZWNJ", 0x200D: "U+200D ZWJ", 0x200E: "U+200E LRM", 0x200F: "U+200F RLM", 0x202A: "U+202A LRE",
    0x202B: "U+202B RLE", 0x202C: "U+202C PDF", 0x202D: "U+202D LRO", 0x202E: "U+202E RLO", 0x202F: "U+202F NNBSP",
    0x2060: "U+2060 WJ", 0x2066: "U+2066 LRI", 0x2067: "U+2067 RLI", 0x2068: "U+2068 FSI", 0x2069: "U+2069 PDI",
    0xFEFF: "U+FEFF BOM",
}  # fmt: skip
"""The abbreviations of Unicode's NameAliases.txt for what is met in attacks."""

_UNSEEN = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""What shows nothing although its category is that of a letter or mark: Default_Ignorable_Code_Point, and the empty
braille cell."""

_NO_GLYPH = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""The general categories of what has no glyph of its own, or one that only a private font knows."""


def _kind(text: str, pos: int) -> str:
    """What kind of trouble the character at `pos` is, or empty if it shows as itself."""
    character = text[pos]
    if character == "\t":
        return "plain"
    code = ord(character)
    group = category(character)
    if group in _NO_GLYPH or any(low <= code <= high for low, high in _UNSEEN):
        return "hidden"
    if group == "Zs":
        return "space"
    if group in {"Mn", "Me"} and not _is_carried(text, pos):
        return "hidden"
    return ""


def _is_carried(text: str, pos: int) -> bool:
    """Whether a combining mark belongs where it is: on a letter that takes it, and not in a pile."""
    base = pos - 1
    while base >= 0 and category(text[base]) in {"Mn", "Me"}:
        base -= 1
    if base < 0 or pos - base > LONGEST_RUN or not category(text[base]).startswith("L"):
        return False
    return not text[base].isascii() or len(normalize("NFC", text[base : pos + 1])) == 1


def _name(character: str) -> str:
    """The name of a character, as short as it stays unmistakable."""
    code = ord(character)
    if code < 0x20:
        return _C0[code]
    if 0xDC80 <= code <= 0xDCFF:
        return f"BYTE {code - 0xDC00:02X}"
    if 0xE0020 < code < 0xE007F:
        return f"U+{code:04X} TAG {chr(code - 0xE0000)}"
    return _SHORT.get(code) or f"U+{code:04X} {name(character, '')}".rstrip()


# ---- look-alikes ------------------------------------------------------------------------------------------

_LETTERS = {
    "a": "0430 0251 03B1", "b": "042C 0185", "c": "0441 03F2 1D04", "d": "0501", "e": "0435 04BD",
    "g": "0261 0581", "h": "04BB", "i": "0456 03B9 0269 0131", "j": "0458 03F3", "k": "03BA", "l": "04CF",
    "n": "0578", "o": "043E 03BF 0585 1D0F", "p": "0440 03C1", "q": "051B 0566", "r": "0433 1D26",
    "s": "0455 A731", "u": "03C5 057D 028B", "v": "03BD 0475", "w": "0461 051D", "x": "0445 03C7",
    "y": "0443 04AF", "z": "1D22", "A": "0410 0391", "B": "0412 0392", "C": "0421 03F9", "E": "0415 0395",
    "G": "050C", "H": "041D 0397", "I": "0406 0399 04C0", "J": "0408", "K": "041A 039A", "M": "041C 039C",
    "N": "039D", "O": "041E 039F", "P": "0420 03A1", "S": "0405", "T": "0422 03A4", "X": "0425 03A7",
    "Y": "03A5 04AE", "Z": "0396",
}  # fmt: skip

_SIGNS = {
    "'": "2018 2019 201B 02BC 02B9 2032 00B4", '"': "201C 201D 201F 2033",
    "-": "2010 2011 2012 2013 2014 2212 02D7", "/": "2044 2215 2571 29F8", "\\": "2216 29F5",
    ":": "2236 A789 02D0", ";": "037E", "|": "01C0 2223 2502 23D0 2758", ".": "2024", ",": "201A",
    "!": "01C3", "*": "2217 204E 066D", "~": "223C 02DC", "<": "2039 02C2", ">": "203A 02C3", "=": "A4FF",
    "#": "266F", "_": "02CD", "`": "02CB", "(": "2768", ")": "2769", "{": "2774", "}": "2775", "^": "02C6",
    "+": "16ED", "?": "0294",
}  # fmt: skip

_LETTER = {chr(int(code, 16)): letter for letter, codes in _LETTERS.items() for code in codes.split()}
_SIGN = {chr(int(code, 16)): sign for sign, codes in _SIGNS.items() for code in codes.split()}

_WORD = pattern(r"\w+")


def _suspects(text: str, *, prose: bool) -> dict[int, str]:
    """The positions of what imitates ASCII, and what it imitates."""
    if text.isascii():
        return {}
    found = {pos: like for pos, character in enumerate(text) if (like := _compatible(character))}
    if not prose:
        found |= {pos: _SIGN[sign] for pos, sign in enumerate(text) if sign in _SIGN}
    foreign = {_script(letter) for letter in text if letter.isalpha() and letter not in _LETTER}
    for match in _WORD.finditer(text):
        word = match.group()
        imitated = {pos: _LETTER[letter] for pos, letter in enumerate(word, match.start()) if letter in _LETTER}
        if not imitated:
            continue
        letters = [letter for letter in word if letter.isalpha()]
        mixed = any(letter.isascii() for letter in letters)
        # A word wholly of look-alikes is a disguise, except where the text is written in that script anyway.
        native = (prose or len(letters) == 1) and foreign & {_script(text[pos]) for pos in imitated}
        if mixed or (len(imitated) == len(letters) and not native):
            found |= imitated
    return found


def _compatible(character: str) -> str:
    """The ASCII character of which this one is a styled, wide or doubled form; empty if there is none."""
    if character.isascii():
        return ""
    form, _, _ = decomposition(character).partition(" ")
    same = normalize("NFKC", character)
    styled = form in {"<font>", "<wide>", "<narrow>", "<small>", "<circle>"} or category(character) == "Nl"
    return same if len(same) == 1 and "!" <= same <= "~" and (styled or (form and form[0] != "<")) else ""


def _script(letter: str) -> str:
    """A letter's script, by the first word of its name."""
    return name(letter, "").partition(" ")[0]


MOST_COMPARED = 4000
"""Lines of both texts up to which the difference is looked for."""


def changed_lines(old: str, new: str, around: int) -> list[str]:
    """The lines of a unified diff (GNU diffutils manual, "Unified Format") without the names of its files.

    Args:
        old: the text as it was.
        new: as it is now.
        around: how many lines that are as they were are told beside each change.
    """
    from difflib import unified_diff

    before, now = (text.removesuffix("\n").split("\n") if text else [] for text in (old, new))
    if len(before) + len(now) > MOST_COMPARED:
        return [f"{len(before)} lines before, {len(now)} now, which is too much to compare"]
    return list(unified_diff(before, now, n=around, lineterm=""))[2:]
