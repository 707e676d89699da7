"""Effects in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.programs.effects import WORDS, covers, in_order, phrases

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from asimi.core.call import Act, Deed, Question, Sandbox

OF_PATHS = {"read": "reads", "write": "writes", "delete": "deletes", "move": "moves", "name": "names"}
"""What is said before a path."""

ORDER = ("delete", "move", "publish", "system", "code", "write", "network", "name", "read")
"""In which order the acts of one command are told: the worst first."""

WEIGHTY = frozenset({"delete", "publish", "system"})
"""What deserves a second look, as a path does that is outside the project or may hold a secret."""

COMES_BACK = {"kept": "kept", "rebuilt": "not kept, made again by tools"}
"""What is said of what undo brings back, and of what need not come back; of the rest, why it does not."""

MOST = 3
"""Paths of one kind that are named; the rest are counted."""


def does(named: Collection[str]) -> str:
    """Effects and kinds that a rule names, as verbs: `reads or writes files`; `does nothing` where there are none."""
    return join_words([WORDS[each] for each in in_order(named)] or ["does nothing"], "or")


def does_all(kinds: Collection[str]) -> str:
    """Effects as all that one command does: `uses the network and runs code that is not shown`.

    Args:
        kinds: at least one.
    """
    return join_words(list(phrases(kinds).values()), "and")


def join_words(words: Sequence[str], word: str) -> str:
    """Words as a person lists them, with a word before the last.

    Args:
        words: at least one.
        word: `and` or `or`.
    """
    *before, last = words
    comma = "," if before and f" {word} " in before[-1] else ""
    return f"{', '.join(before)}{comma} {word} {last}" if before else last


def describe_deed(deed: Deed) -> str:
    """What a command would do, in one line; empty where there is nothing to tell."""
    phrases: list[tuple[str, str]] = []  # what is done, and where that is
    for kind in ORDER:
        groups: dict[tuple[str, ...], list[Act]] = {}
        for act in deed.acts:
            if act.does == kind and act.path:
                groups.setdefault((act.words, act.where, "secret" * act.secret, act.undo), []).append(act)
        phrases += [_of_paths(acts) for acts in groups.values()]
        phrases += [(_alone(act), "") for act in deed.acts if act.does == kind and not act.path]
    if deed.effects is None:
        known = any(act.does != "name" for act in deed.acts)
        phrases.append((f"asimi does not know what {'else ' if known else ''}it does", ""))
    said = []
    for number, (what, where) in enumerate(phrases, 1):
        follows = number < len(phrases) and phrases[number][1] == where  # the same place is said once, behind the last
        said.append(f"{what} ({where})" if where and not follows else what)
    return ", ".join(dict.fromkeys(said))


def weighs(deed: Deed) -> bool:
    """Whether what a command would do deserves a second look."""
    return any(
        act.does in WEIGHTY or act.secret or (act.where == "outside" and act.does != "read") for act in deed.acts
    )


def _of_paths(acts: Sequence[Act]) -> tuple[str, str]:
    """Paths to which the same is done in the same place, and that place."""
    kind, words, where, secret = acts[0].does, acts[0].words, acts[0].where, acts[0].secret
    named = [act.shown for act in acts[:MOST]] + ([f"{len(acts) - MOST} more"] if len(acts) > MOST else [])
    said = [_file_count([act.files for act in acts])] if kind == "delete" else []
    if where == "temporary":
        said.append("a temporary place")
    elif where == "outside" or kind not in {"read", "name"}:
        said.append("in the project" if where == "project" else "outside the project")
    said += ["may hold a secret"] * secret
    said += [COMES_BACK.get(acts[0].undo, f"not kept: {acts[0].undo}")] if acts[0].undo else []
    return f"{words or OF_PATHS[kind]} {join_words(named, 'and')}", ", ".join(filter(None, said))


def _file_count(files: Sequence[int | None]) -> str:
    """How many files some deletes would take, where that was looked at and is not plain."""
    counts = [each for each in files if each is not None]
    if len(counts) < len(files):
        return ""
    if -1 in counts:
        return "many files"
    number = sum(counts)
    return "nothing is there" if not number else f"{number} files" if number != len(counts) else ""


def _alone(act: Act) -> str:
    """An act without a path."""
    if act.script:
        return f"runs code of this project: `{act.words}`" if act.words else f"runs this project's script {act.script}"
    return act.words or WORDS[act.does]


FEW = 3
"""Names that are told; of more, how many more there are."""


def describe_sandbox(sandbox: Sandbox) -> str:
    """What a sandbox holds a command to, in one line; empty where there is none.

    Only what is held is told: files are written, not read, and daemons that a command can speak to may do more.
    """
    if sandbox.mode == "off":
        return ""
    where = [] if sandbox.mode == "read-only" else ["the project" if each == "." else each for each in sandbox.writable]
    parts = [
        f"in a sandbox: writes only in {join_words([*where, 'a temporary directory'], 'and')}",
        f"not in {_few(sandbox.protected)}" if sandbox.protected else "",
        f"cannot read {_few(sandbox.hidden)}" if sandbox.hidden else "",
        {"none": "no network", "named": "reaches only names that are allowed"}.get(sandbox.network, ""),
        "may speak to local daemons" if sandbox.sockets else "",
    ]
    return "; ".join(filter(None, parts))


def holds(question: Question) -> str:
    """What holds a command that is asked about; where it is not all that runs, what follows from that."""
    parts = [describe_sandbox(question.decision.sandbox)]
    denied = [entry.partition("(")[2].removesuffix(")") or entry for entry in dict.fromkeys(question.enforced)]
    parts.append(f"may not start {_few(denied)}" if denied else "")
    if not parts[0] and has_hidden_effects(question.deeds):
        nothing = "" if any(parts) else "by nothing: "
        parts.append(f"{nothing}what the program itself does is not checked")
    return "; ".join(filter(None, parts))


def has_hidden_effects(deeds: tuple[Deed, ...]) -> bool:
    """Whether something runs whose own doing no text shows."""
    return any(deed.effects is None or any(covers({"code"}, kind) for kind in deed.effects) for deed in deeds)


def _few(names: Sequence[str]) -> str:
    more = f" ({len(names) - FEW} more)" if len(names) > FEW else ""
    return f"{', '.join(names[:FEW])}{more}"
