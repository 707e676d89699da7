"""`asimi config`: the configuration files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asimi.doors.cli.base import Command, Group, application, options_of, out
from asimi.world.host.streams import printable

if TYPE_CHECKING:
    from asimi.world.config.presets import Preset

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

    With --preset: reader (what only reads runs), developer (that, writes in the project and local git that loses
    nothing) or ci (the same, and the rest is refused). Without, every key with its default.
    """
    import os

    from asimi.compose import configuration_of, log_of
    from asimi.doors.cli.base import require_person

    require_person("write the configuration")
    chosen = _preset(preset)
    configuration = configuration_of(options_of(context))
    if force and os.path.exists(configuration.file) and not configuration.unattended:
        from asimi.doors.cli.person import UNATTENDED, confirmed

        question = f"This replaces {printable(configuration.file)} and everything it denies. Do you want that?"
        if not confirmed(question, otherwise=UNATTENDED):
            raise typer.Exit(126)
    path = configuration.init(chosen, force=force)
    log_of(configuration).change("config init", file=path)
    out(f"written  {path}")


def _preset(name: str | None) -> Preset | None:
    """The preset of a name.

    Raises:
        AsimiError: there is none of that name.
    """
    from asimi.core.errors import AsimiError
    from asimi.world.config.presets import PRESETS

    for preset in PRESETS:
        if preset == name:
            return preset
    if name is None:
        return None
    raise AsimiError(f"There is no preset {name!r}; choose one of {', '.join(PRESETS)}")


@config.command(cls=Command)
def show(context: typer.Context) -> None:
    """Print every effective value, and the file and line it comes from."""
    from asimi.compose import configuration_of

    configuration = configuration_of(options_of(context))
    rows = configuration.show()
    width = max(len(f"{row.name} = {row.value}") for row in rows)
    for row in rows:
        out(f"{f'{row.name} = {row.value}':{min(width, 60)}}  # {row.origin}")
    for notice in configuration.notices():
        out(f"# {notice}")


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

    A note says what an entry that denies or asks misses.
    """
    from asimi.compose import configuration_of
    from asimi.core.wording.breadth import missed

    configuration = configuration_of(options_of(context))
    for level, path in configuration.files():
        out(f"ok  {level}  {path}")
    for notice in configuration.notices():
        out(f"note  {notice}")
    for rule in configuration.rules():
        if text := missed(rule):
            out(f"note  {rule.source}: {printable(f'{rule.entry} {text}')}")
    if not configuration.files():
        out(f"ok  no file, only defaults (asimi would read {configuration.file})")
