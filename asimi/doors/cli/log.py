"""`asimi log`: what ran, what was refused, and why."""

from __future__ import annotations

import os
import select
import sys
import time
from datetime import datetime
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asimi.compose import places
from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.wire import dumps
from asimi.doors.cli.base import Command, Group, UsageError, application, options_of
from asimi.doors.cli.logged import lines_of
from asimi.doors.cli.pager import show
from asimi.doors.cli.printing import fit, is_terminal, out, plural
from asimi.doors.cli.progress import Bar
from asimi.world.audit import reading
from asimi.world.audit.calls import ALONE, Choice, calls, follow_calls, newest, records_of
from asimi.world.audit.reading import BEGINS, records
from asimi.world.config.keys import duration
from asimi.world.executors.jobs import Jobs
from asimi.world.host.terminal import look_of, printable, say
from asimi.world.undo.keeper import kept_calls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


log = application(cls=Group, invoke_without_command=True)

Agent = Annotated[
    str, typer.Option(metavar="NAME", show_default=False, help="Only calls of this agent: claude-code, cli.")
]
Project = Annotated[
    str, typer.Option(metavar="DIR", show_default=False, help="Only calls in this project or directory.")
]
Since = Annotated[
    str, typer.Option(metavar="TIME", show_default=False, help="Only calls since then: 2h, 7d, 2026-01-31.")
]


@log.callback(cls=Group, invoke_without_command=True)
def _log(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Option("-n", metavar="N", show_default=False, help="Only the last N calls.")
    ] = None,
    agent: Agent = "",
    command: Annotated[
        str, typer.Option(metavar="TEXT", show_default=False, help="Only commands and entries with this text.")
    ] = "",
    project: Project = "",
    decision: Annotated[
        str, typer.Option(metavar="VERDICT", show_default=False, help="Only this verdict: allow, ask or deny.")
    ] = "",
    denied: Annotated[bool, typer.Option("--denied", help="Only refused calls.")] = False,  # noqa: FBT002
    since: Since = "",
    why: Annotated[bool, typer.Option("--why", help="Show the reasons, the rule and its place, who said so.")] = False,  # noqa: FBT002
    follow: Annotated[bool, typer.Option("--follow", help="Show each record as it is written, until Ctrl-C.")] = False,  # noqa: FBT002
    json: Annotated[bool, typer.Option("--json", help="Print the records as they are, a line of JSON each.")] = False,  # noqa: FBT002
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print all of it at once, also on a terminal.")] = False,  # noqa: FBT002
) -> None:
    """Show what ran, what was refused, why, and who approved it.

    What an agent runs itself is allowed, or passed to its own prompt, until the agent tells how it ended. What a doctor
    tried is a probe. Where asimi was killed in the middle of a call, that is cut short, or runs on if some of its
    processes are left. A change of what is allowed, such as policy add, has a line of its own, and so has a name on the
    network that a box reached or was refused, once for each call. On a terminal a long
    call is cut between two words, --why shows all of it, and PAGER shows what is longer than the screen.

    "Who allowed that?" is: asimi log --why --command "npm publish"
    """
    given = number, agent, command, project, decision, denied, since, why, follow, json, no_pager
    if context.invoked_subcommand is not None:
        if any(given):
            raise UsageError(f"Options of `asimi log` come behind {context.invoked_subcommand}, if it has them.")
        return

    if decision not in ("", *(verdict.word for verdict in Verdict)):
        raise UsageError(f"--decision takes allow, ask or deny, not {decision}.")
    if number is not None and number < 1:
        raise UsageError(f"-n takes 1 or more, not {number}.")
    directory = places().state
    choice = Choice(
        denied, agent, command, os.path.realpath(project) if project else "", decision, options_of(context).host or ""
    )
    if follow:
        if since or number:
            raise UsageError("--follow shows what is written from now on; leave --since and -n out.")
        show(_follow_lines(directory, choice, why=why, json=json), paged=False)
        return
    earliest = since_of(since) if since else None
    with Bar("Reading the log") as bar:
        lines: Iterator[str]
        if json and choice == Choice() and number is None:
            lines = map(dumps, records(directory, since=earliest))  # what the log says of itself too
        else:
            found = _select_calls(directory, choice, number, earliest, bar)
            if json:
                lines = (dumps(record) for call in found for record in records_of(call))
            else:
                lines = _as_lines(directory, found, why=why)
        first = next(lines, None)
        if first is None:
            say("asimi: No call in the log is one of these." if any(given) else "asimi: The log is empty.")
            return
        lines = chain((first,), lines)
        show(_without(bar, lines) if is_terminal(1) else lines, paged=not no_pager)


