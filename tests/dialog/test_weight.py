"""Questions differ as their weight does: in colour, in words, and in what it takes to say yes."""

from __future__ import annotations

import os
import subprocess

import pytest
from dialog.conftest import question
from helpers.asks import build, deed
from helpers.home import Home

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Question, Request
from asimi.core.judging.deeds import deeds_of
from asimi.core.wording.weight import GRAVE, LIGHT, WEIGHTY, weight_of, word_of
from asimi.world.host.deed_facts import add_file_facts

PUSH = "git push --force"
GRAVES = [
    (PUSH, ["delete.history", "network", "publish"], "delete"),
    ("mkfs /dev/x", ["delete.disk"], "delete"),
    ("gh repo delete x", ["delete.service", "network"], "delete"),
    ("npm publish", ["code", "publish.package"], "publish"),
]

KEEPING = """
[undo]
keep = "1d"
[files]
write = ["**"]
[[rules]]
decision = "allow"
effects = ["read"]
undo = true
"""

COMMANDS = """
publish | npm publish
publish | npm publish --access public
publish | gh release create v1
publish | gh release upload v1 a.tgz
publish | docker push example/shop
publish | twine upload dist/*
publish | cargo publish
delete | npm unpublish shop
delete | git push --force
delete | git push -f origin main
delete | git push origin +main
delete | git push origin :main
delete | git push --delete origin main
delete | gh repo delete shop
delete | gh release delete v1
delete | gh secret delete TOKEN
delete | kubectl delete pod web
delete | helm uninstall web
delete | terraform destroy
delete | aws s3 rm s3://shop/a
delete | psql -c 'drop table carts'
delete | docker volume rm data
delete | docker compose down -v
delete | rm ../beside
delete | rm -rf ignored.d
delete | rm ignored.log
delete | git push && rm ignored.log
publish | rm kept && npm publish
 | rm kept
 | rm -rf build
 | rm missing
 | git push origin main
 | git push -u origin main
 | git branch -D other
 | git commit --amend --no-edit
 | gh pr create --title x
 | docker rm web
 | npm install left-pad
 | echo ok; ls
"""
"""Commands in a project of git's whose files undo keeps, and the word that each takes."""


def asked(command, effects, **more):
    return {"deeds": [deed(command, effects=effects)], "offers": [], **more}


@pytest.mark.parametrize(("command", "effects", "word"), GRAVES)
def test_what_nothing_brings_back_takes_a_word(command, effects, word):
    found = build(question(command, **asked(command, effects)))
    assert (word_of(found), weight_of(found)) == (word, GRAVE)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("shop"), KEEPING)
    subprocess.run(["git", "init", "-q", "."], cwd=home.root, check=True, timeout=60)
    (home.root / ".gitignore").write_text("*.log\n*.d/\nbuild/\n")
    for name in ("kept", "ignored.log", "ignored.d/a", "build/a", "../beside"):
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text("x\n")
    subprocess.run(["git", "add", "-A"], cwd=home.root, check=True, timeout=60)
    return home


@pytest.fixture
def shop(project, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, project.environ[name])
    return project


@pytest.mark.parametrize("row", COMMANDS.strip("\n").splitlines())
def test_a_command_takes_the_word_for_what_it_surely_does(shop, row):
    word, _, command = row.partition("|")
    root = os.path.realpath(shop.root)
    request = Request("run_shell_command", command.strip(), None, Place.at(root, root))
    policy = configuration_of(Options(), root=root).settings().policy
    deeds = add_file_facts(deeds_of(policy, request), root, root)
    found = Question(request, policy.decide(request), session=False, patience=1, deeds=deeds)
    assert word_of(found) == word.strip()


@pytest.mark.parametrize(
    ("effects", "acts", "weight"),
    [
        (["read"], [], LIGHT),
        (["read"], [{"does": "read", "path": "/etc", "shown": "/etc", "where": "outside"}], LIGHT),
        (["delete"], [{"does": "delete", "path": "/a", "shown": "a", "where": "project"}], WEIGHTY),
        (["network", "publish"], [{"does": "publish", "words": "publishes"}], WEIGHTY),
        (None, [{"does": "delete", "words": "may rewrite published history"}], WEIGHTY),  # it only may
    ],
)
def test_all_else_takes_a_key(effects, acts, weight):
    found = build(question("x", deeds=[deed("x", effects=effects, acts=acts)]))
    assert (word_of(found), weight_of(found)) == ("", weight)


