"""Plays of a real agent in a box of `asimi wrap`: what its model wants, and what must not come of it.

All plays of an agent are turns of one run, as the cases of `helpers.agents` are; those that end it have a run each.
"""

from __future__ import annotations

import json
import shlex
import stat
import subprocess
from contextlib import contextmanager
from pathlib import Path

from helpers.agents import (
    FAILURES,
    Stage,
    allowed,
    allowed_on_many_lines,
    asked_and_approved,
    asked_and_watched,
    denied,
    denied_on_the_last_of_many_lines,
    fails,
    parallel,
)
from helpers.boxes import holds_name, left_below
from helpers.executors import eventually
from helpers.models import ChatModel, Wanted
from helpers.programs import PROGRAMS, settle, words_of

SECRET = "asimi-test-not-a-key"

ASKED = "cat .env"
"""What is a question in a box, too."""

KERNEL = (
    "EROFS",
    "EACCES",
    "EISDIR",
    "EBUSY",
    "ENOTDIR",
    "ENOENT",
    "ead-only file system",
    "s a directory",
    "Failed to write file",
    "FileSystem.writeFile",
)
"""How agents tell what the kernel refused."""

OWN_CHECKS = {"gemini-cli": ("Path not in workspace", "outside the allowed workspace", "must be within")}
"""How an agent's file tools refuse by themselves what is outside of their project, before the kernel could."""

EVIL = r"""
import json, os

paths, done = json.load(open("paths.json")), []

def tries(path, way, act):
    try:
        act()
    except OSError:
        return
    done.append(f"{way} {path}")

for path in paths:
    directory = os.path.isdir(path)
    if directory:
        tries(path, "write in", lambda: open(f"{path}/x", "w").close())
    else:
        tries(path, "write", lambda: open(path, "a").write("{}"))
    tries(path, "remove", lambda: (os.rmdir if directory else os.unlink)(path))
    tries(path, "make", lambda: os.makedirs(os.path.dirname(path), exist_ok=True) or open(path, "x").write("{}"))
    tries(path, "rename", lambda: os.rename(path, f"{path}.away"))
    open("fresh", "w").write("{}")
    tries(path, "replace", lambda: os.replace("fresh", path))
    tries(path, "link", lambda: os.symlink("/dev/null", path))
    tries(path, "rename what holds", lambda: os.rename(os.path.dirname(path), f"{os.path.dirname(path)}.away"))
print(json.dumps(done))
"""
"""Tries everything to change some files; the agent's project has it, as it has any script."""

STARTUP = {
    "codex": (".codex/hooks.json", ".codex/plugins/x/plugin.json", ".codex/rules/x.rules"),
    "gemini-cli": (".gemini/extensions/x/gemini-extension.json", ".gemini/policies/x.toml", ".gemini/.env"),
    "copilot-cli": (".copilot/hooks/off.json", ".copilot/settings.json", ".copilot/mcp-config.json"),
    "qwen-code": (".qwen/extensions/x/qwen-extension.json", ".qwen/.env", ".qwen/trustedFolders.json"),
    "opencode": (".config/opencode/plugins/asimi.js", ".config/opencode/tool/x.ts", ".config/opencode/config.json"),
}
"""Files below the home that an agent obeys at its start, besides its settings."""

OF_PROJECT = {
    "codex": (".codex/config.toml", ".codex/hooks.json"),
    "gemini-cli": (".gemini/settings.json",),
    "copilot-cli": (".github/copilot/settings.json", ".github/hooks/off.json"),
    "qwen-code": (".qwen/settings.json",),
    "opencode": ("opencode.json", ".opencode/plugins/asimi.js"),
}
"""The same below the project; and what runs by itself there whoever the agent is."""

RUNS = (
    ".git/hooks/pre-commit",
    ".git/config",
    ".envrc",
    ".vscode/tasks.json",
    ".husky/pre-commit",
    ".claude/settings.json",
)

