"""What can be wrong with a host, in words: which host, what happened, what its program said, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.errors import HostError
from asimi.core.pattern import pattern
from asimi.extras.hosts.frames import PROTOCOL
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from asimi.core.settings import Host

SHOWN = 600
"""Characters of what a program said that are shown, the last ones."""

KNOWN = (
    (
        pattern(r"REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed"),
        "its host key is not the known one: find out why before you trust it (ssh-keygen -F, -R)",
    ),
    (pattern(r"Permission denied \((?:publickey|password|keyboard)"), "ssh gets no terminal: set up a key or an agent"),
    (
        pattern(r"requires? (?:a different )?Python|needs Python|SyntaxError|cannot import name 'Self'|option: -P"),
        'asimi needs Python 3.11 or newer there: name one with `program`, such as ["python3.12", "-m", "asimi"]',
    ),
    (
        pattern(
            r"No module named '?asimi|asimi: (?:command )?not found|asimi.*: No such file|\"asimi\": executable file"
        ),
        "install asimi there (pipx install asimi), or set `program` to where it is",
    ),
    (
        pattern(r"No such command .?executor|has no command 'executor'"),
        "the asimi there is older than hosts: update it (pipx upgrade asimi)",
    ),
    (
        pattern(r"Could not resolve hostname|Connection refused|No route to host|Connection timed out|Name or service"),
        "the machine cannot be reached: try the words of `reach` in a shell",
    ),
)
"""What the programs that lead to hosts say, and what to do about it."""


def host_error(host: Host, what: str, said: str = "", todo: str = "") -> HostError:
    """That a host cannot be used; nothing runs here in its place.

    Args:
        host: which.
        what: what is wrong.
        said: what the program said that leads there.
        todo: what to do, where what was said does not tell.
    """
    todo = next((hint for known, hint in KNOWN if known.search(said)), todo)
    lines = printable(said.strip()[-SHOWN:], keep="\n").splitlines()
    return HostError(
        f"host {host.name}: {what}" + (f"; {todo}" if todo else "") + "".join(f"\n  {line}" for line in lines)
    )


def no_greeting(host: Host, code: int | None, said: str, noise: str) -> HostError:
    """Something else than asimi is there, or nothing.

    Args:
        host: where.
        code: how the program ended that leads there; None where it has not.
        said: what it said on its standard error.
        noise: what came in place of a greeting.
    """
    heard = "\n".join(filter(None, (noise.strip(), said.strip())))
    words = " ".join(host.words)
    ended = "" if code is None else f": `{words}` ended with {code}"
    todo = ""
    if code == 127:
        todo = "install asimi there (pipx install asimi), or set `program` to where it is"
    elif code is None:
        ended = f": `{words}` said {len(noise):,} characters of something else"
    return host_error(host, f"no asimi answers{ended}", heard, todo)


def other_protocol(host: Host, protocol: str, version: str) -> HostError:
    """An asimi is there that speaks another protocol."""
    newer = protocol.isdecimal() and int(protocol) > PROTOCOL
    todo = "update asimi here" if newer else "update asimi there (pipx upgrade asimi)"
    what = f"asimi {printable(version)[:40]} there speaks protocol {printable(protocol)[:20]}, this one {PROTOCOL}"
    return host_error(host, what, todo=todo)
