"""Whether a request would touch asimi's own files, or call asimi to loosen it.

An agent's first move against a gate is to change the gate: to add an entry, to answer its own question, to delete the
log. So a command that names one of asimi's files, or asimi itself with a subcommand that changes something, is a
question each time, whatever the lists say; so is a computed word that fits one of these names (`$d/asimi`,
`~/.config/as{i,}mi`). What names them only at run time (a script, a path of nothing but variables) cannot be seen in a
text; only another owner of the files, or a sandbox, keeps that out.
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from asimi.reading.commands import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from asimi.call import Request, Span
    from asimi.reading import Command, Reading

PROGRAM = "asimi"
ONLY_LOOKS: dict[str, frozenset[str] | None] = {
    "check": None,
    "tools": None,
    "doctor": None,
    "log": None,
    "policy": frozenset({"list", "test"}),
    "config": frozenset({"show", "check", "schema"}),
    "session": frozenset({"list", "show"}),
    "jobs": frozenset({"list", "log"}),
}
"""Subcommands of asimi that change nothing, with those of their own that don't; None where all don't."""

RUNNERS = frozenset(
    "perl ruby node nodejs php lua tclsh expect script tmux screen at batch ln cp install ssh osascript".split()
)
"""Programs that start others from text, or give a program another name."""

MOVERS = frozenset(
    "rm mv cp rsync ln chmod chown chgrp shred install tar unzip find rmdir unlink mount git".split()
)
"""Programs for which a directory above asimi's files is as good as naming them."""

LONGEST = 4096
"""Characters of a path (PATH_MAX); a longer one names nothing."""

MOST_FORMS = 64
"""Forms of one word; where there are more, all from its first brace to its last stands for anything."""

ENTERS = frozenset({"cd", "pushd"})
"""Builtins after which a relative name means something else."""

_HOME = re.compile(r"""^(?:~|"?\$(?:HOME|\{HOME\})"?)(?=/|$)""")
_PYTHON = re.compile(r"python[\d.]*")
_CALLS = "this calls asimi itself, which could change what is allowed"
_MENTIONS = re.compile(rf"(?:(?<![\w.-])|(?<=-m)|(?<=[A-Za-z]m)){PROGRAM}(?![\w-])")
_SLASHES = re.compile(r"/(?:\.?/)+")
_QUOTES = re.compile(r"""['"\\]""")
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_SEQUENCE = re.compile(r"(?<!\$)\{[^{},]*\.\.[^{},]*\}")
_UNKNOWN = re.compile(r"\$(?:\w+|[@*#?$!-]|\{[^}]*\}|\([^)]*\))|`[^`]*`")
_VALUE = re.compile(r"^(?:--?[A-Za-z][\w-]*=|[a-z]+=|-[A-Za-z])")


