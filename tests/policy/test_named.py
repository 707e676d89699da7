"""A rule that names a path means that file, by every spelling of it, and no other file."""

from __future__ import annotations

import itertools
import os
import random

import pytest
from helpers.home import Home

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.rules import rule_of

FILES = (
    "scripts/build.sh sub/scripts/build.sh sub/build.sh other/build.sh build.sh manage.py sub/manage.py docs/a.md "
    "tools/x.ts src/a node_modules/tool/cli.js"
).split()
CONFIG = """\
shell.substitution = "judge"
[files]
write = ["**", "/tmp/**", "~/free/**"]
[[rules]]
decision = "allow"
effects = ["read", "write", "delete"]
"""

ALLOWED = """
./scripts/build.sh | ./scripts/build.sh | as written
./scripts/build.sh | scripts/build.sh --fast x | without the dot
./scripts/build.sh | ./scripts//build.sh | two slashes
./scripts/build.sh | docs/../scripts/./build.sh | up and down again
./scripts/build.sh | cd scripts && ./build.sh | from its directory
./scripts/build.sh | cd sub && ../scripts/build.sh | from another one
./scripts/build.sh | pushd scripts && ./build.sh | by pushd
./scripts/build.sh | env -C scripts ./build.sh | by env
./scripts/build.sh | (cd scripts && ./build.sh) | in a subshell
./scripts/build.sh | (cd sub && ls); ./scripts/build.sh | a subshell that has ended
./scripts/build.sh | link/build.sh | through a link to its directory
./scripts/build.sh | docs/b | through a link to it
./scripts/build.sh | @ROOT@/scripts/build.sh | absolutely
@ROOT@/scripts/build.sh | scripts/build.sh | the rule absolutely
./scripts/build.sh | "$PWD/scripts/build.sh" | by a variable of bash
./scripts/build.sh | D=@ROOT@/scripts; "$D"/build.sh | by one of the text
@HOME@/bin/tool | timeout 5 ~/bin/tool | behind a wrapper
@HOME@/bin/tool | ~/bin/tool a | in the home directory
@HOME@/bin/tool | "$HOME/bin/tool" | by its variable
@HOME@/bin/tool | ~/bin/tool | head -3 | in a pipeline
sh @HOME@/bin/tool | sh ~/bin/tool a | a script there
docs/b | ./scripts/build.sh | the rule through a link
./scripts/build.sh | timeout 5 ./scripts/build.sh | behind a wrapper
./scripts/build.sh | chmod +x scripts/build.sh && ./scripts/build.sh | with a new mode
./scripts/build.sh | mkdir -p dist && ./scripts/build.sh > dist/log | beside files that it is not
./scripts/build.sh | echo x > docs/a.md && ./scripts/build.sh | beside a change of another file
./scripts/build.sh | cp src/a docs && ./scripts/build.sh | beside a copy elsewhere
./scripts/build.sh | ./scripts/build.sh && ls > docs/new | and then something else
sh scripts/build.sh | sh ./scripts/build.sh | a script in a later word
sh scripts/build.sh | cd scripts && sh build.sh | from its directory
python3 manage.py | python3 ./manage.py check | by another spelling
python3 manage.py | cd sub && python3 ../manage.py | from another directory
bun run tools/x.ts | bun run ./tools/x.ts | a path behind a subcommand
node_modules/.bin/tool | ./node_modules/.bin/tool | a link of a package
mytool build | cd sub && mytool build | a word that is no path
npm run docs/a | cd sub && npm run docs/a | no file is there
"""

