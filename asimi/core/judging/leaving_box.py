"""What stands against a rule that lets a command out of the box around an agent (`outside = true`).

Outside, a command runs with all rights of its user. So a rule lets it out only with a proof that nothing the box can
write decides what it does: no code, no file that it names, no directory that a link could replace, no setting of a
repository by which git starts a program. Where the proof fails, a person is asked, and told what is not proven.

The hooks of a repository do not count: outside they are off (`outer_environment`).
"""

from __future__ import annotations

from contextlib import nullcontext
from os.path import normpath
from typing import TYPE_CHECKING

from asimi.core.call import Apart, Assurance, Decision, Place, Reason, Verdict, is_below
from asimi.core.facts import facts_of, names_of, table_of
from asimi.core.judging.collect import abbreviate
from asimi.core.judging.in_box import ANSWERED, UNBOXED, in_box, unmet_needs, without_container_commands
from asimi.core.judging.widths import WITH_PROJECT, kind_of
from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.effects import broad
from asimi.core.reading.account import HERE
from asimi.core.reading.commands import base
from asimi.core.syntax import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from asimi.core.call import Offer, Request, Span
    from asimi.core.judging.collect import Case, Facts
    from asimi.core.judging.guard import Guard
    from asimi.core.judging.machine import Machine
    from asimi.core.judging.rules import Rule
    from asimi.core.reading import Command, Reading
    from asimi.core.reading.arguments import Argument

_FACTS = facts_of(__package__, "leaving_box")

REMOTES = frozenset({"fetch", "ls-remote", "push"})
"""Subcommands of git whose first operand names another repository, and that write no file of the work tree."""

UNKNOWN = "1"
"""Stands for a word of a command that asks once it is known."""

MOST_APART = 16
"""Commands of one text that leave a box each by itself."""

MORE = "it is more than one simple command"

GIT = "asimi lets git out only to push, to fetch and to list what a remote has"

PLAIN = names_of(_FACTS["plain"])
"""Settings of a repository by which git starts nothing and reads no other file (git-config(1))."""

NAMING = frozenset({"branch.pushremote", "branch.remote"})
"""Settings whose value is the name of a remote, or the address of one."""

LEGACY = ("remotes", "branches")
"""Directories of a repository in which whoever writes there can name remotes (gitrepository-layout(5))."""

APART = table_of(_FACTS["apart"])
"""Settings with which git starts no hook or monitor of a repository, and takes none for one that lies open in a
directory or in a submodule (git-config(1)); in the environment they count more than a repository's own."""

CONTEXTS = names_of(_FACTS["contexts"])
"""Variables that name a file or directory of settings, also by a path without a slash."""

RELATIVE = names_of(_FACTS["relative"])
"""Variables that lead git to another repository, or to a program; and what bash sets itself."""

DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


_PARTS = pattern(r"[:=,;\s'\"]+")
"""What stands between the parts of a value: of a list of paths, of a command line (`GIT_SSH_COMMAND`)."""

_PATH = pattern(r"(?:^|[=:,@/])\.\.?(?:/|$)|fileb?:|(?:^|=)@")
"""What shows that a word may name a file although the catalogue knows of none: a part that is a dot, or a marker."""

_ELSEWHERE = pattern(
    r"(?:https?|ssh|git)://[\w.~%@:/?=&+,\[\]-]+|(?![\w.-]*::)(?:[\w.-]+@)?\w[\w.-]*:(?!:|//)[\w~./+%@-]+"
)
"""An address of a repository on another machine; one of this machine is a directory, whose hooks would run."""


def decide_in_box(decision: Decision, case: Case, facts: Facts, decide: Callable[[Request], Decision]) -> Decision:
    """The decision in a box, from the one without: on a text that stays in it, or on one that would leave.

    Args:
        decision: the decision without a box.
        case: what was judged.
        facts: what the rules say of it.
        decide: decides on a part of it alone.
    """
    reading = without_container_commands(case.reading)
    weighed = [each for each in (*facts.started, *facts.called) if each.command in reading.commands]
    commands = [each.command for each in weighed]
    needs, leaves = unmet_needs(commands, _git_need_check(case)), case.book.terms.leaving
    if decision.verdict is Verdict.DENY or not (needs or leaves):
        return in_box(decision, weighed, facts)
    if len(commands) == 1 and is_simple(commands[0], reading, case.line):
        return _decide_one(decision, needs, case, commands[0])
    parts, told, offered = _plan_apart(case, reading, needs, decide)
    if not (leaves or told):
        rest = in_box(decision, [each for each in weighed if each.command not in needs], facts)
        if rest.verdict is Verdict.ALLOW:
            return decide_apart(rest, parts, [command.span for command in needs])
    return decide_on_leaving(
        decision,
        needs,
        told if told or not leaves else refusal_reasons([MORE]),
        None,
        _exact(case),
        offered,
        simple=False,
    )


