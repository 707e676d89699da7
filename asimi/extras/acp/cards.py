"""Asks the editor's person, on a card of asimi's or on the agent's own with asimi's reason."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any

from asimi.core import wire
from asimi.core.call import Approval
from asimi.core.syntax import quote
from asimi.core.values import NamedTuple
from asimi.core.wording.explain import reasons_text, words_of
from asimi.core.wording.visible import visible
from asimi.extras.acp import messages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from asimi.core.call import Question

JSON = dict[str, Any]

PERMISSION, TERMINAL, READ, WRITE = (
    "session/request_permission",
    "terminal/create",
    "fs/read_text_file",
    "fs/write_text_file",
)

KINDS = {"allow_once": "Allow once", "reject_once": "Reject"}
"""The options of a card of asimi's."""

YES = frozenset("accept|allow|allow always|allow once|always|always allow|approve|proceed|run|yes".split("|"))
"""Names of an agent's options that can mean nothing but a yes."""


class Answered(NamedTuple):
    """What came of the agent's own card.

    Attributes:
        line: the editor's answer, as the agent waits for it.
        yes: whether that allows the call.
        plain: whether the person chose what is called so, below a title that is the command and nothing else.
        seconds: how long it took.
    """

    line: bytes
    yes: bool
    plain: bool
    seconds: float


class Cards:
    """The requests for permission that the editor has of asimi.

    What the editor has under a name of asimi's is answered to nobody else, whatever names the agent gives its own.

    Args:
        send: writes a line to the editor.
    """

    def __init__(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        self._send, self._token, self._number = send, os.urandom(8).hex(), 0
        self._open: dict[str, asyncio.Future[JSON]] = {}
        self._agents: dict[str, str] = {}  # our names of the agent's requests, by its own

    def take(self, value: JSON) -> bool:
        """Whether a message of the editor's answers one of these."""
        name = value.get("id")
        answered = self._open.pop(name, None) if isinstance(name, str) and "method" not in value else None
        if answered is not None and not answered.done():
            answered.set_result(value)
        return answered is not None

    async def take_back(self, value: JSON, name: str) -> bool:
        """Whether the agent takes back a request that the editor has; that is told then."""
        if name not in self._agents:
            return False
        params = value["params"] | {"requestId": self._agents[name]}
        await self._send(messages.line_of(value | {"params": params}))
        return True

    async def show(self, session: str, card: JSON, by: str, patience: float) -> Approval:
        """Ask on a card of asimi's; `by` is who answers."""
        name, began = self._name(), time.monotonic()
        call = {"toolCallId": name, "status": "pending", **card}
        options = [{"optionId": kind, "name": text, "kind": kind} for kind, text in KINDS.items()]
        params = {"sessionId": session, "toolCall": call, "options": options}
        chosen = ""
        try:
            value = await asyncio.wait_for(self._asked(name, params), patience)
            chosen = _chosen(value, options).kind
        except TimeoutError:
            return Approval(yes=False, by="clock", note=f"the editor had no answer within {patience:g} s")
        finally:
            news = {"toolCallId": name, "status": "completed" if chosen == "allow_once" else "failed"}
            await self._send(messages.update(session, news, new=False))
        note = "" if "result" in value else "the editor could not ask"
        seconds = time.monotonic() - began
        return Approval(yes=chosen == "allow_once", by="nobody" if note else by, note=note, seconds=seconds)

    async def pass_on(self, value: JSON, call: Mapping[str, Any], note: str, command: str) -> Answered:
        """Leave a request to the agent's own card, with a note on it; `command` is what it would run."""
        name, theirs, began = self._name(), wire.dumps(value["id"]), time.monotonic()
        params = with_note(value, call, note)["params"]
        self._agents[theirs] = name
        try:
            answer = await self._asked(name, params)
        finally:
            self._agents.pop(theirs, None)
        chosen, title = _chosen(answer, params.get("options")), str(call.get("title"))
        seen = visible(command, prose=False) == command and title in {command, f"`{command}`"}
        line = messages.line_of(answer | {"id": value["id"]})
        plain = seen and chosen.name.casefold() in YES
        return Answered(line, chosen.kind.startswith("allow"), plain, time.monotonic() - began)

    def _name(self) -> str:
        self._number += 1
        return f"asimi-{self._token}-{self._number}"

    async def _asked(self, name: str, params: JSON) -> JSON:
        answered: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        self._open[name] = answered
        try:
            await self._send(messages.request(name, PERMISSION, params))
            return await answered
        finally:
            self._open.pop(name, None)


class _Chosen(NamedTuple):
    """An option of a card; both empty for none."""

    kind: str = ""
    name: str = ""


def _chosen(answer: JSON, options: Any) -> _Chosen:
    """The option that an answer to a card chooses; none where several have its id."""
    result = answer.get("result")
    outcome = result.get("outcome") if isinstance(result, dict) else None
    if not isinstance(outcome, dict) or outcome.get("outcome") != "selected":
        return _Chosen()
    given = [each for each in options if isinstance(each, dict)] if isinstance(options, list) else []
    found = [each for each in given if each.get("optionId") == outcome.get("optionId")]
    return _Chosen(str(found[0].get("kind")), str(found[0].get("name"))) if len(found) == 1 else _Chosen()


def with_note(value: JSON, call: Mapping[str, Any], note: str) -> JSON:
    """Return a request for permission with a note of ours, if there is one, below what its card shows."""
    if not note or call.get("lost"):  # what it shows besides is not known any more, and would be replaced
        return value
    shown = call.get("content")
    content = [*(shown if isinstance(shown, list) else ()), messages.text_block(note)]
    params = value["params"]
    return value | {"params": params | {"toolCall": params["toolCall"] | {"content": content}}}


def card_of(method: str, params: JSON, question: Question) -> JSON:
    """What a card of ours says of a request for a terminal or a file."""
    content = [messages.text_block(told(question))]
    if method == TERMINAL:
        env = [f"{each['name']}={quote(each['value'])}" for each in params.get("env") or ()]
        line = " ".join([*env, params["command"], *map(quote, params.get("args") or ())])
        raw = {key: params[key] for key in ("command", "args", "env", "cwd") if params.get(key)}
        return {"title": f"`{visible(line)}`", "kind": "execute", "rawInput": raw, "content": content}
    path, kind = params["path"], "read" if method == READ else "edit"
    return {
        "title": f"{'Read' if method == READ else 'Write'} {visible(path)}",
        "kind": kind,
        "locations": [{"path": path}],
        "rawInput": {"path": path},
        "content": content,
    }


def told(question: Question) -> str:
    """Return a question in words: all of a command; of a file, why it is asked, and what would be written."""
    if (use := question.request.file) is None:
        return words_of(question)
    lines = [f"asimi asks because: {reasons_text(question.decision.reasons)}"]
    lines += ["", *(f"    {visible(line, prose=False)}" for line in use.change.split("\n"))] if use.change else []
    return "\n".join(lines)
