"""Boxes around a shell, as ourselves and as an ordinary user, in a project and a home of their own."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from helpers import MODULES
from helpers.sandboxes import AS_NOBODY, NOBODY, nobodys_python, skip


def holds_name(path):
    """Whether a directory was made to hold its name."""
    try:
        return os.stat(path).st_mode & 0o1022 == 0o1000 and not os.listdir(path)
    except FileNotFoundError:  # it is just being removed
        return False


def left_below(home, root):
    """The names that boxes have left in a home and a project, and what they have left of asimi's."""
    state = home / ".local/state/asimi"
    records = [*state.glob("boxes/*"), *state.glob("run/box-*")]
    directories = [at for top in (root, home) for at, _, _ in os.walk(top)]
    return [*map(str, records), *filter(holds_name, directories)]


DRIVER = r"""
import json, os, re, sys, threading, time
from asimi.compose import Options as Choice, places
from asimi.compose.configuration import configuration_of
from asimi.core.errors import AsimiError
from asimi.world.box import enforcer
from asimi.world.box.box import Box
from asimi.core.call import Verdict
from asimi.core.judging.names import name_of
from asimi.core.judging.network_verdict import Lists
from asimi.world.box.name_decisions import NameDecider
from asimi.world.box.layout import Options, layout_of
from asimi.doors.wrap.hooked import hook_of
from asimi.world.box.profiles import profile_of
from asimi.world.host.places import bases_of

wish = json.loads(sys.stdin.readline())
answers = os.fdopen(os.dup(1), "w")
environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # which is for this process


def laid_out():
    from asimi.core.settings import BoxSettings

    settings = configuration_of(Choice(root=wish["root"])).settings()
    guard, profile = settings.policy.terms.protected, profile_of(wish["agent"])
    programs = ("/bin/bash", sys.executable)
    reach, publish = tuple(map(name_of, wish["reach"])), tuple(wish["publish"])
    options = Options(tuple(wish["write"]), tuple(wish["read"]), reach, publish)
    boxed = BoxSettings(**{name: tuple(each) if isinstance(each, list) else each for name, each in wish["box"].items()})
    bases = bases_of(environ)
    return layout_of(guard, profile, bases, places(), environ, programs, options, boxed,
        hook_of(profile, "/run/asimi/hook it's", environ, places().state))


def answer(what):
    print(json.dumps(what), file=answers, flush=True)


try:
    enforcer.AGAIN = wish["again"]
    layout = laid_out()
    if wish["only"]:
        answer({"layout": layout.explain() | {"values": dict(layout.environment), "notes": list(layout.notes)}})
        sys.exit()
    box = Box(layout, lambda: laid_out().hidden)
    box.appeared = lambda path, to: moved.append([path, to])
    box.named = lambda path: path in wish["named"]
    box.ends = lambda path: asked.append(path) or wish["ends"]
    lists = lambda: Lists(layout.reach, tuple(name_of(each, blocks=True) for each in wish["deny"]), tuple(
        name_of(each, blocks=True) for each in wish["private"]), unlisted=Verdict.DENY)
    box.deciding = NameDecider(lists, told=lambda each: reached.append(each._asdict()))
    moved, reached, asked, (inward, typed), (heard, outward) = [], [], [], os.pipe(), os.pipe()
    early = []

    def ask_early():  # as soon as anything runs in there
        while not box.first:
            time.sleep(0.0002)
        early.append(box.restore())

    asks = threading.Thread(target=ask_early, daemon=True)
    asks.start()
    with box:
        box.start(["bash", "--norc"], wish["directory"] or wish["root"], (inward, outward, outward), None)
        os.close(inward), os.close(outward)
        asks.join()
        answer({"first": box.first, "runtime": box.runtime, "early": early})
        for line in sys.stdin:
            name, *words = json.loads(line)
            if name == "run":
                said, why = b"", ""
                try:
                    os.write(typed, words[0].encode() + b"\nprintf '\\0%s\\0' $?\n")
                except BrokenPipeError:
                    why = box.restore()
                while not (end := re.search(rb"\0(\d+)\0\Z", said)) and (more := os.read(heard, 65536)):
                    said += more
                text = said[: end.start()] if end else said + why.encode()
                answer([text.decode(errors="replace"), int(end[1]) if end else None])
            elif name == "still":
                with box.still():
                    answer("still")
                    sys.stdin.readline()
                answer("goes on")
            elif name == "moved":
                answer(moved)
            elif name == "asked":
                answer(asked)
            elif name == "memory":
                with open("/proc/self/statm") as file:
                    answer(int(file.read().split()[1]) * 4096)
            elif name == "reached":
                box.deciding.tell()
                answer(reached)
            else:
                answer(getattr(box, name)(*words))
    answer("ended")
except AsimiError as error:
    answer({"refused": str(error)})
"""
"""Makes a box as its first line wants it, and does in it what the next ones say."""


