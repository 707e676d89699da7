"""`run_shell_command`, sentence by sentence: each test quotes what it holds to, and asks a real bash."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from helpers.home import Home

from asimi.core.call import Approval, Verdict
from asimi.core.errors import AsimiError
from asimi.testing import RecordingAudit, ScriptedApprover, make_gate
from asimi.tools import AITool, RunShellCommandTool
from asimi.world.executors.local import LocalExecutor
from asimi.world.host.bash import find_shell
from asimi.world.host.workspace import Workspace

KEYS = ["stdout", "stderr", "exitCode", "signal", "error", "pid", "backgroundPids"]
REFUSED = {"stdout": "", "stderr": "", "exitCode": None, "signal": None, "pid": None, "backgroundPids": []}
EVERYTHING = ["run_shell_command"]
SENTENCES = Path(__file__).with_name("run_shell_command.txt")


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root" / "sub").mkdir(parents=True)
    return str(tmp_path / "root")


@pytest.fixture
def shell(root, tmp_path):
    """The tool in front of a gate that runs a real bash; the lists and answers are a test's own."""
    executor = LocalExecutor(str(tmp_path / "state"))

    def call(command, allow=EVERYTHING, more=None, **parts):
        gate = make_gate(
            root,
            allow=allow,
            workspace=Workspace(root),
            executor=executor,
            environ=dict(os.environ),
            shell=find_shell(os.environ, root),
            **parts,
        )
        return json.loads(RunShellCommandTool(lambda: gate).call(json.dumps({"command": command, **(more or {})})))

    return call


# 2. Tool definition


def test_name():
    """> func (t RunShellCommand) Name() string { return "run_shell_command" }."""
    assert RunShellCommandTool().name == "run_shell_command"


def test_description():
    """> This tool executes a given shell command. On Windows, it uses `cmd.exe /c`. On other platforms, ..."""
    assert RunShellCommandTool().description == (
        "This tool executes a given shell command. On Windows, it uses `cmd.exe /c`. On other platforms, it uses "
        "`bash -c`. It can start background processes."
    )


@pytest.mark.parametrize("text", ["", "{", "nonsense", '{"command": "a", "command": "b"}', "[]", '"x"', "null"])
def test_malformed_input_is_an_error(text):
    """> return "", fmt.Errorf("invalid input: %w", err)."""
    with pytest.raises(AsimiError, match=r"^invalid input: "):
        RunShellCommandTool(make_gate).call(text)


def test_a_call_is_json_in_and_json_out(shell):
    """> return string(outputBytes), nil."""
    assert shell("echo hi")["stdout"] == "hi\n"


def test_a_call_works_inside_of_a_running_loop(shell):
    async def inside():
        return shell("echo hi")

    assert asyncio.run(inside())["stdout"] == "hi\n"


def test_run_shell_command_is_a_tool_as_the_framework_has_them():
    tool = RunShellCommandTool()
    assert isinstance(tool, AITool)
    assert tool.category == "System Execution"
    assert tool.tags == ["command", "shell", "execute", "process", "system"]
    assert tool.get_openrouter_tool_definition() == {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters_schema,
        },
    }


# 3. Parameters


def test_the_parameters_and_which_are_required():
    """> command: string, required; description: string, not required; directory: string, not required."""
    assert RunShellCommandTool().parameters_schema == {
        "type": "object",
        "properties": {
            "command": {
                "type": "string",
                "description": "The literal command string to be executed by the shell. It can include pipes, "
                "redirection, and command chaining (e.g., `&&`, `||`, `;`).",
            },
            "description": {
                "type": "string",
                "description": "A concise, human-readable explanation of what the command intends to do. This "
                "description will be shown to the user in a confirmation dialog if the command is not already on a "
                "pre-approved list. It is crucial for obtaining user consent for potentially impactful operations.",
            },
            "directory": {
                "type": "string",
                "description": "The directory where the command should be executed, relative to the project's root. "
                "If omitted, the command runs in the project's root directory. Absolute paths are not permitted.",
            },
        },
        "required": ["command"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("sentence", SENTENCES.read_text(encoding="utf-8").splitlines())
def test_what_the_prompt_says(sentence):
    """> written from the perspective of the tool's consumer (the LLM)."""
    assert sentence in RunShellCommandTool().get_ai_prompt_instructions()


@pytest.mark.parametrize("name", ["description", "directory"])
def test_null_is_as_good_as_absent(shell, root, name):
    """> Required: No."""
    answer = shell("pwd", more={name: None})
    assert (answer["stdout"], answer["exitCode"], answer["error"]) == (f"{root}\n", 0, None)


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({}, "command"),
        ({"command": None}, "command"),
        ({"command": 5}, "command"),
        ({"command": ["echo", "a"]}, "command"),
        ({"command": "echo a\0b"}, "command"),
        ({"command": "echo \ud800"}, "command"),
        ({"command": "echo a", "description": 5}, "description"),
        ({"command": "echo a", "directory": 5}, "directory"),
        ({"command": "echo a", "directory": True}, "directory"),
        ({"command": "echo a", "timeout": 5}, "timeout"),
        ({"command": "echo a", "Command": "x"}, "Command"),
    ],
)
def test_a_wrong_parameter_is_refused_by_its_name(arguments, parameter):
    """Unknown, missing and ill-typed parameters are refused, and nothing is started."""
    gate = make_gate(allow=EVERYTHING)
    answer = json.loads(RunShellCommandTool(lambda: gate).call(json.dumps(arguments)))
    assert answer.pop("error").startswith(parameter)
    assert answer == REFUSED
    assert gate.executor.ran == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("printf 'b\\na\\n' | sort", "a\nb\n"),
        ("echo a > file && cat < file", "a\n"),
        ("false || echo b; true && echo c", "b\nc\n"),
        ("a=(1 2); echo ${a[1]}", "2\n"),
    ],
)
def test_pipes_redirection_and_chaining(shell, command, output):
    """> It can include pipes, redirection, and command chaining (e.g., `&&`, `||`, `;`)."""
    assert shell(command)["stdout"] == output


