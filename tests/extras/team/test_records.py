"""Every line of a machine's log is on the server, once and in order, whoever is killed; and stays as it was."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from helpers.home import Home
from helpers.questions import eventually
from helpers.team import MACHINE, USER, needs_server

from asimi.extras.team.records import Recorder, copied, token
from asimi.extras.team.server import connected
from asimi.extras.team.streams import create
from asimi.extras.team.subjects import ADMINISTRATOR, COLLECTOR, RECORDS, STREAM
from asimi.extras.team.subjects import MACHINE as ROLE
from asimi.world.audit.chain import Chain, Keep, older_files
from asimi.world.audit.reading import Copy, files, verify
from asimi.world.audit.tail import Tail, last_copied_line

pytestmark = needs_server


def in_time(work):
    async def limited():
        async with asyncio.timeout(120):
            return await work

    return asyncio.run(limited())


class Machine:
    """A machine's log, and whoever reads and keeps it on the server."""

    def __init__(self, server, keys, directory, total=1 << 30):
        self.server, self.team = server, server.team(keys)
        self.directory, self.said, self.written = str(directory), [], 0
        self.chain = Chain(self.directory, lambda: Keep(3000, total=total, copied=last_copied_line(self.directory)))

    def write(self, count=1, **fields):
        for _ in range(count):
            self.written += 1
            self.chain.append(
                json.dumps({"time": "2026-11-22T00:00:00.000Z", "event": "x", "i": self.written} | fields)[:-1]
            )

    @asynccontextmanager
    async def connected(self, role=ROLE, name=MACHINE):
        client = await connected(self.team, role, name, self.server.seed(name), self.said.append)
        try:
            yield client
        finally:
            await client.close()

    @asynccontextmanager
    async def recording(self):
        async with self.connected() as client:
            recorder = Recorder(client, MACHINE, USER, Tail(self.directory), self.said.append)
            task = asyncio.ensure_future(recorder.run())
            try:
                yield client
            finally:
                task.cancel()
                await asyncio.wait((task,))

    async def created(self):
        async with self.connected(ADMINISTRATOR, ADMINISTRATOR) as client:
            return await create(client)

    async def there(self):
        async with self.connected(COLLECTOR, COLLECTOR) as client:
            return [record async for record in copied(client)]

    async def is_there(self, count):
        """Return once the line of that number is on the server."""
        mark = f'"i": {count},'.encode()
        while not any(mark in each.content for each in await self.there()):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.1)


@pytest.fixture
def machine(server, keys, tmp_path):
    return Machine(server, keys, tmp_path / "state")


def lines_of(machine):
    return [line for path in files(machine.directory) for line in Path(path).read_bytes().splitlines()]


def torn(machine):
    """What a writer leaves that is killed in a line."""
    with open(files(machine.directory)[-1], "ab") as log:
        log.write(b'{"time":"2026-')


def checked(records):
    copy = Copy("copy")
    for record in records:
        copy.line(record.number, record.content, record.hash)
    return copy.result()


def test_every_line_is_there_once_and_in_order(machine):
    async def work():
        await machine.created()
        machine.write(5)
        async with machine.recording():
            machine.write(200)  # through several files
            await machine.is_there(205)
        return await machine.there()

    records = in_time(work())
    assert len(older_files(machine.directory)) > 3
    assert [record.content for record in records] == lines_of(machine)
    assert {(record.machine, record.user) for record in records} == {(MACHINE, USER)}
    result = checked(records)
    assert (result.faults, result.notes, result.hash) == ((), (), verify(machine.directory).hash)


def test_a_relay_that_comes_back_goes_on_where_the_server_is(machine):
    async def work():
        await machine.created()
        for round_ in range(1, 6):
            machine.write(20)
            async with machine.recording():
                await eventually(lambda: last_copied_line(machine.directory) > 0)
                machine.write(1)
                if round_ % 2:
                    await machine.is_there(machine.written)
        async with machine.recording():
            await machine.is_there(machine.written)
        return await machine.there()

    assert [record.content for record in in_time(work())] == lines_of(machine)


