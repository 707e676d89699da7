"""Secrets are removed from text before it is logged or hashed: a log that is chained by hashes cannot be cleaned later.

Rather too much than too little. It cannot find a secret that a person chose, of no known shape, in a position that
nothing marks. A name is no secret: `$TOKEN` and `$(gh auth token)` stay, and so do the names of files with secrets in
them. `is_drawn` tells letters and digits that were drawn at random, as tokens are, from a name that somebody chose.
"""

from __future__ import annotations

import os
from collections import deque
from functools import cache, lru_cache
from re import escape, sub
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs.variables import SECRETS
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from re import Pattern

VALUE = (
    r"""(?:\$\([^()]*+\)?|\$'(?:[^'\\]++|\\.)*'?|\\["'][^"'\\]*+(?:\\["'])?|"(?:[^"\\]++|\\.)*"?|'[^']+'?|`[^`]*+`?|\\."""
    r"""|[^\s'"`;&|\\$]++|\$)+"""
)
"""A word as bash reads it, with its quotes."""

_CODE = (  # code that takes the value from elsewhere
    r"(?:process\.env\b|os\.environ\b|os\.getenv\(|getenv\(|ENV\[|\$\{\{|[A-Za-z_][\w.]{0,64}\(\s*+[\w.]{0,64}\))"
)
_PLACEHOLDER = (
    r"""["']?(?:<[\w. -]{1,40}>|%[sdqv]|\*{3,}|[xX]{4,}|\.{3}|\.\*|(?i:your[-_]\w{1,40})|[A-Z_]{2,40}_HERE)["']?"""
    r"(?=[\s;&|)}\],/]|\Z)"
)
NAMED = (
    r"""(?:\\?"?\$(?:\w++|\{\w++(?::?\?[^{}]*+|:?[-=+])?\}|\((?!\s*+(?:echo|printf)\b)[^()]*+\))\\?"?(?=[\s;&|)}\],@"'\\]|\Z)"""
    rf"|(?:true|false|null|none|yes|no)(?![\w-])|{_CODE}|{_PLACEHOLDER})"
)
"""What only says where a value comes from, or stands for one."""

PLAIN = rf"(?!{NAMED}){VALUE}"
"""A value that is written there."""

_OPTIONS = r"(?:-\S++\s++){0,4}"
_APART = r"(?<=\s)"
_BETWEEN = r"[^\n]{0,300}?"
_FIRST = rf"\s++{_OPTIONS}"
_END = r"(?:\s++|\Z)"
_ONE_LETTER = pattern(r"-[A-Za-z]")
_PLAIN_WORD = pattern(r"[\w-]+")
_SECRET = pattern(r"(.*?)(\*\*?)(@_)?")


class Place(NamedTuple):
    """Where a program takes a secret.

    Attributes:
        pattern: the place among the words behind the program; what has to stay is group 1.
        first: whether it has to begin right behind the program.
    """

    pattern: Pattern[str]
    first: bool


@cache
def places() -> dict[str, list[str]]:
    """Return what `secrets.txt` says of the places by program; those of `*` are every program's."""
    said: dict[str, list[str]] = {}
    for line in _lines("places"):
        programs, _, forms = line.partition(": ")
        for program in programs.split():
            said.setdefault(program, []).append(forms)
    return said


@lru_cache(maxsize=512)
def forms_of(program: str) -> tuple[str, ...]:
    """Return the forms of the places of a program."""
    return tuple(each.strip() for forms in places().get(program, ()) for each in forms.split("; "))


@cache
def tokens() -> tuple[tuple[str, str], ...]:
    """Return the prefixes of tokens, each with the pattern of what follows it."""
    return tuple((prefix, body) for body, *prefixes in map(str.split, _lines("tokens")) for prefix in prefixes)


@cache
def required_marks(form: str) -> tuple[str, ...]:
    """Return what stands in every text that a form is about; looking for it costs less than the pattern."""
    *words, last = form.split()
    plain = [each for each in words if len(each) > 2 and _PLAIN_WORD.fullmatch(each)]  # `-p` may be bundled
    return *plain, *last[1:2].strip("*_"), *("-" for each in words if each[0] == "-")


