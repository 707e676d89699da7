"""What the person configured, as values; `config` reads them, everyone else only sees them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal

from asimi.core.call import Limits, Undo
from asimi.core.pattern import pattern
from asimi.core.programs.variables import SECRETS
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import Rule

MAX_AGE = 8 * 3600.0
"""Seconds that a session's approvals live where nothing else is configured."""


_OF_ASIMI = pattern(r"-\w*m ?asimi(?: |$)")
"""How Python is told to run asimi as a module."""


class Environment(NamedTuple):
    """The differences of a command's environment from asimi's own (`[environment]`).

    Attributes:
        keep: names handed on although asimi would drop them.
        drop: names taken out; a name may end in `*`; `secrets` stands for names that look like credentials.
        set: names and values added.
        noninteractive: whether pagers, editors and prompts are told that nobody is there.
        free: names that a command may set without a question; a name may end in `*`.
    """

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    set: tuple[tuple[str, str], ...] = ()
    noninteractive: bool = False
    free: tuple[str, ...] = ()


class SessionSettings(NamedTuple):
    """The times for which a person's answers are waited for and kept (`[session]`).

    Attributes:
        ask_timeout: seconds after which no answer is a no.
        max_age: seconds a session's approvals live.
        wait: whether a question without a terminal waits in the queue although no `asimi watch` runs.
        notify: a program and its arguments, started when a question begins to wait there; empty for none.
        bell: whether an `asimi watch` rings the bell of its terminal then.
        breaker: how often the same may be refused in a session before it is denied without a question; None for ever.
        questions: who asks behind an agent that asks itself: the agent where it is known to ask in its mode, else
            asimi (`auto`); the same, without a window of asimi's own (`agent`); `asimi` first.
        relax: whether `asimi relax` may allow more for a while.
        tasks: whether a person may grant an agent a task.
    """

    ask_timeout: float = 120.0
    max_age: float = MAX_AGE
    wait: bool = False
    notify: tuple[str, ...] = ()
    bell: bool = True
    breaker: int | None = 3
    questions: Literal["auto", "agent", "asimi"] = "auto"
    relax: bool = True
    tasks: bool = True


class AuditSettings(NamedTuple):
    """The settings of the log (`[audit]`).

    Attributes:
        required: whether nothing runs when the log cannot be written.
    """

    required: bool = True


class BoxSettings(NamedTuple):
    """What a box around a program is like (`[box]`).

    Attributes:
        caches: `own` for caches of tools that the boxes of a project have to themselves, `shared` for the person's.
        environment: names of variables that are handed in although they look like a secret's.
        devices: paths of devices that are there besides the harmless ones.
    """

    caches: Literal["own", "shared"] = "own"
    environment: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()


