"""The permissions of other agents: found where each keeps them, read as rules of ours, and written back.

Nothing is executed and no pattern of theirs is run as a regular expression: a file is read as data, and what has no
rule of the same meaning, or a stricter one, is skipped with the reason. `entries.py` has the values, each agent a
module of its own, `proving.py` holds what was read to the examples that came with it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.extras.permissions.entries import Agent

NAMES = ("claude-code", "codex", "gemini-cli", "cursor", "opencode", "vscode", "copilot-cli")
"""The agents whose permissions are known."""


def agent_of(name: str) -> Agent:
    """The agent of a name in `NAMES`."""
    module = import_module(f"asimi.extras.permissions.{name.replace('-', '_')}")
    agent: Agent = module.AGENT
    return agent
