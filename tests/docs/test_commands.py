"""Every command of the documentation's blocks does what its page says, typed by a person at a terminal.

A page's commands are typed one after the other, in a home and a project of their own, by an ordinary user: if root runs
the tests and asimi lies where others can read it, by `nobody`. One that cannot be typed here
is in `LEFT_OUT` with the reason. A command in neither table fails, and so does a row that no page has any more.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers import MODULES, PATIENCE, PYTHON, ROOT
from helpers.home import Home
from helpers.pages import PAGES, blocks, named
from helpers.samples import sample
from helpers.terminal import Person

SHELLS = {"sh", "console", "bash"}


class Does(NamedTuple):
    """What comes of a command.

    Args:
        said: what is on the screen at its end, or was.
        code: the exit code.
        keys: what is pressed once a text is there: text and keys, in turns.
    """

    said: str
    code: int = 0
    keys: tuple[str, ...] = ()


HOOKED = {
    f"asimi hook {verb} {agent}": Does(said, 0, keys)
    for agent in "claude-code gemini-cli cursor copilot-cli antigravity qwen-code opencode".split()
    for verb, said, keys in (
        ("install", "creates", ("? [y/n] ", "y\r")),
        ("doctor", "a command that cannot be parsed is denied", ()),
    )
}

CALL = '{"id":"1","name":"run_shell_command","arguments":{"command":"git status"}}'

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRlB2s5ZOt4dac+aR3WB3gLHgllmzNhYrsC5r/ox+h4"

COMMANDS = HOOKED | {
    rf"printf '%s\n' '{CALL}' | asimi serve": Does('"exitCode": 0'),
    "asimi undo": Does("There is nothing to take back in"),
    "asimi": Does("On branch", keys=("asimi> ", "git status\r", "[exit 0", "\x04")),
    "asimi completion bash > ~/.local/share/bash-completion/completions/asimi": Does(""),
    "asimi completion fish > ~/.config/fish/completions/asimi.fish": Does(""),
    "asimi completion zsh > ~/.zfunc/_asimi": Does(""),
    "asimi config check --config .asimi/config.toml": Does("ok"),
    "asimi config init": Does("written", keys=("[q] leave", "d", "[y] write it", "y", "[y/n] ", "n\r")),
    "asimi init": Does("asimi uninstall", keys=("[q] leave", "d", "[y] write it", "y")),
    "asimi doctor": Does("reading"),
    'asimi check --in-box "gh pr create"': Does("a box does not have", 1),
    "asimi log report --session 3f2a9c1b": Does("No calls"),
    "asimi wrap --explain codex": Does("Codex CLI"),
    "asimi wrap --explain --reach '*.example.org:8443' codex": Does("*.example.org:8443"),
    "asimi wrap --explain --reach localhost:5432 make": Does("localhost:5432"),
    "asimi wrap --explain --reach @npm make": Does("registry.npmjs.org:443 (usual)"),
    "asimi wrap --explain --publish 8000 make": Does("8000"),
    "asimi log --denied": Does(""),
    "asimi programs check": Does("No programs are described"),
    "asimi programs confirm": Does("No programs are described", 125),
    "asimi exec --timeout 30 --cwd web -- python3 tool.py --verbose": Does("verbosely", keys=("[n] deny", "y")),
    "asimi hook doctor codex": Does("start codex, type /hooks, and trust it", 1),
    "asimi hook install codex": Does("creates", keys=("? [y/n] ", "y\r")),
    "asimi hook uninstall codex": Does("deletes", keys=("? [y/n] ", "y\r")),
    "asimi log --why": Does("for doctor"),
    'asimi policy add "npm install"': Does("npm install", keys=("[y/n] ", "y\r")),
    "asimi policy export codex > ~/.codex/rules/asimi.rules": Does(""),
    "asimi policy export gemini-cli > ~/.gemini/policies/asimi.toml": Does(""),
    "asimi policy import --dry-run": Does("Bash(ls:*)"),
    "asimi policy import claude-code": Does("Bash(ls:*)", keys=("[y/n] ", "y\r")),
    "asimi policy import team.rules": Does("make", keys=("[y/n] ", "y\r")),
    "asimi policy lint --config .asimi/config.toml": Does(""),
    "asimi policy test --config .asimi/config.toml .asimi/cases.jsonl": Does("2"),
    "asimi team init team --server tls://nats.example.org:4222 --machine build7 --machine desk": Does("README.md"),
    f'asimi team init team --approver "alice {KEY}"': Does("approvers/alice.seed"),
    f'asimi team init team --administrator "dana {KEY}"': Does("README.md"),
    "mkdir -p ~/.config/fish/completions": Does(""),
    "mkdir -p ~/.local/share/bash-completion/completions": Does(""),
    "mkdir -p ~/.zfunc": Does(""),
    'asimi run "npm test" --dir web --description "Run the web tests"': Does("12 tests passed"),
}

LEFT_OUT = {
    'asimi task "fix the login" --code --install --push "origin fix/login" --until 2h': "needs a remote",
    "asimi doctor --host gpu1": "needs another machine",
    'asimi run "nvidia-smi" --host gpu1': "needs another machine",
    "asimi team publish team policy.toml --key ~/.ssh/id_ed25519 --for 90d": "needs a team's server",
    "pipx install .": "needs a package index",
    "pipx install --force '.[mcp]'": "needs a package index",
    "pip install 'asimi[team]'": "needs a package index",
    "pip install '.[langchain]'": "needs a package index",
    "python examples/frameworks/langchain_agent.py": "`make frameworks` plays it",
    "codex": "somebody else's program",
    "asimi wrap codex": "somebody else's program",
    "asimi wrap claude": "somebody else's program",
    "make check": "these tests are in it",
    "make test": "these tests are in it",
}

COUNTED = {
    "needs a team's server": 1,
    "needs another machine": 2,
    "needs a remote": 1,
    "needs a package index": 4,
    "`make frameworks` plays it": 1,
    "somebody else's program": 3,
    "these tests are in it": 2,
}


def commands(page):
    """The commands of a page with their lines, without the remark behind a command."""
    for block in blocks(page):
        if block.language in SHELLS:
            for number, line in enumerate(block.text.splitlines(), block.line):
                if command := re.sub(r"\s{2,}#.*$", "", line).strip():
                    yield number, command


TYPED = [page for page in PAGES if any(command not in LEFT_OUT for _, command in commands(page))]


def test_every_command_of_every_page_is_in_one_table_and_every_row_on_a_page():
    found = {command: f"{named(page)}:{line}" for page in PAGES for line, command in commands(page)}
    assert {command: place for command, place in found.items() if command not in {*COMMANDS, *LEFT_OUT}} == {}
    assert sorted({*COMMANDS, *LEFT_OUT} - {*found}) == []
    assert sorted({*COMMANDS} & {*LEFT_OUT}) == []


def test_what_is_left_out_is_counted_by_its_reason():
    assert Counter(LEFT_OUT.values()) == COUNTED


def test_a_command_stands_in_a_block_that_says_so():
    for page in PAGES:
        for block in blocks(page):
            assert block.language in SHELLS or not re.search(r"(?m)^(\$ )?asimi ", block.text), (
                f"{named(page)}:{block.line}"
            )


PROGRAMS = {
    "asimi": f'#!/bin/sh\nexec {PYTHON} -m asimi "$@"\n',
    "npm": '#!/bin/sh\nPATH=/usr/bin:/bin\nexec sh -c "$(sed -n \'s/.*"test": "\\(.*\\)".*/\\1/p\' package.json)"\n',
}
"""Programs of the person's: asimi as it is installed, and an npm that knows `npm test`."""

