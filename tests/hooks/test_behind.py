"""The cases that `make live` plays with the real agents, played without their programs."""

from __future__ import annotations

import sys

import pytest
from helpers.agents import Stage, cases_of, session
from helpers.bare import Bare

from asimi.doors.hooks import AGENTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no /bin/sh on Windows")


@pytest.mark.long
@pytest.mark.parametrize("agent", AGENTS)
def test_every_case_holds_for_an_agent_that_believes_little(tmp_path, agent):
    stage, outcomes = Stage(tmp_path, agent), {}
    stage.install()
    Bare(stage).plays(session(stage, outcomes, cases_of(agent)))
    assert list(outcomes) == list(cases_of(agent))
    assert {case: repr(fault) for case, fault in outcomes.items() if fault is not None} == {}
