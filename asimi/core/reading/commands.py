"""What a reading is made of: the commands a request would start, and what is to be said about it."""

from __future__ import annotations

from functools import cached_property
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import Loss, Verdict
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.effects import UNDONE
from asimi.core.programs.program import NONE
from asimi.core.programs.variables import is_customary
from asimi.core.reading.account import Account, account_of
from asimi.core.reading.arguments import cut, levels_of, options_of
from asimi.core.reading.shapes import ANY, MANY
from asimi.core.syntax.nodes import Word
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from asimi.core.call import Span
    from asimi.core.programs.program import Program
    from asimi.core.reading.arguments import Argument, GivenOptions, Level
    from asimi.core.reading.bindings import Variables
    from asimi.core.reading.shapes import Shapes
    from asimi.core.syntax.nodes import Node, Script, SimpleCommand


_PLAIN = pattern(r"[a-z][a-z:-]*", ASCII)
"""The name of a subcommand."""

SYSTEM = frozenset({"", "/bin", "/sbin", "/usr/bin", "/usr/libexec", "/usr/sbin"})
"""Directories of the system's programs; none where PATH says it."""


def is_installed(directory: str) -> bool:
    """Whether the name of a program means that of the catalogue in a directory, as nobody changes one there unasked."""
    return directory in SYSTEM or (directory[:1] == "/" and is_customary("PATH", directory))


class Finding(NamedTuple):
    """Something about the whole request that no list entry for a command answers.

    Attributes:
        code: a reason code.
        message: in words.
        span: where.
        verdict: ASK, or DENY for what is refused whatever the rules say.
        hidden: whether a command may start that nobody can name from the text, so it could be a denied one.
        loose: whether it counts only where something is forbidden, because otherwise it is an ordinary purpose.
        writes: whether it is about writing a file; it does not count if `[files] write` says where that may be.
        hands: the variable that its span sets and programs are handed; empty where it is about something else.
    """

    code: str
    message: str
    span: Span | None
    verdict: Verdict = Verdict.ASK
    hidden: bool = False
    loose: bool = False
    writes: bool = False
    hands: str = ""


ENTERS = frozenset({"cd", "popd", "pushd"})
"""Commands after which the rest happens in another directory."""

CODES = frozenset({"code", "code.given", "code.input"})
"""Kinds of effects of what runs code that is the project's, or given in the text."""

CODE = frozenset({"code"})
"""The effects of a program text that is not shown."""


class Escape(NamedTuple):
    """An argument by which a command does more than its entry promises, unless the entry names it.

    Attributes:
        word: the index of the word it is; a rule that has more words than that names it.
        message: what it does, in words.
        hidden: whether it starts something that nobody can name.
        whole: whether any of the words from there on may say what it does.
        kinds: what it does, of `asimi.core.programs.effects.WORDS`; None where that is not known.
    """

    word: int
    message: str
    hidden: bool = False
    whole: bool = False
    kinds: frozenset[str] | None = None


class AddedWord(Word):
    """A word that a program adds or changes when it runs the command, so the text does not show it.

    Args:
        start: where the word that it changes begins.
        end: where that ends.
        before: the text before what is added.
        behind: the text behind it, with marks where that is not known.
        begins: how all that is added begins; empty where that is not known.
        single: whether one word is added.

    Attributes:
        before: as above.
        behind: as above.
        sure: whether all that is added begins as the word does.
    """

    __slots__ = ("before", "behind", "sure")

    def __init__(
        self, start: int, end: int, before: str = "", behind: str = "", *, begins: str = "", single: bool = True
    ) -> None:
        super().__init__(start, end, None, before + begins, single=single)
        self.before, self.behind, self.sure = before, behind, bool(begins)


Works = tuple[str, str]
"""A repository that git finds, and its work tree."""


