"""Where tools keep their caches in a sandbox that cannot write the ones in the home."""

from __future__ import annotations

import os

from asimi.core.call import is_below
from asimi.core.lean import TYPE_CHECKING
from asimi.world.executors.confining.ability import path_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from asimi.core.call import Sandbox

CACHES = {
    b"GOCACHE": (b"XDG_CACHE_HOME", ".cache", "go-build"),
    b"UV_CACHE_DIR": (b"XDG_CACHE_HOME", ".cache", "uv"),
    b"npm_config_cache": (b"", "", ".npm"),
}
"""The variables that name the caches without which a tool ends; what may move the cache, and where else it is.

Others do without a cache (pip, ccache) or only read theirs (cargo, Go's modules, browsers): these stay where they are.
"""


def private_caches(
    sandbox: Sandbox, environment: Mapping[bytes, bytes], root: str, temporary: str
) -> dict[bytes, bytes]:
    """The variables that give tools a cache in the private directory, but for those that are set or can be written.

    Args:
        sandbox: what holds the command; not `off`.
        environment: of the command.
        root: the project root.
        temporary: the private directory for temporary files.
    """
    writable = [path_of(each, root) for each in sandbox.opened]
    moved, given = {}, {name.lower() for name in environment}  # npm reads its variables in any case
    for name, (variable, usual, last) in CACHES.items():
        home = os.fsdecode(environment.get(b"HOME", b"/"))
        cache = os.path.join(os.fsdecode(environment.get(variable, b"")) or os.path.join(home, usual), last)
        if name.lower() not in given and not any(is_below(cache, each) for each in writable):
            moved[name] = os.fsencode(os.path.join(temporary, last))
    return moved
