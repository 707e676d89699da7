"""Over a network telemetry goes encrypted, and only to a receiver whose certificate is trusted."""

from __future__ import annotations

import pytest
from helpers.certificates import Authority
from helpers.home import Home
from helpers.telemetry import Receiver

ALLOW = 'coreTools = ["run_shell_command(echo)"]\n'


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "authority", "the-team")


@pytest.fixture
def secure(authority):
    started = Receiver(authority.certificate("receiver", "IP:127.0.0.1"))
    yield started
    started.stop()


def doctor(home):
    return home.doctor("--verbose").stdout


def test_a_receiver_that_is_trusted_gets_events(tmp_path, secure, authority):
    home = Home(tmp_path, f'{ALLOW}{secure.table}authority = "{authority.file}"\n')
    home.answers({"command": "echo hi"})
    assert len(secure.received) == 2
    assert f"{secure.url} takes events" in doctor(home)


def test_one_that_is_not_gets_nothing(tmp_path, secure):
    headers = tmp_path / "headers"
    headers.write_text("Authorization: Bearer abc\n")
    headers.chmod(0o600)
    home = Home(tmp_path, f'{ALLOW}{secure.table}headers = "{headers}"\n')
    done = home.asimi("serve", stdin='{"command": "echo hi"}\n')
    assert f"{secure.url} takes no events: its certificate is not trusted: unable to get" in done.stderr
    assert "takes no events: its certificate is not trusted: unable to get" in doctor(home)
    assert secure.requests == []


def test_a_certificate_for_another_name_is_none(tmp_path, authority):
    elsewhere = Receiver(authority.certificate("elsewhere", "DNS:otel.example.org"))
    home = Home(tmp_path, f'{ALLOW}{elsewhere.table}authority = "{authority.file}"\n')
    try:
        done = home.asimi("serve", stdin='{"command": "echo hi"}\n')
    finally:
        elsewhere.stop()
    assert "certificate is not valid for '127.0.0.1'" in done.stderr
    assert elsewhere.requests == []


@pytest.mark.parametrize("content", [None, "none"])
def test_a_file_without_certificates_trusts_nobody(tmp_path, secure, content):
    file = tmp_path / "authority.pem"
    if content is not None:
        file.write_text(content)
    home = Home(tmp_path, f'{ALLOW}{secure.table}authority = "{file}"\n')
    done = home.asimi("serve", stdin='{"command": "echo hi"}\n')
    assert (done.returncode, f"{file}: is no file of certificates" in done.stderr) == (125, True)
    assert f"{file}: is no file of certificates" in doctor(home)
    assert secure.requests == []
