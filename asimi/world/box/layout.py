"""What one program in one project may write and read in a box, as a value that is shown or put into force.

Everything is read-only except what is listed. Paths are real ones, so that no link decides where something is mounted;
shorter paths are mounted first, so the longest listed path above a file decides about it.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from contextlib import suppress
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.facts import facts_of, names_of, table_of
from asimi.core.judging.auto_sandbox import PACKAGES, AutoSandbox
from asimi.core.judging.known import BOXED, SELF_RUNNING
from asimi.core.judging.names import name_of
from asimi.core.judging.patterns import Patterns
from asimi.core.judging.zones import is_no_project
from asimi.core.programs.variables import SECRETS
from asimi.core.settings import REREAD, BoxSettings
from asimi.core.values import NamedTuple
from asimi.world.box.groups import Person, registries
from asimi.world.box.network import HOSTS, RESOLVES, VARIABLES, hosts
from asimi.world.box.profiles import Hook
from asimi.world.box.repositories import directories_of, elsewhere, parts_of
from asimi.world.executors.confining.system import ConfinementError
from asimi.world.host.git_settings import obeyed_paths, signs
from asimi.world.host.trees import bound_sockets, specials, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.guard import Guard
    from asimi.core.judging.names import Name
    from asimi.world.box.profiles import Profile
    from asimi.world.box.repositories import Elsewhere
    from asimi.world.host.places import Bases, Places

_FACTS = facts_of(__package__, "layout")

RUNTIME = "/run/asimi"
"""Where the inside sees the box's own directory."""

PRIVATE = BOXED
"""Directories in memory that end with the box, where the machine has its own."""

OWN = (*PRIVATE, "/dev", "/proc")

VENVS = frozenset({".venv", "venv"})
"""Names of a project's own environments for Python: made and filled in the box, too, as their tools lay them out."""

ENVIRONMENT = "pyvenv.cfg"
"""What is in each such environment, whatever its name is (the documentation of Python's `venv`)."""

CLOSED_AT = 400_000
"""Files and directories of the project that are looked through; directories beyond that are read-only."""

