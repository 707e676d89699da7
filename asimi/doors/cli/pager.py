"""Shows lines on a terminal; what is longer than the screen goes to the person's pager."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from asimi.doors.cli.printing import is_terminal, out
from asimi.world.host.terminal import columns, look_of, say, write

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator

    from asimi.core.wording.visible import Display

LESS = "FRX"
"""What `less` does where `LESS` says nothing: it ends with what fits, and leaves the text on the screen."""


def show(lines: Iterable[str], *, paged: bool) -> None:
    """Print lines; end if the reader is gone.

    Args:
        lines: some of which may be several rows.
        paged: whether a pager is wanted for what is longer than the screen.

    Raises:
        AsimiError: they cannot be written.
    """
    rest = iter(lines)
    if paged and (pager := pager_of(os.environ)):
        held, more = _screenful(rest, look_of(os.environ, 1))
        if more and _shown_by(pager, held, rest):
            return
        _print(held)
    _print(rest)


def pager_of(environ: dict[str, str] | os._Environ[str]) -> list[str]:
    """Return the words that start the person's pager; empty where there is to be none.

    Only where both ends are a terminal that can page, and never below a call of asimi's: there the agent says what
    `PAGER` is. Of a `PATH` only absolute directories count, so no project hides a pager under the name of one.
    """
    import shlex
    from shutil import which

    from asimi.world.host.nested import inside_call

    if not (is_terminal(0) and is_terminal(1)) or look_of(environ, 1).plain or inside_call(environ):
        return []
    try:
        words = shlex.split(environ.get("PAGER", "less"))
    except ValueError:
        return []
    if not words or words == ["cat"]:
        return []
    path = os.pathsep.join(filter(os.path.isabs, environ.get("PATH", os.defpath).split(os.pathsep)))
    found = which(words[0], path=path)
    return [found, *words[1:]] if found and os.path.isabs(found) else []


def _screenful(lines: Iterator[str], look: Display) -> tuple[list[str], bool]:
    """As many lines as fill the screen, and whether that is not all."""
    held, room = list[str](), look.height - 1
    for line in lines:
        held.append(line)
        room -= sum(max(1, -(-columns(row) // look.width)) for row in line.split("\n"))
        if room < 0:
            return held, True
    return held, False


def _shown_by(pager: list[str], held: list[str], rest: Iterator[str]) -> bool:
    """Return whether a pager could be started; it has ended then."""
    import signal
    import subprocess

    environ = {"LESS": LESS, **os.environ}
    try:
        process = subprocess.Popen(pager, stdin=subprocess.PIPE, env=environ)
    except OSError as error:
        say(f"asimi: {pager[0]} cannot be started ({error.strerror}); all of it follows")
        return False
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is the pager's, as in `less`
    try:
        _feed(process, held)
        _feed(process, rest)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        process.wait()
        signal.signal(signal.SIGINT, before)
    return True


def _feed(process: subprocess.Popen[bytes], lines: Iterable[str]) -> None:
    """Write lines to a pager, until it is left."""
    assert process.stdin is not None  # it is a pipe
    for line in lines:
        if write(process.stdin.fileno(), line.encode("utf-8", "surrogateescape") + b"\n") is not None:
            return


def _print(lines: Iterable[str]) -> None:
    """Print lines on standard output.

    Raises:
        typer.Exit: the reader is gone.
        AsimiError: they cannot be written.
    """
    if not all(map(out, lines)):
        raise typer.Exit(0)
