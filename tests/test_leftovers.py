"""The look at the end of a run finds each kind of what a test may leave."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest
from helpers import leftovers
from helpers.executors import eventually


@pytest.fixture
def seen(tmp_path, monkeypatch):
    """What the look finds of this test, by kind."""
    monkeypatch.setattr(leftovers, "_made", [])
    mounts = leftovers.note()
    return lambda: sorted({each.partition(":")[0] for each in leftovers.left(mounts, str(tmp_path), 0.0)})


def test_a_process_is_found(seen):
    process = subprocess.Popen(["sleep", "1000"], cwd="/")
    try:
        assert seen() == ["a process"]
    finally:
        process.kill()
        process.wait()
    assert seen() == []


def test_a_process_that_is_nobodys_child_is_found_by_where_it_works(seen, tmp_path):
    words = ["sh", "-c", "sleep 1000 >/dev/null & echo $!"]
    pid = int(subprocess.run(words, cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout)
    try:
        assert seen() == ["a process"]
    finally:
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: seen() == [])


def test_a_socket_is_found(seen, tmp_path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket"))
        assert seen() == ["a socket"]


def test_a_temporary_directory_is_found_wherever_it_is(seen):
    made = tempfile.mkdtemp(dir="/var/tmp")
    try:
        assert seen() == ["a directory"]
    finally:
        shutil.rmtree(made)
    assert seen() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts")
def test_a_mount_is_found(seen, tmp_path):
    if subprocess.run(["mount", "-t", "tmpfs", "none", tmp_path], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        assert seen() == ["a mount"]
    finally:
        subprocess.run(["umount", tmp_path], check=True)
