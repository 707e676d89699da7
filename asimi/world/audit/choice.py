"""Which calls of the log are wanted."""

from __future__ import annotations

from asimi.core.call import is_below, is_probe
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.world.audit.calls import command_of, proposed_of

if TYPE_CHECKING:
    from typing import Any

    Fields = dict[str, Any]


class Choice(NamedTuple):
    """What all of the wanted calls have in common; an empty field takes every call.

    Attributes:
        denied: only what was refused to an agent, so no probe.
        agent: only this agent's, in capitals or not.
        command: only where the command, as it was proposed or as it ran, contains this text; of changes, the entry.
        project: only in the project of this real path, or where it runs there or below.
        decision: only of this verdict: `allow`, `ask` or `deny`.
        host: only on the host of this name.
    """

    denied: bool = False
    agent: str = ""
    command: str = ""
    project: str = ""
    decision: str = ""
    host: str = ""

    def takes(self, fields: Fields) -> bool:
        """Whether a call, or a change of what holds, is wanted."""
        changes = fields.get("event") == "change"
        if self.denied and (fields.get("event") != "refusal" or is_probe(str(fields.get("session", "")))):
            return False
        if self.host and self.host != fields.get("host"):
            return False
        if self.agent and self.agent.lower() != str(fields.get("agent", "")).lower():
            return False
        texts = (str(fields.get("entry", "")),) if changes else (command_of(fields), proposed_of(fields))
        if self.command and not any(self.command in text for text in texts):
            return False
        places = ("file",) if changes else ("root", "directory")
        if self.project and not any(is_below(str(fields.get(name, "")), self.project) for name in places):
            return False
        return self.decision in ("", fields.get("decision" if changes else "verdict"))
