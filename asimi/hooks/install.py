"""Puts the hook into an agent's own settings file, takes it out again, and proves by a probe that it works.

Only the hook changes: order, indentation, comments and everything else in the file stay as they are, and taking the
hook out gives back the file that was there. What the file itself cannot tell then, whether an empty list was there
before, asimi writes down for itself.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from shlex import quote
from typing import TYPE_CHECKING, Any

from asimi.errors import AsimiError
from asimi.hooks import jsonc
from asimi.places import Lock, private_directory, read_private, replace
from asimi.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from asimi.hooks.agent import Agent

VERSION = 1
"""The format of what asimi writes down about the files it changed."""

DOOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "door.py")

_MARKS = ("/asimi/hooks/door.py", "\\asimi\\hooks\\door.py")
_GUARD = (
    # Python itself ends with 2, and says nothing of asimi, where there is no such file any more
    'if [ -r "$4" ]; then "$@"; s=$?; else s="none: asimi was removed"; fi; case $s in 0|2) exit $s;; esac; '
    'echo "asimi blocks this command, because its hook could not run (status $s). '
    'To find out why: asimi hook doctor" >&2; exit 2'
)
_SLOWEST = 60.0  # seconds that a probe may take


class Change(NamedTuple):
    """What would become of a settings file.

    Attributes:
        path: the file, as it is known to its person.
        before: what it holds; None where it is not there.
        after: what it would hold; None where it would be deleted.
        made: how many objects and arrays the hook needed that were not there.
    """

    path: str
    before: str | None
    after: str | None
    made: int = 0


class Finding(NamedTuple):
    """One thing that was looked at.

    Attributes:
        good: whether it is as it should be.
        text: what was found, and what to do.
    """

    good: bool
    text: str


def command_line(agent: Agent, python: str = sys.executable) -> str:
    """What the agent starts: the door, in a shell that turns every failure to start it into a no."""
    door = [python, "-I", "-S", DOOR, agent.name]
    if sys.platform == "win32":
        return subprocess.list2cmdline(door)
    return " ".join(["/bin/sh", "-c", quote(_GUARD), "asimi-hook", *map(quote, door)])


def settings_file(agent: Agent, environ: Mapping[str, str]) -> str:
    """The person's own settings file of an agent."""
    if agent.settings.moved is not None:
        variable, below = agent.settings.moved
        if environ.get(variable):
            return os.path.join(os.path.abspath(environ[variable]), *below.split("/"))
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(home, *agent.settings.file.split("/"))


def to_install(agent: Agent, environ: Mapping[str, str], state: str) -> Change:
    """What putting the hook in would change; nothing where it is there already, exactly as it would be.

    Raises:
        AsimiError: the file cannot be read or understood.
    """
    out = to_uninstall(agent, environ, state)
    if out.before is not None and _is_there(agent, out.before):
        return Change(out.path, out.before, out.before)
    text, made = out.after, 0
    if agent.settings.base and (text is None or jsonc.scan(text) is None):
        text = (text or "") + json.dumps(agent.settings.base, indent=2) + "\n"
    for path, entry in _wanted(agent):
        try:
            text, now = jsonc.with_item(text or "", path, entry)
        except jsonc.Unreadable as error:
            raise AsimiError(f"{out.path}: cannot be changed safely: {error}; nothing was changed") from None
        made = max(made, now)
    return Change(out.path, out.before, text, made)


def to_uninstall(agent: Agent, environ: Mapping[str, str], state: str) -> Change:
    """What taking the hook out would change.

    Raises:
        AsimiError: the file cannot be read or understood.
    """
    path = settings_file(agent, environ)
    before = _text_of(path)
    if before is None:
        return Change(path, None, None)
    noted = _notes(state).get(os.path.realpath(path), {})
    text = before
    try:
        while (place := next(_ours(agent, root := jsonc.scan(text)), None)) is not None:
            assert root is not None  # the hook is in it
            text = jsonc.without(text, _entry(root.value, place), noted.get("made"))
        left = jsonc.scan(text)
    except jsonc.Unreadable as error:
        raise AsimiError(f"{path}: cannot be changed safely: {error}; nothing was changed") from None
    nothing_else = left is not None and left.value in ({}, dict(agent.settings.base))
    if text != before and "blank" in noted and nothing_else:
        return Change(path, before, noted["blank"])
    return Change(path, before, text)


