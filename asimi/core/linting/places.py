"""Patterns of `[files]` that match nothing, or less than they look."""

from __future__ import annotations

from asimi.core.judging.known import TEMPORARY
from asimi.core.judging.patterns import DEEP, Patterns, absolute
from asimi.core.linting.ground import Flaw
from asimi.core.startup import TYPE_CHECKING, pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.linting.ground import Ground, Pattern

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
        kinds = {ground.machine.kind(path) for path in ground.tree.get(name, ()) if matched.matched(path)}
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
        same = [path for path in same if not covered.matched(path)]
        if each.key == "files.write" or not same:
            return None
        message = f"{message}: {same[0]} is another one"
    return message, _spelt(each, f"{DEEP}/{text}")


def _back(ground: Ground, each: Pattern, text: str, full: str) -> tuple[str, str] | None:
    """A pattern that takes back what nothing before it says."""
    if not each.text.startswith("!"):
        return None
    positive = [other for other in each.earlier if not other.startswith("!")]
    if positive and ("*" in text or Patterns(each.earlier, ground.root, ground.machine.home).matched(full)):
        return None
    return "takes nothing back: no pattern before it matches that", "nothing, or the pattern behind what it narrows"


def _start(full: str) -> str:
    """The directory before what may be any name; of a path without stars, all of it."""
    fixed, star, _ = full.partition("*")
    return ((fixed.rpartition("/")[0] if star else fixed).rstrip("/")) or "/"


def _spelt(each: Pattern, text: str) -> str:
    """A pattern as it is written in the file."""
    return f'"{"!" if each.text.startswith("!") else ""}{text}"'
