"""What becomes of a verdict where a box around the agent holds what it starts (`asimi wrap`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.home import Home
from hypothesis import given
from hypothesis import strategies as st

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.in_box import ANSWERED
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import entry_of, rule_of

CONFIG = """\
coreTools = ["run_shell_command(ls)", "run_shell_command(git ls-remote)"]
excludeTools = ["run_shell_command(cargo run)"]
ask = ["run_shell_command(go build)"]
"""

ROWS = [
    tuple(line.split(" ", 2))
    for line in Path(__file__).with_name("in_box.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]

PROGRAMS = ("git", "ls", "rm", "sudo", "env", "bash", "find", "make")
FRAGMENTS = (
    *PROGRAMS, "push", "-c", "x", "'a b'", '"$x"', "$y", "> f", "A=1", "PATH=.", "| ", "&& ", "; ", "\n", "( ", ") ",
    "{ ", "; }", "f() ", "-exec", "\\;", "-delete", "'rm z'", "eval", "xargs", "$(", "`",
)  # fmt: skip
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=10).map(" ".join)
entries = st.lists(st.sampled_from((*PROGRAMS, "push", "-c")), min_size=1, max_size=2).map(tuple)
lists = st.lists(st.tuples(entries, st.sampled_from(list(Verdict))), max_size=4)

PLACE = Place("/project", "/project", inside=True)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("in-box"), CONFIG)
    (home.root / ".git" / "hooks").mkdir(parents=True)
    (home.root / ".env").write_text("KEY=x")
    return home


@pytest.fixture(scope="module")
def judged(home):
    table = home.root.parent / "table.jsonl"
    table.write_text("".join(json.dumps({"id": at, "command": text}) + "\n" for at, (_, _, text) in enumerate(ROWS)))
    done = home.asimi("policy", "test", "--in-box", "--json", str(table))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("at", range(len(ROWS)), ids=[row[2] for row in ROWS])
def test_what_becomes_of_a_text_in_a_box(judged, at):
    verdict, code, _ = ROWS[at]
    found = judged[at]
    assert (found["verdict"], found["reasons"][0]["code"], found["box"]) == (verdict, code, True)


def test_a_box_makes_no_verdict_laxer_for_what_is_no_boxs_to_answer(judged, home):
    table = home.root.parent / "table.jsonl"
    done = home.asimi("policy", "test", "--json", str(table))
    for line, boxed in zip(done.stdout.splitlines(), judged, strict=True):
        plain = json.loads(line)
        behind = {reason["code"] for reason in plain["reasons"]} - {"substitution", "sandbox"}
        if plain["verdict"] != "allow" and not behind <= ANSWERED:
            assert boxed["verdict"] != "allow", boxed


def test_check_says_the_same_of_one_text(home):
    held = home.asimi("check", "--in-box", "make")
    assert (held.returncode, held.stdout.splitlines()[0]) == (0, "allow")
    assert "held: `make` is not on coreTools; the box holds it" in held.stdout
    said = home.asimi("check", "--in-box", "git push", "--json")
    assert (said.returncode, json.loads(said.stdout)["box"]) == (1, True)
    assert json.loads(said.stdout)["reasons"][0]["message"] == (
        "`git push` needs a remote with a login of yours, which a box does not have"
    )
    assert "box" not in json.loads(home.asimi("check", "make", "--json").stdout)
    both = home.asimi("--host", "gpu", "check", "--in-box", "make")
    assert (both.returncode, "do not go together" in both.stderr) == (125, True)


TOUCHED = """
read  a.txt                  allow allowed_by_rule
read  .env                   ask   secret
write a.txt                  allow allowed_by_rule
write .env                   ask   secret
write ~/.bashrc              allow held
write .git/hooks/pre-commit  allow held
write .claude/settings.json  ask   protected
write vault/x                deny  denied_by_rule
write /dev/sda               ask   floor
"""


@pytest.mark.parametrize("row", TOUCHED.strip().splitlines())
def test_check_says_what_becomes_of_a_file(home, row):
    does, path, verdict, code = row.split()
    words = ["check", "--in-box", f"--{does}", path, "--json"]
    home.config.write_text(f'{CONFIG}[files]\ndeny = ["vault/*"]\n')
    said = json.loads(home.asimi(*words).stdout)
    assert (said["verdict"], said["reasons"][0]["code"], said["box"]) == (verdict, code, True)


def test_what_a_box_holds_is_not_offered_and_what_it_lacks_is_not_stored():
    decision = decide("rm f && git push", [])
    assert {reason.code for reason in decision.reasons} == {"unboxed", "unlisted"}
    assert (decision.offers, decision.needed) == ((), ())
    assert [part.verdict.word for part in decide("make && rm f", []).parts] == ["allow", "ask"]


def decide(text, listed, *, boxed=True):
    rules = [rule_of(entry_of("run_shell_command", words), verdict) for words, verdict in listed]
    terms = Terms(substitution="judge", behind=True, boxed=boxed)
    return Policy(rules, terms).decide(Request("run_shell_command", text, None, PLACE))


@given(texts, lists)
def test_a_written_deny_or_ask_stays_what_it_is(text, listed):
    without, boxed = decide(text, listed, boxed=False), decide(text, listed)
    if {reason.code for reason in without.reasons} & {"denied_by_rule", "ask_by_rule"}:
        assert boxed.verdict >= without.verdict
    if boxed.verdict < without.verdict:
        assert {reason.code for reason in without.reasons} <= ANSWERED


@given(texts, lists, entries, st.sampled_from([Verdict.ASK, Verdict.DENY]))
def test_a_rule_that_does_not_allow_never_makes_it_laxer(text, listed, entry, verdict):
    assert decide(text, [*listed, (entry, verdict)]).verdict >= decide(text, listed).verdict
