"""What a session leaves in repositories that brings, starts or hides something later, and that no file shows.

Before the program starts and after it has ended, git's own files are read, which is cheap. Only where they differ, git
compares: with a directory of asimi's in place of the repository's, so no setting, hook, filter or reference of that is
obeyed, and nothing is fetched; only the objects are the repository's (git(1), `GIT_DIR`, `GIT_OBJECT_DIRECTORY`).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from hashlib import new
from re import ASCII, MULTILINE
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.values import NamedTuple
from asimi.world.box.appearing import runs_by_itself
from asimi.world.box.repositories import HARMLESS, tree_of
from asimi.world.host.git import Git
from asimi.world.host.git_settings import settings_in
from asimi.world.host.places import names_in
from asimi.world.host.repositories import points_to, shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST_COMMITS = 2000
"""New commits that are looked through; a fetch may bring any number."""

MOST_REFS = 50_000
"""References that are read, each from a file of its own."""

LARGEST = 64 << 20
"""Bytes of an index, and of the file of packed references, that are read."""

FEW = 3
"""Names in one line; the rest is counted."""

_ID = pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", ASCII)
_PSEUDO = pattern(r"(?:[A-Z]+_)?HEAD", ASCII)
_ADDED = pattern(r"^\+\+\+ b/([^\t\n]+)", MULTILINE)


class Tree(NamedTuple):
    """What a directory of git's says of its work tree.

    Attributes:
        own: that directory.
        top: the work tree; empty where there is none.
        head: the commit that it is on.
        staged: the index, as it is; empty where it is too large.
        begun: what was begun and will run or bring something, in words, by the file that says so.
    """

    own: str
    top: str
    head: str
    staged: bytes
    begun: Mapping[str, str]


class Facts(NamedTuple):
    """What a repository says.

    Attributes:
        refs: the references and what they lead to.
        stashes: the commits that are stashes.
        picks: commits that something begun will pick, or was about to merge.
        settings: of its configuration: section, key and value.
        grafts: what gives commits other parents.
        unread: what cannot be read of it, in words.
        trees: its work trees.
    """

    refs: Mapping[str, str]
    stashes: frozenset[str]
    picks: frozenset[str]
    settings: frozenset[tuple[str, str, str]]
    grafts: str
    unread: str
    trees: tuple[Tree, ...]

    @property
    def tips(self) -> set[str]:
        """The commits that references and work trees are at."""
        return {*self.refs.values(), *(tree.head for tree in self.trees if tree.head)}


def look(repositories: Iterable[str]) -> dict[str, Facts]:
    """Return what repositories say now, by their directories.

    Args:
        repositories: paths of `.git`, files or directories, or of other directories of git's.
    """
    given = (points_to(path) if os.path.isfile(path) else path for path in repositories)
    shared = {shared_of(own) for own in given if own and os.path.isfile(f"{own}/HEAD")}
    return {each: _facts(each) for each in sorted(shared)}


def describe_changes(before: Mapping[str, Facts], after: Mapping[str, Facts], root: str) -> list[str]:
    """Return what is new and matters, a line for each kind, the worst first.

    Args:
        before: what `look` said before the program started.
        after: and after it has ended.
        root: the directory from which paths are named.
    """
    found = _Changes(root)
    for shared, now in after.items():
        then = before.get(shared)
        if then is not None and then != now:
            with suppress(OSError, subprocess.SubprocessError, ValueError, LookupError):
                found.compare(shared, then, now)
                continue
            found.unread.append(f"{shared}: git cannot be asked what is new there")
    return found.lines()


# ---- what is read ----------------------------------------------------------------------------------------------------


def _facts(shared: str) -> Facts:
    owns = [shared, *(f"{shared}/worktrees/{each}" for each in _names(f"{shared}/worktrees"))]
    trees = tuple(_tree(own, shared) for own in owns if os.path.isfile(f"{own}/HEAD"))
    refs, unread = _refs(shared)
    stashes = [line.split(" ", 2)[1] for line in text_of(f"{shared}/logs/refs/stash").splitlines() if line.count(" ")]
    picks = {word for own in owns for list_ in TODO for line in _lines(f"{own}/{list_}") for word in line.split()}
    picks |= {word for own in owns for name in _names(own) if _PSEUDO.fullmatch(name) for word in _heads(own, name)}
    settings = (each for own in owns for name in CONFIG for each in settings_in(text_of(f"{own}/{name}")))
    return Facts(
        refs,
        frozenset(filter(_ID.fullmatch, [*stashes, refs.get("refs/stash", "")])),
        frozenset(filter(_ID.fullmatch, picks)),
        frozenset(settings),
        text_of(f"{shared}/info/grafts"),
        unread,
        trees,
    )


TODO = ("rebase-merge/git-rebase-todo", "sequencer/todo")
"""Lists of what git will do when what was begun goes on (git-rebase(1), git-cherry-pick(1))."""

CONFIG = ("config", "config.worktree")


def _tree(own: str, shared: str) -> Tree:
    """What one directory of git's says of its work tree."""
    head = text_of(f"{own}/HEAD").strip()
    if head.startswith("ref: "):
        head = text_of(f"{shared}/{head[5:]}").strip() or _packed_refs(shared).get(head[5:], "")
    return Tree(
        own,
        tree_of(own) or "",
        head if _ID.fullmatch(head) else "",
        _bytes(f"{own}/index"),
        dict(_unfinished_operations(own)),
    )


