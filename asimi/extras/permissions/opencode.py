"""opencode: `permission` in its `opencode.json` files.

https://opencode.ai/docs/permissions and .../docs/config: files are merged key by key, and of all patterns that match a
command the last decides. `*` is any text and `?` one character; `*` behind a blank at the end also matches nothing.
What nothing matches is allowed there, and asked about here. A path outside the project that is given to one of
`PROGRAMS` is a question of its own, `external_directory`.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple
from asimi.extras.permissions.entries import (
    Agent,
    Permission,
    Written,
    as_they_stand,
    check_number,
    member,
    members,
    object_in,
    sources_at,
)
from asimi.extras.permissions.exporting import heads, narrowed, notes_on
from asimi.extras.permissions.ordered import LONGEST, allowed_names, entry_of, said_by, settled
from asimi.extras.permissions.wildcards import Meaning, asked_outside, matches, samples

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from asimi.extras.permissions.entries import InForce, Plain, Source, Where
    from asimi.extras.permissions.ordered import Entry
    from asimi.world.host.jsonc import Element

PROGRAMS = ("rm", "cp", "mv", "mkdir", "touch", "chmod", "chown", "cat")
"""Programs whose arguments opencode takes for paths."""

_ACTIONS = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}
_NAMES = ("opencode.json", "opencode.jsonc")
_OTHERS = "asimi judges commands, and this is about another tool of opencode, which goes on to judge it"
_JUDGED = "asimi judges redirections and substitutions by what they do, whatever is allowed"
_GUARDS = ("*>*", "*$(*", "*`*")
"""What asimi asks about in the text of an allowed command: redirections and substitutions."""

_PLACES = "external_directory"
_PLACE = "asimi asks so only for what is allowed by name, about each path that may lead out of the project"
_ALONE = "it is for one agent of opencode alone, and asimi has no such rule"


def _find(where: Where) -> list[Source]:
    config = where.environ.get("XDG_CONFIG_HOME") or os.path.join(where.home, ".config")
    own = [os.path.join(where.system, "etc", "opencode", name) for name in reversed(_NAMES)]
    here = [os.path.join(where.root, *at, name) for at in ((".opencode",), ()) for name in reversed(_NAMES)]
    if custom := where.environ.get("OPENCODE_CONFIG"):
        own.append(os.path.join(where.root, custom))
    own += [os.path.join(config, "opencode", name) for name in (*reversed(_NAMES), "config.json")]
    return sources_at(own, here)


class _Said(NamedTuple):
    """One action of a file.

    Attributes:
        permission: the entry.
        key: the permission it is under; empty where it is not about commands.
        pattern: over the text of a command.
    """

    permission: Permission
    key: str = ""
    pattern: str = ""


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    layers = [list(_said(source, where)) for source in reversed(sources)]  # in the order of their merging
    for source, layer in zip(reversed(sources), layers, strict=True):
        check_number(source, len(layer))
    said = [each for layer in layers for each in layer]
    about = _in_order([each for each in said if each.key])
    names = allowed_names(each.pattern for each in about if each.permission.says is Verdict.ALLOW)
    found = settled([_entry(each, names) for each in reversed(about)])[::-1]
    places = [each.permission for each in said if each.permission.text.startswith(_PLACES)]
    if not places or any(each.says is not Verdict.ALLOW for each in places):
        found = [asked_outside(each, "opencode", PROGRAMS) for each in found]
    return as_they_stand([*found, *(each.permission for each in said if not each.key)], sources)


def _in_order(about: Sequence[_Said]) -> list[_Said]:
    """What is said of commands, the last of which decides: what a later file says again keeps its place."""
    keys = {each.key: place for place, each in reversed(list(enumerate(about)))}
    first = {(each.key, each.pattern): place for place, each in reversed(list(enumerate(about)))}
    placed = [(keys[each.key], first[each.key, each.pattern], place, each) for place, each in enumerate(about)]
    return [each for *_, each in sorted(placed, key=lambda one: one[:3])]


def _said(source: Source, where: Where) -> Iterator[_Said]:
    """What one file says, in its order."""
    whole = object_in(source, "opencode")
    if whole is None:
        return
    for name in ("agent", "mode"):
        for each in (*members(member(whole, name)),):
            if member(each[1], "permission") is not None or member(each[1], "tools") is not None:
                text = f"{name}.{each[0]}"
                yield _Said(Permission(text, source, source.line_at(each[1].start), None, "skipped", _ALONE))
    for key, element in members(member(whole, "tools")):
        if key == "bash" and element.value is False:
            yield _action(
                "bash", "*", element, Permission("tools.bash", source, source.line_at(element.start), None, "skipped")
            )
    there = member(whole, "permission")
    if there is None:
        return
    if isinstance(there.value, str):
        yield _action("*", "*", there, Permission("permission", source, source.line_at(there.start), None, "skipped"))
    elif there.keys is None:
        raise AsimiError(f"{source.path}:{source.line_at(there.start)}: permission is not an object; mend it")
    for key, element in members(there):
        yield from _under(key, element, source, where)


def _under(key: str, element: Element, source: Source, where: Where) -> Iterator[_Said]:
    """What one permission says: an action, or one for each pattern."""
    parts = members(element) if element.keys is not None else [("*", element)]
    for pattern, action in parts:
        text = key if element.keys is None else pattern if matches(key, "bash") else f"{key} {pattern}"
        entry = Permission(text, source, source.line_at(action.start), None, "skipped")
        if matches(key, "bash") and pattern.endswith(_GUARDS) and action.value == "ask":
            yield _Said(entry._replace(says=Verdict.ASK, why=_JUDGED))
        elif matches(key, "bash"):
            yield _action(key, _expanded(pattern, where.home), action, entry)
        elif key == _PLACES and pattern == "*":
            yield _Said(entry._replace(says=_ACTIONS.get(str(action.value)), why=_PLACE))
        elif key == "read" and action.value in ("ask", "deny"):
            yield _Said(_file(entry, pattern, _ACTIONS[action.value]))
        else:
            yield _Said(entry._replace(says=_ACTIONS.get(str(action.value)), why=_OTHERS))


def _action(key: str, pattern: str, element: Element, entry: Permission) -> _Said:
    """An action on commands."""
    value = "deny" if element.value is False else element.value
    verdict = _ACTIONS.get(value) if isinstance(value, str) else None
    if verdict is None:
        return _Said(entry.skipped("it is not allow, ask or deny, so opencode does not read the file"))
    return _Said(entry._replace(says=verdict), key, pattern)


def _entry(said: _Said, names: Collection[str]) -> Entry:
    """What is said of commands, as an entry."""
    permission, pattern = said.permission, said.pattern
    if permission.says is not Verdict.ALLOW:
        pattern = pattern.replace("?", "*").replace("\\", "/")
    examples = samples(pattern, said_by(permission)) if len(pattern) <= LONGEST else ()
    entry = entry_of(permission._replace(examples=examples), pattern, names)
    why = ""
    if permission.says is Verdict.ALLOW and ("?" in pattern or "\\" in pattern):
        why = "asimi has no rule for ? or a backslash that allows no more; add what you need by its words"
    elif pattern.isdigit():
        why = "JavaScript puts names that are numbers before all others, so its place is not sure"
    return entry._replace(meaning=Meaning((), "skipped", why)) if why else entry


def _expanded(pattern: str, home: str) -> str:
    """A pattern with the home directory for `~` or `$HOME` at its beginning."""
    for begin in ("~", "$HOME"):
        if pattern == begin or pattern.startswith(f"{begin}/"):
            return home + pattern[len(begin) :]
    return pattern


def _file(entry: Permission, pattern: str, verdict: Verdict) -> Permission:
    """An entry about files that are read, as patterns for `[files]`."""
    entry = entry._replace(says=verdict)
    if not pattern.isprintable() or not set("?[]{}\\!").isdisjoint(pattern) or "**" in pattern.replace("/**", ""):
        return entry.skipped("asimi has no such pattern of files; write it with * and ** in [files]")
    if pattern == "*":
        return entry.skipped("it is about every file, and asimi has no such rule for commands")
    path = pattern.replace("$HOME", "~", 1) if pattern.startswith("$HOME") else pattern
    found = (path,) if path[0] in "/~" else (f"**/{path.removeprefix('**/')}",)
    why = "every command that touches it counts, also one that writes it"
    entry = entry._replace(outcome="stricter", why=why)
    return entry._replace(deny=found) if verdict is Verdict.DENY else entry._replace(secret=found)


def _knows(path: str, text: str) -> bool:
    name = os.path.basename(path)
    return name in (*_NAMES, "config.json") and ("opencode" in text or ("opencode" in name and '"permission"' in text))


def _write(in_force: InForce) -> Written:
    bash: dict[str, str] = {"*": "deny" if in_force.rejects else "ask"}  # of all that match, the last decides
    for verdict in (Verdict.ALLOW, Verdict.ASK, Verdict.DENY):
        for rule in in_force.rules:
            for pattern in _patterns(rule) if rule.verdict is verdict else ():
                bash.pop(pattern, None)
                bash[pattern] = verdict.word
        if verdict is Verdict.ALLOW:  # nothing that is refused becomes a question by them
            begins = [each.removesuffix("*") for each in bash if each != "*"] if in_force.rejects else [""]
            bash |= {f"{begin}{guard}": "ask" for begin in begins for guard in _GUARDS}
    files = {pattern: "ask" for each in in_force.secret for pattern in _as_files(each)}
    files |= {pattern: "deny" for each in in_force.deny for pattern in _as_files(each)}
    notes = notes_on(in_force, "opencode")
    if files:
        notes.append("weaker there: files are held for opencode's own reading of them, not for commands")
    permission = {"bash": bash} | ({"read": {"*": "allow"} | files} if files else {})
    whole = {"$schema": "https://opencode.ai/config.json", "permission": permission}
    return Written(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", tuple(notes))


def _patterns(rule: Plain) -> Iterator[str]:
    """The patterns for a rule."""
    for head in heads(rule):
        for part in narrowed(rule):
            if part:
                yield f"{head} *{part}*".strip()
            else:
                yield "*" if not head else head if rule.exact else f"{head} *"


def _as_files(pattern: str) -> list[str]:
    """The patterns for one of files; none for one that takes something back."""
    if pattern.startswith("!"):
        return []
    rest = pattern.replace("/**", "/*")
    return [rest.removeprefix("**/"), f"*/{rest.removeprefix('**/')}"] if pattern.startswith("**/") else [rest]


AGENT = Agent("opencode", "opencode", _find, _read, _knows, _write)
"""opencode's permissions mean here what they mean there, or less."""
