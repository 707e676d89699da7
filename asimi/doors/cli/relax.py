"""`asimi relax`: fewer questions for a while, in this project."""

from __future__ import annotations

from time import time as now
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.call import Verdict
from asimi.core.judging.rules import Rule, entry_for
from asimi.core.wording.effects import does
from asimi.doors.cli.base import Command, UsageError, application, options_of
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.require_person import confirm_at_terminal, forbidden, require_person, seconds_of
from asimi.world.audit.chain import moment
from asimi.world.config.store import RuleStore
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from asimi.world.config import Configuration

EFFECTS = ("read", "write", "network", "code")
"""The effects that can be allowed for a while; asimi asks about deletes, publishing and the system as before."""

relax = application()


@relax.command(cls=Command)
def _relax(
    context: typer.Context,
    time: Annotated[str, typer.Argument(metavar="TIME", show_default=False, help="How long: 30m, 2h; at most 8h.")],
    effects: Annotated[
        str, typer.Option(metavar="E,...", help="Only what has no other effects than these.")
    ] = ",".join(EFFECTS),
) -> None:
    """Ask less for a while in this project: allow what only reads, writes files, uses the network or runs code.

    It only answers the question about a command that no rule allows. asimi still asks about deletes, what others see,
    installed software, services, what it does not know, secrets, writes elsewhere and a check that has changed, and
    your own deny and ask rules hold. You confirm it at the terminal, even with --yes. `asimi policy list` shows what is
    left, `asimi policy remove NUMBER` ends it. An administrator's file can forbid it (relax = false in [session]).

    Example: `asimi relax 30m --effects read,network`.
    """
    require_person("relax the policy")
    options = options_of(context)
    if options.host:
        raise UsageError("asimi relax is for this machine; --host means nothing here.")
    seconds, wanted = seconds_of(time), _effects(effects)
    configuration = configuration_of(options)
    settings = configuration.settings()
    if not settings.session.relax:
        raise forbidden(configuration, "relax", "asimi relax")
    if not confirm_at_terminal(_question(configuration, time, wanted, placed=settings.policy.terms.placed)):
        raise typer.Exit(126)
    until = now() + seconds
    rule = _rule(wanted, until)
    store = RuleStore(configuration)
    said = {"decision": "allow", "entry": rule.entry, "file": store.place_of_entries(project=True), "by": "terminal"}
    with log_of(configuration).write_changes("relax", said | {"until": moment(until)}):
        path = store.remember((rule,), project=True)
    out(fit(f"relaxed  {rule.entry}, in this project, for {time}  ({path})"))
    out(fit("next     asimi policy list  shows what is left of it; asimi policy remove NUMBER  ends it", indent=9))


def _effects(text: str) -> tuple[str, ...]:
    """Return the effects that a person named, in our order.

    Raises:
        UsageError: one of them cannot be relaxed.
    """
    named = text.split(",")
    for each in named:
        if each not in EFFECTS:
            raise UsageError(f"--effects: {each!r} cannot be relaxed; it takes {', '.join(EFFECTS)}.")
    return tuple(each for each in EFFECTS if each in named)


def _rule(effects: tuple[str, ...], until: float) -> Rule:
    """Return the rule for all that has these effects and no others, on this machine."""
    rule = Rule(Verdict.ALLOW, None, (), "", effects=effects, expires=until)
    return rule._replace(entry=entry_for(rule), host="")


def _question(configuration: Configuration, time: str, effects: tuple[str, ...], *, placed: bool) -> str:
    """Return the question for the person, which says how wide the rule is."""
    where = printable(configuration.root)
    stays = "deletes, what others see, software and services, what it does not know, secrets, writes elsewhere"
    lines = [
        f"For {time}, in this project ({where}), asimi would allow each command that only {does(effects)}.",
        f"It would still ask about {stays}, changed checks, and all that your rules ask about, and keep your denies.",
    ]
    if "write" in effects and not placed:
        lines.append("[files] write is not set, so this allows writes anywhere that you may write.")
    if "code" in effects:
        lines.append("What the code that it runs does is not checked; it may do anything that you may do.")
    return "\n".join(map(fit, (*lines, "Do you want that?")))
