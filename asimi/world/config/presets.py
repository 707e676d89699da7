"""Whole files to start from: for only reading, for a developer's day, for a CI job.

A preset is a text that a person reads and changes, never a hidden list; a comment beside each key says what it means.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Literal

from asimi.core.call import Sandbox
from asimi.core.errors import AsimiError
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


_HEAD = """\
#:schema {schema}
# What agents' commands may do on this machine; change it as you like.
{meaning}
# A deny wins over everything, then an ask, then an allow; the order in this
# file never matters. `asimi help rules` explains it, `asimi help
# configuration` shows every key, `asimi check COMMAND` the verdict on one.

# What to do with the rest: "ask" a person, or "reject" it.
unlisted = "{unlisted}"

# More that runs: "run_shell_command(docker compose up)".
coreTools = []

# What never runs: "run_shell_command(git push)".
excludeTools = []
"""

_FILES = """
[files]
# Where commands may write: below the project root, ~/... or /... A pattern as
# wide as ** never covers .git, start-up files and hooks, and covers nothing
# if the project root is the home or a directory of the system.
write = {write}
# Keys, tokens, .env files and their like are a question each time. "FILE"
# adds one, "!FILE" takes one back.
secret = []
# What no command may touch.
deny = []
"""

_UNDO = """
[undo]
# asimi keeps what is in the project before each call that may change it, for
# this long, and `asimi undo` takes calls back. It keeps nothing that git
# ignores; 0 keeps nothing at all.
keep = "3d"
"""

_COVERS = """\
# A delete runs, too, if undo brings back all of it, or if git ignores it and
# tools make it again (undo.rebuild: node_modules, build, dist ...).
undo = true
"""

_READS = """
# What only reads: ls, cat, grep, git log, docker ps ...
[[rules]]
decision = "allow"
effects = ["read"]
"""

_WRITES = """
# What writes where files.write says. git and its like write more than the
# files that a command names, so they have rules of their own.
[[rules]]
decision = "allow"
effects = ["read", "write"]
except = ["git", "hg", "jj", "svn"]
"""

_GIT = """
# Local git that loses nothing. These overwrite or throw work away, so they do
# more than write: -f, -D, -M, --amend, reset, rm without --cached, a checkout
# of files. A checkout of a name counts as one of a branch only if there is
# such a branch now.
[[rules]]
decision = "allow"
command = ["git", ["add", "commit", "branch", "switch", "checkout", "stash",
  "tag", "restore", "mv", "rm"]]
effects = ["read", "write"]
"""

_WORKTREES = """
[[rules]]
decision = "allow"
command = ["git", "worktree", "add"]
effects = ["read", "write"]
"""

_QUERIES = """
# What only reads: ls, cat, grep, git log, docker ps ... and looking at
# services with the logins that you have set up: gh pr view, kubectl get,
# aws s3 ls, npm view, git ls-remote. They change nothing there. A command
# that shows credentials, or that has a server, an address or another word in
# it for whose service is meant (a bucket, -R OWNER/REPO), is a question.
[[rules]]
decision = "allow"
effects = ["read", "network.query"]
# In a box (`asimi wrap`), a command that only looks at a service or a daemon
# runs outside, if nothing that the box can write decides what it does.
outside = true
"""

_HERE = """
# Servers of this machine: curl with one literal address, without -L, a proxy
# or another host, and looks at a database (psql -h localhost). Sending data
# to one of these with curl publishes nothing.
[[rules]]
decision = "allow"
effects = ["read", "write", "network"]
hosts = ["localhost", "127.0.0.1", "[::1]"]
"""

_COVERED_GIT = """\
# A checkout or restore of files runs, too, if undo brings their changes back.
undo = true
"""

_CHECKS = """
# The project's own checks: test, lint, typecheck, check, build of npm, make
# and just; pytest, ruff, mypy, tox, gradle, maven, cargo, go, dotnet and
# their like; tools that the project installs (npx eslint, yarn tsc). They run
# as they were when you confirmed them (`asimi trust`); a change is a
# question. They run code that the agent may have written, and no rule sees
# what that code does.
[[rules]]
decision = "allow"
checks = true
"""

_HELD = """\
# A sandbox holds them to the project: they write only there and in a
# temporary directory, and reach no local daemon. `asimi help sandbox` says
# what that breaks. It does not hold if an agent starts them, behind its hook.
sandbox = "project"
"""

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

    preset = start.preset
    unlisted = "reject" if preset == "ci" else "ask"
    head = _HEAD.format(schema=schema, meaning=comment(f"Preset {preset}: {PRESETS[preset]}."), unlisted=unlisted)
    if preset == "reader":
        return head + _FILES.format(write="[]") + _UNDO + _READS
    places = list(dict.fromkeys(["**", "/tmp/**", f"{temporary}/**"]))  # noqa: S108 - a name, nothing is put there
    checks = _CHECKS
    if preset == "developer":
        checks += f"{comment(_UNHELD.format(why=unkept).strip())}\n" if unkept else _HELD
    reads = _QUERIES if start.asks_services else _READS
    here = _HERE if preset == "developer" else ""
    covers = _COVERS if preset == "developer" else ""
    writes = f"{_WRITES}{covers}{_GIT}{covers and _COVERED_GIT}{_WORKTREES}"
    return head + _FILES.format(write=json.dumps(places)) + _UNDO + reads + here + writes + checks


def beginning(configuration: Configuration, start: Start | None = None) -> str:
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
    replace(configuration.file, beginning(configuration, start).encode(), 0o644)
    return configuration.file
