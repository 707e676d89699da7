"""Gemini CLI: `tools` in its `settings.json` files, and the rules of its policy files.

https://geminicli.com/docs/reference/policy-engine and .../docs/reference/configuration: of all rules that match a
command, the one of the highest tier and priority decides, each command of a text by itself. A prefix ends at a blank.
Whatever allows it, a redirection is a question there unless the rule has `allowRedirection`.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import suppress
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.extras.permissions.entries import (
    Agent,
    Example,
    Permission,
    Written,
    all_of,
    as_one,
    as_they_stand,
    items_of,
    member,
    object_in,
    sources_at,
    values_of,
)
from asimi.extras.permissions.exporting import heads, narrowed, notes_on, shown
from asimi.extras.permissions.ordered import (
    LONGEST,
    Entry,
    allowed_names,
    entry_of,
    entry_shaped,
    said_by,
    settled,
    unread,
)
from asimi.extras.permissions.regexes import Shape, Unread, allowed_shapes, forbidden_shapes
from asimi.extras.permissions.wildcards import matches, samples

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from asimi.extras.permissions.entries import InForce, Plain, Source, Where
    from asimi.world.host.jsonc import Element

_SHELL = ("run_shell_command", "ShellTool")
_DECISIONS = {"allow": Verdict.ALLOW, "ask_user": Verdict.ASK, "deny": Verdict.DENY}
_PRIORITIES = {"exclude": 4.4, "confirmationRequired": 4.35, "allowed": 4.3, "core": 4.25}
"""What a list of the settings is worth among rules, whose tiers are 5 (administrator), 4 (user) and 3 (project)."""

_VERDICTS = {"exclude": Verdict.DENY, "confirmationRequired": Verdict.ASK}
_FORMER = {"exclude": "excludeTools", "allowed": "allowedTools", "core": "coreTools"}
_OTHERS = "asimi judges commands, and this is about another tool of Gemini CLI, which goes on to judge it"
_WHOLE = "Gemini CLI goes on asking about redirections and what it holds dangerous, and asimi would not; list programs"
_UNREAD = "asimi runs no regular expressions, and reads only text, (a|b), \\b and .* at the end"
_BEGIN = re.compile(r'\^?\\?"command\\?":\\?"')
_FRAME = '{"command":"","description":"","dir_path":"","is_background":false}'
_CALLED = re.compile(r"([A-Za-z0-9_-]+)\((.*)\)")


class _Said(NamedTuple):
    """An entry, and what it is worth.

    Attributes:
        permission: the entry.
        priority: the tier and priority; -1 where it is not about commands.
        patterns: over the text of a command.
        shapes: what more of them it is about.
        unread: why nobody can know what commands it is about; empty where its patterns and shapes say it.
        name: the list of the settings that it is in.
        message: what the model is told of it.
    """

    permission: Permission
    priority: float = -1
    patterns: tuple[str, ...] = ()
    shapes: tuple[Shape, ...] = ()
    unread: str = ""
    name: str = ""
    message: str = ""


def _find(where: Where) -> list[Source]:
    system = os.path.join(where.system, "etc", "gemini-cli")
    home = os.path.join(where.environ.get("GEMINI_CLI_HOME") or where.home, ".gemini")
    here = os.path.join(where.root, ".gemini")
    managed = where.environ.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH") or os.path.join(system, "settings.json")
    own = [managed, *_policies(system), *_policies(home), os.path.join(home, "settings.json")]
    return sources_at(own, [*_policies(here), os.path.join(here, "settings.json")])


def _policies(directory: str) -> list[str]:
    """The policy files below a directory of settings."""
    folder = os.path.join(directory, "policies")
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".toml")]
    except OSError:
        return []


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    said = all_of(sources, lambda each: _settings(each) if _is_settings(each) else _rules(each, _tier(each, where)))
    said = _without_replaced(said, sources, where)
    about = sorted((each for each in said if each.priority >= 0), key=lambda each: -each.priority)
    names = allowed_names(p for each in about if each.permission.says is Verdict.ALLOW for p in each.patterns)
    entries = [(each, _entries(each, names)) for each in about]
    flat = iter(settled([entry for _, several in entries for entry in several]))
    done = [_told(as_one(each.permission, [next(flat) for _ in several]), each.message) for each, several in entries]
    return as_they_stand([*done, *(each.permission for each in said if each.priority < 0)], sources)


def _told(permission: Permission, message: str) -> Permission:
    """An entry whose rules tell the model a message."""
    if not message:
        return permission
    rules = tuple(rule._replace(reason=f"{message} ({permission.place})") for rule in permission.rules)
    return permission._replace(rules=rules)


def _is_settings(source: Source) -> bool:
    """Whether a file is one of settings, not of policies."""
    return source.path.endswith(".json") or source.text.lstrip()[:1] == "{"


def _tier(source: Source, where: Where) -> int:
    if not source.own:
        return 3
    return 5 if source.path.startswith(os.path.join(where.system, "etc", "gemini-cli")) else 4


def _without_replaced(said: Sequence[_Said], sources: Sequence[Source], where: Where) -> list[_Said]:
    """What is said, where a list that allows counts only in the strongest file of settings that has it."""
    found = list(said)
    for name in ("allowed", "core"):
        holders = [each for each in sources if _is_settings(each) and list(_lists_of(each, name))]
        winner = max(holders, key=lambda each: {5: 5, 3: 4, 4: 3}[_tier(each, where)], default=None)
        for place, each in enumerate(found):
            if each.name == name and each.permission.source != winner and each.permission.says is Verdict.ALLOW:
                why = f"{winner.path if winner else ''} has a tools.{name} that takes the place of this one here"
                found[place] = _Said(each.permission.skipped(why))
    return found


def _lists_of(source: Source, name: str) -> Iterator[Element]:
    """The lists of a name in a file of settings, also of the name that it had once."""
    whole = values_of(source)
    for element in (member(whole, "tools", name), member(whole, _FORMER.get(name, ""))):
        if element is not None and element.value is not None:
            yield element


def _settings(source: Source) -> Iterator[_Said]:
    """What a file of settings says, in its order."""
    object_in(source, "Gemini CLI")
    for name, priority in _PRIORITIES.items():
        for element in _lists_of(source, name):
            yield from (each._replace(name=name) for each in _list(name, priority, element, source))


def _list(name: str, priority: float, element: Element, source: Source) -> Iterator[_Said]:
    """The entries of one list of the settings, and what the list itself refuses."""
    items = items_of(element, source, f"tools.{name}")
    said = [_listed(name, priority, item, source, source.line_at(item.start)) for item in items]
    yield from said
    patterns = [pattern for each in said for pattern in each.patterns]
    if "*" in patterns or not (name == "core" or (name == "allowed" and patterns)):
        return
    rest = Permission(
        f"tools.{name}", source, source.line_at(element.start), Verdict.DENY, "skipped", "all else is refused"
    )
    yield _Said(rest, priority - 0.01, ("*",))


def _listed(name: str, priority: float, item: Element, source: Source, line: int) -> _Said:
    """One entry of a list of the settings: a tool, or `run_shell_command(PREFIX)`."""
    verdict = _VERDICTS.get(name, Verdict.ALLOW)
    entry = Permission(str(item.value), source, line, verdict, "skipped", _OTHERS)
    if not isinstance(item.value, str):
        return _Said(entry.skipped("it is not a string, so Gemini CLI does not know it either"))
    called = _CALLED.fullmatch(item.value)
    if (called[1] if called else item.value) not in (*_SHELL, "*"):
        return _Said(entry)
    if called is None:
        return _Said(entry, priority, ("*",), unread=_WHOLE if verdict is Verdict.ALLOW else "")
    if not called[2].strip() or called[2] != called[2].strip():
        return _Said(entry.skipped("no command begins so: a blank or nothing is before the end of the prefix"))
    return _Said(entry, priority, (f"{called[2]} *",))


def _rules(source: Source, tier: int) -> Iterator[_Said]:
    """What a policy file says, in its order."""
    try:
        table = tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise AsimiError(f"{source.path}: {error}; mend it and import again") from None
    rules = table.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(each, dict) for each in rules):
        raise AsimiError(f"{source.path}: rule is not a list of tables; mend it")
    at = [place for place, line in enumerate(source.text.split("\n"), 1) if re.match(r"\s*\[\[\s*rule\s*\]\]", line)]
    for place, rule in enumerate(rules):
        line = at[place] if len(at) == len(rules) else 1
        why = _unusable(rule)
        if why:
            raise AsimiError(f"{source.path}:{line}: {why}, so Gemini CLI does not use the file; mend it")
        message = rule.get("denyMessage") or rule.get("deny_message")
        told = message[:LONGEST] if isinstance(message, str) else ""
        yield from (each._replace(message=told) for each in _rule(rule, source, line, tier))


def _unusable(rule: dict[str, Any]) -> str:
    """Why Gemini CLI would not take a rule; empty where it does."""
    priority = rule.get("priority")
    if isinstance(priority, bool) or not isinstance(priority, int) or not 0 <= priority <= 999:
        return "priority is not a whole number from 0 to 999"
    if not isinstance(rule.get("decision"), str) or rule["decision"] not in _DECISIONS:
        return "decision is not allow, ask_user or deny"
    if not _are_texts(rule.get("toolName")):
        return "toolName is neither a string nor a list of them"
    if "commandPrefix" in rule and not _are_texts(rule["commandPrefix"]):
        return "commandPrefix is neither a string nor a list of them"
    wrong = [key for key in ("commandRegex", "argsPattern") if not isinstance(rule.get(key, ""), str)]
    return f"{wrong[0]} is not a string" if wrong else ""


def _are_texts(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _rule(rule: dict[str, Any], source: Source, line: int, tier: int) -> Iterator[_Said]:
    """One rule of a policy file."""
    prefix, expression = rule.get("commandPrefix"), rule.get("commandRegex")
    shown = prefix if prefix is not None else expression if expression is not None else rule.get("argsPattern", "")
    tools = rule["toolName"] if isinstance(rule["toolName"], list) else [rule["toolName"]]
    text = f"{', '.join(tools)} {shown}".strip() if not isinstance(shown, list) else f"{tools[0]} {', '.join(shown)}"
    verdict = _DECISIONS[rule["decision"]]
    entry = Permission(text, source, line, verdict, "skipped", _OTHERS)
    if not {*_SHELL, "*"}.intersection(tools) or rule.get("mcpName") or rule.get("toolAnnotations"):
        yield _Said(entry)
        return
    if why := _elsewhere(rule):
        yield _Said(entry.skipped(why))
        return
    priority = tier + rule["priority"] / 1000
    if isinstance(rule.get("allowRedirection"), bool) and rule["allowRedirection"] and isinstance(prefix, str):
        entry = entry._replace(examples=(Example(f"{prefix} > out", verdict),))
    if prefix:
        prefixes = prefix if isinstance(prefix, list) else [prefix]
        yield _prefixes(entry, priority, prefixes)
    elif expression:
        yield _expression(entry, priority, f"^(?:{expression})")
    elif pattern := rule.get("argsPattern"):
        begin = _BEGIN.match(pattern)  # all arguments of the tool, as JSON
        yield _expression(entry, priority, pattern if begin is None else f"^(?:{pattern[begin.end() :]})")
    else:
        yield _Said(entry, priority, ("*",), unread=_WHOLE if verdict is Verdict.ALLOW else "")


def _elsewhere(rule: dict[str, Any]) -> str:
    """Why a rule does not hold for a person's own calls in the usual mode; empty where it does."""
    modes = rule.get("modes")
    if isinstance(modes, list) and modes and "default" not in modes:
        return f"it counts only in the mode {' or '.join(map(str, modes))} of Gemini CLI, and asimi has no modes"
    if rule.get("interactive") is False:
        return "it counts only where nobody can be asked; there asimi refuses what is not allowed"
    return "it is for one agent of Gemini CLI alone, and asimi has no such rule" if rule.get("subagent") else ""


