"""What all files came to, kept ready for the next start, so that none of them is read as TOML again.

Reading and checking them is a sixth of what a verdict costs. What is kept counts only for exactly the same bytes,
paths, trust, asimi and Python. Removing it changes nothing but the time, and so does whatever is wrong with it.

The administrator's file is not the user's, and the directory of the state is; so nothing is kept where there is one.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi import __version__
from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import Rule
from asimi.core.settings import Host
from asimi.world.config.effective import Merged
from asimi.world.config.sources import WRITTEN
from asimi.world.host.places import private_directory, read_private, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from asimi.world.config.layer import Layer
    from asimi.world.config.sources import Source

DIRECTORY = "ready"
"""Where they are, below the state directory."""

MOST = 16
"""How many are kept: one for each project and way to start asimi, the last ones made."""

_HASH = 32  # bytes of a SHA-256
_READERS = ("keys.txt", "keys.py", "layer.py", "merge.py", "rule_tables.py", "toml.py")
"""The files that say what a file means; one that was edited counts as another asimi."""


class Ready:
    """The kept result of one set of files.

    Args:
        state: the state directory; nothing is kept until there is one.
        sources: the files.
        facts: what else it depends on, as plain data.
    """

    def __init__(self, state: str, sources: Sequence[Source], *facts: str | None) -> None:
        self._directory = os.path.join(state, DIRECTORY)
        self._path = ""
        if os.path.isdir(state) and not any(source.level == "managed" for source in sources):
            with suppress(OSError):
                which = (__version__, sys.version, _edited(), *map(tuple, sources), *facts)
                self._path = os.path.join(self._directory, sha256(marshal.dumps(which)).hexdigest())

    def read(self) -> Merged | None:
        """Return what is kept; None where nothing is, or it does not hold any more."""
        if not self._path:
            return None
        try:
            content = read_private(self._path)
        except AsimiError:
            return None
        if content is None or sha256(content[_HASH:]).digest() != content[:_HASH]:
            return None
        values, sources, rules, untrusted, *others = marshal.loads(content[_HASH:])  # noqa: S302 - ours, by its hash
        values["hosts"] = tuple((name, Host(*host)) for name, host in values["hosts"])
        read = Merged(values, sources, _rules(rules), _rules(untrusted), *others)
        return read if _stays((*read.rules, *read.untrusted)) else None

    def keep(self, layers: Iterable[Layer], made: Merged) -> None:
        """Keep what the files came to, if it will be the same for the same bytes.

        Args:
            layers: what each of them says.
            made: what they came to.
        """
        if not self._path or any(map(_moves, layers)):
            return
        values = made.values | {"hosts": tuple((name, tuple(host)) for name, host in made.values["hosts"])}
        plain = made._replace(values=values, rules=_plain(made.rules), untrusted=_plain(made.untrusted))
        content = marshal.dumps(tuple(plain))
        with suppress(AsimiError, OSError):  # another start makes it again
            private_directory(self._directory)
            replace(self._path, sha256(content).digest() + content, lasting=False)
            self._leave(MOST)

    def _leave(self, most: int) -> None:
        """Remove all but the last ones."""
        with os.scandir(self._directory) as there:
            made = sorted(there, key=lambda each: each.stat().st_mtime_ns, reverse=True)
        for each in made[most:]:
            os.unlink(each)


def _edited() -> list[int]:
    """Return when a file that says what a key means was edited, and when an extra was removed, in nanoseconds."""
    here = os.path.dirname(__file__)
    files = [os.path.join(here, name) for name in _READERS]
    return [os.stat(each).st_mtime_ns for each in (*files, f"{here}/../../extras")]


def _plain(rules: Iterable[Rule]) -> tuple[Any, ...]:
    """Return rules as what `marshal` knows."""
    return tuple((int(rule.verdict), *rule[1:]) for rule in rules)


def _rules(plain: Iterable[Any]) -> tuple[Rule, ...]:
    """Return the rules again."""
    return tuple(Rule(Verdict(verdict), *others) for verdict, *others in plain)


def _moves(layer: Layer) -> bool:
    """True if the same bytes may mean something else later: by a link on the way to a directory, or the time zone.

    asimi writes real directories and times with their zone, so only what a person writes does; or a directory that
    has become a link since, which the text then shows.
    """
    there = [rule.directory for rule in layer.rules if rule.directory is not None and not rule.host]
    if layer.level not in WRITTEN:
        return bool(there) or any(rule.expires is not None for rule in layer.rules)
    return any(layer.text.count(f'directory = "{each}"') != there.count(each) for each in there)


def _stays(rules: Iterable[Rule]) -> bool:
    """Return whether every directory is a real one still."""
    there = {rule.directory for rule in rules if rule.directory is not None and not rule.host}
    return all(os.path.realpath(each) == each for each in there)
