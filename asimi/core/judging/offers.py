"""What a yes could be kept as: the exact call first, then the narrowest prefixes that make sense.

An interpreter, a wrapper or a program that destroys is never offered by its bare name: `python3` would allow every
program, `sudo` every command, `rm` every file.
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.budget import Budget
from asimi.core.call import Offer, Verdict
from asimi.core.judging.matching import begins, may_name
from asimi.core.judging.rules import ONCE, WITHOUT_FORCE, EntryError, Rule, entry_for, entry_of, read_entry, rule_of
from asimi.core.judging.widths import is_settled, kind_of, known_widths, lasts
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.effects import EFFECTS, broad
from asimi.core.reading.account import is_query
from asimi.core.reading.commands import base
from asimi.core.syntax import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.call import Approval, Question, Request
    from asimi.core.judging.named_files import NamedFiles
    from asimi.core.programs.program import Program
    from asimi.core.reading import Command

LONGEST = 4096
"""Characters of an entry that is offered; nobody reads a longer one."""

MOST = 8
"""How many entries one offer or message may hold."""

WHILE = "in this directory, while its checks stay as they are now"
"""What is said of an offer that ends with the next change of a check."""

READ, MILD = frozenset({"read"}), frozenset({"read", "write"})
AWAY = MILD | {"network"}
"""What is offered by its effects; what deletes, publishes, runs code or changes the system is offered by its words."""

TEXTS = frozenset({"code", "embeds", "expressions", "input", "interprets", "queries"})
"""Traits of programs that may be given a program text, by which they do more than their options say."""

_WORD = pattern(r"[a-z][a-z0-9:_-]*")
"""What looks like a subcommand of a program that asimi does not know."""

_RUNS_PACKAGE = (("npx",), ("pnpx",), ("bunx",), ("uvx",), ("pnpm", "dlx"), ("yarn", "dlx"))
_PACKAGE = pattern(r"\w[\w.-]*", ASCII)
"""What runs a package from a registry, and how such a package is named there."""

NEVER_AIMED = frozenset({"delete", "system"})
"""Effects of what is not offered by where it goes."""


def exact(request: Request) -> Rule:
    """The rule that allows exactly this call: this tool, this text, in this directory."""
    line = line_of(request)
    return Rule(
        Verdict.ALLOW,
        request.tool,
        None,
        line,
        "a person",
        line=line,
        directory=request.place.path,
        below=False,
        host=request.place.host,
        kind="session",
    )


def while_unchanged(request: Request, changed: tuple[str, ...]) -> tuple[Offer, ...]:
    """What a session could store for a call whose checks have changed: exactly it, as they are now; else nothing."""
    if not changed:
        return ()
    return (Offer(f"exactly this call, {WHILE}", (exact(request)._replace(answers=changed),)),)


def as_now(request: Request, changed: tuple[str, ...]) -> Offer:
    """What "always" does where checks have changed: it confirms them as they are now, and keeps no rule."""
    named = ", ".join(each.rpartition(" ")[0].removesuffix(":.").replace(":", " in ") for each in changed)
    rule = Rule(Verdict.ALLOW, request.tool, (), f"the checks as they are now: {named}", "a person", checks=True)
    return Offer("confirm the checks as they are now", (rule._replace(directory=request.place.root, answers=changed),))


def is_confirming(rule: Rule) -> bool:
    """Whether a rule stands for such a confirmation, and is not itself to be kept."""
    return rule.checks and bool(rule.answers)


def once(question: Question) -> Rule:
    """The rule that allows the call of a question one time, whatever was asked about it then and nothing else."""
    reasons = tuple(reason.message for reason in question.decision.reasons)
    return exact(question.request)._replace(kind=ONCE, uses=1, answers=(*reasons, *question.decision.changed))


def fits(given: Approval, question: Question) -> bool:
    """Whether an answer keeps nothing but what its question could offer."""
    if given.edited is not None and (given.yes or given.rules):
        return False
    if question.origin and given.scope not in ("once", "session"):
        return False
    if given.scope == "task":
        return given.yes and question.widening is not None and given.rules == question.widening.rules
    if given.scope == "once" or not given.rules:
        return not given.rules and given.scope == "once"
    if not given.yes:
        denies = all(rule.verdict is Verdict.DENY and not rule.bare for rule in given.rules)
        return denies and given.scope != "session"
    if any(map(is_confirming, given.rules)):
        offer = question.decision.confirming
        return given.scope == "project" and offer is not None and given.rules == offer.rules
    if question.decision.changed and given.scope != "session":
        return False
    if not question.decision.offers or (given.scope == "session" and not question.session):
        return False
    if given.scope != "session" and not all(lasts(rule.at) for rule in given.rules):
        return False
    return all(
        rule.verdict is Verdict.ALLOW
        and rule.tool == question.request.tool
        and not rule.bare
        and rule.answers == (question.decision.changed if rule.line is not None else ())
        for rule in given.rules
    )


def offers(
    request: Request, unlisted: Sequence[Command], budget: Budget, named: NamedFiles | None = None
) -> tuple[Offer, ...]:
    """What "session" and "always" could store, narrowest first.

    Args:
        request: the call that is asked about.
        unlisted: the commands that need an entry; empty where entries would not answer the question.
        budget: what the look at their effects is paid from.
        named: tells which files their words name; None to offer these as they are written.
    """
    found = [Offer("exactly this call, in this directory", (exact(request),))]
    if not unlisted or len(unlisted) > MOST:
        return tuple(found)
    found += widths(request, unlisted)
    rules = tuple(dict.fromkeys(filter(None, (_without_force(each, request) for each in unlisted))))
    if len(rules) == len({suggest_prefix(each) for each in unlisted}):
        found.append(Offer("these commands without force", rules))
    for label, width in (("these commands with these first words", suggest_prefix), ("these programs", _program)):
        chosen = [_entry_words(command, width(command), named) for command in unlisted]
        if all(chosen):
            pairs = zip(unlisted, chosen, strict=True)
            rules = tuple(dict.fromkeys(_for(command, words, request) for command, words in pairs))
            if rules not in [offer.rules for offer in found]:
                found.append(Offer(label, rules))
    return (*found, *_by_effect(request, unlisted, budget))


def widths(request: Request, commands: Sequence[Command]) -> list[Offer]:
    """The offers for what some commands are aimed at, one for each that has an aim; none where no command has one."""
    wide = [_aim_rule(each, request, "object") for each in commands]
    kinds = dict.fromkeys(kind_of(rule.at[0]) for rule in wide if rule is not None)
    rules = [rule or _by_words(each, request) for rule, each in zip(wide, commands, strict=True)]
    if not kinds or None in rules:
        return []
    said = [known_widths()[each].label for each in kinds] + ["these first words"] * (None in wide)
    return [Offer("; ".join(said), tuple(dict.fromkeys(filter(None, rules))))]


def _by_words(command: Command, request: Request) -> Rule | None:
    """The rule for the first words of a command; None where none should be kept."""
    words = suggest_prefix(command)
    return _without_force(command, request) or (_for(command, words, request) if words else None)


def aim_rules(request: Request, commands: Sequence[Command]) -> tuple[Rule, ...]:
    """The rules for what each command is aimed at now; none where one has no aim."""
    rules = [_aim_rule(each, request) for each in commands]
    return () if None in rules else tuple(dict.fromkeys(filter(None, rules)))


def of_task(rule: Rule, source: str | None, root: str | None, *, boxed: bool) -> Rule:
    """A rule as part of a task. In a box it lets out what it allows, unless that is all code of a project."""
    return rule._replace(source=source, kind="session", directory=root, outside=boxed and rule.words is not None)


def width_rule(tool: str | None, at: tuple[str, ...], host: str = "") -> Rule:
    """The rule for all that is within some widths, whatever its words."""
    rule = Rule(Verdict.ALLOW, tool, (), "", "a person", effects=tuple(EFFECTS), at=at, host=host, kind="session")
    return rule._replace(entry=entry_for(rule))


def _aim_rule(command: Command, request: Request, without: str = "") -> Rule | None:
    """The rule for one of them, without the widths of one kind."""
    words, does = suggest_prefix(command), command.effects
    deep = (str(command.literals[0]), *(each.row.name for each in command.levels[1:]))
    words = deep if 0 < len(words) < len(deep) else words  # `kubectl rollout restart` is no `kubectl rollout undo`
    aims = tuple(each for each in command.seen.aims if kind_of(each) != without)
    sure = bool(aims) and is_settled(aims)
    if "place" in map(kind_of, aims) and not (does or frozenset(EFFECTS)) <= {"read", "network"}:
        return None
    if not (sure or (words and does and aims and NEVER_AIMED.isdisjoint(does))):
        return None
    if words and lasts(aims):
        rule = _rule_for_entry(entry_of(request.tool, words), request)
        rule = rule._replace(effects=tuple(each for each in EFFECTS if each in (does or ())), at=aims)
    else:
        rule = width_rule(request.tool, aims, request.place.host)
    return rule._replace(entry=entry_for(rule)) if begins(rule, command, Budget()) else None


def without_force(rule: Rule) -> Rule | None:
    """The rule for the same first words without force; None where there is no such width."""
    width = WITHOUT_FORCE.get(tuple(each[0] for each in rule.words or ()))
    if width is None or rule.exact or rule.checks:
        return None
    narrow = rule._replace(effects=width[0], args_none=width[1])
    return narrow._replace(entry=entry_for(narrow))


def _without_force(command: Command, request: Request) -> Rule | None:
    """The rule for what a command is, without force; None where there is no such width, or it is with force now."""
    words = suggest_prefix(command)
    rule = without_force(_rule_for_entry(entry_of(request.tool, words), request)) if words else None
    return rule if rule is not None and begins(rule, command, Budget()) else None


def outside(request: Request, command: Command, budget: Budget) -> tuple[Offer, ...]:
    """What could be stored of a yes to a command that leaves the box around an agent: the same, let out of it.

    Args:
        request: the call that is asked about.
        command: its one command.
        budget: what the look at its effects is paid from.
    """
    found = offers(request, (command,), budget)
    if is_query(command) and not command.seen.own:  # what the box asks for goes to whoever its words name
        found = tuple(each for each in found if all(rule.line is not None or rule.at for rule in each.rules))
    return tuple(map(let_out, found))


def of_parts(offered: Sequence[Sequence[Offer]]) -> tuple[Offer, ...]:
    """What lets each of several commands out of the box; none where one of them has nothing but its exact text."""
    narrow = [next((each for each in some if all(rule.line is None for rule in each.rules)), None) for some in offered]
    found = [each for each in narrow if each is not None]
    if not found or len(found) != len(narrow):
        return ()
    label = "; ".join(dict.fromkeys(each.label for each in found))
    return (Offer(label, tuple(dict.fromkeys(rule for each in found for rule in each.rules))),)


def let_out(offer: Offer) -> Offer:
    """An offer whose rules let a command out of the box, too."""
    rules = tuple(rule._replace(outside=True) for rule in offer.rules)
    return Offer(f"{offer.label}, outside of the box", tuple(rule._replace(entry=entry_for(rule)) for rule in rules))


def _by_effect(request: Request, unlisted: Sequence[Command], budget: Budget) -> Iterator[Offer]:
    """What only reads, or these programs as far as they do no more than now, if that is mild or uses the network."""
    does = [command.effects for command in unlisted]
    if any(effects is None or not AWAY.issuperset(effects) for effects in does):
        return
    wanted = next(each for each in (READ, MILD, AWAY) if all(each.issuperset(effects or ()) for effects in does))
    reads = wanted is READ
    if not reads and not all(map(has_subcommands, unlisted)):
        return  # its name alone would allow no more
    words = [()] if reads else [(str(command.literals[0]),) for command in unlisted]
    bare = [Rule(Verdict.ALLOW, request.tool, tuple((word,) for word in each), "") for each in dict.fromkeys(words)]
    effects = tuple(effect for effect in EFFECTS if effect in wanted)
    there = request.place.host
    rules = tuple(each._replace(source="a person", effects=effects, host=there, kind="session") for each in bare)
    rules = tuple(rule._replace(entry=entry_for(rule)) for rule in rules)
    if all(any(begins(rule, command, budget) for rule in rules) for command in unlisted):
        files = "read, write and use the network" if wanted is AWAY else "read and write files"
        yield Offer("everything that only reads" if reads else f"these programs, as far as they only {files}", rules)


def _for(command: Command, words: tuple[str, ...], request: Request) -> Rule:
    """The rule for the first words of a command; for all of them, with no more, unless what follows is a script's."""
    rule = _rule_for_entry(entry_of(request.tool, words), request)
    whole = len(words) == len(command.words) > 1 and _is_wide(command) and not _has_script(command)
    exactly = rule._replace(exact=True)
    return exactly._replace(entry=entry_for(exactly)) if whole else rule


