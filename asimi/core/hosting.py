"""What a host program answers: a framework that shows questions in its own way, by its own mechanism for approvals.

A host gives yes or no, a name and a note. The gate writes `host:NAME` as the one who answered, so no host can say that
a person at a terminal did; its yes holds once and keeps no rule. Two ways: a host is asked while a call waits
(`Approver`), or it proposes the call, keeps the id, and redeems that later, also in another process (`Proposal`).
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from asimi.core.call import Approval, Assurance, Decision, Question, Record, Request, ToolCall, Verdict
from asimi.core.errors import AsimiError, Refusal, refusal_of_fault
from asimi.core.values import NamedTuple
from asimi.core.wording.explain import refusal_of
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Result
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Listener, Proposals, Tool

LONGEST_NAME, LONGEST_NOTE = 80, 500
"""Characters of a host's name, and of its note, that are kept."""

OF_KEY = 16
"""With how many characters of its id the proposal of a key begins, whatever the call is."""

SHARED = "Another call of the same key waits, so that a yes could be for either; both have to be proposed anew"

CHANGED = "what is asked about it has changed since it was proposed; propose it again"


class Answer(NamedTuple):
    """What a host answers.

    Attributes:
        yes: whether the call may run.
        note: what the agent should know.
    """

    yes: bool
    note: str = ""


class Approver(Protocol):
    """A host program that asks a person in its own way."""

    @property
    def name(self) -> str:
        """What the log calls it, behind `host:`."""

    async def ask(self, question: Question) -> Answer:
        """The person's answer; one that takes longer than `question.patience` seconds is a no."""


class Proposal(NamedTuple):
    """A call that was judged and not run.

    Attributes:
        id: by which it is redeemed, once; empty where no host can answer it.
        tool: the name of the tool that was called.
        arguments: its parameters, as they were sent.
        call: the caller's own id of the call.
        agent: who calls.
        question: what there is to ask; its decision is the verdict, which may be one that needs no answer.
        until: when it can no longer be redeemed, in seconds since the epoch.
    """

    id: str
    tool: str
    arguments: dict[str, Any]
    call: str | int | None
    agent: str
    question: Question
    until: float = 0.0

    @property
    def request(self) -> Request:
        """What was understood."""
        return self.question.request

    @property
    def decision(self) -> Decision:
        """The verdict on it."""
        return self.question.decision

    @property
    def person_needed(self) -> bool:
        """Whether it runs only if somebody says yes."""
        return self.decision.verdict is Verdict.ASK

    @property
    def answerable(self) -> bool:
        """Whether the yes of a host is enough; else it takes a person at a terminal, or nobody can."""
        return self.person_needed and self.decision.voice <= Assurance.ASKED

    @property
    def preview(self) -> str:
        """The question in words, every character of it visible."""
        from asimi.core.wording.explain import words_of

        return words_of(self.question)

    @property
    def tool_call(self) -> ToolCall:
        """The call as it was made."""
        return ToolCall(self.tool, self.arguments, self.call, self.agent)


class ProposalApprover:
    """Answers a question that was shown before with what was said then, and no other question.

    Args:
        request: what was shown.
        decision: the verdict on it then.
        answer: what was said.
    """

    def __init__(self, request: Request, decision: Decision, answer: Approval) -> None:
        self._request, self._decision, self._answer = request, decision, answer

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Held for no time: nobody else is asked."""
        return nullcontext()

    async def ask(self, question: Question) -> Approval:
        """The answer, if the question is the one that was shown, or less than that."""
        seen, now = self._decision, question.decision
        known = {(reason.code, reason.message) for reason in seen.reasons}
        more = any((reason.code, reason.message) not in known for reason in now.reasons)
        if more or question.request != self._request or now.sandbox != seen.sandbox:
            return Approval(yes=False, by="nobody", note=CHANGED)
        return self._answer


class HostSide:
    """What a gate does for hosts.

    Args:
        tools: the tool of a name, or None.
        proposals: where proposals are kept.
    """

    def __init__(self, tools: Callable[[str], Tool | None], proposals: Proposals) -> None:
        self._tools, self._proposals = tools, proposals

    def propose(self, gate: Gate, call: ToolCall, key: str) -> Proposal:
        """See `Gate.propose`."""
        request = self._tool(call.name).read(call, gate.workspace, gate.shell)
        name = _id_of(key, request)
        if name and (kept := self._proposals.look(name)) is not None:
            return kept
        question = gate.question(request, gate.judge(request), gate.settings())
        proposal = Proposal("", call.name, dict(call.arguments), call.id, call.agent, question)
        return self._proposals.keep(proposal._replace(id=name)) if proposal.answerable else proposal

    def find_proposal(self, gate: Gate, call: ToolCall, key: str) -> Proposal | None:
        """See `Gate.find_proposal`."""
        request = self._tool(call.name).read(call, gate.workspace, gate.shell)
        return self._proposals.look(_id_of(key, request)) if key else None

    async def redeem(self, gate: Gate, name: str, answer: Approval, listener: Listener | None) -> Result | Refusal:
        """See `Gate.redeem`."""
        name = visible(str(name))[:LONGEST_NAME]  # of hosts that are in Python and have something else in its place
        record = Record(gate.new_id(), "refusal", ToolCall("redeem", {"id": name}, agent=answer.by))
        try:
            proposal = self._proposals.take(name)
            record = record._replace(call=proposal.tool_call, request=proposal.request, decision=proposal.decision)
            tool = self._tool(proposal.tool)
            if not answer.yes:
                gate.count(record._replace(approval=answer), gate.settings())
                raise refusal_of(record._replace(approval=answer))
            if tool.read(proposal.tool_call, gate.workspace, gate.shell) != proposal.request:
                raise Refusal("person", f"Not started: {CHANGED}")
        except (AsimiError, OSError) as error:
            refusal = refusal_of_fault(error)
            # Without a request there was nothing to answer.
            answered = record if record.request is None else record._replace(approval=answer)
            gate.audit.write(answered._replace(refusal=refusal))
            return refusal
        approver = ProposalApprover(proposal.request, proposal.decision, answer)
        return await gate.with_(approver=approver).run(proposal.tool_call, tool, listener)

    def _tool(self, name: str) -> Tool:
        """The tool of a name.

        Raises:
            Refusal: there is none.
        """
        tool = self._tools(name)
        if tool is None:
            raise Refusal("parameters", f"there is no tool {name!r:.80}")
        return tool


def _id_of(key: str, request: Request) -> str:
    """The id of a proposal that its host finds by a key: first of the key, then of exactly this request.

    Empty without a key.
    """
    from hashlib import sha256
    from json import dumps

    if not key:
        return ""
    parts = (key, request.agent, request.place.root), (key, request)
    first, second = (sha256(dumps(part).encode("ascii")).hexdigest() for part in parts)
    return first[:OF_KEY] + second[:32]


def host_label(name: str) -> str:
    """How the log names a host."""
    return f"host:{visible(str(name))[:LONGEST_NAME]}"


def host_approval(host: str, *, yes: object, note: object) -> Approval:
    """What a host said; only `True` is a yes."""
    return Approval(yes=yes is True, by=host_label(host), note=visible(str(note))[:LONGEST_NOTE])
