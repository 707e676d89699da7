"""A program that holds one command to exec rules, as asimi does: python -m execs OPTIONS, a JSON object."""

import ctypes
import json
import os
import signal
import sys
import threading
import time

from asimi.core.call import Verdict
from asimi.core.judging.rules import rule_of
from asimi.world.executors.confining import supervising
from asimi.world.executors.confining.execs import ExecRules

SOURCE = "rules.toml:1"


def main(options):
    """Run it, to its end or until this program shall end."""
    rules = [rule_of(f"run_shell_command({each})", Verdict.DENY, SOURCE) for each in options["rules"]]
    refused = []
    supervisor = supervising.Supervisor(
        ExecRules(rules, os.environ["PATH"]), refused.append, after=options.get("after", True)
    )
    began = time.perf_counter()
    reading, writing = os.pipe()
    stages = options.get("kill", "")
    pid = confined(supervisor, options["argv"], options.get("output", writing), stages)
    os.close(writing)
    if stages == "started":
        os.kill(os.getpid(), signal.SIGKILL)
    if "ends" in options:  # asimi's end comes before the command's
        time.sleep(options["ends"])
        if stages:
            os.kill(os.getpid(), signal.SIGKILL)
        log = os.open(options["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        supervisor.hand_over(log)
        say({"pid": pid})
        return
    with open(reading, "rb") as file:
        output = file.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    ended = supervisor.join(5)
    say({
        "output": output, "code": code, "ended": ended, "seconds": time.perf_counter() - began,
        "refused": [each._asdict() for each in refused],
    })  # fmt: skip


def say(what):
    """Tell whoever started us."""
    sys.stdout.write(json.dumps(what))
    sys.stdout.flush()


def confined(supervisor, argv, output, kill=""):
    """Start a command in a thread that confines itself."""
    box = []

    def work():
        try:
            supervisor.confine()
            if kill == "confined":
                os.kill(os.getpid(), signal.SIGKILL)
            box.append(spawn(argv, output))
        except OSError as error:
            box.append(error)

    if kill == "waiting":  # the command's own first execution waits for an answer
        supervising._look = lambda *_: os.kill(os.getpid(), signal.SIGKILL) or time.sleep(9)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if isinstance(box[0], OSError):
        say({"error": box[0].errno})
        supervisor.hand_over()
        sys.exit(0)
    return box[0]


def spawn(argv, output):
    """The C library's `posix_spawn`, which lets other threads of ours run."""
    libc, pid = ctypes.CDLL(None), ctypes.c_int()
    actions = ctypes.create_string_buffer(1024)
    libc.posix_spawn_file_actions_init(actions)
    for number in (1, 2):
        libc.posix_spawn_file_actions_adddup2(actions, output, number)
    libc.posix_spawn_file_actions_addclosefrom_np(actions, 3)
    words = (ctypes.c_char_p * (len(argv) + 1))(*map(os.fsencode, argv), None)
    environment = [os.fsencode(f"{name}={value}") for name, value in os.environ.items()]
    strings = (ctypes.c_char_p * (len(environment) + 1))(*environment, None)
    code = libc.posix_spawnp(ctypes.byref(pid), os.fsencode(argv[0]), actions, None, words, strings)
    if code:
        raise OSError(code, os.strerror(code))
    return pid.value


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    main(given)
