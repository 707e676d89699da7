"""What is refused, with what words, and how much it may cost."""

from __future__ import annotations

import gc
import time

import pytest

from asimi.core.errors import ShellSyntaxError
from asimi.core.syntax import parse

MESSAGES = [
    ("a\nif b; then c", "`elif` or `else` or `fi` expected to close the `if` at line 2", ""),
    ("a; fi", "`fi` is not expected here", "fi"),
    ("a ;; b", "`;;` is not expected here", ";;"),
    ("echo 'a", "' expected", "'"),
    ('echo "a', '" expected', '"'),
    ("echo $(a", "`)` expected to close the `$(` at line 1", ""),
    ("echo ${a", "} expected", "{"),
    ("echo `a", "` expected", "`"),
    ("a >", "A word expected after >", ">"),
    ("f() a", "compound command", "a"),
    ("a (b)", "parenthesis", "("),
    ("for x in a; b", "`do` expected", "b"),
    ("case x a", "`in` expected", "a"),
    ("[[ a b ]]", "binary operator", "b"),
    ("a=(b;c)", "array", ";"),
    ("{ a; } b", "`b` is not expected here", "b"),
    ("( )", "is not expected here", ")"),
    ("a &&", "expected", ""),
    ("a\0b", "NUL", "\0"),
    ("a \ud800", "A lone surrogate is not text", "\ud800"),
]


@pytest.mark.parametrize(("text", "message", "marked"), MESSAGES)
def test_an_error_says_what_was_wanted_and_points_at_the_place(text, message, marked):
    with pytest.raises(ShellSyntaxError) as caught:
        parse(text)
    error = caught.value
    assert message in error.message
    assert text[error.span[0] : error.span[1]].startswith(marked)
    assert error.code == "unparsable"
    assert "^" in str(error).encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def closed(opening: str, closing: str, times: int) -> str:
    return opening * times + "a" + closing * times


NESTS = [
    ("(", ")"),
    ("{ ", ";}"),
    ("$(", ")"),
    ("$((", "))"),
    ('"$(', ')"'),
    ("${x:-", "}"),
    ('"${x:-', '}"'),
    ("<(", ")"),
    ("$[", "]"),
    ("if ", ";then a;fi"),
    ("while a;do ", ";done"),
    ("case x in a) ", ";;esac"),
    ("f() { ", ";}"),
    ("[[ a && ( ", ") ]]"),
    ("a[", "]=1"),
    ("echo $(( '$(", ")' ))"),
    ("cat <(", ")"),
    ("x=(", ")"),
    ("! ", ""),
    ("time ", ""),
    ("coproc ", ""),
    ("`", "`"),
    ("for x in a;do ", ";done"),
    ("((a)|", ")"),
    ("$(x;", ")"),
    ("${a[", "]}"),
    ("[[ a == +(", ") ]]"),
]


def deep(frames: int, text: str) -> str:
    if frames:
        return deep(frames - 1, text)
    try:
        parse(text)
    except ShellSyntaxError as error:
        return error.code
    return "read"


@pytest.mark.parametrize(("opening", "closing"), NESTS)
@pytest.mark.parametrize("times", [8, 30, 99, 101, 3000])
def test_deep_nesting_is_refused_and_never_exhausts_the_stack(opening, closing, times):
    assert deep(200, closed(opening, closing, times)) in ("read", "too_large", "unparsable")
    assert deep(200, opening * times) in ("read", "too_large", "unparsable")


@pytest.mark.parametrize(("opening", "closing"), [("( ", ")"), ("$(", ")"), ("${x:-", "}"), ("{ ", ";}")])
def test_what_people_write_is_far_from_the_depth_that_is_refused(opening, closing):
    before = "" if opening in ("( ", "{ ") else "echo "
    assert deep(0, before + closed(opening, closing, 20)) == "read"
    assert deep(0, before + closed(opening, closing, 500)) == "too_large"


def test_a_text_of_128_kib_is_too_large_counted_in_bytes():
    assert deep(0, "a" * 131_071) == "read"
    assert deep(0, "a" * 131_072) == "too_large"
    assert deep(0, "é" * 65_535) == "read"
    assert deep(0, "é" * 65_536) == "too_large"
    assert deep(0, "\udcff" * 131_071) == "read"


LONG = [
    "echo a b; ",
    "a|",
    "$((",
    "((a);",
    "`a` ",
    "cat <<E\nx\nE\n",
    "<<A ",
    "'a' ",
    '"$x" ',
    "((a=1)) ",
    "a[b]=1 ",
    "${a[",
    "{a,",
    "case x in a) b;; esac; ",
    "f(){ a; }; ",
    "\\\n",
    "# a\n",
    "\"${x:-'a'}\" ",
    "${x:-'$('} ",
    "<(a) ",
    "export a=b ",
    "${x:1:2} ",
    "[[ a == +(b) ]];",
    "x\\\n",
    '$(("',
    "((x)",
    "{x[",
    "${{ x }} ",
]


@pytest.mark.parametrize("unit", LONG)
def test_reading_takes_time_in_proportion_to_the_text(unit):
    def cost(size: int) -> float:
        text, best = (unit * (size // len(unit) + 1))[:size], 1e9
        gc.disable()  # how long it takes to collect depends on what other tests left
        try:
            for _ in range(2):
                start = time.process_time()
                deep(0, text)
                best = min(best, time.process_time() - start)
        finally:
            gc.enable()
        return best

    assert cost(52_000) < 30 * cost(5_200) + 0.1
