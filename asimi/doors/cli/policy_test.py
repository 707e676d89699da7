"""`asimi policy test`: judges a table of calls and compares each verdict with the expected one; runs nothing."""

from __future__ import annotations

import gc
import os
import stat
import tomllib
from typing import TYPE_CHECKING

from asimi.compose.gate import shell_of
from asimi.core.call import Decision, Place, Reason, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import EXEC, SHELL, TOOLS, rule_of
from asimi.core.values import NamedTuple
from asimi.core.wire import MalformedJsonError, dumps, loads
from asimi.core.wording.explain import decision_object
from asimi.doors.cli.parallel import map_in_processes, processes_for
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import out
from asimi.doors.cli.progress import Bar
from asimi.world.audit.calls import NOT_JUDGED, logged_call
from asimi.world.audit.reading import BEGINS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from asimi.compose import Options
    from asimi.core.judging.policy import Policy
    from asimi.world.audit.calls import LoggedCall

KEYS: dict[str, type] = {
    "id": object,
    "command": str,
    "tool": str,
    "args": list,
    "directory": str,
    "coreTools": list,
    "excludeTools": list,
    "expect": str,
}
"""The keys of a row and their types."""

REJECTED = frozenset({"substitution", "too_large"})

EXPECTED: dict[str, Callable[[Decision], bool]] = {
    "allow": lambda decision: decision.verdict is Verdict.ALLOW,
    "ask": lambda decision: decision.verdict is Verdict.ASK,
    "deny": lambda decision: decision.verdict is Verdict.DENY,
    "not_allow": lambda decision: decision.verdict is not Verdict.ALLOW,
    "reject": lambda decision: (
        decision.verdict is Verdict.DENY and any(reason.code in REJECTED for reason in decision.reasons)
    ),
}
"""Whether a decision is as expected, for each word that `expect` can be."""

BLOCK = 512
"""Lines that are written together."""

SHORT = 80
"""Bytes of a short row; a file has about that many rows at most."""

