"""The extras: what the gate does without. Each is a folder in `asimi/extras`, and any of them may be missing.

The gate imports no extra; it finds one by the table here when a person asks for what the extra brings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Extra(NamedTuple):
    """What an extra brings.

    Attributes:
        commands: commands of asimi's; one in a group has the group's name before it. They are in its module `command`.
        options: options of other commands.
        keys: keys and tables of the configuration, which no file may have without it; `KEY=VALUE` for that value alone.
        examined: whether its module `doctor` has something to say in `asimi doctor`.
    """

    commands: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    examined: bool = False


EXTRAS = {
    "acp": Extra(("acp",)),
    "advice": Extra(("policy could", "policy diff", "policy lint", "policy suggest", "policy replay")),
    "exec_rules": Extra(keys=("shell.enforce=exec", "rules.enforce=exec")),
    "frameworks": Extra(),  # what `asimi.adapters` is
    "hosts": Extra(("executor",), ("--host",), ("hosts",)),
    "permissions": Extra(("policy import", "policy export")),
    "report": Extra(("log report",)),
    "shell": Extra(("shell",)),
    "team": Extra(("team", "relay"), ("--team",), ("team",), examined=True),
    "telemetry": Extra(keys=("telemetry",), examined=True),
}
"""The extras by the names of their folders."""

BROUGHT = {command: name for name, extra in EXTRAS.items() for command in extra.commands}
"""The commands of extras, and the extra of each."""

_BY_KEY = {key: name for name, extra in EXTRAS.items() for key in extra.keys}


class MissingExtraError(AsimiError):
    """An extra is not installed; `str()` says which."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"asimi's extra {name!r} is missing here: there is no asimi/extras/{name}; install asimi again"
        )


def missing_for(key: str, value: object = None) -> str:
    """Return why a key of the configuration cannot be obeyed; empty unless it is of an extra that is missing.

    Args:
        key: its whole name, after the table's and a dot.
        value: its value.
    """
    name = _BY_KEY.get(key) or _BY_KEY.get(key.partition(".")[0]) or _BY_KEY.get(f"{key}={value}")
    return "" if name is None or is_installed(name) else str(MissingExtraError(name))


def load(name: str, module: str = "") -> Any:
    """Return a module of an extra, or the extra's package.

    Raises:
        MissingExtraError: the extra is not installed.
    """
    package = f"asimi.extras.{name}"
    try:
        return import_module(f"{package}.{module}" if module else package)
    except ModuleNotFoundError as error:
        if error.name not in ("asimi.extras", package):
            raise
        raise MissingExtraError(name) from None


def is_installed(name: str) -> bool:
    """Return whether an extra is there."""
    try:
        load(name)
    except MissingExtraError:
        return False
    return True
