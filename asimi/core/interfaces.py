"""What is done to the world, as Protocols: each can have a double, and one more back end is one more file.

Nothing imports this when it runs: a Protocol costs start-up, and its only use is to be checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Sequence
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

    from asimi.core.call import (
        Approval,
        Deed,
        Execution,
        Loss,
        PastRefusal,
        Place,
        Question,
        Record,
        Request,
        Result,
        Shell,
        ToolCall,
    )
    from asimi.core.hosting import Proposal
    from asimi.core.judging.rules import Rule

    Listener = Callable[[str, bytes], object]


class Tool(Protocol):
    """A wire format: how one tool's parameters become a request."""

    @property
    def name(self) -> str:
        """The name that calls and rules use."""

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """Check the parameters and resolve the directory.

        Raises:
            Refusal: a parameter is unknown, missing or wrong, or the directory is not to be entered; the message
                names the parameter.
        """


class Workspace(Protocol):
    """Where commands may run."""

    def inside(self, directory: str, parameter: str) -> Place:
        """The place of a relative directory inside the project root.

        Args:
            directory: as the caller wrote it; empty for the root.
            parameter: the name of the tool's parameter, for the message.

        Raises:
            Refusal: it is absolute or its real path is outside (code `directory`), or it is missing or no directory
                (code `no_directory`).
        """

    def anywhere(self, directory: str, parameter: str) -> Place:
        """The place of a directory that may be absolute or outside, which the verdict then tells.

        Raises:
            Refusal: it is missing or no directory (code `no_directory`).
        """


class Approver(Protocol):
    """Whoever is asked."""

    def turn(self) -> AbstractAsyncContextManager[bool | None]:
        """Held while a question is judged and asked, one question at a time; it gives False if it came at once."""

    async def ask(self, question: Question) -> Approval:
        """The answer. Whatever is not a clear yes is a no, with the reason in `note`; never raises for that."""


class Approvals(Protocol):
    """What was said yes to before; keeps what is said for longer than once."""

    @property
    def session(self) -> bool:
        """Whether there is a session that could keep an approval."""

    def rules(self) -> Sequence[Rule]:
        """The rules that hold now."""

    def remember(self, approval: Approval, request: Request) -> None:
        """Keep an answer's rules for its scope.

        Args:
            approval: what was said.
            request: what was asked about.

        Raises:
            AsimiError: they cannot be kept; the command is not run.
        """

    def spend(self, rules: Sequence[Rule]) -> Approval | None:
        """Count one call against approvals that hold for so many; the yes that the call rests on, if it is known.

        Raises:
            AsimiError: it cannot be counted, or somebody else has just used the last one; the command is not run.
        """

    def past_refusals(self) -> Collection[PastRefusal]:
        """What was refused before, for the breaker, and how often; the order does not matter.

        Raises:
            AsimiError: that is not known; the command is not run.
        """

    def refuse(self, fingerprints: Collection[str], request: Request) -> None:
        """Count one refusal of what a request was for.

        Raises:
            AsimiError: it cannot be counted.
        """

    def forget_refusals(self, fingerprints: Collection[str]) -> None:
        """Forget that something was refused: a person has said yes to it.

        Raises:
            AsimiError: it cannot be forgotten; the command is not run.
        """


class Proposals(Protocol):
    """The calls that hosts have proposed."""

    def keep(self, proposal: Proposal) -> Proposal:
        """Keep one; the same with an id, its own if it has one, and the time until when it can be redeemed.

        Raises:
            AsimiError: it cannot be kept, or one of the same key was; that one is taken away.
        """

    def look(self, name: str) -> Proposal | None:
        """The one of an id, left where it is; None where there is none, or it has ended.

        Raises:
            AsimiError: it cannot be read.
        """

    def take(self, name: str) -> Proposal:
        """Take the one of an id away, so that nobody else can.

        Raises:
            AsimiError: there is none, it has ended, or whoever asks may not redeem any.
        """


class Executor(Protocol):
    """Whatever runs commands."""

    async def run(self, execution: Execution, listener: Listener | None = None) -> Result:
        """Run it to its end; a failure to start is in the result.

        If the task is cancelled, the whole tree of processes is ended before the cancellation goes on.

        Args:
            execution: what to run.
            listener: hears the output as it comes: `stdout` or `stderr`, and some bytes; must not block. If it returns
                a future, that stream is not read on before it is done; False in it means that nobody wants the rest,
                which the command finds out as from a closed pipe.
        """

    def interrupt(self) -> None:
        """End the trees of everything that runs; their results come as usual, with the output so far."""


class Keeper(Protocol):
    """Whatever keeps what is in a project before a call that may change it."""

    def before(self, name: str, request: Request, rests: Collection[Loss]) -> bool:
        """Keep what is there; never raises.

        Args:
            name: the id of the call.
            request: what is about to run.
            rests: what it may remove because it is kept.

        Returns:
            Whether all of that surely is; what is not does not count as kept from then on.
        """

    def after(self, name: str) -> None:
        """Look at what a call has changed, of which `before` was told; never raises."""


class Remote(Protocol):
    """Another machine, where commands run."""

    def look(self, request: Request) -> AbstractContextManager[None]:
        """Held while a request is judged: what it says of its files meanwhile is asked for at once.

        Raises:
            HostError: it cannot be asked.
        """

    def complete_deeds(self, deeds: tuple[Deed, ...], place: Place) -> tuple[Deed, ...]:
        """What commands would do, with what only the file system there says.

        Raises:
            HostError: it cannot be asked.
        """


class Audit(Protocol):
    """Whatever writes down what happened."""

    def write(self, record: Record) -> None:
        """Append one record.

        Raises:
            AsimiError: a `start` cannot be written; then nothing is run. What happened cannot be undone, so
                for an `end` or a `refusal` the failure is told on standard error instead.
        """


class Line(Protocol):
    """A line of the log, as whoever keeps a copy elsewhere reads it."""

    @property
    def number(self) -> int:
        """Its own, counted from the first there ever was."""

    @property
    def content(self) -> bytes:
        """Its bytes."""

    @property
    def hash(self) -> str:
        """What the next line says of it."""


class Log(Protocol):
    """The log, as whoever keeps a copy elsewhere reads it."""

    def after(self, number: int, line_hash: str) -> Generator[Line | None]:
        """The lines behind one, without end; None where there is no more now."""

    def last(self) -> tuple[int, str]:
        """The number and the hash of the last line now."""

    def acknowledge(self, number: int) -> None:
        """Write down that a copy is kept of everything up to a line."""
