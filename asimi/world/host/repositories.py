"""Which repository is around a directory, as git and its like find it, what is a branch there, and what git takes.

Sources for what it ignores: gitignore(5), gitformat-index(5). Only plain patterns count as ignoring; one that takes
something back counts as soon as it may.
"""

from __future__ import annotations

import os
import stat

from asimi.core.startup import ASCII, TYPE_CHECKING, fnmatchcase, pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

LONGEST = 1 << 20
"""Bytes of the longest file that git takes for a pointer: `gitdir: ` and a path (`read_gitfile` of git)."""

POINTS = "gitdir: "
"""What such a file begins with (gitrepository-layout(5))."""

MOST = 1 << 22
"""Bytes of the file in which git packs the names of branches."""

GLOBAL = ("/etc/gitconfig", "~/.gitconfig", "~/.config/git/config")
"""What git reads beside a repository's own configuration."""

STARTED = frozenset({"clean", "smudge", "process", "driver", "fsmonitor"})
"""Settings that name a program which git starts by itself when it adds, commits or checks out."""

PLAIN = frozenset(
    "attributesfile directory excludesfile fetch file ignorerevsfile merge push pushurl recentrepo remote repo "
    "template url worktree".split()
)
"""Settings whose values name nothing that git would start, or take settings from (git-config(1))."""

HOOKS = (
    "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg "
    "post-commit pre-rebase post-checkout post-merge pre-push pre-auto-gc post-rewrite sendemail-validate "
    "fsmonitor-watchman post-index-change reference-transaction push-to-checkout p4-changelist p4-prepare-changelist "
    "p4-post-changelist p4-pre-submit"
).split()
"""What git starts in a work tree (githooks(5))."""

SECTIONS = (["branch"], ["user"], ["author"], ["committer"], ["color"], ["column"])
"""Sections of which all settings are of that kind."""

_HEAD_LINE = pattern(r'\[([A-Za-z0-9.-]+)(?:[ \t]+"([^"\\]*)")?\]')
_SETTING_LINE = pattern(r"([A-Za-z][A-Za-z0-9-]*)(?:\s*=\s*([^\\\"#;]*))?")
"""Lines of a configuration file that mean what they say: no comment behind, no quotes, nothing that goes on below."""

_PARTS = pattern(r"[\w./~@%+,=-]+")
"""What may be a path in the command of a setting."""

_SECTION = pattern(r"\s*\[([^\]]*)\](.*)")
_COMMENT = pattern(r"\s[#;]")
_BRANCH = pattern(r"(?!-|.*(?:\.\.|//|/\.|\.lock(?:/|$)))[\w#+-][\w./#+@-]*(?<![./])")
"""Names of branches as people give them, of those that git-check-ref-format(1) permits."""

MOST_FILES = 200_000
"""Files below a `.git` that are looked through."""

LARGEST_INDEX = 32 << 20
"""Bytes of the largest index of git that is looked through."""

LONGEST_NAME = 0xFFF
"""The largest length of a name that stands before it in the index (gitformat-index(5), flags)."""

_SUBMODULE = (0o160000).to_bytes(4, "big")
"""The mode of a submodule in the index (gitformat-index(5))."""

_STAGE = 0x3000
"""The bits of an entry's flags that say which side of a merge it is of."""

_HEAD = pattern(r"ref:\s*refs/|[0-9a-fA-F]{40}", ASCII)
"""What is in a HEAD (gitrepository-layout(5))."""

_ON = pattern(r"ref:\s*refs/heads/(.+)")
"""The HEAD of a repository that is on a branch."""

_COMMIT = pattern(r"(?:^|-g)[0-9a-f]{4,64}$")
"""Names that may be a commit's, as a hash or as `git describe` prints them (gitrevisions(7))."""