class LookResult(NamedTuple):
    """What a look at the file system said of a command; each request takes a look of its own.

    Attributes:
        astray: whether it may read a file of which only bash can know where it is, or write files whose names are not
            in the text.
        unshadowed: whether its program text finds only the modules of Python itself.
        branch: whether what it checks out is a branch and no file.
        unmodified: whether the files that it restores are as they would be then.
        works: the repository that git finds, and its work tree; None where that is not known to be one.
        own: whether no variable, and of a look at a service no word or file, says whom it asks instead.
        kept: all that it removes, if undo brings each part of it back, or tools make it again; empty where that is
            not sure.
        noted: the same of what git throws away, where a note of its branches, its stash and its index counts as well.
        aims: what it is aimed at, as words of a rule (`remote https://…`, `branch main`); empty where not all is sure.
        boxed: whether in a box it would only remove what is the box's own.
        overwrites: the path of a file that it overwrites, and that nothing brings back; empty without one.
        spares: whether all that it empties is new, or comes back.
        made: whether it only removes what `mktemp` made in the same text.
    """

    astray: bool = False
    unshadowed: bool = False
    branch: bool = False
    unmodified: bool = False
    works: Works | None = None
    own: bool = False
    kept: tuple[Loss, ...] = ()
    noted: tuple[Loss, ...] = ()
    aims: tuple[str, ...] = ()
    boxed: bool = False
    overwrites: str = ""
    spares: bool = False
    made: bool = False


UNSEEN = LookResult()


class Where(NamedTuple):
    """Where the reader is.

    Attributes:
        script: the script a command is in, or None in argv.
        shown_at: the span shown for all of it, where it is a text inside the text; None in the text itself.
        depth: how many wrappers and texts are around it.
        via: the wrapper around it, or None.
        loose: whether what allows need not name its commands.
        possible: whether it is not sure that it runs at all.
        called: whether a program text of another language starts it by a literal call.
        given: whether it may read the standard input of a command around it.
        described: the programs that somebody described besides those of the catalogue, by name.
    """

    script: Script | None = None
    shown_at: Span | None = None
    depth: int = 0
    via: str | None = None
    loose: bool = False
    possible: bool = False
    called: bool = False
    given: bool = False
    described: Mapping[str, Program] = NONE

    def span(self, node: Node) -> Span:
        """The place of a piece of the script in the request's text."""
        return self.shown_at or (node.start, node.end)


Words = tuple[str | None, ...]
"""A command that is started without a shell; None for a word that only the program can know."""


class File(NamedTuple):
    """A file that a program text names.

    Attributes:
        path: its path, as the text has it.
        how: what becomes of it (`asimi.core.programs.program.notation`); empty where that is not known.
        home: whether the path is below the home directory.
        glob: whether it may be a pattern of names.
        found: the shape of the names of what is searched for below the path, and meant in its place; None for itself.
    """

    path: str
    how: str = ""
    home: bool = False
    glob: bool = False
    found: str | None = None


class Inline(NamedTuple):
    """What a program text does.

    Attributes:
        starts: what it may start: texts for a shell, and commands in words.
        files: what it names.
        reads: whether it does no more than compute, print, and read these files.
        alone: whether it looks for modules only where they are installed.
        writes: whether it writes those of the files that are there to be written, beside that.
        needs: files that it has to find or miss, because others would run in their place.
        libraries: whether it loads modules that are not the interpreter's own: `known` where all that these load is
            known, else `any`.
        runs: all commands that it starts, where it does no more than that; a mark stands for what is not known.
        made: the file that it is in, which the same text writes before; empty where it is in no file.
        fresh: whether that may not be there already, because nothing says that writing it succeeded.
    """

    starts: tuple[str | Words, ...] = ()
    files: tuple[File, ...] = ()
    reads: bool = False
    alone: bool = False
    writes: bool = False
    needs: tuple[str, ...] = ()
    libraries: str = ""
    runs: tuple[Words, ...] = ()
    made: str = ""
    fresh: bool = False


NOTHING = Inline()
"""Of a text of which nothing is known."""


NO_TRAITS: frozenset[str] = frozenset()


