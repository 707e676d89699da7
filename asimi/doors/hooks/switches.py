"""What switches an agent's hooks off, or changes a command behind asimi's back, in the files that say so."""

from __future__ import annotations

import os
import re

from asimi.core.errors import AsimiError
from asimi.core.startup import TYPE_CHECKING, NamedTuple
from asimi.doors.hooks.settings import MARKS, at, text_of
from asimi.world.host import jsonc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from asimi.doors.hooks.agent import Agent


STEERS = re.compile(r"(?:LD|DYLD|GLIBC|MALLOC|BASH)\w*|BASH_FUNC_.*|ENV|IFS|PS4|SHELLOPTS|ZDOTDIR", re.ASCII)
"""Variables that the loader or a shell obeys at its start (ld.so(8), the manuals of bash and zsh)."""

LEADS = re.compile(r"(?:XDG|PYTHON|GIT)\w*|HOME|PATH|SHELL", re.ASCII)
"""Variables that lead what the agent starts to other programs, files or settings."""

_SET = re.compile(r"^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=", re.MULTILINE | re.ASCII)


class Finding(NamedTuple):
    """One thing that was looked at.

    Attributes:
        good: whether it is as it should be; None for what its person should only know.
        text: what was found, and what to do.
    """

    good: bool | None
    text: str


def switched(agent: Agent, settings: str, directory: str) -> Iterator[Finding]:
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
            yield Finding(False, f"{path}: {error}")
            continue
        for switch, off in agent.off.items():
            found = at(value, switch.split("."))
            if found == off or (isinstance(found, list) and any(str(off) in str(each) for each in found)):
                yield Finding(False, f"{path}: {switch} turns the hook off; take it out")
        if agent.environment:
            yield from _steering(path, agent.environment, at(value, agent.environment.split(".")))
        for command in _others(agent, value):
            text = "another hook is asked about the same commands; if it changes one, asimi has judged the other text"
            yield Finding(None, f"{path}: {text}: {command}")
        if agent.advised is not None and path == settings:
            switch, wanted, why = agent.advised
            if at(value, switch.split(".")) != wanted:
                yield Finding(None, f"{path}: does not set {switch}: {why}")


def _steering(path: str, where: str, variables: Any) -> Iterator[Finding]:
    """What is said of variables that a file sets for what an agent starts."""
    if not isinstance(variables, dict):
        return
    told = f"{path}: {where} sets" if where else f"{path}: sets"
    if names := ", ".join(sorted(name for name in variables if STEERS.fullmatch(name))):
        why = "which the shell that starts the hook obeys before asimi is there; take it out"
        yield Finding(False, f"{told} {names}, {why}")
    if names := ", ".join(sorted(name for name in variables if LEADS.fullmatch(name))):
        yield Finding(None, f"{told} {names}: the hook ignores that, the commands do not")


def _files_of_variables(agent: Agent, directory: str) -> Iterator[Finding]:
    """What the files of variables set that an agent reads, from a directory upward."""
    while True:
        for name in agent.variables:
            path = os.path.join(directory, *name.split("/"))
            try:
                text = text_of(path) if os.path.lexists(path) else None
            except AsimiError as error:
                yield Finding(False, str(error))
                continue
            if text is not None:
                yield from _steering(path, "", dict.fromkeys(_SET.findall(text)))
        if directory == os.path.dirname(directory):
            return
        directory = os.path.dirname(directory)


def _files(agent: Agent, settings: str, directory: str) -> Iterator[str]:
    """The files that are looked at, each once."""
    beside, below = agent.switches
    own = [settings]
    for name in beside:
        own += [path for path in _named(os.path.dirname(settings), name) if path not in own]
    yield from own
    while True:
        for name in below:
            yield from (path for path in _named(directory, name) if os.path.lexists(path) and path not in own)
        if directory == os.path.dirname(directory):
            return
        directory = os.path.dirname(directory)


def _named(directory: str, name: str) -> list[str]:
    """The paths that a name stands for, in a directory; `*` in it stands for what is there."""
    from glob import escape, glob

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
        import tomllib

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
