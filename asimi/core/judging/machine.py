"""What may be asked of a machine, and one look at it: what is asked once is answered alike until the look is over."""

from __future__ import annotations

import os.path
from _thread import _local
from typing import TYPE_CHECKING

from asimi.core.judging.patterns import is_ending, overlap
from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from asimi.core.budget import Budget
    from asimi.core.call import Loss, Undo


class Machine(NamedTuple):
    """What has to be known of this machine to say where a path leads.

    Attributes:
        home: the home directory.
        resolve: gives the real path of an absolute one, whether it exists or not.
        variables: what the variables mean that paths are often written with, such as `XDG_RUNTIME_DIR`.
        names: gives the names in a directory, none where there is none; None where that is not known.
        kind: says what a real path is: `directory`, `mount` (a directory with a file system of its own), `file`,
            `block` (a device), empty where there is nothing, None where that is not known.
        below: gives the paths below a directory, at most so many levels down, links as themselves and followed by
            where they lead; None where there are too many to look through, or that is not known.
        repository: gives what holds the repository that is found from a directory, or None where there is none.
        guides: gives, for a `.git`, the paths that say which programs git starts there, and whether it starts some by
            itself, such as hooks.
        unmodified: says whether a file is as git's index has it, or is not there, so that restoring it loses nothing.
        extends: says whether a file of settings takes in a file that is none, or one outside of a project root.
        settings: gives the settings of a `.git`, each its name without a subsection (`remote.url`), the subsection, and
            the value; None where not all of its configuration is understood.
        strays: gives the first of what is no file and no directory below a `.git`, such as a link; empty without one,
            None where there is too much to look through.
        branch: says whether git knows a name as a branch in a directory, and as nothing else there.
        signs: says of what git makes in a repository and its work tree what settings have signed: `commit`, `tag`.
        moved: gives, for a `.git` and two commits, the paths of the files that are not the same in both; None where
            that cannot be told. Without the first one, those of all files; `A...B` is where both came from.
        links: says whether a path in a real directory may be a link.
        walk: tells each path below a directory with its name, at most so many levels down, to what says whether to
            leave out what is below it; says whether that was all, or there are too many. The last word is whether
            what is deeper, or closed and could be opened, counts as well.
        kept: says how git has a file: `tracked`, `ignored`, `new`; empty where that is not known.
        hides: says whether a variable that commands inherit holds a secret by its form, whatever its name.
        leads: gives, for each path with how many levels down, its real path, and all that is on the way of the links
            to it and below it; None where there are too many to look through, or that is not known.
        inhabited: says whether a sandbox runs now that can write in a directory.
        holds_name: says whether at a path is only an empty directory of asimi's that keeps a sandbox from making one.
        undone: says whether undo would bring something back, by what a person says of undo: `kept`, `rebuilt`,
            or why not, in words; empty where it is off.
        pushes: gives, for a `.git` and the operands of `git push`, the URLs that it goes to and the
            branches that it sends, as words of a rule; none where not all of it is sure.
        contexts: gives the context and the namespace that kubectl works in, as words of a rule, from what the text
            names of both; none where that is not sure.
        members: gives the names in an archive, all of them plain files and directories below where it is unpacked; None
            where not all of them are sure.
        container: gives the id of a container by its name, or of a compose service; empty where there is none, or it
            reaches more of this machine than the project.
        locked: gives the digest of a lock file by which packages come from the person's registries; empty without one.
        fetched: says whether a call that used the network may have made a file, or nobody knows.
        untrusted_host: the name of the host that says all this, if what it says may forbid and not allow; else empty.
    """

    home: str
    resolve: Callable[[str], str]
    variables: Mapping[str, str]
    names: Callable[[str], Collection[str] | None] = lambda _: None
    kind: Callable[[str], str | None] = lambda _: None
    below: Callable[[str, int], Sequence[str] | None] = lambda _, __: None
    repository: Callable[[str], str | None] = lambda directory: directory  # unknown: each has its own
    guides: Callable[[str], tuple[Collection[str], bool]] = lambda _: ((), True)
    settings: Callable[[str], Sequence[tuple[str, str, str]] | None] = lambda _: None
    extends: Callable[[str, str], bool] = lambda _, __: True
    strays: Callable[[str], str | None] = lambda _: None
    branch: Callable[[str, str], bool] = lambda _, __: False
    unmodified: Callable[[str], bool] = lambda _: False
    signs: Callable[[str, str], Collection[str]] = lambda _, __: ()
    moved: Callable[[str, str, str], Collection[str] | None] = lambda _, __, ___: None
    links: Callable[[str], bool] = lambda _: True
    walk: Callable[[str, int, Callable[[str, str], bool], bool], bool] = lambda _, __, ___, ____: False
    kept: Callable[[str], str] = lambda _: ""
    hides: Callable[[str], bool] = lambda _: False
    leads: Callable[[Sequence[tuple[str, int]]], Sequence[tuple[str, Collection[str]]] | None] = lambda _: None
    inhabited: Callable[[str], bool] = lambda _: False
    holds_name: Callable[[str], bool] = lambda _: False
    undone: Callable[[Loss, Undo], str] = lambda _, __: ""
    pushes: Callable[[str, Sequence[str]], Sequence[str]] = lambda _, __: ()
    contexts: Callable[[str, str], Sequence[str]] = lambda _, __: ()
    members: Callable[[str], Sequence[str] | None] = lambda _: None
    container: Callable[[str, bool], str] = lambda _, __: ""
    locked: Callable[[str], str] = lambda _: ""
    fetched: Callable[[str], bool] = lambda _: True
    untrusted_host: str = ""

    @property
    def user(self) -> str:
        """The name that `~user` may be written with for the home directory."""
        return os.path.basename(self.home)

    def now(self, shape: str, *, named: bool = False) -> list[str] | None:
        """What a pattern stands for now whose last part is no more than `*`, `?` or an ending; None for others.

        None, too, where what is there is not known. With `named`, the last part may be any pattern of one name.
        """
        directory, _, name = shape.rstrip("/").rpartition("/")
        if not (named or is_ending(name) or not name.strip(SOME + ONE)) or ANY in directory or MANY in directory:
            return None
        bases = [directory or "/"] if MARKS.isdisjoint(directory) else self.now(directory)
        if ANY in name or MANY in name:
            return None
        found: list[str] = []
        for base in dict.fromkeys(bases or ()):  # two links may lead to one directory
            there = self.below(base, 1)
            if there is None:
                return None
            own = ""  # the name by which bash finds what comes next: of where a link leads, that of the link
            for each in there:
                directory, _, last = each.rpartition("/")
                own = last if directory == base.rstrip("/") else own
                if overlap(name, own):
                    found.append(each)
        return None if bases is None else found


