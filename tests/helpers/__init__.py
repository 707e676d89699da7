"""What the tests share: homes, people at terminals, agents, and programs that run a part of asimi."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
PYTHON = os.path.abspath(sys.executable)  # as a child sees it, also where the tests were started by another path
PATIENCE = 180.0  # seconds after which a test gives up; no test depends on a machine being fast
INSTALLED = [each for each in sys.path if each.endswith(("site-packages", "dist-packages"))]
"""Where packages are, without the library of the Python that runs the tests: another Python cannot load that one."""
MODULES = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(TESTS), *INSTALLED])} | {
    name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")
}


def which(name):
    """Where a program is, also one for the administrator, whose directories are not on everybody's PATH; or None."""
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], "/usr/local/sbin", "/usr/sbin", "/sbin"]))
