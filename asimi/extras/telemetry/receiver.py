"""The receiver: which headers it wants, and whether it answers."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from http.client import HTTPConnection
    from ssl import SSLContext

    from asimi.core.settings import Telemetry

PACKAGES = ("opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http")
"""What `asimi[otel]` installs."""

MEDIA_TYPE = "application/x-protobuf"
"""What a request holds (the specification of OTLP, OTLP/HTTP, binary Protobuf)."""

_LONGEST = 64 << 10  # bytes of the file with headers


def installed() -> list[str]:
    """The directories that these packages are in.

    Raises:
        AsimiError: one is missing; with what to install.
    """
    found = {}
    for name in PACKAGES:
        try:
            found[str(metadata.distribution(name).locate_file(""))] = name
        except metadata.PackageNotFoundError:
            what = f"[telemetry] needs {name}, and asimi was installed without the package that has it"
            raise AsimiError(f"{what}: {sys.executable} -m pip install 'asimi[otel]'") from None
    return list(found)


def headers_in(path: str) -> dict[str, str]:
    """The headers that a file says, one `NAME: VALUE` a line; none where the path is empty.

    Raises:
        AsimiError: it cannot be read, others may read it, or a line is no header.
    """
    if not path:
        return {}
    try:
        with open(path, encoding="ascii") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise AsimiError(f"{path}: is open to other users, and may hold a secret; chmod 600 {path}")
            lines = file.read(_LONGEST).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AsimiError(f"{path}: {getattr(error, 'strerror', None) or 'is not plain ASCII'}") from None
    headers = {}
    for number, line in enumerate(lines, 1):
        name, colon, value = line.partition(":")
        if not line.strip():
            continue
        if not colon or not name.replace("-", "a").isalnum() or not value.strip().isprintable():
            raise AsimiError(f"{path}:{number}: is no header; write NAME: VALUE")
        headers[name] = value.strip()
    return headers


PATIENCE = 5.0
"""Seconds that a receiver may take to answer an empty request."""


def refusal(telemetry: Telemetry) -> str:
    """Why a receiver does not take an empty request, in words; empty where it does.

    Args:
        telemetry: where it is.

    Raises:
        AsimiError: what it needs cannot be read.
    """
    from http.client import HTTPException

    headers = {**headers_in(telemetry.headers), "Content-Type": MEDIA_TYPE}
    connection = _connection(telemetry)
    try:
        connection.request("POST", urlsplit(telemetry.endpoint).path, b"", headers)
        response = connection.getresponse()
    except (OSError, HTTPException) as error:
        return words_of(error)
    finally:
        connection.close()
    return "" if 200 <= response.status < 300 else f"it answers {response.status} {response.reason}"


def _connection(telemetry: Telemetry) -> HTTPConnection:
    import http.client

    parts = urlsplit(telemetry.endpoint)
    host, context = parts.hostname or "", trust_in(telemetry)
    if context is None:
        return http.client.HTTPConnection(host, parts.port, timeout=PATIENCE)
    return http.client.HTTPSConnection(host, parts.port, timeout=PATIENCE, context=context)


def trust_in(telemetry: Telemetry) -> SSLContext | None:
    """Whom to trust on the way to a receiver; None where that is no network.

    Raises:
        AsimiError: there is no file of certificates where one should be.
    """
    if telemetry.endpoint.startswith("http:"):
        return None
    import ssl

    try:
        return ssl.create_default_context(cafile=telemetry.authority or None)
    except OSError as error:
        raise AsimiError(f"{telemetry.authority}: is no file of certificates: {error.strerror or error}") from None


def words_of(error: BaseException) -> str:
    """What is wrong with the way to a receiver, from an error of whatever library."""
    while error.__context__ is not None:  # they wrap each other's
        error = error.__context__
    if untrusted := getattr(error, "verify_message", ""):
        return f"its certificate is not trusted: {untrusted.strip('.')}; telemetry.authority names what vouches for it"
    return str(getattr(error, "strerror", "") or error or type(error).__name__)
