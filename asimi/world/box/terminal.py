"""The person's terminal while a program in a box has it.

    the person ── tty ── Terminal ── master ═ slave ── the program

Rules of this file:

- The program has a terminal of its own, the slave. What it prints reaches the person's only through `drawing`; what the
  person types reaches the program as it is.
- Nothing is lost: who cannot take more is waited for, and whoever writes to them then waits too.
- A question is drawn on a screen that is plain and empty, while the program's output is kept back. Before it, whatever
  the terminal still had to say to the program is taken in, up to the answer to a question of ours (a fence): no answer
  of the terminal's can be taken for a key.
- A notice takes no key: what is typed goes to the program, so all that says what keys send stays as the program set it.
- The terminal's modes are put back whatever happens.
"""

from __future__ import annotations

import os
import select
import signal
import termios
import threading
import time
import tty as modes
from collections import deque
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.world.box.drawing import DrawingFilter
from asimi.world.host.terminal import DUMB, columns, fit_text, look_of, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import Final, TypeVar

    T = TypeVar("T")

PIECE: Final = 65536
MOST: Final = 1 << 20
"""Bytes that are kept in each direction before nothing more is read."""

FENCE: Final = b"\x1b[5n"
ANSWER: Final = b"\x1b[0n"
"""DSR: a question that every terminal answers in its turn, and the answer. The program cannot ask it."""

IDLE: Final = 0.05
"""Seconds without a key, and without output, after which a question may come."""

SETTLES: Final = 0.3
"""Seconds within which a drawing that is under way is waited for."""

PASTES: Final = 3.0
"""Seconds within which a paste that is under way is waited for."""

FIRST: Final = 1.0
PATIENT: Final = 10.0
"""Seconds within which a terminal answers: one that never did before; one that did."""

SHOWN: Final = 6.0
LEAST: Final = 1.5
"""Seconds that a notice is shown: at the most; at the least, before a key ends it."""

TYPES: Final = 5.0
PAUSE: Final = 0.5
"""Seconds within which a person who types is waited for before a notice, and those without a key that are a pause."""

LAST: Final = 0.05
"""Seconds without output after which a program that has ended has printed all."""

REDRAWN: Final = 0.1
SLOW: Final = 3.0
"""Seconds between two changes of the window's size, which make a program draw all anew: at the least; at the most,
where it draws nothing. A program that looks at the size only after both has seen no change."""

BARE: Final = ("linux", "screen")
"""Values of `TERM` for terminals that may have one screen only."""


