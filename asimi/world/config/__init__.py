"""What the person configured, read from files and checked, and the few ways in which asimi itself writes to them.

Others use only `Configuration`. Before each call it checks whether a file changed, and reads the files only then. A
file that cannot be used refuses every call until it is fixed; nothing falls back to a laxer one.
"""

from __future__ import annotations

import os
import time
from functools import partial

from asimi.core.call import Place, Sandbox, Verdict, is_below
from asimi.core.errors import AsimiError, ConfigError, HostError
from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.world.config.beneath import check_kept, idle, lacking_here, unopened
from asimi.world.config.effective import files_of, host_of, settings_of
from asimi.world.config.managed import managed_content
from asimi.world.config.own import ProjectStore, Trusted
from asimi.world.config.ready import Ready
from asimi.world.config.sources import WRITTEN, Source, content_of
from asimi.world.config.worktrees import main_worktree_of, worktree_files
from asimi.world.host.inherited import inherited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from asimi.core.judging.checks import Checks
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import Rule
    from asimi.core.judging.zones import Files
    from asimi.core.kinds import SandboxMode
    from asimi.core.linting.ground import Flaw, Written
    from asimi.core.settings import Host, Settings, Team, There
    from asimi.world.config.described import OwnPrograms, ProgramFile
    from asimi.world.config.effective import Merged
    from asimi.world.config.imported import Imported
    from asimi.world.config.layer import Layer
    from asimi.world.config.presets import Preset
    from asimi.world.config.shared import Copy
    from asimi.world.host.places import Places

__all__ = ["Configuration", "Project", "Row"]

PROJECT_FILE = os.path.join(".asimi", "config.toml")

PROGRAMS = "programs"
"""The directory beside a configuration file in which programs are described."""

VERSIONED = (".git", ".hg", ".jj", ".svn")
_IMPORTED = ".imported.toml"
_SETTLED = 0.1  # seconds after which every later change gives a file a different time of change
_Stamp = tuple[tuple[int, int, int, int] | None, ...]


class Row(NamedTuple):
    """One effective value, for `config show`.

    Attributes:
        name: the key's full name.
        value: the value as TOML.
        origin: where it comes from, `FILE:LINE`, `--sandbox` or `default`.
    """

    name: str
    value: str
    origin: str


class Project(NamedTuple):
    """The project's own file, as `asimi trust` shows it.

    Attributes:
        path: the file, in the project root.
        text: its content.
        loosens: whether something in it would count only if it were trusted.
        trusted: whether exactly this content is.
        before: what was trusted before it changed; None where it has not, or never was trusted.
    """

    path: str
    text: str
    loosens: bool
    trusted: bool
    before: Trusted | None = None


BY_HAND = "it was written by hand, so edit that file"
"""Why a rule that a person wrote is not removed."""