def repository_of(path: str) -> str | None:
    """The real path of what holds the repository that is found from a directory, upward; None where there is none.

    That is a `.git`, what a `.git` file points to, or a directory that is a bare repository itself, by the rules that
    git goes by (git(1), gitrepository-layout(5)); `.hg` and `.jj` count beside it. A `.git` file that git refuses is
    given as itself.

    Args:
        path: a directory; a file is taken for a pointer to a repository, as `--git-dir` takes one.
    """
    at = os.path.realpath(path)
    if os.path.isfile(at):
        return points_to(at)
    while True:
        named = os.path.join(at, ".git")
        if os.path.isfile(named):
            return points_to(named) or named
        for each in (named, at):
            if _is_repository(each):
                return os.path.realpath(each)
        for name in (".hg", ".jj"):
            if os.path.lexists(other := os.path.join(at, name)):
                return os.path.realpath(other)
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def _is_repository(directory: str) -> bool:
    """Whether git takes a directory for one of its own: HEAD is in it, objects and refs are there or in `commondir`."""
    shared = shared_of(directory)
    return _is_head(os.path.join(directory, "HEAD")) and all(
        os.access(os.path.join(shared, name), os.X_OK) for name in ("objects", "refs")
    )


def _is_head(path: str) -> bool:
    """Whether git takes a file for a HEAD: a link to a reference, or the name of one, or a commit."""
    try:
        return os.readlink(path).startswith("refs/")
    except OSError:
        return _HEAD.match(text_of(path)) is not None


def shared_of(directory: str) -> str:
    """Where a directory of git's keeps what it shares with others: objects, branches, configuration."""
    return os.path.realpath(os.path.join(directory, text_of(os.path.join(directory, "commondir")).rstrip("\r\n")))


def is_branch(directory: str, name: str) -> bool:
    """Whether `git checkout NAME` in a directory can only mean a branch: a local one, or a new one after a remote's.

    A name is also a file's, a tag's or a commit's before it is that of a remote's branch (git-checkout(1),
    gitrevisions(7)); a local branch comes before all of these. Branches that are kept in another way than
    gitrepository-layout(5) says, as in a reftable, are not found.
    """
    found = repository_of(directory)
    if found is None or not _BRANCH.fullmatch(name) or os.path.lexists(os.path.join(directory, name)):
        return False
    shared = shared_of(found)
    packed = _packed(shared)
    if _has(shared, packed, f"heads/{name}"):
        return True
    if _has(shared, packed, f"tags/{name}") or _COMMIT.search(name):
        return False
    if any(os.path.lexists(os.path.join(top, name)) for top in (found, f"{shared}/refs", f"{shared}/refs/remotes")):
        return False
    remotes = {ref.split("/")[2] for ref in packed if ref.startswith("refs/remotes/")}
    if os.path.isdir(f"{shared}/refs/remotes"):
        remotes.update(os.listdir(f"{shared}/refs/remotes"))
    return sum(_has(shared, packed, f"remotes/{each}/{name}") for each in remotes) == 1


def branch_at(repository: str) -> str:
    """Return the name of the branch that HEAD of a repository is on; empty where it is on none."""
    match = _ON.fullmatch(text_of(os.path.join(repository, "HEAD")).rstrip("\n"))
    return match[1] if match is not None and _BRANCH.fullmatch(match[1]) else ""


def is_ref(shared: str, kind: str, name: str) -> bool:
    """Return whether a repository has a branch (`heads`) or a tag (`tags`) of a name, loose or packed."""
    return _BRANCH.fullmatch(name) is not None and _has(shared, _packed(shared), f"{kind}/{name}")


def _has(shared: str, packed: Collection[str], name: str) -> bool:
    return f"refs/{name}" in packed or os.path.isfile(f"{shared}/refs/{name}")


def _packed(shared: str) -> set[str]:
    """The references that a repository has packed."""
    return {line.partition(" ")[2] for line in text_of(f"{shared}/packed-refs").splitlines()}


def may_track(path: str) -> bool:
    """Whether git may keep a path, or something below it, so that a clone brings it; also where that is not clear."""
    return tracks(path) is not False


def tracks(path: str) -> bool | None:
    """Whether git keeps a path, or something below it; None where that is not clear.

    A name in the index is looked for as it is written there (gitformat-index(5)); in its version 4, or where it is
    split, names are not whole.

    Args:
        path: a path without links before its last part.
    """
    found = repository_of(os.path.dirname(path))
    if found is None:
        return False
    index = _index_of(found)
    if not index:
        return None if index is None else False
    name, small = _name_in(path).lower(), index.lower()  # some file systems take both for the same
    return name + b"/" in small or any(_entries(name, small))


