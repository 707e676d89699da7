"""What the two ends of a link say to each other: the protocol, on this page.

::

    near (the gate)                                far (`asimi executor`)
                                      <──  whatever a login shell says, then GREETING
    hello: root, session, seconds     ──>
                                      <──  facts, or fault and the end
    ask: questions                    ──>
                                      <──  answers, in the order of the questions
    start: what was consented to      ──>
                                      <──  output (as it comes), refused (beneath it), text (of its result), ended
    credit, enough: of its output     ──>
    cancel: a call; interrupt: all    ──>
    goodbye, the end of the stream    ──>
    ping                             <──>  ping

The far end speaks first, so nothing is ever sent to a program that is not asimi. What comes before its greeting (a
message of the day, a shell's echo) is skipped, up to `NOISE` bytes, and shown if no greeting comes. Behind it there are
only frames: the length of the body in 4 bytes, the kind in one, then the body, and a newline, without which a way that
passes on whole lines (srun) would keep it. The body is one JSON object, or for output a call's number in 4 bytes, the
stream in one and the bytes as they are. Numbers are big-endian.

Both ends are strict. A kind that is not known or not theirs to send, a length beyond the kind's, a field that is
missing, one too many or of another type, a number that is not that of an open call or question: each ends the
connection. `PROTOCOL` is the number of this page and of the shape of all values on it; two ends with different ones
part at the greeting.

*Flow.* The far end may send `WINDOW` bytes of each stream of a call, and then as many as it was given `credit` for;
else it does not read on, so the command waits and nobody's memory grows. What is in the pipes when the command has
ended comes all the same. `enough` says that nobody wants the rest of a stream. Where nobody listens to a call, none of
its output is sent; what belongs into its result comes as `text` at its end, except where all of it came as `output`
already (`Ended.told`).

*Silence.* Each end says something at least every third of `Hello.silence` seconds, and takes the other for lost when
it heard nothing for all of them. A far end that has lost the near one ends all that it started, and so does its keeper
if it was killed itself. After a `goodbye` it ends what runs, and leaves in the background what ended calls have left
there.

*Once.* A call's number is higher than all before it, so a `start` is never taken twice; the near end never sends one
again. A call that was sent and has not ended when the connection is lost has an unknown end, and that is its result.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from asimi.core import wire
from asimi.core.call import Execution, RefusedExecution, Result, Shell
from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, parse_as, plain
from asimi.core.judging.rules import Rule
from asimi.core.settings import Environment
from asimi.core.values import NamedTuple
from asimi.world.host.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

PROTOCOL = 5
"""The number of this page; a change of any value that travels is a change of it."""
GREETING = b"\0asimi executor "
"""What the far end begins with; its protocol's number, a blank, its version and a newline follow."""
NOISE = 1 << 16
"""Bytes that may come before the greeting."""
LONGEST = 16 << 20
"""Bytes of a frame of JSON."""
PIECE = 1 << 18
"""Bytes of a frame of output."""
WINDOW = 1 << 20
"""Bytes of a stream that may be sent without credit."""
SILENCE = 6.0
"""Seconds after which an end that says nothing is lost: what it ran is to have ended within ten."""

StreamName = Literal["stdout", "stderr"]
STREAMS: tuple[StreamName, ...] = ("stdout", "stderr")

_HEAD = 5
_DATA_HEAD = 5
_TAIL = b"\n"


class Broken(AsimiError):
    """The other end does not keep to the protocol; `str()` says what it did."""


class Hello(NamedTuple):
    """How a near end begins.

    Attributes:
        root: the project root there, absolute or from the directory that the far end was started in; empty for that.
        session: the name of what shares temporary files in a sandbox; empty for none.
        silence: seconds after which either end is lost if it says nothing.
    """

    root: str
    session: str = ""
    silence: float = SILENCE


class Facts(NamedTuple):
    """What a far end says of itself before anything is judged.

    Attributes:
        version: of the asimi there.
        protocol: the number of the protocol there.
        capabilities: what it can be asked to hold: `sandbox`, `exec_rules`.
        user: who runs it.
        name: the machine's own name.
        home: the real path of the home directory.
        root: the real path of the project root.
        environ: the environment that commands inherit there.
        shell: what reads shell text there.
        places: where asimi's own files are there.
        managed: the administrator's denies there.
    """

    version: str
    protocol: int
    capabilities: tuple[str, ...]
    user: str
    name: str
    home: str
    root: str
    environ: dict[str, str]
    shell: Shell
    places: Places
    managed: tuple[Rule, ...]


class Fault(NamedTuple):
    """Why the far end goes, in words."""

    message: str


class Ask(NamedTuple):
    """Some questions, each its name and its arguments; see `questions`."""

    number: int
    questions: tuple[tuple[Any, ...], ...]


class Answers(NamedTuple):
    """What they were answered with, in their order; each a value, or a fault in words where there is none."""

    number: int
    values: tuple[Any, ...]
    faults: tuple[str | None, ...]


class Start(NamedTuple):
    """What is to be run.

    Attributes:
        number: the call's, higher than any before.
        execution: what was consented to, without an environment.
        wish: what its environment differs in from the far end's own.
        listening: whether its output is wanted as it comes.
    """

    number: int
    execution: Execution
    wish: Environment
    listening: bool


