"""A sandbox holds whatever the command and its descendants do: files, sockets, signals, devices."""

import os
import re
import shutil
import signal
import socket
import sys

import pytest
from helpers import which
from helpers.executors import eventually, sleeping
from helpers.sandboxes import BACKENDS, USERS, skip, yard_of

if sys.platform != "linux":
    pytest.skip("sandboxes are Linux's", allow_module_level=True)

from asimi.world.executors.confining import system

PYTHON = shutil.which("python3", path=os.defpath) or sys.executable
CHROOT = which("chroot") or "chroot"
"""One that every user may execute."""


@pytest.fixture(params=[(user, backend) for backend in BACKENDS for user in USERS], ids="-".join, scope="module")
def yard(request):
    """A project, as each kind of user, by each backend."""
    it = yard_of(*request.param)
    yield it
    it.end()


def python(code):
    """A command that runs a text of Python."""
    return [PYTHON, "-c", code]


WORKS = [
    ("echo a > in && cat in && rm in", "a\n"),
    ("mkdir -p d/e; echo b > d/f; mv d/f d/e/f; ln d/e/f d/hard; ln -s e d/soft; cat d/soft/f; rm -r d", "b\n"),
    ("mkfifo p; (echo c > p &); cat p; rm p", "c\n"),
    ("echo d > /dev/null; echo e > /dev/stdout; echo f | tee /dev/stderr", "e\nf\n"),
    ("cat <<< here; cat <(echo there); diff <(echo 1) <(echo 1) && echo same", "here\nthere\nsame\n"),
    ('test -d "$TMPDIR" -a -w "$TMPDIR" && echo yes; file=$(mktemp) && echo t > "$file" && cat "$file"', "yes\nt\n"),
    ("cat ../outside/kept", "kept"),
    ("sh -c 'kill -9 $$'; echo $?", "137\n"),
    ("sleep 9 & kill $!; wait $!; echo $?", "143\n"),
    ("git init -q r && git -C r status --short && rm -r r; echo $?", "0\n"),
    (f"{PYTHON} -c 'import asyncio; print(asyncio.run(asyncio.sleep(0, 5)))'", "5\n"),
    (f"{PYTHON} -c 'import tempfile; print(tempfile.TemporaryFile().write(b\"1234\"))'", "4\n"),
    ("getent hosts localhost > /dev/null; echo $?", "0\n"),
    ("ls /proc/self/fd | wc -l", "4\n"),
]


@pytest.mark.parametrize(("command", "output"), WORKS)
def test_what_stays_inside_goes_on_as_ever(yard, command, output):
    result = yard(command)
    assert (result.stdout.text, result.failure) == (output, None), result.stderr.text


ESCAPES = [
    "echo x > ../outside/kept",
    "echo x > ../outside/new",
    "echo x >> ../outside/kept",
    "rm -f ../outside/kept",
    "truncate -s 0 ../outside/kept",
    "mv ../outside/kept .",
    "touch in; mv in ../outside/in",
    "ln ../outside/kept hard && echo x > hard",
    "ln -sf ../outside/kept soft && echo x > soft",
    "ln -sfn ../outside there && echo x > there/new",
    "touch in; ln in ../outside/in",
    "mkdir ../outside/d",
    "mkfifo ../outside/p",
    "ln -s x ../outside/s",
    "rmdir ../outside; mv ../outside ../moved",
    "mv . ../elsewhere; mv ../project ../elsewhere",
    "cp /bin/bash ./own && ./own -c 'echo x > ../outside/kept'",
    "setsid bash -c 'sleep .1; echo x > ../outside/late'; sleep .3",
    "(setsid bash -c 'echo x > ../outside/late' &) ; sleep .2",
    "env -i bash -c 'echo x > ../outside/kept'",
    "exec 9<>../outside/kept && echo x >&9",
    "cd /proc/self/root && echo x > $OLDPWD/../outside/kept",
    "unshare -Ur bash -c 'echo x > ../outside/kept'",
    "unshare -Urm bash -c 'mount -t tmpfs x ../outside && echo x > ../outside/new; mount --bind . ../outside'",
    "mount -t tmpfs x ../outside",
    f"{CHROOT} .. bash -c 'echo x > outside/kept'; {CHROOT} / bash -c 'echo x > $PWD/../outside/kept'",
    "echo 'hook' > ../state/x; rm -rf ../state/calls; test ! -e ../state/x && touch ../outside",
    python("import os; os.unlink('../outside/kept')"),
    python("import os; os.truncate('../outside/kept', 0)"),
    python("import os; os.open('../outside/kept', os.O_RDONLY | os.O_TRUNC)"),
    python("import os; os.rename('../outside', '../gone')"),
    python("import ctypes; ctypes.CDLL(None).renameat2(-100, b'src', -100, b'../outside', 2)"),
]


