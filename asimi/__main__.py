"""`asimi` and `python -m asimi`.

A gate in front of every command has to start fast, so asimi does two things that a longer program would not do: it
does not collect garbage while it imports modules, and it ends without taking the interpreter apart.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
import atexit
import gc
import os
import sys

TYPE_CHECKING = False  # `typing` is a quarter of a start; a type checker takes this for true
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - pip refuses it, but a path or a host's `program` may lead here
        sys.stderr.write(f"asimi needs Python 3.11 or newer, and this is {sys.version.split()[0]}\n")
        sys.stderr.flush()
        os._exit(125)
    gc.disable()  # doors that run for longer enable it again
    for descriptor in (0, 1, 2):  # one that came closed would become the next file opened: a log, say
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # writing there fails, so the writer knows that it is lost
    interrupted = _signal.getsignal(_signal.SIGINT)
    if interrupted is _signal.default_int_handler:  # while there is nothing to end, Ctrl-C ends asimi without a word
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    try:
        from asimi.doors.cli import main as program

        _signal.signal(_signal.SIGINT, interrupted)
        code = program(sys.argv[1:])
    except (MemoryError, OSError, ImportError) as error:  # nothing more can be loaded that would say it
        short = isinstance(error, MemoryError) or getattr(error, "errno", 0) == 12 or "failed to map" in str(error)
        if not short and "install asimi again" not in str(error):
            raise
        fault = "there is no memory left (`ulimit -v`); close some programs, or raise the limit" if short else error
        sys.stderr.write(f"asimi: {fault}\n")
        code = 125
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 - `contextlib` costs a start more than all of this
            stream.flush()
        except (OSError, ValueError, AttributeError):  # nobody reads it any more, or it came closed
            pass
    atexit._run_exitfuncs()  # noqa: SLF001 - `os._exit` skips what was asked for at the end: sockets, registers
    os._exit(code)


if __name__ == "__main__":
    main()
