"""Which commands ask only whom their words and the person's own settings name: for `network.query` and `hosts`.

A client that is told by a word, a variable or a file of the project whom to ask may take the login, or what its words
say, anywhere: whoever owns a bucket reads in its log what others asked it for. So that, and what only bash can know, is
the network like any other. A rule may name such words (`at`).
"""

from __future__ import annotations

import re
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.pattern import pattern
from asimi.core.programs.variables import is_free
from asimi.core.reading.account import is_query
from asimi.core.reading.addresses import WEB, address_of
from asimi.core.reading.arguments import role_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Request
    from asimi.core.judging.paths import Paths
    from asimi.core.judging.places import Place
    from asimi.core.reading import Command, Reading

_ADDRESS = pattern(r"://|(?:^|=)@|-file=|^[^/\s]*@[^/\s]*:")
"""What may be a URL, a file that a client takes an argument or a template from, or a place of ssh's."""

_OWNED = pattern(
    r"\barn:|(?:(?<==)|^)(?:[0-9]{12}:|/{0,2}(?:[\w.]+/)?(?:projects|organizations|folders|subscriptions)/)", ASCII
)
"""Where a name begins that says whose it is: an ARN, or what is behind the number of an account of Amazon's, or below a
project of Google's or a subscription of Microsoft's."""

_OWN = pattern(r"@me|self|amazon|aws-marketplace")
"""Owners whose services are the asker's, or the service's own (gh issue list --help, aws ec2 describe-images help)."""

_OWN_PATH = pattern(
    r"(?!.*(?:\.\.|%))/?(?:(?:emojis|events|feeds|gitignore|graphql|issues|licenses|meta|notifications|octocat|rate_limit|search"
    r"|versions|zen)(?:[/?].*)?|repos/\{owner\}/\{repo\}(?:[/?].*)?"
    r"|user(?:[/?](?!blocks|following|memberships|starred|subscriptions).*)?)"
)
"""Paths of a forge about the asker, about nobody, or about the repository that gh finds by itself (gh api --help)."""

_WITH_HOST = pattern(r'(?!refs/)[^/\s"]+/[^/]+/.')
"""What a forge's program reads as `HOST/OWNER/REPOSITORY` (gh environment, glab)."""

_FORGES = {
    name: pattern(rf"(?:https://(?:\w[\w.-]*@)?|ssh://git@|git@){host}[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?", ASCII)
    for name, host in {"gh": r"github\.com", "glab": r"gitlab\.com"}.items()
}
"""What the URL of a remote is at the forge that a program asks."""

_PAGES = {
    name: pattern(
        rf"(?a)https://{host}/([\w.-]+/[\w.-]+)/(?:pull|issues|actions/runs|-/(?:issues|merge_requests))/[\w/-]+"
    )
    for name, host in {"gh": r"github\.com", "glab": r"gitlab\.com"}.items()
}
"""The URL of what a repository holds, which these take in place of its number."""

_ASKED = pattern(r"/?repos/[\w.-]+/[\w.-]+/[\w.@{}/:-]*\?[\w.@/:&=%-]*", ASCII)
"""A path of a forge's with a query, typed without quotes: a file of that name would lead below the same repository."""

_COMMENTS = pattern(r"(?!.*\.\.)/?repos/([\w.-]+/[\w.-]+)/(?:issues|pulls)/\d+/comments(?:/\d+/replies)?", ASCII)
"""Where an issue or a pull request of a repository gets another comment (docs.github.com, REST API, Comments)."""

_PLAIN_HEADER = pattern(r"(?ai:(?:accept|access-control|cache|origin)[\w-]*):[\w ,.:;=*/+-]*|(?a:[\w ./()+;,-]*)")
"""A header, or a name of a program, that says nothing but what is wanted and by whom."""

_SAID, _SENT = frozenset({"--header", "--user-agent"}), frozenset({"--cookie", "--url-query"})
"""Options by which a client tells more than the address: in words that are looked at, and from files as well."""

_SHOWING = frozenset({"--include", "--jq", "--silent", "--template"})
"""Options of `gh api` that change only what it prints."""

_REMOTE = pattern(r"[\w-][\w.-]*+", ASCII)
"""The name of a remote of git's, and no path or URL."""

