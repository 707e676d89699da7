"""How a machine's copy of the shared policy follows the server's: forward only, and only to one that counts.

The server and whoever else sends something are not believed: a copy is kept for its signature, its revision and
because it can be used. The gates check what they read here themselves (`asimi.extras.team.shared.kept`).
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.extras.team.shared import LONGEST, counted
from asimi.extras.team.streams import revisions, words_of
from asimi.extras.team.subjects import POLICY
from asimi.world.host.places import SHARED, private_directory, read_private, replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from nats.aio.client import Client

    from asimi.core.settings import Team
    from asimi.extras.team.shared import Shared

EVERY = 30.0
"""Seconds between two looks at the server, which also says at once that there is something new."""


NONE = "the server has none yet; the administrator publishes one with `asimi team publish`"


class Follower:
    """Keeps the copy of one user.

    Args:
        team: gives the team as it is now.
        state: the user's state, where the copy is.
        check: raises ConfigError where a text, said to be of a file, is no configuration that can be shared.
        tell: gets a line when something has changed.

    Attributes:
        told: that line; empty before the first one.
    """

    def __init__(
        self,
        team: Callable[[], Team],
        state: str,
        check: Callable[[str, str], object],
        tell: Callable[[str], None],
    ) -> None:
        self._team, self._check, self._tell = team, check, tell
        self._path = os.path.join(private_directory(state), SHARED)
        self.told = ""

    async def run(self, client: Client) -> None:
        """Follow the server until cancelled."""
        from nats.errors import Error

        news = asyncio.Event()

        async def heard(_: object) -> None:
            news.set()

        await client.subscribe(POLICY, cb=heard)
        while True:
            news.clear()
            try:
                if self._team().administrators:
                    self._say(await self._followed(client))
            except (Error, TimeoutError, AsimiError, OSError, ValueError) as error:
                self._say(f"the team's policy is not taken: {words_of(error)}")
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), EVERY)

    async def _followed(self, client: Client) -> str:
        """Keep the newest that counts of what the server has; what holds then, in words.

        Raises:
            AsimiError: none counts; it is about the newest.
        """
        first: AsimiError | None = None
        async for content in revisions(client):
            try:
                held = await asyncio.to_thread(self.take, content)
            except AsimiError as error:
                first = first or error
            else:
                return held if first is None else f"{held}; what is newer on the server is not taken: {first}"
        raise first or AsimiError(NONE)

    def take(self, content: bytes) -> str:
        """Keep what the server has, unless it is kept already; what holds then, in words.

        Raises:
            AsimiError: it does not count, is older than what is kept, or cannot be kept.
        """
        if len(content) > LONGEST:
            raise AsimiError(f"it is longer than {LONGEST} bytes")
        team = self._team()
        new, old = counted(content, team, time.time()), self._kept(team)
        if old is None or new.revision.number > old.revision.number:
            self._check(new.text, self._path)
            replace(self._path, content)
        elif new.signed != old.signed:
            behind = f"the server's is revision {new.revision.number}, and {old.revision.number} is kept here"
            raise AsimiError(f"{behind}; a policy never goes back")
        return f"the team's policy here is {new.revision}"

    def _kept(self, team: Team) -> Shared | None:
        """What is kept here, if it was signed for this team, even if it has ended."""
        try:
            content = read_private(self._path, LONGEST)
            return None if content is None else counted(content, team, None)
        except AsimiError:
            return None

    def _say(self, text: str) -> None:
        """Tell what has changed."""
        if text != self.told:
            self.told = text
            self._tell(text)
