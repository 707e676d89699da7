"""asimi as a library: one call each for what most programs want.

::

    import asimi

    result = asimi.run("git status")             # what the tool returns: stdout, stderr, exitCode, error, ...
    decision = asimi.check("rm -rf build")       # decides, runs nothing
    gate = asimi.open_gate("/some/project")      # keep it: its session remembers what the person allowed
    outcome = await gate.run(asimi.ToolCall("run_shell_command", {"command": "make"}), asimi.RunShellCommandTool())
"""

from __future__ import annotations

from os import fspath
from typing import TYPE_CHECKING

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import ToolCall
from asimi.tools import ExecuteCommandTool, RunShellCommandTool
from asimi.tools.base import command_tool

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

    from asimi.core.call import Decision
    from asimi.core.gate import Gate
    from asimi.core.hosting import Approver
    from asimi.core.interfaces import Listener


def open_gate(
    root: str | PathLike[str] | None = None,
    *,
    config: str | PathLike[str] | None = None,
    non_interactive: bool = False,
    approver: Approver | None = None,
) -> Gate:
    """Return the gate of a project, by the person's own configuration.

    Args:
        root: the project root; by default the current directory.
        config: a configuration file in place of the user's own.
        non_interactive: whether nobody else is asked, so a question is a no.
        approver: a program that asks a person in its own way. What takes one at a terminal is not asked there.

    Raises:
        AsimiError: the root is not a directory.
        ConfigError: a configuration file cannot be obeyed.
    """
    from asimi.compose.gate import open_gate

    file, top = (None if path is None else fspath(path) for path in (config, root))
    options = Options(file, top, None, False, non_interactive)
    gate = open_gate(options, shared=True, adopt=False, tools=command_tool, host=approver)
    gate.settings()  # here and not at the first call, which would tell a model what only its person can mend
    return gate


def run(
    command: str,
    *,
    directory: str = "",
    description: str = "",
    gate: Gate | None = None,
    listener: Listener | None = None,
    agent: str = "library",
) -> dict[str, Any]:
    """Run a shell command through the gate, and wait for its end; from any thread, inside an event loop or not.

    Args:
        command: the shell text.
        directory: where to run it, relative to the project root.
        description: what it is for; shown to the person who is asked.
        gate: the gate to use; by default that of the current directory, the same for every call.
        listener: hears the output as it comes: `stdout` or `stderr`, and some bytes; must not block.
        agent: who calls, as the log has it: the name of a framework.

    Returns:
        What the tool's specification says; a call that was not run has its reason in `error`.
    """
    arguments = {"command": command, "directory": directory, "description": description}
    given = {name: value for name, value in arguments.items() if value or name == "command"}
    return RunShellCommandTool().waited_for(given, gate, listener, agent)


def execute(
    program: str,
    *arguments: str,
    cwd: str = "",
    timeout: int = 60,
    gate: Gate | None = None,
    listener: Listener | None = None,
    agent: str = "library",
) -> dict[str, Any]:
    """Run a program with arguments through the gate, without a shell, and wait for its end.

    Args:
        program: the program.
        arguments: what it is given.
        cwd: where to run it; the project root by default.
        timeout: seconds after which it is ended, 1 to 120.
        gate: the gate to use; by default that of the current directory.
        listener: hears the output as it comes; must not block.
        agent: who calls, as the log has it: the name of a framework.

    Returns:
        What the tool's specification says; a call that was not run has its reason in `stderr`.
    """
    given: dict[str, Any] = {"command": program, "args": list(arguments), "timeout": timeout}
    if cwd:
        given["cwd"] = cwd
    return ExecuteCommandTool().waited_for(given, gate, listener, agent)


def check(command: str, *, directory: str = "", gate: Gate | None = None) -> Decision:
    """Return the verdict over a shell command; runs nothing and asks nobody.

    Raises:
        Refusal: the directory is not to be entered.
        ConfigError: a configuration file cannot be obeyed.
    """
    gate = gate or open_judge()
    arguments = {"command": command} | ({"directory": directory} if directory else {})
    call = ToolCall("run_shell_command", arguments, agent="library")
    return gate.judge(RunShellCommandTool().read(call, gate.workspace, gate.shell))
