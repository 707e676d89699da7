"""Writes records of calls into the log of a home, through the chain, as a gate would."""

from __future__ import annotations

import json
import time

from asimi.core.call import Approval, Decision, Place, Reason, Record, Request, Result, Stream, ToolCall, Verdict
from asimi.core.errors import Refusal
from asimi.core.judging.rules import Rule
from asimi.world.audit import AuditLog
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


ANSWERS = {
    "allow": Approval(yes=True, by="policy"),
    "ask": Approval(
        yes=True, by="terminal", scope="session", seconds=12.4,
        rules=(Rule(Verdict.ALLOW, None, (("npm",),), "run_shell_command(npm)"),),
    ),
}  # fmt: skip


class Log:
    """Writes calls into the log of a home, as a gate would.

    Args:
        home: the home.
    """

    def __init__(self, home):
        self.home, self.number = home, 0
        self.audit = AuditLog(str(home.state), {})

    def call(self, command, verdict="allow", agent="cli", root="/srv/app", **more):
        """A call that ran and succeeded, or was denied."""
        self.number += 1
        place = Place(root, root, inside=True)
        decision = Decision(Verdict[verdict.upper()], (Reason("unlisted", f"`{command}` is not on coreTools"),), **more)
        request = Request("run_shell_command", command, None, place)
        call = ToolCall("run_shell_command", {"command": command}, None, agent)
        record = Record(f"id-{self.number}", "refusal", call, request, decision)
        if verdict == "deny":
            self.audit.write(record._replace(refusal=Refusal("denied_by_rule", "Not allowed")))
            return
        self.audit.write(record._replace(event="start", approval=ANSWERS[verdict]))
        result = Result(Stream("", 0), Stream("", 0), exit_code=0, pid=1, seconds=0.1)
        self.audit.write(record._replace(event="end", result=result))


def filled(home):
    """The log of a home, with a call of each verdict and a change."""
    log = Log(home)
    log.call("git status")
    log.call("npm publish", "ask", "claude-code", "/srv/other")
    log.call("rm -rf x", "deny", "claude-code")
    log.call("git push", "ask")
    log.audit.change("policy add", decision="allow", entry="run_shell_command(npm publish)", file="/c", by="terminal")
    return log
