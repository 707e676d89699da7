"""How wide a yes can be: a fact about a command, looked at when the yes is given and again at each call.

A rule holds its widths as words (`at`): a kind, then a bound, such as `container ID`. `aims` looks at what a command is
aimed at and says that in the same words, so a rule covers a command where its widths cover the command's aims.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.facts import facts_of, table_of
from asimi.core.judging.rules import REACH
from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from asimi.core.judging.rules import Rule


class Width(NamedTuple):
    """A kind of width.

    Attributes:
        label: what an offer of it is called.
        covers: what such a rule allows, behind the words of its commands.
        says: what it lets happen, with `{}` for the bound, for the person who grants a task.
        would: a command that it would allow, the gravest known, with `{}` for the bound.
    """

    label: str = ""
    covers: str = ""
    says: str = ""
    would: str = ""


@cache
def known_widths() -> dict[str, Width]:
    """The kinds, by the first word of what a rule is aimed at; only where one is put in words is `widths.txt` read."""
    return {kind: Width(**table_of(lines)) for kind, lines in facts_of(__package__, "widths").items()}


SETTLED = frozenset({"code", "comment", "container", "lock", "scripts", "site"})
"""Those whose look has settled all that such a command does, whatever its row says."""

TYPED = frozenset({"code", "scripts"})
"""Those that a person grants by a typed word where no box holds the agent."""

LASTING = ("remote", "branch", "context", "namespace", "object", "script", "place", "lock")
"""Those that a rule may have for always."""

AWAY = frozenset({*LASTING, "comment", "container", "scripts"}) - {"place"}
"""Those under which something happens that undo does not keep."""

TOGETHER = (
    ("code script", "remote", "Together: code of the agent's could change what it pushes, and hooks that git runs."),
    ("code script", "reach", "Together: code of the agent's could send what it reads to {}."),
    ("code", "scripts", "Together: packages' scripts could change the code that then runs as you."),
    ("lock", "remote", "Together: what is installed could end up in what is pushed."),
    ("container", "reach", "Together: what is in the container could go to {}."),
)
"""What two widths make that neither says alone."""

WITH_PROJECT = " with this project"
"""Behind the id of a container into which files of the project are mounted, so it can write its hooks for git."""

BROUGHT = " of others"
"""Behind the name of a script in a package that is not the project's own."""

_GOES_OUT = pattern(r"(?i)deploy|publish|release|migrat|upload")
"""Names of scripts that usually reach others; a name proves nothing, and any other script may do the same."""


TASK = "task "
"""How the source of a rule begins that a person granted for a task; its id and words follow."""


def is_task(source: str | None) -> bool:
    """Whether a rule is of a task, by who said so."""
    return source is not None and source.startswith(TASK)


def kind_of(at: str) -> str:
    """The kind of a width, or of an aim."""
    return at.partition(" ")[0]


def within(aims: Collection[str], widths: Collection[str]) -> bool:
    """Whether all that a command is aimed at is within some widths; a command without an aim is within none.

    Widths that name no object are of all that a namespace holds.
    """
    if not any(kind_of(each) == "object" for each in widths):
        aims = [each for each in aims if kind_of(each) != "object"]
    return bool(aims) and all(each in widths or any(_holds(width, each) for width in widths) for each in aims)


def _holds(width: str, aim: str) -> bool:
    """Whether an object is one of a type, or the code of a project what a script of one of its packages runs."""
    if (kind_of(width), kind_of(aim)) == ("object", "object"):
        return aim.startswith(f"{width}/")
    if (kind_of(width), kind_of(aim)) != ("code", "script"):
        return False
    name, _, directory = aim.partition(" ")[2].partition(" in ")
    return not _GOES_OUT.search(name) and not name.endswith(BROUGHT) and is_below(directory, width.partition(" ")[2])


def goes_out(name: str) -> bool:
    """Whether the name of a script or a target says that it does more than run code here."""
    return _GOES_OUT.search(name) is not None


def is_settled(aims: Iterable[str]) -> bool:
    """Whether the look at what a command is aimed at has settled all that it does."""
    return all(kind_of(each) in SETTLED for each in aims)


def lasts(at: Iterable[str]) -> bool:
    """Whether a rule that is so wide may hold for always."""
    return all(kind_of(each) in LASTING for each in at)


def word_to_type(at: Iterable[str]) -> str:
    """The word that a person types to grant some widths where no box holds the agent; empty where a yes is enough."""
    return "code" if any(kind_of(each) in TYPED for each in at) else ""


def bounds_of(rules: Iterable[Rule]) -> tuple[str, ...]:
    """The widths of some rules, each once."""
    named = ((f"reach {rule.words[0][0]}",) if rule.tool == REACH and rule.words else rule.at for rule in rules)
    return tuple(dict.fromkeys(at for each in named for at in each))


def sentences(ats: Sequence[str]) -> list[str]:
    """What a person reads who grants some widths: each, then what two of them make together."""
    bounds = {
        kind: ", ".join(_display_bound(each) for each in ats if kind_of(each) == kind) for kind in map(kind_of, ats)
    }
    together = (
        text.format(bounds[two])
        for ones, two, text in TOGETHER
        if two in bounds and not bounds.keys().isdisjoint(ones.split())
    )
    return [*(known_widths()[kind].says.format(bound) for kind, bound in bounds.items()), *together]


def _display_bound(at: str) -> str:
    """A bound as people read it: of a lock file without its digest, of a container by the beginning of its id."""
    kind, _, bound = at.partition(" ")
    if kind == "container":
        return bound[:12] + (WITH_PROJECT if WITH_PROJECT in bound else "")
    return bound.rpartition(" ")[0] if kind == "lock" else bound


def example(ats: Sequence[str], words: str = "") -> str:
    """One command that some widths would allow, the gravest that is known; its words, where no width says them."""
    gravest = ("code", "scripts", "container", "remote", "object", *known_widths())
    found = ((known_widths()[kind].would, each) for kind in gravest for each in ats if kind_of(each) == kind)
    branch = next((each.partition(" ")[2] for each in ats if kind_of(each) == "branch"), "")
    return next((would.format(_display_bound(each), words=words, branch=branch) for would, each in found if would), "")
