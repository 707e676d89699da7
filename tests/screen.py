"""A person at a real terminal who runs asimi: a pseudo-terminal whose screen is kept by pyte."""

from __future__ import annotations

import re
import sys
import time

import pexpect
import pyte

PATIENCE = 60  # seconds; no test depends on a machine being fast
KEY = 0.15  # seconds between two keys, so that none comes in a burst


class Screen:
    """A terminal with asimi in its foreground.

    Args:
        home: whose home, from `asimi_home`.
        words: asimi's arguments.
        columns, rows: the size.
        environ: changes to the home's environment.
        program: what is started in place of asimi.
    """

    def __init__(self, home, *words, columns=80, rows=24, environ=None, program=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        command, *arguments = program or (sys.executable, "-m", "asimi", *words)
        self.child = pexpect.spawn(
            command,
            arguments,
            cwd=str(home.root),
            env=home.environ | {"TERM": "xterm-256color"} | (environ or {}),
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.close(force=True)

    @property
    def display(self):
        """What is on the screen, lines without their trailing spaces."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def look(self, seconds=0.02):
        """Let the program write for a while."""
        end = time.monotonic() + seconds
        while True:
            try:
                data = self.child.read_nonblocking(65536, timeout=0.02)
            except pexpect.TIMEOUT:
                data = b""
            except pexpect.EOF:
                return
            self.written += data
            self.stream.feed(data)
            if time.monotonic() > end:
                return

    def sees(self, *texts):
        """The screen, once all of the texts are on it."""
        end = time.monotonic() + PATIENCE
        texts = [text.rstrip(" ") for text in texts]  # spaces at the end of a line cannot be seen
        while not all(text in self.display for text in texts):
            assert time.monotonic() < end, f"not on the screen: {texts}\n{self.display}"
            self.look()
            if not self.child.isalive():
                self.look()
                assert all(text in self.display for text in texts), f"ended without: {texts}\n{self.display}"
        return self.display

    def never_sees(self, text, seconds=0.6):
        """For as long as it could take, a text does not come."""
        self.look(seconds)
        assert text not in self.display, self.display

    def asked(self):
        """The screen, once a question is shown and its keys are heard."""
        return self.sees("[n] deny")

    def presses(self, *keys):
        """Press keys one by one, each after the last had its time."""
        for key in keys:
            self.child.send(key)
            self.look(KEY)

    def types(self, text):
        """Type some text at once, as a fast typist or a paste would."""
        self.child.send(text)
        self.look(KEY)

    def ended(self):
        """The exit code, once it has ended; 128+n after signal n."""
        end = time.monotonic() + PATIENCE
        while self.child.isalive():
            assert time.monotonic() < end, f"it goes on\n{self.display}"
            self.look()
        self.look()
        status, number = self.child.exitstatus, self.child.signalstatus
        return 128 + number if status is None else status

    @property
    def widest(self):
        """Columns of the widest line."""
        return max(map(len, self.display.split("\n")))

    def found(self, pattern):
        """The first group of a pattern on the screen."""
        match = re.search(pattern, self.display)
        assert match, self.display
        return match[1]
