"""The shared policy on a real server: published by an administrator, followed by machines, written by nobody else."""

from __future__ import annotations

import asyncio
import json
import os

import pytest
from helpers.home import Home
from helpers.questions import eventually
from helpers.team import MACHINE, Managed, Server, machine_file, needs_server, policy_by

from asimi.core.errors import AsimiError
from asimi.extras.team import streams
from asimi.extras.team.following import Follower
from asimi.extras.team.server import connected
from asimi.extras.team.shared import shared_in
from asimi.extras.team.subjects import ADMINISTRATOR, APPROVER, BUCKET, COLLECTOR, POLICY
from asimi.extras.team.subjects import MACHINE as ROLE
from asimi.world.config.layer import layer_of
from asimi.world.host.places import SHARED

pytestmark = needs_server

PASSPHRASE = "the secret of chief"


def in_time(work):
    async def limited():
        async with asyncio.timeout(120):
            return await work

    return asyncio.run(limited())


@pytest.fixture
def server(tmp_path, keys):
    keys.path("chief", PASSPHRASE)
    started = Server(tmp_path / "server", keys, administrators=("deputy", "chief")).start()
    yield started
    started.kill()


class Machine:
    """A machine that follows the server's policy, and the administrator's hand on the server."""

    def __init__(self, server, keys, directory):
        self.server, self.keys, self.state, self.said = server, keys, directory, []
        self.team = server.team(keys)
        check = lambda text, path: layer_of(path, "team", text.encode())  # noqa: E731
        self.follower = Follower(lambda: self.team, str(directory), check, self.said.append)

    def signed(self, text, number, **more):
        return policy_by(self.keys, "deputy", text, number, server=self.server.url, **more).content

    def connected(self, role=ROLE, name=MACHINE, seed=None):
        return connected(self.team, role, name, self.server.seed(seed or name), self.said.append)

    async def as_administrator(self, work):
        client = await self.connected(ADMINISTRATOR, ADMINISTRATOR)
        try:
            return await work(client)
        finally:
            await client.close()

    async def put(self, content):
        async def work(client):
            await streams.create(client)
            return await streams.put(client, POLICY, content, (await streams.published(client))[1])

        return await self.as_administrator(work)

    def kept(self):
        path = self.state / SHARED
        return path.exists() and shared_in(path.read_bytes())

    async def keeps(self, number):
        await eventually(lambda: self.kept() and self.kept().revision.number == number)


@pytest.fixture
def machine(server, keys, tmp_path):
    return Machine(server, keys, tmp_path / "state")


def following(machine, work):
    """What comes of some work while the machine follows the server."""

    async def both():
        client = await machine.connected()
        task = asyncio.ensure_future(machine.follower.run(client))
        try:
            return await work(client)
        finally:
            task.cancel()
            await client.close()

    return in_time(both())


def test_a_machine_has_each_revision_as_soon_as_it_is_published(machine):
    async def work(_):
        for number in range(1, 6):
            await machine.put(machine.signed(f"# {number}", number))
            await machine.keeps(number)
        await eventually(lambda: "policy here is revision 5 by deputy" in machine.said[-1])

    following(machine, work)
    assert machine.kept().text == "# 5\n"


def test_what_the_server_has_and_does_not_count_is_told_and_not_taken(machine):
    async def work(_):
        await machine.put(machine.signed("# 5", 5))
        await machine.keeps(5)
        for content, why in (
            (machine.signed("# 4", 4), "a policy never goes back"),
            (machine.signed("# 6", 6, key="mallory"), "is not one of deputy's key"),
            (b"unlisted = 'ask'", "is not written and signed"),
        ):
            await machine.put(content)
            await eventually(lambda why=why: why in machine.said[-1])
        await machine.put(machine.signed("# 7", 7))
        await machine.keeps(7)

    following(machine, work)


