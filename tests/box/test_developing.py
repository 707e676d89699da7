"""What developers do all day, in a box: it works there, or fails whole; what cannot work, the gate refuses before.

The refusals are in `tests/policy/in_box.txt`.
"""

import json
import shutil
import subprocess
import zipfile

import pytest

HOOK = '#!/bin/sh\necho "$0" >> hooked\n'

WHEEL = {
    "greet.py": "def hello():\n    return 'hello from a wheel'\n",
    "greet-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: greet\nVersion: 1.0\n",
    "greet-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: asimi\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "greet-1.0.dist-info/RECORD": "greet.py,,\n",
}

NODE = {
    "lib/package.json": {"name": "lib", "version": "1.0.0", "main": "index.js"},
    "package.json": {
        "name": "app",
        "version": "1.0.0",
        "dependencies": {"lib": "file:./lib"},
        "scripts": {"build": "node -e \"console.log(require('lib'))\"", "postinstall": "touch postinstalled"},
    },
}


@pytest.fixture(scope="module")
def developer(yard):
    """A box in a project with a submodule, a hook, a second branch, a package for Node and a wheel for Python."""
    root, home, lib = yard.root, yard.home, yard.top / "library"

    lib.mkdir()
    yard.write(lib / "file", "library\n")
    for words in ("init -q -b main", "config user.name Ada", "config user.email ada@example.org", "add file"):
        yard.git(*words.split(), cwd=lib)
    yard.git("commit", "-q", "-m", "library", cwd=lib)
    yard.git("submodule", "--quiet", "add", str(lib), "module")
    yard.git("commit", "-q", "-m", "module")
    yard.git("branch", "topic")
    yard.write(root / ".git/hooks/pre-commit", HOOK, 0o755)
    for name, value in NODE.items():
        yard.write(root / name, json.dumps(value))
    yard.write(root / "lib/index.js", "module.exports = 'hello from node'\n")
    yard.write(root / "test_one.py", "def test_one(tmp_path):\n    (tmp_path / 'x').write_text('x')\n")
    with zipfile.ZipFile(root / "greet-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in WHEEL.items():
            wheel.writestr(name, text)
    (home / ".ssh").mkdir()
    if shutil.which("ssh-keygen"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / ".ssh/id"], check=True)
    signing = "[gpg]\n\tformat = ssh\n[user]\n\tsigningkey = ~/.ssh/id.pub\n[alias]\n\tst = status\n"
    yard.write(home / ".gitconfig", signing)
    yard.own()
    box = yard.box(environment={"COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "EDITOR": "true"})
    yield box
    box.end()
    assert yard.left() == []


WORK = {
    "an alias of the person's": ("git st --short", ""),
    "add and commit": ("echo a > a && git add a && git commit -qm a && git log -1 --format=%an | grep Ada", ""),
    "a hook that was there runs inside": ("git commit -q --allow-empty -m hooked && grep pre-commit hooked", ""),
    "stash": ("echo b >> file && git stash -q && git stash pop -q && git checkout -q file", ""),
    "branch, merge": (
        "git switch -qc one && git commit -q --allow-empty -m one && git switch -q main && git merge -q one",
        "",
    ),
    "rebase": ("git switch -q topic && echo t > t && git add t && git commit -qm t && git rebase -q main", ""),
    "rebase by a list": ("GIT_SEQUENCE_EDITOR=true git rebase -q -i HEAD~1 && git switch -q main", ""),
    "amend": ("git commit -q --amend --no-edit --allow-empty", ""),
    "a commit in a submodule": (
        "cd module && git checkout -q main && echo 2 >> file && git -c user.name=A -c user.email=a@b commit -qam two",
        "",
    ),
    "a submodule's state": ("git submodule status && git add module && git commit -qm module", ""),
    "a worktree": (
        (
            "git worktree add -q trees/one -b tree && git -C trees/one commit -q --allow-empty -m tree && "
            "git worktree list | grep trees"
        ),
        "",
    ),
    "a clone": ("git clone -q . copy && git -C copy log -1 && rm -rf copy", ""),
    "a new repository": ("git init -q new && git -C new config user.name c && rm -rf new", ""),
    "a patch": ("git format-patch -q -1 --stdout > p && git apply --check -R p && rm p", ""),
    "bisect": ("git bisect start -q HEAD HEAD~1 && git bisect reset", ""),
    "gc": ("git gc -q && git fsck --no-dangling 2>&1", ""),
    "a tag": ("git tag v1 && git tag -a v2 -m two && git describe && git tag -d v1 v2", ""),
    "pytest": ("python3 -m pytest -q test_one.py", "pytest"),
    "pip install into a venv": (
        (
            "python3 -m venv .venv && .venv/bin/pip install --no-index -q ./greet-1.0-py3-none-any.whl && "
            ".venv/bin/python -c 'import greet; print(greet.hello())' | grep wheel"
        ),
        "ensurepip",
    ),
    "npm install, run, pack, ci": (
        (
            "npm install --offline --no-audit --no-fund && [ -e postinstalled ] && npm run -s build | grep node && "
            "npm pack -s ./lib && npm ci --offline --no-audit --no-fund -s"
        ),
        "npm",
    ),
    "npm says nothing of asimi's variables": ("npm --version 2>&1 | grep -v '^[0-9.]*$' && exit 1 || true", "npm"),
    "npx of what is installed": (
        (
            "mkdir -p node_modules/.bin && printf '#!/bin/sh\\necho ran' > node_modules/.bin/own && "
            "chmod +x node_modules/.bin/own && npx --offline own | grep ran"
        ),
        "npm",
    ),
    "a development server": (
        (
            'node -e \'require("http").createServer((q, a) => a.end("served")).listen(8124, "localhost")\' & '
            "curl -sS --retry 20 --retry-connrefused http://localhost:8124/ | grep served; code=$?; kill %1; exit $code"
        ),
        "node curl",
    ),
    "a cache of pip's": ('[ -w "$(python3 -m pip cache dir 2>/dev/null | tail -1 | xargs dirname)" ]', "ensurepip"),
    "make": ("printf 'all: x\\nx:\\n\\techo made > x\\n' > Makefile && make -s -j4 && rm x Makefile", "make"),
    "an editor": ("vim -es -u NONE -c 'normal ohi' -c wq file; grep hi file && git checkout -q file", "vim"),
    "an editor of git's": (
        "printf '#!/bin/sh\\necho edited > $1' > e && chmod +x e && GIT_EDITOR=./e git commit -q --allow-empty && rm e",
        "",
    ),
    "fonts": ("fc-list | grep -q .", "fc-list"),
    "locales": ('python3 -c \'import locale; locale.setlocale(locale.LC_ALL, ""); print("\\xe9")\' && locale', ""),
    "the terminal's kind": ('[ "$TERM" = xterm ] && [ "$COLORTERM" = truecolor ] && tput colors', "tput"),
    "time zones": ("TZ=Europe/Paris date +%Z | grep CE", ""),
    "a job that is killed": ("sleep 100 & kill $! && ! wait $!", ""),
    "sqlite": ("sqlite3 x.db 'create table t(a); insert into t values(1)' && rm x.db", "sqlite3"),
    "a compiler": ("echo 'int main(){return 0;}' > m.c && cc m.c -o m && ./m && rm m m.c", "cc"),
    "perl": ("perl -e 'print 1'", "perl"),
    "archives": ("tar czf x.tgz lib && tar xzf x.tgz -C /tmp && rm x.tgz", ""),
}


SLOW = {"pip install into a venv", "npm install, run, pack, ci"}
"""What takes seconds, and leaves nothing that another row needs."""


@pytest.mark.parametrize(
    "what", [pytest.param(each, marks=[pytest.mark.long] if each in SLOW else []) for each in WORK]
)
def test_it_works(developer, what):
    command, needed = WORK[what]
    for each in needed.split():
        module = each in {"pytest", "ensurepip"}
        there = developer(f"python3 -c 'import {each}'" if module else f"command -v {each}")[1] == 0
        if not there:
            pytest.skip(f"there is no {each} here")
    said, code = developer(f"( {command}\n)")
    assert code == 0, said


FAILS = {
    "a key to sign with": "git commit -q -S --allow-empty -m signed",
    "a signature by the configuration": "git -c commit.gpgsign=true commit -q --allow-empty -m signed",
    "git's configuration": "git config x.y z",
    "another remote": "git remote add other x",
    "another hook": "echo x > .git/hooks/post-commit",
    "a manager of hooks": "git config core.hooksPath .husky",
}


@pytest.mark.parametrize("what", FAILS)
def test_it_fails_whole(yard, developer, what):
    """Should it be tried all the same: nothing of it is done."""
    before = developer("git rev-parse HEAD")
    config = (yard.root / ".git/config").read_text()
    said, code = developer(f"( {FAILS[what]}\n)")
    assert code != 0, said
    assert developer("git rev-parse HEAD") == before
    assert (yard.root / ".git/config").read_text() == config
    assert developer("git status --short -uno")[1] == 0


def test_caches_are_the_projects_boxes_own_and_stay(fresh):
    fresh.box()("echo kept > ~/.cache/tool; mkdir -p ~/.cache/npm; echo kept > ~/.cache/npm/x")
    fresh.boxes[0].end()
    assert not (fresh.home / ".cache/tool").exists()
    assert fresh.box()("cat ~/.cache/tool ~/.cache/npm/x")[0] == "kept\nkept\n"
    (fresh.top / "other").mkdir()
    fresh.own()
    assert fresh.box(root=str(fresh.top / "other"))("cat ~/.cache/tool")[1] != 0
