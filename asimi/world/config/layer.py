"""One configuration file: read, and checked against the table of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Verdict
from asimi.core.errors import ConfigError
from asimi.core.judging.rules import EntryError, Rule, rule_of
from asimi.core.values import NamedTuple
from asimi.world.config.keys import BY_NAME, KINDS, TABLES, Unusable
from asimi.world.config.rule_tables import rule_from
from asimi.world.config.sources import WRITTEN
from asimi.world.config.toml import OWN, PROJECT, Path, lines_of, source_of, tables_in
from asimi.world.host.places import MANAGED
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from asimi.world.config.sources import Source

LISTS = {"coreTools": Verdict.ALLOW, "excludeTools": Verdict.DENY, "ask": Verdict.ASK}
"""The verdict of an entry, by the list it is in."""

VERSION = 1
"""The format of the files that asimi writes itself."""


class Layer(NamedTuple):
    """The content of one file, read.

    Attributes:
        path: the file.
        level: `managed`, `team`, `user`, `approved` and `imported` (written by asimi), `project`.
        text: its text.
        values: the values by the keys' full names, read; without entries and rules.
        rules: its entries and rules.
        way: the tables in the file that lead to all of this.
    """

    path: str
    level: str
    text: str
    values: dict[str, Any]
    rules: tuple[Rule, ...]
    way: Path = ()

    def source(self, name: str) -> str:
        """Return where a key is, `FILE:LINE`."""
        return source_of(self.path, lines_of(self.text), (*self.way, *name.split(".")))


def layers_in(source: Source) -> tuple[Layer, ...]:
    """Return what the content of a file says: one layer, or one for each agent that it was imported from.

    A team's policy is two: what counts as if the administrator's file said it, and what only makes stricter.

    Raises:
        ConfigError: as `layer_of`.
    """
    path, level, content, base, root, loosens = source
    if level == "imported":
        return imported_in(path, content, root)
    parts = (("managed", loosens.__contains__), (level, lambda name: name not in loosens))
    return tuple(layer_of(path, each, content, base, root, of) for each, of in (parts if loosens else parts[1:]))


def layer_of(
    path: str,
    level: str,
    content: bytes,
    base: str | None = None,
    root: str | None = None,
    of: Callable[[str], bool] = lambda _: True,
) -> Layer:
    """Return what the content of a file says.

    Args:
        path: the file.
        level: its level.
        content: its bytes.
        base: what a relative directory in it is relative to; None if each must be absolute.
        root: the project root that it must be for, where asimi wrote it for one; None where that does not matter.
        of: whether a key is one that this is about, by its full name.

    Raises:
        ConfigError: it cannot be used; with the line, if it is known.
    """
    bounds = PROJECT if level == "project" else OWN
    text, data = tables_in(path, content, bounds)
    try:
        if level == "approved":
            _check_head(data, root)
        said = [(name, value) for name, value in _flat(data) if of(name)]
        return _build_layer(path, level, text, said, base, Budget(bounds.work))
    except Unusable as error:
        raise ConfigError(_message(error), path, _nearest_line(lines_of(text), error.path)) from None


def imported_in(path: str, content: bytes, root: str | None = None) -> tuple[Layer, ...]:
    """Return what a file says that was imported from other agents: a layer for each; its `way` ends with its name.

    Raises:
        ConfigError: it cannot be used; with the line, if it is known.
    """
    text, data = tables_in(path, content)
    way: Path = ()
    layers = []
    try:
        for agent, table in _agents_in(data, root).items():
            way = ("agents", agent)
            layers.append(_build_layer(path, "imported", text, _flat(table), None, Budget(OWN.work), way))
    except Unusable as error:
        raise ConfigError(_message(error), path, _nearest_line(lines_of(text), (*way, *error.path))) from None
    return tuple(layers)


def _build_layer(
    path: str, level: str, text: str, said: list[tuple[str, Any]], base: str | None, budget: Budget, outer: Path = ()
) -> Layer:
    values: dict[str, Any] = {}
    rules: list[Rule] = []
    lines: dict[Path, int] | None = None
    if said:
        from asimi.core.extras import missing_for  # which a start without a file need not

    for name, value in said:
        way = tuple(name.split("."))
        key = BY_NAME.get(name)
        if key is None:
            raise Unusable(_unknown_key_message(name), *way)
        if why := missing_for(name, value):
            raise Unusable(f"{name} cannot be obeyed: {why}", *way)
        if key.project == "managed" and level not in ("managed", "project"):
            raise Unusable(f"{name} is read from the administrator's file alone, {MANAGED}", *way)
        if key.kind in ("entries", "rules") and lines is None:
            lines = lines_of(text)
        if key.kind == "rules":
            if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
                raise Unusable("rules must be tables, each under its own [[rules]]", *way)
            for index, table in enumerate(value):
                try:
                    rules.append(rule_from(table, source_of(path, lines or {}, (*outer, name, index)), base, budget))
                except OverBudgetError:
                    message = "the examples and options of the rules are too much work to check; leave some out"
                    raise Unusable(message, name, index) from None
                except Unusable as error:
                    raise Unusable(str(error), name, index, *error.path) from None
                except EntryError as error:
                    raise Unusable(str(error), name, index) from None
                if rules[-1].undo and level == "project":
                    message = "undo is never read from a project's file; it belongs in your own"
                    raise Unusable(message, name, index, "undo")
            continue
        try:
            read = KINDS[key.kind](value, key)
        except Unusable as error:
            raise Unusable(str(error), *way, *error.path) from None
        if key.kind == "entries":
            for index, entry in enumerate(read):
                rules.append(rule_of(entry, LISTS[name], source_of(path, lines or {}, (*outer, name, index))))
        else:
            values[name] = read
    found = tuple(map(at_home, rules)) if level in WRITTEN else tuple(rules)
    return Layer(path, level, text, values, found, outer)


def at_home(rule: Rule) -> Rule:
    """A rule as asimi keeps it: one that allows and names no host was said of this machine, and holds nowhere else."""
    return rule._replace(host="") if rule.verdict is Verdict.ALLOW and rule.host is None else rule


def _flat(data: dict[str, Any]) -> list[tuple[str, Any]]:
    """Keys and values; the keys of a table begin with the table's name and a dot."""
    flat: list[tuple[str, Any]] = []
    for name, value in data.items():
        if "." in name:
            raise Unusable(f"there is no key {name!r} in quotation marks", name)
        if name not in TABLES:
            flat.append((name, value))
        elif isinstance(value, dict):
            flat += [(f"{name}.{inner}", each) for inner, each in value.items()]
        else:
            raise Unusable(f"{name} must be a table: write [{name}] on a line of its own", name)
    return flat


