"""`asimi undo`: lists what calls changed in the project, and takes it back."""

from __future__ import annotations

import os
import time
from functools import cache, partial
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose.configuration import configuration_of
from asimi.compose.stores import keeper_of, log_of
from asimi.core.call import above, is_below
from asimi.core.errors import AsimiError
from asimi.core.judging.widths import AWAY
from asimi.core.wire import dumps
from asimi.doors.cli.base import Command, UsageError, application, option_named, options_of
from asimi.doors.cli.printing import fit, is_terminal, out, plural, with_bars
from asimi.doors.cli.require_person import confirm_at_terminal, require_person
from asimi.doors.cli.task import under
from asimi.world.host.terminal import look_of, printable, shorten
from asimi.world.undo.calls import KeptCall
from asimi.world.undo.keeper import directory_of
from asimi.world.undo.looks import REASONS
from asimi.world.undo.restoring import BEHIND, Moment, Step, make_plan, restore
from asimi.world.undo.trees import BESIDE, ChangeCount, changes, difference
from asimi.world.undo.trees import count_changes as count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from asimi.world.config import Configuration
    from asimi.world.undo.keeper import Keeper
    from asimi.world.undo.repositories import GitState
    from asimi.world.undo.restoring import Plan
    from asimi.world.undo.store import Store
    from asimi.world.undo.trees import Change

undo = application()

SHORT = 8
"""Letters at the end of the id of a call that are shown and typed."""

LISTED = 20
"""Calls that are listed by default."""

NAMED = 40
"""Paths that are named before a question; asimi counts the rest, and `--diff` shows it."""

GRACE = 2.0
"""Seconds after the start of a call whose end nobody told: what changes later may be somebody else's."""

GIVEN_BACK = 3
"""Files that were not kept, of which so many are named."""


@undo.command("undo", cls=Command)
def _undo(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[ID]", show_default=False, help='The call, by its ID in the list, or "last".')
    ] = "",
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]...", show_default=False, help="Only these files.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Show what it changed, and change nothing.")] = False,  # noqa: FBT002
    back: Annotated[bool, typer.Option("--back", help="Take back all later calls, too.")] = False,  # noqa: FBT002
    number: Annotated[int, typer.Option("-n", metavar="N", help="List the last N calls.")] = LISTED,
    json: Annotated[bool, typer.Option("--json", help="Print the list as lines of JSON.")] = False,  # noqa: FBT002
    task: Annotated[str, option_named("--task", "Take back the calls of this task.", "ID")] = "",
) -> None:
    """List the calls that changed files here, or take one back.

    Without ID, it lists each call with its ID, the time, how much changed, the agent and the command. With ID, it shows
    what comes back and what cannot, and after your yes brings back exactly that, or only the files you name. It keeps
    what is there first, so you can take that back as well. The repository, its index and its stash stay as they are; if
    the call changed them, asimi says how they were, and which commands bring back branches and the stash.
    """
    if json and name:
        raise UsageError("--json is for the list.")
    if task:
        if name or diff or back or json:
            raise UsageError("--task takes no other option and no call.")
        raise typer.Exit(_take_back_task(_configuration_around(context), task))
    if not name:
        if diff or back:
            raise UsageError("Give the ID of a call; asimi undo lists them.")
        _list(context, number, json=json)
        return
    configuration = _configuration_around(context)
    keeper = keeper_of(configuration)
    call = call_of(keeper, name)
    if diff:
        _show(keeper, call, _relative(configuration.root, paths or []), back=back)
        return
    code = _take_back(configuration, keeper, call, _relative(configuration.root, paths or []), back=back)
    if code:
        raise typer.Exit(code)


def _configuration_around(context: typer.Context) -> Configuration:
    """Return the configuration in force here, or in the project around that has kept something, where this has not."""
    options = options_of(context)
    configuration = configuration_of(options)
    state, root = configuration.places.state, configuration.root
    around = next((each for each in (root, *above(root)) if os.path.isdir(directory_of(state, each))), root)
    return configuration if options.root or around == root else configuration_of(options._replace(root=around))


