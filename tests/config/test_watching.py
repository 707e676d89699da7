"""A running process sees every change before its next call, and costs nothing while there is none."""

import os
import sys
import time

import pytest

from asimi.core.errors import ConfigError


@pytest.fixture(scope="module")
def opened():
    """The files that this process opens, as they are opened."""
    paths, over = [], []
    sys.addaudithook(lambda event, what: paths.append(what[0]) if event == "open" and not over else None)
    yield paths
    over.append(True)  # a hook cannot be taken back


def test_a_change_is_seen_before_the_next_call(user):
    configuration = user.configuration()
    assert configuration.settings().limits.timeout is None
    for seconds in (5, 6, 7, 8):
        user.write(f"[limits]\ntimeout = {seconds}")  # the same size, perhaps within one tick of the clock
        assert configuration.settings().limits.timeout == seconds
    user.file.unlink()
    assert configuration.settings().limits.timeout is None


def test_a_file_put_in_the_place_of_another_is_seen(user, tmp_path):
    user.write("[limits]\ntimeout = 5")
    configuration = user.configuration()
    assert configuration.settings().limits.timeout == 5
    other = user.write("[limits]\ntimeout = 6", tmp_path / "other.toml")
    os.utime(other, ns=(os.stat(user.file).st_atime_ns, os.stat(user.file).st_mtime_ns))
    other.rename(user.file)
    assert configuration.settings().limits.timeout == 6


def test_a_new_project_file_is_seen(user):
    configuration = user.configuration()
    assert configuration.settings().policy.terms.unlisted.word == "ask"
    user.project("unlisted = 'reject'")
    assert configuration.settings().policy.terms.unlisted.word == "deny"


def test_a_broken_file_refuses_until_it_is_fixed(user):
    user.write("unlisted = 'reject'")
    configuration = user.configuration()
    before = configuration.settings()
    user.write("unlisted = 'rejct'")
    for _ in range(3):
        with pytest.raises(ConfigError, match="unlisted"):
            configuration.settings()
    user.write("unlisted = 'reject'")
    assert configuration.settings()[1:] == before[1:]


def test_the_same_settings_are_given_while_nothing_changes(user):
    user.write("unlisted = 'reject'")
    os.utime(user.file, (1, 1))
    configuration = user.configuration()
    first = configuration.settings()
    time.sleep(0.3)  # a file that changed just now is read once more
    second = configuration.settings()
    assert configuration.settings() is second
    assert first[1:] == second[1:]


def test_looking_opens_no_file(user, opened):
    user.write("unlisted = 'reject'")
    configuration = user.configuration()
    configuration.settings()
    assert str(user.file) in opened
    time.sleep(0.3)
    configuration.settings()
    opened.clear()
    configuration.settings()
    assert opened == []