def _unfinished_operations(own: str) -> Iterator[tuple[str, str]]:
    """Yield what was begun in a directory of git's, by the file that says so."""
    for each in TODO:
        lines = [line.split(None, 1) for line in _lines(f"{own}/{each}")]
        if commands := [words[1].strip() for words in lines if len(words) == 2 and words[0] in {"x", "exec"}]:
            yield f"{own}/{each}", f"a rebase that has begun will run {'; '.join(commands)}"
    patches = [name for name in _names(f"{own}/rebase-apply") if name.isdecimal()]
    added = {path for name in patches for path in _ADDED.findall(text_of(f"{own}/rebase-apply/{name}")) if _runs(path)}
    if added:
        yield f"{own}/rebase-apply", f"patches that are being applied bring {_join_few(sorted(added))}"
    if os.path.lexists(f"{own}/BISECT_LOG"):
        yield f"{own}/BISECT_LOG", "a bisect has begun; what it checks out, a command for it would run"


def _refs(shared: str) -> tuple[dict[str, str], str]:
    """The references of a repository, and what cannot be read of them."""
    if os.path.isdir(f"{shared}/reftable"):
        return {}, "its references are in a form that asimi does not read"
    found, waiting, left = _packed_refs(shared), [f"{shared}/refs"], MOST_REFS
    while waiting:
        at = waiting.pop()
        with suppress(OSError), os.scandir(at) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False) and (left := left - 1) >= 0:
                    text = text_of(entry.path, 100).strip()
                    if _ID.fullmatch(text):
                        found[entry.path[len(shared) + 1 :]] = text
    return found, "" if left >= 0 else f"it has more than {MOST_REFS} references"


def _packed_refs(shared: str) -> dict[str, str]:
    """The references that a repository has packed."""
    lines = (line.partition(" ") for line in text_of(f"{shared}/packed-refs", LARGEST).splitlines())
    return {name: ident for ident, _, name in lines if _ID.fullmatch(ident)}


def _heads(own: str, name: str) -> list[str]:
    """The commits that a file like `MERGE_HEAD` names, one a line."""
    return [line.split()[0] for line in _lines(f"{own}/{name}") if line.split()] if name != "HEAD" else []


def _lines(path: str) -> list[str]:
    return text_of(path, 1 << 20).splitlines()


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError:
        return b""
    return content if len(content) <= LARGEST else b""


def _names(directory: str) -> list[str]:
    return sorted(names_in(directory) or ())


# ---- what is compared ------------------------------------------------------------------------------------------------


