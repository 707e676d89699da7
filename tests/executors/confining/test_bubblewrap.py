"""What bubblewrap keeps beyond Landlock: hidden and protected files; every escape is looked for on the host."""

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from helpers import MODULES, ROOT
from helpers import PYTHON as PYTHON_OF_OURS
from helpers.executors import HELD, Library, Program, eventually, sleeping
from helpers.sandboxes import USERS, Yard, nobodys_python, skip, yard_of

if sys.platform != "linux":
    pytest.skip("bubblewrap is Linux's", allow_module_level=True)

from asimi.core.call import Sandbox, Verdict
from asimi.core.judging.rules import rule_of
from asimi.world.executors.confining import ability, bubblewrap, seccomp, system
from asimi.world.executors.confining.system import KEPT

if fault := ability.lacking_bubblewrap():
    skip(fault)

PYTHON = shutil.which("python3", path=os.defpath) or sys.executable
"""One that every user may execute."""


@pytest.fixture(params=USERS, scope="module")
def yard(request):
    """A project, as each kind of user."""
    it = yard_of(request.param, "bubblewrap")
    (it.root / ".git" / "config").write_text("[core]\n")
    (it.root / "conf").mkdir()
    (it.root / "conf" / "key").write_text("geheim")
    (it.root / "link").symlink_to("conf")
    (it.outside.parent / "keys").mkdir()
    (it.outside.parent / "keys" / "one").write_text("geheim")
    if request.param == "nobody":
        subprocess.run(["chown", "-R", "-h", "nobody", it.top], check=True)
    yield it
    it.end()


GUARDED = {
    "hidden": ["conf/key", "../keys", "~/nothing"],
    "protected": [".git/hooks", ".git/config", ".husky", "a/b/c"],
}


def inside(yard, command, **sandbox):
    """Run it with what is hidden and protected."""
    return yard(command, sandbox=GUARDED | sandbox)


def tree(path):
    """Everything below a directory: names, kinds and contents."""
    return {
        str(each.relative_to(path)): each.read_text() if each.is_file() else stat.S_IFMT(each.lstat().st_mode)
        for each in sorted(path.rglob("*"))
    }


WORKS = [
    ("echo a > new && cat new && rm new", "a\n"),
    ("cat conf/key ../keys/one 2>&1 | grep -c -e denied -e such", "2\n"),
    ("ls -A ../keys", ""),
    ("echo x > conf/other && cat conf/other && rm conf/other", "x\n"),
    ("cat .git/config; ls .git/hooks", "[core]\n"),
    ("touch .git/index && rm .git/index && echo index", "index\n"),
    ("ls -A /tmp; echo t > /tmp/t && cat /tmp/t", "t\n"),
    ('test "$(mktemp -p "$TMPDIR")" && echo yes', "yes\n"),
    ("cd src && pwd -P | grep -c /project/src", "1\n"),
    ("find . -user $(id -u) -path ./.git/config", "./.git/config\n"),
    ("git init -q src/r && git -C src/r status --short && rm -r src/r && echo git", "git\n"),
    ("git status --short | grep -c -e husky -e '^?? a/'; git status > /dev/null; echo $?", "0\n128\n"),
]


@pytest.mark.parametrize(("command", "output"), WORKS)
def test_what_is_neither_hidden_nor_protected_goes_on_as_ever(yard, command, output):
    result = inside(yard, command)
    assert (result.stdout.text, result.failure) == (output, None), result.stderr.text


LET_GO = """
import ctypes, os
libc, project = ctypes.CDLL(None), os.open('.', os.O_DIRECTORY)
libc.mount(b't', b'/mnt', b'tmpfs', 0, None); os.chdir('/mnt'); os.mkdir('old')
libc.syscall(155, b'.', b'old'); libc.umount2(b'/old', 2)
os.rename('.git', '.git2', src_dir_fd=project, dst_dir_fd=project)
"""
"""Into a root of its own, the old one let go: nothing lies on `.git` any more. The prototypes did not see this one."""

