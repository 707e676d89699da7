"""`asimi team`: what an administrator does for a team; and `asimi relay`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from asimi.core.errors import AsimiError, ConfigError
from asimi.core.settings import Team
from asimi.core.wording.visible import changed_lines
from asimi.doors.cli.base import Command, Group, UsageError, application
from asimi.doors.cli.printing import fit, out, plural, with_bars
from asimi.doors.cli.require_person import confirm_at_terminal, require_person
from asimi.doors.cli.services import send_telemetry
from asimi.doors.running import run, until_told
from asimi.extras.team import streams
from asimi.extras.team.founding import AUTHORITY, Plan, founded, plan_in
from asimi.extras.team.parts import open_relay
from asimi.extras.team.records import copied
from asimi.extras.team.server import reached
from asimi.extras.team.shared import shared_in
from asimi.extras.team.signing import POLICY, check_needs_person, public_key, signed
from asimi.extras.team.streams import create as made
from asimi.extras.team.subjects import ADMINISTRATOR, COLLECTOR
from asimi.extras.team.subjects import POLICY as SUBJECT
from asimi.world.audit.reading import Copy, fields_of
from asimi.world.config.keys import BY_NAME, KINDS, Unusable, duration
from asimi.world.config.layer import layer_of, layers_in
from asimi.world.config.merge import merge_layers
from asimi.world.config.sources import Source, content_of
from asimi.world.host.places import read_private, replace
from asimi.world.host.terminal import printable, say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nats.aio.client import Client

    from asimi.compose import Options
    from asimi.doors.running import Stop
    from asimi.extras.team.shared import Shared
    from asimi.world.audit.reading import Verification

T = TypeVar("T")

Directory = Annotated[str, typer.Argument(metavar="DIR", help="What `asimi team init` wrote, or a copy of it.")]

team = application(cls=Group)


@team.callback(cls=Group)
def _team() -> None:
    """Set up a team of machines that share questions and records, and check the records."""


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
    administrator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME KEY'",
            show_default=False,
            help="Who may publish a policy for all machines, which then run nothing without it.",
        ),
    ] = None,
    revoke: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", show_default=False, help="Whose key shall count no more."),
    ] = None,
    store: Annotated[
        str, typer.Option(metavar="DIR", show_default=False, help="Where the server keeps the records.")
    ] = "",
) -> None:
    """Write the server's configuration, everybody's credentials and a page that says what to put where.

    DIR/team.toml keeps what you say here; change it or give more, and run this again. Credentials that are there stay.
    """
    require_person("found a team")

    directory = os.path.abspath(directory)
    before = plan_in(directory, read) or Plan("")
    try:
        plan = Plan(
            read("server", server or before.server),
            tuple(dict.fromkeys((*before.machines, *(read("machine", each) for each in machine or ())))),
            read("approvers", [" ".join(each) for each in before.approvers] + list(approver or ())),
            before.revoked,
            read("file", store or before.store),
            read("administrators", [" ".join(each) for each in before.administrators] + list(administrator or ())),
            before.loosens,
        )
    except ConfigError as error:
        raise UsageError(f"{error}.") from None
    plan = plan._replace(revoked=tuple(dict.fromkeys((*plan.revoked, *_keys_of(plan, revoke or [])))))
    if not plan.server:
        raise UsageError("--server is missing: the URL of the NATS server, such as tls://nats.example.org:4222.")
    for path in founded(directory, plan):
        out(f"new  {printable(path)}")
    out(f"What to put where: {printable(directory)}/README.md")


@team.command(cls=Command)
def create(directory: Directory) -> None:
    """Make what keeps the records and the policy on the server, once; or see that it is there and keeps what it must.

    It is done with DIR/administrators/administrator.seed, which nobody else needs.
    """
    require_person("set up a team's server")

    new = on_server(directory, ADMINISTRATOR, made)
    state = "from now on" if new else "as it must"
    out(f"The server keeps records and a policy {state}.")


@team.command(cls=Command)
def publish(
    directory: Directory,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A configuration file.")],
    key: Annotated[
        str, typer.Option(metavar="FILE", show_default=False, help="Your private key; without it, ~/.ssh/id_ed25519.")
    ] = "",
    lasts: Annotated[str, typer.Option("--for", metavar="TIME", help="How long it counts.")] = "90d",
) -> None:
    """Publish a policy for all machines of the team: sign FILE as its next revision, and put it on the server.

    It shows what changes and asks you; ssh-keygen asks for your key's passphrase. On the machines it can only forbid
    more, but for the keys in their team.loosens. When its time is over, nothing runs on them until you publish again;
    FILE may be DIR/policy.toml, the one that you published last.
    """
    require_person("publish a team's policy")

    published(os.path.abspath(directory), file, os.path.abspath(os.path.expanduser(key or "~/.ssh/id_ed25519")), lasts)


@team.command(cls=Command)
def verify(directory: Directory) -> None:
    """Check every record that the server keeps: that none was changed, removed or added. Exit code 1 if one was.

    DIR needs team.toml and collectors/collector.seed. Keep the last hashes somewhere else: they notice even that a
    server began anew. A machine that has stopped sending shows by the time of its last record.
    """
    found = on_server(directory, COLLECTOR, _verified)
    broken = 0
    for (machine, user), (checked, last) in sorted(found.items()):
        for fault in checked.faults:
            out(f"broken  {printable(str(fault))}")
        for note in checked.notes:
            out(f"note  {printable(note)}")
        lines = plural(checked.lines, "line")
        state = f"{len(checked.faults)} broken" if checked.faults else "unbroken"
        out(f"{machine} {user}  {lines}, {state}, last of {printable(last)}, last hash {checked.hash}")
        broken += bool(checked.faults)
    if not found:
        out("The server keeps no records yet.")
    raise typer.Exit(1 if broken else 0)


async def _verified(client: Client) -> dict[tuple[str, str], tuple[Verification, str]]:
    """Return what was found of each machine and user, and the time of the last line."""
    checks = dict[tuple[str, str], Copy]()
    last = dict[tuple[str, str], str]()
    async for record in copied(client):
        whose = record.machine, record.user
        checks.setdefault(whose, Copy(" ".join(whose))).line(record.number, record.content, record.hash)
        fields = fields_of(record.content) or {}
        last[whose] = str(fields.get("time", last.get(whose, "an unknown time")))
    return {whose: (check.result(), last[whose]) for whose, check in checks.items()}


def _keys_of(plan: Plan, names: list[str]) -> list[str]:
    """Return the public keys of some approvers and administrators.

    Raises:
        AsimiError: there is nobody of that name.
    """
    known = [*plan.approvers, *plan.administrators]
    for name in names:
        if name not in {each.name for each in known}:
            there = ", ".join(dict.fromkeys(each.name for each in known)) or "there are none"
            raise AsimiError(f"{name} is not one of the team's approvers and administrators: {there}")
    return [each.key for each in known if each.name in names]


def plan_of(directory: str) -> Plan:
    """Return what a team is, by the files of a directory.

    Raises:
        AsimiError: it holds no team, or its plan cannot be used.
    """
    plan = plan_in(directory, read)
    if plan is None:
        raise AsimiError(f"{directory}: holds no team.toml; `asimi team init` writes one")
    return plan


def on_server(directory: str, role: str, work: Callable[[Client], Awaitable[T]]) -> T:
    """Return what comes of some work with a connection in a role, by the files of a directory.

    Raises:
        AsimiError: as `plan_of`, or the server cannot be reached.
    """
    import asyncio

    plan, here = plan_of(directory), os.path.join(directory, "server.pem")
    authority = next((path for path in (here, AUTHORITY) if os.path.exists(path)), "")
    server, seed = Team(plan.server, authority=authority), os.path.join(directory, f"{role}s", f"{role}.seed")

    async def done() -> T:
        async with reached(server, role, role, seed, say) as client:
            return await work(client)

    return asyncio.run(done())


def read(kind: str, value: Any) -> Any:
    """Return what a value of a key of `[team]` means, by the key's name or kind.

    Raises:
        ConfigError: it cannot be one.
    """
    key = next(key for key in BY_NAME.values() if kind in (key.kind, key.name.removeprefix("team.")))
    try:
        return KINDS[key.kind](value, key)
    except Unusable as error:
        raise ConfigError(f"{kind} {error}") from None


LAST = "policy.toml"
"""What was published last, in the team's directory."""


