"""What a team's server keeps, as JetStream configures it: records that nobody changes, and the policy that is shared.

The policy is the one key of a bucket (ADR-8 of NATS: a bucket is a stream of subjects `$KV.BUCKET.KEY`), with no way to
delete or purge it; what counts of it is decided by its signature alone (`asimi.extras.team.shared`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from asimi.core.errors import AsimiError
from asimi.extras.team.subjects import BUCKET, POLICY, RECORDS, STREAM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from nats.aio.client import Client

PATIENCE = 5.0
"""Seconds that the server may take for one answer."""

SEQUENCE = "Nats-Sequence"
"""The header with the number of a message in its stream."""

LAST = "Nats-Expected-Last-Subject-Sequence"
"""The header that names the message which must be the last of its subject; 0 for none."""

WRONG_LAST = 10071
"""JetStream's error code for another last sequence than expected."""

_ALWAYS = {
    "storage": "file",
    "retention": "limits",
    "discard": "new",
    "max_msgs": -1,
    "max_bytes": -1,
    "max_age": 0,
    "num_replicas": 1,
    "duplicate_window": 120 * 10**9,
    "deny_delete": True,
    "deny_purge": True,
    "allow_rollup_hdrs": False,
    "allow_direct": True,
}

KEPT = (
    {"name": STREAM, "subjects": [f"{RECORDS}.*.*"], "max_msgs_per_subject": -1, **_ALWAYS},
    {"name": f"KV_{BUCKET}", "subjects": [f"$KV.{BUCKET}.>"], "max_msgs_per_subject": 64, **_ALWAYS},
)
"""How the server keeps both: nothing is deleted, purged or rolled up, and no record is pushed out by another."""

_MUST = "subjects discard max_msgs_per_subject deny_delete deny_purge allow_rollup_hdrs allow_direct".split()


async def create(client: Client) -> bool:
    """Make what keeps the records and the policy; whether something was made now.

    Raises:
        AsimiError: it is there already and does not keep what it must, or it cannot be made.
    """
    return any([await _made(client, config) for config in KEPT])


async def _made(client: Client, config: dict[str, Any]) -> bool:
    """Make one stream; whether it was made now."""
    name = config["name"]
    found = await asked(client, f"STREAM.INFO.{name}", {})
    if "error" in found:
        made = await asked(client, f"STREAM.CREATE.{name}", config)
        if "error" in made:
            raise AsimiError(f"the server does not keep {name}: {made['error'].get('description')}")
        return True
    there = found["config"]
    for key in _MUST:
        if there.get(key, False) != config[key]:
            raise AsimiError(f"the server keeps {name} in another way: {key} is {there.get(key)}, not {config[key]}")
    return False


async def asked(client: Client, what: str, body: object) -> dict[str, Any]:
    """What JetStream answers to a request of its wire API."""
    reply = await client.request(f"$JS.API.{what}", json.dumps(body).encode(), timeout=PATIENCE)
    answer: dict[str, Any] = json.loads(reply.data)
    return answer


async def last(client: Client, stream: str, subject: str) -> tuple[bytes, dict[str, str]]:
    """The last message of a subject with its headers; no headers where there is none.

    Raises:
        AsimiError: the server does not answer, as where it keeps nothing yet.
    """
    return await got(client, f"{stream}.{subject}", None)


async def got(client: Client, stream: str, wanted: Mapping[str, object] | None) -> tuple[bytes, dict[str, str]]:
    """A message that the server keeps, with its headers, of which `SEQUENCE` is its number; no headers without one.

    Args:
        client: the connection.
        stream: the stream; with a dot and a subject behind it, the last one of that subject.
        wanted: which message of the stream (ADR-31 of NATS, Direct Get), None for that last one.

    Raises:
        AsimiError: the server does not answer, as where it keeps nothing yet.
    """
    from nats.errors import NoRespondersError

    body = b"" if wanted is None else json.dumps(wanted).encode()
    try:
        message = await client.request(f"$JS.API.DIRECT.GET.{stream}", body, timeout=PATIENCE)
    except (NoRespondersError, TimeoutError) as error:
        raise AsimiError(words_of(error)) from None
    headers = message.headers or {}
    return (b"", {}) if headers.get("Status") == "404" else (message.data, headers)


async def put(client: Client, subject: str, content: bytes, after: int, headers: dict[str, str] | None = None) -> int:
    """Publish a message behind the one of a sequence; its own sequence.

    Raises:
        Behind: another one is the last.
        AsimiError: the server does not take it.
    """
    headers = {LAST: str(after), **(headers or {})}
    reply = await client.request(subject, content, timeout=PATIENCE, headers=headers)
    said = json.loads(reply.data)
    if "error" not in said:
        return int(said["seq"])
    if said["error"].get("err_code") == WRONG_LAST:
        raise Behind("somebody else was faster")
    raise AsimiError(str(said["error"].get("description", said["error"])))


class Behind(AsimiError):
    """The last message on the server is another one than expected."""


def words_of(error: Exception) -> str:
    """What went wrong with the server, and what to do about it where that is known."""
    from nats.errors import NoRespondersError

    if isinstance(error, (NoRespondersError, TimeoutError)):
        return "no answer; if the server keeps none yet, the administrator makes that with `asimi team create`"
    return str(error) or type(error).__name__


async def published(client: Client) -> tuple[bytes | None, int]:
    """The shared policy that the server has, None for none, and its sequence there."""
    content, headers = await last(client, f"KV_{BUCKET}", POLICY)
    return (content, int(headers[SEQUENCE])) if headers else (None, 0)


async def revisions(client: Client) -> AsyncIterator[bytes]:
    """All that the server has as the shared policy, the newest first, because the last need not be one that counts."""
    content, number = await published(client)
    while content is not None:
        yield content
        number -= 1
        content, headers = await got(client, f"KV_{BUCKET}", {"seq": number}) if number > 0 else (None, {})
        content = content if headers else None
