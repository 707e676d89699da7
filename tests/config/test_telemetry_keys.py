"""`[telemetry]` is a person's or the administrator's to say, and goes over no network without TLS."""

from __future__ import annotations

import pytest

from asimi.core.errors import ConfigError
from asimi.core.settings import Telemetry

URL = "https://otel.example.org/v1/logs"


@pytest.mark.parametrize(
    "url",
    [
        URL,
        "https://otel.example.org:4318/v1/logs",
        "http://localhost:4318/v1/logs",
        "http://127.0.0.1:4318/otlp/v1/logs",
        "http://[::1]:4318/v1/logs",
        "",
    ],
)
def test_where_it_goes(user, url):
    user.write(f'[telemetry]\nendpoint = "{url}"\nheaders = "/h"\nauthority = "/ca.pem"\n')
    assert user.settings().telemetry == Telemetry(url, "/h", "/ca.pem")


def test_without_it_it_goes_nowhere(user):
    assert user.settings().telemetry == Telemetry()


def test_the_administrators_word_is_stronger(user, only_root):
    user.managed(f'[telemetry]\nendpoint = "{URL}"\n')
    user.write('[telemetry]\nendpoint = "http://localhost:4318/v1/logs"\n')
    assert user.settings().telemetry.endpoint == URL


@pytest.mark.parametrize(("name", "value"), [("endpoint", URL), ("headers", "/h"), ("authority", "/ca.pem")])
def test_a_projects_file_says_it_in_vain(user, name, value):
    user.project(f'[telemetry]\n{name} = "{value}"\n')
    configuration = user.configuration()
    assert configuration.settings().telemetry == Telemetry()
    assert f"telemetry.{name} is never read from a project's file" in str(configuration.notices())


# what is written, and what is wrong with it
AMISS = [
    ('endpoint = "http://otel.example.org/v1/logs"', "without TLS"),
    ('endpoint = "http://127.0.0.1.example.org/v1/logs"', "without TLS"),
    ('endpoint = "http://localhost@otel.example.org/v1/logs"', "must be https://HOST/PATH"),
    ('endpoint = "https://user:word@otel.example.org/v1/logs"', "must be https://HOST/PATH"),
    ('endpoint = "https://otel.example.org"', "must be https://HOST/PATH"),
    ('endpoint = "https://otel.example.org/"', "must be https://HOST/PATH"),
    ('endpoint = "https://otel.example.org/v1/logs?key=word"', "must be https://HOST/PATH"),
    ('endpoint = "https://otel.example.org:99999/v1/logs"', "must be https://HOST/PATH"),
    ('endpoint = "https:///v1/logs"', "must be https://HOST/PATH"),
    ('endpoint = "grpc://localhost:4317/v1/logs"', "must be https://HOST/PATH"),
    ('endpoint = "localhost:4318"', "must be https://HOST/PATH"),
    ('endpoint = "https://otel.example.org/v1/ logs"', "must be https://HOST/PATH"),
    ("endpoint = 4318", "must be https://HOST/PATH"),
    ('headers = "headers"', "absolute path"),
    ('headers = { Authorization = "x" }', "absolute path"),
    ("authority = 1", "absolute path"),
]


@pytest.mark.parametrize(("line", "why"), AMISS)
def test_what_cannot_be_used_is_an_error_with_its_line(user, line, why):
    user.write(f"[telemetry]\n{line}\n")
    with pytest.raises(ConfigError, match=why) as fault:
        user.settings()
    assert "config.toml:2:" in str(fault.value)
