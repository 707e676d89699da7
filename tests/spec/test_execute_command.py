"""`execute_command`, sentence by sentence: each test quotes what it holds to, and starts real programs."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import stat
from pathlib import Path

import pytest
from helpers.home import Home

from asimi.core.call import Failure
from asimi.doors.serving.service import Values, answer_line
from asimi.testing import RecordingAudit, ScriptedApprover, make_gate
from asimi.tools import AITool, ExecuteCommandTool, ToolRegistry
from asimi.world.executors.local import LocalExecutor
from asimi.world.host.workspace import Workspace

REFUSED = {"stdout": "", "return_code": None, "timed_out": False}
EVERYTHING = ["execute_command"]


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root" / "sub").mkdir(parents=True)
    return str(tmp_path / "root")


@pytest.fixture
def execute(root, tmp_path):
    """The tool in front of a gate that starts real programs."""
    executor = LocalExecutor(str(tmp_path / "state"))

    def call(command, *args, allow=EVERYTHING, approver=None, **more):
        parts = {"workspace": Workspace(root), "executor": executor, "approver": approver}
        gate = make_gate(root, allow=allow, environ=dict(os.environ), **parts)
        given = {"command": command} | ({"args": list(args)} if args else {}) | more
        return asyncio.run(ExecuteCommandTool(lambda: gate).execute(**given))

    return call


# 1. Tool definition


def test_name_description_category_and_tags():
    """> Name: `execute_command`; Description: ...; Category: "System Execution"; Tags: ["command", "shell", ...]."""
    tool = ExecuteCommandTool()
    assert tool.name == "execute_command"
    assert tool.description == (
        "Executes a system command and returns its standard output, standard error, and return code. Allows "
        "specifying arguments, a working directory, and a timeout."
    )
    assert tool.category == "System Execution"
    assert tool.tags == ["command", "shell", "execute", "process", "system"]


# 2.1 Input parameters


def test_the_parameters_schema():
    """> The tool accepts the following parameters, defined by the JSON schema below."""
    assert ExecuteCommandTool().parameters_schema == {
        "type": "object",
        "properties": {
            "command": {
                "type": "string",
                "description": "The command or program to execute (e.g., 'python', 'ls', 'my_script.sh'). This should "
                "be the command itself, without arguments.",
            },
            "args": {
                "type": "array",
                "items": {"type": "string"},
                "description": "A list of arguments to pass to the command. Each argument should be a separate string "
                'in the list (e.g., ["my_script.py", "--verbose"]).',
                "default": [],
            },
            "cwd": {
                "type": "string",
                "description": "The working directory from which to execute the command. If not specified, defaults "
                "to the AIWhisperer's current workspace directory.",
            },
            "timeout": {
                "type": "integer",
                "description": "The maximum time in seconds to allow the command to run. If the command exceeds this "
                "time, it will be terminated. Defaults to 60 seconds. Can be set up to a maximum of 120 seconds for "
                "the initial version.",
                "default": 60,
                "minimum": 1,
                "maximum": 120,
            },
        },
        "required": ["command"],
    }


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({}, "command"),
        ({"args": ["x"]}, "command"),
        ({"command": None}, "command"),
        ({"command": "a\0b"}, "command"),
        ({"command": "echo", "args": "x"}, "args"),
        ({"command": "echo", "args": ["x", 1]}, "args"),
        ({"command": "echo", "args": [None]}, "args"),
        ({"command": "echo", "args": ["\ud800"]}, "args"),
        ({"command": "echo", "cwd": 5}, "cwd"),
        ({"command": "echo", "timeout": 0}, "timeout"),
        ({"command": "echo", "timeout": -1}, "timeout"),
        ({"command": "echo", "timeout": 121}, "timeout"),
        ({"command": "echo", "timeout": True}, "timeout"),
        ({"command": "echo", "timeout": 1.5}, "timeout"),
        ({"command": "echo", "timeout": "5"}, "timeout"),
        ({"command": "echo", "timeout": False}, "timeout"),
        ({"command": "echo", "timeout": 30.5}, "timeout"),
        ({"command": "echo", "timeout": 0.0}, "timeout"),
        ({"command": "echo", "timeout": 120.5}, "timeout"),
        ({"command": "echo", "timeout": 121.0}, "timeout"),
        ({"command": "echo", "timeout": 1e300}, "timeout"),
        ({"command": "echo", "timeout": 10**5000}, "timeout"),
        ({"command": "echo", "timeout": float("inf")}, "timeout"),
        ({"command": "echo", "timeout": float("-inf")}, "timeout"),
        ({"command": "echo", "timeout": float("nan")}, "timeout"),
        ({"command": "echo", "timeout": [30]}, "timeout"),
        ({"command": ["echo"]}, "command"),
        ({"command": "echo", "args": {"0": "x"}}, "args"),
        ({"command": "echo", "args": ["a\0b"]}, "args"),
        ({"command": "echo", "cwd": "a\0b"}, "cwd"),
        ({"command": "echo", "shell": True}, "shell"),
        ({"command": "echo", "directory": "sub"}, "directory"),
    ],
)
def test_a_wrong_parameter_is_refused_by_its_name(arguments, parameter):
    """> Minimum 1, Maximum 120. (Refused, not clamped; unknown, missing and ill-typed ones too.)."""
    gate = make_gate(allow=EVERYTHING)
    answer = asyncio.run(ExecuteCommandTool(lambda: gate).execute(**arguments))
    assert answer.pop("stderr").startswith(f"Error: {parameter}")
    assert answer == REFUSED
    assert gate.executor.ran == []


def test_args_default_to_nothing(execute):
    """> Defaults to an empty list."""
    assert execute("echo")["stdout"] == "\n"


def test_the_default_directory_is_the_root(execute, root):
    """> If not provided, it will default to the application's current workspace."""
    assert execute("pwd")["stdout"] == f"{root}\n"