@pytest.mark.long
def test_a_server_that_is_killed_again_and_again_lacks_nothing(machine):
    async def work():
        await machine.created()
        async with machine.recording():
            for _ in range(4):
                machine.write(40)
                await asyncio.to_thread(machine.server.kill)
                machine.write(5)
                await asyncio.to_thread(machine.server.start)
            machine.write(1)
            await machine.is_there(machine.written)
            return await machine.there()

    assert [record.content for record in in_time(work())] == lines_of(machine)


def test_what_is_not_on_the_server_is_not_trimmed(server, keys, tmp_path):
    machine = Machine(server, keys, tmp_path / "state", total=0)
    machine.write(200)
    assert len(older_files(machine.directory)) > 3
    assert json.loads(lines_of(machine)[0])["n"] == 1

    async def work():
        await machine.created()
        async with machine.recording():
            await machine.is_there(machine.written)
            await eventually(lambda: last_copied_line(machine.directory) == json.loads(lines_of(machine)[-1])["n"])

    in_time(work())
    before = older_files(machine.directory)
    machine.write(60)
    assert before[0] not in older_files(machine.directory)


def test_two_relays_of_one_log_send_nothing_twice(machine):
    async def work():
        await machine.created()
        async with machine.recording(), machine.recording():
            machine.write(100)
            await machine.is_there(100)
        return await machine.there()

    assert [record.content for record in in_time(work())] == lines_of(machine)


def test_a_line_that_a_killed_writer_left_is_there_too(machine):
    async def work():
        await machine.created()
        machine.write(3)
        machine.chain.close()
        torn(machine)
        machine.write(2)
        async with machine.recording():
            await machine.is_there(5)
        async with machine.recording():
            machine.write(1)
            await machine.is_there(6)
        return await machine.there()

    records = in_time(work())
    assert [record.content for record in records] == lines_of(machine)
    assert [record.number for record in records] == list(range(1, len(records) + 1))
    assert (checked(records).faults, len(checked(records).notes)) == ((), 1)


def test_a_log_that_begins_anew_shows(machine):
    async def work():
        await machine.created()
        machine.write(10)
        async with machine.recording():
            await machine.is_there(10)
            machine.chain.close()
            for path in (*files(machine.directory), os.path.join(machine.directory, "log.head")):
                os.unlink(path)
            machine.write(10)
            await machine.is_there(20)
        return await machine.there()

    records = in_time(work())
    assert len(records) == 20
    assert any("does not follow the one before" in str(fault) for fault in checked(records).faults)


@pytest.mark.long
def test_a_line_that_is_too_long_for_the_server_leaves_its_hash(machine):
    async def work():
        await machine.created()
        machine.write(1)
        machine.write(1, command="x" * (9 << 20))
        machine.write(1)
        async with machine.recording():
            await machine.is_there(3)
        async with machine.recording():
            machine.write(1)
            await machine.is_there(4)
        return await machine.there()

    records = in_time(work())
    result = checked(records)
    assert (result.faults, result.hash) == ((), verify(machine.directory).hash)
    assert any("too long" in note for note in result.notes)


@pytest.mark.parametrize(
    ("user", "part"), [("dev", "dev"), ("first.last", "first%2Elast"), ("a b>*", "a%20b%3E%2A"), ("é", "%C3%A9")]
)
def test_any_users_name_is_one_part_of_a_subject(user, part):
    assert token(user) == part


SUBJECT = f"{RECORDS}.{MACHINE}.{USER}"

