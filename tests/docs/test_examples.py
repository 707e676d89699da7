"""What the documentation shows is right: configurations, JSON, Python, and the commands that its text names."""

from __future__ import annotations

import json
import re
import shlex
import tomllib

import pytest
from helpers.pages import PAGES, blocks, named, prose

from asimi.doors.cli.help import ALL
from asimi.doors.cli.program import Program
from asimi.world.config import Configuration
from asimi.world.host.places import places_of

BLOCKS = {f"{named(page)}:{block.line}": block for page in PAGES for block in blocks(page)}
OF_OTHERS = {"mcp_servers"}  # Codex's configuration


def those(language):
    return [name for name, block in BLOCKS.items() if block.language == language]


def test_every_block_says_what_it_is_and_is_looked_at():
    known = {"sh", "console", "toml", "json", "python", "yaml", ""}  # yaml: policy-test.yml is tried by another test
    assert {block.language for block in BLOCKS.values()} <= known


@pytest.mark.parametrize("name", those("toml"))
def test_a_configuration_can_be_used(name, tmp_path):
    if OF_OTHERS & set(tomllib.loads(BLOCKS[name].text)):
        return
    file = tmp_path / "config.toml"
    file.write_text(BLOCKS[name].text, encoding="utf-8")
    Configuration(places_of({"HOME": str(tmp_path)}), str(tmp_path), str(file), environ=dict).settings()


@pytest.mark.parametrize("name", those("json"))
def test_json_is_json(name):
    assert json.loads(BLOCKS[name].text)


@pytest.mark.parametrize("name", those("python"))
def test_python_is_python(name):
    assert compile(BLOCKS[name].text, name, "exec", flags=8192)  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


NOT_COMMANDS = {"does not know what it does"}  # what a question says
NAMED = {
    command: named(page)
    for page in PAGES
    if page.stem != "CHANGELOG"  # it tells of what was
    for command in re.findall(r"`asimi\s([^`]+)`", prose(page))
    if command not in NOT_COMMANDS
}


@pytest.mark.parametrize("text", NAMED)
def test_a_command_that_the_text_names_is_there_with_its_options(text):
    command, options = Program({}), {}
    words = [word for word in shlex.split(re.sub(r"[][]", "", text)) if word not in {"…", "..."}]
    while words:
        options |= {name: each for each in command.params for name in (*each.opts, *each.secondary_opts)}
        word, *words = words
        if word == "--":
            return  # what follows is another program's
        if word.startswith("-"):
            assert word in options, NAMED[text]
            words = words[0 if options[word].is_flag else 1 :]
        elif hasattr(command, "get_command"):
            command = command.get_command(None, word)
            assert command is not None, f"{NAMED[text]}: there is no command {word!r}"


@pytest.mark.parametrize("topic", [words.split()[1] for words in NAMED if re.match(r"help [a-z]", words)])
def test_a_topic_that_the_text_names_is_a_page(topic):
    assert topic in {ALL, *(page.stem for page in PAGES)}