def _relative(root: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Return paths relative to the root for those that a person names from where they are; follows no link.

    Raises:
        AsimiError: one is not below the root.
    """
    found = []
    for path in paths:
        where = os.path.normpath(os.path.join(os.getcwd(), path))
        inside = os.path.relpath(where, root)
        if inside.split("/")[0] == "..":
            raise AsimiError(f"{path}: is not below the project root, {root}")
        found.append("" if inside == "." else inside)
    return tuple(found)


def call_of(keeper: Keeper, name: str) -> KeptCall:
    """Return the call of an id, of the end of one, or the last one that is no undo and not taken back whole.

    Raises:
        AsimiError: there is none, or more than one.
    """
    calls = keeper.calls.entries()
    taken = set[str]()
    for call in reversed(calls):  # an undo that was itself taken back takes nothing back
        whole = call.command == f"asimi undo {call.undone[-SHORT:]}"
        taken |= {call.undone} if call.undone and whole and call.id not in taken else set()
    standing = [call for call in calls if not (call.undone or call.is_empty or call.id in taken)]
    found = [call for call in calls if any(each.endswith(name) for each in call.ids)]
    if name == "last":
        found = standing[-1:]
    if len(found) == 1:
        return found[0]
    if found:
        raise AsimiError(f"{name} is the end of several IDs; write more of the one you mean")
    none = "No call is left to take back here" if name == "last" else f"No call {name} is kept here"
    raise AsimiError(f"{none}; asimi undo lists those that are kept (--root names another project)")


def _list(context: typer.Context, number: int, *, json: bool) -> None:
    configuration = _configuration_around(context)
    keeper = keeper_of(configuration)
    calls = keeper.calls.entries()
    if not calls:
        off = "" if configuration.settings().undo.keep else '; asimi keeps nothing until you set [undo] keep = "3d"'
        none = f"There is nothing to take back in {printable(configuration.root)}{off} (--root names another project)."
        out(fit(none))
        return
    width = look_of(os.environ, 1).width if is_terminal(1) else None
    with keeper.lock(), keeper.store() as store:
        now = cache(lambda: keeper.look_now(store).root)
        for call in calls[-number:]:
            moments = _moments(calls, call, now, back=False)
            found, *gaps = [list(_changes(store, keeper, each)) for each in moments]
            behind = {change.path: change for gap in gaps for change in gap}
            if call.is_empty and not behind:
                continue
            much = count(store, found)
            if json:
                fields = {"id": call.id, "time": call.time, "agent": call.agent, "command": call.command}
                fields |= {"ended": call.ended or None, "beside": call.ids[1:], "behind": [*behind]}
                files = [change.path for change in found]
                out(dumps(fields | {"undone": call.undone or None, "files": files} | much._asdict()))
                continue
            done = sum(BESIDE not in each.path for each in found)
            short = f"  (cut short: {done} of {plural(call.steps, 'path')})"
            cut = "" if call.after else short if call.undone else "  (no look at its end)"
            rows = [(call.id, _much(call, much), call.agent, call.command + cut + _amid(call))]
            rows += [(name, "with the one above", agent, command) for name, agent, command in call.beside]
            if behind:
                words = f"(after its end: changed in the background of it, or by others) {call.command}"
                rows.append((call.id, plural(len(behind), "file"), call.agent, words))
            for name, size, agent, text in rows:
                when = time.strftime("%m-%d %H:%M:%S", time.localtime(call.time))
                line = f"{name[-SHORT:]}  {when}  {size:22}  {printable(agent or 'you'):11}  "
                words = printable(text)
                out(line + (words if width is None else shorten(words, max(width - len(line), 20), "…")))


def _amid(call: KeptCall) -> str:
    """Return which earlier calls may have changed files, too, while a call ran, in words; empty for none."""
    return f"  ({', '.join(each[-SHORT:] for each in call.amid)} ran on meanwhile)" if call.amid else ""


def _much(call: KeptCall, much: object) -> str:
    """Return how much a call changed, in few words: `3 files +12 -4`."""
    assert isinstance(much, ChangeCount)
    files = much.made + much.changed + much.removed
    if not files:
        return "the repository" if call.stood != call.noted else "nothing"
    lines = f" +{much.added} -{much.lost}" if much.added or much.lost else ""
    return plural(files, "file") + lines + ("" if much.whole else " …")


def _show(keeper: Keeper, call: KeptCall, only: Sequence[str], *, back: bool) -> None:
    """Print what a call changed."""
    with keeper.lock(), keeper.store() as store:
        now = cache(lambda: keeper.look_now(store).root)
        moments = _moments(keeper.calls.entries(), call, now, back=back)
        if back:
            theirs = {change.path for each in moments for change in _changes(store, keeper, each)}
            found = (each for each in changes(store, moments[0].before, now()) if each.path in theirs)
        else:
            found = (change for each in moments for change in _changes(store, keeper, each))
        for change in found:
            if not only or any(not each or is_below(change.path, each) for each in only):
                for line in difference(store, change):
                    out(printable(line))


def _take_back(configuration: Configuration, keeper: Keeper, call: KeptCall, only: Sequence[str], *, back: bool) -> int:
    """Take back what a call changed, after a person's yes; return the exit code.

    Raises:
        AsimiError: nobody can be asked, or what was kept is not there any more.
    """
    require_person("take back what a call changed")
    with keeper.lock(), keeper.store() as store:
        cut = _swept(configuration.root, store, keeper)
        plan = plan_of(store, keeper, call, only, back=back)
        stands = keeper.current_git_state(store)
    said = [*cut, *_plan_lines(call, plan), *_git_advice(call.noted, stands)]
    if not plan.steps:
        out("\n".join([*said, "There is nothing to take back: each file is as it was."]))
        return 1 if plan.lost else 0
    sure = sum(not step.doubt for step in plan.steps)
    if sure:
        asked = f"Take back {plural(sure, 'path')} in {printable(configuration.root)}?"
        if not confirm_at_terminal("\n".join([*said, asked])):
            return 126
        said = []
    steps = []
    for step in plan.steps:
        if step.doubt:  # by itself
            what = f"{'Remove' if step.was is None else 'Replace'} {printable(step.path)} all the same?"
            if not confirm_at_terminal("\n".join([*said, f"{printable(step.path)}: {step.doubt}", what])):
                continue
            said = []
        steps.append(step)
    if not steps:
        return 126

    with keeper.lock(), keeper.store() as store:
        anew = plan_of(store, keeper, call, only, back=back)
        if anew.steps != plan.steps:
            raise AsimiError("Something has changed meanwhile, so nothing was taken back; look at it again")
        mine = _start_record(store, keeper, call, only)._replace(steps=len(steps))
        keeper.calls.keep(mine)
        with log_of(configuration).write_changes("undo", {"file": configuration.root, "entry": call.id}):
            failed = restore(configuration.root, store, steps)
        look = keeper.look_now(store)
        keeper.calls.keep(
            mine._replace(after=look.root.hex(), ended=time.time(), stood=keeper.current_git_state(store))
        )
        store.flush()
    for path, why in failed:
        out(f"stays as it is  {printable(path)}: {printable(why)}")
    out(f"taken back  {plural(len(steps) - len(failed), 'path')}; asimi undo {mine.id[-SHORT:]} undoes that")
    return 1 if failed else 0


def _take_back_task(configuration: Configuration, name: str) -> int:
    """Take back what undo kept of the calls of a task, the last one first, each after its own yes; the exit code.

    Raises:
        AsimiError: nothing ran under such a task, or as `_take_back`.
    """
    calls = list(under(configuration, name))
    if not calls:
        raise AsimiError(f"Nothing ran here under a task {name}; asimi log --why names the tasks of calls")
    for each in calls:
        if any(f" at {kind} " in str(why.get("rule")) for why in each["reasons"] for kind in AWAY):
            out(f"no undo reaches  {printable(str(each.get('command')))}")
    out("no undo reaches  what its code did outside of the project")
    keeper, codes = keeper_of(configuration), [0]
    kept = {each.id: each for each in keeper.calls.all()}
    for each in reversed(calls):
        call = kept.get(str(each["id"]))
        if call is not None and not call.is_empty:
            codes.append(_take_back(configuration, keeper, call, (), back=False))
    return max(codes)


def plan_of(store: Store, keeper: Keeper, call: KeptCall, only: Sequence[str] = (), *, back: bool = False) -> Plan:
    """Return what would take a call back; the arguments are those of the command."""
    now = keeper.look_now(store).root
    return make_plan(
        store, _moments(keeper.calls.entries(), call, lambda: now, back=back), now, only, partial(_change_time, keeper)
    )


def _change_time(keeper: Keeper, path: str) -> float:
    """Return when what is at a path has changed, in seconds since the epoch; what is not there has just gone."""
    try:
        return os.lstat(os.path.join(keeper.root, path)).st_ctime
    except OSError:
        return time.time()


def _changes(store: Store, keeper: Keeper, moment: Moment) -> Iterator[Change]:
    """Yield what changed in a moment, without what changed before its call really began."""
    found = changes(store, moment.before, moment.after)
    return (each for each in found if not moment.since or _change_time(keeper, each.path) >= moment.since)


def _moments(calls: Sequence[KeptCall], call: KeptCall, now: Callable[[], bytes], *, back: bool) -> list[Moment]:
    """Return what a call found and left, and what all later calls did with `back`.

    What changed between two calls is one more moment, all of it in doubt, if something that the call has left running
    ran then, or only the inside of a box told its end: what that tells moves nothing out of reach.

    Args:
        calls: all that are kept, as entries.
        call: one of them.
        now: gives the digest of the tree as it is.
        back: whether later calls are taken back, too.
    """
    found, later = [], calls[calls.index(call) :]
    taken = later if back else [call]
    ids = {name for each in taken for name in each.ids}
    for each, following in zip_longest(later, later[1:]):
        before = bytes.fromhex(each.before)
        end = partial(bytes.fromhex, following.before) if following is not None else now
        after = bytes.fromhex(each.after) if each.after else None
        if each in taken:
            until = inf if after is not None else each.time + GRACE
            found.append(Moment(before, after or end(), until, since=each.began))
        if after is not None and (ids.intersection(each.left) or (each in taken and each.inside)):
            found.append(Moment(after, end(), 0.0, BEHIND))
    return found


def _swept(root: str, store: Store, keeper: Keeper) -> list[str]:
    """Remove what an undo that was cut short left beside the files; return what to say of it."""
    said = []
    for call in keeper.calls.all():
        if call.undone and not call.ended:
            new = changes(store, bytes.fromhex(call.before), keeper.look_now(store).root)
            own = [each for each in new if each.before is None and os.path.basename(each.path).startswith(BESIDE)]
            restore(root, store, [Step(each.path, None, each.after, since=False) for each in own])
            keeper.calls.keep(call._replace(ended=time.time()))
            back = f"asimi undo {call.id[-SHORT:]}"
            said.append(f"{printable(call.command)} was cut short; {back} takes back what it did")
    return said


def _start_record(store: Store, keeper: Keeper, call: KeptCall, only: Sequence[str]) -> KeptCall:
    """Return the record of this undo that is kept before it begins."""
    look = keeper.look_now(store)
    name = f"{int(time.time() * 1000):x}-{os.urandom(4).hex()}"
    words = " ".join(["asimi undo", call.id[-SHORT:], *only])
    noted = keeper.current_git_state(store)
    store.flush()
    return KeptCall(name, time.time(), "", "", "", words, look.root.hex(), noted=noted, undone=call.id)


def _plan_lines(call: KeptCall, plan: Plan) -> list[str]:
    """Return what a person reads before they answer: first what cannot come back."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(call.time))
    lines = [f"{when}  {printable(call.agent or 'you')}{_amid(call)}", with_bars([call.command])]
    lines += [f"with, at that time  {printable(command)}" for _, _, command in call.beside]
    lines += [f"cannot come back  {printable(path)}: {why}" for path, why in plan.lost]
    if call.counts:
        much = ", ".join(f"{number} {REASONS.get(why, why)}" for why, number in call.counts.items())
        named = ", ".join(printable(path) for path, _, _ in call.unkept[:GIVEN_BACK])
        lines.append(f"not kept then     {much} ({named}); nor what git ignores")
    else:
        lines.append("not kept then     what git ignores, and what is outside of the project")
    for step in plan.steps[:NAMED]:
        lines.append(f"{_verb(step):16}  {printable(step.path)}{'  (changed since)' if step.since else ''}")
    if len(plan.steps) > NAMED:
        lines.append(f"and {len(plan.steps) - NAMED} more (--diff shows what changed)")
    return lines


def _verb(step: Step) -> str:
    """Return what becomes of a path."""
    if step.was is None:
        return "goes away"
    return "comes back" if step.now is None else "as it was"


def _git_advice(before: GitState, now: GitState) -> list[str]:
    """Return how the repository stood, with the commands by which a person brings it back."""
    lines = []
    if before.head and before.head != now.head:
        lines.append(f"HEAD was          {printable(before.head.removeprefix('ref: refs/heads/'))}")
    moved = [(name, commit) for name, commit in before.branches.items() if now.branches.get(name) != commit]
    here = now.head.removeprefix("ref: refs/heads/")
    for name, commit in moved:
        back = f"git reset --soft {commit}" if name == here else f"git branch -f {name} {commit}"
        lines.append(f"move branch back  {printable(back)}")
    dropped = [each for each in before.stashes if each not in now.stashes]
    lines += [f"stash it again    git stash store {printable(commit)}" for commit in dropped]
    if before.staged and before.staged != now.staged:
        lines.append("The index has changed: run git add again for what you want staged.")
    return lines
