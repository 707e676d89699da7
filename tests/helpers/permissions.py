"""Tables of other agents' permissions: what a file says, and what the agent itself does with commands.

A table is `tests/permissions/AGENT.toml`. Each `[[group]]` has the `text` of a file (`path` says which, from the
project root or, with `own = true`, from the home), the commands that the agent allows, asks about and denies, and
`stricter`: those of them that asimi may decide more strictly, all of which it does.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from asimi.compose import Options, configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.rules import SHELL
from asimi.world.permissions import agent_of
from asimi.world.permissions.entries import Where
from asimi.world.permissions.proving import proved

HERE = Path(__file__).parent.parent / "permissions"


def groups(agent, path):
    """The groups of an agent's table, each with the path of its file."""
    table = tomllib.loads((HERE / f"{agent.replace('-', '_')}.toml").read_text(encoding="utf-8"))
    return [{"path": path, "own": False, "stricter": []} | group for group in table["group"]]


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
        file.write_text(group["text"], encoding="utf-8")
        self.root = str(root)
        where = Where(str(home), self.root, {}, str(directory / "system"))
        self.configuration = configuration_of(Options(root=self.root))
        reader = agent_of(agent)
        self.permissions = proved(reader.read(reader.find(where), where), self.root, self.policy_of)

    def policy_of(self, permissions):
        """The policy of some entries alone."""
        rules = [rule for each in permissions for rule in each.rules]
        deny, secret = (
            [pattern for each in permissions for pattern in getattr(each, key)] for key in ("deny", "secret")
        )
        return self.configuration.alone(rules, deny, secret, rejects=any(each.rejects for each in permissions))

    def verdict(self, command):
        """What asimi decides by what was read."""
        place = Place(self.root, self.root, inside=True)
        return self.policy_of(self.permissions).decide(Request(SHELL, command, None, place)).verdict


def differences(agent, group, directory):
    """What a group's table does not say: commands that asimi decides more laxly, or more strictly without its leave."""
    read = Read(agent, group, directory)
    found = []
    for verdict in Verdict:
        for command in group.get(verdict.word, ()):
            ours = read.verdict(command)
            if ours < verdict or (ours > verdict) != (command in group["stricter"]):
                found.append(f"{command}: {ours.word}, not {verdict.word}")
    if group["stricter"] and all(each.outcome == "exact" for each in read.permissions):
        found.append("nothing says why it is stricter")
    found += [f"{each.text} says not why" for each in read.permissions if (each.outcome == "exact") != (not each.why)]
    return found
