"""What a start takes in place of Python's library does what that does."""

from __future__ import annotations

import copy
import enum
import fnmatch
import functools
import json
import marshal
import pickle
import re
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import asimi
from asimi.core import startup, wire
from asimi.core.reading.dialects import _CMD
from asimi.core.startup import FEW, IntEnum, NamedTuple, escape, fnmatchcase

ROOT = Path(asimi.__file__).parent.parent


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


class Many(NamedTuple):
    """A kind of which there are so many values that its constructor is compiled."""

    kind: str
    size: int = 3
    rest: tuple[str, ...] = ()


for _ in range(FEW):
    Many("a")


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("kind", [Ours, Many])
def test_named_tuples_are_used_as_those_of_typing(kind, use):
    assert use(kind) == use(Theirs)


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
@pytest.mark.parametrize("kind", [Ours, Many, Theirs])
def test_named_tuples_refuse_what_those_of_typing_refuse(kind, misuse):
    with pytest.raises((TypeError, ValueError)):
        misuse(kind)


def test_the_constructor_is_compiled_once_there_are_many():
    Ours("a")
    assert Many.__new__.__name__ == "<lambda>" != Ours.__new__.__name__


def test_a_value_cannot_be_changed():
    with pytest.raises(AttributeError):
        Ours("a").size = 1
    with pytest.raises(AttributeError):
        Ours("a").colour = 1


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
@pytest.mark.parametrize("kind", [Ours, Many])
def test_a_copy_is_of_the_same_kind(kind, again):
    assert type(again(kind("a"))) is kind


def test_a_property_is_kept():
    assert Ours("a", 4).double == 8


class Colour(IntEnum):
    """A number with a name."""

    RED = 1
    BLUE = 3

    @property
    def word(self):
        return self.name.lower()


class Original(enum.IntEnum):
    """A number with a name."""

    RED = 1
    BLUE = 3

    @property
    def word(self):
        return self.name.lower()


NUMBERS = {
    "members": lambda kind: [(each.name, each.value, int(each), each.word) for each in kind],
    "by value": lambda kind: kind(3).name,
    "by name": lambda kind: kind["BLUE"].value,
    "one of each": lambda kind: kind(1) is kind.RED and kind["RED"] is kind.RED,
    "as text": lambda kind: [str(kind.RED), f"{kind.RED}", f"{kind.RED:02}"],
    "shown": lambda kind: repr(kind.RED).partition(".")[2],
    "order": lambda kind: max(kind) is kind.BLUE and kind.RED < 2 < kind.BLUE,
    "hash": lambda kind: {kind.RED: "a"}[1],
    "copied": lambda kind: copy.deepcopy(kind.RED) is kind.RED and pickle.loads(pickle.dumps(kind.RED)) is kind.RED,
    "JSON": lambda kind: json.dumps({"a": kind.RED}),
    "how many": len,
    "backwards": lambda kind: [each.name for each in reversed(kind)],
    "among them": lambda kind: [kind.RED in kind, kind.BLUE in [*kind]],
    "all names": lambda kind: list(kind.__members__),
}
NO_NUMBERS = {
    "unknown value": (ValueError, lambda kind: kind(2)),
    "unknown name": (KeyError, lambda kind: kind["GREEN"]),
    "changed": (AttributeError, lambda kind: setattr(kind, "RED", 2)),
    "value changed": (AttributeError, lambda kind: setattr(kind.RED, "value", 2)),
}


@pytest.mark.parametrize("use", NUMBERS.values(), ids=NUMBERS)
def test_numbers_with_names_are_used_alike(use):
    assert use(Colour) == use(Original)


@pytest.mark.parametrize(("error", "misuse"), NO_NUMBERS.values(), ids=NO_NUMBERS)
@pytest.mark.parametrize("kind", [Colour, Original])
def test_numbers_with_names_refuse_alike(kind, error, misuse):
    with pytest.raises(error):
        misuse(kind)


def test_a_text_is_escaped_alike():
    every = "".join(map(chr, range(0x300)))
    assert escape(every) == re.escape(every)
    assert escape(bytes(range(256))) == re.escape(bytes(range(256)))


@given(st.text("ab*.?[]", max_size=8), st.text("ab.*", max_size=8))
def test_a_name_fits_a_shape_alike(shape, name):
    assert fnmatchcase(name, shape) == fnmatch.fnmatchcase(name, shape)


@pytest.mark.parametrize(
    "text", ["", "x", "{", '{"a"', '{"a": 1,}', '"a', "[1", '"\\x"', "01", "1 2", '{"a": 1, "a": 2}']
)
def test_the_first_json_may_be_broken(text):
    """Then nothing has imported `json` before."""
    code = f"""
import sys
from asimi.core import wire
assert "json" not in sys.modules
try:
    wire.loads({text!r})
except wire.Malformed as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "JSON" in done.stdout


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=3), each, max_size=4),
)


@given(VALUES)
def test_json_is_written_and_read_alike(value):
    text = wire.dumps(value)
    assert text == json.dumps(value, allow_nan=False)
    assert wire.loads(f" \n{text}\t") == json.loads(text)
    assert wire.encoder(compact=True, by_name=True)(value) == json.dumps(value, separators=(",", ":"), sort_keys=True)


@given(st.text('{}[]":,truefalsn01.eE-+ \\n', max_size=12))
def test_what_is_no_json_is_refused_alike(text):
    try:
        meant = json.loads(text, parse_constant=int)
    except ValueError:
        meant = ...
    try:
        given = wire.loads(text)
    except wire.Malformed:
        given = ...
    twice = given is ... and meant is not ... and text.count('"') > 2  # a key that is there twice
    assert twice or given == meant


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A copy of the package with the expressions of this Python, for processes of their own."""
    place = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT / "asimi", place / "asimi", ignore=shutil.ignore_patterns("__pycache__", "expressions"))
    shutil.copytree(ROOT / "packaging", place / "packaging")
    subprocess.run([sys.executable, place / "packaging" / "expressions.py"], check=True, capture_output=True)
    return place


