"""Asimi's own voice: a question that nobody watches for appears where the person is, and a person answers it there.

What appears is an `asimi watch` that ends once nothing waits. That it runs is known by its lock in the directory of
questions, held by a process that may answer, never by what opened it: tmux ends with 0 where another popup is open. A
notification only opens such a window.

`tmux` is a popup in tmux; `desktop` a window of a terminal there, and a notification.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, suppress
from functools import cached_property
from shutil import which
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.approvers.queue.entries import VOICE, WatchLock, watchers
from asimi.world.approvers.voices import desktop, tmux
from asimi.world.host.documents import Document

if TYPE_CHECKING:
    import asyncio
    import subprocess
    from collections.abc import Callable, Mapping, Sequence

    from asimi.world.host.agents import Process

NAMES = ("tmux", "window", "notification")
"""The voices, in the order in which they are tried."""

DESKTOP = ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
"""Variables of the person's that say where their desktop is."""

LOOK = ("LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "ASIMI_PLAIN", "ACCESSIBLE")
"""Variables of the person's that say what they can read, and how they want to."""

VERSION = 1
"""The format of what is kept."""

SECONDS = 10.0
"""How long a window or a popup may take to show a question; a terminal's first window takes some seconds."""

GLANCE = 0.02
"""Seconds between two looks whether it does."""


class VoiceSettings(NamedTuple):
    """What a person chose at `asimi hook install`.

    Attributes:
        voices: some of `NAMES`.
        environment: the variables of `DESKTOP` and `LOOK` that were set there.
    """

    voices: tuple[str, ...] = NAMES
    environment: dict[str, str] = {}  # noqa: RUF012 - never changed


def kept_in(state: str) -> Document[VoiceSettings]:
    """Return the file of what a person chose.

    Args:
        state: the directory of state files.
    """
    return Document(os.path.join(state, "voice.json"), VoiceSettings, VERSION, limit=1 << 16)


class Voices:
    """Opens the first voice that is there.

    Args:
        directory: where the questions wait.
        kept: what the person chose.
        home: variables that say where asimi's files are.
        program: the program that shows questions, and its arguments.
        agent: the agent that asks; None where the kernel does not tell it.
        is_person: whether the process of a number can be a person's.
        about: who waits, for a notification, which may be read on a locked screen.
    """

    def __init__(
        self,
        directory: str,
        kept: VoiceSettings,
        home: Mapping[str, str],
        program: Sequence[str],
        agent: Process | None,
        is_person: Callable[[int], bool],
        about: str,
    ) -> None:
        self._directory, self._kept, self._home, self._command = directory, kept, home, program
        self._agent, self._is_person, self._about = agent, is_person, about
        self._clicked: asyncio.Task[None] | None = None

    @cached_property
    def there(self) -> tuple[str, ...]:
        """The voices that were chosen and can be tried."""
        can = {"tmux": self._server, "window": self._window, "notification": self._notice and self._window}
        return tuple(name for name in NAMES if name in self._kept.voices and can[name])

    @property
    def available(self) -> list[str]:
        """The voices that were chosen and that an agent on this machine would have, in words."""
        can = {
            "tmux": "a popup in tmux, for agents that run in it" if which("tmux", path=desktop.PATH) else "",
            "window": f"a window ({self._window[0]})" if self._window else "",
            "notification": f"a notification that opens a window ({self._notice[0]})"
            if self._notice and self._window
            else "",
        }
        return [can[name] for name in NAMES if name in self._kept.voices and can[name]]

    async def open(self, over: Callable[[], bool]) -> bool:
        """Open the first voice that works; whether one does.

        Args:
            over: whether the question is answered already.
        """
        for name in self.there:
            with suppress(OSError):
                if await {"tmux": self._popup, "window": self._open_window, "notification": self._notify}[name](over):
                    return True
        return over()

    def tell(self, name: str) -> None:
        """Show a notification of a call that was refused, if the person wants any and has a desktop.

        Args:
            name: its question.
        """
        text = f"{self._about} was refused a call: asimi approve {name}"
        words = desktop.notification(self._environ, text) if "notification" in self._kept.voices else []
        if words:
            with suppress(OSError):
                desktop.start_apart(words, self._environ)

    async def close(self) -> None:
        """Take a notification away."""
        from asyncio import CancelledError

        if self._clicked is not None:
            self._clicked.cancel()
            with suppress(CancelledError, OSError):
                await self._clicked

    @cached_property
    def _server(self) -> tmux.Server | None:
        return None if self._agent is None else tmux.server_above(self._agent, self._is_person)

    @cached_property
    def _environ(self) -> dict[str, str]:
        return {"PATH": desktop.PATH, **self._home, **self._kept.environment}

    def _program(self, term: str) -> list[str]:
        """Return what shows questions, whatever the environment of what starts it."""
        look = {name: value for name, value in self._kept.environment.items() if name in LOOK}
        variables = {"PATH": desktop.PATH, "LANG": "C.UTF-8", **look, **self._home, "TERM": term}
        return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in variables.items()), *self._command]

    @cached_property
    def _window(self) -> list[str]:
        return desktop.window(self._environ, self._program(desktop.TERM))

    @cached_property
    def _notice(self) -> list[str]:
        waits = (f"--action={desktop.ANSWER}=Answer", "--wait", "--print-id", "--urgency=critical")
        return desktop.notification(self._environ, f"{self._about} waits for your answer", *waits)

    async def _popup(self, over: Callable[[], bool]) -> bool:
        """Open a popup in tmux; whether it shows questions."""
        assert self._server is not None
        assert self._agent is not None
        client = tmux.client_of(self._server, self._agent, self._is_person)
        if not client:
            return False
        popup = tmux.open_popup(self._server, client, self._program(tmux.TERM))
        return await self._shows(over, lambda: not popup.poll())  # 0 where another one is open or opens

    async def _open_window(self, over: Callable[[], bool]) -> bool:
        """Open a window; whether it shows questions."""
        desktop.start_apart(self._window, self._environ)
        return await self._shows(over)

    async def _notify(self, over: Callable[[], bool]) -> bool:
        """Show a notification that opens a window; whether it can be clicked."""
        from asyncio import ensure_future, sleep

        process, ear = desktop.ask_to_open(self._notice, self._environ)
        end = time.monotonic() + SECONDS
        while not (number := desktop.heard(ear).strip().decode()):
            if process.poll() is not None or over() or time.monotonic() > end:
                process.kill()
                os.close(ear)
                return False
            await sleep(GLANCE)
        shown = ExitStack()
        shown.enter_context(WatchLock(self._directory, VOICE))
        shown.callback(os.close, ear)
        self._clicked = ensure_future(self._click(process, ear, number, shown, over))
        return True

    async def _click(
        self, process: subprocess.Popen[bytes], ear: int, number: str, shown: ExitStack, over: Callable[[], bool]
    ) -> None:
        """Open a window once a notification is clicked, and until then be what shows questions."""
        from asyncio import sleep

        try:
            while process.poll() is None:  # noqa: ASYNC110 - a process ends, no event tells
                await sleep(GLANCE)
            if desktop.ANSWER.encode() in desktop.heard(ear):
                await self._open_window(over)
        finally:
            if process.poll() is None:
                process.kill()
                ended = (f"--replace-id={number}", "--expire-time=1")  # notify-send closes none
                words = desktop.notification(self._environ, "The question has ended", *ended)
                desktop.start_apart(words, self._environ)
            shown.close()

    async def _shows(self, over: Callable[[], bool], lives: Callable[[], bool] = lambda: True) -> bool:
        """Whether somebody who may answer shows questions, within some seconds."""
        from asyncio import sleep

        end = time.monotonic() + SECONDS
        ours = os.getpid()
        while not (over() or any(pid != ours and self._is_person(pid) for pid in watchers(self._directory, VOICE))):
            if not lives() or time.monotonic() > end:
                return False
            await sleep(GLANCE)
        return True
