"""`asimi config`: the configuration files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose.asking import choose
from asimi.core.extras import is_installed, load
from asimi.core.wording.dialog import Choice, Menu, Section
from asimi.doors.cli.base import Command, Group, application, configured, options_of
from asimi.doors.cli.printing import NO_FILE, fitted, out, quoted
from asimi.world.config.presets import PRESETS, Start, beginning
from asimi.world.host.terminal import printable, short_path, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from asimi.compose import Options
    from asimi.world.checks import Definitions
    from asimi.world.config import Configuration

NEXT = (
    "next     asimi wrap AGENT          runs an agent in a box, which asks least (Linux, with bubblewrap)",
    "         asimi hook install AGENT  asks asimi before each command of an agent; `asimi help agents` names them",
    "         asimi check 'ls'          says what would become of a command, and why",
)
"""What to do once there is a configuration."""

SHORTER = (
    "next     allow something in it; `asimi config init --preset developer --force` writes a shorter one that does",
)
"""The same where the file allows nothing."""

NOTIFIERS = (
    (
        "TMUX",
        "tmux",
        "opens a popup to answer in",
        'tmux display-popup -E -w 90% -h 90% \\"asimi approve $ASIMI_QUESTION\\"',
    ),
    ("", "notify-send", "shows a notification", 'notify-send -- asimi \\"$ASIMI_COMMAND\\"'),
)
"""What can tell a person of a question: a variable that must be set, the program, what it does, the shell's line."""


