"""What `asimi config enforce` changes: one line of a person's file, and what asimi asks about from then on."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.syntax import line_of
from asimi.doors.cli.observed import told
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import counted
from asimi.world.host.terminal import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options
    from asimi.world.config import Configuration

MOST = 10
"""Commands that are shown; nobody reads more."""

LONGEST = 100
"""Characters of one that are shown."""

_LINE = re.compile(r"""^([ \t]*unlisted[ \t]*=[ \t]*)(?:"observe"|'observe')""", re.MULTILINE)


def changed_line(configuration: Configuration) -> tuple[int, str]:
    """Return the number of the line that says "observe" in a person's file, and the file's text with it changed.

    Raises:
        AsimiError: the file cannot be read, or asimi cannot be sure to change that line alone.
    """
    try:
        with open(configuration.file, encoding="utf-8", newline="") as file:
            text = file.read()
    except (OSError, UnicodeError) as error:
        raise AsimiError(f"{configuration.file}: cannot be read: {error}") from None
    found = _LINE.search(text)
    changed = _LINE.sub(r'\1"ask"', text, count=1)
    if found is None or tomllib.loads(changed) != tomllib.loads(text) | {"unlisted": "ask"}:
        raise AsimiError(f'{configuration.file}: write unlisted = "ask" there; asimi does not find the line to change')
    return text.count("\n", 0, found.start()) + 1, changed


def difference(options: Options) -> Iterator[str]:
    """Yield what asimi would have asked about of what it only observed, in sentences.

    Raises:
        AsimiError: the configuration is broken, or the log cannot be read.
    """
    judges, asked = Judges(options), Counter[tuple[str, str]]()
    for fields, logged in judges.fields_logged(None):
        if fields.get("event") == "observed" and not isinstance(logged, str):
            decision = judges.decide(logged.request, behind=True)
            if decision.verdict.word != "allow":
                asked[decision.verdict.word, line_of(logged.request)] += 1
    if asked:
        yield f"Your rules ask about or deny {counted(asked.total(), 'call')} that asimi only observed:"
    for (word, line), count in asked.most_common(MOST):
        yield f"{count:5}  {word:4}  {shortened(printable(line), LONGEST, '…')}"
    if len(asked) > MOST:
        yield f"       and {len(asked) - MOST} more commands (asimi policy replay)"
    yield from told(options, None)
