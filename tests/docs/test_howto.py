"""Every line of "I want …, I write …" does what it says, typed by a person in a home and a project of their own."""

from __future__ import annotations

import json
import re
import subprocess
from typing import NamedTuple

import pytest
from helpers import PYTHON, ROOT
from helpers.home import Home
from helpers.samples import sample
from helpers.sandboxes import skip

PAGE = ROOT / "docs" / "start" / "howto.md"
ROWS = dict(re.findall(r"(?m)^\| (?!I want|---)(.+?) \| (.+) \|$", PAGE.read_text(encoding="utf-8")))
YES = ("[y/n] ", "y\r")


class Tried(NamedTuple):
    """How a line is tried.

    Args:
        said: what is on the screen at its end, or was.
        code: the exit code.
        keys: what is pressed once a text is there: text and keys, in turns.
        first: commands that a person typed before, with their keys.
        then: commands, and the verdict that `asimi check` gives them afterwards.
        before: the same, of before.
        file: a file that is there afterwards.
    """

    said: str = ""
    code: int = 0
    keys: tuple[str, ...] = ()
    first: tuple[tuple[str, tuple[str, ...]], ...] = ()
    then: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    before: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    file: str = ""


CHANGED = (("asimi run --json 'echo x > made'", ()),)

TRIED = {
    "a good set of rules to begin with": Tried("written", file="~/config"),
    "to be asked less about one command": Tried(
        "npm install", 0, YES, before={"npm install": "ask"}, then={"npm install": "allow", "npm publish": "ask"}
    ),
    "the same, only in this project": Tried("npm run dev", 0, YES, then={"npm run dev": "allow"}),
    "to allow a command for two hours": Tried("docker compose up", 0, YES, then={"docker compose up": "allow"}),
    "to allow exactly this command": Tried(
        "terraform", 0, YES, then={"terraform plan -out=plan": "allow", "terraform plan -out=other": "ask"}
    ),
    "to push, but never by force": Tried(
        "git push", 0, YES, then={"git push origin main": "allow", "git push -f origin main": "ask"}
    ),
    "to forbid a command": Tried("terraform destroy", then={"env terraform destroy -auto-approve": "deny"}),
    "to be asked about a command every time": Tried(
        "git commit", before={"git commit -m x": "allow"}, then={"git commit -m x": "ask"}
    ),
    "to take a rule back": Tried(
        "npm publish", first=(('asimi policy add "npm publish"', YES),), then={"npm publish": "ask"}
    ),
    "to see every rule": Tried("allow"),
    "fewer questions for half an hour": Tried(
        "30", 0, YES, before={"python3 web/tool.py": "ask"}, then={"python3 web/tool.py": "allow", "git push": "ask"}
    ),
    "never to be asked: refuse instead": Tried(before={"frobnicate": "ask"}, then={"frobnicate": "deny"}),
    "asimi only to watch for two weeks": Tried(then={"frobnicate": "ask"}),
    "to be asked before a kind of file is read": Tried(
        before={"cat data.sqlite": "allow"}, then={"cat data.sqlite": "ask", "cat notes.txt": "allow"}
    ),
    "to let commands write elsewhere, too": Tried(
        before={"touch /srv/site/x": "ask"}, then={"touch /srv/site/x": "allow", "touch /srv/x": "ask"}
    ),
    "to let commands set a variable": Tried(before={"DATABASE_URL=x ls": "ask"}, then={"DATABASE_URL=x ls": "allow"}),
    "to say that a script of mine starts its arguments": Tried(
        first=(('asimi policy add --deny "npm publish"', ()),), then={"in-docker npm publish": "deny"}
    ),
    "rules for what I keep saying yes to": Tried(
        "npm test", 0, ("[y/n/a/q]", "q\r"), first=(("asimi run 'npm test' --dir web", ("[n] deny", "y")),) * 3
    ),
    "to use my agents' own lists": Tried("Bash(frobnicate:*)", 0, YES, then={"frobnicate x": "allow"}),
    "to know what would become of a command, and why": Tried("git push", 1),
    "to know what asimi knows of a program": Tried("tar"),
    "to try my rules in CI": Tried("2"),
    "to find rules that do nothing": Tried(
        "npm install", 1, first=(('asimi policy add "npm install"', YES), ('asimi policy add --deny "npm"', ()))
    ),
    "to find what my rules let through": Tried("none in"),
    "to see what was refused, and why": Tried("frobnicate", first=(("asimi --non-interactive run frobnicate", ()),)),
    "to be sure that nobody has changed the log": Tried("", first=CHANGED),
    "the last week as a web page": Tried("week.html", first=CHANGED, file="week.html"),
    "to see what the last call changed": Tried("made", first=CHANGED),
    "to take it back": Tried("taken back", 0, YES, first=CHANGED),
    "to know what a box would hold": Tried("Codex"),
    "Claude Code to ask asimi before each command": Tried("creates", 0, YES),
    "to see what Claude Code would be told": Tried(
        "a command that cannot be parsed is denied", first=(("asimi hook install claude-code", YES),)
    ),
    "to answer agents' questions in another terminal": Tried("Waiting", 130, ("Waiting for questions", "\x03")),
    "to run one command in a directory": Tried("12 tests passed", keys=("[n] deny", "y")),
    "to run a program with arguments, without a shell": Tried("tersely", keys=("[n] deny", "y")),
    "to run a command that can write nothing outside the project": Tried("12 tests passed", keys=("[n] deny", "y")),
    "to send tool calls as JSON": Tried('"exitCode": 0'),
    "to know what holds on this machine": Tried("reading"),
    "to know what is wrong with my setup": Tried("works"),
    "to get rid of asimi": Tried("Remove the program itself"),
}


