"""Waiting for a run from code that is not asynchronous."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from asimi.core.call import Result
    from asimi.core.errors import Refusal


def outcome_of(run: Coroutine[Any, Any, Result | Refusal]) -> Result | Refusal:
    """The outcome of a run, waited for here; in a thread of its own where this thread has a loop that goes on."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run).result()
