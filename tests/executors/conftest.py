"""Commands that really run, either way."""

import contextlib
import itertools
import os
import signal

import pytest
from helpers.executors import Library, Program, sleeping

COUNT = itertools.count(1)


@pytest.fixture
def probe():
    """The length of a sleep that only this test starts; whatever of it is left at the end is ended."""
    length = f"600.{os.getpid():08d}{next(COUNT):05d}"  # as long as any other: no two tests share one
    yield length
    while left := sleeping(length):
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def library(tmp_path):
    """Commands run in this process."""
    return Library(tmp_path / "state", tmp_path)


@pytest.fixture
def program(tmp_path):
    """Commands run in a program that adopts what they leave."""
    it = Program(tmp_path / "state", tmp_path)
    yield it
    it.end()


@pytest.fixture(params=["library", "program"])
def run(request):
    """Commands run either way."""
    return request.getfixturevalue(request.param)
