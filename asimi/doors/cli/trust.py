"""`asimi trust` and `asimi untrust`: the project's own configuration file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from asimi.doors.cli.base import Command, application, options_of, out, quoted, require_person
from asimi.world.host.streams import printable

if TYPE_CHECKING:
    from asimi.world.config import Configuration

trust, untrust = application(), application()


@trust.command(cls=Command)
def _trust(context: typer.Context) -> None:
    """Trust the project's own configuration file, so it can allow more.

    asimi shows it to you first. Until you trust it, it can only forbid more. Trust is for exactly this content at this
    path; any change ends it.
    """
    from asimi.compose import configuration_of, log_of
    from asimi.core.errors import AsimiError
    from asimi.doors.cli.person import confirmed

    require_person("trust a project's file")
    configuration = configuration_of(options_of(context))
    project = configuration.project()
    if project is None:
        above = "".join(
            f"; {path} is for {root}: asimi trust --root {quoted([root])}"
            for level, path in configuration.files()
            if level == "project" and (root := os.path.dirname(os.path.dirname(path)))
        )
        raise AsimiError(f"There is no {_file(configuration)} to trust{above}")
    if project.trusted:
        out(f"already trusted  {project.path}")
        return
    text = "\n".join(f"  | {printable(line)}" for line in project.text.splitlines())
    effect = (
        "It would allow more than your own lists." if project.loosens else "It only forbids more; it may do that now."
    )
    if not confirmed(f"{printable(project.path)}\n{text}\n{effect}\nDo you trust exactly this?"):
        raise typer.Exit(126)
    configuration.trust(project)
    log_of(configuration).change("trust", file=project.path)
    out(f"trusted  {project.path}")


@untrust.command(cls=Command)
def _untrust(context: typer.Context) -> None:
    """Stop trusting the project's own configuration file.

    After that it can only forbid more.
    """
    from asimi.compose import configuration_of, log_of

    configuration = configuration_of(options_of(context))
    there = configuration.untrust()
    if there:
        log_of(configuration).change("untrust", file=configuration.root)
    out(f"{'no longer trusted' if there else 'was not trusted'}  {_file(configuration)}")


def _file(configuration: Configuration) -> str:
    """Where the project's own file is, or would be."""
    return os.path.join(configuration.root, ".asimi", "config.toml")
