"""The real agents, installed from npm where that is wanted: `make live`."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.agents import Stage
from helpers.programs import NODE, PROGRAMS

PACKAGES = (
    NODE,
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)
"""The versions that the server is known of; those of the agents are in `helpers.programs`."""


@pytest.fixture(scope="session")
def installed():
    """Installs packages: where all of them are, or a skip that says why not."""
    missing = {}

    def install(packages):
        place = os.environ.get("ASIMI_LIVE")
        if not place:
            pytest.skip("the real agents are only driven by `make live`, which installs them from npm")
        if not sys.platform.startswith("linux") or os.uname().machine != "x86_64":
            pytest.skip("the real agents are only driven on Linux on x86-64")
        modules = Path(place).absolute() / "node_modules"
        wanted = [name for name in packages if not (modules / name.rpartition("@")[0]).exists()]
        if wanted and packages not in missing:
            missing[packages] = _installed(place, wanted)
        if missing.get(packages):
            pytest.skip(f"cannot be installed: {', '.join(wanted)}: {missing[packages]}")
        return modules

    return install


@pytest.fixture(scope="module")
def played(request, installed, tmp_path_factory):
    """What came of the one run of each agent: what a file's `run_of` says of packages, a directory and an agent."""
    runs = {}

    def of(agent):
        packages = installed(PROGRAMS[agent].packages)
        if agent not in runs:
            runs[agent] = None
            runs[agent] = request.module.run_of(packages, tmp_path_factory.mktemp(agent), agent)
        assert runs[agent] is not None, "its run failed before"
        return runs[agent]

    return of


def _installed(place, packages):
    """Why some packages cannot be installed; nothing where they are now."""
    if shutil.which("npm") is None:
        return "there is no npm on PATH"
    install = ["npm", "install", "--prefix", place, "--no-audit", "--no-fund", "--loglevel=error", *packages]
    Path(place).mkdir(parents=True, exist_ok=True)
    with open(Path(place) / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # others may install theirs at the same time
        done = subprocess.run(install, capture_output=True, text=True, timeout=1800, check=False)
    return done.stderr.strip()[-500:] if done.returncode else ""


@pytest.fixture
def packages(installed):
    """Where the MCP clients are installed."""
    return installed(PACKAGES)


@pytest.fixture
def stage(tmp_path, request):
    return Stage(tmp_path, request.param)
