"""`asimi hook`: answers an agent's hook, and installs, removes and tests it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose import places
from asimi.compose.voice import keep_voices, told_of, trial
from asimi.core.errors import AsimiError
from asimi.doors.cli.base import Command, Group, application, configuration_for, options_of
from asimi.doors.cli.observed import state
from asimi.doors.cli.printing import NO_FILE, fit, is_terminal, out
from asimi.doors.cli.require_person import confirm_at_terminal, require_person
from asimi.doors.hooks import AGENTS, GUESTS, settings
from asimi.doors.hooks.agent import agent_of, asker
from asimi.doors.hooks.doctor import examine, hooked_agents
from asimi.doors.hooks.settings import ADMINISTRATORS, apply, to_install, to_uninstall
from asimi.world.config.sources import VERSIONED
from asimi.world.host.places import bases_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from asimi.compose import Options
    from asimi.doors.hooks.agent import Agent as Data
    from asimi.doors.hooks.settings import Change
    from asimi.world.config import Configuration

hook = application(
    cls=Group, no_args_is_help=True, help="Put asimi behind an agent's own hook: install, test and remove it."
)

Agent = Annotated[str, typer.Argument(metavar="AGENT", show_default=False, help=f"One of {', '.join(AGENTS)}.")]
Managed = Annotated[
    bool, typer.Option("--managed", help="For everybody on this machine, in the administrator's file; only root may.")
]
Voice = Annotated[
    str,
    typer.Option(
        metavar="VOICES",
        show_default=False,
        help="Where asimi asks: some of tmux,window,notification, or none; default: as before, at first all.",
    ),
]
Dry = Annotated[bool, typer.Option("--dry-run", help="Show the change without making it.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show the change, and what to know of the agent's hooks.")]


@hook.command(cls=Command)
def install(
    context: typer.Context,
    agent: Agent,
    dry_run: Dry = False,  # noqa: FBT002 - flags
    managed: Managed = False,  # noqa: FBT002
    voice: Voice = "",
    verbose: Verbose = False,  # noqa: FBT002
) -> None:
    """Install the hook in an agent's own settings file.

    Everything else in it stays. asimi keeps where your desktop is, so that its questions find you, and at a terminal
    asks you one to try it.
    """
    require_person("install a hook")
    data, environ, mode = _whose(agent_of(agent), managed=managed, dry_run=dry_run)
    change, directories = to_install(data, environ, places().state), _directory_notes(managed=managed)
    what, wanted = f"Installing the hook for {data.title}", change.before == change.after
    if not (wanted or _shown_and_wanted(options_of(context), what, change, dry_run=dry_run, verbose=verbose)):
        raise typer.Exit(0 if dry_run else 1)
    put_in(None if managed else configuration_for(context), data, change, mode, voice)
    known = (directories, *data.notes, _answer_place(data)) if verbose else (_answer_place(data),)
    for line in (*known, *_voices(context, None if verbose else 1), *_notes(context)):
        out(fit(f"  note: {line}", indent=8))
    out(fit(f"  take it back: asimi hook uninstall {agent}{' --managed' if managed else ''}", indent=8))
    out(fit(f"  test that it works: asimi hook doctor {agent}", indent=8))


def put_in(configuration: Configuration | None, data: Data, change: Change, mode: int = 0o600, voice: str = "") -> None:
    """Install a hook, and say what is left to do.

    Args:
        configuration: what is in force for that person; None for the administrator's hook.
        data: the agent.
        change: what changes in its settings.
        mode: the mode of a new file.
        voice: where asimi asks, as `keep_voices` takes it.

    Raises:
        AsimiError: it cannot be installed.
    """
    _directory_notes(managed=configuration is None)
    if change.before == change.after:
        out(fit(f"{change.path} has the hook already."))
    else:
        apply(change, places().state, mode)
        out(fit(f"{change.path}: the hook for {data.title} is installed."))
    if data.left:
        out(fit(f"  to do: {data.left}", indent=9))
    if configuration is not None:
        keep_voices(configuration, voice)


@hook.command(cls=Command)
def uninstall(context: typer.Context, agent: Agent, dry_run: Dry = False, managed: Managed = False) -> None:  # noqa: FBT002 - flags
    """Remove the hook from an agent's settings file.

    Everything else in it stays.
    """
    require_person("remove a hook")
    if not taken_out(options_of(context), agent, dry_run=dry_run, managed=managed):
        raise typer.Exit(0 if dry_run else 1)


def taken_out(options: Options, agent: str, *, dry_run: bool, managed: bool) -> bool:
    """Take the hook out of one settings file, or show how; whether it is out now.

    Raises:
        AsimiError: it cannot be taken out.
    """
    data, environ, mode = _whose(agent_of(agent), managed=managed, dry_run=dry_run)
    state = places().state
    change = to_uninstall(data, environ, state)
    if change.before == change.after:
        out(f"{change.path} does not have asimi's hook.")
        return True
    if not _shown_and_wanted(options, f"Removing the hook for {data.title}", change, dry_run=dry_run):
        return False
    apply(change, state, mode)
    out(f"{change.path}: the hook for {data.title} is gone; asimi no longer checks its commands.")
    return True


@hook.command(cls=Command)
def doctor(
    context: typer.Context,
    agent: Annotated[
        str,
        typer.Argument(
            metavar="[AGENT]", show_default=False, help="One agent; default: every agent that has the hook."
        ),
    ] = "",
) -> None:
    """Test that the hook works.

    The test runs the very command line that the agent starts.

    The exit code is 0 if everything is in order, else 1.
    """
    names = [agent] if agent else hooked_agents(os.environ)
    if not names:
        out("No agent has asimi's hook; install it with: asimi hook install AGENT")
        raise typer.Exit(1)
    good, voices = True, list(_voices(context))  # first, since whoever calls a hook is no person for asimi from then on
    for name in names:
        data = agent_of(name)
        out(f"{data.title} ({data.known})")
        for finding in examine(data, os.environ):
            mark = "note" if finding.good is None else "ok  " if finding.good else "FAIL"
            out(fit(f"  {mark}  {finding.text}", indent=8))
            good = good and finding.good is not False
        for note in data.notes:
            out(fit(f"  note  {note}", indent=8))
    for note in (*_notes(context), *voices):
        out(fit(f"note  {note}", indent=6))
    raise typer.Exit(0 if good else 1)


def _voices(context: typer.Context, most: int | None = None) -> Iterator[str]:
    """Yield where questions appear when nobody watches, at most so many notes, and how a trial question went."""
    try:
        yield from told_of(configuration_for(context))[:most]
        if not options_of(context).yes and (became := trial(configuration_for(context))):
            yield became
    except AsimiError as error:
        yield str(error)


def _answer_place(data: Data) -> str:
    """Return where an agent's person answers, in words."""
    own = [mode for mode in data.modes if asker(data, mode) == "its own prompt"]
    if all(event.ask is None for event in data.events if event.installed):
        return f"{data.title} cannot ask you for asimi, so asimi asks you itself, and the agent waits for your answer."
    modes = f" in the modes {', '.join(mode.name for mode in own)}; in others asimi asks itself" if own[0].path else ""
    return f"{data.title} asks you by its own prompt{modes}."


