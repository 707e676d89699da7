"""Beyond one machine a team needs TLS: who trusts the server's certificate connects, and nobody else, with a reason."""

from __future__ import annotations

import asyncio

import pytest
from helpers.certificates import Authority
from helpers.questions import eventually
from helpers.team import MACHINE, Server, needs_server

from asimi.core.errors import AsimiError
from asimi.extras.team.server import connected
from asimi.extras.team.subjects import MACHINE as ROLE

pytestmark = [needs_server, pytest.mark.long]  # a server is started for each

HERE = ("IP:127.0.0.1", "DNS:localhost")


class SecureServer(Server):
    """A real server of a team, with TLS.

    Args:
        certificate: its certificate and key.
    """

    def __init__(self, directory, keys, certificate):
        super().__init__(directory, keys)
        self.present(certificate)

    @property
    def url(self):
        return f"tls://127.0.0.1:{self.port}"

    def present(self, certificate):
        """Have another certificate from the next start on."""
        tls = f'tls {{ cert_file: "{certificate[0]}", key_file: "{certificate[1]}" }}'
        self.config.write_text("\n".join(tls if each.startswith("tls {") else each for each in self.lines))

    @property
    def lines(self):
        """Those of its configuration."""
        return self.config.read_text().splitlines()


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "authority", "the-team")


@pytest.fixture
def secure(tmp_path, keys, authority):
    started = SecureServer(tmp_path / "server", keys, authority.certificate("server", *HERE)).start()
    yield started
    started.kill()


class Machine:
    """A machine that trusts an authority."""

    def __init__(self, server, keys, authority=""):
        self.team, self.said = server.team(keys)._replace(authority=authority), []
        self.seed = server.seed(MACHINE)

    async def connected(self):
        return await connected(self.team, ROLE, MACHINE, self.seed, self.said.append)

    def refused(self):
        """What is said where it does not connect."""

        async def work():
            task = asyncio.ensure_future(self.connected())
            await eventually(lambda: self.said or task.done())
            assert not task.done()
            task.cancel()
            await asyncio.wait((task,))

        asyncio.run(work())
        return self.said[0]


def test_a_machine_that_trusts_the_authority_connects_and_what_it_says_is_encrypted(secure, keys, authority):
    machine = Machine(secure, keys, authority.file)

    async def work():
        client = await machine.connected()
        try:
            connection = client._transport._io_writer.get_extra_info("ssl_object")
            return client.is_connected, connection.version()
        finally:
            await client.close()

    assert asyncio.run(work()) == (True, "TLSv1.3")
    assert machine.said == []


def test_the_servers_own_certificate_will_do_as_authority(tmp_path, keys, authority):
    """As `team/README.md` has one made: signed by itself."""
    alone = Authority(tmp_path / "alone", "alone", *HERE)
    server = SecureServer(tmp_path / "server", keys, (alone.file, alone.key)).start()
    machine = Machine(server, keys, alone.file)

    async def work():
        client = await machine.connected()
        await client.close()
        return machine.said

    try:
        assert asyncio.run(work()) == []
    finally:
        server.kill()


def test_one_that_trusts_others_does_not(secure, keys, tmp_path):
    other = Authority(tmp_path / "other", "somebody-else")
    for file in (other.file, ""):
        said = Machine(secure, keys, file).refused()
        assert said.startswith(f"{secure.url}: its certificate is not trusted: unable to get")
        assert "`team.authority` names what vouches for it" in said


def test_a_certificate_for_another_name_is_none(secure, keys, authority):
    secure.kill()
    secure.present(authority.certificate("elsewhere", "DNS:nats.example.org"))
    secure.start()
    said = Machine(secure, keys, authority.file).refused()
    assert "IP address mismatch, certificate is not valid for '127.0.0.1'" in said


def test_a_server_without_tls_hears_nothing(server, keys, authority):
    """Nor whoever sits in between and says that it has none."""
    machine = Machine(server, keys, authority.file)
    machine.team = machine.team._replace(server=f"tls://127.0.0.1:{server.port}")
    assert machine.refused() == f"tls://127.0.0.1:{server.port}: it speaks no TLS, so nothing was said to it"


def test_nor_does_one_that_has_lost_it(secure, keys, authority):
    machine = Machine(secure, keys, authority.file)

    async def work():
        client = await machine.connected()
        try:
            await asyncio.to_thread(secure.kill)
            secure.config.write_text("\n".join(each for each in secure.lines if not each.startswith("tls {")))
            await asyncio.to_thread(secure.start)
            await eventually(lambda: any("it speaks no TLS" in said for said in machine.said))
            return client.is_connected
        finally:
            await client.close()

    assert asyncio.run(work()) is False


def test_a_file_that_is_no_certificate_is_an_error_at_once(secure, keys, tmp_path):
    none = tmp_path / "none.pem"
    none.write_text("none")
    for file, why in ((none, "is no file of certificates"), (tmp_path / "missing.pem", "No such file")):
        with pytest.raises(AsimiError, match=why):
            asyncio.run(Machine(secure, keys, str(file)).connected())