def _prefixes(entry: Permission, priority: float, prefixes: Sequence[str]) -> _Said:
    """A rule with prefixes, each of which ends at a blank."""
    if entry.says is not Verdict.ALLOW:
        return _Said(entry, priority, tuple(f"{each.strip()} *" for each in prefixes if each.strip()) or ("*",))
    usable = tuple(f"{each} *" for each in prefixes if each and each == each.strip())
    if not usable:
        return _Said(entry.skipped("no command begins so: a blank or nothing is before the end of the prefix"))
    return _Said(entry, priority, usable)


def _expression(entry: Permission, priority: float, expression: str) -> _Said:
    """A rule with a regular expression, behind which anything may follow."""
    shapes: list[Shape] = []
    if entry.says is not Verdict.ALLOW:
        shapes = forbidden_shapes(expression)
    else:
        with suppress(Unread):
            shapes = allowed_shapes(expression)
    if not shapes or any(_frames(each) or each.tail == "end" or '"' in each.text for each in shapes):
        return _Said(entry, priority, unread=_UNREAD)
    return _Said(entry, priority, shapes=tuple(shapes))


def _frames(shape: Shape) -> bool:
    """Whether a shape is about every call: it matches what stands around a command among a tool's arguments."""
    return shape.tail == "glob" and matches(shape.text, _FRAME)


