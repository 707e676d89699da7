"""How arguments are cut: the notation of a row, a command line, and what each part of it is."""

from __future__ import annotations

import pytest

from asimi.core.programs.program import UNKNOWN, Program
from asimi.core.reading.arguments import COMPUTED, SEPARATOR, cut
from asimi.core.syntax import parse

GNU = {"options": "-a,--all -bc -k,--key= --color[=] -i[=] -#", "writes": "-o,--output="}
WORDS = {"options": "-name= -print -Wl* -exec=COMMAND", "writes": "-delete", "syntax": "words"}

# a row, the arguments, and of each argument how it was spelled: with its value behind `=`, an operand in brackets,
# what the row does not name with `?`
FACTS = [
    (GNU, "-a x", "-a [x]"),
    (GNU, "-ab x -c", "-a -b [x] -c"),
    (GNU, "-kx -k y", "-k=x -k=y"),
    (GNU, "-abkx", "-a -b -k=x"),
    (GNU, "-abk x z", "-a -b -k=x [z]"),
    (GNU, "--key=x --key y z", "--key=x --key=y [z]"),
    (GNU, "--ke x", "--ke=x"),
    (GNU, "--out=f", "--out=f"),
    (GNU, "--color x --color=never", "--color [x] --color=never"),
    (GNU, "-i x -i.bak", "-i [x] -i=.bak"),
    (GNU, "-20 x", "-20 [x]"),
    (GNU, "-z x", "-z? [x]"),
    (GNU, "-azb", "-a -z?"),
    (GNU, "--zero x", "--zero? [x]"),
    (GNU, "x -- -a", "[x] -- [-a]"),
    (GNU, "- x", "[-] [x]"),
    (GNU, "-k", "-k"),
    (GNU, "$x -a", "~ -a"),
    (GNU, '-k"$x" -a', "-k=… -a"),
    (GNU, '--key="$x" -a', "--key=… -a"),
    (GNU, '--k"$x" -a', "--k? -a"),
    (GNU, '-a"$x" y', "-a ? [y]"),
    (GNU, 'x"$y"', "[x]"),
    ({**GNU, "syntax": "exact"}, "--out=f", "--out?=f"),
    ({**GNU, "syntax": "exact"}, "--output=f", "--output=f"),
    ({**GNU, "syntax": "ends"}, "-a x -o f", "-a [x] [-o] [f]"),
    ({**GNU, "syntax": "no"}, "--no-all --no-zero", "--no-all --no-zero?"),
    ({"options": "-xtvz", "runs": "-I=", "syntax": "bundle"}, "xzf a", "-x -z -f? [a]"),
    ({"options": "-xzf=", "syntax": "bundle"}, "xzf a b c d", "-x=a -z=b -f=c [d]"),
    (WORDS, "x -name -delete", "[x] -name=-delete"),
    (WORDS, "-Wl,x --print -delete", "-Wl=,x --print -delete"),
    (WORDS, "-named", "-named?"),
    (WORDS, "-exec rm {} ';' -delete", "-exec -delete"),
    (WORDS, "-exec rm {} + -delete", "-exec -delete"),
    (WORDS, "-exec rm -delete", "-exec"),
    ({"options": "--bind== --dev="}, "--bind a b --dev c d", "--bind=b --dev=c [d]"),
    ({"options": "-P==="}, "-P n 1 3 x", "-P=3 [x]"),
    ({"options": "if= bs=", "writes": "of=", "syntax": "keys"}, "if=a of=b x=c", "if=a of=b x=c?"),
    ({"options": "+o= -o=", "syntax": "ends"}, "+o posix x", "+o=posix [x]"),
    ({"options": "-norc,--norc -c"}, "-norc -c", "-norc -c"),
]  # fmt: skip


def spelled(row, text):
    words = parse(f"p {text}").commands[0].words
    for argument in cut(words, Program("p", **row).syntax):
        if argument.option is COMPUTED:
            yield "~"
        elif argument.option is None:
            yield f"[{argument.text}]"
        else:
            mark = "?" if argument.option is UNKNOWN else ""
            value = (
                ""
                if argument.value is None
                else "=…"
                if argument.value.literal is None
                else f"={argument.value.literal}"
            )
            name = argument.text if argument.option is not SEPARATOR else "--"
            yield f"{name}{mark}{value}"


@pytest.mark.parametrize(("row", "text", "parts"), FACTS)
def test_arguments_are_cut(row, text, parts):
    assert " ".join(spelled(row, text)) == parts
