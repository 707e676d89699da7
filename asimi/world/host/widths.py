"""What the machine says of widths: which container a name means and what that reaches, what a lock file names.

Nothing is started for it: the daemon is asked by its socket (docs.docker.com/reference/api/engine), files are read.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote

from asimi.core.call import is_below
from asimi.core.judging.widths import WITH_PROJECT
from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from typing import Any

SOCKET = "/var/run/docker.sock"
"""Where docker's daemon listens, unless `DOCKER_HOST` names another socket of this machine."""

PATIENCE = 1.0
"""Seconds within which the daemon answers."""

LARGEST = 16 << 20
"""Bytes of an answer, or of a lock file, that are read."""

NPM, PYPI = "https://registry.npmjs.org/", "https://pypi.org/simple"
PYPI_FILES = "https://files.pythonhosted.org/"
"""The registries of whoever has set up no other one."""

_STEERLESS = frozenset(
    "build-backend cache-keys compile-bytecode conflicts constraint-dependencies default-groups dependency-groups "
    "dev-dependencies environments exclude-newer fork-strategy link-mode managed override-dependencies package "
    "prerelease python-preference required-environments required-version resolution sources workspace".split()
)
"""Tables and settings of `tool.uv` that say nothing of where packages or a Python come from once there is a lock."""

_HASHED = pattern(
    r"[A-Za-z0-9][\w.-]*(?:\[[\w,. -]+\])?==[\w.+!-]+(?: *;[^#\\]*)?(?:[ \\]+--hash=sha(?:256|384|512):[0-9a-f]+)+"
)
"""One line of a file of requirements, with the digests of what it names (pip.pypa.io, Secure installs)."""


def container(root: str, name: str, service: bool) -> str:  # noqa: FBT001 - as the machine is asked
    """Return the id of a container; empty where there is none, or it reaches more of this machine than the project.

    Args:
        root: the project root, a real path.
        name: its name or the beginning of its id; of a service, that of the service.
        service: whether it is a service, of the compose project at the root and of no other.
    """
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        daemon = find_daemon()
        if service:
            labels = {"label": [f"com.docker.compose.service={name}"]}  # files may name any project
            (found,) = _query_daemon(daemon, "/containers/json?filters=" + quote(json.dumps(labels)))
            name = found["Id"] if found["Labels"]["com.docker.compose.project.working_dir"] == root else ""
        there = _query_daemon(daemon, f"/containers/{quote(name, safe='')}/json")
        mounts = WITH_PROJECT if any(each["Type"] != "volume" for each in there["Mounts"]) else ""
        where = "" if daemon == SOCKET else f" at {daemon}"
        return f"{there['Id']}{mounts}{where}" if _is_plain(there, root) else ""
    return ""


_AIMS = frozenset({"COMPOSE_ENV_FILES", "COMPOSE_FILE", "CONTAINER_CONNECTION", "CONTAINER_HOST"})
"""Variables by which podman goes to another machine, or Compose takes files that nobody has looked at."""


def find_daemon() -> str:
    """Return the socket of docker's daemon; empty where it, or what Compose has it run, may be elsewhere.

    `DOCKER_HOST` comes before the context that is in use (docs.docker.com/engine/manage-resources/contexts).
    """
    if not _AIMS.isdisjoint(os.environ):
        return ""
    docker = os.environ.get("DOCKER_CONFIG") or os.path.expanduser("~/.docker")
    listens = os.environ.get("DOCKER_HOST") or f"unix://{SOCKET}"
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        used = _read(f"{docker}/config.json", b"{}").get("currentContext", "default")
        name = os.environ.get("DOCKER_CONTEXT") or used
        if name != "default" and not os.environ.get("DOCKER_HOST"):
            context = _read(f"{docker}/contexts/meta/{sha256(name.encode()).hexdigest()}/meta.json", b"")
            listens = context["Endpoints"]["docker"]["Host"]
        scheme, _, daemon = listens.partition("://")
        return daemon if scheme == "unix" else ""
    return ""


def _is_plain(there: Any, root: str) -> bool:
    """Whether a container holds nothing of this machine but the project, and has no rights beside the usual ones."""
    host = there["HostConfig"]
    shared = (
        host.get(each) or "" for each in ("NetworkMode", "PidMode", "IpcMode", "UTSMode", "UsernsMode", "CgroupnsMode")
    )
    binds = [each["Source"] for each in there["Mounts"] if each["Type"] != "volume"]
    more = ("Privileged", "CapAdd", "Devices", "DeviceRequests", "DeviceCgroupRules")
    free = any("unconfined" in each or "disable" in each for each in host.get("SecurityOpt") or ())
    names = any(each == "host" or each.startswith("container:") for each in shared)
    outside = any(not is_below(os.path.realpath(each), root) for each in binds)
    return not (names or outside or free or any(host.get(each) for each in more))


