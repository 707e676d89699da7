"""What is known of an agent's hook, as data, and how an envelope is read and an answer is written by it.

Pure: an envelope is a JSON value, an answer is a text. Whatever does not look exactly as the data says raises, and the
driver blocks: agents pass each other's hooks on, in envelopes that only look alike.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from asimi.core import wire
from asimi.core.errors import AsimiError
from asimi.core.facts import content_in, facts_of, table_of
from asimi.core.values import NamedTuple
from asimi.doors.hooks import AGENTS, GUESTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal

    from asimi.core.call import Verdict

    JSON = Any

REASON = "{reason}"
"""Stands in an answer where the reason belongs."""


def pre_tool_use_answer(decision: str) -> dict[str, object]:
    """The answer to a call that is about to run, in the protocol of Claude Code, which others speak as well."""
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": REASON,
        }
    }


REQUEST_DENIED = {
    "hookSpecificOutput": {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "deny", "message": REASON},
    }
}
"""The answer to a request for a permission that is denied, in the same protocol."""


VS_CODE = (
    "VS Code's own agent reads this file too and calls the hook for each of its tools; asimi answers it by what its "
    "documentation says of them, asks there about tools that it does not know, and was never run in it."
)
"""What its documentation says (code.visualstudio.com/docs, customization/hooks, 2026-06): matchers are ignored."""

MANY, PATCH = "many", "patch"
"""What a tool does that reads paths and patterns of paths, and one that takes the text of a patch."""

COMMANDS = ("command", "commandLine", "cmd", "script")
"""Parameters that hold a command, in a tool that nobody knows."""

LOGIN, BASH, CMD, UNKNOWN = "login", "bash", "cmd", "unknown"
"""Which shell an agent starts: the person's own, always bash, one of Windows', or nobody knows which."""

SILENCE = ""
"""The answer of an agent that takes no word for an opinion."""

SECONDS = 600
"""How long agents wait for the hook, as `hook install` writes it; none of them is known to have a lower maximum."""


class Foreign(AsimiError):
    """An envelope that cannot be this agent's; `str()` says what is missing or wrong."""


class Event(NamedTuple):
    """One kind of question that an agent's hook gets, and how it is answered.

    Attributes:
        name: what the envelope calls it, and what the settings file calls it.
        allow: the answer that lets the command run.
        ask: the answer that makes the agent ask its person; None where it would run the command instead, or hang.
        deny: the answer that blocks.
        passes: the answer that says nothing, so the agent goes by its own rules.
        tool: the name that asimi gives to the tool that the event is about, where the envelope names none.
        at: the paths of the tool's name and of its parameters, where they are elsewhere than in the agent's other
            envelopes; None where they are not.
        entry: what is put into the list of its hooks, where that differs from the other events; None where not.
        installed: whether `hook install` puts the hook there.
        stops: whether the agent puts a full stop behind the reason.
    """

    name: str
    allow: JSON
    ask: JSON
    deny: JSON
    passes: JSON = SILENCE
    tool: str = ""
    at: tuple[str, str] | None = None
    entry: Mapping[str, JSON] | None = None
    installed: bool = True
    stops: bool = False


PRE_TOOL_USE = Event(
    "PreToolUse", pre_tool_use_answer("allow"), pre_tool_use_answer("ask"), pre_tool_use_answer("deny")
)
"""The question before a call is run, in the protocol of Claude Code, with an answer for each verdict."""


class End(NamedTuple):
    """What an agent tells of a command afterwards, which the log then says; it gets no answer.

    Attributes:
        name: what the envelope calls it, and what the settings file calls it.
        outcome: what it means: `ran`, `failed` or `not run`.
        sign: a path that only this envelope has, where envelopes do not name their event.
    """

    name: str
    outcome: str
    sign: str = ""


class SettingsFile(NamedTuple):
    """Where an agent's hooks are configured.

    Attributes:
        file: the person's own file, below the home directory.
        moved: the environment variable that names another directory, and the file below that; None where there is none.
        event: the keys that lead to the list of an event's hooks; the event's name stands for `{event}`.
        entry: what is put into that list, with `{command}` where the command line belongs.
        end: the same for what it tells afterwards.
        base: what a new file holds besides.
        command_key: the key in that entry whose value is the command line.
        plugin: the text of the file, where it is a plug-in of the agent's and no settings: `{command}` stands for the
            command line as a string of JavaScript's.
    """

    file: str
    event: tuple[str, ...] = ()
    entry: Mapping[str, JSON] = {}
    moved: tuple[str, str] | None = None
    end: Mapping[str, JSON] = {}
    base: Mapping[str, JSON] = {}
    command_key: str = "command"
    plugin: str = ""


