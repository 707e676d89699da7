"""What came of `unlisted = "observe"`, in words: that it is on, and what each preset would have asked about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from asimi.compose.configuration import configuration_of
from asimi.core.call import Verdict
from asimi.core.values import NamedTuple
from asimi.doors.cli.policies import Judges
from asimi.doors.cli.printing import counted
from asimi.world.config.observing import DAYS
from asimi.world.config.presets import PRESETS, Start, beginning

if TYPE_CHECKING:
    from asimi.compose import Options
    from asimi.core.call import Request
    from asimi.core.judging.policy import Policy
    from asimi.world.config import Configuration
    from asimi.world.config.presets import Preset

IN_BOX = "developer in a box (asimi wrap)"
"""What the preset `developer` is called where a box holds the agent."""

OPEN = "An agent that asks nobody runs everything meanwhile"


class Observed(NamedTuple):
    """The calls that were only observed, and what would have become of them.

    Attributes:
        calls: how many.
        lost: how many of them cannot be judged again.
        stopped: how many each preset would have asked about or refused.
    """

    calls: int
    lost: int
    stopped: dict[str, int]


def observed(options: Options, since: float | None) -> Observed | None:
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
    return Observed(calls.total() + lost, lost, stopped)


def told(options: Options, since: float | None) -> list[str]:
    """Return in sentences that asimi only observes, and what each preset would have asked; none where it never did.

    Raises:
        AsimiError: as `observed`.
    """
    sentences = [text for text in (state(configuration_of(options)),) if text]
    found = observed(options, since)
    if found is None:
        return sentences
    lost = f" ({found.lost} of them cannot be judged again)" if found.lost else ""
    stopped = ", ".join(f"{name} {number:,}" for name, number in found.stopped.items())
    sentences.append(
        f"Of {counted(found.calls, 'call')} that asimi only observed{lost}, each preset would have asked about or "
        f"refused: {stopped}."
    )
    return sentences


def state(configuration: Configuration) -> str:
    """Return that asimi only observes, and for how long; empty where it does not.

    Raises:
        ConfigError: the configuration is broken.
    """
    left = configuration.observing()
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
    return configuration.by_itself(beginning(configuration, Start(preset)))