@pytest.mark.long
def test_a_server_that_was_away_is_followed_again(machine):
    async def work(_):
        await machine.put(machine.signed("# 1", 1))
        await machine.keeps(1)
        await asyncio.to_thread(machine.server.kill)
        await asyncio.to_thread(machine.server.start)
        await machine.put(machine.signed("# 2", 2))
        await machine.keeps(2)

    following(machine, work)


def reads(process, text):
    """Return once a process has said something on standard error."""
    while text not in (line := process.stderr.readline().decode()):
        assert line, f"it ended without {text!r}"


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can own a managed file")
def test_a_machine_runs_nothing_until_its_relay_has_brought_the_policy(machine, server, keys, tmp_path):
    administrators = [f"deputy {keys.signer('deputy').key}"]
    text = machine_file(server.url, MACHINE, server.seed(MACHINE), administrators=administrators)
    home = Managed(tmp_path / "build", text, "coreTools = ['run_shell_command(echo)']\n")
    relay = home.start("relay")
    try:
        reads(relay, "the team's policy is not taken: no answer; if the server keeps none yet")
        assert home.asimi("run", "echo one").returncode == 125
        in_time(machine.put(machine.signed("# nothing", 1)))
        reads(relay, "the team's policy here is revision 1 by deputy")
        assert home.asimi("run", "echo one").stdout == "one\n"
        server.kill()
        assert home.asimi("run", "echo two").stdout == "two\n"
        server.start()
        in_time(machine.put(machine.signed("excludeTools = ['run_shell_command(echo)']", 2)))
        reads(relay, "the team's policy here is revision 2 by deputy")
        assert home.asimi("run", "echo three").returncode == 126
    finally:
        relay.kill()
        relay.communicate()


# what somebody with credentials of the team asks of the server
WRITING = [
    (POLICY, None),
    (f"$KV.{BUCKET}.other", None),
    (f"$JS.API.STREAM.PURGE.KV_{BUCKET}", {}),
    (f"$JS.API.STREAM.MSG.DELETE.KV_{BUCKET}", {"seq": 1}),
    (f"$JS.API.STREAM.DELETE.KV_{BUCKET}", {}),
    (f"$JS.API.STREAM.UPDATE.KV_{BUCKET}", {"name": f"KV_{BUCKET}", "subjects": ["$KV.other.>"]}),
]


@pytest.mark.parametrize(
    ("role", "name", "seed"),
    [(ROLE, MACHINE, MACHINE), (APPROVER, "alice", "alice"), (COLLECTOR, COLLECTOR, COLLECTOR)],
)
def test_only_the_administrators_credentials_can_write_it(machine, role, name, seed):
    async def work():
        await machine.put(machine.signed("# 1", 1))
        client = await machine.connected(role, name, seed)
        try:
            for subject, body in WRITING:
                content = machine.signed("# 2", 2) if body is None else json.dumps(body).encode()
                with pytest.raises(Exception, match=r"nats: (timeout|no responders)"):
                    await client.request(subject, content, timeout=0.3)
        finally:
            await client.close()
        return await machine.as_administrator(streams.published)

    content, sequence = in_time(work())
    assert (shared_in(content).text, sequence) == ("# 1\n", 1)
    assert any("ermissions violation" in line for line in machine.said)


def test_not_even_the_administrator_purges_it(machine):
    async def work():
        await machine.put(machine.signed("# 1", 1))

        async def purged(client):
            said = [await streams.asked(client, subject[8:], body) for subject, body in WRITING[2:4]]
            rolled = await client.request(POLICY, b"x", headers={"Nats-Rollup": "sub"}, timeout=5)
            return [*said, json.loads(rolled.data)]

        return await machine.as_administrator(purged)

    assert ["error" in each for each in in_time(work())] == [True, True, True]


def test_who_publishes_at_the_same_time_as_another_is_told(machine):
    async def work():
        await machine.put(machine.signed("# 1", 1))

        async def late(client):
            await streams.put(client, POLICY, machine.signed("# 2", 2), 0)

        await machine.as_administrator(late)

    with pytest.raises(AsimiError, match="somebody else was faster"):
        in_time(work())


