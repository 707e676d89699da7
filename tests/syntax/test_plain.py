"""What `plain` reads without the parser is what the parser says of it, and costs the same budget."""

import random

import pytest

from asimi.core.budget import Budget
from asimi.core.syntax.parser import Parser
from asimi.core.syntax.plain import ASSIGNING, RESERVED_NAMES, WATCHED, plain

WORDS = [
    *"git status -x a=b x+=1 %1 - -- a:b @ 1 cd .. a,b + é ~ a~b # a#b _ = =a 0 ! { } [ ]".split(),
    *"\\ ; & | > < * ? $ ` ( )".split(),
    *sorted(ASSIGNING | RESERVED_NAMES | WATCHED),
    *(
        "# x y",
        " # it's",
        "#;",
        " #",
        "# x\n",
        "'a b'",
        '"c d"',
        "''",
        '""',
        "''x",
        "x''",
        "'$x'",
        '"!x"',
        '"$x"',
        '"\\"',
        "\t",
        "\n",
        "'a\nb'",
        "'",
        '"',
    ),
]


def facts(fact):
    """All that a script or a part of one says, as plain values."""
    if isinstance(fact, list | tuple):
        return [facts(each) for each in fact]
    names = [name for kind in type(fact).__mro__ for name in getattr(kind, "__slots__", ()) if name != "_readers"]
    return (type(fact).__name__, {name: facts(getattr(fact, name)) for name in names}) if names else fact


def text_of(draw):
    """A text of a few words, with blanks around and between them, or none."""
    blanks = ["", " ", "  "] if draw.random() < 0.3 else [" "]
    return "".join(draw.choice(blanks) + draw.choice(WORDS) for _ in range(draw.randint(1, 5)))[draw.randint(0, 1) :]


def test_it_says_what_the_parser_says():
    draw, read = random.Random(1), 0
    for _ in range(60_000):
        text, budget, other = text_of(draw), Budget(), Budget()
        script = plain(text, budget)
        if script is None:
            assert budget.left == other.left
            continue
        read += 1
        assert facts(script) == facts(Parser(text, other).read()), text
        assert budget.left == other.left, text
    assert read > 2_000


@pytest.mark.parametrize("text", ["git status", "pytest -x tests", "ls -la", 'git commit -m "two words"'])
def test_ordinary_commands_are_plain(text):
    assert plain(text, Budget()) is not None


@pytest.mark.parametrize(
    "text", ["a=b", "x=1 ls", "if true", "export a=b", "eval ls", "ls *", "ls; ls", "'ls' -l", "[ -f x ]", ""]
)
def test_others_are_not(text):
    assert plain(text, Budget()) is None
