"""`asimi config`: the configuration files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose import may_ask
from asimi.compose.asking import at_a_terminal, choose
from asimi.compose.configuration import configuration_of
from asimi.compose.reaching import in_words, members_of
from asimi.compose.stores import checks_of, log_of
from asimi.core.errors import AsimiError
from asimi.core.extras import is_installed, load
from asimi.core.wording.dialog import Choice, Menu, Section
from asimi.doors.cli.base import Command, Group, application, configuration_for, options_of
from asimi.doors.cli.observed import changed_line, difference
from asimi.doors.cli.printing import NO_FILE, fit, out, quote_words
from asimi.doors.cli.require_person import UNATTENDED, confirm_at_terminal, require_person
from asimi.world.config.describe import schema as shape
from asimi.world.config.observing import end
from asimi.world.config.presets import PRESETS, Start, check_absent, starter_file
from asimi.world.host.places import replace
from asimi.world.host.terminal import printable, short_path, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.world.checks import Definitions
    from asimi.world.config import Configuration

NEXT = "next     asimi init  finds the agents on this machine, and says how to start them behind asimi"
"""What to do once there is a configuration."""

SHORTER = "next     allow something in it; `{} config init --preset developer --force` writes a shorter one that does"
"""The same where the file allows nothing."""

config = application(cls=Group, help="Write, show and check the configuration files.", no_args_is_help=True)


@config.command(cls=Command)
def init(
    context: typer.Context,
    preset: Annotated[
        str | None, typer.Option("--preset", metavar="reader|developer|ci", help="What the file allows to begin with.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,  # noqa: FBT002
) -> None:
    """Write a file to start from.

    On a terminal, asimi asks which of the presets: reader (what only reads runs), developer (that, writes in the
    project, its checks, local git that loses nothing) or ci (the same, and the rest is refused). You can see the
    file first. --preset takes one without asking. Without a terminal and a preset, it is every key with its default.
    Where another agent's permissions are found, it offers to import them.
    """
    require_person("write the configuration")
    options, given = options_of(context), preset_of(preset)
    configuration = configuration_of(options)
    if not force:
        check_absent(configuration)
    asks = given is None and may_ask(options) and at_a_terminal()
    if asks and not offer_preset(configuration, force=force):
        out("nothing was written")
        raise typer.Exit(126)
    if not asks:
        replaces = os.path.lexists(configuration.file) and not configuration.is_unattended
        question = f"This replaces {printable(configuration.file)} and everything it denies. Do you want that?"
        if replaces and not confirm_at_terminal(question, otherwise=UNATTENDED):
            raise typer.Exit(126)
        confirms = replaces or (options.config is None and not os.path.lexists(configuration.file))
        now = checks_of(configuration.places).definitions(configuration.root) if confirms else None
        write(configuration, given, now, asked=replaces, force=force)
    if is_installed("permissions"):
        load("permissions", "importing").offer(configuration, asking=asks)
    call = "asimi" if options.config is None else f"asimi --config {quote_words([options.config])}"
    out(fit(NEXT if asks or given else SHORTER.format(call), indent=9))


def offer_preset(
    configuration: Configuration,
    given: Start | None = None,
    more: Sequence[Section] = (),
    does: str = "",
    *,
    force: bool = False,
) -> bool:
    """Let the person at the terminal choose a preset, and write its file; whether they wanted it.

    Args:
        configuration: whose file it is.
        given: a preset that was chosen already.
        more: what else there is to know.
        does: what else the last yes does.
        force: whether to replace a file that is there.
    """
    checks = checks_of(configuration.places)
    now = checks.definitions(configuration.root)  # before they are shown, so no later change counts
    start = _choose_preset(configuration, checks.names_and_runs(configuration.root), given, more, does)
    if start is not None:
        write(configuration, start, now, asked=True, force=force)
    return start is not None


def write(
    configuration: Configuration, start: Start | None, now: Definitions | None, *, asked: bool, force: bool = False
) -> None:
    """Write the file, and confirm the checks of the project that asimi was started in if it allows checks; say so.

    Args:
        configuration: whose file it is.
        start: what it starts from; None for every key with its default.
        now: the checks as they were before anybody was asked; None where none is confirmed.
        asked: whether a person was asked at a terminal.
        force: whether to replace a file that is there.

    Raises:
        AsimiError: there is one, or it cannot be written.
    """
    from asimi.world.config.presets import init

    root, log = configuration.root, log_of(configuration)
    with log.write_changes("config init", {"file": configuration.file}):
        path = init(configuration, start, force=force)
    out(fit(f"written  {path}{f': preset {start.preset}: {PRESETS[start.preset]}' if start else ''}", indent=9))
    if now and any(rule.checks for rule in configuration.rules()):
        by = "terminal" if asked else "config init, nobody was asked"
        with log.write_changes("checks", {"file": root, "by": by}):
            names = ", ".join(map(printable, checks_of(configuration.places).confirm(root, now))) or "only below it"
        out(fit(f"confirmed  the checks of {printable(root)} as they are now: {names}"))


def preset_of(name: str | None) -> Start | None:
    """Return the preset of a name, as it is.

    Raises:
        AsimiError: there is none of that name.
    """
    start = next((Start(each) for each in PRESETS if each == name), None)
    if name is not None and start is None:
        raise AsimiError(f"There is no preset {name!r}; choose one of {', '.join(PRESETS)}")
    return start


@config.command(cls=Command)
def show(context: typer.Context) -> None:
    """Print every effective value, and the file and line it comes from; and what groups of names come to now."""
    configuration = configuration_for(context)
    rows = configuration.show()
    width = max(len(f"{row.name} = {row.value}") for row in rows)
    for row in rows:
        out(f"{f'{row.name} = {row.value}':{min(width, 60)}}  # {row.origin}")
    for line in in_words(members_of(configuration.settings().network.allow, configuration.root)):
        out(f"# {printable(line)}")
    for notice in configuration.notices():
        out(f"# {notice}")


@config.command(cls=Command)
def enforce(context: typer.Context) -> None:
    """End unlisted = "observe": asimi asks again about what no rule decides.

    It shows the line of your configuration that changes. Of the calls that asimi only observed, it shows those that
    your rules ask about, and how many each preset would ask about. You confirm it at the terminal, even with --yes.
    """
    require_person("end what is only observed")
    configuration = configuration_for(context)
    if configuration.seconds_to_observe() is None:
        raise AsimiError('asimi does not only observe here: unlisted = "observe" is in no file that counts')
    number, text = changed_line(configuration)
    out(fit(f'{configuration.file}:{number}: unlisted = "observe" becomes unlisted = "ask".'))
    for sentence in difference(options_of(context)):
        out(fit(sentence, indent=13 if sentence.startswith(" ") else 0))
    if not confirm_at_terminal("Do you want that?"):
        raise typer.Exit(126)
    with log_of(configuration).write_changes("config enforce", {"file": configuration.file, "by": "terminal"}):
        replace(configuration.file, text.encode(), 0o644)
        end(configuration.places.state)
    out(fit(f"written  {configuration.file}"))


@config.command(cls=Command)
def schema(context: typer.Context) -> None:
    """Print the JSON Schema of a configuration file, for editors."""
    del context
    out(json.dumps(shape(), indent=2))


@config.command(cls=Command)
def check(context: typer.Context) -> None:
    """Read every file as a run would, and show which are in force. The exit code is 125 if one cannot be used.

    A note says what has no effect: lines that need trust, sandboxes and exec rules that hold nothing. `asimi policy
    lint` finds what is wrong with rules that can be used.
    """
    configuration = configuration_for(context)
    shared = configuration.team_policy()
    for level, path in configuration.files():
        out(f"ok  {level}  {path}" + (f"  ({printable(shared.words)})" if shared and level == "team" else ""))
    for notice in (*configuration.notices(), *configuration.idle()):
        out(f"note  {printable(notice)}")
    if configuration.rules():
        out("next  asimi policy lint  finds rules that never match, are wider than they look, or end soon")
    if not configuration.files():
        out(f"ok  {NO_FILE} ({configuration.file})")


WRITE = Choice("y", "write", "write it", "write it")
SEE = Choice("v", "view", "see the file", "see the file")
OTHER = Choice("b", "back", "choose another", "back")
WITHOUT = Choice("s", "services", "leave out looking at services", "without services")

MOST_CHECKS = 6
"""Checks that are shown one by one, so that all fits on a screen."""

LONGEST = 120
"""Characters that are shown of what a check runs."""


def _choose_preset(
    configuration: Configuration,
    checks: Sequence[tuple[str, str]],
    given: Start | None,
    more: Sequence[Section],
    does: str,
) -> Start | None:
    """Return the preset that the person at the terminal chose, as they want its file; None if they leave."""
    names = {Choice(name[0], name, name, name): name for name in PRESETS}
    presets = Section("", tuple((f"[{choice.key}] {name}", PRESETS[name]) for choice, name in names.items()))
    sections = (presets, *more, _checks_section(configuration.root, checks, MOST_CHECKS // (2 if more else 1)))
    first = Menu("asimi: what runs without asking?", sections, tuple(names))
    while True:
        if given is None:
            if (choice := choose(first)) not in names:
                return None
            given = Start(names[choice])
        answer = choose(_last(configuration, given, checks, does))
        if answer == WRITE:
            return given
        if answer not in (SEE, OTHER, WITHOUT):
            return None
        if answer == SEE:
            out("\n".join(f"| {printable(line)}".rstrip() for line in starter_file(configuration, given).splitlines()))
        else:
            given = given._replace(queries=False) if answer == WITHOUT else None


def _checks_section(root: str, checks: Sequence[tuple[str, str]], most: int) -> Section:
    """Return the first checks of the project, of which a preset allows more."""
    if not checks:
        return Section(f"No checks were found in {short_path(root)}; `asimi trust` confirms those of a project.")
    rows = tuple((name, shorten(runs or "?", LONGEST)) for name, runs in checks[:most])
    more = len(checks) - most
    words = f"Checks of {short_path(root)}, which run code that the agent may have written:"
    return Section(words, (*rows, (f"and {more} more", "not shown here")) if more > 0 else rows)


def _last(configuration: Configuration, start: Start, checks: Sequence[tuple[str, str]], more: str) -> Menu:
    """Return the question whether to write the file, which can be seen first."""
    place = short_path(configuration.file)
    there = os.path.lexists(configuration.file)
    goes = f"This replaces {place} and everything it denies." if there else f"It goes to {place}"
    confirms = f"The checks of {short_path(configuration.root)} may run as they are now."
    looks = "Commands may look at services with the logins that you have set up: gh pr view, kubectl get, aws s3 ls."
    said = [goes, more, confirms if checks and start.preset != "reader" else "", looks if start.asks_services else ""]
    choices = (WRITE, SEE, WITHOUT, OTHER) if start.asks_services else (WRITE, SEE, OTHER)
    return Menu(f"asimi: write this {start.preset} file?", tuple(map(Section, filter(None, said))), choices)