def test_the_command_is_executed_by_bash(shell):
    """> Linux/macOS: The command is executed as `bash -c <command>`."""
    assert shell('echo "$0 ${BASH_VERSION:+bash} $-"')["stdout"].rstrip("\n").endswith("bash hBc")


def test_the_description_is_shown_to_the_person(tmp_path):
    """> This description will be shown to the user in a confirmation dialog if the command is not already on ..."""
    with Home(tmp_path).at_terminal("run", "--description", "Build it all", "touch built") as person:
        assert "Build it all" in person.asked()
        person.types("y")
        person.ended()
        assert person.process.returncode == 0
    assert (tmp_path / "root" / "built").exists()


def test_the_directory_is_relative_to_the_root(shell, root):
    """> The directory where the command should be executed, relative to the project's root."""
    assert shell("pwd", more={"directory": "sub"})["stdout"] == f"{root}/sub\n"


def test_without_directory_the_root(shell, root):
    """> If omitted, the command runs in the project's root directory."""
    assert shell("pwd")["stdout"] == f"{root}\n"


@pytest.mark.parametrize("directory", ["/", "/usr", "..", "sub/../..", "link", "link/bin", "nowhere", "file"])
def test_directories_that_are_refused(shell, root, directory):
    """> Absolute paths are not permitted. (Nor ways out, nor what is no directory.)."""
    os.symlink("/usr", f"{root}/link")
    open(f"{root}/file", "w").close()
    answer = shell("touch canary", more={"directory": directory})
    assert "directory" in answer.pop("error")
    assert answer == REFUSED
    assert not os.path.exists(f"{root}/canary")


def test_an_absolute_directory_inside_the_root_is_absolute(shell, root):
    """> Absolute paths are not permitted."""
    assert "absolute" in shell("true", more={"directory": f"{root}/sub"})["error"]


# 4. Return schema


@pytest.mark.parametrize("command", ["true", "exit 3", "kill -9 $$", "echo $(id)", "nosuchcommand_zz"])
def test_the_seven_keys_in_their_order(shell, command):
    """> type RunShellCommandOutput struct: stdout, stderr, exitCode, signal, error, pid, backgroundPids."""
    assert list(shell(command)) == KEYS


def test_stdout_is_complete(shell):
    """> stdout: The complete standard output of the command as a string."""
    assert shell("seq 1 200000")["stdout"] == "".join(f"{number}\n" for number in range(1, 200001))


def test_stderr_is_apart(shell):
    """> stderr: The complete standard error of the command as a string."""
    answer = shell("echo out; echo err >&2")
    assert (answer["stdout"], answer["stderr"]) == ("out\n", "err\n")


@pytest.mark.parametrize(("command", "code"), [("true", 0), ("exit 3", 3), ("exit 256", 0), ("nosuchcommand_zz", 127)])
def test_exit_code(shell, command, code):
    """> exitCode: The integer exit code of the process. `0` typically indicates success."""
    assert (shell(command)["exitCode"], shell(command)["signal"]) == (code, None)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV])
def test_signal(shell, number):
    """> signal: The numeric signal that terminated the process (e.g., `15` for `SIGTERM`); exitCode is `null` then."""
    answer = shell(f"kill -{int(number)} $$")
    assert (answer["exitCode"], answer["signal"], answer["error"]) == (None, int(number), None)


