"""What asimi keeps about projects in the user's own state: entries for one project, and which files are trusted.

Nothing of this is ever read from a project's directory, where whoever wrote the project could have put it. A project is
known by the real path of its root; a trusted file by its real path and the SHA-256 of its content, so that any change
ends the trust.
"""

from __future__ import annotations

import os
import time
from typing import Any

from asimi.core.errors import AsimiError, ConfigError
from asimi.world.host.places import Lock, private_directory, read_private, replace

VERSION = 1
"""The format of the trust file."""


class Own:
    """The part of the state directory that configuration belongs to.

    Args:
        state: the state directory.

    Attributes:
        directory: where the entries of projects are, one file each.
        trust_file: which files are trusted.
    """

    def __init__(self, state: str) -> None:
        self._state = state
        self.directory = os.path.join(state, "projects")
        self.trust_file = os.path.join(state, "trust.json")
        self._names: dict[str, str] = {}

    def entries_of(self, root: str, *, make: bool = False) -> str:
        """The file of the entries that hold in one project, whether it is there or not.

        Args:
            root: the project root's real path.
            make: whether its directory is made, for writing.

        Raises:
            AsimiError: the directory cannot be made, or is not ours alone.
        """
        if make:
            private_directory(self._state)
            private_directory(self.directory)
        if root not in self._names:
            if not make and not os.path.isdir(self.directory):
                return self.directory  # nobody ever wrote such an entry, and hashing costs start-up
            self._names[root] = os.path.join(self.directory, f"{_digest(os.fsencode(root))[:32]}.toml")
        return self._names[root]

    def entries(self, root: str) -> bytes | None:
        """What that file holds, or None.

        Raises:
            ConfigError: it is not ours alone, or it is for another project.
        """
        path = self.entries_of(root)
        if path == self.directory:
            return None
        self._check()
        content = read_private(path)
        if content is not None:
            import tomllib

            try:
                known = tomllib.loads(content.decode()).get("root")
            except ValueError:
                return content  # whoever reads it next says what is wrong with it
            if known != root:
                raise ConfigError(f"is for {known!r} and not for {root!r}; remove it", path)
        return content

    def trusts(self, path: str, text: str) -> bool:
        """Whether exactly this content at this place is trusted; what is reached through a link never is.

        Raises:
            AsimiError: the trust file cannot be believed.
        """
        if not os.path.exists(self.trust_file) or os.path.realpath(path) != path:
            return False
        known = self._read().get(path)
        return isinstance(known, dict) and known.get("sha256") == _digest(text.encode())

    def trust(self, path: str, text: str) -> None:
        """Trust exactly this content at this place.

        Raises:
            AsimiError: it is reached through a symbolic link, or it cannot be written.
        """
        if os.path.realpath(path) != path:
            raise AsimiError(f"{path} is reached through a symbolic link, and such a file is never trusted")
        self._change(path, {"sha256": _digest(text.encode()), "since": time.time()})

    def untrust(self, path: str) -> bool:
        """Take trust back; whether there was any.

        Raises:
            AsimiError: it cannot be written.
        """
        return os.path.exists(self.trust_file) and self._change(path, None)

    def _change(self, path: str, what: dict[str, Any] | None) -> bool:
        import json

        private_directory(self._state)
        with Lock(self.trust_file + ".lock"):
            files = self._read()
            before = files.pop(path, None)
            if what is not None:
                files[path] = what
            replace(self.trust_file, json.dumps({"version": VERSION, "files": files}, indent=1).encode())
        return before is not None

    def _read(self) -> dict[str, Any]:
        import json

        self._check()
        content = read_private(self.trust_file)
        if content is None:
            return {}
        try:
            document = json.loads(content)
            version, files = document["version"], document["files"]
        except (ValueError, KeyError, TypeError):
            raise AsimiError(f"{self.trust_file}: cannot be read; remove it and trust your projects anew") from None
        if version != VERSION or not isinstance(files, dict):
            raise AsimiError(f"{self.trust_file}: has version {version}, and this asimi knows {VERSION}")
        return files

    def _check(self) -> None:
        """Make sure that nobody else can have written here.

        Raises:
            AsimiError: the directory is not ours alone.
        """
        private_directory(self._state)


def _digest(content: bytes) -> str:
    from hashlib import sha256

    return sha256(content).hexdigest()
