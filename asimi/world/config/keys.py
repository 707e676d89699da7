"""Every key of the configuration: its kind, default, bounds, what a project's file may do to it, one line of comment.

`keys.txt` is the only place that knows them. What reads a file checks against it, and `config.example.toml`,
`asimi config show` and the JSON Schema are derived from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Limits, Sandbox, Undo
from asimi.core.errors import AsimiError
from asimi.core.facts import facts_of, table_of, words_of
from asimi.core.judging.rules import EntryError, read_entry
from asimi.core.pattern import pattern
from asimi.core.programs.variables import EXPANDED, REBINDING
from asimi.core.settings import (
    AuditSettings,
    BoxSettings,
    Environment,
    Host,
    NetworkSettings,
    SessionSettings,
    Signer,
    State,
    Team,
    Telemetry,
)
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
    from urllib.parse import SplitResult

INFINITE = float("inf")

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Hosts that are this machine itself, to which nothing goes over a network."""

MOST = 1e18
"""Seconds or bytes that every number must be below, because TOML allows numbers that no clock counts to."""


class Key(NamedTuple):
    """One key.

    Attributes:
        name: its name, after the table's name and a dot if it is in a table.
        kind: what its value is, a name of `KINDS`.
        default: the value if no file sets one, as it is read, not as it is written.
        comment: one line for the person.
        stricter: how two values are compared: `less` (fewer seconds, fewer bytes), `first` (the earlier of `choices`,
            which are false and true for booleans), `all` (both count), or empty if neither is stricter.
        project: what a project's file may do to it: `never` (nothing), `stricter` (only make it stricter), `trusted`
            (also loosen it once the file is trusted); `managed` is for the administrator's file alone.
        choices: the values it can have, the strictest first.
        least: the smallest number.
        most: the greatest number, if it must be finite.
        example: what it may look like, of a key that is not set by default and means something else when it is empty.
    """

    name: str
    kind: str
    default: Any
    comment: str
    stricter: str
    project: str
    choices: tuple[Any, ...] = ()
    least: float = 0
    most: float = INFINITE
    example: str = ""


_HOST, _LONGEST_WAIT = Host("", ()), 86400.0

DEFAULTS: dict[str, Any] = {
    f"{head}{name}": value
    for head, fields in (
        ("limits.", Limits()._asdict()),
        ("limits.state_", State()._asdict()),
        ("environment.", Environment()._asdict()),
        ("sandbox.", Sandbox()._asdict()),
        ("box.", BoxSettings()._asdict()),
        ("network.", NetworkSettings()._asdict()),
        ("session.", SessionSettings()._asdict()),
        ("audit.", AuditSettings()._asdict()),
        ("undo.", {name.replace("without", "except"): value for name, value in Undo()._asdict().items()}),
        ("hook.", {"resident": True}),
        ("team.", Team()._asdict()),
        ("telemetry.", Telemetry()._asdict()),
    )
    for name, value in fields.items()
}
"""The defaults of the keys that are fields of the settings."""


def keys_in(lines: list[str]) -> tuple[Key, ...]:
    """Return the keys of a table such as that of `keys.txt`.

    Raises:
        ValueError: a row lacks a column, or a number is none.
        TypeError: a row says what no key has.
    """
    keys = list[Key]()
    for row, comment in zip(lines[::2], lines[1::2], strict=True):
        before, _, example = row.partition("example=")
        name, kind, stricter, project, *more = before.split()
        said: dict[str, Any] = {"default": DEFAULTS.get(name, ())}
        for word in more:
            field, given, value = word.partition("=")
            if given:
                said[field] = value if field == "default" else float(value) if "e" in value else int(value)
            else:
                said["choices"] = tuple({"yes": True, "no": False}.get(each, each) for each in word.split("|"))
        stricter = stricter.replace("-", "")
        keys.append(Key(name, kind, comment=comment, stricter=stricter, project=project, example=example, **said))
    return tuple(keys)


FACTS = facts_of(__package__, "keys")
"""What `keys.txt` says."""

PUBLIC_KEYS = words_of(FACTS["public"])
"""The types of keys that sign; those that begin with `sk-` need a security key at each signature."""

KEYS = keys_in(FACTS["keys"])
HOST_NAME = "letters, digits, '.', '_' and '-', 64 at most, and begin with a letter or a digit"
"""What the name of a host must be."""

HOST_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_HOST_NAME = pattern(HOST_PATTERN)


def is_host_name(text: str) -> bool:
    """Return whether a host may have this name; so a name is never a path, and always a word of plain letters."""
    return _HOST_NAME.fullmatch(text) is not None


BY_NAME = {key.name: key for key in KEYS}
TABLES = tuple(dict.fromkeys(key.name.partition(".")[0] for key in KEYS if "." in key.name))

