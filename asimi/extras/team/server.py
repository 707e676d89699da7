"""The connection to a team's server, which is kept: it comes back by itself, however often it is lost."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.extras.team.subjects import inbox

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from ssl import SSLContext

    from nats.aio.client import Client

    from asimi.core.settings import Team

_MISSING = "A team needs the extra `team`; install it with: pip install 'asimi[team]'"
REACHED = 30.0
"""Seconds within which the server must be reached, where a person waits for it."""

_SLOW, _FAST = 10, 1  # seconds between two pings, and between two attempts to connect


async def connected(team: Team, role: str, name: str, credentials: str, tell: Callable[[str], None]) -> Client:
    """A connection, once there is one; it may take for ever, and can be cancelled.

    Args:
        team: which server.
        role: as what (`asimi.extras.team.subjects`).
        name: as whom.
        credentials: the file with the seed that proves it.
        tell: gets a line when the connection is lost, is back or refused.

    Raises:
        AsimiError: the file cannot be used, or the extra is missing.
    """
    try:
        from nats.aio.client import Client
        from nats.errors import Error

        from asimi.extras.team.encrypted import EncryptedClient
    except ImportError:
        raise AsimiError(_MISSING) from None
    secure = team.server.startswith("tls://")
    client, known, last = EncryptedClient() if secure else Client(), seed(credentials), [""]

    def say(text: str) -> None:
        if last[0] != text:
            last[0] = text
            tell(text)

    async def failed(error: Exception) -> None:
        if not client.is_connected or "permissions" in str(error).lower():
            say(f"{team.server}: {_words(error)}")

    async def lost() -> None:
        if client.is_reconnecting:  # not closed by us
            say(f"{team.server}: the connection is lost; asimi tries again")

    async def back() -> None:
        say(f"{team.server}: connected again")

    try:
        await client.connect(
            [team.server],
            name=f"asimi {name}",
            nkeys_seed_str=known,
            tls=_tls(team) if secure else None,
            inbox_prefix=inbox(role, name),
            max_reconnect_attempts=-1,
            reconnect_time_wait=_FAST,
            connect_timeout=5,
            ping_interval=_SLOW,
            error_cb=failed,
            disconnected_cb=lost,
            reconnected_cb=back,
        )
    except BaseException as error:
        with suppress(AssertionError):  # by which nats-py says that it has opened nothing yet
            await client.close()
        if isinstance(error, Error):
            raise AsimiError(f"{team.server}: {error}") from None
        raise
    if isinstance(client, EncryptedClient) and not client.held:
        await client.close()
        raise AsimiError("this version of nats-py cannot be held to TLS; install another one")
    return client


@asynccontextmanager
async def reached(
    team: Team, role: str, name: str, credentials: str, tell: Callable[[str], None]
) -> AsyncIterator[Client]:
    """A connection for one piece of work; the arguments are those of `connected`.

    Raises:
        AsimiError: there is none in time, or the server fails in the work.
    """
    import asyncio

    try:
        async with asyncio.timeout(REACHED):
            client = await connected(team, role, name, credentials, tell)
    except TimeoutError:
        raise AsimiError(f"{team.server}: cannot be reached within {REACHED:g} s") from None
    from nats.errors import Error

    try:
        yield client
    except (Error, TimeoutError) as error:
        raise AsimiError(f"{team.server}: {str(error) or type(error).__name__}") from None
    finally:
        await client.close()


def seed(path: str) -> str:
    """The seed in a file of credentials.

    Raises:
        AsimiError: it cannot be read, is open to everybody, or is none.
    """
    try:
        with open(path, encoding="ascii") as file:
            if os.fstat(file.fileno()).st_mode & 0o007:
                raise AsimiError(f"{path}: is open to everybody, so anybody could speak as this one; chmod o= {path}")
            text = file.read(1024).strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "is no seed"
        raise AsimiError(f"{path}: {why}; `asimi team init` writes it on the administrator's machine") from None
    if not text.startswith("SU"):
        raise AsimiError(f"{path}: is no seed of a user, which begins with SU")
    return text


def _words(error: Exception) -> str:
    """What is wrong with the way to the server, and what to do where it is not trusted."""
    if untrusted := getattr(error, "verify_message", ""):
        return f"its certificate is not trusted: {untrusted.strip('.')}; `team.authority` names what vouches for it"
    return str(error).strip() or type(error).__name__


def _tls(team: Team) -> SSLContext:
    import ssl

    try:
        return ssl.create_default_context(cafile=team.authority or None)
    except OSError as error:
        raise AsimiError(f"{team.authority}: is no file of certificates: {error.strerror or error}") from None
