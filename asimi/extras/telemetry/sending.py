"""The process that sends telemetry, beside a process that stays (`relay`, `serve`, `mcp`).

It is another process because it may cost no call anything: what it loads, a receiver that is slow, and what libraries
for the network may have wrong are nothing to a gate. It gets its orders on standard input, and ends when that does,
however the other process ended.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import asimi
from asimi.compose import places, root_of
from asimi.compose.configuration import configuration_of
from asimi.core.errors import AsimiError, ConfigError
from asimi.core.settings import Telemetry
from asimi.world.config import Configuration
from asimi.world.config.managed import Copy
from asimi.world.executors.processes import DIRECT
from asimi.world.host.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options
    from asimi.core.settings import Team

CODE = "import sys; sys.path += {path!r}; from asimi.extras.telemetry.sending import main; main()"
"""Our modules come last: nothing beside them stands for a module of Python's."""

FLUSH = 2.0
"""Seconds that what is left may take at the end."""


@contextmanager
def sending(options: Options) -> Iterator[None]:
    """Send what the log says, for as long as the context lasts; nothing where no endpoint is configured.

    Args:
        options: what the caller chooses.

    Raises:
        AsimiError: what it needs is not installed, or a file that it needs cannot be used.
    """
    try:
        telemetry = telemetry_of(options)
    except ConfigError as error:
        say(f"asimi: {error}. Until that is fixed every call is refused; telemetry, if any, is sent after a new start")
        telemetry = Telemetry()
    if not telemetry.endpoint:
        yield
        return
    from asimi.extras.telemetry.receiver import headers_in, installed, trust_in
    from asimi.extras.telemetry.sender import begin
    from asimi.world.audit.tail import Tail

    path = [*installed(), os.path.dirname(asimi.__path__[0])]
    headers_in(telemetry.headers)
    trust_in(telemetry)
    directory = places().state
    begin(Tail(directory), directory)
    process = subprocess.Popen(
        (sys.executable, "-I", "-c", CODE.format(path=path)),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": os.defpath},  # nothing in it says where to send, or through what
        start_new_session=True,  # a signal to us is none to it: our end tells it to send the rest
    )
    assert process.stdin is not None
    DIRECT.add(process.pid)
    try:
        with suppress(OSError):
            process.stdin.write(json.dumps([*telemetry, directory]).encode("ascii") + b"\n")
            process.stdin.flush()
        yield
    finally:
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(FLUSH + 1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        DIRECT.discard(process.pid)


def telemetry_of(options: Options) -> Telemetry:
    """Return where processes that stay send what they log; by the files here while a team's policy is not fetched.

    Args:
        options: what the caller chooses.

    Raises:
        ConfigError: the files here are broken.
    """
    try:
        return configuration_of(options._replace(host=None)).settings().telemetry
    except ConfigError:

        def empty(_: Team) -> Copy:
            return Copy("", b"", 0, float("inf"), "")

        return Configuration(places(), root_of(options), options.config, shared=empty).settings().telemetry


def main() -> None:
    """Send, until standard input ends."""
    from asimi import __version__
    from asimi.extras.telemetry.exporter import Exporter
    from asimi.extras.telemetry.sender import Sender, standing
    from asimi.world.audit.tail import Tail

    os.nice(10)  # calls come first
    logging.disable()  # what the libraries would say again and again is said once, by the sender
    *told, directory = json.loads(sys.stdin.buffer.readline())
    telemetry, log, stop = Telemetry(*told), Tail(directory), threading.Event()

    def tell(text: str) -> None:
        say(f"asimi: telemetry: {telemetry.endpoint} {text}")

    def tell_rest() -> None:
        if count := standing(log, directory)[0]:
            tell(f"has not taken the end of the log (lines: {count}); the next relay, serve or mcp sends it")

    def end() -> None:
        while os.read(0, 4096):
            pass
        stop.set()
        time.sleep(FLUSH)
        tell_rest()
        os._exit(0)

    try:
        sender = Sender(log, Exporter(telemetry, __version__).send, directory, tell, stop)
        threading.Thread(target=end, daemon=True).start()
        sender.run()
        if sender.failing:
            tell_rest()
    except AsimiError as error:
        say(f"asimi: telemetry: {error}")
    os._exit(0)  # somebody waits for it, and nothing is left to do
