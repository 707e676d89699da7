"""Names in lists do no more than asimi knows, when bash runs what it allows; `make fuzz` tries more."""

import pytest
from fuzz.lists import BWRAP, built, ran, search

pytestmark = pytest.mark.skipif(BWRAP is None, reason="nothing is run without a box")


@pytest.mark.parametrize(("texts", "seed"), [(40, 12), pytest.param(20_000, 10**6, marks=pytest.mark.long)])
def test_no_list_that_is_allowed_leads_to_a_secret_or_changes_a_file_outside(texts, seed):
    _, run, leaks = search(texts, seed, many=min(10 * texts, 1000))
    assert (run, leaks) == (texts, [])


def test_the_box_tells_of_what_leaks(tmp_path):
    built(tmp_path)
    texts = ["echo README.md | xargs cat", "echo ../.ssh/id_rsa | xargs cat", "echo .env | xargs cat", "touch ../made"]
    found = ran(tmp_path, list(enumerate(texts)))
    assert [found[at][:1] for at in range(3)] == [[], ["key"], ["settings"]]
    assert f"{tmp_path}/made" in found[3]
