"""`asimi relay` sends telemetry beside the records, and either goes on while the other's server is down."""

from __future__ import annotations

import os
import signal

import pytest
from helpers.team import MACHINE, Managed, machine_file, needs_server
from helpers.telemetry import Receiver

from asimi.world.telemetry.events import DECISION, RESULT

pytestmark = [
    pytest.mark.long,
    needs_server,
    pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can own a managed file"),
]


@pytest.fixture
def receiver():
    started = Receiver()
    yield started
    started.stop()


@pytest.fixture
def machine(tmp_path, server, receiver):
    team = machine_file(server.url, MACHINE, server.seed(MACHINE))
    return Managed(tmp_path / "build", team, f'coreTools = ["run_shell_command(echo)"]\n{receiver.table}')


def test_what_commands_log_is_sent_while_a_relay_runs(machine, receiver, server):
    relay = machine.start("relay")
    try:
        assert b"The relay is connected" in relay.stderr.readline()
        assert machine.asimi("run", "echo hi").returncode == 0
        receiver.has(2)
        server.kill()
        assert machine.asimi("run", "echo there").returncode == 0
        receiver.has(4)
        relay.send_signal(signal.SIGTERM)
        assert relay.wait() == 143
    finally:
        relay.kill()
        relay.communicate()
    assert [each.name for each in receiver.received] == [DECISION, RESULT, DECISION, RESULT]