def _exact(case: Case) -> list[Rule]:
    """The rules for exactly this text."""
    return [each for each in case.granted if each.line == case.line]


def _git_need_check(case: Case) -> Callable[[Command], str]:
    """What says of a command of git what it needs to end that a box does not have."""
    guard = case.book.guard
    if guard is None or not any("repository" in each.traits for each in case.reading.commands):
        return lambda _: ""
    from asimi.core.judging.git_in_box import unmet_git_need
    from asimi.core.judging.paths import TooManyError

    with guard.one_look(case.budget):
        try:
            paths = guard.paths(case.request, case.reading, case.budget)
        except TooManyError:
            return lambda _: ""
    opened = (guard.machine.resolve(case.request.place.root), *case.book.terms.opened)

    def needs(command: Command) -> str:
        with guard.one_look(case.budget):
            return unmet_git_need(command, paths, guard.holds, opened)

    return needs


def _decide_one(asked: Decision, needs: Mapping[Command, Reason], case: Case, command: Command) -> Decision:
    """The decision on a text that is one simple command and would leave the box, from the one without a box."""
    from asimi.core.judging.offers import outside

    terms, guard = case.book.terms, case.book.guard
    with nullcontext() if guard is None else guard.one_look(case.budget):
        against = doubts(command, case.request, guard, terms.opened)
    if against := (*against, terms.doubt) if terms.doubt else against:
        return decide_on_leaving(asked, needs, refusal_reasons(against), None, _exact(case))
    rules = (*case.allow_rules(command.literals[0]), *case.by_effects, *_exact(case))
    letting = [
        each for each in rules if each.outside and (each.line == case.line or case.matching_rules([each], command))
    ]
    rule = next(iter(letting), None)
    return decide_on_leaving(asked, needs, (), rule, _exact(case), outside(case.request, command, case.budget))


def _plan_apart(
    case: Case, reading: Reading, needs: Mapping[Command, Reason], decide: Callable[[Request], Decision]
) -> tuple[Sequence[tuple[Apart, Reason]], tuple[Reason, ...], tuple[Offer, ...]]:
    """How the commands of a text that need something outside of the box may leave it, each by itself.

    Returns:
        Each of them with the reason why it may; what stands against the others; and what would let these out.
    """
    from asimi.core.judging.offers import of_parts
    from asimi.core.judging.paths import TooManyError
    from asimi.core.reading.movable import Movable

    guard, request, line = case.book.guard, case.request, case.line
    if guard is None or len({each.span for each in needs}) > MOST_APART:
        return (), refusal_reasons([MORE]), ()
    movable = Movable(reading, case.book.terms.exported)
    parts: list[tuple[Apart, Reason]] = []
    told: list[Reason] = []
    offered: list[tuple[Offer, ...]] = []
    with guard.one_look(case.budget):
        try:
            paths = guard.paths(request, case.reading, case.budget)
        except TooManyError as error:
            return (), refusal_reasons([str(error)]), ()
    for command in needs:
        start, end = span = movable.span(command)
        why = movable.against(command, abbreviate(command))
        asks = bool(why) and movable.may_ask(command)
        if not asks and (reading.script is None or not (line[:start].strip() or line[end:].strip())):
            told += refusal_reasons(["it starts other commands"]) if len(needs) > 1 else (needs[command],)
            continue
        if why and not asks:
            told += refusal_reasons([why], command.span)
            continue
        with guard.one_look(case.budget):
            place, *others = [None if each is None else guard.machine.resolve(each) for each in paths.at(command)]
        if place is None or others:
            told += refusal_reasons([f"only bash can know where `{abbreviate(command)}` runs"], command.span)
            continue
        words = tuple(UNKNOWN if each is None else each for each in command.literals)
        text = " ".join(map(quote, words)) if asks else line[start:end]
        found = decide(request._replace(command=text, place=Place.at(place, request.place.root)))
        same = [part.words for part in found.parts if part.via is None] == [words]
        if found.verdict is Verdict.ALLOW and found.leaves and same:
            message = f"{found.reasons[0].rule} lets `{abbreviate(command)}` out of the box"
            parts.append((Apart(span, place, asks), found.reasons[0]._replace(message=message, span=span)))
            continue
        offered.append(found.offers)
        reasons = [each for each in found.reasons if each.code == UNBOXED][1:]
        told += (each._replace(span=command.span) for each in reasons) if reasons else (needs[command],)
    parts.sort(key=lambda each: each[0].span)
    return parts, tuple(told), of_parts(offered) if len(parts) + len(offered) == len(needs) else ()


