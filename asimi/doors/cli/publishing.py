"""`asimi team publish`: a person sends every machine of their team one policy."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import typer

from asimi.core.errors import AsimiError, ConfigError
from asimi.doors.cli.base import UsageError
from asimi.doors.cli.printing import barred, out
from asimi.doors.cli.require_person import confirmed
from asimi.doors.cli.team import on_server, plan_of
from asimi.world.config.layer import layers_in
from asimi.world.config.merge import merged
from asimi.world.config.sources import Source
from asimi.world.host.streams import printable
from asimi.world.team.signing import POLICY, check_needs_person, public_key, signed
from asimi.world.team.subjects import ADMINISTRATOR

if TYPE_CHECKING:
    from nats.aio.client import Client

    from asimi.core.settings import Team
    from asimi.world.team.founding import Plan
    from asimi.world.team.shared import Shared

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
    from asimi.world.host.places import replace
    from asimi.world.team import streams
    from asimi.world.team.shared import Revision, counted, signed_by
    from asimi.world.team.subjects import POLICY as SUBJECT

    plan, text, until = plan_of(directory), _checked(file), _end(lasts)
    name = _name_of(plan, key)
    there, sequence = on_server(directory, ADMINISTRATOR, streams.published)
    before = _newest(directory, there, _team(plan))
    number = 1 if before is None else before.revision.number + 1
    revision = Revision(number, plan.server, name, int(time.time()), until)
    if not confirmed(_question(file, text, before, plan, revision)):
        raise typer.Exit(126)
    content = signed_by(text, revision, lambda content: signed(content, key, POLICY)).content
    counted(content, _team(plan), time.time())  # as the machines see it

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
    from asimi.world.config.layer import layer_of
    from asimi.world.config.sources import content_of
    from asimi.world.team.shared import shared_in

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
    from asimi.world.config.keys import duration

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


def _team(plan: Plan) -> Team:
    """Return the team, as its machines know it."""
    from asimi.core.settings import Team

    return Team(plan.server, administrators=plan.administrators, revoked=plan.revoked)


def _newest(directory: str, there: bytes | None, team: Team) -> Shared | None:
    """The newest revision that an administrator ever signed, whose key may be revoked by now: the server's, or ours."""
    from asimi.world.host.places import read_private
    from asimi.world.team.shared import LONGEST, counted

    known: list[Shared] = []
    for content in (there, read_private(os.path.join(directory, LAST), LONGEST)):
        try:
            known += [counted(content, team._replace(revoked=()), None)] if content is not None else []
        except AsimiError as fault:
            out(f"note  what was published before does not count: {printable(str(fault))}")
    return max(known, key=lambda shared: shared.revision.number, default=None)


def _question(file: str, text: str, before: Shared | None, plan: Plan, revision: object) -> str:
    """Return what the person sees before they say yes."""
    from asimi.core.wording.visible import changed_lines

    if before is None:
        shown = barred(text.removesuffix("\n").split("\n"))
    else:
        shown = barred(changed_lines(before.text, text, 3) or ["the text is as it was"])
        shown = f"What changes since {before.revision}:\n{shown}"
    names = ", ".join(plan.machines) or "no machine yet"
    notes = [f"It can loosen {', '.join(plan.loosens)}." if plan.loosens else "It can only forbid more."]
    idle = merged(layers_in(Source(file, "team", text.encode(), loosens=plan.loosens))).notices
    notes += [f"Where a machine says nothing else, {printable(each)}" for each in idle]
    return "\n".join([shown, *notes, f"Do you want to publish this as {revision}, for {names}?"])
