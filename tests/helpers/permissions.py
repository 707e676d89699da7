"""Tables of other agents' permissions: what a file says, and what the agent itself does with commands.

A table is `tests/extras/permissions/AGENT.toml`. Each `[[group]]` has the `text` of a file (`path` says which, from the
project root, `ROOT` in a text, or, with `own = true`, from the home), the commands that the agent allows, asks about
and denies, and `stricter`: those of them that asimi may decide more strictly, all of which it does. `unread` are those
that only a skipped entry is about, and `guarded` are secrets and the like: asimi asks about both. `same` are commands
that the agent tells apart by their text alone: for asimi each is made of the commands that it names, all allowed.
`whole` has the same lists for texts of several commands.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.rules import SHELL
from asimi.extras.permissions import agent_of
from asimi.extras.permissions.entries import Where
from asimi.extras.permissions.importing import taken_from
from asimi.extras.permissions.proving import proved

HERE = Path(__file__).parent.parent / "extras/permissions"


def groups(agent, path):
    """The groups of an agent's table, each with the path of its file."""
    table = tomllib.loads((HERE / f"{agent.replace('-', '_')}.toml").read_text(encoding="utf-8"))
    return [
        {"path": path, "own": False, "stricter": [], "unread": [], "guarded": [], "same": {}, "whole": {}} | group
        for group in table["group"]
    ]


def commands(groups, *, whole=True):
    """The commands of some groups: the group, the command, the agent's verdict."""
    for group in groups:
        for verdict in Verdict:
            for each in (group, group["whole"]) if whole else (group,):
                yield from ((group, command, verdict) for command in each.get(verdict.word, ()))


class Read:
    """What asimi makes of one group.

    Args:
        agent: whose.
        group: a group of its table.
        directory: where a home and a project are made.
    """

    def __init__(self, agent, group, directory):
        home, root = directory / "home", directory / "root"
        file = (home if group["own"] else root) / group["path"]
        file.parent.mkdir(parents=True)
        root.mkdir(exist_ok=True)
        file.write_text(group["text"].replace("ROOT", str(root)), encoding="utf-8")
        self.root = str(root)
        where = Where(str(home), self.root, {}, str(directory / "system"))
        self.configuration = configuration_of(Options(root=self.root))
        reader = agent_of(agent)
        self.permissions = proved(reader.read(reader.find(where), where), self.root, self.policy_of)

    def policy_of(self, permissions):
        """The policy of some entries alone."""
        return self.configuration.alone(taken_from("", permissions))

    def verdict(self, command):
        """What asimi decides by what was read."""
        place = Place(self.root, self.root, inside=True)
        return self.policy_of(self.permissions).decide(Request(SHELL, command, None, place)).verdict


def _is_made_of(read, group, command):
    """Whether a command is for asimi made of some that the agent allows, and of nothing else that is judged."""
    place = Place(read.root, read.root, inside=True)
    policy = read.policy_of(read.permissions)
    whole = policy.decide(Request(SHELL, command, None, place))
    named = group["same"][command]
    alone = {reason.message for each in named for reason in policy.decide(Request(SHELL, each, None, place)).reasons}
    found = {reason.message for reason in whole.reasons}
    return set(named) <= set(group["allow"]) and (whole.verdict is not Verdict.ALLOW or found <= alone)


def differences(agent, group, directory):
    """What a group's table does not say: commands that asimi decides more laxly, or more strictly without its leave."""
    read = Read(agent, group, directory)
    found = []
    for _, command, verdict in commands([group]):
        ours = read.verdict(command)
        if command in group["same"] and ours < verdict and _is_made_of(read, group, command):
            continue
        wanted = Verdict.ASK if command in (*group["unread"], *group["guarded"]) else verdict
        if ours < wanted or (ours > wanted) != (command in group["stricter"]):
            found.append(f"{command}: {ours.word}, not {wanted.word}")
    entries = [each for each in group["stricter"] if set(">$").isdisjoint(each)]  # asimi asks about these by itself
    if entries and all(each.outcome == "exact" for each in read.permissions):
        found.append("nothing says why it is stricter")
    found += [f"{each.text} says not why" for each in read.permissions if (each.outcome == "exact") != (not each.why)]
    return found
