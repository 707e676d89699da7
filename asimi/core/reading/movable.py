"""Which commands of a text may run elsewhere, each in its own place, while the rest runs as it is written.

A command is movable if another program with the same output and exit code can stand for its words, and nobody could
tell. So it must run at most once, in the foreground, with nothing to read and its own name, words and environment; and
nothing may print the words that stand there. Where that is not proven, it is not movable.

Where only its words are not known, or how often it runs, a client can stand before these words, and hand them on as
they are each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import is_builtin
from asimi.core.reading.commands import AddedWord
from asimi.core.reading.notes import WHOLE_TEXT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from asimi.core.call import Span
    from asimi.core.reading.commands import Command, Reading
    from asimi.core.syntax.nodes import Node, Script, Substitution

PLAIN = frozenset(": [ break continue echo exit false printf pwd read return shift test true type".split())
"""Builtins that change nothing for the commands behind them but the directory, and variables, which are looked at."""

MEANING = frozenset({"assignment", "dynamic", "rebinding"})
"""Codes of findings about what commands mean."""

ONCE = frozenset({"ionice", "nice", "stdbuf", "timeout"})
"""Programs that start another one with what they are given to read, and change nothing for it but how it is run."""

FED = frozenset({"arg-file", "interactive", "open-tty"})
"""Options of `xargs` with which what it starts has something to read (xargs(1)); else that is `/dev/null`."""

TELLING = WHOLE_TEXT | {"BASH_LINENO", "LINENO"}
"""Variables that bash fills with words of the text, or with places in it."""

_OPTION = pattern(r"[-+][eu]*o?|errexit|nounset|pipefail")
"""Words of `set` that only say when bash gives up."""


class Movable:
    """What stands against running commands of a text elsewhere.

    Args:
        reading: what the text would do.
        exported: names of the variables that commands inherit.

    Attributes:
        why: what stands against it for every command, in words; empty if nothing does.
    """

    def __init__(self, reading: Reading, exported: Collection[str]) -> None:
        script = reading.script
        self._reads: dict[int, bool] = {}  # by the identity of simple commands, whether each is given something to read
        self._commands = reading.commands
        self._text = "" if script is None else script.text
        if script is None:
            self.why = "it is no text of a shell"
            return
        self.why = _against(script, reading, exported)
        self._look(script, given=False)

    def against(self, command: Command, shown: str) -> str:
        """What stands against running a command elsewhere, in words; empty where it is movable.

        Args:
            command: the command.
            shown: the same in few words.
        """
        simple = command.simple
        if self.why:
            return self.why
        if simple is None or not (command.own and command.outer) or command.possible:
            return f"{command.via or 'another program'} starts `{shown}`"
        if id(simple) not in self._reads:
            return f"bash may run `{shown}` twice there, or with other words"
        if simple.assignments:
            return f"the text sets a variable for `{shown}`"
        if command.words != simple.words or None in command.literals:
            return f"only bash can know all words of `{shown}`"
        first, last = self.span(command)
        if any(first < each.start < last for each in simple.redirections):
            return f"a redirection stands between the words of `{shown}`"
        if simple.loop:
            return f"`{shown}` is in a loop"
        return f"`{shown}` may read what the text gives it" if self._reads[id(simple)] else ""

    def may_ask(self, command: Command) -> bool:
        """Whether a client may stand before the words of a command, which then has them run elsewhere as they are."""
        simple, first = command.simple, command.words[0]
        if self.why or simple is None or simple.assignments or not command.outer or command.possible:
            return False
        starting = [each for each in self._commands if each.simple is simple and each.words[0].start < first.start]
        fed = [each for each in starting if each.name == "xargs" and FED.isdisjoint(each.options.all)]
        known = all(each.name in ONCE for each in starting if each not in fed) and first.literal is not None
        if not known or (self._reads.get(id(simple), True) and not fed):
            return False
        words = zip(command.words, command.literals, strict=True)
        return all(literal is not None or word.single or isinstance(word, AddedWord) for word, literal in words)

    def span(self, command: Command) -> Span:
        """The place of a command's words."""
        return command.words[0].start, command.words[-1].end

    def _look(self, script: Script, *, given: bool) -> None:
        """Take down what stands against the commands of a script.

        Args:
            script: the script.
            given: whether they may read what a command around them is given.
        """
        for command in script.commands:
            self._reads[id(command)] = given or command.input is not None
        for each in script.substitutions:
            inside = each.kind == "command" or (each.kind == "process" and self._text.startswith("<", each.start))
            if inside and each.script.text is script.text and (held := _holder(script, each)) is not None:
                self._look(each.script, given=given or held)


