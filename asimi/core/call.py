"""The life of one call, as immutable values: `ToolCall` → `Request` → `Decision` → `Approval` → `Execution` → `Result`.

Each step of the gate makes the next value from the ones before it, and only a yes leads to the last ones: an
`Execution` is built from an `Approval`, never from a `Request` alone. None of them knows a wire format: that belongs to
the tool that reads and packs it.

All are plain named tuples, which cost a tenth of what dataclasses cost at start-up.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from asimi.core.errors import Refusal
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, NoReturn

    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import Backend, Event, Fault, LostPart, Network, SandboxMode, Scope, ShellKind

Span = tuple[int, int]
"""A part of a text: where it begins and where it ends, in characters."""

SANDBOX_MODES: tuple[SandboxMode, ...] = ("off", "project", "read-only")
"""The modes of a sandbox, the laxest first."""

BREAKER = "breaker"
"""The reason's code where asimi does not ask again, because the same was refused too often."""

PROMPT = "agent's prompt"
"""Who answered, where asimi left the question to the agent that runs the command."""

FLAG = "flag"
"""Who answered, where a person said yes to all questions beforehand."""

PROBES = "asimi-doctor"
"""What the name of a doctor's session in the log ends with."""

APPROVE, WATCH = "queue", "watch"
"""Who answered, where a person did so at another terminal: by `asimi approve`, by `asimi watch`."""

PERSONS = ("terminal", APPROVE, WATCH)
"""Who answered, where a person did so at a terminal: the call's own, or another one."""


def is_probe(session: str) -> bool:
    """Whether a session, by its name in the log, is that of a doctor's tries."""
    return session.rpartition(" ")[2] == PROBES


class Verdict(IntEnum):
    """What may become of a command; the verdict on many commands is their maximum."""

    ALLOW = 0
    ASK = 1
    DENY = 2

    @property
    def word(self) -> str:
        """`allow`, `ask` or `deny`."""
        return self.name.lower()

    def __str__(self) -> str:
        return self.word

    def __format__(self, form: str) -> str:
        return format(self.word, form)


class Assurance(IntEnum):
    """Whose yes answers a question; a higher value also answers what needs a lower one."""

    BEFOREHAND = 0
    """A yes that was given before anything was asked is enough: `--yes`."""

    ASKED = 1
    """A person who was shown this question: in a form, by an agent's own prompt, in a host's dialog."""

    TERMINAL = 2
    """A person at a terminal of this machine: there, or by `asimi approve` and `asimi watch`."""


class ToolCall(NamedTuple):
    """What an agent sent, before asimi believes any of it.

    Attributes:
        name: the tool's name.
        arguments: its parameters, unchecked JSON.
        id: the caller's own id of the call, or None.
        agent: who calls, as far as known (`cli`, `serve`, an MCP client's name).
    """

    name: str
    arguments: Mapping[str, Any]
    id: str | int | None = None
    agent: str = ""


class Place(NamedTuple):
    """A directory to run in, resolved.

    Attributes:
        path: its real path.
        root: the real path of the project root.
        inside: whether it is the root or below it.
        host: the name of the machine that it is on; empty for this one.
    """

    path: str
    root: str
    inside: bool
    host: str = ""

    @classmethod
    def at(cls, path: str, root: str, separator: str = "/", host: str = "") -> Place:
        """The place of a real path in the project of a root."""
        return cls(path, root, is_below(path, root, separator), host)

    @property
    def project(self) -> str:
        """The name that tells its project from all others: the root, after the name of its host."""
        return f"{self.host}:{self.root}" if self.host else self.root

    @property
    def display_path(self) -> str:
        """The directory relative to the root, `.` for the root itself; absolute where it is outside."""
        if not self.inside:
            return self.path
        return self.path[len(self.root.rstrip("/")) :].lstrip("/") or "."