def _has_script(command: Command) -> bool:
    """Whether words behind those of a command are for the script that it runs."""
    row, first = command.program, command.literals[1]
    return row is not None and (bool(row.shell) or "code" in row.traits) and first is not None and first[:1] != "-"


def _is_wide(command: Command) -> bool:
    """Whether the first words of a command say too little of what others that begin so may do."""
    row = command.program
    return may_start(command) if row is None else row.wide or not row.names_by or command.levels[-1].row.wide


def _rule_for_entry(entry: str, request: Request) -> Rule:
    """The rule that an entry makes for a request: on its machine and no other."""
    return rule_of(entry, Verdict.ALLOW, "a person", "session")._replace(host=request.place.host)


def has_subcommands(command: Command) -> bool:
    """Whether some words behind its name say what a command does, so its effects narrow what the name allows."""
    return command.program is not None and command.program.names_by > 0 and not command.program.wide


def _entry_words(command: Command, words: tuple[str, ...], named: NamedFiles | None) -> tuple[str, ...]:
    """The first words of a command as an entry has them, in which a relative path begins at the project root."""
    if named is None or not any(may_name(text, command, index) for index, text in enumerate(words)):
        return words
    return named.rule_words(command, words)


def missing_entries(request: Request, unlisted: Sequence[Command], named: NamedFiles | None = None) -> tuple[str, ...]:
    """The entries that would have to be listed for the commands that no entry names."""
    found = []
    for command in unlisted[:MOST]:
        alone = command.literals[:1] if command.program is not None and _is_kept(command) else ()
        words = suggest_prefix(command) or tuple(word for word in alone if word is not None)
        words = _entry_words(command, words, named)
        if len(words) == len(command.words) > 1 and _for(command, words, request).exact:
            continue  # only an offer can say that
        if words and words[0]:
            found.append(_entry(request.tool, words))
    return tuple(dict.fromkeys(entry for entry in found if entry))


