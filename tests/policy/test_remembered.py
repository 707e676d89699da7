"""What is remembered of a text changes no verdict: whatever the file system has to say is asked anew each time."""

import os
import shutil
import subprocess
from bisect import bisect_left
from pathlib import Path

import pytest

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Place, Request, ToolCall, Verdict
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Looks, Machine
from asimi.core.judging.policy import Policy
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import rule_of
from asimi.core.judging.zones import FileRules, Files
from asimi.core.reading import Readings, requests
from asimi.tools.run_shell_command import RunShellCommandTool

CONFIG = """
[files]
write = ["**"]

[[rules]]
decision = "allow"
effects = ["read", "write"]
"""


@pytest.fixture
def open_judged(tmp_path, monkeypatch):
    """Opens gates that judge texts in a project."""
    for name in ("root", "home/.ssh"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "home/.ssh/id_rsa").write_text("x")
    (tmp_path / "config.toml").write_text(CONFIG)
    for name in [name for name in os.environ if name.startswith(("XDG_", "ASIMI_", "PYTHON"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    def gate():
        return open_judge(Options(config=str(tmp_path / "config.toml"), root=str(tmp_path / "root")))

    def opened():
        gate = opened.gate()

        def judged(text):
            call = ToolCall("run_shell_command", {"command": text}, None, "test")
            return gate.judge(RunShellCommandTool().read(call, gate.workspace, gate.shell)).verdict

        return judged

    opened.gate = gate
    return opened


@pytest.fixture
def judge(open_judged):
    """Judges texts by one gate."""
    return open_judged()


CHANGES = [
    ("cat notes", lambda root: (root / "notes").symlink_to(root.parent / "home/.ssh/id_rsa")),
    ("touch out/x", lambda root: (root / "out").symlink_to(root.parent / "home")),
    ("cd sub && cat x", lambda root: (root / "sub").symlink_to(root.parent / "home/.ssh")),
    ("python3 -c 'import json; print(json.dumps(1))'", lambda root: (root / "json.py").write_text("x")),
]


@pytest.mark.parametrize(("text", "change"), CHANGES, ids=[text for text, _ in CHANGES])
def test_a_text_that_was_allowed_is_a_question_once_its_words_lead_elsewhere(judge, tmp_path, text, change):
    assert [judge(text), judge(text)] == [Verdict.ALLOW] * 2
    change(tmp_path / "root")
    assert [judge(text), judge(text)] == [Verdict.ASK] * 2


def test_a_text_that_was_a_question_is_allowed_again_once_its_words_lead_back(judge, tmp_path):
    assert judge("git -C sub status") is Verdict.ALLOW
    subprocess.run(["git", "init", "-q", tmp_path / "root/sub"], check=True)
    assert judge("git -C sub status") is Verdict.ASK
    shutil.rmtree(tmp_path / "root/sub/.git")
    assert judge("git -C sub status") is Verdict.ALLOW


def test_what_is_asimis_own_is_so_where_it_went_meanwhile(judge, tmp_path):
    home = tmp_path / "home"
    (home / ".config/asimi").mkdir(parents=True)
    (home / "dotfiles").mkdir()
    assert judge("cat ~/dotfiles/asimi/config.toml") is Verdict.ALLOW
    (home / ".config/asimi").rename(home / "dotfiles/asimi")
    (home / ".config/asimi").symlink_to(home / "dotfiles/asimi")
    assert judge("cat ~/dotfiles/asimi/config.toml") is Verdict.ASK


ROWS = [
    line.split(" | ", 1)[1]
    for line in (Path(__file__).parent / "files.txt").read_text().splitlines()
    if line and line[0] != "#"
]


AT_ONCE = 32
"""Texts whose readings are remembered side by side."""


def change(root):
    """Let words lead elsewhere: a link, a module of one's own, a repository."""
    (root / "src").symlink_to(root.parent / "home")
    (root / "json.py").write_text("x")
    subprocess.run(["git", "init", "-q", root / "web"], check=True)


def change_back(root):
    """Take that back."""
    (root / "src").unlink()
    (root / "json.py").unlink()
    shutil.rmtree(root / "web")


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_no_verdict_depends_on_what_was_judged_before(judge, open_judged, tmp_path, every):
    root, texts = tmp_path / "root", [text.replace("@HOME@", str(tmp_path / "home")) for text in ROWS[::every]]
    plain = dict(zip(texts, map(open_judged(), texts), strict=True))
    change(root)
    changed = dict(zip(texts, map(open_judged(), texts), strict=True))
    change_back(root)
    assert plain != changed
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        assert {text: judge(text) for text in some}.items() <= plain.items()
        change(root)
        assert {text: judge(text) for text in reversed(some)}.items() <= changed.items()
        change_back(root)
        assert {text: judge(text) for text in some}.items() <= plain.items()


@pytest.fixture
def looks(tmp_path):
    """A guard that counts what its machine is asked, and what reads for it."""
    looks, root = Looks(), str(tmp_path)
    machine = looks.of(Machine("/home/x", os.path.realpath, {}))
    guard = Guard(machine, Protection(["/home/x/.config/asimi"], machine), FileRules(Files(), root, machine), looks)
    readings = Readings((), (), judge_substitutions=False)

    def look(text, budget=None):
        request = Request("run_shell_command", text, None, Place(root, root, inside=True))
        return guard(request, readings.of(request), Budget() if budget is None else budget).findings

    return look


@pytest.mark.parametrize("text", ["env", "printenv; true"])
def test_what_follows_from_the_text_alone_is_looked_at_once_and_paid_for_each_time(looks, text):
    budgets = Budget(), Budget()
    first, second = (looks(text, budget) for budget in budgets)
    assert first is second
    assert first[0].code == "secret"
    assert budgets[0].left == budgets[1].left < Budget().left
    with pytest.raises(OverBudgetError):
        looks(text, Budget(1))


@pytest.mark.parametrize("text", ["cat notes; env", "env > x", "cd sub; env"])
def test_what_the_file_system_was_asked_for_is_looked_at_each_time(looks, text):
    first = looks(text)
    assert looks(text) == first
    assert looks(text) is not first
    assert first


def test_only_so_much_is_remembered(looks):
    first = looks("env")
    for number in range(100):
        looks(f"true {number}")
    again = looks("env")
    assert again == first
    assert again is not first


DEAR = [
    "rm -v --recursive x; rm --interactive y",
    "rm --one-file-system --verbose --dir a; rm --preserve-root b; rm --recursive c",
    "git push --quiet --tags; git push --dry-run",
]


@pytest.mark.parametrize("text", DEAR)
def test_what_is_too_large_is_too_large_each_time(monkeypatch, text):
    """The least that a new policy needs, less one: what it knows by then must not make the rest cheaper."""
    entries = ("run_shell_command(rm)", "run_shell_command(git push)")
    rules = [rule_of(entry, Verdict.DENY)._replace(options_any=("-f",)) for entry in entries]
    request = Request("run_shell_command", text, None, Place("/project", "/project", inside=True))

    def is_too_large(most, times):
        monkeypatch.setattr(requests, "MOST", most)
        policy = Policy(rules)
        return [policy.decide(request).reasons[0].code == "too_large" for _ in range(times)]

    least = bisect_left(range(100_000), 1, key=lambda most: is_too_large(most, 1) == [False])
    assert is_too_large(least, 3) == [False] * 3
    assert is_too_large(least - 1, 3) == [True] * 3
