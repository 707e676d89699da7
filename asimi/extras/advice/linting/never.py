"""Rules and patterns that match nothing, or less than they look: by a name, a sign, a directory or the time."""

from __future__ import annotations

from time import localtime, strftime
from typing import TYPE_CHECKING

from asimi.core.judging.known import TEMPORARY
from asimi.core.judging.leaving_box import never_reason
from asimi.core.judging.patterns import DEEP, Patterns, absolute
from asimi.core.judging.rules import EXEC, SHELL, no_program
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.reading.commands import base
from asimi.extras.advice.linting.ground import Flaw, entry, firsts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.extras.advice.linting.ground import Ground, Pattern

SOON = 7 * 86400
"""Seconds before its end from which a rule is one that ends soon."""

_VARIABLE = pattern(r"\$\{?\w")
_BRACES = pattern(r"\{[^{},]*,[^{}]*\}")


def names(ground: Ground) -> Iterator[Flaw]:
    """Names that no command has."""
    for each in ground.lasting:
        rule = each.rule
        for words in () if rule.tool == EXEC else firsts_of(rule._replace(options_any=(), args_any=())):
            if said := no_program(words, rule.tool or SHELL):
                yield each.flaw("name", *said)


def literals(ground: Ground) -> Iterator[Flaw]:
    """Signs that people take for a pattern, a home or a variable, and that mean themselves in a rule."""
    for each in ground.lasting:
        rule = each.rule
        for words in firsts_of(rule._replace(options_any=(), args_any=())):
            at = next((at for at, word in enumerate(words) if _is_star(words, at)), 0)
            if words[0].startswith("~/") or _VARIABLE.match(words[0]):
                message = f"takes `{words[0]}` to the letter: neither ~ nor a variable is expanded in a rule"
                yield each.flaw("literal", message, "the absolute path, as commands write it")
            elif "*" in words[0]:
                yield each.flaw("literal", _to_the_letter(words[0]), "one entry for each program")
            elif at and each.level not in {"approved", "imported"}:  # there, a person saw the command with its quotes
                message = f"{_to_the_letter(words[at])}; a rule holds for all commands that begin with its words"
                yield each.flaw("literal", message, entry(rule, words[:at]))
        for text in rule.args_any:
            if text.startswith("~/") or _VARIABLE.match(text) or _BRACES.search(text):
                message = f"takes `{text}` to the letter, but for `*`: neither ~, a variable nor braces are expanded"
                yield each.flaw("literal", message, "absolute paths, one pattern for each")


def _is_star(words: tuple[str, ...], at: int) -> bool:
    """Whether a word behind the name is a star by which a person may mean any words, or any end of a word."""
    word, row = words[at], find(base(words[0]))
    meant = word in {"*", "**"} or word.endswith(":*")
    own = row is not None and "patterns" in row.traits and (at > 1 or not row.subcommands)
    return at > 0 and meant and not own and not words[at - 1].startswith("-")


def _to_the_letter(word: str) -> str:
    return f"takes `{word}` to the letter, so it is only about a command with this very word in quotes"


def directories(ground: Ground) -> Iterator[Flaw]:
    """Directories that are gone."""
    for each in ground.lasting:
        path = each.rule.directory
        if path is not None and (kind := ground.machine.kind(path)) in {"", "file", "block"}:
            fault = "is not there" if kind == "" else "is no directory"
            message = f"matches no command: its directory {path} {fault}"
            yield each.flaw("directory", message, f"the directory that is meant now; else {each.removal}")


def ended(ground: Ground) -> Iterator[Flaw]:
    """Rules that have ended."""
    for each in ground.rules:
        if each.rule.expires is not None and each.rule.expires <= ground.now:
            message = f"has ended: it held until {_day(each.rule.expires)}"
            yield each.flaw("ended", message, f"{each.removal}, or give it a later date")


def boxed(ground: Ground) -> Iterator[Flaw]:
    """Rules that let nothing out of a box although they say so."""
    for each in ground.lasting:
        if not each.rule.outside:
            continue
        for words in firsts_of(each.rule._replace(options_any=())):
            if why := never_reason(words):
                message = f"lets nothing out of a box: {why}"
                yield each.flaw("outside", message, "the rule without outside; what leaves a box is asked about then")
                break


def ending(ground: Ground) -> Iterator[Flaw]:
    """Rules that end soon."""
    for each in ground.lasting:
        if each.rule.expires is not None and each.rule.expires < ground.now + SOON:
            message = f"ends soon: it holds until {_day(each.rule.expires)}"
            yield each.flaw("ending", message, f"a later date if it is wanted longer; else {each.removal}")


def _day(moment: float) -> str:
    return strftime("%Y-%m-%d %H:%M", localtime(moment))


