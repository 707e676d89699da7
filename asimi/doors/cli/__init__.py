"""The way in from a command line, and the exit code and message of every error."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError, scarce
from asimi.doors.cli.forms import Wrong, read, run_form

if TYPE_CHECKING:
    from asimi.doors.cli.forms import Line

UNWRITTEN = (errno.EPIPE, errno.ENOSPC, errno.EIO)
"""Errors that can happen while click writes the help, so they are not bugs of asimi."""


def main(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.

    Raises:
        MemoryError: there is none left, so what would say so in words cannot be loaded either.
    """
    if "ASIMI_BOX" in os.environ:
        from asimi.doors.inside import forward

        if (code := forward(arguments)) is not None:
            return code
    try:
        code = None if (line := read(arguments)) is None else _done(line)
        if code is None:
            from asimi.doors.cli.program import main as program

            code = program(arguments)
    except KeyboardInterrupt:
        return 130
    except AsimiError as error:
        fault = str(error)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - 125 tells a bug of ours from a command's own exit code
        fault = _fault_of(error)
    else:
        return code
    from asimi.doors.cli.printing import fit
    from asimi.world.host.terminal import say

    say(fit(f"asimi: {fault}", 2))
    return 125


def _done(line: Line) -> int | None:
    """Return the exit code of a line that needs no Typer; None where its usage is wrong, which Typer tells."""
    from asimi.compose import Options

    try:
        return run_form(line.command, Options(**line.given), line.values)
    except Wrong:
        return None


def _fault_of(error: Exception) -> str:
    """Return what went wrong, in words."""
    if short := scarce(error):
        _hush()
        return short
    if isinstance(error, OSError) and error.errno in UNWRITTEN:
        _hush()
        return f"{error.filename or 'Standard output'} cannot be written: {error.strerror}"
    if isinstance(error, PermissionError) and error.filename:
        return f"{error.filename}: {error.strerror}; asimi's files must belong to the user who runs it"
    if isinstance(error, ImportError) and "install asimi again" in str(error):
        return str(error)
    import traceback

    return f"this is a bug in asimi\n{traceback.format_exc()}"


def _hush() -> None:
    """Silence Python: an event loop that lacked a descriptor complains about it again when it is taken apart."""
    import sys
    import warnings

    sys.unraisablehook = lambda _: None
    warnings.simplefilter("ignore")
