"""`asimi session`: the approvals that hold for a session, and what was refused in it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose import places, session_name
from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.errors import AsimiError
from asimi.core.judging.breaker import lifted_by, times_in_words
from asimi.doors.cli.base import Command, Group, UsageError, application, options_of, said_by
from asimi.doors.cli.printing import fit, out, plural
from asimi.doors.cli.require_person import require_person
from asimi.world.approvals.sessions import session_of
from asimi.world.approvals.tickets import all_refusals, lift, tickets
from asimi.world.approvals.tickets import forget as forgotten
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from asimi.compose import Options
    from asimi.core.call import Session
    from asimi.world.approvals import StandingApproval

session = application(cls=Group, help="Show and take back what sessions approved and refused.", no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="[NAME]", show_default=False, help="A named session; default: this terminal's.")
]


@session.command("list", cls=Command)
def list_(context: typer.Context) -> None:
    """Show the sessions that hold approvals, and until when, and those in which something was refused."""
    approved, refused = _approvals(options_of(context)), all_refusals(places().runtime)
    if not approved:
        out("No session holds an approval.")
    names = [each.session for each in approved] + [each.session for each in refused]
    for name in dict.fromkeys(names):
        said = []
        if held := [each for each in approved if each.session == name]:
            last = max((each.until for each in held if each.until is not None), default=None)
            said.append(f"{plural(len(held), 'approval')} since {_time(held[0].since)}{_until(last)}")
        if there := [each for each in refused if each.session == name]:
            said.append(f"{len(there)} refused, last at {_time(there[-1].last)}")
        out(fit(f"{printable(name)}  {'; '.join(said)} (asimi session show NAME)"))


@session.command(cls=Command)
def show(context: typer.Context, name: Name = "") -> None:
    """Show the approvals of one session, and what was refused in it.

    For each approval: what it allows, until when, and the question it answered. For what was refused: how often. As
    often as session.breaker says in one project, and the same is denied there without a question, however it is
    written, until you take that back.
    """
    chosen = _session_for(options_of(context), name)
    held = [each for each in _approvals(options_of(context)) if each.session == chosen.label]
    for each in held:
        what = each.rule.line if each.rule.line is not None else each.rule.entry
        out(fit(f"{printable(what)}  ({each.rule.tool or 'both tools'}, in {each.rule.directory or each.root})"))
        left = {None: "", 1: ", for 1 more call"}.get(each.rule.uses, f", for {each.rule.uses} more calls")
        said = f"    since {_time(each.since)}{_until(each.until)}{left}, by {said_by(each.by or 'a person')}"
        out(fit(said, indent=6))
        if each.question:
            out(fit(f"    asked: {printable(each.question)}", indent=6))
    if not held:
        out(f"{printable(chosen.label)} holds no approvals.")

    refused = [each for each in all_refusals(places().runtime) if each.session == chosen.label]
    for fact in refused:
        out(fit(f"{printable(fact.question)}  (refused {times_in_words(fact.times)} in one form or another)"))
        out(fit(f"    in {printable(fact.root)}, last at {_time(fact.last)}", indent=6))
    if refused:
        out(fit(f"To have this asked about again: {lifted_by(chosen.label)}"))


@session.command(cls=Command)
def forget(
    context: typer.Context,
    name: Name = "",
    everything: Annotated[bool, typer.Option("--all", help="Those of every session.")] = False,  # noqa: FBT002
    refused: Annotated[  # noqa: FBT002
        bool, typer.Option("--refused", help="Only what was refused; approvals stay. It is asked about again.")
    ] = False,
) -> None:
    """Take back what was approved in a session, and what was refused, in every project."""
    if everything and name:
        raise UsageError("NAME and --all cannot be combined.")
    require_person("have asked again what was refused")
    options = options_of(context)
    chosen = None if everything else _session_for(options, name)
    if not refused:
        number = forgotten(places().runtime, chosen)
        out(f"{plural(number, 'approval')} taken back")
    lifted = lift(places().runtime, chosen)
    if lifted:
        log_of(configuration_of(options)).change("session forget", refused=str(lifted), whose=chosen and chosen.label)
    if lifted or refused:
        out(f"{lifted} refused before, now asked about again")


def _approvals(options: Options) -> list[StandingApproval]:
    """Return the approvals of all sessions."""
    configuration = configuration_of(options)
    return tickets(configuration.places.runtime, configuration.settings().session.max_age)


def _session_for(options: Options, name: str) -> Session:
    """Return the session that is meant.

    Raises:
        AsimiError: there is no session.
    """
    chosen = session_of(name or session_name(options))
    if chosen is None:
        raise AsimiError("Without a terminal there is no session; name one, or list them all with: asimi session list")
    return chosen


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _until(seconds: float | None) -> str:
    return "" if seconds is None else f", until {_time(seconds)}"