LEXICAL = Machine("/", os.path.normpath, {})
"""Where nothing is known of the machine."""

PRICES = {
    "below": 60, "branch": 250, "extends": 60, "guides": 120, "kind": 12, "links": 10, "names": 40, "repository": 60,
    "resolve": 30, "unmodified": 400,
    "moved": 400, "settings": 60, "signs": 60, "strays": 250,
    "undone": 500, "members": 2000,
}  # fmt: skip
"""Units of work for one question; a walk, whose answer is what it tells, is not remembered."""

EACH = 4
"""Names in an answer for a unit of work, each time it is given."""

_MANY = (list, tuple, set, frozenset)


class Looks:
    """What a machine is asked, look by look; each thread has its own.

    Attributes:
        times: how often it was asked for what may change at any moment; other threads may ask as well.
        standing: the paths that were resolved before the first look, while the rules about files were made.
    """

    def __init__(self) -> None:
        self.times = 0
        self.standing: dict[str, None] = {}
        self._looked = False
        self._now = _local()

    def of(self, machine: Machine) -> Machine:
        """The same machine, with every question counted, and within a look remembered and paid for."""
        asked: dict[str, Any] = {
            name: self._wrap_question(name, each) for name, each in machine._asdict().items() if callable(each)
        }
        return machine._replace(**asked)

    def one_look(self, budget: Budget) -> Answers:
        """A look, which `with` begins and ends; within another one it is that one."""
        self._looked = True
        return Answers(self._now, budget)

    def _wrap_question(self, name: str, question: Callable[..., Any]) -> Callable[..., Any]:
        price = PRICES.get(name)

        def ask(*words: Any) -> Any:
            look: Answers | None = getattr(self._now, "look", None)
            if look is None or price is None:
                self.times += 1
                if name == "resolve" and not self._looked:
                    self.standing[words[0]] = None
                return question(*words)
            key = (name, *words)
            if fresh := key not in look.known:
                self.times += 1
                look.budget.spend(price)
                look.known[key] = question(*words)
            answer = look.known[key]
            names = len(answer) if isinstance(answer, _MANY) else 0
            look.budget.spend(1 + names // EACH + (names if fresh else 0))
            return answer

        return ask


class Answers:
    """What is known in one look."""

    def __init__(self, now: Any, budget: Budget) -> None:
        self._now, self.budget = now, budget
        self.known: dict[tuple[Any, ...], Any] = {}

    def __enter__(self) -> None:
        self._around: Answers | None = getattr(self._now, "look", None)
        if self._around is None:
            self._now.look = self

    def __exit__(self, *_: object) -> None:
        if self._around is None:
            self._now.look = None
