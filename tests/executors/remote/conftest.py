"""A host on this machine, reached by a plain argv."""

import pytest
from helpers.hosts import Hosted


@pytest.fixture
def there(tmp_path):
    """Commands run at the far end of a link."""
    it = Hosted(tmp_path / "home", tmp_path / "root")
    yield it
    it.end()