def _query_daemon(listens: str, path: str) -> Any:
    """What the daemon that listens at a socket answers to a question."""
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.settimeout(PATIENCE)
        daemon.connect(listens)
        daemon.sendall(f"GET {path} HTTP/1.0\r\nHost: docker\r\n\r\n".encode())
        answer = b""
        while (piece := daemon.recv(1 << 16)) and len(answer) < LARGEST:
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    if head.split(None, 2)[1] != b"200":
        raise ValueError(path)
    return json.loads(body)


def _read(path: str, otherwise: bytes) -> Any:
    try:
        with open(path, "rb") as file:
            return json.loads(file.read(LARGEST))
    except FileNotFoundError:
        return json.loads(otherwise)


def lock_file_digest(path: str) -> str:
    """Return the digest of a lock file whose packages come from the registries of the person; empty for another one.

    Args:
        path: its real path.
    """
    directory, name = os.path.split(path)
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST)
        text = content.decode()
    except (OSError, ValueError):
        return ""
    manifest, *beside = {
        "package-lock.json": ("package.json", ".npmrc", "npm-shrinkwrap.json"),
        "uv.lock": ("pyproject.toml", "uv.toml"),
    }.get(name, ("",))
    there = [os.path.join(directory, each) for each in beside]
    if manifest:  # one above may be of a workspace, whose lock file counts instead
        there += [os.path.join(each, manifest) for each in _above(directory)]
        if not os.path.isfile(os.path.join(directory, manifest)):
            return ""
    if len(content) == LARGEST or any(map(os.path.lexists, there)):
        return ""
    plain = {"package-lock.json": _is_npm, "uv.lock": _is_uv}.get(name, _is_pip)
    return sha256(content).hexdigest() if plain(text, directory) else ""


def _above(directory: str) -> list[str]:
    """The directories above one."""
    parts = directory.split("/")
    return ["/".join(parts[:end]) or "/" for end in range(1, len(parts))]


def _is_inside(path: str) -> bool:
    """Whether a path of a lock file stays below the directory of it."""
    return not path.startswith("/") and ".." not in path.split("/")


def _is_npm(text: str, directory: str) -> bool:
    """Whether each package of an npm lock file has a digest and comes from npm's registry, or is in the project."""
    try:
        found = json.loads(text)
        packages, known = found["packages"], found["lockfileVersion"] in {2, 3}
        links = [each["resolved"] for each in packages.values() if each.get("link")]
        of_others = [each for path, each in packages.items() if "node_modules/" in path and not each.get("link")]
        sure = all(each["resolved"].startswith(NPM) and bool(each["integrity"]) for each in of_others)
        # it empties what a link leads to
        linked = os.path.islink(os.path.join(directory, "node_modules"))
        return known and sure and not linked and all(map(_is_inside, (*packages, *links)))
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _is_uv(text: str, directory: str) -> bool:
    """Whether each package of a uv lock file comes from PyPI with digests, or is in the project, which steers no uv."""
    import tomllib

    try:
        with open(os.path.join(directory, "pyproject.toml"), encoding="utf-8") as file:
            steers = tomllib.loads(file.read()).get("tool", {}).get("uv", {})
        for each in tomllib.loads(text)["package"]:
            ((what, where),) = each["source"].items()
            files = [*each.get("wheels", ()), *([each["sdist"]] if "sdist" in each else ())]
            own = what in {"editable", "virtual"} and _is_inside(where) and not files
            sure = all(one["url"].startswith(PYPI_FILES) and bool(one["hash"]) for one in files)
            if not own and not ((what, where) == ("registry", PYPI) and files and sure):
                return False
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return _STEERLESS.issuperset(steers) and all(
        _is_version(os.path.join(each, name))
        for each in (directory, *_above(directory))
        for name in (".python-version", ".python-versions")
    )


def _is_version(path: str) -> bool:
    """Whether a file that names a Python for uv names no program, or is not there."""
    try:
        with open(path, "rb") as file:
            return all(each.replace(b".", b"").isdigit() for each in file.read(LARGEST).split())
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _is_pip(text: str, directory: str) -> bool:
    """Whether each line of a file of requirements names one package by its version and digests."""
    del directory
    if any(each.lstrip().startswith("#") and each.endswith("\\") for each in text.splitlines()):
        return False  # pip ends a comment with its line, whatever the line ends with
    lines = (line.partition(" #")[0].strip() for line in text.replace("\\\n", " ").splitlines())
    return all(_HASHED.fullmatch(each) for each in lines if each and each[0] != "#")