def doubts(command: Command, request: Request, guard: Guard | None, opened: Collection[str]) -> tuple[str, ...]:
    """What stands against letting one simple command out by a rule, in words; nothing where it is proven harmless.

    Args:
        command: the command.
        request: the request, which is no more than that.
        guard: knows this machine; None where nothing does.
        opened: the directories and files that the box can write, real paths.
    """
    found = dict.fromkeys(_doubts_of(command, request, guard, opened))
    place = request.place
    if top := next((each for each in opened if place.path != each and is_below(place.path, each)), ""):
        found[f"it runs in {place.display_path}, which the box can replace, because it may write in {top}"] = None
    return tuple(found)


def decide_on_leaving(
    asked: Decision,
    needs: Mapping[Command, Reason],
    told: Sequence[Reason],
    rule: Rule | None,
    exact: Sequence[Rule],
    offered: tuple[Offer, ...] = (),
    *,
    simple: bool = True,
) -> Decision:
    """The decision on a text that would leave the box.

    Args:
        asked: the verdict on it without a box; not a deny.
        needs: the commands that need something which a box does not have, each with the reason; none where the text is
            to leave the box anyway.
        told: what stands against letting it out by a rule.
        rule: the rule that lets it out if nothing else is asked; None without one.
        exact: the rules for exactly this text.
        offered: what could be stored where nothing else is asked.
        simple: whether all of it would leave, so the box answers nothing of it.
    """
    lacks = tuple(needs.values()) or (Reason(UNBOXED, "it would run outside of the box"),)
    spans = {reason.span for reason in lacks}
    asks = [
        each for each in asked.reasons if asked.verdict is Verdict.ASK and each.code != "sandbox"
    ]  # it has one there
    others = [each for each in asks if each.code != "unlisted" or each.span not in spans]
    if rule is not None and not asks:
        return asked._replace(verdict=Verdict.ALLOW, leaves=True, reasons=_allow_reasons(asked, rule))
    first, rest = ([each for each in others if (each.code in ANSWERED) is answered] for answered in (False, True))
    reasons = tuple(dict.fromkeys((*first, *lacks, *told, *rest)))
    seen = {reason.message for reason in reasons}
    once = next((each for each in exact if seen <= {*each.answers}), None)
    if once is not None:  # a person has seen all of this
        reason = Reason(once.code, "exactly this command is allowed", None, once.entry, once.source)
        parts = tuple(part._replace(verdict=Verdict.ALLOW) for part in asked.parts)
        spends = (once,) if once.uses is not None else ()
        return Decision(
            Verdict.ALLOW, (reason,), parts, asked.substitution, spends=spends, sandbox=asked.sandbox, leaves=True
        )
    spans |= {reason.span for reason in others}
    parts = tuple(part._replace(verdict=Verdict.ASK) if part.span in spans else part for part in asked.parts)
    return asked._replace(
        verdict=Verdict.ASK,
        reasons=reasons,
        parts=parts,
        offers=() if any(simple or each.code not in ANSWERED for each in others) else offered,
        needed=(),
        spends=(),
        voice=max(asked.voice, Assurance.ASKED),
        outside=None,
        confirming=None,
        leaves=True,
    )


def decide_apart(rest: Decision, parts: Sequence[tuple[Apart, Reason]], spans: Collection[Span]) -> Decision:
    """The decision on a text of which some commands leave the box, each by itself.

    Args:
        rest: the one on all the others, an allow.
        parts: what leaves, each with the reason why.
        spans: the places of these commands, as reasons name them.
    """
    reasons = (*(reason for _, reason in parts), *(each for each in rest.reasons if each.span not in spans))
    return rest._replace(reasons=reasons, apart=tuple(dict.fromkeys(part for part, _ in parts)))


