"""What is the same fingerprint in another spelling, and what is another."""

from __future__ import annotations

from posixpath import normpath
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.fingerprints import MOST, fingerprints_of
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import rule_of
from asimi.core.judging.zones import FileRules, Files

HOME, ROOT = "/home/ada", "/home/ada/app"
LINKS = {f"{ROOT}/link": f"{ROOT}/build"}


def resolve(path):
    path = normpath(path)
    return LINKS.get(path, path)


MACHINE = Machine(HOME, resolve, {"PATH": "/usr/bin"}, repository=lambda _: f"{ROOT}/.git")
PLACE = Place(ROOT, ROOT, inside=True)


def policy(*entries, substitution="refuse"):
    rules = [rule_of(f"run_shell_command({entry})", verdict) for verdict, entry in entries]
    guard = Guard(MACHINE, Protection((), MACHINE, ()), FileRules(Files(), ROOT, MACHINE))
    return Policy(rules, Terms(protected=guard, substitution=substitution))


ASKS = policy(substitution="judge")


def fingerprints(text, judge=ASKS):
    request = Request("run_shell_command", text, None, PLACE)
    return fingerprints_of(judge, request, judge.decide(request))


SAME = {
    "rm -rf build": (
        "rm -r -f ./build",
        "rm -fr build/",
        "rm --recursive --force -- build",
        "rm build -rf",
        "cd . && rm -fr build",
        "cd src/.. && rm -rf build",
        "cd /tmp; cd /home/ada/app && rm -r build",
        "(cd src; rm -rf ../build)",
        "/bin/rm -rf build",
        "command rm -rf build",
        "sudo rm -rf build",
        "sudo -u bob env A=1 timeout 5 nice rm -rf build",
        "sh -c 'rm -rf build'",
        "bash -lc \"cd . && rm -r 'build'\"",
        "eval 'rm -rf build'",
        "echo 'rm -rf build' | sh",
        "bash <<< 'rm -rf build'",
        "if true; then exec rm -rf build; fi",
        "true && rm -rf build || :",
        "r''m -rf bu\"il\"d",
        "d=build; rm -rf $d",
        "rm -rf $PWD/build",
        "rm -rf ~/app/build",
        "rm -rf /home/ada/app/build",
        "for d in build; do rm -rf $d; done",
        "f() { rm -rf build; }; f",
        "rm -rf build/*",
        "rm -rf {build,dist}",
        "rm -rf dist build",
        "rm -rf dist; rm -rf build",
        "ls && rm -rf build",
        "find build -delete",
        "find build -type f -delete",
        "find ./build -exec rm -rf {} +",
        "find build -print0 | xargs -0 rm -rf",
        "python3 -c \"import shutil; shutil.rmtree('build')\"",
        "python3 -c \"import os; os.system('rm -rf build')\"",
        "python3 - <<'E'\nimport shutil\nshutil.rmtree('./build')\nE",
        "perl -e 'unlink \"build\"'",
        'node -e \'require("fs").rmSync("build",{recursive:true})\'',
        "rmdir build",
        "git rm -r build",
        'echo "done $(rm -rf build)"',
        "while :; do rm -rf build; done",
        "coproc rm -rf build",
    ),
    "git push": (
        "git  push",
        "/usr/bin/git push",
        "git push origin",
        "git push -u origin HEAD",
        "git push -q -v",
        "cd src && git push",
        "git -C . push",
        "git --no-pager push",
        "sudo git push",
        "git add . && git push",
        "yes | git push",
        "git push < /dev/null",
        "sh -c 'git push'",
    ),
    "git push origin main": (
        "git push origin HEAD:main",
        "git push origin HEAD:refs/heads/main",
    ),
    "git push --force origin main": ("git push origin +main", "git push -f origin HEAD:main"),
    "echo x > notes": ("tee notes", "cp a notes", "sed -i s/a/b/ notes", "printf y >> ./notes", "dd of=notes"),
    "curl https://x.example/a": (
        "wget https://x.example/a",
        "curl -fsSL -o z https://x.example/a",
        "curl http://x.example/a/",
    ),
    "./deploy.sh prod": (
        "bash deploy.sh prod",
        "sh ./deploy.sh prod",
        "source deploy.sh prod",
        "sudo ./deploy.sh prod",
    ),
    "python3 tool.py a": ("python3 ./tool.py a", "python tool.py a", "env python3 /home/ada/app/tool.py a"),
    "npm install left-pad": ("npm i left-pad", "npm install --save left-pad", "npm i -D left-pad"),
    "make all": ("make -j8 all", "make -C . all", "cd . && make all"),
    "kubectl delete pod web -n prod": ("kubectl delete pod web --namespace=prod", "kubectl -n prod delete pod web"),
    "cat ~/.ssh/id_rsa": ("head -c 9 ~/.ssh/id_rsa", "base64 /home/ada/.ssh/id_rsa", "cd ~ && cat .ssh/id_rsa"),
    "git commit -m one": ("git commit -m two", "git commit --message='a longer text'"),
    "kill 42": ("kill -9 42",),
    "frob --hard a": ("frob a --hard", "timeout 9 frob --hard a"),
    "unlink link": ("rm link", "rm ./link"),
    "tee link": ("echo x > build",),
}

