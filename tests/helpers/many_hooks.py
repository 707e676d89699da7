"""Plays envelopes through the hook of an agent: each in a process of its own, which has asimi imported already.

`python many_hooks.py AGENT` reads a JSON list of envelopes and writes a JSON list of what the hook wrote.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))  # not by PYTHONPATH, which commands would get, too


def answer(agent, envelope):
    """What the hook writes, and its exit code."""
    from asimi.doors.hooks.driver import main

    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(json.dumps(envelope).encode())
        given.seek(0)
        child = os.fork()
        if child == 0:
            code = 70
            try:
                os.dup2(given.fileno(), 0)
                os.dup2(said.fileno(), 1)
                code = main(None, agent)
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return [code, said.read().decode()]


def prepare():
    """Import what each of the processes needs."""
    core = importlib.import_module("asimi.core")
    for module in pkgutil.walk_packages(core.__path__, "asimi.core."):
        importlib.import_module(module.name)
    importlib.import_module("asimi.compose.hook")


if __name__ == "__main__":
    prepare()
    json.dump([answer(sys.argv[1], envelope) for envelope in json.load(sys.stdin)], sys.stdout)
