"""`asimi policy import`: what becomes of other agents' permissions, and who must see it first."""

from __future__ import annotations

import json

import pytest
from helpers import PYTHON
from helpers.home import Home

from asimi.extras.permissions import NAMES, agent_of

OWN = """{"permissions": {
  "allow": ["Bash(npm test)", "WebFetch"],
  "ask": ["Bash(git push *)"],
  "deny": ["Bash(rm *)"]
}}"""
RULES = (
    'prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", justification = "it talks to the server")\n'
)
PROJECT = '{"permissions": {"allow": ["Bash(make *)"], "deny": ["Bash(curl *)", "Read(.env)"]}}'


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


@pytest.fixture
def at_terminal(home):
    """Starts asimi at a terminal; gives the person who sits there."""
    people = []

    def start(*words, **options):
        people.append(home.at_terminal(*words, **{"environ": {"TERM": "dumb"}} | options))
        return people[-1]

    yield start
    for person in people:
        person.leaves()


def write(directory, path, text):
    file = directory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def claude(home, own=OWN, project=None):
    write(home.home, ".claude/settings.json", own)
    if project is not None:
        write(home.root, ".claude/settings.json", project)


def imported(home):
    return home.config.with_name("config.imported.toml")


def verdicts(home, *commands, **options):
    """What asimi decides on commands."""
    rows = write(home.home, "rows.jsonl", "".join(json.dumps({"command": command}) + "\n" for command in commands))
    done = home.asimi("policy", "test", str(rows), "--json", **options)
    return [json.loads(line)["verdict"] for line in done.stdout.splitlines()]


def verdict(home, command):
    return verdicts(home, command)[0]


def agree(at_terminal, *words, key="y", code=0, **options):
    person = at_terminal("policy", "import", *words, **options)
    person.sees("[y/n] ")
    person.enters(key)
    assert person.ended() == code
    return person.written.decode()


def test_each_entry_is_shown_with_its_place_and_a_dry_run_writes_nothing(home):
    claude(home)
    done = home.asimi("policy", "import", "--dry-run")
    assert done.returncode == 0
    file = home.home / ".claude/settings.json"
    assert done.stdout.splitlines()[:3] == [
        f"exact     allow  Bash(npm test)  ({file}:2)",
        f"skipped   allow  WebFetch  ({file}:2)",
        "          it is about another tool, and asimi judges commands",
    ]
    assert done.stdout.splitlines()[-1] == "Claude Code: 3 exact, 1 stricter, 1 skipped"
    assert not imported(home).exists()
    assert home.log() == []


def test_what_allows_is_taken_once_a_person_saw_it(home, at_terminal):
    claude(home)
    assert "allows exactly" not in agree(at_terminal)
    assert verdicts(home, "npm test", "git push", "rm x") == ["allow", "ask", "deny"]
    assert verdicts(home, "timeout 9 npm test", "npm test --x") == ["allow", "ask"]
    changes = [(line["what"], line["decision"], line["entry"], line["by"]) for line in home.log()]
    assert ("policy import", "allow", "exactly run_shell_command(npm test)", "terminal") in changes
    assert ("policy import", "deny", "run_shell_command(rm)", "terminal") in changes


def test_a_person_who_says_no_has_nothing_written(home, at_terminal):
    claude(home)
    assert "nothing was imported" in agree(at_terminal, key="n", code=126)
    assert not imported(home).exists()


@pytest.mark.parametrize("own", [OWN, '{"permissions": {"deny": ["Read(.env)"]}}'])
def test_without_a_person_nothing_is_taken(home, own):
    claude(home, own=own)
    done = home.asimi("policy", "import")
    assert done.returncode == 125
    assert "Nothing was imported: a person must see it first" in done.stderr
    assert not imported(home).exists()
    assert home.log() == []


def test_what_denies_is_taken_once_a_person_saw_it(home, at_terminal):
    claude(home, own='{"permissions": {"deny": ["Bash(rm *)"]}}')
    assert "nothing was imported" in agree(at_terminal, key="n", code=126)
    assert verdict(home, "rm x") == "ask"
    assert "It would deny or ask about, everywhere:" in agree(at_terminal)
    assert verdict(home, "rm x") == "deny"


def test_yes_is_no_person(home):
    claude(home)
    assert home.asimi("--yes", "policy", "import").returncode == 125
    assert verdict(home, "npm test") == "ask"


def test_a_file_for_an_image_is_written_without_a_person_and_logged_so(home):
    claude(home)
    config = write(home.root, "image.toml", "")
    assert home.asimi("--config", str(config), "policy", "import").returncode == 0
    assert config.with_name("image.imported.toml").exists()
    assert home.asimi("--config", str(config), "check", "npm test").returncode == 0
    assert {line["by"] for line in home.log()} == {"--config"}
    assert verdict(home, "npm test") == "ask"


def test_a_running_call_imports_nothing(home):
    claude(home)
    home.config.write_text('coreTools = ["run_shell_command"]\n')
    (home.root / "inner").write_text(f"'{PYTHON}' -m asimi policy import\n")
    done = home.asimi("run", "sh inner")
    assert done.returncode == 125
    assert "A command run by asimi cannot change the policy" in done.stderr + done.stdout
    assert not imported(home).exists()


