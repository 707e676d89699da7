"""Which repository is around a directory, as git and its like find it, and what is a branch there."""

from __future__ import annotations

import os
import re

from asimi.core.lean import TYPE_CHECKING, pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

LONGEST = 8192
"""Bytes of a `.git` file: `gitdir: ` and a path."""

MOST = 1 << 22
"""Bytes of the file in which git packs the names of branches."""

GLOBAL = ("/etc/gitconfig", "~/.gitconfig", "~/.config/git/config")
"""What git reads beside a repository's own configuration."""

STARTED = frozenset({"clean", "smudge", "process", "driver", "fsmonitor"})
"""Settings that name a program which git starts by itself when it adds, commits or checks out."""

_BRANCH = pattern(r"(?!-|.*(?:\.\.|//|/\.|\.lock(?:/|$)))[\w#+-][\w./#+@-]*(?<![./])")
"""Names of branches as people give them, of those that git-check-ref-format(1) permits."""

_COMMIT = pattern(r"(?:^|-g)[0-9a-f]{4,64}$")
"""Names that may be a commit's, as a hash or as `git describe` prints them (gitrevisions(7))."""


def repository_of(directory: str) -> str | None:
    """The real path of what holds the repository that is found from a directory, upward; None where there is none.

    That is a `.git` or `.hg`, what a `.git` file points to, or a directory that is a bare repository itself
    (gitrepository-layout(5); `is_git_directory` of git looks for HEAD, objects and refs).
    """
    at = os.path.realpath(directory)
    while True:
        for name in (".git", ".hg", ".jj"):
            path = os.path.join(at, name)
            if os.path.lexists(path):
                return _pointed(path)
        if all(os.path.lexists(os.path.join(at, name)) for name in ("HEAD", "objects", "refs")):
            return at
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def is_branch(directory: str, name: str) -> bool:
    """Whether `git checkout NAME` in a directory can only mean a branch: a local one, or a new one after a remote's.

    A name is also a file's, a tag's or a commit's before it is that of a remote's branch (git-checkout(1),
    gitrevisions(7)); a local branch comes before all of these. Branches that are kept in another way than
    gitrepository-layout(5) says, as in a reftable, are not found.
    """
    found = repository_of(directory)
    if found is None or not _BRANCH.fullmatch(name) or os.path.lexists(os.path.join(directory, name)):
        return False
    shared = os.path.join(found, _text(os.path.join(found, "commondir")).strip())
    packed = set(re.findall(rf"^\w+ (refs/.*(?<=/){re.escape(name)})$", _text(f"{shared}/packed-refs"), re.MULTILINE))

    def has(ref: str) -> bool:
        return ref in packed or os.path.isfile(os.path.join(shared, ref))

    if has(f"refs/heads/{name}"):
        return True
    if has(f"refs/tags/{name}") or _COMMIT.search(name):
        return False
    if any(os.path.lexists(os.path.join(top, name)) for top in (found, f"{shared}/refs", f"{shared}/refs/remotes")):
        return False
    remotes = {ref.split("/")[2] for ref in packed if ref.startswith("refs/remotes/")}
    if os.path.isdir(f"{shared}/refs/remotes"):
        remotes.update(os.listdir(f"{shared}/refs/remotes"))
    return sum(has(f"refs/remotes/{each}/{name}") for each in remotes) == 1


def guides(path: str) -> tuple[Collection[str], bool]:
    """What says which programs git starts in a repository, and whether it starts some by itself.

    These are its directories, what its configuration includes, whatever the condition, and where its hooks are. Hooks
    and filters are what it starts (githooks(5), gitattributes(5)); but for Git LFS, which runs nothing of a project.

    Args:
        path: of its `.git`, a directory or a file.
    """
    own = _pointed(path)
    shared = os.path.normpath(os.path.join(own, _text(os.path.join(own, "commondir")).strip()))
    elsewhere = [os.environ.get("GIT_CONFIG_GLOBAL", ""), f"{os.environ.get('XDG_CONFIG_HOME', '')}/git/config"]
    files = dict.fromkeys([f"{shared}/config", f"{own}/config.worktree", *map(os.path.expanduser, GLOBAL), *elsewhere])
    found, waiting = {own, shared}, [*files]
    starts = any(not name.endswith(".sample") for name in _names(f"{shared}/hooks"))
    while waiting:
        file = waiting.pop()
        for section, key, value in _settings(_text(file)):
            led = os.path.expanduser(value)
            if key == "path" and section.startswith("include"):
                included = os.path.normpath(os.path.join(os.path.dirname(file), led))
                waiting += [included] if included not in found else []
                found.add(included)
            elif key == "hookspath":
                found.add(os.path.normpath(os.path.join(os.path.dirname(path), led)))
            named = value != os.devnull if key == "hookspath" else key in STARTED and _is_program(value)
            starts = starts or named
    return found, starts


def _settings(text: str) -> Iterator[tuple[str, str, str]]:
    """The settings of a configuration file of git's: section and key in small letters, and value."""
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        if (head := re.match(r"\s*\[([^\]]*)\](.*)", line)) is not None:
            section, line = head[1].lower(), head[2]  # noqa: PLW2901 - a setting may follow its section
        key, _, value = re.split(r"\s[#;]", line)[0].partition("=")
        yield section, key.strip().lower(), value.strip().strip('"')


def _is_program(value: str) -> bool:
    return value.lower() not in {"", "true", "false"} and value.split(maxsplit=1)[0] != "git-lfs"


def _names(directory: str) -> Collection[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return ()


def _text(path: str) -> str:
    """A text of git's, as far as it may be long; empty where there is none."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(MOST))
    except OSError:
        return ""


def _pointed(path: str) -> str:
    """What a `.git` leads to: itself if it is a directory, else what is written in it."""
    if os.path.isfile(path):
        try:
            with open(path, "rb") as file:
                text = os.fsdecode(file.read(LONGEST)).strip()
        except OSError:
            return path
        if text.startswith("gitdir:"):
            path = os.path.join(os.path.dirname(path), text.removeprefix("gitdir:").strip())
    return os.path.realpath(path)
