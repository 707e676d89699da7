"""What is said of the files that a request reads, writes and removes, by their real paths."""

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from asimi.core.budget import MOST, Budget, OverBudgetError
from asimi.core.call import Place, Request
from asimi.core.judging.known import Temporary
from asimi.core.judging.machine import Machine
from asimi.core.judging.paths import Paths
from asimi.core.judging.patterns import Patterns
from asimi.core.judging.places import Places
from asimi.core.judging.zones import FileRules, Files, SelfRunning, Writable
from asimi.core.reading import Readings
from asimi.world.host.trees import below, kind, walk

EVERYWHERE = (("**",),)
TABLE = [
    tuple(line.split(" | ", 1))
    for line in (Path(__file__).parent / "files.txt").read_text().splitlines()
    if line and line[0] != "#"
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with a project, a key, and links that lead out of the project."""
    home = tmp_path_factory.mktemp("home")
    for name in (
        "project/src", "project/.git/hooks", "project/web", "project/keys/deep", ".ssh", "Documents", "other"
    ):  # fmt: skip
        (home / name).mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("key")
    for name in ("notes.txt", "project/keys/deep/server.pem", "project/.env", "project/src/app.py"):
        (home / name).touch()
    (home / "odd").mkdir()
    (home / "odd" / "a .env b.txt").touch()
    (home / "lines").mkdir()
    (home / "lines" / "a\n.env").touch()
    (home / "project" / "out").symlink_to(home / "other")
    (home / "project" / "key").symlink_to(home / ".ssh" / "id_rsa")
    (home / "project" / "notes.md").symlink_to(home / "notes.txt")
    for name in (".git/hooks/pre-commit", ".vscode/tasks.json", "docs/notes.md", "docs/read.md", "hooks/mise.toml"):
        (home / "staged" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "staged" / name).touch()
    (home / "staged" / "hooks" / ".exrc").touch()
    for name in ("cargo/config.toml", "yarn/releases/yarn.cjs", "env/bin/pip"):
        (home / "project" / "kit" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "project" / "kit" / name).touch()
    return home


@pytest.fixture
def codes(home):
    """The codes of what is said of a text."""

    def codes(text, walk=walk, **files):
        root = f"{home}/project"
        machine = Machine(
            str(home),
            os.path.realpath,
            {"PATH": f"/usr/bin:{root}/tools"},
            kind=kind,
            below=below,
            walk=walk,
            links=os.path.islink,
            hides={"LEDGER", "PHRASE"}.__contains__,
        )
        text = text.replace("@HOME@", str(home)).replace("⏎", "\n")
        request = Request("run_shell_command", text, None, Place(root, root, inside=True))
        reading = Readings((), (), judge_substitutions=True).of(request)
        rules = FileRules(Files(**{"write": EVERYWHERE, **files}), root, machine)
        paths = Paths(machine, request, reading, Budget())
        places = list(Places(reading, paths).all())
        said = {finding.code for finding in rules.findings(places, reading, Budget())}
        return said | {"astray" for _ in rules.commands_of_unknown_paths(places)}

    return codes


SECRET = """
cat .env
cat src/../.env
cat .env.local
cat .en*
cat ~/.ssh/id_rsa
cat "$HOME/.ssh/id_rsa"
cat @HOME@/.ssh/id_rsa
cat key
bash -n key
cd ~/.ssh && cat id_rsa
cd ~ && cat .ssh/id_rsa
cp .env .env.backup
echo x >> .env
wc -l < .env
grep -r x ~/.ssh
grep -r x ~
tar cf keys.tar ~/.ssh
cat /etc/shadow
cat /proc/self/environ
find . -name .env -exec cat {} +
for f in .env*; do cat "$f"; done
timeout 5 cat .env
bash -c 'cat .env'
unknown-program .env
dd if=.env
grep -f .env README.md
"""

FREE = """
gofmt -l ../x.go
ruff format --check ../x.py
ruff format --diff ../x.py
prettier --check ../x.js
clang-format ../x.c
isort --check-only ../x.py
black --check ../x.py
yapf -d ../x.py
gzip -dc ../x.gz
gzip -l ../x.gz
tar -tf ../x.tar ../member
tar -cf x.tar ../other
patch --dry-run ../x src/x.diff
git rm -n ../x
file -C -m src/magic ../x
ls .env
test -f .env
cat .env.example
cat ~/.ssh/known_hosts
cat src/app.py
cat /etc/os-release
grep -r x .
grep .env README.md
echo .env
echo x > src/app.py
touch src/new
mkdir -p web/css
cd web && touch x
cd web && touch ../src/x
cp src/a src/b
mv src/a src/b
rm -r web/dist
sed -i s/a/b/ src/app.py
ls > list 2>&1
ls 2>/dev/null
cat <<E
x
E
find src -name '*.py' -exec wc -l {} +
cat src/*.py
"""

OUTSIDE = """
touch ../x
touch src/../../x
touch ~/x
touch /tmp/x
cd .. && touch x
cd nowhere; touch ../x
cd src < nowhere; touch ../x
echo x > ../x
echo x > out/x
cp src/a out/x
tee ~/x
mkdir -p ~/new
cp -t ~ src/a
cp --target-directory=../ src/a
sed -i s/a/b/ ../x
perl -pi -e s/a/b/ ../x
gofmt -w ../x.go
ruff format ../x.py
ruff check --fix ../x.py
prettier --write ../x.js
clang-format -i ../x.c
isort ../x.py
yapf -i ../x.py
black --check=false ../x.py
gzip -d ../x.gz
git rm ../x
git log --output=/etc/x -1
git log -1 --output ../x
x='-1 --output=/etc/x'; git log $x
touch "$f"
echo x > "$f"
echo x > .git/hooks/pre-commit
cp src/a .git/config
echo x > .envrc
mv src/a ~/x
mv ~/x src/a
"""

FLOOR = """
rm -rf /
rm -rf /*
rm -rf ~
rm -rf ~/Documents
rm -rf ~/*
rm -rf .
rm -rf ./*
rm -rf *
rm -rf ..
rm -rf .git
rm -rf src/../.git
rm -rf /usr/local
rm -rf "$dir"
rm -rf "$dir"/*
rm -rf $dir/x
cd / && rm -rf *
mv .git x
sudo rm -rf /var/lib
bash -c 'rm -rf ~/*'
"""


def lines(text):
    return text.strip().splitlines()


@pytest.mark.parametrize(("expected", "text"), TABLE)
def test_what_is_said_of_a_text(codes, expected, text):
    said = codes(text, write=(("**", "/tmp/**"),))
    assert said == set() if expected == "none" else expected in said


def test_a_tree_that_is_too_large_to_look_through_may_hold_any_name(codes):
    """A line that is read of a list is then no whole name."""
    text = 'find src -type d | while read -r d; do cat "$d/app.py"; done'
    assert codes(text) == set()
    assert codes(text, walk=lambda *_: False) == {"astray"}


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("touch src/x", False),
        ("sed -i s/a/b/ src/*.py", False),
        ("rm src/*.pyc", False),
        ("touch keys/x", True),
        ("touch ke*/x", True),
        ("touch k?ys/x", True),
        ("touch */x", True),
        ("rm src/*.lock", True),
        ("rm src/*.l*", False),  # none is there, and bash hands on the pattern
        ("touch src/y*.loc?", True),
        ("touch we*/x", False),  # web alone is there
        ("touch {we*,k*}/x", True),
        ("find . -name '*.pem' -exec touch {} +", True),
        ("find src -name '*.py' -exec touch {} +", False),
    ],
)
def test_what_is_taken_back_is_not_written_by_a_pattern(codes, text, outside):
    """A pattern of the shell is written only if all names are that it may stand for."""
    assert ("outside" in codes(text, write=(("src/**", "web*/**", "keys/**", "!keys/**", "!**/*.lock"),))) == outside


