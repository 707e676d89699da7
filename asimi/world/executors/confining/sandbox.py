"""What a `Sandbox` means on this machine: directories opened and checked, and what a thread puts on itself."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.values import NamedTuple
from asimi.world.executors.confining import landlock, seccomp
from asimi.world.executors.confining.ability import backend
from asimi.world.executors.confining.system import ConfinementError, give_up_privileges, path_of
from asimi.world.executors.spawning import leads_to
from asimi.world.executors.starting import Start
from asimi.world.host.places import private_directory
from asimi.world.host.trees import way

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from asimi.core.call import Sandbox
    from asimi.world.executors.confining.bubblewrap import CommandBox
    from asimi.world.executors.confining.outlet import Outlet


class Confinement(NamedTuple):
    """What a thread puts on itself; whatever can fail for want of a file is done before.

    Attributes:
        rules: a descriptor of Landlock's rules.
        program: the filter of system calls.
    """

    rules: int
    program: bytes

    def confine(self) -> None:
        """Hold this thread, and whatever it starts, to all of it for ever.

        Raises:
            ConfinementError: a step failed; the thread may be half confined, and must start nothing.
        """
        give_up_privileges()
        landlock.restrict(self.rules)
        seccomp.restrict(self.program)

    def laid_out(
        self, argv: Sequence[str], directory: str, environment: Mapping[bytes, bytes], streams: Sequence[int]
    ) -> Start:
        """What is started: the command itself."""
        return Start(argv, directory, environment, streams)

    @property
    def first(self) -> int:
        """No process: there is none of the sandbox's own."""
        return 0

    @property
    def says(self) -> bytes:
        """Nothing."""
        return b""

    def begin(self) -> None:
        """Nothing has to be made beside it."""

    def has_executed(self, _code: int | None) -> bool:
        """Whether the command was executed: nothing else was."""
        return True

    def lost_protection(self) -> str:
        """Nothing: it holds what is there, by whatever name."""
        return ""

    def leave(self) -> None:
        """Nobody has to watch it."""

    def fault(self, _said: str, _name: str) -> None:
        """None: what was started is the command."""

    def end(self) -> None:
        """Nothing is left of it."""


@contextlib.contextmanager
def confinement(
    sandbox: Sandbox, root: str, state: str, temporary: str, outlet: Outlet | None = None
) -> Iterator[Confinement | CommandBox]:
    """What a sandbox comes to; its descriptors are closed in the end.

    Args:
        sandbox: what is wanted; not `off`.
        root: the real path of the project root.
        state: the directory of asimi's own files, which no command may write.
        temporary: the private directory for temporary files, made if it is missing.
        outlet: what leads to the names that are reached, where the network is `named`.

    Raises:
        ConfinementError: this machine cannot keep it, or a directory is not there or not the one that is meant.
        AsimiError: the private directory cannot be made.
    """
    chosen = backend(sandbox)
    program = seccomp.filter_of(
        seccomp.calls(),
        network=sandbox.network == "full",
        sockets=sandbox.sockets,
        bounded=sandbox.bounded,
        alone=chosen == "bubblewrap",
        own=sandbox.network == "named",
    )
    with contextlib.ExitStack() as opened:

        def keep_open(descriptor: int) -> int:
            opened.callback(os.close, descriptor)
            return descriptor

        own = os.path.realpath(state)
        directories = [keep_open(_open_writable(each, root, own)) for each in sandbox.writable_directories]
        real = [leads_to(f"/proc/self/fd/{each}") for each in directories]
        for each, there in zip(sandbox.writable_directories, real, strict=True):
            _check_links(path_of(each, root), there, real)
        directories.append(keep_open(_directory(_private(temporary), os.O_NOFOLLOW)))
        if chosen == "bubblewrap":
            from asimi.world.executors.confining.bubblewrap import CommandBox

            writable = {leads_to(f"/proc/self/fd/{each}"): each for each in directories}
            yield opened.enter_context(CommandBox(sandbox, root, writable, [*writable][-1], program, outlet))
        else:
            yield Confinement(keep_open(landlock.ruleset(tuple(directories), sockets=sandbox.sockets)), program)


def _private(temporary: str) -> str:
    """The path of the private directory, which a command before may have opened to others, or closed to us."""
    with contextlib.suppress(OSError):
        if os.path.isdir(temporary) and not os.path.islink(temporary):
            os.chmod(temporary, 0o700)
    return private_directory(temporary)


def _open_writable(written: str, root: str, own: str) -> int:
    """A descriptor of a writable directory.

    One that is relative to the project must be where it says: a command could have put a link in its place.
    """
    path = path_of(written, root)
    descriptor = _directory(path)
    real = leads_to(f"/proc/self/fd/{descriptor}")
    fault = ""
    if real != path and not os.path.isabs(os.path.expanduser(written)):
        fault = f"leads to {real}; name that"
    elif is_below(own, real):
        fault = f"holds what asimi keeps for itself ({own})"
    if not fault:
        return descriptor
    os.close(descriptor)
    raise ConfinementError(f"writable directory {path}: it {fault}")


def _check_links(path: str, real: str, writable: Sequence[str]) -> None:
    """Make sure that no link on the way to a writable directory lies where a command could have put it.

    Args:
        path: as it is written.
        real: what was opened.
        writable: all writable directories.

    Raises:
        ConfinementError: one does, or the way has changed meanwhile.
    """
    *links, at = way(path)
    for there in links:
        if any(is_below(there, each) for each in writable):
            why = f"its way leads by {there}, a link that a command could have made"
            raise ConfinementError(f"writable directory {path}: {why}")
    if at != real:
        raise ConfinementError(f"writable directory {path}: it leads to {real}")


def _directory(path: str, flags: int = 0) -> int:
    try:
        return os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC | flags)
    except OSError as error:
        why = f"{error.strerror}; make the directory, or take it out of `writable`"
        raise ConfinementError(f"writable directory {path}: {why}") from None


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
    writable = [path_of(each, root) for each in sandbox.writable_directories]
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
