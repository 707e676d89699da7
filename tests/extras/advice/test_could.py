"""`asimi policy could` finds the holes that rules have, and `diff` what a change of them lets through; nothing runs."""

from __future__ import annotations

import json
import random

import pytest
from helpers.home import Home
from helpers.samples import sample

from asimi.core.errors import AsimiError
from asimi.extras.advice.could import POWERS, powers_of
from asimi.world.config.presets import PRESETS

PLAIN = """
unlisted = "ask"
coreTools = ["run_shell_command(ls)", "run_shell_command(git status)"]
[[rules]]
decision = "allow"
effects = ["read"]
"""
"""Rules without a hole."""

_WRITES = '[[rules]]\ndecision = "allow"\neffects = ["read", "write"]'

HOLES = [
    ("lose published history", 'coreTools = ["run_shell_command(git push)"]'),
    ("lose published history", '[[rules]]\ndecision = "allow"\neffects = ["delete.history", "publish", "network"]'),
    ("lose published history", 'coreTools = ["run_shell_command(git -C . push --force)"]'),
    ("erase a disk", 'coreTools = ["run_shell_command(mkfs)"]'),
    ("delete in a service", 'coreTools = ["run_shell_command(kubectl)"]'),
    ("publish a package", 'coreTools = ["run_shell_command(npm publish)"]'),
    ("publish a package", 'coreTools = ["run_shell_command(twine)"]'),
    ("change a service", 'coreTools = ["run_shell_command(terraform apply)"]'),
    ("publish", 'coreTools = ["run_shell_command(gh pr create)"]'),
    ("act as root", 'coreTools = ["run_shell_command(sudo)", "run_shell_command(id)"]'),
    ("change accounts or passwords", 'coreTools = ["run_shell_command(passwd)"]'),
    ("stop the machine", 'coreTools = ["run_shell_command(systemctl)"]'),
    ("make something run later", '[[rules]]\ndecision = "allow"\neffects = ["system.later", "write"]'),
    ("change what runs by itself", 'coreTools = ["run_shell_command(cp)"]'),
    ("delete outside the project", 'coreTools = ["run_shell_command(rm)"]'),
    ("write outside the project", 'coreTools = ["run_shell_command(tee)"]'),
    ("throw away work", 'coreTools = ["run_shell_command(git reset)"]'),
    ("delete files of the project", 'coreTools = ["run_shell_command(rm)"]'),
    ("run downloaded code", 'coreTools = ["run_shell_command(npx)", "run_shell_command(x)"]'),
    ("run code that nobody saw", 'coreTools = ["run_shell_command(make)"]'),
    ("run code that nobody saw", '[[rules]]\ndecision = "allow"\neffects = ["code"]'),
    ("act on other machines", 'coreTools = ["run_shell_command(ssh)", "run_shell_command(x)"]'),
    ("change the network of this machine", 'coreTools = ["run_shell_command(ip)"]'),
    ("install software", 'coreTools = ["run_shell_command(apt-get install)"]'),
    ("control services", 'coreTools = ["run_shell_command(systemctl)"]'),
    ("act on containers", 'coreTools = ["run_shell_command(docker)"]'),
    ("end processes", 'coreTools = ["run_shell_command(pkill)"]'),
    ("change permissions", 'coreTools = ["run_shell_command(chmod)"]'),
    ("send to the network", 'coreTools = ["run_shell_command(curl)"]'),
    ("send to the network", '[[rules]]\ndecision = "allow"\ncommand = "wget"'),
    ("write outside the project", f'files = {{ write = ["**", "~/work/**"] }}\n{_WRITES}'),
    ("write outside the project", f'files = {{ write = ["/srv/www/**"] }}\n{_WRITES}'),
    ("read a secret", f'files = {{ secret = ["!**/*.pem"] }}\n{_WRITES}'),
    ("read outside the project", 'coreTools = ["run_shell_command(uniq)"]'),
    ("delete in a service", 'coreTools = ["run_shell_command(az)"]'),
    ("change the network of this machine", 'coreTools = ["run_shell_command(nmcli)"]'),
]
"""Powers, and rules that give them."""


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path, PLAIN)


def could(home, *words, seconds=100):
    """The command found for each power, or None."""
    done = home.asimi("policy", "could", "--json", "--time", str(seconds), *words)
    rows = [*map(json.loads, done.stdout.splitlines())]
    assert rows, done.stderr
    assert done.returncode == any(row["command"] for row in rows)
    return {row["power"]: row["command"] for row in rows}


