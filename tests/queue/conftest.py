"""Where questions wait, and processes that ask."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from queue_sides import ASKER, LONG, Asker


@pytest.fixture
def directory(tmp_path):
    """Where questions wait."""
    (tmp_path / "run").mkdir(mode=0o700)
    return str(tmp_path / "run" / "questions")


@pytest.fixture
def asker(directory):
    """Starts processes that ask about each line they are given, and tell the answer."""
    started = []

    def start(*, wait=True, patience=LONG):
        here = os.path.dirname(__file__)
        how = [directory, "wait" if wait else "", str(patience)]
        code = [sys.executable, "-c", ASKER, here, *how]
        started.append(Asker(subprocess.Popen(code, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()