ASKED = """
./scripts/build.sh | cd sub && ./scripts/build.sh | another file of that spelling
./scripts/build.sh | (cd sub; ./scripts/build.sh) | in a subshell
./scripts/build.sh | env -C sub ./scripts/build.sh | by env
./scripts/build.sh | pushd sub && scripts/build.sh | by pushd
./scripts/build.sh | { cd sub; }; ./scripts/build.sh | in a group
./scripts/build.sh | cd /tmp/w && ./scripts/build.sh | outside
./scripts/build.sh | cd "$X" && ./scripts/build.sh | where only bash knows
./scripts/build.sh | bash -c 'cd sub && ./scripts/build.sh' | in a text
./scripts/build.sh | for d in sub; do cd $d; ./scripts/build.sh; done | in a loop
./scripts/build.sh | other/build.sh | another file of that name
./scripts/build.sh | build.sh | a program that is looked up
./scripts/build.sh | echo x > scripts/build.sh; ./scripts/build.sh | written first
./scripts/build.sh | echo x | tee scripts/build.sh; ./scripts/build.sh | by a program
./scripts/build.sh | cat src/a >> scripts/build.sh; ./scripts/build.sh | longer
./scripts/build.sh | sed -i s/a/b/ scripts/build.sh && ./scripts/build.sh | in place
./scripts/build.sh | cp src/a scripts/build.sh && ./scripts/build.sh | copied over
./scripts/build.sh | cp other/build.sh scripts && ./scripts/build.sh | into its directory
./scripts/build.sh | cp -r other/. scripts && ./scripts/build.sh | with others
./scripts/build.sh | mv other/build.sh scripts/ && ./scripts/build.sh | moved there
./scripts/build.sh | ln -sf /tmp/evil scripts/build.sh; ./scripts/build.sh | linked
./scripts/build.sh | ln -sfn /tmp/w link && link/build.sh | its directory linked
./scripts/build.sh | rm docs/b; ln -s /tmp/e docs/b; docs/b | a link replaced
./scripts/build.sh | mv scripts old; mv other scripts; ./scripts/build.sh | its directory replaced
./scripts/build.sh | find src -name a -exec cp {} scripts/build.sh ';'; ./scripts/build.sh | by a search
./scripts/build.sh | cd scripts && echo x > build.sh && ./build.sh | written from its directory
./scripts/build.sh | cd sub; "$PWD/scripts/build.sh" | where only bash knows the directory
./scripts/build.sh | D=$X; "$D/build.sh" | a value from outside
./scripts/build.sh | for D in @ROOT@/scripts /opt; do $D/build.sh; done | another value
@HOME@/bin/tool | HOME=/opt; ~/bin/tool | another home
@HOME@/bin/tool | HOME=/opt sh -c '~/bin/tool' | for another shell
@HOME@/bin/tool | ~other/bin/tool | somebody else's
./scripts/build.sh | git -C sub checkout x; ./scripts/build.sh | by git in a directory below
./scripts/build.sh | cd docs && git stash && ../scripts/build.sh | by git there
./scripts/build.sh | trap ./scripts/build.sh EXIT; cd sub | when the text has gone elsewhere
./scripts/build.sh | split --additional-suffix=.sh src/a scripts/; ./scripts/build.sh | by pieces of another file
./scripts/build.sh | csplit -f scripts/b src/a 1; ./scripts/build.sh | by others
./scripts/build.sh | bwrap --bind sub / ./scripts/build.sh | in a box of its own
./scripts/build.sh | bwrap --ro-bind / / --chdir sub ./scripts/build.sh | from a directory of it
./scripts/build.sh | unshare -R sub ./scripts/build.sh | below another root
/tmp/tool.sh | /tmp/tool.sh | where everybody writes
@HOME@/free/tool.sh | @HOME@/free/tool.sh | where the agent writes
sh scripts/build.sh | cd sub && sh scripts/build.sh | a script in a later word
sh /tmp/tool.sh | sh /tmp/tool.sh | where everybody writes
python3 manage.py | cd sub && python3 manage.py | another one of that name
python3 manage.py | echo x > manage.py && python3 manage.py | written first
bun run tools/x.ts | cd sub && bun run tools/x.ts | another one
node_modules/.bin/tool | cd sub && node_modules/.bin/tool | another one
node_modules/.bin/tool | echo x > node_modules/tool/cli.js; node_modules/.bin/tool | where the link leads
"""

