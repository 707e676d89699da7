"""`asimi jobs`: what commands left running."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose import host_name
from asimi.compose.configuration import jobs_of
from asimi.core.errors import AsimiError
from asimi.core.wire import dumps
from asimi.doors.cli.base import Command, Group, application, options_of
from asimi.doors.cli.printing import out, quote_words
from asimi.world.host.terminal import printable, write

if TYPE_CHECKING:
    from asimi.world.executors.jobs import Job, Jobs

jobs = application(cls=Group, help="List, read and kill processes that commands left running.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(metavar="ID", show_default=False, help="The job's ID, from asimi jobs list.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print a line of JSON for each.")]


@jobs.command("list", cls=Command)
def list_(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Include those that have ended.")] = False,  # noqa: FBT002
    json: AsJson = False,  # noqa: FBT002 - a flag of the command line
) -> None:
    """Show background jobs.

    For each: its ID, its processes, since when and where it runs, and the command that started it.
    """
    jobs, host = _jobs(context)
    found = [job for job in jobs.list() if job.pids or everything]
    if json:
        for job in found:
            out(dumps(job._asdict() | ({"host": host} if host else {})))
        return
    for job in found:
        where = f"{host}:{job.directory}" if host else job.directory
        began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(job.began))
        command = job.command if job.arguments is None else quote_words([job.command, *job.arguments])
        out(f"{job.id}  {_state(job)}  since {began}  in {printable(where)}")
        out(f"    {printable(command)}")
    if not found:
        out(f"No background jobs on {host}." if host else "No background jobs.")


@jobs.command(cls=Command)
def log(context: typer.Context, name: Id) -> None:
    """Print what a job wrote, including the output of its call."""
    jobs, _ = _jobs(context)
    job = jobs.job(name)
    if job.log is None:
        closed = "it closed its output when it went to the background, or there was no room for a log"
        why = "the asimi that ran it was killed" if job.unfinished else closed
        raise AsimiError(f"{name} has no log: {why}")
    for data in jobs.read_log(job.log):
        if write(1, data) is not None:
            return


@jobs.command(cls=Command)
def kill(context: typer.Context, name: Id) -> None:
    """Kill a job with all its processes.

    The exit code is 1 if some could not be killed.
    """
    jobs, _ = _jobs(context)
    left = jobs.kill(name)
    if left:
        out(f"could not be killed: {', '.join(map(str, left))}")
        raise typer.Exit(1)
    out(f"killed  {name}")


def _jobs(context: typer.Context) -> tuple[Jobs, str]:
    """Return the jobs of this machine, or of a host, and its name."""
    options = options_of(context)
    return jobs_of(options), host_name(options)


def _state(job: Job) -> str:
    if not job.pids:
        return "ended"
    running = f"runs as {', '.join(map(str, job.pids))}"
    return f"{running}, the asimi that ran it was killed" if job.unfinished else running