def is_unmodified(path: str) -> bool:
    """Whether a file is as the index of its repository has it, or is not there, so that `git restore` loses nothing.

    The bytes are compared as they are: what a filter or another end of lines would make of them counts as a change.

    Args:
        path: a path without links before its last part.
    """
    found = repository_of(os.path.dirname(path))
    index = None if found is None else _index_of(found)
    entries = list(_entries(_name_in(path), index)) if index else []
    if index is None or len(entries) != 1:
        return False
    flags = entries[0]
    mode, name = int.from_bytes(index[flags - 36 : flags - 32], "big"), index[flags - 20 : flags]
    if int.from_bytes(index[flags : flags + 2], "big") & _STAGE or not stat.S_ISREG(mode):
        return False
    try:
        there = os.lstat(path)
        if not stat.S_ISREG(there.st_mode) or there.st_size > LARGEST_INDEX or (there.st_mode ^ mode) & stat.S_IXUSR:
            return False
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    from hashlib import sha1

    return sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).digest() == name


def _index_of(repository: str) -> bytes | None:
    """The index of a repository; empty where it has none, None where its names are not whole, or it cannot be read."""
    try:
        with open(os.path.join(repository, "index"), "rb") as file:
            index = file.read(LARGEST_INDEX + 1)
        split = any(name.startswith("sharedindex.") for name in os.listdir(repository))
    except FileNotFoundError:
        return b"" if os.path.isfile(os.path.join(repository, "HEAD")) else None
    except OSError:
        return None
    known = index[:4] == b"DIRC" and index[4:8] in {b"\0\0\0\2", b"\0\0\0\3"}
    return index if known and not split and len(index) <= LARGEST_INDEX else None


def _name_in(path: str) -> bytes:
    """The name by which the index of its repository has a path."""
    above = os.path.dirname(path)
    while not os.path.lexists(os.path.join(above, ".git")) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    return os.fsencode(os.path.relpath(path, above))


def _entries(name: bytes, index: bytes) -> Iterator[int]:
    """Where the flags of each entry of a name are in an index, which stand before it."""
    length, flags = min(len(name), LONGEST_NAME), (2, 4) if index[7] == 3 else (2,)  # an entry may have two more bytes
    for start in _starts(name + b"\0", index):
        for at in flags:
            if int.from_bytes(index[start - at : start - at + 2], "big") & LONGEST_NAME == length:
                yield start - at


def _starts(part: bytes, content: bytes) -> Iterator[int]:
    """Where a part of some bytes begins, each time."""
    start = content.find(part)
    while start >= 0:
        yield start
        start = content.find(part, start + len(part))


def guides(path: str) -> tuple[Collection[str], bool]:
    """Return what says which programs git starts in a repository, and whether it starts some by itself.

    These are its directories, what its configuration includes, whatever the condition, and the files that the
    configuration names: where hooks are, filters, commands for differences and merges, aliases (git-config(1)). Hooks
    and filters are what it starts (githooks(5), gitattributes(5)); but for Git LFS, which runs nothing of a project.
    Submodules and worktrees of it count with it. Of a submodule that git knows and that is not there, whoever puts one
    there says what git starts.

    Args:
        path: of its `.git`, a directory or a file.
    """
    own = (points_to(path) or path) if os.path.isfile(path) else os.path.realpath(path)
    shared = shared_of(own)
    elsewhere = [os.environ.get("GIT_CONFIG_GLOBAL", ""), f"{os.environ.get('XDG_CONFIG_HOME', '')}/git/config"]
    trees = [os.path.dirname(path), *([os.path.dirname(shared)] if shared.endswith("/.git") else [])]
    for each in _names(f"{shared}/worktrees"):
        trees += filter(None, [os.path.dirname(text_of(f"{shared}/worktrees/{each}/gitdir").strip())])
    files = [f"{shared}/config", f"{own}/config.worktree", *map(os.path.expanduser, GLOBAL), *elsewhere]
    found, starts = _guided(files, trees)
    for each in _names(f"{shared}/modules"):
        module = f"{shared}/modules/{each}"
        led = [value for _, key, value in settings_in(text_of(f"{module}/config")) if key == "worktree"]
        inside, starting = _guided([f"{module}/config"], [os.path.normpath(os.path.join(module, each)) for each in led])
        found, starts = found | inside, starts or starting
    starts = starts or any(not name.endswith(".sample") for name in _names(f"{shared}/hooks"))
    modules = _submodules(own)
    starts = starts or modules is None
    for each in modules or ():
        pointer = os.path.join(os.path.dirname(path), each, ".git")
        found.add(pointer)
        starts = starts or not os.path.lexists(pointer)
    return found | {own, shared}, starts


