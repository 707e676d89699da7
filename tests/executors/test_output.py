"""Output is complete up to its limit; beyond, nothing is cut in silence and memory stays bounded."""

import asyncio
import os
import pathlib
import re
import sys

import pytest

from asimi.core.call import Limits
from asimi.world.executors import output
from asimi.world.executors.output import Capture


def captured(tmp_path, *parts, **limits):
    """What a capture makes of some bytes."""

    def create():
        path = tmp_path / "file"
        return str(path), os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)

    capture = Capture(Limits(**limits), create)
    for part in parts:
        capture.add(part)
    return capture.stream()


@pytest.fixture
def full(tmp_path):
    """Makes a file on a full disk. Its path is another's: a capture removes what it does not need."""
    return lambda: (str(tmp_path / "full"), os.open("/dev/full", os.O_RDWR))


TEXTS = [
    # the bytes, the text, whether it is lossy
    (b"", "", False),
    (b"a\xff\xfeb", "a��b", True),
    ("\ufffd".encode(), "\ufffd", False),
    (b"\xf0\x9f\x98", "�", True),
    (b"\xed\xa0\x80", "���", True),
    (b"\xef\xbb\xbfx", "\ufeffx", False),
    (b"a\0b\r\nc\r\x1b[0m", "a\0b\r\nc\r\x1b[0m", False),
]


@pytest.mark.parametrize(("data", "text", "lossy"), TEXTS)
def test_bytes_become_text_and_what_is_no_utf8_is_told(tmp_path, data, text, lossy):
    stream = captured(tmp_path, *(data[number : number + 1] for number in range(len(data))))
    assert (stream.text, stream.lossy, stream.size, stream.file) == (text, lossy, len(data), None)


