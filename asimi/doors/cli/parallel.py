"""Work on many items that several processes share, with the results in the order of the items.

Each process goes through all items and works on every so-many-th block of them. So whatever makes the items is not
handed on, and nobody waits for items, only for the results of the blocks in turn. The processes are forks, which know
what was read before; a pipe that nobody empties holds each of them up, one that nobody reads any more ends it.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from typing import TYPE_CHECKING, TypeVar

from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Any, NoReturn

BLOCK = 64
"""Items that are worked on in one piece."""

LEAST = 4 * BLOCK
"""Items for each process below which another one costs more than it saves."""

T = TypeVar("T")
R = TypeVar("R")


def processes_for(items: int) -> int:
    """How many processes should share so many items; 1 where this machine has no more, or cannot fork."""
    if sys.platform == "win32":
        return 1
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(there, items // LEAST))


def map_in_processes(items: Callable[[], Iterable[T]], work: Callable[[T], R], processes: int) -> Iterator[R]:
    """Yield what each item becomes, in their order, as if one process had done it.

    Args:
        items: makes the items anew, the same ones in each process.
        work: what is done with each; its result can be pickled.
        processes: how many share it; 1 is this one.

    Raises:
        AsimiError: `items` or `work` raised it, or a process ended early; the results before it were yielded.
    """
    if processes == 1:
        yield from map(work, items())
        return
    sys.stdout.flush()
    gc.freeze()  # so that the forks leave the memory alone that they share
    readers: list[IO[bytes]] = []
    children: list[int] = []
    try:
        for number in range(processes):
            try:
                reader, writer = os.pipe()
                readers.append(os.fdopen(reader, "rb"))
                child = os.fork()
            except OSError as error:
                raise AsimiError(f"No process can be started to share the work: {error.strerror}") from None
            if not child:
                for each in readers:  # else none of them ended where nobody reads any more
                    each.close()
                _work(items, work, number, processes, writer)
            children.append(child)
            os.close(writer)
        yield from _in_turn(readers)
    finally:
        for each in readers:
            each.close()
        for child in children:
            os.kill(child, signal.SIGKILL)  # it is done, or in vain; not yet waited for, so the number is its own
            os.waitpid(child, 0)


def _in_turn(readers: list[IO[bytes]]) -> Iterator[Any]:
    """Yield the results of the blocks, of one process after the other.

    Raises:
        AsimiError: as `shared`.
        RuntimeError: what a process was stopped by is a bug; its message shows where.
    """
    while True:
        for reader in readers:
            try:
                results, ended, fault, bug = pickle.load(reader)  # noqa: S301 - of our own process
            except (EOFError, pickle.UnpicklingError):
                raise AsimiError("A process that shared the work was ended; is there enough memory?") from None
            yield from results
            if fault:
                raise RuntimeError(fault) if bug else AsimiError(fault)
            if ended:
                return


def _work(
    items: Callable[[], Iterable[T]], work: Callable[[T], R], number: int, processes: int, writer: int
) -> NoReturn:
    """Do one process's part, and end it."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever reads the results says what there is to say
        with os.fdopen(writer, "wb") as file:
            results: list[R] = []
            fault, bug = "", False
            try:
                for at, item in enumerate(items()):
                    if at // BLOCK % processes == number:
                        results.append(work(item))
                        if at % BLOCK == BLOCK - 1:
                            _say(file, results)
                            results = []
            except AsimiError as error:
                fault = str(error)
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - the process that reads the results shows it
                fault, bug = traceback.format_exc(), True
            _say(file, results, ended=True, fault=fault, bug=bug)
    finally:
        os._exit(0)


def _say(file: IO[bytes], results: list[Any], *, ended: bool = False, fault: str = "", bug: bool = False) -> None:
    """Hand on the results of a block, and how the work ended behind it.

    Raises:
        OSError: nobody reads them any more.
    """
    pickle.dump((results, ended, fault, bug), file)
    file.flush()
