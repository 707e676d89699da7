"""Small projects of several kinds are built and tested in a sandbox, by the real tools."""

import os
import shutil
import subprocess

import pytest
from cli.test_sandboxed import SANDBOX, pytestmark  # noqa: F401 - the same machines
from helpers.home import OTHER_PYTHONS, Home

PROJECTS = {
    "make": (
        "cc",
        "make test",
        {"Makefile": "test: a\n\t./a\na: a.c\n\tcc -o a a.c\n", "a.c": "int main(){}\n"},
    ),
    "python3": (
        "python3",
        "python3 -m unittest",
        {
            "test_a.py": """
import asyncio, subprocess, tempfile, threading, unittest
class Test(unittest.TestCase):
    def test(self):
        asyncio.run(asyncio.sleep(0))
        threading.Thread(target=print).start()
        with tempfile.NamedTemporaryFile() as file:
            subprocess.run(["tee", file.name], input=b"x", check=True)
"""
        },
    ),
    "node": (
        "node",
        "node --test",
        {
            "a.test.js": """
const {test} = require("node:test"), {fork} = require("child_process"), {Worker} = require("worker_threads");
if (process.argv[2] === "child") process.send(1);
else {
  test("fork", (t, done) => { fork(__filename, ["child"]).on("message", () => done()); });
  test("worker", (t, done) => { new Worker("1", {eval: true}).on("exit", () => done()); });
}
"""
        },
    ),
    "npm": ("npm", "npm test", {"package.json": '{"name": "a", "scripts": {"test": "node -e 0 > out"}}'}),
    "go": (
        "go",
        "go test ./...",
        {"go.mod": "module a\n\ngo 1.19\n", "a_test.go": 'package a\nimport "testing"\nfunc TestA(t *testing.T) {}\n'},
    ),
    "cargo": (
        "cargo",
        "cargo test",
        {"Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\n', "src/lib.rs": "#[test]\nfn a() {}\n"},
    ),
}
RUST = {"RUSTUP_HOME": os.environ.get("RUSTUP_HOME") or os.path.expanduser("~/.rustup")}
"""Where the real compiler is, if `cargo` only looks for it."""


def works(program, environ):
    """Whether a program is more than a name: `cargo` may only look for one that nobody has installed."""
    asked = [program, "version" if program == "go" else "--version"]
    return subprocess.run(asked, env=environ, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("kind", PROJECTS)
def test_the_checks_of_a_project_work(tmp_path, kind):
    program, command, files = PROJECTS[kind]
    home = Home(tmp_path, f'{SANDBOX}network = "none"\n{OTHER_PYTHONS}')
    environ = RUST if os.path.isdir(RUST["RUSTUP_HOME"]) else {}
    if not all(map(shutil.which, (program, command.split()[0]))) or not works(program, home.environ | environ):
        pytest.skip(f"there is no {program} here")
    for name, text in files.items():
        path = home.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    before = {path for path in home.home.rglob("*") if home.state not in path.parents}
    done = home.asimi("run", command, environ=environ)
    assert done.returncode == 0, done.stdout + done.stderr
    made = {path for path in home.home.rglob("*") if home.state not in path.parents} - before
    assert not {path.name for path in made} - {"asimi", "state"}
