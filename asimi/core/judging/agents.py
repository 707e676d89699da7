"""The files by which coding agents are told what they may do: their settings, hooks, plug-ins and skills.

Whoever changes one of them can switch an agent's hook off or have a program started that no hook sees. A path is one of
them by its names alone, below whatever directory: each project, and each directory in it, may have its own, and the
person's are below the home directory. Instructions for the model, such as `CLAUDE.md`, are not among them; nor are the
places below the same directories where agents work (`.claude/worktrees`).
"""

from __future__ import annotations

from bisect import bisect_left
from re import IGNORECASE, escape
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, table_of
from asimi.core.pattern import pattern
from asimi.core.reading.shapes import ANY, MARKS, fits, head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from asimi.core.budget import Budget

_FACTS = facts_of(__package__, "agents")

FILES = table_of(_FACTS["files"])
"""For each of their directories, in small letters, the names in it that matter; none where it is one of the files, or
everything in it is."""

MOVED = table_of(_FACTS["moved"])
"""Variables that name another directory in place of the person's own."""

ADMINISTRATORS = table_of(_FACTS["administrators"])
"""Directories that the administrator's files are in."""

FEWEST = 4
"""Characters that a name must begin with before something computed, unless it begins with a dot."""

_OPEN = frozenset("*?[{%")
"""Characters by which a program, such as find or xargs, may make another name of one that bash leaves alone."""

_KNOWN = tuple((head.split("/"), frozenset(names.split())) for head, names in FILES.items())
_FIRST = frozenset(parts[0] for parts, _ in _KNOWN)
_WHOLE = tuple(f"{head}/{name}" if name else head for head, names in FILES.items() for name in names.split() or [""])
_SORTED = sorted(_WHOLE)
KNOWN = tuple(each for each in (*FILES, *_WHOLE) if "." in each.rpartition("/")[2] or each.endswith("/hooks"))
"""Those of them whose names are seldom names of anything else."""


def _one_of(paths: Iterable[str]) -> str:
    """A regular expression for any of some paths, escaped in one go, because each start waits for it."""
    return escape("\0".join(paths)).replace("\0", "|")


_MENTIONED = pattern(
    r"(?:(?<![\w.-])|(?<=[\s/;]w)|(?<=[/|,#!][gpIeM\d]w))"  # sed's `w` needs no blank before the name
    rf"(?:{_one_of(sorted(_WHOLE, key=len, reverse=True))})(?![\w-])",
    IGNORECASE,
)
_HEADS = pattern(_one_of(FILES))
_OPENED = pattern(rf"[/{ANY}]")
ENDS = pattern("/|$")
"""Where the names of a path end."""

_GLUED = pattern(r"(?P<quote>['\"])\s*+\+?\s*+(?P=quote)")
_JOINED = pattern(r"/?(?P<quote>['\"])\s*+\)?\s*+[,/]\s*+(?P=quote)/?")
"""What may be between the parts of a path in a program's text: `".claude" / "skills"`, `join(".claude", "skills")`."""


class AgentFiles:
    """Which paths are agents' own files, on this machine.

    Args:
        moved: directories that are in place of one of `FILES`, by their paths.
    """

    def __init__(self, moved: Mapping[str, str] | None = None) -> None:
        moved = ADMINISTRATORS | dict(moved or {})
        self.moved = [(f"{path.rstrip('/').casefold()}/", f"/{head}/") for path, head in moved.items()]
        self._starts = tuple(directory for directory, _ in self.moved)

    def has(self, path: str, budget: Budget, *, above: bool) -> bool:
        """Whether a path is one of them, or is below one.

        Args:
            path: an absolute path, as a shape. Upper and lower case are alike, as on some file systems.
            budget: what the look at it is paid from.
            above: whether the directory that they are in counts too.
        """
        path = path.casefold()
        if _has(path, budget, above=above):
            return True
        if not f"{path}/".startswith(self._starts):
            return False
        moved = (head + path[len(directory) :] for directory, head in self.moved if f"{path}/".startswith(directory))
        return any(_has(each.rstrip("/"), budget, above=above) for each in moved)


def first_mention(text: str) -> str:
    """The first path of such a file anywhere in a program's text; empty where there is none."""
    found: tuple[str, ...] = (text,)
    if "'" in text or '"' in text:
        glued = _GLUED.sub("", text)
        found = (text, glued, _JOINED.sub("/", text), _JOINED.sub("/", glued))
    for each in dict.fromkeys(found):
        if _HEADS.search(each.casefold()) and (match := _MENTIONED.search(each)) is not None:  # far quicker so
            return match.group()
    return ""


def carries(path: str) -> bool:
    """Whether a copy of what a path names could be such a file wherever it is put: because of its own name."""
    name = path.rstrip("/").rpartition("/")[2].casefold()
    return name in _FIRST or not MARKS.isdisjoint(name)


def _has(path: str, budget: Budget, *, above: bool) -> bool:
    if MARKS.isdisjoint(path):
        if "/." not in path and "opencode" not in path:  # far quicker: every first name has one of these
            return False
        parts = path.split("/")
        return any(_begins(parts[index:], above=above) for index, part in enumerate(parts) if part in _FIRST)
    starts = (match.end() for match in _OPENED.finditer(path))
    return any(_may_begin(path[start:], budget, above=above) for start in starts)


def _begins(parts: list[str], *, above: bool) -> bool:
    """Whether known names begin with one of the files."""
    for head, names in _KNOWN:
        if parts[: len(head)] == head:
            behind = parts[len(head) : len(head) + 1]
            if not names or (behind[0] in names or not _OPEN.isdisjoint(behind[0]) if behind else above):
                return True
    return False


def _may_begin(path: str, budget: Budget, *, above: bool) -> bool:
    """Whether a path with marks may begin with one of the files; its first character says so."""
    known = head_of(path)
    if not known or (known[0] != "." and len(known) < FEWEST):
        return False
    ends = [match.start() for match in ENDS.finditer(path)][:64]
    first = last = bisect_left(_SORTED, known)
    while last < len(_SORTED) and _SORTED[last].startswith(known):
        last += 1
    alike = [*_SORTED[first:last], *(whole for whole in _SORTED[:first] if known.startswith(whole))]
    budget.spend(20 + len(path) // 16 + len(alike) * len(ends) * 3)
    if any(fits(path[:end], whole) for whole in alike for end in ends):
        return True
    return above and any(head.startswith(known) and fits(path, head) for head in FILES)
