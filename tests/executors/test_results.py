"""What a command does is what the result says."""

import pathlib
import re
import sys
import threading

import pytest
from helpers.executors import Library, Program, sleeping
from helpers.trials import FACTS

LINUX = sys.platform == "linux"


@pytest.mark.parametrize(("command", "code", "signal", "stdout", "stderr"), FACTS, ids=[fact[0] for fact in FACTS])
def test_a_result_says_what_happened(library, command, code, signal, stdout, stderr):
    result = library(command)
    assert (result.exit_code, result.signal, result.stdout.text, result.stderr.text) == (code, signal, stdout, stderr)
    assert result.failure is None
    assert result.background == ()
    assert result.log is None
    assert not result.timed_out


def test_the_process_is_the_shell_and_leads_a_session(run):
    result = run("echo $$; ps -o sid= -p $$; ps -o pgid= -p $$")
    assert [int(word) for word in result.stdout.text.split()] == [result.pid] * 3


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_no_descriptor_but_three_reaches_a_command(run):
    assert run("ls /proc/self/fd").stdout.text.split() == ["0", "1", "2", "3"]


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_a_call_is_marked_in_its_limits_and_we_are_not(library):
    before = pathlib.Path("/proc/self/limits").read_text()
    result = library("cat /proc/self/limits")
    marks = [line for line in result.stdout.text.splitlines() if line.startswith("Max file locks")]
    assert marks[0].split()[3] != "unlimited"
    assert pathlib.Path("/proc/self/limits").read_text() == before


IGNORED = 'trap "" HUP INT QUIT TERM USR1 TSTP; exec "$@"'


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
@pytest.mark.parametrize("adopt", [True, False])
def test_signals_are_at_their_defaults_although_asimi_was_started_with_them_ignored(tmp_path, adopt):
    program = Program(tmp_path / "state", tmp_path, adopt=adopt, before=("bash", "-c", IGNORED, "bash"))
    result = program("grep -E '^Sig(Ign|Blk)' /proc/self/status")
    own = pathlib.Path(f"/proc/{program.pid}/status").read_text().partition("SigIgn:")[2].split()[0]
    program.end()
    assert int(own, 16) & 1
    assert [int(line.split()[1], 16) & 0x7FFFFFFF for line in result.stdout.text.splitlines()] == [0, 0]


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_a_program_started_without_the_ends_of_its_children_gets_exit_codes_all_the_same(tmp_path):
    program = Program(tmp_path / "state", tmp_path, before=("bash", "-c", 'trap "" CHLD; exec "$@"', "bash"))
    result = program("exit 7")
    program.end()
    assert result.exit_code == 7


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_a_command_gets_the_limit_of_open_files_that_asimi_was_started_with(tmp_path):
    program = Program(tmp_path / "state", tmp_path, before=("bash", "-c", 'ulimit -S -n 321; exec "$@"', "bash"))
    result = program("sleep .05; ulimit -S -n")
    program.end()
    assert result.stdout.text == "321\n"


@pytest.mark.skipif(not LINUX, reason="looks into /proc")
def test_a_command_has_its_limit_from_its_first_moment(tmp_path):
    program = Program(tmp_path / "state", tmp_path, before=("bash", "-c", 'ulimit -S -n 321; exec "$@"', "bash"))
    results = [program(["cat", "/proc/self/limits"]) for _ in range(20)]
    results += program.all(*[["cat", "/proc/self/limits"]] * 20)
    program.end()
    limits = {re.search(r"Max open files +([0-9]+)", result.stdout.text)[1] for result in results}
    assert limits == {"321"}


FAILURES = [
    # what is started, the kind, the beginning of the words
    (["nosuchcmd_zz"], "not_found", "Command not found: nosuchcmd_zz"),
    (["echo hi"], "not_found", "Command not found: echo hi"),
    (["/nowhere/at/all"], "not_found", "Command not found: /nowhere/at/all"),
    (["./plain"], "permission", "Permission denied: ./plain"),
    (["/usr"], "permission", "Permission denied: /usr"),
    (["./lost"], "not_found", "Command not found: ./lost (it is there; the interpreter"),
    (["./noshebang"], "other", "./noshebang is not a program"),
    (["true", "x" * 200_000], "other", "The arguments of true are longer"),
    (["true", "a\0b"], "other", "The command cannot be handed to a program"),
    (["true", "\ud800"], "other", "The command cannot be handed to a program"),
]


@pytest.mark.parametrize(("command", "kind", "words"), FAILURES, ids=[row[0][0] + row[2][-6:] for row in FAILURES])
def test_what_cannot_be_started_says_why(library, tmp_path, command, kind, words):
    files = ("plain", "x", 0o644), ("lost", "#!/nowhere/sh\n", 0o755), ("noshebang", "echo hi\n", 0o755)
    for name, text, mode in files:
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    result = library(command)
    assert result.failure is not None
    assert result.failure.kind == kind
    assert result.failure.message.startswith(words)
    assert (result.pid, result.exit_code, result.signal, result.stdout.text) == (None, None, None, "")


def test_a_program_is_looked_up_on_the_path_of_its_own_environment(library, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mine").write_text("#!/bin/sh\necho found\n")
    (tmp_path / "bin" / "mine").chmod(0o755)
    assert library(["mine"], environment={"PATH": f"{tmp_path}/bin:/bin"}).stdout.text == "found\n"
    assert library(["mine"]).failure.kind == "not_found"


def test_a_directory_that_is_gone_is_not_mistaken_for_the_program(tmp_path):
    library = Library(tmp_path / "state", tmp_path / "gone")
    assert library("true").failure.message == f"The directory is not there any more: {tmp_path}/gone"


def test_output_is_heard_as_it_comes_whatever_the_listener_returns(library):
    heard = []

    def listener(name, data):
        heard.append((name, data))
        return len(data)

    result = library("echo a; sleep .3; echo b >&2", listener=listener)
    assert heard == [("stdout", b"a\n"), ("stderr", b"b\n")]
    assert (result.stdout.text, result.stderr.text) == ("a\n", "b\n")


def test_a_listener_that_fails_ends_the_command_and_its_error_is_raised(library, probe):
    def broken(_name, _data):
        raise BrokenPipeError("nobody reads")

    with pytest.raises(BrokenPipeError):
        library(f"echo a; sleep {probe}", listener=broken)
    assert sleeping(probe) == []


def test_commands_run_from_any_thread(library):
    results = []
    threads = [threading.Thread(target=lambda: results.append(library("echo a; sleep .1; exit 4"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(result.exit_code, result.stdout.text) for result in results] == [(4, "a\n")] * 8


def test_outputs_of_calls_side_by_side_stay_apart(run):
    results = run.all(*(f"echo {number}; sleep .1; echo {number} >&2; exit {number}" for number in range(50)))
    assert [result.stdout.text for result in results] == [f"{number}\n" for number in range(50)]
    assert [result.stderr.text for result in results] == [f"{number}\n" for number in range(50)]
    assert [result.exit_code for result in results] == list(range(50))
