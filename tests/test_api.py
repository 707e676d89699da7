"""The public names: those that are listed are there, and nothing else is."""

from __future__ import annotations

import asyncio
import copy
import pickle
import re
import subprocess
import sys

import pytest
from helpers.home import Home

import asimi
import asimi.testing
import asimi.tools
from asimi.testing import make_gate

NAMES = [
    "AITool", "Answer", "Approver", "AsimiError", "ConfigError", "Decision", "ExecuteCommandTool", "Gate", "Proposal",
    "Question", "Refusal", "Request", "Result", "RunShellCommandTool", "ShellSyntaxError", "ToolCall", "ToolRegistry",
    "Verdict", "__version__", "check", "execute", "open_gate", "run",
]  # fmt: skip


def test_the_public_names():
    assert sorted(asimi.__all__) == sorted(NAMES)
    assert dir(asimi) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_there_and_explains_itself(name):
    thing = getattr(asimi, name)
    assert thing.__doc__


def _called(command):
    return asyncio.run(asimi.RunShellCommandTool().execute(command=command))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        asimi.nonsense  # noqa: B018 - looking is the test


def test_the_names_of_the_tools():
    assert sorted(asimi.tools.__all__) == [
        "AITool", "CommandTool", "ExecuteCommandTool", "RunShellCommandTool", "ToolRegistry", "command_tool",
        "tool_registry",
    ]  # fmt: skip


def test_importing_the_face_loads_nothing_else():
    code = "import sys, asimi; print(sorted(name for name in sys.modules if name.startswith('asimi')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['asimi']\n"


def test_run_returns_what_the_tool_returns():
    gate = make_gate(allow=["run_shell_command(git)"], runs=lambda _: "clean\n")
    assert asimi.run("git status", gate=gate)["stdout"] == "clean\n"
    assert asimi.run("rm x", gate=gate)["error"]


@pytest.mark.parametrize("calls", [lambda: asimi.run("true"), lambda: asimi.execute("true"), lambda: _called("true")])
def test_a_directory_that_is_gone_is_a_result(tmp_path, monkeypatch, calls):
    monkeypatch.setattr("asimi.compose.gate._default", [])
    monkeypatch.delenv("ASIMI_ROOT", raising=False)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = calls()
    assert "is gone" in (result.get("error") or result["stderr"])


def test_no_room_for_a_thread_is_a_result(monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    async def inside_a_loop():
        return asimi.run("git status", gate=make_gate(allow=["run_shell_command(git)"]))

    monkeypatch.setattr("threading.Thread.start", start)
    assert "ulimit -u" in asyncio.run(inside_a_loop())["error"]


def test_execute_returns_what_the_tool_returns():
    gate = make_gate(allow=["execute_command(git)"], runs=lambda execution: " ".join(execution.argv))
    assert asimi.execute("git", "status", cwd="sub", timeout=5, gate=gate)["stdout"] == "git status"
    assert [execution.directory for execution in gate.executor.ran] == ["/project/sub"]
    assert [execution.limits.timeout for execution in gate.executor.ran] == [5.0]


@pytest.mark.parametrize(("more", "agent"), [({}, "library"), ({"agent": "smolagents"}, "smolagents")])
def test_a_call_names_its_agent(more, agent):
    gate = make_gate(allow=["run_shell_command(git)", "execute_command(git)"])
    asimi.run("git status", gate=gate, **more)
    asimi.execute("git", "status", gate=gate, **more)
    assert [each.call.agent for each in gate.audit.records] == [agent] * 4


def test_run_works_inside_of_an_event_loop():
    gate = make_gate(allow=["run_shell_command"], runs=lambda _: "ok")

    async def inside():
        return asimi.run("anything", gate=gate)

    assert asyncio.run(inside())["stdout"] == "ok"


def test_check_decides_and_runs_nothing():
    gate = make_gate(allow=["run_shell_command(git)"], deny=["run_shell_command(rm)"])
    assert asimi.check("git status", gate=gate).verdict is asimi.Verdict.ALLOW
    assert asimi.check("git status; rm x", gate=gate).verdict is asimi.Verdict.DENY
    assert asimi.check("make", gate=gate).verdict is asimi.Verdict.ASK
    assert gate.executor.ran == []


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_what_a_host_holds_can_be_copied(again):
    call = asimi.ToolCall("run_shell_command", {"command": "git push"}, "1", "host")
    decision = asimi.check("cd sub; git push", gate=make_gate())
    for value in (call, decision, decision.reasons[0]):
        assert (again(value), type(again(value))) == (value, type(value))


@pytest.mark.parametrize("command", ["git status", "rm x", "make"])
def test_a_decision_is_neither_true_nor_false(command):
    decision = asimi.check(command, gate=make_gate(allow=["run_shell_command(git)"], deny=["run_shell_command(rm)"]))
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(decision)
    with pytest.raises(TypeError, match="neither true nor false"):
        assert not decision


def test_a_verdict_prints_as_its_word():
    verdicts = list(asimi.Verdict)
    assert [str(each) for each in verdicts] == ["allow", "ask", "deny"]
    assert [f"{each:>6}" for each in verdicts] == [" allow", "   ask", "  deny"]
    assert "%s" % max(verdicts) == "deny"  # noqa: UP031 - that is what is tried


def test_a_path_is_a_root_and_a_configuration(tmp_path):
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)"]')
    program = f"""
import asimi, pathlib
gate = asimi.open_gate(pathlib.Path({str(home.root)!r}), config=pathlib.Path({str(home.config)!r}))
print(asimi.run("echo hi", gate=gate)["stdout"], asimi.check("cat x", gate=gate).verdict)
"""
    done = subprocess.run([sys.executable, "-c", program], env=home.environ, capture_output=True, text=True, check=True)
    assert done.stdout == "hi\n ask\n"


