"""The registries of npm, Python and Go on this machine's loopback, with the packages `small` and `another`.

Each has a program of its name that says so, and `small` needs `smaller`. What is served is always the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NEEDS = {"small": ["smaller"], "smaller": [], "another": []}
LONG_AGO = "2020-01-01T00:00:00.000Z"


def zipped(files):
    """A zip archive, as wheels and modules of Go are."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return made.getvalue()


def tarball(files):
    """An archive of npm's."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size, entry.mode = len(text), 0o755
            archive.addfile(entry, io.BytesIO(text.encode()))
    return gzip.compress(made.getvalue(), mtime=0)


def of_npm(at, name):
    """What npm's registry has of a package; https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md."""
    described = {
        "name": name,
        "version": "1.0.0",
        "license": "MIT",
        "bin": {name: "main.js"},
        "dependencies": dict.fromkeys(NEEDS[name], "^1.0.0"),
    }
    script = f"#!/usr/bin/env node\nconsole.log('{name} ran')\n"
    packed = tarball({"package.json": json.dumps(described), "main.js": script})
    dist = {
        "tarball": f"{at}/{name}/-/{name}-1.0.0.tgz",
        "shasum": hashlib.sha1(packed).hexdigest(),
        "integrity": f"sha512-{base64.b64encode(hashlib.sha512(packed).digest()).decode()}",
    }
    time = dict.fromkeys(("created", "modified", "1.0.0"), LONG_AGO)
    versions = {"1.0.0": described | {"dist": dist}}
    known = {"name": name, "dist-tags": {"latest": "1.0.0"}, "time": time, "versions": versions}
    return {f"/{name}": json.dumps(known).encode(), f"/{name}/-/{name}-1.0.0.tgz": packed}


def of_python(name):
    """What the simple index has of a package; https://packaging.python.org/en/latest/specifications/simple-repository-api/."""
    file, info = f"{name}-1.0.0-py3-none-any.whl", f"{name}-1.0.0.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in NEEDS[name])
    files = {
        f"{name}.py": f"def main():\n    print('{name} ran')\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: asimi\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{name} = {name}:main\n",
    }
    wheel = zipped(files | {f"{info}/RECORD": "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])})
    link = f'<a href="/wheels/{file}#sha256={hashlib.sha256(wheel).hexdigest()}">{file}</a>'
    return {f"/simple/{name}/": f"<!DOCTYPE html><html><body>{link}</body></html>".encode(), f"/wheels/{file}": wheel}


def of_go(name):
    """What a module proxy has of a module; https://go.dev/ref/mod#goproxy-protocol."""
    module, at = f"example.org/{name}", f"/go/example.org/{name}/@v"
    go_mod, info = f"module {module}\n", json.dumps({"Version": "v1.0.0", "Time": "2020-01-01T00:00:00Z"})
    source = f'package {name}\n\nfunc Said() string {{ return "{name} ran" }}\n'
    files = {f"{module}@v1.0.0/go.mod": go_mod, f"{module}@v1.0.0/{name}.go": source}
    texts = {f"{at}/list": "v1.0.0\n", f"{at}/v1.0.0.mod": go_mod, f"{at}/v1.0.0.info": info}
    return {path: text.encode() for path, text in texts.items()} | {f"{at}/v1.0.0.zip": zipped(files)}


@contextmanager
def registry():
    """The port that all of it is served at."""
    served = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = served.get(self.path)
            self.send_response(404 if body is None else 200)
            if self.path.startswith("/simple/"):
                self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            with suppress(ConnectionError):  # uv takes what it needs of a wheel
                self.wfile.write(body or b"")

        do_HEAD = do_GET  # noqa: N815 - http.server calls it so

        def log_message(self, *_):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        for name in NEEDS:
            served |= of_npm(f"http://localhost:{server.server_port}", name) | of_python(name) | of_go(name)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()
