"""Real ways to hosts: an OpenSSH server on this machine, a container of podman's; each an ordinary process of the test.

Each is a context that gives the words which lead there, or skips with the reason why it cannot be started here.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from helpers import PATIENCE, which

SSHD = which("sshd")


@contextlib.contextmanager
def argv(_directory):
    """No engine at all: what is started is the far end."""
    yield ()


@contextlib.contextmanager
def ssh(directory):
    """An OpenSSH server with keys of its own, on a free port of the loopback."""
    if not (SSHD and shutil.which("ssh") and shutil.which("ssh-keygen")):
        pytest.skip("no OpenSSH server here (Debian: apt install openssh-server; or make engines)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("host", "user"):
        keygen = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", directory / name]
        subprocess.run(keygen, check=True, stdin=subprocess.DEVNULL)
    (directory / "authorized").write_text((directory / "user.pub").read_text())
    (directory / "known").write_text(f"[127.0.0.1]:{port} {(directory / 'host.pub').read_text()}")
    (directory / "sshd").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {directory}/host\nAuthorizedKeysFile {directory}/authorized\n"
        "StrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n"
    )
    (directory / "ssh").write_text(
        f"Host gpu1\n HostName 127.0.0.1\n Port {port}\n IdentityFile {directory}/user\n IdentitiesOnly yes\n"
        f" UserKnownHostsFile {directory}/known\n StrictHostKeyChecking yes\n BatchMode yes\n"
    )
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # sshd(8): it locks itself up in there
    with (directory / "log").open("wb") as log:
        server = subprocess.Popen([SSHD, "-D", "-e", "-f", directory / "sshd"], stdin=subprocess.DEVNULL, stderr=log)
    try:
        words = ("ssh", "-F", str(directory / "ssh"), "gpu1")
        _tried(words, lambda: server.poll() is None, (directory / "log").read_text)
        yield words
    finally:
        server.kill()
        server.wait()


@contextlib.contextmanager
def podman(directory):
    """A container whose files are a layer above this machine's, so it needs no image and has this very asimi."""
    if not (shutil.which("podman") and shutil.which("runc")):
        pytest.skip("no podman with runc here (Debian: apt install podman runc; or make engines)")
    own = Path(tempfile.mkdtemp(prefix="asimi"))  # podman wants short paths
    places = {each: own / each for each in ("root", "runroot", "runtime")}
    for each in places.values():
        each.mkdir(mode=0o700)
    program = (
        "env", f"XDG_RUNTIME_DIR={places['runtime']}", "podman", "--runtime", "runc", "--root", str(places["root"]),
        "--runroot", str(places["runroot"]), "--storage-driver", "vfs", "--cgroup-manager", "cgroupfs",
        "--events-backend", "file",
    )  # fmt: skip
    limits = ("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=8192:8192")
    shared = ("-v", f"{directory.parent}:{directory.parent}")
    started = (
        "run",
        "-d",
        "--name",
        "asimi",
        "--network",
        "none",
        *limits,
        *shared,
        "--rootfs",
        "/:O",
        "sleep",
        "3600",
    )
    done = subprocess.run((*program, *started), capture_output=True, text=True, timeout=PATIENCE, check=False)
    try:
        if done.returncode:
            pytest.skip(f"podman cannot start a container here: {done.stderr.strip()[-300:]}")
        words = (*program, "exec", "-i", "asimi")
        _tried(words, lambda: True, lambda: "")
        yield words
    finally:
        removed = (*program, "rm", "-f", "-t", "0", "asimi")
        subprocess.run(removed, capture_output=True, timeout=PATIENCE, check=False)
        shutil.rmtree(own, ignore_errors=True)


def _tried(words, alive, said):
    """Wait until something can be run there; skip if that never comes."""
    end = time.monotonic() + PATIENCE
    while (done := subprocess.run((*words, "true"), capture_output=True, text=True, check=False)).returncode:
        if not alive() or time.monotonic() > end:
            pytest.skip(f"{Path(words[0]).name} leads nowhere here: {(said() + done.stderr).strip()[-300:]}")
        time.sleep(0.1)


ENGINES = {"argv": argv, "ssh": ssh, "podman": podman}