def above(path: str) -> Iterator[str]:
    """The directories that a path is in, without the path itself; the nearest first."""
    at = len(path.rstrip("/"))
    while (at := path.rfind("/", 0, at)) > 0:
        yield path[:at]
    if path != "/":
        yield "/"


def is_below(path: str, directory: str, separator: str = "/") -> bool:
    """Whether a real path is that of a directory, or below it."""
    return path == directory or path.startswith(directory.rstrip(separator) + separator)


def reads_utf8(environ: Mapping[str, str]) -> bool:
    """Whether bash will cut bytes into characters as asimi does: not in GBK, where a backslash may be half of one."""
    chosen = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or "C"
    codeset = chosen.partition(".")[2].partition("@")[0].lower().replace("-", "")
    return codeset == "utf8" or chosen in ("C", "POSIX")


class Shell(NamedTuple):
    """What reads shell text on this machine.

    Attributes:
        kind: whose grammar it has.
        path: its absolute path; empty where there is none.
        version: as it says itself; empty where unknown.
    """

    kind: ShellKind
    path: str
    version: str = ""

    def within(self, environ: Mapping[str, str]) -> Shell:
        """This shell in an environment; of the kind `plain` if bash does not read UTF-8 there."""
        return self if self.kind != "bash" or reads_utf8(environ) else self._replace(kind="plain")

    def argv(self, text: str) -> tuple[str, ...]:
        """The command line that makes the shell run a text; a text that begins with `-` is not an option.

        Raises:
            Refusal: there is no such shell (code `no_shell`).
        """
        if not self.path:
            raise Refusal("no_shell", f"No {self.kind} on PATH outside the project root; install it, or fix PATH")
        return (self.path, "/c", text) if self.kind == "cmd" else (self.path, "-c", "--", text)


class Touch(NamedTuple):
    """What an agent's own tool does with one path.

    Attributes:
        does: `read`, `search`, `list`, `write` or `delete`.
        path: the path, as the tool is given it.
        names: of a search, a pattern of the names of files that are read; empty for all.
        size: of a write, how many bytes the tool brings; None where that is not said.
        added: how many lines come; None where that is not known.
        removed: how many lines go; None where that is not known.
    """

    does: str
    path: str
    names: str = ""
    size: int | None = None
    added: int | None = None
    removed: int | None = None


class FileUse(NamedTuple):
    """What an agent's own tool for files does.

    Attributes:
        tool: what the agent calls it.
        touches: what it does, path by path.
        change: the change as lines of a diff, for a person; empty where it changes nothing.
        mark: tells the change from any other one to the same paths, so that a yes is for this one; empty for none.
    """

    tool: str
    touches: tuple[Touch, ...]
    change: str = ""
    mark: str = ""


class Request(NamedTuple):
    """One command to run, with checked parameters.

    Attributes:
        tool: the tool's name, which rules refer to.
        command: the shell text; for a program with arguments, the program.
        arguments: None where `command` is shell text, else what the program is given, without its own name.
        place: where it would run.
        shell: whose grammar the text has: that of the shell that will read it.
        description: the agent's words for the person, which nobody need believe.
        timeout: seconds after which it is ended, or None for the configured limit; the shorter of the two counts.
        id: the caller's own id of the call.
        agent: who calls.
        file: what an agent's own tool for files does, where it is judged as `command`, which does the same; else None.
    """

    tool: str
    command: str
    arguments: tuple[str, ...] | None
    place: Place
    shell: ShellKind = "bash"
    description: str = ""
    timeout: float | None = None
    id: str | int | None = None
    agent: str = ""
    file: FileUse | None = None


