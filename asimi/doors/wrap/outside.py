"""What leaves a box: texts that a person or a rule lets out, which asimi runs itself, and the tickets for them.

A ticket stands for one text in one directory that a person or a rule has allowed. The agent's hook replaces its command
with a client that names the ticket. The text itself stays here, so whoever takes the ticket can only have this very
text run once, where it was shown. It is judged again then, while everything inside stands still, so nothing that was
checked can change before it is used.

Of a text that stays inside, the commands that a rule lets out leave by a ticket each. Alone, each of them would be let
out just so; what the text does with them is judged as everything inside.
"""

from __future__ import annotations

import os
import secrets
import shlex
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from asimi.core.call import Apart, Record, Request, ToolCall, Verdict
from asimi.core.errors import AsimiError, Refusal
from asimi.core.judging.rules import SHELL, EntryError, literal_words
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.doors.inside import RUNTIME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    from asimi.compose.boxed import BoxParts
    from asimi.core.call import Decision, Result, Shell
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Audit, Workspace

    class Around(Protocol):
        """The box, as what leaves it needs it."""

        def still(self) -> AbstractContextManager[None]:
            """Let nothing inside run meanwhile; raises AsimiError if something does not stop."""

        def restore(self) -> str:
            """What cannot be held any more, in words."""

        def changed_path(self) -> str:
            """The path of something read-only that has changed."""

        def accept(self) -> None:
            """Take all that is read-only as it is now."""

        def has(self, pid: int) -> bool:
            """Whether a process is in it."""


CLIENT = f"{RUNTIME}/asimi"
"""The client, as the inside sees it."""

LASTS = 60.0
"""Seconds that a ticket lasts."""

PATIENCE = 120.0
"""Seconds that `asimi outside COMMAND` waits for a person."""

MOST = 32 << 10
"""Bytes of each stream that a refusal carries."""

ENDING = 5.0
"""Seconds that what runs may take to end once it was told to."""

MARK = "ticket-"

ASKS = f"{CLIENT} outside "
"""What stands before a ticket, or before the words of a command that asks."""

_CLIENTS = pattern(rf"{CLIENT} outside (?:({MARK}[0-9a-f]{{32}})|(?!{MARK}))")


class OutsideResult(NamedTuple):
    """What came of a text.

    Attributes:
        out: its standard output.
        err: its standard error, and what asimi says.
        code: the exit code, as that of `asimi run`.
        refused: why it did not run; empty where it did.
    """

    out: str
    err: str
    code: int
    refused: str = ""

    @property
    def reason(self) -> str:
        """All of it as one text, which an agent gets as the reason why its command did not run inside."""
        if self.refused:
            return self.refused
        said = "".join(f"\n{each.rstrip()}" for each in (self.out, self.err) if each.strip())
        return f"it ran outside of the box, and ended with exit code {self.code}{said or ', without any output'}"


class OutsideTool:
    """The tool that reads a text that is to leave a box: text for asimi's own shell, in any directory.

    Args:
        command: the text.
        directory: where it runs, absolute.
        description: the agent's words for it.
    """

    def __init__(self, command: str, directory: str, description: str = "") -> None:
        self.command, self.directory, self.description = command, directory, description

    @property
    def name(self) -> str:
        """The name that rules use."""
        return SHELL

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """The request.

        Raises:
            Refusal: the directory does not exist outside, or the text holds NUL.
        """
        if "\0" in self.command:
            raise Refusal("parameters", "the command holds a NUL character, which no command can hold")
        place = workspace.anywhere(self.directory, "the directory")
        return Request(SHELL, self.command, None, place, shell.kind, self.description, agent=call.agent)


class _Ticket(NamedTuple):
    """A text that may run once.

    Attributes:
        agreed: what was agreed on.
        until: when it ends, by the monotonic clock.
    """

    agreed: Record
    until: float


