"""The parts that decide about names on the network for a box: the configuration, answers, and the approver."""

from __future__ import annotations

import os

from asimi.core.startup import TYPE_CHECKING, nullcontext
from asimi.world.box.deciding import Deciding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from asimi.compose.boxed import Boxed
    from asimi.core.call import Approval, Reached
    from asimi.core.judging.names import Name
    from asimi.core.judging.reaching import Lists
    from asimi.world.box.deciding import Asked
    from asimi.world.box.groups import Member


def members_of(groups: Sequence[str], root: str, models: Sequence[str] = ()) -> dict[str, tuple[Member, ...]]:
    """Return the names of groups as they are now, by the person's own settings.

    Args:
        groups: the entries of `[network] allow` and `--reach`; those that are not groups are left out.
        root: the project root.
        models: where the agent's own configuration names hosts.
    """
    from asimi.core.judging.names import GROUPS
    from asimi.world.box.groups import Person, members
    from asimi.world.host.places import bases_of

    wanted = [each for each in dict.fromkeys(groups) if each in GROUPS]
    if not wanted:
        return {}
    bases = bases_of(os.environ)
    person = Person(bases.home, bases.config, os.environ, root, models)
    return {group: members(group, person) for group in wanted}


def in_words(groups: Mapping[str, Sequence[Member]]) -> list[str]:
    """A line for each name of some groups, with where it comes from."""
    return [f"{group}: {each.name} ({each.source})" for group, found in groups.items() for each in found]


def deciding_of(
    boxed: Boxed,
    names: Sequence[Name],
    needless: Sequence[str],
    agent: str,
    *,
    running: Callable[[], tuple[str, str]],
    told: Callable[[Reached], object],
) -> Deciding:
    """Return what decides about names for a box.

    Args:
        boxed: the parts of its gate.
        names: what the box reaches besides what the configuration allows: its own list, and its groups at the start.
        needless: names that the agent does without.
        agent: asimi's name for it; empty for a program that has no profile.
        running: gives the id of the call that runs, and its command; empty where none does.
        told: is told what came of a name.
    """
    from asimi.core.judging.names import name_of
    from asimi.core.judging.reaching import lists_of

    without = [name_of(each) for each in needless]

    def lists() -> Lists:
        network = boxed.configuration.settings().network
        return lists_of(network._replace(rules=(*network.rules, *boxed.gate.approvals.rules())), names, without)

    def ask(asked: Asked) -> Approval:
        from asimi.core.call import Place
        from asimi.core.judging.reaching import question_of
        from asimi.world.box.groups import named_in

        settings = boxed.configuration.settings()
        place = Place.at(boxed.configuration.root, boxed.configuration.root)
        wants = f"wanted by {asked.program or 'a program that has ended'}"
        command = running()[1]
        found = asked.found
        if file := named_in(boxed.configuration.root, asked.host):
            found = found._replace(why=f"{found.why}; the project's {file} names it")
        question = question_of(
            (asked.host, asked.port),
            found,
            place,
            f"{wants}, in the call: {command}" if command else wants,
            agent=agent or None,
            call=asked.call,
            session=boxed.gate.approvals.session,
            patience=settings.session.ask_timeout,
        )
        approval = _finished(boxed.asks(question.patience, nullcontext, asked.there).ask(question))
        if approval.rules:
            boxed.gate.approvals.remember(approval, question.request)
        return approval

    return Deciding(
        lists,
        ask,
        spend=lambda rule: boxed.gate.approvals.spend((rule,)),
        call=lambda: running()[0],
        told=told,
    )


def _finished(work: object) -> Approval:
    """The answer of a box's approver, which runs an event loop of its own if it waits."""
    try:
        work.send(None)  # type: ignore[attr-defined]
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise AssertionError("an approver of a box waited without an event loop")
