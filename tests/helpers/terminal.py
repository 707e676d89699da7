"""A person at a real terminal: a pseudo-terminal whose screen is kept by pyte."""

from __future__ import annotations

import array
import contextlib
import fcntl
import json
import os
import re
import select
import struct
import subprocess
import termios
import threading
import time

import pyte
from wcwidth import wcswidth

from asimi.world.approvers.terminal.device import ALONE
from helpers import PATIENCE, warm
from helpers.warm import LEADER

HANDED_ON = 0.25  # seconds that the kernel may take to hand on what is typed
NOTICED = 2.0  # seconds within which a program reads what is typed, if it reads at all


class Person:
    """Someone who looks at a terminal and presses keys.

    Args:
        program: what runs in its foreground.
        environ: the program's environment.
        cwd: its directory.
        columns, rows: the size of the terminal.
        streams: which of the three standard streams are the terminal, of `0`, `1`, `2`; the others are pipes.
        early: what is typed before the program starts.
        terminal: whether the terminal is the program's controlling one.
        alone: seconds around a key in which the program wants no other.
    """

    def __init__(
        self, program, environ, *, cwd=None, columns=80, rows=24, streams="012", early=b"", terminal=True, alone=ALONE
    ):
        self.master, self.slave = os.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written, self.alone = b"", alone
        self.shown, self.others = None, set()
        self.lock = threading.Lock()
        self.resize(columns, rows)
        self.modes = termios.tcgetattr(self.slave)
        if early:
            os.write(self.master, early)
        if terminal:
            program = ["/bin/sh", "-c", LEADER, os.ttyname(self.slave), *program]
        self.process = warm.start(
            program,
            stdin=self.slave if "0" in streams else subprocess.PIPE,
            stdout=self.slave if "1" in streams else subprocess.PIPE,
            stderr=self.slave if "2" in streams else subprocess.PIPE,
            start_new_session=True,
            cwd=cwd,
            env=environ,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leaves()

    def _read(self):
        with contextlib.suppress(OSError, ValueError):  # it is closed
            while True:
                if not select.select([self.master], [], [], 0.05)[0]:
                    continue  # a descriptor that is waited for cannot be closed
                with self.lock:
                    data = os.read(self.master, 65536)
                    if not data:
                        return
                    self.written += data
                    self.stream.feed(data)
                    self.shown = None

    def _all_is_read(self):
        """What a program that waits or has ended wrote is on the screen: a mark that is written after it has come."""
        os.write(self.slave, b"\0")
        while self.reader.is_alive():
            with self.lock:
                if b"\0" in self.written:
                    self.written = self.written.replace(b"\0", b"")
                    return
            time.sleep(0.001)

    # ---- what is seen ------------------------------------------------------------------------------------------------

    @property
    def display(self):
        """What is on the screen, lines without their trailing spaces."""
        with self.lock:
            if self.shown is None:
                self.shown = "\n".join(line.rstrip() for line in self.screen.display).rstrip()
            return self.shown

    def sees(self, *texts):
        """The screen, once all of the texts are on it."""
        end = time.monotonic() + PATIENCE
        texts = [text.rstrip(" ") for text in texts]  # spaces at the end of a line cannot be seen
        while not all(text in (shown := self.display) for text in texts):
            assert time.monotonic() < end, f"not on the screen: {texts}\n{shown}"
            if self.process.poll() is not None:
                self._all_is_read()
                shown = self.display
                assert all(text in shown for text in texts), f"ended without: {texts}\n{shown}"
            time.sleep(0.01)
        return shown

    def asked(self):
        """The screen, once a question is shown and its keys are heard."""
        return self.sees("[n] deny")

    def never_sees(self, text, seconds=0.6):
        """For as long as it could take, a text does not come."""
        time.sleep(seconds)
        assert text not in self.display, self.display

    def still_asks(self):
        """Nothing that was typed is an answer."""
        self._waits()
        assert self.process.poll() is None, self.process.communicate()
        assert "[n] deny" in self.display or "Answer:" in self.display, self.display

    def found(self, pattern):
        """The first group of a pattern on the screen."""
        match = re.search(pattern, self.display)
        assert match, self.display
        return match[1]

    @property
    def widest(self):
        """Columns of the widest line."""
        return max(map(len, self.display.split("\n")))

    def too_wide(self):
        """The lines that were written and are wider than the terminal."""
        with self.lock:
            text = self.written.decode(errors="replace")
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
        lines = [line for part in plain.split("\r\n") for line in part.split("\r")]
        return [line for line in lines if wcswidth(line) > self.screen.columns]

    # ---- what is done ------------------------------------------------------------------------------------------------

    def types(self, text):
        """Type some text at once, as a paste would; it is taken when this returns, if anybody reads."""
        self._waits()
        before = self._wakes()
        os.write(self.master, text if isinstance(text, bytes) else text.encode())
        end = time.monotonic() + HANDED_ON
        while self._wakes() == before and time.monotonic() < end:
            time.sleep(0.001)
        self._waits()
        time.sleep(self.alone + 0.005)
        self._waits()
        self._all_is_read()

    def presses(self, *keys):
        """Press keys one by one, each after the last was taken."""
        for key in keys:
            self.types(key)

    def enters(self, text):
        """Type a text and then Enter."""
        self.presses(text, "\r")

    def resize(self, columns, rows):
        """Change the size of the terminal."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        with self.lock:
            self.screen.resize(rows, columns)
            self.shown = None

    def _waits(self):
        """Return once the program has read what was typed and waits for more, or reads nothing."""
        if not os.path.isdir("/proc/self"):
            time.sleep(0.2)
            return
        end, quiet = time.monotonic() + NOTICED, 0
        while quiet < 2 and time.monotonic() < end and self.process.poll() is None:
            quiet = 0 if self._unread() or self._busy() else quiet + 1
            time.sleep(0.002)

    def _unread(self):
        count = array.array("i", [0])
        fcntl.ioctl(self.slave, termios.FIONREAD, count)
        return count[0]

    def _processes(self):
        """The state of each process of the terminal's session, by its id; none comes into it from another one."""
        states = {}
        every = set(filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc/self") else ()))
        self.others &= every
        for entry in every - self.others:
            with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", "rb") as file:
                state, _, _, session = file.read().rpartition(b")")[2].split()[:4]
                if int(session) == self.process.pid:
                    states[entry] = state
                else:
                    self.others.add(entry)
        return states

    def _busy(self):
        """Whether a process of the session runs just now."""
        return any(state in b"RD" for state in self._processes().values())

    def _wakes(self):
        """How often each process of the session has begun to wait."""
        wakes = {}
        for entry in self._processes():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/status", "rb") as file:
                wakes[entry] = file.read().partition(b"\nvoluntary_ctxt_switches:")[2].split(b"\n")[0]
        return wakes

    # ---- how it ends -------------------------------------------------------------------------------------------------

    def ended(self, patience=PATIENCE):
        """The exit code, once it has ended; 128+n after signal n."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it goes on:\n{self.display}") from None
        self._all_is_read()
        return 128 - code if code < 0 else code

    def answer(self):
        """The JSON that came on standard output; the terminal must be as it was before."""
        out, _ = self.process.communicate(timeout=PATIENCE)
        self._all_is_read()
        assert termios.tcgetattr(self.slave) == self.modes, "the terminal's modes were not put back"
        return json.loads(out)

    def hangs_up(self):
        """Close the terminal under the program."""
        self.master, master = -1, self.master
        self.reader.join()
        os.close(self.slave)
        os.close(master)
        self.master, self.slave = os.openpty()

    def leaves(self):
        """End whatever runs."""
        if self.process.poll() is None:
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):  # what it left behind may keep its output open
            self.process.communicate(timeout=PATIENCE)
        self.master, master = -1, self.master
        self.reader.join()
        os.close(self.slave)
        os.close(master)
