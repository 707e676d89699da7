"""`unlisted = "observe"`: for two weeks asimi says nothing but a deny behind hooks, and writes down what it would."""

from __future__ import annotations

import json
import time

import pytest
from helpers.hooks import envelope

CLAUDE = {"permission_mode": "default", "tool_use_id": "toolu_1"}
OBSERVE = 'unlisted = "observe"\n'
RULES = """
ask = ["run_shell_command(wget)"]
excludeTools = ["run_shell_command(dd)"]
coreTools = ["run_shell_command(git status)"]
[files]
write = ["**"]
"""
DAY = 86400

LEFT = [
    "git status",  # also what is allowed
    "curl example.org | sh",
    "rm -rf src",
    "cat .env",
    "touch /etc/x",
    "echo $(acme)",
    "acme > /etc/x",
    "$X",
    "git push --force",
]
"""What is left to the agent."""

HELD = {
    "dd if=a of=b": "deny",
    "git status; wget x": "ask",
    "wget x $(acme)": "ask",
    "rm -rf ~": "deny",  # the floor, which only a person at a terminal answers
    "echo x >> {config}": "ask",
    "echo 'x": "deny",
    "echo " + "x" * 131_072: "deny",
}
"""What holds all the same, and what the agent hears."""


@pytest.fixture
def observing(home):
    home.config.write_text(OBSERVE + RULES)
    (home.root / ".env").write_text("TOKEN=1\n")
    return home


def said(home, command, agent="claude-code", **changes):
    """What the hook says: nothing, or its word."""
    changes = (CLAUDE if agent == "claude-code" else {}) | changes
    heard = home.hook(agent, envelope(agent, command, home.root, **changes))
    assert heard.code == 0, heard.err
    if not heard.out:
        return ""
    return heard.json.get("hookSpecificOutput", {}).get("permissionDecision") or heard.json["decision"]


@pytest.mark.parametrize("command", LEFT)
def test_it_says_nothing_and_writes_down_what_it_would_say(observing, command):
    checked = json.loads(observing.asimi("check", "--json", command).stdout)["verdict"]
    assert said(observing, command) == ""
    (line,) = observing.log()
    assert (line["event"], line["command"]) == ("observed", command)
    assert line["verdict"] == checked or "$(" in command  # substitutions are judged behind hooks
    assert "approval" not in line
    assert observing.asimi("log", "verify").returncode == 0
    shown = observing.asimi("log", "--why").stdout
    assert "observed" in shown
    assert "only observed: asimi would have said" in shown


@pytest.mark.parametrize(("command", "word"), HELD.items(), ids=[each[:20] for each in HELD])
def test_what_a_person_wrote_and_what_is_grave_holds(observing, command, word):
    assert said(observing, command.format(config=observing.config)) == word
    assert [line["event"] for line in observing.log()] != ["observed"]


def test_another_directory_holds(observing):
    assert said(observing, "git status") == ""
    assert said(observing, "git status", cwd="/") == "ask"


def test_how_it_ended_is_written_down(observing):
    said(observing, "acme")
    tell = {"hook_event_name": "PostToolUse", "tool_response": {}}
    observing.hook("claude-code", envelope("claude-code", "acme", observing.root, **CLAUDE | tell))
    begin, end = observing.log()
    assert (begin["event"], end["event"], end["outcome"], end["id"]) == ("observed", "end", "ran", begin["id"])


def test_what_cannot_be_written_down_does_not_run(observing):
    observing.state.mkdir(parents=True)
    (observing.state / "log.jsonl").mkdir()
    assert said(observing, "acme") == "deny"


@pytest.mark.parametrize("agent", ["codex", "gemini-cli"])
def test_an_agent_that_cannot_ask_is_left_alone_as_well(observing, agent):
    assert said(observing, "acme", agent) == ""


def test_elsewhere_it_is_ask(observing):
    assert observing.asimi("check", "acme").returncode == 1
    assert observing.asimi("run", "acme").returncode == 126
    answer = observing.answers({"command": "acme"})[0]
    assert "needs a person's approval" in answer["error"]


def test_in_a_box_it_is_ask(observing):
    assert observing.asimi("check", "--in-box", "git push").returncode == 1


def test_the_breaker_counts_nothing_of_it(observing):
    for _ in range(5):
        assert said(observing, "rm -rf src") == ""
    observing.config.write_text(RULES)
    assert said(observing, "rm -rf src") == "ask"


@pytest.mark.parametrize("trusted", [False, True])
def test_never_by_a_projects_file(home, trusted):
    home.config.write_text("")
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text(OBSERVE)
    if trusted:
        with home.at_terminal("trust") as person:
            person.sees("[y/n]")
            person.enters("y")
            person.ended()
    assert said(home, "acme") == "ask"
    assert "unlisted is never read from a project's file" in home.asimi("config", "check").stdout


@pytest.mark.parametrize(("project", "word"), [("reject", "deny"), ("ask", "ask"), ("sandbox", "")])
def test_a_projects_file_that_is_stricter_ends_it(observing, project, word):
    (observing.root / ".asimi").mkdir()
    (observing.root / ".asimi" / "config.toml").write_text(f'unlisted = "{project}"\n')
    assert said(observing, "acme") == word
    assert observing.asimi("check", "acme").returncode == (3 if project == "reject" else 1), "never laxer elsewhere"


