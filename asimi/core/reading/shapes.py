"""What a word may become, and what is known of it: its shapes.

A shape is the text of a word after all expansions, with marks in it: `ANY` for text that only bash can know (it may be
empty and hold slashes), `MANY` for such text without quotes, which may become any number of words, `SOME` for a glob's
`*`, `ONE` for one character, `DIGIT` for one or more digits, `HEX` for hexadecimal ones, `LETTERS` for one or more
letters and digits, `MADE` for such a name that is new. Variables that the text itself gives a value are replaced by it,
braces by each of their parts: `d=.config; rm ~/$d` has the shape `/home/me/.config`.

What forbids wants every shape that some assignment of the text makes possible; what allows wants those that are sure at
the word's place, cut into words as bash cuts them (bash manual, Shell Expansions).
"""

from __future__ import annotations

from itertools import pairwise, product
from re import ASCII, DOTALL, VERBOSE
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.reading.bindings import PIPE
from asimi.core.syntax.nodes import Word
from asimi.core.syntax.texts import ansi, is_brace_expansion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from re import Match

    from asimi.core.budget import Budget
    from asimi.core.reading.bindings import Assignment, Variables

    Fields = tuple[str, ...]

ANY, SOME, ONE, MANY = "\1", "\2", "\3", "\x0e"
DIGIT, HEX, LETTERS, MADE = "\x12", "\x13", "\x14", "\x15"
_DIGITS, _ALPHABET = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
WHOLE = {
    DIGIT: frozenset(_DIGITS),
    HEX: frozenset(_DIGITS + _ALPHABET[:6]),
    LETTERS: frozenset(_DIGITS + _ALPHABET),
    MADE: frozenset[str](),
}
MARKS = frozenset((ANY, SOME, ONE, MANY, *WHOLE))
"""Marks that are in one word, are no pattern and begin no option; each with the characters that it may be of a name."""
TEMPORARY, TOP = "mktemp", "git rev-parse --show-toplevel"
"""Names of what is known as of a variable: the directory for temporary files, and the top of the work tree."""

AT = "\x16"
"""The value of a variable that holds the directory where a command runs; with other text around it, another path."""

BREAK = "\x0f"
"""Where a word ends, inside of a shape that is not cut yet."""

LONGEST = 4096
"""Characters of a word that are looked at (PATH_MAX); what comes behind them is unknown."""

DROPPED = str.maketrans(dict.fromkeys("\1\2\3\4\5\6\x0e\x0f\x11\x12\x13\x14\x15\x16"))
"""Characters that would be marks, and are left out of what is literal."""

RUNS = pattern(rf"[{ANY}{SOME}{MANY}]{{2,}}")
_ANY_MARK = pattern(f"[{''.join(sorted(MARKS))}]")
_WIDER = str.maketrans(dict.fromkeys(WHOLE, ANY))

_OPEN, _COMMA, _CLOSE = "\4", "\5", "\6"

MOST = 64
"""Shapes of one word; where there are more, all from its first brace or variable to the last is unknown."""

DEEPEST = 16
"""Variables that are looked at for the value of another one; what lies deeper is unknown."""

_TOKEN = pattern(
    r"""\\(?P<escaped>.)
    | \$'(?P<ansi>(?:[^'\\]|\\.)*)'
    | '(?P<single>[^']*)'
    | (?P<double>\$?")
    | \$(?P<name>\w+|[@*\#?$!-])
    | \$\{(?P<braced>\w+)\}
    | \$\{(?P<operated>\w+):?(?P<operator>[-=+])(?P<default>[^{}]*(?:\$\{\w+\}[^{}]*)?)\}
    | \$\{(?P<longer>\w+)%(?P<ending>[\w.,:@-]+)\}
    | \$\(\((?P<sum>\s*(?:0|[1-9]\d{0,3})(?:\s*[+*]\s*(?:0|[1-9]\d{0,3})){0,3}\s*)\)\)
    | \$\(\((?P<number>[^()$`]{1,256})\)\)
    | (?P<computed>\$[(\[{]|`|[@?+!*<>]\()
    | (?P<tilde>(?:(?<![\s\S])|(?<=[=:{},]))~[\w.+-]*(?=[/:,{}]|\Z))
    | (?P<class>\[[!^]?\]?(?:\[\.[^/'"\\$`]*?\.\]|\[=[^/'"\\$`]*?=\]|\[:[^/'"\\$`]*?:\]|[^]/'"\\$`])*\])
    | (?P<mark>[*?{},\x01-\x06\x0e\x0f\x16])
    | (?P<plain>[^\\$'"`@?+!*\[{},~\x01-\x06\x0e\x0f\x16]+|.)""",
    DOTALL | VERBOSE | ASCII,
)
_QUOTED = pattern(r"""\\.|\$?'(?:(?<=\$')(?>(?:[^'\\]|\\.)*)|[^']*+)'|"(?>(?:\\.|[^"\\])*)\"""", DOTALL)
"""What bash expands no braces in, where nothing is computed."""

