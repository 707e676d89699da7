"""A task in a box: what it names leaves the box without a question, and ends with the box."""

from __future__ import annotations

import os
import subprocess

import pytest
from helpers.containers import daemon, described
from helpers.home import Home

from asimi.compose import Options
from asimi.compose.boxed import open_boxed
from asimi.compose.configuration import configuration_of
from asimi.compose.tasks import own_holder, propose, rules_for
from asimi.core.call import Place, Request, Verdict
from asimi.world.approvals.tasks import Task, Tasks
from asimi.world.host.clock import awake, boot_id
from asimi.world.host.nested import started_at

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="boxes are Linux's")

CONFIG = '[files]\nwrite = ["**"]\n[undo]\nkeep = "1d"\n[[rules]]\ndecision = "allow"\neffects = ["read", "write"]\n'

OTHERS = """
git push origin other
git push --force origin main
docker exec other ls
docker exec --privileged web ls
docker run web ls
rm -rf ~
cat .env
asimi policy add ls
"""


@pytest.fixture
def box(tmp_path, monkeypatch):
    """The gate of a box, in a project with a remote and a container; and what grants a task to it."""
    home = Home(tmp_path, CONFIG)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, home.environ[name])
    for name in [each for each in os.environ if each.startswith(("GIT_", "DOCKER_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/docker.sock")
    monkeypatch.chdir(home.root)
    (home.root / ".env").write_text("TOKEN=1\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (
        [*git, "init", "-q", "-b", "main"],
        [*git, "commit", "-qm", "x", "--allow-empty"],
        [*git, "branch", "other"],
        [*git, "remote", "add", "origin", "https://example.org/shop.git"],
    ):
        subprocess.run(words, check=True, env={"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"})
    with daemon(tmp_path / "docker.sock", {"web": described("a"), "other": described("b")}):
        boxed = open_boxed(Options(), "one", dict, ())
        yield boxed, Tasks(boxed.configuration.places.runtime)


def judged(boxed, text):
    root = boxed.configuration.root
    return boxed.gate.judge(Request("run_shell_command", text, None, Place.at(root, root)))


def granted(box, holder="", commands=("git push origin main", "docker exec web true")):
    _, tasks = box
    configuration = configuration_of(Options())
    rules = rules_for(configuration, commands, code=False, reach=())
    tasks.grant(Task("1", "fix", configuration.root, tuple(rules), boot_id(), awake() + 60, 0.0, holder))


def test_what_a_task_names_leaves_the_box(box):
    boxed, tasks = box
    texts = ["git push origin main", "docker exec web sh -c 'kill 1'", "ls; git push origin main && docker exec web ls"]
    assert {judged(boxed, text).verdict for text in texts} == {Verdict.ASK}
    granted(box)
    assert {text: judged(boxed, text).verdict for text in texts} == dict.fromkeys(texts, Verdict.ALLOW)
    assert tasks.all()[0].holder == own_holder(), "it is this box's from now on"
    for text in OTHERS.strip().splitlines():
        assert judged(boxed, text).verdict is not Verdict.ALLOW, text


def test_a_task_is_for_one_box(box):
    boxed, tasks = box
    other = subprocess.Popen(["sleep", "100"])
    try:
        granted(box, f"{other.pid} {started_at(other.pid)}")
        assert tasks.all()
        assert judged(boxed, "git push origin main").verdict is Verdict.ASK
    finally:
        other.kill()
        other.wait()
    assert not tasks.all(), "it ends with its box"


def widened(boxed, text):
    """What would make the task of a box cover a text."""
    root = boxed.configuration.root
    request = Request("run_shell_command", text, None, Place.at(root, root))
    return boxed.gate.question(request, boxed.gate.judge(request), boxed.gate.settings()).widening


def test_what_a_widening_names_leaves_the_box_and_no_more(box):
    boxed, tasks = box
    assert widened(boxed, "docker exec web ls") is None, "there is no task"
    granted(box, commands=["git push origin main"])
    for text in ("docker exec web ls", "npm test; ls && git push origin other && git push origin main"):
        assert judged(boxed, text).verdict is Verdict.ASK
        offer = widened(boxed, text)
        assert len(offer.rules) == 1, "the box holds the rest"
        tasks.widen(offer.rules)
        assert judged(boxed, text).verdict is Verdict.ALLOW
    for text in ("docker exec other ls", "docker exec --privileged web ls", "git push --force origin other"):
        assert judged(boxed, text).verdict is Verdict.ASK, text
    for text in ("rm -rf ~", "cat .env", "docker run web ls", "asimi policy add ls"):
        assert widened(boxed, text) is None, text


def test_the_inside_proposes_and_the_box_is_named(box):
    boxed, tasks = box
    assert propose(boxed.gate, "ls") is None
    assert "a person decides" in (propose(boxed.gate, "asimi task propose fix --code") or "")
    found = tasks.proposal(boxed.configuration.root)
    assert (found.words, found.holder) == (("fix", "--code"), own_holder())
