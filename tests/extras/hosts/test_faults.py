"""What may be at the end of the words of `reach`, and what asimi says of it; none of it is taken for a host."""

import json
import os
import sys
import time

import pytest
from helpers.hosts import Hosted, host_at

from asimi.core.errors import HostError
from asimi.core.settings import Host
from asimi.extras.hosts.frames import (
    GREETING,
    LONGEST,
    PROTOCOL,
    Answers,
    Ended,
    Facts,
    Output,
    Ping,
    greeting,
    packed,
)
from asimi.extras.hosts.link import Link

SHOWN = [
    # what is there, in sh; what is said of it
    ("exit 3", "no asimi answers: .* ended with 3$"),
    ("echo 'sh: 1: asimi: not found' >&2; exit 127", "ended with 127; install asimi there"),
    ("exit 127", "ended with 127; install asimi there"),
    ("echo '/usr/bin/python3: No module named asimi' >&2; exit 1", "install asimi there"),
    ("echo 'Host key verification failed.' >&2; exit 255", "its host key is not the known one"),
    ("echo 'u@h: Permission denied (publickey).' >&2; exit 255", "ssh gets no terminal"),
    ("echo 'ssh: connect to host h port 22: Connection refused' >&2; exit 255", "cannot be reached: try the words"),
    ("echo 'ImportError: cannot import name Self (needs Python 3.11)' >&2; exit 1", "needs Python 3.11 or newer there"),
    ("echo \"asimi: asimi has no command 'executor'\" >&2; exit 2", "older than hosts: update it"),
    ("echo 'Welcome to gpu1'; exit 0", "ended with 0\n  Welcome to gpu1"),
    ("printf 'bad \\033]0;x\\007'; exit 1", r"bad \\x1b\]0;x\\x07"),
    ("yes", "said .* characters of something else"),
    (
        "printf '\\0asimi executor 999 9.9.9\\n'; cat >/dev/null",
        "speaks protocol 999, this one .*; update asimi here",
    ),
    ("printf '\\0asimi executor 0 0.0.1\\n'; cat >/dev/null", "speaks protocol 0, .* update asimi there"),
    ("printf '\\0asimi executor 5 1\\nabcdefgh'; cat >/dev/null", "it sent a frame of an unknown kind"),
]


@pytest.mark.parametrize(("there", "said"), SHOWN, ids=[each[0] for each in SHOWN])
def test_what_is_no_host_is_said_so(there, said):
    with pytest.raises(HostError, match=f"(?s)^host gpu1: .*{said}"):
        Link(Host("gpu1", ("sh", "-c", there)))


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(HostError, match="cannot be reached: /no/such: No such file or directory; fix `reach`"):
        Link(Host("gpu1", ("/no/such",)))


def test_an_old_python_there_is_told(tmp_path):
    host = host_at(tmp_path / "home", tmp_path / "root")
    old = "import runpy, sys; sys.version_info = (3, 10); runpy.run_module('asimi', run_name='__main__')"
    with pytest.raises(HostError, match=r"ended with 125; asimi needs Python 3\.11 or newer there: name one"):
        Link(host._replace(program=(sys.executable, "-c", old)))


@pytest.mark.parametrize("there", ["sleep 60", "printf '\\0asimi executor 5 1\\n'; sleep 60"])
def test_silence_is_told_with_its_seconds(there):
    at = time.monotonic()
    with pytest.raises(HostError, match=r"host gpu1: did not answer within 0\.5 seconds"):
        Link(Host("gpu1", ("sh", "-c", there), patience=0.5))
    assert time.monotonic() - at < 30


def test_nothing_is_sent_to_what_has_not_greeted(tmp_path):
    with pytest.raises(HostError):
        Link(Host("gpu1", ("sh", "-c", f"cat > {tmp_path}/got"), patience=0.5))
    assert (tmp_path / "got").read_bytes() == b""


def test_what_a_login_shell_says_first_is_skipped(tmp_path):
    host = host_at(tmp_path / "home", tmp_path / "root")
    noisy = ("sh", "-c", 'echo "Last login: today"; printf "\\0\\377{}"; exec "$@"', "sh", *host.reach)
    it = Hosted(tmp_path / "home", tmp_path / "root", host._replace(reach=noisy))
    assert it("echo hi").stdout.text == "hi\n"
    it.end()