@cache
def place(form: str) -> Place:
    """Return what a form says, as a pattern."""
    *words, last = form.split()
    head = "".join(_word(word, begins=not number) for number, word in enumerate(words))
    first = form.split(maxsplit=1)[0] in {"_", "*", "**"}
    return Place(pattern(head or _END if last == "<" else _secret_pattern(head, last)), first)


def _word(word: str, *, begins: bool) -> str:
    """Return a word of a form before its last."""
    if word[0] == "-":
        return ("" if begins else _BETWEEN) + _APART + _option(word)
    if word == "_":
        return (_FIRST if begins else "") + r"\S++\s++"
    return (r"(?<![^\s'\"])" if begins else "") + word + _END + _OPTIONS


def _secret_pattern(head: str, last: str) -> str:
    """Return the last word of a form, which holds the secret, behind the others."""
    found = _SECRET.fullmatch(last)
    assert found is not None, last  # the file is ours
    lead, stars, behind = found.groups()
    if stars == "**":
        return rf"({head})(?:{VALUE}[ \t]*+){{1,40}}+"
    if not lead:
        return rf"({head or _FIRST})(?![-<>|]){PLAIN}"
    if lead[0] == "-":
        return rf"({_APART}{lead}){PLAIN}"
    if lead[0] not in "_[":
        return rf"({head}(?<![^\s'\"]){lead}){PLAIN}"
    mark = escape(lead.strip("_[]"))
    start = rf"[^\s{mark}'\"]++{mark}"
    start = rf"(?>(?:{start})?)" if lead[0] == "[" else start
    lone = rf"(?!{mark}|\+%|\d++:\d++(?!\S))"  # an empty name, a format of a date, numbers of users
    value = r"[^\s'\"@]++(?=@)" if behind else rf"(?(2)[^'\"]++|{VALUE})"
    return rf"({head or _APART}([\"'])?{lone}{start})(?!{NAMED}){value}"


def _option(word: str) -> str:
    """Return an option, up to its value."""
    if _ONE_LETTER.fullmatch(word):
        return rf"-(?:[A-Za-z0-9]{{0,9}}?{word[1]}(?:\s*+=\s*+|{_END})|{word[1]})"
    return rf"{word}(?:\s*+=\s*+|{_END})"


def _lines(part: str) -> Iterator[str]:
    """Yield the lines of a part of `secrets.txt`."""
    path = os.path.join(os.path.dirname(__file__), "secrets.txt")
    within = False
    for line in __spec__.loader.get_data(path).decode().splitlines():  # type: ignore[union-attr]  # also out of an archive
        if line[:1] == "[" and line.rstrip()[-1] == "]" and " " not in line:
            within = line == f"[{part}]"
        elif within and line and line[0] != "#":
            yield line


_COMMON = {line[0]: frozenset(line[2:]) for line in _lines("pairs")}
"""The letters that often follow a letter in words of programs: 264 pairs, 95 % of those in the sources of Python 3.13's
standard library. Two letters drawn at random are one of them in 38 % of the cases."""

_SEGMENTS = pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_FEWEST = 5
"""So many pairs of letters are needed to tell by them."""

_RARE = 0.42
"""The least share of pairs that are not common in what was drawn."""

_MEAN, _LONGEST = 2.1, 5
"""The most letters or digits that are together in what was drawn, in the mean and at all."""


def is_drawn(run: str) -> bool:
    """Whether a run of ASCII letters and digits was drawn at random.

    It has small letters, capitals and digits, and either its pairs of letters are rare or it changes between the three
    nearly everywhere. Of runs of 18 drawn letters and digits that have a digit it finds 96 %; of the 5,700 names of 16
    and more such characters in Python's library and in /usr/include it takes 64 for drawn.
    """
    if not (any("0" <= each <= "9" for each in run) and run != run.lower() and run != run.upper()):
        return False
    segments = _SEGMENTS.findall(run)
    if len(run) <= _MEAN * len(segments) and max(map(len, segments)) <= _LONGEST:
        return True
    pairs = [(one, two) for each in segments for one, two in zip(each.lower(), each.lower()[1:], strict=False)]
    pairs = [(one, two) for one, two in pairs if one.isalpha()]
    rare = sum(two not in _COMMON[one] for one, two in pairs)
    return len(pairs) >= _FEWEST and rare >= _RARE * len(pairs)


