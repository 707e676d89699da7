"""The expression of `find`: which of its actions are reached, and for which names.

Sources: find(1) and "Finding Files" of GNU findutils 4.9, find(1) of FreeBSD 14; where these differ, nothing is known.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, pairwise
from re import DOTALL, escape
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.reading.shapes import ANY, MARKS, ONE, RUNS, SOME
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from re import Pattern

NO, MAYBE, YES = 0, 1, 2
"""Whether a test holds, or an action is reached."""

MOST = 256
"""Words of an expression that are looked at."""

DEEPEST = 32
"""Groups and negations inside of each other that are looked at."""

LONGEST = 512
"""Characters of a pattern that are looked at."""

PRINTED = 0
"""Stands for the printing of names, in place of the index of an action's word."""

_OPTIONS = frozenset({"-H", "-L", "-P", "-E", "-X", "-x", "-s", "--"})
_TESTS = frozenset(
    "-empty -executable -nogroup -nouser -readable -writable -amin= -anewer= -atime= -cmin= -cnewer= -context= -ctime= "
    "-flags= -fstype= -gid= -group= -ilname= -inum= -links= -lname= -mmin= -mtime= -newer= -perm= -samefile= -size= "
    "-uid= -used= -user= -xtype= -mnewer= -Bmin= -Bnewer= -Btime=".split()
)
_ALWAYS = frozenset(
    "-daystart -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -noleaf -nowarn -warn -depth -d -true "
    "-maxdepth= -mindepth= -regextype= -files0-from= -quit".split()
)
"""Words that are always true; those that take an argument end in `=`."""

_NAMES = frozenset({"-name", "-iname"})
_PATHS = frozenset({"-path", "-ipath", "-wholename", "-iwholename"})
_REGEXES = frozenset({"-regex", "-iregex"})
_PRINTS = frozenset({"-print", "-print0"})
_ACTIONS = {"-ls": 0, "-delete": 0, "-fprint": 1, "-fprint0": 1, "-fls": 1, "-printf": 1, "-fprintf": 2}
_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_AND, _OR, _NOT = frozenset({"-a", "-and"}), frozenset({"-o", "-or"}), frozenset({"!", "-not"})
_FIRST = frozenset({"(", ")", "!", ","})
_NEWER = pattern(r"-newer[aBcm][aBcmt]")
_HELD = r"\[\.[\s\S]*?\.\]|\[=[\s\S]*?=\]|\[:[\s\S]*?:\]|[^\]]"  # in brackets, with the classes and symbols of POSIX
_PIECE = pattern(rf"\\(?P<plain>[\s\S])|(?P<one>\[[!^]?\]?(?:\\[\s\S]|{_HELD})*\]|\?)|(?P<some>\*)|[^\\*?\[]+|[\s\S]")
_GROUP = pattern(r"\\?\((?:\?:)?([\w.\\|-]*?)\\?\)(?!\\?[*?+{])|(\w)\\?\?")
_ESCAPES = pattern(r"\[[^\]]*\\")
_REGEX = pattern(
    rf"\\?(?P<many>[*?+]|\{{[0-9,]*\\?\}})|\\(?P<kept>[^A-Za-z0-9])|(?P<one>\.|\\[wWdDsS]|\[[!^]?\]?(?:{_HELD})*\])|\\.|(?P<plain>.)",
    DOTALL,
)


class Node(NamedTuple):
    """A part of an expression.

    Attributes:
        how: `and`, `or`, `not`, `list`, a test (`name`, `path`, `regex`, `type`, or `test` for what says nothing of
            names), `true`, `false`, `prune`, or `action`.
        parts: what it is made of.
        shapes: of a test, what it may stand for; of `type`, the letters.
        fold: whether large and small letters are alike.
        exact: whether the shapes say all.
        at: of an action, the index of its word.
        sure: of an action, whether it is true whenever it is reached.
    """

    how: str
    parts: tuple[Node, ...] = ()
    shapes: tuple[str, ...] = ()
    fold: bool = False
    exact: bool = False
    at: int = PRINTED
    sure: bool = False


