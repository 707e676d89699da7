"""Reads a request: every command it would start, behind whatever wrapper, and what else is to be said about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.call import Verdict
from asimi.errors import ShellSyntaxError
from asimi.programs.variables import BASH, FREE, FREE_BEGINNINGS, HARMLESS_BASH, INTEGER, REBINDING
from asimi.programs.wrappers import APPLETS, FINDERS, LOADERS, REMOTE, SHELL_CODE, SHELL_VALUED, SHELLS, SUBWRAPPERS, WRAPPERS, Wrapper
from asimi.reading import evaluation
from asimi.reading.builtins import BUILTINS
from asimi.reading.commands import Command, Escape, Finding, Reading
from asimi.reading.escapes import escapes, subcommand
from asimi.reading.fed import fed_text
from asimi.reading.wrapped import ASSIGNMENT, inner
from asimi.syntax import parse
from asimi.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from asimi.call import Span
    from asimi.reading.wrapped import Inner
    from asimi.syntax.nodes import Binding, Redirection, Script, SimpleCommand

DEEPEST = 8
"""How many texts may be nested in texts (`bash -c "bash -c …"`) before no one can be asked to read it."""

SUBWRAPPER_PROGRAMS = {words[0] for words in SUBWRAPPERS}
FREE_TARGETS = frozenset({"/dev/null"})
NETWORK = ("/dev/tcp/", "/dev/udp/")
PLAIN = re.compile(r"(?:[\w./:@%+,-]+|'[^'\\!]*'|&&|\|\|?|;|[ \t])*", re.ASCII)
"""Text that every shell reads as bash does: plain words, single quotes, lists and pipelines."""


class Reader:
    """One reading. Its methods add what they find; `reading()` is the outcome.

    Args:
        wrappers: the first words of commands that start the command behind them, from the configuration.
        exported: names of the variables that commands inherit.
        judge_substitutions: whether the commands in substitutions are judged instead of refused.
    """

    def __init__(
        self, wrappers: Collection[tuple[str, ...]] = (), exported: Collection[str] = (), *, judge_substitutions: bool = False
    ) -> None:
        self.wrappers, self.exported, self.judge_substitutions = wrappers, exported, judge_substitutions
        self.commands: list[Command] = []
        self.findings: list[Finding] = []
        self.functions: list[tuple[str, Span, bool]] = []
        self.substitution = False
        self.given: list[tuple[str, Span]] = []  # literal texts that a variable gets
        self.outside: dict[str, Span] = {}  # variables whose value only bash can know
        self.evaluated: list[tuple[tuple[str, ...], Span]] = []  # variables whose value is evaluated

    # What the others call to say something.

    def find(self, code: str, message: str, span: Span | None, verdict: Verdict = Verdict.ASK, *, hidden: bool = False) -> None:
        """Add a finding."""
        self.findings.append(Finding(code, message, span, verdict, hidden))

    def refuse_substitution(self, span: Span, message: str = "this substitution would be executed") -> None:
        """Say that a substitution would be executed."""
        self.substitution = True
        if self.judge_substitutions:
            self.find("substitution", message, span)
        else:
            self.find("substitution", message + "; command substitution is refused", span, Verdict.DENY)

    def evaluate(self, word: Word, span: Span, how: str = "arithmetic") -> None:
        """Say that bash evaluates a word's text: `how` is `arithmetic` or `reference` (a name, perhaps with a subscript)."""
        if word.literal is None:
            if how == "arithmetic" or not word.head.isidentifier() or "[" in word.head:
                self.find("dynamic", "bash evaluates this text, and only bash can know it", span)
            return
        executes, names = getattr(evaluation, how)(word.literal)
        if executes:
            self.refuse_substitution(span, "bash would execute the substitution in this text when it evaluates it")
        if names:
            self.evaluated.append((names, span))

    def bind(
        self,
        name: str,
        values: Sequence[Word] | None,
        span: Span,
        *,
        exported: bool = False,
        append: bool = False,
        subscript: str | None = None,
    ) -> None:
        """Say that a variable is bound.

        Args:
            name: its name.
            values: what it gets; None where that comes from outside the text.
            span: the place.
            exported: whether programs would see it.
            append: whether the value is added to the old one.
            subscript: the subscript it is bound at.
        """
        if subscript is not None:
            executes, names = evaluation.arithmetic(subscript) if subscript not in {"@", "*"} else (False, ())
            if executes:
                self.refuse_substitution(span)
            elif names:
                self.evaluated.append((names, span))
        if name in REBINDING:
            self.find("rebinding", f"setting {name} changes which program a name stands for", span)
        elif (exported or name in self.exported) and not _is_free(name):
            self.find("assignment", f"{name} is handed to programs and may change what they do", span)
        elif name in BASH and name not in HARMLESS_BASH and not _is_free(name):
            self.find("assignment", f"{name} means something to bash", span)
        if values is None:
            self.outside[name] = span
            return
        for value in values:
            if value.literal is None:
                if not self._is_number(value):
                    self.outside[name] = span
            else:
                if append:
                    self.outside[name] = span
                self.given.append((value.literal, span))
                if name in INTEGER:
                    self.evaluate(value, span)

    def _is_number(self, word: Word) -> bool:
        """Whether a computed word is wholly an arithmetic expansion or a length."""
        text = self.text[word.start : word.end].strip('"')
        return (text.startswith("$((") and text.endswith("))") and text.count("$(") == 1) or (text.startswith("${#") and text.endswith("}"))

    # Reading.

    def script(self, script: Script, via: str | None = None, place: Span | None = None, depth: int = 0, *, loose: bool = False) -> None:
        """Read a script; `place` stands for all its places where it is a text inside another."""
        self.text = script.text

        def span(node: object) -> Span:
            return place or (node.start, node.end)  # type: ignore[attr-defined]

        for substitution in script.substitutions:
            self.refuse_substitution(span(substitution))
            if self.judge_substitutions:
                self.script(substitution.script, via, place, depth + 1)
                self.text = script.text
        for function in script.functions:
            self.functions.append((function.name, span(function), getattr(function, "sure", False)))
        for command in script.commands:
            if command.words:
                self.command(Command(command.words, span(command), via, command, loose=loose), script, place, depth)
                self.text = script.text
            for binding in command.assignments:
                if binding.how == "prefix":
                    self.binding(binding, span(binding))
        for binding in script.bindings:
            if binding.how != "prefix":
                self.binding(binding, span(binding))
        for redirection in script.redirections:
            self.redirection(redirection, span(redirection))
        self._second_order(script, span)

    def binding(self, binding: Binding, span: Span) -> None:
        """Read a name that the text binds itself."""
        from_outside = binding.how in {"select", "coproc", "descriptor"} or (binding.how == "for" and not binding.values)
        values = None if from_outside else binding.values
        if binding.how == "arithmetic":
            values = ()
        self.bind(binding.name, values, span, exported=binding.how == "prefix", append=binding.append, subscript=binding.subscript)
        if binding.how == "expansion" and not binding.values:
            text = self.text[binding.start : binding.end]
            if evaluation.suspicious(text.replace("\\$", "$").replace("\\`", "`")):
                self.given.append((text.replace("\\$", "$").replace("\\`", "`"), span))
            self.outside[binding.name] = span

    def redirection(self, redirection: Redirection, span: Span) -> None:
        """Read a redirection (contract of the free ones: reading a file, `n>&m`, here-documents, `/dev/null`)."""
        operator, target = redirection.operator, redirection.target
        if redirection.variable:
            self.bind(redirection.variable.partition("[")[0], None, span)
        if operator in {"<<", "<<-", "<<<"}:
            return
        literal = target.literal
        if operator in {"<&", ">&"} and literal is not None and (literal in {"0", "1", "2", "-"}):
            return
        if operator == "<" and literal is not None:
            if literal.startswith(NETWORK):
                self.find("redirection", f"`{literal}` opens a network connection", span)
            return
        if literal in FREE_TARGETS and operator != "<>":
            return
        if operator == "<":
            if not target.head or any(name.startswith(target.head) for name in NETWORK) or target.head.startswith(NETWORK):
                self.find("redirection", "what is read here only bash can know; it could be a network connection", span)
            return
        if operator in {"<&", ">&"} and literal is not None and literal.rstrip("-").isdigit():
            self.find("redirection", f"`{operator}{literal}` uses a descriptor that was opened elsewhere", span)
            return
        self.find("redirection", f"this writes {literal if literal is not None else 'a file whose name only bash can know'}", span)

    def command(self, command: Command, script: Script | None = None, place: Span | None = None, depth: int = 0) -> None:
        """Read a command, and then what it starts."""
        self.commands.append(command)
        words = command.words
        literal = words[0].literal
        if literal is None:
            if not command.possible:
                self.find("dynamic", "which command this is, only bash can know", command.span, hidden=True)
            return
        name = command.name or literal
        if depth > DEEPEST:
            self.find("dynamic", "commands are nested too deeply here", command.span, hidden=True)
            return
        if name == literal and name in BUILTINS:
            BUILTINS[name](self, command, script, place, depth)
        for configured in self.wrappers:
            if command.literals[: len(configured)] == configured:
                wrapper = WRAPPERS.get(name) or self._subwrapper(name, words)[1] or Wrapper(optional=True)
                self._wrapped(command, wrapper._replace(loose=False), len(configured), script, place, depth)
                break
        else:
            self._starts(command, name, script, place, depth)
        if not command.possible:
            command.escapes += escapes(name, words)

    def _starts(self, command: Command, name: str, script: Script | None, place: Span | None, depth: int) -> None:
        """Read what a command starts, by the tables."""
        words = command.words
        if name in WRAPPERS:
            self._wrapped(command, WRAPPERS[name], 1, script, place, depth)
        elif name in SHELLS:
            self._shell(command, name, script, place, depth)
        elif name in FINDERS:
            self._finder(command, name, script, place, depth)
        elif name in REMOTE:
            self._wrapped(command, REMOTE[name], 1, script, place, depth)
        elif name in APPLETS and len(words) > 1:
            self.command(Command(words[1:], command.span, name, command.simple, possible=command.possible), script, place, depth + 1)
        elif name.startswith(LOADERS) and len(words) > 1:
            self._unsure(command, f"{name} starts the program in its arguments", [words[place_:] for place_ in range(1, len(words))], depth)
        elif name in SUBWRAPPER_PROGRAMS:
            length, wrapper = self._subwrapper(name, words)
            if wrapper is not None:
                self._wrapped(command, wrapper, length, script, place, depth)

    def _subwrapper(self, name: str, words: Sequence[Word]) -> tuple[int, Wrapper | None]:
        """How many words stand before what a subcommand's options are, and its wrapper."""
        if name not in SUBWRAPPER_PROGRAMS:
            return 1, None
        index, _ = subcommand(name, words)
        chosen = tuple(word.literal for word in words[index : index + 2])
        for length in (2, 1):
            wrapper = SUBWRAPPERS.get((name, *chosen[:length]))  # type: ignore[arg-type]  # a None is in no key
            if wrapper is not None and len(chosen) >= length:
                return index + length, wrapper
        return 1, None

    def _wrapped(self, command: Command, wrapper: Wrapper, start: int, script: Script | None, place: Span | None, depth: int) -> None:
        """Read what a wrapper starts."""
        name = command.name or ""
        found: Inner = inner(name, wrapper, command.words[start:])
        via, loose, possible = name, wrapper.loose or command.loose, command.possible
        for word in found.assignments:
            known = word.literal if word.literal is not None else word.head
            match = ASSIGNMENT.match(known)
            variable = match[1] if match else known
            if not possible:
                value = known[len(variable) + 1 :]
                self.bind(variable, [Word(word.start, word.end, value if word.literal is not None else None, value, single=True)], self._span(word, place), exported=True)
                if variable.startswith("BASH_FUNC_"):
                    self.find("rebinding", f"{variable} defines a function for every bash", self._span(word, place))
        if found.unsure:
            if not possible and not loose:
                self.find("dynamic", found.unsure, command.span, hidden=True)
            self._unsure(command, "", found.candidates, depth)
        if found.text is not None:
            self._text(found.text, command, via, place, depth, loose=loose)
        elif found.joined and found.words:
            self._joined(found.words, command, via, place, depth, loose=loose)
        elif found.words and not found.unsure:
            words = list(found.words)
            if wrapper.placeholder:
                words = _with_placeholders(words, command.words)
            span = place or (words[0].start, max(word.end for word in words))
            self.command(Command(words, span, via, command.simple, loose=loose, possible=possible), script, place, depth + 1)
        elif found.shell or (name in {"su"} and not found.words and not found.unsure):
            self._fed(command, script, place, depth, "the shell it starts")

    def _unsure(self, command: Command, message: str, candidates: Iterable[Sequence[Word]], depth: int) -> None:
        """Let what forbids look at every rest of the words that could be the command."""
        if message and not command.possible:
            self.find("dynamic", message, command.span, hidden=True)
        if command.possible:
            return
        for words in candidates:
            if words and words[0].literal is not None:
                self.command(Command(words, command.span, command.name, possible=True), None, None, depth + 1)

    def _finder(self, command: Command, name: str, script: Script | None, place: Span | None, depth: int) -> None:
        """Read what `find -exec … ;` starts."""
        words, index, actions = command.words, 1, FINDERS[name]
        while index < len(words):
            if words[index].literal not in actions:
                index += 1
                continue
            end = index + 1
            while end < len(words) and not (words[end].literal == ";" or (words[end].literal == "+" and (words[end - 1].literal or "").endswith("{}"))):
                end += 1
            argv = [_hollow(word, "{}") for word in words[index + 1 : end]]
            if argv:
                span = place or (argv[0].start, argv[-1].end)
                self.command(Command(argv, span, name, command.simple, loose=command.loose, possible=command.possible), script, place, depth + 1)
            index = end + 1

    def _shell(self, command: Command, name: str, script: Script | None, place: Span | None, depth: int) -> None:
        """Read what a shell is given: `-c TEXT`, a script, or its standard input (bash manual, Invoking Bash)."""
        words, index, has_text, stdin = command.words, 1, False, False
        while index < len(words):
            literal = words[index].literal
            if literal is None:
                if words[index].head[:1] not in {"-", "+"} and words[index].single and not has_text:
                    break
                if has_text and words[index].single and words[index].head[:1] not in {"-", "+"}:
                    break
                if not command.possible:
                    self.find("dynamic", f"what {name} is given here, only bash can know", command.span, hidden=True)
                return
            if literal in {"--", "-"}:
                index += 1
                break
            if literal[:1] not in {"-", "+"} or len(literal) == 1:
                break
            bundle = literal[1:] if not literal.startswith("--") else ""
            has_text = has_text or ("c" in bundle and literal[0] == "-")
            stdin = stdin or "s" in bundle
            if literal in SHELL_CODE or "i" in bundle:
                command.escapes.append(Escape(index, f"`{literal}` makes {name} run a file of commands first"))
            if literal == "--posix":
                command.escapes.append(Escape(index, "in posix mode bash reads text differently"))
            bundled = bundle.count("o") + bundle.count("O")
            index += 1 + (bundled or literal in SHELL_VALUED)
        if has_text:
            if index < len(words):
                self._text(words[index], command, name, place, depth, loose=command.loose, plain=not SHELLS[name])
            return
        if index < len(words) and not stdin:
            operand = words[index].literal
            if operand in {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}:
                self._fed(command, script, place, depth, name)
            elif operand is None:
                self._hide(command, f"which script {name} runs, only bash can know")
            elif not (operand.startswith("--") or operand == "--version"):
                command.escapes.append(Escape(index, f"{name} runs the script {operand}, which is not read"))
            return
        if words[-1].literal in {"--version", "--help"}:
            return
        self._fed(command, script, place, depth, name)

    def _fed(self, command: Command, script: Script | None, place: Span | None, depth: int, what: str) -> None:
        """Read what a shell reads from its standard input."""
        text = fed_text(command.simple, script)
        if text is None:
            self._hide(command, f"{what} runs what it reads from its standard input, which is not known")
        else:
            self.nested(text, command, command.name, place, depth)

    def _hide(self, command: Command, message: str) -> None:
        if not command.possible:
            self.find("dynamic", message, command.span, hidden=True)

    def _joined(self, words: Sequence[Word], command: Command, via: str, place: Span | None, depth: int, *, loose: bool) -> None:
        """Read words that are joined with blanks and given to a shell."""
        literals = []
        for word in words:
            if word.literal is not None and word.literal.startswith(":::"):
                break
            literals.append(word.literal)
        if None in literals:
            if not loose:
                self._hide(command, f"the text that {via} gives to a shell, only bash can know")
            self._unsure(command, "", [words], depth)
            return
        text = " ".join(literal for literal in literals if literal is not None)
        self.nested(text, command, via, place or (words[0].start, words[-1].end), depth, loose=loose)

    def _text(self, word: Word, command: Command, via: str, place: Span | None, depth: int, *, loose: bool = False, plain: bool = False) -> None:
        """Read a word that is shell text."""
        if word.literal is None:
            if not loose:
                self._hide(command, f"the text that {via} runs, only bash can know")
            return
        self.nested(word.literal, command, via, self._span(word, place), depth, loose=loose, plain=plain)

    def nested(
        self, text: str, command: Command, via: str | None, place: Span | None, depth: int, *, loose: bool = False, plain: bool = False
    ) -> None:
        """Read a text inside the text; `plain` where its shell is not bash, so that little of it is understood."""
        if depth >= DEEPEST:
            self._hide(command, "texts are nested too deeply here")
            return
        try:
            script = parse(text)
        except ShellSyntaxError as error:
            # A shell runs the lines before the one it cannot read.
            if evaluation.suspicious(text):
                self.refuse_substitution(place or command.span, "this text cannot be read, and holds what looks like a substitution")
            self._hide(command, f"the text that {via} runs cannot be read: {error.message}")
            return
        if plain and not is_plain(script):
            self._hide(command, f"{via} does not read text as bash does")
        before = len(self.commands)
        outer = self.text
        self.script(script, via, place or command.span, depth + 1, loose=loose)
        self.text = outer
        if command.possible:
            for inner_command in self.commands[before:]:
                inner_command.possible = True

    def argv(self, words: Sequence[Word]) -> None:
        """Read a program with arguments that no shell will read."""
        self.text = ""
        self.command(Command(words, (0, words[-1].end)))

    def _span(self, word: Word, place: Span | None) -> Span:
        return place or (word.start, word.end)

    # The second evaluation.

    def _second_order(self, script: Script, span: object) -> None:
        """Read what bash evaluates again: arithmetic, subscripts, `${!x}`, `@P`, `[[ -v`, `[[ -eq`."""
        place = span  # a function from node to span
        for node in script.evaluations:
            if node.names:
                self.evaluated.append((node.names, place(node)))  # type: ignore[operator]
        for expansion in script.expansions:
            where = place(expansion)  # type: ignore[operator]
            if expansion.operator == "@P":
                self.refuse_substitution(where, "`@P` executes the substitutions in the value of the variable")
            elif expansion.operator.startswith("!"):
                self.evaluated.append(((expansion.name,), where))
            if expansion.subscript not in {None, "@", "*"} and expansion.subscript:
                names = evaluation.arithmetic(expansion.subscript)[1]
                if names:
                    self.evaluated.append((names, where))
        for condition in script.conditions:
            where = place(condition)  # type: ignore[operator]
            if condition.operator in {"-v", "-R"}:
                self.evaluate(condition.operands[-1], where, "reference")
            elif condition.operator in {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}:
                for operand in condition.operands:
                    if operand.literal is not None:
                        self.evaluate(operand, where)
                    else:
                        inside = tuple(
                            expansion.name
                            for expansion in script.expansions
                            if operand.start <= expansion.start < operand.end and expansion.operator != "#"
                        )
                        self.evaluated.append((inside, where))

    def reading(self) -> Reading:
        """The outcome."""
        names = {name for evaluated, _ in self.evaluated for name in evaluated if name not in {"#", "?", "$", "!", "-"}}
        if names or self.evaluated:
            self._values(names)
        if any(name == "PS4" for name in self._bound_names()) and self._xtrace():
            for text, span in self.given:
                if evaluation.suspicious(text):
                    self.refuse_substitution(span, "bash executes the substitution in PS4 with each traced command")
                    break
        defined = {name for name, _, sure in self.functions if sure}
        for command in self.commands:
            if command.words[0].literal in defined:
                first = min(span[1] for name, span, sure in self.functions if sure and name == command.words[0].literal)
                in_function = command.simple is not None and command.simple.function
                command.defined = in_function or first <= command.span[0]
        if not any(not command.possible for command in self.commands) and not self.substitution:
            self.find("unlisted", "this starts no command", None)
        return Reading(
            tuple(self.commands), tuple(self.findings), tuple((name, span) for name, span, _ in self.functions), self.substitution
        )

    def _values(self, names: set[str]) -> None:
        """Look at what the evaluated variables are given."""
        if not names:
            return
        for text, span in self.given:
            if evaluation.suspicious(text):
                self.refuse_substitution(span, "this text holds a substitution, and bash evaluates the value of a variable here")
                return
        positional = any(name.isdigit() or name in {"@", "*"} for name in names)
        for name in names:
            if name in self.outside:
                self.find("dynamic", f"bash evaluates the value of {name}, which comes from outside", self.outside[name])
                return
        if positional and (self.functions or any(command.name == "set" for command in self.commands)):
            for command in self.commands:
                for word in command.words[1:]:
                    if word.literal is not None and evaluation.suspicious(word.literal):
                        self.refuse_substitution(command.span, "this text holds a substitution, and bash evaluates a positional parameter")
                        return

    def _bound_names(self) -> set[str]:
        return {finding.message.partition(" ")[0] for finding in self.findings if finding.code == "assignment"}

    def _xtrace(self) -> bool:
        return any(
            command.name in {"set", "bash", "sh"} and any(word.literal and (word.literal[:1] == "-" and "x" in word.literal or word.literal == "xtrace") for word in command.words)
            for command in self.commands
        )


