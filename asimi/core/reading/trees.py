"""What commands do to more than the files that they name: to what is below a directory, and to where they run.

Their rows say it (`trees:`), from the manuals of GNU coreutils 9.1, findutils 4.9, grep 3.8, tar 1.34, cpio 2.13, patch
2.7, Info-ZIP zip 3.0 and unzip 6.0, rsync 3.5, openssh 9.2, curl 8, wget 1.21, git 2.39, ripgrep 13.
"""

from __future__ import annotations

from functools import cache

from asimi.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from asimi.core.programs.program import Program


class Tree(NamedTuple):
    """What one command does to directories.

    Attributes:
        deep: whether it does to all below a directory what it does to the directory.
        takes: whether it carries off all that it reads: to another place, or into an archive.
        tracked: whether it carries off only what git tracks there.
        new: whether it carries off only what git neither tracks nor ignores there.
        links: whether what is below its targets may lead elsewhere behind it.
        empties: whether it removes what it finds where it writes.
        points: whether what it reads gets another name, through which it may be written; `relative` if that is said
            from where the name is.
        here: what it does to the directory that it runs in, a role; `repository` for the one of a version control.
        alone: whether it does that only if none of its words names a file to which it does the same.
        unpacks: whether the names of what it writes below its target are in no word: in an archive, or a patch.
        lists: whether it reads files that a list names, which is a file or its input.
        rewrites: whether it changes files that a list, or an expression, names.
        brings: whether what it reads or moves gets the same name below its target, where that is a directory.
        parents: whether it gets the directories of its name there, too.
        flat: whether its target is the name itself that what it reads gets.
        makes: whether it makes its target as a directory, where there is none.
        slashed: whether a slash behind what it reads means all that is in there, without its name.
        whole: whether it changes what is below its targets, so the names below these count.
        follows: whether it goes where links lead that are below what its words name.
        somewhere: whether it is only taken to write where it runs, because nothing says what it writes.
    """

    deep: bool = False
    takes: bool = False
    tracked: bool = False
    new: bool = False
    links: bool = False
    empties: bool = False
    points: str = ""
    here: str = ""
    alone: bool = False
    unpacks: bool = False
    lists: bool = False
    rewrites: bool = False
    brings: bool = False
    parents: bool = False
    flat: bool = False
    makes: bool = False
    slashed: bool = False
    whole: bool = False
    follows: bool = False
    somewhere: bool = False


NOTHING = Tree()

_WHERE = frozenset({"read", "write", "delete", "repository"})
_WORDS = _WHERE | {"relative"} | ({*Tree._fields} - {"here", "alone", "somewhere"})


class _Said(NamedTuple):
    """One word of a row."""

    what: str
    options: frozenset[str]
    prevented: frozenset[str]
    alone: bool


@cache
def said_in(text: str) -> tuple[_Said, ...]:
    """What a row says of trees: words with the options of which each needs one, and those that prevent it.

    `deep:-r|-R` is so with one of these options, `links~-b` not with that in a command without operands. `read`,
    `write`, `delete` and `repository` say what becomes of where it runs; with `?`, only if no word of it says more.

    Raises:
        ValueError: there is no such word.
    """
    said = []
    for word in text.split():
        rest, _, prevented = word.partition("~")
        what, _, options = rest.partition(":")
        if what.rstrip("?") not in _WORDS:
            raise ValueError(f"`{what}` says nothing of trees; there are {', '.join(sorted(_WORDS))}")
        said.append(_Said(what.rstrip("?"), _names(options), _names(prevented), what.endswith("?")))
    return tuple(said)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split("|")))


def tree_of(rows: Sequence[Program], given: Collection[str], *, operands: bool) -> Tree:
    """What a command does to directories.

    Args:
        rows: the rows that it chooses.
        given: the names of its options.
        operands: whether it has operands.
    """
    tree = NOTHING
    for said in said_in(rows[-1].trees):
        if (said.options and said.options.isdisjoint(given)) or (
            said.prevented and not operands and not said.prevented.isdisjoint(given)
        ):
            continue
        if said.what == "points":
            tree = tree._replace(points="here")
        elif said.what == "relative":
            tree = tree._replace(points="here" if "-r" in given else "relative")
        elif said.what in _WHERE:
            tree = tree._replace(here=said.what, alone=said.alone)
        else:
            tree = tree._replace(**{said.what: True})  # type: ignore[arg-type]
    if "repository" in rows[0].traits and not tree.here and (rows[-1].effects or set()) & {"write", "delete"}:
        tree = tree._replace(here="repository")
    return tree
