"""The variables that a command in a sandbox gets: where tools keep their caches, and which repository git finds.

A tool that cannot write its cache in the home gets one in the private directory.

Where git may write in its own directory, it must not go by another that appears between the verdict and the run: what
its configuration names would be started with that directory open. So it finds one repository only, and starts nothing
of its own accord (git(1), git-config(1)).
"""

from __future__ import annotations

import os

from asimi.core.call import is_below
from asimi.core.startup import TYPE_CHECKING
from asimi.world.executors.confining.ability import path_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


SETTINGS = {b"core.fsmonitor": b"false", b"core.hooksPath": b"/dev/null"}
"""What holds in submodules as well, which git goes into by itself."""


def only(repository: Sequence[str], environment: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """The variables that lead git to one repository.

    Args:
        repository: its path, and that of its work tree.
        environment: of the command.
    """
    directory, tree = (each.encode("utf-8", "surrogateescape") for each in repository)
    given = environment.get(b"GIT_CONFIG_COUNT", b"")
    count = int(given) if given.isdigit() else 0
    found = {b"GIT_DIR": directory, b"GIT_WORK_TREE": tree, b"GIT_CONFIG_COUNT": b"%d" % (count + len(SETTINGS))}
    for index, (name, value) in enumerate(SETTINGS.items(), count):
        found |= {b"GIT_CONFIG_KEY_%d" % index: name, b"GIT_CONFIG_VALUE_%d" % index: value}
    return found
