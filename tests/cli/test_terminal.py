"""The command line at a real terminal: what a person alone may say yes to."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from helpers import PYTHON
from helpers.home import Home

BOTH = 'coreTools = ["run_shell_command", "execute_command"]\n'


@pytest.fixture
def at_terminal(tmp_path):
    """Starts asimi at a terminal of its own; gives the home and the person who sits there."""
    people = []

    def start(*words, config="", home=None, **options):
        home = home or Home(tmp_path, config)
        people.append(home.at_terminal(*words, **{"environ": {"TERM": "dumb"}} | options))
        return home, people[-1]

    yield start
    for person in people:
        person.leaves()


def ended(person):
    """The exit code, and all that was written."""
    return person.ended(), person.written.decode()


@pytest.mark.parametrize(("key", "code", "check"), [("y", 0, 0), ("n", 126, 1)])
def test_to_allow_more_is_asked_back(at_terminal, key, code, check):
    home, person = at_terminal("policy", "add", "npm test")
    person.sees("run_shell_command(npm test)", "[y/n] ")
    person.enters(key)
    assert person.ended() == code
    assert person.written.decode().count("allows every npm test command") == 1  # not once more behind the yes
    assert home.asimi("check", "npm test").returncode == check


def test_a_call_in_the_log_takes_one_row_unless_all_is_wanted(tmp_path, at_terminal):
    home = Home(tmp_path, BOTH)
    home.asimi("run", "true\n" * 50 + "true 日本")
    _, row = ended(at_terminal("log", home=home)[1])
    assert len(row.rstrip("\r\n")) == 80
    assert row.rstrip("\r\n").endswith("…")
    assert "true 日本" in ended(at_terminal("log", "--why", home=home)[1])[1]
    assert "true 日本" in home.asimi("log").stdout


@pytest.mark.parametrize("columns", [80, 40])
def test_the_log_cuts_no_word_where_the_rest_would_be_another(tmp_path, at_terminal, columns):
    home = Home(tmp_path, BOTH)
    command = "true rm-nothing /srv/app/build /srv/app/other /srv/app/third /srv/app/fourth"
    home.asimi("run", command)
    rows = ended(at_terminal("log", home=home, columns=columns)[1])[1].split("\r\n")[:-1]
    assert max(map(len, rows)) <= columns
    shown = rows[-1].split("  ")[-1]
    assert shown.endswith(" …")
    assert set(shown.split()[:-1]) <= set(command.split())
    assert shown.startswith("true rm-nothing")


@pytest.mark.parametrize("columns", [80, 40])
def test_why_is_broken_between_words(tmp_path, at_terminal, columns):
    home = Home(tmp_path, "")
    home.asimi("run", "touch one")
    said = ended(at_terminal("log", "--why", home=home, columns=columns)[1])[1]
    rows = [row for row in said.split("\r\n") if "  touch one" not in row]
    words = home.asimi("log", "--why").stdout.split()
    assert set(" ".join(rows).split()) <= set(words)
    assert [row for row in rows if len(row) > columns and " " in row.strip()] == []


def test_the_log_shows_a_word_with_a_space_as_one(tmp_path):
    home = Home(tmp_path, BOTH)
    home.asimi("exec", "--", "true", "a b", "")
    assert home.asimi("log").stdout.endswith("true 'a b' ''\n")


def test_enter_is_no_answer_and_other_words_are_none(at_terminal):
    home, person = at_terminal("policy", "add", "npm test")
    person.sees("[y/n] ")
    for times, line in enumerate(("", "maybe", "yess"), 1):
        person.enters(line)
        assert person.written.count(b"Type y or n") == times
    person.enters("no")
    assert person.ended() == 126
    assert home.asimi("check", "npm test").returncode == 1


def test_yes_on_the_command_line_is_no_answer_here(at_terminal):
    _, person = at_terminal("--yes", "policy", "add", "npm test")
    person.sees("[y/n] ")
    person.enters("n")
    assert person.ended() == 126


def test_what_is_asked_back_names_each_rule_that_would_go(at_terminal):
    home, person = at_terminal("policy", "add", "--deny", "touch", "mkdir")
    assert person.ended() == 0
    _, person = at_terminal("policy", "remove", "1", "mkdir", home=home)
    person.sees("run_shell_command(touch)", "run_shell_command(mkdir)", "[y/n] ")
    person.enters("n")
    assert person.ended() == 126


def test_taking_a_deny_out_is_asked_back(at_terminal):
    home, person = at_terminal("policy", "remove", "touch", config=BOTH)
    assert person.ended() == 125
    assert home.asimi("policy", "add", "--deny", "touch").returncode == 0
    for key, code, check in (("n", 126, 3), ("y", 0, 0)):
        _, person = at_terminal("policy", "remove", "touch", home=home)
        person.sees("[y/n] ")
        person.enters(key)
        assert person.ended() == code
        assert home.asimi("check", "touch x").returncode == check


def test_a_projects_file_is_trusted_after_it_was_shown(at_terminal, tmp_path):
    home = Home(tmp_path)
    (home.root / ".asimi").mkdir()
    file = home.root / ".asimi" / "config.toml"
    file.write_text('coreTools = ["run_shell_command(npm test)"]  # \u202e hidden\n')
    assert home.asimi("check", "npm test").returncode == 1
    _, person = at_terminal("trust", home=home)
    person.sees('coreTools = ["run_shell_command(npm test)"]  # \\u202e hidden', "[y/n] ")
    person.enters("y")
    assert person.ended() == 0
    assert home.asimi("check", "npm test").returncode == 0
    file.write_text(file.read_text() + "# changed\n")
    assert home.asimi("check", "npm test").returncode == 1


SAYING = [
    ("check", "ls"), ("check", "--json", "ls"), ("run", "ls"), ("exec", "ls"), ("doctor",), ("config", "show"),
    ("config", "check"), ("serve",),
]  # fmt: skip


def test_what_changed_since_it_was_trusted_is_said_everywhere_and_shown(at_terminal, tmp_path):
    home = Home(tmp_path)
    file = home.root / ".asimi" / "config.toml"
    file.parent.mkdir()

    def trusts(key, *seen, text):
        file.write_text(text)
        _, person = at_terminal("trust", home=home, rows=50)
        shown = person.sees(*seen, "[y/n] ")
        person.enters(key)
        assert person.ended() == (0 if key == "y" else 126)
        return shown

    first = 'coreTools = [\n  "run_shell_command(ls)",\n]\nask = []\n'
    assert "has changed" not in trusts("y", "  | ask = []", text=first)
    assert "has changed" not in home.asimi("check", "ls").stderr
    shown = trusts("n", "What changed since you trusted it:", text=first.replace('ls)",', 'rm)", # \u202e\u2028'))
    gone, come = '  | -  "run_shell_command(ls)",', r'  | +  "run_shell_command(rm)", # \u202e\u2028'
    order = [shown.index(text) for text in (gone, come, "All of it:", "  | ask = []")]
    assert order == sorted(order)
    note = f"{file} has changed since you trusted it, so it can only forbid more; `asimi trust` shows the change"
    said = {words: home.asimi(*words) for words in SAYING}
    assert [words for words, done in said.items() if note not in done.stdout + done.stderr] == []
    json.loads(said["check", "--json", "ls"].stdout)
    assert trusts("y", "What changed since you trusted it:", text=first + "\n").count("  | +") == 1
    assert "has changed" not in home.asimi("check", "ls").stderr
    home.asimi("untrust")
    assert "has changed" not in home.asimi("check", "ls").stderr


def test_bare_asimi_with_only_its_input_a_terminal_is_wrong_usage(at_terminal):
    line = f"'{PYTHON}' -m asimi | cat; echo code ${{PIPESTATUS[0]}}"
    at_terminal(program=["/bin/bash", "-c", line])[1].sees("code 2")


def test_a_question_without_a_foreground_is_no_answer(at_terminal):
    """A process in the background must not read the keys of the person's shell."""
    line = f"set -m; '{PYTHON}' -m asimi policy add 'npm test' & wait $!; echo code $?"
    home, person = at_terminal(program=["/bin/bash", "-c", line])
    person.sees("code 125")
    assert home.asimi("check", "npm test").returncode == 1