PROJECT = {
    "web/package.json": '{"scripts": {\n"test": "echo 12 tests passed"\n}}\n',
    "web/tool.py": "import sys\nprint('verbosely' if '--verbose' in sys.argv else 'tersely')\n",
    ".asimi/config.toml": 'excludeTools = ["run_shell_command(git push)"]\n',
    ".asimi/cases.jsonl": '{"command": "git push", "expect": "deny"}\n{"command": "rm x", "expect": "not_allow"}\n',
    ".claude/settings.json": json.dumps({"permissions": {"allow": ["Bash(ls:*)"]}}),
    "team.rules": 'prefix_rule(pattern = ["make"])\n',
}

DIRECTORIES = (".codex/rules", ".gemini/policies")


NOBODY = 65534

PLAIN = "/usr/local/bin:/usr/bin:/bin"
"""The PATH of somebody who has just logged in."""


def ordinary():
    """Words that start a program at a terminal as an ordinary user; root becomes one."""
    if os.geteuid():
        return []
    drops = f"exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups --"
    return ["bash", "-c", f'chown {NOBODY} "$(tty)"; {drops} "$0" "$@"']


def is_readable():
    """Whether an ordinary user can start the asimi of these tests."""
    done = subprocess.run(
        [*ordinary(), PYTHON, "-m", "asimi", "--version"], env=MODULES, cwd="/", capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.fixture
def home():
    """A home without a configuration, with a project in git and what the pages name; `home.person` starts its user."""
    place = Path(tempfile.mkdtemp(prefix="asimi-", dir="/var/tmp"))  # which a box shows, as it does a home
    home = Home(place, None)
    for name, text in PROJECT.items():
        (home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (home.root / name).write_text(text, encoding="utf-8")
    for directory in DIRECTORIES:
        (home.home / directory).mkdir(parents=True)
    programs = home.home / "bin"
    programs.mkdir()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    home.environ["CI"] = "true"  # no hook leaves a resident gate behind
    home.environ["PATH"] = f"{programs}:{PLAIN}"
    subprocess.run(["git", "init", "-q", home.root], check=True)
    home.person = ordinary() if is_readable() else []
    if home.person:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", place], check=True)
    place.chmod(0o700)
    yield home
    shutil.rmtree(place, ignore_errors=True)


@pytest.mark.parametrize("page", sample(TYPED, 4), ids=named)
def test_a_command_does_what_its_page_says(home, page):
    for line, command in commands(page):
        if command in LEFT_OUT:
            continue
        does = COMMANDS[command]
        with home.at_terminal(program=[*home.person, "bash", "-c", command], columns=160, rows=60) as person:
            code, shown = played(person, does.keys)
        assert (code, does.said in shown) == (does.code, True), f"{named(page)}:{line}: {command}\n{shown}"
    assert {path.stat().st_uid for path in home.state.glob("*")} <= {NOBODY if home.person else os.geteuid()}


def played(person, keys, patience=PATIENCE):
    """Press keys as their texts come; the exit code of the program, and what it has written."""
    keys = iter(keys)
    for text, key in zip(keys, keys, strict=True):
        person.sees(text)
        person.presses(key)
    code = person.ended(patience)
    return code, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", person.written.decode())


INSTALLERS = {
    "pipx": "pipx install .",
    "uv": "uv tool install .",
    "uv, from git": 'uv tool install "git+file://$PWD"',
    "pip": "python3 -m venv ~/.local/share/it && ~/.local/share/it/bin/pip install -q . "
    "&& ln -s ~/.local/share/it/bin/asimi ~/.local/bin/",
}
"""How asimi is installed of a clone: what README says, and what people do instead."""

CLAUDE = "#!/bin/sh\necho made by the agent > made && ! echo out > ~/out && echo held\n"
"""A stand-in for an agent, which writes where it may and where a box does not let it."""

README = {
    "asimi init": Does("asimi wrap claude", keys=("[q] leave", "d", "[y] write it", "y")),
    "asimi wrap claude": Does("held"),
    "asimi log --why": Does("for doctor"),
    "asimi undo": Does("There is nothing to take back in"),
}
"""What comes of README's commands there, where it is not what `COMMANDS` says."""


@pytest.fixture
def stranger():
    """Gives a home without anything but a clone, a project and an agent, and types in it as an ordinary user."""
    place = Path(tempfile.mkdtemp(prefix="asimi-", dir="/var/tmp"))  # which a box shows, as it does a home
    clone, project, programs = (place / name for name in ("clone", "project", ".local/bin"))
    for directory in (project, programs):
        directory.mkdir(parents=True)
    git = ["git", "-C", ROOT]
    listed = subprocess.run([*git, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, listed):
        if (ROOT / name).exists():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
    for name, text in PROJECT.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    (programs / "claude").write_text(CLAUDE, encoding="utf-8")
    (programs / "claude").chmod(0o755)
    person = ["git", "-c", "user.name=You", "-c", "user.email=you@localhost"]
    for directory in (clone, project):
        subprocess.run(["git", "init", "-q", directory], check=True)
        subprocess.run([*person, "-C", directory, "add", "-A"], check=True)
        subprocess.run([*person, "-C", directory, "commit", "-qm", "Begin"], check=True)
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", place], check=True)
    place.chmod(0o700)
    passed = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    environ = {"HOME": str(place), "LANG": "C.UTF-8", "TERM": "xterm-256color", "CI": "true", **passed}
    environ["PATH"] = f"{programs}:{PLAIN}"
    environ["UV_LINK_MODE"] = "copy"

    def types(command, where, keys=(), patience=PATIENCE):
        program = [*ordinary(), "bash", "-c", command]
        with Person(program, environ, cwd=place / where, columns=100, rows=50) as person:
            return played(person, keys, patience)

    types.programs, types.place = programs, place
    yield types
    shutil.rmtree(place, ignore_errors=True)


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("bwrap"), reason="needs bubblewrap")
@pytest.mark.parametrize("name", INSTALLERS)
def test_the_readme_can_be_typed_by_a_stranger(stranger, name):
    """On the system's Python, with a plain PATH, from the clone on: as README has it, and by other installers."""
    program = INSTALLERS[name].split()[0]
    if program == "uv" and (ours := shutil.which("uv") or shutil.which("uv", path=ROOT / ".tools/python/bin")):
        shutil.copy(ours, stranger.programs / "uv")
    code, shown = stranger(f"command -v {program}", "clone")
    if code:
        pytest.skip(f"needs {program}")
    (readme,) = (page for page in PAGES if named(page) == "README.md")
    for line, command in commands(readme):
        if command == INSTALLERS["pipx"]:
            code, shown = stranger(INSTALLERS[name], "clone", patience=400)
            if "No matching distribution" in shown or "failed to fetch" in shown.lower():
                pytest.skip("needs a package index")
            assert code == 0, shown
        elif command in README or command not in LEFT_OUT:
            does = README.get(command) or COMMANDS[command]
            code, shown = stranger(command, "project", does.keys, 120)
            assert (code, does.said in shown) == (does.code, True), f"README.md:{line}: {command}\n{shown}"
    assert ((stranger.place / "project/made").exists(), (stranger.place / "out").exists()) == (True, False)
