"""`asimi policy import`: takes over the permissions of other agents, once a person saw what they would allow."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from asimi.compose.asking import at_a_terminal
from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.call import Place, Request, Verdict, is_below
from asimi.core.errors import AsimiError
from asimi.core.extras import is_installed, load
from asimi.core.judging.rules import SHELL
from asimi.core.programs import find, is_builtin
from asimi.core.syntax import quote
from asimi.core.values import NamedTuple
from asimi.core.wire import dumps
from asimi.core.wording.breadth import breadth
from asimi.doors.cli.base import UsageError
from asimi.doors.cli.printing import fit, out, plural
from asimi.doors.cli.progress import with_progress
from asimi.doors.cli.require_person import UNATTENDED, confirm_at_terminal
from asimi.extras.permissions import NAMES, agent_of
from asimi.extras.permissions.entries import Where, source_at
from asimi.extras.permissions.proving import by_rules, entries_of, proved
from asimi.world.config.rule_files import ImportedRules, is_same, key
from asimi.world.config.store import RuleStore
from asimi.world.host.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asimi.compose import Options
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import Rule
    from asimi.extras.permissions.entries import Agent, Permission, Source
    from asimi.world.config import Configuration


class Found(NamedTuple):
    """The entries that were read of one agent.

    Attributes:
        agent: the agent.
        permissions: its entries, each held to its examples.
        whole: whether these are all its files, so that a scope in which it says nothing now is emptied.
    """

    agent: Agent
    permissions: list[Permission]
    whole: bool


def found(configuration: Configuration, names: Sequence[str]) -> list[Found]:
    """Return what agents and files say; every agent that has something, where nothing is named.

    Raises:
        UsageError: a name is neither an agent nor a file.
        AsimiError: a file cannot be used.
    """
    where = Where(configuration.places.home, configuration.root, os.environ)
    agents = {name: agent_of(name) for name in NAMES}
    sources = {name: _files_of(agents[name], where) for name in names or NAMES if name in agents}
    for path in (name for name in names if name not in agents):
        source, agent = _file(configuration, path, agents.values(), where)
        sources.setdefault(agent.name, []).append(source)
    return [
        Found(agents[name], _proved(configuration, entries_of(agents[name], there, where)), name in (names or NAMES))
        for name, there in sources.items()
        if there or name in names
    ]


def _files_of(agent: Agent, where: Where) -> list[Source]:
    """An agent's files; whatever is in the project is the project's, even where a variable calls it the person's."""
    inside = not is_below(where.home, where.root)
    return [
        each._replace(own=each.own and not (inside and is_below(os.path.realpath(each.path), where.root)))
        for each in agent.find(where)
    ]


def _file(configuration: Configuration, path: str, agents: Iterable[Agent], where: Where) -> tuple[Source, Agent]:
    """Return a file that was named, and whose it is.

    Raises:
        UsageError: there is no such file.
        AsimiError: it is not known whose it is, or it cannot be read.
    """
    real = os.path.realpath(path)
    source = source_at(real, own=False)
    if source is None:
        raise UsageError(f"{path!r} is neither a file nor an agent; the agents are {', '.join(NAMES)}.")
    for agent in agents:
        if agent.knows(real, source.text):
            own = any(os.path.realpath(each.path) == real and each.own for each in _files_of(agent, where))
            for_all = configuration.is_unattended and not is_below(real, configuration.root)
            return source._replace(own=own or for_all), agent
    raise AsimiError(f"{path}: is not a file of permissions that asimi knows; name one of {', '.join(NAMES)}")


def _proved(configuration: Configuration, permissions: Sequence[Permission]) -> list[Permission]:
    def judged(some: Sequence[Permission]) -> Policy:
        if not any(each.deny or each.secret for each in some):
            return by_rules(some)
        return configuration.alone(taken_from("", some))

    some = with_progress(
        [_usable(configuration, each) for each in permissions], "Judging the examples", len(permissions)
    )
    return proved(some, configuration.root, judged)