class Reason(NamedTuple):
    """Why a verdict is what it is.

    The codes: `allowed_by_rule`, `allowed_by_session`, `allowed_in_sandbox`; `ask_by_rule`, `denied_by_rule`;
    `unlisted`, and `rejected` where that is a no; `unparsable`, `too_large`; `substitution`; `directory`; `protected`
    for asimi's own files; `sandbox` for a command that no sandbox can hold because an agent runs it, or that failed in
    one; `dynamic`, `code`, `redirection`, `assignment`, `rebinding`, `escape` for what no entry answers; `breaker` for
    what was refused too often in a session to be asked about again. In a box: `held` for what nobody need be asked
    about because the box holds it, `unboxed` for what needs something that the box does not have.

    Attributes:
        code: one of these.
        message: the same in words, for people and models.
        span: the part of the text it is about, or None for the whole.
        rule: the entry that decided, as written, or None.
        source: where that entry is, `FILE:LINE`, or None.
    """

    code: str
    message: str
    span: Span | None = None
    rule: str | None = None
    source: str | None = None


class Part(NamedTuple):
    """One simple command of a text, judged.

    Attributes:
        words: the words after unquoting; None for a word that only bash can know.
        span: where it is in the text; of a command inside a wrapper, where its own words are.
        via: the wrapper that would start it, or None.
        verdict: its own verdict.
    """

    words: tuple[str | None, ...]
    span: Span
    via: str | None
    verdict: Verdict


class Apart(NamedTuple):
    """A simple command that runs outside of a box while the rest of its text runs inside.

    Attributes:
        span: the place of its words in the text.
        directory: the real path it runs in.
        asks: whether it asks the gate each time that it runs, with the words that it has then; else its words are known
            now, and it leaves by a ticket.
    """

    span: Span
    directory: str
    asks: bool = False


class Sandbox(NamedTuple):
    """The limits on a command and all that it starts, whatever its text says (`[sandbox]`).

    Attributes:
        mode: `off` for none; `project` if files can be written only in `writable`; `read-only` if nowhere. Both of
            these add a private temporary directory.
        writable: directories, relative to the project root or absolute; `~` is the home.
        network: `none` if no network socket may be made; `named` if a network of its own leads to names alone.
        sockets: whether local sockets may be made, by which daemons outside can be reached (docker, ssh-agent, D-Bus).
        backend: what sets it up.
        hidden: files and directories that cannot be read, written as `writable`; only bubblewrap can hide.
        protected: files and directories that cannot be written although they are in `writable`; only bubblewrap can.
        bounded: whether disk and processes are bounded, and `/tmp` is the private temporary directory.
        repository: the only repository that git finds in there, and its work tree; empty if git finds any.
        alone: whether no other sandbox that can write in the same directories may run meanwhile.
    """

    mode: SandboxMode = "off"
    writable: tuple[str, ...] = (".",)
    network: Network = "full"
    sockets: bool = False
    backend: Backend = "auto"
    hidden: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    bounded: bool = False
    repository: tuple[str, ...] = ()
    alone: bool = False

    def at_least(self, *modes: SandboxMode) -> Sandbox:
        """The same, in the strictest of these modes and its own."""
        return self._replace(mode=max((self.mode, *modes), key=SANDBOX_MODES.index))

    @property
    def writable_directories(self) -> tuple[str, ...]:
        """The directories in which files can be written, as `writable` says them."""
        return self.writable if self.mode == "project" else ()


class Loss(NamedTuple):
    """What a command may remove or overwrite, and is allowed to only if undo brings it back.

    Attributes:
        path: a real path.
        part: what of it is lost.
        commit: the commit that overwrites what is `untracked`, as its name is written.
    """

    path: str
    part: LostPart = "all"
    commit: str = ""


