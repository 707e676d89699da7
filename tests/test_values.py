"""asimi's named tuples do what those of `typing` do, and its expressions what those of `re` do."""

from __future__ import annotations

import copy
import pickle
import re
import typing

import pytest

from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple


class Ours(NamedTuple):
    """A value."""

    kind: str
    size: int = 3
    rest: tuple[str, ...] = ()

    @property
    def double(self):
        return 2 * self.size


class Theirs(typing.NamedTuple):
    """A value."""

    kind: str
    size: int = 3
    rest: tuple[str, ...] = ()


USES = {
    "positions": lambda kind: kind("a", 1, ("b",)),
    "names": lambda kind: kind(kind="a", rest=("b",)),
    "defaults": lambda kind: kind("a"),
    "replaced": lambda kind: kind("a")._replace(size=4),
    "as a dict": lambda kind: kind("a")._asdict(),
    "fields": lambda kind: kind._fields,
    "unpacked": lambda kind: list(kind("a", 2)),
    "hash": lambda kind: hash(kind("a", 2)) == hash(("a", 2, ())),
    "match": lambda kind: kind.__match_args__,
    "made": lambda kind: kind._make(["a", 1, ()]),
    "copied": lambda kind: copy.copy(kind("a", rest=("b",))),
    "copied in depth": lambda kind: copy.deepcopy(kind("a", rest=["b"])),
    "pickled": lambda kind: pickle.loads(pickle.dumps(kind("a", 2))),
    "words": lambda kind: repr(kind("a"))[len(kind.__name__) :],
}
MISUSES = {
    "too few": lambda kind: kind(),
    "too many": lambda kind: kind(1, 2, 3, 4),
    "unknown": lambda kind: kind("a", colour=1),
    "twice": lambda kind: kind("a", kind="b"),
    "replaced unknown": lambda kind: kind("a")._replace(colour=1),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_named_tuples_are_used_as_those_of_typing(use):
    assert use(Ours) == use(Theirs)


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
@pytest.mark.parametrize("kind", [Ours, Theirs])
def test_named_tuples_refuse_what_those_of_typing_refuse(kind, misuse):
    with pytest.raises((TypeError, ValueError)):
        misuse(kind)


def test_a_value_cannot_be_changed():
    with pytest.raises(AttributeError):
        Ours("a").size = 1
    with pytest.raises(AttributeError):
        Ours("a").colour = 1


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copy_is_of_the_same_kind(again):
    assert type(again(Ours("a"))) is Ours


def test_a_property_is_kept():
    assert Ours("a", 4).double == 8


def test_an_expression_is_compiled_when_it_is_first_used():
    digits = pattern("[0-9]+")
    assert "match" not in vars(digits)
    assert digits.findall("1 22") == re.compile("[0-9]+").findall("1 22")
    assert digits.fullmatch("12")[0] == "12"
    with pytest.raises(re.error):
        pattern("(").match("")