def _holder(script: Script, substitution: Substitution) -> bool | None:
    """Whether what is in a substitution may read what a command around it is given.

    Returns:
        That; None where bash may execute the substitution twice, or as it is not written.
    """
    if any(_holds(each, substitution) for each in (*script.expansions, *script.evaluations)):
        return None
    for command in script.commands:
        values = [value for binding in command.assignments for value in binding.values]
        if any(_is_once(script, word, substitution) for word in (*command.words, *values)):
            return command.input is not None
    words = [word for each in script.conditions for word in each.operands]
    words += script.subjects
    words += [value for each in script.bindings if each.how == "for" for value in each.values]
    for word in words:
        if _is_once(script, word, substitution):
            before = script.text[: word.start].replace("||", "")
            return "|" in before or "<" in before or any(each.input is not None for each in script.commands)
    return None


def _is_once(script: Script, word: Node, substitution: Substitution) -> bool:
    """Whether a word holds a substitution, and no brace expansion makes several words of it."""
    if not _holds(word, substitution):
        return False
    around = script.text[word.start : substitution.start] + script.text[substitution.end : word.end]
    return getattr(word, "single", False) or "{" not in around


def _holds(node: Node, inner: Node) -> bool:
    return node.start <= inner.start and inner.end <= node.end


def _against(script: Script, reading: Reading, exported: Collection[str]) -> str:
    """What stands against running any command of a text elsewhere, in words."""
    if reading.functions:
        return "the text defines functions"
    prefixed, bound, more = set[str](), set[str](), set[str]()
    for_one: set[Span] = set()
    for each in _scripts(script):
        if each.background or any(binding.how == "coproc" for binding in each.bindings):
            return "something in the text runs in the background"
        names = {name for evaluation in each.evaluations for name in evaluation.names}
        names |= {expansion.name for expansion in each.expansions}
        if any(expansion.operator[:1] in {"!", "@"} for expansion in each.expansions):
            return "only bash can know which variables the text expands"
        if told := sorted(names & TELLING):
            return f"{told[0]} holds words of the text"
        for binding in each.bindings:
            (prefixed if binding.how == "prefix" else bound).add(binding.name)
            for_one |= {(binding.start, binding.end)} if binding.how == "prefix" else set()
    for finding in reading.findings:
        if finding.code in MEANING and finding.span not in for_one:
            return finding.message
    for command in reading.commands:
        if command.possible:
            continue
        if command.name is None:
            return "only bash can know all commands of the text"
        if is_builtin(command.name) and not _is_plain(command):
            return f"`{command.name}` may change what commands mean"
        more.update(word for word in command.literals[1:] if word is not None and command.name in {"printf", "read"})
    variables = reading.variables
    if variables.separates:
        return "the text changes how bash reads words"
    bound |= {name for name in variables.names() if name not in prefixed or name in more}
    inherited = sorted(name for name in bound if name in exported)
    return f"the text sets {inherited[0]}, which commands inherit" if inherited else ""


def _is_plain(command: Command) -> bool:
    """Whether a builtin changes nothing for the commands behind it but directory and variables."""
    words = command.literals[1:]
    if command.name == "cd":
        return command.simple is not None and not command.simple.assignments  # `HOME=x cd`
    if command.name == "command":
        return words[:1] in {("-v",), ("-V",)}
    if command.name == "set":
        return bool(words) and all(word is not None and _OPTION.fullmatch(word) for word in words)
    return command.name in PLAIN


def _scripts(script: Script) -> Iterator[Script]:
    """A script, and all in it that bash would execute."""
    yield script
    for each in script.substitutions:
        yield from _scripts(each.script)
