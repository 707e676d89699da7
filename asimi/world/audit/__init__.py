"""The log of what happened: one JSON line a record, chained by hashes.

Two lines for a call that starts, and one for each execution beneath it that exec rules refuse; one for a call that is
refused, one for a question that is left to an agent's own prompt, one for a call of an agent's own tool for files, of
which no contents are written down, one for a name on the network that a box reached or was refused. Of what an agent
runs itself there is an end only where the agent tells of it. Secrets leave a record before anything else is done with
it; if a start cannot be written, nothing starts.
"""

from __future__ import annotations

import errno
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from asimi.core.call import Reason
from asimi.core.errors import AsimiError, Refusal
from asimi.core.settings import State
from asimi.core.wire import encoder
from asimi.world.audit.chain import Chain, Keep, keep_within, moment
from asimi.world.audit.redaction import Redaction
from asimi.world.host.places import user_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from asimi.core.call import Approval, Decision, NetworkUse, Record, RefusedExecution, Request, Result

_encode = encoder(compact=True, numbers=True)

LONGEST = 256 << 10
"""Characters of a string that are logged; commands that run are shorter."""

SEARCHED = 2 * LONGEST
"""Characters of a text that are searched for secrets: none is so long that it is seen only by what follows there."""


class AuditLog:
    """Writes the records of one process.

    Args:
        directory: where the log is, `$XDG_STATE_HOME/asimi`.
        environ: asimi's own environment, for the secrets in it.
        required: whether nothing may run if the log cannot be written; called only then.
        session: the name of the calls' session, or empty.
        elsewhere: whether an agent runs what is allowed, so its end is known only from the agent.
        state: gives how much asimi may keep, and so how long the log is kept; called when a file is opened.
        tell: gets a message about a record that could not be written but ran anyway; standard error by default.
        copied: whether only what a team keeps as well is deleted; called when a file is opened.
    """

    def __init__(
        self,
        directory: str,
        environ: Mapping[str, str],
        *,
        required: Callable[[], bool] = lambda: True,
        session: str = "",
        elsewhere: bool = False,
        state: Callable[[], State] = State,
        tell: Callable[[str], object] | None = None,
        copied: Callable[[], bool] = lambda: False,
    ) -> None:
        self.chain = Chain(directory, self._keep)
        self._state, self._copied = state, copied
        self._required, self._tell = required, tell or _to_stderr
        self._elsewhere = elsewhere
        self._redaction = Redaction(environ)
        self._common = {"user": user_name(), "session": session}

    def _keep(self) -> Keep:
        """How long the log is kept; asked when a file is opened."""
        if not self._copied():
            return keep_within(self._state())
        from asimi.world.audit.tail import last_copied_line

        return keep_within(self._state(), copied=last_copied_line(self.chain.directory))

    def write(self, record: Record) -> None:
        """Append one record.

        Raises:
            Refusal: it is a `start`, a `passed`, an `observed` or a `file` that cannot be written, and the log is
                required (code `record`).
        """
        fields = {"id": record.id, **self._common}
        fields |= self._end(record.result) if record.event == "end" else self._call(record)
        leaves = record.decision is not None and record.decision.leaves  # then asimi runs it
        if leaves and record.event in {"start", "refusal"}:
            fields["runs"] = "outside"
        elif self._elsewhere and record.event in {"start", "refusal"}:
            fields["runs"] = "agent"
        here = leaves or not self._elsewhere
        if here and record.event == "start" and record.decision is not None and record.decision.sandbox.mode != "off":
            fields["sandbox"] = record.decision.sandbox.mode
        try:
            self._append(record.event, fields)
        except AsimiError as error:
            message = f"The log cannot be written ({error})"
            if record.refusal is not None and record.refusal.code == "record":
                pass  # the refusal says it itself
            elif record.event not in {"start", "passed", "observed", "file"}:
                self._tell(f"{message}; it lacks the {record.event} of {record.id}")
            elif self._required():
                raise Refusal(
                    "record",
                    f"{message}, and asimi runs nothing it cannot log. {_remedy(error)}, choose another "
                    "directory with XDG_STATE_HOME, or set audit.required = false",
                ) from None
            else:
                lacks = f"it lacks the {record.event} of {record.id}, which runs (audit.required = false)"
                self._tell(f"{message}; {lacks}")

    def write_reported_end(
        self, agent: str, call: str, command: str, outcome: str, error: str, seconds: float | None
    ) -> None:
        """Append how a call ended, as the agent tells that ran it; nothing where no record of its begin is found.

        Args:
            agent: the agent.
            call: its own id of the call; empty where it has none, and the command tells which it is.
            command: what it says that it ran.
            outcome: `ran`, `failed` or `not run`.
            error: what it says besides.
            seconds: how long that took, or None where it does not say.

        Raises:
            AsimiError: it cannot be written.
            OSError: the log cannot be read.
        """
        from asimi.world.audit.reading import unfinished_call

        shown = self._redact(command)
        start = unfinished_call(self.chain.directory, agent, self._common["session"], call, shown)
        if start is None:
            return
        more = {"command": shown} if start.get("command") != shown else {}  # another hook put this in its place
        self.write_end(
            start["id"], agent, outcome=outcome, seconds=seconds, **more, **({"error": error} if error else {})
        )

    def write_end(self, name: str, agent: str, **said: str | float | None) -> None:
        """Append how a call ended that asimi did not run itself.

        Args:
            name: asimi's own id of the call.
            agent: the agent.
            said: what is known of the end, by the names of its fields.

        Raises:
            AsimiError: it cannot be written.
        """
        shown = {key: self._redact(each) if isinstance(each, str) else each for key, each in said.items()}
        self._append("end", {"id": name, **self._common, "agent": agent, **shown})

    def write_exec_refusal(self, call: str, refused: RefusedExecution) -> None:
        """Append that an execution beneath a call was refused; a failure is told, since that has happened."""
        name, *words = refused.argv
        argv = [self._redact(word) for word in (name, *self._redaction.words(words, name))]
        fields = {"id": call, **self._common, **refused._asdict(), "argv": argv, "rule": self._redact(refused.rule)}
        self._write_past("exec", fields, f"an execution beneath {call} that was refused")

    def write_network(self, reached: NetworkUse) -> None:
        """Append what came of a name on the network; a failure is told, since that has happened."""
        fields = {**self._common, **reached._asdict(), "program": self._redact(reached.program)}
        self._write_past("network", fields, f"that {reached.name} was reached or refused")

    def _append(self, event: str, fields: Mapping[str, Any]) -> None:
        """Append a line, with the time.

        Raises:
            AsimiError: it cannot be written.
        """
        self.chain.append(_encode({"time": moment(time.time()), "event": event, **fields})[:-1])

    def _write_past(self, event: str, fields: Mapping[str, Any], what: str) -> None:
        """Append what has happened; if it cannot be written, tell the person."""
        try:
            self._append(event, fields)
        except AsimiError as error:
            self._tell(f"The log cannot be written ({error}); it lacks {what}")

    def change(self, what: str, **fields: str | None) -> None:
        """Append that a person, or a program in a person's name, changed what holds: an entry, trust.

        Args:
            what: what was done, such as `policy add`.
            fields: the entry, the file, who said so.

        Raises:
            AsimiError: it cannot be written, and the log is required.
        """
        shown = {name: value if value is None else self._redact(value) for name, value in fields.items()}
        try:
            self._append("change", {"what": what, **self._common, **shown})
        except AsimiError as error:
            message = f"The log cannot be written ({error})"
            if self._required():
                raise AsimiError(f"{message}, and asimi changes nothing it cannot log. {_remedy(error)}") from None
            self._tell(f"{message}; it lacks `{what}`, which holds (audit.required = false)")

    @contextmanager
    def write_changes(self, what: str, *changes: Mapping[str, str | None]) -> Iterator[None]:
        """Append changes before they are made, so none holds that is not in the log; and that they failed, if they do.

        Args:
            what: what is done, such as `policy add`.
            changes: for each, the entry, the file, who said so.

        Raises:
            AsimiError: one cannot be written, and the log is required; then nothing inside is begun.
        """
        for fields in changes:
            self.change(what, **fields)
        try:
            yield
        except BaseException:
            for fields in changes:
                self.change(f"{what} failed", **fields)
            raise

    def redact_request(self, request: Request) -> tuple[str, Sequence[str] | None]:
        """The command of a request, and its arguments if it has any, without the secrets that can be seen in them."""
        words = request.arguments
        command = request.command
        if request.file is not None:
            from asimi.core.files import SIGN

            command = command.removesuffix(f"{SIGN}{request.file.mark}")
        return self._redact(command), None if words is None else self._redaction.words(words, request.command)

    def _call(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record that is not an end."""
        fields: dict[str, Any] = {"agent": record.call.agent, "call": record.call.id, "tool": record.call.name}
        given = record.call.arguments if hasattr(record.call.arguments, "get") else {}
        sent = given.get("command")
        found: Sequence[str] = ()
        if record.request is not None:
            words = (record.request.command, *(record.request.arguments or ()))
            whole = record.request.command[:SEARCHED] if record.request.arguments is None else " ".join(words)
            found = self._redaction.secrets_in(whole)  # secrets by where they stand, as before a pipe
            fields |= self._request(record.request, found)
            fields |= self._sent_fields(record.request, sent, given.get("args"), found)
        elif isinstance(sent, str):
            fields["command"] = self._redact(sent)
        if record.decision is not None:
            wider = record.approval.rules if record.approval is not None and record.approval.scope == "task" else ()
            said = (
                Reason("allowed_by_session", "a person widened the task", None, each.entry, each.source)
                for each in wider
            )
            fields |= self._decision(record.decision._replace(reasons=(*record.decision.reasons, *said)), found)
            if record.request is not None and record.decision.apart:
                parts = (record.request.command[slice(*each.span)] for each in record.decision.apart)
                fields["apart"] = [self._redact(part, found) for part in parts]
        if record.approval is not None and (record.event != "file" or record.approval.by != "policy"):
            fields["approval"] = self._approval(record.approval, found)
        if record.refusal is not None:
            fields |= {"code": record.refusal.code, "error": self._redact(record.refusal.message, found)}
        return fields

    def _request(self, request: Request, found: Sequence[str]) -> dict[str, Any]:
        command, arguments = self.redact_request(request)
        fields: dict[str, Any] = {"command": command}
        if arguments is not None:
            fields["arguments"] = arguments
        if request.file is not None:
            fields["files"] = [
                each._replace(path=self._redact(each.path, found), names=self._redact(each.names, found))._asdict()
                for each in request.file.touches
            ]
        if request.shell != "bash":
            fields["shell"] = request.shell
        if request.place.host:
            fields["host"] = request.place.host
        return fields | {
            "description": self._redact(request.description, found),
            "directory": request.place.path,
            "root": request.place.root,
        }

    def _sent_fields(
        self, request: Request, command: object, arguments: object, found: Sequence[str]
    ) -> dict[str, Any]:
        """Return what the agent proposed, where a person changed that."""
        words = [str(word) for word in arguments] if isinstance(arguments, (list, tuple)) else []
        same = request.arguments is None or words == list(request.arguments)
        if not isinstance(command, str) or (command == request.command and same):
            return {}
        fields: dict[str, Any] = {"sent": self._redact(command, found)}
        if request.arguments is not None:
            found = [*found, *self._redaction.secrets_in(" ".join((command, *words)))]
            fields["sent_arguments"] = [self._redact(word, found) for word in self._redaction.words(words, command)]
        return fields

    def _decision(self, decision: Decision, found: Sequence[str]) -> dict[str, Any]:
        reasons = [
            {
                "code": code,
                "message": self._redact(message, found),
                "rule": rule and self._redact(rule, found),
                "source": source,
            }
            for code, message, _, rule, source in decision.reasons
        ]
        return {"verdict": decision.verdict.word, "reasons": reasons}

    def _approval(self, approval: Approval, found: Sequence[str]) -> dict[str, Any]:
        fields: dict[str, Any] = {"yes": approval.yes, "by": approval.by, "scope": approval.scope}
        if approval.by != "policy":
            fields["seconds"] = round(approval.seconds, 3)
        if approval.rules:
            fields["rules"] = [self._redact(rule.entry, found) for rule in approval.rules]
            first = approval.rules[0]  # all of them end at the same time
            if first.expires is not None:
                from datetime import UTC, datetime

                fields["until"] = datetime.fromtimestamp(first.expires, UTC).isoformat(timespec="seconds")
            if first.uses is not None:
                fields["calls"] = first.uses + 1
        if approval.note:
            fields["note"] = self._redact(approval.note, found)
        return fields

    def _end(self, result: Result | None) -> dict[str, Any]:
        if result is None:
            return {"interrupted": True}
        fields: dict[str, Any] = {
            "pid": result.pid,
            "exit": result.exit_code,
            "signal": result.signal,
            "seconds": round(result.seconds, 3),
            "bytes": [result.stdout.size, result.stderr.size],
        }
        if result.timed_out:
            fields["timed_out"] = True
        if result.background:
            fields["background"] = result.background
        if result.failure is not None:
            fields["failure"] = self._redact(result.failure.message)
        return fields

    def _redact(self, text: str, found: Sequence[str] = ()) -> str:
        shown = self._redaction.text(text[:SEARCHED], found)
        return shown if len(text) <= LONGEST else f"{shown[:LONGEST]}… and {len(text) - LONGEST} more characters"


def _remedy(error: AsimiError) -> str:
    """Return what helps against the fault of the system that an error is about."""
    fault = error.__context__
    known = {
        errno.EMFILE: "Raise `ulimit -n`",
        errno.ENFILE: "Close some programs",
        errno.EFBIG: "Raise `ulimit -f`",
        errno.ENOSPC: "Make room on its disk",
        errno.EDQUOT: "Make room in your quota",
    }
    return known.get(getattr(fault, "errno", 0), "Make its directory writable")


def _to_stderr(message: str) -> None:
    print(f"asimi: {message}", file=sys.stderr, flush=True)  # noqa: T201  # the last place that hears it
