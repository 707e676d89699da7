"""`asimi relay`, `asimi watch --team` and `asimi approve --team` as people start them, on machines of one team."""

from __future__ import annotations

import json
import os
import signal

import pytest
from helpers import PATIENCE
from helpers.home import Home
from helpers.team import MACHINE, Managed, machine_file, needs_server

pytestmark = [
    pytest.mark.long,
    needs_server,
    pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can own a managed file"),
]

PASSPHRASE = "the secret of carol"


class Machine(Managed):
    """A machine of the team whose questions carol may answer."""

    def __init__(self, directory, server, keys, machine):
        carol = f"carol {keys.signer('carol', PASSPHRASE).key}"
        super().__init__(directory, machine_file(server.url, machine, server.seed(machine), approvers=[carol]))


@pytest.fixture
def build(tmp_path, server, keys):
    return Machine(tmp_path / "build", server, keys, MACHINE)


@pytest.fixture
def desk(tmp_path, server, keys):
    return Machine(tmp_path / "desk", server, keys, "desk")


@pytest.fixture
def relay(build):
    process = build.start("relay")
    assert b"The relay is connected" in process.stderr.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def gate(build, relay):
    process = build.start("serve")
    yield process
    process.kill()
    process.communicate()


def call(gate, command):
    gate.stdin.write(json.dumps({"command": command}).encode() + b"\n")
    gate.stdin.flush()


def answer(gate):
    return json.loads(gate.stdout.readline())


def options(server, keys):
    return "--team", "--key", keys.path("carol"), "--credentials", server.seed("alice")


def test_a_person_elsewhere_allows_a_call_with_a_passphrase(build, desk, gate, server, keys):
    with desk.person("watch", *options(server, keys)) as person:
        person.sees("Waiting for the team's questions")
        call(gate, "echo one; echo two")
        person.asked()
        person.sees("echo one;", "echo two", f"on {MACHINE}", "[s]", "[f]")
        for key in ("[a]", "[d]", "[e]"):
            assert key not in person.display
        person.presses("y")
        person.sees("Enter passphrase")
        person.types(PASSPHRASE + "\r")
        assert answer(gate)["stdout"] == "one\ntwo\n"
        call(gate, "echo three")
        person.asked()
        person.presses("n")
        person.sees("Enter passphrase")
        person.types(PASSPHRASE + "\r")
        assert "Refused by the person" in answer(gate)["error"]
    started, _, refused = build.log()
    assert (started["approval"]["by"], refused["approval"]["by"]) == ("team:carol", "team:carol")


def test_a_wrong_passphrase_answers_nothing(build, desk, gate, server, keys):
    with desk.person("watch", *options(server, keys)) as person:
        person.sees("Waiting for the team's questions")
        call(gate, "echo one")
        person.asked()
        person.presses("y")
        person.sees("Enter passphrase")
        person.types("wrong\r")
        person.sees("Nothing was answered")
        person.asked()
        person.presses("y")
        person.sees("Enter passphrase")
        person.types(PASSPHRASE + "\r")
        assert answer(gate)["stdout"] == "one\n"


def test_approve_shows_what_waits_and_ends(desk, gate, server, keys):
    with desk.person("watch", *options(server, keys)) as watcher:
        watcher.sees("Waiting for the team's questions")
        call(gate, "echo one")
        watcher.asked()
        with desk.person("approve", *options(server, keys), "--list") as listing:
            listing.sees(f"on {MACHINE}", "echo one")
        with desk.person("approve", *options(server, keys)) as person:
            person.asked()
            person.presses("y")
            person.sees("Enter passphrase")
            person.types(PASSPHRASE + "\r")
            assert answer(gate)["stdout"] == "one\n"
        watcher.sees("was answered elsewhere, or has ended")


def test_without_an_approver_the_call_is_refused_and_can_still_be_allowed_here(gate):
    call(gate, "echo one")
    error = answer(gate)["error"]
    assert "no approver of the team is connected" in error
    assert "asimi approve" in error


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--key", "x"), "--key and --credentials are for --team"),
        (("--team", "--key", "{alice}"), "lists theirs in team.approvers"),
        (("--team", "--key", "/nowhere"), "ssh-keygen -t ed25519"),
        (("--team", "--key", "{carol}", "--credentials", "/nowhere"), "No such file"),
    ],
)
def test_what_an_approver_lacks_is_said(desk, keys, words, why):
    words = [word.format(alice=keys.path("alice"), carol=keys.path("carol", PASSPHRASE)) for word in words]
    with desk.person("watch", *words) as person:
        person.sees(why)


def test_a_machine_without_a_team_says_so(tmp_path):
    home = Home(tmp_path / "alone")
    done = home.asimi("relay")
    assert done.returncode == 125
    assert "belongs to no team" in done.stderr


def test_the_relay_ends_when_it_is_told_to_and_another_can_begin(build, relay, server):
    second = build.start("relay")
    assert b"runs on this machine already" in second.communicate(timeout=PATIENCE)[1]
    server.kill()
    assert b"the connection is lost" in relay.stderr.readline()
    relay.send_signal(signal.SIGTERM)
    assert relay.wait(PATIENCE) == 143
    server.start()
    third = build.start("relay")
    assert b"The relay is connected" in third.stderr.readline()
    third.send_signal(signal.SIGKILL)
    third.wait()
    fourth = build.start("relay")
    assert b"The relay is connected" in fourth.stderr.readline()
    fourth.kill()
    fourth.communicate()
    third.communicate()


def test_a_relay_waits_for_its_server_and_ends_when_it_is_told_to(build, server):
    server.kill()
    process = build.start("relay")
    line = process.stderr.readline()
    assert server.url.encode() in line
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    process.communicate()


def test_doctor_says_how_the_machine_stands_with_its_team(build, desk, server, keys):
    def says():
        lines = build.doctor("--verbose").stdout.splitlines()
        return [line for line in lines if line[7:].startswith(("relay:", "appr"))]

    assert says() == [
        "note   relay: no `asimi relay` runs, which carries questions to the team; start it as a service: asimi relay"
    ]
    relay = build.start("relay")
    try:
        assert b"The relay is connected" in relay.stderr.readline()
        reached = "ok     relay: it runs, and the team's server is reached"
        nobody = "note   approvers: nobody is connected to answer questions; one starts asimi watch --team"
        assert says() == [reached, nobody] or says() == [nobody, reached]
        with desk.person("watch", *options(server, keys)) as person:
            person.sees("Waiting for the team's questions")
            assert "ok     approvers: somebody is connected" in says()
        server.kill()
        assert b"the connection is lost" in relay.stderr.readline()
        assert says() == ["note   relay: it runs, and cannot reach the team's server; what it prints says why"]
    finally:
        relay.kill()
        relay.communicate()
