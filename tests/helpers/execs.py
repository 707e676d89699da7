"""A program that holds one command to exec rules, as asimi does: python -m execs OPTIONS, a JSON object."""

import json
import os
import signal
import sys
import time

from asimi.core.call import Verdict
from asimi.core.judging.rules import rule_of
from asimi.extras.exec_rules import supervising
from asimi.extras.exec_rules.execs import ExecRules
from asimi.world.executors.confining.system import ConfinementError, start_confined
from asimi.world.executors.starting import Start

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
        os.close(os.open(options["log"], os.O_WRONLY | os.O_CREAT, 0o600))
        supervisor.log = options["log"]
        supervisor.hand_over()
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


class Killed:
    """A supervisor whose program is killed as soon as the filter is there."""

    def __init__(self, supervisor):
        self.supervisor = supervisor

    def confine(self):
        self.supervisor.confine()
        os.kill(os.getpid(), signal.SIGKILL)


def confined(supervisor, argv, output, kill=""):
    """Start a command in a thread that confines itself."""
    if kill == "waiting":  # the command's own first execution waits for an answer
        supervising._look = lambda *_: os.kill(os.getpid(), signal.SIGKILL) or time.sleep(9)
    environment = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}
    begin = Start(argv, ".", environment, (0, output, output))
    try:
        return start_confined([(Killed(supervisor) if kill == "confined" else supervisor).confine], begin)
    except ConfinementError as error:
        say({"error": str(error)})
        supervisor.dismiss()
        sys.exit(0)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)  # ours: another Python, which a command may start, fails with it
    given = json.loads(sys.argv[1])
    main(given)
