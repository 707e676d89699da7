"""What was refused to a command where it ran, in words: an execution, a write; and the question that follows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.call import Assurance, Reason
from asimi.core.pattern import pattern
from asimi.core.syntax import quote_or_repr
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from asimi.core.call import Decision, RefusedExecution, Result

_REFUSALS = pattern(
    r"Read-only file system|Permission denied|Operation not permitted|Device or resource busy"
    r"|Network is unreachable|Could not resolve (?:host|proxy)|Temporary failure in name resolution"
    r"|can only add regular files|unsupported file type|Name or service not known"
    r"|\b(?:EROFS|EACCES|EPERM|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b",
    re.IGNORECASE,
)
"""How programs say that something was refused to them: the words of the C library, and Node's names of errors."""

KILLED = range(129, 193)
"""Exit codes of what a signal ended, as a shell and bubblewrap say it: nothing was refused to it then."""

LONGEST = 160
"""Characters of a line of output that are quoted."""


def offer_of(asked: Decision, result: Result) -> Decision | None:
    """The question whether a text may run once more outside of its sandbox; None where nothing was refused to it.

    Args:
        asked: the question that the text is without a sandbox.
        result: what came of it in the sandbox.
    """
    if result.exit_code in (0, None) or result.exit_code in KILLED or result.timed_out:
        return None
    said = _last_refusal(result.stderr.text) or _last_refusal(result.stdout.text)
    if result.refused or not said:
        return None
    left = "; what it left running still does" if result.background else ""
    quoted = said.replace('"', "'")  # the command's own words, which say what they like
    message = (
        "in its sandbox a part of it has run, and may have changed what it starts; then it failed and printed "
        f'"{quoted}"{left}; a yes runs all of it again, outside'
    )
    others = (each for each in asked.reasons if each.code != "unlisted")
    reasons = (Reason("sandbox", message), *others)
    return asked._replace(reasons=reasons, offers=(), needed=(), voice=max(asked.voice, Assurance.ASKED))


def _last_refusal(text: str) -> str:
    """The last line that says that something was refused; empty where none does."""
    lines = [line.strip() for line in text.splitlines() if _REFUSALS.search(line)]
    return lines[-1][:LONGEST] if lines else ""


LONGEST_COMMAND = 200
"""Characters of a command that are shown where it was refused."""


def refused_line(refused: RefusedExecution) -> str:
    """One line that says which execution was refused, and where that is written."""
    command = " ".join(map(quote_or_repr, refused.argv))
    if len(command) > LONGEST_COMMAND:
        command = command[:LONGEST_COMMAND] + "…"
    return visible(f"asimi: {denial(command, refused)}")


def denial(command: str, refused: RefusedExecution) -> str:
    """That an execution was refused, as a sentence about its command."""
    why = f" by {refused.source}" if refused.source else f": {refused.rule}"
    return f"'{command}' (started by {refused.parent}, pid {refused.pid}) is denied{why}"
