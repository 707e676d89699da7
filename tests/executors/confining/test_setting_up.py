"""How a sandbox is set up: whatever fails on the way, nothing is started; and a start is one like any other."""

import os
import subprocess
import sys

import pytest
from helpers import MODULES
from helpers import PYTHON as OWN
from helpers.executors import Library
from helpers.filters import answer
from helpers.sandboxes import BACKENDS, WITHOUT, Yard, nobodys_python, skip

if sys.platform != "linux":
    pytest.skip("Landlock and seccomp are Linux's", allow_module_level=True)

from asimi.core.call import Sandbox
from asimi.world.executors.confining import seccomp, system
from asimi.world.executors.confining.ability import unkept

if system.landlock_version() < system.NEEDED:
    pytest.skip(f"this kernel has Landlock {system.landlock_version()}", allow_module_level=True)

STEPS = [
    ("landlock", "no_new_privs", 157, 38, 22),
    ("landlock", "capget", 125, -1, 1),
    ("landlock", "capset", 126, -1, 1),
    ("landlock", "Landlock", 444, -1, 38),
    ("landlock", "landlock_add_rule", 445, -1, 12),
    ("landlock", "landlock_restrict_self", 446, -1, 7),
    ("landlock", "seccomp", 317, -1, 38),
    ("landlock", "seccomp", 317, -1, 1),
    ("bubblewrap", "bubblewrap: ", 157, 38, 22),
    ("bubblewrap", "bubblewrap: ", 157, 22, 22),  # its filter
    ("bubblewrap", "bubblewrap: ", 165, -1, 1),  # mount
    ("bubblewrap", "pivot_root", 155, -1, 1),
    ("bubblewrap", "bubblewrap: ", 56, -1, 1),  # clone
    ("bubblewrap", "memfd_create", 319, -1, 38),
]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has capabilities to give up")
@pytest.mark.parametrize(("backend", "step", "number", "first", "code"), STEPS)
def test_a_step_that_fails_starts_nothing(backend, step, number, first, code):
    if fault := unkept(Sandbox("project", backend=backend)):
        skip(fault)
    yard = Yard((OWN, "-c", WITHOUT, str(number), str(first), str(code)), backend=backend)
    try:
        result = yard("touch made")
        assert result.failure.kind == "setup"
        assert result.failure.message.startswith("The sandbox cannot be set up: ")
        assert step in result.failure.message
        assert not (yard.root / "made").exists()
        assert backend == "bubblewrap" or yard.program("touch made").exit_code == 0  # asimi itself goes on
    finally:
        yard.end()


@pytest.fixture
def yard():
    """A project of its own for one test."""
    it = Yard()
    yield it
    it.end()


@pytest.mark.parametrize(
    ("writable", "why"),
    [
        ("nowhere", "No such file or directory"),
        ("file", "Not a directory"),
        ("link", "it leads to "),
        ("link/below", "it leads to "),
        ("..", "it holds what asimi keeps for itself"),
        ("/", "it holds what asimi keeps for itself"),
        ("../state", "it holds what asimi keeps for itself"),
    ],
)
def test_a_directory_that_is_not_what_it_says_is_refused(yard, writable, why):
    (yard.root / "file").touch()
    (yard.outside / "below").mkdir()
    (yard.root / "link").symlink_to(yard.outside)
    result = yard("touch made", sandbox={"writable": [writable]})
    assert result.failure.message.startswith("The sandbox cannot be set up: writable directory ")
    assert why in result.failure.message
    assert not (yard.root / "made").exists()


def test_a_person_s_own_link_elsewhere_is_followed(yard):
    (yard.outside / "link").symlink_to(yard.root / "src")
    assert yard("touch src/made", sandbox={"writable": [str(yard.outside / "link")]}).exit_code == 0


@pytest.mark.parametrize("by", ["itself", "a person's own link"])
def test_a_link_that_a_command_could_have_made_is_not_followed(yard, by):
    """Also where the path is written in full, as one below another writable directory can be."""
    (yard.root / "build").mkdir()
    (yard.top / "state" / "own").symlink_to(yard.root / "build")
    written = yard.root / "build" if by == "itself" else yard.top / "state" / "own"
    sandbox = {"writable": [".", str(written)], "backend": "landlock"}
    assert yard("touch build/made; rm build/made; rmdir build; ln -s ../outside build", sandbox=sandbox).exit_code == 0
    result = yard("echo x > build/kept", sandbox=sandbox)
    assert "a command could have made" in result.failure.message
    assert yard.untouched()


def test_a_link_in_the_place_of_the_temporary_directory_is_refused(yard):
    path = yard('echo "$TMPDIR"').stdout.text.strip()
    os.rmdir(path)
    os.symlink(yard.outside, path)
    assert "symbolic link" in yard("touch made").failure.message


