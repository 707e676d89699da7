"""The client of the resident gate: hands a hook's call to it, and prints what comes back.

It runs before each command of an agent, so it imports only what is in every Python. What the gate wants and answers
stands in `asimi.doors.hooks.resident`.
"""

import _socket
import posix
import sys
import time

GREETED = 0.1
"""Seconds within which a gate greets; one that is slower is not waited for."""

MARGIN = 5
"""Seconds before an agent's patience ends at which a call is a no."""

UNHEARD = -1
"""In place of an exit code: nobody hears where the gate would."""

BLOCKED = 2
"""The exit code that agents take for a no, where there is text on standard error."""

SILENT = b"asimi blocks this command, because its resident gate gave no whole answer; make the same call again\n"

O_PATH = 0o10000000
"""A directory that need not be readable, <asm-generic/fcntl.h>; `posix` has it only on Linux."""


def key_of(bases: "list[str]", asimi: str) -> str:
    """Return what a gate is for: directories as a hook's line writes them, asimi's files and Python."""
    return "\0".join((asimi, sys.executable, str(sys.hexversion), *bases))


def path_of(bases: "list[str]", key: str) -> str:
    """Return where the gate hears that is for something; empty where there is no directory for it."""
    _, _, state, runtime, _ = bases
    for directory in (runtime + "/asimi/gates", state + "/asimi/run/gates"):
        try:
            there = posix.stat(directory)
        except OSError:
            continue
        number = int.from_bytes(key.encode("utf-8", "surrogateescape"), "big") % (2**61 - 1)
        if there.st_uid == posix.geteuid() and not there.st_mode & 0o077:
            return f"{directory}/gate-{number:x}"
    return ""


def handed_over(bases: "list[str]", asimi: str, words: "list[str]", seconds: int) -> "int | None":
    """Hand a call to the resident gate and print its answer.

    Args:
        bases: the directories that the hook keeps to, as its line writes them.
        asimi: the directory that holds asimi's package.
        words: the agent's name, and the exit code and the seconds of the hook's line.
        seconds: how long the agent waits.

    Returns:
        The exit code; None where this process must judge, `UNHEARD` where it may also leave a gate behind.
    """
    began = time.monotonic()
    key = key_of(bases, asimi)
    path = path_of(bases, key)
    try:
        for stream in (0, 1, 2):
            posix.fstat(stream)
        if sys.getfilesystemencoding() != "utf-8" or b"" in posix.environ:  # a name that no process can set
            return None
        if not path:
            return UNHEARD
        gate = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        gate.settimeout(GREETED)
    except OSError:
        return None
    try:
        directory, _, name = path.rpartition("/")
        above = posix.open(directory, O_PATH | posix.O_NOFOLLOW | posix.O_CLOEXEC)
        gate.connect(f"/proc/self/fd/{above}/{name}")  # an address has room for about a hundred bytes
    except (FileNotFoundError, ConnectionRefusedError):
        return UNHEARD
    except OSError:
        return None
    try:
        peer = gate.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        if (
            int.from_bytes(peer[4:8], sys.byteorder) != posix.geteuid()
            or gate.recv(1 << 16) != b"%d\n" % posix.getpid()
        ):
            return None
        here = posix.open(".", O_PATH | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        pieces = []
        while piece := posix.read(0, 1 << 16):
            pieces.append(piece)
        environ = b"\0".join(b"%s=%s" % pair for pair in posix.environ.items())
        told = "\0".join((*words, *bases, str(sys.flags.utf8_mode))).encode("utf-8", "surrogateescape")
        parts = (told, environ, b"".join(pieces))
        gate.settimeout(max(began + seconds - MARGIN - time.monotonic(), 0.001))
        passed = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, here.to_bytes(4, sys.byteorder))
        gate.sendmsg([b"%d %d %d\n" % tuple(map(len, parts))], [passed])
        gate.sendall(b"".join(parts))
        answer = b""
        while piece := gate.recv(1 << 16):
            answer += piece
            gate.settimeout(max(began + seconds - MARGIN - time.monotonic(), 0.001))
        first, _, rest = answer.partition(b"\n")
        code, out, err = map(int, first.split(b" "))
        whole = first == b"%d %d %d" % (code, out, err) and len(rest) == out + err
    except (OSError, ValueError):
        whole = False
    if not whole:
        _write_all(2, SILENT)
        return BLOCKED
    try:
        _write_all(2, rest[out:])
        _write_all(1, rest[:out])
    except OSError:
        return BLOCKED  # the agent may take what it did not hear for an allow
    return code


def _write_all(descriptor: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[posix.write(descriptor, data) :]