def test_every_line_is_tried_and_there_are_more_than_thirty():
    assert [*ROWS] == [*TRIED]
    assert len(ROWS) >= 30


@pytest.fixture
def home(tmp_path):
    """A home with the preset developer, a project in git, and what the page names."""
    home = Home(tmp_path, None)
    (home.config.parent / "first").mkdir()
    done = home.asimi("config", "init", "--preset", "developer")
    assert done.returncode == 0, done.stderr
    files = {
        "web/package.json": '{"scripts": {\n"test": "echo 12 tests passed"\n}}\n',
        "web/tool.py": "print('tersely')\n",
        "data.sqlite": "x",
        "notes.txt": "x",
        ".asimi/cases.jsonl": '{"command": "git push", "expect": "ask"}\n{"command": "ls", "expect": "allow"}\n',
        ".claude/settings.json": json.dumps({"permissions": {"allow": ["Bash(frobnicate:*)"]}}),
    }
    for name, text in files.items():
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text(text, encoding="utf-8")
    programs = home.home / "bin"
    programs.mkdir()
    npm = '#!/bin/sh\nPATH=/usr/bin:/bin\nexec sh -c "$(sed -n \'s/.*"test": "\\(.*\\)".*/\\1/p\' package.json)"\n'
    for name, text in {"asimi": f'#!/bin/sh\nexec {PYTHON} -m asimi "$@"\n', "npm": npm}.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    home.environ["PATH"] = f"{programs}:{home.environ['PATH']}"
    subprocess.run(["git", "init", "-q", home.root], check=True)
    return home


def typed(home, command, keys=()):
    """The exit code, and all that was on the screen."""
    with home.at_terminal(program=["bash", "-c", command], columns=160, rows=60) as person:
        pairs = iter(keys)
        for text, key in zip(pairs, pairs, strict=True):
            person.sees(text)
            person.presses(key)
        code = person.ended()
        return code, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", person.written.decode())


def verdicts(home, commands):
    return {each: {0: "allow", 1: "ask", 3: "deny"}[home.asimi("check", each).returncode] for each in commands}


def configured(home, written):
    """Put a line into the configuration as a person does: below its heading, in place of one with the same key."""
    *heading, line = re.findall(r"`([^`]+)`", written)
    parts = re.split(r"(?m)^(?=\[)", home.config.read_text(encoding="utf-8"))
    at = next((number for number, part in enumerate(parts) if heading and part.startswith(heading[0])), 0)
    if heading and not at:
        parts.append(f"{heading[0]}\n")
        at = len(parts) - 1
    key = re.escape(line.split(" =")[0])
    kept = re.sub(rf"(?ms)^{key} = (?:\[.*?\]|[^\n]*)[^\n]*\n", "", parts[at])
    head, _, rest = kept.partition("\n") if heading else ("", "", kept)
    parts[at] = f"{head}\n{line}\n{rest}".lstrip("\n")
    home.config.write_text("".join(parts), encoding="utf-8")


@pytest.mark.parametrize("want", sample(ROWS, 4))
def test_a_line_does_what_it_says(home, want):
    home.environ["CI"] = "true"  # no hook leaves a resident gate behind
    written, tried = ROWS[want], TRIED[want]
    if "--sandbox" in written or "wrap" in written:
        from asimi.world.executors.confining.ability import lacking_bubblewrap

        if why := lacking_bubblewrap():
            skip(why)
    if tried.file == "~/config":
        home.config.unlink()
    for command, keys in tried.first:
        code, shown = typed(home, command, keys)
        assert code in {0, 126}, shown
    assert verdicts(home, tried.before) == tried.before
    if " = " in written:
        configured(home, written)
    else:
        command = written.strip("`").replace("\\|", "|")
        code, shown = typed(home, command, tried.keys)
        assert (code, tried.said in shown) == (tried.code, True), f"{command}\n{shown}"
    assert home.asimi("config", "check").returncode == 0
    assert verdicts(home, tried.then) == tried.then
    if tried.file:
        assert (home.config if tried.file == "~/config" else home.root / tried.file).exists()
