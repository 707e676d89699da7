"""What `xargs` adds to a command that writes is names of files, where the disk shows that nothing else can come."""

from __future__ import annotations

import subprocess

import pytest
from helpers.home import Home
from helpers.hooks import judged

ROWS = """
run grep -rl foo src | xargs sed -i 's/foo/bar/g'
run grep -rl foo src --include='*.py' | xargs sed -i -e 's/foo/bar/g'
run find src -name '*.py' | xargs sed -i 's/foo/bar/g'
run find ./src -name '*.py' | sort | xargs sed -i 's/foo/bar/g'
run rg -l foo src | xargs sed -i 's/foo/bar/g'
run git grep -l foo -- src | xargs sed -i 's/foo/bar/'
run grep -rlZ foo src | xargs -0 sed -i 's/foo/bar/g'
run grep -rl foo src | xargs -I{} sed -i 's/foo/bar/g' {}
run find src -type f | xargs chmod +x
run find blank -name '*.py' -print0 | xargs -0 sed -i 's/foo/bar/'
run find src -name '*.py' | xargs -n1 sed -i 's/foo/bar/'
ask find blank -name '*.py' | xargs sed -i 's/foo/bar/'
ask grep -rl foo blank | xargs sed -i 's/foo/bar/'
ask grep -rl foo quote | xargs sed -i 's/foo/bar/'
ask grep -rl foo lines | xargs sed -i 's/foo/bar/'
ask cd dash && grep -rl foo | xargs sed -i 's/foo/bar/'
ask cd dash && git ls-files | xargs sed -i 's/foo/bar/'
ask cd dash && ls | xargs sed -i 's/foo/bar/'
ask cd dash && rg -l foo | xargs sed -i 's/foo/bar/'
ask cd dash && find * | xargs sed -i 's/foo/bar/'
ask cat names | xargs sed -i 's/foo/bar/'
ask xargs sed -i 's/foo/bar/' < names
ask xargs -a names sed -i 's/foo/bar/'
ask echo -e 1e | xargs sed -i 's/foo/bar/' src/app.py
ask printf '%s\\n' -e1e | xargs sed -i 's/foo/bar/' src/app.py
ask grep -rh foo src | xargs sed -i 's/foo/bar/'
ask grep -r foo src | xargs sed -i 's/foo/bar/'
ask grep -rl foo src | cut -c5- | xargs sed -i 's/foo/bar/'
ask grep -rl foo src | sed 's/src/-e/' | xargs sed -i 's/foo/bar/'
ask grep -rl foo src | tr / ' ' | xargs sed -i 's/foo/bar/'
ask grep -rl foo src | xargs -d / sed -i 's/foo/bar/'
ask grep -rl foo src | xargs -E x -d e sed -i 's/foo/bar/'
ask grep -rl foo src | xargs -I{} sed -i 's/foo/bar/' -f{}
ask grep -rl foo src | xargs -I{} sed -i '{}'
ask grep -rl foo src | xargs -I{} sed -i 's/a/{}/e'
ask grep -rl foo src | xargs sed -i
ask grep -rl foo src | xargs sed -i -e
ask grep -rl foo src | xargs sed -i -f
ask grep -rl foo src | xargs sed -i 's/foo/bar/e'
ask grep -rl foo src | xargs sed -i 'w out.txt'
ask grep -rl foo src | xargs sed -i "s/foo/$x/"
ask grep -rl foo .git | xargs sed -i 's/foo/bar/'
ask grep -rl foo .github | xargs sed -i 's/foo/bar/'
ask grep -rl foo ~ | xargs sed -i 's/foo/bar/'
ask grep -rl foo .. | xargs sed -i 's/foo/bar/'
ask grep -rl foo /etc | xargs sed -i 's/foo/bar/'
ask grep -rl foo out | xargs sed -i 's/foo/bar/'
ask grep -rl foo "$DIR" | xargs sed -i 's/foo/bar/'
ask grep -rl foo src* | xargs sed -i 's/foo/bar/'
ask (echo -e1e; grep -rl foo src) | xargs sed -i 's/foo/bar/'
ask touch 'src/a -e1e'; grep -rl foo src | xargs sed -i 's/foo/bar/'
ask cp names 'src/a -e1e'; grep -rl foo src | xargs sed -i 's/foo/bar/'
ask echo foo > 'src/a -e1e'; grep -rl foo src | xargs sed -i 's/foo/bar/'
ask make; grep -rl foo src | xargs sed -i 's/foo/bar/'
ask tar xf a.tgz; grep -rl foo src | xargs sed -i 's/foo/bar/'
ask find src -name '*.py' -fprint x | xargs sed -i 's/foo/bar/'
ask find src -printf '-e%p\\n' | xargs sed -i 's/foo/bar/'
ask find src -name '*.py' | xargs sh -c 'sed -i s/a/b/ $0'
ask find src -name '*.py' | xargs git config
ask find src -name '*.py' | xargs git push
ask find src -name '*.py' | xargs python3
"""
ROWS = [line.split(" ", 1) for line in ROWS.strip().splitlines()]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The verdicts on all rows, in one project whose directories hold names of each kind."""
    home = Home(tmp_path_factory.mktemp("handed"), None)
    for name in (
        "src/app.py",
        "blank/a -e1e.py",
        "quote/it's.py",
        "lines/a\n-e1e",
        "dash/-e1e.py",
        ".github/workflows/a.yml",
    ):
        (home.root / name).parent.mkdir(parents=True)
        (home.root / name).write_text("foo")
    (home.root / "names").write_text("-e1e\n")
    (home.root / "out").symlink_to(home.home)
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=home.root, env=home.environ, check=True)
    texts = [text for _, text in ROWS]
    return dict(zip(texts, judged(home, texts), strict=True))


@pytest.mark.parametrize(("expected", "text"), ROWS)
def test_what_a_list_hands_on(found, expected, text):
    assert found[text]["verdict"] == {"run": "allow", "ask": "ask"}[expected], found[text]["reasons"]