def check_entry(text: str, request: Request) -> Offer | str:
    """An entry that a person typed in place of an offered one: the offer it makes, or why it cannot be stored."""
    try:
        tool, words = read_entry(text.strip())
    except EntryError as error:
        return str(error)
    if tool != request.tool:
        return f"this question is about {request.tool}"
    if not words:
        return f"{tool} alone would allow every command; write it into the configuration file if you mean that"
    program = find(base(words[0]))
    if len(words) == 1 and program is not None and program.wide:
        return f"{words[0]} alone would allow whatever it starts; add the words that may follow it"
    if len(words) == 2 and program is not None and _starts(program, words[1]):
        return f"{' '.join(words)} alone would allow whatever it starts; add the words that may follow it"
    return Offer("the entry as you wrote it", (_rule_for_entry(text.strip(), request),))


def suggest_prefix(command: Command) -> tuple[str, ...]:
    """The first words that name what a command does, such as `git push`; empty where none should be kept.

    All of its words, where fewer would allow more than anybody who says yes to it has seen.
    """
    literals = command.literals
    program = literals[0]
    if not program or not _is_kept(command):
        return ()
    known = tuple(word for word in literals if word is not None)
    readable = sum(map(len, known)) <= LONGEST and all(map(str.isprintable, known))
    whole = known if readable and len(known) == len(literals) > 1 else ()
    row = command.program
    if row is None:
        behind = literals[1:2] if "/" not in program else ()
        return whole if may_start(command) else (program, *(each for each in behind if each and _WORD.fullmatch(each)))
    if named := _with_package(command):
        return named
    if row.wide:
        return () if row.starts is not None and not row.starts.loose else whole
    if not row.names_by:
        return (program,) if len(literals) == 1 or _is_mild(row) else whole
    level = command.levels[0]
    if not level.firm or level.operand != 1 or len(literals) < 2 or _starts(row, literals[1]):
        return whole
    if command.levels[-1].row.wide:
        return whole
    words: list[str] = [program]
    for literal in literals[1 : 1 + row.names_by]:
        if literal is None or literal.startswith("-") or not literal.isprintable():
            break
        words.append(literal)
    return tuple(words) if len(words) > 1 else ()


