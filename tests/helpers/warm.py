"""Starts asimi without an interpreter's start: as a copy of a process that has imported it already.

The copy is a child of the test's process (`CLONE_PARENT`, clone(2)). It has what `python -m asimi` would have: words,
environment, directory, descriptors, limits and streams of its own, also as /proc tells them (`PR_SET_MM_MAP`,
prctl(2)). Where the kernel is another one, and where a start differs in what an interpreter reads, it is a real one.
So is each worker's first start of each command, and every start if `ASIMI_REAL_STARTS` is set, as `make check` does.

The door of a hook is started so too, behind a process in the place of its agent, and so are helpers in `PROGRAMS`.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import socket
import subprocess
import sys
import threading
import traceback
import types
from collections import Counter
from functools import cache, partial

from helpers import PYTHON, ROOT, TESTS

ASIMI = (PYTHON, "-m", "asimi")
PROGRAMS = {"asimi": "asimi.__main__", "helpers.asks": "helpers.asks", "helpers.doctor": "helpers.doctor"}
"""Which modules are started as copies, and whose `main` that is."""

DOOR = (PYTHON, "-I", "-S", str(ROOT / "asimi" / "hooks" / "door.py"))
AGENT = "agent"
"""The name of a copy of timeout(1) that starts the door: no wrapper by its name, as an agent is none."""

READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "GLIBC_", "MALLOC_", "LOCPATH", "TZ", "COVERAGE_")
"""How the names begin of what an interpreter, its loader and its C library read before a program does."""

LEADER = ': <"$0"; exec "$@"'
"""For sh, which leads a session: takes the terminal of that name as its own, then becomes the program."""

LIMITS = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")} | {10})
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP, signal.SIGCHLD)
LENGTH = 8  # bytes


def start(args, **options) -> subprocess.Popen[bytes]:
    """Start a program as `subprocess.Popen` does; asimi as a copy, if it need not be started for real."""
    return (_Copy if _is_plain(tuple(map(str, args)), options) else subprocess.Popen)(args, **options)


_started: set[str] = set()


def _is_plain(args, options):
    words = args[4:] if args[:3] == ("/bin/sh", "-c", LEADER) else args
    if "ASIMI_REAL_STARTS" in os.environ or not sys.platform.startswith("linux"):
        return False
    if is_door := _is_door(args):
        command = "the door of " + " ".join(args[6:7])
    elif words[:2] == ASIMI[:2] and words[2:3] and words[2] in PROGRAMS:
        command = next((word for word in words[3:] if not word.startswith(("-", "/"))), "")  # no file of --config
        command = command if words[2] == "asimi" else words[2]
    else:
        return False
    if command not in _started:
        _started.add(command)
        return False
    environ = options.get("env")
    return (
        {"stdin", "stdout", "stderr", "bufsize", "text", "encoding", "cwd", "env", "start_new_session"} >= set(options)
        and environ is not None
        and all(isinstance(each, str) for each in (*environ, *environ.values()))
        and os.path.isdir(options.get("cwd") or ".")
        and not signal.pthread_sigmask(signal.SIG_BLOCK, ())
        and not any(signal.getsignal(each) is signal.SIG_IGN for each in SIGNALS)
        and (not is_door or bool(options.get("start_new_session")))
        and _is_worth_it(key := (is_door, json.dumps(_for_interpreter(environ))))
        and _parent(*key) is not None
    )


def _is_door(args):
    """Whether these are the words of an agent that starts a door."""
    return os.path.basename(args[0]) == AGENT and args[2:6] == DOOR


def _is_worth_it(key):
    """Whether so many starts had this for their interpreter that a process to copy is cheaper."""
    _seen[key] += 1
    return _seen[key] > SEEN


_seen: Counter[tuple[bool, str]] = Counter()
SEEN = 15


def _for_interpreter(environ):
    return {name: value for name, value in environ.items() if name.startswith(READ_AT_START)}


@cache
def _parent(is_door, environ):
    """The socket of the process that is copied, and that process; None where the kernel has not what that takes."""
    ours, theirs = socket.socketpair()
    isolated = [*DOOR[:3], "-c", f"import sys; sys.path.append({str(TESTS)!r})\nfrom helpers import warm; warm.main()"]
    with theirs:
        process = subprocess.Popen(
            [*(isolated if is_door else [PYTHON, "-m", "helpers.warm"]), str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], **json.loads(environ)},
            pass_fds=[theirs.fileno()],
            cwd="/",
        )

    PARENTS[process.pid] = process, ours
    return ours if _receive(ours) is not None else None


PARENTS: dict[int, tuple[subprocess.Popen[bytes], socket.socket]] = {}
"""The processes that are copied, by their numbers; they end once this process has closed its socket, or is gone."""


def end():
    """End the processes that are copied."""
    _parent.cache_clear()
    while PARENTS:
        process, ours = PARENTS.popitem()[1]
        ours.close()
        process.wait()


class _Copy(subprocess.Popen):
    """A process of asimi that was no interpreter's start."""

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest):
        ends = rest[3:9]  # of stdin, stdout and stderr: what the child reads or writes, and what we do
        given = [own if own != -1 else number for number, own in enumerate((ends[0], ends[3], ends[5]))]
        words = tuple(map(str, args))
        called = {
            "args": words,
            "door": _is_door(words),
            "environ": env,
            "cwd": os.path.abspath(cwd or "."),
            "session": rest[13],
            "umask": _umask(),
            "limits": [resource.getrlimit(each) for each in LIMITS],
            "processors": sorted(os.sched_getaffinity(0)),
        }
        parent = _parent(called["door"], json.dumps(_for_interpreter(env)))
        text = json.dumps(called).encode()
        with _calling:  # tests start asimi in threads, too
            socket.send_fds(parent, [len(text).to_bytes(LENGTH, "big")], given)
            parent.sendall(text)
            self.pid = _receive(parent)
        self._child_created = True
        self._close_pipe_fds(*ends)


