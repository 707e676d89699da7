"""Which commands ask only whom their words and the person's own settings name: for `network.query` and `hosts`.

A client that is told by a word, a variable or a file of the project whom to ask may take the login, or what its words
say, anywhere. So that, and what only bash can know, is the network like any other.
"""

from __future__ import annotations

from asimi.core.call import is_below
from asimi.core.programs.variables import is_free
from asimi.core.reading.account import is_query
from asimi.core.reading.arguments import role_of
from asimi.core.startup import ASCII, TYPE_CHECKING, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.core.budget import Budget
    from asimi.core.call import Request
    from asimi.core.judging.paths import Paths
    from asimi.core.reading import Command, Reading

_ADDRESS = pattern(r"://|(?:^|=)@|-file=|^[^/\s]*@[^/\s]*:")
"""What may be a URL, a file that a client takes an argument or a template from, or a place of ssh's."""

_WITH_HOST = pattern(r"(?!refs/)[^/]+/[^/]+/.")
"""What a forge's program reads as `HOST/OWNER/REPOSITORY` (gh environment, glab)."""

_REMOTE = pattern(r"[\w-][\w.-]*+", ASCII)
"""The name of a remote of git's, and no path or URL."""

_OF_TEXTS = pattern(r"[a-z][a-z0-9]*", ASCII)
"""Names of variables that no client takes from its environment."""

_SERVERS = ("PG", "MYSQL")
"""How the names begin of free variables that say which server a client asks."""

_DATABASE = frozenset({"--dbname", "--database"})
"""Options of databases' clients whose value names what they connect to (psql(1), mysql(1))."""

LOOK = 40
"""Units of work for one command."""


def at_own_services(request: Request, reading: Reading, budget: Budget) -> Reading:
    """A reading that says which commands ask the person's own service, as far as the text tells."""
    del request
    return _seen(reading, _asking(reading, budget))


def settled_services(reading: Reading, paths: Paths, root: str) -> Reading:
    """The same, where a look at the files of the project is possible.

    Args:
        reading: what a request would do.
        paths: where its words lead.
        root: the project root, a real path.
    """
    asking = [each for each in _asking(reading, paths.budget) if not _is_steered(each, paths, root)]
    return _seen(reading, asking)


def _seen(reading: Reading, asking: Iterable[Command]) -> Reading:
    return reading.as_seen({each: each.seen._replace(own=True) for each in asking})


def _asking(reading: Reading, budget: Budget) -> Iterator[Command]:
    """The commands that look at a service, and are not told by the text at which."""
    found = [each for each in reading.commands if is_query(each) or "fetches" in each.traits]
    if not found or reading.variables.lost or not all(map(_is_settled, reading.variables.names())):
        return
    for command in found:
        budget.spend(LOOK + len(command.words))
        if not is_query(command) or (None not in command.literals and not _names_address(command)):
            yield command


def _is_settled(name: str) -> bool:
    """Whether a variable that the text sets tells no client whom to ask."""
    return _OF_TEXTS.fullmatch(name) is not None or (is_free(name) and not name.startswith(_SERVERS))


def _names_address(command: Command) -> bool:
    """Whether a word may be an address; a word for which its row names a reader is as that has it."""
    level = command.levels[-1]
    operands = [each.at for each in level.arguments if each.option is None]
    roles = [role_of(level.row.syntax.operands, number, len(operands)) for number in range(len(operands))]
    read = {at for at, role in zip(operands, roles, strict=True) if role is not None and role.role.isupper()}
    remotes = [at for at, role in zip(operands, roles, strict=True) if role is not None and role.role == "REMOTE"]
    literals = [each or "" for each in command.literals]
    if any(_REMOTE.fullmatch(literals[at]) is None for at in remotes):
        return True
    # what names a database may be a string of connection settings
    named = [each.value_at for each in level.arguments if each.option is not None and _DATABASE & {*each.option.names}]
    named += operands if "queries" in command.traits else ()
    if any(_REMOTE.fullmatch(literals[at]) is None for at in named):
        return True
    forge = "bound" in command.traits and level.row.name != "api"  # which takes a path of the forge's own address
    words = [word for at, word in enumerate(literals) if at and at not in read]
    if forge:  # to which `@me` is who asks (gh issue list --help)
        words = [each.removesuffix("@me") for each in words]
    return any(_ADDRESS.search(each) or (forge and _WITH_HOST.match(each)) for each in words)


def _is_steered(command: Command, paths: Paths, root: str) -> bool:
    """Whether a file of the project may say whom a command asks (`steers:` in its row)."""
    names = command.program.steers.split() if command.program is not None else ()
    for name in names:
        for directory in paths.at(command):
            real = None if directory is None else paths.real(directory)
            if real is None or any(paths.machine.kind(f"{each}/{name}") != "" for each in _upward(real, root)):
                return True
    return False


def _upward(directory: str, root: str) -> Iterator[str]:
    """A directory and those above it, up to the project root; itself where it is outside."""
    yield directory
    while directory != root and is_below(directory, root):
        directory = directory.rpartition("/")[0]
        yield directory
