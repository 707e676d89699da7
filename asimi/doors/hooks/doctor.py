"""Looks at everything that must be right for a hook to work, and proves by a probe that it does."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import time
import tomllib
from glob import escape, glob
from shlex import quote
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.files import WRITE
from asimi.core.values import NamedTuple
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import PATCH, agent_of, asker, sample_of
from asimi.doors.hooks.driver import BLOCKED
from asimi.doors.hooks.settings import (
    ADMINISTRATORS,
    DOOR,
    MARKS,
    at,
    command_in,
    commands,
    installed_hooks,
    is_there,
    managed_agent,
    ours,
    settings_file,
    text_of,
    words_in,
)
from asimi.world.host import jsonc
from asimi.world.host.places import Bases, bases_of, bases_written, places_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from asimi.doors.hooks.agent import Agent

_SLOWEST = 60.0  # seconds that a probe may take

_UNPARSABLE = "echo '"  # which the reason of a deny shows, if that is the reason

_NO_PATH = "is no path"  # and this that of the deny of a path with a NUL


def examine(agent: Agent, environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Everything that must be right for the hook to work, the last of it proved by a probe."""
    path = settings_file(agent, environ)
    try:
        text = text_of(path)
        lines = [] if text is None else [*dict.fromkeys(commands(agent, text))]
        if not lines and (found := _administrators(agent)) is not None:
            agent, path, text = found
            lines = [*dict.fromkeys(commands(agent, text))]
        plugs = plugin_directories(agent, environ)
    except AsimiError as error:
        yield Diagnosis(False, f"{path}: {error}")
        return
    for directory in plugs:
        yield from _of_plug(agent, path, directory, environ)
    if plugs and not lines:
        return
    if plugs:
        yield Diagnosis(False, f"{path} has the hook, too, so each question comes twice; remove one of them")
    if text is None or not lines:
        yield Diagnosis(False, f"{path} has no hook of asimi's; put it there with: asimi hook install {agent.name}")
        return
    if is_there(agent, text):
        yield Diagnosis(True, f"{path} has the hook as this asimi writes it")
    else:
        renew = f"renew it with: asimi hook install {agent.name}"
        yield Diagnosis(False, f"{path} has a hook that this asimi would write differently; {renew}")
    if agent.settings is agent.managed:
        yield Diagnosis(None, "it is the administrator's, so what a person or a project switches off is not looked for")
    else:
        yield from find_off_switches(agent, path, os.getcwd())
        if agent.trust is not None:
            yield _trust_finding(agent, path, list(ours(agent, jsonc.scan(text))))
    yield from _question_sources(agent, path)
    ends = " and ".join(end.name for end in agent.ends)
    told = f"it tells when a call has ended ({ends}), so `asimi undo` knows what each changed"
    yield Diagnosis(None, told if ends else "it tells no end of a call, so `asimi undo` asks about each later change")
    yield from _writable_by_others()
    yield from _elsewhere(agent, lines, environ)
    for line in lines:
        yield from _probe(agent, line, environ)


def hooked_agents(environ: Mapping[str, str]) -> list[str]:
    """The agents that have asimi's hook, in whichever way.

    Raises:
        AsimiError: what one notes of plug-ins cannot be read.
    """
    plugs = (name for name in AGENTS if plugin_directories(agent_of(name), environ))
    return [*dict.fromkeys([*(name for name, _ in installed_hooks(environ)), *plugs])]


