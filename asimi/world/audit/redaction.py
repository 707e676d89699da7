"""Secrets are removed from text before it is logged or hashed: a log that is chained by hashes cannot be cleaned later.

Rather too much than too little. It cannot find a secret of no known shape in a position that no name marks.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from asimi.core.environment import SECRETS
from asimi.core.lean import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REDACTED = "<redacted>"

_VALUE = r"""(?:\\["'][^"'\\]*+(?:\\["'])?|"(?:[^"\\]++|\\.)*"?|'[^']*+'?|\\.|[^\s'";&|\\]++)+"""
_MARK = (
    r"(?:pass(?:word|wd|phrase|code)?(?![a-z])|pwd|secret|token|credential|auth(?!or)|"
    r"(?:api|access|account|license|private|secret|signing|encryption)[-_]?key|[a-z0-9]_key(?![a-z]))"
)

# Every pattern takes linear time, because an agent chooses the text. So names and values are matched possessively,
# and everything that is searched for further on has a bound.


class Shape(NamedTuple):
    """What secrets of one kind look like.

    Attributes:
        hints: strings in lower case, one of which every such secret has; finding them costs less than the pattern.
        pattern: the secret, with what must stay before it as group 1.
    """

    hints: tuple[str, ...]
    pattern: str


SHAPES = (
    # the value of an option: --password x, --api-key=x, -token x
    Shape(("-",), rf"(?i)((?<![\w-])--?(?=[\w-]{{0,64}}?{_MARK})[\w-]++(?:\s*+=\s*+|(?:\s|\\\n)+))(?!-){_VALUE}"),
    # a name with a value: API_TOKEN=x, "password": "x", db_password: x
    Shape(
        ("=", ":"),
        rf"(?i)((?<![\w-])(?=[\w-]{{0,64}}?{_MARK})[\w-]++(?:\\?[\"'])?\s*+(?:\+?=|:(?!//))\s*+){_VALUE}",
    ),
    # a URL with a password, or with a token instead of a user
    Shape(("://",), r"(://[^\s/:@'\"]{0,256}+:)[^\s/@'\"]++(?=@)"),
    Shape(("://",), r"(://)[^\s/:@'\"]{16,}+(?=@)"),
    Shape(
        ("authorization", "cookie", "-key", "-token"),
        r"(?i)((?:authorization|cookie|x-[a-z-]{0,40}(?:key|token))\s*+:\s*+)[^'\"\n]++",
    ),
    Shape(("bearer", "basic"), r"(?i)(\b(?:bearer|basic)\s++)[\w.~+/=-]{8,}+"),
    Shape(
        ("-u", "--user", "--proxy-user"),
        rf"((?:^|\s)(?:-u|--user|--proxy-user)\s*+=?\s*+[\"']?[^\s:'\"]++:){_VALUE}",
    ),
    Shape(("mysql", "mariadb"), rf"(\b(?:mysql|mariadb)[^\n;|&]{{0,2000}}?\s-p){_VALUE}"),
    Shape(("sshpass",), rf"(\bsshpass\b[^\n;|&]{{0,200}}?\s-p\s*+){_VALUE}"),
    # options without such a name, by program
    Shape(
        ("login",),
        rf"(\b(?:docker|podman|az|helm)\b[^\n;|&]{{0,30}}?\slogin\b[^\n;|&]{{0,120}}?\s-p\s++){_VALUE}",
    ),
    Shape(("mongo",), rf"(\bmongo(?:sh)?\b[^\n;|&]{{0,200}}?\s-p\s++){_VALUE}"),
    Shape(("redis-cli",), rf"(\bredis-cli\b[^\n;|&]{{0,200}}?\s-a\s*+){_VALUE}"),
    Shape(("zip",), rf"(\b(?:un)?zip\b[^\n;|&]{{0,200}}?\s-P\s*+){_VALUE}"),
    Shape(("hooks.slack.com/",), r"(hooks\.slack\.com/services/)[\w/]++"),
    # a signature or a key in the query of a URL
    Shape(("sig=", "signature=", "key="), r"(?i)([?&](?:sig|signature|key)=)[^\s&'\"]++"),
    Shape(("private key",), r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(?:(?=-----END)|\Z)"),
    Shape(("akia", "asia"), r"(\b)(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    Shape(("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"(\b)gh[pousr]_\w{20,}+"),
    Shape(("github_pat_",), r"(\b)github_pat_\w{20,}+"),
    Shape(("glpat-",), r"(\b)glpat-[\w-]{16,}+"),
    Shape(("sk-",), r"((?<![\w-]))sk-[\w-]{16,}+"),
    Shape(("sk_", "rk_"), r"(\b)[sr]k_(?:live|test)_\w{16,}+"),
    Shape(("xox",), r"((?<![\w-]))xox[a-z]-[\w-]{10,}+"),
    Shape(("aiza",), r"(\b)AIza[\w-]{30,}+"),
    Shape(("ya29.",), r"(\b)ya29\.[\w-]{20,}+"),
    Shape(("npm_",), r"(\b)npm_\w{30,}+"),
    Shape(("pypi-",), r"((?<![\w-]))pypi-[\w-]{16,}+"),
    Shape(("hf_",), r"(\b)hf_\w{20,}+"),
    Shape(("sg.",), r"(\b)SG\.[\w-]{16,}+\.[\w-]{16,}+"),
    Shape(("eyj",), r"((?<![\w-]))eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?"),
)  # fmt: skip

_MARKS = ("_AUTH", "AUTH_", *{name.strip("*") for name in SECRETS} - {"AUTH"})
_SHORT = 256  # a longer text is not kept in memory
_SHORTEST = 8  # a shorter value would be found in unrelated text


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
        self._known = lru_cache(maxsize=512)(self._redacted)  # reasons and rules are the same again and again

    def text(self, text: str) -> str:
        """A text without the secrets found in it."""
        return self._known(text) if len(text) <= _SHORT else self._redacted(text)

    def _redacted(self, text: str) -> str:
        for value in self._values:
            if value in text:
                text = text.replace(value, REDACTED)
        small = text.lower()
        for hints, pattern in SHAPES:
            for hint in hints:
                if hint in small:
                    text = _compiled(pattern).sub(rf"\1{REDACTED}", text)
                    break
        return text

    def words(self, words: Sequence[str], program: str = "") -> list[str]:
        """The arguments of a program without secrets: an option's value may be the next word."""
        shown: list[str] = []
        before = ""
        for word in words:
            name, equals, _ = word.partition("=")
            if (before and self._hides(before + " ")) or self._by_place(f"{program} {before}".strip(), word):
                shown.append(REDACTED)
            elif equals and self._hides(name + equals):
                shown.append(name + equals + REDACTED)
            else:
                shown.append(self.text(word))
            before = word if word.startswith("-") and not equals else ""
        return shown

    def _by_place(self, before: str, word: str) -> bool:
        """Whether a word is a secret only because of its program and the option before it."""
        return bool(before) and self.text(f"{before} {word}") != f"{self.text(before)} {self.text(word)}"

    def _hides(self, name: str) -> bool:
        """Whether anything that follows this name or option is a secret."""
        return self.text(name + "value") != name + "value"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
