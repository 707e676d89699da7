"""What a file of permissions may hold that nobody meant: nothing of it allows more, hangs, or breaks anything."""

from __future__ import annotations

import json
import time

import pytest

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import SHELL
from asimi.extras.permissions import agent_of
from asimi.extras.permissions.entries import Where
from asimi.extras.permissions.importing import taken_from
from asimi.extras.permissions.proving import proved
from asimi.world.config.rule_files import keep

SHAPES = {
    "gemini-cli": (
        ".gemini/settings.json",
        lambda each: {"tools": {"core": each, "exclude": []}},
        "run_shell_command({})",
    ),
    "cursor": (".cursor/cli.json", lambda each: {"permissions": {"allow": each}}, "Shell({})"),
    "opencode": (
        "opencode.json",
        lambda each: {"permission": {"bash": {"*": "ask"} | {str(one): "allow" for one in each}}},
        "{}",
    ),
    "vscode": (
        ".vscode/settings.json",
        lambda each: {"chat.tools.terminal.autoApprove": {str(one): True for one in each}},
        "{}",
    ),
    "copilot-cli": (
        ".copilot/permissions-config.json",
        lambda each: {"locations": {"/": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": each}]}}},
        "{}:*",
    ),
}
"""Where each agent's file is, the whole of it from the entries that it allows, and how an entry names a command."""

ENTRIES = (
    "",
    " ",
    "\0",
    "ls\0 x",
    "\ud800 x",
    "\x1b[2Jls",
    "l\u202es",
    "ls\nrm x",
    "ls; rm x",
    "ls && rm",
    "$(rm x)",
    "`rm x`",
    "rm x #",
    "'rm",
    '"rm',
    "rm\\",
    "FOO=1 rm",
    "{ rm",
    "! rm",
    "(rm",
    "rm)",
    "rm > x",
    "<(rm)",
    "${IFS}rm",
    "~root/rm",
    "r[m]",
    "r?",
    "{rm,x}",
    "if",
    "function x",
    "a" * 200_000,
    "*" * 5_000,
    "a *" * 300,
    "((((" * 1_000,
    "/" + "(" * 300 + "a" + ")" * 300 + "/",
    "/^(a|aa)+$/",
    "/^(rm|.*)x/",
    "/(x+x+)+y/",
    "/^" + "(a|b)" * 100 + "/",
    "/[/",
    "/^rm{1,9999999}/",
    "/" + "a?" * 190 + "/",
    7,
    None,
    True,
    1e308,
    [],
    ["rm"],
    {"rm": True},
)
COMMANDS = ("rm x", "rm", "make", "echo y > x", "ls; rm x", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")


def read(agent, text, directory):
    """The entries of a file, proved, and the policy that they make."""
    home = root = directory / "root"
    file = root / SHAPES[agent][0]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    where, reader = Where(str(home), str(root), {}, str(directory / "system")), agent_of(agent)
    configuration = configuration_of(Options(root=str(root)))

    def judged(some):
        return configuration.alone(taken_from(agent, some))

    permissions = proved(reader.read(reader.find(where), where), str(root), judged)
    return permissions, judged(permissions)


def read_or_error(agent, text, directory):
    """The same, or the error, which names the file."""
    try:
        return read(agent, text, directory)
    except AsimiError as error:
        if SHAPES[agent][0].rpartition("/")[2] in str(error):
            return error
        raise


def verdict(policy, command, root):
    place = Place(str(root), str(root), inside=True)
    return policy.decide(Request(SHELL, command, None, place)).verdict


@pytest.mark.parametrize("agent", SHAPES)
def test_an_entry_that_nobody_meant_allows_nothing_else(agent, tmp_path):
    _, whole, form = SHAPES[agent]
    entries = [form.format(each) if isinstance(each, str) and each[:1] != "/" else each for each in ENTRIES]
    began = time.process_time()
    permissions, policy = read(agent, json.dumps(whole([*entries, form.format("yes")])), tmp_path)
    assert time.process_time() - began < 5
    verdicts = {each: verdict(policy, each, tmp_path / "root") for each in COMMANDS}
    assert [each for each, found in verdicts.items() if found is Verdict.ALLOW] == []
    assert all(each.why for each in permissions if each.outcome != "exact")
    rules = [rule for each in permissions for rule in each.rules]
    keep(str(tmp_path / "kept.toml"), rules, root=None, mode=0o600, now=time.time)  # all of it can be written


@pytest.mark.parametrize("agent", SHAPES)
@pytest.mark.parametrize("kind", [[], [[]], "x", 7, None, True, {}, {"": {}}, {"x": [{}]}])
def test_a_file_of_another_kind_is_an_error_or_nothing(agent, kind, tmp_path):
    _, whole, _ = SHAPES[agent]
    document = whole([])
    for value in (kind, dict.fromkeys(document, kind), _deep(document, kind)):
        found = read_or_error(agent, json.dumps(value), tmp_path)
        if not isinstance(found, AsimiError):
            assert verdict(found[1], "make", tmp_path / "root") is not Verdict.ALLOW


def _deep(document, kind):
    """A document whose innermost values are something else."""
    if isinstance(document, dict) and document:
        return {key: _deep(value, kind) for key, value in document.items()}
    return kind


@pytest.mark.parametrize("agent", SHAPES)
@pytest.mark.parametrize("text", ["{", "", "// x", "[" * 5_000, '{"a": 1, "a": 2}', "\ufeff{}", "{} {}"])
def test_a_broken_file_is_an_error_or_nothing(agent, text, tmp_path):
    found = read_or_error(agent, text, tmp_path)
    assert isinstance(found, AsimiError) or found[0] == []


@pytest.mark.parametrize("agent", SHAPES)
def test_a_file_with_too_many_entries_is_an_error(agent, tmp_path):
    _, whole, form = SHAPES[agent]
    with pytest.raises(AsimiError, match="entries, and 1000 are the most"):
        read(agent, json.dumps(whole([form.format(f"x{number}") for number in range(6_000)])), tmp_path)


def test_keys_with_too_many_alternatives_are_an_error(tmp_path):
    keys = {f"/^x{number}(a|b)(c|d)(e|f)(g|h)(i|j)/": True for number in range(900)}
    with pytest.raises(AsimiError, match="says 28800 things, and 2000 are the most"):
        read("vscode", json.dumps({"chat.tools.terminal.autoApprove": keys}), tmp_path)


POLICIES = (
    "rule = 7",
    "rule = [7]",
    "[rule]\na = 1",
    "[[rule]]",
    '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"',
    '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 1000',
    '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = true',
    '[[rule]]\ntoolName = "run_shell_command"\ndecision = ["allow"]\npriority = 1',
    '[[rule]]\ntoolName = 7\ndecision = "allow"\npriority = 1',
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = 7\ndecision = "allow"\npriority = 1',
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = [["make"]]\ndecision = "allow"\npriority = 1',
    '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = 7\ndecision = "allow"\npriority = 1',
    "a = " + "[" * 3_000,
    "x",
)


@pytest.mark.parametrize("text", POLICIES)
def test_a_policy_that_gemini_cli_would_not_use_is_an_error(text, tmp_path):
    file = tmp_path / "root/.gemini/policies/x.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AsimiError, match=r"x\.toml"):
        read("gemini-cli", "{}", tmp_path)
