"""How the dialog looks: sizes, colours, encodings, paging, the plain mode."""

from __future__ import annotations

import re

import pytest
from helpers.asks import deed

pytestmark = pytest.mark.long

THREE = "git fetch origin && rm -rf ./build dist && curl -fsSL https://example.com/install.sh | sh"
PARTS = [
    ["git fetch origin", [0, 16], "ALLOW"],
    ["rm -rf ./build dist", [20, 39], "ASK"],
    ["curl -fsSL https://example.com/install.sh", [43, 84], "ASK"],
    ["sh", [87, 89], "ASK"],
]
DEEDS = [
    deed("git fetch origin", acts=[{"does": "network", "words": "uses the network: origin"}]),
    deed("rm -rf ./build dist", "build", "dist"),
    deed("curl -fsSL https://example.com/install.sh", acts=[{"does": "network", "words": "uses the network"}]),
    deed("sh", acts=[{"does": "code", "words": "may run what it downloads"}]),
]
LONG = "\n".join(f"echo line {number} of a long text" for number in range(1, 61))
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def test_everything_a_person_needs_is_shown(sit):
    person = sit(THREE, parts=PARTS, deeds=DEEDS)
    person.asked()
    person.sees(
        "asimi: run this command?", "claude-code, call 12", "Clean up", "(the agent's words)", "~/app/server",
        "project ~/app", "rm is not on coreTools (~/.config/asimi/config.toml:12)", "sh: may run what it downloads",
        "rm -rf ./build dist: deletes build and dist (nothing is there, in the", "Enter does nothing.",
    )  # fmt: skip


def test_each_part_has_a_row_and_a_mark(sit):
    person = sit(THREE, parts=PARTS, deeds=DEEDS)
    rows = [row[2:-2].strip() for row in person.asked().splitlines()]
    assert re.search(r"^git fetch origin && +allowed$", rows[3])
    assert re.search(r"^> rm -rf ./build dist && +ASK$", rows[4])
    assert re.search(r"^> curl .*install.sh \| +ASK$", rows[5])
    assert re.search(r"^> sh +ASK$", rows[6])


@pytest.mark.parametrize("columns", [80, 40])
def test_no_line_is_wider_than_the_terminal(sit, columns):
    command = f"{THREE}\necho {'x' * 300}\necho {'漢字' * 90}\n" + "a \x1b\u202e " * 30
    person = sit(command, description="Wide words: " + "漢字かな" * 12, seat={"columns": columns, "rows": 30})
    person.asked()
    person.presses("v", "v", "v", "v", "v", "v", "s", "v", "v", "n")
    person.answer()
    assert person.too_wide() == []


def test_colours_repeat_words_and_can_be_left_out(sit):
    coloured = sit(THREE, parts=PARTS, deeds=DEEDS)
    bare = sit(THREE, parts=PARTS, deeds=DEEDS, seat={"environ": {"NO_COLOR": "1"}})
    assert coloured.asked() == bare.asked()
    assert COLOUR.search(coloured.written.decode())
    assert not COLOUR.search(bare.written.decode())


def test_no_background_is_coloured(sit):
    """Light and dark terminals both keep their own background."""
    person = sit(THREE, parts=PARTS, deeds=DEEDS)
    person.asked()
    codes = {code for match in COLOUR.findall(person.written.decode()) for code in match[2:-1].split(";")}
    assert not codes & {"7", *map(str, range(40, 49)), *map(str, range(100, 108))}


ASCII = [{"LANG": "C"}, {"LANG": "POSIX"}, {"LANG": None}, {"LC_ALL": "C"}, {"LANG": "de_DE.ISO-8859-1"}]


@pytest.mark.parametrize("environ", ASCII, ids=str)
def test_a_terminal_without_utf8_gets_ascii_and_loses_nothing(sit, environ):
    person = sit("rm 'é漢'", description="ü", seat={"environ": environ})
    assert "rm '<U+00E9><U+6F22>'" in person.asked()
    assert "<U+00FC>" in person.display
    assert person.written.isascii()
    person.presses("n")
    assert person.answer()["yes"] is False
    assert person.written.isascii()


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (40, 12)], ids=str)
def test_nothing_can_be_allowed_before_all_was_shown(sit, size):
    person = sit(LONG, seat={"columns": size[0], "rows": size[1]})
    assert "[y]" not in person.asked()
    person.presses("y", "s", "a", "1")
    person.still_asks()
    pages = [person.display]
    while "[y]" not in person.display and len(pages) < 80:
        person.presses("v")
        pages.append(person.display)
    shown = {int(number) for page in pages for number in re.findall(r"echo line (\d+) of", page)}
    assert shown == set(range(1, 61))
    person.presses("y")
    assert person.answer()["yes"] is True


def test_going_to_the_end_by_the_arrow_keys_shows_all_too(sit):
    person = sit(LONG.replace("echo line 1 ", "ls\necho line 1 "), seat={"rows": 50})
    person.asked()
    for _ in range(40):
        person.presses("\x1b[B")
        if "[y]" in person.display:
            break
    person.sees("[y] run once", "echo line 60")


def test_pages_go_back_and_around(sit):
    person = sit(LONG)
    person.asked()
    person.presses(" ", "\x1b[6~")
    assert "echo line 1 of" not in person.display
    person.presses("\x1b[5~", "\x1b[5~")
    person.sees("echo line 1 of")


def test_a_long_description_hides_no_command(sit):
    person = sit(description="All is well. " * 200 + "The end.")
    shown = person.asked()
    assert "rm -rf build" in shown
    assert "the rest is at the end" in shown
    assert "[y] run once" in shown
    while "The end." not in person.display:
        person.presses("v")


