"""VS Code: `chat.tools.terminal.autoApprove` in its `settings.json` files.

https://code.visualstudio.com/docs/copilot/agents/agent-tools: each command of a text needs a `true` and must not have a
`false`, which is a question. A key is what a command begins with, up to the end
of a word, or a regular expression between slashes. `null` takes the same key of a weaker file back.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import SHELL, EntryError, Rule, entry_for, literal_words
from asimi.core.values import NamedTuple
from asimi.extras.permissions.entries import (
    Agent,
    Example,
    Permission,
    Written,
    all_of,
    as_one,
    as_they_stand,
    member,
    members,
    object_in,
    sources_at,
    values_of,
)
from asimi.extras.permissions.exporting import heads, narrowed, notes_on
from asimi.extras.permissions.ordered import LONGEST, Entry, allowed_names, entry_of, entry_shaped, settled, unread
from asimi.extras.permissions.regexes import Shape, Unread, allowed_shapes, forbidden_shapes, is_word
from asimi.extras.permissions.wildcards import Meaning, rule_about

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from asimi.extras.permissions.entries import InForce, Source, Where
    from asimi.world.host.jsonc import Element

_KEY = "chat.tools.terminal.autoApprove"
_FORMER = "chat.agent.terminal.autoApprove"
_NO_DEFAULTS = "chat.tools.terminal.ignoreDefaultAutoApproveRules"
_EDITORS = ("Code", "Code - Insiders", "VSCodium")
_REGEX = re.compile(r"/(.+)/([dgimsuvy]*)", re.DOTALL)

_ASKED = tuple(
    "rm rmdir del ri rd erase dd kill ps top spps taskkill curl wget irm iwr chmod chown sp jq xargs eval iex".split()
)
"""Commands that VS Code asks about unless a file says true of just these."""

_ASKED_WITH: dict[str, dict[str, tuple[str, ...]]] = {
    "column": {"options_any": ("-c",)},
    "date": {"options_any": ("-s", "--set")},
    "find": {"args_any": ("-delete*", "-exec*", "-fprint*", "-fls*", "-ok*")},
    "rg": {"options_any": ("--pre", "--hostname-bin")},
    "sed": {"args_any": ("-*e*", "-*f*", "-*i*", "-*I*", "*s/*/*/e*", "*s/*/*/w*", "*;W*")},
    "sort": {"options_any": ("-o", "-S", "--output", "--buffer-size")},
    "tree": {"options_any": ("-o",)},
}
"""What VS Code asks about of commands that it allows: its own entries with false."""

_UNREAD = "asimi runs no regular expressions, and reads only text, (a|b), \\b, \\s+ and .* at the end"
_LINE = "it is about the whole line, also what follows it, and asimi judges each command; leave out matchCommandLine"


class _Said(NamedTuple):
    """One key of a file.

    Attributes:
        permission: the entry; it says nothing where it is none.
        key: what it is about.
        line: whether that is a whole line.
    """

    permission: Permission
    key: str = ""
    line: bool = False


def _find(where: Where) -> list[Source]:
    config = where.environ.get("XDG_CONFIG_HOME") or os.path.join(where.home, ".config")
    places = [os.path.join(config, name, "User") for name in _EDITORS]
    places += [os.path.join(where.home, "Library", "Application Support", name, "User") for name in _EDITORS]
    places += [os.path.join(where.home, ".vscode-server", "data", "Machine")]
    own = [os.path.join(place, "settings.json") for place in places]
    return sources_at(own, [os.path.join(where.root, ".vscode", "settings.json")])


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    del where  # no path in these files depends on it
    said = all_of(sources, _entries)
    said = [_unset(each, said) for each in said]
    about = [each for each in said if each.key]
    about.sort(key=lambda each: each.permission.says is Verdict.ALLOW)  # a false wins, wherever it is
    defaults = not any(_is_true(source, _NO_DEFAULTS) for source in sources if source.own)
    names = allowed_names(each.key for each in about if each.permission.says is Verdict.ALLOW and each.key[0] != "/")
    entries = [(each, _parts(each, names)) for each in about]
    flat = iter(settled([entry for _, several in entries for entry in several]))
    done = [as_one(each.permission, [next(flat) for _ in several]) for each, several in entries]
    done = [_with_defaults(each) for each in done] if defaults else done
    return as_they_stand([*done, *(each.permission for each in said if not each.key)], sources)


def _is_true(source: Source, key: str) -> bool:
    there = member(values_of(source), key)
    return there is not None and there.value is True


def _entries(source: Source) -> Iterator[_Said]:
    """What one file says, in its order."""
    whole = object_in(source, "VS Code")
    for name in (_KEY, _FORMER):
        there = member(whole, name)
        if there is not None and there.keys is None and there.value is not None:
            raise AsimiError(f"{source.path}:{source.line_at(there.start)}: {name} is not an object; mend it")
        for key, element in members(there):
            yield _said(Permission(key, source, source.line_at(element.start), None, "skipped"), key, element)


def _said(entry: Permission, key: str, element: Element) -> _Said:
    """One key, with what its value says."""
    if element.value is None:
        return _Said(entry._replace(why=_NULL))
    approve, line = element, False
    if element.keys is not None:
        found, whole = member(element, "approve"), member(element, "matchCommandLine")
        approve, line = (element if found is None else found), whole is not None and whole.value is True
    if not isinstance(approve.value, bool):
        return _Said(entry.skipped("it is not true, false or null, so VS Code does not know it either"))
    if not key:
        return _Said(entry.skipped("an empty key is about nothing there"))
    return _Said(entry._replace(says=Verdict.ALLOW if approve.value else Verdict.ASK), key, line)


_NULL = "it takes back what VS Code or a weaker file says of the key, and nothing of that is imported"


def _unset(said: _Said, others: Sequence[_Said]) -> _Said:
    """A null in a project, which takes a person's own true back there: it becomes a question."""
    permission = said.permission
    if permission.why != _NULL or permission.source.own:
        return said
    own = [each for each in others if each.key == permission.text and each.permission.source.own]
    if not any(each.permission.says is Verdict.ALLOW for each in own):
        return said
    return _Said(permission._replace(says=Verdict.ASK), permission.text, own[0].line)


