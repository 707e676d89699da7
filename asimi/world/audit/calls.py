"""The calls of the log: the first record of each, with what came of it; a `Choice` says which of them are wanted.

What came of a call is further down in the log, sometimes much further. So a file is read from its end: what came of a
call is met before the call, and what must be kept is only that of calls whose beginning is still to come. One file of
the log is in memory at a time, however many there are.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import ExitStack
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from asimi.core.call import BREAKER, Place, Request, Verdict, is_below, is_probe
from asimi.core.json_values import Invalid, parse_as
from asimi.core.judging.breaker import COUNTED
from asimi.core.judging.rules import TOOLS
from asimi.core.kinds import ShellKind
from asimi.core.values import NamedTuple
from asimi.world.audit import LONGEST
from asimi.world.audit.chain import HEAD, head_of, moment
from asimi.world.audit.reading import BEGINS, fields_of, files, follow, open_file, recent, records
from asimi.world.audit.redaction import REDACTED
from asimi.world.host.places import private_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    Fields = dict[str, Any]
    Heard = Callable[[int, int], object]
    "Hears how much of the log has been read: so many bytes, of so many."

ALONE = ("change", "network")
"""Events of records that belong to no call's record: a change of what holds, a name on the network."""

_HEAD = re.compile(rb'\{"time":"([^"]{24})","event":"(\w+)"(?:,"id":"([^"]*)")?')
_AFTER, _DENIED = frozenset({b"end", b"exec"}), frozenset({b"refusal", b"network"})
_BEGINS = frozenset({b"change", b"network", *(event.encode() for event in BEGINS)})

_KINDS: dict[str, type] = {"reasons": list, "approval": dict, "argv": list, "n": int}
"""Of what kind the values of some fields are."""

_After = dict[bytes, tuple[bytes, ...]]
"""The lines that belong to calls, by the ids of these, whose first lines have not been met yet."""


class _LineFilter(NamedTuple):
    """Which first lines are wanted.

    Attributes:
        events: of these events.
        earliest: of this time or later, as the log writes it.
    """

    events: frozenset[bytes]
    earliest: bytes


def calls(
    directory: str, *, denied: bool = False, since: float | None = None, heard: Heard = lambda *_: None
) -> Iterator[Fields]:
    """One value a call, a name on the network, and a change of what holds, in the order in which they began.

    A call's is its first record, with how it ended under `end`, and the executions beneath it that were refused under
    `refused`.

    Args:
        directory: where the log is.
        denied: only what was refused.
        since: only what began at this time or later, in seconds since the epoch.
        heard: told how far this is.

    Raises:
        AsimiError: a file is not one that asimi would write.
        OSError: a file cannot be read.
    """
    wanted = _LineFilter(_DENIED if denied else _BEGINS, b"" if since is None else moment(since).encode())
    with ExitStack() as stack:
        opened = _open_files(directory, since, stack)
        sizes = [os.fstat(file.fileno()).st_size for file in opened]
        done, total = 0, sum(sizes) + sum(sizes[1:])
        left: list[_After] = []  # what belongs to calls of each file and of older ones, and is in a newer one
        after: _After = {}
        for file, size in zip(opened[:0:-1], sizes[:0:-1], strict=True):
            left.append(dict(after))
            for _ in _backwards(file.read(), after, wanted):
                pass
            done += size
            heard(done, total)
        left.append(after)
        for file in opened:
            file.seek(0)
            content = file.read()
            found = list(_backwards(content, left.pop(), wanted))
            while found:
                start, end, rest = found.pop()
                heard(done + start, total)
                if (call := _join_lines(content[start:end], rest)) is not None:
                    yield call
            done, content = done + len(content), b""  # two files at once would be twice as much


def newest(
    directory: str, *, denied: bool = False, since: float | None = None, heard: Heard = lambda *_: None
) -> Iterator[Fields]:
    """Yield the same from the newest to the oldest, which reads no more than is taken of it."""
    wanted = _LineFilter(_DENIED if denied else _BEGINS, b"" if since is None else moment(since).encode())
    with ExitStack() as stack:
        opened = _open_files(directory, since, stack)
        done, total = 0, sum(os.fstat(file.fileno()).st_size for file in opened)
        after: _After = {}
        for file in reversed(opened):
            content = file.read()
            for start, end, rest in _backwards(content, after, wanted):
                heard(done + len(content) - start, total)
                if (call := _join_lines(content[start:end], rest)) is not None:
                    yield call
            done, content = done + len(content), b""


def records_of(call: Fields) -> list[Fields]:
    """Return the records that the value of a call was made of; a change and a name are their own records."""
    if call["event"] in ALONE:
        return [call]
    first = {name: value for name, value in call.items() if name not in {"end", "refused"}}
    rest = [*call.get("refused", ()), *([call["end"]] if "end" in call else ())]
    return [first, *sorted(rest, key=lambda each: int(each.get("n", 0)))]


