"""The modules below `bench/`, which are no package, and the pictures that they draw."""

from __future__ import annotations

import sys
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
WIDEST = 0.6  # of its size is what a letter takes on average in the widest of the usual fonts


def modules(monkeypatch, directory, names):
    """The modules of a directory by their names, for one test."""
    monkeypatch.syspath_prepend(str(directory))
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield {name: __import__(name) for name in names}
    for name in names:
        sys.modules.pop(name, None)


def texts_within(picture, usual):
    """All texts of a picture, of which none is cut off; a text without a class has the usual size."""
    tree = ET.fromstring(picture)
    width, texts = float(tree.attrib["width"]), tree.findall(f"{SVG}text")
    for each in texts:
        size = {"title": 20, "small": 13}.get(each.get("class", ""), usual)
        long, x = len(each.text) * size * WIDEST, float(each.attrib["x"])
        first, last = (x - long, x) if each.get("text-anchor") == "end" else (x, x + long)
        assert first >= 0, each.text
        assert last <= width, each.text
    return texts
