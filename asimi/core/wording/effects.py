"""Effects in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

VERBS = {
    "read": "reads",
    "write": "writes",
    "delete": "deletes",
    "network": "uses the network",
    "publish": "publishes",
    "code": "runs code",
    "system": "changes the system",
}
"""What each effect is called in a sentence (`asimi.core.programs.program.EFFECTS`)."""


def does(effects: Collection[str]) -> str:
    """Effects as verbs of one sentence: `reads, writes or runs code`; `does nothing` where there are none."""
    verbs = [verb for effect, verb in VERBS.items() if effect in effects]
    *before, last = verbs or ["does nothing"]
    return f"{', '.join(before)} or {last}" if before else last