_TEST, _TRUE, _FALSE, _PRINT = Node("test"), Node("true"), Node("false"), Node("action", sure=True)


class Expression(NamedTuple):
    """What one `find` does with what it comes across.

    Attributes:
        node: the expression; None where it is not understood, so any action may be reached with any name.
        least: how many levels below its start it begins to look.
        most: how many levels it goes down; None for all.
        prunes: whether `-prune` keeps it out of a directory.
        values: the indices of the words that are the arguments of tests, so they name nothing.
        actions: the indices of the first and the last word of each action that starts something.
        named: the shapes of all names that it holds; they count where it is not known which of them matter.
    """

    node: Node | None = None
    least: int = 0
    most: int | None = None
    prunes: bool = False
    values: frozenset[int] = frozenset()
    actions: tuple[tuple[int, int], ...] = ()
    named: tuple[str, ...] = ()

    def names(self, action: int | None) -> tuple[str, ...]:
        """The shapes of the names with which an action is reached; none for any, `SOME` for any but the others.

        Args:
            action: the index of its word, or `PRINTED`; None where it is not known which one it is.
        """
        if self.node is None or action is None:
            return (SOME, *self.named) if self.named else ()
        found = dict.fromkeys(each for some in _names_at_action(self.node, action, None) for each in some or ("",))
        return () if "" in found else tuple(found)

    @property
    def size(self) -> int:
        """How many parts it has, so what it costs to look at one path."""
        return 0 if self.node is None else _size(self.node)

    def hands(self, action: int | None, start: str, below: str, kind: str | None) -> bool:
        """Whether an action may be reached with a path.

        Args:
            action: the index of its word, or `PRINTED`; None where it is not known which one it is.
            start: what it starts at, as it is written, with marks where that is not known.
            below: the path below that, without a slash before it; empty for the start itself.
            kind: what is there (`asimi.core.judging.paths.Machine`), or `link`; None where that is not known.
        """
        return any(self.reaches_each(action, start, (below,), kind))

    def reaches_each(
        self, action: int | None, start: str, paths: Iterable[str], kind: str | None = None
    ) -> Iterator[bool]:
        """The same for each of some paths, which start at the same place and are of the same kind."""
        pruned: dict[str, bool] = {}
        for below in paths:
            if self.node is None or action is None:
                yield True
                continue
            level = below.count("/") + 1 if below else 0
            out = level < self.least or (self.most is not None and level > self.most)
            if out or (self.prunes and level and self._is_pruned(start, below.rpartition("/")[0], pruned)):
                yield False
                continue
            reached = _Evaluation(start, below, kind, action)
            reached.of(self.node, YES)
            yield reached.acted != NO

    def _is_pruned(self, start: str, directory: str, known: dict[str, bool]) -> bool:
        """Whether a directory below the start, or one above it, is not gone into."""
        found = known.get(directory)
        if found is None:
            assert self.node is not None
            found = bool(directory) and self._is_pruned(start, directory.rpartition("/")[0], known)
            if not found:
                reached = _Evaluation(start, directory, "directory", PRINTED)
                reached.of(self.node, YES)
                found = reached.pruned == YES
            known[directory] = found
        return found


