"""Where something is short, the error says what, and nothing is lost that was promised."""

import asyncio
import contextlib
import errno
import os
import pathlib
import subprocess
import sys

import pytest
from helpers import MODULES, PYTHON, ROOT
from helpers.executors import HELD, Library, Program, eventually
from helpers.home import Home

from asimi.core.errors import SCARCE, fault_of, scarce

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits differ elsewhere")


def test_with_few_descriptors_calls_take_turns(tmp_path):
    program = Program(tmp_path / "state", tmp_path, before=("bash", "-c", 'ulimit -n 64; exec "$@"', "bash"))
    results = program.all(*(f"echo {number}; sleep .02" for number in range(30)))
    assert [result.stdout.text for result in results] == [f"{number}\n" for number in range(30)]
    assert program.end() == 0


@pytest.mark.parametrize("limit", range(6, 19, 2))
@pytest.mark.parametrize("words", [("run", "true"), ("exec", "true"), ("serve",)])
def test_with_hardly_any_descriptor_asimi_says_so_and_never_calls_it_a_bug(tmp_path, limit, words):
    done = limited(tmp_path, f"-n {limit}", words)
    assert done.returncode in {0, 125}
    said = done.stdout + done.stderr
    assert not {each for each in ("Traceback", "a bug", "failed in this call", "Exception ignored") if each in said}
    assert "ulimit -n" in said or '"error": null' in said or said == ""


def test_a_log_that_may_not_grow_says_which_limit_to_raise(tmp_path):
    assert "File too large), and asimi runs nothing it cannot log. Raise `ulimit -f`" in (
        limited(tmp_path, "-f 0", ("run", "true")).stderr
    )


def limited(tmp_path, limit, words):
    """What asimi says under a limit of `ulimit`.

    Python 3.11 may go round for ever where it finds no memory for an exception; 20 seconds of its own time end that.
    """
    home = Home(tmp_path, 'coreTools = ["run_shell_command", "execute_command"]\n')
    words = ["bash", "-c", f'ulimit -t 20; ulimit {limit}; exec "$@"', "bash", PYTHON, "-m", "asimi", *words]
    call = '{"command": "true"}\n'
    options = {"input": call, "capture_output": True, "text": True}
    return subprocess.run(words, check=False, cwd=home.root, env=home.environ, **options)


def test_where_there_is_no_memory_it_is_told_in_words(tmp_path):
    """Where exactly it runs out is chance, and with too little Python itself says something of its own."""
    limits = range(20_000, 32_000, 1_000)
    told = [limited(tmp_path / str(limit), f"-v {limit}", ["run", "touch ran"]) for limit in limits]
    failed = [done for done in told if done.returncode]
    assert all(done.stdout == "" for done in told)
    assert any("asimi: there is no memory left (`ulimit -v`)" in done.stderr for done in failed)
    for limit, done in zip(limits, told, strict=True):
        assert done.returncode or (tmp_path / str(limit) / "root/ran").exists()


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("array.so: failed to map segment from shared object"),
    ],
)
def test_whatever_error_tells_it_memory_has_run_out(error):
    assert scarce(error) == SCARCE[errno.ENOMEM]
    assert fault_of(error).code == "scarce"


def test_a_call_of_many_that_finds_no_memory_is_told_in_words():
    assert "memory" in fault_of(MemoryError()).message
    assert fault_of(MemoryError()).code == "scarce"


def test_where_no_thread_can_be_started_a_job_is_told_all_the_same(tmp_path):
    code = (
        "import sys, threading; from helpers.executors import Library\n"
        "threading.stack_size(1 << 45)\n"
        "print(len(Library(*sys.argv[1:])('sleep 9 &').background))"
    )
    words = [PYTHON, "-c", code, str(tmp_path / "state"), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | MODULES)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_with_a_job_each_too(tmp_path):
    program = Program(tmp_path / "state", tmp_path, before=("bash", "-c", 'ulimit -n 64; exec "$@"', "bash"))
    results = program.all(*["sleep 9 & echo ok"] * 10)
    assert [(result.stdout.text, len(result.background)) for result in results] == [("ok\n", 1)] * 10
    assert program.end() == 0


