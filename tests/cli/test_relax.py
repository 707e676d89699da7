"""`asimi relax`: fewer questions for a while, by a person at a terminal, and never about more than nothing lists."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest
from helpers import PYTHON
from helpers.home import Home

if sys.platform == "win32":
    pytest.skip("Windows has no terminal to ask on", allow_module_level=True)

CONFIG = """\
ask = ["run_shell_command(wget)"]
excludeTools = ["run_shell_command(dd)"]
[files]
write = ["**"]
deny = ["private"]
[[rules]]
decision = "allow"
effects = ["read"]
[[rules]]
decision = "allow"
checks = true
"""

ALLOWED = ["touch a", "curl -o x example.org", "python3 x.py", "sort -o a b", "make other", "git merge x"]
"""What is asked about only because nothing lists it, or for an option of a known effect."""

KEPT = """
rm a                     unlisted
git push                 unlisted
npm publish              unlisted
sudo apt install x       unlisted
kill 1                   unlisted
acme x                   unlisted
curl example.org | sh -c 'rm x'  unlisted
wget example.org         ask_by_rule
dd if=a of=b             denied_by_rule
cat .env                 secret
cat private              denied_by_rule
touch ../a               outside
rm -rf ~                 floor
touch .git/hooks/x       outside
make test                code
touch $X                 outside
npm_x=1 ls               assignment
PATH=. ls                rebinding
ls() { rm x; }; ls       rebinding
ls > /etc/x              outside
$X                       dynamic
asimi policy add x       protected
echo "$(rm x)"           substitution
"""
"""What asimi relax answers nothing of, with the code that it is asked about or denied with."""


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, CONFIG)
    (home.root / ".git").mkdir()
    (home.root / ".env").write_text("TOKEN=1\n")
    (home.root / "Makefile").write_text("test:\n\techo a\nother:\n\techo b\n")
    with home.at_terminal("trust") as person:
        person.sees("[y/n]")
        person.enters("y")
        assert person.ended() == 0
    return home


def relaxed(home, *words, answer="y", **options):
    with home.at_terminal("relax", *words, **options) as person:
        person.sees("[y/n] ")
        shown = " ".join(person.display.split())
        person.enters(answer)
        assert person.ended() == (0 if answer == "y" else 126)
        return shown


def judged(home, command, **options):
    done = home.asimi("check", "--json", command, **options)
    decision = json.loads(done.stdout)
    return decision["verdict"], {reason["code"] for reason in decision["reasons"]}


def test_what_only_nothing_lists_runs_for_a_while(home):
    assert {judged(home, command)[0] for command in ALLOWED} == {"ask"}
    shown = relaxed(home, "30m")
    assert "For 30m, in this project" in shown
    assert "What the code that it runs does is not checked" in shown
    assert {command: judged(home, command)[0] for command in ALLOWED} == dict.fromkeys(ALLOWED, "allow")


@pytest.fixture
def relaxing(home):
    """A home that is relaxed, with a check that has changed."""
    relaxed(home, "30m")
    (home.root / "Makefile").write_text("test:\n\techo c\nother:\n\techo b\n")
    return home


def test_it_answers_nothing_but_that_nothing_lists_a_command(relaxing):
    found = {}
    for row in KEPT.strip().splitlines():
        command, code = row.rsplit("  ", 1)
        verdict, codes = judged(relaxing, command.strip())
        found[command.strip()] = verdict != "allow" and code.strip() in codes
    assert [command for command, held in found.items() if not held] == []


def test_it_holds_only_in_this_project(home):
    relaxed(home, "30m")
    other = home.home / "other"
    subprocess.run(["git", "init", "-q", other], check=True)
    assert judged(home, "touch a", cwd=other)[0] == "ask"
    assert judged(home, "touch a")[0] == "allow"


def test_only_the_named_effects(home):
    relaxed(home, "2h", "--effects", "network,write")
    assert judged(home, "curl -o x example.org")[0] == "allow"
    assert judged(home, "python3 x.py")[0] == "ask"


@pytest.mark.parametrize("effects", ["delete", "read,publish", "system", "nonsense", "", "network.query2"])
def test_nothing_that_is_lost_seen_or_changes_the_machine_can_be_relaxed(home, effects):
    done = home.asimi("relax", "30m", "--effects", effects)
    assert (done.returncode, "cannot be relaxed" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("wanted", "code"), [("8h1s", 125), ("481m", 2), ("9h", 2), ("0", 125), ("0s", 2), ("soon", 125), ("-1h", 2)]
)
def test_at_most_eight_hours(home, wanted, code):
    assert home.asimi("relax", wanted).returncode == code


def test_eight_hours_it_may_be(home):
    relaxed(home, "8h")


def test_it_ends(home):
    relaxed(home, "1s")
    time.sleep(1.1)
    assert judged(home, "touch a")[0] == "ask"
    assert (
        "at most" not in home.asimi("policy", "list").stdout.replace("that at most", "at most", 0).split("checks")[-1]
    )


def test_a_no_changes_nothing(home):
    relaxed(home, "30m", answer="n")
    assert judged(home, "touch a")[0] == "ask"
    assert [line["event"] for line in home.log() if line.get("what") == "relax"] == []


@pytest.mark.parametrize("words", [("--yes",), ("--yes", "--non-interactive")])
def test_no_flag_answers_it(home, words):
    done = home.asimi(*words, "relax", "30m", stdin="y\n")
    assert (done.returncode, "A person must confirm this" in done.stderr) == (125, True)
    with home.at_terminal(*words, "relax", "30m") as person:
        person.sees("[y/n] ")
        person.hangs_up()
    assert judged(home, "touch a")[0] == "ask"


def test_a_file_named_with_config_takes_a_person_as_well(home):
    done = home.asimi("--config", str(home.config), "relax", "30m")
    assert (done.returncode, "A person must confirm this" in done.stderr) == (125, True)


def test_not_below_a_call(home):
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    (home.root / "inner").write_text(f"'{PYTHON}' -m asimi relax 30m\n")
    done = home.asimi("run", "sh inner")
    assert (done.returncode, "A command run by asimi cannot relax the policy" in done.stderr) == (125, True)


def test_running_it_is_protected(home):
    """An agent that types it is asked about, whatever is listed."""
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    assert judged(home, "asimi relax 8h") == ("ask", {"protected"})


def test_a_stronger_file_forbids_it(home):
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text("[session]\nrelax = false\n")
    done = home.asimi("relax", "30m")
    assert done.returncode == 125
    assert ".asimi/config.toml:2: relax = false" in done.stderr
    home.config.write_text(CONFIG + "[session]\nrelax = true\n")
    assert home.asimi("relax", "30m").returncode == 125, "a stricter layer wins"


def test_the_list_shows_what_is_left_and_ends_it(home):
    relaxed(home, "30m")
    done = home.asimi("policy", "list")
    (line,) = [each for each in done.stdout.splitlines() if "min left" in each]
    assert ", in this project" in line
    assert "0 h 29 min left" in line
    assert home.asimi("policy", "remove", line.split()[0], "--project").returncode == 0
    assert judged(home, "touch a")[0] == "ask"


def test_it_is_in_the_log_and_the_report(home):
    relaxed(home, "30m")
    (line,) = [each for each in home.log() if each.get("what") == "relax"]
    assert (line["by"], line["decision"], line["until"] > line["time"]) == ("terminal", "allow", True)
    assert "relax" in home.asimi("log", "report").stdout
    assert home.asimi("log", "verify").returncode == 0


@pytest.mark.parametrize(("files", "warns"), [("", True), ('[files]\nwrite = ["**"]\n', False)])
def test_where_nothing_says_where_to_write_the_question_says_so(home, files, warns):
    home.config.write_text(files)
    assert ("writes anywhere" in relaxed(home, "5m", answer="n")) == warns
