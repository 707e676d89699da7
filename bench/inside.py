"""Measures in a box of `asimi wrap`, and beside one; `ways.py` starts it and says on its standard input what.

In a box it runs under the name of an agent, so the agent's hook is there; it needs nothing but Python.
"""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SETTINGS = "/etc/codex/requirements.toml"
VALGRIND = "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--trace-children=yes"
COUNT = itertools.count()

now = time.perf_counter


def envelope():
    """What the agent says to its hook, of a command that was never there before."""
    told = {"session_id": "bench", "cwd": os.getcwd(), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    told |= {"tool_input": {"command": f"true # {next(COUNT)}"}, "tool_use_id": f"b{next(COUNT)}"}
    return json.dumps(told | {"model": "bench", "permission_mode": "default", "turn_id": "1"}).encode()


def python(count):
    """Start this interpreter, which the hook in a box runs in, too."""
    return start(count, sys.executable, "-c", "pass")


def start(count, *words):
    """Start a program again and again."""
    for _ in range(count):
        began = now()
        subprocess.run(words, input=b"", stdout=subprocess.DEVNULL, check=True)
        yield now() - began


def own():
    """The line of the hook that is in the box."""
    with open(SETTINGS, encoding="utf-8") as file:
        return json.loads(re.search(r'^command = (".*")$', file.read(), re.MULTILINE)[1])


def hook(count, line=""):
    """Start the hook as the agent does: by its line, or in a box by the one that is there."""
    line = line or own()
    for _ in range(count):
        given = envelope()
        began = now()
        subprocess.run(["/bin/sh", "-c", line], input=given, stdout=subprocess.DEVNULL, check=True)
        yield now() - began


def instructions():
    """What the hook in the box takes, and all that it starts."""
    yield counted(["/bin/sh", "-c", own()], envelope())


def counted(words, given, **options):
    """The instructions of a program and of all that it starts, in place of seconds."""
    with tempfile.TemporaryDirectory() as logs:
        words = [*VALGRIND, f"--log-file={logs}/%p", *map(str, words)]
        subprocess.run(words, input=given, capture_output=True, check=True, **options)
        said = [log.read_text(errors="replace") for log in pathlib.Path(logs).iterdir()]
    counts = [re.search(r"I +refs: +([\d,]+)", each) for each in said]
    if not any(counts):
        raise ValueError("valgrind counted nothing")
    return sum(int(each[1].replace(",", "")) for each in counts if each)


def call(count):
    """Ask the gate as the hook does, without starting one."""
    sys.path.insert(0, "/run/asimi")
    import _socket

    for _ in range(count):
        given = envelope()
        began = now()
        gate = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        gate.connect("/run/asimi/gate")
        gate.sendall(f"hook\0{os.getcwd()}\x001\0codex\0".encode() + given)
        gate.shutdown(_socket.SHUT_WR)
        answer = b""
        while piece := gate.recv(1 << 16):
            answer += piece
        gate.close()
        if not answer.startswith(b"0 "):
            raise SystemExit(f"the gate said: {answer!r}")
        yield now() - began


def latency(count, command):
    """What every way of `worker.py` answers: whether it lives."""
    return start(count, "bash", "-c", command)


if __name__ == "__main__":
    for line in sys.stdin:
        what, *told = json.loads(line)
        print(json.dumps(list(globals()[what](*told))), flush=True)
