"""`asimi doctor` says whether what is logged can be sent."""

from __future__ import annotations

import re

import pytest
from helpers.home import Home


@pytest.fixture
def home(tmp_path, receiver):
    return Home(tmp_path, receiver.table)


def said(home):
    lines = home.doctor("--verbose").stdout.splitlines()
    return [line for line in lines if re.match(r"\w+ +telemetry: ", line)]


def test_a_receiver_that_answers(home, receiver):
    assert said(home) == [f"ok     telemetry: {receiver.url} takes events"]
    assert receiver.received == []


def test_one_that_does_not(home, receiver):
    receiver.status = 404
    assert said(home) == [
        f"note   telemetry: {receiver.url} takes no events: it answers 404 Not Found; they wait in the log"
    ]
    receiver.stop()
    assert "Connection refused" in said(home)[0]


def test_how_much_waits_and_how_much_is_lost(home, receiver):
    home.answers({"command": "true"})
    receiver.unfit = "never"
    home.answers({"command": "never"})
    home.asimi("run", "true")
    lost, _, waits = said(home)
    assert re.fullmatch(r"ok     telemetry: lines of the log that asimi relay, serve or mcp will send: \d+", waits)
    assert lost == "note   telemetry: lines of the log that were deleted first, or are never taken: 1"


def test_without_an_endpoint_nothing_is_said(tmp_path):
    assert said(Home(tmp_path)) == []