def _allow_reasons(asked: Decision, rule: Rule) -> tuple[Reason, ...]:
    """Why a rule lets it out."""
    reason = Reason(rule.code, f"{rule.entry} lets it out of the box", None, rule.entry, rule.source)
    return (reason, *(each for each in asked.reasons if each.rule not in {None, rule.entry}))


def refusal_reasons(against: Sequence[str], span: Span | None = None) -> tuple[Reason, ...]:
    """What stands against letting something out by a rule, as a reason; none where nothing does."""
    return (Reason(UNBOXED, f"no rule can let it out: {'; '.join(against)}", span),) if against else ()


def is_simple(command: Command, reading: Reading, line: str) -> bool:
    """Whether a text is no more than its only command, some of whose output may go to `/dev/null`."""
    if len(reading.commands) != 1 or reading.findings or reading.functions:
        return False
    start, end = command.span
    files = {name for name, _, _ in reading.targets}
    return not (line[:start].strip() or line[end:].strip()) and files <= {"/dev/null"}


def _doubts_of(command: Command, request: Request, guard: Guard | None, opened: Collection[str]) -> Iterator[str]:
    """What stands against one command."""
    name, kinds = command.name or "it", command.kinds
    if kinds is None or find(name) is None or command.seen.astray or command.escapes or None in command.literals:
        yield f"asimi does not know all that `{name}` does"
    elif "code" in broad(kinds) and not any(
        kind_of(each) == "container" and WITH_PROJECT not in each for each in command.seen.aims
    ):
        yield f"`{name}` runs code, which the box may have written"
    for path in dict.fromkeys(_writable_paths(command, request, opened)):
        at = normpath(path if path[:1] == "/" else f"{request.place.path}/{path}")
        led = at if guard is None else guard.machine.resolve(at)
        yield f"it names {path}, which the box can write" + (f", and which leads to {led}" if led != at else "")
    if guard is None:
        yield "asimi knows nothing of this machine"
    elif "bound" in command.traits:
        yield from _repository_doubts(command, request, guard.machine, opened)
    if command.traits.isdisjoint({"looks", "repository"}) and (
        "apart" not in command.traits or any("here" in level.row.traits for level in command.levels)
    ):
        yield f"`{name}` may obey files of the directory that it runs in"


def never_reason(words: Sequence[str]) -> str:
    """Why no rule lets out a command that begins with these words, whatever follows; empty where one may.

    Args:
        words: the first words of the command.
    """
    name = base(words[0])
    row = find(name)
    if row is None:
        return f"asimi does not know what `{name}` does"
    rows = [row]
    while len(rows) < len(words) and (below := rows[-1].subcommands.get(words[len(rows)])) is not None:
        rows.append(below)
    if "code" in broad(rows[-1].kinds or frozenset()):
        return f"`{' '.join(words[: len(rows)])}` runs code"
    if row.traits.isdisjoint({"apart", "repository"}) or any("here" in each.traits for each in rows):
        return f"`{name}` may obey files of the directory that it runs in"
    return GIT if "repository" in row.traits and len(rows) > 1 and rows[1].name not in REMOTES else ""


def _writable_paths(command: Command, request: Request, opened: Collection[str]) -> Iterator[str]:
    """The paths that its words name, or may name, where the box can write.

    The catalogue says which words are files; of the others, those that look like a path count.
    """
    here = request.place
    around = _around(command, here.root)
    touched = {touch.word: touch.start for touch in command.account.touches if touch.how != "repository"}
    if HERE in touched:
        yield here.display_path
    for index, literal in enumerate(command.literals):
        text = literal or ""
        if around is not None and index == around.value_at:
            continue
        if (index in touched and index != HERE) or (index == HERE and "/" in text):
            path = text[touched[index] :] if index != HERE else text
            if any(is_below(normpath(path if path[:1] == "/" else f"{here.path}/{path}"), each) for each in opened):
                yield path
        elif _PATH.search(text) or any(f"{each}/" in f"{text}/" for each in opened):
            yield text


