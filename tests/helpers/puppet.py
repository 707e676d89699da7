"""An agent of one process that asks its hook about each command it is told, and says what the hook decides.

Started with the hook's command line and a template of an envelope, in which `COMMAND` stands for the command; reads one
command a line, and prints one JSON value a line: the decision and the reason.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager

from helpers import PATIENCE, PYTHON
from helpers.hooks import envelope

FILE = __file__


class Puppet:
    """One that runs.

    Args:
        process: its process.
    """

    def __init__(self, process):
        self.process, self.pid = process, process.pid

    def asks(self, command):
        """What its hook decides about a command, and why."""
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return tuple(json.loads(self.process.stdout.readline()))


@contextmanager
def puppet(home, line, cwd=None, session="one", **more):
    """An agent in a home, whose hook is started by a line."""
    given = envelope("claude-code", "COMMAND", cwd or home.root, permission_mode="auto", session_id=session)
    process = subprocess.Popen(
        [PYTHON, FILE, line, json.dumps(given)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=home.environ | more,
        cwd=cwd or home.root,
        start_new_session=True,
        text=True,
    )
    with process:
        try:
            yield Puppet(process)
        finally:
            process.stdin.close()
            process.wait(PATIENCE)


def main(line, template):
    for command in sys.stdin:
        given = json.loads(template.replace('"COMMAND"', json.dumps(json.loads(command))))
        done = subprocess.run(
            ["/bin/sh", "-c", line], input=json.dumps(given).encode(), capture_output=True, check=False
        )
        said = json.loads(done.stdout)["hookSpecificOutput"]
        sys.stdout.write(json.dumps([said["permissionDecision"], said["permissionDecisionReason"]]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
