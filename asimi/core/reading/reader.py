"""Goes through a request: its commands, what they start, what is written, bound and evaluated.

What only some texts need (builtins that bind names, what a wrapper starts, where a substitution lands) is imported
where it is met, because asimi starts anew for every command of an agent.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain, islice, product, takewhile
from operator import attrgetter
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.budget import COMMAND, WORD, Budget
from asimi.core.errors import ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.program import NONE, Program, Starts
from asimi.core.programs.variables import COMPARISONS, EXPANDED, GLOBBING
from asimi.core.reading import evaluation
from asimi.core.reading.arguments import levels_of
from asimi.core.reading.commands import ENTERS, AddedWord, Command, Reading, Where, base
from asimi.core.reading.escapes import escapes, texts_in
from asimi.core.reading.notes import Notes
from asimi.core.reading.shapes import ANY, AT, MANY, MARKS, TEMPORARY, TOP, Shapes, head_of
from asimi.core.reading.starts import (
    UnreadText,
    read_find,
    read_program_text,
    read_recipes,
    read_shell,
    read_tmux_chain,
    read_unknown,
    read_wrapper,
    report_unsure,
)
from asimi.core.syntax import parse
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from asimi.core.call import Span
    from asimi.core.reading.commands import Escape, Inline
    from asimi.core.reading.sinks import Sinks
    from asimi.core.syntax.nodes import Evaluation, Redirection, Script, SimpleCommand, Substitution

DEEPEST = 8
"""How many texts may be nested in texts (`bash -c "bash -c …"`) before nobody can be asked to read it."""

MOST_SUSPECTED = 64
"""Arguments of one command in which another is looked for, and arguments of that."""

LONGEST_SEARCH = 4096
"""Characters of an argument that is searched for commands."""

MOST_WAYS = 256
"""Commands that one may become by the values of its variables; where there are more, they count as unknown."""

NETWORK = ("/dev/tcp/", "/dev/udp/")
"""Files that bash takes for connections (bash manual, Redirections)."""

LOOPS = pattern(r"(?<!-)\b(?:for|while|until|select|function)\b(?!-)|\(\s*\)")
"""Signs that a text may run a part of itself twice."""

FORKS = pattern(r"(?<!(?<!\\)\|)\|(?!\|)|(?<!(?<!\\)[&<>])&(?![&>])|`|[$<>]\((?!\()|(?<![($<>])\((?![()])")
"""Signs of a pipeline, a list in the background, a substitution or a subshell."""

_SPLICES = pattern(r"(?<!\\)\\++\n")

CALLS = frozenset({".", "eval", "source", "trap"})
"""Builtins that run a text in this shell, which may assign."""

_INPUT = attrgetter("input")

READABLE = frozenset({"command", "process", "current", "backquote"})
"""Kinds of substitutions whose commands are known, so they can be judged."""

QUOTED = pattern(r"""'[^']*'|\\\$\(?|\\`""")
"""What bash does not expand in a computed word, as far as it can begin a substitution."""

PASSED = pattern(r"""(?:\$(?:\w++|[@*]|\{(?:\w+|[@*])\})|["\w./:=@%+,-])+""", ASCII)
"""A word made of plain text and the values of variables."""


