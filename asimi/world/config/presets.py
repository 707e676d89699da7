"""Whole files to start from: for only reading, for a developer's day, for a CI job.

A preset is a text that a person reads and changes, never a hidden list; a comment beside each key says what it means.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Literal

from asimi.core.call import Sandbox
from asimi.core.errors import AsimiError
from asimi.core.facts import content_in
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from asimi.world.config import Configuration

Preset = Literal["reader", "developer", "ci"]

PRESETS: dict[Preset, str] = {
    "reader": "runs what only reads; asks about the rest",
    "developer": "runs what reads, writes in the project, its checks, and git that loses nothing; asks about the rest",
    "ci": "as developer, without servers of this machine and deletes; refuses the rest, because nobody can answer",
}
"""What each preset means, in one line."""


class Start(NamedTuple):
    """What a file starts from.

    Attributes:
        preset: the preset.
        queries: whether commands may look at services, if the preset lets them.
    """

    preset: Preset
    queries: bool = True

    @property
    def asks_services(self) -> bool:
        """Whether the file lets commands look at services."""
        return self.queries and self.preset != "reader"


_UNHELD = """
With sandbox = "project", they would write only in the project; this machine cannot keep that: {why}.
"""


def text_of(start: Start, schema: str, temporary: str, unkept: str) -> str:
    """Return the configuration file of a preset.

    Args:
        start: the preset, and what a person took out of it.
        schema: the JSON Schema that the file's first line names, for editors.
        temporary: the directory for temporary files, where a developer's commands may write.
        unkept: why this machine cannot keep a sandbox, in words; empty if it can. A sandbox holds only a developer's
            checks: the file for CI is written on one machine and read on others.
    """
    from textwrap import fill

    def comment(text: str) -> str:
        return fill(text, 78, initial_indent="# ", subsequent_indent="# ")

    parts = content_in(__package__, "presets.txt").decode().split("%% ")[1:]
    part = dict(each.split("\n", 1) for each in parts)
    preset = start.preset
    unlisted = "reject" if preset == "ci" else "ask"
    head = part["head"].format(
        schema=schema, meaning=comment(f"Preset {preset}: {PRESETS[preset]}."), unlisted=unlisted
    )
    if preset == "reader":
        return head + part["files"].format(write="[]") + part["undo"] + part["reads"]
    places = list(dict.fromkeys(["**", "/tmp/**", f"{temporary}/**"]))  # noqa: S108 - a name, nothing is put there
    checks = part["checks"]
    if preset == "developer":
        checks += f"{comment(_UNHELD.format(why=unkept).strip())}\n" if unkept else part["held"]
    reads = part["queries" if start.asks_services else "reads"]
    here, covers, covered = (part[each] if preset == "developer" else "" for each in ("here", "covers", "covered_git"))
    writes = f"{part['writes']}{covers}{part['git']}{covered}{part['worktrees']}"
    return head + part["files"].format(write=json.dumps(places)) + part["undo"] + reads + here + writes + checks


def starter_file(configuration: Configuration, start: Start | None = None) -> str:
    """Return a file to start from: a preset's, or every key with its default."""
    from tempfile import gettempdir

    from asimi.world.config.describe import example, schema_path

    if start is None:
        return example()
    unkept = "nothing is started here" if configuration.unkept is None else configuration.unkept(Sandbox("project"))
    return text_of(start, schema_path(), gettempdir(), unkept)


def check_absent(configuration: Configuration) -> None:
    """Make sure that there is no file yet.

    Raises:
        AsimiError: there is one.
    """
    if os.path.lexists(configuration.file):
        raise AsimiError(f"{configuration.file} exists already and was not changed; --force replaces it")


def init(configuration: Configuration, start: Start | None = None, *, force: bool = False) -> str:
    """Write a file to start from: `config init`.

    Args:
        configuration: whose file it is.
        start: what it starts from; None for every key with its default.
        force: whether to replace one that is there.

    Returns:
        Its path.

    Raises:
        AsimiError: there is one already, or it cannot be written.
    """
    from asimi.world.config.store import make_directory_of
    from asimi.world.host.places import replace

    if not force:
        check_absent(configuration)
    make_directory_of(configuration)
    replace(configuration.file, starter_file(configuration, start).encode(), 0o644)
    return configuration.file
