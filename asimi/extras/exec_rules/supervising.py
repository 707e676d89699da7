"""Who answers the kernel: a thread while asimi lives, a small process of its own for what goes on after its end.

::

    a thread ── `confine` ──> the listener ──> the thread here answers ──> nobody has the filter: the end
      └─ starts the command                      └─ asimi ends: `hand_over` ──> the keeper answers on

The thread that answers must not descend from the one that confines itself: it would have to ask itself. Whatever goes
wrong here refuses; if asimi is killed the listener closes, and the kernel refuses every further execution.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from asimi.core.call import RefusedExecution, Verdict
from asimi.core.judging.rules import Rule
from asimi.core.wording.refusals import refused_line
from asimi.extras.exec_rules import notify
from asimi.extras.exec_rules.execs import ExecRules, Said
from asimi.extras.exec_rules.images import coming, name_of, parent_of, present
from asimi.world.executors.confining.system import ConfinementError, begin_thread
from asimi.world.executors.spawning import start_drainer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from asimi.extras.exec_rules.notify import Question

KEEPER = "import sys; sys.path.append({path!r}); from asimi.extras.exec_rules.supervising import keep; keep()"
"""Our modules come last: nothing beside them, as in a project, stands for a module of Python's."""
LONGEST = 4096
"""Characters of an argument list that are told."""
MOST = 1000
"""Refusals of one call that are told: a loop must not fill the disk."""


_ALL: WeakSet[Supervisor] = WeakSet()


def _forked() -> None:
    """A copy of us (`os.fork`, multiprocessing) lets go of the listeners: it would hold them open after our end."""
    for supervisor in _ALL:
        supervisor.forget()
    _ALL.clear()


os.register_at_fork(after_in_child=_forked)


class Supervisor:
    """Answers for one call.

    Args:
        rules: what is refused.
        heard: is told of each refusal, in the thread that answers, before whoever asked hears of it.
        shell: how the shell is started that runs a text which was judged: exactly so, it may be, whatever is denied.
        after: whether the second look is taken.

    Attributes:
        log: the file that `write` appends to, and who answers on after the end of asimi; None for nowhere.
    """

    def __init__(
        self,
        rules: ExecRules,
        heard: Callable[[RefusedExecution], None],
        *,
        shell: Sequence[str] = (),
        after: bool = True,
    ) -> None:
        self.rules, self.heard, self.shell, self.after = rules, heard, tuple(shell), after
        self.log: str | None = None
        self._listener, self._owner = -1, os.getpid()
        self._ready, self._over, self._lock = threading.Event(), threading.Event(), threading.Lock()
        self._stop, self._stopping = os.pipe()
        try:
            begin_thread(self._serve)
        except OSError:
            self.forget()
            raise
        atexit.register(self.hand_over)
        _ALL.add(self)

    def confine(self) -> None:
        """Put the filter on the calling thread, for good, and on all that it starts from now on.

        Raises:
            ConfinementError: the kernel cannot, or may not here.
        """
        try:
            self._listener = notify.listen(after=self.after)
        except OSError as error:
            raise ConfinementError(str(error.strerror), "Exec rules") from None
        self._ready.set()

    def dismiss(self) -> None:
        """End, once nobody has the filter: nothing was started."""
        self._ready.set()

    def forget(self) -> None:
        """Close what a copy of us has of it."""
        for descriptor in (self._listener, self._stop, self._stopping):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def write(self, refused: RefusedExecution) -> None:
        """Append a refusal to the log."""
        if (log := self._opened_log()) >= 0:
            _write(log, refused)
            os.close(log)

    def _opened_log(self) -> int:
        """The log, open; -1 where there is none, or no room for it."""
        with contextlib.suppress(OSError):
            return -1 if self.log is None else os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        return -1

    def hand_over(self) -> None:
        """Let a process of its own answer on, if anybody is left who may ask; asimi ends."""
        if self._owner != os.getpid():  # a copy of us has not our threads, and not our calls
            return
        atexit.unregister(self.hand_over)
        with self._lock:
            if self._stopping >= 0:
                os.write(self._stopping, b"x")  # which wakes the thread, also where a copy of us has the pipe open
                os.close(self._stopping)
                self._stopping = -1
        self._ready.set()
        self._over.wait()
        if self._listener >= 0:
            with contextlib.suppress(OSError):  # no room for a process: every execution is refused from here on
                self._keep()
            os.close(self._listener)
            self._listener = -1

    def join(self, seconds: float | None = None) -> bool:
        """Wait until nobody has the filter any more; whether that is so."""
        return self._over.wait(seconds)

    def _serve(self) -> None:
        """Answer to the end; if that fails, the listener closes, and so every execution is refused."""
        self._ready.wait()
        ended = True
        try:
            if self._listener >= 0:
                ended = serve(self._listener, self.rules, self.heard, self._stop, self.shell)
        finally:
            with self._lock:
                os.close(self._stop)
                self._stop = -1
                if ended and self._stopping >= 0:
                    os.close(self._stopping)
                    self._stopping = -1
            if ended and self._listener >= 0:
                os.close(self._listener)
                self._listener = -1
            if ended:
                atexit.unregister(self.hand_over)
            self._over.set()

    def _keep(self) -> None:
        """Start the keeper and tell it the rules."""
        log = self._opened_log()
        rules = [rule._asdict() for rule in self.rules.rules]
        told = json.dumps({"listener": self._listener, "path": self.rules.path, "rules": rules}).encode()
        code = KEEPER.format(path=str(Path(__file__).absolute().parents[3]))
        reading, writing = os.pipe()
        try:
            argv = (sys.executable, "-I", "-c", code)
            start_drainer(argv, reading, log if log >= 0 else subprocess.DEVNULL, (self._listener,))
        finally:
            os.close(reading)
            if log >= 0:
                os.close(log)
            with open(writing, "wb") as file, contextlib.suppress(OSError):
                file.write(told)


