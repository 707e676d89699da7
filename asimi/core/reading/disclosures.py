"""Which commands show the environment or a credential, by a name or by what a variable carries.

A value is carried by what the text assigns from it, by the arguments of functions and by `set --`. It is shown by
`echo`, by a text on a command's input, by a program that only reads and may say its words again in an error, by
arithmetic, which names what it cannot read, and by every command where bash traces them (bash manual, The Set Builtin).
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import pairwise
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, names_of
from asimi.core.pattern import pattern
from asimi.core.programs.variables import COMPARISONS, FREE_BEGINNINGS, SECRETS
from asimi.core.reading.account import READ
from asimi.core.reading.arguments import cut
from asimi.core.reading.evaluation import NAME
from asimi.core.reading.shapes import is_glued
from asimi.core.reading.values import SHOWING, fault_of
from asimi.core.syntax.parser import DECLARES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Span
    from asimi.core.reading.commands import Command, Reading
    from asimi.core.syntax.nodes import Binding, Expansion, Node, Script

_PROGRAM = pattern(r"""\$ENV\b|(?<![.\w])env\b(?!\s*:)|\$__prog_args\b|\b(?:import|include)\s*["$(]""")
"""What shows the environment in a program of jq, or takes in a module that may (jq manual, `$ENV`, `import`)."""

_YQ = pattern(r"(?<![.\w])(?:(?=\w*load)\w++|strenv|eval|system)\s*+\(|envsubst")
"""What shows the environment or another file in an expression of yq (its manual, Load, Env Variable Operators)."""

_PLAIN_KINDS = names_of(facts_of(__package__, "disclosures")["plain-kinds"])
"""Kinds of resources that have neither an environment nor data (kubectl api-resources)."""


_NAME = pattern(r"\$\{?(\w+)")
_VALUED = pattern(r"-[CGgOopqstUuk]")
"""Options of ps(1) with one dash whose value is the next word."""


