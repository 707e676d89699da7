"""Tasks: whose calls a grant answers, what its widths become as rules, and what an agent proposes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.compose import places
from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.offers import of_task, width_rule
from asimi.core.judging.rules import REACH, SHELL, EntryError, literal_words, rule_of
from asimi.core.judging.widths import bounds_of, example, kind_of
from asimi.world.approvals.tasks import LONGEST, Proposal, Tasks, holder_of
from asimi.world.audit import AuditLog
from asimi.world.host.agents import agent_above, lineage
from asimi.world.host.nested import parent, started_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asimi.core.gate import Gate
    from asimi.core.judging.rules import Rule
    from asimi.world.config import Configuration

INSTALLS = (
    "npm ci --ignore-scripts",
    "uv sync --frozen --no-build --no-install-project",
    "pip install --require-hashes --only-binary :all: -r requirements.txt",
)
"""The installs that keep to a lock file and run no code of packages, by the file that a project may have."""

WITH_SCRIPTS = ("npm ci", "uv sync --frozen", "pip install --require-hashes -r requirements.txt")
"""The same, with the scripts of packages."""


NO_AIM = "no task may allow it, or what it is aimed at, such as a branch, a script or a container, is not here yet"
"""Why no task can be like a command."""


def own_holder() -> str:
    """Return this process as the holder of a task: it is the asimi of a box."""
    return holder_of(os.getpid(), started_at(os.getpid()))


def granted_to(configuration: Configuration, holder: str | None, boxed: bool = False) -> Sequence[Rule]:  # noqa: FBT001, FBT002
    """Return the rules of the tasks that whoever calls was granted here.

    Args:
        configuration: what is in force.
        holder: the agent that calls, or the asimi of a box; None where nobody knows it.
        boxed: whether it is a box, out of which they let what they allow.
    """
    if holder is None or not configuration.settings().session.tasks:
        return ()
    above = () if boxed else (holder_of(each.pid, each.started) for each in lineage(parent()))
    found = Tasks(configuration.places.runtime).claim(configuration.root, (holder, *above))
    return [of_task(rule, task.source, task.root, boxed=boxed) for task in found for rule in task.rules]


def rules_for(configuration: Configuration, commands: Iterable[str], *, code: bool, reach: Iterable[str]) -> list[Rule]:
    """Return the rules that are as wide as what some commands are aimed at now.

    Args:
        configuration: what is in force.
        commands: commands, each of which is of a kind that the task is to allow.
        code: whether the code of the project is, too.
        reach: names on the network that a box is to reach.

    Raises:
        AsimiError: it is not known what a command is aimed at.
    """
    rules = [width_rule(SHELL, (f"code {configuration.root}",))] if code else []
    for command in commands:
        if not (found := _aim_rules(configuration, command)):
            raise AsimiError(f"`{command}`: {NO_AIM}")
        rules += found
    for each in reach:
        try:
            rules.append(rule_of(f"{REACH}({each})", Verdict.ALLOW, None, "session"))
        except EntryError as error:
            raise AsimiError(str(error)) from None
    return list(dict.fromkeys(rules))


def _aim_rules(configuration: Configuration, command: str) -> Sequence[Rule]:
    """Return the rules for what a command is aimed at now."""
    place = Place.at(configuration.root, configuration.root)
    return configuration.settings().policy.aim_rules(Request(SHELL, command, None, place))


def example_of(rules: Iterable[Rule]) -> str:
    """Return one command that some rules would allow, the gravest that is known."""
    rules = tuple(rules)
    words = next((each.words or () for each in rules if each.at and kind_of(each.at[0]) in {"context", "place"}), ())
    return example(bounds_of(rules), " ".join(each[0] for each in words))


def installs(configuration: Configuration, *, scripts: bool) -> list[str]:
    """Return the commands that install what a lock file of the project names.

    Raises:
        AsimiError: there is none that names all by its digest, from the usual registry.
    """
    found = [each for each in (WITH_SCRIPTS if scripts else INSTALLS) if _aim_rules(configuration, each)]
    if not found:
        raise AsimiError(
            "No package-lock.json, uv.lock or requirements.txt here names all packages by their digests and from npm's "
            "registry or PyPI alone"
        )
    return found


def propose(gate: Gate, command: str) -> str | None:
    """Keep what an agent proposes by a command; what to tell it, or None where the command proposes nothing.

    Args:
        gate: the gate that judges the agent's calls.
        command: what it would run.
    """
    if not command.lstrip().startswith("asimi task propose "):
        return None

    try:
        words = literal_words(command, command)[3:]
    except EntryError as error:
        return f"nothing is proposed: {error}"
    settings = gate.settings()
    if not settings.session.tasks:
        return "nothing is proposed: the configuration forbids tasks"
    agent, above = agent_above(parent()), [holder_of(each.pid, each.started) for each in lineage(parent())]
    holder = own_holder() if settings.policy.terms.boxed else agent and holder_of(agent.pid, agent.started)
    if not holder or not words or sum(map(len, words)) > LONGEST * 4:
        return "nothing is proposed: asimi cannot tell who proposes it, or it is empty or too long"
    root = gate.workspace.anywhere("", "the project").root
    if why := Tasks(places().runtime).propose(Proposal(root, words, holder), above):
        return why
    if isinstance(gate.audit, AuditLog):
        gate.audit.change("task proposed", entry=" ".join(words), file=root, by=f"process {holder}")
    return "it is proposed; a person decides by `asimi task`. Go on with what needs no yes until then"
