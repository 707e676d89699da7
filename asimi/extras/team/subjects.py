"""The subjects of a team on its server, and who may use which: what `asimi team init` writes and everybody else obeys.

A machine may ask in its own name and hear the answers to itself; an approver may hear every question and answer it.
Neither may be the other. What a machine has recorded it can only add to; the policy it can only read.
"""

from __future__ import annotations

from asimi.core.values import NamedTuple

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
    """What somebody may do, whom the server gives an account of their own.

    The server checks the subject of a message and never its reply subject: there, JetStream answers with rights of its
    own, wherever that is. So what is kept is in an account that only the administrator and the approvers are in; of
    it, others have only what crosses, and an answer that leads elsewhere stays in the account that it was asked from
    (NATS documentation, Accounts: exports and imports).

    Attributes:
        services: the subjects of the team's account that they may publish to.
        heard: the subjects of the team's account that they may hear.
        said: the subjects of their own account that the team's account hears.
        inbox: where answers to them go.
    """

    services: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    inbox: str = ""

    @property
    def publish(self) -> tuple[str, ...]:
        """The subjects that they may publish to."""
        return (*self.services, *self.said)

    @property
    def subscribe(self) -> tuple[str, ...]:
        """The subjects that they may hear."""
        return (*self.heard, f"{self.inbox}.>")


def machine(name: str) -> May:
    """What the relays of a machine may do."""
    last = f"{_API}.DIRECT.GET.{STREAM}.{RECORDS}.{name}.*"  # the last of its own records, and nobody else's
    policy = f"{_API}.DIRECT.GET.KV_{BUCKET}"
    return May(
        services=(f"{RECORDS}.{name}.*", last, policy, f"{policy}.{POLICY}"),
        heard=(f"{ANSWER}.{name}.*", POLICY),
        said=(f"{ASK}.{name}", f"{TOLD}.{name}.*"),
        inbox=inbox(MACHINE, name),
    )


def collector(name: str) -> May:
    """What whoever checks the records may do: read them."""
    return May((f"{_API}.DIRECT.GET.{STREAM}",), inbox=inbox(COLLECTOR, name))


def approver(name: str) -> May:
    """What an approver may do, in the team's account."""
    return May((f"{ANSWER}.*.*",), heard=(f"{ASK}.*", f"{TOLD}.*.*"), inbox=inbox(APPROVER, name))


def administrator(name: str) -> May:
    """What the administrator may do, in the team's account: make what the server keeps, and publish the policy."""
    return May((f"{_API}.>", POLICY), inbox=inbox(ADMINISTRATOR, name))


MACHINE, APPROVER, COLLECTOR, ADMINISTRATOR = "machine", "approver", "collector", "administrator"

ROLES = {MACHINE: machine, APPROVER: approver, COLLECTOR: collector, ADMINISTRATOR: administrator}
"""What each role may do, by the name of who has it."""

APART = frozenset({MACHINE, COLLECTOR})
"""The roles that have accounts of their own."""

TEAM = "ASIMI"
"""The account that has what is kept."""


def inbox(role: str, name: str) -> str:
    """Where the server's own answers to somebody go."""
    return f"_INBOX_{role}_{name}"
