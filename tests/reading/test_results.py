"""What is said of results of substitutions is true of what bash and these programs really give."""

import re
import subprocess
import tempfile

import pytest

from asimi.core.reading.results import result_of
from asimi.core.reading.shapes import ANY, DIGIT, HEX, LETTERS, MADE, TEMPORARY, TOP
from asimi.core.syntax import parse

MEANT = {ANY: ".*", DIGIT: "[0-9]+", HEX: "[0-9a-f]+", LETTERS: "[0-9A-Za-z]+", MADE: "[0-9A-Za-z]+"}

KNOWN = """
date +%F
date -u +%Y%m%dT%H%M%S
date "+%H:%M"
date +%s
date +%j_%u_%w_%V_%U_%W_%G_%g_%C_%y_%I_%R_%T
seq 7
seq 8 12
seq 0 1000 2>/dev/null
wc -l < /etc/passwd
< /etc/passwd wc --words
ls / | wc -l
{ echo a; ls; } | sort -u | wc -c
nproc
id -u
uname -s
uname
mktemp
mktemp -d
mktemp -qd
mktemp -d /tmp/asimi.XXXXXX
pwd
basename src/app.py
dirname src/app.py
dirname app.py
which sh
git rev-parse HEAD
git rev-parse --short HEAD
git rev-parse --verify main
git merge-base HEAD main
git rev-list --count HEAD
git rev-parse --show-toplevel
git rev-parse --git-dir
"""

UNKNOWN = """
date
date +%c
date +%A
date +-%H
date '+%F %T'
date +%H/%M
date +%e
date +%-H
date +%Z
date -d x +%F
date -f data +%F
date "$x"
date +%$x
date +%F 2>&1
seq -f '%g' 3
seq 3 -1 1
seq $n
seq 1 2 3
date +%N
LC_ALL=C date +%F
date +%F; date +%c
date +%F | cat
date +%F > x
{ date +%F; }
! date +%F
time date +%F
for i in 1 2; do date +%F; done
while date +%F; do break; done
date() { cat data; }; date +%F
wc -l
wc < x
wc -l x < x
wc -lc < x
echo; ls | wc -l
ls | wc -l; echo
ls | wc -l | cat
ls && ls | wc -l
wc -l < x &
wc -l < x > y
mktemp -u
mktemp -p src
mktemp --tmpdir=src
mktemp foo.XXXXXX
mktemp /etc/foo.XXXXXX
mktemp /tmp/../etc/foo.XXXXXX
pwd -P
basename "$x"
basename ../.env
basename src/app.py .py
git rev-parse name
git rev-parse HEAD main
git rev-parse --all
git branch --show-current
git describe --tags --abbrev=0
git -C x rev-parse HEAD
git merge-base --all HEAD main
id
id -un
uname -a
which -a sh
"""


def of(text):
    """What is known of the result of a substitution that holds a text."""
    [substitution] = parse(f"echo $({text})").substitutions
    return result_of(substitution)


def given(text, place):
    """What bash really gives for it, in the C locale."""
    command = ["bash", "-c", f'printf %s "$({text})"']
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=True, timeout=10).stdout


@pytest.mark.parametrize("text", KNOWN.strip().splitlines())
def test_a_result_of_a_known_shape_has_that_shape(tmp_path, text):
    setting = ["git", "-c", "user.name=x", "-c", "user.email=x", "-C", str(tmp_path)]
    for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run([*setting, *words], check=True)
    result = of(text)
    below = {TEMPORARY: tempfile.gettempdir(), TOP: str(tmp_path), "PWD": str(tmp_path), "": ""}[result.below]
    shape = re.escape(below + result.shape)
    for mark, known in MEANT.items():
        shape = shape.replace(re.escape(mark), known)
    lines = given(text, tmp_path).split("\n")
    if "--git-dir" in text:
        lines = [str(tmp_path / line) for line in lines]
    assert all(re.fullmatch(shape, line) for line in lines), (shape, lines)
    assert len(lines) == 1 or of(text).many


@pytest.mark.parametrize("text", UNKNOWN.strip().splitlines())
def test_of_what_may_give_anything_nothing_is_known(text):
    assert of(text) is None