@pytest.mark.parametrize("size", [1, output.MEMORY - 1, output.MEMORY, output.MEMORY + 1, 3 * output.MEMORY])
def test_up_to_the_limit_it_is_complete_and_no_file_is_left(tmp_path, size):
    data = (b"0123456789abcde\n" * (size // 16 + 1))[:size]
    stream = captured(tmp_path, data[: size // 3], data[size // 3 :], output_bytes=3 * output.MEMORY)
    assert stream.text == data.decode()
    assert (stream.size, stream.file, list(tmp_path.iterdir())) == (size, None, [])


@pytest.mark.parametrize("limit", [0, 1, 2, 10, 1000, output.MEMORY + 5])
@pytest.mark.parametrize("spill", [0, 3, 999, 1 << 30])
def test_beyond_the_limit_it_is_head_line_and_tail_and_a_file(tmp_path, limit, spill):
    data = bytes(range(32, 127)) * (limit // 50 + 60)
    parts = [data[start : start + 70001] for start in range(0, len(data), 70001)]
    stream = captured(tmp_path, *parts, output_bytes=limit, spill_bytes=spill)
    edge = min(output.EDGE, limit // 2)
    head, line, tail = re.fullmatch(r"(.*?)\n(\[asimi: .*?\])\n(.*)", stream.text, re.DOTALL).groups()
    assert (head, tail) == (data[:edge].decode(), data[len(data) - edge :].decode())
    assert f"{len(data) - 2 * edge:,} bytes are left out" in line
    assert stream.size == len(data)
    assert (tmp_path / "file").read_bytes() == data[:spill]
    assert (spill < len(data)) == ("the limit of such a file" in line or not spill)


@pytest.mark.parametrize("shift", range(4))
def test_a_cut_never_splits_a_character(tmp_path, shift):
    data = b"x" * shift + "😀é".encode() * 1000
    stream = captured(tmp_path, data, output_bytes=1000)
    assert not stream.lossy
    assert "�" not in stream.text


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_on_a_full_disk_what_was_promised_is_kept_in_memory(full):
    capture = Capture(Limits(output_bytes=10 << 20), full)
    for _ in range(9):
        capture.add(b"a" * (1 << 20))
    stream = capture.stream()
    assert (len(stream.text), stream.file) == (9 << 20, None)
    assert os.path.exists("/dev/full")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_on_a_full_disk_what_is_lost_beyond_the_limit_is_told(full):
    capture = Capture(Limits(output_bytes=5 << 20), full)
    for number in range(20):
        capture.add(bytes([97 + number]) * (1 << 20))
    stream = capture.stream()
    assert stream.text.startswith("a" * (1 << 20) + "\n[asimi: 18,874,368 bytes are left out here; they are lost, ")
    assert "No space left on device" in stream.text
    assert stream.text.endswith("]\n" + "t" * (1 << 20))


def test_a_directory_that_cannot_be_made_is_like_a_full_disk(tmp_path):
    def refused():
        raise PermissionError(13, "Permission denied")

    capture = Capture(Limits(output_bytes=100), refused)
    capture.add(b"a" * 60)
    capture.add(b"b" * 60)
    stream = capture.stream()
    assert stream.text.startswith("a" * 50)
    assert stream.text.endswith("b" * 50)
    assert "lost, because no file could be written: Permission denied" in stream.text
    assert stream.file == ""


def test_a_file_that_somebody_cut_is_told(tmp_path):
    def create():
        return str(tmp_path / "file"), os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT, 0o600)

    capture = Capture(Limits(), create)
    capture.add(b"a" * (output.MEMORY + 1))
    os.truncate(tmp_path / "file", 10)
    assert "somebody else has cut" in capture.stream().text


def test_both_streams_may_flood_at_once(run):
    result = run("yes o | head -c 20000000 & yes e | head -c 20000000 >&2 & wait")
    assert (result.stdout.text, result.stderr.text) == ("o\n" * 10_000_000, "e\n" * 10_000_000)
    assert list(pathlib.Path(run.state, "output").iterdir()) == []


def test_a_long_output_is_in_a_private_file(run):
    result = run("seq 1 900000", output_bytes=1 << 20)
    assert result.stdout.text.startswith("1\n2\n")
    assert result.stdout.text.endswith("899999\n900000\n")
    file = pathlib.Path(result.stdout.file)
    assert (file.stat().st_size, file.stat().st_mode & 0o777) == (6_188_895, 0o600)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert result.stderr.file is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_half_a_gigabyte_takes_little_memory(program):
    def peak():
        return int(pathlib.Path(f"/proc/{program.pid}/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024

    program("true")
    before = peak()
    result = program("head -c 536870912 /dev/zero | tr '\\0' a")
    assert result.stdout.size == 1 << 29
    assert pathlib.Path(result.stdout.file).stat().st_size == 1 << 29
    assert peak() - before <= 64


def test_a_listener_may_have_the_command_wait_for_it(library):
    heard = []

    def slow(_name, data):
        heard.append(data)
        return asyncio.ensure_future(asyncio.sleep(0.02, result=True))

    result = library("seq 1 300000", listener=slow)
    assert b"".join(heard).decode() == result.stdout.text
    assert result.stdout.text.endswith("\n300000\n")


def test_a_command_writes_to_a_closed_pipe_where_the_listener_wants_no_more(library):
    heard = []

    def enough(_name, data):
        heard.append(data)
        return asyncio.ensure_future(asyncio.sleep(0, result=False))

    result = library("exec yes", listener=enough, timeout=60)
    assert (result.signal, result.timed_out, len(heard)) == (13, False, 1)


LISTENERS = [ValueError("of the listener"), asyncio.CancelledError()]


@pytest.mark.parametrize("error", LISTENERS, ids=repr)
@pytest.mark.parametrize("command", ["echo a", "echo a; sleep 60 &", "echo a; sleep 60"])
def test_whatever_a_listener_raises_ends_the_call_and_nothing_of_it_goes_on(library, error, command):
    def broken(_name, _data):
        raise error

    async def left():
        with pytest.raises(type(error)):
            await library.executor.run(library.execution(command), broken)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(left()) == set()
