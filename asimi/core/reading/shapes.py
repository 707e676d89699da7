"""What a word may become, as far as the text says it.

A shape is the text of a word after all expansions, with three marks in it: `ANY` for text that only bash can know (it
may be empty and hold slashes), `SOME` for a glob's `*`, `ONE` for one character. Variables that the text itself gives a
value are replaced by it, braces by each of their parts: `d=.config; rm ~/$d` has the shape `/home/me/.config`.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from asimi.core.lean import pattern
from asimi.core.syntax.quoting import ansi

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ANY, SOME, ONE = "\1", "\2", "\3"
_OPEN, _COMMA, _CLOSE = "\4", "\5", "\6"
MARKS = frozenset((ANY, SOME, ONE))

LONGEST = 4096
"""Characters of a word that are looked at (PATH_MAX); what comes behind them is unknown."""

MOST = 64
"""Shapes of one word; where there are more, all from its first brace or variable to the last is unknown."""

_TOKEN = pattern(
    r"""\\(?P<escaped>.)
    | \$'(?P<ansi>(?:[^'\\]|\\.)*)'
    | '(?P<single>[^']*)'
    | (?P<double>\$?")
    | \$(?P<name>\w+|[@*\#?$!-])
    | \$\{(?P<braced>\w+)\}
    | \$\{(?P<operated>\w+):?[-=+](?P<default>[^{}]*(?:\$\{\w+\}[^{}]*)?)\}
    | (?P<computed>\$\(|\$\{|`|[@?+!*]\()
    | (?P<tilde>(?:(?<![\s\S])|(?<=[=:]))~[\w.+-]*(?=[/:]|\Z))
    | (?P<class>\[[^]/]+\])
    | (?P<mark>[*?{},\x01-\x06])
    | (?P<plain>[^\\$'"`@?+!*\[{},~\x01-\x06]+|.)""",
    re.DOTALL | re.VERBOSE | re.ASCII,
)
_MARK = {"*": SOME, "?": ONE, "{": _OPEN, ",": _COMMA, "}": _CLOSE}
_CLOSES = {"$(": ("(", ")"), "${": ("{", "}"), "`": ("", "`")}
_INNERMOST = pattern(rf"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_LETTERS = pattern(r"[A-Za-z]\.\.[A-Za-z](?:\.\.[+-]?\d+)?")
_RUNS = pattern(rf"[{ANY}{SOME}]{{2,}}")
_BACK = str.maketrans({_OPEN: "{", _COMMA: ",", _CLOSE: "}"})
_DROPPED = str.maketrans(dict.fromkeys("\1\2\3\4\5\6"))


DEEPEST = 16
"""Variables that are looked at for the value of another one; what lies deeper is unknown."""


class Shapes:
    """Finds the shapes of words.

    Args:
        known: what variables mean that the text does not set itself.
        values: what the text gives to variables: how each value is written; None where that is not known.
        user: the name that `~user` may be written with for the home directory.
    """

    def __init__(self, known: Mapping[str, str], values: Mapping[str, Sequence[str] | None], user: str = "") -> None:
        self.known, self.values, self.user = known, values, user
        self._found: dict[str, tuple[str, ...]] = {}
        self._variables: dict[str, tuple[str, ...]] = {}
        self.made = 0  # how many shapes there were
        self._depth = 0

    def of(self, written: str) -> tuple[str, ...]:
        """The shapes of a word as it is written."""
        found = self._found.get(written)
        if found is None:
            found = self._found[written] = self._of(written)
        return found

    def _of(self, written: str) -> tuple[str, ...]:
        pieces = [*self._pieces(written[:LONGEST]), (ANY,) if len(written) > LONGEST else ("",)]
        many = 1
        for index, piece in enumerate(pieces):
            many *= len(piece)
            if many > MOST:
                last = max(pos for pos, each in enumerate(pieces) if len(each) > 1)
                pieces[index : last + 1] = [(ANY,)]
                break
        joined = {"".join(parts) for parts in product(*pieces)}
        if len(written) > LONGEST:  # a brace that is open there may be closed behind
            joined = {shape.partition(_OPEN)[0] + ANY for shape in joined}
        expanded = {form for shape in joined for form in _braces(shape)}
        self.made += len(expanded)
        if len(expanded) > MOST * 2:
            expanded = {_common(expanded) + ANY}
        return tuple({_RUNS.sub(_widest, form.translate(_BACK)) for form in expanded})

    def _pieces(self, written: str) -> Iterator[tuple[str, ...]]:
        """The alternatives of each piece of a word."""
        pos, quoted = 0, False
        while pos < len(written):
            match = _TOKEN.match(written, pos)
            if match is None:
                return
            kind, text = match.lastgroup, match.group(match.lastgroup or 0)
            start, pos = pos, match.end()
            if kind == "double":
                quoted = not quoted
                if quoted or text == '"':
                    continue
                yield ("$",)
            elif kind == "escaped":
                yield ("" if text == "\n" else written[start:pos] if quoted and text not in '$`"\\' else text,)
            elif quoted and kind in {"single", "ansi", "class", "mark", "tilde"}:
                pos = start + 1
                yield (written[start].translate(_DROPPED),)
            elif kind == "single":
                yield (text.translate(_DROPPED),)
            elif kind == "ansi":
                decoded = ansi(text)
                yield (ANY if decoded is None else decoded.translate(_DROPPED),)
            elif kind in {"name", "braced"}:
                yield self._variable(text)
            elif kind == "default":
                yield tuple({*self._variable(match["operated"]), *self._of(text)})
            elif kind == "computed":
                if quoted and text[0] not in "$`":
                    pos = start + 1
                    yield (text[0],)
                else:
                    pos = _closing(written, match.end(), *_CLOSES.get(text, ("(", ")")))
                    yield (ANY,)
            elif kind == "tilde":
                yield self._home(text[1:])
            elif kind == "class":
                yield (ONE,)
            elif kind == "mark":
                yield (_MARK.get(text, ANY),)
            else:
                yield (text,)

    def _home(self, name: str) -> tuple[str, ...]:
        """What a tilde prefix means."""
        if name in {"", self.user}:
            return self._variable("HOME")
        return self._variable({"+": "PWD", "-": "OLDPWD"}.get(name, "~"))

    def _variable(self, name: str) -> tuple[str, ...]:
        """What a variable may hold."""
        if name in self._variables:
            return self._variables[name]
        self._variables[name] = (ANY,)  # while its own value is looked at
        values = self.values.get(name)
        if values is not None and len(values) <= MOST and self._depth < DEEPEST:
            self._depth += 1
            found = tuple({shape for value in values for shape in self._of(value)})
            self._depth -= 1
            if len(found) <= MOST:
                self._variables[name] = found + ((self.known[name],) if name in self.known else ())
        elif name not in self.values and name in self.known:
            self._variables[name] = (self.known[name],)
        return self._variables[name]


def exactly(text: str) -> str:
    """The shape of a word that is literal."""
    return text[:LONGEST].translate(_DROPPED)


def fits(shape: str, name: str) -> bool:
    """Whether a shape may become exactly this text, which holds no marks."""
    least = sum(character not in {ANY, SOME} for character in shape)
    if least > len(name) or (shape[:1] == SOME and name[:1] == "."):
        return False
    pos = at = 0
    star, resume = -1, 0
    while at < len(name):
        if pos < len(shape) and shape[pos] in {ANY, SOME}:
            star, resume, pos = pos, at, pos + 1
        elif pos < len(shape) and shape[pos] in {ONE, name[at]}:
            pos, at = pos + 1, at + 1
        elif star >= 0:
            resume += 1
            pos, at = star + 1, resume
        else:
            return False
    return all(character in {ANY, SOME} for character in shape[pos:])


def _braces(shape: str) -> set[str]:
    """A shape with its braces expanded."""
    waiting, forms, steps = [shape], set(), 0
    while waiting:
        form, steps = waiting.pop(), steps + 1
        found = _INNERMOST.search(form)
        if found is None:
            forms.add(form)
            continue
        parts = set(found[1].split(_COMMA))
        if steps > MOST or len(waiting) + len(parts) > MOST or form.count(_OPEN) > MOST:
            forms.add(form[: form.index(_OPEN)] + ANY + form[form.rindex(_CLOSE) + 1 :])
        elif len(parts) > 1 or _COMMA in found[1]:
            waiting += [form[: found.start()] + part + form[found.end() :] for part in parts]
        elif ".." in found[1]:
            part = ONE if _LETTERS.fullmatch(found[1]) else ANY
            waiting.append(form[: found.start()] + part + form[found.end() :])
        else:
            waiting.append(form[: found.start()] + "{" + found[1] + "}" + form[found.end() :])
    return forms


def _common(shapes: set[str]) -> str:
    """What all of some shapes begin with."""
    first, last = min(shapes), max(shapes)
    differs = (pos for pos, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(differs, len(first))]


def _closing(written: str, pos: int, opens: str, closes: str) -> int:
    """Where something computed ends; quotes in it do not matter, because what follows is unknown anyway."""
    depth = 1
    for index in range(pos, len(written)):
        character = written[index]
        if character == closes:
            depth -= 1
            if not depth:
                return index + 1
        elif character == opens:
            depth += 1
    return len(written)


def _widest(run: re.Match[str]) -> str:
    return ANY if ANY in run.group() else SOME