class Protection:
    """What is asimi's own, on this machine.

    Args:
        own: its directories and files.
        home: the home directory.
        resolve: gives the real path of an absolute one, whether it exists or not.
        variables: what the variables mean that paths are often written with, such as `XDG_RUNTIME_DIR`.
        free: directories below these that results send their readers to: long outputs, logs of background processes.
    """

    def __init__(
        self,
        own: Iterable[str],
        home: str,
        resolve: Callable[[str], str],
        free: Iterable[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.home, self.resolve = home, resolve
        self.own = frozenset(path for given in own for path in (os.path.normpath(given), resolve(given)))
        self.free = tuple(f"{path}/" for given in free for path in (os.path.normpath(given), resolve(given)))
        tails = {path[len(self.home) + 1 :] for path in self.own if path.startswith(f"{self.home}/")}
        parts = "|".join(re.escape(path) for path in sorted(self.own | tails, key=len, reverse=True))
        self._anywhere = re.compile(rf"(?<![\w.-])(?:{parts})(?![\w-])[\w./+-]*")
        known = {"HOME": home, **(variables or {})}
        self._variables = [
            (re.compile(rf"\$(?:{name}\b|\{{{name}(?::?[-=+?][^}}]*)?\}})"), value) for name, value in known.items()
        ]
        self._variables.append((re.compile(rf"(?<![\w/.-])~(?:{re.escape(os.path.basename(home))})?(?=/|$)"), home))
        self._names = frozenset(os.path.basename(path) for path in self.own) | {".asimi"}

    def __call__(self, request: Request, reading: Reading) -> Iterator[Finding]:
        """What a request would touch."""
        bases = [request.place.path, *self._entered(request, reading)]
        seen: set[Span] = set()
        for command in reading.commands:
            if message := self._calls_asimi(command):
                yield Finding("protected", message, command.span)
            for word in command.words:
                if command.span not in seen and (path := self._named(command.written(word), bases, command)):
                    seen.add(command.span)
                    yield Finding("protected", f"{path} is asimi's own", command.span)
        for target, span in reading.targets:
            if path := self._named(target, bases, None):
                seen.add(span)
                yield Finding("protected", f"{path} is asimi's own", span)
        if not seen and (path := self._mentions(request)):
            yield Finding("protected", f"this names {path}, which is asimi's own", None)

    def _calls_asimi(self, command: Command) -> str:
        """Whether a command calls asimi for more than looking; in words, or empty."""
        words = [_QUOTES.sub("", command.written(word)) for word in command.words]
        name = os.path.basename(words[0])
        if name == PROGRAM:
            return "" if _only_looks(words[1:]) else _CALLS
        if _PYTHON.fullmatch(name) and words[1:3] == ["-m", PROGRAM]:
            return "" if _only_looks(words[3:]) else _CALLS
        if name in {"pipx", "uvx", "uv"} and PROGRAM in words:
            return "" if _only_looks(words[words.index(PROGRAM) + 1 :]) else _CALLS
        runs = name in RUNNERS or _PYTHON.fullmatch(name) is not None
        if runs and any(_MENTIONS.search(word) for word in words[1:]):
            return f"{name} could start asimi here, which could change what is allowed"
        return ""

    def _mentions(self, request: Request) -> str:
        """The path of asimi's that stands anywhere in a request's text, or empty.

        It is looked for in the whole text, without quotes and with the variables that are known, so that a program
        text, an option's value or a list of words hides none.
        """
        text = self._expanded(" ".join((request.command, *(request.arguments or ()))))
        text = _SLASHES.sub("/", _QUOTES.sub("", text))
        for match in self._anywhere.finditer(text):
            path = match.group().rstrip("/")
            whole = path if path.startswith("/") else f"{self.home}/{path}"
            if not f"{whole}/".startswith(self.free):
                return whole
        return ""

    def _entered(self, request: Request, reading: Reading) -> Iterator[str]:
        """The directories that the text itself goes to."""
        for command in reading.commands:
            for before, word in zip(command.words, command.words[1:], strict=False):
                if command.name in ENTERS or before.literal in {"-C", "--directory", "--chdir"}:
                    path = self._absolute(command.written(word), request.place.path)
                    if path:
                        yield path

    def _named(self, text: str, bases: Iterable[str], command: Command | None) -> str:
        """The path of asimi's that a text names, or empty."""
        for candidate in _forms(text):
            if not candidate or len(candidate) > LONGEST or not self._could_name(candidate, command):
                continue
            for base in bases:
                path = self._absolute(candidate, base)
                if path and self._is_own(path, command):
                    return path
            if "$" in candidate or "`" in candidate:
                path = self._computed(candidate, command)
                if path:
                    return path
        return ""

    def _computed(self, text: str, command: Command | None) -> str:
        """The path of asimi's that a text with unknown parts fits, or empty.

        What is left of it must say so: one of asimi's own names, or, where something is written or removed, the
        directory right above one.
        """
        text = _QUOTES.sub("", _UNKNOWN.sub("*", self._expanded(text)))
        before, unknown, after = text.partition("*")
        if not unknown:
            return ""
        if "/.asimi/" in f"{after}/":
            return text
        names = [name for name in self._names if name in after]
        writes = command is None or command.name in MOVERS
        ends = [match.start() for match in re.finditer("/|$", text)] if names else []
        for own in self.own:
            if writes and before == f"{os.path.dirname(own)}/":
                return own
            for end in ends:
                if any(text.find(name, len(before), end) >= 0 for name in names) and _fits(text[:end], own):
                    return own
        return ""

    def _expanded(self, text: str) -> str:
        """A text with the variables that are known."""
        for pattern, value in self._variables:
            text = pattern.sub(lambda _, value=value: value, text)  # type: ignore[misc]
        return text

    def _could_name(self, text: str, command: Command | None) -> bool:
        """Whether it is worth asking the file system: most words are no paths at all."""
        if "/" in text or text.startswith(("~", "$", '"$', ".")):
            return True
        return command is None or text in self._names or any(text in path for path in self.own)

    def _absolute(self, text: str, base: str) -> str:
        """The absolute path that a text stands for; empty where only bash can know it."""
        expanded = _HOME.sub(lambda _: self.home, text, count=1)
        plain = _QUOTES.sub("", expanded)
        if "$" in plain or "\0" in plain:
            return ""
        return os.path.normpath(os.path.join(base, plain))

    def _is_own(self, path: str, command: Command | None) -> bool:
        """Whether a path is asimi's, or, for programs that move and remove, above something that is."""
        for one in {path, self.resolve(path)}:
            if one.startswith(self.free):
                continue
            if any(one == own or one.startswith(own + "/") for own in self.own) or "/.asimi/" in f"{one}/":
                return True
            globbed = "*" in one or "?" in one or "[" in one
            above = (
                one.partition("*")[0].partition("?")[0].partition("[")[0]
                if globbed
                else one.rstrip("/") + "/"
            )
            moves = command is not None and command.name in MOVERS
            if (globbed or moves) and any(own.startswith(above) for own in self.own):
                return True
        return False


def _forms(text: str) -> set[str]:
    """What a word may become: itself, what stands behind an option's name, and both with their braces expanded."""
    forms = {text, _VALUE.sub("", text, count=1)}
    if "{" not in text:
        return forms
    waiting, steps = [_SEQUENCE.sub("*", form) for form in forms], 0
    while waiting:
        form, steps = waiting.pop(), steps + 1
        found = _BRACES.search(form)
        if found is None:
            forms.add(form)
            continue
        parts = set(found[1].split(","))
        if steps > MOST_FORMS or len(waiting) + len(parts) > MOST_FORMS or len(form) > LONGEST:
            forms.add(form[: form.index("{")] + "*" + form[form.rindex("}") + 1 :])
        else:
            waiting += [form[: found.start()] + part + form[found.end() :] for part in parts]
    return forms


def _fits(pattern: str, path: str) -> bool:
    """Whether a path is one that a pattern with `*` for any text at all stands for."""
    first, *parts = pattern.split("*")
    if not parts or not path.startswith(first):
        return path == pattern
    place = len(first)
    for part in parts[:-1]:
        place = path.find(part, place) + len(part)
        if place < len(part):
            return False
    return len(path) - place >= len(parts[-1]) and path.endswith(parts[-1])


def _only_looks(words: Sequence[str]) -> bool:
    """Whether asimi with these arguments changes nothing; the subcommand must be the first of them."""
    if words in (["--version"], ["--help"], ["-h"]):
        return True
    if words[-1:] == ["--help"] and len(words) <= 3 and not any(word.startswith("-") for word in words[:-1]):
        return words[0] not in {"exec", "run"}
    if not words or words[0] not in ONLY_LOOKS:
        return False
    below = ONLY_LOOKS[words[0]]
    return below is None or (len(words) > 1 and words[1] in below)
