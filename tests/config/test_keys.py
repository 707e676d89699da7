"""The table of keys: each row says what there is, and a row that does not is an error."""

import pytest

from asimi.world.config.describe import toml_of
from asimi.world.config.keys import DEFAULTS, KEYS, KINDS, TABLES, Unusable, keys_in
from asimi.world.config.toml import tables_in

ROW = "session.wait flag - never"


def test_each_key_has_a_kind_a_comparison_and_what_a_project_may_do():
    assert {key.kind for key in KEYS} == {*KINDS, "rules"}
    assert {key.stricter for key in KEYS} == {"less", "first", "all", ""}
    assert {key.project for key in KEYS} == {"never", "stricter", "trusted", "managed"}
    assert len({key.name for key in KEYS}) == len(KEYS)


def test_each_field_of_the_settings_has_a_key_but_those_that_only_asimi_sets():
    known = {key.name for key in KEYS}
    assert DEFAULTS.keys() - known == {"network.rules", "sandbox.alone", "sandbox.bounded", "sandbox.repository"}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_a_comment_is_a_line_of_a_sentence(key):
    assert key.comment[0].isupper()
    assert key.comment[-1] == "."
    assert len(key.comment) < 117


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_bounds_and_choices_are_those_of_its_kind(key):
    assert bool(key.choices) == (key.kind in {"choice", "flag"})
    assert key.default in key.choices or not key.choices
    assert bool(key.stricter == "less") == (key.kind in {"seconds", "bytes", "count"})
    assert key.least == 0 or key.least <= (key.default or key.least) <= key.most
    assert key.stricter != "first" or key.choices


@pytest.mark.parametrize("key", [key for key in KEYS if key.kind not in {"rules", "hosts"}], ids=lambda key: key.name)
def test_a_default_is_read_as_it_is_written(key):
    table, _, name = key.name.rpartition(".")
    _, tables = tables_in("x", f"[{table}]\n{name} = {toml_of(key, key.default)}".encode() if table else b"")
    if table:
        read = KINDS[key.kind](tables[table][name], key)
        assert read == key.default or (key.kind == "patterns" and not any(read))


def test_tables_are_what_stands_before_the_dots():
    assert {key.name.rpartition(".")[0] for key in KEYS} == {*TABLES, ""}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ("session.wait flag -", ValueError),
        ("session.wait", ValueError),
        (f"{ROW} least=x", ValueError),
        (f"{ROW} leats=1", TypeError),
        (f"{ROW} comment=1", TypeError),
    ],
)
def test_a_row_that_is_none_is_an_error(row, error):
    with pytest.raises(error):
        keys_in([row, "Ring."])


def test_a_row_without_a_comment_is_an_error():
    with pytest.raises(ValueError, match="argument"):
        keys_in([ROW, "Wait.", ROW])


def test_an_unusable_value_is_told():
    key = next(key for key in KEYS if key.name == "session.breaker")
    with pytest.raises(Unusable, match="from 0 to 1000"):
        KINDS[key.kind](1001, key)