DENIED = """
./scripts/build.sh | scripts/build.sh | without the dot
./scripts/build.sh | ./scripts//build.sh | two slashes
./scripts/build.sh | docs/../scripts/build.sh | up and down again
./scripts/build.sh | cd scripts && ./build.sh | from its directory
./scripts/build.sh | cd scripts; ./build.sh | if that is where it is
./scripts/build.sh | env -C scripts ./build.sh | by env
./scripts/build.sh | (cd scripts; ./build.sh) | in a subshell
./scripts/build.sh | @ROOT@/scripts/build.sh | absolutely
./scripts/build.sh | "$PWD/scripts/build.sh" | by a variable
./scripts/build.sh | x=scripts; $x/build.sh | by one of the text
./scripts/build.sh | docs/b | through a link
./scripts/build.sh | link/build.sh | through a link to its directory
./scripts/build.sh | build.sh | looked up
./scripts/build.sh | sh scripts//build.sh | by a shell
./scripts/build.sh | . scripts/build.sh | in this shell
./scripts/build.sh | timeout 5 scripts/build.sh | behind a wrapper
./scripts/build.sh | ln -s scripts/build.sh y; ./y | by a link of the text
./scripts/build.sh | cp scripts/build.sh y; ./y | by a copy
./scripts/build.sh | mv scripts/build.sh y && ./y | moved first
docs/b | scripts/build.sh | the rule through a link
sh scripts/build.sh | cd scripts && sh build.sh | in a later word
sh scripts/build.sh | sh docs/../scripts/build.sh | spelled otherwise
python3 manage.py | python3 ./manage.py migrate | by its path
python3 manage.py | cd sub && python3 ../manage.py | from another directory
"""

OTHERS = """
./scripts/build.sh | cd sub && ./scripts/build.sh
./scripts/build.sh | other/build.sh
./scripts/build.sh | cp src/a y; ./y
python3 manage.py | cd sub && python3 manage.py
"""


def rows(table):
    lines = [line.partition(" | ") for line in table.strip().splitlines()]
    return [pytest.param(entry, text.rpartition(" | ")[0] or text, id=f"{entry}: {text}") for entry, _, text in lines]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("named"), CONFIG)
    for name in FILES:
        path = home.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    (home.root / "node_modules" / ".bin").mkdir()
    (home.root / "node_modules" / ".bin" / "tool").symlink_to("../tool/cli.js")
    (home.root / "docs" / "b").symlink_to("../scripts/build.sh")
    (home.root / "link").symlink_to("scripts")
    return home


@pytest.fixture
def decide(home, monkeypatch):
    """Gives the verdict on a text with a rule, in a directory of the project."""
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    root = os.path.realpath(home.root)

    def decide(entry, text, verdict=Verdict.ALLOW, directory="."):
        entry, text = (each.replace("@ROOT@", root).replace("@HOME@", str(home.home)) for each in (entry, text))
        rules = [rule_of(f"run_shell_command({entry})", verdict)]
        if verdict is not Verdict.ALLOW:
            rules.append(rule_of("run_shell_command", Verdict.ALLOW))
        policy = configuration_of(Options(), root=root).settings().policy
        place = Place.at(os.path.normpath(os.path.join(root, directory)), root)
        return policy.with_rules([*policy.rules, *rules]).decide(Request("run_shell_command", text, None, place))

    return decide


@pytest.mark.parametrize(("entry", "text"), rows(ALLOWED))
def test_a_rule_allows_its_file_by_every_spelling(decide, entry, text):
    decision = decide(entry, text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons


@pytest.mark.parametrize(("entry", "text"), rows(ASKED))
def test_a_rule_allows_no_other_file(decide, entry, text):
    assert decide(entry, text).verdict is Verdict.ASK


@pytest.mark.parametrize(("entry", "text"), rows(DENIED))
def test_a_rule_forbids_its_file_by_every_spelling(decide, entry, text):
    assert decide(entry, text, Verdict.DENY).verdict is Verdict.DENY


@pytest.mark.parametrize(("entry", "text"), rows(OTHERS))
def test_a_rule_forbids_no_other_file(decide, entry, text):
    assert decide(entry, text, Verdict.DENY).verdict is not Verdict.DENY


def test_a_rule_that_forbids_asks_where_only_bash_knows_the_file(decide):
    assert decide("./scripts/build.sh", 'cd "$X" && ./build.sh', Verdict.DENY).verdict is Verdict.ASK


def test_a_call_from_a_directory_names_the_files_there(decide):
    assert decide("./scripts/build.sh", "../scripts/build.sh", directory="sub").verdict is Verdict.ALLOW
    assert decide("./scripts/build.sh", "./scripts/build.sh", directory="sub").verdict is Verdict.ASK
    assert decide("python3 manage.py", "python3 manage.py", directory="sub").verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("text", "directory", "entry"),
    [
        ("./scripts/build.sh", ".", "./scripts/build.sh"),
        ("cd sub && ./scripts/build.sh", ".", "sub/scripts/build.sh"),
        ("./build.sh", "sub", "sub/build.sh"),
        ("../build.sh", "sub", "./build.sh"),
        ("python3 ../manage.py", "sub", "python3 manage.py"),
        ("sh build.sh", "other", "sh other/build.sh"),
    ],
)
def test_an_offer_begins_at_the_project_root(decide, text, directory, entry):
    asked = decide("nothing", text, directory=directory)
    assert f"run_shell_command({entry})" in {rule.entry for offer in asked.offers for rule in offer.rules}
    assert decide(entry, text, directory=directory).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    "text", ["/tmp/tool.sh", "echo x > build.sh; ./build.sh", 'cd "$X" && ./build.sh', "@HOME@/free/tool.sh"]
)
def test_nothing_is_offered_but_the_call_where_no_rule_would_allow_it(decide, text):
    rules = [rule for offer in decide("nothing", text).offers for rule in offer.rules]
    assert [rule.line is not None for rule in rules] == [True]


