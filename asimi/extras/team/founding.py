"""What the administrator of a team puts on the server and on each machine: `asimi team init`.

One directory holds it: `team.toml` says what the team is, all else follows from it. A seed is made once for everybody
and handed over; the server only knows the public half, which stays in the directory.
"""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from asimi.core.errors import AsimiError, ConfigError
from asimi.core.settings import Signer  # noqa: TC001 - a field
from asimi.core.values import NamedTuple
from asimi.extras.team.subjects import ADMINISTRATOR, APART, APPROVER, COLLECTOR, MACHINE, ROLES, TEAM
from asimi.world.host.places import private_directory, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from asimi.extras.team.subjects import May

PLAN = "team.toml"
"""The file that says what the team is."""

SERVER = "server.conf"
"""The configuration of nats-server."""

PAGE = "README.md"
"""What to put where."""

LARGEST = 8 << 20
"""Bytes of the largest message: a record or a question."""

CREDENTIALS = "/etc/asimi/team.seed"
"""Where a machine has its seed."""

AUTHORITY = "/etc/asimi/team-ca.pem"
"""Where a machine has the certificate that vouches for the server."""

ANY = "0.0.0.0"  # noqa: S104 - machines come from everywhere, and each must prove who it is
"""Where a server listens for other machines."""

_MISSING = "A team needs the extra `team`; install it with: pip install 'asimi[team]'"


class Plan(NamedTuple):
    """What a team is.

    Attributes:
        server: the URL of its server.
        machines: what its machines are called.
        approvers: who may answer.
        revoked: public keys that count no more.
        store: where the server keeps its records.
        administrators: who may publish the policy that the team shares; none where it shares none.
        loosens: the keys that it may also loosen.
    """

    server: str
    machines: tuple[str, ...] = ()
    approvers: tuple[Signer, ...] = ()
    revoked: tuple[str, ...] = ()
    store: str = "/var/lib/nats/asimi"
    administrators: tuple[Signer, ...] = ()
    loosens: tuple[str, ...] = ()

    @property
    def members(self) -> list[tuple[str, str]]:
        """Everybody that the server knows: role and name."""
        named = [(MACHINE, name) for name in self.machines]
        named += [(APPROVER, signer.name) for signer in self.approvers if signer.key not in self.revoked]
        return [*named, (COLLECTOR, COLLECTOR), (ADMINISTRATOR, ADMINISTRATOR)]


def plan_in(directory: str, check: Callable[[str, Any], Any]) -> Plan | None:
    """The plan that a directory holds; None where there is none.

    Args:
        directory: the directory.
        check: what the value of a key of `[team]` means; raises ConfigError.

    Raises:
        ConfigError: it cannot be used.
    """
    path = os.path.join(directory, PLAN)
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot be read: {error}", path) from None
    known = {name: name for name in Plan._fields} | {"machines": "machine", "store": "file"}
    for name in data:
        if name not in known:
            raise ConfigError(f"there is no key {name!r}; the keys are {', '.join(known)}", path)
    try:
        values = {name: value for name, value in data.items() if name != "machines"}
        read = {name: check(known[name], value) for name, value in values.items()}
        machines = tuple(check("machine", each) for each in data.get("machines", ()))
    except ConfigError as error:
        raise ConfigError(error.message, path) from None
    return Plan(**({"server": ""} | read), machines=machines)


def founded(directory: str, plan: Plan) -> list[str]:
    """Write all files of a plan; those that were made new, for the person.

    Args:
        directory: where; made if it is missing.
        plan: what the team is.

    Raises:
        AsimiError: something cannot be written, or the extra is missing.
    """
    private_directory(directory)
    made, public = list[str](), dict[tuple[str, str], str]()
    for role, name in plan.members:
        path = os.path.join(private_directory(os.path.join(directory, f"{role}s")), name)
        key = _public(path)
        if key is None:
            seed, key = _pair()
            replace(f"{path}.seed", seed + b"\n")
            replace(f"{path}.public", key.encode() + b"\n")
            made.append(f"{path}.seed")
        public[role, name] = key
    for name in plan.machines:
        replace(os.path.join(directory, "machines", f"{name}.toml"), machine_text(plan, name).encode())
    for name, text in ((PLAN, plan_text(plan)), (SERVER, server_text(plan, public)), (PAGE, page_text(plan))):
        replace(os.path.join(directory, name), text.encode())
    return made


