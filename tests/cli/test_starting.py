"""`asimi config init`: the choice of a preset, and the file that is shown before it is written."""

from __future__ import annotations

import re

import pytest
from helpers.home import Home

PLAIN = {"ASIMI_PLAIN": "1"}
LOOKS = {
    "wide": (80, {}, "r", "reader"),
    "no colour": (80, {"NO_COLOR": "1"}, "c", "ci"),
    "narrow, ASCII": (40, {"LANG": "C"}, "d", "developer"),
}


@pytest.fixture
def starting(tmp_path):
    """Starts `config init` at a terminal; gives the home and the person who sits there."""
    people = []

    def start(*words, config=None, **options):
        home = Home(tmp_path, config)
        people.append(home.at_terminal("config", "init", *words, **options))
        return home, people[-1]

    yield start
    for person in people:
        person.leaves()


@pytest.mark.parametrize(("columns", "environ", "key", "preset"), LOOKS.values(), ids=LOOKS)
def test_a_preset_is_chosen_by_a_key_and_its_file_can_be_seen_before_it_is_written(
    starting, columns, environ, key, preset
):
    home, person = starting(columns=columns, environ=environ)
    person.sees("what runs without asking?", "reader", "developer", "ci", "[q] leave")
    person.presses(key)
    person.sees(f"write this {preset} file?", "[v] see the file")
    assert "| unlisted" not in person.written.decode()
    person.presses("v")
    person.sees("| ", "[y] write it")
    assert not home.config.exists()
    person.presses("y")
    assert person.ended() == 0
    assert "[y] write it" not in person.sees("written", f"preset {preset}: ", "asimi init")
    shown = person.written.decode().replace("\r\n", "\n")
    assert all(f"| {line}".rstrip() in shown for line in home.config.read_text().splitlines())
    assert home.asimi("config", "check").returncode == 0
    assert "config init" in home.log()[-1].values()


@pytest.mark.parametrize("keys", [["\x1b"], ["\x04"], ["x", "\r", "d", "q"]])
def test_whoever_leaves_has_nothing_written(starting, keys):
    home, person = starting()
    for key in keys:
        person.sees("[q] leave")
        person.presses(key)
    assert person.ended() == 126
    assert "nothing was written" in person.display
    assert not home.config.exists()


def test_ctrl_c_ends_it_and_nothing_is_written(starting):
    home, person = starting()
    person.sees("[q] leave")
    person.presses("\x03")
    assert person.ended() == 130
    assert not home.config.exists()


def test_another_preset_can_be_chosen_once_a_file_was_seen(starting):
    home, person = starting()
    for key, text in (("c", "[c] ci    [q]"), ("b", "[b]"), ("r", "[c] ci    [q]"), ("y", "[y]")):
        person.sees(text)
        person.presses(key)
    assert person.ended() == 0
    assert "Preset reader" in home.config.read_text()


def test_looking_at_services_is_left_out_on_a_key(starting):
    home, person = starting()
    for key, text in (("d", "[c] ci    [q]"), ("s", "leave out looking at services"), ("y", "[y] write it")):
        person.sees(text)
        person.presses(key)
    assert person.ended() == 0
    assert "network.query" not in home.config.read_text()


@pytest.mark.parametrize("environ", [PLAIN, {"TERM": "dumb"}])
def test_in_plain_mode_words_are_typed(starting, environ):
    home, person = starting(environ=environ)
    person.sees("developer (d)", "Answer:")
    person.enters("developers")
    person.sees("developers is not one of the words.")
    person.enters("developer")
    person.sees("write this developer file?", "back (b), leave (q).\nAnswer:")
    person.enters("write")
    assert person.ended() == 0
    assert "Preset developer" in home.config.read_text()
    assert "\x1b[" not in person.written.decode()


def test_what_was_typed_before_the_choice_was_seen_chooses_nothing(starting):
    home, person = starting(early=b"dy")
    person.sees("[q] leave")
    person.presses("q")
    assert person.ended() == 126
    assert not home.config.exists()


def test_on_a_screen_that_is_too_low_for_the_frame_words_are_typed(starting):
    _, person = starting(columns=40, rows=12)
    person.sees("Answer:")


@pytest.mark.parametrize(("key", "checked"), [("d", [0, 1]), ("r", [1, 1])])
def test_the_checks_that_were_shown_are_confirmed_with_the_file(starting, tmp_path, key, checked):
    (tmp_path / "root").mkdir()
    makefile, package = tmp_path / "root" / "Makefile", tmp_path / "root" / "package.json"
    makefile.write_text("test: env\n\t@pytest -q\n")
    package.write_text('{"scripts": {"lint": "eslint ."}}')
    home, person = starting()
    person.sees("make test", "needs env; pytest -q", "npm run lint", "eslint .", "the agent may have written", "[q]")
    package.write_text('{"scripts": {"lint": "rm -rf ."}}')  # what a person has not seen
    person.presses(key)
    question = re.sub(r"[\s│]", "", person.sees("[y] write it"))  # the name of the project may be long
    person.presses("y")
    assert person.ended() == 0
    assert ("mayrunastheyarenow" in question) is (key == "d")
    assert [home.asimi("check", each).returncode for each in ("make test", "npm run lint")] == checked


def test_a_file_that_is_there_is_replaced_only_if_that_is_said_and_wanted(starting):
    home, person = starting("--force", config="unlisted = 'reject'")
    person.sees("[q] leave")
    person.presses("d")
    person.sees("This replaces", "everything it denies", "[y] write it")
    person.presses("y")
    assert person.ended() == 0
    assert "Preset developer" in home.config.read_text()
    done = home.asimi("config", "init")
    assert (done.returncode, "--force" in done.stderr) == (125, True)


def test_a_file_that_is_there_is_named_before_anything_is_chosen(starting):
    home, person = starting(config="unlisted = 'reject'")
    assert person.ended() == 125
    assert "--force" in person.display
    assert home.config.read_text() == "unlisted = 'reject'"


def test_a_preset_that_is_named_is_written_without_a_question(starting):
    home, person = starting("--preset", "reader")
    assert person.ended() == 0
    assert "Preset reader" in home.config.read_text()


def test_without_a_terminal_a_preset_is_named_or_the_file_has_every_key(tmp_path):
    home = Home(tmp_path, None)
    said = home.asimi("config", "init")
    assert (said.returncode, "--preset" in said.stdout) == (0, True)
    assert "# What one command may use" in home.config.read_text()
    home.config.unlink()
    assert "asimi init" in home.asimi("config", "init", "--preset", "ci").stdout
    assert home.asimi("config", "init", "--preset", "cy").stderr.startswith("asimi: There is no preset 'cy'")
