"""A popup in tmux, over the client at which the person sits who started the agent.

No variable says where: `$TMUX` is the agent's to set. The kernel says which server the agent descends from, so that one
is older than the agent and not of its making, and which socket that server listens at. The client is named to tmux: its
process descends from no agent and is older than this one, and its session has the pane in which the agent is.

The popup is drawn by the server and outlives whoever opened it. Its program is started without a shell and without the
environment of the server's sessions, which a program with the server's socket can change (tmux(1), `set-environment`).
"""

from __future__ import annotations

import os
import socket
import subprocess
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.host.agents import lineage
from asimi.world.host.nested import started_at
from asimi.world.host.sockets import peer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from asimi.world.host.agents import Process

COMM, PROGRAM = "tmux: server", "tmux"
"""How a server calls itself (proc_pid_comm(5)), and its program."""

TERM = "screen-256color"
"""What a popup can show."""

SIZE = ("-w", "90%", "-h", "90%")

PATIENCE = 1.0
"""Seconds that a server has to say something."""

LISTENS = 0x10000
"""The flag of a socket that listens in /proc/PID/net/unix (`__SO_ACCEPTCON`)."""

_CLIENTS = "#{client_control_mode}#{client_readonly} #{client_activity} #{client_pid} #{session_id} #{client_name}"
_PANES = "#{pane_pid} #{session_id}"


class Server(NamedTuple):
    """A tmux server.

    Attributes:
        pid: its process.
        socket: where it listens.
        below: the processes between it and an agent, and the agent.
    """

    pid: int
    socket: str
    below: frozenset[int]


def server_above(agent: Process, is_person: Callable[[int], bool]) -> Server | None:
    """Return the tmux server that an agent descends from; None where there is none, or it is not the person's.

    Args:
        agent: the agent.
        is_person: whether the process of a number can be a person's.
    """
    below = [agent.pid]
    for process in lineage(agent.parent):
        if _is_server(process.pid):
            path = _socket_of(process.pid) if is_person(process.pid) else ""
            return Server(process.pid, path, frozenset(below)) if path else None
        below.append(process.pid)
    return None


def client_of(server: Server, agent: Process, is_person: Callable[[int], bool]) -> str:
    """Return the name of the client at which the person sits who started an agent; empty where there is none."""

    def theirs(pid: int) -> bool:
        return 0 < started_at(pid) < agent.started and is_person(pid)

    panes = _ask_server(server, "list-panes", "-a", "-F", _PANES)
    return active_client(_ask_server(server, "list-clients", "-F", _CLIENTS), panes, server.below, theirs)


def active_client(clients: str, panes: str, below: Collection[int], theirs: Callable[[int], bool]) -> str:
    """Return the name of the most recently active client that can show a question; empty where none can.

    Args:
        clients: what the server says of them, each a line.
        panes: the same of these.
        below: processes, one of which is the pane's in which the agent is.
        theirs: whether a client's process is that of a person who was there before.
    """
    lines = (line.split() for line in panes.splitlines())
    sessions = {words[1] for words in lines if len(words) == 2 and words[0].isdigit() and int(words[0]) in below}
    found = list[tuple[int, str]]()
    for line in clients.splitlines():
        kind, activity, pid, session, name = line.split(" ", 4)
        if kind == "00" and session in sessions and theirs(int(pid)):  # neither in control mode nor read-only
            found.append((int(activity), name))
    return max(found, default=(0, ""))[1]


def open_popup(server: Server, client: str, program: Sequence[str]) -> subprocess.Popen[bytes]:
    """Open a popup over a client; the process lives as long as the popup does.

    Raises:
        OSError: it cannot be started.
    """
    null, words = subprocess.DEVNULL, ["display-popup", "-c", client, "-E", *SIZE, "-d", "/", *program]
    return subprocess.Popen(**_start_options(server, words), stdout=null, stderr=null, start_new_session=True)


def _ask_server(server: Server, *words: str) -> str:
    """Return what a server says to a command; nothing where it fails, or does not answer."""
    try:
        done = subprocess.run(**_start_options(server, words), capture_output=True, timeout=PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return str(done.stdout, errors="replace")


def _start_options(server: Server, words: Sequence[str]) -> dict[str, Any]:
    """Return how a command of tmux's is started.

    By the server's own program, which speaks its protocol even where another version was installed since.
    """
    line, program = ["tmux", "-S", server.socket, *words], f"/proc/{server.pid}/exe"
    return {"args": line, "executable": program, "env": {}, "cwd": "/", "stdin": subprocess.DEVNULL}


def _is_server(pid: int) -> bool:
    """Whether a process is a tmux server."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            said = file.read().rstrip("\n")
        program = os.path.basename(os.readlink(f"/proc/{pid}/exe")).removesuffix(" (deleted)")
    except OSError:
        return False
    return (said, program) == (COMM, PROGRAM)


def _socket_of(pid: int) -> str:
    """Return where a process of ours listens, and no other in its place; empty where that is not known."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
        with open(f"/proc/{pid}/net/unix", encoding="utf-8", errors="surrogateescape") as file:
            path = listening_path(file.read(), links)
        if not path or os.stat(path).st_uid != os.geteuid():
            return ""
        with socket.socket(socket.AF_UNIX) as there:
            there.settimeout(PATIENCE)
            there.connect(path)
            return path if peer_of(there) == (pid, os.geteuid()) else ""
    except OSError:
        return ""


def listening_path(sockets: str, links: Collection[str]) -> str:
    """Return the path at which one of some descriptors listens; empty where none does.

    Args:
        sockets: what /proc/PID/net/unix holds.
        links: what the descriptors are links to, such as `socket:[17]`.
    """
    for line in sockets.splitlines()[1:]:
        words = line.split(None, 7)
        if len(words) == 8 and int(words[3], 16) & LISTENS and f"socket:[{words[6]}]" in links:
            return words[7]
    return ""