def plan_text(plan: Plan) -> str:
    """The plan as its file has it."""
    rows = [("server", _quoted(plan.server)), ("machines", _list(plan.machines))]
    rows += [("approvers", _list([" ".join(each) for each in plan.approvers])), ("revoked", _list(plan.revoked))]
    rows += [("store", _quoted(plan.store)), *_policy_rows(plan)]
    head = "# What the team is. After a change, run `asimi team init` with this directory again.\n"
    return head + "".join(f"{name} = {value}\n" for name, value in rows)


def machine_text(plan: Plan, name: str) -> str:
    """The part of a machine's /etc/asimi/config.toml that is about the team."""
    rows = [("server", _quoted(plan.server)), ("machine", _quoted(name)), ("credentials", _quoted(CREDENTIALS))]
    rows += [("authority", _quoted(AUTHORITY))] if plan.server.startswith("tls:") else []
    rows += [("approvers", _list([" ".join(each) for each in plan.approvers])), ("revoked", _list(plan.revoked))]
    rows += _policy_rows(plan)
    return "[team]\n" + "".join(f"{key} = {value}\n" for key, value in rows)


def _policy_rows(plan: Plan) -> list[tuple[str, str]]:
    """What is said of the shared policy."""
    signers = [" ".join(each) for each in plan.administrators]
    rows = [("administrators", _list(signers))] if signers else []
    return rows + ([("loosens", _list(plan.loosens))] if plan.loosens else [])


def server_text(plan: Plan, public: Mapping[tuple[str, str], str]) -> str:
    """The configuration of nats-server.

    Args:
        plan: what the team is.
        public: the public keys by role and name.
    """
    where = urlsplit(plan.server)
    secure = where.scheme == "tls"
    lines = [
        "# Written by `asimi team init`; what is changed here is lost when that is run again.",
        f'listen: "{ANY if secure else _host(where.hostname or "")}:{where.port}"',
        f"max_payload: {LARGEST}",
        f"jetstream {{ store_dir: {_quoted(plan.store)} }}",
    ]
    if secure:
        lines.append('tls { cert_file: "/etc/nats/server.pem", key_file: "/etc/nats/server-key.pem" }')
    members = [(role, name, ROLES[role](name)) for role, name in plan.members]
    apart = [(f"{role}_{name}", may) for role, name, may in members if role in APART]

    def account(name: str, users: list[tuple[str, str, May]], *rows: tuple[str, list[str]]) -> list[str]:
        rows = (("users", [_user(role, who, may, public[role, who]) for role, who, may in users]), *rows)
        listed = [[f"    {key}: [", *(f"      {each}" for each in values), "    ]"] for key, values in rows if values]
        kept = ["    jetstream: enabled"] if name == TEAM else []
        return [f"  {_quoted(name)}: {{", *kept, *(line for lines in listed for line in lines), "  }"]

    exports = [each for name, may in apart for each in _given(name, may)]
    imports = [_taken("stream", name, subject) for name, may in apart for subject in may.said]
    lines += ["accounts {"]
    lines += account(
        TEAM, [each for each in members if each[0] not in APART], ("exports", exports), ("imports", imports)
    )
    for role, name, may in members:
        if role in APART:
            said = [f"{{ stream: {_quoted(subject)}, accounts: {_list([TEAM])} }}" for subject in may.said]
            taken = [_taken("service", TEAM, subject) for subject in may.services]
            taken += [_taken("stream", TEAM, subject) for subject in may.heard]
            lines += account(f"{role}_{name}", [(role, name, may)], ("exports", said), ("imports", taken))
    return "\n".join([*lines, "}", ""])