def follow_calls(directory: str, pause: Callable[[], object]) -> Iterator[tuple[Fields, Fields]]:
    """Yield the records from now on, without end, each with the first one of its call; with itself where it has none.

    That of an execution that was refused after its call had ended comes with it under `refused`.

    Args:
        directory: where the log is; it need not be there yet.
        pause: called when there is nothing new.

    Raises:
        AsimiError: a file is not one that asimi would write.
        OSError: a file cannot be read.
    """
    running: dict[str, Fields] = {}
    for fields in map(_sound, follow(directory, pause)):
        event, name = fields.get("event"), str(fields.get("id"))
        if event == "start" and fields.get("runs") != "agent":
            running[name] = fields
        if event == "end":
            yield fields, running.pop(name, {}) or _begin_of(directory, name)
        elif event == "exec":
            yield fields, running.get(name) or _begin_of(directory, name) | {"refused": [fields]}
        else:
            yield fields, fields


def command_of(fields: Fields) -> str:
    """The command of a record: shell text as it is, a program with its arguments quoted, so that words stay words."""
    return _command_line(fields.get("command") or fields.get("tool") or "", fields.get("arguments"))


def name_of(fields: Fields) -> str:
    """The name on the network that a record is about, with its port."""
    return f"{fields.get('name')}:{fields.get('port')}"


def is_refused_name(fields: Fields) -> bool:
    """Whether a record is about a name that was not reached."""
    return fields.get("event") == "network" and fields.get("allowed") is not True


def proposed_of(fields: Fields) -> str:
    """Return the command that the agent proposed, where a person changed it; else empty."""
    return _command_line(fields["sent"], fields.get("sent_arguments")) if "sent" in fields else ""


def _command_line(command: object, arguments: object) -> str:
    if not isinstance(arguments, list) or not arguments:
        return str(command)
    from shlex import quote

    return " ".join(str(word) if REDACTED in str(word) else quote(str(word)) for word in (command, *arguments))


def _open_files(directory: str, since: float | None, stack: ExitStack) -> list[BinaryIO]:
    """Return the files of the log that may hold something of that time or later, the oldest first."""
    opened = [stack.enter_context(open_file(path)) for path in files(directory)]
    return [file for file in opened if since is None or os.fstat(file.fileno()).st_mtime >= since - 1]


def _backwards(content: bytes, after: _After, wanted: _LineFilter) -> Iterator[tuple[int, int, tuple[bytes, ...]]]:
    """Where the first lines of calls and the changes are, the last one first, and the lines that belong to each."""
    end = len(content)
    while end > 0:
        start = content.rfind(b"\n", 0, end - 1) + 1
        match = _HEAD.match(content, start, end)
        if match is not None:
            time, event, name = match.groups()
            if event in _AFTER:
                after[name] = (content[start:end], *after.get(name, ()))
            else:
                rest = after.pop(name, ())
                if event in wanted.events and time >= wanted.earliest:
                    yield start, end, rest
        end = start


def _join_lines(line: bytes, rest: tuple[bytes, ...]) -> Fields | None:
    """Return the value of a call; None where its line was torn."""
    call = fields_of(line)
    if call is not None:
        call = _sound(call)
        for each in map(_sound, filter(None, map(fields_of, rest))):
            if each.get("event") == "end":
                call["end"] = each
            else:
                call.setdefault("refused", []).append(each)
    return call


def _sound(fields: Fields) -> Fields:
    """Return a record without what asimi would not write into these fields, so that a forged line hides no other."""
    kept: Fields = {name: value for name, value in fields.items() if isinstance(value, _KINDS.get(name, object))}
    if not all(isinstance(each, dict) for each in kept.get("reasons", ())):
        del kept["reasons"]
    return kept


def _begin_of(directory: str, name: str) -> Fields:
    """Return the first record of a call, by its id; with nothing but its id where that was long ago."""
    mark = json.dumps(name).encode()
    for line in reversed(recent(directory)):
        fields = fields_of(line) if mark in line else None
        if fields is not None and fields.get("id") == name and fields.get("event") in BEGINS:
            return _sound(fields)
    return {"event": "start", "id": name, "command": f"a call that began long ago: {name}"}


