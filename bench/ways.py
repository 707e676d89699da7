"""The ways to run or judge a command, each a process of its own that is told what to do and says what it took.

Every way is called with what is asked and answers with samples: a dictionary for each time, `seconds` and what else is
known of it. A way that is not on this machine raises `Missing`, one that fails `Broken`.
"""

import functools
import itertools
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time
from typing import NamedTuple

from inside import counted

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PATIENCE = 240.0  # seconds without a byte after which a way is broken

ALL = 'coreTools = ["run_shell_command"]\n'
DENY = '[[rules]]\ndecision = "deny"\ncommand = "{}"\nenforce = "exec"\n'
EXECS = ALL + DENY.format("git push") + DENY.format("terraform apply")
DEVELOPER = "developer"
"""The configurations: everything is allowed; besides, rules that the kernel holds; and a preset."""

PROJECT = "project"
PARTS = 500
MAKEFILE = "all:\n" + "\t@/bin/true\n" * PARTS

CLIENT = {"clientInfo": {"name": "bench", "version": "1"}}
INITIALIZE = {
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, **CLIENT},
}
START = "from asimi.__main__ import main; main()"
"""What the program in the PATH does. `python -m` loads `runpy` first, two thirds of Python's own start."""

SDK = "import mcp.server.lowlevel, mcp.server.stdio; print()"


class Missing(Exception):
    """It is not on this machine, or cannot do what is asked."""


class Broken(Exception):
    """It should have answered and did not."""


class Scene(NamedTuple):
    """Where is measured.

    Attributes:
        python: the interpreter.
        floor: the C program.
        scratch: a directory for what the ways write.
        peers: where `make peers` put the others.
        texts: commands to judge.
    """

    python: str
    floor: str
    scratch: str
    peers: pathlib.Path
    texts: list[str]

    def home(self, config=ALL):
        """A new home with a configuration and a project."""
        home = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        (home / PROJECT).mkdir()
        (home / PROJECT / "Makefile").write_text(MAKEFILE)
        if config == DEVELOPER:
            run([self.python, "-m", "asimi", "config", "init", "--preset", config], home)
        else:
            (home / ".config" / "asimi").mkdir(parents=True)
            (home / ".config" / "asimi" / "config.toml").write_text(config)
        return home


def environment(home):
    """What every way gets: the least, and asimi from here."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT)}


def run(words, home):
    """Run a program in a home's project; what it prints."""
    here = {"cwd": home / PROJECT, "env": environment(home), "stdin": subprocess.DEVNULL}
    done = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True, **here)
    if done.returncode:
        raise Broken(f"{pathlib.Path(words[0]).name} ended with {done.returncode}: {last(done.stderr)}")
    return done.stdout


def last(text):
    """The last line of what a program complained of."""
    return (text.strip().splitlines() or [""])[-1][:200]


class Floor:
    """The C program, which starts a shell with as little as possible."""

    def __init__(self, scene):
        self.floor, self.home, self.most = scene.floor, scene.home(), None

    def __call__(self, what, *told):
        *seconds, most = map(float, run([self.floor, what, *told], self.home).split())
        self.most = most / 1024
        return [{"seconds": each} for each in seconds]

    def memory(self):
        """The most memory that it had, in MiB."""
        return self.most

    def close(self):
        """Nothing of it is left."""


