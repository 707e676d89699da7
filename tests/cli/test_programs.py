"""`asimi programs`: described, checked, confirmed at a terminal, used."""

import json

import pytest
from helpers.home import Home

CONFIG = """\
[[rules]]
decision = "allow"
effects = ["read", "network"]
"""

ACME = """\
acme
    --env= -v,--verbose
  status : network <data*>
  deploy,ship : network publish <data>
      --dry-run!network
  db
    drop : delete network <data>
"""


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, CONFIG)
    path = home.config.parent / "programs" / "acme.txt"
    path.parent.mkdir()
    path.write_text(ACME)
    return home


def verdict(home, command):
    return json.loads(home.asimi("check", command, "--json").stdout)["verdict"]


def test_a_program_is_described_confirmed_and_used(home):
    listed = home.asimi("programs", "list").stdout
    assert listed.splitlines() == [f"new     {home.config.parent}/programs/acme.txt", "        acme"]
    checked = home.asimi("programs", "check").stdout.splitlines()
    assert [line.split("  ") for line in checked[1:]] != []
    assert [" ".join(line.split()) for line in checked[1:]] == [
        "acme status network runs without a question",
        "acme deploy network publish; --dry-run only network asks",
        "acme db drop delete network asks",
    ]
    assert verdict(home, "acme status web") == "ask"
    assert "acme.txt describes it and is new" in " ".join(home.asimi("check", "acme status web").stdout.split())
    with home.at_terminal("programs", "confirm") as person:
        person.sees("| acme", "asimi cannot check whether these programs do what this says", "May it count")
        person.enters("y")
        person.sees("confirmed")
    assert verdict(home, "acme --env prod status web") == "allow"
    assert verdict(home, "acme ship web --dry-run") == "allow"
    assert verdict(home, "acme deploy web") == "ask"
    with home.at_terminal("policy", "add", "acme db") as person:
        person.sees("allows every acme db command, also acme db drop (deletes files or data, ", "Do you want that?")
        person.enters("n")
    assert "acme" in home.asimi("explain", "acme").stdout
    assert "publish: publishes" in home.asimi("explain", "acme", "deploy").stdout
    logged = [json.loads(line) for line in (home.state / "log.jsonl").read_text().splitlines()]
    assert any("programs confirm" in json.dumps(each) for each in logged)


def test_a_no_changes_nothing(home):
    with home.at_terminal("programs", "confirm") as person:
        person.sees("May it count")
        person.enters("n")
    assert verdict(home, "acme status") == "ask"


def test_a_change_is_shown_before_it_counts(home):
    with home.at_terminal("programs", "confirm") as person:
        person.sees("May it count")
        person.enters("y")
        person.sees("confirmed")
    path = home.config.parent / "programs" / "acme.txt"
    path.write_text(ACME.replace("network publish", "network"))
    assert verdict(home, "acme status") == "ask"
    with home.at_terminal("programs", "confirm") as person:
        person.sees("What changed since you confirmed it", "-  deploy,ship : network publish", "May it count")
        person.enters("y")
        person.sees("confirmed")
    assert verdict(home, "acme deploy x") == "allow"


def test_nobody_confirms_without_a_terminal(home):
    done = home.asimi("programs", "confirm")
    assert (done.returncode, "no terminal" in done.stderr) == (125, True)
    done = home.asimi("programs", "confirm", environ={"ASIMI_CLI": "1"})
    assert done.returncode == 125
    assert verdict(home, "acme status") == "ask"


def test_a_draft_elsewhere_is_checked_with_the_line_of_what_is_wrong(home):
    draft = home.root / "draft.txt"
    draft.write_text("beta : red\n")
    done = home.asimi("programs", "check", str(draft))
    assert done.returncode == 125
    assert done.stderr.startswith(f"asimi: {draft}:1: `red` is not an effect, nor a kind of one; did you mean read?")
    draft.write_text("beta : read <data>\n")
    done = home.asimi("programs", "check", str(draft))
    assert "not in force" in done.stdout
    assert "runs without a question" in done.stdout
    assert home.asimi("programs", "check", str(home.root / "none.txt")).returncode == 125


def test_a_broken_file_refuses_every_call_with_its_line(home):
    path = home.config.parent / "programs" / "acme.txt"
    path.write_text("acme : red\n")
    done = home.asimi("check", "ls")
    assert done.returncode == 125
    assert f"{path}:1: `red` is not an effect, nor a kind of one; did you mean read?" in done.stderr


def test_what_a_project_describes_is_part_of_its_trust(home):
    path = home.root / ".asimi" / "programs" / "own.txt"
    path.parent.mkdir(parents=True)
    path.write_text("own\n  look : read <data>\nacme : none\n")
    assert verdict(home, "own look x") == "ask"
    with home.at_terminal("trust") as person:
        person.sees("| own", "own look", "May it count")
        person.enters("y")
        person.sees("confirmed")
    assert verdict(home, "own look x") == "allow"
    checked = " ".join(home.asimi("programs", "check").stdout.split())
    assert f"own.txt: `acme` is described in {home.config.parent}/programs/acme.txt, which does not" in checked
    assert home.asimi("untrust").returncode == 0
    assert verdict(home, "own look x") == "ask"


def test_an_agent_s_command_cannot_write_such_a_file_unasked(home):
    home.config.write_text(CONFIG.replace('"network"', '"write"') + '[files]\nwrite = ["**"]\n')
    for path in (home.config.parent / "programs/x.txt", home.root / ".asimi/programs/x.txt"):
        assert verdict(home, f"tee {path} < a") == "ask", path