class Plug(NamedTuple):
    """The same hook as a plug-in that the agent installs itself.

    Attributes:
        name: what the agent calls it.
        files: the directory of its files, below `asimi/hooks`.
        noted: where the agent notes which plug-ins it has, beside its settings.
        enabled: the key in its settings that says which of them are on.
        root: the variable that says where the plug-in is, in its hooks' command lines.
    """

    name: str
    files: str
    noted: str
    enabled: str
    root: str


class Transcript(NamedTuple):
    """What an agent writes down of a session before it asks its hook, as JSON lines.

    Attributes:
        file: the key of its name in the envelope.
        calls: the types of entries that are calls.
        tools: the model's tools that run commands, with the parameter that holds the command.
        shell: the parameter that names a shell.
        directory: the parameter that says where it will run.
    """

    file: str
    calls: tuple[str, ...]
    tools: Mapping[str, str]
    shell: str
    directory: str


class FileTool(NamedTuple):
    """How a tool of an agent's that touches files takes its parameters.

    Attributes:
        does: `read`, `search`, `list`, `write` or `delete` (`asimi.core.files`); `many` or `patch`.
        paths: the parameters that hold a path, or a list of them; of a patch, those that may hold its text.
        here: whether it means the working directory where no path is given.
        text: of a write, the parameter that holds the whole new content, or empty.
        old, new: of a write, the parameters that hold a text and what replaces it, or empty.
        edits: of a write, the parameter that holds a list of such pairs, or empty.
        names: of a search or a list, the parameter that holds a pattern of names, or several, or empty.
    """

    does: str
    paths: tuple[str, ...]
    here: bool
    text: str = ""
    old: str = ""
    new: str = ""
    edits: str = ""
    names: str = ""


def file_tools(agent: str) -> dict[str, FileTool]:
    """The tools of an agent that touch files, as `tools.txt` has them."""
    found = {}
    for name, said in table_of(facts_of(__package__, "tools")[agent]).items():
        does, paths, *rest = said.split()
        named = dict(each.split("=") for each in rest if each != "here")
        found[name] = FileTool(does, tuple(paths.split(",")), "here" in rest, **named)
    return found


class Mode(NamedTuple):
    """What an agent makes of *ask* in one of its modes.

    Attributes:
        name: what its person calls the mode.
        does: it asks its person, runs the command, or refuses it and asks nobody; or nobody knows.
        known: in which version and how that was seen, or who says so.
        path: where its envelope, or with `$` its environment, tells of the mode; empty where nothing does.
        value: what is there; empty for anything.
    """

    name: str
    does: Literal["asks", "runs", "refuses", "unknown"]
    known: str
    path: str = ""
    value: str = ""