KINDS = {True: "as expected", False: "are not", "lost": "cannot be judged again", None: "without `expect`"}
"""What becomes of a row, in words of the last line and in their order."""


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        place: where it is, `FILE:LINE` or `FILE: case N`.
        value: its keys and values, checked.
        logged: of a line of the log, the call, or why it cannot be judged again; None for other rows.
    """

    place: str
    value: dict[str, Any]
    logged: LoggedCall | str | None = None


def run_table(options: Options, file: str, *, as_json: bool, boxed: bool = False, behind: bool = False) -> int:
    """Judge every row of a file and print the results.

    Args:
        options: what the caller chooses.
        file: the table.
        as_json: whether each result is a line of JSON.
        boxed: whether rows are judged as in a box.
        behind: whether rows are judged as behind an agent's hook.

    Returns:
        0 if every row is as expected, else 1.

    Raises:
        AsimiError: the file cannot be read or has no row, or a row cannot be understood.
    """
    gc.freeze()  # the command line does not collect garbage while it imports
    gc.enable()
    judge = _Judge(options, boxed=boxed, behind=boxed or behind)

    def tell(row: Row) -> tuple[str, list[str]]:
        """What became of a row, and the lines about it; a text, because it goes from one process to another."""
        judged, expect = judge.judge(row), row.value.get("expect")
        if isinstance(judged, str):
            return KINDS["lost"], _lines(row, judged, ok=False, as_json=as_json, boxed=boxed)
        ok = None if expect is None else EXPECTED[expect](judged)
        return KINDS[ok], _lines(row, judged, ok=ok, as_json=as_json, boxed=boxed)

    kinds = dict.fromkeys(KINDS.values(), 0)
    lines: list[str] = []
    before = _stamp_of(file)
    processes = 1 if before is None else processes_for(before[0] // SHORT)  # each of which reads it
    with Bar("Judging") as bar:
        for kind, said in map_in_processes(lambda: _rows(file), tell, processes):
            kinds[kind] += 1
            bar.heard(sum(kinds.values()), None)
            lines += said
            if len(lines) >= BLOCK:
                bar.erase()
                out("\n".join(lines))
                lines.clear()
    if before != _stamp_of(file):
        raise AsimiError(f"{file}: was changed while it was judged; judge it again")
    total, held = sum(kinds.values()), kinds.pop(KINDS[True])
    if not total:
        raise AsimiError(f"{file}: there is no row to judge")
    if not as_json:
        more = "".join(f", {number} {what}" for what, number in kinds.items() if number)
        lines.append(f"{held} of {total} rows are as expected{more}")
    if lines:
        out("\n".join(lines))
    return 1 if kinds[KINDS[False]] or kinds[KINDS["lost"]] else 0


def _stamp_of(file: str) -> tuple[int, ...] | None:
    """What changes when a file does, its size first; None for what is none, and can be read but once."""
    try:
        there = os.stat(file)
    except OSError:
        return None
    return (there.st_size, there.st_mtime_ns, there.st_ino) if stat.S_ISREG(there.st_mode) else None


def _lines(row: Row, judged: Decision | str, *, ok: bool | None, as_json: bool, boxed: bool) -> list[str]:
    """Return what is printed of a row and its decision, or of why it cannot be judged again."""
    if as_json:
        if isinstance(judged, str):
            return [dumps({"id": row.value.get("id"), "verdict": None, "lost": judged, "ok": False})]
        return [dumps(decision_object(judged, row.value.get("id"), ok=ok, boxed=boxed))]
    if ok is not False:
        return []
    said = f"cannot be judged again: {judged}"
    if isinstance(judged, Decision):
        codes = ", ".join(dict.fromkeys(reason.code for reason in judged.reasons))
        said = f"expected {row.value['expect']}, got {judged.verdict.word} ({codes})"
    return [f"{row.place}: {said}", f"    {ascii(row.value['command'])[1:-1]}"]


class _Judge:
    """Decides rows, each by its own lists or by those in force."""

    def __init__(self, options: Options, *, boxed: bool, behind: bool) -> None:
        self.judges = Judges(options, boxed=boxed)
        self.root = self.judges.root
        self.shell = shell_of(self.root).kind
        self.policies: dict[tuple[tuple[str, ...] | None, tuple[str, ...] | None], Policy] = {
            (None, None): self.judges.policy(self.root, behind=behind)
        }

    def judge(self, row: Row) -> Decision | str:
        """Return the verdict over a row, or why it cannot be judged again.

        Raises:
            AsimiError: one of its own entries cannot be understood.
        """
        if row.logged is None:
            return self._decide(row)
        logged = self.judges.judgeable(row.logged)
        return logged if isinstance(logged, str) else self.judges.decide(logged.request, logged.behind)

    def _decide(self, row: Row) -> Decision:
        value = row.value
        arguments = value.get("args")
        tool = value.get("tool") or (SHELL if arguments is None else EXEC)
        if tool == EXEC and arguments is None:
            arguments = []
        directory = value.get("directory", "")
        path = os.path.realpath(os.path.join(self.root, directory)) if directory else self.root
        place = Place.at(path, self.root)
        if tool == SHELL and (os.path.isabs(directory) or not place.inside):
            outside = Reason("directory", f"{directory} is absolute or leads outside the project root")
            return Decision(Verdict.DENY, (outside,))
        request = Request(tool, value["command"], None if arguments is None else tuple(arguments), place, self.shell)
        return self._policy(row).decide(request)

    def _policy(self, row: Row) -> Policy:
        """Return the policy of a row: its own lists replace those in force."""
        own = [row.value.get(name) for name in ("coreTools", "excludeTools")]
        allow, deny = (None if entries is None else tuple(entries) for entries in own)
        if (allow, deny) not in self.policies:
            try:
                self.policies[allow, deny] = self._with_lists(allow, deny)
            except AsimiError as error:
                raise AsimiError(f"{row.place}: {error}") from None
        return self.policies[allow, deny]

    def _with_lists(self, allow: tuple[str, ...] | None, deny: tuple[str, ...] | None) -> Policy:
        policy = self.policies[None, None]
        rules = [
            rule
            for rule in policy.rules
            if not (rule.verdict is Verdict.ALLOW and allow is not None)
            and not (rule.verdict is Verdict.DENY and deny is not None)
        ]
        for entries, verdict in ((allow, Verdict.ALLOW), (deny, Verdict.DENY)):
            rules += [rule_of(entry, verdict) for entry in entries or ()]
        return policy.with_rules(rules)


def _rows(file: str) -> Iterator[Row]:
    """Yield the rows of a file.

    Raises:
        AsimiError: it cannot be read, or a row cannot be understood.
    """
    try:
        with open(file, encoding="utf-8") as lines:
            if file.endswith(".toml"):
                yield from _toml_rows(file, lines.read())
                return
            for number, line in enumerate(lines, 1):
                if line.strip():
                    try:
                        value = loads(line)
                    except MalformedJsonError as error:
                        raise AsimiError(f"{file}:{number}: {error}") from None
                    if (row := _row(f"{file}:{number}", value)) is not None:
                        yield row
    except OSError as error:
        raise AsimiError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise AsimiError(f"{file}: is not UTF-8, at byte {error.start + 1}") from None


def _row(place: str, value: Any) -> Row | None:
    """A row that can be judged, also one that is a line of the log; None for a line that is about no judged call.

    Raises:
        AsimiError: it cannot be understood.
    """
    if not isinstance(value, dict) or "event" not in value:
        return _row_of(place, value)
    found = logged_call(value)
    if value["event"] not in BEGINS or found == NOT_JUDGED or "files" in value:
        return None
    row = {"id": value.get("id"), "command": str(value.get("command"))}
    return Row(place, row if isinstance(found, str) else row | {"expect": found.verdict.word}, found)


def _toml_rows(file: str, text: str) -> Iterator[Row]:
    """Yield the `[[case]]` tables of a TOML text.

    Raises:
        AsimiError: it is not valid TOML, or contains something else.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise AsimiError(f"{file}: {error}") from None
    cases = document.pop("case", [])
    if document or not isinstance(cases, list):
        raise AsimiError(f"{file}: must contain only [[case]] tables")
    for number, value in enumerate(cases, 1):
        yield _row_of(f"{file}: case {number}", value)


def _row_of(place: str, value: Any) -> Row:
    """Return a row that can be judged.

    Raises:
        AsimiError: it cannot be judged.
    """
    if not isinstance(value, dict):
        raise AsimiError(f"{place}: a row must be an object with a command")
    for name, content in value.items():
        if name not in KEYS:
            raise AsimiError(f"{place}: {name!r} is not a key of a row; its keys are {', '.join(KEYS)}")
        if not isinstance(content, KEYS[name]):
            raise AsimiError(f"{place}: {name} must be a {'string' if KEYS[name] is str else 'list'}")
        if isinstance(content, list) and not all(isinstance(item, str) for item in content):
            raise AsimiError(f"{place}: {name} must be a list of strings")
    if "command" not in value:
        raise AsimiError(f"{place}: command is missing")
    if value.get("tool", SHELL) not in TOOLS:
        raise AsimiError(f"{place}: tool must be {' or '.join(TOOLS)}")
    if value.get("tool") == SHELL and "args" in value:
        raise AsimiError(f"{place}: args is for {EXEC}; the command of {SHELL} is one string")
    if value.get("expect", "allow") not in EXPECTED:
        raise AsimiError(f"{place}: expect must be one of {', '.join(EXPECTED)}")
    return Row(place, value)
