"""One rule: what it is about, and what it says.

Everything that decides is a rule: an entry of `coreTools`, `excludeTools` or `ask`, a `[[rules]]` table, an answer that
a person gave for the session. An entry is `TOOL` or `TOOL(WORDS)`; its inside is read as literal shell words, so
`run_shell_command(git commit -m "a b")` has four.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Verdict
from asimi.core.errors import AsimiError, ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.syntax import parse, quote
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asimi.core.kinds import SandboxMode
    from asimi.core.syntax.nodes import Word

SHELL, EXEC = "run_shell_command", "execute_command"
TOOLS = (SHELL, EXEC)
REACH = "reach"
"""What an entry is for that is about a name on the network and no command: `reach(example.org:443)`."""

LONGEST = 50_000
"""Units of work for one entry; one of some thousand words is not more."""


HOST_NOT_TRUSTED = "{0} alone says, which is not trusted (trusted = true under [hosts.{0}])"
"""Why what a host says of itself allows nothing."""

ONCE = "once"
"""The kind of a rule that stands for a yes to one call, which had been refused by then."""


WITHOUT_FORCE: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {
    # +REF forces; :REF deletes, and A:B writes elsewhere than its name says; the others are more than named branches
    ("git", "push"): (("network", "publish"), ("+*", "*:*", "--al*", "--b*", "--t*", "--fo*", "--m*", "--d*", "--p*")),
}
"""First words that have a width without force: all that they may do then, and what no argument may fit (git-push(1));
git takes beginnings of options."""


class Rule(NamedTuple):
    """A rule.

    Attributes:
        verdict: what it says of a command that it matches.
        tool: the tool it is for, or None for both. What forbids counts for both, whatever it says here.
        words: the first words of a command, each with its alternatives; empty for every command; None where `line` is
            set.
        line: the exact text of a whole call, or None.
        options_any: options, any one of which the command must have, whatever their spelling.
        exact: whether the words are all that a command has.
        args_any: patterns, any one of which an argument must fit; `*` is for any characters. Of no allow.
        effects: of an allow, all that a command may do; else what it must do one of; empty where that does not matter.
        excepted: of an allow by effects, the names of programs that it is not about.
        hosts: of an allow by effects, the only ones that a command may reach; empty where that does not matter.
        args_none: of an allow by effects, patterns that no argument may fit; all of them must be known then.
        at: of an allow by effects, all that a command may be aimed at: `remote URL`, `branch NAME`, `context NAME`,
            `namespace NAME`, `script NAME in DIRECTORY`; empty where that does not matter.
        checks: whether it is about the project's own checks alone, as a person has confirmed them. Of an allow.
        undo: of an allow by effects, whether it covers a delete of what undo brings back.
        sandbox: of an allow, the sandbox that the command must run in.
        directory: the real path a call must run in (or below, where `below`), or None.
        below: whether sub-directories of `directory` count.
        terminal: of a written ask, whether only a person at a terminal may say yes.
        enforced: of a deny, whether it also holds for whatever a command starts.
        outside: of an allow, whether it also lets the command out of a box around the agent.
        host: the machine that a call must run on; empty for this one, None for any.
        reason: what the model is told, or empty.
        expires: the time it ends, in seconds since the epoch, or None.
        entry: the rule as a person wrote it or would write it.
        source: where it is written, `FILE:LINE`, or who said so; None where nobody wrote it down.
        uses: how many calls it still allows, or None for any number; counted only for what a person approved.
        answers: what it answers although that is asked about each time: the words of the reasons that a person saw.
        kind: `list` for an entry or a rule that was configured, `session` for what a person approved for a
            while, `once` for one call that had been refused when they said yes.
    """

    verdict: Verdict
    tool: str | None
    words: tuple[tuple[str, ...], ...] | None
    entry: str
    source: str | None = None
    line: str | None = None
    options_any: tuple[str, ...] = ()
    exact: bool = False
    args_any: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    args_none: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    checks: bool = False
    undo: bool = False
    sandbox: SandboxMode = "off"
    directory: str | None = None
    below: bool = True
    terminal: bool = False
    enforced: bool = False
    outside: bool = False
    host: str | None = None
    reason: str = ""
    expires: float | None = None
    uses: int | None = None
    answers: tuple[str, ...] = ()
    kind: str = "list"

    @property
    def bare(self) -> bool:
        """Whether it is about a whole tool, not about some commands of it."""
        narrowed = self.options_any or self.args_any or self.effects or self.checks
        return self.words == () and self.line is None and not narrowed

    @property
    def trusts_machine(self) -> bool:
        """Whether it allows by more than the text: by what the machine says of its files, programs and sandboxes."""
        by_place = self.directory is not None and self.line is None  # of a whole text, a person has seen where it ran
        return self.verdict is Verdict.ALLOW and bool(by_place or self.effects or self.checks or self.sandbox != "off")

    @property
    def enforceable(self) -> bool:
        """Whether it forbids programs by their words, so that an execution can be held to it."""
        return self.verdict is Verdict.DENY and bool(self.words) and not self.effects

    @property
    def code(self) -> str:
        """The reason code of what it allows."""
        return "allowed_by_rule" if self.kind == "list" else "allowed_by_session"


def spend_use(rule: Rule, rules: Iterable[Rule]) -> list[Rule]:
    """What is left of a counted rule after one call that rests on some rules: the rule, or nothing."""
    if rule.uses is None or rule not in rules:
        return [rule]
    return [rule._replace(uses=rule.uses - 1)] if rule.uses > 1 else []


class EntryError(AsimiError):
    """An entry that cannot be understood; `str()` says why and what would be right."""


@lru_cache(maxsize=4096)
def read_entry(entry: str) -> tuple[str, tuple[str, ...]]:
    """The tool and the words of an entry; no words for a bare tool name.

    Raises:
        EntryError: it is neither `TOOL` nor `TOOL(WORDS)`, names an unknown tool, or its inside is empty, computed or
            more than one plain command.
    """
    tool, bracket, inside = entry.partition("(")
    tool = tool.strip()
    if tool not in (*TOOLS, REACH):
        form = f"an entry is TOOL or TOOL(WORDS), and a tool is {' or '.join(TOOLS)}"
        raise EntryError(f"{entry!r} does not name a tool: {form}{_suggest_entry(entry)}")
    if not bracket and tool != REACH:
        return tool, ()
    if tool == REACH and not bracket:
        raise EntryError(f"{entry!r} must be about one name, such as {REACH}(example.org:443)")
    if not inside.rstrip().endswith(")"):
        raise EntryError(f"{entry!r} has no closing parenthesis at its end")
    words = literal_words(inside.rstrip()[:-1], entry)
    if tool == REACH:
        from asimi.core.judging.names import name_of

        try:
            for at, each in enumerate(words):  # behind the name, private addresses that it may lead to
                name_of(each, blocks=at > 0)
        except AsimiError as error:
            raise EntryError(f"{entry!r}: {error}") from None
    return tool, words


def _suggest_entry(entry: str) -> str:
    """What a person may have meant by an entry without a tool, for the message; empty where nothing is likely."""
    from difflib import get_close_matches

    tool, bracket, inside = entry.partition("(")
    meant = [f"{name}{bracket}{inside}" for name in get_close_matches(tool.strip(), TOOLS, 1, 0.8)]
    try:
        meant = meant or [entry_of(SHELL, literal_words(entry, entry))]
    except EntryError:
        return ""
    return f"; did you mean {meant[0]!r}?"


def literal_words(text: str, entry: str) -> tuple[str, ...]:
    """The words of a text that must be one plain command; `entry` is what messages speak of.

    Raises:
        EntryError: it is not.
    """
    try:
        script = parse(
            f": {text}", Budget(LONGEST)
        )  # behind a command name nothing is a reserved word or an assignment
    except ShellSyntaxError as error:
        raise EntryError(f"{entry!r} {_text_problem(text) or f'cannot be read: {error.message}'}") from None
    except OverBudgetError:
        raise EntryError(f"{entry[:100]!r}… is too much to check; write the first words of one command") from None
    command, *more = script.commands
    written = [script.text[word.start : word.end] for word in command.words[1:]]
    if more:
        raise EntryError(f"{entry!r} {_text_problem(text) or 'is more than one plain command; write the words of one'}")
    if command.redirections or len(script.redirections):
        plain = " ".join(written)
        raise EntryError(f"{entry!r} has a redirection, which [files] write allows and no entry; write {plain!r}")
    words = tuple(word.literal for word in command.words[1:] if word.literal is not None)
    if len(words) != len(command.words) - 1:
        unknown = next(each for each, word in zip(written, command.words[1:], strict=True) if word.literal is None)
        raise EntryError(f"{entry!r} {_word_problem(unknown)}")
    if not words or not words[0]:
        raise EntryError(f"{entry!r} is empty; to list a whole tool, write its bare name")
    return words


def _text_problem(text: str) -> str:
    """What is wrong with a text of several commands, such as a loop, as an entry; empty where it cannot be read."""
    try:
        commands = parse(text, Budget(LONGEST)).commands
    except (ShellSyntaxError, OverBudgetError):
        return ""
    named = [" ".join(map(quote, words)) for each in commands if (words := _literal(each.words))]
    listed = f", so write an entry for each: {', '.join(dict.fromkeys(named))}" if named else "; write the words of one"
    return f"is more than one plain command, and each is judged by itself{listed}"


def _literal(words: Iterable[Word]) -> list[str]:
    """The first words of a command that are known."""
    return [each.literal or "" for each in takewhile(lambda each: each.literal is not None, words)]


def _word_problem(word: str) -> str:
    """What is wrong with a word of an entry that is not literal, and what to write."""
    if word.startswith("~"):
        return f"begins a path with `~`, which means nothing in an entry; write the absolute path in place of `{word}`"
    if word.endswith("*") and not set(word[:-1]) & set("$`*?["):
        rest = word.rstrip("*").rstrip(":")
        end = f"end it with `{rest}`" if rest else "leave it out"
        return f"has `*`, which is no sign here: an entry holds for all that begins with its words; {end}"
    return f"has a word that only bash could expand, `{word}`; words are literal here, so quote it"


KEYWORDS = frozenset("! { } [[ case coproc do done elif else esac fi for function if select then until while".split())
"""Reserved words of bash at which no program begins (bash manual, Reserved Words); `time` is a program besides."""

_ASSIGNMENT = pattern(r"([A-Za-z_]\w*)\+?=")


def no_program(words: Sequence[str], tool: str) -> tuple[str, str] | None:
    """Why a rule of these words matches no command that anybody means, and what to write instead; None if it may.

    Args:
        words: its first words.
        tool: what it is for.
    """
    name, *behind = words
    if tool == EXEC:
        return None
    if name in KEYWORDS:
        message = f"matches no command: unless it is quoted, `{name}` is a word of bash's own"
        return message, "entries for the commands that it holds; each is judged by itself"
    skip = 1 if name == "env" else 0
    if len(words) > skip and (variable := _ASSIGNMENT.match(words[skip])):
        behind = [each for each in words[skip:] if not _ASSIGNMENT.match(each)]
        does = f"does not answer for what `{name}` starts" if skip else "matches no command: unless it is quoted,"
        message = f"{does}; `{words[skip]}`" if skip else f"{does} `{name}`"
        wanted = entry_of(tool, tuple(behind)) if behind else "the command behind it"
        return f"{message} sets a variable for the command behind it", (
            f'{wanted}; free = ["{variable[1]}"] in [environment] lets it be set'
        )
    if " " in name.strip() and "/" not in name:
        message = f"is about a program whose name has a blank in it, `{name}`, not about `{name.split()[0]}`"
        return message, entry_of(tool, (*name.split(), *behind))
    return None


def entry_of(tool: str, words: tuple[str, ...]) -> str:
    """The entry that a person would write for some first words.

    Raises:
        ValueError: a word holds NUL, which no entry can.
    """
    return f"{tool}({' '.join(map(quote, words))})" if words else tool


def is_without_force(rule: Rule) -> bool:
    """Whether a rule is one of that width."""
    if not rule.args_none:
        return False
    width = WITHOUT_FORCE.get(tuple(each[0] for each in rule.words or ()))
    return width is not None and (rule.effects, rule.args_none) == width


def entry_for(rule: Rule) -> str:
    """What a message calls a rule: its entry if one says it all, otherwise something that looks like one."""
    tool = rule.tool or SHELL
    on = (" (also outside a box)" if rule.outside else "") + (f" on {rule.host}" if rule.host else "")
    if rule.line is not None:
        return f"{tool}: exactly {rule.line!r}{on}"
    with_ = [*rule.options_any, *rule.args_any]
    rest = (" with " + "|".join(with_)) if with_ else ""
    if is_without_force(rule):
        return entry_of(tool, tuple(each[0] for each in rule.words or ())) + " without force" + on
    if rule.at:
        where = f" at {', '.join(rule.at)}{on}"
        return entry_of(tool, tuple(each[0] for each in rule.words)) + where if rule.words else f"any command{where}"
    if rule.effects:
        from asimi.core.wording.effects import does

        rest += f" that {'at most ' if rule.verdict is Verdict.ALLOW else ''}{does(rule.effects)}"
        rest += ", or deletes what is kept" if rule.undo else ""
    if rule.args_none:
        rest += f" without {'|'.join(rule.args_none)}"
    if rule.excepted:
        rest += f" except {', '.join(rule.excepted)}"
    if rule.hosts:
        rest += f" at {', '.join(rule.hosts)}"
    rest += on
    if rule.checks and not rule.words:
        return f"the project's checks{on}"
    if not rule.words:
        return (rule.tool or "every command") + rest
    if all(len(each) == 1 for each in rule.words):
        entry = entry_of(tool, tuple(each[0] for each in rule.words))
    else:
        entry = f"{tool}({' '.join('|'.join(each) for each in rule.words)})"
    return ("exactly " if rule.exact else "") + entry + rest


def rule_of(entry: str, verdict: Verdict, source: str | None = None, kind: str = "list") -> Rule:
    """The rule that an entry means.

    Raises:
        EntryError: it cannot be understood.
    """
    tool, words = read_entry(entry)
    return Rule(verdict, tool, tuple((word,) for word in words), entry, source, kind=kind)