def test_what_stood_in_the_project_holds_in_this_project_alone(home, at_terminal, tmp_path):
    claude(home, own="{}", project=PROJECT)
    shown = agree(at_terminal)
    assert "would allow in this project, as its own files say:" in shown
    assert not imported(home).exists()
    assert verdicts(home, "make x", "curl x", "cat .env") == ["allow", "deny", "deny"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    found = verdicts(home, "make x", "curl x", "cat .env", cwd=elsewhere)
    assert found == ["ask", "ask", "ask"]


def test_a_second_import_replaces_what_came_from_the_same_agent(home, at_terminal):
    write(home.home, ".codex/rules/default.rules", RULES)
    claude(home)
    agree(at_terminal)
    claude(home, own=OWN.replace("npm test", "npm run lint"))
    agree(at_terminal, "claude-code")
    assert verdicts(home, "npm test", "npm run lint", "git fetch") == ["ask", "allow", "ask"]
    assert "it talks to the server" in home.asimi("check", "git fetch").stdout
    again = home.asimi("policy", "import")
    assert (again.returncode, again.stdout.splitlines()[-1]) == (
        0,
        "All of it is in force already; nothing was changed.",
    )


def test_what_is_not_denied_any_more_is_asked_about_and_stays_without_a_person(home, at_terminal):
    claude(home, own='{"permissions": {"deny": ["Bash(rm *)", "Read(key)"], "defaultMode": "dontAsk"}}')
    agree(at_terminal)
    claude(home, own='{"permissions": {"deny": ["Bash(curl *)"]}}')
    assert home.asimi("policy", "import").returncode == 125
    assert verdicts(home, "rm x", "cat key", "curl x", "ls") == ["deny"] * 4
    assert "no longer deny or ask about, everywhere:" in agree(at_terminal)
    assert verdicts(home, "rm x", "cat key", "curl x", "ls") == ["ask", "ask", "deny", "ask"]


def test_what_was_imported_is_listed_shown_and_removed(home, at_terminal):
    claude(home)
    agree(at_terminal)
    listed = home.asimi("policy", "list").stdout
    assert "deny   run_shell_command(rm)  (" in listed
    assert f"imported  {imported(home)}" in home.asimi("config", "check").stdout
    assert str(imported(home)) in home.asimi("config", "show").stdout
    assert str(imported(home)) in home.doctor("--verbose").stdout
    assert str(imported(home)) in home.asimi("uninstall", "--dry-run").stdout
    number = next(line.split()[0] for line in listed.splitlines() if "npm test" in line)
    assert home.asimi("policy", "remove", number).returncode == 0
    assert verdicts(home, "npm test", "rm x") == ["ask", "deny"]


def test_a_named_file_counts_for_this_project_unless_it_is_the_persons_own(home, at_terminal, tmp_path):
    file = write(tmp_path, "elsewhere/default.rules", 'prefix_rule(pattern = ["curl"], decision = "forbidden")\n')
    agree(at_terminal, str(file))
    assert verdict(home, "curl x") == "deny"
    assert not imported(home).exists()
    own = write(home.home, ".codex/rules/default.rules", RULES)
    agree(at_terminal, str(own))
    assert imported(home).exists()


def test_json_has_a_line_for_each_entry(home):
    claude(home)
    rows = [json.loads(line) for line in home.asimi("policy", "import", "--dry-run", "--json").stdout.splitlines()]
    assert rows[0] == {
        "agent": "claude-code",
        "entry": "Bash(npm test)",
        "source": f"{home.home}/.claude/settings.json:2",
        "own": True,
        "decision": "allow",
        "outcome": "exact",
        "why": "",
        "rules": ["allow exactly run_shell_command(npm test)"],
    }


BROKEN = {
    "not JSON": ('{"permissions": ', "line 1, character 17"),
    "no object": ('{"permissions": []}', "permissions is not an object"),
    "no list": ('{"permissions": {"deny": {}}}', ":1: permissions.deny is not a list"),
    "too deep": ("[" * 5000, "nested too deeply"),
    "too long": (" " * (1 << 20) + "{}", "is longer than 1 MiB"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_used_is_an_error_and_nothing_is_written(home, text, message):
    claude(home, own=text, project='{"permissions": {"deny": ["Bash(rm *)"]}}')
    done = home.asimi("policy", "import", "claude-code")
    assert done.returncode == 125
    assert message in done.stderr
    assert str(home.home / ".claude/settings.json") in done.stderr
    assert home.log() == []


def test_neither_an_agent_nor_a_file_is_wrong_usage(home):
    done = home.asimi("policy", "import", "claud-code")
    assert done.returncode == 2
    assert "neither a file nor an agent; the agents are claude-code, codex" in done.stderr
    assert "asimi knows" in home.asimi("policy", "import", __file__).stderr


def test_where_nothing_is_found_that_is_said(home):
    done = home.asimi("policy", "import")
    titles = ", ".join(agent_of(name).title for name in NAMES)
    assert (done.returncode, done.stdout) == (0, f"No permissions of {titles} were found.\n")


@pytest.mark.parametrize("columns", [80, 40])
def test_config_init_offers_what_it_finds(home, at_terminal, columns):
    claude(home)
    home.config.unlink()
    person = at_terminal("config", "init", columns=columns, environ={"TERM": "xterm-256color"})
    for key, text in (("r", "[q] leave"), ("y", "[y] write it")):
        person.sees(text)
        person.presses(key)
    person.sees("[y/n] ")
    person.enters("y")
    assert person.ended() == 0
    assert verdict(home, "npm test") == "allow"
    assert "Claude Code: 3 exact, 1 stricter, 1" in person.written.decode()


def test_config_init_without_a_person_says_how(home):
    claude(home)
    home.config.unlink()
    done = home.asimi("config", "init", "--preset", "reader")
    assert "found    permissions of Claude Code; `asimi policy import` takes them over" in done.stdout
    assert not imported(home).exists()


def test_control_characters_of_an_entry_are_shown_as_escapes(home):
    claude(home, own=json.dumps({"permissions": {"deny": ["Bash(rm \x1b[2J\u202e *)"]}}))
    done = home.asimi("policy", "import")
    assert "\x1b" not in done.stdout
    assert "\\x1b[2J\\u202e" in done.stdout