def test_a_childs_signal_is_an_exit_code_of_the_shell(shell):
    """A shell that reports 128+n reports an exit code."""
    answer = shell("bash -c 'kill -9 $$'; exit $?")
    assert (answer["exitCode"], answer["signal"]) == (137, None)


def test_error_is_null_if_it_spawned(shell):
    """> `null` if the process spawned successfully, even if it later exited with an error."""
    assert shell("exit 1")["error"] is None


def test_error_if_it_could_not_be_spawned(root, tmp_path):
    """> error: A string containing an error message if the tool failed to spawn the process itself."""
    from asimi.core.call import Shell

    gate = make_gate(
        root,
        allow=EVERYTHING,
        workspace=Workspace(root),
        executor=LocalExecutor(str(tmp_path / "state")),
        shell=Shell("bash", f"{root}/no-such-bash"),
    )
    answer = json.loads(RunShellCommandTool(lambda: gate).call('{"command": "true"}'))
    assert answer.pop("error") == f"Command not found: {root}/no-such-bash"
    assert answer == REFUSED


def test_error_if_there_is_no_shell(root):
    """> if the tool failed to spawn the process itself."""
    gate = make_gate(root, allow=EVERYTHING, shell=find_shell({"PATH": root}, root))
    answer = json.loads(RunShellCommandTool(lambda: gate).call('{"command": "true"}'))
    assert answer == REFUSED | {"error": "No bash on PATH outside the project root; install it, or fix PATH"}


def test_error_if_the_directory_went_away(shell, root):
    """> if the tool failed to spawn the process itself."""
    approver = ScriptedApprover()

    async def say_yes_too_late(question):
        os.rmdir(f"{root}/sub")
        return Approval(yes=True, by="terminal")

    approver.ask = say_yes_too_late
    answer = shell("true", allow=[], approver=approver, more={"directory": "sub"})
    assert answer == REFUSED | {"error": f"The directory is not there any more: {root}/sub"}


def test_pid(shell):
    """> pid: The process ID of the main command process."""
    answer = shell("echo $$")
    assert answer["stdout"] == f"{answer['pid']}\n"


@pytest.mark.parametrize(
    "command",
    [
        "sleep 600 & echo $!",
        "sleep 600 & echo $!; sleep 600 & echo $!; sleep 600 & echo $!",
        "sleep 600 > /dev/null 2>&1 & echo $!",
        "(sleep 600 & echo $!); nohup sleep 600 & echo $!",
        "set -m; sleep 600 & echo $!",
        "for n in 1 2; do sleep 600 & echo $!; disown; done",
        "sleep 600 & echo $!; exit 3",
        "sleep 600 & echo $!; kill -9 $$",
    ],
)
def test_background_pids(shell, command):
    """> backgroundPids: An array of process IDs for any background tasks spawned by the command."""
    answer = shell(command)
    for pid in answer["backgroundPids"]:
        os.kill(pid, signal.SIGKILL)
    assert sorted(answer["backgroundPids"]) == sorted(int(pid) for pid in answer["stdout"].split())
    assert answer["pid"] not in answer["backgroundPids"]


@pytest.mark.parametrize("command", ["true", "sleep 0 & wait", "echo a | cat"])
def test_no_background_pids(shell, command):
    """> An array of process IDs (an empty one where nothing was left running)."""
    assert shell(command)["backgroundPids"] == []


def test_the_shell_leads_a_session_of_its_own(shell):
    """No controlling terminal; standard input is empty."""
    ids = shell("echo $$; ps -o sid= -p $$; ps -o pgid= -p $$; ps -o tty= -p $$; cat")["stdout"].split()
    assert ids == [ids[0]] * 3 + ["?"]


# 5. Execution environment


def test_environment_variables_are_inherited(shell, monkeypatch):
    """> The executed command inherits the environment variables of the Gemini CLI process."""
    monkeypatch.setenv("KEPT", "kept")
    assert shell("echo $KEPT")["stdout"] == "kept\n"


def test_asimi_cli(shell):
    """> `ASIMI_CLI=1`: This variable is set."""
    assert shell("echo $ASIMI_CLI")["stdout"] == "1\n"


# 6. Security and execution control


def test_a_denied_command_fails(shell, root):
    """> Denylist (`excludeTools`): ... Any attempt to run a denied command will fail."""
    answer = shell("true && touch canary", deny=["run_shell_command(touch)"])
    assert "touch" in answer.pop("error")
    assert answer == REFUSED
    assert not os.path.exists(f"{root}/canary")


