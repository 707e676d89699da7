"""`asimi uninstall`: removes the hooks from the agents' settings and lists what is left."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.compose import places
from asimi.core.errors import AsimiError
from asimi.doors.cli.hook import taken_out
from asimi.doors.cli.printing import out, quote_words
from asimi.doors.cli.require_person import require_person
from asimi.doors.hooks.settings import installed_hooks
from asimi.world.host.state_files import KINDS

if TYPE_CHECKING:
    from asimi.compose import Options


def uninstall(options: Options, dry_run: bool = False) -> int:  # noqa: FBT001, FBT002 - a flag of the command line
    """Remove the hooks from every agent's settings, the administrator's too, and list what is left.

    Your configuration, what you trust and approved, the log and the program itself stay; the output says where they are
    and how to delete them. The exit code is 1 if a hook stays.
    """
    require_person("uninstall asimi")
    there = list(installed_hooks(os.environ))
    stays = False
    for name, managed in there:
        try:
            out_now = taken_out(options, name, dry_run=dry_run, managed=managed)
        except AsimiError as error:
            out_now = False
            how = f"asimi hook uninstall {name}{' --managed' if managed else ''}"
            out(f"The hook of {name} stays. {error}. Then: {how}")
        stays = stays or not out_now
    if not there:
        out("No agent has asimi's hook.")
    here = places()
    left = [(kind.what, kind.path(here)) for kind in KINDS if kind.name or kind.place != "state"]
    left = [(what, path) for what, path in left if os.path.lexists(path)]
    if left:
        out("Not deleted:")
        for what, path in left:
            out(f"  {path}  ({what})")
        kept = [path for path in (here.config, here.state, here.runtime, here.cache) if os.path.lexists(path)]
        kept = [path for path in kept if not path.startswith(here.state + os.sep)]
        if kept:
            out("To delete all your data:")
            for path in kept:
                out(f"  rm -r {quote_words([path])}")
    out(f"Remove the program itself: {_removal()}")
    return 1 if stays and not dry_run else 0


def _removal() -> str:
    """Return the command that removes the program, by what installers leave beside it."""
    for path, command in (
        (os.path.join(sys.prefix, "pipx_metadata.json"), "pipx uninstall asimi"),
        (os.path.join(sys.prefix, "uv-receipt.toml"), "uv tool uninstall asimi"),
    ):
        if os.path.exists(path):
            return command
    if __file__.startswith("/usr/lib/asimi/"):
        return "sudo apt remove asimi"
    program = os.path.abspath(f"{__file__}/../../../..")
    if os.path.exists(f"{program}/DIGEST"):
        return f"rm -r {quote_words([program])} asimi.pyz"
    return f"{quote_words([sys.executable])} -m pip uninstall asimi"
