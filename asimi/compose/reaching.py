"""The parts that decide about names on the network for a box, or for the sandbox of one command.

These are the configuration, answers, and whoever is asked.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.world.approvers import in_turn
from asimi.world.box.name_decisions import NameDecider

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from asimi.compose.boxed import BoxParts
    from asimi.core.call import Approval, Execution, NetworkUse, Question
    from asimi.core.interfaces import Approvals, Approver
    from asimi.core.judging.names import Name
    from asimi.core.judging.network_verdict import Lists
    from asimi.world.box.groups import Member, Person
    from asimi.world.box.name_decisions import NameQuestion
    from asimi.world.config import Configuration
    from asimi.world.executors.confining.outlet import Outlet

OF_BOXES = frozenset({"@remotes", "@model"})
"""Groups that only a box has: it holds the file that names remotes, which a command could write; it has an agent."""

TICK = 0.2
"""Seconds between two looks whether anybody waits for an answer still."""

SHARE = 2, 512, 16384
"""A command's network may have one descriptor of so many that this process may open; at the least, and at the most."""


def members_of(groups: Sequence[str], root: str, models: Sequence[str] = ()) -> dict[str, tuple[Member, ...]]:
    """Return the names of groups as they are now, by the person's own settings.

    Args:
        groups: the entries of `[network] allow` and `--reach`; those that are not groups are left out.
        root: the project root.
        models: where the agent's own configuration names hosts.
    """
    from asimi.core.judging.names import GROUPS
    from asimi.world.box.groups import members

    wanted = [each for each in dict.fromkeys(groups) if each in GROUPS]
    return {group: members(group, person_of(root, models)) for group in wanted}


def person_of(root: str, models: Sequence[str] = ()) -> Person:
    """Return whose settings say what a box reaches, and how its agent starts; the arguments are as for `members_of`."""
    from asimi.world.box.groups import Person
    from asimi.world.host.places import bases_of

    bases = bases_of(os.environ)
    return Person(bases.home, bases.config, os.environ, root, models)


def in_words(groups: Mapping[str, Sequence[Member]]) -> list[str]:
    """A line for each name of some groups, with where it comes from."""
    return [f"{group}: {each.name} ({each.source})" for group, found in groups.items() for each in found]


def deciding_of(
    boxed: BoxParts,
    names: Sequence[Name],
    needless: Sequence[str],
    agent: str,
    *,
    running: Callable[[], tuple[str, str]],
    told: Callable[[NetworkUse], object],
) -> NameDecider:
    """Return what decides about names for a box.

    Args:
        boxed: the parts of its gate.
        names: what the box reaches besides what the configuration allows: its own list, and its groups at the start.
        needless: names that the agent does without.
        agent: asimi's name for it; empty for a program that has no profile.
        running: gives the id of the call that runs, and its command; empty where none does.
        told: is told what came of a name.
    """

    def ask_question(question: Question, there: Callable[[], bool], gone: str) -> Approval:
        from asimi.core.wording.explain import later_hint

        answer = _answer_without_loop(boxed.asks(question.patience, nullcontext, there, gone).ask(question))
        return answer._replace(note=later_hint(answer.later)) if answer.later else answer

    return _name_decider(
        boxed.configuration, boxed.gate.approvals, ask_question, names, needless, agent, running=running, told=told
    )