class Yard:
    """A home, a project and what lies beside them; boxes in there are made by a process of the user's own.

    Attributes:
        top: what holds all of it.
        root: the project, with a repository of git's.
        home: the home.
        outside: a directory beside them, with a file `kept` that says `kept`.
        within: words that start a program in another network, before its own.
    """

    def __init__(self, *, nobody=False, below="/var/tmp", within=()):
        if nobody and not nobodys_python():
            skip("only root can become somebody else, who must have a Python to start")
        self.nobody, self.boxes, self.within = nobody, [], within
        self.top = Path(os.path.realpath(tempfile.mkdtemp(prefix="asimi-box-", dir=below)))
        self.root, self.home, self.outside = (self.top / name for name in ("project", "home", "outside"))
        for each in (self.root, self.home, self.outside):
            each.mkdir(mode=0o700)
        (self.outside / "kept").write_text("kept")
        self.own()
        self.git("init", "-q", "-b", "main")
        for setting in ("user.name Ada", "user.email ada@example.org"):
            self.git("config", *setting.split())
        self.write(self.root / "file", "one\n")
        self.git("add", "file")
        self.git("commit", "-q", "-m", "one")
        self.own()

    def git(self, *words, cwd=None):
        user = AS_NOBODY if self.nobody else ()
        environ = {"PATH": os.defpath, "HOME": str(self.home), "GIT_ALLOW_PROTOCOL": "file"}
        subprocess.run([*user, "git", *words], cwd=cwd or self.root, check=True, env=environ)

    def write(self, path, text="", mode=None):
        """Write a file, as the user of the yard."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if mode is not None:
            path.chmod(mode)
        self.own()
        return path

    def own(self):
        """Give all of it to the user of the yard."""
        if self.nobody:
            for path in (self.top, *self.top.rglob("*")):
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def replace(self, path, text):
        """Replace a file by rename, as an editor does."""
        other = Path(f"{path}.new")
        other.write_text(text)
        if self.nobody:
            os.chown(other, NOBODY, NOBODY)
        other.rename(path)

    def process(self, wish, environment=None):
        """A process that makes a box."""
        python = nobodys_python() if self.nobody else sys.executable
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm", **MODULES}
        usual = {
            "root": str(self.root),
            "agent": "",
            "write": [],
            "read": [],
            "reach": [],
            "deny": [],
            "private": [],
            "publish": [],
            "box": {},
            "directory": "",
            "only": False,
            "again": 60,
            "named": [],
            "ends": False,
        }
        user = AS_NOBODY if self.nobody else ()
        done = subprocess.Popen(
            [*user, *self.within, python, "-c", DRIVER],
            env=environ | (environment or {}),
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        done.stdin.write(json.dumps(usual | wish) + "\n")
        done.stdin.flush()
        return done

    def layout(self, *, environment=None, **wish):
        """What a box would be, as data; or why there is none."""
        process = self.process(wish | {"only": True}, environment)
        said = json.loads(process.communicate()[0])
        return said.get("layout") or said["refused"]

    def box(self, *, environment=None, **wish):
        """A box with a shell in it."""
        self.boxes.append(Inside(self.process(wish, environment)))
        return self.boxes[-1]

    def untouched(self):
        """Whether nothing beside the project has changed."""
        return {path.name: path.read_text() for path in self.outside.iterdir()} == {"kept": "kept"}

    def left(self):
        """The names that boxes have left in the project, and what they have left of asimi's."""
        return left_below(self.home, self.root)

    def end(self):
        """End all boxes and remove everything."""
        for box in self.boxes:
            box.end()
        shutil.rmtree(self.top)


class Inside:
    """A box that runs.

    Attributes:
        first: the first process in it.
        runtime: its own directory outside.
        early: what it held when something ran in it for the first time.
        process: the process that made it.
    """

    def __init__(self, process):
        self.process, self.over = process, False
        said = json.loads(process.stdout.readline() or '{"refused": "it ended"}')
        assert "first" in said, said
        self.first, self.runtime, self.early = said["first"], said["runtime"], said["early"]

    def ask(self, *words):
        """Have the process do something with its box."""
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __call__(self, command):
        """What a command in there prints, on both streams, and its exit code."""
        return tuple(self.ask("run", command))

    def end(self):
        """End the box."""
        if not self.over:
            self.over = True
            self.process.communicate()
