"""Every decision and every end is sent once, whoever is down or killed; what never will be is counted."""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.questions import until
from helpers.telemetry import Receiver

from asimi.core.settings import Telemetry
from asimi.extras.telemetry import sender as sending
from asimi.extras.telemetry.events import DECISION, RESULT
from asimi.extras.telemetry.exporter import Exporter
from asimi.extras.telemetry.sender import POSITION, Sender, begin, standing
from asimi.world.audit.chain import Chain, Keep, older_files
from asimi.world.audit.reading import files
from asimi.world.audit.tail import Tail


class Machine:
    """A log, and whoever sends it."""

    def __init__(self, directory, receiver, total=1 << 30):
        self.directory, self.receiver, self.said = str(directory), receiver, []
        self.chain = Chain(self.directory, lambda: Keep(file_bytes=4000, total=total))
        self.written = []
        begin(Tail(self.directory), self.directory)

    def write(self, count=1, **more):
        """Write calls that ran: two lines each."""
        for _ in range(count):
            for event in ("start", "end"):
                fields = {"time": "2026-11-22T00:00:00.000Z", "event": event, "i": len(self.written)} | more
                self.chain.append(json.dumps(fields)[:-1])
                self.written.append(event)

    @contextmanager
    def sending(self):
        stop = threading.Event()
        exporter = Exporter(Telemetry(self.receiver.url), "0")
        sender = Sender(Tail(self.directory), exporter.send, self.directory, self.said.append, stop)
        thread = threading.Thread(target=sender.run)
        thread.start()
        try:
            yield sender
        finally:
            stop.set()
            thread.join()

    @property
    def position(self):
        return json.loads(self.path.read_text())

    @property
    def path(self):
        return Path(self.directory, POSITION)

    @property
    def sent(self):
        """What was received, as it was written."""
        return [each.attributes["asimi.i"] for each in self.receiver.received]

    @property
    def all(self):
        return list(range(len(self.written)))


@pytest.fixture
def machine(tmp_path, receiver, monkeypatch):
    monkeypatch.setattr(sending, "PAUSE", 0.02)
    monkeypatch.setattr(sending, "LATER", 0.02)
    return Machine(tmp_path / "state", receiver)


def test_each_is_sent_once_and_in_order(machine):
    with machine.sending():
        machine.write(100)  # through several files
        machine.receiver.has(200)
    assert len(older_files(machine.directory)) > 3
    assert machine.sent == machine.all
    assert [each.name for each in machine.receiver.received[:2]] == [DECISION, RESULT]


def test_what_is_left_at_the_end_is_sent(machine):
    with machine.sending():
        machine.write(20)
    assert machine.sent == machine.all


def test_the_next_goes_on_where_the_last_stopped(machine):
    for _ in range(3):
        machine.write(10)
        with machine.sending():
            machine.write(5)
    assert machine.sent == machine.all


def test_what_was_logged_before_it_was_configured_is_not_sent(tmp_path, receiver):
    before = Machine(tmp_path / "state", receiver)
    before.path.unlink()
    before.write(3)
    machine = Machine(tmp_path / "state", receiver)
    machine.write(1, i="new")
    with machine.sending():
        receiver.has(2)
    assert machine.sent == ["new", "new"]


def test_of_several_one_sends(machine):
    with machine.sending(), machine.sending(), machine.sending():
        machine.write(50)
        machine.receiver.has(100)
    assert machine.sent == machine.all


def test_another_takes_over(machine):
    with machine.sending():
        with machine.sending():
            machine.write(5)
            machine.receiver.has(10)
        machine.write(5)
        machine.receiver.has(20)
    assert machine.sent == machine.all


def test_a_receiver_that_is_down_is_said_once_and_gets_all_later(machine):
    machine.receiver.stop()
    with machine.sending() as sender:
        machine.write(10)
        until(lambda: sender.failing)
        machine.write(10)
        assert standing(Tail(machine.directory), machine.directory) == (Tail(machine.directory).last()[0], 0)
        machine.receiver.start()
        machine.receiver.has(40)
        until(lambda: not sender.failing)
    assert machine.sent == machine.all
    assert machine.said == ["takes no events: Connection refused; they wait in the log", "takes events again"]


@pytest.mark.parametrize("status", [302, 401, 403, 404, 429, 500, 503])
def test_an_answer_that_is_no_yes_is_none(machine, status):
    machine.receiver.status = status
    with machine.sending() as sender:
        machine.write(1)
        until(lambda: sender.failing)
        machine.receiver.status = 200
        machine.receiver.has(2)
    assert machine.sent == machine.all
    assert f"it answers {status}" in machine.said[0]


def test_what_the_receiver_will_never_take_is_passed_over_and_counted(machine):
    machine.receiver.unfit = "poison"
    machine.write(3)
    machine.write(1, command="poison")
    machine.write(3)
    with machine.sending():
        machine.receiver.has(12)
    assert machine.sent == [i for i in machine.all if i not in (6, 7)]
    assert machine.position["lost"] == 2


def test_what_the_receiver_says_it_rejected_is_counted(machine):
    machine.receiver.rejected = 1
    machine.write(1)
    with machine.sending():
        machine.receiver.has(2)
    assert machine.position["lost"] == 1


def test_what_the_log_deleted_before_it_was_sent_is_counted(tmp_path, receiver):
    machine = Machine(tmp_path / "state", receiver, total=0)
    machine.write(100)
    with machine.sending():
        pass
    left = sum(len(Path(path).read_bytes().splitlines()) for path in files(machine.directory))
    assert left + machine.position["lost"] == machine.position["number"]
    assert machine.position["lost"] > 50
    assert machine.sent[-1] == 199


def test_a_log_that_begins_anew_is_sent_from_its_beginning(machine):
    with machine.sending():
        machine.write(3)
        machine.receiver.has(6)
    machine.chain.close()
    for name in os.listdir(machine.directory):
        if name != POSITION:
            os.unlink(os.path.join(machine.directory, name))
    machine.write(2)
    with machine.sending():
        machine.receiver.has(10)
    assert machine.sent == machine.all


def test_a_position_that_cannot_be_read_is_said_and_waited_for(machine):
    content = machine.path.read_text()
    machine.path.write_text("{")
    machine.write(1)
    with machine.sending() as sender:
        until(lambda: sender.failing)
        assert POSITION in machine.said[0]
        machine.path.write_text(content)
        machine.receiver.has(2)


def test_one_that_cannot_deliver_leaves_it_to_one_that_can(machine, tmp_path):
    down = Receiver()
    down.stop()
    cut_off = Machine(tmp_path / "state", down)
    with cut_off.sending() as sender:
        machine.write(5)
        until(lambda: sender.failing)
        with machine.sending():
            machine.receiver.has(10)
    assert machine.sent == machine.all


def test_a_request_is_no_longer_than_a_receiver_takes(machine):
    machine.write(400, command="x" * 4000)
    with machine.sending():
        machine.receiver.has(800)
    assert machine.sent == machine.all
    assert max(len(body) for _, body in machine.receiver.requests) < 2 << 20