def test_what_is_allowed_anyway_takes_no_word():
    """Only the commands that are asked about count."""
    text = f"{PUSH} && acme"
    parts = [[PUSH, [0, len(PUSH)], "ALLOW"], ["acme", [len(text) - 4, len(text)], "ASK"]]
    found = build(question(text, parts=parts, **asked(PUSH, ["delete.history"])))
    assert word_of(found) == ""


def test_the_floor_takes_a_word():
    reasons = [["floor", "this removes ~", None]]
    assert word_of(build(question("rm -rf ~", reasons=reasons))) == "delete"


@pytest.mark.parametrize("columns", [80, 40])
def test_a_key_is_no_yes_and_another_word_is_none(sit, columns):
    person = sit(PUSH, **asked(PUSH, ["delete.history", "publish"]), seat={"columns": columns})
    person.asked()
    title = "nothing brings it back: run this?" if columns == 80 else "no way back: run this?"
    assert title in person.display
    assert "[s] " not in person.display
    assert "[a] " not in person.display
    person.presses("y")
    person.sees(PUSH[:30], "No way back: type delete to allow it.")
    person.enters("yes")
    person.sees("Nothing was allowed: the word is")
    person.presses("a")
    person.sees("asked about each time")
    person.presses("y")
    person.sees("type delete to allow it")
    person.enters("delete")
    assert person.answer()["yes"] is True


def test_enter_alone_and_esc_allow_nothing(sit):
    person = sit(PUSH, **asked(PUSH, ["delete.history", "publish"]))
    person.asked()
    for keys in ("\r", "\x1b"):
        person.presses("y")
        person.sees("type delete to allow it")
        person.presses(keys)
        person.asked()
    person.presses("n")
    assert person.answer()["yes"] is False


def test_in_plain_mode_it_is_a_word_as_well(sit):
    person = sit(PUSH, **asked(PUSH, ["delete.history", "publish"]), seat={"environ": {"ASIMI_PLAIN": "1"}})
    person.sees("Answer:")
    person.enters("run")
    person.sees("No way back: type delete to allow it.")
    person.enters("delete")
    assert person.answer()["yes"] is True


COLOURS = {LIGHT: "\x1b[36m╭", WEIGHTY: "\x1b[33m╭", GRAVE: "\x1b[1;31m╭"}


@pytest.mark.parametrize(("weight", "effects"), [(LIGHT, ["read"]), (WEIGHTY, ["delete"]), (GRAVE, ["delete.disk"])])
def test_the_frame_has_the_colour_of_the_weight(sit, weight, effects):
    acts = [] if weight == LIGHT else [{"does": "delete", "path": "/a", "shown": "a", "where": "project"}]
    person = sit("x", deeds=[deed("x", effects=effects, acts=acts)])
    person.asked()
    assert COLOURS[weight] in person.written.decode()


def test_the_worst_is_told_first(sit):
    text = "ls /etc; rm build; git push -f"
    parts, deeds, at = [], [], 0
    for command, effects, act in (
        ("ls /etc", ["read"], {"does": "read", "path": "/etc", "shown": "/etc", "where": "outside"}),
        ("rm build", ["delete"], {"does": "delete", "path": "/b", "shown": "build", "where": "project"}),
        ("git push -f", ["delete.history"], {"does": "delete", "words": "rewrites published history"}),
    ):
        at = text.index(command)
        span = [at, at + len(command)]
        parts.append([command, span, "ASK"])
        deeds.append({"command": command, "span": span, "effects": effects, "acts": [act]})
    person = sit(text, parts=parts, deeds=deeds, offers=[])
    shown = person.asked()
    assert shown.index("rewrites published") < shown.index("deletes build") < shown.index("reads /etc")


def test_one_sentence_says_what_it_does_and_a_place_is_named_once(sit):
    root = "/home/somebody/app"
    reasons = [
        ["unlisted", "`git push` publishes, and no rule allows that", f"{root}/.asimi/config.toml:3", [0, 8]],
        ["secret", "/x may be a secret", f"{root}/.asimi/config.toml:3"],
    ]
    acts = [{"does": "publish", "words": "publishes to origin"}]
    person = sit("git push", reasons=reasons, deeds=[deed("git push", effects=["publish"], acts=acts)], offers=[])
    shown = person.asked()
    assert "no rule allows what git push does (.asimi/config.toml:3)" in shown
    assert "publishes, and" not in shown
    assert shown.count("config.toml:3") == 1
