"""A program that puts one question to whoever sits at the terminal, and prints the answer.

Its argument is the question as JSON (see `question` in dialog/conftest.py); the answer goes to standard output as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import sys
import time

from asimi.core.call import Approval, Decision, Deed, Offer, Part, Place, Question, Reason, Request, Verdict
from asimi.core.json_values import parse_as
from asimi.core.judging.rules import Rule
from asimi.world import console
from asimi.world.approvers import RefuseApprover, in_turn
from asimi.world.approvers.terminal import approver as dialogs


def entry_rule(entry: str, verdict: Verdict = Verdict.ALLOW) -> Rule:
    words = shlex.split(entry.partition("(")[2].rpartition(")")[0])
    return Rule(verdict, "run_shell_command", tuple((word,) for word in words), entry)


def check_entry(entry: str, question: Question, verdict: Verdict) -> Offer | str:
    if "(" not in entry:
        return "an entry is TOOL(WORDS)"
    if entry == "broken()":
        raise TypeError(entry)
    rule = entry_rule(entry, verdict)
    too_wide = rule.words == (("rm",),) and verdict is Verdict.ALLOW
    return "it would allow every rm" if too_wide else Offer("checked", (rule,))


def deed(command: str, *paths: str, **other: object) -> dict:
    """A command that deletes some paths of the project, or what `other` says."""
    acts = [
        {"does": "delete", "path": f"/home/somebody/app/{path}", "shown": path, "where": "project"} for path in paths
    ]
    return {"command": command, "span": [0, len(command)], "effects": ["delete"], "acts": acts} | other


def build(asked: dict) -> Question:
    command, place = asked["command"], Place(asked["directory"], asked["root"], inside=True)
    arguments = None if asked["arguments"] is None else tuple(asked["arguments"])
    request = Request(
        "run_shell_command", command, arguments, place, description=asked["description"], id=asked["id"],
        agent=asked["agent"],
    )  # fmt: skip
    exact = Rule(
        Verdict.ALLOW, "run_shell_command", None, "exact", line=command, directory=place.path, below=False,
        kind="session",
    )  # fmt: skip
    offers = [Offer("exactly this command line", (exact,))]
    offers += [Offer(label, tuple(map(entry_rule, entries))) for label, entries in asked["offers"]]
    parts = [Part(tuple(words.split()), tuple(span), None, Verdict[verdict]) for words, span, verdict in asked["parts"]]
    reasons = tuple(
        Reason(code, message, tuple(span[0]) if span else None, None, source)
        for code, message, source, *span in asked["reasons"]
    )
    kept = tuple(offers) if asked["storable"] else ()
    decision = Decision(Verdict.ASK, reasons, tuple(parts), offers=kept, needed=("run_shell_command(x)",))
    deeds = parse_as(tuple[Deed, ...], asked["deeds"])
    return Question(request, decision, asked["session"], asked["patience"], deeds=deeds)


def read(path: str) -> str:
    """What a file says; nothing where there is none."""
    if not path or not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


async def ask(asked: dict) -> dict:
    dialogs.ENDED = asked.get("goes", dialogs.ENDED)
    approver = dialogs.TerminalApprover(
        lambda: console,
        RefuseApprover("nobody is here"),
        check_entry,
        os.environ,
        is_person=lambda _: asked["person"],
        keep=lambda approval, _request: kept.append(approval),
        quiet=asked["quiet"],
        alone=asked["alone"],
    )
    kept: list[Approval] = []

    async def one(question: Question) -> dict:
        asking, ends = asyncio.ensure_future(in_turn(approver, question)), asked.get("ends", "")
        while not asking.done():
            await asyncio.wait((asking,), timeout=0.01 if ends else None)
            if not asking.done() and (words := read(ends)):
                ends = asking.cancel(words) and ""
        approval = Approval(yes=False, by="ended") if asking.cancelled() else asking.result()
        said = {"kept": [[each.yes, each.scope, [rule.entry for rule in each.rules]] for each in kept]} if kept else {}
        return approval._replace(rules=tuple(rule._asdict() for rule in approval.rules))._asdict() | said

    answers = await asyncio.gather(*(one(build(asked | other)) for other in asked["others"] or [{}]))
    return answers if asked["others"] else answers[0]


def main() -> None:
    asked = json.loads(sys.argv[1])
    if asked["background"] and (child := os.fork()):
        os.waitpid(child, 0)
        return
    if asked["background"]:
        os.setpgid(0, 0)
    if asked["delay"]:
        time.sleep(asked["delay"])
    try:
        print(json.dumps(asyncio.run(ask(asked))))  # noqa: T201 - the answer
    except KeyboardInterrupt:
        print(json.dumps({"interrupted": signal.SIGINT}))  # noqa: T201
    except TypeError as error:
        print(json.dumps({"failed": str(error)}))  # noqa: T201


if __name__ == "__main__":
    main()
