"""What should hold commands beneath their text, where it cannot or holds nothing: an error, or a notice.

A sandbox or an exec rule that this machine cannot keep is never dropped in silence.
"""

from __future__ import annotations

import os
import sys

from asimi.core.call import Sandbox
from asimi.core.errors import ConfigError
from asimi.core.startup import TYPE_CHECKING
from asimi.world.config.effective import KEPT, sandbox_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.settings import Settings
    from asimi.world.config.effective import Merged

ELSEWHERE = "here, because the agent starts the command itself; give the agent asimi's own tools (`asimi mcp`), or"
"""Why the kernel cannot hold what an agent runs, and what to do."""
EXEC_MACHINES = ("x86_64", "aarch64")
"""The machines whose kernel can ask about executions, as `uname -m` has them."""


def lacking_here() -> str:
    """Return why exec rules cannot be kept on this machine, in words; empty where they can."""
    if sys.platform == "linux" and os.uname().machine in EXEC_MACHINES:
        return ""
    return f"on this machine: it needs Linux on {' or '.join(EXEC_MACHINES)}"


def unopened(what: Merged, opens: Callable[[Sandbox], str]) -> Merged:
    """Return the same without the rules whose sandbox would open asimi's own files in this project, which are notices.

    What they are about is asked about then. So a rule for every project is no fault where a person works in their home.

    Args:
        what: the merged layers.
        opens: which of these files a sandbox would open, in words; empty where it opens none.
    """
    kept, notices, sandbox = [], list(what.notices), sandbox_of(what)
    for rule in what.rules:
        if rule.sandbox != "off" and (why := opens(sandbox.at_least(rule.sandbox))):
            notices.append(f"{rule.source}: {rule.entry} has no effect in this project: {why}")
        else:
            kept.append(rule)
    return what._replace(rules=tuple(kept), notices=tuple(notices)) if len(kept) < len(what.rules) else what


def check_kept(
    what: Merged,
    settings: Settings,
    unkept: Callable[[Sandbox], str] | None,
    opens: Callable[[Sandbox], str],
    *,
    behind: bool,
    lacking: Callable[[], str] = lacking_here,
) -> None:
    """Make sure that what should hold commands beneath their text can hold where they are started.

    Args:
        what: the merged layers.
        settings: what they came to.
        unkept: why this machine cannot keep a sandbox, in words; empty where it can. None where nothing is started.
        opens: which file of asimi's own a sandbox would open, in words; empty where it opens none.
        behind: whether an agent starts what is allowed.
        lacking: why exec rules cannot be kept where commands are started, in words; empty where they can.

    Raises:
        ConfigError: it cannot; the message names the line that asks for it.
    """
    policy, enforced = settings.policy, settings.enforced
    key = what.source("sandbox.mode")
    asked = [(key, policy.terms.sandbox)] if policy.terms.sandbox.mode != "off" else []
    if enforced:
        source = enforced[0].source if enforced[0].enforced else what.source("shell.enforce")
        instead = "remove it, and the rule holds for the text of commands"
        if behind:
            raise _unkept(f'enforce = "exec" cannot hold {ELSEWHERE} {instead}', source)
        if why := lacking():
            raise _unkept(f'enforce = "exec" cannot hold {why}; {instead}', source)
    if behind and asked:
        instead = "confine single commands by rules with `sandbox`"
        raise _unkept(f'sandbox.mode = "{policy.terms.sandbox.mode}" cannot hold {ELSEWHERE} {instead}', key)
    if unkept is None or behind:
        return
    if what.values["unlisted"] == "sandbox":
        asked.append((what.source("unlisted"), Sandbox("project", (), "none", backend="bubblewrap")))
    asked += [(rule.source, policy.terms.sandbox.at_least(rule.sandbox)) for rule in policy.confined]
    for source, sandbox in asked:
        if why := unkept(sandbox) or opens(sandbox):
            raise _unkept(f"this sandbox cannot be kept here: {why}", _at_fault(what, why) or source)


def idle(what: Merged, settings: Settings, root: str) -> tuple[str, ...]:
    """Return what is written to hold commands beneath their text and holds none, or lets none start, with FILE:LINE.

    Args:
        what: the merged layers.
        settings: what they came to.
        root: the project root.
    """
    policy, writable = settings.policy, "sandbox.writable"
    if policy.terms.sandbox.mode == "off" and not policy.confined and what.values["unlisted"] != "sandbox":
        names = [f"sandbox.{name}" for name in KEPT if name != "mode"]
        why = "has no effect, because neither sandbox.mode nor a rule's `sandbox` asks for a sandbox"
        notes = []
        if said := [name for name in names if what.sources[name]]:
            from asimi.world.config.keys import BY_NAME

            said = [name for name in said if what.values[name] != BY_NAME[name].default]
            notes = [f"{what.source(name)}: {name} {why}" for name in said]
    else:
        why = "is not there, so a sandbox that may write in the project starts nothing; make it, or take it out"
        there = {
            each: os.path.isdir(os.path.join(root, os.path.expanduser(each))) for each in policy.terms.sandbox.writable
        }
        notes = [
            f"{what.source(writable)}: the directory {each!r} of {writable} {why}" for each in there if not there[each]
        ]
    if what.values["shell.enforce"] == "exec" and not settings.enforced:
        why = "has no effect, because no deny rule or excludeTools entry names a program"
        notes.append(f"{what.source('shell.enforce')}: shell.enforce {why}")
    return tuple(notes)


def _at_fault(what: Merged, why: str) -> str | None:
    """Return where the key of `[sandbox]` that a reason begins with, in backquotes, is written; None without one."""
    name = f"sandbox.{why[1:].partition('`')[0]}"
    return what.source(name) if why.startswith("`") and name in what.sources else None


def _unkept(message: str, source: str | None) -> ConfigError:
    """Return the error that something cannot be kept, with the line that asks for it; without one, an option does."""
    path, _, line = (source or "").rpartition(":")
    return ConfigError(message, path, int(line)) if path else ConfigError(f"{message} ({source or '--sandbox'})")
