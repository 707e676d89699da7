"""What asimi wrote comes back as it was; of anything else it says which field is wrong, and never breaks."""

import json

import pytest
from helpers.questions import question_of

from asimi.core.call import Approval, Question, Verdict
from asimi.core.json_values import Invalid, dumps, loads, parse_as, plain
from asimi.core.judging.rules import rule_of
from asimi.world.executors.jobs import CallRecord

APPROVAL = Approval(yes=True, by="terminal", scope="session", rules=(rule_of("run_shell_command(ls)", Verdict.ALLOW),))
VALUES = {
    "an approval": (Approval, APPROVAL),
    "a question": (Question, question_of("ls")),
    "a call": (CallRecord, CallRecord("1", "execute_command", "ls", ("-l",), "/", 1.5, 2, 3, 4, ((5, 6),), None)),
}
OTHERS = [None, True, -1, 0, 2.5, 10**400, "x", [], [None], {}, {"x": 1}]


def places(value, path=()):
    """Where a value holds others."""
    yield path
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*path, key))


def changed(value, path, other):
    """A value with another one at a place."""
    if not path:
        return other
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], other)
    return copy


@pytest.mark.parametrize(("kind", "value"), VALUES.values(), ids=VALUES)
def test_a_value_comes_back_as_it_was(kind, value):
    assert parse_as(kind, loads(dumps(value, 1), 1)) == value


@pytest.mark.parametrize(("kind", "value"), VALUES.values(), ids=VALUES)
def test_whatever_stands_in_a_field_is_the_value_or_is_refused_in_words(kind, value):
    there = plain(value)
    faults = []
    for path in places(there):
        for other in OTHERS:
            try:
                parse_as(kind, changed(there, path, other))
            except Invalid as fault:
                faults.append(str(fault))
    assert len(faults) > 100
    assert not [fault for fault in faults if "_" in fault.partition(" ")[2].replace("asimi does not write", "")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not valid JSON"),
        (b"\xff", "it is not UTF-8"),
        (b"[]", "it is not a JSON object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"version": 1, "version": 1}', "twice"),
        (b'{"version": 1, "x": NaN}', "NaN is not a number"),
        (b'{"version": 1, "x": ' + b"1" * 5000 + b"}", "cannot be read"),
        (b"{}", "it has no version"),
        (b'{"version": 2}', "it has version 2, a newer asimi's"),
    ],
)
def test_what_is_no_file_of_ours_is_refused_in_words(content, words):
    with pytest.raises(Invalid, match=words):
        loads(content, 1)


@pytest.mark.parametrize(
    ("field", "other", "words"),
    [
        ("yes", 1, "yes is not true or false"),
        ("by", 1, "by is not a string"),
        ("seconds", 10**400, "seconds is too large"),
        ("seconds", 1e999, "seconds is too large"),
        ("scope", "ever", "scope is not one of once, session, task, project, always"),
        ("x", 1, "it has a field 'x', which asimi does not write"),
        ("rules", [{}], "rules[0] has no field"),
    ],
)
def test_the_words_name_the_field(field, other, words):
    with pytest.raises(Invalid) as fault:
        parse_as(Approval, json.loads(json.dumps(plain(APPROVAL))) | {field: other})
    assert str(fault.value).startswith(words)


def test_a_file_of_a_newer_version_is_kept_for_it():
    with pytest.raises(Invalid) as newer:
        loads(b'{"version": 2}', 1)
    with pytest.raises(Invalid) as broken:
        loads(b"{}", 1)
    assert (newer.value.advice, broken.value.advice) == ("upgrade asimi", "remove it")
