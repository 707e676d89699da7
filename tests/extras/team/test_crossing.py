"""What somebody reaches on a real server with their own credentials: by subject, reply subject, through JetStream."""

import asyncio
import json

import pytest
from helpers.team import MACHINE, Server, needs_server, policy_by
from nats.errors import Error

from asimi.extras.team import streams
from asimi.extras.team.server import connected
from asimi.extras.team.subjects import (
    ADMINISTRATOR,
    ANSWER,
    APPROVER,
    ASK,
    BUCKET,
    COLLECTOR,
    POLICY,
    RECORDS,
    STREAM,
    TOLD,
)

pytestmark = needs_server

OWN = f"{RECORDS}.{MACHINE}.dev"
TARGETS = (
    POLICY,
    f"{RECORDS}.build8.dev",
    f"{ASK}.build8",
    f"{TOLD}.build8.x",
    f"{ANSWER}.build8.x",
    f"{ANSWER}.{MACHINE}.x",
)
"""What none of them may write, but who is named there."""

API = "$JS.API"
CHANGES = {
    f"{API}.STREAM.PURGE.{STREAM}": {},
    f"{API}.STREAM.DELETE.{STREAM}": {},
    f"{API}.STREAM.PURGE.KV_{BUCKET}": {},
    f"{API}.STREAM.MSG.DELETE.{STREAM}": {"seq": 1},
    f"{API}.STREAM.UPDATE.{STREAM}": {"name": STREAM, "subjects": [f"{RECORDS}.*.*"], "deny_delete": False},
    f"{API}.STREAM.CREATE.mine": {"name": "mine", "sources": [{"name": STREAM}]},
    f"{API}.STREAM.CREATE.other": {"name": "other", "mirror": {"name": f"KV_{BUCKET}"}},
    f"{API}.CONSUMER.CREATE.{STREAM}": {
        "stream_name": STREAM,
        "config": {"deliver_subject": POLICY, "deliver_policy": "all", "ack_policy": "none"},
    },
}
READS = {
    f"{API}.DIRECT.GET.{STREAM}.{OWN}": b"",
    f"{API}.DIRECT.GET.{STREAM}.{RECORDS}.build8.dev": b"",
    f"{API}.DIRECT.GET.{STREAM}": b'{"seq": 1}',
    f"{API}.DIRECT.GET.KV_{BUCKET}": b'{"seq": 1}',
    f"{API}.DIRECT.GET.KV_{BUCKET}.{POLICY}": b"",
    f"{API}.STREAM.INFO.{STREAM}": b"{}",
    f"{API}.STREAM.NAMES": b"{}",
    f"{API}.STREAM.MSG.GET.{STREAM}": b'{"seq": 1}',
    f"{API}.CONSUMER.NAMES.{STREAM}": b"{}",
}
"""What JetStream answers, perhaps to a reply subject that somebody chose."""

MAY_READ = {
    "machine": {
        f"{API}.DIRECT.GET.{STREAM}.{OWN}",
        f"{API}.DIRECT.GET.KV_{BUCKET}",
        f"{API}.DIRECT.GET.KV_{BUCKET}.{POLICY}",
    },
    APPROVER: set(),
    COLLECTOR: {f"{API}.DIRECT.GET.{STREAM}"},
}


