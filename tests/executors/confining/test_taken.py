"""What a command may take of this machine in the sandbox of what nothing lists."""

import errno
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers import which
from helpers.executors import eventually
from helpers.sandboxes import USERS, skip, yard_of

if sys.platform != "linux":
    pytest.skip("bubblewrap is Linux's", allow_module_level=True)

from asimi.world.executors.confining import ability, seccomp
from asimi.world.executors.confining.mounts import DISK, FILE, PROCESSES

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


RESERVE = f"""
import ctypes, fcntl, os, struct
libc = ctypes.CDLL(None, use_errno=True)
with open("reserved", "wb") as file:
    print(libc.fallocate(file.fileno(), 0, ctypes.c_long(0), ctypes.c_long(1 << 20)), ctypes.get_errno())
    for request in {seccomp.RESERVING[:2]}:
        try:
            fcntl.ioctl(file, request, struct.pack("hhxxxxqqi20x", 0, 0, 0, 1 << 20, 0))
        except OSError as error:
            print(-1, error.errno)
    os.posix_fallocate(file.fileno(), 0, 1 << 20)
print(os.stat("reserved").st_blocks)
"""


def test_no_room_is_taken_without_writing(yard):
    (yard.root / "reserve.py").write_text(RESERVE)
    refused = f"-1 {errno.EOPNOTSUPP}\n"
    assert yard("python3 reserve.py", sandbox=BOUNDED).stdout.text == refused * 3 + "2048\n"
    assert yard("python3 reserve.py").stdout.text.startswith("0 0\n")


def taken(yard, disk, **sandbox):
    """What comes of a command while somebody else takes a disk's room."""
    there = os.statvfs(disk)
    if there.f_bavail * there.f_frsize < DISK + (3 << 30):
        pytest.skip("the disk has too little room")
    with tempfile.TemporaryFile(dir=disk) as file, ThreadPoolExecutor(1) as other:
        running = other.submit(yard, "touch begun; sleep 20; echo late", sandbox=BOUNDED | sandbox)
        assert eventually((yard.root / "begun").exists, 10), running.result()
        os.posix_fallocate(file.fileno(), 0, DISK + (1 << 30))
        done = running.result()
    (yard.root / "begun").unlink()
    return done


def test_the_room_on_the_disk(yard):
    done = taken(yard, yard.root)
    assert "asimi: ended, because the disk has" in done.stderr.text
    assert "late" not in done.stdout.text


def test_the_room_on_another_disk_that_it_may_write(yard):
    image, disk = yard.top / "image", yard.top / "disk"
    disk.mkdir()
    with image.open("wb") as file:
        file.truncate(DISK + (6 << 30))
    mkfs = which("mkfs.ext4")
    if mkfs is None:
        pytest.skip("no mkfs.ext4 here (Debian: apt install e2fsprogs)")
    made = subprocess.run([mkfs, "-q", "-F", "-m", "0", image], check=False).returncode == 0
    if not made or subprocess.run(["mount", "-o", "loop", image, disk], check=False).returncode != 0:
        pytest.skip("only root can mount a file system, and not everywhere")
    try:
        disk.chmod(0o777)
        done = taken(yard, disk, writable=[".", str(disk)])
    finally:
        subprocess.run(["umount", disk], check=True)
    assert "asimi: ended, because the disk has" in done.stderr.text
