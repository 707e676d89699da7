"""A team: keys of its approvers, and a real server."""

from __future__ import annotations

import pytest
from helpers.team import Keys, Server


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture
def server(tmp_path, keys):
    started = Server(tmp_path / "server", keys).start()
    yield started
    started.kill()