_WEB = pattern(r"https://[\w.-]+/[\w./~-]+", ASCII)
"""The address of a repository, with nothing in it but where it is."""

_OF_TEXTS = pattern(
    r"(?!\w*_proxy\Z|p?npm_|yarn_)[a-z][a-z0-9_]*|(?:[A-Z]+_)?PID|PGPASSWORD|MYSQL_PWD"
    r"|BASE|BODY|CODE|COUNT|DIR|FILE|ID|LOG|NAME|OUT|OUTPUT|RES|RESP|RESPONSE|RESULT|STATUS|URL",
    ASCII,
)
"""Names of variables that no client takes from its environment, or only as its password."""

_SERVERS = ("PG", "MYSQL")
"""How the names begin of free variables that say which server a client asks."""

_DATABASE = frozenset({"--dbname", "--database"})
"""Options of databases' clients whose value names what they connect to (psql(1), mysql(1))."""

LOOK = 40
"""Units of work for one command."""


def at_own_services(request: Request, reading: Reading, budget: Budget) -> Reading:
    """A reading that says which commands ask the person's own service, as far as the text tells."""
    del request
    return _with_aims(reading, _service_queries(reading, budget))


def settled_services(reading: Reading, paths: Paths, root: str) -> Reading:
    """The same, where a look at the files of the project is possible.

    Args:
        reading: what a request would do.
        paths: where its words lead.
        root: the project root, a real path.
    """
    asking = [each for each in _service_queries(reading, paths.budget) if not _is_steered(each[0], paths, root)]
    if any(aims and command.name in {*_FORGES, "git"} for command, aims in asking):
        repository = paths.machine.repository(root)
        settings = (paths.machine.settings(repository) if repository is not None else None) or ()
        urls = [value for name, _, value in settings if name == "remote.url"]
        asking = [(each, tuple(aim for aim in aims if not _is_own(each, aim, urls))) for each, aims in asking]
    return _with_aims(reading, asking)


def _is_own(command: Command, aim: str, urls: Collection[str]) -> bool:
    """Whether a place is a repository that the project has as a remote, or a path of the forge's about one."""
    if aim.removeprefix("place ") in urls:
        return True
    found = (_FORGES[command.name].fullmatch(each) for each in urls if command.name in _FORGES)
    named = "|".join(re.escape(each[1]) for each in found if each is not None)
    path = rf"place (?:(?!.*(?:\.\.|%))/?repos/)?(?i:{named})(?P<rest>[/?].*)?"
    match = re.fullmatch(path, aim) if named else None
    return match is not None and ("repos/" in aim or match["rest"] is None)


def _with_aims(reading: Reading, asking: Iterable[tuple[Command, tuple[str, ...]]]) -> Reading:
    return reading.with_look(
        {each: each.seen._replace(own=not aims or not is_query(each), aims=aims) for each, aims in asking}
    )


def _service_queries(reading: Reading, budget: Budget) -> Iterator[tuple[Command, tuple[str, ...]]]:
    """The commands that look at a service, each with the words of a rule for the places that the text names."""
    found = [each for each in reading.commands if is_query(each) or "fetches" in each.traits]
    if not found or reading.variables.lost or not all(map(_is_settled, reading.variables.names())):
        return
    for command in found:
        budget.spend(LOOK + len(command.words))
        if not is_query(command):
            yield command, _sites(command)
        elif repository := _commented(command):
            yield command, (f"comment {repository}",)
        elif None not in (literals := _literals(command)) and (places := _places(command, literals)) is not None:
            yield command, tuple(f"place {each}" for each in dict.fromkeys(places))


def _literals(command: Command) -> list[str | None]:
    """The words of a command; also one that bash takes for a pattern, where that matters to nobody."""
    written = map(command.text_of, command.words)
    words = zip(command.literals, written, strict=True)
    return [text if word is None and _ASKED.fullmatch(text) else word for word, text in words]


def _sites(command: Command) -> tuple[str, ...]:
    """The host that a client asks for a page by its address alone; none where it sends more, or that is not sure.

    Where that host redirects it to, the client may go.
    """
    if command.literals[0] != "curl" or command.defined or None in command.literals:
        return ()
    for each in command.arguments:
        said = not _SAID.isdisjoint(each.names) and _PLAIN_HEADER.fullmatch(each.literal) is None
        if said or not _SENT.isdisjoint(each.names):
            return ()
    address = address_of(command, redirects=True)
    if address is None or command.effects is None or not command.effects <= {"network", "read"}:
        return ()
    return (f"site {address.host}" + ("" if address.port in WEB else f":{address.port}"),)


