"""What values that somebody else chose may do, asked of the real bash: no text that asimi allows leaks."""

import pytest
from fuzz.box import BWRAP
from fuzz.values import Texts, ran, search

boxed = pytest.mark.skipif(BWRAP is None, reason="bwrap is not installed")


@boxed
def test_no_allowed_text_leaks():
    _, run, leaks = search(200, seed=1)
    assert run == 200
    assert not leaks, "\n".join(leaks)


@boxed
@pytest.mark.long
@pytest.mark.timeout(7200)
def test_none_of_many_allowed_texts_leaks():
    _, run, leaks = search(20_000, seed=1_000_000)
    assert run == 20_000
    assert not leaks, "\n".join(leaks)


@boxed
@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("a[$(touch H/ran)]", "read x < l; y=x; echo $((y))"),
        ("1 H/outside", "read x < l; head -n $x README.md"),
        ("a,env", 'n=$(cat l); jq ".$n" data.json'),
        ("1", "x=GITHUB_TOKEN; echo $((x))"),
        ("1", "shift $GITHUB_TOKEN"),
        ("-o H/made", "sort $(cat l) README.md"),
    ],
)
def test_what_leaks_is_seen(tmp_path, line, text):
    assert ran(tmp_path, [(0, line.replace("H/", f"{tmp_path}/"), text)])[0]


def test_a_seed_is_a_text():
    assert Texts(7).text() == Texts(7).text()
