"""How the agent of a box has its hook: as an administrator would set it up, or as the agent's profile says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import ADMINISTRATORS, in_a_box, managed, settings_file, to_uninstall
from asimi.world.box.profiles import Hook

if TYPE_CHECKING:
    from collections.abc import Mapping

    from asimi.world.box.profiles import Profile


def hook_of(profile: Profile, command: str, environ: Mapping[str, str], state: str) -> Hook:
    """How the hook of an agent is set up in a box; an empty one where asimi knows no way.

    What is in the agent's file outside stays in force, but for asimi's own hook, which the box's replaces.

    Args:
        profile: of the agent.
        command: the command line of the box's hook.
        environ: the environment of the agent.
        state: where asimi writes down what it has changed in agents' settings.

    Raises:
        AsimiError: the file cannot be read, or holds what the hook cannot be added to.
    """
    if profile.hook.variable or profile.name not in AGENTS:
        return profile.hook
    agent = agent_of(profile.name)
    if agent.managed is None:
        return Hook()
    if not (profile.rooted and os.geteuid()):
        agent, environ = managed(agent), ADMINISTRATORS
    there = to_uninstall(agent, environ, state).after
    return Hook(file=settings_file(agent, environ), text=in_a_box(agent, command, there))


def tools_of(profile: Profile, hook: Hook) -> list[str]:
    """The agent's tools that its hook in a box is asked about, by the agent's names for them."""
    if not hook.text:
        return []
    agent = agent_of(profile.name)
    commands = filter(None, agent.tools) if agent.tool else (event.name for event in agent.events)
    return list(dict.fromkeys((*commands, *agent.files)))
