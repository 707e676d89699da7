"""`asimi relay` sends telemetry beside the records, and either goes on while the other's server is down."""

from __future__ import annotations

import json
import os
import signal

import pytest
from helpers.team import MACHINE, Managed, machine_file, needs_server
from helpers.telemetry import Receiver

from asimi.extras.telemetry.events import DECISION, RESULT
from asimi.world.audit.chain import Chain

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


@pytest.fixture(params=["no shared policy", "a shared policy that is still to be fetched"])
def machine(tmp_path, server, receiver, keys, request):
    dana = f"dana {keys.signer('dana').key}"
    shared = {} if request.param.startswith("no") else {"administrators": [dana]}
    team = machine_file(server.url, MACHINE, server.seed(MACHINE), **shared)
    return Managed(tmp_path / "build", team, f'coreTools = ["run_shell_command(echo)"]\n{receiver.table}')


def test_what_commands_log_is_sent_while_a_relay_runs(machine, receiver, server):
    relay = machine.start("relay")
    try:
        assert b"The relay is connected" in relay.stderr.readline()
        log(machine, "one")
        receiver.has(2)
        server.kill()
        log(machine, "two")
        receiver.has(4)
        relay.send_signal(signal.SIGTERM)
        assert relay.wait() == 143
    finally:
        relay.kill()
        relay.communicate()
    assert [(each.name, each.attributes["asimi.id"]) for each in receiver.received] == [
        (DECISION, "one"),
        (RESULT, "one"),
        (DECISION, "two"),
        (RESULT, "two"),
    ]


def log(machine, name):
    """Write the two lines of a call, whatever the policy says of it."""
    chain = Chain(str(machine.state))
    for event in ("start", "end"):
        chain.append(json.dumps({"time": "2026-11-22T00:00:00.000Z", "event": event, "id": name})[:-1])
    chain.close()
