"""A door that has judged all tables judges them again as a new process does, whatever came and went in between."""

import os
import subprocess
from pathlib import Path

import pytest
from helpers.frozen import held
from helpers.sessions import GIT, PERSON, SESSIONS, read
from helpers.tables import Judge, Row, alone, listed, plain

from asimi.core.errors import AsimiError
from asimi.core.judging import guard
from asimi.core.judging.machine import PRICES
from asimi.core.reading import requests
from asimi.world.config.presets import Start, text_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each row is judged in a child of its own")

RULES = """
[[rules]]
decision = "deny"
command = ["rm"]
options_any = ["-r", "-f"]

[[rules]]
decision = "ask"
effects = ["network"]

[[rules]]
decision = "allow"
command = ["wget"]
options_any = ["--spider"]
"""

FILES = (
    ".ssh/id_rsa", "notes.txt", "other/x", "bin/tool", "Documents/x", "staged/.git/hooks/pre-commit",
    "staged/hooks/.exrc",
    "staged/.vscode/tasks.json", "staged/docs/notes.md", "staged/docs/read.md", "staged/hooks/mise.toml",
    "project/keys/deep/server.pem", "project/.env", "project/src/app.py", "project/web/index.html", "project/docs/x.md",
    "project/linked/notes", "project/kit/cargo/config.toml", "project/kit/yarn/releases/yarn.cjs",
    "project/kit/env/bin/pip", "project/around/x", "project/tools/tool",
)  # fmt: skip
LINKS = {
    "project/out": "other",
    "project/key": ".ssh/id_rsa",
    "project/notes.md": "notes.txt",
    "project/linked/keys": ".ssh",
    "project/around/linked": "project/linked",
    "project/around/up": ".profile",
    "project/venv": "project/kit",
}
OWN = """\
echo x > ~/dotfiles/asimi/config.toml
echo x > ~/.config/asimi/config.toml
touch tools/tool
touch tools/other
touch kit/bin/python
touch tools/bin/python
echo x >> rc
touch web/hooks/pre-commit
git checkout main
git checkout trunk
git checkout topic
git add new.txt
git rm new.txt
tar cf - new.txt | ssh host cat
cd web && git status
git -C web status
git -C web log
git status
git worktree list
ls out/x
touch out/x
touch src/x
cat key
cat notes.md
cat src/id_rsa
cat keys/deep/server.pem
rm -r keys
python3 -c 'import json; print(json.dumps(1))'
cp -r linked docs
grep -R x linked
find src -type f | xargs cat
cat *
touch */x
mv -t .. x
chmod 777 ..
find . -name '?env' -exec cat {} +
find .. -name project -exec rm -rf {} +
"""
"""What the changes below are about, besides the rows of the tables."""


class World:
    """A home and a project, in which much comes and goes.

    Args:
        directory: where they are made.
    """

    def __init__(self, directory):
        self.home, self.away = directory / "home", directory / "away"
        self.root, self.config = self.home / "project", self.home / ".config" / "asimi" / "config.toml"
        self.made = set()
        self.away.mkdir()
        sessions = [read(path)[0] for path in SESSIONS]
        files = {f"project/{name}": text for each in reversed(sessions) for name, text in each.items()}
        for name, text in {**files, **dict.fromkeys(FILES, "x")}.items():
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text(text)
        for name, target in LINKS.items():
            (self.home / name).symlink_to(self.home / target)
        for each in (self.config.parent, self.home / "dotfiles"):
            each.mkdir(parents=True)
        self.config.write_text(text_of(Start("developer"), "x", "/tmp", "of the test") + RULES)
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git(*PERSON, "commit", "-q", "-m", "Start")
        (self.root / "new.txt").write_text("x")
        (self.root / "other/.git").mkdir(parents=True)
        (self.root / "other/.git/config").touch()
        self.now = "first"

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, env=os.environ | GIT, check=True, capture_output=True)

    def swap(self, name, make=None):
        """Put what is away for a path in its place, and what is there away; `make` makes it the first time."""
        here, there = self.home / name, self.away / name.replace("/", "%")
        if make is not None and name not in self.made:
            make(there)
            self.made.add(name)
        kept = self.away / "kept"
        if os.path.lexists(here):
            here.rename(kept)
        if os.path.lexists(there):
            there.rename(here)
        if os.path.lexists(kept):
            kept.rename(there)

    def turn(self, state):
        """Let the world be as it is in a state: `first`, `moved` or `bare`."""
        for each in (self.now, state):
            if each != "first":
                getattr(self, each)(back=each == self.now)
        self.now = state

    def link(self, target):
        """What makes a link to a file of the home."""
        return lambda path: path.symlink_to(self.home / target)

    def moved(self, *, back):
        """Links lead elsewhere, a repository appears, a branch gets another name, a file is tracked, files come."""
        if back:
            self.git("branch", "-m", "trunk", "main")
            self.git("rm", "-q", "--cached", "new.txt")
            self.git("config", "--unset", "core.hooksPath")
            (self.home / ".config/asimi").unlink()
            (self.home / "dotfiles/asimi").rename(self.home / ".config/asimi")
        else:
            self.git("branch", "-m", "main", "trunk")
            self.git("add", "new.txt")
            self.git("config", "core.hooksPath", "web/hooks")
            (self.home / ".config/asimi").rename(self.home / "dotfiles/asimi")
            (self.home / ".config/asimi").symlink_to(self.home / "dotfiles/asimi")
        self.swap("project/out", self.link("project/web"))
        self.swap("project/src", self.link(".ssh"))
        self.swap("project/linked/keys", self.link("project/web"))
        self.swap("project/key", lambda path: path.write_text("x"))
        self.swap("project/json.py", lambda path: path.write_text("x"))
        self.swap("project/.env")
        self.swap("project/web/.git", lambda path: self.git("init", "-q", "--bare", str(path)))
        self.swap(".bashrc", self.link("project/rc"))
        self.swap("bin", self.link("project/tools"))
        self.swap("project/venv", self.link("project/tools"))

    def bare(self, *, back):
        """The repository is gone, and so are directories and files; a file is where a directory was."""
        self.swap("project/.git")
        self.swap("project/keys")
        self.swap("project/notes.md", lambda path: path.mkdir())
        self.swap("project/Makefile")
        self.swap("project/web", lambda path: path.write_text("x"))
        self.swap(".ssh")


