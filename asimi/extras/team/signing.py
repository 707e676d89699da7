"""Signatures by `ssh-keygen -Y` (OpenSSH 8.2 or newer): made with a key that only a person can use, checked by a list.

A signature counts for one namespace, so that one for something else, git's for example, is none here. What is checked
against is written for each check: the one key that is meant, and the keys that count no more.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.core.settings import Signer

ANSWER = "asimi-answer"
"""The namespace of answers."""

POLICY = "asimi-policy"
"""The namespace of the policy that a team shares."""

LONGEST = 1 << 14
"""Characters of the longest signature; one by a security key has about a thousand."""

PATIENCE = 30.0
"""Seconds that a check may take."""

_PROGRAM = "ssh-keygen"
_OF_THE_SYSTEM = "/usr/bin/ssh-keygen"  # checks before any on PATH, which can name directories of a project
_MISSING = "ssh-keygen of OpenSSH 8.2 or newer is needed for a team, and it is not on PATH; install openssh-client"
_AGENT = ("SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS")  # others could sign by these for the person


def verified(content: bytes, signature: str, namespace: str, signer: Signer, revoked: Sequence[str]) -> str:
    """Why a signature does not count, or nothing.

    Args:
        content: what was signed.
        signature: the signature, with its armour.
        namespace: what it must be for.
        signer: whose it must be.
        revoked: public keys that count no more.

    Raises:
        AsimiError: there is no ssh-keygen.
    """
    if signer.key in revoked:
        return f"the key of {signer.name} was revoked"
    if len(signature) > LONGEST:
        return "its signature is too long"
    listed = f'{signer.name} namespaces="{namespace}" {signer.key}\n'
    with ExitStack() as stack:
        files = [_readable(text, stack) for text in (listed, signature)]
        allowed, signed = (f"/dev/fd/{number}" for number in files)
        words = ["-Y", "verify", "-f", allowed, "-I", signer.name, "-n", namespace, "-s", signed]
        try:
            done = subprocess.run(
                [_OF_THE_SYSTEM if os.path.exists(_OF_THE_SYSTEM) else _PROGRAM, *words],
                input=content,
                pass_fds=files,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except FileNotFoundError:
            raise AsimiError(_MISSING) from None
        except subprocess.TimeoutExpired:
            return f"ssh-keygen could not check its signature within {PATIENCE:g} s"
    if done.returncode == 0:
        return ""
    return f"its signature is not one of {signer.name}'s key for exactly this"


def signed(content: bytes, key: str, namespace: str) -> str:
    """A signature of a content; a passphrase or a touch is asked for at this process's terminal.

    Args:
        content: what to sign.
        key: the file of the private key.
        namespace: what the signature is for.

    Raises:
        AsimiError: the key cannot be used, or the person did not let it be used.
    """
    environ = {name: value for name, value in os.environ.items() if name not in _AGENT}
    try:
        done = subprocess.run(
            [_PROGRAM, "-q", "-Y", "sign", "-f", key, "-n", namespace],
            input=content,
            capture_output=True,
            env=environ | {"SSH_ASKPASS_REQUIRE": "never"},
            check=False,
        )
    except FileNotFoundError:
        raise AsimiError(_MISSING) from None
    if done.returncode != 0:
        raise AsimiError(f"{key}: nothing was signed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode("ascii")


def public_key(path: str) -> str:
    """The public key beside a private one: its type and base64.

    Raises:
        AsimiError: it cannot be read.
    """
    try:
        with open(f"{path}.pub", encoding="ascii") as file:
            words = file.read().split()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "is not a public key"
        raise AsimiError(f"{path}.pub: {why}; an approver needs a key of their own: ssh-keygen -t ed25519") from None
    return " ".join(words[:2])


def check_needs_person(path: str) -> None:
    """Make sure that a private key cannot be used without a person: it has a passphrase or is in a security key.

    Raises:
        AsimiError: it can be used by any program that reads the file, or it cannot be read.
    """
    if public_key(path).startswith("sk-"):
        return
    words = [_PROGRAM, "-y", "-P", "", "-f", path]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except FileNotFoundError:
        raise AsimiError(_MISSING) from None
    if done.returncode == 0:
        raise AsimiError(f"{path}: has no passphrase, so any program could answer with it; ssh-keygen -p -f {path}")
    if b"passphrase" not in done.stderr:
        raise AsimiError(f"{path}: cannot be used: {done.stderr.decode(errors='replace').strip()}")


def _readable(text: str, stack: ExitStack) -> int:
    """A descriptor from which a text that fits a pipe can be read, open as long as the stack is."""
    reading, writing = os.pipe()
    stack.callback(os.close, reading)
    with open(writing, "wb") as file:
        file.write(text.encode("utf-8", "replace"))
    return reading
