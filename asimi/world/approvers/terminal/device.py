"""The terminal a person sits at: whether asimi may draw on it, its modes, its keys.

Rules of this file:

- The terminal is `/dev/tty`, opened here; the three standard streams are never read, written or replaced, because they
  may carry JSON.
- It is ours only while one of those streams *is* it and our process group is in its foreground. Otherwise another
  program's screen would be drawn over, or its keys stolen.
- A key counts only if it came alone. What a person presses comes one by one, with some milliseconds before and after;
  what comes in a burst was pasted, or is a report of the terminal's own (a focus change, a mouse move), and is dropped.
- The modes are put back whatever happens, and what was typed meanwhile is thrown away: it was meant for a dialog that
  is gone, not for the shell below.
"""

from __future__ import annotations

import fcntl
import os
import sys
import termios
import time
from typing import TYPE_CHECKING

from asimi.core.wording.visible import visible
from asimi.world.host.terminal import ASKED, look_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping
    from typing import Self

    from asimi.core.wording.visible import Display

TTY = "/dev/tty"

QUIET = 0.3
"""Seconds without a key after which a person who was typing when the dialog appeared has seen it."""

ALONE = 0.05
"""Seconds around a key in which nothing else may come."""

KEYS = {
    "escape": "escape", "pageup": "pageup", "pagedown": "pagedown", "up": "up", "down": "down", "home": "home",
    "end": "end", "left": "<", "right": ">", "c-m": "enter", "c-j": "enter", "c-h": "backspace",
}  # fmt: skip
"""prompt-toolkit's names of the keys that mean something here, and ours."""

NARROWEST, LOWEST = 30, 12
"""Columns and rows below which there is no room for a frame, and the plain mode is used."""


class PersonInterrupt(Exception):
    """The person wants asimi to end."""