HOST_KEYS = table_of(FACTS["host"])
"""The keys of one `[hosts.NAME]` table."""

RULE_KEYS = table_of(FACTS["rule"])
"""The keys of one `[[rules]]` table."""

UNITS = {
    "seconds": {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800},
    "bytes": {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30},
}
"""The units of a number, by its kind, and what each is worth."""


class Unusable(ValueError):
    """A value that cannot be used; `str()` says what it must be.

    Attributes:
        path: where in the value the fault is: indices and keys.
    """

    def __init__(self, message: str, *path: str | int) -> None:
        self.path = path
        super().__init__(message)


def amount(value: object, kind: str) -> float:
    """Return a number of seconds or bytes, from a number or from a string such as `8h` or `64MiB`.

    Raises:
        Unusable: it is neither.
    """
    units = UNITS[kind]
    if isinstance(value, str):
        digits = value.rstrip("".join(units))
        unit = value[len(digits) :]
        if digits.isascii() and digits.replace(".", "", 1).isdecimal() and unit in units:
            return min(float(digits) * units[unit], MOST)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < MOST:
        return value
    raise Unusable(
        'must be a time, such as 90, "90s", "10m", "8h" or "30d"'
        if kind == "seconds"
        else 'must be a size, such as 1048576, "1MiB" or "2GiB"'
    )


def is_token(text: str) -> bool:
    """Return whether a text can be the name of a machine, a user or an approver wherever a team writes it."""
    return 0 < len(text) <= 63 and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()


def duration(text: str) -> float:
    """Return the seconds that `90s`, `10m`, `2h` or `30d` mean.

    Raises:
        AsimiError: it is not a time.
    """
    try:
        return amount(text, "seconds")
    except Unusable:
        raise AsimiError(f"{text!r} is not a time, such as 90s, 10m, 8h or 30d") from None


def with_unit(value: float | None, kind: str) -> str | int | float:
    """Return a number of seconds or bytes as a person writes it, in its largest whole unit; no limit is 0."""
    for unit, size in reversed(UNITS[kind].items()):
        if value and value % size == 0 and size > 1:
            return f"{int(value // size)}{unit}"
    return 0 if not value else int(value) if value == int(value) else value


def _limit(value: object, key: Key) -> float | None:
    number = amount(value, key.kind)
    if key.default is None and number == 0:
        return None
    if number < key.least:
        raise Unusable(f"must be at least {with_unit(key.least, key.kind)}")
    if number > key.most:
        raise Unusable(f"must be at most {with_unit(key.most, key.kind)}")
    return int(number) if key.kind == "bytes" else float(number)  # as it is read again from a question's file


def _count(value: object, key: Key) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= key.most:
        raise Unusable(f"must be a whole number from 0 to {key.most}")
    return value or None


def _choice(value: object, key: Key) -> object:
    if not isinstance(value, str) or value not in key.choices:
        raise Unusable("must be " + " or ".join(f'"{choice}"' for choice in reversed(key.choices)))
    return value


def _flag(value: object, _: Key) -> bool:
    if not isinstance(value, bool):
        raise Unusable("must be true or false")
    return value


def strings(value: object, what: str) -> tuple[str, ...]:
    """Return an array of strings as a tuple.

    Raises:
        Unusable: it is something else.
    """
    if not isinstance(value, list):
        raise Unusable(f"must be an array of {what}: strings in quotation marks, between [ and ]")
    for index, item in enumerate(value):
        if not isinstance(item, str):
            raise Unusable(f"must contain only {what}, each in quotation marks", index)
    return tuple(value)


def _entries(value: object, _: Key) -> tuple[str, ...]:
    entries = strings(value, "entries")
    for index, entry in enumerate(entries):
        try:
            read_entry(entry)
        except EntryError as error:
            raise Unusable(str(error), index) from None
    return entries


def _names(value: object, _: Key) -> tuple[str, ...]:
    names = strings(value, "names of variables")
    for index, name in enumerate(names):
        _check_name(name.removesuffix("*") or "A", name, index)
    return names


def _settable(value: object, key: Key) -> tuple[str, ...]:
    names = _names(value, key)
    for index, name in enumerate(names):
        if name == "*":
            raise Unusable("'*' names every variable; write how the names begin, such as 'RUST_*'", index)
        if name in REBINDING or name in EXPANDED:
            raise Unusable(f"{name} decides what bash runs, so setting it is always a question", index)
    return names


def _paths(value: object, _: Key) -> tuple[str, ...]:
    paths = strings(value, "paths")
    for index, path in enumerate(paths):
        if not path or "\0" in path or (path[0] == "~" and path[1:2] not in {"", "/"}):
            raise Unusable(f"{path!r} is not a path: write one of the project, an absolute one, or ~/NAME", index)
        if path[0] == "$" or "*" in path or "?" in path:
            why = "a variable, which is not looked up" if path[0] == "$" else "a pattern"
            raise Unusable(
                f"{path!r} is {why}: name the file or directory itself, such as src, /srv/x or ~/.ssh", index
            )
    return paths


