"""What answers the near end's questions on the machine that they are about."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from asimi.core.errors import AsimiError
from asimi.world.executors.files import KINDS
from asimi.world.executors.jobs import Jobs
from asimi.world.executors.remote.questions import PIECE
from asimi.world.host import repositories, trees
from asimi.world.host.looking import looked
from asimi.world.host.places import names_in, private_file, real_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from asimi.core.call import Sandbox
    from asimi.world.host.places import Places

KEPT = {kind for kind in KINDS.values() if kind in ("output", "logs")}
"""The directories of asimi's state whose files a near end may read: what commands wrote."""


def looks(places: Places, root: str) -> Mapping[str, Callable[..., Any]]:
    """What answers each question.

    Args:
        places: where asimi's own files are here.
        root: the real path of the project root.
    """
    jobs = Jobs(places.state)
    own = [places.config, places.state, places.runtime, os.path.dirname(places.managed)]

    def unkept(sandbox: Sandbox) -> str:
        from asimi.world.executors.confining import ability

        return ability.unkept(sandbox)

    def opened_to(sandbox: Sandbox) -> str:
        from asimi.world.executors.confining import ability

        return ability.opened_to(sandbox, root, own)

    def lacking_exec_rules() -> str:
        from asimi.world.executors.confining import ability

        return ability.lacking_exec_rules()

    def names(directory: str) -> tuple[str, ...] | None:
        found = names_in(directory)
        return None if found is None else tuple(found)

    def below(path: str, depth: int) -> tuple[str, ...] | None:
        found = trees.below(path, depth)
        return None if found is None else tuple(found)

    def leads(starts: tuple[tuple[str, int], ...]) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        found = trees.leads(starts)
        return None if found is None else tuple((real, tuple(each)) for real, each in found)

    def guides(path: str) -> tuple[tuple[str, ...], bool]:
        found, starts = repositories.guides(path)
        return tuple(found), starts

    return {
        "resolve": real_path,
        "names": names,
        "kind": trees.kind,
        "below": below,
        "repository": repositories.repository_of,
        "guides": guides,
        "branch": repositories.is_branch,
        "links": os.path.islink,
        "leads": leads,
        "entries": trees.entries,
        "directory": _directory,
        "looked": looked,
        "unkept": unkept,
        "opened_to": opened_to,
        "lacking_exec_rules": lacking_exec_rules,
        "jobs": lambda: tuple(jobs.list()),
        "job_kill": lambda name: tuple(jobs.kill(name)),
        "kept": lambda path, at: _kept(places.state, path, at),
    }


def _directory(path: str) -> str:
    return "directory" if os.path.isdir(path) else "other" if os.path.lexists(path) else ""


def _kept(state: str, path: str, at: int) -> str:
    """A piece of a file that asimi keeps of what commands wrote.

    Raises:
        AsimiError: it is not one of these, or is gone.
    """
    if os.path.dirname(path) not in {os.path.join(os.path.abspath(state), kind) for kind in KEPT}:
        raise AsimiError(f"{path}: is none of the files that asimi keeps of what commands wrote")
    try:
        with open(private_file(path, os.O_RDONLY), "rb") as file:
            file.seek(at)
            return b64encode(file.read(PIECE)).decode("ascii")
    except FileNotFoundError:
        raise AsimiError(f"{path}: is not there any more") from None