ESCAPES = [
    "echo x > .git/hooks/pre-commit",
    "mv .git .git2; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
    "rm -rf .git; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
    "mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
    "git config core.fsmonitor ./evil; git config core.hooksPath src; echo x >> .git/config",
    "mv .git/config .git/c; echo x > .git/config; ln -sf ../src .git/config",
    "ln .git/config c && echo x >> c; rm -f c",
    "mkdir .husky; echo x > .husky/pre-commit; rmdir .husky; mv .husky h; ln -s src .husky; ln -sfn src .husky",
    "mv src .husky; mkdir src",
    "mkdir -p a/b; echo x > a/b/c; rmdir a; mv a b; touch a/x",
    "mount -o remount,rw,bind .git/hooks; echo x > .git/hooks/pre-commit",
    "mount -o remount,rw,bind /; mount -o remount,rw /; echo x > ../outside/new",
    "umount .git/hooks; umount -l .git; umount ../keys; cat ../keys/one > stolen",
    "umount conf/key; cat conf/key > stolen",
    "unshare -Urm sh -c 'umount -l .git; umount .git/hooks; echo x > .git/hooks/pre-commit; mv .git .git2'",
    "unshare -Urm sh -c 'umount ../keys; mount -o remount,rw,bind /; cat ../keys/one > stolen; touch ../outside/new'",
    "unshare -Urm mount --bind . ../outside; unshare -Urm mount --bind .git src",
    f'unshare -Urm {PYTHON} -c "{LET_GO}"; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
    "bwrap --bind / / --dev-bind /dev /dev sh -c 'cat ../keys/one > stolen; mv .git .git2; echo x > ../outside/new'",
    "bwrap --bind . /mnt mv /mnt/.git /mnt/.git2",
    "cat conf/key link/key > stolen; cp conf/key stolen; ln conf/key stolen; mv conf/key stolen; cat -- stolen",
    "mv conf conf2; cat conf2/key > stolen",
    "mv ../keys k; ln ../keys/one stolen; cat /proc/1/root/$PWD/../keys/one > stolen",
    "for each in /proc/[0-9]*; do cat $each/root/$PWD/conf/key >> stolen; done",
    "tar cf - conf | grep -a geheim > stolen",
    "kill -9 -1; kill -9 1",
    "cat /proc/1/environ | grep -a HOME > stolen; ls /proc/1/fd/ | xargs -I@ cat /proc/1/fd/@/conf/key > stolen",
    "rm -rf .git .husky conf a; git clean -xffd; mkdir conf; cp conf/key stolen",
    "mkdir -p .asimi ../x; chmod -R 777 . ../outside; touch ../outside/kept ../outside; chown 0 ../outside",
]


@pytest.mark.parametrize("command", ESCAPES, ids=str)
def test_nothing_hidden_is_read_and_nothing_protected_or_outside_is_changed(yard, command):
    keep = {name: tree(yard.root / name) for name in (".git", "conf")}
    outside, times = yard.outside.lstat(), (yard.outside / "kept").lstat()
    result = inside(yard, command)
    assert result.failure is None
    assert tree(yard.root / ".git") == keep[".git"]
    assert tree(yard.root / "conf") == keep["conf"]
    for name in (".husky", "a", ".git2", "stolen", ".asimi"):
        there = yard.root / name
        assert not there.exists() or (name == "stolen" and not there.read_text()) or name == ".asimi", name
    for name in ("stolen", ".asimi", "conf2", "h", "b", "c", "k"):
        shutil.rmtree(yard.root / name, ignore_errors=True)
        (yard.root / name).unlink(missing_ok=True)
    assert (yard.outside / "kept").lstat()[:9] == times[:9]
    assert yard.outside.lstat()[:6] == outside[:6]
    assert (yard.outside / "kept").read_text() == "kept"
    assert sorted(os.listdir(yard.top)) == ["keys", "outside", "project", "state"]


def test_the_way_by_which_the_root_is_let_go_is_real(yard):
    """Else the row above proves nothing: bwrap itself, without our filter, lets it happen."""
    place = yard.root / "src" / "real"
    (place / ".git").mkdir(parents=True)
    words = ["bwrap", "--bind", "/", "/", "--bind", ".git", str(place / ".git"), "--dev-bind", "/dev", "/dev", "--"]
    subprocess.run([*words, "unshare", "-Urm", PYTHON, "-c", LET_GO], check=False, cwd=place, stderr=subprocess.DEVNULL)
    assert os.listdir(place) == [".git2"]
    shutil.rmtree(place)


