"""The files of rules that asimi writes itself, each read, changed and replaced under a lock.

One holds what was approved, rule by rule; the other what was imported from other agents, of each what it said, replaced
as a whole by the next import.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.values import NamedTuple
from asimi.world.config.layer import LISTS, VERSION, imported_in, layer_of
from asimi.world.config.rule_tables import is_entry, table_of
from asimi.world.config.sources import content_of
from asimi.world.config.toml import tables_in
from asimi.world.host.places import Lock, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.rules import Rule
    from asimi.world.config.layer import Layer

HEAD = "# Written by asimi and replaced as a whole; change it with `asimi policy`.\n\n"
"""How such a file begins."""


class ImportedRules(NamedTuple):
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


def imported_of(layer: Layer) -> ImportedRules:
    """Return what the layer of an agent says."""
    deny, secret = (layer.values.get(f"files.{name}", ((),))[0] for name in ("deny", "secret"))
    return ImportedRules(str(layer.way[-1]), layer.rules, deny, secret, layer.values.get("unlisted") == "reject")


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
    with Lock(_lock_of(path)):
        there = _rules_in(path)
        if any(rule.expires is not None for rule in there):
            ended = now()
            there = tuple(rule for rule in there if rule.expires is None or rule.expires > ended)
        known = {key(rule) for rule in there}
        new = [rule for rule in rules if key(rule) not in known]
        if new or not os.path.lexists(path):
            _write_approved(path, [*there, *new], root, mode)


def imports_in(path: str) -> list[ImportedRules]:
    """Return what a file holds, by agent.

    Raises:
        ConfigError: its content cannot be used.
    """
    content = content_of(path, private=True)
    return [] if content is None else [imported_of(layer) for layer in imported_in(path, content)]


def take(path: str, imported: ImportedRules, *, root: str | None, mode: int) -> None:
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
    with Lock(_lock_of(path)):
        others = [each for each in imports_in(path) if each.agent != imported.agent]
        if imported != ImportedRules(imported.agent):
            others.append(imported)
        if others or os.path.lexists(path):
            _write_imports(path, others, root, mode)


def drop(path: str, matches: Callable[[Rule], bool]) -> tuple[Rule, ...]:
    """Remove rules from a file of either kind.

    Returns:
        The removed ones.

    Raises:
        ConfigError: its content cannot be used.
        AsimiError: it cannot be locked or written.
    """
    imported = path.endswith(".imported.toml")
    with Lock(_lock_of(path)):
        there = imports_in(path) if imported else [ImportedRules("", _rules_in(path))]
        dropped = tuple(rule for each in there for rule in each.rules if matches(rule))
        if dropped:
            left = [each._replace(rules=tuple(rule for rule in each.rules if not matches(rule))) for each in there]
            root, mode = _root_in(path), os.stat(path).st_mode & 0o777
            if imported:
                _write_imports(path, left, root, mode)
            else:
                _write_approved(path, left[0].rules, root, mode)
        return dropped


def is_same(before: ImportedRules, now: ImportedRules) -> bool:
    """Return whether two imports would be written the same."""
    return _table(before) == _table(now)


def _root_in(path: str) -> str | None:
    """Return the project root that a file is for, or None for all."""
    content = content_of(path, private=True)
    if content is None:
        return None
    root = tables_in(path, content)[1].get("root")
    return root if isinstance(root, str) else None


def _rules_in(path: str) -> tuple[Rule, ...]:
    content = content_of(path, private=True)
    return () if content is None else layer_of(path, "approved", content).rules


def _write_approved(path: str, rules: Sequence[Rule], root: str | None, mode: int) -> None:
    document: dict[str, Any] = {}
    for name, verdict in LISTS.items():
        entries = [rule.entry for rule in rules if rule.verdict is verdict and is_entry(rule)]
        if entries:
            document[name] = entries
    tables = [table_of(rule) for rule in rules if not is_entry(rule)]
    if tables:
        document["rules"] = tables
    _replace_file(path, document, root, mode, lambda content: layer_of(path, "approved", content))


def _write_imports(path: str, imports: Iterable[ImportedRules], root: str | None, mode: int) -> None:
    tables = {"agents": {each.agent: _table(each) for each in imports}}
    _replace_file(path, tables, root, mode, lambda content: imported_in(path, content))


def _table(imported: ImportedRules) -> dict[str, Any]:
    table: dict[str, Any] = {"unlisted": "reject"} if imported.rejects else {}
    files = {name: list(each) for name, each in (("deny", imported.deny), ("secret", imported.secret)) if each}
    table |= {"files": files} if files else {}
    return table | ({"rules": [table_of(rule) for rule in imported.rules]} if imported.rules else {})


def _replace_file(
    path: str, tables: Mapping[str, Any], root: str | None, mode: int, read: Callable[[bytes], object]
) -> None:
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
    """A rule without what two equal rules may differ in, such as where they are."""
    expires = None if rule.expires is None else float(int(rule.expires))
    return rule._replace(source=None, entry="", kind="list", expires=expires, host=rule.host or None)


def _lock_of(path: str) -> str:
    """Return the file that is locked while another one is changed."""
    directory, name = os.path.split(path)
    return os.path.join(directory, f".{name}.lock")
