"""Run by a command that asimi runs: leaves behind what tells so, and is a person at a terminal of its own.

    impostor.py REPORT WAY WORD...

The words are asimi's. Whatever it asks is answered with y. The report is what the terminal showed.
"""

from __future__ import annotations

import os
import pty
import resource
import select
import shlex
import signal
import subprocess
import sys
import time

RLIMIT_LOCKS = 10
QUIET = 0.5
"""Seconds without a new word after which a question is answered."""

LONGEST = 40.0
"""Seconds after which an answer is given up."""


def typed(program):
    """What a program shows at a terminal where every question is answered with y."""
    child, terminal = pty.fork()
    if not child:
        os.execvp(program[0], program)
    shown, keys, end = b"", 0, time.monotonic() + LONGEST
    while time.monotonic() < end:
        if not select.select([terminal], [], [], QUIET)[0]:
            os.write(terminal, (b"y", b"\r")[keys % 2])
            keys += 1
            continue
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return shown.decode(errors="replace")


def at_a_terminal_of_its_own(asimi):
    return typed(asimi)


def by_script(asimi):
    return typed(["script", "-qec", shlex.join(asimi), "/dev/null"])


def by_expect(asimi):
    keys = "for {set i 0} {$i < 20} {incr i} {expect eof {break} timeout {send y; sleep 0.5; send \\r}}"
    words = " ".join("{" + word + "}" for word in asimi)
    return said_by(["expect", "-c", f"set timeout 1; spawn -noecho {words}; {keys}"])


def by_tmux(asimi):
    """A server of its own, into which keys are sent."""
    tmux = ["tmux", "-S", os.path.abspath("tmux.socket"), "-f", "/dev/null"]
    said_by([*tmux, "new-session", "-d", "-x", "150", "-y", "50", in_shell(asimi)])
    shown = pressed(lambda key: said_by([*tmux, "send-keys", key]), lambda: said_by([*tmux, "capture-pane", "-p"]))
    said_by([*tmux, "kill-server"])
    return shown


def by_screen(asimi):
    """A server of its own, into which keys are stuffed."""
    screen = ["screen", "-S", f"impostor{os.getpid()}"]
    said_by([*screen, "-dm", "sh", "-c", in_shell(asimi)])
    keys = {"y": "y", "Enter": "\r"}

    def copied():
        said_by([*screen, "-X", "hardcopy", os.path.abspath("screen.copy")])
        while not os.path.exists("screen.copy"):
            time.sleep(0.05)
        time.sleep(QUIET)
        with open("screen.copy", errors="replace") as file:
            return file.read()

    shown = pressed(lambda key: said_by([*screen, "-X", "stuff", keys[key]]), copied)
    said_by([*screen, "-X", "quit"])
    return shown


def in_shell(asimi):
    """For a shell: asimi, whose end is told by a file."""
    return f"{shlex.join(asimi)}; touch ENDED; sleep 600"


def pressed(press, seen):
    """What is seen at last where y and Enter are pressed in turn until asimi has ended."""
    for key in ("y", "Enter") * 20:
        time.sleep(QUIET)
        if os.path.exists("ENDED"):
            break
        press(key)
    return seen()


def said_by(program):
    done = subprocess.run(program, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr


def in_a_namespace(asimi):
    """In a process namespace of its own, which hides all ancestors."""
    return typed(["unshare", "-Urpf", "--mount-proc", "sh", "-c", '"$@"; exit $?', "sh", *asimi])


def in_a_namespace_with_an_old_proc(asimi):
    """In such a namespace, where /proc tells of other processes with the same numbers."""
    return typed(["unshare", "-Urpf", "sh", "-c", '"$@"; exit $?', "sh", *asimi])


def in_anothers_namespace(asimi):
    """In the namespace of a process that is there already (setns(2))."""
    holder = subprocess.Popen(["unshare", "-Urpf", "--mount-proc", "sh", "-c", "echo; exec cat"], stdin=-1, stdout=-1)
    holder.stdout.readline()
    inside = said_by(["ps", "-o", "pid=", "--ppid", str(holder.pid)]).split()[0]
    shown = typed(["nsenter", "-U", "--preserve-credentials", "-p", "-m", "-t", inside, f"-w{os.getcwd()}", *asimi])
    holder.communicate()
    return shown


def after_the_end_of_the_gate(asimi):
    """A child of process 1, or of whoever adopts it."""
    gate = gate_of(os.getpid())
    if os.fork():
        os._exit(0)
    while alive(gate):
        time.sleep(0.05)
    return typed(asimi)


def after_killing_the_gate(asimi):
    os.kill(gate_of(os.getpid()), signal.SIGKILL)
    return after_the_end_of_the_gate(asimi)


def gate_of(pid):
    """The asimi that runs this command; where none does, a process that has ended."""
    while pid > 1:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if b"asimi\0run\0" in file.read():
                return pid
        with open(f"/proc/{pid}/stat", "rb") as file:
            pid = int(file.read().rpartition(b")")[2].split()[1])
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in {b"Z", b"X"}
    except OSError:
        return False


def main():
    report, way, *words = sys.argv[1:]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ASIMI")}
    if environ != os.environ:  # what a process was started with can be read as long as it lives
        os.execve(sys.executable, [sys.executable, *sys.argv], environ)
    os.environ["TERM"] = "xterm-256color"
    hard = resource.getrlimit(RLIMIT_LOCKS)[1]
    resource.setrlimit(RLIMIT_LOCKS, (hard, hard))
    if os.fork():
        os.wait()
        return
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    try:
        shown = globals()[way]([sys.executable, "-m", "asimi", *words])
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the report
        shown = f"{type(error).__name__}: {error}"
    with open(f"{report}.new", "w") as file:
        file.write(shown)
    os.rename(f"{report}.new", report)


if __name__ == "__main__":
    main()
