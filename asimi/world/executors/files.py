"""The files that running leaves in the state directory: long outputs, logs, and what they belong to.

::

    output/ID.stdout, output/ID.stderr   a stream that was too long for the result
    logs/ID.log                          what background processes wrote after their call
    jobs/ID.json                         a call that left processes running
    calls/PID-X.jsonl                    the calls that run now; locked by the asimi that runs them
    sandbox/SESSION/                     the temporary files of commands in a sandbox
"""

from __future__ import annotations

import os
from contextlib import suppress

from asimi.core.errors import AsimiError
from asimi.world.host.places import POSIX, private_directory, private_file

KINDS = {"stdout": "output", "stderr": "output", "log": "logs", "json": "jobs", "jsonl": "calls"}
"""The directory of each kind of file, by its suffix."""
TEMPORARY = "sandbox"
"""The directory of the sessions' temporary directories."""


class Files:
    """Makes and names them.

    Args:
        state: the directory they are in; it is made when the first one is.
        session: the name of what shares temporary files.
    """

    def __init__(self, state: str, session: str = "") -> None:
        self.state, self._session = os.path.abspath(state), session

    def path(self, name: str, suffix: str) -> str:
        """Where a file is. The name cannot lead out of its directory."""
        return os.path.join(self.state, KINDS[suffix], f"{_safe(name)}.{suffix}")

    def temporary(self) -> str:
        """Where the session's temporary directory is; whoever uses it makes it."""
        return os.path.join(self.state, TEMPORARY, _safe(self._session))

    def forget_temporary(self, before: float) -> None:
        """Remove the temporary directories that were last changed before a time; what is in them, commands wrote.

        Args:
            before: seconds since the epoch.
        """
        import shutil

        directory = os.path.join(self.state, TEMPORARY)
        with suppress(OSError):
            if os.path.islink(directory):
                return
            for each in os.scandir(directory):
                if each.is_dir(follow_symlinks=False) and each.stat(follow_symlinks=False).st_mtime < before:
                    shutil.rmtree(each.path, ignore_errors=True)

    def create(self, name: str, suffix: str, flags: int = os.O_RDWR) -> tuple[str, int]:
        """Make a file with mode 0600; its path and descriptor.

        Raises:
            OSError, AsimiError: it cannot be made.
        """
        path = self.path(name, suffix)
        private_directory(self.state)
        private_directory(os.path.dirname(path))
        descriptor = private_file(path, flags | os.O_CREAT | os.O_EXCL)
        _hold(descriptor)
        return path, descriptor


def _safe(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)[:128]


def is_unused(path: str) -> bool:
    """Whether no process holds a file that was made here."""
    if not POSIX:
        return True
    import fcntl

    try:
        descriptor = private_file(path, os.O_RDONLY)
    except (OSError, AsimiError):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _hold(descriptor: int) -> None:
    """Lock a file for as long as we, or a process we hand it to, have it open (flock(2) belongs to the open file).

    It waits, for somebody who lists the directory may just be looking whether the file is used.
    """
    if POSIX:
        import fcntl

        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_SH)
