"""What a text really holds: each character that hides, reorders, imitates or pads becomes a name such as `<ESC>`.

A person can only judge what the eye can tell apart. So whatever comes from outside and is shown on a terminal goes
through `pieces`: what stands for itself is left alone, all else is replaced by a name in angle brackets. No terminal
obeys anything in the result. What to name is decided by Unicode's own properties (general category,
`Default_Ignorable_Code_Point`, decompositions) and one small table of look-alikes (`visible.txt`), a chosen part of the
confusables of UTS #39: those that imitate what shells and paths are written with.
"""

from __future__ import annotations

from re import VERBOSE
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, decomposition, name, normalize

from asimi.core.facts import facts_of, table_of
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


_FACTS = facts_of(__package__, "visible")

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

_CONTROLS = dict(zip((*range(0x20), 0x7F), " ".join(_FACTS["controls"]).split(), strict=True))
_SHORT = {int(code, 16): short for code, short in table_of(_FACTS["short"]).items()}

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
    if code in _CONTROLS:
        return _CONTROLS[code]
    if 0xDC80 <= code <= 0xDCFF:
        return f"BYTE {code - 0xDC00:02X}"
    if 0xE0020 < code < 0xE007F:
        return f"U+{code:04X} TAG {chr(code - 0xE0000)}"
    return f"U+{code:04X} {_SHORT.get(code) or name(character, '')}".rstrip()


# ---- look-alikes ------------------------------------------------------------------------------------------


def _look_alikes(kind: str) -> dict[str, str]:
    """What looks like a character of ASCII, and that character."""
    return {chr(int(code, 16)): like for codes, like in table_of(_FACTS[kind]).items() for code in codes.split()}


_LETTER, _SIGN = map(_look_alikes, ("letters", "signs"))

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
