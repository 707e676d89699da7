"""The files of entries that asimi writes itself: read, changed and replaced under a lock."""

from __future__ import annotations

import os

from asimi.core.startup import TYPE_CHECKING
from asimi.world.config.layer import LISTS, VERSION, layer_of
from asimi.world.config.rule_tables import is_entry, table_of
from asimi.world.config.sources import content_of
from asimi.world.config.toml import tables_in
from asimi.world.host.places import Lock, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.rules import Rule

HEAD = "# Written by asimi and replaced as a whole; change it with `asimi policy`.\n\n"
"""How such a file begins."""


def keep(path: str, rules: Sequence[Rule], *, root: str | None, mode: int, now: Callable[[], float]) -> None:
    """Add rules to a file, each once, and drop those that have ended.

    Args:
        path: the file, created if it is missing.
        rules: what to add.
        root: the project root they are for, or None for all.
        mode: the mode of the file.
        now: says the time by which they have ended, in seconds since the epoch.

    Raises:
        ConfigError: its content cannot be used.
        AsimiError: it cannot be locked or written.
    """
    with Lock(lock_of(path)):
        there = _rules_in(path)
        if any(rule.expires is not None for rule in there):
            ended = now()
            there = tuple(rule for rule in there if rule.expires is None or rule.expires > ended)
        known = {key(rule) for rule in there}
        new = [rule for rule in rules if key(rule) not in known]
        if new or not os.path.lexists(path):
            _write(path, [*there, *new], root, mode)


def drop(path: str, matches: Callable[[Rule], bool]) -> tuple[Rule, ...]:
    """Remove rules from a file.

    Returns:
        The removed ones.

    Raises:
        ConfigError: its content cannot be used.
        AsimiError: it cannot be locked or written.
    """
    with Lock(lock_of(path)):
        there = _rules_in(path)
        dropped = tuple(rule for rule in there if matches(rule))
        if dropped:
            left = [rule for rule in there if not matches(rule)]
            _write(path, left, root_in(path), os.stat(path).st_mode & 0o777)
        return dropped


def root_in(path: str) -> str | None:
    """Return the project root that a file is for, or None for all."""
    content = content_of(path, private=True)
    if content is None:
        return None
    root = tables_in(path, content)[1].get("root")
    return root if isinstance(root, str) else None


def _rules_in(path: str) -> tuple[Rule, ...]:
    content = content_of(path, private=True)
    return () if content is None else layer_of(path, "approved", content).rules


def _write(path: str, rules: Sequence[Rule], root: str | None, mode: int) -> None:
    document: dict[str, Any] = {}
    for name, verdict in LISTS.items():
        entries = [rule.entry for rule in rules if rule.verdict is verdict and is_entry(rule)]
        if entries:
            document[name] = entries
    tables = [table_of(rule) for rule in rules if not is_entry(rule)]
    if tables:
        document["rules"] = tables
    put(path, document, root, mode, lambda content: layer_of(path, "approved", content))


def put(path: str, tables: Mapping[str, Any], root: str | None, mode: int, read: Callable[[bytes], object]) -> None:
    """Replace a file.

    Args:
        path: the file.
        tables: what it holds besides its version.
        root: the project root it is for, or None for all.
        mode: its mode.
        read: reads it as it will be read later; what that cannot read is not kept.

    Raises:
        ConfigError: it could not be read.
        AsimiError: it cannot be written.
    """
    import tomli_w

    document = {"version": VERSION} | ({} if root is None else {"root": root}) | dict(tables)
    content = (HEAD + tomli_w.dumps(document, multiline_strings=False)).encode()
    read(content)
    replace(path, content, mode)


def key(rule: Rule) -> Rule:
    """Everything that two equal rules have in common; not where they are."""
    expires = None if rule.expires is None else float(int(rule.expires))
    return rule._replace(source=None, entry="", kind="list", expires=expires, host=rule.host or None)


def lock_of(path: str) -> str:
    """Return the file that is locked while another one is changed."""
    directory, name = os.path.split(path)
    return os.path.join(directory, f".{name}.lock")
