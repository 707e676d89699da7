"""Where the results of substitutions land: where they can only be data, or where they could be more.

Only bash can know a result. It is data where nothing runs it, evaluates it or takes it for an option or a file to
change: within a quoted word behind literal text, as an operand of `echo`, of `printf` behind its format, of a test, in
the word of a `case`, in an assignment, in a here-document. Where nobody can say that, it is not (bash manual, Command
Substitution; what bash evaluates a second time was tried with bash 5.2).
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.program import UNKNOWN
from asimi.core.programs.variables import BASH, COMPARISONS, LOADING
from asimi.core.reading.account import account_of
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, levels_of, role_of, roles_beside
from asimi.core.reading.bindings import Result
from asimi.core.reading.commands import base
from asimi.core.reading.results import is_tail, result_of
from asimi.core.reading.shapes import DIGIT
from asimi.core.reading.stdin import STDIN, lists
from asimi.core.reading.values import BY_BEGINNING
from asimi.core.syntax.parser import DECLARES
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from asimi.core.budget import Budget
    from asimi.core.call import Span
    from asimi.core.programs.program import Operand, Program
    from asimi.core.reading.arguments import Argument
    from asimi.core.reading.bindings import Variables
    from asimi.core.reading.commands import Command, Where
    from asimi.core.syntax.nodes import Node, Redirection, Script, SimpleCommand, Substitution, Word

IN_PLACE = frozenset({"-", ":-", "+", ":+"})
"""Operators of `${x:-…}` that put their operand where the expansion is."""

NAMES_VARIABLE = frozenset({"-v", "-R"})
"""Operators of `[[` and `[` whose operand is looked up, with the substitution in its subscript."""

UNARY = frozenset("-" + letter for letter in "bcdefghknprstuwxzGLNOS")
BINARY = frozenset({"=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"}) | COMPARISONS
"""Operators of `[` that look at their operands and evaluate nothing."""

_PLAINLY = frozenset({"-g", "-r", "-x", "-gr", "-gx", "-rx", "-xr", "--"})
"""Options of what declares variables with which a value is taken as it is."""

RUNS_INPUT = frozenset({"code", "embeds", "input", "interprets", "opaque", "takes"})
"""Traits of programs that may run what they read, or take names of files from it."""

BARRED = frozenset({"code", "delete"})
"""Effects of commands to which no result is data: what it names would be run, or lost."""

REACHES = frozenset({"network", "publish"})
"""Effects of programs to many of which a value that begins with `@` names a file (curl(1), gh(1))."""

DATA = frozenset({"data", "new"})
NAMED = DATA | {"enter", "look", "read", "write", "move"}
"""Roles of operands that are no file, or one of which a look at the files says more."""

_TIME = Result("date", DIGIT)
"""A number that says what time it is, in which no file has a part."""

_APART = frozenset(" ()+-*/%")
"""What stands around a number in arithmetic; digits behind a letter would be part of a name."""

REDIRECTS = frozenset({"<", ">", ">>", ">|", "&>", "&>>", "<>"})
"""Operators whose word is a name of a file, which bash expands once."""

_NAMED = pattern(r"([A-Za-z_]\w*)\+?=", ASCII)
_COUNTS = pattern(r"%[^A-Za-z%]*[hlLjzt]*n")
"""A conversion of `printf` that assigns to the variable that its operand names."""


class _Place(NamedTuple):
    """A piece of a script that a substitution may be in.

    Attributes:
        kind: `word` of a command, `value` of a variable, `target` of a redirection, `body` of a here-document,
            `operand` of `[[`, `subject` of a `case`, `expansion`, `evaluation`, or the `substitution` itself.
        node: the piece.
        of: what it is a piece of.
    """

    kind: str
    node: Node
    of: Node


class _PendingSubstitution(NamedTuple):
    """A substitution in a word of a command, which is judged when all was read.

    Attributes:
        span: what is shown of it.
        word: the place of the word in its text.
        text: the text.
        at: the place that is shown for all of the text; None for the request's own.
    """

    span: Span
    word: Span
    text: str
    at: Span | None


class Sinks:
    """The substitutions of a request, and where each of them lands."""

    def __init__(self) -> None:
        self._waiting: list[_PendingSubstitution] = []
        self._elsewhere: dict[Span, None] = {}

    def take(self, script: Script, where: Where, budget: Budget) -> None:
        """Take down the substitutions of a script."""
        budget.spend(4 * len(script.substitutions))
        for substitution, around in _holders(script, budget) if script.substitutions else ():
            span, start, end = where.span(substitution), substitution.start, substitution.end
            words = [place.node for place in around if place.kind == "word"]
            feeds = substitution.kind in {"command", "backquote"} or script.text[substitution.start] == "<"
            own = feeds and bool(around)
            result = result_of(substitution) if feeds else None
            number = result == _TIME and _APART.issuperset(script.text[start - 1] + script.text[end : end + 1])
            if not own or not all(_is_fit(place, script, tail=is_tail(result), number=number) for place in around):
                self._elsewhere[span] = None
            for word in words:
                self._waiting.append(_PendingSubstitution(span, (word.start, word.end), script.text, where.shown_at))

    def elsewhere(
        self, commands: Iterable[Command], variables: Variables, names: Collection[str], budget: Budget
    ) -> Iterable[Span]:
        """The places of those that do not land as data.

        Args:
            commands: all commands of the request.
            variables: what the text gives to variables.
            names: the functions that the text defines.
            budget: what the look at the commands is paid from.
        """
        holding: dict[object, list[tuple[Command, int]]] = {
            (each.word, each.text, each.at): [] for each in self._waiting
        }
        for command in commands if holding else ():
            for at, word in enumerate(command.words) if not command.possible else ():
                holding.get(((word.start, word.end), command.source, command.where.shown_at), []).append((command, at))
        known: dict[int, Collection[int]] = {}
        for each in self._waiting:
            found = holding[each.word, each.text, each.at]
            deepest = max((command.where.depth for command, _ in found), default=0)
            own = [(command, at) for command, at in found if command.where.depth == deepest]
            budget.spend(4 + 2 * len(found))
            for command, _ in own:
                if id(command) not in known:
                    budget.spend(8 + 8 * len(command.words))
                    known[id(command)] = _data_in(command, variables, names)
            if not own or not all(at in known[id(command)] for command, at in own):
                self._elsewhere[each.span] = None
        return self._elsewhere


def _holders(script: Script, budget: Budget) -> Iterator[tuple[Substitution, Sequence[_Place]]]:
    """The substitutions of a script, each with what it is in, the outermost first."""
    found = sorted(_places(script), key=lambda each: (each.node.start, -each.node.end, each.kind == "substitution"))
    budget.spend(4 * len(found))
    around: list[_Place] = []
    for place in found:
        while around and around[-1].node.end <= place.node.start:
            around.pop()
        if place.kind == "substitution":
            budget.spend(2 + len(around))
            yield place.node, tuple(around)  # type: ignore[misc] # it is one by its kind
        else:
            around.append(place)


def _places(script: Script) -> Iterator[_Place]:
    """Everything that a substitution of a script may be in, and they themselves."""
    for command in script.commands:
        yield from (_Place("word", word, command) for word in command.words)
    for binding in script.bindings:
        yield from (_Place("value", word, binding) for word in binding.values)
    for redirection in script.redirections:
        body = redirection.heredoc
        yield _Place("target", redirection.target, redirection) if body is None else _Place("body", body, redirection)
    for condition in script.conditions:
        yield from (_Place("operand", word, condition) for word in condition.operands)
    yield from (_Place("subject", word, word) for word in script.subjects)
    yield from (_Place("expansion", each, each) for each in script.expansions)
    yield from (_Place("evaluation", each, each) for each in script.evaluations)
    yield from (_Place("substitution", each, each) for each in script.substitutions)


def _is_fit(place: _Place, script: Script, *, tail: bool, number: bool) -> bool:
    """Whether a result is data in a place, as far as the place tells; in a word of a command its program tells more.

    Args:
        place: the place.
        script: the script around it.
        tail: whether the result can only be a piece of a name.
        number: whether it can only be a number by itself, of which no other text makes a name.
    """
    node = place.of
    if place.kind == "value":
        return node.how in {"assign", "for", "prefix"} and _is_own(node.name)  # type: ignore[attr-defined]
    if place.kind in {"target", "body"}:
        return (tail and _is_below(node)) or _is_read(node, script)  # type: ignore[arg-type]
    if place.kind == "operand":
        return node.operator not in COMPARISONS | NAMES_VARIABLE  # type: ignore[attr-defined]
    if place.kind == "expansion":
        return node.operator in IN_PLACE  # type: ignore[attr-defined]
    return place.kind in {"word", "subject"} or (place.kind == "evaluation" and number)


def _is_own(name: str) -> bool:
    """Whether a variable means nothing to bash, and names no program to others."""
    return name not in BASH and LOADING.fullmatch(name) is None


def _is_below(redirection: Redirection) -> bool:
    """Whether a redirection names a file in a literal directory, which a piece of a name cannot leave."""
    head = redirection.target.head
    return redirection.operator in REDIRECTS and "/" in head and not head.endswith(("/", "."))


def _is_read(redirection: Redirection, script: Script) -> bool:
    """Whether a here-document, a here-string or the pipe of `< <(…)` is read by programs that only read it."""
    piped = redirection.operator == "<" and script.text.startswith("<(", redirection.target.start)
    if redirection.heredoc is None and redirection.operator != "<<<" and not piped:
        return False
    readers = [command for command in script.commands if command.input is redirection]
    return bool(readers) and redirection.descriptor in {None, 0} and all(map(_only_reads, readers))


def _only_reads(command: SimpleCommand) -> bool:
    """Whether a command takes its standard input for data: it changes nothing and reads it as nothing else."""
    literals = [word.literal or "" for word in command.words]
    program = find(base(literals[0])) if literals else None
    if program is None or program.shell or any(each.rpartition("=")[2] in STDIN | {"-"} for each in literals):
        return False
    rows = [level.row for level in levels_of(command.words, program)]
    runs = RUNS_INPUT - {"takes"} if "builtin" in program.traits else RUNS_INPUT  # `read` takes it for a variable
    if any(row.starts is not None or row.syntax.commands or row.traits & runs for row in rows):
        return False
    effects = rows[-1].effects
    return "copies" in program.traits or (effects is not None and effects <= {"read"})


# -- words of commands


def _data_in(command: Command, variables: Variables, names: Collection[str]) -> Collection[int]:
    """The indices of the words of a command that are data for its program, whatever they turn out to be."""
    name, program = command.name, command.program
    if name is None or program is None or (command.own and command.literals[0] in names):
        return ()
    behind = range(1, len(command.words))
    if name == "echo":
        return behind
    found = {index for index in behind if command.literals[index] is not None}  # the text of a here-document
    if name == "printf":
        found.update(behind[_end_of_format(command) :])
    elif name in {"[", "test"}:
        found.update(behind if is_tested(command) else ())
    elif name == "cd":
        results = [variables.results.get(command.text_of(word).strip('"')) for word in command.words]
        found.update(index for index in behind if (result := results[index]) is not None and result.below)
    elif name in DECLARES:
        found.update(index for index in behind if _is_declared(command, index, variables))
    elif "builtin" not in program.traits:
        found.update(_plain_arguments(command, program))
    return found


def _end_of_format(command: Command) -> int:
    """How many arguments of `printf` end with a literal format that assigns nothing; all where there is none."""
    form = 1 + (command.literals[1:2] == ("--",))
    text = command.literals[form] if form < len(command.literals) else None
    plain = text is not None and (form == 2 or text[:1] != "-") and _COUNTS.search(text.replace("%%", "")) is None
    return form if plain else len(command.words)


def is_tested(command: Command) -> bool:
    """Whether a test has literal operators that evaluate nothing: up to four words, so nothing else can be one."""
    words = list(command.literals[1:7])
    if command.name == "[" and (not words or words.pop() != "]"):
        return False
    if len(command.words) > 6 or not all(word.single for word in command.words):
        return False
    if words[:1] == ["!"] and len(words) > 1:
        del words[0]
    if len(words) == 2:
        return words[0] in UNARY
    return len(words) == 1 or (len(words) == 3 and words[1] in BINARY)


def _is_declared(command: Command, index: int, variables: Variables) -> bool:
    """Whether a word assigns to a variable that is no array: the value of one is expanded again (tried: it runs)."""
    word = command.words[index]
    match = _NAMED.match(word.head)
    whole = word.single or _is_unquoted(command, word)
    if match is None or not _is_own(match[1]) or not whole:
        return False
    options = [word for word in command.literals[1:index] if word is None or word[:1] in {"-", "+"}]
    once = command.name == "export" or variables.is_given_once(match[1])
    return once and not variables.lost and all(word in _PLAINLY for word in options)


def _is_unquoted(command: Command, word: Word) -> bool:
    """Whether bash sees an assignment in a word before it expands it, and does not split its value then."""
    first = command.words[0]
    plain = command.source[first.start : first.end] == first.literal  # bash knows no quoted one
    return command.own and plain and _NAMED.match(command.source, word.start, word.end) is not None


def _plain_arguments(command: Command, program: Program) -> Iterator[int]:
    """The words that are operands, no program text and no file to change, or the values of plain options."""
    words = command.words
    row, _, _, sure, arguments, *_ = command.levels[-1]
    mixed = row.subcommands or row.others or row.starts is not None or row.shell or "opaque" in row.traits
    does = account_of(command)  # not its own, because not all was read
    effects = does.effects
    barred = effects is None or not BARRED.isdisjoint(effects) or "expressions" in program.traits
    script = command.where.script
    substitutions = script.substitutions if script is not None else ()
    listed = {(each.start, each.end) for each in substitutions if each.kind == "command" and lists(each.script)}
    if effects is not None:  # whatever they are: the same words are handed on by `xargs`
        named = {touch.word for touch in does.touches}
        yield from (at for at in named if (words[at].start, words[at].end) in listed)
    if not sure or mixed or barred or any(each.option is COMPUTED or each.option is UNKNOWN for each in arguments):
        return
    roles, operands = roles_beside(arguments, row.syntax), [each for each in arguments if each.option is None]
    wanted = DATA | {"write"} if any(level.row.traits & RUNS_INPUT for level in command.levels) else NAMED
    given = [each.at for number, each in enumerate(operands) if _role(roles, number, len(operands)) in wanted]
    given = [index for index in given if words[index].head or words[index].bare]
    marks = not REACHES.isdisjoint(effects or ()) and all("verbatim" not in each.row.traits for each in command.levels)
    values = [each for each in command.arguments if _is_plain_value(each, words, wanted)]
    given += [each.value_at for each in values if each.value is not None and (each.value.head or not marks)]
    yield from (index for index in given if index > program.names_by and words[index].single)


def _role(roles: Sequence[Operand], number: int, count: int) -> str:
    """What becomes of an operand; empty where that is not known."""
    role = role_of(roles, number, count)
    return "" if role is None else role.role


def _is_plain_value(argument: Argument, words: Sequence[Word], wanted: AbstractSet[str]) -> bool:
    """Whether an option only takes its value, of which the beginning is literal, and which is no option itself."""
    option, value = argument.option, argument.value
    if option is None or option is SEPARATOR or value is None or option.does not in {"options", "inert"}:
        return False
    head = words[argument.value_at].head
    begun = argument.at < argument.value_at or bool(value.head) or head.endswith("=")
    begun = begun and value.head[:1] != "@" and not head.endswith("=@")  # curl(1): the name of a file follows
    return begun and (not option.reader or option.reader in (wanted | BY_BEGINNING if value.head else wanted))