def _patterns(value: object, _: Key) -> tuple[tuple[str, ...], ...]:
    patterns = strings(value, "patterns of files")
    for index, each in enumerate(patterns):
        text = each.removeprefix("!")
        if not text or "\0" in text or ".." in text.split("/"):
            raise Unusable(f"{each!r} is not a pattern of files, such as 'src/**' or '~/.netrc'", index)
        if text[0] == "~" and text[1:2] not in {"", "/"}:
            raise Unusable(f"{each!r} names another home; use an absolute path", index)
    return (patterns,)


def _variables(value: object, _: Key) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise Unusable('must be a table of names and values, such as { LANG = "C.UTF-8" }')
    for name, text in value.items():
        _check_name(name, name, name)
        if not isinstance(text, str) or "\0" in text:
            raise Unusable(f"the value of {name} must be a string without NUL", name)
    return tuple(value.items())


def _check_name(name: str, shown: str, at: str | int) -> None:
    if not (name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()):
        raise Unusable(f"{shown!r} is not the name of a variable", at)


def _reached(value: object, key: Key) -> tuple[str, ...]:
    from asimi.core.judging.names import GROUPS, name_of

    names, allows = strings(value, "names"), key.name == "network.allow"
    for index, text in enumerate(names):
        if allows and text in GROUPS:
            continue
        try:
            name_of(text, blocks=not allows)
        except AsimiError as error:
            raise Unusable(f"{error}; or one of {', '.join(GROUPS)}" if allows else str(error), index) from None
    return names


def _words(value: object, _: Key) -> tuple[str, ...]:
    words = strings(value, "words")
    if words and not words[0]:
        raise Unusable("must begin with a program", 0)
    return words


def _prefixes(value: object, _: Key) -> tuple[tuple[str, ...], ...]:
    prefixes = []
    for index, text in enumerate(strings(value, "commands")):
        words = tuple(text.split())
        if not words or words[0] == "*" or any(character in text for character in "'\"\\$`;&|<>(){}[]?~#!"):
            raise Unusable(f"{text!r} must be the plain first words of a command, such as 'uv run'", index)
        prefixes.append(words)
    return tuple(prefixes)


def _globs(value: object, _: Key) -> tuple[str, ...]:
    globs = strings(value, "patterns")
    for index, text in enumerate(globs):
        if not text.strip("./") or "\0" in text or text[0] in "/~!" or ".." in text.split("/"):
            raise Unusable(f"{text!r:.80} must be below the project root, such as data/*.db", index)
    return globs


def _folders(value: object, _: Key) -> tuple[str, ...]:
    names = strings(value, "names")
    for index, name in enumerate(names):
        if not name or "/" in name or "\0" in name or name in {".", "..", ".git"} or "*" in name:
            raise Unusable(f"{name!r:.80} must be the name of a directory, such as node_modules", index)
    return names


def _hosts(value: object, _: Key) -> tuple[tuple[str, Host], ...]:
    if not isinstance(value, dict) or not all(isinstance(table, dict) for table in value.values()):
        raise Unusable("must be tables, each under its own [hosts.NAME]")
    return tuple((name, _one_host(name, table)) for name, table in value.items())


def _one_host(name: str, table: dict[str, Any]) -> Host:
    if not is_host_name(name):
        raise Unusable(f"[hosts]: the name of a host must be {HOST_NAME}, not {name!r:.80}")
    for key in table:
        if key not in HOST_KEYS:
            raise Unusable(f"a host has no key {key!r}; its keys are {', '.join(HOST_KEYS)}", name, key)
    if "reach" not in table:
        raise Unusable('a host needs reach: what starts a program there, such as ["ssh", "gpu1"]', name)
    root, trusted = table.get("root", ""), table.get("trusted", False)
    if not isinstance(root, str) or "\0" in root or ("root" in table and not root):
        raise Unusable("must be the path of a directory there", name, "root")
    if not isinstance(trusted, bool):
        raise Unusable("must be true or false", name, "trusted")
    program = table.get("program", ["asimi"])
    return Host(
        name,
        _argv(table["reach"], name, "reach"),
        root,
        _argv([program] if isinstance(program, str) else program, name, "program"),
        trusted,
        _seconds(table, name, "patience", _HOST.patience),
        _seconds(table, name, "answer", _HOST.answer),
    )


def _argv(value: object, *at: str) -> tuple[str, ...]:
    try:
        words = strings(value, "words")
    except Unusable as error:
        raise Unusable(str(error), *at, *error.path) from None
    if not words or not words[0] or any("\0" in word for word in words):
        raise Unusable("must begin with a program, and no word can contain NUL", *at)
    return words


