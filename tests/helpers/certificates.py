"""A certificate authority of one's own, and certificates for this machine, made with openssl."""

from __future__ import annotations

import subprocess
from typing import NamedTuple

USAGE = ("-addext", "keyUsage=digitalSignature,keyCertSign,cRLSign")  # Python 3.13 takes no authority without it
EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class Certificate(NamedTuple):
    """The files of a certificate and its key."""

    certificate: str
    key: str


class Authority:
    """Signs certificates.

    Args:
        directory: where the files are made.
        name: the authority's.
        names: those of a server whose certificate it is itself, as `IP:127.0.0.1`.
    """

    def __init__(self, directory, name, *names):
        directory.mkdir(exist_ok=True)
        self._directory, self._name = directory, name
        self.file = str(directory / f"{name}.pem")
        self.key = str(directory / f"{name}-key.pem")
        own = ("-addext", f"subjectAltName={','.join(names)}") if names else ()
        made = ("-keyout", self.key, "-out", self.file)
        _openssl("req", "-x509", *EC, "-days", "2", "-subj", f"/CN={name}", *USAGE, *own, *made)

    def certificate(self, name, *names):
        """A certificate for some names of a server."""
        files = Certificate(*(str(self._directory / f"{self._name}-{name}{end}.pem") for end in ("", "-key")))
        alternatives = ("-addext", f"subjectAltName={','.join(names)}")
        signer = ("-CA", self.file, "-CAkey", self.key, "-days", "2")
        made = ("-keyout", files.key, "-out", files.certificate)
        _openssl("req", "-x509", *EC, "-subj", f"/CN={name}", *USAGE, *alternatives, *signer, *made)
        return files


def _openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)