class _Evaluation:
    """What is reached with one path.

    Attributes:
        acted: whether the action is.
        pruned: whether `-prune` is.
    """

    def __init__(self, start: str, below: str, kind: str | None, action: int) -> None:
        self._path = f"{start.rstrip('/')}/{below}" if below else start
        self._name = (below or start.rstrip("/")).rpartition("/")[2] or "/"
        self._kind, self._action = kind, action
        self.acted = self.pruned = NO

    def of(self, node: Node, live: int) -> int:
        """Whether a part of the expression holds, if it is looked at as far as `live` says."""
        if node.how in {"and", "or", "list"}:
            result = NO
            for number, part in enumerate(node.parts):
                if live == NO:  # nothing more is looked at
                    break
                held = self.of(part, live)
                if node.how == "and":
                    result = min(result, held) if number else held
                    live = min(live, held)
                elif node.how == "or":
                    result = max(result, held)
                    live = min(live, YES - held)
                else:
                    result = held
            return result
        if node.how == "not":
            return YES - self.of(node.parts[0], live)
        if node.how == "prune":
            self.pruned = max(self.pruned, live)
        if node.how == "action" and node.at == self._action:
            self.acted = max(self.acted, live)
        return self._test(node)

    def _test(self, node: Node) -> int:
        """Whether a part of the expression that has no parts of its own holds."""
        if node.how in {"true", "prune"} or (node.how == "action" and node.sure):
            return YES
        if node.how == "false":
            return NO
        if node.how == "type":
            if self._kind in {"directory", "mount", "link"}:
                return YES if self._kind[:1].replace("m", "d") in node.shapes else NO
            return NO if self._kind and node.shapes == ("d",) else MAYBE
        text = self._name if node.how in {"name", "regex"} else self._path if node.how == "path" else ANY
        if not MARKS.isdisjoint(text) or not node.shapes:
            return MAYBE
        text = text.casefold() if node.fold else text
        if not any(regex_of(shape).match(text) for shape in node.shapes):
            return NO
        return YES if node.exact else MAYBE


def _size(node: Node) -> int:
    return 1 + sum(map(_size, node.parts))


@lru_cache(maxsize=256)
def regex_of(shape: str) -> Pattern[str]:
    """A shape as a regular expression, in which its marks may stand for anything.

    Each piece is looked for once, so it takes a time by the length of a path.
    """
    import re

    pieces = re.split(f"[{ANY}{SOME}]+", shape)
    first, *rest = ["".join("." if each == ONE else escape(each) for each in piece) for piece in pieces]
    if not rest:
        return re.compile(rf"{first}\Z", DOTALL)
    *middle, last = rest
    return re.compile(first + "".join(f"(?>.*?{piece})" for piece in middle) + rf".*{last}\Z", DOTALL)


def _names_at_action(node: Node, action: int, given: tuple[str, ...] | None) -> Iterable[tuple[str, ...] | None]:
    """The names with which an action is reached, for each of its places; None for any name."""
    if node.how == "action" and node.at == action:
        yield given
    for part in node.parts:
        yield from _names_at_action(part, action, given)
        if node.how in {"and", "or"}:
            given = _narrower(given, _of_names(part, holds=node.how == "and"))


def _of_names(node: Node, *, holds: bool) -> tuple[str, ...] | None:
    """The names for which a part of an expression holds, or does not; None for any name."""
    if node.how == "not":
        return _of_names(node.parts[0], holds=not holds)
    if node.how == "list":  # the last one says whether it holds
        return _of_names(node.parts[-1], holds=holds)
    if node.how in {"name", "path", "regex"} and holds:
        ends = [each for shape in node.shapes for each in (names_of(shape) if node.how == "path" else (shape,))]
        return tuple(ends) if any(each.strip(SOME + ONE) for each in ends) else None
    if node.how not in {"and", "or"}:
        return None
    found = [_of_names(part, holds=holds) for part in node.parts]
    if (node.how == "and") == holds:  # all of them hold, or do not
        narrow: tuple[str, ...] | None = None
        for each in found:
            narrow = _narrower(narrow, each)
        return narrow
    return None if None in found else tuple(name for each in found for name in each or ())


def names_of(shape: str) -> tuple[str, ...]:
    """The shapes of the file names that a pattern of paths matches; a `*` in it may stand for a slash."""
    last = shape.rpartition("/")[2]
    if MARKS.isdisjoint(last):
        return (last,)
    return tuple(dict.fromkeys((last, SOME + last[max(map(last.rfind, MARKS)) + 1 :])))


