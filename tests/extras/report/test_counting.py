"""What a log comes to: each number is a fact about some calls."""

import pytest

from asimi.extras.report.counting import ENDS, MOST, asked_about, end_of, outcome_of, report_of

UNLISTED = [{"code": "unlisted", "message": "`npm install left-pad` is not on coreTools"}]


def call(event="start", verdict="allow", by="policy", yes=True, seconds=0.0, day=1, **more):
    """A call as the log has it."""
    return {
        "time": f"2026-03-{day:02}T12:00:00.000Z", "event": event, "id": "x", "session": "", "agent": "cli",
        "command": "npm install left-pad", "root": "/srv/app", "verdict": verdict, "reasons": UNLISTED,
        "approval": {"yes": yes, "by": by, "seconds": seconds},
    } | more  # fmt: skip


YES = call(verdict="ask", by="terminal", seconds=4.0, end={"exit": 0})
NO = call("refusal", "ask", "queue", yes=False, seconds=8.0)
PASSED = call("passed", "ask", approval=None)
OBSERVED = call("observed", "ask", approval=None, end={"outcome": "ran"})
DENIED = call("refusal", "deny", approval=None)
FREE = call(end={"exit": 1})


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        (FREE, "free"), (YES, "yes"), (NO, "no"), (PASSED, "passed"), (OBSERVED, "observed"), (DENIED, "refused"),
        (call("refusal", "ask", "nobody", yes=False), "no"), (call("refusal", "allow"), "refused"),
        ({"event": "refusal"}, "refused"), (call(verdict="ask", by="flag"), "yes"),
    ],
)  # fmt: skip
def test_what_becomes_of_a_call(fields, outcome):
    assert outcome_of(fields) == outcome


@pytest.mark.parametrize(
    ("end", "word"),
    [
        (None, "not known"), ({"exit": 0}, "succeeded"), ({"exit": 3}, "failed"), ({"signal": 9}, "killed"),
        ({"exit": None, "timed_out": True, "signal": 15}, "timed out"), ({"failure": "no"}, "not started"),
        ({"outcome": "ran"}, "succeeded"), ({"outcome": "other"}, "not known"), ({"interrupted": True}, "not known"),
    ],
)  # fmt: skip
def test_how_what_ran_ended(end, word):
    assert end_of(call() if end is None else call(end=end)) == word


def test_a_report_counts_each_call_once():
    report = report_of([FREE, YES, NO, PASSED, DENIED])
    assert report.whole[1:] == (5, 1, 1, 1, 1, 0, 1, 12.0)
    assert dict(zip(ENDS, report.ended, strict=True)) == dict.fromkeys(ENDS, 0) | {"succeeded": 1, "failed": 1}
    assert [share[:2] for share in report.agents] == [("cli", 5)]
    assert [share[:2] for share in report.projects] == [("/srv/app", 5)]


def test_what_a_task_allowed_is_counted_for_it_and_a_proposal_allows_nothing():
    ran = FREE | {"reasons": [{"code": "allowed_by_session", "source": "task 1f2a3b: fix the login"}]}
    proposed = {"time": "2026-03-01T12:00:00.000Z", "event": "change", "what": "task proposed", "n": 1}
    report = report_of([ran, ran, FREE, proposed])
    assert [share[:2] for share in report.tasks] == [("task 1f2a3b: fix the login", 2)]
    assert report.changes == 0


def test_what_was_only_observed_was_not_asked_about():
    report = report_of([OBSERVED, OBSERVED, OBSERVED | {"verdict": "allow"}])
    assert (report.whole.observed, report.agents[0].asked, report.asked) == (3, 0, ())
    assert [(share.name, share.calls) for share in report.would_ask] == [("npm install", 2)]
    assert dict(zip(ENDS, report.ended, strict=True))["succeeded"] == 3


def test_a_report_does_not_depend_on_the_order():
    calls = [FREE, YES, NO, call(day=2, agent="codex"), {"event": "change", "what": "trust", "time": "2026"}]
    assert report_of(calls) == report_of(calls[::-1])


def test_who_answered_and_after_how_long():
    report = report_of([YES, NO, call(verdict="ask", by="terminal", seconds=6.0), call(verdict="ask", by="flag")])
    assert [tuple(each) for each in report.answers] == [
        ("terminal", 2, 0, 4.0), ("flag", 1, 0, 0.0), ("queue", 0, 1, 8.0),
    ]  # fmt: skip
    assert report.waits[:5] == (3, 6.0, 8.0, 8.0, 18.0)  # nobody waits for --yes
    assert report.waits.steps == (0, 1, 2, 0, 0, 0)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npm install left-pad", "npm install"), ("npm run build -- -v", "npm run build"), ("git -C x push", "git"),
        ("/usr/bin/python3 x.py", "python3"), ("A=1 B=2 make test", "make test"), ("frobnicate all", "frobnicate"),
        ("x" * 999, "x" * 120), ("", ""), ("A=1", "A=1"),
    ],
)  # fmt: skip
def test_a_command_is_named_by_the_words_that_say_what_it_does(command, name):
    assert asked_about({"event": "start", "command": command}) == {name}


def test_a_call_was_asked_about_the_commands_that_its_reasons_name():
    reasons = [*UNLISTED, {"code": "unlisted", "message": "`git push` is not on coreTools"}]
    assert asked_about(YES | {"command": "cd x; git push", "reasons": reasons}) == {"npm install", "git push"}
    reasons = [{"code": "redirection", "message": "`> x` writes a file"}]
    assert asked_about(YES | {"command": "echo a > x", "reasons": reasons}) == {"echo"}


def test_a_change_that_failed_is_none():
    made = {"event": "change", "what": "policy add", "entry": "x", "time": "2026-01-01", "n": 1}
    tried = {"event": "change", "what": "policy remove", "entry": "y", "time": "2026-01-02", "n": 2}
    failed = tried | {"what": "policy remove failed", "n": 3}
    report = report_of([failed, tried, made])
    assert (report.changes, report.latest) == (1, (made,))


def test_probes_and_changes_are_no_calls():
    probe = FREE | {"session": "asimi-doctor"}
    changes = [{"event": "change", "what": "trust", "time": f"2026-01-{day:02}"} for day in range(1, 29)] * 9
    report = report_of([probe, *changes])
    assert (report.whole.calls, report.probes, report.changes) == (0, 1, 252)
    assert [each["time"] for each in report.latest] == sorted(each["time"] for each in changes)[:-21:-1]


def test_an_empty_log_is_a_report_too():
    report = report_of([])
    assert (report.first, report.whole.calls, report.days, report.waits.median) == ("", 0, (), 0.0)


def test_of_more_names_than_are_told_apart_the_rest_is_counted_together():
    report = report_of(call(agent=f"agent {number}") for number in range(MOST + 7))
    assert (len(report.agents), report.agents[0][:2]) == (MOST + 1, ("", 7))


def test_a_sandbox_and_what_is_refused_beneath_a_call_are_counted():
    report = report_of([FREE | {"sandbox": "project"}, FREE | {"refused": [{}, {}]}])
    assert (report.sandboxed, report.beneath) == (1, 2)