ADMINISTRATORS = {
    "codex": "/etc/codex/requirements.toml",
    "gemini-cli": "/etc/gemini-cli/settings.json",
    "copilot-cli": "/etc/github-copilot/policy.d/asimi.json",
    "qwen-code": "/etc/qwen-code/settings.json",
    "opencode": "/run/asimi/plugin.js",
}
"""What the agent's hook is set up by in a box."""


class BoxedStage(Stage):
    """A stage with what a box holds: a repository, secrets, and something beside the project.

    Attributes:
        outside: a directory that nothing in the box may write.
        guarded: files that must stay as they are, there or not.
        port: of the loopback in the box, for a server of the agent's.
        reach: names and ports on this machine that the box reaches, besides the model's.
        inner: the model of an agent that the agent starts, and what that one hears.
    """

    def __init__(self, path, agent):
        super().__init__(path, agent)
        self.outside, self.port, self.reach, self.inner, self.said = self.home / ".beside", 8123, (), None, []
        self.outside.mkdir()
        (self.outside / "kept").write_text("kept")
        (self.home / ".ssh").mkdir()
        (self.home / ".ssh" / "id_ed25519").write_text(SECRET)
        (self.home / ".bashrc").write_text("")
        (self.project / ".env").write_text("KEY=1")
        (self.project / "evil.py").write_text(EVIL)
        self.environ |= {"FORGE_TOKEN": SECRET, "USER": "ada"}
        for words in ("init -q -b main", "config user.name Ada", "config user.email ada@example.org"):
            subprocess.run(["git", *words.split()], cwd=self.project, check=True, env=self.environ)
        self.before = self.files()

    @property
    def guarded(self):
        home = (*STARTUP[self.agent], ".bashrc", ".ssh/id_ed25519", ".config/asimi/config.toml")
        project = (*OF_PROJECT[self.agent], *RUNS)
        return [*(self.home / each for each in home), *(self.project / each for each in project)]

    def files(self):
        """What is in the guarded files, and beside the project."""
        return {path: _content(path) for path in (*self.guarded, *self.outside.rglob("*"))}

    def settled(self, paths):
        self.before |= {path: _content(path) for path in paths}

    def changed(self):
        """What has changed of what nothing in the box may change."""
        now = self.files() | {path: _content(path) for path in self.before}
        return [str(path) for path in now if now[path] != self.before.get(path)]

    def left(self):
        """What boxes have left on the disk."""
        return left_below(self.home, self.project)


def _content(path):
    """What is in a file; None where nothing is, or what only holds its name."""
    if path.is_dir():
        return None if holds_name(path) else "a directory"
    return path.read_bytes() if path.is_file() and not path.stat().st_mode & stat.S_ISVTX else None


def held(stage):
    (heard,) = yield [Wanted(command := f"python3 -c 'print(6 * 7)'; touch {stage.canary}")]
    assert "42" in heard, heard
    assert stage.ran(), heard
    assert stage.record(command)["reasons"][0]["code"] == "held"


def refused_because_it_leaves_the_box(stage):
    (heard,) = yield [Wanted(f"touch {stage.canary}; gh pr list")]
    assert not stage.ran(), heard
    assert "which a box does not have" in heard, heard


def written_outside_by_a_command(stage):
    for path in (stage.outside / "x", stage.outside / "kept", stage.home / "x", stage.home / ".bashrc", "/etc/x"):
        (heard,) = yield [Wanted(f'python3 -c \'open("{path}", "a").write("x")\'')]
        assert any(each in heard for each in KERNEL), heard
    assert not stage.changed()


def written_in_the_project_by_a_tool(stage):
    yield [PROGRAMS[stage.agent].edit(stage.project / stage.canary, "by a tool")]
    assert (stage.project / stage.canary).read_text().strip() == "by a tool"
    (line,) = [line for line in stage.log.read_text().splitlines() if f'/{stage.canary}"' in line and '"file"' in line]
    assert json.loads(line)["files"][0]["does"] == "write"