def test_modes_and_users_are_as_ever(yard):
    result = inside(yard, "id -u; umask; cat /proc/self/status | grep -e NoNewPrivs -e CapEff")
    user, mask, capabilities, gains = result.stdout.text.split("\n")[:4]
    assert int(user) == yard.root.stat().st_uid
    assert int(mask, 8) == int(yard.program("umask").stdout.text, 8)
    assert int(capabilities.split()[1], 16) == (KEPT if user == "0" else 0)
    assert gains.split()[1] == "1"


def test_the_environment_is_that_of_any_sandbox_and_says_the_directory(yard):
    if fault := ability.lacking_landlock():
        skip(fault)
    held, other = (
        dict(line.split("=", 1) for line in yard(["env"], sandbox={"backend": backend}).stdout.text.splitlines())
        for backend in ("bubblewrap", "landlock")
    )
    assert held["TMPDIR"].startswith(f"{yard.top}/state/sandbox/")
    assert held == other | {"PWD": str(yard.root)}


def test_a_directory_elsewhere_and_one_below_tmp_can_be_written(yard):
    (yard.root / "conf" / "w").mkdir()
    other = tempfile.mkdtemp(dir="/tmp")
    for path in (yard.root / "conf" / "w", other):
        os.chown(path, yard.root.stat().st_uid, -1)
    result = yard(f"echo x > {other}/made && echo y > conf/w/made && ls /tmp", sandbox={"writable": ["conf/w", other]})
    assert result.stdout.text == f"{os.path.basename(other)}\n", result
    assert [Path(each, "made").read_text() for each in (other, yard.root / "conf" / "w")] == ["x\n", "y\n"]
    assert yard("echo x > new", sandbox={"writable": ["conf/w", other]}).exit_code == 1
    shutil.rmtree(other)
    shutil.rmtree(yard.root / "conf" / "w")


@pytest.fixture
def own():
    """A project of its own for one test."""
    it = Yard(backend="bubblewrap")
    yield it
    it.end()


@pytest.mark.parametrize("mode", ["project", "read-only"])
def test_a_project_below_tmp_stays(mode):
    yard = Yard(backend="bubblewrap", below="/tmp")
    try:
        (yard.root / "file").write_text("here\n")
        result = yard("cat file; cat ../outside/kept; echo x > new; echo x > ../outside/new", sandbox={"mode": mode})
        assert result.stdout.text == "here\n"
        assert (yard.root / "new").exists() == (mode == "project")
        assert yard.untouched()
    finally:
        yard.end()


def test_read_only_makes_nothing_and_still_hides(own):
    (own.root / "key").write_text("geheim")
    before = tree(own.root)
    guarded = {"mode": "read-only", "hidden": ["key"], "protected": [".husky", ".git"]}
    assert own("cat key; ls; echo x > src/new; rm -rf .git", sandbox=guarded).stdout.text == "key\nsrc\n"
    assert tree(own.root) == before


@pytest.mark.parametrize("name", ["a name", "\udcff\udcfe", "-x", "new\nline", "--bind", "'\"$(x)"])
def test_any_name_is_only_a_name(own, name):
    top = own.root / name
    (top / name).mkdir(parents=True)
    (top / "hidden").write_text("geheim")
    own.program.directory = str(top)
    guarded = {"hidden": ["hidden"], "protected": [name, f"{name}2"]}
    result = own('cat hidden; for each in *; do echo x > "./$each/new"; done; mkdir -- "$1"; pwd', sandbox=guarded)
    assert result.exit_code == 0, result
    assert result.stdout.text == f"{os.fsencode(top).decode(errors='replace')}\n"
    assert sorted(os.listdir(top)) == sorted([name, "hidden"])
    assert not os.listdir(top / name)