_calling = threading.Lock()


def _umask():
    with open("/proc/thread-self/status", "rb") as file:
        return int(file.read().partition(b"\nUmask:")[2].split()[0], 8)


def _receive(end):
    """A number that came, or None."""
    text = b""
    while len(text) < LENGTH:
        if not (more := end.recv(LENGTH - len(text))):
            return None
        text += more
    return int.from_bytes(text, "big")


# ---- the process that is copied ------------------------------------------------------------------------------------

CLONE_PARENT, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID = 0x8000, 0x1000000, 0x200000
PR_SET_MM, PR_SET_MM_MAP = 35, 14
CLONE = {"x86_64": 56, "aarch64": 220}


class _Memory(ctypes.Structure):
    """`struct prctl_mm_map`: where the kernel believes the parts of our memory to be."""

    _fields_ = [
        *((name, ctypes.c_uint64) for name in "start_code end_code start_data end_data start_brk brk".split()),
        *((name, ctypes.c_uint64) for name in "start_stack arg_start arg_end env_start env_end".split()),
        ("auxv", ctypes.c_uint64),
        ("auxv_size", ctypes.c_uint32),
        ("exe_fd", ctypes.c_int32),
    ]


FOR_COMMANDS = "core world compose tools doors".split()
FOR_DOORS = [f"compose.{each}" for each in "configuration gate hook stores tasks".split()]
FOR_DOORS += "core doors.hooks world.approvals world.audit world.config world.host world.undo".split()
"""What is imported before the first copy: all but the extras; what a door needs for each call, and no queue."""


def _prepare():
    if sys.flags.isolated:
        sys.path[-1] = str(ROOT)  # where a door finds asimi, in place of where this was found
    for name in FOR_DOORS if sys.flags.isolated else FOR_COMMANDS:
        found = importlib.import_module(f"asimi.{name}")
        for module in pkgutil.walk_packages(getattr(found, "__path__", ()), f"asimi.{name}."):
            with contextlib.suppress(ImportError):  # of another system, or another door
                importlib.import_module(module.name)
    if sys.flags.isolated:
        sys.path.pop()
        with open(DOOR[-1], "rb") as file:
            _kept.append(compile(file.read(), DOOR[-1], "exec"))
    gc.collect()
    gc.freeze()


def _place_of_thread(libc):
    """Where the C library keeps the number of this thread."""
    libc.pthread_self.restype = ctypes.c_void_p
    first = libc.pthread_self()
    numbers = (ctypes.c_int32 * 512).from_address(first)
    return first + 4 * list(numbers).index(os.getpid())


