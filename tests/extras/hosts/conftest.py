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
