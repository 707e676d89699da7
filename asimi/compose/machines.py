"""What runs on a machine: the other end of a link, the calls that were left running, and what a person may name."""

from __future__ import annotations

import os

from asimi.compose import QUESTIONS, Options, places, root_of
from asimi.compose.configuration import configuration_of, remote_of, shared_copy
from asimi.compose.keeping import log_of
from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from asimi.core.call import Request
    from asimi.core.judging.rules import Rule
    from asimi.core.settings import State
    from asimi.world.executors.jobs import Jobs
    from asimi.world.executors.local import LocalExecutor
    from asimi.world.executors.remote.far import Parts
    from asimi.world.executors.remote.host import RemoteJobs


def far_parts(version: str, below: str) -> Parts:
    """Return what `asimi executor` is made of; start the process that ends what is left if it is killed.

    Args:
        version: asimi's.
        below: the directory that project roots must be in; empty for any.

    Raises:
        AsimiError: a command that asimi runs has started it, or the administrator's file cannot be used.
    """
    from asimi.world.executors.local import LocalExecutor
    from asimi.world.executors.remote.far import Parts
    from asimi.world.executors.remote.reaper import Keeper
    from asimi.world.host.nested import is_below_call

    if is_below_call(os.environ):
        raise AsimiError("asimi executor cannot be started by a command that asimi runs")
    keeper = Keeper()  # before there is anything that a copy of this process should not have
    from asimi.core.judging.policy import Policy
    from asimi.core.wording.explain import said
    from asimi.world.config.managed import ManagedDenies

    configuration = configuration_of(Options(), root=os.path.realpath(below or os.sep))
    here, audit = configuration.places, log_of(configuration)

    def keep() -> State:
        return configuration.settings().state

    def forbidden(rules: tuple[Rule, ...], request: Request) -> str:
        reasons = Policy(rules).decide(request).reasons
        return said(tuple(reason for reason in reasons if reason.code == "denied_by_rule"))

    def executor(**chosen: Any) -> LocalExecutor:
        return LocalExecutor(here.state, adopt=True, keep=keep, shown=audit.shown, **chosen)

    return Parts(version, here, ManagedDenies(here.managed, shared_copy).now, forbidden, executor, keeper, below)


def jobs_of(options: Options) -> Jobs | RemoteJobs:
    """Return what commands left running, on this machine or on the host that was chosen.

    Raises:
        AsimiError: as `remote_of`.
    """
    if remote := remote_of(options):
        from asimi.world.executors.remote.host import RemoteJobs

        return RemoteJobs(remote)
    from asimi.world.executors.jobs import Jobs

    return Jobs(places().state)


def names_of(what: str, options: Options) -> Iterable[str]:
    """Return what a person may name: the ids of `jobs` or `questions`, or `hosts` by their names.

    Raises:
        AsimiError: what asimi keeps, or the configuration, cannot be read.
    """
    if what == "jobs":
        from asimi.world.executors.jobs import Jobs

        return Jobs(places().state).ids()
    if what == "questions":
        from asimi.world.approvers.queue.entries import stamps

        return [name for _, name in stamps(os.path.join(places().runtime, QUESTIONS))]
    from asimi.world.config import Configuration

    return Configuration(places(), root_of(options), options.config).hosts()
