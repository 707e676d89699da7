"""Which deletes run because undo brings back what goes, and which are a question all the same."""

from __future__ import annotations

import json
import os

import pytest
from helpers.home import Home
from helpers.samples import sample
from helpers.undo import Project, tree_of

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import Loss, Place, Request, Undo, Verdict
from asimi.world.undo.looks import Limits

RULES = """
[files]
write = ["**", "/tmp/**"]
[undo]
keep = "3d"
except = ["private"]
include = ["data/*.db"]
[[rules]]
decision = "allow"
effects = ["read", "write"]
undo = true
"""

COVERED = """
rm src/a.py
rm -f src/a.py src/b.py
rm -rf src
rm -rf src 2>/dev/null
rm -rf ./src/deep/
cd src && rm a.py
(cd src && rm -r deep)
unlink src/a.py
rm src/*.py
find src -name '*.py' -delete
find . -name '*.pyc' -delete
find src -type f -exec rm {} +
truncate -s 0 src/a.py
git rm src/a.py
git add src/b.py && git rm -q src/a.py && git commit -m x
git add -A; rm -rf src
git checkout -- src/a.py
git checkout -- .
git checkout HEAD -- src/a.py
git checkout src/a.py
git checkout src
git checkout .
git checkout src/a.py src/b.py
git checkout HEAD src/a.py
git checkout ':(top)src' src
git restore src
git reset --hard
git reset --hard HEAD
git stash pop
git stash pop -q
git stash pop --index
git stash && git stash pop
git stash push -m x && git stash pop
rm -rf node_modules
rm -rf cellar/build
rm -rf build sub/dist
find . -name '__pycache__' -type d -prune -exec rm -rf {} +
rm -rf build/lib/x.o
rm -rf dist
rm -rf sub/build sub/dist/nothing-yet
rm -rf sub
rm -rf src && touch again
rm data/x.db
rm tracked.log
rm link-to-file
rm -rf build && cat src/a.py > /tmp/log; tail /tmp/log
rm src/nothing-there
rm -f src/nothing* src/*.nothing sub/nothing/x*
rm -rf nothing/dist
rm -rf named-like-it/dist/../nothing
rm -f /tmp/nothing-there-at-all /tmp/nothing-there*
rm nothing; git stash pop
rm -rf src/d*
rm -f cover.out .coverage
rm -rf tmp/cache build cover.out
""".strip().splitlines()

