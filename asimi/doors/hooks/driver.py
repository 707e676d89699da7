"""From an agent's envelope on standard input to the answer in its dialect: the one driver of all hooks.

A call goes through `Gate.run` like every other; the only difference is that the agent runs it. So the executor lets it
pass, and the outcome of the gate, passed or refused, becomes the agent's word for it. Whatever goes wrong on the way
blocks. Once the envelope is known to be the agent's, that is a deny in its dialect, so that the reason arrives. Before,
another agent may be listening, so it is exit code 2 with text on standard error, which all of them take for a no.

Nothing here imports an event loop unless somebody is waited for: it runs before every command of every agent.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.compose import Options, keep_to
from asimi.compose.hook import hook_ended, hook_log, hook_root, open_hook
from asimi.compose.tasks import propose
from asimi.core import wire
from asimi.core.call import (
    ELSEWHERE,
    PROMPT,
    Approval,
    Assurance,
    Failure,
    Place,
    Record,
    Request,
    Result,
    ToolCall,
    Verdict,
)
from asimi.core.errors import AsimiError, Refusal
from asimi.core.judging.rules import SHELL
from asimi.core.values import NamedTuple
from asimi.doors.hooks import agent as known
from asimi.doors.hooks.transcripts import transcript_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from typing import Any, TypeVar

    from asimi.core.call import Execution, Question, Shell
    from asimi.core.gate import Gate
    from asimi.core.interfaces import Workspace
    from asimi.core.kinds import ShellKind
    from asimi.doors.hooks.agent import Agent, End, Envelope, Event
    from asimi.world.audit import AuditLog

    T = TypeVar("T")


LONGEST = 16 << 20
"""Bytes of the longest envelope that is read."""

MARGIN = 5
"""Seconds before an agent's patience ends, after which most agents would run the command, at which we block; a question
ends as long before that again."""

NO_SHELLS = frozenset({"nologin", "false"})
"""What accounts without a login shell have instead of one; an agent takes another one then."""

BLOCKED = 2
"""The exit code that blocks, where there is text on standard error."""

AGAIN = "if that is right, install the hook again there (asimi hook install)"
"""What to do where the home is another one."""

FAILED = 1
"""The exit code where nothing is left to block."""


class Answer(NamedTuple):
    """What the hook says.

    Attributes:
        out: what goes to standard output: the agent's dialect.
        err: what goes to standard error.
        code: the exit code.
    """

    out: str
    err: str = ""
    code: int = 0


def main(
    options: Options | None, agent: str, bases: Sequence[str] = (), code: int = 0, seconds: int = known.SECONDS
) -> int:
    """Answer one question of an agent: envelope on standard input, answer on standard output.

    Args:
        options: the global options; None for those of the installed hook, which passes none.
        agent: the agent's name.
        bases: the directories that the installed hook keeps to, as `written_bases` writes them; none where the
            environment says them.
        code: the exit code where an answer was given, for whoever cannot tell silence from a program that did nothing.
        seconds: how long the agent waits, as its settings say.

    Returns:
        The exit code: `code` where the answer was said in the agent's dialect, 2 where the command is blocked without
            one, 1 where it had ended already and that could not be written down.
    """
    data = event = None  # until it is known who listens, and to what
    try:
        _hold_the_streams()
        data = known.agent_of(agent)
        seconds = min(data.seconds, seconds)
        _watch_the_clock(seconds)
        data, event, envelope = known.recognise(data, _standard_input())
        data = data._replace(seconds=seconds)
        if bases:
            _keep_to(bases)
        incoming = with_transcript(data, envelope, known.read(data, event, envelope, os.environ), os.environ)
        answer = answer_envelope(data, incoming, options or Options())
    except Exception as error:  # noqa: BLE001 - whatever it is, the command must not run
        answer = fault_answer(event, fault_of(agent if data is None else data.name, error))
    for descriptor, text in ((2, answer.err), (1, answer.out)):
        if text and not _write(descriptor, text) and answer.code == 0:
            return BLOCKED  # the agent may take what it did not hear for an allow
    return answer.code or code


def _keep_to(bases: Sequence[str]) -> None:
    """Obey no variable of the agent's: it can set any, and so can the projects whose settings it reads.

    What its commands would make of them is judged as before.

    Raises:
        AsimiError: the home is another one here than the one the hook is for, so `~` would be, too.
    """
    from asimi.world.host.nested import VARIABLES
    from asimi.world.host.places import bases_written

    kept = bases_written(bases)
    home = os.environ.setdefault("HOME", kept.home)
    if not os.path.isdir(kept.home):
        raise AsimiError(f"the home {kept.home}, for which it was installed, is gone; {AGAIN}")
    if os.path.realpath(home) != os.path.realpath(kept.home):
        raise AsimiError(f"HOME is {home} here, and {kept.home} where it was installed; {AGAIN}")
    for name in [name for name in os.environ if name.startswith("ASIMI_") and name not in VARIABLES]:
        del os.environ[name]
    keep_to(kept)


def answer_envelope(agent: Agent, incoming: Envelope, options: Options) -> Answer:
    """The answer to an envelope.

    Raises:
        AsimiError: asimi cannot judge, for its configuration or its files are broken.
    """
    if not incoming.has_action:
        return Answer("")
    incoming = _enter_project(agent, incoming, options)
    if isinstance(incoming.event, known.End):
        request = ended_request(agent, incoming)
        ran, background = incoming.event.outcome != "not run", incoming.background
        hook_ended(options, incoming.session, request, ran=ran, seconds=incoming.seconds, background=background)
        if incoming.command is not None:  # a tool for files has no end in the log
            record_end(hook_log(options, agent.name, incoming.session), agent, incoming)
        return Answer("")
    if incoming.stranger:
        return _strange(agent, incoming, options)
    asked = HookCall(agent, incoming, os.environ)
    return judge(asked, _gate(asked, options))


def ended_request(agent: Agent, incoming: Envelope) -> Request:
    """The request of which an envelope says that it has ended; with an id, a tool's for files has no text.

    Raises:
        Refusal: a tool for files names none.
    """
    place = Place.at(incoming.root, incoming.root)
    request = Request(SHELL, incoming.command or "", None, place, agent=agent.name)
    if incoming.file is not None and not incoming.call:
        from asimi.doors.hooks.files import request_for

        directory, home = os.path.join(incoming.root, incoming.directory), os.path.expanduser("~")
        request = request_for(incoming.tool, incoming.file, incoming.given, place, directory, home, agent.name)
    return request._replace(id=incoming.call or None)


def record_end(log: AuditLog, agent: Agent, incoming: Envelope) -> None:
    """Write down how a command ended, as the agent tells.

    Raises:
        AsimiError: it cannot be written.
    """
    assert isinstance(incoming.event, known.End)
    command = incoming.command or ""
    log.write_reported_end(agent.name, incoming.call, command, incoming.event.outcome, incoming.error, incoming.seconds)


def judge(asked: HookCall, gate: Gate, answer_allowed: Callable[[], Answer] | None = None) -> Answer:
    """Return what a gate says of a call, in the agent's dialect; the gate waits for nobody in an event loop of its own.

    Args:
        asked: the call.
        gate: the gate.
        answer_allowed: makes the answer to a call that is allowed; None for a plain yes.
    """
    agent, incoming = asked.agent, asked.incoming
    assert not isinstance(incoming.event, known.End)
    if incoming.command is not None and (told := propose(gate, incoming.command)) is not None:
        return _answer(incoming.event, Verdict.DENY, told)
    name, given = (SHELL, {"command": incoming.command}) if incoming.file is None else (incoming.tool, {})
    outcome = run_without_loop(gate.run(ToolCall(name, given, incoming.call or None, agent.name), asked))
    if isinstance(outcome, Refusal):
        if outcome.code == "observed":
            return Answer(known.answer_text(incoming.event, None, ""))
        verdict = Verdict.ASK if outcome.code == "passed" else Verdict.DENY
        return _answer(incoming.event, verdict, str(outcome))
    if outcome.failure is not None:
        return _answer(incoming.event, Verdict.DENY, outcome.failure.message)
    if answer_allowed is not None:
        return answer_allowed()
    if incoming.file is not None:  # an allow would skip the agent's own prompt
        return Answer(known.answer_text(incoming.event, None, ""))
    return _answer(incoming.event, Verdict.ALLOW, "a person said yes" if asked.asked else "")


def _strange(agent: Agent, incoming: Envelope, options: Options) -> Answer:
    """The answer about a tool that nobody knows, in a program that asks its hook about every tool: its person decides.

    Raises:
        AsimiError: it cannot be written down.
    """
    from time import time

    assert not isinstance(incoming.event, known.End)
    reason = f"it does not know what the tool {incoming.tool!r} of {agent.title} does"
    call = ToolCall(incoming.tool, {}, incoming.call or None, agent.name)
    record = Record(f"{int(time() * 1000):x}-{os.urandom(4).hex()}", "passed", call)
    hook_log(options, agent.name, incoming.session).write(record)
    return _answer(incoming.event, Verdict.ASK, reason)


def with_transcript(agent: Agent, envelope: Any, incoming: Envelope, environ: Mapping[str, str]) -> Envelope:
    """What an envelope says, with what the agent's transcript says of the same call.

    Args:
        agent: whose it is.
        envelope: all of it.
        incoming: what was read of it.
        environ: the agent's environment.
    """
    if agent.transcript is None or incoming.command is None:
        return incoming
    form = agent.transcript
    call = transcript_entry(form, envelope.get(form.file), incoming.call, incoming.command)
    if call is None:
        return incoming._replace(shell=known.UNKNOWN)
    shell = _shell_name(call.shell, environ) if call.shell else incoming.shell
    return incoming._replace(shell=shell, directory=call.directory or incoming.directory)


def _shell_name(name: str, environ: Mapping[str, str]) -> str:
    """Which shell a model chose by a name or a path."""
    from asimi.world.host.bash import find_shell

    if name == "bash":
        return known.LOGIN if os.path.basename(environ.get("SHELL", "")) == name else known.BASH
    ours = find_shell(environ, os.getcwd()).path
    return known.BASH if ours and os.path.realpath(name) == os.path.realpath(ours) else known.UNKNOWN


def shell_kind(agent: Agent, shell: str, environ: Mapping[str, str], root: str) -> ShellKind:
    """Whose grammar the text has that an agent gives to its shell.

    Args:
        agent: the agent.
        shell: which shell it starts.
        environ: the agent's environment.
        root: the project root.
    """
    if shell == known.CMD or sys.platform == "win32":
        return "cmd"
    if shell == known.UNKNOWN:
        return "plain"
    from asimi.world.host.bash import find_shell

    if shell == known.BASH:
        return find_shell(environ, root).kind
    named = (*map(environ.get, agent.shells), _login_shell())
    paths = {path for path in named if path and os.path.basename(path) not in NO_SHELLS}
    if not paths or any(os.path.basename(path) != "bash" for path in paths):
        return "plain"
    kinds = {find_shell({"PATH": os.path.dirname(path)}, root).kind for path in paths}
    return "bash" if kinds == {"bash"} else "plain"


class HookCall:
    """One call of an agent: the tool that reads it, the executor that lets it pass, and the agent's own prompt.

    Args:
        agent: the agent.
        incoming: what its envelope says.
        environ: its environment.
    """

    def __init__(self, agent: Agent, incoming: Envelope, environ: Mapping[str, str]) -> None:
        self.agent, self.incoming, self._environ = agent, incoming, environ
        self.asked = False
        self._judged: Request | None = None  # what stands for the call of a tool for files

    @property
    def name(self) -> str:
        """The name that rules use: whatever the agent calls it, it is shell text."""
        return SHELL

    def read(self, call: ToolCall, workspace: Workspace, shell: Shell) -> Request:
        """The request; the shell is the agent's, not ours.

        Raises:
            Refusal: the directory does not exist, or a tool for files names none.
        """
        del shell
        if self.incoming.file is not None:
            from asimi.doors.hooks.files import request_for

            tool, form, given = self.incoming.tool, self.incoming.file, self.incoming.given
            place = workspace.anywhere("", "the project")
            directory = os.path.join(place.root, self.incoming.directory)
            home = os.path.expanduser("~")
            self._judged = request_for(tool, form, given, place, directory, home, call.agent)
            return self._judged
        place = workspace.anywhere(self.incoming.directory, "the directory")
        assert self.incoming.command is not None  # one without was let pass before
        if "\0" in self.incoming.command:
            raise Refusal("parameters", "the command holds a NUL character, which no command can hold")
        return Request(
            SHELL,
            self.incoming.command,
            None,
            place,
            shell_kind(self.agent, self.incoming.shell, self._environ, place.root),
            self.incoming.description,
            agent=call.agent,
        )

    async def run(self, execution: Execution, listener: object = None) -> Result:
        """Let it pass, if the agent would run what was consented to."""
        del listener
        if execution.request.command != (self.incoming.command if self._judged is None else self._judged.command):
            text = f"Not this command: the person would have this one instead: {execution.request.command}"
            return Result(failure=Failure("other", text))
        return ELSEWHERE

    def interrupt(self) -> None:
        """Nothing runs here."""

    def prompt(self, question: Question) -> Approval | None:
        """The question left to the agent's own prompt; None where it would not ask, or its answer would not count."""
        self.asked = True
        if not self.incoming.asks or question.decision.voice > Assurance.ASKED:
            return None
        from asimi.core.wording.explain import reasons_text

        return Approval(yes=False, by=PROMPT, note=reasons_text(question.decision.reasons))


