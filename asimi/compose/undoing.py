"""What keeps a project for `asimi undo`, one for all that this process does in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from asimi.core.call import Loss, Request, Undo
    from asimi.world.config import Configuration
    from asimi.world.undo.keeper import Keeper


class KeeperOnDemand:
    """The keeper of a project, made when something is to be kept: what only reads loads nothing of it.

    Args:
        configuration: what is in force.
        session: the name of the session.
    """

    def __init__(self, configuration: Configuration, session: str) -> None:
        self._configuration, self._session = configuration, session

    def before(self, name: str, request: Request, rests: Collection[Loss]) -> bool:
        """Keep what is there before a call; whether all that it may remove surely is."""
        return self._keeper().before(name, request, rests)

    def after(self, name: str) -> None:
        """Look at what a call has changed."""
        if (keeper := _kept.get((self._configuration.root, self._session))) is not None:
            keeper.after(name)

    def _keeper(self) -> Keeper:
        return keeper_of(self._configuration, self._session)


_kept: dict[tuple[str, str], Keeper] = {}
"""The keepers of this process, by the root and the session."""


def keeper_of(configuration: Configuration, session: str = "") -> Keeper:
    """Return what keeps the project of a configuration; none keeps what is no project.

    Args:
        configuration: what is in force.
        session: the name of the session.
    """
    known = _kept.get((configuration.root, session))
    if known is None:
        from asimi.compose.keeping import log_of
        from asimi.core.syntax import line_of
        from asimi.world.host.terminal import printable, say
        from asimi.world.undo.keeper import Keeper

        def shown(request: Request) -> str:
            command, arguments = log_of(configuration).shown(request)
            whole = request._replace(command=command, arguments=None if arguments is None else tuple(arguments))
            return line_of(whole)

        where = configuration.places
        known = _kept[configuration.root, session] = Keeper(
            where.state,
            configuration.root,
            undo=lambda: of_project(configuration.settings().undo, configuration.root, where.home),
            limit=lambda: configuration.settings().state,
            own=(where.config, where.runtime),
            session=session,
            shown=shown,
            tell=lambda text: say(printable(text)),
        )
    return known


def of_project(undo: Undo, root: str, home: str) -> Undo:
    """What a person says of undo, where a root is a project; else that nothing is kept."""
    from asimi.core.judging.zones import is_no_project

    return undo._replace(keep=0.0) if is_no_project(root, home) or os.name != "posix" else undo


def undone(loss: Loss, undo: Undo, *, state: str, root: str, home: str) -> str:
    """Say whether undo would bring something back; empty where it is off.

    Args:
        loss: what may go.
        undo: what a person says of undo.
        state: asimi's own directory.
        root: the project root.
        home: the home directory.
    """
    if not of_project(undo, root, home).keep:
        return ""
    keeper = next((each for (at, _), each in _kept.items() if at == root), None)
    if keeper is None:
        from asimi.core.settings import State
        from asimi.world.undo.keeper import Keeper

        keeper = Keeper(state, root, undo=lambda: undo, limit=State)
    return keeper.says(loss)


SLACK = 0.02
"""Seconds by which a file system's clock may be behind (clock_gettime(2), CLOCK_REALTIME_COARSE)."""


def fetched(state: str, root: str, path: str) -> bool:
    """Say whether a call that used the network may have made a file, or changed it, as far as calls are kept.

    Args:
        state: asimi's own directory.
        root: the project root.
        path: the file's real path.
    """
    from asimi.core.call import Place, Request
    from asimi.core.errors import AsimiError
    from asimi.core.judging.rules import SHELL
    from asimi.core.reading import Readings
    from asimi.world.undo.calls import Calls
    from asimi.world.undo.keeper import directory_of

    try:
        made = os.lstat(path).st_ctime
    except OSError:
        return False  # the text itself makes it
    readings, place, until = Readings((), (), judge_substitutions=True), Place.at(root, root), float("inf")
    for each in reversed(Calls(os.path.join(directory_of(state, root), "calls")).all()):
        ended = each.ended if each.ended and not each.inside else until  # what is inside of a box may lie about an end
        if each.time <= made + SLACK and made <= ended + SLACK:
            try:
                reading = readings.of(Request(SHELL, each.command, None, place))
            except AsimiError:
                return True
            if any("network" in (command.effects or ()) for command in reading.commands):
                return True
        until = each.time
    return False
