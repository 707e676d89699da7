"""The texts that `sqlite3`, `psql`, `mysql` and `duckdb` run: whether they only read, and change the database alone.

A text is cut into tokens, so neither quotes nor comments hide anything. The first words of each statement, and each
name before a parenthesis, must be one that is known to stay inside the database; anything else counts as doing more.
From the manuals of SQLite 3.40, PostgreSQL 15, MariaDB 10.11 and DuckDB 1.5; tried with sqlite3 3.40, psql 15 and
duckdb 1.5. The words are in `sql.txt`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.pattern import pattern
from asimi.core.reading.values import COPIES
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_BLANK = r"(?P<blank>\s+|--[ \t][^\n\r]*(?:\n|\Z)|/\*(?![!M+])(?:(?!/\*|\*/).)*\*/)|(?P<hidden>--|/\*|"
_REST = r"|(?P<word>(?:[^\W\d]|[@$])[\w$@]*)|(?P<number>\d[\w.]*|\.\d\w*)|(?P<operator>[-+*/%<>=!~^&|?:,.()\[\]{}])"
_SQLITE = pattern(
    _BLANK
    + r"""\Z.)|(?P<string>[xX]?'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])"""
    + r"|(?P<end>;)|(?P<open>\[)"
    + _REST,
    re.DOTALL,
)
_PSQL = pattern(
    _BLANK
    + r"""[uU]&['"])|(?P<string>[eE]'(?:[^'\\]|\\.|'')*'|[bBnNxX]?'(?:[^'\\]|\\(?!')|'')*'"""
    + r"""|\$(?P<tag>(?:[^\W\d]\w*)?)\$.*?\$(?P=tag)\$)|(?P<name>"(?:[^"]|"")*")"""
    + r"|(?P<end>;)|(?P<open>\$\w*\$)|(?P<sharp>\#)"
    + _REST,
    re.DOTALL,
)
_MYSQL = pattern(
    _BLANK
    + r"""\Z.)|(?P<string>'(?:[^'\\]|\\[^'"]|'')*'|"(?:[^"\\]|\\[^'"]|"")*")|(?P<name>`(?:[^`]|``)*`)"""
    + r"|(?P<end>;|\\[gG](?=\s|\Z))"
    + _REST,
    re.DOTALL,
)


class Token(NamedTuple):
    """A piece of a text: its kind, and itself in lower case and without quotes."""

    kind: str
    text: str


_LISTS = {name: names_of(lines) for name, lines in facts_of(__package__, "sql").items()}

_HEADS = _LISTS["heads"]
_SECOND = {each: _LISTS[f"second-{each}"] for each in ("alter", "create", "set", "pragma")}
"""What the second word of some statements may be; a setting can name a file, or a library to load."""

_PASSED = _LISTS["passed"]
"""Words that may be between the first and the second."""

_TRANSACTION = _LISTS["transaction"]
_BEGINNINGS = frozenset({"abort", "begin", "commit", "end", "rollback", "start"})
_NEVER = {each: _LISTS[f"never-{each}"] for each in ("alter", "copy", "create", "vacuum")}
"""Words that a statement has where it reaches outside the database."""

_MOST_ROLLBACK = 5
"""Tokens of `rollback transaction to savepoint NAME`."""

_FILES = frozenset({"dumpfile", "outfile"})

_BEFORE_NAMES = _LISTS["before-names"]
"""Words behind which a name before a parenthesis is no function."""

_CALLED = _LISTS["called"]
"""What may be before a parenthesis: none of these reads or writes a file, runs a text or loads code."""

_ASKING = _LISTS["asking"]
_CHANGING = _LISTS["changing"]
_ALSO_FUNCTIONS = frozenset({"insert", "replace", "truncate"})
"""Words of these that are functions of a value before a parenthesis."""

_ADDING = frozenset({"create", "insert"})

_ASKING_OF_ONE = _LISTS["asking-of-one"]
"""Pragmas that tell something of the table or index in parentheses; others are set by a value there."""

_ASKING_PRAGMAS = _ASKING_OF_ONE | _LISTS["asking-pragmas"]

_CLIENT = _LISTS["client"]
"""The commands of mysql's own that count at the beginning of a line (mysql(1), MySQL Commands)."""