def _usable(configuration: Configuration, permission: Permission) -> Permission:
    """An entry, unless it allows a file where others may put any; with a warning where its program is not known."""
    policy, place = configuration.settings().policy, Place.at(configuration.root, configuration.root)
    for rule in permission.rules:
        words = tuple(each[0] for each in rule.words or ())
        if rule.verdict is not Verdict.ALLOW or not words:
            continue
        request = Request(SHELL, " ".join(map(quote, words)), None, place)
        if any("/" in each for each in words) and (why := policy.bar_reason(rule, request)):
            return permission.skipped(why)
        known = "/" in words[0] or is_builtin(words[0]) or find(words[0]) or shutil.which(words[0])
        if not known and not permission.why:
            return permission._replace(why=f"there is no program {words[0]} here, and asimi knows none")
    return permission


def taken_from(agent: str, permissions: Iterable[Permission]) -> ImportedRules:
    """Return all that some entries become."""
    some = tuple(permissions)
    rules = dict.fromkeys(rule for each in some for rule in each.rules)
    deny = dict.fromkeys(pattern for each in some for pattern in each.deny)
    secret = dict.fromkeys(pattern for each in some for pattern in each.secret)
    return ImportedRules(agent, tuple(rules), tuple(deny), tuple(secret), any(each.rejects for each in some))


def import_(options: Options, names: Sequence[str], *, dry_run: bool, as_json: bool) -> int:
    """Show what other agents' permissions become, and keep it; returns the exit code.

    Raises:
        UsageError: a name is neither an agent nor a file.
        AsimiError: something cannot be read or written, or nobody can agree to what would be allowed.
    """
    configuration = configuration_of(options)
    configuration.settings()  # a broken one refuses
    all_found = found(configuration, names)
    for each in all_found:
        (_as_json if as_json else _shown)(each)
    if not any(each.permissions for each in all_found) and not as_json:
        of = [each.agent.title for each in all_found] or [agent_of(name).title for name in NAMES]
        out(fit(f"No permissions of {', '.join(of)} were found."))
    return 0 if dry_run else taken(configuration, all_found, quiet=as_json)


def taken(configuration: Configuration, all_found: Sequence[Found], *, quiet: bool = False) -> int:
    """Keep what was found, once a person saw what it changes and agreed; returns the exit code.

    Args:
        configuration: what it is added to.
        all_found: what was found.
        quiet: whether nothing is said of it.

    Raises:
        AsimiError: it cannot be written, or there is nobody to agree.
    """
    changes = [change for each in all_found for own in (True, False) if (change := _change(configuration, each, own))]
    if changes and not configuration.is_unattended:
        told = [fit(line, indent=8) for change in changes for line in _told(change)]
        if not at_a_terminal():
            raise AsimiError(f"Nothing was imported: a person must see it first, and there is no terminal{UNATTENDED}")
        if not confirm_at_terminal("\n".join((*told, "Do you want that?"))):
            out("nothing was imported")
            return 126
    for change in changes:
        _keep(configuration, change, "--config" if configuration.is_unattended else "terminal", quiet=quiet)
    if not changes and any(each.permissions for each in all_found) and not quiet:
        out("All of it is in force already; nothing was changed.")
    elif changes and not quiet and is_installed("advice"):
        load("advice", "could").tell_worst(configuration)
    return 0


def offer(configuration: Configuration, *, asking: bool) -> None:
    """Offer what other agents' files say, after `config init`; `asking` where a person can be asked right here."""
    try:
        all_found = [each for each in found(configuration, ()) if each.permissions]
    except AsimiError as error:
        out(fit(f"note  the permissions of another agent cannot be imported: {printable(str(error))}"))
        return
    titles = ", ".join(each.agent.title for each in all_found)
    if not asking and titles:
        out(fit(f"found    permissions of {titles}; `asimi policy import` takes them over", indent=9))
    elif titles:
        for each in all_found:
            _shown(each)
        taken(configuration, all_found)


class Change(NamedTuple):
    """The changes that an import makes to what came from one agent, everywhere or in this project.

    Attributes:
        before: what came from it before.
        now: what comes from it now.
        own: whether it is for everywhere.
    """

    before: ImportedRules
    now: ImportedRules
    own: bool

    @property
    def where(self) -> str:
        """Return where it holds, in words."""
        return "everywhere" if self.own else "in this project, as its own files say"


def _change(configuration: Configuration, each: Found, own: bool) -> Change | None:  # noqa: FBT001 - one of two scopes
    """Return what changes in one scope; None where nothing does."""
    name = each.agent.name
    before = RuleStore(configuration).imported_from(name, project=not own)
    now = taken_from(name, (one for one in each.permissions if one.source.own == own))
    empty = now == ImportedRules(name) and not each.whole
    return None if is_same(before, now) or empty else Change(before, now, own)


