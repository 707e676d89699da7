"""Keys of approvers, questions of a machine of a team, signed answers."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import time

import pytest

from asimi.core.settings import Signer, Team
from asimi.world.team.founding import SERVER, Plan, founded
from asimi.world.team.signing import ANSWER, public_key, signed
from asimi.world.team.statements import Asked, Signed, new_id
from helpers import PATIENCE

MACHINE = "build7"
USER = "dev"
HERE = f"{USER}@{MACHINE}"


class Keys:
    """Keys of OpenSSH, made when they are first asked for.

    Args:
        directory: where they are.
    """

    def __init__(self, directory):
        self.directory = directory

    def path(self, name, passphrase=""):
        """The file of a private key."""
        path = self.directory / name
        if not path.exists():
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(path)]
            subprocess.run(words, check=True)
        return str(path)

    def signer(self, name, passphrase=""):
        """Whose key it is, as the administrator's file says it."""
        return Signer(name, public_key(self.path(name, passphrase)))


def asked_by(question, *, until):
    """A question as a gate of a team asks it."""
    asked = Asked(new_id(), "4711-0a", USER, MACHINE, until, question)
    return asked._replace(question=question._replace(origin=asked.origin))


def signed_by(keys, name, statement):
    """A statement with the signature of a key."""
    return Signed(statement.content.decode(), signed(statement.content, keys.path(name), ANSWER))


NATS = shutil.which("nats-server", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")

needs_server = pytest.mark.skipif(NATS is None, reason="there is no nats-server; `make engines` installs it")


class Server:
    """A real server of a team, as `asimi team init` sets it up.

    Args:
        directory: where its files are.
        keys: the keys of its approvers.
        approvers: who may answer.
    """

    def __init__(self, directory, keys, approvers=("alice", "bob")):
        pytest.importorskip("nkeys")
        self.directory, self.process = directory, None
        self.port = _free_port()
        signers = tuple(keys.signer(name) for name in approvers)
        self.plan = Plan(self.url, (MACHINE, "build8", "desk"), signers, store=str(directory / "store"))
        founded(str(directory), self.plan)
        self.config = directory / SERVER

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def team(self, keys, *names):
        """The team of this server, as a machine of it is told."""
        signers = tuple(keys.signer(name) for name in names or ("alice", "bob"))
        return Team(self.url, MACHINE, self.seed(MACHINE), approvers=signers)

    def seed(self, name):
        """The file of somebody's seed."""
        return next(str(path) for path in self.directory.glob(f"*/{name}.seed"))

    def start(self):
        """Start it, once it answers."""
        log = open(self.directory / "server.log", "ab")  # noqa: SIM115 - the server's for its life
        self.process = subprocess.Popen([NATS, "-c", str(self.config)], stdout=log, stderr=log)
        log.close()
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert self.process.poll() is None, (self.directory / "server.log").read_text()
                assert time.monotonic() < end
                time.sleep(0.02)
            else:
                return self

    def kill(self, number=signal.SIGKILL):
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait()
            self.process = None


def _free_port():
    """A port that nobody listens at; none that the system gives to whoever connects, a client of ours for example."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