class NetworkSettings(NamedTuple):
    """The names that are reached (`[network]`), as they are written.

    Attributes:
        allow: names that are reached, and groups of names that begin with `@`.
        deny: names and blocks of addresses that are not, whatever else says so.
        unlisted: what becomes of the rest.
        private: names that may lead to private addresses, and blocks of such addresses.
        rules: answers and entries about names.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    unlisted: Literal["ask", "reject"] = "ask"
    private: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()


class State(NamedTuple):
    """The limits of what asimi keeps for itself (`limits.state_bytes`, `limits.state_age`).

    Attributes:
        bytes: how many bytes log, outputs and jobs may take together.
        age: seconds after which they are deleted.
    """

    bytes: int = 4 << 30
    age: float = 30 * 86400.0


class Host(NamedTuple):
    """Another machine, or another place on this one, that commands can run on (`[hosts.NAME]`).

    Attributes:
        name: what the person calls it.
        reach: the words of a command whose standard streams lead there, before those of `program`: `ssh gpu1`.
        root: the project root there, as its file system names it; empty for the directory that `reach` leads to.
        program: how asimi is started there.
        trusted: whether what it says of its own file system and programs may allow something.
        patience: seconds until it must have answered the first time.
        answer: seconds that one look at its file system may take.
    """

    name: str
    reach: tuple[str, ...]
    root: str = ""
    program: tuple[str, ...] = ("asimi",)
    trusted: bool = False
    patience: float = 20.0
    answer: float = 10.0

    @property
    def words(self) -> tuple[str, ...]:
        """The whole command line that starts asimi there.

        `python -m asimi` gets `-P`, because Python would look for every module where it starts first, which may be the
        project (Python's manual, 1.1.1).
        """
        for at in range(len(self.program)):
            if _OF_ASIMI.match(" ".join(self.program[at : at + 2])):
                return (*self.reach, *self.program[:at], "-P", *self.program[at:], "executor")
        return (*self.reach, *self.program, "executor")


class RemoteMachine(NamedTuple):
    """Another machine, where commands run.

    Attributes:
        host: its name.
        root: the real path of the project root there.
        denies: what its administrator forbids there; no rule that allows.
        lacking: why exec rules cannot be kept there, in words; empty where they can.
    """

    host: str
    root: str
    denies: tuple[Rule, ...] = ()
    lacking: Callable[[], str] = str


class Signer(NamedTuple):
    """Somebody whose signature counts.

    Attributes:
        name: what they are called.
        key: their public key, as OpenSSH writes it: its type, a space, base64.
    """

    name: str
    key: str


class Team(NamedTuple):
    """The team that this machine belongs to (`[team]`); only the administrator's file says so.

    Attributes:
        server: the URL of the NATS server; empty for no team.
        machine: what the team calls this machine.
        credentials: the file with the seed by which this machine is known to the server.
        authority: a file with the certificates that vouch for the server; empty for those of the system.
        approvers: who may answer.
        revoked: public keys that count no more.
        administrators: who may publish the policy that the team shares; without any, it shares none.
        loosens: the keys which that policy sets as this file would; all others it can only make stricter.
    """

    server: str = ""
    machine: str = ""
    credentials: str = ""
    authority: str = ""
    approvers: tuple[Signer, ...] = ()
    revoked: tuple[str, ...] = ()
    administrators: tuple[Signer, ...] = ()
    loosens: tuple[str, ...] = ()


class Telemetry(NamedTuple):
    """The receiver of what processes that stay log (`[telemetry]`).

    Attributes:
        endpoint: the URL that takes log records as OTLP over HTTP; empty for nowhere.
        headers: a file with the headers of each request, such as those that say who sends; empty for none.
        authority: a file with the certificates that vouch for the receiver; empty for those of the system.
    """

    endpoint: str = ""
    headers: str = ""
    authority: str = ""


class Settings(NamedTuple):
    """All of it.

    Attributes:
        policy: the rules.
        limits: what one run may use.
        environment: what a command's environment differs in.
        session: how long answers are waited for and kept.
        audit: what becomes of the log.
        state: how much asimi keeps.
        enforced: the deny rules that also hold for whatever a command starts.
        hosts: other machines that commands can run on.
        team: the team that this machine belongs to.
        telemetry: where processes that stay send what they log.
        box: what a box around a program is like.
        network: the names that are reached.
        undo: what is kept of a project.
        resident: whether a resident gate answers hooks.
    """

    policy: Policy
    limits: Limits = Limits()
    environment: Environment = Environment()
    session: SessionSettings = SessionSettings()
    audit: AuditSettings = AuditSettings()
    state: State = State()
    enforced: tuple[Rule, ...] = ()
    hosts: tuple[Host, ...] = ()
    team: Team = Team()
    telemetry: Telemetry = Telemetry()
    box: BoxSettings = BoxSettings()
    network: NetworkSettings = NetworkSettings()
    undo: Undo = Undo()
    resident: bool = True


REREAD = (
    "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_FUNC_*", "POSIXLY_CORRECT", "BASH_COMPAT", "BASH_LOADABLES_PATH",
    "GLOBIGNORE", "CDPATH", "PS4",
)  # fmt: skip
"""Variables that make bash read a text differently or run what nobody judged (bash manual, Bash Variables)."""

NONINTERACTIVE = {
    "PAGER": "cat", "GIT_PAGER": "cat", "GH_PAGER": "cat", "MANPAGER": "cat", "SYSTEMD_PAGER": "cat",
    "EDITOR": "false", "VISUAL": "false", "GIT_EDITOR": "false", "GIT_SEQUENCE_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_MERGE_AUTOEDIT": "no",
    "DEBIAN_FRONTEND": "noninteractive", "PIP_NO_INPUT": "1", "NPM_CONFIG_YES": "false", "TERM": "dumb",
    "NO_COLOR": "1",
}  # fmt: skip
"""What keeps programs from waiting for a person; an editor that fails makes `git commit` end instead of committing."""


def command_environment(inherited: Mapping[str, str], wanted: Environment) -> dict[str, str]:
    """The environment a command gets: the inherited one, without what misleads bash, plus `ASIMI_CLI=1`."""
    keep = set(wanted.keep)
    drop = (*REREAD, *wanted.drop)
    if "secrets" in drop:
        drop = (*drop, *SECRETS)
        keep.add("SSH_AUTH_SOCK")
    exact = {name for name in drop if "*" not in name}
    patterns = [name for name in drop if "*" in name]
    environment = {
        name: value
        for name, value in inherited.items()
        if name in keep or not (name in exact or any(fnmatchcase(name, pattern) for pattern in patterns))
    }
    if wanted.noninteractive:
        environment |= NONINTERACTIVE
    environment |= dict(wanted.set)
    environment["ASIMI_CLI"] = "1"
    return environment
