"""What decides about names for a box, in a process of its own, without a box.

Each line of its standard input is a name and a port as JSON, and addresses that the name leads to; an answer comes for
each, in any order: the same, and what was decided. `call NAME` lets a call of that id begin; `tell` has it tell what
came of all names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

from helpers import PATIENCE, PYTHON
from helpers.hooks import HookedHome


class NamedHome(HookedHome):
    """A home with what decides about names in it."""

    def open(self, *names, **environ):
        """Start it, with names that are reached besides."""
        self.process = subprocess.Popen(
            [PYTHON, "-m", "helpers.names", *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.environ | environ,
            cwd=self.root,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n"
        return self

    def says(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def wants(self, host, port=443, *leads):
        """Want a name, which leads to some addresses; `answer` gives what was decided."""
        self.says(json.dumps([host, port, *leads]))

    def answer(self):
        """The next answer: the name, whether it is reached, why, who said so."""
        return json.loads(self.process.stdout.readline())

    def decided(self, host, port=443, *leads):
        """Whether a name is reached, where nobody is waited for."""
        self.wants(host, port, *leads)
        return self.answer()[1]

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


def main(names):
    from asimi.compose import Options
    from asimi.compose.boxed import open_boxed
    from asimi.compose.reaching import deciding_of
    from asimi.core.judging.names import name_of

    boxed = open_boxed(Options(), "test", lambda: os.environ, ("/nowhere",))
    running = [("", "")]
    deciding = deciding_of(
        boxed, [name_of(each) for each in names], (), "codex", running=lambda: running[0], told=boxed.log.write_network
    )
    lock = threading.Lock()

    def answer(host, port, *leads):
        said = deciding.decide(host, port, lambda: "curl https://x\x1b[31m")
        shut = [each for each in leads if said.yes and deciding.usable(each, port, said)]
        if shut and said.asks:
            said = deciding.decide_private(host, port, shut, lambda: "curl https://x") or said._replace(yes=False)
            shut = [each for each in leads if said.yes and deciding.usable(each, port, said)]
        said = said._replace(yes=said.yes and not shut)
        deciding.began(host, port, said, lambda: "curl\x1b[31m -H 'Authorization: Bearer abcdefghij0123456789'")(3, 4)
        with lock:
            sys.stdout.write(json.dumps([host, said.yes, said.why, said.by]) + "\n")
            sys.stdout.flush()

    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        if line.startswith("call "):
            running[0] = (line[5:].strip(), "npm install")
        elif line == "tell\n":
            deciding.tell()
            answer("told.invalid", 1)
        else:
            threading.Thread(target=answer, args=json.loads(line), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1:])
