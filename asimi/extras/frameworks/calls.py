"""What the adapters share: a call is proposed when the framework asks whether to ask, and run when it was answered.

Frameworks have no room for the id of a proposal, so a call is known by a key: the framework's own id of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from asimi.core import wire
from asimi.core.call import Approval, Assurance, ToolCall
from asimi.core.errors import AsimiError, Refusal, refusal_of_fault
from asimi.tools import command_tool

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractAsyncContextManager

    from asimi.core.call import Question, Result
    from asimi.core.gate import Gate
    from asimi.core.hosting import Proposal
    from asimi.core.interfaces import Approver
    from asimi.tools import CommandTool

NOT_KEPT = (
    "the approval does not count, because it was used already, is older than a day, or was for another call or for "
    "more than one; call the tool again, so that a person is asked"
)


def arguments_of(text: str) -> dict[str, Any]:
    """The parameters in a JSON text; none where it is no object, or has two readings, and so the call is refused."""
    try:
        value = wire.loads(text)
    except wire.MalformedJsonError:
        return {}
    return value if isinstance(value, dict) else {}


def key_of(*parts: str | None) -> str:
    """A key of several texts, such as a conversation and the id of a call in it, that no other texts have."""
    return "/".join(quote(part or "", safe=" ", errors="surrogatepass") for part in parts)


class Calls:
    """The calls of one tool by the agents of a framework.

    Args:
        host: the name of the framework, which the log has behind `host:`.
        gate: the gate; by default one of the current directory.
        name: the name of the tool.

    Attributes:
        tool: what the model is told, and how outcomes are packed for it.

    Raises:
        AsimiError: there is no such tool, or the gate cannot be opened.
    """

    def __init__(self, host: str, gate: Gate | None, name: str) -> None:
        tool = command_tool(name)
        if tool is None:
            raise AsimiError(f"There is no tool {name!r}")
        self.tool: CommandTool = tool
        self._host, self._gate = host, gate or tool.gate

    def asks(self, arguments: Mapping[str, Any], key: str) -> Proposal | None:
        """What a person has to answer in the framework before this call is run.

        Args:
            arguments: the tool's parameters.
            key: what no other call has: the conversation where it is known, and the call's id.

        Returns:
            The question; None for a call that is to be run without asking there: it is allowed, or `outcome` says why
            it is refused, or it takes a person at a terminal, whom asimi asks itself.
        """
        try:
            proposal = self._gate.propose(self._call(arguments, key), key)
        except (AsimiError, OSError):
            return None
        return proposal if proposal.id else None

    def preview(self, arguments: Mapping[str, Any], key: str) -> str:
        """The question of a call in words, every character of it visible; empty where there is none."""
        try:
            kept = self._gate.find_proposal(self._call(arguments, key), key)
        except (AsimiError, OSError) as error:
            return str(error)
        return "" if kept is None else kept.preview

    async def outcome(
        self, arguments: Mapping[str, Any], key: str, *, yes: bool | None = None, note: str = ""
    ) -> Result | Refusal:
        """Run a call, or say why not.

        Args:
            arguments: the tool's parameters.
            key: as for `asks`.
            yes: what was answered in the framework; None where nobody was asked there.
            note: what the person there wants the agent to know.
        """
        call = self._call(arguments, key)
        if yes is None:
            return await self._gate.run(call, self.tool)
        try:
            kept = self._gate.find_proposal(call, key)
        except (AsimiError, OSError) as error:
            return refusal_of_fault(error)
        if kept is not None:
            return await self._gate.redeem(kept.id, yes, self._host, note)
        if not yes:
            return Refusal("person", f"Refused by the person{f', who says: {note}' if note else ''}.")
        return await self._gate.with_(approver=_NotKept(self._gate.approver)).run(call, self.tool)

    def told(self, outcome: Result | Refusal, failed: type[Exception]) -> dict[str, Any]:
        """What the model is told of a call.

        Raises:
            Exception: it was refused; `failed`, which the framework makes an error of, with the reason.
        """
        if isinstance(outcome, Refusal):
            raise failed(outcome.message)
        return self.tool.pack(outcome)

    def _call(self, arguments: Mapping[str, Any], key: str) -> ToolCall:
        return ToolCall(self.tool.name, arguments, key, self._host)


class _NotKept:
    """Answers for a framework whose yes does not count; what takes a person at a terminal is asked there.

    Args:
        elsewhere: who asks there.
    """

    def __init__(self, elsewhere: Approver) -> None:
        self._elsewhere = elsewhere

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """Held while one question is judged and asked."""
        return self._elsewhere.turn()

    async def ask(self, question: Question) -> Approval:
        """A no, which says what to do."""
        if question.decision.voice > Assurance.ASKED:
            return await self._elsewhere.ask(question)
        return Approval(yes=False, by="nobody", note=NOT_KEPT)