def _submodules(repository: str) -> list[str] | None:
    """Return the paths of submodules in the index of a repository; None where it has some and they cannot be read.

    Whoever has none is most: then the mode of one (0160000) is nowhere in the index (gitformat-index(5)).
    """
    try:
        with open(os.path.join(repository, "index"), "rb") as file:
            index = file.read(LARGEST_INDEX + 1)
    except OSError:
        return []
    if len(index) <= LARGEST_INDEX and _SUBMODULE not in index:
        return []
    if len(index) > LARGEST_INDEX or index[:4] != b"DIRC" or index[4:8] not in {b"\0\0\0\2", b"\0\0\0\3"}:
        return None
    found, at = [], 12
    for _ in range(int.from_bytes(index[8:12], "big")):
        name = at + (64 if index[at + 60] & 0x40 else 62)
        end = index.find(b"\0", name)
        if end < 0:
            return None
        if index[at + 24 : at + 28] == _SUBMODULE:
            found.append(os.fsdecode(index[name:end]))
        at += (end - at + 8) // 8 * 8
    return found


def _guided(files: Iterable[str], trees: Collection[str]) -> tuple[set[str], bool]:
    """Return what configuration files of git's name, and whether they name what it starts by itself.

    Args:
        files: these files.
        trees: the directories from which git goes: those of the work trees.
    """
    found, starts, waiting = set[str](), False, list(dict.fromkeys(files))
    while waiting:
        file = waiting.pop()
        for section, key, value in settings_in(text_of(file)):
            if key == "path" and section.startswith("include"):
                included = os.path.normpath(os.path.join(os.path.dirname(file), os.path.expanduser(value)))
                waiting += [included] if included not in found else []
                found.add(included)
            elif key not in PLAIN and section.split()[:1] not in SECTIONS:
                found |= _named(section, key, value, trees)
            named = value != os.devnull if key == "hookspath" else key in STARTED and _is_program(value)
            starts = starts or named
    return found, starts


def _named(section: str, key: str, value: str, trees: Collection[str]) -> set[str]:
    """Return the files that a setting names if git starts or obeys them; an alias is a command only behind a `!`."""
    if section == "alias" and value[:1] != "!":
        return set()
    if key == "hookspath":
        led = {os.path.normpath(os.path.join(each, os.path.expanduser(value))) for each in trees}
        return {f"{each}/{name}" for each in led.intersection(trees) for name in HOOKS} | led.difference(trees)
    words = [(os.path.expanduser(word), "/" in word) for word in _PARTS.findall(value)]
    paths = ((os.path.normpath(os.path.join(each, word)), sure) for word, sure in words for each in trees)
    return {path for path, sure in paths if path not in trees and (sure or os.path.isfile(path))}