class Choice(NamedTuple):
    """What all of the wanted calls have in common; an empty field takes every call.

    Attributes:
        denied: only what was refused to an agent, so no probe.
        agent: only this agent's, in capitals or not.
        command: only where the command, as it was proposed or as it ran, contains this text; of changes, the entry.
        project: only in the project of this real path, or where it runs there or below.
        decision: only of this verdict: `allow`, `ask` or `deny`.
        host: only on the host of this name.
        session: only of the session of this name, or of this last word of it: a box's.
    """

    denied: bool = False
    agent: str = ""
    command: str = ""
    project: str = ""
    decision: str = ""
    host: str = ""
    session: str = ""

    def takes(self, fields: Fields) -> bool:
        """Whether a call, or a change of what holds, is wanted."""
        changes = fields.get("event") == "change"
        refused = fields.get("event") == "refusal" or is_refused_name(fields)
        if self.denied and (not refused or is_probe(str(fields.get("session", "")))):
            return False
        if self.host and self.host != fields.get("host"):
            return False
        if self.agent and self.agent.lower() != str(fields.get("agent", "")).lower():
            return False
        session = str(fields.get("session", ""))
        if self.session and self.session not in {session, session.rpartition(" ")[2]}:
            return False
        texts = (str(fields.get("entry", "")),) if changes else (command_of(fields), proposed_of(fields))
        texts = (name_of(fields), str(fields.get("program", ""))) if fields.get("event") == "network" else texts
        if self.command and not any(self.command in text for text in texts):
            return False
        places = ("file",) if changes else ("root", "directory")
        if self.project and not any(is_below(str(fields.get(name, "")), self.project) for name in places):
            return False
        if fields.get("event") == "network":
            return self.decision in ("", "allow" if fields.get("allowed") is True else "deny")
        return self.decision in ("", fields.get("decision" if changes else "verdict"))


NOT_JUDGED = "it was never judged, because its parameters or the configuration were broken"
FOREIGN = "it is not as this asimi writes records"
TOOL = "its tool is none that this asimi knows"
TAKEN = "a secret was taken out of its text"
CUT = "its text was too long for the log"
GONE = "its directory is gone"
ON_A_HOST = "it ran on a host, whose files are not looked at now"
SECOND = "it was the second run of a call, outside its sandbox"

_VERDICTS = {verdict.word: verdict for verdict in Verdict}


def logged_calls(directory: str, since: float | None = None) -> Iterator[tuple[dict[str, Any], LoggedCall | str]]:
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
        yield fields, logged_call(fields)


def logged_call(fields: dict[str, Any]) -> LoggedCall | str:
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
    if why := _why_altered(*call):
        return why
    if not _is_there(place.path) or not _is_there(place.root):
        return GONE
    behind = fields.get("event") in {"passed", "observed"} or fields.get("runs") == "agent"
    if "sandbox" in codes and not behind and verdict is Verdict.ASK:
        return SECOND
    approved = verdict is Verdict.ALLOW and "allowed_by_session" in codes
    if approved or (BREAKER in codes and COUNTED.isdisjoint(codes)):
        verdict = Verdict.ASK  # these are none of the rules
    request = Request(fields["tool"], *call, place, shell)
    by = BREAKER if BREAKER in codes else str(answer.get("by", ""))
    return LoggedCall(
        request,
        verdict,
        behind,
        "" if by == "policy" else by,
        answer.get("yes") is True,
        _sent_request(fields, request),
    )


def _is_shell(kind: object) -> bool:
    """Whether there is a shell of that kind."""
    try:
        parse_as(ShellKind, kind)
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


def _why_altered(command: str, words: tuple[str, ...] | None) -> str:
    """Return how the log's texts are not the call's own, in words; empty where they are."""
    texts = (command, *(words or ()))
    if any(REDACTED in text for text in texts):
        return TAKEN
    return CUT if any(len(text) > LONGEST for text in texts) else ""


def _sent_request(fields: dict[str, Any], request: Request) -> Request | None:
    """Return what the agent had proposed, where a person changed that and all of it is known."""
    call = _call(fields.get("sent"), fields.get("sent_arguments"))
    return None if call is None or _why_altered(*call) else request._replace(command=call[0], arguments=call[1])


@lru_cache(maxsize=4096)
def _is_there(path: str) -> bool:
    """Whether a real path is still a directory, and still its own real path."""
    return os.path.isdir(path) and os.path.realpath(path) == path


class LoggedCall(NamedTuple):
    """A logged call that can be judged again.

    Attributes:
        request: what was judged; equal calls have equal ones, without the agent's words and ids.
        verdict: what the rules said then; ask, where only a session's approval allowed it, or the breaker denied it.
        behind: whether an agent ran what was allowed.
        by: who was asked and answered, `terminal`, `clock`, …, or `breaker`; empty where nobody was.
        yes: whether they said yes.
        sent: what the agent had proposed, where a person changed that.
    """

    request: Request
    verdict: Verdict
    behind: bool = False
    by: str = ""
    yes: bool = False
    sent: Request | None = None