def outlet_of(
    configuration: Configuration, approvals: Approvals, approver: Approver | None, told: Callable[[NetworkUse], object]
) -> Callable[[Execution], Outlet]:
    """Return what makes the way out of the sandbox of one command, to names.

    Args:
        configuration: what is in force.
        approvals: what was said yes to before.
        approver: whoever is asked, in the event loop of the call; None for nobody.
        told: is told what came of a name.
    """

    def outlet(execution: Execution) -> Outlet:
        from asyncio import get_running_loop
        from threading import Event

        from asimi.core.syntax import line_of
        from asimi.world.box.network import RESOLVES, VARIABLES, Network
        from asimi.world.executors.confining.outlet import Outlet

        loop, over = get_running_loop(), Event()
        asking: list[Future[Approval]] = []
        allowed = configuration.settings().network.allow
        groups = members_of([each for each in allowed if each not in OF_BOXES], configuration.root)
        names = [member.name for group in groups.values() for member in group]

        def put(question: Question, there: Callable[[], bool], gone: str) -> Approval:
            from asyncio import Task, current_task, run_coroutine_threadsafe
            from concurrent.futures import CancelledError

            from asimi.core.call import Approval
            from asimi.world.box.name_decisions import NOBODY

            if approver is None:
                return NOBODY
            tasks: list[Task[Approval] | None] = []

            async def ask() -> Approval:
                tasks.append(current_task())
                return await in_turn(approver, question)

            asked = run_coroutine_threadsafe(ask(), loop)
            asking.append(asked)
            ended = ""
            while True:
                try:
                    return asked.result(TICK)
                except TimeoutError:
                    if asked.done():
                        raise
                    if over.is_set():
                        asked.cancel()
                    elif not (ended or there()) and tasks and tasks[0] is not None:
                        ended = gone
                        loop.call_soon_threadsafe(tasks[0].cancel, gone)  # the dialog says so, and ends
                except CancelledError:
                    return Approval(yes=False, by="nobody", note="nothing waits for it any more")

        running = execution.id, line_of(execution.request)
        deciding = _name_decider(configuration, approvals, put, names, running=lambda: running, told=told)

        def open_network(first: int) -> Callable[[], object]:
            from asimi.core.judging.names import GROUPS, name_of

            written = [name_of(each) for each in allowed if each not in GROUPS]
            machine = [each.port for each in written if each.host == "localhost"]
            network = Network(first, machine, (), deciding, room=_room())

            def close() -> None:
                over.set()
                for each in asking:
                    each.cancel()
                network.close()

            return close

        return Outlet(VARIABLES, RESOLVES, open_network)

    return outlet


def _name_decider(
    configuration: Configuration,
    approvals: Approvals,
    put: Callable[[Question, Callable[[], bool], str], Approval],
    names: Sequence[Name],
    needless: Sequence[str] = (),
    agent: str = "",
    *,
    running: Callable[[], tuple[str, str]],
    told: Callable[[NetworkUse], object],
) -> NameDecider:
    """Return what decides about names, by what holds now.

    Args:
        configuration: what is in force.
        approvals: what was said yes to before.
        put: puts a question to whoever is asked while somebody waits for the answer, and says these words after that.
        names: what is reached besides what the configuration allows.
        needless: names that are done without.
        agent: what asimi calls whoever wants them; empty for nobody that is described.
        running: gives the id of the call that runs, and its command.
        told: is told what came of a name.
    """
    from asimi.core.judging.names import name_of
    from asimi.core.judging.network_verdict import lists_of

    without = [name_of(each) for each in needless]

    def lists() -> Lists:
        network = configuration.settings().network
        return lists_of(network._replace(rules=(*network.rules, *approvals.rules())), names, without)

    def ask(asked: NameQuestion) -> Approval:
        from asimi.core.call import Place
        from asimi.core.judging.network_verdict import question_of
        from asimi.world.box.groups import named_in

        settings = configuration.settings()
        place = Place.at(configuration.root, configuration.root)
        wants = f"wanted by {asked.program or 'a program that has ended'}"
        command = running()[1]
        found = asked.found
        if file := named_in(configuration.root, asked.host):
            found = found._replace(why=f"{found.why}; the project's {file} names it")
        question = question_of(
            (asked.host, asked.port),
            found,
            place,
            f"{wants}, in the call: {command}" if command else wants,
            agent=agent or None,
            call=asked.call,
            session=approvals.session,
            patience=settings.session.ask_timeout,
        )
        who = asked.program.partition(" ")[0].rpartition("/")[2]
        approval = put(question, asked.there, f"{who or 'its program'} gave up")
        if approval.yes and approval.voice < question.decision.voice:
            approval = approval._replace(yes=False, rules=(), note="a rule wants this answered at a terminal")
        if approval.rules:
            approvals.remember(approval, question.request)
        return approval

    return NameDecider(
        lists,
        ask,
        spend=lambda rule: approvals.spend((rule,)),
        call=lambda: running()[0],
        told=told,
    )


def _room() -> int:
    """How many descriptors the network of one command may take."""
    from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit

    part, least, most = SHARE
    soft = getrlimit(RLIMIT_NOFILE)[0]
    return most if soft == RLIM_INFINITY else max(least, min(most, soft // part))


def _answer_without_loop(work: object) -> Approval:
    """The answer of a box's approver, which runs an event loop of its own if it waits."""
    try:
        work.send(None)  # type: ignore[attr-defined]
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise AssertionError("an approver of a box waited without an event loop")
