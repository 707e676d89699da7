"""The page of `asimi log report --html` in a real browser, made of hostile text."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from helpers import PATIENCE

from asimi.extras.report.counting import report_of
from asimi.extras.report.page import page

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

HOSTILE = (
    "\x1b[2J\u202etxt.sh\u200b\udcff</code></style></title><script>document.title='owned'</script>"
    "<img src=x onerror=alert(1)>"
    "<link rel=stylesheet href=http://127.0.0.1:9/x> &amp; '\"` <style>*{display:none}</style>"
)


def call(number, **more):
    return {
        "time": f"2026-03-{1 + number % 28:02}T12:00:00.000Z", "event": "start", "id": str(number), "session": "",
        "agent": HOSTILE, "command": HOSTILE, "root": f"/{HOSTILE}", "verdict": "ask",
        "reasons": [{"code": "unlisted", "message": f"`{HOSTILE.replace('`', '')}` is not on coreTools"}],
        "approval": {"yes": True, "by": HOSTILE, "scope": "once", "seconds": 3.0}, "end": {"exit": 0},
    } | more  # fmt: skip


CHANGE = {"event": "change", "what": HOSTILE, "entry": HOSTILE, "decision": HOSTILE, "time": HOSTILE}
CALLS = [*(call(number) for number in range(30)), call(30, time=HOSTILE), CHANGE]


class Elements(HTMLParser):
    """The names of a page's elements, and its text."""

    def __init__(self, text):
        super().__init__()
        self.names, self.text, self.attributes = set(), "", set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


ALLOWED = set(
    "html head meta title style body header main footer section h1 h2 p dl div dt dd small svg g rect line text "
    "figure figcaption span table thead tbody tr th td code mark".split()
)


def written(directory, calls):
    path = directory / "r.html"
    path.write_bytes(page(report_of(calls), "Made by asimi.").encode())
    return path


def test_a_page_is_made_of_known_elements_whatever_the_log_says(tmp_path):
    text = written(tmp_path, CALLS).read_text()
    elements = Elements(text)
    assert elements.names <= ALLOWED
    assert not {name for name in elements.attributes if name.startswith("on") or name in ("style", "href", "src")}
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", text)
    assert "<ESC>[2J" in elements.text
    assert "<U+202E RLO>txt.sh<U+200B ZWSP>" in elements.text
    assert text.count("default-src 'none'") == 1


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: apt-get install chromium")
def test_a_browser_obeys_nothing_of_the_log_and_lacks_nothing_of_the_page(tmp_path):
    path = written(tmp_path, CALLS)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    flags += ["--disable-dev-shm-usage", "--no-first-run", "--enable-logging=stderr", "--timeout=10000"]
    done = subprocess.run(
        [BROWSER, *flags, "--dump-dom", path.as_uri()],
        capture_output=True, timeout=2 * PATIENCE, check=True, env=os.environ | {"HOME": str(tmp_path)},
    )  # fmt: skip
    seen = Elements(done.stdout.decode())
    assert seen.names <= ALLOWED
    assert "<title>asimi: 31 calls" in done.stdout.decode()
    said = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    assert said == []  # what the content policy refuses would be said here
    assert "<ESC>[2J" in seen.text


def test_the_charts_hold_what_the_report_counts(tmp_path):
    calls = [call(number, agent="cli", command="npm test", root="/srv", reasons=[]) for number in range(4)]
    text = written(tmp_path, calls).read_text()
    assert text.count('<rect class="yes" x=') > 4
    assert "<title>03-01: 1 ran after a yes</title>" in text
    assert written(tmp_path, []).read_text().count("<svg") == 0
