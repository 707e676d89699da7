"""`asimi log`: what ran, what was refused, and why."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from asimi.core.call import Refused
from asimi.core.wording.lines import denial
from asimi.doors.cli.base import Command, Group, UsageError, application, is_terminal, out, said_by
from asimi.world.audit.redaction import REDACTED
from asimi.world.host.streams import printable
from asimi.world.host.terminal import ROOMY, fitted, look_of, shortened

log = application(cls=Group, invoke_without_command=True)


@log.callback(cls=Group, invoke_without_command=True)
def _log(
    context: typer.Context,
    denied: Annotated[bool, typer.Option("--denied", help="Show only refused calls.")] = False,  # noqa: FBT002
    since: Annotated[
        str, typer.Option(metavar="TIME", show_default=False, help="Show only calls since then: 2h, 7d, 2026-01-31.")
    ] = "",
    why: Annotated[bool, typer.Option("--why", help="Show the reasons, the rule and where it is.")] = False,  # noqa: FBT002
    follow: Annotated[bool, typer.Option("--follow", help="Show each record as it is written, until Ctrl-C.")] = False,  # noqa: FBT002
    json: Annotated[bool, typer.Option("--json", help="Print the records as they are, a line of JSON each.")] = False,  # noqa: FBT002
) -> None:
    """Show what ran, what was refused, why, and who approved it.

    What an agent runs itself is allowed, or passed to its own prompt, until the agent tells how it ended. What a doctor
    tried is a probe. Where asimi was killed in the middle of a call, that is cut short, or runs on if some of its
    processes are left. On a terminal a long call is cut between two words; --why shows all of it.
    """
    if context.invoked_subcommand is not None:
        return
    from asimi.compose import places
    from asimi.core.wire import dumps
    from asimi.world.audit import reading

    directory, earliest = places().state, since_of(since) if since else None
    if follow:
        if since:
            raise UsageError("--follow shows what is written from now on; leave --since out.")
        for fields in reading.follow(directory) if json else reading.follow_calls(directory):
            if _wanted(fields, denied=denied, all_kinds=json):
                _show(dumps(fields) if json else _line(fields, why=why))
        return
    if json:
        for fields in reading.records(directory, denied=denied, since=earliest):
            _show(dumps(fields))
        return
    found = reading.calls(directory, denied=denied, since=earliest)
    _tell_fates(directory, [fields for fields in found if fields["event"] == "start" and "end" not in fields])
    for fields in found:
        if _wanted(fields, denied=denied):
            _show(_line(fields, why=why))


def _tell_fates(state: str, begun: list[dict[str, Any]]) -> None:
    """Put what became of calls that began and have no end into their fields, where the state tells it.

    It does not tell of what an agent runs itself, nor of an asimi that was killed between the log and the start.
    """
    if not begun:
        return
    from asimi.core.errors import AsimiError
    from asimi.world.executors.jobs import Jobs

    try:
        running = Jobs(state).running()
        killed = {job.id: job for job in Jobs(state).list() if job.unfinished}
    except AsimiError:
        return  # `asimi jobs` says what is wrong with the records
    for fields in begun:
        if fields["id"] in running:
            fields["became"] = "running"
        elif job := killed.get(fields["id"]):
            fields["became"] = "runs on" if job.pids else "cut short"
            fields["error"] = f"the asimi running it was killed; {job.left}"


@log.command(cls=Command)
def verify(context: typer.Context) -> None:
    """Check that no line of the log was changed, removed or added. The exit code is 1 if one was.

    The output also says what this proves and what it does not.
    """
    from asimi.compose import places
    from asimi.world.audit import reading

    del context
    found = reading.verify(places().state)
    for fault in found.faults:
        out(f"broken  {printable(str(fault))}")
    for note in found.notes:
        out(f"note  {printable(note)}")
    state = f"{len(found.faults)} broken" if found.faults else "unbroken"
    out(f"{found.lines} {'line' if found.lines == 1 else 'lines'}, {state}")
    if found.hash:
        out(f"last hash  {found.hash}")
    out(reading.PROOF)
    raise typer.Exit(1 if found.faults else 0)


def _show(line: str) -> None:
    """Print a line; end if the reader is gone.

    Raises:
        AsimiError: it cannot be written.
    """
    from asimi.core.errors import AsimiError
    from asimi.world.host.streams import write

    fault = write(1, line.encode("utf-8", "surrogateescape") + b"\n")
    if isinstance(fault, BrokenPipeError):
        raise typer.Exit(0)
    if fault is not None:
        raise AsimiError(f"Standard output cannot be written: {fault.strerror}")


def _wanted(fields: dict[str, Any], *, denied: bool, all_kinds: bool = False) -> bool:
    """Whether a record is among those that are to be shown; what a doctor tried is nobody's refusal."""
    return not denied or (fields.get("event") == "refusal" and (all_kinds or not _is_probe(fields)))


def _is_probe(fields: dict[str, Any]) -> bool:
    """Whether a call is what `asimi doctor` or `asimi hook doctor` tried."""
    from asimi.compose import is_probe

    return is_probe(str(fields.get("session", "")))


