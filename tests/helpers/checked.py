"""A project with checks that a person has confirmed, and the verdicts on what would run there."""

import os

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.checks import Checks
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import Rule, rule_of
from asimi.core.judging.zones import FileRules, Files
from asimi.world.checks import ProjectChecks
from asimi.world.host.places import names_in
from asimi.world.host.trees import below, kind

ALLOW = Verdict.ALLOW
CHECKS = Rule(ALLOW, None, (), "the project's checks", checks=True)

OTHERS = (
    "awk cat cd chmod command cp curl echo env exec export find git head install ln mkdir mv nice patch printf"
    " pushd python3 rm rsync sed sort sudo tail tar tee timeout touch true truncate xargs ./tool"
).split()
"""Programs that an entry allows, so that only the check can be a question."""


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            (root / name).symlink_to(text[3:])
        else:
            (root / name).write_text(text)


class Project:
    """A project on disk, and the checks that its person confirmed.

    Args:
        home: the home directory, an empty one.
        files: the project's, by their paths; a link where the text begins with `-> `.
    """

    def __init__(self, home, files):
        self.home, self.path = home, home / "project"
        write(self.path, files)
        write(
            home / "elsewhere",
            {"Makefile": "test:\n\tevil\n", "test_x.py": "", "package.json": '{"scripts":{"test":""}}'},
        )
        (self.path / "out").symlink_to(home / "elsewhere")
        self.root = os.path.realpath(self.path)
        self.checks = ProjectChecks(str(home / "state"), str(home))

    def decision(self, text, *rules, tool="run_shell_command", arguments=None, guarded=False, files=None):
        machine = Machine(str(self.home), os.path.realpath, {}, names=names_in, kind=kind, below=below)
        guard = Guard(machine, Protection((), machine), FileRules(files or Files(), self.root, machine))
        judge = Checks(machine, self.checks.look, guard.keeps)
        allowed = [rule_of(f"run_shell_command({name})", ALLOW) for name in (*OTHERS, "sed -i")]
        terms = Terms(checks=judge, placed=True, substitution="judge", protected=guard if guarded else None)
        policy = Policy([CHECKS, *allowed, *rules], terms)
        text = text.replace("@HOME@", str(self.home))
        return policy.decide(Request(tool, text, arguments, Place(self.root, self.root, inside=True)))

    def verdict(self, text, *rules, **options):
        return self.decision(text, *rules, **options).verdict


def confirmed(home, files):
    """A project whose person has confirmed its checks as they are."""
    project = Project(home, files)
    project.checks.confirm(project.root)
    return project
