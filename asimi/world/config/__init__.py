"""What the person configured, read from files and checked.

Before each call it checks whether a file changed, and reads the files only then. A
file that cannot be used refuses every call until it is fixed; nothing falls back to a laxer one.
"""

from __future__ import annotations

import os
import time
from shlex import quote
from typing import TYPE_CHECKING

from asimi.core.call import Place, Sandbox, Verdict, above, is_below
from asimi.core.errors import AsimiError, ConfigError, HostError
from asimi.core.extras import load
from asimi.world.config.describe import Row, rows
from asimi.world.config.described import OwnPrograms, own_programs, watched_in
from asimi.world.config.effective import (
    OBSERVE,
    check_kept,
    drop_unsafe_rules,
    files_of,
    host_of,
    idle,
    lacking_here,
    settings_of,
)
from asimi.world.config.layer import Layer, layer_of, layers_in
from asimi.world.config.merge import merge_layers
from asimi.world.config.observing import DAYS, observes, seconds_left
from asimi.world.config.projects import ProjectStore, TrustedFile, main_worktree_of, worktree_files
from asimi.world.config.sources import (
    PROJECT_FILE,
    Source,
    base_of,
    beside,
    content_of,
    managed_content,
    project_files,
)
from asimi.world.host.inherited import inherited_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.checks import Checks
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import Rule
    from asimi.core.judging.zones import Files
    from asimi.core.kinds import SandboxMode
    from asimi.core.settings import Host, RemoteMachine, Settings, Team
    from asimi.world.config.effective import MergedLayers
    from asimi.world.config.managed import Copy
    from asimi.world.config.rule_files import ImportedRules
    from asimi.world.host.places import Places

PROGRAMS = "programs"
"""The directory beside a configuration file in which programs are described."""

_SETTLED = 0.1  # seconds after which every later change gives a file a different time of change
_Stamp = tuple[tuple[int, int, int, int] | None, ...]
_Ways = tuple[tuple[int, int, int] | None, ...]


