"""Where questions wait, and processes that ask."""

from __future__ import annotations

import os
import subprocess

import pytest
from helpers import MODULES, PATIENCE, PYTHON
from helpers.questions import ASKER, Asker


@pytest.fixture
def directory(tmp_path):
    """Where questions wait."""
    (tmp_path / "run").mkdir(mode=0o700)
    return str(tmp_path / "run" / "questions")


@pytest.fixture
def asker(directory):
    """Starts processes that ask about each line they are given, and tell the answer."""
    started = []

    def start(*, wait=True, patience=PATIENCE):
        how = [directory, "wait" if wait else "", str(patience)]
        code = [PYTHON, "-c", ASKER, *how]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        started.append(Asker(subprocess.Popen(code, text=True, env=os.environ | MODULES, **pipes)))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()
