"""`asimi executor`: the far end of a link to a gate that is elsewhere."""

from __future__ import annotations

import os
import stat

from asimi.core.startup import TYPE_CHECKING
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import is_terminal

if TYPE_CHECKING:
    from asimi.compose import Options
    from asimi.doors.running import Stop


def executor(options: Options) -> int:
    """Run commands for an asimi on another machine, which judges them.

    Not for people: the other asimi starts it, by the words of `reach` in [hosts.NAME] of its configuration, such as
    ssh. It speaks a protocol on its standard streams until the other end is gone. With --root it serves only project
    roots in that directory.
    """
    if os.name != "posix":
        raise Wrong("asimi executor runs on Linux, macOS and other Unixes only.")
    below = options.root
    if is_terminal(0) or is_terminal(1):
        raise Wrong("asimi executor is not for a terminal: it is started by an asimi on another machine.")
    if below and not os.path.isdir(below):
        raise Wrong(f"--root {below!r} is not a directory.")
    source, sink = _taken()
    from asimi import __version__
    from asimi.compose.machines import far_parts
    from asimi.core.errors import AsimiError
    from asimi.doors.running import run
    from asimi.world.executors.remote.far import FarEnd

    parts = far_parts(__version__, os.path.realpath(below) if below else "")

    async def serve(stop: Stop) -> int:
        if why := await FarEnd(parts, source, sink).serve(stop.wait):
            raise AsimiError(why)
        parts.keeper.release()
        return 0

    return run(serve)


def _taken() -> tuple[int, int]:
    """Return the two streams to the near end, as descriptors that nothing else here writes to or reads from."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    there, other = os.fstat(1), os.fstat(2)
    shared = stat.S_ISSOCK(other.st_mode) and os.path.samestat(there, other)  # as from inetd: one socket for all three
    os.dup2(null if shared else 2, 1)
    if shared:
        os.dup2(null, 2)
    os.close(null)
    return source, sink
