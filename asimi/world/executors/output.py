"""What comes out of one stream: kept, bounded, decoded.

A little stays in memory; a longer stream goes to a file as it comes and is read back at the end, so memory does
not grow with the output. Up to `output_bytes` the text is complete. Beyond, it is head and tail with a line between
them that says what is missing, and the file stays (up to `spill_bytes`).

If the file cannot be written, what was promised is kept in memory instead; what is lost beyond that is named in the
line.

Background processes may still hold the pipes when their call has returned. A writer must never be killed by a closed
pipe, nor wait for a full one, even after asimi has ended. So each open pipe is handed to a small process of its own,
which appends to a log up to a limit and then reads on into nothing. It ends when the last writer does.
"""

from __future__ import annotations

import codecs
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.call import Stream
from asimi.core.errors import AsimiError
from asimi.world.executors.spawning import start_drainer

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from asimi.core.call import Limits

MEMORY = 4 << 20
"""Bytes of a stream that are kept in memory before a file is begun."""
EDGE = 1 << 20
"""Bytes of head and of tail that a truncated text has at most."""


class Capture:
    """Collects one stream.

    Args:
        limits: how much is kept, and where.
        create: makes the file and gives its path and descriptor; called once, if at all.
    """

    def __init__(self, limits: Limits, create: Callable[[], tuple[str, int]]) -> None:
        self.size = 0
        self._limits, self._create = limits, create
        self._memory = min(MEMORY, limits.output_bytes)
        self._edge = min(EDGE, limits.output_bytes // 2)
        self._front = bytearray()  # the first bytes: all, until there is a file; then the head
        self._path, self._file = "", -1
        self._written = 0  # bytes in the file
        self._rest = bytearray()  # what came after the file (or the front) took no more
        self._lost = ""  # why the file takes no more, if not for its limit

    def add(self, data: bytes) -> None:
        """Keep some more."""
        self.size += len(data)
        if self._file < 0 and not self._lost:
            self._front += data
            if len(self._front) <= self._memory:
                return
            data = self._spill()
        room = self._limits.spill_bytes - self._written
        taken = self._write(data[:room] if len(data) > room else data) if room > 0 and not self._lost else 0
        if taken < len(data):
            self._keep(data[taken:])

    def stream(self) -> Stream:
        """The result; the file goes if it is not needed."""
        if self._file < 0 and not self._lost and self.size <= self._limits.output_bytes:
            return _decode(self._front, self.size)
        try:
            if self.size <= self._limits.output_bytes:
                whole = self._read(0, self._written) + self._rest
                if len(whole) == self.size:
                    self.discard()
                    return _decode(whole, self.size)
                self._lost = "somebody else has cut that file"
            return self._truncate()
        finally:
            self._close()

    def so_far(self, most: int) -> bytes:
        """The last bytes that came, at most so many, for the log of what goes on in the background."""
        if self._file < 0 and not self._lost:
            return bytes(self._front[-most:])
        last = bytes(self._rest[-most:])
        if len(last) < most:
            last = self._read(max(0, self._written - most + len(last)), self._written) + last
        return last

    def discard(self) -> None:
        """Remove the file."""
        if self._path:
            with suppress(OSError):
                os.unlink(self._path)
        self._close()

    def _spill(self) -> bytes:
        """Begin the file; what is to be written to it first."""
        first = bytes(self._front)
        del self._front[self._edge :]
        try:
            self._path, self._file = self._create()
        except (OSError, AsimiError) as error:
            self._lost = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return first

    def _write(self, data: bytes) -> int:
        """Write to the file; how many bytes it took."""
        taken = 0
        view = memoryview(data)
        while taken < len(data):
            try:
                taken += os.write(self._file, view[taken:])
            except OSError as error:  # a full disk, a quota
                self._lost = error.strerror or str(error)
                break
        self._written += taken
        return taken

    def _keep(self, data: bytes) -> None:
        """Keep in memory what the file did not take: all that was promised, beyond that the tail."""
        self._rest += data
        whole = self.size <= self._limits.output_bytes
        if not whole and len(self._rest) > 2 * self._edge + EDGE:
            del self._rest[: len(self._rest) - self._edge]

    def _truncate(self) -> Stream:
        """Head, a line that says what is missing, tail."""
        head = bytes(self._front[: self._edge])
        tail = bytes(self._rest[len(self._rest) - self._edge :]) if len(self._rest) > self._edge else bytes(self._rest)
        if len(tail) < self._edge and self._written:
            tail = self._read(max(0, self._written - self._edge + len(tail)), self._written) + tail
        head, tail = head[: _last_border(head)], tail[_first_border(tail) :]
        missing = self.size - len(head) - len(tail)
        if self._lost and not self._written:
            where = f"they are lost, because no file could be written: {self._lost}"
        elif self._lost:
            where = f"the first {self._written:,} bytes of all are in {self._path}, then: {self._lost}"
        elif self.size > self._written:
            where = f"the first {self._written:,} bytes of all are in {self._path}, the limit of such a file"
        else:
            where = f"all {self.size:,} are in {self._path}"
        line = f"\n[asimi: {missing:,} bytes are left out here; {where}]\n"
        first, last = _decode(head), _decode(tail)
        return Stream(first.text + line + last.text, self.size, first.lossy or last.lossy, self._path)

    def _read(self, start: int, end: int) -> bytes:
        """A part of the file; less if somebody else has cut it."""
        parts = []
        while self._file >= 0 and start < end and (part := _part(self._file, min(end - start, 1 << 30), start)):
            parts.append(part)
            start += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _part(descriptor: int, size: int, start: int) -> bytes:
    """A part of a file that is still appended to."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, start)
    os.lseek(descriptor, start, os.SEEK_SET)  # Windows
    try:
        return os.read(descriptor, size)
    finally:
        os.lseek(descriptor, 0, os.SEEK_END)


def _decode(data: bytearray | bytes, size: int = 0) -> Stream:
    """Bytes as text; what is no UTF-8 becomes U+FFFD."""
    try:
        return Stream(codecs.utf_8_decode(data, "strict", True)[0], size)
    except UnicodeDecodeError:
        return Stream(codecs.utf_8_decode(data, "replace", True)[0], size, lossy=True)


def _last_border(data: bytes) -> int:
    """Where the last whole character of a head ends (RFC 3629: at most 4 bytes, the first one tells how many)."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte < 0x80:
            return len(data)
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) - back if needed > back else len(data)
    return len(data)


