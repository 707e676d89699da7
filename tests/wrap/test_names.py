"""Questions about names: one for many connections, what each answer holds for, where it is kept, what the log says."""

from __future__ import annotations

import pytest
from helpers.names import NamedHome


@pytest.fixture
def home(tmp_path):
    home = NamedHome(tmp_path)
    home.configure = (home.home / "config/asimi/config.toml").write_text
    home.configure("[session]\nwait = true\nask_timeout = 60\n")
    yield home
    home.close()


def watched(home, keys, *sees):
    """Answer the question that waits at a terminal; what is seen must be there first."""
    with home.at_terminal("watch") as person:
        person.asked()
        for each in sees:
            person.sees(each)
        for key in keys:
            person.presses(key)
        return person.sees("allowed" if "y" in keys or "s" in keys or "a" in keys else "denied")


def test_one_question_answers_all_connections_of_a_name(home):
    home.open()
    for _ in range(20):
        home.wants("example.org")
    watched(home, "y", "reach this name", "example.org:443", "nothing lists example.org:443")
    assert {tuple(home.answer()[:2]) for _ in range(20)} == {("example.org", True)}


def test_once_holds_as_long_as_the_call(home):
    home.open()
    home.says("call one")
    home.wants("example.org")
    watched(home, "y")
    assert home.answer()[1]
    assert home.decided("example.org")  # the same call
    home.says("call two")
    home.wants("example.org")
    watched(home, "n")
    assert home.answer()[1] is False
    assert home.decided("example.org") is False


def test_a_yes_is_for_its_port_alone(home):
    home.open()
    home.wants("example.org")
    watched(home, "y")
    assert home.answer()[1]
    home.wants("example.org", 80)
    watched(home, "n", "example.org:80")
    assert home.answer()[1] is False


def test_session_holds_for_later_calls_of_this_box_alone(home):
    home.open()
    home.wants("example.org")
    watched(home, ["s", "1"])
    assert home.answer()[1]
    home.says("call two")
    assert home.decided("example.org")
    assert not list(home.home.glob("**/*approved*"))


def test_always_is_kept_for_the_project_and_can_be_taken_back(home):
    home.open()
    home.wants("example.org")
    watched(home, ["a", "1"])
    assert home.answer()[1]
    home.says("call two")
    assert home.decided("example.org")
    home.close()
    home.open()
    assert home.decided("example.org")
    assert "reach(example.org:443)" in home.asimi("policy", "list").stdout
    assert home.asimi("policy", "remove", "reach(example.org:443)").returncode == 0
    home.wants("example.org")
    watched(home, "n")
    assert home.answer()[1] is False


def test_never_is_kept_and_beats_what_is_allowed(home):
    home.open()
    home.wants("example.org")
    watched(home, ["d", "1"])
    assert home.answer()[1] is False
    home.configure('[network]\nallow = ["example.org"]\n[session]\nwait = true\n')
    assert home.decided("example.org") is False
    assert home.decided("example.org", 80) is True


def test_a_yes_that_comes_late_holds_for_one_more_connection_of_the_name(home):
    home.configure("[session]\nask_timeout = 5\n")
    home.open()
    home.wants("example.org")
    _, yes, why, by = home.answer()
    assert (yes, by) == (False, "nobody")
    name = why.partition("asimi approve ")[2].partition("`")[0]
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.presses("y")
        person.sees("allowed once")
    home.says("call two")
    assert home.decided("example.org")


def test_what_is_rejected_or_denied_asks_nobody(home):
    home.configure('[network]\nunlisted = "reject"\nallow = ["a.org"]\ndeny = ["*.b.org"]\n[session]\nwait = true\n')
    home.open("c.b.org")
    assert home.decided("a.org")
    assert home.decided("x.org") is False
    assert home.decided("c.b.org") is False


@pytest.mark.parametrize(
    ("keys", "again", "later"), [("y", True, False), (["s", "1"], True, False), (["a", "1"], True, True)]
)
def test_an_answer_opens_the_private_address_that_its_question_names(home, keys, again, later):
    """The name is asked about before it is resolved, and where it leads to once it was."""
    home.open()
    home.wants("registry.test", 443, "10.1.2.3")
    watched(home, keys, "nothing lists registry.test:443")
    watched(home, keys, "leads to the private address 10.1.2.3 of your network", "registry.test:443 10.1.2.3")
    assert home.answer()[1]
    assert home.decided("registry.test", 443, "10.1.2.3") is again
    if later:
        assert "reach(registry.test:443 10.1.2.3)" in home.asimi("policy", "list").stdout
        home.close()
        home.open()
        assert home.decided("registry.test", 443, "10.1.2.3")
    home.wants("registry.test", 443, "10.9.9.9")  # a name that leads elsewhere later is asked about again
    watched(home, "n", "leads to the private address 10.9.9.9 of your network")
    assert home.answer()[1] is False


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254"])
def test_where_no_name_may_lead_is_refused_without_a_further_question(home, address):
    home.open()
    home.wants("registry.test", 443, address)
    watched(home, "y", "nothing lists registry.test:443")
    assert home.answer()[1] is False