_FAR = r"[,}](?:\$\{\w+\}|\$(?!\{)|[^$])"
_GLUED = pattern(rf"\$(?:[,}}]|\w++(?:\{{|(?:{_FAR}{{,999}})?\}}[\w{{]|{_FAR}{{999}}))", DOTALL | ASCII)
_OTHER = pattern(r"""[{$`\\'"]""")
"""What may begin a part of a word that is another text than it is written."""

_SPLICE, _SPLICED = pattern(r"(\\[^\n])|\\\n"), pattern(r"\$\w*+\\\n", ASCII)

_ALONE = pattern(rf"(?<![^=:,]){AT}(?=/|\Z|:/|,(?:target|dst|destination|readonly)\b)")
"""`AT` where it is that directory, also as the one that a container mounts (docker-run(1), `--volume`, `--mount`)."""

_ARRAY = pattern(r"""("?)\$\{(\w+)\[@\]\}\1""", ASCII)
_WHOLE = str.maketrans(dict.fromkeys(WHOLE))
_MARK = {"*": SOME, "?": ONE, "{": _OPEN, ",": _COMMA, "}": _CLOSE}
_CLOSES = {"$(": ("(", ")"), "${": ("{", "}"), "$[": ("[", "]"), "`": ("", "`")}
_PLAINLY = pattern(r"(?!.*case)[^'\"\\#<]*", DOTALL), pattern(r"(?!.*case)[^'\"\\(`]*", DOTALL)
"""What is in a substitution, and in an expansion, whose end is sure to be the first that looks like it."""

_BRACE = pattern(rf"[{_OPEN}{_COMMA}{_CLOSE}]|\.\.(?!{_CLOSE})")
_LETTERS = pattern(r"[A-Za-z]\.\.[A-Za-z](?:\.\.[+-]?\d+)?")
_NUMBERS = pattern(r"(0|[1-9]\d{0,8})\.\.(0|[1-9]\d{0,8})")
_MARKED = pattern(rf"[{BREAK}{''.join(sorted(MARKS))}]")
_ANYWHERE = pattern(rf"(?:(?<=[/{BREAK}])|\A){SOME}{SOME}(?=[/{BREAK}]|\Z)")
"""The `**` of `globstar`, which stands for any number of directories."""

_DEEP = "\x11"
"""Stands for such a `**`."""

_CLIMBS = pattern(r"\$\(\s*+(?:date|echo|printf|seq)\b[^.\\]*(?:\.[^.\\]*\.|\\)|[\s\S]*\.\.")
"""A substitution that may put `..` into a word, because it holds it or prints what it is given."""

_PATTERN = frozenset({SOME, ONE})
_LETTER = pattern(r"[^\W\d_]")
_BACK = str.maketrans({_OPEN: "{", _COMMA: ",", _CLOSE: "}"})
_SPLIT = pattern(
    rf"(?P<blank>[ \t\n]+)|(?P<glob>[*?](?!\())|(?P<class>\[[!^]?\]?[^]/]{0, 256}\])"
    rf"|(?P<any>[{ANY}{SOME}{ONE}\[]|[@?+!*]\(|\\)"
)
_PLAIN = pattern(r"/[\w./:@%+,=-]*", ASCII)
_SIMPLE = pattern(r"[\w./:@%+,=-]*", ASCII)


