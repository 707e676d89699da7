"""What `make bench` writes: it says what was left out, and its picture is whole."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from helpers import ROOT
from helpers.bench import modules, texts_within

BENCH = ROOT / "bench"


@pytest.fixture
def bench(monkeypatch):
    """The bench's modules, which are no package."""
    yield from modules(monkeypatch, BENCH, ("measures", "picture", "report", "ways"))


@pytest.fixture
def run(bench):
    """A run in which every way took as long as its place says, and Codex was not there."""

    def found(measure):
        samples = {row.name: [{"seconds": 0.001 * place}] * 20 for place, row in enumerate(measure.rows, 1)}
        absent = {"Codex": "not installed"} if samples.pop("Codex", None) else {}
        return bench["report"].Found(measure, samples | {name: [] for name in absent}, absent, set())

    every = [found(measure) for measure in bench["measures"].measures("texts.json", quick=False)]
    return bench["report"].Run("3.11.7", every, 60.0, (0.1, 1.2), quick=False)


def test_every_way_that_is_measured_can_be_opened_and_has_one_name(bench):
    for measure in bench["measures"].measures("texts.json", quick=True):
        assert {row.way for row in measure.rows} <= {*bench["ways"].WAYS}
        assert len({row.name for row in measure.rows}) == len(measure.rows), measure.title


def test_what_is_left_out_is_named_with_the_reason(bench, run):
    text = bench["report"].report([run], {"Codex": None})
    assert "Codex (not installed)" in text
    assert "Left out: Codex: not installed." in text
    assert "| one command | 2.00 | 4.00 | 7.00 | 8.00 | 9.00 | not installed | 11.00 |" in text


def test_each_aim_stands_beside_its_way(bench, run):
    text = bench["report"].report([run], {})
    assert "| **2.00** | 2.00 | ratio 6.00, reached |" in text
    assert "| **4.00** | 4.00 | ratio 0.90, **missed** |" in text
    assert "| **2.00** | 2.00 | median 350, **missed**; p99 3000, reached |" in text


def test_all_aims_stand_first_with_what_was_found_and_what_was_not_measured(bench, run):
    counted = next(found for found in run.found if found.measure.title == "Instructions of a start")
    box = "asimi's hook in a box of `asimi wrap`"
    counted.samples[box], counted.left_out[box] = [], "bubblewrap is not installed"
    text = bench["report"].report([run], {})
    assert text.count("| **missed** |") + text.count("| reached |") == 10
    assert "| One `bash -c true` in a live process: asimi, ratio of p10 | 1.45 | 2.00 | **missed** |" in text
    assert " rows: asimi, the preset `developer`, median s | 30.0 | 0.00 | reached |" in text
    assert f"| Instructions of a start: {box}, ratio | 1.50 | bubblewrap is not installed |  |" in text


def test_a_run_on_a_busy_machine_and_a_quick_look_say_so(bench, run):
    run = run._replace(load=(3.0, 1.0), quick=True)
    text = bench["report"].report([run], {})
    assert "load was 3.0 before and 1.0 after. **The machine was busy.** **A quick look" in text
    assert ": a busy machine" in bench["picture"].picture(run)


@pytest.mark.parametrize("slowest", [0.001, 0.1, 90.0])
@pytest.mark.parametrize("load", [(0.1, 1.2), (33.0, 21.5)])
def test_no_text_of_the_picture_is_cut_off(bench, run, slowest, load):
    run, samples = run._replace(load=load), run.found[0].samples
    samples["asimi serve"] = [{"seconds": 0.0005}] * 17 + [{"seconds": slowest}] * 3
    assert len(texts_within(bench["picture"].picture(run), 15)) > 15


def test_the_picture_is_for_a_light_and_a_dark_page_and_its_title_says_what_was_found(bench, run):
    drawn = bench["picture"].picture(run)
    assert "prefers-color-scheme: dark" in drawn
    assert re.search(r"<title>asimi adds 1\.0 ms to a command</title>", drawn)
    assert "load 0.1 before and 1.2 after" in drawn
    timed = next(found for found in run.found if found.measure.title == "From nothing to the end of a program")
    hook, python = (timed.samples[name][0]["seconds"] * 1e3 for name in (bench["picture"].HOOK, "python -c pass"))
    assert f"for each command: {hook:.0f} ms, {python:.0f} of them Python" in drawn


@pytest.mark.skipif(not shutil.which("cc"), reason="the floor is a C program")
def test_a_measurement_is_taken_and_printed():
    words = [sys.executable, BENCH / "run.py", "--quick", "--only", "written down"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"(?m)^\| asimi \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$", done.stdout), done.stdout