def _seconds(table: dict[str, Any], name: str, key: str, default: float) -> float:
    try:
        seconds = amount(table.get(key, default), "seconds")
    except Unusable as error:
        raise Unusable(str(error), name, key) from None
    if not 1 <= seconds <= _LONGEST_WAIT:
        raise Unusable(f"must be from 1s to {with_unit(_LONGEST_WAIT, 'seconds')}", name, key)
    return seconds


def _url(value: object, _: Key) -> str:
    parts, port = _split(value)
    if value != "" and (parts.scheme not in ("tls", "nats") or not parts.hostname or port is None or parts.path):
        raise Unusable('must be tls://HOST:PORT, such as "tls://nats.example.org:4222"')
    if parts.scheme == "nats" and parts.hostname not in LOOPBACK:
        raise Unusable("goes over a network without TLS; write tls://HOST:PORT")
    return str(value)


def _receiver(value: object, _: Key) -> str:
    parts, _port = _split(value)
    if value != "" and (parts.scheme not in ("https", "http") or not parts.hostname or len(parts.path) < 2):
        raise Unusable('must be https://HOST/PATH, such as "https://otel.example.org/v1/logs"')
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise Unusable("goes over a network without TLS; write https://HOST/PATH")
    return str(value)


def _split(value: object) -> tuple[SplitResult, int | None]:
    """Return the parts of a URL and its port; empty ones of what is none, or holds what no configuration should."""
    from urllib.parse import urlsplit

    text = value if isinstance(value, str) and value.isprintable() and " " not in value else ""
    try:
        parts, port = urlsplit(text), urlsplit(text).port
    except ValueError:
        return urlsplit(""), None
    secretive = parts.username is not None or parts.query or parts.fragment
    return (urlsplit(""), None) if secretive else (parts, port)


def _machine(value: object, _: Key) -> str:
    if not isinstance(value, str) or (value and not is_token(value)):
        raise Unusable("must be a name of at most 63 letters, digits, '-' and '_', such as \"build7\"")
    return value


def _file(value: object, _: Key) -> str:
    if not isinstance(value, str) or (value and (value[0] != "/" or "\0" in value)):
        raise Unusable("must be an absolute path")
    return value


def _signers(value: object, _: Key) -> tuple[Signer, ...]:
    signers = list[Signer]()
    for index, text in enumerate(strings(value, "signers")):
        name, key = text.partition(" ")[::2]
        if not is_token(name):
            raise Unusable(f"{text!r:.80} must be a name and a public key: 'alice ssh-ed25519 AAAA...'", index)
        if name in {each.name for each in signers}:
            raise Unusable(f"{name} is there twice; give each key a name of its own", index)
        signers.append(Signer(name, _public(key, index)))
    return tuple(signers)


def _loosened(value: object, _: Key) -> tuple[str, ...]:
    names = strings(value, "names of keys")
    for index, name in enumerate(names):
        if name not in BY_NAME or BY_NAME[name].project == "managed":
            raise Unusable(f"{name!r:.80} is no key that a shared policy can have, such as unlisted", index)
    return names


def _public(text: str, index: int) -> str:
    """Return a public key without its comment: its type and base64, which must name the same type."""
    from base64 import b64decode, b64encode

    kind, _, rest = text.strip().partition(" ")
    encoded = rest.strip().partition(" ")[0]
    try:
        inside = b64decode(encoded, validate=True)
    except ValueError:
        inside = b""
    named = inside[4 : 4 + int.from_bytes(inside[:4], "big")]  # RFC 4253, section 6.6: the name of the type is first
    if kind not in PUBLIC_KEYS or named != kind.encode():
        raise Unusable(f"{text!r:.80} is not a public key of OpenSSH ({', '.join(PUBLIC_KEYS)})", index)
    return f"{kind} {b64encode(inside).decode()}"


KINDS: dict[str, Callable[[object, Key], Any]] = {
    "entries": _entries,
    "choice": _choice,
    "seconds": _limit,
    "bytes": _limit,
    "count": _count,
    "flag": _flag,
    "names": _names,
    "settable": _settable,
    "variables": _variables,
    "words": _words,
    "prefixes": _prefixes,
    "patterns": _patterns,
    "paths": _paths,
    "reached": _reached,
    "globs": _globs,
    "folders": _folders,
    "hosts": _hosts,
    "url": _url,
    "receiver": _receiver,
    "machine": _machine,
    "file": _file,
    "signers": _signers,
    "publics": lambda value, _: tuple(_public(text, at) for at, text in enumerate(strings(value, "public keys"))),
    "loosened": _loosened,
}
"""How a value of each kind is checked and read; raises `Unusable`. `rules` are read by `rule_tables`."""