_DUCKDB_HEADS = _LISTS["duckdb-heads"]
_DUCKDB_SECOND = {each: _LISTS[f"duckdb-second-{each}"] for each in ("create", "pragma", "set")}
_FILE_CALLS = _LISTS["file-calls"]
"""Functions of DuckDB whose first argument is a file, or a list of files."""

_DUCKDB_CALLED = _CALLED | _FILE_CALLS | _LISTS["duckdb-called"]
"""What may be before a parenthesis in DuckDB; `query`, `getenv` and what an extension brings are not among them."""

_DUCKDB_TYPES = _LISTS["duckdb-types"]
"""The types of DuckDB itself; another one may be an extension's, which it would install and load."""

_DUCKDB_READING = _LISTS["duckdb-reading"]
"""Settings with which a file is read that name no type and no encoding."""

_BEFORE_STRINGS = _LISTS["before-strings"]
"""Words before a string that is a value or a file; another word would be its type."""

_DUCKDB_SCHEMAS = frozenset({"information_schema", "main", "memory", "pg_catalog", "temp"})
_DUCKDB_FILE = pattern(r"[^:]*[^:.]\.(?:csv|json|jsonl|ndjson|parquet|tsv)(?:\.(?:gz|zst))?", re.IGNORECASE)
_DUCKDB_DOT = pattern(
    r"\.(?:columns|databases|headers?|help|indexes|maxrows|maxwidth|mode|nullvalue|schema|show|tables|timer|version)"
    r"(?:[ \t][\w %.*|-]*)?",
    re.ASCII,
)
_BEFORE_TABLES = _LISTS["before-tables"]
_QUERIES = _BEFORE_TABLES | {"select", "with"}
_BEHIND_TABLES = _LISTS["behind-tables"]

_DESCRIBES = pattern(
    r"\\(?:d[A-Za-z]*[S+]*|l(?:ist)?\+?|z|s[fv]\+?|conninfo|encoding|\?)(?:[ \t]+[\w.*\"]+)?\s*", re.ASCII
)
_DOT = pattern(r"\.([a-z0-9]+)(?:[ \t][^\n]*)?")

HARMLESS_DOTS = _LISTS["harmless-dots"]
OTHER_DOTS = _LISTS["other-dots"]
"""The dot commands of sqlite3 (its manual, Special Commands); it takes any abbreviation of them."""

_CATALOGS = _LISTS["catalogs"]
"""Tables and schemas of PostgreSQL's own that hold no password (its manual, System Catalogs)."""

_STATISTICS = ("pg_stat_", "pg_statio_")
"""How the names of its statistics begin, which show no password either (The Cumulative Statistics System)."""

_COPIED = pattern(
    r"(?is)\s*copy\s+(?P<what>\(.*\)|[\w.]+)\s+to\s+'(?P<file>(?:[^']|'')*)'\s*"
    r"(?:(?:with\s*)?\((?:\s*(?:format\s+'?(?:csv|json|parquet)'?|compression\s+'?\w+'?|header(?:\s+(?:true|false))?"
    r"|(?:delim|delimiter|sep|quote|escape|nullstr|null|dateformat|timestampformat)\s+'[^']*'|row_group_size\s+\d+)"
    r"\s*(?:,|(?=\))))*\))?\s*;?\s*",
    re.ASCII,
)
"""`COPY … TO FILE` of DuckDB as the only statement of a text, in a format and with options that load nothing."""

_OPENED = Token("operator", "(")
_DUCKDB_ASKING = _LISTS["duckdb-asking"]
"""What begins a statement that changes nothing, beside what does so in others."""

_GIVEN = pattern(r"(?:s|\[s(?:,s)*\])(?=[,)])")
"""One string, or a list of some, as the first argument: each token by a letter."""

_FILE_TABLES = frozenset({"fsdir", "zipfile"})
"""Tables of sqlite3 whose rows are files, also without an argument in parentheses."""

OUTSIDE = "has a statement or a function in this text that may read, write or run something outside the database"


