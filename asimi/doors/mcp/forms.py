"""Questions as forms that a client shows, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
import time
from contextvars import ContextVar
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError

from asimi.core.call import PERSONS, Approval, Assurance
from asimi.core.judging.denials import denials
from asimi.core.syntax import line_of, quote
from asimi.core.values import NamedTuple
from asimi.core.wording.explain import words_of
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    import mcp_types as types
    from mcp.server.context import ServerRequestContext

    from asimi.core.call import Offer, Question
    from asimi.core.interfaces import Approver

JSON = dict[str, Any]

INPUT_REQUIRED = "2026-07-28"
"""The first revision in which a server sends no requests."""

SOONEST = 0.5
"""Seconds within which no person reads a form and answers it."""

LONGEST = 16_384
"""Characters of the longest command that a form shows; a person cannot approve a command shown in part."""


class Ask(Exception):
    """Not an error: it carries the question out of the gate; the call ends and is made again with the answer.

    Attributes:
        message: the text that the person reads.
        schema: of the form.
        digest: identifies the question.
    """

    def __init__(self, message: str, schema: JSON, digest: str) -> None:
        self.message, self.schema, self.digest = message, schema, digest
        super().__init__(message)


class ClientAnswer(NamedTuple):
    """An answer that a call brings along.

    Attributes:
        digest: of the question that was asked.
        result: the answer to it; None where it is not an answer.
        seconds: how long it took.
    """

    digest: str
    result: types.ElicitResult | None
    seconds: float


class Call(NamedTuple):
    """The call that a question is about.

    Attributes:
        context: the SDK's, for sending.
        client: the name the client gives itself.
        given: the answer that it brought, or None.
    """

    context: ServerRequestContext[Any, Any]
    client: str
    given: ClientAnswer | None


CALL: ContextVar[Call] = ContextVar("asimi.mcp.call")
"""The call that runs in this task."""


class ElicitingApprover:
    """Asks the person through the client, or elsewhere if it shows no forms, or no form or no answer to it would do.

    Args:
        elsewhere: who is asked then.
        keeps: whether this process is a session that may keep what a form approves.
    """

    def __init__(self, elsewhere: Approver, *, keeps: bool) -> None:
        self._elsewhere, self._keeps = elsewhere, keeps

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """Held while one question is judged and asked."""
        return self._elsewhere.turn()

    async def ask(self, question: Question) -> Approval:
        """Return the person's answer.

        Raises:
            Ask: the client makes the call again, with the answer.
        """
        call = CALL.get()
        line = line_of(question.request)
        unfit = question.decision.voice > Assurance.ASKED or len(line) > LONGEST
        if unfit or not _shows_forms(call.context):
            return await self._elsewhere.ask(question)
        keeps = self._keeps and question.session and bool(question.decision.offers)
        message, schema = _message(question), _form(keeps=keeps)
        result, seconds, fault = await self._given(question, call, message, schema)
        if result is not None and not _decides(result, schema):
            result, fault = None, "the client sent the form back without a decision"
        if result is None or seconds < SOONEST:
            if late := seconds >= question.patience:
                question = question._replace(patience=0.0)  # it was waited for long enough
            approval = await self._elsewhere.ask(question)
            if approval.by in PERSONS:
                return approval
            why = fault or "the client answered the question before a person can have read it"
            return approval._replace(by="clock" if late else approval.by, note=f"{why}; {approval.note}")
        return _approval(question, result, call.client)._replace(seconds=seconds)

    async def _given(
        self, question: Question, call: Call, message: str, schema: JSON
    ) -> tuple[types.ElicitResult | None, float, str]:
        """Return what the client answered, if it did; after how many seconds; and why it did not.

        Raises:
            Ask: the client makes the call again, with the answer.
        """
        if call.context.protocol_version >= INPUT_REQUIRED:
            digest = digest_of(message, schema)
            if call.given is None or call.given.digest != digest:
                raise Ask(message, schema, digest)
            return call.given.result, call.given.seconds, ""
        began = time.monotonic()
        request = call.context.session.elicit_form(message, schema, call.context.request_id)
        result, fault = None, ""
        try:
            result = await asyncio.wait_for(request, question.patience)
        except TimeoutError:
            fault = f"the client had no answer within {question.patience:g} s"
        except (MCPError, ValueError) as error:  # its own error, or an answer that is none
            fault = f"the client could not ask: {str(error) if isinstance(error, MCPError) else 'no valid answer'}"
        return result, time.monotonic() - began, fault


def digest_of(*values: Any) -> str:
    """Return a digest that identifies one call or question."""
    return sha256(json.dumps(values, sort_keys=True).encode("ascii")).hexdigest()


def _shows_forms(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client said that it shows forms; a client that does not mention modes does."""
    capabilities = context.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _message(question: Question) -> str:
    """Return the question; it depends only on the call and the policy, so it is the same the next time."""
    decision, lines = question.decision, [words_of(question)]
    if decision.offers:
        lines.append(f"Allowing it for this session would allow: {visible(decision.offers[0].label)}")
    if decision.needed:
        typed = f"asimi policy add --project {' '.join(map(quote, decision.needed))}"
        lines.append(f"A form allows nothing for good; at a terminal: {visible(typed)}")
    lines.append(f"Never would deny, from now on in this project: {visible(_never(question).rules[0].entry)}")
    return "\n".join(lines)


def _never(question: Question) -> Offer:
    """Return what "never" stores: the narrowest that the dialog would offer."""
    return denials(question.request, question.decision)[0]


def _form(*, keeps: bool) -> JSON:
    """Return the schema of the form: one choice, without a default that could count as a yes, and one line of text."""
    choices = {"run_once": "Run it once"}
    if keeps:
        choices["allow_for_session"] = "Allow it for this session"
    choices |= {"deny": "Do not run it", "never": "Never run it in this project"}
    return {
        "type": "object",
        "properties": {
            "decision": {
                "type": "string",
                "title": "Your decision",
                "enum": [*choices],
                "enumNames": [*choices.values()],
            },
            "message": {"type": "string", "title": "What the agent should know", "maxLength": 500},
        },
        "required": ["decision"],
    }


def _decides(result: types.ElicitResult, schema: JSON) -> bool:
    """Whether an answer says yes or no; a form that was sent back empty is a client's doing, not a person's."""
    chosen = (result.content or {}).get("decision")
    return result.action != "accept" or chosen in schema["properties"]["decision"]["enum"]


def _approval(question: Question, result: types.ElicitResult, client: str) -> Approval:
    """Return the answer in a form that was closed, or has a decision."""
    if result.action == "cancel":
        return Approval(yes=False, by="clock", note="the question was closed unanswered")
    if result.action != "accept":
        return Approval(yes=False, by=client)
    content = result.content or {}
    message = content.get("message")
    note = visible(message)[:500] if isinstance(message, str) else ""
    decision = content.get("decision")
    if decision == "run_once":
        return Approval(yes=True, by=client, note=note)
    if decision == "allow_for_session":
        return Approval(yes=True, by=client, scope="session", rules=question.decision.offers[0].rules, note=note)
    if decision == "never":
        return Approval(yes=False, by=client, scope="project", rules=_never(question).rules, note=note)
    return Approval(yes=False, by=client, note=note)