@pytest.mark.parametrize("absolute", [False, True])
def test_cwd(execute, root, absolute):
    """> The current working directory for the command execution."""
    assert execute("pwd", cwd=f"{root}/sub" if absolute else "sub")["stdout"] == f"{root}/sub\n"


@pytest.mark.parametrize("cwd", ["/usr", "..", "link"])
def test_a_cwd_outside_of_the_root_is_never_allowed_without_asking(execute, root, cwd):
    os.symlink("/usr", f"{root}/link")
    approver = ScriptedApprover(False, True)
    answer = execute("touch", f"{root}/canary", cwd=cwd, approver=approver)
    assert "Refused by the person" in answer.pop("stderr")
    assert answer == REFUSED
    assert not os.path.exists(f"{root}/canary")
    there = os.path.realpath(os.path.join(root, cwd))
    assert execute("pwd", cwd=cwd, approver=approver)["stdout"] == f"{there}\n"
    assert [reason.code for question in approver.questions for reason in question.decision.reasons] == ["directory"] * 2


def test_a_missing_cwd(execute):
    answer = execute("true", cwd="nowhere")
    assert answer.pop("stderr").startswith("Error: cwd")
    assert answer == REFUSED


@pytest.mark.parametrize(
    ("given", "seconds"),
    [({}, 60), ({"timeout": None}, 60), ({"timeout": 1}, 1), ({"timeout": 30.0}, 30), ({"timeout": 120}, 120)],
)
def test_the_timeout_defaults_to_60_seconds(given, seconds):
    """> Maximum execution time in seconds. Defaults to 60. Minimum 1, Maximum 120."""
    gate = make_gate(allow=EVERYTHING)
    answer = asyncio.run(ExecuteCommandTool(lambda: gate).execute(command="true", **given))
    assert answer["return_code"] == 0
    assert [execution.limits.timeout for execution in gate.executor.ran] == [seconds]


def test_null_is_as_good_as_absent(execute, root):
    """An explicit `null` for an optional parameter."""
    assert execute("pwd", args=None, cwd=None, timeout=None) == execute("pwd")
    assert execute("pwd", args=None, cwd=None, timeout=None)["stdout"] == f"{root}\n"


@pytest.mark.parametrize(
    ("number", "code"),
    [("30.0", 0), ("1e2", 0), ("null", 0), ("30.5", None), ("1e400", None), ("true", None), ("NaN", None)],
)
def test_a_number_counts_as_an_integer_if_json_schema_says_so(number, code):
    """> timeout: integer. (In JSON schema 30.0 is one; NaN is no JSON.)."""
    gate = make_gate(allow=EVERYTHING)
    call = f'{{"name": "execute_command", "arguments": {{"command": "true", "timeout": {number}}}}}'
    line = asyncio.run(answer_line(gate, next(Values().feed(call.encode() + b"\n"))))
    answer = json.loads(line)
    assert len(gate.executor.ran) == (code == 0)
    if number == "NaN":
        assert "NaN is not a number" in answer["error"]
    else:
        assert answer["result"]["return_code"] == code


# 2.2 Output structure