class Process:
    """A way that lives as long as it is asked.

    Args:
        words: its program.
        home: its home.
        variables: what it needs in its environment besides.
    """

    def __init__(self, words, home, **variables):
        self.home, self.rest = home, b""
        self.process = subprocess.Popen(
            list(map(str, words)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=open(home / "stderr", "wb"),  # noqa: SIM115 - the process keeps it
            bufsize=0,
            cwd=home / PROJECT,
            env=environment(home) | variables,
        )

    def write(self, data):
        try:
            self.process.stdin.write(data)
        except OSError as error:
            raise Broken(f"it reads no more: {error.strerror}") from None

    def line(self):
        """The next line that it writes."""
        parts = [self.rest]
        while b"\n" not in parts[-1]:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise Broken(f"no answer in {PATIENCE:.0f} s")
            if not (data := os.read(self.process.stdout.fileno(), 1 << 18)):
                raise Broken(f"it ended without an answer: {last((self.home / 'stderr').read_text(errors='replace'))}")
            parts.append(data)
        line, _, self.rest = b"".join(parts).partition(b"\n")
        return line

    def memory(self):
        """The most memory that it had, in MiB; None where there is no /proc."""
        try:
            lines = pathlib.Path("/proc", str(self.process.pid), "status").read_text().splitlines()
        except OSError:
            return None
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), None)

    def close(self):
        """End it."""
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Worker(Process):
    """A process that takes the time itself: it reads what is asked as a line of JSON and answers with the seconds."""

    def __init__(self, words, home):
        super().__init__(words, home)
        self("latency", 10, "true")

    def __call__(self, what, *told):
        self.write(json.dumps([what, *told]).encode() + b"\n")
        return [each if isinstance(each, dict) else {"seconds": each} for each in json.loads(self.line())]


def worker(way, scene, config=ALL):
    """A way of `worker.py`."""
    return Worker([scene.python, HERE / "worker.py", way], scene.home(config))


def gemini(scene):
    """The part of Gemini CLI that runs commands and judges them."""
    core = scene.peers / "node_modules" / "@google" / "gemini-cli-core"
    if not core.exists() or not shutil.which("node"):
        raise Missing("not installed")
    return Worker(["node", HERE / "gemini.mjs", core / "dist" / "index.js"], scene.home())


class Server(Process):
    """A process that takes calls as lines of JSON; the time is taken here, from the first byte to the last."""

    hello = ()
    numbers = itertools.count(1)

    def __init__(self, words, home, **variables):
        super().__init__(words, home, **variables)
        for each in self.hello:
            self.write(json.dumps(each).encode() + b"\n")
            if "id" in each:
                self.answer()
        self("latency", 10, "true")

    def request(self, number, command):
        """The call of a command."""
        raise NotImplementedError

    def ran(self, answer):
        """Whether an answer says that the command ran and succeeded."""
        raise NotImplementedError

    def __call__(self, what, count, command):
        numbers = [next(self.numbers) for _ in range(count)]
        calls = [json.dumps(self.request(number, command.format(number))).encode() + b"\n" for number in numbers]
        if what == "concurrent":
            return [self.timed(b"".join(calls), count)]
        return [self.timed(call, 1) for call in calls]

    def timed(self, data, count):
        """A sample: calls written, and their answers read."""
        began = time.perf_counter()
        self.write(data)
        answers = [self.line() for _ in range(count)]
        seconds = time.perf_counter() - began
        while count:  # what was no answer was read in its place
            answer = json.loads(answers.pop(0)) if answers else self.answer()
            if "id" in answer:
                count -= 1
                if not self.ran(answer):
                    raise Broken(f"it answered: {answer.get('error', {}).get('message') or json.dumps(answer)[:200]}")
        return {"seconds": seconds}

    def answer(self):
        """The next answer; what is said besides is left out."""
        while "id" not in (value := json.loads(self.line())):
            pass
        return value


class Serve(Server):
    """`asimi serve`."""

    def __init__(self, scene):
        super().__init__([scene.python, "-m", "asimi", "serve", "--jobs", "1000"], scene.home())

    def request(self, number, command):
        return {"id": str(number), "name": "run_shell_command", "arguments": {"command": command}}

    def ran(self, answer):
        return '"exitCode": 0' in json.dumps(answer)


class Codex(Server):
    """Codex's server, which runs commands for editors; without its sandbox."""

    hello = ({**INITIALIZE, "params": CLIENT}, {"method": "initialized"})

    def __init__(self, scene):
        super().__init__([codex(scene), "app-server"], scene.home())

    def request(self, number, command):
        told = {"command": ["bash", "-c", command], "cwd": str(self.home), "timeoutMs": 60_000}
        told["sandboxPolicy"] = {"type": "dangerFullAccess"}
        return {"id": number, "method": "command/exec", "params": told}

    def ran(self, answer):
        return answer.get("result", {}).get("exitCode") == 0


