from __future__ import annotations

import pytest
from hooking import Person


@pytest.fixture
def person(tmp_path):
    return Person(tmp_path)
