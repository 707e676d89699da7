"""The pages about agents say what the data says."""

from __future__ import annotations

from pathlib import Path

import pytest

from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of

DOCS = Path(__file__).parent.parent.parent / "docs" / "agents"


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_has_a_page_that_says_what_is_known(name):
    agent = agent_of(name)
    page = (DOCS / f"{name}.md").read_text()
    overview = (DOCS / "README.md").read_text()
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
    assert f"`~/{agent.settings.file}`" in overview
    assert ("make live" in page) is ("run against" in agent.known)
