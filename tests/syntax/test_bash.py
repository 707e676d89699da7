"""The real bash is the authority: on what it parses, what it hands on, and what it runs."""

from __future__ import annotations

import random
import subprocess

import pytest
from fuzz.generator import Generator
from fuzz.oracle import BASH, QUIET, accepts, ran
from fuzz.run import findings

from asimi.core.errors import ShellSyntaxError
from asimi.core.syntax import parse, quote

VALID = """\
if ((1)) then :; fi
if [[ a ]] then :; fi
{ ((1)) }
for x do :; done
for x; do :; done
for x;{ :; }
for ((;;)) { :; }
for ((;;));do :; done
for 1a in x; do :; done
for $x in x; do :; done
case x in esac
case x in (esac) a;; esac
case x in a|esac) a;; esac
case x in a);; b) esac
case x in a) ;;& b) ;& c) ;; esac
a |& time b
coproc x { y; }
coproc x a=1
coproc >f x
{ time; }
(time;)
! time ! time -p -- a
time -x a
{ !; }
>f declare a=(1)
a=1 declare a=(1)
eval a=(1)
alias a=(1)
typeset a+=(1)
a=(if then)
a=([x y]=z)
a=(<(b) c)
[[ a =~ (a b) ]]
[[ a != !(x) ]]
[[ a ]]>f
[[ ! -eq ]]
a=1 { b
{}
x }
a >&2&b
a <<<b
function f (a)
echo $((a) )
echo "$"
echo $[1
echo ${a
} x
a; }
for x {
( time )
time &
! | a
coproc
coproc x ! y
coproc x then
declare >f a=(x)
command declare a=(1)
echo a=(1)
a=(b=(c))
a=(b;c)
a=((b))
a=(1<2)
[[ a ]] b
case x in esac) a;; esac
case x in a) b;;; esac
a | ! b
a && ;
;a
a;;
a&&&b
in x
]] x
f() a
f() { }
()
{ a }
if a; fi
a > 2>f
a <<
a {x}< {y}<f
""".splitlines()


@pytest.mark.parametrize("text", VALID)
def test_bash_and_we_agree_on_what_is_shell_text(text):
    try:
        parse(text)
    except ShellSyntaxError:
        assert not accepts(text)
    else:
        assert accepts(text)


PIECES = [
    *"ab1{},.~=:[]*?!^%@#+-",
    "''",
    '""',
    "'x'",
    '"y"',
    "\\{",
    "\\*",
    "\\\n",
    "..",
    "$'\\x41'",
    "$'\\101\\n'",
    '$"z"',
    "\\~",
    "~/",
    "{a,b}",
    "{1..3}",
    "a=",
    "é",
    "\\a",
    '"a\\$b"',
    '"\\x"',
    "'\\'",
    '"\\\n"',
    "$'\\cA'",
    "$'\\''",
    "$'\\xe9'",
    "$'\\xc3\\xa9'",
    "\x7f",
    "\x01",
    '"\x01"',
    "$'\\8'",
    "$'a\\0b'",
]


@pytest.mark.parametrize("seed", range(4))
def test_a_literal_is_the_one_string_that_bash_hands_on(seed, tmp_path):
    choose = random.Random(seed)
    for name in ("a", "b1", "x"):
        (tmp_path / name).touch()
    cases, texts = [], []
    while len(cases) < 400:
        text = "".join(choose.choice(PIECES) for _ in range(choose.randint(1, 7)))
        if text.replace("\\\n", "")[:1] in ("", "#"):
            continue
        word = parse(f": {text}").commands[0].words[1]
        cases.append((text, word))
        texts.append(f"printf '<%s>' {text}\nprintf '\\0'\n")
    output = subprocess.run(
        [BASH, "-c", "--", "".join(texts).encode()], env=QUIET, cwd=tmp_path, capture_output=True, check=True
    ).stdout
    printed = output.decode("utf-8", "surrogateescape").split("\0")[:-1]
    assert len(printed) == len(cases)
    for (text, word), fields in zip(cases, printed, strict=True):
        if word.literal is not None:
            assert (text, fields) == (text, f"<{word.literal}>")
        assert (text, fields.startswith(f"<{word.head}")) == (text, True)
        assert (text, word.single and fields.count("><") > 0) == (text, False)