@pytest.mark.parametrize(
    "command",
    [
        ["nosuchcmd_zz"],
        ["./nosuch"],
        ["src"],
        ["./src"],
        ["./text"],
        ["./bare"],
        ["./nointerpreter"],
        ["bare/x"],
        ["true", "x" * 200_000],
        ["true", "nul\0byte"],
        ["", "x"],
        ["own"],
        "exit 7",
        "kill -9 $$",
        "trap '' TERM; trap",
    ],
    ids=lambda command: str(command)[:20],
)
@pytest.mark.parametrize("path", [os.defpath, "/nowhere::src:/bin/true:" + os.defpath])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_start_ends_as_it_does_without_a_sandbox(tmp_path, command, path, backend):
    if fault := unkept(Sandbox("read-only", backend=backend)):
        skip(fault)
    if backend == "bubblewrap" and command in (["./bare"], "kill -9 $$"):
        return  # it has a shell run what has no #!, as shells do, and tells a signal as they do: 128 and its number
    for name, text, mode in (("text", "x", 0o644), ("bare", "echo x", 0o755), ("nointerpreter", "#!/nosuch\n", 0o755)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "own").write_text("#!/bin/sh\necho own $0 $PWD\n")
    (tmp_path / "src" / "own").chmod(0o755)
    library = Library(tmp_path / "state", tmp_path)
    elsewhere = {"sandbox": {"mode": "read-only", "backend": backend}}
    plain, held = (library(command, environment={"PATH": path}, **which) for which in ({}, elsewhere))
    same = {"pid": 0, "seconds": 0.0}
    assert held._replace(**same) == plain._replace(**same)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_program_gets_three_descriptors_and_no_other(tmp_path, backend):
    if fault := unkept(Sandbox("read-only", backend=backend)):
        skip(fault)
    with open(tmp_path / "secret", "w") as file:
        os.set_inheritable(file.fileno(), True)
        library = Library(tmp_path / "state", tmp_path)
        sandbox = {"mode": "read-only", "backend": backend}
        assert library("ls /proc/self/fd", sandbox=sandbox).stdout.text == "0\n1\n2\n3\n"


@pytest.mark.parametrize("missing", [(0,), (1,), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_start_where_asimi_itself_has_no_standard_streams(tmp_path, missing, backend):
    if fault := unkept(Sandbox("read-only", backend=backend)):
        skip(fault)
    code = (
        f"import os; [os.close(each) for each in {missing}]\n"
        "from helpers.executors import Library; import sys\n"
        "sandbox = {'mode': 'read-only', 'backend': sys.argv[4]}\n"
        "result = Library(*sys.argv[1:3])('echo out; echo err >&2; cat', sandbox=sandbox)\n"
        "open(sys.argv[3], 'w').write(result.stdout.text + result.stderr.text)"
    )
    words = [OWN, "-c", code, str(tmp_path / "state"), str(tmp_path), str(tmp_path / "said"), backend]
    subprocess.run(words, check=True, env=os.environ | MODULES)
    assert (tmp_path / "said").read_text() == "out\nerr\n"


def test_signals_that_asimi_ignores_are_not_ignored_inside(tmp_path):
    yard = Yard(("bash", "-c", "trap '' HUP TERM INT; exec \"$@\"", "bash"))
    try:
        ignored = yard("grep -E 'Sig(Ign|Blk)' /proc/self/status").stdout.text.split()[1::2]
        assert [int(mask, 16) for mask in ignored] == [0, 0]
    finally:
        yard.end()


@pytest.mark.skipif(not nobodys_python(), reason="only root can become somebody else, who must have a Python to start")
def test_a_project_that_is_not_ours_can_be_read_and_no_more(tmp_path):
    yard = Yard(nobody=True)
    try:
        os.chown(yard.root, 0, 0)
        yard.root.chmod(0o755)
        assert yard("cat ../outside/kept; touch new").exit_code == 1
    finally:
        os.chown(yard.root, 65534, 65534)
        yard.end()


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_bounds_are_read_and_not_set(machine, bounded, alone):
    numbers = seccomp.MACHINES[machine]
    program = seccomp.filter_of(numbers, network=False, sockets=False, bounded=bounded, alone=alone)

    def refuses(number, *arguments):
        return answer(program, numbers.architecture, number, *arguments) == 0x50001

    addresses = (0, 1, 1 << 32, 0x7FFF_0000_0000)
    for limit, held in ((1, bounded), (6, bounded), (7, False)):
        assert refuses(numbers.setrlimit, limit, 1) == held
        assert [refuses(numbers.prlimit64, 0, limit, each) for each in addresses] == [False, *[held] * 3]
        others = [refuses(numbers.prlimit64, 4711, limit, each) for each in addresses]
        assert others == [False, *[held or not alone] * 3]


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize("network", [True, False])
@pytest.mark.parametrize("sockets", [True, False])
def test_the_filter_of_each_machine(machine, network, sockets):
    numbers = seccomp.MACHINES[machine]
    program = seccomp.filter_of(numbers, network=network, sockets=sockets)
    free, no = 0x7FFF0000, 0x50001

    def says(number, *arguments):
        return answer(program, numbers.architecture, number, *arguments)

    assert {says(number) for number in range(500)} >= {free, no}
    assert says(numbers.io_uring_setup) == says(numbers.open_by_handle_at, 3) == no
    assert [says(numbers.ioctl, 0, each) for each in (0x5412, 0x541C, 0x5413)] == [no, no, free]
    assert [says(numbers.socket, family) == free for family in (1, 2, 10, 16)] == [sockets, *[network] * 3]
    for kind, held in ((1, False), (5, False), (2, True), (3, True), (2 | 0x80000, True), (1 | 0x80800, False)):
        assert (says(numbers.socketpair, 1, kind) == free) == (sockets or not held)
    assert (says(numbers.socketpair, 30, 1) == free) == network
    own = seccomp.filter_of(numbers, network=network, sockets=sockets, own=True)
    made = [answer(own, numbers.architecture, numbers.socket, each) == free for each in (1, 2, 10, 16, 17, 30, 38, 40)]
    assert made == [sockets, True, True, True, *[False] * 4]
    others = {each.architecture for each in seccomp.MACHINES.values()} - {numbers.architecture} | {0x40000003}
    assert {answer(program, other, 0) for other in others} == {0x80000000}
    if machine == "x86_64":
        assert says(0x40000000 | numbers.socket, 2) == 0x50000 | 38
