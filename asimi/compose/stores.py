"""What asimi keeps of what happens: log, approvals, rules of "always" and "never", confirmed checks, files for undo."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from asimi.compose import session_name
from asimi.core.errors import AsimiError, ConfigError
from asimi.core.judging.widths import is_task

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from asimi.compose import Options
    from asimi.core.call import Approval, Loss, Request, Session, Undo
    from asimi.core.judging.rules import Rule
    from asimi.core.settings import Settings
    from asimi.world.approvals import MemoryApprovals
    from asimi.world.approvals.tickets import TicketApprovals
    from asimi.world.audit import AuditLog
    from asimi.world.checks import ProjectChecks
    from asimi.world.config import Configuration
    from asimi.world.host.places import Places
    from asimi.world.undo.keeper import Keeper


def log_of(
    configuration: Configuration,
    session: str = "",
    tell: Callable[[str], object] | None = None,
    *,
    elsewhere: bool = False,
) -> AuditLog:
    """Return the log that this configuration wants.

    Args:
        configuration: what is in force.
        session: the session that its lines name.
        tell: gets what it lacks; standard error by default.
        elsewhere: whether an agent runs what is allowed.
    """
    from asimi.core.settings import State
    from asimi.world.audit import AuditLog

    def settings() -> Settings | None:
        try:
            return configuration.settings()
        except AsimiError:
            return None  # that it is broken is told where it matters, and the log goes on at its strictest

    return AuditLog(
        configuration.places.state,
        os.environ,
        required=lambda: (known := settings()) is None or known.audit.required,
        state=lambda: State() if (known := settings()) is None else known.state,
        session=session,
        tell=tell,
        elsewhere=elsewhere,
        copied=lambda: (known := settings()) is None or bool(known.team.server),
    )


def checks_of(where: Places) -> ProjectChecks:
    """Return the checks of projects, as this user has confirmed them."""
    from asimi.world.checks import ProjectChecks
    from asimi.world.config.projects import main_worktree_of

    return ProjectChecks(where.state, where.home, main_worktree_of)


def approvals_of(
    configuration: Configuration,
    session: Session | None,
    *,
    in_memory: bool = False,
    counted: Session | None = None,
    granted: Callable[[], Sequence[Rule]] = tuple,
) -> MemoryApprovals | TicketApprovals:
    """Return what was said yes to before.

    Args:
        configuration: what is in force.
        session: the session of several processes that keeps approvals, or None.
        in_memory: whether this process keeps them where there is no such session.
        counted: the session in which refusals count where there is neither; None where they do not.
        granted: gives the rules of the tasks that whoever calls was granted.
    """
    try:
        max_age = configuration.settings().session.max_age
    except ConfigError:  # every call is refused until the file is fixed; then this limit is a strict one
        max_age = 60.0
    runtime, shown = configuration.places.runtime, partial(_redacted_line, configuration)
    if session is None:
        from asimi.world.approvals import MemoryApprovals
        from asimi.world.approvals.sessions import process_session

        counted, refusals = process_session() if in_memory else counted, None
        if counted is not None:
            from asimi.world.approvals.tickets import refusals_of

            refusals = refusals_of(runtime, counted, configuration.key, shown)
        held = rule_writer_of(configuration)
        return MemoryApprovals(held, session=in_memory, max_age=max_age, refusals=refusals, granted=granted)
    from asimi.world.approvals.tickets import TicketApprovals

    held, key = rule_writer_of(configuration), configuration.key
    return TicketApprovals(runtime, session, key, held, max_age=max_age, shown=shown, granted=granted)


def _redacted_line(configuration: Configuration, request: Request) -> str:
    """Return a request as one line, as the log has it."""
    from asimi.core.syntax import line_of

    command, arguments = log_of(configuration).redact_request(request)
    return line_of(request._replace(command=command, arguments=None if arguments is None else tuple(arguments)))


def session_chosen(options: Options) -> Session | None:
    """Return the session that was chosen by name, else that of this terminal, if there is one.

    Raises:
        AsimiError: the name of the session cannot be one.
    """
    from asimi.world.approvals.sessions import session_of

    return session_of(session_name(options))


def rule_writer_of(configuration: Configuration) -> Callable[..., object]:
    """Return what keeps the rules of "always" and "never", and confirms checks that are meant as they are now."""

    def keep(rules: Sequence[Rule], *, project: bool = False, by: str = "") -> None:
        from asimi.core.judging.offers import is_confirming

        for rule in filter(is_confirming, rules):
            root = rule.directory or configuration.root
            with log_of(configuration).write_changes("checks", {"file": root, "by": "always"}):
                checks_of(configuration.places).confirm_as_seen(root, rule.answers)
        if left := [rule for rule in rules if not is_confirming(rule)]:
            from asimi.world.approvals.tasks import Tasks
            from asimi.world.config.store import RuleStore

            if is_task(left[0].source) and not configuration.settings().session.tasks:
                raise AsimiError("tasks = false forbids a task here, so nothing can be added to it")
            store, task = RuleStore(configuration), f"{left[0].source} gets " if is_task(left[0].source) else ""
            file = configuration.root if task else store.place_of_entries(project=project)
            said = [
                {"decision": each.verdict.word, "entry": task + each.entry, "file": file, "by": by} for each in left
            ]
            what = "always" if left[0].verdict.word == "allow" else "never"  # one answer is one or the other
            with log_of(configuration).write_changes("task widened" if task else what, *said):
                if task:
                    Tasks(configuration.places.runtime).widen(left)
                else:
                    store.remember(left, project=project)

    return keep


def remember_late(log: AuditLog, to: MemoryApprovals | TicketApprovals, given: Approval, request: Request) -> None:
    """Keep a yes to a call that was refused already, once it is in the log; what is for good has a line of its own."""
    rules = given.rules if given.scope == "session" else ()
    said = {"scope": given.scope, "by": given.by}
    with log.write_changes("late yes", *({"decision": r.verdict.word, "entry": r.entry} | said for r in rules)):
        to.remember(given, request)


class KeeperOnDemand:
    """The keeper of a project, made when something is to be kept: what only reads loads nothing of it.

    Args:
        configuration: what is in force.
        session: the name of the session.
    """

    def __init__(self, configuration: Configuration, session: str) -> None:
        self._configuration, self._session = configuration, session

    def before(self, name: str, request: Request, rests: Collection[Loss]) -> bool:
        """Keep what is there before a call; whether all that it may remove surely is."""
        return keeper_of(self._configuration, self._session).before(name, request, rests)

    def after(self, name: str) -> None:
        """Look at what a call has changed."""
        if (keeper := _kept.get((self._configuration.root, self._session))) is not None:
            keeper.after(name)


_kept: dict[tuple[str, str], Keeper] = {}
"""The keepers of this process, by the root and the session."""


def keeper_of(configuration: Configuration, session: str = "") -> Keeper:
    """Return what keeps the project of a configuration; none keeps what is no project.

    Args:
        configuration: what is in force.
        session: the name of the session.
    """
    known = _kept.get((configuration.root, session))
    if known is None:
        from asimi.world.host.terminal import printable, say
        from asimi.world.undo.keeper import Keeper

        where = configuration.places
        known = _kept[configuration.root, session] = Keeper(
            where.state,
            configuration.root,
            undo=lambda: of_project(configuration.settings().undo, configuration.root, where.home),
            limit=lambda: configuration.settings().state,
            own=(where.config, where.runtime),
            session=session,
            shown=partial(_redacted_line, configuration),
            tell=lambda text: say(printable(text)),
        )
    return known


def of_project(undo: Undo, root: str, home: str) -> Undo:
    """What a person says of undo, where a root is a project; else that nothing is kept."""
    from asimi.core.judging.zones import is_no_project

    return undo._replace(keep=0.0) if is_no_project(root, home) or os.name != "posix" else undo


def undone(loss: Loss, undo: Undo, *, state: str, root: str, home: str) -> str:
    """Say whether undo would bring something back; empty where it is off.

    Args:
        loss: what may go.
        undo: what a person says of undo.
        state: asimi's own directory.
        root: the project root.
        home: the home directory.
    """
    if not of_project(undo, root, home).keep:
        return ""
    keeper = next((each for (at, _), each in _kept.items() if at == root), None)
    if keeper is None:
        from asimi.core.settings import State
        from asimi.world.undo.keeper import Keeper

        keeper = Keeper(state, root, undo=lambda: undo, limit=State)
    return keeper.says(loss)


SLACK = 0.02
"""Seconds by which a file system's clock may be behind (clock_gettime(2), CLOCK_REALTIME_COARSE)."""


