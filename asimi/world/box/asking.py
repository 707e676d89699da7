"""Finds the program of a box that a connection comes from: its command line, for people and the log.

A program can call itself anything, so no verdict rests on what is found here.
"""

from __future__ import annotations

import os

LONGEST = 500
"""Characters of a command line."""

_ESTABLISHED = ("01", "08")


def program_of(first: int, port: int) -> str:
    """The command line of the process that has a connection; empty where it cannot be found.

    Args:
        first: the first process of the box.
        port: the connection's own port, on the loopback of the box.
    """
    inode = _inode(f"/proc/{first}/net/tcp", port)
    try:
        network = os.readlink(f"/proc/{first}/ns/net") if inode else ""
    except OSError:
        network = ""
    for pid in filter(str.isdecimal, os.listdir("/proc")) if network else ():
        try:
            if os.readlink(f"/proc/{pid}/ns/net") == network and _has(pid, f"socket:[{inode}]"):
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read(LONGEST * 4).split(b"\0")
                return " ".join(word.decode(errors="replace") for word in words if word)[:LONGEST]
        except OSError:
            continue  # it has ended meanwhile
    return ""


def user_of(address: str, port: int) -> int | None:
    """The user whose socket of this machine has an address and port as its own; None where there is none.

    Args:
        address: one of IPv4.
        port: its port.
    """
    for row in _rows("/proc/self/net/tcp"):
        if row[1] == f"{_reversed(address)}:{port:04X}" and row[3] in _ESTABLISHED:
            return int(row[7])
    return None


def _inode(path: str, port: int) -> str:
    return next((row[9] for row in _rows(path) if row[1].endswith(f":{port:04X}") and row[3] in _ESTABLISHED), "")


def _rows(path: str) -> list[list[str]]:
    """The sockets of a namespace (proc_pid_net(5)): number, own address, other one, state, ..., user, ..., inode."""
    try:
        with open(path, encoding="ascii") as file:
            return [row for row in map(str.split, file.readlines()[1:]) if len(row) > 9]
    except OSError:
        return []


def _reversed(address: str) -> str:
    return "".join(f"{int(part):02X}" for part in reversed(address.split(".")))


def _has(pid: str, link: str) -> bool:
    """Whether a process has a descriptor that leads there."""
    at = f"/proc/{pid}/fd"
    for name in os.listdir(at):
        try:
            if os.readlink(f"{at}/{name}") == link:
                return True
        except OSError:
            continue
    return False
