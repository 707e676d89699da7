"""By which variables git finds one repository only, and starts nothing of its own accord (git(1), git-config(1)).

Where git may write in its own directory, it must not go by another that appears between the verdict and the run: what
its configuration names would be started with that directory open.
"""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
