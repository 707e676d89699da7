"""What holds a command beneath its text, in words; never that it is safe."""

from __future__ import annotations

from asimi.core.programs.effects import covers
from asimi.core.startup import TYPE_CHECKING
from asimi.core.wording.effects import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.call import Deed, Question, Sandbox

FEW = 3
"""Names that are told; of more, how many more there are."""


def held(sandbox: Sandbox) -> str:
    """What a sandbox holds a command to, in one line; empty where there is none.

    Only what is held is told: files are written, not read, and daemons that a command can speak to may do more.
    """
    if sandbox.mode == "off":
        return ""
    where = [] if sandbox.mode == "read-only" else [_named(each) for each in sandbox.writable]
    parts = [
        f"in a sandbox: writes only in {joined([*where, 'a temporary directory'], 'and')}",
        f"not in {_few(sandbox.protected)}" if sandbox.protected else "",
        f"cannot read {_few(sandbox.hidden)}" if sandbox.hidden else "",
        "no network" if sandbox.network == "none" else "",
        "may speak to local daemons" if sandbox.sockets else "",
    ]
    return "; ".join(filter(None, parts))


def holds(question: Question) -> str:
    """What holds a command that is asked about; where it is not all that runs, what follows from that."""
    parts = [held(question.decision.sandbox)]
    denied = [entry.partition("(")[2].removesuffix(")") or entry for entry in dict.fromkeys(question.enforced)]
    parts.append(f"may not start {_few(denied)}" if denied else "")
    if not parts[0] and unchecked(question.deeds):
        nothing = "" if any(parts) else "by nothing: "
        parts.append(f"{nothing}what the program itself does is not checked")
    return "; ".join(filter(None, parts))


def unchecked(deeds: tuple[Deed, ...]) -> bool:
    """Whether something runs whose own doing no text shows."""
    return any(deed.effects is None or any(covers({"code"}, kind) for kind in deed.effects) for deed in deeds)


def _named(directory: str) -> str:
    return "the project" if directory == "." else directory


def _few(names: Sequence[str]) -> str:
    more = f" ({len(names) - FEW} more)" if len(names) > FEW else ""
    return f"{', '.join(names[:FEW])}{more}"