class Outside:
    """Runs what leaves one box.

    Args:
        boxed: the parts that judge and run.
        box: the box.
        opened: what it can write, real paths.
        audit: writes down what becomes of calls.
        broken: is told what cannot be held any more.
    """

    def __init__(
        self, boxed: BoxParts, box: Around, opened: Sequence[str], audit: Audit, broken: Callable[[str], None]
    ) -> None:
        self._boxed, self._box, self._opened, self._audit, self._broken = boxed, box, opened, audit, broken
        self._tickets: dict[str, _Ticket] = {}
        self._lock, self._running = threading.Lock(), threading.Condition()
        self._runs, self._over = 0, False

    def close(self) -> None:
        """End what runs, as SIGTERM does, and write down the tickets that nobody used."""
        self._over = True
        self._boxed.executor.interrupt()
        with self._running:
            self._running.wait_for(lambda: not self._runs, ENDING)
        self._sweep(all_of_them=True)

    def let_out(
        self, text: str, decision: Decision, description: str, agree: Callable[[OutsideTool], Record | Refusal]
    ) -> list[Record] | None:
        """Let the commands of a text out that leave the box each by itself; runs nothing.

        Args:
            text: the text.
            decision: the one on it, an allow.
            description: the agent's words for it.
            agree: judges one of them, as `agree` does.

        Returns:
            The record of each that leaves by a ticket; None if one of them would have to be asked about.
        """
        found = []
        for each in decision.apart:
            if each.asks:
                continue
            tool, gate = OutsideTool(text[slice(*each.span)], each.directory, description), self._gate(each.directory)
            if gate.judge(tool.read(ToolCall(SHELL, {}), gate.workspace, gate.shell)).verdict is not Verdict.ALLOW:
                return None
            if isinstance(agreed := agree(tool), Refusal):
                return None
            found.append(agreed)
        return found

    def with_tickets(self, text: str, decision: Decision, agreed: Sequence[Record]) -> str:
        """Return a text with a client and its ticket in place of each command that was let out, or before its words."""
        pieces, end, records = [], 0, iter(agreed)
        for each in decision.apart:
            pieces += [text[end : each.span[0]], ASKS if each.asks else self.ticket(next(records))]
            end = each.span[0] if each.asks else each.span[1]
        return "".join((*pieces, text[end:]))

    def expand_tickets(self, text: str) -> tuple[str, tuple[Apart, ...], tuple[int, ...]]:
        """A text in which each ticket that is good is replaced by the command it stands for, and no client is left.

        Returns:
            The text, where these commands are, and where those begin that a client stood before.
        """
        pieces, parts, asking, end, at = list[str](), list[Apart](), list[int](), 0, 0
        for match in _CLIENTS.finditer(text):
            if match[1] is None:
                pieces.append(text[end : match.start()])
                at += match.start() - end
                asking.append(at)
                end = match.end()
                continue
            with self._lock:
                ticket = self._tickets.get(match[1])
            if ticket is None or time.monotonic() > ticket.until:
                continue
            request = ticket.agreed.request
            assert request is not None  # as `agree` has found
            pieces += [text[end : match.start()], request.command]
            at += match.start() - end
            parts.append(Apart((at, at + len(request.command)), request.place.path))
            at, end = at + len(request.command), match.end()
        return "".join((*pieces, text[end:])), tuple(parts), tuple(asking)

    async def agree(
        self,
        tool: OutsideTool,
        agent: str,
        call: str,
        patience: float,
        waiting: Callable[[], AbstractContextManager[None]],
        is_connected: Callable[[], bool],
    ) -> Record | Refusal:
        """Judge and ask about a text that is to leave the box; runs nothing.

        Args:
            tool: reads the text.
            agent: who wants it.
            call: the agent's own id of the call, or empty.
            patience: seconds that it waits for an answer.
            waiting: held while somebody is waited for.
            is_connected: whether whoever asked for it still waits.
        """
        approver = self._boxed.asks(patience, waiting, is_connected)
        gate = self._gate(tool.directory).with_(approver=approver)
        return await gate.agree(ToolCall(SHELL, {"command": tool.command}, call or None, agent), tool)

    def ticket(self, agreed: Record) -> str:
        """Return the command line that runs inside in place of a text that was agreed on."""
        self._sweep()
        name = f"{MARK}{secrets.token_hex(16)}"
        with self._lock:
            self._tickets[name] = _Ticket(agreed, time.monotonic() + LASTS)
        return f"{CLIENT} outside {name}"

    def redeem(self, name: str, pid: int, is_connected: Callable[[], bool]) -> OutsideResult:
        """Run the text of a ticket, if the client it was made for shows it; the ticket is spent in any case.

        Args:
            name: the ticket.
            pid: the process that shows it, by its number outside.
            is_connected: whether that still waits.
        """
        with self._lock:
            ticket = self._tickets.pop(name, None)
        if ticket is None:
            return _refusal_result(
                "there is no such ticket: each is for one run, within 60 s, in the box that it was made for"
            )
        assert ticket.agreed.request is not None  # as `agree` has found
        why = ""
        if time.monotonic() > ticket.until:
            why = f"the ticket was used later than {LASTS:g} s after it was made"
        elif not self._box.has(pid):
            why = "the ticket was used outside of its box"
        elif _words_of(pid)[-3:] != [CLIENT, "outside", name]:
            why = "the ticket was not used by asimi's client"
        elif _directory_of(pid) != ticket.agreed.request.place.path:
            why = "the ticket was used in another directory"
        if why:
            return self._void(ticket.agreed, why)
        return self.run(ticket.agreed, is_connected)

    def run(
        self,
        agreed: Record,
        is_connected: Callable[[], bool],
        *,
        patience: float | None = None,
        most: int | None = None,
    ) -> OutsideResult:
        """Run what was agreed on, judged again, while everything inside stands still.

        Args:
            agreed: what `agree` has returned.
            is_connected: whether whoever asked for it still waits.
            patience: seconds after which it is ended; None for what is configured.
            most: bytes of its output that are kept whole; None for what is configured.
        """
        import asyncio

        assert agreed.request is not None  # as `agree` has found
        request = agreed.request
        tool = OutsideTool(request.command, request.place.path, request.description)
        with self._count_run() as open_:
            if not open_:
                return self._void(agreed, "asimi is shutting down")
            try:
                with self._box.still():
                    if lost := self._restore():
                        return self._void(agreed, f"this box cannot be kept any more, and ends: {lost}")
                    if not is_connected():
                        return self._void(agreed, "the process that asked for it has ended")
                    gate = self._gate(request.place.path, patience, most)
                    outcome = asyncio.run(gate.resume(agreed, tool))
                    self._box.accept()  # it may have changed the repository itself
                    self._restore()  # and have replaced what is held, before anything inside goes on
            except AsimiError as error:
                return self._void(agreed, str(error))
        changed = request.command != agreed.call.arguments.get("command")
        return _result_from(outcome, f"a person changed the command to: {request.command}" if changed else "")

    def asked_for(self, command: str) -> bool:
        """Whether a text only calls `asimi outside`, whose client then asks for the rest."""
        try:
            words = literal_words(command, command)
        except EntryError:
            return False
        return len(words) > 2 and words[:2] in {("asimi", "outside"), (CLIENT, "outside")}

    def _restore(self) -> str:
        """Put back what the box has lost; say what it cannot hold any more, and then the box ends."""
        if lost := self._box.restore():
            self._broken(lost)
        return lost

    def _gate(self, directory: str, patience: float | None = None, most: int | None = None) -> Gate:
        from asimi.compose.boxed import Around

        changed = self._box.changed_path()
        doubt = f"{changed} has changed since this box began, or since a command last left it" if changed else ""
        around = Around(self._opened, doubt, directory, patience, most)
        return self._boxed.leaving(around).with_(audit=self._audit)

    @contextmanager
    def _count_run(self) -> Iterator[bool]:
        """Count a run; False where there is to be none any more."""
        with self._running:
            self._runs += 1
        try:
            yield not self._over
        finally:
            with self._running:
                self._runs -= 1
                self._running.notify_all()

    def _sweep(self, *, all_of_them: bool = False) -> None:
        """Write down the tickets that were not used in time."""
        now = time.monotonic()
        with self._lock:
            late = [name for name, each in self._tickets.items() if all_of_them or now > each.until]
            tickets = [self._tickets.pop(name) for name in late]
        for each in tickets:
            self._void(each.agreed, f"it was allowed, and its ticket was not used within {LASTS:g} s")

    def _void(self, agreed: Record, why: str) -> OutsideResult:
        """Write down that what was agreed on does not run, and say so."""
        refusal = Refusal("ticket", f"Not started: {why}")
        with suppress(AsimiError, OSError):
            self._audit.write(agreed._replace(event="refusal", refusal=refusal))
        return _refusal_result(str(refusal))


