"""Without an extra's folder, only its own commands, options and keys are gone, and each says what is missing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from helpers import ROOT
from helpers.home import Home
from helpers.house import JOURNEYS, MODULES, PACKAGE, start
from helpers.samples import sample

from asimi.core.extras import BROUGHT, EXTRAS, load
from asimi.doors.cli.completing import outline

KEYS = {
    "exec_rules": [
        '[shell]\nenforce = "exec"',
        '[[rules]]\ndecision = "deny"\ncommand = "git push"\nenforce = "exec"',
    ],
    "hosts": ['[hosts.there]\nreach = ["env"]'],
    "team": ['[team]\nserver = "tls://nats.example.org:4222"'],
    "telemetry": ['[telemetry]\nendpoint = "http://localhost:1/x"'],
}
"""What a configuration may say with the keys of an extra."""

OPTIONS = {
    "hosts": [["--host", "x", *words.split()] for words in ("run true", "check true", "jobs list", "policy add ls")],
    "team": [["approve", "--team"], ["watch", "--team"]],
}
"""Command lines with the options of an extra."""


OTHERS = [
    ["--help"],
    ["policy", "--help"],
    ["completion", "bash"],
    ["--config", "new.toml", "config", "init", "--preset", "developer", "--force"],
    ["config", "check"],
    ["doctor"],
]
"""Commands that have to do with many extras, and work without any of them."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What each journey comes to with all extras."""
    return {name: outcome(tmp_path_factory.mktemp("whole"), name, PACKAGE) for name in JOURNEYS}


def outcome(home, name, package):
    """The exit code of a journey and what it printed, without the names of its home and of what hashes that."""
    _, done = start(home, *JOURNEYS[name], package)
    printed = f"{done.stdout}\n{done.stderr}".replace(str(home), "HOME")
    return done.returncode, re.sub(r"[0-9a-f]{16}|\b[0-9]+\b", "N", printed)


def copied(to, name):
    """A copy of asimi without an extra."""
    package = to / "copy/asimi"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("packs"))
    shutil.rmtree(package / "extras" / name)
    for each in ("docs", "README.md", "CHANGELOG.md", "config.example.toml"):  # the pages of `asimi help`
        (package.parent / each).symlink_to(ROOT / each)
    return package


@pytest.mark.parametrize("name", sample(EXTRAS, 4))
def test_without_an_extra_all_else_works_and_it_is_said_what_is_missing(name, whole, tmp_path):
    package = copied(tmp_path, name)
    missing = f"asimi/extras/{name}"
    homes = (tmp_path / each for each in JOURNEYS)
    for journey, home in zip(JOURNEYS, homes, strict=True):
        home.mkdir()
        assert outcome(home, journey, package) == whole[journey]
    home = tmp_path / "home"
    home.mkdir()
    lines = [command.split() for command in EXTRAS[name].commands] + OPTIONS.get(name, [])
    for words in lines:
        _, done = start(home, words, "", package)
        assert (done.returncode, missing in " ".join(done.stderr.split())) == (125, True), done.stderr
    for words in OTHERS:
        _, done = start(home, words, "", package)
        assert done.returncode == 0, done.stderr
    for command in EXTRAS[name].commands:
        _, done = start(home, [*command.split(), "--help"], "", package)
        assert (done.returncode, missing in " ".join(done.stdout.split())) == (0, True)
    assert bool(KEYS.get(name)) == bool(EXTRAS[name].keys)
    for text in KEYS.get(name, ()):
        (home / ".config/asimi/config.toml").write_text(f"# one line\n{text}")
        for words in (["check", "true"], ["run", "true"], ["config", "check"]):
            _, done = start(home, words, "", package)
            said = " ".join(done.stderr.split())
            assert (done.returncode, missing in said) == (125, True), done.stderr
            assert "config.toml:" in said


def test_without_the_adapters_an_import_of_one_says_what_is_missing(tmp_path):
    package = copied(tmp_path, "frameworks")
    code = "import asimi; print(asimi.check('ls').verdict.word); import asimi.adapters.langchain"
    done = subprocess.run([sys.executable, "-c", code], cwd=package.parent, capture_output=True, text=True, check=False)
    assert done.stdout == "ask\n"
    assert "asimi/extras/frameworks" in done.stderr.splitlines()[-1]


def test_without_the_team_the_administrators_file_is_not_obeyed_without_it(tmp_path):
    package = copied(tmp_path, "team")
    code = (
        "from asimi.world.config.managed import team_in\n"
        "team_in('/etc/asimi/config.toml', b'# one line\\n[team]\\nadministrators = []')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=package.parent, capture_output=True, text=True, check=False)
    assert "ConfigError: /etc/asimi/config.toml:3: " in done.stderr
    assert "asimi/extras/team" in done.stderr


def test_without_the_shell_asimi_alone_on_a_terminal_prints_its_usage(tmp_path):
    package = copied(tmp_path, "shell")
    program = [sys.executable, "-c", "import sys; from asimi.__main__ import main; sys.argv = ['asimi']; main()"]
    with Home(tmp_path / "home").at_terminal(program=program, environ={"PYTHONPATH": str(package.parent)}) as person:
        assert person.ended() == 2
        assert "Usage: asimi" in person.display


def test_the_table_is_true():
    """Each extra has a folder, and each folder a row; what a row names is there."""
    folders = {path.parent.name for path in (PACKAGE / "extras").glob("*/__init__.py")}
    assert set(EXTRAS) == folders
    for name, extra in EXTRAS.items():
        assert load(name).__doc__
        for command in extra.commands:
            assert BROUGHT[command] == name
            assert tuple(command.split()) in {each.words for each in outline().all()}


def test_the_gate_names_no_module_of_an_extra():
    """It finds them by the table; an extra names no other extra."""
    for module in MODULES:
        own = f"asimi.extras.{module.split('.')[2]}" if module.startswith("asimi.extras.") else ""
        text = MODULES[module].read_text(encoding="utf-8")
        for found in (part.split('"')[0] for part in text.split("asimi.extras.")[1:]):
            allowed = module == "asimi.core.extras" or (own and f"asimi.extras.{found}".startswith(own))
            assert allowed, f"{module} names asimi.extras.{found[:40]}"
