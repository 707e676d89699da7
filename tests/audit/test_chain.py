"""The chain: many writers, killed at any moment, and whatever a hand does to the files."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from asimi.core.errors import AsimiError
from asimi.core.settings import State
from asimi.world.audit.calls import calls
from asimi.world.audit.chain import Chain, Keep, keep_within, moment, older_files
from asimi.world.audit.reading import PROOF, files, follow, records, verify

ROOT = str(Path(__file__).parents[2])


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "state" / "asimi")


def fields(number, event="start", **more):
    return json.dumps(
        {"time": f"2099-01-01T00:00:00.{number % 1000:03}Z", "event": event, "id": f"c{number}", **more},
        separators=(",", ":"),
    )[:-1]


def filled(directory, number=5):
    chain = Chain(directory)
    for index in range(number):
        chain.append(fields(index))
    return Path(directory, "log.jsonl"), Path(directory, "log.head")


def writer(directory, name, number, keep=None):
    """A process that appends lines, and says after each that it is done."""
    program = (
        "import sys; from asimi.world.audit.chain import Chain, Keep\n"
        "directory, name, number, size = sys.argv[1:]\n"
        "chain = Chain(directory, lambda: Keep(int(size)))\n"
        "for i in range(int(number)):\n"
        """    chain.append('{"time":"2099-01-01T00:00:00.000Z","event":"start","id":"%s-%d"' % (name, i))\n"""
        "    print(i, flush=True)\n"
    )
    arguments = [sys.executable, "-c", program, directory, name, str(number), str(keep or 1 << 30)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT)


def test_an_empty_log_verifies(directory):
    found = verify(directory)
    assert (found.lines, found.faults) == (0, ())


def test_each_line_carries_the_hash_of_the_one_before(directory):
    from hashlib import sha256

    log, head = filled(directory)
    lines = log.read_bytes().splitlines()
    assert [json.loads(line)["n"] for line in lines] == [1, 2, 3, 4, 5]
    assert json.loads(lines[0])["prev"] == "0" * 64
    for before, line in pairwise(lines):
        assert json.loads(line)["prev"] == sha256(before).hexdigest()
    assert json.loads(head.read_bytes()) == {
        "version": 1, "count": 5, "size": log.stat().st_size, "hash": sha256(lines[-1]).hexdigest(),
    }  # fmt: skip
    assert verify(directory).faults == ()
    assert verify(directory).lines == 5


def test_the_files_are_private(directory):
    log, head = filled(directory)
    assert [oct(Path(path).stat().st_mode & 0o777) for path in (directory, log, head)] == ["0o700", "0o600", "0o600"]


def changed_byte(log, head):
    content = bytearray(log.read_bytes())
    content[content.index(b"c2") + 1] = ord("7")
    log.write_bytes(content)


def changed_last_line(log, head):
    log.write_bytes(log.read_bytes().replace(b"c4", b"c9"))


def deleted_line(log, head):
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:2] + lines[3:]))


def deleted_first_line(log, head):
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[1:]))


def swapped_lines(log, head):
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([lines[0], lines[2], lines[1], *lines[3:]]))


def cut_tail(log, head):
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))


def cut_in_a_line(log, head):
    os.truncate(log, log.stat().st_size - 20)


def emptied(log, head):
    os.truncate(log, 0)


def removed(log, head):
    log.unlink()


def removed_head(log, head):
    head.unlink()


def emptied_head(log, head):
    os.truncate(head, 0)


def foreign_line(log, head):
    with log.open("ab") as file:
        file.write(b'{"event":"start","n":6,"prev":"' + b"1" * 64 + b'"}\n')


def foreign_text(log, head):
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], b"hello\n", *lines[2:]]))


HANDS = [
    changed_byte, changed_last_line, deleted_line, deleted_first_line, swapped_lines, cut_tail, cut_in_a_line,
    emptied, removed, removed_head, emptied_head, foreign_line, foreign_text,
]  # fmt: skip


@pytest.mark.parametrize("hand", HANDS)
def test_what_a_hand_does_to_the_log_is_told(directory, hand):
    hand(*filled(directory))
    assert verify(directory).faults


@pytest.mark.parametrize("hand", HANDS)
def test_a_change_by_hand_is_still_told_after_more_was_written(directory, hand):
    hand(*filled(directory))
    Chain(directory).append(fields(9))
    chain = Chain(directory)
    chain.append(fields(10))
    chain.append(fields(11))
    assert verify(directory).faults


def test_the_writer_that_is_open_notices_as_well(directory):
    chain = Chain(directory)
    chain.append(fields(1))
    Path(directory, "log.jsonl").unlink()
    chain.append(fields(2))
    assert Path(directory, "log.jsonl").exists()
    assert verify(directory).faults
    Path(directory, "log.head").unlink()
    chain.append(fields(3))
    assert verify(directory).faults


def test_a_torn_line_is_marked_at_the_next_append(directory):
    log, _ = filled(directory)
    with log.open("ab") as file:
        file.write(b'{"time":"2026-')
    assert verify(directory).faults == ()
    assert "killed" in verify(directory).notes[0]
    chain = Chain(directory)
    chain.append(fields(6))
    chain.append(fields(7))
    found = verify(directory)
    assert found.faults == ()
    assert any("killed" in note for note in found.notes)
    assert [each["event"] for each in records(directory)][-3:] == ["torn", "start", "start"]


def test_a_writer_killed_before_the_head_leaves_a_log_that_verifies(directory):
    log, head = filled(directory)
    before = head.read_bytes()
    chain = Chain(directory)
    chain.append(fields(6))
    chain.close()
    head.write_bytes(before)
    assert verify(directory).faults == ()
    Chain(directory).append(fields(7))
    found = verify(directory)
    assert found.faults == found.notes == ()
    assert found.lines == 7
    assert log.exists()


def test_the_very_first_writer_may_be_killed_before_the_head(directory):
    _, head = filled(directory, 1)
    head.write_bytes(b"")
    assert verify(directory).faults == ()


def test_ten_writers_lose_no_line(directory):
    writers = [writer(directory, f"w{index}", 100) for index in range(10)]
    for each in writers:
        assert each.wait(120) == 0
        each.stdout.close()
    assert verify(directory).faults == ()
    assert {each["id"] for each in records(directory)} == {f"w{a}-{b}" for a in range(10) for b in range(100)}


@pytest.mark.parametrize("keep", [None, 600])
def test_killed_at_any_moment_the_log_verifies_and_holds_what_was_said_to_be_written(directory, keep):
    chosen = random.Random(7)
    promised = set()
    for round_ in range(12):
        process = writer(directory, f"r{round_}", 100000, keep)
        process.stdout.readline()
        time.sleep(chosen.random() / 20)
        process.send_signal(signal.SIGKILL)
        said = process.stdout.read().decode()
        process.stdout.close()
        process.wait()
        promised |= {f"r{round_}-{line}" for line in ["0", *said.split("\n")[:-1]]}
        assert verify(directory).faults == ()
    assert promised <= {each.get("id") for each in records(directory)}


def test_a_log_that_is_written_meanwhile_verifies(directory):
    process = writer(directory, "w", 100000, 2000)
    process.stdout.readline()
    try:
        for _ in range(50):
            found = verify(directory)
            assert found.faults == found.notes == ()
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def test_a_file_that_is_long_enough_is_renamed_and_the_chain_goes_on(directory):
    chain = Chain(directory, lambda: Keep(file_bytes=600))
    for index in range(20):
        chain.append(fields(index))
    assert len(files(directory)) > 3
    found = verify(directory)
    assert found.faults == found.notes == ()
    assert [each["id"] for each in records(directory) if each["event"] == "start"] == [
        f"c{index}" for index in range(20)
    ]


def test_a_file_that_is_old_enough_is_renamed(directory):
    Chain(directory).append('{"time":"2026-01-01T00:00:00.000Z","event":"start","id":"old"')
    Chain(directory).append(fields(2))
    assert len(older_files(directory)) == 1
    assert verify(directory).faults == ()


def test_another_writer_notices_that_the_file_was_renamed(directory):
    first, second = Chain(directory), Chain(directory, lambda: Keep(file_bytes=200))
    first.append(fields(1))
    second.append(fields(2))
    second.append(fields(3))
    first.append(fields(4))
    assert len(files(directory)) == 2
    assert verify(directory).faults == ()
    assert [each["id"] for each in records(directory) if each["event"] == "start"] == ["c1", "c2", "c3", "c4"]


def test_older_files_are_deleted_within_the_limits_and_the_log_says_so(directory):
    chain = Chain(directory, lambda: Keep(file_bytes=600, total=1500))
    for index in range(40):
        chain.append(fields(index))
    assert sum(os.path.getsize(path) for path in files(directory)) < 3500
    found = verify(directory)
    assert found.faults == ()
    assert "deleted" in found.notes[0]


def test_an_older_file_that_a_hand_deleted_is_told(directory):
    chain = Chain(directory, lambda: Keep(file_bytes=600))
    for index in range(20):
        chain.append(fields(index))
    os.unlink(files(directory)[0])
    assert any("did not delete it" in fault.message for fault in verify(directory).faults)
    os.unlink(files(directory)[1])
    assert verify(directory).faults


@pytest.mark.parametrize("written", [0, 1, 2])
def test_a_writer_killed_while_it_renames_leaves_a_log_that_verifies(directory, written):
    log, head = filled(directory)
    before = head.read_bytes()
    if written == 2:
        chain = Chain(directory, lambda: Keep(file_bytes=1))
        chain.append(fields(6))
        head.write_bytes(before)
    else:
        log.rename(log.with_name("log-000000000005.jsonl"))
        if written:
            log.touch(0o600)
    assert verify(directory).faults == ()
    Chain(directory).append(fields(7))
    found = verify(directory)
    assert found.faults == ()
    assert [each["id"] for each in records(directory) if each["event"] == "start"][-1] == "c7"


def test_nothing_of_a_line_that_cannot_be_written_stays(directory):
    program = (
        "import resource, signal, sys; from asimi.world.audit.chain import Chain\n"
        "from asimi.core.errors import AsimiError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "chain = Chain(sys.argv[1])\n"
        """line = '{"time":"2099-01-01T00:00:00.000Z","event":"start","id":"x"'\n"""
        "chain.append(line)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
        "try: chain.append(line)\n"
        "except AsimiError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, directory], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "log.jsonl" in done.stdout
    found = verify(directory)
    assert (found.lines, found.faults, found.notes) == (1, (), ())


USES = pytest.mark.parametrize("use", [lambda directory: Chain(directory).append(fields(1)), verify])


@pytest.mark.parametrize("name", ["log.jsonl", "log.head"])
@USES
def test_a_file_that_others_may_enter_or_that_is_a_link_is_refused(directory, name, use):
    filled(directory)
    path = Path(directory, name)
    path.chmod(0o644)
    with pytest.raises(AsimiError, match="chmod 600"):
        use(directory)
    path.rename(path.with_name("elsewhere"))
    path.with_name("elsewhere").chmod(0o600)
    path.symlink_to("elsewhere")
    with pytest.raises(AsimiError, match="symbolic link"):
        use(directory)
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(AsimiError, match="not a regular file"):
        use(directory)
    path.unlink()
    path.mkdir(0o700)
    with pytest.raises(AsimiError, match=r"not a regular file|Is a directory"):
        use(directory)


@USES
def test_a_directory_that_others_may_enter_is_refused(directory, use):
    filled(directory)
    Path(directory).chmod(0o755)
    with pytest.raises(AsimiError, match="chmod 700"):
        use(directory)


def test_a_head_of_a_newer_version_names_it(directory):
    _, head = filled(directory)
    head.write_bytes(head.read_bytes().replace(b'"version":1', b'"version":7'))
    with pytest.raises(AsimiError, match="version 7"):
        Chain(directory).append(fields(1))
    with pytest.raises(AsimiError, match="version 7"):
        verify(directory)


def test_a_head_that_is_none_is_told(directory):
    _, head = filled(directory)
    head.write_bytes(b"nonsense")
    with pytest.raises(AsimiError, match=r"log\.head"):
        Chain(directory).append(fields(1))


def test_a_call_is_its_start_and_its_end(directory):
    chain = Chain(directory)
    chain.append(fields(1))
    chain.append(fields(2))
    chain.append(fields(1, "end", exit=3))
    chain.append(fields(3, "refusal", error="no"))
    first, second, third = calls(directory)
    assert first["end"]["exit"] == 3
    assert "end" not in second
    assert third["error"] == "no"
    assert [each["id"] for each in calls(directory, denied=True)] == ["c3"]


def test_a_text_in_a_command_is_no_event(directory):
    chain = Chain(directory)
    chain.append(fields(1, command='Z","event":"refusal"'))
    assert list(calls(directory, denied=True)) == []


def test_only_what_was_written_since_then(directory):
    chain, now = Chain(directory), time.time()
    for name, seconds in [("old", now - 3600), ("new", now)]:
        chain.append(f'{{"time":"{moment(seconds)}","event":"start","id":"{name}"')
    assert [each["id"] for each in records(directory, since=now - 60)] == ["new"]


def test_a_hundred_thousand_calls_are_searched_in_one_go(directory):
    """In half a second on an ordinary machine; to look each one up anew would take minutes."""
    Path(directory).mkdir(mode=0o700, parents=True)
    path = Path(directory, "log.jsonl")
    path.touch(0o600)
    with path.open("w") as file:
        for index in range(100_000):
            more = {"command": "git status && npm --version", "reasons": [{"message": "m" * 150}]}
            event = "refusal" if index % 100 == 0 else "start"
            file.write(f'{fields(index, event, **more)},"n":1,"prev":"{"0" * 64}"}}\n')
            file.write(f'{fields(index, "end", exit=0)},"n":1,"prev":"{"0" * 64}"}}\n')
    started = time.monotonic()
    assert len(list(calls(directory, denied=True))) == 1000
    assert time.monotonic() - started < 30


def test_following_sees_what_comes_over_a_renaming(directory):
    chain = Chain(directory, lambda: Keep(file_bytes=200))
    chain.append(fields(0))
    todo = list(range(1, 8))

    def pause():
        if todo:
            chain.append(fields(todo.pop(0)))

    seen = []
    for each in follow(directory, pause=pause):
        if each["event"] == "start":
            seen.append(each["id"])
        if len(seen) == 7:
            break
    assert seen == [f"c{index}" for index in range(1, 8)]


def test_the_log_takes_at_most_half_of_what_asimi_keeps():
    keep = keep_within(State(bytes=8 << 20, age=86400.0))
    assert keep.total + keep.file_bytes <= 8 << 20
    assert keep.file_age < keep.age


def test_what_is_proven_is_said():
    assert "write both" in PROOF
