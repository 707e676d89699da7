"""What a yes could be kept as: the exact call first, then the narrowest prefixes that make sense.

An interpreter, a wrapper or a program that destroys is never offered by its bare name: `python3` would allow every
program, `sudo` every command, `rm` every file.
"""

from __future__ import annotations

from asimi.core.budget import Budget
from asimi.core.call import Offer, Verdict
from asimi.core.judging.matching import begins, may_name
from asimi.core.judging.rules import ONCE, WITHOUT_FORCE, EntryError, Rule, entry_for, entry_of, read_entry, rule_of
from asimi.core.programs import find
from asimi.core.programs.effects import EFFECTS
from asimi.core.reading.account import is_query
from asimi.core.reading.commands import base
from asimi.core.startup import TYPE_CHECKING
from asimi.core.syntax import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.call import Approval, Question, Request
    from asimi.core.judging.matching import Names
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

NEVER_AIMED = frozenset({"delete", "system"})
"""Effects of what is not offered by where it goes."""

AIMED = {
    "remote": "these commands to this remote and branch",
    "context": "these commands in this context and namespace",
    "script": "this script, with any arguments",
    "place": "these commands at this place",
}
"""What is said of a rule by what it is aimed at, by the first word of that."""


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
    """Whether a rule stands for that, so that it is no rule to keep."""
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
    return all(
        rule.verdict is Verdict.ALLOW
        and rule.tool == question.request.tool
        and not rule.bare
        and rule.answers == (question.decision.changed if rule.line is not None else ())
        for rule in given.rules
    )


def offers(
    request: Request, unlisted: Sequence[Command], budget: Budget, named: Names | None = None
) -> tuple[Offer, ...]:
    """What "session" and "always" could store, narrowest first.

    Args:
        request: the call that is asked about.
        unlisted: the commands that need an entry; empty where entries would not answer the question.
        budget: what the look at their effects is paid from.
        named: gives what tells which files their words name; None to offer these as they are written.
    """
    found = [Offer("exactly this call, in this directory", (exact(request),))]
    if not unlisted or len(unlisted) > MOST:
        return tuple(found)
    found += aimed(request, unlisted)
    rules = tuple(dict.fromkeys(filter(None, (_without_force(each, request) for each in unlisted))))
    if len(rules) == len({suggested(each) for each in unlisted}):
        found.append(Offer("these commands without force", rules))
    for label, width in (("these commands with these first words", suggested), ("these programs", _program)):
        chosen = [_spelled(command, width(command), named) for command in unlisted]
        if all(chosen):
            rules = tuple(dict.fromkeys(_listing(entry_of(request.tool, words), request) for words in chosen if words))
            if rules not in [offer.rules for offer in found]:
                found.append(Offer(label, rules))
    return (*found, *_by_effect(request, unlisted, budget))


def aimed(request: Request, commands: Sequence[Command]) -> list[Offer]:
    """The rules for some commands where they are aimed at what they are aimed at now; none where one has no aim."""
    rules = tuple(dict.fromkeys(_aimed(each, request) for each in commands))
    heads = {rule.at[0].partition(" ")[0] for rule in rules if rule is not None}
    kept = tuple(rule for rule in rules if rule is not None)
    return [Offer(AIMED[heads.pop()], kept)] if len(heads) == 1 and len(kept) == len(rules) else []


def _aimed(command: Command, request: Request) -> Rule | None:
    """The rule for one of them."""
    words, does = suggested(command), command.effects
    if not (words and does and command.seen.aims) or not NEVER_AIMED.isdisjoint(does):
        return None
    rule = _listing(entry_of(request.tool, words), request)
    rule = rule._replace(effects=tuple(each for each in EFFECTS if each in does), at=command.seen.aims)
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
    words = suggested(command)
    rule = without_force(_listing(entry_of(request.tool, words), request)) if words else None
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


def _listing(entry: str, request: Request) -> Rule:
    """The rule that an entry makes for a request: on its machine and no other."""
    return rule_of(entry, Verdict.ALLOW, "a person", "session")._replace(host=request.place.host)


def has_subcommands(command: Command) -> bool:
    """Whether some words behind its name say what a command does, so its effects narrow what the name allows."""
    return command.program is not None and command.program.names_by > 0 and not command.program.wide


def _spelled(command: Command, words: tuple[str, ...], named: Names | None) -> tuple[str, ...]:
    """The first words of a command as an entry has them, in which a relative path begins at the project root."""
    if named is None or not any(may_name(text, command, index) for index, text in enumerate(words)):
        return words
    return named().spelling(command, words)


def needed(request: Request, unlisted: Sequence[Command], named: Names | None = None) -> tuple[str, ...]:
    """The entries that would have to be listed for the commands that no entry names."""
    found = []
    for command in unlisted[:MOST]:
        words = suggested(command) or tuple(word for word in command.literals if word is not None)[:1]
        words = _spelled(command, words, named)
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
    return Offer("the entry as you wrote it", (_listing(text.strip(), request),))


def suggested(command: Command) -> tuple[str, ...]:
    """The first words that name what a command does, such as `git push`; empty where none should be kept."""
    literals = command.literals
    program = literals[0]
    if not program:
        return ()
    known = tuple(word for word in literals if word is not None)
    readable = sum(map(len, known)) <= LONGEST
    whole = known if readable and len(known) == len(literals) > 1 else ()
    row = command.program
    if row is not None and row.wide:
        return () if row.starts is not None and not row.starts.loose else whole
    if row is None or not row.names_by:
        return (program,)
    level = command.levels[0]
    if not level.firm or level.operand != 1 or len(literals) < 2 or _starts(row, literals[1]):
        return whole
    words: list[str] = [program]
    for literal in literals[1 : 1 + row.names_by]:
        if literal is None or literal.startswith("-"):
            break
        words.append(literal)
    return tuple(words) if len(words) > 1 else ()


def _starts(program: Program, word: str | None) -> bool:
    """Whether a subcommand starts the command behind it, at any depth."""
    row = program.subcommands.get(word or "")
    return row is not None and (row.starts is not None or any(_starts(row, name) for name in row.subcommands))


def _program(command: Command) -> tuple[str, ...]:
    """The program alone, where that is narrow enough to offer."""
    program = command.literals[0]
    row = command.program
    return () if not program or (row is not None and (row.wide or row.names_by)) else (program,)


def _entry(tool: str, words: tuple[str, ...]) -> str:
    try:
        return entry_of(tool, words)
    except ValueError:
        return ""
