"""Keys of approvers, questions of a machine of a team, signed answers."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import socket
import subprocess
import time

import pytest

from asimi.core.settings import Signer, Team
from asimi.extras.team.founding import SERVER, Plan, founded
from asimi.extras.team.shared import Revision
from asimi.extras.team.shared import signed_by as shared_by
from asimi.extras.team.signing import ANSWER, POLICY, public_key, signed
from asimi.extras.team.statements import Asked, Signed, new_id
from helpers import PATIENCE, PYTHON, which
from helpers.home import Home

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


def policy_by(keys, name, text, number=1, *, server, key=None, namespace=POLICY, lasts=3600, since=None):
    """A revision of a shared policy, signed in the name of an administrator."""
    since = int(time.time() if since is None else since)
    revision = Revision(number, server, name, since, since + lasts)
    return shared_by(text, revision, lambda content: signed(content, keys.path(key or name), namespace))


START = """
import sys
from asimi.world.host.places import Places
Places._field_defaults["managed"] = sys.argv.pop(1)  # /etc is not the test's
from asimi.__main__ import main
main()
"""


def machine_file(server, machine, credentials, **lists):
    """What the administrator's file of a machine says: its `[team]`, with these arrays."""
    rows = {"server": server, "machine": machine, "credentials": credentials} | lists
    return "[team]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in rows.items())


class Managed(Home):
    """A home on a machine whose administrator says something; only root can.

    Args:
        directory: where it is made.
        text: the administrator's file.
        config: the user's.
    """

    def __init__(self, directory, text, config=""):
        super().__init__(directory, config)
        self.managed = directory / "etc" / "config.toml"
        self.managed.parent.mkdir(mode=0o755)
        self.managed.write_text(text)
        self.managed.chmod(0o644)

    def start(self, *words, cwd=None, environ=None, **pipes):
        return subprocess.Popen(
            self.program(*words),
            cwd=cwd or self.root,
            env=self.environ | (environ or {}),
            start_new_session=True,
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | pipes,
        )

    def program(self, *words):
        return [PYTHON, "-c", START, str(self.managed), *words]

    def person(self, *words):
        return self.at_terminal(program=self.program(*words))


NATS = which("nats-server")

needs_server = pytest.mark.skipif(NATS is None, reason="there is no nats-server; `make engines` installs it")


class Server:
    """A real server of a team, as `asimi team init` sets it up.

    Args:
        directory: where its files are.
        keys: the keys of its approvers.
        approvers: who may answer.
        administrators: who may publish a policy.
    """

    def __init__(self, directory, keys, approvers=("alice", "bob"), administrators=()):
        pytest.importorskip("nkeys")
        self.directory, self.process = directory, None
        self.port = _free_port()
        may = [tuple(keys.signer(name) for name in names) for names in (approvers, administrators)]
        store = str(directory / "store")
        self.plan = Plan(self.url, (MACHINE, "build8", "desk"), may[0], store=store, administrators=may[1])
        founded(str(directory), self.plan)
        self.config = directory / SERVER

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def team(self, keys, *names):
        """The team of this server, as a machine of it is told."""
        signers = tuple(keys.signer(name) for name in names or ("alice", "bob"))
        return Team(self.url, MACHINE, self.seed(MACHINE), approvers=signers, administrators=self.plan.administrators)

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
