"""Where asimi's files are, and that only their owner can have written them."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from asimi.core.errors import AsimiError
from asimi.world.host.places import (
    Lock,
    forget_killed,
    places_of,
    private_directory,
    private_file,
    read_private,
    replace,
)

ROOT = str(Path(__file__).parents[1])


def test_places_follow_the_xdg_specification(tmp_path):
    places = places_of({"HOME": str(tmp_path)})
    assert places.config == f"{tmp_path}/.config/asimi"
    assert places.state == f"{tmp_path}/.local/state/asimi"
    assert places.runtime == f"{tmp_path}/.local/state/asimi/run"
    assert places.managed == "/etc/asimi/config.toml"
    (tmp_path / "r").mkdir()
    chosen = {"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": str(tmp_path / "r")}
    assert places_of({"HOME": str(tmp_path), **chosen})[:3] == ("/c/asimi", "/s/asimi", f"{tmp_path}/r/asimi")


def test_a_relative_or_missing_directory_is_not_used(tmp_path):
    chosen = {"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": str(tmp_path / "missing")}
    assert places_of({"HOME": str(tmp_path), **chosen}) == places_of({"HOME": str(tmp_path)})


def test_a_foreign_runtime_directory_is_not_used(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(tmp_path, 12345, 12345)
    assert places_of({"HOME": "/x", "XDG_RUNTIME_DIR": str(tmp_path)}).runtime == "/x/.local/state/asimi/run"


def test_a_private_directory_is_made_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        path = private_directory(str(tmp_path / "a" / "b"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o700
    assert private_directory(path) == path


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701, 0o777])
def test_a_loose_directory_is_refused(tmp_path, mode):
    (tmp_path / "d").mkdir()
    (tmp_path / "d").chmod(mode)
    with pytest.raises(AsimiError, match=f"chmod 700 {tmp_path}/d"):
        private_directory(str(tmp_path / "d"))


def test_a_foreign_directory_is_refused(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    (tmp_path / "d").mkdir(0o700)
    os.chown(tmp_path / "d", 12345, 12345)
    with pytest.raises(AsimiError, match="12345"):
        private_directory(str(tmp_path / "d"))


def test_a_link_to_a_directory_is_refused(tmp_path):
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(AsimiError, match="is a symbolic link"):
        private_directory(str(tmp_path / "link"))
    (tmp_path / "file").touch()
    with pytest.raises(AsimiError):
        private_directory(str(tmp_path / "file"))


def test_a_private_file_is_made_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        os.close(private_file(str(tmp_path / "f"), os.O_RDWR | os.O_CREAT))
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(tmp_path / "f").st_mode) == 0o600
    assert read_private(str(tmp_path / "f")) == b""
    assert read_private(str(tmp_path / "missing")) is None


def test_a_file_that_is_too_long_is_refused(tmp_path):
    replace(str(tmp_path / "f"), b"12345")
    assert read_private(str(tmp_path / "f"), 5) == b"12345"
    with pytest.raises(AsimiError, match="longer than 4"):
        read_private(str(tmp_path / "f"), 4)


def test_what_a_killed_write_left_goes_after_a_day_and_nothing_else_does(tmp_path):
    left = [".x.json.41.0123abcd", ".x.json.42.fedcba98", ".x.json.43.notours!", ".y.json.41.0123abcd", ".x.json.bak"]
    for name in left:
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (1_000_000_000, 1_000_000_000))
    (tmp_path / left[1]).touch()
    replace(str(tmp_path / "x.json"), b"new")
    assert sorted(os.listdir(tmp_path)) == sorted([*left[1:], "x.json"])
    forget_killed(str(tmp_path))  # a directory in which no name is written twice
    assert sorted(os.listdir(tmp_path)) == sorted([*left[1:3], ".x.json.bak", "x.json"])


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "f"
    replace(str(path), b"one")
    with path.open("rb") as before:
        replace(str(path), b"two", 0o644)
        assert before.read() == b"one"
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["f"]


def test_what_was_there_stays_when_it_cannot_be_replaced(tmp_path):
    (tmp_path / "d" / "inner").mkdir(parents=True)
    with pytest.raises(AsimiError, match="cannot be written"):
        replace(str(tmp_path / "d"), b"x")
    with pytest.raises(AsimiError, match="cannot be written"):
        replace(str(tmp_path / "missing" / "f"), b"x")
    assert os.listdir(tmp_path) == ["d"]


def test_a_lock_lets_one_process_in_at_a_time(tmp_path):
    program = (
        "import sys; from asimi.world.host.places import Lock\n"
        "for _ in range(100):\n"
        "    with Lock(sys.argv[1] + '/lock'):\n"
        "        number = int(open(sys.argv[1] + '/n').read())\n"
        "        open(sys.argv[1] + '/n', 'w').write(str(number + 1))\n"
    )
    (tmp_path / "n").write_text("0")
    processes = [
        subprocess.Popen([sys.executable, "-W", "ignore", "-c", program, str(tmp_path)], cwd=ROOT) for _ in range(4)
    ]
    assert [each.wait(60) for each in processes] == [0] * 4
    assert (tmp_path / "n").read_text() == "400"


def test_a_lock_that_is_held_for_too_long_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("asimi.world.host.places.PATIENCE", 0.05)
    path = str(tmp_path / "lock")
    with Lock(path), pytest.raises(AsimiError, match="another process has held"), Lock(path):
        pass


def test_a_lock_that_cannot_be_had_is_told(tmp_path):
    with pytest.raises(AsimiError, match="cannot be locked"), Lock(str(tmp_path / "missing" / "lock")):
        pass


def test_of_several_one_holds_a_lock_and_gives_it_back(tmp_path):
    path = str(tmp_path / "lock")
    with Lock(path, wait=False) as first, Lock(path, wait=False) as second:
        assert (first, second) == (True, False)
    with Lock(path, wait=False) as again:
        assert again
    with pytest.raises(AsimiError, match="cannot be locked"), Lock(str(tmp_path / "none" / "lock"), wait=False):
        pass
