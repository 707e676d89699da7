"""The calls that hosts have proposed and not redeemed yet, as files that only their owner may read.

A proposal says what was asked, never what was answered. It is taken away under a lock before anything starts, so it is
redeemed once, whoever tries at the same time. That it was stays noted until it would have ended, so a copy of its file
that is put back counts for nothing.
"""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.hosting import OF_KEY, SHARED, Proposal
from asimi.core.pattern import pattern
from asimi.world.host.documents import Document
from asimi.world.host.nested import inside_call
from asimi.world.host.places import Lock, forget_killed, private_directory, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 2
"""The format of the files; 1 had paths alone as what is lost."""

AGE = 86400.0
"""Seconds within which a proposal can be redeemed."""

MOST = 10_000
"""Proposals that are kept; the next one cannot be made."""

_TAKEN = ".taken"
_AHEAD = 60.0  # seconds that one may come from the future before it is not believed
_ID = pattern(r"[0-9a-f]{32}(?:[0-9a-f]{16})?")


class Proposals:
    """The proposals in a directory.

    Args:
        directory: where they are; made if it is missing.
        environ: asimi's own environment, which tells whether a call started it.
    """

    def __init__(self, directory: str, environ: Mapping[str, str]) -> None:
        self._directory, self._environ = directory, environ

    def keep(self, proposal: Proposal) -> Proposal:
        """Keep one for a day, under its own id, or one that nobody can guess; none of a command that asimi runs.

        Raises:
            AsimiError: it cannot be written, too many are kept already, or another one of its key was, until now.
        """
        if inside_call(self._environ):  # which could not redeem it, but take the place of others
            return proposal._replace(id="")
        with self._lock():
            self._sweep()
            of_key = [name for name in self._names() if proposal.id and name[:OF_KEY] == proposal.id[:OF_KEY]]
            if rivals := [name for name in of_key if name != f"{proposal.id}.json"]:
                for name in rivals:
                    os.unlink(os.path.join(self._directory, name))
                raise AsimiError(SHARED)
            if len(self._names()) >= MOST:
                raise AsimiError(f"{self._directory}: {MOST} proposals wait already; redeem some, or wait a day")
            kept = proposal._replace(id=proposal.id or secrets.token_hex(16), until=time.time() + AGE)
            with suppress(FileNotFoundError):
                os.unlink(self._taken_file(kept.id))  # under a key the same id is proposed again
            self._document(kept.id).write(kept)
        return kept

    def look(self, name: str) -> Proposal | None:
        """One that can be redeemed, left where it is; None where there is none.

        Raises:
            AsimiError: its file cannot be used.
        """
        if not os.path.isdir(self._directory) or os.path.lexists(self._taken_file(name)):
            return None
        proposal = self._document(name).read()
        return None if proposal is None or _has_ended(proposal, name) else proposal

    def take(self, name: str) -> Proposal:
        """Take one away, and with it the right to run it.

        Raises:
            AsimiError: there is none of that id, it has ended, or a command that asimi runs asks for it.
        """
        if inside_call(self._environ):
            raise AsimiError("A command that asimi runs cannot redeem a proposal")
        if not _ID.fullmatch(name):
            raise AsimiError(f"{name[:80]!r} is not the id of a proposal")
        with self._lock():
            document = self._document(name)
            proposal = document.read()
            if proposal is None or os.path.lexists(self._taken_file(name)):
                raise AsimiError(f"There is no proposal {name}: it was redeemed already, or it is older than a day")
            replace(self._taken_file(name), b"", lasting=False)
            os.unlink(document.path)
        if _has_ended(proposal, name):
            raise AsimiError(f"Proposal {name} has ended; propose the call again")
        return proposal

    def _lock(self) -> Lock:
        private_directory(self._directory)
        return Lock(os.path.join(self._directory, "lock"))

    def _document(self, name: str) -> Document[Proposal]:
        return Document(os.path.join(self._directory, f"{name}.json"), Proposal, VERSION)

    def _taken_file(self, name: str) -> str:
        """Return the file that says that one was taken."""
        return os.path.join(self._directory, f"{name}{_TAKEN}")

    def _names(self) -> list[str]:
        return [name for name in os.listdir(self._directory) if name.endswith(".json")]

    def _sweep(self) -> None:
        """Remove those that have ended, and what is noted of them."""
        oldest = time.time() - AGE - _AHEAD
        for name in os.listdir(self._directory):
            path = os.path.join(self._directory, name)
            with suppress(OSError):
                if name.endswith((".json", _TAKEN)) and os.lstat(path).st_mtime < oldest:
                    os.unlink(path)
        forget_killed(self._directory)


def _has_ended(proposal: Proposal, name: str) -> bool:
    """Whether it can no longer be redeemed, or what its file says cannot be true."""
    now = time.time()
    return proposal.id != name or not now < proposal.until <= now + AGE + _AHEAD
