"""What deny rules say of an execution, whoever starts it: the rules of the text, on the argument list as it is.

Only programs that a rule names are judged, by whatever name or file they are called, and three kinds that run another
program inside themselves: busybox and its like, the dynamic loader, and the interpreters of scripts that rules name.
What `env`, `xargs` or a shell start is an execution of its own.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import SCARCE
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import EXEC
from asimi.core.programs import find, plain
from asimi.core.reading.commands import base
from asimi.core.values import NamedTuple
from asimi.extras.exec_rules.identity import SYSTEM, Identities, row_of
from asimi.extras.exec_rules.images import Image, directory_of, in_its_eyes, opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asimi.core.judging.rules import Rule

LOADER, MANY = "ld.so", "busybox"
"""The rows of the catalogue for the dynamic loader, and for files that hold many programs."""
LOADERS = (
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-i386.so.1", "/lib/ld-musl-aarch64.so.1",
)  # fmt: skip
"""Where a program's file says that its loader is; each machine has its own."""
REMEMBERED = 1024
"""Judgements that are remembered, and names that no rule is about."""
SHORT = 4096
"""Characters of what is remembered."""
DEEPEST = 5
"""Interpreters of interpreters that the kernel follows (BINPRM_MAX_RECURSION, and one)."""


class Said(NamedTuple):
    """That an execution is refused.

    Attributes:
        argv: what was to be executed, its own name first.
        rule: the entry that says so, or why it cannot be judged.
        source: where that is written, or None.
    """

    argv: tuple[str, ...]
    rule: str
    source: str | None


class ExecRules:
    """Deny rules with a command, as they hold for what a call starts.

    Args:
        rules: the rules; one with a directory holds wherever a call that began there goes.
        path: PATH as the call has it.
    """

    def __init__(self, rules: Iterable[Rule], path: str) -> None:
        self.rules, self.path = tuple(rules), path
        self.policy = Policy([rule._replace(directory=None) for rule in self.rules], Terms(substitution="judge"))
        self._free: set[tuple[str, ...]] = set()  # names that no rule is about
        self._judged: dict[tuple[tuple[str, ...], str], Said | None] = {}
        names = dict.fromkeys(word for rule in self.rules if rule.words for word in rule.words[0])
        directories = [each for each in path.split(os.pathsep) if os.path.isabs(each)]
        inside = [(each, LOADER) for each in LOADERS]
        inside += [(os.path.join(where, each), each) for where in SYSTEM for each in _holders()]
        self.files = Identities(names, directories, inside)

    def refuse_coming(self, image: Image, pid: int) -> Said | None:
        """What is said against an execution that a process asks for; None where nothing is.

        Raises:
            OSError: its file cannot be read.
        """
        for each in _interpreted(image, pid):
            said = self.refuse(each, pid)
            if said is not None:
                return said
        return None

    def refuse(self, image: Image, pid: int, depth: int = 0) -> Said | None:
        """What is said against a program itself.

        Raises:
            OSError: its file cannot be read.
        """
        called = (image.argv[0] if image.argv else "").removeprefix("-")  # as for a login shell; busybox takes it off
        known = self.files.of(image.descriptor) if image.descriptor >= 0 else ()
        key = called, image.path, *known
        if key in self._free:
            return None
        names = [name for name in dict.fromkeys(key) if name]
        loads, reads = any(_is(name, LOADER) for name in names), any(map(self._reads_scripts, names))
        if not reads and not any(map(self._concerns, names)):
            if len(self._free) >= REMEMBERED:
                self._free.clear()
            if _is_short(key):
                self._free.add(key)
            return None
        holds = [name for name in names if _is(name, MANY)]
        if holds and not _is(called, MANY):  # by which of its programs it was called; or by none
            names = [name for name in names if name not in holds]
            if find(base(called)) is None:
                names += holds
        for name in names:
            if self._concerns(name):
                said = self._judge(Image(name, (name, *image.argv[1:]), -1), pid)
                if said is not None:
                    return said._replace(argv=image.argv or (image.path,))
        if depth < DEEPEST and (loads or reads):
            return self._loaded(image, pid, depth, scripts=not loads)
        return None

    def _concerns(self, name: str) -> bool:
        """Whether a rule may be about a program of this name."""
        name = base(name)
        named = self.policy.names
        dashed = name.partition("-")[0]  # `git-push` is `git push`
        known = name in named or dashed in named or plain(name) in named
        return known or _is(name, MANY) or _is(name, LOADER)

    def _reads_scripts(self, name: str) -> bool:
        """Whether a program of this name runs scripts that rules name."""
        return bool(self.files.interpreters) and row_of(name) in self.files.interpreters

    def _judge(self, image: Image, pid: int) -> Said | None:
        """What the rules say, by the one who judges texts; builds say the same few things again and again."""
        key = image.argv, directory_of(pid)
        try:
            return self._judged[key]  # calls share it, each with a thread of its own
        except KeyError:
            request = Request(EXEC, image.argv[0], image.argv[1:], Place.at(key[1], "/"))
            decision = self.policy.decide(request)
        reason = decision.reasons[0] if decision.verdict is Verdict.DENY else None
        if len(self._judged) >= REMEMBERED:
            self._judged.clear()
        said = reason and Said(image.argv, reason.rule or reason.message, reason.source)
        if _is_short(image.argv):
            self._judged[key] = said
        return said

    def _loaded(self, image: Image, pid: int, depth: int, *, scripts: bool) -> Said | None:
        """What is said of the program that a loader or an interpreter is given: any argument that is a file may be it.

        An interpreter has others among its arguments, so for it only the files themselves count, and no name.

        Raises:
            OSError: there is no room to look.
        """
        for index, word in enumerate(image.argv[1:], 1):
            try:
                with opened(in_its_eyes(pid, word)) as descriptor:
                    known = not scripts or self.files.of(descriptor)
                    said = known and self.refuse(Image(word, image.argv[index:], descriptor), pid, depth + 1)
            except OSError as error:
                if error.errno in SCARCE:
                    raise
                continue
            if said:
                return said._replace(argv=image.argv or (image.path,))
        return None


def _is_short(words: tuple[str, ...]) -> bool:
    """Whether words may be remembered: many long ones would fill the memory."""
    return sum(map(len, words)) <= SHORT


def _holders() -> tuple[str, ...]:
    """The names of programs that hold many."""
    row = find(MANY)
    return () if row is None else (row.name, *row.aliases)


def _is(name: str, row: str) -> bool:
    """Whether a name stands for a row of the catalogue."""
    name = base(name)
    if not name.startswith(("busybox", "coreutils", "toybox", "uutils") if row == MANY else "ld"):
        return False
    program = find(name)
    return program is not None and program.name == row


def _interpreted(image: Image, pid: int, depth: int = 0) -> Iterator[Image]:
    """A program, and the interpreters that the kernel will start instead of it (execve(2), Interpreter scripts)."""
    yield image
    head = os.pread(image.descriptor, 256, 0)
    words = head[2:].partition(b"\n")[0].strip(b" \t\0").split(None, 1) if head.startswith(b"#!") else []
    if not words or depth >= DEEPEST:
        return
    interpreter, *option = [os.fsdecode(word) for word in words]
    try:
        with opened(in_its_eyes(pid, interpreter)) as descriptor:
            argv = (interpreter, *option, image.path, *image.argv[1:])
            yield from _interpreted(Image(interpreter, argv, descriptor), pid, depth + 1)
    except OSError as error:  # the kernel will not start it either
        if error.errno in SCARCE:
            raise