class Agent(NamedTuple):
    """All that is known of one agent's hook.

    A path is a string of keys with dots between them; one that begins with `$` names an environment variable instead.

    Attributes:
        name: what asimi calls it.
        title: what people call it.
        known: which versions of it this is known of, how, and since when.
        event: the path of the event's name; empty where there is one event and no name.
        events: the questions that are understood.
        ends: what it tells of a command afterwards.
        present: paths that every envelope has, with the type of what is there.
        absent: paths that only another agent's envelope has.
        tool: the path of the tool's name; empty where the event is about commands alone.
        tools: the tools that run commands, with the shell that each starts.
        files: the tools that touch files, with how each takes its parameters.
        harmless: where the hook is asked about every tool and asks about those that nobody knows, the tools that it
            lets pass; else None.
        guests: other programs that read the same settings, whose envelopes are answered as theirs.
        shells: variables of the environment that name the person's own shell, which it starts for LOGIN.
        unreadable: tools that reach a shell in a way that cannot be judged, with the words for it.
        others: whether the hook is asked about tools that run no command, which it then lets pass.
        input: the path of the tool's parameters, which may be a string of JSON; empty for the envelope itself.
        command: the parameter that holds the command.
        optional: whether a tool may lack the command, and then runs none.
        description: the parameter that holds the agent's words for it, or empty.
        directory: parameters and paths that say where it will run, the first that is there counts.
        roots: paths that name the project root, the first that is there counts; none where the hook is started in it.
        transcript: where it says of a call what the envelope does not; None where the envelope says all.
        session: the path of the session's id, or empty.
        call: the path of the id of the call, or empty.
        background: the parameter that leaves a command running when its call has ended, or empty.
        error, milliseconds: the paths of what it says of an end besides, and of how long that took, or empty.
        modes: what it makes of *ask* in each mode. The first counts of which the envelope tells; where it tells of
            none, it may be any of those of which nothing tells.
        starts: the path in its settings of the mode in which it starts, and the mode where they say none; empty where
            they never say one.
        seconds: how long the agent waits for the hook, as `hook install` writes it.
        settings: where its hooks are configured.
        managed: the administrator's file, below the root directory; None where the agent has none.
        plug: the same hook as a plug-in; None where there is none.
        off: switches that turn hooks off, as paths and the value that does so, or that a list then holds.
        switches: files besides the settings file that may hold such switches, or hooks of others: the person's, beside
            it, and those of a project, in any directory from the working directory upward; `*` stands for any name.
        environment: where such a file sets variables for what the agent starts; empty where none does.
        variables: files of variables, `NAME=VALUE` a line, that the agent reads from the working directory upward.
        advised: a switch in the settings file that its person should set: its path, the value, and what for.
        trust: where the agent notes that its person trusts a hook: the file beside the settings, the table in it, and
            what the person does; None where there is no such thing.
        left: what its person has to do besides.
        notes: what its person should know.
    """

    name: str
    title: str
    known: str
    events: tuple[Event, ...]
    present: Mapping[str, type]
    roots: tuple[str, ...]
    settings: SettingsFile
    command: str
    event: str = "hook_event_name"
    absent: tuple[str, ...] = ()
    tool: str = "tool_name"
    tools: Mapping[str, str] = {}
    files: Mapping[str, FileTool] = {}
    harmless: frozenset[str] | None = None
    guests: tuple[str, ...] = ()
    shells: tuple[str, ...] = ("SHELL",)
    unreadable: Mapping[str, str] = {}
    others: bool = False
    input: str = "tool_input"
    optional: tuple[str, ...] = ()
    description: str = "description"
    directory: tuple[str, ...] = ("cwd",)
    transcript: Transcript | None = None
    session: str = "session_id"
    call: str = ""
    ends: tuple[End, ...] = ()
    background: str = ""
    error: str = ""
    milliseconds: str = ""
    modes: tuple[Mode, ...] = ()
    starts: tuple[str, str] = ("", "")
    seconds: int = SECONDS
    managed: SettingsFile | None = None
    plug: Plug | None = None
    off: Mapping[str, JSON] = {}
    switches: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    environment: str = ""
    variables: tuple[str, ...] = ()
    advised: tuple[str, JSON, str] | None = None
    trust: tuple[str, str, str] | None = None
    left: str = ""
    notes: tuple[str, ...] = ()


class Envelope(NamedTuple):
    """What an envelope says.

    Attributes:
        event: which question it is, or of what it tells.
        tool: the agent's name of the tool; empty where it says none.
        command: the shell text that would run; None where the tool runs no command.
        file: how a tool takes its parameters that touches files; None for any other.
        given: its parameters.
        stranger: whether nobody knows what the tool does, and where that is so asimi asks.
        shell: which shell will read it: LOGIN, BASH, CMD or UNKNOWN.
        description: the agent's words for it.
        directory: where it would run, absolute or relative to the root; empty for the root.
        root: the project root.
        session: the agent's own id of its session; empty where it has none.
        call: the agent's own id of the call; empty where it has none.
        asks: whether the agent is known to ask its person here.
        unsure: whether it may refuse instead, because nothing tells if anybody is there.
        background: whether the command goes on when its call has ended.
        error: what it says of an end besides.
        seconds: how long the command ran; None where it does not say.
    """

    event: Event | End
    tool: str
    command: str | None
    file: FileTool | None
    given: Mapping[str, JSON]
    stranger: bool
    shell: str
    description: str
    directory: str
    root: str
    session: str
    call: str
    asks: bool
    unsure: bool
    background: bool
    error: str
    seconds: float | None

    @property
    def has_action(self) -> bool:
        """Whether there is something to judge."""
        return self.command is not None or self.file is not None or self.stranger