def _entries(said: _Said, names: Collection[str]) -> list[Entry]:
    """An entry for each pattern and each shape."""
    if said.unread:
        return [unread(said.permission, said.unread)]
    found = []
    for pattern in said.patterns:
        usual = samples(pattern, said_by(said.permission)) if len(pattern) <= LONGEST else ()
        found.append(entry_of(said.permission._replace(examples=(*usual, *said.permission.examples)), pattern, names))
    return [*found, *(entry_shaped(said.permission, shape, names) for shape in said.shapes)]


def _knows(path: str, text: str) -> bool:
    if path.endswith(".toml"):
        return "[[rule]]" in text and "toolName" in text and "decision" in text
    name = os.path.basename(path)
    return name == "settings.json" and ("run_shell_command" in text or "ShellTool" in text)


def _write(in_force: InForce) -> Written:
    notes = notes_on(in_force, "Gemini CLI")
    texts = [
        _table(rule, **about) for rule in in_force.rules for head in heads(rule) for about in _about(rule, head, notes)
    ]
    if in_force.rejects:
        texts.append('[[rule]]\ntoolName = "run_shell_command"\ndecision = "deny"\npriority = 1\n')
    if in_force.deny or in_force.secret:
        notes.append("left out: patterns of files; Gemini CLI has none for commands")
    return Written("\n".join(dict.fromkeys(texts)), tuple(notes))


