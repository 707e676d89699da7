"""How an agent's hook answers with another command in place of the one it was asked about, agent by agent.

We tried each with the real agent (`asimi.world.box.profiles`, `replaces`). If an agent ignores the answer, the original
command runs in the box, where it does no harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_FORMS: Mapping[str, Callable[[str, dict[str, Any]], Any]] = {
    "updatedInput": lambda event, given: {
        "hookSpecificOutput": {"hookEventName": event, "permissionDecision": "allow", "updatedInput": given}
    },
    "tool_input": lambda event, given: {
        "decision": "allow",
        "hookSpecificOutput": {"hookEventName": event, "tool_input": given},
    },
    "modifiedArgs": lambda _, given: {"permissionDecision": "allow", "modifiedArgs": given},
    "args": lambda _, given: {"decision": "allow", "args": given},
}
"""The answers, from the event's name and the parameters of the tool, by the name that a profile gives them."""


def replaced(how: str, event: str, given: Mapping[str, Any]) -> str:
    """The answer that lets a tool run with other parameters.

    Args:
        how: the name of the answer's form, a key of `_FORMS`.
        event: what the agent calls the event.
        given: the parameters, with the command replaced.
    """
    return wire.dumps(_FORMS[how](event, dict(given)))