def _repository_doubts(command: Command, request: Request, machine: Machine, opened: Collection[str]) -> Iterator[str]:
    """What stands against a command that does what a repository says."""
    root = request.place.root
    repository = machine.repository(root)
    if repository != f"{root}/.git" or machine.kind(repository) != "directory" or request.place.path != root:
        yield "git finds a repository there that is not the project's own"
        return
    settings = machine.settings(repository)
    if settings is None:
        yield f"asimi cannot read all of {repository}/config"
        return
    for name, _, value in settings:
        if name not in PLAIN:
            yield f"git obeys {name} = {value} of {repository}/config"
    remotes = {which for name, which, _ in settings if name == "remote.url"}
    for name, which, value in settings:
        if name in {"remote.url", "remote.pushurl"} and not _ELSEWHERE.fullmatch(value):
            yield f"the remote {which} is {value}, which is not on another machine"
        if name in NAMING and value not in remotes:
            yield f"{name} is {value}, which is no remote of {repository}/config"
    if any(machine.names(f"{repository}/{each}") for each in LEGACY):
        yield f"{repository} names remotes in files that the box can write"
    stray = machine.strays(repository)
    if stray != "":
        yield (
            f"git may write through {stray}, which is no file"
            if stray
            else f"asimi cannot look through all of {repository}"
        )
    guides, _ = machine.guides(repository)
    for each in guides:
        if any(is_below(each, top) for top in opened) and not is_below(each, repository):
            yield f"git obeys {each}, which the box can write"
    if "repository" in command.traits:
        yield from _remote(command, remotes, root)


def _around(command: Command, root: str) -> Argument | None:
    """The `-C` of git that goes to the project root, where it runs anyway; None without one."""
    given = command.levels[0].arguments[:1] if "repository" in command.traits and len(command.levels) > 1 else ()
    named = [each for each in given if "-C" in each.names]
    return next((each for each in named if each.literal in {root, "."}), None)


def _remote(command: Command, remotes: Collection[str], root: str) -> Iterator[str]:
    """What stands against a subcommand of git, by what its words say."""
    last = command.levels[-1] if command.levels else None
    if last is None or len(command.levels) != 2 or not last.sure or last.row.name not in REMOTES:
        pulls = last is not None and last.row.name == "pull"
        yield f"{GIT}; git fetch leaves the box, and git merge or git rebase runs inside" if pulls else GIT
        return
    around = _around(command, root)
    if any(argument.option is not None and argument is not around for argument in command.levels[0].arguments):
        yield "it has options before the subcommand"
    if any("--recurse-submodules" in argument.names for argument in last.arguments):
        yield "git would enter submodules, which the box can make"
    named = [argument.value for argument in last.arguments if "--repo" in argument.names]
    operands = [command.literals[argument.at] for argument in last.arguments if argument.option is None]
    for each in (*operands[:1], *(None if word is None else word.literal for word in named)):
        if each is None or (each not in remotes and not _ELSEWHERE.fullmatch(each)):
            yield f"{each} is no remote of the repository, so it may be a directory"
    if not operands and not named and not remotes:
        yield "the repository has no remote"


def outer_environment(
    inherited: Mapping[str, str], directory: str, opened: Collection[str], real: Callable[[str], str]
) -> dict[str, str]:
    """The environment of what leaves a box: nothing in it leads to what the box can write, and git starts nothing.

    Args:
        inherited: asimi's own.
        directory: the directory it runs in.
        opened: what the box can write, real paths.
        real: gives the real path of an absolute one.
    """

    def is_writable(path: str) -> bool:
        found = real(path if path[:1] == "/" else f"{directory}/{path}")
        return any(is_below(found, each) for each in opened)

    def may_pass(name: str, value: str) -> bool:
        parts = [part for part in _PARTS.split(value) if part and ("/" in part or name in CONTEXTS)]
        return name not in RELATIVE and not any(map(is_writable, parts))

    path = [each for each in inherited.get("PATH", "").split(":") if each[:1] == "/" and not is_writable(each)]
    found = {name: value for name, value in inherited.items() if name != "PATH" and may_pass(name, value)}
    count = int(found.get("GIT_CONFIG_COUNT", "0")) if found.get("GIT_CONFIG_COUNT", "0").isdecimal() else 0
    for number, (key, value) in enumerate(APART.items(), count):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found | {"PATH": ":".join(path) or DEFAULT_PATH, "GIT_CONFIG_COUNT": str(count + len(APART))}