def _gate(asked: HookCall, options: Options) -> Gate:
    """The gate that a call of an agent goes through.

    Raises:
        AsimiError: it cannot be opened.
    """
    agent, session = asked.agent, asked.incoming.session
    patience = float(agent.seconds - 2 * MARGIN)
    unsure = asked.incoming.unsure
    return open_hook(
        options, agent.name, session, executor=asked, prompt=asked.prompt, patience=patience, unsure=unsure
    )


def _enter_project(agent: Agent, incoming: Envelope, options: Options) -> Envelope:
    """An envelope in its session's project, which is made the one that counts, unless the person chose another.

    An agent may go elsewhere meanwhile, and what it says of its project may go with it; the session's stays.

    Raises:
        AsimiError: it cannot be kept or entered.
    """
    if options.root or os.environ.get("ASIMI_ROOT"):
        return incoming
    try:
        os.chdir(incoming.root or os.curdir)
        here = os.getcwd()
        root = hook_root(agent.name, incoming.session, here)
        os.chdir(root)
    except OSError as error:
        raise AsimiError(f"{error.filename or 'its directory'}: cannot be entered: {error.strerror}") from None
    return incoming._replace(root=root, directory=os.path.join(here, incoming.directory))


def _answer(event: Event, verdict: Verdict, reason: str) -> Answer:
    """The answer in the agent's dialect; the reason is never empty, because some agents ignore a deny without one."""
    return Answer(known.answer_text(event, verdict, f"asimi: {reason or 'allowed by the policy'}"))


