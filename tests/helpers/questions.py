"""Questions that wait, a process that asks, and whoever answers."""

from __future__ import annotations

import asyncio
import json
import os
import time

from asimi.core.call import Decision, Offer, Part, Place, Question, Reason, Request, Verdict
from asimi.core.judging.rules import SHELL, Rule
from asimi.core.settings import SessionSettings
from asimi.world.approvers.queue.approver import QueueApprover
from asimi.world.approvers.queue.entries import entries
from helpers import PATIENCE

ASKER = """
import asyncio, sys, json
from helpers.questions import question_of, approver_of
async def main():
    approver = approver_of(sys.argv[1], wait=sys.argv[2] == "wait")
    for line in sys.stdin:
        said = await approver.ask(question_of(line.rstrip("\\n"), patience=float(sys.argv[3])))
        print(json.dumps([said.yes, said.by, said.scope, said.note, [rule.line for rule in said.rules]]), flush=True)
asyncio.run(main())
"""


def question_of(command, *, patience=PATIENCE, session=True, storable=True, directory="/project"):
    """The question about a shell command."""
    request = Request(SHELL, command, None, Place(directory, "/project", True), description="words", agent="test", id=7)
    exact = Rule(Verdict.ALLOW, SHELL, None, command, line=command, directory=directory, below=False, kind="session")
    reason = Reason("unlisted", "not on coreTools", (0, len(command)), None, "config.toml:1")
    offers = (Offer("exactly this call, in this directory", (exact,)),) if storable else ()
    parts = (Part((command, None), (0, len(command)), None, Verdict.ASK),)
    return Question(request, Decision(Verdict.ASK, (reason,), parts, False, offers, ("e",)), session, patience)


def approver_of(directory, *, wait=True, notify=(), is_person=lambda _: True, remember=None, **more):
    """An approver whose questions wait in a directory."""
    return QueueApprover(
        str(directory),
        lambda: SessionSettings(wait=wait, notify=notify),
        remember or (lambda _approval, _request: None),
        is_person,
        os.environ,
        **more,
    )


class Asker:
    """A process that asks."""

    def __init__(self, process):
        self.process = process

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def answer(self):
        """What it was told: yes, by, scope, note, lines of rules."""
        return json.loads(self.process.stdout.readline())


def until(true, seconds=PATIENCE):
    """What a function says once that is something."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)
    return found


def waiting(directory, number=1):
    """The questions in a directory, once there are as many."""
    return until(lambda: len(entries(directory)[0]) >= number and entries(directory)[0])


async def eventually(true, seconds=PATIENCE):
    """The same as `until`, for a loop in which others go on."""
    async with asyncio.timeout(seconds):
        while not (found := true()):  # noqa: ASYNC110 - files and other processes set no event
            await asyncio.sleep(0.005)
    return found


async def asked(approver, question):
    """A task that asks, and the entry of its question."""
    before = {entry.id for entry in entries(approver.directory)[0]}
    task = asyncio.ensure_future(approver.ask(question))
    (new,) = await eventually(lambda: [each for each in entries(approver.directory)[0] if each.id not in before])
    return task, new


def saying(*found):
    """A look that says these things of each request."""
    return lambda _request, reading, _budget: reading._replace(findings=(*reading.findings, *found))
