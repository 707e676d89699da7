"""`asimi task`: one yes for a task, given at a terminal, to one agent."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.compose.tasks import example_of, installs, rules_for
from asimi.core.errors import AsimiError
from asimi.core.judging.widths import bounds_of, sentences, word_to_type
from asimi.doors.cli.base import Command, UsageError, application, option_named, options_of
from asimi.doors.cli.printing import fit, out, plural, with_bars
from asimi.doors.cli.require_person import choose_word, forbidden, require_person, seconds_of
from asimi.world.approvals.tasks import LONGEST, Task, Tasks, holder_of
from asimi.world.audit.reading import records
from asimi.world.host.agents import left_running
from asimi.world.host.clock import awake, boot_id
from asimi.world.host.nested import started_at
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.rules import Rule
    from asimi.world.config import Configuration

SENTENCES = 7
"""The most that a person is asked to read before they grant one."""

NO_FILES = "Files ask all the same: without `keep` in [undo], asimi cannot tell who made one (asimi config init)."
"""What is said where a person grants code, and calls are not kept for undo."""

LATEST = 5
"""Commands that ran under a task, of which so many are shown."""

task = application()

Names = list[str] | None


@task.command(cls=Command)
def _task(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS | done [ID] | propose WORDS]", show_default=False)
    ] = None,
    code: Annotated[bool, option_named("--code", "Run any code that the agent writes here.")] = False,  # noqa: FBT002
    install: Annotated[bool, option_named("--install", "Install what a lock file here names now.")] = False,  # noqa: FBT002
    scripts: Annotated[bool, option_named("--scripts", "With --install: scripts and builds may run, too.")] = False,  # noqa: ARG001, FBT002 - of these, `context.params` has what counts
    push: Annotated[Names, option_named("--push", "Push this branch.", "REMOTE BRANCH")] = None,
    container: Annotated[Names, option_named("--container", "Run any command in this container.", "NAME")] = None,
    script: Annotated[Names, option_named("--script", "Run this script of package.json.", "NAME")] = None,
    like: Annotated[Names, option_named("--like", "Do the same as COMMAND to the same objects.", "COMMAND")] = None,
    reach: Annotated[Names, option_named("--reach", "Reach this host from a box.", "NAME")] = None,
    until: Annotated[str, typer.Option("--until", metavar="TIME", help="How long: 30m, 4h; at most 8h.")] = "4h",
    agent: Annotated[int, option_named("--for", "For this agent, or this `asimi wrap`.", "PID")] = 0,
) -> None:
    """Let one agent do what a task needs here, without a question; without WORDS, list the tasks.

    A task allows what its options name and nothing else. It is for the agent that --for names, or for the next one
    that calls here. It ends with its time, with its agent, or when the machine restarts. Your rules that deny or ask
    still count. asimi also still asks about secrets, about what you would lose, and about what is outside of the
    project. You confirm a task at a terminal.

    `asimi task done` ends it, and `asimi undo --task ID` takes back what undo kept. An agent may propose a task
    (`asimi task propose`), which waits here until you say yes or no. An administrator's file can forbid tasks (tasks =
    false in [session]).

    Example: `asimi task "fix the login" --code --install --push "origin fix/login" --until 2h`.
    """
    options, words = options_of(context), words or []
    if options.host:
        raise UsageError("asimi task is for this machine; --host means nothing here.")
    configuration = configuration_of(options)
    if words[:1] == ["done"]:
        _end(configuration, "".join(words[1:2]))
        return
    if words[:1] == ["propose"]:
        raise AsimiError("An agent proposes a task by its hook; there is none here")
    if len(words) > 1:
        raise UsageError(f"Quote the words of the task: asimi task {' '.join(words)!r}")
    if not words:
        if code or install or push or container or script or like or reach:
            raise UsageError("Say what the task is, in words of yours.")
        _grant_proposed(configuration)
        _list(configuration)
        return
    _grant(configuration, words[0], _rules(configuration, context.params), until, agent)


def _rules(configuration: Configuration, given: Mapping[str, Any]) -> Sequence[Rule]:
    """Return the rules of what the options name.

    Raises:
        AsimiError: one names nothing that is known here.
    """
    forms = {"like": "{}", "push": "git push {}", "script": "npm run {}", "container": "docker exec {} true"}
    commands = [form.format(each) for name, form in forms.items() for each in given[name] or ()]
    commands += installs(configuration, scripts=given["scripts"]) if given["install"] or given["scripts"] else []
    return rules_for(configuration, commands, code=given["code"], reach=given["reach"] or ())


def _grant(
    configuration: Configuration, words: str, rules: Sequence[Rule], until: str, pid: int, *, proposed: bool = False
) -> None:
    """Grant a task after a person's yes.

    Raises:
        AsimiError: the configuration forbids it, or no person is here.
    """
    require_person("grant a task")
    if not configuration.settings().session.tasks:
        raise forbidden(configuration, "tasks", "asimi task")
    seconds, bounds = seconds_of(until), bounds_of(rules)
    if not rules or len(words) > LONGEST:
        raise UsageError("A task needs at least one of its options: without, it would allow nothing.")
    if pid and not started_at(pid):
        raise AsimiError(f"There is no process {pid}")
    whose = f"for {_process_name(pid)}" if pid else "for the next agent that calls here"
    said = [
        f"For {until}, {whose}, in {printable(configuration.root)}{'' if proposed else f': {printable(words)}'}.",
        *map(printable, sentences(bounds)),
        f"One command that it would allow: {printable(example_of(rules))}",
    ]
    if len(said) > SENTENCES:
        raise UsageError("So many widths are more than anybody reads; grant fewer.")
    shown = [*map(fit, said)]
    if proposed:
        shown += [fit("This asimi would allow. The agent, or whoever wrote what it reads, says:"), with_bars([words])]
    word = word_to_type(bounds)
    if word and not configuration.settings().undo.keep:
        shown.append(fit(NO_FILES))
    shown.append(f"Type {word} to grant it." if word else "Do you want that?")
    if choose_word("\n".join(shown), (word or "yes", "no"), whole=bool(word)) == "no":
        raise typer.Exit(126)
    holder = holder_of(pid, started_at(pid)) if pid else ""
    name = os.urandom(3).hex()
    new = Task(name, words, configuration.root, tuple(rules), boot_id(), awake() + seconds, time.time(), holder)
    kept = {"decision": "allow", "entry": new.source, "file": configuration.root, "by": "terminal"}
    with log_of(configuration).write_changes("task", kept | {"until": until}):
        Tasks(configuration.places.runtime).grant(new)
    out(fit(f"granted  {name}  {printable(words)}, {whose}, for {until}"))
    out(fit("next     asimi task  shows what ran and what is left; asimi task done  ends it", indent=9))


def _grant_proposed(configuration: Configuration) -> None:
    """Show what an agent proposes here, and grant or refuse it as the person says."""
    tasks = Tasks(configuration.places.runtime)
    proposal = tasks.proposal(configuration.root)
    if proposal is None or not os.isatty(0):
        return
    pid = int(proposal.holder.partition(" ")[0])
    try:
        given = typer.main.get_command(task).make_context("task propose", [*proposal.words]).params
        (words,) = given["words"] or ("",)
        _grant(configuration, words, _rules(configuration, given), given["until"], pid, proposed=True)
    except (typer.Exit, AsimiError, UsageError, ValueError, SystemExit) as error:
        tasks.refuse(proposal)
        out(fit(f"refused  what {_process_name(pid)} proposed{'' if isinstance(error, typer.Exit) else f': {error}'}"))


def _list(configuration: Configuration) -> None:
    """Show what is granted here, what ran under it, and what it would still allow."""
    tasks = [each for each in Tasks(configuration.places.runtime).all() if each.root == configuration.root]
    for each in tasks:
        pid = int(each.holder.partition(" ")[0] or 0)
        left = f"{int(each.seconds_left // 3600)}:{int(each.seconds_left // 60) % 60:02} left"
        whose = f"for {_process_name(pid)}" if pid else "for the next agent that calls here"
        out(fit(f"{each.id}  {printable(each.words)}  ({left}, {whose})", indent=8))
        for line in (*sentences(bounds_of(each.rules)), f"It would still allow: {example_of(each.rules)}"):
            out(fit(f"        {printable(line)}", indent=8))
        ran = [str(call.get("command")) for call in under(configuration, each.id)]
        out(fit(f"        {plural(len(ran), 'call')} ran under it{':' if ran else '.'}", indent=8))
        for command in ran[-LATEST:]:
            out(fit(f"          {printable(command)}", indent=12))
    if not tasks:
        out("No task is granted here.")


def under(configuration: Configuration, name: str) -> Iterator[dict[str, Any]]:
    """Yield the calls that ran under a task, as the log has them, the oldest first.

    Args:
        configuration: what is in force.
        name: the id of the task.
    """
    for each in records(configuration.places.state, begins=True):
        sources = (str(reason.get("source")) for reason in each.get("reasons", ()))
        if each.get("event") == "start" and any(source.startswith(f"task {name}: ") for source in sources):
            yield each


def _end(configuration: Configuration, name: str) -> None:
    """End the tasks of this project, or the one of an id, and say what still runs.

    Raises:
        AsimiError: there is none.
    """
    tasks = Tasks(configuration.places.runtime)
    ended = [each for each in tasks.all() if each.root == configuration.root and name in {"", each.id}]
    if not ended:
        raise AsimiError(f"There is no task {name}".rstrip() + " here; asimi task lists them")
    for each in ended:
        with log_of(configuration).write_changes("task done", {"entry": each.source, "file": each.root}):
            tasks.end({each.id})
        out(fit(f"ended  {each.id}  {printable(each.words)}"))
        pid = int(each.holder.partition(" ")[0] or 0)
        for running, _ in sorted(left_running(each.since, each.root, pid) if pid else ()):
            out(fit(f"runs on  {_process_name(running)}"))


def _process_name(pid: int) -> str:
    """Return a process as people know it."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return f"{printable(file.read().strip())} (process {pid})"
    except OSError:
        return f"process {pid}"
