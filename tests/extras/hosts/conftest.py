"""A host on this machine, reached by a plain argv."""

import pytest
from helpers.hosts import Hosted

from tests.executors.conftest import *  # noqa: F403 - their fixtures, for commands that run there


@pytest.fixture
def there(tmp_path):
    """Commands run at the far end of a link."""
    it = Hosted(tmp_path / "home", tmp_path / "root")
    yield it
    it.end()


@pytest.fixture(autouse=True)
def closed():
    """What a test has reached from its own process is let go: else it lives as long as that."""
    from asimi.compose import configuration

    yield
    while configuration._reached:
        configuration._reached.popitem()[1].link.close()
