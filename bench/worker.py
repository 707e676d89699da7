"""One way to run commands; `ways.py` starts it and says on its standard input what to measure."""

import asyncio
import contextlib
import functools
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

now = time.perf_counter
COUNT = itertools.count()
LEAVES = "setsid -f sleep @; sleep @; true"  # one process of the tree is in a session of its own


def argv(command):
    return ["/bin/bash", "-c", "--", command]


def end(probe):
    """How many sleeps are left; kills them."""
    left = 0
    for entry in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
        try:
            words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:2] == [probe.encode()]:
            os.kill(int(entry), signal.SIGKILL)
            left += 1
    return left


class Way:
    """A way to run commands."""

    def timeout(self, limit):
        """How long a tree of processes with a limit takes, and how many of them are left."""
        probe = f"11.{os.getpid()}{next(COUNT)}"
        began = now()
        self.within(LEAVES.replace("@", probe), limit)
        seconds = now() - began
        time.sleep(0.05)
        yield {"seconds": seconds, "left": end(probe)}

    def within(self, command, limit):
        """Run a command with a limit."""
        raise NotImplementedError


class Subprocess(Way):
    """`subprocess.run`, in threads where there are many."""

    def one(self, command, limit=None):
        options = {"stdin": subprocess.DEVNULL, "capture_output": True, "start_new_session": True, "timeout": limit}
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(argv(command), check=False, **options)

    def latency(self, count, command):
        for _ in range(count):
            began = now()
            self.one(command)
            yield now() - began

    def concurrent(self, count, command):
        began = now()
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(self.one, [command] * count))
        yield now() - began

    def within(self, command, limit):
        self.one(command, limit)


class Loop(Way):
    """A way that runs in an event loop."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()

    async def one(self, command, limit=None):
        raise NotImplementedError

    def latency(self, count, command):
        """One after the other; a `{}` in the command becomes a number that was never there before."""

        async def each():
            times = []
            for _ in range(count):
                text = command.format(next(COUNT))
                began = now()
                await self.one(text)
                times.append(now() - began)
            return times

        return self.loop.run_until_complete(each())

    def concurrent(self, count, command):
        async def together():
            await asyncio.gather(*(self.one(command) for _ in range(count)))

        began = now()
        self.loop.run_until_complete(together())
        yield now() - began

    def within(self, command, limit):
        self.loop.run_until_complete(self.one(command, limit))


class Asyncio(Loop):
    """`communicate`, as most programs do it."""

    async def one(self, command, limit=None):
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *argv(command), stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True
        )
        try:
            await asyncio.wait_for(process.communicate(), limit)
        except TimeoutError:
            process.kill()
            await process.wait()


class Executor(Loop):
    """asimi's executor, without the gate around it; in a sandbox by a backend."""

    def __init__(self, backend=None):
        super().__init__()
        from asimi.core.call import Sandbox
        from asimi.world.executors.local import LocalExecutor

        self.executor = LocalExecutor("state", adopt=True)
        self.environment = dict(os.environ)
        os.makedirs("work", exist_ok=True)
        self.sandbox = Sandbox("project", ("work",), backend=backend) if backend else Sandbox()

    async def one(self, command, limit=None):
        from asimi.core.call import Approval, Execution, Limits, Place, Request

        directory = os.getcwd()
        request = Request("run_shell_command", command, None, Place(directory, directory, inside=True))
        words, yes = tuple(argv(command)), Approval(yes=True, by="policy")
        limits = Limits(timeout=limit)
        named = Execution(f"b{next(COUNT)}", request, words, directory, self.environment, limits, yes, self.sandbox)
        result = await self.executor.run(named)
        if result.failure is not None:
            raise SystemExit(str(result))


class Gate(Loop):
    """asimi as a server has it: read, judged, run, recorded."""

    def __init__(self):
        super().__init__()
        self.gates = {}

    def gate(self, timeout):
        if timeout not in self.gates:
            from asimi.compose import Options
            from asimi.compose.gate import open_gate

            self.gates[timeout] = open_gate(Options(), timeout=timeout, shared=True, adopt=True)
        return self.gates[timeout]

    async def one(self, command, limit=None):
        from asimi.core.call import Result, ToolCall
        from asimi.tools.run_shell_command import RunShellCommandTool

        call = ToolCall("run_shell_command", {"command": command}, None, "bench")
        result = await self.gate(limit).run(call, RunShellCommandTool())
        if not isinstance(result, Result) or result.failure is not None:
            raise SystemExit(str(result))

    def judge(self, file, clock="perf_counter"):
        """What each verdict takes by a clock; a gate before had the same texts, so that what they load is loaded."""
        from asimi.core.call import ToolCall
        from asimi.core.errors import AsimiError
        from asimi.tools.run_shell_command import RunShellCommandTool

        tool, texts = RunShellCommandTool(), json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        now = getattr(time, clock)
        for last in (False, True):
            self.gates.clear()
            gate = self.gate(None)
            for text in texts:
                call = ToolCall("run_shell_command", {"command": text}, None, "bench")
                began = now()
                with contextlib.suppress(AsimiError):
                    gate.judge(tool.read(call, gate.workspace, gate.shell))
                if last:
                    yield now() - began

    def audit(self, count):
        """What the two log lines of a call cost."""
        from asimi.core.call import Approval, Record, Result, ToolCall
        from asimi.tools.run_shell_command import RunShellCommandTool

        gate, call = self.gate(None), ToolCall("run_shell_command", {"command": "true"}, None, "bench")
        request = RunShellCommandTool().read(call, gate.workspace, gate.shell)
        start = Record("", "start", call, request, gate.judge(request), Approval(yes=True, by="policy"))
        for number in range(count):
            began = now()
            gate.audit.write(start._replace(id=f"b{number}"))
            gate.audit.write(start._replace(id=f"b{number}", event="end", result=Result(exit_code=0, pid=1)))
            yield now() - began


SANDBOXES = {backend: functools.partial(Executor, backend) for backend in ("landlock", "bubblewrap")}
WAYS = {"asimi": Gate, "executor": Executor, **SANDBOXES, "subprocess.run": Subprocess, "asyncio": Asyncio}


def main():
    """Answer each line."""
    way = WAYS[sys.argv[1]]()
    for line in sys.stdin:
        what, *told = json.loads(line)
        print(json.dumps(list(getattr(way, what)(*told))), flush=True)


if __name__ == "__main__":
    main()
