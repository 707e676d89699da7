"""Which commands of a text leave a box by rules with `outside = true`, each by itself, while the rest runs inside."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from helpers import PATIENCE
from helpers.home import Home

TRIES = 600
"""Generated texts."""

CONFIG = """\
[shell]
substitution = "judge"

[[rules]]
decision = "allow"
command = [["git", "gh", "docker", "kubectl", "aws", "adb"]]
outside = true
"""

ROWS = [
    tuple(line.replace("\\n", "\n").split(" ", 1))
    for line in Path(__file__).with_name("apart.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def unmarked(text):
    """A text without its marks, and the places that were between them."""
    plain, spans, begun = "", [], []
    for piece in re.split("([«»])", text):
        if piece == "«":
            begun.append(len(plain))
        elif piece == "»":
            spans.append([begun.pop(), len(plain)])
        else:
            plain += piece
    return plain, sorted(spans)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("apart"), CONFIG)
    for words in ("init -q -b main", "remote add origin git@example.org:me/it.git"):
        subprocess.run(["git", *words.split()], cwd=home.root, env=home.environ, check=True)
    return home


def judged(home, texts, **environ):
    """The verdicts on texts in a box."""
    table = home.root.parent / "table.jsonl"
    table.write_text("".join(json.dumps({"command": text}) + "\n" for text in texts))
    done = home.asimi("policy", "test", "--in-box", "--json", str(table), environ=environ)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def found(home):
    texts = [unmarked(text.replace("{root}", str(home.root)))[0] for _, text in ROWS]
    return dict(zip((text for _, text in ROWS), judged(home, texts), strict=True))


@pytest.mark.parametrize(("verdict", "text"), ROWS)
def test_what_leaves_a_box_by_itself(home, found, verdict, text):
    _, spans = unmarked(text.replace("{root}", str(home.root)))
    row = found[text]
    assert row["verdict"] == verdict, row["reasons"]
    assert [part["span"] for part in row.get("apart", ())] == spans if verdict == "allow" else "apart" not in row
    assert {part["directory"] for part in row.get("apart", ())} <= {str(home.root)}


# ---- what stands in a command's place, in the real bash --------------------------------------------------------------

STAND_IN = """\
#!/bin/sh
printf '%s' "${0##*/}"
printf ' <%s>' "$@"
printf ' in %s, REACH=%s, given %s\\n' "${PWD##*/}" "$REACH" "$(cat)"
case " $* " in *" fails "*) exit 7;; esac
"""
"""Says its words, its directory, a variable and all that it can read."""

CLIENT = """\
#!/bin/sh
case "$2" in ticket-*) ;; *) shift; exec env -i PATH="$PATH" REACH=start "$@" < /dev/null;; esac
mv "{0}/$2" "{0}/$2.used" 2>/dev/null || {{ echo "no ticket" >&2; exit 126; }}
[ "$PWD" = "{1}" ] || exit 126
exec env -i PATH="$PATH" REACH=start sh "{0}/$2.used" < /dev/null
"""
"""Runs what a ticket stands for, once, or the words that it is given, with the environment of the start."""

PROGRAMS = ["gh pr view", "gh pr list", "docker ps", "kubectl get pods", "echo u", "true", "false"]
WORDS = ["12", "'a  b'", '"c d"', "fails", "e\\ f", "'$(x)'", '"#"', '""', "-", '"$n"', "{1,2}"]

SHAPES = [
    line.replace("\\n", "\n")
    for line in Path(__file__).with_name("apart_shapes.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def text(random, depth):
    """A text of these shapes, with stand-ins in it."""
    if depth == 0:
        return " ".join([random.choice(PROGRAMS), *random.sample(WORDS, random.randrange(3))])
    inner = {letter: text(random, random.randrange(depth)) for letter in "ABC"}
    return re.sub(r"\b[ABC]\b", lambda match: inner[match[0]], random.choice(SHAPES))


def test_bash_prints_the_same_with_clients_in_place_of_what_leaves(home):
    random, top = Random(39), home.root.parent
    programs, tickets = top / "bin", top / "tickets"
    programs.mkdir()
    tickets.mkdir()
    scripts = dict.fromkeys(["gh", "docker", "kubectl"], STAND_IN) | {"asimi": CLIENT.format(tickets, home.root)}
    for name, content in scripts.items():
        (programs / name).write_text(content)
        (programs / name).chmod(0o755)
    environ = {"PATH": f"{programs}:/usr/bin:/bin", "REACH": "start", "HOME": str(home.home), "LANG": "C.UTF-8"}

    def ran(line):
        for name in ("out", "in"):
            (home.root / name).write_text("given\n")
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        bash = ["bash", "-c", "--", line]
        done = subprocess.run(bash, cwd=home.root, env=environ, timeout=PATIENCE, check=False, **streams)
        return done.returncode, done.stdout.decode()

    texts = [text(random, 1 + number % 3).replace("ROOT", str(home.root)) for number in range(TRIES)]
    left = 0
    for line, row in zip(texts, judged(home, texts, REACH="start"), strict=True):
        if "apart" not in row:
            continue
        pieces, end = [], 0
        for number, part in enumerate(row["apart"]):
            (tickets / f"ticket-{number}").write_text(line[slice(*part["span"])])
            pieces += [line[end : part["span"][0]], "asimi outside " + f"ticket-{number}" * (not part["asks"])]
            end = part["span"][not part["asks"]]
        replaced = "".join((*pieces, line[end:]))
        assert ran(replaced) == ran(line), (line, replaced)
        left += 1
    assert left > TRIES // 20