def may_be_downloaded(state: str, root: str, path: str) -> bool:
    """Say whether a call that used the network may have made a file, or changed it, as far as calls are kept.

    Args:
        state: asimi's own directory.
        root: the project root.
        path: the file's real path.
    """
    from asimi.core.call import Place, Request
    from asimi.core.errors import AsimiError
    from asimi.core.judging.rules import SHELL
    from asimi.core.reading import Readings
    from asimi.core.reading.checks import check_of
    from asimi.world.undo.calls import Calls
    from asimi.world.undo.keeper import directory_of

    try:
        there = os.lstat(path)
        made = {there.st_ctime, there.st_mtime}  # a move and a chmod change the first alone
    except OSError:
        return False  # the text itself makes it
    readings, place, until = Readings((), (), judge_substitutions=True), Place.at(root, root), float("inf")
    for each in reversed(Calls(os.path.join(directory_of(state, root), "calls")).all()):
        ended = each.ended if each.ended and not each.inside else until  # what is inside of a box may lie about an end
        if any(each.time <= at + SLACK and at <= ended + SLACK for at in made):
            try:
                reading = readings.of(Request(SHELL, each.command, None, place))
            except AsimiError:
                return True
            used = [each for each in reading.commands if "network" in (each.effects or ())]
            if any((check := check_of(each.words)) is None or not check.made for each in used):
                return True  # `go build -o x` takes modules, and makes code of this project
        until = each.time
    return False
