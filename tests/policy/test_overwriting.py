"""What overwrites a file that git ignores and undo does not keep asks; what git takes of secrets and ignored files."""

from __future__ import annotations

import os
import subprocess

import pytest
from helpers.home import Home

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.rules import rule_of

CONFIG = """\
shell.substitution = "judge"
[files]
write = ["**", "/tmp/**"]
[undo]
keep = "1d"
include = ["data/kept.db"]
[[rules]]
decision = "allow"
effects = ["read", "write", "network"]
hosts = ["localhost"]
[[rules]]
decision = "allow"
effects = ["read", "write"]
undo = true
"""

ASKED = """
echo x > data/app.db
echo x >| data/app.db
echo x &> data/app.db
ls 2> data/app.db
: > data/app.db
true > data/app.db
> data/app.db
printf '' > data/app.db
{ echo a; echo b; } > data/app.db
for i in 1 2; do echo $i; done > data/app.db
(echo x) > data/app.db
bash -c 'echo x > data/app.db'
cd data && echo x > app.db
echo x > link.db
echo x | tee data/app.db
echo x | tee README.md data/app.db
cp README.md data/app.db
cp copies/app.db data
cp -r copies/. data
mv README.md data/app.db
mv copies/app.db data/
install README.md data/app.db
rsync -a README.md data/app.db
ln -sf README.md data/app.db
dd if=README.md of=data/app.db
sort -o data/app.db README.md
sed -i s/a/b/ data/app.db
sed -i s/a/b/ data/*
perl -i -pe s/a/b/ data/app.db
find data -name '*.db' -exec sed -i s/a/b/ {} +
find data -name '*.db' | xargs sed -i s/a/b/
gzip data/app.db
curl -o data/app.db http://localhost/x
python3 -c 'open("data/app.db", "w").write("x")'
mv data/app.db n; : > n
mv data/app.db src/a; echo x > src/a
mv data/app.db n && cp README.md n
rm data/app.db
echo x 1<> data/app.db
split README.md data/
f() { echo x; }; f > data/app.db
f() ( cat README.md ); f >| data/app.db
ln data/app.db n; echo x > n
cp -l data/app.db n; cp README.md n
ln -s data/app.db n; echo x > n
ln -s ../data/app.db src/n && tee src/n < README.md
ln -s data n; echo x > n/app.db
ln -s ../data/app.db src/; echo x > src/app.db
mv data/app.db src/; echo x > src/app.db
"""

ALLOWED = """
echo x > data/new
echo x >> data/app.db
echo x | tee -a data/app.db
cp README.md data/new
cp README.md data
cp -n README.md data/app.db
cp src/a data/kept.db
echo x > data/kept.db
: > data/kept.db
echo x > build/out
echo x > README.md
cp README.md src/a
sed -i s/a/b/ src/a
: > new
: > src/a
true > src/a
> new
> src/a
: > /tmp/asimi-new
touch data/app.db
chmod 600 data/app.db
ln -s data/app.db data/other
mv data/app.db data/moved
mv README.md n && echo x > n
cat data/app.db > /tmp/asimi-copy
sqlite3 data/app.db .tables
mkdir -p data/sub
split README.md part-
f() { echo x; }; f > README.md
ln data/app.db n; cat n
ln -s data/app.db n; cat < n
ln README.md n; echo x > data/new
cp data/app.db n; echo x > n
tar cf /tmp/asimi.tar data
"""

ADDS_ASKED = """
git add .env
git add -A
git add --all
git add .
git add ./
git add -- .
git add '*'
git add '.e*'
git add -A && git commit -m x
cd src && git add -A
git add -N .
git add -f data/app.db
git add -f data
git add -f .
git add -f data/*
git add --force README.md data/app.db
git add -f build/out
git stash -u
git add ':(glob)**'
git add ':(top)'
git add ':(attr:x)'
git add --pathspec-from-file=README.md
git add --pathspec-from-file=- < README.md
git --icase-pathspecs add .ENV
git --glob-pathspecs add '**/.env'
find . -type f -exec git add {} +
find . -name '*e*' -exec git add {} +
"""

ADDS_ALLOWED = """
git add README.md
git add src
git add -A src
git add '*.py'
git add 'src/*'
git add -u
git add --update .
git add -f src/a
git add -n .
git commit -am x
cd src && git add .
find src -type f -exec git add {} +
"""


def git(home, *words):
    environ = home.environ | {"GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=home.root, env=environ, check=True, timeout=60)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A project with a database that git ignores, a key that it does not ignore, and what tools make again."""
    home = Home(tmp_path_factory.mktemp("overwriting"), CONFIG)
    for name in ("data/app.db", "data/kept.db", "build/out", "src/a", "README.md", "copies/app.db"):
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text("x\n")
    (home.root / ".gitignore").write_text("data/\nbuild/\n")
    (home.root / "link.db").symlink_to("data/app.db")
    git(home, "init", "-q")
    git(home, "add", "-A")
    git(home, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one")
    (home.root / ".env").write_text("KEY=1\n")
    return home


@pytest.fixture
def decide(home, monkeypatch):
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    root = os.path.realpath(home.root)

    def decide(text, *rules):
        policy = configuration_of(Options(), root=root).settings().policy
        request = Request("run_shell_command", text, None, Place.at(root, root))
        return policy.with_rules([*policy.rules, *rules]).decide(request)

    return decide


@pytest.mark.parametrize("text", ASKED.strip().splitlines())
def test_what_nothing_brings_back_is_not_overwritten_without_a_question(decide, text):
    assert decide(text).verdict is Verdict.ASK


@pytest.mark.parametrize("text", ALLOWED.strip().splitlines())
def test_what_loses_nothing_is_no_question(decide, text):
    decision = decide(text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons


def test_the_question_names_the_file(decide):
    assert (
        "data/app.db, which git ignores and undo does not keep" in decide("cp README.md data/app.db").reasons[0].message
    )


def test_whoever_lists_a_program_has_said_that_it_may(decide):
    assert decide("cp README.md data/app.db", rule_of("run_shell_command(cp)", Verdict.ALLOW)).verdict is Verdict.ALLOW


@pytest.mark.parametrize("text", ADDS_ASKED.strip().splitlines())
def test_git_takes_no_secret_and_nothing_ignored_without_a_question(decide, text):
    assert decide(text).verdict is Verdict.ASK


@pytest.mark.parametrize("text", ADDS_ALLOWED.strip().splitlines())
def test_git_takes_the_rest(decide, text):
    decision = decide(text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons


HOOKS = [
    ("git -c core.hooksPath=/dev/null commit -m x", True),
    ("git -c core.hookspath=./x commit -m x", True),
    ("git -C sub -c Core.HooksPath=x commit -m x", True),
    ("git --config-env=core.hooksPath=X commit -m x", True),
    ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x", True),
    ("git commit -nm x", True),
    ("git commit -m 'core.hooksPath=x'", False),
    ("git -c user.name=x commit -m x", False),
    ("git -c core.hooksPath=/dev/null log", False),
]


@pytest.mark.parametrize(("text", "asked"), HOOKS, ids=[text for text, _ in HOOKS])
def test_another_directory_of_hooks_is_to_skip_them(decide, text, asked):
    rule = rule_of("run_shell_command(git commit)", Verdict.ASK)._replace(options_any=("--no-verify",))
    reasons = decide(text, rule).reasons
    assert any(reason.code == "ask_by_rule" for reason in reasons) == asked
