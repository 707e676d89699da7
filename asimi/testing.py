r"""Doubles for the interfaces of a gate, and a gate made of them, for testing programs that build on asimi.

::

    gate = make_gate("/some/root", allow=["run_shell_command(git)"], runs=lambda execution: "clean\n")
    result = asyncio.run(gate.run(ToolCall("run_shell_command", {"command": "git status"}), RunShellCommandTool()))

Each double keeps what it was given, so a test can compare it afterwards; none of them touches the machine.
"""

from __future__ import annotations

import itertools
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from asimi.core.call import Approval, PastRefusal, Place, Result, Shell, Stream, Verdict
from asimi.core.errors import AsimiError, Refusal
from asimi.core.gate import Gate, Parts
from asimi.core.hosting import OF_KEY, SHARED, HostSide
from asimi.core.judging.breaker import digest_of
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of, spend_use
from asimi.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence

    from asimi.core.call import Execution, Question, Record, Request
    from asimi.core.hosting import Proposal
    from asimi.core.interfaces import Approvals, Approver, Audit, Executor, Listener, Tool, Workspace
    from asimi.core.judging.rules import Rule


class FunctionExecutor:
    """An executor that is a function.

    Args:
        function: takes what would run and returns its result, or only its standard output.

    Attributes:
        ran: everything it was given, in order.
        interrupted: how often it had to end the running commands.
    """

    def __init__(self, function: Callable[[Execution], Result | str] = lambda _: "") -> None:
        self.function = function
        self.ran: list[Execution] = []
        self.interrupted = 0

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """The function's result; the listener gets its output."""
        self.ran.append(execution)
        outcome = self.function(execution)
        result = outcome if isinstance(outcome, Result) else Result(Stream(outcome, len(outcome)), exit_code=0, pid=1)
        if listener is not None:
            for name, stream in (("stdout", result.stdout), ("stderr", result.stderr)):
                if stream.text:
                    listener(name, stream.text.encode())
        return result

    def interrupt(self) -> None:
        """Count."""
        self.interrupted += 1