PUBLISHED = "an administrator of the team published it, and can publish a policy without it"
"""Why a rule of a team's policy is not removed."""


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
    """

    def __init__(
        self,
        places: Places,
        root: str,
        file: str | None = None,
        *,
        environ: Callable[[], Mapping[str, str]] = inherited,
        guard: Callable[[Files, str], Guard] | None = None,
        checks: Checks | None = None,
        behind: bool = False,
        least: SandboxMode = "off",
        unkept: Callable[[Sandbox], str] | None = None,
        opens: Callable[[Sandbox], str] = lambda _: "",
        there: There | None = None,
        shared: Callable[[Team], Copy] | None = None,
    ) -> None:
        self.places, self.root, self._behind = places, os.path.realpath(root), behind
        self._there = there
        self.key = self.root if there is None else Place.at(there.root, there.root, host=there.host).project
        self._must_exist = file is not None
        self._environ = environ
        self._names: frozenset[str] = frozenset()  # of the variables when the settings were made
        self._guard, self._checks, self._least, self._unkept, self._opens = guard, checks, least, unkept, opens
        self._own = ProjectStore(places.state)
        self._copy_of, self._newest = shared, 0
        self._copy: Copy | None = None  # of the team's policy that is in force; no older one than the newest so far
        self.file = os.path.join(places.config, "config.toml") if file is None else os.path.abspath(file)
        self.approved, self.imported = beside(self.file), beside(self.file, "imported")
        self._programs: OwnPrograms | None = None
        self._sources: tuple[Source, ...] = ()
        self._before: Trusted | None = None  # what was trusted of the project's file before it changed
        self._merged: Merged | None = None
        self._settings: Settings | None = None
        self._error: ConfigError | None = None
        self._watched: tuple[str, ...] = ()
        self._stamp: _Stamp = ()
        self._stale_at = 0.0  # when to look again even if no file changed: a rule ends, or a stamp is too young

    def settings(self) -> Settings:
        """The settings in force now.

        Raises:
            ConfigError: a file cannot be read or used.
        """
        now = time.time()
        if now >= self._stale_at or self._stamp != _stamp_of(self._watched) or self._names != self._environ().keys():
            self._load(now)
        if self._error is not None:
            raise ConfigError(self._error.message, self._error.path, self._error.line)
        assert self._settings is not None  # _load sets one of the two
        return self._settings

    def notices(self) -> tuple[str, ...]:
        """The lines that have no effect in this project, each with FILE:LINE.

        Raises:
            ConfigError: as `settings`.
        """
        return (*self._effective().notices, *(self._programs.notices if self._programs is not None else ()))

    def changed(self) -> str:
        """That the project's file has changed since it was trusted, and what to do; empty where it has not.

        What was seen last counts, so it never raises; `settings` sees whether that is so still.
        """
        if self._before is None:
            return ""
        path = os.path.join(self.root, PROJECT_FILE)
        return f"{path} has changed since you trusted it, so it can only forbid more; `asimi trust` shows the change"

    def idle(self) -> tuple[str, ...]:
        """What is written of sandboxes and exec rules and holds nothing, each with FILE:LINE; for `config check`.

        Raises:
            ConfigError: as `settings`.
        """
        return idle(self._effective(), self.settings(), self.root)

    def flaws(self, watched: Callable[[Sequence[Written]], Iterable[Written]] = lambda rules: rules) -> list[Flaw]:
        """What is wrong with the rules and the patterns of files in force, and of what needs trust: `policy lint`.

        Args:
            watched: gives the rules on, one by one, where each takes a while.

        Raises:
            ConfigError: as `settings`.
        """
        from asimi.world.config.linting import flaws_of

        what, state = self._effective(), self._own.directory
        return flaws_of(what, self._layers(), self.settings().policy, self._guard, self.root, state, watched)

    def files(self) -> tuple[tuple[str, str], ...]:
        """The files that are in force: level and path, the strongest first.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        return tuple(dict.fromkeys((source.level, source.path) for source in self._sources))

    def shared(self) -> Copy | None:
        """The team's policy that is in force; None where there is none.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        return self._copy

    def rules(self) -> tuple[Rule, ...]:
        """Every rule in force, with its source; for `policy list`.

        Raises:
            ConfigError: as `settings`.
        """
        now = time.time()
        return tuple(rule for rule in self._effective().rules if rule.expires is None or rule.expires > now)

    def host(self, name: str) -> Host:
        """The host of a name, as `[hosts]` has it.

        Raises:
            ConfigError: as `settings`; or there is no such host.
        """
        return host_of(self._effective(), name)

    def hosts(self) -> tuple[str, ...]:
        """The names of all hosts.

        Raises:
            ConfigError: as `settings`.
        """
        return tuple(dict(self._effective().values["hosts"]))

    def files_said(self) -> Files:
        """What all layers say of files.

        Raises:
            ConfigError: as `settings`.
        """
        return files_of(self._effective())

    def alone(self, imported: Imported) -> Policy:
        """The policy of what could be imported and the defaults, which is kept nowhere."""
        values: dict[str, Any] = {"files.deny": (imported.deny,), "files.secret": (imported.secret,)}
        values |= {"unlisted": "reject"} if imported.rejects else {}
        from asimi.world.config.layer import Layer
        from asimi.world.config.merge import merged

        layer = Layer("", "imported", "", values, imported.rules)
        return settings_of(merged([layer]), time.time(), self._environ(), self._guard, self._checks).policy

    def wanted(
        self,
        text: str,
        verdict: Verdict,
        *,
        expires: float | None = None,
        narrower: Mapping[str, object] | None = None,
        host: str = "",
    ) -> Rule:
        """The rule that `policy add` means. What denies or asks about options is about them in any spelling.

        Args:
            text: an entry, or plain words for an entry of `run_shell_command`.
            verdict: its verdict.
            expires: when it ends, in seconds since the epoch, or None.
            narrower: keys of a `[[rules]]` table besides; see `narrowed`.
            host: the host that it is for; empty for this machine, and of what denies or asks, for all.

        Raises:
            ConfigError: as `host`.
            EntryError: the text is not an entry, or the keys mean nothing with it.
        """
        from asimi.core.judging.rules import entry_for, rule_of
        from asimi.core.wording.breadth import in_any_spelling
        from asimi.world.config.layer import at_home
        from asimi.world.config.rule_tables import narrowed, wanted_entry

        rule = rule_of(wanted_entry(text), verdict)._replace(expires=expires)
        rule = narrowed(rule, narrower) if narrower else in_any_spelling(rule) or rule
        if host:
            rule = rule._replace(host=self.host(host).name)
            return rule._replace(entry=entry_for(rule))
        return at_home(rule)

    def add(self, text: str, verdict: Verdict, *, project: bool = False, expires: float | None = None) -> Rule:
        """Keep the rule that an entry means: `policy add`.

        Args:
            text: an entry, or plain words for an entry of `run_shell_command`.
            verdict: its verdict.
            project: whether it holds only in this project.
            expires: when it ends, in seconds since the epoch, or None.

        Returns:
            The rule as it was kept, with the file as its source.

        Raises:
            EntryError: as `wanted`.
            AsimiError: it cannot be written.
        """
        rule = self.wanted(text, verdict, expires=expires)
        return rule._replace(source=self.remember((rule,), project=project))

    def place_of_entries(self, *, project: bool = False) -> str:
        """The file in which rules are kept, which may not be there yet.

        Raises:
            AsimiError: nothing can be kept there.
        """
        self._writable()
        return self._own.entries_of(self._projects()[0], make=True) if project else self.approved

    def remember(self, rules: Sequence[Rule], *, project: bool = False) -> str:
        """Keep rules for good: an answer "always".

        Returns:
            The file they are in.

        Raises:
            AsimiError: they cannot be written; none of them was kept.
        """
        from asimi.world.config.approved import keep
        from asimi.world.host.clock import steady

        path = self.place_of_entries(project=project)
        now = partial(steady, self.places.state)
        if project:
            keep(path, rules, root=self._projects()[0], mode=0o600, now=now)
        else:
            keep(path, rules, root=None, mode=_mode_beside(self.file), now=now)
        self._stale_at = 0.0
        return path

    def remove(self, text: str, verdict: Verdict | None = None, *, project: bool = False) -> tuple[Rule, ...]:
        """Remove an entry: `policy remove`.

        Args:
            text: an entry, plain words, or a rule's entry as `policy list` shows it.
            verdict: the entry's verdict, or None for any.
            project: whether to remove only the entry that holds in this project, not one that holds everywhere.

        Returns:
            The rules that were removed.

        Raises:
            AsimiError: there is no such entry, or a person wrote it by hand (the message names FILE:LINE); nothing
                was changed.
        """
        from asimi.world.config.rule_tables import wanted_entry

        try:
            entry = wanted_entry(text)
        except AsimiError:
            entry = text
        paths = [*([] if project else [self.approved, self.imported]), *self._written_for_projects()]

        def matches(rule: Rule) -> bool:
            return rule.entry in (entry, text) and verdict in (None, rule.verdict)

        if dropped := [rule for path in paths for rule in self._dropped(path, matches)]:
            return tuple(dropped)
        elsewhere = [rule for rule in self.rules() if matches(rule) and rule.source]
        if elsewhere:
            places = ", ".join(str(rule.source) for rule in elsewhere)
            written = any(source.level in WRITTEN and source.path in places for source in self._sources)
            raise self._not_removed(entry, places, "leave --project out" if written else BY_HAND)
        raise AsimiError(f"There is no entry {entry}; `asimi policy list` shows them all")

    def remove_rule(self, rule: Rule) -> tuple[Rule, ...]:
        """Remove one of `rules`: `policy remove` with its number, its listed text or the text that it allows.

        Returns:
            The rules that were removed.

        Raises:
            AsimiError: a person wrote it by hand (the message names FILE:LINE); nothing was changed.
        """
        from asimi.world.config.approved import key

        for path in (self.approved, self.imported, *self._written_for_projects()):
            if (rule.source or "").startswith(f"{path}:"):
                return self._dropped(path, lambda each: key(each) == key(rule))
        raise self._not_removed(rule.entry, str(rule.source), BY_HAND)

    def _not_removed(self, entry: str, places: str, how: str) -> AsimiError:
        how = PUBLISHED if f"{self._own.shared}:" in places else how
        return AsimiError(f"{entry} is in {places}; {how}. Nothing was changed")

    def is_of_project(self, rule: Rule) -> bool:
        """Whether a rule is among the entries of this project in the user's own state."""
        return (rule.source or "").startswith(self._own.directory + os.sep)

    def _dropped(self, path: str, matches: Callable[[Rule], bool]) -> tuple[Rule, ...]:
        """The rules that were removed from a file that asimi wrote."""
        from asimi.world.config import approved, imported

        if not os.path.lexists(path):
            return ()
        self._stale_at = 0.0
        return imported.drop(path, matches) if path.endswith(_IMPORTED) else approved.drop(path, matches)

    def _written_for_projects(self) -> list[str]:
        """The files that asimi writes for the projects whose entries count here."""
        return [path for root in self._projects() for path in (self._own.entries_of(root), self._own.imported_of(root))]

    def imported_from(self, agent: str, *, project: bool) -> Imported:
        """What was imported from an agent, for all projects or for this one.

        Raises:
            ConfigError: it cannot be used.
        """
        from asimi.world.config.imported import Imported, read

        path = self._own.imported_of(self._projects()[0]) if project else self.imported
        there = [] if path == self._own.directory else read(path)
        return next((each for each in there if each.agent == agent), Imported(agent))

    def place_of_imports(self, *, project: bool) -> str:
        """The file in which what was imported is kept, which may not be there yet.

        Raises:
            AsimiError: nothing can be kept there.
        """
        self._writable()
        return self._own.imported_of(self._projects()[0], make=True) if project else self.imported

    def take(self, imported: Imported, *, project: bool) -> str:
        """Keep what was imported from an agent, in place of what was before: `policy import`.

        Returns:
            The file it is in.

        Raises:
            AsimiError: it cannot be written; nothing was changed.
        """
        from asimi.world.config.imported import take

        root = self._projects()[0] if project else None
        path = self.place_of_imports(project=project)
        take(path, imported, root=root, mode=_mode_beside(self.file) if root is None else 0o600)
        self._stale_at = 0.0
        return path

    @property
    def unattended(self) -> bool:
        """Whether the file can be loosened without a person: it is not the user's own but one for an image or CI."""
        own = os.path.join(self.places.config, "config.toml")
        return os.path.realpath(self.approved) != os.path.realpath(beside(own))

    def beginning(self, preset: Preset | None = None) -> str:
        """A file to start from: a preset's, or every key with its default."""
        from tempfile import gettempdir

        from asimi.world.config.describe import example, schema_path
        from asimi.world.config.presets import text_of

        if preset is None:
            return example()
        unkept = "nothing is started here" if self._unkept is None else self._unkept(Sandbox("project"))
        return text_of(preset, schema_path(), gettempdir(), unkept)

    def check_absent(self) -> None:
        """Make sure that there is no file yet.

        Raises:
            AsimiError: there is one.
        """
        if os.path.lexists(self.file):
            raise AsimiError(f"{self.file} exists already and was not changed; --force replaces it")

    def init(self, preset: Preset | None = None, *, force: bool = False) -> str:
        """Write a file to start from: `config init`.

        Args:
            preset: which; None for every key with its default.
            force: whether to replace one that is there.

        Returns:
            Its path.

        Raises:
            AsimiError: there is one already, or it cannot be written.
        """
        from asimi.world.host.places import replace

        if not force:
            self.check_absent()
        self._make_directory()
        replace(self.file, self.beginning(preset).encode(), 0o644)
        return self.file

    def project(self) -> Project | None:
        """The project's own file, or None where there is none.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        source = self._project_source()
        if source is None:
            return None
        from asimi.world.config.merge import merged

        return Project(source.path, source.text, merged(self._layers()).trust, self._trusts(source), self._before)

    def trust(self, project: Project) -> None:
        """Trust exactly this content at this path, after a person saw it and agreed.

        Raises:
            AsimiError: the file is reached through a symbolic link, or the trust cannot be written.
        """
        self._own.trust(project.path, project.text)
        self._stale_at = 0.0

    def untrust(self) -> bool:
        """Stop trusting the project's files, whatever their content; whether one was trusted.

        Raises:
            AsimiError: it cannot be written.
        """
        self._stale_at = 0.0
        directory = os.path.dirname(PROJECT_FILE)
        taken = [self._own.untrust(os.path.join(root, directory)) for root in self._projects()]  # each of them
        return any(taken)

    def programs(self) -> OwnPrograms:
        """The programs that people described besides those of the catalogue, and the files in which they did.

        Raises:
            ConfigError: as `settings`.
        """
        from asimi.world.config.described import OwnPrograms

        self.settings()
        return self._programs or OwnPrograms()

    def confirm_programs(self, file: ProgramFile) -> None:
        """Let a file that describes programs count with exactly this content, after a person saw it and agreed.

        Raises:
            AsimiError: a project's file is reached through a symbolic link, or this cannot be written.
        """
        self._own.trust(file.path if file.level == "project" else os.path.realpath(file.path), file.text)
        self._stale_at = 0.0

    def show(self) -> tuple[Row, ...]:
        """Every effective value with its origin: `config show`.

        Raises:
            ConfigError: as `settings`.
        """
        from asimi.world.config.describe import rows

        shown = tuple(Row(*row) for row in rows(self._effective()))
        mode = self.settings().policy.sandbox.mode
        if mode == self._effective().values["sandbox.mode"]:
            return shown
        given = Row("sandbox.mode", f'"{mode}"', "--sandbox")
        return tuple(given if row.name == given.name else row for row in shown)

    def _effective(self) -> Merged:
        self.settings()
        assert self._merged is not None  # settings() would have raised
        return self._merged

    def _load(self, now: float) -> None:
        """Read every file again. The stamps are taken before that, so the next call sees a change made meanwhile."""
        chain, projects = project_files(self.root, self.places.home), self._projects()
        described = self._places_of_programs()
        watched = (
            self.places.managed, self._own.shared, self.file, self.approved, self.imported,
            self._own.directory, self._own.trust_file,
            *chain, *map(self._own.entries_of, projects), *map(self._own.imported_of, projects),
            *(worktree_files(self.root) if len(projects) > 1 else ()),
            *(directory for _, directory in described),
        )  # fmt: skip
        if any(os.path.lexists(directory) for _, directory in described):  # else what reads them is not loaded
            from asimi.world.config.described import own_programs, watched_in

            watched = (*watched, *watched_in(described))
        else:
            described = []
        stamp, environ = _stamp_of(watched), self._environ()
        self._names = frozenset(environ)
        self._settings, self._error, lost = None, None, False
        try:
            self._sources = tuple(self._read(chain))
            trusted = self._trusted()
            self._before = None if trusted is not None else self._trusted_before()
            self._merged = unopened(self._merge(trusted), self._opens)
            self._programs = own_programs(described, projects, self._own) if described else None
            settings = settings_of(
                self._merged,
                now,
                environ,
                self._guard,
                self._checks,
                behind=self._behind,
                least=self._least,
                there=self._there,
                described={} if self._programs is None else self._programs.programs,
                waiting={} if self._programs is None else self._programs.waiting,
            )
            lacking = lacking_here if self._there is None else self._there.lacking
            check_kept(self._merged, settings, self._unkept, self._opens, behind=self._behind, lacking=lacking)
            self._settings = settings
        except ConfigError as error:
            self._error = error
        except HostError as error:
            self._error, lost = ConfigError(str(error)), True
        except AsimiError as error:
            self._error = ConfigError(str(error))
        self._watched, self._stamp = watched, stamp
        self._stale_at = 0.0 if lost else self._next_look(now)

    def _places_of_programs(self) -> list[tuple[str, str]]:
        """The directories in which programs are described, the strongest first; a project's may only be here."""
        own = os.path.join(os.path.dirname(self.file), PROGRAMS)
        of_project = os.path.join(self.root, os.path.dirname(PROJECT_FILE), PROGRAMS)
        places = [("managed", os.path.join(os.path.dirname(self.places.managed), PROGRAMS))]
        places += [("user", own)] if os.path.realpath(own) != os.path.realpath(of_project) else []
        return [*places, ("project", of_project)] if self._there is None else places

    def _read(self, chain: Sequence[str]) -> Iterable[Source]:
        """What the files hold, the strongest first."""
        self._copy = None
        if (content := managed_content(self.places.managed)) is not None:
            managed = Source(self.places.managed, "managed", content)
            yield managed
            if b"administrators" in content:  # so that a machine without a team loads nothing of this
                from asimi.world.config.shared import copy_asked_for

                self._copy = copy_asked_for(managed, self._copy_of, self._newest)
            if self._copy is not None:
                self._newest = self._copy.number
                yield self._copy.source
        itself = os.path.realpath(self.file)  # `--config` may name the project's own file, which then counts once
        if (content := content_of(self.file)) is not None:
            named = next((path for path in chain if os.path.realpath(path) == itself), None)
            yield Source(self.file, "user", content, named and _base_of(named))
        elif self._must_exist:
            from shlex import quote

            command = f"asimi config init --config {quote(self.file)}"
            raise ConfigError(f"there is no such file; write one with `{command}`", self.file)
        if (content := content_of(self.approved, private=True)) is not None:
            yield Source(self.approved, "approved", content)
        if (content := content_of(self.imported, private=True)) is not None:
            yield Source(self.imported, "imported", content)
        for root in self._projects():
            for path, level in (self._own.entries_of(root), "approved"), (self._own.imported_of(root), "imported"):
                if (content := self._own.content(path)) is not None:
                    yield Source(path, level, content, root=root)
        for path in chain:
            if os.path.realpath(path) != itself and (content := content_of(path, project=True)) is not None:
                yield Source(path, "project", content, _base_of(path))

    def _layers(self) -> tuple[Layer, ...]:
        """What the files say, the strongest first.

        Raises:
            ConfigError: one of them cannot be used.
        """
        from asimi.world.config.layer import layers_in

        layers: list[Layer] = []
        for source in self._sources:
            layers += (
                layer._replace(rules=tuple(rule for rule in layer.rules if self._counts(rule, source)))
                for layer in layers_in(source)
            )
        return tuple(layers)

    def _merge(self, trusted: Source | None) -> Merged:
        """What the files came to.

        Args:
            trusted: the project's file that can loosen, if there is one.

        Raises:
            ConfigError: one of them cannot be used.
        """
        path, changed = None if trusted is None else trusted.path, self.changed()
        ready = Ready(self.places.state, self._sources, self.root, path, changed)
        if (made := ready.read()) is not None:
            return made
        from asimi.world.config.merge import merged

        layers = self._layers()
        made = merged(layers, next((each for each in layers if each.path == path), None), changed)
        if made.values["team.administrators"] and self._copy is None:
            raise ConfigError("the policy of this machine's team was not read, and nothing runs without it")
        ready.keep(layers, made)
        return made

    def _trusted(self) -> Source | None:
        """The project's file that can loosen: the root's own, if exactly its content is trusted."""
        source = self._project_source() if self._there is None else None
        return source if source is not None and self._trusts(source) else None

    def _trusts(self, source: Source) -> bool:
        """Whether exactly this content is trusted here, or in the repository of this worktree."""
        paths = [os.path.join(root, PROJECT_FILE) for root in self._projects()]
        straight = os.path.realpath(source.path) == source.path
        return straight and any(self._own.trusts(path, source.content) for path in paths)

    def _trusted_before(self) -> Trusted | None:
        """What was trusted of the project's file, here or in the repository of this worktree."""
        if self._there is not None or self._project_source() is None:
            return None
        known = (self._own.trusted(os.path.join(root, PROJECT_FILE)) for root in reversed(self._projects()))
        return next(filter(None, known), None)

    def _projects(self) -> tuple[str, ...]:
        """The roots whose entries count here: the repository's first, if this is a worktree of it, and our own."""
        if self._there is not None:
            return (self.key,)
        return tuple(dict.fromkeys((main_worktree_of(self.root), self.root)))

    def _counts(self, rule: Rule, source: Source) -> bool:
        """Whether a rule of a file counts here: an approval of an exact call is not shared between worktrees."""
        if source.level != "approved" or source.root in (None, self.root):
            return True
        shared = rule.line is None or rule.verdict is not Verdict.ALLOW
        return shared or (rule.directory is not None and is_below(rule.directory, self.root))

    def _project_source(self) -> Source | None:
        path = os.path.join(self.root, PROJECT_FILE)
        return next((source for source in self._sources if source.level == "project" and source.path == path), None)

    def _next_look(self, now: float) -> float:
        # The time of change cannot be set back; `touch` can set the time of modification back.
        changed = max((each[1] for each in self._stamp if each is not None), default=0) / 1e9
        if now - _SETTLED < changed <= now:
            return changed + _SETTLED
        rules = self._merged.rules if self._merged is not None else ()
        ends = [rule.expires for rule in rules if rule.expires is not None and rule.expires > now]
        return min(ends + ([] if self._copy is None else [self._copy.until]), default=1e300)

    def _writable(self) -> None:
        """Make sure that what is written will count: a broken or missing file raises first.

        Raises:
            ConfigError: as `settings`.
        """
        self.settings()
        self._make_directory()

    def _make_directory(self) -> None:
        from asimi.world.host.places import make_directory

        directory = os.path.dirname(self.file)
        try:
            make_directory(directory)
        except OSError as error:
            raise AsimiError(f"{directory}: the directory cannot be created: {error.strerror}") from None