@pytest.mark.parametrize("command", ESCAPES, ids=str)
def test_nothing_outside_is_written_made_or_removed(yard, command):
    assert yard(command).failure is None
    assert yard.untouched()


@pytest.mark.parametrize("command", ["touch fresh", "rm -rf .git", "mkdir fresh", "echo x > src/file"])
def test_read_only_means_the_project_as_well(yard, command):
    before = sorted(yard.root.rglob("*"))
    result = yard(f'echo t > "$TMPDIR/t" && {command}', sandbox={"mode": "read-only"})
    assert result.exit_code
    assert "t: " not in result.stderr.text
    assert sorted(yard.root.rglob("*")) == before


@pytest.mark.parametrize(
    "command", ["mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", "mv .git .git2", "mv src src2; touch new"]
)
def test_only_the_directories_that_are_named_can_be_written(yard, command):
    sandbox = {"writable": ["src"]}
    assert yard("echo x > src/file && rm src/file", sandbox=sandbox).exit_code == 0
    assert yard(command, sandbox=sandbox).exit_code
    assert sorted(path.name for path in (yard.root / ".git").rglob("*")) == ["hooks"]
    assert not (yard.root / "new").exists()


def test_a_directory_elsewhere_can_be_named(yard):
    elsewhere = yard.root / "src"
    result = yard(f"echo x > {elsewhere}/file && rm {elsewhere}/file", sandbox={"writable": [str(elsewhere)]})
    assert result.exit_code == 0


def test_what_landlock_leaves_open_is_known_and_bubblewrap_closes_it(yard):
    """`docs` say so: whoever reads that these are closed reads too much."""
    kept, is_open = yard.outside / "kept", yard.backend == "landlock"
    before = kept.stat()
    for change in ("chmod 640", "touch -r .", "chgrp $(id -g)"):
        assert (yard(f"cat ../outside/kept && {change} ../outside/kept").exit_code == 0) == is_open, change
    assert (kept.stat().st_mode & 0o777 == 0o640) == (kept.stat().st_mtime != before.st_mtime) == is_open
    assert (yard(f"cat /proc/{yard.program.pid}/cmdline").exit_code == 0) == is_open
    kept.chmod(before.st_mode)


def test_the_command_leads_a_session(yard):
    if yard.backend == "landlock":  # bwrap leads it, outside
        assert yard("ps -o sid= -p $$ | tr -d ' ' | grep -qx $$").exit_code == 0
    assert yard("ps -o tty= -p $$").stdout.text == "?\n"


def test_root_gets_no_device_and_no_machine_inside(yard):
    assert yard("mknod disk b 7 0; mknod zero c 1 5; ls disk zero").stdout.text == ""
    capabilities = int(re.search(r"CapEff:\s*(\w+)", yard("cat /proc/self/status").stdout.text)[1], 16)
    forbidden = sum(1 << number for number in (12, 16, 17, 19, 21, 22, 23, 25, 27, 38, 39))
    assert capabilities & forbidden == 0
    assert "NoNewPrivs:\t1" in yard("cat /proc/self/status").stdout.text