def sqlite(text: str) -> str:
    """SQL or a dot command of sqlite3."""
    text = text.strip()
    if text.startswith("."):
        match = _DOT.fullmatch(text)
        known = match is not None and any(name.startswith(match[1]) for name in HARMLESS_DOTS)
        if match is None or not known or any(name.startswith(match[1]) for name in OTHER_DOTS):
            return "runs or writes what this command says"
        return ""
    named = {each.text.strip("\"`[]'") for statement in _statements(_SQLITE, text) for each in statement}
    return OUTSIDE if named & _FILE_TABLES else _read(_SQLITE, text)


def psql(text: str) -> str:
    """SQL for psql, or one of the commands of its own by which it describes what there is (psql(1), --command)."""
    if text.lstrip().startswith("\\"):
        return "" if _DESCRIBES.fullmatch(text.lstrip()) else "has commands of its own in this text"
    return _read(_PSQL, text)


def mysql(text: str) -> str:
    """SQL for mysql: its own commands begin with a backslash, or are words that begin a line (mysql(1))."""
    return _read(_MYSQL, text, _CLIENT)


def duckdb(text: str) -> str:
    """SQL for duckdb, or one of its own commands that show something.

    Files in known formats are read; another format, an address and a type that is not DuckDB's own make it install
    and load an extension.
    """
    if text.startswith("."):
        return "" if _DUCKDB_DOT.fullmatch(text.rstrip()) else "runs or writes what this command says"
    if "://" in text:
        return "takes an address in this text"
    copied = _split_copy(text)
    return COPIES if copied is not None else _read(_PSQL, text, inside=_is_inside_duckdb)


def duckdb_files(text: str) -> tuple[tuple[str, str], ...] | None:
    """The files that a text for a new database of DuckDB names, each with what becomes of it (`ROLES`).

    Returns:
        None where it may do more than to read these files and write those.
    """
    copied = _split_copy(text)
    query, written = (text, ()) if copied is None else (copied[0], ((copied[1], "write"),))
    if duckdb(query):
        return None
    if query.startswith("."):
        return ()
    found = [_files_of(each) for each in _statements(_PSQL, query, exactly=True)]
    return None if None in found else (*written, *((each, "read") for files in found for each in files or ()))


def _split_copy(text: str) -> tuple[str, str] | None:
    """The query of a text that copies what it gives to a file, and the file; None for any other text."""
    match = _COPIED.fullmatch(text)
    if match is None:
        return None
    what, file = match["what"], match["file"].replace("''", "'")
    query = what if what[0] == "(" else f"from {what}"
    harmless = _DUCKDB_FILE.fullmatch(file) is not None and file[0] != "~" and "://" not in text
    if not harmless or _read(_PSQL, query, inside=_is_inside_duckdb):
        return None
    depths = [0]
    for token in (token for statement in _statements(_PSQL, what) for token in statement):
        depths.append(depths[-1] + (token.text == "(") - (token.text == ")"))
    whole = depths[-1] == 0 and 0 not in depths[1:-1]  # what is behind the parenthesis is behind the query
    return (query, file) if whole or what[0] != "(" else None


def _files_of(statement: Sequence[Token]) -> list[str] | None:
    """The files that a statement of DuckDB reads; every name that could be one counts.

    Returns:
        None where it changes something, or where what it reads is not written in one piece.
    """
    tokens = [Token(each.kind, each.text.strip('"').lower()) for each in statement]
    texts = [
        each.text[1:-1].replace(each.text[0] * 2, each.text[0]) if each.kind in {"name", "string"} else each.text
        for each in statement
    ]
    head = next((token.text for token in tokens if token != _OPENED), "select")
    if head not in _ASKING | _DUCKDB_ASKING or any(each.kind == "string" and each.text[0] != "'" for each in statement):
        return None
    found: list[str] = []
    run = ""
    for at, token in enumerate(tokens):
        before, then = (each[0] if each else Token("", "") for each in (tokens[max(at - 1, 0) : at], tokens[at + 1 :]))
        changes = token.text in _CHANGING and (token.text not in _ALSO_FUNCTIONS or then != _OPENED)
        if (token.kind == "word" and changes) or (token.kind == "string" and before.kind == "string"):
            return None
        dotted = token.kind in {"name", "word"} and before.text == "."
        run = run + texts[at] if token.text == "." or dotted else texts[at]
        if token.kind != "operator" and _DUCKDB_FILE.fullmatch(run):
            found.append(run)
        if token.kind in {"name", "word"} and token.text in _FILE_CALLS and then == _OPENED:
            letters = (each.text if each.kind == "operator" else each.kind[0] for each in tokens[at + 2 :])
            given = _GIVEN.match("".join(letters))
            if given is None:
                return None
            found += [texts[each] for each in range(at + 2, at + 2 + given.end()) if tokens[each].kind == "string"]
    return None if any(":" in each or (each[:1] == "~" and each[:2] != "~/") for each in found) else found


