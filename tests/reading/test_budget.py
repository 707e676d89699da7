"""All reading of one request is paid from one budget, which counts work, not time."""

from __future__ import annotations

import sys
from itertools import repeat

import pytest

from asimi.core.budget import MOST
from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import rule_of
from asimi.core.reading import Readings

PLACE = Place("/srv", "/srv", inside=True)
POLICY = Policy([rule_of("run_shell_command", Verdict.ALLOW)])


def nested(depth, opener):
    text = "a\n"
    for level in range(depth):
        text = f"{opener} <<'E{level}'\n{text}E{level}\n"
    return text


ORDINARY = {
    "three thousand commands": "git commit -m x file.py\n" * 3000,
    "five thousand short ones": "ls a\n" * 5000,
    "as much data as a text may hold": "cat > x <<'E'\n" + "some $words (and) `more` of them\n" * 3900 + "E\n",
    "a long here-document": "cat > x <<'E'\n" + 'some $words (and) `more` "of" them\n' * 2000 + "E\n",
    "one that is expanded": "cat <<E\n" + "hello $USER, it's ${x:-fine}\n" * 1500 + "E\n",
    "a long program": "python3 - <<'E'\n" + "print('a', 1)\n" * 4000 + "E\n",
    "many files": "git add" + "".join(f" src/module_{number}/file.py" for number in range(3000)),
    "texts in texts": nested(6, "bash"),
    "texts in groups": nested(6, "{ bash; }"),
}

TOO_MUCH = {
    "commands": "a;" * 60_000,
    "a format that is used again and again": f"printf -v x '{'a' * 60_000}%s'" + " 1" * 30_000,
    "wrapped commands": "env a\n" * 20_000,
    "texts": "bash -c a\n" * 12_000,
    "substitutions": "echo " + "`a`" * 40_000,
    "texts in text": "bash -c '" + "a;" * 50_000 + "'",
    "the same in a substitution": "echo $(" + "a;" * 50_000 + ")",
    "data of parallel": "parallel x :::" + " 'bash -c a'" * 60 + " ::: " + "a;" * 20_000 + "\n" + "env a\n" * 6000,
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_what_people_write_is_not_too_large(text):
    decision = POLICY.decide(Request("run_shell_command", text, None, PLACE))
    assert "too_large" not in {reason.code for reason in decision.reasons}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much_work_is_refused_whatever_the_lists_say(text):
    decision = POLICY.decide(Request("run_shell_command", text, None, PLACE))
    assert (decision.verdict, decision.reasons[0].code) == (Verdict.DENY, "too_large")


def work(text):
    reading = Readings((), (), judge_substitutions=True).of(Request("run_shell_command", text, None, PLACE))
    return MOST - reading.left


@pytest.mark.parametrize(
    "unit", ["ls a\n", "env ls\n", "bash -c ls\n", "x=a; ls $x\n", "f() { ls; }\n", "echo $(ls)\n", "bash <<E\nls\nE\n"]
)
def test_twice_the_text_is_at_most_twice_the_work(unit):
    assert work(unit * 10) < work(unit * 400) <= 41 * work(unit * 10)


@pytest.mark.parametrize("opener", ["bash", "{ bash; }", "{ bash; bash; }", "{ bash | bash; }", "if bash; then sh; fi"])
def test_texts_in_texts_cost_no_more_than_the_budget(opener):
    try:
        assert work(nested(9, opener)) < 50_000
    except AsimiError as error:
        pytest.fail(str(error))


def calls(text):
    """How many functions are called to judge a text."""
    count = 0

    def called(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(called)
    try:
        DENYING.decide(Request("run_shell_command", text, None, PLACE))
    finally:
        sys.setprofile(None)
    return count


DENYING = Policy([*POLICY.rules, *(rule_of(f"run_shell_command({name})", Verdict.DENY) for name in ("rm", "x y"))])

LINEAR = {
    "shells with one input": lambda times: "{ " + "bash;" * times + " } <<E\na\nE\n",
    "operands that may be operators": lambda times: "test" + " $x a" * times,
    "operands of which each may be the first": lambda times: "rm" + " -r $x" * times,
    "letters of declare": lambda times: "declare" + " -aa" * times + " x=$y",
    "options of set": lambda times: "set" + " -e" * times,
    "definitions and calls of one function": lambda times: "f() { a; }\nf\n" * times,
    "unknown long options": lambda times: "git log" + "".join(f" --a{number}" for number in range(times)),
    "elements": lambda times: "x[a]=1;" * times,
    "redirections": lambda times: ">a " * times,
}


@pytest.mark.parametrize("text", LINEAR.values(), ids=LINEAR)
def test_four_times_the_text_takes_four_times_the_calls(text):
    calls(text(10))  # what is made once
    assert calls(text(400)) < 4.5 * calls(text(100))


def test_a_rule_costs_nothing_where_a_command_has_another_name():
    rules = [rule_of(f"run_shell_command(program{number} x)", Verdict.DENY) for number in range(500)]
    many, request = Policy([*POLICY.rules, *rules]), Request("run_shell_command", "ls a\n" * 1500, None, PLACE)
    assert many.decide(request).verdict is Verdict.ALLOW


def test_arguments_count_as_texts_do():
    request = Request("execute_command", "ls", tuple(repeat("a", 200_000)), PLACE)
    assert POLICY.decide(request).reasons[0].code == "too_large"