def _commented(command: Command) -> str:
    """The repository of which an issue or a pull request gets a comment, with no file in it; empty for all else."""
    operands = [each.text for each in command.arguments if each.option is None]
    found = _COMMENTS.fullmatch(operands[-1]) if operands else None
    if command.literals[0] != "gh" or found is None or len(operands) > 2 or None in command.literals or command.defined:
        return ""
    fields = 0
    for each in command.arguments:
        if each.option is None:
            continue
        adds = "--raw-field" in each.names or ("--field" in each.names and "=@" not in each.literal)
        fields += adds
        if not adds and _SHOWING.isdisjoint(each.names) and ("--method" not in each.names or each.literal != "POST"):
            return ""
    return found[1] if fields else ""


def _is_settled(name: str) -> bool:
    """Whether a variable that the text sets tells no client whom to ask."""
    return _OF_TEXTS.fullmatch(name) is not None or (is_free(name) and not name.startswith(_SERVERS))


def _places(command: Command, words: Sequence[str | None]) -> list[str] | None:
    """The words that say whose service it is, without the asker's own; None where others may say more of that.

    A word for which its row names a reader is as that has it.
    """
    level, literals = command.levels[-1], [each or "" for each in words]
    operands = [each.at for each in level.arguments if each.option is None]
    roles = [role_of(level.row.syntax.operands, number, len(operands)) for number in range(len(operands))]
    named = [(at, "" if role is None else role.role) for at, role in zip(operands, roles, strict=True)]
    # what names a database may be a string of connection settings
    remotes = [at for at, role in named if role == "REMOTE" or "queries" in command.traits]
    given = [(each, each.option) for each in command.arguments if each.option is not None]
    remotes += [each.value_at for each in command.arguments if not _DATABASE.isdisjoint(each.names)]
    found = {at: literals[at] for at, role in named if role == "place"}
    if level.row.name == "ls-remote":  # it writes nothing, wherever it looks
        found |= {at: literals[at] for at in remotes if _WEB.fullmatch(literals[at])}
    if any(_REMOTE.fullmatch(literals[at]) is None for at in remotes if at not in found):
        return None
    api = level.row.name == "api"  # which takes a path of the forge's own address
    if level.row.name == "fetch" and any(":" in literals[at] for at, role in named if role != "REMOTE"):
        return None  # it writes a branch
    forge, own = "bound" in command.traits and not api, _OWN_PATH if api else _OWN
    for each, option in given:
        if option.reader == "place":
            found[each.value_at] = each.literal
    read = {at for at, role in named if role.isupper()}.union(found)
    for at, word in enumerate(literals):
        text = word.removesuffix("@me") if forge else word  # it is who asks (gh issue list --help)
        if not at or at in read:
            continue
        page = _PAGES[command.name].fullmatch(text) if forge and command.name in _PAGES else None
        if page is not None:
            found[at] = page[1]
        elif _ADDRESS.search(text) or (forge and _WITH_HOST.match(text)):
            return None
        if owned := _OWNED.search(text):
            found[at] = text[owned.start() :]
    places = [each for each in found.values() if own.fullmatch(each) is None]
    wide = any("network" in option.kinds and each.value_at not in found for each, option in given)
    led = len(places) > 1 and any("network" in option.kinds for each, option in given if each.value_at in found)
    # words would say more, and one of several places may be a server for the others
    return None if (places and wide) or led or any(" " in each for each in places) else places


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


def led_elsewhere(reading: Reading, paths: Paths, places: Iterable[Place], root: str) -> list[Command]:
    """The commands that may print a part of a file that settings of the project take in (`settings:` in a row)."""
    return [
        command
        for command in reading.commands
        if command.program is not None
        and command.program.settings
        and any(
            paths.machine.extends(f"{at}/{name}", root)
            for start in {*paths.at(command), *(each.path for each in places if each.by is command)}
            for at in _upward(paths.real(start or root), root)
            for name in command.program.settings.split()
        )
    ]
