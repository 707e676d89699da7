"""What a line of the log says, as an event of OpenTelemetry's; `docs/extras/telemetry.md` lists the attributes.

Names are, in this order: those of OpenTelemetry's semantic conventions where they are stable or nobody else has one
(`session.id`, `user.name`, `log.record.uid`, `gen_ai.tool.call.id`); those that agents send already, on which Claude
Code, Codex and Gemini CLI mostly agree (`tool_name`, `decision`, `source`, `success`, `duration_ms`; their pages on
monitoring and telemetry, read in November 2026); and the log's own, behind `asimi.`.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from asimi.core.interfaces import Line

DECISION, RESULT = "asimi.tool_decision", "asimi.tool_result"
"""The names of the events."""

DECISIONS = {"start": "accept", "file": "accept", "refusal": "reject", "passed": "ask", "observed": "ask"}
"""What was decided, by the event of the log; `ask` is left to the agent's own prompt."""

_RENAMED = {"user": "user.name", "session": "session.id", "tool": "tool_name", "call": "gen_ai.tool.call.id"}
_ELSEWHERE = {"time", "event", "prev"}  # in the event itself, or of no use without the lines between

Fields = dict[str, Any]


class Event(NamedTuple):
    """What is sent of one line.

    Attributes:
        name: `DECISION` or `RESULT`.
        time: nanoseconds since the epoch.
        attributes: strings, numbers, truth values and tuples of strings, by name.
    """

    name: str
    time: int
    attributes: Fields


def event_of(line: Line) -> Event | None:
    """The event of a line; None where it is neither a decision nor an end."""
    try:
        fields = json.loads(line.content)
        time = datetime.fromisoformat(fields["time"])
        event = str(fields["event"])
    except (ValueError, TypeError, KeyError):  # a writer was killed, or it is no line of ours
        return None
    if event not in DECISIONS and event != "end":
        return None
    said: Fields = {"log.record.uid": line.hash}
    if event == "end":
        said |= _result(fields)
    else:
        said |= {"decision": DECISIONS[event], "source": _source(fields.get("approval"))}
    for key, value in fields.items():
        if key not in _ELSEWHERE and value not in (None, ""):
            said[_RENAMED.get(key, f"asimi.{key}")] = _plain(value)
    name = RESULT if event == "end" else DECISION
    return Event(name, round(time.timestamp() * 1000) * 1_000_000, said)


def _source(approval: object) -> str:
    """Who decided, in Claude Code's words: the configuration, or a person, and for how long."""
    if not isinstance(approval, dict) or approval.get("by") == "policy":
        return "config"
    if approval.get("yes") is True:
        return "user_permanent" if approval.get("scope") == "always" else "user_temporary"
    return "user_abort" if approval.get("by") == "nobody" else "user_reject"


def _result(fields: Fields) -> Fields:
    """How a call ended; of what an agent ran itself, as the agent says."""
    said: Fields = {"success": fields.get("outcome") == "ran" or (fields.get("exit") == 0 and "failure" not in fields)}
    seconds = fields.pop("seconds", None)
    if isinstance(seconds, (int, float)):
        said["duration_ms"] = round(seconds * 1000)
    return said


def _plain(value: object) -> object:
    """A value as every receiver takes it: lists of strings as they are, what is deeper as JSON."""
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