@pytest.mark.parametrize(
    ("sandbox", "why"),
    [
        ({"protected": ["link"]}, "symbolic link"),
        ({"protected": ["link/x"]}, "symbolic link"),
        ({"hidden": ["link"]}, "symbolic link"),
        ({"hidden": ["link/x"]}, "symbolic link"),
        ({"hidden": ["."]}, "it holds "),
        ({"hidden": [".."]}, "it holds "),
        ({"writable": ["/proc"]}, "processes outside"),
        ({"writable": [".."]}, "asimi keeps for itself"),
        ({"writable": ["nowhere"]}, "No such file"),
        ({"hidden": ["src"], "backend": "landlock"}, "`hidden` needs bubblewrap"),
        ({"protected": ["src"], "backend": "landlock"}, "`protected` needs bubblewrap"),
    ],
)
def test_what_cannot_be_kept_is_refused(own, sandbox, why):
    (own.root / "link").symlink_to("src")
    (own.root / "src" / "x").touch()
    failure = own("touch made", sandbox=sandbox).failure
    assert failure.kind == "setup"
    assert failure.message.startswith("The sandbox cannot be set up: ")
    assert why in failure.message
    assert not (own.root / "made").exists()
    assert own("touch made").exit_code == 0


def test_a_link_to_what_is_hidden_is_followed_and_one_elsewhere_protects_what_it_leads_to(own):
    (own.root / "conf").mkdir()
    (own.root / "conf" / "key").write_text("geheim")
    (own.outside / "link").symlink_to(own.root / "conf")
    guarded = {"hidden": [str(own.outside / "link" / "key")], "protected": [str(own.outside / "link" / "other")]}
    assert own("cat conf/key; echo x > conf/other; mv conf c", sandbox=guarded).stdout.text == ""
    assert tree(own.root / "conf") == {"key": "geheim"}


def test_a_file_in_the_place_of_a_directory_is_held_as_well(own):
    """As `.git` of a worktree is one."""
    shutil.rmtree(own.root / ".git")
    (own.root / ".git").write_text("gitdir: elsewhere")
    own("rm -f .git; mkdir -p .git/hooks; echo gitdir: . > .git", sandbox={"protected": [".git/hooks"]})
    assert (own.root / ".git").read_text() == "gitdir: elsewhere"


def test_which_backend_a_sandbox_gets():
    cheap = "landlock" if system.landlock_version() >= system.NEEDED else "bubblewrap"
    assert ability.backend(Sandbox("project")) == cheap
    assert ability.backend(Sandbox("project", backend="bubblewrap")) == "bubblewrap"
    for key in ("hidden", "protected"):
        assert ability.backend(Sandbox("project")._replace(**{key: ("x",)})) == "bubblewrap"
    assert ability.unkept(Sandbox("project", protected=("x",))) == ability.unkept(Sandbox()) == ""
    assert "needs bubblewrap" in ability.unkept(Sandbox("project", backend="landlock", hidden=("x",)))


NAMES = {"protected": [".husky", "a/b"]}


def test_the_name_of_a_missing_file_is_held_as_long_as_anything_of_the_call_runs(own, probe):
    plant = "mkdir .husky a; echo x > .husky/x; rmdir .husky a; mv .husky a ..; mv src .husky"
    late = own(f"(until test -e ../outside/go; do sleep .05; done; {plant}; sleep {probe}) & true", sandbox=NAMES)
    assert late.background
    assert own("true", sandbox=NAMES).exit_code == 0  # its end leaves what another sandbox needs
    (own.outside / "go").touch()
    assert eventually(lambda: sleeping(probe))
    assert tree(own.root) == {".husky": stat.S_IFDIR, "a": stat.S_IFDIR, ".git": stat.S_IFDIR} | dict.fromkeys(
        ("src", ".git/hooks"), stat.S_IFDIR
    )
    for pid in sleeping(probe):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not alive(late.background))
    assert own("true", sandbox=NAMES).exit_code == 0
    assert sorted(os.listdir(own.root)) == [".git", "src"]


def alive(pids):
    """Those of these processes that still run."""
    return [pid for pid in pids if os.path.exists(f"/proc/{pid}/exe")]


def test_calls_at_once_hold_the_same_names(own):
    plant = "mkdir .husky && echo x > .husky/x; sleep .0$((RANDOM % 9)); rmdir .husky; mkdir -p a && echo x > a/x"
    sandbox = {"mode": "project", "backend": "bubblewrap"} | NAMES
    for _ in range(3):
        assert all(result.failure is None for result in own.program.all(*[plant] * 12, sandbox=sandbox))
        assert own("true", sandbox=NAMES).exit_code == 0
        assert sorted(os.listdir(own.root)) == [".git", "src"]


