"""`asimi box`: the boxes of asimi wrap that run, and what of that which appeared in them shall stay."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose import places
from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.doors.cli.base import Command, Group, application, options_of
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.require_person import require_person
from asimi.world.host.terminal import printable, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.world.box.keep_socket import RunningBox

box = application(
    cls=Group, help="List the boxes that run, and keep what appeared in one and was moved away.", no_args_is_help=True
)


@box.command("list", cls=Command)
def list_() -> None:
    """Show the boxes of asimi wrap that run.

    For each: its program, since when and where it runs, and what appeared in it and was moved away.
    """
    found = _boxes()
    for _, each in found:
        began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(each.began))
        out(f"{printable(each.title)}  since {began}  in {printable(each.root)}")
        for path, moved_to in each.moved:
            out(f"    {printable(os.path.relpath(path, each.root))}  moved to {printable(moved_to)}")
    if not found:
        out("No box runs.")


@box.command(cls=Command)
def keep(
    context: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="PATH", show_default=False, help="Where it appeared; from here, or in the project.")
    ],
) -> None:
    """Put back what appeared in a running box and was moved away, and hold it.

    From then on the inside can read it and not change it. Look at it first where asimi has put it (asimi box list): it
    runs by itself, and asimi cannot tell who made it.

    The exit code is 1 if the box does not put it back.
    """
    from asimi.world.box.keep_socket import keep as kept

    require_person("have a box keep something")
    socket, running, wanted = _box_for(path, _boxes())
    log_of(configuration_of(options_of(context))).change("box keep", path=wanted, box=running.title)
    if why := kept(socket, wanted):
        say(fit(f"asimi: {wanted} is not back: {why}", 2))
        raise typer.Exit(1)
    out(fit(f"{printable(wanted)} is back, and the box of {printable(running.title)} can only read it."))


def _boxes() -> list[tuple[str, RunningBox]]:
    """Return the sockets of the boxes that run, and what each is."""
    from asimi.world.box.keep_socket import boxes

    return boxes(os.path.join(places().state, "boxes"))


def _box_for(path: str, found: Sequence[tuple[str, RunningBox]]) -> tuple[str, RunningBox, str]:
    """Return the box that a path is meant for, its socket first, and the path from the root.

    Raises:
        AsimiError: there is none, or more than one.
    """
    above, name = os.path.split(os.path.abspath(path))
    here = os.path.join(os.path.realpath(above), name)
    read = [(socket, each, os.path.normpath(os.path.join(each.root, path))) for socket, each in found]
    choices = (
        [(socket, each, here) for socket, each, _ in read if _has_moved(each, here)],
        [(socket, each, at) for socket, each, at in read if _has_moved(each, at)],
        [(socket, each, here) for socket, each, _ in read if any(is_below(here, top) for top in each.opened)],
    )
    there = next(filter(None, choices), [])
    if len(there) == 1:
        return there[0]
    if not there:
        raise AsimiError(f"{printable(here)}: no box that runs writes there (asimi box list)")
    roots = ", ".join(printable(each.root) for _, each, _ in there)
    raise AsimiError(f"{printable(path)}: several boxes may be meant, in {roots}; give the whole path")


def _has_moved(running: RunningBox, path: str) -> bool:
    """Whether something was moved away from a path."""
    return any(path == each for each, _ in running.moved)