def keep() -> None:
    """The keeper: answer on until nobody has the filter any more."""
    told = json.load(sys.stdin)
    rules = [_rule(rule) for rule in told["rules"]]
    serve(told["listener"], ExecRules(rules, told["path"]), lambda refused: _write(1, refused))


def _write(log: int, refused: RefusedExecution) -> None:
    with contextlib.suppress(OSError):  # no room
        os.write(log, f"{refused_line(refused)}\n".encode())


def _rule(told: dict[str, Any]) -> Rule:
    """A rule as it was before it became JSON."""
    return Rule(**{name: _frozen(value) for name, value in told.items()})._replace(verdict=Verdict(told["verdict"]))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def serve(
    listener: int,
    rules: ExecRules,
    heard: Callable[[RefusedExecution], None],
    stop: int = -1,
    shell: tuple[str, ...] = (),
) -> bool:
    """Answer until nobody has the filter any more (true), or told to stop (false)."""
    last: RefusedExecution | None = None  # a shell tries each directory of PATH again
    left = MOST
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    if stop >= 0:
        poll.register(stop, select.POLLIN)
    while True:
        events = dict(poll.poll())
        if stop in events:
            return False
        if not events[listener] & select.POLLIN:
            return True
        question = notify.receive(listener)
        if question is None:
            continue
        refused = _look(question, rules, shell)
        if refused is not None:
            if not notify.waits(listener, question):
                continue  # it is gone, and its process id may be another's
            if refused != last and left:  # first: once it is killed, the call may end
                heard(refused)
                last, left = refused, left - 1
            if question.after and notify.waits(listener, question):
                with contextlib.suppress(OSError):
                    os.kill(question.pid, signal.SIGKILL)
        notify.answer(listener, question, errno.EACCES if refused is not None else 0)


def _look(question: Question, rules: ExecRules, shell: tuple[str, ...]) -> RefusedExecution | None:
    """What is said against what a process asks; what cannot be looked at is refused."""
    pid = question.pid
    try:
        with present(pid) if question.after else coming(question) as image:
            if image is None or (image.argv == shell and _same(image.descriptor, shell[0])):
                said = None
            else:
                said = rules.refuse(image, pid) if question.after else rules.refuse_coming(image, pid)
    except Exception as error:  # noqa: BLE001 - whatever it is, nothing may pass because of it
        what = os.fsdecode(getattr(error, "filename", None) or b"") or f"/proc/{pid}/exe"
        said = Said((what,), f"asimi cannot look at it ({error})", None)
    if said is None:
        return None
    return RefusedExecution(
        _cut(said.argv), pid, name_of(parent_of(pid) if question.after else pid), said.rule, said.source
    )


def _cut(argv: tuple[str, ...]) -> tuple[str, ...]:
    """An argument list as far as it is told."""
    size = 0
    for index, word in enumerate(argv):
        size += len(word) + 1
        if size > LONGEST:
            return (*argv[:index], word[: LONGEST - size] + "…")
    return argv


def _same(descriptor: int, path: str) -> bool:
    return os.path.samestat(os.fstat(descriptor), os.stat(path))
