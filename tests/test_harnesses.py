"""The harnesses for a fuzzer hold for their seeds; `make harnesses` goes on from there."""

from __future__ import annotations

import importlib.util

import pytest
from helpers import ROOT

from asimi.core.call import Verdict

HARNESSES = sorted((ROOT / "harnesses").glob("*_fuzzer.py"))
SEEDS = [
    (harness, seed) for harness in HARNESSES for seed in sorted((ROOT / "harnesses/seeds" / harness.stem).iterdir())
]


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path):
    """Where a harness makes directories, which it leaves to whoever runs it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def loaded(harness):
    spec = importlib.util.spec_from_file_location(harness.stem, harness)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "SHARED"):
        module.SHARED = ""
    return module


@pytest.mark.parametrize(("harness", "seed"), SEEDS, ids=lambda path: path.name)
def test_a_seed_and_what_is_near_it_holds(harness, seed):
    check, data = loaded(harness).check, seed.read_bytes()
    for each in (data, data[: len(data) // 2], data[::-1], data.replace(b"\n", b"\xff"), b"", b"\0"):
        check(each)


def test_every_harness_has_seeds():
    assert {harness for harness, _ in SEEDS} == {*HARNESSES}
    assert len(HARNESSES) == 3


def test_the_harness_of_the_configuration_sees_what_loosens():
    harness = loaded(ROOT / "harnesses" / "configuration_fuzzer.py")
    with pytest.raises(AssertionError, match="an untrusted file makes it allow, not deny"):
        harness.check(b"", [Verdict.DENY] * len(harness.COMMANDS))