def mysql_base(text: str) -> str:
    """A database of mysql's; the server's own has the accounts (MariaDB's manual, The mysql Database Tables)."""
    return "takes the database that holds the accounts" if text.lower() == "mysql" else ""


def duckdb_file(text: str) -> str:
    """A database of duckdb; what is before a colon names an extension (DuckDB's manual, ATTACH)."""
    return "loads an extension for this database" if ":" in text and text != ":memory:" else ""


def asks_only(reader: str, text: str) -> bool:
    """Whether a text for a database that stays inside it changes nothing there; to a file, it may also add.

    Args:
        reader: `MYSQL`, `PSQL` or `SQLITE`.
        text: the text.
    """
    if READERS[reader](text):
        return False
    if text.lstrip()[:1] in {".", "\\"}:
        return True  # what describes, the only commands of their own that are taken
    statements = [list(each) for each in _statements(_PIECES[reader], text)]
    return all(_is_asked(each) or (reader == "SQLITE" and _only_adds(each)) for each in statements)


def only_shows(text: str) -> bool:
    """Whether an argument of `sqlite3` changes nothing, not even by adding to it."""
    statements = () if text.lstrip()[:1] == "." else [list(each) for each in _statements(_SQLITE, text)]
    return not sqlite(text) and all(map(_is_asked, statements))


def shows_all(text: str) -> bool:
    """The same of the standard input of `sqlite3`, where each line that begins with a dot is a command of its own.

    A line that ends a statement otherwise than by `;` is not understood (sqlite.org/cli.html, Rules for SQL input).
    """
    asked: list[str] = []
    for line in text.split("\n"):
        if line[:1] == ".":
            asked += [line, ""]
        elif line.strip().lower() in {"/", "go"}:
            return False
        else:
            asked = [*asked[:-1], f"{asked[-1] if asked else ''}{line}\n"]
    ended = all(each[:1] == "." or each.rstrip()[-1:] in {"", ";"} for each in asked[:-1])
    return ended and all(map(only_shows, asked))


def _only_adds(statement: Sequence[Token]) -> bool:
    """Whether a statement of SQLite adds a table, an index, a view or rows, and replaces none."""
    words = [token.text for token in statement if token.kind == "word"]
    begins = words[:1] and words[0] in {*_ADDING, *_BEGINNINGS}
    return bool(begins) and _CHANGING.isdisjoint({*words} - {*_ADDING, "into", "commit"})


def _is_asked(statement: Sequence[Token]) -> bool:
    """Whether a statement changes nothing: it begins as a question does, and no word of it can make it another."""
    words = [token.text if token.kind == "word" else "" for token in statement if token.text != "("]
    if not words:
        return True
    if words[0] == "pragma":
        of_one = [token.text for token in statement[2:3]] == ["("] and words[1] in _ASKING_OF_ONE
        return of_one or (len(statement) == 2 and words[1] in _ASKING_PRAGMAS)
    if words[0] == "explain" and "pragma" in words:
        return False  # some are obeyed while they are compiled (sqlite.org/pragma.html)
    pairs = pairwise([*statement, Token("", "")])
    return words[0] in _ASKING and all(
        word.text not in _CHANGING or (word.text in _ALSO_FUNCTIONS and then.text == "(")
        for word, then in pairs
        if word.kind == "word"
    )


