"""Waiting for a run from code that is not asynchronous."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from asimi.core.errors import Refusal, refusal_of_fault

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from asimi.core.call import Result


def outcome_of(run: Coroutine[Any, Any, Result | Refusal]) -> Result | Refusal:
    """The outcome of a run, waited for here; in a thread of its own where this thread has a loop that goes on."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _waited_for(run)
    try:
        from concurrent.futures import ThreadPoolExecutor

        thread = ThreadPoolExecutor(1)
        future = thread.submit(_waited_for, run)
    except RuntimeError as error:  # no room for a thread, or this program is ending
        run.close()
        return Refusal("scarce", f"Not started: {error} (`ulimit -u`); end some processes, or raise the limit")
    with thread:
        return future.result()


def _waited_for(run: Coroutine[Any, Any, Result | Refusal]) -> Result | Refusal:
    """Return the same in this thread, in a loop of its own."""
    loop = asyncio.Runner()
    try:
        loop.get_loop()
    except OSError as error:
        run.close()
        return refusal_of_fault(error)
    with loop:
        return loop.run(run)
