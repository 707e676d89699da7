"""Which shell reads the text on this machine.

The first `bash` on asimi's own `PATH`, by its absolute path, and never one that lies in the project root: an agent may
write there, and whoever chooses the shell chooses what every command means.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.core.call import Shell

if TYPE_CHECKING:
    from collections.abc import Mapping

OLDEST = (4, 4)
"""The first bash whose grammar is the one asimi reads; of an older one only plain commands are understood."""

_MARK = b"@(#)Bash version "
"""What comes before the version in bash's own binary (its `sccs_version`), so it can be read without a start."""

_LARGEST = 1 << 24
"""The bytes of a binary that are looked through; bash has one or two million."""


def find_shell(environ: Mapping[str, str], root: str) -> Shell:
    """Return the shell that runs shell text; its path is empty where there is none.

    Args:
        environ: asimi's own environment, for `PATH`.
        root: the real path of the project root.
    """
    if sys.platform == "win32":
        return Shell("cmd", environ.get("COMSPEC") or "C:\\Windows\\System32\\cmd.exe")
    for directory in environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(directory, "bash")
        if os.path.isabs(path) and os.access(path, os.X_OK) and os.path.isfile(path) and not _within(path, root):
            version = _written_version(path) or _spoken_version(path)
            return Shell("bash" if _new_enough(version) else "plain", path, version).within(environ)
    return Shell("bash", "")


def _within(path: str, root: str) -> bool:
    """Whether a file, or what it is a link to, lies in a directory."""
    below = root.rstrip(os.sep) + os.sep
    return any(each.startswith(below) for each in (os.path.abspath(path), os.path.realpath(path)))


def _new_enough(version: str) -> bool:
    """Whether a version is at least the oldest that is understood; one that cannot be read is not."""
    numbers = version.partition("(")[0].split(".")
    return all(number.isdecimal() for number in numbers[:2]) and tuple(map(int, numbers[:2])) >= OLDEST


def _written_version(path: str) -> str:
    """Return the version that is in the binary, such as `5.2.15(1)-release`; empty where none is.

    To look for it costs a tenth of starting it.
    """
    try:
        with open(path, "rb", buffering=0) as binary:
            content = binary.read(_LARGEST) or b""
    except OSError:
        return ""
    at = content.find(_MARK) + len(_MARK)
    written = b"" if at < len(_MARK) else content[at : at + 40]
    return written.split(b"\0")[0].split(b" ")[0].decode("ascii", "replace")


def _spoken_version(path: str) -> str:
    """Return the version that a bash prints when it is started with an empty environment; empty if it prints none."""
    import subprocess

    try:
        said = subprocess.run(
            [path, "--norc", "--noprofile", "-c", 'echo "$BASH_VERSION"'],
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.stdout.decode("ascii", "replace").strip()
