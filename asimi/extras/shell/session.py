"""The interactive session: a person types commands or tool calls, and each goes through the gate.

It is as stateless as the tool: every command has a shell of its own, in the project root. A line that would only change
the shell it runs in is not run, and told so. Ctrl-C ends the command that runs, not the session.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING

from asimi import __version__
from asimi.core import wire
from asimi.core.call import Result, ToolCall, Verdict
from asimi.core.errors import AsimiError, Refusal, ShellSyntaxError
from asimi.core.pattern import pattern
from asimi.core.syntax import line_of, parse
from asimi.core.wording.explain import FINAL
from asimi.core.wording.visible import visible
from asimi.doors.running import Stop, finish_calls, stoppable
from asimi.doors.serving.dialects import dialect_of
from asimi.doors.serving.service import answer_line
from asimi.extras.shell.prompt import Hint, Prompt, is_unfinished
from asimi.tools import CommandTool, tool_registry
from asimi.world.approvals import MemoryApprovals
from asimi.world.approvals.tickets import TicketApprovals
from asimi.world.host.terminal import fit_text, look_of, say, short_path, write

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from asimi.core.gate import Gate
    from asimi.core.judging.rules import Rule
    from asimi.world.executors.jobs import Jobs

AGENT = "shell"

STATEFUL = frozenset({"cd", "pushd", "popd", "export", "alias", "unalias", "unset", "shopt", "declare", "typeset"})
"""Commands that change the shell they run in, and nothing else."""

LEAVING = frozenset({"exit", "logout", "quit", ":quit", ":q"})
"""What ends the session, besides Ctrl-D."""

LONGEST = 20_000
"""Characters up to which a text is judged while it is typed."""

_COLON = pattern(r":[a-z?]+(\s|$)")


class InteractiveSession:
    """One person's session.

    Args:
        gate: what every command goes through.
        stop: tells the session to end.
        state: where asimi keeps its files.
        jobs: what commands left running, here or on the gate's host.
    """

    def __init__(self, gate: Gate, stop: Stop, state: str, jobs: Jobs) -> None:
        self.gate, self.stop, self.state, self._jobs = gate, stop, state, jobs
        tool = tool_registry.get_tool("run_shell_command")
        assert isinstance(tool, CommandTool)
        self.tool = tool
        place = tool.read(self._call("true"), gate.workspace, gate.shell).place
        self.root, self.where = ("", place.project) if place.host else (place.path, short_path(place.path))

    async def work(self) -> int:
        """Read and obey until the person or a signal ends it; the exit code."""
        prompt = Prompt(self.hint, COLON, self.root, self.state, os.environ)
        _words(f"asimi {__version__} in {visible(self.where)}. Each command is judged as you type it.")
        _words("Each has a shell of its own, in this directory. :help shows more, Ctrl-D ends the session.")
        while not self.stop:
            text = await self._typed(prompt)
            if text is None or text.strip() in LEAVING:
                break
            if text.strip():
                await self.obey(text)
        return 0

    async def _typed(self, prompt: Prompt) -> str | None:
        """Return what the person typed; None at the end of the session."""
        from asyncio import FIRST_COMPLETED, ensure_future, wait

        typing, stopping = ensure_future(prompt.read()), ensure_future(self.stop.wait())
        await wait((typing, stopping), return_when=FIRST_COMPLETED)
        stopping.cancel()
        if not typing.done():
            typing.cancel()
            await wait((typing,))
        try:
            return None if typing.cancelled() else typing.result()
        except EOFError:
            return None

    async def obey(self, text: str) -> None:
        """Run what was typed, and show the result."""
        try:
            await self._done(text)
        except Exception:  # noqa: BLE001 - a bug of ours ends this command, not the session
            say("asimi: This is a bug in asimi; the command may not have been run.\n" + traceback.format_exc())

    async def _done(self, text: str) -> None:
        if _COLON.match(text):
            self._colon(*text.split())
        elif calls := calls_of(text):
            for call in calls:
                _line(await self._carried_out(partial(answer_line, value=call, agent=AGENT)))
        elif forgotten := only_changes_its_shell(text):
            _words(
                f"Nothing was run: `{forgotten}` would be forgotten at once, because every command has its own shell, "
                "in the project root. It holds within one line:"
            )
            _line("  cd sub && ls")
        else:
            await self._run(text)

    async def _run(self, text: str) -> None:
        """Run a command; its output comes as it is written, and then a line about how it ended."""
        last = b"\n"

        def listen(stream: str, data: bytes) -> None:
            nonlocal last
            last = data[-1:]
            write(1 if stream == "stdout" else 2, data)

        began = time.monotonic()
        outcome = await self._carried_out(lambda gate: gate.run(self._call(text), self.tool, listen))
        if last != b"\n":
            _line("")
        if isinstance(outcome, Refusal):
            said = str(outcome).removesuffix(FINAL).rstrip()  # that is for agents
            say(fit_text(f"asimi: {said}", look_of(os.environ, 2).width))
        else:
            for line in told(outcome, time.monotonic() - began):
                _line(line)

    async def _carried_out(self, work: Callable[[Gate], Coroutine[Any, Any, Any]]) -> Any:
        """Return what comes of a call that Ctrl-C ends, while the session goes on."""
        from asyncio import ensure_future

        stop = Stop()
        gate = stoppable(self.gate, stop)
        before = signal.signal(signal.SIGINT, lambda number, _: stop.tell(number))
        ending = ensure_future(self.stop.wait())
        ending.add_done_callback(lambda done: None if done.cancelled() else stop.tell())
        try:
            return await finish_calls(work(gate), gate, stop)
        finally:
            ending.cancel()
            signal.signal(signal.SIGINT, before)

    def _call(self, text: str) -> ToolCall:
        return ToolCall(self.tool.name, {"command": text}, agent=AGENT)

    # ---- the verdict while typing ------------------------------------------------------------------------------------

    def hint(self, text: str) -> Hint:
        """Return the verdict on a text, in a few words."""
        if not text.strip():
            return Hint("", "type a command; :help")
        if _COLON.match(text) or text.strip() in LEAVING:
            return Hint("", COLON.get(text.split(maxsplit=1)[0], ("no such command of asimi's; :help",))[0])
        if len(text) > LONGEST:
            return Hint("", "long; judged when you press Enter")
        if is_unfinished(text):
            return Hint("", "not finished: Enter begins a new line")
        if forgotten := only_changes_its_shell(text):
            return Hint("", f"`{forgotten}` would be forgotten at once; as in: cd sub && ls")
        try:
            return max((self._judged(call) for call in self._calls(text)), key=lambda hint: _ORDER.index(hint.word))
        except AsimiError as error:
            return Hint("deny", " ".join(str(error).split("\n")[0].split()))
        except Exception as error:  # noqa: BLE001 - a bug of ours must not take the line away that is being typed
            return Hint("", f"asimi cannot judge this because it has a bug: {type(error).__name__}")

    def _calls(self, text: str) -> list[ToolCall]:
        """Return the calls that a text means.

        Raises:
            MalformedJsonError: it is JSON, but no call.
        """
        calls = []
        for value in calls_of(text):
            if isinstance(value, wire.MalformedJsonError):
                raise value
            dialect = dialect_of(value)
            if dialect is None:
                raise wire.MalformedJsonError("not a tool call: it has none of the known forms")
            incoming = dialect.unpack(value)
            calls.append(ToolCall(incoming.name, incoming.arguments, agent=AGENT))
        return calls or [self._call(text)]

    def _judged(self, call: ToolCall) -> Hint:
        tool = tool_registry.get_tool(call.name)
        if not isinstance(tool, CommandTool) or not isinstance(call.arguments, dict):
            return Hint("deny", f"not a call of a tool that asimi has: {call.name}")
        decision = self.gate.judge(tool.read(call, self.gate.workspace, self.gate.shell))
        reason = decision.reasons[0]
        why = reason.message.split("\n")[0]
        more = len(decision.reasons) - 1
        if decision.verdict is Verdict.ALLOW:
            rules = dict.fromkeys(each.rule or each.message for each in decision.reasons)
            return Hint("allow", "by " + ", ".join(rules))
        source = f" ({reason.source})" if reason.source else ""
        return Hint(decision.verdict.word, f"{why}{source}" + (f", and {more} more" if more else ""))

    # ---- asimi's own commands ----------------------------------------------------------------------------------------

    def _colon(self, name: str, *words: str) -> None:
        _, command = COLON.get(name, ("", None))
        if command is None:
            _words(f"There is no {visible(name)}; :help shows what there is.")
        elif words and command is not InteractiveSession.session:
            _words(f"{name} takes no arguments.")
        else:
            try:
                command(self, *words)
            except AsimiError as error:
                say(f"asimi: {error}")

    def help(self) -> None:
        """What can be typed."""
        _words("Type a shell command or a JSON tool call; asimi judges it, asks if needed, and runs it.")
        for name, (text, _) in COLON.items():
            _words(f"  {name:9} {text}", indent=12)
        _words("  Ctrl-C    kills the running command, or discards what you typed", indent=12)
        _words("  Ctrl-D    ends the session; processes it left running go on", indent=12)
        _words("  Tab       completes programs and paths; Alt+Enter begins a new line", indent=12)

    def policy(self) -> None:
        """The rules that hold."""
        policy = self.gate.settings().policy
        for verdict in reversed(Verdict):
            for rule in policy.rules:
                if rule.verdict is verdict:
                    _words(f"  {verdict.word:5}  {_rule(rule)}", indent=9)
        _words(f"  what no rule allows: {policy.rest}")

    def session(self, *words: str) -> None:
        """What was approved in this session; with `forget`, take it back."""
        approvals = self.gate.approvals
        assert isinstance(approvals, (MemoryApprovals, TicketApprovals))
        if words not in {(), ("forget",)}:
            _words(":session shows what is approved; :session forget takes it back.")
            return
        if words:
            _words(f"Taken back: {approvals.forget()}.")
            return
        held = approvals.current_approvals()
        for each in held:
            until = "" if each.until is None else f", until {time.strftime('%H:%M', time.localtime(each.until))}"
            since = time.strftime("%H:%M", time.localtime(each.since))
            asked = f", asked about {visible(each.question)}" if each.question else ""
            _words(f"  {visible(each.rule.line or each.rule.entry)}  (since {since}{until}{asked})", indent=4)
        if not held:
            _words("This session holds no approvals.")

    def jobs(self) -> None:
        """What commands left running."""
        running = [job for job in self._jobs.list() if job.pids]
        for job in running:
            pids = ", ".join(map(str, job.pids))
            command = visible(line_of(job))
            _words(f"  {job.id}  {command}  (process {pids})" + (f"  output in {job.log}" if job.log else ""), indent=4)
        if not running:
            _words("No background jobs.")


COLON: dict[str, tuple[str, Callable[..., None] | None]] = {
    ":help": ("what you can type", InteractiveSession.help),
    ":policy": ("the rules in force, and where they are", InteractiveSession.policy),
    ":session": ("what you approved for this session; :session forget takes it back", InteractiveSession.session),
    ":jobs": ("what commands left running", InteractiveSession.jobs),
    ":quit": ("ends the session", None),
}
"""asimi's own commands: what each is for, and what it does."""

