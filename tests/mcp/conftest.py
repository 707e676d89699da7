from __future__ import annotations

import pytest
from helpers.mcp import ServedHome


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home, which this process is in as well."""
    home = ServedHome(tmp_path)
    monkeypatch.chdir(home.root)
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture(params=["legacy", "auto"])
def era(request):
    """The two eras of the protocol: with a handshake, and the newest that both know."""
    return request.param
