"""Runs commands on a host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.settings import Environment
from asimi.world.executors.remote.calls import RemoteCall

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.call import Execution, Refused, Result
    from asimi.core.interfaces import Listener
    from asimi.world.executors.remote.link import Link


class RemoteExecutor:
    """Runs commands at the far end of a link.

    Usable from any thread and event loop. The files and processes that a result names are the host's.

    Args:
        link: the way there.
        wish: what the environment of a command differs in from the host's own; of this machine's no variable is sent.
        refused: is told the id of a call, and of an execution beneath it that was refused; in the call's loop.
    """

    def __init__(
        self,
        link: Link,
        wish: Callable[[], Environment] = Environment,
        refused: Callable[[str, Refused], object] = lambda _id, _refused: None,
    ) -> None:
        self._link, self._wish, self._refused = link, wish, refused

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Run it to its end; a failure to start, and a lost connection, is in the result.

        Args:
            execution: what to run; its environment is made by the host, of its own and the wish.
            listener: hears the output as it comes, see `core.interfaces.Executor`.

        Raises:
            asyncio.CancelledError: the task was cancelled; its tree is ended, or the connection is lost.
        """
        call = RemoteCall(execution, self._wish(), listener, self._refused)
        self._link.start(call)
        return await call.result()

    def interrupt(self) -> None:
        """End the trees of all that runs there; their results come as usual. May be called from a signal handler."""
        self._link.interrupt()
