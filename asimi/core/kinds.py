"""The types of which a value is one of a few words."""

from __future__ import annotations

from typing import Literal

ShellKind = Literal["bash", "plain", "cmd"]
"""Whose grammar a shell has: `plain` is one of which only plain commands are understood (an old bash, zsh)."""

Scope = Literal["once", "session", "task", "project", "always"]
"""How long an answer holds, and where: `project` is from now on in this project, `always` everywhere."""

Event = Literal["start", "end", "refusal", "passed", "observed", "file"]
"""What a record is about; `passed` is a question that was left to an agent's own prompt, `observed` a call that was
left to the agent altogether, `file` a call of an agent's own tool for files that nothing stands against."""

Fault = Literal["not_found", "permission", "scarce", "setup", "lost", "other"]
"""Why a process could not be started; `setup`: asimi could not prepare it, or what was to hold it; `lost`: it may have
been, but the connection to its host is lost, so what it has done is not known."""

LostPart = Literal["all", "tracked", "noted", "untracked"]
"""What of a path a command loses: `all`, the file, or the directory with all below it; of a work tree, `tracked`, what
git tracks there; `noted`, where its branches, its stash and its index stand; `untracked`, what git does not track and a
commit overwrites."""

SandboxMode = Literal["off", "project", "read-only"]
"""How much a sandbox holds, the least first."""

Network = Literal["full", "named", "none"]
"""What a sandbox leaves of the network: all of it, names that are allowed, or nothing."""

Backend = Literal["auto", "landlock", "bubblewrap"]
"""What sets a sandbox up; `auto` is the first of the two that can keep all that is said."""