def _line(fields: dict[str, Any], *, why: bool) -> str:
    """A call for a person: when, its outcome, the command, and why on the lines below."""
    when, became = _local(str(fields.get("time", ""))), _became(fields)
    command = printable(_words(fields.get("command") or fields.get("tool") or "", fields.get("arguments")))
    width = _width()
    if width is None or width >= ROOMY:
        line = f"{when}  {became:12}  {command}"
        line = line if why or width is None else shortened(line, width, "…")
    else:  # beside the time there would be no room for a command that says anything
        line = f"{when}  {became}\n  {command if why else shortened(command, width - 2, '…')}"
    refused = [_refused(each, why=why) for each in fields.get("refused", ())]
    if not why:
        return "\n".join([line, *(each if width is None else shortened(each, width, "…") for each in refused)])
    reasons = fields.get("reasons", ())
    rows = [f"    {reason.get('code')}: {reason.get('message')}{_where(reason)}" for reason in reasons]
    if "sent" in fields:
        rows.append(f"    the agent proposed: {_words(fields['sent'], fields.get('sent_arguments'))}")
    if fields.get("error"):
        rows.append(f"    {fields['error']}")
    if fields.get("event") == "passed":
        rows.append("    left to the agent's own prompt")
    end = fields.get("end") or {}
    if end.get("command"):
        rows.append(f"    the agent says it ran another command: {end['command']}")
    if end.get("error"):
        rows.append(f"    the agent says: {end['error']}")
    approval = fields.get("approval") or {}
    if approval and approval.get("by") != "policy":
        said = said_by(str(approval.get("by")))
        no = {"nobody": "nobody could be asked", "clock": "nobody answered"}.get(said, f"no by {said}")
        rows.append(f"    yes by {said}, {_lasting(approval)}" if approval.get("yes") else f"    {no}")
    rows.append(f"    in {fields.get('directory', '?')}, for {fields.get('agent') or '?'}, call {fields.get('id')}")
    rows = [printable(row) for row in (*rows, *refused)]
    return "\n".join([line, *(rows if width is None else [_broken(row, width) for row in rows])])


def _refused(fields: dict[str, Any], *, why: bool) -> str:
    """An execution beneath a call that was refused."""
    name, *words = fields.get("argv") or [""]
    command = printable(_words(name, words))
    if not why:
        return f"    refused  {command}"
    refused = Refused(*(fields.get(name) for name in Refused._fields))  # type: ignore[arg-type]  # as it was written
    return f"    {denial(command, refused)}"


def _lasting(approval: dict[str, Any]) -> str:
    """How long a yes holds."""
    if "until" in approval:
        return f"until {_local(str(approval['until']))}"
    return f"for {approval['calls']} calls" if "calls" in approval else str(approval.get("scope"))


def _words(command: object, arguments: object) -> str:
    """A shell text as it is; a program with its arguments quoted, so that words stay words."""
    if not isinstance(arguments, list) or not arguments:
        return str(command)
    from shlex import quote

    return " ".join(str(word) if REDACTED in str(word) else quote(str(word)) for word in (command, *arguments))


def _broken(row: str, width: int) -> str:
    """A row below a call, broken between words where the terminal ends."""
    return "\n".join("    " + line for line in fitted(row.strip(), width - 4).split("\n"))


def _width() -> int | None:
    """The columns of the terminal that standard output is; None where it is none."""
    import os

    return look_of(os.environ, 1).width if is_terminal(1) else None


def _where(reason: dict[str, Any]) -> str:
    places = [str(reason[name]) for name in ("rule", "source") if reason.get(name)]
    return f" ({', '.join(places)})" if places else ""


def _became(fields: dict[str, Any]) -> str:
    """The outcome of a call, in a word or two."""
    event, end = fields.get("event"), fields.get("end")
    if _is_probe(fields):
        return "probe"
    if event == "refusal":
        return "refused"
    if end is None and fields.get("runs") == "agent":
        return "allowed"
    if end is None:
        return "passed" if event == "passed" else str(fields.get("became", "started"))
    if end.get("outcome"):  # in the words of the agent that ran it
        return str(end["outcome"])
    if end.get("failure"):
        return "not started"
    if end.get("timed_out"):
        return "timed out"
    if end.get("signal") is not None:
        return f"signal {end['signal']}"
    return f"exit {end.get('exit')}" if end.get("exit") is not None else "interrupted"


def _local(moment: str) -> str:
    """A time of the log in the local time zone, to the second."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return moment


def since_of(text: str) -> float:
    """The time that a person means: an age, or a date.

    Raises:
        UsageError: it is neither.
    """
    import time
    from datetime import datetime

    from asimi.core.errors import AsimiError
    from asimi.world.config import duration

    try:
        return time.time() - duration(text)
    except AsimiError:
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise UsageError(f"--since takes 90s, 10m, 2h, 7d or a date like 2026-01-31, not {text}.") from None