def apply(change: Change, state: str) -> None:
    """Make a change; a link stays a link, and the mode stays as it is.

    Raises:
        AsimiError: the file is read-only or cannot be written.
    """
    real = os.path.realpath(change.path)
    mode = 0o600
    if change.before is not None:
        there = os.stat(real)
        mode = stat.S_IMODE(there.st_mode)
        if not mode & stat.S_IWUSR or not os.access(real, os.W_OK):
            raise AsimiError(f"{change.path}: is read-only, so that it was not changed; first: chmod u+w {quote(real)}")
    if _text_of(change.path) != change.before:
        raise AsimiError(f"{change.path}: was changed meanwhile; start again")
    if change.after is None:
        os.unlink(real)
        _note(state, real, None)
        return
    try:
        os.makedirs(os.path.dirname(real), exist_ok=True)
    except OSError as error:
        raise AsimiError(f"{os.path.dirname(real)}: cannot be made: {error.strerror}") from None
    installing = any(mark in json.dumps(change.after) or mark in change.after for mark in _MARKS)
    if installing:
        note: dict[str, Any] = {"made": change.made}
        if change.before is None or jsonc.scan(change.before) is None:
            note["blank"] = change.before
        _note(state, real, note)
    replace(real, change.after.encode("utf-8", "surrogateescape"), mode)
    if not installing:
        _note(state, real, None)


def examined(agent: Agent, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Everything that must be right for the hook to work, the last of it proved by a probe."""
    path = settings_file(agent, environ)
    try:
        text = _text_of(path)
        root = None if text is None else jsonc.scan(text)
    except AsimiError as error:
        yield Finding(False, f"{path}: {error}")
        return
    places = list(_ours(agent, root))
    if root is None or not places:
        yield Finding(False, f"{path} has no hook of asimi's; put it there with: asimi hook install {agent.name}")
        return
    if text is not None and _is_there(agent, text):
        yield Finding(True, f"{path} has the hook as this asimi writes it")
    else:
        renew = f"renew it with: asimi hook install {agent.name}"
        yield Finding(False, f"{path} has a hook that this asimi would write differently; {renew}")
    for switch, value in agent.off.items():
        if _at(root.value, switch.split(".")) == value:
            yield Finding(False, f"{path}: {switch} turns all hooks off; take it out")
    if agent.trust is not None:
        yield _trusted(agent, path, places)
    yield from _writable_by_others()
    for place in places:
        yield from _probed(agent, _command_at(_at(root.value, place)) or "", environ)


def _probed(agent: Agent, command: str, environ: Mapping[str, str]) -> Iterator[Finding]:
    """What the command line answers to a text that bash cannot parse, and to what is no envelope at all."""
    event = next(event for event in agent.events if event.installed)
    sample = json.dumps(agent.sample).replace("{command}", "echo '")
    sample = sample.replace("{directory}", json.dumps(os.getcwd())[1:-1])
    deny = json.loads(json.dumps(event.deny))
    for what, envelope, code, answer in (
        ("a command that cannot be parsed is denied", sample, 0, deny),
        ("what cannot be read is blocked", "no envelope", 2, None),
    ):
        began = time.monotonic()
        try:
            done = subprocess.run(  # noqa: S602 - the very line that the agent gives to a shell
                command,
                shell=True,
                input=envelope.encode(),
                capture_output=True,
                timeout=_SLOWEST,
                env=dict(environ),
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            yield Finding(False, f"the probe cannot be run: {error}")
            return
        took = f"{(time.monotonic() - began) * 1000:.0f} ms"
        alike = answer is None or _alike(done.stdout, answer)
        if done.returncode == code and alike and (done.stdout or done.stderr):
            yield Finding(True, f"{what} ({took})")
        else:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
            yield Finding(False, f"{what}: no, it ended with {done.returncode} and said {said[:400]!r}")


def _alike(out: bytes, deny: Any) -> bool:
    """Whether an answer is a deny in the agent's dialect: the same keys, and the same words but for the reason."""
    try:
        answer = json.loads(out)
    except ValueError:
        return False
    return bool(_shape(answer) == _shape(deny))


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(each) for key, each in value.items()}
    return value if isinstance(value, str) and " " not in value and "{" not in value else "…"


def _trusted(agent: Agent, path: str, places: list[tuple[str | int, ...]]) -> Finding:
    """Whether the agent has noted that its person trusts the hook."""
    import tomllib

    assert agent.trust is not None  # asked only then
    file, section, how = agent.trust
    config = os.path.join(os.path.dirname(path), file)
    try:
        with open(config, "rb") as opened:
            noted = _at(tomllib.load(opened), section.split(".")) or {}
    except FileNotFoundError:
        noted = {}
    except (OSError, tomllib.TOMLDecodeError) as error:
        return Finding(False, f"{config}: {error}")
    for place in places:
        key = f"{os.path.abspath(path)}:{_snake(str(place[-4]))}:{place[-3]}:{place[-1]}"
        other = key.replace(os.path.abspath(path), os.path.realpath(path))
        if not any(isinstance(noted.get(each), dict) and noted[each].get("trusted_hash") for each in (key, other)):
            return Finding(False, f"{agent.title} does not run the hook yet, for nobody told it to trust it: {how}")
    return Finding(True, f"{agent.title} was told to trust the hook")


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name).lstrip("_")