def plugin_directories(agent: Agent, environ: Mapping[str, str]) -> list[str]:
    """Where an agent has asimi's plug-in.

    Raises:
        AsimiError: what it notes of plug-ins cannot be read.
    """
    if agent.plug is None:
        return []
    noted = os.path.join(os.path.dirname(settings_file(agent, environ)), *agent.plug.noted.split("/"))
    found = at(_value_of(noted), ("plugins", agent.plug.name))
    paths = [each.get("installPath") for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    return [*dict.fromkeys(path for path in paths if isinstance(path, str))]


def _of_plug(agent: Agent, settings: str, directory: str, environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """What must be right for a plug-in to work."""
    plug = agent.plug
    assert plug is not None  # only then it can be there
    again = f"renew it with: /plugin uninstall {plug.name}, /plugin install {plug.name}"
    shipped = os.path.join(os.path.dirname(DOOR), plug.files)
    for name in ("launch", "hooks/hooks.json"):
        try:
            alike = text_of(os.path.join(directory, name)) == text_of(os.path.join(shipped, name))
        except AsimiError:
            alike = False
        if not alike:
            yield Diagnosis(False, f"{directory}/{name} differs from the one of this asimi; {again}")
            return
    yield Diagnosis(True, f"{directory} is the plug-in of this asimi")
    if at(_value_of(settings), (plug.enabled, plug.name)) is not True:
        yield Diagnosis(False, f"{settings}: {plug.enabled} does not enable it; /plugin enable {plug.name}")
    yield from find_off_switches(
        agent._replace(off={**agent.off, f"{plug.enabled}.{plug.name}": False}), settings, os.getcwd()
    )
    entries = at(_value_of(os.path.join(directory, "hooks", "hooks.json")), ("hooks", agent.events[0].name))
    line = command_in(entries[0]["hooks"][0], agent)
    yield from _probe(agent, line, {**environ, plug.root: directory})


def _administrators(agent: Agent) -> tuple[Agent, str, str] | None:
    """An agent as its administrator configured it, the file, and what it holds; None where asimi is not in it."""
    if agent.managed is None:
        return None
    other = managed_agent(agent)
    path = settings_file(other, ADMINISTRATORS)
    text = text_of(path)
    return None if text is None or not commands(other, text) else (other, path, text)


def _probe(agent: Agent, command: str, environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """What the command line answers to what no policy would allow, and to what is not an envelope at all."""
    event = next(event for event in agent.events if event.installed)
    deny = json.loads(json.dumps(event.deny))
    for what, envelope, sign, answer in (
        ("a command that cannot be parsed is denied", _envelope_text(sample_of(agent)), _UNPARSABLE, deny),
        ("a file that cannot exist is not written", _envelope_text(_envelope_of_write(agent)), _NO_PATH, deny),
        ("what cannot be read is blocked", "no envelope", "", None),
    ):
        code = 0 if answer is not None else BLOCKED
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
            yield Diagnosis(False, f"the probe cannot be run: {error}")
            return
        took = f"{(time.monotonic() - began) * 1000:.0f} ms"
        alike = answer is None or _alike(done.stdout, answer)
        answers = done.returncode == code and answer is not None  # beside an answer, standard error has only notes
        said = (done.stdout if answers else done.stderr or done.stdout).decode("utf-8", "replace").strip()
        if done.returncode == code and alike and said and sign in said:
            yield Diagnosis(True, f"{what} ({took})")
            if answer and (words := words_in(command)) is not None and sys.platform == "linux":
                yield from _compare_with_resident(agent, words, envelope, said)
        elif done.returncode == code and alike and said:
            yield Diagnosis(False, f"every command is denied: {_reason(json.loads(said)).removeprefix('asimi: ')}")
        elif done.returncode == BLOCKED and done.stderr:
            before, _, after = said.partition("asimi blocks this command: ")  # which its line adds
            why = before or after.removesuffix("asimi blocks this command") or "the hook says nothing"
            again = f"install asimi again, then: asimi hook install {agent.name}"
            yield Diagnosis(False, f"every command is blocked: {' '.join(why.split())[:400]}; {again}")
            return
        else:
            yield Diagnosis(False, f"{what}: no, it ended with {done.returncode} and said {said[:400]!r}")


def _compare_with_resident(agent: Agent, words: list[str], envelope: str, said: str) -> Iterator[Diagnosis]:
    """Whether a process of its own says the same; what says something else in a resident gate's place is ended."""
    from asimi.doors.hooks.resident import gates, stop_gates  # not on Windows

    runtime = places_at(bases_written(words)).runtime
    if not [*gates(runtime)]:
        return
    door = [sys.executable, "-I", "-S", DOOR, *words, agent.name, "0", str(agent.seconds), "alone"]
    done = subprocess.run(door, input=envelope.encode(), capture_output=True, timeout=_SLOWEST, check=False)
    if (done.stdout or done.stderr).decode("utf-8", "replace").strip() != said:
        ended = stop_gates(runtime)
        yield Diagnosis(False, f"the resident gate says something else than asimi itself, so it was ended: {ended}")


def _envelope_text(sample: Mapping[str, Any]) -> str:
    """A sample of an agent's envelopes as it is sent."""
    text = json.dumps(sample).replace("{command}", _UNPARSABLE)
    return text.replace("{directory}", json.dumps(os.getcwd())[1:-1])


def _envelope_of_write(agent: Agent) -> Mapping[str, Any]:
    """An envelope of the agent's first tool that writes, with a path that none can be."""
    event = next((each for each in agent.events if each.at is not None), agent.events[0])
    tool, given = event.at or (agent.tool, agent.input)
    name, form = next(each for each in agent.files.items() if each[1].does in {WRITE, PATCH})
    parameters = {form.paths[0]: "*** Delete File: \0" if form.does == PATCH else "\0"}
    sample = _with(_with(sample_of(agent), tool, name), given, parameters)
    return {**sample, agent.event: event.name} if agent.event in sample else sample


def _with(value: Mapping[str, Any], path: str, new: Any) -> Mapping[str, Any]:
    """A value with something else at a path."""
    key, _, rest = path.partition(".")
    return {**value, key: _with(value[key], rest, new) if rest else new}


def _reason(answer: Any) -> str:
    """The reason in an answer of any dialect: its longest text."""
    return max(map(_reason, answer.values()), key=len) if isinstance(answer, dict) else str(answer)


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


def _question_sources(agent: Agent, path: str) -> Iterator[Diagnosis]:
    """From whom questions come: in the mode in which the agent starts, or in each in which it may be."""
    name, usual = agent.starts
    start = at(_value_of(path), name.split(".")) or usual
    start = {"manual": "default"}.get(start, start)  # Claude Code's other name for it
    found = [mode for mode in agent.modes if (mode.value == start if name else not mode.path)]
    for mode in found:
        told = f"what it does with *ask*: {mode.does} ({mode.known})"
        yield Diagnosis(None, f"in {mode.name}, questions come from {asker(agent, mode)}; {told}")
    if not found:
        yield Diagnosis(None, f"the mode {start} is unknown to asimi, which asks itself there")


def _trust_finding(agent: Agent, path: str, trails: list[tuple[str | int, ...]]) -> Diagnosis:
    """Whether the agent has noted that its person trusts the hook."""
    assert agent.trust is not None  # asked only then
    file, section, how = agent.trust
    config = os.path.join(os.path.dirname(path), file)
    try:
        with open(config, "rb") as opened:
            noted = at(tomllib.load(opened), section.split(".")) or {}
    except FileNotFoundError:
        noted = {}
    except (OSError, tomllib.TOMLDecodeError) as error:
        return Diagnosis(False, f"{config}: {error}")
    for trail in trails:
        key = f"{os.path.abspath(path)}:{_snake(str(trail[-4]))}:{trail[-3]}:{trail[-1]}"
        other = key.replace(os.path.abspath(path), os.path.realpath(path))
        if not any(isinstance(noted.get(each), dict) and noted[each].get("trusted_hash") for each in (key, other)):
            return Diagnosis(False, f"{agent.title} does not run the hook yet because it is not trusted: {how}")
    return Diagnosis(True, f"{agent.title} was told to trust the hook")


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name).lstrip("_")


def _elsewhere(agent: Agent, lines: list[str], environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Whether the hook keeps to other directories than those of this environment, so they have other rules."""
    again = f"asimi hook install {agent.name}"
    for line in lines:
        words = words_in(line)
        if words is None:
            yield Diagnosis(False, f"its line is of an older asimi, which obeys HOME and XDG_*; renew it with: {again}")
            continue
        try:
            kept = bases_written(words)
        except AsimiError as error:
            yield Diagnosis(False, str(error))
            continue
        for name, there, here in zip(Bases._fields, kept, bases_of(environ), strict=True):
            if there and here and os.path.realpath(there) != os.path.realpath(here):
                text = f"the hook's {name} directory is {there}, and that of this environment {here}"
                yield Diagnosis(False, f"{text}; if this one is right: {again}")


def _writable_by_others() -> Iterator[Diagnosis]:
    """Whether somebody else could change what the hook starts."""
    for path in (sys.executable, DOOR, os.path.dirname(DOOR)):
        there = os.stat(path)
        if there.st_mode & stat.S_IWOTH and not there.st_mode & stat.S_ISVTX:
            yield Diagnosis(False, f"{path} can be changed by every user of this machine; chmod o-w {quote(path)}")


STEERS = re.compile(r"(?:LD|DYLD|GLIBC|MALLOC|BASH)\w*|BASH_FUNC_.*|ENV|IFS|PS4|SHELLOPTS|ZDOTDIR", re.ASCII)
"""Variables that the loader or a shell obeys at its start (ld.so(8), the manuals of bash and zsh)."""

LEADS = re.compile(r"(?:XDG|PYTHON|GIT)\w*|HOME|PATH|SHELL", re.ASCII)
"""Variables that lead what the agent starts to other programs, files or settings."""

_SET = re.compile(r"^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=", re.MULTILINE | re.ASCII)


class Diagnosis(NamedTuple):
    """One thing that was looked at.

    Attributes:
        good: whether it is as it should be; None for what its person should only know.
        text: what was found, and what to do.
    """

    good: bool | None
    text: str


def find_off_switches(agent: Agent, settings: str, directory: str) -> Iterator[Diagnosis]:
    """What is found in the person's files and, from a directory upward, in those of projects.

    Args:
        agent: the agent.
        settings: its settings file.
        directory: where its person works.
    """
    yield from _files_of_variables(agent, directory)
    for path in _files(agent, settings, directory):
        try:
            value = _value_of(path)
        except AsimiError as error:
            yield Diagnosis(False, f"{path}: {error}")
            continue
        for switch, off in agent.off.items():
            found = at(value, switch.split("."))
            if found == off or (isinstance(found, list) and any(str(off) in str(each) for each in found)):
                yield Diagnosis(False, f"{path}: {switch} turns the hook off; take it out")
        if agent.environment:
            yield from _steering_variables(path, agent.environment, at(value, agent.environment.split(".")))
        for command in _others(agent, value):
            text = "another hook is asked about the same commands; if it changes one, asimi has judged the other text"
            yield Diagnosis(None, f"{path}: {text}: {command}")
        if agent.advised is not None and path == settings:
            switch, wanted, why = agent.advised
            if at(value, switch.split(".")) != wanted:
                yield Diagnosis(None, f"{path}: does not set {switch}: {why}")


def _steering_variables(path: str, where: str, variables: Any) -> Iterator[Diagnosis]:
    """What is said of variables that a file sets for what an agent starts."""
    if not isinstance(variables, dict):
        return
    told = f"{path}: {where} sets" if where else f"{path}: sets"
    if names := ", ".join(sorted(name for name in variables if STEERS.fullmatch(name))):
        why = "which the shell that starts the hook obeys before asimi is there; take it out"
        yield Diagnosis(False, f"{told} {names}, {why}")
    if names := ", ".join(sorted(name for name in variables if LEADS.fullmatch(name))):
        yield Diagnosis(None, f"{told} {names}: the hook ignores that, the commands do not")


def _files_of_variables(agent: Agent, directory: str) -> Iterator[Diagnosis]:
    """What the files of variables set that an agent reads, from a directory upward."""
    while True:
        for name in agent.variables:
            path = os.path.join(directory, *name.split("/"))
            try:
                text = text_of(path) if os.path.lexists(path) else None
            except AsimiError as error:
                yield Diagnosis(False, str(error))
                continue
            if text is not None:
                yield from _steering_variables(path, "", dict.fromkeys(_SET.findall(text)))
        if directory == os.path.dirname(directory):
            return
        directory = os.path.dirname(directory)


def _files(agent: Agent, settings: str, directory: str) -> Iterator[str]:
    """The files that are looked at, each once."""
    beside, below = agent.switches
    own = [settings]
    for name in beside:
        own += [path for path in _expand_name(os.path.dirname(settings), name) if path not in own]
    yield from own
    while True:
        for name in below:
            yield from (path for path in _expand_name(directory, name) if os.path.lexists(path) and path not in own)
        if directory == os.path.dirname(directory):
            return
        directory = os.path.dirname(directory)


def _expand_name(directory: str, name: str) -> list[str]:
    """The paths that a name stands for, in a directory; `*` in it stands for what is there."""
    found = glob(os.path.join(escape(directory), name)) if "*" in name else [os.path.join(directory, name)]
    return sorted(map(os.path.normpath, found))


def _value_of(path: str) -> Any:
    """What a file of settings holds; None where there is none.

    Raises:
        AsimiError: it cannot be read.
    """
    text = text_of(path)
    if text is None or path.endswith(".js"):
        return None
    if path.endswith(".toml"):
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise AsimiError(str(error)) from None
    root = jsonc.scan(text)
    return None if root is None else root.value


def _others(agent: Agent, value: Any) -> Iterator[str]:
    """The command lines of hooks of others that are asked about the agent's shell."""
    for event in agent.events:
        entries = at(value, [event.name if key == "{event}" else key for key in agent.settings.event or ("",)])
        for entry in entries if isinstance(entries, list) else ():
            if not isinstance(entry, dict) or not _matches(entry.get("matcher"), agent):
                continue
            hooks = entry.get("hooks")
            for hook in hooks if isinstance(hooks, list) else [entry]:
                command = hook.get(agent.settings.command_key) if isinstance(hook, dict) else None
                if isinstance(command, str) and not any(mark in command for mark in MARKS):
                    yield command


def _matches(matcher: Any, agent: Agent) -> bool:
    """Whether a matcher may be about one of the tools that run commands; one that cannot be read may."""
    if not isinstance(matcher, str) or matcher in {"", "*"}:
        return True
    try:
        return any(re.search(matcher, tool) for tool in agent.tools)
    except re.error:
        return True
