"""Exec rules around one call: who answers the kernel for it, and who hears what was refused.

::

    while it runs              its standard error, its result, the log of what happened
    what it left running       the log of the job, the log of what happened
    after the end of asimi     the log of the job
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from functools import lru_cache
from typing import TYPE_CHECKING

from asimi.core.wording.refusals import refused_line
from asimi.extras.exec_rules.execs import ExecRules
from asimi.extras.exec_rules.identity import SYSTEM
from asimi.extras.exec_rules.supervising import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.call import Execution, RefusedExecution
    from asimi.core.judging.rules import Rule


class Enforced:
    """The exec rules of one call; entered when it starts.

    Args:
        execution: the call; its loop is the one that runs.
        say: writes a line on its standard error.
        record: is told of each refusal, in the loop.

    Attributes:
        refused: what was refused while the call ran.
    """

    def __init__(
        self, execution: Execution, say: Callable[[bytes], object], record: Callable[[RefusedExecution], object]
    ) -> None:
        self._loop, self._record = asyncio.get_running_loop(), record
        self._say: Callable[[bytes], object] | None = say
        self.refused: list[RefusedExecution] = []
        rules = exec_rules(execution.enforced, execution.environment.get("PATH", os.defpath))
        shell = execution.argv if execution.request.arguments is None else ()
        self._supervisor = Supervisor(rules, self._heard, shell=shell)

    def __enter__(self) -> Supervisor:
        return self._supervisor

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._supervisor.dismiss()

    def leave_to(self, log: str | None) -> None:
        """The call is about to return; what is still to come goes to its log, if it has one."""
        self._supervisor.log = log

    def end(self) -> None:
        """The call has returned."""
        self._say = None

    def _heard(self, refused: RefusedExecution) -> None:
        """In the thread that answers, before the answer: so the call cannot end before its loop hears of it."""
        late = self._say is None
        if late:
            self._supervisor.write(refused)
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._came, refused, late)

    def _came(self, refused: RefusedExecution, late: bool) -> None:  # noqa: FBT001 - a callback
        self._record(refused)
        if self._say is not None:
            self.refused.append(refused)
            self._say(f"{refused_line(refused)}\n".encode())
        elif not late:  # the call has returned meanwhile
            self._supervisor.write(refused)


def exec_rules(rules: tuple[Rule, ...], path: str) -> ExecRules:
    """Rules as they hold for executions; the same as before, unless programs came or went meanwhile.

    Args:
        rules: deny rules with a command.
        path: PATH as the call has it.
    """
    directories = dict.fromkeys((*path.split(os.pathsep), *SYSTEM))
    return _built(rules, path, tuple(map(_changed, directories)))


@lru_cache(maxsize=4)
def _built(rules: tuple[Rule, ...], path: str, changed: tuple[int, ...]) -> ExecRules:
    del changed  # it only tells one call of this from another
    return ExecRules(rules, path)


def _changed(directory: str) -> int:
    """When a directory was changed, in nanoseconds; 0 where it is not there."""
    try:
        return os.stat(directory).st_mtime_ns
    except OSError:
        return 0
