"""`asimi policy could`, `diff`, `lint`, `suggest` and `replay`."""

from __future__ import annotations

from typing import Annotated

import typer

from asimi.core.wire import dumps
from asimi.doors.cli.base import Command, UsageError, application, configuration_for, options_of
from asimi.doors.cli.log import since_of
from asimi.doors.cli.printing import fit, out, plural
from asimi.doors.cli.progress import with_progress
from asimi.doors.cli.require_person import require_person
from asimi.extras.advice.could import SECONDS, compare, list_powers, tell
from asimi.extras.advice.replay import replayed
from asimi.extras.advice.suggest import suggested
from asimi.world.host.terminal import printable

could, diff, replay, lint, suggest = (application() for _ in range(5))

Seconds = Annotated[float, typer.Option("--time", metavar="S", min=0.1, help="Seconds that it may take.")]


@could.command(cls=Command)
def _could(
    context: typer.Context,
    effect: Annotated[
        str,
        typer.Argument(metavar="[POWER]", show_default=False, help='Such as "lose published history"; default: all.'),
    ] = "",
    powers: Annotated[bool, typer.Option("--list", help="Only list the powers.")] = False,  # noqa: FBT002
    on: Annotated[
        str, typer.Option("--on", metavar="PATH", show_default=False, help="Only what is done to PATH.")
    ] = "",
    in_box: Annotated[  # noqa: FBT002
        bool, typer.Option("--in-box", help="Judge as the gate of `asimi wrap` does, around an agent.")
    ] = False,
    seconds: Seconds = SECONDS,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each power.")] = False,  # noqa: FBT002
) -> None:
    """Look for commands that your rules would allow, by what they could do. This runs nothing.

    It puts what the catalogue of programs and a list of public tricks know to the judge, in many forms, and prints the
    shortest command that passes for each power. A power is one of --list, an effect, or `read PATH`, `write PATH`,
    `delete PATH`. "None in N tried" is no proof that there is none.

    The exit code is 1 if a command passes, else 0.

    Examples: `asimi policy could`, `asimi policy could "read ~/.aws"`.
    """
    if powers:
        if effect or on:
            raise UsageError("--list shows all powers; give it or a power, not both.")
        list_powers()
        return
    require_person("look for what the rules let through")
    raise typer.Exit(tell(options_of(context), effect, on, boxed=in_box, seconds=seconds, as_json=json))


@diff.command(cls=Command)
def _diff(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", show_default=False, help="A configuration file.")],
    new: Annotated[str, typer.Argument(metavar="NEW", show_default=False, help="Another one.")],
    exit_code: Annotated[  # noqa: FBT002
        bool, typer.Option("--exit-code", help="End with 1 if NEW allows what OLD does not.")
    ] = False,
    seconds: Seconds = SECONDS,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each difference.")] = False,  # noqa: FBT002
) -> None:
    """Show what one configuration allows and another does not: a command for each power. This runs nothing.

    It looks as `asimi policy could` does, and says of each power that is new, or gone, the shortest command found.

    In CI: `asimi policy diff main.toml .asimi/config.toml --exit-code`.
    """
    require_person("look for what the rules let through")
    options = options_of(context)
    files = (options._replace(config=file) for file in (old, new))
    code = compare(*files, seconds=seconds, as_json=json)
    raise typer.Exit(code if exit_code else 0)


@replay.command(cls=Command)
def _replay(
    context: typer.Context,
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Judge only calls since then: 2h, 7d, 2026-01-31.")
    ] = "30d",
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each change, then the totals.")] = False,  # noqa: FBT002
) -> None:
    """Judge the calls of the log again and show what changes. This runs nothing.

    `asimi policy replay --config NEW.toml` shows what another file in place of yours would change; without --config,
    what you have changed since. A call is the same, stricter or laxer than it was; one whose text lacks a secret, or
    whose directory is gone, cannot be judged again and is counted by itself.
    """
    replayed(options_of(context), since_of(since), as_json=json)


@lint.command(cls=Command)
def _lint(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each flaw.")] = False,  # noqa: FBT002
) -> None:
    """Find rules that never match, say nothing beside others, are wider than they look, or end soon.

    It looks at all files in force, also at what a project's file would allow if you trusted it, and at the patterns of
    [files]. Each flaw is shown with its file and line and what to write instead. This runs nothing. The exit code is 1
    if there is a flaw, else 0. `asimi help rules` names the kinds of flaws.

    In CI: asimi policy lint --config .asimi/config.toml
    """
    configuration = configuration_for(context)
    found = configuration.flaws(lambda rules: with_progress(rules, "Looking at the rules", len(rules)))
    if json:
        for flaw in found:
            out(dumps(flaw._asdict()))
        raise typer.Exit(bool(found))
    for flaw in found:
        out(fit(f"{flaw.source}  {printable(flaw.entry)}", indent=4))
        out(fit(f"    {flaw.kind}: {printable(flaw.message)}", indent=6))
        out(fit(f"    instead: {printable(flaw.instead)}", indent=6))
    files = ", ".join(path for _, path in configuration.files()) or "no file"
    out(fit(f"{plural(len(found), 'flaw') if found else 'no flaws'} in {files}"))
    raise typer.Exit(bool(found))


@suggest.command(cls=Command)
def _suggest(
    context: typer.Context,
    since: Annotated[str, typer.Option(metavar="TIME", help="Look at calls since then: 2h, 7d, 2026-01-31.")] = "7d",
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each proposal; adds nothing.")] = False,  # noqa: FBT002
    passed: Annotated[  # noqa: FBT002
        bool, typer.Option("--passed", help="From what agents asked about by their own prompts, and ran.")
    ] = False,
) -> None:
    """Propose rules for what you said yes to again and again.

    These are the fewest and narrowest rules that would have answered your own yes at a terminal or by `asimi approve`:
    by what commands do (read, write), by exactly their words, or for the project's checks; only in the project where
    you said it, if that was one. What deletes, publishes, changes the system or runs code is never proposed, nor what
    would allow a call that you refused.

    With --passed the proposals are for calls that were left to an agent's own prompt, and that ran. asimi was not told
    who answered there, so they are not known to be your yes.

    On a terminal you are asked about each; nothing is added without your answer. Elsewhere this prints them, with the
    command that adds each.

    Example: `asimi policy suggest --since 30d`.
    """
    require_person("suggest rules")
    suggested(options_of(context), since_of(since), as_json=json, passed=passed)
