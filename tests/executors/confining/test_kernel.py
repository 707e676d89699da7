"""What the kernel can hold is asked without `ctypes`, and the answer is the same."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from asimi.world.executors.confining import ability, system

if sys.platform != "linux":
    pytest.skip("sandboxes are Linux's", allow_module_level=True)


def test_the_version_is_what_the_kernel_says():
    asked = ctypes.CDLL(None).syscall(system.CREATE_RULESET, None, 0, system.ASK_VERSION)
    assert system.landlock_version() == max(asked, 0)
    assert bool(system.lacking_version()) == (asked < system.NEEDED)


@pytest.mark.skipif(bool(ability.lacking_landlock()), reason="bubblewrap is tried where there is no Landlock")
def test_a_start_that_asks_loads_no_ctypes():
    code = (
        "import sys; from asimi.core.call import Sandbox; from asimi.world.executors.confining.ability import unkept;"
        "print(repr(unkept(Sandbox('project'))), 'ctypes' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "'' False\n"
