"""`asimi team`: what an administrator does for a team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from asimi.core.errors import AsimiError, ConfigError
from asimi.doors.cli.base import Command, Group, UsageError, application
from asimi.doors.cli.person import require_person
from asimi.doors.cli.printing import out
from asimi.world.host.streams import printable

if TYPE_CHECKING:
    from asimi.world.team.founding import Plan

team = application(cls=Group)


@team.callback(cls=Group)
def _team() -> None:
    """Set up a team of machines that share questions."""


@team.command(cls=Command)
def init(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="Where it is written; for your eyes only.")],
    server: Annotated[
        str, typer.Option(metavar="URL", show_default=False, help="The server: tls://nats.example.org:4222.")
    ] = "",
    machine: Annotated[
        list[str] | None, typer.Option(metavar="NAME", show_default=False, help="A machine more; any number of times.")
    ] = None,
    approver: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME KEY'", show_default=False, help="Who may answer, with their public key of OpenSSH."
        ),
    ] = None,
    revoke: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", show_default=False, help="An approver whose key shall count no more."),
    ] = None,
    store: Annotated[
        str, typer.Option(metavar="DIR", show_default=False, help="Where the server keeps the records.")
    ] = "",
) -> None:
    """Write the server's configuration, everybody's credentials and a page that says what to put where.

    DIR/team.toml keeps what you say here; change it or give more, and run this again. Credentials that are there stay.
    """
    require_person("found a team")
    from asimi.world.config.keys import BY_NAME, KINDS, Unusable
    from asimi.world.team.founding import Plan, founded, plan_in

    def check(kind: str, value: Any) -> Any:
        key = next(key for key in BY_NAME.values() if kind in (key.kind, key.name.removeprefix("team.")))
        try:
            return KINDS[key.kind](value, key)
        except Unusable as error:
            raise ConfigError(f"{kind} {error}") from None

    before = plan_in(directory, check) or Plan("")
    try:
        plan = Plan(
            check("server", server or before.server),
            tuple(dict.fromkeys((*before.machines, *(check("machine", each) for each in machine or ())))),
            check("approvers", [" ".join(each) for each in before.approvers] + list(approver or ())),
            before.revoked,
            check("file", store or before.store),
        )
    except ConfigError as error:
        raise UsageError(f"{error}.") from None
    plan = plan._replace(revoked=tuple(dict.fromkeys((*plan.revoked, *_keys_of(plan, revoke or [])))))
    if not plan.server:
        raise UsageError("--server is missing: the URL of the NATS server, such as tls://nats.example.org:4222.")
    for path in founded(directory, plan):
        out(f"new  {printable(path)}")
    out(f"What to put where: {printable(directory)}/README.md")


def _keys_of(plan: Plan, names: list[str]) -> list[str]:
    """The public keys of some approvers.

    Raises:
        AsimiError: there is no such approver.
    """
    known = {each.name: each.key for each in plan.approvers}
    for name in names:
        if name not in known:
            raise AsimiError(f"{name} is not one of the team's approvers: {', '.join(known) or 'there are none'}")
    return [known[name] for name in names]
