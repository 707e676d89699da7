"""Whoever keeps a copy of the log goes on behind any line, also while its files are renamed."""

from __future__ import annotations

import pytest

from asimi.world.audit import tail
from asimi.world.audit.chain import LOG, Chain, Keep, older_files
from asimi.world.audit.tail import Tail

LINE = '{"time":"2026-11-22T00:00:00.000Z","event":"x"'


class Renamed(Tail):
    """Finds the file of a line just before it gets another name.

    Args:
        chain: the log.
        look: at which look at the names.
    """

    def __init__(self, chain, look):
        super().__init__(chain.directory)
        self._chain, self._left = chain, look

    def _file_with_line(self, number):
        name = super()._file_with_line(number)
        self._left -= 1
        if not self._left:
            assert name == LOG
            before = older_files(self._chain.directory)
            while older_files(self._chain.directory) == before:
                self._chain.append(LINE)
        return name


@pytest.mark.parametrize("look", [1, 2, 3, 4])
def test_reading_goes_on_behind_a_line_whose_file_is_renamed_just_now(tmp_path, look):
    chain = Chain(str(tmp_path), lambda: Keep(file_bytes=1000))
    for _ in range(3):
        chain.append(LINE)
    third = list(zip(range(3), Tail(str(tmp_path)).after(0, ""), strict=False))[2][1]
    chain.append(LINE)
    behind = next(each for each in Renamed(chain, look).after(third.number, third.hash) if each is not None)
    assert behind.number == 4


def test_a_log_without_its_newest_file_is_no_other_log(tmp_path, monkeypatch):
    """A writer renames the newest file, and only then makes the next."""
    chain = Chain(str(tmp_path))
    for _ in range(3):
        chain.append(LINE)
    last = list(zip(range(3), Tail(str(tmp_path)).after(0, ""), strict=False))[2][1]

    def renamed_behind_us(directory):
        names = older_files(directory)
        if not names:
            (tmp_path / LOG).rename(tmp_path / "log-000000000003.jsonl")
        return names

    monkeypatch.setattr(tail, "older_files", renamed_behind_us)
    assert next(Tail(str(tmp_path)).after(last.number, last.hash)) is None


def test_a_line_that_cannot_be_read_keeps_its_number_in_an_older_file(tmp_path):
    """Only its place says which one it is, so a copy has it too."""
    chain = Chain(str(tmp_path), lambda: Keep(file_bytes=1000))
    while len(older_files(str(tmp_path))) < 2:
        chain.append(LINE)
    first, second = (tmp_path / name for name in older_files(str(tmp_path))[:2])
    behind = len(first.read_bytes().splitlines())
    second.write_bytes(b"damaged\n" + second.read_bytes().partition(b"\n")[2])
    last = list(zip(range(behind), Tail(str(tmp_path)).after(0, ""), strict=False))[-1][1]
    lines = list(zip(range(2), Tail(str(tmp_path)).after(last.number, last.hash), strict=False))
    assert [(line.number, line.content == b"damaged") for _, line in lines] == [(behind + 1, True), (behind + 2, False)]


def test_a_file_that_somebody_made_shorter_is_read_anew(tmp_path):
    chain = Chain(str(tmp_path))
    for _ in range(3):
        chain.append(LINE)
    lines = Tail(str(tmp_path)).after(0, "")
    assert [line is not None for _, line in zip(range(4), lines, strict=False)] == [True, True, True, False]
    (tmp_path / LOG).write_bytes(b"short\n")
    assert next(lines).content == b"short"


@pytest.mark.parametrize("number", [1, 2, 3, 9])
def test_of_a_log_without_the_line_all_comes(tmp_path, number):
    chain = Chain(str(tmp_path))
    for _ in range(3):
        chain.append(LINE)
    assert next(Tail(str(tmp_path)).after(number, "0" * 64)).number == 1