class ScriptedApprover:
    """An approver with answers given beforehand; when they are used up, nobody is there.

    Args:
        answers: the answers in order; True and False are a plain yes and no.

    Attributes:
        questions: everything it was asked, in order.
    """

    def __init__(self, *answers: Approval | bool) -> None:
        self.answers = list(answers)
        self.questions: list[Question] = []

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Nobody else asks."""
        yield

    async def ask(self, question: Question) -> Approval:
        """The next answer."""
        self.questions.append(question)
        if not self.answers:
            return Approval(yes=False, by="nobody", note="the script has no further answer")
        answer = self.answers.pop(0)
        return answer if isinstance(answer, Approval) else Approval(yes=answer, by="terminal")


class RecordingAudit:
    """A log that is a list.

    Args:
        broken: whether it cannot be written.

    Attributes:
        records: what was written, in order.
    """

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.records: list[Record] = []

    def write(self, record: Record) -> None:
        """Keep it.

        Raises:
            AsimiError: the log is broken.
        """
        if self.broken and record.event in {"start", "passed", "observed", "file"}:
            raise AsimiError("The log cannot be written")
        self.records.append(record)


class ListApprovals:
    """Approvals kept in a list; the process is the session."""

    session = True

    def __init__(self) -> None:
        self.kept: list[Approval] = []
        self.refused: dict[str, int] = {}

    def rules(self) -> Sequence[Rule]:
        """The rules of everything that was kept."""
        return [rule for approval in self.kept for rule in approval.rules]

    def spend(self, rules: Sequence[Rule]) -> Approval | None:
        """Count one call against approvals that hold for so many; the yes of the first of them."""
        used = [approval for approval in self.kept if set(rules).intersection(approval.rules)]
        self.kept = [
            approval._replace(rules=tuple(left for rule in approval.rules for left in spend_use(rule, rules)))
            for approval in self.kept
        ]
        return used[0]._replace(rules=()) if used else None

    def remember(self, approval: Approval, request: Request) -> None:  # noqa: ARG002 - as the gate calls it
        """Keep it."""
        self.kept.append(approval)

    def past_refusals(self) -> Collection[PastRefusal]:
        """What was refused, and how often."""
        return [
            PastRefusal(digest_of(fingerprint), times, "this process") for fingerprint, times in self.refused.items()
        ]

    def refuse(self, fingerprints: Collection[str], request: Request) -> None:  # noqa: ARG002 - as the gate calls it
        """Count one refusal."""
        self.refused |= {fingerprint: self.refused.get(fingerprint, 0) + 1 for fingerprint in fingerprints}

    def forget_refusals(self, fingerprints: Collection[str]) -> None:
        """Forget refusals."""
        for fingerprint in fingerprints:
            self.refused.pop(fingerprint, None)


class DictProposals:
    """Proposals kept in a dictionary, without a time to live."""

    def __init__(self) -> None:
        self.kept: dict[str, Proposal] = {}

    def keep(self, proposal: Proposal) -> Proposal:
        """Keep one.

        Raises:
            AsimiError: another one of its key was, until now.
        """
        alike = {name for name in self.kept if proposal.id and name[:OF_KEY] == proposal.id[:OF_KEY]}
        if rivals := alike - {proposal.id}:
            self.kept = {name: each for name, each in self.kept.items() if name not in rivals}
            raise AsimiError(SHARED)
        kept = proposal._replace(id=proposal.id or f"proposal-{len(self.kept) + 1}")
        self.kept[kept.id] = kept
        return kept

    def look(self, name: str) -> Proposal | None:
        """One, left where it is."""
        return self.kept.get(name)

    def take(self, name: str) -> Proposal:
        """Take one away.

        Raises:
            AsimiError: there is none.
        """
        if name not in self.kept:
            raise AsimiError(f"There is no proposal {name}")
        return self.kept.pop(name)


class TextWorkspace:
    """A workspace without a file system: every directory exists, and `..` or an absolute path is outside.

    Args:
        root: the project root.
    """

    def __init__(self, root: str) -> None:
        self.root = root

    def inside(self, directory: str, parameter: str) -> Place:
        """The place of a directory.

        Raises:
            Refusal: it is outside.
        """
        place = self.anywhere(directory, parameter)
        if os.path.isabs(directory) or not place.inside:
            raise Refusal("directory", f"{parameter}: {directory!r} is outside of the project root")
        return place

    def anywhere(self, directory: str, parameter: str) -> Place:
        """The place of a directory."""
        del parameter
        path = os.path.normpath(os.path.join(self.root, directory))
        return Place.at(path, self.root)


def make_gate(
    root: str = "/project",
    *,
    allow: Sequence[str] = (),
    deny: Sequence[str] = (),
    ask: Sequence[str] = (),
    unlisted: Verdict = Verdict.ASK,
    answers: Sequence[Approval | bool] = (),
    runs: Callable[[Execution], Result | str] = lambda _: "",
    settings: Callable[[], Settings] | None = None,
    workspace: Workspace | None = None,
    approvals: Approvals | None = None,
    approver: Approver | None = None,
    executor: Executor | None = None,
    audit: Audit | None = None,
    environ: Mapping[str, str] | None = None,
    shell: Shell = Shell("bash", "/bin/bash"),  # noqa: B008 - a value that cannot change
    tools: Callable[[str], Tool | None] | None = None,
) -> Gate:
    """A gate made of doubles, except for the parts that are given.

    Args:
        root: the project root.
        allow: entries of `coreTools`.
        deny: entries of `excludeTools`.
        ask: entries of `ask`.
        unlisted: the verdict for everything else.
        answers: the person's answers, in order.
        runs: gives the result of a command.
        settings: replaces the lists above.
        workspace: replaces a `TextWorkspace`.
        approvals: replaces `ListApprovals`.
        approver: replaces a `ScriptedApprover` with the answers.
        executor: replaces a `FunctionExecutor`.
        audit: replaces a `RecordingAudit`.
        environ: the environment that commands inherit.
        shell: the shell that runs shell commands.
        tools: the tool of a name; with it, the gate takes proposals.

    Raises:
        EntryError: an entry cannot be understood.
    """
    lists = ((allow, Verdict.ALLOW), (deny, Verdict.DENY), (ask, Verdict.ASK))
    rules = [rule_of(entry, verdict) for entries, verdict in lists for entry in entries]
    fixed = Settings(Policy(rules, Terms(unlisted=unlisted)))
    count = itertools.count(1)
    parts = Parts(
        settings=settings or (lambda: fixed),
        workspace=workspace or TextWorkspace(root),
        approvals=approvals or ListApprovals(),
        approver=approver or ScriptedApprover(*answers),
        executor=executor or FunctionExecutor(runs),
        audit=audit or RecordingAudit(),
        environ=lambda: dict(environ or {}),
        shell=shell,
        new_id=lambda: f"call-{next(count)}",
        hosting=None if tools is None else HostSide(tools, DictProposals()),
    )
    return Gate(parts)
