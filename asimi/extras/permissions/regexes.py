r"""Regular expressions of other agents, read as patterns with `*`; none is ever run.

Only what people write in a list of commands is understood: text, `.*`, `(a|b)`, `\b`, `\s+`, `?` behind a letter or a
group, anchors. The rest is `*` where something is forbidden, which forbids more, and cannot be read where something is
allowed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 400
"""Characters of an expression that is read."""

MOST = 64
"""Alternatives of an expression; one of more is not read."""

_DEEPEST = 8
_ANY, _EDGE, _START, _END, _UNKNOWN = "any", "edge", "start", "end", "unknown"
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)

Piece = tuple[str, str]
"""A part of an expression: its kind, and for `text` the text."""

Row = tuple[Piece, ...]


class Shape(NamedTuple):
    """One alternative of an expression.

    Attributes:
        text: what a command begins with.
        tail: what follows: nothing (`end`), a word boundary and anything (`edge`), a blank and anything or nothing
            (`words`), or anything at all (`open`); `glob` where `*` in the text is any text, and `named` where,
            besides, the first word may go on behind its end (`find-x`).
    """

    text: str
    tail: str


class Unread(Exception):
    """An expression that is not understood; it is known by nothing."""


def allowed_shapes(expression: str) -> list[Shape]:
    """What an expression matches, alternative by alternative.

    Raises:
        Unread: it is not understood as a whole.
    """
    shapes = [_shape(row) for row in _rows(expression)]
    exact = {shape.text for shape in shapes if shape.tail == "end"}
    found = []
    for shape in shapes:
        if shape.tail != "more":
            found.append(shape)
        elif shape.text in exact or Shape(shape.text, "edge") in shapes:  # as in `x( .*)?`
            found.append(Shape(shape.text, "words"))
        else:
            raise Unread
    return list(dict.fromkeys(found))


def forbidden_shapes(expression: str) -> list[Shape]:
    """What matches all that an expression matches, or more; with `*` for any text where `tail` is `glob`."""
    try:
        rows = _rows(expression)
    except Unread:
        return [Shape("*", "glob")]
    return list(dict.fromkeys(_wider(row) for row in rows))


def _rows(expression: str) -> list[Row]:
    """The alternatives of an expression.

    Raises:
        Unread: it is too long, has too many alternatives, or is no expression.
    """
    if len(expression) > LONGEST:
        raise Unread
    rows, end = _alternatives(expression, 0, 0)
    if end != len(expression):
        raise Unread
    return rows


def _alternatives(text: str, at: int, depth: int) -> tuple[list[Row], int]:
    """The alternatives from an offset up to a closing parenthesis or the end, and where that is."""
    if depth > _DEEPEST:
        raise Unread
    done: list[Row] = []
    rows: list[Row] = [()]
    while at < len(text) and text[at] != ")":
        if text[at] == "|":
            done, rows, at = [*done, *rows], [()], at + 1
            continue
        choices, at = _atom(text, at, depth)
        rows = [row + choice for row in rows for choice in choices]
        if len(rows) + len(done) > MOST:
            raise Unread
    return [*done, *rows], at


def _atom(text: str, at: int, depth: int) -> tuple[list[Row], int]:
    """What may stand for the atom at an offset with its quantifier, and where the next begins."""
    if text[at] == "(":
        choices, end = _group(text, at, depth)
    elif text[at] == "[":
        found = _CLASS.match(text, at)
        if found is None:
            raise Unread
        choices, end = [((_UNKNOWN, ""),)], found.end()
    elif text[at] == "\\":
        choices, end = [(_escaped(text[at + 1 : at + 2]),)], at + 2
    else:
        kinds = {"^": _START, "$": _END, ".": _UNKNOWN}
        kind = kinds.get(text[at], "text")
        choices, end = [((kind, text[at] if kind == "text" else ""),)], at + 1
    found = _QUANTIFIER.match(text, end)
    if found is None:
        return choices, end
    return _repeated(text[at:end], choices, found[0]), found.end()


def _group(text: str, at: int, depth: int) -> tuple[list[Row], int]:
    """The choices of a group in parentheses, and where it ends."""
    opening = re.compile(r"\((?:\?(?::|<[A-Za-z_]\w*>|<?[=!]))?").match(text, at)
    if opening is None or text[opening.end() : opening.end() + 1] == "?":
        raise Unread
    choices, end = _alternatives(text, opening.end(), depth + 1)
    if text[end : end + 1] != ")":
        raise Unread
    around = opening[0][-1] in "=!"  # it looks around and is no text of its own
    return ([((_UNKNOWN, ""),)] if around else choices), end + 1


def _escaped(character: str) -> Piece:
    if character == "s":
        return ("text", " ")
    if character == "b":
        return (_EDGE, "")
    if not character:
        raise Unread
    return (_UNKNOWN, "") if character.isalnum() else ("text", character)


def _repeated(atom: str, choices: list[Row], quantifier: str) -> list[Row]:
    """What may stand for an atom with a quantifier."""
    if quantifier[0] == "?":
        return [*choices, ()]
    if atom == "." and quantifier[0] == "*":
        return [((_ANY, ""),)]
    if atom in ("\\s", " ") and quantifier[0] == "+":
        return choices
    return [((_UNKNOWN, ""),)]


def _joined(row: Row) -> Iterator[Piece]:
    """The pieces of an alternative, with the texts that follow each other as one."""
    text = ""
    for kind, part in row:
        if kind == "text":
            text += part
            continue
        if text:
            yield ("text", text)
        text = ""
        yield (kind, "")
    if text:
        yield ("text", text)


def _shape(row: Row) -> Shape:
    """An alternative as a text and what may follow it.

    Raises:
        Unread: it is more than that.
    """
    pieces = list(_joined(row))
    if len(pieces) < 2 or pieces[0][0] != _START or pieces[1][0] != "text":
        raise Unread
    text = pieces[1][1]
    if "*" in text or not text.isprintable():
        raise Unread
    rest = [kind for kind, _ in pieces[2:]]
    if rest == [_END]:
        return Shape(text, "end")
    if rest in ([_EDGE], [_EDGE, _ANY], [_EDGE, _ANY, _END]) and is_word(text[-1]):
        return Shape(text, "edge")
    if rest == [_EDGE, _END] and is_word(text[-1]):
        return Shape(text, "end")
    if rest in ([], [_ANY], [_ANY, _END]):
        return Shape(text.rstrip(), "more") if text[-1] == " " else Shape(text, "open")
    raise Unread


def _wider(row: Row) -> Shape:
    """An alternative as what matches all that it does, or more."""
    try:
        shape = _shape(row)
        if shape.tail == "edge":
            return shape
    except Unread:
        pass
    pieces = list(_joined(row))
    if [kind for kind, _ in pieces[:3]] == [_START, "text", _EDGE] and " " not in pieces[1][1] and len(pieces) > 3:
        rest = _wider((*pieces[:1], ("text", f"{pieces[1][1]} "), (_ANY, ""), *pieces[3:]))
        return Shape(rest.text, "named") if is_word(pieces[1][1][-1]) else rest
    texts = ["" if pieces and pieces[0][0] == _START else "*"]
    for kind, text in pieces:
        texts.append(text if kind == "text" else "*" if kind in (_ANY, _UNKNOWN) else "")
    if not (pieces and pieces[-1][0] == _END):
        texts.append("*")
    found = "".join(texts)
    while "**" in found:
        found = found.replace("**", "*")
    return Shape(found, "glob")


def is_word(character: str) -> bool:
    r"""Whether a character is part of a word for `\b`."""
    return character == "_" or (character.isascii() and character.isalnum())
