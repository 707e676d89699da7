"""Entries that asimi writes itself: beside the file they belong to, whole or not at all, none lost."""

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from helpers.rules import add

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError, ConfigError
from asimi.core.judging.rules import EntryError, Rule
from asimi.world.config.store import RuleStore

ROOT = str(Path(__file__).parents[2])
ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
EXACT = Rule(
    ALLOW, "run_shell_command", None, "exact", line="make  release\n", directory="/srv/x", below=False, host="",
    reason="it is",
)  # fmt: skip
READS = Rule(ALLOW, None, (("git",),), "reads", effects=("read", "write"), host="")
WIDE = Rule(DENY, None, (("git",), ("push", "send-email")), "wide", options_any=("--force",))


def test_an_entry_is_kept_beside_the_file_and_holds_at_once(user):
    user.write("# mine\n")
    configuration = user.configuration()
    assert configuration.settings().policy.rules == ()
    rule = add(configuration, "npm test", ALLOW)
    assert (rule.entry, rule.source) == ("run_shell_command(npm test)", str(user.approved))
    add(configuration, "execute_command(rm)", DENY)
    add(configuration, "run_shell_command", ASK)
    assert {(each.verdict, each.entry) for each in configuration.settings().policy.rules} == {
        (ALLOW, "run_shell_command(npm test)"), (DENY, "execute_command(rm)"), (ASK, "run_shell_command"),
    }  # fmt: skip
    assert user.file.read_text() == "# mine\n"
    assert tomllib.loads(user.approved.read_text()) == {
        "version": 1,
        "coreTools": ["run_shell_command(npm test)"],
        "excludeTools": ["execute_command(rm)"],
        "ask": ["run_shell_command"],
    }


def test_a_named_file_has_its_own_beside_it(user, tmp_path):
    file = user.write("", tmp_path / "ci.toml")
    assert add(user.configuration(file=file), "ls", ALLOW).source == str(tmp_path / "ci.approved.toml")
    assert user.entries(file=file) == {("allow", "run_shell_command(ls)")}
    assert user.entries() == set()


def test_an_entry_is_kept_once(user):
    for text in ("npm test", "run_shell_command(npm test)", "run_shell_command(npm 'test')"):
        add(user.configuration(), text, ALLOW)
    assert len(user.configuration().rules()) == 1


def test_any_rule_comes_back_as_it_was(user):
    RuleStore(user.configuration()).remember((EXACT, WIDE, READS))
    exact, wide, reads = user.configuration().rules()
    assert exact._replace(source=None, entry="exact") == EXACT
    assert wide._replace(source=None, entry="wide") == WIDE
    assert reads._replace(source=None, entry="reads") == READS
    assert exact.source == f"{user.approved}:5"


@pytest.mark.parametrize("text", ["", "ls | x", "ls $x", "run_shell_command()", "a\0b"])
def test_what_is_no_entry_is_not_kept(user, text):
    with pytest.raises(EntryError):
        add(user.configuration(), text, ALLOW)
    assert not user.approved.exists()


@pytest.mark.parametrize(
    ("text", "keys", "told"),
    [
        ("git", {"effects": ["reed"]}, "'reed' is not an effect"),
        ("run_shell_command", {"exact": True}, "it needs command"),
        ("make test", {"checks": True, "effects": ["read"]}, "leave out effects"),
    ],
)
def test_what_narrows_an_entry_must_mean_something(user, text, keys, told):
    with pytest.raises(EntryError, match=told):
        RuleStore(user.configuration()).rule_for(text, ALLOW, narrower=keys)
    with pytest.raises(EntryError, match="checks is for"):
        RuleStore(user.configuration()).rule_for("make test", DENY, narrower={"checks": True})


def test_what_narrows_an_entry_is_kept(user):
    configuration = user.configuration()
    rules = [
        RuleStore(configuration).rule_for("git", ALLOW, narrower={"effects": ["read", "write"]}),
        RuleStore(configuration).rule_for("npm 'a b'", ALLOW, narrower={"exact": True}, expires=4e9),
        RuleStore(configuration).rule_for("run_shell_command", ASK, narrower={"effects": ["publish"]}),
        RuleStore(configuration).rule_for("make test", ALLOW, narrower={"checks": True}),
    ]
    RuleStore(configuration).remember(rules)
    plain = [rule._replace(source=None) for rule in configuration.rules()]
    assert plain == [rule._replace(source=None) for rule in rules]


def test_an_entry_ends_when_it_is_to_end(user):
    configuration = user.configuration()
    add(configuration, "ls", ALLOW, expires=time.time() + 1.5)
    add(configuration, "rm", DENY)
    assert len(configuration.settings().policy.rules) == 2
    until = time.time() + 20
    while len(configuration.settings().policy.rules) == 2 and time.time() < until:
        time.sleep(0.05)
    assert [rule.entry for rule in configuration.settings().policy.rules] == ["run_shell_command(rm)"]
    add(configuration, "other", ASK)
    assert "(ls)" not in user.approved.read_text()


def test_an_entry_is_taken_out(user):
    configuration = user.configuration()
    add(configuration, "ls", ALLOW)
    add(configuration, "ls", DENY)
    RuleStore(configuration).remember((EXACT,))
    assert [rule.verdict for rule in RuleStore(configuration).remove("ls", DENY)] == [DENY]
    assert [rule.verdict for rule in RuleStore(configuration).remove("run_shell_command(ls)")] == [ALLOW]
    (rule,) = configuration.rules()
    assert RuleStore(configuration).remove(rule.entry)[0].line == EXACT.line
    assert configuration.rules() == ()