def _is_inside_duckdb(statement: Sequence[Token]) -> bool:
    """Whether a statement of DuckDB reads files and changes the database, and nothing else."""
    words = [token.text if token.kind == "word" else "" for token in statement]
    begun = next((at for at, token in enumerate(statement) if token.text != "("), len(statement))
    if begun == len(statement):
        return not statement
    head = words[begun]
    if head not in _DUCKDB_HEADS or not {"collate", "secret"}.isdisjoint(words):
        return False
    if head in _DUCKDB_SECOND:
        second = next((at for at, word in enumerate(words[begun + 1 :], begun + 1) if word not in _PASSED), begun)
        if words[second] not in _DUCKDB_SECOND[head] or (head == "create" and "as" not in words):
            return False
        if words[second] == "table" and any(token.text == "(" for token in statement[: words.index("as")]):
            return False  # columns, whose types may be an extension's
    return (
        _calls_known(statement, also=frozenset(), called=_DUCKDB_CALLED)
        and _types_known(statement)
        and _tables_known(statement)
    )


def _types_known(statement: Sequence[Token]) -> bool:
    """Whether all values have DuckDB's own types: `x::T`, `cast(x as T)`, `T 'x'`; files take none by name."""
    frames = [""]
    for at, token in enumerate(statement):
        before = statement[at - 1] if at else Token("", "")
        named = token.text == "=" or (token.text == ":" and statement[at + 1 : at + 2] == [Token("operator", "=")])
        if token.kind == "operator" and token.text in {"(", ")"}:
            frames = [*frames, before.text] if token.text == "(" else frames[:-1] or [""]
        elif token.kind == "operator":
            if named and frames[-1].startswith(("parquet_", "read_", "sniff_")) and before.text not in _DUCKDB_READING:
                return False
        elif [each.text for each in statement[max(0, at - 2) : at]] == [":", ":"] or (
            before.text == "as" and frames[-1] in {"cast", "try_cast"}
        ):
            if token.kind != "word" or token.text not in _DUCKDB_TYPES:
                return False
        elif token.kind == "string" and before.kind in {"word", "name"}:
            known = before.text in _DUCKDB_TYPES or before.text in _BEFORE_STRINGS
            if before.kind == "name" or not known:
                return False
    return True


def _tables_known(statement: Sequence[Token]) -> bool:
    """Whether each table is one of the database, or a file in a format that DuckDB reads itself."""
    queries, lists, expected = [True], [False], False
    for at, token in enumerate(statement):
        behind = statement[at + 1] if at + 1 < len(statement) else Token("", "")
        if token.kind == "operator" and token.text == "(":
            queries.append(expected or behind.text in _QUERIES)
            lists.append(expected)
        elif token.kind == "operator" and token.text == ")":
            queries, lists, expected = queries[:-1] or [True], lists[:-1] or [False], False
        elif token.kind == "operator":
            expected = token.text == "," and lists[-1]
        elif token.kind == "word" and token.text in _BEFORE_TABLES:
            distinct = at > 0 and statement[at - 1].text == "distinct"  # `a is distinct from b`
            expected = queries[-1] and not distinct
            lists[-1] = lists[-1] or expected
        elif token.kind == "word" and token.text in _BEHIND_TABLES:
            lists[-1] = expected = False
        elif expected:
            expected = False
            if behind.text != "(" and not _is_table(statement[at:]):
                return False
    return True


def _is_table(rest: Sequence[Token]) -> bool:
    """Whether tokens begin with the name of a table, or of a file that is read."""
    parts = [rest[0]]
    while len(rest) > 2 * len(parts) and rest[2 * len(parts) - 1].text == ".":
        parts.append(rest[2 * len(parts)])
    name = ".".join(part.text.strip("'") for part in parts)
    if len(parts) > 1 and parts[0].kind == "word" and parts[0].text in _DUCKDB_SCHEMAS:
        return all("." not in part.text and part.kind != "string" for part in parts)
    return name.isidentifier() or _DUCKDB_FILE.fullmatch(name) is not None


def _statements(pieces: re.Pattern[str], text: str, *, exactly: bool = False) -> Iterator[list[Token]]:
    """The statements of a text that was read, in small letters or `exactly` as they are."""
    statement = list[Token]()
    for match in pieces.finditer(text):
        if match.lastgroup == "end":
            yield statement
            statement = []
        elif match.lastgroup != "blank":
            statement.append(Token(str(match.lastgroup), match[0] if exactly else match[0].lower()))
    yield statement