def _parts(said: _Said, names: Collection[str]) -> list[Entry]:
    """The entries that a key makes."""
    permission, key = said.permission, said.key
    if len(key) > LONGEST:
        return [entry_of(permission, key, names)]
    regex = _REGEX.fullmatch(key)
    allows = permission.says is Verdict.ALLOW
    if said.line and allows:
        return [_whole_line(permission, regex)]
    if regex is None:
        return _plain(permission, key, names)
    expression, flags = regex[1], set(regex[2])
    shapes: list[Shape] = []
    try:
        if flags <= set("gsu" if not allows else "gimsu"):
            shapes = allowed_shapes(expression) if allows else forbidden_shapes(expression)
    except Unread:
        pass
    if expression == ".*" and allows:
        shapes = [Shape("*", "glob")]
    if not shapes or (not allows and any(shape.text == "*" for shape in shapes)):
        return [unread(permission, _UNREAD)]
    return [entry_shaped(permission, shape, names) for shape in shapes]


def _plain(permission: Permission, key: str, names: Collection[str]) -> list[Entry]:
    """What a key without slashes around it makes: a path is meant with and without `./`."""
    if not key.isprintable() or not (is_word(key[-1])) or "*" in key or key != key.strip():
        if permission.says is Verdict.ALLOW:
            return [unread(permission, "asimi allows by whole words, and the key does not end with one")]
        return [entry_of(permission, f"{key.replace('*', '?')}*".replace("?", "*"), names)]
    keys = [key]
    if "/" in key.partition(" ")[0] and key[0] not in "/~.":
        keys.append(f"./{key}")
    return [entry_shaped(permission, Shape(each, "edge"), names) for each in keys]


