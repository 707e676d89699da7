"""How large asimi is. A change that takes away lowers these numbers in its commit."""

from __future__ import annotations

import pytest
from helpers.house import JOURNEYS, circles, imports_of, journey, sizes

GATE, MODULES, WHOLE, EXTRA = 47_800, 343, 57_760, 3_000
"""The most code lines of the gate, its modules, and the code lines of all and of one extra; the aim is 40,000 for the
gate in 300 modules, and 50,000 for all."""

LOADED = {"check": 109, "hook": 114, "run": 126, "serve": 126, "wrap": 164, "undo": 121, "log": 119}
"""The most modules that a journey loads."""


def test_the_house_grows_no_larger():
    lines, modules = sizes()
    assert lines["gate"] <= GATE
    assert modules["gate"] <= MODULES
    assert lines.total() <= WHOLE
    assert {name: count for name, count in lines.items() if name != "gate" and count > EXTRA} == {}


def test_no_module_needs_itself_when_it_runs():
    """Wherever in a file an import stands; what files need for their types alone is in test_layers.py."""
    assert circles(imports_of) == []


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_journey_loads_no_more_modules(name):
    assert 1 < len(journey(name)) <= LOADED[name]
