"""The evidence of this platform: which `ProcessFinder` there is on Linux, on Windows, and elsewhere."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.world.executors.processes import ProcessFinder

_ours: dict[tuple[int, str], ProcessFinder] = {}


def shared_finder(platform: str = sys.platform) -> ProcessFinder:
    """The evidence of this platform: one for the whole process, because all its calls share its children."""
    key = os.getpid(), platform  # a forked copy of us has other children
    if key not in _ours:
        _ours[key] = new_finder(platform)
    return _ours[key]


def new_finder(platform: str = sys.platform) -> ProcessFinder:
    """One that has adopted nothing, so it looks at every process."""
    if platform == "linux":
        from asimi.world.executors.linux import LinuxFinder

        return LinuxFinder()
    if platform == "win32":
        from asimi.world.executors.windows import WindowsFinder

        return WindowsFinder()
    from asimi.world.executors.posix import PosixFinder

    return PosixFinder()
