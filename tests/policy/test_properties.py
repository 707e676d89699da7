"""What holds of every verdict, whatever the text and the lists."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import entry_of, rule_of
from asimi.core.reading.requests import LONGEST_REMEMBERED, REMEMBERED

HERE = Place("/project", "/project", inside=True)
PROGRAMS = ("git", "ls", "rm", "sudo", "env", "echo", "bash", "find", "npm")
FRAGMENTS = (
    *PROGRAMS, "push", "-c", "-C", "x", "'a b'", '"$x"', "$y", "> f", "2>&1", "< f", "A=1", "PATH=.", "| ", "&& ",
    "; ", "& ", "\n", "( ", ") ", "{ ", "; }", "if ", "; then ", "; fi", "-exec", "\\;", "{}", "-delete", "'rm z'",
    "eval", "xargs", "[[ ", " ]]", "((", "))", "*", "~", "# c", "<<E\nq\nE\n",
)  # fmt: skip

texts = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map(" ".join)
anything = st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("utf-8", "surrogateescape"))
words = st.lists(st.sampled_from((*PROGRAMS, "push", "-c", "x")), min_size=1, max_size=3).map(tuple)
rules = st.lists(st.tuples(words, st.sampled_from(list(Verdict))), max_size=5)


def policy(listed):
    return Policy([rule_of(entry_of("run_shell_command", entry), verdict) for entry, verdict in listed])


def decide(text, listed=()):
    return policy(listed).decide(Request("run_shell_command", text, None, HERE))


@given(texts, rules, words, st.sampled_from([Verdict.ASK, Verdict.DENY]))
def test_a_rule_that_does_not_allow_never_makes_a_verdict_laxer(text, listed, entry, verdict):
    assert decide(text, [*listed, (entry, verdict)]).verdict >= decide(text, listed).verdict


@given(texts, rules, words)
def test_a_rule_that_allows_never_makes_a_verdict_stricter(text, listed, entry):
    # A name that an entry lists must not be rebound: there alone one more entry asks.
    laxer = decide(text, [*listed, (entry, Verdict.ALLOW)])
    if "rebinding" not in {reason.code for reason in laxer.reasons}:
        assert laxer.verdict <= decide(text, listed).verdict


@given(texts, rules, st.randoms(use_true_random=False))
def test_the_order_of_rules_changes_nothing(text, listed, dice):
    shuffled = list(listed)
    dice.shuffle(shuffled)
    assert decide(text, shuffled).verdict is decide(text, listed).verdict


@given(texts, rules)
def test_a_verdict_is_never_below_any_of_its_commands(text, listed):
    decision = decide(text, listed)
    assert all(decision.verdict >= part.verdict for part in decision.parts)


@given(texts, rules)
def test_every_verdict_has_a_reason(text, listed):
    assert decide(text, listed).reasons


@settings(max_examples=500)
@given(anything)
def test_random_bytes_never_crash_and_are_never_allowed_by_an_entry(text):
    assert decide(text, [(("no-such-program",), Verdict.ALLOW)]).verdict is not Verdict.ALLOW


@given(st.text(string.printable, min_size=1, max_size=20))
def test_an_entry_for_a_word_allows_that_word_alone(word):
    from asimi.core.syntax import quote

    listed = [((word,), Verdict.ALLOW)]
    decision = decide(quote(word), listed)
    assert decision.verdict is Verdict.ALLOW or decision.reasons[0].code in {
        "escape",
        "dynamic",
        "rebinding",
        "code",
    }


@given(texts, rules)
def test_the_offers_of_a_question_answer_it(text, listed):
    request = Request("run_shell_command", text, None, HERE)
    policy_ = policy(listed)
    decision = policy_.decide(request)
    for offer in decision.offers:
        assert policy_.decide(request, offer.rules).verdict is Verdict.ALLOW, offer


OUTSIDE = Place("/elsewhere", "/project", inside=False)
requests = st.builds(
    Request,
    st.just("run_shell_command"),
    texts,
    st.sampled_from([None, (), ("-c",)]),
    st.sampled_from([HERE, OUTSIDE]),
    st.sampled_from(["bash", "plain", "cmd"]),
)


@given(st.lists(requests, max_size=8), rules)
def test_a_policy_that_has_seen_much_decides_as_a_fresh_one(seen, listed):
    experienced = policy(listed)
    for request in (*seen, *seen):
        if request.command or request.arguments is None:
            assert experienced.decide(request) == policy(listed).decide(request)


def test_what_a_policy_remembers_has_a_bound():
    one = policy([])
    for number in range(REMEMBERED * 3):
        one.decide(Request("run_shell_command", f"echo {number}", None, HERE))
        one.decide(Request("run_shell_command", f"echo {number}".ljust(LONGEST_REMEMBERED + 1), None, HERE))
    remembered = list(one.readings.remembered)
    assert 0 < len(remembered) <= REMEMBERED
    assert max(len(text) for text, *_ in remembered) <= LONGEST_REMEMBERED
