"""`asimi log report`: on a terminal, in JSON, as a page."""

from __future__ import annotations

import json
import stat

import pytest
from helpers.home import Home
from helpers.logs import filled


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


@pytest.fixture
def log(home):
    return filled(home)


@pytest.mark.parametrize("columns", [80, 40])
def test_the_report_fits_the_terminal(log, home, columns):
    log.call("npm install " + "x" * 300, "ask", "agent\x1b[2J\u202e" + "y" * 90, "/srv/" + "long/" * 40)
    with home.at_terminal("log", "report", columns=columns, rows=90, environ={"LANG": "C.UTF-8"}) as person:
        assert person.ended() == 0
        assert person.too_wide() == []
        said = person.display
    for title in ("What ran", "Calls by day", "Asked most", "Who answered", "Agents", "Projects", "Changes"):
        assert title in said
    assert "npm publish" in said
    assert "agent<ESC>" in said


def test_the_report_needs_neither_colours_nor_unicode_nor_a_terminal(log, home):
    done = home.asimi("log", "report", environ={"LANG": "C", "LC_ALL": "C"})
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "Calls by day" in done.stdout


def test_the_report_in_json_has_the_same_numbers(log, home):
    (line,) = home.asimi("log", "report", "--json", "--agent", "claude-code").stdout.splitlines()
    report = json.loads(line)
    assert (report["whole"]["calls"], report["whole"]["yes"], report["whole"]["refused"]) == (2, 1, 1)
    assert [share["name"] for share in report["asked"]] == ["npm publish"]
    assert report["ended"]["succeeded"] == 1


def test_a_report_of_nothing_says_so(home):
    assert home.asimi("log", "report").stdout == "No calls.\n"
    assert json.loads(home.asimi("log", "report", "--json").stdout)["whole"]["calls"] == 0
    assert home.asimi("log", "report", "--html", "r.html").returncode == 0
    assert "No calls" in (home.root / "r.html").read_text()


def test_a_page_is_a_new_file_that_only_its_owner_may_read(log, home):
    assert home.asimi("log", "report", "--html", "r.html").stdout == "written  r.html\n"
    page = home.root / "r.html"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    (home.root / "link.html").symlink_to(home.root / "new.html")
    before = page.read_bytes()
    for name in ("r.html", "link.html", ".", "no/such.html"):
        done = home.asimi("log", "report", "--html", name)
        assert done.returncode == 125
        assert done.stderr.startswith(f"asimi: {name}: ")
    assert page.read_bytes() == before
    assert not (home.root / "new.html").exists()
    assert home.asimi("log", "report", "--html", "x.html", "--json").returncode == 2


def test_below_a_call_no_page_is_written(log, home):
    done = home.asimi("log", "report", "--html", "r.html", environ={"ASIMI_CLI": "1"})
    assert done.returncode == 125
    assert not (home.root / "r.html").exists()
    assert home.asimi("log", "report", environ={"ASIMI_CLI": "1"}).returncode == 0