def agent_of(name: str) -> Agent:
    """The data of an agent, or of a program that reads the settings of one.

    Raises:
        AsimiError: there is none of that name.
    """
    if name not in (*AGENTS, *GUESTS):
        raise AsimiError(f"There is no agent {name!r}; asimi knows {', '.join(AGENTS)}")
    agent = import_module(f"asimi.doors.hooks.{name.replace('-', '_')}").AGENT
    assert isinstance(agent, Agent)
    return agent


def sample_of(agent: Agent) -> dict[str, JSON]:
    """An envelope of an agent's, with `{command}` and `{directory}` where these stand."""
    sample: dict[str, JSON] = wire.loads(content_in(__package__, "samples.json").decode())[agent.name]
    return sample


def recognise(agent: Agent, raw: bytes) -> tuple[Agent, Event | End, JSON]:
    """Whose envelope it is, which question it asks or what it tells, and the envelope.

    Args:
        agent: whose hook it came to.
        raw: what came.

    Raises:
        Foreign: it is not an envelope of this agent's, or of a program that reads its settings.
        MalformedJsonError: it is not valid JSON, or JSON with two readings.
    """
    try:
        envelope = wire.loads(raw.removeprefix(b"\xef\xbb\xbf").decode())
    except UnicodeDecodeError:
        raise Foreign("it is not UTF-8") from None
    if not isinstance(envelope, dict):
        raise Foreign("it is not a JSON object")
    try:
        return agent, _identify_event(agent, envelope), envelope
    except Foreign:
        for guest in map(agent_of, agent.guests):
            with suppress(Foreign):
                return guest, _identify_event(guest, envelope), envelope
        raise


def _identify_event(agent: Agent, envelope: JSON) -> Event | End:
    """Which question of an agent an envelope asks, or of what it tells.

    Raises:
        Foreign: it is not an envelope of this agent's.
    """
    for path, kind in agent.present.items():
        _value_of_type(envelope, path, kind)
    for path in agent.absent:
        if _at(envelope, path) is not None:
            raise Foreign(f"it has {path}, which {agent.title} does not send; another agent seems to use this hook")
    return _event(agent, envelope)


def read(agent: Agent, event: Event | End, envelope: JSON, environ: Mapping[str, str]) -> Envelope:
    """What a recognised envelope says.

    Raises:
        Foreign: it is not an envelope as this agent is known to send them.
        MalformedJsonError: parameters in it are a string that is not valid JSON, or JSON with two readings.
    """
    if isinstance(event, Event) and event.at is not None:
        agent = agent._replace(tool=event.at[0], input=event.at[1])
    named = event.tool if isinstance(event, Event) else ""
    tool = _value_of_type(envelope, agent.tool, str) if agent.tool else named
    if tool in agent.unreadable:
        raise Foreign(agent.unreadable[tool])
    shell, file = agent.tools.get(tool), agent.files.get(tool)
    if shell is None and file is None and not agent.others:
        raise Foreign(f"it is about the tool {tool!r}, and this hook is for {', '.join((*agent.tools, *agent.files))}")
    known = shell is not None or file is not None
    given = parameters(agent, envelope) if known or agent.harmless is not None else {}
    command = given.get(agent.command) if file is None else None
    if not known and agent.harmless is not None:
        command = next((text for name in COMMANDS if (text := given.get(name)) is not None), None)
        shell = UNKNOWN if command is not None else None
    if command is None and tool in agent.optional:
        shell = None
    if shell is not None and not isinstance(command, str):
        raise Foreign(f"its command, {agent.command}, is missing or not a string")
    description = given.get(agent.description) if agent.description else None
    modes = modes_of(agent, envelope, environ)
    return Envelope(
        event,
        tool,
        command if shell is not None else None,
        file,
        given if file is not None else {},
        agent.harmless is not None and shell is None and file is None and tool not in agent.harmless,
        shell or BASH,
        description if isinstance(description, str) else "",
        _first(agent.directory, given, envelope, environ),
        _first(agent.roots, given, envelope, environ),
        _text(envelope, agent.session),
        _text(envelope, agent.call),
        isinstance(event, Event) and event.ask is not None and asks(modes),
        any(mode.does == "refuses" for mode in modes),
        bool(agent.background and given.get(agent.background)),
        _text(envelope, agent.error),
        round(took / 1000, 3) if isinstance(took := _at(envelope, agent.milliseconds), (int, float)) else None,
    )


