"""Tool calls under coverage guidance: the same bytes are the same calls, wherever the stream is cut."""

from __future__ import annotations

import sys


def check(data: bytes) -> None:
    """Fail if a stream of calls is read otherwise than asimi promises.

    Args:
        data: where to cut, in its first two bytes, and the stream.
    """
    from asimi.core import wire
    from asimi.doors.serving.dialects import dialect_of
    from asimi.doors.serving.service import Values

    cut, stream = int.from_bytes(data[:2], "little"), data[2:]
    whole, parts = Values(), Values()
    values = [*whole.feed(stream), *whole.end()]
    again = [*parts.feed(stream[:cut]), *parts.feed(stream[cut:]), *parts.end()]
    assert list(map(repr, values)) == list(map(repr, again)), "what is read does not depend on how it came"
    for value in values:
        if isinstance(value, wire.MalformedJsonError):
            assert str(value)
            continue
        line = wire.dumps(value)
        assert line.isascii()
        assert "\n" not in line
        if (dialect := dialect_of(value)) is not None:
            try:
                dialect.unpack(value)
            except wire.MalformedJsonError as error:
                assert str(error)


if __name__ == "__main__":
    import atheris

    with atheris.instrument_imports(include=["asimi"]):
        import asimi.core.wire
        import asimi.doors.serving.dialects
        import asimi.doors.serving.service  # noqa: F401 - loaded to be instrumented
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
