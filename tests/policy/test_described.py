"""A row that somebody wrote answers only that nothing is known of a program; it takes nothing from anything else."""

import json
from pathlib import Path

import pytest
from helpers.home import Home

from asimi.world.config.projects import ProjectStore

ROW = """\
acme,acm
    --env= -v,--verbose
  look : read <data*>
      --config=read --out=data -n --plan!read
  see : read <read*>
  keep : write <write*>
  drop : delete <delete*>
  tell : network publish <data>
      --dry-run!network
  run : none
      starts: joined
  * : read <data*>
liar : none <data*>
    -c= -o= --exec=
"""

CONFIG = """\
excludeTools = ["run_shell_command(acme look bad)", "run_shell_command(acme drop)", "run_shell_command(liar rm)"]
[[rules]]
decision = "allow"
effects = ["read", "write"]
[[rules]]
decision = "ask"
command = "acm look odd"
[[rules]]
decision = "deny"
command = "acme"
options_any = ["--force"]
[[rules]]
decision = "deny"
effects = ["delete"]
[files]
write = ["**"]
secret = ["keys/**"]
deny = ["private/**"]
"""

FREE = [
    "acme look x", "acm look x -n", "acme --env prod look x", "acme -v look", "acme other x", "acme see a.txt",
    "acme keep out.txt", "acme look --config a.txt", "acme look x && acme see b.txt", "acme look x | grep y",
    "for x in a b; do acme look $x; done", "acme look --help", "acme look --plan",
    "acme run ls",
]  # fmt: skip

LOOSENING = {
    # what a deny or an ask finds, wherever the row puts the word
    "acme look bad": "deny",
    "acme --env prod look bad": "deny",
    "acme look --out=x bad": "not_allow",
    "acme --env look bad": "not_allow",
    "acm look odd": "ask",
    "env acme look bad": "deny",
    "sh -c 'acme look bad'": "deny",
    "acme look x --force": "deny",
    "acme look --out --force": "not_allow",
    "acme drop x": "deny",
    "acme see x; acme drop y": "deny",
    "liar rm -rf /": "deny",
    "liar -c rm x": "not_allow",
    "acme run rm -rf /": "not_allow",
    "acme run 'rm -rf ~'": "not_allow",
    "acme look $(rm -rf x)": "not_allow",
    # paths that are secret, denied, protected, of the floor or outside, whatever role the row gives them
    "acme look keys/id": "ask",
    "acme look --out=keys/id": "ask",
    "acme see keys/id": "ask",
    "liar keys/id": "ask",
    "acme see private/x": "deny",
    "liar private/x": "deny",
    "liar -o private/x": "deny",
    "acme keep .asimi/config.toml": "not_allow",
    "liar .asimi/config.toml": "not_allow",
    "liar .asimi/programs/acme.txt": "not_allow",
    "acme keep .claude/settings.json": "not_allow",
    "liar .claude/settings.json": "not_allow",
    "liar -o=keys/id": "ask",
    "acme look -xkeys/id": "ask",
    "acme look @keys/id": "ask",
    "liar -oprivate/x": "deny",
    "acme keep .git/config": "not_allow",
    "acme keep ../outside": "not_allow",
    "liar ~/.ssh/id_rsa": "not_allow",
    "acme look > .asimi/config.toml": "not_allow",
    "acme look x > ../y": "not_allow",
    # what the row does not say
    "acme tell x": "ask",
    "acme tell x --dry-run": "ask",
    "acme look --other": "ask",
    "acme see $(cat names)": "not_allow",
    "acme keep a $UNKNOWN": "not_allow",
    "acme --unknown look x": "ask",
    # another program of the name
    "./acme look x": "ask",
    "bin/acme look x": "ask",
    "/opt/acme look x": "ask",
    "PATH=bin acme look x": "ask",
    "acme() { rm -r x; }; acme look x": "not_allow",
    "alias acme='rm -r'; acme look x": "not_allow",
    "hash -p ./evil acme; acme look x": "not_allow",
    "command acme look bad": "deny",
    "ACME look x": "ask",
    "acme2 look x": "ask",
    "gacme look x": "ask",
}


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    """Judges commands where the rows are confirmed."""
    home = Home(tmp_path_factory.mktemp("described"), CONFIG)
    path = home.config.parent / "programs" / "acme.txt"
    path.parent.mkdir()
    path.write_text(ROW)
    (home.root / "bin").mkdir()
    home.state.mkdir(parents=True, mode=0o700)
    home.state.parent.chmod(0o700)
    ProjectStore(str(home.state)).trust(str(path.resolve()), ROW)

    def judged(commands, **more):
        rows = Path(home.home, "rows.jsonl")
        rows.write_text(
            "".join(json.dumps({"id": each, "command": each, "expect": expect}) + "\n" for each, expect in commands)
        )
        done = home.asimi("policy", "test", str(rows), "--json", **more)
        assert done.stdout, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    judged.home = home
    return judged


def wrong(rows):
    return [(row["id"], row["verdict"], row["reasons"][0]["message"]) for row in rows if not row["ok"]]


def test_what_a_row_says_is_enough_for_a_rule_by_effects(judge):
    rows = judge([(each, "allow") for each in FREE])
    assert wrong(rows) == []


def test_no_row_loosens_anything(judge):
    rows = judge(list(LOOSENING.items()))
    assert wrong(rows) == []
    assert len(LOOSENING) >= 30


def test_a_program_that_lies_in_the_project_is_no_program_of_the_row(judge):
    own = judge.home.root / "bin"
    path = f"{own}:{judge.home.environ['PATH']}"
    assert wrong(judge([("acme look x", "allow")], environ={"PATH": path})) == []
    (own / "acme").write_text("#!/bin/sh\n")
    try:
        assert wrong(judge([("acme look x", "ask")], environ={"PATH": path})) == []
        assert wrong(judge([("acme look x", "ask")], environ={"PATH": f"bin:{judge.home.environ['PATH']}"})) == []
        assert wrong(judge([("acme look x", "allow")])) == []
    finally:
        (own / "acme").unlink()
