"""A call of the log, or a change of what holds, as lines for a person."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from asimi.core.call import RefusedExecution, is_probe
from asimi.core.wording.refusals import denial
from asimi.doors.cli.base import said_by
from asimi.world.audit.calls import command_of, is_refused_name, name_of, proposed_of
from asimi.world.host.terminal import ROOMY, fit_text, printable, shorten

Fields = dict[str, Any]

OF_EVERY_CHANGE = frozenset("time event what user session decision entry n prev".split())
"""What `--why` does not repeat of a change; the rest says where it was made and who said so."""


def lines_of(fields: Fields, *, why: bool, width: int | None) -> str:
    """Return when a call was, what came of it and the command; where that is wanted, why on the lines below.

    Args:
        fields: a call as `asimi.world.audit.calls` has it, or a change.
        why: whether the reasons are wanted.
        width: the columns of the terminal; None where there is none, and nothing is cut.
    """
    changes = fields.get("event") == "change"
    if fields.get("event") == "network":
        return _name_lines(fields, why=why, width=width)
    on = f"[{fields['host']}] " if fields.get("host") else ""
    command = printable(_change(fields) if changes else _file_touches(fields) or f"{on}{command_of(fields)}")
    line = _head(local(str(fields.get("time", ""))), outcome_of(fields), command, why=why, width=width)
    refused = [] if changes else [_refusal_line(each, why=why) for each in fields.get("refused", ())]
    if not why:
        return "\n".join([line, *(each if width is None else shorten(each, width, "…") for each in refused)])
    said = [f"    {', '.join([*_rest(fields), _user(fields)])}"] if changes else _why(fields)
    rows = [*map(printable, said), *refused]
    return "\n".join([line, *(row if width is None else _break_row(row, width) for row in rows)])


def _file_touches(fields: Fields) -> str:
    """What an agent's own tool for files did, or would have done; empty for any other call."""
    touches = [each for each in fields.get("files") or () if isinstance(each, dict)]
    said = []
    for each in touches:
        pairs = ((sign, each.get(name)) for sign, name in (("+", "added"), ("-", "removed")))
        counts = [f"{sign}{count}" for sign, count in pairs if count is not None]
        size = [f"{each['size']} bytes"] if each.get("size") is not None else []
        lines = [f"{' '.join(counts)} lines"] if counts else []
        more = f" ({', '.join([*lines, *size])})" if lines or size else ""
        names = f" {each['names']}" if each.get("names") else ""
        said.append(f"{each.get('does')} {each.get('path')}{names}{more}")
    return f"{fields.get('tool')}: {', '.join(said)}" if said else ""


def _name_lines(fields: Fields, *, why: bool, width: int | None) -> str:
    """A name on the network: whether it was reached, by which program, how much went each way."""
    reached = not is_refused_name(fields)
    program = f"  ({fields['program']})" if fields.get("program") else ""
    head = printable(f"{name_of(fields)}{program}")
    line = _head(
        local(str(fields.get("time", ""))), "reached" if reached else "not reached", head, why=why, width=width
    )
    if not why:
        return line
    times, by = fields.get("connections"), str(fields.get("by"))
    rows = [f"{fields.get('why')}" + ("" if by == "policy" else f", by {said_by(by)}")]
    went = f", {fields.get('sent')} bytes out, {fields.get('received')} in" if reached else ""
    call = f"call {fields['call']}" if fields.get("call") else "no call"
    rows.append(f"{times} {'connection' if times == 1 else 'connections'}{went}, {call}, {_user(fields)}")
    rows = [printable(f"    {row}") for row in rows]
    return "\n".join([line, *(row if width is None else _break_row(row, width) for row in rows)])


def outcome_of(fields: Fields) -> str:
    """Return what came of a call, in a word or two; of a change, what was done."""
    event, end = fields.get("event"), fields.get("end")
    if event == "change":
        return printable(str(fields.get("what")))
    if is_probe(str(fields.get("session", ""))):
        return "probe"
    if event == "refusal":
        return "refused"
    if end is None and fields.get("runs") == "agent":
        return "allowed"
    if end is None:
        return str(event) if event in {"passed", "observed", "file"} else str(fields.get("became", "started"))
    if end.get("outcome"):  # in the words of the agent that ran it
        return printable(str(end["outcome"]))
    if end.get("failure"):
        return "not started"
    if end.get("timed_out"):
        return "timed out"
    if end.get("signal") is not None:
        return f"signal {end['signal']}"
    return f"exit {end.get('exit')}" if end.get("exit") is not None else "interrupted"


def local(moment: str) -> str:
    """Return a time of the log in the local time zone, to the second."""
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return printable(moment)