class Shapes:
    """Finds the shapes of words.

    Args:
        known: what variables mean that the text does not set itself.
        variables: what the text gives to variables.
        budget: what the search is paid from.
        user: the name that `~user` may be written with for the home directory.
        sure: whether only what is sure at a word's place counts, and not all that is possible.
    """

    def __init__(
        self, known: Mapping[str, str], variables: Variables, budget: Budget, user: str = "", *, sure: bool = False
    ) -> None:
        self.known, self.variables, self.budget, self.user, self.sure = known, variables, budget, user, sure
        self._found: dict[tuple[str, int], tuple[Fields, ...]] = {}
        self._values: dict[tuple[str, int], tuple[str, ...]] = {}
        self._depth = 0
        self.made = 0  # how many shapes there were

    def of(self, written: str) -> tuple[str, ...]:
        """All shapes of a word as it is written."""
        found = (shape for fields in self.fields(written) for shape in fields)
        return tuple(dict.fromkeys(RUNS.sub(widest, shape.replace(MANY, ANY)) for shape in found)) or ("",)

    def fields(self, written: str, at: int = 0) -> tuple[Fields, ...]:
        """The words that a word becomes: one tuple for each way that there is.

        Args:
            written: the word.
            at: its position in the text.
        """
        found = self.fields_of_part(written, at)
        if self.known.get("PWD") != AT:
            return found
        return tuple(tuple(_ALONE.sub(".", each).replace(AT, f"/{ANY}") for each in fields) for fields in found)

    def fields_of_part(self, written: str, at: int = 0) -> tuple[Fields, ...]:
        """The same for what is a part of another word: with the mark of the directory where a command runs."""
        key = (written, at if self.sure else 0)
        if key not in self._found:
            self._found[key] = self._ways(written, at)
        return self._found[key]

    def words(self, word: Word, written: str, at: int) -> tuple[tuple[Word, ...], ...]:
        """The words that a computed word becomes, one tuple for each way; itself where no more is known of it."""
        ways = self.fields(written, at)
        if any(shape[:1] in {ANY, MANY} for fields in ways for shape in fields if shape):
            return ((word,),)
        self.budget.spend(sum(3 + len(shape) // 16 for fields in ways for shape in fields))
        return tuple(tuple(_word(word, shape) for shape in fields) for fields in ways)

    def _ways(self, written: str, at: int) -> tuple[Fields, ...]:
        """The words that a word becomes: one tuple for each way that there is."""
        elements = self._elements(written, at) if self.sure else None
        ways = [self._cut(text, written) for text in self._texts(written, at)] if elements is None else [elements]
        return tuple(dict.fromkeys(ways))

    def _elements(self, written: str, at: int) -> Fields | None:
        """The words of `"${x[@]}"` or `"$(cat <<'E' …)"` where they are sure, else None."""
        document = self.variables.documents.get(written[1:-1]) if written[:2] == '"$' else None
        if document is not None and document.translate(DROPPED) == document:
            return (document,)
        match = _ARRAY.fullmatch(written)
        given = self.variables.at(match[2], at) if match is not None and match[1] else None
        if given is None or len(given) != 1 or given[0].how != "array" or self._depth >= DEEPEST:
            return None
        self._depth += 1
        found = [self.fields_of_part(value, given[0].start) for value in given[0].values or ()]
        self._depth -= 1
        return tuple(shape for ways in found for shape in ways[0]) if all(len(ways) == 1 for ways in found) else None

    def _texts(self, written: str, at: int, *, value: bool = False) -> Sequence[str]:
        """What a word becomes before braces are expanded and it is cut; `value` for one that a variable gets."""
        if is_glued(written):
            return [f"{text}{MANY}" for text in self._texts(_OTHER.split(written, maxsplit=1)[0], at, value=value)]
        pieces = [*self._pieces(written[:LONGEST], at, value), (MANY,) if len(written) > LONGEST else ("",)]
        self.budget.spend(5 + len(written) // 16 + 2 * len(pieces))
        many = 1
        once: dict[int, tuple[str, ...]] = {}  # a variable that is in a word twice has one value there
        for index, piece in enumerate(pieces):
            many *= 1 if id(piece) in once else len(piece)
            once[id(piece)] = piece
            if many > MOST:
                last = max(pos for pos, each in enumerate(pieces) if len(each) > 1)
                pieces[index : last + 1] = [(MANY,)]
                once = {id(each): each for each in pieces}
                break
        self.budget.spend(min(many, MOST) * (2 + len(pieces) // 16))
        chosen = (dict(zip(once, parts, strict=True)) for parts in product(*once.values()))
        joined = list(dict.fromkeys("".join([each[id(piece)] for piece in pieces]) for each in chosen))
        if len(written) > LONGEST:  # a brace that is open there may be closed behind
            joined = [shape.partition(_OPEN)[0] + MANY for shape in joined]
        self.made += len(joined)
        return joined

    def _cut(self, text: str, written: str) -> Fields:
        """The words that a text becomes."""
        self.budget.spend(4 + len(text) // 16)
        forms = _braces(text, self.budget, written if self.sure else "")
        self.made += len(forms)
        if len(forms) > MOST * 2:
            forms = [_common(forms) + MANY]
        found: list[str] = []
        quoted = "'" in written or '"' in written
        options = self.variables.globbing
        if "globstar" in options:
            forms = [_ANYWHERE.sub(_DEEP, form) for form in forms]
        for form in forms:
            fields = [RUNS.sub(widest, field.translate(_BACK)) for field in form.split(BREAK)]
            if quoted and "" in fields and len(fields) + len(forms) > 2:  # some of these are words, some are not
                return (MANY,)
            found += fields if quoted else filter(None, fields)
        return tuple(found) if not options else tuple(way for each in found for way in _glob_shapes(each, options))

    def _pieces(self, written: str, at: int, value: bool) -> Iterator[tuple[str, ...]]:  # noqa: FBT001
        """The alternatives of each piece of a word."""
        pos, quoted = 0, False
        while pos < len(written):
            match = _TOKEN.match(written, pos)
            if match is None:
                return
            kind, text = match.lastgroup, match.group(match.lastgroup or 0)
            start, pos = pos, match.end()
            whole = quoted or value
            unknown = (ANY,) if whole else (MANY,)
            if kind == "double":
                quoted = not quoted
                if quoted and text == '$"' and self.sure:  # a translation (bash manual, Locale-Specific Translation)
                    yield unknown
                elif not quoted and text == '$"':
                    yield ("$",)
            elif kind == "escaped":
                yield ("" if text == "\n" else written[start:pos] if quoted and text not in '$`"\\' else text,)
            elif quoted and kind in {"single", "ansi", "class", "mark", "tilde"}:
                pos = start + 1
                yield (written[start].translate(DROPPED),)
            elif kind == "single":
                yield (text.translate(DROPPED),)
            elif kind == "ansi":
                decoded = ansi(text)
                yield (ANY if decoded is None else decoded.translate(DROPPED),)
            elif kind in {"name", "braced"}:
                yield self._variable_texts(text, at, quoted=whole)
            elif kind == "default":
                yield self._default_texts(match, at, quoted=whole)
            elif kind == "ending":
                longer = self._variable_texts(match["longer"], at, quoted=whole)
                self.budget.spend(2 + len(text) * len(longer) // 4)
                yield tuple(dict.fromkeys(_without(each, text) for each in longer))
            elif kind in {"sum", "number"}:
                separates = self.variables.separates and not whole
                yield (MANY,) if separates else (str(_sum(text)) if kind == "sum" else ANY,)
            elif kind == "computed":
                if quoted and text[0] not in "$`":
                    pos = start + 1
                    yield (text[0],)
                else:
                    pos = _end_index(written, match.end(), *_CLOSES.get(text, ("(", ")")))
                    self.budget.spend((pos - start) // 16)
                    if not start and self.variables.results.get(written) is PIPE:
                        yield (f"/dev/fd/{SOME}",)
                        return
                    if known := self._result(written[start:pos], at, quoted=whole):
                        yield known
                        continue
                    printed = self._substitution_texts(written[start:pos], quoted=whole)
                    climbs = (f"{ANY}/../{ANY}",) if not self.sure and _CLIMBS.match(written, start, pos) else ()
                    several = "@" in written[start:pos] or written.startswith("${!", start)  # also in quotes
                    yield (*printed, MANY) if several else (*printed, *climbs, *unknown)
                    if self.sure and not _PLAINLY[text == "${"].fullmatch(written, match.end(), pos):
                        yield (MANY,)
                        return
            elif kind == "tilde":
                yield self._tilde(written, start, pos, at) or unknown
            elif kind in {"class", "mark"} and value and self.sure:  # a value is no pattern and has no braces
                yield (text.translate(DROPPED),)
            elif not whole and (text == "[" or (kind == "class" and not {*"{,}"}.isdisjoint(text))):
                yield (MANY,)  # what is behind it may make it a pattern, or what is in it words of their own
                return
            elif kind == "class":
                yield (ONE,)
            elif kind == "mark":
                yield (_MARK.get(text, MANY),)
            else:
                yield (text,)

    def _tilde(self, written: str, start: int, end: int, at: int) -> tuple[str, ...]:
        """What a tilde prefix means where it is in a word; none where that is not known.

        Bash expands braces before it (bash manual, Shell Expansions): what they make is a prefix only where they begin
        the word, or what looks like an assignment, and they may be the rest of the name.
        """
        if start and written[start - 1] in "{}," and written[0] != "{" and "=" not in written[:start]:
            return (written[start:end],)
        return (
            () if written[end : end + 1] == "{" or (self.sure and start) else self._home(written[start + 1 : end], at)
        )

    def _home(self, name: str, at: int) -> tuple[str, ...]:
        """What a tilde prefix means."""
        if name in {"", self.user}:
            return self._variable("HOME", at)
        if name in {"+", "-"}:
            return self._variable({"+": "PWD", "-": "OLDPWD"}[name], at)
        return ("/" + ANY, f"~{name}") if self.sure else (ANY,)

    def _variable_texts(self, name: str, at: int, *, quoted: bool) -> tuple[str, ...]:
        """What the expansion of a variable puts into a word."""
        found = self._variable(name, at)
        if quoted:
            return found
        self.budget.spend(1 + self.variables.count("IFS") // 8)
        if self.sure and self.variables.separates:
            return (MANY,)
        if name in self.known and found == (self.known[name],):  # a directory, which is taken for one word
            return ("/" + ANY,) if self.sure and not _PLAIN.fullmatch(found[0]) else found
        return tuple(dict.fromkeys(_SPLIT.sub(_mark_unquoted, each) for each in found))

    def _result(self, written: str, at: int, *, quoted: bool) -> tuple[str, ...]:
        """The shapes of one word that a substitution gives; none where these are not known."""
        result = self.variables.results.get(written)
        if result is None or result.many or result is PIPE or (self.variables.separates and not quoted):
            return ()
        if result.below and not quoted:
            return ()  # a directory may hold blanks
        return tuple(each + result.shape for each in (self._variable(result.below, at) if result.below else ("",)))

    def _substitution_texts(self, written: str, *, quoted: bool) -> tuple[str, ...]:
        """What a substitution may print by literal words; a function may still mean something else by their name."""
        text = None if self.sure else self.variables.printed.get(written[1:])
        if text is None or written[:1] == "<":
            return ()
        text = text.translate(DROPPED)
        return (text,) if quoted else (_SPLIT.sub(_mark_unquoted, text),)

    def _default_texts(self, match: Match[str], at: int, *, quoted: bool) -> tuple[str, ...]:
        """What `${x:-text}` and its like put into a word."""
        text, empty = match["default"], ("",) if match["operator"] == "+" else ()
        found = () if empty and self.sure else self._variable_texts(match["operated"], at, quoted=quoted)
        if self.sure:
            simple = _SIMPLE.fullmatch(text) and (quoted or not self.variables.separates)
            other: tuple[str, ...] = (text if simple else ANY if quoted else MANY,)
        else:
            other = tuple(self._texts(text, at))
        several = (MANY,) if "@" in text or "${!" in text else ()  # also in quotes (bash manual, Shell Parameters)
        return tuple(dict.fromkeys((*found, *other, *empty, *several)))

    def _variable(self, name: str, at: int) -> tuple[str, ...]:
        """What a variable may hold."""
        key = (name, at if self.sure else 0)
        if key in self._values:
            return self._values[key]
        if name not in self.variables:
            return (MANY,) if name in {"@", "*"} else (self.known.get(name, ANY),)
        self.budget.spend(6)
        self._values[key] = (ANY,)  # while its own value is looked at
        given, whole = (self.variables.at(name, at), True) if self.sure else self.variables.all_of(name)
        if given is not None and self._depth < DEEPEST:
            self._depth += 1
            found = tuple(dict.fromkeys(text for each in given for text in self._assignment_texts(each)))
            self._depth -= 1
            if len(found) <= MOST:
                default = (self.known[name],) if name in self.known and not self.sure else ()
                self._values[key] = (*found, *default) if whole else (*found, *default, ANY)
        return self._values[key]

    def _assignment_texts(self, given: Assignment) -> Iterator[str]:
        """What a variable may hold after an assignment."""
        for written in given.values or ():
            result = self.variables.results.get(written) if given.how == "for" else None
            if result is not None and result.many and not self.variables.separates:
                texts = [result.shape]
            elif given.how in {"for", "array"}:
                texts = [shape for fields in self.fields_of_part(written, given.start) for shape in fields]
            else:
                texts = list(self._texts(written, given.start, value=True))
                if not self.sure:
                    texts = [form for text in texts for form in _braces(text, self.budget)]
            for text in texts:
                yield ANY if MANY in text else text.translate(_BACK)


def _word(word: Word, shape: str) -> Word:
    """The word that has a shape, in the place of the one it comes from."""
    head = head_of(shape)
    single, bare = word.single or MARKS.isdisjoint(shape.replace(ANY, "").translate(_WHOLE)), shape[:1] in WHOLE
    return Word(word.start, word.end, shape if head == shape else None, head, single=single, bare=bare)


def _glob_shapes(shape: str, options: frozenset[str]) -> Sequence[str]:
    """What a pattern may stand for under options of bash (bash manual, The Shopt Builtin)."""
    parts = shape.split("/")
    if parts[-1] == _DEEP:
        parts.append(SOME)
    if "nocaseglob" in options:
        parts = [part if _PATTERN.isdisjoint(part) else _LETTER.sub(ONE, part) for part in parts]
    ways: list[tuple[str, ...]] = [()]
    for part in parts:
        choices: tuple[tuple[str, ...], ...] = ((part,),)
        if part == _DEEP:
            choices = (), (ONE + ANY,)
        elif part[:1] == SOME and "dotglob" in options:
            choices = (part,), (f".{part}",)
        if len(ways) * len(choices) > MOST:
            return [ANY]
        ways = [(*way, *each) for way in ways for each in choices]
    return ["/".join(way) for way in ways]


def _mark_unquoted(match: Match[str]) -> str:
    """What bash makes of a part of a value that is not quoted (bash manual, Word Splitting, Filename Expansion)."""
    if match.lastgroup == "glob":
        return _MARK[match[0]]
    return {"blank": BREAK, "class": ONE}.get(match.lastgroup or "", MANY)


def _without(shape: str, ending: str) -> str:
    """A shape without an ending that is literal."""
    if shape[-1:] == AT:
        return f"/{ANY}"
    last = _MARKED.split(shape)[-1]
    if last.endswith(ending):
        return shape[: -len(ending)]
    if last == shape or len(last) >= len(ending):
        return shape
    head = _MARKED.split(shape)[0]  # of which the first mark may have completed the ending
    eaten = next((many for many in range(len(ending), 0, -1) if head.endswith(ending[:many])), 0)
    return head[: len(head) - eaten] + (MANY if MANY in shape or BREAK in shape else ANY)


def _sum(text: str) -> int:
    """The result of a sum or product of few short numbers."""
    total = 0
    for part in text.split("+"):
        value = 1
        for factor in part.split("*"):
            value *= int(factor)
        total += value
    return total


def is_glued(written: str) -> bool:
    """Whether the name of a variable may go on behind a brace or a line: `{a,$}HOME` is `aHOME $HOME` before names."""
    if "\\\n" in written:
        if _SPLICED.search(written):
            return True
        written = _SPLICE.sub(r"\1", written)
    if "{" not in written:
        return False
    bare = written if any(each in written for each in ("${", "$(", "`")) else _QUOTED.sub("''", written)
    return is_brace_expansion(bare) and _GLUED.search(bare) is not None


def _braces(shape: str, budget: Budget, written: str = "") -> list[str]:
    """A shape with its braces expanded, in bash's order (bash's source, braces.c).

    Args:
        shape: what the word becomes before.
        budget: what the work is paid from.
        written: the word, which has to hold a range as it is, because bash expands braces first.
    """
    start, end, cuts = shape.find(_OPEN), -1, list[int]()
    if shape.count(_OPEN) > MOST:
        return [shape[:start] + MANY]
    while start >= 0:
        budget.spend(4 + len(shape) // 32)
        end, cuts = _closing(shape, start)
        if end > 0:
            break
        start = shape.find(_OPEN, start + 1)
    if start < 0:
        return [shape]
    inside = shape[start + 1 : end]
    if start == 0 and inside[:1] == _CLOSE:  # bash passes it over where a word begins, not behind `$x`
        return [MANY]
    if cuts:
        parts = [shape[one + 1 : other] for one, other in pairwise([start, *cuts, end])]
        ways = [way for part in parts for way in _braces(part, budget, written)]
    else:
        ways = _range(inside) if f"{{{inside}}}" in (written or f"{{{inside}}}") else [MANY]
    rests = _braces(shape[end + 1 :], budget, written)
    if len(ways) * len(rests) > MOST:
        return [shape[:start] + MANY]
    return [shape[:start] + way + rest for way in ways for rest in rests]


def _closing(shape: str, start: int) -> tuple[int, list[int]]:
    """Where braces close that open at a position, and the commas between their parts; -1 where they do not."""
    depth, cuts, several = 0, list[int](), False
    for match in _BRACE.finditer(shape, start + 1):
        text, at = match[0], match.start()
        if text == _CLOSE and not depth and several:
            return at, cuts
        depth += (text == _OPEN) - (text == _CLOSE and depth > 0)
        several |= not depth and text != _CLOSE
        cuts += [at] if text == _COMMA and not depth else []
    return -1, []


def _range(text: str) -> list[str]:
    """The parts of `{1..9}`, which are unknown where they are many."""
    numbers = _NUMBERS.fullmatch(text)
    if numbers is None:
        return [ONE if _LETTERS.fullmatch(text) else MANY]
    first, last = int(numbers[1]), int(numbers[2])
    step = 1 if first <= last else -1
    return [str(each) for each in range(first, last + step, step)] if abs(last - first) < MOST else [DIGIT]


def _common(shapes: list[str]) -> str:
    """What all of some shapes begin with."""
    first, last = min(shapes), max(shapes)
    differs = (pos for pos, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(differs, len(first))]


def _end_index(written: str, pos: int, opens: str, closes: str) -> int:
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


def exactly(text: str) -> str:
    """The shape of a word that is literal."""
    text = text[:LONGEST]
    return text if text.isprintable() else text.translate(DROPPED)  # far quicker: no mark can be printed


def head_of(shape: str) -> str:
    """What a shape begins with that is known: all before its first mark."""
    match = None if shape.isprintable() else _ANY_MARK.search(shape)
    return shape if match is None else shape[: match.start()]


def fits(shape: str, name: str) -> bool:
    """Whether a shape may become exactly this text, which holds no marks."""
    shape = shape.translate(_WIDER)
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


def widest(run: Match[str]) -> str:
    """The mark that stands for all of a run of marks."""
    return next((mark for mark in (MANY, ANY) if mark in run.group()), SOME)
