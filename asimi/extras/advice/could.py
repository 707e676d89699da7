"""`asimi policy could` and `asimi policy diff`: commands that rules allow, found by asking the judge; runs none."""

from __future__ import annotations

import os.path
import re
import time
from tempfile import gettempdir
from typing import TYPE_CHECKING

from asimi.core.call import Place, Request, Verdict, is_below
from asimi.core.errors import AsimiError
from asimi.core.facts import facts_of, table_of
from asimi.core.judging.deeds import deeds_of
from asimi.core.judging.known import SECRET
from asimi.core.judging.rules import SHELL
from asimi.core.programs import SUMS, rows_of
from asimi.core.programs.effects import WORDS, covers
from asimi.core.syntax import quote
from asimi.core.values import NamedTuple
from asimi.core.wire import dumps
from asimi.doors.cli.parallel import map_in_processes, processes_for
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.progress import Bar
from asimi.extras.advice.forms import NAMELESS, forms, forms_of, rows_below
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from asimi.compose import Options
    from asimi.core.call import Act, Decision, Deed
    from asimi.core.judging.policy import Policy
    from asimi.extras.advice.forms import Form
    from asimi.world.config import Configuration

SECONDS = 60.0
"""How long a search takes at most, unless told otherwise."""

QUICK, MOST = 1.5, 3
"""How long a search takes at most after an import, and how many powers are told then."""

BASES = 4
"""Commands of a power that every form is tried with: what a form hides does not depend on which it is."""

OF_VERBS = {"read": ("read",), "write": ("write", "new", "move"), "delete": ("delete", "move")}
"""The roles of words by which a path is read, written or deleted."""

HOLDING = frozenset({"held", "allowed_in_sandbox"})
"""Reasons by which a box or a sandbox holds a command."""

_FACTS = facts_of(__package__, "powers")
_TRICKS = facts_of(__package__, "tricks")
_PLACES = {where: said.split() for where, said in table_of(_FACTS["places"]).items()}


class Power(NamedTuple):
    """Something that rules may let an agent do.

    Attributes:
        name: it in words.
        kinds: effects and kinds of effects, each of which is it.
        verb: what is done to a path, a key of `OF_VERBS`; empty if it is about no path.
        where: `project`, `outside`, `secret` or `running`; empty for exactly what `paths` names.
        paths: the paths that are tried.
        inside: whether a box or a sandbox does not prevent it.
    """

    name: str
    kinds: frozenset[str] = frozenset()
    verb: str = ""
    where: str = ""
    paths: tuple[str, ...] = ()
    inside: bool = False

    def is_act(self, act: Act, root: str) -> bool:
        """Whether something that is done to a path is it."""
        if not act.path or not (act.does == self.verb or (act.does, self.verb) == ("move", "delete")):
            return False
        if self.where == "secret":
            return act.secret
        if self.where in {"project", "outside"}:
            if act.where != self.where:
                return False
            if self.paths == tuple(_PLACES[self.where]):
                return True
        return any(is_below(act.path, os.path.join(root, os.path.expanduser(path))) for path in self.paths)


class Passing(NamedTuple):
    """A command that passes.

    Attributes:
        command: its text.
        why: the rule that allows it and where that is, or the reason in words.
    """

    command: str
    why: str


class Search(NamedTuple):
    """What a search came to.

    Attributes:
        passing: for each power the shortest command found, or None.
        tried: how many commands were judged.
        whole: whether these are all that asimi knows of, not all there was time for.
    """

    passing: dict[Power, Passing | None]
    tried: int
    whole: bool


def _power(name: str, said: str) -> Power:
    words = said.split()
    verb, _, where = next((each for each in words if "@" in each), "").partition("@")
    kinds = frozenset(words).intersection(WORDS)
    return Power(name, kinds, verb, where, tuple(_PLACES.get(where, ())), "inside" in words)


POWERS = tuple(_power(name, said) for name, said in table_of(_FACTS["powers"]).items())
"""All of them, the worst first."""


