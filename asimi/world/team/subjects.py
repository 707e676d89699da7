"""The subjects of a team on its server, and who may use which: what `asimi team init` writes and everybody else obeys.

A machine may ask in its own name and hear the answers to itself; an approver may hear every question and answer it.
Neither may be the other. What a machine has recorded it can only add to; the policy it can only read.
"""

from __future__ import annotations

from asimi.core.lean import NamedTuple

ASK = "asimi.ask"
"""Behind it, a machine: the questions of its gates."""

ANSWER = "asimi.answer"
"""Behind it, a machine and a question: the answers to it."""

TOLD = "asimi.told"
"""Behind it, a machine and a question: what became of it."""

RECORDS = "asimi.records"
"""Behind it, a machine and a user: the lines of their log."""

STREAM = "asimi-records"
"""What keeps the records on the server."""

BUCKET = "asimi-policy"
"""What keeps the shared policy there."""

POLICY = f"$KV.{BUCKET}.policy"
"""The shared policy."""

_API = "$JS.API"  # of JetStream, by the reference of its wire API


class May(NamedTuple):
    """What somebody may do.

    Attributes:
        publish: the subjects that they may publish to.
        subscribe: those that they may hear.
    """

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def machine(name: str) -> May:
    """What the relays of a machine may do."""
    last = f"{_API}.DIRECT.GET.{STREAM}.{RECORDS}.{name}.*"  # the last of its own records, and nobody else's
    policy = f"{_API}.DIRECT.GET.KV_{BUCKET}.{POLICY}"
    publish = (f"{ASK}.{name}", f"{TOLD}.{name}.*", f"{RECORDS}.{name}.*", last, policy)
    return May(publish, (f"{ANSWER}.{name}.*", POLICY, f"{inbox(MACHINE, name)}.>"))


def approver(name: str) -> May:
    """What an approver may do."""
    return May((f"{ANSWER}.*.*",), (f"{ASK}.*", f"{TOLD}.*.*", f"{inbox(APPROVER, name)}.>"))


def collector(name: str) -> May:
    """What whoever checks the records may do: read them."""
    consumers = (f"{_API}.CONSUMER.{what}.{STREAM}.>" for what in ("CREATE", "INFO", "MSG.NEXT", "DELETE"))
    publish = (f"{_API}.STREAM.INFO.{STREAM}", f"{_API}.CONSUMER.CREATE.{STREAM}", *consumers, f"$JS.ACK.{STREAM}.>")
    return May(publish, (f"{inbox(COLLECTOR, name)}.>",))


def administrator(name: str) -> May:
    """What the administrator may do: make what the server keeps, and publish the policy."""
    return May((f"{_API}.>", POLICY), (f"{inbox(ADMINISTRATOR, name)}.>",))


MACHINE, APPROVER, COLLECTOR, ADMINISTRATOR = "machine", "approver", "collector", "administrator"

ROLES = {MACHINE: machine, APPROVER: approver, COLLECTOR: collector, ADMINISTRATOR: administrator}
"""What each role may do, by the name of who has it."""


def inbox(role: str, name: str) -> str:
    """Where the server's own answers to somebody go."""
    return f"_INBOX_{role}_{name}"
