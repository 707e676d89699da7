"""Waiting for a run from code that is not asynchronous."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from asimi.core.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from asimi.core.call import Result


def outcome_of(run: Coroutine[Any, Any, Result | Refusal]) -> Result | Refusal:
    """The outcome of a run, waited for here; in a thread of its own where this thread has a loop that goes on."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        try:
            future = thread.submit(asyncio.run, run)
        except RuntimeError as error:
            run.close()
            return Refusal(
                "configuration", f"Not started: {error} (`ulimit -u`); end some processes, or raise the limit"
            )
        return future.result()