def test_a_server_that_keeps_nothing_yet_is_one_to_set_up(machine):
    with pytest.raises(AsimiError, match="asimi team create"):
        in_time(machine.as_administrator(streams.published))


# ---- asimi team publish ----------------------------------------------------------------------------------------------


class Desk(Home):
    """Where the administrator sits."""

    def __init__(self, directory, server, keys):
        super().__init__(directory)
        self.server, self.keys, self.file = server, keys, self.root / "policy.toml"
        assert self.asimi("team", "create", str(server.directory)).returncode == 0

    def words(self, *more, file=None, key="chief"):
        return (
            "team",
            "publish",
            str(self.server.directory),
            str(file or self.file),
            "--key",
            self.keys.path(key),
            *more,
        )

    def publishes(self, text, *more, answer="yes\r", seen=(), file=None):
        if text is not None:
            self.file.write_text(text)
        with self.at_terminal(*self.words(*more, file=file)) as person:
            person.sees("Do you want to publish this", *seen)
            person.types(answer)
            if answer == "yes\r":
                person.sees("Enter passphrase")
                person.types(f"{PASSPHRASE}\r")
                person.sees("published  revision")


@pytest.fixture
def desk(tmp_path, server, keys):
    return Desk(tmp_path / "desk", server, keys)


@pytest.mark.long
def test_a_person_publishes_with_a_passphrase(desk, machine):
    desk.publishes(
        "unlisted = 'reject'\n", seen=["unlisted = 'reject'", "It can only forbid more.", "revision 1 by chief"]
    )
    desk.publishes("unlisted = 'sandbox'\n", answer="no\r", seen=["policy.toml:1: unlisted has no effect"])
    desk.publishes("unlisted = 'ask'\n", answer="no\r", seen=["-unlisted = 'reject'", "+unlisted = 'ask'"])
    desk.publishes("unlisted = 'ask'\n", "--for", "1d", seen=["revision 2 by chief"])
    desk.publishes(None, seen=["the text is as it was", "revision 3"], file=desk.server.directory / "policy.toml")
    content, _ = in_time(machine.as_administrator(streams.published))
    assert content == (desk.server.directory / "policy.toml").read_bytes()
    assert machine.follower.take(content).startswith("the team's policy here is revision 3 by chief")
    assert machine.kept().text == "unlisted = 'ask'\n"


@pytest.mark.long
def test_a_server_that_lost_its_policy_gets_the_next_revision(desk, machine, tmp_path):
    desk.publishes("# one\n")

    async def lost(client):
        await streams.asked(client, f"STREAM.DELETE.KV_{BUCKET}", {})
        await streams.create(client)

    in_time(machine.as_administrator(lost))
    desk.publishes("# two\n", seen=["revision 2 by chief"])


@pytest.mark.parametrize(
    ("text", "words", "code", "why"),
    [
        ("unlisted = 'ask'\nunlistet = 1\n", (), 125, "policy.toml:2: there is no key 'unlistet'"),
        ("[team]\nmachine = 'x'\n", (), 125, "policy.toml:2: team.machine is read from the administrator's file alone"),
        (None, (), 125, "there is no such file"),
        ("", ("--for", "soon"), 2, "is not a time"),
        ("", ("--for", "1s"), 2, "from a minute to ten years"),
        ("", ("--key", "{alice}"), 125, "no key of an administrator"),
        ("", ("--key", "{deputy}"), 125, "has no passphrase"),
        ("", (), 125, "A person must confirm this"),
    ],
)
def test_what_cannot_be_published_is_said(desk, keys, text, words, code, why):
    if text is not None:
        desk.file.write_text(text)
    words = [word.format(alice=keys.path("alice"), deputy=keys.path("deputy")) for word in words]
    done = desk.asimi(*desk.words(*words))
    assert (done.returncode, why in " ".join(done.stderr.split())) == (code, True), done.stderr
