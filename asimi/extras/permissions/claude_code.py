"""Claude Code: `permissions` in its `settings.json` files.

https://code.claude.com/docs/en/permissions and .../settings: deny, then ask, then allow, and of these whichever matches
first; each command of a text by itself. `timeout`, `time`, `nice`, `nohup` and `stdbuf` are passed over before that.
"""

from __future__ import annotations

import json
import os
import re
from itertools import islice, product
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.syntax import quote
from asimi.extras.permissions.entries import (
    Agent,
    Permission,
    Written,
    check_number,
    files_in,
    items_of,
    member,
    sources_at,
    values_of,
)
from asimi.extras.permissions.exporting import shown
from asimi.extras.permissions.wildcards import allowing, by_beginning, forbidding, rule_about, samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.extras.permissions.entries import InForce, Plain, Source, Where
    from asimi.world.host.jsonc import Element

_LISTS = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}
_MOST = 64
_SOME = re.compile(r"\[[^]]*\]?|\{[^}]*\}?|\\.|[?\\]")  # what a pattern of ours has no sign for
_STARS = re.compile(r"\*+")
_PASSED = ("timeout", "nice", "nohup", "stdbuf")
_OTHERS = "it is about another tool, and asimi judges commands"
_ONLY_MANAGED = "the administrator's allowManagedPermissionRulesOnly makes Claude Code ignore it"
_MODES = {
    "plan": 'asimi has no mode that changes nothing; [sandbox] mode = "read-only" holds commands',
    "acceptEdits": "it is about Claude Code's own edits and a few commands; asimi goes on asking about these",
    "auto": "asimi never leaves a question to a model",
    "bypassPermissions": "asimi has no mode that asks nothing",
}  # fmt: skip


def _find(where: Where) -> list[Source]:
    managed = os.path.join(where.system, "etc", "claude-code")
    dropped = files_in(os.path.join(managed, "managed-settings.d"), ".json")
    home = where.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(where.home, ".claude")
    here = os.path.join(where.root, ".claude")
    return sources_at(
        [os.path.join(managed, "managed-settings.json"), *dropped, os.path.join(home, "settings.json")],
        [os.path.join(here, "settings.local.json"), os.path.join(here, "settings.json")],
    )


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    managed = os.path.join(where.system, "etc", "claude-code") + os.sep
    held = [each for each in sources if each.path.startswith(managed) and _only_managed(each)]
    found: list[Permission] = []
    for source in sources:
        entries = list(_entries(source))
        if held and not source.path.startswith(managed):
            entries = [each.skipped(_ONLY_MANAGED) if each.says is Verdict.ALLOW else each for each in entries]
        found += entries
    found = _with_names(found)
    return [*found, *_passed_over(found)]


def _with_names(found: Sequence[Permission]) -> list[Permission]:
    """The entries, where those that forbid programs by a part of their name know the names that others allow."""
    named = [each for each in found if each.says is not Verdict.ALLOW and by_beginning(_pattern(each.text))]
    if not any(each.rules for each in named):
        return list(found)
    known = [
        word for each in found if each.says is Verdict.ALLOW for rule in each.rules for word in (rule.words or ((),))[0]
    ]
    first = next(each for each in named if each.rules)
    why = f"{first.text} forbids programs by a part of their name, and asimi cannot know all of them"
    again = {id(each): _commands(each, each.says, known) for each in named if each.says is not None and each.rules}
    return [
        each.skipped(why)
        if each.says is Verdict.ALLOW and each.rules and each.rules[0].bare
        else again.get(id(each), each)
        for each in found
    ]


def _only_managed(source: Source) -> bool:
    there = member(values_of(source), "allowManagedPermissionRulesOnly")
    return there is not None and there.value is True


