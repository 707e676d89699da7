"""`asimi policy add` takes no rule that never matches, and says what to write; `asimi check` says what a hook says."""

from __future__ import annotations

import json
import subprocess

import pytest
from helpers.home import Home

REFUSED = [
    # what somebody adds, and what the answer names
    ("FOO=bar mytool", ["sets a variable", "run_shell_command(mytool)", 'free = ["FOO"]']),
    ("env FOO=bar mytool", ["does not answer for what `env` starts", "run_shell_command(mytool)", 'free = ["FOO"]']),
    ("~/bin/mytool", ["absolute path"]),
    ("mytool 2>&1", ["redirection", "'mytool'"]),
    ("mytool x > out", ["redirection", "'mytool x'"]),
    ("for f in a; do mytool x; done", ["more than one plain command", "an entry for each: mytool x"]),
    ("a x && b", ["more than one plain command", "an entry for each: a x, b"]),
    ("npm run test:*", ["no sign here", "end it with `test`"]),
    ("git *", ["no sign here", "leave it out"]),
    ("mytool $x", ["only bash could expand, `$x`"]),
    ("while", ["a word of bash's own"]),
    ("/tmp/tool.sh", ["/tmp/tool.sh, where others or the agent may put any file"]),
    ("sh /tmp/tool.sh", ["/tmp/tool.sh, where others or the agent may put any file"]),
]


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def image(home):
    """A configuration file that is changed without a question, as for an image."""
    (home.home / "image.toml").touch()
    return str(home.home / "image.toml")


@pytest.mark.parametrize(("text", "names"), REFUSED, ids=[text for text, _ in REFUSED])
def test_a_rule_that_never_matches_is_refused_with_the_way(home, text, names):
    done = home.asimi("--config", image(home), "policy", "add", text)
    said = " ".join(done.stderr.split())
    assert done.returncode != 0
    assert [name for name in names if name not in said] == []
    assert not list(home.home.glob("*approved*"))


@pytest.mark.parametrize("text", ["scripts/build.sh", "tail /tmp/log", "mytool run", "env -i mytool", "./x --y"])
def test_another_one_is_kept(home, text):
    assert home.asimi("--config", image(home), "policy", "add", text).returncode == 0


def test_check_says_what_a_hook_would_say(home):
    home.config.write_text('coreTools = ["run_shell_command(echo)", "run_shell_command(date)"]\n')
    text = 'echo "x $(date)"'
    done = home.asimi("check", text)
    assert done.returncode == 3
    assert "Behind an agent's hook: allow" in done.stdout
    assert home.asimi("check", "--hook", text).stdout.startswith("allow")
    assert "Behind" not in home.asimi("check", 'rm "$x"').stdout
    rows = home.root / "rows.jsonl"
    rows.write_text(json.dumps({"command": text, "expect": "allow"}))
    assert home.asimi("policy", "test", str(rows)).returncode == 1
    assert home.asimi("policy", "test", "--hook", str(rows)).returncode == 0


def test_an_import_leaves_out_what_others_may_write_and_tells_of_unknown_programs(home):
    there = home.root / ".claude" / "settings.json"
    there.parent.mkdir()
    allow = ["Bash(/tmp/commit-msg.txt:*)", "Bash(EOF)", "Bash(git status:*)", "Bash(*)"]
    deny = ["Read(./.env.*)", "Bash(*--no-verify*)"]
    there.write_text(json.dumps({"permissions": {"allow": allow, "deny": deny}}))
    done = home.asimi("policy", "import", "--dry-run", "--json", "claude-code")
    rows = {row["entry"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows[allow[0]]["outcome"] == "skipped"
    assert rows[allow[0]]["rules"] == []
    assert rows[allow[1]]["why"] == "there is no program EOF here, and asimi knows none"
    assert rows[allow[2]]["why"] == ""
    assert rows[allow[3]]["why"].startswith("Bash(*--no-verify*) forbids")


UNKNOWN = [
    ('wc -l "$x"', '`"$x"`'),
    ('head -1 "$d"/x README.md', '`"$d"/x`'),
    ("tar xf a.tar", "which files `tar xf a.tar` writes"),
    ('cd "$d" && git status', "another repository"),
    ("# a comment", "there is nothing to run"),
    ("git status\r", "carriage return"),
    ("wrapit git status", 'commands = ["wrapit"] in [wrappers]'),
]


@pytest.mark.parametrize(("text", "says"), UNKNOWN, ids=[text for text, _ in UNKNOWN])
def test_a_question_names_what_is_not_known(home, text, says):
    home.config.write_text('[files]\nwrite = ["**"]\n[[rules]]\ndecision = "allow"\neffects = ["read", "write"]\n')
    rows = [row["message"] for row in json.loads(home.asimi("check", "--hook", "--json", text).stdout)["reasons"]]
    assert any(says in row for row in rows), rows


def test_a_question_about_git_clean_names_what_it_removes(home):
    subprocess.run(["git", "init", "-q"], cwd=home.root, env=home.environ, check=True)
    for name in (".gitignore", "one.txt", "deep/two.txt", "skip.log", *(f"many/{each}" for each in range(20))):
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text("*.log\n")
    subprocess.run(["git", "add", ".gitignore"], cwd=home.root, env=home.environ, check=True)
    home.config.write_text('[files]\nwrite = ["**"]\n')

    def names(text):
        does = json.loads(home.asimi("check", "--json", text).stdout)["does"][0]
        return {each["path"].rpartition("/")[2] for each in does["paths"]}, does["words"]

    assert "one.txt" in names("git clean -f")[0]
    assert not {"two.txt", "skip.log"} & names("git clean -f")[0]
    assert {"skip.log"} == names("git clean -fX")[0]
    assert "23 files that git does not track" in names("git clean -fdx")[1]


def test_a_relative_path_that_is_added_means_the_file_there_and_not_one_of_another_project(home):
    (home.root / "scripts").mkdir()
    with home.at_terminal("policy", "add", "./scripts/build.sh") as person:
        person.sees("Do you want that?")
        person.enters("y")
        person.sees("allow  run_shell_command")
    other = home.home / "other"
    other.mkdir()
    assert home.asimi("check", "./scripts/build.sh").returncode == 0
    assert home.asimi("check", "./scripts/build.sh", cwd=other).returncode == 1
