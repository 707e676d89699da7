"""Version control: with the program listed, what is free and what is a question; the rows know git's own options."""

import re
import shutil
import subprocess

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of
from asimi.core.programs import find

HERE = Place("/project", "/project", inside=True)

ALLOWED = """
git
git --version
git --no-pager log -3 --oneline --graph --all --decorate
git -C sub -c color.ui=never -c core.pager= status -sb
git -c user.name=me -c user.email=me@x.org -c commit.gpgsign=false commit -m x
git -c core.editor=true rebase --continue
git -c core.hooksPath=/dev/null commit --no-verify -m x
git -c http.https://x.org/.extraheader='Authorization: x' fetch
git status --porcelain=v2 --branch -uall
git add -A
git add -p -- src
git commit -am msg
git commit --amend --no-edit --date=now --author='A <a@b>'
git commit -F - --trailer x=y
git commit -m "$message"
git diff --stat HEAD~1 -- x
git diff --no-index --color-words a b
git diff -U3 -w --ignore-blank-lines --diff-filter=ACM --name-only --cached -z
git diff --no-ext-diff --no-textconv
git log -p -S foo -G bar -L1,5:x --follow --since '1 week ago' --until=now --author me -n 5
git log --format='%h %s' --date=short --no-merges --first-parent origin/main..HEAD
git show -s --format=%ci HEAD
git show --stat --pretty=fuller -M90% HEAD:x
git blame -L 1,10 -w -C -C x
git grep -n -i -e a --and -e b -C2 -- '*.py'
git ls-files -z --others --exclude-standard
git rev-list --count --left-right main...HEAD
git reflog -n 5
git shortlog -sne --no-merges
git range-diff main a b
git format-patch -3 --stdout -v2 --cover-letter
git stash
git stash push -m x -u -- file
git stash show -p --stat stash@{1}
git stash list --format=%gd
git checkout -b new origin/main
git checkout -- .
git switch -c new
git restore --staged --source=HEAD~1 x
git reset --hard HEAD~1
git clean -fdx
git merge --no-ff -X theirs -s ort -m x topic
git rebase -i --autosquash --onto main a b
git cherry-pick -x -n -m 1 -X ours abc
git revert --no-edit HEAD
git fetch --all --prune --tags -j4 --recurse-submodules
git fetch origin main:main
git pull --rebase --autostash origin main
git push -u origin main
git push --force-with-lease origin HEAD:main
git push origin "v$version"
git clone --depth 1 -b main --recurse-submodules https://x.org/y.git dir
git clone -c core.autocrlf=false git@x.org:y.git
git init -b main dir
git remote add origin git@x.org:y.git
git remote -v
git submodule update --init --recursive
git submodule add https://x.org/y.git lib/y
git worktree add -b new ../new main
git format-patch -o dir HEAD~1
git branch -vv --sort=-committerdate --no-merged main
git tag -a v1 -m x
git tag -n3 -l
git describe --tags --always --dirty
git config --get user.name
git config user.name
git config get --all remote.origin.url
git config list --show-origin
git config -f .gitmodules --get-regexp path
git archive --format=tar HEAD src
git apply --check -p1 x.patch
git bisect start HEAD v1
git ls-remote --tags --heads origin
git help commit
git commit --help
git lfs pull --include='*.bin'
git filter-repo --path src --force
git subtree add --prefix lib --squash https://x.org/y.git main
git lg
gh pr create -t x -b y --draft
gh pr list --json number --jq '.[].number' -L 5
gh api repos/o/r/pulls -X GET -f a=b --paginate
gh repo clone o/r dir -- --depth=1 -b main
gh extension list
gh cs ssh
gh run view 1 --log-failed
glab mr list --assignee=@me
glab repo clone g/p -- --branch main
svn status -u
svn diff -r 1:2 -x -w file
svn ci -m x
svn co https://x.org/svn/trunk dir
hg log -r . -T '{node}' -l 3
hg ci -m x
hg diff --stat -c .
hg merge --tool :ours
hg up -C
jj log -r @ -n 3 --no-graph
jj describe -m x -r abc
jj git push -b main
jj diff --git --tool :builtin
pre-commit run -a --show-diff-on-failure
"""