QUIET = {"NO_UPDATE_NOTIFIER": "1", "NPM_CONFIG_UPDATE_NOTIFIER": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
"""What keeps tools from looking for a newer version of themselves, which would be a question (npm-config(7), pip)."""

CACHES = table_of(_FACTS["caches"])
"""Variables of tools whose caches are not below `$XDG_CACHE_HOME`, and the name that the box's own have there."""

STORES = {
    "PNPM_HOME": (".local/share/pnpm", "pnpm"),
    "YARN_GLOBAL_FOLDER": (".yarn/berry", "yarn-berry"),
}
"""Stores of packages whose place these tools write into a project, so that it must be the same in a box and outside:
the variable that names it, where it is in the home, and the name of the box's own."""

SHARED = (".cache", ".npm", "go/pkg/mod", ".cargo/registry", ".cargo/git", ".gradle/caches", ".m2/repository")
"""Caches of the person's that `caches = "shared"` lets the box write, below the home."""

SEEN = ("ms-playwright", "Cypress", "puppeteer", "huggingface/hub", "torch", "fontconfig", "pre-commit")
"""What stays to be read of the person's own cache: browsers, models, fonts."""

CERTIFICATES = tuple(" ".join(_FACTS["certificates"]).split())
"""Variables that name the certificates of a company's proxy: these stay readable, whatever their file is called."""

DROPPED = (*REREAD, *names_of(_FACTS["dropped"]))
"""Variables that lead to what is not there in the box, or to a terminal that is another one, or load code."""

LINKED, LEVELS_LINKED = (".config", ".local/bin", ".local/share", ".vim"), 3
"""Where in the home dot files may be links, besides directly in it, and how many levels down."""

DEPTH = 64
"""Levels of directories that are looked through for sockets and named pipes."""


class _Look:
    """One look through directories, however much is in them.

    Attributes:
        beyond: directories that were too many to look through.
        specials: sockets and named pipes.
    """

    def __init__(self) -> None:
        self.beyond, self.specials = list[str](), list[str]()

    def through(self, top: str, depth: int, take: Callable[[str, str], bool]) -> None:
        """Pass what is below a directory, as `trees.walk` does."""
        left, waiting = CLOSED_AT, deque([(top, depth)])
        while waiting:
            at, levels = waiting.popleft()
            if left < 0:
                self.beyond.append(at)
                continue
            with suppress(OSError, ValueError), os.scandir(at) as entries:
                for entry in entries:
                    left -= 1
                    enter = not take(entry.path, entry.name) and levels > 1
                    if entry.is_dir(follow_symlinks=False):
                        if enter:
                            waiting.append((entry.path, levels - 1))
                    elif not entry.is_symlink() and not entry.is_file(follow_symlinks=False):
                        self.specials.append(entry.path)


class Options(NamedTuple):
    """What the caller adds for one start.

    Attributes:
        write: directories that may be written besides the project, absolute.
        read: directories of the home that are shown, absolute.
        reach: names that are reached besides the profile's.
        publish: ports of the box that have a listener on this machine.
    """

    write: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    reach: tuple[Name, ...] = ()
    publish: tuple[int, ...] = ()


class Layout(NamedTuple):
    """What is where in the box.

    Attributes:
        profile: of the agent.
        root: the project root.
        home: the home directory.
        open: the directories that may be written whatever the agent: the project, and what the caller adds.
        writable: what may be written, each on its own path: directories, and files of the agent's state.
        made: those of them that are directories and missing: the agent itself would make them.
        private: directories in memory.
        caches: the directory of asimi's that is in place of the cache directory, and that one's path; empty if shared.
        stores: more directories of asimi's that are in place of others, by the paths of those.
        seen: what is read-only although a private or hidden directory is above it.
        hidden: what cannot be read.
        masked: sockets and named pipes of the machine.
        protected: what is read-only in what may be written, if it is there; it must not appear.
        stand_ins: what stands for a missing one of these names in the agent's own state, by its path: a file's bytes,
            or None for an empty directory.
        placed: files that are there in the box only, by their path.
        filled: what a file holds in the box: instead of a copy, or in one of the `fresh` directories.
        copied: files that the box has a copy of; in the place of each is a link to it.
        fresh: directories of the agent's state that each box has anew, in memory.
        own: directories that the boxes of a project have of their own, by their paths, and where these are.
        lent: what of the person's is in these read-only.
        elsewhere: the project's repository where that is not below a directory that may be written; or empty.
        git: directories of git that this box may write in part, for the look at the end.
        beyond: directories with more in them than asimi looks through, which are read-only.
        devices: paths of devices.
        reach: the names that are reached, whatever else is allowed.
        publish: the ports of the box that have a listener on this machine.
        environment: the whole environment.
        notes: what its person has to know.
        lock: the file whose locks say which names are held.
        runtime: the directory outside in which each box makes its own.
        moved_to: the directory where what appears is moved to.
    """

    profile: Profile
    root: str
    home: str
    open: tuple[str, ...]
    writable: tuple[str, ...]
    made: tuple[str, ...]
    private: tuple[str, ...]
    caches: tuple[str, str] | None
    stores: Mapping[str, str]
    seen: tuple[str, ...]
    hidden: tuple[str, ...]
    masked: tuple[str, ...]
    protected: tuple[str, ...]
    stand_ins: Mapping[str, bytes | None]
    placed: Mapping[str, bytes]
    filled: Mapping[str, bytes]
    copied: tuple[str, ...]
    fresh: tuple[str, ...]
    own: Mapping[str, str]
    lent: tuple[str, ...]
    elsewhere: str
    git: tuple[str, ...]
    beyond: tuple[str, ...]
    devices: tuple[str, ...]
    reach: tuple[Name, ...]
    publish: tuple[int, ...]
    environment: Mapping[str, str]
    notes: tuple[str, ...]
    lock: str
    runtime: str
    moved_to: str

    def explain(self) -> dict[str, Any]:
        """What is held, as data: the fields that mean something to a person, variables by their names alone."""
        profile = self.profile
        return {
            "agent": profile.name,
            "title": profile.title,
            "tried": profile.tried,
            "project": self.root,
            "writable": list(self.writable),
            "private": list(self.private),
            "caches": list(self.caches) if self.caches else "shared",
            "read_only": list(self.protected),
            "shown": list(self.seen),
            "copied": list(self.copied),
            "own": sorted((*self.own, *self.fresh)),
            "hidden": list(self.hidden),
            "masked": list(self.masked),
            "only_in_the_box": sorted({*self.placed, *self.filled}.difference(self.copied)),
            "devices": list(self.devices),
            "reach": list(map(str, self.reach)),
            "published": list(self.publish),
            "needless": list(profile.needless),
            "environment": sorted(self.environment),
            "replaces": profile.replaces,
            "login": list(profile.login),
            "notes": [*profile.notes, *self.notes],
        }


def layout_of(
    guard: Guard,
    profile: Profile,
    bases: Bases,
    places: Places,
    environ: Mapping[str, str],
    programs: Sequence[str],
    options: Options = Options(),  # noqa: B008 - a value
    settings: BoxSettings = BoxSettings(),  # noqa: B008 - a value
    hook: Hook = Hook(),  # noqa: B008 - a value
) -> Layout:
    """Return the layout of a box.

    Args:
        guard: tells what the configuration says of files, and what is on this machine.
        profile: of the agent.
        bases: where the person's programs keep their files.
        places: where asimi keeps its own.
        environ: the environment that asimi was started with.
        programs: paths of programs that must be there in the box: the agent, and Python.
        options: what the caller adds.
        settings: `[box]`.
        hook: how the agent's hook is set up.

    Raises:
        ConfinementError: there can be no such box here.
    """
    assert guard.files is not None  # of a configuration
    root, home = guard.files.root, places.home
    if root in PRIVATE:
        raise _unkept(f"{root} is no project, and the box has a {root} of its own")
    if is_no_project(root, home):
        raise _unkept(f"{root} is not a project: start asimi in a directory below the home, or one of its own")
    own = [*map(os.path.realpath, (places.config, places.state, places.runtime)), os.path.join(bases.cache, "asimi")]
    tops = _tops(root, home, options.write, own)
    look = _Look()
    around, opened = AutoSandbox(guard).around(tops, look.through), tuple(tops)
    if isinstance(around, str):
        raise _unkept(around)
    state, made = _state(profile, home, environ)
    for each in state:
        if any(is_below(top, each) for top in tops):
            raise _unkept(f"the project is in {each}, which belongs to {profile.title}")
    tops += [each for each in state if not any(is_below(each, top) for top in tops)]
    if missing := next((each for each in options.read if not os.path.exists(each)), ""):
        raise _unkept(f"--read {missing}: there is no such file or directory")
    path = [os.path.realpath(each) for each in environ.get("PATH", "").split(":") if each[:1] == "/"]
    needed = [*path, *(_prefix(os.path.realpath(each)) for each in programs), *options.read]
    copied = [_in_place(profile.at(each, home, environ)) for each in profile.copied]
    copied = [each for each in copied if os.path.exists(each) or any(is_below(each, top) for top in tops)]
    stand_ins: dict[str, bytes | None] = {each: _form(each) for each in copied}
    running = Patterns(SELF_RUNNING, root, home)  # a secret may be that, too, as an .envrc is
    runs = {*around.protected, *(each for each in around.hidden if running.matches(each))}
    protected = {*_protected_paths(runs, path, tops), *(each for each in look.beyond if _is_below_any(each, tops))}
    protected |= {os.path.realpath(each) for each in copied}
    for each in profile.held:
        at = os.path.realpath(profile.at(each.rstrip("/"), home, environ))
        protected.add(at)
        stand_ins[at] = None if each[-1:] == "/" else _form(at)
    repositories = sorted({each for each in around.protected if os.path.basename(each) == ".git"})
    git = elsewhere(root, home)
    if git is not None:
        tops.append(git.shared)
        protected |= git.others()
        repositories.append(git.shared)
    for each in {each for repository in repositories for each in directories_of(repository)}:
        protected |= parts_of(each)[0]
    kept = os.path.join(bases.cache, "asimi", "box", sha256(os.fsencode(root)).hexdigest()[:16])  # of all boxes here
    own_ones = _own_ones(profile, home, environ, kept)
    fresh = tuple(os.path.realpath(profile.at(each.rstrip("/"), home, environ)) for each in profile.fresh)
    stand_ins |= dict.fromkeys((*own_ones, *fresh))
    caches = None if settings.caches == "shared" else (os.path.join(kept, "cache"), os.path.realpath(bases.cache))
    if caches is None:
        protected.add(os.path.join(os.path.realpath(bases.cache), "asimi"))
        tops += [real for each in SHARED if os.path.isdir(real := os.path.realpath(os.path.join(home, each)))]
    stores = {} if caches is None else _stores(home, environ, path, caches[0])
    secrets = {*_secrets(around.hidden, guard, root, [*state, *_certificates(environ)], caches)}
    hidden = {
        *secrets,
        *_directories_to_hide(home, [root, *tops, *needed, *_dots(home)]),
        os.path.realpath(places.state),
    }
    hidden = {each for each in hidden if not any(is_below(top, each) for top in tops)}
    needed += [each for each in _led_to(home) if each not in secrets]
    seen = {each for each in needed if _is_below_any(each, [*PRIVATE, *hidden]) and os.path.exists(each)} - {*PRIVATE}
    seen |= {home} if _is_below_any(home, PRIVATE) else set()
    repository = f"{root}/.git" if git is None else git.shared
    named = _in_sight(obeyed_paths(repository, root), home, [*hidden - secrets, *PRIVATE])
    seen |= named
    hidden -= named
    seen |= set() if caches is None else _seen_of_caches(profile, home, environ, caches[1])
    seen = {each for each in seen if not any(is_below(each, top) for top in tops)}
    hidden = {each for each in hidden if not _is_within(each, hidden, seen)}
    masked, notes = _specials(home, opened, [*tops, *look.specials], seen, hidden)
    given, placed = _with_hook(profile, hook)
    filled = {each: text for each, text in placed.items() if each in copied or os.path.dirname(each) in fresh}
    return Layout(
        profile,
        root,
        home,
        opened,
        tuple(dict.fromkeys(tops)),
        made,
        PRIVATE,
        caches,
        stores,
        tuple(sorted(seen)),
        tuple(sorted(hidden)),
        masked,
        tuple(sorted(each for each in {*protected, *own_ones, *fresh} if any(is_below(each, top) for top in tops))),
        {path: form for path, form in stand_ins.items() if any(is_below(path, each) for each in state)},
        {each: text for each, text in placed.items() if each not in filled},
        filled,
        tuple(copied),
        fresh,
        own_ones,
        tuple(_lent(profile, own_ones, home, environ)),
        "" if git is None else git.shared,
        tuple(repositories),
        tuple(look.beyond),
        settings.devices,
        tuple(dict.fromkeys((*(name_of(each)._replace(private=False) for each in profile.reach), *options.reach))),
        options.publish,
        _registries(bases, home, environ, root, hidden)
        | _environment(profile, guard, environ, settings, given, caches, stores),
        (*notes, *_signing_note(repository, root), *_repository_notes(root, git, look.beyond)),
        os.path.join(places.state, "sandbox.lock"),
        places.runtime,
        os.path.join(places.state, "appeared"),
    )


def _tops(root: str, home: str, write: Sequence[str], own: Sequence[str]) -> list[str]:
    """The project and the directories that a caller adds, none below another one.

    Raises:
        ConfinementError: asimi's own files are in one of them.
    """
    tops = [root, *(_directory(each, home) for each in write)]
    tops = [each for each in tops if not any(each != other and is_below(each, other) for other in tops)]
    for top in tops:
        if inside := next((each for each in own if is_below(each, top) or is_below(top, each)), ""):
            raise _unkept(f"{top} would be writable, and asimi's own files are there ({inside})")
    return tops


def _own_ones(profile: Profile, home: str, environ: Mapping[str, str], kept: str) -> dict[str, str]:
    """The directories that boxes of a project have of their own, by their paths, and where these are."""
    found = {os.path.realpath(profile.at(each.rstrip("/"), home, environ)): each for each in profile.own}
    return {path: os.path.join(kept, each.strip("~/").replace("/", "-")) for path, each in found.items()}


def _lent(profile: Profile, own: Iterable[str], home: str, environ: Mapping[str, str]) -> Iterator[str]:
    """What the person has in directories that are held and the box's own, but for what the agent itself hides there."""
    held = {os.path.realpath(profile.at(each.rstrip("/"), home, environ)) for each in profile.held}
    for path in held.intersection(own):
        with suppress(FileNotFoundError):
            yield from (os.path.join(path, name) for name in sorted(os.listdir(path)) if name[:1] != ".")


def _stores(home: str, environ: Mapping[str, str], path: Sequence[str], caches: str) -> dict[str, str]:
    """The stores of packages that the box has of its own in place of the person's; what of them is on PATH stays.

    Where the person has none, there is no place for the box's, and a variable names that.
    """
    found = {}
    for name, (usual, own) in STORES.items():
        at = os.path.realpath(environ.get(name) or os.path.join(home, usual))
        at = os.path.join(at, "store") if any(is_below(each, at) for each in path) else at
        if os.path.isdir(at) and not is_below(home, at):
            found[at] = f"{caches}/{own}"
    return found


def _seen_of_caches(profile: Profile, home: str, environ: Mapping[str, str], caches: str) -> set[str]:
    """What of the person's cache directory is read-only in a box that has one of its own."""
    shown = [os.path.realpath(profile.at(each, home, environ)) for each in profile.shown]
    shown += [os.path.join(caches, name) for name in SEEN]
    return {each for each in shown if os.path.exists(each) and is_below(each, caches)}


def _with_hook(profile: Profile, hook: Hook) -> tuple[dict[str, str], dict[str, bytes]]:
    """The variables and the files that a box gives the agent, with those by which it has the hook."""
    given, placed = dict(profile.given), {os.path.realpath("/etc/resolv.conf"): RESOLVES}
    if os.path.isfile(HOSTS):
        placed[os.path.realpath(HOSTS)] = hosts()
    if hook.variable:
        given[hook.variable] = hook.text
    elif hook.file:
        placed[_in_place(hook.file)] = hook.text.encode()
    return given, placed


def _unkept(why: str) -> ConfinementError:
    return ConfinementError(why, "The box")


def _directory(written: str, home: str) -> str:
    """The real path of a directory that `--write` names.

    Raises:
        ConfinementError: it is none, or one that nobody should open.
    """
    path = os.path.realpath(written)
    if not os.path.isdir(path):
        raise _unkept(f"--write {written}: there is no such directory")
    if is_no_project(path, home) or any(is_below(path, each) for each in ("/dev", "/proc", "/run")):
        raise _unkept(f"--write {written}: nothing in the box may write there; name a directory of its own")
    return path


def _state(profile: Profile, home: str, environ: Mapping[str, str]) -> tuple[list[str], tuple[str, ...]]:
    """What the agent writes of its own, by real paths; and the directories of it that are missing."""
    found, made = [], []
    for each in profile.state:
        path = os.path.realpath(profile.at(each.rstrip("/"), home, environ))
        if each[-1:] == "/":
            made += [] if os.path.isdir(path) else [path]
        elif not os.path.exists(path):
            continue
        found.append(path)
    for each in (*profile.own, *profile.fresh):  # what holds a missing name has no room for these
        above = os.path.realpath(os.path.dirname(profile.at(each.rstrip("/"), home, environ)))
        if not os.path.isdir(above) and any(is_below(above, state) for state in found):
            made.append(above)
    return found, tuple(dict.fromkeys(made))


def _in_place(path: str) -> str:
    """A path whose directories are real ones, and whose last name may be a link."""
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def _prefix(path: str) -> str:
    """The directory that a program is installed in with all that it loads."""
    parts = path.split("/")
    if "node_modules" in parts:
        return "/".join(parts[: parts.index("node_modules")]) or "/"
    directory = os.path.dirname(path)
    above = os.path.dirname(directory)
    return above if os.path.basename(directory) in {"bin", "sbin"} and above.count("/") > 1 else directory


def _form(path: str) -> bytes:
    """What a file holds that holds its own name: nothing, as its format says it."""
    return b"{}\n" if path.endswith((".json", ".jsonc")) else b""


def _protected_paths(found: Iterable[str], path: Sequence[str], tops: Sequence[str]) -> Iterator[str]:
    """What is read-only of what runs by itself; a project's own packages are not, unless PATH leads to them."""
    for each in found:
        top = next((top for top in tops if is_below(each, top)), "")
        above = [each, *_between(each, top)] if top else [each]
        packages = not PACKAGES.isdisjoint(each.split("/")) or any(map(_is_environment, above))
        git = os.path.isdir(each) and (os.path.basename(each) == ".git" or os.path.isfile(f"{each}/HEAD"))
        if not git and (not packages or each in path):  # of git's directories the parts are
            yield each
    yield from (each for each in path if any(is_below(each, top) for top in tops))


def _between(path: str, top: str) -> Iterator[str]:
    """The directories above a path, below another one."""
    while (path := os.path.dirname(path)) != top and is_below(path, top):
        yield path


def _is_environment(path: str) -> bool:
    """Whether a directory, or the file that makes one, is an environment of Python."""
    name = os.path.basename(path)
    return name in VENVS or name == ENVIRONMENT or os.path.isfile(os.path.join(path, ENVIRONMENT))


def _secrets(
    found: Iterable[str], guard: Guard, root: str, needed: Sequence[str], caches: tuple[str, str] | None
) -> Iterator[str]:
    """What is hidden of what may be a secret: all outside the project, and what no command may touch."""
    assert guard.files is not None
    denied = [Patterns(layer, root, guard.machine.home) for layer in guard.files.files.deny if layer]
    for each in found:
        if caches is not None and is_below(each, caches[1]):
            continue  # it is not there
        if any(layer.matches(each) for layer in denied) or (
            not is_below(each, root) and not any(is_below(each, other) for other in needed)
        ):
            yield each


def _certificates(environ: Mapping[str, str]) -> list[str]:
    """The certificates that variables name, unless a key lies in there, too."""
    found = []
    for name in CERTIFICATES:
        path = environ.get(name, "")
        try:
            with open(path, "rb") as file:
                if b"PRIVATE KEY-----" not in file.read(8 << 20):
                    found.append(os.path.realpath(path))
        except OSError:
            continue
    return found


def _dots(home: str) -> list[str]:
    """Directories of the home that begin with a dot, which hold what programs need."""
    try:
        return [os.path.join(home, name) for name in os.listdir(home) if name[:1] == "."]
    except OSError:
        return []


def _directories_to_hide(home: str, shown: Sequence[str]) -> Iterator[str]:
    """The directories of the home that hold nothing of what is shown."""
    try:
        with os.scandir(home) as entries:
            for entry in entries:
                if entry.name[:1] != "." and entry.is_dir(follow_symlinks=False):
                    path = os.path.join(home, entry.name)
                    if not any(is_below(each, path) for each in shown):
                        yield path
    except OSError:
        return


def _led_to(home: str) -> list[str]:
    """What dot files of the home lead to by a link, as those that a dotfile manager makes."""
    found = []

    def take(path: str, name: str) -> bool:
        if os.path.islink(path) and (name[:1] == "." or os.path.dirname(path) != home):
            found.append(os.path.realpath(path))
        return name[:1] != "." and os.path.dirname(path) == home

    walk(home, 1, take)
    for each in LINKED:
        walk(os.path.join(home, each), LEVELS_LINKED, take)
    return found


def _is_within(path: str, hidden: Collection[str], seen: Collection[str]) -> bool:
    """Whether a path is hidden anyway, by what is above it."""
    above = (each for each in hidden if each != path and is_below(path, each))
    return any(not any(is_below(path, each) and is_below(each, other) for each in seen) for other in above)


def _is_below_any(path: str, covers: Sequence[str]) -> bool:
    return any(is_below(path, each) for each in covers)


def _specials(
    home: str, opened: Sequence[str], tops: Sequence[str], seen: Iterable[str], hidden: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sockets and named pipes of the machine that are in sight, and what is said of it."""
    shown, covers = {*tops, *seen}, {*OWN, *hidden}

    def in_sight(path: str) -> bool:
        above = [each for each in (*shown, *covers) if is_below(path, each)]
        return not above or max(above, key=len) in shown

    found, notes = {*bound_sockets(), *tops}, []
    beside = os.path.dirname(opened[0])
    for start in dict.fromkeys((home, "/var", beside, *tops, *seen)):
        if start != "/" and start not in opened and (start in {home, beside} or in_sight(start)):
            there, whole = specials(start, 2 if start == beside else DEPTH, {*covers, *opened} - {start})
            found.update(there)
            if not whole:
                notes.append(f"{start} holds too much to find all sockets and named pipes in it")
    real = {os.path.realpath(path) for path in found}
    return tuple(sorted(each for each in real if in_sight(each) and _is_special(each))), tuple(notes)


def _in_sight(paths: Iterable[str], home: str, covers: Sequence[str]) -> set[str]:
    """Those of the person's own files that would not be in sight."""
    return {each for each in paths if os.path.exists(each) and not is_below(home, each) and _is_below_any(each, covers)}


def _signing_note(own: str, root: str) -> tuple[str, ...]:
    """What is said where git signs without being told to: no key of the person's is in a box."""
    if "commit" not in signs(own, root):
        return ()
    return ("git signs your commits, and no key is in the box: git commit fails in there without --no-gpg-sign.",)


def _repository_notes(root: str, git: Elsewhere | None, beyond: Sequence[str]) -> Iterator[str]:
    """What is said of a repository around the project, and of what could not be looked through."""
    if git is not None and git.own == git.shared and not os.path.lexists(os.path.join(root, ".git")):
        yield f"The repository is {os.path.dirname(git.shared)}: git commits there, but its other files are read-only."
    if beyond:
        yield f"{len(beyond)} directories are too many to look through, so they are read-only: {beyond[0]}, and others."


def _is_special(path: str) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)


def _registries(
    bases: Bases, home: str, environ: Mapping[str, str], root: str, hidden: Collection[str]
) -> dict[str, str]:
    """The addresses of registries that hidden files of the person's name, as variables."""
    found = registries(Person(home, bases.config, environ, root))
    return {
        name: value
        for file, name, value in found
        if name not in environ and _is_below_any(os.path.realpath(file), [*hidden])
    }


def _environment(
    profile: Profile,
    guard: Guard,
    environ: Mapping[str, str],
    settings: BoxSettings,
    given: Mapping[str, str],
    caches: tuple[str, str] | None,
    stores: Mapping[str, str],
) -> dict[str, str]:
    """The environment: what holds no secret by name or form, what the agent needs, and where its caches are."""
    wanted = {*profile.environment, *settings.environment}
    found = QUIET | {
        name: value
        for name, value in environ.items()
        if name in wanted
        or name.startswith("GIT_AUTHOR_")
        or not (any(fnmatchcase(name, each) for each in (*SECRETS, *DROPPED)) or guard.machine.hides(name))
    }
    if caches is not None:
        found |= {name: os.path.join(caches[1], each) for name, each in CACHES.items()}
        if os.path.isdir(os.path.join(guard.machine.home, ".ansible")):
            del found["ANSIBLE_HOME"]  # roles and collections are there
        unknown = {name: own for name, (_, own) in STORES.items() if f"{caches[0]}/{own}" not in stores.values()}
        found |= {name: os.path.join(caches[1], own) for name, own in unknown.items()} | {"UV_LINK_MODE": "copy"}
        module = os.path.join(environ.get("GOPATH", "").split(":")[0] or f"{guard.machine.home}/go", "pkg/mod")
        if os.path.isdir(f"{module}/cache/download"):  # what is there need not be fetched again
            found["GOPROXY"] = (
                f"file://{module}/cache/download,{environ.get('GOPROXY', 'https://proxy.golang.org,direct')}"
            )
    found["PATH"] = ":".join(filter(None, (found.get("PATH", ""), RUNTIME)))  # so that `asimi` there is the client
    found |= {"TMPDIR": "/tmp", "XDG_RUNTIME_DIR": f"{RUNTIME}/tmp", "ASIMI_BOX": RUNTIME}  # noqa: S108 - the box's own
    return found | VARIABLES | dict(given)