class Credit(NamedTuple):
    """So many more bytes of a stream may be sent."""

    number: int
    stream: StreamName
    size: int


class Enough(NamedTuple):
    """Nobody wants the rest of a stream."""

    number: int
    stream: StreamName


class Cancel(NamedTuple):
    """A call's processes are to be ended; nobody waits for its result, but for its end."""

    number: int


class Interrupt(NamedTuple):
    """The processes of all calls are to be ended; their results come as usual."""

    why: str = ""


class Goodbye(NamedTuple):
    """An orderly end; nothing follows."""

    why: str = ""


class Ping(NamedTuple):
    """Somebody is there."""

    number: int = 0


class Output(NamedTuple):
    """Output, as it came."""

    number: int
    stream: StreamName
    data: bytes


class Text(NamedTuple):
    """Some of the text of a result, as UTF-8, which may be cut anywhere."""

    number: int
    stream: StreamName
    data: bytes


class Denied(NamedTuple):
    """An execution beneath a call was refused."""

    number: int
    refused: RefusedExecution


class Ended(NamedTuple):
    """A call has ended, with all its processes that were to end.

    Attributes:
        number: the call's.
        result: what came of it, without the texts of its streams; None where it was cancelled.
        told: of each stream, whether its text is what came as `output`.
    """

    number: int
    result: Result | None
    told: tuple[bool, bool] = (False, False)


Frame = (
    Hello | Facts | Fault | Ask | Answers | Start | Credit | Enough | Cancel | Interrupt | Goodbye | Ping
    | Output | Text | Denied | Ended
)  # fmt: skip

NEAR: dict[int, type[Any]] = {
    ord("h"): Hello,
    ord("a"): Ask,
    ord("s"): Start,
    ord("c"): Credit,
    ord("e"): Enough,
    ord("x"): Cancel,
    ord("i"): Interrupt,
    ord("g"): Goodbye,
    ord("p"): Ping,
}
"""What the near end may send."""

FAR: dict[int, type[Any]] = {
    ord("F"): Facts,
    ord("!"): Fault,
    ord("A"): Answers,
    ord("O"): Output,
    ord("T"): Text,
    ord("D"): Denied,
    ord("E"): Ended,
    ord("p"): Ping,
}
"""What the far end may send."""

_KINDS = {kind: number for kinds in (NEAR, FAR) for number, kind in kinds.items()}


def packed(frame: Frame) -> bytes:
    """A frame as bytes.

    Raises:
        ValueError: it is longer than a frame may be.
    """
    if isinstance(frame, Output | Text):
        body = frame.number.to_bytes(4) + bytes((STREAMS.index(frame.stream),)) + frame.data
        longest = PIECE + _DATA_HEAD
    else:
        body, longest = json.dumps(plain(frame), allow_nan=False).encode("ascii"), LONGEST
    if len(body) > longest:
        raise ValueError(f"it takes {len(body):,} bytes, and at most {longest:,} can be sent")
    return b"".join((len(body).to_bytes(4), bytes((_KINDS[type(frame)],)), body, _TAIL))


def greeting(version: str) -> bytes:
    """What the far end begins with."""
    return GREETING + f"{PROTOCOL} {version}\n".encode("ascii")


class Reader:
    """Takes bytes as they come, and gives the frames in them.

    Args:
        kinds: what the other end may send.
    """

    def __init__(self, kinds: dict[int, type[Any]]) -> None:
        self._kinds, self._buffer = kinds, bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are whole now.

        Raises:
            Broken: something else came.
        """
        self._buffer += data
        at = 0
        try:
            while len(self._buffer) - at >= _HEAD:
                kind = self._kinds.get(self._buffer[at + 4])
                if kind is None:
                    raise Broken(f"it sent a frame of an unknown kind ({self._buffer[at + 4]:#04x})")
                size = int.from_bytes(self._buffer[at : at + 4])
                if size > (PIECE + _DATA_HEAD if kind in (Output, Text) else LONGEST):
                    raise Broken(f"it sent a frame of {size:,} bytes ({kind.__name__.lower()})")
                end = at + _HEAD + size
                if len(self._buffer) <= end:
                    break
                if self._buffer[end] != _TAIL[0]:
                    raise Broken(f"it sent a frame that does not end where it says ({kind.__name__.lower()})")
                body = bytes(memoryview(self._buffer)[at + _HEAD : end])
                at = end + len(_TAIL)
                yield _unpacked(kind, body)
        finally:
            del self._buffer[:at]


def _unpacked(kind: type[Any], body: bytes) -> Frame:
    if kind in (Output, Text):
        if len(body) < _DATA_HEAD or body[4] >= len(STREAMS):
            raise Broken("it sent output of no stream")
        return kind(int.from_bytes(body[:4]), STREAMS[body[4]], body[_DATA_HEAD:])  # type: ignore[no-any-return]
    try:
        return parse_as(kind, wire.loads(body.decode("ascii")))  # type: ignore[no-any-return]
    except (Invalid, wire.MalformedJsonError, UnicodeDecodeError) as fault:
        raise Broken(f"it sent a frame that cannot be read ({kind.__name__.lower()}): {fault}") from None
