"""The keeper of a box, with a stand-in for bubblewrap: one whose child does not end with it."""

from __future__ import annotations

import os
import subprocess
import sys

from asimi.world.box.reaper import KEEPER


def test_a_child_that_waits_for_bubblewrap_ends_with_the_box(tmp_path):
    """As bubblewrap's does between its clone(2) and its prctl(2): it would hold for ever what the box writes to."""
    life, closing = os.pipe()
    others = [os.open(os.devnull, os.O_RDONLY) for _ in range(2)]
    words = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        "import os, time; os.fork() or print('begun', flush=True); time.sleep(595)",
    ]
    keeper = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", KEEPER, *map(str, (life, *others)), str(tmp_path / "no record"), *words],
        pass_fds=(life, *others),
        stdout=subprocess.PIPE,
    )
    for each in (life, *others):
        os.close(each)
    with keeper:
        assert keeper.stdout.readline() == b"begun\n"
        os.close(closing)
        assert keeper.stdout.read() == b""