def test_a_quoted_word_comes_back_from_bash_unchanged():
    words = [
        "",
        "a",
        "a b",
        "it's",
        "$x",
        "`x`",
        "\\",
        "a\nb",
        "\t",
        "~",
        "~x",
        "*",
        "{a,b}",
        "a=b",
        "-x",
        "!",
        "if",
        "time",
        "#",
        "é",
        "\udcff",
        "\x7f",
        "\x1b[0m",
        "a\\'b\n",
        "$'x'",
        "<(x)",
        "\u2028",
        "{",
        "[[",
        "2",
        "a'\n\udcfe1",
    ]
    text = "printf '%s\\0' " + " ".join(map(quote, words))
    output = subprocess.run(
        [BASH, "-c", "--", text.encode("utf-8", "surrogateescape")], env=QUIET, capture_output=True, check=True
    ).stdout
    assert output.decode("utf-8", "surrogateescape").split("\0")[:-1] == words
    assert [word.literal for word in parse(text).commands[0].words[2:]] == words


def test_a_quoted_word_is_a_command_name_where_one_may_stand():
    for word in ("if", "a=b", "time", "{", "!", "x", "[["):
        assert parse(quote(word)).commands[0].words[0].literal == word


@pytest.mark.parametrize("word", ["a\0b", "\ud800", "b\udfff"])
def test_what_cannot_be_quoted_is_refused(word):
    with pytest.raises(ValueError, match="place"):
        quote(word)


PLACES = [
    "$(X)",
    '"$(X)"',
    "`X`",
    "${x:-$(X)}",
    "\"${x:-'$(X)'}\"",
    "\"${x:-'}$(X)'}\"",
    "${x:-'$(X)'}",
    "\"${p#'$(X)'}\"",
    "$(( '$(X)' ))",
    "$(( $'\\x24(X)' ))",
    "\"${x:-$'\\x24(X)'}\"",
    "${p:'$(X)'}",
    "${a['$(X)']}",
    "\"${p/x/'$(X)'}\"",
    "'$(X)'",
    "\\$\\(X\\)",
    '"\\$(X)"',
    '"<(X)"',
    "$((1<(2)))",
    "$((X); (:))",
    "\"${x:-'\\$(X)'}\"",
    '$"$(X)"',
    "${x:-\\$(X\\)}",
    "$'$(X)'",
    "<<E\n$(X)\nE",
    "<<E\n'$(X)'\nE",
    "<<'E'\n$(X)\nE",
    "<<E\n\\$(X)\nE",
    "<<E\n$\\\n(X)\nE",
    "<<E\n${x:-'$(X)'}\nE",
    "<<E\n<(X)\nE",
    "<<E\n$(( '$(X)' ))\nE",
    "<<-E\n\t`X`\n\tE",
    ">&'$(X)'",
    ">&\\$\\(X\\)",
    "1>&'`X`'",
    ">&$'\\x24(X)'",
    "2>&'$(X)'",
    "<&'$(X)'",
    "&>'$(X)'",
    ">'$(X)'",
    "<<<'$(X)'",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_substitution_is_seen_exactly_where_bash_runs_it(place):
    """The hidden command is `X`; `p` is set, `x` and `a` are not."""
    text = f"p=xyx; : {place}"
    assert bool(parse(text).substitutions) == ("X" in (ran(text) or ()))


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 150), marks=pytest.mark.long)])
def test_every_canary_of_a_generated_script_is_seen(seeds):
    found = []
    for seed in seeds:
        found += [finding for finding in findings(seed)[1] if not finding.startswith(("refused", "accepted"))]
    assert found == []


def test_nearly_all_generated_scripts_are_shell_text_to_bash_and_to_us():
    refused = valid = 0
    for seed in range(150):
        text = Generator(random.Random(seed)).script()
        if accepts(text):
            valid += 1
            try:
                parse(text)
            except ShellSyntaxError:
                refused += 1
    assert valid > 120
    assert refused < 12