def _head(when: str, outcome: str, command: str, *, why: bool, width: int | None) -> str:
    """The first line; on a narrow terminal two, because beside the time no command that says anything has room."""
    if width is None or width >= ROOMY:
        head = f"{when}  {outcome:12}  "
        return head + (command if why or width is None else shorten(command, width - len(head), "…"))
    return f"{when}  {outcome}\n  {command if why else shorten(command, width - 2, '…')}"


def _change(fields: Fields) -> str:
    """Return what was changed: the entry with its verdict, or the file."""
    named = fields.get("entry") or fields.get("file") or ", ".join(_rest(fields))
    return " ".join(str(each) for each in (fields.get("decision"), named) if each)


def _rest(fields: Fields) -> list[str]:
    """Return what only some changes say, each with its name."""
    return [f"{name} {value}" for name, value in fields.items() if name not in OF_EVERY_CHANGE and value is not None]


def _why(fields: Fields) -> list[str]:
    """Return why a call ran or was refused, who said so, where it ran, and what held it there."""
    rows = [f"    {each.get('code')}: {each.get('message')}{_where(each)}" for each in fields.get("reasons", ())]
    if proposed := proposed_of(fields):
        rows.append(f"    the agent proposed: {proposed}")
    known = tuple(message for each in fields.get("reasons", ()) if (message := str(each.get("message") or "")))
    if (error := str(fields.get("error") or "")) and not error.endswith(known):  # the breaker only repeats a reason
        rows.append(f"    {error}")
    if fields.get("event") == "passed":
        rows.append("    left to the agent's own prompt")
    if fields.get("event") == "observed":
        rows.append(f"    only observed: asimi would have said {fields.get('verdict')}, and the agent decided")
    end = fields.get("end") or {}
    if end.get("command"):
        rows.append(f"    the agent says it ran another command: {end['command']}")
    if end.get("error"):
        rows.append(f"    the agent says: {end['error']}")
    if (approval := fields.get("approval") or {}) and approval.get("by") != "policy":
        rows.append(f"    {_answer(approval)}")
    held = [f"sandbox {fields['sandbox']}"] if fields.get("sandbox") else []
    place = f"in {fields['host']}:" if fields.get("host") else "in "
    place += str(fields.get("directory", "?"))
    agent, call = f"for {fields.get('agent') or '?'}", f"call {fields.get('id')}"
    return [*rows, f"    {', '.join([place, *held, agent, call, _user(fields)])}"]


NOBODY = {"nobody": "nobody could be asked", "clock": "nobody answered"}
"""What is said where nobody gave an answer."""


def _answer(approval: Fields) -> str:
    """Return who answered the question, for how long and after how long, and what was stored."""
    said, rules = said_by(str(approval.get("by"))), approval.get("rules", ())
    if said in NOBODY and not approval.get("yes"):
        return NOBODY[said]
    lasting = f", {_scope_words(approval)}" if approval.get("yes") or rules else ""
    stored = "".join(f"; {rule}" for rule in rules)
    return f"{'yes' if approval.get('yes') else 'no'} by {said}{lasting}{_after(approval)}{stored}"


def _after(approval: Fields) -> str:
    """Return how long an answer took, where somebody had to wait for it."""
    seconds = approval.get("seconds", 0)
    return f", after {seconds:.0f} s" if isinstance(seconds, (int, float)) and seconds >= 1 else ""


def _scope_words(approval: Fields) -> str:
    """Return how long an answer holds, and where."""
    scope = str(approval.get("scope"))
    where = {"project": " in this project", "always": " everywhere"}.get(scope, "")
    if "until" in approval:
        return f"until {local(str(approval['until']))}{where}"
    return f"for {approval['calls']} calls" if "calls" in approval else f"from now on{where}" if where else scope


def _user(fields: Fields) -> str:
    return f"user {fields.get('user') or '?'}"


def _refusal_line(fields: Fields, *, why: bool) -> str:
    """Return an execution beneath a call that was refused."""
    name, *words = map(str, fields.get("argv") or [""])
    command = printable(command_of({"command": name, "arguments": words}))
    if not why:
        return f"    refused  {command}"
    refused = RefusedExecution(*(fields.get(name) for name in RefusedExecution._fields))  # type: ignore[arg-type]  # as it was written
    return printable(f"    {denial(command, refused)}")


def _where(reason: Fields) -> str:
    places = [str(reason[name]) for name in ("rule", "source") if reason.get(name)]
    return f" ({', '.join(places)})" if places else ""


def _break_row(row: str, width: int) -> str:
    """Return a row below a call, broken between words where the terminal ends."""
    return "\n".join("    " + line for line in fit_text(row.strip(), width - 4).split("\n"))
