"""The client inside a box: hands its words, its directory and a hook's input to the gate, and prints what comes back.

asimi copies this file to the box's own directory, where agents' hooks name it, so it stands alone. It runs before each
command of an agent, so it imports only what is in every Python, and `_socket`.

A request holds the client's name, its directory, the number of its words and each of these, with a NUL behind each, and
then its input to the end. An answer holds one line with the exit code and the length of the standard output, then the
standard output, then the standard error. Where no whole answer comes, the exit code says no.
"""

import _socket
import posix
import sys

GATE = "/run/asimi/gate"
"""Where the gate hears."""

PATIENCE = 140
"""Seconds that the gate may take: less than agents wait for their hooks."""

REFUSED, FAILED = 2, 125
"""Exit codes where the gate says nothing: of a hook, whose code agents take for a no, and of anything else."""


SILENT = b"asimi: the gate of this box does not answer, so this is refused\n"

UNREAD = 141
"""The exit code where nobody reads what it prints: that of SIGPIPE, by which other programs end then."""


def talk(name: str, words: "list[str]", gate: str = GATE) -> int:
    """Hand a command line to the gate and print its answer; the exit code.

    That of `asimi hook AGENT --answered CODE`, as plug-ins start it, is CODE where the gate gave an answer.
    """
    answered = 0
    if len(words) == 4 and words[0] == "hook" and words[2] == "--answered" and words[3].isdecimal():
        answered = int(words[3]) % 256
        words = words[:2]
    hook = name == "hook" or (len(words) == 2 and words[0] == "hook")
    try:
        code, out, err = _ask(name, words, gate, hook)
    except Exception:  # noqa: BLE001 - whatever it is, the command must not run
        code, out, err = REFUSED if hook else FAILED, b"", SILENT
    try:
        _write_all(1, out)
    except OSError:
        if not hook:
            return UNREAD
        code = REFUSED
    try:
        _write_all(2, err)
    except OSError:
        return code or FAILED
    return code or answered


def _ask(name: str, words: "list[str]", gate: str, hook: bool) -> "tuple[int, bytes, bytes]":  # noqa: FBT001 - lean
    """The gate's answer: the exit code, standard output, standard error."""
    gates = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    gates.settimeout(None if words[:1] == ["outside"] else PATIENCE)  # of that, a person says how long it may take
    gates.connect(gate)
    head = [name, posix.getcwd(), str(len(words)), *words, ""]
    gates.sendall("\0".join(head).encode("utf-8", "surrogateescape"))
    while hook and (piece := posix.read(0, 1 << 16)):
        gates.sendall(piece)
    gates.shutdown(_socket.SHUT_WR)
    answer = b""
    while piece := gates.recv(1 << 16):
        answer += piece
    first, whole, rest = answer.partition(b"\n")
    code, size = map(int, first.split(b" "))
    plain = whole and first == b"%d %d" % (code, size)
    if not (plain and 0 <= code < 256 and 0 <= size <= len(rest)):  # of a larger code only the last byte would arrive
        raise ValueError
    return code, rest[:size], rest[size:]


def _write_all(descriptor: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[posix.write(descriptor, data) :]


if __name__ == "__main__":
    posix._exit(talk(sys.argv[0].rpartition("/")[2], sys.argv[1:]))  # noqa: SLF001 - to take the interpreter apart costs more than all of this
