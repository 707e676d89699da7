"""What a person agreed to: the project's own file, and files that describe programs, each with exactly its content."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.config.sources import PROJECT_FILE

if TYPE_CHECKING:
    from asimi.world.config import Configuration
    from asimi.world.config.described import ProgramFile
    from asimi.world.config.projects import Trusted


class Project(NamedTuple):
    """The project's own file, as `asimi trust` shows it.

    Attributes:
        path: the file, in the project root.
        text: its content.
        loosens: whether something in it would count only if it were trusted.
        trusted: whether exactly this content is.
        before: what was trusted before it changed; None where it has not, or never was trusted.
    """

    path: str
    text: str
    loosens: bool
    trusted: bool
    before: Trusted | None = None


def project_of(configuration: Configuration) -> Project | None:
    """Return the project's own file, or None.

    Raises:
        ConfigError: as `Configuration.settings`.
    """
    configuration.settings()
    source = configuration.project_source()
    if source is None:
        return None
    from asimi.world.config.merge import merged

    return Project(
        source.path,
        source.text,
        merged(configuration.layers()).trust,
        configuration.trusts(source),
        configuration.before,
    )


def trust(configuration: Configuration, project: Project) -> None:
    """Trust exactly this content at this path, after a person saw it and agreed.

    Raises:
        AsimiError: the file is reached through a symbolic link, or the trust cannot be written.
    """
    configuration.own.trust(project.path, project.text)
    configuration.reread()


def untrust(configuration: Configuration) -> bool:
    """Stop trusting the project's files, whatever their content; return True if one was trusted.

    Raises:
        AsimiError: it cannot be written.
    """
    configuration.reread()
    directory, own = os.path.dirname(PROJECT_FILE), configuration.own
    taken = [own.untrust(os.path.join(root, directory)) for root in configuration.projects()]  # each of them
    return any(taken)


def confirm_programs(configuration: Configuration, file: ProgramFile) -> None:
    """Let a file that describes programs count with exactly this content, after a person saw it and agreed.

    Raises:
        AsimiError: a project's file is reached through a symbolic link, or this cannot be written.
    """
    configuration.own.trust(file.path if file.level == "project" else os.path.realpath(file.path), file.text)
    configuration.reread()