def test_what_prints_there_beside_the_protocol_does_not_reach_it(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text("import atexit\nprint('early')\natexit.register(print, 'late')\n")
    host = host_at(tmp_path / "home", tmp_path / "root")
    path = next(each for each in host.reach if each.startswith("PYTHONPATH="))
    words = tuple(f"PYTHONPATH={tmp_path}/site:{path[11:]}" if each == path else each for each in host.reach)
    it = Hosted(tmp_path / "home", tmp_path / "root", host._replace(reach=words))
    assert it("echo hi").stdout.text == "hi\n"
    it.end()


def facts(**more):
    home = "/home/u"
    places = {"config": home, "state": home, "runtime": home, "home": home, "cache": home, "managed": "/etc/x"}
    shell = {"kind": "bash", "path": "/bin/bash", "version": "5"}
    said = {
        "version": "1", "protocol": PROTOCOL, "capabilities": [], "user": "u", "name": "n", "home": home, "root": "/r",
        "environ": {}, "shell": shell, "places": places, "managed": [],
    }  # fmt: skip
    return said | more


def frame(kind, value):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return len(body).to_bytes(4) + kind.encode() + body + b"\n"


LIES = [
    (frame("F", facts(root=3)), "root is not a string"),
    (frame("F", facts(more=1)), "has a field 'more'"),
    (frame("F", {"version": "1"}), "has no field"),
    (frame("F", facts(managed=[{"verdict": 7}])), "managed"),
    (frame("F", b"[]"), "is not an object"),
    (frame("F", b'{"a": 1, "a": 2}'), "twice"),
    (frame("F", b"\xff"), "cannot be read"),
    ((LONGEST + 1).to_bytes(4) + b"F", "it sent a frame of 16,777,217 bytes"),
    (bytes((0, 0, 0, 2)) + b"p{}p", "it sent a frame that does not end where it says (ping)"),
    (frame("s", {}), "unknown kind"),
    (frame("F", facts()) * 2, "told its facts twice"),
    (frame("F", facts()) + packed(Answers(1, (), ())), "answered question 1, which was not asked"),
    (frame("F", facts()) + packed(Output(1, "stdout", b"x")), "spoke of call 1, which does not run"),
    (frame("F", facts()) + packed(Ended(1, None)), "spoke of call 1, which does not run"),
    (frame("F", facts()) + frame("O", b"\0\0\0\1\7x"), "output of no stream"),
]


@pytest.mark.parametrize(("lie", "said"), LIES, ids=[each[1] for each in LIES])
def test_a_far_end_that_breaks_the_protocol_is_left(tmp_path, lie, said):
    (tmp_path / "lie").write_bytes(greeting("1") + lie)
    host = Host("gpu1", ("sh", "-c", f"cat {tmp_path}/lie; exec cat >/dev/null"))
    with pytest.raises(HostError) as raised:
        asked(host)
    assert said in str(raised.value)


def asked(host):
    """Believe its facts, and ask it something."""
    return [Link(host).ask("kind", "/") for _ in range(2)]


ANSWERS = [
    (lambda n: packed(Answers(n, (3,), (None,))), "answered nonsense: kind"),
    (lambda n: packed(Answers(n, ("file", "file"), (None, None))), "answered other questions"),
    (lambda n: packed(Answers(n + 1, ("file",), (None,))), "which was not asked"),
]


@pytest.mark.parametrize(("answer", "said"), ANSWERS, ids=[each[1] for each in ANSWERS])
def test_an_answer_that_is_none_is_an_error(tmp_path, answer, said):
    (tmp_path / "facts").write_bytes(greeting("1") + frame("F", facts()))
    (tmp_path / "answer").write_bytes(answer(1))
    script = f"cat {tmp_path}/facts; head -c 200 >/dev/null; cat {tmp_path}/answer; exec cat >/dev/null"
    link = Link(Host("gpu1", ("sh", "-c", script)))
    with pytest.raises(HostError) as raised:
        link.ask("kind", "/" * 200)
    assert said in str(raised.value)


def test_a_far_end_that_answers_in_pieces_is_understood(tmp_path):
    data = greeting("1") + frame("F", facts()) + packed(Ping())
    writer = f"import os\nfor each in {data!r}: os.write(1, bytes((each,)))\nwhile os.read(0, 99): pass"
    link = Link(Host("gpu1", (sys.executable, "-c", writer)))
    assert link.facts == Facts(**facts())._replace(
        capabilities=(), managed=(), shell=link.facts.shell, places=link.facts.places
    )
    assert link.facts.places.managed == "/etc/x"
    link.close()


def test_the_executor_serves_nobody_below_a_call(there):
    said = there(f"{sys.executable} -m asimi executor </dev/null | cat").stderr.text
    assert "asimi executor cannot be started by a command that asimi runs" in said
    said = there(f"env -u ASIMI_CLI {sys.executable} -m asimi executor </dev/null | cat").stderr.text
    assert "asimi executor cannot be started by a command that asimi runs" in said


def test_a_greeting_is_nothing_that_a_shell_would_say():
    assert GREETING[0] == 0
    assert os.linesep.encode() in greeting("1")
