"""A throw-away project, what keeps it, and commands that change it in every way that the catalogue knows."""

from __future__ import annotations

import os
import stat
import subprocess

from asimi.core.call import Place, Request, Undo
from asimi.core.settings import State
from asimi.world.undo.keeper import Keeper
from asimi.world.undo.looks import Limits
from asimi.world.undo.restoring import Moment, make_plan, restore
from asimi.world.undo.store import Store

RULES = """
[files]
write = ["**"]
[undo]
keep = "3d"
[[rules]]
decision = "allow"
effects = ["read", "write", "delete", "code"]
"""
"""A configuration in which commands run and undo keeps."""

KEEP, LIMITS, ROOM = Undo(keep=86400.0), Limits(), State()

QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
IDENTITY = {f"GIT_{who}_{what}": f"{what}@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class Project:
    """A project with what keeps it.

    Args:
        directory: where both are made.
        undo: what is said of undo.
        limits: of a look.
        state: how much may be kept.
        git: whether it is a repository.
    """

    def __init__(self, directory, undo=KEEP, *, limits=LIMITS, state=ROOM, git=True):
        self.root, self.state = os.path.realpath(directory / "project"), str(directory / "state")
        os.makedirs(self.root)
        os.makedirs(directory / "outside", exist_ok=True)
        os.makedirs(self.state, mode=0o700)
        self.undo, self.limits, self.room = undo, limits, state
        self.said = []
        self.number = 0
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(directory)} | QUIET | IDENTITY
        if git:
            self.git("init", "-q")

    def keeper(self, session=""):
        """What keeps it, as a process of its own would have it."""
        return Keeper(
            self.state,
            self.root,
            undo=lambda: self.undo,
            limit=lambda: self.room,
            session=session,
            tell=self.said.append,
            limits=self.limits,
        )

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, content="", mode=None):
        """Make a file, and the directories above it."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        if mode is not None:
            os.chmod(path, mode)

    def git(self, *words, **options):
        return subprocess.run(
            ["git", *words], cwd=self.root, env=self.environ, check=True, capture_output=True, text=True, **options
        ).stdout

    def commits(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "x", "--allow-empty")

    def bash(self, text):
        """Run a text in the project, which is all that it can write, under limits; what waits for a pipe is ended."""
        held = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--bind", self.root, self.root, "--chdir", self.root]
        subprocess.run(
            [
                *LIMITED,
                *held,
                "--unshare-pid",
                "--unshare-net",
                "--die-with-parent",
                "timeout",
                "-s",
                "KILL",
                "5",
                "bash",
                "-c",
                text,
            ],
            check=False,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )

    def request(self, text="x", agent="cli", name=None):
        return Request("run_shell_command", text, None, Place.at(self.root, self.root), id=name, agent=agent)

    def call(self, text, run=None):
        """Run a text as a call that is kept; the call as it is written down, None where it changed nothing."""
        self.number += 1
        name, keeper = f"call-{self.number:04}", self.keeper()
        assert keeper.before(name, self.request(text))
        (run or self.bash)(text)
        keeper.after(name)
        return next((each for each in self.keeper().calls.all() if each.id == name), None)

    def takes_back(self, call, only=(), at_step=None):
        """Take back what a call changed, as `asimi undo` does after a yes; what could not be done."""
        keeper = self.keeper()
        with keeper.lock(), Store(keeper.directory) as store:
            now = keeper.look_now(store).root
            after = bytes.fromhex(call.after) if call.after else now
            plan = make_plan(store, [Moment(bytes.fromhex(call.before), after)], now, only)
            self.plan = plan
            return restore(self.root, store, plan.steps if at_step is None else plan.steps[:at_step])


def tree_of(root, without=(".git",)):
    """Everything below a directory: kind, permissions, content."""
    found = {}
    for directory, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each not in without]
        for name in [*names, *folders]:
            path = os.path.join(directory, name)
            there = os.lstat(path)
            mode = stat.S_IMODE(there.st_mode)
            if stat.S_ISLNK(there.st_mode):
                what = "link", os.readlink(path)
            elif stat.S_ISDIR(there.st_mode):
                what = "directory", mode
            elif stat.S_ISREG(there.st_mode):
                with open(path, "rb") as file:
                    what = "file", mode, file.read()
            else:
                what = "special", mode
            if name not in without:
                found[os.path.relpath(path, root)] = what
    return found


LIMITED = ("prlimit", f"--fsize={1 << 22}", "--cpu=10", f"--as={1 << 31}", "--nofile=64")


NAMES = ("a", "b.txt", "c d", "-e", "ü", "f\n", "g.py", ".h", "*", "i'j")

WRITERS = """
rm -f {f}
rm -rf {p}
unlink {f}
rmdir {d}
mv -f {p} {n}
mv -f {f} {d}/
cp -f {f} {n}
cp -rf {d} {n}
cp -rf {d} {d}/
install -m 750 {f} {n}
ln -sf {f} {n}
ln -sfn {d} {n}
ln -f {f} {n}
touch {n}
truncate -s 3 {f}
sed -i s/o/0/g {f}
tee -a {f} <<< more
echo new > {n}
: > {f}
cat {f} >> {n}
mkdir -p {n}/x/y
find {d} -type f -delete
find . -name '*.txt' -delete
find {d} -depth -exec rmdir {{}} +
chmod 600 {f}
chmod -R u+x {d}
dd if=/dev/zero of={f} bs=10 count=3 conv=notrunc
shred -u -n 1 {f}
split -b 4 {f} {d}/part.
sort -o {f} {f}
tar cf {n} {d}
tar cf {d}/t.tar {f}; tar xf {d}/t.tar -C {d}
patch -o {n} {f} /dev/null
python3 -c 'import os,sys; os.replace(sys.argv[1], sys.argv[2])' {f} {n}
python3 -c 'import shutil,sys; shutil.rmtree(sys.argv[1])' {d}
perl -pi -e 's/l/L/' {f}
rm -rf {f}; mkdir {f}; echo x > {f}/x
rm -rf {d}; echo x > {d}
rm -rf {d}; ln -s ../outside {d}
git add -A; git mv -f {f} {n}
git add -A; git stash
git checkout -f -- .
git clean -fdq
git rm -rfq --ignore-unmatch {p}
git add -A; git commit -qm y; git reset -q --hard HEAD~1
mkfifo {n}
""".strip().splitlines()
"""Texts that write or delete: `{f}` a file, `{d}` a directory, `{p}` either, `{n}` a name that may be new."""


def generated(random, project):
    """A text for what is there now; all of its operands are below the project."""
    from shlex import quote

    files, folders = [], []
    for path, (kind, *_) in tree_of(project.root).items():
        (folders if kind == "directory" else files).append(path)
    base = random.choice(["", *folders])
    new = os.path.join(base, random.choice(NAMES))
    chosen = {
        "f": random.choice(files or [new]),
        "d": random.choice(folders or [new]),
        "p": random.choice(files + folders or [new]),
        "n": new,
    }
    return random.choice(WRITERS).format(**{key: quote(f"./{value}") for key, value in chosen.items()})


def grown(random, project):
    """Fill a project with names of every kind."""
    folders = ["", "src", "src/deep", "empty", "we ird"]
    for each in folders:
        os.makedirs(project.path(each), exist_ok=True)
    for _ in range(random.randint(3, 14)):
        name = os.path.join(random.choice(folders), random.choice(NAMES))
        if not os.path.lexists(project.path(name)):
            kind = random.randrange(8)
            if kind == 0:
                os.symlink(random.choice(["a", "nowhere", "../outside", "src"]), project.path(name))
            elif kind == 1:
                os.makedirs(project.path(name))
            else:
                size = random.choice([0, 5, 40, 9000])
                project.write(name, random.randbytes(size), random.choice([0o644, 0o600, 0o755, 0o444]))
