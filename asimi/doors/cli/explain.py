"""`asimi explain`: what the catalogue says of a program."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import fitted, out, quoted

if TYPE_CHECKING:
    from asimi.compose import Options


def explain(options: Options, words: list[str], json: bool = False) -> int:  # noqa: FBT001, FBT002 - a flag of the command line
    """Show what asimi knows of a program: its effects, and which subcommands, options and operands change them.

    `asimi check` says what a whole command would do, and whether it may.
    """
    from difflib import get_close_matches

    from asimi.compose.configuration import configuration_of
    from asimi.core.programs import find
    from asimi.core.wording.programs import explained, facts

    names = [words[0].rpartition("/")[2], *words[1:]]
    row = find(names[0]) or configuration_of(options).programs().programs.get(names[0])
    if row is None:
        raise Wrong(_unknown(words))
    for index, name in enumerate(names[1:], 1):
        below = row.subcommand(name) if name[:1] != "-" else None
        near = [] if name in row.subcommands else get_close_matches(name, list(row.subcommands), 1, 0.75)
        if below is None or near:
            raise Wrong(_no_subcommand(names, index, near))
        row = below
    found = facts(names, row)
    if json:
        import json as written

        out(written.dumps(found, ensure_ascii=False))
    else:
        for line in explained(found).split("\n"):
            out(fitted(line, indent=6))
    return 0


def _unknown(words: list[str]) -> str:
    """Return what is said of a name that is in no row."""
    if words[0].split()[1:]:
        return f"PROGRAM is a name. For a whole command there is:\n  asimi check {quoted([words[0]])}"
    from difflib import get_close_matches

    from asimi.core.programs.index import NAMES

    near = get_close_matches(words[0], " ".join(NAMES.values()).split(), 3, 0.6)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"asimi knows no program {words[0]!r}, so what it does is unknown, and no rule by effects allows it.{hint}"


def _no_subcommand(names: list[str], index: int, near: list[str]) -> str:
    """Return what is said of a word that is no subcommand."""
    if near:
        hint = f"Did you mean {near[0]!r}?"
    else:
        hint = f"For a whole command there is:\n  asimi check {quoted([quoted(names)])}"
    return f"asimi knows no subcommand {names[index]!r} of {' '.join(names[:index])}. {hint}"
