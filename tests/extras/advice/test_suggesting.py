"""What is proposed for what a person said yes to: little, narrow, and nothing that allows what was refused."""

from __future__ import annotations

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import SHELL, Rule, rule_of
from asimi.extras.advice.proposals import Open, Suggesting

ROOT = "/srv/project"


def call(text, calls=1, root=ROOT, policy=None):
    """Equal calls that are asked about."""
    request = Request(SHELL, text, None, Place.at(root, root))
    wanting = (policy or Policy(())).unlisted_with_answers(request)
    assert wanting, f"rules would not answer {text}"
    return Open(request, False, calls, wanting)


def looked(yes, no=(), unanswered=(), policy=None):
    """The proposals and what is left, for texts with how often each came."""
    policy = policy or Policy(())
    calls = [[call(*(each if isinstance(each, tuple) else (each,))) for each in some] for some in (yes, no, unanswered)]
    return Suggesting(*calls, lambda *_: policy).proposals()


def entries(*args, **named):
    """What would be stored, by entry."""
    return [rule.entry for proposal in looked(*args, **named)[0] for rule in proposal.rules]


READS, WRITES = " that at most reads", " that at most reads or writes files"
PROPOSED = [
    (["ls", "cat a", "git log"], [f"run_shell_command{READS}"]),
    (["ls", "ls -l", "git log"], [f"run_shell_command(ls){READS}"]),
    (["git log", "git diff", "git -C sub status"], [f"run_shell_command(git){READS}"]),
    (["git log | head", "ls && git status; git diff"], [f"run_shell_command{READS}"]),
    ([("git add -A", 2)], []),
    ([("git add -A", 3)], ["exactly run_shell_command(git add -A)"]),
    (["git add a", "git add b"], [f"run_shell_command(git add){WRITES}"]),
    (
        [("git add a", 2), ("git stash push", 2), ("git tag v1", 2), "git switch -c x"],
        [f"run_shell_command(git {name}){WRITES}" for name in ("add", "stash", "tag")],
    ),
    ([("mkdir a", 2), ("mkdir b", 2)], []),
    ([("mkdir -p build", 3)], ["exactly run_shell_command(mkdir -p build)"]),
    ([("mkdir -p build && git add build", 3)], [
        "exactly run_shell_command(mkdir -p build)", "exactly run_shell_command(git add build)"
    ]),
    ([("curl https://example.org/a", 3)], ["exactly run_shell_command(curl https://example.org/a)"]),
    ([(f"curl https://example.org/{n}", 2) for n in range(30)], []),
    ([("made-up-tool sync", 3)], ["exactly run_shell_command(made-up-tool sync)"]),
    ([("python3 -c 'print(1)'", 30), ("ls", 1)], []),
    ([("timeout 5 ls", 3), ("timeout 5 ls -l", 3)], []),
]  # fmt: skip


@pytest.mark.parametrize(("yes", "wanted"), PROPOSED)
def test_the_narrowest_rules(yes, wanted):
    assert sorted(entries(yes)) == sorted(wanted)


NEVER = """
python3 x.py
node x.js
bash x.sh
sh -c ls
./deploy.sh
tools/lint
./ls
.venv/bin/python --version
/home/me/bin/x
sudo ls
env ls -l
xargs rm
npx cowsay
make all
make -f x test
rm -rf build
git push
git push origin main
git reset --hard
git clean -fd
npm publish
gh pr create --fill
npm install x
pip install x
apt install x
kill 1
cargo run
go run .
ssh host uptime
docker run alpine ls
git -c core.pager=x log
made-up 'a\x1b[2J'
made-up '\u202e'
made-up g\u0456t
"""


@pytest.mark.parametrize("text", [line for line in NEVER.splitlines() if line])
def test_what_is_never_proposed(text):
    proposals, left = looked([(text, 50)])
    assert proposals == []
    assert [(each.calls, each.example) for each in left] == [(50, text)]
    assert left[0].why


def test_a_flood_of_harmless_calls_opens_nothing_else():
    policy = Policy(())
    harmless = [f"git add file{n}" for n in range(40)] + [f"cat file{n}" for n in range(40)] + ["ls", "git log"]
    harmless += [f"curl https://example.org/{n}" for n in range(40)] + [f"made-up build {n}" for n in range(40)]
    proposals, _ = looked(harmless)
    rules = [rule for proposal in proposals for rule in proposal.rules]
    opened = policy.with_rules(rules)
    for text in [
        *(line for line in NEVER.splitlines() if line not in {"", "sh -c ls", "env ls -l"}),  # these only read
        "git add a && git push",
        "git commit -m x",
        "git add -A > ~/.bashrc",
        "curl https://example.org/1",
        "curl -d @x https://example.org/1",
        "made-up build 1",
        "cat a | sh",
        "cat $(git push)",
        "GIT_DIR=/elsewhere git add x",
        "PATH=. ls",
    ]:
        request = Request(SHELL, text, None, Place.at(ROOT, ROOT))
        assert opened.decide(request).verdict is not Verdict.ALLOW, text