CHECK = """
import sys
from asimi.core import startup
made = startup._compile(*eval(sys.argv[1]))
print("re" in sys.modules, made.flags, made.groups)
"""


def compiled(place, *expression):
    words = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path.insert(0, {str(place)!r}); {CHECK}",
        repr(expression),
    ]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_each_expression_is_what_re_would_make_of_it(built):
    code = (
        f"import sys; sys.path[:0] = [{str(built)!r}, {str(built / 'packaging')!r}]; import expressions, re;"
        "from asimi.core import startup; named = expressions.named(); assert len(named) > 150;"
        "assert all(startup._compile(*each) == re.compile(*each) for each in named);"
        "assert len(startup._ready) == len(named) + 1"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_same_python_writes_the_same_expressions(built):
    (path,) = (built / "asimi" / "core" / "expressions").iterdir()
    before = path.read_bytes()
    subprocess.run([sys.executable, built / "packaging" / "expressions.py"], check=True, capture_output=True)
    assert path.read_bytes() == before


def test_an_expression_that_is_ready_needs_no_re(built):
    assert compiled(built, r"[ \t]+", 0).stdout.startswith("True")  # nobody named this one
    done = compiled(built, _CMD._text, int(_CMD._flags))
    assert done.stdout.split() == ["False", str(re.compile(_CMD._text, _CMD._flags).flags), "0"], done.stderr


@pytest.mark.parametrize("damage", ["short", "sum", "index", "code", "empty", "length"])
def test_a_damaged_file_of_expressions_is_an_error(built, tmp_path, damage):
    place = shutil.copytree(built, tmp_path / "damaged")
    (path,) = (place / "asimi" / "core" / "expressions").iterdir()
    content = bytearray(path.read_bytes())
    at = {"sum": 2, "index": 60, "length": 6, "code": len(content) - 1}.get(damage)
    if at is not None:
        content[at] ^= 1
    path.write_bytes({"short": content[:1000], "empty": b""}.get(damage, bytes(content)))
    whole = built.joinpath("asimi/core/expressions", path.name).read_bytes()
    end = 8 + int.from_bytes(whole[4:8], "big")
    start = max(marshal.loads(whole[8:end]).values())[0]  # of the last expression
    which, *_ = marshal.loads(whole[end + start :])
    done = compiled(place, *which)
    assert "install asimi again" in done.stderr
    assert done.returncode == 1


def test_without_its_expressions_asimi_compiles_them(built, tmp_path):
    place = shutil.copytree(built, tmp_path / "without")
    shutil.rmtree(place / "asimi" / "core" / "expressions")
    assert compiled(place, _CMD._text, int(_CMD._flags)).stdout.split()[0] == "True"


KEEPERS = {
    "cache": lambda module, function: module.cache(function),
    "lru_cache": lambda module, function: module.lru_cache(maxsize=2)(function),
}


@pytest.mark.parametrize("keeper", KEEPERS)
@pytest.mark.parametrize("module", [functools, startup])
def test_what_a_function_returned_is_kept(keeper, module):
    asked = []

    def double(number, *, more=0):
        """Twice a number."""
        asked.append(number)
        return 2 * number + more

    kept = KEEPERS[keeper](module, double)
    assert [kept(each) for each in (1, 2, 1, 2, 3, 1)] == [2, 4, 2, 4, 6, 2]
    assert asked == ([1, 2, 3] if keeper == "cache" else [1, 2, 3, 1])
    assert kept(1, more=1) == 3
    hits, misses, most, held = kept.cache_info()
    assert (hits, misses) == (6 - len(asked) + 1, len(asked))
    assert (most, held) == ((None, 4) if keeper == "cache" else (2, 2))
    assert (kept.__name__, kept.__doc__, kept.__module__) == ("double", "Twice a number.", __name__)
    assert kept.__wrapped__ is double
    kept.cache_clear()
    assert kept.cache_info().currsize == 0


@pytest.mark.parametrize("module", [functools, startup])
def test_a_property_is_found_once_for_each_object(module):
    asked = []

    class Owner:
        @module.cached_property
        def found(self):
            """What is found."""
            asked.append(self)
            return len(asked)

    one, other = Owner(), Owner()
    assert [one.found, other.found, one.found, other.found] == [1, 2, 1, 2]
    assert asked == [one, other]
    assert Owner.found.__doc__ == "What is found."
    del one.found
    assert one.found == 3