class Decision(NamedTuple):
    """The verdict on a whole request.

    Attributes:
        verdict: the strictest of all parts.
        reasons: every reason for it, the deciding ones first; never empty.
        parts: each simple command the text would start, in order.
        substitution: whether the text holds a substitution that bash would execute.
        offers: the rules that "session" and "always" could store, narrowest first; empty if nothing may be stored.
        needed: the entries that would have to be listed for an allow, such as `run_shell_command(npm test)`.
        spends: the counted approvals that an allow rests on.
        voice: the least whose yes answers the question.
        sandbox: what holds it if it runs: the strictest that the configuration and the rules for it demand.
        outside: the question for a run outside, if the call is allowed only because a sandbox of its own holds it;
            None if the configuration demands a sandbox anyway, which no yes lifts.
        changed: the definitions of its checks that changed since a person confirmed them, each
            `KIND:DIRECTORY DIGEST` as it is now; no earlier answer covers them.
        confirming: what "always" offers in place of `offers` if such a change is all that is asked about.
        observed: whether it has no consequence because asimi only observes: the agent decides by its own rules.
        leaves: whether it would run outside of the box that holds the agent.
        kept: what an allow permits to be removed because undo keeps it; it holds only once all of that is kept.
        apart: of an allow in a box, the commands that run outside of it, each by itself, while the rest stays inside.
    """

    verdict: Verdict
    reasons: tuple[Reason, ...]
    parts: tuple[Part, ...] = ()
    substitution: bool = False
    offers: tuple[Offer, ...] = ()
    needed: tuple[str, ...] = ()
    spends: tuple[Rule, ...] = ()
    voice: Assurance = Assurance.BEFOREHAND
    sandbox: Sandbox = Sandbox()
    outside: Decision | None = None
    changed: tuple[str, ...] = ()
    confirming: Offer | None = None
    observed: bool = False
    leaves: bool = False
    kept: tuple[Loss, ...] = ()
    apart: tuple[Apart, ...] = ()

    def __bool__(self) -> NoReturn:
        """Refuse: `if asimi.check(...)` would take a denial for a yes, as every tuple that is not empty is true.

        Raises:
            TypeError: always.
        """
        raise TypeError("A decision is neither true nor false; ask whether its verdict is Verdict.ALLOW")


class Offer(NamedTuple):
    """A set of rules that would answer the question for longer than once.

    Attributes:
        label: what it would allow, in words.
        rules: what would be stored, exactly.
    """

    label: str
    rules: tuple[Rule, ...]


class Session(NamedTuple):
    """A session that outlives a process.

    Attributes:
        key: the part of its files' names.
        label: its name for people.
        named: whether a person chose its name.
    """

    key: str
    label: str
    named: bool


class PastRefusal(NamedTuple):
    """What was refused before in a session.

    Attributes:
        digest: of what it was for (`asimi.core.judging.breaker.digest_of`).
        times: how often it was refused.
        session: the session, as people call it.
    """

    digest: str
    times: int
    session: str


class Edit(NamedTuple):
    """A person's edit that was not taken.

    Attributes:
        line: what they wrote.
        why: why it never runs, in words.
    """

    line: str
    why: str


class Act(NamedTuple):
    """One thing that a command would do, as far as it is known.

    Attributes:
        does: an effect (`asimi.core.programs.effects.EFFECTS`), or `move`.
        words: what that is, in words; empty where `path` says it.
        path: the real path that it is done to, with marks from its first part that is not known; empty for none.
        shown: the same for people: relative in the project, `~` for the home.
        where: `project`, `temporary` or `outside`; empty where there is no path.
        secret: whether the path may hold a secret.
        files: how many files a delete would take, None where that is not known; -1 for too many to count at once.
        script: the name of the script of the project that is run, or empty.
        undo: of a delete, whether undo brings it back: `kept`, `rebuilt`, or why not; empty where that is not known.
    """

    does: str
    words: str = ""
    path: str = ""
    shown: str = ""
    where: str = ""
    secret: bool = False
    files: int | None = None
    script: str = ""
    undo: str = ""


class Deed(NamedTuple):
    """What one command of a text would do; no verdict rests on it.

    Attributes:
        command: the command in few words; of a redirection, as it is written.
        span: where it is in the text.
        effects: its effects, finer where that is known (`asimi.core.programs.effects.WORDS`); None where they are not
            known.
        acts: what it would do, in no order.
    """

    command: str
    span: Span
    effects: tuple[str, ...] | None
    acts: tuple[Act, ...]


