"""What `mktemp` made in a text may go in the same text: it is nobody's loss."""

from __future__ import annotations

import os

import pytest
from helpers.home import Home

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request, Verdict

CONFIG = """\
shell.substitution = "judge"
undo.keep = "1d"
[files]
write = ["**", "/tmp/**"]
[[rules]]
decision = "allow"
effects = ["read", "write"]
undo = true
"""

ALLOWED = """
T=$(mktemp -d); rm -rf "$T"
T="$(mktemp -d)"; cp -r src "$T"; ls "$T"; rm -rf "${T}"
T=$(mktemp); echo x > "$T"; cat "$T"; rm -f "$T"
T=$(mktemp /tmp/note.XXXXXX) && echo x > "$T" && rm "$T"
A=$(mktemp); B=$(mktemp -d); rm -rf "$A" "$B"
T=$(mktemp); cat README.md > "$T" && mv "$T" README.md; rm -f "$T"
T=$(mktemp -d); rmdir "$T"
mv README.md note.txt && rmdir src/a src/b
echo x > note.txt && cat note.txt && rm note.txt
cat README.md > /tmp/asimi-new-1; wc -l /tmp/asimi-new-1; rm -f /tmp/asimi-new-1
touch a.txt b.txt; rm a.txt b.txt
mkdir -p made/x && cp -r src made && rm -rf made
cp README.md copy.md; sed -i s/a/b/ copy.md; diff README.md copy.md; rm copy.md
ln README.md other.md; rm other.md
"""

ASKED = """
rm -rf "$T"; T=$(mktemp -d)
T=$(mktemp -d); rm -rf "$T/x"
T=$(mktemp -d); rm -rf "$T/"
T=$(mktemp -d); rm -rf "$T"/*
T=$(mktemp -d); rm -rf "$T"x
T=$(mktemp -d); rm -rf "$T" "$HOME/x"
T=$(mktemp -d); mv src "$T"; rm -rf "$T"
T=$(mktemp -d); mv ~/x "$T/y" && rm -rf "$T"
T=$(mktemp -d); (cd ~ && mv x "$T"); rm -rf "$T"
T=$(mktemp -d); find src -exec mv {} "$T" ';'; rm -rf "$T"
T=$(mktemp -d); for f in src/*; do mv "$f" "$T"; done; rm -rf "$T"
T=$(mktemp -d); ls src | xargs mv -t "$T"; rm -rf "$T"
T=$(mktemp -d); T=~/x; rm -rf "$T"
T=$(mktemp -d); read T < l; rm -rf "$T"
if [ -n "$A" ]; then T=$(mktemp -d); fi; rm -rf "$T"
T=$(mktemp -d -p ~); rm -rf "$T"
T=$(mktemp -u); rm -rf "$T"
T=$(mktemp ~/x.XXXXXX); rm -rf "$T"
T=$(mktemp -d || echo ~); rm -rf "$T"
mktemp() { echo ~/x; }; T=$(mktemp); rm -rf "$T"
TMPDIR=~; T=$(mktemp -d); rm -rf "$T"
T=$(mktemp -d); bash -c 'rm -rf "$T"'
T=$(mktemp -d); find "$T" ~ -delete
T=$(mktemp -d); ln -sfn ~ "$T/l"; rm -rf "$T/l/x"
T=$(mktemp); ln -sf ~/x "$T"; shred "$T"
T=$(mktemp); ln -sf ~/x "$T"; truncate -s 0 "$T"
T=$(mktemp -d); find $T -delete
mv README.md note.txt; rm note.txt
find src -exec mv {} note.txt ';'; rm note.txt
./x; rm note.txt
mv README.md note.txt && rmdir ../a
mv README.md note.txt && rmdir "src/$X"
mv README.md note.txt && rmdir ~/a
git stash pop; rm note.txt
echo x > note.txt; rm note.txt "$X"
echo x > note.txt; rm note.*
ln -s ~ made; rm -rf made/
ln -s ~ made; rm -rf made/x
ln -s ~/x note.txt; shred note.txt
echo x > ~/note.txt; rm ~/note.txt
rm -f ~/note.txt
touch src/x; rm -rf src/y ignored.log
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("made"), CONFIG)
    for name in ("src/a", "README.md"):
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text("x")
    return home


@pytest.fixture
def decide(home, monkeypatch):
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    root = os.path.realpath(home.root)
    policy = configuration_of(Options(), root=root).settings().policy
    return lambda text: policy.decide(Request("run_shell_command", text, None, Place.at(root, root)))


@pytest.mark.parametrize("text", ALLOWED.strip().splitlines())
def test_what_a_text_made_may_go(decide, text):
    decision = decide(text)
    assert decision.verdict is Verdict.ALLOW, decision.reasons
    assert not decision.kept or "mv" in text


@pytest.mark.parametrize("text", ASKED.strip().splitlines())
def test_what_it_may_not_have_made_is_a_question(decide, text):
    assert decide(text).verdict is not Verdict.ALLOW