def _user(role: str, name: str, may: May, key: str) -> str:
    """Somebody, with what they may publish to and hear."""
    permissions = f"{{ publish: {_list(may.publish)}, subscribe: {_list(may.subscribe)} }}"
    return f"{{ nkey: {key}, permissions: {permissions} }}  # {role} {name}"


def _given(account: str, may: May) -> Iterator[str]:
    """What the team's account lets another one have."""
    to = f"accounts: {_list([account])}"
    yield from (f"{{ service: {_quoted(subject)}, {to} }}" for subject in may.services)
    yield from (f"{{ stream: {_quoted(subject)}, {to} }}" for subject in may.heard)


def _taken(kind: str, account: str, subject: str) -> str:
    """What an account has of another."""
    return f"{{ {kind}: {{ account: {_quoted(account)}, subject: {_quoted(subject)} }} }}"


def page_text(plan: Plan) -> str:
    """What to put where."""
    where = urlsplit(plan.server)
    machines = "".join(
        f"- {name}: `machines/{name}.seed` is its `{CREDENTIALS}` (mode 0640, a group of the users whose gates ask); "
        f"`machines/{name}.toml` goes into its `/etc/asimi/config.toml`, which must be root's.\n"
        for name in plan.machines
    )
    approvers = "".join(
        f"- {each.name}: `approvers/{each.name}.seed` is their `~/.config/asimi/team.seed` (mode 0600).\n"
        for each in plan.approvers
        if each.key not in plan.revoked
    )
    tls = (
        "It needs a certificate for its name, `/etc/nats/server.pem` with `/etc/nats/server-key.pem`. "
        "One of your own:\n\n"
        "```sh\n"
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 \\\n"
        f"  -subj /CN={where.hostname} -addext subjectAltName=DNS:{where.hostname} \\\n"
        "  -keyout server-key.pem -out server.pem\n"
        "```\n\n"
        f"`server.pem`, or the certificate of who signed it, is every machine's and every approver's `{AUTHORITY}`.\n\n"
        if where.scheme == "tls"
        else ""
    )
    policy = (
        "\n## The policy\n\n"
        f"{', '.join(each.name for each in plan.administrators)} may publish it: `asimi team publish` with this "
        "directory and a configuration file. Do that before the machines get their files: from then on nothing runs on "
        "them without it. `loosens` in `team.toml` names the keys that it may also loosen.\n"
        if plan.administrators
        else ""
    )
    return f"""# A team of asimi

Written by `asimi team init`. All of this directory is secret until the seeds were handed over; then delete each
`.seed` here, and keep the `.public` beside it.

## The server, {plan.server}

Start `nats-server -c server.conf` as a service; its records are in `{plan.store}`. {tls}

Once it runs, make what keeps the records and the policy: `asimi team create` with this directory.
{policy}
## Machines

{machines}
On each, every user who has gates runs `asimi relay` as a service.

## Approvers

{approvers}
Each answers with `asimi watch --team` on a machine with `/etc/asimi/config.toml` of the team, with their own key.

## The collector

`asimi team verify` with this directory, or a copy of `team.toml` and `collectors/`, checks the records. Do that on a
machine where no agent works, and keep the last hashes that it prints.

## Later

Change `team.toml` and run `asimi team init` with this directory again; copy `server.conf` to the server and send it
SIGHUP, copy `machines/*.toml` to the machines. To revoke an approver's key, put it into `revoked`: the server forgets
their seed, and the gates their key.
"""


def _pair() -> tuple[bytes, str]:
    """A new seed and its public key."""
    try:
        import nkeys
    except ImportError:
        raise AsimiError(_MISSING) from None
    seed = nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)
    return seed, nkeys.from_seed(bytearray(seed)).public_key.decode()


def _public(path: str) -> str | None:
    try:
        with open(f"{path}.public", encoding="ascii") as file:
            return file.read().strip()
    except FileNotFoundError:
        return None


def _host(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _quoted(text: str) -> str:
    return json.dumps(text)


def _list(texts: Any) -> str:
    return "[" + ", ".join(map(_quoted, texts)) + "]"
