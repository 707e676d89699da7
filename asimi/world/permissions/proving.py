"""Holds what was read of an agent's permissions to the examples that came with each entry.

An allow must not allow what the agent would ask about; a deny or an ask must not let pass, or ask about, what the agent
would refuse. An entry that breaks that is withdrawn. One that only decides more strictly says on which command.
"""

from __future__ import annotations

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL
from asimi.core.lean import TYPE_CHECKING
from asimi.world.permissions.narrowing import narrower

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from asimi.world.permissions.entries import Permission


_DOES = {Verdict.ALLOW: "allows", Verdict.ASK: "asks about", Verdict.DENY: "denies"}


def by_rules(permissions: Sequence[Permission]) -> Policy:
    """The policy of the rules of some entries; it looks at no file."""
    rules = [rule for each in permissions for rule in each.rules]
    unlisted = Verdict.DENY if any(each.rejects for each in permissions) else Verdict.ASK
    return Policy(rules, unlisted=unlisted)


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
