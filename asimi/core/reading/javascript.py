"""Whether a text in JavaScript, as `node -e` runs it, does no more than compute, print and read files that it names.

The proof goes by tokens, not by a tree: every name stands in a list, what is called is a method that only computes, a
module is `fs` or `path` with a function that only reads, a member is named by a plain name. No function can come from
elsewhere: `constructor`, through which all values lead to `Function`, is no name that passes (ECMA-262, 20.2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of, table_of
from asimi.core.pattern import pattern
from asimi.core.reading.commands import NOTHING, File, Inline
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.budget import Budget

LONGEST = 8192
"""Characters of a text that is proven."""

DEEPEST = 8
"""Templates in templates."""

PER_CHARACTER = 6
"""What proving a character costs."""


_LISTS = facts_of(__package__, "javascript")


def _table(name: str) -> dict[str, frozenset[str]]:
    return {each: frozenset(words.split()) for each, words in table_of(_LISTS[name]).items()}


_TOKEN = pattern(
    r"(?P<blank>[ \t\n]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r"|(?P<string>'(?:[^'\\\n]|\\[^\n])*'|\"(?:[^\"\\\n]|\\[^\n])*\"|`(?:[^`\\$]|\\.|\$(?!\{))*`)"
    r"|(?P<number>\d[\w.]*)|(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<sign>=>|\.\.\.|\?\.(?!\d)|[-+*%&|^<>=!~?:;,.(){}\[\]]|/)",
    re.ASCII | re.DOTALL,
)
_REGEX = pattern(r"/(?:[^\\/\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/[dgimsuvy]*", re.ASCII)
_ODD = pattern("<!--|-->|[\r\u2028\u2029\0]")
"""Comments and ends of lines that are easily overlooked (ECMA-262, B.1.1 and 12.3)."""

_KEYWORDS = names_of(_LISTS["keywords"])
_BEFORE_REGEX = names_of(_LISTS["before-regex"])
_OPENS = names_of(_LISTS["opens"])
"""Keywords that a parenthesis may follow which calls nothing."""

_FORBIDDEN = names_of(_LISTS["forbidden"])
_CALLED = names_of(_LISTS["called"])
_GLOBALS = _table("globals")
_READING = names_of(_LISTS["reading"])
"""Options with which these read all the same; `flag` may empty the file (node manual, File system flags)."""

_STREAMS = _table("streams")
"""What may be called of the standard streams, which are named for nothing else."""

_MADE = names_of(_LISTS["made"])
_METHODS = names_of(_LISTS["methods"])
_CALLBACK = names_of(_LISTS["callback"])
_KEPT = names_of(_LISTS["kept"])
"""Modules; a text may declare a name of its own for one of them, if it is the same."""

_MODULES = {each: name for name in _KEPT for each in (name, f"node:{name}")}
_DECLARES = frozenset({"const", "let", "var"})
_AMBIENT = names_of(_LISTS["ambient"])
"""What node knows without a declaration (node manual, Global objects; `-e` knows the modules, too)."""


class _Token(NamedTuple):
    kind: str
    text: str


_CHUNK = pattern(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
_BEHIND = (_Token("sign", "+"), _Token("string", "''"))


def read(text: str, budget: Budget) -> Inline:
    """What a text reads, if it is proven to do no more; `NOTHING` otherwise.

    `needs` of the outcome are files in place of which, where one is missing, node may run `NAME.js`.
    """
    if len(text) > LONGEST or _ODD.search(text):
        return NOTHING
    budget.spend(8 + PER_CHARACTER * len(text))
    tokens, end = _tokens(text)
    return _Proof(tokens).outcome() if end == len(text) else NOTHING


def _tokens(text: str, at: int = 0, *, deep: int = 0) -> tuple[list[_Token], int]:
    """The tokens of a text from a position on, and where they end: at what none of these is, or at a `}` too many.

    A template is a sum of its parts (ECMA-262, 13.2.8).
    """
    found: list[_Token] = []
    open_ = 0
    while at < len(text):
        if text[at] == "}" and not open_ and deep:
            break
        match = _TOKEN.match(text, at)
        if match is None and text[at] == "`" and deep < DEEPEST:
            parts, end = _template(text, at, deep + 1)
            if not parts:
                return found, at
            found, at = found + parts, end
            continue
        if match is None:
            return found, at
        kind = match.lastgroup or ""
        if match[0] == "/":
            last = found[-1] if found else _Token("sign", ";")
            if last.text in {")", "}"} or (len(found) > 1 and last.text in {"+", "-"} and found[-2].text == last.text):
                return found, at  # only a tree says whether that divides
            divides = last.kind in {"number", "string"} or last.text == "]"
            divides = divides or (last.kind == "name" and last.text not in _BEFORE_REGEX)
            if not divides:
                match = _REGEX.match(text, at)
                kind = "string"
                if match is None:
                    return found, at
        if kind != "blank":
            found.append(_Token("regex" if kind == "string" and match[0][0] == "/" else kind, match[0]))
        open_ += (match[0] == "{") - (match[0] == "}")
        at = match.end()
    return found, at


def _template(text: str, at: int, deep: int) -> tuple[list[_Token], int]:
    """The parts of a template that begins at a position, and where it ends; none where it does not."""
    found = [_Token("string", "``")]
    at += 1
    while (match := _CHUNK.match(text, at)) is not None:
        at = match.end()
        if match[0].endswith("`"):
            return found, at
        inside, at = _tokens(text, at, deep=deep)
        if text[at : at + 1] != "}" or not inside:
            break
        found += [_Token("sign", "+"), _Token("sign", "("), *inside, _Token("sign", ")"), *_BEHIND]
        at += 1
    return [], at


_END = _Token("", "")


def _ends(token: _Token) -> bool:
    """Whether a token behind a value ends it: also one that can only begin a statement (ECMA-262, 12.10)."""
    begins = token.kind == "name" and token.text not in {"in", "instanceof"}
    return begins or token.text in {";", ",", ""}


class _Proof:
    """The proof of one text."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = [_END, _END, *tokens, _END, _END, _END]
        self.files: list[File] = []
        self.needs: list[str] = []
        self.bound: list[str] = []  # the names that it declares, as often as it does
        self.declared = self._declared_names()
        self.functions = frozenset(self._own_functions())

    def outcome(self) -> Inline:
        """What the text reads; `NOTHING` where not all is proven."""
        if self.declared is None or not all(map(self._passes, range(2, len(self.tokens) - 3))):
            return NOTHING
        return Inline(
            (),
            tuple(dict.fromkeys(self.files)),
            reads=True,
            alone=True,
            needs=tuple(dict.fromkeys(self.needs)),
        )

    def _declared_names(self) -> frozenset[str] | None:
        """The names that the text declares; None where one is a name of node's own."""
        found: set[str] = set()
        for at, (_, text) in enumerate(self.tokens):
            if text in _DECLARES:
                found |= self._statement_names(at + 1)
            elif text == "=>":
                found |= self._declaration_names(at - 1, -1)
            elif text == "catch" and self.tokens[at + 1].text == "(":
                found |= self._declaration_names(at + 1, 1)
        own = _AMBIENT.union(_CALLED, _MADE, *({each} for each in _GLOBALS)) - _KEPT
        return None if found & own else frozenset(found)

    def _statement_names(self, at: int) -> set[str]:
        """The names of one statement that declares, each behind a comma."""
        found, depth = self._declaration_names(at, 1), 0
        while depth >= 0 and self.tokens[at] is not _END and self.tokens[at].text not in {";", "of", "in"}:
            text = self.tokens[at].text
            depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
            if text == "," and depth == 0 and self.tokens[at + 2].text in {"=", ",", ";"}:
                found |= self._declaration_names(at + 1, 1)
            at += 1
        return found

    def _declaration_names(self, at: int, step: int) -> set[str]:
        """The names in one declaration, in brackets or without."""
        pairs = {"(": ")", "[": "]", "{": "}"}
        ends = pairs if step > 0 else {end: begin for begin, end in pairs.items()}
        depth, found = 0, set()
        while 0 < at < len(self.tokens) - 1:
            kind, text = self.tokens[at]
            depth += (text in ends) - (text in ends.values())
            if kind == "name":
                found.add(text)
            if depth <= 0:
                break
            at += step
        self.bound += found - _KEYWORDS
        return found - _KEYWORDS

    def _passes(self, at: int) -> bool:
        """Whether a token does no harm where it stands."""
        kind, text = self.tokens[at]
        before, after = self.tokens[at - 1], self.tokens[at + 1]
        value = before.kind in {"string", "regex", "number"} or before.text in {")", "]"}
        value = value or (before.kind == "name" and before.text not in _KEYWORDS)
        if kind == "name":
            return self._is_name(at)
        if kind == "string":
            tags = text[0] == "`" and value  # what is before it is called with it
            return not tags and not (after.text == ":" and ("\\" in text or text[1:-1] in _FORBIDDEN))
        if text == "(":
            return self._opens(at)
        if text == "[":
            if value or before.text in {"}", "?."}:  # a member
                plain = after.kind == "number" or (after.kind == "string" and "\\" not in after.text)
                return plain and after.text[1:-1] not in _FORBIDDEN and self.tokens[at + 2].text == "]"
            return True
        return not (text == "]" and after.text == ":")  # a key that is computed

    def _opens(self, at: int) -> bool:
        """Whether what a parenthesis opens calls nothing but what only computes."""
        before, around = self.tokens[at - 1], self.tokens[at - 2]
        if before.kind != "name":
            return before.kind in {"", "sign"} and before.text not in {")", "]", "}", "?."}
        if around.text in {".", "?."}:
            of = self.tokens[at - 3]
            if before.text == "write":
                return of.text in {"stdout", "stderr"} and self.tokens[at - 5].text == "process"
            known = _GLOBALS.get(of.text, frozenset()) if self.tokens[at - 4].text not in {".", "?."} else frozenset()
            if self.tokens[at - 6].text == "require" and self.tokens[at - 4].text[1:-1] in _MODULES:
                return True  # as `_requires` has looked at it
            if before.text in known:
                return of.text != "fs" or self._reads_file(at)
            return of.text not in _GLOBALS and before.text in _METHODS and self._is_plain(at, before.text)
        if around.text == "new":
            return before.text in _MADE
        if before.text == "require":
            return self._requires(at)
        return before.text in _OPENS or before.text in _CALLED or before.text in self.functions

    def _own_functions(self) -> Iterator[str]:
        """The names that are only ever those of functions of the text: `const NAME = (a, b) => …`."""
        texts = [each.text for each in self.tokens]
        for start in range(3, len(texts) - 3):
            name = texts[start - 2]
            if (texts[start - 3], texts[start - 1]) != ("const", "=") or self.bound.count(name) != 1:
                continue
            at, depth = start, 0
            while texts[at]:
                depth += (texts[at] in {"(", "[", "{"}) - (texts[at] in {")", "]", "}"})
                at += 1
                if not depth:
                    break
            if texts[at] == "=>" and (texts[start] == "(" or self.tokens[start].kind == "name"):
                yield name

    def _is_plain(self, at: int, method: str) -> bool:
        """Whether a method that calls its arguments is given no function by name, but for those that convert."""
        depth = 0
        for place in range(at, len(self.tokens) - 1):
            kind, text = self.tokens[place]
            depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
            if depth == 0:
                return True
            alone = self.tokens[place - 1].text in {"(", ","} and self.tokens[place + 1].text in {")", ","}
            if depth == 1 and kind == "name" and alone and method in _CALLBACK and text not in _CALLED | _KEYWORDS:
                return False
        return False

    def _is_name(self, at: int) -> bool:
        """Whether a name is one that may stand where it does."""
        name, before, after = self.tokens[at].text, self.tokens[at - 1].text, self.tokens[at + 1].text
        if before == "typeof" and after not in {".", "?.", "(", "["}:
            return True
        if name in _FORBIDDEN:
            return before in {".", "?."} and name in {"get", "set"}
        if before in {".", "?."}:
            return True  # of a value that only holds data; what is called is looked at there
        if name in _KEYWORDS:
            return name != "new" or self.tokens[at + 1].text in _MADE
        if after == ":" and before in {"{", ","}:
            return True  # a key
        if name in _MADE and before == "new":
            return True
        if name in _GLOBALS:
            declares = name in _KEPT and before in _DECLARES and after == "="
            chosen = after == "." and self.tokens[at + 2].text in _GLOBALS[name]
            reading = name != "fs" or self.tokens[at + 3].text == "("
            streamed = _STREAMS.get(self.tokens[at + 2].text) if name == "process" else None
            if streamed is not None:
                named = self.tokens[at + 3].text == "." and self.tokens[at + 4].text in streamed
                reading = named and self.tokens[at + 5].text == "("
                reading = reading and (self.tokens[at + 2].text != "stdin" or self._begins(at))
            return declares or (chosen and reading) or (name in _CALLED and after in {"(", ")", ","})
        if name == "require":
            return after == "("
        return name in _CALLED or name in (self.declared or ())

    def _begins(self, at: int) -> bool:
        """Whether a statement begins with a token, so nothing holds what it gives: a stream has functions that open."""
        kind, text = self.tokens[at - 1]
        value = kind in {"", "number", "regex", "string"} or (kind == "name" and text not in _KEYWORDS)
        return value or text in {";", "{", "}", ")", "]"}

    def _literal(self, at: int) -> str | None:
        """The text of an argument that is one plain string."""
        kind, text = self.tokens[at]
        alone = self.tokens[at + 1].text in {",", ")"}
        if kind == "name" and self.bound.count(text) == 1:  # `const NAME = 'TEXT'`, the only one of that name
            named = (self.tokens[each : each + 5] for each in range(len(self.tokens) - 5))
            values = [each[3:] for each in named if (each[0].text, each[1].text, each[2].text) == ("const", text, "=")]
            kind, text = values[0][0] if values and _ends(values[0][1]) else (kind, text)
        return text[1:-1] if kind == "string" and alone and "\\" not in text else None

    def _reads_file(self, at: int) -> bool:
        """Whether a function of `fs` is given a literal name, or the standard input; notes the file."""
        name = self._literal(at + 1)
        if name is None:
            return self.tokens[at + 1].text == "0" and self.tokens[at + 2].text in {",", ")"}
        self.files.append(File(name, "read"))
        return self._plain_options(at + 2)

    def _plain_options(self, at: int) -> bool:
        """Whether what is behind a file's name is an encoding, or options that open it for nothing else."""
        if self.tokens[at].text == ")":
            return True
        if self._literal(at + 1) is not None:
            return self.tokens[at + 2].text == ")"
        _, opens, key, colon, value, *ends = self.tokens[at : at + 7]
        keyed = opens.text == "{" and key.text.strip("'\"") in _READING and colon.text == ":"
        return keyed and value.kind in {"name", "string"} and [each.text for each in ends] == ["}", ")"]

    def _requires(self, at: int) -> bool:
        """Whether `require` is given a JSON file by a path, or a module of which only what reads is used."""
        name, behind = self._literal(at + 1), self.tokens[at + 3]
        if name is None or self.tokens[at + 2].text != ")":
            return False
        if name.startswith(("./", "../", "/")) and name.endswith(".json"):
            self.files.append(File(name, "read"))
            self.needs.append(name)
            return True
        module = _MODULES.get(name)
        if module is None:
            return False
        if behind.text == "." and self.tokens[at + 4].text in _GLOBALS[module] and self.tokens[at + 5].text == "(":
            return module != "fs" or self._reads_file(at + 5)
        kept = self.tokens[at - 2].text == "=" and self.tokens[at - 3].text == module
        return kept and self.tokens[at - 4].text in _DECLARES and _ends(behind)