def _with_package(command: Command) -> tuple[str, ...]:
    """The first words of what runs a package from a registry, with its name, where that is a known tool for checks.

    Of another package nobody can say what it does, and one with subcommands may do anything.
    """
    words = tuple(each or "" for each in command.literals)
    first = next((each for each in _RUNS_PACKAGE if words[: len(each)] == each), ())
    at = len(first) + (words[len(first) : len(first) + 1] in {("-y",), ("--yes",)})
    name = "".join(words[at : at + 1])
    row = find(name) if _PACKAGE.fullmatch(name) else None
    plain = (
        row is not None and row.check and not (row.names_by or row.wide or row.shell or TEXTS - {"code"} & row.traits)
    )
    return words[: at + 1] if first and plain else ()


def _is_mild(row: Program) -> bool:
    """Whether no command of a row does more than to read and write files."""
    kinds = (row.kinds or frozenset(), row.may, *(each.kinds for each in row.syntax.options.values()))
    return row.kinds is not None and all(broad(each) <= MILD for each in kinds) and TEXTS.isdisjoint(row.traits)


def may_start(command: Command) -> bool:
    """Whether a program that asimi does not know gets another command as its arguments, as wrappers do."""
    words = [each or "" for each in command.literals[1:]]
    return len(words) > 1 and any(find(each) is not None for each in words[:-1])


def _starts(program: Program, word: str | None) -> bool:
    """Whether a subcommand starts the command behind it, at any depth."""
    row = program.subcommands.get(word or "")
    return row is not None and (row.starts is not None or any(_starts(row, name) for name in row.subcommands))


def _program(command: Command) -> tuple[str, ...]:
    """The program alone, where that is narrow enough to offer."""
    program, row = command.literals[0], command.program
    if not program or not _is_kept(command):
        return ()
    narrow = not may_start(command) if row is None else not (row.wide or row.names_by) and _is_mild(row)
    return (program,) if narrow else ()


def _is_kept(command: Command) -> bool:
    """Whether first words of a command are offered: they say what it does to which files."""
    return not (command.seen.overwrites or command.seen.astray)


def _entry(tool: str, words: tuple[str, ...]) -> str:
    try:
        return entry_of(tool, words)
    except ValueError:
        return ""
