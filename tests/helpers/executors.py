"""Ways to run commands in tests: in this process, as a library would, and in a program that adopts what they leave."""

import asyncio
import contextlib
import itertools
import json
import os
import pathlib
import subprocess
import time

from asimi.core.call import Failure, RefusedExecution, Result, Stream
from asimi.world.executors.local import LocalExecutor
from helpers import MODULES, PATIENCE, PYTHON, executor

COUNT = itertools.count(1)

HELD = "until [ -e go ]; do sleep .01; done"
"""What a job does first that must outlive its call, however slow the machine is: it waits for a file."""


def result_of(data):
    """A result that came as JSON."""
    stdout, stderr, code, number, failure, pid, background, log, *rest, refused, sandbox, host = data
    failed = None if failure is None else Failure(*failure)
    streams = Stream(*stdout), Stream(*stderr)
    each = tuple(RefusedExecution(tuple(argv), *more) for argv, *more in refused)
    return Result(*streams, code, number, failed, pid, tuple(background), log, *rest, each, sandbox, host)


class Program:
    """The driver, as a process of its own."""

    def __init__(self, state, directory, *, adopt=True, before=(), python=PYTHON, **options):
        self.state, self.directory = str(state), str(directory)
        words = [*before, python, executor.__file__, self.state, "program" if adopt else "library"]
        environment = os.environ | MODULES
        environment.pop("ASIMI_RUN", None)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(words, **pipes, text=True, env=environment, start_new_session=True, **options)
        self.pid = self.process.pid

    def begin(self, *commands, **limits):
        """Start some commands at once; their ids."""
        interrupt = {"interrupt": limits.pop("interrupt")} if "interrupt" in limits else {}
        held = {name: limits.pop(name) for name in ("sandbox", "enforced", "environment") if name in limits}
        ids = [f"call{os.getpid()}x{next(COUNT)}" for _ in commands]
        calls = [
            {"id": name, "command": command, "directory": self.directory, "limits": limits} | held
            for name, command in zip(ids, commands, strict=True)
        ]
        calls[0] |= interrupt
        self.process.stdin.write(json.dumps(calls) + "\n")
        self.process.stdin.flush()
        return ids

    def results(self, count):
        """The results of the commands that were started, in their order."""
        lines = sorted(json.loads(self.process.stdout.readline()) for _ in range(count))
        return [result_of(data) for _, data in lines]

    def all(self, *commands, **limits):
        """Run some at once."""
        self.begin(*commands, **limits)
        return self.results(len(commands))

    def __call__(self, command, **limits):
        """Run one."""
        return self.all(command, **limits)[0]

    def end(self):
        """Close its input and wait."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return code

    def kill(self):
        """End it as nobody expects."""
        self.process.kill()
        self.end()


class Library:
    """The executor in this very process, as a host program would use it."""

    def __init__(self, state, directory):
        self.state, self.directory = str(state), str(directory)
        self.executor = LocalExecutor(self.state)

    def execution(self, command, environment=None, **limits):
        """An execution of a command."""
        name, held = f"call{os.getpid()}x{next(COUNT)}", (limits.pop("sandbox", None), limits.pop("enforced", ()))
        return executor.execution(name, command, self.directory, limits, environment, *held)

    def all(self, *commands, **limits):
        """Run some at once."""

        async def gathered():
            return await asyncio.gather(*(self.executor.run(self.execution(command, **limits)) for command in commands))

        return asyncio.run(gathered())

    def __call__(self, command, listener=None, environment=None, **limits):
        """Run one."""
        return asyncio.run(self.executor.run(self.execution(command, environment, **limits), listener))

    def end(self):
        """Nothing to end."""


def sleeping(probe):
    """The processes that run a sleep of this very length."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
                if words[1:2] == [probe.encode()]:
                    found.append(int(entry))
    return found


def eventually(true, patience=PATIENCE):
    """Wait until something holds, and say whether it came to hold."""
    end = time.monotonic() + patience
    while not (now := true()) and time.monotonic() < end:
        time.sleep(0.01)
    return now
