"""Questions that an agent asks about paths outside the project, whatever is allowed."""

from __future__ import annotations

from asimi.core.call import Verdict
from asimi.core.lean import TYPE_CHECKING
from asimi.world.permissions.wildcards import rule_about

if TYPE_CHECKING:
    from collections.abc import Collection

    from asimi.world.permissions.entries import Permission

_PATHS = ("/*", "~*", "..", "../*", "*/..", "*/../*")
_URLS = ("*://*",)


def asked_outside(
    permission: Permission, agent: str, programs: Collection[str] = (), *, addresses: bool = False
) -> Permission:
    """An allow with a question about every path among the arguments that may lead out of the project.

    Args:
        permission: the entry; what is no allow stays as it is.
        agent: the agent's name, as people write it.
        programs: the programs that it asks so for; empty for all.
        addresses: whether it asks about addresses (`https://…`), too.
    """
    rules = [rule for rule in permission.rules if rule.verdict is Verdict.ALLOW and rule.words is not None]
    asked = _PATHS + (_URLS if addresses else ())
    reason = f"{permission.text}, {permission.place}: {agent} asks about paths outside the project"
    found = []
    for rule in rules:
        first = rule.words[0] if rule.words else tuple(programs)
        names = tuple(name for name in first if not programs or name in programs)
        if names or not first:
            words = (names, *(rule.words or ())[1:]) if names else ()
            if rule.exact and not any(_leads_out(word) for word in (rule.words or ())[1:]):
                continue
            question = rule_about(Verdict.ASK, words, reason, args_any=asked)
            found.append(question._replace(directory=rule.directory, below=rule.below))
    if not found:
        return permission
    what = "paths and addresses" if addresses else "paths"
    why = f"asimi asks about all {what} that may lead out of the project: with / or ~ first, or .."
    return permission._replace(outcome="stricter", why=why, rules=(*permission.rules, *found))


def _leads_out(words: tuple[str, ...]) -> bool:
    """Whether one of some words may be such a path or address."""
    return any("/" in word or word.startswith("~") or ".." in word for word in words)
