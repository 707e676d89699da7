"""A team's policy makes stricter what all others say, and loosens only what the administrator's file names."""

from __future__ import annotations

import os
import time

import pytest
from helpers import PATIENCE

from asimi.core.errors import ConfigError
from asimi.extras.hosts.denies import ManagedDenies
from asimi.world.config.managed import Copy
from asimi.world.config.projects import project_of, trust

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRlB2s5ZOt4dac+aR3WB3gLHgllmzNhYrsC5r/ox+h4"
TEAM = f"""[team]
server = "tls://nats.example.org:4222"
machine = "build7"
credentials = "/etc/asimi/team.seed"
administrators = ["root {KEY}"]
"""
COPY = "/state/team-policy.toml"


class Shared:
    """What counts as the team's policy now: it can be changed, and what has asked for it is known."""

    def __init__(self, text="", number=1, until=9e11):
        self.teams, self.fault = [], None
        self.set(text, number, until)

    def set(self, text, number=1, until=9e11):
        self.copy = Copy(COPY, text.encode(), number, until, f"revision {number}")

    def __call__(self, team):
        self.teams.append(team)
        if self.fault is not None:
            raise self.fault
        return self.copy


@pytest.fixture
def team(user, only_root):
    def configuration(text, *, loosens=(), **options):
        named = ", ".join(f'"{name}"' for name in loosens)
        user.managed(f"{options.pop('managed', '')}\n{TEAM}loosens = [{named}]\n")
        return user.configuration(shared=text if isinstance(text, Shared) else Shared(text), **options)

    return configuration


def value(configuration, name):
    return {row.name: row.value for row in configuration.show()}[name]


# the user's file, the team's policy, the key, what holds without `loosens`, what holds with the key in it
SCALARS = [
    ("", "unlisted = 'reject'", "unlisted", '"reject"', '"reject"'),
    ("", "unlisted = 'sandbox'", "unlisted", '"ask"', '"sandbox"'),
    ("unlisted = 'sandbox'", "unlisted = 'ask'", "unlisted", '"ask"', '"ask"'),
    ("unlisted = 'reject'", "unlisted = 'ask'", "unlisted", '"reject"', '"reject"'),
    ("unlisted = 'reject'", "unlisted = 'sandbox'", "unlisted", '"reject"', '"reject"'),
    ("", "[limits]\ntimeout = '5m'", "limits.timeout", '"5m"', '"5m"'),
    ("[limits]\ntimeout = '1h'", "[limits]\ntimeout = '5m'", "limits.timeout", '"5m"', '"5m"'),
    ("[limits]\ntimeout = '1m'", "[limits]\ntimeout = '5m'", "limits.timeout", '"1m"', '"1m"'),
    ("", "[session]\nask_timeout = '10m'", "session.ask_timeout", '"2m"', '"10m"'),
    ("[session]\nask_timeout = '20m'", "[session]\nask_timeout = '10m'", "session.ask_timeout", '"10m"', '"10m"'),
    ("", "[session]\nbreaker = 2", "session.breaker", "2", "2"),
    ("", "[audit]\nrequired = false", "audit.required", "true", "false"),
    ("[audit]\nrequired = false", "[audit]\nrequired = true", "audit.required", "true", "true"),
    ("", "[environment]\nkeep = ['A']", "environment.keep", "[]", '["A"]'),
    ("", "[environment]\ndrop = ['A']", "environment.drop", "[]", '["A"]'),
    ("", "[limits]\nstate_bytes = '1MiB'", "limits.state_bytes", '"4GiB"', '"1MiB"'),
    ("", "[limits]\noutput_bytes = '1MiB'", "limits.output_bytes", '"1MiB"', '"1MiB"'),
    ("", "[shell]\nsubstitution = 'refuse'", "shell.substitution", '"refuse"', '"refuse"'),
    ("", "[shell]\nenforce = 'exec'", "shell.enforce", '"exec"', '"exec"'),
    ("", "[sandbox]\nmode = 'project'", "sandbox.mode", '"project"', '"project"'),
    ("", "[shell]\nsubstitution = 'judge'", "shell.substitution", '"auto"', '"judge"'),
    ("", "[files]\ndeny = ['a']", "files.deny", '["a"]', '["a"]'),
]


