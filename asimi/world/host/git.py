"""git with a directory of asimi's own: it reads what a repository has, and obeys nothing that the repository says.

A directory of git's (GIT_DIR) decides what git does: settings, hooks, filters, attributes, where it fetches objects. So
git gets an empty one, and of a repository only its objects and, where they are asked for, its references: these are
data and name no program. No setting of the person or the system counts either, nor a variable of the caller (git(1)).
"""

from __future__ import annotations

import os
import shutil
import subprocess

from asimi.core.pattern import pattern
from asimi.world.host.git_settings import has_sha256
from asimi.world.host.repositories import text_of

SAFE = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "PATH": os.defpath,
}  # fmt: skip
"""The environment of git: no settings of a person's, no replaced objects, nothing fetched."""

LONGEST = 5.0
"""Seconds that git may take."""

_ENVIRONMENT = SAFE | {
    "HOME": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
_PSEUDO = pattern(r"(?:[A-Z]+_)?HEAD")


class Git:
    """git, with a directory of its own and the objects of a repository.

    Args:
        shared: the repository.
        own: an empty directory, for git.
        top: a directory from which no program is taken.
        repository: the directory of git's whose references count, too; empty for none.

    Raises:
        OSError: there is no git.
    """

    def __init__(self, shared: str, own: str, top: str, repository: str = "") -> None:
        self.shared, self.own = shared, own
        paths = [each for each in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(each)]
        outside = [each for each in paths if not f"{os.path.realpath(each)}/".startswith(f"{os.path.realpath(top)}/")]
        self._program = shutil.which("git", path=os.pathsep.join(outside)) or ""
        if not self._program:
            raise FileNotFoundError("git")
        self.write(
            "config",
            b"[core]\nrepositoryformatversion = 1\nbare = true\ncommitGraph = false\n"
            + b"[extensions]\nobjectformat = sha256\n" * has_sha256(shared),
        )
        links = {"shallow": f"{shared}/shallow"}
        if repository:
            os.mkdir(f"{own}/logs")
            links |= {name: f"{shared}/{name}" for name in ("refs", "packed-refs", "logs/refs")}
            links["logs/HEAD"] = f"{repository}/logs/HEAD"
            for name in filter(_PSEUDO.fullmatch, os.listdir(repository)):
                self.write(name, os.fsencode(text_of(f"{repository}/{name}")))
        else:
            os.mkdir(f"{own}/refs")
            self.write("HEAD", b"ref: refs/heads/none\n")
        for name, target in links.items():
            if os.path.exists(target):
                os.symlink(target, f"{own}/{name}")

    def write(self, name: str, content: bytes) -> None:
        """Write a file of git's directory."""
        with open(f"{self.own}/{name}", "wb") as file:
            file.write(content)

    def said(self, *words: str, given: bytes = b"") -> str:
        """Return what git prints.

        Raises:
            OSError: it cannot be started.
            subprocess.SubprocessError: it fails, or takes too long.
        """
        environ = _ENVIRONMENT | {"GIT_DIR": self.own, "GIT_OBJECT_DIRECTORY": f"{self.shared}/objects"}
        done = subprocess.run(
            [self._program, *words],
            env=environ,
            cwd=self.own,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST,
            check=True,
        )
        return os.fsdecode(done.stdout)
