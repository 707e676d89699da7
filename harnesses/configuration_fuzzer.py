"""A project's configuration under coverage guidance: it is used or refused, and loosens nothing untrusted."""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache

OWN = """\
coreTools = ["run_shell_command(git)", "run_shell_command(echo)"]
excludeTools = ["run_shell_command(git push)"]
ask = ["run_shell_command(rm)"]
unlisted = "ask"
"""
SHARED = "/dev/shm"

COMMANDS = ("git status", "git push", "echo x", "rm x", "curl x", "echo x > f", 'echo "$(date)"', "A=1 git status")


def check(data: bytes, usual: list[object] | None = None) -> None:
    """Fail if a project's file can do what it may not.

    Args:
        data: the file.
        usual: what becomes of the commands where the project says nothing, if that is known.
    """
    from asimi.core.errors import ConfigError

    directory = _directory()
    with open(os.path.join(directory, "root", ".asimi", "config.toml"), "wb") as file:
        file.write(data)
    try:
        verdicts = _verdicts(os.path.join(directory, "root"))
    except ConfigError as error:
        assert ".asimi/config.toml" in str(error), error
        return
    for command, before, after in zip(COMMANDS, usual or _usual(), verdicts, strict=True):
        assert after >= before, f"{command}: an untrusted file makes it {after.word}, not {before.word}"


def _verdicts(root: str) -> list[object]:
    """What becomes of the commands below a project root."""
    from asimi.core.call import Place, Request
    from asimi.world.config import Configuration
    from asimi.world.host.places import places_of

    settings = Configuration(places_of({"HOME": _directory()}), root, environ=dict).settings()
    place = Place(root, root, inside=True)
    return [settings.policy.decide(Request("run_shell_command", text, None, place)).verdict for text in COMMANDS]


@cache
def _usual() -> list[object]:
    """What becomes of them where the project says nothing."""
    return _verdicts(os.path.join(_directory(), "other"))


@cache
def _directory() -> str:
    """A home with a configuration, and two projects, of which one has a file."""
    directory = tempfile.mkdtemp(prefix="asimi-fuzz-", dir=SHARED if os.path.isdir(SHARED) else None)
    os.makedirs(os.path.join(directory, "root", ".asimi"))
    os.makedirs(os.path.join(directory, "other"))
    os.makedirs(os.path.join(directory, ".config", "asimi"))
    with open(os.path.join(directory, ".config", "asimi", "config.toml"), "w", encoding="utf-8") as file:
        file.write(OWN)
    return directory


if __name__ == "__main__":
    import atheris

    with atheris.instrument_imports(include=["asimi"]):
        _usual()
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
