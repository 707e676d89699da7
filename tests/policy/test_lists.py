"""Names in lists do no more than asimi knows, when bash runs what it allows; `make fuzz` tries more."""

import pytest
from fuzz.box import BWRAP, judged
from fuzz.lists import Texts, built, ran, search

boxed = pytest.mark.skipif(BWRAP is None, reason="nothing is run without a box")


@boxed
@pytest.mark.parametrize(("texts", "seed"), [(40, 12), pytest.param(20_000, 10**6, marks=pytest.mark.long)])
def test_no_list_that_is_allowed_leads_to_a_secret_or_changes_a_file_outside(texts, seed):
    _, run, leaks = search(texts, seed, many=min(10 * texts, 1000))
    assert (run, leaks) == (texts, [])


@boxed
def test_the_box_tells_of_what_leaks(tmp_path):
    built(tmp_path)
    texts = ["echo README.md | xargs cat", "echo ../.ssh/id_rsa | xargs cat", "echo .env | xargs cat", "touch ../made"]
    found = ran(tmp_path, list(enumerate(texts)))
    assert [found[at][:1] for at in range(3)] == [[], ["key"], ["settings"]]
    assert f"{tmp_path}/made" in found[3]


def test_a_word_that_is_listed_has_no_laxer_verdict_than_the_word(tmp_path):
    home, config, pairs = tmp_path / "home", tmp_path / "own" / "config.toml", []
    config.parent.mkdir()
    built(home)
    for seed in range(400):
        texts = Texts(seed)
        texts.writes = texts.chance(2)
        given, tool = texts.given("f"), texts.tool()
        listed = texts.pick(f'echo "$f" | xargs {tool}', f'for g in "$f"; do echo $g | xargs -n1 {tool}; done')
        pairs += [f'{given}; {tool} "$f"', f"{given}; {listed}"]
    verdicts = judged(home, config, pairs)
    found = zip(pairs[1::2], verdicts[::2], verdicts[1::2], strict=True)
    assert [text for text, direct, listed in found if listed == "allow" != direct] == []
    assert verdicts[1::2].count("allow") > 20
