"""Copilot CLI: what a person approved for a place, in `permissions-config.json`.

https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference: an identifier is the whole
command, or with `:*` at its end the first words of one; nothing else is a pattern. Paths outside the place and
addresses are questions of their own. Options such as `--deny-tool` are in no file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.budget import Budget, OverBudgetError
from asimi.core.call import Verdict
from asimi.core.errors import AsimiError, ShellSyntaxError
from asimi.core.syntax import parse, quote
from asimi.extras.permissions.entries import (
    Agent,
    Example,
    Permission,
    Written,
    all_of,
    member,
    members,
    sources_at,
    values_of,
)
from asimi.extras.permissions.exporting import heads, notes_on, shown
from asimi.extras.permissions.ordered import LONGEST, entry_of, said_by, settled
from asimi.extras.permissions.wildcards import asked_outside, samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.extras.permissions.entries import InForce, Source, Where
    from asimi.world.host.jsonc import Element

_FILE = "permissions-config.json"
_LONGEST = 500_000
"""Units of work for a file of command lines; a script of some thousand lines is not more."""

_OPTIONS = {"--allow-tool": Verdict.ALLOW, "--deny-tool": Verdict.DENY}
_ALL = "Copilot CLI goes on asking about paths and addresses, and asimi would not; list programs"
_OTHERS = "asimi judges commands, and this is about another tool of Copilot CLI, which goes on to judge it"


def _find(where: Where) -> list[Source]:
    home = where.environ.get("COPILOT_HOME") or os.path.join(where.home, ".copilot")
    return sources_at([os.path.join(home, _FILE)], []) or sources_at([os.path.join(home, "permissions-config")], [])


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    return all_of(sources, lambda each: _entries(each, where))


def _options(source: Source) -> Iterator[Permission]:
    """What the command lines of a file say that start Copilot CLI.

    Raises:
        AsimiError: it is neither JSON nor such command lines.
    """
    try:
        script = parse(source.text, Budget(_LONGEST))
    except (ShellSyntaxError, OverBudgetError) as error:
        raise AsimiError(f"{source.path}: is neither JSON nor a command line of Copilot CLI: {error}") from None
    for command in script.commands:
        words = [word.literal for word in command.words]
        if not words or os.path.basename(words[0] or "") != "copilot":
            continue
        for place, word in enumerate(words):
            name, equals, value = (word or "").partition("=")
            if name not in _OPTIONS:
                continue
            given = value if equals else words[place + 1] if place + 1 < len(words) else None
            line = source.line_at(command.words[place].start)
            for text in (given or "").split(","):
                entry = Permission(text.strip(), source, line, _OPTIONS[name], "skipped", _OTHERS)
                yield _tool(entry) if given is not None else entry.skipped("only the shell can know what it says")
        if "--allow-all-tools" in words or "--allow-all" in words or "--yolo" in words:
            at = source.line_at(command.words[0].start)
            yield Permission("--allow-all-tools", source, at, Verdict.ALLOW, "skipped", _ALL)


def _tool(entry: Permission) -> Permission:
    """A pattern of an option: `shell`, `shell(WORDS)` or `shell(WORDS:*)`."""
    kind, bracket, inside = entry.text.partition("(")
    if kind != "shell" or (bracket and not inside.endswith(")")):
        return entry
    identifier = inside[:-1].strip()
    if entry.says is Verdict.ALLOW and not identifier:
        return entry.skipped(_ALL)
    stem = identifier.removesuffix(":*")
    if "*" in stem or (bracket and not stem):
        return entry.skipped("a * elsewhere than in :* at the end is no pattern there, so no command is meant")
    pattern = stem if stem == identifier and stem else f"{stem} *".lstrip()
    if entry.says is Verdict.DENY and stem and stem == identifier:
        pattern = f"{stem} *"  # its pages say both that this is the whole command and that it is the first words
    (done,) = settled([entry_of(entry._replace(why="", examples=samples(pattern, said_by(entry))), pattern)])
    return asked_outside(done, "Copilot CLI", addresses=True)


def _entries(source: Source, where: Where) -> Iterator[Permission]:
    """What one file says, in its order."""
    if source.text.lstrip()[:1] not in ("{", "/", "["):
        yield from _options(source)
        return
    whole = values_of(source)
    if whole is None:
        return
    places = member(whole, "locations")
    if whole.keys is None or (places is not None and places.keys is None):
        raise AsimiError(f"{source.path}: has no object of locations, as Copilot CLI has it; mend it")
    for place, element in members(places):
        directories = member(element, "allowed_directories")
        if directories is not None and directories.value:
            why = "asimi does not bound what commands read; `[files] write` says where they may write"
            text = f"allowed_directories of {place}"
            yield Permission(text, source, source.line_at(directories.start), Verdict.ALLOW, "skipped", why)
        approvals = member(element, "tool_approvals")
        for approval in approvals.children if approvals is not None and isinstance(approvals.value, list) else ():
            yield from _approval(place, approval, source, where)


def _approval(place: str, approval: Element, source: Source, where: Where) -> Iterator[Permission]:
    """What one approval says."""
    kind, identifiers = member(approval, "kind"), member(approval, "commandIdentifiers")
    name = kind.value if kind is not None and isinstance(kind.value, str) else "an approval without a kind"
    if name != "commands" or identifiers is None or not isinstance(identifiers.value, list):
        yield Permission(
            f"{name} in {place}", source, source.line_at(approval.start), Verdict.ALLOW, "skipped", _OTHERS
        )
        return
    for item in identifiers.children:
        entry = Permission(str(item.value), source, source.line_at(item.start), Verdict.ALLOW, "skipped")
        if isinstance(item.value, str):
            yield _command(entry, place, item.value, where)
        else:
            yield entry.skipped("it is not a string, so Copilot CLI does not know it either")


def _command(entry: Permission, place: str, identifier: str, where: Where) -> Permission:
    """An identifier of commands, for one place."""
    if len(identifier) > LONGEST:
        return entry._replace(text=f"{identifier[:60]}…").skipped(f"it is longer than {LONGEST} characters")
    if not os.path.isabs(place) or not place.isprintable() or os.path.normpath(place) == "/":
        return entry.skipped("its place is no absolute path of this machine below /")
    stem = identifier.removesuffix(":*")
    if "*" in stem or not stem.strip():
        return entry.skipped("a * elsewhere than in :* at the end is no pattern there, so no command is meant")
    pattern = stem if stem == identifier else f"{stem} *"
    meaning = entry_of(entry, pattern).meaning
    if not meaning.rules:
        return entry.skipped(meaning.why)
    real = os.path.realpath(place)
    if real != os.path.normpath(place):  # a project's link would take what was approved there out of it
        return entry.skipped(f"a link leads from its place to {real}; add there what you need")
    rules = tuple(rule._replace(directory=real, below=False) for rule in meaning.rules)
    entry = entry._replace(outcome="exact", rules=rules)
    if real == where.root:
        outside = Example(f"{stem} /etc/hosts", Verdict.ASK)
        entry = entry._replace(examples=(*samples(pattern, Verdict.ALLOW), outside))
    entry = asked_outside(entry, "Copilot CLI", addresses=True)
    here = f"only in {place} itself, not in directories below, which may be other places"
    return entry._replace(outcome="stricter", why=f"{here}; {entry.why}" if entry.why else here)


def _knows(path: str, text: str) -> bool:
    if os.path.basename(path) in (_FILE, "permissions-config"):
        return '"locations"' in text
    return "copilot" in text and any(option in text for option in _OPTIONS)


def _write(in_force: InForce) -> Written:
    notes = notes_on(in_force, "Copilot CLI", asks=False)
    options = []
    for rule in in_force.rules:
        option = "--allow-tool" if rule.verdict is Verdict.ALLOW else "--deny-tool"
        if rule.options or rule.arguments:
            notes.append(f"stricter there: {shown(rule)}: Copilot CLI has only first words, so all these are denied")
        for head in heads(rule):
            if "," in head or ")" in head:
                notes.append(f"left out: {shown(rule)}: Copilot CLI would read something else in it")
                continue
            exact = rule.exact or not head
            wide = [f"shell({head})" if head else "shell"] if exact else [f"shell({head}:*)"]
            options += [f"{option}={quote(each)}" for each in wide]
    if in_force.rejects:
        notes.append("weaker there: what nothing allows is asked about")
    if in_force.deny or in_force.secret:
        notes.append("left out: patterns of files; Copilot CLI has none for commands")
    return Written(" ".join(["copilot", *dict.fromkeys(options)]) + "\n", tuple(notes))


AGENT = Agent("copilot-cli", "Copilot CLI", _find, _read, _knows, _write)
"""Copilot CLI's approvals mean here what they mean there, or less."""
