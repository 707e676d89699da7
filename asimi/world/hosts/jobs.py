"""What commands left running on a host."""

from __future__ import annotations

from base64 import b64decode
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from asimi.core.errors import AsimiError, HostError
from asimi.core.lean import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.world.hosts import Far


_ID = pattern(r"[0-9a-f]{1,32}-[0-9a-f]{1,32}")
_LATEST = 1e11  # seconds since the epoch that every clock can show


class FarJobs:
    """The jobs of a host, as `asimi.world.executors.jobs.Jobs` has those of this machine.

    Args:
        far: the host.
    """

    def __init__(self, far: Far) -> None:
        self._far = far

    def list(self) -> Sequence[Any]:
        """All jobs, the oldest first.

        Raises:
            AsimiError: they cannot be told.
        """
        found = tuple(self._far.ask("jobs"))
        for job in found:
            if _ID.fullmatch(job.id) is None or not 0 <= job.began < _LATEST:
                raise HostError(
                    f"host {self._far.name}: tells of a job that asimi has not written down: {job.id!r:.80}"
                )
        return found

    def job(self, name: str) -> Any:
        """The job of an id.

        Raises:
            AsimiError: there is none.
        """
        found = next((job for job in self.list() if job.id == name), None)
        if found is None:
            raise AsimiError(f"There is no job {name} on {self._far.name}; asimi jobs list --host {self._far.name}")
        return found

    def kill(self, name: str) -> Sequence[int]:
        """End the processes of a job; those that could not be ended.

        Raises:
            AsimiError: there is no such job.
        """
        return tuple(self._far.ask("job_kill", name))

    def kept(self, path: str) -> Iterator[bytes]:
        """What a log that asimi keeps there holds, piece by piece.

        Raises:
            AsimiError: it cannot be read.
        """
        at = 0
        while data := b64decode(self._far.ask("kept", path, at)):
            at += len(data)
            yield data

    def tail(self, path: str | None, size: int) -> tuple[bytes, int]:
        """The end of a log, and how long it is."""
        end, total = b"", 0
        with suppress(AsimiError):  # it was removed
            for piece in self.kept(path) if path else ():
                end, total = (end + piece)[-size:], total + len(piece)
        return end, total
