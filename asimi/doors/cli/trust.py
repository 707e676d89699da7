"""`asimi trust` and `asimi untrust`: the project's own configuration file, what it describes, and its checks."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from asimi.compose.configuration import configuration_of
from asimi.compose.stores import checks_of, log_of
from asimi.core.errors import AsimiError
from asimi.core.wording.visible import changed_lines
from asimi.doors.cli.printing import out, quote_words, with_bars
from asimi.doors.cli.programs import confirm_file
from asimi.doors.cli.require_person import confirm_at_terminal, require_person
from asimi.world.config.projects import project_of
from asimi.world.config.projects import trust as trust_exactly
from asimi.world.config.projects import untrust as untrust_project
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from asimi.compose import Options
    from asimi.world.checks import Definitions, ProjectChecks
    from asimi.world.config import Configuration
    from asimi.world.config.projects import Project, TrustedFile


def trust(options: Options) -> int:
    """Trust the project's own configuration file, so it can allow more; confirm the project's checks.

    asimi shows you both first, with the programs that the project describes in .asimi/programs, and what has changed
    since you last trusted these files. Until you trust them, they can only forbid more; any change ends that trust.
    Where a rule has checks = true, the project's tests, lint and builds run without asking as you confirmed them; a
    change of what says what they do is asked about. They run code that the agent may have written.
    """
    require_person("trust a project's file")
    configuration = configuration_of(options)
    project, checks = project_of(configuration), checks_of(configuration.places)
    described = [file for file in configuration.programs().files if file.level == "project"]
    wanted = any(rule.checks for rule in configuration.rules())
    now = checks.definitions(configuration.root) if wanted else {}
    if project is None and not now and not described:
        above = "".join(
            f"; {path} is for {root}: asimi trust --root {quote_words([root])}"
            for level, path in configuration.files()
            if level == "project" and (root := os.path.dirname(os.path.dirname(path)))
        )
        raise AsimiError(f"There is no {_file(configuration)} to trust{above}")
    if project is not None and not _trust_file(configuration, project):
        return 126
    for file in described:
        if file.counts:
            out(f"already trusted  {file.path}")
        elif not confirm_file(configuration, file):
            return 126
    return 126 if now and not _confirm_checks(configuration, checks, now) else 0


def _trust_file(configuration: Configuration, project: Project) -> bool:
    """Trust the project's own file, once the person has seen it and says yes; return whether they do."""
    if project.trusted:
        out(f"already trusted  {project.path}")
        return True
    text, effect = with_bars(project.text.removesuffix("\n").split("\n")), "It only forbids more; it may do that now."
    if project.loosens:
        effect = "It would allow more than your own lists."
    if project.before is not None:
        text = f"{_change(project.text, project.before)}\nAll of it:\n{text}"
    if not confirm_at_terminal(f"{printable(project.path)}\n{text}\n{effect}\nDo you trust exactly this?"):
        return False
    with log_of(configuration).write_changes("trust", {"file": project.path}):
        trust_exactly(configuration, project)
    out(f"trusted  {project.path}")
    return True


def _change(now: str, before: TrustedFile) -> str:
    """Return what has changed since a person trusted a file, in lines."""
    lines = ["what it was then was not kept"]
    if before.text:
        lines = changed_lines(before.text, now, 3) or ["only the end of the last line"]
    return f"What changed since you trusted it:\n{with_bars(lines)}"


def _confirm_checks(configuration: Configuration, checks: ProjectChecks, now: Definitions) -> bool:
    """Confirm the project's checks, once the person has seen what changed and says yes; return whether they do."""
    root = configuration.root
    names = ", ".join(map(printable, checks.names(root))) or "only below it"
    if checks.is_confirmed(root, now):
        out(f"already confirmed  the checks of {root}: {names}")
        return True
    text = with_bars(checks.changes(root, now).split("\n"))
    said = "A check runs code that the agent may have written; what that code does is not checked."
    if not confirm_at_terminal(
        f"the checks of {printable(root)}: {names}\n{text}\n{said}\nMay they run as they are now?"
    ):
        return False
    with log_of(configuration).write_changes("checks", {"file": root, "by": "terminal"}):
        checks.confirm(root, now)
    out(f"confirmed  the checks of {root}: {names}")
    return True


def untrust(options: Options) -> int:
    """Stop trusting the project's own configuration file and its checks.

    After that the file can only forbid more, and each check is asked about.
    """
    configuration = configuration_of(options)
    trusted, forgotten = untrust_project(configuration), checks_of(configuration.places).forget(configuration.root)
    if trusted or forgotten:
        log_of(configuration).change("untrust", file=configuration.root)
    if trusted or not forgotten:
        there = "" if os.path.lexists(_file(configuration)) else " (which is not there)"
        out(f"{'no longer trusted' if trusted else 'was not trusted'}  {_file(configuration)}{there}")
    for each in forgotten:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.since))
        kinds = ", ".join(map(_definition_name, sorted(each.contents)))
        out(f"forgotten  the checks confirmed {when}: {printable(kinds) or 'none'}")
    return 0


def _definition_name(definition: str) -> str:
    """Return what says what some checks do, for a person: `make`, `scripts in packages/a`."""
    kind, _, where = definition.partition(":")
    return kind if where == "." else f"{kind} in {where}"


def _file(configuration: Configuration) -> str:
    """Return where the project's own file is, or would be."""
    return os.path.join(configuration.root, ".asimi", "config.toml")