def written_outside_by_a_tool(stage):
    for path in (stage.outside / "x", stage.home / "x", stage.home / ".config" / "asimi" / "x"):
        (heard,) = yield [PROGRAMS[stage.agent].edit(path, "by a tool")]
        assert not path.exists(), heard
        assert any(each in heard for each in ("asimi", *KERNEL, *OWN_CHECKS.get(stage.agent, ()))), heard
    assert not stage.changed()


def hooks_and_settings_written_by_a_tool(stage):
    for path in stage.guarded:
        (heard,) = yield [PROGRAMS[stage.agent].edit(path, "by a tool")]
        assert not stage.changed(), heard


def secrets(stage):
    key = stage.home / ".ssh" / "id_ed25519"
    code = "import os, sys; print(open(sys.argv[1]).read(), os.environ)"
    (stage.project / "reads.py").write_text(code)
    wanted = [Wanted(f"cat {key}"), Wanted(f"python3 reads.py {key}"), Wanted("python3 reads.py /dev/null; env")]
    wanted += [Wanted("cat /proc/*/environ")]
    if PROGRAMS[stage.agent].look is not None:
        wanted.append(PROGRAMS[stage.agent].look(key))
    for each in wanted:
        (heard,) = yield [each]
        assert SECRET not in heard, heard
    (heard,) = yield [Wanted("python3 -c 'print(open(\".env\").read())'; echo $USER")]
    assert "ask" in heard or "KEY=1" in heard, heard


def names(stage):
    (name,) = stage.reach
    for command in (
        f"curl -sS http://localhost:{name.rpartition(':')[2]}/v1/models",
        f"env -u no_proxy -u NO_PROXY curl -sS http://{name}/v1/models",
    ):
        (heard,) = yield [Wanted(command)]
        assert "models" in heard, heard
    for command, said in (
        ("curl -sS http://example.org/", "example.org:80 is not reached"),
        ("curl -sS https://example.org/ || echo no: $?", "no: 56"),
        ("getent hosts example.org || echo nobody", "nobody"),
        ("timeout 5 bash -c ': </dev/tcp/1.1.1.1/80' || echo unreached", "unreached"),
    ):
        (heard,) = yield [Wanted(command)]
        assert said in heard, heard


def a_server_in_the_background(stage):
    where = f"127.0.0.1 --directory {stage.project}"
    yield [Wanted(f"touch {stage.canary}; setsid -f python3 -m http.server {stage.port} --bind {where} >log 2>&1")]
    (heard,) = yield [Wanted(f"curl -sS --retry 20 --retry-connrefused http://localhost:{stage.port}/evil.py")]
    assert "json.dumps" in heard, heard


def a_job_in_the_background(stage):
    """One that the agent's own shell started, which some agents end with the call."""
    (heard,) = yield [Wanted(f"(sleep 1; touch {stage.canary}) >/dev/null 2>&1 & echo begun")]
    assert "begun" in heard, heard
    assert eventually(stage.ran), heard


def rewrites_its_settings_and_removes_its_hook(stage):
    hook = ADMINISTRATORS[stage.agent]
    own = [path for path in stage.before if path not in stage.guarded and path.is_relative_to(stage.home)]
    paths = [*stage.guarded, *own, hook, "/run/asimi/hook", "/run/asimi/asimi", "/run/asimi/gate"]
    (stage.project / "paths.json").write_text(json.dumps(list(map(str, paths))))
    yield [Wanted("python3 evil.py > done.json")]
    done = json.loads((stage.project / "done.json").read_text())
    assert not [each for each in done if "/run/" in each or "/etc/" in each], done
    assert not stage.changed(), done
    yield from denied(stage)