@pytest.mark.parametrize("text", lines(SECRET))
def test_a_secret_is_asked_about(codes, text):
    assert "secret" in codes(text)


@pytest.mark.parametrize("text", "\n".join(lines(FREE)).replace("<<E\nx\nE", "<<E; echo").splitlines())
def test_what_is_below_the_project_is_free(codes, text):
    assert codes(text) == set()


@pytest.mark.parametrize("text", lines(OUTSIDE))
def test_a_write_elsewhere_is_asked_about(codes, text):
    assert "outside" in codes(text)
    assert "outside" not in codes(text, write=())


@pytest.mark.parametrize("text", lines(FLOOR))
def test_what_nobody_wants_to_lose_is_asked_about(codes, text):
    assert "floor" in codes(text, write=())


@pytest.mark.parametrize("text", ['cat "$f"', "cat $f", "cat ../$f", 'cd "$d" && cat x', 'grep x "$f"'])
def test_a_file_that_only_bash_can_find_is_told_apart(codes, text):
    assert codes(text) == {"astray"}


@pytest.mark.parametrize(
    "text", ['cat src/"$f"', 'for f in src/*.py; do cat "$f"; done', 'f=src/x; cat "$f"', 'ls "$f"']
)
def test_a_file_below_a_directory_of_the_project_is_known_well_enough(codes, text):
    assert codes(text) == set()


