"""What a near end asks about the machine that it judges for: each question's name, its arguments and its answer.

A question only looks, but for `job_kill`. Both ends check the types here, so neither believes in a shape; `looks` is
what answers on the machine that is asked about, `walk` what asks one question many times.
"""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from asimi.core.call import Deed, Sandbox
from asimi.core.errors import AsimiError
from asimi.core.json_values import Invalid, parse_as
from asimi.world.executors.confining import ability
from asimi.world.executors.files import KINDS
from asimi.world.executors.jobs import Job, Jobs
from asimi.world.host import git_settings, repositories, trees
from asimi.world.host.deed_facts import add_file_facts
from asimi.world.host.places import names_in, private_file, real_path
from asimi.world.host.workspace import what_is

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from asimi.world.host.places import Places

    Asked = Sequence[Any]
    """A question's name, then its arguments."""

TOGETHER = 256
"""Directories of a walk that are asked about at once."""
PIECE = 1 << 18
"""Bytes that `kept` reads at once."""

QUESTIONS: Mapping[str, tuple[tuple[Any, ...], Any]] = {
    # what paths lead to: the fields of `core.judging.paths.Machine`
    "resolve": ((str,), str),
    "names": ((str,), tuple[str, ...] | None),
    "kind": ((str,), str | None),
    "below": ((str, int), tuple[str, ...] | None),
    "repository": ((str,), str | None),
    "guides": ((str,), tuple[tuple[str, ...], bool]),
    "branch": ((str, str), bool),
    "links": ((str,), bool),
    "leads": ((tuple[tuple[str, int], ...],), tuple[tuple[str, tuple[str, ...]], ...] | None),
    "entries": ((str, bool), tuple[tuple[tuple[str, bool], ...], bool]),
    # where a command may run
    "directory": ((str,), str),
    # what a dialog shows
    "looked": ((tuple[Deed, ...], str, str), tuple[Deed, ...]),
    # what can be held there, in words; empty where it can
    "unkept": ((Sandbox,), str),
    "opened_to": ((Sandbox,), str),
    "lacking_exec_rules": ((), str),
    # what was left running there
    "jobs": ((), tuple[Job, ...]),
    "job_kill": ((str,), tuple[int, ...]),
    "kept": ((str, int), str),
}
"""The types of each: of its arguments, and of its answer.

`entries` are the names in a directory, each with whether it is a directory and no link, and whether nothing of it is
hidden that could be got at (`trees.walk` says when); `directory` is what a path is: `directory`, `other` or empty for
nothing, links followed; `kept` is a piece of a file that asimi keeps there (an output, a log) from a byte on, as base64
has it.
"""


def answered(looks: Mapping[str, Callable[..., Any]], asked: Asked) -> Any:
    """What a question is answered with here.

    Args:
        looks: what looks, by the questions' names.
        asked: the question as it came.

    Raises:
        Invalid: there is no such question, or it has other arguments.
        AsimiError: it has no answer; says why.
    """
    name, *given = asked or ("",)
    if name not in QUESTIONS or name not in looks:
        raise Invalid(f"{name!r:.80} is no question")
    kinds: Any = QUESTIONS[name][0]
    arguments = parse_as(tuple[*kinds] if kinds else tuple[()], given, name)
    return looks[name](*arguments)


def walk(
    ask_all: Callable[[Sequence[Asked]], list[Any]],
    directory: str,
    depth: int,
    take: Callable[[str, str], bool],
    whole: bool,  # noqa: FBT001 - the shape of `Machine.walk`
) -> bool:
    """`Machine.walk` of another machine: one round trip a level, and what is left out is never asked for.

    Args:
        ask_all: asks there.
        directory: where it begins.
        depth: how many levels.
        take: is told each path and its name; where it says yes, what is below that is not passed.
        whole: whether nothing may be left out that could be got at.

    Returns:
        Whether that was all.
    """
    level, passed = [directory], 0
    while level:
        if depth <= 0:
            return not whole
        depth -= 1
        below: list[str] = []
        for at, (entries, open_) in zip(level, _listed(ask_all, level, whole=whole), strict=True):
            if not open_:
                return False
            for name, is_directory in entries:
                passed += 1
                path = f"{at.rstrip('/')}/{name}"
                if not take(path, name) and is_directory:
                    below.append(path)
        if passed > trees.MOST_WALKED:
            return False
        level = below
    return True


def _listed(
    ask_all: Callable[[Sequence[Asked]], list[Any]], level: Sequence[str], *, whole: bool
) -> Iterator[tuple[tuple[tuple[str, bool], ...], bool]]:
    """What is in some directories, asked for as it is wanted."""
    for at in range(0, len(level), TOGETHER):
        yield from ask_all([("entries", each, whole) for each in level[at : at + TOGETHER]])


def fault_of(error: AsimiError | OSError | ValueError) -> str:
    """Why a question has no answer, in words."""
    return str(error) if isinstance(error, AsimiError) else str(getattr(error, "strerror", None) or error)


KEPT = {kind for kind in KINDS.values() if kind in ("output", "logs")}
"""The directories of asimi's state whose files a near end may read: what commands wrote."""


def looks(places: Places, root: str) -> Mapping[str, Callable[..., Any]]:
    """What answers each question.

    Args:
        places: where asimi's own files are here.
        root: the real path of the project root.
    """
    jobs = Jobs(places.state)
    own = [places.config, places.state, places.runtime, os.path.dirname(places.managed)]

    def unkept(sandbox: Sandbox) -> str:
        return ability.unkept(sandbox)

    def opened_to(sandbox: Sandbox) -> str:
        return ability.opened_to(sandbox, root, own)

    def lacking_exec_rules() -> str:
        return ability.lacking_exec_rules()

    def names(directory: str) -> tuple[str, ...] | None:
        found = names_in(directory)
        return None if found is None else tuple(found)

    def below(path: str, depth: int) -> tuple[str, ...] | None:
        found = trees.below(path, depth)
        return None if found is None else tuple(found)

    def leads(starts: tuple[tuple[str, int], ...]) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        found = trees.leads(starts)
        return None if found is None else tuple((real, tuple(each)) for real, each in found)

    def guides(path: str) -> tuple[tuple[str, ...], bool]:
        found, starts = git_settings.guides(path)
        return tuple(found), starts

    return {
        "resolve": real_path,
        "names": names,
        "kind": trees.kind,
        "below": below,
        "repository": repositories.repository_of,
        "guides": guides,
        "branch": repositories.is_branch,
        "links": os.path.islink,
        "leads": leads,
        "entries": trees.entries,
        "directory": what_is,
        "looked": add_file_facts,
        "unkept": unkept,
        "opened_to": opened_to,
        "lacking_exec_rules": lacking_exec_rules,
        "jobs": lambda: tuple(jobs.list()),
        "job_kill": lambda name: tuple(jobs.kill(name)),
        "kept": lambda path, at: _kept(places.state, path, at),
    }


def _kept(state: str, path: str, at: int) -> str:
    """A piece of a file that asimi keeps of what commands wrote.

    Raises:
        AsimiError: it is not one of these, or is gone.
    """
    if os.path.dirname(path) not in {os.path.join(os.path.abspath(state), kind) for kind in KEPT}:
        raise AsimiError(f"{path}: is none of the files that asimi keeps of what commands wrote")
    try:
        with open(private_file(path, os.O_RDONLY), "rb") as file:
            file.seek(at)
            return b64encode(file.read(PIECE)).decode("ascii")
    except FileNotFoundError:
        raise AsimiError(f"{path}: is not there any more") from None
