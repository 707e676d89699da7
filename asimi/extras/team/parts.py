"""The team of this machine: its relay and desk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.compose.asking import bell_of, desk_terminal
from asimi.compose.configuration import configuration_of
from asimi.core.errors import AsimiError
from asimi.core.wording.dialog import Line
from asimi.extras.team.desk import Me, TeamDesk
from asimi.extras.team.following import Follower
from asimi.extras.team.relay import Relay
from asimi.extras.team.signing import check_needs_person, public_key
from asimi.world.audit.tail import Tail
from asimi.world.config.layer import layer_of
from asimi.world.config.managed import team_in
from asimi.world.config.sources import managed_content
from asimi.world.host.places import user_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.compose import Options
    from asimi.core.settings import Team
    from asimi.world.config import Configuration


def team_of(configuration: Configuration) -> Team:
    """Return the team that this machine belongs to, whether its policy is here or not.

    Raises:
        AsimiError: as `team_here`, or it belongs to none.
    """
    team = team_here(configuration)
    if not team.server:
        managed = configuration.places.managed
        raise AsimiError(f"This machine belongs to no team: {managed} has no [team] with a server")
    return team


def team_here(configuration: Configuration) -> Team:
    """Return what the administrator's file says of a team; an empty one where it says nothing.

    Raises:
        AsimiError: that file cannot be used.
    """
    managed = configuration.places.managed
    return team_in(managed, managed_content(managed))


def open_relay(options: Options, tell: Callable[[str], None]) -> Relay:
    """Return what carries the questions and the log of this user's gates to the team, and its policy here.

    Args:
        options: what the caller chooses.
        tell: gets a line when the connection is lost, is back or refused.

    Raises:
        AsimiError: as `team_of`.
    """
    configuration = configuration_of(options)
    here = configuration.places

    def check(text: str, path: str) -> object:
        return layer_of(path, "team", text.encode())

    follower = Follower(lambda: team_of(configuration), here.state, check, tell)
    return Relay(team_of(configuration), user_name(), here.runtime, tell, Tail(here.state), follower)


def open_team_desk(
    options: Options, key: str, credentials: str, *, say: Callable[[str], None], ending: Callable[[], bool]
) -> TeamDesk:
    """Return where the person at this terminal answers the questions of their team.

    Args:
        options: what the caller chooses.
        key: the file of their private key; empty for `~/.ssh/id_ed25519`.
        credentials: the file by which the server knows them; empty for `team.seed` beside the configuration.
        say: tells the person a line.
        ending: whether asimi was told to end.

    Raises:
        AsimiError: as `team_of`, or the key is none of an approver's or any program could use it.
    """
    configuration = configuration_of(options)
    team, here = team_of(configuration), configuration.places
    key = os.path.abspath(key or os.path.join(here.home, ".ssh", "id_ed25519"))
    public = public_key(key)
    mine = next((each.name for each in team.approvers if each.key == public and public not in team.revoked), None)
    if mine is None:
        raise AsimiError(f"{key}: is no key of an approver of this team; {here.managed} lists theirs in team.approvers")
    check_needs_person(key)
    me = Me(mine, key, credentials or os.path.join(here.config, "team.seed"), f"{user_name()}@{team.machine}")
    approver = desk_terminal(lambda: Line(desk.others(), away=True))
    desk = TeamDesk(team, me, approver, say=say, ending=ending, ring=bell_of(configuration))
    return desk