def _first_border(data: bytes) -> int:
    """Where the first whole character of a tail begins."""
    for number in range(min(3, len(data))):
        if data[number] & 0xC0 != 0x80:
            return number
    return min(3, len(data))


SCRIPT = "(ulimit -c 0; ulimit -f {blocks} || :; exec cat) || printf '\n[asimi: {why}]\n'; exec cat >/dev/null"
"""The drainer: the first `cat` fills the log (`ulimit -f` counts blocks of 512 bytes), the other drops the rest."""
WHY = "no more is kept of this output: that is the limit of a log ({limit} bytes), or there is no room for more"
READ = 1 << 16


def hand_over(pipe: int, log: int, limit: int, loop: asyncio.AbstractEventLoop) -> None:
    """Let a drainer append what comes out of a pipe to a log of at most so many bytes; the caller closes the log.

    If there is no room for another process, the event loop reads on in its place, as long as there is one.

    Args:
        pipe: what is read; it is ours from here on.
        log: what is written to, or -1 for nowhere.
        limit: bytes.
        loop: reads on if need be.
    """
    os.set_blocking(pipe, True)  # `cat` would take "nothing there yet" for an error
    script = SCRIPT.format(blocks=max(1, limit // 512), why=WHY.format(limit=limit))
    try:
        start_drainer(("/bin/sh", "-c", script), pipe, log)
    except OSError:
        loop.add_reader(pipe, _read_on, loop, pipe, _copy(log), limit)
    else:
        os.close(pipe)


def _copy(log: int) -> int:
    """A second descriptor of the log, for `_read_on`; -1 where there is no log, or no descriptor is left."""
    try:
        return os.dup(log)
    except OSError:
        return -1


def _read_on(loop: asyncio.AbstractEventLoop, pipe: int, log: int, limit: int) -> None:
    data = os.read(pipe, READ)
    if data:
        with suppress(OSError):
            os.write(log, data[: max(0, limit - os.fstat(log).st_size)])
        return
    loop.remove_reader(pipe)
    os.close(pipe)
    if log >= 0:
        os.close(log)