class Question(NamedTuple):
    """What a person is asked.

    Attributes:
        request: what would run.
        decision: why it is asked; its verdict is ASK.
        session: whether an approval can be kept for the session at all.
        patience: seconds after which no answer means no.
        edit: the person's edit that brought the same question back, or None.
        changeable: whether the command can still be changed; False if its call was refused already.
        deeds: what its commands would do.
        enforced: the entries of the exec rules that hold for it.
        begun: whether a part of this very call has run, so a later yes cannot be for it.
        origin: the user and machine of a team that ask an approver elsewhere, who can neither change the command nor
            keep anything for good; empty for a question that stays on this machine.
        widening: what the caller's task must gain to cover it; None without a task, or where no width covers it.
    """

    request: Request
    decision: Decision
    session: bool
    patience: float
    edit: Edit | None = None
    changeable: bool = True
    deeds: tuple[Deed, ...] = ()
    enforced: tuple[str, ...] = ()
    begun: bool = False
    origin: str = ""
    widening: Offer | None = None


class Approval(NamedTuple):
    """An answer to whether a request may run.

    Attributes:
        yes: whether it may; with a no, `rules` are the denies from now on.
        by: who said so: `policy`, `terminal`, `flag`, `queue`, `nobody`, ….
        scope: how long it holds.
        rules: the rules to remember, for a scope longer than once.
        note: what the person wants the agent to know, or why nobody could be asked.
        edited: the line as the person changed it, which is judged again; None if nobody changed it.
        seconds: how long the answer took.
        later: the question that is left for a later yes to the same call made again; empty where there is none.
    """

    yes: bool
    by: str
    scope: Scope = "once"
    rules: tuple[Rule, ...] = ()
    note: str = ""
    edited: str | None = None
    seconds: float = 0.0
    later: str = ""

    @property
    def voice(self) -> Assurance:
        """How much the answer counts, by who gave it."""
        if self.by in PERSONS:
            return Assurance.TERMINAL
        return Assurance.BEFOREHAND if self.by == FLAG else Assurance.ASKED


class Limits(NamedTuple):
    """What one run may use.

    Attributes:
        timeout: seconds until it is ended, or None.
        idle_timeout: seconds without output until it is ended, or None.
        output_bytes: how much of a stream is kept whole in the result.
        spill_bytes: how much of a longer stream is kept in a file.
    """

    timeout: float | None = None
    idle_timeout: float | None = None
    output_bytes: int = 64 << 20
    spill_bytes: int = 1 << 30


REBUILT = (
    "node_modules build dist target __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .gradle .next .nuxt "
    ".turbo .parcel-cache .eggs coverage htmlcov .svelte-kit .dart_tool storybook-static playwright-report "
    "test-results .cxx _build _site .angular .astro .build .docusaurus .nyc_output .output .stack-work .vite "
    ".zig-cache DerivedData dist-newstyle elm-stuff obj zig-out bin .cache cache tmp failures "
    ".coverage coverage.xml coverage.html coverage.out cover.out lcov.info .eslintcache .stylelintcache "
    "tsconfig.tsbuildinfo .DS_Store"
).split()
"""Names of directories and files that tools make again (`undo.rebuild`)."""


class Undo(NamedTuple):
    """What is kept of a project before each call that may change it (`[undo]`).

    Attributes:
        keep: seconds for which it is kept; 0 to keep nothing.
        include: patterns of files that are kept although git ignores them.
        without: patterns of files that are never kept (`except`).
        rebuild: names of directories and files that tools make again, which count only where git ignores them.
    """

    keep: float = 0.0
    include: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    rebuild: tuple[str, ...] = tuple(REBUILT)


class RefusedExecution(NamedTuple):
    """An execution beneath a call that a deny rule with `enforce = "exec"` refused.

    Attributes:
        argv: what was to be executed, its own name first; a long one is cut, and ends with `…`.
        pid: the process that asked.
        parent: the name of the program that asked.
        rule: the entry that says so, or why it could not be judged.
        source: where that is written, or None.
    """

    argv: tuple[str, ...]
    pid: int
    parent: str
    rule: str
    source: str | None


