"""What the parts of a command can do, in words a person can weigh; a help for the eye, never a reason to allow.

A table knows some hundreds of programs by name, subcommand and option. It is judged by the words alone: what a script
or an unknown program does nobody here knows, and then that is what is said.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.lean import NamedTuple
from asimi.core.programs import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.call import Decision
    from asimi.core.programs.program import Program

LOW, MEDIUM, HIGH = 0, 1, 2
LEVELS = ("low", "medium", "high")

EFFECTS = {
    "disk": (HIGH, "can overwrite whole disks"),
    "machine": (HIGH, "stops or restarts the machine"),
    "fetched": (HIGH, "may run what it downloads"),
    "root": (HIGH, "acts as another user"),
    "deletes": (HIGH, "deletes files"),
    "discards": (HIGH, "throws away changes"),
    "history": (HIGH, "rewrites published history"),
    "secrets": (HIGH, "touches credentials"),
    "computed": (HIGH, "runs what only bash can know"),
    "accounts": (HIGH, "changes accounts or passwords"),
    "firewall": (HIGH, "changes the network's rules"),
    "data": (HIGH, "can change or delete data in a service"),
    "publishes": (MEDIUM, "publishes"),
    "permissions": (MEDIUM, "changes permissions or owners"),
    "ends": (MEDIUM, "ends processes"),
    "services": (MEDIUM, "starts or stops services"),
    "later": (MEDIUM, "makes something run later"),
    "remote": (MEDIUM, "acts on other machines"),
    "containers": (MEDIUM, "acts on containers"),
    "installs": (MEDIUM, "installs software, which runs its code"),
    "code": (MEDIUM, "runs code that is not shown"),
    "input": (MEDIUM, "runs the code that it reads from its input"),
    "given": (MEDIUM, "runs the code in its arguments"),
    "network": (MEDIUM, "uses the network"),
    "writes": (MEDIUM, "writes files"),
    "repository": (MEDIUM, "changes the repository"),
    "waits": (LOW, "waits"),
    "reads": (LOW, "reads and shows"),
}
"""Each effect: how much it weighs, and the words; the worst first, as they are shown."""

SECRETS = (
    ".ssh/", "id_rsa", "id_ed25519", ".aws/", ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".gnupg",
    ".kube/config", ".docker/config.json", "/etc/shadow", "/etc/sudoers", ".env",
)  # fmt: skip
"""Parts of paths where credentials are kept."""

BY_REASON = {"redirection": "writes", "dynamic": "computed", "code": "code"}
"""What a reason of the verdict says by itself."""


class Risk(NamedTuple):
    """What a command can do.

    Attributes:
        level: `low`, `medium`, `high`, or `unknown` where a program is in no table and nothing worse is known.
        words: what it can do, the worst first; never empty.
    """

    level: str
    words: tuple[str, ...]

    @property
    def high(self) -> bool:
        """Whether it deserves a second look."""
        return self.level == "high"


def risk_of(decision: Decision) -> Risk:
    """What a command that was judged can do."""
    found: set[str] = {BY_REASON[reason.code] for reason in decision.reasons if reason.code in BY_REASON}
    unknown: dict[str, None] = {}
    fetched = False
    for part in decision.parts:
        if not part.words:
            continue
        program = None if part.words[0] is None else part.words[0].rpartition("/")[2]
        row = None if program is None else find(program)
        effects = {"computed"} if program is None else set(_effects(row, part.words[1:]) if row else ())
        if not effects and program is not None:
            unknown[program] = None
        if fetched and row is not None and (row.shell or "code" in row.traits):
            effects.add("fetched")
        fetched = fetched or (row is not None and "fetches" in row.traits)
        if any(word is not None and secret in word for word in part.words[1:] for secret in SECRETS):
            effects.add("secrets")
        found |= effects
    if found & {"fetched", "computed"}:
        found -= {"code", "input"}  # that is what they say, only worse
    worst = max((EFFECTS[effect][0] for effect in found), default=LOW)
    words = [text for effect, (weight, text) in EFFECTS.items() if effect in found and (weight or worst == LOW)]
    if unknown or not words:
        names = list(unknown)
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        words.append(f"it is not known what {', '.join(names[:3]) or 'this'}{more} can do")
    return Risk("unknown" if worst < HIGH and (unknown or not found) else LEVELS[worst], tuple(words))


def _effects(program: Program, arguments: Sequence[str | None]) -> Iterator[str]:
    """The effects of one command; of an entry with a program alone and one with arguments, both count."""
    for effect, entries in abilities(program):
        for wanted in entries:
            if all(any(_is(argument, one) for argument in arguments) for one in wanted):
                yield effect if effect != "code" or wanted else _source(program, arguments)


def _source(program: Program, arguments: Sequence[str | None]) -> str:
    """Where the code that a program always runs comes from: `given` by an argument, `input`, else `code`, a file."""
    if program.name == "eval":
        return "given"
    if not program.shell and program.traits.isdisjoint({"code", "interprets"}):
        return "code"
    syntax = program.syntax
    texts = {"-c"} if program.shell else {option for operand in syntax.operands for option in operand.unless} - {"-m"}
    value = False  # whether the next word belongs to an option
    for argument in arguments:
        if value:
            value = False
        elif argument is None or argument[:2] == "-m" or not argument.startswith("-"):
            return "code"
        elif argument == "-" or (program.shell and argument == "-s"):
            return "input"
        elif any(_is(argument, option) for option in texts):
            return "given"
        else:
            value = argument in syntax.options and syntax.options[argument].value == "="
    return "input"


def _is(argument: str | None, wanted: str) -> bool:
    """Whether an argument is what the table names: a word, an option, a letter of bundled options, a beginning."""
    if argument is None:
        return False
    if wanted.startswith("--") and len(wanted) > 2:
        return argument == wanted or argument.startswith(wanted + "=")
    if wanted.startswith("-") and len(wanted) == 2 and wanted != "--":
        return argument.startswith("-") and not argument.startswith("--") and wanted[1] in argument
    if "*" in wanted:
        begin, _, end = wanted.partition("*")
        return argument.startswith(begin) and end.replace("*", "") in argument
    return argument == wanted


@cache
def abilities(program: Program) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """What a program can do: each effect with the words that must be among the arguments, none for all of it."""
    found = []
    for each in program.can.split("; ") if program.can else ():
        effect, _, entries = each.partition(": ")
        found.append((effect, tuple(tuple(entry.split()) for entry in entries.split(", ")) if entries else ((),)))
    return tuple(found)