def notifiers(environ: Mapping[str, str]) -> list[str]:
    """Return how a person of this machine could be told of a question that waits, a line for each way."""
    from shutil import which

    return [
        f'notice   notify = ["sh", "-c", "{line}"] in [session] {does} when a question waits'
        for variable, program, does, line in NOTIFIERS
        if (not variable or environ.get(variable)) and which(program, path=environ.get("PATH"))
    ]


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
    project, its checks, local git that loses nothing) or ci (the same, and the rest is refused). It shows the file
    before it writes it. --preset takes one without asking. Without a terminal and a preset, it is every key with its
    default. Where another agent's permissions are found, it offers to import them.
    """
    from asimi.compose import may_ask
    from asimi.compose.asking import at_a_terminal
    from asimi.compose.configuration import configuration_of
    from asimi.compose.keeping import checks_of, log_of
    from asimi.doors.cli.require_person import require_person
    from asimi.world.config.presets import check_absent
    from asimi.world.config.presets import init as write

    require_person("write the configuration")
    options, given = options_of(context), _preset(preset)
    configuration = configuration_of(options)
    if not force:
        check_absent(configuration)
    checks = checks_of(configuration.places)
    now = checks.definitions(configuration.root)  # before they are shown, so no later change counts
    chosen, asked = _agreed(options, configuration, given)
    first = not os.path.lexists(configuration.file)
    with log_of(configuration).changing("config init", {"file": configuration.file}):
        path = write(configuration, chosen, force=force)
    out(fitted(f"written  {path}"))
    if now and any(rule.checks for rule in configuration.rules()) and (asked or (first and options.config is None)):
        _confirm_checks(configuration, now, asked=asked)
    if is_installed("permissions"):
        load("permissions", "importing").offer(
            configuration, asking=given is None and may_ask(options) and at_a_terminal()
        )
    for told in notifiers(os.environ):
        out(fitted(told, indent=9))
    call = "asimi" if options.config is None else f"asimi --config {quoted([options.config])}"
    for line in NEXT if chosen else SHORTER:
        out(fitted(line.replace("asimi config", f"{call} config").replace("asimi check", f"{call} check"), indent=9))


def offered(configuration: Configuration) -> None:
    """Let the person at the terminal choose a preset where there is no file yet, and write it; or leave it."""
    from asimi.compose.keeping import checks_of, log_of
    from asimi.world.config.presets import init as write

    checks = checks_of(configuration.places)
    now = checks.definitions(configuration.root)  # before they are shown, so no later change counts
    if (chosen := wanted(configuration, checks.listed(configuration.root))) is not None:
        with log_of(configuration).changing("config init", {"file": configuration.file}):
            path = write(configuration, chosen, force=False)
        out(fitted(f"written  {path}"))
        if now and any(rule.checks for rule in configuration.rules()):
            _confirm_checks(configuration, now, asked=True)


def _agreed(options: Options, configuration: Configuration, given: Start | None) -> tuple[Start | None, bool]:
    """Return what the file starts from, once its person agreed to replace a file; None for every key with its default.

    Returns:
        It, and whether a person was asked at a terminal.

    Raises:
        typer.Exit: they did not.
    """
    from asimi.compose import may_ask
    from asimi.compose.asking import at_a_terminal
    from asimi.compose.keeping import checks_of

    if given is None and may_ask(options) and at_a_terminal():
        if (chosen := wanted(configuration, checks_of(configuration.places).listed(configuration.root))) is None:
            out("nothing was written")
            raise typer.Exit(126)
        return chosen, True
    if os.path.lexists(configuration.file) and not configuration.unattended:
        from asimi.doors.cli.require_person import UNATTENDED, confirmed

        question = f"This replaces {printable(configuration.file)} and everything it denies. Do you want that?"
        if not confirmed(question, otherwise=UNATTENDED):
            raise typer.Exit(126)
        return given, True
    return given, False


def _confirm_checks(configuration: Configuration, now: Definitions, *, asked: bool) -> None:
    """Confirm the checks of the project that asimi was started in, and say so."""
    from asimi.compose.keeping import checks_of, log_of

    root = configuration.root
    by = "terminal" if asked else "config init, nobody was asked"
    with log_of(configuration).changing("checks", {"file": root, "by": by}):
        names = ", ".join(map(printable, checks_of(configuration.places).confirm(root, now))) or "only below it"
    out(fitted(f"confirmed  the checks of {printable(root)} as they are now: {names}"))


def _preset(name: str | None) -> Start | None:
    """Return the preset of a name, as it is.

    Raises:
        AsimiError: there is none of that name.
    """
    from asimi.core.errors import AsimiError

    for preset in PRESETS:
        if preset == name:
            return Start(preset)
    if name is None:
        return None
    raise AsimiError(f"There is no preset {name!r}; choose one of {', '.join(PRESETS)}")


@config.command(cls=Command)
def show(context: typer.Context) -> None:
    """Print every effective value, and the file and line it comes from; and what groups of names come to now."""
    from asimi.compose.reaching import in_words, members_of

    configuration = configured(context)
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
    from asimi.compose.keeping import log_of
    from asimi.core.errors import AsimiError
    from asimi.doors.cli.observed import changed_line, difference
    from asimi.doors.cli.require_person import confirmed, require_person
    from asimi.world.config.observing import end
    from asimi.world.host.places import replace

    require_person("end what is only observed")
    configuration = configured(context)
    if configuration.observing() is None:
        raise AsimiError('asimi does not only observe here: unlisted = "observe" is in no file that counts')
    number, text = changed_line(configuration)
    out(fitted(f'{configuration.file}:{number}: unlisted = "observe" becomes unlisted = "ask".'))
    for sentence in difference(options_of(context)):
        out(fitted(sentence, indent=13 if sentence.startswith(" ") else 0))
    if not confirmed("Do you want that?"):
        raise typer.Exit(126)
    with log_of(configuration).changing("config enforce", {"file": configuration.file, "by": "terminal"}):
        replace(configuration.file, text.encode(), 0o644)
        end(configuration.places.state)
    out(fitted(f"written  {configuration.file}"))


@config.command(cls=Command)
def schema(context: typer.Context) -> None:
    """Print the JSON Schema of a configuration file, for editors."""
    import json

    from asimi.world.config.describe import schema as shape

    del context
    out(json.dumps(shape(), indent=2))


@config.command(cls=Command)
def check(context: typer.Context) -> None:
    """Read every file as a run would, and show which are in force. The exit code is 125 if one cannot be used.

    A note says what has no effect: lines that need trust, sandboxes and exec rules that hold nothing. `asimi policy
    lint` finds what is wrong with rules that can be used.
    """
    configuration = configured(context)
    shared = configuration.shared()
    for level, path in configuration.files():
        out(f"ok  {level}  {path}" + (f"  ({printable(shared.words)})" if shared and level == "team" else ""))
    for notice in (*configuration.notices(), *configuration.idle()):
        out(f"note  {printable(notice)}")
    if configuration.rules():
        out("next  asimi policy lint  finds rules that never match, are wider than they look, or end soon")
    if not configuration.files():
        out(f"ok  {NO_FILE} ({configuration.file})")


WRITE = Choice("y", "write", "write it", "write it")
OTHER = Choice("b", "back", "choose another", "back")
WITHOUT = Choice("s", "services", "leave out looking at services", "without services")

MOST_CHECKS = 6
"""Checks that are shown one by one, so that all fits on a screen."""

LONGEST = 120
"""Characters that are shown of what a check runs."""


def wanted(configuration: Configuration, checks: Sequence[tuple[str, str]]) -> Start | None:
    """Return the preset that the person at the terminal chose, as they want its file; None if they leave.

    Args:
        configuration: whose file it is.
        checks: those of the project, each with what it runs.
    """
    names = {Choice(name[0], name, name, name): name for name in PRESETS}
    presets = Section("", tuple((f"[{choice.key}] {name}", PRESETS[name]) for choice, name in names.items()))
    first = Menu("asimi: what runs without asking?", (presets, _found(configuration.root, checks)), tuple(names))
    while (choice := choose(first)) in names:
        start = Start(names[choice])
        answer: Choice | None = WITHOUT
        while answer == WITHOUT:
            out("\n".join(f"| {printable(line)}".rstrip() for line in beginning(configuration, start).splitlines()))
            answer = choose(_last(configuration, start, checks))
            start = start._replace(queries=False) if answer == WITHOUT else start
        if answer == WRITE:
            return start
        if answer != OTHER:
            break
    return None


def _found(root: str, checks: Sequence[tuple[str, str]]) -> Section:
    """Return the checks of the project, of which a preset allows more."""
    if not checks:
        return Section(f"No checks were found in {short_path(root)}; `asimi trust` confirms those of a project.")
    rows = tuple((name, shortened(runs or "?", LONGEST)) for name, runs in checks[:MOST_CHECKS])
    more = len(checks) - MOST_CHECKS
    words = f"Checks of {short_path(root)}, which run code that the agent may have written:"
    return Section(words, (*rows, (f"and {more} more", "not shown here")) if more > 0 else rows)


def _last(configuration: Configuration, start: Start, checks: Sequence[tuple[str, str]]) -> Menu:
    """Return the question whether to write the file that was shown."""
    place = short_path(configuration.file)
    there = os.path.lexists(configuration.file)
    does = f"This replaces {place} and everything it denies." if there else f"It goes to {place}"
    confirms = f"The checks of {short_path(configuration.root)} may run as they are now."
    looks = "Commands may look at services with the logins that you have set up: gh pr view, kubectl get, aws s3 ls."
    said = [does, confirms if checks and start.preset != "reader" else "", looks if start.asks_services else ""]
    choices = (WRITE, WITHOUT, OTHER) if start.asks_services else (WRITE, OTHER)
    return Menu(f"asimi: write this {start.preset} file?", tuple(map(Section, filter(None, said))), choices)