def _entries(source: Source) -> Iterator[Permission]:
    """What one file says, in its order."""
    there = member(values_of(source), "permissions")
    if there is None:
        return
    if there.keys is None:
        raise AsimiError(f"{source.path}: permissions is not an object, as Claude Code has it; mend it")
    for key, element in zip(there.keys, there.children, strict=True):
        line = source.line_at(element.start)
        if key in _LISTS:
            yield from _list(source, key, element)
        elif key == "defaultMode" and element.value != "default":
            yield _mode(source, line, element.value)
        elif key == "additionalDirectories" and element.value:
            entry = Permission(f"additionalDirectories {element.value}", source, line, None, "skipped")
            yield entry.skipped("asimi does not bound what commands read; `[files] write` says where they may write")


def _list(source: Source, key: str, element: Element) -> Iterator[Permission]:
    """The entries of one list."""
    items = items_of(element, source, f"permissions.{key}")
    check_number(source, len(items))
    for item in items:
        entry = Permission(str(item.value), source, source.line_at(item.start), _LISTS[key], "skipped")
        if isinstance(item.value, str):
            yield _entry(entry, _LISTS[key])
        else:
            yield entry.skipped("it is not a string, so Claude Code does not know it either")


def _mode(source: Source, line: int, mode: object) -> Permission:
    entry = Permission(f"defaultMode {mode}", source, line, None, "skipped")
    if mode == "dontAsk":
        return entry._replace(outcome="exact", rejects=True)
    return entry.skipped(_MODES.get(str(mode), "asimi does not know this mode"))


def _entry(entry: Permission, verdict: Verdict) -> Permission:
    """One entry of a list, with what it becomes."""
    tool, bracket, inside = entry.text.strip().partition("(")
    if bracket and not inside.endswith(")"):
        return entry.skipped("it has no closing parenthesis, so Claude Code does not know it either")
    inside = inside.removesuffix(")").strip()
    if tool == "Bash" and bracket and not inside and verdict is Verdict.ALLOW:
        return entry.skipped("it names no command")
    if tool == "Bash":
        return _commands(entry, verdict)
    if tool in ("Read", "Edit") and inside and verdict is not Verdict.ALLOW:
        return _files(entry, verdict, tool, inside)
    return entry.skipped(_OTHERS)


def _pattern(text: str) -> str:
    """What `Bash(…)` says, with `x:*` as `x *`."""
    inside = text.strip().partition("(")[2].removesuffix(")").strip()
    if inside.endswith(":*"):
        return f"{inside[:-2]} *" if inside != ":*" else "*"
    return inside or "*"


def _commands(entry: Permission, verdict: Verdict, known: Sequence[str] = ()) -> Permission:
    """An entry about commands."""
    pattern = _pattern(entry.text)
    reason = f"{entry.text[:200]}, {entry.place}"
    meaning = allowing(pattern, reason) if verdict is Verdict.ALLOW else forbidding(pattern, verdict, reason, known)
    return entry._replace(**meaning._asdict(), examples=samples(pattern, verdict))


def _files(entry: Permission, verdict: Verdict, tool: str, inside: str) -> Permission:
    """An entry about files, in the syntax of gitignore, which Claude Code holds some commands to."""
    if inside[0] == "!" or (inside[0] == "~" and inside[1:2] not in ("", "/")):
        return entry.skipped("asimi has no such pattern of files; write what you mean in [files]")
    parts = (part if part == "**" else _STARS.sub("*", _SOME.sub("*", part)) for part in inside.split("/"))
    patterns = tuple(dict.fromkeys(_paths("/".join(parts), entry.source)))
    why = "every command that touches it counts, also one that "
    why += "writes it" if tool == "Read" else "only reads it, because asimi has no pattern for writing alone"
    entry = entry._replace(outcome="stricter", why=why)
    return entry._replace(deny=patterns) if verdict is Verdict.DENY else entry._replace(secret=patterns)


