"""An agent's own settings file, and where in it asimi's hook is."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from itertools import takewhile
from shlex import quote, split
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import SECONDS, agent_of
from asimi.world.host import jsonc
from asimi.world.host.documents import Document
from asimi.world.host.places import Bases, bases_of, make_directory, replace, written_bases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from asimi.doors.hooks.agent import Agent

DOOR = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "hooks", "door.py")
"""What an agent starts."""

MARKS = ("/asimi/hooks/door.py", "\\asimi\\hooks\\door.py")
"""How it is known in a command line, whichever asimi it belongs to."""

_IN_A_PLUGIN = re.compile(r'^(?:const HOOK|command) = ("(?:[^"\\]|\\["\\/bfnrtu])*")$', re.MULTILINE)

ADMINISTRATORS: dict[str, str] = {"HOME": "/"}
"""The environment that leads to the administrator's files."""

_ANSWERED = 42
"""The exit code by which the door says that it gave an answer; nothing else ends with it by accident."""

_GUARD = (
    'unset -f printf echo; a=$("$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "${10}" '
    f'{_ANSWERED} {SECONDS}); s=$?; case $s in {_ANSWERED}) printf %s "$a" && exit 0; esac; '
    'echo "asimi blocks this command: its hook gave no answer (status $s); to find out why: asimi hook doctor" >&2; '
    "exit 2"
)
"""The agent hears what the door said only where the door ended with its own code. No backslash and no quote: fish
reads both differently. Functions come from the environment where /bin/sh is bash, special builtins cannot (bash manual,
Bash POSIX Mode)."""

_STEERS = (
    "BASH_ENV BASH_COMPAT BASH_XTRACEFD BASHOPTS ENV POSIXLY_CORRECT PS4 SHELLOPTS "
    "LD_AUDIT LD_DEBUG LD_LIBRARY_PATH LD_PRELOAD LD_SHOW_AUXV LD_TRACE_LOADED_OBJECTS GLIBC_TUNABLES"
)
"""The variables by which a shell does other than it is told, where /bin/sh is bash (bash manual, Bash Variables), and
by which the loader adds code or text to a program (ld.so(8)); what is loaded before, nothing can undo."""

_CLEAN = " ".join(["/usr/bin/env", *(f"-u {name}" for name in _STEERS.split())])
"""What starts the guard without them."""

_BEHIND = ' && exit 0; echo "asimi blocks this command" >&2; exit 2'
"""What the agent's own shell makes of a guard that is killed, or of a system without /bin/sh. The words are those that
sh, bash, zsh and fish read alike; the guard ignores them where an agent starts it without a shell."""


def command_line(
    agent: Agent, python: str = sys.executable, *, answers: bool = True, bases: Bases | None = None
) -> str:
    """What the agent starts: the door, in a shell that turns everything but an answer into a no.

    Args:
        agent: the agent.
        python: the interpreter.
        answers: whether an answer is awaited; else the door alone is started.
        bases: the directories that asimi keeps to there; by default those of this process, or of the account that
            starts it where the file is the administrator's.
    """
    if bases is None and agent.settings is not agent.managed:
        bases = bases_of(os.environ)
    door = [python, "-I", "-S", DOOR, *written_bases(bases), agent.name]
    if sys.platform == "win32":
        return subprocess.list2cmdline(door)
    if not answers:
        return " ".join(map(quote, door))
    return " ".join([_CLEAN, "/bin/sh", "-c", quote(_GUARD), "asimi-hook", *map(quote, door)]) + _BEHIND


def words_in(line: str) -> list[str] | None:
    """The directories that a hook's command line keeps to, as they are written there; None where it keeps to none."""
    try:
        found = split(line.removesuffix(_BEHIND))
    except ValueError:
        return None
    at_door = next((index for index, word in enumerate(found) if any(word.endswith(mark) for mark in MARKS)), None)
    given = found[at_door + 1 : -1] if at_door is not None else []
    return given if len(given) == len(Bases._fields) else None


def settings_file(agent: Agent, environ: Mapping[str, str]) -> str:
    """The person's own settings file of an agent."""
    if agent.settings.moved is not None:
        variable, below = agent.settings.moved
        if environ.get(variable):
            return os.path.join(os.path.abspath(environ[variable]), *below.split("/"))
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(home, *agent.settings.file.split("/"))


