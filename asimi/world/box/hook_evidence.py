"""For which kinds of calls an agent's hook has been heard in a box, by the versions of both."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.world.host.documents import Document

if TYPE_CHECKING:
    from collections.abc import Collection


NAME, VERSION = "heard.json", 1
"""The file below asimi's state, and its format."""


COMMAND, FILE = "a command", "a file tool"
"""The kinds, as they are said."""


KINDS = (COMMAND, FILE)


class _Agent(NamedTuple):
    """What was heard of one agent.

    Attributes:
        version: of the agent and of its hook, as `version_of` says it.
        kinds: what its hook was heard for.
    """

    version: str
    kinds: tuple[str, ...]


class _HooksHeard(NamedTuple):
    """What was heard, by the agent's name."""

    agents: dict[str, _Agent]


def version_of(program: str, hook: str) -> str:
    """What another version of an agent, or of its hook, has another one of.

    The kernel sets the time of the last change of status (inode(7), ctime), so an installer cannot keep it.

    Args:
        program: the path of the agent's program.
        hook: the settings by which the box has its hook.

    Raises:
        AsimiError: the program cannot be looked at.
    """
    real = os.path.realpath(program)
    try:
        there = os.stat(real)
    except OSError as error:
        raise AsimiError(f"{real}: cannot be looked at: {error.strerror}") from None
    known = (real, there.st_size, there.st_mtime_ns, there.st_ctime_ns, hook)
    return sha256(repr(known).encode("utf-8", "surrogateescape")).hexdigest()


def unheard_kinds(state: str, agent: str, version: str) -> list[str]:
    """The kinds of calls that the hook of an agent has not been heard for.

    Args:
        state: the directory of asimi's state.
        agent: its name.
        version: as `version_of` says it.

    Raises:
        AsimiError: the file cannot be read.
    """
    there = _document(state).read()
    found = None if there is None else there.agents.get(agent)
    return [kind for kind in KINDS if found is None or found.version != version or kind not in found.kinds]


def note(state: str, agent: str, version: str, kinds: Collection[str]) -> None:
    """Write down what a hook was heard for in a session, besides what it was heard for before.

    An agent whose hook was heard for all kinds of calls needs no prompts of its own. Nothing inside writes the file.

    Args:
        state: the directory of asimi's state.
        agent: its name.
        version: as `version_of` says it.
        kinds: what it was heard for; nothing where the hook of this version may not work any more.

    Raises:
        AsimiError: the file cannot be read or written.
    """
    document = _document(state)
    with document.lock() as there:
        agents = {} if there is None else there.agents
        before = agents.get(agent)
        kept = () if before is None or before.version != version or not kinds else before.kinds
        now = _Agent(version, tuple(kind for kind in KINDS if kind in kinds or kind in kept))
        if now != before:
            document.write(_HooksHeard(agents | {agent: now}))


def _document(state: str) -> Document[_HooksHeard]:
    return Document(os.path.join(state, NAME), _HooksHeard, VERSION)
