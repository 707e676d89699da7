"""The gate behind an agent's own hook: one driver, and one file of data for each agent.

An agent that runs commands itself asks a program beforehand, its hook. That program is the door in this package: it
reads what the agent says of the command, judges it like every other, and answers in the agent's dialect. What differs
from agent to agent is data; what must never differ, that a doubt blocks, is in one place.
"""

from __future__ import annotations

AGENTS = ("claude-code", "codex", "gemini-cli", "cursor", "copilot-cli", "antigravity", "qwen-code", "opencode")
"""The agents that are known; the data of each is in the module of its name, with `_` for `-`, an envelope of it in
`samples.json`. A module says in its first lines where the formats are published."""

GUESTS = ("vscode",)
"""Other programs that call the hook of an agent, because they read its settings; each has a module of data as well."""
