"""`[team]` is the administrator's: no other file may say anything of it, and what it says must be whole."""

from __future__ import annotations

import pytest

from asimi.core.errors import ConfigError
from asimi.core.settings import Signer, Team

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRlB2s5ZOt4dac+aR3WB3gLHgllmzNhYrsC5r/ox+h4"

WHOLE = f"""[team]
server = "tls://nats.example.org:4222"
machine = "build7"
credentials = "/etc/asimi/team.seed"
approvers = ["alice {KEY} alice@desk"]
"""


def test_the_administrators_file_says_which_team(user, only_root):
    user.managed(WHOLE)
    assert user.settings().team == Team(
        "tls://nats.example.org:4222", "build7", "/etc/asimi/team.seed", approvers=(Signer("alice", KEY),)
    )


def test_without_it_there_is_no_team(user):
    assert user.settings().team == Team()


def test_a_persons_file_may_not_say_it(user):
    user.write(f"unlisted = 'ask'\n{WHOLE}")
    with pytest.raises(ConfigError, match=r"config\.toml:3: team\.server is read from the administrator's file alone"):
        user.settings()


def test_a_file_that_is_given_may_not_say_it(user):
    file = user.write(WHOLE, user.home / "given.toml")
    with pytest.raises(ConfigError, match="administrator's file alone"):
        user.settings(file=file)


@pytest.mark.parametrize("name", Team._fields)
def test_a_projects_file_says_it_in_vain(user, name):
    line = next((line for line in WHOLE.splitlines() if line.startswith(name)), f'{name} = "/x"')
    listed = {"revoked": KEY, "administrators": f"alice {KEY}", "loosens": "unlisted"}
    line = f'{name} = ["{listed[name]}"]' if name in listed else line
    user.project(f"[team]\n{line}\n")
    configuration = user.configuration()
    assert configuration.settings().team == Team()
    assert f"team.{name} is never read from a project's file; it belongs in the administrator's" in str(
        configuration.notices()
    )


# what is written in place of a line of a whole [team]: the line, what is wrong
AMISS = [
    ('server = "nats://nats.example.org:4222"', "without TLS"),
    ('server = "nats://127.0.0.1.example.org:4222"', "without TLS"),
    ('server = "tls://nats.example.org"', "must be tls://HOST:PORT"),
    ('server = "tls://user:word@nats.example.org:4222"', "must be tls://HOST:PORT"),
    ('server = "https://nats.example.org:4222"', "must be tls://HOST:PORT"),
    ('server = "tls://nats.example.org:99999"', "must be tls://HOST:PORT"),
    ("server = 1", "must be tls://HOST:PORT"),
    ('server = ""', "needs server as well"),
    ('machine = "build.7"', "letters, digits"),
    ('machine = "build7>"', "letters, digits"),
    ('machine = ""', "needs machine as well"),
    ('credentials = "team.seed"', "absolute path"),
    ('credentials = ""', "needs credentials as well"),
    ('approvers = ["alice"]', "not a public key"),
    (f'approvers = ["alice*,root {KEY}"]', "a name and a public key"),
    (f'approvers = ["{KEY}"]', "not a public key"),
    (f'approvers = ["a.b {KEY}"]', "a name and a public key"),
    (f'approvers = ["alice {KEY}", "alice {KEY}"]', "twice"),
    ('approvers = ["alice ssh-ed25519 AAAAB3NzaC1yc2EAAAA"]', "not a public key"),
    ('approvers = ["alice ssh-dss AAAAB3NzaC1kc3MAAAA"]', "not a public key"),
    ('approvers = []\nadministrators = ["alice"]', "not a public key"),
    ('approvers = []\nloosens = ["unlistet"]', "no key that a shared policy can have"),
    ('approvers = []\nloosens = ["team.server"]', "no key that a shared policy can have"),
]


@pytest.mark.parametrize(("line", "why"), AMISS)
def test_what_cannot_be_used_is_an_error_with_its_line(user, only_root, line, why):
    name = line.partition(" ")[0]
    user.managed("\n".join(line if each.startswith(name) else each for each in WHOLE.splitlines()))
    with pytest.raises(ConfigError, match=why) as fault:
        user.settings()
    assert "config.toml:" in str(fault.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_this_machine_itself_needs_no_tls(user, only_root, host):
    user.managed(WHOLE.replace("tls://nats.example.org", f"nats://{host}"))
    assert user.settings().team.server == f"nats://{host}:4222"
