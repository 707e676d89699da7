"""Every test starts without the caller's configuration, and no test depends on the machine's speed or on luck."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("asimi", deadline=None, derandomize=True)
settings.load_profile("asimi")


@pytest.fixture(autouse=True)
def nobody(monkeypatch, tmp_path_factory):
    """A home of its own, and none of asimi's variables."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG_HOME", "STATE_HOME", "DATA_HOME", "CACHE_HOME", "RUNTIME_DIR"):
        monkeypatch.delenv(f"XDG_{name}", raising=False)
    for name in ("CLI", "ROOT", "SESSION", "NON_INTERACTIVE", "PLAIN", "RUN"):
        monkeypatch.delenv(f"ASIMI_{name}", raising=False)