def powers_of(text: str, on: str = "") -> tuple[Power, ...]:
    """Return the powers that a person means: all for no text, else one by its name, an effect, or a verb and a path.

    Args:
        text: such as `lose published history`, `delete.history` or `read ~/.aws`.
        on: the only path that it is about; empty for any.

    Raises:
        AsimiError: there is none.
    """
    found = [power for power in POWERS if not text or text.casefold() == power.name]
    verb, _, path = text.partition(" ")
    kinds = {text, *(kind for kind, words in WORDS.items() if words == text)}.intersection(WORDS)
    if not found and kinds:
        found = [Power(WORDS[min(kinds)], frozenset(kinds), inside=text == "code")]
    if not found and verb in OF_VERBS and path:
        found, on = [Power(text, verb=verb, paths=(path,))], ""
    if not found:
        from difflib import get_close_matches

        near = get_close_matches(text, [power.name for power in POWERS], 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise AsimiError(f"{text!r} is no power; {hint}asimi policy could --list names them all")
    if on and not any(power.verb for power in found):
        raise AsimiError(f"--on is about a path, and {text!r} is about none; asimi policy could --list names those")
    return tuple(power._replace(paths=(on,)) if on else power for power in found if power.verb or not on)


def _claims(powers: Sequence[Power]) -> dict[str, set[str]]:
    """Return the public tricks, each with the names of the powers that it has whatever asimi thinks of it."""
    found: dict[str, set[str]] = {}
    for power in powers:
        for text in _TRICKS.get(power.name, ()):
            found.setdefault(text, set()).add(power.name)
        for text in _TRICKS.get(power.verb, ()):
            for path in power.paths:
                home = os.path.expanduser(path)
                aimed = re.sub(r"(\s)PATH\b", rf"\1{path}", text)  # elsewhere bash expands no `~`
                found.setdefault(aimed.replace("PATH", home), set()).add(power.name)
    return found


def _aims(powers: Sequence[Power]) -> dict[str, list[str]]:
    """Return the paths that are tried in each role of a word."""
    aims: dict[str, list[str]] = {}
    for power in powers:
        for role in OF_VERBS.get(power.verb, ()):
            aims.setdefault(role, []).extend(path for path in power.paths if path not in aims.get(role, ()))
    return aims


def _of_rules(policies: Sequence[Policy], aims: Mapping[str, Sequence[str]]) -> Iterator[Form]:
    """Yield the commands that the words of rules begin, as the catalogue knows them."""
    for policy in policies:
        for rule in policy.rules:
            if rule.verdict is Verdict.ALLOW:
                yield from forms_of(rule, policy.terms.described, aims)


def _of_catalogue(aims: Mapping[str, Sequence[str]]) -> Iterator[Form]:
    """Yield the commands that the catalogue knows."""
    for family in SUMS:
        for row in rows_of(family):
            for words, below in rows_below((row.name,), row):
                yield from forms(words, below, aims)


def _named(power: Power, policies: Sequence[Policy]) -> Power:
    """Return a power over a zone with the paths, too, that `files.write` opens or `files.secret` takes back."""
    if power.where not in {"outside", "secret"} or power.paths != tuple(_PLACES[power.where]):
        return power
    guards = (policy.guard for policy in policies)
    files = [guard.files.files for guard in guards if guard is not None and guard.files is not None]
    if power.where == "outside":
        named = [each for one in files for layer in one.write for each in layer if each[0] in "~/"]
        named = [each for each in named if not each.startswith(("/tmp/", f"{gettempdir()}/"))]  # noqa: S108 - a name
    else:
        named = [
            each[1:] for one in files for layer in one.secret for each in layer if each[0] == "!" and each not in SECRET
        ]
    paths = (each.removeprefix("**/").replace("**", NAMELESS).replace("*", NAMELESS) for each in named)
    return power._replace(paths=tuple(dict.fromkeys((*power.paths, *paths))))


def _candidates(
    powers: Sequence[Power], policies: Sequence[Policy], *, catalogue: bool
) -> tuple[list[str], dict[str, set[str]]]:
    """Return the commands that are tried, those of rules and the short ones first, and the claims of the tricks.

    Args:
        powers: what is looked for.
        policies: the rules that they are put to.
        catalogue: whether all that the catalogue knows is among them, and every form; else what the rules name, and
            tricks.
    """
    claims, aims = _claims(powers), _aims(powers)
    kinds = frozenset[str]().union(*(power.kinds for power in powers))
    paths = {path for some in aims.values() for path in some}
    ruled = {form.text: None for form in _of_rules(policies, aims)}
    ruled |= {rule.line: None for policy in policies for rule in policy.rules if rule.line}
    known = {
        form.text: form.kinds
        for form in (_of_catalogue(aims) if catalogue else ())
        if any(covers(kinds, each) for each in form.kinds) or not paths.isdisjoint(form.words)
    }
    dressed: dict[str, None] = {}
    for power in powers if catalogue else ():
        tricks = [text for text, names in claims.items() if power.name in names]
        plain = [text for text, does in known.items() if any(covers(power.kinds, each) for each in does)]
        for text in (*sorted(tricks, key=len)[:BASES], *sorted(plain, key=len)[:BASES]):
            for form in _FACTS["forms"]:
                made = form.replace("TEXT", quote(text)).replace("COMMAND", text)
                dressed[made] = None
                if text in tricks:
                    claims.setdefault(made, set()).add(power.name)
    groups = ({**ruled, **dict.fromkeys(claims.keys() - dressed.keys())}, known, dressed)
    return [*dict.fromkeys(text for group in groups for text in sorted(group, key=len))], claims


def search(
    powers: Sequence[Power], policies: Sequence[Policy], place: Place, seconds: float, *, catalogue: bool = True
) -> list[Search]:
    """Look for commands by which rules give powers; of several policies, for what one of them allows alone.

    Args:
        powers: what is looked for.
        policies: the rules that commands are put to.
        place: where they would run.
        seconds: how long they are tried at most.
        catalogue: as `_candidates` takes it.

    Returns:
        What came of it for each policy.
    """
    texts, claims = _candidates([_named(power, policies) for power in powers], policies, catalogue=catalogue)
    end = time.monotonic() + seconds

    def work(text: str) -> tuple[int, Passing, tuple[Power, ...]] | str:
        """Which policy allows a command alone, why, and what powers that gives; else why there is none."""
        if time.monotonic() > end:
            return "late"
        request = Request(SHELL, text, None, place)
        decisions = [policy.decide(request) for policy in policies]
        allowing = [at for at, decision in enumerate(decisions) if decision.verdict is Verdict.ALLOW]
        if len(allowing) != 1:
            return "none"
        at, named = allowing[0], claims.get(text, ())
        decision, deeds = decisions[at], deeds_of(policies[at], request)
        given = (each for each in powers if _has(each, decision, deeds, place.root, claimed=each.name in named))
        return at, Passing(text, _why(decision)), tuple(given)

    passing: list[dict[Power, Passing]] = [{} for _ in policies]
    tried, late = 0, False
    results = map_in_processes(lambda: texts, work, processes_for(len(texts)))
    with Bar("Trying commands") as bar:
        for result in results:
            late = result == "late"
            if late:
                break
            tried += 1
            bar.heard(tried, len(texts))
            if not isinstance(result, str):
                at, found, given = result
                passing[at] = dict.fromkeys(given, found) | passing[at]
            if all(len(each) == len(powers) for each in passing):
                break
    results.close()  # type: ignore[attr-defined]  # it is a generator, whose processes end so
    return [Search({power: each.get(power) for power in powers}, tried, whole=not late) for each in passing]


def _has(power: Power, decision: Decision, deeds: Sequence[Deed], root: str, *, claimed: bool) -> bool:
    """Whether a command that is allowed has a power."""
    holding = decision.sandbox.mode != "off" or any(reason.code in HOLDING for reason in decision.reasons)
    if holding and not (power.inside or decision.leaves or decision.apart):
        return False
    if decision.kept and power.inside and "code" not in power.kinds:
        return False  # undo brings it back
    if claimed or any(covers(power.kinds, kind) for deed in deeds for kind in deed.effects or ()):
        return True
    return bool(power.verb) and any(power.is_act(act, root) for deed in deeds for act in deed.acts)


def _why(decision: Decision) -> str:
    """Return the rule that decides and where it is, else the reason in words."""
    reason = decision.reasons[0]
    return reason.message if reason.source is None else f"{reason.rule or reason.message}  {reason.source}"


def list_powers() -> None:
    """Print the powers."""
    for power in POWERS:
        paths = f"{power.verb} {', '.join(power.paths)}" if power.verb else ""
        words = [WORDS[kind] for kind in WORDS if kind in power.kinds]
        out(fit(f"{power.name}: {'; '.join([*words, *([paths] if paths else [])])}", indent=4))
    out(fit("Or: an effect (delete.history), read PATH, write PATH, delete PATH.", indent=0))


def tell(options: Options, text: str, on: str, *, boxed: bool, seconds: float, as_json: bool) -> int:
    """Print the shortest command that passes for each power, or that none was found; return 1 if one was, else 0.

    Raises:
        AsimiError: there is no such power, or the configuration is broken.
    """
    powers = powers_of(text, on)
    judges = Judges(options, boxed=boxed)
    policy, place = judges.policy(judges.root, behind=boxed), Place.at(judges.root, judges.root)
    (found,) = search(powers, [policy], place, seconds)
    for power, passing in found.passing.items():
        if as_json:
            row = {"command": None, "why": None} if passing is None else passing._asdict()
            out(dumps({"power": power.name, **row, "tried": found.tried, "whole": found.whole}))
        elif passing is None:
            out(fit(f"{power.name}: none in {found.tried:,} tried"))
        else:
            _show(power, "", passing)
    if not as_json:
        out(fit(_bound(found, seconds), indent=0))
    return int(any(found.passing.values()))


def tell_worst(configuration: Configuration) -> None:
    """Print the worst that the rules let through, in three lines at most: for whoever has just taken over some."""
    policy, place = configuration.settings().policy, Place.at(configuration.root, configuration.root)
    (found,) = search(POWERS, [policy], place, QUICK, catalogue=False)
    worst = [(power.name, passing.command) for power, passing in found.passing.items() if passing is not None]
    for name, command in worst[:MOST]:
        out(fit(f"left open  {name}: {printable(command)}", indent=11))
    if not worst:
        out(fit(f"left open  nothing found in {found.tried:,} commands tried, which is no proof", indent=11))


def compare(old: Options, new: Options, *, seconds: float, as_json: bool) -> int:
    """Print for each power a command that only the new rules allow, and one that only the old do; 1 if there is a new.

    Raises:
        AsimiError: one of the configurations is broken.
    """
    judges = [Judges(each) for each in (new, old)]
    policies = [each.policy(each.root) for each in judges]
    searches = search(POWERS, policies, Place.at(judges[0].root, judges[0].root), seconds)
    for kind, found in zip(("new", "gone"), searches, strict=True):
        for power, passing in found.passing.items():
            if passing is not None and as_json:
                out(dumps({"kind": kind, "power": power.name, **passing._asdict()}))
            elif passing is not None:
                _show(power, f"{kind}: ", passing)
    if not as_json:
        if not any(any(found.passing.values()) for found in searches):
            out("No difference found.")
        out(fit(_bound(searches[0], seconds), indent=0))
    return int(any(searches[0].passing.values()))


def _show(power: Power, kind: str, passing: Passing) -> None:
    out(fit(f"{kind}{power.name}:"))
    out(fit(f"  {printable(passing.command)}", indent=4))
    out(fit(f"      {printable(passing.why)}", indent=6))


def _bound(found: Search, seconds: float) -> str:
    """Return what a search can say."""
    if all(found.passing.values()):
        return f"Tried {found.tried:,} commands. Nothing was run."
    whole = "all that asimi knows of" if found.whole else f"as many as there was time for in {seconds:.0f} s"
    return f"Tried {found.tried:,} commands, {whole}. None found is no proof that there is none. Nothing was run."
