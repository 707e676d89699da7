"""The fewest and narrowest rules that would have answered what a person said yes to again and again.

Nothing is proposed by the name of a program alone: a rule goes by what a command does (`effects`), by all of its words
(`exact`), or is about a project's own checks. What deletes, publishes, changes the system or runs code, and what starts
other commands, is never proposed; nor is what would allow a call that a person refused.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from asimi.core.budget import Budget
from asimi.core.call import PERSONS, Verdict
from asimi.core.judging.matching import begins
from asimi.core.judging.offers import LONGEST, MILD, READ, has_subcommands, suggest_prefix
from asimi.core.judging.rules import Rule, entry_for
from asimi.core.programs.effects import EFFECTS
from asimi.core.reading.commands import SYSTEM
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.core.wording.effects import does_all
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from asimi.core.call import Request
    from asimi.core.judging.checks import Answer
    from asimi.core.judging.policy import Policy
    from asimi.core.reading import Command
    from asimi.world.audit.calls import LoggedCall

OFTEN = 2
"""Calls that a person must have said yes to before a rule is proposed for them."""

SAME = 3
"""The same for a rule that is only for exactly the same words."""

PROGRAMS = 3
"""How many programs that only read make a rule for everything that only reads; how many subcommands of a program
that only read and write make a rule for each."""

NEVER = frozenset({"delete", "publish", "system", "code"})
"""Effects of commands that are never proposed; of code, only a project's own checks."""

EXAMPLES = 2
"""Calls that explain a proposal."""

TEXTS = frozenset({"code", "embeds", "input", "interprets"})
"""Traits of programs that may run a text that they are given."""


SELDOM = "it came too seldom, or is too long to read"
OF_PROJECT = "it runs a program from a path, and what is there may change"


class Open(NamedTuple):
    """Equal calls that rules for their commands would answer now.

    Attributes:
        request: what they are.
        behind: whether an agent runs what is allowed.
        calls: how many.
        commands: the commands that want a rule, each with what is said of it as a check.
    """

    request: Request
    behind: bool
    calls: int
    commands: tuple[tuple[Command, Answer | None], ...]


class Proposal(NamedTuple):
    """Rules of one kind, to be taken together.

    Attributes:
        rules: what would be stored.
        root: the project that they are for; None for all.
        calls: how many calls they would have answered.
        examples: some of these.
        unanswered: what else they would allow of the log: calls that were asked about, and nobody answered.
        unseen: whether they are about checks that nobody has confirmed.
    """

    rules: tuple[Rule, ...]
    root: str | None
    calls: int
    examples: tuple[str, ...]
    unanswered: tuple[str, ...] = ()
    unseen: bool = False


class Left(NamedTuple):
    """Calls that a person said yes to, and for which nothing is proposed.

    Attributes:
        why: the reason in words.
        calls: how many.
        example: one of them.
    """

    why: str
    calls: int
    example: str


def is_yes(logged: LoggedCall) -> bool:
    """Whether a person at a terminal said yes to a call."""
    return logged.yes and logged.by in PERSONS


def is_no(logged: LoggedCall) -> bool:
    """Whether a call was denied, or refused by a person."""
    return logged.verdict is Verdict.DENY or (logged.by not in {"", "nobody", "clock"} and not logged.yes)


