"""What holds a command beneath its text, in words; never that it is safe."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.core.call import Deed, Sandbox


def held(sandbox: Sandbox) -> str:
    """What a sandbox holds a command to, in one line; empty where there is none.

    Only what is held is told: files are written, not read, and daemons that a command can speak to may do more.
    """
    if sandbox.mode == "off":
        return ""
    where = [] if sandbox.mode == "read-only" else [_named(each) for each in sandbox.writable]
    writes = f"in a sandbox: writes only in {_joined([*where, 'a private temporary directory'])}"
    parts = [writes, "no network" if sandbox.network == "none" else ""]
    parts.append("may speak to local daemons" if sandbox.sockets else "")
    return "; ".join(filter(None, parts))


def unchecked(deeds: tuple[Deed, ...]) -> bool:
    """Whether something runs whose own doing no text shows."""
    return any(deed.effects is None or "code" in deed.effects for deed in deeds)


def _named(directory: str) -> str:
    return "the project" if directory == "." else directory


def _joined(names: list[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