class Reader:
    """One reading; `finish()` gives its outcome.

    Args:
        wrappers: the first words of commands that start the command behind them, from the configuration.
        exported: names of the variables that commands inherit.
        free: names of the variables that a person lets be set; a name may end in `*`.
        described: the programs that somebody described besides those of the catalogue, by name.
        budget: what the reading is paid from.
        judge_substitutions: whether the commands in substitutions are judged instead of refused.
        home: the home directory; empty where it is not known.
    """

    def __init__(
        self,
        wrappers: Collection[tuple[str, ...]] = (),
        exported: Collection[str] = (),
        budget: Budget | None = None,
        *,
        judge_substitutions: bool = False,
        free: Collection[str] = (),
        described: Mapping[str, Program] = NONE,
        home: str = "",
    ) -> None:
        self.budget = budget or Budget()
        self._top = Where(described=described)
        self.notes, self.judges = Notes(exported, self.budget, free=free), judge_substitutions
        self.landings: Sinks | None = None  # of the substitutions, where there are some
        self.wrappers, self._home = wrappers, home
        self.commands: list[Command] = []
        self.inline: dict[Command, Inline] = {}  # what the program texts do that commands are given
        self._escapes: dict[Command, list[Escape]] = {}  # what the arguments of commands do beyond their purpose
        self.positional: list[tuple[str, Span]] = []  # what the texts of shells get
        self.numbered: list[str] = []  # of these, what they get from `$1` on
        self.redeclared: list[tuple[str, Span]] = []  # variables that a builtin gives a computed value
        self.unset: set[str] = set()  # names that may be functions no longer
        self._functions: list[tuple[str, Span, int]] = []
        self._forking: set[str] = set()  # names of functions that may start processes which they do not wait for
        self._targets: list[tuple[str, Span, bool]] = []
        self._fed: list[tuple[str, Span]] = []
        self._computed: list[Command] = []  # commands with words that only bash can know
        self._later: set[Command] = set()  # of these, those that start what is not known before all is read
        self._reads: list[tuple[Word, Where]] = []  # files whose names are computed
        self._documents: list[SimpleCommand] = []  # each a `cat` that gives a literal text to a word
        self.unread: list[UnreadText] = []  # texts that a shell may run
        self._loops = False  # see `Variables.loops`
        self._whole: Script | None = None
        self._known: dict[int, Shapes] = {}

    def script(self, script: Script, where: Where | None = None) -> None:
        """Read everything a script would do."""
        self._whole = script if where is None else self._whole
        around = where.script if where is not None else None
        if around is None or around.text is not script.text:  # what is in a substitution was searched with the rest
            self._loops = self._loops or _may_loop(script, self.budget)
        where = (where or self._top)._replace(script=script)
        if self.judges and script.substitutions:
            from asimi.core.reading.sinks import Sinks

            self.landings = self.landings or Sinks()
            self.landings.take(script, where, self.budget)
        for substitution in script.substitutions:
            if self.judges and substitution.kind in READABLE:
                self._substitution(substitution, script, where)
            else:
                self.notes.refuse_substitution(where.span(substitution))
        for function in script.functions:
            # A text inside the text is read by another shell, or at another time.
            holds = function.holds if where.shown_at is None else 0
            self.budget.spend((function.end - function.start) // 32)
            if FORKS.search(script.text, function.start, function.end):
                self._forking.add(function.name)
            self._functions.append((function.name, where.span(function), holds))
        for command in script.commands:
            if command.words:
                words = command.words
                if script.substitutions and not self._functions:  # else `nproc` may be one of them
                    from asimi.core.reading.results import with_jobs

                    words = with_jobs(words, script.text)
                self.command(Command(words, where.span(command), command, where))
        if script.bindings:
            from asimi.core.reading.builtins import assignment

            for binding in script.bindings:
                assignment(self, binding, where)
        for redirection in script.redirections:
            target, span = redirection.target, where.span(redirection)
            self.budget.spend(6 + (target.end - target.start) // 16)
            written = script.text[target.start : target.end] if target.literal is None else target.literal
            if redirection.heredoc is None and redirection.operator != "<<<" and not _duplicates(redirection):
                self._targets.append((written, span, redirection.operator not in {"<", "<&"}))
            if redirection.heredoc is not None:  # what it assigns is written behind the rest of the line
                self._loops = self._loops or redirection.heredoc.literal is None
            if redirection.heredoc is not None or redirection.operator == "<<<":
                self._fed.append(((redirection.heredoc or redirection.target).literal or "", span))
            self._redirection(redirection, where)
        self._evaluations(script, where)

    def _substitution(self, substitution: Substitution, script: Script, where: Where) -> None:
        """Read the commands in a substitution; what is between backquotes has places of its own."""
        from asimi.core.reading.results import result_of
        from asimi.core.reading.stdin import document_of, printed_by

        self.notes.substitution = True
        given = where.given or bool(script.conditions or script.subjects) or any(map(_INPUT, script.commands))
        inside = where._replace(depth=where.depth + 1, given=given)
        if substitution.script.text is not script.text:
            self.text(substitution.script.text, inside._replace(shown_at=where.span(substitution)))
            return
        result = result_of(substitution)
        if result is not None:
            self.notes.variables.results[script.text[substitution.start : substitution.end]] = result
        printed = printed_by(substitution, self.budget)
        if printed is not None:
            self.notes.variables.printed[script.text[substitution.start + 1 : substitution.end]] = printed.rstrip("\n")
        document = document_of(substitution, script.text)
        if document is not None:
            self.notes.variables.documents[script.text[substitution.start : substitution.end]] = document
            self._documents += substitution.script.commands
        self.script(substitution.script, inside)

    def text(self, text: str, where: Where) -> Script | None:
        """Read a text inside the text; of a shell that is not bash, only what it reads alike is understood.

        Returns:
            The text as it was read; None where it cannot be.
        """
        span = where.shown_at or (0, 0)
        if where.depth > DEEPEST:
            self.report_hidden("texts are nested too deeply here", where, span)
            return None
        try:
            script = parse(text, self.budget)
        except ShellSyntaxError as error:
            # A shell runs the lines before the one it cannot read, so this is not the same as nothing.
            if evaluation.suspicious(text):
                message = "this text cannot be read, and holds what looks like a substitution"
                self.notes.refuse_substitution(span, message)
            self.report_hidden(f"the text that {where.via} runs cannot be read: {error.message}", where, span)
            return None
        from asimi.core.reading.dialects import reads_alike

        if not reads_alike(script, where.via):
            self.report_hidden(f"{where.via} does not read this text as bash does", where, span)
        self.script(script, where)
        return script

    def argv(self, words: Sequence[Word]) -> None:
        """Read a program with arguments that no shell will read."""
        self.command(Command(words, (0, words[-1].end), None, self._top))

    def command(self, command: Command) -> None:
        """Read a command, and then what it starts."""
        where = command.where
        self.add(command)
        if None in command.literals and not where.possible:
            self._computed.append(command)
        literal, name = command.words[0].literal, command.name
        if literal is None or name is None:
            if not self.is_deferred(command):
                self.report_hidden("only bash can know which command this is", where, command.span)
            return
        if where.depth > DEEPEST:
            self.report_hidden("commands are nested too deeply here", where, command.span)
            return
        if literal == name and "binds" in command.traits:
            from asimi.core.reading.builtins import BUILTINS

            if name in BUILTINS:  # not of a program that somebody described
                BUILTINS[name](self, command, where)
        self._read_starts(command)
        if name.startswith("git-"):  # as `git` starts it
            program = Word(command.words[0].start, command.words[0].end, "git", "git", single=True)
            verb = Word(command.words[0].start, command.words[0].end, name[4:], name[4:], single=True)
            words = (program, verb, *command.words[1:])
            self.add(Command(words, command.span, None, where._replace(possible=True)))

    def add(self, command: Command) -> None:
        """Take down a command."""
        # In a backquote each word is as long as all of it, and a computed one is looked at as it is written.
        written = sum(word.end - word.start for word in command.words if word.literal is None)
        self.budget.spend(COMMAND + WORD * len(command.words) + len(self.wrappers) + written // 8)
        self.commands.append(command)

    def is_deferred(self, command: Command) -> bool:
        """Whether a command is read again, once all assignments are known; what it starts is said then."""
        if command.possible or self.notes.variables.closed:
            return False
        self._later.add(command)
        return True

    def report_hidden(self, message: str, where: Where, span: Span) -> None:
        """Say that a command may start that nobody can name."""
        if not where.possible:
            self.notes.find("dynamic", message, span, hidden=True, loose=where.loose)

    def _read_starts(self, command: Command) -> None:
        """Read what a command starts."""
        program, where = command.program, command.where
        named = (command.name, *command.literals[1:]) if self.wrappers else ()
        configured = next((words for words in self.wrappers if _begins(words, named)), None)
        if program is not None and self._starts(command, program, where, judged=configured is not None):
            return
        if configured is not None:
            read_wrapper(self, command, CONFIGURED, len(configured), where)
        elif program is None or not program.has_known_arguments:
            read_unknown(self, command, where)

    def _starts(self, command: Command, program: Program, where: Where, *, judged: bool) -> bool:
        """Read what a program of the catalogue starts; whether it is there to start something.

        Args:
            command: the command.
            program: the row of its program.
            where: where it is.
            judged: whether the configuration names it as a wrapper, so what it starts needs an entry of its own.
        """
        if "code" in program.traits or program.name in {"duckdb", "sed", "sqlite3"}:
            read_program_text(self, command, program, where)
        if program.name == "make":
            read_recipes(self, command, program, where)
        if program.shell:
            read_shell(self, command, program, where)
        elif program.syntax.commands:
            read_find(self, command, program, where)
        elif program.starts is not None and program.starts.anywhere:
            report_unsure(self, command, f"{command.name} starts the program in its arguments", where)
        else:
            found = [(level.row, level.start) for level in command.levels if level.row.starts is not None]
            if "chained" in program.traits:
                read_tmux_chain(self, command, where)
            if not found:
                return False
            if found[-1][0].starts == ANYWHERE:
                report_unsure(
                    self, command, f"{command.name} starts what its arguments say", where._replace(loose=True)
                )
                return True
            read_wrapper(self, command, *found[-1], where, judged=judged)
        return True

    def _read(self, target: Word, where: Where) -> None:
        """Read the name of a file that a command gets as its input, if it begins with something computed."""
        assert where.script is not None
        at, text = target.start if where.shown_at is None else -1, where.script.text[target.start : target.end]
        ways = self._known[0].fields(text, at)
        variables = self.notes.variables
        at_home = _AT_HOME.fullmatch(text) and not (variables.lost or {"HOME", "IFS"} & {*variables.names()})
        if not at_home and not all(shape and _is_local(shape) for fields in ways for shape in fields):
            message = "only bash can know what this reads; it could be a network connection"
            self.notes.find("redirection", message, where.span(target))

    def give_quoted(self, word: Word, where: Where) -> None:
        """Say that a variable may get what is quoted in a computed word."""
        if where.script is not None:
            self.budget.spend(2 + (word.end - word.start) // 32)
            quoted = QUOTED.findall(where.script.text, word.start, word.end)
            self.notes.give("".join(quoted).replace("'", "").replace("\\", ""), where.span(word))

    def _redirection(self, redirection: Redirection, where: Where) -> None:
        """Read a redirection. Reading a file, `n>&m` of 0 to 2, `n>&-`, here-documents and `/dev/null` are free."""
        operator, literal = redirection.operator, redirection.target.literal
        span = where.span(redirection)
        if redirection.variable:
            self.notes.bind(redirection.variable.partition("[")[0], None, span)
        if operator in {"<<", "<<-", "<<<"} or (operator in {"<&", ">&"} and literal in {"0", "1", "2", "-"}):
            return
        if literal == "/dev/null" and operator != "<>":
            return
        if operator in {"<&", ">&"} and literal is not None and literal.rstrip("-").isdigit():
            self.notes.find("redirection", f"`{operator}{literal}` uses a descriptor that was opened elsewhere", span)
        elif operator != "<":
            what = "a file whose name only bash can know" if literal is None else literal
            self.notes.find("redirection", f"this writes {what}", span, writes=True)
        elif literal is None:
            self._reads.append((redirection.target, where))
        elif literal is not None and literal.startswith(NETWORK):
            self.notes.find("redirection", f"{literal} opens a network connection", span)

    def _evaluations(self, script: Script, where: Where) -> None:
        """Read what bash evaluates: arithmetic, subscripts, `${!x}`, `@P`, `[[ -v`, `[[ -eq`."""
        self.budget.spend(2 * len(script.expansions) + 2 * len(script.evaluations) + 3 * len(script.conditions))
        evaluated, end = iter(script.evaluations), 0
        node = next(evaluated, None)
        for expansion in script.expansions:
            span = where.span(expansion)
            while node is not None and node.start <= expansion.start:
                if node.end != expansion.end or node.start != expansion.start:  # `${x:1}` evaluates no `x`
                    end = max(end, node.end)
                node = next(evaluated, None)
            if expansion.start < end and expansion.operator != "#":
                self.notes.evaluate_values((expansion.name,), span)
            indirect = script.text.endswith("@P}", expansion.start, expansion.end)
            if expansion.operator == "@P" or indirect:
                self.notes.refuse_substitution(span, "`@P` executes the substitutions in the value of the variable")
            elif expansion.operator.startswith("!"):
                self.notes.refer_values((expansion.name,), span)
            if expansion.subscript and expansion.subscript not in {"@", "*"}:
                self.notes.evaluate_values(evaluation.arithmetic(expansion.subscript, self.budget)[1], span)
            if expansion.operator.startswith("!") and expansion.operator.endswith("="):
                self.notes.bind_any(span)
        for each in script.evaluations:
            self.notes.evaluate_values(each.names, where.span(each))
            self.budget.spend(3)
            if not _is_arithmetic(script, each, self.budget):
                self.report_hidden("this is no arithmetic; another shell would start it", where, where.span(each))
        for condition in script.conditions:
            span = where.span(condition)
            if condition.operator == "=~":
                self.notes.bind("BASH_REMATCH", None, span)
                for operand in condition.operands:
                    self.notes.give(operand.literal or "", span)
            elif condition.operator in {"-v", "-R"}:
                self.notes.refer(condition.operands[-1], span, self.names_in(condition.operands[-1], where))
            elif condition.operator in COMPARISONS:
                for operand in condition.operands:
                    if operand.literal is not None:
                        self.notes.evaluate_word(operand, span)
                        continue
                    self.notes.evaluate_values(self.names_in(operand, where), span)

    def _know(self, functions: Collection[str]) -> None:
        """Read the commands again that have computed words of which more is sure, now that all assignments are known.

        Args:
            functions: the names of the functions that the text defines.
        """
        variables, calls = self.notes.variables, CALLS.union(functions)
        named = [command.name for command in self.commands]
        variables.calls = sorted(command.span[0] for command in self.commands if command.name in calls)
        variables.trapped = "trap" in named
        variables.globbing = self._glob_options()
        variables.loops, variables.closed = self._loops, True
        if "cat" in functions:
            variables.documents.clear()
        for text in [text for text, each in variables.results.items() if each.program in functions]:
            del variables.results[text]
        self.notes.forget_evaluated(text for command in self.commands for text in command.texts)
        here = "PWD" not in variables and ENTERS.isdisjoint(named)
        known = _ELSEWHERE | ({"HOME": self._home} if self._home else {})
        self._known = {
            2: Shapes(known | {"PWD": AT} if here else known, variables, self.budget, sure=True),
            1: Shapes(known, variables, self.budget, sure=True),  # the directory may be another one for a wrapper
            0: Shapes(_ELSEWHERE, variables, self.budget, sure=True),
        }
        if not any(None in command.literals for command in self.commands):
            return
        found, self.commands = self.commands, []
        for command in found:
            ways = self._ways(command)
            if not ways and command in self._later:
                self.command(command)
            elif not ways:
                self.commands.append(command)
            for words in ways:
                origin = command if len(ways) > 1 else None
                self.command(Command(words, command.span, command.simple, command.where, origin=origin))
        variables.globbing |= self._glob_options()
        if len(self.commands) > len(found):  # what a wrapper starts was read with it and by itself; this is listed
            last = {command.key: index for index, command in enumerate(self.commands)}
            self.commands = [self.commands[index] for index in sorted(last.values())]

    def _glob_options(self) -> frozenset[str]:
        """The options in the text that change what patterns stand for, whether it sets them or not."""
        if "BASHOPTS" in self.notes.variables:
            return GLOBBING
        return GLOBBING.intersection(
            [literal for each in self.commands if not GLOBBING.isdisjoint(each.literals) for literal in each.literals]
        )

    def _ways(self, command: Command) -> Sequence[tuple[Word, ...]]:
        """What the words of a command are sure to be, one tuple for each way; empty where no more is known of them."""
        if command.possible or None not in command.literals:
            return ()
        shapes, ways, many = self.sure(command), [], 1
        for word in command.words:
            written = command.text_of(word)
            self.budget.spend(WORD + len(written) // 8)
            fixed = word.literal is not None or isinstance(word, AddedWord)
            ways.append(((word,),) if fixed else shapes.words(word, written, command.place(word)))
            many *= len(ways[-1])
        if many > MOST_WAYS or all(found == ((word,),) for found, word in zip(ways, command.words, strict=True)):
            return ()
        found = [tuple(chain.from_iterable(way)) for way in product(*ways)]
        return found if command.name is not None or all(map(_is_path_of_program, found)) else ()

    def sure(self, command: Command) -> Shapes:
        """What is sure of the words of a command."""
        return self._known[2 if command.via is None else command.outer]

    def escape(self, command: Command, escape: Escape) -> None:
        """Take down what an argument of a command does beyond its ordinary purpose."""
        self._escapes.setdefault(command, []).append(escape)

    def _suspect(self, command: Command) -> None:
        """Suspect the texts in the arguments by which a command does more than its purpose."""
        done: set[tuple[int, bool]] = set()  # a bundle of letters may have one for each
        for escape in self._escapes.get(command, ()):
            for index in range(
                escape.word, min(len(command.words), escape.word + (MOST_SUSPECTED if escape.whole else 2))
            ):
                if (index, escape.whole) in done:
                    continue
                done.add((index, escape.whole))
                literal = command.literals[index]
                self.budget.spend(5 + len(literal or "") // 8)
                if literal is not None and escape.whole:
                    words = command.words[index : index + MOST_SUSPECTED]
                    self.read_possible(words, self.above(command.span))
                self.notes.suspected += [(text, command.span) for text in texts_in(literal or "")]

    def _named_by_variables(self) -> None:
        """Let rules that forbid look at commands and texts in variables to which the text gives literal values."""
        if not self.unread and all(each.words[0].literal is not None or each.possible for each in self.commands):
            return
        shapes = Shapes({}, self.notes.variables, self.budget)
        for unread in self.unread:
            for text in unread.texts(shapes):
                self.search(text, unread.where._replace(script=None, possible=True))
        for command in [each for each in self.commands if each.words[0].literal is None and not each.possible]:
            for fields in shapes.fields(command.text_of(command.words[0])):
                names = [name for shape in fields if MARKS.isdisjoint(shape) for name in shape.split()]
                words = [Word(*command.span, name, name, single=True) for name in names]
                if words:
                    self.read_possible([*words, *command.words[1:]], self.above(command.span))

    def search(self, text: str, where: Where) -> None:
        """Let what forbids look at the commands in a text that may be run; `where` says what is known of it."""
        if not text or len(text) > LONGEST_SEARCH:
            return
        try:
            script = parse(text, self.budget)
        except ShellSyntaxError:
            return
        scripts = [script]
        for script in scripts:  # grows
            scripts += [each.script for each in script.substitutions if each.kind in READABLE]
            for command in script.commands:
                if command.words and command.words[0].literal is not None:
                    self.read_possible(command.words, where._replace(script=script))

    def read_possible(self, words: Sequence[Word], where: Where) -> None:
        """Let what forbids look at a command that may start, and at what it would start."""
        assert where.shown_at is not None
        found = Command(words, where.shown_at, None, where)
        self.add(found)
        self._read_starts(found)

    def names_in(self, word: Word, where: Where) -> list[str]:
        """The parameters whose values an evaluated word expands to, or that it names (`x*2`, `a[i]`).

        What is quoted in it (`${x-'a[$(id)]'}`) is evaluated too.
        """
        if where.script is None:
            return []
        self.budget.spend(2 + (word.end - word.start) // 32)
        expansions = where.script.expansions
        first = bisect_left(expansions, word.start, key=lambda each: each.start)
        inside = takewhile(lambda each: each.start < word.end, islice(expansions, first, None))
        names = [each.name for each in inside if each.operator != "#"]
        if word.literal is None:
            names += evaluation.NAME.findall(where.script.text[word.start : word.end])
            self.give_quoted(word, where)
        return names

    def _may_expand(self, variable: str) -> bool:
        """Whether a shell of the text may expand a variable of `EXPANDED`."""
        letter, name = EXPANDED[variable]
        shells = [each for each in self.commands if each.program is not None and each.program.shell]
        options = [each for each in self.commands if each.name in {"set", "shopt"}]
        return (
            (bool(shells) and not letter)
            or any(_turns_on(each, letter, name) for each in shells + options)
            or "SHELLOPTS" in self.notes.variables
        )

    def _find_endless(self, functions: Sequence[tuple[str, Span]]) -> None:
        """Say which functions start themselves in new processes, also by way of others: `f() { f | f & }`."""
        if self._forking.isdisjoint(name for name, _ in functions):
            return
        bodies = sorted(functions, key=lambda each: (each[1][0], -each[1][1]))
        names, starts = {name for name, _ in bodies}, {name: set[str]() for name, _ in bodies}
        calls = ((each.span[0], each.words[0].literal or "") for each in self.commands if each.own)
        around: list[tuple[str, Span]] = []
        for at, name in sorted(call for call in calls if call[1] in names):
            while bodies and bodies[0][1][0] <= at:
                around.append(bodies.pop(0))
            around = [each for each in around if at < each[1][1]]
            self.budget.spend(1 + len(around))
            for each, _ in around:
                starts[each].add(name)
        while ended := {name for name, called in starts.items() if not called}:  # what is left starts itself
            starts = {name: called - ended for name, called in starts.items() if called}
        for name, span in functions:
            if name in starts and not self._forking.isdisjoint(starts):
                message = f"{name} starts itself in new processes, and only bash can know whether that ends"
                self.notes.find("dynamic", message, span)

    def finish(self) -> Reading:
        """The outcome."""
        functions = tuple((name, span) for name, span, _ in self._functions)
        self._find_endless(functions)
        self._know({name for name, _ in functions})
        passes = bool(functions)
        called = {"set", *(name for name, _ in functions)}
        self.notes.conclude(
            positional=[
                *self.positional,
                *(text for command in self.commands if passes or command.name == "set" for text in command.texts),
            ],
            numbered=self.numbered + [text for each in self.commands if each.name in called for text, _ in each.texts],
            passed=[
                (self.names_in(word, command.where) if PASSED.fullmatch(command.text_of(word)) else (), command.span)
                for command in self._computed
                if command.name in called or (command.program is not None and command.program.shell)
                for word in command.words[1:]
                if word.literal is None
            ],
            spoken=(text for command in self.commands for text in command.texts),
            fed=self._fed if passes or any(command.name == "eval" for command in self.commands) else [],
            expanding=self._may_expand,
            starts=not all(map(_is_only_bash, self.commands)),
            acts=not all(_is_only_bash(command) or _only_looks(command) for command in self.commands),
        )
        for target, inside in self._reads:
            self._read(target, inside)
        for command in [command for command in self.commands if not command.possible and command.name]:
            asked = "queries" in command.traits and command in self.inline and self.inline[command].reads
            for escape in escapes(command, self.sure(command), self.budget):
                if not (asked and escape.word == len(command.words)):  # its input was read
                    self.escape(command, escape)
            self._suspect(command)
        for text, span in self.notes.suspected:
            self.search(text, self.above(span))
        self._named_by_variables()
        commands = tuple(self._as_read("cat" in called))
        landings = self.landings
        for span in landings.elsewhere(commands, self.notes.variables, called, self.budget) if landings else ():
            self.notes.find("substitution", "what this substitution gives may be more than data here", span)
        for name, span in self.redeclared:  # of an array, the value is expanded again (tried with bash 5.2)
            if not self.notes.variables.is_given_once(name):
                self.notes.find("dynamic", f"if {name} is an array, bash expands this value again", span)
        if all(command.possible for command in commands) and not self.notes.refused:
            whole = self._whole
            does = whole is None or whole.commands or whole.redirections or whole.conditions or whole.evaluations
            nothing = not (does or functions)
            self.notes.find("unlisted", "there is nothing to run" if nothing else "this starts no command", None)
        return Reading(
            commands,
            tuple(self.notes.findings),
            functions,
            tuple(self._targets),
            self.notes.variables,
            self.notes.substitution,
            self.budget.left,
            script=self._whole,
            evaluated=tuple(self.notes.evaluated.items()),
        )

    def _as_read(self, documented: bool) -> Iterator[Command]:  # noqa: FBT001
        """The commands, with all that is known of them now; `documented` if `cat` is a function of the text."""
        defined: dict[str, list[tuple[int, int]]] = {}
        for name, span, holds in sorted(self._functions, key=lambda each: each[1]):
            if name not in self.unset:
                found = defined.setdefault(name, [])
                found.append((span[0], max(holds, found[-1][1]) if found else holds))
        documents = {id(each) for each in self._documents} if not documented else ()
        for command in self.commands:
            found = defined.get(command.words[0].literal or "", [])
            last = bisect_left(found, (command.span[0] + 1,)) - 1
            yield command.as_read(
                None if command.possible or not command.name else self.sure(command),
                self._escapes.get(command, ()),
                self.inline.get(command),
                loose=command.loose or id(command.simple) in documents,
                defined=command.own and last >= 0 and command.span[0] < found[last][1],
            )

    def above(self, span: Span) -> Where:
        """Where a command is that may start, though only bash can know it."""
        return self._top._replace(shown_at=span, possible=True)


def _may_loop(script: Script, budget: Budget) -> bool:
    """Whether a text may run a part of itself twice; what it gives to interpreters is no text of a shell."""
    if not LOOPS.search(_SPLICES.sub("", script.text)):
        return False
    budget.spend(len(script.text) // 4)
    shell, end = [], 0
    for start, until in sorted(_foreign(script)):
        shell.append(script.text[end : max(start, end)])
        end = max(until, end)
    return LOOPS.search(_SPLICES.sub("", "_".join([*shell, script.text[end:]]))) is not None


def _foreign(script: Script) -> Iterator[Span]:
    """The places of what interpreters are given: literal arguments, here-documents."""
    for command in script.commands:
        programs = [find(base(word.literal)) for word in command.words if word.literal]
        if any(row is not None and "code" in row.traits and "builtin" not in row.traits for row in programs):
            yield from ((word.start, word.end) for word in command.words[1:] if word.literal is not None)
            heredocs = [each.heredoc for each in command.redirections if each.heredoc is not None]
            yield from ((each.start, each.end) for each in heredocs if each.literal is not None)


def _duplicates(redirection: Redirection) -> bool:
    """Whether a redirection names a descriptor, not a file: `2>&1`, `<&-`."""
    literal = redirection.target.literal
    return (
        redirection.operator in {"<&", ">&"}
        and literal is not None
        and (literal == "-" or literal.rstrip("-").isdigit())
    )


def _is_only_bash(command: Command) -> bool:
    """Whether a command is a builtin that changes only this shell, and starts no program."""
    row = command.program
    return command.own and row is not None and "builtin" in row.traits and row.effects == frozenset() and not row.wide


def _only_looks(command: Command) -> bool:
    """Whether a command is a program of one purpose that changes nothing, whatever it is given."""
    row = command.program
    return row is not None and "looks" in row.traits and not (row.runs or row.subcommands) and command.via is None


_AT_HOME = pattern(r"(?:~|\$HOME|\$\{HOME\})(?:/[\w.-]+)+|\"(?:\$HOME|\$\{HOME\})(?:/[\w.-]+)+\"")
"""A file below the home directory, which is none of the names by which bash connects to the network."""


def _is_local(shape: str) -> bool:
    """Whether a file is sure to be no connection to the network, by how its name begins.

    What matches a pattern begins with the name of a file, and a pattern stays as it is where there is none.
    """
    head = head_of(shape)
    if not head:
        return shape[:1] not in {ANY, MANY}
    return not any(name.startswith(head) or head.startswith(name) for name in NETWORK)


_ELSEWHERE = dict.fromkeys(("HOME", "PWD", TEMPORARY, TOP), "/" + ANY)
"""What is known of variables to a text that is not sure to stay where it is."""

ANYWHERE = Starts(anywhere=True)
"""Of a subcommand: its arguments say what runs on another machine."""

CONFIGURED = Program("", starts=Starts(optional=True))
"""A wrapper of which only the configuration knows."""


def _is_arithmetic(script: Script, evaluation: Evaluation, budget: Budget) -> bool:
    """Whether what is in `((…))`, or in each part of `for ((…; …; …))`, is an arithmetic expression."""
    if evaluation.kind != "arithmetic" or not script.text.startswith("(", evaluation.start):
        return True
    budget.spend(8 + (evaluation.end - evaluation.start) // 2)
    loop = script.text[max(0, evaluation.start - 256) : evaluation.start].rstrip().endswith("for")
    inside = script.text[evaluation.start : evaluation.end].replace("\\\n", "")[2:-2]
    from asimi.core.syntax.texts import is_expression

    return all(map(is_expression, inside.split(";") if loop else [inside]))


def _turns_on(command: Command, letter: str, name: str) -> bool:
    """Whether a command may turn an option of a shell on."""
    for word in command.words[1:]:
        text = word.head if word.literal is None else word.literal
        if text == name or (text.startswith("-") and letter in text):
            return True
        if word.literal is None and (text.startswith("-") or name.startswith(text)):
            return True
    return False


def _is_path_of_program(words: Sequence[Word]) -> bool:
    """Whether words are a program by its path, which runs no text of a shell, nor another program."""
    name = words[0].literal if words else None
    if name is None or not name.startswith(("/", "./")):
        return False
    row = find(base(name))
    if row is None:
        return True
    apart = row.shell or row.syntax.commands or "chained" in row.traits
    return not apart and all(level.row.starts is None for level in levels_of(words, row))


def _begins(configured: tuple[str, ...], words: Sequence[str | None]) -> bool:
    """Whether words begin as the first words in the configuration do, where `*` is any word."""
    if "*" not in configured:
        return words[: len(configured)] == configured
    return len(words) >= len(configured) and all(
        wanted in {"*", word} for wanted, word in zip(configured, words, strict=False)
    )