def command_of(words: Sequence[str]) -> str:
    """The text that `asimi outside` is given: one word as it is, several as the words of one command."""
    return words[0] if len(words) == 1 else shlex.join(words)


def is_ticket(words: Sequence[str]) -> bool:
    """Whether `asimi outside` is given a ticket."""
    return len(words) == 1 and words[0].startswith(MARK)


def _refusal_result(why: str, code: int = 126) -> OutsideResult:
    return OutsideResult("", f"asimi: {why}", code, why)


def _result_from(outcome: Result | Refusal, note: str) -> OutsideResult:
    """What came of a run, as `asimi run` says it, and a note."""
    from asimi.doors.cli.run import OURS, code_of, outcome_note

    if isinstance(outcome, Refusal):
        return _refusal_result(str(outcome), 125 if outcome.code in OURS else 126)
    if outcome.failure is not None:
        return _refusal_result(outcome.failure.message, code_of(outcome))
    texts = filter(None, (note, outcome_note(outcome)))
    cut = [name for name in ("stdout", "stderr") if getattr(outcome, name).file is not None]
    notes = [f"asimi: {text}" for text in texts]
    notes += [
        f"asimi: {name} is cut in the middle; a person finds all of it in {getattr(outcome, name).file}" for name in cut
    ]
    err = outcome.stderr.text
    if notes and err and not err.endswith("\n"):
        err += "\n"
    return OutsideResult(outcome.stdout.text, err + "".join(f"{each}\n" for each in notes), code_of(outcome))


def _words_of(pid: int) -> list[str]:
    """The command line of a process; none where it is gone."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return []


def _directory_of(pid: int) -> str:
    """Where a process is, as it sees it; empty where it is gone."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""
