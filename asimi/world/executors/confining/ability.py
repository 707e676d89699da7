"""What this machine can keep, tried as it is used, and told in words before anything is started.

Each answer says why not, and is empty where it can; it is found once in a process.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.extras import MissingExtraError, load
from asimi.world.executors.confining.system import ConfinementError, lacking_version, machine, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from asimi.core.call import Sandbox


def unkept(sandbox: Sandbox) -> str:
    """Why this machine cannot keep a sandbox, in words; empty where it can."""
    if sandbox.mode == "off":
        return ""
    if sys.platform != "linux":
        return "it needs Linux"
    try:
        chosen = backend(sandbox)
    except ConfinementError as error:
        return error.why
    if chosen == "landlock":
        return lacking_landlock()
    if not (why := lacking_bubblewrap()):
        return ""
    beyond = _beyond(sandbox)
    wanted = f"{beyond} needs bubblewrap" if beyond else "`backend` says bubblewrap"
    return f"{wanted if beyond or sandbox.backend != 'auto' else lacking_landlock()}, and {why}"


def opened_to(sandbox: Sandbox, root: str, own: Iterable[str]) -> str:
    """Which file of asimi's own a sandbox would open to commands, in words; empty where it opens none.

    Args:
        sandbox: the sandbox.
        root: the real path of the project root.
        own: paths of what asimi reads and keeps for itself.
    """
    for each in sandbox.writable_directories:
        directory = os.path.realpath(path_of(each, root))
        for path in own:
            real = os.path.realpath(path)
            if is_below(directory, real):
                return f"`writable` holds {each!r}, which is among asimi's own files ({path}); name another directory"
            if is_below(real, directory):
                instead = "start asimi in a project below" if directory == root else "name directories that hold none"
                return f"`writable` holds {each!r}, and in there are asimi's own files ({path}); {instead}"
    return ""


def backend(sandbox: Sandbox) -> Literal["landlock", "bubblewrap"]:
    """Which backend sets a sandbox up: Landlock, which costs less, where it can keep all of it.

    Raises:
        ConfinementError: the one that is wanted cannot keep it, on any machine.
    """
    beyond = _beyond(sandbox)
    if sandbox.backend == "landlock" and beyond:
        raise ConfinementError(f"{beyond} needs bubblewrap, and `backend` says landlock")
    if sandbox.backend == "auto":
        return "bubblewrap" if beyond or lacking_landlock() else "landlock"
    return sandbox.backend


@cache
def lacking_landlock() -> str:
    """Why Landlock, with a filter of system calls, cannot set a sandbox up."""
    try:
        machine()
    except ConfinementError as error:
        return error.why
    return lacking_version()


@cache
def lacking_bubblewrap() -> str:
    """Why bubblewrap cannot set a sandbox or a box up; tried with all that one uses."""
    if sys.platform != "linux":
        return "it needs Linux"
    from asimi.world.executors.confining.bubblewrap import trial

    try:
        trial()
    except ConfinementError as error:
        return error.why
    except OSError as error:
        return str(error)
    return ""


def lacking_exec_rules() -> str:
    """Why exec rules cannot be set up."""
    try:
        return str(load("exec_rules", "notify").lacking())
    except MissingExtraError as error:
        return str(error)


def _beyond(sandbox: Sandbox) -> str:
    """The key that Landlock cannot keep, as a message begins with it; empty where there is none."""
    if sandbox.network == "named":
        return "`network` by name"
    return "`hidden`" if sandbox.hidden else "`protected`" if sandbox.protected else ""
