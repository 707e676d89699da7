"""Changes one part of a JSON text and leaves every other character of it alone, comments among them.

A settings file belongs to its person: its order, its indentation, its comments say something to them. So nothing is
parsed and written back; a scanner finds where values are, and an edit is a cut or a piece put in. What a person's
programs tolerate is tolerated: comments, a comma before a closing bracket, a byte order mark. Each edit can be undone
to the last character by its opposite.
"""

from __future__ import annotations

import json
import re
from typing import Any

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple

_SKIPPED = re.compile(r"(?:[\s\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null')
_DEEPEST = 100


class Unreadable(AsimiError):
    """A text that is not valid JSON, or JSON with two readings; `str()` says where."""


class Element(NamedTuple):
    """A value and where it is.

    Attributes:
        start: where it begins.
        end: where it ends.
        value: the value itself, without comments.
        children: the values in an object or an array.
        keys: the names of an object's members, in the order of `children`; None for everything else.
        starts: where each member or item begins: a member begins with its key.
    """

    start: int
    end: int
    value: Any
    children: tuple[Element, ...] = ()
    keys: tuple[str, ...] | None = None
    starts: tuple[int, ...] = ()


def scan(text: str) -> Element | None:
    """Return the value of a text, and where it is; None where there is nothing but blanks and comments.

    Raises:
        Unreadable: it has none, or more than one reading.
    """
    start = _skip_blanks(text, 0)
    if start == len(text):
        return None
    node = _value(text, start, 0)
    if _skip_blanks(text, node.end) != len(text):
        raise _fault(text, node.end, "something comes after the end")
    return node


def with_item(text: str, path: tuple[str, ...], item: Any) -> tuple[str, int]:
    """Return a text with one item more at the end of an array.

    Args:
        text: holds an object, or nothing.
        path: the keys that lead to the array; what is missing on the way is made.
        item: what to put there.

    Returns:
        The new text, and how many of the keys had to be made.

    Raises:
        Unreadable: the text cannot be read, or something else is in the way.
    """
    root = scan(text)
    if root is None:
        newline = "\r\n" if "\r\n" in text else "\n"
        return text + json.dumps(_nest(path, [item]), indent=2, ensure_ascii=False) + newline, len(path)
    node = root
    for depth, key in enumerate(path):
        if node.keys is None:
            raise _fault(text, node.start, f"an object is expected here, to hold {key!r}")
        if key not in node.keys:
            value = _nest(path[depth + 1 :], [item])
            return _add(text, root, node, key, value), len(path) - depth
        node = node.children[node.keys.index(key)]
    if not isinstance(node.value, list):
        raise _fault(text, node.start, f"a list is expected here, as {path[-1]!r}")
    return _add(text, root, node, None, item), 0


def without(text: str, path: tuple[str | int, ...], made: int | None = None) -> str:
    """Return a text without the member or item at a path, and without what held it alone.

    Args:
        text: what to cut from.
        path: the keys and indexes that lead to it.
        made: how many of the objects and arrays around it may go as well, once they are empty; None for all.
    """
    while True:
        root = scan(text)
        assert root is not None  # the path was found in it
        trail = [root]
        for step in path:
            holder = trail[-1]
            trail.append(holder.children[step if isinstance(step, int) else (holder.keys or ()).index(step)])
        alone = len(trail[-2].children) == 1
        if alone and len(path) > 1 and (made is None or made > 0):
            path, made = path[:-1], None if made is None else made - 1
            continue
        step = path[-1]
        return _remove(text, trail[-2], step if isinstance(step, int) else (trail[-2].keys or ()).index(step))


def _nest(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _add(text: str, root: Element, holder: Element, key: str | None, value: Any) -> str:
    """Return the text with a member or an item at the end of an object or array."""
    newline = "\r\n" if "\r\n" in text else "\n"
    several = "\n" in text[holder.start : holder.end] or not holder.children
    unit = _unit(text, root)
    if holder.children and several and "\n" in text[holder.start : holder.starts[0]]:
        indent = _indent(text, holder.starts[0])
    else:
        indent = _indent(text, holder.start) + unit
    body = json.dumps(value, indent=unit if several else None, ensure_ascii=False)
    body = ("" if key is None else json.dumps(key, ensure_ascii=False) + ": ") + body.replace("\n", newline + indent)
    before = newline + indent if several else " "
    if not holder.children:
        pos = len(text[: holder.end - 1].rstrip())  # behind the last comment
        return text[:pos] + before + body + newline + _indent(text, holder.start) + text[pos:]
    last = holder.children[-1].end
    comma = _comma(text, last)
    if comma is not None:  # a comma before the closing bracket: ours has one too
        pos = _line_mark(text, comma + 1, holder.end - 1)
        return text[:pos] + before + body + "," + text[pos:]
    pos = _line_mark(text, last, holder.end - 1)
    return text[:last] + "," + text[last:pos] + before + body + text[pos:]


def _remove(text: str, holder: Element, index: int) -> str:
    """Return the text without one member or item: the opposite of `_added`."""
    start, end = holder.starts[index], holder.children[index].end
    comma = _comma(text, end)
    left = len(text[:start].rstrip())
    if index + 1 < len(holder.children) or (comma is not None and index > 0):
        assert comma is not None  # something comes after it
        return text[:left] + text[comma + 1 :]
    if index > 0:
        previous = holder.children[index - 1].end
        comma = _comma(text, previous)
        assert comma is not None  # it stands between the two
        return text[:comma] + text[comma + 1 : left] + text[end:]
    end = end if comma is None else comma + 1
    closing = re.compile(r"\r?\n" + _indent(text, holder.start)).match(text, end)
    return text[:left] + text[end if closing is None else closing.end() :]


def _value(text: str, at: int, depth: int) -> Element:
    """Return the value that begins at an offset."""
    if depth > _DEEPEST:
        raise _fault(text, at, "this is nested too deeply")
    opening = text[at : at + 1]
    if opening in ("{", "["):
        return _container(text, at, depth, "}" if opening == "{" else "]")
    match = _SCALAR.match(text, at)
    if match is None:
        raise _fault(text, at, "a value is expected here")
    try:
        return Element(at, match.end(), json.loads(match.group()))
    except ValueError:
        raise _fault(text, at, "this is not a JSON value") from None


def _container(text: str, at: int, depth: int, closing: str) -> Element:
    """Return the object or array that begins at an offset."""
    value, children, starts = dict[str, Any](), list[Element](), list[int]()
    pos = _skip_blanks(text, at + 1)
    while text[pos : pos + 1] != closing:
        starts.append(pos)
        if closing == "}":
            key = _value(text, pos, depth + 1)
            if not isinstance(key.value, str):
                raise _fault(text, pos, "a name in double quotes is expected here")
            if key.value in value:
                raise _fault(text, pos, f"{key.value!r} is here a second time")
            pos = _skip_blanks(text, key.end)
            if text[pos : pos + 1] != ":":
                raise _fault(text, pos, "a colon is expected here")
            pos = _skip_blanks(text, pos + 1)
        children.append(_value(text, pos, depth + 1))
        if closing == "}":
            value[key.value] = children[-1].value
        pos = _skip_blanks(text, children[-1].end)
        if text[pos : pos + 1] == ",":
            pos = _skip_blanks(text, pos + 1)
        elif text[pos : pos + 1] != closing:
            raise _fault(text, pos, f"a comma or {closing} is expected here")
    if closing == "}":
        return Element(at, pos + 1, value, tuple(children), tuple(value), tuple(starts))
    return Element(at, pos + 1, [child.value for child in children], tuple(children), None, tuple(starts))


def _skip_blanks(text: str, at: int) -> int:
    """Return where the next token begins."""
    match = _SKIPPED.match(text, at)
    return at if match is None else match.end()


def _comma(text: str, at: int) -> int | None:
    """Return where the comma behind a value stands, or None."""
    pos = _skip_blanks(text, at)
    return pos if text[pos : pos + 1] == "," else None


def _line_mark(text: str, start: int, end: int) -> int:
    """Return where a comment that is behind a value on its own line ends; the value's end where there is none."""
    match = re.compile(r"[ \t]*,?(?:[ \t]*(?:/\*[^\r\n]*?\*/|//[^\r\n]*))+(?=[ \t]*\r?\n)").match(text, start, end)
    return start if match is None else match.end()


def _indent(text: str, at: int) -> str:
    """Return the blanks that the line of an offset begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: Element) -> str:
    """Return what one step of indentation is in a text; two blanks where it has none."""
    for start in root.starts:
        if "\n" in text[root.start : start] and (indent := _indent(text, start)):
            return indent
    return "  "


def _fault(text: str, at: int, what: str) -> Unreadable:
    line = text.count("\n", 0, at) + 1
    return Unreadable(f"line {line}, character {at - text.rfind(chr(10), 0, at)}: {what}")