REDACTED = "<redacted>"

_MARK = (
    r"(?:pass(?:word|wd|phrase|code)?(?![a-z])|(?<!old)pwd(?!=[/.])|(?<![a-z])pw(?![a-z])|secret|"
    r"(?<!max[-_])token(?!iz)|credential|auth(?!or|enticat)|"
    r"(?:api|access|account|license|private|secret|encryption)[-_]?key|"
    r"[a-z0-9](?<!primary)(?<!foreign)(?<!public)_key(?![a-z]))"
)
_NO_VALUE = (
    r"(?![\w-]{0,64}?[-_](?:file|path|dir|stdin|sock|prompt|env|type|ttl|length|name|host|port|command|cmd|count|min|max|policy|"
    r"expiry|age|size|limit|algorithm|alg|issuer|id|url|store|helper|status|version)(?![\w-]))"
)
_ECHO = r"(?<![^\s'\"`(|;&])(?:echo|printf)\s++(?>(?:-\w++\s++)*)"
_ECHOED = r"""(?:(?:"(?:[^"\\]++|\\.)*"|'[^']*+'|\\.|[^\s'";&|\\<>$]++|\$)+[ \t]*+){1,40}+"""
_KEPT_IN = (  # what a file is called that holds a secret and nothing else
    r"""[^\s;|&]{0,200}?(?:token|passw(?:or)?d|secret|credentials|netrc|pgpass|[._]key)(?:\.txt)?["']?(?=[\s;&|]|\Z)"""
)
_HERE = r"<<-?\s*+[\"']?(?P<end>\w++)[\"']?[^\n]{0,200}\n"
_BODY = r"[\s\S]{1,4000}?(?=\n\s*+(?P=end)\b)"


class Shape(NamedTuple):
    """What secrets of one kind look like.

    Attributes:
        hints: strings in lower case, one of which every such secret has; finding them costs less than the pattern.
        pattern: the secret, with what must stay before it as group 1.
    """

    hints: tuple[str, ...]
    pattern: str


PARTS = {
    "MARK": _MARK, "NO_VALUE": _NO_VALUE, "ECHO": _ECHO, "ECHOED": _ECHOED, "KEPT_IN": _KEPT_IN, "HERE": _HERE,
    "BODY": _BODY, "NAMED": NAMED, "PLAIN": PLAIN, "VALUE": VALUE,
}  # fmt: skip
"""What the shapes of `secrets.txt` are made of."""


@cache
def shapes() -> tuple[Shape, ...]:
    """Return what secrets look like that no place and no prefix tells."""
    found = (line.split(" ", 1) for line in _lines("shapes"))
    return tuple(
        Shape(tuple(hints.replace("_", " ").split(",")), sub("<([A-Z_]+)>", lambda name: PARTS[name[1]], shape))
        for hints, shape in found
    )


_MARKS = ("_AUTH", "AUTH_", *{name.strip("*") for name in SECRETS} - {"AUTH"})
_SHORT = 256  # a longer text is not kept in memory
_SHORTEST = 8  # a shorter value would be found in unrelated text
_SHORTEST_FOUND = 4  # the same, within one record
_CUT_OFF = 32  # so many of the longest are also looked for where a text cuts them off
_LEAD = r"(?:[\w-]+=)?"
_BARE = r"[\w@%+=:,./-]+"


