"""Real programs in a box that reach names: what works, what needs a word, what cannot. The docs have the table."""

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from helpers.boxes import Yard
from helpers.certificates import Authority
from helpers.island import Island
from helpers.sandboxes import skip

from asimi.world.executors.confining.ability import lacking_bubblewrap

TABLE = Path(__file__).with_name("clients.txt")
DOCS = Path(__file__).parents[2] / "docs/use/network.md"

SERVER = """
import functools, http.server, ssl, sys
directory, certificate, key = sys.argv[1:]

class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(("10.0.0.6", 9443), functools.partial(Files, directory=directory))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
print("ready", flush=True)
server.serve_forever()
"""

GET = """
public class Get {
    public static void main(String[] words) throws Exception {
        System.out.println(new String(new java.net.URL(words[0]).openStream().readAllBytes()));
    }
}
"""


def rows():
    """The rows of the table: client, what becomes of it, command."""
    lines = [line for line in TABLE.read_text().splitlines() if line and line[0] != "#"]
    return [tuple(each.strip() for each in line.split("|", 2)) for line in lines]


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    made = Authority(tmp_path_factory.mktemp("authority"), "tests")
    return made, made.certificate("servers", "DNS:*.test", "DNS:allowed.test", "DNS:registry.test")


@pytest.fixture(scope="module")
def island(authority):
    if os.geteuid() or (fault := lacking_bubblewrap()):
        skip("only root can make a network" if os.geteuid() else fault)
    made = Island(*authority[1])
    yield made
    made.end()


@pytest.fixture(scope="module")
def registry(island, authority, tmp_path_factory):
    """Packages of four kinds, served by one server."""
    top = tmp_path_factory.mktemp("registry")
    as_git(top)
    as_pip(top / "simple/demo")
    as_npm(top / "npm")
    as_cargo(top / "crates")
    words = [*island.words, sys.executable, "-c", SERVER, str(top), *authority[1]]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout.readline() == b"ready\n"
    yield top
    process.kill()
    process.communicate()


def as_git(top):
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    work = top / "work"
    for words in (["init", "-q", str(work)], ["-C", str(work), "add", "."], ["-C", str(work), "commit", "-qm", "one"]):
        if words[0] == "-C":
            (work / "file").write_text("ok\n")
        subprocess.run([*git, *words], check=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(work), str(top / "repo.git")], check=True)
    subprocess.run(["git", "-C", str(top / "repo.git"), "update-server-info"], check=True)


def as_pip(directory):
    directory.mkdir(parents=True)
    with zipfile.ZipFile(directory / "demo-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("demo.py", "")
        wheel.writestr("demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
        wheel.writestr("demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("demo-1.0.dist-info/RECORD", "")
    (directory / "index.html").write_text('<a href="demo-1.0-py3-none-any.whl">demo-1.0-py3-none-any.whl</a>')


def packed(names, head):
    """A package as a tar file with gzip: its files, below one directory."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for name, text in names.items():
            entry = tarfile.TarInfo(f"{head}/{name}")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return data.getvalue()


def as_npm(directory):
    directory.mkdir()
    package = {"name": "demo", "version": "1.0.0", "main": "index.js"}
    content = packed({"package.json": json.dumps(package), "index.js": "// ok\n"}, "package")
    (directory / "demo-1.0.0.tgz").write_bytes(content)
    whole = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    where = {"tarball": "https://registry.test:9443/npm/demo-1.0.0.tgz", "integrity": whole}
    known = {"name": "demo", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": package | {"dist": where}}}
    (directory / "demo").write_text(json.dumps(known))


def as_cargo(directory):
    (directory / "index/de/mo").mkdir(parents=True)
    manifest = '[package]\nname = "demo"\nversion = "1.0.0"\nedition = "2021"\n'
    content = packed({"Cargo.toml": manifest, "src/lib.rs": ""}, "demo-1.0.0")
    (directory / "demo-1.0.0.crate").write_bytes(content)
    (directory / "index/config.json").write_text('{"dl": "https://registry.test:9443/crates/{crate}-{version}.crate"}')
    row = {
        "name": "demo",
        "vers": "1.0.0",
        "deps": [],
        "cksum": hashlib.sha256(content).hexdigest(),
        "features": {},
        "yanked": False,
    }
    (directory / "index/de/mo/demo").write_text(json.dumps(row) + "\n")


@pytest.fixture(scope="module")
def box(island, authority, registry):
    yard = Yard(within=island.words)
    shutil.copy(authority[0].file, yard.root / "ca.pem")
    yard.write(yard.root / "Get.java", GET)
    dependency = 'demo = { version = "1", registry = "own" }'
    manifest = f'[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n{dependency}\n'
    yard.write(yard.root / "crate/Cargo.toml", manifest)
    yard.write(yard.root / "crate/src/lib.rs", "")
    own = '[registries.own]\nindex = "sparse+https://registry.test:9443/crates/index/"\n'
    yard.write(yard.root / "crate/.cargo/config.toml", own)
    made = yard.box(reach=["allowed.test", "plain.test:8443", "registry.test:9443", "ssh.test:22"])
    packages = next(each for each in sys.path if each.endswith("site-packages"))
    rust = os.environ.get("RUSTUP_HOME") or f"{os.environ['HOME']}/.rustup"
    # what this machine has its programs from stays the same: only the network is another one
    caches = f"CARGO_HOME=/tmp/cargo RUSTUP_HOME={rust} npm_config_update_notifier=false"
    made(f"export CA=$PWD/ca.pem PYTHONPATH={packages} {caches}")
    yield made
    yard.end()


def lacking(command, box):
    """The program that a command needs and this machine lacks, or the module that the box does not see."""
    named = re.search(r"\b(curl|wget|git|npm|cargo|node|java|ssh|ping)\b", command)
    module = re.search(r"import (requests|httpx)", command)
    if module and box(f"python3 -c '{module[0]}' 2>/dev/null")[1]:
        return module[1]
    return named[1] if named and not works(named[1]) else ""


def works(program):
    """Whether a program is there and starts: a cargo must know sparse registries, which it does from 1.68 on."""
    path = shutil.which(program)
    if path is None or program != "cargo":
        return path is not None
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"cargo (\d+)\.(\d+)", said)
    return version is not None and (int(version[1]), int(version[2])) >= (1, 68)


@pytest.mark.parametrize(("client", "outcome", "command"), rows())
def test_a_client_reaches_a_name(box, client, outcome, command):
    if program := lacking(command, box):
        pytest.skip(f"there is no {program} here")
    said, code = box(f"({command}) 2>&1")
    assert "ok" in said, (client, outcome, said, code)


@pytest.mark.parametrize(("client", "outcome", "command"), rows())
def test_the_docs_say_what_becomes_of_it(client, outcome, command):
    del command
    assert re.search(
        rf"^\| {re.escape(client)} \| {re.escape(outcome)}", DOCS.read_text().replace("`", ""), re.MULTILINE
    )
