"""What an OpenSSH server refuses or narrows, and what asimi says of it."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from helpers.engines import ssh
from helpers.executors import eventually, sleeping
from helpers.hosts import Hosted, host_at

from asimi.core.errors import HostError
from asimi.core.settings import Host
from asimi.extras.hosts.link import Link


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server: its directory, and the words that lead there."""
    directory = tmp_path_factory.mktemp("ssh")
    with ssh(directory) as words:
        yield directory, words


@pytest.fixture
def restored(server):
    """The files that a test may change, as they were when it is over."""
    directory, _ = server
    before = {name: (directory / name).read_text() for name in ("authorized", "known")}
    yield directory
    for name, text in before.items():
        (directory / name).write_text(text)


def test_a_changed_host_key_is_told(server, restored):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", restored / "other"], check=True)
    address = (restored / "known").read_text().split()[0]
    (restored / "known").write_text(f"{address} {(restored / 'other.pub').read_text()}")
    with pytest.raises(HostError, match=r"host gpu1: no asimi answers: .*its host key is not the known one") as raised:
        Link(Host("gpu1", server[1]))
    assert "REMOTE HOST IDENTIFICATION HAS CHANGED" in str(raised.value) or "Host key verif" in str(raised.value)


def test_a_key_that_is_not_known_there_is_told(server, restored):
    (restored / "authorized").write_text("")
    with pytest.raises(HostError, match="ssh gets no terminal: set up a key"):
        Link(Host("gpu1", server[1]))


def test_an_asimi_that_is_not_there_is_told(server):
    with pytest.raises(HostError, match="ended with 127; install asimi there"):
        Link(Host("gpu1", server[1], program=("/nonexistent/asimi",)))


def test_a_forced_command_serves_one_root_alone(server, restored, tmp_path):
    host = host_at(tmp_path / "home", tmp_path / "root/sub")
    words = (*host.reach, *host.program, "--root", str(tmp_path / "root"), "executor")
    (restored / "authorized").write_text(
        f'restrict,command="{" ".join(words)}" {(restored / "authorized").read_text()}'
    )
    narrowed = Host("gpu1", server[1], root=str(tmp_path / "root/sub"))
    it = Hosted(tmp_path / "home", tmp_path / "root/sub", narrowed)
    assert it("pwd").stdout.text == f"{tmp_path}/root/sub\n"
    it.end()
    with pytest.raises(HostError, match="is not below"):
        Link(narrowed._replace(root=str(tmp_path)))


def test_what_ssh_said_last_is_in_the_loss(server, tmp_path, probe):
    host = host_at(tmp_path / "home", tmp_path / "root")
    it = Hosted(tmp_path / "home", tmp_path / "root", host._replace(reach=(*server[1], *host.reach)))
    far = int(it("echo $PPID").stdout.text)
    session = int(Path(f"/proc/{far}/stat").read_text().rpartition(")")[2].split()[1])

    def listener(_stream, _data):
        os.kill(session, signal.SIGKILL)  # the server's process of this connection

    failure = it(f"echo begun; sleep {probe}", listener).failure
    assert failure.kind == "lost"
    assert "closed by remote host" in failure.message
    assert eventually(lambda: not sleeping(probe))
    assert it("echo again").stdout.text == "again\n"
    it.end()