class Redaction:
    """Removes secrets from text.

    Args:
        environ: asimi's own environment: the values of names that look like credentials are secrets.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        values = {
            value
            for name, value in environ.items()
            if len(value) >= _SHORTEST and value[0] != "/" and any(mark in name.upper() for mark in _MARKS)
        }
        self._values = sorted(values, key=len, reverse=True)
        self._known = lru_cache(maxsize=512)(self._spans)  # reasons and rules are the same again and again

    def text(self, text: str, found: Sequence[str] = ()) -> str:
        """Return a text without the secrets in it.

        Args:
            text: what may hold secrets.
            found: secrets that were found in another text of the same record, which may be cut off here by `…`.
        """
        if secrets := self._secrets(text):
            text = _without(text, secrets)
        for number, value in enumerate(found):
            text = text.replace(value, REDACTED)
            if number < _CUT_OFF and "…" in text and value[:_SHORTEST_FOUND] in text:
                for length in range(min(len(value), _SHORT), _SHORTEST_FOUND - 1, -1):
                    text = text.replace(value[:length] + "…", REDACTED + "…")
        return text

    def secrets_in(self, text: str) -> list[str]:
        """Return the secrets in a text, the longest first, as bash would hand them over and as they are written."""
        if not (secrets := self._secrets(text)):
            return []
        quotes = _compiled(r"""[\\"']+""")
        values = set[str]()
        for start, end in secrets:
            value = text[start:end].strip()
            values |= {value, quotes.sub("", value), *quotes.split(value)}
        return sorted((value for value in values if len(value) >= _SHORTEST_FOUND), key=len, reverse=True)

    def words(self, words: Sequence[str], program: str = "") -> list[str]:
        """Return the arguments of a program without secrets, found as in the text that would start it."""
        text, places = program, list[tuple[int, int, int]]()
        for word in words:
            start, cut = len(text) + 1, _compiled(_LEAD).match(word).end()  # type: ignore[union-attr]  # it also matches nothing
            quote = "" if _compiled(_BARE).fullmatch(word) else "'"
            text += f" {word[:cut]}{quote}" + (word[cut:].replace("'", '"') if quote else word[cut:]) + quote
            places.append((start, start + cut if quote else len(text) + 1, len(text)))
        spans = deque(self._spans(text))
        shown = []
        for word, (start, quoted, end) in zip(words, places, strict=True):
            within = []
            while spans and spans[0][0] < end:
                first, behind = (min(max(at - start - (at > quoted), 0), len(word)) for at in spans[0])
                if first < behind:
                    within.append((first, behind))
                if spans[0][1] > end:  # the next word is secret, too
                    break
                spans.popleft()
            shown.append(_without(word, within))
        return shown

    def _secrets(self, text: str) -> Sequence[tuple[int, int]]:
        """Return `_spans` of a text; of a short one it is remembered."""
        return self._known(text) if len(text) <= _SHORT else self._spans(text)

    def _spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return where the secrets are: their first characters and the ones behind their last, in order and apart."""
        spans = []
        for value in self._values:
            start = text.find(value)
            while start >= 0:
                spans.append((start, start + len(value)))
                start = text.find(value, start + len(value))
        text = text.replace("\\\n", "  ")  # bash joins such lines; every character keeps its place
        spans += _secrets_by_shape(text)
        spans += _secrets_by_program(text)
        spans += _random_secrets(text)
        return tuple(_merge_spans(spans))


def _secrets_by_shape(text: str) -> Iterator[tuple[int, int]]:
    """Yield the secrets that a name or their own form marks."""
    small = text.lower()
    for hints, shape in shapes():
        if any(hint in small for hint in hints):
            yield from ((match.end(1), match.end()) for match in _compiled(shape).finditer(text))
    if _compiled(r"[\w=.+/~-]{19}").search(text):
        for prefix, body in tokens():
            if prefix in text:
                yield from (match.span() for match in _compiled(rf"(?<![\w-]){escape(prefix)}{body}").finditer(text))


def _secrets_by_program(text: str) -> Iterator[tuple[int, int]]:
    """Yield the secrets that stand where a program takes one, among its words or on its input."""
    before = 0, 0
    for region in _compiled(r"(?:[^\n;|&]++|[;|&](?![\s;|&]))+").finditer(text):
        start, end = region.span()
        given = "<<" in region[0] or text[before[1] : start].strip() == "|"
        forms = dict.fromkeys(forms_of("*"), start)
        for name in _compiled(r"[\w.-]++").finditer(text, start, end):
            for form in forms_of(name[0]):
                forms.setdefault(form, name.end())
        for form, behind in forms.items():
            if not (given if form[-1] == "<" else all(mark in region[0] for mark in required_marks(form))):
                continue
            pattern, first = place(form)
            if form[-1] == "<":
                if pattern.search(text, behind, end):
                    yield from _input_secrets(text, start, end, before)
            elif first:
                if match := pattern.match(text, behind, end):
                    yield match.end(1), match.end()
            else:
                yield from ((match.end(1), match.end()) for match in pattern.finditer(text, behind, end))
        before = start, end


def _input_secrets(text: str, start: int, end: int, before: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """What a command is given on its input: by the `echo` before its pipe, by a here-string, by a here-document."""
    if text[before[1] : start].strip() == "|":
        for match in _compiled(rf"({_ECHO})(?!{NAMED}\s*+\Z){_ECHOED}").finditer(text, *before):
            yield match.end(1), match.end()
    for match in _compiled(rf"(<<<\s*+){PLAIN}").finditer(text, start, end):
        yield match.end(1), match.end()
    here = _compiled(rf"({_HERE}){_BODY}")
    for match in _compiled(r"<<-?(?=\s*+[\"']?\w)").finditer(text, start, end):
        if body := here.match(text, match.start()):
            yield body.end(1), body.end()


def _random_secrets(text: str) -> Iterator[tuple[int, int]]:
    """What was drawn at random, unless it is known to be public: a digest, a public key, a certificate, a text."""
    public: list[tuple[int, int]] | None = None
    for match in _compiled(r"[A-Za-z0-9]{16,}+").finditer(text):
        if not is_drawn(match[0]):
            continue
        start = match.start()
        whole = _compiled(r"[\w+/~-]*+=*+").match(text, start)
        lead = text[max(start - 80, 0) : start]
        if public is None:
            public = [each.span() for each in _compiled(_PUBLIC).finditer(text)]
        if _compiled(_DIGEST).search(lead) or any(first <= start < last for first, last in public):
            continue
        if not _is_text(text[start - len(_tail(lead)) : whole.end()]):  # type: ignore[union-attr]  # it also matches nothing
            yield start, _compiled(r"[\w+~-]*+=*+").match(text, start).end()  # type: ignore[union-attr]
    for match in _compiled(r"(?<![\w+/=.-])(?=[\w+]*+/)[A-Za-z0-9+/]{40}(?![\w+/=])").finditer(text):  # a key of AWS
        if is_drawn(match[0].replace("/", "").replace("+", "")):
            yield match.span()


_PUBLIC = (
    r"-----BEGIN (?![A-Z ]*PRIVATE)[A-Z ]{1,40}-----[^-]*+|\bAAAA[BC][\w+/]++|;base64,[\w+/=]++|\b_Z\w++|\b0[xX]\w++"
)
_DIGEST = r"(?:\b(?i:sha\d{1,3}|md5|h1|integrity|digest)[-:=][\w+/=-]*+|\bcksum=\S*+)\Z"


def _tail(lead: str) -> str:
    """Return the end of what stands before a run that belongs to the same word of base 64."""
    return _compiled(r"[A-Za-z0-9+/]*\Z").search(lead)[0]  # type: ignore[index]  # it also matches nothing


def _is_text(word: str) -> bool:
    """Whether a word is readable text in base 64, and none of a user and a password."""
    from binascii import Error, a2b_base64

    try:
        said = a2b_base64(word.rstrip("=") + "=" * (-len(word.rstrip("=")) % 4)).decode("ascii")
    except (Error, ValueError):
        return False
    return said.replace("\n", "").isprintable() and not _compiled(r"[^\s:]+:[^\s:]+").fullmatch(said)


def _merge_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        elif start < end:
            joined.append((start, end))
    return joined


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text with its spans replaced."""
    pieces, at = list[str](), 0
    for start, end in spans:
        pieces += text[at:start], REDACTED
        at = end
    return "".join(pieces) + text[at:]


_compiled = cache(pattern)
