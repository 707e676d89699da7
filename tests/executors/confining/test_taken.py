"""What a command may take of this machine in the sandbox of what nothing lists."""

import os
import sys

import pytest
from helpers.sandboxes import USERS, skip, yard_of

if sys.platform != "linux":
    pytest.skip("bubblewrap is Linux's", allow_module_level=True)

from asimi.world.executors.confining import ability
from asimi.world.executors.confining.bounds import DISK, FILE, PROCESSES

if fault := ability.lacking_bubblewrap():
    skip(fault)

BOUNDED = {"network": "none", "bounded": True}
FORKS = """
import os, time
for made in range({most}):
    try:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    except OSError as error:
        print(error)
        break
print("made", made)
"""


@pytest.fixture(params=USERS, scope="module")
def yard(request):
    it = yard_of(request.param, "bubblewrap")
    (it.root / "forks.py").write_text(FORKS.format(most=PROCESSES * 2))
    yield it
    it.end()


def test_the_size_of_a_file(yard):
    done = yard(f"truncate -s {FILE} fits && rm fits; truncate -s {FILE + 1} big", sandbox=BOUNDED)
    assert "File too large" in done.stderr.text or done.exit_code == 128 + 25
    assert not (yard.root / "fits").exists()
    assert yard(f"truncate -s {FILE + 1} big && rm big").exit_code == 0


@pytest.mark.parametrize("limit", ["f", "u"])
def test_no_command_raises_them(yard, limit):
    assert "Operation not permitted" in yard(f"ulimit -S -{limit} unlimited", sandbox=BOUNDED).stderr.text
    done = yard(f"ulimit -S -{limit}; ulimit -n 64", sandbox=BOUNDED)
    assert (done.exit_code, done.stdout.text.strip().isdigit()) == (0, True)


def test_processes(yard):
    done = yard("python3 forks.py; true", sandbox=BOUNDED)
    bounded = "Resource temporarily unavailable" in done.stdout.text
    ended = f"asimi: ended, because it has more than {PROCESSES} processes" in done.stderr.text
    assert bounded or ended, done
    assert done.background == () or bounded


def test_the_room_on_the_disk(yard):
    there = os.statvfs(yard.root)
    if there.f_bavail * there.f_frsize < DISK + (6 << 30):
        pytest.skip("the disk has too little room")
    part = FILE - (1 << 20)
    text = f"for n in 1 2 3; do fallocate -l {part} part$n; done; sleep 20; echo late"
    done = yard(text, sandbox=BOUNDED)
    for path in yard.root.glob("part*"):
        path.unlink()
    assert "asimi: ended, because the disk has" in done.stderr.text
    assert "late" not in done.stdout.text