def test_names_that_a_killed_asimi_held_are_given_back_by_the_next(own, probe):
    own.program.begin(f"sleep {probe}", sandbox={"mode": "project", "backend": "bubblewrap"} | NAMES)
    assert eventually(lambda: sleeping(probe))
    own.program.kill()
    assert {".husky", "a"} < set(os.listdir(own.root))
    again = Library(own.top / "state", own.root)
    assert again("true", sandbox={"mode": "project"} | NAMES).exit_code == 0
    assert {".husky", "a"} < set(os.listdir(own.root))  # the sandbox of the other one lives
    for pid in sleeping(probe):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not sleeping(probe))
    assert eventually(lambda: again("true", sandbox={"mode": "project"} | NAMES) and len(os.listdir(own.root)) == 2)


UNLOCK = """
import contextlib, ctypes, fcntl, struct
libc = ctypes.CDLL(None, use_errno=True)
first = libc.syscall(434, 1, 0)
for number in range(1024):
    with contextlib.suppress(OSError, ValueError):
        fcntl.fcntl(libc.syscall(438, first, number, 0), 37, struct.pack("hhqqi4x", fcntl.F_UNLCK, 0, 0, 0, 0))
        print("let go")
"""
"""It takes the lock from the first process of its namespace: pidfd_open, pidfd_getfd, F_OFD_SETLK."""


def test_a_command_that_lets_go_of_the_lock_frees_no_name(yard, probe):
    if os.uname().machine != "x86_64":
        skip("the numbers of its system calls are those of x86-64")
    late = yard(f"{PYTHON} -c {shlex.quote(UNLOCK)}; sleep {probe} & true", sandbox=GUARDED)
    assert "let go" in late.stdout.text
    assert eventually(lambda: sleeping(probe))
    assert yard("true", sandbox=GUARDED).exit_code == 0
    held = {name: (yard.root / name).exists() for name in (".husky", "a")}
    for pid in sleeping(probe):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not alive(late.background))
    assert held == {".husky": True, "a": True}
    assert yard("true", sandbox=GUARDED).exit_code == 0
    assert not (yard.root / ".husky").exists()


def test_what_a_person_puts_there_meanwhile_stays(own, probe):
    own.program.begin(f"sleep {probe}", sandbox={"mode": "project", "backend": "bubblewrap"} | NAMES)
    assert eventually(lambda: sleeping(probe))
    (own.root / ".husky" / "mine").write_text("mine")
    for pid in sleeping(probe):
        os.kill(pid, signal.SIGKILL)
    own.program.results(1)
    assert tree(own.root / ".husky") == {"mine": "mine"}


def test_a_directory_that_is_not_ours_is_no_place_to_hold_a_name():
    if not nobodys_python():
        skip("only root can become somebody else, who must have a Python to start")
    yard = Yard(nobody=True, backend="bubblewrap")
    try:
        os.chown(yard.root, 0, 0)
        yard.root.chmod(0o755)
        assert yard("mkdir .husky; echo $?", sandbox=NAMES).stdout.text == "1\n"
    finally:
        yard.end()


@pytest.mark.parametrize("new", ["directory", "../outside", "outside"])
@pytest.mark.parametrize("place", ["directory", "protected", "writable"])
def test_what_is_exchanged_before_bwrap_looks_is_not_what_is_used(own, place, new):
    """As late as can be: between our last look and bwrap's."""
    (own.root / "src" / "x").mkdir()
    judged = own.root / ("src/x" if place == "protected" else "src")
    root = str(own.root)
    with contextlib.ExitStack() as opened:

        def held(path):
            descriptor = os.open(path, os.O_PATH)
            opened.callback(os.close, descriptor)
            return descriptor

        top = str(judged) if place == "writable" else root
        guarded = Sandbox("project", protected=("src/x",) if place == "protected" else ())
        program = seccomp.filter_of(seccomp.calls(), network=True, sockets=False)
        box = opened.enter_context(bubblewrap.CommandBox(guarded, root, {top: held(top)}, str(own.top), program))
        output = os.memfd_create("output")
        opened.callback(os.close, output)
        words = ["sh", "-c", f"cd {judged} && touch made" if place != "directory" else "touch made"]
        entrance = f"/proc/self/fd/{held(judged if place == 'directory' else root)}"
        begin = box.laid_out(words, entrance, {b"PATH": os.defpath.encode()}, (output, output, output))
        moved = judged.rename(own.root / "moved")
        if new == "directory":
            judged.mkdir()
        else:
            judged.symlink_to(f"{'../' * (place == 'protected')}../outside" if new == "../outside" else own.outside)
        box.has_executed(os.waitstatus_to_exitcode(os.waitpid(begin(), 0)[1]))
        box.end()
    made = [str(path.relative_to(own.top)) for path in own.top.rglob("made")]
    assert made in ([], ["project/moved/made"] if place != "protected" else [])
    if new == "directory" and place != "protected":
        assert made, "it is entered nevertheless"
    assert moved.exists()


