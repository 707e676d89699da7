"""Asks the person at the terminal.

The dialog is a loop: draw, hear one key, see what `asimi.core.wording.dialog` makes of it. How it looks is handed in as
a `Face`, so nothing here knows how to draw; what keys mean is not decided here either.

Ctrl-C is a no, and more: the person wants asimi to end. In raw mode the terminal does not send SIGINT, so
`interrupt` does, once the terminal has its modes back; the doors treat it as they treat every SIGINT.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import asynccontextmanager
from math import ceil
from typing import TYPE_CHECKING, Protocol

from asimi.core.call import Approval
from asimi.core.syntax import line_of
from asimi.core.wording.dialog import LEFT, WORDS, Dialog, Drawing, Line, TextRequest, press, with_text
from asimi.core.wording.visible import visible
from asimi.core.wording.weight import word_of
from asimi.world.approvers import unanswered
from asimi.world.approvers.terminal.device import ALONE, QUIET, Device, Interrupted, locked, own_terminal
from asimi.world.host.looking import looked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from prompt_toolkit.history import History

    from asimi.core.call import Offer, Question, Verdict
    from asimi.core.interfaces import Approver
    from asimi.core.wording.visible import Display

TICK = 0.25
"""Seconds between two looks at the clock and at the size of the terminal."""


class Face(Protocol):
    """How a dialog looks."""

    def render(self, dialog: Dialog, look: Display) -> Drawing:
        """Return the dialog as lines."""

    def prompt(self, dialog: Dialog, look: Display) -> str:
        """Return its last line, with the time that is left."""

    def closing_line(self, question: Question, approval: Approval, look: Display) -> str:
        """Return what stays on the terminal; empty for nothing."""


class TerminalApprover:
    """Asks on the terminal that one of the standard streams is, if asimi is in its foreground.

    Args:
        face: gives how the dialog looks, when there is something to draw.
        fallback: the approver to ask if asimi may not draw.
        check_entry: an entry that the person wrote for a question, and what it shall say, as an offer, or the words of
            why it cannot be kept.
        environ: the environment, which says what the terminal can show.
        is_person: whether the process of that number can be a person's.
        line: the place of the question that is asked among others; None where there are none.
        interrupt: what Ctrl-C does beyond a no.
        quiet, alone: how long nobody types before keys are heard, and around a key, in seconds.
    """

    def __init__(
        self,
        face: Callable[[], Face],
        fallback: Approver,
        check_entry: Callable[[str, Question, Verdict], Offer | str],
        environ: Mapping[str, str],
        *,
        is_person: Callable[[int], bool] = lambda _process: True,
        line: Callable[[], Line] | None = None,
        interrupt: Callable[[], None] = lambda: signal.raise_signal(signal.SIGINT),
        quiet: float = QUIET,
        alone: float = ALONE,
    ) -> None:
        self.face, self.fallback, self.check_entry, self.environ = face, fallback, check_entry, environ
        self.is_person, self.line, self.interrupt = is_person, line, interrupt
        self.quiet, self.alone = quiet, alone
        self._history: dict[str, History] = {}

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Held while asimi asks; the lock is the terminal's own, so no two processes share its keys."""
        from asyncio import sleep

        name = own_terminal(self.is_person)
        if name is None:
            async with self.fallback.turn():
                yield
            return
        while (lock := locked(name)) is None:  # noqa: ASYNC110 - another process has it, no event tells
            await sleep(0.05)
        try:
            yield
        finally:
            os.close(lock)

    async def ask(self, question: Question) -> Approval:
        """Return the person's answer, or the fallback's if asimi has no terminal with a person."""
        name = own_terminal(self.is_person)
        if name is None:
            return await self.fallback.ask(question)
        began, place = time.monotonic(), question.request.place
        if not (place.host or question.origin):  # what a host or another machine has, its gate has looked at
            question = question._replace(deeds=looked(question.deeds, place.path, place.root))
        interrupted = False
        with Device(name, self.environ, quiet=self.quiet, alone=self.alone) as device:
            try:
                talk = self._read_aloud if device.look.plain else self._shown
                approval = await talk(device, question)
            except Interrupted:
                away = (line := self._line()) is not None and line.away
                interrupted, approval = True, LEFT if away else Approval(yes=False, by="terminal")
            if closing := self.face().closing_line(question, approval, device.look):
                device.write(closing + "\r\n")
        if interrupted:
            self.interrupt()
        return approval._replace(seconds=time.monotonic() - began)

    async def _shown(self, device: Device, question: Question) -> Approval:
        """Return the dialog in a frame, answered with single keys."""
        deadline = time.monotonic() + question.patience
        dialog, look = Dialog.opened(question, ceil(question.patience), self._line()), device.look
        try:
            device.draw(self.face().render(dialog, look).lines)
            await device.quiet(question.patience)
            dialog, drawn, page = dialog._replace(ready=True), None, 1
            while (remaining := deadline - time.monotonic()) > 0:
                if device.look != look:
                    look, drawn = device.look, None
                    dialog = dialog._replace(top=0, seen=0, complete=False, pages=False)
                if look.plain:
                    device.erase()
                    return await self._read_aloud(device, question)
                if drawn != _standing(dialog):
                    dialog, page = self._draw(device, dialog, look)
                    drawn = _standing(dialog)
                if (dialog.left, dialog.line) != (ceil(remaining), line := self._line()):
                    dialog = dialog._replace(left=ceil(remaining), line=line)
                    device.redraw_last(self.face().prompt(dialog, look))
                key = await device.key(min(TICK, remaining))
                if key is None:
                    continue
                if key in {"interrupt", "closed"}:
                    raise Interrupted if key == "interrupt" else EOFError
                outcome = press(dialog, key, page, time.time())
                if isinstance(outcome, TextRequest):
                    device.erase()
                    text = await self._edited(device, outcome, question)
                    outcome, drawn = with_text(dialog, outcome, text, self.check_entry), None
                    deadline = time.monotonic() + question.patience
                if isinstance(outcome, Approval):
                    return outcome
                dialog = outcome
        except EOFError:
            return Approval(yes=False, by="clock", note="the terminal was closed")
        finally:
            device.erase()
        return unanswered(question.patience)

    def _line(self) -> Line | None:
        return None if self.line is None else self.line()

    def _draw(self, device: Device, dialog: Dialog, look: Display) -> tuple[Dialog, int]:
        """Draw it; the dialog now that this was seen, and how many rows a page has."""
        drawing = self.face().render(dialog, look)
        device.draw(drawing.lines)
        return dialog.shown(drawing), max(1, drawing.bottom - drawing.top)

    async def _edited(self, device: Device, wanted: TextRequest, question: Question) -> str | TextRequest:
        from prompt_toolkit.history import InMemoryHistory

        from asimi.world.approvers.terminal.edit import edited

        word = wanted.kind == word_of(question)  # each time anew, no arrow key brings it back
        history = InMemoryHistory() if word else self._history.setdefault(wanted.kind, InMemoryHistory())
        place = question.request.place
        about = "" if wanted.text else line_of(question.request)
        return await edited(device, wanted, about, "" if place.host else place.path, history, question.patience)

    async def _read_aloud(self, device: Device, question: Question) -> Approval:
        """Return the dialog in words, answered with a word and Enter."""
        deadline = time.monotonic() + question.patience
        dialog = Dialog.opened(question, ceil(question.patience), self._line())
        silent, fresh = False, True
        try:
            while True:
                dialog = dialog._replace(ready=True, line=self._line())
                drawing = self.face().render(dialog, device.look)
                page = max(1, drawing.bottom - drawing.top)
                lines = drawing.lines[:-1] if fresh else drawing.lines[page:-1]
                device.write("".join(f"{line}\r\n" for line in lines))
                if not silent:
                    await device.quiet(question.patience)
                    silent = True
                device.write(drawing.lines[-1])
                dialog = dialog.shown(drawing)
                answer = await device.line(deadline)
                key = WORDS.get(answer.lower())
                if key is None:
                    message = f"{answer} is not one of the words." if answer else "No answer yet."
                    dialog, fresh = dialog._replace(message=message), False
                    continue
                outcome = press(dialog, key, page, time.time())
                if isinstance(outcome, TextRequest):
                    outcome = with_text(dialog, outcome, await self._typed(device, outcome, deadline), self.check_entry)
                if isinstance(outcome, Approval):
                    return outcome
                fresh = outcome._replace(message="") != dialog._replace(message="")
                dialog = outcome
        except EOFError:
            return Approval(yes=False, by="clock", note="the terminal was closed")
        except TimeoutError:
            device.write("\r\n")
            return unanswered(question.patience)

    async def _typed(self, device: Device, wanted: TextRequest, deadline: float) -> str | TextRequest:
        """Return a text that is wanted, typed in words' mode; the request itself if the person went back.

        Raises:
            TimeoutError: it does not come in time.
        """
        from asimi.world.approvers.terminal.edit import HELP, TITLES

        now = f"Now: {visible(wanted.text)}\r\n" if wanted.text else ""
        device.write(f"\r\n{TITLES[wanted.kind]}\r\n{now}")
        while True:
            device.write("Type it and press Enter. Enter alone goes back, ? says what to do: ")
            line = await device.line(deadline)
            if line != "?":
                return line or wanted
            device.write(f"{HELP[wanted.kind]}\r\n")


def _standing(dialog: Dialog) -> Dialog:
    """What is drawn of it but for its last line."""
    line = None if dialog.line is None else dialog.line._replace(others=0)
    return dialog._replace(left=0, line=line)
