"""The exceptions of asimi, and whose fault each of them is.

::

    AsimiError              something asimi can explain to a person
    ├── ConfigError         the person's: a configuration file that cannot be obeyed
    ├── HostError           another machine's, or of the way there: it cannot be reached, or says what cannot be used
    ├── ShellSyntaxError    the caller's: text that bash would not parse, or that asimi does not understand
    └── Refusal             the caller's: a call that will not be run, and why

Anything else that escapes is a bug of asimi's.
"""

from __future__ import annotations

import errno

SCARCE = {
    errno.EMFILE: "too many files are open for one process; raise `ulimit -n` (asimi itself needs about 20)",
    errno.ENFILE: "too many files are open on this machine; close some programs",
    errno.ENOMEM: "there is no memory left (`ulimit -v`); close some programs, or raise the limit",
}
"""What has run out, by the error that the system gives then, and what to do."""


class AsimiError(Exception):
    """Something went wrong that asimi can explain; `str()` is the explanation, one paragraph."""


class ConfigError(AsimiError):
    """A configuration file cannot be obeyed; nothing runs until it is fixed.

    Attributes:
        message: what is wrong and what to do, without where it is.
        path: the file, or None where no file is at fault.
        line: the line in it, counted from 1, or None where it is not known.
    """

    def __init__(self, message: str, path: str | None = None, line: int | None = None) -> None:
        self.message, self.path, self.line = message, path, line
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)


class UnreadableError(AsimiError):
    """A link on the way to a path may not be read, so nobody here knows where the path leads; `str()` names it."""


class HostError(AsimiError):
    """A host cannot be used; `str()` names it, and says what is wrong and what to do."""


class ShellSyntaxError(AsimiError):
    """A shell text cannot be read; `str()` shows the line with a caret under what is wrong.

    Attributes:
        message: what was expected or found, in words.
        code: the reason code, `unparsable` or `too_large`.
        text: the whole text.
        span: what is wrong in it, as (start, end) in characters.
    """

    def __init__(self, message: str, text: str, span: tuple[int, int], code: str = "unparsable") -> None:
        self.message, self.text, self.span, self.code = message, text, span, code
        super().__init__(message)

    def __str__(self) -> str:
        start, end = self.span
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", start)
        line = self.text[first:] if last < 0 else self.text[first:last]
        number = self.text.count("\n", 0, start) + 1
        marker = " " * (start - first) + "^" * max(1, min(end, first + len(line)) - start)
        shown, marker = _window(line, marker)
        return f"{self.message}\n{number:5} | {shown}\n      | {marker}"


class Refusal(AsimiError):
    """A call is not run; `str()` goes to the model in `error`.

    Attributes:
        code: a reason code of the verdict (see `call.Reason`), or `parameters`, `no_directory`, `no_shell`, `person`,
            `no_answer`, `no_terminal`, `passed`, `configuration`, `record`, `unknown_tool`, `scarce`, `bug`.
        message: who refused, why, and what would help.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


def refusal_of_fault(error: AsimiError | OSError) -> Refusal:
    """The refusal of a call that something went wrong with before anything was started."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, AsimiError):
        return Refusal("configuration", str(error))
    if (short := scarce(error)) is not None:
        return Refusal("scarce", f"Not started: {short}")
    where = f"{error.filename}: " if error.filename else ""
    return Refusal("configuration", f"Not started: {where}{error.strerror or error}")


def scarce(error: Exception) -> str | None:
    """What has run out, and what to do; None where the error is another.

    A shared library that finds no memory is an ImportError of which only the text tells the reason (ld.so's
    "failed to map segment").
    """
    if isinstance(error, OSError):
        return SCARCE.get(error.errno or 0)
    if isinstance(error, MemoryError) or (isinstance(error, ImportError) and "failed to map" in str(error)):
        return SCARCE[errno.ENOMEM]
    return None


def fault_of(error: Exception) -> Refusal:
    """The refusal of a call that failed at any moment: something has run out, or it is a bug of asimi's."""
    if (short := scarce(error)) is not None:
        return Refusal("scarce", f"asimi could not finish this call: {short}")
    return Refusal("bug", f"asimi failed in this call: {type(error).__name__}: {error}")


def _window(line: str, marker: str, width: int = 100) -> tuple[str, str]:
    """The part of a long line that holds the marker; control characters become a visible dot."""
    start = max(0, len(marker) - len(marker.lstrip()) - width // 2)
    cut = line[start : start + width]
    visible = "".join(character if character.isprintable() else "·" for character in cut)
    return visible, marker[start : start + width]
