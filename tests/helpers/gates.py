"""The gate of a box in a process of its own, without a box: what is inside is anybody who connects."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, nullcontext

from helpers import PATIENCE, PYTHON
from helpers.hooks import HookedHome, Said, envelope

ASK = """
import sys
from asimi.doors.wrap.client import talk
sys.exit(talk(sys.argv[2], sys.argv[3:], sys.argv[1]))
"""


class GatedHome(HookedHome):
    """A home with the gate of a box in it."""

    def __init__(self, directory):
        super().__init__(directory)
        self.runtime = directory / "box"
        self.runtime.mkdir(mode=0o700)
        self.gate, self.process = self.runtime / "gate", None

    def open(self, **environ):
        """Start the gate, and return once it hears."""
        self.process = subprocess.Popen(
            [PYTHON, "-m", "helpers.gates", str(self.runtime)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.environ | environ,
            cwd=self.root,
        )
        assert self.process.stdout.readline() == b"ready\n"
        return self

    def close(self):
        """End the gate as `asimi wrap` does."""
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait(PATIENCE)
            self.process.stdout.close()

    def kills(self):
        """Kill the gate."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def client(self, name, *words, **pipes):
        """Start a client."""
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | pipes
        argv = [
            PYTHON,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path[:0] = {sys.path!r}\n{ASK}",
            str(self.gate),
            name,
            *words,
        ]
        return subprocess.Popen(argv, **{"cwd": self.root} | options)

    def says(self, name, *words, given=b""):
        """What the gate answers."""
        process = self.client(name, *words)
        out, err = process.communicate(given, timeout=PATIENCE)
        return Said(out.decode().removesuffix("\n"), err.decode().removesuffix("\n"), process.returncode)

    def judged(self, command, agent="codex", **changes):
        """What the gate answers to an agent's hook: the decision, and why."""
        said = self.says("hook", agent, given=json.dumps(envelope(agent, command, self.root, **changes)).encode())
        assert said.code == 0, said
        if not said.out:
            return "allow", ""
        answer = said.json["hookSpecificOutput"]
        if "updatedInput" in answer:
            return "outside", answer["updatedInput"]["command"]
        return answer["permissionDecision"], answer["permissionDecisionReason"]

    def redeems(self, client, **pipes):
        """What a client in the box gets for a ticket, given its command line."""
        process = self.client(*client.split(), **pipes)
        out, err = process.communicate(b"", timeout=PATIENCE)
        return process.returncode, out.decode(), err.decode()

    def memory(self):
        """Kilobytes that the gate has in memory."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


class Nothing:
    """Stands where the box is, of which nothing stands still; all processes are in it."""

    def __init__(self, lost):
        self._lost = lost

    def still(self):
        return nullcontext()

    def restore(self):
        return open(self._lost, encoding="utf-8").read() if os.path.exists(self._lost) else ""

    def changed_path(self):
        return ""

    def accept(self):
        pass

    def has(self, pid):
        return True


def main(runtime):
    """Hear clients until the end of standard input; a file `lost` beside the socket says what the box lost."""
    from asimi.compose import Options
    from asimi.compose.boxed import open_boxed
    from asimi.doors.wrap import outside as leaving
    from asimi.doors.wrap.outside import Outside
    from asimi.doors.wrap.session import BoxServer
    from asimi.doors.wrap.summary import SessionEnd, Tally

    lost = os.path.join(runtime, "lost")

    def held():
        return open(lost, encoding="utf-8").read() if os.path.exists(lost) else ""

    leaving.LASTS = float(os.environ.get("TICKETS_LAST", leaving.LASTS))
    boxed = open_boxed(Options(), "test", lambda: os.environ, ("/nowhere",))
    tally = Tally(boxed.log)
    root = boxed.configuration.root
    outside = Outside(boxed, Nothing(os.path.join(runtime, "lost")), (root,), tally, lambda _: None)
    gate = BoxServer(
        boxed,
        runtime,
        lambda: os.environ,
        held=held,
        broken=lambda _: None,
        hooked=True,
        outside=outside,
        worktree=lambda _words, _directory: (125, b"", b""),
        audit=tally,
    )
    with closing(gate):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()
        sys.stdout.write("\n".join(tally.lines(SessionEnd("Codex CLI", "test", 0, True, gate.heard, {}))))


if __name__ == "__main__":
    main(sys.argv[1])
