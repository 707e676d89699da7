"""One request of an agent's on its way through the gate, and who is asked about it."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

from asimi.core.call import (
    ELSEWHERE,
    PROMPT,
    Approval,
    Assurance,
    Decision,
    Failure,
    Reason,
    Request,
    Result,
    ToolCall,
    Verdict,
)
from asimi.core.errors import AsimiError, Refusal
from asimi.core.files import request_of
from asimi.core.judging.policy import Policy
from asimi.core.values import NamedTuple
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from typing import Literal

    from asimi.core.budget import Budget
    from asimi.core.call import Execution, Question, Record, Shell
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Approver, Workspace
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import ShellKind
    from asimi.core.settings import Settings
    from asimi.extras.acp.calls import Wanted
    from asimi.world.audit import AuditLog

    Word = Literal["allow", "deny", "pass"]

SOONEST = 0.5
"""Seconds within which no person reads a card and answers it."""


class Outcome(NamedTuple):
    """What becomes of a request.

    Attributes:
        word: `pass` where the editor's person decides, or the agent by its own rules.
        reason: why, in words; empty for what is nothing to say about.
    """

    word: Word
    reason: str = ""


class Between(NamedTuple):
    """A session's side of the gate.

    Attributes:
        gate: the gate; its approver asks elsewhere than in the editor.
        first: whether that one is asked first, now.
        cards: whether the editor's cards count: not if nobody is to be asked, or the agent itself may be the editor.
        directory: the session's directory.
        shell: whose grammar the agent's shell texts have.
        log: where it is written down.
    """

    gate: Gate
    first: Callable[[], bool]
    cards: bool
    directory: str
    shell: ShellKind
    log: AuditLog


class Agreed(NamedTuple):
    """A yes to a command, which counts once more where the very same is to run in a terminal of the editor's.

    Attributes:
        form: the command, in one form.
        question: what was asked.
        approval: the answer, which is a yes.
    """

    form: tuple[str, ...]
    question: Question
    approval: Approval

    def answers(self, question: Question) -> bool:
        """Whether it answers a question about the same command: there, and for no more reasons."""
        asked, decision = self.question, question.decision
        known = {(each.code, each.message) for each in asked.decision.reasons}
        return (
            question.request.place == asked.request.place
            and known.issuperset((each.code, each.message) for each in decision.reasons)
            and decision.voice <= asked.decision.voice
            and decision.sandbox == asked.decision.sandbox
        )


class Carried:
    """One request: the tool that reads it, the executor that lets it pass, and the approver that asks the editor.

    Args:
        between: the session's side of the gate.
        readings: what it would do, in each way in which it may be meant; the strictest verdict counts.
        card: asks the editor's person; or leaves the question to the agent's own card.
        cancelled: done once the request is cancelled.
        agreed: a yes to the same command before.

    Attributes:
        begun: the id in the log of what was let pass; empty for nothing.
        question: what was asked; None where nothing was.
        approval: the answer; None where the agent's own card has the question.
    """

    def __init__(
        self,
        between: Between,
        readings: Sequence[Wanted],
        card: Callable[[Question], Awaitable[Approval]],
        cancelled: asyncio.Future[None],
        agreed: Agreed | None = None,
    ) -> None:
        self._between, self._readings, self._card, self._cancelled = between, readings, card, cancelled
        self._elsewhere: Approver = between.gate.approver
        self._request: Request | None = None
        self._agreed = agreed
        self.begun = ""
        self.question: Question | None = None
        self.approval: Approval | None = None
        settings = between.gate.settings
        if any(each.unsure for each in readings):
            unsure = ", ".join(dict.fromkeys(name for each in readings for name in each.unsure))
            self._gate = between.gate.with_(settings=lambda: _asking(settings(), unsure))
        else:
            self._gate = between.gate

    @property
    def log(self) -> AuditLog:
        """Where it is written down."""
        return self._between.log

    @property
    def name(self) -> str:
        """The tool that it is judged as."""
        return self._readings[0].tool

    @property
    def is_free(self) -> bool:
        """Whether no question and no deny is about it."""
        try:
            request = self.read(ToolCall(self.name, {}), self._gate.workspace, self._gate.shell)
            return self._gate.judge(request).verdict is Verdict.ALLOW
        except (AsimiError, OSError):
            return False

    async def outcome(self, call: ToolCall) -> Outcome:
        """Take it through the gate."""
        outcome = await self._gate.with_(approver=self, executor=self, audit=self).run(call, self)
        if isinstance(outcome, Refusal):
            if outcome.code in {"passed", "observed"}:
                return Outcome("pass", str(outcome) if outcome.code == "passed" else "")
            return Outcome("deny", str(outcome))
        return Outcome("allow") if outcome.failure is None else Outcome("deny", outcome.failure.message)

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """The request; of several readings, the one that is judged most strictly.

        Raises:
            Refusal: the directory does not exist.
        """
        del shell
        requests = [self._requested(each, call, workspace) for each in self._readings]
        self._request = max(requests, key=lambda each: self._gate.judge(each).verdict) if requests[1:] else requests[0]
        return self._request

    def _requested(self, wanted: Wanted, call: ToolCall, workspace: Workspace) -> Request:
        if wanted.use is not None:
            if any("\0" in each.path for each in wanted.use.touches):
                raise Refusal("parameters", "the path holds a NUL character, which no path can hold")
            place = workspace.anywhere("", "the project")
            return request_of(wanted.use, place, self._between.directory, os.path.expanduser("~"), call.agent)
        if any("\0" in each for each in (wanted.command, *(wanted.arguments or ()))):
            raise Refusal("parameters", "the command holds a NUL character, which no command can hold")
        place = workspace.anywhere(os.path.join(self._between.directory, wanted.directory), "the directory")
        shell = self._between.shell
        return Request(
            wanted.tool, wanted.command, wanted.arguments, place, shell, wanted.description, agent=call.agent
        )

    async def run(self, execution: Execution, listener: object = None) -> Result:
        """Let it pass, if what was consented to is what would run."""
        del listener
        if self._request is None or execution.request[:3] != self._request[:3]:
            text = f"Not this command: the person would have this one instead: {execution.request.command}"
            return Result(failure=Failure("other", text))
        return ELSEWHERE

    def write(self, record: Record) -> None:
        """Write a record, and keep its id where something is let pass.

        Raises:
            Refusal: as the log.
        """
        self.log.write(record)
        self.begun = "" if record.event == "refusal" else record.id

    def interrupt(self) -> None:
        """Nothing runs here."""

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: an editor shows many cards, and the queue orders its questions itself."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """Return the answer of the editor's person, or of somebody elsewhere; a no once the request is cancelled."""
        self.question = question
        if self._agreed is not None and self._agreed.answers(question):
            return self._agreed.approval
        began = time.monotonic()
        asking = asyncio.ensure_future(self._asked(question))
        try:
            await asyncio.wait((asking, self._cancelled), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not asking.done():
                asking.cancel()
                with suppress(asyncio.CancelledError):
                    await asking
        if asking.cancelled():
            return Approval(yes=False, by="nobody", note="the call was cancelled")
        answer = asking.result()
        if answer.by == PROMPT:
            return answer
        self.approval = answer if answer.seconds else answer._replace(seconds=time.monotonic() - began)
        return self.approval

    async def _asked(self, question: Question) -> Approval:
        if question.decision.voice > Assurance.ASKED or not self._between.cards:
            return await self._there(question)
        if self._between.first():
            answer = await self._there(question)
            if answer.by not in {"clock", "nobody"}:
                return answer
        began = time.monotonic()
        answer = await self._card(question)
        if answer.yes and time.monotonic() - began < SOONEST:
            answer = await self._there(question)
            why = "the editor answered the question before a person can have read it"
            return answer._replace(note=f"{why}; {answer.note}")
        return answer

    async def _there(self, question: Question) -> Approval:
        async with self._elsewhere.turn():
            return await self._elsewhere.ask(question)


def _asking(settings: Settings, unsure: str) -> Settings:
    """Settings that allow nothing, whatever was approved before: nobody knows what some parameters change."""
    return settings._replace(policy=_Asking(settings.policy, unsure))


class _Asking(Policy):
    """A policy that asks where it would allow.

    Args:
        policy: the policy.
        unsure: the parameters of which nobody knows what they change.
    """

    def __init__(self, policy: Policy, unsure: str) -> None:
        super().__init__(policy.rules, policy.terms)
        self._unsure = unsure

    def decide(self, request: Request, approvals: Sequence[Rule] = (), *, budget: Budget | None = None) -> Decision:
        """The decision on a request."""
        decision = super().decide(request, approvals, budget=budget)
        if decision.verdict is not Verdict.ALLOW or decision.observed:
            return decision
        reason = Reason("unlisted", f"asimi does not know what {visible(self._unsure)} means here", None)
        return Decision(Verdict.ASK, (reason,), decision.parts, decision.substitution, sandbox=decision.sandbox)