@pytest.mark.parametrize(("own", "text", "name", "alone", "named"), SCALARS)
def test_a_value_only_tightens_unless_its_key_is_named(user, team, own, text, name, alone, named):
    user.write(own)
    assert value(team(text), name) == alone
    assert value(team(text, loosens=[name]), name) == named
    assert value(team(text, loosens=["hosts"]), name) == alone


@pytest.mark.parametrize(
    ("managed", "text", "holds"),
    [
        ("unlisted = 'reject'", "unlisted = 'sandbox'", '"reject"'),
        ("unlisted = 'ask'", "unlisted = 'reject'", '"reject"'),
    ],
)
def test_what_the_administrators_file_says_is_never_loosened(team, managed, text, holds):
    assert value(team(text, managed=managed, loosens=["unlisted"]), "unlisted") == holds


def test_a_shared_policy_tightens_a_trusted_project_too(user, team):
    user.project("unlisted = 'sandbox'\n[limits]\ntimeout = '1h'\n")
    configuration = team("[limits]\ntimeout = '5m'\n")
    trust(configuration, project_of(configuration))
    assert (value(configuration, "unlisted"), value(configuration, "limits.timeout")) == ('"sandbox"', '"5m"')


RULES = """coreTools = ["run_shell_command(ls)"]
excludeTools = ["run_shell_command(rm)"]
ask = ["run_shell_command(make)"]
[[rules]]
decision = "allow"
command = "cat"
[[rules]]
decision = "deny"
command = "dd"
host = "gpu1"
[hosts.gpu1]
reach = ["ssh"]
"""


@pytest.mark.parametrize(
    ("loosens", "allowed"),
    [((), set()), (("coreTools",), {"ls"}), (("rules",), {"cat"}), (("coreTools", "rules"), {"ls", "cat"})],
)
def test_its_rules_forbid_and_ask_and_allow_only_where_their_key_is_named(user, team, loosens, allowed):
    user.write("coreTools = ['run_shell_command(pwd)']\n[hosts.gpu1]\nreach = ['ssh']\n")
    rules = team(RULES, loosens=loosens).rules()
    assert {(rule.verdict.word, rule.words[0][0]) for rule in rules if rule.source.startswith(COPY)} == {
        *(("allow", name) for name in allowed),
        *(("deny", "rm"), ("ask", "make"), ("deny", "dd")),
    }
    assert "pwd" in {rule.words[0][0] for rule in rules}


def test_what_has_no_effect_is_a_notice_with_its_line(user, team):
    notices = team(RULES + "[environment]\nkeep = ['A']\n[session]\nask_timeout = '10m'\n").notices()
    assert [notice.partition(" has no effect")[0] for notice in notices] == [
        f"{COPY}:14: environment.keep",
        f"{COPY}:16: session.ask_timeout",
        f"{COPY}:11: hosts",
        f"{COPY}:1: run_shell_command(ls)",
        f"{COPY}:4: run_shell_command(cat)",
    ]
    assert all("team.loosens" in notice for notice in notices)


def test_a_shared_policy_takes_no_file_back_from_the_secrets(team):
    text = "[files]\nsecret = ['!~/.ssh/id_rsa', 'mine']\n"
    assert "!~/.ssh/id_rsa" not in team(text).files_said().secret[0]
    assert "!~/.ssh/id_rsa" in team(text, loosens=["files.secret"]).files_said().secret[0]