def test_what_a_person_wrote_is_not_taken_out(user):
    user.write("\ncoreTools = ['run_shell_command(ls)']\n")
    with pytest.raises(AsimiError, match=f"{user.file}:2.*by hand"):
        RuleStore(user.configuration()).remove("ls")
    with pytest.raises(AsimiError, match="no entry"):
        RuleStore(user.configuration()).remove("cp")


def test_an_entry_for_one_project_is_kept_in_the_users_own_state(user):
    configuration = user.configuration()
    rule = add(configuration, "ls", ALLOW, project=True)
    assert rule.source.startswith(str(user.state))
    assert list(user.root.iterdir()) == []
    assert user.entries() == {("allow", "run_shell_command(ls)")}
    other = user.root.with_name("other")
    other.mkdir()
    assert user.entries(root=other) == set()
    assert len(RuleStore(configuration).remove("ls")) == 1
    assert user.entries() == set()


def test_an_entry_of_both_places_is_taken_out_of_both_or_of_the_project(user):
    configuration = user.configuration()
    for project in (True, False):
        add(configuration, "ls", ALLOW, project=project)
    assert len(RuleStore(configuration).remove("ls", project=True)) == 1
    with pytest.raises(AsimiError, match="leave --project out"):
        RuleStore(configuration).remove("ls", project=True)
    add(configuration, "ls", DENY, project=True)
    assert [rule.verdict for rule in RuleStore(configuration).remove("ls")] == [ALLOW, DENY]
    assert user.entries() == set()


def test_an_entry_for_a_project_that_has_another_name_now_does_not_count(user):
    add(user.configuration(), "ls", ALLOW, project=True)
    assert user.entries(root=user.root.rename(user.root.with_name("renamed"))) == set()


def test_a_file_of_entries_moved_to_another_projects_place_is_refused(user):
    first, second = user.configuration(), user.configuration(root=user.home)
    one, two = add(first, "ls", ALLOW, project=True).source, add(second, "cp", ALLOW, project=True).source
    os.replace(one, two)
    with pytest.raises(ConfigError, match="is for"):
        second.settings()


def test_a_running_process_notices_what_another_one_kept(user):
    user.write("")
    running = user.configuration()
    for project in (False, True):
        before = len(running.settings().policy.rules)
        add(user.configuration(), f"x{project}", ALLOW, project=project)
        assert len(running.settings().policy.rules) == before + 1


@pytest.mark.parametrize("project", [False, True])
def test_five_writers_lose_no_entry(user, project):
    program = (
        "import sys; from asimi.world.config import Configuration; from asimi.core.call import Verdict\n"
        "from asimi.world.host.places import places_of\n"
        "home, root, name, project = sys.argv[1:]\n"
        "from asimi.world.config.store import RuleStore\n"
        "store = RuleStore(Configuration(places_of({'HOME': home}), root, environ=dict))\n"
        "rules = [store.rule_for(f'x {name}-{i}', Verdict.ALLOW) for i in range(30)]\n"
        "for rule in rules: store.remember((rule,), project=project == 'True')\n"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(user.home), str(user.root), str(index), str(project)], cwd=ROOT
        )
        for index in range(5)
    ]
    assert [each.wait(300) for each in writers] == [0] * 5
    assert len(user.entries()) == 150
    there = (path for path in user.home.rglob("*") if path.is_file())
    left = [path for path in there if not path.name.endswith((".toml", ".lock"))]
    assert left == []


def test_a_file_of_a_newer_version_names_it(user):
    user.write("version = 7\n", user.approved)
    with pytest.raises(ConfigError, match="version 7") as told:
        user.settings()
    assert (told.value.path, told.value.line) == (str(user.approved), 1)
    with pytest.raises(ConfigError, match="version 7"):
        add(user.configuration(), "ls", ALLOW)


@pytest.mark.parametrize("text", ["", "coreTools = []", "version = 'x'", "version = 0", "version = true"])
def test_a_file_without_a_version_is_not_asimis(user, text):
    user.write(text, user.approved)
    with pytest.raises(ConfigError, match="version"):
        user.settings()


def test_a_file_of_entries_that_belongs_to_somebody_else_is_refused(user):
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    add(user.configuration(), "ls", ALLOW)
    os.chown(user.approved, 12345, 12345)
    with pytest.raises(ConfigError, match="12345"):
        user.settings()


def test_who_may_read_the_file_may_read_the_entries_beside_it(user):
    user.write("").chmod(0o644)
    add(user.configuration(), "ls", ALLOW)
    assert oct(user.approved.stat().st_mode & 0o777) == "0o644"
    user.approved.unlink()
    user.file.chmod(0o600)
    add(user.configuration(), "ls", ALLOW)
    assert oct(user.approved.stat().st_mode & 0o777) == "0o600"


def test_nothing_is_kept_while_a_file_is_broken(user):
    user.write("coreTool = []")
    with pytest.raises(ConfigError, match="coreTools"):
        add(user.configuration(), "ls", ALLOW)
    assert not user.approved.exists()


def test_a_directory_that_cannot_be_written_is_told(user):
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    user.write("")
    user.file.parent.chmod(0o500)
    with pytest.raises(AsimiError, match="asimi"):
        add(user.configuration(), "ls", ALLOW)
    user.file.parent.chmod(0o700)