def _new_allows(before: ImportedRules, now: ImportedRules) -> list[Rule]:
    """Return the rules that allow something and were not imported before."""
    known = {_without_place(rule) for rule in before.rules}
    return [rule for rule in now.rules if rule.verdict is rule.verdict.ALLOW and _without_place(rule) not in known]


def _lost_restrictions(before: ImportedRules, now: ImportedRules) -> ImportedRules:
    """Return what forbids or asks, was imported before and is not any more."""
    known = {_without_place(rule) for rule in now.rules}
    rules = (
        rule for rule in before.rules if rule.verdict is not rule.verdict.ALLOW and _without_place(rule) not in known
    )
    deny, secret = (
        tuple(each for each in old if each not in new)
        for old, new in ((before.deny, now.deny), (before.secret, now.secret))
    )
    return ImportedRules(now.agent, tuple(rules), deny, secret, before.rejects and not now.rejects)


def _without_place(rule: Rule) -> Rule:
    """Return a rule without its place in the agent's file."""
    return key(rule)._replace(reason="")


def _told(change: Change) -> list[str]:
    """Return what a change does, for the person who must agree."""
    lines = []
    if rules := _new_allows(change.before, change.now):
        lines.append(f"From now on asimi would allow {change.where}:")
        lines += [
            line for rule in rules for line in (f"  {printable(rule.entry)}", f"      {printable(breadth(rule))}")
        ]
    if gone := _named(_lost_restrictions(change.before, change.now)):
        lines.append(f"asimi would no longer deny or ask about, {change.where}:")
        lines += [f"  {printable(each)}" for each in gone]
    if new := [
        each for each in _named(change.now) if not each.startswith("allow ") and each not in _named(change.before)
    ]:
        lines.append(f"It would deny or ask about, {change.where}:")
        lines += [f"  {printable(each)}" for each in new]
    return lines


def _named(imported: ImportedRules) -> list[str]:
    """Return what came from an agent, in words."""
    named = [f"{rule.verdict.word} {rule.entry}" for rule in imported.rules]
    named += [f"deny files {each}" for each in imported.deny] + [f"ask files {each}" for each in imported.secret]
    return [*named, *(["deny what nothing allows"] if imported.rejects else [])]


def _keep(configuration: Configuration, change: Change, by: str, *, quiet: bool) -> None:
    """Write what comes from an agent now, and log each difference."""
    path = RuleStore(configuration).place_of_imports(project=not change.own)
    log = log_of(configuration)
    before, now = _named(change.before), _named(change.now)

    def said(texts: list[str], others: list[str]) -> list[dict[str, str | None]]:
        split = [text.partition(" ") for text in texts if text not in others]
        return [{"decision": decision, "entry": entry, "file": path, "by": by} for decision, _, entry in split]

    with log.write_changes("policy remove", *said(before, now)), log.write_changes("policy import", *said(now, before)):
        RuleStore(configuration).take(change.now, project=not change.own)
    if not quiet:
        out(fit(f"written  {path}  ({plural(len(change.now.rules), 'rule')} from {change.now.agent}, {change.where})"))


def _shown(each: Found) -> None:
    """Print what becomes of each entry, and the sums."""
    for one in each.permissions:
        says = "" if one.says is None else one.says.word
        project = "" if one.source.own else ", in the project"
        text = shorten(printable(one.text[: 2 * _WIDEST]), _WIDEST)
        out(fit(f"{one.outcome:8}  {says:5}  {text}  ({printable(one.place)}{project})", indent=17))
        if one.why:
            out(fit(f"{'':10}{printable(one.why)}", indent=10))
    if each.permissions:
        sums = ", ".join(f"{sum(one.outcome == word for one in each.permissions)} {word}" for word in _OUTCOMES)
        out(fit(f"{each.agent.title}: {sums}"))


_WIDEST = 200
_OUTCOMES = ("exact", "stricter", "skipped")


def _as_json(each: Found) -> None:
    """Print a line of JSON for each entry."""
    for one in each.permissions:
        row = {"agent": each.agent.name, "entry": one.text, "source": one.place, "own": one.source.own}
        row |= {"decision": None if one.says is None else one.says.word, "outcome": one.outcome, "why": one.why}
        out(dumps(row | {"rules": _named(taken_from(each.agent.name, [one]))}))