STATES = ["first", "moved", "bare"]
ALL = pytest.mark.long, pytest.mark.timeout(1800)  # thirteen thousand processes


@pytest.fixture(scope="module")
def outside():
    """The environment of the tests, without what people set for asimi, Python and git."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("XDG_", "ASIMI_", "PYTHON", "GIT_", "TMPDIR"))]:
            patch.delenv(name)
        yield patch


@pytest.fixture(scope="module")
def world(tmp_path_factory, outside):
    """The world, in its first state."""
    world = World(Path(os.path.realpath(tmp_path_factory.mktemp("world"))))
    outside.setenv("PATH", f"{os.environ['PATH']}:{world.home}/bin:{world.root}/venv/bin")
    return world


@pytest.fixture(autouse=True)
def at_home(nobody, world, monkeypatch):
    """The home of the world is that of the tests."""
    monkeypatch.setenv("HOME", str(world.home))


def rows_of(world, every):
    """Each so many-th row of the tables, and all of our own."""
    rows = [*plain(str(world.root), str(world.home)), *listed()]
    own = [*map(Row, OWN.splitlines()), *rows[::every]]
    return [row for row in own if "/proc/" not in row.text]  # where processes come and go while the rows are judged


def decided_alone(world, rows):
    """What is decided on rows in each state by processes that judge only one of them."""
    for state in [*STATES, "first"]:  # git leaves files of its own, but no more the next time
        world.turn(state)
    of_lists = alone([row for row in rows if row.allowed is not None], str(world.root))  # in any state
    decided, here = {}, [row for row in rows if row.allowed is None]
    for state in STATES:
        world.turn(state)
        decided[state] = of_lists | alone(here, str(world.root))
    world.turn("first")
    return decided


def alike(one, other):
    """Whether the same was decided, at a cost that is less than a question about a directory apart.

    Which of two equal things is looked at first may go by the order of a set, which each process has for itself.
    """
    costs = zip(one.costs, other.costs, strict=True)
    return one._replace(costs=[]) == other._replace(costs=[]) and all(abs(a - b) < PRICES["below"] for a, b in costs)


def differing(world, rows, decided):
    """The rows on which one door decides otherwise than a new process, with the state of the world."""
    judge, found, root = Judge(str(world.root)), [], str(world.root)

    def differs(row, wanted):
        if alike(judge(row), wanted):
            return False
        # What is in directories of the system may change meanwhile.
        fixed = root in row.text or " /" not in row.text
        return fixed or not any(alike(judge(row), alone([row], root)[row]) for _ in range(3))

    for state, order in (("first", 1), ("moved", -1), ("bare", 1), ("first", -1), ("first", 1)):
        world.turn(state)
        found += [(state, row.text) for row in rows[::order] if differs(row, decided[state][row])]
    return found


@pytest.mark.parametrize("every", [270, pytest.param(1, marks=ALL)])
def test_no_decision_depends_on_what_a_door_has_judged_before(world, monkeypatch, every):
    rows = rows_of(world, every)
    decided = decided_alone(world, rows)
    assert all(decided["first"] != decided[state] for state in STATES[1:])
    assert differing(world, rows, decided) == []
    monkeypatch.setattr(requests, "REMEMBERED", 1 << 20)  # nothing is forgotten
    monkeypatch.setattr(guard, "REMEMBERED", 1 << 20)
    assert differing(world, rows, decided) == []


@pytest.mark.parametrize("every", [54, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("preset", ["reader", "developer", "ci"])
def test_judging_changes_nothing_of_what_was_read(world, preset, every):
    world.config.write_text(text_of(Start(preset), "x", "/tmp", "of the test") + RULES)
    judge, changed = Judge(str(world.root)), []
    for row in rows_of(world, every):
        policy, request = judge.asked(row)
        try:
            reading = policy.readings.of(request)
        except AsimiError:
            continue
        before = held(reading)
        judge(row)
        policy.unlisted_with_answers(request)
        if held(reading) != before:
            changed.append(row.text)
        assert policy.readings.of(request) is reading, row.text
    assert changed == []