def own_terminal(is_person: Callable[[int], bool] = lambda _process: True) -> str | None:
    """Return the name of the terminal asimi may ask on, or None.

    Args:
        is_person: whether the process of that number can be a person's; neither asimi nor the leader of its session is
            if it was started, however indirectly, by a command that asimi runs or by an agent that asks it.
    """
    for stream in (0, 1, 2):
        try:
            if not os.isatty(stream) or os.tcgetpgrp(stream) != os.getpgrp():  # ENOTTY: a terminal, but not ours
                continue
            leader = os.getsid(0) or os.getppid()  # 0: outside of our pid namespace, so unseen here
            if not (is_person(leader) and is_person(os.getppid() or leader)):  # while a call runs, we have its mark
                return None
            os.close(os.open(TTY, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
            return _name(stream)
        except OSError:
            continue
    return None


def _name(stream: int) -> str:
    """Return the name that all processes at this terminal share; in a container it may have none."""
    try:
        return os.ttyname(stream)
    except OSError:
        return TTY


def lock_terminal(name: str) -> int | None:
    """A descriptor that holds the lock on a terminal until it is closed, or None while another asimi asks there."""
    flags = os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        lock = os.open(name, flags)
    except OSError:
        lock = os.open(TTY, flags)  # after `su` the terminal itself is another user's
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def ring() -> None:
    """Ring the bell of the terminal, if asimi may draw on it."""
    if own_terminal() is None:
        return
    try:
        terminal = os.open(TTY, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(terminal, b"\a")
    except OSError:
        return  # it hung up
    finally:
        os.close(terminal)


class Device:
    """The controlling terminal while a question is on it; a context manager that puts its modes back.

    Args:
        name: its name, of `own_terminal`.
        environ: says what the terminal can show.
        quiet, alone: how long nobody types before keys are heard, and around a key, in seconds; None for `QUIET`.

    Raises:
        OSError: it is gone.
    """

    def __init__(
        self, name: str, environ: Mapping[str, str], *, quiet: float | None = None, alone: float = ALONE
    ) -> None:
        self.environ, self._quiet, self._alone = environ, QUIET if quiet is None else quiet, alone
        path = name if sys.platform == "darwin" else TTY  # there kqueue cannot wait for /dev/tty, but for its own name
        self.descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        self._modes = termios.tcgetattr(self.descriptor)
        self._bursts: asyncio.Queue[bytes] | None = None
        self._drawn = 0

    def __enter__(self) -> Self:
        from prompt_toolkit.input.vt100 import raw_mode

        raw_mode(self.descriptor).__enter__()  # put back by __exit__ below, together with all else
        ASKED.append(self)
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.deafen()
        ASKED.remove(self)
        try:
            termios.tcsetattr(self.descriptor, termios.TCSAFLUSH, self._modes)
        except termios.error:
            pass  # the terminal is gone, and its modes with it
        finally:
            os.close(self.descriptor)

    # ---- showing ----

    @property
    def look(self) -> Display:
        """What it can show now."""
        look = look_of(self.environ, self.descriptor)
        return look._replace(plain=look.plain or look.width < NARROWEST or look.height < LOWEST)

    def draw(self, lines: tuple[str, ...]) -> None:
        """Show some lines in place of those drawn before; the cursor stays behind the last."""
        self.write(self._above() + "\r\n".join(lines))
        self._drawn = len(lines)

    def redraw_last(self, line: str) -> None:
        """Show another last line."""
        self.write(f"\r{line}\x1b[K")

    def erase(self) -> None:
        """Take away what was drawn."""
        self.write(self._above())
        self._drawn = 0

    def _above(self) -> str:
        """What moves to the beginning of the drawing and clears from there; to a fresh line where there is none."""
        if not self._drawn:
            # Spaces up to the last column: they wrap exactly if something is already on this line.
            return " " * (self.look.width - 1) + "\r"
        up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
        return f"{up}\r\x1b[J"

    def write(self, text: str) -> None:
        """Write to the terminal; only ever called with what is safe to show."""
        data = text.encode("utf-8" if self.look.unicode else "ascii", "replace")
        try:
            while data:
                data = data[os.write(self.descriptor, data) :]
        except OSError:
            return  # it hung up; the next read says so

    # ---- listening ----

    def listen(self) -> None:
        """Begin to collect keys."""
        from asyncio import Queue, get_running_loop

        self._bursts = Queue()
        get_running_loop().add_reader(self.descriptor, self._read)

    def deafen(self) -> None:
        """Stop collecting keys, so something else can read them."""
        from asyncio import get_running_loop

        get_running_loop().remove_reader(self.descriptor)

    def _read(self) -> None:
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:
            data = b""
        if not data:
            self.deafen()  # a terminal that hung up is readable for ever
        assert self._bursts is not None
        self._bursts.put_nowait(data)

    async def quiet(self, patience: float, quiet: float | None = None) -> None:
        """Throw away what was typed before the dialog could be seen, until nobody types; at most for some seconds.

        Args:
            patience: these seconds.
            quiet: how long nobody types then, if not as long as for a new question.
        """
        from asyncio import get_running_loop

        assert self._bursts is not None
        self.deafen()  # a read that the loop is about to do would wait for the next key, once this one is thrown away
        termios.tcflush(self.descriptor, termios.TCIFLUSH)
        get_running_loop().add_reader(self.descriptor, self._read)
        end, quiet = time.monotonic() + patience, self._quiet if quiet is None else quiet
        while (left := end - time.monotonic()) > 0 and (data := await self._next(min(quiet, left))) is not None:
            if not data or b"\x03" in data:  # the end and Ctrl-C are heard at any time
                self._bursts.put_nowait(data)
                return

    async def burst(self, patience: float) -> bytes | None:
        """Return what comes in together; empty at the end of input, None if nothing comes in time."""
        from asyncio import CancelledError

        assert self._bursts is not None
        data = await self._next(patience)
        try:
            while data and (more := await self._next(self._alone)):
                data += more
        except CancelledError:  # a key that was on its way when its question ended
            self._bursts.put_nowait(data or b"")
            raise
        return data

    async def key(self, patience: float) -> str | None:
        """The next key: a character, a name of `KEYS`, `interrupt`, `closed`; empty for others, None for none."""
        burst = await self.burst(patience)
        return None if burst is None else key_of(burst)

    async def line(self, deadline: float) -> str:
        """Return a typed line; Enter counts only where it came alone.

        Args:
            deadline: until when it is waited for, by the monotonic clock.

        Raises:
            Interrupted: the person wants asimi to end.
            EOFError: the terminal is gone, or its input was ended.
            TimeoutError: it does not come in time.
        """
        line = ""
        while (burst := await self.burst(max(0.0, deadline - time.monotonic()))) is not None:
            if b"\x03" in burst:
                self.write("\r\n")
                raise PersonInterrupt
            if not burst or burst == b"\x04":
                raise EOFError
            if burst in {b"\r", b"\n"}:
                self.write("\r\n")
                return line.strip()
            if burst in {b"\x7f", b"\b"}:
                self.write("\b \b" * bool(line))
                line = line[:-1]
                continue
            text = burst.decode("utf-8", "replace")
            if not text.isprintable():
                self.write("\r\nText pasted with a line end does not count. Type it, then press Enter: ")
                line = ""
                continue
            line += text
            self.write(visible(text, ascii_only=not self.look.unicode))
        raise TimeoutError

    async def _next(self, patience: float) -> bytes | None:
        """What comes next, in time; a time limit that cancels would lose the words of whoever cancels this as well."""
        from asyncio import ensure_future, wait

        assert self._bursts is not None
        coming = ensure_future(self._bursts.get())
        try:
            await wait((coming,), timeout=None if patience == float("inf") else patience)
            return coming.result() if coming.done() else None
        finally:
            coming.cancel()


def key_of(burst: bytes) -> str:
    """Return the key that a burst is; empty if it is more than one or none that means something."""
    from prompt_toolkit.input.vt100_parser import Vt100Parser

    if not burst or burst == b"\x04":
        return "closed"
    if b"\x03" in burst:
        return "interrupt"  # whatever else came with it: a no is always heard
    pressed: list[str] = []
    parser = Vt100Parser(lambda press: pressed.append(str(getattr(press.key, "value", press.key))))
    parser.feed_and_flush(burst.decode("utf-8", "replace"))
    if len(pressed) != 1:
        return ""
    return KEYS.get(pressed[0], pressed[0] if len(pressed[0]) == 1 else "")