def _whole_line(permission: Permission, regex: re.Match[str] | None) -> Entry:
    """A key about whole lines that allows: only one exact line has a rule that allows no more."""
    try:
        shapes = allowed_shapes(regex[1]) if regex is not None and not set(regex[2]) - set("gsu") else []
    except Unread:
        shapes = []
    if len(shapes) != 1 or shapes[0].tail != "end":
        return Entry(permission, "*", Meaning((), "skipped", _LINE if regex is None else f"{_UNREAD}, for a line a $"))
    reason = f"{permission.text}, {permission.place}"
    line = shapes[0].text
    rule = Rule(Verdict.ALLOW, SHELL, None, "", line=line, reason=reason)
    examples = (Example(line, Verdict.ALLOW), Example(f"{line} x", Verdict.ASK))
    entry = permission._replace(examples=examples)
    return Entry(entry, line, Meaning((rule._replace(entry=entry_for(rule)),), "exact"))


def _with_defaults(permission: Permission) -> Permission:
    """An allow with what VS Code itself asks about of the same commands."""
    if permission.says is not Verdict.ALLOW or permission.outcome == "skipped":
        return permission
    rules = [rule for rule in permission.rules if rule.words]
    lines = [_first(rule.line) for rule in permission.rules if rule.line is not None]
    names = {name for rule in rules for name in (rule.words or ((),))[0]} | set(lines)
    asked = [each for each in _ASKED if permission.text != each and any(_goes_on(name, each) for name in names)]
    if asked:
        return permission.skipped(f"VS Code asks about {asked[0]} all the same, unless its own key says true")
    if any(rule.bare for rule in permission.rules):
        return permission.skipped("VS Code goes on asking about some commands and options, and asimi would not")
    reason = f"{permission.text}, {permission.place}: VS Code asks about this by itself"
    more = tuple(
        rule_about(Verdict.ASK, (name,), reason, **_ASKED_WITH[name]) for name in sorted(names & set(_ASKED_WITH))
    )
    if not more:
        return permission
    why = f"asimi asks about {' and '.join(sorted(names & set(_ASKED_WITH)))} with the options that VS Code asks about"
    return permission._replace(outcome="stricter", why=why, rules=(*permission.rules, *more))


def _goes_on(name: str, word: str) -> bool:
    """Whether a name is a word, or goes on behind the end of that word."""
    return name.startswith(word) and not name[len(word) :][:1].isalnum() and name[len(word) :][:1] != "_"


def _first(line: str) -> str:
    try:
        return literal_words(line, line)[0]
    except EntryError:
        return ""


def _knows(path: str, text: str) -> bool:
    return os.path.basename(path) == "settings.json" and (_KEY in text or _FORMER in text)


def _write(in_force: InForce) -> Written:
    keys: dict[str, bool] = {}
    for rule in in_force.rules:
        for head in heads(rule):
            begin = f"^{_escaped(head)}"
            if rule.verdict is Verdict.ALLOW:
                keys[f"/{begin}$/" if rule.exact else f"/{begin}( .*)?$/"] = True
                continue
            edge = "\\b" if head and is_word(head[-1]) else ""
            for part in narrowed(rule):
                keys[f"/{begin}{edge}.*{_escaped(part)}/" if part else f"/{begin}{edge}/" if head else "/.*/"] = False
    notes = notes_on(in_force, "VS Code")
    if in_force.rejects or any(rule.verdict is Verdict.DENY for rule in in_force.rules):
        notes.append("weaker there: VS Code denies nothing; what asimi denies is a question")
    if in_force.deny or in_force.secret:
        notes.append("left out: patterns of files; VS Code has none for commands")
    whole = {_KEY: keys, "chat.tools.terminal.blockDetectedFileWrites": "all"}
    return Written(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", tuple(notes))


def _escaped(text: str) -> str:
    """A text as a regular expression for itself."""
    return re.sub(r"([\\^$.|?*+()\[\]{}/])", r"\\\1", text)


AGENT = Agent("vscode", "VS Code", _find, _read, _knows, _write)
"""VS Code's permissions mean here what they mean there, or less."""
