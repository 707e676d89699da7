from __future__ import annotations

import pytest
from helpers.hooks import HookedHome


@pytest.fixture
def home(tmp_path):
    return HookedHome(tmp_path)