def codex(scene):
    """Codex's program."""
    if found := [*scene.peers.glob("node_modules/@openai/codex-*/vendor/*/bin/codex")]:
        return found[0]
    raise Missing("not installed")


class McpShell(Server):
    """mcp-shell-server, which starts single programs that are listed; it refuses bash."""

    hello = ({"jsonrpc": "2.0", **INITIALIZE}, {"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __init__(self, scene):
        super().__init__([mcp_shell(scene)], scene.home(), ALLOW_COMMANDS="true")

    def request(self, number, command):
        told = {"name": "shell_execute", "arguments": {"command": command.split(), "directory": str(self.home)}}
        return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": told}

    def ran(self, answer):
        return answer.get("result", {}).get("isError") is False


def mcp_shell(scene):
    """mcp-shell-server's program."""
    if (program := scene.peers / "python" / "bin" / "mcp-shell-server").exists():
        return program
    raise Missing("not installed")


class Starts:
    """Whole programs, from nothing to their end."""

    def __init__(self, scene):
        self.scene, self.home, self.most = scene, scene.home(), None
        self.asimi = [scene.python, "-c", START]

    def __call__(self, name, *told):
        words, given, home = getattr(self, name)(*told)
        seconds, most = map(float, run([self.scene.floor, "start", given, 0, *words], home).split())
        self.most = most / 1024
        return [{"seconds": seconds}]

    def words(self, *words):
        """A program that reads nothing."""
        return words, os.devnull, self.home

    def python(self):
        return self.words(self.scene.python, "-c", "pass")

    def own(self, *words):
        """A command of asimi's."""
        return self.words(*self.asimi, *words)

    @functools.cache  # noqa: B019 - a way lives as long as the benchmark
    def hook(self, alone=""):
        """Claude Code's hook as asimi installs it, and what Claude Code says to it; `alone`: without a gate."""
        home = self.scene.home(ALL + "[hook]\nresident = false\n") if alone else self.home
        run([*self.asimi, "hook", "install", "claude-code"], home)
        settings = json.loads((home / ".claude" / "settings.json").read_text())
        told = {"session_id": "bench", "cwd": str(home / PROJECT), "permission_mode": "default"}
        told |= {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "true"}}
        told |= {"transcript_path": str(home / "bench.jsonl"), "tool_use_id": "bench"}
        (home / "told.json").write_text(json.dumps(told))
        line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        with open(home / "told.json", "rb") as given:  # the first one leaves the gate behind
            here = {"cwd": home / PROJECT, "env": environment(home), "stdin": given}
            subprocess.run(["/bin/sh", "-c", line], check=False, capture_output=True, **here)
        time.sleep(2)
        return ["/bin/sh", "-c", line], home / "told.json", home

    @functools.cached_property
    def developer(self):
        """A home with the preset."""
        return self.scene.home(DEVELOPER)

    def table(self, count):
        """`asimi policy test` of so many rows, no two of them the same."""
        texts = itertools.islice(itertools.cycle(self.scene.texts), count)
        rows = (json.dumps({"command": f"# {number}\n{text}"}) + "\n" for number, text in enumerate(texts))
        (self.developer / PROJECT / "rows.jsonl").write_text("".join(rows))
        return [*self.asimi, "policy", "test", "rows.jsonl"], os.devnull, self.developer

    def execpolicy(self):
        """What Codex decides by its rules."""
        (self.home / "codex.rules").write_text('prefix_rule(pattern = ["true"], decision = "allow")\n')
        return self.words(codex(self.scene), "execpolicy", "check", "--rules", self.home / "codex.rules", "true")

    def memory(self):
        """The most memory that the last one had, in MiB."""
        return self.most

    def close(self):
        """They have ended, but for the resident gate."""
        run([*self.asimi, "doctor", "--stop-gate"], self.home)


class Counted(Starts):
    """The same, with the instructions of all their processes in place of seconds: no load changes these."""

    def __init__(self, scene):
        needs("valgrind")
        super().__init__(scene)
        super().__call__("own", "run", "true")  # asimi keeps what it read of its configuration once it has a state
        self.ready = set()  # what was started once, and has that

    def __call__(self, name, *told):
        words, given, home = getattr(self, name)(*told)
        if (name, told) not in self.ready:
            super().__call__(name, *told)
            self.ready.add((name, told))
        given, here = pathlib.Path(given).read_bytes(), {"cwd": home / PROJECT, "env": environment(home)}
        return [{"seconds": counted(words, given, **here)}]


class Hello:
    """MCP servers, from nothing until they answer the first message; then to their end."""

    def __init__(self, scene):
        self.scene, self.home = scene, scene.home()
        if subprocess.run([scene.python, "-c", "import mcp"], check=False, capture_output=True).returncode:
            raise Missing("this Python has no mcp")

    def __call__(self, name):
        before, began = os.times(), time.perf_counter()
        server = Process(getattr(self, name)(), self.home, ALLOW_COMMANDS="true")
        server.write(json.dumps({"jsonrpc": "2.0", **INITIALIZE}).encode() + b"\n")
        server.line()
        seconds = time.perf_counter() - began
        server.close()
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        return [{"seconds": seconds, "cpu": cpu}]

    def sdk(self):
        return [self.scene.python, "-c", SDK]

    def asimi(self):
        return [self.scene.python, "-m", "asimi", "mcp"]

    def shell(self):
        return [mcp_shell(self.scene)]

    def memory(self):
        """Each has ended."""

    def close(self):
        """Each has ended."""


def needs(program):
    """Make sure that a program is there.

    Raises:
        Missing: it is not.
    """
    if not shutil.which(program):
        raise Missing(f"{program} is not installed")


def bubblewrap(scene):
    """The executor in bubblewrap."""
    needs("bwrap")
    return worker("bubblewrap", scene)


class Boxed(Worker):
    """A program in a box of `asimi wrap`, by an agent's name; its memory is the gate's."""

    def __init__(self, scene):
        needs("bwrap")
        home = scene.home()
        agent = home / ".bin" / "codex"
        agent.parent.mkdir()
        agent.write_text(f"#!{os.path.realpath(scene.python)}\n" + (HERE / "inside.py").read_text())
        agent.chmod(0o755)
        super().__init__([scene.python, "-m", "asimi", "wrap", agent], home)

    def __call__(self, what, *told):
        before = self.spent()
        samples = super().__call__(what, *told)
        each = (self.spent() - before) / len(samples)
        return [sample | {"gate": each} for sample in samples] if what == "call" else samples

    def spent(self):
        """The seconds of CPU that the gate has taken so far (proc_pid_stat(5))."""
        fields = pathlib.Path("/proc", str(self.process.pid), "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class CountedBox(Boxed):
    """The same, where instructions are counted."""

    def __init__(self, scene):
        needs("valgrind")
        super().__init__(scene)


class Beside(Worker):
    """The same program without a box."""

    def __init__(self, scene):
        home = scene.home()
        super().__init__([os.path.realpath(scene.python), HERE / "inside.py"], home)
        run([scene.python, "-m", "asimi", "hook", "install", "codex"], home)
        hooks = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]["PreToolUse"]
        self.hooked = hooks[0]["hooks"][0]["command"]

    def __call__(self, what, *told):
        return super().__call__(what, *told, *([self.hooked] if what == "hook" else []))


WAYS = {
    "floor": Floor,
    "asimi": functools.partial(worker, "asimi"),
    "exec rules": functools.partial(worker, "asimi", config=EXECS),
    "developer": functools.partial(worker, "asimi", config=DEVELOPER),
    "executor": functools.partial(worker, "executor"),
    "landlock": functools.partial(worker, "landlock"),
    "bubblewrap": bubblewrap,
    "subprocess.run": functools.partial(worker, "subprocess.run"),
    "asyncio": functools.partial(worker, "asyncio"),
    "serve": Serve,
    "gemini": gemini,
    "codex": Codex,
    "mcp-shell-server": McpShell,
    "starts": Starts,
    "counted": Counted,
    "hello": Hello,
    "box": Boxed,
    "counted box": CountedBox,
    "beside": Beside,
}
"""What opens each way, from the scene."""
