"""Whether asimi was started by a command that asimi itself runs: then anyone who answers could be the agent itself.

A command may forget its environment, so that is not the only evidence: the limit that marks a call's processes and the
environments of the ancestors tell it too, and an asimi that adopts what its calls leave behind has such a number too.
What has ended tells nothing, so it counts as nobody. Whoever left all evidence behind is a process like any other:
`docs/trust/threat-model.md` says by which ways, and that only another user or a sandbox could prevent these.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

TOKEN = "ASIMI_RUN"  # noqa: S105 - the name of a variable, no secret
"""The variable with the ids of the calls around a command; set where nothing else marks processes, so not on Linux."""

VARIABLES = (TOKEN, "ASIMI_CLI")
"""At least one of them is in the environment of every command that asimi runs."""

RLIMIT_LOCKS = 10  # <asm-generic/resource.h>; Python has no name for it
"""The limit whose number marks the processes of a call; the kernel no longer looks at it."""

MAGIC = 0x5A51
"""The upper 15 bits of such a number, behind 48 others."""

CEILING = (MAGIC + 1 << 48) - 1
"""The hard limit of an asimi that adopts, so of all that it starts: each number fits, and only root raises it again."""

UNLIMITED = (1 << 64) - 1
"""RLIM_INFINITY (getrlimit(2)): what everybody has whom no asimi started, since the limit is good for nothing else."""

COUNTED = (1 << 26) - 1
"""The lower bits of such a number, which count an asimi's calls."""

INITIAL_USERS = 0xEFFFFFFD
"""The number of the first user namespace's file (`PROC_USER_INIT_INO`, linux/proc_ns.h)."""

_TRIES = 3
"""How often we look at what we descend from, if a process of these ends meanwhile."""