DIRECTORIES = frozenset({"directory", "mount"})

_SIGNS = pattern(r"\{[^{},]*,[^{}]*\}|\?|\[(?:[!^]|[^][]-)[^][]*\]")
"""What stands for more than itself in the patterns of other programs."""


def patterns(ground: Ground) -> Iterator[Flaw]:
    """What is wrong with each pattern, the first of these."""
    for each in ground.patterns:
        text = each.text.removeprefix("!")
        full = absolute(text, ground.root, ground.machine.home)
        for check in (_sign, _other_root, _link, _directory, _top, _back):
            if found := check(ground, each, text, full):
                message, instead = found
                yield Flaw("pattern", each.source, f"{each.key} {each.text}", message, instead)
                break


def _sign(ground: Ground, _: Pattern, text: str, full: str) -> tuple[str, str] | None:
    """Signs that mean themselves."""
    if text.startswith("$"):
        return "takes the variable to the letter, so it matches nothing of it", "a path that begins with ~ or /"
    found = _SIGNS.search(text)
    if found is None or ("*" not in text and ground.machine.kind(full)):
        return None
    return f"takes `{found[0]}` to the letter: only * and ** stand for other names", "one pattern for each name"


def _other_root(ground: Ground, each: Pattern, text: str, full: str) -> tuple[str, str] | None:
    """A slash at the beginning by which a person means the project."""
    start = _start(full)
    here = ground.root.rstrip("/") + start
    if not text.startswith("/") or start == "/" or ground.machine.kind(start) != "" or not ground.machine.kind(here):
        return None
    message = f"matches nothing: there is no {start}, and a pattern with / before it is not in the project"
    return message, _spelt(each, text.lstrip("/"))


def _link(ground: Ground, each: Pattern, _: str, full: str) -> tuple[str, str] | None:
    """A link in the way: paths count as what they lead to."""
    start = _start(full)
    real = ground.machine.resolve(start)
    if real == start or (each.key == "files.write" and start in TEMPORARY):
        return None
    rest = full[len(start) :]
    message = f"matches no file: {start} leads to {real}, and a path counts as what it leads to"
    return message, _spelt(each, real + rest)


def _directory(ground: Ground, each: Pattern, text: str, full: str) -> tuple[str, str] | None:
    """A directory without what is in it."""
    name = text.rstrip("/").rpartition("/")[2]
    if "*" in name or not name or name == "~":
        known = ground.machine.kind(full) if text in {"~", "~/"} else ""
        return _only_itself(each, text) if known in DIRECTORIES else None
    if "*" not in text:
        kinds = {ground.machine.kind(full.rstrip("/"))}
    else:
        matched = Patterns([text], ground.root, ground.machine.home)
        kinds = {ground.machine.kind(path) for path in ground.tree.get(name, ()) if matched.matches(path)}
    is_one = not kinds.isdisjoint(DIRECTORIES) or (text.endswith("/") and "file" not in kinds)
    return _only_itself(each, text) if is_one else None


def _only_itself(each: Pattern, text: str) -> tuple[str, str]:
    return "names a directory, and nothing that is in it", _spelt(each, f"{text.rstrip('/')}/{DEEP}")


def _top(ground: Ground, each: Pattern, text: str, full: str) -> tuple[str, str] | None:
    """A name without a directory, which is only about the root itself."""
    if "/" in text or text in {DEEP, "~"}:
        return None
    message = "is only about the project root itself, not about the directories in it"
    if "*" not in text:
        same = [path for path in ground.tree.get(text, ()) if path != full]
        covered = Patterns(each.every if same else (), ground.root, ground.machine.home)
        same = [path for path in same if not covered.matches(path)]
        if each.key == "files.write" or not same:
            return None
        message = f"{message}: {same[0]} is another one"
    return message, _spelt(each, f"{DEEP}/{text}")


def _back(ground: Ground, each: Pattern, text: str, full: str) -> tuple[str, str] | None:
    """A pattern that takes back what nothing before it says."""
    if not each.text.startswith("!"):
        return None
    positive = [other for other in each.earlier if not other.startswith("!")]
    if positive and ("*" in text or Patterns(each.earlier, ground.root, ground.machine.home).matches(full)):
        return None
    return "takes nothing back: no pattern before it matches that", "nothing, or the pattern behind what it narrows"


def _start(full: str) -> str:
    """The directory before what may be any name; of a path without stars, all of it."""
    fixed, star, _ = full.partition("*")
    return ((fixed.rpartition("/")[0] if star else fixed).rstrip("/")) or "/"


def _spelt(each: Pattern, text: str) -> str:
    """A pattern as it is written in the file."""
    return f'"{"!" if each.text.startswith("!") else ""}{text}"'