_ORDER = ("", "allow", "ask", "deny")


def calls_of(text: str) -> list[Any]:
    """Return the JSON values of a text that is a tool call, or an array of them; none if it is a shell command."""
    stripped = text.strip()
    if stripped[:1] not in {"{", "["}:
        return []
    try:
        value = wire.loads(stripped)
    except wire.MalformedJsonError as error:
        return [error] if stripped.startswith('{"') else []
    if isinstance(value, list):
        return value if value and all(dialect_of(each) for each in value) else []
    return [value]


def only_changes_its_shell(text: str) -> str:
    """Return the first command of a text that does nothing but change the shell it runs in; empty for others."""
    try:
        script = parse(text)
    except ShellSyntaxError:
        return ""
    if not script.commands or script.redirections or script.functions:
        return ""
    for command in script.commands:
        names = [word.literal for word in command.words]
        if names and (names[0] not in STATEFUL or (len(names) == 1 and names[0] not in {"cd", "popd"})):
            return ""
        if names[1:2] == ["-p"]:  # it prints
            return ""
    first = script.commands[0]
    return visible(text[first.start : first.end])


def told(result: Result, seconds: float) -> list[str]:
    """Return how a command ended, and what it left behind."""
    if result.failure is not None:
        what = "lost" if result.failure.kind == "lost" else "not started"
        return [f"[{what}: {visible(result.failure.message)}]"]
    if result.timed_out:
        how = "ended: the time limit"
    elif result.signal is not None:
        how = f"signal {result.signal}"
    else:
        how = f"exit {result.exit_code}"
    lines = [f"[{how}, {seconds:.1f} s]"]
    for name, stream in (("stdout", result.stdout), ("stderr", result.stderr)):
        if stream.file is not None:
            lines.append(f"[{name}: {stream.size} bytes, in {visible(stream.file)}]")
    if result.background:
        pids = ", ".join(map(str, result.background))
        log = f"; its output goes on in {visible(result.log)}" if result.log else ""
        lines.append(f"[left running: {pids}{log}]")
    return lines


def _rule(rule: Rule) -> str:
    words = visible(rule.entry or rule.line or "")
    more = f"  {visible(rule.reason)}" if rule.reason else ""
    return f"{words}{more}" + (f"  [{visible(rule.source)}]" if rule.source else "")


def _line(text: str) -> None:
    """A line as it is."""
    write(1, text.encode("utf-8", "backslashreplace") + b"\n")


def _words(text: str, indent: int = 0) -> None:
    """Words of asimi's own, broken between words where the terminal ends; `indent` for the lines after the first."""
    width = look_of(os.environ, 1).width
    for line in wrap(text, max(20, width - 1), subsequent_indent=" " * indent, break_on_hyphens=False):
        _line(line)