def _writable_by_others() -> Iterator[Finding]:
    """Whether somebody else could change what the hook starts."""
    for path in (sys.executable, DOOR, os.path.dirname(DOOR)):
        there = os.stat(path)
        if there.st_mode & stat.S_IWOTH and not there.st_mode & stat.S_ISVTX:
            yield Finding(False, f"{path} can be changed by every user of this machine; chmod o-w {quote(path)}")


def _wanted(agent: Agent) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What belongs into the settings file: the path of each list, and the entry in it."""
    line = command_line(agent)
    for event in agent.events:
        if event.installed:
            path = tuple(event.name if key == "{event}" else key for key in agent.settings.event)
            yield path, _with_command(dict(agent.settings.entry), line)


def _with_command(entry: Any, line: str) -> Any:
    if isinstance(entry, dict):
        return {key: _with_command(value, line) for key, value in entry.items()}
    if isinstance(entry, (list, tuple)):
        return [_with_command(value, line) for value in entry]
    return line if entry == "{command}" else entry


def _is_there(agent: Agent, text: str) -> bool:
    """Whether a settings file has the hook exactly as it would be written, and once."""
    root = jsonc.scan(text)
    if root is None:
        return False
    places = list(_ours(agent, root))
    wanted = list(_wanted(agent))
    return len(places) == len(wanted) and all(entry in (_at(root.value, path) or ()) for path, entry in wanted)


def _ours(agent: Agent, root: jsonc.Node | None) -> Iterator[tuple[str | int, ...]]:
    """The places of asimi's hooks for an agent."""
    if root is None:
        return
    for place in _places(root.value, ()):
        command = _command_at(_at(root.value, place)) or ""
        if any(mark in command for mark in _MARKS) and command.endswith(f" {agent.name}"):
            yield place


def _entry(value: Any, place: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The place of the entry that a hook is in, where it is the only one there; else its own."""
    around = _at(value, place[:-2])
    in_an_entry = isinstance(place[-2], str) and len(place) > 3 and isinstance(place[-3], int)
    alone = in_an_entry and len(around[place[-2]]) == 1 and around.keys() <= {place[-2], "matcher"}
    return place[:-2] if alone else place


def _places(value: Any, place: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """The places of all objects in lists."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield (*place, index)
            yield from _places(item, (*place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*place, key))


def _command_at(entry: Any) -> str | None:
    """The command line of a hook."""
    if isinstance(entry, dict):
        for key in ("command", "bash"):
            if isinstance(entry.get(key), str):
                return str(entry[key])
    return None


def _at(value: Any, path: Any) -> Any:
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _text_of(path: str) -> str | None:
    """What a file holds; None where it is not there.

    Raises:
        AsimiError: it cannot be read, or is no UTF-8.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        if os.path.islink(path):
            raise AsimiError(f"{path}: is a link that leads nowhere; remove it") from None
        return None
    except UnicodeDecodeError:
        raise AsimiError(f"{path}: is no UTF-8; nothing was changed") from None
    except OSError as error:
        raise AsimiError(f"{path}: cannot be read: {error.strerror}") from None


def _notes(state: str) -> dict[str, dict[str, Any]]:
    """What was written down about the files that were changed.

    Raises:
        AsimiError: it cannot be believed, or was written by a newer asimi.
    """
    path = os.path.join(state, "hooks.json")
    if not os.path.lexists(path):
        return {}
    content = read_private(path)
    try:
        document = json.loads(content or b"{}")
        if document["version"] != VERSION:
            raise AsimiError(f"{path}: has version {document['version']}, and this asimi knows {VERSION}; remove it")
        files: dict[str, dict[str, Any]] = document["files"]
    except (ValueError, KeyError, TypeError):
        raise AsimiError(f"{path}: is not what asimi writes; remove it") from None
    return files


def _note(state: str, path: str, note: dict[str, Any] | None) -> None:
    """Write down what was made in a file, or forget it."""
    private_directory(state)
    file = os.path.join(state, "hooks.json")
    with Lock(file + ".lock"):
        files = _notes(state)
        if note is None:
            files.pop(path, None)
        else:
            files[path] = note
        replace(file, json.dumps({"version": VERSION, "files": files}).encode())


def is_installed(agent: Agent, environ: Mapping[str, str]) -> bool:
    """Whether an agent's settings file has the hook, or cannot be read, so that nobody knows."""
    try:
        text = _text_of(settings_file(agent, environ))
        return text is not None and next(_ours(agent, jsonc.scan(text)), None) is not None
    except AsimiError:
        return True