class Suggesting:
    """The search for rules that would have answered a person's yeses.

    Args:
        yes: the calls that a person said yes to.
        no: the calls that were denied, or refused by a person.
        unanswered: the calls that nobody answered.
        policy: the policy of a project, given its root and whether an agent runs what is allowed.
    """

    def __init__(
        self, yes: Iterable[Open], no: Sequence[Open], unanswered: Sequence[Open], policy: Callable[[str, bool], Policy]
    ) -> None:
        self._no, self._unanswered, self._policy = no, unanswered, policy
        self._left: list[Left] = []
        self._yes = self._calls = [each for each in yes if self._may_be_proposed(each)]
        self._found: list[_Found] = []
        self._refused: dict[_Found, str] = {}  # what was not taken, with a call that it would have allowed

    def proposals(self) -> tuple[list[Proposal], list[Left]]:
        """What to add, the most useful first; and the calls for which nothing is proposed, with the reason."""
        while True:
            self._found = []
            for each in self._candidates():
                self._take(each)
            answered = [each for each in self._calls if self._is_answered(each)]
            if len(answered) == len(self._calls):
                break
            self._calls = answered  # a call that stays a question needs no rule for its other commands
        seldom = [each for each in self._yes if each not in answered]
        self._left += [Left(self._why(each), each.calls, line_of(each.request)) for each in seldom]
        proposals = [self._explained(each) for each in self._found]
        return sorted(proposals, key=lambda each: -each.calls), sorted(self._left, key=lambda each: -each.calls)

    def _may_be_proposed(self, call: Open) -> bool:
        """Whether all commands of a call are of a kind for which rules are proposed."""
        root = call.request.place.root
        hidden = "the path of its project has characters that do not show" if visible(root) != root else ""
        why = hidden or next(filter(None, (_barred(command, answer) for command, answer in call.commands)), "")
        if why:
            self._left.append(Left(why, call.calls, line_of(call.request)))
        return not why

    def _why(self, call: Open) -> str:
        """Why nothing is proposed for a call that rules could answer."""
        for found, line in self._refused.items():
            if any(_covers(found, call, use) for use in call.commands):
                return f"a rule for it would also allow what was refused: {line}"
        return SELDOM

    def _candidates(self) -> Iterator[_Found]:
        """Rules that may be proposed, wider ones before those that they would make needless."""
        uses = [_Use(call, command, answer) for call in self._calls for command, answer in call.commands]
        yield from self._checks([use for use in uses if use.answer is not None])
        uses = [use for use in uses if use.answer is None]
        reading = [use for use in uses if _reads(use)]
        mild = [use for use in uses if self._is_mild(use)]
        for some in _grouped(reading, lambda use: use.tool):
            if len({use.command.name for use in some if not _starts(use.command)}) >= PROGRAMS:
                yield _Found((_by_effects((), some[0], READ),), _root_of(some))
        for some in _grouped(reading, lambda use: (use.tool, use.command.literals[0])):
            if _is_often(some) and not _starts(some[0].command):
                yield _Found((_by_effects(some[0].command.literals[:1], some[0], READ),), _root_of(some))
        for some in _grouped(mild, lambda use: (use.tool, use.command.literals[0])):
            forms = _grouped(some, lambda use: suggest_prefix(use.command))
            several = len(forms) >= PROGRAMS
            wide = [each for each in forms if _is_often(each) and (several or _differ(each))]
            for root in dict.fromkeys(map(_root_of, wide)):
                rules = [
                    _by_effects(suggest_prefix(each[0].command), each[0], MILD)
                    for each in wide
                    if _root_of(each) == root
                ]
                yield _Found(tuple(rules), root)
        for some in _grouped(uses, lambda use: (use.tool, use.command.literals)):
            command = some[0].command
            if _is_often(some, SAME) and None not in command.literals and not _starts(command):
                yield _Found((_exactly(some[0]),), _root_of(some))

    def _checks(self, uses: list[_Use]) -> Iterator[_Found]:
        """Rules for the checks of each project: for all, where several were used, else for those."""
        for some in _grouped(uses, lambda use: use.call.request.place.root):
            kinds = _grouped(some, lambda use: _words_of_check(use.command))
            if len(kinds) >= OFTEN and _is_often(some):
                yield _Found((_of_checks((), some[0]),), _root_of(some))
            for each in kinds:
                if _is_often(each):
                    yield _Found((_of_checks(_words_of_check(each[0].command), each[0]),), _root_of(each))

    def _is_mild(self, use: _Use) -> bool:
        """Whether a command reads and writes files, in a way that its first words and its effects narrow enough."""
        words = () if _reads(use) else suggest_prefix(use.command)
        if not words or _starts(use.command) or not begins(_by_effects(words, use, MILD), use.command, Budget()):
            return False
        row = use.command.program
        placed = self._policy(use.call.request.place.root, use.call.behind).terms.placed
        return has_subcommands(use.command) or (placed and row is not None and not row.wide)

    def _take(self, found: _Found) -> None:
        """Take rules that answer something new, unless they would allow a call that was denied or refused.

        What a person cannot read is not proposed.
        """
        if not all(_is_readable(rule) for rule in found.rules):
            return
        more = [*self._found, found]
        new = any(
            _covers(found, each, use) and not _any_covers(self._found, each, use)
            for each in self._calls
            for use in each.commands
        )
        refused = next((each for each in self._no if new and _allow(more, each, found)), None)
        if refused is not None:
            self._refused[found] = line_of(refused.request)
        elif new:
            self._found = more

    def _is_answered(self, call: Open) -> bool:
        """Whether the rules answer a call, judged with them."""
        if not _allow(self._found, call):
            return False
        if any(answer is not None and not answer.sure for _, answer in call.commands):
            return True  # once a person confirms the checks
        policy = self._policy(call.request.place.root, call.behind)
        root = call.request.place.root
        rules = [rule for found in self._found if found.root in {None, root} for rule in found.rules]
        return policy.with_rules([*policy.rules, *rules]).decide(call.request).verdict is Verdict.ALLOW

    def _explained(self, found: _Found) -> Proposal:
        """Rules with the calls that they would have answered."""
        mine = [each for each in self._calls if any(_covers(found, each, use) for use in each.commands)]
        mine.sort(key=lambda each: -each.calls)
        lines = tuple(dict.fromkeys(line_of(each.request) for each in mine))[:EXAMPLES]
        unanswered = [each for each in self._unanswered if _allow(self._found, each, found)]
        return Proposal(
            found.rules,
            found.root,
            sum(each.calls for each in mine),
            lines,
            tuple(dict.fromkeys(line_of(each.request) for each in unanswered)),
            any(rule.checks for rule in found.rules)
            and any(answer is not None and not answer.sure for each in mine for _, answer in each.commands),
        )


