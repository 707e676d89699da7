"""Patterns of files, and which paths they are for."""

import pytest

from asimi.core.judging.patterns import Patterns, overlap
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
    assert Patterns([pattern], ROOT, HOME).matched(path) is expected


def test_a_later_pattern_takes_back_what_an_earlier_one_matches():
    patterns = Patterns(["/**/.env.*", "!/**/.env.example"], ROOT, HOME)
    assert patterns.matched(f"{ROOT}/.env.local")
    assert not patterns.matched(f"{ROOT}/.env.example")
    assert patterns.matched(f"{ROOT}/.env.{SOME}")


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
