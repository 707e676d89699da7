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
from asyncio import CancelledError, current_task
from contextlib import asynccontextmanager
from math import ceil
from typing import TYPE_CHECKING, Protocol

from asimi.core.call import Approval
from asimi.core.errors import AsimiError
from asimi.core.syntax import line_of
from asimi.core.wording.dialog import LEFT, WORDS, Dialog, Drawing, Line, TextRequest, press, with_text
from asimi.core.wording.visible import visible
from asimi.core.wording.weight import word_of
from asimi.world.approvers import LATE, SINCE, no_answer
from asimi.world.approvers.terminal.device import ALONE, Device, PersonInterrupt, lock_terminal, own_terminal
from asimi.world.host.deed_facts import add_file_facts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from prompt_toolkit.history import History

    from asimi.core.call import Offer, Question, Request, Verdict
    from asimi.core.interfaces import Approver
    from asimi.core.wording.visible import Display

TICK = 0.25
"""Seconds between two looks at the clock and at the size of the terminal."""

SETTLES = 1.0
"""Seconds without a key after which nobody is answering a question any more that has ended by itself."""

ENDED = 10.0
"""Seconds for which keys are waited out then, at the most; and for which what is kept can be chosen after that."""


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
        keep: keeps what a person chose once the question had ended by itself; raises AsimiError where it cannot. None
            where no session, project or file can keep it.
        interrupt: what Ctrl-C does beyond a no.
        quiet, alone: as `Device` takes them.
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
        keep: Callable[[Approval, Request], None] | None = None,
        interrupt: Callable[[], None] = lambda: signal.raise_signal(signal.SIGINT),
        quiet: float | None = None,
        alone: float = ALONE,
    ) -> None:
        self.face, self.fallback, self.check_entry, self.environ = face, fallback, check_entry, environ
        self.is_person, self.line, self.keep, self.interrupt = is_person, line, keep, interrupt
        self.quiet, self.alone = quiet, alone
        self._history: dict[str, History] = {}

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool | None]:
        """Held while asimi asks; the lock is the terminal's own, so no two processes share its keys."""
        from asyncio import sleep

        name = own_terminal(self.is_person)
        if name is None:
            async with self.fallback.turn() as waited:
                yield waited
            return
        waited = False
        while (lock := lock_terminal(name)) is None:
            waited = True
            await sleep(0.05)
        try:
            yield waited
        finally:
            os.close(lock)

    async def ask(self, question: Question) -> Approval:
        """Return the person's answer, or the fallback's if asimi has no terminal with a person.

        Whoever cancels this with words says why the question has ended: the dialog then tells the person, stays as long
        as a key may be on its way, and lets them choose what is kept for the next such call.

        Raises:
            CancelledError: it was cancelled, and nothing was chosen.
        """
        name = own_terminal(self.is_person)
        if name is None:
            return await self.fallback.ask(question)
        began, place = time.monotonic(), question.request.place
        if not (place.host or question.origin):  # what a host or another machine has, its gate has looked at
            question = question._replace(deeds=add_file_facts(question.deeds, place.path, place.root))
        interrupted, ended = False, ""
        with Device(name, self.environ, quiet=self.quiet, alone=self.alone) as device:
            talk = self._read_aloud if device.look.plain else self._ask_in_frame
            dialog = Dialog.for_question(question, ceil(question.patience), self._line())
            try:
                ended, approval = await talk(device, dialog, began + question.patience)
            except PersonInterrupt:
                away = (line := self._line()) is not None and line.away
                interrupted, approval = True, LEFT if away else Approval(yes=False, by="terminal")
            except EOFError:
                approval = Approval(yes=False, by="clock", note="the terminal was closed")
            if ended and approval == LEFT:
                if ended != LATE:
                    raise CancelledError(ended)
                approval = no_answer(question.patience)
            if closing := self.face().closing_line(question, approval, device.look):
                device.write(closing + "\r\n")
        if interrupted:
            self.interrupt()
        approval = SINCE if ended and approval.rules else approval
        return approval._replace(seconds=time.monotonic() - began)

    async def _ask_in_frame(self, device: Device, dialog: Dialog, deadline: float) -> tuple[str, Approval]:
        """Why it ended by itself, if it did, and the answer: the dialog in a frame, answered with single keys."""
        question, look, drawn, page = dialog.question, device.look, None, 1
        try:
            while True:
                try:
                    if device.look != look:
                        look, drawn = device.look, None
                        dialog = dialog._replace(top=0, seen=0, complete=False, pages=False)
                    if look.plain:
                        device.erase()
                        return await self._read_aloud(device, dialog, deadline)
                    if not dialog.ready:
                        device.draw(self.face().render(dialog, look).lines)
                        deadline = await self._answer_deadline(device, dialog, deadline)
                        dialog, drawn = dialog._replace(ready=True), None
                        continue
                    if drawn != _without_countdown(dialog):
                        dialog, page = self._draw(device, dialog, look)
                        drawn = _without_countdown(dialog)
                    if (remaining := deadline - time.monotonic()) <= 0:
                        if dialog.ended:
                            return dialog.ended, LEFT
                        raise CancelledError(LATE)  # noqa: TRY301 - it ends as one that somebody else ends
                    if (dialog.left, dialog.line) != (ceil(remaining), line := self._line()):
                        dialog = dialog._replace(left=ceil(remaining), line=line)
                        device.redraw_last(self.face().prompt(dialog, look))
                    key = await device.key(min(TICK, remaining))
                    if key is None:
                        continue
                    if key in {"interrupt", "closed"}:
                        if dialog.ended:
                            return dialog.ended, LEFT
                        raise PersonInterrupt if key == "interrupt" else EOFError
                    outcome = press(dialog, key, page, time.time())
                    if isinstance(outcome, TextRequest):
                        device.erase()
                        text = await self._edit(device, outcome, question)
                        outcome, drawn = with_text(dialog, outcome, text, self.check_entry, time.time()), None
                        deadline = time.monotonic() + question.patience
                    if dialog.ended and dialog.step != "ask":
                        deadline = time.monotonic() + ENDED
                    dialog, answer = self._take_input(dialog, outcome)
                    if answer is not None:
                        return dialog.ended, answer
                except CancelledError as error:
                    dialog, deadline, drawn = self._end_dialog(dialog, error), time.monotonic() + ENDED, None
        finally:
            device.erase()

    def _take_input(self, dialog: Dialog, outcome: Dialog | Approval) -> tuple[Dialog, Approval | None]:
        """What a key or a word comes to: how the dialog goes on, or with the answer; one that came too late is kept."""
        if isinstance(outcome, Dialog):
            return outcome, None
        if dialog.ended and outcome.rules and self.keep is not None:
            try:
                self.keep(outcome, dialog.question.request)
            except AsimiError as error:
                return dialog._replace(message=f"It cannot be kept: {error}"), None
        return dialog, outcome

    def _end_dialog(self, dialog: Dialog, error: CancelledError) -> Dialog:
        """The dialog of a question that was cancelled with the words of why; what was being written may be behind them.

        Raises:
            CancelledError: there are none, so asimi itself ends.
        """
        if not error.args:
            raise error
        if (task := current_task()) is not None:
            task.uncancel()  # else a time limit of ours would count as another end
        why, written = (*error.args, None)[:2]
        return dialog if dialog.ended else dialog.over(why, keeps=self.keep is not None, written=written)

    async def _answer_deadline(self, device: Device, dialog: Dialog, deadline: float) -> float:
        """Until when an answer counts, once nobody types what was meant for something else."""
        if not dialog.ended:
            await device.quiet(deadline - time.monotonic())
            return deadline
        await device.quiet(ENDED, SETTLES)
        return time.monotonic() + ENDED

    def _line(self) -> Line | None:
        return None if self.line is None else self.line()

    def _draw(self, device: Device, dialog: Dialog, look: Display) -> tuple[Dialog, int]:
        """Draw it; the dialog now that this was seen, and how many rows a page has."""
        drawing = self.face().render(dialog, look)
        device.draw(drawing.lines)
        return dialog.with_drawing(drawing), max(1, drawing.bottom - drawing.top)

    async def _edit(self, device: Device, wanted: TextRequest, question: Question) -> str | TextRequest:
        from prompt_toolkit.history import InMemoryHistory

        from asimi.world.approvers.terminal.edit import edit_text

        word = wanted.kind in {word_of(question), "code"}  # each time anew, no arrow key brings it back
        history = InMemoryHistory() if word else self._history.setdefault(wanted.kind, InMemoryHistory())
        place = question.request.place
        about = "" if wanted.text else line_of(question.request)
        return await edit_text(device, wanted, about, "" if place.host else place.path, history, question.patience)

    async def _read_aloud(self, device: Device, dialog: Dialog, deadline: float) -> tuple[str, Approval]:
        """Why it ended by itself, if it did, and the answer: the dialog in words, answered with a word and Enter."""
        silent, fresh = False, True
        while True:
            try:
                dialog = dialog._replace(ready=True, line=self._line())
                drawing = self.face().render(dialog, device.look)
                page = max(1, drawing.bottom - drawing.top)
                lines = drawing.lines[:-1] if fresh else drawing.lines[page:-1]
                device.write("".join(f"{line}\r\n" for line in lines))
                if not silent:
                    deadline = await self._answer_deadline(device, dialog, deadline)
                    silent = True
                device.write(drawing.lines[-1])
                dialog = dialog.with_drawing(drawing)
                answer = await device.line(time.monotonic() + ENDED if dialog.ended else deadline)
                key = WORDS.get(answer.lower())
                if key is None:
                    if dialog.ended and not answer:
                        return dialog.ended, LEFT
                    message = f"{answer} is not one of the words." if answer else "No answer yet."
                    dialog, fresh = dialog._replace(message=message), False
                    continue
                outcome = press(dialog, key, page, time.time())
                if isinstance(outcome, TextRequest):
                    text = await self._read_typed(device, outcome, deadline)
                    outcome = with_text(dialog, outcome, text, self.check_entry, time.time())
                before = dialog
                dialog, given = self._take_input(dialog, outcome)
                if given is not None:
                    return dialog.ended, given
                fresh = dialog._replace(message="") != before._replace(message="")
            except (CancelledError, TimeoutError) as error:
                device.write("\r\n")
                if isinstance(error, TimeoutError) and dialog.ended:
                    return dialog.ended, LEFT
                ended = error if isinstance(error, CancelledError) else CancelledError(LATE)
                dialog, silent, fresh = self._end_dialog(dialog, ended), False, False

    async def _read_typed(self, device: Device, wanted: TextRequest, deadline: float) -> str | TextRequest:
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


def _without_countdown(dialog: Dialog) -> Dialog:
    """What is drawn of it but for its last line."""
    line = None if dialog.line is None else dialog.line._replace(others=0)
    return dialog._replace(left=0, line=line)