@pytest.mark.parametrize("name", ["kernel/core_pattern", "fs/file-max", "vm/overcommit_ratio"])
def test_the_kernel_s_own_settings_cannot_be_written(yard, name):
    """By the first of them the kernel would start a program of the command's, as root and outside."""
    assert yard(f": >> /proc/sys/{name}").exit_code  # no byte is written, whatever it says


def test_nobody_outside_gets_a_signal(yard):
    if yard.backend == "landlock" and system.landlock_version() < 6:
        skip("signals are held from Landlock 6 on")
    assert yard(f"kill -0 {yard.program.pid}").exit_code == 1
    assert yard.backend == "bubblewrap" or yard("kill -0 $PPID").exit_code == 1


LIMITS = """
import resource, sys
for limit in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, 10):  # RLIMIT_LOCKS, which carries asimi's mark
    try:
        was = resource.prlimit(int(sys.argv[1]), limit)
        resource.prlimit(int(sys.argv[1]), limit, was)
        print("set")
    except OSError:
        pass
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
"""


def test_no_process_outside_gets_a_limit(yard):
    """One on the processor's time ends it, and the one that carries asimi's mark makes a person's shell a command's."""
    result = yard([*python(LIMITS), str(yard.program.pid)])
    assert (result.exit_code, result.stdout.text) == (0, ""), result.stderr.text


SOCKETS = {
    "tcp": "socket.socket()",
    "udp": "socket.socket(type=socket.SOCK_DGRAM)",
    "six": "socket.socket(socket.AF_INET6)",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "local": "socket.socket(socket.AF_UNIX)",
    "datagrams": "socket.socketpair(type=socket.SOCK_DGRAM)",
    "pair": "socket.socketpair()",
    "flags": "socket.socketpair(type=socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)",
}
NETWORK, LOCAL = {"tcp", "udp", "six", "netlink"}, {"local", "datagrams"}


@pytest.mark.parametrize(
    ("sandbox", "refused"),
    [
        ({}, LOCAL),
        ({"sockets": True}, set()),
        ({"network": "none"}, NETWORK | LOCAL),
        ({"network": "none", "sockets": True}, NETWORK),
    ],
)
def test_which_sockets_can_be_made(yard, sandbox, refused):
    code = "import socket\n" + "".join(
        f"try:\n {make}\nexcept PermissionError:\n print({name!r})\n" for name, make in SOCKETS.items()
    )
    assert set(yard(python(code), sandbox=sandbox).stdout.text.split()) == refused


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
@pytest.mark.parametrize("made", ["socket.socket(socket.AF_UNIX, {})", "socket.socketpair(type={})[0]"])
def test_no_daemon_is_reached_by_a_local_socket(yard, kind, made):
    path = yard.outside / "daemon"
    with socket.socket(socket.AF_UNIX, kind) as daemon:
        daemon.bind(str(path))
        path.chmod(0o777)
        if kind is socket.SOCK_STREAM:
            daemon.listen()
        made = made.format(int(kind))
        code = f"import socket; one = {made}; one.connect({str(path)!r}); one.send(b'x'); print('reached')"
        try:
            assert yard(python(code)).stdout.text == ""
            opened = (
                "socket.socket(" in made or kind is socket.SOCK_DGRAM
            )  # a connected stream is never connected again
            assert yard(python(code), sandbox={"sockets": True}).stdout.text == ("reached\n" if opened else "")
        finally:
            path.unlink()


KEYS = 248 if os.uname().machine == "x86_64" else 217
"""The first of the three system calls for keys."""
ERRNO = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); {}; print(ctypes.get_errno())"