def _copies(end):
    """Answer each call with the number of a copy that runs it; return in a copy alone, with the call."""
    libc = ctypes.PyDLL(None, use_errno=True)
    libc.sbrk.restype = ctypes.c_void_p
    clone, place = CLONE[os.uname().machine], ctypes.c_void_p(_place_of_thread(libc))
    _set_memory(libc, ["python"], {})  # fails here where the kernel has not this
    end.sendall((1).to_bytes(LENGTH, "big"))
    while True:
        head, given, _, _ = socket.recv_fds(end, LENGTH, 3)
        if not head:
            os._exit(0)
        while len(head) < LENGTH:
            head += end.recv(LENGTH - len(head))
        length, text = int.from_bytes(head, "big"), b""
        while len(text) < length:
            text += end.recv(length - len(text))
        ctypes.pythonapi.PyOS_BeforeFork()
        flags = signal.SIGCHLD | CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID
        if not (pid := libc.syscall(clone, flags, None, None, place, place)):
            ctypes.pythonapi.PyOS_AfterFork_Child()
            end.close()
            return libc, given, json.loads(text)
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        for each in given:
            os.close(each)
        end.sendall(pid.to_bytes(LENGTH, "big"))


def _set_memory(libc, words, environ):
    """Let /proc tell these words and this environment."""
    line = b"".join(os.fsencode(word) + b"\0" for word in words)
    rest = b"".join(os.fsencode(f"{name}={value}") + b"\0" for name, value in environ.items())
    _kept.append(ctypes.create_string_buffer(line + rest, max(1, len(line + rest))))
    with open("/proc/self/stat", "rb") as file:
        fields = [0, 0, *map(int, file.read().rpartition(b") ")[2].split()[1:])]
    first = ctypes.addressof(_kept[-1])
    last = first + len(line)
    code, data, stack = fields[24:26], fields[43:45], fields[26]
    parts = [*code, *data, fields[45], libc.sbrk(0), stack, first, last, last, last + len(rest)]
    memory = _Memory(*parts, exe_fd=-1)
    if libc.prctl(PR_SET_MM, PR_SET_MM_MAP, ctypes.byref(memory), ctypes.c_ulong(ctypes.sizeof(memory)), 0):
        raise OSError(ctypes.get_errno(), "PR_SET_MM_MAP")


_kept: list = []


def _become(libc, given, called):
    """Be what a start of that line would be, up to its program."""
    for number, each in enumerate(given):
        os.dup2(each, number)
        os.close(each)
    os.chdir(called["cwd"])
    os.umask(called["umask"])
    for each, limit in zip(LIMITS, called["limits"], strict=True):
        if resource.getrlimit(each) != tuple(limit):
            resource.setrlimit(each, limit)
    os.sched_setaffinity(0, called["processors"])
    if called["session"]:
        os.setsid()
    words = called["args"]
    if words[0] == "/bin/sh":
        os.close(os.open(words[3], os.O_RDONLY))
        words = words[4:]
    if called["door"]:
        _stay_above(float(words[1]))
        words = words[2:]
    _set_memory(libc, words, called["environ"])
    os.environ.clear()
    os.environ.update(called["environ"])
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        mode = "w" if number else "r"
        new = open(number, mode, encoding=old.encoding, errors=old.errors, newline="\n", closefd=False)  # noqa: SIM115
        new.buffer.raw.name = f"<{name}>"
        if number == 2:
            new.reconfigure(line_buffering=True)
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    if called["door"]:
        sys.orig_argv[:], sys.argv[:] = words, words[3:]
        program = sys.modules["__main__"] = types.ModuleType("__main__")
        program.__file__ = DOOR[-1]
        return partial(exec, _kept[0], program.__dict__)
    program = importlib.import_module(PROGRAMS[words[2]])
    sys.path[0] = called["cwd"]
    sys.orig_argv[:], sys.argv[:] = words, [program.__file__, *words[3:]]
    sys.modules["__main__"] = program
    return program.main


def _stay_above(seconds):
    """Return in a child; stay what waits for its end, as the agent does, and ends as it does."""
    if child := os.fork():
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGTERM))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code < 0:
            os.kill(os.getpid(), -code)
        os._exit(code)


def main():
    """Be what is copied, and the copies: the socket of whoever calls for them is the last word."""
    end = socket.socket(fileno=int(sys.argv[-1]))
    try:
        _prepare()
        called = _copies(end)
    except BaseException:  # noqa: BLE001 - a signal, or a kernel that has not what this takes
        os._exit(1)
    try:
        _become(*called)()
        sys.exit()
    except SystemExit:
        raise
    except BaseException:  # noqa: BLE001 - what Python does
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)


if __name__ == "__main__":
    main()