def answer_text(event: Event, verdict: Verdict | None, reason: str) -> str:
    """The answer to a question, as the text that the agent reads; empty for silence; None as verdict says nothing."""
    answer = event.passes if verdict is None else (event.allow, event.ask, event.deny)[verdict]
    assert answer is not None  # what it has no answer for is never said
    if answer == SILENCE:
        return ""
    return wire.dumps(_fill_reason(answer, reason.removesuffix(".") if event.stops else reason))


def _event(agent: Agent, envelope: JSON) -> Event | End:
    """Which question an envelope asks, or of what it tells.

    Raises:
        Foreign: none that is understood.
    """
    if not agent.event:
        told = (end for end in agent.ends if _at(envelope, end.sign) is not None)
        return next(told, agent.events[0])
    name = _value_of_type(envelope, agent.event, str)
    understood: list[Event | End] = [*agent.events, *agent.ends]
    for event in understood:
        if event.name == name:
            return event
    raise Foreign(f"its event is {name!r}, and this hook is for {', '.join(event.name for event in agent.events)}")


def parameters(agent: Agent, envelope: JSON) -> dict[str, JSON]:
    """The parameters of the tool.

    Raises:
        Foreign: they are missing or not an object.
        MalformedJsonError: they are a string that is not valid JSON.
    """
    given = _at(envelope, agent.input) if agent.input else envelope
    if isinstance(given, str):
        given = wire.loads(given)
    if not isinstance(given, dict):
        raise Foreign(f"its parameters, {agent.input}, are missing or not an object")
    return given


def says_it_asks(agent: Agent) -> bool:
    """Whether the agent's envelopes say that it asks its person, so what was left to its prompt was asked there."""
    return any(mode.does == "asks" and mode.path for mode in agent.modes)


def asks(modes: Sequence[Mode]) -> bool:
    """Whether an agent in one of some modes can be told to ask: it asks its person, or refuses, and never runs it."""
    may = {mode.does for mode in modes}
    return "asks" in may and may <= {"asks", "refuses"}


def asker(agent: Agent, mode: Mode) -> str:
    """From whom a question comes in a mode, in words."""
    if not asks([mode] if mode.path else [each for each in agent.modes if not each.path]):
        return "asimi"
    return "its own prompt" if mode.does == "asks" else "nobody: it is refused"


def modes_of(agent: Agent, envelope: JSON, environ: Mapping[str, str]) -> tuple[Mode, ...]:
    """The modes in which the agent may be; none where it is in one that nobody knows."""
    for mode in agent.modes:
        if mode.path:
            found = environ.get(mode.path[1:]) if mode.path.startswith("$") else _at(envelope, mode.path)
            if found == mode.value if mode.value else found is not None:
                return (mode,)
    return tuple(mode for mode in agent.modes if not mode.path)


def _first(paths: tuple[str, ...], given: JSON, envelope: JSON, environ: Mapping[str, str]) -> str:
    """The first string that is at one of some paths: in the environment, the parameters, or the envelope."""
    for path in paths:
        found = environ.get(path[1:]) if path.startswith("$") else given.get(path) or _at(envelope, path)
        if isinstance(found, str) and found:
            return found
    return ""


def _text(envelope: JSON, path: str) -> str:
    """What is at a path, as text; empty where nothing is, or there is no such path."""
    return str(_at(envelope, path) or "") if path else ""


def _value_of_type(envelope: JSON, path: str, kind: type) -> Any:
    """What is at a path.

    Raises:
        Foreign: it is missing or of another type.
    """
    found = _at(envelope, path)
    if not isinstance(found, kind):
        raise Foreign(f"its {path} is {'missing' if found is None else 'of the wrong type'}")
    return found


def _at(value: JSON, path: str) -> JSON:
    """What is at a path; None where nothing is."""
    for key in path.split("."):
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def _fill_reason(answer: JSON, reason: str) -> JSON:
    """An answer with the reason in its place."""
    if isinstance(answer, dict):
        return {key: _fill_reason(value, reason) for key, value in answer.items()}
    return reason if answer == REASON else answer