def test_the_exit_code_of_a_command_reaches_a_terminal(at_terminal):
    _, person = at_terminal("run", "printf here; exit 7", config=BOTH)
    assert ended(person) == (7, "here")


def test_a_ctrl_c_ends_the_tree(at_terminal):
    probe = f"600.{os.getpid()}99"  # no test that runs at the same time has it
    home, person = at_terminal("run", f"echo up; sleep {probe}; true", config=BOTH)
    person.sees("up")
    person.presses("\x03")
    assert person.ended() == 130
    assert not any(probe.encode() in line for line in command_lines())
    assert "signal" in home.asimi("log").stdout


def command_lines():
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                yield file.read()
        except OSError:
            continue


def test_a_silent_command_shows_that_it_runs_and_leaves_nothing_behind(at_terminal):
    xterm = {"environ": {"TERM": "xterm"}}
    home, person = at_terminal("run", "echo first; while [ ! -e go ]; do sleep 0.1; done; exit 3", config=BOTH, **xterm)
    person.sees("first", "… 2 s, 6 bytes")
    (home.root / "go").touch()
    code, text = ended(person)
    assert (code, person.display) == (3, "first")
    assert text.endswith("\r\x1b[K")


@pytest.mark.parametrize(("name", "value", "drawn"), [("ASIMI_PLAIN", "0", True), ("ACCESSIBLE", "1", False)])
def test_whoever_wants_words_alone_sees_nothing_drawn(at_terminal, name, value, drawn):
    environ = {"TERM": "xterm", name: value}
    code, text = ended(at_terminal("run", "sleep 2; echo last", config=BOTH, environ=environ)[1])
    assert code == 0
    assert ("… 1 s" in text) == drawn


