"""Which secrets a pathspec reaches, compared with what the real git lists for it (gitglossary(7), pathspec)."""

from __future__ import annotations

import os
import random
import subprocess

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.machine import Machine
from asimi.core.judging.paths import Paths
from asimi.core.judging.places import Places
from asimi.core.judging.zones import FileRules, Files
from asimi.core.reading import Readings
from asimi.world.host.git_index import status_of
from asimi.world.host.trees import below, kind, walk

SECRETS = (".env", "src/.env", "src/deep/.env.local", "server.pem", "keys/server.pem", "keys/id_rsa", "prod.env")
PLAIN = ("README.md", "src/app.py", "src/env.py", "src/deep/notes.txt", "keys/README.md", "docs/env/read.md", "env")
MAGIC = ("", "", "", "", ":/", ":(top)", ":(icase)", ":(glob)", ":(literal)", ":(top,icase)", ":(glob,icase)", "./")
EXCLUDED = ("", "", "", "':!*.md'", "':(exclude)docs'", "':^keys'", "':!.env'")
ROUNDS = 400


def spec(chance: random.Random) -> str:
    """The path of a file, with a mark of a pattern in it or other letters, and magic before it."""
    text = chance.choice(SECRETS + PLAIN)
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(text))
        start = text[at - 1 : at] in {"", "/"}
        marks = () if {*text} & {*"*?["} else ("*", "*", "?", f"[{text[at]}]", *(["**/"] if start else []))
        put = chance.choice((text[at].upper(), *marks, *(("./", "../src/") if start else ())))
        behind = text[at + chance.randrange(3) :] if put[-1] in "*/" else text[at + 1 :]
        text = text[:at] + put + behind
    return chance.choice(MAGIC) + text


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A repository that keeps some secrets."""
    project = tmp_path_factory.mktemp("home") / "project"
    for name in SECRETS + PLAIN:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).touch()
    environ = {"PATH": os.environ["PATH"], "HOME": str(project.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (["init", "-q"], ["add", "-Af"]):
        subprocess.run(["git", *words], cwd=project, env=environ, check=True)
    return project, environ


def codes_in(root, at, text):
    """The codes of what is said of a text in a repository."""
    machine = Machine(
        str(root.parent), os.path.realpath, {}, kind=kind, below=below, links=os.path.islink, kept=status_of, walk=walk
    )
    rules = FileRules(Files(), str(root), machine)
    request = Request("run_shell_command", text, None, Place(str(at), str(root), inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    places = list(Places(reading, Paths(machine, request, reading, Budget())).all())
    return {finding.code for finding in rules.findings(places, reading, Budget())}


@pytest.mark.parametrize(
    ("ignored", "tracked", "secret", "fine"),
    [
        (".env", "README.md", ("git stash -a", "git stash -au"), ("git stash -u", "git archive HEAD", "git stash")),
        ("*.md", "README.md", ("git stash -u", "git stash save -u"), ("git archive HEAD", "git stash push")),
        (
            "!.env",
            ".env",
            ("git archive HEAD", "git archive -o a.tar HEAD ."),
            ("git stash -u", "git archive HEAD docs"),
        ),
    ],
)
def test_what_git_carries_off(tmp_path, ignored, tracked, secret, fine):
    """An archive holds what is tracked, `git stash -u` takes what is neither tracked nor ignored, `-a` takes all."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "docs").mkdir()
    for name, text in ((".env", ""), ("README.md", ""), (".gitignore", f"{ignored}\n")):
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "add", "-f", tracked], cwd=tmp_path, check=True)
    assert {text: "secret" in codes_in(tmp_path, tmp_path, text) for text in (*secret, *fine)} == {
        **dict.fromkeys(secret, True), **dict.fromkeys(fine, False)
    }  # fmt: skip


def test_a_pathspec_that_names_secrets_is_asked_about(project):
    """One that reaches secrets and nothing else is; one that reaches none, as it is written, is not."""
    root, environ = project
    chance = random.Random(6)
    missed, untrusted_note = [], []
    for _ in range(ROUNDS):
        at, one, excluded = chance.choice((root, root, root / "src")), spec(chance), chance.choice(EXCLUDED)
        words = f"-- '{one}' {excluded}".strip()
        listing = ["bash", "-c", f"git ls-files --full-name {words}"]
        listed = subprocess.run(listing, cwd=at, env=environ, capture_output=True, text=True, check=False)
        reached = {*listed.stdout.split("\n")} - {""}
        said = "secret" in codes_in(root, at, f"git log -p {words}")
        if reached and reached <= {*SECRETS} and not said:
            missed.append((os.path.relpath(at, root), words, sorted(reached)))
        if reached and reached <= {*PLAIN} and said and not {*one} & {*"*?["}:
            untrusted_note.append((os.path.relpath(at, root), words, sorted(reached)))
    assert (missed, untrusted_note) == ([], [])
