"""Patterns of files, and which paths they are for."""

import random
import re

import pytest

from asimi.core.judging.patterns import Patterns, absolute, overlap
from asimi.core.reading.shapes import ANY, ONE, SOME

ROOT, HOME = "/home/me/project", "/home/me"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        (".", ROOT, True),
        (".", f"{ROOT}/x", False),
        ("**", f"{ROOT}/x/y", True),
        ("**", ROOT, True),
        ("**", HOME, False),
        ("src/**", f"{ROOT}/src/a/b", True),
        ("src/**", f"{ROOT}/src", True),
        ("src/**", f"{ROOT}/srcs/a", False),
        ("src/*", f"{ROOT}/src/a", True),
        ("src/*", f"{ROOT}/src/a/b", False),
        ("**/*.pem", f"{ROOT}/a/b/key.pem", True),
        ("**/*.pem", f"{ROOT}/key.pem", True),
        ("**/*.pem", f"{HOME}/key.pem", False),
        ("/**/.env", f"{HOME}/x/.env", True),
        ("/**/.env", "/.env", True),
        ("~/.ssh/**", f"{HOME}/.ssh/id_rsa", True),
        ("~/.ssh/**", f"{HOME}/.ssh", True),
        ("~", HOME, True),
        ("/etc/shadow", "/etc/shadow", True),
        ("/etc/shadow", "/etc/shadow-", False),
        ("/**/.env*", f"{ROOT}/.en{SOME}", True),
        ("/**/.env", f"{ROOT}/{SOME}", False),
        ("/**/id_rsa", f"{ROOT}/{SOME}", True),
        ("/**/.env", f"{ROOT}/.e{ONE}v", True),
        ("/**/.env", f"{ROOT}/e{SOME}", False),
        ("~/.ssh/**", f"{HOME}/.s{ANY}", True),
        ("~/.ssh/**", f"{HOME}/{ANY}", True),
        ("~/.ssh/**", f"{HOME}/x{ANY}", False),
        ("~/.ssh/**", f"{ANY}/id_rsa", True),
    ],
)
def test_a_pattern_is_for_a_path(pattern, path, expected):
    assert Patterns([pattern], ROOT, HOME).matches(path) is expected


NAMES = ("a", "b", "ab", ".a", "home", "me", "project", "ba", ".ab")
PIECES = ("**", "**", "*", "a*", "*b", "*a*", ".*", "a", "b", ".a", "ab")
STARTS = ("", "/", "~/", "/**/", "/home/")


def some_patterns(chance):
    """A few patterns of all forms, `**` never twice in a row."""
    wanted = range(chance.randint(1, 12))
    found = [chance.choice(STARTS) + "/".join(chance.choices(PIECES, k=chance.randint(1, 4))) for _ in wanted]
    return [each for each in found if "**/**" not in each]


def some_path(chance):
    """A path that may be near to the project."""
    return chance.choice(["", HOME, ROOT, "/home"]) + "".join(f"/{each}" for each in chance.choices(NAMES, k=3))


def is_for(pattern, path):
    """Whether a pattern is for a path, by a regular expression."""
    parts = (each for each in absolute(pattern, ROOT, HOME).split("/") if each)
    text = "".join("(?:/[^/]+)*" if each == "**" else "/" + re.escape(each).replace(r"\*", "[^/]*") for each in parts)
    return re.fullmatch(text, path) is not None


@pytest.mark.parametrize("seed", range(40))
def test_patterns_are_for_what_one_of_them_is_for(seed):
    chance = random.Random(seed)
    for _ in range(60):
        patterns, path = some_patterns(chance), some_path(chance)
        expected = any(is_for(each, path) for each in patterns)
        assert Patterns(patterns, ROOT, HOME).matches(path) is expected, (patterns, path)


@pytest.mark.parametrize("seed", range(40))
def test_a_path_with_marks_matches_if_what_it_may_become_does(seed):
    """What stands for a star of a glob begins no hidden name; what only bash can know may hold slashes."""
    chance = random.Random(seed)
    for _ in range(60):
        patterns, path = some_patterns(chance), some_path(chance)
        if not any(is_for(each, path) for each in patterns):
            continue
        start = chance.randrange(1, len(path))
        end = chance.randrange(start, len(path) + 1)
        gone = path[start:end]
        hidden = path[start - 1] == "/" and gone[:1] in {".", ""}
        marks = [ANY] if "/" in gone or hidden else [ANY, SOME, ONE] if len(gone) == 1 else [ANY, SOME]
        shape = path[:start] + chance.choice(marks) + path[end:]
        assert Patterns(patterns, ROOT, HOME).matches(shape), (patterns, path, shape)


def test_a_later_pattern_takes_back_what_an_earlier_one_matches():
    patterns = Patterns(["/**/.env.*", "!/**/.env.example"], ROOT, HOME)
    assert patterns.matches(f"{ROOT}/.env.local")
    assert not patterns.matches(f"{ROOT}/.env.example")
    assert patterns.matches(f"{ROOT}/.env.{SOME}")


def test_what_is_below_a_path_is_all_matched_or_not():
    assert Patterns(["**"], ROOT, HOME).all_below(f"{ROOT}/x")
    assert not Patterns(["*"], ROOT, HOME).all_below(f"{ROOT}/x")
    assert not Patterns(["src/**"], ROOT, HOME).all_below(ROOT)


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("a", "a", True),
        ("a", "*", True),
        ("", "*", True),
        ("ab", "a", False),
        (SOME, "x*y", True),
        (f"a{SOME}", "*b", True),
        (f"a{SOME}", "b*", False),
        (f"{SOME}a", "*b", False),
        (f"{ONE}{ONE}", "a", False),
        (f"{ONE}", "a", True),
        (f"{ONE}", "*", True),
    ],
)
def test_overlap(name, pattern, expected):
    assert overlap(name, pattern) is expected
