"""What commands do to more than the files that they name: to what is below a directory, and to where they run.

Sources: the manuals of GNU coreutils 9.1, findutils 4.9, grep 3.8, tar 1.34, cpio 2.13, patch 2.7, Info-ZIP zip 3.0 and
unzip 6.0, rsync 3.5, openssh 9.2, curl 8, wget 1.21, git 2.39, ripgrep 13.
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

_BELOW = "-r|-R|-a|--recursive|--archive"
_DELETES = "--del|--delete|--delete-before|--delete-during|--delete-delay|--delete-after|--delete-excluded"

# The name of a row, then what it does; behind `:` the options of which it needs one, behind `~` those that prevent it
# in a command without operands. `read`, `write`, `delete` and `repository` say what it does to where it runs; with
# `?`, only if no word of it says more.
_ROWS = {
    "cp": (
        f"deep:{_BELOW} takes:{_BELOW} links:{_BELOW}|-d|-P|-l|-s points:-l|-s brings flat:-T parents:--parents "
        "follows:-L"
    ),
    "mv": "deep links brings flat:-T",
    "ln": "links points brings flat:-T",
    "install": "brings flat:-T makes:-D",
    "link": "links points",
    "rm": f"deep:{_BELOW}",
    "trash": "deep",
    "rsync": (
        f"deep:{_BELOW} takes:{_BELOW} links:{_BELOW}|-l empties:{_DELETES} lists:--files-from brings slashed makes "
        "parents:-R follows:-L|-k|--copy-unsafe-links"
    ),
    "scp": f"deep:{_BELOW} takes:{_BELOW} brings follows:{_BELOW}",
    "tar": "deep takes:-c|-r|-u|-A write:-x links:-x unpacks:-x lists:-T follows:-h",
    "bsdtar": "deep takes:-c|-r|-u write:-x links:-x unpacks:-x lists:-T follows:-L|-h",
    "ar": "write:-x unpacks:-x",
    "cpio": "write:-i links:-i|-p unpacks:-i lists:-o|-p",
    "unzip": "deep write? links unpacks",
    "zip": "deep:-r|-R takes:-r|-R lists:-@ follows:-r|-R",
    "sort": "lists:--files0-from",
    "find": "lists:-files0-from",
    **dict.fromkeys(("xz", "lzma"), "rewrites:--files|--files0"),
    "zstd": "rewrites:--filelist",
    "rename": "rewrites",  # the new names are what the expression makes of the old ones
    "clang-format": "rewrites:--files",
    "7z": "deep takes",
    **dict.fromkeys(("docker cp", "docker container cp", "kubectl cp"), "deep takes"),
    "patch": "write? links unpacks",
    "split": "write?",
    "csplit": "write?",
    "wget": "write?",
    "curl": "write:-O|-J|--remote-name-all",
    **dict.fromkeys(("chmod", "chown", "chgrp", "chcon", "chattr"), "deep:-R whole:-R follows:-L"),
    **dict.fromkeys(("gzip", "gunzip"), "deep:-r whole:-r"),
    "setfacl": "deep:-R whole:-R rewrites:--restore follows:-L",
    "diff": f"deep:{_BELOW} follows:{_BELOW}",
    "grep": f"deep:{_BELOW} read?:{_BELOW} follows:-R",
    "rg": "deep read? follows:-L",
    **dict.fromkeys(("ag", "ack"), "deep read? follows:-f|--follow"),
    "git grep": "deep:--no-index|--untracked read?:--no-index|--untracked",
    "git add": "deep takes:-f",
    "git clean": "deep delete?:-f",
    "git rm": "deep:-r",
    "git mv": "deep links brings",
    "git clone": "write? links",
    "git checkout": "write links~-b|-B|--orphan",
    "git switch": "write links~-c|-C|--orphan",
    "git reset": "write:--hard|--merge|--keep links:--hard|--merge|--keep",
    **dict.fromkeys(
        (f"git {each}" for each in "cherry-pick merge pull rebase restore revert read-tree".split()),
        "write links",
    ),
    **dict.fromkeys(("git am", "git apply"), "write links unpacks"),
    **dict.fromkeys(("git stash apply", "git stash pop", "git submodule update", "git checkout-index"), "write links"),
    **dict.fromkeys(("git stash", "git stash push"), "write links takes:-a|-u new:-u~-a"),
    "git archive": "deep takes~-l|--list tracked",
    "git worktree add": "repository links",
    "git init": "write?",
}  # fmt: skip


DISKS = frozenset(
    "badblocks blkdiscard cfdisk cgdisk cryptsetup fdisk gdisk mdadm mke2fs mkfs mkswap parted pvcreate sfdisk sgdisk "
    "vgcreate wipefs zpool".split()
)
"""Programs that write over the disks that they are given."""

SETS = {
    "crontab": ("/var/spool/cron/crontabs",),
    "git config": (".git/config",),
    "git config --global": ("~/.gitconfig",),
    "git config --system": ("/etc/gitconfig",),
    "ssh-keygen": ("~/.ssh/id_rsa",),
}
"""Files that commands write without naming them, if they change anything, and none that their words name."""


class _Said(NamedTuple):
    """One word of a row."""

    what: str
    options: frozenset[str]
    prevented: frozenset[str]
    alone: bool


@cache
def _said(name: str) -> tuple[_Said, ...]:
    """What the row of a name says."""
    said = []
    for word in _ROWS.get(name, "").split():
        rest, _, prevented = word.partition("~")
        what, _, options = rest.partition(":")
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
    name = " ".join(row.name for row in rows)
    tree = NOTHING
    for said in _said(name):
        if (said.options and said.options.isdisjoint(given)) or (
            said.prevented and not operands and not said.prevented.isdisjoint(given)
        ):
            continue
        if said.what == "points":
            relative = not {"-s", "--symbolic", "--symbolic-link"}.isdisjoint(given) and "-r" not in given
            tree = tree._replace(points="relative" if relative and name == "ln" else "here")
        elif said.what in {"read", "write", "delete", "repository"}:
            tree = tree._replace(here=said.what, alone=said.alone)
        else:
            tree = tree._replace(**{said.what: True})  # type: ignore[arg-type]
    if rows[0].name == "git" and not tree.here and (rows[-1].effects or set()) & {"write", "delete"}:
        tree = tree._replace(here="repository")
    return tree
