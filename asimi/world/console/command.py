"""The command itself: each part on a row of its own, what caused the question marked."""

from __future__ import annotations

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING, NamedTuple
from asimi.core.wording.visible import pieces
from asimi.world.console.text import STYLES, cells_of
from asimi.world.console.words import allows
from asimi.world.host.terminal import ROOMY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from asimi.core.call import Decision, Span
    from asimi.core.wording.visible import Display


class _Atom(NamedTuple):
    """What is never broken over two rows: a character with its marks, or a name in brackets."""

    text: str
    at: int
    style: str
    indent: bool = False


class _Line(NamedTuple):
    """One row of the command: its atoms, where it starts, and what is beside it."""

    atoms: list[_Atom]
    starts: int
    number: int
    asks: bool
    label: str


class Marks:
    """Which characters caused the question, and where parts begin."""

    def __init__(self, text: str, decision: Decision) -> None:
        asking = [part.span for part in decision.parts if part.verdict is not Verdict.ALLOW]
        asking += [reason.span for reason in decision.reasons if reason.span and not allows(reason)]
        asking = asking or [(0, len(text))]
        self.asks = bytearray(len(text) + 1)
        for start, end in asking:
            self.asks[start:end] = b"\1" * (min(end, len(text)) - start)
        self.asking = {start for start, _ in asking}
        self.breaks = [start for start, _ in _outermost([part.span for part in decision.parts])]
        self.allowed = {part.span[0] for part in decision.parts if part.verdict is Verdict.ALLOW}


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """Return the spans that are in no other, in order."""
    found: list[Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def command_rows(text: str, is_shell: bool, decision: Decision, width: int, look: Display) -> list[Text]:  # noqa: FBT001
    """Return the whole command: each part on a row of its own, what caused the question marked."""
    from rich.text import Text

    marks = Marks(text, decision)
    numbers = len(str(text.count("\n") + 1)) + 1 if "\n" in text else 0
    column = 9 if look.width >= ROOMY else 0
    room = width - 2 - numbers - column
    styles = _syntax(text) if is_shell else {}
    rows = []
    for line in command_lines(text, look, marks, room, styles=styles):
        row = Text(no_wrap=True, overflow="crop").append("> " if line.asks else "  ", STYLES["ASK"])
        if numbers:
            row.append(f"{line.number:>{numbers - 1}} " if line.number else " " * numbers, STYLES["quiet"])
        for atom in line.atoms:
            row.append(atom.text, atom.style)
        if column and line.label:
            row.append(" " * (width - row.cell_len - len(line.label)))
            row.append(line.label, STYLES[line.label])
        rows.append(row)
    return rows


def command_lines(
    text: str, look: Display, marks: Marks, width: int, *, fold: bool = True, styles: dict[int, str] | None = None
) -> list[_Line]:
    """Return the command cut at its own line ends, where its parts begin and, if need be, where a row is full."""
    breaks, lines, row = set(marks.breaks), list[_Line](), list[_Atom]()
    number, room = 1, width

    def close() -> None:
        nonlocal row, number
        first = row[0].at if row else -1
        covered = {atom.at for atom in row}
        asks = any(marks.asks[pos] for pos in covered)
        label = "ASK" if covered & marks.asking else "allowed" if covered & marks.allowed and not asks else ""
        lines.append(_Line(row, first, number, asks, label))
        row, number = [], 0

    line_number, used = 1, 0
    for atom in _atoms(text, look, marks, styles or {}):
        if atom.text == "\n":
            close()
            line_number += 1
            number, used, room = line_number, 0, width
            continue
        if atom.at in breaks and any(earlier.text != " " for earlier in row):
            close()
            used, room = 0, width
        cells = cells_of(atom.text)
        if fold and used + cells > room and row:
            rest = _after_space(row)
            row, carried = row[: len(row) - rest], row[len(row) - rest :]
            close()
            indent = _Atom("    ", carried[0].at if carried else atom.at, "", indent=True) if width > 30 else None
            row = [*([indent] if indent else []), *carried]
            used = sum(cells_of(part.text) for part in row)
        if fold and cells > width:
            for start in range(0, len(atom.text), width):
                row.append(atom._replace(text=atom.text[start : start + width]))
                if start + width < len(atom.text):
                    close()
            used = cells_of(row[-1].text)
            continue
        row.append(atom)
        used += cells
    close()
    return lines


def _after_space(row: list[_Atom]) -> int:
    """Return how many atoms at the end of a full row begin a new one: the last word, unless it is a long one."""
    for count in range(min(len(row) // 3, 24)):
        if row[len(row) - 1 - count].text == " ":
            return count
    return 0


def _atoms(text: str, look: Display, marks: Marks, styles: dict[int, str]) -> Iterable[_Atom]:
    for piece in pieces(text, ascii_only=not look.unicode):
        if piece.name:
            yield _Atom(piece.text, piece.start, STYLES["harmless" if piece.kind == "plain" else "name"])
            continue
        for at, character in enumerate(piece.text, piece.start):
            style = styles.get(at, "")
            if marks.asks[at] and "bold" not in style:
                style = f"{style} {STYLES['asks']}".strip()
            yield _Atom(character, at, style)


def _syntax(text: str) -> dict[int, str]:
    """Return the colours of shell text, by offset; none where it cannot be read."""
    from asimi.core.reading.lines import painted
    from asimi.core.syntax import parse

    try:
        script = parse(text)
    except AsimiError:
        return {}
    styles: dict[int, str] = {}

    def paint(start: int, end: int, style: str) -> None:
        styles.update(dict.fromkeys(range(start, end), STYLES[style]))

    for start, end, kind in painted(script):
        paint(start, end, kind)
    return styles