def _about(rule: Plain, head: str, notes: list[str]) -> Iterator[dict[str, str]]:
    """What says in a table which commands a rule is about."""
    if rule.verdict is Verdict.ALLOW and rule.exact:
        notes.append(f"left out: {shown(rule)}: Gemini CLI has only first words")
        return
    for part in narrowed(rule):
        if part:
            yield {"commandRegex": f"{re.escape(head)} .*{re.escape(part)}".replace("\\ ", " ").replace("\\-", "-")}
        else:
            yield {"commandPrefix": head} if head else {}


def _table(rule: Plain, **about: str) -> str:
    """The table of a policy file."""
    decision, priority = {
        Verdict.ALLOW: ("allow", 100),
        Verdict.ASK: ("ask_user", 200),
        Verdict.DENY: ("deny", 300),
    }[rule.verdict]
    reason = {"denyMessage": rule.reason} if rule.reason and rule.verdict is Verdict.DENY else {}
    texts = {"toolName": _SHELL[0], **about, "decision": decision, **reason}
    lines = [f"{key} = {json.dumps(text).replace(chr(127), '')}" for key, text in texts.items()]
    return "\n".join(["[[rule]]", *lines, f"priority = {priority}", ""])


AGENT = Agent("gemini-cli", "Gemini CLI", _find, _read, _knows, _write)
"""Gemini CLI's permissions mean here what they mean there, or less."""