# what somebody with the machine's own credentials asks of the server
TAMPERING = [
    (f"$JS.API.STREAM.PURGE.{STREAM}", {"filter": SUBJECT}),
    (f"$JS.API.STREAM.MSG.DELETE.{STREAM}", {"seq": 1}),
    (f"$JS.API.STREAM.DELETE.{STREAM}", {}),
    (f"$JS.API.STREAM.UPDATE.{STREAM}", {"name": STREAM, "subjects": [f"{RECORDS}.*.*"], "max_msgs": 1}),
    ("$JS.API.STREAM.CREATE.other", {"name": "other", "subjects": ["other"]}),
    (f"$JS.API.CONSUMER.CREATE.{STREAM}", {"stream_name": STREAM, "config": {}}),
    (f"$JS.API.STREAM.MSG.GET.{STREAM}", {"seq": 1}),
    (f"$JS.API.DIRECT.GET.{STREAM}", {"seq": 1}),
    (f"$JS.API.DIRECT.GET.{STREAM}.{RECORDS}.build8.{USER}", None),
    (f"{RECORDS}.build8.{USER}", {}),
]


@pytest.mark.parametrize(("subject", "body"), TAMPERING)
def test_the_machines_own_credentials_cannot_change_what_is_there(machine, subject, body):
    async def work():
        await machine.created()
        machine.write(3)
        async with machine.recording() as client:
            await machine.is_there(3)
            before = await machine.there()
            content = b"" if body is None else json.dumps(body).encode()
            with pytest.raises(Exception, match=r"nats: (timeout|no responders)"):
                await client.request(subject, content, timeout=1)
            return before, await machine.there()

    before, after = in_time(work())
    assert before == after
    assert any("ermissions violation" in line for line in machine.said)


@pytest.mark.parametrize("rollup", ["sub", "all"])
def test_a_roll_up_is_refused(machine, rollup):
    async def work():
        await machine.created()
        machine.write(3)
        async with machine.recording() as client:
            await machine.is_there(3)
            reply = await client.request(SUBJECT, b"x", headers={"Nats-Rollup": rollup}, timeout=5)
            return json.loads(reply.data), await machine.there()

    reply, records = in_time(work())
    assert "rollup not permitted" in reply["error"]["description"]
    assert len(records) == 3


def test_not_even_the_administrator_deletes_or_purges_a_record(machine):
    async def work():
        await machine.created()
        machine.write(3)
        async with machine.recording():
            await machine.is_there(3)
        async with machine.connected(ADMINISTRATOR, ADMINISTRATOR) as client:
            said = [
                json.loads((await client.request(subject, json.dumps(body).encode(), timeout=5)).data)
                for subject, body in TAMPERING[:2]
            ]
            return said, await machine.there(), await machine.created()

    said, records, made = in_time(work())
    assert ["error" in each for each in said] == [True, True]
    assert (len(records), made) == (3, False)


@pytest.mark.long
def test_a_server_that_keeps_nothing_yet_is_told_and_waited_for(machine):
    async def work():
        machine.write(3)
        async with machine.recording():
            await eventually(lambda: machine.said)
            await machine.created()
            await machine.is_there(3)

    in_time(work())
    assert "asimi team create" in machine.said[0]


@pytest.mark.long
def test_the_collector_checks_every_machine(machine, server, tmp_path):
    home = Home(tmp_path / "collector")
    directory = str(server.directory)
    assert home.asimi("team", "create", directory).stdout == "The server keeps records and a policy from now on.\n"
    assert home.asimi("team", "create", directory).stdout == "The server keeps records and a policy as it must.\n"
    assert home.asimi("team", "verify", directory).stdout == "The server keeps no records yet.\n"

    async def work():
        machine.write(3)
        async with machine.recording():
            await machine.is_there(3)

    in_time(work())
    done = home.asimi("team", "verify", directory)
    assert (done.returncode, done.stdout.startswith(f"{MACHINE} {USER}  3 lines, unbroken, last of 2026-")) == (0, True)

    async def added():
        async with machine.connected() as client:
            line = b'{"time":"2026-11-23T00:00:00.000Z","event":"x","n":4,"prev":"' + b"0" * 64 + b'"}'
            await client.request(SUBJECT, line, headers={"Asimi-Number": "4"}, timeout=5)

    in_time(added())
    done = home.asimi("team", "verify", directory)
    assert (done.returncode, "does not follow the one before" in done.stdout) == (1, True)
    done = home.asimi("team", "verify", str(tmp_path))
    assert (done.returncode, "holds no team.toml" in done.stderr) == (125, True)
