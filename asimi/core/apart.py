"""The environment of what leaves a box around an agent: nothing in it leads to what the box can write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

GIT = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "fetch.recurseSubmodules": "false",
    "push.recurseSubmodules": "no",
    "submodule.recurse": "false",
    "safe.bareRepository": "explicit",
    "protocol.ext.allow": "never",
    "maintenance.auto": "false",
    "gc.auto": "0",
}
"""Settings with which git starts no hook or monitor of a repository, and takes none for one that lies open in a
directory or in a submodule (git-config(1)); in the environment they count more than a repository's own."""

CONTEXTS = frozenset(
    "KUBECONFIG DOCKER_CONFIG DOCKER_CERT_PATH BUILDX_CONFIG GH_CONFIG_DIR AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE "
    "CLOUDSDK_CONFIG HELM_CONFIG_HOME GNUPGHOME NETRC CURL_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_EXEC_PATH "
    "GIT_TEMPLATE_DIR XDG_CONFIG_HOME XDG_DATA_HOME HOME".split()
)
"""Variables that name a file or directory of settings, also by a path without a slash."""

RELATIVE = frozenset(
    "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR "
    "GIT_NAMESPACE GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND OLDPWD PWD".split()
)
"""Variables that lead git to another repository, or to a program; and what bash sets itself."""

DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


_PARTS = pattern(r"[:=,;\s'\"]+")
"""What stands between the parts of a value: of a list of paths, of a command line (`GIT_SSH_COMMAND`)."""


def apart(
    inherited: Mapping[str, str], directory: str, opened: Collection[str], real: Callable[[str], str]
) -> dict[str, str]:
    """The environment of what leaves a box: nothing in it leads to what the box can write, and git starts nothing.

    Args:
        inherited: asimi's own.
        directory: the directory it runs in.
        opened: what the box can write, real paths.
        real: gives the real path of an absolute one.
    """

    def led(path: str) -> bool:
        found = real(path if path[:1] == "/" else f"{directory}/{path}")
        return any(is_below(found, each) for each in opened)

    def kept(name: str, value: str) -> bool:
        parts = [part for part in _PARTS.split(value) if part and ("/" in part or name in CONTEXTS)]
        return name not in RELATIVE and not any(map(led, parts))

    path = [each for each in inherited.get("PATH", "").split(":") if each[:1] == "/" and not led(each)]
    found = {name: value for name, value in inherited.items() if name != "PATH" and kept(name, value)}
    count = int(found.get("GIT_CONFIG_COUNT", "0")) if found.get("GIT_CONFIG_COUNT", "0").isdecimal() else 0
    for number, (key, value) in enumerate(GIT.items(), count):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found | {"PATH": ":".join(path) or DEFAULT_PATH, "GIT_CONFIG_COUNT": str(count + len(GIT))}