@pytest.mark.parametrize("command", ["true", "false", "nosuchcommand_zz"])
def test_the_output_structure(execute, command):
    """> The `execute()` method of the tool will return a dictionary with the following structure."""
    answer = execute(command)
    assert list(answer) == ["stdout", "stderr", "return_code", "timed_out"]
    assert isinstance(answer["stdout"], str)
    assert isinstance(answer["stderr"], str)
    assert isinstance(answer["timed_out"], bool)


def test_calls_side_by_side_do_not_wait_for_each_other(root, tmp_path):
    """> This asynchronous method ... for non-blocking command execution."""
    gate = make_gate(
        root,
        allow=EVERYTHING,
        workspace=Workspace(root),
        executor=LocalExecutor(str(tmp_path / "state")),
        environ=dict(os.environ),
    )
    os.mkfifo(f"{root}/pipe")
    tool = ExecuteCommandTool(lambda: gate)

    async def both():
        reads = tool.execute(command="cat", args=["pipe"])  # ends only once the other one has written
        return await asyncio.gather(reads, tool.execute(command="sh", args=["-c", "echo hi > pipe; exit 3"]))

    first, second = asyncio.run(both())
    assert (first["stdout"], first["return_code"], second["stdout"], second["return_code"]) == ("hi\n", 0, "", 3)


def test_streams_and_return_code(execute):
    """> stdout: The standard output captured from the command; stderr: ...; return_code: The exit status code."""
    assert execute("sh", "-c", "echo out; echo err >&2; exit 3") == {
        "stdout": "out\n",
        "stderr": "err\n",
        "return_code": 3,
        "timed_out": False,
    }


def test_a_signal_is_a_negative_return_code(execute):
    assert execute("sh", "-c", "kill -9 $$")["return_code"] == -9


# 3. Interaction with the base


def test_the_tool_inherits_from_the_base():
    """> `ExecuteCommandTool` will inherit from the `AITool` abstract base class."""
    assert issubclass(ExecuteCommandTool, AITool)
    assert inspect.isabstract(AITool)
    assert inspect.iscoroutinefunction(ExecuteCommandTool().execute)


def test_what_is_abstract():
    """> It will implement all abstract properties ... It will implement all abstract methods."""
    assert AITool.__abstractmethods__ == {
        "name", "description", "parameters_schema", "get_ai_prompt_instructions", "execute",
    }  # fmt: skip


def test_a_tool_that_implements_these_is_one():
    class Other(AITool):
        name, description, parameters_schema = "other", "", {}

        def get_ai_prompt_instructions(self):
            return ""

        async def execute(self, **kwargs):
            return kwargs

    other = Other()
    assert (other.category, other.tags) == ("", [])
    assert asyncio.run(other.execute(a=1)) == {"a": 1}


# 4. Registration


def test_both_tools_are_registered_by_the_import():
    """> This instance will be registered with the global `ToolRegistry` singleton."""
    assert isinstance(ToolRegistry().get_tool("execute_command"), ExecuteCommandTool)
    assert ToolRegistry() is ToolRegistry()
    assert [tool.name for tool in ToolRegistry().get_all_tools()] == ["run_shell_command", "execute_command"]


def test_a_registry_finds_tools():
    registry = ToolRegistry()
    assert [tool.name for tool in registry.get_tools_by_tag("shell")] == ["run_shell_command", "execute_command"]
    assert len(registry.get_tools_by_category("System Execution")) == len(registry) == 2
    assert registry.get_tool("other") is None
    assert "execute_command" in registry


def test_a_name_is_not_taken_by_another_tool():
    class Other(ExecuteCommandTool):
        pass

    with pytest.raises(ValueError, match="execute_command"):
        ToolRegistry().register_tool(Other())


def test_nobody_replaces_a_tool_for_everybody_in_silence():
    registry = ToolRegistry()
    known = registry.get_tool("execute_command")
    registry.register_tool(ExecuteCommandTool())  # as the specification says; no other than the one that is there
    with pytest.raises(ValueError, match="for the whole process"):
        registry.register_tool(ExecuteCommandTool(make_gate))
    assert registry.get_tool("execute_command") is known


@pytest.mark.parametrize("other", [object(), "execute_command", ExecuteCommandTool])
def test_what_is_no_tool_is_told_by_its_type(other):
    with pytest.raises(TypeError, match=f"{type(other).__name__} is not an AITool"):
        ToolRegistry().register_tool(other)


# 5. Prompt instructions


PROMPT = Path(__file__).with_name("execute_command.txt")


def test_prompt_instructions():
    """> The `get_ai_prompt_instructions()` method will return a string similar to the following (here: this one)."""
    assert ExecuteCommandTool().get_ai_prompt_instructions() == PROMPT.read_text(encoding="utf-8")


# 6. Error handling


