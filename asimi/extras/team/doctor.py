"""What `asimi doctor` says of a machine's team."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from asimi.compose.configuration import configuration_of
from asimi.core.errors import AsimiError
from asimi.doors.cli.doctor import DoctorLine
from asimi.extras.team.line import state_of
from asimi.extras.team.parts import team_here

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options

SOON = 7 * 86400.0
"""Seconds before its end from which a team's policy is one to publish again."""


def examined(options: Options) -> Iterator[DoctorLine]:
    """Say how this machine stands with its team."""
    configuration = configuration_of(options)
    team = team_here(configuration)
    if not team.server:
        return
    yield DoctorLine("ok", "team", f"this machine is {team.machine} of {team.server}")
    yield from _relay(configuration.places.runtime)
    if (shared := configuration.team_policy()) is not None:
        soon = shared.until - time.time() < SOON
        more = "; an administrator publishes the next one" if soon else ""
        yield DoctorLine("note" if soon else "ok", "team's policy", f"{shared.words}{more} ({shared.path})")


def _relay(runtime: str) -> Iterator[DoctorLine]:
    """Say what the relay of this user says."""
    try:
        state = state_of(runtime)
    except AsimiError as error:
        yield DoctorLine("note", "relay", f"{error}; start it as a service: asimi relay")
        return
    if not state.connected:
        yield DoctorLine("note", "relay", "it runs, and cannot reach the team's server; what it prints says why")
        return
    yield DoctorLine("ok", "relay", "it runs, and the team's server is reached")
    if state.approvers:
        yield DoctorLine("ok", "approvers", "somebody is connected")
    else:
        yield DoctorLine("note", "approvers", "nobody is connected to answer questions; one starts asimi watch --team")
    if "not taken" in state.policy:
        yield DoctorLine("note", "relay", state.policy)
