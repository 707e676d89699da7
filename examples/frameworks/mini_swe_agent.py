"""mini-swe-agent behind asimi.

Its own `confirm` mode is above that: it asks before each command, and asimi asks about what no rule allows.
"""

from __future__ import annotations

from typing import Any

from example import ALLOWED, ASKED, DENIED, POLICY
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicModel, make_output

import asimi


class AsimiEnvironment(LocalEnvironment):
    """Runs what asimi allows; `[limits]` and `[environment]` of asimi's configuration stand for `timeout` and `env`."""

    def __init__(self, **config: Any) -> None:
        super().__init__(**config)
        self.gate = asimi.open_gate(self.config.cwd or None, config=POLICY)

    def execute(self, action: dict[str, Any], cwd: str = "", **_: Any) -> dict[str, Any]:
        """Run one command; what is refused is an exception, as the model reads it."""
        done = asimi.run(action["command"], directory=cwd, gate=self.gate, agent="mini-swe-agent")
        code = -(done["signal"] or 1) if done["exitCode"] is None else done["exitCode"]
        error = done["error"] or ("The command took too long." if done.get("timedOut") else "")
        output = {"output": done["stdout"] + done["stderr"], "returncode": code, "exception_info": error}
        self._check_finished(output)
        return output


commands = [ALLOWED, DENIED, ASKED, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"]
model = DeterministicModel(outputs=[make_output("", [{"command": each}], cost=0) for each in commands])
agent = DefaultAgent(model, AsimiEnvironment(), system_template="", instance_template="{{task}}", cost_limit=0)
ended = agent.run("Make hello.txt")
for message in agent.messages:
    if "returncode" in message["content"]:
        print("The model reads:", message["content"])
print(ended["exit_status"])
