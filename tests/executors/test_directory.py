"""A command enters the directory that was judged and no other, whatever becomes of its names meanwhile."""

import asyncio
import ctypes
import os
import subprocess
import sys

import pytest
from helpers.executors import Library

from asimi.core.call import Result, ToolCall
from asimi.core.errors import Refusal
from asimi.testing import ScriptedApprover, make_gate
from asimi.tools.execute_command import ExecuteCommandTool
from asimi.tools.run_shell_command import RunShellCommandTool
from asimi.world.executors.local import LocalExecutor
from asimi.world.executors.spawning import is_other_name
from asimi.world.host.workspace import Workspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc where a descriptor leads")

EXCHANGE = 2  # RENAME_EXCHANGE, renameat2(2)
FLIPPER = """
import ctypes, sys
rename, names = ctypes.CDLL(None).renameat2, [name.encode() for name in sys.argv[1:]]
print(rename(-100, names[0], -100, names[1], 2), flush=True)
while True:
    rename(-100, names[0], -100, names[1], 2)
"""


@pytest.fixture
def places(tmp_path):
    """A root with a directory and a link to the outside; the root has a link beside it, too."""
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "outside" / "sub").mkdir(parents=True)
    (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "beside").symlink_to(tmp_path / "outside")
    (tmp_path / "root" / "sub" / "where").write_text("inside")
    for outside in (tmp_path / "outside", tmp_path / "outside" / "sub"):
        (outside / "where").write_text("outside")
    return tmp_path


def exchange(one, other):
    """Let two names change places at one stroke."""
    assert ctypes.CDLL(None).renameat2(-100, os.fsencode(one), -100, os.fsencode(other), EXCHANGE) == 0


def real_gate(places, **parts):
    """A gate that really runs commands, below the root."""
    workspace = Workspace(str(places / "root"))
    environ = {"PATH": os.environ["PATH"]}
    executor = LocalExecutor(str(places / "state"))
    return make_gate(workspace=workspace, executor=executor, environ=environ, **parts)


CALLS = [
    ("run_shell_command", {"command": "cat where", "directory": "sub"}, RunShellCommandTool()),
    ("execute_command", {"command": "cat", "args": ["where"], "cwd": "sub"}, ExecuteCommandTool()),
]


@pytest.mark.parametrize(("name", "arguments", "tool"), CALLS)
def test_a_directory_that_became_a_link_while_the_person_thought_is_not_entered(places, name, arguments, tool):
    root = places / "root"

    class Slow(ScriptedApprover):
        async def ask(self, question):
            exchange(root / "sub", root / "link")
            return await super().ask(question)

    gate = real_gate(places, approver=Slow(True))
    result = asyncio.run(gate.run(ToolCall(name, arguments, None, "test"), tool))
    words = f"The directory was replaced, so nothing was started: {root}/sub now leads to {places}/outside"
    assert (result.failure.kind, result.failure.message, result.stdout.text) == ("other", words, "")


@pytest.mark.parametrize("names", [("root/sub", "root/link"), ("root", "beside")])
@pytest.mark.parametrize(("name", "arguments", "tool"), CALLS)
def test_whatever_somebody_does_to_its_names_a_command_runs_inside_or_not_at_all(places, names, name, arguments, tool):
    gate = real_gate(places, allow=["run_shell_command", "execute_command"])
    words = [sys.executable, "-c", FLIPPER, *(str(places / each) for each in names)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as flipper:
        try:
            assert flipper.stdout.readline() == b"0\n"
            ended = [asyncio.run(gate.run(ToolCall(name, arguments, None, "test"), tool)) for _ in range(60)]
        finally:
            flipper.kill()
    ran = [result for result in ended if isinstance(result, Result) and result.failure is None]
    assert {result.stdout.text for result in ran} <= {"inside"}
    refused = [result for result in ended if result not in ran]
    assert all(isinstance(result, Refusal) or "directory" in result.failure.message for result in refused)


def test_the_shell_shows_the_real_path_of_where_it_is(places):
    library = Library(places / "state", places / "root" / "sub")
    where = f"{places}/root/sub"
    environment = {"PATH": os.environ["PATH"]}
    assert library("pwd; echo $PWD; pwd -P", environment=environment).stdout.text == f"{where}\n" * 3
    assert library("pwd; ls /proc/self/fd | wc -l").stdout.text == f"{where}\n4\n"


@pytest.mark.parametrize("missing", [(0,), (1,), (0, 1, 2)])
def test_a_directory_is_entered_also_where_asimi_itself_has_no_standard_streams(places, missing, tmp_path):
    code = (
        f"import os; [os.close(each) for each in {missing}]\n"
        "from helpers.executors import Library; import sys\n"
        "result = Library(*sys.argv[1:3])('pwd'); open(sys.argv[3], 'w').write(result.stdout.text)"
    )
    said = tmp_path / "said"
    words = [sys.executable, "-c", code, str(places / "state"), str(places / "root"), str(said)]
    path = os.pathsep.join(map(str, sys.path))
    subprocess.run(words, check=True, env=os.environ | {"PYTHONPATH": path}, capture_output=True)
    assert said.read_text() == f"{places}/root\n"


def test_a_shell_that_is_reached_through_a_link_goes_up_from_the_real_directory(places):
    (places / "link").symlink_to(places / "root" / "sub")
    library = Library(places / "state", places / "root" / "sub")
    environment = {"PATH": os.environ["PATH"], "PWD": f"{places}/link"}
    assert library("pwd; cd ..; pwd", environment=environment).stdout.text == f"{places}/root/sub\n{places}/root\n"


def test_a_path_is_another_name_of_a_directory_only_if_it_leads_there(places):
    (places / "link").symlink_to(places / "root" / "sub")
    directory = f"{places}/root/sub"
    assert is_other_name(f"{places}/link", directory)
    for path in (directory, str(places), f"{places}/gone", "", "\0"):
        assert not is_other_name(path, directory), path
