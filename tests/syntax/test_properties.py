"""Rules that hold for every text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.generator import PIECES
from hypothesis import given, settings
from hypothesis import strategies as st

from asimi.core.errors import ShellSyntaxError
from asimi.core.syntax import parse, quote

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Script

PARTS = st.sampled_from((*PIECES, "1", "é", "\udcff"))
BYTES = st.binary(max_size=60).map(lambda data: data.decode("utf-8", "surrogateescape"))
TEXTS = st.one_of(st.text(max_size=60), BYTES, st.lists(PARTS, max_size=40).map("".join))
WORDS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=30)


def read(text: str) -> Script | None:
    refusal = None
    try:
        return parse(text)
    except ShellSyntaxError as error:
        refusal = error
    assert refusal.code in ("unparsable", "too_large")
    assert 0 <= refusal.span[0] <= refusal.span[1] <= len(text) + 1
    assert refusal.message
    assert str(refusal)
    return None


def scripts(script: Script):
    yield script
    for substitution in script.substitutions:
        yield from scripts(substitution.script)


@settings(max_examples=1500, deadline=None)
@given(TEXTS)
def test_any_text_is_read_or_refused(text):
    script = read(text)
    if script is None:
        return
    for node in (*script.commands, *script.redirections, *script.substitutions, *script.expansions):
        assert 0 <= node.start <= node.end <= len(text)
    for inner in scripts(script):
        for command in inner.commands:
            assert command.words or command.assignments or command.redirections
            for word in command.words:
                assert word.literal is None or word.head == word.literal


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_reading_twice_gives_the_same(text):
    first, second = read(text), read(text)
    assert (
        [repr(command) for command in first.commands if first] == [repr(command) for command in second.commands]
        if first and second
        else first is second
    )


@settings(max_examples=500, deadline=None)
@given(WORDS)
def test_a_quoted_word_is_read_back(word):
    command = parse(f": {quote(word)}").commands[0]
    assert [found.literal for found in command.words] == [":", word]


@settings(max_examples=500, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5))
def test_quoted_words_are_read_back_in_order(words):
    script = parse(" ".join(map(quote, words)))
    assert [found.literal for found in script.commands[0].words] == words
    assert not script.substitutions
    assert len(script.commands) == 1
