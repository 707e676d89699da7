"""Private files of one value each: read whole with every type checked, changed under a lock, replaced whole."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from asimi.core.errors import AsimiError
from asimi.world.host.places import Lock, private_directory, read_private, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")


class Document(Generic[T]):
    """A file of asimi's own, as JSON with the version of its format.

    Args:
        path: the file.
        kind: the named tuple that it holds.
        version: the newest format that is known.
        limit: bytes of the longest that is read.
    """

    def __init__(self, path: str, kind: type[T], version: int, *, limit: int = 16 << 20) -> None:
        self.path, self._kind, self._version, self._limit = path, kind, version, limit

    def read(self) -> T | None:
        """Return what it holds, or None where there is no file.

        Raises:
            AsimiError: it or its directory is not ours alone, or it was written by a newer asimi or by something else.
        """
        if not os.path.lexists(self.path):
            return None
        private_directory(os.path.dirname(self.path))
        content = read_private(self.path, self._limit)
        if content is None:
            return None
        from asimi.core.json_values import Invalid, loads, parse_as

        try:
            value: T = parse_as(self._kind, loads(content, self._version))
        except Invalid as fault:
            raise AsimiError(f"{self.path}: is not a file that asimi can use: {fault}; {fault.advice}") from None
        return value

    @contextmanager
    def lock(self) -> Iterator[T | None]:
        """What it holds, while nobody else changes it; entering raises as `read`, or where it cannot be locked."""
        private_directory(os.path.dirname(self.path))
        with Lock(f"{self.path}.lock"):
            yield self.read()

    def write(self, value: T) -> None:
        """Replace what it holds.

        Raises:
            AsimiError: it cannot be written; what was there is still there.
        """
        from asimi.core.json_values import dumps

        replace(self.path, dumps(value, self._version))
