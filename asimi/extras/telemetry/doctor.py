"""What `asimi doctor` says of telemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.compose import places
from asimi.doors.cli.doctor import DoctorLine
from asimi.extras.telemetry.receiver import installed, refusal
from asimi.extras.telemetry.sender import standing
from asimi.extras.telemetry.sending import telemetry_of
from asimi.world.audit.tail import Tail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options


def examined(options: Options) -> Iterator[DoctorLine]:
    """Say whether what is logged can be sent, where that is wanted, and what was not."""
    telemetry = telemetry_of(options)
    if not telemetry.endpoint:
        return
    installed()
    if why := refusal(telemetry):
        yield DoctorLine("note", "telemetry", f"{telemetry.endpoint} takes no events: {why}; they wait in the log")
    else:
        yield DoctorLine("ok", "telemetry", f"{telemetry.endpoint} takes events")
    directory = places().state
    waiting, lost = standing(Tail(directory), directory)
    if waiting:
        yield DoctorLine("ok", "telemetry", f"lines of the log that asimi relay, serve or mcp will send: {waiting}")
    if lost:
        yield DoctorLine("note", "telemetry", f"lines of the log that were deleted first, or are never taken: {lost}")