class Command:
    """One command that would be started: an immutable value, which the reader replaces when it knows more.

    Attributes:
        words: its name and arguments.
        literals: its words after unquoting, None for one that only bash can know.
        name: the last component of its first word, or None where that is computed.
        program: what the catalogue knows of it; None where it knows nothing, or the name is computed.
        traits: what the catalogue says of its program as a whole (`asimi.core.programs.program.notation`).
        source: the text that the places of its words are in; empty in argv.
        span: its place in the request's text.
        where: where the reader found it.
        via: the wrapper that starts it, or None.
        simple: the simple command it is, or None where it is in a wrapper or in argv.
        escapes: what its arguments do beyond its ordinary purpose.
        loose: whether what allows need not name it, because starting it is its wrapper's ordinary purpose.
        possible: whether it is not sure that it starts at all; only what forbids looks at it, and it is not listed.
        outer: whether its words are in the request's own text, not in a text inside it.
        origin: the command as it is written, if this is one of several that it becomes by the values of its variables.
        shapes: what is sure of its words; None before all of the request was read.
        seen: what a look at the file system said of it.
        defined: whether its name is a function of the same text, whose body is judged where it is.
        called: whether it is in a program text of another language, which starts it by a literal call.
        inline: what the program text does that it is given, if it is an interpreter.
    """

    def __init__(
        self,
        words: Sequence[Word],
        span: Span,
        simple: SimpleCommand | None,
        where: Where,
        *,
        origin: Command | None = None,
    ) -> None:
        self.words: Final = tuple(words)
        self.literals: Final = tuple([word.literal for word in words])
        first = self.literals[0]
        self.name: Final = None if first is None else base(first)
        self.program: Final = None if self.name is None else find(self.name) or where.described.get(self.name)
        self.traits: Final = NO_TRAITS if self.program is None else self.program.traits
        self.span: Final = span
        self.simple: Final = simple
        self.where: Final = where
        self.via: Final = where.via
        self.possible: Final = where.possible
        self.called: Final = where.called
        self.source: Final = where.script.text if where.script else ""
        self.outer: Final = where.script is not None and where.shown_at is None
        self.origin: Final = origin
        self.loose: Final = where.loose
        self.shapes: Final[Shapes | None] = None
        self.escapes: Final[tuple[Escape, ...]] = ()
        self.defined: Final[bool] = False
        self.inline: Final[Inline | None] = None
        self.seen: Final = UNSEEN

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The rows that it chooses, with their arguments; none where the catalogue does not know its program."""
        return () if self.program is None else levels_of(self.words, self.program)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Its arguments, of all levels."""
        return tuple([each for level in self.levels for each in level.arguments])

    @cached_property
    def spread(self) -> tuple[Argument, ...]:
        """Its arguments if no operand ended its options; none where the catalogue does not know its program."""
        return () if self.program is None else (*cut(self.words, self.program.syntax, ends=False),)

    @property
    def introduces(self) -> bool:
        """Whether it only asks a program for its version or its help, or for the help of a subcommand.

        Of a program that nobody knows, the two options mean that by custom (GNU Coding Standards, Command-Line
        Interfaces). It has to be looked up by its name; `own_of_project` sees whether the project has one of that name.
        """
        *given, last = self.literals[1:] or ("",)
        if self.program is None:
            looked_up = is_installed((self.literals[0] or "/?").rpartition("/")[0])
            return looked_up and not given and last in {"--help", "--version"}
        known = not given or "grows" not in self.traits or (len(self.levels) > 1 and "exec" not in given)
        helps = known and "helps" in self.traits and last == "--help"
        return helps and all(each and _PLAIN.fullmatch(each) for each in given)

    @cached_property
    def account(self) -> Account:
        """What it does, once all of the request was read."""
        return Account(frozenset(), frozenset(), ()) if self.introduces else account_of(self)

    @cached_property
    def options(self) -> GivenOptions:
        """Its options in all their spellings."""
        return options_of(self.words, self.levels)

    @property
    def own(self) -> bool:
        """Whether the text's own shell looks its name up, so it may be a function of the text."""
        return self.via is None and self.simple is not None

    @property
    def texts(self) -> list[tuple[str, Span]]:
        """Its literal arguments, with its place."""
        return [(word.literal, self.span) for word in self.words[1:] if word.literal is not None]

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it another command than others."""
        words = tuple((word.literal, word.head, word.start) for word in self.words)
        return words, self.span, self.via, self.possible, self.loose

    def with_words(self, words: Sequence[Word]) -> Command:
        """The same command with other words, of which nothing else was read."""
        other = Command(words, self.span, self.simple, self.where, origin=self.origin)
        return other.as_read(self.shapes, (), None, loose=self.loose, defined=self.defined)

    def _but(self, **values: object) -> Command:
        """The same command with other values; what followed from these is found anew."""
        other = object.__new__(Command)
        other.__dict__.update(self.__dict__, **values)
        for name in ("account", "effects", "kinds"):
            other.__dict__.pop(name, None)
        return other

    def as_read(
        self, shapes: Shapes | None, escapes: Sequence[Escape], inline: Inline | None, *, loose: bool, defined: bool
    ) -> Command:
        """The same command once all of the request was read; the class says what each argument means."""
        return self._but(shapes=shapes, escapes=tuple(escapes), inline=inline, loose=loose, defined=defined)

    def place(self, word: Word) -> int:
        """The place of one of its words in the request's own text; -1 where it is in a text inside that."""
        return word.start if self.outer else -1

    def behind(self, index: int) -> Command:
        """The command that begins at an argument, whose text may be several words, if this program starts it."""
        first = self.words[index]
        parts = (self.literals[index] or "").split()
        words = [Word(first.start, first.end, part, part, single=True) for part in parts]
        return self.with_words([*words, *self.words[index + 1 :]])

    def text_of(self, word: Word) -> str:
        """One of its words as far as it is known: after unquoting, or as it is written where bash would expand it."""
        if word.literal is not None:
            return word.literal
        if isinstance(word, AddedWord) and ANY not in word.behind:
            return word.before + ANY + word.behind
        return self.source[word.start : word.end] or word.head

    def with_look(self, seen: LookResult) -> Command:
        """The same command with what a look said of it, from which its effects follow."""
        return self._but(seen=seen)

    @cached_property
    def effects(self) -> frozenset[str] | None:
        """What it does, of `asimi.core.programs.effects.EFFECTS`; None where that is not known."""
        return self.account.effects

    @cached_property
    def kinds(self) -> frozenset[str] | None:
        """The same, finer: of an effect, its kind where that is known (`asimi.core.programs.effects.WORDS`)."""
        return self.account.kinds

    @property
    def removes(self) -> bool:
        """Whether it deletes files or throws work away, and only in ways that undo knows."""
        kinds = {each for each in self.kinds or () if each.partition(".")[0] == "delete"}
        return bool(kinds) and kinds <= UNDONE

    @property
    def may_run_code(self) -> bool:
        """Whether it may run code of the project: an interpreter, a script, a program by its path."""
        return not self.possible and (self.kinds is None or not CODES.isdisjoint(self.kinds))

    def is_around(self, other: Command) -> bool:
        """Whether it is the wrapper of another command."""
        return self.name == other.via and self.holds(other)

    def holds(self, other: Command) -> bool:
        """Whether another command is written within it."""
        return self.span[0] <= other.span[0] and other.span[1] <= self.span[1]

    def with_job_names(self) -> Command:
        """The same command with `%1`, as `kill` may name a job, for each process of a job of the text."""
        job = Word(*self.span, "%1", "%1", single=True)
        words = [job if self._is_job(word) else word for word in self.words]
        return self.with_words(words) if job in words else self

    def _is_job(self, word: Word) -> bool:
        """Whether a word is the process of the last job of the text's shell: `$!`, or `$p` behind `p=$!`."""
        text, shapes = self.text_of(word).strip('"'), self.shapes
        if shapes is not None and "IFS" in shapes.variables:
            return False  # it could split the number into others
        name = text.removeprefix("$").strip("{}")
        given = () if shapes is None or text[:1] != "$" else shapes.variables.at(name, self.place(word)) or ()
        return text == "$!" or (bool(given) and all({*(each.values or ())} == {"$!"} for each in given))

    def may_split(self, word: Word) -> bool:
        """Whether a word may become several of which not all begin as it is written; a glob's names do."""
        if word.literal is not None or word.single or isinstance(word, AddedWord):
            return isinstance(word, AddedWord) and not (word.single or word.sure)
        ways = self.shapes.fields(self.text_of(word), self.place(word)) if self.shapes is not None else ((MANY,),)
        return any(MANY in shape for fields in ways for shape in fields)