def published(directory: str, file: str, key: str, lasts: str) -> None:
    """Publish a file, once the person has seen what changes and says yes.

    Args:
        directory: what `asimi team init` wrote.
        file: the configuration.
        key: the file of their private key.
        lasts: how long it counts.

    Raises:
        typer.Exit: they do not.
        AsimiError: it cannot be published; nothing was changed.
    """
    from asimi.extras.team.shared import Revision, counted, signed_by

    plan, text, until = plan_of(directory), _checked(file), _end(lasts)
    name = _name_of(plan, key)
    there, sequence = on_server(directory, ADMINISTRATOR, streams.published)
    before = _newest(directory, there, _team_of(plan))
    number = 1 if before is None else before.revision.number + 1
    revision = Revision(number, plan.server, name, int(time.time()), until)
    if not confirm_at_terminal(_question(file, text, before, plan, revision)):
        raise typer.Exit(126)
    content = signed_by(text, revision, lambda content: signed(content, key, POLICY)).content
    counted(content, _team_of(plan), time.time())  # as the machines see it

    async def put(client: Client) -> None:
        await streams.put(client, SUBJECT, content, sequence)

    on_server(directory, ADMINISTRATOR, put)
    replace(os.path.join(directory, LAST), content)
    out(f"published  {revision}")


