"""Measures in a box of `asimi wrap`, and beside one; `ways.py` starts it and says on its standard input what.

In a box it runs under the name of an agent, so the agent's hook is there; it needs nothing but Python.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import time

SETTINGS = "/etc/codex/requirements.toml"
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


def hook(count, line=""):
    """Start the hook as the agent does: by its line, or in a box by the one that is there."""
    if not line:
        with open(SETTINGS, encoding="utf-8") as file:
            line = json.loads(re.search(r'^command = (".*")$', file.read(), re.MULTILINE)[1])
    for _ in range(count):
        given = envelope()
        began = now()
        subprocess.run(["/bin/sh", "-c", line], input=given, stdout=subprocess.DEVNULL, check=True)
        yield now() - began


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


for line in sys.stdin:
    what, *told = json.loads(line)
    print(json.dumps(list(globals()[what](*told))), flush=True)
