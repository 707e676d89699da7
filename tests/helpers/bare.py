"""An agent without its program: it starts what `hook install` wrote, and runs the command unless it hears a clear no.

No real agent believes less than this one does: whatever is not a blocking exit code with words, or a deny or a question
in the agent's own dialect, lets the command run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from asimi.doors.hooks.agent import REASON, agent_of
from asimi.doors.hooks.settings import at, command_in, ours
from asimi.world.host import jsonc
from helpers.hooks import envelope

HOST = """\
const { Asimi } = await import(process.argv[2])
const hooks = await Asimi({ directory: process.cwd(), worktree: process.cwd() })
await hooks.config({})
let text = ""
for await (const piece of process.stdin) text += piece
const { tool, args } = JSON.parse(text)
try {
  await hooks["tool.execute.before"]({ tool, sessionID: "ses_a1b2", callID: "call_1" }, { args })
} catch (error) {
  process.stdout.write(error.message)
  process.exit(9)
}
"""
"""What opencode does with a plug-in before a tool: it is not run where the plug-in throws."""


TARGETS = {"tool_call": "monitor"}
"""Which tool a hook hears of where one tool calls another."""


class Bare:
    """An agent that has a hook and no program.

    Args:
        stage: where it works.
    """

    def __init__(self, stage):
        self.stage, self.agent = stage, agent_of(stage.agent)

    def plays(self, script):
        """Play a script; the calls of one turn at once."""
        turn = next(script, None)
        with ThreadPoolExecutor(4) as pool:
            while turn is not None:
                heard = list(pool.map(self.heard, turn))
                try:
                    turn = script.send(heard)
                except StopIteration:
                    return

    def heard(self, call):
        """What the model hears of a call."""
        sent = envelope(self.agent.name, call.command, self.stage.project)
        if call.tool:
            sent[self.agent.tool] = TARGETS.get(call.tool, call.tool)
        if call.directory:
            self.directed(sent, call.directory)
        if self.agent.transcript is not None:
            self.written(sent, call)
        for line in self.hooks(sent.get(self.agent.event)):
            no = self.no(line, sent)
            if no is not None:
                return no
        done = subprocess.run(
            [call.shell or "/bin/bash", "-c", call.command],
            cwd=call.directory or self.stage.project,
            env=self.stage.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def hooks(self, name):
        """The command lines of its hooks for an event, as they are installed; for a plug-in, what loads it.

        Args:
            name: what the envelope calls the event; None where it names none.
        """
        try:
            with open(self.stage.settings, encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            return []
        if not self.agent.settings.plugin:
            root = jsonc.scan(text)
            events = [event.name for event in self.agent.events if event.installed and name in {event.name, None}]
            trails = [trail for trail in ours(self.agent, root) if not {*events}.isdisjoint(trail)]
            return [command_in(at(root.value, trail), self.agent) for trail in trails]
        node = shutil.which("node")
        if node is None:
            pytest.skip("there is no node on PATH, which a plug-in needs")
        plugin, host = self.stage.home / "plugin.mjs", self.stage.home / "host.mjs"
        plugin.write_text(text)
        host.write_text(HOST)
        return [[node, str(host), str(plugin)]]

    def no(self, line, sent):
        """What a hook says against a call; None where it lets it run."""
        done = subprocess.run(
            line,
            shell=isinstance(line, str),
            input=json.dumps(sent).encode(),
            env=self.stage.environ,
            cwd=self.stage.project,
            capture_output=True,
            check=False,
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        if self.agent.settings.plugin:
            return out if done.returncode == 9 else None
        if done.returncode == 2 and err.strip():
            return err
        if done.returncode:
            return None
        event = next(event for event in self.agent.events if event.installed)
        return out if any(_alike(out, answer) for answer in (event.deny, event.ask)) else None

    def directed(self, sent, directory):
        """Say in an envelope where a command is to run, as the agent would."""
        name = self.agent.directory[0]
        value = sent
        for key in self.agent.input.split(".") if name not in sent else ():
            value = value[key]
        value[name] = directory

    def written(self, sent, call):
        """Write a call down in a transcript, as Codex does before it asks its hook."""
        form = self.agent.transcript
        tool, parameter = next(iter(form.tools.items()))
        given = {parameter: call.command, form.shell: call.shell, form.directory: call.directory}
        payload = {"type": form.calls[0], "name": tool, "call_id": sent[self.agent.call]}
        payload["arguments"] = json.dumps({name: value for name, value in given.items() if value})
        with tempfile.NamedTemporaryFile("w", dir=self.stage.home, suffix=".jsonl", delete=False) as file:
            file.write(json.dumps({"type": "response_item", "payload": payload}) + "\n")
        sent[form.file] = file.name


def _alike(out, answer):
    """Whether a hook's output is an answer of this kind, whatever its reason."""

    def alike(said, kind):
        if isinstance(kind, dict):
            return isinstance(said, dict) and said.keys() == kind.keys() and all(alike(said[k], kind[k]) for k in kind)
        return isinstance(said, str) and bool(said) if kind == REASON else said == kind

    try:
        return bool(answer) and alike(json.loads(out), answer)
    except ValueError:
        return False
