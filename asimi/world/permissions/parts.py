"""What becomes of an entry that is several patterns at once."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING
from asimi.world.permissions.entries import Example

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.call import Verdict
    from asimi.world.permissions.entries import Outcome, Permission


def as_one(permission: Permission, parts: Sequence[Permission]) -> Permission:
    """An entry with what became of all its patterns; it is skipped where all are.

    Args:
        permission: the entry.
        parts: the same, once for each pattern.
    """
    kept = [each for each in parts if each.outcome != "skipped"]
    if not kept:
        return parts[0]
    worst = next((each for each in parts if each.outcome != "exact"), kept[0])
    rules = tuple(dict.fromkeys(rule for each in kept for rule in each.rules))
    examples: dict[str, Verdict | None] = {}
    for command, verdict in (example for each in kept for example in each.examples):
        examples[command] = verdict if examples.get(command) is None else examples[command]  # one alternative is enough
    outcome: Outcome = "exact" if worst.outcome == "exact" else "stricter"
    rejects = any(each.rejects for each in kept)
    said = tuple(Example(command, verdict) for command, verdict in examples.items())
    return permission._replace(outcome=outcome, why=worst.why, rules=rules, rejects=rejects, examples=said)