@pytest.mark.parametrize(("text", "why"), [("x =", "is not valid TOML"), (None, "there is no such file")])
def test_a_broken_configuration_is_told_when_the_gate_is_opened(tmp_path, text, why):
    file = tmp_path / "broken.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(asimi.ConfigError, match=why):
        asimi.open_gate(tmp_path, config=file)


def test_a_listener_hears_the_output():
    heard = []
    gate = make_gate(allow=["run_shell_command"], runs=lambda _: "out")
    asimi.run("x", gate=gate, listener=lambda stream, data: heard.append((stream, data)))
    assert heard == [("stdout", b"out")]


CALLS = """
import asyncio, json, os, resource, signal
import asimi

def results():
    tool = asimi.RunShellCommandTool()
    yield lambda: asimi.run("true")
    yield lambda: asimi.execute("true")
    yield lambda: json.loads(tool.call('{"command": "true"}'))
    yield lambda: asyncio.run(tool.execute(command="true"))

def show():
    for call in results():
        result = call()
        print(repr(result.get("error") or result["stderr"]))
"""
FAULTS = {
    "a root that is missing": ("os.environ['ASIMI_ROOT'] = '/nowhere'; show()", "'/nowhere' is not a directory"),
    "a root that is gone": ("os.mkdir('a'); os.chdir('a'); os.rmdir('../a'); show()", "is gone"),
    "a root that went away": ("os.mkdir('a'); os.chdir('a'); asimi.run('true'); os.rmdir('../a'); show()", "not exist"),
    "a configuration that is no file": ("os.remove(config); os.mkdir(config); show()", "is not a regular file"),
    "a configuration that is no text": ("open(config, 'wb').write(b'\\xff'); show()", "is not UTF-8"),
    "a configuration that broke": ("asimi.run('true'); open(config, 'w').write('x ='); show()", "is not valid TOML"),
    "no bash, no program": ("os.environ['PATH'] = '/nowhere'; show()", "No bash on PATH|Command not found: true"),
    "a state that is no directory": ("open(os.environ['XDG_STATE_HOME'], 'w'); show()", "The log cannot be written"),
    "a full disk": (
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); show()",
        "The log cannot be written .*File too large",
    ),
}


@pytest.fixture
def told(tmp_path):
    """What a program that uses the library prints."""
    home = Home(tmp_path, 'coreTools = ["run_shell_command", "execute_command"]')

    def run(program):
        words = [sys.executable, "-c", f"{CALLS}\nconfig = {str(home.config)!r}\n{program}"]
        done = subprocess.run(words, cwd=home.root, env=home.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "never awaited" not in done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits of resources")
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_call_is_a_result(told, fault):
    program, words = FAULTS[fault]
    said = told(program)
    assert len(said) == 4
    assert all(re.search(words, each) for each in said), said


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits of resources")
@pytest.mark.parametrize("before", ["", "asimi.run('true'); "])
def test_no_descriptor_left_is_a_result(told, before):
    limit = "resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)); "
    calls = "print(asimi.run('true')['error']); print(asimi.execute('true')['stderr'])"
    said = told(f"import asimi.compose, asimi.tools.waiting, asimi.doors.library; {before}{limit}{calls}")
    assert len(said) == 2
    assert all("too many files are open" in each for each in said), said


def test_a_call_while_the_program_ends_is_a_result(told):
    program = """
import atexit

async def inside():
    print(asimi.run("true")["error"])

atexit.register(lambda: asyncio.run(inside()))
"""
    (said,) = told(program)
    assert said.startswith(("Not started", "None"))
