"""`asimi log report`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated

import typer

from asimi import __version__
from asimi.compose import places
from asimi.core.errors import AsimiError
from asimi.core.wire import dumps
from asimi.doors.cli.base import Command, UsageError, application, options_of
from asimi.doors.cli.log import Agent, Project, Since, since_of
from asimi.doors.cli.observed import observation_summary, observed_calls
from asimi.doors.cli.printing import fit, is_terminal, out
from asimi.doors.cli.progress import Bar
from asimi.doors.cli.require_person import require_person
from asimi.extras.report.counting import report_of
from asimi.extras.report.page import page
from asimi.extras.report.screen import drawn
from asimi.extras.report.words import as_json
from asimi.world.audit.calls import Choice, newest
from asimi.world.host.terminal import look_of, printable

if TYPE_CHECKING:
    from asimi.extras.report.counting import Report

report = application()


@report.command(cls=Command)
def _report(
    context: typer.Context,
    since: Since = "",
    agent: Agent = "",
    project: Project = "",
    html: Annotated[
        str, typer.Option(metavar="FILE", show_default=False, help="Write a page for a browser to this new file.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the numbers as a line of JSON.")] = False,  # noqa: FBT002
) -> None:
    """Count what ran, what was asked and how long it waited, who answered, per command, agent and project.

    The page of --html needs nothing else and runs nothing; it shows commands and paths of the log, so only you may read
    its file. An existing file is never overwritten.
    """
    if html and json:
        raise UsageError("--html and --json cannot be combined.")
    if html:
        require_person("write a report")
    choice = Choice(
        agent=agent,
        project=os.path.realpath(project) if project else "",
        host=options_of(context).host or "",
        session=options_of(context).session or "",
    )
    earliest = since_of(since) if since else None
    with Bar("Reading the log") as bar:
        counted = report_of(filter(choice.takes, newest(places().state, since=earliest, heard=bar.heard)))
    options = options_of(context)
    if html:
        _write_page(html, counted, observation_summary(options, earliest))
    elif json:
        let_be = observed_calls(options, earliest)
        out(dumps(as_json(counted) | ({} if let_be is None else {"observed": let_be._asdict()})))
    else:
        look = look_of(os.environ, 1)
        for sentence in observation_summary(options, earliest):
            out(fit(sentence, indent=0))
            out("")
        out(drawn(counted, look if is_terminal(1) else look._replace(colour=False)))


def _write_page(path: str, counted: Report, observed: list[str]) -> None:
    """Write a report to a new file that only its owner may read.

    Raises:
        AsimiError: there is such a file already, or it cannot be written; nothing of it is left.
    """
    made = f"Made by asimi {__version__} on {time.strftime('%Y-%m-%d at %H:%M')}."
    content = page(counted, made, observed).encode()
    try:
        file = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")  # noqa: SIM115 - closed below
    except OSError as error:
        more = "; a report never overwrites a file: name another" if isinstance(error, FileExistsError) else ""
        raise AsimiError(f"{path}: {error.strerror}{more}") from None
    try:
        with file:
            file.write(content)
    except OSError as error:
        os.unlink(path)
        raise AsimiError(f"{path}: {error.strerror}") from None
    out(f"written  {printable(path)}")