def test_where_a_line_is_unfinished_nothing_is_drawn(at_terminal):
    xterm = {"environ": {"TERM": "xterm"}}
    _, person = at_terminal("run", "printf prompt:; sleep 3; echo done", config=BOTH, **xterm)
    assert ended(person) == (0, "prompt:done\r\n")


ROOT = Path(__file__).parents[2]


def page_of(topic):
    """The file of a page of the documentation."""
    (path,) = (ROOT / "docs").glob(f"*/{topic}.md")
    return path


@pytest.fixture
def page(tmp_path, at_terminal):
    """What `asimi help` writes at a terminal."""
    home = Home(tmp_path)

    def show(*topic, columns=80, **environ):
        environ = {"TERM": "xterm-256color", "PAGER": "cat"} | environ
        return ended(at_terminal("help", *topic, home=home, columns=columns, environ=environ)[1])[1]

    return show


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("topic", ["files", "platforms", "agents", "readme", "configuration"])
def test_a_page_of_help_fits_the_terminal_and_tears_no_word(page, topic, columns):
    source = {"readme": "README.md", "configuration": "config.example.toml"}
    text = (ROOT / source[topic] if topic in source else page_of(topic)).read_text()
    shown = page(topic, columns=columns, NO_COLOR="1")
    assert max(map(len, shown.split("\r\n"))) <= columns
    assert "![" not in shown
    assert not re.search(r"(?m)^(```|\||## )", shown)
    assert shown.count("…") <= text.count("…")
    short = {word for word in re.findall(r"[a-z]{4,}", shown) if text.count(word) == 0}
    assert {word for word in short if columns == 80} == set()


def test_a_page_shows_a_table_only_where_tables_are_read(page):
    assert "───" in page("questions")
    assert "---" in page("questions", LANG="C")
    plain = page("questions", ASIMI_PLAIN="1", NO_COLOR="1")
    assert "───" not in plain
    assert "asimi approve ID\r\n  what happens: shows one\r\n" in plain


def test_a_page_has_no_attributes_where_none_are_wanted(page):
    assert "\x1b[1m" in page("files")
    assert "\x1b" not in page("files", NO_COLOR="1")


def test_a_page_longer_than_the_screen_goes_to_the_pager(page, tmp_path):
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho paged; exec cat\n")
    pager.chmod(0o755)
    assert page("files", PAGER=str(pager)).startswith("paged\r\n")
    assert "Topics" in page(PAGER=str(pager))
    assert not page("files", PAGER="cat").startswith("paged")


def test_a_page_in_a_pipe_is_the_file(tmp_path):
    home = Home(tmp_path)
    assert home.asimi("help", "files").stdout == page_of("files").read_text()
    assert "In a pipe or a file" in home.asimi("help", "--help").stdout


def test_each_topic_says_in_one_row_what_its_page_is_about(tmp_path, page):
    whole = Home(tmp_path / "pipe").asimi("help").stdout.splitlines()
    assert "  files          Where asimi keeps its files." in whole
    rows = page().rstrip().split("\r\n")
    assert len(rows) == len(whole)
    assert max(map(len, rows)) <= 80
    for row, full in zip(rows, whole, strict=True):
        assert full == row or full.startswith(row.removesuffix("...")), row
        assert not row.endswith("...") or row[-4] == " "


def test_what_a_projects_file_would_allow_names_trust_until_exactly_it_is_trusted(tmp_path, at_terminal):
    home = Home(tmp_path)
    file = home.root / ".asimi" / "config.toml"
    file.parent.mkdir()
    file.write_text('coreTools = ["run_shell_command(touch)"]\n')
    note = f"{file}:1: run_shell_command(touch) does not count until you trust this file; see `asimi trust`"

    def told(command):
        return [note in said for said in (home.asimi("check", command).stdout, home.asimi("run", command).stderr)]

    assert told("touch a") == [True, True]
    assert told("mkdir a") == [False, False]  # trust would not allow it
    _, person = at_terminal("trust", home=home)
    person.sees("[y/n] ")
    person.enters("y")
    assert person.ended() == 0
    assert home.asimi("check", "touch a").returncode == 0
    file.write_text(file.read_text() + "# one more line\n")
    note = f"{file}:1: run_shell_command(touch) does not count since this file has changed; see `asimi trust`"
    assert told("true && touch a") == [True, True]
    home.config.write_text('unlisted = "reject"\n')
    assert told("touch a") == [True, True]


@pytest.mark.parametrize(
    "entry", ['coreTools = ["run_shell_command"]', "[[rules]]\ndecision = 'allow'\ncommand = 'cat'"]
)
def test_trust_is_named_for_every_kind_of_rule(tmp_path, entry):
    home = Home(tmp_path)
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text(entry)
    assert "asimi trust" in home.asimi("check", "cat /etc/hostname").stdout
