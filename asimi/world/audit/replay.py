"""Which calls of the log can be judged again, and why the others cannot."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from asimi.core.call import BREAKER, Place, Request, Verdict
from asimi.core.judging.breaker import COUNTED
from asimi.core.judging.replay import Logged
from asimi.core.judging.rules import TOOLS
from asimi.core.kinds import ShellKind
from asimi.core.stored import Invalid, parsed
from asimi.world.audit import LONGEST
from asimi.world.audit.chain import HEAD, head_of
from asimi.world.audit.reading import records
from asimi.world.audit.redaction import REDACTED
from asimi.world.host.places import private_file

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_JUDGED = "it was never judged, because its parameters or the configuration were broken"
FOREIGN = "it is not as this asimi writes records"
TOOL = "its tool is none that this asimi knows"
TAKEN = "a secret was taken out of its text"
CUT = "its text was too long for the log"
GONE = "its directory is gone"
ON_A_HOST = "it ran on a host, whose files are not looked at now"
SECOND = "it was the second run of a call, outside its sandbox"

_VERDICTS = {verdict.word: verdict for verdict in Verdict}


def logged_calls(directory: str, since: float | None = None) -> Iterator[tuple[dict[str, Any], Logged | str]]:
    """The calls of the log, the oldest first: the record of each, with what can be judged again, or why nothing can.

    Args:
        directory: where the log is.
        since: only what began at this time or later, in seconds since the epoch.

    Raises:
        AsimiError: a newer asimi wrote the log, or a file is not one that asimi would write.
        OSError: a file cannot be read.
    """
    path = os.path.join(directory, HEAD)
    if os.path.lexists(path):
        with open(private_file(path, os.O_RDONLY), "rb") as file:
            head_of(file.read(), path)
    for fields in records(directory, since=since, begins=True):
        yield fields, logged(fields)


def logged(fields: dict[str, Any]) -> Logged | str:
    """Return the call that a record begins, as it can be judged again; in words, why it cannot."""
    if "verdict" not in fields and "directory" not in fields:
        return NOT_JUDGED
    if fields.get("host"):
        return ON_A_HOST
    place, call = _place(fields), _call(fields.get("command"), fields.get("arguments"))
    verdict, shell = _VERDICTS.get(str(fields.get("verdict"))), fields.get("shell", "bash")
    codes, answer = _codes(fields.get("reasons")), fields.get("approval") or {}
    if place is None or call is None or verdict is None or codes is None:
        return FOREIGN
    if not _is_shell(shell) or not isinstance(answer, dict):
        return FOREIGN
    if fields.get("tool") not in TOOLS:
        return TOOL
    if why := _changed(*call):
        return why
    if not _is_there(place.path) or not _is_there(place.root):
        return GONE
    behind = fields.get("event") == "passed" or fields.get("runs") == "agent"
    if "sandbox" in codes and not behind and verdict is Verdict.ASK:
        return SECOND
    approved = verdict is Verdict.ALLOW and "allowed_by_session" in codes
    if approved or (BREAKER in codes and COUNTED.isdisjoint(codes)):
        verdict = Verdict.ASK  # these are none of the rules
    request = Request(fields["tool"], *call, place, shell)
    by = BREAKER if BREAKER in codes else str(answer.get("by", ""))
    return Logged(
        request,
        verdict,
        behind,
        "" if by == "policy" else by,
        answer.get("yes") is True,
        _sent(fields, request),
    )


def _is_shell(kind: object) -> bool:
    """Whether there is a shell of that kind."""
    try:
        parsed(ShellKind, kind)
    except Invalid:
        return False
    return True


def _place(fields: dict[str, Any]) -> Place | None:
    """Return where a call was to run; None where that is no place."""
    path, root = fields.get("directory"), fields.get("root")
    if not isinstance(path, str) or not isinstance(root, str) or not (os.path.isabs(path) and os.path.isabs(root)):
        return None
    return None if "\0" in path + root else Place.at(path, root, os.sep)


def _codes(reasons: Any) -> set[str] | None:
    """Return the codes of a record's reasons; None where these are not as asimi writes them."""
    if not isinstance(reasons, list) or not reasons or not all(isinstance(each, dict) for each in reasons):
        return None
    codes = [each.get("code") for each in reasons]
    return set(codes) if all(isinstance(code, str) for code in codes) else None


def _call(command: Any, words: Any) -> tuple[str, tuple[str, ...] | None] | None:
    """Return a command and its arguments, None for shell text; None where they are not of these types."""
    if not isinstance(command, str):
        return None
    if words is None:
        return command, None
    return (command, tuple(words)) if isinstance(words, list) and all(isinstance(w, str) for w in words) else None


def _changed(command: str, words: tuple[str, ...] | None) -> str:
    """Return how the log's texts are not the call's own, in words; empty where they are."""
    texts = (command, *(words or ()))
    if any(REDACTED in text for text in texts):
        return TAKEN
    return CUT if any(len(text) > LONGEST for text in texts) else ""


def _sent(fields: dict[str, Any], request: Request) -> Request | None:
    """Return what the agent had proposed, where a person changed that and all of it is known."""
    call = _call(fields.get("sent"), fields.get("sent_arguments"))
    return None if call is None or _changed(*call) else request._replace(command=call[0], arguments=call[1])


@lru_cache(maxsize=4096)
def _is_there(path: str) -> bool:
    """Whether a real path is still a directory, and still its own real path."""
    return os.path.isdir(path) and os.path.realpath(path) == path
