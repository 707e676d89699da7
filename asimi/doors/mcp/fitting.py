"""How much an answer holds: a client may end the connection at a message that is too long for it.

The official SDK for TypeScript takes 10 MiB (`STDIO_DEFAULT_MAX_BUFFER_SIZE`). An answer has its value twice, as text
and structured, because some clients read only one of them, and a byte of output may be 13 of both, as NUL is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asimi.core import wire

if TYPE_CHECKING:
    from asimi.core.settings import Settings

JSON = dict[str, Any]

MESSAGE = 9 << 20
"""Bytes of the longest answer, its envelope aside."""

OUTPUT = 256 << 10
"""Bytes of each stream that an answer holds; of a longer one head and tail, and the name of the file with all of it."""

LOG_BYTES, MOST_LOG_BYTES = 1 << 16, 1 << 19
"""Bytes of a job's log that are read by default, and at most."""

COMMAND = 1000
"""Characters of a job's command that are shown."""


def bounded(settings: Settings) -> Settings:
    """Settings by which no stream of a result is longer than an answer holds."""
    limits = settings.limits
    return settings._replace(limits=limits._replace(output_bytes=min(limits.output_bytes, OUTPUT)))


def fitted(value: JSON) -> tuple[JSON, str]:
    """Return a value that an answer can hold, with its text: what is longest in it is shortened until both fit.

    `more` is how many items of lists are left out; a string says itself that it was cut.
    """
    while _size(text := wire.dumps(value)) > MESSAGE:
        name = max(value, key=lambda name: len(wire.dumps(value[name])))
        long = value[name]
        half = len(long) // 2
        if isinstance(long, list):
            value = value | {name: long[:half], "more": value.get("more", 0) + len(long) - half}
        else:
            value = value | {name: f"{long[:half]}… [asimi: cut here, because an answer holds no more]"}
    return value, text


def _size(text: str) -> int:
    """Bytes of an answer that has this text twice, once as a string; no less, and exactly where it comes near."""
    return 3 * len(text) if 3 * len(text) <= MESSAGE else len(text) + len(wire.dumps(text))