class Configuration:
    """The configuration of one project.

    Args:
        places: the directories of the user.
        root: the project root.
        file: a file to use instead of the user's own (`--config`), or None.
        environ: gives the environment that commands inherit now; its variables' names matter.
        guard: makes what finds which files a request would touch, from what is said of files and the name of the host
            that may lie, or empty; see `Policy`.
        checks: tells the project's checks; see `Policy`.
        behind: whether it is that of a gate behind an agent's hook; see `settings_of`.
        boxed: whether it is that of a gate of a box; see `settings_of`.
        least: the laxest mode of a sandbox that every command runs in; see `settings_of`.
        unkept: why this machine cannot keep a sandbox; see `check_kept`. None where nothing is started.
        opens: which file of asimi's own a sandbox would open to commands, in words; empty where it opens none.
        there: where commands run, if that is another machine: what is kept for a project is that of its root there,
            and a project's file here can only forbid more.
        shared: gives a team's copy of its policy on this machine, or raises ConfigError where none counts; None where
            nothing can check one.

    Attributes:
        file: the user's file.
        approved: the file beside it that asimi writes.
        imported: the file beside it with what was imported from other agents.
        key: what tells the project from all others: the root, behind the name of its host.
        own: what asimi keeps about projects.
        unkept: as it was given.
        sources: the files, as they were read last, the strongest first.
        before: what was trusted of the project's file before it changed; None where it has not.
    """

    def __init__(
        self,
        places: Places,
        root: str,
        file: str | None = None,
        *,
        environ: Callable[[], Mapping[str, str]] = inherited_environment,
        guard: Callable[[Files, str], Guard] | None = None,
        checks: Checks | None = None,
        behind: bool = False,
        boxed: bool = False,
        least: SandboxMode = "off",
        unkept: Callable[[Sandbox], str] | None = None,
        opens: Callable[[Sandbox], str] = lambda _: "",
        there: RemoteMachine | None = None,
        shared: Callable[[Team], Copy] | None = None,
    ) -> None:
        self.places, self.root, self._behind = places, os.path.realpath(root), behind
        self._boxed = boxed
        self._there = there
        self.key = self.root if there is None else Place.at(there.root, there.root, host=there.host).project
        self._must_exist = file is not None
        self._environ = environ
        self._names: frozenset[str] = frozenset()  # of the variables when the settings were made
        self._guard, self._checks, self._least, self.unkept, self._opens = guard, checks, least, unkept, opens
        self._ways: dict[str, None] = {}  # to all that the rules about files were made for
        self._led: _Ways = ()  # where these led
        self._around: tuple[str, ...] = ()  # the directories that they are in
        self._was: _Stamp = ()  # of these, when all led where it did
        self.own = ProjectStore(places.state)
        self._copy_of, self._newest = shared, 0
        self._copy: Copy | None = None  # of the team's policy that is in force; no older one than the newest so far
        self.file = os.path.join(places.config, "config.toml") if file is None else os.path.abspath(file)
        self.approved, self.imported = beside(self.file), beside(self.file, "imported")
        self._programs: OwnPrograms | None = None
        self.sources: tuple[Source, ...] = ()
        self.before: TrustedFile | None = None
        self._merged: MergedLayers | None = None
        self._settings: Settings | None = None
        self._error: ConfigError | None = None
        self._watched: tuple[str, ...] = ()
        self._stamp: _Stamp = ()
        self._stale_at = 0.0  # when to look again even if no file changed: a rule ends, or a stamp is too young

    def settings(self) -> Settings:
        """Return the settings in force now.

        Raises:
            ConfigError: a file cannot be read or used.
        """
        now = time.time()
        changed = self._stamp != _stamp_of(self._watched) or self._names != self._environ().keys()
        if now >= self._stale_at or changed or not self._leads_there(now):
            self._load(now)
        if self._error is not None:
            raise ConfigError(self._error.message, self._error.path, self._error.line)
        assert self._settings is not None  # _load sets one of the two
        return self._settings

    def _guard_of(self, files: Files, untrusted_host: str) -> Guard:
        assert self._guard is not None  # else this is not asked for

        guard = self._guard(files, untrusted_host)
        if self._there is None:  # a host is asked once
            self._ways = {each: None for path in guard.resolved_paths for each in (path, *above(path))}
            self._around = tuple(dict.fromkeys(os.path.dirname(each) for each in self._ways))
            around = _stamp_of(self._around)
            self._led = _ways_of(self._ways)
            self._was = around if _is_settled(around, time.time()) else ()
        return guard

    def _leads_there(self, now: float) -> bool:
        """Whether the paths that the rules about files were made for lead where they did.

        Whoever makes one lead elsewhere changes the directory that it is in, so these are looked at first.
        """
        around = _stamp_of(self._around)
        if around == self._was:
            return True
        if self._led != _ways_of(self._ways):
            return False
        if _is_settled(around, now):
            self._was = around
        return True

    def notices(self) -> tuple[str, ...]:
        """Return the lines that have no effect in this project, each with FILE:LINE.

        Raises:
            ConfigError: as `settings`.
        """
        return (*self._effective().notices, *(self._programs.notices if self._programs is not None else ()))

    def trust_notice(self) -> str:
        """Say that the project's file has changed since it was trusted, and what to do; empty where it has not.

        What was seen last counts, so it never raises; `settings` sees whether that is so still.
        """
        if self.before is None:
            return ""
        path = os.path.join(self.root, PROJECT_FILE)
        return f"{path} has changed since you trusted it, so it can only forbid more; `asimi trust` shows the change"

    def idle(self) -> tuple[str, ...]:
        """Return what is said of sandboxes and exec rules and holds nothing, each with FILE:LINE: `config check`.

        Raises:
            ConfigError: as `settings`.
        """
        return idle(self._effective(), self.settings(), self.root)

    def flaws(self, watched: Callable[[Sequence[Any]], Iterable[Any]] = lambda rules: rules) -> list[Any]:
        """Return what is wrong with rules and patterns of files, in force or in need of trust: `policy lint`.

        Args:
            watched: gives the rules on, one by one, where each takes a while.

        Raises:
            ConfigError: as `settings`.
        """
        what, state = self._effective(), self.own.directory
        policy, of = self.settings().policy, load("advice", "configured").flaws_of
        found: list[Any] = of(what, self.layers(), policy, self._guard, self.root, state, watched)
        return found

    def files(self) -> tuple[tuple[str, str], ...]:
        """Return the files that are in force: level and path, the strongest first.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        return tuple(dict.fromkeys((source.level, source.path) for source in self.sources))

    def team_policy(self) -> Copy | None:
        """Return the team's policy that is in force; None where there is none.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        return self._copy

    def rules(self) -> tuple[Rule, ...]:
        """Return every rule in force, with its source; for `policy list`.

        Raises:
            ConfigError: as `settings`.
        """
        now = time.time()
        return tuple(rule for rule in self._effective().rules if rule.expires is None or rule.expires > now)

    def host(self, name: str) -> Host:
        """Return the host of a name, as `[hosts]` has it.

        Raises:
            ConfigError: as `settings`; or there is no such host.
        """
        return host_of(self._effective(), name)

    def hosts(self) -> tuple[str, ...]:
        """Return the names of all hosts.

        Raises:
            ConfigError: as `settings`.
        """
        return tuple(dict(self._effective().values["hosts"]))

    def files_said(self) -> Files:
        """Return what all layers say of files.

        Raises:
            ConfigError: as `settings`.
        """
        return files_of(self._effective())

    def alone(self, imported: ImportedRules) -> Policy:
        """Return the policy of what could be imported and the defaults, which is kept nowhere."""
        values: dict[str, Any] = {"files.deny": (imported.deny,), "files.secret": (imported.secret,)}
        values |= {"unlisted": "reject"} if imported.rejects else {}

        layer = Layer("", "imported", "", values, imported.rules)
        return settings_of(merge_layers([layer]), time.time(), self._environ(), self._guard, self._checks).policy

    def by_itself(self, text: str) -> Policy:
        """Return the policy of a person's file of this text, and of nothing else but what they trusted and confirmed.

        Raises:
            ConfigError: the text is not that of a configuration file.
        """
        what = merge_layers([layer_of(self.file, "user", text.encode())])
        environ, behind, boxed = self._environ(), self._behind, self._boxed
        return settings_of(what, time.time(), environ, self._guard, self._checks, behind=behind, boxed=boxed).policy

    def seconds_to_observe(self) -> float | None:
        """Return the seconds that are left while asimi only observes behind hooks; 0 once that is over.

        Returns:
            None where no file says so.

        Raises:
            ConfigError: as `settings`.
        """
        if self._effective().values["unlisted"] != OBSERVE:
            return None

        known = seconds_left(self.places.state, time.time())
        return DAYS * 86400.0 if known is None else known

    def is_of_project(self, rule: Rule) -> bool:
        """Return whether a rule is among the entries of this project in the user's own state."""
        return (rule.source or "").startswith(self.own.directory + os.sep)

    @property
    def is_unattended(self) -> bool:
        """True if the file can be loosened without a person: it is not the user's own but one for an image or CI."""
        own = os.path.join(self.places.config, "config.toml")
        return os.path.realpath(self.approved) != os.path.realpath(beside(own))

    def programs(self) -> OwnPrograms:
        """Return the programs that people described besides those of the catalogue, and the files in which they did.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        return self._programs or OwnPrograms()

    def show(self) -> tuple[Row, ...]:
        """Return every effective value with its origin: `config show`.

        Raises:
            ConfigError: as `settings`.
        """
        shown = tuple(rows(self._effective()))
        mode = self.settings().policy.terms.sandbox.mode
        if mode == self._effective().values["sandbox.mode"]:
            return shown
        given = Row("sandbox.mode", f'"{mode}"', "--sandbox")
        return tuple(given if row.name == given.name else row for row in shown)

    def reread(self) -> None:
        """Read every file again before the next answer; whoever has changed one says so."""
        self._stale_at = 0.0

    def _effective(self) -> MergedLayers:
        self.settings()
        assert self._merged is not None  # settings() would have raised
        return self._merged

    def _observes(self, now: float) -> bool:
        """Whether asimi only observes, where the layers say so; the first time that they do, that begins."""
        if not self._behind or self._merged is None or self._merged.values["unlisted"] != OBSERVE:
            return False

        return observes(self.places.state, now)

    def _load(self, now: float) -> None:
        """Read every file again. The stamps are taken before that, so the next call sees a change made meanwhile."""
        chain, projects = project_files(self.root, self.places.home), self.projects()
        described = self._places_of_programs()
        watched = (
            self.places.managed, self.own.shared, self.file, self.approved, self.imported,
            self.own.directory, self.own.trust_file,
            *chain, *map(self.own.entries_of, projects), *map(self.own.imported_of, projects),
            *(worktree_files(self.root) if len(projects) > 1 else ()),
            *(directory for _, directory in described),
        )  # fmt: skip
        if any(os.path.lexists(directory) for _, directory in described):  # else what reads them is not loaded
            watched = (*watched, *watched_in(described))
        else:
            described = []
        watched = tuple(dict.fromkeys(watched))
        stamp, environ = _stamp_of(watched), self._environ()
        self._names = frozenset(environ)
        self._settings, self._error, lost = None, None, False
        try:
            self.sources = tuple(self._read(chain))
            trusted = self._trusted_source()
            self.before = None if trusted is not None else self._trusted_before()
            self._merged = drop_unsafe_rules(self._merge(trusted), self._opens)
            self._programs = own_programs(described, projects, self.own) if described else None
            settings = settings_of(
                self._merged,
                now,
                environ,
                None if self._guard is None else self._guard_of,
                self._checks,
                behind=self._behind,
                boxed=self._boxed,
                observing=self._observes(now),
                least=self._least,
                there=self._there,
                described={} if self._programs is None else self._programs.programs,
                waiting={} if self._programs is None else self._programs.waiting,
            )
            lacking = lacking_here if self._there is None else self._there.lacking
            check_kept(self._merged, settings, self.unkept, self._opens, behind=self._behind, lacking=lacking)
            self._settings = settings
        except ConfigError as error:
            self._error = error
        except AsimiError as error:
            self._error, lost = ConfigError(str(error)), isinstance(error, HostError)
        self._watched, self._stamp = watched, stamp
        self._stale_at = 0.0 if lost else self._next_look(now)

    def _places_of_programs(self) -> list[tuple[str, str]]:
        """Return the directories in which programs are described, the strongest first; a project's may only be here."""
        own = os.path.join(os.path.dirname(self.file), PROGRAMS)
        of_project = os.path.join(self.root, os.path.dirname(PROJECT_FILE), PROGRAMS)
        places = [("managed", os.path.join(os.path.dirname(self.places.managed), PROGRAMS))]
        places += [("user", own)] if os.path.realpath(own) != os.path.realpath(of_project) else []
        return [*places, ("project", of_project)] if self._there is None else places

    def _read(self, chain: Sequence[str]) -> Iterable[Source]:
        """Return what the files hold, the strongest first."""
        self._copy = None
        if (content := managed_content(self.places.managed)) is not None:
            managed = Source(self.places.managed, "managed", content)
            yield managed
            if b"administrators" in content:  # so that a machine without a team loads nothing of this
                from asimi.world.config.managed import copy_asked_for  # for a team alone

                self._copy = copy_asked_for(managed, self._copy_of, self._newest)
            if self._copy is not None:
                self._newest = self._copy.number
                yield self._copy.source
        itself = os.path.realpath(self.file)  # `--config` may name the project's own file, which then counts once
        if (content := content_of(self.file)) is not None:
            named = next((path for path in chain if os.path.realpath(path) == itself), None)
            yield Source(self.file, "user", content, named and base_of(named))
        elif self._must_exist:
            command = f"asimi config init --config {quote(self.file)}"
            raise ConfigError(f"there is no such file; write one with `{command}`", self.file)
        for path, level in (self.approved, "approved"), (self.imported, "imported"):
            if (content := content_of(path, private=True)) is not None:
                yield Source(path, level, content)
        for root in self.projects():
            for path, level in (self.own.entries_of(root), "approved"), (self.own.imported_of(root), "imported"):
                if (content := self.own.content(path)) is not None:
                    yield Source(path, level, content, root=root)
        for path in chain:
            if os.path.realpath(path) != itself and (content := content_of(path, project=True)) is not None:
                yield Source(path, "project", content, base_of(path))

    def layers(self) -> tuple[Layer, ...]:
        """Return what the files say, the strongest first.

        Raises:
            ConfigError: one of them cannot be used.
        """
        layers: list[Layer] = []
        for source in self.sources:
            layers += (
                layer._replace(rules=tuple(rule for rule in layer.rules if self._counts(rule, source)))
                for layer in layers_in(source)
            )
        return tuple(layers)

    def _merge(self, trusted: Source | None) -> MergedLayers:
        """Return what the files came to.

        Args:
            trusted: the project's file that can loosen, if there is one.

        Raises:
            ConfigError: one of them cannot be used.
        """
        path, changed = None if trusted is None else trusted.path, self.trust_notice()
        layers = self.layers()
        made = merge_layers(layers, next((each for each in layers if each.path == path), None), changed)
        if made.values["team.administrators"] and self._copy is None:
            raise ConfigError("the policy of this machine's team was not read, and nothing runs without it")
        return made

    def _trusted_source(self) -> Source | None:
        """Return the project's file that can loosen: the root's own, if exactly its content is trusted."""
        source = self.project_source() if self._there is None else None
        return source if source is not None and self.trusts(source) else None

    def trusts(self, source: Source) -> bool:
        """Return whether exactly this content is trusted here, or in the repository of this worktree."""
        paths = [os.path.join(root, PROJECT_FILE) for root in self.projects()]
        straight = os.path.realpath(source.path) == source.path
        return straight and any(self.own.trusts(path, source.content) for path in paths)

    def _trusted_before(self) -> TrustedFile | None:
        """Return what was trusted of the project's file, here or in the repository of this worktree."""
        if self._there is not None or self.project_source() is None:
            return None
        known = (self.own.trust_of(os.path.join(root, PROJECT_FILE)) for root in reversed(self.projects()))
        return next(filter(None, known), None)

    def projects(self) -> tuple[str, ...]:
        """Return the roots whose entries count here: the repository's first, if this is its worktree, and our own."""
        if self._there is not None:
            return (self.key,)
        return tuple(dict.fromkeys((main_worktree_of(self.root), self.root)))

    def _counts(self, rule: Rule, source: Source) -> bool:
        """Return whether a rule of a file counts here: an approval of an exact call is not shared between worktrees."""
        if source.level != "approved" or source.root in (None, self.root):
            return True
        shared = rule.line is None or rule.verdict is not Verdict.ALLOW
        return shared or (rule.directory is not None and is_below(rule.directory, self.root))

    def project_source(self) -> Source | None:
        """Return the project's own file as it was read last, or None."""
        path = os.path.join(self.root, PROJECT_FILE)
        return next((source for source in self.sources if source.level == "project" and source.path == path), None)

    def _next_look(self, now: float) -> float:
        # The time of change cannot be set back; `touch` can set the time of modification back.
        changed = max((each[1] for each in self._stamp if each is not None), default=0) / 1e9
        if now - _SETTLED < changed <= now:
            return changed + _SETTLED
        rules = self._merged.rules if self._merged is not None else ()
        ends = [rule.expires for rule in rules if rule.expires is not None and rule.expires > now]
        return min(ends + ([] if self._copy is None else [self._copy.until]), default=1e300)


def _stamp_of(paths: Sequence[str]) -> _Stamp:
    """Return what changes when one of the files does."""
    stamps: list[tuple[int, int, int, int] | None] = []
    for path in paths:
        try:
            there = os.stat(path)
        except OSError:
            stamps.append(None)
        else:
            stamps.append((there.st_mtime_ns, there.st_ctime_ns, there.st_size, there.st_ino))
    return tuple(stamps)


def _is_settled(stamp: _Stamp, now: float) -> bool:
    """Whether what changed last did so long enough ago for the next change to show."""
    return now - max((each[0] for each in stamp if each is not None), default=0) / 1e9 > _SETTLED


def _ways_of(paths: Iterable[str]) -> _Ways:
    """Return what changes when one of some paths is put elsewhere, or becomes a link."""
    ways: list[tuple[int, int, int] | None] = []
    for path in paths:
        try:
            there = os.lstat(path)
        except OSError:
            ways.append(None)
        else:
            ways.append((there.st_dev, there.st_ino, there.st_mode))
    return tuple(ways)
