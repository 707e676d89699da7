"""The workflows use exactly what was looked at, and what is published was tried before."""

from __future__ import annotations

import re

import pytest
from helpers import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8") if WORKFLOWS else ""

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="a source archive has none")


def test_every_action_is_named_by_its_digest_and_its_version():
    used = [line for each in WORKFLOWS for line in re.findall(r"uses: (.+)", each.read_text(encoding="utf-8"))]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+", each)] == []


def test_one_action_has_one_digest():
    pinned = {}
    for each in WORKFLOWS:
        for name, digest in re.findall(r"uses: ([\w./-]+)@(\w+)", each.read_text(encoding="utf-8")):
            assert pinned.setdefault(name, digest) == digest


@pytest.mark.parametrize("step", ["git merge-base --is-ancestor", "make release-check", "tests/release/test_deb.py"])
def test_what_is_published_is_of_main_and_was_tried_first(step):
    """The job that builds does it; those that publish need that job."""
    build, publish = RELEASE.split("\n  pypi:\n")
    assert step in build
    assert re.findall(r"needs: (.+)", publish) == ["build", "[build, pypi]"]
