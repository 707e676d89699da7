"""What a team's gates and approvers tell each other: a question, a signed answer, what became of it.

An answer is signed over everything that it is about and everything that it says, as the bytes of one JSON text with
sorted keys. There is one such text for a statement, and no other one counts.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from asimi.core.json_values import Invalid, digest_of, dumps, loads, parse_as, plain
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    from asimi.core.call import Question
    from asimi.core.judging.rules import Rule

VERSION = 1
"""The format of questions, answers and what became of them."""

LONGEST_NOTE = 4096
"""Characters of what an approver wants the agent to know."""


class Asked(NamedTuple):
    """A question of a gate.

    Attributes:
        id: a random name for it, that nobody can guess.
        gate: the process that asks.
        user: as whom it runs.
        host: the machine, as the team calls it.
        until: when no answer is a no, in seconds since the epoch.
        question: what is asked.
    """

    id: str
    gate: str
    user: str
    host: str
    until: float
    question: Question

    @property
    def origin(self) -> str:
        """Who asks and where, for people."""
        return f"{self.user} on {self.host}"


class Envelope(NamedTuple):
    """What a relay needs to know of a question; the rest is for the approver.

    Attributes:
        id: its name.
        user: as whom the gate runs.
        host: its machine.
    """

    id: str
    user: str
    host: str


class Statement(NamedTuple):
    """What an approver signs.

    Attributes:
        id: the question's name.
        gate: the process that asked.
        user: as whom it runs.
        host: its machine.
        root: the project root.
        digest: of all that was shown (`asimi.core.json_values.digest_of`).
        yes: the answer.
        scope: how long it holds; never for good.
        rules: what it allows until the session ends.
        note: what the approver wants the agent to know.
        until: when the question ended, so when the answer is late.
        by: the approver.
        at: the user and the machine that it was answered at, `USER@MACHINE`.
    """

    id: str
    gate: str
    user: str
    host: str
    root: str
    digest: str
    yes: bool
    scope: Literal["once", "session"]
    rules: tuple[Rule, ...]
    note: str
    until: float
    by: str
    at: str

    @property
    def content(self) -> bytes:
        """The bytes that are signed."""
        return canonical(self)


class Signed(NamedTuple):
    """A statement with its signature, as it travels.

    Attributes:
        statement: the very text that was signed.
        signature: by `ssh-keygen -Y sign`, with its armour.
    """

    statement: str
    signature: str


class Carried(NamedTuple):
    """What a relay says of a question.

    Attributes:
        answer: an answer that came, not checked; None where nobody was reached.
        why: why nobody was.
    """

    answer: Signed | None = None
    why: str = ""


class State(NamedTuple):
    """How a relay is.

    Attributes:
        connected: whether the server can be reached now.
        approvers: whether an approver is connected.
        policy: what holds of the shared policy, or why the server's is not taken; empty where nothing is known yet.
    """

    connected: bool
    approvers: bool
    policy: str


class Told(NamedTuple):
    """What became of a question or of an answer to it.

    Attributes:
        id: the question's name.
        by: the approver whose answer it is about; empty for the question itself.
        taken: whether the answer counts.
        over: whether the question has ended.
        why: why the answer does not count, or how the question ended.
    """

    id: str
    by: str
    taken: bool
    over: bool
    why: str


def new_id() -> str:
    """A name for a question: 128 bits of chance."""
    return os.urandom(16).hex()


def canonical(value: Any) -> bytes:
    """The one text of a named tuple that is signed."""
    fields = {"version": VERSION, **plain(value)}
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def stated(asked: Asked, *, yes: bool, by: str, at: str, **more: Any) -> Statement:
    """An answer to a question, to be signed.

    Args:
        asked: the question.
        yes: the answer.
        by: the approver.
        at: where it is answered.
        more: `scope`, `rules`, `note`.
    """
    root, digest = asked.question.request.place.root, digest_of(asked.question)
    return Statement(
        asked.id,
        asked.gate,
        asked.user,
        asked.host,
        root,
        digest,
        yes=yes,
        scope=more.get("scope", "once"),
        rules=more.get("rules", ()),
        note=more.get("note", ""),
        until=asked.until,
        by=by,
        at=at,
    )


def statement_in(text: str) -> Statement:
    """The statement that a text is.

    Raises:
        Invalid: it is not the text of one.
    """
    content = text.encode("utf-8", "surrogatepass")
    statement: Statement = parse_as(Statement, loads(content, VERSION))
    if statement.content != content:
        raise Invalid("it is not written as asimi writes it")
    return statement


def packed(value: Any) -> bytes:
    """A question, an answer or what became of it, as it travels: one line."""
    return dumps(value, VERSION)


def envelope_of(content: bytes) -> Envelope:
    """What a relay needs to know of a question that came.

    Raises:
        Invalid: it does not say so.
    """
    fields = loads(content, VERSION)
    envelope: Envelope = parse_as(Envelope, {name: fields.get(name) for name in Envelope._fields})
    return envelope


def unpacked(kind: Any, content: bytes) -> Any:
    """The same from what came.

    Raises:
        Invalid: it is something else.
    """
    return parse_as(kind, loads(content, VERSION))