@pytest.mark.parametrize(
    "text", ["[team]\nmachine = 'x'", "[team]\nadministrators = []", "[team]\nloosens = ['rules']"]
)
@pytest.mark.parametrize("loosens", [(), ("unlisted",)])
def test_a_shared_policy_says_nothing_of_the_team(team, text, loosens):
    with pytest.raises(
        ConfigError, match=r"team-policy\.toml:2: team\.\w+ is read from the administrator's file alone"
    ):
        team(f"{text}\n", loosens=loosens).settings()


@pytest.mark.parametrize("loosens", [(), ("unlisted",)])
def test_one_that_cannot_be_used_refuses_everything(team, loosens):
    with pytest.raises(ConfigError, match=r"team-policy\.toml:1: there is no key 'unlistet'"):
        team("unlistet = 1", loosens=loosens).settings()


def test_without_one_that_counts_nothing_is_allowed(team):
    shared = Shared()
    shared.fault = ConfigError("does not count", COPY)
    with pytest.raises(ConfigError, match=f"{COPY}: does not count"):
        team(shared).settings()


def test_where_nothing_can_check_one_nothing_is_allowed(user, team):
    team("")
    with pytest.raises(ConfigError, match="was not read, and nothing runs without it"):
        user.settings()
    user.managed(TEAM.replace("administrators", '"\\u0061dministrators"'))
    with pytest.raises(ConfigError, match="was not read, and nothing runs without it"):
        user.settings(shared=Shared())


def test_a_machine_without_administrators_asks_for_none(user, only_root):
    shared = Shared("unlisted = 'reject'")
    user.managed(TEAM.replace(f'["root {KEY}"]', "[]"))
    assert value(user.configuration(shared=shared), "unlisted") == '"ask"'
    user.managed("unlisted = 'ask'")
    user.settings(shared=shared)
    assert shared.teams == []


def test_a_new_revision_counts_at_the_next_call_and_an_old_one_never_again(user, team):
    shared = Shared("unlisted = 'reject'", 1)
    configuration = team(shared)
    assert value(configuration, "unlisted") == '"reject"'

    def changes(text, number):
        shared.set(text, number)
        user.state.mkdir(parents=True, exist_ok=True)
        (user.state / "team-policy.toml").write_text(str(os.urandom(8)))

    changes("", 3)
    assert value(configuration, "unlisted") == '"ask"'
    assert configuration.team_policy().words == "revision 3"
    changes("", 2)
    with pytest.raises(ConfigError, match=f"{COPY}: is revision 2, and 3 was in force; it never goes back"):
        configuration.settings()
    changes("unlisted = 'reject'", 4)
    assert value(configuration, "unlisted") == '"reject"'


def test_a_shared_policy_is_read_again_when_it_ends(team):
    shared = Shared("", until=0.0)
    configuration, end = team(shared), time.monotonic() + PATIENCE
    while len(shared.teams) < 5:  # once or twice for files that are young
        configuration.settings()
        assert time.monotonic() < end


def test_a_machine_that_runs_commands_of_another_holds_to_its_denies(user, team):
    shared = Shared(RULES)
    team(shared, loosens=["rules"], managed="excludeTools = ['run_shell_command(mv)']")
    denies = ManagedDenies(user.places.managed, shared)
    assert [rule.source for rule in denies.now()] == [f"{user.places.managed}:1", f"{COPY}:7", f"{COPY}:2"]
    shared.set("", 2)
    assert [rule.source for rule in denies.now()] == [f"{user.places.managed}:1"]
    shared.set(RULES, 1)
    with pytest.raises(ConfigError, match="it never goes back"):
        denies.now()
    shared.fault = ConfigError("does not count", COPY)
    with pytest.raises(ConfigError, match="does not count"):
        denies.now()


def test_the_files_in_force_name_it(user, team):
    user.write("")
    assert team("", loosens=["unlisted"]).files() == (
        ("managed", user.places.managed),
        ("team", COPY),
        ("user", str(user.file)),
    )
