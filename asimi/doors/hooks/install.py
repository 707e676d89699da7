"""Puts the hook into an agent's own settings file, and takes it out again.

Only the hook changes: order, indentation, comments and everything else in the file stay as they are, and taking the
hook out gives back the file that was there. What the file itself cannot tell then, whether an empty list was there
before, asimi writes down for itself.
"""

from __future__ import annotations

import json
import os
import stat
from shlex import quote

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING, NamedTuple
from asimi.doors.hooks.settings import (
    MARKS,
    at,
    commands,
    is_all_ours,
    is_there,
    ours,
    plugin,
    settings_file,
    text_of,
    wanted,
)
from asimi.world.host import jsonc
from asimi.world.host.documents import Document
from asimi.world.host.places import make_directory, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from asimi.doors.hooks.agent import Agent

VERSION = 1
"""The format of what asimi writes down about the files it changed."""


class Change(NamedTuple):
    """What would become of a settings file.

    Attributes:
        path: the file, as it is known to its person.
        before: what it holds; None where it is not there.
        after: what it would hold; None where it would be deleted.
        made: how many objects and arrays the hook needed that were not there; None for a file that is asimi's alone.
        blank: what it held without the hook, which an older one may have been in.
    """

    path: str
    before: str | None
    after: str | None
    made: int | None = 0
    blank: str | None = None


class _Notes(NamedTuple):
    """What asimi wrote down about the files it changed, by their real paths.

    Attributes:
        files: for each, `made`, how many objects and arrays were made for the hook; and, where it held nothing before,
            `blank`, its text, or None where it was not there.
    """

    files: dict[str, dict[str, Any]]


def to_install(agent: Agent, environ: Mapping[str, str], state: str) -> Change:
    """What putting the hook in would change; nothing where it is there already, exactly as it would be.

    Raises:
        AsimiError: the file cannot be read or understood.
    """
    out = to_uninstall(agent, environ, state)
    if out.before is not None and is_there(agent, out.before):
        return Change(out.path, out.before, out.before)
    if agent.settings.plugin:
        if out.after is not None:
            raise AsimiError(f"{out.path}: is not asimi's, so it was not changed; move it away first")
        return Change(out.path, out.before, plugin(agent), None)
    text, made = out.after, 0
    if agent.settings.base and (text is None or jsonc.scan(text) is None):
        text = (text or "") + json.dumps(agent.settings.base, indent=2) + "\n"
    for path, entry in wanted(agent):
        try:
            text, now = jsonc.with_item(text or "", path, entry)
        except jsonc.Unreadable as error:
            raise AsimiError(f"{out.path}: cannot be changed safely: {error}; nothing was changed") from None
        made = max(made, now)
    return Change(out.path, out.before, text, made, out.after)


def to_uninstall(agent: Agent, environ: Mapping[str, str], state: str) -> Change:
    """What taking the hook out would change.

    Raises:
        AsimiError: the file cannot be read or understood.
    """
    path = settings_file(agent, environ)
    before = text_of(path)
    if before is None:
        return Change(path, None, None)
    if agent.settings.plugin:
        found = commands(agent, before)
        if found and agent.settings.file.endswith(".toml") and not is_all_ours(agent, before):
            raise AsimiError(f"{path}: holds more than asimi wrote, so it was not changed; change it by hand")
        return Change(path, before, None if found else before, None)
    notes = _notes(state).read()
    noted = {} if notes is None else notes.files.get(os.path.realpath(path), {})
    text = before
    try:
        while (trail := next(ours(agent, root := jsonc.scan(text)), None)) is not None:
            assert root is not None  # the hook is in it
            text = jsonc.without(text, _entry(root.value, trail), noted.get("made"))
        left = jsonc.scan(text)
    except jsonc.Unreadable as error:
        raise AsimiError(f"{path}: cannot be changed safely: {error}; nothing was changed") from None
    nothing_else = left is not None and left.value in ({}, dict(agent.settings.base))
    if text != before and "blank" in noted and nothing_else:
        return Change(path, before, noted["blank"])
    return Change(path, before, text)


def apply(change: Change, state: str, mode: int = 0o600) -> None:
    """Make a change; a link stays a link, and the mode stays as it is.

    Args:
        change: what to make.
        state: where asimi writes down what it made.
        mode: the mode of a new file; whoever may not read it may not enter a new directory either.

    Raises:
        AsimiError: the file is read-only or cannot be written.
    """
    real = os.path.realpath(change.path)
    if change.before is not None:
        there = os.stat(real)
        mode = stat.S_IMODE(there.st_mode)
        if not mode & stat.S_IWUSR or not os.access(real, os.W_OK):
            raise AsimiError(f"{change.path}: is read-only, so it was not changed; first: chmod u+w {quote(real)}")
    if text_of(change.path) != change.before:
        raise AsimiError(f"{change.path}: was changed meanwhile; start again")
    if change.after is None:
        os.unlink(real)
        _note(state, real, None)
        return
    try:
        _make_directory(os.path.dirname(real), everybodys=bool(mode & stat.S_IROTH))
    except OSError as error:
        raise AsimiError(f"{os.path.dirname(real)}: cannot be made: {error.strerror}") from None
    installing = any(mark in json.dumps(change.after) or mark in change.after for mark in MARKS)
    if installing and change.made is not None:
        note: dict[str, Any] = {"made": change.made}
        if change.blank is None or jsonc.scan(change.blank) is None:
            note["blank"] = change.blank
        _note(state, real, note)
    replace(real, change.after.encode("utf-8", "surrogateescape"), mode)
    os.chmod(real, mode)  # whatever the umask
    if not installing:
        _note(state, real, None)


def _make_directory(path: str, *, everybodys: bool) -> None:
    """Make a directory and those above it that are missing, for us alone or for everybody to enter."""
    missing, directory = [], path
    while everybodys and not os.path.isdir(directory):
        missing.append(directory)
        directory = os.path.dirname(directory)
    make_directory(path)
    for each in missing:
        os.chmod(each, 0o755)  # noqa: S103 - the agent of every person reads what is in it


def _entry(value: Any, trail: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The trail of the entry that a hook is in, where it is the only one there; else its own."""
    around = at(value, trail[:-2])
    in_an_entry = isinstance(trail[-2], str) and len(trail) > 3 and isinstance(trail[-3], int)
    alone = in_an_entry and len(around[trail[-2]]) == 1 and around.keys() <= {trail[-2], "matcher"}
    return trail[:-2] if alone else trail


def _notes(state: str) -> Document[_Notes]:
    """What was written down about the files that were changed."""
    return Document(os.path.join(state, "hooks.json"), _Notes, VERSION)


def _note(state: str, path: str, note: dict[str, Any] | None) -> None:
    """Write down what was made in a file, or forget it."""
    notes = _notes(state)
    with notes.locked() as there:
        files = {} if there is None else there.files
        files.pop(path, None)
        notes.write(_Notes(files if note is None else files | {path: note}))