def test_what_may_not_be_touched_is_denied(codes):
    assert codes("ls web/x", deny=(("web/**",),)) == {"denied_by_rule"}
    assert codes("ls src", deny=(("web/**",),)) == set()


@pytest.mark.parametrize(
    "text",
    [
        "cat .env", "cat .e*", "find . -name .env -exec cat {} +", "find . -name '*.env' -exec cat {} +",
        "find keys -type f | xargs cat", "cat keys/*/*", "ls keys/*",
    ],
)  # fmt: skip
def test_a_pattern_that_surely_names_what_may_not_be_touched_is_denied(codes, text):
    assert "denied_by_rule" in codes(text, deny=(("**/.env", "keys/**"),), secret=())


@pytest.mark.parametrize(
    "text",
    [
        "git ls-files | xargs grep -l TODO", 'cat "$f"', "find . -type f -exec wc -l {} +", "find . | xargs wc -l",
        "git diff main...HEAD --name-only | xargs wc -l", "rg -l TODO | xargs cat",
    ],
)  # fmt: skip
def test_what_only_may_be_what_may_not_be_touched_is_a_question(codes, text):
    said = codes(text, deny=(("**/.env",),), secret=())
    assert "secret" in said
    assert "denied_by_rule" not in said


@pytest.mark.parametrize("own", ["x.key", "config/prod.yml", "**/.env.local"])
def test_names_that_cannot_be_a_secret_of_ones_own_are_no_question(codes, own):
    for text in (
        "find . -name '*.py' | xargs wc -l", "git ls-files | xargs grep -l TODO", "find . -name '*.py' -exec wc -l {} +"
    ):  # fmt: skip
        assert codes(text, secret=((own,),)) == set()
    assert codes(f"cat {own.replace('**/', 'web/')}", secret=((own,),)) == {"secret"}


def test_a_pattern_that_names_a_file_that_runs_by_itself_covers_it(codes):
    assert codes("echo x > .git/hooks/pre-commit", write=(("**", ".git/hooks/pre-commit"),)) == set()
    assert codes("echo x > .vscode/tasks.json", write=((".vscode/**",),)) == set()


@pytest.mark.parametrize("names", ["-unknown {}", r"\( {} \)"])
def test_many_names_in_a_large_directory_take_no_time(tmp_path, names):
    for number in range(5000):
        (tmp_path / f"file{number}.txt").touch()
    root, several = str(tmp_path), " -o ".join(f"-name '*x{number}*y'" for number in range(120))
    machine = Machine("/nowhere", os.path.realpath, {}, kind=kind, below=below)
    text = f"find . {names.format(several)} -exec sed -i s/a/b/ {{}} +"
    request = Request("run_shell_command", text, None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    rules, budget, began = FileRules(Files(write=EVERYWHERE), root, machine), Budget(MOST), time.process_time()
    with suppress(OverBudgetError):
        list(rules.findings(list(Places(reading, Paths(machine, request, reading, budget)).all()), reading, budget))
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("patterns", "allowed"),
    [
        (["~/src/web/**"], ["~/src/web/x", "~/src/web/deep/x"]),
        (["~/src/web/**", "{tmp}/**"], ["~/src/web/x", "~/src/web/deep/x", "{tmp}/other/x"]),
        (["{tmp}/**", "~/src/*"], ["~/src/x", "{tmp}/other/x"]),
        (["{tmp}/**", "~/src/web/**", "!~/src/web/x"], ["~/src/web/deep/x", "{tmp}/other/x"]),
        (["{tmp}/**"], ["{tmp}/other/x"]),
    ],
)
def test_a_wide_pattern_of_a_temporary_place_takes_nothing_away_that_another_names(tmp_path, patterns, allowed):
    """The home and the project are below a temporary directory, as in CI."""
    home = tmp_path / "home"
    (home / "src/web/deep").mkdir(parents=True)
    (home / "project").mkdir()
    (tmp_path / "other").mkdir()

    def at(path):
        return path.replace("{tmp}", str(tmp_path)).replace("~", str(home))

    machine = Machine(str(home), os.path.realpath, {"TMPDIR": str(tmp_path)})
    root = str(home / "project")
    temporary = Temporary(root, machine)
    running = Patterns((), root, str(home))
    writable = Writable([each.replace("{tmp}", str(tmp_path)) for each in patterns], running, root, machine, temporary)
    asked = ["~/src/x", "~/src/web/x", "~/src/web/deep/x", "~/notes", "{tmp}/other/x"]
    assert [each for each in asked if writable.holds(at(each), SelfRunning(running, running))] == allowed
