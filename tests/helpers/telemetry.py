"""A receiver of OpenTelemetry's log records: a real server of HTTP."""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse

from helpers.questions import until


class Received(NamedTuple):
    """One record."""

    name: str
    attributes: dict[str, Any]
    resource: dict[str, Any]
    time: int

    @property
    def line(self):
        """The number of the log's line that it is of."""
        return self.attributes["asimi.n"]


class Receiver:
    """Takes records, unless told otherwise.

    Args:
        certificate: the files of a certificate and its key, for TLS.

    Attributes:
        status: what it answers.
        unfit: a text; a request that holds it is answered with 400.
        rejected: how many records of a request it says it does not take.
        requests: the headers and the body of each request.
        received: what it took.
    """

    def __init__(self, certificate=None):
        self.status, self.unfit, self.rejected = 200, None, 0
        self.requests, self.received, self._certificate, self._server = [], [], certificate, None
        self.port = 0
        self.start()

    def start(self):
        """Listen, at the same port as before."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, answer = receiver.heard(dict(self.headers), body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.send_header("Location", f"http://127.0.0.1:{receiver.port}/elsewhere")
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_port
        if self._certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*map(str, self._certificate))
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self):
        """Listen no more."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def heard(self, headers, body):
        """Take a request, or not; the status and the body of the answer."""
        self.requests.append((headers, body))
        if self.status != 200:
            return self.status, b""
        if self.unfit is not None and self.unfit.encode() in body:
            return 400, b""
        for group in ExportLogsServiceRequest.FromString(body).resource_logs:
            resource = _attributes(group.resource.attributes)
            for scope in group.scope_logs:
                self.received += [
                    Received(each.event_name, _attributes(each.attributes), resource, each.time_unix_nano)
                    for each in scope.log_records
                ]
        answer = ExportLogsServiceResponse()
        answer.partial_success.rejected_log_records = self.rejected
        return 200, answer.SerializeToString()

    def has(self, count):
        """Return once it has taken as many records."""
        until(lambda: len(self.received) >= count)
        return self.received

    @property
    def url(self):
        scheme = "http" if self._certificate is None else "https"
        return f"{scheme}://127.0.0.1:{self.port}/v1/logs"

    @property
    def table(self):
        """The configuration that names it."""
        return f'[telemetry]\nendpoint = "{self.url}"\n'


def _attributes(pairs):
    return {each.key: _value(each.value) for each in pairs}


def _value(value):
    kind = value.WhichOneof("value")
    return tuple(map(_value, value.array_value.values)) if kind == "array_value" else getattr(value, kind)
