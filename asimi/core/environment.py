"""The environment of a command, from asimi's own and from `[environment]`."""

from __future__ import annotations

from asimi.core.programs.variables import SECRETS
from asimi.core.startup import TYPE_CHECKING, fnmatchcase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from asimi.core.settings import Environment

REREAD = (
    "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_FUNC_*", "POSIXLY_CORRECT", "BASH_COMPAT", "BASH_LOADABLES_PATH",
    "GLOBIGNORE", "CDPATH", "PS4",
)  # fmt: skip
"""Variables that make bash read a text differently or run what nobody judged (bash manual, Bash Variables)."""

NONINTERACTIVE = {
    "PAGER": "cat", "GIT_PAGER": "cat", "GH_PAGER": "cat", "MANPAGER": "cat", "SYSTEMD_PAGER": "cat",
    "EDITOR": "false", "VISUAL": "false", "GIT_EDITOR": "false", "GIT_SEQUENCE_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_MERGE_AUTOEDIT": "no",
    "DEBIAN_FRONTEND": "noninteractive", "PIP_NO_INPUT": "1", "NPM_CONFIG_YES": "false", "TERM": "dumb",
    "NO_COLOR": "1",
}  # fmt: skip
"""What keeps programs from waiting for a person; an editor that fails makes `git commit` end instead of committing."""


def prepared(inherited: Mapping[str, str], wanted: Environment) -> dict[str, str]:
    """The environment a command gets: the inherited one, without what misleads bash, plus `ASIMI_CLI=1`."""
    keep = set(wanted.keep)
    drop = (*REREAD, *wanted.drop)
    if "secrets" in drop:
        drop = (*drop, *SECRETS)
        keep.add("SSH_AUTH_SOCK")
    exact = {name for name in drop if "*" not in name}
    patterns = [name for name in drop if "*" in name]
    environment = {
        name: value
        for name, value in inherited.items()
        if name in keep or not (name in exact or any(fnmatchcase(name, pattern) for pattern in patterns))
    }
    if wanted.noninteractive:
        environment |= NONINTERACTIVE
    environment |= dict(wanted.set)
    environment["ASIMI_CLI"] = "1"
    return environment