@pytest.mark.parametrize(
    "call",
    [
        "libc.syscall(425, 8, ctypes.create_string_buffer(256))",  # io_uring_setup
        "libc.ioctl(0, 0x5412, b'x')",  # TIOCSTI
        "libc.ioctl(0, ctypes.c_ulong(0x5412 | 1 << 40), b'x')",
        "libc.ioctl(0, 0x541C, b'x')",  # TIOCLINUX
        f"libc.syscall({KEYS}, b'user', b'it', b'x', 1, -3)",  # add_key, to the session's keyring
        f"libc.syscall({KEYS + 1}, b'user', b'it', b'x', 0)",  # request_key
        f"libc.syscall({KEYS + 2}, 0, -3, 0)",  # keyctl
        "libc.open_by_handle_at(-100, ctypes.create_string_buffer(64), 0)",
    ],
)
def test_what_goes_past_files_and_sockets_is_refused(yard, call):
    assert yard(python(ERRNO.format(call)), sandbox={"sockets": True}).stdout.text == "1\n"


@pytest.mark.parametrize(
    "call",
    [
        "libc.ptrace(16, {pid}, 0, 0)",  # PTRACE_ATTACH
        "libc.syscall(438, os.pidfd_open({pid}), 1, 0)",  # pidfd_getfd
        "words = (ctypes.c_size_t * 2)(4096, 8); libc.process_vm_writev({pid}, words, 1, words, 1, 0)",
        "os.open('/proc/{pid}/mem', os.O_RDWR)",
    ],
)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
def test_no_process_outside_is_looked_into(yard, call):
    code = f"import os; {ERRNO.format(call.format(pid=yard.program.pid))}"
    result = yard(python(code), sandbox={"sockets": True})
    said = result.stdout.text.strip() or result.stderr.text.splitlines()[-1].partition(":")[0]
    refused, unseen = {"1", "PermissionError"}, {"3", "ProcessLookupError", "FileNotFoundError"}
    assert said in (refused if yard.backend == "landlock" else unseen)


FOREIGN = """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex({!r}))
print(ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only there are other numbers for the same kernel")
def test_the_numbers_of_other_architectures_are_no_way_around(yard):
    old = yard(python(FOREIGN.format("b814000000cd80c3")))  # mov eax, 20 (getpid); int 0x80; ret
    ended = (old.exit_code or 0) - 128 if yard.backend == "bubblewrap" else old.signal
    assert ended in {signal.SIGSYS, signal.SIGSEGV}  # the latter where the kernel was built without them
    x32 = yard(python(FOREIGN.format("b8270000400f05c3")))  # mov eax, 39 | 0x40000000 (getpid); syscall; ret
    assert x32.stdout.text == f"{-38}\n"


def test_asimi_itself_is_as_free_as_before(yard):
    assert yard("echo x > ../outside/new").exit_code == 1
    assert yard.program("echo x > ../outside/new && cat ../outside/new && rm ../outside/new").stdout.text == "x\n"


def test_a_hard_link_from_before_is_the_file_outside(yard):
    """`docs` say so: what is in the project can be written, and no other can be made from inside."""
    (yard.root / "linked").hardlink_to(yard.outside / "kept")
    try:
        assert yard("echo lost > linked; ln ../outside/kept another").exit_code == 1
        assert (yard.outside / "kept").read_text() == "lost\n"
    finally:
        (yard.outside / "kept").write_text("kept")
        (yard.root / "linked").unlink()


def test_the_session_shares_its_temporary_files_and_nobody_else_has_them(yard):
    path = yard('echo t > "$TMPDIR/shared"; echo "$TMPDIR"').stdout.text.strip()
    assert yard('cat "$TMPDIR/shared"', sandbox={"mode": "read-only"}).stdout.text == "t\n"
    assert path.startswith(f"{yard.top}/state/sandbox/")
    assert os.stat(path).st_mode & 0o777 == 0o700
    assert yard('echo x > "$TMPDIR/../new"').exit_code == 1


@pytest.mark.parametrize("mode", ["000", "777"])
def test_what_a_command_does_to_the_mode_of_its_temporary_directory_stops_no_other(yard, mode):
    assert yard(f'chmod {mode} "$TMPDIR"').exit_code == 0
    assert yard('echo t > "$TMPDIR/t" && stat -c %a "$TMPDIR"').stdout.text == "700\n"


CACHES = 'for each in "$GOCACHE" "$UV_CACHE_DIR" "$npm_config_cache"; do echo "${each#"$TMPDIR"}"; done'
"""Which caches are the session's own."""


