"""What no text shows does not reach beyond the sandbox, nor start a program that an exec rule names.

Every way finds its victim in a file, so no word of the command says what is lost.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile

import pytest
from cli.test_sandboxed import ALL, pytestmark  # noqa: F401 - the same machines
from helpers.home import OTHER_PYTHONS, Home

# The programs that a way needs, and its text; W is the file that says where the victim is. Those of RM start rm.
OWN = {
    "python": ("python3", "python3 -c 'import os; os.remove(open(\"W\").read())'"),
    "python truncates": ("python3", "python3 -c 'import os; os.truncate(open(\"W\").read(), 0)'"),
    "python and a file": ("python3", "python3 remove.py W"),
    "a python that stays": (
        "python3",
        "python3 -c 'import os; os.fork() or os.remove(open(\"W\").read())'",
    ),
    "perl": ("perl", "perl -e 'open F, \"W\"; unlink <F>'"),
    "node": ("node", 'node -e \'fs.rmSync(fs.readFileSync("W", "utf8"))\''),
    "awk writes": ("awk", "awk '{print \"lost\" > $0}' W"),
    "sed writes": ("sed", "sed 's/.*/w &/' W > W.sed; sed -n -f W.sed Makefile"),
    "find": ("find", "xargs -a W -I@ find @ -delete"),
    "cp": ("cp", "xargs -a W cp /dev/null"),
    "moved away": ("python3", 'python3 -c \'import shutil; shutil.move(open("W").read(), "away")\''),
    "replaced": ("python3", 'touch W.new; python3 -c \'import os; os.replace("W.new", open("W").read())\''),
    "tee": ("tee", "xargs -a W tee < /dev/null"),
    "tar": ("tar", "tar xPf W.tar"),
    "cc": ("cc", "cc -o W.out -x c unlink.c && xargs -a W ./W.out"),
    "a link to a directory": ("sh", "sh empty.sh W"),
}
RM = {
    "make from a pipe": ("make", "echo 'all: ; @+m `cat W`' | tr + r | make -f -"),
    "make": ("make", "make FILE=W"),
    "an edited script": ("sed", "sed 's/cat/'r'm/' edited.sh > W.sh; sh W.sh W"),
    "a hook of git": ("git", "cp W .git/where && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"),
    "awk": ("awk", 'awk \'{system("r" "m " $0)}\' W'),
    "perl starts": ("perl", 'perl -e \'open F, "W"; exec "r" . "m", <F>\''),
    "python starts": ("python3", 'python3 -c \'import os; os.system(chr(114) + "m " + open("W").read())\''),
    "a daemon": ("setsid", "setsid -f sh remove.sh W; sleep 1"),
    "the loader": ("sh", "sh loader.sh W"),
}
WAYS = OWN | RM
FILES = {
    "Makefile": "all:\n\trm $$(cat $(FILE))\n",
    "remove.py": "import os, sys\nos.remove(open(sys.argv[1]).read())\n",
    "remove.sh": 'rm "$(cat "$1")"\n',
    "edited.sh": '"cat" "$(head "$1")"\n',
    "empty.sh": ': > "up/$(basename "$(cat "$1")")"\n',
    "loader.sh": 'for each in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do "$each" /bin/rm "$(cat "$1")"; done\n',
    "unlink.c": "#include <unistd.h>\nint main(int c, char **v) { return unlink(v[1]); }\n",
    ".git/hooks/pre-commit": '#!/bin/sh\nrm "$(cat .git/where)"\n',
}
SANDBOX = '[sandbox]\nmode = "project"\nbackend = "{}"\n'
EXECS = '[[rules]]\ndecision = "deny"\ncommand = "rm"\nenforce = "exec"\n'
HOLDS = {
    "nothing": ("", "outside"),
    "landlock": (SANDBOX.format("landlock"), "outside"),
    "bubblewrap": (SANDBOX.format("bubblewrap"), "outside"),
    "exec rules": (EXECS, "root/inside"),
    "both": (EXECS + SANDBOX.format("landlock"), "outside"),
}
"""What holds the commands, and where their victims are."""


@pytest.fixture(scope="module", params=HOLDS)
def lost(request, tmp_path_factory):
    """What holds the commands, and the answers of the ways whose victim was lost or changed."""
    top = tmp_path_factory.mktemp("beneath")
    config, place = HOLDS[request.param]
    home = Home(top, ALL + config + OTHER_PYTHONS)
    project(home.root, top / place)
    calls, victims = [], {}
    for number, (name, (program, text)) in enumerate(WAYS.items()):
        if shutil.which(program):
            victim = top / place / f"victim{number}"
            victim.write_text("kept")
            (home.root / f"where{number}").write_text(str(victim))
            with tarfile.open(home.root / f"where{number}.tar", "w") as archive:
                archive.addfile(tarfile.TarInfo(str(victim)), io.BytesIO())
            calls.append({"command": text.replace("W", f"where{number}")})
            victims[name] = victim
    answers = dict(zip(victims, home.answers(*calls), strict=True))
    if "it needs bubblewrap" in str(answers):
        pytest.skip("there is no bubblewrap here")
    return request.param, {
        name: (not victim.is_file() or victim.read_text() != "kept", answers[name]) for name, victim in victims.items()
    }


def project(root, place):
    """A project with what the ways need, and a link to the place of their victims."""
    subprocess.run(["git", "init", "-q", root], check=True)
    for name, text in FILES.items():
        (root / name).write_text(text)
    (root / ".git/hooks/pre-commit").chmod(0o755)
    (root / "away").mkdir()
    (root / "up").symlink_to(place)
    place.mkdir()


@pytest.mark.parametrize("way", WAYS)
def test_what_no_text_shows(lost, way):
    holds, outcomes = lost
    if way not in outcomes:
        pytest.skip(f"there is no {WAYS[way][0]} here")
    gone, answer = outcomes[way]
    assert "error" not in answer or answer["error"] is None, answer
    if holds == "nothing":  # so the way is one
        assert gone, answer
    elif holds == "exec rules":  # docs/reference/sandbox.md: "the effect is not stopped"
        assert gone == (way in OWN), answer
        assert bool(answer.get("refused")) == (way in RM)
    else:
        assert not gone, answer
        assert bool(answer.get("refused")) == (holds == "both" and way in RM)
