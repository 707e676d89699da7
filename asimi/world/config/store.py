"""The rules that asimi itself writes: those of "always", of `asimi policy`, and what was imported from other agents."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import entry_for, rule_of
from asimi.core.wording.breadth import in_any_spelling
from asimi.world.config import rule_files
from asimi.world.config.layer import at_home
from asimi.world.config.rule_files import ImportedRules
from asimi.world.config.rule_tables import narrow_rule, wanted_entry
from asimi.world.config.sources import WRITTEN
from asimi.world.host.clock import steady
from asimi.world.host.places import make_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from asimi.core.judging.rules import Rule
    from asimi.world.config import Configuration

BY_HAND = "it was written by hand, so edit that file"
"""Why a rule that a person wrote is not removed."""

PUBLISHED = "an administrator of the team published it, and can publish a policy without it"
"""Why a rule of a team's policy is not removed."""


class RuleStore:
    """The files that asimi writes for a configuration, everywhere and in its project.

    Args:
        configuration: whose; it is read again after each change.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration

    def rule_for(
        self,
        text: str,
        verdict: Verdict,
        *,
        expires: float | None = None,
        narrower: Mapping[str, object] | None = None,
        host: str = "",
    ) -> Rule:
        """Return the rule that `policy add` means. What denies or asks about options is about them in any spelling.

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
        rule = rule_of(wanted_entry(text), verdict)._replace(expires=expires)
        rule = narrow_rule(rule, narrower) if narrower else in_any_spelling(rule) or rule
        if host:
            rule = rule._replace(host=self._configuration.host(host).name)
            return rule._replace(entry=entry_for(rule))
        return at_home(rule)

    def bind_to_root(self, rule: Rule) -> Rule:
        """Return a rule that is kept for every project: one that allows a file by a relative path, for that file alone.

        A file that `--config` names is for many places, so there it is the file of that name in each project.
        """
        root, words = self._configuration.root, tuple(each[0] for each in rule.words or ())
        kept = rule.verdict is not Verdict.ALLOW or rule.directory is not None or rule.host or not words
        if kept or self._configuration.is_unattended:
            return rule
        relative = [each for each in words[1:] if "." in each and os.path.isfile(os.path.join(root, each))]
        relative += [each for each in words[:1] if "/" in each]
        return rule._replace(directory=root) if any(not os.path.isabs(each) for each in relative) else rule

    def place_of_entries(self, *, project: bool = False) -> str:
        """Return the file in which rules are kept, which may not be there yet.

        Raises:
            AsimiError: nothing can be kept there.
        """
        known = self._configuration
        self._writable()
        return known.own.entries_of(known.projects()[0], make=True) if project else known.approved

    def remember(self, rules: Sequence[Rule], *, project: bool = False) -> str:
        """Keep rules for good: an answer "always".

        Returns:
            The file they are in.

        Raises:
            AsimiError: they cannot be written; none of them was kept.
        """
        path, known = self.place_of_entries(project=project), self._configuration
        rules = [rule if project else self.bind_to_root(rule) for rule in rules]
        root, mode = (known.projects()[0], 0o600) if project else (None, _mode_beside(known.file))
        rule_files.keep(path, rules, root=root, mode=mode, now=partial(steady, known.places.state))
        known.reread()
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
        try:
            entry = wanted_entry(text)
        except AsimiError:
            entry = text
        paths = self._own_files(everywhere=not project)

        def matches(rule: Rule) -> bool:
            return rule.entry in (entry, text) and verdict in (None, rule.verdict)

        if dropped := [rule for path in paths for rule in self._drop(path, matches)]:
            return tuple(dropped)
        elsewhere = [rule for rule in self._configuration.rules() if matches(rule) and rule.source]
        if elsewhere:
            places = ", ".join(str(rule.source) for rule in elsewhere)
            ours = any(source.level in WRITTEN and source.path in places for source in self._configuration.sources)
            raise self._not_removed(entry, places, "leave --project out" if ours else BY_HAND)
        raise AsimiError(f"There is no entry {entry}; `asimi policy list` shows them all")

    def remove_rule(self, rule: Rule) -> tuple[Rule, ...]:
        """Remove one of `rules`: `policy remove` with its number, its listed text or the text that it allows.

        Returns:
            The rules that were removed.

        Raises:
            AsimiError: a person wrote it by hand (the message names FILE:LINE); nothing was changed.
        """
        for path in self._own_files():
            if (rule.source or "").startswith(f"{path}:"):
                return self._drop(path, lambda each: rule_files.key(each) == rule_files.key(rule))
        raise self._not_removed(rule.entry, str(rule.source), BY_HAND)

    def imported_from(self, agent: str, *, project: bool) -> ImportedRules:
        """Return what was imported from an agent, for all projects or for this one.

        Raises:
            ConfigError: it cannot be used.
        """
        known = self._configuration
        path = known.own.imported_of(known.projects()[0]) if project else known.imported
        there = [] if path == known.own.directory else rule_files.imports_in(path)
        return next((each for each in there if each.agent == agent), ImportedRules(agent))

    def place_of_imports(self, *, project: bool) -> str:
        """Return the file in which what was imported is kept, which may not be there yet.

        Raises:
            AsimiError: nothing can be kept there.
        """
        known = self._configuration
        self._writable()
        return known.own.imported_of(known.projects()[0], make=True) if project else known.imported

    def take(self, new: ImportedRules, *, project: bool) -> str:
        """Keep what was imported from an agent, in place of what was before: `policy import`.

        Returns:
            The file it is in.

        Raises:
            AsimiError: it cannot be written; nothing was changed.
        """
        known = self._configuration
        root, mode = (known.projects()[0], 0o600) if project else (None, _mode_beside(known.file))
        path = self.place_of_imports(project=project)
        rule_files.take(path, new, root=root, mode=mode)
        known.reread()
        return path

    def _own_files(self, *, everywhere: bool = True) -> list[str]:
        """Return the files that asimi writes for the projects whose entries count here, and for all of them."""
        known = self._configuration
        own = [path for root in known.projects() for path in (known.own.entries_of(root), known.own.imported_of(root))]
        return [*([known.approved, known.imported] if everywhere else []), *own]

    def _drop(self, path: str, matches: Callable[[Rule], bool]) -> tuple[Rule, ...]:
        """Remove rules from a file that asimi wrote, and return them."""
        if not os.path.lexists(path):
            return ()
        self._configuration.reread()
        return rule_files.drop(path, matches)

    def _not_removed(self, entry: str, places: str, how: str) -> AsimiError:
        how = PUBLISHED if f"{self._configuration.own.shared}:" in places else how
        return AsimiError(f"{entry} is in {places}; {how}. Nothing was changed")

    def _writable(self) -> None:
        """Make sure that what is written will count: a broken or missing file raises first.

        Raises:
            ConfigError: as `settings`.
        """
        self._configuration.settings()
        make_directory_of(self._configuration)


def make_directory_of(configuration: Configuration) -> None:
    """Make sure that there is a directory for a configuration's files.

    Raises:
        AsimiError: it cannot be created.
    """
    directory = os.path.dirname(configuration.file)
    try:
        make_directory(directory)
    except OSError as error:
        raise AsimiError(f"{directory}: the directory cannot be created: {error.strerror}") from None


def _mode_beside(path: str) -> int:
    """Return the mode for a file beside another: the same users can read both."""
    try:
        return 0o600 | os.stat(path).st_mode & 0o044
    except OSError:
        return 0o600
