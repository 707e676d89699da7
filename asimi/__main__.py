"""`asimi` and `python -m asimi`.

A gate that stands before every command has to start fast, so that two things are done that a longer program would not
do: garbage is not collected while modules are imported, and the interpreter is not taken apart at the end.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
import atexit
import contextlib
import gc
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    gc.disable()  # whatever lives for longer enables it again
    for descriptor in (0, 1, 2):  # one that came closed would become the next file opened: a log, say
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # and whoever writes there hears that it is lost
    interrupted = _signal.getsignal(_signal.SIGINT)
    if interrupted is _signal.default_int_handler:  # while there is nothing to end, Ctrl-C ends asimi without a word
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from asimi.doors.cli.program import main as program

    _signal.signal(_signal.SIGINT, interrupted)
    code = program(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody reads it any more, or it came closed
            stream.flush()
    atexit._run_exitfuncs()  # noqa: SLF001 - `os._exit` skips what was asked for at the end: sockets, registers
    os._exit(code)


if __name__ == "__main__":
    main()
