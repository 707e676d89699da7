"""Every test starts without the caller's configuration, and no test depends on the machine's speed or on luck."""

from __future__ import annotations

import gc
import signal

import pytest
from helpers import leftovers, samples, warm
from hypothesis import settings

for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:  # tests that run in the background of a script, as in `make test &`
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


class _Failures:
    """Tells a failure when it happens: a run that is ended later has named it."""

    def __init__(self, terminal):
        self._terminal = terminal

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self._terminal.write(f"\n{report.when} of {report.nodeid} failed:\n{report.longreprtext[-3000:]}\n")


def pytest_sessionstart(session):
    plugins = session.config.pluginmanager
    if terminal := plugins.get_plugin("terminalreporter"):  # none in a worker of xdist
        plugins.register(_Failures(terminal))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """No garbage is looked for among thirty thousand tests: none of them is any, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before those with a mark are left out
def pytest_collection_modifyitems(items):
    samples.take_turns(items)


settings.register_profile("asimi", deadline=None, derandomize=True)
settings.load_profile("asimi")


@pytest.fixture(autouse=True, scope="session")
def nothing_stays(tmp_path_factory):
    """At its end nothing that the run has started or made is left; a failure stands at the last test."""
    mounts = leftovers.note()
    yield
    warm.end()
    assert leftovers.left(mounts, str(tmp_path_factory.getbasetemp())) == []


@pytest.fixture(autouse=True)
def nobody(monkeypatch, tmp_path_factory):
    """A home of its own, and none of asimi's variables."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG_HOME", "STATE_HOME", "DATA_HOME", "CACHE_HOME", "RUNTIME_DIR"):
        monkeypatch.delenv(f"XDG_{name}", raising=False)
    for name in ("CLI", "ROOT", "SESSION", "HOST", "NON_INTERACTIVE", "PLAIN", "RUN"):
        monkeypatch.delenv(f"ASIMI_{name}", raising=False)
