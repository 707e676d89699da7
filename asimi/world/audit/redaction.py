"""Secrets are removed from text before it is logged or hashed: a log that is chained by hashes cannot be cleaned later.

Rather too much than too little. It cannot find a secret of no known shape in a position that no name marks. A name is
no secret: `$TOKEN` and `$(gh auth token)` stay, and so do the names of files with secrets in them.

The prefixes and lengths of tokens are those of the rules that gitleaks publishes (config/gitleaks.toml) and of the
issuers' manuals; the places of secrets in arguments are those of the programs' own manuals.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache, lru_cache

from asimi.core.environment import SECRETS
from asimi.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

REDACTED = "<redacted>"

_VALUE = r"""(?:\$\([^()]*+\)?|\\["'][^"'\\]*+(?:\\["'])?|"(?:[^"\\]++|\\.)*"?|'[^']+'?|\\.|[^\s'";&|\\$]++|\$)+"""
_NAMED = (
    r"""(?:\\?"?\$(?:\w++|\{\w++\}|\((?!\s*+(?:echo|printf)\b)[^()]*+\))\\?"?(?=[\s;&|)}\],@"'\\]|\Z)"""
    r"|(?:true|false|null|none|yes|no)(?![\w-]))"
)
_PLAIN = rf"(?!{_NAMED}){_VALUE}"  # a value that is written there
_MARK = (
    r"(?:pass(?:word|wd|phrase|code)?(?![a-z])|(?<!old)pwd(?!=[/.])|(?<![a-z])pw(?![a-z])|secret|"
    r"(?<!max[-_])token(?!iz)|credential|auth(?!or|enticat)|"
    r"(?:api|access|account|license|private|secret|encryption)[-_]?key|"
    r"[a-z0-9](?<!primary)(?<!foreign)(?<!public)_key(?![a-z]))"
)
_NO_VALUE = r"(?![\w-]{0,64}?[-_](?:file|path|dir|stdin|sock|prompt|env|type|ttl|length|name|host|port)(?![\w-]))"
_GAP = r"[^\n;|&]{0,300}?(?:[;|&](?![\s;|&])[^\n;|&]{0,300}?){0,3}?"  # further on in the same command
_ECHOED = r"""(?:(?:"(?:[^"\\]++|\\.)*"|'[^']*+'|\\.|[^\s'";&|\\<>$]++|\$)+[ \t]*+){1,40}+"""
_TAKES = (  # what reads a secret from its standard input
    r"(?:--[\w-]{0,30}(?:password|token|secret|key)-stdin|--with-token|\bsmbpasswd\b|\bchpasswd\b|\bpasswd\s++--stdin|"
    r"\bsudo\s++(?:-\w++\s++){0,4}?-[a-zA-Z]{0,9}S|--passphrase-fd|-pass(?:in|out)?\s++stdin|\bvault\s++login\s++-|\bcryptsetup\b|"
    r"\bcreate\s++secret\b|\bsecrets?\s++(?:set|put|create|add|versions)\b|\bhtpasswd\s++-\w*i)"
)
_KEPT_IN = (  # what a file is called that holds a secret and nothing else
    r"""[^\s;|&]{0,200}?(?:token|passw(?:or)?d|secret|credentials|netrc|pgpass|[._]key)(?:\.txt)?["']?(?=[\s;&|]|\Z)"""
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


def _after(programs: str, place: str, hints: tuple[str, ...] = (), value: str = _PLAIN) -> Shape:
    """The value at a place among the arguments of programs, which are an alternation of names."""
    return Shape(hints or tuple(programs.split("|")), rf"(\b(?:{programs})\b{_GAP}{place}){value}")


SHAPES = (
    # the value of an option: --password x, --api-key=x, -token x
    Shape(
        ("-",),
        rf"(?i)((?<![\w-])--?(?=[\w-]{{0,64}}?(?:{_MARK}|(?<=-)pin(?![\w-]))){_NO_VALUE}[\w-]++"
        rf"(?:\s*+=\s*+|\s++))(?![-<>|]){_PLAIN}",
    ),
    # a name with a value: API_TOKEN=x, "password": "x", db_password: x; and 'password=x y' as one word
    Shape(
        ("=", ":"),
        rf"(?i)((?<![\w-])(?!(?<=\$)\w++\"?:)(?=[\w-]{{0,64}}?{_MARK}){_NO_VALUE}"
        rf"(?:[\w-]++\\?[\"']|(?<![\"'])[\w-]++)\s*+(?:\+?=|:(?!//))\s*+)"
        rf"(?!\\?[\"']?(?:bearer|basic|token)\s++{_NAMED}){_PLAIN}",
    ),
    Shape(
        ("=", ":"),
        rf"(?i)((?<=[\"'])(?=[\w-]{{0,64}}?{_MARK}){_NO_VALUE}[\w-]++\s*+(?:\+?=|:(?!//))\s*+)"
        rf"(?!{_NAMED}|(?:bearer|basic|token)\s++{_NAMED})(?:[^'\"\\]++|{_VALUE})",
    ),
    # a name and a value in a program's configuration
    Shape(
        ("config",),
        rf"(?i)(\bconfig(?:ure)?\s++(?:(?:set|add|-[\w-]*+)\s++){{0,4}}+(?!\S{{0,128}}?(?:-|\.signing))"
        rf"(?=\S{{0,128}}?{_MARK})[^\s=]++\s++)(?!-){_PLAIN}",
    ),
    Shape(("http-basic.",), rf"(http-basic\.\S++\s++\S++\s++){_PLAIN}"),
    # what is written to a program that reads a secret, or to a file that holds one
    Shape(
        ("echo", "printf"),
        rf"(\b(?:echo|printf)\s++(?:-\w++\s++)*)(?!{_NAMED}\s*+[|>]){_ECHOED}"
        rf"(?=\|{_GAP}{_TAKES}|>>?\s*+{_KEPT_IN})",
    ),
    Shape(("<<<",), rf"({_TAKES}{_GAP}<<<\s*+){_PLAIN}"),
    Shape(
        ("<<",),
        rf"({_TAKES}[^\n<]{{0,200}}<<-?\s*+[\"']?(\w++)[\"']?[^\n]{{0,200}}\n)[\s\S]{{1,4000}}?(?=\n\s*+\2\b)",
    ),
    Shape(("machine", "default"), rf"((?:\b|\\n)login(?:\s|\\n)+[^\s\\]++(?:\s|\\n)+password(?:\s|\\n)+){_PLAIN}"),
    Shape((".pgpass",), r"((?<![\w.*-])[\w.*-]++:(?:\d++|\*):[^\s:]*+:[^\s:]*+:)[^\s'\"\\]++"),
    Shape(("identified", "password"), rf"(?i)(\bidentified\s++by\s++|\bpassword\s++(?=')){_PLAIN}"),
    # a URL with a password, or with a token instead of a user
    Shape(("://",), rf"(://[^\s/:@'\"]{{0,256}}+:)(?!{_NAMED})[^\s/@'\"]++(?=@)"),
    Shape(("://",), rf"(://)(?!{_NAMED})[^\s/:@'\"]{{16,}}+(?=@)"),
    Shape(
        ("authorization", "cookie", "-key", "-token"),
        r"(?i)((?:authorization|cookie|x-[a-z-]{0,40}(?:key|token))(?:\\?[\"'])?\s*+:\s*+(?:\\?[\"'])?)"
        rf"(?!(?:(?:bearer|basic|token)\s++)?{_NAMED})[^'\"\n]++",
    ),
    Shape(("bearer", "basic"), r"(?i)(\b(?:bearer|basic)\s++)(?=[\w.~+/-]{0,64}?[\d=])[\w.~+/=-]{8,}+"),
    # a user and a password as one argument
    Shape(
        ("-u", "--proxy-user"),
        rf"((?:^|\s)(?:-[uU]|--user|--proxy-user)\s*+=?\s*+(?!\+%)[^\s:'\"]++:)(?!(?<=\d:)\d++(?!\S)){_PLAIN}",
    ),
    Shape(
        ("-u", "--proxy-user"),
        rf"((?:^|\s)(?:-[uU]|--user|--proxy-user)\s*+=?\s*+[\"'](?!\+%)[^\s:'\"]++:)(?!{_NAMED})[^'\"]++",
    ),
    Shape((" -u", " --user"), rf"(\s(?:-U|--user)[\s=]*+[\"']?[^\s%'\"]++%){_PLAIN}"),
    Shape((" -a",), rf"((?<![\w./:-])(?:https?|xh)(?=\s){_GAP}\s-a\s*+[\"']?[^\s:'\"]++:){_PLAIN}"),
    _after("lftp", r"\s-u\s*+[^\s,]++,"),
    _after("curl", r"\s(?:-b|--cookie)[\s=]*+(?=[^\s=]{1,256}=)"),
    # options without such a name, by program
    _after("mysql|mariadb|mysqldump|mysqladmin|7z|7za|7zr|rar", r"\s-h?p", ("mysql", "mariadb", "7z", "rar")),
    Shape(
        ("login",),
        rf"(\b(?:docker|podman|nerdctl|buildah|az|helm|oras|crane|oc)\s++"
        rf"(?:\S++\s++){{0,3}}?login\b{_GAP}\s-p[\s=]*+){_PLAIN}",
    ),
    _after("sshpass|mongo|mongosh|twine|useradd|usermod|kinit|snowsql", r"\s-p\s*+"),
    _after("redis-cli", r"\s-a\s*+"),
    _after("zip|unzip|zipcloak|sqlcmd|bcp|isql|ipmitool", r"\s-P\s*+", ("zip", "sqlcmd", "bcp", "isql", "ipmitool")),
    _after(r"ldap[a-z]++|security", r"\s-w\s*+", ("ldap", "security")),
    _after(r"snmp[a-z]++", r"\s-[AX]\s*+", ("snmp",)),
    _after("openssl", r"\s-[kK]\s++"),
    _after("plink|pscp|psftp", r"\s-pw\s++"),
    _after("xfreerdp|xfreerdp3|wfreerdp", r"\s/p:", ("freerdp",)),
    _after("put-parameter|secret", r"\s--value[\s=]++", ("--value",)),
    _after("secret", r"\s(?:-b|--body)[\s=]++", ("secret set",)),
    _after("gcloud", r"\s--key-file[\s=]++", ("--key-file",)),
    _after("nmcli", r"\spassword\s++"),
    _after("rabbitmqctl", r"\s(?:add_user|change_password)\s++\S++\s++"),
    Shape(("_pw",), rf"(\b(?:user|owner|input)_pw\s++){_PLAIN}"),
    Shape(("from-literal",), rf"(--from-literal[=\s]++[\w.-]++=){_PLAIN}"),
    Shape(("from-literal",), rf"(--from-literal[=\s]++[\"'][\w.-]++=)(?!{_NAMED})[^'\"]++"),
    # arguments without an option, by program
    Shape(("vault",), rf"(\bvault\s++login\s++(?:-[\w=-]++\s++)*)(?!-|[\w-]++=){_PLAIN}"),
    Shape(
        ("vault",),
        rf"(\bvault\s++(?:kv\s++(?:put|patch)|write)\s++(?:-[\w=-]++\s++)*\S++\s++)(?:{_VALUE}[ \t]*+){{1,40}}+",
    ),
    Shape(("htpasswd",), rf"(\bhtpasswd\s++-(?=\w{{0,9}}n)(?=\w{{0,9}}b)\w++\s++\S++\s++){_PLAIN}"),
    Shape(("htpasswd",), rf"(\bhtpasswd\s++-(?!\w{{0,9}}n)(?=\w{{0,9}}b)\w++\s++\S++\s++\S++\s++){_PLAIN}"),
    Shape(("wpa_passphrase",), rf"(\bwpa_passphrase\s++\S++\s++){_PLAIN}"),
    Shape(("user-secrets",), rf"(\buser-secrets\s++set\s++\S++\s++){_PLAIN}"),
    Shape(("alias set",), rf"(\bmc\s++alias\s++set\s++\S++\s++\S++\s++\S++\s++){_PLAIN}"),
    Shape(("obscure",), rf"(\brclone\s++obscure\s++){_PLAIN}"),
    # addresses that are secrets themselves, and signatures and keys in the query of a URL
    Shape(("hooks.slack.com/",), r"(hooks\.slack\.com/(?:services|workflows|triggers)/)[\w/]++"),
    Shape(("/api/webhooks/",), r"(discord(?:app)?\.com/api/webhooks/\d++/)[\w-]++"),
    Shape((".office.com/webhookb2/",), r"(\.office\.com/webhookb2/)[\w@/-]++"),
    Shape(("sig=", "signature=", "key="), r"(?i)([?&](?:sig|(?:x-[a-z]{1,8}-)?signature|key)=)[^\s&'\"]++"),
    # tokens that a prefix alone does not tell
    Shape(("private key",), r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)[\s\S]*?(?:(?=-----END)|\Z)"),
    Shape(("akia", "asia", "abia", "acca"), r"(\b)(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    Shape((":aa",), r"((?<!\d)\d{6,12}:)AA[\w-]{30,}+"),
    Shape(("xox",), r"((?<![\w-]))xox[a-z](?:\.xox[a-z])?-[\w-]{10,}+"),
    Shape(("q~",), r"((?<![\w~.-]))[\w~.]{3}\dQ~[\w~.-]{31,}+"),
    Shape(("atlasv1",), r"((?<!\w))\w{14}\.atlasv1\.[\w=-]{60,}+"),
    Shape(("eyj",), r"((?<![\w-]))eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?"),
)  # fmt: skip

TOKENS = {
    r"[A-Za-z0-9]{20,}+": (
        "ghp_ gho_ ghu_ ghs_ ghr_ npm_ hf_ api_org_ lin_api_ glsa_ rdme_ rubygems_ pnu_ ntn_ LTAI AKCp CLOJARS_"
    ),
    r"[0-9A-Fa-f]{32,}+": (
        "dapi dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ sntryu_ sgp_ SK shippo_live_ shippo_test_ pul-"
    ),
    r"[\w-]{16,}+": (
        "github_pat_ glpat- gldt- glrt- glft- glcbt- glptt- gloas- glsoat- glimt- glffct- glagent- sk- sk_live_ "
        "sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pypi- xapp- gsk_ xai- pplx- r8_ PMAK- "
        "AGE-SECRET-KEY-1 HRKU-AA EZAK EZTK sha256~ xkeysib- whsec_ fo1_ sq0atp- sq0csp- tskey- dckr_pat_ "
        "sbp_ figd_ nfp_"
    ),
    r"[\w-]{30,}+": "AIza",
    r"[\w=.+/-]{32,}+": "pscale_tkn_ pscale_oauth_ pscale_pw_ glc_ sntrys_ ABSK ops_eyJ fm1r_ fm2_ bedrock-api-key-",
    r"[\w.-]{16,}+": "SG. hvs. hvb. ya29. dp.pt. dt0c01.",
}
"""What follows the prefixes of tokens, as a pattern, and the prefixes."""

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
        self._known = lru_cache(maxsize=512)(self._redacted)  # reasons and rules are the same again and again

    def text(self, text: str, found: Sequence[str] = ()) -> str:
        """A text without the secrets in it.

        Args:
            text: what may hold secrets.
            found: secrets that were found in another text of the same record, which may be cut off here by `…`.
        """
        text = self._known(text) if len(text) <= _SHORT else self._redacted(text)
        for number, value in enumerate(found):
            text = text.replace(value, REDACTED)
            if number < _CUT_OFF and "…" in text and value[:_SHORTEST_FOUND] in text:
                for length in range(min(len(value), _SHORT), _SHORTEST_FOUND - 1, -1):
                    text = text.replace(value[:length] + "…", REDACTED + "…")
        return text

    def found(self, text: str) -> list[str]:
        """The secrets in a text, the longest first, as bash would hand them over and as they are written."""
        quotes = _compiled(r"""[\\"']+""")
        values = set[str]()
        for start, end in self._spans(text):
            value = text[start:end].strip()
            values |= {value, quotes.sub("", value), *quotes.split(value)}
        return sorted((value for value in values if len(value) >= _SHORTEST_FOUND), key=len, reverse=True)

    def words(self, words: Sequence[str], program: str = "") -> list[str]:
        """The arguments of a program without secrets, found as in the text that would start it."""
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

    def _redacted(self, text: str) -> str:
        return _without(text, self._spans(text))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where the secrets are: their first characters and the ones behind their last, in order and apart."""
        spans = []
        for value in self._values:
            start = text.find(value)
            while start >= 0:
                spans.append((start, start + len(value)))
                start = text.find(value, start + len(value))
        text = text.replace("\\\n", "  ")  # bash joins such lines; every character keeps its place
        small = text.lower()
        for hints, pattern in SHAPES:
            for hint in hints:
                if hint in small:
                    spans += [(match.end(1), match.end()) for match in _compiled(pattern).finditer(text)]
                    break
        for body, prefixes in TOKENS.items() if _compiled(r"[\w=.+/~-]{19}").search(text) else ():
            for prefix in prefixes.split():
                if prefix in text:
                    pattern = rf"(?<![\w-]){re.escape(prefix)}{body}"
                    spans += [match.span() for match in _compiled(pattern).finditer(text)]
        return _joined(spans)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        elif start < end:
            joined.append((start, end))
    return joined


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with its spans replaced."""
    pieces, at = list[str](), 0
    for start, end in spans:
        pieces += text[at:start], REDACTED
        at = end
    return "".join(pieces) + text[at:]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
