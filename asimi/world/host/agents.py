"""The agents whose hooks have asked: a command of theirs may look like a person at a terminal, and is none.

Behind a hook asimi starts no command, so nothing marks what an agent starts. But whoever can start a command there has
asked its hook before. So each hook notes the process that started it, and nothing that descends from such a process
answers questions. A note is an empty file, named after the process and its start; no process gets both again.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.values import NamedTuple
from asimi.world.host.nested import parent, started_at
from asimi.world.host.places import private_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

DIRECTORY = "agents"
"""The name of the directory of notes, below that of runtime files."""

SHELLS = frozenset({"sh", "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "mksh", "tcsh", "yash", "zsh"})
"""Programs that an agent may start its hook with, and that a person may have started an agent with."""

WRAPPERS = frozenset(
    {"bwrap", "coreutils", "flock", "script", "setsid", "strace", "sudo", "time", "timeout", "unshare"}
)
"""Programs that wait for another one, so a hook may be started through them; those that become it are not seen."""

LOGINS = frozenset({"doas", "login", "runuser", "su", "sudo"})
"""Programs that start a person's shell as another user, in the session of the shell before (su(1))."""

KEEPERS = frozenset({"dumb-init", "init", "screen", "systemd", "tini", "tmux"})
"""Programs that start whatever they are asked to, and take what has lost its parent: no agent, but also no agent's."""


class Process(NamedTuple):
    """What the kernel tells of a process (proc_pid_stat(5)).

    Attributes:
        pid, parent, group, session: numbers of processes.
        terminal: the device number of its terminal; 0 for none.
        started: when, in clock ticks since boot.
    """

    pid: int
    parent: int
    group: int
    session: int
    terminal: int
    started: int

    @property
    def program(self) -> str:
        """The name of its program; of one of another user's none, but of the first one, which starts all."""
        try:
            return os.path.basename(os.readlink(f"/proc/{self.pid}/exe"))
        except OSError:
            return "init" if self.pid == 1 else ""


def note_agent(runtime: str) -> Process | None:
    """Note the agent that started this hook, and return it; None where the kernel does not tell it.

    Args:
        runtime: the directory of runtime files; what is missing is made.

    Raises:
        AsimiError: the directory cannot be used.
        OSError: the note cannot be written.
    """
    agent = agent_above(parent())
    path = "" if agent is None else os.path.join(runtime, DIRECTORY, f"{agent.pid}-{agent.started}")
    if not path or os.path.lexists(path):
        return agent
    private_directory(runtime)
    directory = private_directory(os.path.join(runtime, DIRECTORY))
    for pid, started in agents_in(runtime):
        if started_at(pid) != started:
            with suppress(FileNotFoundError):  # another hook was faster
                os.unlink(os.path.join(directory, f"{pid}-{started}"))
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    return agent


def agents_in(runtime: str) -> frozenset[tuple[int, int]]:
    """Return the processes of the agents that were noted, each with its start in clock ticks since boot."""
    try:
        names = os.listdir(os.path.join(runtime, DIRECTORY))
    except FileNotFoundError:
        return frozenset()
    pairs = (name.partition("-") for name in names)
    return frozenset((int(pid), int(started)) for pid, _, started in pairs if pid.isdigit() and started.isdigit())


def lineage(pid: int) -> Iterator[Process]:
    """Yield a process and those that it descends from, as far as the kernel tells of them."""
    while (found := _process(pid)) is not None:
        yield found
        pid = found.parent


def left_running(since: float, root: str, below: int = 0) -> frozenset[tuple[int, int]]:
    """Return the processes that a call has left running, each by its number and its start in clock ticks since boot.

    Args:
        since: when the call began, in seconds since the epoch.
        root: of what has lost its parents, only what is in a directory below this one counts.
        below: the process whose descendants count wherever they are; 0 for none.
    """
    try:
        now, names = time.clock_gettime(time.CLOCK_BOOTTIME), os.listdir("/proc")
    except (OSError, AttributeError):
        return frozenset()
    first = int((now - time.time() + since) * os.sysconf("SC_CLK_TCK"))
    every = (_process(int(name)) for name in names if name.isdigit())
    young = {each.pid: each for each in every if each is not None and each.started >= first}
    ours = {each.pid for pid in (os.getpid(), parent()) for each in lineage(pid)}
    found = set[tuple[int, int]]()
    for each in young.values():
        top = each
        while top.parent in young:
            top = young[top.parent]
        above = list(lineage(top.parent))
        orphan = not above or above[0].pid == 1 or above[0].program in KEEPERS
        if each.pid not in ours and ((orphan and _is_in(each, root)) or any(one.pid == below for one in above)):
            found.add((each.pid, each.started))
    return frozenset(found)


def _is_in(process: Process, root: str) -> bool:
    with suppress(OSError):
        return is_below(os.readlink(f"/proc/{process.pid}/cwd"), root)
    return False


def agent_above(pid: int) -> Process | None:
    """Return the agent that a hook below a process belongs to; None where the kernel does not tell it.

    That is what started the hook's shells and wrappers. At a terminal it is the whole program: all up to the shell that
    the person typed its name in, told by its job control, which gives each program a process group of its own.
    """
    found = _process(pid)
    while found is not None and (above := _process(found.parent)) is not None:
        typed = above.program in SHELLS and above.group != found.group and _leads(above)
        together = found.terminal != 0 and found.session == above.session
        if typed or above.program in KEEPERS or not (together or found.program in SHELLS | WRAPPERS):
            break
        found = above
    return None if found is None or found.program in KEEPERS else found


def _leads(shell: Process) -> bool:
    """Whether a shell is the first one of a session, or of a person who has changed the user in it."""
    if shell.session == shell.pid:
        return True
    above = _process(shell.parent)
    return above is not None and shell.group == shell.pid and (above.program in LOGINS or _is_anothers(above.pid))


def _is_anothers(pid: int) -> bool:
    """Whether a process acts as another user; that nobody may look at its program says nothing (prctl(2), dumpable)."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="ignore") as file:
            effective = next(line.split()[2] for line in file if line.startswith("Uid:"))
    except (OSError, StopIteration, IndexError):
        return False
    return effective != str(os.geteuid())


def _process(pid: int) -> Process | None:
    """Return what the kernel tells of a process; None where it does not."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        parent, group, session, terminal = map(int, fields[1:5])
        return Process(pid, parent, group, session, terminal, int(fields[19]))
    except (OSError, ValueError, IndexError):
        return None
