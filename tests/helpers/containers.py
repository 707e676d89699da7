"""A daemon that answers as docker's does about some containers; nothing runs in it."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager, suppress
from urllib.parse import unquote


def described(letter, *mounts, **host):
    """What the daemon says of a container."""
    return {
        "Id": letter * 64,
        "HostConfig": {"NetworkMode": "bridge", "PidMode": "", "Privileged": False} | host,
        "Mounts": [{"Type": "bind", "Source": str(each)} for each in mounts],
    }


@contextmanager
def daemon(path, containers):
    """A daemon at a socket, which knows containers by name; a service is one by its name before ` in DIRECTORY`."""

    def answered(target):
        if target.startswith("/containers/json?"):
            (label,) = json.loads(unquote(target.partition("=")[2]))["label"]
            service = f"{label.partition('=')[2]} in "
            where = "com.docker.compose.project.working_dir"
            found = {name.removeprefix(service): each for name, each in containers.items() if name.startswith(service)}
            return [each | {"Labels": {where: directory}} for directory, each in found.items()]
        return containers.get(unquote(target.split("/")[2]))

    def serve():
        with suppress(OSError):
            while True:
                there, _ = listening.accept()
                with there:
                    found = answered(there.recv(1 << 16).split()[1].decode())
                    head = "404 Not Found" if found is None else "200 OK"
                    there.sendall(f"HTTP/1.0 {head}\r\n\r\n{json.dumps(found)}".encode())

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield containers
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
