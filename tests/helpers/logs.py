"""Writes records of calls into the log of a home, through the chain, as a gate would."""

from __future__ import annotations

import json
import time

from asimi.world.audit.chain import Chain, moment

UNLISTED = [{"code": "unlisted", "message": "x", "rule": None, "source": None}]


def record(place, **changed):
    """A record of a call that a person said yes to, but for some fields; `...` takes one out."""
    there = str(place)
    fields = {
        "time": moment(time.time()), "event": "start", "id": "1", "session": "", "tool": "run_shell_command",
        "command": "echo a", "directory": there, "root": there, "verdict": "ask", "reasons": UNLISTED,
        "approval": {"yes": True, "by": "terminal", "scope": "once"},
    }  # fmt: skip
    return {name: value for name, value in (fields | changed).items() if value is not Ellipsis}


def write(home, *records):
    """Append records to the log of a home."""
    chain = Chain(str(home.state))
    for fields in records:
        chain.append(json.dumps(fields, separators=(",", ":"))[:-1])
    chain.close()


def answered(home, text, yes=True, times=1, by="terminal", **changed):
    """Append calls of one text that were answered."""
    event = "start" if yes else "refusal"
    approval = {"yes": yes, "by": by, "scope": "once"}
    write(home, *[record(home.root, command=text, event=event, approval=approval, **changed)] * times)
