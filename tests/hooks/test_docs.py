"""The pages about agents say what the data says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asimi.doors.hooks import AGENTS, GUESTS
from asimi.doors.hooks.agent import agent_of, asker, asks

DOCS = Path(__file__).parents[2] / "docs"
OVERVIEW = (DOCS / "start" / "agents.md").read_text()
SECTIONS = {
    re.sub(r"\W", "", head).lower(): text
    for head, text in re.findall(r"(?ms)^## ([^\n]*)\n(.*?)(?=^## |\Z)", (DOCS / "reference" / "hooks.md").read_text())
}


def section(name):
    """What the page on hooks says of an agent."""
    return SECTIONS[name.replace("-", "")]


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_has_a_section_that_says_what_is_known(name):
    agent = agent_of(name)
    page = section(name)
    for text in (
        f"asimi hook install {name}",
        f"asimi hook doctor {name}",
        f"asimi hook uninstall {name}",
        f"~/{agent.settings.file}",
        "**Not enforced:**",
        *(f"`{event.name}`" for event in agent.events if event.installed),
        *(f"`{end.name}`" for end in agent.ends),
        *([f"`{agent.settings.moved[0]}`"] if agent.settings.moved else []),
    ):
        assert text in page, text
    assert f"`~/{agent.settings.file}`" in OVERVIEW
    assert ("make live" in page) is ("run against" in agent.known)


def own(agent):
    """The modes of an agent, without a row that is about one of its events."""
    return [mode for mode in agent.modes if mode.value not in {event.name for event in agent.events}]


@pytest.mark.parametrize("name", [*AGENTS, *GUESTS])
def test_its_section_has_the_table_of_its_modes(name):
    agent, page = agent_of(name), section(name)
    rows = [f"| {mode.name} | {mode.does} | {asker(agent, mode)} | {mode.known} |" for mode in agent.modes]
    assert rows
    assert "\n".join(rows) in page


@pytest.mark.parametrize("name", AGENTS)
def test_the_overview_says_from_whom_questions_come(name):
    agent = agent_of(name)
    (row,) = [line for line in OVERVIEW.splitlines() if line.startswith(f"| [`{name}`]")]
    found = {asker(agent, mode) for mode in own(agent)}
    assert ("its own prompt" in row) is ("its own prompt" in found)
    assert bool(re.search(r"[|;] asimi\b", row)) is ("asimi" in found)


@pytest.mark.parametrize("name", [*AGENTS, *GUESTS])
def test_an_agent_that_can_be_told_to_ask_has_an_answer_for_it(name):
    agent = agent_of(name)
    told = [mode for mode in own(agent) if asks([mode])]
    assert all(event.ask is not None for event in agent.events if event.installed) or not told
    assert all(mode.does == "asks" for mode in told)


def test_what_people_look_for_is_found():
    for name, words in (("claude-code", "auto mode"), ("codex", "auto-review"), ("copilot-cli", "allow-all")):
        assert words in section(name)
        assert words in OVERVIEW
