"""What is said of results of substitutions is true of what bash and these programs really give."""

import re
import subprocess

import pytest

from asimi.core.reading.results import DIGIT, result_of
from asimi.core.syntax import parse

KNOWN = """
date +%F
date -u +%Y%m%dT%H%M%S
date "+%H:%M"
date +%s
date +%j_%u_%w_%V_%U_%W_%G_%g_%C_%y_%I_%R_%T
seq 7
seq 8 12
seq 0 1000 2>/dev/null
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
    shapes = [re.escape(shape).replace(re.escape(DIGIT), "[0-9]") for shape in of(text).shapes]
    lines = given(text, tmp_path).split("\n")
    assert all(any(re.fullmatch(shape, line) for shape in shapes) for line in lines)
    assert len(lines) == 1 or of(text).many


@pytest.mark.parametrize("text", UNKNOWN.strip().splitlines())
def test_of_what_may_give_anything_nothing_is_known(text):
    assert of(text) is None
