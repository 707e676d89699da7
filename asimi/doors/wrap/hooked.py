"""How the agent of a box has its hook: as an administrator would set it up, or as the agent's profile says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.core.wire import dumps
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.doctor import find_off_switches
from asimi.doors.hooks.settings import ADMINISTRATORS, in_a_box, managed_agent, settings_file, to_uninstall
from asimi.world.box.groups import values
from asimi.world.box.hook_evidence import unheard_kinds
from asimi.world.box.profiles import Hook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from asimi.world.box.groups import Person
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
        agent, environ = managed_agent(agent), ADMINISTRATORS
    there = to_uninstall(agent, environ, state).after
    return Hook(file=settings_file(agent, environ), text=in_a_box(agent, command, there))


def tools_of(profile: Profile, hook: Hook) -> list[str]:
    """The agent's tools that its hook in a box is asked about, by the agent's names for them."""
    if not hook.text:
        return []
    agent = agent_of(profile.name)
    commands = filter(None, agent.tools) if agent.tool else (event.name for event in agent.events)
    return list(dict.fromkeys((*commands, *agent.files)))


class Prompts(NamedTuple):
    """How an agent starts.

    Attributes:
        words: its arguments.
        kept: why it keeps its prompts, in words; empty where it does not, or where that is its person's choice.
        given: variables that it gets besides.
    """

    words: tuple[str, ...]
    kept: str = ""
    given: Mapping[str, str] = {}


def prompts_of(
    profile: Profile, given: Sequence[str], person: Person, state: str, version: str, *, keep: bool, superuser: bool
) -> Prompts:
    """How an agent starts: without its own prompts, if asimi asks in their place.

    Args:
        profile: of the agent.
        given: the arguments that its person gives it.
        person: whose settings may forbid it.
        state: the directory of asimi's state.
        version: of the agent and its hook, as `asimi.world.box.profiles` knows it; empty where it has no hook.
        keep: whether its person wants its prompts.
        superuser: whether that is root.

    Raises:
        AsimiError: what was heard of its hook cannot be read.
    """
    chosen = any(word.partition("=")[0] in profile.asking for word in given)  # its person says what it asks about
    if keep or not version or not profile.unasked or chosen:
        return Prompts((*given,))
    command = given[0] if given and given[0][:1] != "-" and profile.behind else ""
    if command and command not in profile.behind:
        return Prompts((*given,))
    if superuser:
        return Prompts((*given,), "you are root")
    if why := _forbidden(profile, person) or _off_switch(profile, person):
        return Prompts((*given,), why)
    if missing := unheard_kinds(state, profile.name, version):
        return Prompts((*given,), f"the hook of this version has not yet asked asimi about {' and '.join(missing)}")
    at = 1 if command else 0
    words = (word.replace("{root}", dumps(person.root)) for word in profile.unasked)
    return Prompts((*given[:at], *words, *given[at:]), given=profile.granted)


def _off_switch(profile: Profile, person: Person) -> str:
    """What of the person's or the project's files could switch its hook off, in words; empty where nothing does."""
    agent = agent_of(profile.name)
    found = find_off_switches(agent, settings_file(agent, person.environ), os.getcwd())
    return next((each.text for each in found if each.good is False), "")


def _forbidden(profile: Profile, person: Person) -> str:
    """Which settings forbid it, in words; empty where none do."""
    for where, wanted in profile.forbids.items():
        path, _, keys = where.partition(" ")
        for value in values(person, path, keys.split(".")):
            if wanted not in value if isinstance(value, list) else value == wanted:
                return f"{path} says so ({keys})"
    return ""