def _read(
    pieces: re.Pattern[str],
    text: str,
    lines: frozenset[str] = frozenset({"."}),
    inside: Callable[[Sequence[Token]], bool] | None = None,
) -> str:
    """Read all statements of a text; no line may begin with one of `lines`."""
    inside = inside or _is_inside
    pos, statement, first = 0, list[Token](), True
    while pos < len(text):
        match = pieces.match(text, pos)
        kind = match.lastgroup if match else None
        if match is None or kind in {"hidden", "open"} or (first and match[0].lower() in lines):
            return "is given a text that is not understood"
        pos = match.end()
        if kind == "blank":
            first = first or "\n" in match[0]
        elif kind != "end":
            piece = match[0][1:-1] if kind == "name" else match[0]
            statement.append(Token(str(kind), piece.lower()))
            first = False
        elif not inside(statement):
            return OUTSIDE
        else:
            statement = []
    return "" if inside(statement) else OUTSIDE


def _is_inside(statement: Sequence[Token]) -> bool:
    """Whether a statement stays in the database."""
    if not _catalogs_known(statement):
        return False
    words = [token.text if token.kind == "word" else "" for token in statement]
    begun = next((at for at, token in enumerate(statement) if token.text != "("), len(statement))
    if begun == len(statement):
        return not statement
    head = words[begun]
    if head not in _HEADS or not _NEVER.get(head, _FILES).isdisjoint(words) or not _FILES.isdisjoint(words):
        return False
    if head in _SECOND:
        second = next((at for at, word in enumerate(words[begun + 1 :], begun + 1) if word not in _PASSED), 0)
        if head == "pragma" and second and [token.text for token in statement[second + 1 : second + 2]] == ["."]:
            second += 2
        word = words[second] if 0 < second < len(words) else ""
        if head == "set" and word.startswith("@") and not word.startswith("@@"):
            word = "@"
        if word not in _SECOND[head] or (word == "virtual" and not {"fts5", "rtree"} & set(words)):
            return False
        if head == "set" and word != "search_path" and any(token.text == "," for token in statement):
            return False
    elif head in _BEGINNINGS and not _TRANSACTION.issuperset(words[begun:]):
        return head == "rollback" and len(statement) <= _MOST_ROLLBACK
    elif head == "copy":
        pairs = list(pairwise(statement))
        if any(each.text in {"to", "from"} and then.kind == "string" for each, then in pairs):
            return False
        if not any((each.text, then.text) in {("to", "stdout"), ("from", "stdin")} for each, then in pairs):
            return False
    return _calls_known(statement, also=frozenset({"on"} if head == "create" and "index" in words else ()))


def _catalogs_known(statement: Sequence[Token]) -> bool:
    """Whether no table of the server's own may be one that holds passwords, such as `pg_shadow` and `mysql.user`."""
    for token, then in pairwise([*statement, Token("", "")]):
        if token.kind in {"name", "word"} and token.text.startswith("pg_") and then != _OPENED:
            if not token.text.startswith(_STATISTICS) and token.text not in _CATALOGS:
                return False
        elif token.text == "mysql" and then.text == ".":
            return False
    return True


def _calls_known(statement: Sequence[Token], *, also: frozenset[str], called: frozenset[str] = _CALLED) -> bool:
    """Whether everything before a parenthesis is known."""
    for at, token in enumerate(statement[1:], 1):
        name = statement[at - 1]
        if token.text != "(" or token.kind != "operator" or name.kind == "operator":
            continue
        begin = at - 1
        while begin >= 2 and statement[begin - 1].text == ".":  # NAME . NAME
            begin -= 2
        before = statement[begin - 1] if begin else None
        names = before is not None and before.kind == "word" and before.text in _BEFORE_NAMES | also
        if names:
            continue
        if begin != at - 1 and statement[begin].text != "pg_catalog":
            return False
        known = name.text in called or (
            name.text.startswith("pragma_") and name.text[len("pragma_") :] in _SECOND["pragma"]
        )
        if not known and statement[0].text != "pragma":
            return False
    return True


READERS: dict[str, Callable[[str], str]] = {
    "DUCKDB": duckdb,
    "DUCKDBFILE": duckdb_file,
    "MYSQL": mysql,
    "MYSQLBASE": mysql_base,
    "PSQL": psql,
    "SQLITE": sqlite,
}

_PIECES = {"MYSQL": _MYSQL, "PSQL": _PSQL, "SQLITE": _SQLITE}