class _Changes:
    """What is new in some repositories.

    Args:
        root: the directory from which paths are named.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.brought: dict[str, str] = {}
        self.stashed: dict[str, str] = {}
        self.staged: dict[str, None] = {}
        self.differ: dict[str, None] = {}
        self.begun: dict[str, str] = {}
        self.settings: dict[str, None] = {}
        self.replaced: dict[str, None] = {}
        self.unread: list[str] = []

    def compare(self, shared: str, then: Facts, now: Facts) -> None:
        """Look what is new in one repository.

        Raises:
            OSError: there is no git, or it cannot be started.
            SubprocessError: it fails, or takes too long.
        """
        top = next((tree.top for tree in now.trees if tree.top), shared)
        for section, key, value in sorted(now.settings - then.settings):
            if key and not HARMLESS.fullmatch(f"{section.split()[0] if section else ''}.{key}"):
                self.settings[f"{section.replace(' ', '.', 1).replace(chr(34), '')}.{key} = {value}"] = None
        refs = (
            name
            for name, ident in now.refs.items()
            if name.startswith("refs/replace/") and then.refs.get(name) != ident
        )
        self.replaced |= {self._relative(top, name.removeprefix("refs/replace/")[:8]): None for name in refs}
        if now.grafts != then.grafts:
            self.replaced[self._relative(top, "info/grafts")] = None
        earlier = {tree.own: tree for tree in then.trees}
        for tree in now.trees:
            begun = earlier[tree.own].begun if tree.own in earlier else {}
            self.begun |= {path: words for path, words in tree.begun.items() if begun.get(path) != words}
        if now.unread:
            self.unread.append(f"{shared}: {now.unread}")
        with tempfile.TemporaryDirectory(prefix="asimi-") as own:
            git = _Git(shared, own, top)
            known = then.tips | then.stashes | then.picks
            tips = now.tips | now.picks
            new = tips - known - now.stashes
            if self._commits(git, top, new, known, self.brought):
                self._ends(git, top, then.trees[0].head, new)
            self._commits(git, top, now.stashes - known, known | tips - now.stashes, self.stashed)
            for tree in now.trees:
                if tree.own in earlier:
                    self._index(git, earlier[tree.own], tree)
                    self._head(git, earlier[tree.own], tree)

    def _commits(
        self, git: _Git, top: str, new: set[str] | frozenset[str], known: set[str], into: dict[str, str]
    ) -> bool:
        """Look which commits bring what runs by itself, of those that lead to some and not to what was there.

        Returns:
            Whether there are more than are looked through.
        """
        if not new:
            return False
        seen = set[str]()
        for commit, mode, _, path in git.commits(new, known):
            seen.add(commit)
            if mode != "000000" and _runs(path):
                into.setdefault(self._relative(top, path), commit[:8])
        return len(seen) >= MOST_COMMITS

    def _ends(self, git: _Git, top: str, old: str, new: set[str]) -> None:
        """Look how the last of very many commits differ from the one that was checked out before."""
        self.unread.append(
            f"{git.shared}: asimi has looked through {MOST_COMMITS} of its new commits, and at their ends"
        )
        for commit in sorted(new)[:FEW]:
            for mode, _, path in git.difference(old, commit):
                if mode != "000000" and _runs(path):
                    self.brought.setdefault(self._relative(top, path), commit[:8])

    def _index(self, git: _Git, then: Tree, now: Tree) -> None:
        """Look what was staged that runs by itself and is in no commit."""
        if then.staged == now.staged:
            return
        if not now.staged and os.path.lexists(f"{now.own}/index"):
            self.unread.append(f"{now.own}/index: it is too large")
            return
        before = set(git.index(then))
        staged = {path: entry for entry, path in git.index(now) if (entry, path) not in before and _runs(path)}
        if staged and now.head:
            committed = {path: (mode, ident) for mode, ident, path in git.tree(now.head, [*staged])}
            staged = {path: entry for path, entry in staged.items() if committed.get(path) != entry}
        self.staged |= {self._relative(now.top or now.own, path): None for path in staged}

    def _head(self, git: _Git, then: Tree, now: Tree) -> None:
        """Look which files that run by themselves another commit has in another way than the work tree."""
        if then.head == now.head or not now.head or not now.top:
            return
        for mode, ident, path in git.difference(then.head, now.head):
            name = self._relative(now.top, path)
            if _runs(path) and name not in self.brought and not _is(os.path.join(now.top, path), mode, ident):
                self.differ[name] = None

    def _relative(self, top: str, path: str) -> str:
        return os.path.relpath(os.path.join(top, path), self._root)

    def lines(self) -> list[str]:
        """What is new, a line for each kind."""
        lines = []
        for brought, what in ((self.brought, "Commits"), (self.stashed, "Stashes")):
            if brought:
                named = _join_few([f"{path} ({commit})" for path, commit in brought.items()])
                lines.append(f"{what} of this session bring what runs by itself, though no file shows it yet: {named}")
        for names, what in (
            (self.staged, "Staged, though no file shows it yet"),
            (self.replaced, "git shows other contents in place of"),
            (self.settings, "New settings of git in the repository, whoever wrote them"),
            (self.differ, "Not as the commit that is checked out has it, because the box held it"),
        ):
            if names:
                lines.append(f"{what}: {_join_few([*names])}")
        lines += [f"{os.path.relpath(path, self._root)}: {words}" for path, words in self.begun.items()]
        return lines + [f"Not looked through: {each}" for each in self.unread]


class _Git(Git):
    """What git says of commits and files."""

    def commits(self, new: Iterable[str], known: Iterable[str]) -> Iterator[tuple[str, str, str, str]]:
        """Yield what new commits change: the commit, the mode, the id and the path; a merge, what no parent has."""
        given = "".join(f"{each}\n" for each in sorted(new)) + "".join(f"^{each}\n" for each in sorted(known))
        words = ("log", "--stdin", "--ignore-missing", f"--max-count={MOST_COMMITS}", "--format=%H", "--raw", "-z")
        said = self.said(*words, "-c", "-r", "--no-renames", "--no-abbrev", given=given.encode())
        yield from _raw(said)

    def difference(self, old: str, new: str) -> Iterator[tuple[str, str, str]]:
        """Yield what differs in a commit from an older one: its mode, its id and the path."""
        if not old:
            yield from self.tree(new, ())
            return
        said = self.said("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new)
        yield from ((mode, ident, path) for _, mode, ident, path in _raw(said))

    def tree(self, commit: str, paths: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Yield the files of a commit, all or those of some paths: mode, id and path."""
        for line in self.said("ls-tree", "-r", "-z", commit, "--", *paths).split("\0"):
            head, _, path = line.partition("\t")
            if path:
                mode, _, ident = head.split(" ")[:3]
                yield mode, ident, path

    def index(self, tree: Tree) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the entries of an index: mode and id, and the path."""
        if not tree.staged:
            return
        self.write("index", tree.staged)
        for name in _names(tree.own):
            if name.startswith("sharedindex.") and not os.path.lexists(f"{self.own}/{name}"):
                os.symlink(f"{tree.own}/{name}", f"{self.own}/{name}")
        for line in self.said("ls-files", "--stage", "-z").split("\0"):
            head, _, path = line.partition("\t")
            if path:
                mode, ident, _ = head.split(" ")
                yield (mode, ident), path


def _raw(said: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield what git says with `--raw -z` (git-diff-tree(1)): its commit, its mode and id now, and the path.

    Each commit comes first by itself, without a path.
    """
    commit, parts = "", iter(said.split("\0"))
    for part in parts:
        if not (line := part.strip("\n")).startswith(":"):
            if line:
                commit = line
                yield commit, "000000", "", ""
            continue
        parents = len(line) - len(line.lstrip(":"))
        fields = line.lstrip(":").split(" ")
        yield commit, fields[parents], fields[2 * parents + 1], next(parts, "")


def _runs(path: str) -> bool:
    """Whether a file of a work tree runs by itself, or is in a directory that does."""
    at = ""
    for part in path.split("/"):
        at = f"{at}/{part}"
        if runs_by_itself(at):
            return True
    return False


def _is(path: str, mode: str, ident: str) -> bool:
    """Whether a file is as a commit has it; one that the commit has not must not be there."""
    try:
        if mode == "120000":
            content = os.fsencode(os.readlink(path))
        else:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(descriptor, "rb") as file:
                content = file.read(LARGEST)
    except OSError:
        return mode in {"000000", "160000"} or os.path.isdir(path)
    kind = "sha256" if len(ident) > 40 else "sha1"
    return new(kind, b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest() == ident


def _join_few(names: Sequence[str]) -> str:
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
