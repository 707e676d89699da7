"""`asimi executor`: the other end of a link."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from asimi import __version__
from asimi.compose import Options
from asimi.compose.configuration import configuration_of, shared_copy
from asimi.compose.stores import log_of
from asimi.core.errors import AsimiError
from asimi.core.judging.policy import Policy
from asimi.core.wording.explain import reasons_text
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import is_terminal
from asimi.doors.running import run
from asimi.extras.hosts.denies import ManagedDenies
from asimi.extras.hosts.far import FarEnd, Parts
from asimi.extras.hosts.reaper import Keeper
from asimi.world.executors.local import LocalExecutor
from asimi.world.host.nested import inside_call

if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Request
    from asimi.core.judging.rules import Rule
    from asimi.core.settings import State
    from asimi.doors.running import Stop


def executor(options: Options) -> int:
    """Run commands for an asimi on another machine, which judges them.

    Not for people: the other asimi starts it, by the words of `reach` in [hosts.NAME] of its configuration, such as
    ssh. It speaks a protocol on its standard streams until the other end is gone. With --root it serves only project
    roots in that directory.
    """
    if os.name != "posix":
        raise Wrong("asimi executor runs on Linux, macOS and other Unixes only.")
    below = options.root
    if is_terminal(0) or is_terminal(1):
        raise Wrong("asimi executor is not for a terminal: it is started by an asimi on another machine.")
    if below and not os.path.isdir(below):
        raise Wrong(f"--root {below!r} is not a directory.")
    source, sink = _taken()
    parts = far_parts(__version__, os.path.realpath(below) if below else "")

    async def serve(stop: Stop) -> int:
        if why := await FarEnd(parts, source, sink).serve(stop.wait):
            raise AsimiError(why)
        parts.keeper.release()
        return 0

    return run(serve)


def _taken() -> tuple[int, int]:
    """Return the two streams to the near end, as descriptors that nothing else here writes to or reads from."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    there, other = os.fstat(1), os.fstat(2)
    shared = stat.S_ISSOCK(other.st_mode) and os.path.samestat(there, other)  # as from inetd: one socket for all three
    os.dup2(null if shared else 2, 1)
    if shared:
        os.dup2(null, 2)
    os.close(null)
    return source, sink


def far_parts(version: str, below: str) -> Parts:
    """Return what `asimi executor` is made of; start the process that ends what is left if it is killed.

    Args:
        version: asimi's.
        below: the directory that project roots must be in; empty for any.

    Raises:
        AsimiError: a command that asimi runs has started it, or the administrator's file cannot be used.
    """
    if inside_call(os.environ, adopted=False):
        raise AsimiError("asimi executor cannot be started by a command that asimi runs")
    keeper = Keeper()  # before there is anything that a copy of this process should not have
    configuration = configuration_of(Options(), root=os.path.realpath(below or os.sep))
    here, audit = configuration.places, log_of(configuration)

    def keep() -> State:
        return configuration.settings().state

    def forbidden(rules: tuple[Rule, ...], request: Request) -> str:
        reasons = Policy(rules).decide(request).reasons
        return reasons_text(tuple(reason for reason in reasons if reason.code == "denied_by_rule"))

    def executor(**chosen: Any) -> LocalExecutor:
        return LocalExecutor(here.state, adopt=True, keep=keep, shown=audit.redact_request, **chosen)

    return Parts(version, here, ManagedDenies(here.managed, shared_copy).now, forbidden, executor, keeper, below)
