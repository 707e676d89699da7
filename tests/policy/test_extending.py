"""Settings of a project that take in other files, whose text tools print in their errors."""

import os

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.protection import Protection
from asimi.core.judging.zones import FileRules, Files
from asimi.core.reading import Readings
from asimi.world.checks.gathering import extends_others
from asimi.world.host.trees import kind


@pytest.mark.parametrize(
    ("name", "text", "command", "expected"),
    [
        ("ruff.toml", 'extend = "~/.aws/credentials"', "ruff check src", True),
        ("ruff.toml", 'extend = "$HOME/.aws/credentials"', "ruff check src", True),
        ("ruff.toml", 'extend = "/etc/passwd"', "ruff format --check src", True),
        ("ruff.toml", 'extend = ".env"', "ruff check src", True),
        ("src/ruff.toml", 'extend = "../../ruff.toml"', "ruff check src/app.py", True),
        ("src/ruff.toml", 'extend = "../ruff.toml"', "ruff check src/app.py", False),
        ("ruff.toml", 'extend-exclude = ["/x"]', "ruff check src", False),
        ("pyproject.toml", '[tool.ruff]\nextend = "~/x"', "ruff check .", True),
        ("ruff.toml", 'extend = "~/x"', "git status", False),
        ("rust-toolchain.toml", '[toolchain]\npath = "/tmp/x"', "cargo --version", True),
        ("rust-toolchain", '[toolchain]\npath = "x"', "rustc -vV", True),
        ("rust-toolchain.toml", '[toolchain]\nchannel = "stable"', "cargo --version", False),
        ("global.json", '{"sdk": {"paths": [".dotnet"]}}', "dotnet --info", True),
        ("global.json", '{"sdk": {"version": "9.0.100"}}', "dotnet --info", False),
        (".yamllint", "extends: ../.aws/credentials", "yamllint a.yml", True),
        (".yamllint", "extends:\n  .env", "yamllint a.yml", True),
        (".yamllint", "extends: default", "yamllint a.yml", False),
        (".yamllint", "\x00" * (1 << 19), "yamllint a.yml", True),
    ],
)
def test_a_file_that_settings_take_in_is_one_of_settings(tmp_path, name, text, command, expected):
    root = os.path.realpath(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / ".env").write_text("A=1\n")
    (tmp_path / name).write_text(text)
    machine = Machine(os.path.dirname(root), os.path.realpath, {}, kind=kind, extends=extends_others)
    request = Request("run_shell_command", command, None, Place(root, root, inside=True))
    reading = Readings((), (), judge_substitutions=True).of(request)
    reading = Guard(machine, Protection((), machine), FileRules(Files(write=(("**",),)), root, machine))(
        request, reading, Budget()
    )
    assert any(each.seen.astray for each in reading.commands) == expected
