"""On which line of a TOML text each value stands."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asimi.world.config.toml import lines_of

TEXT = '''\
# a comment with [brackets] and "quotes"
coreTools = ["a", "b]",  # ] and "
  'c', # [
  """d
]""",
  "e\\\\",
]
one.two = 1
"quoted key" = { x = 1, y = [1, 2] }

[limits]   # [no]
timeout = 1.5
when = 1979-05-27 07:32:00

[[rules]]
a = \'\'\'
[[rules]]
\'\'\'
[[rules]]
a = ["\\"]", [
  "x"]]
[rules.deeper]
b = 1
[x."y.z".'w']
c = """"quoted""""
d = 1'''

PLACES = {
    ("coreTools",): 2,
    ("coreTools", 0): 2,
    ("coreTools", 1): 2,
    ("coreTools", 2): 3,
    ("coreTools", 3): 4,
    ("coreTools", 4): 6,
    ("one",): 8,
    ("one", "two"): 8,
    ("quoted key",): 9,
    ("quoted key", "x"): 9,
    ("quoted key", "y", 1): 9,
    ("limits",): 11,
    ("limits", "timeout"): 12,
    ("limits", "when"): 13,
    ("rules",): 15,
    ("rules", 0): 15,
    ("rules", 0, "a"): 16,
    ("rules", 1): 19,
    ("rules", 1, "a", 0): 20,
    ("rules", 1, "a", 1): 20,
    ("rules", 1, "a", 1, 0): 21,
    ("rules", 1, "deeper"): 22,
    ("rules", 1, "deeper", "b"): 23,
    ("x", "y.z", "w"): 24,
    ("x", "y.z", "w", "c"): 25,
    ("x", "y.z", "w", "d"): 26,
}


@pytest.mark.parametrize("way", PLACES)
def test_a_value_is_found(way):
    tomllib.loads(TEXT)
    assert lines_of(TEXT)[way] == PLACES[way]


def test_lines_end_with_a_carriage_return_as_well():
    assert lines_of(TEXT.replace("\n", "\r\n")) == lines_of(TEXT)


def test_where_a_key_has_an_escape_the_rest_is_not_known():
    assert lines_of('a = 1\n"\\u0062" = 2\nc = 3\n') == {("a",): 1}


def ways(value, way=()):
    """All ways into a value, of the kinds that are marked."""
    if way:
        yield way
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ways(inner, (*way, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from ways(inner, (*way, index))


keys = st.text("abz_-1", min_size=1, max_size=4)
texts = st.text(st.sampled_from("a\"'\\[]{}#,= \n.\té"), max_size=8)
values = st.recursive(
    st.one_of(texts, st.integers(), st.booleans(), st.floats(allow_nan=False), st.datetimes()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(keys, values, max_size=5), st.booleans())
def test_every_value_of_any_text_is_found(document, multiline):
    import tomli_w

    text = tomli_w.dumps(document, multiline_strings=multiline)
    found = lines_of(text)
    assert set(ways(tomllib.loads(text))) <= set(found)
    assert all(1 <= line <= text.count("\n") + 1 for line in found.values())
