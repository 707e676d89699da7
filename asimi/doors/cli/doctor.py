"""`asimi doctor`: what works on this machine and what does not, and where asimi's files are."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import typer

from asimi.core.lean import NamedTuple
from asimi.doors.cli.base import Command, application, fitted, options_of, out
from asimi.world.host.streams import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from asimi.compose import Options
    from asimi.world.host.places import Places

doctor = application()


class Examined(NamedTuple):
    """One line of the examination.

    Attributes:
        state: `ok`, `note` for what is good to know, `fault` for what keeps asimi from working.
        what: its subject.
        text: the finding.
    """

    state: str
    what: str
    text: str


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        what: its name.
        path: where it is, from the places of a user.
        keeper: its format's version, its limits, and who deletes it.
    """

    what: str
    path: Callable[[Places], str]
    keeper: str


KEPT = "limits.state_bytes and limits.state_age; asimi deletes it"

FILES = (
    Kind("managed configuration", lambda places: places.managed, "the administrator writes it"),
    Kind("configuration", lambda places: os.path.join(places.config, "config.toml"), "you write it"),
    Kind(
        "entries",
        lambda places: os.path.join(places.config, "config.approved.toml"),
        "version 1; asimi policy remove deletes it",
    ),
    Kind(
        "entries of projects",
        lambda places: os.path.join(places.state, "projects"),
        "version 1; asimi policy remove deletes it",
    ),
    Kind("trust", lambda places: os.path.join(places.state, "trust.json"), "version 1; asimi untrust deletes it"),
    Kind(
        "tickets",
        lambda places: places.runtime,
        "version 1, session.max_age; asimi session forget or the next login deletes it",
    ),
    Kind(
        "questions",
        lambda places: os.path.join(places.runtime, "questions"),
        "version 1, an hour; the asking process deletes it",
    ),
    Kind("log", lambda places: os.path.join(places.state, "log.jsonl"), KEPT),
    Kind("head of the log", lambda places: os.path.join(places.state, "log.head"), KEPT),
    Kind(
        "installed hooks",
        lambda places: os.path.join(places.state, "hooks.json"),
        "version 1; asimi hook uninstall deletes it",
    ),
    Kind("history of asimi shell", lambda places: os.path.join(places.state, "shell-history.jsonl"), "you delete it"),
    Kind("long outputs", lambda places: os.path.join(places.state, "output"), KEPT),
    Kind("logs of jobs", lambda places: os.path.join(places.state, "logs"), KEPT),
    Kind("jobs", lambda places: os.path.join(places.state, "jobs"), "version 1, limits.state_age; asimi deletes it"),
    Kind(
        "running calls",
        lambda places: os.path.join(places.state, "calls"),
        "version 1, limits.state_age; asimi deletes it",
    ),
)
"""Every kind of file that asimi reads or keeps."""


@doctor.command(cls=Command)
def _doctor(context: typer.Context) -> None:
    """Show what works on this machine and what does not, and where asimi's files are.

    The exit code is 1 if something keeps asimi from working.
    """
    findings = list(_examined(options_of(context)))
    for finding in findings:
        out(fitted(f"{finding.state:5}  {finding.what}: {printable(finding.text)}", indent=7))
    raise typer.Exit(1 if any(finding.state == "fault" for finding in findings) else 0)


def _examined(options: Options) -> Iterator[Examined]:
    """Every finding."""
    from asimi import __version__

    version = ".".join(map(str, sys.version_info[:3]))
    yield Examined("ok", "asimi", f"{__version__}, Python {version}, {sys.platform}")
    yield from _shell(options)
    yield from _configuration(options)
    yield from _processes()
    yield from _terminal()
    yield from _files()


def _shell(options: Options) -> Iterator[Examined]:
    from asimi.compose import root_of, shell_of

    root = root_of(options)
    if os.path.isdir(root):
        yield Examined("ok", "project root", root)
    else:
        yield Examined("fault", "project root", f"{root} is not a directory")
    shell = shell_of(root)
    if not shell.path:
        yield Examined("fault", "shell", "no bash on PATH outside the project root, so shell commands cannot run")
    elif shell.kind == "plain":
        why = "older than 4.4, or its locale is not UTF-8, so asimi understands only plain commands"
        yield Examined("note", "shell", f"{shell.path} {shell.version}, {why}")
    else:
        yield Examined("ok", "shell", f"{shell.path} {shell.version}".rstrip())


def _configuration(options: Options) -> Iterator[Examined]:
    from asimi.compose import configuration_of
    from asimi.core.errors import AsimiError

    try:
        configuration = configuration_of(options)
        files, notices = configuration.files(), configuration.notices()
    except AsimiError as error:
        yield Examined("fault", "configuration", str(error))
        return
    for level, path in files:
        yield Examined("ok", f"{level} configuration", path)
    if not files:
        yield Examined("note", "configuration", f"no file, only defaults (asimi would read {configuration.file})")
    for notice in notices:
        yield Examined("note", "project", notice)


def _processes() -> Iterator[Examined]:
    """How asimi recognises the processes of a call."""
    if sys.platform == "win32":
        yield Examined("note", "processes", "found only by taskkill; asimi is not tested on Windows")
        return
    if sys.platform != "linux":
        yield Examined("note", "processes", "found by ps: ASIMI_RUN, session and parents; not tested on this system")
        return
    pid = os.getpid()
    if os.path.exists(f"/proc/self/task/{pid}/children"):
        yield Examined("ok", "processes", "found by mark, ASIMI_RUN, session and parents")
    else:
        yield Examined("note", "processes", "this kernel lists no children; found by mark, ASIMI_RUN and session")
    if not hasattr(os, "pidfd_open"):
        yield Examined("note", "processes", "this Python has no pidfd; a thread waits for each command")


def _terminal() -> Iterator[Examined]:
    from asimi.compose import at_a_terminal

    if at_a_terminal():
        yield Examined("ok", "terminal", "asimi can ask here")
    else:
        yield Examined(
            "note", "terminal", "asimi cannot ask here; its questions wait for asimi approve and asimi watch"
        )


def _files() -> Iterator[Examined]:
    """Each kind of file: path, mode, and who deletes it."""
    from asimi.compose import places

    here = places()
    for kind in FILES:
        path = kind.path(here)
        try:
            there = os.stat(path)
        except OSError:
            yield Examined("ok", kind.what, f"{path} (none; {kind.keeper})")
            continue
        mode = stat.S_IMODE(there.st_mode)
        open_to_all = path.startswith((here.state, here.runtime)) and mode & 0o077
        state = "fault" if open_to_all else "ok"
        remedy = f"; open to others, chmod go= {path}" if open_to_all else ""
        yield Examined(state, kind.what, f"{path} ({mode:04o}; {kind.keeper}){remedy}")
    if not os.access(_existing(here.state), os.W_OK):
        yield Examined("fault", "log", f"{here.state} cannot be written, and asimi runs nothing it cannot log")


def _existing(path: str) -> str:
    """A path, or the nearest one above it that exists."""
    while not os.path.exists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path