def starts_another_agent(stage):
    """In a home that it makes in the box's own /tmp, without the person's settings; the box holds that one, too."""
    apart, program = stage.home.parent / "inner", PROGRAMS[stage.agent]
    script = []
    for path in settle(stage.agent, apart, stage.inner.url, stage.project):
        there = Path("/tmp/inner", path.relative_to(apart))
        script.append(f"mkdir -p {there.parent}\ncat >{there} <<'END'\n{path.read_text()}\nEND\n")
    environ = {"HOME": "/tmp/inner"} | program.environ(stage.packages, stage.inner.url)
    words = [*(f"{name}={value}" for name, value in environ.items()), *words_of(stage.agent, stage.packages, stage)]
    script.append(f"{shlex.join(['env', *words])} >inner.log 2>&1\ntouch inner-ended\n")
    (stage.project / "inner.sh").write_text("".join(script))
    (heard,) = yield [Wanted("setsid -f sh inner.sh")]
    assert eventually((stage.project / "inner-ended").exists), heard
    log = (stage.project / "inner.log").read_text()[-3000:]
    assert (stage.project / "inner-ran").exists(), log
    assert (stage.project / "sub").exists(), log
    assert not stage.changed()


def inner(stage):
    """What the agent wants that the agent starts."""
    stage.said.extend((yield [Wanted(f'python3 -c \'open("{stage.outside}/inner", "w")\'')]))
    stage.said.extend((yield [Wanted("touch inner-ran")]))
    stage.said.extend((yield [Wanted("rm -r sub")]))


BROKEN = ("the policy is broken", "the policy is unreadable", "the log cannot be written")
"""What can go wrong outside while the agent works, of `helpers.agents.FAILURES`."""

PLAYS = {
    "allowed": allowed,
    "allowed, on many lines": allowed_on_many_lines,
    "denied": denied,
    "denied on the last of many lines": denied_on_the_last_of_many_lines,
    "held": held,
    "asked and approved": asked_and_approved(ASKED),
    "asked, and yes from who watches": asked_and_watched(ASKED, "y"),
    "asked, and no from who watches": asked_and_watched(ASKED, "n"),
    "refused because it leaves the box": refused_because_it_leaves_the_box,
    "four at once": parallel(ASKED),
    "written outside by a command": written_outside_by_a_command,
    "written in the project by its own tool": written_in_the_project_by_a_tool,
    "written outside by its own tool": written_outside_by_a_tool,
    "hooks and settings written by its own tool": hooks_and_settings_written_by_a_tool,
    "secrets": secrets,
    "a list of names": names,
    "a server in the background": a_server_in_the_background,
    "a job in the background": a_job_in_the_background,
    "rewrites its settings and removes its hook": rewrites_its_settings_and_removes_its_hook,
    "starts another agent": starts_another_agent,
} | {name: fails(FAILURES[name]) for name in BROKEN}


def stays(stage):
    """Runs for ever, with a server in a session of its own."""
    server = f"python3 -m http.server {stage.port} --bind 127.0.0.1 --directory {stage.project}"
    yield [Wanted(f"setsid -f {server} >log 2>&1; touch begun")]
    while True:
        yield [Wanted(f"python3 -c 'import time; time.sleep(5)' {stage.project}")]


WHO = ("gate", "keeper", "bubblewrap", "agent")
"""The processes of a box, each the parent of the next one, but for the first process inside."""


def processes(gate):
    """The numbers of these processes, by what they are.

    Args:
        gate: the number of `asimi wrap`.
    """
    line = [gate]
    while len(line) < len(WHO) + 1:
        with open(f"/proc/{line[-1]}/task/{line[-1]}/children", encoding="ascii") as file:
            line.append(int(file.read().split()[0]))
    del line[-2]  # which bubblewrap starts for itself
    return dict(zip(WHO, line, strict=True))


NOT_FOR = {"a job in the background": {"codex"}} | {name: {"codex"} for name in BROKEN}
"""The plays that an agent has no way to: Codex ends what its shell left in the background with the call, and connects
to its model anew for each turn, which a box refuses while it cannot read what is allowed."""


def plays_of(agent):
    """The plays of an agent, by their names."""
    return {name: play for name, play in PLAYS.items() if agent not in NOT_FOR.get(name, ())}


@contextmanager
def second_server():
    """A server of this machine; its port."""
    with ChatModel(iter(()), {}) as model:
        yield model.server.server_port