@pytest.mark.parametrize("address", ["10.0.0.5", "192.168.1.1", "fd00::1"])
def test_a_private_address_is_opened_by_its_answer(home, address):
    home.open()
    home.wants(address, 80, address)
    watched(home, ["a", "1"], f"leads to the private address {address}")
    assert home.answer()[1]
    assert home.decided(address, 80, address)


def test_a_listed_name_that_leads_to_a_private_address_asks_nobody(home):
    home.configure('[network]\nallow = ["a.org", "*.b.org", "c.org:443"]\n[session]\nwait = true\n')
    home.open()
    assert [home.decided(each, 443, "10.0.0.1") for each in ("a.org", "x.b.org", "c.org")] == [False, False, True]


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254"])
def test_an_address_that_no_answer_would_open_asks_nobody(home, address):
    home.open()
    home.wants(address, 80)
    _, yes, why, by = home.answer()
    assert (yes, by, f"it leads to {address}" in why) == (False, "policy", True)


def test_the_configuration_is_read_again_each_time(home):
    home.configure('[network]\nallow = ["a.org"]\nunlisted = "reject"\n')
    home.open()
    assert home.decided("a.org")
    home.configure('[network]\nallow = ["a.org"]\ndeny = ["a.org"]\nunlisted = "reject"\n')
    assert home.decided("a.org") is False
    home.configure("[network]\nallow = 7\n")
    assert home.decided("a.org") is False


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ('[network]\nallow = ["evil.org"]\n', "network.allow is never read from a project's file"),
        ('[network]\nprivate = ["10.0.0.0/8"]\n', "network.private is never read from a project's file"),
        ('coreTools = ["reach(evil.org)"]\n', "reach(evil.org) is never read from a project's file"),
    ],
)
def test_a_projects_file_only_narrows(home, text, notice):
    home.configure('[network]\nunlisted = "reject"\n')
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi/config.toml").write_text(text)
    home.open()
    assert home.decided("evil.org") is False
    assert notice in home.asimi("config", "show").stdout


def test_a_projects_file_denies(home):
    home.configure('[network]\nallow = ["a.org", "b.org"]\n')
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi/config.toml").write_text('[network]\ndeny = ["a.org"]\nunlisted = "reject"\n')
    home.open()
    assert [home.decided(each) for each in ("a.org", "b.org", "c.org")] == [False, True, False]


def test_a_file_of_the_project_that_names_it_is_told(home):
    (home.root / ".npmrc").write_text("registry=https://npm.evil.org/\n")
    home.open()
    home.wants("npm.evil.org")
    watched(home, "n", "the project's .npmrc names it")
    assert home.answer()[1] is False


def test_the_log_has_one_line_a_name_port_and_call(home):
    home.configure('[network]\nallow = ["a.org"]\nunlisted = "reject"\n')
    home.open()
    home.says("call one")
    for _ in range(3):
        home.decided("a.org")
    home.decided("b.org")
    home.says("tell")
    home.answer()
    records = [each for each in home.log() if each["event"] == "network"]
    assert [(each["name"], each["allowed"], each["call"], each["connections"]) for each in records[:2]] == [
        ("a.org", True, "one", 3),
        ("b.org", False, "one", 1),
    ]
    assert (records[0]["sent"], records[0]["received"]) == (9, 12)
    assert "abcdefghij0123456789" not in str(records)
    shown = home.asimi("log", "--why").stdout
    assert "reached       a.org:443" in shown
    assert "3 connections, 9 bytes out, 12 in, call one" in shown
    assert "not reached   b.org:443" in home.asimi("log", "--denied").stdout
    assert "a.org:443" not in home.asimi("log", "--denied").stdout
    assert "a.org:443" in home.asimi("log", "report").stdout
    assert home.asimi("log", "verify").returncode == 0
    assert not any("\x1b" in home.asimi("log", *words).stdout for words in ((), ("--why",), ("report",)))


def test_what_a_program_calls_itself_is_shown_with_its_marks_named(home):
    home.open()
    home.wants("example.org")
    with home.at_terminal("watch") as person:
        person.asked()
        seen = person.sees("wanted by")
        person.presses("n")
    home.answer()
    assert "\x1b[31m" not in str(seen).partition("wanted by")[2].partition("\n")[0]
