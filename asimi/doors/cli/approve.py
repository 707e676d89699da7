"""`asimi approve` and `asimi watch`: the questions of calls without a terminal of their own."""

from __future__ import annotations

import time
from asyncio import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asimi.compose.asking import OPENED, at_a_terminal, open_desk
from asimi.compose.configuration import configuration_of
from asimi.core.errors import AsimiError
from asimi.core.extras import load
from asimi.core.syntax import line_of
from asimi.core.wording.visible import visible
from asimi.doors.cli.base import Command, UsageError, application, option_named, options_of
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.require_person import require_person
from asimi.doors.running import run, until_told
from asimi.world.approvals.tickets import all_refusals
from asimi.world.host.terminal import say

if TYPE_CHECKING:
    from asimi.compose import Options
    from asimi.doors.running import Stop

approve, watch = application(), application()

Team = Annotated[bool, typer.Option("--team", help="The questions of your team, on whatever machine they are asked.")]
Key = Annotated[str, option_named("--key", "With --team: your private key; default: ~/.ssh/id_ed25519.", "FILE")]
Waiting = Annotated[
    bool, typer.Option("--until-none-waits", help="End once no call waits; what takes a typed word is not shown.")
]
Credentials = Annotated[
    str, option_named("--credentials", "With --team: your seed; default: team.seed beside the configuration.", "FILE")
]


@approve.command(cls=Command)
def _approve(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(metavar="[ID]", show_default=False, help="The question; default: all, one after the other."),
    ] = "",
    show: Annotated[bool, typer.Option("--list", help="Only list the questions.")] = False,  # noqa: FBT002
    team: Team = False,  # noqa: FBT002
    key: Key = "",
    credentials: Credentials = "",
) -> None:
    """Answer questions that asimi could not ask on a terminal.

    Without an ID, it goes through all of them: first those that a call waits for, newer before older ones. > skips
    one, < goes back, and Ctrl-C answers nothing and ends.

    A waiting call gets the answer at once. A call that asimi already refused stays refused; your yes counts when
    exactly the same call is made again in the same session.

    With --team, the questions are those of your team's machines; each answer is signed with your key, whose passphrase
    ssh-keygen asks for.

    The exit code is 0 if every answer arrived, else 1.
    """
    options = options_of(context)
    _check_team(team, key, credentials)
    if team:
        _check_person()
        raise typer.Exit(_answer_for_team(options, key, credentials, name, show=show))
    if show:
        if name:
            raise UsageError("--list shows all questions; give it or an ID, not both.")
        _list(options)
        return
    _check_person()
    raise typer.Exit(_answer_here(options, name))


@watch.command(cls=Command)
def _watch(
    context: typer.Context,
    until_none_waits: Waiting = False,  # noqa: FBT002
    team: Team = False,  # noqa: FBT002
    key: Key = "",
    credentials: Credentials = "",
) -> None:
    """Wait for questions that asimi cannot ask on a terminal, and show each one, until Ctrl-C.

    While this runs, such calls wait for your answer for up to session.ask_timeout; otherwise asimi refuses them at
    once. If your configuration has questions = "asimi" in [session], the questions of agents that could ask by their
    own prompt come here first, and the agents ask only what nobody answered here. With --team, it shows the questions
    of your team's machines, and signs each answer with your key.
    """
    _check_team(team, key, credentials)
    _check_person()
    if team:
        if until_none_waits:
            raise UsageError("--until-none-waits is for the questions of this machine.")
        raise typer.Exit(_answer_for_team(options_of(context), key, credentials, None))
    raise typer.Exit(
        _show_waiting(options_of(context)) if until_none_waits else _answer_here(options_of(context), None)
    )


def _check_team(team: bool, key: str, credentials: str) -> None:  # noqa: FBT001 - it is the option
    """Refuse what means nothing without --team.

    Raises:
        UsageError: it does.
        AsimiError: there is no such extra.
    """
    if team:
        load("team")
    if (key or credentials) and not team:
        raise UsageError("--key and --credentials are for --team.")


def _answer_for_team(options: Options, key: str, credentials: str, name: str | None, *, show: bool = False) -> int:
    """Answer questions of the team, as `_answer_here` does those of this machine; the exit code."""

    async def work(stop: Stop) -> int:
        desk = load("team", "parts").open_team_desk(options, key, credentials, say=_tell, ending=lambda: bool(stop))
        return await until_told(_at_team_desk(desk, name, show=show), stop) or 0

    return run(work)


