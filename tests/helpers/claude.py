"""A stand-in for Claude Code, whose program is not free to run here, as its documentation says that it works.

    with ClaudeCode(home, "auto") as agent:
        (outcome,) = agent.calls("curl x")

A session is a process of its own, so what a test starts besides (`asimi approve` at a terminal) is not the agent's. It
starts the hook line of the settings file as Claude Code does: in a shell and a process group of its own, with a real
envelope, for as long as the settings say. What it would run, it notes instead in a file.

Sources: https://code.claude.com/docs/en/hooks (envelopes, exit codes, decisions, time limits, `onFailure`) and
https://code.claude.com/docs/en/permission-modes (what runs where no hook decides). Where reports say otherwise, it is
an option: `honours`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from helpers import PYTHON

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "a new one")
"""The permission modes, and one that is not known yet."""

ASKING = ("default", "acceptEdits", "plan")
"""Those in which asimi leaves a question to Claude Code's own prompt."""


class Outcome(NamedTuple):
    """What became of one call.

    Attributes:
        ran: whether the command would have been run.
        asked: whether the person was asked at Claude Code's own prompt.
        heard: what the model reads.
    """

    ran: bool
    asked: bool
    heard: str


class ClaudeCode:
    """A session.

    Args:
        home: where `asimi hook install claude-code` was run, and the project.
        mode: the permission mode.
        subagent: whether a subagent makes the calls.
        person: whether somebody is there; else it is `claude -p`.
        says: what the person answers at Claude Code's own prompt.
        honours: whether it asks when a hook says so; else it runs the command.
        deaf: whether the model hears nothing of what a hook says.
        limit: seconds after which it kills the hook's group and drops what it said; None for the settings'.
        blocks: whether it knows `onFailure` (2.1.295); an older one goes on by its own rules.
    """

    def __init__(
        self,
        home,
        mode,
        *,
        subagent=False,
        person=True,
        says="n",
        honours=True,
        deaf=False,
        limit=None,
        blocks=True,
    ):
        self.ran_file = home.home / "ran"
        told = {
            "settings": str(home.home / ".claude" / "settings.json"),
            "project": str(home.root),
            "ran": str(self.ran_file),
            "mode": mode,
            "subagent": subagent,
            "person": person,
            "says": says,
            "honours": honours,
            "deaf": deaf,
            "limit": limit,
            "blocks": blocks,
        }
        self.process = subprocess.Popen(
            [PYTHON, __file__, json.dumps(told)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=home.environ,
            cwd=home.root,
            start_new_session=True,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def calls(self, *commands):
        """What becomes of some calls, which are made side by side."""
        print(json.dumps(commands), file=self.process.stdin, flush=True)
        return [Outcome(*each) for each in json.loads(self.process.stdout.readline())]

    def ran(self):
        """The commands that were run, by the file that notes them."""
        return self.ran_file.read_text().splitlines() if self.ran_file.exists() else []


class _Session:
    """The session's own process."""

    def __init__(self, told):
        self.told = told
        with open(told["settings"], encoding="utf-8") as file:
            entries = json.load(file)["hooks"]["PreToolUse"]
        self.hooks = [hook for entry in entries if "Bash" in entry["matcher"].split("|") for hook in entry["hooks"]]

    def envelope(self, number, command):
        more = {"agent_id": "agent-1", "agent_type": "general-purpose"} if self.told["subagent"] else {}
        return more | {
            "session_id": "00000000-0000-4000-8000-000000000000",
            "transcript_path": f"{self.told['project']}/transcript.jsonl",
            "cwd": self.told["project"],
            "permission_mode": self.told["mode"],
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "try"},
            "tool_use_id": f"toolu_{number}",
        }

    def hooked(self, hook, envelope):
        """What a hook decides, and its words; no decision where it renders none."""
        environ = os.environ | {
            "CLAUDE_PROJECT_DIR": self.told["project"],
            "CLAUDE_CODE_SESSION_ATTENDED": "1" if self.told["person"] else "0",
        }
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen(hook["command"], shell=True, env=environ, process_group=0, text=True, **pipes)
        failed = ("deny", "the hook failed") if self.told["blocks"] and hook.get("onFailure") == "block" else ("", "")
        try:
            out, err = process.communicate(json.dumps(envelope), timeout=self.told["limit"] or hook["timeout"])
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return failed
        if process.returncode == 2:
            return "deny", err
        if process.returncode:
            return failed
        said = json.loads(out)["hookSpecificOutput"] if out.strip() else {}
        return said.get("permissionDecision", ""), said.get("permissionDecisionReason", "")

    def call(self, number, command):
        told, asked = self.told, False
        said = [self.hooked(hook, self.envelope(number, command)) for hook in self.hooks]
        decision, heard = max(said, key=lambda each: ["", "allow", "ask", "deny"].index(each[0]))
        if decision == "ask" and not told["honours"]:
            decision = "allow"
        if decision == "":  # its own rules: of a command that only writes, the mode decides
            decision = {"auto": "allow", "bypassPermissions": "allow", "dontAsk": "deny"}.get(told["mode"], "ask")
        if decision == "ask":
            asked = told["person"] and not told["subagent"] and told["mode"] != "dontAsk"
            decision = "allow" if asked and told["says"] == "y" else "deny"
        if decision == "allow":
            with open(told["ran"], "a", encoding="utf-8") as file:
                file.write(f"{command}\n")
        return Outcome(decision == "allow", asked, "" if told["deaf"] else heard)


def _main():
    session, made = _Session(json.loads(sys.argv[1])), 0
    with ThreadPoolExecutor(4) as pool:
        for line in sys.stdin:
            commands = json.loads(line)
            numbers = range(made, made := made + len(commands))
            sys.stdout.write(f"{json.dumps(list(pool.map(session.call, numbers, commands)))}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _main()