def _checked(file: str) -> str:
    """Return the configuration that a file holds, without what makes a copy of it.

    Raises:
        ConfigError: it is not; with the line, if it is known.
    """
    content = content_of(os.path.abspath(file))
    if content is None:
        raise ConfigError("there is no such file", file)
    text, copy = layer_of(file, "team", content).text, shared_in(content)
    return text if copy is None else copy.text


def _end(lasts: str) -> int:
    """Return when what counts that long from now ends, in whole seconds since the epoch.

    Raises:
        UsageError: it is no time.
    """
    try:
        seconds = duration(lasts)
    except AsimiError as error:
        raise UsageError(f"--for: {error}.") from None
    if not 60 <= seconds <= 10 * 366 * 86400:
        raise UsageError("--for must be from a minute to ten years.")
    return int(time.time() + seconds)


def _name_of(plan: Plan, key: str) -> str:
    """Return which administrator a private key is of.

    Raises:
        AsimiError: it is none's, or any program could use it.
    """
    public = public_key(key)
    for each in plan.administrators:
        if each.key == public and public not in plan.revoked:
            check_needs_person(key)
            return each.name
    raise AsimiError(f"{key}: is no key of an administrator of this team; team.toml lists theirs in administrators")


def _team_of(plan: Plan) -> Team:
    """Return the team, as its machines know it."""
    return Team(plan.server, administrators=plan.administrators, revoked=plan.revoked)


def _newest(directory: str, there: bytes | None, team: Team) -> Shared | None:
    """The newest revision that an administrator ever signed, whose key may be revoked by now: the server's, or ours."""
    from asimi.extras.team.shared import LONGEST, counted

    known: list[Shared] = []
    for content in (there, read_private(os.path.join(directory, LAST), LONGEST)):
        try:
            known += [counted(content, team._replace(revoked=()), None)] if content is not None else []
        except AsimiError as fault:
            out(f"note  what was published before does not count: {printable(str(fault))}")
    return max(known, key=lambda shared: shared.revision.number, default=None)


def _question(file: str, text: str, before: Shared | None, plan: Plan, revision: object) -> str:
    """Return what the person sees before they say yes."""
    if before is None:
        shown = with_bars(text.removesuffix("\n").split("\n"))
    else:
        shown = with_bars(changed_lines(before.text, text, 3) or ["the text is as it was"])
        shown = f"What changes since {before.revision}:\n{shown}"
    names = ", ".join(plan.machines) or "no machine yet"
    notes = [f"It can loosen {', '.join(plan.loosens)}." if plan.loosens else "It can only forbid more."]
    idle = merge_layers(layers_in(Source(file, "team", text.encode(), loosens=plan.loosens))).notices
    notes += [f"Where a machine says nothing else, {printable(each)}" for each in idle]
    return "\n".join([shown, *notes, f"Do you want to publish this as {revision}, for {names}?"])


def relay(options: Options) -> int:
    """Carry the questions of your gates on this machine to your team, until Ctrl-C or SIGTERM.

    The administrator's file says which team: its server, this machine's name and credentials, who may answer. The relay
    only carries; an answer counts by its signature, which the gate that asked checks. It also keeps this machine's copy
    of the policy that the team shares. Each user runs one, as a service.
    """
    require_person("carry questions to a team")

    def told(text: str) -> None:
        say(fit(f"asimi: {text}", 2))

    carrier = open_relay(options, told)

    async def work(stop: Stop) -> int:
        await until_told(carrier.run(lambda: told("The relay is connected; press Ctrl-C to stop.")), stop)
        return 0

    with send_telemetry(options):
        return run(work)
