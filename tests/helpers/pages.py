"""The pages of the documentation: their blocks of code, their links, their headings."""

from __future__ import annotations

import re
from typing import NamedTuple

from helpers import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "bench" / "RESULTS.md"])

FENCED = re.compile(r"(?ms)^(?P<indent> *)```(?P<language>\S*)\n(?P<text>.*?)^(?P=indent)```$")
LINK = re.compile(r"!?\[(?:[^][]|\[[^]]*\])*\]\(([^()\s]+)\)")
HEADING = re.compile(r"(?m)^#{1,6} +(.+?) *$")


class Block(NamedTuple):
    """Fenced text: what it is, where its first line stands, and what it says."""

    language: str
    line: int
    text: str


def named(page):
    """A page's path from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def blocks(page):
    """The fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found["language"], text.count("\n", 0, found.start("text")) + 1, found["text"])
        for found in FENCED.finditer(text)
    ]


def prose(page):
    """A page without its blocks, which may hold anything."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def links(page):
    """What a page's links and pictures lead to."""
    return LINK.findall(re.sub(r"`[^`\n]+`", "`…`", prose(page)))


def anchors(page):
    """The names of a page's headings in links to them, as GitHub makes them."""
    words = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(prose(page)))
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in words}