def beside(path: str, kind: str = "approved") -> str:
    """A file that asimi writes beside a configuration file: `config.toml`, `config.approved.toml`."""
    return f"{path.removesuffix('.toml')}.{kind}.toml"


def project_files(root: str, home: str) -> tuple[str, ...]:
    """Where a project's files may be: in its root first, then upward to version control's root or the home directory.

    Directories that everybody can write, such as `/tmp`, are skipped, because anybody could have put a file there.
    """
    files = []
    directory = root
    while True:
        if directory == root or not _is_anybodys(directory):
            files.append(os.path.join(directory, PROJECT_FILE))
        parent = os.path.dirname(directory)
        if directory in (parent, home):
            break
        if any(_is_control(os.path.join(directory, name)) for name in VERSIONED):
            break
        directory = parent
    return tuple(files)


def _base_of(path: str) -> str:
    """The directory that a project's file is about."""
    return os.path.dirname(os.path.dirname(path))


def _is_control(path: str) -> bool:
    """Whether this is version control's own directory; then the directory above is its root.

    A `.git` that is a file or a link points elsewhere (a submodule, a worktree), and a `.git` that somebody put below
    a project must not hide the project's denies. Looking further up only tightens.
    """
    return os.path.isdir(path) and not os.path.islink(path)


def _is_anybodys(directory: str) -> bool:
    """Whether everybody can put files here, as in `/tmp`: writable by all, and sticky."""
    try:
        return os.stat(directory).st_mode & 0o1002 == 0o1002
    except OSError:
        return True


def _mode_beside(path: str) -> int:
    """The mode for a file beside another: the same users can read both."""
    try:
        return 0o600 | os.stat(path).st_mode & 0o044
    except OSError:
        return 0o600


def _stamp_of(paths: Sequence[str]) -> _Stamp:
    """What changes when one of the files does."""
    stamps: list[tuple[int, int, int, int] | None] = []
    for path in paths:
        try:
            there = os.stat(path)
        except OSError:
            stamps.append(None)
        else:
            stamps.append((there.st_mtime_ns, there.st_ctime_ns, there.st_size, there.st_ino))
    return tuple(stamps)