class Terminal:
    """A terminal for a program, shown on the person's. Linux only.

    Args:
        tty: a descriptor of the person's terminal.
        environ: says what it can show.
        keys: whether the program gets what is typed. Not so where another program of the same command line reads the
            terminal (`asimi wrap … | less`); the terminal's modes then stay as they are.
        clipboard: whether the program may write the clipboard.

    Attributes:
        slave: the program's terminal, for whoever starts it; closed by `run` when the program has ended.
        hung_up: whether the person's terminal is gone.
        waiting: how many questions wait for the one that is shown.
        still: lets nothing of the program run while asimi itself is stopped.

    Raises:
        OSError: it is no terminal, or gone.
    """

    def __init__(
        self, tty: int, environ: Mapping[str, str] = os.environ, *, keys: bool = True, clipboard: bool = False
    ) -> None:
        self._tty = _reopen_terminal(tty)
        self._before = termios.tcgetattr(self._tty)
        self._keys, name = keys, environ.get("TERM", "")
        self._dumb, self._bare = name in DUMB, name.startswith(BARE)
        self._unicode = look_of(environ, self._tty).unicode
        self._drawing = DrawingFilter(self._give_answer, unicode=self._unicode, clipboard=clipboard, asks=keys)
        self.master, self.slave = os.openpty()
        termios.tcsetattr(self.slave, termios.TCSANOW, self._before)
        os.set_blocking(self.master, False)
        self._resize()
        self.hung_up, self.waiting = False, 0
        self.still: Callable[[], AbstractContextManager[None]] = nullcontext
        self._typed, self._shown, self._kept, self._heard = bytearray(), bytearray(), bytearray(), bytearray()
        """What the program, the person, the person after a question has to be given; what came since the fence."""
        self._tail, self._pasting = b"", False
        self._typed_at = self._drawn_at = self._small_since = 0.0
        self._fenced = False
        """Whether the terminal ever answered a fence."""
        self._woken, self._wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._turn = threading.Lock()
        self._wanted = False
        self._stage, self._until = "open", 0.0
        """`open`; `settling`, a question is waited with; `fencing`, the fence's answer is waited for; `covered`;
        `pausing`, notices are waited with; `telling`, they are shown."""
        self._notices: deque[str] = deque()
        self._told: list[str] = []
        """Those that wait; those that are shown now."""
        self._begun, self._runs = threading.Event(), threading.Event()
        self._covered, self._open = threading.Event(), threading.Event()

    def run(self, ended: int, stops: int = -1) -> None:
        """Hand on what is printed and typed until the program has ended or the terminal hung up; in the main thread.

        Args:
            ended: a descriptor that is readable once the program has ended.
            stops: one on which a byte comes each time the program has stopped (Ctrl-Z); -1 where none tells.
        """
        with self._own_terminal():
            over = False
            while not (self.hung_up or (over and self._stage == "open" and not self._wanted)):
                over = self._step(-1 if over else ended, stops)
                if over:
                    self._end_notice()
            os.close(self.slave)
            self.slave = -1
            if self.hung_up:
                os.close(self.master)  # the kernel tells the program (SIGHUP)
                self.master = -1
            else:
                self._print_last()

    def over(self, show: Callable[[], T], patience: float) -> T | None:
        """What `show` returns, which may draw on the person's terminal and read its keys; the program waits meanwhile.

        Called from any thread but that of `run`; several calls wait for each other.

        Args:
            show: draws and reads; it puts back the terminal's modes.
            patience: seconds that the call may wait for its turn; None is what it then gets.
        """
        end = time.monotonic() + patience
        with self._in_turn(patience) as taken:
            if not taken or not self._begun.wait(end - time.monotonic()):  # the program may ask before it is shown
                return None
            if not self._runs.is_set():
                return show()
            self._open.clear()
            self._wanted = True
            self._wake()
            self._covered.wait()
            try:
                return show()
            finally:
                self._wanted = False
                self._wake()
                self._open.wait()
                if not self._runs.is_set():
                    self._put_back()  # what `show` put back were the modes that it had found

    def tell(self, text: str) -> None:
        """Show a text over the program for some seconds, once nobody types and nothing is asked; from any thread.

        It takes no key. The program's output is kept back meanwhile, and its screen comes back as it was; where that
        cannot be, the text becomes lines among what the program prints. A notice waits for those before it, and is not
        shown any more when the program has ended.

        Args:
            text: a few lines; they are broken as the window needs it.
        """
        self._notices.append(text)
        with suppress(OSError):  # the terminal is closed
            self._wake()

    @contextmanager
    def _in_turn(self, patience: float) -> Iterator[bool]:
        """Whether it is the caller's turn, while it is."""
        self.waiting += 1
        try:
            taken = self._turn.acquire(timeout=patience)
        finally:
            self.waiting -= 1
        try:
            yield taken
        finally:
            if taken:
                self._turn.release()

    def close(self) -> None:
        """Close all of it."""
        self._begun.set()
        for descriptor in (self._tty, self.master, self.slave, self._woken, self._wakes):
            if descriptor >= 0:
                os.close(descriptor)
        self._tty = self.master = self.slave = self._woken = self._wakes = -1

    # ---- one step ----------------------------------------------------------------------------------------------------

    def _step(self, ended: int, stops: int) -> bool:
        """Wait for something and hand it on; whether the program has ended."""
        self._question(time.monotonic())
        ready = self._ready(ended, stops)
        if ready.get(self._woken):
            self._handle_signals()
        if self._tty in ready:
            self._with_person(ready[self._tty])
        if self.master in ready:
            self._with_program(ready[self.master])
        if self._small_since and self._has_redrawn(time.monotonic()):
            self._small_since = 0.0
            self._resize()
        if stops in ready and ready[stops] & select.POLLIN and os.read(stops, 64):
            self._suspend()
        return ended < 0 or ended in ready

    def _ready(self, ended: int, stops: int) -> dict[int, int]:
        """The events of all descriptors, once there are some or it is time to look around."""
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        if ended >= 0:
            poll.register(ended, select.POLLIN)
            if stops >= 0 and self._stage in {"open", "pausing", "telling"}:
                poll.register(stops, select.POLLIN)
        if self._stage != "covered":
            reads = self._keys and len(self._typed) < MOST
            wants = select.POLLIN * reads | select.POLLOUT * bool(self._shown)
            if wants or self._keys:
                poll.register(self._tty, wants)
        wants = select.POLLIN * (len(self._shown) + len(self._kept) < MOST) | select.POLLOUT * bool(self._typed)
        if wants:
            poll.register(self.master, wants)
        waits = self._stage not in {"open", "covered"} or self._small_since or ended < 0
        return dict(poll.poll(IDLE / 2 * 1000 if waits else None))

    def _with_person(self, events: int) -> None:
        """Give the person what is to be seen, and take what is typed."""
        try:
            if events & select.POLLOUT and self._shown:
                del self._shown[: os.write(self._tty, self._shown[:PIECE])]
            if events & select.POLLIN:
                data = os.read(self._tty, PIECE)
                self.hung_up |= not data
                self._hear(data)
            elif events & (select.POLLHUP | select.POLLERR):
                self.hung_up = True
        except BlockingIOError:
            return
        except OSError:
            self.hung_up = True

    def _with_program(self, events: int) -> None:
        """Give the program what was typed, and take what it prints."""
        try:
            if events & select.POLLOUT and self._typed:
                del self._typed[: os.write(self.master, self._typed[:PIECE])]
            if events & select.POLLIN:
                data = os.read(self.master, PIECE)
                self._drawn_at = time.monotonic()
                if self._stage in {"fencing", "covered", "telling"}:
                    self._kept += data
                else:
                    self._shown += self._drawing.feed(data)
        except OSError:
            return  # nobody has it open just now

    def _hear(self, data: bytes) -> None:
        """Take what the terminal sends: keys, pastes, answers."""
        if self._stage == "fencing":
            self._heard += data
            return
        self._typed += data
        self._typed_at = time.monotonic()
        recent = self._tail + data
        begun, done = recent.rfind(b"\x1b[200~"), recent.rfind(b"\x1b[201~")
        if begun != done:
            self._pasting = begun > done
        self._tail = recent[-5:]

    def _give_answer(self, answer: bytes) -> None:
        """Give the program an answer in the terminal's place."""
        self._typed += answer

    # ---- a question --------------------------------------------------------------------------------------------------

    def _question(self, now: float) -> None:
        """Go on towards a question or a notice, or back from it."""
        if self._wanted and self._stage in {"open", "pausing", "telling"}:
            self._end_notice(seen=False)
            self._stage, self._until = "settling", now + SETTLES
        elif self._stage == "open" and self._notices:
            self._stage, self._until = "pausing", now + SETTLES
        elif self._stage == "pausing":
            pauses = now >= self._typed_at + PAUSE or now >= self._until + TYPES
            if not self._pasting and pauses and (self._is_quiet(now) or now >= self._until):
                self._show_notices(now)
        elif self._stage == "telling":
            if now >= self._until or self._until - SHOWN + LEAST <= self._typed_at:
                self._end_notice()
        elif self._stage == "settling":
            if (self._is_quiet(now) and not self._pasting) or now >= self._until + (PASTES if self._pasting else 0.0):
                self._cover()
        elif self._stage == "fencing":
            before, answer, _ = bytes(self._heard).partition(ANSWER)
            self._fenced |= bool(answer)
            if self._shown:  # only from then on can it answer
                self._until = now + self._patience
            elif answer or now >= self._until:
                self._typed += before  # it was meant for the program
                self._stage = "covered"
                self._covered.set()
        elif self._stage == "covered" and not self._wanted:
            self._uncover(now)

    def _is_quiet(self, now: float) -> bool:
        """Whether nobody types, and nothing is being drawn."""
        return now - max(self._typed_at, self._drawn_at) >= IDLE and self._drawing.is_at_rest and not self._shown

    def _show_notices(self, now: float) -> None:
        """Show the notices that wait, as many as fit; at least one."""
        window, rows = look_of({}, self._tty), list[str]()
        while self._notices:
            text = printable(f"asimi: {self._notices[0]}", keep="\n")
            more = fit_text(text if self._unicode else ascii(text)[1:-1], window.width).split("\n")
            if self._told and len(rows) + len(more) >= window.height:
                break
            rows += more
            self._told.append(self._notices.popleft())
        if self._keys and not self._dumb:
            self._stage, self._until = "telling", now + SHOWN
            self._shown += self._drawing.cover([row + " " * (-columns(row) % window.width) for row in rows])
        else:
            self._stage = "open"
            self._told.clear()
            self._shown += "".join(f"\r\n{row}" for row in rows).encode() + b"\r\n"

    def _end_notice(self, *, seen: bool = True) -> None:
        """Let the program go on which waits while notices are shown; what nobody has seen is shown again."""
        if self._stage == "pausing":
            self._stage = "open"
        elif self._stage == "telling":
            self._notices.extendleft([] if seen else reversed(self._told))
            self._uncover(time.monotonic())

    def _cover(self) -> None:
        self._stage = "fencing"
        self._heard.clear()
        if self._pasting:
            self._typed += b"\x1b[201~"  # the rest of it does not come
            self._pasting, self._tail = False, b""
        self._shown += b"\r\n" if self._dumb else self._drawing.cover()
        if self._keys and not self._dumb:
            self._shown += FENCE

    @property
    def _patience(self) -> float:
        """Seconds within which the terminal answers the fence; none where nobody asked."""
        return (PATIENT if self._fenced else FIRST) if self._keys and not self._dumb else 0.0

    def _uncover(self, now: float) -> None:
        self._covered.clear()
        self._stage, self._until = "open", 0.0
        if not self._dumb:
            self._shown += self._drawing.uncover(notice=bool(self._told))
        self._told.clear()
        self._shown += self._drawing.feed(bytes(self._kept))
        self._kept.clear()
        if self._drawing.alternate or self._bare:
            self._redraw(now)
        self._open.set()

    def _redraw(self, now: float) -> None:
        """Make the program draw its whole screen: its window changes its size, and back."""
        self._resize(less=1)
        self._small_since = now

    def _has_redrawn(self, now: float) -> bool:
        """Whether the program has drawn its smaller screen, or will not."""
        drawn = now >= self._small_since + REDRAWN and self._small_since < self._drawn_at <= now - IDLE
        return drawn or now >= self._small_since + SLOW

    # ---- the window, signals -----------------------------------------------------------------------------------------

    def _resize(self, less: int = 0) -> None:
        """Give the program's terminal the size of the person's, or some rows less."""
        size = termios.tcgetwinsize(self._tty)
        termios.tcsetwinsize(self.master, (max(1, size[0] - less), size[1]))

    def _wake(self, why: bytes = b"?") -> None:
        with suppress(BlockingIOError):  # enough is in it to wake anybody
            os.write(self._wakes, why)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self._wake(bytes([number]))

    def _handle_signals(self) -> None:
        """Do what the signals want that have come."""
        came = os.read(self._woken, 4096)
        if signal.SIGHUP in came:
            self.hung_up = True
        if signal.SIGWINCH in came:
            self._resize()
        for number, key in ((signal.SIGINT, termios.VINTR), (signal.SIGQUIT, termios.VQUIT)):
            if number in came:
                self._typed += self._before[6][key]
        if signal.SIGTSTP in came and self._stage in {"open", "pausing", "telling"}:
            self._to_program(signal.SIGTSTP)  # which then stops, and so do we

    def _to_program(self, number: int) -> None:
        """Send a signal to what is in the foreground of the program's terminal."""
        with suppress(OSError):  # nothing is
            if (group := os.tcgetpgrp(self.master)) > 0:
                os.killpg(group, number)

    def _suspend(self) -> None:
        """Stop as the program did, and go on with it."""
        self._end_notice()
        while select.select([self.master], [], [], 0)[0]:  # what it drew before
            self._with_program(select.POLLIN)
        self._print(self._drawing.leave())
        self._put_back()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        with self.still():  # else nobody would look at what it does meanwhile
            os.kill(0, signal.SIGTSTP)  # the whole command line, as the key does
        signal.signal(signal.SIGTSTP, handler)
        self._raw()
        self._print(self._drawing.back())
        self._resize()
        self._to_program(signal.SIGCONT)
        if self._drawing.alternate:
            self._redraw(time.monotonic())

    # ---- the person's terminal, ours for a time ----------------------------------------------------------------------

    @contextmanager
    def _own_terminal(self) -> Iterator[None]:
        """Have the terminal, and put all back."""
        numbers = [signal.SIGWINCH, signal.SIGTSTP, signal.SIGHUP]
        if not self._keys:
            numbers += [signal.SIGINT, signal.SIGQUIT]
        before = {number: signal.signal(number, self._on_signal) for number in numbers}
        try:
            self._raw()
            self._resize()
            self._runs.set()
            self._begun.set()
            yield
        finally:
            self._runs.clear()
            self._covered.set()
            self._open.set()
            if not self.hung_up:
                covered = self._stage in {"fencing", "covered", "telling"} and not self._dumb
                back = self._drawing.uncover(notice=bool(self._told)) if covered else b""
                self._print(back + self._drawing.leave())
            self._put_back()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _raw(self) -> None:
        if self._keys:
            modes.setraw(self._tty, termios.TCSADRAIN)

    def _put_back(self) -> None:
        if self._keys:
            with suppress(termios.error):  # it is gone
                termios.tcsetattr(self._tty, termios.TCSADRAIN, self._before)

    def _print(self, more: bytes) -> None:
        """Write all that is to be seen, and some more, waiting for the terminal."""
        self._shown += more
        try:
            while self._shown:
                select.select([], [self._tty], [])
                del self._shown[: os.write(self._tty, self._shown[:PIECE])]
        except OSError:
            self._shown.clear()

    def _print_last(self) -> None:
        """Print what the program left behind, and hear the terminal out."""
        while select.select([self.master], [], [], LAST)[0]:
            try:
                data = os.read(self.master, PIECE)
            except OSError:
                break  # nobody has it open any more
            self._print(self._drawing.feed(data))
        if not self._drawing.asked:
            return
        self._print(FENCE)  # what the terminal still has to say is not for the next one who reads it
        heard, until = b"", time.monotonic() + self._patience
        while ANSWER not in heard and select.select([self._tty], [], [], max(0.0, until - time.monotonic()))[0]:
            try:
                heard += os.read(self._tty, PIECE) or ANSWER
            except OSError:
                return


def _reopen_terminal(tty: int) -> int:
    """The terminal with a state of its own: that it does not block is not for the shell that shares the descriptor.

    Raises:
        AsimiError: it is another user's, and not the controlling one.
    """
    flags = os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        return os.open(f"/proc/self/fd/{tty}", flags)
    except PermissionError:  # after `su` it is another user's
        try:
            return os.open("/dev/tty", flags)
        except OSError:
            raise AsimiError("this terminal is another user's; with `su`, use `su --pty`") from None
