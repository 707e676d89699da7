"""What `asimi team init` wrote, as the other commands of `asimi team` use it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

from asimi.core.errors import AsimiError, ConfigError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nats.aio.client import Client

    from asimi.world.team.founding import Plan

T = TypeVar("T")


def plan_of(directory: str) -> Plan:
    """What a team is, by the files of a directory.

    Raises:
        AsimiError: it holds no team, or its plan cannot be used.
    """
    from asimi.world.team.founding import plan_in

    plan = plan_in(directory, read)
    if plan is None:
        raise AsimiError(f"{directory}: holds no team.toml; `asimi team init` writes one")
    return plan


def on_server(directory: str, role: str, work: Callable[[Client], Awaitable[T]]) -> T:
    """What comes of some work with a connection in a role, by the files of a directory.

    Raises:
        AsimiError: as `plan_of`, or the server cannot be reached.
    """
    import asyncio

    from asimi.core.settings import Team
    from asimi.world.host.streams import say
    from asimi.world.team.founding import AUTHORITY
    from asimi.world.team.server import reached

    plan, here = plan_of(directory), os.path.join(directory, "server.pem")
    authority = next((path for path in (here, AUTHORITY) if os.path.exists(path)), "")
    server, seed = Team(plan.server, authority=authority), os.path.join(directory, f"{role}s", f"{role}.seed")

    async def done() -> T:
        async with reached(server, role, role, seed, say) as client:
            return await work(client)

    return asyncio.run(done())


def read(kind: str, value: Any) -> Any:
    """What a value of a key of `[team]` means, by the key's name or kind.

    Raises:
        ConfigError: it cannot be one.
    """
    from asimi.world.config.keys import BY_NAME, KINDS, Unusable

    key = next(key for key in BY_NAME.values() if kind in (key.kind, key.name.removeprefix("team.")))
    try:
        return KINDS[key.kind](value, key)
    except Unusable as error:
        raise ConfigError(f"{kind} {error}") from None