def fault_answer(event: Event | End | None, fault: str) -> Answer:
    """What is said of a fault: a deny in the agent's dialect where it is known who listens, and to what."""
    if isinstance(event, known.End):
        return Answer("", f"asimi could not write down how a command ended, because {fault}", FAILED)
    reason = f"asimi blocks this command, because {fault}"
    return Answer("", reason, BLOCKED) if event is None else Answer(known.answer_text(event, Verdict.DENY, reason))


def fault_of(name: str, error: Exception) -> str:
    """What went wrong, for the model and its person."""
    if isinstance(error, (known.Foreign, wire.MalformedJsonError)):
        return f"what came to the hook for {known.agent_of(name).title} cannot be read: {error}"
    return f"its hook failed: {error if isinstance(error, AsimiError) else f'{type(error).__name__}: {error}'}"


def run_without_loop(work: Coroutine[Any, Any, T]) -> T:
    """What comes of work that never waits for an event loop.

    Raises:
        AssertionError: it does.
    """
    try:
        work.send(None)
    except StopIteration as end:
        outcome: T = end.value
        return outcome
    work.close()
    raise AssertionError("a hook waited without an event loop")


def _hold_the_streams() -> None:
    """Make sure that no file that is opened later gets the number of a standard stream.

    Raises:
        AsimiError: one of them is closed, so the answer would not be heard.
    """
    closed = False
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
            closed = True
    if closed:
        raise AsimiError("one of its standard streams is closed")


def _standard_input() -> bytes:
    """All of standard input.

    Raises:
        AsimiError: it is too long, or cannot be read.
    """
    pieces, size = [], 0
    try:
        while piece := os.read(0, 1 << 16):
            pieces.append(piece)
            size += len(piece)
            if size > LONGEST:
                raise AsimiError(f"its input is longer than {LONGEST} bytes")
    except OSError as error:
        raise AsimiError(f"its input cannot be read: {error.strerror}") from None
    return b"".join(pieces)


def _write(descriptor: int, text: str) -> bool:
    """Whether all of a text was written, with a newline."""
    data = text.encode("utf-8", "backslashreplace") + b"\n"
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        return False
    return True


def _watch_the_clock(seconds: int) -> None:
    """Block before the agent's patience ends, whatever keeps us."""
    import _signal as signal  # type: ignore[import-not-found]  # without the enumerations of `signal`

    if not hasattr(signal, "setitimer"):
        return

    def late(*_: object) -> None:
        _write(2, "asimi blocks this command, because its hook took too long")
        os._exit(BLOCKED)

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds - MARGIN)


def _login_shell() -> str:
    """The person's shell as the system knows it; empty where it knows none."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_shell
    except (ImportError, KeyError):
        return ""