class Team:
    """A team whose server keeps a policy, and records of two machines."""

    def __init__(self, directory, keys):
        self.server = Server(directory, keys, administrators=("dana",)).start()
        self.team = self.server.team(keys)
        self.policy = policy_by(keys, "dana", "# 1\n", server=self.server.url).content

    async def client(self, role, name):
        self.clients.append(await connected(self.team, role, name, self.server.seed(name), lambda _: None))
        return self.clients[-1]

    def during(self, work):
        """Do something, and close every connection then."""

        async def all_of_it():
            self.clients = []
            try:
                await work()
            finally:
                for client in self.clients:
                    await client.close()

        asyncio.run(asyncio.wait_for(all_of_it(), 60))

    async def begin(self):
        """What it keeps at first, and what hears what is not kept."""
        self.administrator = await self.client(ADMINISTRATOR, ADMINISTRATOR)
        await streams.create(self.administrator)
        await streams.put(self.administrator, POLICY, self.policy, 0)
        for machine in (MACHINE, "build8"):
            client = await self.client("machine", machine)
            await streams.put(client, f"{RECORDS}.{machine}.dev", b"first", 0)
            await client.close()
        self.heard, self.hearing = [], [await self.client(APPROVER, "bob"), await self.client("machine", "build8")]
        for client, subjects in zip(
            self.hearing, ((f"{ASK}.build8", f"{TOLD}.build8.*"), (f"{ANSWER}.build8.*",)), strict=True
        ):
            for subject in subjects:
                await client.subscribe(subject, cb=self._hear)
            await client.flush()

    async def _hear(self, message):
        self.heard.append(message.subject)

    async def kept(self):
        """How many messages of each subject it keeps, how, and what its policy is."""
        found = {}
        for name in (STREAM, f"KV_{BUCKET}"):
            info = await streams.asked(self.administrator, f"STREAM.INFO.{name}", {"subjects_filter": ">"})
            found[name] = (info["state"]["subjects"], info["config"], info["state"]["consumer_count"])
        names = await streams.asked(self.administrator, "STREAM.NAMES", {})
        return found, sorted(names["streams"]), (await streams.published(self.administrator))[0]

    def end(self):
        self.server.kill()


@pytest.fixture
def team(keys, tmp_path):
    place = tmp_path / "server"
    place.mkdir(mode=0o700)
    team = Team(place, keys)
    yield team
    team.end()


async def tried(client, subject, content, reply=""):
    """Publish, whatever comes of it."""
    try:
        await client.publish(subject, content, reply)
        await client.flush()
    except Error:
        return


@pytest.mark.parametrize(("role", "name"), [("machine", MACHINE), (APPROVER, "alice"), (COLLECTOR, COLLECTOR)])
def test_nobody_writes_what_is_another_s(team, role, name):
    async def work():
        await team.begin()
        before = await team.kept()
        client = await team.client(role, name)
        may = {f"{ANSWER}.build8.x", f"{ANSWER}.{MACHINE}.x"} if role == APPROVER else set()
        for target in TARGETS:
            if target not in may:
                await tried(client, target, b"mine")
            for subject, content in READS.items():
                await tried(client, subject, content, target)
            for subject in (f"{ASK}.{MACHINE}", f"{TOLD}.{MACHINE}.x", f"{ANSWER}.{MACHINE}.x"):
                await tried(client, subject, b"", target)
        for subject, content in CHANGES.items():
            await tried(client, subject, json.dumps(content).encode())
        await asyncio.sleep(0.3)
        assert await team.kept() == before
        assert team.heard == []
        if role == "machine":  # its own records it may add to; the answers to that are written nowhere
            for target in TARGETS:
                await tried(client, OWN, b"more", target)
            await asyncio.sleep(0.3)
            found, names, policy = await team.kept()
            assert found[STREAM][0] == {OWN: 1 + len(TARGETS), f"{RECORDS}.build8.dev": 1}
            assert (found[f"KV_{BUCKET}"], names, policy) == (before[0][f"KV_{BUCKET}"], *before[1:])
            assert team.heard == []

    team.during(work)


@pytest.mark.parametrize(("role", "name"), [("machine", MACHINE), (APPROVER, "alice"), (COLLECTOR, COLLECTOR)])
def test_nobody_reads_more_than_is_theirs(team, role, name):
    async def work():
        await team.begin()
        client = await team.client(role, name)
        answered = set()
        for subject, content in READS.items():
            try:
                reply = await client.request(subject, content, timeout=0.4)
            except Error:
                continue
            except TimeoutError:
                continue
            if "Status" not in (reply.headers or {}) and b'"error"' not in reply.data:
                answered.add(subject)
        assert answered == MAY_READ[role]

    team.during(work)


def test_what_does_not_parse_holds_nobody_up(team):
    """The administrator's own mistake, say: the last that counts is still found, and the records are still read."""
    from asimi.extras.team.records import copied

    async def work():
        await team.begin()
        await team.administrator.publish(POLICY, b"not a policy")
        await team.administrator.flush()
        client = await team.client("machine", MACHINE)
        assert [each async for each in streams.revisions(client)] == [b"not a policy", team.policy]
        collector = await team.client(COLLECTOR, COLLECTOR)
        assert [each async for each in copied(collector)] == [], "two lines without the number of a record"

    team.during(work)
