"""An agent that answers its own questions: asks its hook, gives the yes to `asimi approve` in some way, asks again.

Started with the hook's command line, the way, and Python, with an envelope on standard input; prints both decisions. A
terminal that it makes types `y` where a question is on it.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

LONG = 40.0  # seconds in which `asimi approve` in a terminal says something or ends


IN_TERMINALS = {
    "terminal": [],
    "another's envelope": [],
    "first process": [],
    "wrapper": [],
    "script": ["script", "-qec", "{}", "/dev/null"],
    "setsid": ["setsid", "--ctty", "--wait"],
    "namespace": ["unshare", "-Urpf", "--mount-proc", "script", "-qec", "{}", "/dev/null"],
    "processes": ["unshare", "-pf", "--mount-proc", "sh", "-c", "{}; :"],
    "without /proc": ["unshare", "-Urm", "sh", "-c", "mount -t tmpfs none /proc; exec {}"],
}
"""What is before `asimi approve`, or around it, in a terminal of ours."""


def decided(line, envelope, *wrapper):
    """What the hook decides, and why."""
    done = subprocess.run([*wrapper, "/bin/sh", "-c", line], input=envelope, capture_output=True, check=False)
    said = json.loads(done.stdout)["hookSpecificOutput"]
    return said["permissionDecision"], said["permissionDecisionReason"]


def typed(words, environ=None):
    """What a program in a terminal of ours shows until it ends; whoever asks there gets a yes."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(words[0], words, os.environ | {"TERM": "xterm-256color"} | (environ or {}))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
    shown, end = b"", time.monotonic() + LONG
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data
        elif b"[n]" in shown:
            os.write(terminal, b"y")
        elif b"/n] " in shown:
            os.write(terminal, b"y\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    return shown


def left_alone(words, mark):
    """The same by a process that has left our tree."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            typed(words)
            Path(mark).write_text("done")
        os._exit(0)
    os.wait()
    end = time.monotonic() + LONG
    while not Path(mark).exists() and time.monotonic() < end:
        time.sleep(0.1)


def main():
    line, way, python = sys.argv[1:]
    envelope = sys.stdin.buffer.read()
    first, why = decided(line, envelope, *(["timeout", "60"] if way == "wrapper" else []))
    if way == "another's envelope":  # a command of ours asks in our name
        code = "import subprocess,sys; subprocess.run(['/bin/sh','-c',sys.argv[1]],input=sys.stdin.buffer.read())"
        made = subprocess.run(
            [python, "-c", code, line], input=envelope, capture_output=True, check=False, start_new_session=True
        )
        why = made.stdout.decode()
    approve = [python, "-m", "asimi", "approve", re.search(r"asimi approve (\w+)", why)[1]]
    if way == "rule":  # one that allows the command, in place of the answer
        way, approve = "terminal", [python, "-m", "asimi", "policy", "add", "run_shell_command(curl)"]
    if (words := IN_TERMINALS.get(way)) is not None:
        inside = [word.format(" ".join(approve)) for word in words]
        typed(inside if inside != words else [*words, *approve])
    elif way == "tmux":
        server = ["tmux", "-L", f"fake{os.getpid()}", "-f", "/dev/null"]
        subprocess.run([*server, "new-session", "-d", "-x100", "-y50", *approve], check=True)
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            shown = subprocess.run([*server, "capture-pane", "-p"], capture_output=True, check=False)
            if shown.returncode:
                break  # the program has ended, and the server with it
            if b"[n]" in shown.stdout:
                time.sleep(1)
                subprocess.run([*server, "send-keys", "y"], check=False)
            time.sleep(0.2)
        subprocess.run([*server, "kill-server"], capture_output=True, check=False)
    else:
        left_alone(approve, os.environ["MARK"])
    sys.stdout.write(json.dumps([first, decided(line, envelope)[0]]) + "\n")


if __name__ == "__main__":
    main()
