"""The policy that a team shares: what an administrator signs, and when a copy of it counts.

A copy is the same bytes on the server and on every machine: a configuration file, one line that says which revision it
is, and the signature over both. The last two are comments of TOML, so a person can read a copy, and the lines that
messages name are those of the file that was published.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError, ConfigError
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.extras.team.signing import POLICY, verified
from asimi.world.host.places import SHARED, read_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.settings import Team

LONGEST = (1 << 20) + (1 << 15)
"""Bytes of the longest copy: a configuration file, its line and its signature."""

_MARK = "# asimi policy: "
_LINE = pattern(r"revision ([1-9][0-9]{0,14}) of (\S+) by (\S+) from (\S+) until (\S+)")
_ARMOUR = pattern(r"-----BEGIN SSH SIGNATURE-----\n(?:[A-Za-z0-9+/=]+\n)+-----END SSH SIGNATURE-----\n")


class Revision(NamedTuple):
    """What is signed beside the text.

    Attributes:
        number: which one it is, counted from 1.
        server: the URL of the team's server, which says whose it is.
        by: the administrator.
        since: when it was signed, in whole seconds since the epoch.
        until: when it ends, in the same.
    """

    number: int
    server: str
    by: str
    since: int
    until: int

    def __str__(self) -> str:
        return f"revision {self.number} by {self.by}, until {_moment(self.until)}"


class Shared(NamedTuple):
    """A copy in its parts; whether it counts is not said by that.

    Attributes:
        text: the configuration.
        revision: which one it is.
        signature: by `ssh-keygen -Y sign`, with its armour.
    """

    text: str
    revision: Revision
    signature: str = ""

    @property
    def signed(self) -> bytes:
        """The bytes that are signed."""
        number, server, by, since, until = self.revision
        line = f"revision {number} of {server} by {by} from {_moment(since)} until {_moment(until)}"
        return f"{self.text}{_MARK}{line}\n".encode()

    @property
    def content(self) -> bytes:
        """The copy, with its signature."""
        return self.signed + "".join(f"# {line}\n" for line in self.signature.splitlines()).encode()


def shared_in(content: bytes) -> Shared | None:
    """What a copy is made of; None where the bytes are none."""
    try:
        text, _, rest = content.decode().rpartition(_MARK)
        line, _, signature = rest.partition("\n")
        found = _LINE.fullmatch(line)
        if found is None:
            return None
        number, server, by, *moments = found.groups()
        since, until = (int(datetime.fromisoformat(each).timestamp()) for each in moments)
    except (ValueError, OverflowError, OSError):
        return None
    signature = "".join(f"{each.removeprefix('# ')}\n" for each in signature.splitlines())
    shared = Shared(text, Revision(int(number), server, by, since, until), signature)
    whole = _ARMOUR.fullmatch(signature) and (not text or text.endswith("\n"))
    return shared if whole and shared.content == content else None  # there is one way to write it


def signed_by(text: str, revision: Revision, sign: Callable[[bytes], str]) -> Shared:
    """A revision of a text.

    Args:
        text: the configuration.
        revision: which one it becomes.
        sign: signs bytes.
    """
    shared = Shared(text if text.endswith("\n") else f"{text}\n", revision)
    return shared._replace(signature=sign(shared.signed))


def counted(content: bytes, team: Team, now: float | None) -> Shared:
    """A copy that counts.

    Args:
        content: the copy.
        team: whose it must be, and who may sign.
        now: the time, in seconds since the epoch; None where it does not matter whether it has ended.

    Raises:
        AsimiError: it does not count, and why; or there is nothing to check it with.
    """
    shared = shared_in(content)
    if shared is None:
        raise AsimiError("it is not written and signed as `asimi team publish` does")
    revision = shared.revision
    if revision.server != team.server:
        raise AsimiError(f"it is the policy of the team of {revision.server!r:.200}, not of {team.server}")
    signer = next((each for each in team.administrators if each.name == revision.by), None)
    if signer is None:
        raise AsimiError(f"{revision.by!r:.80} is not one of the team's administrators")
    if why := verified(shared.signed, shared.signature, POLICY, signer, team.revoked):
        raise AsimiError(why)
    if now is not None and now >= revision.until:
        raise AsimiError(f"it ended on {_moment(revision.until)}; an administrator publishes it again")
    return shared


def kept(state: str, team: Team, now: float) -> Shared:
    """This machine's copy, if it counts.

    Args:
        state: the user's state.
        team: the team.
        now: the time, in seconds since the epoch.

    Raises:
        ConfigError: there is none that counts.
    """
    path = os.path.join(state, SHARED)
    content = read_private(path, LONGEST)
    if content is None:
        why = "the team's policy is not here, and nothing runs without it; start `asimi relay`, which fetches it"
        raise ConfigError(why, path)
    try:
        return counted(content, team, now)
    except AsimiError as fault:
        why = f"does not count as the team's policy, and nothing runs without it: {fault}"
        raise ConfigError(f"{why}. `asimi relay` fetches one that counts", path) from None


def _moment(seconds: int) -> str:
    """A time in UTC, by ISO 8601."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