_WORD = r"[\w./:=@%,+-]+"
_PIPELINE = pattern(
    r"(?:[ \t]+2>&1|[ \t]*\|[ \t]*(?!(?:case|coproc|for|function|if|select|time|until|while)\b)"
    rf"{_WORD}(?:[ \t]+{_WORD})*)*"
    r"[ \t]*(?:;|&&(?![\s\S]*(?<![&>])&(?![&>]))|\n|\Z)"
)
"""The rest of a pipeline of plain words, and what ends it; a `&` further on may put all of a list behind."""

_GROUPS = pattern(r"[({]|\b(?:case|coproc|do|elif|else|for|if|then|until|while)\b")
"""What may begin a compound command, wherever it is."""


class Reading(NamedTuple):
    """What a request would do, as far as its text tells.

    Attributes:
        commands: in order; what a wrapper starts follows the wrapper.
        findings: what else is to be said.
        functions: the names of the functions the text defines, with their places.
        targets: what redirections name, as far as it is known, with the place of the redirection and whether it writes.
        variables: what the text gives to variables.
        substitution: whether a substitution would be executed.
        left: what is left of the budget for judging it.
        plain: the same as the catalogue alone has it; None where it names no program that somebody described.
        script: the text; None where there is none.
        evaluated: the variables whose values bash evaluates as arithmetic, each with a place.
    """

    commands: tuple[Command, ...]
    findings: tuple[Finding, ...]
    functions: tuple[tuple[str, Span], ...]
    targets: tuple[tuple[str, Span, bool], ...]
    variables: Variables
    substitution: bool
    left: int
    plain: Reading | None = None
    script: Script | None = None
    evaluated: tuple[tuple[str, Span], ...] = ()

    def with_look(self, seen: Mapping[Command, LookResult]) -> Reading:
        """The same with what a look said of some of its commands; the rest stay as they are."""
        seen = {command: what for command, what in seen.items() if what != command.seen}
        if not seen:
            return self
        commands = [command.with_look(seen[command]) if command in seen else command for command in self.commands]
        return self._replace(commands=tuple(commands))

    def positions_after(self, command: Command) -> range:
        """The positions of what runs only once a command has ended; a redirection around it is at none of them."""
        own = next(
            (
                each
                for each in self.commands
                if each.outer and each.simple is not None and each.span[0] <= command.span[0] < each.span[1]
            ),
            None,
        )
        around = [each for each in self.commands if each is not command and not each.possible and each.holds(command)]
        waits = all("stays" in each.traits for each in around)  # no shell, trap or `setsid`, which may go on without it
        if own is None or own.simple is None or not waits or self.variables.loops or self.functions:
            return range(0)
        if own.simple.holds > own.simple.end:  # it is in this shell, and what follows in its list waits
            return range(own.simple.end, own.simple.holds)
        rest = _PIPELINE.match(own.source, own.simple.end)
        alone = rest is not None and not _GROUPS.search(own.source, 0, own.simple.start)
        return range(rest.end(), len(own.source)) if rest is not None and alone else range(0)


def base(path: str) -> str:
    """The last component of a path: `rm` of `/bin/rm`."""
    return path.rpartition("/")[2]
