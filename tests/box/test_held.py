"""What is allowed as `held` and would do something outside: the kernel stops it, or its name on the network is asked.

Each text is judged as in a box and then run in one. The programs in it are stand-ins that try all that the real ones
could do: to change files of the home and the machine, to reach a database of this machine, to send to a service.
"""

import socket
import threading
from pathlib import Path

import pytest

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import Place, Request

CONFIG = """
[files]
write = ["**"]
[undo]
keep = "3d"
[shell]
substitution = "judge"
[[rules]]
decision = "allow"
effects = ["read", "write"]
undo = true
"""

SENDING = "ship.example.org"

TRIES = r"""#!/usr/bin/env python3
import os, shutil, socket, sys, urllib.request
done = []
def tries(what, act):
    try:
        act()
        done.append(what)
    except OSError:
        pass
home = os.environ["HOME"]
def add(path):
    with open(path, "a") as file:
        file.write("changed")
for name in (".zshrc", ".bashrc", ".zprofile", ".profile", ".ssh/authorized_keys"):
    tries(name, lambda: add(f"{home}/{name}"))
tries("a simulator", lambda: os.unlink(f"{home}/Library/Developer/CoreSimulator/Devices/one"))
tries("simulators", lambda: shutil.rmtree(f"{home}/Library"))
tries("a program", lambda: add(f"{home}/.local/bin/installed"))
tries("an installation", lambda: os.makedirs(f"{home}/.fnm"))
tries("the machine", lambda: add("/usr/local/bin/installed"))
tries("a database", lambda: socket.create_connection(("127.0.0.1", PORT), 2).sendall(b"drop"))
def by_socket():
    there = socket.socket(socket.AF_UNIX)
    there.connect("SOCKET")
    there.sendall(b"drop")
tries("a database by its socket", by_socket)
tries("a service", lambda: urllib.request.urlopen("http://SENDING/upload", b"login", timeout=5).read())
print("did:", done)
"""

OWN = {".local", ".cache"}
"""Directories of the home with what is asimi's own and the box's."""

NAMES = "dart fastlane firebase dbt xcrun bundle flyctl shipit mix gem-push".split()

HELD = r"""
echo 'export A=1' >> ~/.zshrc
printf '\nexport A=1\n' | tee -a ~/.bashrc ~/.profile
grep -q A= ~/.zprofile || cat >> ~/.zprofile <<'EOF'\nexport A=1\nEOF
cp file ~/.bashrc
sed -i s/one/two/ ~/.bashrc
ln -sf "$PWD/file" ~/.zshrc
./install.sh | tail -5
cat install.sh | bash -s -- --dir ~/.fnm
bash -c "$(cat install.sh)"
sh <(cat install.sh)
python3 -c "import subprocess; subprocess.run(['./install.sh'])"
xcrun simctl shutdown all && xcrun simctl erase all
fastlane supply --track production 2>&1 | tail
cd sub && bundle exec fastlane match nuke distribution
dart pub publish --force
firebase deploy --only firestore:rules --force
RAILS_ENV=production bin/rails runner 'Cart.delete_all'
cd sub && dbt run --target prod --full-refresh 2>&1 | tail -40
flyctl deploy
shipit
for each in shipit flyctl; do $each; done
make release
npm run release
""".strip().splitlines()


@pytest.fixture(scope="module")
def scene(yard):
    """A box, a database of this machine, and stand-ins for programs, on PATH and in the project."""
    served, at = [], yard.home / ".database"
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as other:
        other.bind(str(at))
        other.listen()
        for each in (port, other):
            threading.Thread(target=_serve, args=(each, served), daemon=True).start()
        text = TRIES.replace("PORT", str(port.getsockname()[1])).replace("SOCKET", str(at)).replace("SENDING", SENDING)
        for name in NAMES:
            yard.write(yard.home / ".local/bin" / name, text, 0o755)
        for name in ("bin/rails", "install.py", "sub/keep"):
            yard.write(yard.root / name, text, 0o755)
        yard.write(yard.root / "install.sh", f"#!/bin/sh\nexec {yard.root}/install.py\n", 0o755)
        yard.write(yard.root / "Makefile", "release:\n\tfastlane supply\n")
        yard.write(yard.root / "package.json", '{"scripts": {"release": "shipit"}}')
        for name in (".zshrc", ".bashrc", ".zprofile", ".profile"):
            yard.write(yard.home / name, "mine\n")
        yard.write(yard.home / "Library/Developer/CoreSimulator/Devices/one", "simulator")
        yard.write(yard.top / "config.toml", CONFIG)
        path = f"{yard.home}/.local/bin:/usr/local/bin:/usr/bin:/bin"
        box = yard.box(environment={"PATH": path})
        yield box, served
        box.end()
        for each in (port, other):
            each.shutdown(socket.SHUT_RDWR)  # else who waits for a caller keeps it


def _serve(port, served):
    while True:
        try:
            there, _ = port.accept()
        except OSError:
            return
        served.append(there.recv(100))
        there.close()


def files(home):
    found = (each for each in sorted(Path(home).rglob("*")) if each.is_file() and not OWN & {*each.parts})
    return {str(each): each.read_text() for each in found}


@pytest.mark.parametrize("text", HELD)
def test_what_is_held_changes_nothing_outside(yard, scene, text):
    """Whatever program tries it; what it sends to a service waits for a yes to that name."""
    (box, served), text = scene, text.replace("\\n", "\n") if "<<" in text else text
    gate = open_judge(Options(config=str(yard.top / "config.toml"), root=str(yard.root)), boxed=True)
    said = gate.judge(Request("run_shell_command", text, None, Place.at(str(yard.root), str(yard.root))))
    assert {each.code for each in said.reasons} <= {"held", "unboxed", "allowed_by_rule"}, said.reasons
    before, names = files(yard.home), len(box.ask("reached"))
    shown, _ = box(f"( {text}\n)")
    assert files(yard.home) == before
    assert not served
    assert not Path("/usr/local/bin/installed").exists()
    tried = text.split()[0] not in {"echo", "printf", "grep", "cp", "sed", "ln"}
    assert ("did: []" in shown, "did: ['" in shown) == (tried, False), shown
    if tried:
        reached = {each["name"]: each["allowed"] for each in box.ask("reached")[names:]}
        assert (reached[SENDING], any(reached.values())) == (False, False)
