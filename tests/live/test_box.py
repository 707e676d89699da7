"""The real agents in a box of `asimi wrap`, asked by a model of ours: what runs, what is refused, what is held."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import pytest
from helpers.models import Wanted
from helpers.programs import LONGEST, PROGRAMS, _node

SCRIPTS = {"gemini-cli": "gemini", "qwen-code": "qwen"}
"""The agents that are scripts of Node, and their names on PATH."""

SECRET = "asimi-test-not-a-key"


def wrapped(packages, stage, script):
    """Let an agent play a script in a box; what it and asimi wrote."""
    program = PROGRAMS[stage.agent]
    with program.model(script, program.tools) as model, tempfile.TemporaryFile("w+") as said:
        for name, text in program.settings(model.url).items():
            path = stage.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("{project}", str(stage.project)))
        environ = stage.environ | program.environ(packages, model.url) | {"PYTHONPATH": str(stage.asimi.parent)}
        environ["PATH"] = f"{_node(packages).parent}:{environ['PATH']}"
        line = list(map(str, program.line(packages, stage)))
        if stage.agent in SCRIPTS:  # as people start them, by a name of their own
            line[:2] = [str(packages / ".bin" / SCRIPTS[stage.agent])]
        reach = ("--reach", f"localhost:{model.server.server_port}")
        words = [sys.executable, "-m", "asimi", "wrap", *reach, "--", *line]
        with subprocess.Popen(
            words, env=environ, cwd=stage.project, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        ) as process:
            try:
                process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
        said.seek(0)
        return said.read()


@pytest.mark.parametrize("stage", PROGRAMS, indirect=True)
def test_an_agent_works_in_the_box_and_the_box_holds_it(installed, stage):
    (stage.home / ".ssh").mkdir()
    (stage.home / ".ssh" / "id_ed25519").write_text(SECRET)
    outside = stage.home.parent / "outside"
    outside.mkdir()
    heard = []
    commands = [
        "echo made > made && cat made",
        f"touch {outside}/x; ls {outside}",
        "rm -r sub",
        "gh pr list",
        "cat ~/.ssh/id_ed25519",
        "python3 -c 'print(40 + 2)'",
        "curl -sS http://example.org/ || echo curl: $?",
    ]

    def script():
        for command in commands:
            heard.extend((yield [Wanted(command)]))

    said = wrapped(installed(PROGRAMS[stage.agent].packages), stage, script())
    assert len(heard) == len(commands), said[-4000:]
    made, beside, removed, forge, secret, code, web = heard
    assert "made" in made
    assert (stage.project / "made").read_text() == "made\n"
    assert not list(outside.iterdir()), beside
    assert "run_shell_command(rm) forbids" in removed
    assert (stage.project / "sub").is_dir()
    assert "outside of the box" in forge
    assert SECRET not in secret
    assert "42" in code
    assert "403" in web or "not among the names" in web, web
    assert SECRET not in "".join(heard)