DIFFERENT = (
    ("git push", "git status"),
    ("git push", "git fetch"),
    ("git push", "git push --force"),
    ("git push", "git push backup"),
    ("git push origin main", "git push origin topic"),
    ("git push", "git commit -m x"),
    ("rm -rf a", "rm b"),
    ("rm -rf a", "rm -rf a/b"),
    ("rm -rf a/b", "rm -rf a"),
    ("rm -rf a", "mv a /tmp/b"),
    ("rm -rf a", "mkdir a"),
    ("rm -rf a", "cat a"),
    ("rm -rf a", "cd sub && rm -rf a"),
    ("rm -rf a", "find . -name '*.o' -delete"),
    ("rm -rf a", "ssh host rm -rf a"),
    ("rm -rf a", "docker run img rm -rf a"),
    ("rm -rf *.o", "rm -rf *.c"),
    ("rm link", "rm build"),
    ("ls && rm -rf a", "ls"),
    ("cd src && rm -rf a", "cd src"),
    ("echo x && rm -rf a", "echo x && rm -rf b"),
    (": > a", ": > b"),
    ("echo x > a", "echo x > b"),
    ("cp x a", "cp x b"),
    ("cat ~/.ssh/id_rsa", "cat ~/.ssh/config"),
    ("systemctl start web", "systemctl stop web"),
    ("systemctl stop web", "systemctl stop db"),
    ("kubectl delete pod web -n prod", "kubectl delete pod web -n dev"),
    ("kubectl delete pod web", "kubectl get pod web"),
    ("psql -c 'DROP TABLE a'", "psql -c 'DROP TABLE b'"),
    ("npm install a", "npm install b"),
    ("npm publish", "npm test"),
    ("pytest -k one", "pytest -k two"),
    ("make all", "make clean"),
    ("make all", "cd sub && make all"),
    ("./deploy.sh prod", "./deploy.sh test"),
    ("python3 -c 'print(1)'", "python3 -c 'print(2)'"),
    ("python3 a.py", "python3 b.py"),
    ("curl https://x.example/a", "curl https://x.example/b"),
    ("curl https://x.example/a", "curl https://y.example/a"),
    ("frob --hard", "frob --soft"),
    ("frob a", "grob a"),
    ("xargs rm < one", "xargs rm < two"),
    ("while read f; do rm $f; done < one", "while read f; do rm $f; done < two"),
    ("git reset --hard", "git checkout main"),
    ("git stash drop", "git stash list"),
    ("docker rm web", "docker rm db"),
    ("sudo reboot", "sudo halt"),
    ("kill 42", "kill 43"),
    ("apt install a", "apt remove a"),
    ("git push origin main", "git push origin :main"),
    ("git push origin main", "git push origin +main"),
    ("ls src | head", "ps aux | head"),
    ("cat a | sort | uniq", "cat b | sort | uniq"),
    ("echo x; exit 1", "true; exit 1"),
    ("find . -empty -delete", "find . -mtime +7 -delete"),
    ("find . -type d -exec chmod 755 {} +", "find . -newer x -exec chmod 755 {} +"),
    ("rm -rf build", "find build -mtime +7 -delete"),
    ("git push", "git push --tags"),
    ("git reset --hard HEAD~1", "git reset --soft HEAD~1"),
    ("git commit -m x", "git commit --amend -m x"),
    ("npm install a", "npm install -g a"),
    ("bash -c 'rm $1' _ a", "bash -c 'rm $1' _ b"),
    ("python3 - <<'E'\nimport a\na.run()\nE", "python3 - <<'E'\nimport a\na.stop()\nE"),
    ("psql db < one.sql", "psql db < two.sql"),
    ("cat one.yml | kubectl apply -f -", "cat two.yml | kubectl apply -f -"),
    ("git apply < one.diff", "git apply < two.diff"),
    ("ssh host bash -s < one.sh", "ssh host bash -s < two.sh"),
)