def test_an_allowed_command_runs(shell):
    """> Allowlist (`coreTools`): The user can configure a strict list of allowed commands."""
    assert shell("echo a", allow=["run_shell_command(echo)"])["stdout"] == "a\n"


def test_what_is_not_on_the_list_is_rejected_or_asked_about(shell):
    """> any command *not* on the list will be rejected or require confirmation."""
    approver = ScriptedApprover(True)
    assert shell("printf a", allow=["run_shell_command(echo)"], approver=approver)["stdout"] == "a"
    assert len(approver.questions) == 1
    rejected = shell("printf a", allow=["run_shell_command(echo)"], unlisted=Verdict.DENY)
    assert rejected["pid"] is None
    assert "run_shell_command(printf" in rejected["error"]


def test_if_the_user_denies_the_call_fails(shell):
    """> If the user denies the request, the tool call will fail."""
    answer = shell("printf a", allow=[], answers=[Approval(yes=False, by="terminal", note="use echo")])
    assert "use echo" in answer.pop("error")
    assert answer == REFUSED


def test_a_previous_approval_in_the_session_holds(root):
    """> not explicitly allowed by the configuration or a previous approval in the current session."""
    from asimi.testing import ListApprovals

    approver = ScriptedApprover()
    gate = make_gate(root, approver=approver, approvals=ListApprovals())

    async def say_yes_for_the_session(question):
        approver.questions.append(question)
        return Approval(yes=True, by="terminal", scope="session", rules=question.decision.offers[0].rules)

    approver.ask = say_yes_for_the_session
    tool = RunShellCommandTool(lambda: gate)
    for _ in range(3):
        assert json.loads(tool.call('{"command": "make it"}'))["exitCode"] == 0
    assert len(approver.questions) == 1


# 7. Key behaviors


def test_calls_are_independent(shell, root):
    """> Changes to the environment (like `cd` or setting a shell variable) in one call will **not** persist."""
    shell("cd /; export ZZ=1; ZY=2")
    assert shell('echo "[${ZZ-unset}${ZY-unset}]"; pwd')["stdout"] == f"[unsetunset]\n{root}\n"


@pytest.mark.parametrize(
    "command",
    ["touch canary; echo $(id)", "touch canary; cat <(id)", "touch canary; echo x > >(cat)", "touch canary; echo `id`"],
)
def test_substitution_is_disallowed(shell, root, command):
    """> command substitution patterns like `$(...)`, `<(...)`, `>(...)`, and backticks ... are **disallowed**."""
    answer = shell(command)
    assert "substitution" in answer.pop("error")
    assert answer == REFUSED
    assert not os.path.exists(f"{root}/canary")


def test_nobody_can_say_yes_to_a_substitution():
    """> will cause the tool call to fail before execution."""
    approver = ScriptedApprover(True)
    gate = make_gate(allow=EVERYTHING, approver=approver)
    answer = json.loads(RunShellCommandTool(lambda: gate).call('{"command": "echo $(id)"}'))
    assert answer["error"]
    assert approver.questions == []
    assert gate.executor.ran == []


# What the gate adds: one path, everything recorded


def test_execute_goes_through_the_same_gate():
    audit = RecordingAudit()
    gate = make_gate(allow=["run_shell_command(git)"], runs=lambda _: "clean\n", audit=audit)
    answer = asyncio.run(RunShellCommandTool(lambda: gate).execute(command="git status"))
    assert answer["stdout"] == "clean\n"
    assert [record.event for record in audit.records] == ["start", "end"]
    assert audit.records[0].result is None
    assert (audit.records[1].result.stdout.text, audit.records[1].result.exit_code) == ("clean\n", 0)
    refused = asyncio.run(RunShellCommandTool(lambda: gate).execute(command="rm x"))
    assert refused["pid"] is None
    assert audit.records[-1].event == "refusal"


def test_what_cannot_be_recorded_does_not_run():
    gate = make_gate(allow=EVERYTHING, audit=RecordingAudit(broken=True))
    answer = json.loads(RunShellCommandTool(lambda: gate).call('{"command": "true"}'))
    assert "log" in answer["error"]
    assert gate.executor.ran == []


def test_the_shell_of_this_machine_is_found_by_an_absolute_path(root):
    assert find_shell(os.environ, root).path == shutil.which("bash")


def test_a_bash_in_the_project_is_never_the_shell(root):
    os.makedirs(f"{root}/bin")
    os.symlink(shutil.which("bash"), f"{root}/bin/bash")
    environ = {"PATH": f"{root}/bin:relative:{os.environ['PATH']}"}
    assert find_shell(environ, root).path == shutil.which("bash")
    assert find_shell({"PATH": f"{root}/bin"}, root).path == ""
