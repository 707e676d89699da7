"""What a box needs to know of each agent, as data: one file an agent beside this one.

A path begins with `~` for the home. What is not listed is read-only, so a profile that forgets something costs a
message of the agent's, and nothing else.
"""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


DIRECTORY = os.path.dirname(__file__)


class Hook(NamedTuple):
    """How the box has the agent's hook set up, so that nothing of the person's changes.

    Attributes:
        file: the administrator's file that is there in the box only; empty where a variable does it.
        variable: the variable that names settings; empty where a file does it.
        text: what these hold; empty where the agent has no hook in a box.
    """

    file: str = ""
    variable: str = ""
    text: str = ""


class Profile(NamedTuple):
    """What a box needs to know of one agent.

    Attributes:
        name: what asimi calls it, as `asimi hook` does; empty for a program that nobody described.
        title: what people call it.
        tried: by which version this is known, and how.
        programs: the names that it is started by.
        state: directories and files of its own that it writes.
        moved: variables that name another directory in place of one of these.
        held: what in these runs later or says what runs: settings, hooks, plug-ins; with a slash at the end where it
            is a directory. Read-only, there or not.
        copied: files of which the box has a copy, because the agent writes or replaces them and they are settings, too.
        own: directories of its state that each project's boxes have of their own, because what is in there is started;
            where one is held, too, what its person has in there is read-only in it.
        fresh: directories of its state that each box has anew, because what is in there leads to the agent's processes
            outside of the box, or is started by them.
        project: what it reads of a project at its start, where something read-only in its place would stop it; with a
            slash at the end a directory, of which a project's boxes have one of their own where there is none.
        shown: what of the cache directory is read-only, where it is there.
        environment: variables that it needs although their names look like a secret's.
        given: variables that it gets in the box.
        arguments: words that it gets behind its name, such as those that switch its own sandbox off: none is made in
            a box.
        rooted: whether it obeys the administrator's file only where that is root's, as none is in another user's box.
        unasked: words with which it asks its person nothing; none where there are no such. `{root}` stands for the
            project root as a string of JSON's.
        behind: subcommands that take these words, which then stand behind them; without one of these they come first,
            and other subcommands get none. Where this is empty, they always come first.
        granted: variables that it gets with these words, for the same.
        asking: words that say what it asks about; where its person gives one of them, asimi adds none.
        forbids: settings that forbid these words: a file and keys as for `models`, and the value that does so, or that
            a list there lacks.
        hook: how its hook is set up where a variable does it; else that is an administrator's file, which follows from
            what is known of its hooks.
        replaces: how a hook of it answers with another command: `updatedInput`, `tool_input`, `modifiedArgs`, `args`,
            or empty where it cannot, and a refusal carries the result.
        reach: names that it needs: of its models, and of its login.
        models: where the agent's own configuration names the hosts of its models: `$VARIABLE`, or a file and keys,
            `~/.x/config.toml providers.*.url`.
        needless: names that it asks for at its start and does without.
        login: the words of its own login, which runs outside; none where it has no such command.
        notes: what its person has to know.
    """

    name: str = ""
    title: str = ""
    tried: str = ""
    programs: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    moved: Mapping[str, str] = {}
    held: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    given: Mapping[str, str] = {}
    arguments: tuple[str, ...] = ()
    rooted: bool = False
    unasked: tuple[str, ...] = ()
    granted: Mapping[str, str] = {}
    behind: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    forbids: Mapping[str, Any] = {}
    hook: Hook = Hook()
    replaces: str = ""
    reach: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    needless: tuple[str, ...] = ()
    login: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def at(self, path: str, home: str, environ: Mapping[str, str]) -> str:
        """Where a path of the profile is for one user: absolute, links in it not followed.

        Args:
            path: as the profile writes it.
            home: the home directory.
            environ: the environment of the agent.
        """
        for name, head in self.moved.items():
            if os.path.isabs(moved := environ.get(name, "")) and f"{path}/".startswith(f"{head}/"):
                return os.path.normpath(moved + path[len(head) :])
        return os.path.normpath(home + path[1:] if path[:1] == "~" else path)


def names() -> list[str]:
    """The agents that have a profile."""
    return sorted(each[:-5] for each in os.listdir(DIRECTORY) if each.endswith(".toml"))


def profile_of(name: str) -> Profile:
    """The profile of an agent, by its name or a program's; an empty one for a program that nobody described.

    Raises:
        AsimiError: the file is broken.
    """
    program = os.path.basename(name)
    for each in names():
        profile = _read(each)
        if program == each or program in profile.programs:
            return profile
    return Profile()


def _read(name: str) -> Profile:
    """The profile in a file.

    Raises:
        AsimiError: it is broken.
    """
    path = os.path.join(DIRECTORY, f"{name}.toml")
    try:
        with open(path, "rb") as file:
            table: dict[str, Any] = tomllib.load(file)
        hook = Hook(**table.pop("hook", {}))
        fields: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in table.items()}
        return Profile(name=name, hook=hook, **fields)
    except (OSError, ValueError, TypeError) as error:
        raise AsimiError(f"{path}: {error}") from None