def shows_environment(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    """Whether what a command prints is the whole environment, or a variable of it that is a secret."""
    levels = command.levels
    rows = [_ALIKE.get(command.name or "", "")] if command.program is None else [each.row.shows for each in levels]
    for each in rows:
        if each and (_may_name_secret(command, each) if each in SHOWING else SHOWS[each](command, is_secret)):
            return True
    options = [(each.option, each.value) for each in command.arguments if each.option is not None]
    return any(
        "read.secret" in option.kinds or (option.reader in SHOWING and fault_of(option.reader, value))
        for option, value in options
    )


def _may_name_secret(command: Command, reader: str) -> bool:
    """Whether what its operands name may be a credential; so may all that there is, where none is named."""
    words = [command.words[each.at] for each in command.levels[-1].arguments if each.option is None]
    return not words or any(fault_of(reader, word) for word in words)


def _whole(command: Command, _: object) -> bool:
    """All of a thing, where no option says which parts."""
    return all(each.option is None or each.option.reader not in SHOWING for each in command.arguments)


def looks_secret(name: str | None) -> bool:
    """Whether a variable's name is that of a credential, or not known."""
    return name is None or _is_of_secret(name.upper())


@lru_cache(maxsize=1024)
def _is_of_secret(name: str) -> bool:
    return not name.startswith(FREE_BEGINNINGS) and any(fnmatchcase(name, each) for each in SECRETS)


def _operands(command: Command) -> tuple[list[str | None], set[str]]:
    """The operands of a command, None for one that only bash can know, and the names of its options."""
    arguments = list(cut(command.words, command.program.syntax)) if command.program is not None else []
    options = {name for each in arguments if each.option is not None for name in (each.text, *each.names)}
    return [command.words[each.at].literal for each in arguments if each.option is None], options


def _env(command: Command, _: object) -> bool:
    """env(1) without a command, unless it starts with an empty environment."""
    operands, options = _operands(command)
    names = [each for each in operands if each is None or "=" not in each]
    return not names and options.isdisjoint({"-i", "-", "--ignore-environment", "--help", "--version", "-S"})


def _printenv(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    operands, options = _operands(command)
    return options.isdisjoint({"--help", "--version"}) and (not operands or any(map(is_secret, operands)))


def _declare(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    """`declare`, `export`, `readonly` without names, or with those of credentials behind `-p` (bash manual)."""
    words = command.literals[1:]
    options = [word for word in words if word is not None and word[:1] in {"-", "+"}]
    names = [word for word in words if word is None or word[:1] not in {"-", "+"}]
    if any(letter in word for word in options for letter in "fF"):
        return False
    if names:
        return any("p" in word for word in options) and any(map(is_secret, names))
    return not options or any(letter in word for word in options for letter in "px")


def _ps(command: Command, _: object) -> bool:
    """ps(1) with `e` among options in the BSD style, which shows the environment behind the command."""
    words = [each.head + "e" if each.literal is None else each.literal for each in command.words]
    bundles = [word for before, word in pairwise(words) if _VALUED.fullmatch(before) is None]
    given = any(word[:1] != "-" and word.isalpha() and "e" in word for word in bundles)
    return given or any(map(command.may_split, command.words))


def _jq(command: Command, _: object) -> bool:
    return any(word is None or _PROGRAM.search(word) is not None for word in _operands(command)[0][:1])


def _yq(command: Command, _: object) -> bool:
    words = command.literals[1:]
    files = not {"--from-file", "-f"}.isdisjoint(word and word.partition("=")[0] for word in words)
    return files or _jq(command, None) or any(word is None or _YQ.search(word) is not None for word in words)


def _kubectl(command: Command, _: object) -> bool:
    """`kubectl config view --raw` (kubectl reference)."""
    words = command.literals
    return {"config", "view"} <= {*words} and any(word is None or word.startswith("--ra") for word in words)


def _git(command: Command, _: object) -> bool:
    """`git config`, where it prints all settings, or those of a name or a pattern that may be of a credential."""
    level = command.levels[-1]
    asks = any(each.row.name == "config" for each in command.levels[1:])
    if not asks or not command.effects or not command.effects <= READ:
        return False
    options = {name for each in level.arguments for name in each.names}
    if level.row.name == "list" or not options.isdisjoint({"-l", "--list"}):
        return "--name-only" not in options
    operands = [command.words[each.at] for each in level.arguments if each.option is None]
    return bool(operands) and bool(fault_of("GITKEY", operands[0]))


def _filter(command: Command, _: object) -> bool:
    """`gh --jq` with a program that shows the environment (gh formatting; it is jq's language)."""
    values = [each.value for each in command.arguments if "--jq" in each.names and each.value is not None]
    return any(each.literal is None or _PROGRAM.search(each.literal) is not None for each in values)


def _resources(command: Command, _: object) -> bool:
    """`kubectl get` and `describe` of secrets, or of what may have an environment, unless it prints other fields."""
    last = command.levels[-1]
    words = [(command.words[each.at].literal or "?").lower() for each in last.arguments if each.option is None]
    kinds = {each.partition("/")[0] for word in words[:1] for each in word.split(",")}
    kinds |= {word.partition("/")[0] for word in words if "/" in word}
    if any(each.startswith("secret") for word in words for each in word.split(",")):
        return True
    printed = [each.value for each in last.arguments if not {"-o", "--template"}.isdisjoint(each.names)]
    parts = last.row.name != "describe" and not any(fault_of("RESOURCEPARTS", each) for each in printed)
    return not parts and not kinds <= _PLAIN_KINDS


def _decrypts(command: Command, _: object) -> bool:
    """gpg(1) that decrypts, ansible-vault that does or shows."""
    words = (word or "" for word in command.literals)
    return any(word in {"-d", "view"} or word.startswith(("--decr", "decrypt")) for word in words)


def _envsubst(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    """envsubst(1) puts in any variable that its input names, unless its operand says which."""
    operands, options = _operands(command)
    if not options.isdisjoint({"-V", "--version", "-h", "--help", "-v", "--variables"}):
        return False
    names = [name for each in operands[:1] for name in _NAME.findall(each or "")]
    return not names or any(map(is_secret, names))


SHOWS: dict[str, Callable[[Command, Callable[[str | None], bool]], bool]] = {
    "AWK": lambda command, _: any("ENVIRON" in (word or "") for word in command.literals[1:]),
    "BARE": lambda command, _: len(command.words) == 1,  # `set` alone prints all variables
    "BSD": _ps,
    "DECLARED": _declare,
    "DECRYPTED": _decrypts,
    "FILTER": _filter,
    "JQ": _jq,
    "NAMED": _printenv,
    "PUT": _envsubst,
    "RAW": _kubectl,
    "RESOURCES": _resources,
    "REST": _env,
    "SECRET": lambda *_: True,
    "SETTING": _git,
    "UNLESS": _whole,
    "YQ": _yq,
}
"""How a program may show what is secret, by what its row says (`shows:`)."""

_ALIKE = {"gojq": "JQ", "jaq": "JQ", "k3s": "RAW"}
"""Programs without a row that show it as others do."""


_EXPANDS = pattern(r"\$(?:\{(!?)([A-Za-z_]\w*+|[0-9]++|[@*])(?![\w+]|:\+)|()([A-Za-z_]\w*+|[0-9@*]))", ASCII)
"""A variable whose value bash puts into a word, behind `!` by its name; neither its length nor another text for it."""

_NAMES = pattern(r"(?:\*|@|\[[@*]\])\}")
"""What follows `${!x` where it stands for names or keys (bash manual, Shell Parameter Expansion)."""

_AS_ENVIRONMENT = pattern(r"[A-Z_][A-Z0-9_]*+")
_PLACE = pattern(r".*_(?:FILE|PATH|DIR|SOCK)")
"""Names of variables that say where something is, and hold nothing else."""

_SILENT = DECLARES | {":", "true", "false", "set", "unset"}
"""Builtins that say nothing of the values of their words."""

_PRINTED = frozenset({"PS3", "TIMEFORMAT"})
"""Variables that bash prints; others of that kind, such as PS4, are a question of their own."""

_TESTS = frozenset({"[", "test"})
_SHELLS = frozenset({"bash", "dash", "ksh", "sh", "zsh"})
_LAST = "_"
_ARGUMENTS = "@"
"""What stands for all of the arguments of a shell or a function."""


class SecretVariables:
    """The variables of a text that may hold a credential.

    Args:
        reading: the text.
        hides: says whether a variable of the environment holds a secret by its form.
        budget: pays for it.
    """

    def __init__(self, reading: Reading, hides: Callable[[str], bool], budget: Budget) -> None:
        self._reading, self._hides, self._budget = reading, hides, budget
        wheres = {id(each.where.script): each.where for each in reading.commands}
        self._scripts = [(each.script, each) for each in wheres.values() if each.script is not None]
        self._names: set[str] = set()
        if any("$" in script.text for script, _ in self._scripts):
            self._names = self._secret_names()

    def disclosures(self) -> Iterator[Span]:
        """The places that show the environment or a credential in it."""
        for command in self._reading.commands:
            if not command.possible and (shows_environment(command, self._is_named) or self._shows(command)):
                yield command.span
        values = self._reading.variables  # arithmetic names the value of another one, which is no number
        yield from (span for name, span in self._reading.evaluated if name not in values and self._is_secret(name))
        traced = any(map(_traces, self._reading.commands))
        for script, where in self._scripts:
            shown: list[Node] = [each for each in _inputs(script) if self._expands(script.text[each.start : each.end])]
            shown += [each for each in script.expansions if self._complains(each, script.text[each.start : each.end])]
            if traced and self._expands(script.text):
                shown += script.commands
            yield from map(where.span, shown)

    def _is_named(self, name: str | None) -> bool:
        return looks_secret(name) or self._is_secret(name)

    def _complains(self, expansion: Expansion, text: str) -> bool:
        """Whether bash may print a credential because of an expansion: as a name that is none, or behind `?`."""
        if expansion.operator[:1] == "!" and _NAMES.search(text) is None and self._is_secret(expansion.name):
            return True
        return expansion.operator[-1:] == "?" and self._expands(text.partition("?")[2])

    def _shows(self, command: Command) -> bool:
        """Whether a command may print a word that holds a credential."""
        if command.name in _SILENT or command.defined:
            return False
        if command.name in _TESTS:
            from asimi.core.reading.sinks import is_tested

            if COMPARISONS.isdisjoint(command.literals) and is_tested(command):
                return False
        elif "echoes" not in command.traits:
            does = command.effects  # git says again what it takes, and anybody reads that in its history
            if does is None or not does - ({"write"} if "repository" in command.traits else set()) <= READ:
                return False
        return any(word.literal is None and self._expands(command.text_of(word)) for word in command.words[1:])

    def _expands(self, text: str) -> bool:
        """Whether a text holds the value of a credential when bash has expanded it."""
        self._budget.spend(1 + len(text) // 32)
        return any(map(self._is_secret, _names_in_text(text, self._reading)))

    def _is_secret(self, name: str | None) -> bool:
        """Whether a variable is or carries a credential, or nobody knows which it is."""
        if name is None or name in self._names:
            return True
        if _AS_ENVIRONMENT.fullmatch(name) is None or _PLACE.fullmatch(name) is not None:
            return False
        return looks_secret(name.replace("AUTHOR", "")) or (name not in self._reading.variables and self._hides(name))

    def _secret_names(self) -> set[str]:
        """The variables that get a credential, from whatever they get it; where in the text makes no difference."""
        leads: dict[str | None, set[str]] = {}
        for script, _ in self._scripts:
            for binding in script.bindings:
                for name in _names_in_binding(binding, script, self._reading):
                    leads.setdefault(name, set()).add(binding.name)
        for command in self._reading.commands:
            for word in command.words[1:]:
                for name in _names_in_text(command.text_of(word), self._reading) if word.literal is None else ():
                    leads.setdefault(name, set()).add(_LAST)
                    if command.defined or command.name == "set":
                        leads[name].add(_ARGUMENTS)
                    elif command.name in DECLARES:
                        leads[name].add(command.text_of(word).partition("=")[0].rstrip("+"))
        found: set[str] = set()
        left = [target for name, targets in leads.items() if self._is_secret(name) for target in targets]
        while left:
            name = left.pop()
            if name not in found:
                self._budget.spend(1)
                found.add(name)
                left += leads.get(name, ())
        return found


def _inputs(script: Script) -> Iterator[Node]:
    """The texts that commands are given on their input, that bash names if it cannot open them, or are a menu."""
    for each in script.redirections:
        if each.heredoc is None and each.target.literal is None:
            yield each.target
        elif each.heredoc is not None and each.heredoc.literal is None:
            yield each.heredoc
    for binding in script.bindings:
        if binding.how == "select" or binding.name in _PRINTED:  # its menu is printed
            yield from binding.values


def _names_in_binding(binding: Binding, script: Script, reading: Reading) -> Iterator[str | None]:
    for word in binding.values:
        if word.literal is None:
            yield from _names_in_text(script.text[word.start : word.end], reading)


def _names_in_text(text: str, reading: Reading) -> Iterator[str | None]:
    """The variables whose values a text holds, `@` for any argument of a function; None for one that nobody knows."""
    if is_glued(text):
        yield None
    for match in _EXPANDS.finditer(text):
        name = match[2] or match[4]
        if name[0] in "0123456789@*":
            yield _ARGUMENTS
        elif not match[1]:
            yield name
        elif _NAMES.match(text, match.end()) is None:
            given, sure = reading.variables.all_of(name)
            if not given or not sure:
                yield None
            yield from (named for each in given for value in each.values or () for named in NAME.findall(value))


def _traces(command: Command) -> bool:
    """Whether a command makes bash print what it runs."""
    words: Sequence[str | None] = command.literals[1:]
    if command.name != "set" and command.name not in _SHELLS:
        return False
    return "xtrace" in words or any(
        word is not None and word[:1] == "-" and word[:2] != "--" and "x" in word and "c" not in word[: word.find("x")]
        for word in words
    )
