"""The files of what was imported from other agents: what each of them said, replaced as a whole by the next import."""

from __future__ import annotations

import os

from asimi.core.startup import TYPE_CHECKING, NamedTuple
from asimi.world.config.approved import key, lock_of, put, root_in
from asimi.world.config.layer import imported_in
from asimi.world.config.rule_tables import table_of
from asimi.world.config.sources import content_of
from asimi.world.host.places import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from asimi.core.judging.rules import Rule
    from asimi.world.config.layer import Layer


class Imported(NamedTuple):
    """The rules and patterns that came from one agent.

    Attributes:
        agent: its name.
        rules: the rules.
        deny: patterns for `[files] deny`.
        secret: patterns for `[files] secret`.
        rejects: whether what nothing allows is refused.
    """

    agent: str
    rules: tuple[Rule, ...] = ()
    deny: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    rejects: bool = False


def imported_of(layer: Layer) -> Imported:
    """Return what the layer of an agent says."""
    deny, secret = (layer.values.get(f"files.{name}", ((),))[0] for name in ("deny", "secret"))
    return Imported(str(layer.way[-1]), layer.rules, deny, secret, layer.values.get("unlisted") == "reject")


def read(path: str) -> list[Imported]:
    """Return what a file holds, by agent.

    Raises:
        ConfigError: its content cannot be used.
    """
    content = content_of(path, private=True)
    return [] if content is None else [imported_of(layer) for layer in imported_in(path, content)]


def take(path: str, imported: Imported, *, root: str | None, mode: int) -> None:
    """Keep what came from an agent, in place of what came from it before.

    Args:
        path: the file, created if it is missing.
        imported: what came from it; nothing takes back what came before.
        root: the project root it is for, or None for all.
        mode: the mode of the file.

    Raises:
        ConfigError: the content of the file cannot be used.
        AsimiError: it cannot be locked or written.
    """
    with Lock(lock_of(path)):
        others = [each for each in read(path) if each.agent != imported.agent]
        if imported != Imported(imported.agent):
            others.append(imported)
        if others or os.path.lexists(path):
            _write(path, others, root, mode)


def drop(path: str, matches: Callable[[Rule], bool]) -> tuple[Rule, ...]:
    """Remove rules from a file.

    Returns:
        The removed ones.

    Raises:
        ConfigError: its content cannot be used.
        AsimiError: it cannot be locked or written.
    """
    with Lock(lock_of(path)):
        there = read(path)
        dropped = tuple(rule for each in there for rule in each.rules if matches(rule))
        if dropped:
            left = [each._replace(rules=tuple(rule for rule in each.rules if not matches(rule))) for each in there]
            _write(path, left, root_in(path), os.stat(path).st_mode & 0o777)
        return dropped


def is_same(before: Imported, now: Imported) -> bool:
    """Return whether two imports would be written the same."""
    return _table(before) == _table(now)


def added(before: Imported, now: Imported) -> list[Rule]:
    """Return the rules that allow something and were not imported before."""
    known = {_meaning(rule) for rule in before.rules}
    return [rule for rule in now.rules if rule.verdict is rule.verdict.ALLOW and _meaning(rule) not in known]


def lost(before: Imported, now: Imported) -> Imported:
    """Return what forbids or asks, was imported before and is not any more."""
    known = {_meaning(rule) for rule in now.rules}
    rules = (rule for rule in before.rules if rule.verdict is not rule.verdict.ALLOW and _meaning(rule) not in known)
    deny, secret = (
        tuple(each for each in old if each not in new)
        for old, new in ((before.deny, now.deny), (before.secret, now.secret))
    )
    return Imported(now.agent, tuple(rules), deny, secret, before.rejects and not now.rejects)


def _meaning(rule: Rule) -> Rule:
    """Return a rule without its place in the agent's file."""
    return key(rule)._replace(reason="")


def _write(path: str, imports: Iterable[Imported], root: str | None, mode: int) -> None:
    tables = {"agents": {each.agent: _table(each) for each in imports}}
    put(path, tables, root, mode, lambda content: imported_in(path, content))


def _table(imported: Imported) -> dict[str, Any]:
    table: dict[str, Any] = {"unlisted": "reject"} if imported.rejects else {}
    files = {name: list(each) for name, each in (("deny", imported.deny), ("secret", imported.secret)) if each}
    table |= {"files": files} if files else {}
    return table | ({"rules": [table_of(rule) for rule in imported.rules]} if imported.rules else {})
