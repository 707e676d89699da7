"""Reads an agent's files as `asimi policy import` takes them, and holds each entry to the examples that came with it.

In an agent's own order a project's entry may win over a person's. That is so in this project alone, but what becomes of
the person's entry holds everywhere. So it is read twice, with the project's files and without: it allows what it does
both times, and forbids what it does at any of them.

An allow must not allow what the agent would ask about; a deny or an ask must not let pass, or ask about, what the agent
would refuse. An entry that breaks that is withdrawn. One that only decides more strictly says on which command.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL
from asimi.core.programs import find
from asimi.core.reading.commands import base
from asimi.core.syntax import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program
    from asimi.extras.permissions.entries import Agent, Permission, Source, Where

_ANYWHERE = Place("/", "/", inside=True)


def narrower(rule: Rule) -> str:
    """A command that begins with the words of an allow, which asimi would ask about; empty where none is known."""
    words = tuple(each[0] for each in rule.words or ())
    if rule.exact or not words:
        return ""
    row, level = _rows(words)
    options = tuple(word for word in words if word.startswith("-"))
    known = _KNOWN.get((words[0], id(level), options))
    if known is None or (known and not _asks(rule, words, known)):
        known = next((more for more in _reached(row, level) if _asks(rule, words, more)), ()) if row is not None else ()
        _KNOWN[words[0], id(level), options] = known
    return " ".join(map(quote, (*words, *known))) if known else ""


_KNOWN: dict[tuple[str, int, tuple[str, ...]], tuple[str, ...]] = {}
"""What was found of a program, a subcommand of it and options; operands do not matter to that."""


def _rows(words: tuple[str, ...]) -> tuple[Program | None, Program | None]:
    """The row of a program, and that of the subcommand that some words lead to."""
    row = level = find(base(words[0]))
    for word in words[1:]:
        level = None if level is None else level.subcommands.get(word, level)
    return row, level


def _asks(rule: Rule, words: tuple[str, ...], more: tuple[str, ...]) -> bool:
    """Whether a command is asked about where the rule is the only one."""
    command = " ".join(map(quote, (*words, *more)))
    policy = Policy((rule._replace(expires=None),))
    return policy.decide(Request(SHELL, command, None, _ANYWHERE)).verdict is not Verdict.ALLOW


def _reached(row: Program, level: Program | None) -> Iterator[tuple[str, ...]]:
    """Arguments by which commands with these words start something, or write, as the catalogue knows them."""
    if row.starts is not None or row.shell:
        yield ("sh", "-c", "x")
    for each in dict.fromkeys((row, level or row)):
        yield from ((option.names[-1], "x") for option in each.syntax.options.values() if option.does)


def entries_of(agent: Agent, sources: Sequence[Source], where: Where) -> list[Permission]:
    """Every entry of some files, in their order.

    Raises:
        AsimiError: a file cannot be used.
    """
    found = agent.read(sources, where)
    own = [each for each in sources if each.own]
    if not own or len(own) == len(sources):
        return found
    alone: defaultdict[tuple[object, ...], list[Permission]] = defaultdict(list)
    for each in agent.read(own, where):
        alone[_key(each)].append(each)
    merged = []
    for each in found:
        there = alone[_key(each)] if each.source.own else []
        merged.append(_both(there.pop(0), each) if there else each.skipped(_NEW) if each.source.own else each)
    return merged + [each for some in alone.values() for each in some if each.says is not Verdict.ALLOW]


_NEW = "it is there only beside the project's own files"


def _key(permission: Permission) -> tuple[object, ...]:
    return permission.source, permission.line, permission.text, permission.says


def _both(alone: Permission, beside: Permission) -> Permission:
    """An entry of a person's, as it is without a project's files and beside them."""
    if alone == beside:
        return alone
    if alone.says is Verdict.ALLOW and "skipped" in (alone.outcome, beside.outcome):
        return beside if beside.outcome == "skipped" else alone
    kept = alone if alone.outcome == "stricter" or beside.outcome != "stricter" else beside
    if kept.outcome == "skipped":
        kept = beside
    return kept._replace(
        rules=tuple(rule for rule in dict.fromkeys((*alone.rules, *beside.rules)) if _holds(rule, alone, beside)),
        deny=tuple(dict.fromkeys((*alone.deny, *beside.deny))),
        secret=tuple(dict.fromkeys((*alone.secret, *beside.secret))),
        rejects=alone.rejects or beside.rejects,
    )


def _holds(rule: Rule, alone: Permission, beside: Permission) -> bool:
    return rule.verdict is not Verdict.ALLOW or (rule in alone.rules and rule in beside.rules)


_DOES = {Verdict.ALLOW: "allows", Verdict.ASK: "asks about", Verdict.DENY: "denies"}


def by_rules(permissions: Sequence[Permission]) -> Policy:
    """The policy of the rules of some entries; it looks at no file."""
    rules = [rule for each in permissions for rule in each.rules]
    unlisted = Verdict.DENY if any(each.rejects for each in permissions) else Verdict.ASK
    return Policy(rules, Terms(unlisted=unlisted))


def proved(
    permissions: Iterable[Permission], root: str, judged: Callable[[Sequence[Permission]], Policy] = by_rules
) -> list[Permission]:
    """Some entries, each held to its examples.

    Args:
        permissions: what was read.
        root: the real path of the project root, in which the examples would run.
        judged: makes the policy of some entries, with the defaults for the rest.
    """
    place = Place(root, root, inside=True)
    kept = [_held(each, place, judged) for each in permissions]
    whole = judged(kept)
    return [_together(each, place, whole) for each in kept]


def _held(permission: Permission, place: Place, judged: Callable[[Sequence[Permission]], Policy]) -> Permission:
    """An entry as its own examples leave it, judged by what it becomes and nothing else."""
    if permission.outcome == "skipped":
        return permission
    if not _is_writable(permission):
        return permission.skipped("it has a character that no file of asimi's can hold")
    policy = judged([permission])
    for example in permission.examples:
        there = Verdict.ASK if example.verdict is None else example.verdict
        verdict = policy.decide(Request(SHELL, example.command, None, place)).verdict
        if verdict < there:
            return permission.skipped(_laxer(example.command, verdict, there))
        if verdict > there and permission.outcome == "exact":
            why = f"asimi {_DOES[verdict]} {_shown(example.command)}"
            permission = permission._replace(outcome="stricter", why=why)
    return _narrowed(permission)


def _is_writable(permission: Permission) -> bool:
    """Whether all that it becomes can be written as text: no NUL, and no half of a character."""
    texts = [*permission.deny, *permission.secret]
    for rule in permission.rules:
        texts += [
            rule.reason,
            rule.line or "",
            *rule.options_any,
            *rule.args_any,
            *(each for word in rule.words or () for each in word),
        ]
    whole = "".join(texts)
    return "\0" not in whole and whole.encode("utf-8", "replace").decode() == whole


def _narrowed(permission: Permission) -> Permission:
    """An entry that allows, with what asimi asks about all the same."""
    if permission.outcome == "exact" and permission.says is Verdict.ALLOW:
        for rule in permission.rules:
            if rule.bare:
                why = "asimi still asks about secrets, what nobody wants to lose, and what it cannot see through"
                return permission._replace(outcome="stricter", why=why)
            if command := narrower(rule):
                return permission._replace(outcome="stricter", why=f"asimi asks about {_shown(command)}")
    return permission


def _together(permission: Permission, place: Place, whole: Policy) -> Permission:
    """An entry that forbids, judged by all that is imported: what it forbids must stay forbidden."""
    if permission.says in (None, Verdict.ALLOW) or permission.outcome == "skipped":
        return permission
    for command, there in permission.examples:
        verdict = whole.decide(Request(SHELL, command, None, place)).verdict
        if there is not None and verdict < there:
            return permission.skipped(_laxer(command, verdict, there))
    return permission


def _laxer(command: str, here: Verdict, there: Verdict) -> str:
    return f"asimi cannot hold it: it {_DOES[here]} {_shown(command)}, which the agent {_DOES[there]}"


def _shown(command: str, width: int = 40) -> str:
    """A command in few characters."""
    return f"`{command}`" if len(command) <= width else f"`{command[: width - 1]}…`"
