"""`asimi check`: the verdict, without running anything."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.call import Decision, Deed, Reason, ToolCall, Verdict
from asimi.core.errors import Refusal
from asimi.core.wording.effects import describe_deed, describe_sandbox
from asimi.doors.cli.forms import Wrong, one_command
from asimi.doors.cli.printing import NO_FILE, fit, is_terminal, out, quote_words
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from asimi.compose import Options
    from asimi.core.call import Request
    from asimi.core.gate import Gate

EXIT = (0, 1, 3)
"""The exit code of each verdict: allow, ask, deny."""

WIDTH = 100
"""The most columns of a line of the command that are shown around a reason's span."""

MARGIN = 10
"""Columns left of such a line: its indent, its number and a bar."""


def check(
    options: Options,
    words: list[str],
    directory: str = "",
    cwd: str = "",
    execute: bool = False,  # noqa: FBT001, FBT002 - a flag of the command line
    json: bool = False,  # noqa: FBT001, FBT002 - the same
    in_box: bool = False,  # noqa: FBT001, FBT002 - the same
    read: bool = False,  # noqa: FBT001, FBT002 - the same
    write: bool = False,  # noqa: FBT001, FBT002 - the same
    hook: bool = False,  # noqa: FBT001, FBT002 - the same
) -> int:
    """Show whether a command may run, and why. This runs nothing.

    The exit code is 0 for allow, 1 for ask, 3 for deny; 125 if there is no verdict, because the configuration is
    broken or the directory is not there. Behind an agent's hook, a command in a substitution is judged, where asimi's
    own tools refuse it: --hook shows that verdict.
    """
    from asimi.compose import host_name
    from asimi.compose.configuration import configuration_of
    from asimi.compose.gate import open_judge

    if (cwd and not execute) or (directory and execute):
        raise Wrong("--dir is for a shell command, --cwd for --exec.")
    if read + write + execute > 1:
        raise Wrong("--read, --write and --exec do not go together.")
    gate = open_judge(options, boxed=in_box, behind=hook)
    text, code = render_check(gate, words, directory, cwd, execute, json, in_box, read, write)
    out(text)
    if "\n  substitution: " in text and not (json or hook or in_box or host_name(options)):
        _, there = render_check(
            open_judge(options, behind=True), words, directory, cwd, execute, json, in_box, read, write
        )
        if there != code:
            verdict = Verdict(EXIT.index(there)).word
            out(fit(f"\nBehind an agent's hook: {verdict}. `asimi check --hook` shows why.", indent=0))
    if code == EXIT[Verdict.ASK] and not json and not configuration_of(options._replace(host=None)).files():
        out(fit(f"\nThere is {NO_FILE}", indent=0))
    return code


def render_check(
    gate: Gate,
    words: list[str],
    directory: str,
    cwd: str,
    execute: bool,  # noqa: FBT001 - as `check` has it
    json: bool,  # noqa: FBT001 - the same
    in_box: bool,  # noqa: FBT001 - the same
    read: bool,  # noqa: FBT001 - the same
    write: bool,  # noqa: FBT001 - the same
) -> tuple[str, int]:
    """What `check` prints, and its exit code.

    Raises:
        Wrong: the words cannot be meant so.
        AsimiError: there is no verdict.
    """
    from asimi.world.host.deed_facts import add_file_facts

    deeds: tuple[Deed, ...] = ()
    host = command = ""
    try:
        if read or write:
            request = _file_request(gate, words, directory, "write" if write else "read")
        else:
            request = _tool_request(gate, words, directory, cwd, execute)
        command = "" if execute else request.command
        decision = gate.judge(request)
        deeds = gate.deeds(request)
        host = request.place.host
        deeds = deeds if host else add_file_facts(deeds, request.place.path, request.place.root)
    except Refusal as refusal:
        if refusal.code != "directory":
            raise
        decision = Decision(Verdict.DENY, (Reason(refusal.code, str(refusal).removeprefix("directory: ")),))
    if json:
        from asimi.core.wire import dumps
        from asimi.core.wording.explain import decision_object, deed_object

        text = dumps(decision_object(decision, boxed=in_box) | {"does": [deed_object(deed) for deed in deeds]})
    else:
        text = "\n".join(_lines(command, decision, deeds, host))
    return text, EXIT[decision.verdict]