def is_plain(script: Script) -> bool:
    """Whether a script is plain literal commands in a list or pipeline, which every shell reads alike."""
    if script.redirections or script.bindings or script.functions or script.expansions or script.evaluations or script.conditions or script.substitutions:
        return False
    return PLAIN.fullmatch(script.text) is not None and all(word.literal is not None for command in script.commands for word in command.words)


def _is_free(name: str) -> bool:
    return name in FREE or name.startswith(FREE_BEGINNINGS)


def _hollow(word: Word, placeholder: str) -> Word:
    """A word of which a part is replaced at run time."""
    if word.literal is None or placeholder not in word.literal:
        return word
    return Word(word.start, word.end, None, word.literal.partition(placeholder)[0], single=True)


def _with_placeholders(words: list[Word], wrapper: Sequence[Word]) -> list[Word]:
    """The words of a command to which `xargs` adds what it reads."""
    for index, word in enumerate(wrapper):
        literal = word.literal or ""
        if literal in {"-I", "--replace"} and index + 1 < len(wrapper):
            placeholder = (wrapper[index + 1].literal or "{}") if literal == "-I" else "{}"
            return [_hollow(each, placeholder) for each in words]
        if (literal.startswith("-I") or literal.startswith("--replace=")) and len(literal) > 2:
            return [_hollow(each, literal.removeprefix("--replace=").removeprefix("-I")) for each in words]
        if literal == "-i":
            return [_hollow(each, "{}") for each in words]
    end = words[-1].end
    return [*words, Word(end, end, None, "", single=False)]
