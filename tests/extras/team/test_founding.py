"""`asimi team init` writes what a real server takes; what it says again stays as it was."""

from __future__ import annotations

import subprocess

import pytest
from helpers import PYTHON
from helpers.home import Home
from helpers.team import NATS, needs_server

from asimi.world.config.layer import layer_of

URL = "tls://nats.example.org:4222"


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


@pytest.fixture
def directory(home):
    return home.root / "team"


@pytest.fixture
def init(home, directory, keys):
    alice = f"alice {keys.signer('alice').key}"

    def run(*words):
        return home.asimi("team", "init", str(directory), *words)

    done = run("--server", URL, "--machine", "build7", "--machine", "lab3", "--approver", alice)
    assert done.returncode == 0, done.stderr
    return run


def read(directory):
    return {str(path.relative_to(directory)): path.read_text() for path in directory.rglob("*") if path.is_file()}


def test_init_writes_everything_for_the_server_and_each_machine(init, directory):
    names = {
        *("README.md", "team.toml", "server.conf", "machines/build7.toml", "machines/lab3.toml"),
        *(
            f"{who}.{kind}"
            for who in (
                "machines/build7",
                "machines/lab3",
                "approvers/alice",
                "collectors/collector",
                "administrators/administrator",
            )
            for kind in ("seed", "public")
        ),
    }
    files = read(directory)
    assert set(files) == names
    assert all(path.stat().st_mode & 0o077 == 0 for path in (directory, *directory.rglob("*")))
    for name in ("build7", "lab3", "alice"):
        assert name in files["README.md"]


def test_no_seed_is_in_what_the_server_or_a_machine_gets(init, directory):
    files = read(directory)
    seeds = [text.strip() for name, text in files.items() if name.endswith(".seed")]
    shown = "".join(text for name, text in files.items() if not name.endswith(".seed"))
    assert len(set(seeds)) == 5
    assert not [seed for seed in seeds if seed in shown]


def test_what_a_machine_gets_is_a_configuration(init, directory, keys):
    text = (directory / "machines" / "build7.toml").read_bytes()
    values = layer_of("/etc/asimi/config.toml", "managed", text).values
    assert (values["team.server"], values["team.machine"]) == (URL, "build7")
    assert values["team.approvers"] == (keys.signer("alice"),)


def test_what_was_there_stays_when_more_comes(init, directory, keys):
    before = read(directory)
    done = init("--machine", "desk")
    assert done.stdout.splitlines() == [
        f"new  {directory}/machines/desk.seed",
        f"What to put where: {directory}/README.md",
    ]
    after = read(directory)
    assert {name: after[name] for name in before if "." in name and name.split(".")[1] in ("seed", "public")} == {
        name: text for name, text in before.items() if name.split(".")[1] in ("seed", "public")
    }
    assert "asimi.ask.desk" in after["server.conf"]
    assert read(directory) == after


def test_a_revoked_approver_is_unknown_to_the_server_and_revoked_on_the_machines(init, directory, keys):
    assert init("--revoke", "alice").returncode == 0
    files = read(directory)
    assert files["approvers/alice.public"].strip() not in files["server.conf"]
    values = layer_of("/etc/asimi/config.toml", "managed", files["machines/build7.toml"].encode()).values
    assert values["team.revoked"] == (keys.signer("alice").key,)
    assert "alice is not" not in init("--revoke", "alice").stderr
    assert "bob is not one of the team's approvers" in init("--revoke", "bob").stderr


def test_who_may_publish_a_policy_is_known_to_the_machines_and_can_be_revoked(init, directory, keys):
    dana = keys.signer("dana")
    assert init("--administrator", f"dana {dana.key}").returncode == 0
    plan = directory / "team.toml"
    plan.write_text(plan.read_text() + 'loosens = ["unlisted"]\n')
    assert init().returncode == 0

    def values():
        text = (directory / "machines" / "build7.toml").read_bytes()
        return layer_of("/etc/asimi/config.toml", "managed", text).values

    assert (values()["team.administrators"], values()["team.loosens"]) == ((dana,), ("unlisted",))
    assert "dana may publish it" in read(directory)["README.md"]
    assert init("--revoke", "dana").returncode == 0
    assert values()["team.revoked"] == (dana.key,)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--server", "nats://nats.example.org:4222"), "without TLS"),
        (("--machine", "a.b"), "letters, digits"),
        (("--approver", "carol"), "a public key"),
        (("--administrator", "dana"), "a public key"),
        (("--store", "here"), "absolute path"),
    ],
)
def test_what_cannot_be_is_wrong_usage_and_changes_nothing(init, directory, words, why):
    before = read(directory)
    done = init(*words)
    assert done.returncode == 2
    assert why in " ".join(done.stderr.split())
    assert read(directory) == before


def test_without_a_server_it_says_what_is_missing(home, directory):
    done = home.asimi("team", "init", str(directory))
    assert (done.returncode, directory.exists()) == (2, False)
    assert "--server is missing" in done.stderr


def test_a_plan_that_cannot_be_read_is_an_error_with_its_file(init, directory):
    (directory / "team.toml").write_text("servr = 1\n")
    done = init()
    assert done.returncode == 125
    assert f"{directory}/team.toml" in done.stderr
    assert "'servr'" in done.stderr


@needs_server
@pytest.mark.parametrize("url", ["nats://127.0.0.1:4222", "nats://[::1]:4222", URL])
def test_the_server_takes_its_configuration(init, directory, url, tmp_path):
    assert init("--server", url, "--store", str(tmp_path / "store")).returncode == 0
    text = (directory / "server.conf").read_text()
    key, pem = tmp_path / "key.pem", tmp_path / "server.pem"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9"]
    subprocess.run([*words, "-subj", "/CN=x", "-keyout", str(key), "-out", str(pem)], check=True, capture_output=True)
    text = text.replace("/etc/nats/server-key.pem", str(key)).replace("/etc/nats/server.pem", str(pem))
    (directory / "server.conf").write_text(text)
    done = subprocess.run(
        [NATS, "-t", "-c", str(directory / "server.conf")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_gate_without_a_team_loads_nothing_of_one(home):
    done = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "asimi", "run", "--yes", "true"],
        cwd=home.root,
        env=home.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "asimi.core.gate" in done.stderr
    for name in ("asimi.extras.team", "asimi.world.config.managed", "asimi.world.audit.tail", "nats", "nkeys"):
        assert name not in done.stderr
