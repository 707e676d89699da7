"""Reads a person's files and a project's, so that the project's take nothing back that holds everywhere.

In an agent's own order a project's entry may win over a person's. That is so in this project alone, but what becomes of
the person's entry holds everywhere. So it is read twice, with the project's files and without: it allows what it does
both times, and forbids what it does at any of them.
"""

from __future__ import annotations

from collections import defaultdict

from asimi.core.call import Verdict
from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.judging.rules import Rule
    from asimi.world.permissions.entries import Agent, Permission, Source, Where


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
