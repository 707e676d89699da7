"""`asimi relay`: this machine's part of a team."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING
from asimi.doors.cli.require_person import require_person

if TYPE_CHECKING:
    from asimi.compose import Options
    from asimi.doors.running import Stop


def relay(options: Options) -> int:
    """Carry the questions of your gates on this machine to your team, until Ctrl-C or SIGTERM.

    The administrator's file says which team: its server, this machine's name and credentials, who may answer. The relay
    only carries; an answer counts by its signature, which the gate that asked checks. It also keeps this machine's copy
    of the policy that the team shares. Each user runs one, as a service.
    """
    require_person("carry questions to a team")
    from asimi.compose.team import open_relay
    from asimi.doors.cli.printing import fitted
    from asimi.doors.running import run, until_told
    from asimi.doors.sending import sending
    from asimi.world.host.streams import say

    def told(text: str) -> None:
        say(fitted(f"asimi: {text}", 2))

    carrier = open_relay(options, told)

    async def work(stop: Stop) -> int:
        await until_told(carrier.run(lambda: told("The relay is connected; press Ctrl-C to stop.")), stop)
        return 0

    with sending(options):
        return run(work)
