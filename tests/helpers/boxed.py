"""A program that shows another one on a terminal of its own, as `asimi wrap` does, without the box.

Its arguments: a directory, then the program. In the directory, each line that is written to the pipe `ask` is a
question as JSON, put over the program (see `helpers.asks`) by a thread of its own; each answer is a line of `answers`.
A string in place of it is a notice, and a list (a path, seconds) the question whether the box shall end.
`code` is the program's exit code in the end. NOTICE_SHOWN in the environment says for how many seconds a notice is
shown.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import sys
import termios
import threading

from asimi.doors.cli.wrap import shall_end
from asimi.world.box import terminal as terminals
from helpers import PATIENCE
from helpers.asks import ask


def start(slave: int, tell: int, program: list[str], streams: list[int]) -> int:
    """A session on the terminal whose leader waits for the program, which has a group of its own: it can be stopped."""
    if leader := os.fork():
        return leader
    os.setsid()
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    tell = os.dup2(tell, 3)
    os.closerange(4, 256)
    slave = os.open("/dev/tty", os.O_RDWR)
    for number in (signal.SIGTTOU, signal.SIGTSTP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        os.closerange(3, 256)
        for number in (signal.SIGTTOU, signal.SIGTSTP, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(program[0], program)
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) % 256)
        os.write(tell, b"T")


def main() -> None:
    place, *program = sys.argv[1:]
    keys = "0" if os.isatty(0) and os.isatty(1) else ""
    terminals.SHOWN = float(os.environ.get("NOTICE_SHOWN", terminals.SHOWN))
    terminal = terminals.Terminal(0 if os.isatty(0) else 1 if os.isatty(1) else 2, keys=bool(keys))
    streams = [terminal.slave if os.isatty(number) else number for number in (0, 1, 2)]
    (ended, ends), (stops, tell) = os.pipe(), os.pipe()
    first = start(terminal.slave, tell, program, streams)
    codes = []

    def waits() -> None:
        codes.append(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]))
        os.write(ends, b".")

    def asks(asked: dict | list | str) -> None:
        if isinstance(asked, str):
            terminal.tell(asked)
            return
        if isinstance(asked, list):
            said = shall_end(terminal, "test", *asked)
        else:
            answer = terminal.over(lambda: asyncio.run(ask(asked)), PATIENCE)
            said = [answer["yes"], answer["by"]]
        with open(f"{place}/answers", "a") as file:
            file.write(json.dumps(said) + "\n")

    def hears() -> None:
        while True:
            with open(f"{place}/ask") as pipe:
                for line in pipe:
                    threading.Thread(target=asks, args=(json.loads(line),), daemon=True).start()

    threading.Thread(target=waits, daemon=True).start()
    if os.path.exists(f"{place}/ask"):
        threading.Thread(target=hears, daemon=True).start()
    terminal.run(ended, stops)
    hung_up = terminal.hung_up
    terminal.close()
    with open(f"{place}/code", "w") as file:
        file.write("hung up" if hung_up else str(codes[0]))


if __name__ == "__main__":
    main()
