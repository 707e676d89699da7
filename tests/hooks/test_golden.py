"""What each agent sends and what it is answered: a file of `golden` for each agent."""

from __future__ import annotations

import json
import re

import pytest
from helpers.hooks import GOLDEN, envelope

from asimi.doors.hooks import AGENTS

CASES = ("allow", "ask", "deny", "garbage")


def test_every_agent_has_its_golden_file():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(AGENTS)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_is_answered_in_its_own_dialect(home, agent, case):
    expected = json.loads((GOLDEN / f"{agent}.json").read_text())[case]
    sent = expected["raw"].encode() if "raw" in expected else envelope(agent, expected["command"], home.root)
    said = home.hook(agent, sent)
    text = re.sub(r"asimi approve [a-z2-7]{8}", "asimi approve ID", said.out + said.err)
    assert said.code == expected["code"]
    assert without_reasons(said.json) == expected["stdout"]
    assert bool(said.err) is (said.code == 2)
    for phrase in expected["says"]:
        assert json.dumps(phrase)[1:-1] in text.replace(str(home.config), "CONFIG")


def without_reasons(value):
    """An answer with its reasons, which are never empty, as one word."""
    if isinstance(value, dict):
        return {key: without_reasons(each) for key, each in value.items()}
    return re.sub(r"(?s)asimi.{5,}", "REASON", value) if isinstance(value, str) else value


@pytest.mark.parametrize("agent", AGENTS)
def test_an_answer_is_one_line(home, agent):
    said = home.hook(agent, envelope(agent, "rm 'a\nb' \N{LINE SEPARATOR}", home.root))
    assert said.code == 0
    assert said.out.isascii()
    assert len(said.out.splitlines()) == 1


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("other", AGENTS)
def test_an_agent_that_sends_another_agents_envelope_is_blocked(home, agent, other):
    if agent != other:
        said = home.hook(agent, envelope(other, "git status", home.root))
        assert (said.code, bool(said.err)) == (2, True)