class NetworkUse(NamedTuple):
    """What came of one name on the network in one call.

    Attributes:
        name: the name, or an address.
        port: its port.
        allowed: whether it was reached; if not, every connection was refused.
        why: the reason, in words.
        call: the id of the call that ran; empty if none did.
        program: the command line of the first program that wanted it, as the program calls itself.
        by: who said so: `policy`, or who answered.
        connections: how many there were.
        sent: how many bytes went there.
        received: how many came from there.
    """

    name: str
    port: int
    allowed: bool
    why: str
    call: str = ""
    program: str = ""
    by: str = "policy"
    connections: int = 0
    sent: int = 0
    received: int = 0


class Execution(NamedTuple):
    """A run that got its yes; only the gate builds one.

    Attributes:
        id: the id of the call, unique on this machine.
        request: what was judged.
        argv: what is started, the program first.
        directory: the real path it starts in.
        environment: its whole environment; on a host, what is known of it here.
        limits: what it may use.
        approval: the consent.
        sandbox: what holds it.
        enforced: the deny rules that hold for whatever it starts.
    """

    id: str
    request: Request
    argv: tuple[str, ...]
    directory: str
    environment: Mapping[str, str]
    limits: Limits
    approval: Approval
    sandbox: Sandbox = Sandbox()
    enforced: tuple[Rule, ...] = ()


class Stream(NamedTuple):
    """What came out of one stream.

    Attributes:
        text: the output, or its head and tail where `file` is set.
        size: how many bytes came in all.
        lossy: whether bytes that are not UTF-8 became U+FFFD.
        file: where everything up to the spill limit is, or None where `text` is all of it.
    """

    text: str = ""
    size: int = 0
    lossy: bool = False
    file: str | None = None


class Failure(NamedTuple):
    """Why a process could not be started, or why its end is not known.

    Attributes:
        kind: what was wrong.
        message: the reason in words.
    """

    kind: Fault
    message: str


class Result(NamedTuple):
    """What came of a run.

    Attributes:
        stdout: its standard output.
        stderr: its standard error.
        exit_code: the exit status, or None where a signal ended it or it never started.
        signal: the signal that ended the main process, or None.
        failure: why it could not be started, or is lost; else None.
        pid: the main process, or None where none was started.
        background: the processes it left running.
        log: the file their later output goes to, or None.
        timed_out: whether a time limit ended it.
        seconds: how long it took.
        edited: what ran in place of the proposed command: the shell text, or the program and its arguments; None if
            nobody changed it.
        refused: the executions beneath it that were refused.
        sandbox: the sandbox it ran in.
        host: the machine that the processes and files are on; empty for this one.
    """

    stdout: Stream = Stream()
    stderr: Stream = Stream()
    exit_code: int | None = None
    signal: int | None = None
    failure: Failure | None = None
    pid: int | None = None
    background: tuple[int, ...] = ()
    log: str | None = None
    timed_out: bool = False
    seconds: float = 0.0
    edited: str | tuple[str, ...] | None = None
    refused: tuple[RefusedExecution, ...] = ()
    sandbox: SandboxMode = "off"
    host: str = ""


ELSEWHERE = Result()
"""The result from an executor that only lets an agent run the command: how that ends is not known here."""


class Record(NamedTuple):
    """What is written down about a call.

    Attributes:
        id: the id of the call, the same in all its records.
        event: what happened.
        call: what the agent sent.
        request: the call as asimi read it, or None if its parameters were wrong.
        decision: the decision, or None if there was none.
        approval: the answer, or None if nobody was asked and no rule allowed the call.
        result: the result; only in an `end`.
        refusal: why it was not run; only in a `refusal`.
    """

    id: str
    event: Event
    call: ToolCall
    request: Request | None = None
    decision: Decision | None = None
    approval: Approval | None = None
    result: Result | None = None
    refusal: Refusal | None = None