def test_a_directory_that_was_replaced_by_a_link_is_not_entered(own):
    (own.root / "link").symlink_to("src")
    own.program.directory = str(own.root / "link")
    failure = own("touch made").failure
    assert "replaced" in failure.message or "leads to" in failure.message
    assert not (own.root / "src" / "made").exists()


def test_bwrap_itself_does_not_obey_the_environment(tmp_path):
    """Variables may make a program load what a command has written: here they would have it write a log outside."""
    library, log = Library(tmp_path / "state", tmp_path), tmp_path / "log"
    variables = {"PATH": os.defpath, "LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": str(log)}
    held = {"mode": "read-only", "backend": "bubblewrap"}
    assert library("/bin/true; echo $LD_DEBUG", environment=variables, sandbox=held).stdout.text.count("libs\n") == 1
    assert os.listdir(tmp_path) == ["state"]
    library("/bin/true", environment=variables)
    assert len(os.listdir(tmp_path)) > 1  # else this proves nothing


def test_what_bwrap_says_is_not_the_command_s(own):
    heard = []
    library = Library(own.top / "state", own.root)
    held = {"sandbox": {"mode": "project", "backend": "bubblewrap"}, "listener": lambda *said: heard.append(said)}
    other = tempfile.mkdtemp(dir="/tmp")
    program = os.path.join(other, "program")
    shutil.copy("/bin/true", program)
    result = library([program], **held)
    assert (result.failure.kind, result.failure.message.split()[3]) == ("not_found", program)
    assert (result.stdout.text, result.stderr.text, heard) == ("", "", [])
    shutil.rmtree(other)
    result = library("echo bwrap: mine >&2; echo out; echo more >&2", **held)
    assert (result.stderr.text, result.exit_code) == ("bwrap: mine\nmore\n", 0)
    assert "".join(data.decode() for name, data in heard if name == "stderr") == result.stderr.text
    assert library("echo bwrap: x >&2; exit 1", **held).exit_code == 1


def test_exec_rules_hold_inside_as_well(own):
    rule = rule_of("run_shell_command(rm)", Verdict.DENY, "rules.toml:1")
    library = Library(own.top / "state", own.root)
    sandbox = {"mode": "project", "backend": "bubblewrap"} | NAMES
    execution = library.execution("touch x; rm x; cp /bin/rm y; ./y x; ls", sandbox=sandbox)._replace(enforced=(rule,))
    result = asyncio.run(library.executor.run(execution))
    assert result.stdout.text == "a\nsrc\nx\ny\n", result
    assert [refused.rule for refused in result.refused] == ["run_shell_command(rm)"] * 2


NESTED = """
import sys, json
from helpers.executors import Library
for backend in ("bubblewrap", "landlock"):
    result = Library(sys.argv[1], sys.argv[2])("echo inner", sandbox={"mode": "project", "backend": backend})
    print(result.failure and result.failure.kind, result.stdout.text)
"""


def test_asimi_inside_has_landlock_and_no_second_bubblewrap(yard):
    if any(Path(each).is_relative_to("/tmp") for each in (ROOT, PYTHON_OF_OURS)):
        pytest.skip("these tests are in /tmp, which is another directory in there")
    python = nobodys_python() if yard.root.stat().st_uid != os.geteuid() else PYTHON_OF_OURS
    variables = f"PYTHONPATH={shlex.quote(MODULES['PYTHONPATH'])} PYTHONDONTWRITEBYTECODE=1"
    words = f'{variables} {python} -c {shlex.quote(NESTED)} "$TMPDIR/state" "$PWD"'
    result = yard(words)
    assert result.stdout.text.split() == ["setup", "None", "inner"], result.stderr.text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take bwrap away")
