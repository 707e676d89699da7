"""What this machine can keep, told before anything is started."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from asimi.core.call import Sandbox


def unkept(sandbox: Sandbox) -> str:
    """Why this machine cannot keep a sandbox, in words; empty where it can."""
    if sandbox.mode == "off":
        return ""
    if sys.platform != "linux":
        return "it needs Linux"
    from asimi.world.executors.confining import landlock, seccomp

    try:
        seccomp.calls()
    except AsimiError as error:
        return str(error).removeprefix("The sandbox cannot be set up: ")
    return landlock.lacking()