def spellings(chance, root, target, start):
    """A text that runs a file, and the directory that it is called in, in one of many spellings."""
    there = os.path.relpath(target, start)
    path = chance.choice([there, target, f"./{there}", there.replace("/", "//", 1), f"./././{there}"])
    if "/" not in path:
        path = f"./{path}"
    goes = os.path.dirname(target)
    name = os.path.basename(target)
    return chance.choice(
        [
            path,
            f"cd {goes} && ./{name}",
            f"(cd {goes} && ./{name})",
            f"pushd {goes} && ./{name}",
            f"env -C {goes} ./{name}",
            f"cd {root} && {os.path.relpath(target, root) if '/' in os.path.relpath(target, root) else f'./{name}'}",
            f"(cd {chance.choice([root, goes])}); {path}",
            f"{{ {path}; }}",
            f"if true; then {path}; fi",
        ]
    )


@pytest.mark.parametrize("seed", range(20))
def test_whatever_its_spelling_a_file_is_allowed_exactly_by_its_own_rule(home, decide, seed):
    """The file that a text runs is known, because the text is made from it."""
    chance, root = random.Random(seed), os.path.realpath(home.root)
    scripts = [each for each in FILES if each.endswith(".sh")]
    for _ in range(6):
        named, run = chance.choice(scripts), chance.choice(scripts)
        directory = chance.choice([".", "sub", "scripts", "docs"])
        start = os.path.normpath(os.path.join(root, directory))
        text = spellings(chance, root, os.path.join(root, run), start)
        entry = chance.choice([f"./{named}", named if "/" in named else f"./{named}", os.path.join(root, named)])
        allowed = decide(entry, text, directory=directory).verdict is Verdict.ALLOW
        assert allowed == (named == run), (entry, text, directory)
        denied = decide(entry, text, Verdict.DENY, directory=directory).verdict is Verdict.DENY
        assert denied == (named == run), (entry, text, directory)


WRITES = [
    "echo x > {}", "echo x >> {}", "echo x | tee {}", "cp src/a {}", "mv src/a {}", "ln -sf /tmp/e {}", "rm {}",
    "install src/a {}", "dd if=src/a of={}", "sed -i s/a/b/ {}", "sort -o {} src/a", "truncate -s 0 {}",
    "rsync -a src/a {}", "patch {} x.diff", "curl -o {} http://localhost/x", "perl -i -pe s/a/b/ {}",
]  # fmt: skip


@pytest.mark.parametrize(("write", "join"), [*itertools.product(WRITES, ["; ", " && ", " & ", "\n"])])
def test_a_file_that_the_same_text_writes_is_not_the_one_that_a_rule_names(decide, write, join):
    for name in ("scripts/build.sh", "docs/b", "link/build.sh"):
        text = f"{write.format(name)}{join}./scripts/build.sh"
        if not write.startswith(("rm", "ln")) or name == "scripts/build.sh":  # a link of its own is no other file
            assert decide("./scripts/build.sh", text).verdict is not Verdict.ALLOW, text