def _paths(inside: str, source: Source) -> Iterator[str]:
    """A pattern of gitignore, as patterns for `[files]`."""
    path = inside.removesuffix("/")
    if ".." in path.split("/"):  # wherever it leads
        parts = path.split("/")
        starts = ["/".join(("/**", *parts[len(parts) - parts[::-1].index("..") :]))]
    elif path.startswith("//"):
        starts = [path[1:]]
    elif path.startswith("~"):
        starts = [path]
    elif path.startswith("/"):  # relative to the settings' own project, and once to the directory of the file
        beside = os.path.join(os.path.dirname(source.path), path[1:])
        starts = [path[1:], beside] if source.own else [path[1:]]
    else:
        rest = path.removeprefix("./")
        starts = [rest if "/" in rest or path != rest else f"**/{rest}"]
    for start in starts:
        yield start or "**"
        if not start.endswith("*"):
            yield f"{start}/**" if start else "**"


def _passed_over(found: Sequence[Permission]) -> Iterator[Permission]:
    """Rules for the commands that Claude Code passes over before it looks for an allow."""
    first = next((each for each in found if each.says is Verdict.ALLOW and each.rules and not each.rules[0].bare), None)
    if first is not None:
        reason = "Claude Code passes over timeout, nice, nohup and stdbuf; what they start is judged by itself"
        rule = rule_about(Verdict.ALLOW, (_PASSED,), reason)
        entry = Permission(", ".join(_PASSED), first.source, first.line, Verdict.ALLOW, "stricter", rules=(rule,))
        yield entry._replace(why="Claude Code passes over them; asimi judges what they start by itself")


def _knows(path: str, text: str) -> bool:
    name = os.path.basename(path)
    return name.endswith(".json") and "settings" in name and '"permissions"' in text and "Bash" in text


def _write(in_force: InForce) -> Written:
    lists: dict[Verdict, list[str]] = {verdict: [] for verdict in Verdict}
    notes = []
    for rule in in_force.rules:
        texts = list(islice(_texts(rule), _MOST))
        if not texts:
            notes.append(f"left out: {shown(rule)}: it has * or several lines")
        elif rule.options or rule.arguments:
            notes.append(f"weaker there: {shown(rule)}: another spelling of the options is missed")
        lists[rule.verdict] += texts
    lists[Verdict.DENY] += [text for each in in_force.deny for text in _as_files(each, "Read", "Edit")]
    lists[Verdict.ASK] += [text for each in in_force.secret for text in _as_files(each, "Read")]
    if in_force.deny or in_force.secret:
        notes.append("weaker there: files behind links and variables, and in programs that Claude Code does not know")
    if lists[Verdict.ALLOW]:
        notes.append("its own doing there: what is allowed is so behind timeout, time, nice, nohup and stdbuf as well")
    if lists[Verdict.DENY] or lists[Verdict.ASK]:
        notes.append("weaker there: Claude Code compares texts, so quotes and options before a subcommand go past it")
    permissions: dict[str, object] = {
        key: list(dict.fromkeys(lists[each])) for key, each in _LISTS.items() if lists[each]
    }
    permissions |= {"defaultMode": "dontAsk"} if in_force.rejects else {}
    return Written(json.dumps({"permissions": permissions}, indent=2, ensure_ascii=False) + "\n", tuple(notes))


def _texts(rule: Plain) -> Iterator[str]:
    """The entries for a rule; none where Claude Code would read something else in them."""
    for words in product(*rule.words):
        head = " ".join(map(quote, words))
        if not head.isprintable() or (rule.verdict is Verdict.ALLOW and "*" in head):
            return
        for option in rule.options:
            yield from (f"Bash({each})" for each in (f"{head} {option}*", f"{head} * {option}*"))
        for argument in rule.arguments:
            yield f"Bash({head} *{argument.strip('*')}*)"
        if not rule.options and not rule.arguments:
            yield "Bash" if not head else f"Bash({head})" if rule.exact else f"Bash({head} *)"


def _as_files(pattern: str, *tools: str) -> list[str]:
    """The entries for a pattern of files; none for one that takes something back."""
    path = f"/{pattern}" if pattern.startswith("/") else pattern if pattern.startswith("~") else f"./{pattern}"
    return [] if pattern.startswith("!") else [f"{tool}({path})" for tool in tools]


AGENT = Agent("claude-code", "Claude Code", _find, _read, _knows, _write)