class _Use(NamedTuple):
    """A command of a call that wants a rule."""

    call: Open
    command: Command
    answer: Answer | None

    @property
    def tool(self) -> str:
        """The tool of its call."""
        return self.call.request.tool


class _Found(NamedTuple):
    """Rules that belong together, and the project that they are for; None for all."""

    rules: tuple[Rule, ...]
    root: str | None


def _covers(found: _Found, call: Open, use: tuple[Command, Answer | None]) -> bool:
    """Whether one of some rules is for a command of a call."""
    command, answer = use
    if found.root not in {None, call.request.place.root}:
        return False
    return any(
        rule.tool == call.request.tool and (not rule.checks or answer is not None) and begins(rule, command, Budget())
        for rule in found.rules
    )


def _any_covers(found: Iterable[_Found], call: Open, use: tuple[Command, Answer | None]) -> bool:
    return any(_covers(each, call, use) for each in found)


def _allow(found: Sequence[_Found], call: Open, needed: _Found | None = None) -> bool:
    """Whether rules cover all commands of a call, and the needed ones, if any, at least one of them."""
    if needed is not None and not any(_covers(needed, call, use) for use in call.commands):
        return False
    return all(_any_covers(found, call, use) for use in call.commands)


def _barred(command: Command, answer: Answer | None) -> str:
    """Why no rule is proposed for a command, in words; empty where one may be."""
    words, does = command.literals, command.effects
    if answer is not None or (does is not None and READ.issuperset(does)):
        return "" if "/" not in (words[0] or "") or answer is not None or _is_of_system(words[0]) else OF_PROJECT
    if does is not None and not does.isdisjoint(NEVER):
        return f"it {does_all(NEVER & does)}"
    if None in words:
        return "only bash can know all of its words"
    if not _is_of_system(words[0]):
        return OF_PROJECT
    if command.program is not None and does is None:
        return "asimi does not know all that it does"
    return "it starts what it is given" if _starts(command) else ""


def _is_readable(rule: Rule) -> bool:
    """Whether a person can read all that a rule says, and every character shows."""
    words = [each[0] for each in rule.words or ()]
    return len(rule.entry) <= LONGEST and all(visible(word) == word for word in words)


def _is_of_system(program: str | None) -> bool:
    """Whether a program is looked up by its name, or in a directory of the system."""
    return program is not None and program.rpartition("/")[0] in SYSTEM


def _starts(command: Command) -> bool:
    """Whether a program may start what it is given: a shell, an interpreter, a wrapper."""
    row, does = command.program, command.effects
    if row is None:
        return False
    mild = does is not None and MILD.issuperset(does)
    wraps = bool(row.shell) or row.starts is not None or "=COMMAND" in row.options
    return wraps or "code" in row.traits or (not mild and not TEXTS.isdisjoint(row.traits))


def _reads(use: _Use) -> bool:
    """Whether a rule for everything that only reads covers a command."""
    return begins(_by_effects((), use, READ), use.command, Budget())


def _words_of_check(command: Command) -> tuple[str | None, ...]:
    """The first words that name a check."""
    return suggest_prefix(command) or command.literals[:1]


def _is_often(uses: Iterable[_Use], least: int = OFTEN) -> bool:
    """Whether a person said yes to commands at least so many times."""
    return sum(use.call.calls for use in uses) >= least


def _differ(uses: Iterable[_Use]) -> bool:
    """Whether commands are not all the same."""
    return len({use.command.literals for use in uses}) > 1


def _root_of(uses: Iterable[_Use]) -> str | None:
    """The one project that commands were used in; None where there are more."""
    roots = {use.call.request.place.root for use in uses}
    return roots.pop() if len(roots) == 1 else None


def _grouped(uses: Iterable[_Use], key: Callable[[_Use], object]) -> list[list[_Use]]:
    """Commands with the same key, the most frequent first."""
    groups: defaultdict[object, list[_Use]] = defaultdict(list)
    for use in uses:
        groups[key(use)].append(use)
    return sorted(groups.values(), key=lambda some: -sum(use.call.calls for use in some))


def _by_effects(words: Sequence[str | None], use: _Use, effects: Iterable[str]) -> Rule:
    """The rule for commands with some first words, as far as they have no other effects."""
    return _rule(use, words, effects=tuple(effect for effect in EFFECTS if effect in effects))


def _exactly(use: _Use) -> Rule:
    """The rule for a command with all its words and no others."""
    return _rule(use, use.command.literals, exact=True)


def _of_checks(words: Sequence[str | None], use: _Use) -> Rule:
    """The rule for a project's checks with some first words."""
    return _rule(use, words, checks=True)


def _rule(use: _Use, words: Sequence[str | None], **more: Any) -> Rule:
    """A rule that allows."""
    rule = Rule(Verdict.ALLOW, use.tool, tuple((word,) for word in words if word is not None), "", **more)
    return rule._replace(entry=entry_for(rule))