def _tool_request(
    gate: Gate,
    words: list[str],
    directory: str,
    cwd: str,
    execute: bool,  # noqa: FBT001 - as `check` has it
) -> Request:
    """The request of one of asimi's own tools.

    Raises:
        Wrong: the words cannot be meant so.
        Refusal: the tool refuses the call.
    """
    from asimi.tools import CommandTool, tool_registry

    arguments: dict[str, Any]
    name, arguments = "run_shell_command", {"directory": directory} if directory else {}
    if execute:
        name, arguments = "execute_command", {"command": words[0], "args": words[1:]} | ({"cwd": cwd} if cwd else {})
    else:
        arguments |= {"command": one_command(words, "asimi check")}
    tool = tool_registry.get_tool(name)
    assert isinstance(tool, CommandTool)  # both of ours are
    return tool.read(ToolCall(name, arguments, agent="cli"), gate.workspace, gate.shell)


def _file_request(gate: Gate, paths: Sequence[str], directory: str, does: str) -> Request:
    """The request of an agent's own tool that reads or writes some paths.

    Raises:
        Wrong: one of them is none.
    """
    from asimi.core.call import FileUse, Touch
    from asimi.core.files import request_of

    if not all(paths) or any("\0" in path for path in paths):
        raise Wrong("PATH is empty, or holds NUL.")
    place = gate.workspace.anywhere("", "--dir")
    where = os.path.join(place.root, directory)
    return request_of(
        FileUse(does, tuple(Touch(does, path) for path in paths)), place, where, os.path.expanduser("~"), "cli"
    )


def _lines(text: str, decision: Decision, deeds: Sequence[Deed], host: str) -> list[str]:
    """A decision for a person: the verdict, each reason with its span marked, what it does, what would allow it."""
    lines = [decision.verdict.word]
    for reason in decision.reasons:
        lines += ["", *_reason(reason, text)]
    others = [part for part in decision.parts if part.verdict is not decision.verdict]
    lines += [""] if others else []
    for part in others:
        words = " ".join("…" if word is None else printable(word) for word in part.words)
        lines.append(f"  {part.verdict.word:5}  {words}" + (f"  (through {part.via})" if part.via else ""))
    if decision.verdict is not Verdict.DENY and (holds := describe_sandbox(decision.sandbox)):
        lines += ["", fit(f"It would run {printable(holds)}.", indent=4)]
    said = [(deed.command, words) for deed in deeds if (words := describe_deed(deed))]
    lines += ["", "What it does:"] if said else []
    lines += [fit(f"  {printable(command)}: {printable(words)}", indent=4) for command, words in said]
    if decision.verdict is Verdict.ASK and decision.voice:
        from asimi.core.wording.explain import WHOM

        lines += ["", f"Only {WHOM[decision.voice]} can say yes{'' if decision.offers else ', each time anew'}."]
    typed = [entry for entry in decision.needed if printable(entry) == entry]  # nobody can type what cannot be seen
    if decision.verdict is not Verdict.ALLOW and typed:
        lines += ["", "This would allow it:"]
        on = f"--host {host} " if host else ""
        lines += [f"  asimi policy add {on}{quote_words([entry])}" for entry in typed]
    elif decision.verdict is Verdict.ASK and not host:
        from asimi.core.wording.adding import remedy_line

        lines += ["", "This would allow it:", f"  {line}"] if (line := remedy_line(decision)) else []
    return lines


def _reason(reason: Reason, text: str) -> list[str]:
    """Return a reason, where its rule is, and its span marked with carets."""
    where = f"  [{reason.source}]" if reason.source and reason.source not in reason.message else ""
    first, *more = reason.message.split("\n")
    lines = [fit(f"  {reason.code}: {printable(first)}{where}", indent=4)]
    if more:  # it shows its span itself
        lines += [f"    {printable(line)}" for line in more]
    elif reason.span is not None and text:
        lines += [f"    {line}" for line in _underline(text, reason.span)]
    return lines


def _underline(text: str, span: tuple[int, int]) -> list[str]:
    """Return the line of a command where a span begins, and carets under the span."""
    from asimi.world.host.terminal import columns, look_of

    width = min(WIDTH, look_of(os.environ, 1).width - MARGIN) if is_terminal(1) else WIDTH
    start, end = span
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    line = text[first:] if last < 0 else text[first:last]
    left = max(0, start - first - width // 2)
    shown = printable(line[left : left + width])
    offset = columns(printable(line[left : start - first]))
    length = max(1, columns(printable(line[start - first : min(end - first, left + width)])))
    number = text.count("\n", 0, start) + 1
    head = f"{number} | " if "\n" in text.rstrip("\n") else "| "
    return [head + shown, " " * (len(head) - 2) + "| " + " " * offset + "^" * length]