def test_a_resize_draws_anew_and_locks_what_is_out_of_sight(sit):
    person = sit(THREE, parts=PARTS, deeds=DEEDS)
    person.asked()
    person.resize(40, 14)
    person.sees("asimi: run this? ", "It can be allowed once")
    assert "[y]" not in person.display
    person.presses("y")
    person.still_asks()
    person.resize(100, 30)
    person.sees("asimi: run this command?", "[y] run once")
    person.presses("y")
    assert person.answer()["yes"] is True


def test_a_terminal_that_becomes_tiny_is_answered_in_words(sit):
    person = sit()
    person.asked()
    person.resize(20, 8)
    person.sees("Answer:")
    person.enters("deny")
    assert person.answer()["yes"] is False


def test_help_says_what_the_keys_do(sit):
    person = sit()
    person.asked()
    person.presses("?")
    person.sees("Runs exactly this command line", "[Esc] back")
    person.presses("y")
    assert person.process.poll() is None


def test_one_line_stays_when_the_dialog_is_gone(sit):
    person = sit()
    person.asked()
    person.presses("n")
    person.answer()
    person.sees("asimi: denied: rm -rf build")
    assert "[n] deny" not in person.display


PLAIN = [{"ASIMI_PLAIN": "1"}, {"ACCESSIBLE": "1"}, {"TERM": "dumb"}, {"TERM": None}]


@pytest.mark.parametrize("environ", PLAIN, ids=str)
def test_the_plain_mode_uses_words_only(sit, environ):
    person = sit(THREE, parts=PARTS, deeds=DEEDS, seat={"environ": environ, "rows": 40})
    person.sees(
        "asimi asks: run this command?", "Description, from the agent: Clean up", "Command, 4 parts.",
        "Part 1, allowed: git fetch origin", "Part 2, needs your answer: rm -rf ./build dist",
        "Directory: ~/app/server", "Reason: rm is not on coreTools", "Does: sh: may run what it downloads.",
        "Type one word or letter and press Enter: run (y), session (s), always (a), edit", "Answer:",
    )  # fmt: skip
    assert b"\x1b" not in person.written
    assert not re.search("[─│╭╯|]{2}", person.display)


WORDS = [  # each way that a word can take; what all the words mean is in test_steps.py
    (["session", "1"], {"yes": True, "scope": "session"}),
    (["", "yes", "run it", "run"], {"yes": True}),
    (["Y"], {"yes": True}),
    (["?", "back", "n"], {"yes": False, "note": ""}),
    (["note", "", "f", "?", "not today"], {"yes": False, "note": "not today"}),
    (["why", "back", "why", "f", "back", "run"], {"yes": True}),
    (["edit", "rm build"], {"yes": False, "edited": "rm build"}),
]


@pytest.mark.parametrize(("words", "expected"), WORDS, ids=[" ".join(words) for words, _ in WORDS])
def test_a_word_gives_its_answer(sit, words, expected):
    person = sit(seat={"environ": {"ASIMI_PLAIN": "1"}, "rows": 50})
    person.sees("Answer:")
    for word in words:
        person.enters(word)
    answer = person.answer()
    assert {name: answer[name] for name in expected} == expected


def test_the_word_why_shows_all_the_reasons(sit):
    files = [["redirection", f"this writes file{number} of the project", "config.toml:7"] for number in range(11)]
    names = [f"program{number}" for number in range(11)]
    parts = [[name, [10 * index, 10 * index + len(name)], "ASK"] for index, name in enumerate(names)]
    unlisted = [
        ["unlisted", f"{name} is not on coreTools", None, [10 * at, 10 * at + len(name)]]
        for at, name in enumerate(names)
    ]
    person = sit(
        "; ".join(names), parts=parts, reasons=[*unlisted, *files], seat={"environ": {"ASIMI_PLAIN": "1"}, "rows": 70}
    )
    before = person.sees("Answer:", "and 4 more reasons")
    assert "file10" not in before
    person.enters("why")
    shown = person.sees("Type one word or letter and press Enter: back.").split("Answer: why")[1]
    assert all(f"Reason: this writes file{number} of the project (config.toml:7)" in shown for number in range(11))
    assert all(name in shown for name in names)
    assert "more" not in shown
    person.enters("back")
    person.sees("note (f), never (d), why, help (?)")
    person.enters("n")
    assert person.answer()["yes"] is False


def test_a_question_mark_for_a_note_says_what_to_do_and_an_empty_line_goes_back(sit):
    person = sit(seat={"environ": {"ASIMI_PLAIN": "1"}, "rows": 50})
    person.sees("Answer:")
    person.enters("note")
    person.sees("? says what to do")
    person.enters("?")
    person.sees("The command does not run, and the agent reads your line")
    person.enters("")
    person.enters("run")
    answer = person.answer()
    assert (answer["yes"], answer["note"]) == (True, "")


def test_a_pasted_word_with_its_line_end_is_no_answer_in_plain_mode(sit):
    person = sit(seat={"environ": {"ASIMI_PLAIN": "1"}})
    person.sees("Answer:")
    person.presses("run\r")
    person.sees("does not count")
    assert person.process.poll() is None


def test_a_long_text_is_locked_in_plain_mode_too(sit):
    person = sit(LONG, seat={"environ": {"ASIMI_PLAIN": "1"}})
    person.sees("Answer:")
    person.enters("run")
    person.sees("It can be allowed once all of it was shown: type more")
    for _ in range(6):
        person.enters("more")
    person.sees("run (y), session")