def settings_of(files: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return what configuration files of git's say, by section and key, the later over the earlier.

    What they include is not read.
    """
    return {(section, key): value for file in files for section, key, value in settings_in(text_of(file))}


def settings_in(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the settings of a configuration file of git's: section and key in small letters, and value."""
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        if (head := _SECTION.match(line)) is not None:
            section, line = head[1].lower(), head[2]  # noqa: PLW2901 - a setting may follow its section
        key, _, value = _COMMENT.split(line)[0].partition("=")
        yield section, key.strip().lower(), value.strip().strip('"')


def plain_settings(path: str) -> list[tuple[str, str, str]] | None:
    """Return the settings of a repository's own configuration; None where not all of it is understood.

    Each is the name without a subsection, in small letters, the subsection, and the value; a setting without one has
    the value `true` (git-config(1), Syntax).

    Args:
        path: of its `.git`, a directory.
    """
    found, section, which = [], "", ""
    text = text_of(f"{path}/config", LARGEST)
    if not text or len(text) >= LARGEST:
        return None
    for line in map(str.strip, text.split("\n")):
        if not line or line[0] in "#;":
            continue
        if (head := _HEAD_LINE.fullmatch(line)) is not None:
            section, which = head[1].lower(), head[2] or ""
        elif section and (setting := _SETTING_LINE.fullmatch(line)) is not None:
            value = "true" if setting[2] is None else setting[2].rstrip()
            found.append((f"{section}.{setting[1].lower()}", which, value))
        else:
            return None
    return found


def stray_in(path: str) -> str | None:
    """Return the first of what is no file and no directory below a `.git`, its hooks left out; empty without one.

    Git writes through links there: whoever makes one of `FETCH_HEAD` or of a log chooses what it writes over.

    Returns:
        None where there is too much to look through, or a directory cannot be read.
    """
    waiting, left = [path], MOST_FILES
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting += [entry.path] if entry.path != f"{path}/hooks" else []
                    elif not entry.is_file(follow_symlinks=False):
                        return entry.path
        except OSError:
            return None
        if left < 0:
            return None
    return ""


def _is_program(value: str) -> bool:
    return value.lower() not in {"", "true", "false"} and value.split(maxsplit=1)[0] != "git-lfs"


def _names(directory: str) -> Collection[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return ()


def text_of(path: str, most: int = MOST) -> str:
    """Return a text of git's, at most so many bytes of it; empty where there is none."""
    if not os.path.isfile(path):  # a FIFO would be waited for
        return ""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(most))
    except OSError:
        return ""


def points_to(path: str) -> str | None:
    """The repository that a file points to; None where git would refuse it."""
    text = text_of(path, LONGEST + 1)
    if not text.startswith(POINTS) or len(text) > LONGEST:
        return None
    led = os.path.join(os.path.dirname(path), text.removeprefix(POINTS).rstrip("\r\n"))
    return os.path.realpath(led) if _is_repository(led) else None


LARGEST = 1 << 18
"""Bytes of a file of patterns that are looked at; a larger one says nothing."""


def kept(path: str) -> str:
    """Return how git has a file: `tracked`, `ignored`, `new`, or empty where that is not clear."""
    found = tracks(path)
    if found is None:
        return ""
    return "tracked" if found else "ignored" if _is_ignored(path) else "new"


def _is_ignored(path: str) -> bool:
    """Whether the last of the patterns that fit a path is sure to ignore it."""
    repository = repository_of(os.path.dirname(path))
    if repository is None:
        return False
    root = os.path.dirname(path)
    while not os.path.lexists(os.path.join(root, ".git")) and root != os.path.dirname(root):
        root = os.path.dirname(root)
    parts = os.path.relpath(path, root).split(os.sep)
    ignored = False
    for number in range(-1, len(parts)):
        at = os.path.join(root, *parts[: max(number, 0)])
        file = os.path.join(repository, "info", "exclude") if number < 0 else os.path.join(at, ".gitignore")
        for line in _patterns(file):
            back = line[0] == "!"
            if _fits(line.removeprefix("!"), parts[max(number, 0) :], unclear=back):
                ignored = not back
    return ignored


def _patterns(file: str) -> Iterator[str]:
    """Yield the patterns of a file; git follows no link that is called `.gitignore`."""
    try:
        if os.path.islink(file) or os.path.getsize(file) > LARGEST:
            return
        with open(file, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                pattern = line.rstrip("\n").rstrip("\r").rstrip(" ")
                if pattern.strip("!/") and pattern[0] != "#":
                    yield pattern
    except OSError:
        return


def _fits(pattern: str, parts: Sequence[str], *, unclear: bool) -> bool:
    """Whether a pattern is for a file or for a directory above it; `unclear` is the answer where that is not plain."""
    if "\\" in pattern or "**" in (rest := pattern.removeprefix("**/")):
        return unclear
    names = rest.rstrip("/").lstrip("/").split("/")
    last = len(parts) - (rest[-1] == "/")
    if "/" not in rest.rstrip("/"):
        return any(fnmatchcase(part, names[0]) for part in parts[:last])
    if pattern != rest:
        return unclear
    return len(names) <= last and all(map(fnmatchcase, parts, names))
