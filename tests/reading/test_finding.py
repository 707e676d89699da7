"""What an expression of `find` reaches, compared with the real `find`."""

from __future__ import annotations

import os
import random
import shlex
import subprocess
import time
from fnmatch import fnmatchcase

import pytest

from asimi.core.reading.find_expression import LONGEST, MOST, PRINTED, expression_of, names_of
from asimi.core.reading.shapes import ANY, ONE, SOME
from asimi.world.host.trees import kind

FILES = (
    ".env a.py b.PY README.md .git/config .git/HEAD .git/hooks/pre-commit src/a.py src/.env src/config src/deep/x.ts "
    "src/deep/settings.json web/.vscode/settings.json web/node_modules/m/index.js a[1].py"
).split()

TESTS = r"""
-name '*.py'
-name config
-name .git
-name '*env'
-name '?env'
-name '[.c]*'
-name '*'
-name 'a\[1\].py'
-name src
-iname '*.PY'
-iname CONFIG
-iname 'readme*'
-path ./.git
-path './.git/*'
-path '*/.git/*'
-path './src/*.py'
-path '*env'
-path './?rc/*'
-path ./.env
-regex '.*env'
-regex '.*\.\(py\|ts\)'
-regex '.*/config'
-regex '.*[e]nv'
-type f
-type d
-type l
-true
-false
-empty
-prune
-mtime -1
-maxdepth 1
-maxdepth 2
-mindepth 2
-depth
""".strip().splitlines()


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A directory with a repository, hidden names and a link."""
    tree = tmp_path_factory.mktemp("tree")
    for name in FILES:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()
    (tree / "link").symlink_to("src")
    return tree


def made(random, depth=0):
    """An expression by chance."""
    if depth > 2 or random.random() < 0.4:
        test = random.choice(TESTS)
        test = test if test[0] == "-" else f"-{test}"
        return "-fprint {out}" if random.random() < 0.12 else test.replace("-print0", "-true")
    kind = random.choice(["and", "and", "or", "not", "list", "group"])
    one, other = made(random, depth + 1), made(random, depth + 1)
    return {
        "and": f"{one} {random.choice(['', '-a ', '-and '])}{other}",
        "or": f"{one} {random.choice(['-o', '-or'])} {other}",
        "not": f"{random.choice(['!', '-not'])} {one}",
        "list": f"{one} , {other}",
        "group": rf"\( {one} \) {other}",
    }[kind]


@pytest.mark.parametrize("start", [".", "./", "src", "src .git", "./web/../src"])
@pytest.mark.parametrize("seed", range(60))
def test_what_find_reaches_is_said_to_be_reached(tree, tmp_path, start, seed):
    """The last action of the expression writes the names to a file; a name may be said that find does not reach."""
    text = made(random.Random(f"{seed} {start}"))
    out = tmp_path / "out"
    whole = f"{text} -fprint {{out}}" if seed % 3 else text
    words = ["find", *shlex.split(start), *shlex.split(whole.replace("{out}", str(out)))]
    done = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode in {0, 1}, done.stderr
    expression = expression_of(words)
    if done.returncode:
        assert expression.node is None or "warning" in done.stderr or "find: " in done.stderr
        return
    assert expression.node is not None, words
    actions = [at for at, word in enumerate(words) if word == "-fprint"]
    reached = out.read_text().splitlines() if actions else done.stdout.splitlines()
    said = {path for action in actions or [PRINTED] for path in handed(expression, action, words, tree)}
    assert said >= set(reached), words
    names = [name for action in actions or [PRINTED] for name in expression.names(action) or ("",)]
    for path in reached:
        assert any(_is_named(os.path.basename(path.rstrip("/")) or path, name) for name in names), (words, path, names)


def handed(expression, action, words, tree):
    """The paths below the starts that an action may be reached with, as `find` writes them."""
    for start in words[1 : next(at for at, word in enumerate(words) if word[0] in "-(!")]:
        for path in [tree / start, *(tree / start).rglob("*")]:
            below = "" if path == tree / start else str(path.relative_to(tree / start))
            what = "link" if path.is_symlink() else kind(str(path))
            if expression.hands(action, start, below, what):
                yield f"{start.rstrip('/')}/{below}" if below else start


def _is_named(name, shape):
    pattern = shape.replace("[", "[[]").replace(SOME, "*").replace(ANY, "*").replace(ONE, "?")
    return not shape or fnmatchcase(name.casefold(), pattern.casefold())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("-name '*.py' -exec x {} +", ["*.py"]),
        ("-exec x {} + -name '*.py'", []),
        (r"! \( -name '*.py' \) -exec x {} +", []),
        (r"! \( ! -name a -o ! -type f \) -exec x {} \;", ["a"]),
        (r"-exec echo -name a \; -exec x {} \;", []),
        ("-path -name -exec x {} +", ["-name"]),
        ("-name a -o -name b -exec x {} +", ["b"]),
        (r"\( -name a -o -name b \) -exec x {} +", ["a", "b"]),
        (r"\( -name a -o -true \) -exec x {} +", []),
        ("-name a , -exec x {} +", []),
        ("-name a -prune -o -name '*.c' -exec x {} +", ["*.c"]),
        ("-path './src/.e*' -exec x {} +", [".e*", "*"]),
        (r"-regex '.*\.\(py\|js\)' -exec x {} +", ["*.py", "*.js"]),
        ("-regex '.*[e]nv' -exec x {} +", ["*?nv", "*nv"]),
        ("-iname '*.ENV' -exec x {} +", ["*.env"]),
        ("-unknown -name a -exec x {} +", ["*", "a"]),
        ("-depth 2 -name a -exec x {} +", ["*", "a"]),
    ],
)
def test_the_names_with_which_an_action_is_reached(text, names):
    words = ["find", ".", *shlex.split(text)]
    expression = expression_of(words)
    action = expression.actions[-1][0] if expression.actions else None
    shown = [name.replace(SOME, "*").replace(ONE, "?") for name in expression.names(action)]
    assert shown == names


@pytest.mark.parametrize(
    "words",
    [
        ["find", ".", *["!"] * 5000, "-name", "a"],
        ["find", ".", *["("] * 5000],
        ["find", ".", *["-name", "a", "-o"] * MOST],
        ["find", ".", "-name", "[" * 100_000],
        ["find", ".", "-regex", "a(" * LONGEST * 100],
        ["find", ".", "-name"],
        ["find", ".", "-exec", "x", "{}"],
        ["find", ".", "(", ")"],
        ["find", None, "-name", "a"],
    ],
)
def test_what_is_too_long_or_not_understood_reaches_everything(words):
    expression = expression_of(words)
    assert not expression.names(PRINTED) or {SOME, ANY} & {*expression.names(PRINTED)}
    assert expression.hands(PRINTED, ".", ".git/config", "file")


def test_a_pattern_of_paths_is_for_names_with_and_without_its_beginning():
    assert names_of(f"./src/a{SOME}b") == (f"a{SOME}b", f"{SOME}b")
    assert names_of("./src/a") == ("a",)


def test_a_pattern_with_many_stars_takes_no_time():
    words = ["find", ".", "-name", "*a" * 200 + "b", "-path", "*/a*" * 100, "-print"]
    expression = expression_of(words)
    before = time.process_time()
    assert not any(expression.reaches_each(PRINTED, ".", ["a" * 250] * 200))
    assert time.process_time() - before < 1


def test_what_is_below_a_directory_that_is_pruned_is_left_out_at_each_depth():
    expression = expression_of(["find", ".", "-name", "x", "-prune", "-o", "-type", "f", "-exec", "y", "{}", "+"])
    paths = ["a", "x", "x/a", "x/a/b", "b/x/c", "b/c"]
    assert list(expression.reaches_each(8, ".", paths)) == [True, False, False, False, False, True]
