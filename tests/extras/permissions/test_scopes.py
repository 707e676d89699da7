"""A project's own files loosen nothing outside it: what a person's files say elsewhere is as if they were alone."""

from __future__ import annotations

import json
import random

import pytest

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import SHELL, Rule
from asimi.extras.permissions import NAMES
from asimi.extras.permissions.importing import found, taken_from

FILES = {
    "claude-code": (".claude/settings.json", ".claude/settings.json"),
    "codex": (".codex/rules/a.rules", ".codex/rules/a.rules"),
    "gemini-cli": (".gemini/settings.json", ".gemini/settings.json"),
    "cursor": (".cursor/cli-config.json", ".cursor/cli.json"),
    "opencode": (".config/opencode/opencode.json", "opencode.json"),
    "vscode": (".config/Code/User/settings.json", ".vscode/settings.json"),
}
"""A person's own file in the home, and the one of a project."""

DENIES, EXCLUDES = {"*": "deny"}, {"exclude": ["run_shell_command"]}
ROWS = [
    ("opencode", {"bash": {"rm *": "deny"}}, {"bash": {"*": "ask"}}, "rm x"),
    ("opencode", {"bash": {"rm *": "deny"}}, {"bash": DENIES}, "rm x"),
    ("opencode", {"bash": {"ls *": "ask"}}, {"bash": {"make *": "allow"} | DENIES}, "ls"),
    ("opencode", {"bash": {"cat *": "allow"}}, {"external_directory": "allow"}, "cat ../x"),
    ("opencode", {"bash": DENIES}, {"bash": {"make *": "allow"}}, "ls"),
    ("gemini-cli", {"exclude": ["run_shell_command(rm)"]}, EXCLUDES, "rm x"),
    ("gemini-cli", {"confirmationRequired": ["run_shell_command(ls)"]}, EXCLUDES, "ls x"),
    ("cursor", {"allow": ["Shell(npm:run *)"]}, {"allow": ["Shell(npm:run)"]}, "npm run"),
    ("vscode", {"ls": False}, {"/.*/": False}, "ls"),
]
PARTS = ("rm", "ls", "git", "git push", "git log", "npm run", "make", "cat")


def _text(agent, said):
    """The content of an agent's file."""
    if agent == "codex":
        return said
    key = {"gemini-cli": "tools", "opencode": "permission", "vscode": "chat.tools.terminal.autoApprove"}
    return json.dumps({key.get(agent, "permissions"): said})


def _own(agent, own, project, tmp_path, monkeypatch):
    """What is imported for everywhere."""
    root, home = tmp_path / "root", tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    for base, name, said in ((home, FILES[agent][0], own), (root, FILES[agent][1], project)):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text("" if said is None else _text(agent, said), encoding="utf-8")
    ((_, permissions, _),) = found(configuration_of(Options(root=str(root))), [agent])
    return taken_from(agent, [each for each in permissions if each.source.own])


def _verdict(imported, command):
    """The verdict where the person allows every reading command besides, as presets do."""
    rules = (*imported.rules, Rule(Verdict.ALLOW, SHELL, (("ls",),), "ls"))
    place = Place("/elsewhere", "/elsewhere", inside=True)
    policy = Policy(rules, Terms(unlisted=Verdict.DENY if imported.rejects else Verdict.ASK))
    return policy.decide(Request(SHELL, command, None, place)).verdict


@pytest.mark.parametrize(("agent", "own", "project", "command"), ROWS)
def test_a_project_takes_nothing_back_that_holds_everywhere(agent, own, project, command, tmp_path, monkeypatch):
    alone = _own(agent, own, None, tmp_path, monkeypatch)
    assert _verdict(_own(agent, own, project, tmp_path, monkeypatch), command) >= _verdict(alone, command)


def _random(agent, some):
    """Entries of an agent, at random."""
    pick = [(some.choice((*PARTS, "")), some.choice(("allow", "ask", "deny"))) for _ in range(some.randint(1, 4))]
    if agent == "opencode":
        return {
            "bash": {f"{words} *".strip(): says for words, says in pick},
            "external_directory": some.choice(("allow", "ask")),
        }
    if agent == "vscode":
        return {words or "/.*/": says == "allow" for words, says in pick}
    if agent == "codex":
        says = {"allow": "allow", "ask": "prompt", "deny": "forbidden"}
        return "".join(
            f"prefix_rule(pattern={words.split() or ['x']}, decision='{says[each]}')\n" for words, each in pick
        )
    lists = {"gemini-cli": ("allowed", "confirmationRequired", "exclude"), "cursor": ("allow", "deny", "deny")}
    names = dict(zip(("allow", "ask", "deny"), lists.get(agent, ("allow", "ask", "deny")), strict=True))
    found = {}
    for words, says in pick:
        base, _, rest = words.partition(" ")
        entry = {
            "gemini-cli": f"run_shell_command({words})" if words else "run_shell_command",
            "cursor": f"Shell({base or '*'}{':' + rest + some.choice(('', ' *')) if rest else ''})",
        }.get(agent, f"Bash({words} *)" if words else "Bash")
        found.setdefault(names[says], []).append(entry)
    return found


@pytest.mark.parametrize("agent", FILES)
def test_no_project_loosens_what_holds_everywhere(agent, tmp_path, monkeypatch):
    some = random.Random(17)
    for _ in range(12):
        own, project = _random(agent, some), _random(agent, some)
        alone = _own(agent, own, None, tmp_path, monkeypatch)
        both = _own(agent, own, project, tmp_path, monkeypatch)
        commands = [each for part in PARTS for each in (part, f"{part} ../x")]
        laxer = [each for each in commands if _verdict(both, each) < _verdict(alone, each)]
        assert laxer == [], f"{own}, {project}"


def test_every_agent_with_a_file_in_the_project_is_tried():
    assert {*FILES} == {*NAMES} - {"copilot-cli"}  # whose one file is in the home