def _select_calls(
    directory: str, choice: Choice, number: int | None, since: float | None, bar: Bar
) -> Iterable[dict[str, Any]]:
    """Return the calls that are wanted, the oldest first."""
    if number is None:
        return filter(choice.takes, calls(directory, denied=choice.denied, since=since, heard=bar.heard))
    last = filter(choice.takes, newest(directory, denied=choice.denied, since=since, heard=bar.heard))
    return reversed(list(islice(last, min(number, sys.maxsize))))


def _as_lines(directory: str, found: Iterable[dict[str, Any]], *, why: bool) -> Iterator[str]:
    width = _width()
    kept = frozenset(kept_calls(directory) if why else ())
    for call in found:
        unended = call["event"] == "start" and "end" not in call
        lines = lines_of(call | _fates(directory).get(call["id"], {}) if unended else call, why=why, width=width)
        yield (
            f"{lines}\n    asimi undo {call['id'][-8:]} takes back what it changed" if call.get("id") in kept else lines
        )


def _wait() -> None:
    """Wait a moment for what is new, and end where the reader of what is printed is gone (poll(2), POLLERR)."""
    if not hasattr(select, "poll"):  # as on Windows
        return time.sleep(0.1)
    events = select.poll()
    events.register(1, 0)
    if events.poll(100):
        raise typer.Exit(0)
    return None


def _follow_lines(directory: str, choice: Choice, *, why: bool, json: bool) -> Iterator[str]:
    """Return what is written from now on and wanted; a call that asimi runs is shown when it begins and ends."""
    refused: dict[str, list[dict[str, Any]]] = {}
    for record, call in follow_calls(directory, _wait):
        event, name = record["event"], record.get("id", "")
        if event == "exec" and "refused" not in call:
            refused.setdefault(name, []).append(record)
        if not choice.takes(call):
            continue
        if json:
            yield dumps(record)
        elif event in BEGINS or event in ALONE or "refused" in call:
            yield lines_of(call, why=why, width=_width())
        elif event == "end":
            beneath = {"refused": refused.pop(name)} if name in refused else {}
            yield lines_of(call | {"end": record} | beneath, why=why, width=_width())


def _without(bar: Bar, lines: Iterable[str]) -> Iterator[str]:
    """Yield the same lines, the first of which ends a bar."""
    for line in lines:
        bar.close()
        yield line


@cache
def _fates(state: str) -> dict[str, dict[str, str]]:
    """Return what became of calls that began and have no end, by their ids, where the state tells it.

    It does not tell of what an agent runs itself, nor of an asimi that was killed between the log and the start.
    """
    try:
        running, unfinished = Jobs(state).running_ids(), [job for job in Jobs(state).list() if job.unfinished]
    except AsimiError:
        return {}  # `asimi jobs` says what is wrong with the records
    fates = {
        job.id: {
            "became": "runs on" if job.pids else "cut short",
            "error": f"the asimi running it was killed; {job.running_text}",
        }
        for job in unfinished
    }
    return fates | {name: {"became": "running"} for name in running}


@log.command(cls=Command)
def verify(context: typer.Context) -> None:
    """Check that no line of the log was changed, removed or added. The exit code is 1 if one was.

    The output also says what this proves and what it does not.
    """
    del context
    found = reading.verify(places().state)
    for fault in found.faults:
        out(fit(f"broken  {printable(str(fault))}", indent=8))
    for note in found.notes:
        out(fit(f"note  {printable(note)}", indent=6))
    state = f"{len(found.faults)} broken" if found.faults else "unbroken"
    out(f"{plural(found.lines, 'line')}, {state}")
    if found.hash:
        out(f"last hash  {found.hash}")
    out(fit(reading.PROOF, indent=0))
    raise typer.Exit(1 if found.faults else 0)


def _width() -> int | None:
    """Return the columns of the terminal that standard output is; None where it is none."""
    return look_of(os.environ, 1).width if is_terminal(1) else None


def since_of(text: str) -> float:
    """Return the time that a person means: an age, or a date.

    Raises:
        UsageError: it is neither.
    """
    try:
        return time.time() - duration(text)
    except AsimiError:
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise UsageError(f"--since takes 90s, 10m, 2h, 7d or a date like 2026-01-31, not {text}.") from None