def test_what_a_person_refused_is_not_allowed():
    assert entries(["git add a", "git add b"], no=["git add c"]) == []
    _, left = looked(["git add a", "git add b"], no=["git add c"])
    assert {each.why for each in left} == {"a rule for it would also allow what was refused: git add c"}
    assert entries([("git add a", 3), "git add b"], no=["git add c"]) == ["exactly run_shell_command(git add a)"]
    assert entries(["ls", "cat a", "git log", "ls -l"], no=["cat b"]) == [f"run_shell_command(ls){READS}"]
    assert entries([("mkdir a", 9)], no=["mkdir a"]) == []
    both = [("mkdir a && git add a", 3)]
    assert len(entries(both)) == 2
    assert entries(both, no=["git add a && mkdir a"]) == []
    assert len(entries(both, no=["git add a && mkdir b"])) == 2


def test_what_nobody_answered_is_told():
    (proposal,), _ = looked(["git add a", "git add b"], unanswered=["git add c", "git push", "git add d && git push"])
    assert proposal.unanswered == ("git add c",)


def test_a_command_beside_one_that_stays_a_question_counts_for_nothing():
    assert entries([("mkdir a && rm -rf a", 9)]) == []
    assert entries([("mkdir a && mkdir $b", 9), ("mkdir a", 2)]) == []
    proposals, left = looked([("mkdir a && rm -rf a", 9), ("mkdir a", 3)])
    assert [(each.calls, each.examples) for each in proposals] == [(3, ("mkdir a",))]
    assert [each.why for each in left] == ["it deletes files or data"]


def test_a_rule_holds_where_its_calls_were():
    (one,), _ = looked(["git add a", "git add b"])
    assert one.root == ROOT
    (two,), _ = looked(["git add a", ("git add b", 1, "/srv/other")])
    assert (two.root, two.calls, two.examples) == (None, 2, ("git add a", "git add b"))
    here, there = [("mkdir a", 3)], [("mkdir b", 3, "/srv/other")]
    assert {each.root for each in looked(here + there)[0]} == {ROOT, "/srv/other"}
    assert entries(["git add a", "git add b"], no=[("git add c", 1, "/srv/other")]) == [
        f"run_shell_command(git add){WRITES}"
    ]


def test_a_project_whose_path_does_not_show_gets_no_rule():
    assert looked([("mkdir a", 9, "/srv/a\x1b[2J")])[0] == []


def test_each_proposal_allows_what_it_says():
    yes = ["ls", "cat a", "git log", "git add a", "git add b", ("mkdir x", 3), ("mkdir x; cat b | head", 1)]
    proposals, left = looked(yes)
    opened = Policy([rule for proposal in proposals for rule in proposal.rules])
    assert left == []
    for each in yes:
        request = Request(SHELL, each if isinstance(each, str) else each[0], None, Place.at(ROOT, ROOT))
        assert opened.decide(request).verdict is Verdict.ALLOW
    assert sum(each.calls for each in proposals) >= 9


def test_what_is_asked_about_by_a_rule_wants_no_other():
    policy = Policy([rule_of("run_shell_command(git add)", Verdict.ASK)])
    request = Request(SHELL, "git add a", None, Place.at(ROOT, ROOT))
    assert policy.unlisted_with_answers(request) == ()
    assert Policy(()).unlisted_with_answers(request._replace(command="echo $(")) == ()
    assert Policy(()).unlisted_with_answers(request._replace(command="ls > a")) == ()


def test_what_a_rule_allows_exactly_as_it_is_written_wants_no_other():
    here = Rule(Verdict.ALLOW, SHELL, None, "make a", line="make a", directory=ROOT, below=False, host="")
    request = Request(SHELL, "make a", None, Place.at(ROOT, ROOT))
    assert Policy(()).unlisted_with_answers(request) != ()
    assert Policy([here]).unlisted_with_answers(request) == ()
    assert Policy([here]).unlisted_with_answers(request._replace(command="make b")) != ()