@pytest.mark.parametrize(("text", "other"), [(text, other) for text, others in SAME.items() for other in others])
def test_another_spelling_is_the_same_fingerprint(text, other):
    assert fingerprints(text) & fingerprints(other), (fingerprints(text), fingerprints(other))


@pytest.mark.parametrize(("text", "other"), DIFFERENT)
def test_what_does_something_else_is_another_fingerprint(text, other):
    assert not fingerprints(text) & fingerprints(other), fingerprints(text)


def test_the_tables_are_as_long_as_promised():
    assert sum(map(len, SAME.values())) + len(DIFFERENT) >= 130


def test_only_what_was_asked_about_counts():
    listed = policy((Verdict.ALLOW, "git add"), (Verdict.ALLOW, "npm test"))
    assert not fingerprints("git add -u && npm test && git push", listed) & fingerprints("git add -u")
    assert fingerprints("git add -u && npm test && git push", listed) == fingerprints("git push")


def test_only_what_was_denied_counts_where_something_was():
    denying = policy((Verdict.DENY, "git push"))
    assert fingerprints("rm -rf build && git push", denying) == fingerprints("git push")


def test_of_an_allowed_wrapper_what_it_starts_counts():
    assert fingerprints("timeout 5 git push", policy((Verdict.ALLOW, "timeout"))) == fingerprints("git push")
    assert fingerprints("sh -c 'git push'", policy((Verdict.ALLOW, "git push"))) == fingerprints("git push")


def test_a_call_that_is_for_too_much_is_for_that_alone():
    many = " ".join(f"file{number}" for number in range(MOST + 1))
    assert (
        fingerprints(f"rm {many}")
        == fingerprints(f"cat {many} && git push; touch {many}")
        == {f"more than {MOST} things at once"}
    )


def test_a_long_intent_is_kept_short_and_still_its_own():
    one, other = (fingerprints(f"frob {'x' * 5000}{end}") for end in "ab")
    assert max(map(len, one | other)) < 300
    assert not one & other


@pytest.mark.parametrize("text", [";".join(["rm -rf a"] * 1000), "sh -c " * 3000 + "ls", "frob a;" * 5000])
def test_a_long_text_is_compared_in_bounded_time(text):
    request = Request("run_shell_command", text, None, PLACE)
    decision = ASKS.decide(request)
    began = process_time()
    assert fingerprints_of(ASKS, request, decision)
    assert process_time() - began < 5


OPERANDS = st.lists(st.sampled_from(["a", "./b", "src/../c", "'d e'"]), min_size=1, max_size=3, unique=True)
FLAGS = st.permutations(["-r", "-f", "-v"])
WRAPPERS = st.lists(
    st.sampled_from(["sudo", "env", "timeout 5", "nice -n 3", "command", "nohup", "env A=1", "exec", "stdbuf -o0"]),
    max_size=3,
)


@given(st.sampled_from(["rm", "/bin/rm"]), OPERANDS, FLAGS, WRAPPERS, st.randoms(use_true_random=False))
def test_the_order_of_words_and_wrappers_change_no_fingerprint(program, operands, flags, wrappers, dice):
    shuffled = [*operands, *flags]
    dice.shuffle(shuffled)
    assert fingerprints(" ".join([*wrappers, program, *shuffled])) == fingerprints(f"rm -rf {' '.join(operands)}")


@given(
    st.sampled_from(["rm -rf x", "git push", "make all", "npm i a", "frob --x 1", "curl https://x.example"]), WRAPPERS
)
def test_no_wrapper_changes_a_fingerprint(text, wrappers):
    assert fingerprints(" ".join([*wrappers, text])) == fingerprints(text)
    assert fingerprints(f"bash -c '{text}'") == fingerprints(text)
