"""The official exporter of OTLP over HTTP; the only module that loads OpenTelemetry.

It is asked for nothing but to send: where to, with which headers and whom to trust is told to it, never read from the
environment, and what could not be sent is kept in the log itself, not here.
"""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING, Any

import requests
from google.protobuf.message import DecodeError
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from urllib3.exceptions import HTTPError

from asimi.extras.telemetry.receiver import headers_in, words_of
from asimi.extras.telemetry.sender import Sent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.settings import Telemetry
    from asimi.extras.telemetry.events import Event

PATIENCE = 5.0
"""Seconds that one request may take, with what is tried again meanwhile."""

_UNFIT = {400, 413, 422}  # statuses that say: never send this again
_LONGEST = 64 << 10  # bytes of an answer that are read


class Exporter:
    """Sends events.

    Args:
        telemetry: where to.
        version: asimi's.

    Raises:
        AsimiError: the headers cannot be read.
    """

    def __init__(self, telemetry: Telemetry, version: str) -> None:
        self._session = _Session()
        self._exporter = OTLPLogExporter(
            telemetry.endpoint,
            certificate_file=telemetry.authority or _system(),
            headers=headers_in(telemetry.headers),
            timeout=PATIENCE,
            session=self._session,
        )
        self._resource = Resource.create(
            {"service.name": "asimi", "service.version": version, "host.name": socket.gethostname()}
        )
        self._scope = InstrumentationScope("asimi", version)

    def send(self, events: Sequence[Event]) -> Sent:
        """Send events in one request; what became of them."""
        self._session.heard = Sent(why="they cannot be encoded", unfit=True)
        self._exporter.export([self._record(event) for event in events])
        return self._session.heard

    def _record(self, event: Event) -> ReadableLogRecord:
        record = LogRecord(
            timestamp=event.time,
            observed_timestamp=event.time,
            severity_number=SeverityNumber.INFO,
            severity_text="INFO",
            body=event.name,
            attributes=event.attributes,
            event_name=event.name,
        )
        return ReadableLogRecord(record, self._resource, self._scope)


class _Session(requests.Session):
    """What carries requests for the exporter, which says no more than whether one was taken.

    Attributes:
        heard: what became of the last request.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False  # no proxy and no password of the environment's or of ~/.netrc
        self.heard = Sent()

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        """Send a request, and read no more of the answer than a receiver has to say.

        Raises:
            OSError: there is no answer; none of those errors after which the exporter would try again and again, which
                the sender does, and can be told to end meanwhile.
        """
        try:
            response, content = self._answered(request, options)
        except (requests.RequestException, HTTPError, OSError) as error:
            self.heard = Sent(
                why="it does not answer in time" if isinstance(error, requests.Timeout) else words_of(error)
            )
            raise OSError(self.heard.why) from None
        status = response.status_code
        if 200 <= status < 300:
            self.heard = Sent(taken=True, rejected=_rejected(content))
        else:
            self.heard = Sent(why=f"it answers {status} {response.reason}", unfit=status in _UNFIT)
        return response

    def _answered(self, request: requests.PreparedRequest, options: dict[str, Any]) -> tuple[requests.Response, bytes]:
        """The answer, and the beginning of what it holds."""
        options["stream"] = True
        try:
            response = super().send(request, **options)
        except requests.Timeout:
            raise
        except requests.ConnectionError:  # the receiver may have closed a connection that was kept
            response = super().send(request, **options)
        content = response.raw.read(_LONGEST, decode_content=True)
        if len(content) == _LONGEST:
            response.close()
        return response, content


def _system() -> str | None:
    """The certificates that this system trusts; None where Python knows none, and the library brings its own."""
    paths = ssl.get_default_verify_paths()
    return paths.cafile or paths.capath


def _rejected(content: bytes) -> int:
    """How many records a receiver that took the others did not take (OTLP, "Partial Success")."""
    try:
        return int(ExportLogsServiceResponse.FromString(content).partial_success.rejected_log_records)
    except DecodeError:
        return 0
