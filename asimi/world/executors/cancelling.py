"""Which cancellation of a task is raised once what it waited for has ended.

A cancellation is kept and raised again as it is, never as a new one: a cancel scope of anyio knows its own by the text
that it carries, and lets every other one through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import CancelledError


def raised(kept: CancelledError | None, new: CancelledError) -> CancelledError:
    """The one of two that is raised: the first, because scopes cancel again and again.

    One without a text is of the task itself, so it counts before that of a scope, which would go on behind it.
    """
    return new if kept is None or not new.args else kept
