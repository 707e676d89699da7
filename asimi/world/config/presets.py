"""Files to start from, each of them whole: what only reads, what a developer's day needs, what a CI job needs.

A preset is a text that a person reads and changes, never a hidden list; what a key means is said where it stands.
"""

from __future__ import annotations

import json
from typing import Literal

Preset = Literal["reader", "developer", "ci"]

PRESETS: dict[Preset, str] = {
    "reader": "what only reads runs; everything else is a question",
    "developer": "that, writes in the project and local git that loses nothing",
    "ci": "as developer, and the rest is refused, because nobody is there to ask",
}
"""What each preset means, in one line."""

_HEAD = """\
#:schema {schema}
# What an agent's commands may do on this machine. Preset "{preset}": {meaning}.
# A deny wins over everything, then an ask, then an allow; the order in this file never matters.
# `asimi explain PROGRAM` says what a program does, `asimi check COMMAND` what would become of a command.

# unlisted: what to do with the rest: "ask" a person, or "reject" it.
unlisted = "{unlisted}"

# More that runs without asking, such as "run_shell_command(docker compose up)".
coreTools = []

# What never runs, such as "run_shell_command(git push)".
excludeTools = []
"""

_FILES = """
[files]
# Where commands may write: patterns below the project root, ~/… or /…. Never .git, start-up files and hooks, unless
# they are named here. In the home directory itself, and in the system's, nothing may be written by this.
write = {write}
# Keys, tokens, .env files and the like are a question each time. "FILE" adds to them, "!FILE" is no secret.
secret = []
# What no command may touch.
deny = []

[shell]
# "auto": $(…) is judged behind an agent's hook, and refused for asimi's own tools. "refuse", "judge": everywhere.
# substitution = "auto"
"""

_READS = """
# What only reads: ls, cat, grep, git log, docker ps …
[[rules]]
decision = "allow"
effects = ["read"]
"""

_WRITES = """
# What writes files, where files.write says, and local git that loses nothing: add, commit, a new branch, stash, tag.
[[rules]]
decision = "allow"
effects = ["read", "write"]
"""


def text_of(preset: Preset, schema: str, temporary: str) -> str:
    """The configuration file of a preset.

    Args:
        preset: its name.
        schema: the JSON Schema that the file's first line names, for editors.
        temporary: the directory for temporary files, where a developer's commands may write.
    """
    unlisted = "reject" if preset == "ci" else "ask"
    head = _HEAD.format(schema=schema, preset=preset, meaning=PRESETS[preset], unlisted=unlisted)
    if preset == "reader":
        return head + _FILES.format(write="[]") + _READS
    places = list(dict.fromkeys(["**", "/tmp/**", f"{temporary}/**"]))  # noqa: S108 - a name, nothing is put there
    return head + _FILES.format(write=json.dumps(places)) + _WRITES
