"""What runs on a machine: the calls that were left running, and what a person may name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.compose import QUESTIONS, Options, places, root_of
from asimi.compose.configuration import remote_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from asimi.world.executors.jobs import Jobs


def jobs_of(options: Options) -> Jobs:
    """Return what commands left running, on this machine or on the host that was chosen.

    Raises:
        AsimiError: as `remote_of`.
    """
    if remote := remote_of(options):
        from asimi.core.extras import load

        found: Jobs = load("hosts", "host").RemoteJobs(remote)
        return found
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