def _notes(context: typer.Context) -> list[str]:
    """Return what the configuration says and no agent's hook can keep; others report a broken configuration."""
    try:
        if not configuration_for(context).files():
            return [NO_FILE]
        confined = configuration_for(context).settings().policy.confined
    except AsimiError:
        return []
    notes = [text] if (text := state(configuration_for(context))) else []
    for rule in confined:
        what, then = ("checks", "run as they do without it") if rule.checks else (rule.entry, "is asked about")
        notes.append(f"{rule.source}: agents start commands themselves, so here no sandbox holds {what}, which {then}")
    return notes


def _directory_notes(*, managed: bool) -> str:
    """Return which directories the hook keeps to, in words.

    Raises:
        AsimiError: one of them is in the project, where the agent can write.
    """
    if managed:
        return "The hook keeps to the home that the system knows of whoever starts the agent, whatever HOME says."
    bases = bases_of(os.environ)
    project = os.path.realpath(os.getcwd())
    while project != os.path.dirname(project) and not any(os.path.lexists(f"{project}/{each}") for each in VERSIONED):
        project = os.path.dirname(project)
    own = project == "/" or f"{os.path.realpath(bases.home)}/".startswith(f"{project}/")  # a home under version control
    for name, path in bases._asdict().items():
        if not own and os.path.realpath(path).startswith(f"{project}/"):
            raise AsimiError(
                f"{path}: asimi's {name} directory would be in the project {project}, where commands may write; "
                "install the hook with HOME and XDG_*_HOME as they are outside of it"
            )
    kept = ", ".join(f"{name} {path}" for name, path in bases._asdict().items() if path)
    return f"The hook keeps to these directories, whatever the agent's environment says: {kept}."


def _whose(data: Data, *, managed: bool, dry_run: bool) -> tuple[Data, Mapping[str, str], int]:
    """Return the agent, the environment that says where its file is, and the mode of a new file.

    Raises:
        AsimiError: the agent has no file for an administrator, or its person is none.
    """
    if data.name in GUESTS:
        hosts = " or ".join(name for name in AGENTS if data.name in agent_of(name).guests)
        raise AsimiError(f"{data.title} has no hook of its own: it calls that of {hosts}; install one of these")
    if not managed:
        return data, os.environ, 0o600
    data = settings.managed_agent(data)
    if not dry_run and (not hasattr(os, "geteuid") or os.geteuid()):
        raise AsimiError(f"/{data.settings.file} is the administrator's: run this as root")
    return data, ADMINISTRATORS, 0o644


def _shown_and_wanted(options: Options, what: str, change: Change, *, dry_run: bool, verbose: bool = False) -> bool:
    """Say or show how a file changes; return whether to change it, which a person decides if there is one to ask."""
    from difflib import unified_diff

    does = "creates" if change.before is None else "deletes" if change.after is None else "changes"
    before, after = (change.before or "").splitlines(), (change.after or "").splitlines()
    lines = list(unified_diff(before, after, change.path, change.path, lineterm=""))
    more = "" if dry_run or verbose else "; --dry-run shows them"
    said = fit(f"{what} {does} {change.path} ({sum(line[0] in '+-' for line in lines[2:])} lines{more}).")
    out("\n".join((said, *(() if more else lines))))
    asks = not options.yes and is_terminal(0) and is_terminal(1)
    return not dry_run and (not asks or confirm_at_terminal(f"Change {change.path}?"))