def is_installed(agent: Agent, environ: Mapping[str, str]) -> bool:
    """Whether an agent's settings file has the hook, or cannot be read, so nobody knows."""
    try:
        text = text_of(settings_file(agent, environ))
        return text is not None and bool(commands(agent, text))
    except AsimiError:
        return True


def installed_hooks(environ: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Where asimi's hook is, or may be: each agent's name, and whether it is the administrator's file."""
    for name in AGENTS:
        agent = agent_of(name)
        if is_installed(agent, environ):
            yield name, False
        if agent.managed is not None and is_installed(managed_agent(agent), ADMINISTRATORS):
            yield name, True


def text_of(path: str) -> str | None:
    """What a file holds; None where it is not there.

    Raises:
        AsimiError: it cannot be read, or is not UTF-8.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        if os.path.islink(path):
            raise AsimiError(f"{path}: is a link that leads nowhere; remove it") from None
        return None
    except UnicodeDecodeError:
        raise AsimiError(f"{path}: is not UTF-8; nothing was changed") from None
    except OSError as error:
        raise AsimiError(f"{path}: cannot be read: {error.strerror}") from None


def managed_agent(agent: Agent) -> Agent:
    """An agent as its administrator configures it: its settings file is below the root directory, the home of nobody.

    Raises:
        AsimiError: it has no such file.
    """
    if agent.managed is None:
        raise AsimiError(f"{agent.title} has no file for an administrator's hooks; install the hook for each person")
    return agent._replace(settings=agent.managed)


def is_all_ours(agent: Agent, text: str) -> bool:
    """Whether a file that asimi writes as a whole holds nothing else, whichever asimi wrote it."""
    return _IN_A_PLUGIN.sub("", text) == _IN_A_PLUGIN.sub("", plugin(agent))


def plugin(agent: Agent) -> str:
    """What belongs in the file of an agent whose hook is a plug-in."""
    return agent.settings.plugin.replace("{command}", json.dumps(command_line(agent)))


def hook_entries(agent: Agent, command: str = "") -> Iterator[tuple[tuple[str, ...], Any]]:
    """What belongs in the settings file: the path of each list, and the entry in it.

    Args:
        agent: the agent.
        command: the command line of the hook; empty for the one that starts asimi's door.
    """
    asked = [(event.name, event.entry or agent.settings.entry, True) for event in agent.events if event.installed]
    told = [(end.name, agent.settings.end, False) for end in agent.ends]
    for name, entry, answers in (*asked, *told):
        path = tuple(name if key == "{event}" else key for key in agent.settings.event)
        yield path, _with_command(dict(entry), command or command_line(agent, answers=answers))


def in_a_box(agent: Agent, command: str, there: str | None) -> str:
    """What the settings file of an agent holds in a box: what it holds outside, and the hook.

    Args:
        agent: the agent.
        command: the command line of the box's hook.
        there: what the file holds outside; None where it is not there.

    Raises:
        AsimiError: the hook cannot be put into that.
    """
    try:
        if agent.settings.plugin:
            return _with_table(there or "", agent.settings.plugin.replace("{command}", json.dumps(command)))
        base = dict(agent.settings.base)
        if agent.advised is not None:
            base[agent.advised[0]] = agent.advised[1]
        text = there if there is not None and jsonc.scan(there) is not None else "{}"
        root = jsonc.scan(text)
        assert root is not None  # as it holds an object
        text = json.dumps(root.value | base)
        for trail, entry in hook_entries(agent, command):
            text, _ = jsonc.with_item(text, trail, entry)
    except (jsonc.Unreadable, ValueError, TypeError) as error:
        raise AsimiError(f"{agent.settings.file}: the box's hook cannot be put beside what is there: {error}") from None
    return text


def _with_table(there: str, ours: str) -> str:
    """A file of TOML with the hook added, whose features it may set itself."""
    features = tomllib.loads(there).get("features", {})
    text = f"{there}\n{ours[ours.index('[[') :] if features else ours}"
    if not {"hooks": True, **tomllib.loads(text)["features"]}["hooks"]:
        raise ValueError("it switches hooks off")
    return text


def _with_command(entry: Any, line: str) -> Any:
    if isinstance(entry, dict):
        return {key: _with_command(value, line) for key, value in entry.items()}
    if isinstance(entry, (list, tuple)):
        return [_with_command(value, line) for value in entry]
    return line if entry == "{command}" else entry


def is_there(agent: Agent, text: str) -> bool:
    """Whether a settings file has the hook exactly as it would be written, and once."""
    if agent.settings.plugin:
        return text == plugin(agent)
    root = jsonc.scan(text)
    if root is None:
        return False
    trails = list(ours(agent, root))
    entries = list(hook_entries(agent))
    return len(trails) == len(entries) and all(entry in (at(root.value, path) or ()) for path, entry in entries)


def commands(agent: Agent, text: str) -> list[str]:
    """The command lines of asimi's hooks that answer, in what a settings file holds.

    Raises:
        Unreadable: it cannot be understood.
    """
    if agent.settings.plugin:
        return [json.loads(found) for found in _IN_A_PLUGIN.findall(text) if any(mark in found for mark in MARKS)]
    root = jsonc.scan(text)
    ends = {end.name for end in agent.ends}
    trails = [trail for trail in ours(agent, root) if ends.isdisjoint(trail)]
    return [command_in(at(root.value, trail), agent) for trail in trails] if root is not None else []


def ours(agent: Agent, root: jsonc.Element | None) -> Iterator[tuple[str | int, ...]]:
    """Where to find asimi's hooks for an agent."""
    if root is None:
        return
    for trail in _trails(root.value, ()):
        command = command_in(at(root.value, trail), agent)
        if any(mark in command for mark in MARKS) and command.removesuffix(_BEHIND).endswith(f" {agent.name}"):
            yield trail


def _trails(value: Any, trail: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Where to find all objects in lists."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield (*trail, index)
            yield from _trails(item, (*trail, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _trails(item, (*trail, key))


def command_in(entry: Any, agent: Agent) -> str:
    """The command line in a hook's entry; empty where it has none."""
    command = entry.get(agent.settings.command_key) if isinstance(entry, dict) else None
    return command if isinstance(command, str) else ""


def at(value: Any, path: Iterable[str | int]) -> Any:
    """What is at a path in a JSON value, or None."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


VERSION = 1
"""The format of what asimi writes down about the files it changed."""


class Change(NamedTuple):
    """What would become of a settings file.

    Attributes:
        path: the file, as it is known to its person.
        before: what it holds; None where it is not there.
        after: what it would hold; None where it would be deleted.
        made: how many objects and arrays each entry needed that were not there, by the path of its list; None for a
            file that is asimi's alone.
        blank: what it held without the hook, which an older one may have been in.
    """

    path: str
    before: str | None
    after: str | None
    made: dict[str, int] | None = None
    blank: str | None = None


class _Notes(NamedTuple):
    """What asimi wrote down about the files it changed, by their real paths.

    Attributes:
        files: for each, `made` as in `Change` (one number for all entries where an older asimi wrote it); and, where
            it held nothing before, `blank`, its text, or None where it was not there.
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
        return Change(out.path, out.before, plugin(agent))
    text, made = out.after, dict[str, int]()
    if agent.settings.base and (text is None or jsonc.scan(text) is None):
        text = (text or "") + json.dumps(agent.settings.base, indent=2) + "\n"
    for path, entry in hook_entries(agent):
        try:
            text, made[".".join(path)] = jsonc.with_item(text or "", path, entry)
        except jsonc.Unreadable as error:
            raise AsimiError(f"{out.path}: cannot be changed safely: {error}; nothing was changed") from None
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
        return Change(path, before, None if found else before)
    notes = _notes(state).read()
    noted = {} if notes is None else notes.files.get(os.path.realpath(path), {})
    text = before
    try:
        while trails := list(ours(agent, root := jsonc.scan(text))):
            assert root is not None  # the hook is in it
            trail, made = trails[-1], noted.get("made")  # the last one first: what it needed held the first one, too
            if isinstance(made, dict):
                made = made.get(".".join(map(str, takewhile(lambda step: isinstance(step, str), trail))))
            text = jsonc.without(text, _entry(root.value, trail), made)
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
    with notes.lock() as there:
        files = {} if there is None else there.files
        files.pop(path, None)
        notes.write(_Notes(files if note is None else files | {path: note}))