def _check_head(data: dict[str, Any], root: str | None) -> None:
    """Check and remove what a file that asimi wrote begins with: its version, and the project that it is for."""
    from asimi.core.json_values import Invalid, check_version

    known = data.pop("root", None)
    if root is not None and known != root:
        raise Unusable(f"is for {known!r}, not for {root!r}; remove it")
    try:
        check_version(data.pop("version", None), VERSION)
    except Invalid as fault:
        raise Unusable(f"cannot be used: {fault}; {fault.advice}", "version") from None


def _agents_in(data: dict[str, Any], root: str | None) -> dict[str, dict[str, Any]]:
    """Return the tables of agents in a file of what was imported from them."""
    _check_head(data, root)
    agents = data.pop("agents", {})
    if data or not isinstance(agents, dict) or not all(isinstance(table, dict) for table in agents.values()):
        raise Unusable("holds something else than a table for each agent; remove it", "agents")
    return agents


def _unknown_key_message(name: str) -> str:
    """Return the message about an unknown key, with the nearest known one."""
    from difflib import get_close_matches

    known = [*BY_NAME, *TABLES]
    folded = {each.rpartition(".")[2].lower().replace("_", ""): each for each in BY_NAME}
    folded |= {each.lower().replace("_", ""): each for each in known}
    asked = name.lower().replace("_", "").replace("-", "")
    near = get_close_matches(asked, folded, 1, 0.6) or get_close_matches(asked.rpartition(".")[2], folded, 1, 0.6)
    hint = f"; did you mean {folded[near[0]]!r}?" if near else f"; the keys are {', '.join(known)}"
    return f"there is no key {name!r}{hint}"


def _message(error: Unusable) -> str:
    """Return an error's message, beginning with its key unless it names the key already."""
    names = [printable(part) for part in error.path if isinstance(part, str)]
    text = str(error)
    return text if not names or names[-1] in text or names[0] == "rules" else f"{'.'.join(names)} {text}"


def _nearest_line(lines: dict[Path, int], way: Path) -> int | None:
    """Return the line of a value, or of the innermost known thing around it."""
    while way:
        if way in lines:
            return lines[way]
        way = way[:-1]
    return None
