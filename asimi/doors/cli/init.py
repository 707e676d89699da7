"""`asimi init`: all that a person needs to begin, on one screen and after one yes."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from asimi.compose import may_ask, places
from asimi.compose.asking import at_a_terminal, choose
from asimi.compose.configuration import configuration_of
from asimi.compose.stores import checks_of
from asimi.core.errors import AsimiError
from asimi.core.extras import is_installed, load
from asimi.core.values import NamedTuple
from asimi.core.wording.dialog import Menu, Section
from asimi.core.wording.effects import join_words
from asimi.doors.cli.config import WRITE, offer_preset, preset_of, write
from asimi.doors.cli.hook import put_in
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.require_person import require_person
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.doctor import plugin_directories
from asimi.doors.hooks.settings import settings_file, to_install
from asimi.world.box.profiles import profile_of
from asimi.world.config.presets import check_absent
from asimi.world.executors.confining.ability import lacking_bubblewrap
from asimi.world.host.terminal import printable, short_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from asimi.compose import Options
    from asimi.doors.hooks.agent import Agent
    from asimi.world.config import Configuration

DEFAULT = "developer"
"""The preset where nobody chose one."""

UNDO = "`asimi undo` will be on: it takes back what a call changed in the project."


class Here(NamedTuple):
    """The agents on this machine, and how asimi comes before their commands.

    Attributes:
        boxed: the programs that `asimi wrap` can hold.
        bare: the agents whose hook is to be installed.
        hooked: the titles of those that have it.
        unboxed: why no box can be kept here, in words; empty if one can.
    """

    boxed: tuple[str, ...]
    bare: tuple[Agent, ...]
    hooked: tuple[str, ...]
    unboxed: str

    def section(self) -> Section:
        """Return it in words."""
        goes = ", ".join(f"{agent.title} ({short_path(settings_file(agent, os.environ))})" for agent in self.bare)
        rows = {
            "in a box": self.boxed and f"{join_words(self.boxed, 'and')}, started with `asimi wrap`",
            "by a hook": goes and f"{goes}: asks asimi before each command",
            "hooked": ", ".join(self.hooked),
            "no box": self.unboxed,
        }
        found = self.boxed or self.bare or self.hooked
        words = "Agents on this machine:" if found else "No agent that asimi knows was found on this machine."
        return Section(words, tuple((name, text) for name, text in rows.items() if text))


def init(options: Options, preset: str = "", hooks: bool = False) -> int:  # noqa: FBT001, FBT002 - a flag
    """Set asimi up: your rules, the agents on this machine, and undo.

    One screen shows which agents are here, and whether a box can hold them or a hook must ask. You choose what may run
    without a question. After one yes, asimi writes your configuration and installs the hooks that are needed, and says
    how to take that back. It never changes a configuration that is there.

    Without a terminal, asimi shows what it would ask; with --yes, it does it. The exit code is 126 if nothing was done.
    """
    require_person("set asimi up")
    configuration, start, here = configuration_of(options), preset_of(preset or None), _find_agents(all_hooked=hooks)
    new, asks = not os.path.lexists(configuration.file), may_ask(options) and at_a_terminal()
    if start is not None:
        check_absent(configuration)
    about = (here.section(), Section(UNDO if new else _stays(configuration)))
    wants = options.yes or not (new or here.bare)
    if asks and new:
        files = ", ".join(short_path(settings_file(each, os.environ)) for each in here.bare)
        wants = offer_preset(configuration, start, about, f"asimi's hook goes into {files}" if files else "")
    elif asks and here.bare:
        wants = choose(Menu("asimi: install the hook?", about, (WRITE,))) == WRITE
    elif not wants:
        _would_do(configuration, preset or DEFAULT, about)
    if not wants:
        out("nothing was done")
        return 126
    if new and not asks:
        now = checks_of(configuration.places).definitions(configuration.root) if options.config is None else None
        write(configuration, start or preset_of(DEFAULT), now, asked=False)
    if new and is_installed("permissions"):
        load("permissions", "importing").offer(configuration, asking=False)
    failed = [agent for agent in here.bare if not _install_hook(configuration, agent)]
    _say_next(here)
    return 1 if failed else 0


def _find_agents(*, all_hooked: bool) -> Here:
    """Return the agents on this machine; with `all_hooked`, also those that a box can hold are to get the hook."""
    boxed, bare, hooked, unboxed = [], [], [], lacking_bubblewrap()
    for agent in map(agent_of, AGENTS):
        program = next(filter(shutil.which, profile_of(agent.name).programs), "")
        if program and not unboxed:
            boxed.append(program)
        if _has_hook(agent):
            hooked.append(agent.title)
        elif (all_hooked or unboxed) if program else os.path.isdir(os.path.dirname(settings_file(agent, os.environ))):
            bare.append(agent)
    return Here(tuple(boxed), tuple(bare), tuple(hooked), unboxed)


def _has_hook(agent: Agent) -> bool:
    """Return whether an agent has the hook as asimi would install it today; a file that cannot be read has none."""
    try:
        change = to_install(agent, os.environ, places().state)
        return change.before == change.after or bool(plugin_directories(agent, os.environ))
    except AsimiError:
        return False


def _stays(configuration: Configuration) -> str:
    """Return what becomes of a configuration that is there, in words."""
    off = "" if configuration.settings().undo.keep else "; `asimi undo` is off: [undo] there has no keep"
    return f"Your configuration stays as it is: {short_path(configuration.file)}{off}."


def _would_do(configuration: Configuration, preset: str, about: Iterable[Section]) -> None:
    """Say what would be asked at a terminal, and how to do it without one."""
    if not os.path.lexists(configuration.file):
        out(f"asimi init would write {configuration.file} with the preset {preset} (--preset reader, developer or ci).")
    for section in about:
        out("\n".join([section.words, *(f"  {name:10} {printable(text)}" for name, text in section.rows)]))
    out("There is no terminal to ask on: `asimi init --yes` does this.")


def _install_hook(configuration: Configuration, agent: Agent) -> bool:
    """Install an agent's hook; whether that was possible."""
    try:
        put_in(configuration, agent, to_install(agent, os.environ, configuration.places.state))
    except (AsimiError, OSError) as error:
        out(fit(f"failed   {agent.title}: {printable(str(error))}", indent=9))
        return False
    return True


def _say_next(here: Here) -> None:
    """Say how to take back what was done, and as the last line what to type next."""
    rows = {"asimi uninstall": "takes the hooks out, and says how to delete the rest"}
    rows |= {"asimi doctor": "tests all of this on this machine"}
    if here.bare or here.hooked:
        rows["asimi watch"] = "answers what agents ask, in another terminal"
    if not here.unboxed:
        rows[f"asimi wrap {here.boxed[0] if here.boxed else 'PROGRAM'}"] = "runs it in a box, in this project"
    words = {0: "back", len(rows) - 1: "next"}
    for at, (call, does) in enumerate(rows.items()):
        out(fit(f"{words.get(at, ''):9}{call:20} {does}", indent=9))
