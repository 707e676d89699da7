"""Every test starts without the caller's configuration, and no test depends on the machine's speed or on luck."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:  # tests that run in the background of a script, as in `make test &`
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

settings.register_profile("asimi", deadline=None, derandomize=True)
settings.load_profile("asimi")


@pytest.fixture(autouse=True)
def nobody(monkeypatch, tmp_path_factory):
    """A home of its own, and none of asimi's variables."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG_HOME", "STATE_HOME", "DATA_HOME", "CACHE_HOME", "RUNTIME_DIR"):
        monkeypatch.delenv(f"XDG_{name}", raising=False)
    for name in ("CLI", "ROOT", "SESSION", "HOST", "NON_INTERACTIVE", "PLAIN", "RUN"):
        monkeypatch.delenv(f"ASIMI_{name}", raising=False)
