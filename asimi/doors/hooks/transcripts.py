"""What an agent's transcript says of a call that its envelope leaves out."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from asimi.core import wire
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from typing import Any, TypeVar

    from asimi.doors.hooks.agent import Transcript

    T = TypeVar("T")


LAST = 4 << 20
"""Bytes of the end of a transcript that are read."""


class TranscriptEntry(NamedTuple):
    """What is written down about a call.

    Attributes:
        shell: the shell that the model chose; empty for the agent's own.
        directory: the directory that it chose; empty for the session's.
    """

    shell: str
    directory: str


def transcript_entry(form: Transcript, path: Any, call: str, command: str) -> TranscriptEntry | None:
    """What a transcript says of a call; None where it is not sure.

    Nothing in it is taken on trust but the one entry of this very call: by its id, and with the very text that is
    judged. Two entries, a torn line or a file that is not an ordinary one say nothing.

    Args:
        form: how this agent's transcripts are written.
        path: the file, as the hook is told it: any JSON value.
        call: the call's id, as the hook is told it; empty where it is not.
        command: the text that is judged.
    """
    if not isinstance(path, str) or "\0" in path or not call:
        return None
    try:
        lines = _last_lines(path)
    except OSError:
        return None
    try:
        entries = [wire.loads(line.decode()) for line in lines if call.encode() in line]
    except (UnicodeError, wire.MalformedJsonError):
        return None
    calls = [item for item in map(_item, entries) if item.get("call_id") == call and item.get("type") in form.calls]
    if len(calls) != 1:
        return None
    parameter = form.tools.get(str(calls[0].get("name")))
    try:
        given = wire.loads(str(calls[0].get("arguments")))
    except wire.MalformedJsonError:
        return None
    if parameter is None or not isinstance(given, dict) or given.get(parameter) != command:
        return None
    shell, directory = (given.get(name) for name in (form.shell, form.directory))
    if not all(value is None or isinstance(value, str) for value in (shell, directory)):
        return None
    return TranscriptEntry(shell or "", directory or "")


def _item(entry: Any) -> dict[str, Any]:
    """What an entry is about; empty where it is about no item of the conversation."""
    payload = entry.get("payload") if isinstance(entry, dict) else None
    return payload if isinstance(payload, dict) and entry.get("type") == "response_item" else {}


def _last_lines(path: str) -> list[bytes]:
    """The last lines of an ordinary file; of a line that is cut, nothing.

    Raises:
        OSError: it cannot be read, or is a link, a pipe or another thing that is not a file.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        there = os.fstat(descriptor)
        if not stat.S_ISREG(there.st_mode):
            raise OSError("this is not an ordinary file")
        start = max(0, there.st_size - LAST)
        file.seek(start)
        data = file.read(LAST)
    return (data.partition(b"\n")[2] if start else data).split(b"\n")