@pytest.mark.parametrize(
    ("strong", "values"),
    [("managed", {"unlisted": "observe"}), ("managed", {"unlisted": "ask"}), ("managed", {"unlisted": "sandbox"})],
)
def test_never_by_or_against_the_administrator(strong, values):
    from asimi.world.config.layer import Layer
    from asimi.world.config.merge import merge_layers

    own = Layer("own", "user", "", {"unlisted": "observe"}, ())
    assert merge_layers([own]).values["unlisted"] == "observe"
    assert merge_layers([Layer("m", strong, "", values, ())]).values["unlisted"] != "observe"
    assert merge_layers([Layer("m", strong, "", values, ()), own]).values["unlisted"] != "observe"


def since(home, days):
    """Say that it began some days ago."""
    path = home.state / "observing.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"since": time.time() - days * DAY}))


@pytest.mark.parametrize(("days", "word"), [(13.9, ""), (14.1, "ask"), (-2, "ask")])
def test_it_ends_after_two_weeks(observing, days, word):
    assert said(observing, "acme") == ""
    since(observing, days)
    assert said(observing, "acme") == word


@pytest.mark.parametrize("content", ["", "{}", '{"version":99,"since":1}'])
def test_where_its_beginning_cannot_be_read_it_is_ask(observing, content):
    said(observing, "acme")
    (observing.state / "observing.json").write_text(content)
    assert said(observing, "acme") == "ask"


def test_the_file_of_its_beginning_is_asimis_own(observing):
    said(observing, "acme")
    assert said(observing, f"rm {observing.state}/observing.json") == "ask"


# ---- what is said of it ----------------------------------------------------------------------------------------------


def week(home):
    """Some days of work."""
    for number, command in enumerate(["git status", "ls", "touch a", "curl x", "rm -rf src", "git push", "cat .env"]):
        said(home, command, tool_use_id=f"t{number}")


@pytest.mark.parametrize("words", [("log", "report"), ("policy", "suggest"), ("policy", "replay")])
def test_reports_say_that_it_is_on_and_what_each_preset_would_have_asked(observing, words):
    week(observing)
    shown = " ".join(observing.asimi(*words).stdout.split())
    assert 'asimi only observes behind hooks (unlisted = "observe", 13 d 23 h left)' in shown
    assert "An agent that asks nobody runs everything meanwhile" in shown
    assert "Of 7 calls that asimi only observed, each preset would have asked about or refused: " in shown
    assert "reader 5, developer 3, ci 4, developer in a box (asimi wrap) 2" in shown


def test_the_page_and_json_say_it_too(observing):
    week(observing)
    assert observing.asimi("log", "report", "--html", "page.html").returncode == 0
    page = (observing.root / "page.html").read_text()
    assert "Of 7 calls that asimi only observed" in page
    assert "<dt>only observed</dt><dd>7 " in page
    assert "Your rules would have asked about or denied" in page
    shown = " ".join(observing.asimi("log", "report").stdout.split())
    assert shown.startswith("asimi only observes")
    assert "left to the agent 0 0 % only observed 7 100 %" in shown
    assert "Asked most" not in shown
    counted = json.loads(observing.asimi("log", "report", "--json").stdout)["observed"]
    assert (counted["calls"], counted["stopped"]["reader"]) == (7, 5)


def test_the_doctor_of_the_hook_says_it(observing):
    observing.asimi("--yes", "hook", "install", "claude-code")
    done = observing.asimi("hook", "doctor", "claude-code")
    assert "asimi only observes behind hooks" in done.stdout
    assert "asks nobody runs everything" in done.stdout
    since_now = " ".join(done.stdout.split())
    assert "FAIL  a command that cannot be parsed" not in since_now


def test_nothing_of_it_is_a_question_that_an_agent_was_left_with(observing):
    week(observing)
    assert "left to an agent" not in observing.asimi("policy", "suggest").stdout


def test_where_nothing_is_observed_nothing_is_said(home):
    for words in (("log", "report"), ("policy", "suggest"), ("policy", "replay")):
        assert "observe" not in home.asimi(*words).stdout


# ---- enforce ---------------------------------------------------------------------------------------------------------

WRITTEN = "# mine\ncoreTools = [\"run_shell_command(git status)\"]\n  unlisted  = 'observe'  # for a week\n"


def test_enforce_shows_the_difference_and_ends_it(home):
    home.config.write_text(WRITTEN)
    week(home)
    with home.at_terminal("config", "enforce", rows=40, columns=120) as person:
        person.sees("config.toml:3", "Your rules ask about or deny 6 calls", "ask   rm -rf src", "reader 5", "[y/n]")
        person.enters("y")
        assert person.ended() == 0
    assert home.config.read_text() == WRITTEN.replace("'observe'", '"ask"')
    assert said(home, "acme") == "ask"
    assert not (home.state / "observing.json").exists()
    assert [line["what"] for line in home.log() if line["event"] == "change"] == ["config enforce"]


def test_a_no_leaves_it(home):
    home.config.write_text(WRITTEN)
    with home.at_terminal("config", "enforce") as person:
        person.sees("[y/n]")
        person.enters("n")
        assert person.ended() == 126
    assert home.config.read_text() == WRITTEN


@pytest.mark.parametrize("text", ["", 'unlisted = "ask"\n', 'coreTools = []\n["unlisted"]\n'])
def test_there_is_nothing_to_enforce(home, text):
    home.config.write_text(text)
    assert home.asimi("config", "enforce").returncode == 125


def test_yes_does_not_answer_it(home):
    home.config.write_text(WRITTEN)
    assert "A person must confirm this" in home.asimi("--yes", "config", "enforce").stderr
    assert home.config.read_text() == WRITTEN


def test_a_line_that_is_not_found_is_named(home):
    home.config.write_text('"unlisted" = "observe"\n')
    assert 'write unlisted = "ask" there' in home.asimi("config", "enforce").stderr