def test_tools_that_end_without_a_cache_get_one_of_the_session(yard):
    for mode in ("project", "read-only"):
        result = yard(f'{CACHES}; mkdir -p "$GOCACHE" && ls -d "$TMPDIR/go-build" >&2', sandbox={"mode": mode})
        assert (result.exit_code, result.stdout.text) == (0, "/go-build\n/uv\n/.npm\n")


def test_a_cache_that_is_named_or_can_be_written_stays_where_it_is(yard):
    def kept(writable=".", **variables):
        environment = {"PATH": os.defpath, "HOME": "/nowhere"} | variables
        told = yard(CACHES, environment=environment, sandbox={"writable": [writable]}).stdout.text
        return [name for name, cache in zip(("go", "uv", "npm"), told.splitlines(), strict=True) if not cache]

    assert kept() == []
    assert kept(HOME=str(yard.root)) == ["go", "uv", "npm"]
    assert kept(NPM_CONFIG_CACHE="/elsewhere") == ["npm"]
    assert kept("src", XDG_CACHE_HOME=str(yard.root / "src")) == ["go", "uv"]


BREAKS = {
    "import socket; socket.create_server(('127.0.0.1', 0))": {"network": "none"},
    "import socket; socket.socket(socket.AF_UNIX)": {"sockets": False},
    "import multiprocessing; multiprocessing.Lock()": {"writable": ["."]},
    "import os; os.openpty()": None,
    "open('/tmp/asimi-test', 'w')": None,
}
"""What does not work in a sandbox, and the key that it is for; None where it works only with bubblewrap."""


@pytest.mark.parametrize("code", BREAKS)
def test_what_breaks_is_known(yard, code):
    """`docs` say what to do about each."""
    key, is_landlock = BREAKS[code], yard.backend == "landlock"
    own = is_landlock or key in ({"network": "none"}, {"sockets": False})
    assert yard(python(code), sandbox=key).exit_code == own
    if key is not None:
        laxer = {"network": "full", "sockets": True, "writable": [".", "/dev/shm"]}
        assert yard(python(code), sandbox={name: laxer[name] for name in key}).exit_code == 0


def test_what_is_left_running_is_found_and_still_held(yard, probe):
    both = f"until test $(pgrep -cfx 'sleep {probe}') = 2; do sleep .02; done"
    late = f"(setsid env -i bash -c 'sleep {probe}; echo x > ../outside/late' &)"
    result = yard(f"{late}; sleep {probe} & {both}; echo hi")
    assert result.stdout.text == "hi\n"
    assert len(result.background) == 3
    for pid in sleeping(probe):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not sleeping(probe))
    assert yard.untouched()


@pytest.mark.parametrize("limits", [{"timeout": 0.3}, {"idle_timeout": 0.3}, {"interrupt": 0.3}])
def test_the_whole_tree_is_ended_as_ever(yard, probe, limits):
    result = yard(f"setsid sleep {probe} & env -i sleep {probe}", **limits)
    assert result.signal == signal.SIGTERM
    assert result.timed_out == ("interrupt" not in limits)
    assert not sleeping(probe)


def test_many_at_once(yard):
    sandbox = {"mode": "project", "backend": yard.backend}
    results = yard.program.all(*(f"echo {number}; touch ../x" for number in range(30)), sandbox=sandbox)
    assert [(result.stdout.text, result.exit_code) for result in results] == [(f"{each}\n", 1) for each in range(30)]
    assert yard.untouched()
