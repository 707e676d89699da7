"""The directories in which a command may run, as bash goes to them."""

import json
import os
import random
import re
import subprocess

import pytest
from helpers.home import Home

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.machine import Machine
from asimi.core.judging.paths import Paths
from asimi.core.reading import Readings
from asimi.core.reading.shapes import MARKS

HOME, ROOT = "/home/me", "/home/me/project"


def directories(text):
    """Where the command `here` of a text may run; `?` where that is not known."""
    request = Request("run_shell_command", text, None, Place(ROOT, ROOT, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    paths = Paths(Machine(HOME, os.path.normpath, {}), request, reading, Budget())
    (here,) = [command for command in reading.commands if command.literals[0] == "here"]
    return {"?" if each is None else os.path.relpath(each, ROOT) for each in paths.at(here)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("here", {"."}),
        ("cd a && here", {"a"}),
        ("cd a; here", {".", "a"}),
        ("cd a\nhere", {".", "a"}),
        ("cd a && x && here", {"a"}),
        ("cd a && x | here", {"a"}),
        ("cd a && x; here", {".", "a"}),
        ("cd a || here", {".", "a"}),
        ("! cd a && here", {".", "a"}),
        ("cd a && cd b && here", {"a/b"}),
        ("cd a && cd ../b && here", {"b"}),
        ("cd a && { cd b; here; }", {"a", "a/b"}),
        ("cd a && (cd b) && here", {"a"}),
        ("(cd a) && here", {"."}),
        ("(cd a; (cd b); here)", {".", "a"}),
        ("((cd a) && (cd b; here))", {".", "b"}),
        ("{ cd a; } && here", {".", "a"}),
        ("cd a | x && here", {".", "a"}),
        ("cd a & here", {".", "a"}),
        ("here; cd a", {"."}),
        ("cd /tmp && here", {"../../../tmp"}),
        ("cd && here", {".."}),
        ("cd ~/x && here", {"../x"}),
        ("cd -- a && here", {"a"}),
        ("cd -P a && here", {"a"}),
        ("cd - && here", {"?"}),
        ('cd "$d" && here', {"?"}),
        ("cd a* && here", {"?"}),
        ("d=a; cd $d && here", {"a"}),
        ("cd a b && here", {"?"}),
        ("pushd a && here", {"a"}),
        ("pushd a && popd && here", {".", "a"}),
        ("cd a && bash -c 'cd b; here'", {"a", "?"}),
        ("pushd a; popd; here", {".", "a"}),
        ("cd a && bash -c here", {"a"}),
        ("bash -c 'cd a; here'", {".", "?"}),
        ("env -C a here", {".", "a"}),
        ("env -C/etc here; x", {".", "../../../etc"}),
        ("cd b && env --chdir=a nice here", {"b", "b/a"}),
        ("env -C a env -C b here", {".", "a", "b", "a/b"}),
        ("env -C a bash -c 'x; here'", {".", "a"}),
        ("env -C a x; here", {"."}),
        ("xargs -I{} env -C {} here", {".", "?"}),
        ('env -C "$d" here', {".", "?"}),
        ("eval 'cd a'; here", {".", "?"}),
        ("eval 'cd a; here'", {".", "?"}),
        ("bash <<'E'\ncd a\nhere\nE", {".", "?"}),
        ("for x in 1 2; do here; cd a; done", {".", "a", "?"}),
        ("for x in 1 2; do cd /tmp && here; done", {".", "../../../tmp"}),
        ("cd a && here; python3 -c 'for x in y(): pass'", {"a"}),
        ("cd a && here\npython3 - <<'E'\nwhile f():\n    pass\nE", {"a"}),
        ("for x in 1 2; do here; cd a; python3 -c 'f()'; done", {".", "a", "?"}),
        ("timeout 5 here; cd a", {"."}),
        ("cd a && timeout 5 here", {"a"}),
    ],
)
def test_the_directories_of_a_command(text, expected):
    assert directories(text) == expected


@pytest.mark.parametrize(
    "path",
    [
        "a/b/c",
        "link/c",
        "link/../a",
        "a/../link/c",
        "loop/x",
        "a/b/file/x",
        "gone/x/y",
        "link",
        ".",
        "link/.",
        "a//b/",
        "up/b",
    ],
)
def test_a_path_that_is_followed_part_by_part_is_the_real_one(tmp_path, path):
    """As realpath(3) follows it, also through links, around in circles and to where nothing is."""
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").touch()
    for name, leads in {"link": "a/b", "loop": "loop", "up": "a/b/.."}.items():
        (tmp_path / name).symlink_to(leads)
    machine = Machine(HOME, os.path.realpath, {}, links=os.path.islink)
    request = Request("run_shell_command", "true", None, Place(str(tmp_path), str(tmp_path), inside=True))
    paths = Paths(machine, request, Readings((), (), judge_substitutions=False).of(request), Budget())
    assert paths.real(f"{tmp_path}/{path}") == os.path.realpath(f"{tmp_path}/{path}")


@pytest.mark.skipif(os.access("/proc/1/root/", os.R_OK), reason="every link of process 1 can be read here")
def test_a_path_through_a_link_that_may_not_be_read_is_a_question(tmp_path):
    """Each row has a verdict: what of one nobody can tell takes no other away."""
    home = Home(tmp_path, '[[rules]]\ndecision = "allow"\neffects = ["read"]\n')
    rows = home.root / "rows.jsonl"
    commands = ["ls", "cat /proc/1/root/etc/shadow", "cat /proc/1/cwd/x", "cat README"]
    rows.write_text("".join(json.dumps({"command": each}) + "\n" for each in commands))
    said = home.asimi("policy", "test", str(rows), "--json").stdout.splitlines()
    assert [json.loads(line)["verdict"] for line in said] == ["allow", "ask", "ask", "allow"]


PIECES = ["{", "{", ",", ",", "}", "}", "a", "..", "1..3", "../x", "{}", "{a,b}", "{{a,b},c}", "{a}"]
NAMED = ["$v", "$", "${v}", "$va", '"$v"', "'b'", "\\\n", "{$v,b}", "{b,$}", "{v,va}", "$c", '"a"']
SET = {"v": "..", "va": "../..", "vb": "/etc", "c": "x,y"}


def test_braces_name_what_bash_makes_of_them():
    """Also of words that hardly anybody writes: `touch {a},../x}` makes `a}` and `../x` (bash's source, braces.c)."""
    chance = random.Random(59)
    words = ["w" + "".join(chance.choices(PIECES, k=chance.randint(2, 8))) for _ in range(1500)]
    words += ["w" + "".join(chance.choices(PIECES + NAMED * 2, k=chance.randint(2, 6))) for _ in range(1500)]
    words = [word for word in (*words, *(word[1:] for word in words)) if not re.search(r"\$(?:\\\n)*\{(?!v\})", word)]
    given = "".join(f"{name}={value}; " for name, value in SET.items())
    script = given + "".join(f"printf '%s\\n' {word}\necho -\n" for word in words)
    done = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=True)
    made = [text.splitlines() for text in done.stdout.split("-\n")[:-1]]
    for word, expected in zip(words, made, strict=True):
        request = Request("run_shell_command", f"{given}here {word}", None, Place(ROOT, ROOT, inside=True))
        reading = Readings((), (), judge_substitutions=True).of(request)
        paths = Paths(Machine(HOME, os.path.normpath, {}), request, reading, Budget())
        (here,) = [command for command in reading.commands if command.literals[0] == "here"]
        known = {shape for index in range(1, len(here.words)) for shape in paths.shapes(here, index)}
        unknown = any(not MARKS.isdisjoint(shape) for shape in known)
        assert unknown or known >= {*expected} - {""}, (word, known, expected)
