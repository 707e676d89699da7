"""Cursor: `permissions` of its command line's files, and `terminalAllowlist` of its editor's.

https://cursor.com/docs/cli/reference/permissions: deny over allow; `Shell(base)` is about the first word of a command,
`Shell(base:args)` about the rest too, with globs. https://cursor.com/docs/reference/permissions: an entry of
`terminalAllowlist` is the first words of a command, or `base:args`.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.extras.permissions.entries import (
    Agent,
    Permission,
    Written,
    all_of,
    as_they_stand,
    items_of,
    member,
    object_in,
    sources_at,
)
from asimi.extras.permissions.exporting import heads, narrowed, notes_on, shown
from asimi.extras.permissions.ordered import LONGEST, Entry, allowed_names, entry_of, said_by, settled
from asimi.extras.permissions.wildcards import Meaning, samples

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from asimi.extras.permissions.entries import InForce, Plain, Source, Where

_LISTS = {"deny": Verdict.DENY, "allow": Verdict.ALLOW}
_OTHERS = "asimi judges commands, and this is about another tool of Cursor, which goes on to judge it"
_GLOB = "asimi has no rule for ? and [ ] that allows no more; add what you need by its words"
_MORE = "asimi cannot ask for one argument more; write the * without a blank before it, or the words without * besides"
_ONE_WORD = "the base is one word in Cursor, so it stops nothing there, and it does here"
_WRITES = "asimi has no pattern of files for writing alone; say where commands may write with write in [files]"


def _find(where: Where) -> list[Source]:
    home = os.path.join(where.home, ".cursor")
    config = where.environ.get("CURSOR_CONFIG_DIR")
    if not config and (xdg := where.environ.get("XDG_CONFIG_HOME")):
        config = os.path.join(xdg, "cursor")
    own = [os.path.join(each, "cli-config.json") for each in (config, home) if each]
    here = os.path.join(where.root, ".cursor")
    return sources_at(
        [*own, os.path.join(home, "permissions.json")],
        [os.path.join(here, "cli.json"), os.path.join(here, "permissions.json")],
    )


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    del where  # no path in these files depends on it
    found = all_of(sources, _entries)
    about = [each for each in found if each[1]]
    about.sort(key=lambda each: each[0].says is Verdict.ALLOW)  # what denies wins, wherever it is
    allowed = {pattern for entry, pattern in about if entry.says is Verdict.ALLOW}
    names = allowed_names(pattern for entry, pattern in about if entry.says is Verdict.ALLOW)
    settled_ones = settled([_entry(entry, pattern, names, allowed) for entry, pattern in about])
    return as_they_stand([*settled_ones, *(entry for entry, pattern in found if not pattern)], sources)


def _entries(source: Source) -> Iterator[tuple[Permission, str]]:
    """What one file says, in its order, each with the pattern of commands that it is about; empty for none."""
    whole = object_in(source, "Cursor")
    if whole is None:
        return
    for key, verdict in _LISTS.items():
        for item in items_of(member(whole, "permissions", key), source, f"permissions.{key}"):
            entry = Permission(str(item.value), source, source.line_at(item.start), verdict, "skipped", _OTHERS)
            yield _token(entry) if isinstance(item.value, str) else (entry.skipped("it is not a string"), "")
    for item in items_of(member(whole, "terminalAllowlist"), source, "terminalAllowlist"):
        entry = Permission(str(item.value), source, source.line_at(item.start), Verdict.ALLOW, "skipped", _OTHERS)
        if isinstance(item.value, str) and item.value.strip():
            yield entry, _commands(item.value.strip())
        else:
            yield entry.skipped("it is no text, so Cursor drops it"), ""
    for item in items_of(member(whole, "mcpAllowlist"), source, "mcpAllowlist"):
        yield Permission(str(item.value), source, source.line_at(item.start), Verdict.ALLOW, "skipped", _OTHERS), ""
    rules = member(whole, "autoRun")
    if rules is not None:
        why = "it is advice for a model in plain words, and asimi leaves nothing to a model"
        yield Permission("autoRun", source, source.line_at(rules.start), None, "skipped", why), ""


def _token(entry: Permission) -> tuple[Permission, str]:
    """One token of a list, with its pattern."""
    tool, bracket, inside = entry.text.strip().partition("(")
    if not bracket or not inside.endswith(")") or not inside[:-1].strip():
        return entry.skipped("it is not TOOL(PATTERN), so Cursor does not know it either"), ""
    inside = inside[:-1].strip()
    if tool == "Shell":
        return _shell(entry, inside)
    if tool == "Read" and entry.says is Verdict.DENY:
        return _file(entry, inside), ""
    return (entry.skipped(_WRITES) if tool == "Write" and entry.says is Verdict.DENY else entry), ""


def _shell(entry: Permission, inside: str) -> tuple[Permission, str]:
    """A token about commands, whose base is one word."""
    if " " not in inside.partition(":")[0]:
        return entry._replace(why=""), _commands(inside)
    if entry.says is Verdict.ALLOW:
        return entry.skipped("the base is one word in Cursor, so it allows nothing there; write Shell(base:args)"), ""
    return entry._replace(why=_ONE_WORD), _commands(inside)


def _commands(inside: str) -> str:
    """The pattern of `base`, first words, or `base:args`."""
    base, colon, args = inside.partition(":")
    base, args = base.replace("**", "*").strip(), args.replace("**", "*").strip()
    if not colon:
        return "*" if base == "*" else base if base.endswith("*") else f"{base} *"
    return f"{base} {args}".strip() if args != "*" or base != "*" else "*"


def _entry(permission: Permission, pattern: str, names: Collection[str], allowed: Collection[str]) -> Entry:
    """A token or an entry about commands, in its place among the others."""
    globs = not set("?[]{}").isdisjoint(pattern)
    if globs and permission.says is not Verdict.ALLOW:
        pattern = "".join("*" if each in "?[]{}" else each for each in pattern)
    examples = samples(pattern, said_by(permission)) if len(pattern) <= LONGEST else ()
    entry = entry_of(
        permission._replace(examples=() if globs or permission.why else examples), pattern, names, word=True
    )
    if permission.why:
        entry = entry._replace(meaning=entry.meaning._replace(outcome="stricter", why=permission.why))
    if globs and permission.says is Verdict.ALLOW:
        return entry._replace(meaning=Meaning((), "skipped", _GLOB))
    alone = pattern.removesuffix(" *")
    needs_more = ":" in permission.text and alone != pattern and " " in alone
    if needs_more and permission.says is Verdict.ALLOW and not {alone, f"{alone}*"} & set(allowed):
        return entry._replace(meaning=Meaning((), "skipped", _MORE))
    return entry


def _file(entry: Permission, inside: str) -> Permission:
    """A token about files that are read, as patterns for `[files]`."""
    if not inside.isprintable() or not set("?[]{}\\!").isdisjoint(inside):
        return entry.skipped("asimi has no such pattern of files; write it with * and ** in [files]")
    why = "every command that touches it counts, also one that writes it"
    return entry._replace(outcome="stricter", why=why, deny=(inside.removeprefix("./"),))


def _knows(path: str, text: str) -> bool:
    name = os.path.basename(path)
    if name in ("cli-config.json", "cli.json"):
        return '"permissions"' in text
    return name == "permissions.json" and ("Allowlist" in text or "autoRun" in text)


def _write(in_force: InForce) -> Written:
    lists: dict[Verdict, list[str]] = {verdict: [] for verdict in Verdict}
    notes = notes_on(in_force, "Cursor", asks=False)
    for rule in in_force.rules:
        for head in heads(rule):
            base, _, rest = head.partition(" ")
            if ":" in base or (rule.verdict is Verdict.ALLOW and rule.exact and not rest):
                notes.append(f"left out: {shown(rule)}: Cursor cannot tell it from the same with more")
                continue
            lists[rule.verdict] += _tokens(rule, base or "*", rest)
    lists[Verdict.DENY] += lists[Verdict.ASK]
    files = [f"Read({each})" for each in (*in_force.deny, *in_force.secret) if not each.startswith("!")]
    if files:
        notes.append("weaker there: files are held for Cursor's own reading of them, not for commands")
    if in_force.rejects:
        notes.append("weaker there: what nothing allows is asked about")
    allow, deny = (list(dict.fromkeys(each)) for each in (lists[Verdict.ALLOW], [*lists[Verdict.DENY], *files]))
    whole = {"version": 1, "permissions": {"allow": allow, "deny": deny}}
    return Written(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", tuple(notes))


def _tokens(rule: Plain, base: str, rest: str) -> Iterator[str]:
    """The tokens for a rule about commands that begin so."""
    for part in narrowed(rule):
        if part:
            yield f"Shell({base}:{f'{rest} ' if rest else ''}*{part}*)" if rest else f"Shell({base}:*{part}*)"
        elif not rest:
            yield f"Shell({base})"
        else:
            yield f"Shell({base}:{rest})"
            if not rule.exact:
                yield f"Shell({base}:{rest} *)"


AGENT = Agent("cursor", "Cursor", _find, _read, _knows, _write)
"""Cursor's permissions mean here what they mean there, or less."""