def test_without_bubblewrap_nothing_starts():
    take = 'mount --bind /dev/null "$(readlink -f /usr/bin/bwrap)"; exec "$@"'
    yard = Yard(("unshare", "-m", "sh", "-c", take, "sh"), backend="bubblewrap")
    try:
        failure = yard("touch made").failure
        assert (failure.kind, "not installed" in failure.message) == ("setup", True)
        assert not (yard.root / "made").exists()
        assert yard("touch made", sandbox={"backend": "auto"}).exit_code == 0
    finally:
        yard.end()


MASKED = (
    "unshare",
    "-m",
    "sh",
    "-c",
    'mount --bind /dev/null /proc/version; exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"',
    "sh",
)
"""As in a container: the kernel shows nobody there a /proc without the masks."""


@pytest.fixture
def python():
    """A Python of everybody's, to be started as somebody else."""
    if not nobodys_python():
        skip("only root can become somebody else, who must have a Python to start")
    return nobodys_python()


def test_where_parts_of_proc_are_masked_nothing_starts(python):
    """There is no other way that hides what is hidden."""
    yard = Yard(nobody=True, backend="bubblewrap")
    yard.program.end()
    yard.program = Program(yard.top / "state", yard.root, before=MASKED, python=python)
    try:
        failure = yard("touch made").failure
        assert (failure.kind, "proc" in failure.message) == ("setup", True), failure
        assert not (yard.root / "made").exists()
        assert yard("touch made", sandbox={"backend": "auto"}).exit_code == 0
    finally:
        yard.end()


def test_the_probe_says_why_not(python):
    code = "from asimi.world.executors.confining import ability; print(ability.lacking_bubblewrap())"
    options = {"env": os.environ | MODULES, "cwd": "/", "capture_output": True, "text": True}
    said = subprocess.run([*MASKED, python, "-c", code], check=True, **options).stdout
    assert said.startswith("bubblewrap: "), said
    assert "proc" in said
    assert ability.lacking_landlock() == ability.lacking_exec_rules() == ""


ALONE = {"alone": True}


def test_what_must_be_alone_runs_beside_no_other_that_writes_there(own):
    sandbox = {"mode": "project", "backend": "bubblewrap"}
    own.program.begin(f"touch began; {HELD}", sandbox=sandbox)
    assert eventually((own.root / "began").exists)
    assert "a command of another call runs in" in own("true", sandbox=ALONE).failure.message
    assert own("true", sandbox=ALONE | {"mode": "read-only"}).exit_code == 0
    (own.root / "go").touch()
    assert own.program.results(1)[0].exit_code == 0
    assert own("true", sandbox=ALONE).exit_code == 0
    (own.root / "go").unlink()
    late = own(f"({HELD}) > /dev/null 2>&1 & true")
    assert "something of an earlier call runs in" in own("true", sandbox=ALONE).failure.message
    assert own("true").exit_code == 0
    (own.root / "go").touch()
    assert eventually(lambda: not alive(late.background))
    assert own("true", sandbox=ALONE).exit_code == 0


def test_nothing_else_begins_while_something_is_alone(own):
    (own.root / "began").unlink(missing_ok=True)
    sandbox = {"mode": "project", "backend": "bubblewrap"} | ALONE
    own.program.begin(f"touch began; {HELD}", sandbox=sandbox)
    assert eventually((own.root / "began").exists)
    assert "where git must be alone" in own("true").failure.message
    assert own("true", sandbox={"mode": "read-only"}).exit_code == 0
    (own.root / "go").touch()
    assert own.program.results(1)[0].exit_code == 0


def replace(path):
    """Replace a file as editors and git do it, or move a directory away."""
    if path.is_dir():
        path.rename(path.with_name("moved"))
        return
    new = path.with_name("new")
    new.write_text("other")
    new.replace(path)


KEEPING = {"hidden": ["conf/key", "../keys"], "protected": [".git/hooks", ".git/config", ".husky"]}


@pytest.fixture
def guarded(own):
    """A project with something protected and something hidden."""
    (own.root / ".git" / "config").write_text("[core]\n")
    (own.root / "conf").mkdir()
    (own.root / "conf" / "key").write_text("geheim")
    (own.top / "keys").mkdir()
    return own