async def _at_team_desk(desk: Any, name: str | None, *, show: bool) -> int:
    """Answer one question of the team, all there are (an empty name), or each that comes (None); the exit code."""
    async with desk.opened():
        if name is None:
            _tell("Waiting for the team's questions; press Ctrl-C to stop.")
            await desk.watch()
            return 0
        await sleep(desk.hearing)
        found = [asked for asked in desk.questions() if asked.id.startswith(name)]
        if not found:
            _tell(f"There is no question {name}: it was answered, or it ended." if name else "No questions.")
        failed = not found and bool(name)
        for asked in found:
            if show:
                _show(asked)
            elif not await desk.answer(asked):
                failed = True
        return int(failed)


def _show(asked: Any) -> None:
    """Two lines for a question of the team."""
    request = asked.question.request
    out(f"{asked.id[:8]}  {visible(asked.origin)}, in {visible(request.place.path)}")
    out(f"    {visible(line_of(request))}")


def _tell(text: str) -> None:
    """Tell the person a line."""
    if text:
        say(fit(f"asimi: {text}", 2))


def _check_person() -> None:
    """Go on only if a person can answer.

    Raises:
        AsimiError: nobody is at this terminal.
    """
    require_person("answer questions")
    if not at_a_terminal():
        raise AsimiError("Only a person at a terminal can answer questions, and asimi is not in the foreground of one")


def _answer_here(options: Options, name: str | None) -> int:
    """Answer one question, all there are (an empty name), or each that comes (None); the exit code."""

    async def work(stop: Stop) -> int:
        desk = open_desk(options, say=_tell, ending=lambda: bool(stop))
        if name:
            return 0 if await desk.answer(name) else 1
        questions, faults = desk.questions()
        for fault in faults:
            _tell(fault)
        _tell_of_refusals(options)
        if name is None:
            refused = sum(not entry.waiting for entry in questions)
            _tell(_watch_note(options))
            _tell(f"Refused calls that you can still allow: {refused} (asimi approve)." if refused else "")
            _tell("Waiting for questions; press Ctrl-C to stop.")
            await desk.watch()
            return 0
        _tell("" if questions else "No questions.")
        return int(not await desk.go_through())

    return run(work)


def _show_waiting(options: Options) -> int:
    """Show what waits, until nothing does; the exit code."""

    async def work(stop: Stop) -> int:
        await open_desk(options, say=_tell, ending=lambda: bool(stop), quiet=OPENED).show_waiting()
        return 0

    return run(work)


def _watch_note(options: Options) -> str:
    """Return which questions a watch gets that an agent could ask by its own prompt."""
    if configuration_of(options).settings().session.questions == "asimi":
        return 'Agents ask here first, before their own prompts (questions = "asimi" in [session]).'
    return (
        'Agents that surely ask at their own prompt do so; questions = "asimi" in [session] makes them ask here first.'
    )


def _tell_of_refusals(options: Options) -> None:
    """Say how much asimi denies without a question, because it was refused too often."""
    configuration = configuration_of(options)
    limit = configuration.settings().session.breaker
    often = [each for each in all_refusals(configuration.places.runtime) if limit is not None and each.times >= limit]
    if often:
        _tell(f"Denied without a question, because it was refused before: {len(often)} (asimi session list).")


def _list(options: Options) -> None:
    """A line for each question."""
    desk = open_desk(options, say=lambda _: None, ending=lambda: False)
    questions, faults = desk.questions()
    for entry in questions:
        request = entry.question.request
        seconds = max(0, int(entry.until - time.time()))
        state = "waits" if entry.waiting else "refused"
        process = f"{request.agent or 'asimi'}, process {entry.pid}"
        who = visible(process if entry.session is None else entry.session.label)
        place = visible(f"{request.place.host}:{request.place.path}" if request.place.host else request.place.path)
        out(f"{entry.id}  {state:7}  {seconds // 60}:{seconds % 60:02} left  {who}, in {place}")
        out(f"    {visible(line_of(request))}")
    for fault in faults:
        say(f"asimi: {fault}")
    if not questions:
        say("asimi: No questions.")
