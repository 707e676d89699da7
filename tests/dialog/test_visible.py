"""What a text is shown as, and that nothing gets lost or stays hidden on the way."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asimi.core.wording.visible import hidden_characters, pieces, right_to_left, visible

COMMANDS = [
    # text of a command, what is shown
    ("ls -l", "ls -l"),
    ("a\tb", "a<TAB>b"),
    ("a\nb", "a\nb"),
    ("a\r\nb", "a<CR>\nb"),
    ("a\n\n\nb", "a\n\n\nb"),
    ("a" + "\n" * 6 + "b", "a\n<5 EMPTY LINES>\nb"),
    (" " * 20, " " * 20),
    (" " * 21, "<21 SPACES>"),
    ("echo \\\nx", "echo \\\nx"),
    ("echo \\ \nx", "echo \\<1 SPACE>\nx"),
    ("echo \\", "echo \\"),
    ("\x1b\x1b\x1b", "<ESC><ESC><ESC>"),
    ("\x1b" * 4, "<4 times ESC>"),
    ("é", "é"),
    ("e\u0301", "e\u0301"),
    ("x\u0301\u0301\u0301\u0301", "x<4 times U+0301 COMBINING ACUTE ACCENT>"),
    ("हिन्दी", "हिन्दी"),
    ("漢字", "漢字"),
    ("rm привет", "rm привет"),
    (
        "echo привет; \u0441\u043e\u0440\u0443",
        "echo привет; <U+0441 like c><U+043E like o><U+0440 like p><U+0443 like y>",
    ),
    ("echo это и то", "echo это и то"),
    ("\u0430", "<U+0430 like a>"),
    ("½ m² №", "½ m² №"),
    ("\u212a", "<U+212A like K>"),
    ("\u2018x\u2019", "<U+2018 like '>x<U+2019 like '>"),
]

PROSE = [
    # text of a sentence, what is shown
    ("a\nb", "a<LF>b"),
    ("\u201cQuoted\u201d \u2014 it\u2019s fine", "\u201cQuoted\u201d \u2014 it\u2019s fine"),
    ("\u042d\u0442\u043e \u0441\u043e\u0440", "\u042d\u0442\u043e \u0441\u043e\u0440"),
    ("p\u0430ypal", "p<U+0430 like a>ypal"),
]


@pytest.mark.parametrize(("text", "shown"), COMMANDS, ids=[ascii(text) for text, _ in COMMANDS])
def test_a_command_is_shown_as(text, shown):
    assert visible(text, prose=False) == shown


@pytest.mark.parametrize(("text", "shown"), PROSE, ids=[ascii(text) for text, _ in PROSE])
def test_a_sentence_is_shown_as(text, shown):
    assert visible(text) == shown


CHARACTERS = st.characters() | st.sampled_from("\x1b\u202e\n  \t\\\u0430\udc9b\U000e0041")


@given(st.text(CHARACTERS, max_size=60), st.booleans(), st.booleans())
def test_pieces_cover_the_text_and_show_nothing_hidden(text, prose, ascii_only):
    shown = pieces(text, prose=prose, ascii_only=ascii_only)
    assert [piece.start for piece in shown] == [0, *(piece.end for piece in shown)][: len(shown)]
    assert (shown[-1].end if shown else 0) == len(text)
    for piece in shown:
        if not piece.name:
            assert piece.text == text[piece.start : piece.end]
        for character in piece.text:
            assert unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} or (
                character == "\n" and not prose
            )
            assert unicodedata.category(character) != "Zs" or character == " "
            assert character.isascii() or not ascii_only


@pytest.mark.parametrize("code", range(0x20))
def test_every_control_character_has_its_name(code):
    assert visible(chr(code)) in {f"<{name}>" for name in ("LF", visible(chr(code))[1:-1])}
    assert visible(chr(code))[0] == "<"


def test_what_is_unseen_is_counted_by_kind():
    found = hidden_characters(pieces("\x1b\x1b\x1b\x1b a\u202e\x1b" + " " * 30 + "\u0430x"))
    assert [tuple(one) for one in found] == [
        ("ESC", "hidden", 5),
        ("U+202E RLO", "hidden", 1),
        ("30 SPACES", "padding", 1),
        ("U+0430 like a", "lookalike", 1),
    ]


def test_tabs_and_what_the_encoding_lacks_are_seen():
    assert hidden_characters(pieces("a\té", ascii_only=True)) == ()


def test_right_to_left_letters_are_noticed():
    assert right_to_left("rm א")
    assert not right_to_left("rm é")


def test_the_largest_text_that_bash_takes_is_read():
    assert len(pieces("\u202e\u0430 " * 43000)) > 1000