def _narrower(one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The narrower of two lists of names, both of which hold."""
    if one is None or other is None:
        return other if one is None else one
    return max(one, other, key=lambda names: min(sum(each not in MARKS for each in name) for name in names))


class _UnknownError(Exception):
    """The expression is not understood."""


def expression_of(words: Sequence[str | None]) -> Expression:
    """The expression of a `find`.

    Args:
        words: its words, None for what only bash can know.
    """
    named = (
        _name_test(word, value)
        for word, value in pairwise(words)
        if word in _NAMES or word in _PATHS or word in _REGEXES
    )
    shapes = tuple(dict.fromkeys(name for node in islice(named, MOST) for name in _of_names(node, holds=True) or ()))
    try:
        return _Parser(words).expression()._replace(named=shapes)
    except _UnknownError:
        return Expression(named=shapes)


def start_of(words: Sequence[str | None]) -> int:
    """The index of the first word of the expression."""
    at = 1
    while at < len(words) and (words[at] in _OPTIONS or (words[at] or "")[:2] in {"-D", "-O"}):
        at += 2 if words[at] == "-D" else 1
    while at < len(words) and not ((word := words[at] or "") in _FIRST or (word[:1] == "-" and len(word) > 1)):
        at += 1
    return at


class _Parser:
    """Reads an expression (find(1), EXPRESSION and OPERATORS)."""

    def __init__(self, words: Sequence[str | None]) -> None:
        self._words, self._at = words, start_of(words)
        self._depth = self._least = 0
        self._most: int | None = None
        self._acts = False
        self._values: set[int] = set()
        self._actions: list[tuple[int, int]] = []

    def expression(self) -> Expression:
        """All of it.

        Raises:
            _UnknownError: it is not understood.
        """
        if len(self._words) > MOST or None in self._words[: self._at]:
            raise _UnknownError
        node = self._list() if self._at < len(self._words) else _TRUE
        if self._at < len(self._words):
            raise _UnknownError
        node = node if self._acts else Node("and", (node, _PRINT))
        prunes = {"-depth", "-d", "-delete"}.isdisjoint(self._words) and "-prune" in self._words
        return Expression(node, self._least, self._most, prunes, frozenset(self._values), tuple(self._actions))

    def _next(self) -> str:
        """The next word.

        Raises:
            _UnknownError: there is none, or only bash can know it.
        """
        word = self._words[self._at] if self._at < len(self._words) else None
        if word is None:
            raise _UnknownError
        self._at += 1
        return word

    def _is(self, words: Collection[str]) -> bool:
        return self._at < len(self._words) and self._words[self._at] in words

    def _between(self, words: Collection[str], how: str, part: Callable[[], Node]) -> Node:
        """Parts of an expression, joined by any of some words."""
        parts = [part()]
        while self._is(words):
            self._at += 1
            parts.append(part())
        return parts[0] if len(parts) == 1 else Node(how, tuple(parts))

    def _list(self) -> Node:
        return self._between({","}, "list", lambda: self._between(_OR, "or", self._all))

    def _all(self) -> Node:
        parts = [self._factor()]
        while self._at < len(self._words) and not self._is(_OR) and not self._is({",", ")"}):
            self._at += self._is(_AND)
            parts.append(self._factor())
        return parts[0] if len(parts) == 1 else Node("and", tuple(parts))

    def _factor(self) -> Node:
        word = self._next()
        if word not in _NOT and word != "(":
            return self._primary(word)
        self._depth += 1
        if self._depth > DEEPEST:
            raise _UnknownError
        if word == "(":
            node = self._list()
            if self._next() != ")":
                raise _UnknownError
        else:
            node = Node("not", (self._factor(),))
        self._depth -= 1
        return node

    def _argument(self) -> str | None:
        """The argument of a test; None where only bash can know it."""
        if self._at >= len(self._words):
            raise _UnknownError
        self._values.add(self._at)
        self._at += 1
        return self._words[self._at - 1]

    def _primary(self, word: str) -> Node:
        """A test, an option or an action, with its arguments."""
        if word in _NAMES or word in _PATHS or word in _REGEXES:
            return _name_test(word, self._argument())
        if word == "-type":
            letters = self._argument()
            return _TEST if letters is None else Node("type", shapes=tuple(sorted(set(letters.split(",")))))
        if word == "-prune":
            return Node("prune")
        if word in {"-maxdepth", "-mindepth"}:
            self._limit(word, self._argument())
            return _TRUE
        if word in _TESTS or word in _ALWAYS:
            return _TRUE if word in _ALWAYS else _TEST
        if f"{word}=" in _TESTS or f"{word}=" in _ALWAYS or _NEWER.fullmatch(word):
            self._argument()
            return _TRUE if f"{word}=" in _ALWAYS else _TEST
        if word == "-false":
            return _FALSE
        return self._action(word)

    def _limit(self, word: str, value: str | None) -> None:
        """How deep it looks; where that is said twice, or cannot be known, no deeper than the deepest."""
        number = int(value) if value is not None and value.isdecimal() and len(value) < 6 else None
        if word == "-mindepth":
            self._least = number or 0
        else:
            self._most = number

    def _action(self, word: str) -> Node:
        at = self._at - 1
        if word in _PRINTS:
            self._acts = True
            return _PRINT
        if word in _ACTIONS:
            self._acts = True
            for _ in range(_ACTIONS[word]):
                self._at += 1
            if self._at > len(self._words):
                raise _UnknownError
            return Node("action", at=at, sure=word != "-delete")
        if word not in _RUNS:
            raise _UnknownError
        self._acts = True
        while self._at < len(self._words):
            end = self._words[self._at]
            self._at += 1
            if end == ";" or (end == "+" and self._words[self._at - 2] == "{}"):
                self._actions.append((at, self._at - 1))
                return Node("action", at=at, sure=end == "+")
        raise _UnknownError


def _name_test(word: str, value: str | None) -> Node:
    """A test of names."""
    fold, how = word[1] == "i", "name" if word in _NAMES else "path" if word in _PATHS else "regex"
    if value is None:
        return Node(how)
    value = value.casefold() if fold else value
    if how == "regex":
        return Node(how, shapes=shapes_of_regex(value, whole=True), fold=fold)
    shape, exact = as_shape(value)
    return Node(how, shapes=(shape,), fold=fold, exact=exact)


def as_shape(text: str) -> tuple[str, bool]:
    """A pattern of file names, as programs have them, as a shape; and whether the shape is for no more than that."""
    if len(text) > LONGEST:
        return ANY, False
    found, exact = "", True
    for match in _PIECE.finditer(text):
        exact = exact and not (match["one"] or "?").startswith("[")
        found += SOME if match["some"] else ONE if match["one"] else match["plain"] or match[0]
    return found, exact and ANY not in found


def shapes_of_regex(text: str, *, whole: bool = False, plain: bool = False) -> tuple[str, ...]:
    """The shapes of the names of paths in which a regular expression is found, in any of the syntaxes of these.

    Args:
        text: the expression.
        whole: whether it has to match all of a path.
        plain: whether it is a text and no expression.
    """
    if len(text) > LONGEST:
        return (ANY,)
    texts, found = [text], dict[str, None]()
    for each in texts:  # grows
        group = None if plain else _GROUP.search(each)
        if group is not None and len(texts) < MOST:
            parts = (part.removesuffix("\\") for part in (group[1] or f"{group[2] or ''}|").split("|"))
            texts += [each[: group.start()] + part + each[group.end() :] for part in parts]
            continue
        before, opened, rest = each.partition("(") if not plain else (each, "", "")
        known = before.removesuffix("\\") + ".*" + rest.rpartition(")")[2] if opened else each
        for part in [known] if plain else known.split("|"):
            begins, ends = whole or part[:1] == "^", whole or part[-1:] == "$"
            shape = part if plain else _of_regex(part.removesuffix("\\").removeprefix("^").removesuffix("$"))
            shape = ("" if begins else SOME) + shape + ("" if ends else SOME)
            found |= dict.fromkeys(RUNS.sub(SOME, each.replace(ANY, SOME)) for each in names_of(shape))
    return tuple(found)


def _of_regex(text: str) -> str:
    """The shape of what a regular expression without groups matches, or more."""
    if _ESCAPES.search(text):  # some kinds take a backslash in brackets for itself, others for an escape
        return ANY
    found: list[str] = []
    for match in _REGEX.finditer(text):
        if match["many"] is None:
            found.append(ONE if match["one"] else match["kept"] or match["plain"] or "")
        elif match["many"] == "+" or not found:
            found.append(ANY)
        else:
            found[-1] = ANY
    return "".join(found)