ASKED = """
git --exec-path=./x status
git -c core.pager=./x log
git -c alias.x='!rm y' x
git -c core.editor=./x commit
git -c submodule.x.update='!y' submodule update
git -c diff.x.textconv=./y diff
git -c filter.x.smudge=./y checkout z
git -c include.path=./x status
git -c safe.directory=* status
git --config-env=core.pager=X log
git -c http.cookieFile=x.extraheader=y fetch
git --frobnicate status
git diff --output=x
git diff --outpu x
git log --output=x
git log --ext-diff -1
git show --textconv HEAD:x
git show --frobnicate
git rev-list --output=x HEAD
git shortlog --output=x
git blame --output=x y
git cherry-pick --output=x HEAD
git reflog HEAD --output=x
git stash show --output=x
git stash list --output x
git range-diff --output=x a b c
git grep -O./x y
git grep -nO./x y
git grep --open-files-in-pager=./x y
git grep --textconv y
git cat-file --textconv HEAD:x
git fetch --upload-pack=./x origin
git fetch ext::./x
git pull --upload-p ./x
git pull -s ./x origin
git push --receive-pack=./x origin
git push --exec=./x origin
git push --repo=ext::x
git push "$remote" main
git ls-remote --upload-pack=./x .
git clone -u ./x y z
git clone --template=./x y
git clone -c core.sshCommand=./x y
git clone 'ext::sh -c x' y
git init --template=./x
git init --separate-git-dir=../x
git remote add x ext::y
git remote set-url origin 'ext::sh -c x'
git submodule add ext::y z
git rebase -x ./x main
git rebase -ix ./x main
git rebase --exec='make x' main
git merge -s ./x topic
git merge --strategy x topic
git archive -o x HEAD
git archive --remote=ext::x HEAD
git archive --exec=./x --remote=. HEAD
git bundle create x.bundle HEAD
git config core.pager ./x
git config --global user.name me
git config set core.pager ./x
git config --add core.pager ./x
git config --unset user.name
git config -e
git interpret-trailers --in-place x
git checkout-index -a --prefix=../x/
git read-tree --index-output=x HEAD
git apply --unsafe-paths x.patch
git repack --expire-to=../x
git bugreport -o dir
git help -w commit
git difftool
git mergetool
git filter-branch --tree-filter x
git send-email x
git instaweb
git maintenance start
git credential fill
git bisect visualize ./x
git lfs install
git filter-repo --blob-callback 'x'
git lg --output=x
gh alias set x '!y'
gh config set editor ./x
gh extension install o/r
gh repo clone o/r -- --upload-pack=./x
gh repo clone o/r -- -c core.sshCommand=./x
gh auth setup-git
gh cs ssh -- -oProxyCommand=./x
glab alias set x y
glab repo clone g/p -- -u ./x
svn diff --diff-cmd ./x
svn --config-option config:helpers:diff-cmd=x diff
svn log --config-dir=x
svn ci --editor-cmd=x
svnlook diff --diff-cmd x repo
hg --config extensions.x=./y log
hg log --conf alias.x=y
hg pull -e ./x
hg clone --ssh=./x y
hg push --remotecmd ./x
hg merge --tool=./x
hg bisect -c ./x
hg bis --command ./x
hg cat -o x y
hg log --debugger
jj --config ui.pager=./x log
jj log --config-file=x
jj diff --tool=./x
jj run ./x
jj config set --user ui.editor x
pre-commit run -c ./x.yaml
pre-commit try-repo ../x
"""

TABLE = [
    (verdict, text) for verdict, texts in (("allow", ALLOWED), ("ask", ASKED)) for text in texts.strip().split("\n")
]


@pytest.mark.parametrize(("verdict", "text"), TABLE, ids=[text for _, text in TABLE])
def test_verdict(verdict, text):
    policy = Policy(
        [rule_of(f"run_shell_command({text.split()[0]})", Verdict.ALLOW)], Terms(exported=("PATH", "HOME", "LANG"))
    )
    decision = policy.decide(Request("run_shell_command", text, None, HERE))
    assert decision.verdict.word == verdict, [reason.message for reason in decision.reasons]


GIT = find("git")
NUMBER = re.compile(r"-(?:\d|NUM)")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("name", [name for name, row in GIT.subcommands.items() if "opaque" not in row.traits])
def test_a_row_knows_the_options_that_git_knows(name, tmp_path):
    """`git X -h` prints a line for each option, and exits with 129 if it is a program of this git."""
    shown = subprocess.run(
        ["git", name, "-h"], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    known = GIT.subcommands[name].syntax.options
    named = re.findall(r"^ {4}(-[^\s,=<\[]+)(?:, (--[\w-]+))?", shown.stdout.replace("[no-]", ""), re.MULTILINE)
    for option in (option for pair in named for option in pair if option):
        assert option in known or (NUMBER.fullmatch(option) and "-#" in known), option