ASKED = """
rm ignored.log
rm other.out
rm bin
rm -rf cover.out private
rm ignored*
rm .env
rm -rf private
rm -rf named-like-it/build
rm -rf tracked-build/build
rm -rf holds-env
rm -rf .
rm -rf *
rm -rf /
rm -rf ~
rm -rf .git
rm -rf "$X"
rm ../outside
rm ~/nothing-there
rm src/nothing-there src/secret.pem
rm -rf link-out/
rm link-out/file
rm -rf link-to-parent/project
rm -rf big
rm fifo
rm two-names
rm -rf nested
rm -rf with-repository-in-it
git stash drop
git stash pop stash@{1}
git stash clear && git stash pop
touch src/a.py; git stash pop
rm -rf cellar
git branch -D old
git add -f ignored.log && git rm -f ignored.log
git add other.out && git reset --hard
git add src/b.py && git checkout -- src/a.py
git -c core.fsmonitor=x add src; git rm src/a.py
git commit -m x && git rm src/a.py
git clean -fdx
git checkout other -- .
git checkout other .
git checkout HEAD~1 --
git checkout HEAD~1
git checkout @
git checkout HEAD src/a.py ignored.log
git checkout HEAD -f src/a.py
git checkout src/*.py
git checkout src/a.py -- -f
git checkout HEAD -- src/a.py -- src/b.py
git checkout -p src/a.py
git checkout src ':(top)src'
git checkout -f other
git -C /tmp reset --hard
git push --force
mv /tmp/theirs src/new; rm src/new
for f in 1 2; do rm -f src/new; mv /tmp/theirs src/new; done
rm src/new & mv /tmp/theirs src/new; rm src/new
rm -rf src & mv ignored.log src
{ rm -rf src; } > src/new
rm -rf src > src/new
rm -rf src & echo x > src/new
rm -rf src | cat > src/new
if rm -rf src; then echo x; fi > src/new
for i in 1 2; do rm -rf src; echo x > src; done
rm -rf src | mv ignored.log src
{ rm -rf src; } & mv ignored.log src
(rm -rf src; true) |& mv ignored.log src
ln -s /tmp/theirs src/l; rm src/l/x
make clean && rm -rf src
rm -rf src; rm ignored.log
find . -delete
find / -name '*.py' -delete
xargs rm < list
rm -rf data
shred /dev/sda
docker rm x
redis-cli flushall
""".strip().splitlines()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one of everything."""
    project = Project(tmp_path, limits=Limits())
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("PATH", os.environ["PATH"])
    (tmp_path / "config.toml").write_text(RULES)
    write = project.write
    ignored = "*.log .env build dist/ node_modules __pycache__/ cellar/ *.db *.env *.out /.coverage cache /bin"
    write(".gitignore", "\n".join([*ignored.split(), ""]))
    for name in (
        "src/a.py",
        "src/b.py",
        "src/deep/c",
        "sub/d",
        "named-like-it/build2",
        "private/x",
        "cellar/x",
        "cellar/build/y",
        "list",
    ):
        write(name, name)
    for name in ("node_modules/m/x.js", "build/lib/x.o", "sub/dist/y", "src/__pycache__/a.pyc", "data/x.db"):
        write(name, name)
    for name in ("cover.out", ".coverage", "tmp/cache/x"):
        write(name, "x")
    os.symlink("src", project.path("bin"))
    for name in ("other.out", "ignored.log", ".env", "holds-env/x.env", "holds-env/y", "data/other.env"):
        write(name, "x")
    write("tracked.log", "x")
    write("tracked-build/build/kept", "x")
    write("named-like-it/build/x", "x")
    write("named-like-it/.gitignore", "!build\n")
    project.git("add", ".")
    project.git("add", "-f", "tracked.log", "tracked-build/build/kept")
    project.git("commit", "-qm", "x")
    project.git("branch", "other")
    project.git("rm", "-rq", "--cached", "named-like-it/build")
    project.git("rm", "-rq", "--cached", "private")
    project.git("commit", "-qm", "y")
    write("tracked-build/build/other", "x")
    write("named-like-it/.gitignore", "build\n")
    write("named-like-it/build/.git/HEAD", "ref: refs/heads/main\n")
    write("big/file", "")
    os.truncate(project.path("big/file"), 100 << 20)
    os.mkfifo(project.path("fifo"))
    write("two-names", "x")
    os.link(project.path("two-names"), project.path("src-other-name"))
    (tmp_path / "outside" / "file").write_text("x")
    os.symlink(tmp_path / "outside", project.path("link-out"))
    os.symlink(tmp_path, project.path("link-to-parent"))
    os.symlink("src/a.py", project.path("link-to-file"))
    for name in ("nested", "with-repository-in-it/inner"):
        project.git("init", "-q", name)
        write(f"{name}/x", "x")
    return project


def judged(project, tmp_path, text):
    """What is said of a text."""
    gate = open_judge(Options(config=str(tmp_path / "config.toml"), root=project.root))
    return gate.judge(Request("run_shell_command", text, None, Place.at(project.root, project.root)))


@pytest.mark.parametrize("text", COVERED)
def test_what_is_covered(project, tmp_path, text):
    """Every file that goes is kept, or made again by tools."""
    decision = judged(project, tmp_path, text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons


@pytest.mark.parametrize("text", ASKED)
def test_what_is_not_covered(project, tmp_path, text):
    """What is not surely kept is asked about as ever."""
    assert judged(project, tmp_path, text).verdict is Verdict.ASK


@pytest.mark.parametrize("text", sample([*COVERED, *ASKED], 4))
def test_without_undo_nothing_of_it_is_allowed_that_was_not(project, tmp_path, text):
    """A rule with `undo = true` is the same as without where nothing is kept."""
    off = RULES.replace('keep = "3d"', "keep = 0")
    (tmp_path / "config.toml").write_text(off)
    first = judged(project, tmp_path, text)
    (tmp_path / "config.toml").write_text(off.replace("undo = true", ""))
    assert judged(project, tmp_path, text).verdict is first.verdict


def keeper_says(project, path, session=""):
    return project.keeper(session).says(Loss(project.path(path)))


def test_what_was_made_ignored_in_this_session_is_asked_about(tmp_path):
    """A directory of work does not become one that may go because somebody writes its name into `.gitignore`."""
    project = Project(tmp_path)
    project.write("build/work.py", "work")
    project.write("a", "x")
    assert keeper_says(project, "build", "s") == "kept"
    project.keeper("s").before("one", project.request())
    project.write(".gitignore", "build\n")
    assert keeper_says(project, "build", "s") == "ignored by git"
    assert not project.keeper("s").before("two", project.request(), [Loss(project.path("build"))])


def test_what_of_a_directory_is_not_kept_is_named(tmp_path):
    """The directory itself is ignored, or one file in it is."""
    project = Project(tmp_path)
    project.write(".gitignore", "*.env\nlogs\n")
    for name in ("holds/deep/x.env", "holds/y", "logs/one/x", "x.env"):
        project.write(name, "x")
    assert keeper_says(project, "holds") == "holds/deep/x.env in it is ignored by git"
    assert keeper_says(project, "x.env") == keeper_says(project, "logs") == "ignored by git"


@pytest.mark.parametrize("place", [".gitignore", "sub/.gitignore", ".git/info/exclude"])
def test_any_file_that_says_what_is_ignored_counts(tmp_path, place):
    """Wherever git reads what it ignores, a change since the session began covers nothing."""
    project = Project(tmp_path)
    project.write("sub/build/x", "work")
    project.write("sub/dist/x", "rebuilt")
    project.write("sub/.gitignore", "dist\n")
    project.keeper("s").before("one", project.request())
    assert keeper_says(project, "sub/dist", "s") == "rebuilt"
    with open(project.path(place), "a") as file:
        file.write("\nbuild\n")
    assert keeper_says(project, "sub/build", "s") == "ignored by git"


def test_what_cannot_be_kept_after_all_is_asked_about(tmp_path):
    """The look before the call counts, not the one before the verdict."""
    home = Home(tmp_path, RULES.replace("[undo]", "[limits]\nstate_bytes = 1048576\n[undo]"))
    (home.root / "big").write_bytes(os.urandom(1 << 20))
    done = home.asimi("run", "--non-interactive", "rm big")
    assert (home.root / "big").exists()
    assert done.returncode == 126
    (home.root / "big").write_bytes(b"x")
    assert home.asimi("run", "--non-interactive", "rm big").returncode == 0
    assert not (home.root / "big").exists()


def test_a_file_that_grows_too_large_meanwhile_is_not_kept(tmp_path):
    """What the store has is compared with what is there, file by file."""
    project = Project(tmp_path, limits=Limits(file=100))
    project.write("a", "x" * 50)
    assert keeper_says(project, "a") == "kept"
    project.write("a", "x" * 500)
    assert not project.keeper().before("one", project.request(), [Loss(project.path("a"))])
    assert project.keeper().before("two", project.request())


def test_a_call_that_only_reads_keeps_nothing(tmp_path):
    """It loads nothing of undo and makes no file."""
    home = Home(tmp_path, RULES)
    (home.root / "a").write_text("x")
    for text in ("ls", "cat a | grep x", "git status", "find . -name a", "echo $HOME"):
        home.asimi("run", "--non-interactive", text)
    assert not (home.state / "undo").exists()
    traced = home.asimi("run", "--non-interactive", "cat a", environ={"PYTHONPROFILEIMPORTTIME": "1"})
    assert "asimi.core.gate" in traced.stderr
    assert "asimi.world.undo" not in traced.stderr
    assert home.asimi("run", "touch b").returncode == 0
    assert (home.state / "undo").exists()


def test_each_door_keeps(tmp_path):
    """A stream, one command, a program with arguments: each is kept before it runs."""
    home = Home(tmp_path, RULES)
    for number, words in enumerate((("run", "rm f0"), ("exec", "--", "rm", "f1"))):
        (home.root / f"f{number}").write_text("x")
        assert home.asimi(*words).returncode == 0
    (home.root / "f2").write_text("x")
    home.asimi("serve", stdin='{"command": "rm f2"}\n')
    files = [json.loads(line)["files"] for line in home.asimi("undo", "--json").stdout.splitlines()]
    assert files == [["f0"], ["f1"], ["f2"]]


def test_undo_off_covers_nothing(tmp_path):
    """Where nothing is kept, nothing is said to be."""
    project = Project(tmp_path, Undo())
    project.write("a", "x")
    assert keeper_says(project, "a") == ""
    assert not project.keeper().before("one", project.request(), [Loss(project.path("a"))])
    assert not os.path.exists(project.keeper().directory)
    assert tree_of(project.root)
