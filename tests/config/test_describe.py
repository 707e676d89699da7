"""The example, the JSON Schema and what is shown are derived from the table of keys."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from asimi.core.call import Limits
from asimi.core.errors import AsimiError
from asimi.core.settings import AuditSettings, Environment, SessionSettings, Settings, State
from asimi.world.config.describe import example, schema, schema_path
from asimi.world.config.keys import KEYS, RULE_KEYS, TABLES
from asimi.world.config.presets import init

EXAMPLE = Path(__file__).parents[2] / "config.example.toml"


def test_the_example_is_the_one_that_is_derived():
    assert EXAMPLE.read_text() == example("asimi/world/config/schema.json")


def test_the_example_holds_every_key_with_its_default(user):
    user.write(EXAMPLE.read_text())
    settings = user.settings()
    assert settings == Settings(settings.policy, Limits(), Environment(), SessionSettings(), AuditSettings(), State())
    assert (settings.policy.rules, settings.policy.terms.unlisted.word, settings.policy.terms.substitution) == (
        (),
        "ask",
        "refuse",
    )
    there = tomllib.loads(EXAMPLE.read_text())
    names = {
        f"{name}.{inner}" if name in TABLES else name
        for name, value in there.items()
        for inner in (value if name in TABLES else [""])
    }
    assert names == {key.name for key in KEYS if not key.example and key.project != "managed"} - {"rules"}


def test_the_rule_in_the_example_has_every_key():
    commented = EXAMPLE.read_text().partition("# [[rules]]")[2]
    rule = tomllib.loads("\n".join(line.removeprefix("# ") for line in commented.splitlines()))
    assert set(rule) == set(RULE_KEYS)


def test_the_examples_first_line_names_the_schema():
    first = EXAMPLE.read_text().splitlines()[0]
    assert first == "#:schema asimi/world/config/schema.json"
    assert (EXAMPLE.parent / first.removeprefix("#:schema ")).exists()


def test_the_shipped_schema_is_the_one_that_is_derived():
    assert json.loads(Path(schema_path()).read_text()) == schema()


def test_the_schema_knows_every_key():
    properties = schema()["properties"]
    for key in KEYS:
        table, _, name = key.name.rpartition(".")
        holder = properties[table]["properties"] if table else properties
        assert holder[name]["description"] == key.comment
    assert set(properties["rules"]["items"]["properties"]) == set(RULE_KEYS)


def test_a_file_to_start_from_is_written_once(user):
    path = init(user.configuration())
    assert path == str(user.file)
    assert user.file.read_text() == example()
    assert user.settings().policy.rules == ()
    user.write("unlisted = 'reject'")
    with pytest.raises(AsimiError, match="--force"):
        init(user.configuration())
    assert user.settings().policy.terms.unlisted.word == "deny"
    init(user.configuration(), force=True)
    assert user.settings().policy.terms.unlisted.word == "ask"
    assert oct(os.stat(user.file).st_mode & 0o777) == "0o644"


def test_every_effective_value_is_shown_with_its_origin(user):
    user.write("coreTools = ['run_shell_command(ls)',\n'execute_command(ls)']\n[limits]\ntimeout = 90\n")
    user.project("\n[limits]\ntimeout = 60\n[wrappers]\ncommands = ['uv run']")
    shown = [tuple(row) for row in user.configuration().show()]
    assert ("coreTools", '"run_shell_command(ls)"', f"{user.file}:1") in shown
    assert ("coreTools", '"execute_command(ls)"', f"{user.file}:2") in shown
    assert ("excludeTools", "[]", "default") in shown
    assert ("limits.timeout", '"1m"', f"{user.root}/.asimi/config.toml:3") in shown
    assert ("limits.output_bytes", '"64MiB"', "default") in shown
    assert ("wrappers.commands", '["uv run"]', f"{user.root}/.asimi/config.toml:5") in shown
    assert {name for name, _, _ in shown} == {key.name for key in KEYS} - {"rules"}


def test_the_files_in_force_are_told_the_strongest_first(user):
    user.write("")
    user.project("")
    assert user.configuration().files() == (("user", str(user.file)), ("project", f"{user.root}/.asimi/config.toml"))