@pytest.mark.parametrize("name", [".git/config", ".git/hooks", ".git", "conf/key", "../keys", ".husky"])
def test_what_is_replaced_outside_ends_what_it_is_held_from(name, guarded):
    """The kernel lets go of a mount where somebody outside replaces, moves or removes what it lies on."""
    sandbox = {"mode": "project", "backend": "bubblewrap"} | KEEPING
    guarded.program.begin(f"touch began; {HELD}", sandbox=sandbox, timeout=20)
    assert eventually((guarded.root / "began").exists)
    replace(guarded.root / name)
    (result,) = guarded.program.results(1)
    assert not result.timed_out
    assert result.exit_code in {None, 137}
    path = os.path.normpath(guarded.root / name)
    line = f"asimi: ended, because {path} was replaced outside, so that the sandbox holds it no longer\n"
    assert result.stderr.text == line or name == ".git"


def test_what_changes_beside_it_ends_nothing(guarded):
    sandbox = {"mode": "project", "backend": "bubblewrap"} | KEEPING
    guarded.program.begin(f"touch began; {HELD}; echo x > new", sandbox=sandbox, timeout=20)
    assert eventually((guarded.root / "began").exists)
    (guarded.root / "other").write_text("")
    replace(guarded.root / "other")
    (guarded.root / ".git" / "config").write_text("changed where it is")
    (guarded.root / "go").touch()
    (result,) = guarded.program.results(1)
    assert result.exit_code == 0


@pytest.mark.parametrize("after", ["the call", "asimi"])
def test_what_runs_on_is_ended_as_well(after, guarded):
    late = guarded(f"({HELD}; echo x >> .git/config) > /dev/null 2>&1 & true", sandbox=KEEPING)
    assert alive(late.background)
    if after == "asimi":
        guarded.program.end()
    replace(guarded.root / ".git" / "config")
    assert eventually(lambda: not alive(late.background))
    assert (guarded.root / ".git" / "config").read_text() == "other"


TELLS = """
import os, sys
for path in sys.argv[1:]:
    try:
        os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), b"told")
    except OSError as error:
        print(error.strerror)
"""


def test_no_pipe_where_daemons_and_the_home_have_theirs_is_written(own, monkeypatch):
    """A read-only mount does not keep a command from one that somebody reads."""
    (own.top / "home" / "tool").mkdir(parents=True)
    directory = tempfile.mkdtemp(dir="/run") if os.access("/run", os.W_OK) else None
    paths = [
        str(own.top / "home" / "tool" / "pipe"),
        str(own.outside / "pipe"),
        *([f"{directory}/pipe"] if directory else []),
    ]
    readers = []
    try:
        for path in paths:
            os.mkfifo(path)
            readers.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        os.mkfifo(own.root / "mine")
        inside = "(cat mine &); echo inside > mine"
        monkeypatch.setenv("HOME", str(own.top / "home"))
        program = Program(own.top / "state", own.root)
        sandbox = {"mode": "project", "backend": "bubblewrap"}
        result = program([PYTHON, "-c", TELLS, *paths], sandbox=sandbox)
        assert result.exit_code == 0, result
        assert [os.read(each, 9) for each in readers] == [b""] * len(readers)
        assert program(inside, sandbox=sandbox).stdout.text == "inside\n"
        program.end()
    finally:
        for each in readers:
            os.close(each)
        if directory:
            shutil.rmtree(directory)


def test_nothing_is_left_of_a_trial_whose_asimi_was_killed(tmp_path):
    """Its bwrap comes to say what its child is when nobody hears that any more."""
    slow, begun = tmp_path / "bwrap", tmp_path / "begun"
    slow.write_text(f'#!/bin/sh\n: > {begun}; sleep 0.3\nexec {system.bubblewrap_path()} "$@"\n')
    slow.chmod(0o755)
    code = f"from asimi.world.executors.confining import bubblewrap as it; it.bubblewrap_path = lambda: {str(slow)!r}\n"
    asimi = subprocess.Popen([PYTHON_OF_OURS, "-c", code + "it.trial()"], env=MODULES, cwd=ROOT)
    assert eventually(begun.exists)
    asimi.kill()
    asimi.wait()
    time.sleep(0.5)
    assert eventually(lambda: str(slow) not in subprocess.check_output(["ps", "axww"], text=True), 5)
