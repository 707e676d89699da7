"""Text as manual pages have it, in the macros of man(7), which groff and mandoc both read."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token

WIDTH = 78
"""Bytes of a line; mandoc wants at most 80."""

_ESCAPES = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}


def escaped(text: str) -> str:
    """Text that shows as it is, in any encoding."""
    return "".join(_ESCAPES.get(each) or (each if each.isascii() else rf"\[u{ord(each):04X}]") for each in text)


def bold(text: str) -> str:
    """What is typed as it stands."""
    return rf"\fB{escaped(text)}\fP"


def italic(text: str) -> str:
    """What stands for something else."""
    return rf"\fI{escaped(text)}\fP"


def marked(text: str) -> str:
    """Text in which backquotes mark what is typed."""
    return "".join(bold(part) if at % 2 else escaped(part) for at, part in enumerate(text.split("`")))


def filled(text: str) -> list[str]:
    """The lines of a paragraph that is already escaped; none begins like a macro."""
    lines = textwrap.wrap(text, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return [rf"\&{line}" if line[0] in ".'" else line for line in lines]


def paragraphs(text: str) -> Iterator[str]:
    """Lines of a text whose paragraphs have a blank line between; one behind a backspace keeps its own lines."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        yield from [".PP"] * bool(number)
        first, *rest = paragraph.split("\n")
        if first.strip() == "\b":
            yield from (".nf", *(marked(line) for line in rest), ".fi")
        else:
            yield from filled(marked(" ".join(paragraph.split())))


def tagged(tag: str, text: Iterable[str]) -> Iterator[str]:
    """A tag that is already escaped, and lines beside it."""
    yield from (".TP", tag)
    yield from text


def example(text: str) -> Iterator[str]:
    """Lines that stay as they are."""
    yield from (".PP", ".RS 4", ".nf")
    for line in text.rstrip("\n").split("\n"):
        yield rf"\&{escaped(line)}" if line[:1] in {".", "'"} else escaped(line)
    yield from (".fi", ".RE")


def of_markdown(text: str) -> Iterator[str]:
    """A page of the documentation, without its title.

    Raises:
        ValueError: it has something in it that a manual page cannot show.
    """
    yield from _blocks(MarkdownIt("commonmark").enable("table").parse(text))


def _blocks(tokens: list[Token]) -> Iterator[str]:
    """Every block of a page, one after the other."""
    at = 0
    while at < len(tokens):
        end = _end(tokens, at)
        token, inner = tokens[at], tokens[at + 1 : end]
        if token.type == "heading_open":
            title = "".join(piece.content for piece in inner[0].children or ())
            if token.tag != "h1":
                yield f'.SH "{escaped(title.upper())}"' if token.tag == "h2" else f'.SS "{escaped(title)}"'
        elif token.type == "paragraph_open":
            yield from (".PP", *filled(_inline(inner[0])))
        elif token.type == "fence":
            yield from example(token.content)
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            yield from _items(inner, ordered=token.type == "ordered_list_open")
        elif token.type == "table_open":
            yield from _rows(inner)
        else:
            raise ValueError(f"a manual page has no {token.type}")
        at = end + 1


def _items(tokens: list[Token], *, ordered: bool) -> Iterator[str]:
    """A list."""
    at = number = 0
    while at < len(tokens):
        end, number = _end(tokens, at), number + 1
        first, *rest = _blocks(tokens[at + 1 : end])
        assert first == ".PP", "an item begins with a paragraph"
        yield f".IP {f'{number}.' if ordered else chr(92) + '(bu'} 3"
        inside = next((n for n, line in enumerate(rest) if line.startswith(".")), len(rest))
        yield from rest[:inside]
        if rest[inside:]:
            yield from (".RS 3", *rest[inside:], ".RE")
        at = end + 1


def _rows(tokens: list[Token]) -> Iterator[str]:
    """A table: the first cell, and beside it the others, with the heads of their columns where there are several."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_inline(token))
    heads, *body = rows
    for first, *others in body:
        named = list(zip(heads[1:], others, strict=True))
        said = [f"{head}: {cell}." if len(named) > 1 and head else cell for head, cell in named if cell]
        yield from tagged(first or r"\&", filled(" ".join(said)))


def _inline(token: Token) -> str:
    """The text of a block."""
    marks = {"strong_open": r"\fB", "em_open": r"\fI", "strong_close": r"\fP", "em_close": r"\fP"}
    said = ""
    for each in token.children or ():
        if each.type == "code_inline":
            said += bold(each.content)
        elif each.type in {"text", "softbreak"}:
            said += escaped(each.content) if each.type == "text" else " "
        elif each.type not in {"link_open", "link_close"}:
            said += marks[each.type]
    return said


def _end(tokens: list[Token], at: int) -> int:
    """Where the block that begins at a token ends."""
    depth = 0
    for number in range(at, len(tokens)):
        depth += tokens[number].nesting
        if depth == 0:
            return number
    raise ValueError("a block has no end")