@pytest.mark.parametrize("command", ["nosuchcommand_zz", "echo hi", "./nowhere"])
def test_not_found(execute, command):
    """> Command Not Found: ... `stdout="", stderr="Error: Command not found...", timed_out=false`."""
    assert execute(command) == REFUSED | {"stderr": f"Error: Command not found: {command}"}


def test_an_empty_command_names_no_program(execute):
    """> `command` (string, required): The primary command or executable."""
    assert execute("") == REFUSED | {"stderr": "Error: command: is empty; it must name a program"}


def test_permission_denied(execute, root):
    """> Permissions: ... `stderr="Error: ...permission denied."`."""
    with open(f"{root}/plain", "w", encoding="utf-8") as file:
        file.write("x")
    os.chmod(f"{root}/plain", stat.S_IRUSR)
    assert execute("./plain") == REFUSED | {"stderr": "Error: Permission denied: ./plain"}


def test_what_did_not_start_is_logged(root, tmp_path):
    """> The `execute` method should catch these, log them, and return an appropriate output dictionary."""
    audit = RecordingAudit()
    parts = {"workspace": Workspace(root), "executor": LocalExecutor(str(tmp_path / "state")), "audit": audit}
    gate = make_gate(root, allow=EVERYTHING, environ=dict(os.environ), **parts)
    asyncio.run(ExecuteCommandTool(lambda: gate).execute(command="nosuchcommand_zz"))
    start, end = audit.records
    assert (start.event, end.event, end.id) == ("start", "end", start.id)
    assert end.result.failure == Failure("not_found", "Command not found: nosuchcommand_zz")


def test_a_non_zero_return_code_is_no_error(execute):
    """> A non-zero `return_code` indicates the command ran but exited with an error status."""
    assert execute("false") == {"stdout": "", "stderr": "", "return_code": 1, "timed_out": False}


def test_timeout(execute):
    """> `timed_out` will be `true` ... `stdout` and `stderr` will contain whatever output was generated before."""
    assert execute("sh", "-c", "echo part; echo err >&2; sleep 600; true", timeout=1) == {
        "stdout": "part\n",
        "stderr": "err\n",
        "return_code": None,
        "timed_out": True,
    }


# 7. Security considerations


def test_there_is_no_shell_in_between(execute):
    """> The `command` and `args` should be passed as a sequence to avoid shell injection vulnerabilities."""
    assert execute("printf", "%s|", "$HOME", "a b", "*", "$(id)", "", "; touch canary")["stdout"] == (
        "$HOME|a b|*|$(id)||; touch canary|"
    )


def test_a_shell_that_is_asked_for_is_a_shell(execute):
    """> unless explicitly invoking a shell like `bash -c "..."`."""
    assert execute("bash", "-c", "echo a | tr a b")["stdout"] == "b\n"


def test_standard_input_is_empty(execute):
    assert execute("cat")["stdout"] == ""
    assert execute("readlink", "/proc/self/fd/0")["stdout"] == "/dev/null\n"


@pytest.mark.parametrize("words", [["run", "cat"], ["exec", "--", "cat"]])
def test_what_asimi_itself_reads_reaches_no_command(tmp_path, words):
    home = Home(tmp_path, 'coreTools = ["run_shell_command", "execute_command"]')
    assert home.asimi(*words, stdin="typed").stdout == ""


def test_a_program_leads_a_session_of_its_own(execute):
    """No controlling terminal; its process group is its own."""
    ids = execute("sh", "-c", "echo $$; ps -o sid= -p $$; ps -o pgid= -p $$; ps -o tty= -p $$")["stdout"].split()
    assert ids == [ids[0]] * 3 + ["?"]


# What the gate adds


def test_every_call_goes_through_the_gate():
    audit = RecordingAudit()
    gate = make_gate(allow=["execute_command(git)"], deny=["run_shell_command(rm)"], audit=audit)
    tool = ExecuteCommandTool(lambda: gate)
    assert asyncio.run(tool.execute(command="git", args=["status"]))["return_code"] == 0
    denied = asyncio.run(tool.execute(command="rm", args=["x"]))
    assert denied.pop("stderr").startswith("Error: ")
    assert denied == REFUSED
    assert [execution.argv for execution in gate.executor.ran] == [("git", "status")]
    assert [record.event for record in audit.records] == ["start", "end", "refusal"]


def test_background_processes_are_named(execute):
    answer = execute("sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!")
    pids = answer["backgroundPids"]
    try:
        assert answer["stdout"] == f"{pids[0]}\n"
    finally:
        for pid in pids:
            os.kill(pid, 9)
