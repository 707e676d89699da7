"""Chooses the parts of a gate, and with them who is asked; no other package knows all of them.

Each part is imported where it is chosen, so a verdict alone costs neither an event loop nor a terminal. This module is
what a caller chooses for one run; the modules beside it make what follows from that.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.call import is_probe
from asimi.core.errors import AsimiError
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from asimi.core.kinds import SandboxMode
    from asimi.world.host.places import Bases, Places

FALSY = frozenset({"", "0", "no", "false", "off"})
"""Values of a yes-or-no variable that mean no."""

QUESTIONS = "questions"
"""The directory, below the runtime one, where questions wait for `asimi approve`."""


class Options(NamedTuple):
    """The choices of a caller for one run of asimi; the environment decides what is None.

    Attributes:
        config: a configuration file in place of the user's own.
        root: the project root.
        session: the name of a session that several processes share.
        yes: whether questions are answered with yes.
        non_interactive: whether nobody is asked.
        sandbox: the laxest mode of a sandbox that every command runs in.
        host: the name of the machine that commands run on.
    """

    config: str | None = None
    root: str | None = None
    session: str | None = None
    yes: bool = False
    non_interactive: bool = False
    sandbox: SandboxMode | None = None
    host: str | None = None


_kept: list[Places] = []  # where asimi's files are for as long as this process lives, if somebody said so


def keep_to(bases: Bases) -> None:
    """Keep asimi's files below some directories from now on, whatever the environment names."""
    from asimi.world.host.places import places_at

    _kept[:] = [places_at(bases)]


def places() -> Places:
    """Return where asimi's files are."""
    from asimi.world.host.places import places_of

    return _kept[0] if _kept else places_of(os.environ)


def root_of(options: Options) -> str:
    """Return the real path of the project root: what was chosen, `ASIMI_ROOT`, or the directory asimi was started in.

    Raises:
        AsimiError: the directory asimi was started in is gone.
    """
    try:
        return os.path.realpath(options.root or os.environ.get("ASIMI_ROOT") or os.getcwd())
    except FileNotFoundError:
        raise AsimiError("The directory asimi was started in is gone; give a project root with --root") from None


def session_name(options: Options) -> str | None:
    """Return the name of the session that several processes share, if one was chosen.

    Raises:
        AsimiError: the name is that of what a doctor tries, so a call of it would look like one.
    """
    name = options.session or os.environ.get("ASIMI_SESSION") or None
    if name is not None and is_probe(name):
        raise AsimiError(f"A session may not be called {name!r}: that is what `asimi doctor` calls its own")
    return name


def host_name(options: Options) -> str:
    """Return the name of the host that was chosen; empty for this machine."""
    return options.host or os.environ.get("ASIMI_HOST") or ""


def may_ask(options: Options) -> bool:
    """True if a person is asked: neither `--yes` nor `--non-interactive` was said."""
    silent = options.non_interactive or os.environ.get("ASIMI_NON_INTERACTIVE", "").lower() not in FALSY
    return not options.yes and not silent


def check_caller(options: Options, *, host: bool = False) -> None:
    """Make sure that what a caller chooses is chosen by a person, not by a command that asimi runs.

    Args:
        options: what the caller chooses.
        host: whether commands run on a host, however that was chosen.

    Raises:
        AsimiError: it is not.
    """
    chosen = [f"--{name}" for name in ("config", "root", "session", "yes") if getattr(options, name)]
    chosen += ["--host" if options.host else "ASIMI_HOST"] if host else []
    if not chosen:
        return
    from asimi.world.host.nested import inside_call

    if inside_call(os.environ):
        raise AsimiError(f"{' and '.join(chosen)} cannot be given from inside a command that asimi runs")
