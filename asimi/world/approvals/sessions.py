"""Which session a call belongs to: one that is named, a terminal's, an agent's, or this process's own."""

from __future__ import annotations

import os
import time

from asimi.core.call import Session
from asimi.core.errors import AsimiError


def session_of(name: str | None) -> Session | None:
    """Return the session of this process: the one with a name, else its terminal's, else None.

    Args:
        name: what `--session` says, or None.

    Raises:
        AsimiError: the name is empty or too long.
    """
    if name is None:
        return _terminal_session()
    key = "".join(each if each.isascii() and (each.isalnum() or each in "-_") else f"%{ord(each):X}." for each in name)
    if not 0 < len(key) <= 200:
        raise AsimiError("The name of a session is empty or too long; letters, digits, - and _ are short")
    return Session(f"name-{key}", name, named=True)


def agent_session(agent: str, session: str) -> Session:
    """Return the session of an agent that asks about each command in a process of its own.

    Args:
        agent: the agent's name.
        session: the agent's own id of its session; whatever text it is, only a safe part of it becomes a file's name.
    """
    safe = session
    if not (session.isascii() and session.replace("-", "").replace("_", "").isalnum() and len(session) <= 100):
        from hashlib import sha256

        safe = "sha256-" + sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
    return Session(f"hook-{agent}-{safe}", f"{agent} {session[:100]}", named=False)


def process_session() -> Session:
    """Return the session that is the life of this process."""
    return Session(f"process-{os.getpid()}-{time.time_ns():x}", f"process {os.getpid()}", named=False)


def _terminal_session() -> Session | None:
    """Return the login session of our terminal, or None where we have none, or nobody leads it any more.

    It is named after the boot, the session leader with its start time, and the terminal, so it means nothing to another
    terminal, another login or a later process with the same number.
    """
    here = _status("self")
    if here is None:
        return _terminal_session_by_ps()
    leader, terminal = here[3], here[4]
    there = _status(leader)
    if terminal == "0" or there is None:
        return None
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read(8)
    return Session(f"tty-{boot}-{leader}-{there[19]}-{terminal}", f"terminal of process {leader}", named=False)


def _status(process: str) -> list[str] | None:
    """Return the fields of `/proc/PID/stat` after the name, or None."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def _terminal_session_by_ps() -> Session | None:
    """Return the same where there is no `/proc`."""
    if not hasattr(os, "getsid"):
        return None
    import subprocess

    leader = os.getsid(0)
    try:
        done = subprocess.run(
            ["/bin/ps", "-o", "tty=,lstart=", "-p", str(leader)], capture_output=True, text=True, check=False, timeout=5
        )
    except (OSError, subprocess.SubprocessError):
        return None
    terminal, *start = done.stdout.split()[:6] or ["??"]
    if terminal in ("??", "-", "?") or not start:
        return None
    key = "".join(each for each in "-".join((terminal, *start)) if each.isalnum() or each == "-")
    return Session(f"tty-{leader}-{key}", f"terminal {terminal}", named=False)