AGENTS = ("CLAUDECODE", "CODEX_THREAD_ID", "COPILOT_CLI", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE", "QWEN_CODE")
"""Variables that agents set for the commands that they start; they tell where a command has left the agent's tree.

Seen with Codex 0.171.0, Copilot CLI 1.0.102, Gemini CLI 0.61.0, opencode 1.18.33 and Qwen Code 0.24.4; of Claude Code
and Cursor from https://code.claude.com/docs/en/env-vars and https://cursor.com/docs/cli.
"""


_caller = 0
"""The process that this one answers for; 0 for itself."""


def stand_for(pid: int) -> None:
    """Answer for another process, of which it is asked from here on what this one descends from, and its limits."""
    global _caller  # noqa: PLW0603 - of a child of a resident gate, which answers for one process in its life
    _caller = pid


def parent() -> int:
    """Return the number of the process that started this one, or the one that it answers for; 0 where that is gone."""
    facts = _facts(_caller) if _caller else None
    return os.getppid() if not _caller else 0 if facts is None else facts.parent


def has_ended(pid: int) -> bool:
    """Whether a process that this one started has ended; it is waited for then."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def inside_call(environ: Mapping[str, str], *, adopted: bool = True) -> bool:
    """Whether this process descends from a command that asimi runs.

    Args:
        environ: its own environment.
        adopted: whether to count what descends only from an asimi that adopts what runs. What asimi starts for itself,
            as the way to a host, descends from such an asimi, and is no command.
    """
    marked = _has_mark if adopted else is_call
    if any(name in environ for name in VARIABLES) or marked(_caller):
        return True
    return _above(lambda pid: marked(pid) or _has_call_environment(pid))


def is_person(process: int, agents: Collection[tuple[int, int]] = ()) -> bool:
    """Whether a process can be a person's: neither it nor any that it descends from was started by a call or an agent.

    What has ended is nobody: of it and of those that it descended from nothing can be known any more.

    Args:
        process: its number; the leader of a terminal's session, or whoever answers a question.
        agents: the processes of agents, each with its start in clock ticks since boot.
    """

    def tells(pid: int) -> bool:
        return (
            _has_mark(pid)
            or _has_call_environment(pid, (*VARIABLES, *AGENTS))
            or (bool(agents) and (pid, started_at(pid)) in agents)
        )

    return process > 0 and (not agents or _sees(agents)) and _descends(process, tells) is False


def _sees(agents: Collection[tuple[int, int]]) -> bool:
    """Whether the kernel tells us what we descend from, also where somebody made namespaces to hide it.

    Without more rights that takes a user namespace of one's own. A container without one, that was started after agents
    which have ended, is the person's.
    """
    try:
        whole, first = os.stat("/proc/self/ns/user").st_ino == INITIAL_USERS, _facts(1)
    except OSError:
        return False
    return whole or first is None or first.started <= min(started for _, started in agents)


def started_at(pid: int) -> int:
    """When a process was started, in clock ticks since boot (proc_pid_stat(5)); 0 where it has ended, or none can tell.

    Together with its number this is the process: a number is given again, but not at the same moment.
    """
    facts = _facts(pid)
    return 0 if facts is None else facts.started


def processes_seen() -> str:
    """Return which processes can be seen from here: the namespace of ours (pid_namespaces(7)); empty if none can tell.

    What is said of a process in another one cannot be believed here: its ancestors are hidden.
    """
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


class _Facts(NamedTuple):
    """What the kernel tells of a process to everybody."""

    parent: int
    started: int


def _above(tells: Callable[[int], bool]) -> bool:
    """Whether something is told of a process that this one descends from; also where they end too fast to be asked."""
    for _ in range(_TRIES):
        found = _descends(parent(), tells)
        if found is not None:
            return found
    return True


def _descends(process: int, tells: Callable[[int], bool]) -> bool | None:
    """Whether something is told of a process, or of one that it descends from.

    Each is looked at while it lives: what it says of itself counts only if it is the same process before and after. One
    that was started after its child has the number of another that is gone.

    Returns:
        None where one of them ends meanwhile, or had ended.
    """
    pid, child = process, _Facts(0, 0)
    while pid > 0:
        facts = _facts(pid)
        if facts is None:
            return tells(pid) if _is_hidden(pid) else None
        if child.started and facts.started > child.started:
            return None
        if tells(pid):
            return True
        if _facts(pid) != facts:
            return None
        pid, child = facts.parent, facts
    return False


def _facts(pid: int) -> _Facts | None:
    """Return the parent of a process that lives, and when it was started; None where the kernel does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return None if fields[0] in {b"Z", b"X", b"x"} else _Facts(int(fields[1]), int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None


def _is_hidden(pid: int) -> bool:
    """Whether a process lives that the kernel tells nothing of: another user's, or there is no /proc."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return not os.path.exists("/proc/self/stat")


def _has_call_environment(pid: int, names: Collection[str] = VARIABLES) -> bool:
    """Whether a process was started with the environment of a call, or with another that has one of some variables."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return any(entry.partition(b"=")[0].decode("latin-1") in names for entry in file.read().split(b"\0"))
    except OSError:
        return False


def _has_mark(pid: int) -> bool:
    """Whether a process carries the number of a call, or of an asimi that adopts, or its limit; 0 for ourselves."""
    soft, _ = limits_of(pid) or (0, 0)
    return soft >> 48 == MAGIC or is_limited(pid)


def is_limited(pid: int = 0) -> bool:
    """Whether a process has a hard limit that only root raises, as all that an asimi starts which adopts."""
    _, hard = limits_of(pid) or (0, UNLIMITED)
    return hard <= CEILING


def is_call(pid: int) -> bool:
    """Whether a process carries the number of a call: that of an asimi itself ends with zeros (`linux.py`)."""
    soft, _ = limits_of(pid) or (0, 0)
    return soft >> 48 == MAGIC and soft & COUNTED != 0


def limits_of(pid: int) -> tuple[int, int] | None:
    """The number that marks a process, and what it may raise that to (`UNLIMITED`: anything); None where it is gone.

    Args:
        pid: its number; 0 for ourselves.
    """
    try:
        import resource

        soft, hard = resource.prlimit(pid, RLIMIT_LOCKS)
    except ProcessLookupError:
        return None
    except (ImportError, AttributeError, OSError, ValueError, OverflowError):  # another user's, or another group's
        return _written_limits(pid)
    return soft % (UNLIMITED + 1), hard % (UNLIMITED + 1)


def _written_limits(pid: int) -> tuple[int, int] | None:
    """Return the same from a file that everybody may read (proc_pid_limits(5)); unlimited where it does not tell."""
    try:
        with open(f"/proc/{pid or 'self'}/limits", "rb") as file:
            words = file.read().partition(b"Max file locks")[2].split(None, 2)[:2]
    except OSError:
        return None
    soft, hard = (int(word) if word.isdigit() else UNLIMITED for word in words or (b"", b""))
    return soft, hard
