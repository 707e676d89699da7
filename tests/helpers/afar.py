"""A home with a host beside it: another home and another project root, reached by a program without our environment."""

from __future__ import annotations

import json

from helpers import MODULES, PYTHON
from helpers.home import Home

LIAR = """\
import sys

from asimi.__main__ import main
from asimi.extras.hosts import questions as there

honest = there.looks


def lying(places, root):
    looks = dict(honest(places, root))
{lies}
    return looks


there.looks = lying
for module in list(sys.modules.values()):
    if getattr(module, "looks", None) is honest:
        module.looks = lying
main()
"""
"""A far end that answers as it likes."""


class Afar(Home):
    """A home with the host `gpu1`.

    Args:
        directory: where all of it is made.
        config: the user's configuration file, before the table of the host.
        host: more lines of that table.
        lies: lines of Python that change what the far end answers (`looks`); empty for an honest one.
    """

    def __init__(self, directory, config="", host="", lies=""):
        super().__init__(directory)
        self.far = directory / "far"
        self.there = self.far / "work"
        (self.there / "sub").mkdir(parents=True)
        self.program = [PYTHON, "-m", "asimi"]
        if lies:
            liar = directory / "liar.py"
            liar.write_text(LIAR.format(lies="\n".join(f"    {line}" for line in lies.splitlines())))
            self.program = [PYTHON, str(liar)]
        variables = {"HOME": self.far, "PATH": self.environ["PATH"], "LANG": "C.UTF-8", "THERE": "yes"} | MODULES
        self.reach = ["env", "-i", *(f"{name}={value}" for name, value in variables.items())]
        self.config.write_text(config + self.table("gpu1", host=host))

    def table(self, name, *, host="", root=None):
        """The lines of a host of this name."""
        lines = {"reach": self.reach, "program": self.program, "root": str(root or self.there)}
        said = "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items() if f"{key} =" not in host)
        return f"\n[hosts.{name}]\n{said}{host}\n"

    def verdict(self, text, *words, **options):
        """The verdict on a text there, and its reasons: their codes and messages."""
        done = self.asimi("check", text, "--json", "--host", "gpu1", *words, **options)
        assert done.returncode in {0, 1, 3}, done.stderr
        decision = json.loads(done.stdout)
        return decision["verdict"], [each["code"] for each in decision["reasons"]], decision["reasons"][0]["message"]

    def judge(self, monkeypatch, root=None):
        """What gives the verdicts on texts, and their codes: there by one connection, or here in a root."""
        from asimi.compose import Options
        from asimi.compose.gate import open_judge
        from asimi.core.call import ToolCall
        from asimi.tools import RunShellCommandTool

        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(self.far if root else self.home))
        host = None if root else "gpu1"
        gate = open_judge(Options(str(self.config), str(root or self.root), host=host))

        def verdict(text):
            call = ToolCall("run_shell_command", {"command": text})
            decision = gate.judge(RunShellCommandTool().read(call, gate.workspace, gate.shell))
            return decision.verdict.word, [reason.code for reason in decision.reasons]

        return verdict