def test_without_any_descriptor_left_the_error_says_so(tmp_path):
    library = Library(tmp_path / "state", tmp_path)
    library("true")
    taken = []
    try:
        while True:
            taken.append(os.open("/dev/null", os.O_RDONLY))
            if len(taken) > 100_000:
                pytest.skip("there is no end of descriptors here")
    except OSError:
        for _ in range(4):  # what an event loop itself needs
            os.close(taken.pop())

        async def run():
            return await library.executor.run(library.execution("echo hi"))

        try:
            result = asyncio.run(run())
        finally:
            for descriptor in taken:
                os.close(descriptor)
    assert result.failure.kind == "scarce"
    assert "too many files are open" in result.failure.message
    assert library("echo hi").stdout.text == "hi\n"


def test_without_processes_left_the_error_says_so(tmp_path):
    python, other = runnable(tmp_path)
    before = ("bash", "-c", 'ulimit -u 1; exec "$@"', "bash")
    program = Program(tmp_path / "own/state", "/", before=before, python=python, **other)
    try:
        result = program("echo hi")
    except ValueError:
        pytest.skip("not even a thread may be started under this limit")
    finally:
        program.end()
    assert result.failure.kind == "scarce"
    assert "no more processes are allowed" in result.failure.message


def runnable(tmp_path):
    """A Python and a user whom the limit of processes holds: it does not hold root."""
    (tmp_path / "own").mkdir()
    if os.getuid():
        return sys.executable, {}
    os.chown(tmp_path / "own", 65534, 65534)
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    other = {"user": 65534, "group": 65534, "extra_groups": []}
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            code = "import sys; import asimi.core.call; sys.exit(sys.version_info < (3, 11))"
            asked = {"cwd": "/", "env": {"PYTHONPATH": str(ROOT)}, "capture_output": True, "check": False, **other}
            if subprocess.run([python, "-c", code], **asked).returncode == 0:  # noqa: PLW1510 - it is in `asked`
                return python, other
    pytest.skip("no other user can run this program")


def test_without_its_shell_the_failure_names_it(library):
    assert library(["/nowhere/bash", "-c", "true"]).failure.message == "Command not found: /nowhere/bash"


def test_where_the_state_directory_cannot_be_made_output_up_to_the_limit_is_kept(tmp_path):
    (tmp_path / "state").write_text("in the way")
    library = Library(tmp_path / "state", tmp_path)
    result = library("seq 1 1000000")
    assert (result.stdout.size, len(result.stdout.text), result.stdout.file) == (6_888_896, 6_888_896, None)
    result = library("seq 1 1000000", output_bytes=1000)
    assert result.stdout.text.endswith("999999\n1000000\n")
    assert "they are lost, because no file could be written" in result.stdout.text


def test_where_no_log_can_be_made_a_job_lives_on_and_is_listed(tmp_path):
    (tmp_path / "state").write_text("in the way")
    library = Library(tmp_path / "state", tmp_path)
    result = library(f"({HELD}; echo later; echo $? >status) & echo hi")
    assert (result.stdout.text, result.log) == ("hi\n", None)
    assert result.background != ()
    pathlib.Path(tmp_path, "go").touch()
    status = pathlib.Path(tmp_path, "status")
    assert eventually(lambda: status.exists() and status.read_text() == "0\n")


def test_what_is_left_running_and_cannot_be_written_down_is_said(tmp_path, probe):
    program = Program(tmp_path / "state", tmp_path, stderr=subprocess.PIPE)
    program("true")
    (tmp_path / "state" / "jobs").write_text("no directory")
    (pid,) = program(f"sleep {probe} & true").background
    assert program.end() == 0
    with program.process.stderr as stderr:
        said = stderr.read()
    assert "`asimi jobs` does not list what call" in said
    assert f"left running ({pid}): " in said
