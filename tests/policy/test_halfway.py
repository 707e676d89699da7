"""What git would begin in a box and cannot end there is asked about, by what real repositories say."""

import json
import subprocess

import pytest
from helpers.home import Home

CI = ".github/workflows/ci.yml"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A repository whose branch `envrc` has another `.envrc`, `workflow` another workflow; `plain` has another file."""
    home = Home(tmp_path_factory.mktemp("halfway"), None)
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    git(home, "init", "-qb", "main")
    for key, value in {"user.name": "Ada", "user.email": "ada@example.org"}.items():
        git(home, "config", key, value)
    committed(home, {"a": "1", ".envrc": "1", CI: "1"})
    for branch, file in (("envrc", ".envrc"), ("workflow", CI), ("plain", "b")):
        git(home, "switch", "-qc", branch, "main")
        committed(home, {file: "2"})
    git(home, "switch", "-q", "main")
    committed(home, {".vscode/tasks.json": "{}"})
    (home.root / "a").write_text("3")
    git(home, "stash", "-q")
    return home


def git(home, *words):
    subprocess.run(["git", *words], cwd=home.root, env=home.environ, check=True, capture_output=True)


def committed(home, files):
    for name, text in files.items():
        (home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (home.root / name).write_text(text)
    git(home, "add", "-A")
    git(home, "commit", "-qm", "x")


def needs(home, text):
    """What a box lacks for a text, in words; empty where it is no such question."""
    said = json.loads(home.asimi("check", "--in-box", "--json", text).stdout)
    return next((each["message"] for each in said["reasons"] if each["code"] == "unboxed"), "")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("git switch envrc", ".envrc"),
        ("git switch -c new envrc", ".envrc"),
        ("git checkout envrc", ".envrc"),
        ("git checkout -b new workflow", CI),
        ("git checkout envrc -- .", ".envrc"),
        ("git checkout workflow .github", CI),
        ("git restore --source workflow .", CI),
        ("git reset --hard workflow", CI),
        ("git reset --keep HEAD~1", ".vscode/tasks.json"),
        ("git merge envrc", ".envrc"),
        ("git merge plain workflow", CI),
        ("git rebase plain", ".vscode/tasks.json"),
        ("git rebase --onto envrc HEAD~1", ".envrc"),
        ("git cherry-pick workflow", CI),
        ("git revert HEAD", ".vscode/tasks.json"),
        ("git switch -", ".vscode/tasks.json"),
        ("cd .github && git switch envrc", ".envrc"),
        ("true && git switch envrc", ".envrc"),
        ("git switch main", ""),
        ("git switch -c new", ""),
        ("git checkout envrc -- a", ""),
        ("git checkout envrc a", ""),
        ("git reset workflow", ""),
        ("git reset --hard", ""),
        ("git merge plain", ""),
        ("git merge main", ""),
        ("git rebase --continue", ""),
        ("git cherry-pick plain", ""),
        ("git stash", ""),
        ("git stash pop", ""),
        ("git switch nobody", ""),
        ("git restore a", ""),
        ("git log envrc", ""),
        ("git diff main envrc", ""),
    ],
)
def test_what_would_change_a_file_that_a_box_holds_names_it(home, text, path):
    said = needs(home, text)
    assert (f"would change {path}, which a box holds" in said) if path else not said


def test_a_change_of_such_a_file_that_would_go_is_one(home):
    (home.root / ".envrc").write_text("mine")
    try:
        for text in ("git stash", "git reset --hard", "git restore .", "git checkout -- .envrc"):
            assert "would change .envrc" in needs(home, text), text
        for text in ("git restore a", "git checkout -- a", "git commit -am x", "git stash list"):
            assert not needs(home, text), text
    finally:
        git(home, "restore", ".envrc")


SIGNED, TAGGED = "[commit]\n\tgpgSign = true\n", "[tag]\n\tgpgSign\n"
SETTINGS = {
    "the repository's own": (".git/config", SIGNED, True),
    "the person's": ("~/.gitconfig", SIGNED, True),
    "an included file": ("~/.gitconfig", "[include]\n\tpath = work\n", True),
    "one for where it is": ("~/.gitconfig", '[includeIf "gitdir:~/../"]\n\tpath = work\n', True),
    "one for elsewhere": ("~/.gitconfig", '[includeIf "gitdir:~/elsewhere/"]\n\tpath = work\n', False),
    "a later word against it": ("~/.gitconfig", f"{SIGNED}\tgpgSign = false\n", False),
}


@pytest.mark.parametrize(("file", "said", "signs"), SETTINGS.values(), ids=SETTINGS)
def test_a_commit_that_settings_have_signed_is_asked_about(home, file, said, signs):
    (home.home / "work").write_text(SIGNED)
    path = home.root / file if file[0] == "." else home.home / file[2:]
    before = path.read_text() if path.exists() else ""
    path.write_text(before + said.replace("~/../", f"{home.root.parent}/"))
    try:
        for text in ("git commit -m x", "git merge plain", "git cherry-pick plain", "git rebase main"):
            assert ("signs with a key" in needs(home, text)) is signs, text
        for text in (
            "git commit --no-gpg-sign -m x",
            "git -c commit.gpgsign=false commit -m x",
            "git merge --ff-only plain",
            "git rebase --abort",
            "git tag v1",
            "git status",
        ):
            assert not needs(home, text), text
    finally:
        path.write_text(before)


def test_a_tag_that_settings_have_signed_is_asked_about(home):
    path = home.home / ".gitconfig"
    path.write_text(TAGGED)
    try:
        assert "signs with a key" in needs(home, "git tag v1")
        for text in ("git tag", "git tag -l 'v*'", "git tag --no-sign v1", "git commit -m x"):
            assert "signs" not in needs(home, text), text
    finally:
        path.unlink()