@pytest.mark.parametrize(("power", "hole"), sample(HOLES, 6))
def test_a_hole_is_found_and_check_says_the_same(home, power, hole):
    home.config.write_text(hole + "\n")
    (found,) = could(home, power).values()
    assert found is not None
    assert home.asimi("check", found).returncode == 0


@pytest.mark.parametrize("most", [2, pytest.param(6, marks=pytest.mark.long)])
def test_rules_without_a_hole_have_none(home, most):
    dangerous = [
        power.name for power in POWERS if power.name not in {"read outside the project", "send to the network"}
    ]
    for name in dangerous[:most]:
        assert could(home, name) == {name: None}


@pytest.mark.parametrize("power", [pytest.param("read a secret", marks=pytest.mark.long), "write outside the project"])
def test_files_that_are_open_anyway_are_no_hole(home, power):
    home.config.write_text(f'files = {{ write = ["**", "/tmp/**"], secret = [] }}\n{_WRITES}\n')
    assert could(home, power) == {power: None}


def test_a_path_of_ones_own_is_a_power(home):
    assert could(home, "read ~/.aws") == {"read ~/.aws": None}
    home.config.write_text('coreTools = ["run_shell_command(cat)"]\nfiles = { secret = ["!~/.aws"] }\n')
    assert could(home, "read ~/notes")["read ~/notes"] == "cat ~/notes"


def test_the_powers_have_names_and_a_wrong_one_is_told():
    assert [power.name for power in powers_of("")] == [power.name for power in POWERS]
    assert (
        powers_of("rewrites published history")[0].kinds == powers_of("delete.history")[0].kinds == {"delete.history"}
    )
    with pytest.raises(AsimiError, match="did you mean 'publish a package'"):
        powers_of("publish the package")
    with pytest.raises(AsimiError, match="--on is about a path"):
        powers_of("act as root", "~/x")


def test_the_bound_is_said_and_the_time_is_kept(home):
    said = home.asimi("policy", "could", "--time", "0.1").stdout
    assert "as many as there was time for in 0 s" in said
    assert "None found is no proof that there is none." in said


def test_a_difference_is_one_command_for_each_power(home, tmp_path):
    new = tmp_path / "new.toml"
    new.write_text(PLAIN.replace("run_shell_command(ls)", "run_shell_command(git push)"))
    words = ("policy", "diff", str(home.config), str(new), "--json", "--time", "8")
    done = home.asimi(*words, "--exit-code")
    rows = [*map(json.loads, done.stdout.splitlines())]
    assert done.returncode == 1
    assert {"lose published history", "publish"} <= {row["power"] for row in rows if row["kind"] == "new"}
    for row in rows:
        file = {"new": str(new), "gone": str(home.config)}[row["kind"]]
        assert home.asimi("--config", file, "check", row["command"]).returncode == 0
    assert home.asimi(*words[:-1], "0.1").returncode == 0
    same = home.asimi("policy", "diff", str(home.config), str(home.config), "--exit-code", "--time", "0.1")
    assert (same.returncode, same.stdout.startswith("No difference found.")) == (0, True)


def test_an_agent_does_not_look_for_ways_around(home):
    assert home.asimi("check", "asimi policy could").returncode != 0
    assert home.asimi("check", "asimi policy diff a b").returncode != 0


@pytest.mark.long
def test_planted_holes_are_found_and_nothing_else_is(home):
    """Presets, each with an entry that gives one power, drawn anew; without it, the same search finds nothing."""
    drawn = random.Random(61)
    found = 0
    for _ in range(40):
        power, hole = drawn.choice([each for each in HOLES if "coreTools" in each[1] and "files" not in each[1]])
        home.config.unlink(missing_ok=True)
        assert home.asimi("config", "init", "--preset", drawn.choice([*PRESETS])).returncode == 0
        preset = home.config.read_text()
        before = could(home, power, seconds=60)[power]
        home.config.write_text(preset.replace("coreTools = []", hole))
        after = could(home, power, seconds=60)[power]
        assert before is None or home.asimi("check", before).returncode == 1
        assert after is None or home.asimi("check", after).returncode == 0
        found += after is not None
    assert found >= 38
