"""What came of `unlisted = "observe"`, in words: that it is on, and what each preset would have asked about."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import TYPE_CHECKING

from asimi.compose.configuration import configuration_of
from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import plural
from asimi.world.config.observing import DAYS
from asimi.world.config.presets import PRESETS, Start, starter_file
from asimi.world.host.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options
    from asimi.core.call import Request
    from asimi.core.judging.policy import Policy
    from asimi.world.config import Configuration
    from asimi.world.config.presets import Preset


IN_BOX = "developer in a box (asimi wrap)"
"""What the preset `developer` is called where a box holds the agent."""

OPEN = "An agent that asks nobody runs everything meanwhile"


class ObservedCalls(NamedTuple):
    """The calls that were only observed, and what would have become of them.

    Attributes:
        calls: how many.
        lost: how many of them cannot be judged again.
        stopped: how many each preset would have asked about or refused.
    """

    calls: int
    lost: int
    stopped: dict[str, int]


def observed_calls(options: Options, since: float | None) -> ObservedCalls | None:
    """Return what was only observed since a time; None where nothing was.

    Raises:
        AsimiError: the configuration is broken, or the log cannot be read.
    """
    judges, lost = Judges(options), 0
    calls: Counter[Request] = Counter()
    for fields, logged in judges.fields_logged(since):
        if fields.get("event") != "observed":
            continue
        if isinstance(logged, str):
            lost += 1
        else:
            calls[logged.request] += 1
    if not calls and not lost:
        return None
    kept: dict[tuple[str, str], Policy] = {}
    stopped = dict.fromkeys((*PRESETS, IN_BOX), 0)
    for request, count in calls.items():
        for name in stopped:
            where = request.place.root, name
            if where not in kept:
                kept[where] = _policy(options, *where)
            stopped[name] += count * (kept[where].decide(request).verdict is not Verdict.ALLOW)
    return ObservedCalls(calls.total() + lost, lost, stopped)


def observation_summary(options: Options, since: float | None) -> list[str]:
    """Return in sentences that asimi only observes, and what each preset would have asked; none where it never did.

    Raises:
        AsimiError: as `observed`.
    """
    sentences = [text for text in (state(configuration_of(options)),) if text]
    found = observed_calls(options, since)
    if found is None:
        return sentences
    lost = f" ({found.lost} of them cannot be judged again)" if found.lost else ""
    stopped = ", ".join(f"{name} {number:,}" for name, number in found.stopped.items())
    sentences.append(
        f"Of {plural(found.calls, 'call')} that asimi only observed{lost}, each preset would have asked about or "
        f"refused: {stopped}."
    )
    return sentences


def state(configuration: Configuration) -> str:
    """Return that asimi only observes, and for how long; empty where it does not.

    Raises:
        ConfigError: the configuration is broken.
    """
    left = configuration.seconds_to_observe()
    if left is None:
        return ""
    if not left:
        return (
            f'The {DAYS} days of unlisted = "observe" are over, so asimi asks; `asimi config enforce` writes that down.'
        )
    days = f"{int(left // 86400)} d {int(left % 86400 // 3600)} h left"
    return f'asimi only observes behind hooks (unlisted = "observe", {days}). {OPEN}; `asimi config enforce` ends it.'


def _policy(options: Options, root: str, name: str) -> Policy:
    """Return what a preset alone would be in a project, behind an agent's hook."""
    boxed = name == IN_BOX
    configuration = configuration_of(options, behind=True, boxed=boxed, root=root)
    preset: Preset = next((each for each in PRESETS if each == name), "developer")
    return configuration.by_itself(starter_file(configuration, Start(preset)))


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
        yield f"Your rules ask about or deny {plural(asked.total(), 'call')} that asimi only observed:"
    for (word, line), count in asked.most_common(MOST):
        yield f"{count:5}  {word:4}  {shorten(printable(line), LONGEST, '…')}"
    if len(asked) > MOST:
        yield f"       and {len(asked) - MOST} more commands (asimi policy replay)"
    yield from observation_summary(options, None)
